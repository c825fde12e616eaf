package rigid

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// pearls are spheres of 1 kg that touch in a row on a floor, in steps of .01 s on the gap grid,
// with the touches of a step listed.
func pearls(t *testing.T, n int, x multibody.Setup, o Options) *Stepper {
	t.Helper()
	o.Grid = GapGrid
	if x.Material.Mu == 0 {
		x.Material.Mu = .5
	}
	var list []bodies.Body
	for i := range n {
		list = append(list, bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: vec{.2 * float64(i), 0, .1}})
	}
	s := stepperOf(t, 3, vec{0, 0, -10}, x, o, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
	if len(x.Joints) == 0 {
		s.alpha, s.gamma = 1, 1
		if err := s.prepare(terms{.01, 1, 1}); err != nil {
			t.Fatal(err)
		}
		s.impulse(.01)
	}
	for i := range s.touches {
		s.p.list = append(s.p.list, i)
	}
	return s
}

// TestTumble: V is the mean over the bodies of min(v, k)²/k with k = g h = .1 m/s, of those that
// the contacts touch, each counted once; nothing where all digits are wanted.
func TestTumble(t *testing.T) {
	const n = 30
	members := make([]int, 2*n-1)
	for k := range members {
		members[k] = k
	}
	s := pearls(t, n, multibody.Setup{}, Options{})
	if len(s.p.list) != len(members) {
		t.Fatalf("%d touches", len(s.p.list))
	}
	p := &solver{}
	unit := func(want float64, what string) {
		t.Helper()
		for range 2 { // its memory is used again
			if got := s.tumble(p, members); !(math.Abs(got-want) <= 1e-16) {
				t.Errorf("%s: %g m/s, want %g", what, got, want)
			}
		}
	}
	unit(0, "at rest")
	s.v[s.model.Bodies[3].V+1] = -.05
	unit(.025/n, "one at half the speed")
	for k, i := range members {
		want := .05 / n // of all bodies …
		if t := s.touches[i]; t.A == 3 || t.B == 3 {
			want = .05 // … and of its own
		}
		if math.Abs(p.units[k]-want) > 1e-16 || len(p.units) != len(members) {
			t.Errorf("contact %d of %d may leave a share of %g m/s, want %g", k, len(p.units), p.units[k], want)
		}
	}
	s.v[s.model.Bodies[4].V] = 7
	unit(.125/n, "one that is fast")
	if most := slices.Max(p.units); math.Abs(most-.1) > 1e-16 {
		t.Errorf("a contact of what is fast may leave a share of %g m/s, want g h = .1", most)
	}
	p5 := &s.model.Bodies[5]
	s.v[p5.V+1], s.v[p5.V+4] = .01, -.5
	if got, want := s.speedOfBody(p5, 1), .5*p5.Arm; !(math.Abs(got-want) <= 1e-16) || want < .02 || want > .1 {
		t.Errorf("the fastest part of a velocity is %g, want %g", got, want)
	}
	s.v[p5.V+1], s.v[p5.V+4] = 0, 0
	s.v[p5.V+3] = 100 // its spin
	unit(.225/n, "one that turns")
	whole := members
	members = members[:fewContacts-1]
	unit(0, "few contacts")
	if members = whole[:fewContacts]; s.tumble(p, members) == 0 {
		t.Error("enough contacts")
	}
	members = whole
	p.calm = true
	unit(0, "calm")
	p.calm, p.faces = false, true
	unit(0, "faces")
	p.faces = false
	s.kick = make([]float64, len(s.kick))
	unit(0, "no forces")

	merit, share := s.Loosest()
	if merit != looseMany.merit || share != looseMany.most {
		t.Errorf("loosest %g, %g", merit, share)
	}
	if s.o.Accept = 1e-2; func() float64 { m, _ := s.Loosest(); return m }() != 1e-2 {
		t.Error("Options.Accept is looser")
	}
	joint := multibody.Joint{Kind: multibody.Spherical, A: 0, B: 1, At: vec{.1, 0, .1}}
	for what, s := range map[string]*Stepper{
		"joints":   pearls(t, 2, multibody.Setup{Joints: []multibody.Joint{joint}}, Options{}),
		"rebound":  pearls(t, 2, multibody.Setup{Material: multibody.Material{Mu: .5, Restitution: .1}}, Options{}),
		"polygons": pearls(t, 2, multibody.Setup{}, Options{Friction: Polyhedron}),
		"drifts":   pearls(t, 2, multibody.Setup{}, Options{Unstabilised: true}),
	} {
		if m, share := s.Loosest(); s.tumbles() || m != 1e-8 || share != 0 {
			t.Errorf("%s: %g, %g", what, m, share)
		}
	}
	if s.mode.grid = CollisionGrid; s.tumbles() {
		t.Error("on the collision grid")
	}
}

