package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// contacts solves for the impulses of a trial step and adds their part to w.
func (s *Stepper) contacts(ctx context.Context, h float64) error {
	if s.o.Grid == GapGrid {
		s.approaches()
	}
	s.choose(h)
	for rough := s.o.Grid == GapGrid && s.o.Friction == ExactCone && (s.comers() || s.piled()); ; {
		if s.sleep(h); s.rest.roused {
			return nil
		}
		if rough && len(s.p.list) >= manyContacts && !s.faced() { // which contacts join is known long before their forces
			if err := s.predict(h); err != nil || s.rest.roused {
				return err
			}
			rough = false
		}
		if err := s.loadFree(func() error { return s.loadSlim(s.alpha) }); err != nil {
			return err
		}
		if len(s.p.list) == 0 {
			s.stay(s.w)
			s.classify(h)
			return s.heldOpen(h)
		}
		s.drive(h)
		s.relative(s.p.b, s.w)
		s.gapTerms(h)
		s.guess(h)
		if err := s.solve(ctx); err != nil {
			return err
		}
		if s.o.Grid != GapGrid || !s.joins(h) {
			break
		}
	}
	s.pushSolved(s.w)
	s.stay(s.w)
	s.remember(h)
	s.settleDown(h)
	s.classify(h)
	return s.heldOpen(h)
}

// choose lists the touches of a step: the active set, and on the gap grid
// those that would close.
func (s *Stepper) choose(h float64) {
	p := &s.p
	p.list, p.laws = p.list[:0], p.laws[:0]
	if s.o.Grid == GapGrid {
		s.turnBodies(s.w)
	}
	for i := range s.touches {
		m := &s.marks[i]
		if s.o.Grid == GapGrid {
			m.active = s.touches[i].Gap <= s.unit*touchGap || m.loaded || s.touches[i].Gap+h*s.approachTurned(i, s.w, h) < 0
		}
		if m.active {
			p.list = append(p.list, i)
			p.laws = append(p.laws, s.lawOf(i))
		}
	}
	s.untwin()
}

// comers reports whether there is a contact in the list that was not there in the step before:
// what it pushes may close others.
func (s *Stepper) comers() bool {
	for _, i := range s.p.list {
		if !s.marks[i].was {
			return true
		}
	}
	return false
}

// piled reports whether the bodies of a large island take part, no two of which meet in several points: what slips
// somewhere in it closes contacts elsewhere, whether one has come or not. Of 319 steps of a pile of 200 jittered
// spheres 150 had no comer; they took 2.4 problems each, the others, whose contacts join ahead, 1.5.
func (s *Stepper) piled() bool {
	p, x := &s.p, &s.rest
	if len(p.list) < largeIsland {
		return false
	}
	s.tie(s.p.list)
	p.mark = grow(p.mark, len(x.root))
	clear(p.mark)
	most, last := 0, uint64(math.MaxUint64)
	for _, i := range p.list { // sorted, as the touches are
		t := &s.touches[i]
		if t.Pair() == last {
			return false
		}
		last = t.Pair()
		r := x.first(t.A)
		p.mark[r]++
		most = max(most, p.mark[r])
	}
	return most >= largeIsland
}

// approach returns u_N of touch i under the velocities w, over a step of length h; for 0 that
// of the instant.
func (s *Stepper) approach(i int, w []float64, h float64) float64 {
	t, spins := &s.touches[i], [2]vec{}
	spins[0] = s.spinOf(t.A, w)
	if t.B >= 0 {
		spins[1] = s.spinOf(t.B, w)
	}
	return s.approachBy(i, w, h, &spins)
}

// approachBy is approach with known spins of the bodies in space.
func (s *Stepper) approachBy(i int, w []float64, h float64, spins *[2]vec) float64 {
	t := &s.touches[i]
	u := s.pointOf(t.A, t.At, w, spins[0])
	if s.driven {
		u = vec3.Add(u, -1, s.obstacleSpeed(i, h))
	}
	if t.B >= 0 {
		u = vec3.Add(u, -1, s.pointOf(t.B, t.At, w, spins[1]))
	}
	return vec3.Dot(u, t.N)
}

