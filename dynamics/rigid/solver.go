package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// solver is a contact problem, u = W r + b, and the memory to solve it. Those of islands are solved
// by several at once, which share nothing.
type solver struct {
	dim  int
	list []int // touches that take part
	w    contact.Blocks
	b, r []float64
	laws []contact.Law
	criterion
	scale     []float64 // of the contacts in the normalised problem
	size      float64   // of b before
	active    activeSet
	space     inexactSpace
	lifted    lifted
	wide      wide
	augmented bool      // w is that of the free bodies, with the joints after the contacts
	start     []float64 // of the next method
	local     contact.Local
	ws        contact.LocalWorkspace
	res       contact.Result
	opt       contact.Options
	one       struct {
		w       [9]float64
		b, r, u [3]float64
		x       [3]float64 // u for the check, which overwrites it
	}
	outcome
}

// outcome is what a solve costs and leaves.
type outcome struct {
	iterations int
	stalled    bool
	residual   float64
	inexact    Inexact // what the impulses leave, if they are within limits
	err        error
}

// solve sets r, on entry a guess, to the impulses of coupled contacts. Where a step may be cut,
// what no method solves soon is an error.
func (p *solver) solve(ctx context.Context, o *Options, mayCut bool) {
	p.outcome = outcome{}
	if p.wide.on {
		p.solveWide(ctx, o)
		return
	}
	nc := len(p.list)
	if nc == 1 && !p.augmented && (o.Friction == ExactCone || p.dim == 2) && !math.IsNaN(lawMu(p.laws[0])) && p.closed(o.Tolerance) {
		return
	}
	p.normalise()
	p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws[:p.w.Contacts()]}
	p.opt.Tolerance = p.aim(o)
	var err error
	switch {
	case p.speed > 0:
		err = p.solveInexact(ctx, o, mayCut)
	case p.lifted.ratio > 0:
		err = p.solveLifted(ctx, o, mayCut)
	default:
		err = p.attempt(ctx, o, mayCut)
	}
	if len(p.res.R) != len(p.r) { // no numbers to solve with
		p.err = err
		return
	}
	if p.inexact.Solves == 0 || err != nil {
		p.stalled, p.err = p.counts(o, err, ctx.Err() != nil)
		p.intoCones(p.res.R)
	}
	p.restore(p.res.R)
}

// attempt runs the solvers in turn.
func (p *solver) attempt(ctx context.Context, o *Options, mayCut bool) (err error) {
	if o.Friction == Polyhedron {
		if err = p.try(ctx, contact.MethodLemke, 0, p.r); err == nil || ctx.Err() != nil {
			return err
		}
	}
	p.space.merit = math.Inf(1)
	start, accept := p.r, max(p.loosest(o), p.opt.Tolerance)
	stages := p.stages()
	stages = stages[:min(len(stages), p.tries(mayCut))]
	short := mayCut && !p.rough && len(p.list) >= hugeIsland
	for _, x := range stages {
		if x.loose {
			p.opt.Tolerance = accept
		}
		from := start
		if x.fresh {
			from = nil
		}
		if err = p.tryStage(ctx, &x, from); err == nil || ctx.Err() != nil || p.res.Merit <= accept || beyondMemory(err) {
			return err
		}
		if p.space.on && len(p.res.R) == len(p.r) && p.correct() <= 1 {
			return nil
		}
		if p.keepNearest(); p.early && p.fallBack(ctx, earlyShare) {
			return nil
		}
		if x.keep && len(p.res.R) == len(p.r) {
			p.start = append(p.start[:0], p.res.R...)
			start = p.start
		}
	}
	if short || p.space.on { // there is another goal left
		return err
	}
	p.opt.Tolerance = accept
	if p.fallback {
		return p.tryFallback(ctx, mayCut)
	}
	return p.tryLast(ctx, mayCut)
}

// tryStage runs the method of a stage from a start, with the creep of the stage.
func (p *solver) tryStage(ctx context.Context, x *stage, start []float64) error {
	creep, tol := p.space.creep, p.opt.Tolerance
	if x.creep > 0 {
		p.space.creep = max(creep, min(x.creep*creep, p.limits().merit)) // more is beyond that merit
	}
	if x.aim > 0 && p.space.on {
		p.opt.Tolerance = max(tol, min(x.aim*tol, inexactAim*p.limits().merit))
	}
	err := p.try(ctx, x.method, x.limit, start)
	p.space.creep, p.opt.Tolerance = creep, tol
	return err
}

// tries is the number of stages that are tried at most.
func (p *solver) tries(mayCut bool) int {
	n := len(p.list)
	switch {
	case !mayCut || p.rough || p.augmented:
	case n >= hugeIsland:
		return cutHuge
	case p.redundant() && (n < largeIsland || n >= largeFaces):
		return cutFaces
	case p.redundant():
		return cutFacesLarge
	}
	return math.MaxInt
}

