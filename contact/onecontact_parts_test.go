package contact

import (
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"testing"
)

// TestOneContactParts: what is prepared of a block, the damped correction of a joint that is singular, the gradient of
// the correction, and where the search for a root begins.
func TestOneContactParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(141, 1))
	for k := range 30 {
		a := randomBlock(rng, k%3)
		for i := range a {
			a[i] *= math.Pow(3, float64(i/3)) * map[bool]float64{true: -1, false: 1}[i == k%9 && i%4 != 0]
		}
		var o oneContact
		o.prepare(&a)
		most := 1e-8
		for i := 0; i < 9; i += 3 {
			most = max(most, math.Abs(a[i])+math.Abs(a[i+1])+math.Abs(a[i+2]))
		}
		if math.Abs(o.rho*most-1) > 1e-14 || o.lambda != 0 || o.cn[0] != 0 || o.ct[0] != 0 {
			t.Errorf("ρ = %g, want %g", o.rho, 1/most)
		}
		if a[0] > noMobility {
			for i := range 2 {
				for j := range 2 {
					want := a[3*(i+1)+j+1] - a[3*(i+1)]*a[j+1]/a[0]
					if math.Abs(o.t[2*i+j]-want) > 1e-12*(1+math.Abs(want)) {
						t.Errorf("Schur complement %v, want %g at %d", o.t, want, 2*i+j)
					}
				}
				if math.Abs(o.cn[i+1]*a[0]-a[i+1]) > 1e-13 || math.Abs(o.ct[i+1]*a[0]-a[3*i+3]) > 1e-13 || math.Abs(o.invN*a[0]-1) > 1e-14 {
					t.Errorf("rows %v and %v of %v", o.cn, o.ct, a)
				}
			}
		}
		// −(Ã + λ)⁻¹b̃.
		bt, bo, lambda := rng.NormFloat64(), rng.NormFloat64(), rng.Float64()
		if x, y, ok := o.tangential(lambda, bt, bo); ok {
			if e := math.Hypot((o.t[0]+lambda)*x+o.t[1]*y+bt, o.t[2]*x+(o.t[3]+lambda)*y+bo); e > 1e-9*(1+math.Hypot(x, y)) {
				t.Errorf("(Ã + λ) r = −b̃ is off by %g", e)
			}
		}
	}
	var o oneContact
	o.prepare(&mat3{0, 0, 0, 0, 1e-9, 0, 0, 0, 0})
	if o.rho != 1e8 || o.invN != 0 {
		t.Errorf("without mobility ρ = %g, 1/A_NN = %g", o.rho, o.invN)
	}
	for _, c := range []struct {
		t  [4]float64
		ok bool
	}{{[4]float64{1, 0, 0, 1.1e-12}, true}, {[4]float64{1, 0, 0, 0.9e-12}, false}, {[4]float64{3, 0, 0, 3 * 1.1e-12}, true}, {[4]float64{3, 0, 0, 3 * 0.9e-12}, false}, {[4]float64{1, 1, 1, 1}, false}, {[4]float64{0, 1, -1, 0}, true}, {[4]float64{0, 0, 0, 0}, false}} {
		o.t = c.t
		if x, y, ok := o.tangential(0, 1, 2); ok != c.ok || !ok && (x != 0 || y != 0) {
			t.Errorf("%v: regular: %t", c.t, ok)
		}
	}
	// A singular joint takes a step ρ of the fixed point.
	a := mat3{1, 1, 0, 1, 1, 0, 0, 0, 2}
	o.prepare(&a)
	r, b := vec3{1, 2, 3}, vec3{0.5, 0.25, -1}
	o.bilateral(&r, &b)
	if want := (vec3{1 - 0.5*3.5, 2 - 0.5*3.25, 3 - 0.5*5}); r != want {
		t.Errorf("a singular joint goes to %v, want %v", r, want)
	}
	o.prepare(&mat3{2, 1, 0, 0, 4, 0, 0, 0, 5})
	b = vec3{-3, -4, 10}
	o.bilateral(&r, &b)
	if want := (vec3{1, 1, -2}); math.Abs(r[0]-want[0])+math.Abs(r[1]-want[1])+math.Abs(r[2]-want[2]) > 1e-15 {
		t.Errorf("a joint carries %v, want %v", r, want)
	}
	// The root of the last slip starts the next search; a stick forgets it.
	o.prepare(&mat3{1, 0, 0, 0, 1, 0, 0, 0, 2})
	r = vec3{}
	o.coulomb(&r, 0.5, &vec3{-2, 3, 0})
	if math.Abs(r[0]-2)+math.Abs(r[1]+1)+math.Abs(r[2]) > 1e-14 || math.Abs(o.lambda-2) > 1e-12 { // (1 + λ) r_T = −3
		t.Errorf("slip: %v, λ = %g", r, o.lambda)
	}
	o.coulomb(&r, 0.5, &vec3{-2, 1, 0}) // at the edge of the cone: sticks
	if r != (vec3{2, -1, 0}) || o.lambda != 0 {
		t.Errorf("stick: %v, λ = %g", r, o.lambda)
	}
	r = vec3{7, 7, 7}
	if o.coulomb(&r, 0.5, &vec3{0, 1, 1}); r != (vec3{}) {
		t.Errorf("grazing: %v", r)
	}
	if o.coulombPlane(&r, 0.5, &vec3{-2, 1, 0}); r != (vec3{2, -1, 0}) {
		t.Errorf("in the plane: %v", r)
	}
	if o.coulombPlane(&r, 0.5, &vec3{-2, 1.5, 0}); r != (vec3{2, -1, 0}) {
		t.Errorf("slip in the plane: %v", r)
	}
	// ∇g of each law, by differences.
	laws := []Law{Coulomb{Mu: 0.4}, Pyramid{Mu: 0.3, Facets: 5}, Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1}, Frictionless{}, Tresca{Threshold: 1}, Coulomb{Mu: 0.7}}
	p := &Local{W: diagonal(3, 1, 1, 1, 4, 4, 4, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1), Q: make([]float64, 18), Laws: laws}
	p.Q[0] = 3
	c := startRun(p, 1e-9).c
	for j, l := range laws {
		for range 5 {
			u := randomVec(rng)
			g, grad := c.correctionGradient(j, &u)
			if want := c.correction(j, &u); math.Abs(g-want) > 1e-14 {
				t.Errorf("%T: g = %g, want %g", l, g, want)
			}
			const h = 1e-6
			for k := range 3 {
				plus, minus := u, u
				plus[k] += h
				minus[k] -= h
				if want := (c.correction(j, &plus) - c.correction(j, &minus)) / (2 * h); math.Abs(grad[k]-want) > 1e-6 {
					t.Errorf("%T: ∂g/∂u_%d = %g, by differences %g", l, k, grad[k], want)
				}
			}
			for _, f := range []float64{1e-6, 1e6} { // g is positively homogeneous
				g, other := c.correctionGradient(j, &vec3{f * u[0], f * u[1], f * u[2]})
				if math.Abs(g/f-c.correction(j, &u)) > 1e-14 || math.Abs(other[1]-grad[1])+math.Abs(other[2]-grad[2]) > 1e-8 {
					t.Errorf("%T: ∇g = %v of %g times what has %v", l, other, f, grad)
				}
			}
		}
		if g, grad := c.correctionGradient(j, &vec3{1, 0, 0}); g != 0 || j != 1 && grad != (vec3{}) {
			t.Errorf("%T: g = %g, ∇g = %v without slip", l, g, grad)
		}
	}
	if _, grad := c.correctionGradient(0, &vec3{0, 3, 4}); math.Abs(grad[1]-0.24)+math.Abs(grad[2]-0.32) > 1e-15 {
		t.Errorf("∇g = %v", grad)
	}
	if _, grad := c.correctionGradient(0, &vec3{0, 0.3, 0.4}); math.Abs(grad[1]-0.24)+math.Abs(grad[2]-0.32) > 1e-15 {
		t.Errorf("∇g = %v", grad)
	}
}

