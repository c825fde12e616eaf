package sensitivity

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// A dryLaw is a law as its equations have it: 0 ≤ r_N + t ⊥ u_N ≥ 0, and in each group of
// components friction up to c + μ r_N.
type dryLaw struct {
	joint      bool
	other      law.Law // known by its projection alone; nil for all others
	associated bool    // u_N − μ‖S u_T‖ in place of u_N
	tension    float64 // t
	groups     []frictionGroup
}

// A frictionGroup is one or two components with friction of their own.
type frictionGroup struct {
	from, to  int
	c, mu     float64
	threshold bool // the coefficient of the law is c, not μ
	slope     bool // it is μ
	isotropic bool
	m         [4]float64   // S; of one component its first entry
	axis      [2]float64   // of S = a·axis·axisᵀ, where a > 0 alone
	a         float64      // 0 where S is not flat
	corners   [][2]float64 // of a polygon, Sᵀc_k, around it
}

// dryLawOf returns a law of contacts with dim components in numbers.
func dryLawOf(l law.Law, dim int) dryLaw {
	if dim > 3 {
		bound, fixed, free, _ := form.WideBounds(l, dim) // Validate has taken it
		d := dryLaw{joint: free}
		for i, g := range form.WideDiscs(dim) {
			f := frictionGroup{from: g.From, to: g.To, isotropic: true, m: [4]float64{1, 0, 0, 1}}
			if f.mu = bound[i]; fixed {
				f.c, f.mu = bound[i], 0
			}
			f.threshold, f.slope = fixed && i == 0, !fixed && i == 0
			d.groups = append(d.groups, f)
		}
		return d
	}
	lf := form.FormOf(l)
	g := frictionGroup{from: 1, to: dim, slope: true, isotropic: lf.Shape.Isotropic(), m: lf.Shape.Matrix()}
	d := dryLaw{}
	switch lf.Set {
	case form.KindBilateral:
		return dryLaw{joint: true}
	case form.KindFrictionless:
		g.slope = false
	case form.KindTresca:
		g.c, g.threshold, g.slope = lf.Bound, true, false
	case form.KindCoulomb, form.KindPyramid:
		g.mu = lf.Bound
	case form.KindAssociated:
		g.mu, d.associated = lf.Bound, true
	default:
		switch x := l.(type) {
		case law.Cohesive:
			g.c, g.mu, d.tension = x.Cohesion, x.Mu, x.Tension
		case *law.Cohesive:
			g.c, g.mu, d.tension = x.Cohesion, x.Mu, x.Tension
		default:
			return dryLaw{other: l}
		}
	}
	g.flatten(&lf, dim)
	d.groups = []frictionGroup{g}
	return d
}

// flatten sets the axis of a shape of rank one, which has friction along it alone, and the corners
// of a polygon otherwise.
func (g *frictionGroup) flatten(lf *law.Form, dim int) {
	if dim == 2 {
		g.isotropic = g.isotropic || g.m[0] == 1
		return
	}
	polygon := law.Pyramid{Mu: 1, Facets: lf.Facets, Shape: lf.Shape}
	if a, b := lf.Shape.Axes(); b <= 4*num.Eps*a { // as the projection has it
		x, y := g.m[0]*g.m[0]+g.m[2]*g.m[2], g.m[0]*g.m[1]+g.m[2]*g.m[3] // a row of SᵀS
		if z := g.m[1]*g.m[1] + g.m[3]*g.m[3]; z > x {
			x, y = y, z
		}
		if size := math.Hypot(x, y); size > 0 {
			g.axis = [2]float64{x / size, y / size}
			g.a = a
			if lf.Set == form.KindPyramid {
				g.a = polygon.Correction(&vec3{0, g.axis[0], g.axis[1]})
			}
			return
		}
		g.c, g.mu, g.threshold, g.slope = 0, 0, false, false // S = 0
		return
	}
	if lf.Set == form.KindPyramid {
		half := math.Pi / float64(lf.Facets)
		for k := range lf.Facets {
			sin, cos := math.Sincos(float64(2*k-1) * half)
			cos, sin = cos/math.Cos(half), sin/math.Cos(half)
			g.corners = append(g.corners, [2]float64{g.m[0]*cos + g.m[2]*sin, g.m[1]*cos + g.m[3]*sin})
		}
		if g.m[0]*g.m[3] < g.m[1]*g.m[2] { // a mirror: around the other way
			for i, k := 0, len(g.corners)-1; i < k; i, k = i+1, k-1 {
				g.corners[i], g.corners[k] = g.corners[k], g.corners[i]
			}
		}
	}
}

