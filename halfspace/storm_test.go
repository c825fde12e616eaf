package halfspace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// squall is a random scene of any kind that the package has: windows in space, in the plane and
// periodic; round, conical, wedged, flat, cornered and rough profiles; similar and dissimilar
// bodies; Coulomb's friction, thresholds everywhere or where bodies touch, and both, orthotropic;
// each of the six moves by force or by displacement; at rest, rolling, or in steady rolling; in
// units from 1e-6 to 1e3 m and 1e-3 to 1e12 Pa, and origins far from the window.
type squall struct {
	grid     Grid
	inf      Influence
	periodic bool
	problem  Problem
	kind     string // of what it is, for messages
	steady   [2]float64
	convex   bool // each step is a convex problem
	drives   []Drive
}

func newSquall(seed uint64) *squall {
	rng := rand.New(rand.NewPCG(16, seed))
	pick := func(n int) int { return rng.IntN(n) }
	s := &squall{}
	unit := math.Pow(10, 9*rng.Float64()-6)
	young := math.Pow(10, 15*rng.Float64()-3)
	nx, ny := 1+pick(20), 1+pick(20)
	g := Centred(nx, ny, unit*(0.5+rng.Float64()), unit)
	window := [...]string{"space", "space", "space", "plane", "periodic"}[pick(5)]
	if window == "plane" {
		g = Centred(1+pick(80), 1, unit, unit*100)
	}
	if window == "periodic" {
		sides := [...]int{4, 8, 12, 16}
		g = Centred(sides[pick(4)], sides[pick(4)], g.DX, g.DY)
	}
	far := unit * math.Pow(10, 4*rng.Float64()) * float64(pick(2))
	cx, cy := far*rng.NormFloat64(), far*rng.NormFloat64()
	g.X0, g.Y0 = g.X0+cx, g.Y0+cy
	body := Elastic{Young: young, Poisson: 0.5 * rng.Float64()}
	pairs := [...]string{"similar", "similar", "dissimilar", "rigid"}[pick(4)]
	var bodies Compliance
	switch pairs {
	case "similar":
		bodies, _ = ElasticPair(body, body)
	case "dissimilar":
		bodies, _ = ElasticPair(body, Elastic{Young: young * math.Pow(10, 4*rng.Float64()-2), Poisson: 0.5 * rng.Float64()})
	default:
		bodies, _ = ElasticOnRigid(body)
	}
	size := math.Min(float64(g.NX)*g.DX, math.Max(float64(g.NY)*g.DY, unit))
	if window == "plane" {
		size = float64(g.NX) * g.DX
	}
	depth := size * math.Pow(10, -3*rng.Float64()-1) // of the indentation
	s.grid = g
	switch window {
	case "plane":
		s.inf = PlaneStrain{bodies, size * (1.5 + 10*rng.Float64())}
	case "periodic":
		s.inf, s.periodic = Patches{bodies}, true
	default:
		s.inf = Patches{bodies}
	}
	shape := [...]string{"sphere", "cone", "wedge", "punch", "tilted punch", "waves"}[pick(6)]
	h := g.Sample(func(x, y float64) float64 {
		x, y = (x-cx)/size, (y-cy)/size
		switch shape {
		case "sphere":
			return depth * 8 * (x*x + (0.3+0.7*float64(seed%2))*y*y)
		case "cone":
			return depth * 4 * math.Hypot(x, y)
		case "wedge":
			return depth * 4 * math.Abs(x)
		case "punch", "tilted punch":
			if math.Abs(x) > 0.3 || math.Abs(y) > 0.3 {
				return 10 * size
			}
			if shape == "punch" {
				return 0
			}
			return depth * x
		default:
			return depth * (math.Sin(7*x) + math.Cos(5*y))
		}
	})
	if pick(3) == 0 {
		for k := range h {
			h[k] += 0.2 * depth * rng.NormFloat64()
		}
	}
	mu := []float64{0, 0.02, 0.3, 0.6, 1.1}[pick(5)]
	p := Problem{Gap: h, Ratio: []float64{0, 0, 0.3, 2.5}[pick(4)], Pole: [2]float64{cx, cy}}
	law := [...]string{"none", "coulomb", "coulomb", "threshold", "touching", "both"}[pick(6)]
	strength := young * depth / size * mu * math.Pow(10, 2*rng.Float64()-1)
	if law == "coulomb" || law == "both" {
		p.Coefficient = constant(g.Len(), mu)
	}
	if law == "threshold" || law == "touching" || law == "both" {
		p.Threshold, p.Touching = constant(g.Len(), strength), law != "threshold"
	}
	s.problem = p
	motion := [...]string{"rest", "rolls", "steady"}[pick(3)]
	if window == "periodic" || law == "none" {
		motion = "rest"
	}
	couples := pairs != "similar"
	s.convex = (!couples || law == "threshold" || law == "none") && !(couples && motion == "steady")
	s.kind = fmt.Sprintf("%s %s %s %s mu=%v ratio=%v %s", window, pairs, shape, law, mu, p.Ratio, motion)
	s.move(rng, window, motion, size, depth, young, strength)
	return s
}

