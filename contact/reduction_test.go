package contact

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestFixedBodyHasABlock: contacts on what joints hold keep a block of zeros on the diagonal, and
// only there.
func TestFixedBodyHasABlock(t *testing.T) {
	m := sparse.NewBuilder(4).Build()
	for i := range 4 {
		m.Val[m.Index(i, i)] = 1
	}
	p := &Global{M: m, F: make([]float64, 4), W: make([]float64, 4), Laws: []Law{Coulomb{Mu: 0.3}, Coulomb{Mu: 0.3}},
		H: &Jacobian{Dim: 2, Rows: 4, Ptr: []int{0, 2, 4}, Row: []int{0, 1, 2, 3}, Val: []float64{1, 0, 0, 1, 1, 0, 0, 1}},
		G: &Columns{Rows: 4, Ptr: []int{0, 1, 2}, Row: []int{0, 1}, Val: []float64{1, 1}}, B: make([]float64, 2)}
	d, err := NewDelassus(p)
	if err != nil {
		t.Fatal(err)
	}
	w := d.Local.W.(*Blocks)
	if !slices.Equal(w.Ptr, []int{0, 1, 2}) || !slices.Equal(w.Col, []int{0, 1}) ||
		!slices.Equal(w.Val, []float64{0, 0, 0, 0, 1, 0, 0, 1}) {
		t.Errorf("W = %+v", w)
	}
}

// TestSingularMassesOfAMethod: a method that asks for reactions alone ends with the reason why
// there is no W; the default goes on in all velocities.
func TestSingularMassesOfAMethod(t *testing.T) {
	m := sparse.NewBuilder(2).Build()
	m.Val[m.Index(0, 0)] = 1
	p := &Global{M: m, F: []float64{-1, 0}, W: make([]float64, 2), Laws: []Law{Coulomb{Mu: 0.5}},
		H: &Jacobian{Dim: 2, Rows: 2, Ptr: []int{0, 2}, Row: []int{0, 1}, Val: []float64{1, 0, 0, 1}}}
	var indefinite *IndefiniteError
	err := SolveGlobal(t.Context(), p, &Options{Method: MethodNewton}, nil, new(Result))
	if !errors.As(err, &indefinite) || strings.Contains(err.Error(), "as well") {
		t.Errorf("%v", err)
	}
	if err := SolveGlobal(t.Context(), p, nil, nil, new(Result)); err != nil && !strings.Contains(err.Error(), "as well") {
		t.Errorf("by default: %v", err)
	}
}

// bandedMass is a positive definite M of parts of the orders given, none coupled to another.
func bandedMass(rng *rand.Rand, orders ...int) *sparse.Sym {
	n := 0
	for _, k := range orders {
		n += k
	}
	first, at := make([]int, n), 0 // of the part of a row
	for _, k := range orders {
		for i := range k {
			first[at+i] = at
		}
		at += k
	}
	return fullSym(n, func(i, j int) float64 {
		switch {
		case i == j:
			return 3 + rng.Float64()
		case first[i] == first[j] && max(i-j, j-i) <= 2:
			return 0.5
		}
		return 0
	})
}

// manyRows of a part are eliminated last.
const manyRows = 400

