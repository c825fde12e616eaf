package rigid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// dated is a line of events.csv.
type dated struct {
	t, within float64
	what      string
}

// datesOf reads events.csv.
func datesOf(t *testing.T, x *trial.Trial) (list []dated) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(x.Dir, "events.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Split(strings.TrimSpace(line), ",")
		at, err := strconv.ParseFloat(cells[0], 64)
		within, fault := strconv.ParseFloat(cells[4], 64)
		if err != nil || fault != nil {
			t.Fatal(line)
		}
		list = append(list, dated{at, within, strings.Join(cells[1:4], " ")})
	}
	return list
}

// nearest is the line of the same event that is nearest to one.
func nearest(list []dated, x dated) (found dated, apart float64) {
	apart = math.Inf(1)
	for _, y := range list {
		if d := math.Abs(y.t - x.t); y.what == x.what && d < apart {
			found, apart = y, d
		}
	}
	return found, apart
}

// TestDates: when brakes of double pendulums grip and slip, and limits are hit, is told with what it
// may be off by: the true time, that of the motion in 3000 steps, is in the interval; and the more
// accurate a run the shorter they are. Of fifty scenes the ends of steps were off by more than said in
// one of three; of what is over within a few steps nothing is told.
func TestDates(t *testing.T) {
	thorough.Seconds(t)
	scenes := 3
	if thorough.Asked() {
		scenes = 50
	}
	const until = 1.2
	r := rand.New(rand.NewPCG(32, 1))
	var told [2][]float64
	for k := range scenes {
		scene := brakedPendulum(r)
		run := func(keys string) []dated {
			x := trial.Run(t, fmt.Sprintf(`{"name": "p", "model": "rigid", "dimension": 2, "gravity": [0, -9.81], "until": %g, %s, %s}`,
				until, keys, scene), &rigid.Model)
			return datesOf(t, x)
		}
		truth := run(`"alpha": 0.5, "steps": 3000`)
		for i, accuracy := range []float64{1e-2, 1e-3} {
			for _, e := range run(fmt.Sprintf(`"accuracy": %g`, accuracy)) {
				if strings.HasSuffix(e.what, "touch active") || strings.HasSuffix(e.what, "touch open") {
					continue // a brake that holds and a limit share a force as they like
				}
				if e.within == until {
					continue
				}
				if e.t+e.within == 0 {
					continue // the start
				}
				told[i] = append(told[i], e.within)
				if y, apart := nearest(truth, e); apart > e.within+y.within {
					t.Errorf("scene %d, accuracy %g: %s at %.6g ± %.2g s, truly at %.6g", k, accuracy, e.what, e.t, e.within, y.t)
				}
			}
		}
	}
	mean := func(list []float64) float64 { // of lengths over decades
		sum := 0.0
		for _, x := range list {
			sum += math.Log(x)
		}
		return math.Exp(sum / float64(len(list)))
	}
	if len(told[0]) < scenes || len(told[1]) < scenes || mean(told[1]) > 0.5*mean(told[0]) {
		t.Errorf("the times are told within %.3g s", told)
	}
}

