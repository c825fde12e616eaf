package dynamics

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Ways. How far a part goes is what its errors are shares of, and that too has no scale of its own:
// what starts at v and swings in place is at vT from where it would be without forces. So a way is
// that in the frame in which the part goes least, of
//
//   - those of its [Creations]: of its start, and of what its island has touched;
//   - that of its mean velocity from the start until now, V = (x(t) − x₀)/t, for what comes back.
//
// Likewise a direction: of a top that spins its way is how far the axis of its spin leans, not half a
// revolution, and of what does not turn round the whole turn. In space the frame of a mean spin would
// have it lean twice as far as it does at rest; so it is the turn without what is about that axis.
//
// The last one is the frame that a motion has by itself, whatever else there is: a thing that is
// shaken in place goes as far as it swings. What falls, or brakes, goes a quarter as far there as
// seen from its start, and what starts late as far as that is late: nobody would call these its
// ways, and what does not come back has none in that frame, see swung.

// Framed is a [Variable] whose ways are measured in the frames of its [Creations].
type Framed interface {
	// Ways stores how far each part is from its start as seen in frame j: 0 is that in which it was
	// at rest then. Turns are the same in all of them.
	Ways(dst []float64, j int) []float64
	// Drifts stores how far the centre of each of the first parts, those that have one, is from its
	// start in frame 0 along the axes, and returns the time since then [s].
	Drifts(dst [][3]float64) (drifts [][3]float64, since float64)
}

// ways measures how far the parts of a system have been from their starts: in each frame, and last
// as its velocities have it, which is what rounding is a share of. Before these numbers of all
// parts stand the outlines of the drifts. The zero value has those of the velocities alone.
type ways struct {
	framed Framed // nil: as the velocities have it
	frames int
	parts  []float64
	drifts [][3]float64
	speeds [][3]float64
}

func waysOf(v Variable) ways {
	f, ok := v.(Framed)
	if !ok {
		return ways{}
	}
	w := ways{framed: f, frames: v.Creations().Frames}
	w.drifts, _ = f.Drifts(nil)
	return w
}

// see takes the present places into the farthest ones so far, of each part in each frame, and
// measures what has met.
func (w *ways) see(v Variable, most []float64) []float64 {
	meet(v)
	for j := range w.frames + 1 {
		if j < w.frames {
			w.parts = w.framed.Ways(w.parts, j)
		} else {
			w.parts = v.Distances(w.parts, -1)
		}
		lengthen(&most, w.room(len(w.parts)))
		for p, x := range w.parts {
			at := w.room(p) + j
			most[at] = max(most[at], x)
		}
	}
	if w.framed != nil {
		var since float64
		w.drifts, since = w.framed.Drifts(w.drifts)
		for p, x := range w.drifts {
			w.outline(most, p).add(since, x)
		}
	}
	return most
}

// outline is that of the drift of a part.
func (w *ways) outline(most []float64, p int) outline {
	return outline(most[p*outlineSize : (p+1)*outlineSize])
}

func grew(most, x []float64) {
	for p := range x {
		most[p] = max(most[p], x[p])
	}
}

// room is how many numbers see keeps of n parts, and where those of part n begin.
func (w *ways) room(n int) int { return outlineSize*len(w.drifts) + (w.frames+1)*n }

// count is of how many parts most has the ways.
func (w *ways) count(most []float64) int { return (len(most) - w.room(0)) / (w.frames + 1) }

// least returns the ways in the frames in which each part goes least.
func (w *ways) least(v Variable, most []float64) []float64 {
	list, shapes := make([]float64, w.count(most)), make([]float64, len(w.drifts))
	parts := partsOf(v, len(list))
	for p, x := range parts {
		if x.Pair != nil && x.Pair.shape() {
			shapes[x.Pair.A] = most[w.room(p)]
		}
	}
	for p := range list {
		list[p] = most[w.room(p)]
		for j := 1; j < w.frames; j++ {
			if v.Creations().Seen(p, j) {
				list[p] = min(list[p], most[w.room(p)+j])
			}
		}
		if p < len(w.drifts) {
			swing, returns := w.outline(most, p).swing()
			list[p] = swung(list[p], math.Hypot(swing, shapes[p]), returns)
		}
		if x := &parts[p]; x.Turn > 0 {
			round := 2 * math.Pi * x.Arm
			list[p] = swung(min(round/2, list[x.Turn]), list[p], list[x.Turn]/round)
		}
	}
	return list
}

// swung is the way of a part that goes so far in a frame of those of its island, and in that of its
// mean velocity as a swing, to which it comes back so often: the swing of what does so twice, and
// more of what does less often, by powers, up to the whole way of what does once.
func swung(way, swing, returns float64) float64 {
	if !(swing < way) {
		return way
	}
	e := max(0, min(1, 2-returns))
	if ratio := way / swing; ratio <= math.MaxFloat64 {
		return swing * elementary.Pow(ratio, e)
	}
	return elementary.Pow(way, e) * elementary.Pow(swing, 1-e) // what turns about its axis exactly has no swing
}

// far are the ways as the velocities have them, of the part or of one beside it; of a pair, whose place is a difference,
// those of its parts.
func (w *ways) far(v Variable, most []float64) []float64 {
	list := make([]float64, w.count(most))
	parts := partsOf(v, len(list))
	for p := range list {
		list[p] = most[w.room(p)+w.frames]
		for _, q := range parts[p].Beside {
			list[p] = max(list[p], most[w.room(q)+w.frames])
		}
	}
	for p, x := range parts {
		if x.Pair != nil {
			list[p] = x.Pair.members(list)
		}
	}
	return list
}
