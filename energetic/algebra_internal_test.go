package energetic

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// remaking reports whether lists of testdata are to be written anew.
func remaking() bool { return flag.Lookup("remake").Value.String() == "true" }

// randomSym is a symmetric matrix of n particles, of which about a part of the blocks is not zero, with a dense copy.
func randomSym(r *rand.Rand, n int, part, diagonal float64) (*sparse.Sym, *mat.SymDense) {
	b := sparse.NewBuilder(3 * n)
	dense := mat.NewSymDense(3*n, nil)
	for i := range 3 * n {
		for k := range i + 1 {
			if i/3 == k/3 || (7*(i/3)+3*(k/3))%10 < int(10*part) {
				b.Add(i, k)
				dense.SetSym(i, k, r.NormFloat64())
			}
		}
		dense.SetSym(i, i, dense.At(i, i)+diagonal)
	}
	a := b.Build()
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			a.Val[k] = dense.At(a.Row[k], c)
		}
	}
	return a, dense
}

func full(a *sparse.Sym) *mat.SymDense {
	m := mat.NewSymDense(a.N, nil)
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			m.SetSym(a.Row[k], c, a.Val[k])
		}
	}
	return m
}

// near compares to a part of the size of what is wanted, at least 1.
func nearly(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.16g, want %.16g", what, got, want)
	}
}

// TestReduce: D²E on the free motions is ZᵀHZ, with the axes of the particles in the columns of Z, and Σ_c μ_c²‖Dσ_c‖² is that of the dense
// products gᵀ H Z. Products of 15 numbers of size one: 1e-14.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		const n = 5
		h, dense := randomSym(r, n, 0.6, 0)
		held := make([]hold, n)
		for j := range held {
			var normals particles.Directions
			for range r.IntN(4) {
				normals.Add([3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 0)
				held[j].gain = append(held[j].gain, [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
			}
			held[j].axes, held[j].along = normals.Complete()
		}
		reduced, place := reduce(h, held)
		if reduced.N == 0 {
			continue
		}
		z := mat.NewDense(3*n, reduced.N, nil)
		next := 0
		for j := range held {
			for a := range 3 {
				if a >= held[j].along {
					if place[3*j+a] != -1 {
						t.Errorf("a held axis has the place %d", place[3*j+a])
					}
					continue
				}
				if place[3*j+a] != next {
					t.Errorf("place %d, want %d", place[3*j+a], next)
				}
				for i, x := range held[j].axes[a] {
					z.Set(3*j+i, next, x)
				}
				next++
			}
		}
		var hz, want mat.Dense
		hz.Mul(dense, z)
		want.Mul(z.T(), &hz)
		got := full(reduced)
		for i := range next {
			for k := range next {
				nearly(t, "ZᵀHZ", got.At(i, k), want.At(i, k), 1e-14)
			}
		}
		sum := 0.0
		for j := range held {
			for _, g := range held[j].gain {
				for k := range next {
					d := 0.0
					for i, x := range g {
						d += x * hz.At(3*j+i, k)
					}
					sum += d * d
				}
			}
		}
		nearly(t, "Σ‖Dσ‖²", sensitivities(h, place, held), sum, 1e-13)
	}
	if halves(1, 1) != 2 || halves(1, 2) != 1 {
		t.Error("halves")
	}
}

// cornered is a checker of one particle in walls of the given normals at its start, under a force.
func corneredChecker(t *testing.T, mu []float64, normals [][3]float64, force [3]float64) *checker {
	t.Helper()
	loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(force[0], force[1], force[2])})
	if err != nil {
		t.Fatal(err)
	}
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(3)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()}, loads, tether)
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	matrices := []dissipation.Matrix{nil}
	for i, n := range normals {
		h, err := particles.NewHalfSpace([3]float64{}, n)
		if err != nil {
			t.Fatal(err)
		}
		extras, matrices = append(extras, particles.Extra{Particle: 0, Frame: h.Frame()}), append(matrices, dissipation.Isotropic{Mu: mu[i]})
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{Assumptions: &Assumptions{}, ctx: t.Context(), psi: psi, sys: sys, z0: make([]float64, 3), grad: make([]float64, 3), constant: true}
	sys.Gradient(c.grad, nil, 0, c.z0)
	return c
}