// chain is a problem of n contacts in a row, of the unit mobilities that normalise leaves, coupled
// along their normals by −c.
func chain(n int, c float64, b, r []float64) *solver {
	p := &solver{dim: 3, w: contact.Blocks{D: 3, Ptr: []int{0}}, b: b, r: r, size: 2, unit: 1, touch: 1e-9}
	for i := range n {
		p.units = append(p.units, 1)
		p.list, p.laws, p.scale = append(p.list, i), append(p.laws, contact.Coulomb{Mu: .5}), append(p.scale, .5)
		for j := max(0, i-1); j <= min(n-1, i+1); j++ {
			w := -c
			if i == j {
				w = 1
			}
			p.w.Col, p.w.Val = append(p.w.Col, j), append(p.w.Val, w, 0, 0, 0, 1, 0, 0, 0, 1)
			if i != j {
				clear(p.w.Val[len(p.w.Val)-8:])
			}
		}
		p.w.Ptr = append(p.w.Ptr, len(p.w.Col))
	}
	p.polish.u = make([]float64, 3*n)
	return p
}

// partNow is part for impulses whose speeds are not known.
func partNow(p *solver) {
	p.multiply(p.polish.u, p.r)
	p.part(p.r)
}

// TestPart: of three contacts, the first two closing by .3 and .1, normals coupled by −½, pushes x₁
// − ½x₂ = .3 and −½x₁ + x₂ = .1 open both, and close the third, which was open by .2, by ½x₂: 7/15,
// 1/3 and u₃ = 1/30. If that was open by .1, it is pushed, too. Friction stays as it is.
func TestPart(t *testing.T) {
	for _, x := range []struct {
		open float64
		want [3]float64
	}{{.2, [3]float64{7. / 15, 1. / 3, 0}}, {.1, [3]float64{.5, .4, .1}}} {
		p := chain(3, .5, []float64{-1, 0, 0, -1, 0, 0, x.open, 0, 0}, []float64{.7, .2, 0, .9, 0, -.1, 0, 0, 0})
		// u = b + W r: −1 + .7 − .45 is more than asked for; b takes it back.
		p.b[0], p.b[3], p.b[6] = -.3-(.7-.45), -.1-(.9-.35), x.open+.45
		before := append([]float64(nil), p.r...)
		partNow(p)
		for i, r := range p.r {
			want := before[i]
			if i%3 == 0 {
				want += x.want[i/3]
			}
			if math.Abs(r-want) > 1e-9 { // the sweeps end at touch
				t.Errorf("open by %g: component %d is %.12g, want %.12g", x.open, i, r, want)
			}
		}
		after := append([]float64(nil), p.r...)
		if partNow(p); func() bool {
			for i := range after {
				if math.Abs(after[i]-p.r[i]) > 1e-9 {
					return true
				}
			}
			return false
		}() {
			t.Errorf("what is open is pushed: %v, %v", after, p.r)
		}
	}
}

