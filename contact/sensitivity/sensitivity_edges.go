package sensitivity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// Reach returns how far the data may go along c, with its derivatives dr and
// du, to first order, before a contact changes its state, and which; +Inf and −1 if none
// does. Where r and u are linear in the parameter between changes, as in the plane under a change
// of q, the distance is exact. Laws of the user are left out.
func (s *Sensitivity) Reach(dr, du []float64, c Change) (distance float64, contact int) {
	distance, contact = math.Inf(1), -1
	far := slices.Clone(du) // of the springs
	for i, spring := range s.spring {
		far[i] += spring * dr[i]
	}
	for j := range s.faces {
		at, to, bound := s.dim*j, s.dim*(j+1), 0.0
		if c.Bound != nil {
			bound = c.Bound[j]
		}
		t := s.laws[j].reach(&s.faces[j], s.r[at:to], s.u[at:to], dr[at:to], far[at:to], bound)
		if t >= 0 && t < distance {
			distance, contact = t, j
		}
	}
	return distance, contact
}

// reach is that of one contact.
func (d *dryLaw) reach(f *face, r, u, dr, du []float64, bound float64) float64 {
	if f.kind != faceContact {
		return math.Inf(1)
	}
	var least float64
	switch {
	case !f.open:
		least = root(r[0]+d.tension, dr[0])
	case d.associated: // u stays in the dual cone while μ‖S u_T‖ ≤ u_N
		g := &d.groups[0]
		x, y := g.forward(u[g.from:g.to])
		dx, dy := g.forward(du[g.from:g.to])
		least = leaves(g.mu*x, g.mu*y, g.mu*dx+bound*x, g.mu*dy+bound*y, u[0], du[0])
	default:
		least = root(u[0], du[0])
	}
	for i := range d.groups {
		g := &d.groups[i]
		limit, more := g.limit(r[0]), g.mu*dr[0]
		switch {
		case g.threshold:
			more += bound
		case g.slope:
			more += bound * r[0]
		}
		least = min(least, g.reach(&f.groups[i], limit, more, r[g.from:g.to], u[g.from:g.to], dr[g.from:g.to], du[g.from:g.to]))
	}
	return least
}

// forward returns S u.
func (g *frictionGroup) forward(u []float64) (x, y float64) {
	switch {
	case g.single():
		return g.m[0] * u[0], 0
	case g.a > 0:
		return g.a * (g.axis[0]*u[0] + g.axis[1]*u[1]), 0
	}
	return g.m[0]*u[0] + g.m[1]*u[1], g.m[2]*u[0] + g.m[3]*u[1]
}

// reach is that of one group, whose limit goes as limit + t·more.
func (g *frictionGroup) reach(f *groupFace, limit, more float64, r, u, dr, du []float64) float64 {
	least := math.Inf(1)
	switch f.kind {
	case groupStick:
		if g.corners == nil {
			x, y := g.back(r)
			dx, dy := g.back(dr)
			return leaves(x, y, dx, dy, limit, more)
		}
		for k := range g.corners {
			m := g.facet(k)
			least = min(least, root(limit-m[0]*r[0]-m[1]*r[1], more-m[0]*dr[0]-m[1]*dr[1]))
		}
	case groupSlip: // the motion along its direction ends
		x, size := g.gradient(u)
		rate := x[0] * du[0]
		if len(u) > 1 {
			rate += x[1] * du[1]
		}
		least = root(size, rate)
	case groupFacet: // the motion ends, or the reaction comes to a corner
		m, t := g.facet(f.k), g.along(f.k)
		least = root(-m[0]*u[0]-m[1]*u[1], -m[0]*du[0]-m[1]*du[1])
		for end, sign := range [...]float64{1, -1} {
			v := g.corners[(f.k+end)%len(g.corners)]
			at := func(r []float64, l float64) float64 {
				return sign * (t[0]*(r[0]-l*v[0]) + t[1]*(r[1]-l*v[1]))
			}
			least = min(least, root(at(r, limit), at(dr, more)))
		}
	case groupCorner: // the motion comes across to a side
		before := g.along((f.k + len(g.corners) - 1) % len(g.corners))
		after := g.along(f.k)
		least = min(root(-before[0]*u[0]-before[1]*u[1], -before[0]*du[0]-before[1]*du[1]), root(after[0]*u[0]+after[1]*u[1], after[0]*du[0]+after[1]*du[1]))
	}
	return least
}