func (s *Stepper) pointSpeed(body int, at vec, w []float64) vec {
	return s.pointOf(body, at, w, s.spinOf(body, w))
}

// spinOf is the spin of a body in space.
func (s *Stepper) spinOf(body int, w []float64) vec {
	b := &s.model.body[body]
	switch {
	case !b.spins:
		return vec{}
	case s.model.dim == 3:
		return turn(&s.poses[body], vec{w[b.v+3], w[b.v+4], w[b.v+5]})
	}
	return vec{0, 0, w[b.v+s.model.dim]}
}

// pointOf is pointSpeed with a known spin.
func (s *Stepper) pointOf(body int, at vec, w []float64, omega vec) vec {
	b := &s.model.body[body]
	var u vec
	copy(u[:s.model.dim], w[b.v:b.v+s.model.dim])
	if !b.spins {
		return u
	}
	return vec3.Add(u, 1, vec3.Cross(omega, vec3.Add(at, -1, s.poses[body].Centre)))
}

// turnBodies takes the spins of all bodies by the velocities w, for approachTurned: of a pile each has some ten touches.
func (s *Stepper) turnBodies(w []float64) {
	x := &s.predictor
	x.spins = grow(x.spins, len(s.model.body))
	for b := range x.spins {
		x.spins[b] = s.spinOf(b, w)
	}
}

// approachTurned is approach by the w of turnBodies.
func (s *Stepper) approachTurned(i int, w []float64, h float64) float64 {
	t, spins := &s.touches[i], [2]vec{s.predictor.spins[s.touches[i].A]}
	if t.B >= 0 {
		spins[1] = s.predictor.spins[t.B]
	}
	return s.approachBy(i, w, h, &spins)
}

// joinAhead, in ways that the forces of a step move a body in it, is the gap below which a touch joins
// the list after the sweeps that predict what moves. A contact too many costs a row and changes no
// solution; one too few costs the whole problem once more. In 60 steps of a pile of 200 jittered spheres that
// settles, each taken four times from the same state, 0, ¼, ½ and 1 made 381, 309, 281 and 272 problems, with ten sweeps by W before
// each; in 100 steps of 1,000 that fall 1, 2 and 4 make 93, 84 and 83 in 82 steps with contacts, 879, 912 and 952 contacts each.
const joinAhead = 3

// joins extends the list by touches that the solution closes; it is in p.r, the free velocity in w.
func (s *Stepper) joins(h float64) bool {
	copy(s.x, s.w)
	s.pushSolved(s.x)
	s.stay(s.x)
	before := len(s.p.list)
	if !s.extend(s.x, h, 0) {
		return false
	}
	s.p.list, s.p.laws = s.p.list[:before], s.p.laws[:before]
	s.remember(h)
	s.chooseActive()
	return true
}

// pairKick is the larger of the speeds that the forces of the step give the bodies of touch i.
func (s *Stepper) pairKick(i int) float64 {
	t := &s.touches[i]
	speed := s.kickSpeed(&s.model.body[t.A])
	if t.B >= 0 {
		speed = max(speed, s.kickSpeed(&s.model.body[t.B]))
	}
	return speed
}

// gapTerms adds what gaps bend to u_N, and Φ/h where a loaded contact has opened by drift, or on
// the gap grid: the step may close it, but not more.
func (s *Stepper) gapTerms(h float64) {
	if s.o.Unstabilised && s.o.Grid != GapGrid {
		return
	}
	for k, i := range s.p.list {
		if g := s.touches[i].Gap; g > s.unit*touchGap {
			s.p.b[k*s.p.dim] += g / h
		}
	}
	s.bendTerms(s.p.b)
}

// guess starts from the last impulses, scaled to the step.
func (s *Stepper) guess(h float64) {
	p := &s.p
	for k, i := range p.list {
		m := &s.marks[i]
		f := 0.0
		if m.h > 0 {
			f = h / m.h
		}
		for d := range p.dim {
			p.r[k*p.dim+d] = f * m.r[d]
		}
	}
}