// TestPartTakes: of four contacts apart, the first opens by .3 under an impulse that may fall by .6
// until it is on its cone, the second by .3 under one that may fall by .2; the third slides and
// takes 1. The first gives no more than its part of that, the second falls onto its cone and still
// opens; the fourth, without friction, opens under all of its impulse. Nothing closes. Where
// friction takes nothing all stay as they are.
func TestPartTakes(t *testing.T) {
	for _, speed := range []float64{-2, 0} {
		r := []float64{1, .2, 0, 1, 0, .4, 1, .5, 0, .1, 0, 0}
		p := chain(4, 0, []float64{-.7, 0, 0, -.7, 0, 0, -1, speed - .5, 0, .2, 0, 0}, r)
		p.laws[3] = contact.Coulomb{}
		before := append([]float64(nil), r...)
		partNow(p)
		p.multiply(p.polish.u, p.r)
		for i := range p.list {
			if u := p.polish.u[3*i]; u < -1e-9 {
				t.Errorf("speed %g: contact %d closes by %g", speed, i, u)
			}
		}
		if speed == 0 {
			if !slices.Equal(p.r, before) {
				t.Errorf("%v", p.r)
			}
			continue
		}
		if given := p.r[0] * p.polish.u[0]; given > partGiven*looseFew.power {
			t.Errorf("%g is given", given)
		}
		if near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14 }; !near(p.r[3], .8) || p.r[3]*.5 < .4 || p.r[6] != 1 || p.r[9] != 0 {
			t.Errorf("%v", p.r)
		}
	}
}

// TestCreepingStages: what tumbles is tried with creep, and by the later stages with four times as
// much, but no more than the largest merit, from the same start; a loose solve of these ends
// sooner, but no sooner than what the largest merit asks for, another one as it would; W is what it
// was.
func TestCreepingStages(t *testing.T) {
	const n = 60
	b, r := make([]float64, 3*n), make([]float64, 3*n)
	for i := range n {
		b[3*i], b[3*i+1], r[3*i] = -1, .1, .5
	}
	draw := func() *solver {
		p := chain(n, .25, slices.Clone(b), slices.Clone(r))
		p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
		return p
	}
	for _, stages := range [][]stage{tumbleFirst[:], tumbleInterior[:]} {
		for k, x := range stages {
			for _, c := range []struct{ creep, want float64 }{{1e-6, 4e-6}, {.9 * looseFew.merit, looseFew.merit}, {2 * looseFew.merit, 2 * looseFew.merit}, {0, 0}} {
				p := draw()
				if k == 0 {
					c.want = c.creep
				}
				p.opt.Tolerance, p.creep = 1e-13, c.creep
				if err := p.tryStage(t.Context(), &x, p.r); err != nil || p.creep != c.creep || p.opt.Tolerance != 1e-13 {
					t.Errorf("stage %d: creep %g, tolerance %g: %v", k, p.creep, p.opt.Tolerance, err)
				}
				if got := -(p.res.R[1] + .1) / p.res.R[1]; math.Abs(got-c.want) > 1e-10 { // (1 + c) r_T = −.1
					t.Errorf("stage %d: creep %g, want %g", k, got, c.want)
				}
			}
			for _, c := range []struct{ tol, want float64 }{{1e-9, 16e-9}, {1e-5, looseAim * looseFew.merit}, {1e-3, 1e-3}} {
				p, asked := draw(), 0.0
				if k == 0 {
					c.want = c.tol
				}
				p.opt.Tolerance, p.lax, p.units[0] = c.tol, true, 1e-99 // never enough
				p.opt.OnIteration = func(contact.Iteration) { asked = p.opt.Tolerance }
				if err := p.tryStage(t.Context(), &x, nil); err != nil || p.opt.Tolerance != c.tol || math.Abs(asked/c.want-1) > 1e-12 {
					t.Errorf("stage %d: asked for %g, want %g, then %g: %v", k, asked, c.want, p.opt.Tolerance, err)
				}
			}
		}
	}
}

