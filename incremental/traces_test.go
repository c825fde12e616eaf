package incremental_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/signal"
)

var remake = flag.Bool("remake", false, "write testdata/traces.txt anew: say in the commit why numbers change")

// tracesFile has what each step of small named problems costs and ends in, to the bit.
const tracesFile = "testdata/traces.txt"

// trace is a small problem with the steps to make.
type trace struct {
	name  string
	psi   *dissipation.Coulomb
	start []float64
	o     incremental.Options
	times []float64
}

// traces are the problems: each of them is what a part of the package is for.
func traces(t *testing.T) (list []trace) {
	modes := []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit}
	name := func(kind string, mode incremental.ThresholdMode) string {
		return kind + []string{", lagged", ", implicit"}[mode]
	}
	steps := func(n int, h float64) (times []float64) {
		for k := range n {
			times = append(times, h*float64(k+1))
		}
		return times
	}
	for _, mode := range modes {
		for seed := range uint64(2) {
			rule := []dissipation.Rule{{Gamma: 0.02, Policy: dissipation.Blend}, {Gamma: 0.02, Policy: dissipation.SwitchingOnly}}[seed]
			psi, z := crowd(t, rand.New(rand.NewPCG(seed, 3)))
			list = append(list, trace{name(fmt.Sprintf("islands %d", seed), mode), psi, z, incremental.Options{Threshold: mode, Rule: rule}, steps(5, 0.2)})
			psi, z = wedged(t, seed)
			list = append(list, trace{name(fmt.Sprintf("walls %d", seed), mode), psi, z, incremental.Options{Threshold: mode}, steps(6, 0.15)})
			ex := reference.Braced(rand.New(rand.NewPCG(seed, 4)), 3)
			list = append(list, trace{name(fmt.Sprintf("springs %d", seed), mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(8, 0.15)})
		}
		ex := reference.Bent(func(c int) dissipation.Matrix {
			across, err := dissipation.NewOrthotropic([2]float64{0.1, 0.3}, [2]float64{1, 1})
			check(t, err)
			rippled, err := dissipation.NewRippled(dissipation.Isotropic{Mu: 0.3}, 0.2, 0.5, [2]float64{0.6, 0.8}, 0)
			check(t, err)
			return []dissipation.Matrix{nil, dissipation.Isotropic{Mu: 0.2}, nil, dissipation.Isotropic{Mu: 0.3}, rippled, across, dissipation.Isotropic{Mu: 0.1}}[c]
		})
		list = append(list, trace{name("curved and moving obstacles", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(16, 0.12)})
		list = append(list, trace{name("curved and moving obstacles, long steps", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(5, 0.45)})
		ex = reference.Buckling()
		list = append(list, trace{name("buckling", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode, MaxFixedPoint: 7}, steps(6, 0.17)})
		ex = reference.Glued()
		list = append(list, trace{name("glue", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(8, 0.25)})
		ex = reference.Loose()
		list = append(list, trace{name("loose pair", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(4, 0.25)})
		ex = reference.Ripple(0.4)
		list = append(list, trace{name("ripple", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode, MaxFixedPoint: 6}, steps(8, 0.12)})
		ex = reference.Klarbring(1.7)
		list = append(list, trace{name("klarbring", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode, Consistency: 1e-9}, steps(4, 0.7)})
		ex = reference.Caterpillar(4, 3)
		list = append(list, trace{name("caterpillar", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode, Rule: dissipation.Rule{Gamma: 0.01}}, steps(10, 0.25)})
		ex = reference.PlayPulsing()
		timed, err := dissipation.New(ex.Psi.System, ex.Psi.Matrices)
		check(t, err)
		check(t, timed.SetFactors([]signal.Scalar{sine(t, 1, 0.5, 0.7, 0.3)}))
		list = append(list, trace{name("friction that changes in time", mode), timed, ex.Start, incremental.Options{Threshold: mode}, steps(6, 0.11)})
		ex = reference.BallAndWall(true)
		list = append(list, trace{name("a ball and others", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(6, 0.2)})
		ex = reference.BallAndWall(false)
		list = append(list, trace{name("a ball alone", mode), ex.Psi, ex.Start, incremental.Options{Threshold: mode}, steps(4, 0.2)})
		psi, z := coupled(t, [2]float64{0.63, 0.89}, [2]float64{1.96, 1.84}, 1.09, 2.64)
		list = append(list, trace{name("a pair whose tie presses", mode), psi, z, incremental.Options{Threshold: mode}, []float64{0.5, 1}})
		psi, z = coupled(t, [2]float64{0.74, 0.68}, [2]float64{1.82, 1.72}, -1.05, 2.2)
		list = append(list, trace{name("a pair whose tie lifts", mode), psi, z, incremental.Options{Threshold: mode}, []float64{1, 1.5}})
		psi, z = coupled(t, [2]float64{0.71, 0.47}, [2]float64{1.18, 1.45}, -1.1, 1.66)
		list = append(list, trace{name("a pair that is lost", mode), psi, z, incremental.Options{Threshold: mode}, []float64{0.9, 1}})
		psi, z = crowd(t, rand.New(rand.NewPCG(3, 3)))
		strict := incremental.Options{Threshold: mode, Tolerance: 1e-15}
		list = append(list, trace{name("too strict", mode), psi, z, strict, steps(2, 0.5)})
	}
	return list
}

// follow makes the steps of a trace and writes a line on each: its costs, what it ends in, and what certificates say of its end, and of a
// state beside it. A stepper that goes on from a checkpoint has the same bits, whatever was between.
func follow(t *testing.T, w *strings.Builder, c trace) {
	s, err := incremental.New(c.psi, 0, c.start, c.o)
	check(t, err)
	m := incremental.NewMinimiser(c.psi, 1e-10)
	sys, n := c.psi.System, len(c.start)
	for k, at := range c.times {
		t0, base := s.Time(), slices.Clone(s.State())
		var saved incremental.Checkpoint
		s.Save(&saved)
		err := s.Step(t.Context(), at)
		fmt.Fprintf(w, "%s, step %d: ", c.name, k+1)
		if again, e := incremental.New(c.psi, 0, c.start, c.o); e != nil || again.Load(&saved) != nil {
			t.Errorf("%s, step %d: a checkpoint is refused", c.name, k+1)
		} else if e := again.Step(t.Context(), at); (e == nil) != (err == nil) || !slices.Equal(again.State(), s.State()) || !slices.Equal(again.Frozen(nil), s.Frozen(nil)) {
			t.Errorf("%s, step %d: other bits from a checkpoint", c.name, k+1)
		}
		if err != nil {
			lost := &incremental.LossError{}
			failed := &incremental.StepError{}
			errors.As(err, &failed)
			if errors.As(err, &lost) {
				fmt.Fprintf(w, "lost %d %v %s, ", lost.Particle, lost.Force, pinned.Bits(lost.Direction))
			}
			fmt.Fprintf(w, "failed after %d, residual %v, particle %d\n", failed.Newton, failed.Residual, failed.Particle)
			continue
		}
		st, frozen := s.Stats(), s.Frozen(nil)
		fmt.Fprintf(w, "newton %d solves %d inner %d factors %d", st.Newton, st.Solves, st.Inner, st.Factors)
		if st.FellBack {
			fmt.Fprint(w, " fell back")
		}
		fmt.Fprintf(w, " residual %v contraction %v states %v switching %v scale %v z %s forces %s", st.Residual, st.Contraction, s.States(), s.Switching(), s.Scale(),
			pinned.Bits(s.State()), pinned.Bits(s.Gradient(), frozen))
		s.Save(&saved)
		fmt.Fprintf(w, " save %s %v\n", pinned.Bits(saved.V, saved.R, saved.Forces, saved.Held, saved.Before), saved.TBefore)
		for c, slot := range m.Contacts() {
			m.SetThreshold(c, frozen[slot], at, s.State())
		}
		m.From(t0)
		m.Linearise(at, base, s.State())
		y, grad := slices.Clone(s.State()), make([]float64, n)
		scales := incremental.NewScales(sys)
		for beside := range 3 {
			if beside > 0 {
				for i := range y {
					y[i] += 1e-3 * float64(beside) * math.Sin(float64(7*i+k+beside))
				}
				for j := range sys.N() {
					if sys.Constrained(j) {
						y[3*j+2] = max(y[3*j+2], 0)
					}
				}
				sys.Admit(at, y)
			}
			sys.Gradient(grad, nil, at, y)
			scales.Meet(sys, sys.Hessian(at, y), y, grad)
			sizes := incremental.Sizes{Force: s.Scale(), Energy: s.Scale(), Length: 1, Forces: scales.Force}
			if beside == 2 {
				sizes.Forces = nil
			}
			g, err := m.Gap(t.Context(), at, base, y, slices.Clone(grad), sizes)
			fmt.Fprintf(w, "\tgap %v %v %v force %v share %v radius %v dissipation %v", g.Lower, g.Upper, g.Exact, g.Force, g.Share, g.Radius, m.Dissipation(y))
			if err != nil {
				fmt.Fprint(w, " not found")
			}
			fmt.Fprintln(w)
		}
	}
}

// settle makes a state stand still where a trace ends, and writes how far it went.
func settle(t *testing.T, w *strings.Builder, c trace) {
	s, err := incremental.New(c.psi, c.times[len(c.times)/2], c.start, c.o)
	check(t, err)
	way, err := s.Equilibrate(t.Context())
	fmt.Fprintf(w, "%s, settled %v %t states %v z %s\n", c.name, way, err == nil, s.States(), pinned.Bits(s.State(), s.Gradient()))
}

// TestTraces compares costs and bits of all traces with those that were made before. The theorems are in the other tests; here
// is what they leave open, the heuristics: how often a method turns, where it stops, which of several states it finds. Who
// changes that on purpose remakes the list, and says why.
func TestTraces(t *testing.T) {
	var b strings.Builder
	for _, c := range traces(t) {
		follow(t, &b, c)
		if !c.psi.System.Dragged(0) && len(c.psi.System.Bent()) == 0 {
			settle(t, &b, c)
		}
	}
	pinned.Lines(t, tracesFile, *remake, b.String())
}
