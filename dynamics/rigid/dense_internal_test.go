package rigid

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBordered: with geometric stiffness that takes the definiteness from A, the full matrix gives d and λ of A d + Gᵀλ = x,
// G̃ d = target, for bodies of the plane and of space; without it, what is tested for definiteness is A without it.
func TestBordered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	bordered, refused := 0, 0
	for trial := range 200 {
		n, lin := 3, 2
		if trial%2 == 1 {
			n, lin = 6, 3
		}
		const nb, m = 3, 4
		inv := &inverse{dense: &denseInverse{}}
		inv.resize(nb*n, m)
		inv.keep, inv.gone = nil, nil
		size := inv.n
		a := make([]float64, size*size)
		for b := range nb {
			k := block{v: b * n, n: n, lin: lin, turned: b != 1, weight: .5, pull: float64(b)}
			for i := range k.geo {
				k.geo[i] = 20 * r.NormFloat64()
			}
			for i := range n {
				inv.mass[b*n+i] = 1 + r.Float64()
				a[(k.v+i)*size+k.v+i] += inv.mass[b*n+i]
				if i < lin {
					a[(k.v+i)*size+k.v+i] += k.weight * k.pull
				} else if k.turned && lin == 2 {
					a[(k.v+i)*size+k.v+i] += k.weight * k.geo[8]
				} else if k.turned {
					for j := range 3 {
						a[(k.v+i)*size+k.v+3+j] += k.weight * k.geo[3*(i-3)+j]
					}
				}
			}
			inv.blocks = append(inv.blocks, k)
		}
		soft := 0.0 // a force that has no definite tangent itself
		if trial%10 == 9 {
			soft = 3
		}
		a[0] -= soft
		for k := range m {
			x := band{a: k % nb, va: (k % nb) * n, na: n, b: -1}
			if k > 0 {
				x.b, x.vb, x.nb = (k+1)%nb, ((k+1)%nb)*n, n
			}
			for i := range n {
				x.onA[i], x.onB[i] = r.NormFloat64(), r.NormFloat64()
				x.ofA[i], x.ofB[i] = x.onA[i]+.1*r.NormFloat64(), x.onB[i]+.1*r.NormFloat64()
			}
			inv.bands = append(inv.bands, x)
		}
		inv.dense.a = append([]float64(nil), a...)
		if err := inv.factor(); err != nil {
			if soft == 0 {
				t.Fatalf("trial %d: %v", trial, err)
			}
			refused++
			continue
		}
		if soft > 0 {
			t.Fatal("a tangent that is not definite was taken")
		}
		if inv.dense.bordered {
			bordered++
		}
		x, target := make([]float64, size), make([]float64, m)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range target {
			target[i] = r.NormFloat64()
		}
		for _, held := range []bool{false, true} {
			d, goal := append([]float64(nil), x...), target
			if held { // w − A⁻¹Gᵀλ with G̃ w = target: the right side is A w
				inv.hold(d, target)
			} else if inv.whole(d, target); trial%3 == 0 {
				copy(d, x)
				inv.respond(d)
				goal = make([]float64, m)
			}
			left := make([]float64, size)
			for i := range left {
				for j := range d {
					if held {
						left[i] += a[i*size+j] * (d[j] - x[j])
					} else {
						left[i] += a[i*size+j] * d[j]
					}
				}
				if !held {
					left[i] -= x[i]
				}
			}
			for k := range inv.bands {
				inv.bands[k].push(left, inv.bands[k].multiplier)
				if off := inv.bands[k].slope(d) - goal[k]; math.Abs(off) > 1e-9 { // matrices of condition 1e4
					t.Fatalf("trial %d, held %t: a joint is off by %g", trial, held, off)
				}
			}
			for _, e := range left {
				if math.Abs(e) > 1e-9 {
					t.Fatalf("trial %d, held %t: %g is left of the motion", trial, held, e)
				}
			}
		}
	}
	if bordered < 50 || bordered > 150 || refused != 20 {
		t.Errorf("%d matrices with a border, %d refused", bordered, refused)
	}
}
