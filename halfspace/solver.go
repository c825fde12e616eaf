package halfspace

import (
	"context"
	"fmt"
	"math"
)

// Solver solves steps on one window, each from the tractions of the step before.
type Solver struct {
	op      *Operator
	options Options

	full         Field // tractions of the last step, or of Start
	move         [Moves]float64
	started      bool
	box          box
	p, cp, b     Field // on the box
	g, mu, h     []float64
	old          []float64 // bounds before
	bound        []float64 // of the last step, on the window
	cross        Field     // coupled displacements
	was, brought Field     // of steady rolling
	convex       convex
	rolling      convex // along the surface in steady rolling, of difference
	ahead        *Operator
	diff         *Operator
	energy       float64 // of pressure, over the area
	stands       int     // how often the tangential problem of steady rolling was given up
	rounded      float64 // rounding of the gap of friction [J]
	settled      bool    // the sweeps ended since neither problem had anything left to do
	tight        float64 // part of the duality gap asked for that a problem by itself may have
	damping      float64 // part of the way that bounds go to those of the pressure in a sweep
}

// NewSolver allocates for a window.
func NewSolver(op *Operator, options *Options) *Solver {
	s := &Solver{op: op, full: NewField(op.grid.Len()), bound: make([]float64, op.grid.Len())}
	if options != nil {
		s.options = *options
	}
	return s
}

// Start takes the tractions from which the next step begins.
func (s *Solver) Start(p Field) {
	copyField(s.full, p)
	s.started = true
}

// restart goes back to a result, from which the solver had begun or not.
func (s *Solver) restart(r *Result, begun bool) {
	copyField(s.full, r.P)
	copy(s.bound, r.Bound)
	s.move, s.started = r.Move, begun
}

// Solve solves a step. If err is nil the verdict of the result is within options, and its
// tractions are admissible; else an [*Unsolved] says how far they are from that;
// Coulomb's friction of dissimilar bodies, the only problem that is not convex,
// may fail to converge where friction is large. Result is filled in any case.
func (s *Solver) Solve(ctx context.Context, p *Problem, r *Result) error {
	if err := p.Validate(s.op.grid); err != nil {
		return err
	}
	r.resize(s.op.grid.Len())
	r.Products, r.Sweeps = 0, 0
	if err := s.carried(p); err != nil {
		return err
	}
	if err := s.roll(p); err != nil {
		return err
	}
	if !s.started {
		s.guess(p)
	}
	margin := 2
	s.tight = 1
	s.place(p, s.window(p).grown(margin, s.op.grid))
	for {
		if err := s.sweep(ctx, p, r); err != nil {
			if _, no := err.(*Infeasible); no && s.box != s.op.grid.all() { // in the box
				s.place(p, s.op.grid.all())
				continue
			}
			return err
		}
		s.release(p, r)
		s.certify(p, r)
		r.Products++
		// Does anything outside the box touch?
		touch := s.touch(r)
		outside := s.op.grid.bounding(func(k int) bool { return r.Y[N][k] < -touch })
		if outside.nx > 0 && !s.box.holds(outside) {
			margin *= 2
			s.place(p, s.box.union(outside).grown(margin, s.op.grid))
			continue
		}
		s.started = true
		err := s.judge(r)
		if err == nil {
			return nil
		}
		if !s.settled || s.tight < tightest {
			err.Jumps = p.Threshold != nil && p.Touching
			return err
		}
		// Each problem was solved by itself: what is left is what they do to each other.
		s.tight *= tighter
		s.place(p, s.box)
	}
}

// Problems that are coupled are solved so much closer by turns, as often as their common
// certificate asks for it, which counts what the deepest penetration does to slips.
const (
	tighter  = 0.01
	tightest = 1e-7
)

