package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// restShare: bodies rest where zero velocity solves the step to this many times Options.Tolerance,
// in the speeds that its forces give.
const restShare = 10

// rest is what is known of the bodies that contacts tie in the present step.
type rest struct {
	root         []int     // of their bodies, a first one each
	awake        []bool    // by roots
	asleep       []bool    // bodies that rest in this step
	push         []float64 // impulses of contacts
	noise        []float64 // of velocities, see measureNoise [m/s]
	noisiest     []float64 // by roots, where other bodies follow [m/s]
	was          []bool    // asleep, before an island came to rest
	bound        []int     // contacts that tie bodies as they come to rest
	any          bool      // body rests
	candidate    []bool    // components with joints that are taken to rest on, until sleep has looked
	anyCandidate bool      // there are some …
	woken        bool      // … one of which does not
}

// first of the bodies tied to b.
func (x *rest) first(b int) int {
	return forest.Sets(x.root).Root(b)
}

// tie makes the bodies of some contacts, and those that joints and forces tie, one.
func (s *sleeping) tie(list []int) {
	x := &s.rest
	n := len(s.model.Bodies)
	x.root, x.awake, x.asleep = grow(x.root, n), grow(x.awake, n), grow(x.asleep, n)
	for b := range x.root {
		x.root[b], x.awake[b], x.asleep[b] = b, false, false
	}
	s.joinBodies(x.root, list)
}

// sleep takes the contacts of islands at rest out of the list: their bodies have no velocity, and
// the impulses of the step before balance the forces of this one too, in its length. No contact has
// come, none has opened, no obstacle moves. That is checked in each step, so that any change wakes
// an island; what is left is the check.
func (s *sleeping) sleep(h float64) {
	x := &s.rest
	x.any, x.woken = false, x.anyCandidate
	for _, i := range s.p.list {
		x.any = x.any || s.marks[i].slept
	}
	if !x.any {
		return
	}
	s.tie(s.p.list)
	for _, i := range s.p.list {
		t, m := &s.touches[i], &s.marks[i]
		if !s.stands(t, h) || !s.frictionHolds(i, h) || !m.slept || m.pressed() > 0 && t.Gap > s.unit*touchGap ||
			!s.still(t.A) || t.B >= 0 && !s.still(t.B) ||
			!s.jointsSleep(t.A) || t.B >= 0 && !s.jointsSleep(t.B) {
			x.awake[x.first(t.A)] = true
		}
	}
	s.balance(h)
	x.any = false
	p := &s.p
	n := 0
	for k, i := range p.list {
		t, m := &s.touches[i], &s.marks[i]
		if x.awake[x.first(t.A)] {
			m.slept = false
			p.list[n], p.laws[n] = i, p.laws[k]
			n++
			continue
		}
		x.any = true
		s.rest.layAsleep(s.model, t.A)
		if t.B >= 0 {
			s.rest.layAsleep(s.model, t.B)
		}
		if law := s.model.MaterialOf(t); law.Varies() { // what bounds the force is that of this step
			m.mu = s.restMu(i, h)
		}
		if m.h != h { // of a step of another length
			m.r, m.moment, m.pull, m.h = vec3.Scale(m.r, h/m.h), vec3.Scale(m.moment, h/m.h), m.pull*h/m.h, h
		}
	}
	p.list, p.laws = p.list[:n], p.laws[:n]
	x.woken = false
	for c, doze := range x.candidate {
		x.woken = x.woken || doze && !x.asleep[s.model.Components[c].Bodies[0]]
	}
}

// presumeAsleep lists the components with joints that rested in the step before: their joints and
// matrices stay as they are if sleep finds that they do so in this one, and else the step is begun
// again without this.
func (s *sleeping) presumeAsleep() {
	x := &s.rest
	x.candidate = grow(x.candidate, len(s.model.Components))
	clear(x.candidate)
	if x.anyCandidate, x.woken = false, false; len(s.model.Rows) == 0 {
		return
	}
	for i := range s.marks {
		if !s.marks[i].slept {
			continue
		}
		for _, b := range [...]int{s.touches[i].A, s.touches[i].B} {
			if b >= 0 && s.model.Bodies[b].Tied && !x.candidate[s.model.Home[b]] {
				c := s.model.Home[b]
				x.candidate[c] = true
				for _, other := range s.model.Components[c].Bodies {
					x.candidate[c] = x.candidate[c] && s.still(other) && s.stopped(other)
				}
				x.anyCandidate = x.anyCandidate || x.candidate[c]
			}
		}
	}
}

