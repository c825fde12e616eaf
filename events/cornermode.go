package events

import (
	"math"
	"slices"
)

// cornerModes makes those of a form.
func cornerModes[T Number[T]](p *Form[T]) (list []cornerMode[T], err error) {
	first := len(p.Contacts)
	for k := range p.Corners {
		s := cornerMode[T]{Corner: &p.Corners[k], unit: len(p.Contacts) + k, first: first}
		if s.supports, err = s.Corner.supports(); err != nil {
			return nil, err
		}
		s.guess()
		first += len(s.Faces)
		list = append(list, s)
	}
	return list, nil
}

// guess lists the directions along which corners most often slip on one face: along an edge, across
// it, and along a coordinate.
func (s *cornerMode[T]) guess() {
	s.guesses = make([][][3]T, len(s.Faces))
	add := func(f int, v [3]T) {
		square := inner(v, v)
		if square.Float() < dependentFaces {
			return
		}
		if l, ok := square.Root(); ok {
			v = over(v, l)
			canonical(&v)
			s.guesses[f] = append(s.guesses[f], v)
		}
	}
	for _, x := range s.supports {
		if len(x.faces) == 2 {
			for _, f := range x.faces {
				add(f, x.edge)
				add(f, cross(s.Faces[f].N, x.edge))
			}
		}
	}
	for f, face := range s.Faces {
		for i := range 3 {
			var e [3]T
			e[i] = e[i].Of(1)
			across := cross(face.N, e)
			add(f, across)
			add(f, cross(across, face.N))
		}
	}
}

// support is the present one.
func (s *cornerMode[T]) support() *support[T] { return &s.supports[s.at] }

// bears reports whether a face is part of the present support.
func (s *cornerMode[T]) bears(face int) bool { return slices.Contains(s.support().faces, face) }

// hasFriction reports whether the present support has friction and a direction to slip.
func (s *cornerMode[T]) hasFriction() bool {
	x := s.support()
	return !x.smooth && len(x.faces) < mostFaces
}

// rest is the part of a force that no normal force of a support bears.
func (s *cornerMode[T]) rest(x *support[T], r [3]T) [3]T {
	d := r
	for i, f := range x.faces {
		d = less(d, scaled(s.Faces[f].N, inner(x.shares[i], r)))
	}
	return d
}

// supportOf returns the number of the support of some faces, ascending; −1: they are dependent.
func (s *cornerMode[T]) supportOf(faces []int) int {
	return slices.IndexFunc(s.supports, func(x support[T]) bool { return slices.Equal(x.faces, faces) })
}

// findWays sets the ways of the present support.
func (s *cornerMode[T]) findWays() {
	s.ways = s.ways[:0]
	x := s.support()
	both := func(v [3]T) { s.ways = append(s.ways, way[T]{v, v}) }
	switch n := len(x.faces); {
	case n == mostFaces:
	case s.slip != 0:
		u := s.axis
		if s.slip < 0 {
			u = less([3]T{}, u)
		}
		s.ways = append(s.ways, way[T]{u, sum3(u, x.bound)})
	case !x.smooth:
	case n == 2:
		both(x.edge)
	default: // in the air, or along a face without friction
		for i := range 3 {
			var e [3]T
			e[i] = e[i].Of(1)
			if n == 1 {
				if normal := s.Faces[x.faces[0]].N; i == steepest(normal) {
					continue
				} else {
					e = less(e, scaled(normal, inner(normal, e).Quo(inner(normal, normal))))
				}
			}
			both(e)
		}
	}
}

// closed reports whether a face is touched.
func (w *Integrator[T]) closed(s *cornerMode[T], face int) bool {
	c := condition{contact: s.unit, kind: height, face: face}
	value, _ := w.cornerValue(s, c)
	size, _ := w.cornerSizes(s, c)
	return certain(value, boundary*size) <= 0
}

