package contact

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/law"
)

// unit is one contact of mobility 1 in all directions.
func unit(l Law, q ...float64) *Local {
	n := len(q)
	w := &Dense{D: n, N: n, Val: make([]float64, n*n)}
	for i := range n {
		w.Val[i*(n+1)] = 1
	}
	return &Local{W: w, Q: q, Laws: []Law{l}}
}

// TestCohesiveByHand: the modes of a contact with cohesion 2, μ = 1/2, tension 1.
func TestCohesiveByHand(t *testing.T) {
	l := Cohesive{Mu: 0.5, Cohesion: 2, Tension: 1}
	for _, c := range []struct {
		name string
		q, r []float64
	}{
		{"held against a weak pull", []float64{0.5, 0, 0}, []float64{-0.5, 0, 0}},
		{"pulled off", []float64{3, 0, 0}, []float64{-1, 0, 0}},
		{"sticks", []float64{-1, 2, 0}, []float64{1, -2, 0}},
		// r_N = 1, friction 2 + 1/2.
		{"slips under pressure", []float64{-1, 4, 0}, []float64{1, -2.5, 0}},
		// r_N = −1/2, friction 2 − 1/4.
		{"slips under tension", []float64{0.5, 0, -4}, []float64{-0.5, 0, 1.75}},
		// the corner: r_N = −1, friction 3/2.
		{"pulled off in slip", []float64{3, 3, 0}, []float64{-1, -1.5, 0}},
	} {
		for _, dim := range []int{2, 3} {
			if dim == 2 && c.q[2] != 0 {
				continue
			}
			for _, m := range []Method{MethodAuto, MethodGaussSeidel, MethodNewton, MethodADMM, MethodProximal} {
				var res Result
				if err := SolveLocal(context.Background(), unit(l, c.q[:dim]...), &Options{Tolerance: 1e-11, Method: m},
					nil, &res); err != nil {
					t.Errorf("%s, %d dimensions, %v: %v", c.name, dim, m, err)
					continue
				}
				for k, r := range res.R {
					if math.Abs(r-c.r[k]) > 1e-9 {
						t.Errorf("%s, %d dimensions, %v: r = %v, want %v", c.name, dim, m, res.R, c.r)
						break
					}
				}
			}
		}
	}
	// What cannot take the law says so.
	for _, m := range []Method{MethodInterior, MethodCone, MethodPath, MethodLemke} {
		err := SolveLocal(context.Background(), unit(l, -1, 0), &Options{Method: m}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), "Cohesive") {
			t.Errorf("%v of a cohesive law: %v", m, err)
		}
	}
}

// TestCohesiveProjection holds the projection against the variational inequality
// (p − Pp)·(x − Pp) ≤ 0 for x of K, and its derivative against differences.
func TestCohesiveProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for range 3000 {
		l := Cohesive{Mu: 2 * rng.Float64(), Cohesion: rng.Float64()}
		l.Tension = rng.Float64() * min(l.Cohesion/l.Mu, 3)
		if err := l.Validate(); err != nil {
			t.Fatal(err)
		}
		p, x := randomVec(rng), randomVec(rng)
		var r, e vec3
		var jac mat3
		l.Project(&r, &jac, &p)
		if tau := math.Hypot(r[1], r[2]); tau > l.Cohesion+l.Mu*r[0]+1e-12 || r[0] < -l.Tension {
			t.Fatalf("%+v: %v projects on %v, outside", l, p, r)
		}
		l.Project(&e, nil, &x)
		s := 0.0
		for k := range 3 {
			s += (p[k] - r[k]) * (e[k] - r[k])
		}
		if s > 1e-12 {
			t.Fatalf("%+v: %v projects on %v, but %v is nearer by %g", l, p, r, e, s)
		}
		const h = 1e-6
		for k := range 3 {
			up, down := p, p
			up[k] += h
			down[k] -= h
			l.Project(&up, nil, &up)
			l.Project(&down, nil, &down)
			for i := range 3 {
				bend := up[i] + down[i] - 2*r[i] // a kink within h
				if d := (up[i] - down[i]) / (2 * h); math.Abs(d-jac[3*i+k]) > 1e-6+math.Abs(bend)/h {
					t.Fatalf("%+v at %v: ∂P_%d/∂p_%d = %g, differences %g", l, p, i, k, jac[3*i+k], d)
				}
			}
		}
	}
}

// TestCompliantIsASpring compares with the closed form r = −h(k(δ + hu) + du), and the
// rigid limit to the last bit.
func TestCompliantIsASpring(t *testing.T) {
	const h, k, d, gap = 0.01, 3e4, 20.0, -1e-3
	l := Compliant{Law: Coulomb{Mu: 0.5}, Compliance: 1 / k, Damping: d, Step: h, Gap: gap}
	p := unit(l, -0.1, 0.02, 0)
	var res Result
	if err := SolveLocal(context.Background(), p, &Options{Tolerance: 1e-12}, nil, &res); err != nil {
		t.Fatal(err)
	}
	if want := -h * (k*(gap+h*res.U[0]) + d*res.U[0]); math.Abs(res.R[0]-want) > 1e-12*want {
		t.Errorf("the spring presses by %g, want %g", res.R[0], want)
	}
	if u := res.R[0] + p.Q[0]; math.Abs(res.U[0]-u) > 1e-15 {
		t.Errorf("u = %g, want W r + q = %g", res.U[0], u)
	}
	if m, _ := p.Merit(make([]float64, 3), nil, res.R); m > 1e-12 {
		t.Errorf("merit %g", m)
	}
	var rigid, limit Result
	if err := errors.Join(SolveLocal(context.Background(), unit(Coulomb{Mu: 0.5}, -0.1, 0.02, 0), nil, nil, &rigid),
		SolveLocal(context.Background(), unit(Compliant{Law: Coulomb{Mu: 0.5}, Damping: d, Step: h}, -0.1, 0.02, 0),
			nil, nil, &limit)); err != nil {
		t.Fatal(err)
	}
	for i := range rigid.R {
		if rigid.R[i] != limit.R[i] {
			t.Errorf("without compliance r = %v, rigid %v", limit.R, rigid.R)
			break
		}
	}
}

// TestMixedLaws puts every law in one problem, solved by the default to the verdict.
func TestMixedLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	all := []func() Law{
		func() Law { return Frictionless{} }, func() Law { return Bilateral{} }, func() Law { return Coulomb{Mu: 0.3} },
		func() Law { return Associated{Mu: 0.3} }, func() Law { return Pyramid{Mu: 0.3, Facets: 6} },
		func() Law { return Tresca{Threshold: 0.2} },
		func() Law { return Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1} },
		func() Law { return Compliant{Law: Coulomb{Mu: 0.3}, Compliance: 0.1} },
	}
	for k := range 40 {
		next := 0
		p := randomProblem(rng, 3, 8, 30, func() Law { next++; return all[(next-1)%len(all)]() })
		var res Result
		if err := SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
			t.Errorf("problem %d: %v", k, err)
		}
		for j, l := range p.Laws { // and each law is read back from its JSON form
			data, err := law.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := law.Unmarshal(data); err != nil || back != l {
				t.Fatalf("law %d: %s is read as %#v: %v", j, data, back, err)
			}
		}
	}
}
