package rigid

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// pressed gives the contacts of a step speeds b, which part of them resist.
func pressed(s *Stepper, mu float64) {
	p := &s.p
	for i := range p.b {
		p.b[i] = .1 * math.Sin(float64(7*i))
		if i%p.dim == 0 {
			p.b[i] -= .08
		}
	}
	for i := range p.laws {
		p.laws[i] = contact.Coulomb{Mu: mu}
	}
	clear(p.r)
}

// TestBareIsTheSame: V of the free bodies gives the motion that W does, which is unique without friction; its joints hold to rounding; solved
// again it costs nothing; and a contact is pulled by the one as by the other.
func TestBareIsTheSame(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := train(t, dim, 30-8*(dim-2), dim == 3, nil, nil)
		w := [2][]float64{}
		pulled := [2][]bool{}
		for k := range w {
			if err := [...]func(float64) error{s.loadStep, s.load}[k](.5); err != nil || s.p.bare != (k == 0) {
				t.Fatalf("dim %d: %v, bare %t", dim, err, s.p.bare)
			}
			pressed(s, 0)
			before := s.step.Iterations
			if err := s.solve(context.Background()); err != nil || s.p.bare != (k == 0) {
				t.Fatalf("dim %d: %v, bare %t", dim, err, s.p.bare)
			}
			w[k] = make([]float64, len(s.v))
			s.push(w[k], s.p.alpha)
			if k == 0 {
				if n := s.step.Iterations; n == before || n > before+60 {
					t.Errorf("dim %d: %d iterations", dim, n-before)
				} else if err := s.solve(context.Background()); err != nil || s.step.Iterations != n {
					t.Errorf("dim %d: solved again: %v, %d iterations", dim, err, s.step.Iterations-n)
				}
				x := make([]float64, s.inv[0].n)
				for i, v := range s.model.comps[0].index {
					x[i] = w[0][v]
				}
				for i := range s.inv[0].bands {
					if f := s.inv[0].bands[i].slope(x); !(math.Abs(f) <= 1e-14) { // of speeds of .1 on arms of .05
						t.Errorf("dim %d: joint row %d opens by %g", dim, i, f)
					}
				}
			}
			u := [3]float64{.3, -1, .7}
			for i := range s.p.list {
				for _, f := range []float64{-5, -1, 1, 5, 40} {
					pulled[k] = append(pulled[k], s.pulls(i, u[:dim], f))
				}
			}
		}
		most := 0.0
		for _, x := range w[1] {
			most = max(most, math.Abs(x))
		}
		for i := range w[0] {
			if d := w[0][i] - w[1][i]; !(math.Abs(d) <= 1e-8*most) { // both are solved to 1e-10 of the impulses, of a condition of about a hundred
				t.Errorf("dim %d: velocity %d is %g by V, %g by W", dim, i, w[0][i], w[1][i])
			}
		}
		if !slices.Equal(pulled[0], pulled[1]) || !slices.Contains(pulled[0], true) || !slices.Contains(pulled[0], false) {
			t.Errorf("dim %d: contacts are pulled otherwise", dim)
		}
	}
}

// TestBareIsJudged: a V that is not that of the bodies is found out, and W solves; where a step may be cut errors are for its halves.
func TestBareIsJudged(t *testing.T) {
	s := train(t, 2, 30, false, nil, nil)
	if err := s.loadStep(.5); err != nil {
		t.Fatal(err)
	}
	pressed(s, .3)
	b := slices.Clone(s.p.b)
	v := &s.p.bareOf.v
	for i := range s.p.list {
		for k := v.Ptr[i]; k < v.Ptr[i+1]; k++ {
			if v.Col[k] == i {
				v.Val[4*k] *= 1.3
			}
		}
	}
	if err := s.solve(context.Background()); err != nil || s.p.bare || !slices.Equal(s.p.b, b) || !(s.step.Residual <= s.o.Accept) {
		t.Errorf("%v, bare %t, residual %g", err, s.p.bare, s.step.Residual)
	}
	x, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.loadStep(.5); err != nil {
		t.Fatal(err)
	}
	pressed(s, .3)
	if err := s.solve(x); err == nil || !s.p.bare {
		t.Errorf("canceled: %v, bare %t", err, s.p.bare)
	}
}