// TestRoundContact: a diagonal block with equal tangents has the reaction of the root in closed form, and what couples the directions by more than
// rounding goes by the root.
func TestRoundContact(t *testing.T) {
	rng := rand.New(rand.NewPCG(143, 1))
	slips, sticks, opens := 0, 0, 0
	for range 400 {
		n, s := math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())
		trace := (n + 2*s) / 3
		n, s = n/trace, s/trace
		noise := func() float64 { return 7 * num.Eps * min(n, s) * (2*rng.Float64() - 1) }
		var o, by oneContact
		a := mat3{n, noise(), noise(), noise(), s, noise(), noise(), noise(), s + noise()}
		o.prepare(&a)
		by.prepare(&mat3{n, 0, 0, 0, s, 0, 0, 0, s})
		if !o.round || math.Abs(o.invT*s-1) > 10*num.Eps {
			t.Fatalf("%v is round: %t, 1/A_TT = %g", a, o.round, o.invT)
		}
		mu, b, r := rng.Float64(), randomVec(rng), randomVec(rng)
		want := r
		o.coulombRound(&r, mu, &b)
		by.coulomb(&want, mu, &b)
		for d := range r {
			if math.Abs(r[d]-want[d]) > 1e-14*math.Abs(want[0]) { // of the root
				t.Fatalf("A %v, b %v, μ %g: %v, want %v", a, b, mu, r, want)
			}
		}
		u := num.Affine(&a, &r, &b)
		switch x := r; {
		case r == vec3{}:
			opens++
		case math.Hypot(u[1], u[2]) > 1e-9:
			slips++
		default:
			sticks++
			if NaturalResidual(Coulomb{Mu: mu}, &x, &u, 1) > 1e-14*(1+num.Norm(r[:])+num.Norm(b[:])) {
				t.Fatalf("A %v, b %v, μ %g: %v does not stick", a, b, mu, r)
			}
		}
	}
	if slips < 30 || sticks < 30 || opens < 30 {
		t.Errorf("%d slip, %d stick, %d open", slips, sticks, opens)
	}
	var one oneContact
	one.prepare(&num.Identity3)
	r := vec3{}
	if one.coulombRound(&r, .5, &vec3{-1, 0, 0}); r[0] != 1 || math.Signbit(r[1]) || math.Signbit(r[2]) { // as tables print it
		t.Errorf("without slip %v", r)
	}
	for d := range 9 { // each entry counts
		a := num.Identity3
		a[d] += 1.5 * noCoupling
		if d%4 == 0 {
			a[d] += noCoupling
		}
		var o oneContact
		if o.prepare(&a); o.round != (d == 0) {
			t.Errorf("%v is round: %t", a, o.round)
		}
	}
	for _, a := range []mat3{{0, 0, 0, 0, 1.5, 0, 0, 0, 1.5}, {3, 0, 0, 0, 0, 0, 0, 0, 0}} {
		var o oneContact
		if o.prepare(&a); o.round {
			t.Errorf("%v is round", a)
		}
	}
	// A sweep takes the closed form for Coulomb's law in space, and only there.
	for _, x := range []struct {
		dim  int
		law  Law
		want vec3
	}{{3, Coulomb{Mu: .5}, vec3{2, -.6, -.8}}, {3, Frictionless{}, vec3{2, 0, 0}}, {2, Coulomb{Mu: .5}, vec3{2, -1, 0}}} {
		w := &Blocks{D: x.dim, Ptr: []int{0, 1}, Col: []int{0}, Val: make([]float64, x.dim*x.dim)}
		for d := range x.dim {
			w.Val[d*(x.dim+1)] = 1
		}
		p := &Local{W: w, Q: []float64{-2, 3, 4}[:x.dim], Laws: []Law{x.law}}
		s := startRun(p, 1e-9)
		r := []vec3{{7, 1, -1}}
		if x.dim == 2 {
			r[0][2] = 0
		}
		change, size := s.c.sweep(r)
		old := r[0]
		for d, v := range r[0] {
			if v *= s.c.sigma[0] * s.c.q0; math.Abs(v-x.want[d]) > 1e-14 {
				t.Errorf("%T in %d dimensions: %v, want %v over %g", x.law, x.dim, r[0], x.want, s.c.q0)
				break
			}
		}
		if math.Abs(size-num.Norm(old[:])) > 1e-15 || !(change > 1) {
			t.Errorf("a change of %g to %g", change, size)
		}
	}
}