// TestGramOfAnyParts: W = HᵀM⁻¹H whatever the parts of M: bodies, bodies that are elastic, and
// those whose contacts touch hundreds of rows; contacts on one part, on two, twice on one row;
// symmetric to the last bit.
func TestGramOfAnyParts(t *testing.T) {
	for _, c := range []struct {
		orders []int
		dim    int
		nc     int
	}{{[]int{6, 3, 6}, 3, 5}, {[]int{6, 40, 6}, 3, 6}, {[]int{2, 30, 28, 1}, 2, 7}, {[]int{24, 25}, 4, 4},
		{[]int{4, manyRows + 20}, 2, 425}} {
		rng := rand.New(rand.NewPCG(uint64(c.nc), 91))
		// Sparse storage of the pattern that is wanted.
		full := bandedMass(rng, c.orders...)
		b := sparse.NewBuilder(full.N)
		for j := range full.N {
			for k := full.Ptr[j]; k < full.Ptr[j+1]; k++ {
				if full.Val[k] != 0 {
					b.Add(full.Row[k], j)
				}
			}
		}
		m := b.Build()
		for j := range full.N {
			for k := full.Ptr[j]; k < full.Ptr[j+1]; k++ {
				if full.Val[k] != 0 {
					m.Val[m.Index(full.Row[k], j)] = full.Val[k]
				}
			}
		}
		h := &Jacobian{Dim: c.dim, Rows: m.N, Ptr: []int{0}}
		var touched []int
		for j := range c.nc {
			rows := []int{(j + 1) % m.N, (j * j) % m.N, (7*j + 3) % m.N, (7*j + 3) % m.N}
			for _, row := range rows[:2+j%3] {
				h.Row, touched = append(h.Row, row), append(touched, row)
				for range c.dim {
					h.Val = append(h.Val, rng.NormFloat64())
				}
			}
			h.Ptr = append(h.Ptr, len(h.Row))
		}
		slices.Sort(touched)
		if touched = slices.Compact(touched); c.nc > 100 && len(touched) <= manyRows+4 {
			t.Fatalf("%d rows are touched", len(touched))
		}
		p := &Global{M: m, F: make([]float64, m.N), H: h, W: make([]float64, c.dim*c.nc), Laws: make([]Law, c.nc)}
		for k := range p.Laws {
			p.Laws[k] = Frictionless{}
		}
		d, err := NewDelassus(p)
		if err != nil {
			t.Fatal(err)
		}
		w := d.Local.W.(*Blocks)
		n := c.dim * c.nc
		v, u, want := make([]float64, m.N), make([]float64, m.N), make([]float64, n)
		r := make([]float64, n)
		for round := range 3 {
			for i := range r {
				r[i] = rng.NormFloat64()
			}
			d.Velocity(u, r)
			m.MulVec(v, u) // M M⁻¹ H r
			check := make([]float64, m.N)
			h.MulAdd(check, r)
			for i := range v {
				if math.Abs(v[i]-check[i]) > 1e-12*num.InfNorm(check) {
					t.Fatalf("%v: row %d of M M⁻¹x is %g, want %g", c.orders, i, v[i], check[i])
				}
			}
			clear(want)
			h.MulTransAdd(want, u)
			got := make([]float64, n)
			w.MulVec(got, r)
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-11*num.InfNorm(want) {
					t.Fatalf("%v, round %d: row %d of W r is %g, want %g", c.orders, round, i, got[i], want[i])
				}
			}
		}
		for i := range c.nc {
			for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
				back := w.Ptr[w.Col[k]] + slices.Index(w.Col[w.Ptr[w.Col[k]]:w.Ptr[w.Col[k]+1]], i)
				zero := w.Col[k] != i
				for a := range c.dim {
					for e := range c.dim {
						x := w.Val[c.dim*c.dim*k+c.dim*a+e]
						zero = zero && x == 0
						if len(c.orders) > 0 && math.Abs(x-w.Val[c.dim*c.dim*back+c.dim*e+a]) > 1e-15*(1+math.Abs(x)) {
							t.Fatalf("%v: block %d, %d is not symmetric", c.orders, i, w.Col[k])
						}
					}
				}
				if zero || k > w.Ptr[i] && w.Col[k] <= w.Col[k-1] {
					t.Fatalf("%v: row %d: a block of zeros, or columns that do not ascend", c.orders, i)
				}
			}
		}
	}
}

// TestGlobalWithAnyJoints: problems with any number of joints, also those that no contact of full
// dimension can stand for, are solved by the default and by each method that gets there, to the
// residual of the whole.
func TestGlobalWithAnyJoints(t *testing.T) {
	for nb := 1; nb <= 3; nb++ {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 9))
			p := gradientProblem(rng, false)
			p.Laws = []Law{Coulomb{Mu: 0.1}, Coulomb{Mu: 0.2}}
			p.G, p.B = &Columns{Rows: 6, Ptr: []int{0}}, nil
			for k := range nb {
				p.G.Row, p.G.Val = append(p.G.Row, k, 5), append(p.G.Val, 1, 0.3*rng.NormFloat64())
				p.G.Ptr, p.B = append(p.G.Ptr, len(p.G.Row)), append(p.B, 0.1*rng.NormFloat64())
			}
			for _, m := range []Method{MethodAuto, MethodNewton, MethodGaussSeidel, MethodInterior} {
				var res Result
				err := SolveGlobal(context.Background(), p, &Options{Method: m}, nil, &res)
				if len(res.Lambda) != nb || len(res.R) != 6 {
					t.Fatalf("%d joints, %v: %d reactions and %d of joints", nb, m, len(res.R), len(res.Lambda))
				}
				merit, _ := Residual(p, 0, res.V, slices.Concat(res.R, res.Lambda))
				if m == MethodAuto && err != nil || err == nil && !(merit <= 1e-8) {
					t.Errorf("%d joints, seed %d, %v: %v, residual %g", nb, seed, m, err, merit)
				}
			}
		}
	}
}