// never reports whether the group has no friction, whatever the coefficient.
func (g *frictionGroup) never() bool {
	return g.c == 0 && g.mu == 0 && !g.threshold && !g.slope || g.single() && g.m[0] == 0
}

// none reports whether a limit is zero but for rounding.
func (g *frictionGroup) none(limit float64) bool { return limit <= deadLimit*g.c }

func (g *frictionGroup) single() bool { return g.to == g.from+1 }

// limit is c + μ r_N.
func (g *frictionGroup) limit(rn float64) float64 { return g.c + g.mu*rn }

// size is ‖S u‖, what friction is proportional to, of the components of a group.
func (g *frictionGroup) size(u []float64) float64 {
	switch {
	case g.single():
		return math.Abs(g.m[0] * u[0])
	case g.a > 0:
		return g.a * math.Abs(g.axis[0]*u[0]+g.axis[1]*u[1])
	case g.corners != nil:
		most := 0.0
		for _, v := range g.corners {
			most = max(most, v[0]*u[0]+v[1]*u[1])
		}
		return most
	case g.isotropic:
		return math.Hypot(u[0], u[1])
	}
	return math.Hypot(g.m[0]*u[0]+g.m[1]*u[1], g.m[2]*u[0]+g.m[3]*u[1])
}

// dual is the t for which r is on the edge of t·Sᵀ·ball.
func (g *frictionGroup) dual(r []float64) float64 {
	if g.corners != nil {
		most := 0.0
		for k := range g.corners {
			m := g.facet(k)
			most = max(most, m[0]*r[0]+m[1]*r[1])
		}
		return most
	}
	x, y := g.back(r)
	return math.Hypot(x, y)
}

// back returns S⁻ᵀr, whose length is the dual norm of an ellipse.
func (g *frictionGroup) back(r []float64) (x, y float64) {
	switch {
	case g.single():
		return r[0] / g.m[0], 0
	case g.a > 0:
		return (g.axis[0]*r[0] + g.axis[1]*r[1]) / g.a, 0
	case g.isotropic:
		return r[0], r[1]
	}
	det := g.m[0]*g.m[3] - g.m[1]*g.m[2]
	return (g.m[3]*r[0] - g.m[2]*r[1]) / det, (g.m[0]*r[1] - g.m[1]*r[0]) / det
}

// facet returns the m of {r : m·r = 1}, the line through corners k and k+1.
func (g *frictionGroup) facet(k int) [2]float64 {
	v, t := g.corners[k], g.along(k)
	d := t[1]*v[0] - t[0]*v[1]
	return [2]float64{t[1] / d, -t[0] / d}
}

// along returns corner k+1 − corner k.
func (g *frictionGroup) along(k int) [2]float64 {
	v, w := g.corners[k], g.corners[(k+1)%len(g.corners)]
	return [2]float64{w[0] - v[0], w[1] - v[1]}
}

// slope returns x = SᵀS u/‖S u‖ of an ellipse, the derivative of its norm, and ‖S u‖.
func (g *frictionGroup) gradient(u []float64) (x [2]float64, size float64) {
	size = g.size(u)
	switch {
	case size == 0:
	case g.single():
		x[0] = math.Copysign(math.Abs(g.m[0]), u[0])
	case g.a > 0:
		a := math.Copysign(g.a, g.axis[0]*u[0]+g.axis[1]*u[1])
		x = [2]float64{a * g.axis[0], a * g.axis[1]}
	default:
		q := g.gram()
		x = [2]float64{(q[0]*u[0] + q[1]*u[1]) / size, (q[1]*u[0] + q[2]*u[1]) / size}
	}
	return x, size
}

// gram returns SᵀS by its xx, xy and yy.
func (g *frictionGroup) gram() [3]float64 {
	m := &g.m
	return [3]float64{m[0]*m[0] + m[2]*m[2], m[0]*m[1] + m[2]*m[3], m[1]*m[1] + m[3]*m[3]}
}