// cornerConditions adds the conditions of a corner.
func (w *Integrator[T]) cornerConditions(s *cornerMode[T]) {
	add := func(k kind, face int) { w.list = append(w.list, condition{contact: s.unit, kind: k, face: face}) }
	for _, f := range s.support().faces {
		add(pressure, f)
	}
	stuck := s.slip == 0 && !s.support().smooth
	for f := range s.Faces {
		if s.bears(f) {
			continue
		}
		add(height, f)
		if stuck && w.closed(s, f) {
			add(adjacent, f)
		}
	}
	switch {
	case !s.hasFriction():
	case s.slip != 0:
		add(slipRate, 0)
	case w.curved(s):
		add(cone, 0)
	default:
		add(forward, 0)
		add(backward, 0)
	}
}

// cornerValue is value of a corner.
func (w *Integrator[T]) cornerValue(s *cornerMode[T], c condition) (value, rate T) {
	x := s.support()
	r, dr := vector(w.r, s.Dof), vector(w.dr, s.Dof)
	var zero T
	switch c.kind {
	case height:
		f := &s.Faces[c.face]
		return f.Gap.Add(inner(f.N, vector(w.q, s.Dof))), inner(f.N, vector(w.v, s.Dof))
	case pressure:
		share := x.shares[slices.Index(x.faces, c.face)]
		return inner(share, r), inner(share, dr)
	case adjacent:
		n := s.Faces[c.face].N
		return zero.Sub(inner(n, s.rest(x, r))), zero.Sub(inner(n, s.rest(x, dr)))
	case forward:
		return inner(sum3(x.bound, s.axis), r), inner(sum3(x.bound, s.axis), dr)
	case backward:
		return inner(less(x.bound, s.axis), r), inner(less(x.bound, s.axis), dr)
	case cone:
		return w.cone(s)
	}
	return inner(s.ways[0].motion, vector(w.v, s.Dof)), zero
}

// cornerSizes is sums of a corner.
func (w *Integrator[T]) cornerSizes(s *cornerMode[T], c condition) (value, rate float64) {
	x := s.support()
	for i := range 3 {
		d := s.Dof + i
		share := 1 + abs(x.bound[i].Float())
		switch k := abs(w.form.diagonal(d).Float()); c.kind {
		case height:
			n := abs(s.Faces[c.face].N[i].Float())
			value, rate = value+n*abs(w.q[d].Float()), rate+n*abs(w.v[d].Float())
			if k > 0 {
				value, rate = value+n*w.size[d]/k, rate+n*w.dsize[d]/k
			}
		case slipRate:
			value += abs(w.v[d].Float())
			if k > 0 {
				value += share * w.dsize[d] / k
				if w.smooth {
					value += w.form.Source.Frequency() * share * w.size[d] / k
				}
			}
		case pressure:
			n := abs(x.shares[slices.Index(x.faces, c.face)][i].Float())
			value, rate = value+n*w.size[d], rate+n*w.dsize[d]
		default:
			value, rate = value+share*w.size[d], rate+share*w.dsize[d]
		}
	}
	switch c.kind {
	case pressure, adjacent, forward, backward, cone:
		value += w.load // what neighbours leave
	case height:
		value += abs(s.Faces[c.face].Gap.Float()) + s.reach
	}
	return value, rate
}

// applyChange gives a contact or a corner what follows a condition that would fail.
func (w *Integrator[T]) applyChange(c condition) {
	s := w.cornerOf(c.contact)
	if s == nil {
		w.regime[c.contact] = c.then
		return
	}
	switch c.kind {
	case height, adjacent:
		w.join(s, c.face)
		w.settleOnFaces(s)
	case pressure:
		s.leave(c.face)
	case forward:
		s.slip = 1
	case backward:
		s.slip = -1
	case cone:
		w.face(s)
	case slipRate:
		s.slip = 0
	}
}

// face lets a corner slip on its one face against its force, or the rate of it where there is none.
func (w *Integrator[T]) face(s *cornerMode[T]) {
	d := s.rest(s.support(), vector(w.r, s.Dof))
	if !w.loadedAlong(s) {
		d = s.rest(s.support(), vector(w.dr, s.Dof))
	}
	if l, _ := inner(d, d).Root(); l.Sign() > 0 {
		s.axis, s.slip = less([3]T{}, over(d, l)), 1
	}
}

