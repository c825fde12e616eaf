package dissipation

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// Corner is the contact problem of one particle with several obstacles under a given
// force g: with the laws K_c = [0, ∞) × s_c S_cᵀ·ball of its contacts,
//
//	min_y { ρ/2 |y − v|² + g·(y − v) + Σ_c s_c‖S_c (y_T^c + w_T^c)‖ : n_c·y + h_c >= 0 }.
//
// With v = 0, w = (h, w_T) = 0 and ρ = 1, |y| is the distance of g from Σ_c H_c K_c: the force that
// obstacles and friction do not hold. Not safe for concurrent use.
type Corner struct {
	Contacts []int            // of the particle, numbered as by the system
	Laws     []contact.Tresca // of them
	Offsets  [][3]float64     // w_c: heights, and what the obstacles moved less [m]
	Slides   [][2]float64     // motions along the contacts, for Align [m]
	R        [][3]float64     // reactions (n, t, o); the start, and the result [N]
	axes     [][3][3]float64  // n, t, o
	normals  [][3]float64     // scratch of press
	share    []float64
	polished []*polish // by the number of contacts; nil: not met yet
}

// polish is the problem of some contacts for the solver of convex problems, with its memory.
type polish struct {
	problem contact.Global
	ws      contact.GlobalWorkspace
	res     contact.Result
	start   []float64 // reactions
}

// Reset prepares the problem of a particle at the time t and the state z, of all contacts for
// which closed is true; nil stands for all. Reactions, offsets and slides are zero.
func (k *Corner) Reset(s *particles.System, t float64, z []float64, particle int, closed func(c int) bool) {
	k.Contacts = k.Contacts[:0]
	for i := -1; i < len(s.Beside(particle)); i++ {
		c := particle
		if i >= 0 {
			c = s.Beside(particle)[i]
		} else if !s.Constrained(particle) {
			continue
		}
		if closed == nil || closed(c) {
			k.Contacts = append(k.Contacts, c)
		}
	}
	nc := len(k.Contacts)
	k.Laws, k.Offsets, k.Slides, k.R = zeros(k.Laws, nc), zeros(k.Offsets, nc), zeros(k.Slides, nc), zeros(k.R, nc)
	k.axes = slices.Grow(k.axes[:0], nc)[:nc]
	for i, c := range k.Contacts {
		a := &k.axes[i]
		a[0], a[1], a[2] = s.ContactAxes(t, c, z)
	}
}

