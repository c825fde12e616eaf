package proof

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

const (
	// mostParticles bounds the dense inverse, 3N by 3N: 600 rows take .1 s and 3 MB.
	mostParticles = 200
	// ulps is what rounding leaves of a sum of forces, in parts of the sum of their sizes: 2⁻⁵³ a
	// term, of the some ten terms of a row.
	ulps = 16 * 0x1p-53
	// coupled: entries of A that are smaller than this part of its largest one are what the
	// rounding of axes leaves.
	coupled = 1e-14
	// late: who begins to slide in the first or last of so small a part of a step, or is as near to
	// its threshold, begins with it.
	late = 1e-6
	// resting: what moves less than this part of the largest coordinate in a step rests. Steps are
	// solved to 1e-12 of the forces, and leave about as much of the coordinates.
	resting = 0x1p-36
	// placed is what rounding leaves of the way between two places, each of which has gone through
	// a frame and a file: some ulps of the numbers that add up to it, of all three coordinates.
	placed = 16 * 0x1p-52
)

// Tube bounds the distance of a polygon to the exact solution that starts where it does. Not safe
// for concurrent use.
type Tube struct {
	psi   *dissipation.Coulomb
	sys   *particles.System
	why   string    // there is no bound; empty: there is
	reach []float64 // c_j, |e_j| <= c_j ‖e‖_A [m/√J]
	stiff []float64 // of each particle along its normal [N/m]
	alone bool      // no normal force depends on a motion of another particle
	curve []float64 // bounds of |∂t²DE| [N/s²]
	round []float64 // Σ_k |A_ik|: times |z|, of what rounding is a part [N/m]

	state TubeState
	own   [][3]float64 // of each particle, the stiffness along its obstacle: tt, to, oo [N/m]
	// Drive, if not nil, is the sine that all loads and thresholds follow. Where it does not turn
	// in a piece they go along a line, and what is exact for the chord is exact at other times of
	// the piece.
	Drive *signal.Sine
	// OnNode, if not nil, is told the nodes of the polygon that is judged: those observed, and
	// others that are put between them.
	OnNode func(t float64, z []float64)
	// Scratch: the node or break looked at, DE at both ends of a piece, the start of a step, the
	// parts of it after which particles begin to move, and its breaks.
	z, gBefore, g, from, begin, breaks, snapped []float64
}

// TubeState is what the rest of a [Tube] depends on, for checkpoints.
type TubeState struct {
	Begun     bool
	T         float64
	Z         []float64
	Last      []float64 // r at the end of the last piece, along obstacles [N]
	Across    []float64 // largest distance along the normals [m]
	Variation float64   // Var r, in the norm of A⁻¹ [√J]
	Largest   float64   // of Var r + |r| at nodes [√J]
	Start     []float64
	Off       float64 // largest distance of a node from the polygon that is judged [m]
	Way       float64 // largest distance of a particle from its start, at nodes [m]
	Why       string
}

// NewTube looks at the system. One that has no tube says so by [Tube.Why].
func NewTube(psi *dissipation.Coulomb) *Tube {
	n := 3 * psi.System.N()
	vector := func() []float64 { return make([]float64, n) }
	u := &Tube{psi: psi, sys: psi.System, alone: true, curve: vector()}
	if u.why = u.unfit(); u.why != "" {
		return u
	}
	u.z, u.gBefore, u.g, u.from, u.round, u.snapped = vector(), vector(), vector(), vector(), vector(), vector()
	u.begin = make([]float64, n/3)
	u.state = TubeState{Z: vector(), Last: vector(), Across: make([]float64, n/3)}
	u.why = u.factor()
	return u
}

// unfit says what of the system has no tube, beside its stiffness.
func (u *Tube) unfit() string {
	switch np := u.sys.N(); {
	case !u.sys.ConstantHessian():
		return "the energy is not quadratic"
	case len(u.sys.Extras()) > 0:
		return "a particle has several obstacles"
	case np > mostParticles:
		return fmt.Sprintf("there are more than %d particles", mostParticles)
	case !u.sys.TimeBound(u.curve, 2):
		return "an obstacle is curved or moves, or a load is no table and no sine"
	}
	for j, m := range u.psi.Matrices {
		switch _, isotropic := m.(dissipation.Isotropic); {
		case m == nil:
		case !isotropic:
			return "friction is not isotropic, or varies in space"
		case u.psi.FactorBends(j):
			return "friction varies in time, not as a table"
		}
	}
	return ""
}

