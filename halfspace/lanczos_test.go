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
