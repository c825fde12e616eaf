package elastic

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
)

var _ dynamics.Variable = (*Stepper)(nil)

// implicit is what an implicit step of one length needs: the factors of K̃.
type implicit struct {
	trapezoid *trapezoid
	picard    *picard
}

// stepLengths bounds the steps whose factors are kept: the two that step doubling uses at
// a time, and the one that comes before or after.
const stepLengths = 3

// use makes dt the step: with the factors that are at hand, or with new ones in place of
// those that were not used for longest.
func (s *Stepper) use(ctx context.Context, dt float64) error {
	at := slices.IndexFunc(s.implicit, func(i *implicit) bool { return i.trapezoid.dt == dt })
	if at < 0 {
		if len(s.implicit) == stepLengths {
			s.implicit = s.implicit[:stepLengths-1]
		}
		var taken memory.Estimate
		for _, i := range s.implicit {
			taken.Join(i.trapezoid.need)
		}
		i, err := await(ctx, func() (*implicit, error) { return newImplicit(ctx, s.a, dt, s.opt, s.obstacle, taken) })
		if err != nil {
			return err
		}
		s.implicit = append(s.implicit, i)
		at = len(s.implicit) - 1
	}
	i := s.implicit[at]
	copy(s.implicit[1:at+1], s.implicit[:at])
	s.implicit[0] = i
	s.trapezoid, s.picard, s.opt.Step = i.trapezoid, i.picard, dt
	return nil
}

func newImplicit(ctx context.Context, a *assembly, dt float64, o Options, q *obstacle, taken memory.Estimate) (i *implicit, err error) {
	i = new(implicit)
	if i.trapezoid, err = newTrapezoid(ctx, a, dt, o.Limit, taken); err != nil {
		return nil, err
	}
	if o.Method == Picard {
		i.picard, err = newPicard(ctx, a, i.trapezoid, q)
	}
	return i, err
}

// slot is a state kept by [Stepper.Keep].
type slot struct {
	c     Checkpoint
	stats Stats
	dt    float64
}

// Advance makes one step of h that ends at t, for [dynamics.Adaptive]. The contact problem
// starts from the last reactions. It fails for central differences: their step is bounded
// by stability, see [Certificate.StableStep], and their energy is that of equal steps.
func (s *Stepper) Advance(ctx context.Context, h, t float64) error {
	if s.central != nil {
		return invalidOption("scheme", "central differences make equal steps")
	}
	if err := s.use(ctx, h); err != nil {
		return err
	}
	start := contact.CondensedState{R: s.now.R}
	if err := s.trapezoid.solver.Load(ctx, &start); err != nil {
		return err
	}
	if s.picard != nil {
		if err := s.picard.solver.Load(ctx, &start); err != nil {
			return err
		}
	}
	return s.stepTo(ctx, t)
}

// Probe implements [dynamics.Probed].
func (s *Stepper) Probe(ctx context.Context, tau, t float64) error {
	s.now.T = t - tau
	return s.Advance(ctx, tau, t)
}

// Keep implements [dynamics.Variable].
func (s *Stepper) Keep(at int) {
	s.Save(&s.slots[at].c)
	s.slots[at].stats, s.slots[at].dt = s.stats, s.opt.Step
}

// Return implements [dynamics.Variable].
func (s *Stepper) Return(at int) error {
	s.restore(&s.slots[at].c)
	s.stats = s.slots[at].stats
	if s.central != nil || s.slots[at].dt == s.opt.Step {
		return nil
	}
	return s.use(context.Background(), s.slots[at].dt)
}

// parts are the connected parts of the mesh, with the lumped mass of each dof.
type parts struct {
	of    []int // of each node
	mass  []float64
	whole []float64 // Σ mass of a part, of all components
}

func (s *Stepper) findParts() *parts {
	if s.parts != nil {
		return s.parts
	}
	m := s.a.model
	p := &parts{mass: make([]float64, len(s.now.U))}
	var count int
	p.of, count = m.Mesh.Parts()
	p.whole = make([]float64, count)
	lumped, err := m.standardMass(fem.Lumped)
	if err != nil {
		panic("elastic: Distances: " + err.Error()) // New has assembled a mass before
	}
	for i := range p.mass {
		p.mass[i] = lumped.Val[lumped.Ptr[i]]
		p.whole[p.of[i/s.a.dim]] += p.mass[i] / float64(s.a.dim)
	}
	s.parts = p
	return p
}

// Distances implements [dynamics.Variable]: the parts are those of the mesh, the distance
// is the mean of the displacements, root of squares, weighted with the mass.
func (s *Stepper) Distances(dst []float64, at int) []float64 {
	p := s.findParts()
	from := s.origin
	if at >= 0 {
		from = s.slots[at].c.Now.U
	}
	s.moved(from)
	return s.apart(p.norms(dst, s.work, s.a.dim), from, at)
}

// norms stores √(Σ m_i x_i² / Σ m_i) of each part.
func (p *parts) norms(dst, x []float64, dim int) []float64 {
	dst = dst[:0]
	for range p.whole {
		dst = append(dst, 0)
	}
	for i, v := range x {
		dst[p.of[i/dim]] += p.mass[i] * v * v
	}
	for k, mass := range p.whole {
		dst[k] = math.Sqrt(dst[k] / mass)
	}
	return dst
}

// Residual implements [dynamics.Variable].
func (s *Stepper) Residual() float64 { return s.residual }

// Reach implements [dynamics.Variable]: ½T²L/m.
func (s *Stepper) Reach(dst []float64, time float64) []float64 {
	p := s.findParts()
	s.a.load(s.work, s.now.T)
	for i := range s.work {
		s.work[i] *= 0.5 * time * time / p.mass[i]
	}
	return p.norms(dst, s.work, s.a.dim)
}