// factor decides from the stiffness whether there is a tube, and makes the reach of the particles.
func (u *Tube) factor() string {
	np := u.sys.N()
	n := 3 * np
	h := u.sys.Hessian(0, u.z)
	a := mat.NewSymDense(n, nil)
	largest := 0.0
	for j := range n {
		for p := h.Ptr[j]; p < h.Ptr[j+1]; p++ {
			i, v := int(h.Row[p]), h.Val[p]
			a.SetSym(i, j, v)
			largest = max(largest, math.Abs(v))
			u.round[i] += math.Abs(v)
			if i != j {
				u.round[j] += math.Abs(v)
			}
		}
	}
	u.stiff = make([]float64, np)
	for j := range np {
		u.own = append(u.own, [3]float64{a.At(3*j, 3*j), a.At(3*j, 3*j+1), a.At(3*j+1, 3*j+1)})
		if u.sys.Constrained(j) {
			u.stiff[j] = a.At(3*j+2, 3*j+2)
		}
	}
	normal := func(i int) bool { return i%3 == 2 && u.sys.Constrained(i/3) }
	comparison := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := a.At(i, j)
			if math.Abs(v) > coupled*largest && i != j {
				if normal(i) != normal(j) {
					return "a normal force depends on how particles slide"
				}
				u.alone = u.alone && !normal(i)
			}
			if i != j {
				v = -math.Abs(v)
			}
			comparison.SetSym(i, j, v)
		}
	}
	return u.invert(comparison)
}

// invert makes the reach: the entries of A⁻¹ are at most those of the inverse of the comparison
// matrix, which the checker uses too, and c_j² the norm of the block of particle j, by its rows.
func (u *Tube) invert(comparison *mat.SymDense) string {
	var c mat.Cholesky
	if !c.Factorize(comparison) || !(c.Cond() < 1e12) {
		return "the stiffness is not shown to be positive definite"
	}
	var inverse mat.SymDense
	if c.InverseTo(&inverse) != nil {
		return "the stiffness is not shown to be positive definite"
	}
	// An inverse by Cholesky is off by n ulps of its condition number.
	rounding := float64(comparison.SymmetricDim()) * 0x1p-52 * c.Cond() * mat.Max(&inverse)
	for j := range u.sys.N() {
		most := 0.0
		for r := range 3 {
			sum := 0.0
			for k := range 3 {
				sum += math.Abs(inverse.At(3*j+r, 3*j+k)) + rounding
			}
			most = max(most, sum)
		}
		u.reach = append(u.reach, math.Sqrt(most))
	}
	return ""
}

// Observe takes the next node of the polygon, in local coordinates; the first one is the start.
func (u *Tube) Observe(t float64, z []float64) {
	s := &u.state
	if u.Why() != "" {
		return
	}
	if !s.Begun {
		s.Begun, s.T = true, t
		copy(s.Z, z)
		s.Start = append(s.Start[:0], z...)
		if u.OnNode != nil {
			u.OnNode(t, z)
		}
		return
	}
	from := s.T
	for j := range u.begin {
		way := 0.0
		for i := 3 * j; i < 3*j+3; i++ {
			way = math.Hypot(way, z[i]-s.Start[i])
		}
		s.Way = max(s.Way, way)
	}
	z = u.rest(z)
	copy(u.from, s.Z)
	u.sys.Gradient(u.gBefore, nil, from, s.Z)
	u.sys.Gradient(u.g, nil, t, z)
	u.breaks = append(u.breaks[:0], from)
	u.breaks = append(u.psi.Breaks(u.breaks, from, t), t)
	u.delay(t, z)
	for _, end := range u.breaks[1:] {
		if end <= s.T {
			continue
		}
		u.place(from, t, end, z)
		u.sys.Gradient(u.g, nil, end, u.z)
		u.piece(s.T, end)
		if u.Why() != "" {
			return
		}
		s.T = end
		copy(s.Z, u.z)
		u.g, u.gBefore = u.gBefore, u.g
		if u.OnNode != nil {
			u.OnNode(end, u.z)
		}
	}
}

// rest returns the node with what moved by rounding alone left where it was: a direction of sliding
// that rounding chose would turn friction round. How far that is off counts.
func (u *Tube) rest(z []float64) []float64 {
	s := &u.state
	u.sys.Magnitudes(u.snapped, z)
	least := max(resting*floats.Norm(z, math.Inf(1)), placed*floats.Norm(u.snapped, math.Inf(1)))
	copy(u.snapped, z)
	for j := range u.begin {
		at := 3 * j
		off := length([]float64{z[at] - s.Z[at], z[at+1] - s.Z[at+1], z[at+2] - s.Z[at+2]})
		if off > 0 && off <= least && (z[at+2] == 0) == (s.Z[at+2] == 0) {
			copy(u.snapped[at:at+3], s.Z[at:at+3])
			s.Off = max(s.Off, off)
		}
	}
	return u.snapped
}