// root is the t > 0 with x + t·d = 0 for x ≥ 0, +Inf if there is none.
func root(x, d float64) float64 {
	if d >= 0 {
		return math.Inf(1)
	}
	return max(x, 0) / -d
}

// leaves is the first t ≥ 0 at which ‖(x, y) + t(dx, dy)‖ exceeds l + t·dl.
func leaves(x, y, dx, dy, l, dl float64) float64 {
	a, b, c := dx*dx+dy*dy-dl*dl, x*dx+y*dy-l*dl, x*x+y*y-l*l
	if c >= 0 {
		return 0
	}
	if a == 0 {
		return root(-c, -2*b)
	}
	disc := b*b - a*c
	if disc < 0 {
		return math.Inf(1)
	}
	q := -(b + math.Copysign(math.Sqrt(disc), b))
	first := math.Inf(1)
	for _, t := range [...]float64{q / a, c / q} {
		if t >= 0 && t < first {
			first = t
		}
	}
	return first
}

const (
	// directionalStep is the part of the data by which a direction is tried.
	directionalStep = 1e-6
	// directionalSteps until the states of a direction are found, and the part of the derivatives
	// to which they then agree.
	directionalSteps = 60
	directionalTight = 1e-13
	// directionalEven: two states that agree up to this part of the derivatives both do, and the
	// last stays.
	directionalEven = 1e-9
)

// Directional is Forward where contacts sit on edges: the derivative from one side, whose states
// agree with what they imply. The derivatives obey a problem of contact themselves, of degree 1,
// with the laws of the edges: contacts that neither press nor part do one of both, those with all
// their friction used begin to slide along it or stay, and those with neither force nor motion obey
// the whole law. It is solved by Newton's method from the solution a small step along c. err says
// that no states were found, or that redundant contacts cannot follow.
func (s *Sensitivity) Directional(ctx context.Context, dr, du []float64, c Change) error {
	if ctx.Err() != nil {
		return form.CauseOf(ctx)
	}
	if len(s.Edges) == 0 {
		return s.Forward(dr, du, c)
	}
	if err := s.takes(c); err != nil {
		return err
	}
	n := len(s.r)
	r, u := make([]float64, n), make([]float64, n)
	if err := s.aside(ctx, r, u, c); err != nil {
		return err
	}
	here := *s
	here.Redundant = false
	at := make([]float64, n) // u, or its derivative where the law is that of derivatives
	faces := slices.Clone(s.faces)
	for step := range directionalSteps {
		last := slices.Clone(faces)
		even := directionalEven * s.derivativeSize(r, u)
		copy(at, s.u)
		for _, j := range s.Edges {
			from, to, bound := s.dim*j, s.dim*(j+1), 0.0
			if c.Bound != nil {
				bound = c.Bound[j]
			}
			s.laws[j].turn(&faces[j], at[from:to], edge{s.r[from:to], s.u[from:to], r[from:to], u[from:to], s.rho[from:to], s.sizes(from), bound, even * math.Sqrt(s.rho[from])})
		}
		if err := here.factor(faces, s.r, at); err != nil {
			return err
		}
		nextR, nextU := make([]float64, n), make([]float64, n)
		err := here.Forward(nextR, nextU, c)
		changed := s.apart(nextR, nextU, r, u)
		copy(r, nextR)
		copy(u, nextU)
		for i, spring := range s.spring {
			u[i] += spring * r[i]
		}
		if step > 0 && slices.EqualFunc(faces, last, sameFace) && changed <= directionalTight {
			copy(dr, nextR)
			copy(du, nextU)
			return err
		}
		if ctx.Err() != nil {
			return form.CauseOf(ctx)
		}
	}
	return errors.New("contact: no states of the contacts on edges agree with the derivatives that they give")
}

