package contact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
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
		{"carries little, and hardly opens", Coulomb{Mu: 1}, vec3{1, 0, 0}, vec3{0.4, 0, 0}, StateStick, true},
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
		{"by a threshold", Tresca{Threshold: 100}, vec3{0, 0, -100}, vec3{5, 0, 0.6}, StateSlip, false},
		{"by a threshold, and touches", Tresca{Threshold: 100}, vec3{0, 0, -100}, vec3{0.5, 0, 0.6}, StateSlip, true},
		{"held off", Cohesive{Mu: 0.5, Cohesion: 100, Tension: 50}, vec3{-50, 10, 0}, vec3{5, 0, 0}, StateStick, false},
		{"held off, slides", Cohesive{Mu: 0.5, Cohesion: 100, Tension: 50}, vec3{-50, 0, -75}, vec3{5, 0, 3}, StateSlip, false},
		{"torn off", Cohesive{Mu: 0.5, Cohesion: 100, Tension: 200}, vec3{-200, 0, 0}, vec3{5, 0, 3}, StateOpen, false},
		{"corner", Pyramid{Mu: 1}, vec3{1e3, -1e3, 1e3}, vec3{0, 3, -5}, StateSlip, false},
		{"corner, across a side", Pyramid{Mu: 1}, vec3{1e3, -1e3, 1e3}, vec3{0, 3, 0}, StateSlip, true},
		{"side", Pyramid{Mu: 1}, vec3{1e3, -1e3, 500}, vec3{0, 3, 0}, StateSlip, false},
		{"side, at its end", Pyramid{Mu: 1}, vec3{1e3, -1e3, 999.5}, vec3{0, 3, 0}, StateSlip, true},
		{"dilates", Associated{Mu: 0.5}, vec3{4, -2, 0}, vec3{3, 6, 0}, StateSlip, false},
		{"dilates, without force", Associated{Mu: 0.5}, vec3{}, vec3{3, 6, 0}, StateOpen, true},
		{"opens by more than it slides", Associated{Mu: 0.5}, vec3{}, vec3{4, 6, 0}, StateOpen, false},
		{"holds", Tresca{Threshold: 100}, vec3{0, 50, 50}, vec3{5, 0, 0}, StateStick, false},
		{"holds at its limit", Tresca{Threshold: 100}, vec3{0, 60, 80}, vec3{5, 0, 0}, StateStick, true},
		// ‖(m_3 x − m_2 y, m_0 y − m_1 x)/det‖ = |(x/2, y)|.
		{"of a shape", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 2e9, 0}, vec3{}, StateStick, true},
		{"of a shape, far", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 1.9e9, 0}, vec3{}, StateStick, false},
		{"of a shape, across", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, 0, 1e9}, vec3{}, StateStick, true},
		{"slips by ‖Su‖", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, -2e9, 0}, vec3{0, 0.3, 0}, StateSlip, false},
		{"hardly slips by ‖Su‖", Coulomb{Mu: 1, Shape: skew}, vec3{1e9, -2e9, 0}, vec3{0, 0.25, 0}, StateStick, true},
		{"any other", struct{ Law }{Associated{Mu: 1}}, vec3{2, 0, 0}, vec3{}, StateOther, false},
	} {
		d := dryLawOf(c.law, 3)
		f := d.face(c.r[:], c.u[:], []float64{2, 2, 2}, [form.WideMost]float64{1e8, 1e8, 1e8})
		if state, edge := f.state(), f.onEdge(); state != c.state || edge != c.edge {
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
		g := dryLawOf(Coulomb{Mu: 1, Shape: s}, 3).groups[0]
		if got := g.dual([]float64{size * (m[0]*x + m[2]*y), size * (m[1]*x + m[3]*y)}); math.Abs(got-size) > 1e-10*size {
			t.Errorf("dual norm %g, want %g", got, size)
		}
	}
	// S = [1 2; 2 4] = 5 v vᵀ with v = (1, 2)/√5: along v friction of 5, across none.
	flat := dryLawOf(Coulomb{Mu: 1, Shape: NewShape([4]float64{1, 2, 2, 4})}, 3).groups[0]
	plain := dryLawOf(Coulomb{Mu: 1}, 3).groups[0]
	if math.Abs(flat.dual([]float64{3, 6})-3/math.Sqrt(5)) > 1e-14 || math.Abs(flat.size([]float64{3, 6})-15*math.Sqrt(5)) > 1e-13 || plain.dual([]float64{3, 4}) != 5 {
		t.Error("dual norms of a line and of the circle")
	}
}

