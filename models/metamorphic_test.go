package models_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// What a motion is worth does not depend on who looks at it: from a frame that goes by, with a
// spring beside it that holds energy and cannot let it go, with a body far away that moves faster,
// with its bodies in another order. Units, origin and directions are those of TestFrames.

// caseOf reads a case of cases/ without what it expects and says.
func caseOf(t *testing.T, name string) object {
	t.Helper()
	c, err := models.BuiltIn(name)
	if err != nil {
		t.Fatal(err)
	}
	var doc object
	if err := json.Unmarshal(c.Document(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"expect", "description", "output"} {
		delete(doc, key)
	}
	return doc
}

// shorter ends a case after a share of its run, in steps of the same length.
func shorter(doc object, share float64) object {
	doc["until"] = doc["until"].(float64) * share
	if n, ok := doc["steps"].(float64); ok {
		doc["steps"] = math.Ceil(n * share)
	}
	return doc
}

func copied(t *testing.T, doc object) (c object) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// dimensionOf a case.
func dimensionOf(doc object) int {
	if dim, ok := doc["dimension"].(float64); ok {
		return int(dim)
	}
	if mesh, ok := doc["mesh"].(object); ok {
		if block, ok := mesh["block"].(object); ok {
			return len(block["size"].(list))
		}
		return 1
	}
	return 3
}

// boostable reports whether the case has nothing but obstacles that the ground would have to take
// along: joints, springs and drag to what is at rest, supports, friction that depends on the place.
func boostable(doc object) bool {
	for _, key := range []string{"joints", "springs", "boundary", "support", "supports", "prescribed"} {
		if doc[key] != nil {
			return false
		}
	}
	text, _ := json.Marshal([]any{doc["friction"], doc["bodies"]})
	return !strings.Contains(string(text), "drag") && !strings.Contains(string(text), `"map"`) &&
		!strings.Contains(string(text), `"across"`) && !strings.Contains(string(text), `"at"`)
}

// boosted is a case as seen from a frame in which all that was at rest goes at v.
func boosted(t *testing.T, doc object, v []float64) object {
	t.Helper()
	c := copied(t, doc)
	dim := dimensionOf(c)
	plus := func(x any) any {
		sum := make(list, dim)
		for k := range sum {
			sum[k] = v[k]
			switch x := x.(type) {
			case list:
				sum[k] = x[k].(float64) + v[k]
			case float64:
				sum[k] = x + v[k]
			}
		}
		return sum
	}
	if bodies, ok := c["bodies"].(list); ok {
		for _, b := range bodies {
			b.(object)["velocity"] = plus(b.(object)["velocity"])
		}
	} else {
		c["velocity"] = plus(c["velocity"])
	}
	until := c["until"].(float64)
	from, to := make(list, dim), make(list, dim)
	for k := range from {
		from[k], to[k] = 0., v[k]*until
	}
	obstacles, _ := c["obstacles"].(object)
	for _, o := range obstacles {
		o := o.(object)
		motion, ok := o["motion"].(object)
		if !ok {
			motion = object{}
			o["motion"] = motion
		}
		way := any(object{"table": list{list{0., from}, list{until, to}}})
		if old := motion["translation"]; old != nil {
			way = object{"sum": list{old, way}}
		}
		motion["translation"] = way
	}
	return c
}

// verdictOf makes a run.
func verdictOf(t *testing.T, doc object) (facts []table.Fact, fault error) {
	t.Helper()
	t.Helper()
	c := built(t, doc)
	r, err := drive(c, func(run.Run, int) {})
	if err != nil {
		return nil, err
	}
	facts = r.Verdict()
	table.Accept(facts, c.Plan().Accept)
	return facts, nil
}

// sameVerdict fails if two runs are not worth the same: the same facts hold, and their numbers, in
// parts of their limits, differ by no more than some rounding.
func sameVerdict(t *testing.T, what string, got, want []table.Fact, rounding float64) {
	t.Helper()
	at := func(list []table.Fact, name string) *table.Fact {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
		return nil
	}
	for i := range want {
		w := &want[i]
		g := at(got, w.Name)
		if g == nil {
			t.Errorf("%s: nothing is said of %q", what, w)
			continue
		}
		if g.Passed != w.Passed {
			t.Errorf("%s: %s\n\twas %s", what, g, w)
			continue
		}
		if w.Word == table.Accurate && w.Limit > 0 && !(math.Abs(g.Value-w.Value) <= rounding*max(w.Limit, w.Value)) {
			t.Errorf("%s: %s: %.9g, was %.9g: %.2g of the limit", what, w.Name, g.Value, w.Value, (g.Value-w.Value)/w.Limit)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d facts, were %d", what, len(got), len(want))
	}
}

// direction is one along no axis.
var direction = []float64{0.48, 0.64, 0.6}

// along is a velocity in that direction; 1 m/s in the plane and on a line too.
func along(dim int, speed float64) []float64 {
	n := 0.0
	for _, x := range direction[:dim] {
		n += x * x
	}
	v := make([]float64, dim)
	for k := range v {
		v[k] = speed * direction[k] / math.Sqrt(n)
	}
	return v
}

// metamorphic are the cases of the default test, with the share of their run.
var metamorphic = map[string]float64{"disc-drop": 0.5, "moving-wall": 1, "conveyor-theta": 0.1, "conveyor": 0.3,
	"braking-point": 1, "block-braking": 0.1, "impacting-bar": 0.6}

// dynamicCases are all of a kind in cases/, with shares of their run.
func dynamicCases(t *testing.T) map[string]float64 {
	t.Helper()
	if !thorough.Asked() {
		return metamorphic
	}
	all := map[string]float64{}
	files, err := filepath.Glob("../cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		if model := caseOf(t, name)["model"]; slices.Contains([]any{"rigid", "theta", "compliant", "elastodynamic"}, model) {
			all[name] = 1
		}
	}
	return all
}

// TestBoost: cases as seen from 1, 30 and 1000 m/s. The numbers of facts are the same to the
// rounding of velocities there: 2⁻⁵³ of 1000 m/s in each step, which a run of 10⁴ steps brings to
// 1e-9 m/s at most, and contacts, springs and impacts to 1e3 times that; in parts of limits of a
// hundredth.
func TestBoost(t *testing.T) {
	t.Parallel()
	cases := dynamicCases(t)
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		doc := shorter(caseOf(t, name), cases[name])
		if !boostable(doc) || slices.Contains(unstable, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := verdictOf(t, doc)
			if err != nil {
				t.Fatal(err)
			}
			for _, speed := range []float64{1, 30, 1000} {
				got, err := verdictOf(t, boosted(t, doc, along(dimensionOf(doc), speed)))
				if err != nil {
					t.Errorf("at %g m/s: %v", speed, err)
					continue
				}
				sameVerdict(t, fmt.Sprintf("at %g m/s", speed), got, want, 2e-3)
			}
		})
	}
}

