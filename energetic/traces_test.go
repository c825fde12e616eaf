package energetic_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/signal"
)

var remake = flag.Bool("remake", false, "write the lists of testdata anew: say in the commit why numbers change")

// trace is a small problem and how it is gone through.
type trace struct {
	name  string
	ex    reference.Example
	steps int
	step  float64
	rule  dissipation.Rule
}

// traces are problems that meet, together, what the package has branches for: islands, walls, springs that are not linear, curved and
// moving obstacles, buckling, glue, losses, friction that varies in place and in time, take-off and landing.
func traces(t *testing.T) []trace {
	t.Helper()
	across, err := dissipation.NewOrthotropic([2]float64{0.1, 0.3}, [2]float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	rippled, err := dissipation.NewRippled(dissipation.Isotropic{Mu: 0.3}, 0.2, 0.5, [2]float64{0.6, 0.8}, 0)
	if err != nil {
		t.Fatal(err)
	}
	mixed := []dissipation.Matrix{nil, dissipation.Isotropic{Mu: 0.2}, nil, dissipation.Isotropic{Mu: 0.3}, rippled, across, dissipation.Isotropic{Mu: 0.1}}
	pulse := reference.PlayPulsing()
	timed, err := dissipation.New(pulse.Psi.System, pulse.Psi.Matrices)
	if err != nil {
		t.Fatal(err)
	}
	ageing, err := signal.NewSine(1, 0.5, 0.7, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	if err := timed.SetFactors([]signal.Scalar{ageing}); err != nil {
		t.Fatal(err)
	}
	return []trace{
		{"islands", reference.Crowd(rand.New(rand.NewPCG(1, 3)), 1, 1), 5, 0.2, dissipation.Rule{Gamma: 0.02, Policy: dissipation.SwitchingOnly}},
		{"walls", reference.Wedged(1, 1, 1), 6, 0.15, dissipation.Rule{}},
		{"springs", reference.Braced(rand.New(rand.NewPCG(1, 4)), 3), 5, 0.15, dissipation.Rule{}},
		{"bent", reference.Bent(func(c int) dissipation.Matrix { return mixed[c] }), 8, 0.12, dissipation.Rule{}},
		{"ball", reference.BallAndWall(true), 5, 0.2, dissipation.Rule{}},
		{"buckling", reference.Buckling(), 4, 0.2, dissipation.Rule{}},
		{"glue", reference.Glued(), 8, 0.25, dissipation.Rule{}},
		{"loose", reference.Loose(), 4, 0.25, dissipation.Rule{}},
		{"ripple", reference.Ripple(1.5), 8, 0.12, dissipation.Rule{Gamma: 0.05, Policy: dissipation.Blend}},
		{"klarbring", reference.Klarbring(1.5), 5, 0.6, dissipation.Rule{}},
		{"caterpillar", reference.Caterpillar(4, 3), 8, 0.3, dissipation.Rule{Gamma: 0.01}},
		{"timed", reference.Example{Psi: timed, Start: pulse.Start, Until: 1}, 6, 0.11, dissipation.Rule{}},
		{"chain", reference.Chain(5, 8), 6, 1.2, dissipation.Rule{}},
		{"slopes", reference.Slopes(), 6, 0.15, dissipation.Rule{}},
	}
}

// certified writes what a certifier says of its node.
func certified(w *strings.Builder, c *energetic.Certifier, ex reference.Example) {
	n := c.Node()
	fmt.Fprintf(w, " E %v D %v W %v gap %v %v step %v force %v upper %v lower %v states %v all %s %s", n.Energy, n.Dissipation, n.Work, n.Gap.Lower, n.Gap.Upper, n.StepGap.Upper, n.Force, n.Upper, n.Lower,
		n.States, pinned.Bits(*n), pinned.Bits(c.Residuals(), c.Measures(), c.EnergyTolerance()))
	possible := 0
	for j := range ex.Psi.System.Contacts() {
		for s := range incremental.ContactState(4) {
			if possible *= 2; c.Possible(j, s) {
				possible = (possible + 1) % 1048573
			}
		}
	}
	tolerances := []float64{}
	for j := range ex.Psi.System.N() {
		tolerances = append(tolerances, c.ForceTolerance(j), c.FrictionTolerance(j))
	}
	fmt.Fprintf(w, " possible %d %s lowered %t\n", possible, pinned.Bits(tolerances), c.Lowered())
}

// TestCertifiedTraces pins all that certificates say of the nodes of small problems: made by the scheme, with lagged and implicit
// thresholds; seen from elsewhere, moved a little, thinned, as a walk, with the heights as they are.
func TestCertifiedTraces(t *testing.T) {
	var b strings.Builder
	for _, c := range traces(t) {
		for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
			o := energetic.Options{Step: incremental.Options{Threshold: mode, Rule: c.rule}, Equilibrate: true}
			e, err := energetic.Start(t.Context(), c.ex.Psi, c.ex.Start, o)
			if err != nil {
				fmt.Fprintf(&b, "%s %d: %v\n", c.name, mode, err)
				continue
			}
			times, nodes := []float64{0}, [][]float64{slices.Clone(e.Node().Z)}
			for k := 1; k <= c.steps; k++ {
				at := c.step * float64(k)
				if err := e.Step(t.Context(), at); err != nil {
					fmt.Fprintf(&b, "%s %d, node %d: %v\n", c.name, mode, k, err)
					var lost *incremental.LossError
					if errors.As(err, &lost) {
						if l, err := e.LocateLoss(t.Context(), at, lost); err != nil {
							fmt.Fprintf(&b, "%s %d, loss: not located\n", c.name, mode) // where the solver ends is its own business
						} else {
							fmt.Fprintf(&b, "%s %d, loss: %s\n", c.name, mode, pinned.Text(*l))
						}
					}
					break
				}
				times, nodes = append(times, at), append(nodes, slices.Clone(e.Node().Z))
				n := e.Node()
				fmt.Fprintf(&b, "%s %d, node %d: gap %v %v step %v force %v balance %v upper %v lower %v all %s %s\n", c.name, mode, k, n.Gap.Lower, n.Gap.Upper, n.StepGap.Upper, n.Force, n.Balance, n.Upper, n.Lower,
					pinned.Bits(*n), pinned.Bits(e.Residuals(), e.Measures()))
			}
			fmt.Fprintf(&b, "%s %d: %s\n", c.name, mode, pinned.Text(e.Summary()))
			look(t, &b, c, fmt.Sprintf("%s %d, again", c.name, mode), o, times, nodes, 0)
			if mode == incremental.Lagged {
				continue
			}
			for _, kind := range []string{"foreign", "thinned", "walk", "close"} {
				p := o
				p.Foreign, p.Thinned, p.Walk, p.Close, p.Accuracy = kind == "foreign", kind == "thinned", kind == "walk", kind == "close", 0.03
				look(t, &b, c, c.name+", "+kind, p, times, nodes, 1e-3)
			}
		}
	}
	pinned.Lines(t, "testdata/certified.txt", *remake, b.String())
}

// look certifies nodes that are moved by a little.
func look(t *testing.T, w *strings.Builder, c trace, name string, o energetic.Options, times []float64, nodes [][]float64, by float64) {
	t.Helper()
	certifier, err := energetic.NewCertifier(c.ex.Psi, o)
	if err != nil {
		t.Fatal(err)
	}
	sys := c.ex.Psi.System
	for k, z := range nodes {
		y := slices.Clone(z)
		for i := range y {
			if k > 0 {
				y[i] += by * math.Sin(float64(5*i+3*k))
			}
		}
		for j := range sys.N() {
			if sys.Constrained(j) && (k%2 == 0 || y[3*j+2] < 0) {
				y[3*j+2] = z[3*j+2]
			}
		}
		sys.Admit(times[k], y)
		if k == 0 {
			err = certifier.Begin(t.Context(), times[k], y)
			fmt.Fprintf(w, "%s, start: %v", name, certifier.Unstable())
		} else {
			err = certifier.Observe(t.Context(), times[k], y)
			fmt.Fprintf(w, "%s, node %d:", name, k)
		}
		if err != nil {
			fmt.Fprintf(w, " %v\n", err)
			return
		}
		certified(w, certifier, c.ex)
	}
	lost, err := certifier.Lost(t.Context(), 2*times[len(times)-1]+1)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(w, "%s: %s lost %t\n", name, pinned.Text(certifier.Summary()), lost)
}

// TestAssumedTraces pins what is said of the assumptions of small problems, in numbers and words: at starts that have settled, and some that have not; with
// contacts that may switch, friction that varies, energies that are not quadratic.
func TestAssumedTraces(t *testing.T) {
	var b strings.Builder
	list := traces(t)
	some := func(j int) bool { return j%2 == 0 }
	rippled := func(ex reference.Example, part, length float64) reference.Example {
		matrices := slices.Clone(ex.Psi.Matrices)
		for j, m := range matrices {
			if m == nil || j%2 == 1 {
				continue
			}
			r, err := dissipation.NewRippled(m, part, length, [2]float64{0.6, 0.8}, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			matrices[j] = r
		}
		psi, err := dissipation.New(ex.Psi.System, matrices)
		if err != nil {
			t.Fatal(err)
		}
		return reference.Example{Psi: psi, Start: ex.Start, Until: ex.Until}
	}
	for _, c := range []struct {
		name string
		ex   reference.Example
	}{{"coupled", coupled(3, 0.5, 0.4, some)}, {"coupled and pressed", coupled(3, 0.5, 0.4, func(int) bool { return true })}, {"coupled, strong friction", coupled(3, 0.9, 1.9, some)}, {"coupled, rippled", rippled(coupled(3, 0.5, 0.2, some), 0.1, 4)},
		{"coupled, rippled much", rippled(coupled(2, 0.5, 0.3, some), 0.5, 0.5)}, {"net", reference.Net(2, 1)}, {"long ripple", reference.Ripple(20)}, {"braced", rippled(reference.Braced(rand.New(rand.NewPCG(5, 4)), 2), 0.1, 3)}, {"grazing", reference.Grazing()}, {"anisotropic", rippled(reference.Anisotropic(), 0.1, 2)}} {
		list = append(list, trace{name: c.name, ex: c.ex})
	}
	for _, c := range list {
		start := c.ex.Start
		if s, err := incremental.New(c.ex.Psi, 0, start, incremental.Options{Threshold: incremental.Implicit}); err == nil && c.name != "islands" && c.name != "springs" {
			if _, err := s.Equilibrate(t.Context()); err == nil {
				start = s.State()
			}
		}
		options := []energetic.AssumptionOptions{{}, {Until: c.ex.Until / 4, Gamma: 0.02, Step: 0.01}}
		if c.name == "bent" || c.name == "buckling" || c.name == "glue" {
			options = options[1:] // their time is the search for better states, which is the same
		}
		for _, o := range options {
			a, err := energetic.Assume(t.Context(), c.ex.Psi, start, o)
			if err != nil {
				fmt.Fprintf(&b, "%s: %v\n", c.name, err)
				continue
			}
			text, err := json.Marshal(a)
			fmt.Fprintf(&b, "%s: %s %v\n", c.name, text, err)
			for _, s := range []*energetic.Separation{a.Printed, a.Condensed, a.Always} {
				if s != nil {
					fmt.Fprintf(&b, "%s: nodes %d worst %v %s\n", c.name, s.Nodes, s.Worst.K, pinned.Bits(s.Soft, s.Share, s.Subsets))
				}
			}
			if o.Step > 0 {
				var words strings.Builder
				if err := a.WriteText(&words); err != nil {
					t.Error(err)
				}
				fmt.Fprintf(&b, "%s: %v %s\n", c.name, a.Verdict(), strings.ReplaceAll(words.String(), "\n", " | "))
			}
		}
	}
	pinned.Lines(t, "testdata/assumed.txt", *remake, b.String())
}

// TestControlledTraces pins the ways of step control: partitions by accuracy and what they promise, steps by events, probing for
// jumps, sequences of γ and of steps.
func TestControlledTraces(t *testing.T) {
	var b strings.Builder
	for _, c := range traces(t) {
		if c.name == "loose" || c.name == "buckling" || c.name == "bent" || c.name == "springs" {
			continue // lost, or long
		}
		o := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit, Rule: c.rule}, Equilibrate: true, Accuracy: 0.1}
		until := c.step * float64(c.steps) / 2
		p, err := energetic.ChoosePartition(t.Context(), c.ex.Psi, c.ex.Start, o, until)
		if err != nil {
			fmt.Fprintf(&b, "%s, partition: %v\n", c.name, err)
		} else {
			fmt.Fprintf(&b, "%s, partition: %d in %d rounds, %t %s %s\n", c.name, len(p.Times), p.Rounds, p.Accurate, p.Reason, pinned.Bits(p.Times))
		}
		e, err := energetic.Start(t.Context(), c.ex.Psi, c.ex.Start, o)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", c.name, err)
			continue
		}
		for k := range 4 {
			jump, err := e.StepProbing(t.Context(), c.step*float64(k+1), func(n *energetic.Node) error {
				fmt.Fprintf(&b, "%s, probing %v: %s\n", c.name, n.T, pinned.Bits(*n))
				return nil
			})
			if jump != nil {
				fmt.Fprintf(&b, "%s, jump %s\n", c.name, pinned.Text(*jump))
			}
			if err != nil {
				fmt.Fprintf(&b, "%s, probing: %v\n", c.name, err)
				break
			}
		}
		counts := []int{8, 24}
		if c.name == "walls" || c.name == "islands" || c.name == "ball" {
			counts = nil // hundreds of long steps: TestProspects pins others
		}
		for _, n := range counts {
			prospect, err := energetic.Reach(t.Context(), c.ex.Psi, c.ex.Start, o, until, n, e.Measures())
			fmt.Fprintf(&b, "%s, reach from %d: %s %v %s\n", c.name, n, pinned.Text(prospect), err, prospect.Remedy(1e-3))
		}
		lagged := o
		lagged.Step.Threshold, lagged.Step.Rule = incremental.Lagged, dissipation.Rule{Gamma: 0.05}
		if e, err = energetic.Start(t.Context(), c.ex.Psi, c.ex.Start, lagged); err != nil {
			fmt.Fprintf(&b, "%s: %v\n", c.name, err)
			continue
		}
		stats, err := e.Advance(t.Context(), until, energetic.Adaptive{MaxStep: c.step / 2, MinStep: c.step / 16, EventTolerance: c.step / 8}, func(n *energetic.Node) error {
			fmt.Fprintf(&b, "%s, adaptive %v: %s paced %t\n", c.name, n.T, pinned.Bits(n.Z), e.Paced())
			return nil
		})
		fmt.Fprintf(&b, "%s, adaptive: %s %v\n", c.name, pinned.Text(stats), err)
		if c.name == "caterpillar" || c.name == "timed" {
			times := []float64{0}
			for k := range c.steps {
				times = append(times, c.step/2*float64(k+1))
			}
			levels, err := energetic.Continuation(t.Context(), c.ex.Psi, c.ex.Start, lagged, []float64{0.05, 0.02, 0.01}, times, func(int, *energetic.Node) error { return nil })
			fmt.Fprintf(&b, "%s, continuation: %s %v\n", c.name, pinned.Text(levels), err)
			var runs []*energetic.Refined
			for level := range 4 {
				r, err := energetic.Refine(t.Context(), c.ex.Psi, c.ex.Start, lagged, until, 3, level, func(*energetic.Node) error { return nil })
				if err != nil {
					t.Fatal(err)
				}
				runs = append(runs, r)
			}
			fmt.Fprintf(&b, "%s, refined: %s\n", c.name, pinned.Text(energetic.Compare(runs)))
		}
	}
	pinned.Lines(t, "testdata/controlled.txt", *remake, b.String())
}

