package dissipation

import (
	"math"

	"github.com/quasistatic/quasistatic/signal"
)

// Bending is implemented by a varying [Matrix] that bounds its curvature on a straight way.
type Bending interface {
	// Bend bounds ‖d²S/dθ²‖₂ on the way z(θ) = from + θ (to − from), 0 < θ < 1, between two of its
	// Cuts [-].
	Bend(from, to [2]float64) float64
}

var (
	_ Bending = Rippled{}
	_ Bending = Mapped{}
)

// Bend implements [Bending]: |f”| <= A (2π/L a·Δz)² of S = f S_base.
func (m Rippled) Bend(from, to [2]float64) float64 {
	phase := m.wave * (m.axis[0]*(to[0]-from[0]) + m.axis[1]*(to[1]-from[1]))
	return norm2x2(&m.base) * m.amplitude * phase * phase
}

// Bend implements [Bending].
func (m Mapped) Bend(from, to [2]float64) float64 {
	a, b := m.place(from), m.place(to)
	return m.m.bend([2]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, [2]float64{b[0] - a[0], b[1] - a[1]})
}

// bend bounds |d²μ/dθ²| along a way, everywhere in the cell of a place: second derivatives of a patch are
// between the least and the largest of 6 Δ²b and 9 Δ_iΔ_j b.
func (m *Map) bend(spot, way [2]float64) (bound float64) {
	col, _, inside := cellOf(m.x, spot[0])
	if !inside {
		way[0] = 0 // constant there
	}
	row, _, inside := cellOf(m.y, spot[1])
	if !inside {
		way[1] = 0
	}
	b := m.patch(col, row)
	dx, dy := way[0]/(m.x[col+1]-m.x[col]), way[1]/(m.y[row+1]-m.y[row])
	var xx, xy, yy float64
	for j := range 4 {
		for i := range 2 {
			xx = max(xx, math.Abs(b[j][i]-2*b[j][i+1]+b[j][i+2]))
			yy = max(yy, math.Abs(b[i][j]-2*b[i+1][j]+b[i+2][j]))
		}
	}
	for j := range 3 {
		for i := range 3 {
			xy = max(xy, math.Abs(b[j][i]-b[j][i+1]-b[j+1][i]+b[j+1][i+1]))
		}
	}
	return 6*xx*dx*dx + 2*9*xy*math.Abs(dx*dy) + 6*yy*dy*dy
}

// Holding is what friction of a contact holds at a time.
type Holding struct {
	T      float64
	Spot   [2]float64 // tangential coordinates [m]
	Size   float64    // ‖S‖₂
	Factor float64    // of its time, where below zero it counts as zero
	Sigma  float64    // a lower bound of the normal force, affine between two of them [N]
}

// Hold returns what friction of contact j holds at a state, under a normal force.
func (c *Coulomb) Hold(t float64, j int, z []float64, sigma float64) Holding {
	s, _ := c.matrix(t, j, z)
	h := Holding{T: t, Size: norm2x2(&s), Factor: 1, Sigma: sigma}
	h.Spot[0], h.Spot[1] = c.System.Spot(t, j, z)
	if c.factors != nil && c.factors[j] != nil {
		h.Factor = c.factors[j].At(t)
	}
	return h
}

// Varies reports whether what friction of contact j holds depends on places, times or slip.
func (c *Coulomb) Varies(j int) bool {
	m := c.Matrices[j]
	return m != nil && (!m.Constant() || c.factors != nil && c.factors[j] != nil)
}

// Bounded reports whether Sag is known for contact j.
func (c *Coulomb) Bounded(j int) bool {
	known := true
	switch m := c.Matrices[j].(type) {
	case Slipping, Bending, nil:
	default:
		known = m.Constant()
	}
	if c.factors != nil && c.factors[j] != nil {
		_, is := signal.DerivativeBound(c.factors[j], 2)
		known = known && is
	}
	return known
}

// Sag bounds how far, between two states in a straight line, the force σ(θ) m(t) ‖S(z)‖₂ that friction
// of contact j holds falls below its chord [N]. Between them are no breaks of times and no cuts of
// matrices, and S is f(z) S_base. With the affine A, B, C through the ends of σ, ‖S‖ and m, and b, c
// that S and m fall below theirs, σ m ‖S‖ >= ABC − b A C − c A B where A >= 0; and the cubic ABC lies
// below its chord by no more than their coefficients in Bernstein's form differ.
func (c *Coulomb) Sag(j int, from, to *Holding) float64 {
	a, b, m := [2]float64{from.Sigma, to.Sigma}, [2]float64{from.Size, to.Size}, [2]float64{max(from.Factor, 0), max(to.Factor, 0)}
	fallS, fallM := 0.0, 0.0
	if s, is := c.Matrices[j].(Bending); is {
		fallS = s.Bend(from.Spot, to.Spot) / 8
	}
	if c.factors != nil && c.factors[j] != nil {
		bend, _ := signal.DerivativeBound(c.factors[j], 2)
		fallM = bend*(to.T-from.T)*(to.T-from.T)/8 + max(-from.Factor, -to.Factor, 0)
	}
	p0, p3 := a[0]*b[0]*m[0], a[1]*b[1]*m[1]
	p1 := (a[1]*b[0]*m[0] + a[0]*b[1]*m[0] + a[0]*b[0]*m[1]) / 3
	p2 := (a[0]*b[1]*m[1] + a[1]*b[0]*m[1] + a[1]*b[1]*m[0]) / 3
	cubic := max(0, (2*p0+p3)/3-p1, (p0+2*p3)/3-p2)
	most := func(x [2]float64) float64 { return max(x[0], x[1], 0) }
	return cubic + most(a)*(fallS*most(m)+fallM*most(b))
}
