package contact

import (
	"context"
	"errors"
	"fmt"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPinnedStages: each stage of the plan by itself, also those that the plan keeps for large problems:
// the iterates at a few limits, and the work.
func TestPinnedStages(t *testing.T) {
	table := Pinned(t)
	all := pinnedLocals()
	problems := map[string]*Local{"balls": all["balls"], "deficient": all["deficient"], "large": all["large"], "shaped": all["shaped"], "mixed3": all["mixed3"], "coulomb2": all["coulomb2"],
		"heap": spherePile(heap(40, 3), 0.03, 0.5, nil)}
	v := make([]float64, 6*30)
	for i := range v {
		v[i] = 0.1 * math.Sin(float64(7*i))
	}
	problems["moving"] = spherePile(cannonballs(4), 0.05, 0.3, v)
	for name, p := range problems {
		for which, method := range map[string]localMethod{
			"accelerated": (*localRun).acceleratedSweeps, "momentum": (*localRun).momentumSweeps, "regions": (*localRun).regions, "turns": (*localRun).turns, "kick": (*localRun).kick, "natural": (*localRun).naturalNewton, "sharp": (*localRun).sharpNewton,
			"search": (*localRun).search, "sectors": (*localRun).sectors, "point": (*localRun).interiorPoint, "curve": (*localRun).centralPath, "continuation": (*localRun).continuation, "damped": (*localRun).dampedNewton,
		} {
			for _, limit := range []int{3, 40} {
				if (which == "search" || which == "sectors") && (limit > 3 || len(p.Laws) > 9) {
					continue
				}
				o, list := path(Options{MaxIterations: limit, NoCertificate: true})
				if _, ok := p.W.(*Dense); ok && limit == 40 && len(p.Laws) > 20 {
					continue
				}
				var ws LocalWorkspace
				var res Result
				_ = solveLocalBy(context.Background(), p, o, &ws, &res, method)
				table.Check(fmt.Sprintf("stage-%s-%s-%d", name, which, limit), append(outcome(&res), *list)...)
			}
		}
	}
}

// fullMap is a linear map with a diagonal to divide by, in full.
type fullMap struct {
	a []float64
	n int
}

func (f fullMap) mul(dst, x []float64) {
	for i := range f.n {
		dst[i] = 0
		for j := range f.n {
			dst[i] += f.a[i*f.n+j] * x[j]
		}
	}
}
func (f fullMap) divide(dst, b []float64) {
	for i := range f.n {
		dst[i] = b[i] / f.a[i*f.n+i]
	}
}

// TestGMRES: solutions of full systems to the factor that is asked for, in no more steps than unknowns, and in one
// where the preconditioner is the matrix; a right side of zeros; the same memory twice.
func TestGMRES(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	var s gmres
	for n := 1; n <= 12; n++ {
		for k := range 6 {
			f := fullMap{make([]float64, n*n), n}
			for i := range n {
				for j := range n {
					if k > 0 {
						f.a[i*n+j] = r.NormFloat64() / float64(n)
					}
				}
				f.a[i*n+i] += 2 + float64(i)
			}
			b, left := make([]float64, n), make([]float64, n)
			for i := range b {
				b[i] = r.NormFloat64()
			}
			for _, tol := range []float64{1e-2, 1e-12} {
				x := s.solve(f, b, tol)
				f.mul(left, x)
				for i := range left {
					left[i] -= b[i]
				}
				if e := num.Norm(left) / num.Norm(b); !(e <= tol*(1+1e-3)+1e-14) || s.iterations > n || k == 0 && s.iterations != 1 {
					t.Fatalf("order %d, factor %g: residual %g after %d steps", n, tol, e, s.iterations)
				}
				if tol == 1e-2 && n > 6 && k > 0 && s.iterations == n {
					t.Errorf("order %d: all %d steps for two digits", n, n)
				}
			}
			clear(b)
			if x := s.solve(f, b, 1e-12); s.iterations != 0 || num.Norm(x) != 0 {
				t.Fatalf("order %d: %d steps for nothing", n, s.iterations)
			}
		}
	}
}

// TestDenseReduction: a problem reduced with a full M and by its blocks is the same, with and without joints: W, q, the
// velocities and the reactions of joints; and of an M that is not symmetric W is HᵀM⁻¹H by columns.
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
		b, err := NewDelassusDense(m, p.F, p.H, p.W, p.Laws, g, p.B)
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
		for what, pair := range map[string][2][]float64{"W r": {u, w}, "q": {a.Local.Q, b.Local.Q}, "v": {a.Velocity(nil, r), b.Velocity(nil, r)}, "λ": {a.Lambda(nil, r), b.Lambda(nil, r)}} {
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
			"M": func() ([]float64, []float64, []float64) { return m[1:], p.W, g }, "w": func() ([]float64, []float64, []float64) { return m, p.W[1:], g }, "G": func() ([]float64, []float64, []float64) { return m, p.W, append(slices.Clone(g), 0) },
			"NaN": func() ([]float64, []float64, []float64) { x := slices.Clone(m); x[3] = math.NaN(); return x, p.W, g },
		} {
			x, y, z := spoil()
			if _, err := NewDelassusDense(x, p.F, p.H, y, p.Laws, z, p.B); err == nil {
				t.Errorf("a wrong %s is accepted", name)
			}
		}
	}
}

