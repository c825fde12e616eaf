package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// When an island counts as solved. Its impulses have the natural residuals, as velocities,
//
//	e_i = ‖r_i − P_K(r_i − ρ_i û_i)‖/ρ_i,  û = u + μ‖u_T‖n,  u = W r + b,
//
// and a merit, which is these over the largest impulse. They count if one of these holds:
//
//	exact     the merit is at most the aim of the island, see aim;
//	states    e_i is at most statesAt of the largest of b, see activeset.go;
//	stalled   the methods end with a merit of at most Options.Accept, which Step.Stalled counts;
//	inexact   they are within limits that depend on what moves, see missed.
//
// The last one is for steps that are off by more than their contact problems leave. On the gap grid
// a contact that closes within a step does so by a velocity that is wrong by up to what the forces
// of the step give its bodies, k_b = ‖k̃_b‖/m_b, g h of a weight. Its units are
//
//	s_i = max(mean_b s_b, s_b of the bodies of contact i),  s_b = min(‖v_b‖, k_b),
//	V = mean_b s_b²/k_b  [m/s], means over the bodies of an island,
//
// s_i of what a contact may leave, V of what is asked for, with ‖v_b‖ without spins that move
// nothing, see wear. V falls faster than s where an island comes to rest: forces m k do by
// residuals e work that is the share e/V of the energy m v² that moves. Impulses r count if
//
//	r_i ∈ K_i                                exactly: projected, and then moved along n only,
//	e_i <= most s_i                          for each contact,
//	h u_N >= −Φ                              to the 1e-10 m of all steps, see correctGaps,
//	Σ (r_N u_N)₊ + (r_T·u_T)₊ <= power Σ (−r_T·u_T)₊
//
// hold of the very numbers that are kept. By the last one no island gains energy for α = 1, ΔE = Σ
// r_i·u_i − ½‖v' − v‖²_M <= 0, whatever the residual is.
//
// Faces in space that are struck leave problems that no method solves in a second, and halves of
// the step have the same impact: the nearest impulses of all methods count where s_i = gh, see
// fallBack. There friction may take nothing, and power is beside what Options.Accept would give,
// see trifle.
const (
	// inexactShare of V is the root mean square of the e_i that methods are asked for: decision
	// 0014.
	inexactShare = 5e-3
	// slowShare of Options.Accept, in the speeds that the forces of a step give, is what steps of
	// large islands, solved to Accept, leave of bodies at rest: slower ones aim at Tolerance.
	slowShare = 1000
	// slowAim of Options.Tolerance is aimed at there: a merit is relative to the largest impulse,
	// ten times that of one body under ten others.
	slowAim = 0.1
	// roughShare of Options.Accept does for steps that tell how far others are off.
	roughShare = 0.01
	// largeIsland is a number of contacts from which on Options.Accept is aimed at, as each digit
	// more costs as much as the ones before; facesAim of it where what closes collides, as what a
	// residual leaves of the speed of a corner is a collision of its own.
	largeIsland = 100
	facesAim    = 0.01
	// evenMasses is a ratio of masses up to which a merit, which is relative to the largest
	// impulse, tells of the speeds of all bodies.
	evenMasses = 2
)

// limits of what impulses of an inexact solve may leave.
type limits struct {
	most  float64 // of s_i, the e_i of each contact …
	first float64 // … and the part of that before gaps are corrected
	power float64 // given of what friction takes
	merit float64 // that is asked for at most
	creep float64 // times the merit that is asked for is the mobility of regularise, that of bodies is 1
	last  float64 // of s_i, the most by which the last force of a contact makes it creep
}

var (
	fewLimits  = limits{most: 0.1, first: 1, power: 0.05, merit: 3e-4, creep: 64, last: 0.02}
	faceLimits = limits{most: 0.05, first: 1, power: 0.05, merit: 3e-4} // e_i moves no point by more than gh²/20
	// Of a thousand contacts sweeps find digits, and ten times less takes ten times as many.
	manyLimits = limits{most: 0.6, first: 0.5, power: 0.4, merit: 3e-3, creep: 64, last: 0.02}
)

// criterion is what an island is solved to.
type criterion struct {
	faces      bool      // bodies meet in several points
	slowIsland bool      // bodies hardly move
	points     bool      // of a model whose solves may be inexact
	onGapGrid  bool      // what closes is no collision
	shares     float64   // the merit that tells the shares of a bed under its faces apart; 0: there is none
	rough      bool      // Options.Accept does, but for islands that hardly move
	fallback   bool      // the nearest impulses of all methods do, within faceLimits …
	early      bool      // … of any method, as the step has had such a problem
	accept     float64   // Options.Accept
	grade      float64   // of masses, by which a merit of V is to be smaller
	speeds     []float64 // s_i [m/s]
	speed      float64   // V; 0: all digits are wanted [m/s]
	touch      float64   // speed that opens in the step what counts as closed [m/s]
}

