package contact

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
)

// cliques are contacts without laws, of which every few that follow each other are all coupled.
func cliques(nc, of int) *reduced {
	c := &reduced{nc: nc, ptr: []int{0}}
	for i := range nc {
		first := i / of * of
		for j := first; j < min(first+of, nc); j++ {
			c.col = append(c.col, int32(j))
		}
		c.ptr = append(c.ptr, len(c.col))
	}
	return c
}

// TestColoursOfCliques: from colourFrom contacts on, a clique takes as many colours as it has contacts, in their order, as long as a
// colour has colourLeast chunks on average.
func TestColoursOfCliques(t *testing.T) {
	var o colours
	for _, c := range []struct {
		nc, of int
		usable bool
	}{{colourFrom - 1, 1, false}, {colourFrom, 1, true}, {colourFrom, 7, true}, {colourFrom, 8, false}, {colourFrom + 96, 8, true}, {colourFrom + 96, 9, false}} {
		if o.analyse(cliques(c.nc, c.of)); o.usable != c.usable {
			t.Errorf("%d contacts in cliques of %d: usable: %t", c.nc, c.of, o.usable)
		}
		if !o.usable {
			continue
		}
		if len(o.ends) != c.of || len(o.sums) != len(o.chunks) || int(o.ends[len(o.ends)-1]) != len(o.chunks) || int(o.chunks[len(o.chunks)-1]) != c.nc {
			t.Fatalf("%d colours, %d chunks of %d", len(o.ends), len(o.chunks), len(o.sums))
		}
		from, first := int32(0), int32(0)
		for k, end := range o.ends {
			for ; from < end; from++ {
				list := o.order[first:o.chunks[from]]
				if len(list) > colourChunk || from+1 < end && len(list) != colourChunk || len(list) == 0 {
					t.Errorf("colour %d: a chunk of %d", k, len(list))
				}
				for i, j := range list {
					if int(j)%c.of != k || i > 0 && j != list[i-1]+int32(c.of) {
						t.Fatalf("contact %d in colour %d of cliques of %d", j, k, c.of)
					}
				}
				first = o.chunks[from]
			}
		}
	}
	// A sweep by colours passes over each contact once, in their order, with the norms of the change and of the reactions.
	p := grid(70)
	var ws LocalWorkspace
	ws.prepare(p)
	c, by := &ws.c, &ws.colours
	var first []vec3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, workers := range []int{1, 3} {
		runtime.GOMAXPROCS(workers)
		ws.prepare(p)
		r, plain := make([]vec3, c.nc), make([]vec3, c.nc)
		for round := range 2 {
			before := slices.Clone(r)
			change, size := by.sweep(c, r)
			moved, all := 0.0, 0.0
			for j := range r {
				for k := range 3 {
					moved += (r[j][k] - before[j][k]) * (r[j][k] - before[j][k])
					all += r[j][k] * r[j][k]
				}
			}
			if math.Abs(change-math.Sqrt(moved)) > 1e-12*change || math.Abs(size-math.Sqrt(all)) > 1e-12*size {
				t.Errorf("%d workers: change %g of %g, want %g of %g", workers, change, size, math.Sqrt(moved), math.Sqrt(all))
			}
			_ = round
		}
		if first == nil {
			first = r
			ws.prepare(p)
			for range 2 {
				for _, i := range by.order {
					c.relax(int(i), plain)
				}
			}
			if !slices.Equal(plain, r) {
				t.Error("other bits than one contact after the other in that order")
			}
		} else if !slices.Equal(first, r) {
			t.Error("other bits with more workers")
		}
	}
}

// TestSelectionOfColumns: H selects where every column is another row of v with the coefficient one.
func TestSelectionOfColumns(t *testing.T) {
	for what, c := range map[string]struct {
		h    Jacobian
		want []int
	}{
		"selects":            {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 2, 4}, Row: []int{3, 1, 0, 4}, Val: []float64{0, 1, 1, 0, 1, 0, 0, 1}}, []int{1, 3, 0, 4}},
		"with zeros":         {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 3}, Row: []int{3, 1, 2}, Val: []float64{0, 1, 0, 0, 1, 0}}, []int{2, 3}},
		"twice the same":     {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 2, 4}, Row: []int{3, 1, 3, 4}, Val: []float64{0, 1, 1, 0, 1, 0, 0, 1}}, nil},
		"another one":        {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 2}, Row: []int{3, 1}, Val: []float64{0, 2, 1, 0}}, nil},
		"a column of zeros":  {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 1}, Row: []int{3}, Val: []float64{0, 1}}, nil},
		"minus one":          {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 2}, Row: []int{3, 1}, Val: []float64{0, 1, -1, 0}}, nil},
		"both of one row":    {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 1}, Row: []int{3}, Val: []float64{1, 1}}, nil},
		"one column, a pair": {Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 3}, Row: []int{3, 1, 2}, Val: []float64{1, 0, 1, 0, 0, 1}}, nil},
	} {
		if got := selection(&c.h); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

// TestManyColumnsFallBack: laws that the active sets do not know leave the system of the contacts to the globalised method.
func TestManyColumnsFallBack(t *testing.T) {
	shape := NewShape([4]float64{1, 0, 0, 0.5})
	p := chainProblem(3*(manyColumns/3+1), 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7), Shape: shape} })
	c, err := NewCondensed(context.Background(), p.M, p.H)
	if err != nil || c.primal == nil {
		t.Fatal(err)
	}
	h := c.small.H
	n := len(p.W)
	if h.Contacts() != n/3 || h.Rows != n || len(c.column) != n {
		t.Fatalf("%d contacts of %d rows", h.Contacts(), h.Rows)
	}
	y, u := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = float64(i*i%101) - 50
	}
	if h.MulTransAdd(u, y); !slices.Equal(u, y) {
		t.Errorf("Hᵀy is not y")
	}
	if ok := c.solvePrimal(context.Background(), p, 0, new(Options)); ok {
		t.Error("the active sets take a shape")
	}
	c.matrix()
	for i := range n {
		if k := c.small.M.Ptr[i]; c.small.M.Row[k] != i || c.small.M.Val[k] != c.primal.s.Data[i*(n+1)] {
			t.Fatalf("S_%d,%d is %g, want %g", i, i, c.small.M.Val[k], c.primal.s.Data[i*(n+1)])
		}
	}
}