// start returns the d with ‖S d‖ = 1 along which a contact begins to slide whose reaction is r: r =
// −l SᵀS d.
func (g *frictionGroup) start(r []float64) [2]float64 {
	x, y := g.back(r)
	l := math.Hypot(x, y)
	x, y = -x/l, -y/l // = S d
	switch {
	case g.single():
		return [2]float64{x / g.m[0]}
	case g.a > 0:
		return [2]float64{x / g.a * g.axis[0], x / g.a * g.axis[1]}
	}
	det := g.m[0]*g.m[3] - g.m[1]*g.m[2]
	return [2]float64{(g.m[3]*x - g.m[1]*y) / det, (g.m[0]*y - g.m[2]*x) / det}
}

// A face is the part of a law that a contact is on.
type face struct {
	kind   faceKind
	open   bool // r_N = −t
	touch  bool // and on the edge of that: neither force nor distance
	groups [3]groupFace
}

type faceKind uint8

const (
	faceContact faceKind = iota
	faceJoint
	faceOther
)

// A groupFace is what one group does.
type groupFace struct {
	kind  groupKind
	k     int     // of the facet or corner
	edge  bool    // on the edge of friction
	tip   bool    // neither friction nor motion: slips as the derivatives do
	limit float64 // and this is the limit, of the derivatives too
}

type groupKind uint8

const (
	groupNone   groupKind = iota // not there
	groupDead                    // r = 0
	groupStick                   // u = 0
	groupSlip                    // r = −l SᵀS u/‖S u‖
	groupBegin                   // slips from rest: r stays on the edge, u along what r opposes
	groupFacet                   // r on a side of its polygon, u across that
	groupCorner                  // r in a corner
)

// state is the word for a face.
func (f *face) state() State {
	switch f.kind {
	case faceJoint:
		return StateStick
	case faceOther:
		return StateOther
	}
	stick := false
	for _, g := range f.groups {
		switch g.kind {
		case groupStick:
			stick = true
		case groupSlip, groupBegin, groupFacet, groupCorner:
			return StateSlip
		}
	}
	switch {
	case stick:
		return StateStick
	case f.open:
		return StateOpen
	}
	return StateSlip // without friction
}

func (f *face) onEdge() bool {
	return f.touch || f.groups[0].edge || f.groups[1].edge || f.groups[2].edge
}

const (
	// edgeTolerance is the part of the size of a contact's reaction, or motion, that
	// counts as none: the root of the merit to which problems are solved, squared.
	edgeTolerance = 1e-4
	edgeNone      = edgeTolerance * edgeTolerance
	// deadLimit is the part of a cohesion that rounding leaves of c − μt = 0.
	deadLimit = 1e-12
)

// face tells what a contact does at (r, u), and what it could as well do: sizes are those by which
// nothing is told.
func (d *dryLaw) face(r, u, rho []float64, sizes [form.WideMost]float64) (f face) {
	switch {
	case d.joint:
		f.kind = faceJoint
		return f
	case d.other != nil:
		f.kind = faceOther
		return f
	}
	none := edgeNone * sizes[0]
	rn, un := r[0]+d.tension, u[0]
	if d.associated {
		un -= d.groups[0].mu * d.groups[0].size(u[1:])
	}
	f.open = rn <= rho[0]*un || rn <= none && rho[0]*un > none
	if f.open {
		f.touch = rho[0]*un <= none
	} else {
		f.touch = rn <= none
	}
	for i := range d.groups {
		f.groups[i] = d.groups[i].face(d, f.open, r, u, rho, sizes)
	}
	return f
}