// TestShareOfWalls: of a force f, walls with normals n bear the least squares Σ σ n ≈ f: σ = (NᵀN)⁻¹Nᵀf; what is free is across all
// of those that are pressed, and the gain is μ times the derivative of σ.
func TestShareOfWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 30 {
		normals := [][3]float64{}
		force := [3]float64{}
		mu := []float64{0.1, 0.3, 0.7}
		for range 1 + r.IntN(2) {
			n := [3]float64{r.NormFloat64(), r.NormFloat64(), 1 + r.Float64()}
			l := math.Sqrt(inner3(n, n))
			for i := range n {
				n[i] /= l
				force[i] -= n[i] * (1 + r.Float64())
			}
			normals = append(normals, n)
		}
		c := corneredChecker(t, mu, normals, force)
		h := c.holdOf(0)
		m := len(normals)
		if len(h.contacts) != m || h.along != 3-m {
			t.Fatalf("%d of %d walls are pressed, %d axes are free", len(h.contacts), m, h.along)
		}
		gram, nt := mat.NewDense(m, m, nil), mat.NewDense(m, 3, nil)
		for i := range m {
			for k := range m {
				gram.Set(i, k, inner3(normals[i], normals[k]))
			}
			for d := range 3 {
				nt.Set(i, d, normals[i][d])
			}
			for a := range h.along {
				if x := inner3(normals[i], h.axes[a]); math.Abs(x) > 1e-14 {
					t.Errorf("a free axis leads into a wall by %g", x)
				}
			}
		}
		var want mat.Dense
		if err := want.Solve(gram, nt); err != nil {
			t.Fatal(err)
		}
		for i := range m {
			for d := range 3 {
				nearly(t, "gain", h.gain[i][d], mu[i]*want.At(i, d), 1e-12) // walls that meet under .1 and more
			}
		}
		if a, open := c.bentHessian(); open != "" || a.Val[a.Ptr[0]] != 3 {
			t.Errorf("flat walls: %q", open)
		}
	}
	// α = 3 over the free line; walls across each other, whose σ does not depend on the motion along it: q = 0.
	c := corneredChecker(t, []float64{0.5, 0.5}, [][3]float64{{1, 0, 0}, {0, 1, 0}}, [3]float64{-1, -2, 0})
	c.separateCorners()
	if c.N4.Verdict != Holds || !strings.Contains(c.N4.Detail, "α = 3 ") || !strings.Contains(c.N4.Detail, "q <= 0 ") {
		t.Errorf("%+v", c.N4)
	}
	c.constant = false
	if c.separateCorners(); c.N4.Verdict != Undecided {
		t.Errorf("friction that varies: %+v", c.N4)
	}
}

