package assume

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/eigen"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/sparse"
)

const (
	// signLimit: up to so many particles with DM ≠ 0, q_K is computed exactly,
	// by all 2^signLimit choices of signs.
	signLimit = 8
	// splitRounds is the number of updates of θ in the upper bound, and of signs
	// in the lower one. Both settle in a handful.
	splitRounds = 12
)

// qNorm bounds q_K of (2.3),
//
//	q_K² = max{ Σ_{j ∈ K} (|a_j·u| + |b_j·u|)² : ‖u‖ = 1, u_{3j} = 0 for j ∈ K },
//
// for the rows of the particles in, over the columns that fixed leaves. With in
// ⊋ fixed the upper end bounds q_K for every fixed ⊂ K ⊂ in: since row j only
// counts when u_{3j} = 0, its own column is always left out. The vector is the
// share of each particle at the maximiser.
//
// Without b it is the norm of the matrix of the rows a; with few b the largest
// norm over their signs, (|x| + |y| = max{x + y, x − y}); with many, below by
// iterated signs, above by (|x| + |y|)² <= (1+θ)x² + (1+1/θ)y² for any θ > 0,
// improved by θ_j = |b_j·u|/|a_j·u|.
func (f *form) qNorm(in, fixed []bool) (Interval, []float64) {
	s := f.selection(in, fixed)
	share := make([]float64, len(f.rows))
	var q Interval
	switch {
	case len(s.owner) == 0:
		return Interval{}, share
	case s.curved == 0:
		q = s.norm(s.plain())
	case s.curved <= signLimit && !f.boundOnly && len(s.owner) <= eigen.DenseOrder:
		q = s.bySigns()
	default:
		q = Interval{s.lower(f.boundOnly), s.upper()}
	}
	for i, j := range s.owner {
		share[j] = s.size(i)
	}
	return q, share
}

// selection is the part of the rows that counts for one K.
type selection struct {
	owner  []int // particle of each
	a      []row
	b      [][]row
	curved int // particles with rows b
	n      int
	u      []float64 // last maximiser
}

func (f *form) selection(in, fixed []bool) *selection {
	s := &selection{n: 3 * len(f.rows), u: make([]float64, 3*len(f.rows))}
	for j := range f.rows {
		if !in[j] {
			continue
		}
		r := &f.rows[j]
		var a row
		for k, c := range r.a.col {
			if c != 3*j+2 && (c%3 != 2 || !fixed[c/3]) {
				a.add(c, r.a.val[k])
			}
		}
		if len(a.col)+len(r.b) == 0 {
			continue
		}
		s.owner, s.a, s.b = append(s.owner, j), append(s.a, a), append(s.b, r.b)
		if len(r.b) > 0 {
			s.curved++
		}
	}
	return s
}

func (s *selection) plain() []row { return s.a }

// size returns (|a·u| + |b·u|)² of selected row i at the last maximiser.
func (s *selection) size(i int) float64 {
	x := math.Abs(s.a[i].dot(s.u)) + s.slide(i)
	return x * x
}

// slide returns |b·u|.
func (s *selection) slide(i int) float64 {
	x := 0.0
	for k := range s.b[i] {
		x = math.Hypot(x, s.b[i][k].dot(s.u))
	}
	return x
}

// value returns the functional at the last maximiser: a lower bound where it is exact.
func (s *selection) value() float64 {
	sum := 0.0
	for i := range s.owner {
		sum += s.size(i)
	}
	return math.Sqrt(sum)
}

// bySigns is exact.
func (s *selection) bySigns() Interval {
	var at []int
	for i := range s.b {
		if len(s.b[i]) > 0 {
			at = append(at, i)
		}
	}
	best, u := Interval{}, make([]float64, s.n)
	sign := make([]float64, len(s.a))
	for code := range 1 << len(at) {
		for k, i := range at {
			sign[i] = float64(code>>k&1)*2 - 1
		}
		if q := s.norm(s.signed(sign)); q.Hi > best.Hi {
			best = q
			copy(u, s.u)
		}
	}
	copy(s.u, u)
	return best
}

// signed returns the rows a + εb.
func (s *selection) signed(sign []float64) []row {
	rows := make([]row, len(s.a))
	for i := range s.a {
		rows[i].col = append(rows[i].col, s.a[i].col...)
		rows[i].val = append(rows[i].val, s.a[i].val...)
		for k := range s.b[i] {
			for e, c := range s.b[i][k].col {
				rows[i].add(c, sign[i]*s.b[i][k].val[e])
			}
		}
	}
	return rows
}

// lower iterates the signs from the two uniform ones. Where rows b only bound,
// the rows a alone are attained.
func (s *selection) lower(boundOnly bool) float64 {
	if boundOnly {
		return s.norm(s.a).Lo
	}
	best, sign := 0.0, make([]float64, len(s.a))
	for _, first := range []float64{1, -1} {
		for i := range sign {
			sign[i] = first
		}
		for range splitRounds {
			s.norm(s.signed(sign))
			v := s.value()
			if v <= best {
				break
			}
			best = v
			s.signs(sign)
		}
	}
	return best
}

// signs sets ε_j to the sign of (a_j·u)(b_j·u).
func (s *selection) signs(sign []float64) {
	for i := range sign {
		sign[i] = 1
		if len(s.b[i]) > 0 && s.a[i].dot(s.u)*s.b[i][0].dot(s.u) < 0 {
			sign[i] = -1
		}
	}
}

