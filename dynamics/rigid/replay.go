package rigid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Impulse is what one touch did to its first body in a step without collisions, the opposite to the
// second one, at the place of the touch when the step began.
type Impulse struct {
	Key    uint64
	On     [3]float64 // global components [N s]
	Moment [3]float64 // beyond that of On at its place [N m s]
	State  float64    // of its friction at the beginning of the step, see [friction.Stateful] [s, m]
}

// Replay judges the steps of a run from its files, by a stepper of the same model: it solves no
// contact problem again.
type Replay struct {
	*Stepper
	residual float64 // see Solved …
	steps    int
}

// NewReplay replays by a stepper, which is the replay's from then on.
func NewReplay(s *Stepper) *Replay { return &Replay{Stepper: s} }

// Finding says how far a step that was made before is from the equations of the scheme; see
// [Stepper.Replay].
type Finding struct {
	// Motion is the largest part of S(M̃(v' − v) − k̃ − Hr), the error of the equations of motion
	// as a velocity that the joints admit, over Speed, the size of the velocities of its component;
	// at velocity MotionAt.
	Motion, Speed float64
	MotionAt      int
	// Kick is the work of the sizes of all forces of the step on the velocities that they would give [J].
	Kick float64
	// Rounding is what rounding leaves of the works at contacts that are driven, Σ|r||s₀| of speeds s₀
	// that may be those of a controller far from where it wants to be [J].
	Rounding float64
	// Joint is the largest |G v^α| [m/s, rad/s], at joint JointAt.
	Joint   float64
	JointAt int
	// Law is the largest natural residual of a contact over the largest impulse of the step: the
	// cone, complementarity, maximal dissipation, stick at rest. Of touch LawAt.
	Law   float64
	LawAt uint64
	// Few is the same of islands of less than a dozen contacts, of FewAt; Off the largest natural
	// residual of the others as a speed, over what the forces of the step give a body of the
	// contact, of OffAt. They are judged where solves are inexact, see [Stepper.Limits].
	Few   float64
	FewAt uint64
	Off   float64
	OffAt uint64
	// Cone is the largest distance of an impulse to its cone over the largest impulse of the step,
	// of ConeAt.
	Cone   float64
	ConeAt uint64
	// Weakening is that of [Step].
	Weakening float64
	// Bound is what the rounding of slips leaves of the friction that bounds the contacts, by laws that rise
	// or fall with slip, of all of them together [N].
	Bound float64
	// State is the largest part by which the state of a contact, whose friction ages, is not what the
	// step before has left; of touch StateAt.
	State   float64
	StateAt uint64
	// Path is the largest difference of q' and the projection of q + h v^γ onto joints and gaps, at
	// coordinate PathAt.
	Path   float64
	PathAt int
	// Strange is an impulse of no touch near; valid with IsStrange.
	Strange   uint64
	IsStrange bool
	// Energy is the ledger after the step, beginning at the last [Stepper.Jump].
	Energy Energy
}

// Jump sets the state, after a step that cannot be replayed. Contacts with a force are forgotten.
func (s *Replay) Jump(t float64, q, v []float64) error {
	if len(q) != len(s.q) || len(v) != len(s.v) {
		return fmt.Errorf("rigid: a state of %d coordinates and %d velocities, want %d and %d", len(q), len(v), len(s.q), len(s.v))
	}
	moved, unsolved := s.movedTo(q, v), s.unsolvedUntil(t)
	s.t = t
	copy(s.q, q)
	copy(s.v, v)
	copy(s.w, v)
	clear(s.pull)
	s.touches = s.touches[:0]
	s.marks = s.marks[:0]
	s.detectAnew()
	s.ledger = Energy{}
	s.openLedger()
	s.presentShares()
	for i, f := range s.model.Setup.Forces {
		s.worth.Shares.Elastic[i] = f.Energy(&s.snap)
	}
	stored := s.storedNow()
	for i := range s.model.Bodies {
		motion := s.momentumOf(i, s.v)
		s.worth.Made.Move(i, &motion, s.kineticOf(i, s.v), stored[i])
	}
	s.worth.Made.Give(moved, unsolved)
	return nil
}

