package global

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/particles"
)

// seedLimit is the largest number of states that a search begins at for the geometry of the
// case; of more, every n-th is taken.
const seedLimit = 400

// seeds visits states near which the geometry of a case suggests equilibria, from a state z on: one
// particle moves to where a spring, or a pair potential, is at rest, near its other end, from six
// sides and from where it is; past the other end, as much as it was before it; and onto each
// anchor. A narrow well far away, where no force leads to, is found so.
func seeds(sys *particles.System, t float64, z []float64, visit func(y []float64) error) error {
	n := len(z)
	x := make([]float64, n)
	sys.ToGlobalAt(t, x, z)
	var moves []move
	for _, e := range sys.Energies() {
		s, ok := e.(*particles.Springs)
		if !ok {
			continue
		}
		s.EachSpring(func(it particles.Spring) {
			var end [3]float64
			if it.J < 0 {
				it.Anchor.At(end[:], t)
			} else {
				end = [3]float64(x[3*it.J : 3*it.J+3])
				moves = beside(moves, it.J, end, [3]float64(x[3*it.I:3*it.I+3]), it.Law)
			}
			moves = beside(moves, it.I, [3]float64(x[3*it.I:3*it.I+3]), end, it.Law)
		})
	}
	stride := (len(moves) + seedLimit - 1) / seedLimit
	y, at := make([]float64, n), make([]float64, n)
	for k := 0; k < len(moves); k += stride {
		copy(at, x)
		copy(at[3*moves[k].particle:], moves[k].to[:])
		sys.ToLocalAt(t, y, at)
		for j := range sys.N() {
			if sys.Constrained(j) {
				y[3*j+2] = max(y[3*j+2], 0)
			}
		}
		sys.Admit(t, y)
		if slices.ContainsFunc(y, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			continue
		}
		if err := visit(y); err != nil {
			return err
		}
	}
	return nil
}

// move is a particle and where it goes.
type move struct {
	particle int
	to       [3]float64
}

// beside appends the moves of a particle at x to the rests of a spring around its other end.
func beside(list []move, particle int, x, end [3]float64, law particles.Law) []move {
	var d [3]float64
	length := 0.0
	for c := range d {
		d[c] = x[c] - end[c]
		length = math.Hypot(length, d[c])
	}
	add := func(direction [3]float64, l float64) {
		m := move{particle: particle, to: end}
		for c, v := range direction {
			m.to[c] += v * l
		}
		list = append(list, m)
	}
	for _, rest := range rests(law) {
		if length > 0 {
			add(d, rest/length)
			add(d, -rest/length)
		}
		for c := range 3 {
			var e [3]float64
			e[c] = rest
			add(e, 1)
			add(e, -1)
		}
	}
	add(d, -1)
	return list
}

// rests returns the lengths at which a law of package particles has a minimum.
func rests(law particles.Law) []float64 {
	switch l := law.(type) {
	case particles.Linear:
		return []float64{l.Rest}
	case particles.Cubic:
		return []float64{l.Rest}
	case particles.Morse:
		return []float64{l.Distance}
	case particles.LennardJones:
		return []float64{l.Distance}
	case particles.Cut:
		return rests(l.Law)
	case *particles.Piecewise:
		return l.Rests()
	}
	return nil
}
