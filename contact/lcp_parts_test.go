package contact

import (
	"context"
	"errors"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTableau: the dictionary that Lemke's method pivots stays the system w = q + M z + d z₀ in the scaled variables, whatever
// is exchanged, and the solution and the ray are read from it in the units of the problem.
func TestTableau(t *testing.T) {
	rng := rand.New(rand.NewPCG(101, 6))
	for seed := range 60 {
		n := 1 + seed%6
		if seed%12 == 11 {
			n = 26 // rows that are long enough for the library
		}
		m, q := make([]float64, n*n), make([]float64, n)
		row, col, cover := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range m {
			m[i] = rng.NormFloat64()
		}
		for i := range n {
			q[i], row[i], col[i], cover[i] = rng.NormFloat64(), 0.5+rng.Float64(), 0.5+rng.Float64(), 0.5+rng.Float64()
		}
		const mScale, qScale = 0.25, 8
		var tab lemkeTableau
		tab.resize(n)
		tab.load(m, q, row, col, cover, mScale, qScale)
		values := make([]float64, 2*n+1) // of w, z and z₀
		check := func(what string) {
			t.Helper()
			for _, v := range tab.nonbasic {
				values[v] = rng.NormFloat64()
			}
			size := 1.0
			for r, v := range tab.basic {
				values[v] = tab.b[r]
				for c, w := range tab.nonbasic {
					values[v] += tab.t[r*(n+1)+c] * values[w]
				}
				size = max(size, math.Abs(values[v]))
			}
			for i := range n {
				want := q[i]*row[i]*qScale + cover[i]*values[2*n]
				for j := range n {
					want += m[i*n+j] * row[i] * col[j] * mScale * values[n+j]
				}
				if math.Abs(values[i]-want) > 1e-8*size {
					t.Fatalf("problem %d, %s: w_%d = %g, want %g", seed, what, i, values[i], want)
				}
			}
			for v, c := range tab.column {
				if c >= 0 && tab.nonbasic[c] != v || c < 0 && !slices.Contains(tab.basic, v) {
					t.Fatalf("%s: variable %d in column %d", what, v, c)
				}
			}
		}
		check("loaded")
		for k := range 8 {
			p, c := rng.IntN(n), rng.IntN(n+1)
			if math.Abs(tab.t[p*(n+1)+c]) < 0.1 {
				continue
			}
			out, in, pivots := tab.basic[p], tab.nonbasic[c], tab.pivots
			if got := tab.exchange(p, c); got != out || tab.basic[p] != in || tab.nonbasic[c] != out || tab.pivots != pivots+1 {
				t.Fatalf("%d leaves for %d, %d is told", out, in, got)
			}
			check("exchanged")
			_ = k
		}
		// z of the basic variables, and the direction of column c: with z_c = 1 of the scaled ones.
		z := make([]float64, n)
		tab.solution(z, col, 3)
		for i := range z {
			want := 0.0
			if r := slices.Index(tab.basic, n+i); r >= 0 {
				want = 3 * col[i] * tab.b[r]
			}
			if math.Abs(z[i]-want) > 1e-14*math.Abs(want) {
				t.Errorf("z_%d = %g, want %g", i, z[i], want)
			}
		}
		for c, v := range tab.nonbasic {
			tab.ray(z, col, c)
			for i := range z {
				want := 0.0
				if v == n+i {
					want = col[i]
				}
				if r := slices.Index(tab.basic, n+i); r >= 0 {
					want = col[i] * max(tab.t[r*(n+1)+c], 0)
				}
				if math.Abs(z[i]-want) > 1e-14*want {
					t.Errorf("ray of column %d: z_%d = %g, want %g", c, i, z[i], want)
				}
			}
		}
	}
}

// TestRatioTest: the row that leaves has the least ratio; of equal ones z₀ leaves, or the row of B⁻¹ that is lexicographically
// least; what is beside a large column is rounding, and a column that does not fall is a ray.
func TestRatioTest(t *testing.T) {
	// Two rows, three columns (w's and z₀): basic w_0, w_1.
	table := func(b [2]float64, column [2]float64) *lemkeTableau {
		var tab lemkeTableau
		tab.resize(2)
		tab.load([]float64{1, 0, 0, 1}, []float64{b[0], b[1]}, []float64{1, 1}, []float64{1, 1}, []float64{1, 1}, 1, 1)
		tab.t[0], tab.t[3] = column[0], column[1]
		return &tab
	}
	for _, c := range []struct {
		b, column [2]float64
		want      int
		what      string
	}{
		{[2]float64{2, 1}, [2]float64{-1, -1}, 1, "the least ratio"},
		{[2]float64{1, 2}, [2]float64{-1, -1}, 0, "the least ratio"},
		{[2]float64{2, 1}, [2]float64{-4, -1}, 0, "by the entries"},
		{[2]float64{2, 1}, [2]float64{-1, 3}, 0, "rising rows do not leave"},
		{[2]float64{2, 1}, [2]float64{1, 3}, -1, "a ray"},
		{[2]float64{2, 1}, [2]float64{0, 0}, -1, "a column of zeros"},
		{[2]float64{0, 1}, [2]float64{-1, -1e-12}, 0, "rounding of one"},
		{[2]float64{1, 0}, [2]float64{1, -1.01e-11}, 1, "just a pivot"},
		{[2]float64{1, 0}, [2]float64{1, -0.99e-11}, -1, "just none"},
		{[2]float64{1, 0}, [2]float64{1000, -0.99e-8}, -1, "just none beside a large one"},
		{[2]float64{1, 0}, [2]float64{1000, -1.01e-8}, 1, "just one beside a large one"},
		{[2]float64{1, 1}, [2]float64{-1, -1}, 1, "a tie: −1/T of the unit vectors, (1, 0) and (0, 1)"},
		{[2]float64{1, 2}, [2]float64{-1, -2}, 1, "the same of other rows"},
		{[2]float64{1, 1 + 1e-13}, [2]float64{-1, -1}, 1, "a tie but for rounding"},
		{[2]float64{1, 1 + 1e-11}, [2]float64{-1, -1}, 0, "no tie"},
		{[2]float64{1e6, 1e6 + 1e-7}, [2]float64{-1, -1}, 1, "a tie of large ratios"},
		{[2]float64{1e6, 1e6 + 1e-5}, [2]float64{-1, -1}, 0, "no tie of large ratios"},
	} {
		if got := table(c.b, c.column).leavingRow(0); got != c.want {
			t.Errorf("%s: row %d, want %d", c.what, got, c.want)
		}
	}
	tab := table([2]float64{1, 1}, [2]float64{-1, -1})
	tab.basic[0], tab.column[0], tab.column[4] = 4, 2, -1 // z₀ in the first row
	if got := tab.leavingRow(0); got != 0 {
		t.Errorf("a tie with z₀: row %d leaves", got)
	}
	// A w that is not basic: its column of B⁻¹ is −T.
	for _, c := range []struct {
		entries [2]float64
		want    int
	}{{[2]float64{2, 1}, 0}, {[2]float64{1, 2}, 1}, {[2]float64{-1, 2}, 1}} {
		tab = table([2]float64{1, 1}, [2]float64{-1, -1})
		tab.basic[0], tab.nonbasic[1], tab.column[0], tab.column[3] = 3, 0, 1, -1 // w_0 for z_1
		tab.t[1], tab.t[4] = c.entries[0], c.entries[1]
		if got := tab.leavingRow(0); got != c.want {
			t.Errorf("entries %v of w_0: row %d, want %d", c.entries, got, c.want)
		}
	}
	// The first row: where z₀ has to be largest, of equal ones the last.
	for _, c := range []struct {
		q, cover [2]float64
		want     int
	}{{[2]float64{1, 1}, [2]float64{1, 1}, -1}, {[2]float64{0, 0}, [2]float64{1, 1}, -1}, {[2]float64{-1, -2}, [2]float64{1, 1}, 1}, {[2]float64{-2, -1}, [2]float64{1, 1}, 0}, {[2]float64{-2, -1}, [2]float64{4, 1}, 1}, {[2]float64{-1, -1}, [2]float64{1, 1}, 1}, {[2]float64{-1, 1}, [2]float64{1, 1}, 0}} {
		var tab lemkeTableau
		tab.resize(2)
		tab.load(make([]float64, 4), c.q[:], []float64{1, 1}, []float64{1, 1}, c.cover[:], 1, 1)
		if got := tab.firstRow(); got != c.want {
			t.Errorf("q = %v, d = %v: row %d, want %d", c.q, c.cover, got, c.want)
		}
	}
	if complement(1, 3) != 4 || complement(4, 3) != 1 || complement(3, 3) != 0 || complement(2, 3) != 5 {
		t.Error("complements")
	}
}

// TestScalesOfLCP: powers of two, and rows and columns whose largest entries are one.
func TestScalesOfLCP(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{{0, 1}, {1, .5}, {0.5, 1}, {0.99, 1}, {3, .25}, {4, .125}, {1e300, math.Ldexp(1, -997)}, {5e-324, math.Ldexp(1, 1000)}, {math.MaxFloat64, math.Ldexp(1, -1000)}} {
		if got := inversePower(c.x); got != c.want {
			t.Errorf("of %g: %g, want %g", c.x, got, c.want)
		}
	}
	for _, c := range []struct{ x, want float64 }{{0, 1}, {4, .5}, {.25, 2}, {1e-20, 1e10}, {1e-30, 1e10}} {
		if got := rootScale(c.x); math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("of %g: %g, want %g", c.x, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(102, 6))
	for range 20 {
		const n = 5
		p := &LCP{M: make([]float64, n*n), Q: make([]float64, n)}
		for i := range n {
			p.Q[i] = -1
			for j := range n {
				p.M[i*n+j] = (0.5 + rng.Float64()) * math.Pow(10, float64(i)-float64(j)/2)
			}
		}
		var res LCPResult
		ws, err := new(LCPWorkspace).begin(p, nil, &res)
		if err != nil {
			t.Fatal(err)
		}
		ws.equilibrate(p)
		rows, cols := make([]float64, n), make([]float64, n)
		for i := range n {
			for j := range n {
				v := math.Abs(p.M[i*n+j]) * inversePower(ws.mMax) * ws.rowScale[i] * ws.colScale[j]
				rows[i], cols[j] = max(rows[i], v), max(cols[j], v)
			}
		}
		for i := range n { // from 1e7, by roots of roots: 1e7^(1/32) = 1.7
			if rows[i] > 1.2 || rows[i] < 0.5 || cols[i] > 1.2 || cols[i] < 0.5 {
				t.Errorf("largest of row %d %g, of column %g", i, rows[i], cols[i])
			}
		}
	}
}

// TestFischerBurmeister: Φ is zero where both are nonnegative and one is zero, its derivative is that of differences, and the
// direction is Newton's, or where that is none, down the gradient; the step is the longest that Armijo allows.
func TestFischerBurmeister(t *testing.T) {
	rng := rand.New(rand.NewPCG(103, 6))
	for seed := range 40 {
		n := 1 + seed%5
		p := randomLCP(rng, n, seed%3)
		for i := range p.M {
			p.M[i] *= 3
		}
		for i := range p.Q {
			p.Q[i] *= 20
		}
		f := newFischerBurmeister(p, &LCPWorkspace{mMax: num.InfNorm(p.M), qMax: num.InfNorm(p.Q)})
		for i := range f.x {
			f.x[i] = rng.NormFloat64()
		}
		theta := f.evaluate(f.x)
		phi, sum := slices.Clone(f.phi), 0.0
		for i, a := range f.x {
			w := p.Q[i]
			for j, v := range f.x {
				w += p.M[i*n+j] * v * f.unit
			}
			b := w / f.wUnit
			want := a + b - math.Hypot(a, b)
			if math.Abs(phi[i]-want) > 1e-12*(1+math.Abs(want)) || math.Abs(f.w[i]-w) > 1e-12*(1+math.Abs(w)) || f.z[i] != f.unit*a {
				t.Errorf("Φ_%d = %g, want %g; w %g, want %g", i, phi[i], want, f.w[i], w)
			}
			sum += 0.5 * want * want
		}
		if math.Abs(theta-sum) > 1e-12*sum {
			t.Errorf("θ = %g, want %g", theta, sum)
		}
		f.linearise()
		jac := slices.Clone(f.jac)
		const h = 1e-6
		for j := range n {
			x := slices.Clone(f.x)
			x[j] += h
			f.evaluate(x)
			plus := slices.Clone(f.phi)
			x[j] -= 2 * h
			f.evaluate(x)
			for i := range n {
				if want := (plus[i] - f.phi[i]) / (2 * h); math.Abs(jac[i*n+j]-want) > 1e-4*(1+math.Abs(want)) { // h² over a curvature of 1/‖(a, b)‖
					t.Errorf("problem %d: ∂Φ_%d/∂x_%d = %g, by differences %g", seed, i, j, jac[i*n+j], want)
				}
			}
		}
		f.evaluate(f.x)
		slope := f.direction(theta)
		gradient := make([]float64, n)
		for i := range n {
			for j := range n {
				gradient[j] += phi[i] * jac[i*n+j]
			}
		}
		want := 0.0
		for j, g := range gradient {
			want += g * f.d[j]
		}
		if math.Abs(slope-want) > 1e-10*(math.Abs(want)+num.Norm(gradient)*num.Norm(f.d)) || !(slope < 0) {
			t.Errorf("problem %d: slope %g, want %g", seed, slope, want)
		}
		// Newton's: J d = −Φ, so that the slope is −2θ.
		if math.Abs(slope+2*theta) < 1e-9*theta {
			for i := range n {
				sum, size := phi[i], math.Abs(phi[i])
				for j := range n {
					sum += jac[i*n+j] * f.d[j]
					size += math.Abs(jac[i*n+j] * f.d[j])
				}
				if math.Abs(sum) > 1e-9*size {
					t.Errorf("problem %d: row %d of the step is left with %g", seed, i, sum)
				}
			}
		}
		x := slices.Clone(f.x)
		next := f.lineSearch(theta, slope)
		length := 0.0
		for step := 1.0; step > 1e-10; step /= 2 {
			trial := slices.Clone(x)
			for i := range trial {
				trial[i] += step * f.d[i]
			}
			if v := f.evaluate(trial); v <= theta+1e-4*step*slope {
				if length = step; math.Abs(v-next) > 1e-12*theta {
					t.Errorf("problem %d: θ = %g after the step, want %g", seed, next, v)
				}
				break
			}
		}
		for i := range x {
			if math.Abs(f.x[i]-x[i]-length*f.d[i]) > 1e-12*(1+math.Abs(f.d[i])) {
				t.Errorf("problem %d: x_%d moves by %g, want %g", seed, i, f.x[i]-x[i], length*f.d[i])
			}
		}
		f.evaluate(f.x)
		if got := f.lineSearch(theta, 1e30); got > theta+1e26 { // anything goes
			t.Errorf("θ = %g", got)
		}
	}
	// A singular derivative, M = 0 and a > 0 = ∂a: no Newton direction without a shift; the kink.
	p := &LCP{M: []float64{0}, Q: []float64{-1}}
	f := newFischerBurmeister(p, &LCPWorkspace{mMax: 0, qMax: 1})
	f.x[0] = 1
	theta := f.evaluate(f.x)
	f.linearise()
	want := f.jac[0]
	if math.Abs(want-(1-1/math.Sqrt2)) > 1e-15 {
		t.Errorf("∂Φ = %g at (1, −1)", want)
	}
	if slope := f.direction(theta); math.Abs(slope+2*theta) > 1e-14 || math.Abs(f.d[0]+f.phi[0]/want) > 1e-14 {
		t.Errorf("slope %g, direction %g", slope, f.d[0])
	}
	f.jac[0] = 0
	if slope := f.direction(theta); slope != 0 {
		t.Errorf("slope %g without a gradient", slope)
	}
	two := newFischerBurmeister(&LCP{M: make([]float64, 4), Q: []float64{0, 0}}, &LCPWorkspace{mMax: 1, qMax: 1})
	two.evaluate(two.x)
	two.linearise()
	if k := 1 - math.Sqrt2/2; !slices.Equal(two.jac, []float64{k, 0, 0, k}) {
		t.Errorf("at the kink %v", two.jac)
	}
	two.phi, two.jac = []float64{1, 0}, []float64{1, 1, 1, 1} // singular: shifted by min(1e-3, √θ), which descends
	for _, theta := range []float64{1, 1e-8} {
		shift := min(1e-3, math.Sqrt(theta))
		slope := two.direction(theta)
		// (J + s I) d = −(1, 0): d = (−(1 + s), 1)/(s (2 + s)).
		for i, d := range []float64{-(1 + shift) / (shift * (2 + shift)), 1 / (shift * (2 + shift))} {
			if math.Abs(two.d[i]-d) > 1e-6*math.Abs(d) {
				t.Errorf("shifted by %g: d_%d = %g, want %g", shift, i, two.d[i], d)
			}
		}
		if want := two.d[0] + two.d[1]; math.Abs(slope-want) > 1e-9*math.Abs(two.d[0]) {
			t.Errorf("slope %g, want %g", slope, want)
		}
	}
	// Newton's slope is −‖Φ‖² = −1, too little beside 1e-9 ‖∇θ‖² where J is large.
	for j, newton := range map[float64]bool{1e4: true, 2.5e4: true, 3.3e4: false, 1e10: false} {
		two.jac = []float64{j, 0, 0, j}
		slope, want, d := two.direction(1), -1.0, -1/j
		if !newton {
			want, d = -j*j, -j
		}
		if math.Abs(slope-want) > 1e-6*math.Abs(want) || math.Abs(two.d[0]-d) > 1e-6*math.Abs(d) || two.d[1] != 0 {
			t.Errorf("J = %g: slope %g along %v, want %g along %g", j, slope, two.d, want, d)
		}
	}
	two.jac = []float64{0, 1, -1, 0} // J d = −Φ has d ⊥ nothing: slope −‖Φ‖²
	if slope := two.direction(1); math.Abs(slope+1) > 1e-15 {
		t.Errorf("slope %g, want −1", slope)
	}
}

// TestSmallLU: systems of all orders, by loops and by the library, to rounding; singular ones are told.
func TestSmallLU(t *testing.T) {
	rng := rand.New(rand.NewPCG(104, 6))
	var f lcpLU
	for _, n := range []int{0, 1, 2, 3, 7, 20, blockedOrder - 1, blockedOrder, blockedOrder + 3, 5} {
		a, x := f.resize(n)
		if len(a) != n*n || len(x) != n || slices.ContainsFunc(a, func(v float64) bool { return v != 0 }) {
			t.Fatalf("order %d: %d entries", n, len(a))
		}
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		if n > 2 {
			a[0] = 0 // a row has to be exchanged
		}
		kept, want := slices.Clone(a), make([]float64, n)
		for i := range want {
			want[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range n {
				x[i] += a[i*n+j] * want[j]
			}
		}
		if !f.factor() {
			t.Fatalf("order %d is singular", n)
		}
		f.solve(x)
		for i := range x {
			if math.Abs(x[i]-want[i]) > 1e-10*(1+float64(n)) { // of a condition of about n²
				t.Errorf("order %d: x_%d = %g, want %g", n, i, x[i], want[i])
			}
		}
		if n < 2 {
			continue
		}
		a, _ = f.resize(n)
		copy(a, kept)
		for j := range n { // the last row is that before it but for rounding
			a[(n-1)*n+j] = a[(n-2)*n+j] * (1 + 1e-17)
		}
		if f.factor() {
			t.Errorf("order %d: equal rows are regular", n)
		}
		a, _ = f.resize(n)
		copy(a, kept)
		for i := range n {
			a[i*n] = 0
		}
		if f.factor() {
			t.Errorf("order %d: a column of zeros is regular", n)
		}
	}
	a, _ := f.resize(2) // no pivot below 2⁻⁵² n of the largest entry
	for _, c := range []struct {
		v    float64
		want bool
	}{{0x1p-51, false}, {0x1.01p-51, true}, {-0x1.01p-51, true}} {
		copy(a, []float64{1, 0, 0, c.v})
		if got := f.factor(); got != c.want {
			t.Errorf("pivot %g: %t", c.v, got)
		}
	}
}

// TestOffers: of what is offered the best is kept, with its residual and basis; negative entries are zero; a basis is solved to
// rounding; the last solution and its basis start the next solve.
func TestOffers(t *testing.T) {
	p := &LCP{M: []float64{2, 1, 0, 4}, Q: []float64{-5, 2}} // z = (2.5, 0), w = (0, 2)
	var res LCPResult
	ws, err := (&LCPWorkspace{Reuse: true}).begin(p, nil, &res)
	if err != nil {
		t.Fatal(err)
	}
	if res.Residual != math.Inf(1) || res.Worst != -1 || ws.mMax != 4 || ws.qMax != 5 || ws.tolerance != lcpTolerance || ws.pivotsLimit < 1000+20*2 {
		t.Errorf("%+v", res)
	}
	copy(ws.z, []float64{2, 0})
	if ws.offer(p, &res, "first") || res.Solver != "first" || !(res.Residual > 0.01) || res.Z[0] != 2 || res.Status != Unsolved {
		t.Errorf("%+v", res)
	}
	first := res.Residual
	copy(ws.z, []float64{1, 0})
	if ws.offer(p, &res, "worse") || res.Solver != "first" || res.Residual != first {
		t.Errorf("a worse one is kept: %+v", res)
	}
	copy(ws.z, []float64{2.5, -3})
	if !ws.offer(p, &res, "exact") || res.Residual != 0 || res.Z[1] != 0 || res.Status != Converged || !slices.Equal(ws.lastActive, []int{0}) || !slices.Equal(ws.last, []float64{2.5, 0}) || !slices.Equal(res.W, []float64{0, 2}) {
		t.Errorf("%+v, basis %v", res, ws.lastActive)
	}
	copy(ws.z, []float64{0, 0})
	if !ws.offer(p, &res, "worse") || res.Solver != "exact" {
		t.Errorf("after the exact one %+v", res)
	}
	// From near it the basis gives it.
	res.Residual, res.Status = math.Inf(1), Unsolved
	copy(ws.z, []float64{2.4, 0.001})
	if !ws.polish(p, &res, "polished") || res.Z[0] != 2.5 || res.Z[1] != 0 {
		t.Errorf("%+v", res)
	}
	// Of another problem of the same basis, which is solved without a pivot; of one of another basis, with pivots.
	for _, c := range []struct {
		q, z []float64
		none bool
	}{{[]float64{-3, 2}, []float64{1.5, 0}, true}, {[]float64{-3, 2}, []float64{1.5, 0}, true}, {[]float64{5, -2}, []float64{0, 0.5}, false}, {[]float64{-5, -2}, []float64{2.25, 0.5}, false}, {[]float64{-6, -2}, []float64{2.75, 0.5}, true}} {
		p.Q = c.q
		if err := SolveLCP(context.Background(), p, nil, ws, &res); err != nil || math.Abs(res.Z[0]-c.z[0]) > 1e-15 || math.Abs(res.Z[1]-c.z[1]) > 1e-15 || (res.Iterations == 0) != c.none || (res.Solver == "reuse") != c.none {
			t.Errorf("q = %v: %v, z = %v after %d pivots by %s", c.q, err, res.Z, res.Iterations, res.Solver)
		}
	}
	rng := rand.New(rand.NewPCG(105, 6))
	for n := 1; n < 8; n++ {
		p := strictLCP(rng, n)
		ws, err := new(LCPWorkspace).begin(p, nil, &res)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if rng.IntN(2) == 0 {
				ws.active = append(ws.active, i)
			}
		}
		if !ws.solveActive(p) {
			t.Fatal("singular")
		}
		w := p.slack(nil, ws.z)
		for i := range n {
			if in := slices.Contains(ws.active, i); in && math.Abs(w[i]) > 1e-12 || !in && ws.z[i] != 0 {
				t.Errorf("order %d: z_%d = %g, w = %g, in the basis: %t", n, i, ws.z[i], w[i], in)
			}
		}
	}
}

// TestLemkeLooksAtTheContext: after the first pivot, whatever is left to do.
func TestLemkeLooksAtTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := &LCP{M: []float64{3, 1, 0, 1, 3, 1, 0, 1, 3}, Q: []float64{-4, -5, -4}} // z = (1, 1, 1)
	var res LCPResult
	if err := Lemke(context.Background(), p, nil, nil, &res); err != nil || res.Iterations < 3 {
		t.Fatalf("%v after %d pivots", err, res.Iterations)
	}
	// What the basis of one pivot gives may be the solution.
	if err := Lemke(ctx, p, nil, nil, &res); err != nil && !errors.Is(err, context.Canceled) || res.Iterations != 1 {
		t.Errorf("%v after %d pivots", err, res.Iterations)
	}
}
