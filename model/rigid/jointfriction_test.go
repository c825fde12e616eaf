package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestBearing: friction in joints by a coefficient, against closed forms; certified by default, and from
// the files.
func TestBearing(t *testing.T) {
	thorough.Seconds(t)
	const mu, r, pitch = .15, .0125, .005
	lead := pitch / (2 * math.Pi)
	tau := lead / r
	up, down := r*(tau+mu)/(1-mu*tau), r*(tau-.04)/(1+.04*tau) // arms of a load that rises by μ, sinks by .04
	is := func(quantity, rest string, want float64) string {
		return fmt.Sprintf(`{"quantity": %q, %s "value": %.12g, "tolerance": %g}`, quantity, rest, want, 1e-5*math.Abs(want)+1e-12)
	}
	rises := func(what string, want float64) string { return is(what, `"body": "a", "axis": "z",`, want) }
	screw := func(mu, torque float64) string {
		return fmt.Sprintf(`"steps": 1000, "alpha": 0.5, "bodies": [{"id": "a", "mass": 20, "inertia": [0.2, 0.2, 0.2]}],
			"joints": [{"id": "j", "type": "screw", "body": "a", "axis": [0, 0, 1], "pitch": %g, "bearing": {"mu": %g, "radius": %g}}],
			"loads": [{"body": "a", "force": [0, 0, -5000], "torque": [0, 0, %.17g]}]`, pitch, mu, r, torque)
	}
	motor := func(v, limit float64) string { // of the screw, in place of a torque; its force would alternate by α = ½, as ω of a step is 2 tan(hω/2)/h
		return strings.Replace(strings.Replace(strings.Replace(screw(mu, 0), `"alpha": 0.5`, `"alpha": 1`, 1),
			`"inertia": [0.2, 0.2, 0.2]`, fmt.Sprintf(`"inertia": [0.2, 0.2, 0.2], "velocity": [0, 0, %.17g], "spin": [0, 0, %.17g]`,
				v, v/lead), 1),
			`"bearing"`, fmt.Sprintf(`"motor": {"velocity": %g, "limit": %g}, "bearing"`, v, limit), 1)
	}
	wheel := func(axle float64) string { // μ r = .003, I = .2, at .1 m of it
		return fmt.Sprintf(`"gravity": [0, 0, -10], "bodies": [{"id": "a", "mass": 10, "inertia": [0.1, 0.2, 0.1], "position": [0, 0.1, 0], "spin": [0, 8, 0]}],
			"joints": [{"type": "revolute", "body": "a", "axis": [0, 1, 0], "bearing": {"mu": 0.1, "radius": 0.03, "length": %g}}]`, axle)
	}
	drawer := func(from float64) string { // jams from .4/(2·.3) on
		return fmt.Sprintf(`"dimension": 2, "bodies": [{"id": "a", "mass": 2, "inertia": 0.5}],
			"joints": [{"id": "j", "type": "prismatic", "body": "a", "axis": [1, 0], "bearing": {"mu": 0.3, "length": 0.4}}],
			"loads": [{"body": "a", "force": [10, 0], "at": [0, %g]}]`, from)
	}
	for name, c := range map[string][2]string{
		"raised":       {screw(mu, 5000*up+2), rises("displacement", .5*lead*2/(.2+20*lead*up))},
		"not raised":   {screw(mu, 5000*up-.1), rises("displacement", 0) + "," + is("stick", "", 1)},
		"locks itself": {screw(mu, 0), rises("displacement", 0)},
		"by a motor":   {motor(.02, 2e4), rises("displacement", .02) + "," + is("motor_force", `"joint": "j",`, 5000*up/lead)},
		"lowered": {motor(-.02, 2e4), rises("displacement", -.02) + "," +
			is("motor_force", `"joint": "j",`, 5000*r*(tau-mu)/(1+mu*tau)/lead)},
		"stalls": {strings.Replace(motor(0, 5000*up/lead-100), `"velocity": 0`,
			`"velocity": {"table": [[0, 0], [1, 1]]}`, 1),
			rises("displacement", 0) + "," + is("motor_force", `"joint": "j",`, 5000*up/lead-100)},
		"sinks":        {screw(.04, 0), rises("displacement", -.5*lead*5000*down/(.2+20*lead*down))},
		"held between": {wheel(.4), is("spin", `"body": "a", "axis": "y",`, 8-.003*100/.2)},
		"overhung":     {wheel(.1), is("spin", `"body": "a", "axis": "y",`, 8-.003*200/.2)},
		"stops":        {wheel(.02), is("spin", `"body": "a", "axis": "y",`, 0) + "," + is("dissipation", "", .5*.2*64)},
		"drawer": {drawer(.3), is("displacement", `"body": "a", "axis": "x",`, .5*10*(1-.45)/2) + "," +
			is("joint_friction", `"joint": "j",`, -4.5)},
		"jams": {drawer(.7), is("displacement", `"body": "a", "axis": "x",`, 0) + "," + is("joint_friction", `"joint": "j",`, -10)},
		"bead": {`"dimension": 2, "gravity": [0, -10], "bodies": [{"id": "a", "mass": 2, "velocity": [5, 0]}], "joints": [{"type": "slider", "body": "a", "axis": [1, 0], "friction": 1, "bearing": {"mu": 0.2}}]`,
			is("velocity", `"body": "a", "axis": "x",`, 5-2.5)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "bearing", "model": "rigid", "until": 1, `+c[0]+`, "expect": [`+c[1]+`]}`, &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

// TestSeizes: a guide that slides with its mass at c from its axis, 2μc/l > 1, has no bounded friction to slide on with:
// an impulse stops it in whatever steps, of Painlevé's kind, and the run says so. Below that its friction is bounded.
func TestSeizes(t *testing.T) {
	for _, c := range []struct {
		lever  float64
		seizes bool
	}{{.9, true}, {.3, false}} {
		j := toItsEnd(t, fmt.Sprintf(`{"name": "guide", "model": "rigid", "dimension": 2, "until": 0.05, "steps": 10, "gravity": [0, -9.81], "bodies": [{"id": "b", "mass": 2, "inertia": 0.7, "velocity": [1, 0]}],
			"joints": [{"type": "prismatic", "body": "b", "at": [0, %g], "axis": [1, 0], "bearing": {"mu": 0.3, "length": 0.2}}],
			"expect": [{"quantity": "painleve", "value": %d, "tolerance": 0.5}]}`, -c.lever, map[bool]int{true: 1}[c.seizes]))
		o := &j.Summary.Expectations[0]
		if said := strings.Contains(j.Brief(200, false), "Painlevé's paradox"); !o.Met || said != c.seizes ||
			j.Summary.Status != table.Done {
			t.Errorf("lever %g: painleve %s, said %t", c.lever, o.Found(), said)
		}
	}
}

// TestBearingOfAPendulum: the bearing of a pendulum bears what its own friction changes. Expected is the
// equation (J + ml²)θ″ = −mgl cos θ − μr‖N‖ sign θ′, N = m(g sin θ − lθ′², g cos θ + lθ″), by Runge and Kutta's method.
func TestBearingOfAPendulum(t *testing.T) {
	thorough.Seconds(t)
	const mu, r, m, l, j, g = .3, .05, 2., .5, .05, 9.81
	turn := func(angle, rate float64) (a float64) {
		for range 60 { // contracts by mu r m l/(j + m l²)
			n := m * math.Hypot(g*math.Sin(angle)-l*rate*rate, g*math.Cos(angle)+l*a)
			a = (-m*g*l*math.Cos(angle) - math.Copysign(mu*r*n, rate)) / (j + m*l*l)
		}
		return a
	}
	const n, h = 4000, 1. / 4000
	angle, rate := 0., math.Copysign(0, -1)
	for range n {
		a1 := turn(angle, rate)
		v2 := rate + h/2*a1
		a2 := turn(angle+h/2*rate, v2)
		v3 := rate + h/2*a2
		a3 := turn(angle+h/2*v2, v3)
		v4 := rate + h*a3
		a4 := turn(angle+h*v3, v4)
		angle, rate = angle+h/6*(rate+2*v2+2*v3+v4), rate+h/6*(a1+2*a2+2*a3+a4)
	}
	x := trial.Run(t, fmt.Sprintf(`{"name": "pendulum", "model": "rigid", "dimension": 2, "until": 1, "steps": 2000, "alpha": 0.5, "gravity": [0, -9.81],
		"bodies": [{"id": "a", "mass": 2, "inertia": 0.05, "position": [0.5, 0]}],
		"joints": [{"type": "revolute", "body": "a", "bearing": {"mu": 0.3, "radius": 0.05}}],
		"expect": [{"quantity": "angle", "body": "a", "value": %.12g, "tolerance": 1e-5}]}`, angle), &rigid.Model)
	x.Passed(t)
}

// TestBearingFaults: a bearing that a joint cannot have is refused with its place.
func TestBearingFaults(t *testing.T) {
	for joint, path := range map[string]string{
		`"type": "revolute", "bearing": {"mu": 0.1}`:                                              `$.joints[0].bearing`,
		`"type": "revolute", "bearing": {"mu": 0.1, "radius": 0.1, "length": 1}`:                  `$.joints[0].bearing.length`,
		`"type": "prismatic", "axis": [1, 0], "bearing": {"mu": 0.1, "length": 1, "radius": 0.1}`: `$.joints[0].bearing.radius`,
		`"type": "fixed", "bearing": {"mu": 0.1}`:                                                 `$.joints[0].bearing`,
		`"type": "revolute", "mu": 0.1`:                                                           `$.joints[0].mu`,
		`"type": "prismatic", "axis": [1, 0], "bearing": {"mu": -0.1, "length": 1}`:               `$.joints[0].bearing.mu`,
	} {
		refused(t, `{"name": "bearing", "model": "rigid", "dimension": 2, "until": 1, "bodies": [{"id": "a", "mass": 1, "inertia": 1}], "joints": [{"body": "a", `+
			joint+`}]}`, path)
	}
}

// TestSharedLoad: two journals of one shaft hold the same twice, so that how they share its weight, and what
// friction takes, is open, by a factor of 20 here: no step is made with one of the choices.
func TestSharedLoad(t *testing.T) {
	doc := `{"name": "shaft", "model": "rigid", "until": 1, "gravity": [0, 0, -9.81], "bodies": [{"id": "shaft", "mass": 10, "inertia": [0.5, 0.2, 0.5], "position": [0, 0.1, 0], "spin": [0, 30, 0]}],
		"joints": [{"id": "A", "type": "revolute", "body": "shaft", "axis": [0, 1, 0], "bearing": {"mu": 0.3, "radius": 0.05, "length": 0.04}}, {"id": "B", "type": "revolute", "body": "shaft", "at": [0, 0.5, 0], "axis": [0, 1, 0]}]}`
	j := toItsEnd(t, doc)
	if said := run.Failure(&j.Summary); !strings.Contains(said,
		`joint "A" (revolute): what it bears, and so the friction of its bearing, is open: joint "B" (revolute) holds what other joints hold already`) {
		t.Errorf("%s", said)
	}
}

// TestSharedWithContacts: what a bearing bears is open beside contacts that bear the same: of a guide along a floor, of
// three wheels of a cart. It is not of two wheels, on which
// weight and its lever are two equations, of a guide that lies across the floor, or of one above it.
func TestSharedWithContacts(t *testing.T) {
	const head = `{"model": "rigid", "dimension": 2, "until": 0.05, "steps": 20, "gravity": [0, -9.81], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.5}}, "material": "dry", `
	guide := func(y, angle float64) string {
		return fmt.Sprintf(head+`"bodies": [{"id": "b", "mass": 2, "shape": {"type": "polygon", "vertices": [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]}, "position": [0, %g], "velocity": [%g, %g]}],
			"joints": [{"id": "A", "type": "prismatic", "body": "b", "at": [0, %g], "axis": [%g, %g], "bearing": {"mu": 0.1, "length": 0.2}}]}`,
			y, math.Cos(angle), math.Sin(angle), y, math.Cos(angle), math.Sin(angle))
	}
	cart := func(at ...float64) string {
		bodies := `{"id": "frame", "mass": 2, "shape": {"type": "polygon", "vertices": [[-0.3, -0.02], [0.3, -0.02], [0.3, 0.02], [-0.3, 0.02]]}, "position": [0, 0.1], "velocity": [1, 0]}`
		joints := ""
		for i, x := range at {
			bodies += fmt.Sprintf(`, {"id": "w%d", "mass": 0.5, "shape": {"type": "disc", "radius": 0.1}, "position": [%g, 0.1], "velocity": [1, 0], "spin": -10}`,
				i, x)
			joints += fmt.Sprintf(`, {"id": "axle %d", "type": "revolute", "body": "w%d", "to": "frame", "at": [%g, 0.1], "bearing": {"mu": 0.3, "radius": 0.02}}`,
				i, i, x)
		}
		return head + `"bodies": [` + bodies + `], "joints": [` + joints[2:] + `]}`
	}
	for _, c := range []struct {
		name, doc string
		open      bool
	}{
		{"along the floor", guide(0.1, 0), true}, {"above the floor", guide(0.2, 0), false}, {"up from the floor", guide(0.1, 1), false},
		{"two wheels", cart(-0.25, 0.25), false}, {"three wheels", cart(-0.25, 0, 0.25), true},
	} {
		j := toItsEnd(t, c.doc)
		said := run.Failure(&j.Summary)
		if open := strings.Contains(said, "and so the friction of its bearing, is open: how joints and contacts share it"); open != c.open ||
			!open && j.Summary.Status != table.Done {
			t.Errorf("%s: %s", c.name, said)
		}
	}
}

// TestFarPivot: a body on an arm of 2⁶⁴ m falls from beside its pivot, whose friction cannot hold it, as a free one does.
// What the pivot turns by under a torque is lost by rounding, and run and files have one verdict.
func TestFarPivot(t *testing.T) {
	x := trial.Run(t, `{"name": "far", "model": "rigid", "dimension": 2, "until": 8, "gravity": [0, -10],
		"bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.1}, "position": [1.8446744073709552e19, -1]}],
		"joints": [{"id": "pivot", "type": "revolute", "body": "b", "at": [0, 0], "friction": 0.1}],
		"expect": [{"quantity": "displacement", "body": "b", "axis": "y", "value": -320, "tolerance": 1e-9}]}`, &rigid.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}
