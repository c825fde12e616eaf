package rigid

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Indeterminacy is how far the laws leave open what friction takes, at velocities that are known. What
// sticks holds u = 0 by forces x of any direction in its cone; what slides holds u_N = 0 by one number
// x = r_N, and has r_T = −μ r_N u_T/‖u_T‖. With F the forces of x and E the velocities that are held,
//
//	EᵀW F x + … = 0,
//
// is one equation for each number; where EᵀWF is singular, the forces r + εFn of its null vectors n are
// solutions, too, as long as they are in their cones. Where they change what the bodies do, or the power
// Σ μ r_N ‖u_T‖ of friction, a step has chosen one of many: a block that a ram pushes over a floor
// and that sticks to it, a box whose face slides and turns. Where F n is nothing, as of the four corners
// of a box at rest, nothing is open that a rigid body has, but how they share what they bear is.
//
// A face touches in all its points, of which a step takes the corners. One that slides is taken at their
// centre, too, where u is their mean, so that its rows of W are the means of theirs.
type Indeterminacy struct {
	Slides, Holds bodies.Touch // what slides under an open force, and what sticks and may take it
	Sticks        bool         // there is a Holds; else what is open is how a pressure is shared
	Face          bool         // … by the points of a face
	// Less and More are how much less and more friction may take, as parts of what it does, and Turns by
	// what part of the kick of friction that of the bodies may differ, along one null vector.
	Less, More, Turns float64
}

// Share is the largest of the parts.
func (x *Indeterminacy) Share() float64 { return max(x.Less, x.More, x.Turns) }

const (
	mostOpen = 96 // numbers of forces that are looked at: an SVD of them takes some ms
	// Singular values below this part of the largest are rounding: gaps are known to touchGap of the
	// size of bodies, and their rows to as much.
	openRank = 1e-7
	// A null vector that has less than this part of its size is none, by the rounding of openRank.
	openPart = 1e-5
)

// openForce is a number of x: that of contacts of the problem, in direction d of what sticks, along the
// cone where d < 0. Of several contacts it is at their centre.
type openForce struct {
	at   []int
	d    int
	cone [3]float64 // F, in the frame
	unit float64    // 1/√W of its row, so that singular values compare
}

// Indeterminacy looks at the forces of the last part of the last step, and returns what of friction is
// open, by the power that it takes or the motion, and by how faces share what they bear. The next step
// is not affected. Contacts with moments are not looked at, nor more than mostOpen numbers. It costs a
// singular value decomposition where something slides.
func (s *Stepper) Indeterminacy() (list []Indeterminacy) {
	if !s.slidesNow() || !s.openNow() {
		return nil
	}
	return s.open.widest(s)
}

// openNow finds what is open, and reports whether something is.
func (s *Stepper) openNow() bool {
	if s.clings > 0 || s.prepare(terms{}) != nil {
		return false
	}
	s.spanFriction(s.step.H, s.o.Alpha)
	s.chooseActive()
	if s.load(1) != nil {
		return false
	}
	o := &s.open
	o.collect(s)
	return len(o.list) > 0 && len(o.list) <= mostOpen && o.decompose(&s.p)
}

// OpenWrench is how much less and more a component of [Stepper.Wrench] may be by the laws, along one
// null vector, which is some of what it may: a beam on three supports, what more than three points bear.
func (s *Stepper) OpenWrench(body, other, axis int, moment bool) (less, more float64) {
	if len(s.touches) > mostOpen || !s.openNow() {
		return 0, 0
	}
	o := &s.open
	g := make([]float64, len(o.list))
	for i := range o.list {
		f := &o.list[i]
		for _, k := range f.at {
			t, m := &s.touches[s.p.list[k]], &s.marks[s.p.list[k]]
			sign := t.On(body, other)
			if sign == 0 || m.h == 0 {
				continue
			}
			force := vec{}
			for d, x := range f.cone {
				force = vec3.Add(force, sign*f.unit*x/(m.h*float64(len(f.at))), m.frame[d])
			}
			if moment {
				force = vec3.Cross(vec3.Add(t.At, -1, s.poses[body].Centre), force)
			}
			g[i] += force[axis]
		}
	}
	n := o.project(g)
	if n == nil {
		return 0, 0
	}
	forth, back := o.rooms(s, n)
	change := length(n) * length(n) // n is the projection of g
	return back * change, forth * change
}