// TestOperatorsOfAnyShape: products with blocks, symmetric or not, full matrices and Jacobians of two to six components are those of
// a triple loop, and so are their transposes.
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

// TestResidualsOfComplementarity: min(z, Mz + q) in scaled units is what Residual says, of answers that are wrong by a known amount.
func TestResidualsOfComplementarity(t *testing.T) {
	p, table := &LCP{M: []float64{2, 1, 0, 4}, Q: []float64{-5, 2}}, Pinned(t)
	for _, c := range []struct{ z []float64 }{{[]float64{2.5, 0}}, {[]float64{2.5, .1}}, {[]float64{2, 0}}, {[]float64{0, 0}}, {[]float64{2.5, -.1}}} {
		w := []float64{2*c.z[0] + c.z[1] - 5, 4*c.z[1] + 2}
		got, worst := p.Residual(c.z)
		exact := max(math.Abs(min(c.z[0], w[0])), math.Abs(min(c.z[1], w[1]))) == 0
		if (got == 0) != exact || math.IsNaN(got) || worst < 0 && !exact {
			t.Errorf("%v: residual %g at %d, w = %v", c.z, got, worst, w)
		}
		table.Check(fmt.Sprintf("residual-%g-%g", c.z[0], c.z[1]), got, worst)
	}
}

// TestManyContactsCondensed: S of hundreds of contacts, from a factorisation with these last, by a Newton's method that solves by a Krylov
// space: answers as of the whole problem, of siblings to the same bits, and the work.
func TestManyContactsCondensed(t *testing.T) {
	table := Pinned(t)
	p := chainProblem(420, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} })
	c, err := NewCondensed(context.Background(), p.M, p.H)
	if err != nil {
		t.Fatal(err)
	}
	if c.primal == nil {
		t.Fatal("few contacts")
	}
	h := *p.H
	other := c.Sibling(&h)
	for k := range 3 {
		q := *p
		q.F = slices.Clone(p.F)
		for i := range q.F {
			q.F[i] += 0.05 * float64(k) * math.Cos(float64(i))
		}
		for _, limit := range []int{1, 2, 0} {
			var x, y Result
			_ = c.Solve(context.Background(), &q, 0, &Options{MaxIterations: limit}, &x)
			own := q
			own.H = &h
			_ = other.Solve(context.Background(), &own, 0, &Options{MaxIterations: limit}, &y)
			if !slices.Equal(x.V, y.V) || !slices.Equal(x.R, y.R) || x.Iterations != y.Iterations {
				t.Errorf("sibling: other bits in solve %d", k)
			}
			table.Check(fmt.Sprintf("manyCondensed-%d-%d", k, limit), outcome(&x)...)
		}
	}
}

