package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
)

// byMethods is a problem whose isotropic laws of Coulomb are known by their methods and their form
// alone: a pointer is no [Coulomb].
func byMethods(p *Local) *Local {
	q := &Local{W: p.W, Q: p.Q, Laws: slices.Clone(p.Laws)}
	for j, l := range q.Laws {
		if c, ok := l.(Coulomb); ok {
			q.Laws[j] = &c
		}
	}
	return q
}

// TestIsotropicToTheBit: what is done at once for the isotropic law of Coulomb is what its methods
// do, in iterates, verdicts and counts, with other laws beside it, in the plane and in space.
func TestIsotropicToTheBit(t *testing.T) {
	skew := NewShape([4]float64{1, 0.3, -0.2, 0.4})
	rng := rand.New(rand.NewPCG(7, 8))
	ws, methods := new(LocalWorkspace), new(LocalWorkspace)
	for k := range 60 {
		dim, kind := 2+k%2, k/2%3
		p := randomProblem(rng, dim, 4, 10, func() Law {
			switch mu := rng.Float64(); {
			case kind == 1 && mu < .3:
				return Frictionless{}
			case kind == 2 && dim == 3 && mu < .5:
				return Coulomb{Mu: mu, Shape: skew}
			default:
				return Coulomb{Mu: mu}
			}
		})
		var a, b Result
		ws.Forget()
		methods.Forget()
		errA := SolveLocal(context.Background(), p, nil, ws, &a)
		errB := SolveLocal(context.Background(), byMethods(p), nil, methods, &b)
		if (errA == nil) != (errB == nil) || a.Iterations != b.Iterations || !slices.Equal(a.R, b.R) || !slices.Equal(a.U, b.U) {
			t.Fatalf("problem %d: %v and %v, r %v and %v", k, errA, errB, a.R, b.R)
		}
		for name, x := range map[string][2]float64{
			"merit": {a.Merit, b.Merit}, "unit-free": {a.UnitFree, b.UnitFree}, "primal": {a.Primal, b.Primal},
			"dual": {a.Dual, b.Dual}, "gap": {a.Gap, b.Gap}, "distance": {a.Distance, b.Distance},
		} {
			if x[0] != x[1] {
				t.Errorf("problem %d: %s %g and %g", k, name, x[0], x[1])
			}
		}
		// Far from a solution too, where motions close and reactions leave their cones.
		rho := form.Steps(nil, p.W)
		for i := range a.R {
			a.R[i] = 2*rng.Float64() - 1
		}
		copy(b.R, a.R)
		mem := new([3]vec3)
		p.Assess(mem, rho, &a, 1e-6)
		byMethods(p).Assess(mem, rho, &b, 1e-6)
		if a.Primal != b.Primal || a.Dual != b.Dual || a.Gap != b.Gap || a.Distance != b.Distance || a.Merit != b.Merit {
			t.Errorf("problem %d: away from a solution %v and %v", k,
				[]float64{a.Primal, a.Dual, a.Gap, a.Distance, a.Merit}, []float64{b.Primal, b.Dual, b.Gap, b.Distance, b.Merit})
		}
	}
}

// TestOpenedByTheData: where q opens all contacts nothing is iterated, and one that closes by more
// than the tolerance is seen whichever it is.
func TestOpenedByTheData(t *testing.T) {
	for _, law := range []Law{Coulomb{Mu: .3}, Frictionless{}} {
		for closing := -1; closing < 3; closing++ {
			p := &Local{W: &Dense{D: 2, N: 6, Val: make([]float64, 36)}, Q: make([]float64, 6), Laws: []Law{law, law, law}}
			for i := range p.Q {
				p.W.(*Dense).Val[7*i] = 1
				p.Q[i] = 1
			}
			if closing >= 0 {
				p.Q[2*closing] = -1e-6 // the tolerance is 1e-8 of √6
			}
			var res Result
			if err := SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
				t.Fatal(err)
			}
			if (res.Iterations == 0) != (closing < 0) {
				t.Errorf("%T, contact %d closes: %d iterations", law, closing, res.Iterations)
			}
			if closing >= 0 && math.Abs(res.R[2*closing]-1e-6) > 1e-12 { // u_N = 0, friction too small to hold
				t.Errorf("%T, contact %d closes: r %v", law, closing, res.R)
			}
		}
	}
}

// TestShapesAreForgotten: a workspace that had anisotropic laws solves isotropic ones and mixtures
// as a new one.
func TestShapesAreForgotten(t *testing.T) {
	skew := NewShape([4]float64{1, 0.3, -0.2, 0.4})
	rng := rand.New(rand.NewPCG(9, 10))
	p := randomProblem(rng, 3, 4, 12, func() Law { return Coulomb{Mu: .4} })
	laws := [][]Law{
		{Coulomb{Mu: .4, Shape: skew}, Coulomb{Mu: .4, Shape: skew}, Coulomb{Mu: .4, Shape: skew}, Frictionless{}},
		{Coulomb{Mu: .4}, Coulomb{Mu: .4}, Coulomb{Mu: .4}, Coulomb{Mu: .4}},
		{Coulomb{Mu: .4}, Coulomb{Mu: .4}, Frictionless{}, Coulomb{Mu: .4, Shape: skew}},
	}
	ws := new(LocalWorkspace)
	for k, list := range laws {
		p.Laws = list
		var old, fresh Result
		ws.Forget()
		if err := SolveLocal(context.Background(), p, nil, ws, &old); err != nil {
			t.Fatal(err)
		}
		if err := SolveLocal(context.Background(), p, nil, new(LocalWorkspace), &fresh); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(old.R, fresh.R) {
			t.Errorf("laws %d: %v, in a new workspace %v", k, old.R, fresh.R)
		}
	}
}