// openForces is the memory of Indeterminacy.
type openForces struct {
	list  []openForce
	power []float64 // ∂P/∂x of the power of friction, in the units of list
	w     *mat.Dense
	null  [][]float64
}

// slidesNow reports whether something slides, of not too many contacts.
func (s *Stepper) slidesNow() bool {
	slides, all := false, 0
	for i := range s.marks {
		if m := &s.marks[i]; m.active {
			all++
			slides = slides || m.state == Slip
		}
	}
	return slides && all <= mostOpen
}

// collect lists the numbers of the forces; of what slides without those below openPart of the largest,
// which would leave the others no room.
func (o *openForces) collect(s *Stepper) {
	p, most := &s.p, 0.0
	o.list, o.power = o.list[:0], o.power[:0]
	for _, i := range p.list {
		most = max(most, s.marks[i].pressed())
	}
	var own [9]float64
	for k, i := range p.list {
		m := &s.marks[i]
		s.ownBlock(&own, k)
		switch press := m.pressed(); {
		case m.state == Stick:
			for d := range p.dim {
				if w := own[(p.dim+1)*d]; w > 0 { // a brake has one row
					f := openForce{at: []int{k}, d: d, unit: 1 / math.Sqrt(w)}
					f.cone[d] = 1
					o.list, o.power = append(o.list, f), append(o.power, 0)
				}
			}
		case press > openPart*most && m.loaded && s.brakeOf(&s.touches[i]) == nil && own[0] > 0:
			f := openForce{at: []int{k}, d: -1, unit: 1 / math.Sqrt(own[0]), cone: vec3.Scale(m.r, 1/press)}
			f.cone[0] = 1
			o.list = append(o.list, f)
			o.power = append(o.power, f.unit*length(f.cone[1:p.dim])*s.slipSpeed(i))
		}
	}
	for first := 0; first < len(p.list) && p.dim == 3; {
		end := first + 1
		for ; end < len(p.list) && s.coplanar(p.list[first], p.list[end]); end++ {
		}
		if end-first >= 3 { // they make a face
			o.centre(s, first, end)
		}
		first = end
	}
}

// coplanar reports whether two touches are corners of one face, in one frame.
func (s *Stepper) coplanar(i, j int) bool {
	a, b := &s.touches[i], &s.touches[j]
	f, g := &s.marks[i].frame, &s.marks[j].frame
	// 1e-12 is the cosine of an angle of 1e-6, to which gaps are known, see openRank.
	return bodies.MeetingOf(a.Key) == bodies.MeetingOf(b.Key) && s.brakeOf(a) == nil &&
		min(vec3.Dot(f[0], g[0]), vec3.Dot(f[1], g[1])) > 1-1e-12
}

// centre adds the pressure at the centre of the contacts from first to end, corners of a face, of which
// some slide, and its friction.
func (o *openForces) centre(s *Stepper, first, end int) {
	f, u, slides := openForce{d: -1, cone: vec{1}}, vec{}, false
	m := &s.marks[s.p.list[first]]
	for k := first; k < end; k++ {
		i := s.p.list[k]
		f.at = append(f.at, k)
		u = vec3.Add(u, 1/float64(end-first), s.relativeSpeed(i, s.v))
		slides = slides || s.marks[i].state == Slip
	}
	u = vec{0, vec3.Dot(u, m.frame[1]), vec3.Dot(u, m.frame[2])}
	speed := vec3.Norm(u)
	w := s.p.between(&f, &f, &vec{1}, &vec{1})
	if !slides || !(w > 0) {
		return
	}
	f.unit = 1 / math.Sqrt(w)
	if speed > turnsFrom*s.pace {
		f.cone = vec3.Add(f.cone, -m.mu/speed, u)
	}
	o.list, o.power = append(o.list, f), append(o.power, f.unit*m.mu*speed)
}

// slipSpeed is ‖u_T‖ of touch i at the present velocities [m/s].
func (s *Stepper) slipSpeed(i int) float64 {
	u, n := s.relativeSpeed(i, s.v), s.marks[i].frame[0]
	return vec3.Norm(vec3.Add(u, -vec3.Dot(u, n), n))
}