// TestReleaseDates: a plate on a floor is pulled ever harder, and slides from f(t) = μ_s N on. The time is told with what it
// may be off by, in steps that are given and chosen, and is that of the force to 1e-8 s: slip of 1e-9 m/s and
// more counted, so that it was held four times a step beyond that, 1e-5 to 8e-5 s, by run and twins alike.
func TestReleaseDates(t *testing.T) {
	thorough.Seconds(t)
	const static, weight, normal, pull, from, rate = .168, 3.25 * 9.81, 1.734, 4.833, .546, 1.406 / 1.237
	want := from + (static*(weight-normal)-pull)/rate
	for _, keys := range []string{`"steps": 700`, `"steps": 1035`, `"steps": 2500`, `"accuracy": 0.01`, `"accuracy": 0.001`} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "p", "model": "rigid", "dimension": 2, "gravity": [0, -9.81], "until": 1.5, %s, "alpha": 0.5, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
			"friction": {"dry": {"static": %g, "kinetic": 0.13}}, "material": "dry", "bodies": [{"id": "b", "mass": 3.25, "position": [0, 0.01],
			"load": [{"table": [[0.204, -3.984], [0.504, 3.172], [0.546, -4.833], [1.783, -6.239]]}, %g],
			"shape": {"type": "polygon", "vertices": [[-1, -0.01], [1, -0.01], [1, 0.01], [-1, 0.01]]}}]}`, keys,
			static, normal), &rigid.Model)
		for _, e := range datesOf(t, x) {
			if !strings.HasSuffix(e.what, "stick slip") {
				continue
			}
			if off := math.Abs(e.t - want); off > e.within || off > 1e-8 || e.within > 1e-2 {
				t.Errorf("%s: %s at %.10g ± %.2g s, truly at %.10g", keys, e.what, e.t, e.within, want)
			}
		}
	}
}

// brakedPendulum is a double pendulum with random masses and spins, brakes and limits.
func brakedPendulum(r *rand.Rand) string {
	spins := [2]float64{4*r.Float64() - 2, 4*r.Float64() - 2}
	body := func(x, velocity, spin float64) string {
		return fmt.Sprintf(`"mass": %.3f, "inertia": %.3f, "position": [%g, 0], "velocity": [0, %.17g], "spin": %.17g`,
			.5+r.Float64(), .02+.1*r.Float64(), x, velocity, spin)
	}
	brake := func(scale float64) string { return fmt.Sprintf(`"friction": %.3f`, scale*(.2+.8*r.Float64())) }
	limits := func() string {
		return fmt.Sprintf(`"limits": {"min": %.3f, "max": %.3f}`, -.3-r.Float64(), .3+r.Float64())
	}
	return fmt.Sprintf(`"bodies": [{"id": "a", %s}, {"id": "b", %s}], "joints": [{"type": "revolute", "body": "a", "at": [0, 0], %s}, {"type": "revolute", "body": "b", "to": "a", "at": [1, 0], %s, %s}]`,
		body(.5, .5*spins[0], spins[0]), body(1.4, spins[0]+.4*spins[1], spins[1]), brake(2), brake(1), limits())
}

// TestCollisionTime: a time that is right by chance, and may be off by more than is allowed, is not met.
// A ball falls 5 m in 1 s; in steps of first order it comes later by half a step.
func TestCollisionTime(t *testing.T) {
	fall := func(tolerance float64) table.Outcome {
		x := trial.Run(t, fmt.Sprintf(`{"name": "falls", "model": "rigid", "dimension": 2, "gravity": [0, -10], "until": 1.5, "steps": 75, "alpha": 1, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
			"bodies": [{"id": "a", "mass": 1, "shape": {"type": "disc", "radius": 0.1}, "position": [0, 5.1]}], "expect": [{"quantity": "collision_time", "value": 1, "tolerance": %g}]}`,
			tolerance), &rigid.Model)
		return x.Summary.Expectations[0]
	}
	o := fall(1)
	off := math.Abs(*o.Value - 1)
	if !o.Met || off == 0 || o.Within < off || o.Within > 1 {
		t.Errorf("%s, met %t", o.Found(), o.Met)
	}
	if o := fall(1.01 * off); o.Met || !strings.Contains(o.Found(), " ± ") {
		t.Errorf("%s is met within %g", o.Found(), 1.01*off)
	}
}

// TestEndOfBounces: a ball that falls from 1 m and bounces with e comes to rest at √(2/g)(1+e)/(1−e); by
// its hits, which a scheme of first order makes ever earlier, that is told with what it is off by. It
// was told to four digits, 5 to 20 % early.
func TestEndOfBounces(t *testing.T) {
	for _, e := range []float64{.5, .8} {
		keys := fmt.Sprintf(`{"name": "bounces", "model": "rigid", "dimension": 2, "gravity": [0, -10], "until": 6, "steps": 1500, "alpha": 1, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
			"friction": {"f": {"mu": 0, "restitution": %g}}, "material": "f", "bodies": [{"id": "a", "mass": 1, "shape": {"type": "disc", "radius": 0.1}, "position": [0, 1.1]}]}`,
			e)
		m := &rigid.Model
		c, err := run.Grammar([]*run.Model{m}).Decode("case.json", []byte(keys))
		if err != nil {
			t.Fatal(err)
		}
		task, err := run.New(t.Context(), c, m, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		text := task.Brief(200, false)
		_, rest, _ := strings.Cut(text, "all comes to rest at t = ")
		var end, within float64
		if _, err := fmt.Sscanf(rest, "%g ± %g s", &end, &within); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if want := math.Sqrt(.2) * (1 + e) / (1 - e); math.Abs(end-want) > within {
			t.Errorf("e = %g: %g ± %g s, truly %.4g", e, end, within, want)
		}
	}
}