// unsolvedUntil returns what the residual of the contact problems may make of the energies of the
// bodies on the way to a time, as in steps of loads and weights of one length, see [dynamics.Unsolved].
func (s *Replay) unsolvedUntil(t float64) []float64 {
	steps, unsolved := float64(max(1, s.steps)), make([]float64, len(s.model.Bodies))
	h := (t - s.t) / steps
	s.forces(s.loads, t, h)
	for i := range s.loads {
		s.loads[i] *= h
	}
	for i := range unsolved {
		unsolved[i] = steps * dynamics.Unsolved(s.residual, s.restEnergy(i, h))
	}
	return unsolved
}

// Recall says whether a touch slid or stuck at the end of a step that [Replay.Jump] leaves out: what sticks
// goes along with an obstacle that turns.
func (s *Replay) Recall(key uint64, slides bool) {
	for i := range s.touches {
		if s.touches[i].Key != key {
			continue
		}
		if s.marks[i].state = Stick; slides {
			s.marks[i].state = Slip
		}
	}
}

// movedTo returns the energies that have moved in each island, at its first body, on the way to a
// state: what its bodies have fallen, as in a step, also where a collision has taken it from them,
// and what they have gained beyond that.
func (s *Replay) movedTo(q, v []float64) []float64 {
	n, root := len(s.model.Bodies), s.worth.Made.Root
	moved, fallen := make([]float64, n), make([]float64, n)
	for i, r := range root {
		moved[r] += s.kineticOf(i, v) - s.kineticOf(i, s.v)
		fallen[r] += s.potentialOf(i, s.q) - s.potentialOf(i, q)
	}
	for i := range moved {
		moved[i] = max(moved[i], fallen[i])
	}
	return moved
}

// Tie makes one island of two bodies, for [Stepper.Accurate]: a collision has tied them in a step
// that [Stepper.Jump] leaves out.
func (s *Replay) Tie(a, b int) { s.link(a, b) }

// TieTouching ties all bodies that touch at the present state, at one of the ends of such a step:
// what an impact passes on goes through them, and the files name only the contact that has closed.
func (s *Replay) TieTouching() {
	for i := range s.touches {
		if t := &s.touches[i]; t.Gap <= s.unit*touchGap {
			s.linkTouch(t)
		}
	}
}

// Blur says that the places given to [Stepper.Jump] and [Stepper.Replay] are rounded, so that gaps
// are off by as much as a length [m]: the laws of contacts are then judged beyond that, and the
// energies beyond what it is worth in gravity.
func (s *Replay) Blur(length float64) { s.blur = length }

// StoredRounding is what that leaves of the energies of all springs at the present state [J].
func (s *Replay) StoredRounding() (sum float64) {
	for _, x := range s.storedRounding() {
		sum += x
	}
	return sum
}

// Solved says to what residual the contact problems of the steps were solved that are to be replayed
// from now on, and how many steps there are from one state to the next: what that may make of energy
// is no error of the step length.
func (s *Replay) Solved(residual float64, steps int) { s.residual, s.steps = residual, steps }

// Blurred reports whether roundings and residuals hide what an accuracy asks of energies.
func (s *Replay) Blurred(accuracy float64) bool {
	all := &s.worth.Made.Whole
	return all.Rounding > accuracy*all.Scale() || slices.ContainsFunc(s.worth.Made.Island,
		func(c dynamics.Creation) bool { return c.Hidden() })
}

// Replay advances by h, in a mode, to a state (q, v) at a time t, with the impulses of the contacts, all of them
// given, and says how far these are from the scheme. It does not solve for them: the forces of the
// joints are those that the rest of the equations leaves. Only the projection, without friction, is
// done again.
func (s *Replay) Replay(ctx context.Context, h, t float64, mode Mode, q, v []float64, impulses []Impulse) (*Finding, error) {
	if len(q) != len(s.q) || len(v) != len(s.v) {
		return nil, fmt.Errorf("rigid: a state of %d coordinates and %d velocities, want %d and %d", len(q), len(v), len(s.q), len(s.v))
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("rigid: the step that is done again: %w", context.Cause(ctx))
	}
	f, err := s.imposeStep(h, mode, v, impulses)
	if err != nil {
		return nil, err
	}
	s.step.Residual = s.residual
	s.classify(h)
	s.loadImpulse(h)
	for i, x := range s.lead {
		s.loads[i] += x
	}
	s.jointImpulse(h, false)
	s.cutAt = 1
	s.account(h, false)
	return f, s.moveTo(ctx, f, h, t, q, v)
}

