package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// TestMobilitiesByGroups: ρ is the inverse mean of the diagonal by force, spin and rolling; a moment that moves nothing, 1e-16 of the largest entry or less, has that of the
// largest.
func TestMobilitiesByGroups(t *testing.T) {
	diagonal := []float64{1, 2, 3, 4, 5, 7, 10, 20, 30, 6.9e-15, 50, 70}
	w := &Dense{D: 6, N: 12, Val: make([]float64, 144)}
	for i, x := range diagonal {
		w.Val[13*i] = x
	}
	s := &Sensitivity{p: &Local{W: w}, dim: 6, w: w.Val, r: make([]float64, 12)}
	s.mobilities()
	for i, want := range []float64{1. / 2, 1. / 2, 1. / 2, 1. / 4, 1. / 6, 1. / 6, 1. / 20, 1. / 20, 1. / 20, 1. / 70, 1. / 60, 1. / 60} {
		if math.Abs(s.rho[i]-want) > 1e-15*want {
			t.Errorf("ρ of component %d is %g, want %g", i, s.rho[i], want)
		}
	}
}

// TestProductsOfTheLinearised: product is (E (W + C) + B) x, and shifted what a shift of W adds to it, in units of the roots of ρ, or its transpose.
func TestProductsOfTheLinearised(t *testing.T) {
	rng := rand.New(rand.NewPCG(176, 1))
	const dim, n = 3, 6
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	s := &Sensitivity{dim: dim, w: draw(n * n), spring: draw(n), e: draw(n * dim), b: draw(n * dim), shift: draw(n), rho: draw(n)}
	e, b, all, shift := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		s.rho[i] = 0.1 + s.rho[i]*s.rho[i]
		for k := range dim {
			e.Set(i, i/dim*dim+k, s.e[i*dim+k])
			b.Set(i, i/dim*dim+k, s.b[i*dim+k])
		}
	}
	units, back := mat.NewDiagDense(n, nil), mat.NewDiagDense(n, nil)
	for i, rho := range s.rho {
		units.SetDiag(i, math.Sqrt(rho))
		back.SetDiag(i, 1/math.Sqrt(rho))
	}
	all.Add(mat.NewDense(n, n, s.w), mat.NewDiagDense(n, s.spring))
	all.Mul(e, all)
	all.Add(all, b)
	shift.Mul(e, mat.NewDiagDense(n, s.shift))
	shift.Mul(shift, units)
	shift.Mul(back, shift)
	x := draw(n)
	for name, c := range map[string]struct {
		got  []float64
		want mat.Matrix
	}{
		"product":    {s.product(x), all},
		"shifted":    {s.shifted(blas.NoTrans, x), shift},
		"transposed": {s.shifted(blas.Trans, x), shift.T()},
	} {
		var want mat.VecDense
		want.MulVec(c.want, mat.NewVecDense(n, x))
		for i, v := range c.got {
			if !(math.Abs(v-want.AtVec(i)) < 1e-12) {
				t.Errorf("%s: component %d is %g, want %g", name, i, v, want.AtVec(i))
			}
		}
	}
}

