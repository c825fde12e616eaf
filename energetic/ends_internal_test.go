package energetic

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// TestClosingWallsLocated: two walls at 1 m and ¼ m from a particle come nearer by 1 m/s each, and leave no room from 1.25/2 s on: that is found to
// 1e-13 of it, from steps of any length; where they only come nearer nothing is lost.
func TestClosingWallsLocated(t *testing.T) {
	var extras []particles.Extra
	for _, w := range []struct{ normal, distance float64 }{{1, 1}, {-1, 0.25}} {
		n := [3]float64{w.normal, 0, 0}
		side := must(particles.NewHalfSpace([3]float64{-w.distance * n[0], 0, 0}, n))
		shift := must(particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{}, {10 * n[0], 0, 0}}))
		wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: shift}))
		extras = append(extras, particles.Extra{Particle: 0, Frame: particles.Charted(wall, [3]float64{})})
	}
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
	sys := must(must(particles.NewSystem([]particles.Frame{particles.NoObstacle()}, tether)).WithExtras(extras, 1))
	psi := must(dissipation.New(sys, make([]dissipation.Matrix, 3)))
	for _, to := range []float64{0.625, 0.6251, 1, 7} {
		e := must(Start(t.Context(), psi, make([]float64, 3), Options{Step: incremental.Options{Threshold: incremental.Implicit}}))
		if err := e.Step(t.Context(), 0.5); err != nil {
			t.Fatal(err)
		}
		err := e.Step(t.Context(), to)
		var lost *incremental.LossError
		if to == 0.625 {
			if err != nil {
				t.Errorf("to %g: %v", to, err)
			}
			continue
		}
		if !errors.As(err, &lost) {
			t.Fatalf("to %g: %v", to, err)
		}
		l, err := e.LocateLoss(t.Context(), to, lost)
		if err != nil {
			t.Fatalf("to %g: %v", to, err)
		}
		// Room is found to 1e-13 of the time; the last one may be too narrow for a step.
		if math.Abs(l.To-0.625) > 2e-13 || l.From > l.To || l.To-l.From > 1.1e-8*(to-0.5) || len(l.Closing) != 2 || e.Node().T != l.From || l.Closed != to {
			t.Errorf("to %g: %+v, at %g", to, l, e.Node().T)
		}
		nearly(t, "depth", l.Depth, to-0.625, 1e-11)
	}
}

// TestLookahead: a state is lost soon if it is within a millionth of the whole time.
func TestLookahead(t *testing.T) {
	ramp := must(particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{0, 0, -1.5}, {10, 0, -1.5}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: ramp}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), loads)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
	k := must(NewCertifier(psi, Options{}))
	if err := k.Begin(t.Context(), 0, make([]float64, 3)); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), 0.5995, make([]float64, 3)); err != nil { // it slides away at .6
		t.Fatal(err)
	}
	for until, want := range map[float64]bool{100: false, 1000: true} {
		if lost, err := k.Lost(t.Context(), until); err != nil || lost != want {
			t.Errorf("of %g s: lost %t, %v", until, lost, err)
		}
	}
}

// resumed takes an evolution of n coordinates to t = 1/2 in two steps, and resumes it from its checkpoint.
func resumed(t *testing.T, psi *dissipation.Coulomb, o Options, n int) (e, r *Evolution, c Checkpoint) {
	t.Helper()
	e = must(Start(t.Context(), psi, make([]float64, n), o))
	for _, at := range []float64{0.25, 0.5} {
		if err := e.Step(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	e.Save(&c)
	return e, must(Resume(psi, o, &c)), c
}

// TestCheckpointsOfCurves: a checkpoint holds the reactions of a single contact too; one of an island that it does not have is refused.
func TestCheckpointsOfCurves(t *testing.T) {
	chart := must(particles.NewChart(must(particles.NewSphere([3]float64{0, 0, -2}, 2, false, [3]float64{0, 0, 1})), particles.Motion{}))
	path := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -0.5}, {0.5, 0.1, -0.5}}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: path, Stiffness: particles.Isotropic(3)}))
	psi := must(dissipation.New(must(particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{})}, tether)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.2}}))
	o := Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	e, r, c := resumed(t, psi, o, 3)
	if len(e.Node().Reactions) != 1 || !slices.Equal(r.Node().Reactions, e.Node().Reactions) {
		t.Errorf("reactions %v, want %v", r.Node().Reactions, e.Node().Reactions)
	}
	for _, island := range []int{-1, len(c.Islands)} {
		bad := c
		bad.Island = []int{island}
		if _, err := Resume(psi, o, &bad); err == nil || !strings.Contains(err.Error(), "island") {
			t.Errorf("island %d: %v", island, err)
		}
	}
}

