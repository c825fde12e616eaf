package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// TestStatesOfContacts: what a contact does at (r, u), with ρ = 2 and a size of 1e8 (so that one is nothing), and whether it could do
// something else.
func TestStatesOfContacts(t *testing.T) {
	skew := NewShape([4]float64{2, 0, 0, 1})
	for _, c := range []struct {
		what  string
		law   Law
		r, u  vec3
		state State
		edge  bool
	}{
		{"joint", Bilateral{}, vec3{-1e9, 0, 0}, vec3{}, StateStick, false},
		{"carries", Frictionless{}, vec3{2, 0, 0}, vec3{}, StateSlip, false},
		{"carries next to nothing", Frictionless{}, vec3{1, 0, 0}, vec3{}, StateSlip, true},
		{"open", Frictionless{}, vec3{}, vec3{0.6, 0, 0}, StateOpen, false},
		{"hardly open", Frictionless{}, vec3{}, vec3{0.5, 0, 0}, StateOpen, true},
		{"touches", Frictionless{}, vec3{}, vec3{}, StateOpen, true},
		{"as much of both", Frictionless{}, vec3{4, 0, 0}, vec3{2, 0, 0}, StateOpen, false},
		{"open", Coulomb{Mu: 1}, vec3{}, vec3{0.6, 0, 0}, StateOpen, false},
		{"hardly open", Coulomb{Mu: 1}, vec3{}, vec3{0.5, 0, 0}, StateOpen, true},
		{"as much of both", Coulomb{Mu: 1}, vec3{4, 0, 0}, vec3{2, 0, 0}, StateOpen, false},
		{"open, with rounding of a force", Coulomb{Mu: 1}, vec3{1, 0, 0}, vec3{0.501, 0, 0}, StateOpen, false},
		{"carries little, and hardly opens", Coulomb{Mu: 1}, vec3{1, 0, 0}, vec3{0.4, 0, 0}, StateStick, false},
		{"open, with rounding of a normal force", Coulomb{Mu: 1}, vec3{1, -1.5, 0}, vec3{0.501, 0, 0}, StateOpen, false},
		{"pressed, and open by rounding", Coulomb{Mu: 1}, vec3{3, 0, 0}, vec3{0.6, 0, 0}, StateStick, false},
		{"slips", Coulomb{Mu: 1}, vec3{2, -2, 0}, vec3{0, 0.6, 0}, StateSlip, false},
		{"slips with next to nothing", Coulomb{Mu: 1}, vec3{1, -1, 0}, vec3{0, 0.6, 0}, StateSlip, true},
		{"slips too little to say", Coulomb{Mu: 1}, vec3{2, -2, 0}, vec3{0, 0.5, 0}, StateStick, true},
		{"sticks", Coulomb{Mu: 1}, vec3{1e9, 0, 9e8}, vec3{}, StateStick, false},
		{"sticks at its limit", Coulomb{Mu: 1}, vec3{1e9, 0, 1e9}, vec3{}, StateStick, true},
		{"sticks at its limit but for rounding", Coulomb{Mu: 1}, vec3{1e9, 1e9 - 9, 0}, vec3{}, StateStick, true},
		{"sticks near its limit", Coulomb{Mu: 1}, vec3{1e9, 1e9 - 11, 0}, vec3{}, StateStick, false},
		{"a small one at its limit", Coulomb{Mu: 1}, vec3{100, 100 - 0.9e-4, 0}, vec3{}, StateStick, true},
		{"a small one near its limit", Coulomb{Mu: 1}, vec3{100, 100 - 1.1e-4, 0}, vec3{}, StateStick, false},
		{"by a threshold", Tresca{Threshold: 100}, vec3{}, vec3{0, 0, 0.6}, StateSlip, false},
		{"holds", Tresca{Threshold: 100}, vec3{0, 50, 50}, vec3{5, 0, 0}, StateStick, false},
		{"holds at its limit", Tresca{Threshold: 100}, vec3{0, 60, 80}, vec3{5, 0, 0}, StateStick, true},
		// ‖(m_3 x − m_2 y, m_0 y − m_1 x)/det‖ = |(x/2, y)|.
		{"of a shape", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 2e9, 0}, vec3{}, StateStick, true},
		{"of a shape, far", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 1.9e9, 0}, vec3{}, StateStick, false},
		{"of a shape, across", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 0, 1e9}, vec3{}, StateStick, true},
		{"slips by ‖Su‖", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 0, 0}, vec3{0, 0.3, 0}, StateSlip, false},
		{"any other", Associated{Mu: 1}, vec3{2, 0, 0}, vec3{}, StateOther, false},
	} {
		if state, edge := stateOf(c.law, &c.r, &c.u, 2, 1e8); state != c.state || edge != c.edge {
			t.Errorf("%T %s: %v, on an edge: %t", c.law, c.what, state, edge)
		}
	}
	rng := rand.New(rand.NewPCG(171, 3))
	for range 20 {
		m := [4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		s := NewShape(m)
		a := 2 * math.Pi * rng.Float64()
		x, y, size := math.Cos(a), math.Sin(a), 3*rng.Float64()
		// Sᵀ(x, y), of a unit vector, is on the edge of Sᵀ·ball.
		if got := dualNorm(&s, size*(m[0]*x+m[2]*y), size*(m[1]*x+m[3]*y)); math.Abs(got-size) > 1e-10*size {
			t.Errorf("dual norm %g, want %g", got, size)
		}
	}
	flat, plain := NewShape([4]float64{1, 2, 2, 4}), Shape{}
	if dualNorm(&flat, 3, 4) != 5 || dualNorm(&plain, 3, 4) != 5 {
		t.Error("dual norms of the circle")
	}
}