// tryLast is contact's own plan from the beginning.
func (p *solver) tryLast(ctx context.Context, mayCut bool) error {
	return p.try(ctx, contact.MethodAuto, p.planLimit(mayCut), nil)
}

// planLimit bounds the iterations of the plan after the stages; 0: they are what it takes.
func (p *solver) planLimit(mayCut bool) int {
	n := len(p.list)
	switch {
	case !mayCut:
		return 0
	case p.augmented:
		return cutLarge
	case p.redundant() && n < largeFaces, n < largeIsland:
		return cutIterations
	case p.redundant():
		return cutPlan
	}
	return cutLarge
}

// try runs a method from a start, nil for zero; the last one searches for a proof that there is no
// solution.
func (p *solver) try(ctx context.Context, m contact.Method, limit int, start []float64) error {
	p.opt.Method, p.opt.MaxIterations, p.opt.NoCertificate, p.opt.Enough = m, limit, limit > 0, p.stopWhen()
	p.ws.Forget()
	if start != nil {
		p.ws.WarmStart(start)
	}
	p.regularise(p.space.creep)
	err := contact.SolveLocal(ctx, &p.local, &p.opt, &p.ws, &p.res)
	p.iterations += p.res.Iterations
	p.regularEnd()
	return err
}

// stage is a method that is tried.
type stage struct {
	method contact.Method
	limit  int     // iterations
	keep   bool    // the next ones start from its result
	fresh  bool    // it starts from zero
	loose  bool    // it and the next ones aim at Options.Accept
	creep  float64 // times this friction creeps more than otherwise, see limits; 0: as otherwise
	aim    float64 // times this is the merit that ends an inexact solve larger than otherwise; 0: as otherwise
}

// stages are what is tried before contact's own plan from the beginning, to the looser goal. Warm
// starts need a few iterations, and what needs more is hard for reasons that a looser goal, and
// sharpen after it, cures sooner: therefore the limits. Faces have redundant impulses, on which
// Newton's method alone stalls; where solves are inexact sweeps after each of its steps keep the
// bounds of criterion.go. What was measured for each list is in docs/lab/rigid-mechanisms.md.
func (p *solver) stages() []stage {
	n := len(p.list)
	switch {
	case n < fewContacts && p.points && !p.faces:
		return fewPoints[:]
	case n < fewContacts:
		return fewStages[:]
	case p.augmented && p.redundant():
		return jointedFaces[:]
	case p.augmented:
		return jointsFirst[:]
	case n >= hugeIsland && !p.augmented:
		return hugeStages[:]
	case p.redundant() && n < largeIsland:
		return facesFirst[:]
	case p.redundant():
		return facesLarge[:]
	case p.faces:
		return sweepsFirst[:]
	case p.speed > 0 && n < largeIsland:
		return inexactInterior[:]
	case p.speed > 0:
		return inexactFirst[:]
	case n < largeIsland:
		return newtonInterior[:]
	}
	return newtonFirst[:]
}

var (
	fewStages   = [...]stage{{method: contact.MethodWarm, limit: 20}, {method: contact.MethodAuto, limit: 100}}
	fewPoints   = [...]stage{{method: contact.MethodNewton, limit: 20}, {method: contact.MethodAuto, limit: 100}}
	sweepsFirst = [...]stage{{method: contact.MethodAuto, limit: 100},
		{method: contact.MethodInterior, limit: 80, keep: true}, {method: contact.MethodProximal, limit: 200}}
	facesFirst = [...]stage{{method: contact.MethodWarm, limit: 60, keep: true},
		{method: contact.MethodInterior, limit: 80, fresh: true, loose: true},
		{method: contact.MethodNewton, limit: 100}, {method: contact.MethodCone, limit: 300}}
	facesLarge = [...]stage{{method: contact.MethodWarm, limit: 60, keep: true},
		{method: contact.MethodNewton, limit: 100, fresh: true, loose: true},
		{method: contact.MethodInterior, limit: 80, fresh: true}, {method: contact.MethodCone, limit: 300}}
	jointsFirst = [...]stage{{method: contact.MethodWarm, limit: 60},
		{method: contact.MethodInterior, limit: 80, keep: true, fresh: true}, {method: contact.MethodAuto, limit: 100},
		{method: contact.MethodProximal, limit: 200}}
	jointedFaces = [...]stage{{method: contact.MethodWarm, limit: 60, keep: true},
		{method: contact.MethodNewton, limit: 100, loose: true},
		{method: contact.MethodNewton, limit: 100, fresh: true}, {method: contact.MethodPath, limit: 400}}
	newtonFirst = [...]stage{{method: contact.MethodWarm, limit: 2000},
		{method: contact.MethodInterior, limit: 80, keep: true, fresh: true}, {method: contact.MethodPath, limit: 400}}
	inexactFirst = [...]stage{{method: contact.MethodSwept, limit: 40},
		{method: contact.MethodPath, limit: 400, creep: creepMore, aim: aimMore}}
	inexactInterior = [...]stage{{method: contact.MethodSwept, limit: 15},
		{method: contact.MethodInterior, limit: 45, fresh: true, creep: creepMore, aim: aimMore},
		{method: contact.MethodPath, limit: 400, creep: creepMore, aim: aimMore}}
	newtonInterior = [...]stage{{method: contact.MethodWarm, limit: newtonFirstSteps},
		{method: contact.MethodInterior, limit: 45, keep: true, fresh: true}, {method: contact.MethodPath, limit: 400}}
	hugeStages = [...]stage{{method: contact.MethodWarm, limit: 2000, keep: true},
		{method: contact.MethodAuto, limit: 1500, keep: true}, {method: contact.MethodInterior, limit: 80, keep: true},
		{method: contact.MethodCone, limit: 2000}}
)

