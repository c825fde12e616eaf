package energetic_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
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

// resumed takes an evolution of n coordinates to t = 1/2 in two steps, and resumes it from its
// checkpoint.
func resumed(t *testing.T, psi *dissipation.Coulomb, o energetic.Options, n int) (e, r *energetic.Evolution, c energetic.Checkpoint) {
	t.Helper()
	e = must(energetic.Start(t.Context(), psi, make([]float64, n), o))
	for _, at := range []float64{0.25, 0.5} {
		if err := e.Step(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	e.Save(&c)
	return e, must(energetic.Resume(psi, o, &c)), c
}

// besideWall is a particle that holds nothing, and one in the groove of a floor and a wall that
// moves along by .2 m up to t = ½ and .3 m up to 1, pressed by 1 N and .3 N, μ = .4.
func besideWall(factor float64) *dissipation.Coulomb {
	path := must(particles.PiecewiseLinear([]float64{0, 0.5, 1}, [][3]float64{{0, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}}))
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: path}))
	tether := func(j int) particles.Tether {
		return particles.Tether{Particle: j, Anchor: particles.At(0, -0.1, -0.2), Stiffness: particles.Diagonal(2, 3, 5)}
	}
	sys := must(must(particles.NewSystem(particles.Floors(2),
		must(particles.NewTethers(tether(0), tether(1))))).WithExtras([]particles.Extra{{Particle: 1,
		Frame: particles.Charted(wall, [3]float64{})}}, 1))
	psi := must(dissipation.New(sys, []dissipation.Matrix{nil, dissipation.Isotropic{Mu: 0.4}, dissipation.Isotropic{Mu: 0.4}}))
	if factor != 1 {
		constant := signal.Constant(factor)
		if err := psi.SetFactors([]signal.Scalar{nil, constant, constant}); err != nil {
			panic(err)
		}
	}
	return psi
}

// TestClosingWallsLocated: two walls at 1 m and ¼ m from a particle come nearer by 1 m/s each, and
// leave no room from 1.25/2 s on: that is found to 1e-13 of it, from steps of any length; where
// they only come nearer nothing is lost.
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
		e := must(energetic.Start(t.Context(), psi, make([]float64, 3),
			energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}))
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
		if math.Abs(l.To-0.625) > 2e-13 || l.From > l.To || l.To-l.From > 1.1e-8*(to-0.5) || len(l.Closing) != 2 ||
			e.Node().T != l.From || l.Closed != to {
			t.Errorf("to %g: %+v, at %g", to, l, e.Node().T)
		}
		nearly(t, "depth", l.Depth, to-0.625, 1e-11)
	}
}

// TestLookahead: a state is lost soon if it is within a millionth of the whole time.
func TestLookahead(t *testing.T) {
	ramp := must(particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{0, 0, -1.5}, {10, 0, -1.5}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: ramp}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), loads)),
		[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
	k := must(energetic.NewCertifier(psi, energetic.Options{}))
	if err := k.Begin(t.Context(), 0, make([]float64, 3)); err != nil {
		t.Fatal(err)
	}
	// it slides away at .6
	if err := k.Observe(t.Context(), 0.5995, make([]float64, 3)); err != nil {
		t.Fatal(err)
	}
	for until, want := range map[float64]bool{100: false, 1000: true} {
		if lost, err := k.Lost(t.Context(), until); err != nil || lost != want {
			t.Errorf("of %g s: lost %t, %v", until, lost, err)
		}
	}
}

// TestCheckpointsOfCurves: a checkpoint holds the reactions of a single contact too; one of an
// island that it does not have is refused.
func TestCheckpointsOfCurves(t *testing.T) {
	chart := must(particles.NewChart(must(particles.NewSphere([3]float64{0, 0, -2}, 2, false, [3]float64{0, 0, 1})), particles.Motion{}))
	path := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -0.5}, {0.5, 0.1, -0.5}}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: path, Stiffness: particles.Isotropic(3)}))
	psi := must(dissipation.New(must(particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{})},
		tether)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.2}}))
	o := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	e, r, c := resumed(t, psi, o, 3)
	if len(e.Node().Reactions) != 1 || !slices.Equal(r.Node().Reactions, e.Node().Reactions) {
		t.Errorf("reactions %v, want %v", r.Node().Reactions, e.Node().Reactions)
	}
	for _, island := range []int{-1, len(c.Islands)} {
		bad := c
		bad.Island = []int{island}
		if _, err := energetic.Resume(psi, o, &bad); err == nil || !strings.Contains(err.Error(), "island") {
			t.Errorf("island %d: %v", island, err)
		}
	}
}