// remember keeps the impulses in the marks.
func (s *Stepper) remember(h float64) {
	p := &s.p
	for i := range s.marks {
		if m := &s.marks[i]; !m.slept { // those are not in the list
			m.r, m.loaded, m.h = vec{}, false, h
		}
	}
	for k, i := range p.list {
		m := &s.marks[i]
		copy(m.r[:], p.r[k*p.dim:(k+1)*p.dim])
		m.loaded, m.mu = m.r[0] > 0, s.mu(i)
	}
	s.loadTwins()
	if !s.rough {
		s.markFree()
	}
}

// slides is a speed that is not rounding [m/s, by the size of the bodies].
const slides = 1e-9

// paradoxes counts the contacts of the problem that slide, under v^α of the step
// before, in a configuration of Painlevé.
func (s *Stepper) paradoxes() (n int) {
	p := &s.p
	u := grow(s.uMean, len(p.b))
	s.uMean = u
	s.relative(u, s.wLast)
	for k := range p.list {
		x := u[k*p.dim : (k+1)*p.dim]
		if ut := length(x[1:]); ut > s.pace*slides && s.pulls(k, x, lawMu(p.laws[k])/ut) {
			n++
		}
	}
	return n
}

// classify counts open, sticking and slipping contacts by v^α, and Painlevé's
// configurations by v^α of the step before: v itself may alternate where the
// contact sticks.
func (s *Stepper) classify(h float64) {
	p, st := &s.p, &s.step
	st.Open, st.Stick, st.Slip, st.Painleve = len(s.touches)-len(p.list), 0, 0, 0
	for i := range s.marks {
		m := &s.marks[i]
		if !s.rests(i) {
			m.state = Open
			continue
		}
		switch m.state { // as it was
		case Stick:
			st.Stick, st.Open = st.Stick+1, st.Open-1
		case Slip:
			st.Slip, st.Open = st.Slip+1, st.Open-1
		}
	}
	if len(p.list) == 0 {
		if len(s.marks) > 0 {
			s.remember(h)
		}
		return
	}
	st.Painleve = s.paradoxes()
	u := s.uMean
	s.relative(u, s.w)
	s.bendTerms(u)
	for k := range p.list {
		r, x := p.r[k*p.dim:(k+1)*p.dim], u[k*p.dim:(k+1)*p.dim]
		rt, ut := length(r[1:]), length(x[1:])
		mu, state := lawMu(p.laws[k]), &s.marks[p.list[k]].state
		switch {
		case !(r[0] > 0):
			*state = Active
			st.Open++
		case rt >= mu*r[0]*(1-1e-6) && (mu == 0 || ut > s.pace*slides): // solver tolerance
			*state = Slip
			st.Slip++
		default:
			*state = Stick
			st.Stick++
		}
	}
}

// pulls reports whether a push along the sliding cone of contact k would
// accelerate it inwards.
func (s *Stepper) pulls(k int, u []float64, f float64) bool {
	var w [9]float64
	s.blockOf(&w, k)
	a := w[0]
	for d := 1; d < s.p.dim; d++ {
		a -= f * u[d] * w[d]
	}
	return a <= 0
}

// blockOf sets w to the block of W of contact k with itself, row by row.
func (s *Stepper) blockOf(w *[9]float64, k int) {
	p, n := &s.p, s.p.dim*s.p.dim
	if p.bare {
		s.ownBlock(w, k)
		for i := range n {
			w[i] *= p.alpha
		}
		return
	}
	*w = [9]float64{}
	for j := p.w.Ptr[k]; j < p.w.Ptr[k+1]; j++ {
		if p.w.Col[j] == k {
			copy(w[:], p.w.Val[j*n:(j+1)*n])
		}
	}
}

func lawMu(l contact.Law) float64 {
	switch l := l.(type) {
	case contact.Coulomb:
		return l.Mu
	case contact.Pyramid:
		return l.Mu
	}
	return math.NaN()
}
