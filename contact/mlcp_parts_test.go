package contact

import (
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMixedReduction: whatever the unknowns of the reduced problem, what they stand for solves the equations that were eliminated, and
// the rows of the reduced problem are those of the mixed one, in other units, equations with both signs.
func TestMixedReduction(t *testing.T) {
	rng := rand.New(rand.NewPCG(161, 2))
	var r mlcpReduction
	left := 0
	for k := range 120 {
		n := 1 + k%5
		rows := n + k%3
		p := &MLCP{M: make([]float64, rows*n), Q: make([]float64, rows), Equality: make([]bool, n)}
		for i := range p.M {
			p.M[i] = rng.NormFloat64() * math.Pow(10, float64(i%n%3)-1) * math.Pow(7, float64(i/n%3))
		}
		for i := range rows {
			p.Q[i] = rng.NormFloat64() * 3
		}
		for j := range n {
			p.Equality[j] = rng.IntN(2) == 0
		}
		if k%4 == 1 && n > 1 { // the second free column is the first, and a row is zero
			for i := range rows {
				p.M[i*n+1] = p.M[i*n]
			}
			clear(p.M[(n-1)*n : n*n])
		}
		r.load(p, num.InfNorm(p.M))
		for i := range rows {
			size := 0.0
			for j := range n {
				size = max(size, math.Abs(p.M[i*n+j]))
				if want := p.M[i*n+j] * r.rowScale[i] * r.colScale[j]; r.row(i)[j] != want {
					t.Fatalf("entry %d, %d is %g, want %g", i, j, r.row(i)[j], want)
				}
			}
			if r.row(i)[n] != p.Q[i]*r.rowScale[i] {
				t.Fatalf("q_%d is %g", i, r.row(i)[n])
			}
			scale := inversePower(num.InfNorm(p.M))
			if p.equation(i) {
				scale = inversePower(size)
			}
			if r.rowScale[i] != scale {
				t.Fatalf("row %d is scaled by %g, want %g", i, r.rowScale[i], scale)
			}
		}
		for j := range n {
			size := 0.0
			for i := range rows {
				size = max(size, math.Abs(p.M[i*n+j])*r.rowScale[i])
			}
			want := 1.0
			if p.Equality[j] {
				want = inversePower(size)
			}
			if r.colScale[j] != want {
				t.Fatalf("column %d is scaled by %g, want %g", j, r.colScale[j], want)
			}
		}
		best, at := mlcpRank, [2]int{-1, -1}
		for i := range rows {
			for j := range n {
				if v := math.Abs(r.row(i)[j]); p.equation(i) && p.Equality[j] && v > best {
					best, at = v, [2]int{i, j}
				}
			}
		}
		if i, j := r.largestPivot(); at != [2]int{i, j} {
			t.Errorf("problem %d: pivot %d, %d, want %v", k, i, j, at)
		}
		if k%2 == 0 {
			r.eliminate()
			if i, _ := r.largestPivot(); i >= 0 {
				t.Errorf("problem %d: a pivot is left", k)
			}
		}
		r.leftovers()
		left += len(r.eq) + len(r.free)
		var lcp LCP
		r.assemble(&lcp)
		m := len(r.comp)
		b := (len(lcp.Q) - m) / 2
		if b != max(len(r.eq), len(r.free)) || len(lcp.M) != len(lcp.Q)*len(lcp.Q) || r.eliminated != len(r.pivotRow) {
			t.Fatalf("problem %d: order %d of %d, %d and %d", k, len(lcp.Q), m, len(r.eq), len(r.free))
		}
		z := make([]float64, len(lcp.Q))
		for i := range z {
			z[i] = rng.Float64() * 5
		}
		x := make([]float64, n)
		r.expand(x, z)
		w, v := p.slack(nil, x), lcp.slack(nil, z)
		size := 1 + num.InfNorm(v)
		for a, i := range r.comp {
			if x[i] != z[a] || math.Abs(w[i]*r.rowScale[i]-v[a]) > 1e-8*size {
				t.Errorf("problem %d: x_%d = %g, want %g; w %g, want %g", k, i, x[i], z[a], w[i]*r.rowScale[i], v[a])
			}
		}
		for a, i := range r.eq {
			if e := w[i] * r.rowScale[i]; math.Abs(e-v[m+a]) > 1e-8*size || math.Abs(e+v[m+b+a]) > 1e-8*size {
				t.Errorf("problem %d: equation %d lacks %g, in the reduced problem %g and %g", k, i, e, v[m+a], v[m+b+a])
			}
		}
		for _, i := range r.pivotRow {
			if e := w[i] * r.rowScale[i]; math.Abs(e) > 1e-8*size {
				t.Errorf("problem %d: the eliminated equation %d lacks %g", k, i, e)
			}
		}
		for a := len(r.eq); a < b; a++ {
			if v[m+a] != 0 || v[m+b+a] != 0 {
				t.Errorf("problem %d: a row that fills up is %g", k, v[m+a])
			}
		}
		// A vector of Farkas of the one is one of the other: its products with all columns and with q are the same.
		if f := r.farkas(nil, p, z); r.eliminated > 0 {
			if len(f) > 0 {
				t.Errorf("problem %d: multipliers of eliminated equations", k)
			}
		} else {
			sum, want := 0.0, 0.0
			for i, y := range f {
				sum += y * p.Q[i]
			}
			for i, y := range z {
				want += y * lcp.Q[i]
			}
			if math.Abs(sum-want) > 1e-9*(1+math.Abs(want)*10) {
				t.Errorf("problem %d: y·q = %g, want %g", k, sum, want)
			}
		}
	}
	if left < 40 {
		t.Errorf("%d left over", left)
	}
}

// TestMixedOffers: the best of what is offered is kept, negative unknowns of complementary rows are zero; one step of Newton's method
// solves the active rows; the residual is that of each kind of row.
func TestMixedOffers(t *testing.T) {
	p := &MLCP{M: []float64{2, 1, 1, 4}, Q: []float64{-5, 2}, Equality: []bool{true, false}} // 2x + y = 5, 0 ≤ y ⊥ x + 4y + 2 ≥ 0
	for _, c := range []struct {
		x     []float64
		want  float64
		worst int
	}{{[]float64{2.5, 0}, 0, -1}, {[]float64{2, 0}, 0.2, 0}, {[]float64{3, 0}, 0.2, 0}, {[]float64{2.5, 1}, 0.8, 1}, {[]float64{0, 5}, 4, 1}, {[]float64{-3, 11}, 35. / 4 * 0.8 * 1.0, 1}, {[]float64{math.NaN(), 0}, math.Inf(1), 0}} {
		got, worst := p.Residual(c.x)
		if c.x[1] == 11 { // min(11/(5/4), 43/5)
			c.want = 43. / 5
		}
		if math.Abs(got-c.want) > 1e-14 && got != c.want || worst != c.worst {
			t.Errorf("x = %v: residual %g at %d, want %g at %d", c.x, got, worst, c.want, c.worst)
		}
	}
	var ws MLCPWorkspace
	var res MLCPResult
	if err := ws.begin(p, new(Options), &res); err != nil || ws.mMax != 4 || ws.tolerance != lcpTolerance || res.Worst != -1 || res.Residual != math.Inf(1) {
		t.Fatalf("%v, %+v", err, res)
	}
	copy(ws.x, []float64{2, -1})
	if ws.offer(p, &res, "a") || res.X[1] != 0 || res.X[0] != 2 || res.Solver != "a" || math.Abs(res.Residual-0.2) > 1e-15 {
		t.Errorf("%+v", res)
	}
	copy(ws.x, []float64{1, 0})
	if ws.offer(p, &res, "b") || res.Solver != "a" {
		t.Errorf("a worse one is kept: %+v", res)
	}
	copy(ws.x, []float64{1, 0.1})
	p.slack(ws.w, ws.x)
	if !ws.solveActive(p) || math.Abs(ws.x[0]-2.5) > 1e-15 || ws.x[1] != 0 {
		t.Errorf("the active rows have %v", ws.x)
	}
	if !ws.offer(p, &res, "c") || res.Residual != 0 || res.Solver != "c" || res.Status != Converged || !slices.Equal(res.W, []float64{0, 4.5}) {
		t.Errorf("%+v", res)
	}
	copy(ws.x, []float64{1, 0})
	if !ws.offer(p, &res, "d") || res.Solver != "c" {
		t.Errorf("after the solution %+v", res)
	}
	p.Q[1] = -20 // 2x + y = 5, x + 4y = 20: x = 0, y = 5
	copy(ws.x, []float64{1, 4})
	p.slack(ws.w, ws.x)
	if !ws.solveActive(p) || math.Abs(ws.x[0])+math.Abs(ws.x[1]-5) > 1e-14 {
		t.Errorf("both rows active: %v", ws.x)
	}
	tall := &MLCP{M: []float64{1, 1}, Q: []float64{-1, -1}, Equality: []bool{true}}
	if err := ws.begin(tall, new(Options), &res); err != nil || ws.solveActive(tall) {
		t.Errorf("%v, or more rows than unknowns are solved", err)
	}
	for _, tol := range []float64{-1, 1, math.NaN()} {
		if ws.begin(tall, &Options{Tolerance: tol}, &res) == nil {
			t.Errorf("tolerance %g", tol)
		}
	}
	for _, bad := range []*MLCP{nil, {M: []float64{1}, Q: nil, Equality: []bool{true}}, {M: []float64{1, 2}, Q: []float64{1}, Equality: []bool{true}}, {M: []float64{math.Inf(1)}, Q: []float64{1}, Equality: []bool{true}}, {M: []float64{1}, Q: []float64{math.NaN()}, Equality: []bool{true}}} {
		if ws.begin(bad, new(Options), &res) == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
