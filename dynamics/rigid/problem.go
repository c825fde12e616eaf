package rigid

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// problem is the contact problem of a step in the impulses,
//
//	u = W r + b,  W = α HᵀSH,  b = Hᵀ w_free (+ what restitution or gaps add),
//
// with S the inverses of the components.
type problem struct {
	solver
	resistance resistance
	part       []part
	share      []share
	ptr        []int // parts of contact k: part[ptr[k]:ptr[k+1]]
	from       []int // its shares: share[from[k]:from[k+1]]
	h, y       []float64
	drive      []float64     // s₀, see drive; none where no obstacle moves
	on         [][]reference // by components
	mark       []int
	column     []float64
	known      []contact.Law // one for each μ met
	alpha      float64       // of W
	augmented  bool          // V of the free bodies takes the place of W
	freed      freeBodies
	guessR     []float64 // impulses before it was tried
	guessB     []float64 // and b
	mayLeave   float64   // merit of the round before: rounds end where it is not made smaller
	// massGrade is how much smaller a merit is to be than with even masses.
	massGrade float64
	jointR    []float64 // those of the joints, in the rounds of a step
	all       []int     // 0 … n−1 for a list of n contacts, reused
	// Scratch of what V is judged by.
	freedW, freedU, freedF []float64
	partners               []int     // of bodies, see massRatio
	moved                  []float64 // z of the components that projection moves
	exact                  []bool    // which components these are
	anyMoved               bool      // there are such
	islands                islands
	factors                int64       // what the factors of its islands may take [bytes]; 0: what is free
	tied                   forest.Sets // components of the projection
	deep                   []bool      // those whose gaps it opens
	coincident             [][2]int    // touches that were left out of the list, each with the one that stands for it
}

// part is a contact's block of H on one body: n×dim numbers of h from at on, for the velocities of
// the world from v on, of the component from local on.
type part struct{ comp, slot, v, local, n, at int }

// share is S H of a contact in one component: n×dim numbers of y from at on.
type share struct{ comp, n, at int }

type reference struct{ contact, share int }

// load evaluates H, S H and W for the touches in p.list. alpha scales W. It refuses what would need
// more than Options.Memory before it is made.
func (s *assembly) load(alpha float64) error {
	if err := s.loadRows(0); err != nil {
		return err
	}
	s.p.assemble(alpha)
	return nil
}

// loadRows evaluates H and S H of the touches in p.list from the first-th on; those before it have
// theirs.
func (s *assembly) loadRows(first int) error {
	p := &s.p
	p.dim, p.augmented = s.model.Dim, false
	if first == 0 {
		p.part, p.share, p.h, p.y = p.part[:0], p.share[:0], p.h[:0], p.y[:0]
		p.ptr, p.from = append(p.ptr[:0], 0), append(p.from[:0], 0)
		for i := range p.on {
			p.on[i] = p.on[i][:0]
		}
	}
	if err := s.crowded(); err != nil {
		return err
	}
	size := len(p.y)
	for k := first; k < len(p.list); k++ {
		i := p.list[k]
		t := &s.touches[i]
		if x := s.model.StopOf(t); x != nil {
			s.stopRows(x)
		} else if s.jacobian(i, t.A, 1); t.B >= 0 {
			s.jacobian(i, t.B, -1)
		}
		p.ptr = append(p.ptr, len(p.part))
		for _, x := range p.part[p.ptr[k]:] {
			if n := len(p.share); n > p.from[k] && p.share[n-1].comp == x.comp {
				continue
			}
			n := len(s.model.Components[x.comp].Index)
			p.on[x.comp] = append(p.on[x.comp], reference{k, len(p.share)})
			p.share = append(p.share, share{x.comp, n, size})
			size += n * p.dim
		}
		p.from = append(p.from, len(p.share))
	}
	if err := s.affords(size); err != nil {
		return err
	}
	p.y = slices.Grow(p.y, size-len(p.y))[:size]
	s.respond(first)
	s.loadMoments(first)
	return nil
}

// MemoryError is a contact problem that needs more than Options.Memory.
type MemoryError struct {
	Contacts    int
	Need, Limit int64 // [bytes]; Need is 0 where the contacts alone, which are not all found, take more
}

