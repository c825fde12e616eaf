package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// problem is the contact problem of a step in the impulses,
//
//	u = W r + b,  W = α HᵀSH,  b = Hᵀ w_free (+ what restitution or gaps add),
//
// with S the inverses of the components.
type problem struct {
	dim    int
	list   []int // touches that take part
	part   []part
	ptr    []int // parts of contact k: part[ptr[k]:ptr[k+1]]
	h, y   []float64
	on     [][]reference // by components
	mark   []int
	column []float64
	w      contact.Blocks
	b, r   []float64
	laws   []contact.Law
	known  []contact.Law // one for each μ met
	unit   float64
	local  contact.Local
	ws     contact.LocalWorkspace
	res    contact.Result
	opt    contact.Options
	one    struct {
		w       [9]float64
		b, r, u [3]float64
		x       [3]float64 // u for the check, which overwrites it
	}
}

// part is the share of one component in a contact: n×dim numbers of H and of
// S H from at on.
type part struct{ comp, at, n int }

type reference struct{ contact, part int }

// load evaluates H, S H and W for the touches in p.list. alpha scales W.
func (s *Stepper) load(alpha float64) {
	p := &s.p
	p.dim = s.model.dim
	p.part, p.ptr, p.h = p.part[:0], append(p.ptr[:0], 0), p.h[:0]
	for i := range p.on {
		p.on[i] = p.on[i][:0]
	}
	for k, i := range p.list {
		t := &s.touches[i]
		a := s.share(t.A)
		b := a
		if t.B >= 0 && s.model.home[t.B] != s.model.home[t.A] {
			b = s.share(t.B)
		}
		s.jacobian(i, a, b)
		for j := p.ptr[k]; j < len(p.part); j++ {
			c := p.part[j].comp
			p.on[c] = append(p.on[c], reference{k, j})
		}
		p.ptr = append(p.ptr, len(p.part))
	}
	s.respond()
	p.assemble(alpha)
}

// share appends a zero part for the component of a body.
func (s *Stepper) share(body int) int {
	p := &s.p
	c := s.model.home[body]
	n := len(s.model.comps[c].index)
	p.part = append(p.part, part{c, len(p.h), n})
	for range n * p.dim {
		p.h = append(p.h, 0)
	}
	return len(p.part) - 1
}

// jacobian writes the rows n, t, o of touch i into the parts a and b.
func (s *Stepper) jacobian(i, a, b int) {
	t, frame := &s.touches[i], &s.marks[i].frame
	p := &s.p
	write := func(at, body int, sign float64) {
		pose := &s.poses[body]
		lever := add(t.At, -1, pose.Centre)
		for d := range p.dim {
			m := cross(lever, frame[d])
			s.model.put(p.h[at+s.model.body[body].local*p.dim+d:], p.dim, body, pose, sign, &frame[d], &m)
		}
	}
	write(p.part[a].at, t.A, 1)
	if t.B >= 0 {
		write(p.part[b].at, t.B, -1)
	}
}

// respond sets y to S H.
func (s *Stepper) respond() {
	p := &s.p
	p.y = grow(p.y, len(p.h))
	for _, x := range p.part {
		inv := &s.inv[x.comp]
		h, y := p.h[x.at:x.at+x.n*p.dim], p.y[x.at:x.at+x.n*p.dim]
		if inv.m == 0 && len(inv.diag) > 0 {
			for i, d := range inv.diag {
				for k := i * p.dim; k < (i+1)*p.dim; k++ {
					y[k] = h[k] / d
				}
			}
			continue
		}
		p.column = grow(p.column, x.n)
		for d := range p.dim {
			for i := range x.n {
				p.column[i] = h[i*p.dim+d]
			}
			inv.solve(p.column)
			inv.hold(p.column, nil)
			for i, v := range p.column {
				y[i*p.dim+d] = v
			}
		}
	}
}

// assemble fills W by block rows.
func (p *problem) assemble(alpha float64) {
	nc, dim := len(p.list), p.dim
	w := &p.w
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
				p.product(v, alpha, x.at, p.part[ref.part].at, x.n)
			}
		}
		w.Ptr = append(w.Ptr, len(w.Col))
	}
	p.b, p.r = grow(p.b, dim*nc), grow(p.r, dim*nc)
}

// product adds α hᵀy of two parts of one component to v.
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
func (s *Stepper) speeds(u, w []float64) {
	p := &s.p
	clear(u)
	for k := range p.list {
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for i, v := range s.model.comps[x.comp].index {
				for d := range p.dim {
					u[k*p.dim+d] += p.h[x.at+i*p.dim+d] * w[v]
				}
			}
		}
	}
}

// push adds f times S H r, or H r with the second argument p.h, to w.
func (s *Stepper) push(w, y []float64, f float64) {
	p := &s.p
	for k := range p.list {
		r := p.r[k*p.dim : (k+1)*p.dim]
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for i, v := range s.model.comps[x.comp].index {
				sum := 0.0
				for d, rd := range r {
					sum += y[x.at+i*p.dim+d] * rd
				}
				w[v] += f * sum
			}
		}
	}
}