// apart is how far two derivatives are, in scaled units, over their size.
func (s *Sensitivity) apart(r, u, lastR, lastU []float64) float64 {
	var most, size float64
	for i, rho := range s.rho {
		root, far := math.Sqrt(rho), u[i]
		if s.spring != nil {
			far += s.spring[i] * r[i]
		}
		most = max(most, math.Abs(r[i]-lastR[i])/root, math.Abs(far-lastU[i])*root)
		size = max(size, math.Abs(r[i])/root, math.Abs(far)*root)
	}
	if size == 0 {
		return most
	}
	return most / size
}

// derivativeSize is the size of derivatives in scaled units, u at the far ends of springs.
func (s *Sensitivity) derivativeSize(r, u []float64) (size float64) {
	for i, rho := range s.rho {
		size = max(size, math.Abs(r[i])/math.Sqrt(rho), math.Abs(u[i])*math.Sqrt(rho))
	}
	return size
}

// An edge is where a contact is, and a direction in which it goes.
type edge struct {
	r, u, dr, du, rho []float64
	sizes             [form.WideMost]float64
	bound             float64 // of δμ
	even              float64 // forces that differ by less are even
}

// more reports whether a force is more than another; where they are even it stays as it is.
func (x *edge) more(a, b float64, is bool) bool {
	if math.Abs(a-b) <= x.even {
		return is
	}
	return a > b
}

// sameFace compares but for the limits.
func sameFace(a, b face) bool {
	for i := range a.groups {
		a.groups[i].limit, b.groups[i].limit = 0, 0
	}
	return a == b
}

// turn chooses the face into which an edge goes, and sets in at the motion along which a group
// slips of which nothing but the direction tells it.
func (d *dryLaw) turn(f *face, at []float64, x edge) {
	if f.kind != faceContact {
		return
	}
	if f.touch {
		un := x.du[0]
		if d.associated {
			g := &d.groups[0]
			slope, size := g.gradient(x.u[g.from:g.to])
			if x.rho[g.from]*size <= edgeNone*x.sizes[g.from] {
				d.turnAssociated(f, at[g.from:g.to], x)
				return
			}
			for k := range x.du[g.from:g.to] {
				un -= g.mu * slope[k] * x.du[g.from+k]
			}
			un -= x.bound * size
		}
		f.open = !x.more(x.dr[0], x.rho[0]*un, !f.open)
	}
	for i := range d.groups {
		if g := &d.groups[i]; !g.never() {
			d.turnGroup(g, f, &f.groups[i], at[g.from:g.to], x)
		}
	}
}

