package rigid

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Where many bodies tumble, a step is off by more than what its contact problem leaves. On the gap
// grid a contact that closes within a step does so by a velocity that is wrong by up to what the
// forces of the step give its bodies, k_b = ‖k̃_b‖/m_b, g h of a weight; a residual whose
// velocities are a small share of that changes no digit that the step has. Its units are
//
//	s_i = max(mean_b s_b, s_b of the bodies of contact i),  s_b = min(‖v_b‖, k_b),
//	V = mean_b s_b²/k_b  [m/s], means over the bodies of an island,
//
// s_i of what a contact may leave, V of what is asked for, with ‖v_b‖ the velocity of a body but
// for spins about axes of symmetry that slip nowhere and do not roll, see wear: they move nothing.
// None is more than that error, and V less where the island comes to rest: forces m k by residuals
// e do work that is then the share e/V of the energy m v² that moves, and what hardly moves is
// solved to Options.Accept or Tolerance as ever. With the natural residual e_i of contact i as a
// velocity, ρ_i its inverse mobility,
//
//	e_i = ‖r_i − P_K(r_i − ρ_i û_i)‖/ρ_i,  û = u + μ‖u_T‖n,  u = W r + b,
//
// P_K(r − ρû) solves the step exactly with b moved by e_i and what W makes of ρe. Impulses r are
// taken if
//
//	r_i ∈ K_i                                exactly: projected, and then moved along n only,
//	e_i <= most s_i                          for each contact,
//	h u_N >= −Φ                              to the 1e-10 m of all steps, see part,
//	Σ (r_N u_N)₊ + (r_T·u_T)₊ <= power Σ (−r_T·u_T)₊
//
// hold of the very numbers that are kept. By the last one friction takes energy in each such step,
// and for α = 1 no island gains any,
//
//	ΔE = Σ r_i·u_i − ½‖v' − v‖²_M <= 0,
//
// whatever the residual is: gaps are open by impulses, and nothing is left for a projection to
// lift.
const (
	// looseShare of V is the root mean square of the e_i that the solver is asked for. Decision
	// 0014 has the statistics.
	looseShare = 5e-3
	// looseAim of the merit that is asked for is what a solver ends at whose impulses are not
	// within the limits before, see suffices.
	looseAim = 0.2
	// looseTries bounds the solves, each to less than the last by what the last missed the limits
	// by, between these two factors.
	looseTries                   = 5
	looseTighter, looseTightened = 0.3, 1e-3
	// partRelax is the relaxation of the sweeps that open gaps, to partGoal of what counts as open,
	// partSweeps the most of them: 40 to 50 are enough for islands of 400 and of 1,700 contacts.
	partRelax  = 1.5
	partGoal   = 0.3
	partSweeps = 1000
	// partGiven of the power that contacts may give is left to those that open under their impulse.
	partGiven = 0.2
)

// limits of what impulses may leave. Up to a thousand contacts Newton's method and sweeps find
// little in few iterations. Beyond, sweeps do, and ten times less takes ten times as many, for
// nothing that is nearer to half the step.
type limits struct {
	most  float64 // of s_i, the e_i of each contact …
	first float64 // … and the part of that before gaps are opened
	power float64 // given of what friction takes
	merit float64 // that is asked for at most, where the last impulses say little of the present ones
	// creep times the merit that is asked for is the mobility of friction beside that of bodies,
	// which is 1, see yield. Of 250 problems 2 leaves a largest e_i of .01 V in the median, as none
	// does, 4 and 8 leave .02 and .04 V. With 4, 64 and whatever yields allows 163 problems of
	// 1,000 spheres on their way to rest, V = 1e-6 to .02 m/s, take 243, 159 and 212 sweeps in the
	// mean.
	creep float64
	// yields, of s_i, is the most by which the last force of a contact makes it creep: of 1,000
	// spheres one with ten times the force of the others was the one beyond the limit.
	yields float64
}

var (
	looseFew  = limits{most: 0.1, first: 1, power: 0.05, merit: 3e-4, creep: 64, yields: 0.02}
	looseFair = limits{most: facesMost, first: 1, power: 0.05, merit: 3e-4} // of faces, see concede
	looseMany = limits{most: 0.6, first: 0.5, power: 0.4, merit: 3e-3, creep: 64, yields: 0.02}
)

