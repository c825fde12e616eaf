package energetic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/sparse"
)

// Excess is the largest force met that nothing balances.
type Excess struct {
	Force    float64 // [N]
	Time     float64 // where it was met first [s]
	Particle int
}

func (e *Excess) keep(force, t float64, particle int) {
	if force = finite(force); force > e.Force {
		*e = Excess{force, t, particle}
	}
}

// Residuals are what the interpolant of one island leaves of (S), (DI) and (E), at
// all times so far, and the sizes that they are compared with. An island is a part
// of the system that exchanges no force with the others, or hardly any: see [weak].
type Residuals struct {
	// Forces that violate (S): along obstacles beyond friction, across them into the
	// air, and where neither obstacle nor friction holds: in the air, or along an
	// obstacle without friction.
	Along, Across, Free Excess
	AlongGamma          Excess // Along, of Ψ_γ

	// Slip = ∫ |F_T + σ∂‖M ż‖| |dz_T|: the unbalanced friction (DI) along the way of
	// the particles that slide under friction [J]. Flight = ∫ |DE·dz| of those that have
	// none, are in the air, or land or lift off in the step [J].
	Slip, SlipGamma, Flight float64
	// Balance = ∫ (DE·ż + Ψ) dt, the part of the island in the residual of (E), now
	// and where it was largest [J].
	Balance, BalanceGamma, MaxBalance, MaxBalanceGamma float64

	// ForceAlong and ForceAcross are the largest forces that obstacles exerted on a
	// particle; Acting is the largest of one energy on a particle, and Data the largest
	// |DE(t, z(0))|: what the loading would do to the system if it stood still [N].
	ForceAlong, ForceAcross, Acting, Data float64
	// Borne is the largest force of an anchor, a support or the loads on a particle where D²E varies, see
	// [particles.Bearing] [N].
	Borne float64 `json:",omitempty"`
	// Held is the same of all islands: a body that balances its loads by its supports has no force of one energy on a
	// node (Acting), whatever strains it [N]. Closed: a contact of the island was closed at a node.
	Held   float64 `json:",omitempty"`
	Closed bool    `json:",omitempty"`
	// ExchangedAlong and ExchangedAcross are the energies that the world exchanged with
	// the particles along obstacles and across, that lost along the way included [J].
	ExchangedAlong, ExchangedAcross float64
	// Twin and Dissipated are the dissipation of the evolution in parts of the steps, see
	// twin, and of the polygon, and MaxTwin the largest difference [J]; Offset is how far
	// a particle is from where it is there [m], ForceOffset how far its friction at nodes is
	// [N], Way how far particles came from their start, and Reach how far the loading would
	// take each by itself without friction and obstacles [m]. Lost is the work that forces
	// along obstacles did against friction [J].
	Twin, Dissipated, MaxTwin, Lost float64
	Offset, ForceOffset             Excess
	Way, Reach                      float64
	Drift                           float64 // largest growth of an offset in the last step [m]
	Compliance                      float64 // largest of one particle [m/N]
	Friction                        float64 // largest one of a particle at a node [N]
	along2                          float64 // its square
	Barred                          Excess  // what friction on the way holds beyond all that drives there, see barriers [N]
	Behind                          Excess  // how far from where friction holds it a particle is, see waiting [m]
	// Yielded is what internal variables have dissipated on the shortest ways, and Unlike the largest difference
	// from the twin there [J]; Yield is what their states lack of stability, in parts of the threshold [-].
	Yielded, Unlike float64
	Yield           Excess
	// Supported is how far the force of a support on a node of such a body is from that of the twin [N]; Stressed is
	// the largest equivalent stress of an element, and StressOffset the largest one of the difference from the twin [Pa].
	Supported              Excess
	Stressed, StressOffset float64 `json:",omitempty"`
	// Path is Σ ∫|dz|, and FreePath the part of it in the air or without friction [m].
	Path, FreePath float64
	Rounding       float64 // force that the rounding of positions may pretend [N]
	Touches        bool    // a particle of it has an obstacle
	Sampled        bool    // some suprema are over samples only
}

