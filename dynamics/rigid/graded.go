package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/num"
)

// A light body that carries a heavy one is pressed by impulses that are M/m times as large as what
// moves it. Then
//
//	u = W r + b,  W = α HᵀSH,
//
// is the small difference of large numbers, of which rounding leaves ε M/m; and the merit of a
// contact problem, relative to its largest impulse, says nothing of light bodies: 1e-8 of what
// stops 1e8 kg throws 1 kg about with the speed of the impact. Where masses are that far apart the
// change of the velocities is therefore kept beside the impulses,
//
//	z = α SH r,  u = Hᵀz + b,
//
// and Newton's method for the states of the contacts,
//
//	open: r = 0;  stick: u = 0;  slip: u_N = 0, u_T = −|u_T| d, r_T = μ r_N d,
//
// adds its steps δ to r and αSHδ to z. The rounding of z is one of the forces, ε of those that
// press a body, which no velocity amplifies: u is right to the rounding of velocities. z, not SHr,
// is what moves the bodies. The matrix of a step is that of W, with twelve digits too few: the
// rounds of a step mend that, as its right sides are exact.
//
// Stacks of boxes in space that are struck aside, slide and tip have many contacts at the edge of
// their cones: see pressed.go. Where that does not find the states of all light bodies either the
// merit alone is asked for.
const (
	// gradedRatio is a ratio of masses from which on a merit of 1e-9, which is what faces are
	// solved to, leaves errors of more than 1e-6 of the speeds. Columns of ten boxes that grow to
	// 1e4 and to 1e6 times the first took seconds in a step where it was 1e4, and the faces below
	// had been tilted by the noise of the steps before.
	gradedRatio = 1e3
	// gradedGoal is an error of the speeds of the contacts, over the largest of b, that counts as
	// solved: polishAt. The states are looked for in gradedRounds: where they repeat they were not
	// near.
	gradedGoal   = polishAt
	gradedRounds = 20
	// gradedVain rounds in a row that find nothing better end them.
	gradedVain = 3
	// gradedFair does for what a method has solved. What none has is as good as a merit says.
	gradedFair = 1e-6
	// gradedNear does for proximal points, where other methods are no nearer.
	gradedNear = 1e-3
	// gradedLeast is the least merit that is asked for.
	gradedLeast = 1e-14
	// gradedEnough ends the rounds: rounding.
	gradedEnough = 1e-14
	// gradedShift, over the ratio of masses, makes redundant impulses unique: the least mobility of
	// a chain of light and heavy bodies is about the inverse of the ratio, over the square of its
	// length.
	gradedShift = 1e-4
	// liftRounding of the sizes of its terms is what z may differ from αSHr by after the rounds.
	liftRounding = 64 * 0x1p-52
	// coneRounding of the size of an impulse is rounding of the cone.
	coneRounding = 4 * 0x1p-52
)

// graded is what an island needs to keep z: H and SH of its contacts by its own velocities.
type graded struct {
	ratio     float64 // of its masses; 0: they are not far apart
	alpha     float64 // of W
	h, y      []float64
	ptr       []int // parts of contact k: part[ptr[k]:ptr[k+1]] …
	from      []int // … and its shares
	part      []gradedPart
	share     []gradedPart
	comps     []int // of the world, their velocities one after the other …
	first     []int // … from these on
	z         []float64
	done      bool      // z is that of the impulses
	merit     float64   // of what the states have come to …
	bestMerit float64   // … and the best of proximal points
	kept      []float64 // z of the best round
	old       []float64 // z before relift, …
	sizes     []float64 // … and Σ|α SH r|
	// The best start: its error, merit, impulses and z.
	left, leftMerit float64
	leftR, leftZ    []float64
}

// gradedPart is a block of H or SH: n rows from at on, of the velocities from v on.
type gradedPart struct{ v, n, at int }