// leave takes a face that no longer bears from the support. What slips along an edge goes on along
// it.
func (s *cornerMode[T]) leave(face int) {
	edge := s.support().edge
	faces := slices.DeleteFunc(slices.Clone(s.support().faces), func(f int) bool { return f == face })
	s.at = s.supportOf(faces)
	s.lost = false
	if s.slip != 0 && s.hasFriction() && len(faces) == 1 {
		s.axis = edge
		return
	}
	s.slip = 0
	s.axis = s.support().edge
}

// join adds a face that is met to the support, and removes those that then bear nothing: the forces
// are divided anew. The corner sticks until it is seen to slip.
func (w *Integrator[T]) join(s *cornerMode[T], face int) {
	with := append(slices.Clone(s.support().faces), face)
	slices.Sort(with)
	all := s.supportOf(with)
	s.slip, s.unbalanced = 0, false
	try := func(at int) bool {
		s.at = at
		return at >= 0 && slices.Contains(s.supports[at].faces, face) && w.admits(s, 0)
	}
	if len(with) <= mostFaces && try(all) {
		s.axis = s.support().edge
		return
	}
	for at := range s.supports {
		if try(at) {
			s.axis = s.support().edge
			return
		}
	}
	s.unbalanced = true
	if s.at = all; all < 0 {
		s.at = s.supportOf([]int{face})
	}
	s.axis = s.support().edge
}

// admits reports whether the present support bears the present force, what friction holds included:
// the conditions of the state, without those of the rates. more is what forces may be off by,
// beside rounding [N].
func (w *Integrator[T]) admits(s *cornerMode[T], more float64) bool {
	x := s.support()
	r := vector(w.r, s.Dof)
	size := boundary*(w.forceSize(s)+w.load) + more/rounding
	for i, f := range x.faces {
		if certain(inner(x.shares[i], r), size) < 0 || !w.closed(s, f) {
			return false
		}
	}
	d := s.rest(x, r)
	for f := range s.Faces {
		if !s.bears(f) && certain(inner(s.Faces[f].N, d), size) > 0 && w.closed(s, f) {
			return false
		}
	}
	if len(x.faces) == mostFaces {
		return true
	}
	held := inner(x.bound, r)
	if square := inner(d, d); !square.Exact() {
		l, _ := square.Root()
		return certain(l.Sub(held), size) <= 0
	} else {
		return held.Sign() >= 0 && square.Compare(held.Mul(held)) <= 0
	}
}

// orient finds the direction along which a corner that sticks on one face would slip: that of the
// force along the face, or of its rate where there is none.
func (w *Integrator[T]) orient(s *cornerMode[T]) {
	if x := s.support(); len(x.faces) != 1 || !s.hasFriction() {
		return
	} else if s.slip != 0 {
		s.side = cross(s.Faces[x.faces[0]].N, s.axis)
		return
	}
	f := s.support().faces[0]
	s.axis, s.side, s.lost = [3]T{}, [3]T{}, false
	for _, v := range s.guesses[f] {
		s.axis, s.side = v, cross(s.Faces[f].N, v)
		if !w.turns(s) {
			return
		}
	}
	s.axis, s.side = [3]T{}, [3]T{}
	d, rate := s.rest(s.support(), vector(w.r, s.Dof)), s.rest(s.support(), vector(w.dr, s.Dof))
	forces, rates := 0.0, 0.0
	for i := range 3 {
		forces, rates = forces+w.size[s.Dof+i], rates+w.dsize[s.Dof+i]
	}
	square := inner(d, d)
	if other := inner(rate, rate); square.Sign() == 0 || other.Float()*forces*forces > square.Float()*rates*rates {
		square, d = other, rate
	}
	if l, ok := square.Root(); ok && l.Sign() > 0 {
		s.axis = over(d, l)
		canonical(&s.axis)
		s.side = cross(s.Faces[f].N, s.axis)
	} else {
		s.lost = l.Sign() > 0
	}
}