// interior holds what Certifier knows about the times between nodes.
type interior struct {
	island   []int
	part     []Residuals // by island, of all steps so far
	step     []Residuals // of the last step, or of the start
	touching []int       // particles of an island that have an obstacle
	bearing  []bool      // islands of which D²E varies; nil: there are none
	affine   bool        // D²E and friction matrices are constant
	cut      int         // parts into which what the last step goes through divides it
	known    bool        // curve bounds |∂t²DE|
	curve    []float64   // by dof [N/s²]
	still    bool        // curve is zero: DE is affine between breaks
	varies   bool        // what some friction holds depends on place, time or slip
	last     []latest    // samples, by particle, where some does
	power    []float64   // of System.Drive
	late     []float64   // DE of a place amid the step at its end, see barriers
	landed   []float64   // a place amid the step of what lands in it, and DE there, see barriers
	pressed  []float64
	force    []float64 // of System.Strength
	rate     []float64 // velocity [m/s]
	at       []float64 // a state between
	bends    string    // what makes DE bend by what is not known where D²E varies, see System.Unbounded
	bounded  bool      // off is known of the step, for places too: see divideWay
	given    []float64 // breaks of the step, without those of divideWay [s]
	bend     []float64 // of System.WayBound [N]
	off      []float64 // by what DE differs from its chords between samples, by dof [N]
	grad     []float64 // DE there
	data     []float64 // DE(t, z0)
	reach    []float64 // largest forces met, by island, of a foreign trajectory [N]
}

func newInterior(c *Certifier) interior {
	np := c.sys.N()
	vector := func() []float64 { return make([]float64, 3*np) }
	in := interior{curve: vector(), power: make([]float64, 2*np), force: make([]float64, np), rate: vector(),
		at: vector(), bend: vector(), off: vector(), grad: vector(), data: vector()}
	for k := range c.psi.Matrices {
		in.varies = in.varies || c.psi.Varies(k)
	}
	if in.varies {
		in.last = slices.Repeat([]latest{{hold: dissipation.Holding{T: math.Inf(-1)}}}, np) // none yet
	}
	in.affine = c.sys.ConstantHessian() && !in.varies
	if !c.sys.ConstantHessian() {
		in.bends = c.sys.Unbounded()
	}
	in.known = c.sys.TimeBound(in.curve, 2)
	in.still = in.known
	for _, k := range in.curve {
		in.still = in.still && k == 0
	}
	_, count := c.sys.Islands()
	in.reach = make([]float64, count)
	return in
}

// weak: what couples two particles by less than this part of the stiffer one's own stiffness
// makes no island of them. A soft particle that is bonded to one 1/weak times as stiff
// bears forces and loses energies that many times smaller, and would be hidden by an island's
// sizes, as one would be that is not bonded to it. The nodes of a mesh and
// their neighbours are coupled by .1 and more.
const weak = 0.02

// divide makes the islands, by the stiffness D²E if it is constant: who judges a stretch of
// the run alone has the same ones. Where it varies, what is weak now need not be later, and
// islands are those of its pattern.
func (in *interior) divide(c *Certifier, stiffness *sparse.Sym) {
	of, count := c.sys.Islands()
	if c.sys.ConstantHessian() {
		of, count = c.sys.Coupled(stiffness, weak)
	}
	in.assign(c, of, count)
}

// assign makes islands that are known.
func (in *interior) assign(c *Certifier, of []int, count int) {
	in.island = of
	in.part, in.step, in.touching = make([]Residuals, count), make([]Residuals, count), make([]int, count)
	for j, i := range of {
		if c.sys.Constrained(j) || c.sys.Cornered(j) {
			in.part[i].Touches = true
			in.touching[i]++
		}
		if c.sys.Nonlinear(j) {
			if in.bearing == nil {
				in.bearing = make([]bool, count)
			}
			in.bearing[i] = true
		}
	}
}

