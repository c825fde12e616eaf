package dynamics

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/pinned"
)

// Remake is set by -remake: the table of pinned numbers is written anew.
var Remake = flag.Bool("remake", false, "write testdata/pinned anew: with the reason in the commit")

// Pinned is the table of the package.
func Pinned(t testing.TB) *pinned.Table { return pinned.Open(t, "testdata/pinned", *Remake) }

// TestPinnedBoundary: solutions, work and what is said of the existence of boundary-value problems that
// contract, that need shooting, whose rows see deformations, and that cannot be solved.
func TestPinnedBoundary(t *testing.T) {
	table := Pinned(t)
	velocity := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{1, -.4, 0.1}}
	far := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{4.6, -1.8, 0}}
	springs := &Boundary{MV: make([]float64, 9), N: make([]float64, 27), B: []float64{1, -.3, .02}}
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 3 {
		velocity.MV[4*i], velocity.N[6*i+3+i], velocity.N[6*i+(i+1)%3] = 1, .1, .07
		far.MV[4*i], far.N[6*i+i] = 1, 5
		for j := range 3 {
			springs.MV[3*i+j] = .2 * r.NormFloat64()
		}
		for j := range 9 {
			springs.N[9*i+j] = .1 * r.NormFloat64()
		}
		springs.MV[4*i] += 1
	}
	far.N[12+2] = 0
	for name, c := range map[string]struct {
		b *Boundary
		o BoundaryOptions
	}{
		"target": {target(), BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true}}}, "velocity": {velocity, BoundaryOptions{H: .01, Steps: 5, Starts: [][]float64{{3, 3, 0}, {-2, 0, 0}}}},
		"far": {far, BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true}, Starts: [][]float64{{8, 0, 0}}}}, "springs": {springs, BoundaryOptions{H: .01, Steps: 20, Stepper: Options{ImplicitForce: true, Theta: .5}}},
		"few": {target(), BoundaryOptions{H: .01, Steps: 20, MaxIntegrations: 5}}, "loose": {target(), BoundaryOptions{H: .01, Steps: 30, Tolerance: 1e-3}},
	} {
		p, err := NewLumped(contact.Coulomb{Mu: .3}, sliders["B"].k, sliders["B"].c)
		if err != nil {
			t.Fatal(err)
		}
		var path []float64
		c.o.OnIteration = func(i BoundaryIteration) {
			path = append(path, float64(i.Start), float64(i.Iteration), math.Log10(i.Residual+1e-12))
		}
		start := &State{Q: make([]float64, 3), V: []float64{.1, .2, 0}}
		start.resetPatches()
		start.add(0, 3)
		start.Delta[0], start.Delta[1] = .004, .001
		x, err := SolveBoundary(context.Background(), &slider{patch: p}, start, c.b, c.o)
		if err == nil != (name != "few") {
			t.Errorf("%s: %v", name, err)
		}
		if !(x.Residual <= 1e-10) && name != "few" && name != "loose" {
			t.Errorf("%s: residual %g", name, x.Residual)
		}
		x.Residual = 0 // rounding
		if x.Method == "fixed point" {
			x.Rate = math.Round(100*x.Rate) / 100 // the last rate is one of two roundings
		} else {
			x.Rate = 0
		}
		table.Check("boundary-"+name, x, len(path), path[:min(len(path), 18)])
		table.Check("boundary-rank-"+name, c.b.Rank())
	}
}

// TestPinnedStates: forces that depend on the state, by fixed point and by Newton's method, and
// stiffnesses that do.
func TestPinnedStates(t *testing.T) {
	table := Pinned(t)
	for k, c := range []struct{ stiffness, h, theta float64 }{{4, .01, 0}, {40, .02, .5}, {1e4, .1, 0}, {1e4, .05, .5}} {
		s := newPendulum(t, c.stiffness, c.theta)
		s.o.Smallness = true
		rounds := 0
		for range 25 {
			run(t, s, c.h, 1)
			rounds += s.step.Rounds
		}
		small := s.Smallness()
		mu, bar := s.SmallnessNow()
		table.Check(fmt.Sprint("pendulum-", k), s.State().Q, s.State().V, s.State().Lambda, s.State().Delta, rounds, s.Last().Energy.Kinetic, s.Ledger().Friction, s.Ledger().Viscous, small.MuBar, math.Round(1e3*small.ForceRate), mu, bar)
	}
}