// wake takes back what presume has.
func (x *rest) wake() {
	clear(x.candidate)
	x.anyCandidate, x.woken = false, false
}

// jointsSleep reports whether the joints of a body, if it has some, are those of the step before.
func (s *sleeping) jointsSleep(b int) bool {
	return !s.model.Bodies[b].Tied || s.rest.candidate[s.model.Home[b]]
}

// isCandidate reports whether a component is taken to rest, its joints with the forces that they
// had.
func (s *sleeping) isCandidate(c int) bool { return s.rest.anyCandidate && s.rest.candidate[c] }

// layAsleep puts a body and those that joints tie to it to sleep.
func (x *rest) layAsleep(m *multibody.Model, b int) {
	for _, other := range m.Components[m.Home[b]].Bodies {
		x.asleep[other] = true
	}
}

// frictionHolds reports whether μ, where it changes, still allows the last impulse of touch i.
func (s *sleeping) frictionHolds(i int, h float64) bool {
	x := s.model.MaterialOf(&s.touches[i])
	return !x.Varies() || length(s.marks[i].r[1:]) <= s.edge()*s.restMu(i, h)*s.marks[i].r[0]
}

// restMu is μ of touch i that rests in a step of h: by a law over slip that of no speed, at its state in
// this step, as [assembly.endSlip] has it for what sticks.
func (s *sleeping) restMu(i int, h float64) float64 {
	s.slip.h = h
	if l := s.slipLaw(i); l != nil {
		return l.Mu(0)
	}
	return s.mu(i)
}

// rests reports whether touch i is one of those that sleep has taken out of the step.
func (s *sleeping) rests(i int) bool {
	return s.rest.any && s.marks[i].slept && s.rest.asleep[s.touches[i].A]
}

// still reports whether a body has no velocity at all, but for a spin that may be free.
func (s *sleeping) still(b int) bool {
	p := &s.model.Bodies[b]
	for k, v := range s.v[p.V : p.V+p.N] {
		if v != 0 && !p.Idle[k] {
			return false
		}
	}
	return true
}

// stopped reports whether v^α of a body is zero.
func (s *sleeping) stopped(b int) bool {
	p := &s.model.Bodies[b]
	return zero(s.w[p.V : p.V+p.N])
}

func zero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// balance wakes the islands in which contacts do not balance the forces of a step.
func (s *sleeping) balance(h float64) {
	x := &s.rest
	x.push = grow(x.push, len(s.v))
	clear(x.push)
	s.measureNoise()
	s.spreadNoise()
	for c := range x.candidate {
		if s.isCandidate(c) {
			s.jointPush(x.push, c, h)
		}
	}
	for _, i := range s.p.list {
		t, m := &s.touches[i], &s.marks[i]
		if x.awake[x.first(t.A)] || m.r == (vec{}) {
			continue
		}
		if x := s.model.StopOf(t); x != nil {
			s.pushStop(x, m.r, h/m.h)
			continue
		}
		var f vec
		for d, r := range m.r {
			f = vec3.Add(f, r*h/m.h, m.frame[d])
		}
		couple := s.coupleOf(m, h/m.h)
		s.pushAt(t.A, t.At, 1, &f, &couple)
		if t.B >= 0 {
			s.pushAt(t.B, t.At, -1, &f, &couple)
		}
	}
	for _, i := range s.p.list {
		t := &s.touches[i]
		root := x.first(t.A)
		if !x.awake[root] && (s.skids(i, s.v) || !(s.balanced(t.A) && (t.B < 0 || s.balanced(t.B)))) {
			x.awake[root] = true
		}
	}
	for c := range x.candidate {
		if !s.isCandidate(c) {
			continue
		}
		for _, b := range s.model.Components[c].Bodies { // what no contact touches, too
			if !s.balanced(b) {
				x.awake[x.first(b)] = true
			}
		}
	}
}

// jointPush adds the impulses of the joints of a component in h, with the forces of the step
// before, to x.
func (s *sleeping) jointPush(x []float64, c int, h float64) {
	inv, comp := &s.inv[c], &s.model.Components[c]
	on := s.column[:inv.N]
	clear(on)
	for k, i := range comp.Rows {
		inv.Bands[k].Push(on, h*s.pull[i])
	}
	for i, v := range comp.Index {
		x[v] += on[i]
	}
}