// TestLimitsOfGammas: γ are finite, positive and decrease.
func TestLimitsOfGammas(t *testing.T) {
	ex := reference.Play()
	for _, gammas := range [][]float64{{math.Inf(1)}, {math.NaN()}, {0}, {-1}, {1, 1}, {1, 2}} {
		if _, err := energetic.Continuation(t.Context(), ex.Psi, ex.Start, energetic.Options{}, gammas,
			[]float64{0, 0.1}, func(int, *energetic.Node) error { return nil }); err == nil || !strings.Contains(err.Error(), "decrease") {
			t.Errorf("%v: %v", gammas, err)
		}
	}
}

// TestCheckpointFits: a checkpoint is loaded by a certifier of the same system, and has its node,
// the one before and what is known of all; one of other sizes is refused, size by size, with the
// numbers.
func TestCheckpointFits(t *testing.T) {
	o := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	k, c := checkpointed(t, o)
	if c.TBefore != .25 || len(c.Before) != 6 || len(c.Z) != 6 || c.T != .5 {
		t.Errorf("the node is at %g with %d coordinates, the one before at %g with %d", c.T, len(c.Z), c.TBefore, len(c.Before))
	}
	var again energetic.CertifierCheckpoint
	again.Z, again.Before = []float64{1, 2, 3}, []float64{4, 5}
	k.Save(&again)
	if !slices.Equal(again.Z, c.Z) || !slices.Equal(again.Before, c.Before) {
		t.Errorf("what a checkpoint had stays in it: %v, %v", again.Z, again.Before)
	}
	r := must(energetic.NewCertifier(besideWall(1), o))
	if err := r.Load(&c); err != nil {
		t.Fatal(err)
	}
	if r.Node().T != .5 || r.Node().K != k.Node().K || !slices.Equal(r.Node().Grad, k.Node().Grad) {
		t.Errorf("loaded: node %d at %g", r.Node().K, r.Node().T)
	}
	for what, change := range map[string]func(c *energetic.CertifierCheckpoint){
		"coordinates": func(c *energetic.CertifierCheckpoint) { c.Z = c.Z[:3] },
		"contacts":    func(c *energetic.CertifierCheckpoint) { c.States = c.States[1:] },
		"switches":    func(c *energetic.CertifierCheckpoint) { c.Switching = append([]bool{true}, c.Switching...) },
		"start":       func(c *energetic.CertifierCheckpoint) { c.Start = c.Start[:3] },
		"islands":     func(c *energetic.CertifierCheckpoint) { c.Island = c.Island[1:] },
		"forces":      func(c *energetic.CertifierCheckpoint) { c.Forces = append([]float64{1}, c.Forces...) },
	} {
		bad := c
		change(&bad)
		if err := must(energetic.NewCertifier(besideWall(1), o)).Load(&bad); err == nil ||
			!strings.Contains(err.Error(), "the checkpoint is of a system of") {
			t.Errorf("other %s: %v", what, err)
		}
	}
}

// checkpointed is the checkpoint of a certifier after a step beside a wall that moves, whose
// friction is of the node before.
func checkpointed(t *testing.T, o energetic.Options) (k *energetic.Certifier, c energetic.CertifierCheckpoint) {
	t.Helper()
	psi := besideWall(1)
	k = must(energetic.NewCertifier(psi, o))
	z := make([]float64, 6)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	k.Save(&c)
	if c.TBefore != 0 || len(c.Before) != 0 {
		t.Errorf("at the start there is no node before: %g, %v", c.TBefore, c.Before)
	}
	if err := k.Observe(t.Context(), .25, z); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), .5, z); err != nil {
		t.Fatal(err)
	}
	k.Save(&c)
	return k, c
}