// turnGroup chooses what one group does.
func (d *dryLaw) turnGroup(g *frictionGroup, f *face, part *groupFace, at []float64, x edge) {
	r, u, dr, du := x.r[g.from:g.to], x.u[g.from:g.to], x.dr[g.from:g.to], x.du[g.from:g.to]
	rho, none := x.rho[g.from], edgeNone*x.sizes[g.from]
	limit, more := g.limit(x.r[0]), g.mu*x.dr[0]
	switch {
	case g.threshold:
		more += x.bound
	case g.slope:
		more += x.bound * x.r[0]
	}
	slips := rho*g.size(u) > none
	switch {
	case f.touch && g.none(g.limit(-d.tension)) || g.none(limit): // no friction without pressure
		switch {
		case f.open:
			part.kind = groupDead
		case slips && g.corners == nil:
			part.kind = groupSlip
		case slips: // the corner of a motion, or a side of it
			var p [2]float64
			for k := range r {
				p[k] = dr[k] - rho*u[k]/edgeNone // far out: what is across decides
			}
			g.side(part, max(more, 0), p, 0)
		default:
			var p [2]float64
			for k := range dr {
				p[k] = dr[k] - rho*du[k]
			}
			if f.touch { // what presses is not known yet
				more += g.mu * max(-rho*x.du[0], -x.dr[0])
			}
			g.turnTip(part, at, more, p, &x)
		}
	case part.edge && g.corners == nil:
		d := g.start(r)
		push, slide := more, 0.0
		gram, _ := g.gradient(d[:len(du)])
		for k := range du {
			push += d[k] * dr[k]
			slide += gram[k] * du[k]
		}
		begins := x.more(rho*slide, push, part.kind == groupBegin)
		if part.kind = groupStick; begins {
			part.kind = groupBegin
		}
	case part.edge: // a polygon: by a step
		t := math.Inf(1) // that changes something by a part of it
		for k := range dr {
			t = min(t, directionalStep*x.sizes[g.from]/max(math.Abs(dr[k]), rho*math.Abs(du[k]), 1e-300))
		}
		var p, q [2]float64
		for k := range dr {
			q[k] = r[k] + t*dr[k]
			p[k] = q[k] - rho*(u[k]+t*du[k])
		}
		if part.kind = groupStick; g.dual(p[:]) > limit+t*more {
			g.side(part, limit+t*more, p, 0)
			part.edge = true
		}
	}
}

// turnTip chooses what a group does that has neither force nor motion: its law is that of the
// derivatives, with p = δr − ρ δu and limit·Sᵀ·ball.
func (g *frictionGroup) turnTip(part *groupFace, at []float64, limit float64, p [2]float64, x *edge) {
	part.tip, part.limit = true, limit
	n, rho := len(at), x.rho[g.from]
	switch {
	case limit <= 0:
		part.kind = groupDead
	case g.corners == nil && math.Abs(g.dual(p[:n])-limit) <= x.even: // all friction, and hardly a motion: along what it opposes
		part.kind = groupBegin
		d := g.start(p[:n])
		copy(at, d[:n])
	case g.dual(p[:n]) <= limit:
		part.kind = groupStick
	case g.corners != nil:
		g.side(part, limit, p, 0)
	default:
		part.kind = groupSlip
		foot := vec3{}
		switch shape := contact.NewShape(g.m); {
		case g.single():
			foot[1] = math.Copysign(limit*math.Abs(g.m[0]), p[0])
		case g.isotropic:
			law.Tresca{Threshold: limit}.Project(&foot, nil, &vec3{0, p[0], p[1]})
		default:
			law.Tresca{Threshold: limit, Shape: shape}.Project(&foot, nil, &vec3{0, p[0], p[1]})
		}
		for k := range at {
			at[k] = (foot[1+k] - p[k]) / rho
		}
	}
}

// turnAssociated is turn at the tip of a cone without correction: by the projection of p.
func (d *dryLaw) turnAssociated(f *face, at []float64, x edge) {
	g, p := &d.groups[0], vec3{}
	for k := range x.dr {
		p[k] = x.dr[k] - x.rho[0]*x.du[k]
	}
	foot, shape := vec3{}, law.Shape{}
	if !g.isotropic {
		m := g.m
		if g.single() {
			m[3] = 1
		}
		shape = contact.NewShape(m)
	}
	law.Coulomb{Mu: g.mu, Shape: shape}.Project(&foot, nil, &p)
	part := &f.groups[0]
	f.open = foot[0] <= 0
	part.tip, part.limit = true, g.mu*foot[0]
	switch {
	case f.open:
		part.kind = groupDead
	case foot == p:
		part.kind = groupStick
	default:
		part.kind = groupSlip
		for k := range at {
			at[k] = (foot[1+k] - p[1+k]) / x.rho[0]
		}
	}
}