// face is that of a group.
func (g *frictionGroup) face(d *dryLaw, open bool, r, u, rho []float64, sizes [form.WideMost]float64) (f groupFace) {
	f.kind = groupDead
	limit := g.limit(r[0])
	if open {
		limit = g.limit(-d.tension)
	}
	if g.never() || open && g.none(limit) {
		return f
	}
	r, u = r[g.from:g.to], u[g.from:g.to]
	force, none := sizes[g.from], edgeNone*sizes[g.from]
	if g.none(limit) && rho[g.from]*g.size(u) <= none {
		f.edge = true
		return f
	}
	var p [2]float64
	for k := range r {
		p[k] = r[k] - rho[g.from]*u[k]
	}
	slip := rho[g.from] * g.size(u)
	f.kind = groupStick
	switch room := limit - g.dual(r); {
	case g.dual(p[:len(r)]) <= limit:
		f.edge = room <= edgeNone*max(limit, edgeTolerance*force)
	case slip <= none:
		f.edge = room <= none
	case g.corners != nil:
		g.side(&f, limit, p, none)
	default:
		f.kind = groupSlip
	}
	return f
}

// side finds the side or the corner of the polygon that is nearest to p.
func (g *frictionGroup) side(f *groupFace, limit float64, p [2]float64, none float64) {
	place := func(k int) (from, to float64) { // along side k, from its ends
		t := g.along(k)
		size := math.Hypot(t[0], t[1])
		from = (t[0]*(p[0]-limit*g.corners[k][0]) + t[1]*(p[1]-limit*g.corners[k][1])) / size
		return from, limit*size - from
	}
	for k := range g.corners {
		m := g.facet(k)
		if from, to := place(k); m[0]*p[0]+m[1]*p[1] > limit && from > 0 && to > 0 {
			f.kind, f.k, f.edge = groupFacet, k, min(from, to) <= none
			return
		}
	}
	far := num.Inf
	for k, v := range g.corners {
		if at := math.Hypot(p[0]-limit*v[0], p[1]-limit*v[1]); at < far {
			far, f.k = at, k
		}
	}
	from, _ := place(f.k)
	_, to := place((f.k + len(g.corners) - 1) % len(g.corners))
	f.kind, f.edge = groupCorner, max(from, to) >= -none
}

// linearise sets the equations of contact j on a face at (r, u): those of motions times ρ, so that
// all are forces.
//
//	dead     r = 0                 stick   u = 0
//	slip     r + l x = 0           begin   u × d = 0,  d·r + l = 0
//	facet    t·u = 0, m·r = l      corner  r = l v
//
// with x = SᵀS u/‖S u‖, d = that of r, t along the side, m across it, v the corner. Where S has
// rank one, a group that sticks or begins has its equation along the axis, and r = 0 across.
func (s *Sensitivity) linearise(j int, f *face, r, u []float64) {
	dim := s.dim
	size := dim * dim
	e, b := s.e[size*j:size*(j+1)], s.b[size*j:size*(j+1)]
	rho, mu := s.rho[dim*j:dim*(j+1)], s.mu[dim*j:dim*(j+1)]
	law := &s.laws[j]
	switch f.kind {
	case faceJoint:
		for c := range dim {
			e[c*(dim+1)] = rho[c]
		}
		return
	case faceOther:
		s.naturalMap(j, r, u)
		return
	}
	if f.open {
		b[0] = 1
	} else {
		e[0] = rho[0]
	}
	for i := range law.groups {
		g := &law.groups[i]
		rows := groupRows{g: g, dim: dim, rho: rho[g.from], e: e, b: b, mu: mu, rn: r[0], limit: g.limit(r[0])}
		if f.groups[i].tip {
			rows.limit = f.groups[i].limit
		}
		rt, ut := r[g.from:g.to], u[g.from:g.to]
		switch f.groups[i].kind {
		case groupDead:
			rows.dead()
		case groupStick:
			rows.stick()
		case groupSlip:
			rows.slip(ut)
			if law.associated && !f.open {
				x, slip := g.gradient(ut)
				for k := range ut {
					e[g.from+k] = -rho[0] * g.mu * x[k]
				}
				if !f.groups[i].tip {
					mu[0] = -rho[0] * slip
				}
			}
		case groupBegin:
			var d [2]float64
			if f.groups[i].tip {
				copy(d[:], ut)
			} else {
				d = g.start(rt)
			}
			rows.begin(d)
			if law.associated && !f.open {
				x, _ := g.gradient(d[:])
				for k := range ut {
					e[g.from+k] = -rho[0] * g.mu * x[k]
				}
			}
		case groupFacet:
			rows.facet(f.groups[i].k)
		case groupCorner:
			rows.corner(f.groups[i].k)
		}
	}
}

