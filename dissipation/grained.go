package dissipation

import (
	"math"
	"slices"
)

// Grained is implemented by a varying [Matrix] that knows where to look at it on a straight way.
type Grained interface {
	// Cuts appends the parts in (0, 1) of the straight way between two tangential coordinates that
	// divide it into pieces on which S is smooth, and varies as a polynomial of low degree or less
	// than a quarter of a wave, ascending or not; of more than most of them, a few more than most.
	Cuts(dst []float64, from, to [2]float64, most int) []float64
}

var (
	_ Grained = Rippled{}
	_ Grained = Mapped{}
	_ Grained = Spread{}
)

// perWave is the number of pieces of a wave, that of nodes in a period of a sine, see
// [signal.PerPeriod].
const perWave = 8

// Cuts implements [Grained].
func (m Rippled) Cuts(dst []float64, from, to [2]float64, most int) []float64 {
	if m.amplitude == 0 {
		return dst
	}
	waves := math.Abs(m.wave*(m.axis[0]*(to[0]-from[0])+m.axis[1]*(to[1]-from[1]))) / (2 * math.Pi)
	parts := min(math.Ceil(perWave*waves), float64(most)+2)
	for k := 1.0; k < parts; k++ {
		dst = append(dst, k/parts)
	}
	return dst
}

// Cuts implements [Grained].
func (m Mapped) Cuts(dst []float64, from, to [2]float64, most int) []float64 {
	return m.m.cuts(dst, m.place(from), m.place(to), most)
}

// place returns the global x and y.
func (m Mapped) place(z [2]float64) [2]float64 {
	return [2]float64{m.origin[0] + z[0]*m.t[0] + z[1]*m.o[0], m.origin[1] + z[0]*m.t[1] + z[1]*m.o[1]}
}

// cuts appends where a straight way between two places crosses the lines of the grid, and the
// middle of each piece between them.
func (m *Map) cuts(dst []float64, from, to [2]float64, most int) []float64 {
	n := len(dst)
	for i, grid := range [2][]float64{m.x, m.y} {
		way := to[i] - from[i]
		first, _ := slices.BinarySearch(grid, min(from[i], to[i]))
		for k := first; k < len(grid) && grid[k] <= max(from[i], to[i]) && len(dst)-n <= most; k++ {
			if s := (grid[k] - from[i]) / way; s > 0 && s < 1 {
				dst = append(dst, s)
			}
		}
	}
	if len(dst) == n {
		return dst
	}
	slices.Sort(dst[n:])
	last := 0.0
	for i, end := n, len(dst); i <= end; i++ {
		s := 1.0
		if i < end {
			s = dst[i]
		}
		dst = append(dst, last+(s-last)/2)
		last = s
	}
	return dst
}

// chords are those in place of the curve that a straight way in (u, v) is on a face.
const chords = 8

// Cuts implements [Grained].
func (m Spread) Cuts(dst []float64, from, to [2]float64, most int) []float64 {
	if from == to {
		return dst
	}
	n := len(dst)
	last, _, _, _, _, _ := m.face.At(from[0], from[1])
	for k := 1.0; k <= chords && len(dst)-n <= most; k++ {
		s := k / chords
		next, _, _, _, _, _ := m.face.At(from[0]+s*(to[0]-from[0]), from[1]+s*(to[1]-from[1]))
		first := len(dst)
		dst = m.m.cuts(dst, [2]float64(last[:2]), [2]float64(next[:2]), most)
		for i := first; i < len(dst); i++ {
			dst[i] = s - (1-dst[i])/chords
		}
		last = next
	}
	return dst
}