// upper minimises the bound over θ.
func (s *selection) upper() float64 {
	theta := make([]float64, len(s.a))
	for i := range theta {
		theta[i] = 1
	}
	best, mean := math.Inf(1), make([]float64, len(s.a))
	for round := range splitRounds {
		best = min(best, s.norm(s.split(theta)).Hi)
		for i := range theta {
			// Averages of the optimal ratios of all rounds: the bound is convex
			// in θ, and the ratio of a single round can be 0 or infinite.
			ratio := 1.0
			if x, y := math.Abs(s.a[i].dot(s.u)), s.slide(i); x+y > 0 {
				ratio = max(y, 1e-3*x) / max(x, 1e-3*y)
			}
			mean[i] += elementary.Log(ratio)
			theta[i] = elementary.Exp(mean[i] / float64(round+1))
		}
	}
	return best
}

// split returns the rows sqrt(1+θ)a and sqrt(1+1/θ)b.
func (s *selection) split(theta []float64) []row {
	var rows []row
	for i := range s.a {
		if len(s.b[i]) == 0 {
			rows = append(rows, s.a[i])
			continue
		}
		if len(s.a[i].col) == 0 { // no a: θ → ∞
			rows = append(rows, s.b[i]...)
			continue
		}
		rows = append(rows, s.a[i].times(math.Sqrt(1+theta[i])))
		for k := range s.b[i] {
			rows = append(rows, s.b[i][k].times(math.Sqrt(1+1/theta[i])))
		}
	}
	return rows
}

func (r *row) times(s float64) row {
	out := row{col: r.col, val: make([]float64, len(r.val))}
	for k, v := range r.val {
		out.val[k] = s * v
	}
	return out
}

func (r *row) dot(u []float64) float64 {
	sum := 0.0
	for k, c := range r.col {
		sum += r.val[k] * u[c]
	}
	return sum
}

// norm returns ‖G‖₂ of the matrix of the rows and sets u to its maximiser.
func (s *selection) norm(g []row) Interval {
	var square Interval
	var w []float64
	if len(g) <= eigen.DenseOrder {
		square, w = largestDense(s.gramDense(g))
	} else {
		square, w = largestSparse(s.gramSparse(g))
	}
	clear(s.u)
	for i := range g {
		for k, c := range g[i].col {
			s.u[c] += w[i] * g[i].val[k]
		}
	}
	if l := floats.Norm(s.u, 2); l > 0 {
		floats.Scale(1/l, s.u)
	}
	return Interval{math.Sqrt(max(square.Lo, 0)), math.Sqrt(max(square.Hi, 0))}
}

// gramDense returns GGᵀ.
func (s *selection) gramDense(g []row) *mat.SymDense {
	m, work := mat.NewSymDense(len(g), nil), make([]float64, s.n)
	for i := range g {
		for k, c := range g[i].col {
			work[c] += g[i].val[k]
		}
		for k := range i + 1 {
			m.SetSym(i, k, g[k].dot(work))
		}
		for _, c := range g[i].col {
			work[c] = 0
		}
	}
	return m
}

// gramSparse returns GGᵀ with the pattern of the rows that share a column.
func (s *selection) gramSparse(g []row) *sparse.Sym {
	byColumn := make([][]int, s.n)
	for i := range g {
		for _, c := range g[i].col {
			byColumn[c] = append(byColumn[c], i)
		}
	}
	m, work := gramPattern(g, byColumn), make([]float64, s.n)
	for c := range m.N {
		for k, d := range g[c].col {
			work[d] += g[c].val[k]
		}
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			m.Val[k] = g[m.Row[k]].dot(work)
		}
		for _, d := range g[c].col {
			work[d] = 0
		}
	}
	return m
}

// gramPattern is the pattern of GGᵀ; full where columns are, so that the cost of
// finding it stays below that of the products.
func gramPattern(g []row, byColumn [][]int) *sparse.Sym {
	pairs := 0
	for _, rows := range byColumn {
		pairs += len(rows) * len(rows)
	}
	if pairs > len(g)*len(g) {
		return fullSym(make([]float64, len(g)*len(g)), len(g))
	}
	b := sparse.NewBuilder(len(g))
	for i := range g {
		for _, c := range g[i].col {
			for _, k := range byColumn[c] {
				if k < i {
					b.Add(i, k)
				}
			}
		}
	}
	return b.Build()
}

func largestDense(m *mat.SymDense) (Interval, []float64) {
	var eig mat.EigenSym
	n := m.SymmetricDim()
	if !eig.Factorize(m, true) {
		return Interval{0, math.Inf(1)}, make([]float64, n)
	}
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	return exactly(eig.Values(nil)[n-1]), mat.Col(nil, n-1, &vectors)
}

// largestSparse bounds the largest eigenvalue as c − λ_min(cI − m), c >= ‖m‖.
func largestSparse(m *sparse.Sym) (Interval, []float64) {
	c := eigen.RowSum(m)
	for k := range m.Val {
		m.Val[k] = -m.Val[k]
	}
	for k := range m.N {
		m.Val[m.Ptr[k]] += c
	}
	lo, hi, w := eigen.Smallest(context.Background(), m)
	return Interval{c - hi, c - lo}, w
}