// turns reports whether the force on a corner on one face, or its rate, is not along its axis.
func (w *Integrator[T]) turns(s *cornerMode[T]) bool {
	if len(s.support().faces) != 1 || !s.hasFriction() {
		return false
	}
	if s.lost {
		return true
	}
	var force, rate float64
	for i := range 3 {
		force, rate = force+w.size[s.Dof+i], rate+w.dsize[s.Dof+i]
	}
	if w.smooth {
		rate += w.form.Source.Frequency() * force
	}
	return certain(inner(s.side, vector(w.r, s.Dof)), boundary*force) != 0 ||
		certain(inner(s.side, vector(w.dr, s.Dof)), boundary*rate) != 0
}

// steady returns a [*TurnError] for a corner whose force turns, in numbers that do not round.
func (w *Integrator[T]) steady() error {
	if !w.t.Exact() {
		return nil
	}
	if turn := w.Turning(); turn != nil {
		return turn
	}
	return nil
}

// Turning returns the corner whose force turns along its one face at the present time; nil: none
// does.
func (w *Integrator[T]) Turning() *TurnError {
	for k := range w.corners {
		if s := &w.corners[k]; w.turns(s) {
			return &TurnError{Time: w.t.Float(), Contact: s.first + s.support().faces[0]}
		}
	}
	return nil
}

// settleOnFaces puts a corner onto the faces that bear it, from which rounding took it.
func (w *Integrator[T]) settleOnFaces(s *cornerMode[T]) {
	x := s.support()
	q := vector(w.q, s.Dof)
	for i, f := range x.faces {
		face := &s.Faces[f]
		q = less(q, scaled(x.shares[i], face.Gap.Add(inner(face.N, vector(w.q, s.Dof)))))
	}
	for _, f := range x.faces {
		if face := &s.Faces[f]; face.N[0].Sign() == 0 && face.N[1].Sign() == 0 && face.N[2].Float() == 1 {
			q[2] = q[2].Sub(face.Gap.Add(q[2])) // a coordinate: exact
		}
	}
	copy(w.q[s.Dof:], q[:])
	for _, v := range q {
		s.reach = max(s.reach, abs(v.Float()))
	}
}

// label sets the regimes of the faces of the corners.
func (w *Integrator[T]) label() {
	for k := range w.corners {
		s := &w.corners[k]
		for f := range s.Faces {
			w.regime[s.first+f] = w.faceRegime(s, f)
		}
	}
}

// faceRegime is the regime of a face. One that is touched and bears nothing sticks, like one
// without friction.
func (w *Integrator[T]) faceRegime(s *cornerMode[T], face int) Regime {
	c := condition{contact: s.unit, kind: height, face: face}
	switch _, rate := w.cornerValue(s, c); {
	case s.bears(face) && s.slip > 0 && s.Faces[face].Mu.Sign() > 0:
		return SlipForward
	case s.bears(face) && s.slip < 0 && s.Faces[face].Mu.Sign() > 0:
		return SlipBackward
	case s.bears(face):
		return Stick
	default:
		_, size := w.cornerSizes(s, c)
		if !w.closed(s, face) || certain(rate, size) > 0 || certain(rate, size) == 0 && w.separates(s, face) {
			return Open
		}
	}
	return Stick
}

// separates reports whether a corner that begins to turn leaves a face from which it does not move
// away yet: it goes along e, or, where that is along the face, to where e turns, −ḋ.
func (w *Integrator[T]) separates(s *cornerMode[T], face int) bool {
	if s.slip == 0 || !w.curved(s) {
		return false
	}
	n := s.Faces[face].N
	if away := certain(inner(n, s.ways[0].motion), boundary); away != 0 {
		return away > 0
	}
	_, size := w.cornerSizes(s, condition{contact: s.unit, kind: cone})
	return certain(inner(n, s.rest(s.support(), vector(w.dr, s.Dof))), boundary*size) < 0
}

