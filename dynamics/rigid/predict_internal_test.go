package rigid

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestRelaxed: where W couples neither the normal with the tangents nor these with each other, as
// at a sphere on a plane, one relaxation is the solution of the contact, from whatever impulse;
// less than what is little is left out.
func TestRelaxed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	met := map[ContactState]int{}
	for range 300 {
		for dim := 2; dim <= 3; dim++ {
			mu, wn, wt := random.Float64(), .1+random.Float64(), .1+random.Float64()
			w := make([]float64, dim*dim)
			var full [9]float64
			var b, want, u, d vec
			r := make([]float64, dim)
			w[0] = wn
			for c := range dim {
				if c > 0 {
					w[c*dim+c] = wt
				}
				full[4*c] = w[c*dim+c]
				b[c], r[c] = random.NormFloat64(), random.NormFloat64()
			}
			contact.SolveOne(&want, dim, &full, &b, mu)
			for c := range r {
				u[c] = b[c] + w[c*dim+c]*r[c]
			}
			if !relaxed(&d, r, &u, w, mu, 0) {
				t.Fatalf("nothing to change from %v at speeds %v", r, u)
			}
			moved := 0.0
			for c := range r {
				near(t, "impulse", r[c]+d[c], want[c], 1e-14*20) // numbers of a size of ten or less
				moved = max(moved, math.Abs(d[c])*w[c*dim+c])
			}
			if relaxed(&d, r, &u, w, mu, 1.01*moved) || !relaxed(&d, r, &u, w, mu, .99*moved) {
				t.Errorf("a change of the speed by %g is not told from a larger one", moved)
			}
			switch {
			case want[0] == 0:
				met[Open]++
			case length(want[1:]) < .999*mu*want[0]:
				met[Stick]++
			default:
				met[Slip]++
			}
		}
	}
	if met[Open] < 50 || met[Stick] < 20 || met[Slip] < 50 {
		t.Errorf("states met: %v", met)
	}
	if d := (vec{1}); relaxed(&d, []float64{1, 0, 0}, &vec{-1}, make([]float64, 9), 1, 0) || d != (vec{}) {
		t.Error("what nothing moves is pushed")
	}
}

// TestRelaxedTangents: where friction is enough and directions along the plane are not coupled,
// nothing slides after a relaxation, whatever couples them with the normal.
func TestRelaxedTangents(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 2))
	for range 50 {
		for dim := 2; dim <= 3; dim++ {
			w, wt := make([]float64, dim*dim), .5+random.Float64()
			w[0] = .5 + random.Float64()
			for c := 1; c < dim; c++ {
				w[c*dim+c] = wt
				w[c] = .3 * random.NormFloat64()
				w[c*dim] = w[c]
			}
			u, r := vec{-1 - random.Float64(), random.NormFloat64(), random.NormFloat64()}, []float64{1, .3, -.2}[:dim]
			var d vec
			if !relaxed(&d, r, &u, w, 1e6, 0) {
				t.Fatal("nothing to change")
			}
			for c := 1; c < dim; c++ {
				near(t, "speed", u[c]+w[c*dim]*d[0]+wt*d[c], 0, 1e-14*10)
			}
			near(t, "impulse", d[0], -u[0]/w[0], 1e-14*10)
		}
	}
	// Directions that are coupled: one after the other relaxations end where the law holds.
	for _, coupled := range []float64{-.9, .4, .9} {
		const mu = .5
		w := []float64{1, .1, -.2, .1, 1, coupled, -.2, coupled, 1.1}
		b, r := vec{-1, .6, .1}, make([]float64, 3)
		speed := func() (u vec) {
			for i := range 3 {
				u[i] = b[i] + w[3*i]*r[0] + w[3*i+1]*r[1] + w[3*i+2]*r[2]
			}
			return u
		}
		for range 400 {
			var d vec
			u := speed()
			relaxed(&d, r, &u, w, mu, 0)
			for i := range r {
				r[i] += d[i]
			}
		}
		u, x := speed(), vec(r)
		near(t, "what is left", contact.NaturalResidual(contact.Coulomb{Mu: mu}, &x, &u, 1), 0, 1e-12)
	}
}