// imposeStep looks at the equations of motion and the laws of the step.
func (s *Replay) imposeStep(h float64, mode Mode, v []float64, impulses []Impulse) (*Finding, error) {
	a, g := mode.weights(&s.o)
	s.alpha, s.gamma, s.ends = a, g, s.driven && mode&ModeImplicit != 0
	s.begin(h)
	s.speculate(h)
	s.forgetCurves()
	s.straight = mode&ModeStraight != 0
	s.sliding()
	s.spanFriction(h, a)
	copy(s.vNext, v)
	s.returnSpins(h)
	clear(s.limits)
	s.limitMotors(h, s.w)
	if !s.linear() {
		s.openShifts(h)
		s.middle(h)
		s.guessImpulses(0)
	}
	if err := s.prepare(terms{h, a, g}); err != nil {
		return nil, err
	}
	clear(s.lead)
	s.impulse(h)
	if s.model.Led {
		s.leadForces(h)
		s.impulse(h)
	}
	s.findCarried()
	s.curveEvery(h)
	f := &Finding{}
	s.impose(f, h, impulses)
	s.kinked = s.kinks(h) || s.startBreaks()
	if err := s.loadProblem(a); err != nil {
		return nil, err
	}
	s.drive(h)
	for k, i := range s.p.list {
		copy(s.p.r[k*s.p.dim:(k+1)*s.p.dim], s.marks[i].r[:s.p.dim])
		s.takeMoments(k, 1)
	}
	s.imposeBearings(h)
	s.resist(h, s.v)
	if mode&ModePlain != 0 {
		s.findCurves(h)
	}
	for i, old := range s.v {
		s.x[i] = (1-g)*old + g*s.vEnd[i]
	}
	s.move(s.qNext, s.q, s.x, h)
	for i, v := range s.p.drive { // two roundings of the work on u − s₀, and of that on s₀
		f.Rounding += 4 * 0x1p-53 * math.Abs(s.p.r[i]*v)
	}
	s.equations(f, h)
	s.laws(f, h)
	return f, nil
}

// imposeState takes the state of a contact that the file gives, and looks at it where the step before
// is known.
func (s *Replay) imposeState(f *Finding, i int, x *Impulse) {
	before := s.stateOfAge(i)
	if before == 0 {
		return
	}
	if off := math.Abs(x.State-before) / before; s.marks[i].theta > 0 && off > f.State {
		f.State, f.StateAt = off, x.Key
	}
	s.marks[i].theta = x.State
}

// impose puts the impulses into the marks and lists the touches of the step: those that push and
// those that are closed.
func (s *Replay) impose(f *Finding, h float64, impulses []Impulse) {
	for i := range s.marks {
		m := &s.marks[i]
		m.r, m.moment, m.h, m.loaded, m.slept = vec{}, vec{}, h, false, false
		m.loose, m.pull = true, 0 // unless it has an impulse
	}
	for _, x := range impulses {
		i := slices.IndexFunc(s.touches, func(t bodies.Touch) bool { return t.Key == x.Key })
		if i < 0 {
			f.Strange, f.IsStrange = x.Key, true
			continue
		}
		m := &s.marks[i]
		s.imposeState(f, i, &x)
		m.loose = false
		m.pull = s.pullOf(i, h)
		for d := range s.model.Dim {
			m.r[d] = vec3.Dot(x.On, m.frame[d])
			if l := vec3.Dot(m.frame[d], m.frame[d]); s.model.MaterialOf(&s.touches[i]).Grain != nil {
				m.r[d] /= l
			}
		}
		for d := range s.clings {
			m.moment[d] = vec3.Dot(x.Moment, m.axis(d, s.clings))
		}
		m.loaded, m.mu, m.active = m.pressed() > 0, s.mu(i), true
		m.state = s.stateOf(m.pressed(), s.pushOn(i), m.mu, math.Inf(1)) // the slip is not known yet
		if s.brakeOf(&s.touches[i]) != nil {
			m.state = s.brakeState(i, h, math.Inf(1))
		}
	}
	s.chooseActive()
	s.markFree()
}