// TestWaysToEdges: where a line meets zero, and where one leaves a disc that grows.
func TestWaysToEdges(t *testing.T) {
	for _, c := range []struct{ x, d, want float64 }{{3, -2, 1.5}, {3, 0, num.Inf}, {3, 1, num.Inf}, {0, -1, 0}, {-2, -1, 0}} {
		if got := root(c.x, c.d); got != c.want {
			t.Errorf("%g + t·%g: %g, want %g", c.x, c.d, got, c.want)
		}
	}
	for _, c := range []struct{ x, y, dx, dy, l, dl, want float64 }{
		{0, 0, 1, 0, 2, 0, 2}, {0, 0, 3, 4, 5, 0, 1}, {1, 0, 1, 0, 2, 0, 1}, {1, 0, -1, 0, 2, 0, 3}, {0, 0, 1, 0, 2, 1, num.Inf}, {0, 0, 1, 0, 2, 0.5, 4}, {0, 0, 1, 0, 2, -1, 1}, {2, 0, 1, 0, 2, 0, 0}, {3, 0, -1, 0, 2, 0, 0},
		{0, 0, 0, 0, 2, 0, num.Inf}, {0, 0, 0, 0, 2, -1, 2}, {1, 0, 0, 0, 2, -0.5, 2}, {1, 0, 1, 0, 2, 1, num.Inf}, {-1, 0, 1, 0, 2, 1, num.Inf}, {1, 0, -1, 0, 2, -1, num.Inf}, {0, 1, 0, 1, 2, -1, 0.5}, {1, 0, 0, 0, 2, 3, num.Inf}, {0, 0, 0.5, 0, 2, -1.5, 1},
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
			if !(math.Abs(room(got)) <= 1e-9*(1+got)) || got < 0 {
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
		bound        float64
	}{
		{"closes", Coulomb{Mu: 1}, StateOpen, []float64{0, 0, 0}, []float64{3, 0, 0}, []float64{0, 0, 0}, []float64{-2, 5, 5}, 1.5, 0},
		{"opens on", Coulomb{Mu: 1}, StateOpen, []float64{0, 0, 0}, []float64{3, 0, 0}, []float64{0, 0, 0}, []float64{2, 0, 0}, num.Inf, 0},
		{"leaves", Frictionless{}, StateSlip, []float64{4, 0, 0}, []float64{0, 1, 0}, []float64{-2, 0, 0}, []float64{0, -9, 0}, 2, 0},
		{"comes to rest", Coulomb{Mu: .5}, StateSlip, []float64{4, -1.2, -1.6}, []float64{0, 3, 4}, []float64{-1, 0, 0}, []float64{0, -1.2, -1.6}, 2.5, 0},
		{"leaves while it slips", Coulomb{Mu: .5}, StateSlip, []float64{4, -1.2, -1.6}, []float64{0, 3, 4}, []float64{-4, 0, 0}, []float64{0, -1.2, -1.6}, 1, 0},
		{"begins to slip", Coulomb{Mu: .5}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{0, 2, 0}, []float64{0, 0, 0}, .5, 0},
		{"as it is pressed less", Coulomb{Mu: .5}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 0, 0}, []float64{0, 0, 0}, 2, 0},
		{"of a threshold", Tresca{Threshold: 2}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{0, 0, 0}, 1, 0},
		{"of a threshold, open", Tresca{Threshold: 2}, StateStick, []float64{0, 0, 0}, []float64{.5, 0, 0}, []float64{0, 1, 0}, []float64{-1, 0, 0}, .5, 0},
		{"of a threshold, leaves", Tresca{Threshold: 2}, StateStick, []float64{.25, 0, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{-9, 0, 0}, .25, 0},
		{"a joint", Bilateral{}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{0, 0, 0}, num.Inf, 0},
		// l = 2 of which the tangent force 1 is reached as μ falls by 1/4 at r_N = 4.
		{"as friction falls", Coulomb{Mu: .5}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{0, 0, 0}, []float64{0, 0, 0}, 2, -.125},
		{"as a threshold falls", Tresca{Threshold: 2}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{0, 0, 0}, []float64{0, 0, 0}, 4, -.25},
		// ‖(x/2, y)‖ = 2.
		{"of a shape", Coulomb{Mu: .5, Shape: NewShape([4]float64{2, 0, 0, 1})}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 0}, 3, 0},
		{"torn", Cohesive{Mu: .5, Cohesion: 2, Tension: 1}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-2, 0, 0}, []float64{0, 0, 0}, 2.5, 0},
		{"torn loose", Cohesive{Mu: .5, Cohesion: 2, Tension: 1}, StateStick, []float64{4, 2, 0}, []float64{0, 0, 0}, []float64{-1, 0, 0}, []float64{0, 0, 0}, 4, 0},
		{"dilates no more", Associated{Mu: .5}, StateSlip, []float64{4, -2, 0}, []float64{3, 6, 0}, []float64{0, 0, 0}, []float64{-1, -2, 0}, 3, 0},
		{"closes aslant", Associated{Mu: .5}, StateOpen, []float64{0, 0, 0}, []float64{3, 4, 0}, []float64{0, 0, 0}, []float64{0, 1, 0}, 2, 0},
		{"closes with friction", Associated{Mu: .5}, StateOpen, []float64{0, 0, 0}, []float64{3, 4, 0}, []float64{0, 0, 0}, []float64{0, 0, 0}, 2, .125},
		{"comes to a side", Pyramid{Mu: .5}, StateStick, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{0, .25, -.5}, []float64{0, 0, 0}, 4, 0},
		{"comes to a corner", Pyramid{Mu: .5}, StateSlip, []float64{4, -2, 1}, []float64{0, 3, 0}, []float64{0, 0, .5}, []float64{0, 0, 0}, 2, 0},
		{"comes to the other corner", Pyramid{Mu: .5}, StateSlip, []float64{4, -2, 1}, []float64{0, 3, 0}, []float64{0, 0, -.5}, []float64{0, 0, 0}, 6, 0},
		{"rests on a side", Pyramid{Mu: .5}, StateSlip, []float64{4, -2, 1}, []float64{0, 3, 0}, []float64{0, 0, 0}, []float64{0, -1, 0}, 3, 0},
		{"leaves a corner", Pyramid{Mu: .5}, StateSlip, []float64{4, -2, 2}, []float64{0, 3, -4}, []float64{0, 0, 0}, []float64{0, 0, 2}, 2, 0},
		{"leaves a corner across", Pyramid{Mu: .5}, StateSlip, []float64{4, -2, 2}, []float64{0, 3, -4}, []float64{0, 0, 0}, []float64{0, -1, 0}, 3, 0},
		{"any other", struct{ Law }{Associated{Mu: 1}}, StateOther, []float64{4, 1, 0}, []float64{0, 0, 0}, []float64{-1, 1, 0}, []float64{0, 0, 0}, num.Inf, 0},
	} {
		d := dryLawOf(c.law, 3)
		f := d.face(c.r, c.u, []float64{1, 1, 1}, [form.WideMost]float64{1, 1, 1})
		if got := f.state(); got != c.state {
			t.Errorf("%s: %v", c.what, got)
		}
		s := &Sensitivity{laws: []dryLaw{{joint: true}, d}, faces: []face{{kind: faceJoint}, f}, dim: 3, r: append(make([]float64, 3), c.r...), u: append(make([]float64, 3), c.u...)}
		got, j := s.Reach(append(make([]float64, 3), c.dr...), append(make([]float64, 3), c.du...), Change{Bound: []float64{7, c.bound}})
		if got != c.want && !(math.Abs(got-c.want) < 1e-14) || (j == 1) == math.IsInf(got, 1) {
			t.Errorf("%s: %g at contact %d, want %g", c.what, got, j, c.want)
		}
	}
}

