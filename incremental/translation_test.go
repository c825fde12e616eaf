package incremental_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestSwept: three particles of 1, 2 and 3 N that soft springs tie, μ = ½, are lost as one where
// what pulls is more than 3 N, whichever is pulled, along the pull, on the floor or on an aslant
// one, and are not where it is less; nothing is solved for that. What else holds them, be it a
// wall, an anchor that is slack across, a part of a chain without obstacles, or friction that is
// more elsewhere, is not overlooked.
func TestSwept(t *testing.T) {
	const far = 1e-11 // of the forces, above the rounding of the sums
	for _, c := range []struct {
		name           string
		pull           float64
		mu             [3]float64
		anchored, tied bool
		wall, aslant   bool
		free, gamma    bool
		lagged, lifted bool
		rippled        bool
		want           float64 // 0: not lost before a step
	}{
		{name: "held", pull: 3 * (1 - far)},
		{name: "at the limit", pull: 3},
		{name: "lost", pull: 3 * (1 + far), want: 3 * far},
		{name: "lost by far", pull: 5, want: 2},
		{name: "lagged", pull: 5, lagged: true, want: 2},
		{name: "lagged and held", pull: 3 * (1 - far), lagged: true},
		{name: "aslant", pull: 5, aslant: true, want: 2},
		{name: "aslant and held", pull: 3 * (1 - far), aslant: true},
		{name: "the last one bears nothing", pull: 5, free: true, want: 2},
		{name: "less friction at one", pull: 3 * (1 - far), mu: [3]float64{0.5, 0.25, 0.5}, want: 0.5 - 3*far},
		{name: "no friction at one", pull: 5, mu: [3]float64{0.5, 0, 0}, want: 4.5},
		{name: "more friction at one", pull: 5, mu: [3]float64{0.5, 1, 0.5}, want: 1},
		{name: "more friction at one, and held", pull: 3.9, mu: [3]float64{0.5, 1, 0.5}},
		{name: "an anchor", pull: 5, anchored: true},
		{name: "a tether", pull: 5, tied: true},
		{name: "a wall", pull: 5, wall: true},
		{name: "γ", pull: 5, gamma: true},
		{name: "lifted", pull: 5, lifted: true},
		{name: "rippled", pull: 5, rippled: true},
	} {
		if c.mu == [3]float64{} {
			c.mu = [3]float64{0.5, 0.5, 0.5}
		}
		pull, weight := [3]float64{0.6, 0.8, 0}, [3]float64{0, 0, -1}
		frames := particles.Floors(3)
		if c.aslant {
			h, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 0, 1})
			check(t, err)
			frames[0], weight, pull = h.Frame(), [3]float64{-math.Sqrt2 / 2, 0, -math.Sqrt2 / 2}, [3]float64{0, 1, 0}
			frames[1], frames[2] = frames[0], frames[0]
		}
		if c.free {
			frames[2].Free = true
		}
		var loads []particles.Load
		for j := range 3 {
			path := make(particles.Path, 3)
			for i := range path {
				f := [2]float64{float64(j+1) * weight[i]}
				if f[1] = f[0]; j == 1 {
					f[1] += c.pull * pull[i]
				}
				if c.lifted {
					f[1] -= 10 * weight[i]
				}
				var err error
				path[i], err = signal.NewTable([]float64{0, 1}, f[:])
				check(t, err)
			}
			loads = append(loads, particles.Load{Particle: j, Force: path})
		}
		list := []particles.Spring{{I: 0, J: 1, Law: particles.Linear{K: 1, Rest: 1}}, {I: 1, J: 2, Law: particles.Linear{K: 2, Rest: 1.5}}}
		if c.anchored { // it stores nothing along e_y to first order
			list = append(list, particles.Spring{I: 0, Anchor: particles.At(1, 0, 0), Law: particles.Linear{K: 1, Rest: 1}})
		}
		springs, err := particles.NewSprings(list...)
		check(t, err)
		weights, err := particles.NewLoads(loads...)
		check(t, err)
		energies := []particles.Energy{springs, weights}
		if c.tied {
			tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 0, 0),
				Stiffness: particles.Isotropic(1e-6)})
			check(t, err)
			energies = append(energies, tether)
		}
		sys, err := particles.NewSystem(frames, energies...)
		check(t, err)
		if c.wall {
			h, err := particles.NewHalfSpace([3]float64{9, 0, 0}, [3]float64{-1, 0, 0})
			check(t, err)
			sys, err = sys.WithExtras([]particles.Extra{{Particle: 2, Frame: h.Frame()}}, 1)
			check(t, err)
		}
		matrices := make([]dissipation.Matrix, sys.Contacts())
		for j, mu := range c.mu {
			matrices[j] = dissipation.Isotropic{Mu: mu}
		}
		if c.rippled {
			matrices[2], err = dissipation.NewRippled(dissipation.Isotropic{Mu: 0.5}, 0.1, 1, [2]float64{1, 0}, 0)
			check(t, err)
		}
		psi, err := dissipation.New(sys, matrices)
		check(t, err)
		o := incremental.Options{Threshold: incremental.Implicit}
		if c.lagged {
			o.Threshold = incremental.Lagged
		}
		if c.gamma {
			o.Rule.Gamma = 1e-3
		}
		z := make([]float64, 9)
		sys.ToLocal(z, []float64{0, 0, 0, 0, 1, 0, 0, 2.5, 0})
		s, err := incremental.New(psi, 0, z, o)
		check(t, err)
		err = s.Step(t.Context(), 1)
		lost, is := errors.AsType[*incremental.LossError](err)
		if is = is && s.Stats().Solves == 0 && s.Stats().Inner == 0; is != (c.want > 0) {
			t.Errorf("%s: %v after %+v, want a loss before anything is solved: %t", c.name, err, s.Stats(), c.want > 0)
			continue
		}
		if !is {
			continue
		}
		if _, unsolved := errors.AsType[*incremental.StepError](err); !unsolved || lost.Time != 1 ||
			math.Abs(lost.Force-c.want) > 1e-14 || lost.Particle != 0 {
			t.Errorf("%s: %+v, want %g N of particle 0", c.name, lost, c.want)
		}
		for i, x := range lost.Direction {
			if want := [3]float64{0.6, 0.8, 0}; !c.aslant && math.Abs(x-want[i%3]) > 1e-15 || c.aslant &&
				math.Abs(math.Abs(x)-[3]float64{0, 1, 0}[i%3]) > 1e-15 {
				t.Errorf("%s: along %v", c.name, lost.Direction)
				break
			}
		}
	}
}
