package rigid

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// TestSqueeze: what counts is the mass that presses a body from two sides, whatever the order of
// the bodies.
func TestSqueeze(t *testing.T) {
	const heavy = 1e8
	for _, c := range []struct {
		name   string
		masses []float64
		floor  bool
		want   float64
	}{
		{"light on heavy", []float64{heavy, 1}, true, 1 / heavy},
		{"heavy on light", []float64{1, heavy}, true, heavy},
		{"light between heavy ones", []float64{heavy, 1, heavy}, true, heavy},
		{"light below the next", []float64{heavy, 1, 10}, true, 10},
		{"a heavy one on top of all", []float64{1, 1, 1, heavy}, true, heavy},
		{"lighter from below", []float64{heavy, 1e4, 1, 1e-2}, true, 1e-2},
		{"free: a pair", []float64{1, heavy}, false, 1 / heavy},
		{"free: light between heavy ones", []float64{2 * heavy, 1, heavy}, false, heavy},
		{"free: heavy between light ones", []float64{1, heavy, 2}, false, 2 / heavy},
		{"near masses", []float64{1, 9e2}, true, 0},
	} {
		var list []bodies.Body
		for i, m := range c.masses {
			list = append(list, bodies.Body{Shape: bodies.Disc{R: .1}, Mass: m, Position: vec{0, .1 + .2*float64(i)}})
		}
		var floor []bodies.Obstacle
		if c.floor {
			floor = append(floor, floorUp)
		}
		s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, list, floor...)
		s.chooseActive()
		members := make([]int, len(s.p.list))
		for i := range members {
			members[i] = i
		}
		for range 2 { // the second time in used memory
			if got := s.squeeze(members); !(got >= c.want*(1-1e-15) && got <= c.want*(1+1e-15)) {
				t.Errorf("%s: %g, want %g", c.name, got, c.want)
			}
		}
	}
}

// TestGradedRing: a light ball between a plate and the floor, beside a heavy one: the plate stands
// on both.
func TestGradedRing(t *testing.T) {
	list := []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{-.3, .1}}, {Shape: bodies.Disc{R: .1}, Mass: 1e5, Position: vec{.3, .1}},
		{Shape: bodies.Polygon{Vertices: [][2]float64{{-.5, -.05}, {.5, -.05}, {.5, .05}, {-.5, .05}}}, Mass: 1e6, Position: vec{0, .25}}}
	s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, list, floorUp)
	s.chooseActive()
	members := make([]int, len(s.p.list))
	for i := range members {
		members[i] = i
	}
	if got := s.squeeze(members); len(members) != 4 || got != 1e6 {
		t.Errorf("%d contacts, ratio %g, want 4 and 1e6", len(members), got)
	}
}

// TestGradedBounds: states of more contacts than a dense matrix is made for are not looked for.
func TestGradedBounds(t *testing.T) {
	p := solver{dim: 2, list: make([]int, polishContacts+1)}
	if e := p.settleStates(nil); !math.IsInf(e, 1) || p.graded.done {
		t.Errorf("error %g", e)
	}
}

// squeezed is the normalised problem of a ball of 1 kg between a floor and one of 1e4 kg, at speeds
// b.
func squeezed(t *testing.T, mu float64, b []float64) *solver {
	t.Helper()
	list := []bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: vec{0, 0, .1}}, {Shape: bodies.Sphere{R: .1}, Mass: 1e4, Position: vec{0, 0, .3}}}
	s := stepperOf(t, 3, vec{0, 0, -10}, multibody.Setup{Material: multibody.Material{Mu: mu}}, Options{}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
	s.chooseActive()
	if err := s.load(1); err != nil || len(s.p.list) != 2 {
		t.Fatalf("%v, %d contacts", err, len(s.p.list))
	}
	copy(s.p.b, b)
	clear(s.p.r)
	x := &s.p.islands
	x.find(s.p.matrix(), len(s.p.list))
	x.outcome, x.crew = make([]outcome, 1), make([]solver, 1)
	s.step.H = .01
	s.cutIslands()
	p := &x.crew[0]
	if p.graded.ratio != 1e4 {
		t.Fatalf("ratio %g", p.graded.ratio)
	}
	p.normalise()
	p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
	return p
}