// merge takes a step into account.
func (p *Residuals) merge(s *Residuals) {
	for _, e := range []struct{ all, step *Excess }{{&p.Along, &s.Along}, {&p.Across, &s.Across}, {&p.Free, &s.Free},
		{&p.AlongGamma, &s.AlongGamma}, {&p.Offset, &s.Offset}, {&p.ForceOffset, &s.ForceOffset},
		{&p.Barred, &s.Barred}, {&p.Behind, &s.Behind}, {&p.Yield, &s.Yield}, {&p.Supported, &s.Supported}} {
		e.all.keep(e.step.Force, e.step.Time, e.step.Particle)
	}
	for _, w := range []struct{ all, step *float64 }{{&p.Slip, &s.Slip}, {&p.SlipGamma, &s.SlipGamma},
		{&p.Flight, &s.Flight}, {&p.Balance, &s.Balance}, {&p.BalanceGamma, &s.BalanceGamma}, {&p.Twin, &s.Twin},
		{&p.Dissipated, &s.Dissipated}, {&p.Lost, &s.Lost}, {&p.Yielded, &s.Yielded}} {
		*w.all = max(finite(*w.all+*w.step), -math.MaxFloat64)
	}
	p.MaxBalance = max(p.MaxBalance, math.Abs(p.Balance))
	p.MaxBalanceGamma = max(p.MaxBalanceGamma, math.Abs(p.BalanceGamma))
	p.MaxTwin = max(p.MaxTwin, math.Abs(p.Twin-p.Dissipated))
	p.Unlike = max(p.Unlike, finite(s.Unlike))
	p.Stressed, p.StressOffset = max(p.Stressed, s.Stressed), max(p.StressOffset, s.StressOffset)
	p.Way, p.Reach, p.Compliance = max(p.Way, s.Way), max(p.Reach, s.Reach), max(p.Compliance, s.Compliance)
	p.Friction = max(p.Friction, s.Friction)
	p.ForceAlong, p.ForceAcross = max(p.ForceAlong, s.ForceAlong), max(p.ForceAcross, s.ForceAcross)
	p.Acting, p.Data, p.Borne = max(p.Acting, s.Acting), max(p.Data, s.Data), max(p.Borne, s.Borne)
	p.Held, p.Closed = max(p.Held, s.Held), p.Closed || s.Closed
	for _, w := range []struct{ all, step *float64 }{{&p.ExchangedAlong, &s.ExchangedAlong},
		{&p.ExchangedAcross, &s.ExchangedAcross}, {&p.Path, &s.Path}, {&p.FreePath, &s.FreePath}} {
		// what is not finite is no size to compare with
		if sum := *w.all + *w.step; sum <= math.MaxFloat64 {
			*w.all = sum
		}
	}
	p.Rounding = max(p.Rounding, s.Rounding)
	p.Sampled = p.Sampled || s.Sampled
}

// endStep merges the residuals of the step into those of all.
func (in *interior) endStep() {
	for i := range in.part {
		in.part[i].merge(&in.step[i])
	}
}

// flight reports whether particle j is in the air at some time inside the step.
func (c *Certifier) flight(j int) bool {
	if c.sys.Cornered(j) {
		return !c.keeps(j)
	}
	return !c.stays(j)
}

// changes reports whether particle j lands or lifts off in the step.
func (c *Certifier) changes(j int) bool {
	for _, k := range c.sys.Beside(j) {
		if c.psi.Touches(c.tPrev, k, c.zPrev) != c.psi.Touches(c.node.T, k, c.node.Z) {
			return true
		}
	}
	return c.psi.Touches(c.tPrev, j, c.zPrev) != c.psi.Touches(c.node.T, j, c.node.Z)
}

// sampleNode takes the forces of the present node into the suprema.
func (c *Certifier) sampleNode() {
	n, in := &c.node, &c.between
	for j := range c.sys.N() {
		closed := c.psi.Touches(n.T, j, n.Z)
		c.sample(j, n.T, n.Z, n.Grad, !closed, [2]float64{})
		closed = closed || slices.ContainsFunc(c.sys.Beside(j), func(k int) bool { return c.psi.Touches(n.T, k, n.Z) })
		p := &c.between.step[c.between.island[j]]
		p.Closed = p.Closed || closed
	}
	if o := c.sys.Overlap(n.T, n.Z); o.Depth > c.sum.Overlap {
		if c.sum.Overlap == 0 {
			c.sum.OverlapTime = n.T
		}
		c.sum.Overlap = o.Depth
	}
	c.sampleSizes()
	for j, i := range in.island {
		p := &in.step[i]
		x, y, h := n.Z[3*j]-c.z0[3*j], n.Z[3*j+1]-c.z0[3*j+1], n.Z[3*j+2]-c.z0[3*j+2]
		p.Way = max(p.Way, finite(math.Sqrt(x*x+y*y+h*h)))
	}
	for i, j := range c.blocks.list {
		p, w := &in.step[in.island[j]], &c.blocks.inverse[i]
		x := w[3]*in.data[3*j+2] + w[4]*in.data[3*j] + w[5]*in.data[3*j+1]
		y := w[6]*in.data[3*j+2] + w[7]*in.data[3*j] + w[8]*in.data[3*j+1]
		p.Reach = max(p.Reach, finite(math.Hypot(x, y)))
		p.Compliance = max(p.Compliance, w[0], w[4], w[8])
	}
	for j, i := range in.island {
		in.step[i].Rounding = c.scales.Rounding[c.scales.Island[j]]
	}
}

