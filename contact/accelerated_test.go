package contact

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestAcceleratedSweeps: the pile that plain sweeps take thousands for ends in some
// hundred, at the same motion, and on each run at the same bits.
func TestAcceleratedSweeps(t *testing.T) {
	p := spherePile(heap(80, 3), 0.02, 0.3, nil)
	run := func(method localMethod) (r, u []float64, iterations int) {
		var ws LocalWorkspace
		var res Result
		ws.prepare(p)
		res.Allocate(len(p.Q), len(p.Laws))
		ws.rho = form.Steps(ws.rho, p.W)
		s := &localRun{ws: &ws, c: &ws.c, ctx: context.Background(), o: new(Options), res: &res, p: p, want: 1e-9, tol: 1e-9, bestMerit: num.Inf, limit: 20000}
		clear(ws.r)
		if status := method(s, 20000); status != Converged {
			t.Fatalf("%v after %d sweeps, merit %g", status, s.iterations, s.bestMerit)
		}
		s.c.expand(res.R, ws.best)
		p.Motion(res.U, res.R)
		return res.R, res.U, s.iterations
	}
	_, plainU, plain := run((*localRun).gaussSeidel)
	r, u, accelerated := run((*localRun).acceleratedSweeps)
	again, _, _ := run((*localRun).acceleratedSweeps)
	if !slices.Equal(r, again) {
		t.Error("two runs differ")
	}
	if accelerated > plain/2 {
		t.Errorf("%d accelerated sweeps, %d plain ones", accelerated, plain)
	}
	scale := num.Norm(p.Q)
	for i := range u { // both merits are 1e-9 in scaled units
		if d := u[i] - plainU[i]; d > 1e-6*scale || d < -1e-6*scale {
			t.Fatalf("u[%d] = %g, plain sweeps %g", i, u[i], plainU[i])
		}
	}
}

// TestColours: contacts of one colour are not coupled, each has one, and a sweep gives
// the same bits with any number of workers.
func TestColours(t *testing.T) {
	p := grid(70) // 4,900 contacts
	var ws LocalWorkspace
	ws.prepare(p)
	o, c := &ws.colours, &ws.c
	if !o.usable {
		t.Fatal("not coloured")
	}
	seen, colour := make([]bool, c.nc), make([]int, c.nc)
	from := int32(0)
	for k, end := range o.ends {
		for ; from < end; from++ {
			first := int32(0)
			if from > 0 {
				first = o.chunks[from-1]
			}
			for _, i := range o.order[first:o.chunks[from]] {
				if seen[i] {
					t.Fatalf("contact %d twice", i)
				}
				seen[i], colour[i] = true, k
			}
		}
	}
	if slices.Contains(seen, false) {
		t.Error("a contact without colour")
	}
	for i := range c.nc {
		for _, j := range c.col[c.ptr[i]:c.ptr[i+1]] {
			if int(j) != i && colour[i] == colour[j] {
				t.Fatalf("contacts %d and %d of one colour are coupled", i, j)
			}
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []vec3
	for _, workers := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(workers)
		ws.prepare(p) // a contact remembers where its last root was
		r := make([]vec3, c.nc)
		var change, size float64
		for range 5 {
			change, size = o.sweep(c, r)
		}
		r = append(r, vec3{change, size})
		if first == nil {
			first = r
		}
		if !slices.Equal(first, r) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

// grid is n×n contacts, each coupled to its four neighbours.
func grid(n int) *Local {
	b := &Blocks{D: 3, Ptr: []int{0}}
	q, laws := []float64(nil), []Law(nil)
	for i := range n * n {
		for _, j := range []int{i - n, i - 1, i, i + 1, i + n} {
			if j < 0 || j >= n*n || (j == i-1 && i%n == 0) || (j == i+1 && j%n == 0) {
				continue
			}
			v := -0.2
			if j == i {
				v = 1
			}
			b.Col = append(b.Col, j)
			b.Val = append(b.Val, v, 0, 0, 0, v, 0, 0, 0, v)
		}
		b.Ptr = append(b.Ptr, len(b.Col))
		q, laws = append(q, -1+float64(i%3), 0.3*float64(i%5-2), 0.1), append(laws, Coulomb{Mu: 0.4})
	}
	return &Local{W: b, Q: q, Laws: laws}
}

// TestJointsAsContacts: a problem with joints has the same motion whether the joints
// are eliminated or enter as bilateral contacts.
func TestJointsAsContacts(t *testing.T) {
	p := hangingPair()
	d, err := delassus.NewDelassus(p)
	if err != nil {
		t.Fatal(err)
	}
	var eliminated, whole Result
	if err := SolveLocal(context.Background(), d.Local, nil, nil, &eliminated); err != nil {
		t.Fatal(err)
	}
	if err := SolveGlobal(context.Background(), p, nil, nil, &whole); err != nil {
		t.Fatal(err)
	}
	v, lambda := d.Velocity(nil, eliminated.R), d.Lambda(nil, eliminated.R)
	for i := range v {
		if x := v[i] - whole.V[i]; x > 1e-7 || x < -1e-7 { // tolerance 1e-8 of motions of size 1
			t.Errorf("v[%d] = %g as contacts, %g eliminated", i, whole.V[i], v[i])
		}
	}
	if len(whole.Lambda) != 3 || len(whole.R) != 3 || len(whole.U) != 3 || len(whole.Residuals) != 1 {
		t.Fatalf("%d reactions of joints, %d of contacts", len(whole.Lambda), len(whole.R))
	}
	for i := range lambda {
		if x := lambda[i] - whole.Lambda[i]; x > 1e-7 || x < -1e-7 {
			t.Errorf("lambda[%d] = %g as a contact, %g eliminated", i, whole.Lambda[i], lambda[i])
		}
	}
}

// hangingPair is two points of masses 1 and 2 that move as one, the first on the
// ground: 6 N press, so that friction of at most 3 N holds a push of 3.04 N back.
func hangingPair() *Global {
	m := sparse.NewBuilder(6).Build()
	for i, x := range []float64{1, 1, 1, 2, 2, 2} {
		m.AddAt(i, i, x)
	}
	return &Global{M: m, F: []float64{3, 0, -5, 0, 0.5, -1},
		H: &Jacobian{Dim: 3, Rows: 6, Ptr: []int{0, 3}, Row: []int{0, 1, 2}, Val: []float64{0, 1, 0, 0, 0, 1, 1, 0, 0}},
		W: make([]float64, 3), Laws: []Law{Coulomb{Mu: 0.5}},
		G: &Columns{Rows: 6, Ptr: []int{0, 2, 4, 6}, Row: []int{0, 3, 1, 4, 2, 5}, Val: []float64{1, -1, 1, -1, 1, -1}},
		B: make([]float64, 3)}
}