// chain is masses on a line over a floor, coupled by blocks of the mass matrix and by patches that
// touch two of them; contacts of a few elements each.
type chain struct {
	n     int
	patch *Patch
	floor *Patch
}

func (c *chain) Size() (nq, nv, dim int) { return 3 * c.n, 3 * c.n, 3 }
func (c *chain) Mass(m *Mass, q []float64) {
	for i := range c.n {
		x := 1 + .1*float64(i)
		m.Block(3, x, .1, 0, .1, 2*x, .2, 0, .2, 1.5*x)
	}
}
func (c *chain) Force(f []float64, t float64, q, v []float64) {
	for i := range f {
		f[i] = .3*float64(i%4) - .4
		if i%3 == 2 {
			f[i] = -9.81
		}
	}
}
func (c *chain) Contacts(list *Contacts, q []float64) {
	for i := range c.n {
		list.Begin(i, c.floor)
		for e := range c.floor.Elements() {
			x, y := c.floor.At(e)
			list.Element(q[3*i+2] + .01*x)
			list.Row(3*i, 0, 1, 0)
			list.Row(3*i+1, .1*y, .2, 1)
			list.Row(3*i+2, 1, 0, .1*x)
		}
	}
	for i := range c.n - 1 {
		list.Begin(100+i, c.patch)
		for e := range c.patch.Elements() {
			list.Element(q[3*i+3] - q[3*i] + .002)
			for s, sign := range []float64{-1, 1} {
				at := 3*i + 3*s
				list.Row(at, sign, 0, .05*float64(e))
				list.Row(at+1, 0, sign, 0)
				list.Row(at+2, 0, .1*sign, sign)
			}
		}
	}
}