// squeeze is the largest ratio of a mass that presses a body between two others, or another and an
// obstacle, to its own; 0 if no two bodies of some contacts are [gradedRatio] apart. What hangs on
// one partner only, as a light body on top, presses that one alone.
func (s *solution) squeeze(members []int) (ratio float64) {
	least, most, heaviest := math.Inf(1), 0.0, -1
	for _, i := range members {
		for _, b := range s.bodiesOf(i) {
			if b < 0 {
				continue
			}
			m := s.model.Bodies[b].Mass
			if least = min(least, m); m > most {
				most, heaviest = m, b
			}
		}
	}
	if !(most >= gradedRatio*least) {
		return 0
	}
	x := &s.p.press
	x.partners, x.push = grow(x.partners, len(s.model.Bodies)), grow(x.push, len(s.model.Bodies))
	for _, i := range members {
		for _, b := range s.bodiesOf(i) {
			if b >= 0 {
				x.partners[b], x.push[b] = 0, [2]float64{}
			}
		}
	}
	x.pairs = x.pairs[:0]
	last, held := uint64(math.MaxUint64), false
	for _, i := range members { // sorted, as the touches are
		t := &s.touches[s.p.list[i]]
		if t.Pair() == last {
			continue
		}
		last = t.Pair()
		x.partners[t.A]++
		if t.B < 0 {
			x.add(t.A, math.Inf(1))
			held = true
			continue
		}
		x.partners[t.B]++
		x.pairs = append(x.pairs, [2]int{t.A, t.B})
	}
	if !held { // by an obstacle, which does not go
		x.partners[heaviest]++
		x.add(heaviest, math.Inf(1))
	}
	for again := true; again; { // bodies with one partner left go, and press it with what presses them
		again = false
		n := 0
		for _, pair := range x.pairs {
			a, b := pair[0], pair[1]
			switch {
			case x.partners[a] == 1:
				a, b = b, a
				fallthrough
			case x.partners[b] == 1:
				x.partners[a]--
				x.partners[b]--
				x.add(a, max(s.model.Bodies[b].Mass, x.push[b][0])) // what is held does not go: that is no +Inf
				x.add(b, math.Inf(1))
				again = true
				continue
			}
			x.pairs[n] = pair
			n++
		}
		x.pairs = x.pairs[:n]
	}
	for _, pair := range x.pairs { // rings
		for _, b := range pair {
			x.add(b, most)
			x.add(b, most)
		}
	}
	for _, i := range members {
		for _, b := range s.bodiesOf(i) {
			if b >= 0 {
				ratio = max(ratio, min(most, x.push[b][1])/s.model.Bodies[b].Mass)
			}
		}
	}
	return ratio
}

// press is what presses bodies: the largest two masses, +Inf for what is behind them.
type press struct {
	partners []int // that are left
	push     [][2]float64
	pairs    [][2]int
}

// add takes a mass that presses a body.
func (x *press) add(body int, mass float64) {
	if p := &x.push[body]; mass > p[0] {
		p[0], p[1] = mass, p[0]
	} else {
		p[1] = max(p[1], mass)
	}
}

// bodiesOf lists the bodies of a contact, −1 for an obstacle.
func (s *solution) bodiesOf(k int) [2]int {
	t := &s.touches[s.p.list[k]]
	return [2]int{t.A, t.B}
}

// openGraded gives an island its H and SH.
func (s *solution) openGraded(g *graded, members []int, ratio float64) {
	p := &s.p
	g.ratio, g.alpha, g.h, g.y, g.done = ratio, p.alpha, p.h, p.y, false
	g.ptr, g.from, g.part, g.share = append(g.ptr[:0], 0), append(g.from[:0], 0), g.part[:0], g.share[:0]
	g.comps, g.first = g.comps[:0], append(g.first[:0], 0)
	p.place = grow(p.place, len(s.model.Components))
	for _, k := range members {
		for _, x := range p.share[p.from[k]:p.from[k+1]] {
			p.place[x.comp] = -1
		}
	}
	for _, k := range members {
		for _, x := range p.share[p.from[k]:p.from[k+1]] {
			if p.place[x.comp] < 0 {
				p.place[x.comp] = g.first[len(g.comps)]
				g.comps, g.first = append(g.comps, x.comp), append(g.first, p.place[x.comp]+x.n)
			}
			g.share = append(g.share, gradedPart{p.place[x.comp], x.n, x.at})
		}
		g.from = append(g.from, len(g.share))
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			g.part = append(g.part, gradedPart{p.place[x.comp] + x.local, x.n, x.at})
		}
		g.ptr = append(g.ptr, len(g.part))
	}
	g.z = grow(g.z, g.first[len(g.comps)])
}