// equations looks at the equations of motion and at the joints.
func (s *Replay) equations(f *Finding, h float64) {
	clear(s.f0)
	s.pushImpulses(s.f0)
	sizes := make([]float64, len(s.v))
	s.pushSizes(sizes)
	s.measureNoise()
	s.tie(s.p.list)
	s.spreadNoise()
	rounding := make([]float64, len(s.v))
	s.leverRounding(rounding)
	s.springRounding(rounding, h)
	worst := -1.0
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.Components[c].Index
		dv, e, size := make([]float64, inv.N), make([]float64, inv.N), 0.0
		for i, v := range index { // forces may cancel: a stack at rest
			dv[i] = math.Abs(s.kick[v]) + sizes[v]
		}
		inv.Solve(dv)
		for i, v := range index {
			size = max(size, math.Abs(dv[i]))
			f.Kick += (math.Abs(s.kick[v]) + sizes[v]) * math.Abs(dv[i])
		}
		for i, v := range index {
			dv[i] = s.vEnd[v] - s.v[v]
			size = max(size, math.Abs(s.v[v]), math.Abs(s.vEnd[v]))
		}
		inv.Mul(e, dv)
		for i, v := range index {
			e[i] -= s.kick[v] + s.f0[v]
		}
		inv.Solve(e)
		inv.Hold(e, nil)
		held := heldSize(inv)
		inv.Hold(e, nil) // a projection twice is the same: what is left of the rounding of the first are its joints open
		drop(e, float64(inv.N)*0x1p-52*held)
		s.dropNoise(c, e)
		for i, v := range index {
			dv[i] = rounding[v]
		}
		inv.Solve(dv)
		for i, x := range e {
			e[i] = max(0, math.Abs(x)-math.Abs(dv[i]))
		}
		for i, x := range e {
			if x > worst*size {
				worst = math.Inf(1)
				if size > 0 {
					worst = x / size
				}
				f.Motion, f.Speed, f.MotionAt = x, size, index[i]
			}
		}
		for r, row := range s.model.Components[c].Rows {
			speed := inv.Bands[r].Rate(s.gather(c, s.w))
			if shifts := s.shifts(inv); shifts != nil {
				speed -= shifts[r]
			}
			if math.Abs(speed) > f.Joint {
				f.Joint, f.JointAt = math.Abs(speed), s.model.Rows[row].Joint
			}
		}
	}
}

// leverRounding adds what the rounding of the places given, see Blur, leaves of the moments of the
// impulses of contacts [N m s].
func (s *Replay) leverRounding(rounding []float64) {
	for k, i := range s.p.list {
		push := s.blur * length(s.p.r[k*s.p.dim:(k+1)*s.p.dim])
		for _, b := range []int{s.touches[i].A, s.touches[i].B} {
			if b < 0 {
				continue
			}
			for p, d := &s.model.Bodies[b], s.model.Dim; d < p.N; d++ {
				rounding[p.V+d] += push
			}
		}
	}
}

// springRounding adds what the rounding of the places given, see Blur, leaves of the impulses of springs in h, hΣ|K|δ [N s, N m s].
func (s *Replay) springRounding(rounding []float64, h float64) {
	s.blurSprings(s.blur, func(_ multibody.Force, at []int, _, stiffness, off []float64) {
		for r, v := range at {
			for c, x := range off {
				rounding[v] += h * math.Abs(stiffness[r*len(off)+c]) * x
			}
		}
	})
}

// dropNoise takes what bodies at rest may be off by for the rounding of their impulses, see
// measureNoise, from the velocities e of a component.
func (s *Replay) dropNoise(c int, e []float64) {
	for _, b := range s.model.Components[c].Bodies {
		p := &s.model.Bodies[b]
		for k := range p.N {
			if v, l := p.V+k, p.Lever(k, s.model.Dim); s.v[v] == 0 && s.vEnd[v] == 0 {
				at := p.Local + k
				drop(e[at:at+1], s.rest.noise[v]/l)
			}
		}
	}
}