// delay lets each particle that begins to slide within a step without breaks wait for its moment:
// until then it sticks. Where it goes in between is free, for the nodes are what is judged, and so
// is less out of balance. Others are taken to move evenly. Its moment becomes a break.
func (u *Tube) delay(t float64, z []float64) {
	s := &u.state
	clear(u.begin)
	if len(u.breaks) > 2 {
		return
	}
	for j := range u.begin {
		at := 3 * j
		if !u.sys.Constrained(j) || s.Z[at+2] != 0 || z[at+2] != 0 {
			continue
		}
		v := [2]float64{z[at] - s.Z[at], z[at+1] - s.Z[at+1]}
		way := math.Hypot(v[0], v[1])
		g := [2][3]float64{[3]float64(u.gBefore[at : at+3]), [3]float64(u.g[at : at+3])}
		m, _ := u.psi.Matrices[j].(dissipation.Isotropic)
		hold := [2]float64{m.Mu * u.psi.Factor(j, s.T) * max(g[0][2], 0), m.Mu * u.psi.Factor(j, t) * max(g[1][2], 0)}
		if way == 0 || math.Hypot(g[0][0], g[0][1]) > (1-late)*hold[0] {
			continue
		}
		// |g₀ + θd| = h₀ + θ dh, d without what its own motion does
		k, dh := &u.own[j], hold[1]-hold[0]
		d := [2]float64{g[1][0] - g[0][0] - k[0]*v[0] - k[1]*v[1], g[1][1] - g[0][1] - k[1]*v[0] - k[2]*v[1]}
		a := d[0]*d[0] + d[1]*d[1] - dh*dh
		b := g[0][0]*d[0] + g[0][1]*d[1] - hold[0]*dh
		c := g[0][0]*g[0][0] + g[0][1]*g[0][1] - hold[0]*hold[0]
		theta := -b + math.Sqrt(max(b*b-a*c, 0))
		if theta /= a; !(theta > late && theta < 1-late) {
			continue
		}
		u.begin[j] = theta
		u.breaks = append(u.breaks, s.T+theta*(t-s.T))
	}
	slices.Sort(u.breaks)
	u.breaks = slices.Compact(u.breaks)
}

// place sets the polygon of a step at one of its times.
func (u *Tube) place(from, to, t float64, z []float64) {
	if t == to {
		copy(u.z, z)
		return
	}
	theta := (t - from) / (to - from)
	for j, begin := range u.begin {
		part := max(theta-begin, 0) / (1 - begin)
		if s := from + begin*(to-from); t <= s {
			part = 0 // to the last bit
		}
		for i := 3 * j; i < 3*j+3; i++ {
			u.z[i] = u.from[i] + part*(z[i]-u.from[i])
		}
	}
}

// piece adds what r does between two times between which loads and thresholds are smooth and the
// polygon is straight: it jumps where the piece begins, is affine in it but for the curvature of
// the loads, and counts once more where the piece ends.
func (u *Tube) piece(from, to float64) {
	s := &u.state
	end, bends := 0.0, (to-from)*(to-from)/8
	if u.Drive != nil && !u.Drive.Turns(from, to) {
		bends = 0
	}
	for j, c := range u.reach {
		at, axes := 3*j, 3
		if u.sys.Constrained(j) {
			axes = 2
		}
		g := [2][3]float64{[3]float64(u.gBefore[at : at+3]), [3]float64(u.g[at : at+3])}
		hold, turns := u.thresholds(j, from, to, bends, &g)
		if s.Why != "" {
			return
		}
		leaves := length(u.curve[at:at+axes]) * bends
		rounding := ulps * (hold[0] + hold[1])
		for i := range 3 {
			rounding += ulps * (u.round[at+i]*max(math.Abs(u.z[at+i]), math.Abs(s.Z[at+i])) + max(math.Abs(g[0][i]), math.Abs(g[1][i])))
		}
		var v, change, jump [3]float64
		for i := range axes {
			v[i] = u.z[at+i] - s.Z[at+i]
		}
		r, loose := unbalanced(axes, &g, &v, hold, leaves, turns, rounding)
		for i := range axes {
			jump[i], change[i] = r[0][i]-s.Last[at+i], r[1][i]-r[0][i]
		}
		s.Variation += c * (length(jump[:]) + length(change[:]) + loose + 4*rounding)
		end += c * (length(r[1][:]) + rounding)
		copy(s.Last[at:at+3], r[1][:])
	}
	s.Largest = max(s.Largest, s.Variation+end)
}