// TestLoadOfManyContacts: a state whose preconditioner is to be made goes on to the same bits; where the context is done it is
// not made, and says why; states of other problems are refused.
func TestLoadOfManyContacts(t *testing.T) {
	p := chainProblem(420, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} })
	var state CondensedState
	solver := func() *Condensed {
		c, err := NewCondensed(context.Background(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := solver()
	var x, y Result
	if err := c.Solve(context.Background(), p, 0, nil, &x); err != nil {
		t.Fatal(err)
	}
	if c.Save(&state); len(state.Free) == 0 {
		t.Fatal("no preconditioner was made")
	}
	d := solver()
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if err := d.Load(ctx, &state); !errors.Is(err, reason) || len(d.primal.held.free) > 0 {
		t.Errorf("%v, %d columns are held", err, len(d.primal.held.free))
	}
	if err := d.Load(context.Background(), &state); err != nil {
		t.Fatal(err)
	}
	again := *p
	again.F = slices.Clone(p.F)
	again.F[0]++
	if err := errors.Join(c.Solve(context.Background(), &again, 0, nil, &x), d.Solve(context.Background(), &again, 0, nil, &y)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.V, y.V) || !slices.Equal(x.R, y.R) {
		t.Error("other bits from the state")
	}
	for name, spoil := range map[string]func(s *CondensedState){
		"reactions": func(s *CondensedState) { s.R = s.R[1:] }, "stiffnesses": func(s *CondensedState) { s.Kappa = s.Kappa[1:] }, "directions": func(s *CondensedState) { s.T = s.T[1:] },
		"columns": func(s *CondensedState) { s.Free[0] = -1 }, "column": func(s *CondensedState) { s.Free[0] = len(x.R) }, "many": func(s *CondensedState) { s.Free = make([]int, len(x.R)+1) },
	} {
		s := state
		s.Free = slices.Clone(state.Free)
		if spoil(&s); solver().Load(context.Background(), &s) == nil {
			t.Errorf("other %s are accepted", name)
		}
	}
}

// TestPinnedPlates: a full stiffness, whose inverse is updated as contacts change.
func TestPinnedPlates(t *testing.T) {
	table := Pinned(t)
	for _, coupled := range []bool{true, false} {
		p := densePlate(40, coupled)
		var ws GlobalWorkspace
		for k := range 4 {
			q := *p
			q.F = slices.Clone(p.F)
			for i := range q.F {
				q.F[i] += 0.1 * float64(k) * math.Sin(float64(i))
			}
			for _, limit := range []int{2, 0} {
				o, list := path(Options{MaxIterations: limit})
				var res Result
				_ = SolveGlobal(context.Background(), &q, o, &ws, &res)
				table.Check(fmt.Sprintf("plate-%t-%d-%d", coupled, k, limit), append(outcome(&res), *list)...)
			}
		}
	}
}

// TestWarmStartOfWorkspaces: a workspace that is given a solution starts from it and gives it back.
func TestWarmStartOfWorkspaces(t *testing.T) {
	p := chainProblem(24, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} })
	var ws, other GlobalWorkspace
	var first, again Result
	if err := SolveConvex(context.Background(), p, 0, nil, &ws, &first); err != nil {
		t.Fatal(err)
	}
	v, r := slices.Clone(first.V), slices.Clone(first.R)
	other.WarmStart(p, v, r)
	if x, y := other.Last(nil, nil); !slices.Equal(x, v) || !slices.Equal(y, r) {
		t.Error("another start than was given")
	}
	if err := SolveConvex(context.Background(), p, 0, nil, &other, &again); err != nil || again.Iterations > 1 {
		t.Errorf("%v after %d iterations from the solution, cold %d", err, again.Iterations, first.Iterations)
	}
	for i := range v {
		if math.Abs(again.V[i]-v[i]) > 1e-11 {
			t.Errorf("v_%d = %g, want %g", i, again.V[i], v[i])
		}
	}
}

// TestPinnedConvex: convex problems of all conditions: the motion, the work, and what the interior-point method by itself does, which is
// kept for those where others end short.
func TestPinnedConvex(t *testing.T) {
	table := Pinned(t)
	rng := rand.New(rand.NewPCG(91, 2))
	for k := range 30 {
		p := randomEnergy(rng, 2+k%5, math.Pow(10, 4+float64(k%5)), k%2 == 0, k%4 < 2)
		if k%6 == 5 {
			p = bonded(rng)
		}
		for j := range p.Laws {
			if (j+k)%5 == 4 {
				p.Laws[j] = Frictionless{}
			}
		}
		for _, limit := range []int{1, 3, 0} {
			var res Result
			err := SolveConvex(context.Background(), p, 0, &Options{MaxIterations: limit}, nil, &res)
			if limit == 0 && err != nil {
				t.Errorf("problem %d: %v", k, err)
			}
			if k%5 > 2 && limit == 0 {
				table.Check(fmt.Sprintf("convex-%d-%d", k, limit), int(res.Status), res.R) // displacements along soft directions are rounding
				continue
			}
			table.Check(fmt.Sprintf("convex-%d-%d", k, limit), int(res.Status), res.Iterations, res.Factors, res.V, res.R)
		}
	}
}

