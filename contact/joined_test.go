package contact

import (
	"context"
	"runtime"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/sparse"
)

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

// onWorkers sets the number of workers until the test ends.
func onWorkers(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}
