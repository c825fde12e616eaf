package contact

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// diagonalProblem is one particle on springs k over the floor at height w, under
// the force f, with a law.
func diagonalProblem(k, f [3]float64, height float64, law Law) *Global {
	m := sparse.NewBuilder(3).Build()
	for c := range 3 {
		m.Val[m.Index(c, c)] = k[c]
	}
	return &Global{M: m, F: f[:], H: nodal(1), W: []float64{height, 0, 0}, Laws: []Law{law}}
}

// TestOneParticleByHand: v = (x, y, height change), r = (r_N, r_x, r_y).
func TestOneParticleByHand(t *testing.T) {
	k := [3]float64{2, 4, 5}
	half := NewShape([4]float64{0.5, 0, 0, 0})
	for name, c := range map[string]struct {
		f      [3]float64
		height float64
		law    Law
		v, r   [3]float64
	}{
		"take-off":     {[3]float64{0, 0, 5}, 0, &Tresca{Threshold: 1}, [3]float64{0, 0, 1}, [3]float64{}},
		"stick":        {[3]float64{0.6, 0.6, -5}, 0, &Tresca{Threshold: 1}, [3]float64{}, [3]float64{5, -0.6, -0.6}},
		"slip along x": {[3]float64{3, 0, -5}, 0, &Tresca{Threshold: 1}, [3]float64{1, 0, 0}, [3]float64{5, -1, 0}},
		"slip along y": {[3]float64{0, -3, -5}, 0, &Tresca{Threshold: 1}, [3]float64{0, -0.5, 0}, [3]float64{5, 0, 1}},
		"on the verge": {[3]float64{1, 0, -5}, 0, &Tresca{Threshold: 1}, [3]float64{}, [3]float64{5, -1, 0}},
		"no friction":  {[3]float64{3, 2, -5}, 0, &Tresca{}, [3]float64{1.5, 0.5, 0}, [3]float64{5, 0, 0}},
		"frictionless": {[3]float64{3, 2, -5}, 0, Frictionless{}, [3]float64{1.5, 0.5, 0}, [3]float64{5, 0, 0}},
		"grazing":      {[3]float64{0, 0, 0}, 0, &Tresca{Threshold: 1}, [3]float64{}, [3]float64{}},
		"lands":        {[3]float64{0, 0, -5}, 0.4, &Tresca{Threshold: 1}, [3]float64{0, 0, -0.4}, [3]float64{3, 0, 0}},
		"stays up":     {[3]float64{0, 0, -5}, 2, &Tresca{}, [3]float64{0, 0, -1}, [3]float64{}},
		"pushed out":   {[3]float64{0, 0, -5}, -0.1, Frictionless{}, [3]float64{0, 0, 0.1}, [3]float64{5.5, 0, 0}},
		"anisotropic: free y": {[3]float64{0.4, 2, -5}, 0, &Tresca{Threshold: 1, Shape: half}, [3]float64{0, 0.5, 0},
			[3]float64{5, -0.4, 0}},
		"anisotropic: slip x": {[3]float64{2.5, 2, -5}, 0, &Tresca{Threshold: 1, Shape: half}, [3]float64{1, 0.5, 0},
			[3]float64{5, -0.5, 0}},
		"weak and strong units": {[3]float64{3e-9, 0, -5e-9}, 0, &Tresca{Threshold: 1e-9}, [3]float64{1e-9, 0, 0},
			[3]float64{5e-9, -1e-9, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var ws GlobalWorkspace
			var res Result
			if err := SolveConvex(context.Background(), diagonalProblem(k, c.f, c.height, c.law), 0, &Options{}, &ws, &res); err != nil {
				t.Fatal(err)
			}
			size := max(math.Abs(c.f[0]), math.Abs(c.f[1]), math.Abs(c.f[2]))
			for i := range 3 { // the solver's tolerance of the forces; the stiffness is of order 1
				if math.Abs(res.V[i]-c.v[i]) > 1e-12*size || math.Abs(res.R[i]-c.r[i]) > 1e-12*size {
					t.Fatalf("v = %v, r = %v, want %v, %v", res.V, res.R, c.v, c.r)
				}
			}
		})
	}
}

// TestRedundantContacts: three contacts on one particle, the floor twice and a
// wall; the reactions are not unique, the motion is.
func TestRedundantContacts(t *testing.T) {
	p := diagonalProblem([3]float64{1, 1, 1}, [3]float64{2, 0.5, -3}, 0, Frictionless{})
	p.H = &Jacobian{Dim: 3, Rows: 3, Ptr: []int{0, 3, 6, 9}, Row: []int{0, 1, 2, 0, 1, 2, 0, 1, 2},
		Val: []float64{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 1}}
	p.W = []float64{0, 0, 0, 0, 0, 0, 1, 0, 0} // the wall is at x = 1
	p.Laws = []Law{&Tresca{Threshold: 0.1}, &Tresca{Threshold: 0.2}, Frictionless{}}
	var ws GlobalWorkspace
	var res Result
	if err := SolveConvex(context.Background(), p, 0, &Options{}, &ws, &res); err != nil {
		t.Fatal(err)
	}
	// x = 1 at the wall; in y friction along (1, y) with 0.3 in all.
	y := res.V[1]
	if math.Abs(res.V[0]-1) > 1e-12 || res.V[2] != 0 && math.Abs(res.V[2]) > 1e-15 || math.Abs(0.5-y-0.3*y/math.Hypot(1, y)) > 1e-12 {
		t.Errorf("v = %v", res.V)
	}
	if rn := res.R[0] + res.R[3]; math.Abs(rn-3) > 1e-12*3 {
		t.Errorf("the floor carries %g", rn)
	}
}