// Unsolved says how far the tractions of a step are from its solution, where that is too far:
// their duality gap or that of their friction is too large, or the gap is none, since they miss a
// prescribed force or leave their bounds.
type Unsolved struct {
	Gap, Energy float64 // of the step, or of its friction [J]
	Friction    bool
	Missed      float64 // of a prescribed force, see [Verdict]; 0: none is
	Beyond      float64 // that tractions leave the bounds by, of the largest pressure or bound; 0: they do not [-]
	Products    int
	// Jumps says that the friction bound jumps where an element lets go, [Problem.Touching]: such
	// a step need not have a solution.
	Jumps bool
}

func (e *Unsolved) Error() string {
	of := map[bool]string{true: " of friction"}[e.Friction]
	text := fmt.Sprintf("halfspace: step not solved: duality gap%s %.3g J of %.3g J after %d products", of, e.Gap, e.Energy, e.Products)
	if e.Missed > 0 {
		text += fmt.Sprintf(", a prescribed force is missed by %.3g of what tractions bear", e.Missed)
	}
	if e.Beyond > 0 {
		text += fmt.Sprintf(", friction leaves its bounds by %.3g of the largest", e.Beyond)
	}
	if e.Jumps {
		text += "; a threshold that ends where the bodies part jumps there, and the step need not have a solution"
	}
	return text
}

// admissible is what a force may be missed by, of the sum of the tractions that bear it, and
// tractions may leave their bounds by, of the largest: rounding of sums over elements, with room.
const admissible = 1e-9

// judge compares the duality gap with what was asked for, friction's part of it also by
// itself: where friction is small it has its own scale. The gap bounds the way to the solution
// from tractions that are admissible.
func (s *Solver) judge(r *Result) *Unsolved {
	share := s.share()
	limit := 2 * s.options.gap() * r.Energy
	largest, beyond, missed := 0.0, max(r.Excess, r.Stale), r.Missed
	for k, g := range r.Bound {
		largest = max(largest, g, r.P[N][k])
	}
	if beyond <= admissible*largest {
		beyond = 0
	}
	if missed <= admissible {
		missed = 0
	}
	friction := !(r.Friction <= max(limit*share+s.rounded, 0))
	if beyond == 0 && missed == 0 && !friction && r.Gap <= max(limit*(1+share), 0) {
		return nil
	}
	e := &Unsolved{Gap: r.Gap, Energy: r.Energy, Missed: missed, Beyond: beyond / largest, Products: r.Products}
	if friction && r.Gap <= max(limit*(1+share), 0) {
		e.Gap, e.Energy, e.Friction = r.Friction, r.Energy*share, true
	}
	return e
}

// window is where tractions may be: around the last ones, but everywhere if friction
// does not ask for contact or if prescribed moments may tilt it away.
func (s *Solver) window(p *Problem) box {
	if p.Threshold != nil && !p.Touching || p.Control[TurnX].Force || p.Control[TurnY].Force {
		return s.op.grid.all()
	}
	return s.op.grid.bounding(func(k int) bool { return s.full[N][k] > 0 })
}

// carried fails if the normal resultant passes beyond the elements.
func (s *Solver) carried(p *Problem) error {
	if !p.Control[MoveN].Force {
		return nil
	}
	f, g := p.Control[MoveN].Value, s.op.grid
	for _, m := range [...]int{TurnX, TurnY} {
		if !p.Control[m].Force {
			continue
		}
		// M_x = F y, M_y = −F x, from the pole.
		at, low, high, axis := p.Control[m].Value, g.Y0-p.Pole[1], g.Y0-p.Pole[1]+float64(g.NY-1)*g.DY, "y"
		if m == TurnY {
			at, low, high, axis = -at, g.X0-p.Pole[0], g.X0-p.Pole[0]+float64(g.NX-1)*g.DX, "x"
		}
		if f == 0 && at != 0 {
			return fmt.Errorf("halfspace: the moment %v N·m, and no load that presses: nothing bears it", p.Control[m].Value)
		}
		if at < f*low || at > f*high {
			return fmt.Errorf("halfspace: the moment %v N·m puts the force %v N at %s = %v m from the pole, elements lie from %v to %v m",
				p.Control[m].Value, f, axis, at/f, low, high)
		}
	}
	return nil
}