// TestForward: forward is S u, but for a rotation where S is flat: it has its length; and a flat S has its one axis, wherever its rows are.
func TestForward(t *testing.T) {
	for _, c := range []struct {
		m    [4]float64
		axis [2]float64
		a    float64
	}{
		{[4]float64{1, 0.2, -0.3, 0.6}, [2]float64{}, 0}, {[4]float64{0.6, 0.8, 0, 0}, [2]float64{.6, .8}, 1}, {[4]float64{0.16, 0.12, 0.12, 0.09}, [2]float64{.8, .6}, .25},
		{[4]float64{0, 2, 0, 0}, [2]float64{0, 1}, 2}, {[4]float64{0, 0, 0, 3}, [2]float64{0, 1}, 3}, {[4]float64{0, 0, .5, 0}, [2]float64{1, 0}, .5},
	} {
		g := dryLawOf(Coulomb{Mu: 1, Shape: NewShape(c.m)}, 3).groups[0]
		if math.Abs(g.a-c.a) > 1e-15 || math.Abs(math.Abs(g.axis[0]*c.axis[0]+g.axis[1]*c.axis[1])-math.Hypot(c.axis[0], c.axis[1])) > 1e-15 {
			t.Errorf("%v: flat by %g along %v, want %g along %v", c.m, g.a, g.axis, c.a, c.axis)
		}
		for _, u := range [][]float64{{1, 2}, {-3, 1}, {.5, 0}, {0, -2}} {
			x, y := g.forward(u)
			want := math.Hypot(c.m[0]*u[0]+c.m[1]*u[1], c.m[2]*u[0]+c.m[3]*u[1])
			if math.Abs(math.Hypot(x, y)-want) > 1e-14 || math.Abs(g.size(u)-want) > 1e-14 {
				t.Errorf("%v of %v: (%g, %g) and %g, want the length %g", c.m, u, x, y, g.size(u), want)
			}
		}
	}
	x := &edge{even: 1}
	for _, c := range []struct {
		a, b     float64
		is, want bool
	}{{5, 4.5, true, true}, {5, 4.5, false, false}, {5, 3, false, true}, {3, 5, true, false}, {5, -5, false, true}, {-5, 5, true, false}} {
		if got := x.more(c.a, c.b, c.is); got != c.want {
			t.Errorf("%g is more than %g, before %t: %t", c.a, c.b, c.is, got)
		}
	}
}

// TestFromNothing: where nothing presses and nothing moves the problem of the derivatives is the problem itself: along any load they solve it, by the check of
// solutions. One to three contacts, of all laws without a force of their own, and coefficients that move nothing there.
func TestFromNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(177, 1))
	general, flat, mirror := NewShape([4]float64{1, 0.2, -0.3, 0.6}), NewShape([4]float64{0.6, 0.8, 0, 0}), NewShape([4]float64{0.2, 1, 0.6, -0.3})
	laws := map[int][]Law{
		2: {Coulomb{Mu: .3}, Associated{Mu: .4}, Frictionless{}},
		3: {Coulomb{Mu: .3}, Coulomb{Mu: .3, Shape: general}, Coulomb{Mu: .3, Shape: flat}, Pyramid{Mu: .3}, Pyramid{Mu: .3, Facets: 6, Shape: mirror}, Associated{Mu: .4}, Associated{Mu: .4, Shape: general},
			Associated{Mu: .4, Shape: mirror}, Frictionless{}},
		4: {Rolling{Mu: .3, Spin: .2}}, 5: {Rolling{Mu: .3, Resistance: .2}}, 6: {Rolling{Mu: .3, Spin: .1, Resistance: .2}, Coulomb{Mu: .3}},
	}
	solved, tried := 0, 0
	for dim := 2; dim <= 6; dim++ {
		for _, law := range laws[dim] {
			for range 6 {
				nc := 1 + rng.IntN(3)
				n := dim * nc
				p := randomProblem(rng, dim, nc, n+3, func() Law { return law })
				load := make([]float64, n)
				for i := range load {
					load[i] = rng.NormFloat64()
				}
				clear(p.Q)
				s, err := Linearise(p, make([]float64, n))
				if err != nil {
					t.Fatal(err)
				}
				tried++
				dr, du := make([]float64, n), make([]float64, n)
				if s.Directional(context.Background(), dr, du, Change{Q: load}) != nil {
					continue
				}
				solved++
				p.Q = load
				if m := p.UnitFreeMerit(make([]float64, n), dr); !(m < 1e-11) {
					t.Errorf("%T %+v, %d contacts of %d components: δr = %v misses by %g", law, law, nc, dim, dr, m)
				}
			}
		}
	}
	t.Logf("%d of %d", solved, tried)
	if 10*solved < 9*tried {
		t.Errorf("derivatives from nothing in %d of %d problems", solved, tried)
	}
}