// planeScene is a case of bodies over a floor in the plane.
func planeScene(until, steps float64, friction object, bodies list) object {
	return object{"name": "scene", "model": "rigid", "alpha": 0.5, "dimension": 2, "gravity": list{0, -9.81},
		"until": until, "steps": steps,
		"material": "m", "friction": object{"m": friction},
		"obstacles": object{"floor": object{"point": list{0, 0}, "normal": list{0, 1}}}, "bodies": bodies}
}

// rocking is a slender block that is let go on an edge and falls on its base.
func rocking() object {
	return planeScene(0.44, 50, object{"mu": 1.5},
		list{object{"id": "a", "mass": 1, "shape": object{"type": "polygon",
			"vertices": list{list{-0.1, -0.3}, list{0.1, -0.3}, list{0.1, 0.3}, list{-0.1, 0.3}}},
			"position": list{-0.06831590005687106, 0.3087603241989159}, "angle": -0.104}})
}

// dropped are two bodies on a spring, over each other, that fall on a floor.
func dropped() object {
	doc := planeScene(0.752, 250, object{"mu": 0},
		list{object{"id": "a", "mass": 1, "position": list{0, 1}}, object{"id": "b", "mass": 1, "position": list{0, 1.5}}})
	doc["springs"] = list{object{"type": "spring", "body": "b", "to": "a", "stiffness": 500, "rest": 0.5}}
	return doc
}

