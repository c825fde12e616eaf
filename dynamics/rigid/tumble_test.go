package rigid_test

import (
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestTumbling: spheres that are poured are solved to the error of their steps, and nothing but
// digits is missing: no step makes energy, friction takes it in each, bodies do not penetrate
// without any projection, impulses lie in their cones to rounding and the residuals that the step
// states are those of its impulses, which a replay finds without a solver. With QUASISTATIC_LONG up
// to rest, to the last bit.
func TestTumbling(t *testing.T) {
	n, steps := 100, 90
	if thorough.Asked() {
		n, steps = 200, 160
	}
	open := func() *rigid.Stepper { return scatteredPile(t, n, .004, rigid.Options{Grid: rigid.GapGrid}) }
	s, other := open(), open()
	loose := 0
	for k := range steps {
		before := *s.Last()
		q, v := slices.Clone(before.Q), slices.Clone(before.V)
		run(t, s, .005, 1)
		x := s.Last()
		e, old := x.Energy, before.Energy
		if made := e.Kinetic + e.Potential - old.Kinetic - old.Potential; made > 1e-12*old.Potential {
			t.Errorf("step %d made %g J", k, made)
		}
		if e.Friction < old.Friction-1e-12*old.Potential || e.Projection != 0 || x.Penetration > 1e-10 {
			t.Errorf("step %d: friction took %g J, the projection %g, penetration %g", k, e.Friction-old.Friction,
				e.Projection, x.Penetration)
		}
		l := &x.Inexact
		if l.Solves == 0 || len(x.Cuts) > 0 {
			continue
		}
		loose++
		if merit, share := s.Limits(); !(l.Share > 0 && l.Share <= .1 && l.Share <= share && l.Residual <= merit &&
			l.Speed > 0 && l.Given <= .05*l.Taken) {
			t.Errorf("step %d: %+v", k, l)
		}
		if k%20 > 0 {
			continue
		}
		if err := rigid.NewReplay(other).Jump(before.T, q, v); err != nil {
			t.Fatal(err)
		}
		f, err := rigid.NewReplay(other).Replay(t.Context(), .005, x.T, x.Mode, x.Q, x.V, x.Impulses)
		// Off is over g h, Share over less or, but for rounding, the same where bodies are fast;
		// those of an island of less than a dozen contacts obey the law to 1e-6.
		if err != nil || f.Cone > 1e-14 || f.Path > 1e-12 || f.Off > l.Share*(1+1e-9) || f.Few > 1e-6 || f.Law < f.Few {
			t.Errorf("step %d: %v, %+v", k, err, f)
		}
		wrong := slices.Clone(x.Impulses)
		for i := range wrong {
			wrong[i].On[2] *= 1.001
		}
		if err := rigid.NewReplay(other).Jump(before.T, q, v); err != nil {
			t.Fatal(err)
		}
		if f, err = rigid.NewReplay(other).Replay(t.Context(), .005, x.T, x.Mode, x.Q, x.V, wrong); err == nil &&
			max(f.Off, f.Few) <= .6 && f.Motion <= 1e-9*f.Speed {
			t.Errorf("step %d: a wrong impulse is not seen: %+v", k, f)
		}
	}
	if loose < steps/5 { // a quarter, more or less, by the trajectory
		t.Errorf("%d of %d steps have islands that tumble", loose, steps)
	}
}
