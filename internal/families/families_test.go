package families

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// members visits small members of all families.
func members(t *testing.T, test func(t *testing.T, f Family, size int, p *contact.Global)) {
	for _, f := range All() {
		t.Run(f.Name, func(t *testing.T) {
			for _, size := range []int{1, 7, 30, 90} {
				for seed := range uint64(3) {
					test(t, f, size, f.Problem(size, Parameters{Seed: seed}))
				}
			}
		})
	}
}

func TestSizes(t *testing.T) {
	members(t, func(t *testing.T, f Family, size int, p *contact.Global) {
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		nc := len(p.Laws)
		if p.H.Dim != f.Dim || (p.Joints() > 0) != f.Joint {
			t.Errorf("size %d: dimension %d with %d joints", size, p.H.Dim, p.Joints())
		}
		if size >= 30 && (nc < size/2 || nc > 2*size) {
			t.Errorf("size %d: %d contacts", size, nc)
		}
		for j := range nc { // so that v = 0 is admissible
			if gap := p.W[f.Dim*j]; gap < 0 {
				t.Errorf("size %d: gap %g of contact %d", size, gap, j)
			}
		}
	})
}

// TestRepeats: the same parameters, the same bits; another seed, another problem, but
// where there is nothing to draw.
func TestRepeats(t *testing.T) {
	for _, f := range All() {
		a, b := f.Problem(40, Parameters{Seed: 5}), f.Problem(40, Parameters{Seed: 5})
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two problems of one seed differ", f.Name)
		}
		other := false
		for seed := range uint64(4) {
			other = other || !reflect.DeepEqual(a, f.Problem(40, Parameters{Seed: seed}))
		}
		if !other {
			t.Errorf("%s: all seeds give one problem", f.Name)
		}
	}
}