// aim is the tolerance that methods are asked for.
func (p *solver) aim(o *Options) float64 {
	nc := len(p.list)
	switch {
	case p.shares > 0:
		return p.shares
	case p.slowIsland && (p.redundant() || p.augmented):
		return o.Tolerance
	case p.slowIsland:
		return slowAim * o.Tolerance
	case p.augmented:
		return p.loosest(o)
	case nc > largeIsland && p.redundant() && !p.onGapGrid:
		return max(o.Tolerance, facesAim*o.Accept)
	case nc > largeIsland:
		return o.Accept
	case p.redundant() && nc >= fewContacts:
		return max(o.Tolerance, 0.1*o.Accept)
	case p.rough:
		return max(o.Tolerance, roughShare*o.Accept)
	}
	return o.Tolerance
}

// loosest is a merit that does. What V comes to is judged by the motion with the joints, whose
// merit is up to four times as large.
func (p *solver) loosest(o *Options) float64 {
	if p.augmented {
		return max(o.Tolerance, augmentedShare/p.grade*o.Accept)
	}
	return o.Accept
}

// redundant reports whether faces meet in space: four impulses of three components for the six
// velocities of a body, whose choice is open.
func (p *solver) redundant() bool { return p.faces && p.dim == 3 }

// counts judges the exact solve that has ended with an error, or none, and polishes it; done is
// that of its context.
func (p *solver) counts(o *Options, err error, done bool) (stalled bool, _ error) {
	merit := &p.res.Merit
	if err != nil && p.slowIsland && *merit <= o.Tolerance && !done {
		err = nil
	}
	if o.Friction == ExactCone && p.lifted.ratio == 0 && !p.augmented && (err != nil || !p.redundant()) {
		if e := p.polish(p.res.R); e <= statesAt && err != nil && !done {
			err, *merit = nil, min(*merit, statesAt)
		}
	}
	p.residual = max(p.residual, *merit)
	if err != nil && !done && *merit <= o.Accept {
		return true, nil
	}
	return false, err
}

// limits are those of the island.
func (p *solver) limits() *limits {
	switch {
	case p.fallback:
		return &faceLimits
	case len(p.list) >= hugeIsland:
		return &manyLimits
	}
	return &fewLimits
}

// missed returns what impulses of some merit and the speeds u leave, and by how much more than the
// limits that is: up to 1 they count.
func (p *solver) missed(impulses []float64, merit float64) (Inexact, float64) {
	l, x := p.limits(), Inexact{Solves: 1, Residual: merit}
	if l == &manyLimits {
		x.Many = 1
	}
	for i := range p.list {
		r, u := impulses[i*p.dim:(i+1)*p.dim], p.active.u[i*p.dim:(i+1)*p.dim]
		p.contactAt(i, impulses)
		friction := 0.0
		for d := 1; d < p.dim; d++ {
			friction += r[d] * u[d]
		}
		x.Given += max(0, r[0]*u[0]) + max(0, friction)
		x.Taken += max(0, -friction)
		e := contact.NaturalResidual(p.laws[i], &p.active.r, &p.active.speed, 1) / p.scale[i] * p.size
		x.Speed, x.Share = max(x.Speed, e), max(x.Share, e/p.speeds[i])
	}
	if p.fallback {
		x.Given = max(0, x.Given-p.trifle(impulses, p.accept))
	}
	miss := max(x.Share/l.most, merit/l.merit)
	if x.Given > 0 {
		miss = max(miss, x.Given/(l.power*x.Taken)) // +Inf where nothing slides
	}
	x.Given, x.Taken = x.Given*p.size*p.size, x.Taken*p.size*p.size
	if math.IsNaN(miss) {
		return x, math.Inf(1)
	}
	return x, miss
}

// trifle is the energy that a merit may leave, that of Options.Accept any other solve, in the units
// of the normalised problem.
func (p *solver) trifle(r []float64, merit float64) float64 {
	most, sum := 0.0, 0.0
	for _, x := range r {
		most, sum = max(most, math.Abs(x)), sum+math.Abs(x)
	}
	for _, x := range p.b {
		most = max(most, math.Abs(x))
	}
	return merit * most * sum
}