// TestDenseReduction: a problem reduced with a full M and by its blocks is the same, with and
// without joints: W, q, the velocities and the reactions of joints; and of an M that is not
// symmetric W is HᵀM⁻¹H by columns.
func TestDenseReduction(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := gradientProblem(rng, seed%2 == 1)
		nv := p.M.N
		m := make([]float64, nv*nv)
		for j := range nv {
			for k := p.M.Ptr[j]; k < p.M.Ptr[j+1]; k++ {
				m[p.M.Row[k]*nv+j], m[j*nv+p.M.Row[k]] = p.M.Val[k], p.M.Val[k]
			}
		}
		var g []float64
		if p.Joints() > 0 {
			g = make([]float64, nv*p.Joints())
			for j := range p.Joints() {
				for k := p.G.Ptr[j]; k < p.G.Ptr[j+1]; k++ {
					g[p.G.Row[k]*p.Joints()+j] += p.G.Val[k]
				}
			}
		}
		a, err := NewDelassus(p)
		if err != nil {
			t.Fatal(err)
		}
		b, err := delassus.NewDelassusDense(m, p.F, p.H, p.W, p.Laws, g, p.B)
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.W)
		r, u, w := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range r {
			r[i] = rng.NormFloat64()
		}
		a.Local.W.MulVec(u, r)
		b.Local.W.MulVec(w, r)
		for what, pair := range map[string][2][]float64{"W r": {u, w}, "q": {a.Local.Q, b.Local.Q},
			"v": {a.Velocity(nil, r), b.Velocity(nil, r)}, "λ": {a.Lambda(nil, r), b.Lambda(nil, r)}} {
			for i := range pair[0] {
				if len(pair[0]) != len(pair[1]) || !(math.Abs(pair[0][i]-pair[1][i]) <= 1e-12) { // of condition 10
					t.Errorf("seed %d: %s is %v, by a full M %v", seed, what, pair[0], pair[1])
					break
				}
			}
		}
		// v of r solves M v = f + H r + G λ, Gᵀv + b = 0, and u = Hᵀv + w.
		v, lambda := b.Velocity(nil, r), b.Lambda(nil, r)
		left := make([]float64, nv)
		p.M.MulVec(left, v)
		right := slices.Clone(p.F)
		p.H.MulAdd(right, r)
		for k := range p.Joints() {
			sum := p.B[k]
			for i := range nv {
				right[i] += g[i*p.Joints()+k] * lambda[k]
				sum += g[i*p.Joints()+k] * v[i]
			}
			if math.Abs(sum) > 1e-12 {
				t.Errorf("joint %d is violated by %g", k, sum)
			}
		}
		motion := slices.Clone(p.W)
		p.H.MulTransAdd(motion, v)
		for i := range left {
			if !(math.Abs(left[i]-right[i]) <= 1e-12) {
				t.Errorf("row %d of M v is %g, want %g", i, left[i], right[i])
			}
		}
		for i := range motion {
			if !(math.Abs(motion[i]-u[i]-a.Local.Q[i]) <= 1e-12) {
				t.Errorf("u_%d is %g, by W r + q %g", i, motion[i], u[i]+a.Local.Q[i])
			}
		}
		for name, spoil := range map[string]func() ([]float64, []float64, []float64){
			"M":   func() ([]float64, []float64, []float64) { return m[1:], p.W, g },
			"w":   func() ([]float64, []float64, []float64) { return m, p.W[1:], g },
			"G":   func() ([]float64, []float64, []float64) { return m, p.W, append(slices.Clone(g), 0) },
			"NaN": func() ([]float64, []float64, []float64) { x := slices.Clone(m); x[3] = math.NaN(); return x, p.W, g },
		} {
			x, y, z := spoil()
			if _, err := delassus.NewDelassusDense(x, p.F, p.H, y, p.Laws, z, p.B); err == nil {
				t.Errorf("a wrong %s is accepted", name)
			}
		}
	}
}

