package rigid

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
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

// TestBareIsTheSame: V of the free bodies gives the motion that W does, which is unique without
// friction; its joints hold to rounding; solved again it costs nothing; and a contact is pulled by
// the one as by the other.
func TestBareIsTheSame(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := train(t, dim, 30-8*(dim-2), dim == 3, nil, nil)
		w := [2][]float64{}
		pulled := [2][]bool{}
		var blocks [][9]float64
		for k := range w {
			if err := [...]func(float64) error{s.loadSlim, s.load}[k](.5); err != nil || s.p.bare != (k == 0) {
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
				x := make([]float64, s.inv[0].N)
				for i, v := range s.model.Components[0].Index {
					x[i] = w[0][v]
				}
				for i := range s.inv[0].Bands {
					if f := s.inv[0].Bands[i].Rate(x); !(math.Abs(f) <= 1e-14) { // of speeds of .1 on arms of .05
						t.Errorf("dim %d: joint row %d opens by %g", dim, i, f)
					}
				}
			}
			var own [9]float64
			for i := range s.p.list {
				if s.ownBlock(&own, i); k == 0 {
					blocks = append(blocks, own)
					continue
				}
				for j := s.p.w.Ptr[i]; j < s.p.w.Ptr[i+1]; j++ {
					for d := 0; d < dim*dim && s.p.w.Col[j] == i; d++ {
						if got, want := blocks[i][d]*s.p.alpha, s.p.w.Val[j*dim*dim+d]; !(math.Abs(got-want) <= 1e-11*s.p.w.Val[j*dim*dim]) { // rounding, of a condition of some hundreds
							t.Errorf("dim %d, contact %d: W is %g, want %g", dim, i, got, want)
						}
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

// TestBareIsJudged: a V that is not that of the bodies is found out, and W solves; where a step may
// be cut errors are for its halves.
func TestBareIsJudged(t *testing.T) {
	s := train(t, 2, 30, false, nil, nil)
	if err := s.loadSlim(.5); err != nil {
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
	if err := s.loadSlim(.5); err != nil {
		t.Fatal(err)
	}
	pressed(s, .3)
	if err := s.solve(x); err == nil || !s.p.bare {
		t.Errorf("canceled: %v, bare %t", err, s.p.bare)
	}
}

// TestMeritBare is that of the merit by W, in the units of V, whichever of b, r and u is the
// largest.
func TestMeritBare(t *testing.T) {
	largest := [3]bool{}
	for _, share := range []float64{-.4, 0, .5, 4} { // of what stops b, were contacts alone
		s := train(t, 2, 30, false, nil, nil)
		if err := s.loadSlim(.5); err != nil {
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

// TestBareLeft: rounds of a step go on from the merit that the last one has left, but for no more
// than bareAgain of it is what a step is accepted at. What is solved to its goal has not stalled,
// what only to Options.Accept has once.
func TestBareLeft(t *testing.T) {
	for _, tolerance := range []float64{1e-11, 1e-9} {
		left := 0.0
		for round := range 2 {
			s := train(t, 2, 30, false, nil, nil)
			if err := s.loadSlim(.5); err != nil {
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

// TestPulledPairs: contacts between bodies of two chains, or of one that is folded, are pulled by V
// as by W.
func TestPulledPairs(t *testing.T) {
	const n = 14
	for _, folded := range []bool{false, true} {
		var list []bodies.Body
		var joints []multibody.Joint
		for i := range 2 * n { // a row and another one on it, from the right to the left
			row, at := i/n, i%n
			if row == 1 {
				at = n - 1 - at
			}
			list = append(list, bodies.Body{Shape: bodies.Rod{Length: .04, R: .02}, Mass: 1 + .1*float64(i%3), Position: vec{.1 * float64(at), .02 + .04*float64(row)}})
			if i%n > 0 || folded && i > 0 {
				joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: i, B: i - 1, At: vec{.1*float64(at) + .05*float64(2*row-1)*min(1, float64(i%n)), .03}})
			}
		}
		s := stepperOf(t, 2, vec{.3, -9.81}, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .4}}, Options{Alpha: .5}, list, floorUp)
		if err := s.Step(context.Background(), 1e-3); err != nil {
			t.Fatal(err)
		}
		pulled, pairs, blocks := [2][]bool{}, 0, [2][][9]float64{}
		for k := range pulled {
			if err := [...]func(float64) error{s.loadSlim, s.load}[k](.5); err != nil || s.p.bare != (k == 0) {
				t.Fatalf("%v, bare %t", err, s.p.bare)
			}
			for i, j := range s.p.list {
				if s.touches[j].B < 0 {
					continue
				}
				pairs++
				var w [9]float64
				s.blockOf(&w, i)
				blocks[k] = append(blocks[k], w)
				for _, f := range []float64{-40, -5, -1, 1, 5, 40} {
					pulled[k] = append(pulled[k], s.pulls(i, []float64{.3, -1}, f))
				}
			}
		}
		for i, w := range blocks[1] {
			for d, x := range w {
				if !(math.Abs(blocks[0][i][d]-x) <= 1e-11*w[0]) { // by the condition of the chain
					t.Errorf("folded %t: block %d is %v by V, %v by W", folded, i, blocks[0][i], w)
					break
				}
			}
		}
		if pairs < 2*n || !slices.Equal(pulled[0], pulled[1]) || !slices.Contains(pulled[0], true) || !slices.Contains(pulled[0], false) {
			t.Errorf("folded %t: %d pairs, pulled otherwise", folded, pairs/2)
		}
		// Which of two contacts rebound at once, by either.
		s.model.Setup.Material.Restitution = .5
		told := [2][]bool{}
		for k := range told {
			if err := [...]func(float64) error{s.loadSlim, s.load}[k](.5); err != nil {
				t.Fatal(err)
			}
			for i := range s.p.list {
				for _, j := range []int{i, (i + 1) % len(s.p.list), (i + 5) % len(s.p.list)} {
					clear(s.p.r)
					s.p.r[2*i], s.p.r[2*j] = 1, 2
					told[k] = append(told[k], s.ambiguous())
				}
			}
		}
		if !slices.Equal(told[0], told[1]) || !slices.Contains(told[0], true) || !slices.Contains(told[0], false) {
			t.Errorf("folded %t: other collisions are ambiguous", folded)
		}
	}
}

// TestSlim: V takes the place of W where one mechanism has many contacts, of bodies of even masses
// and cones.
func TestSlim(t *testing.T) {
	s := train(t, 2, bareContacts/2, false, nil, nil)
	if s.slim() != true || s.p.bareGrade != 1 {
		t.Errorf("a long train is not slim: grade %g", s.p.bareGrade)
	}
	x := solver{bare: true, list: make([]int, largeIsland+1), grade: 1}
	if goal := x.goal(&s.o); goal != bareShare*s.o.Accept {
		t.Errorf("goal %g", goal)
	}
	if x.grade = 10; math.Abs(x.goal(&s.o)/(bareShare/10*s.o.Accept)-1) > 1e-12 || (&solver{list: x.list}).goal(&s.o) != s.o.Accept {
		t.Errorf("goal %g of uneven masses", x.goal(&s.o))
	}
	if x.calm = true; x.goal(&s.o) != s.o.Tolerance {
		t.Errorf("goal %g of what hardly moves", x.goal(&s.o))
	}
	mass := s.model.Bodies[3].Mass
	for _, c := range []struct {
		ratio, grade float64
		slim         bool
	}{{evenMasses, 1, true}, {64, 8, true}, {bareRatio, math.Sqrt(bareRatio), true}, {bareRatio * (1 + 1e-15), math.Sqrt(bareRatio * (1 + 1e-15)), false}} {
		if s.model.Bodies[3].Mass = c.ratio * s.model.Bodies[0].Mass; s.slim() != c.slim || s.p.bareGrade != c.grade {
			t.Errorf("ratio %g: slim %t, grade %g", c.ratio, s.slim(), s.p.bareGrade)
		}
	}
	s.model.Bodies[3].Mass = mass
	rows := s.model.Rows
	if s.model.Rows = rows[:1]; !s.slim() {
		t.Error("one joint of one row does not tie")
	}
	s.model.Rows = rows
	own := s.model.Components[0].Rows
	if s.model.Components[0].Rows = own[:1]; !s.slim() {
		t.Error("a mechanism of one row is none")
	}
	s.model.Components[0].Rows = own
	for i := range s.model.Bodies { // in other units
		s.model.Bodies[i].Mass *= 10
	}
	if !s.slim() || s.p.bareGrade != 1 {
		t.Errorf("ten times as heavy: grade %g", s.p.bareGrade)
	}
	for i := range s.model.Bodies {
		s.model.Bodies[i].Mass /= 10
	}
	if s.o.Friction = Polyhedron; s.slim() {
		t.Error("polyhedra are")
	}
	s.o.Friction = ExactCone
	if s.p.list = s.p.list[1:]; s.slim() {
		t.Error("a short one is")
	}
	s = train(t, 2, bareContacts, false, nil, nil)
	for b := range s.model.Home {
		s.model.Home[b] = 0
	}
	if rows := s.model.Components[0].Rows; !s.slim() {
		t.Error("a longer train is not")
	} else if s.model.Components[0].Rows = nil; s.slim() {
		t.Error("bodies without joints are")
	} else {
		s.model.Components[0].Rows = rows
	}
	s.o.Memory = 1000
	if err := s.loadSlim(.5); err == nil {
		t.Error("more memory than there may be")
	}
}

// TestCorner: the corners of the tree are S of each body.
func TestCorner(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := train(t, dim, 12, true, nil, nil)
		inv := &s.inv[0]
		for slot, b := range s.model.Components[0].Bodies {
			p := &s.model.Bodies[b]
			z := inv.Tree.Corner(slot)
			for c := range p.N {
				x := make([]float64, inv.N)
				x[p.Local+c] = 1
				inv.Respond(x)
				for r := range p.N {
					if got, want := z[r*p.N+c], x[p.Local+r]; !(math.Abs(got-want) <= 1e-9*math.Sqrt(math.Abs(z[r*p.N+r]*z[c*p.N+c]))+1e-12) {
						t.Fatalf("dim %d, body %d: S[%d,%d] = %g, want %g", dim, b, r, c, got, want)
					}
				}
			}
		}
	}
}

// TestRoundsEnd: a round is solved anew only where the impulses of the one before are no longer as
// good as they were.
func TestRoundsEnd(t *testing.T) {
	s := train(t, 2, 30, false, nil, nil)
	p := &s.p
	if err := s.loadSlim(.5); err != nil {
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
		if !c.solved && (s.solved != merit || !(s.step.Residual >= merit)) { // what is taken as it is counts
			t.Errorf("residual %g, %g, want %g", s.solved, s.step.Residual, merit)
		}
	}
}

// TestBareStep: a step of a train forgets the impulses of the joints of the step before, and does
// what one with W does where motions are unique.
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

// struck has a train fall on the floor, with restitution, by a law of impact and the matrix that
// load makes, and returns what it did.
func struck(t *testing.T, s *Stepper, law Impact, mu float64, load func(*Stepper) error) *Collision {
	t.Helper()
	s.o.Impact = law
	s.model.Setup.Material = multibody.Material{Mu: mu, Restitution: .5}
	s.v = slices.Clone(s.v)
	for b := range s.model.Bodies {
		p := &s.model.Bodies[b]
		s.v[p.V], s.v[p.V+1] = .2, -1+.1*math.Cos(float64(3*b))
	}
	if err := s.prepare(terms{}); err != nil {
		t.Fatal(err)
	}
	s.holdAll(s.v)
	copy(s.w, s.v)
	s.leadFriction(0)
	s.chooseActive()
	if err := load(s); err != nil {
		t.Fatal(err)
	}
	s.drive(0)
	s.relative(s.p.b, s.w)
	if law == NewtonImpact {
		s.restitution()
	}
	clear(s.p.r)
	if err := s.impact(context.Background(), 1); err != nil {
		t.Fatalf("law %d: %v", law, err)
	}
	s.step.Collisions = s.step.Collisions[:0]
	s.collide(0, 1)
	return &s.step.Collisions[0]
}

// TestBareImpacts: all laws of impact do by V what they do by W, which is one motion without
// friction; friction takes energy, and momentum changes by the impulses.
func TestBareImpacts(t *testing.T) {
	bare := func(s *Stepper) error {
		s.p.w = contact.Blocks{}
		return s.loadImpact()
	}
	full := func(s *Stepper) error { return s.load(1) }
	for _, law := range []Impact{NewtonImpact, MoreauImpact, PoissonImpact, SequentialImpact} {
		for dim := 2; dim <= 3; dim++ {
			n := 14 - 8*(dim-2)
			s, x := train(t, dim, n, false, nil, nil), train(t, dim, n, false, nil, nil)
			got, want := struck(t, s, law, 0, bare), struck(t, x, law, 0, full)
			if !s.p.bare {
				t.Fatalf("law %d, dim %d: by W", law, dim)
			}
			for i := range s.w {
				if d := s.w[i] - x.w[i]; !(math.Abs(d) <= 1e-6) { // spins of 1/s, of a condition of hundreds, to 1e-9 of the impulses
					t.Errorf("law %d, dim %d: velocity %d is %g by V, %g by W", law, dim, i, s.w[i], x.w[i])
				}
			}
			if got.Ambiguous != want.Ambiguous || !got.Ambiguous || !(math.Abs(got.Loss-want.Loss) <= 1e-7*got.Before) {
				t.Errorf("law %d, dim %d: ambiguous %t and %t, loss %g and %g", law, dim, got.Ambiguous, want.Ambiguous, got.Loss, want.Loss)
			}
			got = struck(t, s, law, .4, bare)
			if !(got.Loss > 0) && law != NewtonImpact {
				t.Errorf("law %d, dim %d: friction made %g J of %g", law, dim, -got.Loss, got.Before)
			}
			var p, sum [3]float64
			for b := range s.model.Bodies {
				y := &s.model.Bodies[b]
				for d := range dim {
					p[d] += y.Mass * (s.w[y.V+d] - s.v[y.V+d])
				}
			}
			for k, i := range s.p.list {
				for d, r := range s.p.r[k*dim : (k+1)*dim] {
					for e, f := range s.marks[i].frame[d] {
						sum[e] += r * f
					}
				}
			}
			for d := range dim {
				if !(math.Abs(p[d]-sum[d]) <= 1e-12*float64(n)) { // kg m/s of a kilogramme each
					t.Errorf("law %d, dim %d: momentum %g by impulses %g", law, dim, p[d], sum[d])
				}
			}
		}
	}
	s := train(t, 2, 14, false, nil, nil)
	struck(t, s, NewtonImpact, 0, bare)
	for k := range s.p.r { // one pair alone rebounds
		if s.touches[s.p.list[k/2]].A != 5 {
			s.p.r[k] = 0
		}
	}
	if s.ambiguous() {
		t.Error("one pair is ambiguous")
	}
}

// TestBareOpens: the least move that opens the gaps of a train is by V what it is by W; it opens no
// joint; and what V does not solve W does.
func TestBareOpens(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		var moves [2][]float64
		for k := range moves {
			s := train(t, dim, 14-6*(dim-2), false, nil, nil)
			for i := range s.touches {
				s.touches[i].Gap = -1e-7 * (1 + math.Sin(float64(5*i)))
				s.marks[i].active = true
			}
			if err := s.prepare(terms{}); err != nil {
				t.Fatal(err)
			}
			s.settling = k == 1
			ctx := context.Background()
			moves[k] = make([]float64, len(s.v))
			if err := s.unpenetrate(ctx, moves[k], 0); err != nil || s.p.bare != (k != 1) {
				t.Fatalf("dim %d: %v, bare %t", dim, err, s.p.bare)
			}
			x := make([]float64, s.inv[0].N)
			for i, v := range s.model.Components[0].Index {
				x[i] = moves[k][v]
			}
			for i := range s.inv[0].Bands {
				if f := s.inv[0].Bands[i].Rate(x); !(math.Abs(f) <= 1e-18) { // of moves of 1e-7 on arms of .05
					t.Errorf("dim %d: joint row %d opens by %g", dim, i, f)
				}
			}
		}
		for i, x := range moves[0] {
			if d := x - moves[1][i]; !(math.Abs(d) <= 1e-4*1e-7) { // to 1e-6 of the impulses, of a condition of hundreds
				t.Errorf("dim %d: velocity %d moves by %g by V, %g by W", dim, i, x, moves[1][i])
			}
		}
	}
}

// TestBareIsReplayed: a step of a train is looked at by V, and its contacts weigh what they do in
// W.
func TestBareIsReplayed(t *testing.T) {
	s, x := train(t, 2, 14, false, nil, nil), train(t, 2, 14, false, nil, nil)
	if err := s.Step(context.Background(), 1e-3); err != nil {
		t.Fatal(err)
	}
	impulses := slices.Clone(s.step.Impulses)
	x.p.w = contact.Blocks{}
	f, err := NewReplay(x).Replay(context.Background(), 1e-3, s.q, s.v, impulses)
	if err != nil || !x.p.bare || !(f.doubt() <= 1 && f.Path <= 1e-12 && f.Law <= 1e-7) || len(x.p.list) < bareContacts {
		t.Fatalf("%v, bare %t: %+v", err, x.p.bare, f)
	}
	rhos := slices.Clone(NewReplay(x).mobilities())
	pushes := slices.Clone(NewReplay(x).pushesOf(rhos))
	if err := x.load(x.p.alpha); err != nil {
		t.Fatal(err)
	}
	copy(x.p.b, make([]float64, len(x.p.b)))
	x.relative(x.p.b, x.w)
	x.gapTerms(1e-3)
	for k, rho := range NewReplay(x).mobilities() {
		if !(math.Abs(rhos[k]/rho-1) <= 1e-10) {
			t.Errorf("contact %d: ρ is %g by V, %g by W", k, rhos[k], rho)
		}
		if p := NewReplay(x).pushesOf(rhos)[k]; !(math.Abs(pushes[k]-p) <= 1e-10*p) {
			t.Errorf("contact %d: pushed by %g by V, %g by W", k, pushes[k], p)
		}
	}
}

// TestLyingJointsWait: a mechanism that lies on many contacts does not bring its joints back in a
// step; one that does not, does.
func TestLyingJointsWait(t *testing.T) {
	s := train(t, 2, 14, false, nil, nil)
	s.q[0] += 3e-12
	s.poses = s.model.World.Poses(s.poses, s.q)
	defer func(x []int) { s.inv[0].Tree.Loops = x }(s.inv[0].Tree.Loops)
	for _, how := range []string{"lies", "few", "loops"} {
		lies, closed := how == "lies", 0
		if how == "loops" {
			s.inv[0].Tree.Loops = []int{0}
		}
		for i := range s.touches {
			s.touches[i].Gap = 1
			if how != "few" || closed < bareContacts-1 {
				s.touches[i].Gap = 0
				closed++
			}
		}
		s.openShifts(1e-3)
		most := 0.0
		for c := range s.inv {
			for _, x := range s.inv[c].Shift {
				most = max(most, math.Abs(x))
			}
		}
		if lies && most != 0 || !lies && !(most > 1e-9) {
			t.Errorf("%s, %d closed: shift %g", how, closed, most)
		}
	}
}

// TestCalmChain: a train is calm only where all of its bodies are, also those that touch nothing.
func TestCalmChain(t *testing.T) {
	s := train(t, 2, 14, false, nil, nil)
	if err := s.loadSlim(.5); err != nil || !s.p.bare {
		t.Fatal(err)
	}
	clear(s.v)
	clear(s.w)
	last := &s.model.Bodies[13]
	var members []int
	for k, i := range s.p.list {
		if s.touches[i].A != 13 {
			members = append(members, k)
		}
	}
	if !s.calm(members) {
		t.Error("a train at rest moves")
	}
	s.v[last.V], s.w[last.V] = 1, 1
	if s.calm(members) {
		t.Error("a train whose end flies is calm")
	}
	if s.p.bare = false; !s.calm(members) {
		t.Error("bodies at rest move")
	}
}

// restless is a coefficient of friction that is another one in each round, and notes which rounds
// are late.
type restless struct {
	s    *Stepper
	late []bool
}

func (x *restless) At(float64) float64 {
	x.late = append(x.late, x.s.late)
	return .2 + .1*float64(x.s.step.Solves%2)
}

func (x *restless) Rate(float64) float64 { return 0 }

// TestLateRounds: of many rounds those from the twelfth on keep what is right to Options.Accept;
// the next step begins anew.
func TestLateRounds(t *testing.T) {
	s := train(t, 2, 4, false, nil, nil)
	mu := &restless{s: s}
	s.model.Setup.Material = multibody.Material{Over: mu}
	for b := range s.model.Bodies {
		s.v[s.model.Bodies[b].V] = 1
	}
	s.o.MaxCuts = 0
	if err := s.Step(context.Background(), 1e-3); !errors.Is(err, errSteep) || s.late {
		t.Fatalf("rounds of other friction each: %v, late %t", err, s.late)
	}
	first := slices.Index(mu.late, true)
	if share := float64(first) / float64(len(mu.late)); slices.Contains(mu.late[first:], false) || !(math.Abs(share-float64(lateRound)/(secantRounds+1)) < .01) {
		t.Errorf("late from %d of %d on", first, len(mu.late))
	}
	s = train(t, 2, 4, false, nil, nil)
	for _, late := range []bool{false, true} {
		s.late = late
		if err := s.load(.5); err != nil {
			t.Fatal(err)
		}
		pressed(s, .3)
		s.late = false
		if err := s.solve(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := range s.p.r { // which is no solution to the tolerance
			s.p.r[i] *= 1 + 3e-9*float64(i%2)
		}
		s.p.intoCones(s.p.r)
		r, iterations := slices.Clone(s.p.r), s.step.Iterations
		s.late = late
		if err := s.solve(context.Background()); err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for i, x := range s.p.r {
			most = max(most, math.Abs(x-r[i]))
		}
		if kept := most < 1e-13 && // of impulses of .1
			s.step.Iterations == iterations; kept != late {
			t.Errorf("late %t: impulses change by %g in %d iterations", late, most, s.step.Iterations-iterations)
		}
		s.late = false
	}
	x := solver{late: true, list: []int{0}}
	if goal := x.goal(&s.o); goal != s.o.Accept {
		t.Errorf("goal %g", goal)
	}
	if x.bare, x.grade = true, 2; x.goal(&s.o) != bareShare/2*s.o.Accept {
		t.Errorf("goal %g of bare chains", x.goal(&s.o))
	}
}
