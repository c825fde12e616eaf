package contact

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
)

// wideDraw is a problem of moments with a definite W: it has a solution, for the friction that a
// motion asks for is bounded by it.
func wideDraw(seed uint64) *Local {
	rng := rand.New(rand.NewPCG(seed, 1317))
	dim, nc := 4+int(seed%3), 2+rng.IntN(3)
	return randomProblem(rng, dim, nc, dim*nc+1, func() Law {
		x := Rolling{Mu: 0.1 + rng.Float64()}
		if dim != 5 {
			x.Spin = 0.1 + rng.Float64()
		}
		if dim != 4 {
			x.Resistance = 0.1 + rng.Float64()
		}
		return x
	})
}

// TestWideProximal: problems that sweeps and Newton's method leave are solved from proximal points.
func TestWideProximal(t *testing.T) {
	for _, seed := range []uint64{3063, 3969, 5190} {
		p := wideDraw(seed)
		var res Result
		if err := SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
			t.Errorf("seed %d: %s, %v", seed, res.Solver, err)
		}
	}
}

// TestLawsThatAreCoulombs: rolling without resistance and cohesion without cohesion are Coulomb's
// law to every solver, to the same bits; a pointer is the law that it points to.
func TestLawsThatAreCoulombs(t *testing.T) {
	for k := range 30 {
		var want []float64
		for _, law := range []Law{Coulomb{Mu: 0.4}, Rolling{Mu: 0.4}, Cohesive{Mu: 0.4}} {
			p := randomProblem(rand.New(rand.NewPCG(uint64(k), 3)), 2+k%2, 3, 12, func() Law { return law })
			var res Result
			if err := SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
				t.Fatalf("%T: %v", law, err)
			}
			if want == nil {
				want = res.R
			}
			if !slices.Equal(want, res.R) {
				t.Errorf("%T: r = %v, want %v", law, res.R, want)
			}
			if err := SolveLocal(context.Background(), p, &Options{Method: MethodInterior}, nil, new(Result)); err != nil {
				t.Errorf("%T in cones: %v", law, err)
			}
		}
	}
	for _, law := range []Law{Rolling{Mu: 1, Spin: 1}, Rolling{Mu: 1, Resistance: 1}, &Rolling{Mu: 1, Spin: 1},
		&Rolling{Mu: 1, Resistance: 1}} {
		if unit(law, -1, 0, 0).Validate() == nil || form.FormOf(law).Set != form.KindGeneral {
			t.Errorf("%+v is taken without moments", law)
		}
	}
	if form.FormOf(Cohesive{Mu: 1, Cohesion: 1}).Set != form.KindGeneral || unit(&Rolling{Mu: 1}, -1, 0, 0).Validate() != nil {
		t.Error("cohesion is a cone, or a pointer no law")
	}
}