// block is the block of W that the contacts i and j have, with zeros where there is none.
func (p *problem) block(i, j int) []float64 {
	n := p.dim * p.dim
	for at := p.w.Ptr[i]; at < p.w.Ptr[i+1]; at++ {
		if p.w.Col[at] == j {
			return p.w.Val[at*n : (at+1)*n]
		}
	}
	return nil
}

// between is aᵀW b of two directions, at the means of contacts.
func (p *problem) between(f, g *openForce, a, b *[3]float64) (sum float64) {
	for _, i := range f.at {
		for _, j := range g.at {
			w := p.block(i, j)
			if w == nil {
				continue
			}
			for d := range p.dim {
				for e := range p.dim {
					sum += a[d] * w[d*p.dim+e] * b[e]
				}
			}
		}
	}
	return sum / float64(len(f.at)*len(g.at))
}

// decompose sets w to FᵀWF and null to the null vectors of EᵀWF, and reports whether there are some.
func (o *openForces) decompose(p *problem) bool {
	n := len(o.list)
	a := mat.NewDense(n, n, nil)
	o.w = mat.NewDense(n, n, nil)
	for i := range o.list {
		f := &o.list[i]
		held := vec{}
		held[max(f.d, 0)] = 1
		for j := range o.list {
			g := &o.list[j]
			a.Set(i, j, f.unit*g.unit*p.between(f, g, &held, &g.cone))
			o.w.Set(i, j, f.unit*g.unit*p.between(f, g, &f.cone, &g.cone))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDFullV) {
		return false
	}
	values := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	o.null = o.null[:0]
	for c, x := range values {
		if x <= openRank*max(1, values[0]) { // 1: that of a force on bodies that no joint holds
			o.null = append(o.null, mat.Col(nil, c, &v))
		}
	}
	return len(o.null) > 0
}

// widest is the indeterminacy along the null vector that changes the power of friction most, or, where
// none does, the motion; and that by the pressure at the centre of a face.
func (o *openForces) widest(s *Stepper) (list []Indeterminacy) {
	add := func(face bool, null ...[]float64) {
		var x Indeterminacy
		for _, n := range null {
			if n == nil {
				continue
			}
			if y := o.along(s, n); y.Share() > x.Share() {
				x = y
			}
		}
		if x.Face = face; x.Share() > 0 {
			list = append(list, x)
		}
	}
	add(false, o.project(o.power), o.moving())
	var centres [][]float64
	for i := range o.list {
		if len(o.list[i].at) > 1 {
			g := make([]float64, len(o.list))
			g[i] = 1
			centres = append(centres, o.project(g))
		}
	}
	add(true, centres...)
	return list
}

// project is g projected on the null vectors; nil if nothing is left of it.
func (o *openForces) project(g []float64) []float64 {
	n := make([]float64, len(o.list))
	for _, v := range o.null {
		f := 0.0
		for i := range v {
			f += v[i] * g[i]
		}
		for i := range v {
			n[i] += f * v[i]
		}
	}
	if length(n) <= openPart*length(g) {
		return nil
	}
	return n
}

// moving is the null vector n with the largest nᵀFᵀWFn, found by the power method on the projected
// matrix; nil if it is rounding.
func (o *openForces) moving() []float64 {
	m := len(o.null)
	k := make([]float64, m*m)
	e := make([]float64, m*m)
	for i, a := range o.null {
		for j, b := range o.null {
			k[i*m+j] = mat.Inner(mat.NewVecDense(len(a), a), o.w, mat.NewVecDense(len(b), b))
		}
	}
	jacobi(k, e, m)
	best := 0
	for i := range m {
		if k[i*m+i] > k[best*m+best] {
			best = i
		}
	}
	if k[best*m+best] <= openPart*openPart {
		return nil
	}
	n := make([]float64, len(o.list))
	for j, v := range o.null {
		for i := range v {
			n[i] += e[j*m+best] * v[i]
		}
	}
	return n
}

// along is the indeterminacy along n.
func (o *openForces) along(s *Stepper, n []float64) (x Indeterminacy) {
	vector := mat.NewVecDense(len(n), n)
	change, motion := mat.Dot(vector, mat.NewVecDense(len(n), o.power)), mat.Inner(vector, o.w, vector)
	forth, back := o.rooms(s, n)
	power, kick := s.friction()
	if change < 0 {
		forth, back = back, forth
	}
	if power > 0 {
		x.Less, x.More = back*math.Abs(change)/power, forth*math.Abs(change)/power
	}
	if kick > 0 {
		x.Turns = max(forth, back) * math.Sqrt(max(0, motion)/kick)
	}
	o.name(s, n, &x)
	return x
}

// rooms are how far the forces may go along n, forth and back.
func (o *openForces) rooms(s *Stepper, n []float64) (forth, back float64) {
	step := make([]vec, len(s.p.list)) // F n by contact
	forth, back = math.Inf(1), math.Inf(1)
	for i, f := range o.list {
		switch {
		case len(f.at) == 1:
			step[f.at[0]] = vec3.Add(step[f.at[0]], n[i]*f.unit, f.cone)
		case n[i] > 0: // nothing presses at the centre of a face that could be taken away
			back = 0
		case n[i] < 0:
			forth = 0
		}
	}
	for k, i := range s.p.list {
		away := vec3.Scale(step[k], -1)
		forth, back = min(forth, s.room(i, &step[k])), min(back, s.room(i, &away))
	}
	return forth, back
}

// friction returns what the frictions of all that slides take per step at the present velocities [J],
// and twice the kinetic energy that they would give bodies at rest.
func (s *Stepper) friction() (power, kick float64) {
	p := &s.p
	rub := func(i int) vec {
		if m := &s.marks[i]; m.state == Slip {
			return vec{1: m.r[1], 2: m.r[2]}
		}
		return vec{}
	}
	for k, i := range p.list {
		a := rub(i)
		power += length(a[1:p.dim]) * s.slipSpeed(i)
		for l, j := range p.list {
			b := rub(j)
			kick += p.between(&openForce{at: []int{k}}, &openForce{at: []int{l}}, &a, &b)
		}
	}
	return power, kick
}

// room is the largest ε ≥ 0 for which the impulse of touch i plus ε of a step is in its cone,
//
//	‖r_T + ε s_T‖ ≤ μ(r_N + ε s_N):   aε² + 2bε + c ≤ 0,  c ≤ 0.
func (s *Stepper) room(i int, step *vec) float64 {
	m, press := &s.marks[i], s.marks[i].pressed()
	if s.brakeOf(&s.touches[i]) != nil {
		return leaves(0, 0.5*math.Copysign(1, m.r[1])*step[1], math.Abs(m.r[1])-s.brakeBound(i, m.h))
	}
	// Without friction no root tells the cone from its mirror image, through whose tip r leaves it.
	lifts := leaves(0, -0.5*step[0], -press)
	if m.state != Stick {
		return lifts
	}
	mu2 := m.mu * m.mu
	a := step[1]*step[1] + step[2]*step[2] - mu2*step[0]*step[0]
	b := m.r[1]*step[1] + m.r[2]*step[2] - mu2*press*step[0]
	return min(lifts, leaves(a, b, m.r[1]*m.r[1]+m.r[2]*m.r[2]-mu2*press*press))
}

// leaves is the largest root of aε² + 2bε + c for a > 0, its least positive one else, +Inf for none;
// c ≤ 0 but for rounding.
func leaves(a, b, c float64) float64 {
	c = min(c, 0)
	root := math.Sqrt(max(0, b*b-a*c))
	switch {
	case a > 0 && b < 0:
		return (root - b) / a
	case b*b >= a*c && b+root > 0:
		return -c / (b + root)
	}
	return math.Inf(1)
}

// name sets what slides under the force that n changes most, by its power, and what sticks by that.
func (o *openForces) name(s *Stepper, n []float64, x *Indeterminacy) {
	slides, holds := 0.0, openPart*math.Sqrt(mat.Dot(mat.NewVecDense(len(n), n), mat.NewVecDense(len(n), n)))
	for i, f := range o.list {
		touch := &s.touches[s.p.list[f.at[0]]]
		if by := math.Abs(n[i]) * (o.power[i] + math.SmallestNonzeroFloat64); f.d < 0 && by > slides {
			slides, x.Slides = by, *touch
		}
		if f.d >= 0 && math.Abs(n[i]) > holds {
			holds, x.Holds, x.Sticks = math.Abs(n[i]), *touch, true
		}
	}
}