// TestOperatorsOfAnyShape: products with blocks, symmetric or not, full matrices and Jacobians of
// two to six components are those of a triple loop, and so are their transposes.
func TestOperatorsOfAnyShape(t *testing.T) {
	rng := rand.New(rand.NewPCG(83, 1))
	for dim := 2; dim <= 6; dim++ {
		const nc = 5
		n := dim * nc
		b := &Blocks{D: dim, Ptr: []int{0}}
		full := make([]float64, n*n)
		for i := range nc {
			for j := range nc {
				if i == j || rng.IntN(2) == 0 {
					b.Col = append(b.Col, j)
					for d := range dim {
						for c := range dim {
							x := rng.NormFloat64()
							b.Val = append(b.Val, x)
							full[(dim*i+d)*n+dim*j+c] = x
						}
					}
				}
			}
			b.Ptr = append(b.Ptr, len(b.Col))
		}
		r, u, w := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range r {
			r[i], u[i], w[i] = rng.NormFloat64(), math.NaN(), math.NaN()
		}
		b.MulVec(u, r)
		(&Dense{D: dim, N: n, Val: full}).MulVec(w, r)
		for i := range n {
			want := 0.0
			for j := range n {
				want += full[i*n+j] * r[j]
			}
			if !(math.Abs(u[i]-want) <= 1e-13 && math.Abs(w[i]-want) <= 1e-13) { // sums of 30 numbers
				t.Errorf("dimension %d: row %d is %g and %g, want %g", dim, i, u[i], w[i], want)
			}
		}
		if b.Contacts() != nc || b.Dim() != dim {
			t.Errorf("%d contacts of %d", b.Contacts(), b.Dim())
		}
		const nv = 7
		h := &Jacobian{Dim: dim, Rows: nv, Ptr: []int{0}}
		rows := make([]float64, nv*n)
		for j := range nc {
			for k := range nv {
				if rng.IntN(2) == 0 {
					h.Row = append(h.Row, k)
					for c := range dim {
						x := rng.NormFloat64()
						h.Val = append(h.Val, x)
						rows[k*n+dim*j+c] = x
					}
				}
			}
			h.Ptr = append(h.Ptr, len(h.Row))
		}
		v := make([]float64, nv)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		f, s := slices.Clone(v), slices.Clone(r)
		h.MulAdd(f, r)
		h.MulTransAdd(s, v)
		for i := range nv {
			want := v[i]
			for j := range n {
				want += rows[i*n+j] * r[j]
			}
			if !(math.Abs(f[i]-want) <= 1e-13) {
				t.Errorf("dimension %d: row %d of H r is %g, want %g", dim, i, f[i], want)
			}
		}
		for j := range n {
			want := r[j]
			for i := range nv {
				want += rows[i*n+j] * v[i]
			}
			if !(math.Abs(s[j]-want) <= 1e-13) {
				t.Errorf("dimension %d: row %d of Hᵀv is %g, want %g", dim, j, s[j], want)
			}
		}
	}
}

// gradientProblem draws a problem of three unknowns a body, one joint and two contacts: M of full
// rank, H and G with random entries.
func gradientProblem(rng *rand.Rand, joint bool) *Global {
	const nv = 6
	b := sparse.NewBuilder(nv)
	for i := range nv {
		for j := range i {
			b.Add(i, j)
		}
	}
	m := b.Build()
	for i := range nv {
		m.AddAt(i, i, 3+rng.Float64())
		for j := range i {
			m.AddAt(i, j, 0.3*rng.NormFloat64())
		}
	}
	p := &Global{M: m, F: make([]float64, nv), W: make([]float64, 6), Laws: []Law{Coulomb{Mu: 0.3}, Coulomb{Mu: 0.6}},
		H: &Jacobian{Dim: 3, Rows: nv, Ptr: []int{0}}}
	for range 2 {
		for i := range nv {
			p.H.Row = append(p.H.Row, i)
			p.H.Val = append(p.H.Val, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
	}
	for i := range p.F {
		p.F[i] = rng.NormFloat64()
	}
	for i := range p.W {
		p.W[i] = 0.2 * rng.NormFloat64()
	}
	if joint {
		p.G, p.B = &Columns{Rows: nv, Ptr: []int{0, 2}, Row: []int{1, 4}, Val: []float64{1, -0.5}}, []float64{0.1}
	}
	return p
}