// groupRows are the rows of a group in the blocks of its contact.
type groupRows struct {
	g        *frictionGroup
	dim      int
	rho      float64
	e, b, mu []float64
	rn       float64
	limit    float64 // c + μ r_N
}

// at is the place of row k, column c.
func (w *groupRows) at(k, c int) int { return (w.g.from+k)*w.dim + c }

// limited adds k·l to row k, l = c + μ r_N.
func (w *groupRows) limited(k int, factor float64) {
	w.b[w.at(k, 0)] += factor * w.g.mu
	switch {
	case w.g.threshold:
		w.mu[w.g.from+k] = factor
	case w.g.slope:
		w.mu[w.g.from+k] = factor * w.rn
	}
}

// dot sets row k of m to factor·v.
func (w *groupRows) dot(m []float64, k int, factor float64, v [2]float64) {
	for c := w.g.from; c < w.g.to; c++ {
		m[w.at(k, c)] = factor * v[c-w.g.from]
	}
}

func (w *groupRows) dead() {
	for k := range w.g.to - w.g.from {
		w.b[w.at(k, w.g.from+k)] = 1
	}
}

// across is r = 0 across the axis, row 1.
func (w *groupRows) across() { w.dot(w.b, 1, 1, [2]float64{-w.g.axis[1], w.g.axis[0]}) }

func (w *groupRows) stick() {
	if w.g.a > 0 {
		w.dot(w.e, 0, w.rho, w.g.axis)
		w.across()
		return
	}
	for k := range w.g.to - w.g.from {
		w.e[w.at(k, w.g.from+k)] = w.rho
	}
}

func (w *groupRows) slip(u []float64) {
	x, size := w.g.gradient(u)
	w.dead()
	for k := range u {
		w.limited(k, x[k])
	}
	if w.g.single() || w.g.a > 0 {
		return // the direction does not turn
	}
	q, l := w.g.gram(), w.limit/size
	w.dot(w.e, 0, l, [2]float64{q[0] - x[0]*x[0], q[1] - x[0]*x[1]})
	w.dot(w.e, 1, l, [2]float64{q[1] - x[0]*x[1], q[2] - x[1]*x[1]})
}

func (w *groupRows) begin(d [2]float64) {
	w.dot(w.b, 0, 1, d)
	w.limited(0, 1)
	switch {
	case w.g.single():
	case w.g.a > 0:
		w.across()
	default:
		w.dot(w.e, 1, w.rho, [2]float64{-d[1], d[0]})
	}
}

func (w *groupRows) facet(k int) {
	t := w.g.along(k)
	size := math.Hypot(t[0], t[1])
	w.dot(w.e, 0, w.rho, [2]float64{t[0] / size, t[1] / size})
	w.dot(w.b, 1, 1, w.g.facet(k))
	w.limited(1, -1)
}

func (w *groupRows) corner(k int) {
	w.dead()
	for c, v := range w.g.corners[k] {
		w.limited(c, -v)
	}
}

// naturalMap linearises r − P(r − ρ(u + g(u)e_N)).
func (s *Sensitivity) naturalMap(j int, r, u []float64) {
	law, rho, dim := s.laws[j].other, s.rho[s.dim*j], s.dim
	var rj, uj, grad vec3
	copy(rj[:], r)
	copy(uj[:], u)
	h := 1e-6 * (math.Abs(uj[1]) + math.Abs(uj[2])) // the third root of rounding, of the motion
	for k := 1; k < dim && h > 0; k++ {
		up, down := uj, uj
		up[k] += h
		down[k] -= h
		grad[k] = (law.Correction(&up) - law.Correction(&down)) / (2 * h)
	}
	p := vec3{rj[0] - rho*(uj[0]+law.Correction(&uj)), rj[1] - rho*uj[1], rj[2] - rho*uj[2]}
	var d mat3
	law.Project(new(vec3), &d, &p)
	e, b := s.e[dim*dim*j:], s.b[dim*dim*j:]
	for i := range dim {
		for k := range dim {
			e[i*dim+k] = rho * d[3*i+k]
			if k > 0 {
				e[i*dim+k] += rho * d[3*i] * grad[k]
			}
			b[i*dim+k] = -d[3*i+k]
		}
		b[i*dim+i]++
	}
}