// TestMissed: the largest of what is left, over its limit. Units: speeds are of size/scale = 4 m/s,
// energies of size² = 4 J. Off its normal by x, what slides is off the cone's by x/√(1 + μ²); along
// the face of the cone by x√(1 + μ²).
func TestMissed(t *testing.T) {
	for _, x := range []struct {
		name                        string
		b, r                        [3]float64
		merit                       float64
		speed, given, taken, missed float64
	}{
		{"a solution that slides", [3]float64{-1, 1, 0}, [3]float64{1, -.5, 0}, 1e-9, 0, 0, 1, 1e-9 / looseFew.merit},
		{"its merit", [3]float64{-1, 1, 0}, [3]float64{1, -.5, 0}, 2 * looseFew.merit, 0, 0, 1, 2},
		{"open by .01", [3]float64{-.99, 1, 0}, [3]float64{1, -.5, 0}, 0, .04 / math.Sqrt(1.25), .04, 1, .04 / looseFew.power},
		{"open by .05", [3]float64{-.95, 1, 0}, [3]float64{1, -.5, 0}, 0, .2 / math.Sqrt(1.25), .2, 1, .2 / looseFew.power},
		{"sticks but creeps on", [3]float64{-1, .21, 0}, [3]float64{1, -.2, 0}, 0, .04 * math.Sqrt(1.25), 0, .008, .04 / looseFew.most * math.Sqrt(1.25)},
		{"sticks but is pushed on", [3]float64{-1, .19, 0}, [3]float64{1, -.2, 0}, 0, .04 * math.Sqrt(1.25), .008, 0, math.Inf(1)},
		{"sticks, and rests", [3]float64{-1, .2, 0}, [3]float64{1, -.2, 0}, 1e-9, 0, 0, 0, 1e-9 / looseFew.merit},
		{"no number", [3]float64{math.NaN(), .19, 0}, [3]float64{1, -.2, 0}, 0, math.NaN(), math.NaN(), 0, math.Inf(1)},
	} {
		p := chain(1, 0, x.b[:], x.r[:])
		p.res.Merit = x.merit
		p.multiply(p.polish.u, p.r)
		l, got := p.missed(p.r, p.res.Merit)
		if near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12 }; !math.IsNaN(x.speed) && !(near(l.speed, x.speed) && near(l.share, x.speed) && near(l.given, x.given) && near(l.taken, x.taken)) ||
			!near(got, x.missed) || l.merit != x.merit {
			t.Errorf("%s: %g, %+v", x.name, got, l)
		}
	}
}

// TestLooseTolerance: looseShare of V, as the root mean square over the contacts, in the norm of
// what is larger, data or impulses; bounded.
func TestLooseTolerance(t *testing.T) {
	p := chain(2, 0, []float64{3, 0, 0, 4, 0, 0}, []float64{0, 6, 0, 0, 8, 0})
	p.unit = .01
	if got, want := p.looseTolerance(), looseShare*.01*math.Sqrt(.5)/(2*10); math.Abs(got-want) > 1e-20 {
		t.Errorf("%g, want %g", got, want)
	}
	clear(p.r)
	if got, want := p.looseTolerance(), looseShare*.01*math.Sqrt(.5)/(2*5); math.Abs(got-want) > 1e-20 {
		t.Errorf("%g, want %g", got, want)
	}
	if p.unit = 1e9; p.looseTolerance() != looseFew.merit {
		t.Errorf("%g", p.looseTolerance())
	}
}

