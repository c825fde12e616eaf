package assembly

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A Compliance says how the corners of joints give, in the limit of none: of a corner by its share of the area of its interface,
// so that only what differs between corners, and along them, is of account.
type Compliance struct {
	Along float64 // [-] of what a corner gives along its face by what it gives across, by the same force; default 1
	Alike bool    // every corner gives alike, whatever its share of the area
}

// HistoryOptions are the wishes for a history. The zero value works, and so does nil.
type HistoryOptions struct {
	Compliance
	Steps int // of each stage; default 16
	// Blockwise: where the file has no stages, it is built block by block from below; else all its loads grow evenly together.
	Blockwise bool
	Until     time.Time // a stage that goes on by then ends there; default: none does
}

// A History is what the stages of a building lead to.
type History struct {
	Stages []Settled // up to the one in which it ends
	Holds  bool      // all stages, to their ends
}

// A Settled is the state that a stage leads to, by joints whose compliance goes to zero.
type Settled struct {
	Built
	Ends      string     // why the history ends in this stage; empty where it does not
	Share     float64    // [-] of the loads of the stage up to which states were found: 1 for all
	Fall      *FallProof // no forces balance the loads at the end of the stage
	Lost      bool       // of the state at Share no other follows in the least step: all ways in which corners stick, slide and part are ruled out
	Reactions []Reaction // at Share; none where it falls
	Steps     int        // that were taken
	Balance   float64    // [-] the largest of what steps leave of the loads, in parts of them
	Law       float64    // [-] the largest force, in parts of the loads, by which a corner misses Coulomb's law in a step
	Drift     float64    // [-] of supports that are moved: the largest change of a force, in parts of the loads, while they went twice as far
	loads     float64    // N
	factor    float64    // of the live loads at its end
}

// Evolve follows a building by its stages: quasi-statically, with joints that give by c C₀ under forces, for c → 0.
//
// A stage begins with the forces at hand, r⁰, and no force in the joints that it makes. These balance loads f⁰ = −H r⁰, as
// without the blocks that are placed, or with the forces of those that are taken away; in the stage loads go evenly from f⁰ to
// what they are after it. Each step is Coulomb's law of the slips that it makes, in the geometry of the drawing (yield.go). With
// displacements in units of c it has no c: forces do not depend on it, and displacements vanish with it, so that this is the
// limit, not an approximation of it. What is left of the compliance is how C₀ is shared between corners, which Compliance says.
//
// Supports that a stage moves go on until forces change no more, and no joint closes by what they do then: far against c, and not
// against the geometry. Steps are those of a displacement that doubles; where forces grow with it, the support is jammed.
//
// A step that finds no state is halved, down to a 256th. Where it has few corners, in the plane, that none follows is shown
// (none.go); else there may be one that was not found. That no other state is possible than the one that was found is not shown.
// With the error of a context that has ended it returns the stages that were done.
func Evolve(ctx context.Context, a *Assembly, o *HistoryOptions) (*History, error) {
	built := a.settling()
	if a.built == nil && o != nil && o.Blockwise {
		built = a.Built()
	}
	return newEvolution(built, o).through(ctx, built, func(int) float64 { return 1 })
}

// through goes through stages, each to live loads of a factor. With an error those that were done by then are told.
func (e *evolution) through(ctx context.Context, built []Built, factor func(k int) float64) (*History, error) {
	h := &History{}
	for k := range built {
		s, err := e.stage(ctx, &built[k], factor(k))
		if err != nil {
			return h, err
		}
		h.Stages, h.Holds = append(h.Stages, *s), s.Ends == "" && k == len(built)-1
		if s.Ends != "" {
			break
		}
	}
	return h, nil
}