// unbalanced returns r at both ends of a piece in which a particle moves by v under the force g, of
// which friction holds hold, and the variation of what r is off its chord, where g leaves its own
// by leaves at most, and the threshold by turns.
func unbalanced(axes int, g *[2][3]float64, v *[3]float64, hold [2]float64, leaves, turns,
	rounding float64) (r [2][3]float64, loose float64) {
	way := length(v[:])
	force := [2]float64{length(g[0][:axes]), length(g[1][:axes])}
	if way == 0 && max(force[0]-hold[0], force[1]-hold[1])+leaves+turns+rounding < 0 {
		return r, 0 // it sticks all the while
	}
	for k := range r {
		for i := range axes {
			switch {
			case way > 0:
				r[k][i] = g[k][i] + hold[k]*v[i]/way
			case force[k] > hold[k]:
				r[k][i] = g[k][i] * (1 - hold[k]/force[k])
			}
		}
	}
	// A vector that is zero at both ends of h and has a second derivative of at most κ varies by
	// κh²/3, a number by κh²/4; what sticks has a direction of friction that turns by up to 2.
	loose = leaves*8/3 + turns*2
	if way == 0 {
		loose += turns * 2
	}
	return r, loose
}

// length of a vector.
func length(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum = math.Hypot(sum, x)
	}
	return sum
}

// thresholds returns what friction holds at both ends of a piece, by the exact normal force, and by
// how much that leaves its chord; what the particle is off along its normal is noted. Where a
// normal force depends on no other motion it is known in the air too.
func (u *Tube) thresholds(j int, from, to, bends float64, g *[2][3]float64) (hold [2]float64, turns float64) {
	s := &u.state
	if !u.sys.Constrained(j) {
		return hold, 0
	}
	height := [2]float64{s.Z[3*j+2], u.z[3*j+2]}
	var push [2]float64
	for k := range push {
		push[k] = g[k][2] - u.stiff[j]*height[k]
	}
	across := u.curve[3*j+2] * bends
	least := min(push[0], push[1])
	if !u.alone && (height != [2]float64{} || least < across) {
		s.Why = "particles that are tied across leave their obstacles"
		return hold, 0
	}
	off := math.Abs(g[1][2])
	if height[1] == 0 {
		off = max(-push[1], 0)
	}
	if off > 0 {
		s.Across[j] = max(s.Across[j], off/u.stiff[j])
	}
	m, _ := u.psi.Matrices[j].(dissipation.Isotropic)
	mu := [2]float64{m.Mu * u.psi.Factor(j, from), m.Mu * u.psi.Factor(j, to)}
	for k := range hold {
		hold[k] = mu[k] * max(push[k], 0)
	}
	turns = max(mu[0], mu[1])*across + math.Abs((mu[1]-mu[0])*(push[1]-push[0]))/4
	if least < across {
		turns += max(mu[0], mu[1]) * across
	}
	if push[0]*push[1] < 0 {
		turns += max(mu[0], mu[1]) * min(math.Abs(push[0]), math.Abs(push[1]))
	}
	return hold, turns
}

// Why says why there is no bound; empty, there is.
func (u *Tube) Why() string {
	if u.why != "" {
		return u.why
	}
	return u.state.Why
}

// Of bounds the distance of particle j to where it is in the exact solution, at all nodes [m].
func (u *Tube) Of(j int) float64 {
	return math.Hypot(u.reach[j]*u.state.Largest, u.state.Across[j]) + u.state.Off
}

// Norm bounds the distance in the norm of A: √(2 E) of the error [√J].
func (u *Tube) Norm() float64 { return u.state.Largest }

// Way is how far the particle that went furthest was from its start, at the nodes [m]: a bound
// above it says nothing.
func (u *Tube) Way() float64 { return u.state.Way }

// Save returns what a checkpoint needs.
func (u *Tube) Save() TubeState {
	s := u.state
	s.Start = append([]float64(nil), s.Start...)
	s.Z, s.Last, s.Across = append([]float64(nil), s.Z...), append([]float64(nil), s.Last...), append([]float64(nil), s.Across...)
	return s
}

// Load goes on from a checkpoint of the same system; one of another system is refused.
func (u *Tube) Load(s TubeState) error {
	o := &u.state
	if len(s.Z) != len(o.Z) || len(s.Last) != len(o.Last) || len(s.Across) != len(o.Across) || s.Begun && len(s.Start) != len(o.Z) {
		return fmt.Errorf("proof: a checkpoint of the tube of %d coordinates, want one of %d", len(s.Z), len(o.Z))
	}
	*o = s
	return nil
}