// TestFrictionRows: ‖s‖₂ is the largest singular value, the factor nearest to a matrix that of least squares; the rows of D²E are those of the
// normal coordinates of particles with friction; a matrix that is sampled over a square has the largest size and slope of its points.
func TestFrictionRows(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		s := [4]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		var svd mat.SVD
		svd.Factorize(mat.NewDense(2, 2, s[:]), mat.SVDNone)
		nearly(t, "‖s‖₂", spectral(&s), svd.Values(nil)[0], 1e-14)
		d := [4]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		g := multiple(&d, &s)
		left := 0.0
		for i := range s {
			left += s[i] * (d[i] - g*s[i])
		}
		if math.Abs(left) > 1e-14*(1+math.Abs(g))*10 {
			t.Errorf("d − g s is not across s: %g", left)
		}
	}
	if multiple(&[4]float64{1, 2, 3, 4}, &[4]float64{}) != 0 {
		t.Error("a multiple of nothing")
	}
	h, dense := randomSym(r, 4, 0.7, 0)
	slopes := []slope{{size: 2}, {}, {size: 0.5}, {size: 1, grad: [][2]float64{{3, 4}, {0, 5}}, bound: true, sampled: true}}
	f := newForm(h, []float64{1, 1, 0, 2}, slopes)
	if !f.boundOnly || !f.sampled || newForm(h, make([]float64, 4), slopes).boundOnly {
		t.Error("what is only a bound is not known")
	}
	for j, s := range slopes {
		got := make([]float64, 12)
		for k, c := range f.rows[j].a.col {
			got[c] += f.rows[j].a.val[k]
		}
		for c := range 12 {
			nearly(t, "row", got[c], s.size*dense.At(3*j+2, c), 1e-15)
		}
		if want := []int{0, 0, 0, 2}[j]; len(f.rows[j].b) != want {
			t.Errorf("particle %d has %d rows b, want %d", j, len(f.rows[j].b), want)
		}
	}
	if b := f.rows[3].b; !slices.Equal(b[0].col, []int{9, 10}) || !slices.Equal(b[0].val, []float64{6, 8}) || !slices.Equal(b[1].col, []int{10}) || !slices.Equal(b[1].val, []float64{10}) {
		t.Errorf("rows b: %v", b)
	}
	for _, c := range []struct{ at [2]float64 }{{[2]float64{0.3, -0.2}}, {[2]float64{-1, 2}}} {
		got := slopeSampled(grown{}, c.at, 0.5)
		// grown is diag(1 + x², 2 + y): its size is the larger entry, its slope hypot(2x, 1).
		size, steep := 0.0, 0.0
		for i := range 33 {
			for k := range 33 {
				x, y := c.at[0]-0.5+float64(i)/32, c.at[1]-0.5+float64(k)/32
				size, steep = max(size, 1+x*x, math.Abs(2+y)), max(steep, math.Hypot(2*x, 1))
			}
		}
		nearly(t, "size", got.size, size, 1e-15)
		if !got.bound || !got.sampled || len(got.grad) != 2 || math.Abs(got.grad[0][0]-steep) > 1e-15*steep || got.grad[1][1] != got.grad[0][0] || got.grad[0][1] != 0 || got.grad[1][0] != 0 {
			t.Errorf("slope %+v, want %g", got, steep)
		}
		at := slopeOf(grown{}, c.at, 0)
		nearly(t, "slope at a point", at.grad[0][0], math.Hypot(2*c.at[0], 1), 1e-15)
		if !at.bound || at.sampled || len(at.grad) != 2 || at.grad[1][1] != at.grad[0][0] {
			t.Errorf("slope at a point: %+v", at)
		}
		if wide := slopeOf(grown{}, c.at, 0.5); wide.size != got.size || !wide.sampled {
			t.Errorf("slope over a square: %+v", wide)
		}
	}
	rippled, err := dissipation.NewRippled(dissipation.Isotropic{Mu: 0.5}, 0.2, 0.7, [2]float64{0.6, 0.8}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	var d [2][4]float64
	s := rippled.At(0.2, 0.4, &d)
	at := slopeOf(rippled, [2]float64{0.2, 0.4}, 0)
	if at.bound || len(at.grad) != 1 || math.Abs(at.size-s[0]) > 1e-15 || math.Abs(at.grad[0][0]-d[0][0]) > 1e-14 || math.Abs(at.grad[0][1]-d[1][0]) > 1e-14 {
		t.Errorf("a factor times a matrix: %+v, want %v", at, d)
	}
	if twice := at.times(2); twice.size != 2*at.size || twice.grad[0][0] != 2*at.grad[0][0] || twice.grad[0][1] != 2*at.grad[0][1] || at.times(1).size != at.size {
		t.Errorf("twice: %+v", twice)
	}
	if s := slopeOf(nil, [2]float64{}, 1); s.size != 0 || s.grad != nil {
		t.Errorf("no friction: %+v", s)
	}
}

// grown is the friction diag(1 + x², 2 + y).
type grown struct{}

func (grown) Constant() bool { return false }

func (grown) At(x, y float64, d *[2][4]float64) [4]float64 {
	if d != nil {
		*d = [2][4]float64{{2 * x}, {3: 1}}
	}
	return [4]float64{1 + x*x, 0, 0, 2 + y}
}

// TestGram: GGᵀ in full and in the pattern of the rows that share a column are the same, and so are the norms that they have, below and above
// the largest singular value; the maximiser attains it.
func TestGram(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, part := range []float64{0.1, 0.5, 1} {
		const n, m = 6, 9
		s := &selection{n: 3 * n, u: make([]float64, 3*n)}
		var g []row
		dense := mat.NewDense(m, 3*n, nil)
		for i := range m {
			var a row
			for c := range 3 * n {
				if (5*i+7*c)%10 < int(10*part) {
					v := r.NormFloat64()
					a.add(c, v)
					dense.Set(i, c, v)
				}
			}
			g = append(g, a)
		}
		var want mat.Dense
		want.Mul(dense, dense.T())
		a, b := s.gramDense(g), full(s.gramSparse(g))
		for i := range m {
			for k := range m {
				nearly(t, "GGᵀ", a.At(i, k), want.At(i, k), 1e-14)
				nearly(t, "GGᵀ in its pattern", b.At(i, k), want.At(i, k), 1e-14)
			}
		}
		var svd mat.SVD
		svd.Factorize(dense, mat.SVDNone)
		largest := svd.Values(nil)[0]
		for range 2 {
			q := s.norm(g)
			nearly(t, "norm from below", q.Lo, largest, 1e-9)
			nearly(t, "norm from above", q.Hi, largest, 1e-9)
			sum := 0.0
			for i := range g {
				sum += g[i].dot(s.u) * g[i].dot(s.u)
			}
			nearly(t, "what the maximiser attains", math.Sqrt(sum), largest, 1e-9)
		}
		sparse, _ := largestSparse(s.gramSparse(g))
		nearly(t, "the largest eigenvalue", sparse.Lo, largest*largest, 1e-9)
		nearly(t, "the largest eigenvalue", sparse.Hi, largest*largest, 1e-9)
	}
	long := row{col: []int{0, 2}, val: []float64{3, -4}}
	if twice := long.times(2); !slices.Equal(twice.val, []float64{6, -8}) || long.dot([]float64{1, 9, 2}) != -5 {
		t.Error("rows")
	}
}