// TestStraightOn: a floor with a motion that is zero, and one that goes straight on at one speed with
// all that is on it, are a floor at rest: the same facts hold and the way is the same. The block that
// rocks was certified on the floor at rest alone: what moved had no curvature of gaps, and lost 1.6 %
// of the energy; what falls and the disc were refused, since in a step they went by more than their
// widths, as the floor did.
func TestStraightOn(t *testing.T) {
	t.Parallel()
	disc := object{"id": "a", "mass": 1, "shape": object{"type": "disc", "radius": 0.01}, "position": list{0, 0.1}, "spin": 20}
	for _, c := range []struct {
		name  string
		speed float64
		doc   object
	}{
		{"rocking", 10, rocking()}, {"comes to rest", 10,
			planeScene(1, 10, object{"mu": 0.3}, list{object{"id": "a", "mass": 1, "velocity": list{2, 0}}})},
		{"on a spring", 37, dropped()}, {"disc", 300, planeScene(0.3, 100, object{"mu": 0.3}, list{disc})},
	} {
		doc := copied(t, c.doc)
		here, err := follow(built(t, doc), 10)
		if err != nil {
			t.Fatal(err)
		}
		at, dim := copied(t, doc), dimensionOf(doc)
		for _, o := range at["obstacles"].(object) {
			o.(object)["motion"] = object{"translation": list{0., 0., 0.}[:dim]}
		}
		for speed, doc := range map[float64]object{0: at, c.speed: boosted(t, doc, along(dim, c.speed))} {
			what := fmt.Sprintf("%s at %g m/s", c.name, speed)
			there, err := follow(built(t, doc), 10)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			sameVerdict(t, what, there.facts, here.facts, 2e-3)
			if off := here.apart(there, along(dim, speed),
				doc["until"].(float64)); !(off <= 1e-10*max(10, speed)) { // m, rad: rounding of the places, over steps and an impact
				t.Errorf("%s: %.3g elsewhere", what, off)
			}
		}
	}
}

// apart is how far the coordinates of two tracks of as many times are from each other, as a frame of
// velocity v sees the second.
func (k *track) apart(x *track, v []float64, until float64) (off float64) {
	if len(k.at) != len(x.at) {
		return math.Inf(1)
	}
	for n, q := range k.at {
		way := slices.Clone(x.at[n])
		for b := range k.world.Bodies() {
			at, _ := k.world.Coordinates(b)
			for d, u := range v {
				way[at+d] -= u * until * float64(n) / float64(len(k.at)-1)
			}
		}
		for i := range q {
			off = max(off, math.Abs(way[i]-q[i]))
		}
	}
	return off
}