// sampleSizes takes the forces that act, and those of the data, at the present node into the suprema.
func (c *Certifier) sampleSizes() {
	n, in := &c.node, &c.between
	c.sys.Strength(in.force, n.T, n.Z)
	c.sys.Gradient(in.data, nil, n.T, c.z0)
	for j, i := range in.island {
		p := &in.step[i]
		p.Acting = max(p.Acting, in.force[j])
		p.Data = max(p.Data, finite(math.Hypot(math.Hypot(in.data[3*j], in.data[3*j+1]), in.data[3*j+2])))
	}
	c.sys.Borne(in.force, n.T, n.Z)
	for j, i := range in.island {
		p := &in.step[i]
		p.Held = max(p.Held, finite(in.force[j]))
		if in.bearing != nil && in.bearing[i] {
			p.Borne = p.Held
		}
	}
}

// sample takes the force on one particle into the suprema of (S). rest bounds what
// the force along and across may differ by nearby.
func (c *Certifier) sample(j int, t float64, z, grad []float64, air bool, rest [2]float64) {
	if c.sys.Cornered(j) {
		c.sampleCorner(j, t, z, grad, rest)
		return
	}
	g := grad[3*j : 3*j+3]
	p := &c.between.step[c.between.island[j]]
	if air {
		p.Free.keep(math.Sqrt(g[0]*g[0]+g[1]*g[1]+g[2]*g[2])+rest[0]+rest[1], t, j)
		return
	}
	sigma := max(g[2], 0)
	p.Across.keep(max(rest[1]-g[2], 0), t, j)
	p.ForceAcross = max(p.ForceAcross, sigma)
	if c.psi.Matrices[j] == nil {
		p.Free.keep(math.Hypot(g[0], g[1])+rest[0], t, j)
		return
	}
	factor := c.psi.Factor(j, t)
	excess := c.excess(j, t, sigma, factor, rest, z, g)
	if c.between.varies && !c.opt.Thinned && c.psi.Varies(j) {
		p.Along.keep(c.sinceLast(j, t, sigma-rest[1], excess, z), t, j)
	}
	p.Along.keep(excess, t, j)
	p.ForceAlong = max(p.ForceAlong, math.Hypot(g[0], g[1])-excess)
	if r := c.opt.Step.Rule; r.Gamma > 0 {
		p.AlongGamma.keep(c.excess(j, t, r.Threshold(sigma, c.switching[j]), factor, rest, z, g), t, j)
	}
}

// excess bounds the tangential force that the friction of particle j, under the
// normal force sigma and with the factor of its time, does not hold, where the forces may
// differ by rest.
func (c *Certifier) excess(j int, t, sigma, factor float64, rest [2]float64, z, g []float64) float64 {
	sigma = (sigma - rest[1]) * factor // less than zero it is the end of a chord
	if mu, isotropic := c.psi.Mu(t, j, z); isotropic {
		return max(math.Hypot(g[0], g[1])+rest[0]-math.Abs(mu)*sigma, 0)
	}
	a, b := c.psi.Excess(t, j, max(sigma, 0), z, [2]float64{g[0], g[1]})
	return math.Hypot(a, b) + rest[0] + max(-sigma, 0)*c.psi.Size(t, j, z)*math.Sqrt2 // Size is at least 1/√2 of the largest
}

const (
	// restPart: steps are subdivided until what a force may do between two samples is
	// this part of what is allowed, at most samplesLimit times a piece.
	restPart     = 0.1
	samplesLimit = 64
)

// pieces returns into how many parts piece k of the step is divided so that the forces between are
// known.
func (c *Certifier) pieces(k int) int {
	in := &c.between
	length := c.breaks[k] - c.breaks[k-1]
	if in.still && !in.varies || length == 0 {
		return 1
	}
	if !in.known {
		for i := range in.step {
			in.step[i].Sampled = true
		}
		return 2
	}
	most := 1.0
	if in.varies {
		most = max(most, c.sagging(k))
	}
	for j, i := range in.island {
		curve := math.Hypot(math.Hypot(in.curve[3*j], in.curve[3*j+1]), in.curve[3*j+2])
		if curve == 0 {
			continue
		}
		target := restPart * c.opt.Accuracy * in.part[i].size()
		most = max(most, length*math.Sqrt(curve/(8*target))) // +Inf without forces so far
	}
	return int(math.Ceil(min(most, samplesLimit))) // the rest is larger, and counts
}