func (e *MemoryError) Error() string {
	if e.Need == 0 {
		return fmt.Sprintf("more than %d contacts at once need more than %.3g MB of memory: bodies that overlap, or a larger limit",
			e.Contacts, float64(e.Limit)/1e6)
	}
	return fmt.Sprintf("%d contacts at once need %.3g MB of memory, more than %.3g MB: bodies that overlap, or a larger limit",
		e.Contacts, float64(e.Need)/1e6, float64(e.Limit)/1e6)
}

// solverCopies is how often the solvers hold what W holds: normalised, by islands, and the factors
// of Newton's method, with fill.
const solverCopies = 6

// blockMemory is what a block of W and its column take [bytes].
func blockMemory(dim int) float64 { return float64(8*dim*dim + 8) }

// affords predicts the memory of a problem with y of the given size: each contact has a block with
// each other one of its components.
func (s *assembly) affords(size int) error {
	p := &s.p
	blocks := 0
	for _, x := range p.share {
		blocks += len(p.on[x.comp])
	}
	need := int64(size)*8 + solverCopies*int64(blocks)*int64(blockMemory(p.dim))
	limit := s.o.Memory
	if limit > 0 && need > limit {
		return &MemoryError{len(p.list), need, limit}
	}
	p.factors = max(0, limit-need/solverCopies*(solverCopies-1))
	return nil
}

// jacobian appends the rows n, t, o of touch i on a body.
func (s *assembly) jacobian(i, body int, sign float64) {
	t, frame := &s.touches[i], &s.marks[i].frame
	p, b, pose := &s.p, &s.model.Bodies[body], &s.poses[body]
	at := len(p.h)
	for range b.N * p.dim {
		p.h = append(p.h, 0)
	}
	lever := vec3.Add(t.At, -1, pose.Centre)
	if len(s.curves) > 0 && s.curves[i].on {
		lever = s.curves[i].arm[0]
		if sign < 0 {
			lever = s.curves[i].arm[1]
		}
	}
	for d := range p.dim {
		m := vec3.Cross(lever, frame[d])
		s.model.Put(p.h[at+d:], p.dim, body, pose, sign, &frame[d], &m)
	}
	p.part = append(p.part, part{s.model.Home[body], b.Slot, b.V, b.Local, b.N, at})
}

// respond sets y to S H of the contacts from the first-th on.
func (s *assembly) respond(first int) {
	p := &s.p
	for k := first; k < len(p.list); k++ {
		parts := p.part[p.ptr[k]:p.ptr[k+1]]
		for _, x := range p.share[p.from[k]:p.from[k+1]] {
			inv := &s.inv[x.comp]
			y := p.y[x.at : x.at+x.n*p.dim]
			if inv.Diagonal() {
				for i := range parts {
					if h := &parts[i]; h.comp == x.comp {
						inv.ScaleTo(y, p.h[h.at:h.at+h.n*p.dim], p.dim)
					}
				}
				continue
			}
			p.column = grow(p.column, x.n)
			for d := range p.dim {
				clear(p.column)
				for i := range parts {
					if h := &parts[i]; h.comp == x.comp {
						for r := range h.n {
							p.column[h.local+r] = p.h[h.at+r*p.dim+d]
						}
					}
				}
				inv.Respond(p.column)
				for i, v := range p.column {
					y[i*p.dim+d] = v
				}
			}
		}
	}
}

// assemble fills W by block rows.
func (p *problem) assemble(alpha float64) {
	nc, dim := len(p.list), p.dim
	w := &p.w
	p.alpha = alpha
	w.D, w.Ptr, w.Col, w.Val = dim, append(w.Ptr[:0], 0), w.Col[:0], w.Val[:0]
	p.mark = grow(p.mark, nc)
	for k := range p.mark {
		p.mark[k] = -1
	}
	for i := range nc {
		first := len(w.Col)
		for _, x := range p.part[p.ptr[i]:p.ptr[i+1]] {
			for _, ref := range p.on[x.comp] {
				j := ref.contact
				if p.mark[j] < first {
					p.mark[j] = len(w.Col)
					w.Col = append(w.Col, j)
					for range dim * dim {
						w.Val = append(w.Val, 0)
					}
				}
				v := w.Val[dim*dim*p.mark[j]:]
				p.product(v, alpha, x.at, p.share[ref.share].at+x.local*dim, x.n)
			}
		}
		w.Ptr = append(w.Ptr, len(w.Col))
	}
	p.b, p.r = grow(p.b, dim*nc), grow(p.r, dim*nc)
}

