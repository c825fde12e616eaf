package assume_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// near compares to a part of the size of what is wanted, at least 1.
func nearly(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.16g, want %.16g", what, got, want)
	}
}

// sloped is the friction A + x Dx + y Dy, whose first derivative is told off.
type sloped struct {
	dx, dy, off float64
}

func (sloped) Constant() bool { return false }

func (m sloped) At(x, y float64, d *[2][4]float64) [4]float64 {
	s := 1 + x*m.dx + y*m.dy
	if d != nil {
		*d = [2][4]float64{{m.dx + m.off, 0, 0, m.dx}, {m.dy, 0, 0, m.dy}}
	}
	return [4]float64{s, 0, 0, s}
}

// groove is a particle pressed onto a floor by 1 N and against a wall by .3 N, μ = .4, and drawn
// along both.
func groove() *dissipation.Coulomb {
	path := must(particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{0, -0.1, -0.2}, {10, -0.1, -0.2}}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: path, Stiffness: particles.Diagonal(2, 3, 5)}))
	wall := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	sys := must(must(particles.NewSystem(particles.Floors(1), tether)).WithExtras([]particles.Extra{{Particle: 0, Frame: wall.Frame()}}, 1))
	return must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}, dissipation.Isotropic{Mu: 0.4}}))
}

// TestGroove: one obstacle beside another is examined as a corner: D²E along both is 2 N/m, and σ
// do not change, q = 0.
func TestGroove(t *testing.T) {
	psi := groove()
	a := must(assume.Examine(t.Context(), psi, make([]float64, 3), assume.Options{}))
	if a.N4.Verdict != assume.Holds || !strings.Contains(a.N4.Detail,
		"α = 2 over the motions that keep the pressed contacts closed, q <= 0") {
		t.Errorf("(N4) %v: %s", a.N4.Verdict, a.N4.Detail)
	}
}

// TestGrowingLoad: where friction varies and a load grows, (3.3) holds for short times alone: of T,
// T/4, … the first at which the force 1 + 1000 T_e times the slope of friction, some .5/m, stays
// below the stiffness of 2 N/m. On a crest of friction, where slopes are steep before any cylinder
// ends, there is none.
func TestGrowingLoad(t *testing.T) {
	// slope ½ at the start
	m := must(dissipation.NewRippled(dissipation.Isotropic{Mu: 0.4}, 0.3, 0.24*math.Pi/0.5, [2]float64{1, 0}, 0))
	load := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1}, {0, 0, -1001}}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether,
		must(particles.NewLoads(particles.Load{Particle: 0, Force: load})))), []dissipation.Matrix{m}))
	e := must(assume.Examine(t.Context(), psi, make([]float64, 3), assume.Options{Until: 1})).Extension
	if e == nil || e.Te != 0x1p-10 || !(e.TStar > 0) {
		t.Errorf("%+v", e)
	}
	// slope 0 at the start
	crest := must(dissipation.NewRippled(dissipation.Isotropic{Mu: 0.4}, 0.3, 0.24*math.Pi/0.5, [2]float64{1, 0}, 0.06*math.Pi/0.5))
	pressed := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -6}, {0.1, 0, -6}}))
	psi = must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether,
		must(particles.NewLoads(particles.Load{Particle: 0, Force: pressed})))), []dissipation.Matrix{crest}))
	e = must(assume.Examine(t.Context(), psi, make([]float64, 3), assume.Options{Until: 1e9})).Extension
	if e == nil || e.TStar != 0 || e.Limit != "no cylinder with (3.3) was found around the start" {
		t.Errorf("%+v", e)
	}
}

// TestSmoothness: a single kink of the loads is told with (N1), of what comes before the end.
func TestSmoothness(t *testing.T) {
	for until, want := range map[float64]string{0.4: "smooth", 1: "(1)"} {
		kinked := must(particles.PiecewiseLinear([]float64{0, 0.5, 2}, [][3]float64{{0, 0, -1}, {0.1, 0, -1}, {0, 0, -1}}))
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: kinked, Stiffness: particles.Isotropic(1)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether)),
			[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}}))
		if a := must(assume.Examine(t.Context(), psi, make([]float64, 3),
			assume.Options{Until: until})); !strings.Contains(a.N1.Detail, want) {
			t.Errorf("until %g: %s", until, a.N1.Detail)
		}
	}
}

// TestAssumptionOptions: what is not finite is named.
func TestAssumptionOptions(t *testing.T) {
	ex := reference.Play()
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		for name, o := range map[string]assume.Options{"Until": {Until: bad}, "Gamma": {Gamma: bad}, "Step": {Step: bad}} {
			if _, err := assume.Examine(t.Context(), ex.Psi, ex.Start, o); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %g: %v", name, bad, err)
			}
		}
	}
}