// pushAt adds an impulse f at a place, and a moment, to those on a body.
func (s *sleeping) pushAt(body int, at vec, sign float64, f, couple *vec) {
	pose := &s.poses[body]
	moment := vec3.Add(*couple, 1, vec3.Cross(vec3.Add(at, -1, pose.Centre), *f))
	s.model.Put(s.rest.push[s.model.Bodies[body].V:], 1, body, pose, sign, f, &moment)
}

// balanced reports whether the impulses on a body change its velocity by no more than what the
// contact problems of steps leave.
func (s *sleeping) balanced(b int) bool {
	p := &s.model.Bodies[b]
	for k := range p.N {
		if v := (s.kick[p.V+k] + s.rest.push[p.V+k]) / s.model.Inertia(p, k); !(math.Abs(v)*p.Lever(k, s.model.Dim) <= s.restLimit(b, k)) {
			return false
		}
	}
	return true
}

// restSpeed is the speed below which a step does not tell a body from one at rest: also in its place, which
// one of 1e6 s does not keep where velocities are all but zero.
func (s *sleeping) restSpeed(p *multibody.Place) float64 {
	return min(restShare*s.o.Tolerance*s.kickSpeed(p), glide*s.unit/s.step.H)
}

// measureNoise sets noise to the speeds that the rounding of its impulses gives a body, in each of its
// directions: under 1e8 kg, a box of 1 kg feels forces of 1e9 N that cancel, in steps of .01 s to
// 1e-9 N s. About the length of a rod that is 1e8 times what it is along it.
func (s *sleeping) measureNoise() {
	const share = 2 * 0x1p-52 // of the sum of the impulses
	x := &s.rest
	x.noise = grow(x.noise, len(s.v))
	clear(x.noise)
	for _, i := range s.p.list {
		r := share * vec3.Norm(s.marks[i].r)
		for _, b := range [...]int{s.touches[i].A, s.touches[i].B} {
			if b >= 0 {
				s.addNoise(b, r, r*s.model.Bodies[b].Reach)
			}
		}
	}
	for c := range s.inv {
		for k, i := range s.model.Components[c].Rows {
			b, r, impulse := &s.inv[c].Bands[k], &s.model.Rows[i], share*s.step.H*math.Abs(s.pull[i])
			s.addNoise(r.A, impulse*vec3.Norm(b.Lever.Lin), impulse*vec3.Norm(b.Lever.AngA))
			if r.B >= 0 {
				s.addNoise(r.B, impulse*vec3.Norm(b.Lever.Lin), impulse*vec3.Norm(b.Lever.VB))
			}
		}
	}
}

// addNoise adds the speeds that an impulse and a moment of any direction give a body [N s, N m s].
func (s *sleeping) addNoise(b int, impulse, moment float64) {
	p := &s.model.Bodies[b]
	for k := range p.N {
		size := impulse
		if k >= s.model.Dim {
			size = moment * p.Arm
		}
		s.rest.noise[p.V+k] += size / s.model.Inertia(p, k)
	}
}

// spreadNoise gives the bodies that contacts tie the noise of the noisiest: where none opens or
// slides they follow it, however heavy they are and however many others are between. A body that is
// tied to none keeps its own.
func (s *sleeping) spreadNoise() {
	x := &s.rest
	x.noisiest = grow(x.noisiest, len(s.model.Bodies))
	clear(x.noisiest)
	for b := range s.model.Bodies {
		if r := x.first(b); r != b {
			x.noisiest[r] = max(x.noisiest[r], s.noiseOf(b), s.noiseOf(r))
		}
	}
	for b := range s.model.Bodies {
		p, most := &s.model.Bodies[b], x.noisiest[x.first(b)]
		for k := p.V; k < p.V+p.N; k++ {
			x.noise[k] = max(x.noise[k], most)
		}
	}
}

// noiseOf is that of a body in its noisiest direction.
func (s *sleeping) noiseOf(b int) float64 {
	p := &s.model.Bodies[b]
	return slices.Max(s.rest.noise[p.V : p.V+p.N])
}