func newChain(t *testing.T, n, side int, law contact.Law, rigid bool, o Options) *Stepper {
	t.Helper()
	c := &chain{n: n}
	for k, p := range []**Patch{&c.patch, &c.floor} {
		x, err := NewPatch(law, HalfSpace{Dim: 3, Elements: side, Spacing: .1 + .05*float64(k), Epsilon: 1e-4, Poisson: .2, Damping: .5})
		if rigid && k == 0 {
			x, err = NewRigid(law, 3)
		}
		if err != nil {
			t.Fatal(err)
		}
		*p = x
	}
	v := make([]float64, 3*n)
	for i := range v {
		v[i] = math.Sin(float64(3*i + 1))
	}
	s, err := NewStepper(c, make([]float64, 3*n), v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPinnedChains: islands of several patches, of full and of sparse problems, under each law.
func TestPinnedChains(t *testing.T) {
	table := Pinned(t)
	for name, c := range map[string]struct {
		n, side, steps int
		law            contact.Law
		rigid          bool
		o              Options
	}{
		"coulomb": {2, 2, 12, contact.Coulomb{Mu: .3}, false, Options{Smallness: true}}, "sparse": {3, 2, 8, contact.Coulomb{Mu: .4}, false, Options{}}, "mixed": {3, 2, 8, contact.Coulomb{Mu: .4}, true, Options{}},
		"facets": {2, 2, 8, contact.Pyramid{Mu: .3, Facets: 6}, false, Options{Smallness: true}}, "box": {2, 1, 12, contact.Pyramid{Mu: .3}, false, Options{Theta: .25}}, "tresca": {2, 2, 6, contact.Tresca{Threshold: 2}, false, Options{}},
		"associated": {2, 2, 6, contact.Associated{Mu: .3}, false, Options{Smallness: true}}, "frictionless": {2, 2, 8, contact.Frictionless{}, false, Options{}}, "velocity": {2, 2, 8, contact.Coulomb{Mu: .3}, false, Options{VelocityForm: true}},
		"trescaBox": {2, 1, 8, contact.Tresca{Threshold: 2}, false, Options{}},
	} {
		s := newChain(t, c.n, c.side, c.law, c.rigid, c.o)
		counts := [5]int{}
		for range c.steps {
			run(t, s, .004, 1)
			x := s.Last()
			counts[0], counts[1], counts[2], counts[3], counts[4] = counts[0]+x.Open, counts[1]+x.Stick, counts[2]+x.Slide, counts[3]+x.Solves, counts[4]+x.Pivots
		}
		need := s.Need()
		mu, bar := s.SmallnessNow()
		x := s.State()
		table.Check("chain-"+name, x.Q, x.V, x.Delta, x.Lambda, x.Slip, counts, need.Total(), s.touching(), mu, bar, s.Smallness())
		e := s.Ledger()
		table.Check("chain-ledger-"+name, e.Kinetic, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual, s.Creation(), s.Accurate(1e-6))
	}
}

// TestMatricesOfIslands: A of all elements, and of some of them, by blocks and as a whole, is that of
// dense algebra, h(1−θ) W M⁻¹ Wᵀ + (hK + C)⁻¹, and b that of its formula.
func TestMatricesOfIslands(t *testing.T) {
	const h = .004
	s := newChain(t, 3, 2, contact.Coulomb{Mu: .3}, true, Options{Theta: .25})
	run(t, s, h, 2)
	if err := s.begin(h); err != nil {
		t.Fatal(err)
	}
	l, c := &s.local, &s.contacts
	l.load(c, &s.mass, h*.75)
	dim, ne := s.dim, c.elements()
	n := dim * ne
	w := make([]float64, n*s.nv)
	for e := range ne {
		for k := c.h.Ptr[e]; k < c.h.Ptr[e+1]; k++ {
			for d := range dim {
				w[(dim*e+d)*s.nv+c.h.Row[k]] += c.h.Val[dim*k+d]
			}
		}
	}
	want := make([]float64, n*n)
	for i := range n {
		x := slices.Clone(w[i*s.nv : (i+1)*s.nv])
		for b := range 3 { // M⁻¹ of blocks of three, by Cramer's rule
			y := 1 + .1*float64(b)
			m := [9]float64{y, .1, 0, .1, 2 * y, .2, 0, .2, 1.5 * y}
			det := func(a [9]float64) float64 {
				return a[0]*(a[4]*a[8]-a[5]*a[7]) - a[1]*(a[3]*a[8]-a[5]*a[6]) + a[2]*(a[3]*a[7]-a[4]*a[6])
			}
			var z [3]float64
			for k := range 3 {
				a := m
				for r := range 3 {
					a[3*r+k] = x[3*b+r]
				}
				z[k] = det(a) / det(m)
			}
			copy(x[3*b:], z[:])
		}
		for j := range n {
			for k, y := range x {
				want[i*n+j] += .75 * h * w[j*s.nv+k] * y
			}
		}
	}
	for i := range c.patches {
		p := &c.patches[i]
		if p.patch.k == nil {
			continue
		}
		m := dim * (p.last - p.first)
		for r := range m { // column r of E⁻¹: E times it is a unit vector
			for k := range m {
				sum := 0.0
				for j := range m {
					sum += (h*p.patch.k[k*m+j] + p.patch.c[k*m+j]) * p.patch.eInv[j*m+r]
				}
				if unit := map[bool]float64{true: 1}[k == r]; !(math.Abs(sum-unit) <= 1e-12) { // of condition 100
					t.Fatalf("patch %d: E E⁻¹ (%d, %d) = %g", i, k, r, sum)
				}
				want[(dim*p.first+k)*n+dim*p.first+r] += p.patch.eInv[k*m+r]
			}
		}
	}
	size := 0.0
	for _, x := range want {
		size = max(size, math.Abs(x))
	}
	all := make([]int, ne)
	for e := range all {
		all[e] = e
	}
	// Patches as a whole, some of them, in an order of their own.
	some := slices.Concat(all[c.patches[3].first:c.patches[3].last], all[c.patches[0].first:c.patches[0].last], all[c.patches[2].first:c.patches[2].last])
	var blocks contact.Blocks
	var near neighbours
	for _, elements := range [][]int{all, some, all} {
		m := dim * len(elements)
		a := make([]float64, m*m)
		l.assemble(a, elements)
		l.assembleBlocks(&blocks, elements, &near)
		sparse := make([]float64, m*m)
		for j := range elements {
			for k := blocks.Ptr[j]; k < blocks.Ptr[j+1]; k++ {
				for d := range dim {
					for e := range dim {
						sparse[(dim*j+d)*m+dim*blocks.Col[k]+e] += blocks.Val[(k*dim+d)*dim+e]
					}
				}
			}
		}
		for i := range m {
			for j := range m {
				x := want[(dim*elements[i/dim]+i%dim)*n+dim*elements[j/dim]+j%dim]
				if !(math.Abs(a[i*m+j]-x) <= 1e-13*size && math.Abs(sparse[i*m+j]-x) <= 1e-13*size) { // rounding
					t.Fatalf("%d elements, entry (%d, %d): %g and %g, want %g", len(elements), i, j, a[i*m+j], sparse[i*m+j], x)
				}
			}
		}
		// The mean of the diagonal, of either.
		trace := 0.0
		for i := range m {
			trace += a[i*m+i]
		}
		s.solver.a, s.solver.blocks = a, blocks
		for _, s.solver.sparse = range []bool{false, true} {
			if u := s.solver.unit(m); !(math.Abs(u-trace/float64(m)) <= 1e-13*size) {
				t.Errorf("unit %g, want %g", u, trace/float64(m))
			}
		}
	}
	// b, of velocities and deformations drawn.
	r := rand.New(rand.NewPCG(5, 6))
	mean, delta, b := make([]float64, s.nv), make([]float64, n), make([]float64, n)
	for i := range mean {
		mean[i] = r.NormFloat64()
	}
	for i := range delta {
		delta[i] = .01 * r.NormFloat64()
	}
	for _, gap := range []bool{true, false} {
		l.rightSide(b, mean, delta, h, gap)
		for i := range c.patches {
			p := &c.patches[i]
			m := dim * (p.last - p.first)
			for k := range m {
				row, x := dim*p.first+k, 0.0
				for j, v := range mean {
					x += w[row*s.nv+j] * v
				}
				for j := range m {
					for q := 0; q < m && p.patch.k != nil; q++ {
						x -= p.patch.eInv[k*m+j] * p.patch.k[j*m+q] * delta[dim*p.first+q]
					}
				}
				if e := row / dim; gap && k%dim == 0 {
					open := c.gap[e] + delta[row]
					x += open / map[bool]float64{true: l.push, false: h}[open < 0]
				}
				if !(math.Abs(b[row]-x) <= 1e-12*(1+math.Abs(x))) { // sums of numbers up to 10
					t.Errorf("b of row %d is %g, want %g", row, b[row], x)
				}
			}
		}
	}
}

// TestMassOfBlocks: products, energies and solutions of a matrix of blocks are those of the whole one.
func TestMassOfBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var m Mass
	for range 20 {
		m.reset()
		var whole [10][10]float64
		n := 0
		for _, size := range r.Perm(4) { // 0 to 3, of which 0 is a diagonal entry
			k := max(1, size)
			block := make([]float64, k*k)
			for i := range k {
				for j := range i + 1 {
					x := r.NormFloat64()
					if i == j {
						x = 4 + r.Float64()
					}
					block[i*k+j], block[j*k+i] = x, x
					whole[n+i][n+j], whole[n+j][n+i] = x, x
				}
			}
			if size == 0 {
				m.Diagonal(block[0])
			} else {
				m.Block(k, block...)
			}
			n += k
		}
		if err := m.factor(n); err != nil {
			t.Fatal(err)
		}
		x, y, energy := make([]float64, n), make([]float64, n), 0.0
		for i := range x {
			x[i] = r.NormFloat64()
		}
		m.mulVec(y, x)
		for i := range n {
			sum := 0.0
			for j := range n {
				sum += whole[i][j] * x[j]
			}
			energy += .5 * x[i] * sum
			if !(math.Abs(sum-y[i]) <= 1e-13) || m.diagonal(i) != whole[i][i] {
				t.Fatalf("row %d: %g, want %g; diagonal %g, want %g", i, y[i], sum, m.diagonal(i), whole[i][i])
			}
		}
		if e := m.energy(x); !(math.Abs(e-energy) <= 1e-13*max(1, energy)) {
			t.Fatalf("energy %g, want %g", e, energy)
		}
		m.solve(y)
		for i := range n {
			if !(math.Abs(y[i]-x[i]) <= 1e-13) { // of condition 10
				t.Fatalf("M⁻¹M x: %g, want %g", y[i], x[i])
			}
		}
		if m.factor(n+1) == nil {
			t.Error("another order is accepted")
		}
	}
	for k, bad := range [][]float64{{1, 2, 2, 1}, {1, 1, 1, 1 + 1e-16}, {-1, 0, 0, 1}, {math.Inf(1), 0, 0, 1}, {1, 0, 0, math.NaN()}} {
		m.reset()
		if m.Block(2, bad...); m.factor(2) == nil {
			t.Errorf("matrix %d is accepted", k)
		}
	}
}