// TestGlobalVerdicts: a reduction that was solved is judged on the whole problem, and one that was not keeps its error.
func TestGlobalVerdicts(t *testing.T) {
	p := diagonalProblem([3]float64{2, 2, 2}, [3]float64{0.1, 0, -1}, 0, Coulomb{Mu: 0.3})
	var exact Result
	if err := SolveGlobal(context.Background(), p, nil, nil, &exact); err != nil {
		t.Fatal(err)
	}
	reason := errors.New("why")
	for _, c := range []struct {
		what   string
		off    float64
		status Status
		merit  float64
		err    error
		want   Status
		keeps  bool
	}{
		{"solved", 0, Converged, 0, nil, Converged, false}, {"nearly", 1e-9, Converged, 0, nil, Converged, false}, {"not the whole", 1e-3, Converged, 0, nil, NumericalFailure, false},
		{"no way", 0, NoProgress, 1, reason, NoProgress, true}, {"cancelled", 0, Canceled, 0, reason, Canceled, true}, {"none", 0, Infeasible, 0, reason, Infeasible, true}, {"passes, and failed", 0, NoProgress, 0, reason, NumericalFailure, false},
	} {
		res := Result{Status: c.status, Merit: c.merit, V: slices.Clone(exact.V), R: slices.Clone(exact.R), U: make([]float64, 3), Worst: -1}
		res.V[0] += c.off
		err := complete(p, new(Options), &res, c.err)
		if (err == nil) != (c.want == Converged) || c.keeps && err != reason || res.Status != c.want {
			t.Errorf("%s: %v, %v", c.what, res.Status, err)
		}
		if math.Abs(res.U[0]-exact.U[0]) > 2*math.Abs(c.off) || math.Abs(res.U[1]-exact.U[1]) > 2*math.Abs(c.off) {
			t.Errorf("%s: u = %v, want %v", c.what, res.U, exact.U)
		}
		var e *Error
		if !c.keeps && err != nil && (!errors.As(err, &e) || e.Tolerance != globalTolerance || c.off > 0 && !(e.Merit > 1e-4)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	// At a tolerance as large as what is off.
	res := Result{Status: Converged, V: slices.Clone(exact.V), R: slices.Clone(exact.R), U: make([]float64, 3)}
	res.V[0] += 1e-3
	merit, _ := Residual(p, 0, res.V, res.R)
	if err := complete(p, &Options{Tolerance: merit}, &res, nil); err != nil {
		t.Error(err)
	}
	if complete(p, &Options{Tolerance: merit * 0.999}, &res, nil) == nil {
		t.Error("more than the tolerance passes")
	}
}

// TestLCPTolerances: a residual at the tolerance passes, and what no number is does not.
func TestLCPTolerances(t *testing.T) {
	p := &LCP{M: []float64{2}, Q: []float64{-4}} // z = 2
	var res LCPResult
	ws, err := new(LCPWorkspace).begin(p, nil, &res)
	if err != nil {
		t.Fatal(err)
	}
	ws.z[0] = 1.75 // |min(1.75/2, −.5/4)|
	if ws.offer(p, &res, "a") || res.Residual != 0.125 || res.Worst != 0 {
		t.Errorf("%+v", res)
	}
	ws.tolerance = 0.125
	ws.z[0] = 1
	if !ws.offer(p, &res, "b") {
		t.Error("what was kept does not pass at its own residual")
	}
	res.Residual, res.Status = math.Inf(1), Unsolved
	ws.z[0] = 1.75
	if !ws.offer(p, &res, "c") || res.Status != Converged {
		t.Errorf("%+v at its own residual", res)
	}
	for z, want := range map[float64]float64{2: 0, 1: 0.5, 3: 0.5, 0: 0} {
		q := p.Q[0]
		if z == 0 {
			p.Q[0], want = 4, 0
		}
		if got, _ := p.Residual([]float64{z}); got != want {
			t.Errorf("z = %g: %g, want %g", z, got, want)
		}
		p.Q[0] = q
	}
	if got, worst := p.Residual([]float64{math.NaN()}); got != math.Inf(1) || worst != 0 {
		t.Errorf("NaN: %g at %d", got, worst)
	}
	for _, c := range []struct{ q, m, w, z float64 }{{0, 0, 1, 1}, {0, 4, 1, .25}, {6, 0, 6, 6}, {6, 4, 6, 1.5}} {
		if w, z := lcpScales(c.q, c.m); w != c.w || z != c.z {
			t.Errorf("q of %g, M of %g: units %g and %g, want %g and %g", c.q, c.m, w, z, c.w, c.z)
		}
	}
	for _, c := range []struct {
		tol float64
		ok  bool
	}{{-1, false}, {1, false}, {0.999, true}, {1e-14, true}, {0, true}, {math.NaN(), false}} {
		if _, err := ws.begin(p, &Options{Tolerance: c.tol}, &res); (err == nil) != c.ok {
			t.Errorf("tolerance %g: %v", c.tol, err)
		}
	}
}