// TestPredictCalm: of two bodies it counts what the forces give the one that they move less.
func TestPredictCalm(t *testing.T) {
	s := pearls(t, 3, multibody.Setup{}, Options{})
	if err := s.loadRows(0); err != nil {
		t.Fatal(err)
	}
	p, x := &s.p, &s.predictor
	for body := range 3 {
		for _, kick := range [][]float64{{1e9, 1e9, 1e9}, {0, 1e9, 1e9}, {1e9, 0, 1e9}, {1e9, 1e9, 0}} {
			p.r = make([]float64, 3*len(p.list))
			p.laws = make([]contact.Law, len(p.list))
			for i := range p.laws {
				p.laws[i] = contact.Coulomb{Mu: .5}
			}
			clear(s.x)
			s.x[s.model.Bodies[1].V] = 1 // it meets the third
			if body == 0 {
				s.x[s.model.Bodies[1].V] = -1
			}
			x.kick, x.last, x.now = kick, []bool{true, true, true}, make([]bool, 3)
			s.predictRows(0, .01)
			clear(x.off)
			want := kick[1] == 0 || body == 0 && kick[0] == 0 || body > 0 && kick[2] == 0
			if got := s.predictSweep(); got != want {
				t.Errorf("the second meets number %d, %g m/s by forces: something changes %t", 2*min(body, 1), kick, got)
			}
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// ballRows are rows of balls one behind the other, apart from each other, each the same: wide of
// them lie on the floor, and on the first few others fall, high in all; in the plane there is one
// row.
func ballRows(t *testing.T, dim, wide, few, deep, high int) *Stepper {
	t.Helper()
	up := dim - 1
	var g vec
	g[up] = -9.81
	w, err := bodies.NewWorld(dim, g)
	check := func(_ int, e error) {
		if e != nil {
			t.Fatal(e)
		}
	}
	check(0, err)
	floor := vec{}
	floor[up] = 1
	check(w.AddHalfSpace(vec{}, floor))
	for _, side := range []float64{-1, 1} {
		check(w.AddHalfSpace(vec{(.11*float64(wide) + .05) * side}, vec{-side}))
	}
	for k := range high {
		for i := range wide {
			for j := range deep {
				if k > 0 && i >= few {
					continue
				}
				at := vec{.22*(float64(i)-.5*float64(wide-1)) + .013*float64(k%3)}
				at[up] = .1 + .24*float64(k)
				shape := bodies.Shape(bodies.Disc{R: .1})
				if dim == 3 {
					at[1], shape = .5*float64(j), bodies.Sphere{R: .1}
				}
				check(w.Add(bodies.Body{Shape: shape, Mass: 1, Position: at}))
			}
		}
	}
	m, err := multibody.NewModel(w, multibody.Setup{Material: multibody.Material{Mu: .5}})
	check(0, err)
	s, err := NewStepper(m, Options{Grid: GapGrid})
	check(0, err)
	return s
}

// TestPredictRows: what is predicted of a slice does not depend on the others, whatever wakes what
// rests and in whatever order contacts join: slices that are the same stay so to the last bit.
func TestPredictRows(t *testing.T) {
	const deep = 2
	s := ballRows(t, 3, 9, 5, deep, 7)
	predicted, rested := 0, 0
	for step := range 100 {
		if err := s.Step(context.Background(), .005); err != nil {
			t.Fatal(err)
		}
		if len(s.p.list) >= manyContacts {
			predicted++
			if s.rest.any {
				rested++
			}
		}
		for b := range s.model.Bodies {
			v, first := s.model.Bodies[b].V, s.model.Bodies[b-b%deep].V
			for k := range 6 {
				if s.v[v+k] != s.v[first+k] {
					t.Fatalf("step %d: body %d has %v, its twin %v", step, b, s.v[v:v+6], s.v[first:first+6])
				}
			}
		}
	}
	if predicted < 20 || rested < 20 {
		t.Errorf("%d steps of many contacts, %d beside what rests", predicted, rested)
	}
}

// TestPredictVelocities: the velocities of the sweeps are those of the impulses that become the
// guess, x = w + αSHr, for the contacts that have joined too, in the plane and in space; a second
// time there is nothing to change.
func TestPredictVelocities(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s, joined := ballRows(t, dim, 5, 5, 1, 8), 0
		h := .005
		for step := range 80 {
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
			if step%4 > 0 || s.rest.any { // the impulses of what rests are not in the list
				continue
			}
			copy(s.w, s.v)
			for b := range s.model.Bodies {
				s.w[s.model.Bodies[b].V+dim-1] -= h * 9.81
			}
			s.choose(h)
			before := len(s.p.list)
			if before == 0 {
				continue
			}
			if err := s.predict(h); err != nil {
				t.Fatal(err)
			}
			joined += len(s.p.list) - before
			x := append([]float64(nil), s.x...)
			if err := s.load(s.alpha); err != nil {
				t.Fatal(err)
			}
			s.guess(h)
			y := append([]float64(nil), s.w...)
			s.push(y, s.alpha)
			for v := range y {
				near(t, "velocity", x[v], y[v], 1e-12) // of some m/s, after 8 sweeps and more
			}
			for k := range s.p.list {
				if r := s.p.r[k*dim : (k+1)*dim]; r[0] < 0 || length(r[1:]) > .5*r[0]*(1+1e-12) {
					t.Fatalf("the impulse %v is in no cone of μ = ½", r)
				}
			}
		}
		if joined < 20 {
			t.Errorf("%d contacts have joined", joined)
		}
	}
}

// TestExtend: what joins are the touches, one by one, that close, or come nearer than so many ways
// of what stirs them; spins that are taken once for a body give the same approaches to the bit, and
// what spins wear is the most of its contacts.
func TestExtend(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for dim := 2; dim <= 3; dim++ {
		s, h := ballRows(t, dim, 5, 5, 1, 6), .005
		joined, left := 0, 0
		for step := range 40 {
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
			if s.rest.any {
				continue
			}
			for v := range s.w {
				s.w[v] = s.v[v] + .5*random.NormFloat64()
			}
			s.predictor.kick = grow(s.predictor.kick, len(s.model.Bodies))
			for b := range s.model.Bodies {
				place := &s.model.Bodies[b]
				for v := range place.N {
					s.kick[place.V+v] *= 5 * random.Float64()
				}
				s.predictor.kick[b] = s.kickSpeed(place)
			}
			for _, ways := range []float64{0, joinAhead} {
				var want []int
				for i := range s.touches {
					s.marks[i].active = random.IntN(4) == 0
					if !s.marks[i].active && s.touches[i].Gap+h*s.approach(i, s.w, h) < ways*h*s.stir(i, s.w)-s.unit*touchGap {
						want = append(want, i)
					}
				}
				s.p.list, s.p.laws = s.p.list[:0], s.p.laws[:0]
				if grown := s.extend(s.w, h, ways); grown != (len(want) > 0) || !slices.Equal(s.p.list, want) || len(s.p.laws) != len(want) {
					t.Fatalf("dimension %d, step %d, %g ways: %v join, want %v", dim, step, ways, s.p.list, want)
				}
				for i := range s.touches {
					if a, b := s.approachTurned(i, s.w, h), s.approach(i, s.w, h); a != b {
						t.Fatalf("touch %d is approached with %g, by one %g", i, a, b)
					}
					if !s.marks[i].active {
						left++
					}
				}
				joined += len(want)
			}
			s.p.list = s.p.list[:0]
			var members []int
			for i := range s.touches {
				s.p.list, members = append(s.p.list, i), append(members, i)
			}
			s.wear(members)
			want := make([]float64, len(s.model.Bodies))
			for i := range s.touches {
				slip := s.worn(i)
				if slip == 0 && s.marks[i].state == Active {
					continue
				}
				for _, b := range [...]int{s.touches[i].A, s.touches[i].B} {
					if b < 0 || !s.turns(b) {
						continue
					}
					v := s.model.Bodies[b].V
					surface := vec3.Norm(vec3.Add(s.pointSpeed(b, s.touches[i].At, s.v), -1, s.pointSpeed(b, s.poses[b].Centre, s.v)))
					want[b] = max(want[b], min(surface, max(slip, wearRoll*length(s.v[v:v+dim]))))
				}
			}
			if got := s.p.islands.worn; !slices.Equal(got, want) {
				t.Fatalf("dimension %d, step %d: worn %v, want %v", dim, step, got, want)
			}
		}
		if joined < 100 || left < 100 {
			t.Errorf("dimension %d: %d join, %d are left", dim, joined, left)
		}
	}
}
