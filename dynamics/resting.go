package dynamics

import "math"

// Resting tells parts that move from those that rest but for what contact problems leave. A
// residual of r of the forces pushes a body as these would, to r·½T²M⁻¹f by the end of a run of T
// if nothing holds it: a part that goes no farther than that over the accuracy is not known to
// move.
type Resting struct {
	Reach    []float64 // ½T²M⁻¹f of the parts, see [Variable] [m]
	Gaps     []float64 // the same at T = 0: what their sizes say
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
	return Resting{Reach: v.Reach(nil, until), Gaps: v.Reach(nil, 0)}
}

// see looks at the steps so far.
func (r *Resting) see(v Variable) { r.Residual = max(r.Residual, v.Residual()) }

// least is the way of a part below which it does not move.
func (r *Resting) least(p int, accuracy float64) float64 {
	share := min(still, max(r.Residual, 0x1p-52)/accuracy)
	return max(share*r.Reach[p], stillGaps/accuracy*r.Gaps[p])
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