// TestOneContactPinned: the reactions of single contacts of each law with any W: those in closed form and those by iteration meet the
// law to rounding, and are the ones in the table where several do.
func TestOneContactPinned(t *testing.T) {
	table := Pinned(t)
	rng := rand.New(rand.NewPCG(92, 2))
	laws := coneLaws()
	for _, name := range []string{"frictionless", "coulomb", "coulomb 0", "coulomb 100", "elliptic", "one way", "rotated", "associated", "box", "hexagon", "octagon", "rectangle", "skew box", "mirrored", "one way box", "flat pyramid", "steep"} {
		var all []float64
		for k := range 40 {
			a := randomBlock(rng, k%3)
			b := randomVec(rng)
			p := &Local{W: &Dense{D: 3, N: 3, Val: a[:]}, Q: b[:], Laws: []Law{laws[name]}}
			for _, m := range []Method{MethodGaussSeidel, MethodNewton} {
				var res Result
				if SolveLocal(context.Background(), p, &Options{Method: m, Tolerance: 1e-12, NoCertificate: true}, nil, &res) == nil {
					all = append(all, res.R...)
				} else {
					all = append(all, -1)
				}
				all = append(all, float64(res.Iterations))
			}
			if c, ok := laws[name].(Coulomb); ok && c.Shape == (Shape{}) {
				var r vec3
				SolveOne(&r, 3, (*[9]float64)(&a), (*[3]float64)(&b), c.Mu)
				all = append(all, r[:]...)
				SolveOne(&r, 2, (*[9]float64)(&a), (*[3]float64)(&b), c.Mu)
				all = append(all, r[:2]...)
			}
		}
		for i := range 5 { // in pieces, that say where it changes
			part := all[i*len(all)/5 : (i+1)*len(all)/5]
			table.Check(fmt.Sprintf("one-%s-%d", strings.ReplaceAll(name, " ", "-"), i), part)
		}
	}
}

// TestPinnedEnds: how each method ends on small problems that are hard, without a solution or with many, and after what work.
func TestPinnedEnds(t *testing.T) {
	table := Pinned(t)
	rng := rand.New(rand.NewPCG(47, 48))
	var problems []*Local
	for k := range 36 {
		switch k % 4 {
		case 0:
			p, _, _, _ := degenerate(rng)
			problems = append(problems, p)
		case 1, 2:
			problems = append(problems, degenerateSpace(rng))
		default:
			problems = append(problems, fuzzProblem(rng, 1+rng.IntN(4), rng.IntN(8), uint8(rng.IntN(16))))
		}
	}
	for which, method := range map[string]localMethod{
		"sweeps": (*localRun).gaussSeidel, "accelerated": (*localRun).acceleratedSweeps, "momentum": (*localRun).momentumSweeps, "turns": (*localRun).turns, "kick": (*localRun).kick, "newton": (*localRun).newton, "natural": (*localRun).naturalNewton,
		"sharp": (*localRun).sharpNewton, "warm": (*localRun).warm, "proximal": (*localRun).proximal, "admm": (*localRun).admm, "fixed": (*localRun).fixedPoint, "cones": (*localRun).coneFixedPoint, "point": (*localRun).interiorPoint, "centred": (*localRun).centredSweeps,
		"curve": (*localRun).centralPath, "continuation": (*localRun).continuation, "damped": (*localRun).dampedNewton, "regions": (*localRun).regions, "sectors": (*localRun).sectors,
	} {
		for k, p := range problems {
			if which == "sectors" && k%9 > 0 {
				continue
			}
			o := &Options{MaxIterations: 250, NoCertificate: true}
			var res Result
			_ = solveLocalBy(context.Background(), p, o, new(LocalWorkspace), &res, method)
			merit := res.Merit
			if merit < 1e-4 || math.IsInf(merit, 1) {
				merit = 0
			}
			table.Check(fmt.Sprintf("end-%s-%d", which, k), int(res.Status), res.Iterations, res.Factors, merit)
		}
	}
}