// size is the largest force that the island is known to bear.
func (p *Residuals) size() float64 {
	if !p.Touches && p.Borne == 0 && p.Data < math.MaxFloat64 {
		return p.Data
	}
	return capped(max(p.ForceAlong, p.ForceAcross, p.Acting, p.Borne), p.Data)
}

// finite returns a number, or the largest one where E is not finite, as that of a body
// that is turned inside out: checkpoints can hold it, and no limit allows it.
func finite(f float64) float64 {
	if f <= math.MaxFloat64 {
		return f
	}
	return math.MaxFloat64
}

// capped is a size of the run, bounded by one of the data alone: no run can inflate
// what it is compared with.
func capped(run, data float64) float64 {
	if data > 0 {
		return min(run, data)
	}
	return run
}

// judgeInterior takes the step just made into the residuals of the islands, and
// returns the integrals of (E): ∫Ψ(s, z, ż) ds and ∫∂_sE(s, z) ds of the
// interpolant, piece by piece between the breaks of the signals.
func (c *Certifier) judgeInterior() (dissipated, work float64) {
	n := &c.node
	clear(c.between.step)
	c.breaks = append(c.breaks[:0], c.tPrev)
	c.breaks = c.cuts(c.psi.Breaks(c.breaks, c.tPrev, n.T))
	c.breaks = append(c.breaks, n.T)
	c.between.given = append(c.between.given[:0], c.breaks...)
	h, moves := n.T-c.tPrev, c.moves()
	if h > 0 {
		for i, v := range c.v {
			c.between.rate[i] = v / h
		}
	}
	for j, i := range c.between.island {
		if c.changes(j) { // what it lacks in the air is counted by its work, and not by its force
			c.between.step[i].Sampled = true
		}
	}
	share := c.longestPiece()
	share *= share / 8
	between := !c.between.still || c.between.varies || c.between.bounded
	if between && (c.between.known || c.between.bounded) {
		c.sampleStart(share)
	}
	for k := 1; k < len(c.breaks); k++ {
		lo, hi := 0.0, 1.0
		if h > 0 {
			lo, hi = (c.breaks[k-1]-c.tPrev)/h, (c.breaks[k]-c.tPrev)/h
		}
		m := c.parts[k]
		for p := range m {
			from, to := lo+(hi-lo)*float64(p)/float64(m), lo+(hi-lo)*float64(p+1)/float64(m)
			d, w := c.quadrature(from, to, h, moves)
			dissipated += d
			work += w
			if between || k+1 < len(c.breaks) {
				c.samplePoint(to, c.tPrev+h*to, share)
				c.barriers(c.tPrev + h*to)
			}
		}
	}
	c.wait()
	c.breaks = append(c.breaks[:0], c.between.given...) // the twin has these
	return dissipated, work
}

// longestPiece divides the pieces of the step into parts, and returns the longest time between two
// samples [s]: a sample is an end of two, of which either may be the longer.
func (c *Certifier) longestPiece() (longest float64) {
	if c.between.bounded = c.divideWay(); c.between.bounded {
		return 0 // rest is that of its own parts
	}
	c.parts = append(c.parts[:0], 0)
	for k := 1; k < len(c.breaks); k++ {
		c.parts = append(c.parts, c.pieces(k))
		longest = max(longest, (c.breaks[k]-c.breaks[k-1])/float64(c.parts[k]))
	}
	return longest
}

// sampleStart takes the forces at the start of the step into the suprema, with what
// they may change by before the next sample.
func (c *Certifier) sampleStart(share float64) {
	for j := range c.sys.N() {
		if !c.changes(j) {
			c.sample(j, c.tPrev, c.zPrev, c.gradPrev, c.flight(j), c.rest(j, share))
		}
	}
}

