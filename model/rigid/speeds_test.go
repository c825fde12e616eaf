package rigid_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// velocitiesOf reads velocities.csv: the time and the velocities of each row.
func velocitiesOf(t *testing.T, x *trial.Trial) (rows [][]float64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(x.Dir, "velocities.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := make([]float64, len(line))
		for k := range line {
			if row[k], err = strconv.ParseFloat(line[k], 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// speedFact is what a verdict says of velocities.
func speedFact(x *trial.Trial) (f table.Fact) {
	for _, f = range x.Summary.Facts {
		if f.Name == dynamics.SpeedError {
			return f
		}
	}
	return table.Fact{}
}

// TestKinks: a floor with a grain under a ball of 2 mm goes off at a kink of its motion. The ball slips for
// some milliseconds then, u' = 7/2 F/m with F = −N(μ_1² u_1, μ_2² u_2)/‖(μ_1 u_1, μ_2 u_2)‖; its centre has 2/7, and
// its surface by its spin 5/7, of what the slip has lost. Steps that are chosen are short enough for
// that, though the way of the ball hardly tells.
func TestKinks(t *testing.T) {
	const g, radius, kink = 10, .002, .75
	mu, floor := [2]float64{.14, .49}, [2]float64{.04, .03}
	x := trial.Run(t, fmt.Sprintf(`{"name": "kink", "model": "rigid", "until": 1.5, "gravity": [0, 0, %d],
		"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1], "motion": {"translation": [{"table": [[0, 0], [%g, 0], [1.5, %g]]}, {"table": [[0, 0], [%g, 0], [1.5, %g]]}, 0]}}},
		"friction": {"f": {"mu": [%g, %g], "grain": [1, 0, 0]}}, "material": "f",
		"bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": %g}, "position": [0, 0, %g]}]}`,
		-g, kink, floor[0]*.75, kink, floor[1]*.75, mu[0], mu[1], radius, radius), &rigid.Model)
	x.Passed(t)
	u, at, most, worst := floor, kink, [2]float64{}, [2]float64{}
	for _, row := range velocitiesOf(t, x) {
		for ; at < row[0] && math.Hypot(u[0], u[1]) > 1e-9; at += 1e-6 { // by midpoints
			half := slid(u, mu, g, .5e-6, u)
			u = slid(u, mu, g, 1e-6, half)
		}
		lost := [2]float64{floor[0] - u[0], floor[1] - u[1]}
		if row[0] <= kink {
			lost = [2]float64{}
		}
		spin, turns := math.Sqrt(row[4]*row[4]+row[5]*row[5]+row[6]*row[6])*radius, 5./7*math.Hypot(lost[0], lost[1])
		off := [2]float64{math.Hypot(row[1]-2./7*lost[0], row[2]-2./7*lost[1]), math.Abs(spin - turns)}
		for k, v := range [2]float64{math.Hypot(row[1], row[2]), spin} {
			most[k], worst[k] = max(most[k], v), max(worst[k], off[k])
		}
	}
	if worst[0] > .01*most[0] || worst[1] > .01*most[1] {
		t.Errorf("velocities are off by %.3g of %.3g m/s", worst, most)
	}
}

// slid is a slip u after a time h in which friction is that of a slip v.
func slid(u, mu [2]float64, g, h float64, v [2]float64) [2]float64 {
	n := math.Hypot(mu[0]*v[0], mu[1]*v[1])
	for k := range u {
		if x := u[k] - h*3.5*g*mu[k]*mu[k]*v[k]/n; n > 0 && x*u[k] > 0 {
			u[k] = x
		} else {
			u[k] = 0
		}
	}
	return u
}

// TestSpeeds: a gyroscope nods 27 times a second. In 1000 steps its place is right to the accuracy, and
// the velocity of its centre is not: as those of 16 times the steps say, and the verdict. A case may
// accept that; in 3000 steps it is right.
func TestSpeeds(t *testing.T) {
	thorough.Seconds(t)
	text, err := os.ReadFile("../../cases/gyroscope.json")
	if err != nil {
		t.Fatal(err)
	}
	run := func(keys string) *trial.Trial {
		return trial.Run(t, strings.Replace(string(text), `"steps": 3000,`, keys, 1), &rigid.Model)
	}
	true16 := velocitiesOf(t, run(`"steps": 16000,`))
	for _, c := range []struct {
		steps    int
		accept   string
		accurate bool
	}{{1000, "", false}, {1000, `"accept": ["velocity"],`, true}, {3000, "", true}} {
		x := run(fmt.Sprintf(`"steps": %d, %s`, c.steps, c.accept))
		most, worst, at := 0.0, 0.0, 0
		for _, row := range velocitiesOf(t, x) {
			for at < len(true16)-1 && true16[at][0] < row[0]-1e-9 {
				at++
			}
			y := true16[at]
			if math.Abs(y[0]-row[0]) > 1e-9 {
				continue
			}
			most = max(most, math.Sqrt(row[1]*row[1]+row[2]*row[2]+row[3]*row[3]))
			worst = max(worst, math.Sqrt((row[1]-y[1])*(row[1]-y[1])+(row[2]-y[2])*(row[2]-y[2])+(row[3]-y[3])*(row[3]-y[3])))
		}
		if right := worst <= .01*most; x.Summary.Certified != c.accurate || right != (c.steps == 3000) {
			t.Errorf("%d steps %s: off by %.3g of %.3g m/s, certified %t", c.steps, c.accept, worst, most, x.Summary.Certified)
		}
		if f := speedFact(x); c.accept == "" && f.Passed != c.accurate || c.accept != "" && f.Basis != table.NotSaid {
			t.Errorf("%d steps %s: %+v", c.steps, c.accept, f)
		}
	}
}

// TestStickSlipByDefault: a block of 1.5 kg on a belt of V = .08 m/s, static friction .45 and kinetic .3, on
// a spring of 200 N/m, begins to slip every 2(π − φ)/ω + 2Δ/V seconds, φ = atan(Δω/V), Δ what friction falls by
// over the stiffness: by steps that are chosen, of which the one in which slip begins ends long after that.
func TestStickSlipByDefault(t *testing.T) {
	const m, k, v, g, until = 1.5, 200., .08, 9.81, 2.5
	omega, first, fall := math.Sqrt(k/m), .45*m*g/k, .15*m*g/k
	period := 2*(math.Pi-math.Atan(fall*omega/v))/omega + 2*fall/v
	n := math.Floor((until - first/v) / period)
	trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": %g, "gravity": [0, -9.81],
		"obstacles": {"belt": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [{"table": [[0, 0], [100, 8]]}, 0]}}},
		"friction": {"f": {"static": 0.45, "kinetic": 0.3}}, "material": "f", "bodies": [{"id": "b", "mass": 1.5, "velocity": [0.08, 0]}],
		"springs": [{"id": "s", "type": "spring", "body": "b", "other": [-1, 0], "stiffness": 200, "rest": 1}],
		"expect": [{"quantity": "position", "body": "b", "axis": "x", "time": %.17g, "value": %.17g, "tolerance": 1e-4}]}`,
		until, first/v+n*period-1e-3, first-1e-3*v), &rigid.Model).Passed(t)
}