// limits are those of the island.
func (p *solver) limits() *limits {
	switch {
	case p.fair:
		return &looseFair
	case len(p.list) >= hugeIsland:
		return &looseMany
	}
	return &looseFew
}

// tumbling is what a solve to V has left.
type tumbling struct {
	many  int // 1 with the limits of many contacts
	merit float64
	speed float64 // largest e_i [m/s] …
	share float64 // … over s_i, the largest
	given float64 // energy that contacts gave …
	taken float64 // … and that friction took [J]
}

// tumbles reports whether a model may have steps that are solved to V: bodies that meet in single
// points, without joints or rebound, on the gap grid, where nothing holds of the mean of two
// velocities.
func (s *solution) tumbles() bool {
	return s.mode.grid == GapGrid && s.o.Friction == ExactCone && !s.o.Unstabilised && len(s.model.Rows) == 0 && s.model.Restitution() == 0
}

// tumble returns V for the bodies of some contacts, 0 where all digits are wanted, and sets their
// s_i.
func (s *solution) tumble(p *solver, members []int) float64 {
	if len(members) < fewContacts || p.calm || p.faces || !s.tumbles() {
		return 0
	}
	sum, pace, n := 0.0, 0.0, 0
	x := &s.p.islands
	x.counted = grow(x.counted, len(s.model.Bodies))
	clear(x.counted)
	x.moves = grow(x.moves, len(s.model.Bodies))
	s.wear(members)
	for _, i := range members {
		t := &s.touches[s.p.list[i]]
		for _, b := range [...]int{t.A, t.B} {
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
	unit := sum / float64(n)
	pace /= float64(n)
	p.units = p.units[:0]
	for _, i := range members {
		t := &s.touches[s.p.list[i]]
		own := x.moves[t.A]
		if t.B >= 0 {
			own = max(own, x.moves[t.B])
		}
		p.units = append(p.units, max(pace, own))
	}
	return unit
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

// looseTolerance is the merit that leaves looseShare of V, with impulses of the size of those that
// are guessed.
func (p *solver) looseTolerance() float64 {
	sum := 0.0
	for _, x := range p.scale[:len(p.list)] {
		sum += x * x
	}
	return min(p.limits().merit, looseShare*p.unit*math.Sqrt(sum)/(p.size*max(length(p.b), length(p.r))))
}

// solveLoose is attempt for bodies that tumble; p.loose says what it has left, nothing if it has
// been solved to the tolerance of others.
func (p *solver) solveLoose(ctx context.Context, o *Options, mayCut bool) error {
	goal := p.opt.Tolerance
	tol := max(p.looseTolerance(), o.Accept) // which would do, without a word of V: the limits are asked of it, too
	creep := p.limits().creep * tol          // of all tries: a smaller residual gives less, and friction takes by it what it did
	for range looseTries {
		if !(tol >= goal) {
			break
		}
		p.opt.Tolerance, p.creep, p.lax = looseAim*tol, creep, true
		err := p.attempt(ctx, o, mayCut)
		p.creep, p.lax = 0, false
		if len(p.res.R) != len(p.r) || ctx.Err() != nil || beyondMemory(err) || p.loose.merit > 0 {
			return err
		}
		miss := p.loosen()
		if miss <= 1 {
			return nil
		}
		if err != nil { // what is less will not be found by the same methods
			if mayCut && len(p.list) >= hugeIsland {
				return err
			}
			break
		}
		copy(p.r, p.relax.loose)
		tol = min(tol, p.res.Merit) * max(looseTightened, min(looseTighter, 0.5/miss))
	}
	p.opt.Tolerance = goal
	return p.attempt(ctx, o, mayCut)
}

// yield adds a mobility of friction to W, c or less by limits.yields: what sticks creeps by −c r_T,
// and what slips does as it would. W is nearly singular on what sticks, and Newton's steps and
// interior points go astray along its kernel; a creep of the size of the residual that is asked for
// is none of what the checks of this file ask for, takes energy in each contact, where another
// residual gives some as often as not, and goes to zero with V. Of 326 problems of 12 to 99
// contacts that a warm start does not solve the interior point solves 324 without, of which 144
// hold the bound on power, in 19 steps; with it 295 do, in 23. Of 66 of 100 to 500 contacts 53 in
// 34 steps, and 60 in 31.
func (p *solver) yield(c float64) {
	x, dim, yields := &p.relax, p.dim, p.limits().yields
	if x.yields = x.yields[:0]; c == 0 {
		return
	}
	for i := range p.list {
		least := min(c, yields*p.units[i]*p.scale[i]/(p.size*length(p.r[i*dim:(i+1)*dim])))
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			for d := 1; d < dim && p.w.Col[k] == i; d++ {
				at := (k*dim+d)*dim + d
				x.yields = append(x.yields, yielded{at, p.w.Val[at]})
				p.w.Val[at] += least
			}
		}
	}
}

// relaxation is the memory of loose solves.
type relaxation struct {
	normal, diagonal, push []float64 // of part
	least, opens           []float64 // its d_i, how far push may fall, and u_N
	loose                  []float64 // impulses that may do for bodies that tumble
	sufficed               []float64 // those of the solver that loose stands for, of suffices
	yields                 []yielded
	enough                 func([]float64) bool // of a loose solve …
	of                     *solver              // … of this solver
}

// yielded is an entry of W before it yields.
type yielded struct {
	at int
	w  float64
}

// stiffen takes back what yield has added, and judges the impulses by W as it is.
func (p *solver) stiffen() {
	x := &p.relax
	p.exchange()
	if len(x.yields) > 0 && len(p.res.R) == len(p.r) {
		p.res.Merit, p.res.Worst = p.local.Merit(p.res.U, p.res.Residuals, p.res.R)
	}
	x.yields = x.yields[:0]
}

// part solves for the normal impulses with the tangential ones as they are, by relaxation,
//
//	0 <= u_N ⊥ r_N − ‖r_T‖/μ >= 0,
//
// a step down the energy ½‖v'−v_free‖². It opens the contacts that the impulses r, of speeds u,
// close too far, and takes impulses from those that open under them, which give r_N u_N: nearly all
// of what the third bound is missed by, where a residual of few digits is spread over the whole
// pile. What is not opened here the projection of the step opens; as in that, its sweeps are not
// counted as iterations. Most of what a sweep visits does nothing, as it is open, or as what still
// changes is in few places: u_N is kept as the changes of all before have left it. Friction that
// rises with the normal impulse where a contact slides leaves more, not less: it moves what sticks
// elsewhere.
func (p *solver) part(r []float64) {
	taken, power := p.partRanges(r), p.limits().power // taken by friction
	x, dim := &p.relax, p.dim
	clear(x.push)
	settled := taken == 0 // what opens under its impulse is left as it is
	for range partSweeps {
		worst, given := 0.0, 0.0
		for i, u := range x.opens {
			relax := partRelax
			switch opens := u >= 0 && x.push[i] <= 0; {
			case opens && (settled || x.push[i] == x.least[i]):
				continue
			case opens:
				given += u * (r[i*dim] + x.push[i])
				relax = 1 // beyond its solution it would close
			default:
				worst = max(worst, math.Abs(u)/p.scale[i])
			}
			push := max(x.least[i], x.push[i]-relax*u/x.diagonal[i])
			change := push - x.push[i]
			if x.push[i] = push; change == 0 {
				continue
			}
			for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ { // the column, as W is symmetric
				x.opens[p.w.Col[k]] += x.normal[k] * change
			}
		}
		if settled && worst*p.size <= partGoal*p.touch {
			break
		}
		settled = settled || given <= partGiven*power*taken
	}
	for i, push := range x.push {
		r[i*dim] += push
	}
}

// partRanges sets W_NN, u_N and how far impulses may fall, and returns the power that friction
// takes.
func (p *solver) partRanges(r []float64) (taken float64) {
	x, dim, nc := &p.relax, p.dim, len(p.list)
	x.normal, x.diagonal = grow(x.normal, len(p.w.Col)), grow(x.diagonal, nc)
	x.push, x.least, x.opens = grow(x.push, nc), grow(x.least, nc), grow(x.opens, nc)
	for i := range nc {
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			x.normal[k] = p.w.Val[k*dim*dim]
			if p.w.Col[k] == i {
				x.diagonal[i] = x.normal[k]
			}
		}
		ri, ui := r[i*dim:(i+1)*dim], p.active.u[i*dim:(i+1)*dim]
		inner, friction := ri[0], 0.0
		for d := 1; d < dim; d++ {
			friction -= ri[d] * ui[d]
		}
		if mu := lawMu(p.laws[i]); mu > 0 {
			inner -= length(ri[1:]) / mu * (1 + coneRounding)
		}
		x.least[i], x.opens[i] = -max(0, inner), ui[0]
		taken += max(0, friction)
	}
	return taken
}

// loosen takes the solver's impulses into their cones, opens their gaps and returns by how much
// more than the limits they leave; if that is up to 1 they do: p.res has them, and p.loose what
// they leave.
func (p *solver) loosen() float64 {
	x := &p.relax
	if len(x.sufficed) == 0 || !slices.Equal(x.sufficed, p.res.R) {
		x.loose = append(x.loose[:0], p.res.R...)
		p.active.u = grow(p.active.u, len(x.loose))
		p.intoCones(x.loose)
		p.multiply(p.active.u, x.loose)
		p.part(x.loose)
	}
	r := x.loose
	p.multiply(p.active.u, r)
	x.sufficed = x.sufficed[:0]
	left, miss := p.missed(r, p.res.Merit)
	if miss <= 1 {
		copy(p.res.R, r)
		p.loose = left
	}
	return miss
}

// enough returns what ends a loose solve: impulses within the limits, be they what it was asked for
// or not.
func (p *solver) enough() func([]float64) bool {
	if !p.lax {
		return nil
	}
	if x := &p.relax; x.of != p { // solvers move as there come to be more of them
		x.enough, x.of = p.suffices, p
	}
	return p.relax.enough
}

// suffices reports whether impulses of the solver leave no more than the limits, with W as it is;
// gaps, which cost as much as five sweeps, are opened where the others hold.
func (p *solver) suffices(impulses []float64) bool {
	p.exchange()
	defer p.exchange()
	x, l := &p.relax, p.limits()
	r := append(x.loose[:0], impulses...)
	x.loose, p.active.u, x.sufficed = r, grow(p.active.u, len(r)), x.sufficed[:0]
	p.intoCones(r)
	p.multiply(p.active.u, r)
	if left, _ := p.missed(r, 0); !(left.share <= l.first*l.most) {
		return false
	}
	p.part(r)
	p.multiply(p.active.u, r)
	if _, miss := p.missed(r, 0); !(miss <= 1) {
		return false
	}
	x.sufficed = append(x.sufficed, impulses...)
	return true
}

// exchange takes what yields out of W, or back in.
func (p *solver) exchange() {
	for k := range p.relax.yields {
		y := &p.relax.yields[k]
		p.w.Val[y.at], y.w = y.w, p.w.Val[y.at]
	}
}

// missed returns what impulses of some merit leave, and by how much more than the limits that is.
func (p *solver) missed(impulses []float64, merit float64) (tumbling, float64) {
	l, many := p.limits(), 0
	if l == &looseMany {
		many = 1
	}
	worst, share, given, taken := 0.0, 0.0, 0.0, 0.0
	for i := range p.list {
		r, u := impulses[i*p.dim:(i+1)*p.dim], p.active.u[i*p.dim:(i+1)*p.dim]
		p.contactAt(i, impulses)
		friction := 0.0
		for d := 1; d < p.dim; d++ {
			friction += r[d] * u[d]
		}
		given += max(0, r[0]*u[0]) + max(0, friction)
		taken += max(0, -friction)
		e := contact.NaturalResidual(p.laws[i], &p.active.r, &p.active.speed, 1) / p.scale[i] * p.size
		worst, share = max(worst, e), max(share, e/p.units[i])
	}
	if p.fair {
		given = max(0, given-p.trifle(impulses, p.accept))
	}
	left := tumbling{many, merit, worst, share, given * p.size * p.size, taken * p.size * p.size}
	miss := max(left.share/l.most, left.merit/l.merit)
	if given > 0 {
		miss = max(miss, given/(l.power*taken)) // +Inf where nothing slides
	}
	if math.IsNaN(miss) {
		return left, math.Inf(1)
	}
	return left, miss
}
