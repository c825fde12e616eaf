package lcp

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/num"
)

// lemkeTableau is the dictionary of Lemke's method [CPS09, section 4.4],
//
//	basic = b + T·nonbasic,
//
// for the variables w_i (number i), z_i (number n+i) and z_0 (number 2n), of
// which n are basic and n+1 are not.
type lemkeTableau struct {
	n        int
	t        []float64 // n×(n+1), row by row
	b        []float64 // n
	basic    []int     // variable of each row
	nonbasic []int     // variable of each column
	column   []int     // column of each variable, -1 if it is basic
	ties     []int     // rows with the least ratio
	pivots   int
}

type lemkeOutcome int

const (
	lemkeSolved lemkeOutcome = iota
	lemkeRay
	lemkeLimit // of pivots, or cancelled
)

// The entries of a tableau are of order 1 at the start. A pivot below
// lemkePivot of its column is roundoff; ratios that agree to lemkeTie are ties
// and go to the lexicographic rule.
const (
	lemkePivot = 1e-11
	lemkeTie   = 1e-12
)

func (t *lemkeTableau) resize(n int) {
	t.n = n
	t.t, t.b = num.Resized(t.t, n*(n+1)), num.Resized(t.b, n)
	if cap(t.column) < 2*n+1 {
		t.basic, t.nonbasic = make([]int, n), make([]int, n+1)
		t.column, t.ties = make([]int, 2*n+1), make([]int, 0, n)
	}
	t.basic, t.nonbasic, t.column = t.basic[:n], t.nonbasic[:n+1], t.column[:2*n+1]
}

// load fills the dictionary with w = q + M z + d z_0 for the scaled M, q.
func (t *lemkeTableau) load(m, q, row, col, cover []float64, mScale, qScale float64) {
	n := t.n
	t.pivots = 0
	for i := range n {
		dst, src, f := t.t[i*(n+1):(i+1)*(n+1)], m[i*n:i*n+n], mScale*row[i]
		for j, v := range src {
			dst[j] = v * f * col[j]
		}
		dst[n] = cover[i]
		t.b[i] = q[i] * qScale * row[i]
		t.basic[i], t.nonbasic[i] = i, n+i
		t.column[i], t.column[n+i] = -1, i
	}
	t.nonbasic[n], t.column[2*n] = 2*n, n
}

// run pivots until z_0 leaves the basis. After a ray, ray returns it.
func (t *lemkeTableau) run(ctx context.Context, limit int) (outcome lemkeOutcome, column int) {
	n := t.n
	row := t.firstRow()
	if row < 0 {
		return lemkeSolved, 0 // q ≥ 0: z = 0
	}
	leaving := t.exchange(row, n)
	for {
		if leaving == 2*n {
			return lemkeSolved, 0
		}
		if t.pivots >= limit || t.pivots&63 == 1 && ctx.Err() != nil {
			return lemkeLimit, 0
		}
		c := t.column[complement(leaving, n)]
		r := t.leavingRow(c)
		if r < 0 {
			return lemkeRay, c
		}
		leaving = t.exchange(r, c)
	}
}

func complement(v, n int) int {
	if v < n {
		return v + n
	}
	return v - n
}

// firstRow returns the row where the covering variable must be largest; of
// equal ones the last, which is the lexicographic rule for the unit basis.
func (t *lemkeTableau) firstRow() int {
	best, row := 0.0, -1
	for i, b := range t.b {
		if d := t.t[i*(t.n+1)+t.n]; b < 0 && -b >= best*d {
			best, row = -b/d, i
		}
	}
	return row
}

// leavingRow is the lexicographic minimum ratio test [CPS09, 4.4.5 and 4.9]:
// the least b_r/(−T_rc) over T_rc < 0, of equal ones z_0, or else the row whose
// (B⁻¹)_r/(−T_rc) is lexicographically least. −1 means a ray.
func (t *lemkeTableau) leavingRow(c int) int {
	n, s := t.n, t.n+1
	size := 1.0
	for r := range n {
		size = max(size, math.Abs(t.t[r*s+c]))
	}
	least := math.Inf(1)
	for r := range n {
		if d := t.t[r*s+c]; d < -lemkePivot*size {
			least = min(least, -t.b[r]/d)
		}
	}
	if math.IsInf(least, 1) {
		return -1
	}
	t.ties = t.ties[:0]
	for r := range n {
		d := t.t[r*s+c]
		if d < -lemkePivot*size && -t.b[r]/d <= least+lemkeTie*max(1, math.Abs(least)) {
			if t.basic[r] == 2*n {
				return r
			}
			t.ties = append(t.ties, r)
		}
	}
	for j := 0; j < n && len(t.ties) > 1; j++ {
		t.breakTies(c, j)
	}
	return t.ties[0]
}

// breakTies keeps the tied rows with the least j-th entry of (B⁻¹)_r/(−T_rc).
// The column of w_j in B⁻¹ is −T if w_j is nonbasic and a unit vector if not.
func (t *lemkeTableau) breakTies(c, j int) {
	s, cj := t.n+1, t.column[j]
	entry := func(r int) float64 {
		switch {
		case cj >= 0:
			return t.t[r*s+cj] / t.t[r*s+c]
		case t.basic[r] == j:
			return -1 / t.t[r*s+c]
		}
		return 0
	}
	least := math.Inf(1)
	for _, r := range t.ties {
		least = min(least, entry(r))
	}
	kept := t.ties[:0]
	for _, r := range t.ties {
		if entry(r) <= least+lemkeTie*max(1, math.Abs(least)) {
			kept = append(kept, r)
		}
	}
	t.ties = kept
}