// TestLinearisedContacts: E and B of each state are the derivatives of the equations they stand for, and those of laws without states
// of the natural map, by differences; with the part by the coefficient.
func TestLinearisedContacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(173, 3))
	skew, mirror, flat := NewShape([4]float64{1.2, 0.3, -0.2, 0.5}), NewShape([4]float64{0.3, 1.2, 0.5, -0.2}), NewShape([4]float64{0.6, 0.8, 0.3, 0.4})
	tangents := []groupKind{groupDead, groupStick, groupSlip, groupBegin}
	for k := range 400 {
		law := []Law{Coulomb{Mu: 0.4}, Tresca{Threshold: 0.7}, Frictionless{}, Coulomb{Mu: 0.3, Shape: skew}, Tresca{Threshold: 0.6, Shape: flat}, Associated{Mu: 0.6}, Associated{Mu: 0.6, Shape: mirror},
			Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1}, Pyramid{Mu: 0.4}, Pyramid{Mu: 0.4, Facets: 6, Shape: skew}, Pyramid{Mu: 0.4, Facets: 8, Shape: mirror}, Rolling{Mu: 0.3, Spin: 0.1}, Rolling{Mu: 0.3, Resistance: 0.2}, Rolling{Mu: 0.3, Resistance: 0.2, Spin: 0.1}, Coulomb{Mu: 0.4}}[k%15]
		dim := 3
		switch k % 15 {
		case 11, 12, 13:
			dim = k%15 - 7
		case 14:
			dim = 2
		}
		d := dryLawOf(law, dim)
		r, u, rho := make([]float64, dim), make([]float64, dim), make([]float64, dim)
		for i := range dim {
			r[i], u[i], rho[i] = rng.NormFloat64(), rng.NormFloat64(), 1.7
		}
		r[0] = math.Abs(r[0]) + 3
		f := face{open: rng.IntN(4) == 0}
		for i := range d.groups {
			g := &d.groups[i]
			f.groups[i].kind = tangents[rng.IntN(4)]
			switch {
			case g.corners != nil && f.groups[i].kind >= groupSlip:
				f.groups[i].kind += groupFacet - groupSlip
				f.groups[i].k = rng.IntN(len(g.corners))
			case law == (Frictionless{}):
				f.groups[i].kind = groupDead
			case f.groups[i].kind == groupBegin:
				clear(u[g.from:g.to])
			}
		}
		s := &Sensitivity{laws: []dryLaw{d}, dim: dim, rho: rho, e: make([]float64, dim*dim), b: make([]float64, dim*dim), mu: make([]float64, dim)}
		s.linearise(0, &f, r, u)
		equations := func(law Law, at, ut []float64) []float64 {
			d := dryLawOf(law, dim) // for the numbers of the law alone
			x := make([]float64, dim)
			if x[0] = 1.7 * ut[0]; f.open {
				x[0] = at[0] + d.tension
			}
			for i, part := range f.groups[:len(d.groups)] {
				g := &d.groups[i]
				m := mat.NewDense(2, 2, g.m[:])
				limit := g.c + g.mu*at[0]
				two := func(x []float64) *mat.VecDense {
					v := mat.NewVecDense(2, nil)
					for k := range g.to - g.from {
						v.SetVec(k, x[g.from+k])
					}
					return v
				}
				rt, vt := two(at), two(ut)
				var y, sy, v, back mat.VecDense
				y.MulVec(m, vt)
				sy.MulVec(m.T(), &y)
				y0 := mat.Norm(&y, 2)
				axis := mat.NewVecDense(2, []float64{g.axis[0], g.axis[1]})
				across := mat.NewVecDense(2, []float64{-g.axis[1], g.axis[0]})
				switch part.kind {
				case groupDead:
					v.CloneFromVec(rt)
				case groupStick:
					v.ScaleVec(1.7, vt)
					if g.a > 0 {
						v.SetVec(0, 1.7*mat.Dot(axis, vt))
						v.SetVec(1, mat.Dot(across, rt))
					}
				case groupSlip:
					v.AddScaledVec(rt, limit/y0, &sy)
					if d.associated && !f.open {
						x[0] -= 1.7 * g.mu * y0
					}
				case groupBegin: // of the reaction at which it begins
					here := two(r)
					var dir mat.VecDense
					if g.a > 0 {
						dir.ScaleVec(-math.Copysign(1/g.a, mat.Dot(axis, here)), axis)
						v.CloneFromVec(mat.NewVecDense(2, []float64{mat.Dot(&dir, rt) + limit, mat.Dot(across, rt)}))
						break
					}
					gram := mat.NewDense(2, 2, nil)
					gram.Mul(m.T(), m)
					if err := dir.SolveVec(gram, here); err != nil {
						t.Fatal(err)
					}
					back.MulVec(m, &dir)
					dir.ScaleVec(-1/mat.Norm(&back, 2), &dir)
					v.CloneFromVec(mat.NewVecDense(2, []float64{mat.Dot(&dir, rt) + limit, 1.7 * (dir.AtVec(0)*vt.AtVec(1) - dir.AtVec(1)*vt.AtVec(0))}))
					if d.associated && !f.open {
						var gd mat.VecDense
						gd.MulVec(gram, &dir)
						x[0] -= 1.7 * g.mu * mat.Dot(&gd, vt)
					}
				case groupFacet, groupCorner:
					half := math.Pi / float64(len(g.corners))
					corner := func(k int) *mat.VecDense { // S^T c_k, of the k that is there
						a := float64(2*k-1) * half
						if g.m[0]*g.m[3] < g.m[1]*g.m[2] {
							a = float64(2*(len(g.corners)-1-k)-1) * half
						}
						c := mat.NewVecDense(2, []float64{math.Cos(a) / math.Cos(half), math.Sin(a) / math.Cos(half)})
						c.MulVec(m.T(), c)
						return c
					}
					a := corner(part.k)
					if part.kind == groupCorner {
						v.AddScaledVec(rt, -limit, a)
						break
					}
					var side, out mat.VecDense
					side.SubVec(corner(part.k+1), a)
					if err := out.SolveVec(mat.NewDense(2, 2, []float64{a.AtVec(0), a.AtVec(1), side.AtVec(0), side.AtVec(1)}), mat.NewVecDense(2, []float64{1, 0})); err != nil {
						t.Fatal(err)
					}
					v.CloneFromVec(mat.NewVecDense(2, []float64{1.7 * mat.Dot(&side, vt) / mat.Norm(&side, 2), mat.Dot(&out, rt) - limit}))
				}
				for k := range g.to - g.from {
					x[g.from+k] = v.AtVec(k)
				}
			}
			return x
		}
		const h = 1e-6
		// Central differences of functions with third derivatives of order ten, and rounding: 1e-11 + 1e-10; 1e-7 for slow slips.
		compare := func(what string, i int, got float64, plus, minus []float64) {
			if want := (plus[i] - minus[i]) / (2 * h); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%+v, %+v: derivative of F_%d by %s is %g, by differences %g", law, f, i, what, got, want)
			}
		}
		for l := range dim {
			for which, got := range [][]float64{s.b, s.e} {
				ends := [2][]float64{}
				for side, step := range []float64{h, -h} {
					x := [2][]float64{slices.Clone(r), slices.Clone(u)}
					x[which][l] += step
					ends[side] = equations(law, x[0], x[1])
				}
				for i := range dim {
					compare(fmt.Sprint("ru"[which:which+1], l), i, got[dim*i+l], ends[0], ends[1])
				}
			}
		}
		if plus, ok := withBound(law, d.bound()+h); ok {
			minus, _ := withBound(law, d.bound()-h)
			for i := range dim {
				if f.groups[0].kind >= groupSlip { // what does not slip has no friction that counts
					compare("the coefficient", i, s.mu[i], equations(plus, r, u), equations(minus, r, u))
				}
			}
		}
	}
	// A pivot below 1e-13 of the largest says nothing.
	s := new(Sensitivity)
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
	red, err := Linearise(p, []float64{0.25, 0, 0.25, 0})
	if err != nil || !red.Redundant {
		t.Fatalf("%v", err)
	}
	dr, du := make([]float64, 4), make([]float64, 4)
	if err := red.Forward(dr, du, Change{Q: []float64{-1, 0, -1, 0}}); err != nil {
		t.Error(err)
	}
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
		s, err := Linearise(other, []float64{0.25 / f, 0, 0.25 / f, 0})
		if err != nil || !s.Redundant {
			t.Fatalf("%v", err)
		}
		_ = s.Forward(dr, du, Change{Q: []float64{-1, 0, -1, 0}})
		for i, want := range []float64{0.125, 0, 0.125, 0} {
			if !(math.Abs(dr[i]*f-want) <= 1e-6 && math.Abs(du[i]) <= 1e-6) {
				t.Errorf("in units of %g: δr = %v, δu = %v", f, dr, du)
			}
		}
	}
	// No change at all, and one of a law without a coefficient.
	if err := red.Directional(context.Background(), dr, du, Change{Q: make([]float64, 4)}); err != nil || num.InfNorm(dr) != 0 {
		t.Errorf("%v, δr = %v", err, dr)
	}
	q := unit(Frictionless{}, -1, 0, 0)
	if s, err = Linearise(q, []float64{1, 0, 0}); err != nil {
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

// TestStateNames: states are said in a word.
func TestStateNames(t *testing.T) {
	if got := fmt.Sprint(StateOpen, StateStick, StateSlip, StateOther); got != "open stick slip other" {
		t.Error(got)
	}
}