// move draws the controls of the steps.
func (s *squall) move(rng *rand.Rand, window, motion string, size, depth, young, strength float64) {
	g, p := s.grid, &s.problem
	byLoad := window == "periodic" || rng.IntN(2) == 0
	load := young * depth * size * (0.05 + rng.Float64()) * 0.3
	if window == "plane" {
		load = young * depth * g.DY * (0.05 + rng.Float64()) * 0.3
	}
	var forced [Moves]bool
	for _, m := range along {
		forced[m] = rng.IntN(3) == 0 && !(m == TurnN && window == "periodic")
	}
	frictional := p.Coefficient != nil && p.Coefficient[0] > 0 && p.Threshold == nil && byLoad
	tilted := byLoad && rng.IntN(3) == 0 && window == "space"
	if motion == "steady" {
		way := 0.3 + 1.5*rng.Float64()
		turn := []float64{0, math.Pi, math.Pi / 2, 2 * math.Pi * rng.Float64()}[rng.IntN(4)]
		s.steady = [2]float64{way * g.DX * math.Cos(turn), way * g.DY * math.Sin(turn)}
		if window == "plane" {
			s.steady = [2]float64{way * g.DX, 0}
		}
	}
	for k := range 4 {
		t := float64(k)
		level := 1 + 0.5*math.Sin(2*t)
		var d Drive
		d.Control[MoveN] = Control{Value: -depth * level}
		if byLoad {
			d.Control[MoveN] = Control{true, load * level}
		}
		if tilted {
			arm := min(float64(g.NX-1)*g.DX, float64(g.NY-1)*g.DY) / 10
			d.Control[TurnX], d.Control[TurnY] = Control{true, load * level * arm * math.Sin(t)},
				Control{true, load * level * arm * math.Cos(t)}
		}
		mu := 0.0
		if frictional {
			mu = p.Coefficient[0] * min(1, p.ratio()) * load * level
		}
		for i, m := range along {
			slip := 0.3 * depth * math.Sin(0.7*t+float64(i))
			if m == TurnN {
				slip /= size
			}
			if m == TurnN && window == "periodic" { // which does not turn
				slip = 0
			}
			if motion == "steady" {
				slip *= 0.1
			}
			d.Control[m] = Control{Value: slip}
			switch {
			case forced[m] && m == TurnN:
				d.Control[m] = Control{Force: true}
			case forced[m] && frictional:
				d.Control[m] = Control{true, 0.4 * mu * math.Cos(0.9*t+float64(i))}
			case forced[m] && p.frictional():
				d.Control[m] = Control{Force: true}
			}
		}
		if motion == "rolls" && k > 0 {
			d.Roll = [2]float64{1.5 * rng.NormFloat64() * g.DX, 1.5 * rng.NormFloat64() * g.DY * float64(rng.IntN(2))}
			if window == "plane" {
				d.Roll[1] = 0
			}
		}
		s.drives = append(s.drives, d)
	}
}

// operator is that of the window.
func (s *squall) operator() (*Operator, error) {
	if s.periodic {
		return NewPeriodic(s.grid, s.inf.(Patches).Compliance)
	}
	return NewOperator(s.grid, s.inf)
}

// step takes an evolution of the scene to its next node.
func (s *squall) step(ctx context.Context, e *Evolution, d Drive) error {
	if s.steady != [2]float64{} {
		return e.Steady(ctx, Creep{Roll: s.steady, Control: d.Control})
	}
	return e.Step(ctx, d)
}

// TestStorm: whatever is posed, each step is solved and certified, or refused with a proof that
// nothing has the prescribed forces; a problem that is not convex may end unsolved, and says so.
// One seed after the other with QUASISTATIC_LONG=1, from QUASISTATIC_SEED on.
func TestStorm(t *testing.T) {
	first, count := uint64(0), uint64(12)
	if thorough.Asked() {
		count = 3000
	}
	if text := os.Getenv("QUASISTATIC_SEED"); text != "" {
		var err error
		if first, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	if text := os.Getenv("QUASISTATIC_COUNT"); text != "" {
		var err error
		if count, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	seeds := []uint64{2377, 2487} // nearly all slips: Newton's method needs its projections; two elements whose problems settle late
	for seed := first; seed < first+count; seed++ {
		seeds = append(seeds, seed)
	}
	solved, unsolved, infeasible := 0, 0, 0
	for _, seed := range seeds {
		s := newSquall(seed)
		op, err := s.operator()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		op.Workers = 1
		e := NewEvolution(op, s.problem, nil)
		for k, d := range s.drives {
			err = s.step(t.Context(), e, d)
			var proof *Infeasible
			var open *Unsolved
			r := e.Result()
			switch {
			case err == nil:
				solved++
				if r.Excess > 1e-9*maximum(r.Bound) || r.Missed > 1e-9 || !(r.Energy >= 0) {
					t.Errorf("seed %d, step %d, %s: %+v", seed, k, s.kind, r.Verdict)
				}
				continue
			case errors.As(err, &proof):
				infeasible++
			case errors.As(err, &open) && !s.convex:
				unsolved++
				t.Logf("seed %d, step %d, %s: %v", seed, k, s.kind, err)
			default:
				t.Errorf("seed %d, step %d, %d×%d, %s: %v", seed, k, s.grid.NX, s.grid.NY, s.kind, err)
			}
			break
		}
	}
	t.Logf("%d steps solved, %d scenes infeasible, %d unsolved", solved, infeasible, unsolved)
}
