package incremental_test

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
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
			ex, z := frame(t, rand.New(rand.NewPCG(seed, 4)), 3)
			list = append(list, trace{name(fmt.Sprintf("springs %d", seed), mode), ex.Psi, z, incremental.Options{Threshold: mode}, steps(8, 0.15)})
		}
		psi, z := bent(t, func(c int) dissipation.Matrix {
			across, err := dissipation.NewOrthotropic([2]float64{0.1, 0.3}, [2]float64{1, 1})
			check(t, err)
			rippled, err := dissipation.NewRippled(dissipation.Isotropic{Mu: 0.3}, 0.2, 0.5, [2]float64{0.6, 0.8}, 0)
			check(t, err)
			return []dissipation.Matrix{nil, dissipation.Isotropic{Mu: 0.2}, nil, dissipation.Isotropic{Mu: 0.3}, rippled, across, dissipation.Isotropic{Mu: 0.1}}[c]
		})
		list = append(list, trace{name("curved and moving obstacles", mode), psi, z, incremental.Options{Threshold: mode}, steps(16, 0.12)})
		list = append(list, trace{name("curved and moving obstacles, long steps", mode), psi, z, incremental.Options{Threshold: mode}, steps(5, 0.45)})
		psi, z = buckling(t)
		list = append(list, trace{name("buckling", mode), psi, z, incremental.Options{Threshold: mode, MaxFixedPoint: 7}, steps(6, 0.17)})
		psi, z = glued(t)
		list = append(list, trace{name("glue", mode), psi, z, incremental.Options{Threshold: mode}, steps(8, 0.25)})
		psi, z = sliding(t)
		list = append(list, trace{name("loose pair", mode), psi, z, incremental.Options{Threshold: mode}, steps(4, 0.25)})
		ex := reference.Ripple(0.4)
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
		psi, z = onBall(t)
		list = append(list, trace{name("a ball and others", mode), psi, z, incremental.Options{Threshold: mode}, steps(6, 0.2)})
		psi, z = crowd(t, rand.New(rand.NewPCG(3, 3)))
		strict := incremental.Options{Threshold: mode, Tolerance: 1e-15}
		list = append(list, trace{name("too strict", mode), psi, z, strict, steps(2, 0.5)})
	}
	return list
}

// onBall is three particles that exchange no force: on a floor, on a ball at rest, and beside a wall that comes nearer.
func onBall(t *testing.T) (*dissipation.Coulomb, []float64) {
	zero := signal.Constant(0)
	ball, err := particles.NewSphere([3]float64{0, 0, -1}, 1, false, [3]float64{0, 0.2, 0})
	check(t, err)
	c, err := particles.NewChart(ball, particles.Motion{})
	check(t, err)
	side, err := particles.NewHalfSpace([3]float64{-0.1, 0, 0}, [3]float64{1, 0, 0})
	check(t, err)
	plane, err := particles.NewPlane(side.Frame())
	check(t, err)
	wall, err := particles.NewChart(plane, particles.Motion{Shift: particles.Path{sine(t, 0, 0.3, 0.3, 0), zero, zero}})
	check(t, err)
	var tethers []particles.Tether
	for j, k := range []float64{1, 4, 100} {
		along := particles.Path{sine(t, 0, 0.5, 0.3, float64(j)), sine(t, 0, 0.3, 0.5, 0), sine(t, -0.3, 0.2, 0.4, float64(j))}
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: along, Stiffness: particles.Diagonal(k, 1.2*k, 2*k)})
	}
	te, err := particles.NewTethers(tethers...)
	check(t, err)
	sys, err := particles.NewSystem([]particles.Frame{particles.Floor(), particles.NoObstacle(), particles.Floor()}, te)
	check(t, err)
	sys, err = sys.WithExtras([]particles.Extra{{Particle: 1, Frame: particles.Charted(c, [3]float64{})}, {Particle: 2, Frame: particles.Charted(wall, [3]float64{})}}, 1)
	check(t, err)
	iso := dissipation.Isotropic{Mu: 0.3}
	psi, err := dissipation.New(sys, []dissipation.Matrix{iso, nil, iso, iso, iso})
	check(t, err)
	return psi, make([]float64, 9)
}

// buckling is two particles on a floor, a strut between them and one to the ground that is pressed by more than it bears upright:
// D²E is indefinite on the way.
func buckling(t *testing.T) (*dissipation.Coulomb, []float64) {
	sp, err := particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 0), Law: particles.Linear{K: 5, Rest: 1}},
		particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 2, Rest: 1.2}})
	check(t, err)
	te, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(1e-3, 0, 1), Stiffness: particles.Diagonal(0.1, 0.1, 0)},
		particles.Tether{Particle: 1, Anchor: particles.At(1, 0.1, -0.2), Stiffness: particles.Diagonal(0.3, 0.2, 1), Stiffening: 0.5})
	check(t, err)
	force, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{}, {0, 0, -3}})
	check(t, err)
	lo, err := particles.NewLoads(particles.Load{Particle: 0, Force: force})
	check(t, err)
	sys, err := particles.NewSystem(particles.Floors(2), sp, te, lo)
	check(t, err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.2}, dissipation.Isotropic{Mu: 0.4}})
	check(t, err)
	return psi, []float64{0, 0, 1, 1, 0, 0}
}

