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
