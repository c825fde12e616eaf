package dissipation

import "github.com/quasistatic/quasistatic/particles"

// Stretched is isotropic friction on a face: ‖M v‖ = μ times the length of v along the surface, see
// [particles.Metric].
type Stretched struct {
	mu   float64
	face surface
}

// surface is what friction asks a face for.
type surface interface {
	Metric(u, v float64) particles.Metric
}

// NewStretched takes the coefficient and the face.
func NewStretched(mu float64, face interface {
	Metric(u, v float64) particles.Metric
}) (Stretched, error) {
	if err := coefficient("mu", mu); err != nil {
		return Stretched{}, err
	}
	return Stretched{mu, face}, nil
}

// At implements [Matrix].
func (m Stretched) At(z1, z2 float64, deriv *[2][4]float64) [4]float64 {
	g := m.face.Metric(z1, z2)
	for i := range g.S {
		g.S[i] *= m.mu
		g.Su[i] *= m.mu
		g.Sv[i] *= m.mu
	}
	if deriv != nil {
		*deriv = [2][4]float64{g.Su, g.Sv}
	}
	return g.S
}

// Constant implements [Matrix].
func (Stretched) Constant() bool { return false }

var _ Matrix = Stretched{}

// Spread is isotropic friction on a face with the coefficient of a map over the x and y of the
// places of the face: ‖M v‖ is μ there times the length of v along the surface.
type Spread struct {
	m    *Map
	face place
}

// place is what friction that varies over a face asks it for.
type place interface {
	surface
	At(u, v float64) (p, pu, pv, n, nu, nv [3]float64)
}

// NewSpread takes the map and the face.
func NewSpread(m *Map, face interface {
	Metric(u, v float64) particles.Metric
	At(u, v float64) (p, pu, pv, n, nu, nv [3]float64)
}) Spread {
	return Spread{m, face}
}

// At implements [Matrix].
func (m Spread) At(z1, z2 float64, deriv *[2][4]float64) [4]float64 {
	p, pu, pv, _, _, _ := m.face.At(z1, z2)
	mu, dx, dy := m.m.At(p[0], p[1])
	g := m.face.Metric(z1, z2)
	if deriv != nil {
		du, dv := dx*pu[0]+dy*pu[1], dx*pv[0]+dy*pv[1]
		for i, s := range g.S {
			deriv[0][i], deriv[1][i] = du*s+mu*g.Su[i], dv*s+mu*g.Sv[i]
		}
	}
	for i := range g.S {
		g.S[i] *= mu
	}
	return g.S
}

// Constant implements [Matrix].
func (Spread) Constant() bool { return false }

var _ Matrix = Spread{}