// fallAsleep puts the islands to rest whose bodies move no more than restSpeed before and after the
// step, w its velocities: then v' = 0 solves it as well as w does, with the spins that are free.
func (s *sleeping) fallAsleep(h float64) {
	x := &s.rest
	if len(s.p.list) == 0 {
		return
	}
	quiet := false
	s.measureNoise()
	for _, i := range s.p.list { // most steps have none
		quiet = quiet || s.quiet(s.touches[i].A)
	}
	if !quiet {
		return
	}
	asleep := x.any
	was := append(x.was[:0], x.asleep...)
	x.was = was
	s.bind()
	s.tie(x.bound)
	s.spreadNoise()
	for _, i := range x.bound {
		t, m := &s.touches[i], &s.marks[i]
		if !s.stands(t, h) || m.loaded && t.Gap > s.unit*touchGap || !s.quiet(t.A) || t.B >= 0 && !s.quiet(t.B) ||
			s.skids(i, s.v) || s.skids(i, s.w) {
			x.awake[x.first(t.A)] = true
		}
	}
	for c := range s.model.Components {
		if list := s.model.Components[c].Bodies; len(list) > 1 || s.model.Bodies[list[0]].Tied {
			x.awake[x.first(list[0])] = x.awake[x.first(list[0])] || !s.holds(c)
		}
	}
	for _, i := range x.bound {
		t := &s.touches[i]
		if x.awake[x.first(t.A)] {
			continue
		}
		s.marks[i].slept = true
		s.stop(t.A)
		if t.B >= 0 {
			s.stop(t.B)
		}
	}
	if x.any = asleep; asleep {
		copy(x.asleep, was)
	}
}

// bind lists the contacts of the problem that tie bodies: not those that it had for being near, and
// found open and without a force.
func (s *sleeping) bind() {
	x := &s.rest
	x.bound = x.bound[:0]
	for _, i := range s.p.list {
		if s.marks[i].loaded || s.touches[i].Gap <= s.unit*touchGap {
			x.bound = append(x.bound, i)
		}
	}
}

// holds reports whether a component hardly moves, and its joints are closed so that no projection
// moves it.
func (s *sleeping) holds(c int) bool {
	for _, b := range s.model.Components[c].Bodies {
		if !s.quiet(b) {
			return false
		}
	}
	for _, i := range s.model.Components[c].Rows {
		if !(math.Abs(s.model.Rows[i].Value(s.poses)) <= s.unit*multibody.GapGoal) {
			return false
		}
	}
	return true
}

// quiet reports whether a body, tied by nothing but contacts and joints, hardly moves, but for a
// spin that may be free and does not change.
func (s *sleeping) quiet(b int) bool {
	p := &s.model.Bodies[b]
	if len(s.model.Components[s.model.Home[b]].Forces) > 0 {
		return false
	}
	for k := range p.N {
		v, w, l, limit := s.v[p.V+k], s.w[p.V+k], p.Lever(k, s.model.Dim), s.restLimit(b, k)
		if !(math.Abs(v)*l <= limit && math.Abs(w)*l <= limit) && !(p.Idle[k] && math.Abs(w-v)*l <= limit) {
			return false
		}
	}
	return true
}

// stop sets v^α of a body, and of those that joints tie to it, to that of v' = 0; a free spin goes
// on.
func (s *sleeping) stop(b int) {
	for _, other := range s.model.Components[s.model.Home[b]].Bodies {
		p, spins := &s.model.Bodies[other], s.spins(other)
		for k := range p.N {
			v := p.V + k
			if s.w[v] = (1 - s.alpha) * s.v[v]; spins && p.Idle[k] {
				s.w[v] = s.v[v]
			}
		}
	}
}

// stay sets the velocities of the bodies that rest to zero, and free spins to what they are.
func (s *sleeping) stay(w []float64) {
	if !s.rest.any {
		return
	}
	for b, asleep := range s.rest.asleep {
		if !asleep {
			continue
		}
		p := &s.model.Bodies[b]
		for k := range p.N {
			if w[p.V+k] = 0; p.Idle[k] {
				w[p.V+k] = s.v[p.V+k]
			}
		}
	}
}

// sleeping knows what rests, and predicts the contacts and speeds of a step.
type sleeping struct {
	*motion
	*contactSet
	*drives
	*mechanics
	*assembly
	*solution
	*accounts

	rest      rest
	predictor predictor
}
