package halfspace

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestBounds: the ends of the spectrum by products are those of the dense matrix.
func TestBounds(t *testing.T) {
	o := newTestOperator(t, Centred(9, 7, 0.1, 0.12), Patches{pair(t, Elastic{Young: 1, Poisson: 0.1}, Elastic{Young: 9, Poisson: 0.3})})
	b, err := o.Bounds(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	n := o.grid.Len()
	c := mat.NewSymDense(3*n, nil)
	for r := range 3 {
		for s := range 3 {
			for k := range n {
				for l := range n {
					if r*n+k <= s*n+l {
						c.SetSym(r*n+k, s*n+l, o.Entry(r, s, k, l))
					}
				}
			}
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(c, false) {
		t.Fatal("no eigenvalues")
	}
	v := eig.Values(nil)
	near(t, "largest", b.Largest, v[len(v)-1], 1e-9*v[len(v)-1])
	near(t, "least", b.Least, v[0], 0.05*v[0]) // the lower end is dense
	if v[0] <= 0 {
		t.Errorf("C is indefinite: %g", v[0])
	}
}

// TestResume: an evolution that is saved and loaded goes on with the same bits.
func TestResume(t *testing.T) {
	run := func(stop int) *Evolution {
		g := Centred(21, 21, 0.02, 0.02)
		c, _ := ElasticOnRigid(Elastic{Young: 1, Poisson: 0.2})
		start := func() *Evolution {
			return NewEvolution(newTestOperator(t, g, Patches{c}), Problem{Gap: sphere(g, 0.5), Coefficient: constant(g.Len(), 0.3)}, nil)
		}
		e := start()
		for k := range 6 {
			if k == stop {
				var s State
				e.Save(&s)
				e = start()
				if err := e.Load(&s); err != nil {
					t.Fatal(err)
				}
			}
			d := Drive{Roll: [2]float64{0.01 * float64(k%2)}}
			d.Control[MoveN] = Control{true, 1e-4 * float64(k+1)}
			d.Control[MoveX] = Control{Value: 2e-4 * float64(k)}
			if err := e.Step(context.Background(), d); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	a, b := run(-1), run(3)
	if a.Ledger() != b.Ledger() || !same(a.Result().P, b.Result().P) || a.Move() != b.Move() {
		t.Errorf("resumed: %+v, want %+v", b.Ledger(), a.Ledger())
	}
}