// TestMeritBare is that of the merit by W, in the units of V, whichever of b, r and u is the largest.
func TestMeritBare(t *testing.T) {
	largest := [3]bool{}
	for _, share := range []float64{-.4, 0, .5, 4} { // of what stops b, were contacts alone
		s := train(t, 2, 30, false, nil, nil)
		if err := s.loadStep(.5); err != nil {
			t.Fatal(err)
		}
		pressed(s, .3)
		p := &s.p
		full, all := full(&p.bareOf.v)
		rho := make([]float64, len(p.list))
		for k := range rho {
			rho[k] = 2 / (full[2*k*all+2*k] + full[(2*k+1)*all+2*k+1])
		}
		for i := range p.r {
			p.r[i] = share * rho[i/2] * p.b[i]
			if share > 1 {
				p.r[i] *= float64(1 - i/2%2*2) // neighbours push each other
			}
		}
		got, r, b := s.meritBare(), slices.Clone(p.r), slices.Clone(p.b)
		if err := s.load(.5); err != nil {
			t.Fatal(err)
		}
		u := make([]float64, len(r))
		p.w.MulVec(u, r)
		sum, size := 0.0, [3]float64{}
		for k, rho := range rho {
			x, y := [3]float64{r[2*k], r[2*k+1]}, [3]float64{u[2*k] + b[2*k], u[2*k+1] + b[2*k+1]}
			for d := range 2 {
				size[0], size[1], size[2] = size[0]+rho*b[2*k+d]*b[2*k+d], size[1]+x[d]*x[d]/rho, size[2]+rho*y[d]*y[d]
			}
			e := contact.NaturalResidual(p.laws[k], &x, &y, rho)
			sum += e * e / rho
		}
		for i := range size {
			largest[i] = largest[i] || size[i] == max(size[0], size[1], size[2]) && size[i] > 1.01*max(size[(i+1)%3], size[(i+2)%3])
		}
		if want := math.Sqrt(sum / max(size[0], size[1], size[2])); !(math.Abs(got/want-1) <= 1e-10) {
			t.Errorf("share %g: merit %g, by W %g", share, got, want)
		}
	}
	if largest != [3]bool{true, true, true} {
		t.Errorf("b, r and u are the largest: %v", largest)
	}
}

// TestBareLeft: rounds of a step go on from the merit that the last one has left, but for no more than bareAgain of it is what a step is
// accepted at. What is solved to its goal has not stalled, what only to Options.Accept has once.
func TestBareLeft(t *testing.T) {
	for _, tolerance := range []float64{1e-11, 1e-9} {
		left := 0.0
		for round := range 2 {
			s := train(t, 2, 30, false, nil, nil)
			if err := s.loadStep(.5); err != nil {
				t.Fatal(err)
			}
			pressed(s, 1)
			s.o.Tolerance, s.step.Stalled, s.step.Residual = tolerance, 0, 0
			if round == 1 {
				s.o.Accept = 1.5 * left
			}
			if err := s.solve(context.Background()); err != nil || !s.p.bare || s.solved != s.step.Residual || !(s.solved > 0) {
				t.Fatalf("tolerance %g, round %d: %v, bare %t, merit %g", tolerance, round, err, s.p.bare, s.solved)
			}
			stalled := 0
			if s.solved > s.goalBare() {
				stalled = 1
			}
			if s.step.Stalled != stalled || (stalled == 1) != (tolerance < 1e-10) {
				t.Errorf("tolerance %g, round %d: merit %g, %d stalled", tolerance, round, s.solved, s.step.Stalled)
			}
			if round == 0 {
				if left = s.p.bareLeft; left != s.solved {
					t.Errorf("merit %g, solved to %g", left, s.solved)
				}
			} else if want := s.o.Accept / bareAgain; s.p.bareLeft != want {
				t.Errorf("merit %g, want %g", s.p.bareLeft, want)
			}
		}
	}
}

// TestPulledPairs: contacts between bodies of two chains, or of one that is folded, are pulled by V as by W.
func TestPulledPairs(t *testing.T) {
	const n = 14
	for _, folded := range []bool{false, true} {
		var list []bodies.Body
		var joints []Joint
		for i := range 2 * n { // a row and another one on it, from the right to the left
			row, at := i/n, i%n
			if row == 1 {
				at = n - 1 - at
			}
			list = append(list, bodies.Body{Shape: bodies.Rod{Length: .04, R: .02}, Mass: 1 + .1*float64(i%3), Position: vec{.1 * float64(at), .02 + .04*float64(row)}})
			if i%n > 0 || folded && i > 0 {
				joints = append(joints, Joint{Kind: Revolute, A: i, B: i - 1, At: vec{.1*float64(at) + .05*float64(2*row-1)*min(1, float64(i%n)), .03}})
			}
		}
		s := stepperOf(t, 2, vec{.3, -9.81}, Setup{Joints: joints, Material: Material{Mu: .4}}, Options{Alpha: .5}, list, floorUp)
		if err := s.Step(context.Background(), 1e-3); err != nil {
			t.Fatal(err)
		}
		pulled, pairs := [2][]bool{}, 0
		for k := range pulled {
			if err := [...]func(float64) error{s.loadStep, s.load}[k](.5); err != nil || s.p.bare != (k == 0) {
				t.Fatalf("%v, bare %t", err, s.p.bare)
			}
			for i, j := range s.p.list {
				if s.touches[j].B < 0 {
					continue
				}
				pairs++
				for _, f := range []float64{-40, -5, -1, 1, 5, 40} {
					pulled[k] = append(pulled[k], s.pulls(i, []float64{.3, -1}, f))
				}
			}
		}
		if pairs < 2*n || !slices.Equal(pulled[0], pulled[1]) || !slices.Contains(pulled[0], true) || !slices.Contains(pulled[0], false) {
			t.Errorf("folded %t: %d pairs, pulled otherwise", folded, pairs/2)
		}
	}
}