// inexactTolerance is the merit that leaves inexactShare of V, with impulses of the size of those
// that are guessed.
func (p *solver) inexactTolerance() float64 {
	sum := 0.0
	for _, x := range p.scale[:len(p.list)] {
		sum += x * x
	}
	return min(p.limits().merit, inexactShare*p.speed*math.Sqrt(sum)/(p.size*max(length(p.b), length(p.r))))
}

// openCriterion says what an island is solved to.
func (s *solution) openCriterion(p *solver, members []int) {
	p.criterion = criterion{faces: s.faces(members), slowIsland: s.slowIsland(members), points: s.inexactModel(),
		onGapGrid: s.mode.grid == GapGrid,
		shares:    s.bed.aim(s.o.Tolerance), rough: s.rough, accept: s.o.Accept, grade: s.p.massGrade,
		speeds: p.speeds[:0], touch: s.unit * projectGap / s.step.H}
	if len(members) < fewContacts || p.slowIsland {
		return
	}
	if !p.faces && p.points {
		p.speed = s.inexactSpeeds(p, members)
		return
	}
	if p.fallback = p.redundant() && s.jams(); p.fallback {
		p.early = s.step.Inexact.Solves > 0
		for range members {
			p.speeds = append(p.speeds, vec3.Norm(s.model.World.GravityOver(s.t, s.step.H))*s.step.H)
		}
	}
}

// exactCones reports whether a model is one of exact cones without joints and rebound.
func (s *solution) exactCones() bool {
	return s.o.Friction == ExactCone && !s.o.Unstabilised && len(s.model.Rows) == 0 && s.model.Restitution() == 0
}

// inexactModel reports whether solves of a model may be inexact where bodies meet in single points:
// on the gap grid, where nothing holds of the mean of two velocities.
func (s *solution) inexactModel() bool {
	return s.mode.grid == GapGrid && s.exactCones() && s.o.Pressure == CornerPressure
}

// jams reports whether a model may have faces in space that are struck.
func (s *solution) jams() bool {
	return s.model.Dim == 3 && s.exactCones() && s.model.World.HasGravity() &&
		slices.ContainsFunc(s.model.Bodies, func(p multibody.Place) bool { return !p.Ball && !p.Curved })
}

// inexactSpeeds sets the s_i of an island and returns its V.
func (s *solution) inexactSpeeds(p *solver, members []int) float64 {
	sum, pace, n := 0.0, 0.0, 0
	x := &s.p.islands
	x.counted = grow(x.counted, len(s.model.Bodies))
	clear(x.counted)
	x.moves = grow(x.moves, len(s.model.Bodies))
	s.wear(members)
	for _, i := range members {
		for _, b := range s.bodiesOf(i) {
			if b < 0 || x.counted[b] {
				continue
			}
			x.counted[b], n = true, n+1
			place := &s.model.Bodies[b]
			kick := s.kickSpeed(place)
			v := min(kick, s.speedOfBody(place, x.worn[b]))
			if x.moves[b] = v; v > 0 {
				sum, pace = sum+v*v/kick, pace+v
			}
		}
	}
	for _, i := range members {
		most := pace / float64(n)
		for _, b := range s.bodiesOf(i) {
			if b >= 0 {
				most = max(most, x.moves[b])
			}
		}
		p.speeds = append(p.speeds, most)
	}
	return sum / float64(n)
}

// speedOfBody is the largest part of the velocity of a body, of a spin that may be free no more
// than what wear says.
func (s *solution) speedOfBody(p *multibody.Place, worn float64) (most float64) {
	for k := range p.N {
		v := math.Abs(s.v[p.V+k]) * p.Lever(k, s.model.Dim)
		if p.Idle[k] {
			v = min(v, worn)
		}
		most = max(most, v)
	}
	return most
}

// faces reports whether some of the contacts are of one pair.
func (s *solution) faces(members []int) bool {
	last := uint64(math.MaxUint64)
	for _, i := range members { // sorted, as the touches are
		pair := s.touches[s.p.list[i]].Pair()
		if pair == last {
			return true
		}
		last = pair
	}
	return false
}

// slowIsland reports whether the bodies of some contacts hardly move.
func (s *solution) slowIsland(members []int) bool {
	share := slowShare * s.o.Accept
	for k := 0; s.p.augmented && k < len(s.p.freed.comps); k++ { // what the others of a chain do goes through all of it
		for _, b := range s.model.Components[s.p.freed.comps[k]].Bodies {
			if !s.slow(b, share) {
				return false
			}
		}
	}
	for _, i := range members {
		t := &s.touches[s.p.list[i]]
		if !s.slow(t.A, share) || t.B >= 0 && !s.slow(t.B, share) || s.worn(i) > share*s.pairKick(i) {
			return false
		}
	}
	return true
}