// product adds α hᵀy of a part and the same velocities of a share to v.
func (p *problem) product(v []float64, alpha float64, a, b, n int) {
	if p.dim == 3 {
		h, y := p.h[a:a+3*n], p.y[b:b+3*n]
		v = v[:9:9]
		for i := 0; i+2 < len(h); i += 3 {
			h0, h1, h2 := alpha*h[i], alpha*h[i+1], alpha*h[i+2]
			y0, y1, y2 := y[i], y[i+1], y[i+2]
			v[0] += h0 * y0
			v[1] += h0 * y1
			v[2] += h0 * y2
			v[3] += h1 * y0
			v[4] += h1 * y1
			v[5] += h1 * y2
			v[6] += h2 * y0
			v[7] += h2 * y1
			v[8] += h2 * y2
		}
		return
	}
	for i := range n {
		h0, h1 := alpha*p.h[a+2*i], alpha*p.h[a+2*i+1]
		y0, y1 := p.y[b+2*i], p.y[b+2*i+1]
		v[0] += h0 * y0
		v[1] += h0 * y1
		v[2] += h1 * y0
		v[3] += h1 * y1
	}
}

// speeds overwrites u by Hᵀ w.
func (s *assembly) speeds(u, w []float64) {
	p := &s.p
	for k := range p.list {
		x := p.addSpeed(vec{}, k, w)
		copy(u[k*p.dim:(k+1)*p.dim], x[:])
	}
}

// addSpeed returns u and Hᵀ w of contact k.
func (p *problem) addSpeed(u vec, k int, w []float64) vec {
	for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
		w, h := w[x.v:x.v+x.n], p.h[x.at:x.at+x.n*p.dim]
		for i, v := range w {
			if p.dim == 3 {
				row := (*[3]float64)(h[3*i:])
				u = vec{u[0] + row[0]*v, u[1] + row[1]*v, u[2] + row[2]*v}
				continue
			}
			u[0] += h[2*i] * v
			u[1] += h[2*i+1] * v
		}
	}
	return u
}

// push adds f S H r to w.
func (s *assembly) push(w []float64, f float64) {
	p := &s.p
	if p.augmented {
		s.pushTree(w, f)
		return
	}
	for k := range p.list {
		r := p.r[k*p.dim : (k+1)*p.dim]
		for _, x := range p.share[p.from[k]:p.from[k+1]] {
			for i, v := range s.model.Components[x.comp].Index {
				sum := 0.0
				for d, rd := range r {
					sum += p.y[x.at+i*p.dim+d] * rd
				}
				w[v] += f * sum
			}
		}
		s.pushMoments(w, k, f)
	}
}

// pushImpulses adds H r to f.
func (s *assembly) pushImpulses(f []float64) {
	p := &s.p
	for k := range p.list {
		r := p.r[k*p.dim : (k+1)*p.dim]
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for i := range x.n {
				sum := 0.0
				for d, rd := range r {
					sum += p.h[x.at+i*p.dim+d] * rd
				}
				f[x.v+i] += sum
			}
		}
		s.addMoments(f, k, false)
	}
}

// pushSizes adds Σ|H r| to f.
func (s *assembly) pushSizes(f []float64) {
	p := &s.p
	for k := range p.list {
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for i := range x.n {
				for d, r := range p.r[k*p.dim : (k+1)*p.dim] {
					f[x.v+i] += math.Abs(p.h[x.at+i*p.dim+d] * r)
				}
			}
		}
		s.addMoments(f, k, true)
	}
}

// lawOf returns the friction law of touch i, with μ at the time of v^α.
func (s *assembly) lawOf(i int) contact.Law {
	if s.brakeOf(&s.touches[i]) != nil {
		return s.brakeLaw(i)
	}
	if x := s.model.MaterialOf(&s.touches[i]); x.Varies() {
		return s.newLaw(s.mu(i))
	}
	return s.law(s.model.MaterialOf(&s.touches[i]).Mu)
}