// rest bounds what the force on particle j, along and across, differs by from the
// chord between two samples whose distance squared, over 8, is share [s²].
func (c *Certifier) rest(j int, share float64) [2]float64 {
	if c.between.bounded {
		k := c.between.off[3*j : 3*j+3]
		return [2]float64{math.Hypot(k[0], k[1]), k[2]}
	}
	if !c.between.known {
		return [2]float64{}
	}
	k := c.between.curve[3*j : 3*j+3]
	return [2]float64{math.Hypot(k[0], k[1]) * share, k[2] * share}
}

// moves reports whether anything moved in the step.
func (c *Certifier) moves() bool {
	for _, v := range c.v {
		if v != 0 {
			return true
		}
	}
	return false
}

// samplePoint takes the forces at a time inside the step into the suprema. Particles
// that land or lift off in the step are left to Residuals.Flight: how early they do
// is a matter of the length of the step, and of its energy.
func (c *Certifier) samplePoint(theta, s, share float64) {
	in := &c.between
	c.interpolate(theta, s)
	c.sys.Gradient(in.grad, nil, s, c.zMid)
	for j := range c.sys.N() {
		if !c.changes(j) {
			c.sample(j, s, c.zMid, in.grad, c.flight(j), c.rest(j, share))
		}
	}
}

// quadrature integrates over the part [from, to] of the step, in parts of its length h.
func (c *Certifier) quadrature(from, to, h float64, moves bool) (dissipated, work float64) {
	in, width := &c.between, to-from
	for q, point := range gauss {
		theta := from + width*point.at
		s := c.tPrev + h*theta
		c.interpolate(theta, s)
		_, rate := c.sys.Value(s, c.zMid)
		work += point.weight * width * h * rate
		if q == 1 && h > 0 {
			c.sys.Drive(in.power, s, c.zMid, in.rate)
			for j, i := range in.island {
				in.step[i].ExchangedAlong += in.power[2*j] * width * h
				in.step[i].ExchangedAcross += in.power[2*j+1] * width * h
			}
		}
		if !moves && in.affine && in.still {
			continue
		}
		c.sys.Gradient(in.grad, nil, s, c.zMid)
		for j := range c.sys.N() {
			d, driven := c.along(j, s, point.weight*width, h)
			dissipated += d
			work += driven
			if c.sampledOnly(j) && !c.changes(j) {
				c.sample(j, s, c.zMid, in.grad, c.flight(j), [2]float64{})
				in.step[in.island[j]].Sampled = true
			}
		}
	}
	return dissipated, work
}

// along adds the part of particle j at a quadrature point, of a step of the length h, to the
// integrals along the way, and returns its Ψ and the work of moving obstacles beside its first.
func (c *Certifier) along(j int, s, weight, h float64) (dissipated, driven float64) {
	in := &c.between
	g, v := in.grad[3*j:3*j+3], c.v[3*j:3*j+3]
	length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
	if length == 0 && !c.sys.Dragged(j) {
		return 0, 0
	}
	p := &in.step[in.island[j]]
	p.Path += weight * length
	if c.flight(j) || c.psi.Matrices[j] == nil && c.smooth(j) && !c.sys.Dragged(j) {
		p.FreePath += weight * length
		power := weight * (g[0]*v[0] + g[1]*v[1] + g[2]*v[2])
		p.Flight += math.Abs(power)
		p.Balance += power
		p.BalanceGamma += power
		return 0, 0
	}
	if c.sys.Cornered(j) {
		return c.alongCorner(j, s, weight, h)
	}
	factor := c.psi.Factor(j, s)
	sigma := max(g[2], 0) * factor
	f, norm := c.psi.Force(s, j, c.zMid, c.v), c.psi.Norm(s, j, c.zMid, c.v)
	pull := weight * (g[0]*v[0] + g[1]*v[1])
	dissipated = weight * sigma * norm
	p.Slip += weight * math.Hypot(g[0]+sigma*f[0], g[1]+sigma*f[1]) * length
	p.Balance += pull + dissipated
	p.ExchangedAlong += min(math.Abs(pull), dissipated)
	p.Lost += min(math.Abs(pull), dissipated)
	p.Dissipated += dissipated
	if r := c.opt.Step.Rule; r.Gamma > 0 {
		less := r.Threshold(max(g[2], 0), c.switching[j]) * factor
		p.SlipGamma += weight * math.Hypot(g[0]+less*f[0], g[1]+less*f[1]) * length
		p.BalanceGamma += pull + weight*less*norm
	}
	return dissipated, 0
}