// creepMore is four times the creep of the creep of limits, aimMore how much sooner a solve with it
// ends: creep of the size of what is allowed holds the bounds at a merit that a smaller one is far
// from.
const creepMore, aimMore = 4, 16

const (
	fewContacts  = 12
	manyContacts = 50
	// newtonFirstSteps are those of Newton's method from a warm start, in islands of less than a
	// hundred contacts: what it solves it solves in them.
	newtonFirstSteps = 25
	// hugeIsland is a number of contacts from which on a factorisation costs as much as hundreds of
	// sweeps.
	hugeIsland = 1000
	// cutIterations bounds the plan where the step may be cut, as halves are often easier; cutLarge
	// and cutPlan that of large islands, and of large ones of faces.
	cutIterations = 3000
	cutLarge      = 300
	cutPlan       = 1000
	// largeFaces is the number of contacts of faces in space from which on the plan is as slow as
	// one more stage before it.
	largeFaces = 250
	// cutFaces, cutFacesLarge and cutHuge are the stages that are tried of faces in space before
	// the plan, and of a huge island without it, where the step may be cut.
	cutFaces, cutFacesLarge, cutHuge = 3, 2, 1
)

// normalise scales the contacts, u by s and r by 1/s with s² = 1/(mean diagonal of W at the
// contact), so that the diagonal of W is one and bodies of any mass count, and the largest entry of
// b to one, so that steps of any length do: cones and laws are the same in these units. restore
// takes r back.
func (p *solver) normalise() {
	nc, dim := p.w.Contacts(), p.dim
	p.scale = grow(p.scale, nc)
	for i := range nc {
		trace := 0.0
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			if p.w.Col[k] == i {
				for d := range dim {
					trace += p.w.Val[k*dim*dim+d*dim+d]
				}
			}
		}
		p.scale[i] = 1
		if trace > 0 && trace < math.Inf(1) {
			p.scale[i] = math.Sqrt(float64(dim) / trace)
		}
	}
	for i, si := range p.scale {
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			f := si * p.scale[p.w.Col[k]]
			for d := k * dim * dim; d < (k+1)*dim*dim; d++ {
				p.w.Val[d] *= f
			}
		}
		for d := i * dim; d < (i+1)*dim; d++ {
			p.b[d] *= si
			p.r[d] /= si
		}
	}
	p.size = 0
	for _, b := range p.b[:nc*dim] {
		p.size = max(p.size, math.Abs(b))
	}
	if !(p.size > 0 && p.size < math.Inf(1)) {
		p.size = 1
	}
	for i := range p.b[:nc*dim] {
		p.b[i] /= p.size
		p.r[i] /= p.size
	}
	for i, l := range p.laws[:nc] {
		if t, ok := l.(contact.Tresca); ok { // the one law with an impulse in it
			p.laws[i] = contact.Tresca{Threshold: t.Threshold / (p.scale[i] * p.size)}
		}
	}
}

// restore sets r to the solution x of the normalised problem.
func (p *solver) restore(x []float64) {
	for i, v := range x {
		p.r[i] = v * p.scale[i/p.dim] * p.size
	}
}

// closed solves for a single contact in closed form and reports whether the check passes.
func (p *solver) closed(tolerance float64) bool {
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
	if !(residual <= tolerance) {
		return false
	}
	p.residual = max(p.residual, residual)
	copy(p.r, o.r[:dim])
	return true
}