// TestDelassus: W of the reduction is HᵀM⁻¹H within the joints by dense algebra,
// symmetric to the last bit, positive semidefinite and of no larger rank than there
// are degrees of freedom.
func TestDelassus(t *testing.T) {
	thorough.Seconds(t)
	members(t, func(t *testing.T, f Family, size int, p *contact.Global) {
		n := f.Dim * len(p.Laws)
		if p.M.N > 800 {
			return
		}
		d, err := contact.NewDelassus(p)
		if err != nil {
			t.Fatal(err)
		}
		w, want := columnsOf(d.Local.W, n), denseDelassus(p)
		scale := mat.Norm(want, math.Inf(1))
		for i := range n {
			for j := range i + 1 {
				if w.At(i, j) != w.At(j, i) {
					t.Fatalf("size %d: W(%d, %d) = %g, its mirror %g", size, i, j, w.At(i, j), w.At(j, i))
				}
				// 1e-11: the condition of M by rounding.
				if d := math.Abs(w.At(i, j) - want.At(i, j)); !(d < 1e-11*scale) {
					t.Fatalf("size %d: W(%d, %d) is off by %g of %g", size, i, j, d, scale)
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(n, w.RawMatrix().Data), false) {
			t.Fatal("no eigenvalues")
		}
		values, rank := eigen.Values(nil), 0
		for _, v := range values {
			if v < -1e-12*scale {
				t.Errorf("size %d: eigenvalue %g of W, norm %g", size, v, scale)
			}
			if v > 1e-12*scale {
				rank++
			}
		}
		if free := p.M.N - p.Joints(); rank > free {
			t.Errorf("size %d: rank %d of W, %d degrees of freedom", size, rank, free)
		}
	})
}

// TestMomentum: a reaction between two bodies changes neither the momentum nor the
// angular momentum about the origin, one with the ground changes it by itself. The
// elastic block, whose unknowns are not those of rigid bodies, is left out.
func TestMomentum(t *testing.T) {
	members(t, func(t *testing.T, f Family, size int, p *contact.Global) {
		if f.Name == "elastic" {
			return
		}
		dofs := 3 * (f.Dim - 1)
		rng := rand.New(rand.NewPCG(1, 2))
		for j := range len(p.Laws) {
			r := make([]float64, f.Dim*len(p.Laws))
			for k := range f.Dim {
				r[f.Dim*j+k] = rng.NormFloat64()
			}
			impulse := make([]float64, p.M.N)
			p.H.MulAdd(impulse, r)
			var sum, size [3]float64
			bodies := map[int]bool{}
			for e := p.H.Ptr[j]; e < p.H.Ptr[j+1]; e++ {
				bodies[p.H.Row[e]/dofs] = true
			}
			for b := range bodies {
				for k := range f.Dim {
					sum[k] += impulse[dofs*b+k]
					size[k] += math.Abs(impulse[dofs*b+k])
				}
			}
			norm := math.Sqrt(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])
			length := math.Sqrt(dot(r, r))
			if want := map[int]float64{1: length, 2: 0}[len(bodies)]; math.Abs(norm-want) > 1e-13*length {
				t.Fatalf("contact %d of %d bodies: impulse %g, want %g", j, len(bodies), norm, want)
			}
		}
	})
}

// TestBrick: the stiffness has the six rigid motions in its kernel, no other, and
// stretches as Hooke's law says: a cube pulled by a uniform strain ε in x without
// lateral strain has the energy ½(λ+2G)ε² a³.
func TestBrick(t *testing.T) {
	const young, poisson, edge = 3.0, 0.3, 0.5
	k := mat.NewSymDense(24, brickStiffness(young, poisson, edge)[:])
	var eigen mat.EigenSym
	eigen.Factorize(k, false)
	values := eigen.Values(nil)
	for i, v := range values {
		if zero := math.Abs(v) < 1e-14; zero != (i < 6) {
			t.Errorf("eigenvalue %d is %g", i, v)
		}
	}
	u := mat.NewVecDense(24, nil)
	for c := range 8 {
		u.SetVec(3*c, 0.01*edge*float64(c&1))
	}
	lambda, shear := young*poisson/((1+poisson)*(1-2*poisson)), young/(2*(1+poisson))
	want := 0.5 * (lambda + 2*shear) * 1e-4 * edge * edge * edge
	if got := 0.5 * mat.Inner(u, k, u); math.Abs(got-want) > 1e-14*want {
		t.Errorf("energy %g, want %g", got, want)
	}
}

// TestDeposit: no two balls overlap, none leaves the box, all have their supports.
func TestDeposit(t *testing.T) {
	for _, flat := range []bool{false, true} {
		d := newDeposit(0.5, flat, ballSizes)
		g := &generator{Rand: rand.New(rand.NewPCG(1, 1))}
		for range 150 {
			for !d.drop(g.IntN(len(d.sizes))) {
			}
		}
		want := 3
		if flat {
			want = 2
		}
		for i, c := range d.centres {
			touching := 0
			for k := range d.planes {
				if gap := d.apart(^k, i); gap < -1e-9 {
					t.Errorf("ball %d at %v leaves the box by %g", i, c, -gap)
				} else if gap < 1e-9 {
					touching++
				}
			}
			for j := range d.centres {
				if j == i {
					continue
				}
				if gap := d.apart(i, j); gap < -1e-9 {
					t.Errorf("balls %d and %d overlap by %g", i, j, -gap)
				} else if gap < 1e-9 {
					touching++
				}
			}
			if touching < want {
				t.Errorf("ball %d at %v touches %d", i, c, touching)
			}
		}
	}
}

func columnsOf(w contact.Operator, n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	x, y := make([]float64, n), make([]float64, n)
	for j := range n {
		x[j] = 1
		w.MulVec(y, x)
		x[j] = 0
		m.SetCol(j, y)
	}
	return m
}

// denseDelassus is [H 0]ᵀ [M −G; Gᵀ 0]⁻¹ [H; 0].
func denseDelassus(p *contact.Global) *mat.Dense {
	nv, nb, n := p.M.N, p.Joints(), p.H.Dim*len(p.Laws)
	k, h := mat.NewDense(nv+nb, nv+nb, nil), mat.NewDense(nv+nb, n, nil)
	for j := range nv {
		for e := p.M.Ptr[j]; e < p.M.Ptr[j+1]; e++ {
			k.Set(p.M.Row[e], j, p.M.Val[e])
			k.Set(j, p.M.Row[e], p.M.Val[e])
		}
	}
	for c := range nb {
		for e := p.G.Ptr[c]; e < p.G.Ptr[c+1]; e++ {
			k.Set(p.G.Row[e], nv+c, k.At(p.G.Row[e], nv+c)-p.G.Val[e])
			k.Set(nv+c, p.G.Row[e], k.At(nv+c, p.G.Row[e])+p.G.Val[e])
		}
	}
	for j := range p.H.Contacts() {
		for e := p.H.Ptr[j]; e < p.H.Ptr[j+1]; e++ {
			for d := range p.H.Dim {
				at := p.H.Dim*j + d
				h.Set(p.H.Row[e], at, h.At(p.H.Row[e], at)+p.H.Val[p.H.Dim*e+d])
			}
		}
	}
	var x, w mat.Dense
	if err := x.Solve(k, h); err != nil {
		if _, ill := err.(mat.Condition); !ill {
			panic(err)
		}
	}
	w.Mul(h.T(), &x)
	return &w
}

func dot(a, b []float64) (s float64) {
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// TestManyColumns: with more rows under contact than are solved one by one, W comes
// from the Schur complement; the same matrix.
func TestManyColumns(t *testing.T) {
	f, err := Find("elastic")
	if err != nil {
		t.Fatal(err)
	}
	p := f.Problem(144, Parameters{Seed: 1}) // 432 rows
	local, err := Local(p)
	if err != nil {
		t.Fatal(err)
	}
	n := 3 * len(p.Laws)
	w := local.W.(*contact.Blocks)
	rng := rand.New(rand.NewPCG(2, 2))
	r, u, v := make([]float64, n), make([]float64, n), make([]float64, p.M.N)
	for i := range r {
		r[i] = rng.NormFloat64()
	}
	w.MulVec(u, r)
	// M⁻¹H r by conjugate gradients, which share nothing with the factorisations.
	rhs := make([]float64, p.M.N)
	p.H.MulAdd(rhs, r)
	conjugateGradients(p, v, rhs)
	want := make([]float64, n)
	p.H.MulTransAdd(want, v)
	scale := math.Sqrt(dot(want, want))
	for i := range u {
		if d := math.Abs(u[i] - want[i]); !(d < 1e-9*scale) { // 1e-12 of the gradients times their condition
			t.Fatalf("component %d is off by %g of %g", i, d, scale)
		}
	}
	for i := range w.Contacts() {
		for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
			j := w.Col[k]
			mirror := w.Ptr[j] + i // W is full
			for a := range 9 {
				if w.Val[9*k+a] != w.Val[9*mirror+3*(a%3)+a/3] {
					t.Fatalf("block (%d, %d) is not the mirror of (%d, %d)", i, j, j, i)
				}
			}
		}
	}
}

func conjugateGradients(p *contact.Global, x, rhs []float64) {
	n := len(x)
	r, d, y := append([]float64(nil), rhs...), append([]float64(nil), rhs...), make([]float64, n)
	rr, end := dot(r, r), 1e-24*dot(rhs, rhs)
	for range 10 * n {
		if rr <= end {
			return
		}
		p.M.MulVec(y, d)
		a := rr / dot(d, y)
		for i := range x {
			x[i] += a * d[i]
			r[i] -= a * y[i]
		}
		next := dot(r, r)
		for i := range d {
			d[i] = r[i] + next/rr*d[i]
		}
		rr = next
	}
}
