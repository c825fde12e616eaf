package energetic_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
)

// TestChoosePartition: the evolutions of the reference sheet are within their accuracy
// on the nodes that are chosen: the dissipation of closed forms too, which no measure
// sees. The number of steps is bounded by twice those that were measured, so that a
// refinement that has lost its aim is found.
func TestChoosePartition(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name        string
		ex          reference.Example
		dissipation float64 // at the end; NaN: not known
		exchanged   float64 // energy that accuracy is relative to, at most
		steps       [2]int  // for 1e-2 and 1e-3
	}{
		{"play", reference.Play(), 3.18, 3.18, [2]int{103, 277}},
		{"pulsing", reference.PlayPulsing(), 3.841459619567, 3.841459619567, [2]int{98, 206}},
		// Pressing stores ½·5·0.3² J in the spring, and gives it back.
		{"grazing", reference.Grazing(), .09795706214, .225, [2]int{66, 158}},
		// The force t works 3.5 J while the particle slides and 20/7 J in the air.
		{"klarbring", reference.Klarbring(1.5), 1.5, 6.36, [2]int{65, 68}},
		{"chain", reference.Chain(8, 20), math.NaN(), 0, [2]int{64, 78}},
		{"anisotropic", reference.Anisotropic(), 1.2806681808, 1.2806681808, [2]int{64, 528}},
		{"ripple", reference.Ripple(2), math.NaN(), 0, [2]int{64, 184}},
		{"net", reference.Net(4, 4), math.NaN(), 0, [2]int{122, 1917}},
	} {
		for i, accuracy := range []float64{1e-2, 1e-3} {
			if c.steps[i] > 1000 && !thorough.Asked() {
				continue // a second
			}
			o := implicit
			o.Accuracy = accuracy
			p, err := energetic.ChoosePartition(ctx, c.ex.Psi, c.ex.Start, o, c.ex.Until)
			if err != nil {
				t.Fatal(err)
			}
			n := len(p.Times) - 1
			if !p.Accurate || n > 2*c.steps[i] {
				t.Errorf("%s to %g: %d steps in %d rounds: %s", c.name, accuracy, n, p.Rounds, p.Reason)
			}
			d := alongTimes(t, c.ex, o, p.Times).Dissipation
			t.Logf("%s to %g: %d steps in %d rounds, dissipation %.10g", c.name, accuracy, n, p.Rounds, d)
			if off := math.Abs(d - c.dissipation); off > accuracy*c.exchanged {
				t.Errorf("%s to %g: dissipation %g, want %g", c.name, accuracy, d, c.dissipation)
			}
		}
	}
}

// alongTimes runs an example over given nodes and returns the last one.
func alongTimes(t *testing.T, ex reference.Example, o energetic.Options, times []float64) *energetic.Node {
	t.Helper()
	e, err := energetic.Start(context.Background(), ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range times[1:] {
		if err := e.Step(context.Background(), to); err != nil {
			t.Fatal(err)
		}
	}
	if s := e.Summary(); !s.Certified {
		t.Errorf("the run on the nodes chosen: %s", s.First)
	}
	return e.Node()
}

// TestPartitionUntil: partitions end at a positive time.
func TestPartitionUntil(t *testing.T) {
	ex := reference.Play()
	for _, until := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := energetic.ChoosePartition(t.Context(), ex.Psi, ex.Start, energetic.Options{}, until); err == nil ||
			!strings.Contains(err.Error(), "positive time") {
			t.Errorf("until %g: %v", until, err)
		}
	}
}

// TestStalled: six rounds of which none is better than the best before end the search for a
// partition: of a jump, Klarbring's. One that finds a loss ends with it: a weight of 1.5 N, μ = .4,
// slides away at .6 N.
func TestStalled(t *testing.T) {
	ex := reference.Klarbring(2.5)
	o := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	p, err := energetic.ChoosePartition(t.Context(), ex.Psi, ex.Start, o, ex.Until)
	if err != nil || p.Accurate || p.Rounds != 7 || !strings.Contains(p.Reason, "not accurate") {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = energetic.ChoosePartition(t.Context(), sledge(), make([]float64, 3), energetic.Options{}, 1)
	if lost, ok := errors.AsType[*incremental.LossError](err); !ok || !(lost.Time > 0.6 && lost.Time <= 0.6+1./32) {
		t.Errorf("a loss: %v", err)
	}
}

// sledge is a weight of 1.5 N on a floor, μ = .4, that a force t pulls.
func sledge() *dissipation.Coulomb {
	ramp := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1.5}, {1, 0, -1.5}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: ramp}))
	return must(dissipation.New(must(particles.NewSystem(particles.Floors(1), loads)),
		[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
}

// TestChooseUntilLoss: equal steps that are accurate up to a loss, or meet none, are the partition;
// of a weight that drags another one by a spring, aside of the pull, into line with it, they are
// not: then nodes come nearer to the loss, at the time at which the pull is what friction holds,
// than a millionth of it, and that are accurate. A start that is lost has none.
func TestChooseUntilLoss(t *testing.T) {
	o := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	for _, until := range []float64{0.5, 1} {
		p, err := energetic.ChooseUntilLoss(t.Context(), sledge(), make([]float64, 3), o, until, 8)
		if err != nil || !p.Accurate || len(p.Times) != 9 || p.Times[8] != until || p.Times[3] != until*3/8 {
			t.Errorf("a sledge until %g: %+v, %v", until, p, err)
		}
	}
	const load, weight, lighter = 21., 16., 10. // μ = .5 and .6
	pull := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -lighter}, {-0.6 * load, 0.8 * load, -lighter}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: pull},
		particles.Load{Particle: 1, Force: particles.At(0, 0, -weight)}))
	springs := must(particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 6.6, Rest: 1}}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(2), loads, springs)),
		[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}, dissipation.Isotropic{Mu: 0.6}}))
	z := []float64{0, 0.25, 0, 1, 0.25, 0}
	o.Accuracy = 0.2
	const steps = 16
	p, err := energetic.ChooseUntilLoss(t.Context(), psi, z, o, 1, steps)
	lost := (0.5*lighter + 0.6*weight) / load
	if n := len(p.Times); err != nil || !p.Accurate || n == steps+1 || p.Times[n-1] != 1 ||
		!(p.Times[n-2] < lost && p.Times[n-2] > lost*(1-1e-6)) || !(p.Times[n-2]-p.Times[n-3] < 1e-6*lost) {
		t.Errorf("a pair: %d, %v, %v, want to %g", n, p.Times[max(n-4, 0):], err, lost)
	}
	if !slices.IsSorted(p.Times) || p.Times[0] != 0 {
		t.Errorf("%v", p.Times)
	}
}