// TestYield: friction has a mobility beside W while a method runs and none after, to the last bit,
// and the merit is that of W: of one contact that sticks, u_T = .1 + (1 + c) r_T = 0, −c r_T = .1
// c/(1 + c) is left, √(1 + μ²) times as much with μ|u_T| along n, over the larger of ‖r‖ and ‖b‖.
func TestYield(t *testing.T) {
	for _, c := range []float64{0, .01} {
		p := chain(3, .25, []float64{-1, .1, 0, -1, .1, 0, -1, .1, 0}, make([]float64, 9))
		p.local, p.opt.Tolerance = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}, 1e-12
		before := append([]float64(nil), p.w.Val...)
		p.creep = c
		p.yield(c)
		changed := 0
		for k, w := range before {
			if d := p.w.Val[k] - w; d != 0 {
				changed++
				if math.Abs(d-c) > 1e-16 || w != 1 || k%9 == 0 || k%4 != k/9%4 && k%9 != 4 && k%9 != 8 {
					t.Errorf("c = %g: entry %d of %g changed by %g", c, k, w, d)
				}
			}
		}
		if c > 0 && changed != 6 || c == 0 && changed != 0 {
			t.Errorf("c = %g: %d entries changed", c, changed)
		}
		p.stiffen()
		if err := p.try(t.Context(), contact.MethodWarm, 30, nil); err != nil {
			t.Fatal(err)
		}
		for k, w := range before {
			if p.w.Val[k] != w {
				t.Errorf("c = %g: entry %d is %g, was %g", c, k, p.w.Val[k], w)
			}
		}
		want := 0.0
		for i := range 3 {
			left := .1 * c / (1 + c)
			want += left * left * 1.25
			if d := p.res.R[3*i+1] + .1/(1+c); math.Abs(d) > 1e-11 {
				t.Errorf("c = %g: friction %d is off by %g", c, i, d)
			}
		}
		if want = math.Sqrt(want) / math.Max(length(p.res.R), length(p.b)); math.Abs(p.res.Merit-want) > 1e-11 {
			t.Errorf("c = %g: merit %g, want %g", c, p.res.Merit, want)
		}
	}
}

// TestYieldOfForces: the last force of a contact makes it creep by no more than the share that
// yields of its s_i: of speeds of 4 m/s an impulse of 10 has a mobility of .05 · 2/(4 · 10), one of
// .1 all of c, in units of the diagonal of W.
func TestYieldOfForces(t *testing.T) {
	p := chain(2, .25, make([]float64, 6), []float64{8, 6, 0, .1, 0, 0})
	p.units[0], p.units[1] = 2, 2
	p.yield(.01)
	for i, want := range []float64{looseFew.yields * 2 / (4 * 10), .01} {
		for d := 1; d < 3; d++ {
			at := (p.w.Ptr[i]+i)*9 + 4*d
			if got := p.w.Val[at] - 1; math.Abs(got-want) > 1e-15 {
				t.Errorf("contact %d yields by %g, want %g", i, got, want)
			}
		}
	}
}

// TestSuffices: impulses are judged by W as it is, and W yields on after it, to the last bit. What
// sticks (u = 0 for b = (−1, .1, 0) and r = (1, −.1, 0)) does, one that gets .2 too much along the
// plane, and moves by 4 · .2 m/s, does with s_i = 10 m/s and not with 5; a gap that closes by 4e-8
// m/s is opened.
func TestSuffices(t *testing.T) {
	for _, x := range []struct {
		normal, extra, unit float64
		want                bool
	}{{0, 0, 1e-9, true}, {0, .2, 10, true}, {0, .2, 5, false}, {-1e-8, 0, 1, true}} {
		p := chain(1, 0, []float64{-1, .1, 0}, []float64{1 + x.normal, -.1 + x.extra, 0})
		p.units[0] = x.unit
		p.w.Val[8] = 1 + 1e-3 // of no matter: nothing goes that way
		p.local, p.lax = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}, true
		// Another contact far off slides, so that friction takes more than the first one gives.
		far := chain(2, 0, append(append([]float64(nil), p.b...), -1, 9, 0), append(append([]float64(nil), p.r...), 1, -.5, 0))
		far.units, far.lax, far.local = []float64{x.unit, 1}, true, contact.Local{W: &far.w, Q: far.b, Laws: far.laws}
		far.yield(.01)
		before := append([]float64(nil), far.w.Val...)
		if got := far.enough()(far.r); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
		if !slices.Equal(before, far.w.Val) || far.w.Val[4] == 1 {
			t.Errorf("%+v: W does not yield on: %v, %v", x, before, far.w.Val)
		}
		far.stiffen()
		far.stiffen()
		if far.res.R = slices.Clone(far.r); x.want && !(far.loosen() <= 1) {
			t.Errorf("%+v: what was enough is not", x)
		}
		far.enough()(far.r)
		if far.res.R[4] = .5; far.loosen() <= 1 { // friction along the slip: others than those that were asked of
			t.Errorf("%+v: other impulses count as those that were enough", x)
		}
		if far.w.Val[4] != 1 {
			t.Errorf("%+v: W yields: %v", x, far.w.Val)
		}
	}
	p := chain(1, 0, []float64{-1, .1, 0}, []float64{1, -.1, 0})
	p.lax = true
	p.enough()
	moved := *p // as more islands come to be
	p.b = []float64{9, 0, 0}
	if !moved.enough()([]float64{1, -.1, 0}) || p.enough()([]float64{1, -.1, 0}) {
		t.Error("a solver that has moved is judged by where it was")
	}
	if (&solver{}).enough() != nil {
		t.Error("a solve to all digits ends before")
	}
}