// glued is two nodes that adhesive bonds hold to the ground and a grip pulls away: an energy that is not convex, in whose damage
// nothing resists.
func glued(t *testing.T) (*dissipation.Coulomb, []float64) {
	variable, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	check(t, err)
	k := particles.Isotropic(3)
	length := particles.BreakingLength(k, 0.05)
	v := dissipation.Variable{Frame: variable, Yield: 0.05 / length, Idle: 3, Limit: length}
	ref := make([]float64, 12)
	ref[3] = -1
	pull, err := particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{}, {6, 1, 0}})
	check(t, err)
	bonds, err := particles.NewBonds(ref, particles.Bond{I: 0, Anchor: pull, Stiffness: particles.Isotropic(1)}, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(1)})
	check(t, err)
	glue, err := particles.NewAdhesiveBonds(ref, particles.AdhesiveBond{I: 0, Anchor: particles.At(0, 0, 0), Variable: 2, Stiffness: k, Length: length},
		particles.AdhesiveBond{I: 1, Anchor: particles.At(0, 0, 0), Variable: 3, Stiffness: k, Length: length})
	check(t, err)
	press, err := dissipation.Press(2, []dissipation.Variable{v, v})
	check(t, err)
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle(), particles.NoObstacle(), variable, variable}, append([]particles.Energy{bonds, glue}, press...)...)
	check(t, err)
	var ends []particles.Extra
	matrices := make([]dissipation.Matrix, 2)
	for i := range 2 {
		e, _ := v.End(2 + i)
		ends = append(ends, e)
		matrices = append(matrices, dissipation.Isotropic{Mu: 1})
	}
	sys, err = sys.WithExtras(ends, 10)
	check(t, err)
	psi, err := dissipation.New(sys, append(matrices, nil, nil))
	check(t, err)
	z := make([]float64, 12)
	sys.ToLocal(z, ref)
	return psi, z
}

// sliding is a pair of particles that nothing but friction holds, and one on a spring: the pull exceeds the friction of the
// start of the second step, and of the end of the fourth one.
func sliding(t *testing.T) (*dissipation.Coulomb, []float64) {
	ramp := func(values ...float64) particles.Signal {
		s, err := signal.NewTable([]float64{0, 0.25, 0.5, 0.75, 1}, values)
		check(t, err)
		return s
	}
	loads, err := particles.NewLoads(
		particles.Load{Particle: 0, Force: particles.Path{ramp(0, 1, 1.7, 1, 3), ramp(0, 0.5, 1, 0.5, 2), ramp(-2, -2, -4, -3, -2)}},
		particles.Load{Particle: 1, Force: particles.At(0, 0, -2)}, particles.Load{Particle: 2, Force: particles.Path{ramp(0, 2, 4, 1, 0), ramp(0, 0, 0, 0, 0), ramp(-1, -1, -1, -2, -1)}})
	check(t, err)
	bonds, err := particles.NewBonds([]float64{0, 0, 0, 1, 1, 0, 0, 0, 0}, particles.Bond{I: 0, J: 1, Stiffness: particles.Stiffness{50, 5, 0, 5, 40, 0, 0, 0, 30}})
	check(t, err)
	tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(3, 3, 0)})
	check(t, err)
	sys, err := particles.NewSystem(particles.Floors(3), loads, bonds, tether)
	check(t, err)
	iso := dissipation.Isotropic{Mu: 0.4}
	psi, err := dissipation.New(sys, []dissipation.Matrix{iso, iso, iso})
	check(t, err)
	return psi, []float64{0, 0, 0, 1, 1, 0, 0, 0, 0}
}

// bits is a short name of numbers, another one for others.
func bits(lists ...[]float64) string {
	h := fnv.New64a()
	for _, list := range lists {
		for _, x := range list {
			fmt.Fprintf(h, "%x ", math.Float64bits(x+0)) // −0 is 0
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
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
				fmt.Fprintf(w, "lost %d %v %s, ", lost.Particle, lost.Force, bits(lost.Direction))
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
			bits(s.State()), bits(s.Gradient(), frozen))
		s.Save(&saved)
		fmt.Fprintf(w, " save %s %v\n", bits(saved.V, saved.R, saved.Forces, saved.Held, saved.Before), saved.TBefore)
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
	fmt.Fprintf(w, "%s, settled %v %t states %v z %s\n", c.name, way, err == nil, s.States(), bits(s.State(), s.Gradient()))
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
	if processor.Kind() != processor.Rounded || runtime.GOARCH != "amd64" {
		t.Skip("the list is of programs that round each operation")
	}
	if *remake {
		check(t, os.WriteFile(tracesFile, []byte(b.String()), 0o666))
	}
	text, err := os.ReadFile(tracesFile)
	check(t, err)
	got, want := strings.Split(b.String(), "\n"), strings.Split(string(text), "\n")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("line %d of %s:\n got %s\nwant %s\nIf that is meant: go test ./incremental -run TestTraces -remake", i+1, tracesFile, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}
