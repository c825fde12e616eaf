package contact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/sparse"
)

// densePlate is a problem with contacts at every third coordinate triple of a
// dense M: exponentials of the distance, twice equal for normals and first
// tangents, coupled or not. Every contact has the identity for H.
func densePlate(nc int, coupled bool) *Global {
	n := 3 * nc
	b := sparse.NewBuilder(n)
	entry := func(r, c int) float64 {
		if r%3 != c%3 && !coupled {
			return 0
		}
		v := math.Exp(-math.Abs(float64(r/3-c/3)) / 20)
		if r%3 != c%3 {
			v *= 0.2
		}
		if r%3 == 1 && c%3 == 1 {
			v *= 1.5
		}
		return v
	}
	for r := range n {
		for c := range r {
			if entry(r, c) != 0 {
				b.Add(r, c)
			}
		}
	}
	m := b.Build()
	for c := range n {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			m.Val[k] = entry(m.Row[k], c)
		}
	}
	h := &Jacobian{Dim: 3, Rows: n, Ptr: []int{0}}
	laws := make([]Law, nc)
	for j := range nc {
		h.Row = append(h.Row, 3*j, 3*j+1, 3*j+2)
		h.Val = append(h.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0)
		h.Ptr = append(h.Ptr, len(h.Row))
		laws[j] = Tresca{Threshold: 0.3}
	}
	return &Global{M: m, F: make([]float64, n), H: h, W: make([]float64, n), Laws: laws}
}

// TestDenseMasses: elastic surfaces, whose M is dense, coupled in all directions or not, end solved,
// also where M changes all the time; at a threshold of a millionth friction that slips askew changes
// M by what is of rank one but for its rounding.
func TestDenseMasses(t *testing.T) {
	size := 140
	if thorough.Asked() {
		size = 400
	}
	for _, coupled := range []bool{false, true} {
		p := densePlate(size, coupled)
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range p.F {
			p.F[i] = rng.NormFloat64()
		}
		var ws GlobalWorkspace
		for round := range 5 {
			var res Result
			if err := SolveConvex(t.Context(), p, 0, nil, &ws, &res); err != nil || res.Merit > 1e-11 {
				t.Errorf("coupled %v, round %d: %v, residual %g", coupled, round, err, res.Merit)
			}
			for j := range p.Laws {
				p.Laws[j] = Tresca{Threshold: []float64{0.3, 1e-6}[round%2]}
			}
			if !coupled {
				for c := range p.M.N {
					p.M.Val[p.M.Ptr[c]] += 0.1
				}
			}
		}
	}
}