// TestSolveLoose: spheres in a row that slide and roll are solved to V where that is large, to less
// and less where what was left is more than V allows, and to the goal of others, without a word of
// V, where V asks for more than that; in between nothing jumps.
func TestSolveLoose(t *testing.T) {
	draw := func(unit float64) *solver {
		const n = 60
		b, r := make([]float64, 3*n), make([]float64, 3*n)
		for i := range n {
			b[3*i], b[3*i+1], b[3*i+2] = -1-.5*math.Sin(float64(i)), 9*math.Cos(float64(3*i)), 3
		}
		p := chain(n, .49, b, r)
		p.unit, p.scale = unit, nil
		for i := range p.units {
			p.units[i] = unit
		}
		return p
	}
	o := Options{Accept: 1e-8, Tolerance: 1e-11}
	exact := draw(0)
	if exact.solve(t.Context(), &o, true); exact.err != nil || exact.loose != (tumbling{}) || exact.residual > 1e-11 {
		t.Fatalf("%v, %+v", exact.err, exact.loose)
	}
	last := math.Inf(1)
	for _, unit := range []float64{.1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9} {
		p := draw(unit)
		p.solve(t.Context(), &o, true)
		if l := &p.loose; p.err != nil || p.stalled || p.residual != 0 || !((l.merit > 1e-11 || unit < 1e-6) && // the last step of Newton's method may go far below
			l.share <= looseFew.most && l.speed <= looseFew.most*unit && l.speed <= last && l.given <= looseFew.power*l.taken) {
			t.Errorf("V = %g: %v, %+v", unit, p.err, *l)
		}
		last = p.loose.speed
		for i := range p.r {
			if d := math.Abs(p.r[i] - exact.r[i]); d > 20*unit { // W⁻¹ is at most 1/(1 − 2·.49) = 50 of what is left, .1 V
				t.Errorf("V = %g: impulse %d is off by %g", unit, i, d)
			}
		}
	}
	p := draw(1e-16) // which rounding misses
	if p.solve(t.Context(), &o, true); p.err != nil || p.loose != (tumbling{}) || p.residual > 1e-11 || p.residual == 0 {
		t.Errorf("V = 1e-16: %v, %+v, residual %g", p.err, p.loose, p.residual)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p = draw(.1); true {
		if p.solve(ctx, &o, true); p.err == nil {
			t.Error("canceled, and solved")
		}
	}
}

// TestLooseVerdict: what the steps have left is summed, the worst is told with its time, and no
// line where nothing tumbled.
func TestLooseVerdict(t *testing.T) {
	s := pearls(t, 2, multibody.Setup{}, Options{})
	s.worth.Made.Whole.Start = 1
	for k, l := range []Loose{{}, {2, 0, 1e-5, .01, .02, 1, 50}, {1, 0, 1e-4, .03, .05, 2, 100}, {1, 0, 1e-6, .04, .03, 0, 50}} {
		s.t, s.step.Loose = float64(k+1), l
		if s.judge(.01); k == 0 && len(s.Solved()) != 3 {
			t.Errorf("%+v", s.Solved())
		}
	}
	if w := &s.worth; w.Loose != (Loose{4, 0, 1e-4, .04, .05, 3, 200}) || w.LooseAt != 3 || w.Residual != 0 {
		t.Errorf("%+v", w)
	}
	list := s.Solved()
	if len(list) != 5 || list[1].Value != .05 || list[1].Limit != looseFew.most || list[1].Place != "4 contact problems, 0.04 m/s or less, t = 3 s" ||
		list[2].Value != .015 || list[2].Limit != looseFew.power || list[2].Place != "3 J of 200 J, in all" {
		t.Errorf("%+v", list)
	}
	s.step.Loose = Loose{Solves: 1, Many: 1}
	s.judge(.01)
	if list = s.Solved(); list[1].Limit != looseMany.most || list[2].Limit != looseMany.power || s.worth.Loose.Many != 1 {
		t.Errorf("many contacts: %+v", list)
	}
}

// TestLimits: a thousand contacts have wider ones: a contact may be off by .6 of what moves there,
// but no more than half of that before gaps are opened; friction takes two and a half times what
// contacts give; one that sticks is given .02 of what moves there to creep by, or 64 times the
// merit.
func TestLimits(t *testing.T) {
	for n, want := range map[int]*limits{hugeIsland - 1: &looseFew, hugeIsland: &looseMany} {
		for _, off := range []float64{.05, .2, .5, .7} {
			b, r := make([]float64, 3*n), make([]float64, 3*n)
			for i := range n {
				b[3*i], b[3*i+1], r[3*i], r[3*i+1] = -1, 9, 1, -.5 // slides
			}
			b[0], b[1], r[1] = -1, .1, -.1+off/(4*math.Sqrt(1.25)) // sticks, but for e = off s_0
			p := chain(n, 0, b, r)
			if p.limits() != want {
				t.Fatalf("%d contacts: %+v", n, p.limits())
			}
			p.lax, p.local, p.polish.of = true, contact.Local{W: &p.w, Q: p.b, Laws: p.laws}, nil
			if got := p.enough()(p.r); got != (off <= want.most*want.first) {
				t.Errorf("%d contacts, off by %g: %v", n, off, got)
			}
			p.polish.sufficed = nil
			p.res.R, p.res.Merit = slices.Clone(p.r), 1e-9
			miss := p.loosen()
			if math.Abs(miss-off/want.most) > 1e-9 { // of the first contact alone: what slides takes far more than it gives
				t.Errorf("%d contacts, off by %g: misses by %g", n, off, miss)
			}
			if many := n >= hugeIsland; miss <= 1 && p.loose.many != map[bool]int{false: 0, true: 1}[many] {
				t.Errorf("%d contacts: %+v", n, p.loose)
			}
		}
	}
	if l := &looseMany; l.power != .4 || l.creep != 64 || l.yields != .02 || l.merit != 3e-3 {
		t.Errorf("%+v", l)
	}
}

// TestFewOf: an island counts as one of a dozen by what touches, whether it pushes or not: of
// thirty spheres in a row with one impulse the step may have solved one problem of 59 contacts to
// V. Six spheres, 11 contacts, are few, seven, 13, are not.
func TestFewOf(t *testing.T) {
	for n, want := range map[int]bool{6: true, 7: false, 30: false} {
		s := pearls(t, n, multibody.Setup{}, Options{})
		s.p.list = s.p.list[:1]
		if few := NewReplay(s).fewOf(); len(few) != 1 || few[0] != want {
			t.Errorf("%d spheres: %v", n, few)
		}
	}
}
