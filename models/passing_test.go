package models_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// meeting is a scene in which two things that fly meet, without friction and inelastic: what is
// known of the place of body b at t = 1 s.
type meeting struct {
	name      string
	bodies    list
	obstacles object
	all       bool
	axis      string
	want, way float64 // displacement of b along the axis, and the largest way of b [m]
}

func (m *meeting) doc(model string, steps int) object {
	doc := object{"name": "meeting", "model": model, "dimension": 2, "until": 1, "bodies": m.bodies,
		"friction": object{"dry": object{"mu": 0}}}
	var contacts list
	if m.obstacles != nil {
		doc["obstacles"] = m.obstacles
		contacts = append(contacts, object{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"})
	}
	switch {
	case m.all:
		contacts = append(contacts, object{"between": "all", "friction": "dry", "patch": "rigid"})
	case len(m.bodies) > 1:
		contacts = append(contacts, object{"between": list{"b", "a"}, "friction": "dry", "patch": "rigid"})
	}
	doc["contacts"] = contacts
	if steps > 0 {
		doc["steps"] = steps
	}
	return doc
}

func disc(id string, r, m, x, y, vx, vy float64) object {
	return object{"id": id, "shape": object{"type": "disc", "radius": r}, "mass": m, "position": list{x, y}, "velocity": list{vx, vy}}
}

// headOn is a disc with velocity v at x = 0 that meets one with u at gap, and goes on with it.
func headOn(v, u, r float64) meeting {
	gap := .3337 * (v - u)
	t := (gap - 2*r) / (v - u)
	return meeting{name: fmt.Sprintf("%g at %g m/s", v, u), bodies: list{disc("b", r, 1, 0, 0, v, 0), disc("a", r, 1, gap, 0, u, 0)},
		axis: "x", want: v*t + (v+u)/2*(1-t), way: math.Abs(v)}
}

// aslant is a disc of 1 kg that meets a larger one, of 4 kg at rest, at an offset.
func aslant() meeting {
	const v, r, large, offset = 90., .02, .2, .15
	sin := offset / (r + large)
	cos := math.Sqrt(1 - sin*sin)
	t := (30 - (r+large)*cos) / v
	u := v * cos * 4 / 5 // taken along the normal (−cos, sin)
	return meeting{name: "aslant", bodies: list{disc("b", r, 1, 0, offset, v, 0), disc("a", large, 4, 30, 0, 0, 0)},
		axis: "y", want: u * sin * (1 - t), way: v}
}

// spinning is a rod that turns by more than half a turn in a step, among ten in a second, and meets
// a disc at rest. It goes on pushing it, so that what is known is what the model rigid says.
func spinning(t *testing.T) meeting {
	m := meeting{name: "spinning rod", bodies: list{disc("b", .05, 1, 0, .3, 0, 0),
		object{"id": "a", "shape": object{"type": "rod", "length": 1, "radius": .01}, "mass": 2, "position": list{0, 0},
			"spin": 35}}, axis: "x", way: 8}
	doc := m.doc("rigid", 0)
	delete(doc, "contacts")
	doc["material"], doc["accuracy"] = "dry", 1e-3
	r, err := drive(built(t, doc), func(run.Run, int) {})
	if err != nil {
		t.Fatal(err)
	}
	m.want = r.Value(&casefile.Expectation{Quantity: "displacement", Subject: 0, Axis: 0})
	return m
}

// TestPassing: bodies that fly through each other within a step are seen in the models of patches,
// too. Chosen steps resolve it, and given ones say which would. Before, all of the 13 pairs of
// discs but one or two went through each other, half of them certified, the bullet too.
func TestPassing(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	bullet := disc("b", .05, 1, 50.3, 0, 0, 0)
	at := (50.3 - .0545) / 350
	for _, c := range []struct {
		meeting
		steps []int // 0: chosen
	}{
		{headOn(300, -100, .05), []int{10, 37, 200, 1000}},
		{headOn(300, 0, .05), []int{10, 37}},
		{headOn(30, -10, .05), []int{37, 10, 0}},
		{headOn(3, -1, .05), []int{10, 37}},
		{headOn(1, 0, .05), []int{10}},
		{headOn(100, 50, .05), []int{20}},
		{headOn(20, -20, .11), []int{25}},
		{headOn(30, -30, .5), []int{11}},
		{headOn(10, -5, .02), []int{30, 60, 0}},
		{meeting{name: "bullet", bodies: list{bullet, disc("a", .0045, .008, 0, 0, 350, 0)}, axis: "x",
			want: 350 * .008 / 1.008 * (1 - at), way: 2.4}, []int{30, 100, 300, 0}},
		{meeting{name: "bullet among all", all: true,
			bodies: list{bullet, disc("a", .0045, .008, 0, 0, 350, 0), disc("c", 1, 1, 25, -1.2, 0, 0),
				disc("d", 1, 1, 50.3, 5, 0, 0)}, axis: "x", want: 350 * .008 / 1.008 * (1 - at), way: 2.4}, []int{30, 0}},
		{meeting{name: "marbles", bodies: list{disc("b", .01, .02, 0, 0, 1, 0), disc("a", .01, .02, .45, 0, 0, 0)},
			axis: "x", want: .43 + .5*.57, way: .715}, []int{7, 0}},
		{meeting{name: "a plate", bodies: list{disc("b", .01, 1, 0, 0, 20, 0),
			object{"id": "a", "shape": object{"type": "polygon",
				"vertices": list{list{-.01, -.5}, list{.01, -.5}, list{.01, .5}, list{-.01, .5}}}, "mass": 1, "position": list{10.033, 0}}},
			axis: "x", want: 10.013 + 10*(1-10.013/20), way: 15}, []int{20}},
		{aslant(), []int{10, 33, 100}},
		{spinning(t), []int{5, 10, 50, 0}},
		{meeting{name: "a ball that moves", bodies: list{disc("b", .05, 1, 0, 0, 0, 0)},
			obstacles: object{"o": object{"type": "sphere", "center": list{-100.3, 0}, "radius": .1,
				"motion": object{"translation": list{object{"table": list{list{0, 0}, list{1, 300}}}, 0}}}}, axis: "x",
			want: 300 - 100.15, way: 200}, []int{57, 200, 0}},
	} {
		for _, model := range []string{"theta", "compliant"} {
			for _, n := range c.steps {
				what := fmt.Sprintf("%s, %s, %d steps", c.name, model, n)
				right, why := endOf(t, &c.meeting, c.doc(model, n))
				switch {
				case right:
				case n == 0:
					t.Errorf("%s: %s", what, why)
				case c.name != "marbles" && c.name != "a plate" &&
					strings.Contains(why, "pass through each other at") && strings.Contains(why, "resolves it"):
				default:
					t.Errorf("%s: %s", what, why)
				}
			}
		}
	}
}

// endOf reports whether a run is certified and right, or what is wrong.
func endOf(t *testing.T, m *meeting, doc object) (right bool, why string) {
	r, err := drive(built(t, doc), func(run.Run, int) {})
	if err != nil {
		return false, err.Error()
	}
	got := r.Value(&casefile.Expectation{Quantity: "displacement", Subject: 0, Axis: strings.Index("xy", m.axis)})
	for _, f := range r.Verdict() {
		if !f.Passed {
			why += f.String() + "; "
		}
	}
	off := math.Abs(got-m.want) / m.way
	if why += fmt.Sprintf("%g, want %g: off by %.2g of the way", got, m.want, off); off > .01 {
		return false, why
	}
	return !strings.Contains(why, ";"), why
}

// TestPushing: a frictionless rod meets a disc, goes on pushing it, and throws it off its end: no
// blow, after which they part. Wanted is what explicit steps of .5 µs say, of a program of its own.
// Before, what came after the blow in the same step was not looked at, since they touched, and
// divided steps of `rigid` were compared with the same divisions: of these runs three were certified,
// off by 31 to 69 %. Chosen steps are of the last at a tenth of its speed, so that the disc, which is
// thrown off in the first turn, flies for five turns and not for fifty.
func TestPushing(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	right := 0
	for _, c := range []struct{ spin, mass, x, y float64 }{{10, .05, -2.72693, 3.50998}, {30, .05, -9.32877, 10.5185},
		{100, .05, -32.4352, 35.0482}, {100 * math.Pi, .001, -123.675, 128.644}, {10 * math.Pi, .001, -11.803, 12.831}} {
		m := meeting{name: "pushing rod", bodies: list{disc("b", .02, c.mass, .3059368749137954, .2576870748950764, 0, 0),
			object{"id": "a", "shape": object{"type": "rod", "length": 1, "radius": .005}, "mass": 1, "inertia": .0847,
				"position": list{0, 0}, "spin": c.spin}},
			axis: "x", want: c.x - .30594, way: math.Hypot(c.x, c.y)}
		for _, model := range []string{"rigid", "theta", "compliant"} {
			for _, n := range []int{20, 50, 200, 0} {
				if n == 0 && c.spin > 100 {
					continue
				}
				doc := m.doc(model, n)
				if model == "rigid" {
					delete(doc, "contacts")
					doc["material"] = "dry"
				}
				ok, why := endOf(t, &m, doc)
				refused := strings.Contains(why, "pass through each other at") || strings.Contains(why, "error of the trajectory")
				if ok {
					right++
				} else if !refused {
					t.Errorf("%s, spin %g, %d steps: %s", model, c.spin, n, why)
				}
			}
		}
	}
	if right < 6 {
		t.Errorf("%d runs are right, want 6 or more", right)
	}
}

// TestSpinsOntoWall: a square that turns 50 times a second drifts onto a wall, which a corner strikes
// at 1.8874 s and takes all of the speed there that the turn has in store. Wanted is what explicit
// steps of .25 µs say. Before, chosen steps of a turn and a half passed the first touches, a corner
// being no deeper than an eighth of the square in the wall, and the run was certified at x = -.167.
func TestSpinsOntoWall(t *testing.T) {
	t.Parallel()
	for _, n := range []int{64, 100, 0} {
		doc := (&meeting{bodies: list{object{"id": "b",
			"shape": object{"type": "polygon", "vertices": list{list{-.1, -.1}, list{.1, -.1}, list{.1, .1}, list{-.1, .1}}},
			"mass":  1, "position": list{0, 0}, "velocity": list{.19, 0}, "spin": 100 * math.Pi}},
			obstacles: object{"o": object{"point": list{.5, 0}, "normal": list{-1, 0}}}}).doc("rigid", n)
		delete(doc, "contacts")
		doc["until"], doc["material"], doc["gravity"] = 2, "dry", list{0, 0}
		if ok, why := endOf(t, &meeting{axis: "x", want: .2504, way: .358}, doc); !ok {
			t.Errorf("%d steps: %s", n, why)
		}
	}
}

// TestPassedBetweenNodes: a ball goes through a particle on the floor, which is apart from it at all
// nodes: the steps say so. Before, they were certified: nothing moves.
func TestPassedBetweenNodes(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for _, n := range []int{2, 10} {
		doc := object{"name": "passed", "model": "energetic", "until": 1, "friction": object{"f": object{"mu": .2}},
			"obstacles": object{"floor": object{"point": list{0, 0, 0}, "normal": list{0, 0, 1}},
				"ball": object{"type": "sphere", "center": list{-3.1, 0, .05}, "radius": .1,
					"motion": object{"translation": list{object{"table": list{list{0, 0}, list{1, 20}}}, 0, 0}}}},
			"particles": list{object{"id": "p", "at": list{.5, .02, 0}, "obstacles": list{"floor", "ball"},
				"friction": list{"f", "none"}, "mass": 1}},
			"anchors": list{object{"id": "a", "at": list{.5, .02, 0}}},
			"steps":   n, "energies": list{object{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 10},
				object{"type": "gravity"}}}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if s := trial.Run(t, string(text), &energetic.Model).Summary; s.Certified {
			t.Errorf("%d steps: certified", n) // it dissipates .27 J
		}
	}
}