// TestSchur: H_rr − H_rf H_ff⁻¹ H_fr, against dense algebra; the largest absolute row sum.
func TestSchur(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 10 {
		h, dense := randomSym(r, 6, 0.6, 20)
		drop := []bool{false, true, false, true, true, false}
		c, err := condense(t.Context(), h, drop)
		if err != nil {
			t.Fatal(err)
		}
		var keep, out []int
		for i := range 18 {
			if drop[i/3] {
				out = append(out, i)
			} else {
				keep = append(keep, i)
			}
		}
		pick := func(rows, cols []int) *mat.Dense {
			m := mat.NewDense(len(rows), len(cols), nil)
			for i, a := range rows {
				for k, b := range cols {
					m.Set(i, k, dense.At(a, b))
				}
			}
			return m
		}
		var x, want mat.Dense
		if err := x.Solve(pick(out, out), pick(out, keep)); err != nil {
			t.Fatal(err)
		}
		want.Mul(pick(keep, out), &x)
		want.Sub(pick(keep, keep), &want)
		got := full(c.h)
		for i := range keep {
			for k := range keep {
				nearly(t, "Schur's complement", got.At(i, k), want.At(i, k), 1e-13)
			}
		}
		sum := 0.0
		for i := range 18 {
			row := 0.0
			for k := range 18 {
				row += math.Abs(dense.At(i, k))
			}
			sum = max(sum, row)
		}
		nearly(t, "row sum", rowSum(h), sum, 1e-15)
		var eig mat.EigenSym
		eig.Factorize(dense, false)
		least := eig.Values(nil)[0]
		for _, f := range []func() (Interval, []float64){func() (Interval, []float64) { return smallestEigen(t.Context(), h) }, func() (Interval, []float64) { return smallestSparse(t.Context(), h) }} {
			v, x := f()
			if v.Lo > least+1e-13*sum || v.Hi < least-1e-13*sum || v.Hi-v.Lo > 2*eigenTolerance*sum {
				t.Errorf("the smallest eigenvalue %v, want %.16g", v, least)
			}
			y := make([]float64, 18)
			h.MulVec(y, x)
			nearly(t, "‖x‖", norm2(x), 1, 1e-14)
			nearly(t, "Rayleigh's quotient", inner(x, y), least, 1e-9)
		}
	}
}

