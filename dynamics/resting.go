package dynamics

import "math"

// Resting tells parts that move from those that rest but for what contact problems leave. A
// residual of r of the forces pushes a body as these would, to r·½T²M⁻¹f by the end of a run of T
// if nothing holds it: a part that goes no farther than that over the accuracy is not known to
// move. Nor is one that goes no farther than what the rounding of its forces does, which may be
// all that is left of them, as of a mass that hangs at rest on a spring: while its coordinate is the same
// number, since a step ends at the next one, the spring does not feel that.
//
// T may be large beside all that moves, and a motion is no smaller for what would be if it rested until then. By t a residual has
// given a part the speed r·tM⁻¹f at most: one that goes farther in a step than that over the accuracy moves, and by what it
// does alone it is measured from then on.
type Resting struct {
	Reach    []float64 // ½T²M⁻¹f of the parts, see [Variable] [m]; 0: of one that moves
	Gaps     []float64 // the same at T = 0: what their sizes say
	Rounding []float64 // ½T²M⁻¹δf, see [Balanced] [m]
	Digits   []float64 // last ones of their coordinates [m]
	Ways     []float64 // of the parts so far [m] …
	At       float64   // … by this share of T
	Steps    int       // so far
	Residual float64   // largest so far
}

const (
	// still bounds the share of Reach below which a part does not move: contact problems are solved
	// to 1e-11 of their forces.
	still = 1e-9
	// stillGaps over the accuracy is that share of Gaps: gaps are closed to 1e-10 m of bodies of 1
	// m, whose Gaps are 1e5 m.
	stillGaps = 1e-15
)

// restingOf is what is known at the start of a run.
func restingOf(v Variable, until float64) Resting {
	r := Resting{Reach: v.Reach(nil, until), Gaps: v.Reach(nil, 0)}
	r.Rounding, r.Digits, r.Ways = make([]float64, len(r.Reach)), make([]float64, len(r.Reach)), make([]float64, len(r.Reach))
	if b, ok := v.(Balanced); ok {
		far := b.Farthest(nil)
		for p, a := range b.ForceRounding(nil) {
			r.Rounding[p], r.Digits[p] = 0.5*until*until*a, 0x1p-52*far[p]
		}
	}
	return r
}

// Balanced is a [Variable] whose forces may be large and cancel.
type Balanced interface {
	Placed
	// ForceRounding stores M⁻¹δf for the first of the parts, δf what the present forces, each for
	// itself, and the places that they are of are rounded by [m/s²].
	ForceRounding(dst []float64) []float64
}

// see looks at the steps so far.
func (r *Resting) see(v Variable) { r.Residual, r.Steps = max(r.Residual, v.Residual()), r.Steps+1 }

// follow looks at the ways at a share of T: who goes farther in a step than at rest moves.
func (r *Resting) follow(v Variable, w *ways, most []float64, at float64) {
	since := (at - r.At) * (at + r.At)
	r.At, r.Residual = at, max(r.Residual, v.Residual())
	any := false
	for p := range r.Reach {
		any = any || r.goes(p, most[w.room(p)+w.frames])
	}
	if !any {
		return
	}
	for p, way := range w.least(v, most)[:len(r.Reach)] {
		if r.goes(p, way) && way-r.Ways[p] > r.within()*since*r.Reach[p] {
			r.Reach[p] = 0
		}
		r.Ways[p] = max(r.Ways[p], way)
	}
}

// apart looks at how far two runs have a part from each other, and by how much that is more than before, since a share of T
// and at another: more than by residuals, it moves in one of them, though the other one may step over what moves it.
func (r *Resting) apart(p int, distance, more, from, at float64) {
	if p < len(r.Reach) && r.goes(p, distance) && more > r.within()*(at-from)*(at+from)*r.Reach[p] {
		r.Reach[p] = 0
	}
}

// goes reports whether a way of a part is more than what gaps and digits leave open.
func (r *Resting) goes(p int, way float64) bool {
	return r.Reach[p] > 0 && way > max(stillGaps*r.Gaps[p], r.digits(p))/1e-2 // of which a case asks for that accuracy
}

// within is that share at the accuracy of cases.
func (r *Resting) within() float64 { return r.share(1e-2) }

// share is that of Reach below which a part does not move.
func (r *Resting) share(accuracy float64) float64 {
	return min(still, max(r.Residual, 0x1p-52)/accuracy)
}

// digits is what roundings of its coordinates add up to: pilot runs make fewer steps than the run [m].
func (r *Resting) digits(p int) float64 { return float64(max(8192, r.Steps)) * r.Digits[p] }

// least is the way of a part below which it does not move.
func (r *Resting) least(p int, accuracy float64) float64 {
	return max(r.share(accuracy)*r.Reach[p], stillGaps/accuracy*r.Gaps[p], min(r.Rounding[p], r.digits(p))/accuracy)
}

// leasts are those of all parts.
func (r *Resting) leasts(accuracy float64, parts []Part) []float64 {
	list := make([]float64, min(len(parts), len(r.Reach)), len(parts))
	for p := range list {
		list[p] = r.least(p, accuracy)
	}
	return byPairs(list, parts)
}

// Placed is a [Variable] that says where its parts are.
type Placed interface {
	// Farthest stores, for each of the parts of Distances, the largest of its coordinates [m].
	Farthest(dst []float64) []float64
}

// lost is what rounding takes of the way of a part in so many steps, each of which ends at the next
// number: half a unit in the last place of its largest coordinate, but no more than the whole way.
func lost(steps int, coordinate, way float64) float64 {
	return min(0.5*float64(steps)*(math.Nextafter(coordinate, math.Inf(1))-coordinate), way)
}