// law returns a friction law, the same value for the same μ. The polygon of
// (2.7) has its corners on the circle of radius μ; a [contact.Pyramid] has its
// edges at the distance Mu. In the plane there is one cone.
func (s *Stepper) law(mu float64) contact.Law {
	if s.o.Friction == Polyhedron && s.model.dim == 3 {
		mu *= math.Cos(math.Pi / float64(s.o.Facets))
	}
	for _, l := range s.p.known {
		if lawMu(l) == mu {
			return l
		}
	}
	var l contact.Law = contact.Coulomb{Mu: mu}
	if s.o.Friction == Polyhedron {
		l = contact.Pyramid{Mu: mu, Facets: s.o.Facets}
	}
	s.p.known = append(s.p.known, l)
	return l
}

// solve finds the impulses p.r; on entry they are a guess.
func (s *Stepper) solve(ctx context.Context) error {
	p := &s.p
	nc := len(p.list)
	if nc == 0 {
		return nil
	}
	s.step.Solves++
	if nc == 1 && (s.o.Friction == ExactCone || p.dim == 2) && s.closed() {
		return nil
	}
	p.normalise()
	p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws[:nc]}
	p.ws.WarmStart(p.r)
	p.opt.Tolerance = s.o.Tolerance
	err := s.attempt(ctx)
	s.step.Iterations += p.res.Iterations
	s.step.Residual = max(s.step.Residual, p.res.Merit)
	for i := range p.r {
		p.r[i] = p.res.R[i] / p.unit
	}
	if err != nil && ctx.Err() == nil && p.res.Merit <= s.o.Accept {
		s.step.Stalled++
		return nil
	}
	if err != nil {
		return s.unsolved(err)
	}
	return nil
}

// attempt runs the solvers in turn.
func (s *Stepper) attempt(ctx context.Context) error {
	p := &s.p
	if s.o.Friction == Polyhedron {
		p.opt.Method = contact.MethodLemke
		err := contact.SolveLocal(ctx, &p.local, &p.opt, &p.ws, &p.res)
		p.opt.Method = contact.MethodAuto
		if err == nil || ctx.Err() != nil {
			return err
		}
		p.ws.WarmStart(p.r)
	}
	p.opt.MaxIterations = firstIterations
	err := contact.SolveLocal(ctx, &p.local, &p.opt, &p.ws, &p.res)
	p.opt.MaxIterations = 0
	if err == nil || ctx.Err() != nil || p.res.Merit <= s.o.Accept {
		return err
	}
	p.ws.Forget()
	p.opt.Tolerance = s.o.Accept
	return contact.SolveLocal(ctx, &p.local, &p.opt, &p.ws, &p.res)
}

// firstIterations bounds the first attempt: warm starts need a few, and what
// needs more is hard for reasons that a looser goal cures sooner.
const firstIterations = 2000

// normalise divides W by its mean diagonal, so that impulses and speeds are
// numbers of one size.
func (p *problem) normalise() {
	dim, trace := p.dim, 0.0
	for i := range p.list {
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			if p.w.Col[k] != i {
				continue
			}
			for d := range dim {
				trace += p.w.Val[k*dim*dim+d*dim+d]
			}
		}
	}
	p.unit = trace / float64(dim*len(p.list))
	if !(p.unit > 0) {
		p.unit = 1
	}
	for k := range p.w.Val {
		p.w.Val[k] /= p.unit
	}
	for k := range p.r {
		p.r[k] *= p.unit
	}
}

// closed solves for a single contact in closed form and reports whether the
// check passes.
func (s *Stepper) closed() bool {
	p := &s.p
	o, dim := &p.one, p.dim
	o.w, o.b = [9]float64{}, [3]float64{}
	trace := 0.0
	for i := range dim {
		o.b[i] = p.b[i]
		for j := range dim {
			o.w[3*i+j] = p.w.Val[dim*i+j]
		}
		trace += p.w.Val[dim*i+i]
	}
	if !(trace > 0) {
		return false
	}
	mu := 0.0
	switch l := p.laws[0].(type) {
	case contact.Coulomb:
		mu = l.Mu
	case contact.Pyramid:
		mu = l.Mu
	}
	contact.SolveOne(&o.r, dim, &o.w, &o.b, mu)
	size := 0.0
	for i := range dim {
		o.u[i] = o.b[i]
		for j := range dim {
			o.u[i] += o.w[3*i+j] * o.r[j]
		}
		size = max(size, o.r[i], -o.r[i])
	}
	rho := float64(dim) / trace
	for _, b := range o.b {
		size = max(size, rho*b, -rho*b)
	}
	if size == 0 {
		size = 1
	}
	o.x = o.u
	residual := contact.NaturalResidual(p.laws[0], &o.r, &o.x, rho) / size
	if !(residual <= s.o.Tolerance) {
		return false
	}
	s.step.Residual = max(s.step.Residual, residual)
	copy(p.r, o.r[:dim])
	return true
}