// solveGraded is attempt for an island of masses that are far apart: the states that the impulses
// of a method suggest are those from which Newton's method goes on, the first time those of the
// step before. Impulses that it does not bring to gradedGoal are no solution, whatever their merit.
func (p *solver) solveGraded(ctx context.Context, o *Options, mayCut bool) (err error) {
	p.res.R = append(p.res.R[:0], p.r...)
	if p.settleStates(p.res.R) <= gradedGoal && p.graded.merit <= p.opt.Tolerance {
		p.res.Merit = p.graded.merit
		return nil
	}
	g := &p.graded
	goal := p.opt.Tolerance
	g.left = math.Inf(1)
	stages := p.stages()
	for n := range 1 + len(stages) { // the first one again, to more digits
		x, from := stages[max(0, n-1)], p.r
		switch {
		case n == 1:
			p.opt.Tolerance = min(goal, max(0.1*gradedFair/g.ratio, gradedLeast))
			if from = p.start; len(from) != len(p.r) {
				from = p.r
			}
		case x.fresh:
			from = nil
		}
		err = p.try(ctx, x.method, x.limit, from)
		if ctx.Err() != nil || beyondMemory(err) || len(p.res.R) != len(p.r) {
			g.done = false
			return err
		}
		p.start = append(p.start[:0], p.res.R...)
		p.keepLeft(p.settleStates(p.start), o)
		if n == 0 && g.left > gradedFair && p.presses() {
			p.keepLeft(p.proximalStates(ctx, p.start), o)
		}
		if g.left <= gradedFair || g.left <= gradedNear && p.presses() || g.left < math.Inf(1) && x.method == contact.MethodNewton {
			break
		}
	}
	if g.done = g.left < math.Inf(1); g.done {
		p.res.R, p.res.Merit = append(p.res.R[:0], g.leftR...), g.leftMerit
		copy(g.z, g.leftZ)
		return nil
	}
	p.opt.Tolerance = max(goal, o.Accept)
	return p.tryLast(ctx, mayCut)
}

// keepLeft keeps the best of what has been found, impulses of the given error of their speeds.
func (p *solver) keepLeft(e float64, o *Options) {
	if g := &p.graded; e < g.left && g.merit <= o.Accept {
		g.left, g.leftMerit = e, g.merit
		g.leftR, g.leftZ = append(g.leftR[:0], p.start...), append(g.leftZ[:0], g.z...)
	}
}

// settleStates is Newton's method for the states of the contacts from the impulses r of the
// normalised problem, which it overwrites by the best that it finds; it returns the error of its
// speeds, over the largest.
func (p *solver) settleStates(r []float64) (best float64) {
	x, g := &p.polish, &p.graded
	if g.done = false; len(p.list) > polishContacts {
		return math.Inf(1)
	}
	x.u = grow(x.u, len(r))
	best = math.Inf(1)
	vain := 0
	p.lift(r)
	for range gradedRounds {
		p.gradedSpeeds(x.u)
		p.relift(r)
		e, merit := p.gradedError(r)
		if vain++; e < best {
			best, g.merit, vain = e, merit, 0
			x.best, g.kept = append(x.best[:0], r...), append(g.kept[:0], g.z...)
		}
		if !(e > gradedEnough) || vain == gradedVain {
			break
		}
		p.iterations++
		p.chooseStates(r)
		if !p.newtonStates(r) {
			break
		}
	}
	copy(r, x.best)
	copy(g.z, g.kept)
	g.done = true
	return best
}

// intoConesLifted is intoCones, and has z follow: momentum is that of the impulses that are kept.
func (p *solver) intoConesLifted(r []float64) {
	if !p.graded.done {
		p.intoCones(r)
		return
	}
	x := &p.polish
	x.delta = append(x.delta[:0], r...)
	p.intoCones(r)
	for k := range p.list {
		delta, at := x.delta[k*p.dim:(k+1)*p.dim], r[k*p.dim:(k+1)*p.dim]
		for d := range delta {
			delta[d] = at[d] - delta[d]
		}
		if length(delta) <= coneRounding*length(at) { // z does not have the rounding of impulses
			clear(delta)
		}
	}
	p.addLift(x.delta)
}

// lift sets z to α SH r.
func (p *solver) lift(r []float64) {
	clear(p.graded.z)
	p.addLift(r)
}