// TestSlim: V takes the place of W where one mechanism has many contacts, of bodies of even masses and cones.
func TestSlim(t *testing.T) {
	s := train(t, 2, bareContacts/2, false, nil, nil)
	if s.slim() != true {
		t.Error("a long train is not slim")
	}
	mass := s.model.body[3].mass
	if s.model.body[3].mass = evenMasses * s.model.body[0].mass; !s.slim() {
		t.Error("masses that are just even are not")
	}
	if s.model.body[3].mass *= 1 + 1e-15; s.slim() {
		t.Error("uneven masses are")
	}
	s.model.body[3].mass = mass
	rows := s.model.rows
	if s.model.rows = rows[:1]; !s.slim() {
		t.Error("one joint of one row does not tie")
	}
	s.model.rows = rows
	if s.o.Friction = Polyhedron; s.slim() {
		t.Error("polyhedra are")
	}
	s.o.Friction = ExactCone
	if s.p.list = s.p.list[1:]; s.slim() {
		t.Error("a short one is")
	}
	s = train(t, 2, bareContacts, false, nil, nil)
	for b := range s.model.home {
		s.model.home[b] = 0
	}
	if rows := s.model.comps[0].rows; !s.slim() {
		t.Error("a longer train is not")
	} else if s.model.comps[0].rows = nil; s.slim() {
		t.Error("bodies without joints are")
	} else {
		s.model.comps[0].rows = rows
	}
	s.o.Memory = 1000
	if err := s.loadStep(.5); err == nil {
		t.Error("more memory than there may be")
	}
}

// TestCorner: the corners of the tree are S of each body.
func TestCorner(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := train(t, dim, 12, true, nil, nil)
		inv := &s.inv[0]
		for slot, b := range s.model.comps[0].bodies {
			p := &s.model.body[b]
			z := inv.tree.corner(slot)
			for c := range p.n {
				x := make([]float64, inv.n)
				x[p.local+c] = 1
				inv.respond(x)
				for r := range p.n {
					if got, want := z[r*p.n+c], x[p.local+r]; !(math.Abs(got-want) <= 1e-9*math.Sqrt(math.Abs(z[r*p.n+r]*z[c*p.n+c]))+1e-12) {
						t.Fatalf("dim %d, body %d: S[%d,%d] = %g, want %g", dim, b, r, c, got, want)
					}
				}
			}
		}
	}
}

// TestRoundsEnd: a round is solved anew only where the impulses of the one before are no longer as good as they were.
func TestRoundsEnd(t *testing.T) {
	s := train(t, 2, 30, false, nil, nil)
	p := &s.p
	if err := s.loadStep(.5); err != nil {
		t.Fatal(err)
	}
	pressed(s, .3)
	if err := s.solve(context.Background()); err != nil || !p.bare || !(p.bareLeft > 0 && p.bareLeft <= s.o.Accept) {
		t.Fatalf("%v, bare %t, merit %g", err, p.bare, p.bareLeft)
	}
	for i := range p.r { // which is no solution to the tolerance
		p.r[i] *= 1 + 2e-8*float64(i%2)
	}
	p.intoCones(p.r)
	merit := s.meritBare()
	if !(merit > s.o.Tolerance && merit < s.o.Accept) {
		t.Fatalf("merit %g", merit)
	}
	for _, c := range []struct {
		left   float64
		solved bool
	}{{.51 * merit, false}, {.4 * merit, true}} {
		p.bareLeft = c.left
		if err := s.solve(context.Background()); err != nil || (p.bareLeft != c.left) != c.solved {
			t.Errorf("%v, merit %g after, %g before, from %g", err, p.bareLeft, c.left, merit)
		}
	}
}

// TestBareStep: a step of a train forgets the impulses of the joints of the step before, and does what one with W does
// where motions are unique.
func TestBareStep(t *testing.T) {
	s := train(t, 2, 30, false, nil, nil)
	if err := s.Step(context.Background(), 1e-3); err != nil {
		t.Fatal(err)
	}
	s.p.bareL, s.p.bareLeft = append(s.p.bareL[:0], math.NaN()), 1
	if err := s.Step(context.Background(), 1e-3); err != nil || s.p.bareLeft == 1 {
		t.Errorf("%v, merit %g", err, s.p.bareLeft)
	}
}