func TestConvexFailures(t *testing.T) {
	ctx := context.Background()
	var ws GlobalWorkspace
	var res Result
	negative := diagonalProblem([3]float64{1, -1, 1}, [3]float64{1, 1, -1}, 0, Frictionless{})
	err := SolveConvex(ctx, negative, 0, &Options{}, &ws, &res)
	var indefinite *IndefiniteError
	if !errors.As(err, &indefinite) || indefinite.Row != 1 || res.Status != NumericalFailure {
		t.Errorf("indefinite M: %v", err)
	}
	// No stiffness against f in x, nor friction: the energy has no minimum.
	unbounded := diagonalProblem([3]float64{0, 1, 1}, [3]float64{1, 0, -1}, 0, Frictionless{})
	if err := SolveConvex(ctx, unbounded, 0, &Options{}, new(GlobalWorkspace), &res); err == nil || res.Status == Converged {
		t.Errorf("unbounded energy: %v, %v", res.Status, err)
	}
	// Friction holds it.
	held := diagonalProblem([3]float64{0, 1, 1}, [3]float64{1, 0, -1}, 0, &Tresca{Threshold: 2})
	if err := SolveConvex(ctx, held, 0, &Options{}, new(GlobalWorkspace), &res); err != nil {
		t.Errorf("held by friction: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	p := net(5, 5, 0.4, 1)
	if err := SolveConvex(canceled, p, 0, &Options{}, new(GlobalWorkspace), &res); !errors.Is(err, context.Canceled) ||
		res.Status != Canceled {
		t.Errorf("canceled: %v", err)
	}
	if err := SolveConvex(ctx, p, 0, &Options{MaxIterations: 2}, new(GlobalWorkspace), &res); res.Status != IterationLimit || err == nil {
		t.Errorf("two iterations: %v", err)
	}
	p.F[3] = math.NaN()
	if err := SolveConvex(ctx, p, 0, &Options{}, new(GlobalWorkspace), &res); err == nil {
		t.Error("NaN in f: no error")
	}
	p.F[3] = 0
	p.Laws[2] = &Tresca{Threshold: -1}
	if err := SolveConvex(ctx, p, 0, &Options{}, new(GlobalWorkspace), &res); err == nil {
		t.Error("negative threshold: no error")
	}
	p.Laws[2] = Coulomb{Mu: 1}
	if err := SolveConvex(ctx, p, 0, &Options{}, new(GlobalWorkspace), &res); err == nil {
		t.Error("Coulomb in the convex solver: no error")
	}
}

func TestConvexWarmAllocatesNothing(t *testing.T) {
	p := net(6, 6, 0.4, 1)
	var ws GlobalWorkspace
	var res Result
	scale := 1.0
	solve := func() {
		scale = 3 - scale // between 1 and 2: it is solved anew each time
		for i := range p.F {
			if i%3 == 0 {
				p.F[i] = scale
			}
		}
		if err := SolveConvex(context.Background(), p, 0, &Options{}, &ws, &res); err != nil {
			t.Fatal(err)
		}
	}
	solve()
	if n := testing.AllocsPerRun(20, solve); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// FuzzConvex: any numbers get a verdict with the truth in it.
func FuzzConvex(f *testing.F) {
	f.Add(1.0, 1.0, 1.0, 0.5, 2.0, 0.0, -1.0, 0.3, 0.0)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
	f.Add(1e-300, 1e300, 1.0, 0.0, 1e300, -1e-300, -1.0, 1e10, 1e-30)
	f.Fuzz(func(t *testing.T, kx, ky, kz, c, fx, fy, fz, s, w float64) {
		b := sparse.NewBuilder(3)
		b.Add(2, 0)
		m := b.Build()
		m.Val[m.Index(0, 0)], m.Val[m.Index(1, 1)], m.Val[m.Index(2, 2)], m.Val[m.Index(2, 0)] = kx, ky, kz, c
		p := &Global{M: m, F: []float64{fx, fy, fz}, H: nodal(1), W: []float64{w, 0, 0}, Laws: []Law{&Tresca{Threshold: s}}}
		var ws GlobalWorkspace
		var res Result
		err := SolveConvex(context.Background(), p, 0, &Options{}, &ws, &res)
		if p.Validate() != nil {
			if err == nil {
				t.Fatal("invalid input solved")
			}
			return
		}
		for _, x := range append(append([]float64{}, res.V...), res.R...) {
			if math.IsNaN(x) && err == nil {
				t.Fatalf("NaN in a solution: %v %v", res.V, res.R)
			}
		}
		if err == nil {
			if m, _ := Residual(p, 0, res.V, res.R); !(m <= 1e-6) { // ill-conditioned input may only reach its roundoff
				t.Fatalf("converged with residual %g: %v", m, res)
			}
		}
	})
}

// TestNoFactorLeft: a matrix that cannot be factorised is no worse the second time, in a workspace
// that knows it, where no contact tells that nothing was factorised: the same error, where the
// solve by the factorisation that failed panicked.
func TestNoFactorLeft(t *testing.T) {
	m := &sparse.Sym{N: 1, Ptr: []int{0, 1}, Row: []int{0}, Val: []float64{-1}}
	p := &Global{M: m, F: []float64{1}, H: &Jacobian{Dim: 3, Rows: 1, Ptr: []int{0}}}
	var ws GlobalWorkspace
	var res Result
	for k := range 2 {
		if err := SolveConvex(t.Context(), p, 0, &Options{}, &ws, &res); err == nil || res.Status != NumericalFailure {
			t.Errorf("solve %d: %v, %v", k+1, res.Status, err)
		}
	}
}