// relift sets z to α SH r, and u to Hᵀz + b, where they have parted by more than rounding of their
// terms. Redundant contacts may have had impulses of 1e9 N s in between, which took each other
// back: their rounding is in r and in z, not the same, and u tells nothing of it. A plate of 16 kg
// that met a ball of 3 g turned at 1e-5 rad/s that no impulse had given it.
func (p *solver) relift(r []float64) {
	g, x := &p.graded, &p.polish
	g.old, g.sizes = append(g.old[:0], g.z...), grow(g.sizes, len(g.z))
	clear(g.sizes)
	for k := range p.list {
		f := g.alpha * p.scale[k] * p.size
		for _, s := range g.share[g.from[k]:g.from[k+1]] {
			for i := range s.n {
				for d, rd := range r[k*p.dim : (k+1)*p.dim] {
					g.sizes[s.v+i] += math.Abs(f * g.y[s.at+i*p.dim+d] * rd)
				}
			}
		}
	}
	p.lift(r)
	for i, z := range g.z {
		if !(math.Abs(z-g.old[i]) <= liftRounding*g.sizes[i]) {
			p.gradedSpeeds(x.u)
			return
		}
	}
	copy(g.z, g.old)
}

// addLift adds α SH r to z.
func (p *solver) addLift(r []float64) {
	g, dim := &p.graded, p.dim
	for k := range p.list {
		f := g.alpha * p.scale[k] * p.size
		for _, x := range g.share[g.from[k]:g.from[k+1]] {
			for i := range x.n {
				sum := 0.0
				for d, rd := range r[k*dim : (k+1)*dim] {
					sum += g.y[x.at+i*dim+d] * rd
				}
				g.z[x.v+i] += f * sum
			}
		}
	}
}

// gradedSpeeds sets u to Hᵀz + b.
func (p *solver) gradedSpeeds(u []float64) {
	g, dim := &p.graded, p.dim
	for k := range p.list {
		f := p.scale[k] / p.size
		for d := range dim {
			sum := 0.0
			for _, x := range g.part[g.ptr[k]:g.ptr[k+1]] {
				for i, z := range g.z[x.v : x.v+x.n] {
					sum += g.h[x.at+i*dim+d] * z
				}
			}
			u[k*dim+d] = f*sum + p.b[k*dim+d]
		}
	}
}

// gradedError is the largest natural residual of a contact beyond the rounding of its cone, as a
// speed, over the largest of b; and the merit, as an impulse over the largest.
func (p *solver) gradedError(r []float64) (speed, merit float64) {
	x := &p.polish
	worst, size, most := 0.0, 0.0, 0.0
	for i := range p.list {
		p.look(i, r)
		for _, b := range p.b[i*p.dim : (i+1)*p.dim] {
			size = max(size, math.Abs(b)/p.scale[i])
		}
		push := max(math.Abs(x.one[0]), math.Abs(x.one[1]), math.Abs(x.one[2]))
		most = max(most, push)
		e := contact.NaturalResidual(p.laws[i], &x.one, &x.speed, 1)
		if merit = max(merit, e); !((e-coneRounding*push)/p.scale[i] <= worst) {
			worst = (e - coneRounding*push) / p.scale[i]
		}
	}
	if !(size > 0) { // nothing moves: r = 0
		return 0, 0
	}
	return worst / size, merit / max(most, length(p.b))
}

// chooseStates lists the unknowns of the states that r and u suggest, by Alart and Curnier's
// function, and moves r into them.
func (p *solver) chooseStates(r []float64) {
	x, dim := &p.polish, p.dim
	x.column = x.column[:0]
	x.delta = append(x.delta[:0], r...)
	for i := range p.list {
		ri, ui := r[i*dim:(i+1)*dim], x.u[i*dim:(i+1)*dim]
		mu, push := lawMu(p.laws[i]), ri[0]-ui[0]
		if push <= 0 {
			clear(ri)
			continue
		}
		var way [3]float64 // r_T − u_T
		for d := 1; d < dim; d++ {
			way[d] = ri[d] - ui[d]
		}
		along := length(way[1:])
		if mu > 0 && along <= mu*push*(1+coneRounding) {
			for d := range dim {
				v := unknown{i: i, d: d}
				v.dir[d] = 1
				x.column = append(x.column, v)
			}
			continue
		}
		v, slip := unknown{i: i, dir: [3]float64{1}}, 0.0
		for d := 1; d < dim && mu > 0; d++ {
			v.dir[d] = mu * way[d] / along
			slip -= ui[d] * way[d] / along
		}
		x.column = append(x.column, v)
		ri[0] = max(ri[0], 0)
		for d := range dim {
			ri[d] = ri[0] * v.dir[d]
		}
		if dim == 3 && mu > 0 {
			x.column = append(x.column, unknown{i: i, turns: true, dir: [3]float64{0, -v.dir[2] / mu, v.dir[1] / mu}, more: max(0, slip) / (mu * push)})
		}
	}
	for i := range r {
		x.delta[i] = r[i] - x.delta[i]
	}
	p.addLift(x.delta)
}