// TestCheckpointsOfWalls: where obstacles beside others move the node before is kept, of which the next step's friction is.
func TestCheckpointsOfWalls(t *testing.T) {
	psi, o := besideWall(1), Options{Equilibrate: true, Step: incremental.Options{Threshold: incremental.Implicit}}
	e, r, _ := resumed(t, psi, o, 6)
	if r.cert.tPrev != 0.25 || !slices.Equal(r.cert.zPrev, e.cert.zPrev) {
		t.Errorf("before it %v at %g, want %v", r.cert.zPrev, r.cert.tPrev, e.cert.zPrev)
	}
}

// TestLimitsOfGammas: γ are finite, positive and decrease.
func TestLimitsOfGammas(t *testing.T) {
	ex := reference.Play()
	for _, gammas := range [][]float64{{math.Inf(1)}, {math.NaN()}, {0}, {-1}, {1, 1}, {1, 2}} {
		if _, err := Continuation(t.Context(), ex.Psi, ex.Start, Options{}, gammas, []float64{0, 0.1}, func(int, *Node) error { return nil }); err == nil || !strings.Contains(err.Error(), "decrease") {
			t.Errorf("%v: %v", gammas, err)
		}
	}
}

// TestSoftestName: of components that are the same the first is named.
func TestSoftestName(t *testing.T) {
	a := &Assumptions{Names: []string{"a", "b"}}
	for _, c := range []struct {
		x    []float64
		want string
	}{{[]float64{1, 1, 0, 0, 0, 0}, "particle a along t"}, {[]float64{0, 1, 0, 0, 0, -2}, "particle b along n"}, {[]float64{0, 1, 0, 0, 0, 1 + 1e-12}, "particle a along o"}, {nil, "it"}} {
		if got := a.softest(c.x); got != c.want {
			t.Errorf("%v: %q", c.x, got)
		}
	}
}

// TestEndsOfPaths: what is released and nobody took is the residual; where nothing pulls there is no path; at rest it has the end alone.
func TestEndsOfPaths(t *testing.T) {
	nearly(t, "residual", (&JumpPath{Released: 7, Friction: 2, Viscous: 4}).Residual(), 1, 0)
	nothing := must(dissipation.New(must(particles.NewSystem(particles.Floors(1))), []dissipation.Matrix{nil}))
	if _, err := ResolveJump(t.Context(), nothing, 0, make([]float64, 3), 1, 0); err == nil || !strings.Contains(err.Error(), "nothing pulls") {
		t.Errorf("nothing: %v", err)
	}
	for _, length := range []float64{0, -1, math.NaN()} {
		if _, err := ResolveJump(t.Context(), nothing, 0, make([]float64, 3), length, 0); err == nil || !strings.Contains(err.Error(), "a jump of") {
			t.Errorf("length %g: %v", length, err)
		}
	}
	ex := reference.Play()
	p := must(ResolveJump(t.Context(), ex.Psi, 0, ex.Start, 1, 0))
	nearly(t, "the way of a state at rest", p.Arc[len(p.Arc)-1], 0, 1e-12)
	// Pulled by 2 N with 2 N/m: 1 m, less μσ/k = .3 m of friction.
	z := []float64{-1, 0, 0}
	p = must(ResolveJump(t.Context(), ex.Psi, 0, z, 0.7, 0))
	nearly(t, "way", p.Arc[len(p.Arc)-1], 0.7, 1e-9)
	nearly(t, "released", p.Released, 1-0.3*0.3, 1e-9)
	nearly(t, "friction", p.Friction, 0.6*0.7, 1e-9)
	nearly(t, "viscous", p.Viscous, 1-0.09-0.42, 1e-5) // of second order in 400 steps
	nearly(t, "unbalanced at the start", p.Force[0], 2-0.6, 1e-2)
}