// TestGradedStages: impulses whose states solve the problem to the last digits, by speed and by
// merit, need no method; else methods come in their order, none after an end of the context; and
// states count as a solution up to Options.Accept.
func TestGradedStages(t *testing.T) {
	b := []float64{-1, .3, 0, -.5, 0, .1}
	end, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name         string
		ctx          context.Context
		goal, accept float64
		method       contact.Method // the last one; MethodLemke: none
		done         bool
	}{
		{"solved", t.Context(), 1e-10, 1e-8, contact.MethodLemke, true},
		{"more digits than there are", t.Context(), -1, 1e-8, contact.MethodWarm, true},
		{"ended", end, -1, 1e-8, contact.MethodWarm, false},
		{"nothing does", t.Context(), -1, -1, contact.MethodAuto, false},
	} {
		p := squeezed(t, .5, b)
		p.opt.Tolerance, p.opt.Method = c.goal, contact.MethodLemke
		err := p.solveGraded(c.ctx, &Options{Accept: c.accept}, false)
		if p.opt.Method != c.method || p.graded.done != c.done || (err == nil) != c.done && c.accept > 0 {
			t.Errorf("%s: %v, method %v, want %v, done %t", c.name, err, p.opt.Method, c.method, p.graded.done)
		}
		if c.goal < 0 && c.accept > 0 && p.opt.Tolerance != c.goal { // what is asked for is not less than the goal
			t.Errorf("%s: tolerance %g", c.name, p.opt.Tolerance)
		}
		if c.done && !(p.gradedLeft() <= 1e-13) {
			t.Errorf("%s: %g is left", c.name, p.gradedLeft())
		}
	}
}

// gradedLeft is the error of the speeds that the impulses of the result make.
func (p *solver) gradedLeft() float64 {
	p.lift(p.res.R)
	p.gradedSpeeds(p.polish.u)
	e, _ := p.gradedError(p.res.R)
	return e
}

// TestGradedError: the error is the largest natural residual beyond four roundings of its impulse,
// each by the scale of its contact, over the largest speed b; the merit is the largest over
// impulses or b, whichever are larger.
func TestGradedError(t *testing.T) {
	law := contact.Coulomb{Mu: .5}
	residual := func(r, u [3]float64) float64 { return contact.NaturalResidual(law, &r, &u, 1) }
	for _, c := range []struct {
		name  string
		r, u  [2][3]float64
		b     []float64
		speed float64
		merit float64
	}{
		{"small impulses", [2][3]float64{{.1, .01, 0}, {.2}}, [2][3]float64{{.3, .2, .1}, {-.01}}, []float64{-3, 1, 0, 2, 0, 4},
			residual([3]float64{.1, .01}, [3]float64{.3, .2, .1}) / .5 / 6, residual([3]float64{.1, .01}, [3]float64{.3, .2, .1}) / math.Sqrt(30)},
		{"large ones", [2][3]float64{{40, -70, 0}, {9}}, [2][3]float64{{0, 1, 0}, {-8}}, []float64{-3, 1, 0, 2, 0, 1},
			residual([3]float64{40, -70}, [3]float64{0, 1}) / .5 / 6, residual([3]float64{40, -70}, [3]float64{0, 1}) / 70},
		{"rounding", [2][3]float64{{0x1p50}, {1}}, [2][3]float64{{3}, {}}, []float64{-1, 0, 0, 0, 0, 0}, (3 - 1) / .5 / 2, 3 / 0x1p50},
		{"rounding beside none", [2][3]float64{{.9}, {0x1p50}}, [2][3]float64{{.9}, {3}}, []float64{-1, 0, 0, 0, 0, 0}, .9 / .5 / 2, 3 / 0x1p50},
		{"nothing moves", [2][3]float64{{1}, {1}}, [2][3]float64{{3}, {}}, make([]float64, 6), 0, 0},
	} {
		p := &solver{dim: 3, list: []int{0, 1}, laws: []contact.Law{law, law}, scale: []float64{.5, 2}, b: c.b}
		var r []float64
		for i := range 2 {
			r, p.polish.u = append(r, c.r[i][:]...), append(p.polish.u, c.u[i][:]...)
		}
		speed, merit := p.gradedError(r)
		if !(math.Abs(speed-c.speed) <= 1e-14*c.speed) || !(math.Abs(merit-c.merit) <= 1e-14*c.merit) {
			t.Errorf("%s: speed %g, want %g; merit %g, want %g", c.name, speed, c.speed, merit, c.merit)
		}
	}
}