// TestJumpTraces pins the jumps that probing finds, where friction varies too fast to follow, and between wells: times, ends, and the nodes on the way.
func TestJumpTraces(t *testing.T) {
	var b strings.Builder
	wells, z0 := twoWells(t, 1, 1, 0, 0.4)
	for _, c := range []struct {
		name  string
		ex    reference.Example
		steps int
	}{{"ripple", reference.Ripple(0.5), 24}, {"klarbring", reference.Klarbring(2.4), 12}, {"wells", reference.Example{Psi: wells, Start: z0, Until: 2}, 12}, {"glue", reference.Glued(), 6}, {"islands", reference.Crowd(rand.New(rand.NewPCG(4, 3)), 1, 1), 4}} {
		for _, o := range []energetic.Options{lagged, implicit, regularised(0.01)} {
			ex, w := watch(t, c.ex)
			c.ex, o.Equilibrate = ex, true
			e, err := energetic.Start(t.Context(), c.ex.Psi, c.ex.Start, o)
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= c.steps; k++ {
				jump, err := e.StepProbing(t.Context(), c.ex.Until*float64(k)/float64(c.steps), func(n *energetic.Node) error {
					fmt.Fprintf(&b, "%s, passed %v: %s\n", c.name, n.T, pinned.Bits(n.Z, n.Certificate))
					return nil
				})
				if jump != nil {
					fmt.Fprintf(&b, "%s, jump %s\n", c.name, pinned.Text(*jump))
				}
				fmt.Fprintf(&b, "%s, node %v: %s %v\n", c.name, e.Node().T, pinned.Bits(e.Node().Z, e.Node().Certificate), err)
				if err != nil {
					break
				}
			}
			fmt.Fprintf(&b, "%s: %s\n", c.name, pinned.Text(e.Summary()))
			fmt.Fprintf(&b, "%s: %s\n", c.name, w.path())
		}
	}
	pinned.Lines(t, "testdata/jumps.txt", *remake, b.String())
}