// roll builds the operators of steady rolling, for the displacements ahead and for
// the differences.
func (s *Solver) roll(p *Problem) (err error) {
	if p.Steady == [2]float64{} || s.ahead != nil && s.ahead.shift == p.Steady {
		return nil
	}
	if s.ahead, err = s.op.Shifted(p.Steady[0], p.Steady[1]); err != nil {
		return err
	}
	s.diff, err = s.op.difference(p.Steady[0], p.Steady[1])
	return err
}

// touch is the penetration outside the box that is none: what the gap allows.
func (s *Solver) touch(r *Result) float64 {
	total := 0.0
	for _, v := range r.P[N] {
		total += v
	}
	if total == 0 {
		return 0
	}
	return s.options.gap() / 4 * r.Energy / (total * s.op.grid.Area())
}

func (r *Result) resize(n int) {
	if len(r.Bound) != n {
		r.P, r.U, r.Y, r.Bound = NewField(n), NewField(n), NewField(n), make([]float64, n)
	}
}

// union is the smallest box around two.
func (b box) union(c box) box {
	i0, j0 := min(b.i0, c.i0), min(b.j0, c.j0)
	return box{i0, j0, max(b.i0+b.nx, c.i0+c.nx) - i0, max(b.j0+b.ny, c.j0+c.ny) - j0}
}