// aside sets r and u, at the far ends of springs, to differences along c.
func (s *Sensitivity) aside(ctx context.Context, r, u []float64, c Change) error {
	size, scale := 0.0, 0.0
	load := s.load(c)
	for i, rho := range s.rho {
		size = max(size, math.Sqrt(rho)*math.Abs(load[i]))
		scale = max(scale, math.Sqrt(rho)*math.Abs(s.p.Q[i]), math.Sqrt(rho)*math.Abs(s.u[i]))
	}
	if scale > 0 {
		size /= scale
	}
	for j, x := range c.Bound {
		size = max(size, math.Abs(x)/max(s.laws[j].bound(), directionalStep))
	}
	if size == 0 {
		return nil
	}
	t := directionalStep / size
	moved, err := s.moved(t, c)
	if err != nil {
		return err
	}
	ws, res := new(contact.LocalWorkspace), new(form.Result)
	ws.WarmStart(s.r)
	if err := contact.SolveLocal(ctx, moved, &form.Options{Tolerance: 1e-13}, ws, res); err != nil {
		if ctx.Err() != nil || res.Status == form.Infeasible || len(res.R) != len(r) {
			return err
		}
	}
	for i := range r {
		r[i] = (res.R[i] - s.r[i]) / t
		u[i] = load[i] // and W r
	}
	du := make([]float64, len(r))
	moved.W.MulVec(du, r)
	for i := range u {
		u[i] += du[i]
		if s.spring != nil {
			u[i] += s.spring[i] * r[i]
		}
	}
	return nil
}

// bound is the coefficient of a law.
func (d *dryLaw) bound() float64 {
	for _, g := range d.groups {
		switch {
		case g.threshold:
			return g.c
		case g.slope:
			return g.mu
		}
	}
	return 0
}

// takes names a contact whose law has no coefficient, where that is to change.
func (s *Sensitivity) takes(c Change) error {
	for j, x := range c.Bound {
		if _, ok := withBound(s.given.Laws[j], s.laws[j].bound()); !ok && x != 0 {
			return s.withoutBound(j)
		}
	}
	return nil
}

func (s *Sensitivity) withoutBound(j int) error {
	return fmt.Errorf("contact: law %T of contact %d has no coefficient to change", s.given.Laws[j], j)
}

// moved returns the problem a step t along c.
func (s *Sensitivity) moved(t float64, c Change) (*form.Local, error) {
	p := &form.Local{W: s.given.W, Q: slices.Clone(s.given.Q), Laws: slices.Clone(s.given.Laws)}
	for i := range c.Q {
		p.Q[i] += t * c.Q[i]
	}
	if c.W != nil {
		d := &form.Dense{D: s.dim, N: len(s.r), Val: slices.Clone(s.w)}
		for i, x := range c.W.Val {
			d.Val[i] += t * x
		}
		p.W = d
	}
	for j, x := range c.Bound {
		if x == 0 {
			continue
		}
		bound := s.laws[j].bound()
		law, ok := withBound(p.Laws[j], max(bound+t*x, 0))
		if !ok {
			return nil, s.withoutBound(j)
		}
		p.Laws[j] = law
	}
	return p, nil
}

// withBound returns the law with another coefficient of friction.
func withBound(given law.Law, bound float64) (law.Law, bool) {
	switch l := given.(type) {
	case law.Coulomb:
		l.Mu = bound
		return l, true
	case *law.Coulomb:
		return withBound(*l, bound)
	case law.Associated:
		l.Mu = bound
		return l, true
	case *law.Associated:
		return withBound(*l, bound)
	case law.Pyramid:
		l.Mu = bound
		return l, true
	case *law.Pyramid:
		return withBound(*l, bound)
	case law.Cohesive:
		l.Mu = bound
		return l, true
	case *law.Cohesive:
		return withBound(*l, bound)
	case law.Rolling:
		l.Mu = bound
		return l, true
	case *law.Rolling:
		return withBound(*l, bound)
	case law.Tresca:
		l.Threshold = bound
		return l, true
	case *law.Tresca:
		return withBound(*l, bound)
	case law.Compliant:
		inner, ok := withBound(l.Inner(), bound)
		l.Law = inner
		return l, ok
	case *law.Compliant:
		return withBound(*l, bound)
	}
	return given, false
}