// exchange makes the variable of column c basic in row p and returns the one
// that leaves: a Jordan exchange, n(n+1) multiplications.
func (t *lemkeTableau) exchange(p, c int) (leaving int) {
	n, s := t.n, t.n+1
	rowP := t.t[p*s : p*s+s]
	inv := 1 / rowP[c]
	for j := range rowP {
		rowP[j] *= -inv
	}
	rowP[c] = inv
	t.b[p] *= -inv
	for r := range n {
		f := t.t[r*s+c]
		if r == p || f == 0 {
			continue
		}
		row := t.t[r*s : r*s+s]
		row[c] = 0
		if s < 24 { // below, the call costs more than it saves
			for j, v := range rowP {
				row[j] += f * v
			}
		} else {
			gonum.Implementation{}.Daxpy(s, f, rowP, 1, row, 1)
		}
		t.b[r] += f * t.b[p]
	}
	leaving = t.basic[p]
	entering := t.nonbasic[c]
	t.basic[p], t.nonbasic[c] = entering, leaving
	t.column[entering], t.column[leaving] = -1, c
	t.pivots++
	return leaving
}

// solution overwrites z with the values of the basic z_i, zero for the others.
func (t *lemkeTableau) solution(z, col []float64, scale float64) {
	clear(z)
	for r, v := range t.basic {
		if i := v - t.n; i >= 0 && i < t.n {
			z[i] = t.b[r] * scale * col[i]
		}
	}
}

// ray overwrites z with the direction in which it grows with column c.
func (t *lemkeTableau) ray(z, col []float64, c int) {
	n := t.n
	clear(z)
	for r, v := range t.basic {
		if i := v - n; i >= 0 && i < n {
			z[i] = max(t.t[r*(n+1)+c], 0) * col[i]
		}
	}
	if i := t.nonbasic[c] - n; i >= 0 && i < n {
		z[i] = col[i]
	}
}

// lemke makes one attempt with the scales and the covering vector in ws.
func (ws *LCPWorkspace) lemke(ctx context.Context, p *LCP, res *LCPResult, solver string) bool {
	mScale, qScale := inversePower(ws.mMax), inversePower(ws.qMax)
	t := &ws.tableau
	t.load(p.M, p.Q, ws.rowScale, ws.colScale, ws.cover, mScale, qScale)
	outcome, column := t.run(ctx, ws.pivotsLimit)
	res.Iterations += t.pivots
	switch outcome {
	case lemkeRay:
		t.ray(ws.z, ws.colScale, column)
		if len(res.Ray) == 0 {
			res.Ray = append(res.Ray[:0], ws.z...)
		}
		if farkasCertifies(p, ws.z, ws.mMax, ws.qMax) {
			res.Farkas = append(res.Farkas[:0], ws.z...)
			res.Status = form.Infeasible
		}
	case lemkeLimit:
		res.Status = form.IterationLimit
	}
	t.solution(ws.z, ws.colScale, mScale/qScale)
	ok := ws.polish(p, res, solver)
	if res.Status == form.Infeasible {
		res.Solver = solver
	}
	return ok
}

// inversePower returns the power of two nearest below 1/x, 1 for x = 0:
// scaling by it is exact.
func inversePower(x float64) float64 {
	if x == 0 {
		return 1
	}
	_, e := math.Frexp(x)
	return math.Ldexp(1, min(max(-e, -1000), 1000))
}

// lemkeVariants repeats Lemke's method on the equilibrated problem and with
// other covering vectors: what is a ray for one of them need not be for
// another. The vectors are pseudo-random and always the same.
func (ws *LCPWorkspace) lemkeVariants(ctx context.Context, p *LCP, res *LCPResult) bool {
	if res.Status == form.Infeasible {
		return false
	}
	ws.equilibrate(p)
	if ws.lemke(ctx, p, res, "lemke (equilibrated)") || res.Status == form.Infeasible {
		return res.Status == form.Converged
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		for i := range ws.cover {
			ws.cover[i] = elementary.Exp(2*rng.Float64() - 1)
		}
		if ws.lemke(ctx, p, res, "lemke (other covering vector)") || res.Status == form.Infeasible || ctx.Err() != nil {
			return res.Status == form.Converged
		}
	}
	return false
}

// equilibrate sets the row and column scales such that the largest entry of
// every row and column of R M C is near 1 [Ruiz01]; positive diagonal R and C
// keep z ≥ 0, w ≥ 0 and the complementarity.
func (ws *LCPWorkspace) equilibrate(p *LCP) {
	n := len(p.Q)
	scale := inversePower(ws.mMax)
	rowMax, colMax := ws.z, ws.w
	for range 5 { // the deviation from 1 is square-rooted each time
		clear(rowMax)
		clear(colMax)
		for i := range n {
			for j, v := range p.M[i*n : i*n+n] {
				v = math.Abs(v) * scale * ws.rowScale[i] * ws.colScale[j]
				rowMax[i], colMax[j] = max(rowMax[i], v), max(colMax[j], v)
			}
		}
		for i := range n {
			ws.rowScale[i] *= rootScale(rowMax[i])
			ws.colScale[i] *= rootScale(colMax[i])
		}
	}
}

func rootScale(x float64) float64 {
	if x == 0 {
		return 1
	}
	return 1 / math.Sqrt(max(x, 1e-20)) // a row of roundoff is not a row
}