// TestGradedStates: the states by Alart and Curnier's function: open where r_N ≤ u_N, sticking
// where r_T − u_T is up to μ (r_N − u_N), else slipping along it, with a turn in space that slip
// against it resists. No friction is one unknown.
func TestGradedStates(t *testing.T) {
	for _, c := range []struct {
		name  string
		dim   int
		mu    float64
		r, u  [3]float64
		want  [3]float64
		count int
		more  float64 // of the turn
	}{
		{"open", 3, .5, [3]float64{1, .2}, [3]float64{1, 0, 3}, [3]float64{}, 0, 0},
		{"sticks", 3, .5, [3]float64{2, .1, .2}, [3]float64{0, .3, -.4}, [3]float64{2, .1, .2}, 3, 0},
		{"sticks at the edge", 3, .5, [3]float64{2, .6, .8}, [3]float64{}, [3]float64{2, .6, .8}, 3, 0},
		{"slips", 3, .5, [3]float64{2, 0, 0}, [3]float64{-1, -3, -4}, [3]float64{2, .6, .8}, 2, 5 / 1.5},
		{"slips along", 3, .5, [3]float64{2, 9, 12}, [3]float64{0, .6, .8}, [3]float64{2, .6, .8}, 2, 0},
		{"slips in the plane", 2, .5, [3]float64{2, 0}, [3]float64{-1, 3}, [3]float64{2, -1}, 1, 0},
		{"is pulled", 3, .5, [3]float64{-1}, [3]float64{-3, -5}, [3]float64{}, 2, 5},
		{"no friction", 3, 0, [3]float64{2, 1, 1}, [3]float64{-1, 3, 1}, [3]float64{2}, 1, 0},
	} {
		p := &solver{dim: c.dim, list: []int{0}, laws: []contact.Law{contact.Coulomb{Mu: c.mu}}, scale: []float64{1}, size: 1}
		p.graded.from = []int{0, 0}
		p.polish.u = append(p.polish.u, c.u[:c.dim]...)
		r := append([]float64(nil), c.r[:c.dim]...)
		p.chooseStates(r)
		list := p.polish.column
		for d := range r {
			if !(math.Abs(r[d]-c.want[d]) <= 1e-15) || !(math.Abs(p.polish.delta[d]-(r[d]-c.r[d])) <= 1e-15) {
				t.Errorf("%s: r = %v, want %v, by %v", c.name, r, c.want, p.polish.delta)
			}
		}
		if len(list) != c.count {
			t.Errorf("%s: %d unknowns, want %d", c.name, len(list), c.count)
			continue
		}
		for k, v := range list {
			want := unknown{d: k}
			switch {
			case c.count == 3:
				want.dir[k] = 1
			case k == 0:
				way := [2]float64{c.r[1] - c.u[1], c.r[2] - c.u[2]}
				if c.dim == 2 {
					way[1] = 0
				}
				size := math.Hypot(way[0], way[1])
				want.dir = [3]float64{1, c.mu * way[0] / size, c.mu * way[1] / size}
			default: // across the force
				want = unknown{turns: true, dir: [3]float64{0, -list[0].dir[2] / c.mu, list[0].dir[1] / c.mu}, more: c.more}
			}
			off := math.Abs(v.more - want.more)
			for d := range 3 {
				off += math.Abs(v.dir[d] - want.dir[d])
			}
			if v.turns != want.turns || v.d != want.d || !(off <= 1e-14) {
				t.Errorf("%s: unknown %+v, want %+v", c.name, v, want)
			}
		}
	}
}

// TestGradedAlone: one unknown is solved for, of a contact without friction whose neighbour opens.
func TestGradedAlone(t *testing.T) {
	p := squeezed(t, 0, []float64{-1, 0, 0, 3, 0, 0})
	p.polish.u = make([]float64, 6)
	r := []float64{1, 0, 0, 0, 0, 0}
	p.lift(r)
	p.gradedSpeeds(p.polish.u)
	p.chooseStates(r)
	if n := len(p.polish.column); n != 1 || !p.newtonStates(r) {
		t.Fatalf("%d unknowns", n)
	}
	if u := p.polish.u[0]; !(math.Abs(u) <= 1e-15) || !(p.polish.u[3] > 0) || !(r[0] > 0) {
		t.Errorf("speeds %g and %g by %g", u, p.polish.u[3], r[0])
	}
}