// initCorners makes the corners of the walk.
func (w *Integrator[T]) initCorners() (err error) {
	if len(w.form.Corners) == 0 {
		return nil
	}
	if w.corners, err = cornerModes(w.form); err != nil {
		return err
	}
	w.cornerAt = slices.Repeat([]int{-1}, w.form.N)
	for k := range w.corners {
		s := &w.corners[k]
		for i := range 3 {
			w.cornerAt[s.Dof+i] = k
		}
		w.regime = append(w.regime, make([]Regime, len(s.Faces))...)
	}
	return nil
}

// kept is what an unknown without resistance keeps; those of corners are steps from where they are.
func (w *Integrator[T]) kept(x []T, i int) T {
	if w.cornered(i) {
		var zero T
		return zero
	}
	return x[i]
}

// startCorner finds the support of a corner at the start; force is what may be left there [N].
func (w *Integrator[T]) startCorner(s *cornerMode[T], force float64) error {
	for s.at = range s.supports {
		if w.admits(s, force) {
			s.axis = s.support().edge
			return nil
		}
	}
	r, all := vector(w.r, s.Dof), 0.0
	for _, v := range r {
		all = math.Hypot(all, v.Float())
	}
	return &UnstableError{Contact: s.first, Dof: s.Dof, Force: all}
}

// loss is the error of a motion that nothing holds.
func (w *Integrator[T]) loss(dof int) error {
	e := &LossError{Time: w.t.Float(), Dof: dof}
	if w.cornered(dof) {
		s := &w.corners[w.cornerAt[dof]]
		for c, v := range s.ways[dof-s.Dof].motion {
			e.Motion[c] = v.Float()
		}
		e.Dof = s.Dof
	}
	return e
}

// presses reports whether a face of the support has a normal force now or from now on.
func (w *Integrator[T]) presses(s *cornerMode[T], face int) bool {
	c := condition{contact: s.unit, kind: pressure, face: face}
	value, rate := w.cornerValue(s, c)
	vs, rs := w.cornerSizes(s, c)
	return certain(value, boundary*vs) > 0 || certain(rate, rs) > 0
}

// broken reports whether a corner bears a force that its support cannot bear, whatever its rate:
// forces are divided anew where a corner meets a face, and friction may then hold less than before.
func (w *Integrator[T]) broken(c condition, value T) bool {
	return w.cornerOf(c.contact) != nil && c.kind != height && c.kind != slipRate && value.Sign() < 0 &&
		(value.Exact() || value.Float() < -unbalanced*w.load)
}

// unbalanced is the part of the loads that is far above the rounding of a force.
const unbalanced = 1e-9

// slips reports whether a contact or a corner does.
func (w *Integrator[T]) slips(unit int) bool {
	if s := w.cornerOf(unit); s != nil {
		return s.slip != 0
	}
	return w.regime[unit].direction() != 0
}

// admissibleModes are what a corner at a bound may do: rest on any support that bears its force,
// and slip where friction holds no more.
func (w *Integrator[T]) admissibleModes(s *cornerMode[T]) (list []func()) {
	at := s.at
	for k := range s.supports {
		s.at = k
		if !w.admits(s, 0) {
			continue
		}
		stick := func() { s.at, s.slip, s.axis = k, 0, s.supports[k].edge }
		list = append(list, stick)
		if !s.hasFriction() || !w.atConeBound(s) {
			continue
		}
		for _, axis := range w.axes(s) {
			for _, slip := range [2]int{1, -1} {
				list = append(list, func() {
					stick()
					s.axis, s.slip = axis, slip
				})
			}
		}
	}
	s.at = at
	return list
}