// TestSeenFromElsewhere: the rows of issue 32. As seen from a road a box that is shaken on a truck,
// a block that slides to rest, a disc that bounces in flight and a body that brakes were certified
// in steps, or by errors, that were small beside the ways and energies of the frame alone: D 5.009
// J or 0 of 5.682 J, a way of .582 m of .680 m, heights off by .4 m of 1 m, D off by 3.5 %.
func TestSeenFromElsewhere(t *testing.T) {
	t.Parallel()
	load := sine(6, 2, 0)
	truth := slide{most: 3}
	truth.follows(polygonOf(func(t float64) float64 { return 6 * math.Sin(4*math.Pi*t) }, 2, 0.5), 2)
	rest := onFloor("rigid", 1, 10, nil, nil)
	rest["bodies"].(list)[0].(object)["velocity"] = list{2., 0.}
	for _, c := range []struct {
		name  string
		speed float64
		doc   object
		d     float64 // true dissipation [J]; 0: not compared
	}{
		{"truck", 30, onFloor("rigid", 2, 0, load, nil), truth.d}, {"truck, theta", 30, onFloor("theta", 2, 0, load, nil), truth.d},
		{"truck in 50 steps", 30, onFloor("rigid", 2, 50, load, nil), truth.d},
		{"truck in 50 steps, theta", 30, onFloor("theta", 2, 50, load, nil), truth.d},
		{"comes to rest", 100, rest, 2}, {"braking", 100, shorter(caseOf(t, "block-braking"), 0.3), 0},
	} {
		c.doc = copied(t, c.doc)
		here, there := outcomeOf(t, c.doc), outcomeOf(t, boosted(t, c.doc, []float64{c.speed, 0}))
		sameVerdict(t, c.name, there.facts, here.facts, 2e-3)
		if here.steps != there.steps || !(math.Abs(there.d-here.d) <= 1e-9*here.d) {
			t.Errorf("%s: D is %.12g J in %d steps, at rest %.12g J in %d", c.name, there.d, there.steps, here.d, here.steps)
		}
		if off := math.Abs(there.d-c.d) / c.d; c.d > 0 && !strings.HasSuffix(c.name, "theta") && there.certified && off > 0.01 {
			t.Errorf("%s: certified, D is %.6g J, %.6g is true", c.name, there.d, c.d)
		}
		if there.certified != here.certified {
			t.Errorf("%s: certified: %t, at rest %t", c.name, there.certified, here.certified)
		}
	}
}

// TestBouncesInFlight: a disc that bounces while it flies along a floor is judged by its heights,
// not by the 300 m that it flies in a second.
func TestBouncesInFlight(t *testing.T) {
	t.Parallel()
	doc := func(speed float64) object {
		return copied(t, object{"name": "flight", "model": "rigid", "dimension": 2, "gravity": list{0, -10},
			"until": 1.5, "material": "ball", "friction": object{"ball": object{"mu": 0, "restitution": 0.5}},
			"obstacles": object{"floor": object{"point": list{0, 0}, "normal": list{0, 1}}},
			"bodies": list{object{"id": "disc", "mass": 1, "position": list{0, 1.1}, "velocity": list{speed, 0},
				"shape": object{"type": "disc", "radius": 0.1}}}})
	}
	for _, steps := range []int{0, 7} {
		var certified [2]bool
		for k, speed := range []float64{0, 300} {
			d := doc(speed)
			if steps > 0 {
				d["steps"] = steps
			}
			o := outcomeOf(t, d)
			if certified[k] = o.certified; !o.certified && steps == 0 {
				t.Errorf("%g m/s: %v", speed, o.facts)
			}
		}
		if certified[0] != certified[1] {
			t.Errorf("%d steps: certified: %t at rest, %t in flight", steps, certified[0], certified[1])
		}
	}
}

// gripper is a finger on a rail that a spring pushes against a disc which rolls towards it: in a
// few steps, that make energy.
func gripper() object {
	return object{"name": "gripper", "model": "rigid", "dimension": 2., "gravity": list{0., -10.}, "until": 1.,
		"steps": 40., "material": "rough", "friction": object{"rough": object{"mu": 0.3}},
		"obstacles": object{"floor": object{"point": list{0., 0.}, "normal": list{0., 1.}}},
		"bodies": list{object{"id": "finger", "mass": 1., "position": list{0., 0.1}, "shape": object{"type": "disc", "radius": 0.05}},
			object{"id": "ball", "mass": 0.5, "position": list{0.3, 0.1}, "velocity": list{-1., 0.},
				"shape": object{"type": "disc", "radius": 0.1}}},
		"joints":  list{object{"type": "prismatic", "body": "finger", "axis": list{1., 0.}, "at": list{0., 0.1}}},
		"springs": list{object{"type": "spring", "body": "finger", "other": list{-1., 0.1}, "stiffness": 40., "rest": 1.}}}
}