// TestIntervals: ten digits are all; text and JSON; verdicts.
func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		v     assume.Interval
		exact bool
		text  string
		json  string
	}{
		{assume.Interval{2, 2}, true, "2", "[2,2]"}, {assume.Interval{2, 2 + 1.9e-10}, true, "2", ""},
		{assume.Interval{2, 2 + 2.1e-10}, false, "2", ""}, {assume.Interval{-2, -2 + 1.9e-10}, true, "-2", ""},
		{assume.Interval{-2, -2 + 2.1e-10}, false, "-2", ""},
		{assume.Interval{1, 3}, false, "[1, 3]", "[1,3]"},
		{assume.Interval{math.Inf(-1), 3}, false, "[-Inf, 3]", "[null,3]"},
		{assume.Interval{math.Inf(1), math.Inf(1)}, true, "+Inf", "[null,null]"},
		{assume.Interval{math.NaN(), 1}, false, "[NaN, 1]", "[null,1]"},
	} {
		text, err := json.Marshal(c.v)
		if c.v.Exact() != c.exact || c.v.String() != c.text || err != nil || c.json != "" && string(text) != c.json {
			t.Errorf("%v: exact %t, %q, %s, %v", c.v, c.v.Exact(), c.v.String(), text, err)
		}
	}
	for v, want := range map[assume.Verdict]string{assume.Holds: "holds", assume.Undecided: "undecided",
		assume.Fails: "fails", 3: "Verdict(3)", -1: "Verdict(-1)"} {
		if v.String() != want {
			t.Errorf("%d: %q", int(v), v)
		}
	}
	sub := assume.Subset{Alpha: assume.Interval{3, 5}, Q: assume.Interval{1, 2}}
	if sub.Margin() != (assume.Interval{1, 4}) {
		t.Errorf("α − q = %v", sub.Margin())
	}
}

// TestCondensedPair: of three particles the first and the last hang free and are bound to the
// second alone: condensed, D²E of that is what a series of springs makes of it, under its own
// number, and friction has the force that presses it.
func TestCondensedPair(t *testing.T) {
	at := func(j int, z float64) particles.Tether {
		return particles.Tether{Particle: j, Anchor: particles.At(0, 0, z), Stiffness: particles.Isotropic(1)}
	}
	tethers := must(particles.NewTethers(at(0, 2), at(1, -0.5), at(2, 2)))
	frames := []particles.Frame{particles.NoObstacle(), particles.Floor(), particles.NoObstacle()}
	x := []float64{0, 0, 2, 0, 0, 0, 0, 0, 2}
	bonds := must(particles.NewBonds(x, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(3)},
		particles.Bond{I: 1, J: 2, Stiffness: particles.Isotropic(3)}))
	psi := must(dissipation.New(must(particles.NewSystem(frames, tethers, bonds)), []dissipation.Matrix{nil, sloped{dx: 0.25}, nil}))
	a := must(assume.Examine(t.Context(), psi, x, assume.Options{}))
	if a.Condensed == nil || fmt.Sprint(a.Condensed.Contact) != "[1]" || len(a.Condensed.Soft) != 6 || len(a.Condensed.Share) != 2 {
		t.Fatalf("%+v, %s", a.Condensed, a.CondensedNote)
	}
	nearly(t, "α", a.Condensed.Worst.Alpha.Lo, 1+2*(3.0/4), 1e-14)
	nearly(t, "q", a.Condensed.Worst.Q.Hi, 0.5*0.25, 1e-14) // .5 N
	nearly(t, "always", a.Always.Worst.Alpha.Lo, 1+2*(3.0/4), 1e-14)
}

// TestContinuous: D²E and friction that are constant with α > q leave no jump; where friction
// varies, in place or in time, nothing is said.
func TestContinuous(t *testing.T) {
	timed := reference.Play()
	timed.Psi = must(dissipation.New(timed.Psi.System, timed.Psi.Matrices))
	if err := timed.Psi.SetFactors([]signal.Scalar{must(signal.NewTable([]float64{0, 1}, []float64{0.5, 1}))}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		ex   reference.Example
		want bool
	}{"play": {reference.Play(), true}, "klarbring": {reference.Klarbring(2.4), false},
		"ripple": {reference.Ripple(1.5), false}, "timed": {timed, false}, "buckling": {reference.Buckling(), false}} {
		if got := assume.Continuous(t.Context(), c.ex.Psi, c.ex.Start); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