// place moves the tractions onto a box.
func (s *Solver) place(p *Problem, at box) {
	if at.nx == 0 {
		at = s.op.grid.all()
	}
	s.box = at
	n := at.nx * at.ny
	if len(s.g) < n {
		s.p, s.cp, s.b, s.cross = NewField(n), NewField(n), NewField(n), NewField(n)
		s.g, s.mu, s.h = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	s.convex.place(s.op, at, p.Pole)
	s.convex.ratio = p.ratio()
	if p.Steady != [2]float64{} {
		if len(s.was[X]) < n {
			s.was, s.brought = NewField(n), NewField(n)
		}
		s.rolling.place(s.diff, at, p.Pole)
		s.rolling.ratio = p.ratio()
	}
	for c := range 3 {
		s.gather(s.p[c], s.full[c])
	}
	for k := range s.p[Y][:n] {
		s.p[Y][k] /= s.convex.ratio
	}
}

// gather copies the box of a field of the window.
func (s *Solver) gather(dst, src []float64) {
	for j := range s.box.ny {
		copy(dst[j*s.box.nx:(j+1)*s.box.nx], src[s.box.i0+(s.box.j0+j)*s.op.grid.NX:])
	}
}

func (s *Solver) scatter(dst, src []float64) {
	clear(dst)
	for j := range s.box.ny {
		copy(dst[s.box.i0+(s.box.j0+j)*s.op.grid.NX:], src[j*s.box.nx:(j+1)*s.box.nx])
	}
}

// release writes the tractions and what belongs to them into the result.
func (s *Solver) release(p *Problem, r *Result) {
	n := s.convex.n
	for c := range 3 {
		s.scatter(r.P[c], s.p[c][:n])
	}
	for k := range r.P[Y] {
		r.P[Y][k] *= s.convex.ratio
	}
	copyField(s.full, r.P)
	s.scatter(r.Bound, s.g[:n])
	copy(s.bound, r.Bound)
	r.Move = s.move
	r.Products += s.convex.products
	r.Products += s.rolling.products
	s.convex.products, s.rolling.products = 0, 0
}

// fixed is the displacement of component c by the prescribed moves.
func (s *Solver) fixed(p *Problem, dst []float64, c int) {
	for m := range modes {
		if !p.Control[m].Force {
			s.move[m] = p.Control[m].Value
			s.convex.addMode(dst, c, &modes[m], s.move[m])
		}
	}
}

// forces lists the prescribed ones of some components.
func (s *Solver) forces(p *Problem, dst []force, ms ...int) []force {
	for _, m := range ms {
		if p.Control[m].Force {
			shape, unit := modes[m], s.unit(m)
			for c := range shape {
				for i := range shape[c] {
					shape[c][i] /= unit
				}
			}
			for i := range shape[Y] {
				shape[Y][i] *= s.convex.ratio
			}
			dst = append(dst, force{mode: shape, index: m, target: p.Control[m].Value / s.op.grid.Area() / unit, move: s.move[m] * unit})
		}
	}
	return dst
}

// unit is a length by which turns are of the size of moves: half the window.
func (s *Solver) unit(m int) float64 {
	if m < TurnX {
		return 1
	}
	g := s.op.grid
	return (float64(g.NX)*g.DX + float64(g.NY)*g.DY) / 4
}

// sweep solves the normal and the tangential problem in turns, each with the
// displacements by the other: block descent of one convex function as long as
// friction bounds stand (Panagiotopoulos); with Coulomb's bounds a fixed point. It
// is done when neither has anything left to do.
func (s *Solver) sweep(ctx context.Context, p *Problem, r *Result) error {
	n := s.convex.n
	s.gather(s.h[:n], p.Gap)
	if p.Coefficient != nil {
		s.gather(s.mu[:n], p.Coefficient)
	}
	coupled := s.op.inf.Couples() && p.frictional()
	s.gather(s.g[:n], s.bound)
	final := s.options.gap() / 2 * s.tight
	s.settled = false
	relative := final
	if coupled {
		relative = max(final, firstSweep)
	}
	var fresh [2]bool
	s.stands, s.damping = 0, 1
	damping := 1.0
	finals := 0
	for k := range s.options.sweeps() {
		s.rolling.warm = k > 0
		r.Sweeps++
		if (k+1)%dampedSweeps == 0 && damping > leastDamping {
			damping /= 2
			s.damping = damping
		}
		if !p.frictional() { // nor what a problem before had
			clear(s.g[:n])
			clear(s.p[X][:n])
			clear(s.p[Y][:n])
		}
		normal, err := s.normal(ctx, p, relative, coupled, fresh[0])
		if err != nil || !p.frictional() {
			return err
		}
		tangential, err := s.tangential(ctx, p, relative, coupled, fresh[1])
		if err != nil || !coupled || s.stands > standsLimit {
			return err
		}
		if k >= patience && s.convex.rounding() > 2*s.options.gap()*s.energy {
			return nil // judge allows less than rounding does: the sweeps will not settle
		}
		if settled := relative == final && normal == 0 && tangential == 0; settled && s.damping == 1 {
			s.settled = true
			return nil
		} else if settled {
			s.damping = 1 // the bounds, then, as they are
		} else {
			s.damping = damping
		}
		if relative == final {
			if finals++; finals > patience && s.passes(p, r) {
				return nil
			}
		}
		fresh = [2]bool{true, true}
		relative = max(final, relative*sweepReduction)
	}
	return nil
}

// passes reports whether the tractions are a solution as they are, though either problem still
// finds something to do: as much as the other one is off.
func (s *Solver) passes(p *Problem, r *Result) bool {
	s.release(p, r)
	s.certify(p, r)
	r.Products++
	return s.judge(r) == nil
}

// patience is the number of sweeps that are not asked for their certificate, nor whether rounding
// keeps them from it: most problems settle.
const patience = 7

// The first sweeps need not be exact: what the other problem changes is larger.
const (
	firstSweep     = 1e-3
	dampedSweeps   = 20 // after which bounds go half as far, since they go to and fro
	leastDamping   = 0.1
	sweepReduction = 0.03
)

// normal solves for pressure with the displacements by the tractions along the
// surface, and returns how many faces it took.
func (s *Solver) normal(ctx context.Context, p *Problem, relative float64, coupled, fresh bool) (faces int, err error) {
	c, n := &s.convex, s.convex.n
	copy(s.b[N][:n], s.h[:n])
	s.fixed(p, s.b[N][:n], N)
	if coupled {
		s.couple(c, N)
	}
	c.take(s.cut(s.p), s.cut(s.cp), s.cut(s.b), nil, N)
	c.forces = s.forces(p, c.forces[:0], MoveN, TurnX, TurnY)
	_, faces, err = c.solve(ctx, relative, 0, fresh)
	c.raise()
	s.found(c)
	if p.Control[MoveN].Force && p.Control[MoveN].Value == 0 {
		s.touching(p)
	}
	s.energy = dot(c.p, c.cp) / 2
	return faces, err
}

// touching puts bodies that no load presses together next to each other.
func (s *Solver) touching(p *Problem) {
	least := math.Inf(1)
	g := s.op.grid
	for k, h := range p.Gap {
		x, y := g.At(k)
		for _, m := range [...]int{TurnX, TurnY} {
			h += s.move[m] * modes[m].at(N, x-p.Pole[0], y-p.Pole[1])
		}
		least = min(least, h)
	}
	s.move[MoveN] = -least
}

// couple adds the displacements by the other kind of tractions to some components
// of b.
func (s *Solver) couple(c *convex, comps ...int) {
	from, to := Field{N: s.p[N][:s.convex.n]}, Field{}
	if comps[0] == N {
		from = Field{X: s.p[X][:s.convex.n], Y: s.p[Y][:s.convex.n]}
	}
	for _, comp := range comps {
		to[comp] = s.cross[comp][:s.convex.n]
	}
	c.multiply(to, from)
	for _, comp := range comps {
		for k, v := range to[comp] {
			s.b[comp][k] += v
		}
	}
}

// cut is a field of the box.
func (s *Solver) cut(f Field) Field {
	n := s.convex.n
	return Field{f[X][:n], f[Y][:n], f[N][:n]}
}

// found takes the displacements of the forces over.
func (s *Solver) found(c *convex) {
	for i := range c.forces {
		m := c.forces[i].index
		s.move[m] = c.forces[i].move / s.unit(m)
	}
}

// bounds sets g from pressure. Tractions that were on the old bound stay on the
// new; it reports whether any has moved.
func (s *Solver) bounds(p *Problem) bool {
	n := s.convex.n
	s.old = append(s.old[:0], s.g[:n]...)
	clear(s.g[:n])
	if p.Threshold != nil {
		s.gather(s.g[:n], p.Threshold)
		for k := range s.g[:n] {
			if p.Touching && !(s.p[N][k] > 0) {
				s.g[k] = 0
			}
		}
	}
	if p.Coefficient != nil {
		for k := range n {
			s.g[k] += s.mu[k] * s.p[N][k]
		}
	}
	for k, old := range s.old {
		if s.damping < 1 {
			s.g[k] = old + s.damping*(s.g[k]-old)
		}
	}
	moved := false
	for k, g := range s.old {
		if g == s.g[k] || g == 0 {
			continue
		}
		if r := math.Hypot(s.p[X][k], s.p[Y][k]); r >= g*(1-stickMargin) {
			s.p[X][k] *= s.g[k] / r
			s.p[Y][k] *= s.g[k] / r
			moved = true
		}
	}
	return moved
}

// tangential solves for the tractions along the surface.
func (s *Solver) tangential(ctx context.Context, p *Problem, relative float64, coupled, fresh bool) (faces int, err error) {
	c, n := &s.convex, s.convex.n
	rolls := p.Steady != [2]float64{}
	if rolls {
		c = &s.rolling
	}
	fresh = !s.bounds(p) && fresh
	for comp := range 2 {
		b := s.b[comp][:n]
		clear(b)
		if p.Before[comp] != nil && !rolls {
			s.gather(b, p.Before[comp])
			for k := range b {
				b[k] = -b[k]
			}
		}
		s.fixed(p, b, comp)
		if comp == Y && c.ratio != 1 {
			for k := range b {
				b[k] *= c.ratio
			}
		}
	}
	if coupled {
		s.couple(c, X, Y)
	}
	c.take(s.cut(s.p), s.cut(s.cp), s.cut(s.b), s.g[:n], X, Y)
	c.forces = s.forces(p, c.forces[:0], MoveX, MoveY, TurnN)
	if rolls {
		faces, err = s.steady(ctx, relative, s.energy*s.share())
	} else {
		faces, err = s.transient(ctx, relative, s.energy*s.share(), fresh)
	}
	s.found(c)
	return faces, err
}

// transient solves the tangential problem of a step: by minimisation, and where that stands still,
// since nearly nothing slips or nearly all tractions are at their bounds, in turns with Newton's
// method on the equation that they solve, without regard to their energy.
func (s *Solver) transient(ctx context.Context, relative, scale float64, fresh bool) (faces int, err error) {
	c := &s.convex
	gap, faces, err := c.solve(ctx, relative, scale, fresh)
	for range rescues {
		more := 0
		if err == nil && gap > c.tolerance(relative, scale) {
			gap, more, err = c.steady(ctx, relative, scale)
			faces += more
		}
		if err == nil && gap > c.tolerance(relative, scale) {
			gap, more, err = c.solve(ctx, relative, scale, true)
			faces += more
		}
	}
	return faces, err
}

// rescues of a minimisation that stands still: one was enough in 12,000 steps of all kinds.
const rescues = 2

// steady solves the tangential problem of steady rolling: by Newton's method, and where
// that stands still by going with the material for a while.
func (s *Solver) steady(ctx context.Context, relative, scale float64) (faces int, err error) {
	c, best := &s.rolling, 0.0
	for try := 0; ; try++ {
		gap, more, err := c.steady(ctx, relative, scale)
		faces += more
		if err != nil || gap <= relative*scale {
			return faces, err
		}
		if try > 0 && try%transitsTold == 0 {
			if gap > transitsGain*best {
				s.stands++
				return faces, nil
			}
			best = gap
		}
		if best == 0 {
			best = gap
		}
		if err := s.transit(ctx, max(relative*scale, transitAccuracy*gap)); err != nil {
			return faces, err
		}
	}
}

const (
	transitsTold    = 8   // in which the gap falls by the factor
	transitsGain    = 0.7 // or the problem is given up
	transitAccuracy = 0.03
	standsLimit     = 3 // sweeps that give it up: another pressure may help
)

// transit rolls on by some steps. Each is a convex problem, of the slips against the
// displacements that the material brings along, and the way there is a contraction:
// a shift of the surface keeps ‖·‖_C, the window forgets.
func (s *Solver) transit(ctx context.Context, tolerance float64) error {
	c, r, n := &s.convex, &s.rolling, s.convex.n
	b, cp := s.cut(s.was), s.cut(s.brought)
	p := Field{X: s.p[X][:n], Y: s.p[Y][:n]}
	for range s.transitSteps() {
		c.multiply(Field{X: cp[X], Y: cp[Y]}, p)
		r.multiply(Field{X: s.cp[X][:n], Y: s.cp[Y][:n]}, p)
		for comp := range 2 {
			for k := range b[comp] {
				b[comp][k] = s.b[comp][k] - cp[comp][k] + s.cp[comp][k]
			}
		}
		c.take(s.cut(s.p), cp, b, s.g[:n], X, Y)
		c.forces = append(c.forces[:0], r.forces...)
		_, faces, err := c.solve(ctx, 1, tolerance, true)
		if err != nil {
			return err
		}
		if faces == 0 {
			return nil // steady
		}
		for i := range c.forces {
			r.forces[i].move = c.forces[i].move
		}
	}
	return nil
}

// transitSteps go an eighth of the way through the box, if that are not too many.
func (s *Solver) transitSteps() int {
	g, d := s.op.grid, s.rolling.op.shift
	return min(64, max(8, int(math.Hypot(float64(s.box.nx)*g.DX*d[0], float64(s.box.ny)*g.DY*d[1])/(d[0]*d[0]+d[1]*d[1])/8)))
}

// share is the mean square of friction bounds to pressures: that of the friction
// bounds' elastic energy to that of pressure. Where nothing presses all energy is friction's.
func (s *Solver) share() float64 {
	g, p := 0.0, 0.0
	for k, v := range s.p[N][:s.convex.n] {
		g += s.g[k] * s.g[k]
		p += v * v
	}
	switch {
	case p > 0:
		return g / p
	case g > 0:
		return 1
	}
	return 0
}