// EvolveLoads follows the live loads from none to a factor, after the stages of building, or after its dead loads alone. The
// share of the last stage is that of the factor up to which the history was found: of what this history holds. Another may hold
// less, or more.
func EvolveLoads(ctx context.Context, a *Assembly, to float64, o *HistoryOptions) (*History, error) {
	built := slices.Clone(a.settling())
	last := built[len(built)-1]
	built = append(built, Built{Name: "live loads", Assembly: last.Assembly, faces: last.faces})
	return newEvolution(built, o).through(ctx, built, func(k int) float64 {
		if k < len(built)-1 {
			return 0
		}
		return to
	})
}

// settling are the stages of its building; where the file has none, all of it at once.
func (a *Assembly) settling() []Built {
	if a.built != nil {
		return a.built
	}
	return []Built{{Name: "its loads", Assembly: a, faces: counting(len(a.Interfaces))}}
}

// counting is 0, 1, … up to n − 1.
func counting(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

// An evolution is a history that goes on. Forces and gaps are kept in newtons, the tension that an interface holds added to its
// normal ones; gaps are the forces under which a corner of mean compliance gives by them.
type evolution struct {
	wish   HistoryOptions
	mean   float64               // of compliances across
	joints map[int][]jointCorner // by the number of the interface in the whole
}

type jointCorner struct {
	force [3]float64
	gap   float64
}

func newEvolution(built []Built, o *HistoryOptions) *evolution {
	e := &evolution{joints: map[int][]jointCorner{}}
	if o != nil {
		e.wish = *o
	}
	if e.wish.Steps <= 0 {
		e.wish.Steps = 16
	}
	if !(e.wish.Along > 0) {
		e.wish.Along = 1
	}
	seen, corners := map[int]bool{}, 0
	for k := range built {
		for i, face := range built[k].faces {
			if f := &built[k].Assembly.Interfaces[i]; !seen[face] {
				seen[face] = true
				e.mean += e.across(f, built[k].Assembly.Plane) * float64(len(f.Points))
				corners += len(f.Points)
			}
		}
	}
	e.mean /= float64(max(corners, 1))
	return e
}

// across is what a corner of an interface gives along its normal, of joints that give 1 by area and force. One of no area, as where an edge
// touches, gives as a corner of a face 1 m wide does.
func (e *evolution) across(f *Interface, plane bool) float64 {
	area := f.area(plane)
	if e.wish.Alike || !(area > 0) {
		return 1
	}
	return float64(len(f.Points)) / area
}

// begin is the geometry of a stage, with the forces at hand.
func (e *evolution) begin(b *Built) *yielding {
	s := newStatics(b.Assembly)
	n := len(s.contacts)
	y := &yielding{s: s, give: make([]float64, s.dim*n), force: make([]float64, s.dim*n), gap: make([]float64, n)}
	scale := float64(n) / e.mean
	e.each(b, s, func(j, face, point int) {
		c := &s.contacts[j]
		give := scale * e.across(&b.Assembly.Interfaces[c.face], b.Assembly.Plane)
		for k := range s.dim {
			y.give[j*s.dim+k] = give
			if k > 0 {
				y.give[j*s.dim+k] *= e.wish.Along
			}
		}
		y.force[j*s.dim] = b.Assembly.Interfaces[c.face].Tension / s.force
		if old := e.joints[face]; old != nil {
			for k := range s.dim {
				y.force[j*s.dim+k] = old[point].force[k] / s.force
			}
			y.gap[j] = old[point].gap / s.force * float64(n)
		}
	})
	return y
}

// each goes through the contacts of a stage, with the number of their interface in the whole, and of the point on it.
func (e *evolution) each(b *Built, s *statics, do func(j, face, point int)) {
	point, last := 0, -1
	for j := range s.contacts {
		if f := s.contacts[j].face; f != last {
			point, last = 0, f
		}
		do(j, b.faces[last], point)
		point++
	}
}

// keep keeps the forces at hand. Joints of blocks that are taken away are forgotten: where they come again, they do without force.
func (e *evolution) keep(b *Built, y *yielding) {
	e.joints = map[int][]jointCorner{}
	e.each(b, y.s, func(j, face, _ int) {
		c := jointCorner{gap: y.gap[j] * y.s.force / float64(len(y.gap))}
		for k := range y.s.dim {
			c.force[k] = y.force[j*y.s.dim+k] * y.s.force
		}
		e.joints[face] = append(e.joints[face], c)
	})
}

// stage goes through one, to live loads of a factor.
func (e *evolution) stage(ctx context.Context, b *Built, factor float64) (*Settled, error) {
	y := e.begin(b)
	out := &Settled{Built: *b, Share: 1, loads: y.s.force, factor: factor}
	if y.s.nv == 0 {
		return out, nil
	}
	f := y.s.total(factor)
	r, err := conic.Solve(ctx, y.s.program(f, own), nil)
	if err != nil {
		return nil, err
	}
	if r.Status == conic.Infeasible {
		motion := make([]float64, y.s.nv)
		for i, v := range r.Y {
			motion[i] = -v
		}
		proof := y.s.proveFall(f, motion)
		out.Fall, out.Share, out.Ends = &proof, 0, "no forces balance the loads"
		return out, nil
	}
	if err := e.load(ctx, y, f, out); err != nil {
		return nil, err
	}
	if len(b.moves) > 0 && out.Ends == "" {
		if err := e.move(ctx, y, f, b, out); err != nil {
			return nil, err
		}
	}
	out.Reactions = y.s.newtons(y.force)
	e.keep(b, y)
	return out, nil
}

var errLate = errors.New("the limit of time")

// step is one until the limit of time.
func (e *evolution) step(ctx context.Context, y *yielding, f []float64, h float64) (*yield, error) {
	limited, cancel := ctx, func() {}
	if !e.wish.Until.IsZero() {
		limited, cancel = context.WithDeadline(ctx, e.wish.Until)
	}
	defer cancel()
	a, err := y.step(limited, f, h)
	if limited.Err() != nil && ctx.Err() == nil {
		return nil, errLate
	}
	return a, err
}

// load takes loads evenly from those that the forces at hand balance to f.
func (e *evolution) load(ctx context.Context, y *yielding, f []float64, out *Settled) error {
	begin := make([]float64, y.s.nv)
	y.s.resultant(begin, y.force)
	whole := 1 / float64(e.wish.Steps)
	var last *yield
	var taken float64 // share of the last step
	for share, h := 0., whole; share < 1; {
		to := min(share+h, 1)
		if 1-to < whole/1e3 { // less than the least of steps: rounding of the sum
			to = 1
		}
		at := make([]float64, y.s.nv)
		for i, v := range begin {
			at[i] = to*f[i] - (1-to)*v
		}
		y.guess = nil
		if last != nil {
			y.guess = slices.Clone(last.motion)
			for i := range y.guess {
				y.guess[i] *= (to - share) / taken
			}
		}
		a, err := e.step(ctx, y, at, 0)
		switch {
		case errors.Is(err, errLate):
			out.Share, out.Ends = share, fmt.Sprintf("the limit of time, at %.4g %% of its loads", 100*share)
			return nil
		case err != nil:
			return err
		}
		if a == nil {
			if h /= 2; h < whole/256 {
				out.Share, out.Ends = share, fmt.Sprintf("no state was found beyond %.4g %% of its loads", 100*share)
				if out.Lost = y.none(at, 0); out.Lost {
					out.Ends = fmt.Sprintf("no state follows beyond %.4g %% of its loads, whatever its corners do", 100*share)
				}
				return nil
			}
			continue
		}
		last, taken = a, to-share
		share, h = to, min(2*h, whole)
		if out.take(y, a); out.Ends != "" {
			out.Share = share
			return nil
		}
	}
	return nil
}

// move takes supports along, in steps of a displacement that doubles, until forces change no more while it does.
func (e *evolution) move(ctx context.Context, y *yielding, f []float64, b *Built, out *Settled) error {
	y.drift = make([]float64, len(y.force))
	for k := range b.moves {
		m := &b.moves[k]
		for j := range y.s.contacts {
			c := &y.s.contacts[j]
			face := &b.Assembly.Interfaces[c.face]
			for side, i := range []int{face.A, face.B} {
				for d := 0; i == m.Block && d < y.s.dim; d++ {
					y.drift[j*y.s.dim+d] += float64(2*side-1) * dot(c.frame[d], m.rate(c.point))
				}
			}
		}
	}
	size := largest(y.drift)
	if size == 0 { // nothing touches them
		return nil
	}
	for total, h := 0., 1e-3/size; ; h = total { // of what corners give by: little against the forces at hand
		before, closing := slices.Clone(y.force), false
		for k := 0; k < e.wish.Steps; k++ { // of one displacement: twice as far as all before
			a, err := e.step(ctx, y, f, h/float64(e.wish.Steps))
			switch {
			case errors.Is(err, errLate):
				out.Ends = "the limit of time, as its supports move"
				return nil
			case err != nil:
				return err
			case a == nil:
				out.Ends = "no state was found as its supports move"
				return nil
			}
			y.guess = a.motion
			if k == e.wish.Steps-1 { // from here on steps are as long as all were together, but for the first ones
				y.guess = slices.Clone(a.motion)
				for i := range y.guess {
					y.guess[i] *= (total + h) / h
				}
			}
			gap := slices.Clone(y.gap)
			if out.take(y, a); out.Ends != "" {
				return nil
			}
			closing = y.closing(gap, h*size/float64(e.wish.Steps))
		}
		total += h
		out.Drift = 0
		for k, r := range y.force {
			out.Drift = max(out.Drift, math.Abs(r-before[k]))
		}
		switch {
		case out.Drift < 1e-7 && total*size > 1 && !closing: // of the loads, beyond what corners give by
			return nil
		case largest(y.force) > 1e4: // stone would break
			out.Ends = "its supports are jammed: forces grow on, beyond 10,000 times the loads"
			return nil
		case total*size > 1e9: // of what corners give by: forces of springs that far are known to some 1e-7 of the loads
			out.Ends = fmt.Sprintf("forces go on changing as its supports move: by %.2g of the loads while they go twice as far", out.Drift)
			if closing {
				out.Ends += ", and joints go on closing"
			}
			return nil
		}
	}
}

// closing says whether a corner that was open by a gap draws nearer in a step in which supports go on by so much: it will close, and forces
// change then, however long they have not.
func (y *yielding) closing(gap []float64, moved float64) bool {
	for j, g := range gap {
		if g-y.gap[j] > 1e-9*moved { // more than rounding; what is slower closes beyond where springs are followed
			return true
		}
	}
	return false
}

// take makes the answer of a step the state at hand. Where a corner opens that holds a tension, the history ends: what follows is a jump.
func (s *Settled) take(y *yielding, a *yield) {
	y.accept(a)
	s.Steps++
	s.Balance, s.Law = max(s.Balance, a.balance), max(s.Law, a.law)
	for j, gap := range y.gap {
		if f := &y.s.a.Interfaces[y.s.contacts[j].face]; gap > 1e-6 && f.Tension > 0 { // of what mean forces do: more than rounding
			s.Ends = fmt.Sprintf("the tension between %s and %s gives way; what follows is a jump",
				y.s.a.Blocks[f.A].Name, y.s.a.Blocks[f.B].Name)
		}
	}
}

// Difference is the largest difference of the force on a corner to another state of the same stage, in parts of the loads.
func (s *Settled) Difference(o *Settled) float64 {
	d := 0.
	for k := range s.Reactions {
		d = max(d, norm(sub(s.Reactions[k].Force, o.Reactions[k].Force)))
	}
	return d / max(s.loads, math.SmallestNonzeroFloat64) // none where all are supports
}

// Force is that on a block from its interfaces along a direction [N].
func (s *Settled) Force(block int, direction [3]float64) (sum float64) {
	for _, r := range s.Reactions {
		switch f := &s.Assembly.Interfaces[r.Interface]; block {
		case f.A:
			sum -= dot(r.Force, direction)
		case f.B:
			sum += dot(r.Force, direction)
		}
	}
	return sum
}