// heldSize returns the largest velocity of M̃⁻¹Σ|Gᵀλ|, to whose rounding joints are held: for a body
// that has nearly no inertia, tied to others, that is much, and what is tied to it is off by as much.
func heldSize(inv *multibody.Inverse) (most float64) {
	sum, push := make([]float64, inv.N), make([]float64, inv.N)
	for r := range inv.Bands {
		clear(push)
		inv.Bands[r].Push(push, inv.Bands[r].Multiplier)
		for i, x := range push {
			sum[i] += math.Abs(x)
		}
	}
	inv.Solve(sum)
	for _, x := range sum {
		most = max(most, math.Abs(x))
	}
	return most
}

// drop brings numbers nearer to zero by no more than a size.
func drop(list []float64, most float64) {
	for i, x := range list {
		list[i] = x - max(-most, min(most, x))
	}
}

// laws looks at the law of each contact. ρ is the inverse of the mean diagonal entry of its block
// of W.
func (s *Replay) laws(f *Finding, h float64) {
	p, size := &s.p, 0.0
	s.relative(p.b, s.w)
	s.gapTerms(h)
	s.slip.h = h
	f.Weakening = s.imposeSlip()
	f.Bound = s.boundRounding(h)
	for _, r := range p.r[:len(p.list)*p.dim] {
		size = max(size, math.Abs(r))
	}
	rhos := s.mobilities()
	pushes := s.pushesOf(rhos)
	few := s.fewOf()
	for k, i := range p.list {
		key, rho := s.touches[i].Key, rhos[k]
		var r, u, inside [3]float64
		copy(r[:], p.r[k*p.dim:(k+1)*p.dim])
		copy(u[:], p.b[k*p.dim:(k+1)*p.dim])
		r[0] = p.pressed(k)
		// Without a force, what the bodies weigh in the step is the measure, and what would stop
		// those of the island that part.
		forced := max(size, pushes[k], rho*s.heaviest(i))
		noise := s.slipRounding(i, h)
		if a := s.model.MaterialOf(&s.touches[i]).Resistance; a.Moments() {
			off, cone := s.momentResidual(k, &r, &u, rho, a)
			s.judgeMoments(f, key, max(0, off-rho*noise)/forced, cone/size)
			if a.Drilling > 0 {
				continue
			}
		}
		p.laws[k].Project(&inside, nil, &r)
		if off := length([]float64{r[0] - inside[0], r[1] - inside[1], r[2] - inside[2]}); off > f.Cone*size {
			f.Cone, f.ConeAt = off/size, key
		}
		if len(s.curves) > 0 && s.curves[i].on {
			noise += s.curveSlack(i, h)
		}
		x := contact.NaturalResidual(p.laws[k], &r, &u, rho) - rho*noise
		if !(x <= f.Law*forced) && x > 0 {
			f.Law, f.LawAt = x/forced, key
		}
		if few[k] {
			if !(x <= f.Few*forced) && x > 0 {
				f.Few, f.FewAt = x/forced, key
			}
		} else if speed := rho * s.pairKick(i); !(x <= f.Off*speed) && x > 0 {
			f.Off, f.OffAt = x/speed, key
		}
	}
}

// mobilities returns the ρ of all contacts; 0, by which forces alone are judged, for one whose block of W is lost by
// rounding, as of a pivot whose body is so far away that it cannot turn it.
func (s *Replay) mobilities() []float64 {
	p, rhos := &s.p, make([]float64, len(s.p.list))
	for k := range rhos {
		var w [9]float64
		s.blockOf(&w, k)
		trace := 0.0
		for d := range p.dim {
			trace += w[d*(p.dim+1)]
		}
		if trace > 0 {
			rhos[k] = float64(p.dim) / trace
		}
	}
	return rhos
}