// zeros returns n zeros, in the memory of s if it is enough.
func zeros[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

const (
	// cornerSweeps of block relaxation, whose blocks are exact, find what most particles
	// need; the rest is left to the solver of convex problems.
	cornerSweeps = 20
	// cornerRounding is the change of a force, in parts of the forces, that is rounding.
	cornerRounding = 4 * 0x1p-52
)

// Solve returns y, from the reactions in k.R, which it improves. What it returns is made
// of admissible reactions, whether it converged or not: its distance is an upper bound.
func (k *Corner) Solve(g, v [3]float64, rho float64) (y [3]float64) {
	size := 0.0
	for i, force := range g {
		size += math.Abs(force) + rho*math.Abs(v[i])
	}
	for range cornerSweeps {
		change := 0.0
		for i := range k.Laws {
			y = k.displacement(g, v, rho)
			a, r := &k.axes[i], &k.R[i]
			w := &k.Offsets[i]
			p := [3]float64{r[0] - rho*(inner(a[0], y)+w[0]), r[1] - rho*(inner(a[1], y)+w[1]), r[2] - rho*(inner(a[2], y)+w[2])}
			k.Laws[i].Project(&p, nil, &p)
			change = max(change, math.Abs(p[0]-r[0]), math.Abs(p[1]-r[1]), math.Abs(p[2]-r[2]))
			*r = p
		}
		if change <= cornerRounding*size {
			return k.displacement(g, v, rho)
		}
	}
	k.polish(g, v, rho)
	return k.displacement(g, v, rho)
}

// displacement returns v + (Σ H r − g)/ρ.
func (k *Corner) displacement(g, v [3]float64, rho float64) [3]float64 {
	f := k.Force()
	return [3]float64{v[0] + (f[0]-g[0])/rho, v[1] + (f[1]-g[1])/rho, v[2] + (f[2]-g[2])/rho}
}

// Force returns Σ H r, what the obstacles exert [N].
func (k *Corner) Force() (f [3]float64) {
	for i := range k.R {
		r, a := &k.R[i], &k.axes[i]
		f[0] = f[0] + r[0]*a[0][0] + r[1]*a[1][0] + r[2]*a[2][0]
		f[1] = f[1] + r[0]*a[0][1] + r[1]*a[1][1] + r[2]*a[2][1]
		f[2] = f[2] + r[0]*a[0][2] + r[1]*a[1][2] + r[2]*a[2][2]
	}
	return f
}

// polish solves the problem by the solver of convex contact problems, from the reactions at hand.
// If that fails, they stay as they are.
func (k *Corner) polish(g, v [3]float64, rho float64) {
	nc := len(k.Laws)
	for len(k.polished) <= nc {
		k.polished = append(k.polished, nil)
	}
	if k.polished[nc] == nil {
		k.polished[nc] = newPolish(nc)
	}
	x := k.polished[nc]
	p, start := &x.problem, x.start[:0]
	for c := range 3 {
		p.M.Val[c], p.F[c] = rho, rho*v[c]-g[c]
	}
	for i := range k.Laws {
		for c := range 3 {
			at := p.H.Val[9*i+3*c:]
			at[0], at[1], at[2] = k.axes[i][0][c], k.axes[i][1][c], k.axes[i][2][c]
		}
		copy(p.W[3*i:], k.Offsets[i][:])
		p.Laws[i] = &k.Laws[i]
		start = append(start, k.R[i][:]...)
	}
	y := k.displacement(g, v, rho)
	x.start = start
	x.ws.WarmStart(p, y[:], start)
	if contact.SolveConvex(context.Background(), p, 0, nil, &x.ws, &x.res) != nil {
		return
	}
	for i := range k.R {
		copy(k.R[i][:], x.res.R[3*i:3*i+3])
	}
}

// newPolish returns the problem of nc contacts of one particle, without its numbers.
func newPolish(nc int) *polish {
	h := &contact.Jacobian{Dim: 3, Rows: 3, Ptr: []int{0}, Val: make([]float64, 9*nc), Turns: true}
	for range nc {
		h.Row = append(h.Row, 0, 1, 2)
		h.Ptr = append(h.Ptr, len(h.Row))
	}
	m := &sparse.Sym{N: 3, Ptr: []int{0, 1, 2, 3}, Row: []int{0, 1, 2}, Val: make([]float64, 3)}
	return &polish{problem: contact.Global{M: m, H: h, F: make([]float64, 3), W: make([]float64, 3*nc), Laws: make([]contact.Law, nc)}}
}

// Align sets the friction forces that oppose the Slides, and the normal forces that, with them,
// come nearest to DE of the particle. It reports false if nothing slides that has friction along
// its slide. What does not holds what is left, in proportion to what it can: all contacts of a
// particle at rest, some of one beside an obstacle that moves, and those along whose slide friction
// is zero, across it.
func (k *Corner) Align(grad [3]float64) (slides bool) {
	rest, held := grad, 0.0
	for i := range k.R {
		k.R[i] = [3]float64{}
		a, b := k.Slides[i][0], k.Slides[i][1]
		s := k.Laws[i].Shape.Matrix()
		x, y := s[0]*a+s[1]*b, s[2]*a+s[3]*b
		l, threshold := math.Hypot(x, y), k.Laws[i].Threshold
		if l == 0 || threshold == 0 {
			held += threshold
			continue
		}
		slides = true
		x, y = x/l*threshold, y/l*threshold
		k.R[i][1], k.R[i][2] = -(s[0]*x + s[2]*y), -(s[1]*x + s[3]*y)
	}
	f := k.Force()
	for d := range rest {
		rest[d] -= f[d]
	}
	k.press(rest)
	if held != 0 {
		k.spread(grad, held)
	}
	return slides
}

// press sets the normal reactions whose sum comes nearest to a force.
func (k *Corner) press(g [3]float64) {
	k.normals, k.share = k.normals[:0], zeros(k.share, len(k.axes))
	for i := range k.axes {
		k.normals = append(k.normals, k.axes[i][0])
	}
	particles.Decompose(k.share, k.normals, g)
	for i, n := range k.share {
		k.R[i][0] = n
	}
}

// spread gives each contact without friction so far its part of the force g less that of the
// reactions: of those that hold, in proportion to the thresholds, whose sum is held.
func (k *Corner) spread(g [3]float64, held float64) {
	f := k.Force()
	for c := range g {
		g[c] -= f[c]
	}
	for i := range k.Laws {
		if k.R[i][1] != 0 || k.R[i][2] != 0 {
			continue
		}
		part := k.Laws[i].Threshold / held
		k.R[i][1], k.R[i][2] = part*inner(k.axes[i][1], g), part*inner(k.axes[i][2], g)
		k.Laws[i].Project(&k.R[i], nil, &k.R[i])
	}
}

func inner(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