// TestWaysToEdges: where a line meets zero, and where one leaves a disc that grows.
func TestWaysToEdges(t *testing.T) {
	for _, c := range []struct{ x, d, want float64 }{{3, -2, 1.5}, {3, 0, inf}, {3, 1, inf}, {0, -1, 0}, {-2, -1, 0}} {
		if got := root(c.x, c.d); got != c.want {
			t.Errorf("%g + t·%g: %g, want %g", c.x, c.d, got, c.want)
		}
	}
	for _, c := range []struct{ x, y, dx, dy, l, dl, want float64 }{
		{0, 0, 1, 0, 2, 0, 2}, {0, 0, 3, 4, 5, 0, 1}, {1, 0, 1, 0, 2, 0, 1}, {1, 0, -1, 0, 2, 0, 3}, {0, 0, 1, 0, 2, 1, inf}, {0, 0, 1, 0, 2, 0.5, 4}, {0, 0, 1, 0, 2, -1, 1}, {2, 0, 1, 0, 2, 0, 0}, {3, 0, -1, 0, 2, 0, 0},
		{0, 0, 0, 0, 2, 0, inf}, {0, 0, 0, 0, 2, -1, 2}, {1, 0, 0, 0, 2, -0.5, 2}, {1, 0, 1, 0, 2, 1, inf}, {-1, 0, 1, 0, 2, 1, inf}, {1, 0, -1, 0, 2, -1, inf}, {0, 1, 0, 1, 2, -1, 0.5}, {1, 0, 0, 0, 2, 3, inf}, {0, 0, 0.5, 0, 2, -1.5, 1},
	} {
		got := leaves(c.x, c.y, c.dx, c.dy, c.l, c.dl)
		want := c.want
		if c.x == 1 && c.dx == -1 && c.dl == -1 { // |1 − t| = 2 − t at t = 1.5
			want = 1.5
		}
		if got != want && !(math.Abs(got-want) < 1e-14) {
			t.Errorf("%+v: leaves at %g, want %g", c, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(172, 3))
	for range 200 {
		x, y, dx, dy, l, dl := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 3*rng.Float64(), rng.NormFloat64()
		got := leaves(x, y, dx, dy, l, dl)
		room := func(t float64) float64 { return l + t*dl - math.Hypot(x+t*dx, y+t*dy) }
		switch {
		case room(0) <= 0:
			if got != 0 {
				t.Errorf("outside: %g", got)
			}
		case math.IsInf(got, 1):
			for k := range 100 {
				if at := math.Pow(1.3, float64(k-40)); room(at) < -1e-9*at {
					t.Fatalf("outside at %g, and never leaves", at)
				}
			}
		default:
			if math.Abs(room(got)) > 1e-9*(1+got) {
				t.Errorf("room %g at %g", room(got), got)
			}
			for k := range 20 {
				if room(got*float64(k)/20) < -1e-12 {
					t.Errorf("outside before %g", got)
				}
			}
		}
	}
}

// TestReachByHand: the first change of state along derivatives, of each state and law.
func TestReachByHand(t *testing.T) {
	for _, c := range []struct {
		what         string
		law          Law
		state        State
		r, u, dr, du []float64
		want         float64
	}{
		{"closes", Coulomb{Mu: 1}, StateOpen, []float64{0, 0, 0}, []float64{3, 0, 0}, []float64{0, 0, 0}, []float64{-2, 5, 5}, 1.5},
		{"opens on", Coulomb{Mu: 1}, StateOpen, []float64{0, 0, 0}, []float64{3, 0, 0}, []float64{0, 0, 0}, []float64{2, 0, 0}, inf},
		{"leaves", Frictionless{}, StateSlip, []float64{4, 0, 0}, []float64{0, 1, 0}, []float64{-2, 0, 0}, []float64{0, -9, 0}, 2},
		{"comes to rest", Coulomb{Mu: .5}, StateSlip, []float64{4, -1.2, -1.6}, []float64{0, 3, 4}, []float64{-1, 0, 0}, []float64{0, -1.2, -1.6}, 2.5},
		{"leaves while it slips", Coulomb{Mu: .5}, StateSlip, []float64{4, -1.2, -1.6}, []float64{0, 3, 4}, []float64{-4, 0, 0}, []float64{0, -1.2, -1.6}, 1},
		{"begins to slip", Coulomb{Mu: .5}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{0, 2, 0}, []float64{0, 0, 0}, .5},
		{"as it is pressed less", Coulomb{Mu: .5}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 0, 0}, []float64{0, 0, 0}, 2},
		{"of a threshold", Tresca{Threshold: 2}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{0, 0, 0}, 1},
		{"of a threshold, open", Tresca{Threshold: 2}, StateStick, []float64{0, 0, 0}, []float64{.5, 0, 0}, []float64{0, 1, 0}, []float64{-1, 0, 0}, .5},
		{"of a threshold, leaves", Tresca{Threshold: 2}, StateStick, []float64{.25, 0, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{-9, 0, 0}, .25},
		{"a joint", Bilateral{}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{0, 0, 0}, inf},
		{"any other", Associated{Mu: 1}, StateOther, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{0, 0, 0}, inf},
	} {
		s := &Sensitivity{p: &Local{Laws: []Law{Bilateral{}, c.law}}, dim: 3, r: append(make([]float64, 3), c.r...), u: append(make([]float64, 3), c.u...), State: []State{StateStick, c.state}}
		got, j := s.Reach(append(make([]float64, 3), c.dr...), append(make([]float64, 3), c.du...))
		if got != c.want && !(math.Abs(got-c.want) < 1e-14) || (j == 1) == math.IsInf(got, 1) {
			t.Errorf("%s: %g at contact %d, want %g", c.what, got, j, c.want)
		}
	}
}

// TestLinearisedContacts: E and B of each state are the derivatives of the equations they stand for, and those of laws without states
// of the natural map, by differences; with the part by the coefficient.
func TestLinearisedContacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(173, 3))
	skew := NewShape([4]float64{1.2, 0.3, -0.2, 0.5})
	withMu := func(l Law, d float64) Law {
		switch l := l.(type) {
		case Coulomb:
			l.Mu += d
			return l
		case Tresca:
			l.Threshold += d
			return l
		}
		other, _ := withBound(l, formOf(l).Bound+d)
		return other
	}
	for k := range 60 {
		law := []Law{Coulomb{Mu: 0.4}, Tresca{Threshold: 0.7}, Frictionless{}, Coulomb{Mu: 0.3, Shape: skew}, Associated{Mu: 0.6}, Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1}}[k%6]
		r, u := randomVec(rng), randomVec(rng)
		r[0] = math.Abs(r[0]) + 3
		u[0] = 0
		const rho = 1.7
		state := []State{StateOpen, StateStick, StateSlip}[k/6%3]
		if k%6 >= 4 {
			state = StateOther
		}
		s := &Sensitivity{p: &Local{Laws: []Law{law}}, dim: 3, r: r[:], u: u[:], State: []State{state}, e: make([]mat3, 1), b: make([]mat3, 1), mu: make([]vec3, 1)}
		s.linearise(0, rho)
		f := func(law Law, r, u vec3) (x vec3) {
			form := formOf(law)
			switch {
			case state == StateOther:
				x = vec3{r[0] - rho*(u[0]+law.Correction(&u)), r[1] - rho*u[1], r[2] - rho*u[2]}
				law.Project(&x, nil, &x)
				return vec3{r[0] - x[0], r[1] - x[1], r[2] - x[2]}
			case state == StateOpen && form.Set != kindTresca:
				return r
			case state == StateStick && form.Set != kindFrictionless:
				return vec3{rho * u[0], rho * u[1], rho * u[2]}
			case state == StateStick: // without friction no stick
				return vec3{rho * u[0], rho * u[1], rho * u[2]}
			case form.Set == kindFrictionless:
				return vec3{rho * u[0], r[1], r[2]}
			}
			limit := form.Bound
			if form.Set == kindCoulomb {
				limit *= r[0]
			}
			m := form.Shape.Matrix()
			a, b := m[0]*u[1]+m[1]*u[2], m[2]*u[1]+m[3]*u[2]
			slip := math.Hypot(a, b)
			return vec3{rho * u[0], r[1] + limit*(m[0]*a+m[2]*b)/slip, r[2] + limit*(m[1]*a+m[3]*b)/slip}
		}
		const h = 1e-6
		for l := range 3 {
			for which, got := range []*mat3{&s.b[0], &s.e[0]} {
				plus, minus := [2]vec3{r, u}, [2]vec3{r, u}
				plus[which][l] += h
				minus[which][l] -= h
				a, b := f(law, plus[0], plus[1]), f(law, minus[0], minus[1])
				for i := range 3 {
					if want := (a[i] - b[i]) / (2 * h); math.Abs(got[3*i+l]-want) > 1e-5 {
						t.Errorf("%T in %v: derivative %d of F_%d by %d is %g, by differences %g", law, state, l, i, which, got[3*i+l], want)
					}
				}
			}
		}
		if law != (Frictionless{}) && (state == StateSlip || state == StateOther) {
			a, b := f(withMu(law, h), r, u), f(withMu(law, -h), r, u)
			for i := range 3 {
				if want := (a[i] - b[i]) / (2 * h); math.Abs(s.mu[0][i]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%T in %v: ∂F_%d/∂μ = %g, by differences %g", law, state, i, s.mu[0][i], want)
				}
			}
		}
	}
	// A threshold that has nothing to slide against: the normal part is r_N where it is open.
	s := &Sensitivity{p: &Local{Laws: []Law{Tresca{Threshold: 1}}}, dim: 3, r: make([]float64, 3), u: []float64{2, 0, 0}, State: []State{StateStick}, e: make([]mat3, 1), b: make([]mat3, 1), mu: make([]vec3, 1)}
	if s.linearise(0, 3); s.b[0] != (mat3{1}) || s.e[0] != (mat3{0, 0, 0, 0, 3, 0, 0, 0, 3}) {
		t.Errorf("E = %v, B = %v", s.e[0], s.b[0])
	}
	s.State[0], s.e[0], s.b[0] = StateSlip, mat3{}, mat3{}
	if s.linearise(0, 3); s.b[0] != (mat3{1}) || s.e[0] != (mat3{0, 0, 0, 0, 3, 0, 0, 0, 3}) {
		t.Errorf("slips without a motion: E = %v, B = %v", s.e[0], s.b[0])
	}
	// A pivot below 1e-13 of the largest says nothing.
	for _, c := range []struct {
		least float64
		want  bool
	}{{1.1e-12, true}, {-1.1e-12, true}, {0.9e-12, false}} {
		s.lu = blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: []float64{10, 7, 7, c.least}}
		if got := s.regular(); got != c.want {
			t.Errorf("pivot %g of 10: regular: %t", c.least, got)
		}
	}
	// Redundant contacts: the least change, the mean diagonal times 1e-10 shifted.
	p := &Local{W: &Dense{D: 2, N: 4, Val: []float64{4, 0, 4, 0, 0, 4, 0, 4, 4, 0, 4, 0, 0, 4, 0, 4}}, Q: []float64{-2, 0, -2, 0}, Laws: []Law{Coulomb{Mu: 1}, Coulomb{Mu: 1}}}
	red, err := p.Sensitivity([]float64{0.25, 0, 0.25, 0})
	if err != nil || !red.Redundant {
		t.Fatalf("%v", err)
	}
	dr, du := make([]float64, 4), make([]float64, 4)
	red.Forward(dr, du, Change{Q: []float64{-1, 0, -1, 0}})
	for i, want := range []float64{0.125, 0, 0.125, 0} {
		if math.Abs(dr[i]-want) > 1e-6 || math.Abs(du[i]) > 1e-6 {
			t.Errorf("δr = %v, δu = %v", dr, du)
		}
	}
	for _, f := range []float64{1e-9, 1e9} { // in other units of mass
		other := &Local{W: &Dense{D: 2, N: 4, Val: slices.Clone(p.W.(*Dense).Val)}, Q: p.Q, Laws: p.Laws}
		for i := range other.W.(*Dense).Val {
			other.W.(*Dense).Val[i] *= f
		}
		s, err := other.Sensitivity([]float64{0.25 / f, 0, 0.25 / f, 0})
		if err != nil || !s.Redundant {
			t.Fatalf("%v", err)
		}
		s.Forward(dr, du, Change{Q: []float64{-1, 0, -1, 0}})
		for i, want := range []float64{0.125, 0, 0.125, 0} {
			if !(math.Abs(dr[i]*f-want) <= 1e-6 && math.Abs(du[i]) <= 1e-6) {
				t.Errorf("in units of %g: δr = %v, δu = %v", f, dr, du)
			}
		}
	}
	// No change at all, and one of a law without a coefficient.
	if err := red.Directional(context.Background(), dr, du, Change{Q: make([]float64, 4)}); err != nil || infNorm(dr) != 0 {
		t.Errorf("%v, δr = %v", err, dr)
	}
	q := unit(Frictionless{}, -1, 0, 0)
	if s, err = q.Sensitivity([]float64{1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if s.Directional(context.Background(), dr[:3], du[:3], Change{Bound: []float64{1}}) == nil {
		t.Error("a coefficient of a law without friction is changed")
	}
	moved, err := red.moved(0.5, Change{Q: []float64{2, 0, 0, 4}, W: &Dense{D: 2, N: 4, Val: append([]float64{6}, make([]float64, 15)...)}, Bound: []float64{0.5, 0}})
	if err != nil || moved.Q[0] != -1 || moved.Q[3] != 2 || moved.W.(*Dense).Val[0] != 7 || moved.W.(*Dense).Val[2] != 4 || moved.Laws[0] != (Coulomb{Mu: 1.25}) || moved.Laws[1] != (Coulomb{Mu: 1}) || p.Q[0] != -2 {
		t.Errorf("%v, moved to %+v", err, moved)
	}
}