// TestHidesNothing: a spring of 5e5 J that cannot let go, on a body that cannot turn, and a body
// far away that goes at 1000 m/s hide nothing: a gripper was not certified without such a spring,
// and certified with it, "of 5e+05 J that move". Nor does the order of bodies.
func TestHidesNothing(t *testing.T) {
	t.Parallel()
	want, err := verdictOf(t, copied(t, gripper()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(want, func(f table.Fact) bool {
		return !f.Passed &&
			strings.HasPrefix(f.Name, "energy made or destroyed by")
	}) {
		t.Fatalf("the gripper is to make energy: %v", want)
	}
	for what, change := range map[string]func(doc object){
		"a stored constant": func(doc object) { // its moment, 1 N m, is borne by the rail
			doc["springs"] = append(doc["springs"].(list), object{"type": "twist", "body": "finger", "stiffness": 1e-6, "rest": 1e6})
		},
		"a bystander": func(doc object) {
			doc["bodies"] = append(doc["bodies"].(list),
				object{"id": "far", "mass": 1e3, "position": list{1e3, 1e5}, "velocity": list{1000., 0.}})
		},
		"another order": func(doc object) { slices.Reverse(doc["bodies"].(list)) },
	} {
		doc := copied(t, gripper())
		change(doc)
		got, err := verdictOf(t, doc)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		sameVerdict(t, what, got, want, 2e-3)
	}
}

// TestQuasiStaticHidesNothing: the same of quasi-static evolutions: what is far away and moves
// more, or holds energy, changes no fact, nor does the order of particles, in steps that are
// accurate and in steps that are not. Facts about all particles at once, as that no body overlaps
// another, have other counts.
func TestQuasiStaticHidesNothing(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	press := object{"type": "load", "particle": "far", "force": list{0., 0., -1e6}}
	far := func(doc object, tether object, at any) {
		doc["particles"] = append(doc["particles"].(list), object{"id": "far", "at": list{1e3, 0., 0.}, "friction": "dry"})
		doc["anchors"] = append(doc["anchors"].(list), object{"id": "there", "at": at})
		tether["type"], tether["particle"], tether["anchor"] = "tether", "far", "there"
		doc["energies"] = append(doc["energies"].(list), tether, press)
	}
	for _, c := range []struct {
		name  string
		steps float64
	}{{"chain", 200}, {"chain", 7}, {"play", 80}, {"play", 9}} {
		doc := caseOf(t, c.name)
		doc["steps"] = c.steps
		facts := func(doc object) []table.Fact {
			text, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			return slices.DeleteFunc(trial.Run(t, string(text), &energetic.Model).Summary.Facts, func(f table.Fact) bool {
				return strings.HasPrefix(f.Name, "tube:") // a bound that is told where it is known
			})
		}
		want := facts(doc)
		for what, change := range map[string]func(doc object){
			"a stored constant": func(doc object) { far(doc, object{"stiffness": 1e3}, list{1e3 + 30., 0., 0.}) },
			// 450 kJ, held by friction
			"a bystander": func(doc object) {
				far(doc, object{"stiffness": 1e6},
					object{"table": list{list{0., list{1e3, 0., 0.}},
						list{doc["until"], list{1e3 + 0.3, 0., 0.}}}}) // it stays where it is, with 45 kJ
			},
			"another order": func(doc object) {
				slices.Reverse(doc["particles"].(list))
				slices.Reverse(doc["energies"].(list))
			},
		} {
			other := copied(t, doc)
			change(other)
			sameVerdict(t, fmt.Sprintf("%s in %g steps, %s", c.name, c.steps, what), facts(other), want, 2e-3)
		}
	}
}