// TestGlobalTraces pins searches for better states, proofs that there are none, jumps between global minimisers, and the ways of
// jumps under vanishing viscosity.
func TestGlobalTraces(t *testing.T) {
	var b strings.Builder
	wells, z0 := twoWells(t, 1, 1, 0, 0.4)
	snap := truss(t, 0.5)
	list := append([]trace{{"wells", reference.Example{Psi: wells, Start: z0, Until: 2}, 6, 0.3, dissipation.Rule{}},
		{"truss", reference.Example{Psi: snap, Start: settle(t, snap, []float64{0, 0, 0.5}), Until: 2}, 2, 0.5, dissipation.Rule{}}}, traces(t)...)
	for _, c := range list {
		switch c.name {
		case "islands", "caterpillar", "bent", "ball", "chain", "timed", "loose", "walls":
			continue
		}
		ex, w := watch(t, c.ex)
		c.ex = ex
		sys := c.ex.Psi.System
		g, err := energetic.NewGlobalSearch(c.ex.Psi, energetic.SearchOptions{Evaluations: 300, Starts: 5, Seed: 3})
		if err != nil {
			fmt.Fprintf(&b, "%s, search: %v\n", c.name, err)
		} else {
			r, err := g.Run(t.Context(), 0.3, c.ex.Start)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s, search: %v, %d %d %v %v\n", c.name, r, r.Evaluations, r.Polished, r.Gain, r.Y)
			fmt.Fprintf(&b, "%s, search: %s\n", c.name, w.path())
		}
		p, err := energetic.NewProver(c.ex.Psi)
		if err != nil {
			fmt.Fprintf(&b, "%s, prover: %v\n", c.name, err)
		} else if c.name != "springs" {
			ctx := context.Background()
			for _, margin := range []float64{1e-6, 1e-2} {
				proof, err := p.Run(ctx, 0.1, c.ex.Start, margin, nil)
				fmt.Fprintf(&b, "%s, proof: %s %v\n", c.name, pinned.Text(proof), err)
				if err != nil {
					break
				}
			}
		}
		ev, err := energetic.GlobalFrom(c.ex.Psi, 0, c.ex.Start, incremental.Options{Threshold: incremental.Implicit})
		if err != nil {
			fmt.Fprintf(&b, "%s, globally: %v\n", c.name, err)
			continue
		}
		for k := range min(c.steps, 4) {
			err := ev.Advance(t.Context(), c.step*float64(k+1), func(j *energetic.GlobalJump) error {
				fmt.Fprintf(&b, "%s, jump: %s %v\n", c.name, pinned.Text(*j), j.Residual())
				return nil
			})
			fmt.Fprintf(&b, "%s, globally %d: %s %s %v\n", c.name, k, pinned.Bits(ev.State()), pinned.Text(ev.Stats), err)
			if err != nil {
				break
			}
		}
		if j, err := ev.Judge(t.Context()); j != nil || err != nil {
			fmt.Fprintf(&b, "%s, judged: %s %v\n", c.name, pinned.Text(j), err)
		}
		fmt.Fprintf(&b, "%s, globally: %s\n", c.name, w.path())
		// Along a run that goes downhill only.
		if run, err := incremental.New(c.ex.Psi, 0, c.ex.Start, incremental.Options{Threshold: incremental.Implicit}); err == nil {
			if ev, err = energetic.GlobalFrom(c.ex.Psi, 0, c.ex.Start, incremental.Options{Threshold: incremental.Implicit}); err != nil {
				t.Fatal(err)
			}
			for k := range min(c.steps, 4) {
				at := c.step * float64(k+1)
				if run.Step(t.Context(), at) != nil {
					break
				}
				err := ev.Trace(t.Context(), at, run.State(), func(j *energetic.GlobalJump) error {
					fmt.Fprintf(&b, "%s, traced jump: %s\n", c.name, pinned.Text(*j))
					return nil
				})
				j, judged := ev.Judge(t.Context())
				fmt.Fprintf(&b, "%s, traced %d: %s %s %s %v %v\n", c.name, k, pinned.Bits(ev.State()), pinned.Text(j), pinned.Text(ev.Stats), err, judged)
			}
		}
		fmt.Fprintf(&b, "%s, traced: %s\n", c.name, w.path())
		if sys.ConstantHessian() || c.name == "springs" {
			continue
		}
		way, err := energetic.ResolveJump(t.Context(), c.ex.Psi, 0.4, c.ex.Start, 0.2, 0)
		if err != nil {
			fmt.Fprintf(&b, "%s, way: %v\n", c.name, err)
			continue
		}
		fmt.Fprintf(&b, "%s, way: %d %s %v %v %v\n", c.name, len(way.Arc), pinned.Bits(way.Arc, way.States, way.Force), way.Released, way.Friction, way.Viscous)
	}
	pinned.Lines(t, "testdata/global.txt", *remake, b.String())
}