// TestParabola: the least of g s + k s²/2 over an interval, against the points of a fine grid and the vertex.
func TestParabola(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		g, k, lo, hi := r.NormFloat64(), r.NormFloat64(), -r.Float64(), r.Float64()
		want := 0.0
		for i := range 201 {
			s := lo + (hi-lo)*float64(i)/200
			want = min(want, g*s+k*s*s/2)
		}
		got := parabola(g, k, lo, hi)
		if h := (hi - lo) / 200; got > want+1e-14 || got < want-math.Abs(k)*h*h/8-1e-14 {
			t.Errorf("%g s + %g s²/2 over [%g, %g]: %g, want %g", g, k, lo, hi, got, want)
		}
	}
	for _, c := range []struct{ g, k, lo, hi, want float64 }{{0, 1, -1, 1, 0}, {1, 0, -2, 1, -2}, {-1, 0, -1, 3, -3}, {2, 2, -3, 3, -1}, {2, 2, -0.5, 3, -0.75}, {0, 0, math.Inf(-1), 1, math.Inf(-1)}, {0, -1, -1, 2, -2}} {
		if got := parabola(c.g, c.k, c.lo, c.hi); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// TestProverBounds: over random boxes the bound lies below F at all points of the box, and never below the sum of the least values of its
// terms; the bounds of known boxes and the ways of halving them are pinned.
func TestProverBounds(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		name string
		ex   reference.Example
	}{{"buckling", reference.Buckling()}, {"klarbring", reference.Klarbring(1.2)}, {"springs", reference.Braced(rand.New(rand.NewPCG(3, 4)), 2)}, {"chain", reference.Chain(3, 1)}, {"anisotropic", reference.Anisotropic()}, {"slopes", reference.Slopes()}} {
		p, err := NewProver(c.ex.Psi)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", c.name, err)
			continue
		}
		sys := c.ex.Psi.System
		p.t, p.z = 0.3, c.ex.Start
		p.known = [][]float64{p.z}
		sys.Gradient(p.grad, nil, p.t, p.z)
		for j := range p.laws {
			p.psi.Law(&p.laws[j], p.t, j, 0.3+p.grad[3*j+2]*p.grad[3*j+2], p.z)
		}
		level := p.cost(p.z)
		first, err := p.first(level)
		fmt.Fprintf(&b, "%s: level %v first %v %v %v\n", c.name, level, first.lo, first.hi, err)
		for k := range 40 {
			x := box{lo: slices.Clone(p.z), hi: slices.Clone(p.z)}
			size := math.Exp2(float64(1 - k%8))
			for i := range x.lo {
				at := p.z[i] + 0.7*r.NormFloat64()
				if i%3 == 2 && sys.Constrained(i/3) {
					at = math.Abs(at)
				}
				x.lo[i], x.hi[i] = at, at+size*r.Float64()
				if k%5 == 4 { // the state is inside
					x.lo[i], x.hi[i] = p.z[i]-0.1*size*r.Float64(), p.z[i]+size*r.Float64()
				}
			}
			low, axis := p.bound(&x)
			fmt.Fprintf(&b, "%s, box %d: %v along %d gains %s\n", c.name, k, low, axis, pinned.Bits(p.gain))
			y := make([]float64, len(x.lo))
			for range 60 {
				for i := range y {
					y[i] = x.lo[i] + (x.hi[i]-x.lo[i])*[]float64{0, 1, r.Float64(), r.Float64()}[r.IntN(4)]
				}
				if f := p.cost(y); f < low-1e-12*(1+math.Abs(f)) {
					t.Errorf("%s, box %d: F is %g, bounded by %g", c.name, k, f, low)
					break
				}
			}
			// Both ends of what a spring's ends can be apart.
			for i := range p.links {
				l := &p.links[i]
				p.middle(&x)
				d := p.ends(l)
				lo, hi, near, far := p.range3(&x, l, d)
				for range 20 {
					for i := range y {
						y[i] = x.lo[i] + (x.hi[i]-x.lo[i])*[]float64{0, 1, r.Float64()}[r.IntN(3)]
					}
					before := slices.Clone(p.center)
					copy(p.center, y)
					e := p.ends(l)
					copy(p.center, before)
					length := math.Sqrt(inner3(e, e))
					if length < near-1e-14*(1+far) || length > far+1e-14*(1+far) {
						t.Errorf("%s, spring %d: length %g of [%g, %g]", c.name, i, length, near, far)
					}
					for a := range 3 {
						if v := e[a] - d[a]; v < lo[a]-1e-14*(1+far) || v > hi[a]+1e-14*(1+far) {
							t.Errorf("%s, spring %d: moved by %g of [%g, %g]", c.name, i, v, lo[a], hi[a])
						}
					}
				}
			}
			// Friction: a subgradient of a convex function that vanishes at z.
			grad := make([]float64, len(y))
			f := p.friction(y, grad)
			at := 0.0
			for i := range y {
				at += grad[i] * (p.z[i] - y[i])
			}
			if f+at > 1e-13*(1+f) || f+at < -1e-13*(1+f) { // homogeneous: equality
				t.Errorf("%s: friction %g, its tangent at no motion %g", c.name, f, f+at)
			}
			clear(grad)
			for i := range grad {
				grad[i] = 0.2 * r.NormFloat64()
			}
			force := slices.Clone(grad)
			if p.friction(p.z, grad) != 0 {
				t.Errorf("%s: no motion costs", c.name)
			}
			for j := range p.laws {
				// What is left of a force at rest is its distance to what friction holds.
				q := [3]float64{0, -force[3*j], -force[3*j+1]}
				p.laws[j].Project(&q, nil, &q)
				if left := math.Hypot(grad[3*j]-force[3*j]-q[1], grad[3*j+1]-force[3*j+1]-q[2]); left > 1e-15 && p.laws[j].Threshold > 0 {
					t.Errorf("%s: at rest friction is off by %g", c.name, left)
				}
			}
		}
	}
	pinned.Lines(t, "testdata/boxes.txt", remaking(), b.String())
}