// pushesOf returns √ρ max √ρ'|u'| over the contacts of its island for each contact: the size of b
// in the units of [solver.normalise], of which the steps are solved to some digits, as an impulse.
func (s *Replay) pushesOf(rhos []float64) []float64 {
	p, x, pushes := &s.p, &s.p.islands, make([]float64, len(rhos))
	x.find(p.matrix(), len(rhos))
	for island := range len(x.ptr) - 1 {
		most := 0.0
		for _, k := range x.members(island) {
			most = max(most, math.Sqrt(rhos[k])*length(p.b[k*p.dim:(k+1)*p.dim]))
		}
		for _, k := range x.members(island) {
			pushes[k] = math.Sqrt(rhos[k]) * most
		}
	}
	return pushes
}

// fewOf reports of each contact whether its island had less than a dozen in the step. That is tied
// here by all touches: the solver's has open ones, too, which the step might have closed.
func (s *Replay) fewOf() []bool {
	x, few := &s.rest, make([]bool, len(s.p.list))
	all := make([]int, len(s.touches))
	for i := range all {
		all[i] = i
	}
	s.tie(all)
	count := make([]int, len(x.root))
	for i := range s.touches {
		count[x.first(s.touches[i].A)]++
	}
	for k, i := range s.p.list {
		few[k] = count[x.first(s.touches[i].A)] < fewContacts
	}
	return few
}

// speedNoise of the speeds of two bodies is rounding of their difference: without loads and forces
// it is all that a contact of bodies that go on together has.
const speedNoise = 8 * 0x1p-52

// slipRounding is what rounding leaves of the speed of touch i: of places that are given, see Blur, of the
// speeds of the bodies, of gaps, and of the places and times of an obstacle at both ends of the step,
// which its mean speed is a difference of.
func (s *Replay) slipRounding(i int, h float64) float64 {
	noise, t := s.blur/h+speedNoise*s.fastest(i)+s.curveRounding(i, h), &s.touches[i]
	if !s.onMoving(t) {
		return noise
	}
	way, m := vec3.Norm(s.obstacleSpeed(i, h))*(s.t+h), &s.motions[t.Floor]
	if m.Shift != nil {
		for _, x := range m.Shift {
			way += math.Abs(x.At(s.t))
		}
	}
	if m.Angle != nil {
		way += math.Abs(m.Angle.At(s.t)) * vec3.Norm(vec3.Add(t.At, -1, m.Center))
	}
	return noise + 4*0x1p-53*way/h // half a unit of the last place of each of four
}

// boundRounding is what that leaves of the bounds of contacts that slide, by their laws over slip [N].
func (s *Replay) boundRounding(h float64) (sum float64) {
	for n, k := range s.slip.list {
		_, normal, _, slip := s.slipState(n)
		noise, least, speed := s.slipRounding(s.p.list[k], h), s.pace*slides, math.Hypot(slip[0], slip[1])
		if speed > least {
			law := s.slipLaw(s.p.list[k])
			sum += normal / h * math.Abs(law.Mu(speed+noise)-law.Mu(max(least, speed-noise)))
		}
	}
	return sum
}

// fastest is the largest speed of a point of the bodies of a touch, about.
func (s *Replay) fastest(i int) (most float64) {
	for _, b := range []int{s.touches[i].A, s.touches[i].B} {
		if b < 0 {
			continue
		}
		p := &s.model.Bodies[b]
		for k := range p.N {
			most = max(most, math.Abs(s.w[p.V+k])*p.Lever(k, s.model.Dim))
		}
	}
	return most
}

// moveTo goes to q + h v^γ, projects it onto joints and gaps as the scheme does, and makes (q, v)
// the present state.
func (s *Replay) moveTo(ctx context.Context, f *Finding, h, t float64, q, v []float64) error {
	s.enter()
	copy(s.q, s.qNext)
	copy(s.v, v)
	s.t = t
	s.detectAnew()
	s.splitSprings(h)
	if err := s.stabilise(ctx); err != nil {
		return err
	}
	for i, x := range q {
		if e := math.Abs(x - s.q[i]); e > f.Path {
			f.Path, f.PathAt = e, i
		}
	}
	copy(s.q, q)
	s.relook()
	s.settle()
	f.Energy = s.ledger
	s.step.Index++
	s.shareStep(h)
	return nil
}