// axes are the directions along which a corner on its support may begin to slip: the edge, that of
// its force along the one face, or where there is none all that are guessed.
func (w *Integrator[T]) axes(s *cornerMode[T]) [][3]T {
	if len(s.support().faces) == 2 {
		return [][3]T{s.support().edge}
	}
	axis, slip := s.axis, s.slip
	defer func() { s.axis, s.slip = axis, slip }()
	s.slip = 0
	if w.orient(s); w.loadedAlong(s) {
		return [][3]T{s.axis}
	}
	return s.guesses[s.support().faces[0]]
}

// loadedAlong reports whether there is a force along the faces of a corner.
func (w *Integrator[T]) loadedAlong(s *cornerMode[T]) bool {
	for _, v := range s.rest(s.support(), vector(w.r, s.Dof)) {
		if certain(v, boundary*(w.forceSize(s)+w.load+w.timeSize(s))) != 0 {
			return true
		}
	}
	return false
}

// atConeBound reports whether the force on a corner is all that friction holds.
func (w *Integrator[T]) atConeBound(s *cornerMode[T]) bool {
	x, r := s.support(), vector(w.r, s.Dof)
	d, held := s.rest(x, r), inner(x.bound, r)
	square := inner(d, d)
	if square.Exact() {
		return square.Compare(held.Mul(held)) >= 0
	}
	l, _ := square.Root()
	return certain(held.Sub(l), boundary*(w.forceSize(s)+w.load)) <= 0
}

// forceSize is what was added up to what friction holds less the force along the faces of a corner.
func (w *Integrator[T]) forceSize(s *cornerMode[T]) (size float64) {
	for i, b := range s.support().bound {
		size += (1 + abs(b.Float())) * w.size[s.Dof+i]
	}
	return size
}

// timeSize is what the forces on a corner are rounded like because the time is.
func (w *Integrator[T]) timeSize(s *cornerMode[T]) (size float64) {
	for i, b := range s.support().bound {
		size += (1 + abs(b.Float())) * w.dsize[s.Dof+i]
	}
	return timeRounding * abs(w.t.Float()) * size
}

// Face returns the normal force of a contact that is a face of a corner and the friction along its
// axes [N]; false for a contact that is none. Friction that holds is shared in the proportion of
// what the faces can hold.
func (w *Integrator[T]) Face(contact int) (normal T, friction [3]T, ok bool) {
	s, f := w.faceOf(contact)
	if s == nil {
		return normal, friction, false
	}
	x, r := s.support(), vector(w.r, s.Dof)
	at := slices.Index(x.faces, f)
	if at < 0 {
		return normal, friction, true
	}
	normal = inner(x.shares[at], r)
	if bound := inner(x.bound, r); bound.Sign() > 0 {
		friction = scaled(s.rest(x, r), s.Faces[f].Mu.Mul(normal).Quo(bound))
	}
	return normal, friction, true
}

// Moves reports whether a contact slides from the present time on. One without friction
// has no tangent of its own: it does not tell.
func (w *Integrator[T]) Moves(k int) bool {
	if s, f := w.faceOf(k); s != nil {
		// it turns and begins to move
		return s.slip != 0 && s.bears(f) && (inner(s.axis, vector(w.v, s.Dof)).Sign() != 0 || w.curved(s) && w.turns(s))
	}
	c := w.form.Contacts[k]
	return w.regime[k].direction() != 0 && w.v[c.T].Sign() != 0
}

// Pressed reports whether a contact has a normal force now or from now on.
func (w *Integrator[T]) Pressed(k int) bool {
	if s, f := w.faceOf(k); s != nil {
		return s.bears(f) && w.presses(s, f)
	}
	n := w.form.Contacts[k].N
	return w.regime[k] != Open && (certain(w.r[n], boundary*w.size[n]) > 0 || certain(w.dr[n], w.dsize[n]) > 0)
}

// contacts lists those of contacts and corners: of a corner the faces that are touched.
func (w *Integrator[T]) contacts(units []int) (list []int) {
	for _, k := range units {
		s := w.cornerOf(k)
		if s == nil {
			list = append(list, k)
			continue
		}
		for f := range s.Faces {
			if w.closed(s, f) {
				list = append(list, s.first+f)
			}
		}
	}
	return list
}