// newtonStates changes r, and z with it, so that the equations of the unknowns hold; false where
// they have no solution.
func (p *solver) newtonStates(r []float64) bool {
	x, g, dim := &p.polish, &p.graded, p.dim
	n := len(x.column)
	p.gradedSpeeds(x.u)
	if n == 0 {
		return true
	}
	p.stateMatrix(min(polishShift, gradedShift/g.ratio))
	if !num.FactorLU(x.k, x.perm, n) {
		return false
	}
	x.delta, x.sum, x.step = grow(x.delta, n), grow(x.sum, n), grow(x.step, len(r))
	clear(x.sum)
	last := math.Inf(1)
	for range polishRounds {
		off := 0.0
		for a, c := range x.column {
			x.delta[a] = -c.along(x.u[c.i*dim:(c.i+1)*dim]) - c.more*x.sum[a]
			off = max(off, math.Abs(x.delta[a]))
		}
		if !(off < 0.5*last) {
			break
		}
		last = off
		num.SolveLU(x.k, x.perm, n, x.delta)
		clear(x.step)
		for a, c := range x.column {
			x.sum[a] += x.delta[a]
			for d := range dim {
				x.step[c.i*dim+d] += c.dir[d] * x.delta[a]
			}
		}
		for i, d := range x.step {
			r[i] += d
		}
		p.addLift(x.step)
		p.gradedSpeeds(x.u)
	}
	return finite(r)
}

// along is the speed of the equation of an unknown.
func (c *unknown) along(u []float64) float64 {
	if !c.turns {
		return u[c.d]
	}
	return c.dir[1]*u[1] + c.dir[2]*u[2]
}

// stateMatrix sets k to what the unknowns do to the speeds of their equations.
func (p *solver) stateMatrix(shift float64) {
	x, dim := &p.polish, p.dim
	n := len(x.column)
	x.k, x.perm, x.first = grow(x.k, n*n), grow(x.perm, n), grow(x.first, len(p.list))
	for i := range x.first {
		x.first[i] = -1
	}
	for a := n - 1; a >= 0; a-- {
		x.first[x.column[a].i] = a
	}
	clear(x.k)
	var u [3]float64
	for a, row := range x.column {
		for k := p.w.Ptr[row.i]; k < p.w.Ptr[row.i+1]; k++ {
			j := p.w.Col[k]
			for b := x.first[j]; b >= 0 && b < n && x.column[b].i == j; b++ {
				for d := range dim {
					u[d] = 0
					for c := range dim {
						u[d] += p.w.Val[(k*dim+d)*dim+c] * x.column[b].dir[c]
					}
				}
				x.k[a*n+b] += row.along(u[:dim])
			}
		}
		x.k[a*n+a] += shift + row.more
	}
}

// lawful reports whether all laws are Coulomb's.
func lawful(laws []contact.Law) bool {
	for _, l := range laws {
		if math.IsNaN(lawMu(l)) {
			return false
		}
	}
	return true
}

// openMoved forgets the z of the last problem.
func (s *solution) openMoved() {
	p := &s.p
	if p.anyMoved {
		clear(p.exact)
	}
	p.anyMoved = false
}

// putMoved takes z of an island.
func (s *solution) putMoved(g *graded) {
	if g.ratio == 0 || !g.done {
		return
	}
	p := &s.p
	p.moved, p.exact, p.anyMoved = grow(p.moved, len(s.v)), grow(p.exact, len(s.model.Components)), true
	for k, c := range g.comps {
		p.exact[c] = true
		for i, v := range s.model.Components[c].Index {
			p.moved[v] = g.z[g.first[k]+i]
		}
	}
}

// pushSolved adds f α SH r to w for the impulses that solve has found, or what is nearer to it.
func (s *solution) pushSolved(w []float64) {
	p := &s.p
	if !p.anyMoved {
		s.push(w, p.alpha)
		return
	}
	for k := range p.list {
		r := p.r[k*p.dim : (k+1)*p.dim]
		for _, x := range p.share[p.from[k]:p.from[k+1]] {
			if p.exact[x.comp] {
				continue
			}
			for i, v := range s.model.Components[x.comp].Index {
				sum := 0.0
				for d, rd := range r {
					sum += p.y[x.at+i*p.dim+d] * rd
				}
				w[v] += p.alpha * sum
			}
		}
	}
	for c, exact := range p.exact {
		for _, v := range s.model.Components[c].Index {
			if exact {
				w[v] += p.moved[v]
			}
		}
	}
}
