package sensitivity

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	// edgeNone is the part of the largest force of the problem within which a contact is at an
	// edge between states: the merit to which problems are solved.
	edgeNone = 1e-8
	// edgeJump is how much of B changes there at least: a direction that was free is held, 1 in the
	// norm of Frobenius. Within a state it changes by edgeNone.
	edgeJump = 0.5
	// firstBound is the part of the size of friction by which a coefficient of zero is tried.
	firstBound = 1e-8
)

// Linearise linearises the solution r of p. It costs (dim·nc)³ operations.
func Linearise(p *form.Local, r []float64) (*Sensitivity, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(r) != len(p.Q) {
		return nil, fmt.Errorf("contact: %d reactions, want %d", len(r), len(p.Q))
	}
	s := &Sensitivity{given: p, dim: p.W.Dim(), w: form.SampleOperator(p.W), r: slices.Clone(r), u: make([]float64, len(r))}
	var springs bool
	if s.p, springs = p.WithoutSprings(); springs {
		s.spring = make([]float64, len(r))
		for j, law := range p.Laws {
			if l, ok := form.CompliantOf(law); ok {
				c, _ := l.Spring()
				copy(s.spring[s.dim*j:s.dim*j+s.dim], c[:])
			}
		}
	}
	s.p.ExactMotion(s.u, r, nil)
	if err := s.mobilities(); err != nil {
		return nil, err
	}
	n, dim := len(r), s.dim
	s.e, s.b, s.mu, s.State = make([]float64, n*dim), make([]float64, n*dim), make([]float64, n), make([]State, len(p.Laws))
	for j := range p.Laws {
		s.linearise(j)
	}
	return s, s.factor()
}

// linearise sets E, B and ∂F/∂μ of contact j, its state, and whether that is at an edge.
func (s *Sensitivity) linearise(j int) {
	dim := s.dim
	at, to := dim*j, dim*(j+1)
	e, b, mu := s.e[dim*at:dim*to], s.b[dim*at:dim*to], s.mu[at:to]
	r, u := s.r[at:to], s.u[at:to]
	s.equations(j, s.p.Laws[j], nil, e, b, r, u)
	s.State[j] = stateOf(b, dim)
	if s.edge(j, b, r, u) {
		s.Edges = append(s.Edges, j)
	}
	friction, ok := frictionOf(s.given.Laws[j])
	tangents := min(dim, 3)
	switch limit := friction.limit(r[0]); {
	case !ok:
	case limit > 0: // by r = diag(1, λ) r', u = diag(1, 1/λ) u', which obey the law of λ = 1
		slope := friction.slope(r[0]) / limit
		for i := range dim {
			for c := 1; c < tangents; c++ {
				mu[i] += slope * (e[i*dim+c]*u[c] - b[i*dim+c]*r[c])
			}
		}
	case dim <= 3:
		h := firstBound
		if friction.form.Set == form.KindTresca {
			h *= max(math.Abs(r[0]), 1)
		}
		before, after := make([]float64, dim), make([]float64, dim)
		s.equations(j, s.p.Laws[j], before, nil, nil, r, u)
		s.equations(j, friction.with(h), after, nil, nil, r, u)
		for i := range mu {
			mu[i] = (after[i] - before[i]) / h
		}
	default: // the disc of the tangents is nothing but its direction
		size := math.Hypot(u[1], u[2])
		for c := 1; c < 3 && size > 0; c++ {
			mu[c] = friction.slope(r[0]) * u[c] / size * s.unit(at+c)
		}
	}
}

// unit is the factor from forces to the rows of F.
func (s *Sensitivity) unit(i int) float64 {
	if s.moments == nil {
		return 1
	}
	return 1 / s.moments.Scale[i]
}

// equations sets F of contact j under a law at (r, u), and its derivatives, where they are not nil.
func (s *Sensitivity) equations(j int, l law.Law, f, e, b, r, u []float64) {
	if s.moments != nil {
		s.withMoments(j, e, b, r, u)
		return
	}
	dim, rho := s.dim, s.rho[s.dim*j]
	var rj, uj, p, foot, grad vec3
	var d mat3
	copy(rj[:], r)
	copy(uj[:], u)
	g := l.Correction(&uj)
	if power := rj[1]*uj[1] + rj[2]*uj[2]; power != 0 { // ∇g is along r_T, of degree 0
		grad = vec3{0, g * rj[1] / power, g * rj[2] / power}
	}
	p = vec3{rj[0] - rho*(uj[0]+g), rj[1] - rho*uj[1], rj[2] - rho*uj[2]}
	l.Project(&foot, &d, &p)
	for i := range dim {
		if f != nil {
			f[i] = rj[i] - foot[i]
		}
		if e == nil {
			continue
		}
		for k := range dim {
			e[i*dim+k] = rho * (d[3*i+k] + d[3*i]*grad[k])
			b[i*dim+k] = -d[3*i+k]
		}
		b[i*dim+i]++
	}
}

// withMoments is equations for a contact with moments, whose rows are in scaled units.
func (s *Sensitivity) withMoments(j int, e, b, r, u []float64) {
	m, dim := s.moments, s.dim
	f, x, y := make([]float64, dim), make([]float64, dim), make([]float64, dim)
	for c, scale := range m.Scale[dim*j : dim*(j+1)] {
		x[c], y[c] = r[c]/(scale*m.Q0), u[c]*scale/m.Q0
	}
	m.Equations(j, f, x, y, e, b)
	for i := range dim {
		for c, scale := range m.Scale[dim*j : dim*(j+1)] {
			e[i*dim+c] *= scale
			b[i*dim+c] /= scale
		}
	}
}

// stateOf tells the state by B: of an open contact it is all of r, of one that sticks none.
func stateOf(b []float64, dim int) State {
	held, free := 0, 0
	for i := range dim {
		switch d := math.Abs(b[i*(dim+1)]); {
		case d == 0:
			held++
		case i > 0 || d > 0:
			free++
		}
	}
	switch {
	case free == 0, held >= dim-1 && b[0] != 0:
		return StateStick
	case held == 0 && diagonal(b, dim):
		return StateOpen
	}
	return StateSlip
}

func diagonal(b []float64, dim int) bool {
	for i, x := range b {
		if i/dim != i%dim && x != 0 {
			return false
		}
	}
	return b[0] != 0
}

// edge reports whether B jumps within edgeNone of r.
func (s *Sensitivity) edge(j int, b, r, u []float64) bool {
	dim, size := s.dim, 0.0
	for i, rho := range s.rho { // forces in units in which all are comparable
		root := math.Sqrt(rho)
		size = max(size, math.Abs(s.r[i])/root, root*math.Abs(s.u[i]), root*math.Abs(s.p.Q[i]))
	}
	e, near, moved := make([]float64, dim*dim), make([]float64, dim*dim), make([]float64, dim)
	for k := range 2 * dim {
		copy(moved, r)
		step := edgeNone * size * math.Sqrt(s.rho[dim*j+k/2])
		moved[k/2] += step * float64(1-2*(k%2))
		s.equations(j, s.p.Laws[j], nil, e, near, moved, u)
		for i := range near {
			near[i] = (near[i] - b[i]) / s.unit(dim*j+i%dim)
		}
		if num.Norm(near) > edgeJump {
			return true
		}
	}
	return false
}