// TestSmallMatrices: products and inverses of 3×3 matrices, by cofactors and by elimination, of rows of any size.
func TestSmallMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(142, 1))
	for k := range 200 {
		var a, b, ab, inv mat3
		x, y := randomVec(rng), randomVec(rng)
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()
			if k%2 == 1 { // rows of other sizes
				a[i] *= math.Pow(10, float64(4*(i/3)-4))
			}
			if k%5 == 0 && i%4 == 0 {
				a[i] = 0
			}
		}
		num.Mul3(&ab, &a, &b)
		sum, z := num.Affine(&a, &x, &y), num.MulVec3(&a, &x)
		left := y
		num.SubMulVec3(&left, &a, &x)
		plus := ab
		addMulTrans3(&plus, &a, &b)
		for i := range 3 {
			row := 0.0
			for l := range 3 {
				row += a[3*i+l] * x[l]
				want, trans := 0.0, 0.0
				for m := range 3 {
					want += a[3*i+m] * b[3*m+l]
					trans += a[3*i+m] * b[3*l+m]
				}
				if math.Abs(want-ab[3*i+l]) > 1e-13*(1+math.Abs(want)) || math.Abs(plus[3*i+l]-want-trans) > 1e-12*(1+math.Abs(want)+math.Abs(trans)) {
					t.Fatalf("product %v", ab)
				}
			}
			size := math.Abs(row) + math.Abs(y[i]) + 1e-300
			if math.Abs(z[i]-row) > 1e-13*size*10 || math.Abs(sum[i]-row-y[i]) > 1e-12*size || math.Abs(left[i]-y[i]+row) > 1e-12*size {
				t.Fatalf("row %d: %g, %g, %g, want %g", i, z[i], sum[i], left[i], row)
			}
		}
		for _, solve := range []func(dst, a *mat3) bool{num.Invert3, num.Eliminate3} {
			if !solve(&inv, &a) {
				t.Fatalf("%v is singular", a)
			}
			num.Mul3(&ab, &inv, &a)
			for i, v := range ab {
				if math.Abs(v-num.Identity3[i]) > 1e-7 { // of a condition up to 1e8
					t.Fatalf("A⁻¹A = %v of %v", ab, a)
				}
			}
		}
	}
	for _, a := range []mat3{{}, {1, 2, 3, 2, 4, 6, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 0}, {1, 0, 0, 0, math.Inf(1), 0, 0, 0, 1}, {1, 0, 0, 0, math.NaN(), 0, 0, 0, 1}, {1, 1, 0, 1, 1 + num.Eps, 0, 0, 0, 1}} {
		var inv mat3
		if num.Invert3(&inv, &a) || num.Eliminate3(&inv, &a) {
			t.Errorf("%v is regular: %v", a, inv)
		}
	}
	var inv mat3
	if a := (mat3{0, 0, 1, 1, 0, 0, 0, 1, 0}); !num.Eliminate3(&inv, &a) || inv != (mat3{0, 1, 0, 0, 0, 1, 1, 0, 0}) {
		t.Errorf("a permutation: %v", inv)
	}
}
