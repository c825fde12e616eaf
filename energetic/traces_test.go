package energetic_test

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

// traces are problems that meet, together, what the package has branches for: islands, walls,
// springs that are not linear, curved and moving obstacles, buckling, glue, losses, friction that
// varies in place and in time, take-off and landing.
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
	mixed := []dissipation.Matrix{nil, dissipation.Isotropic{Mu: 0.2}, nil, dissipation.Isotropic{Mu: 0.3}, rippled,
		across, dissipation.Isotropic{Mu: 0.1}}
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
		{"islands", reference.Crowd(rand.New(rand.NewPCG(1, 3)), 1, 1), 5, 0.2,
			dissipation.Rule{Gamma: 0.02, Policy: dissipation.SwitchingOnly}},
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
	fmt.Fprintf(w, " E %v D %v W %v gap %v %v step %v force %v upper %v lower %v states %v all %s %s", n.Energy,
		n.Dissipation, n.Work, n.Gap.Lower, n.Gap.Upper, n.StepGap.Upper, n.Force, n.Upper, n.Lower,
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

// TestCertifiedTraces pins all that certificates say of the nodes of small problems: made by the
// scheme, with lagged and implicit thresholds; seen from elsewhere, moved a little, thinned, as a
// walk, with the heights as they are.
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
							// where the solver ends is its own business
							fmt.Fprintf(&b, "%s %d, loss: not located\n", c.name, mode)
						} else {
							fmt.Fprintf(&b, "%s %d, loss: %s\n", c.name, mode, pinned.Text(*l))
						}
					}
					break
				}
				times, nodes = append(times, at), append(nodes, slices.Clone(e.Node().Z))
				n := e.Node()
				fmt.Fprintf(&b, "%s %d, node %d: gap %v %v step %v force %v balance %v upper %v lower %v all %s %s\n",
					c.name, mode, k, n.Gap.Lower, n.Gap.Upper, n.StepGap.Upper, n.Force, n.Balance, n.Upper, n.Lower,
					pinned.Bits(*n), pinned.Bits(e.Residuals(), e.Measures()))
			}
			fmt.Fprintf(&b, "%s %d: %s\n", c.name, mode, pinned.Text(e.Summary()))
			look(t, &b, c, fmt.Sprintf("%s %d, again", c.name, mode), o, times, nodes, 0)
			if mode == incremental.Lagged {
				continue
			}
			for _, kind := range []string{"foreign", "thinned", "walk", "close"} {
				p := o
				p.Foreign, p.Thinned, p.Walk, p.Close, p.Accuracy = kind == "foreign", kind == "thinned",
					kind == "walk", kind == "close", 0.03
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