// mu is μ of touch i at the time of v^α; that of a place is the mean over the way that the velocity
// at the beginning of the step takes the contact in it: at one place of the way slats that pass as
// fast as steps would not be seen. Where it depends on the slip it is that of the last solve.
func (s *assembly) mu(i int) float64 {
	t := &s.touches[i]
	if s.slip.on && s.slipLaw(i) != nil {
		return s.marks[i].mu
	}
	if f := s.model.MaterialOf(t).Field; f != nil && s.frictionSpan > 0 {
		w := s.model.World
		core := vec3.Add(t.At, w.Roundness(t.A), t.N)
		return w.MeanCoefficient(f, t.Floor, s.t, s.frictionSpan, t.At, s.pointSpeed(t.A, core, s.v))
	}
	return s.model.Friction(t, s.frictionTime, [2]float64{})
}

// spanFriction takes μ of a step of h: of functions of time at its share alpha, of places over all of
// it. That of none is of now.
func (s *assembly) spanFriction(h, alpha float64) { s.frictionTime, s.frictionSpan = s.t+alpha*h, h }

// law returns a friction law, the same value for the same μ. The polygon of (2.7) has its corners
// on the circle of radius μ; a [contact.Pyramid] has its edges at the distance Mu. In the plane
// there is one cone.
func (s *assembly) law(mu float64) contact.Law {
	scaled := mu * s.edge()
	for _, known := range s.p.known {
		if lawMu(known) == scaled {
			return known
		}
	}
	l := s.newLaw(mu)
	s.p.known = append(s.p.known, l)
	return l
}

// edge is the distance of the edges of the cones, of those of the circle of radius one.
func (s *assembly) edge() float64 {
	if s.o.Friction == Polyhedron && s.model.Dim == 3 {
		return math.Cos(math.Pi / float64(s.o.Facets))
	}
	return 1
}

// newLaw makes one.
func (s *assembly) newLaw(mu float64) contact.Law {
	if mu *= s.edge(); s.o.Friction == Polyhedron {
		return contact.Pyramid{Mu: mu, Facets: s.o.Facets}
	}
	return contact.Coulomb{Mu: mu}
}

// assembly makes the contact problem of a step: its rows, W, the laws and the right-hand side.
type assembly struct {
	*motion
	*contactSet
	*drives
	*mechanics
	*curvature

	p            problem
	frictionTime float64 // at which μ is taken [s] …
	frictionSpan float64 // … or over this time from the beginning of the step on, of places [s]
	uMean        []float64
	slip         slipFriction
	bearings     bearings
	omega        []float64 // scratch, of moments
}

// pushTree is push by the trees of the components.
func (s *assembly) pushTree(w []float64, f float64) {
	p := &s.p
	p.freedF = grow(p.freedF, len(s.v))
	clear(p.freedF)
	s.pushImpulses(p.freedF)
	for _, c := range p.freed.comps {
		index := s.model.Components[c].Index
		p.column = grow(p.column, len(index))
		for i, v := range index {
			p.column[i] = p.freedF[v]
		}
		s.inv[c].Respond(p.column)
		for i, v := range index {
			w[v] += f * p.column[i]
		}
	}
}

// ownBlock sets w to the block of HᵀSH of a contact with itself, row by row.
func (s *assembly) ownBlock(w *[9]float64, k int) {
	p, dim := &s.p, s.p.dim
	*w = [9]float64{}
	parts := p.part[p.ptr[k]:p.ptr[k+1]]
	for i := range parts {
		x := &parts[i]
		twice := len(parts) == 2 && parts[0].comp == parts[1].comp
		if inv := &s.inv[x.comp]; inv.ByTree && !twice {
			p.addOwn(w, x, inv.Tree.Corner(x.slot))
			continue
		}
		for d := range dim {
			p.column = grow(p.column, s.inv[x.comp].N)
			clear(p.column)
			for _, y := range parts {
				for r := 0; r < y.n && y.comp == x.comp; r++ {
					p.column[y.local+r] = p.h[y.at+r*dim+d]
				}
			}
			s.inv[x.comp].Respond(p.column)
			for r := range x.n {
				for e := range dim {
					w[dim*e+d] += p.h[x.at+r*dim+e] * p.column[x.local+r]
				}
			}
		}
	}
}

// kickSpeed is the speed that the forces of the step give a body.
func (s *assembly) kickSpeed(p *multibody.Place) (most float64) {
	for k := range p.N {
		most = max(most, math.Abs(s.kick[p.V+k])/s.model.Inertia(p, k)*p.Lever(k, s.model.Dim))
	}
	return most
}
