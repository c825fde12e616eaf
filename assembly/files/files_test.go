package files_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

func decode(t *testing.T, text string) *assembly.Assembly {
	t.Helper()
	a, err := files.Decode([]byte(text), "")
	if err == nil {
		err = a.Prepare(assembly.Finding{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func word(t *testing.T, a *assembly.Assembly) assembly.Word {
	t.Helper()
	v, err := assembly.Judge(t.Context(), a, &assembly.Options{Limit: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return v.Word
}

func near(t *testing.T, what string, found, want, tol float64) {
	t.Helper()
	if !(math.Abs(found-want) <= tol) {
		t.Errorf("%s: %.12g, want %.12g", what, found, want)
	}
}

// dryWalls are the six of Ferris and Tin-Loi (2001), of bricks of .4 by .175 m, the last four with openings, by courses from below.
func dryWalls() [][][]float64 {
	courses := func(order string, of map[rune][]float64) (pattern [][]float64) {
		for _, c := range order {
			pattern = append(pattern, of[c])
		}
		return pattern
	}
	five := map[rune][]float64{'h': {.5, 1, 1, 1, 1, .5}, 'w': {1, 1, 1, 1, 1}, 'o': {1, -1, 1, -1, 1},
		'c': {.5, .5, -1, .5, .5, -1, .5, .5}}
	return [][][]float64{
		courses("hwhwhw", five), courses("hwhwhwhwhw", five),
		courses("whwococowhw", map[rune][]float64{'w': {1, 1, 1, 1}, 'h': {.5, 1, 1, 1, .5}, 'o': {.5, 1, -1, 1, .5},
			'c': {1, .5, -1, .5, 1}}),
		courses("hwhococohwh", five),
		courses("hwhococohwhococohwh", map[rune][]float64{'h': {.5, 1, 1, .5}, 'w': {1, 1, 1}, 'o': {1, -1, 1}, 'c': {.5, .5, -1, .5, .5}}),
		courses("hwhwococowhwococowhwh", map[rune][]float64{'h': {.5, 1, 1, 1, 1, 1, 1, .5}, 'w': {1, 1, 1, 1, 1, 1, 1},
			'o': {.5, 1, -1, 1, 1, -1, 1, .5},
			'c': {1, .5, -1, .5, 1, .5, -1, .5, 1}}),
	}
}

// TestDryWalls: bounds with associated friction .65 that were computed independently.
func TestDryWalls(t *testing.T) {
	thorough.Seconds(t)
	for k, want := range []float64{.642859, .579999, .403694, .331948, .239643, .347825} {
		pattern, err := json.Marshal(dryWalls()[k])
		if err != nil {
			t.Fatal(err)
		}
		a := decode(t, fmt.Sprintf(`{"friction": 0.65, "generate": {"wall": {"pattern": %s, "length": 0.4, "height": 0.175, "sideways": true}}}`,
			pattern))
		m, err := assembly.LoadFactor(t.Context(), a, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprint("wall ", k+1), m.Value, want, 5.1e-7) // the digits that are published
		if !m.Proof.Exact && m.Proof.Beyond < 1e5 {
			t.Errorf("wall %d: no proof: %+v", k+1, m.Proof)
		}
		if k != 0 && !thorough.Asked() { // a minute, most of it of wall 6
			continue
		}
		// what one history holds, whatever the joints are, is below the bound of all, and near to it
		share := []float64{.996, .97, .88, .79, .89, .84}[k]
		for _, give := range []assembly.Compliance{{}, {Along: 3}} {
			h, err := assembly.EvolveLoads(t.Context(), a, m.Value*(1-1e-6), &assembly.HistoryOptions{Compliance: give})
			if err != nil {
				t.Fatal(err)
			}
			if last := &h.Stages[len(h.Stages)-1]; len(h.Stages) != 2 || !(last.Share > share && last.Share <= 1) ||
				last.Balance > 1e-9 || last.Law > 1e-9 {
				t.Errorf("wall %d: a history holds %g of the bound, to %.2g and %.2g, want %g", k+1, last.Share,
					last.Balance, last.Law, share)
			}
		}
	}
	bond := decode(t, `{"friction": 0.65, "generate": {"wall": {"courses": 6, "bricks": 5, "length": 0.4, "height": 0.175, "halves_first": true, "sideways": true}}}`)
	m, err := assembly.LoadFactor(t.Context(), bond, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "running bond", m.Value, .642859, 5.1e-7)
	for text, want := range map[string]string{
		`"pattern": [[1, 1], [0.5, 1]]`: "pattern[1] is 1.5 bricks wide", `"pattern": [[1, 0]]`: "pattern[0][1] is 0",
		`"pattern": []`:                  "no course",
		`"pattern": [[1]], "courses": 2`: "those of walls without one", `"courses": 2`: "or a pattern"} {
		if _, err := files.Decode([]byte(`{"generate": {"wall": {"length": 0.4, "height": 0.175, `+text+`}}}`),
			""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestThrust: a little above the least thickness .621772 of w R is between least and most thrust, which
// are near each other.
func TestThrust(t *testing.T) {
	a := decode(t, `{"friction": 0.8, "generate": {"arch": {"radius": 1, "thickness": 0.1075, "voussoirs": 160, "weight_on_middle_line": true}}}`)
	thrust, err := assembly.ReactionRange(t.Context(), a, len(a.Blocks)-1, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	w := 9.81 * .1075
	if low, high := -thrust.Most/w, -thrust.Least/w; !(low < .621772 && .621772 < high && high-low < 5e-4) {
		t.Errorf("thrust from %.6f to %.6f of w R, want .621772 between them", low, high)
	}
}

// TestOverhang: n bricks reach Σ L/(2k) over an edge, and no farther.
func TestOverhang(t *testing.T) {
	for share, want := range map[float64]assembly.Word{1 - 1e-7: assembly.Stands, 1 + 1e-7: assembly.Falls} {
		a := decode(t, fmt.Sprintf(`{"friction": 0.5, "generate": {"stack": {"bricks": 5, "length": 1, "height": 0.2, "harmonic": %v}}}`,
			share))
		if w := word(t, a); w != want {
			t.Errorf("harmonic share %v: %s, want %s", share, w, want)
		}
	}
}

// ladder is one of length 5 against a wall without friction: base b from it.
func ladder(b, mu float64) string {
	h := math.Sqrt(25 - b*b)
	return fmt.Sprintf(`{"plane": true, "friction": %v, "blocks": [
		{"name": "floor", "support": true, "polygon": [[-1,-1],[9,-1],[9,-0.01],[-1,-0.01]]},
		{"name": "ladder", "polygon": [[%[2]v,0],[%[2]v,0.001],[0,%[3]v],[0,%[4]v]]}],
		"interfaces": [{"blocks": ["floor", "ladder"], "normal": [0,0,1], "points": [[%[2]v,0,0]]},
		{"blocks": ["floor", "ladder"], "normal": [1,0,0], "points": [[0,0,%[3]v]], "friction": 0}]}`, mu, b, h, h-.001)
}

// TestLadder: it stands while tan of its angle to the wall is at most 2μ: at its own weight in the
// middle, here that of the thin polygon (moments about the foot).
func TestLadder(t *testing.T) {
	a := decode(t, ladder(2, .5))
	c := a.Blocks[1].Centroid
	want := (2 - c[0]) / math.Sqrt(21) // H h = W (b − c_x), H = μ W
	for share, w := range map[float64]assembly.Word{1 + 1e-7: assembly.Stands, 1 - 1e-7: assembly.Falls} {
		if got := word(t, decode(t, ladder(2, want*share))); got != w {
			t.Errorf("μ %.9f of %.9f: %s, want %s", want*share, want, got, w)
		}
	}
	near(t, "μ of a ladder", want, 2/math.Sqrt(21)/2, 1e-3)
}

// TestWedge: a wedge of half angle α between two walls is held by friction if μ ≥ tan α, and slips out
// too, as Coulomb's law knows the motion without forces: it depends. Below that it falls.
func TestWedge(t *testing.T) {
	for share, w := range map[float64]assembly.Word{1 + 1e-6: assembly.Depends, 1 - 1e-6: assembly.Falls} {
		alpha := .3
		// walls lean apart downwards, so that the wedge, broad below, is held by friction only
		tan := math.Tan(alpha)
		a := decode(t, fmt.Sprintf(`{"plane": true, "friction": %v, "blocks": [
			{"name": "left", "support": true, "polygon": [[-9,0],[%v,0],[%v,2],[-9,2]]},
			{"name": "right", "support": true, "polygon": [[%v,0],[9,0],[9,2],[%v,2]]},
			{"name": "wedge", "polygon": [[%v,0],[%v,0],[%v,2],[%v,2]]}]}`,
			tan*share, -1-2*tan, -1., 1+2*tan, 1., -1-2*tan, 1+2*tan, 1., -1.))
		if got := word(t, a); got != w {
			t.Errorf("μ = %v tan α: %s, want %s", share, got, w)
		}
	}
}

// TestFaults: input that cannot be judged is refused with the names of the blocks.
func TestFaults(t *testing.T) {
	const floor = `{"name": "floor", "support": true, "box": [[-9,-9,-1],[9,9,0]]}`
	const tetra = `"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,1,2],[0,1,3],[0,2,3]]`
	for _, c := range []struct{ text, want string }{
		{`{"blocks": [` + floor + `, {"name": "a", "box": [[0,0,0],[1,1,1]]}, {"name": "b", "box": [[0.5,0,0],[1.5,1,1]]}]}`,
			"blocks a ($.blocks[1]) and b ($.blocks[2]) overlap by 0.5 m"},
		{`{"blocks": [` + floor + `, {"name": "a", "box": [[0,0,1],[1,1,2]]}]}`,
			"1 blocks touch nothing that reaches a support: a ($.blocks[1])"},
		{`{"blocks": [{"name": "a", "box": [[0,0,0],[1,1,1]]}]}`, "no block is a support: name one of a"},
		{`{"blocks": [` + floor + `, {"name": "a", "density": 0, "box": [[0,0,0],[1,1,1]]}]}`, "block a ($.blocks[1]) has density 0"},
		{`{"blocks": [` + floor + `, {"name": "a", ` + tetra + `}]}`, "block a ($.blocks[1]) has an open mesh"},
		{`{"blocks": [` + floor + `, {"name": "a", "box": [[0,0,0],[1,1,0]]}]}`, "block a ($.blocks[1]) has no volume"},
		{`{"blocks": [` + floor + `, {"name": "a", "box": [[0,0,0],[1,1,1]]}], "interfaces": [{"blocks": ["floor","a"], "normal": [0,0,1], "points": []}]}`,
			"interface 0 of blocks floor ($.blocks[0]) and a ($.blocks[1]) has 0 points"},
		{`{"blocks": [` + floor + `, {"name": "a", "box": [[0,0,0],[1,1,1]]}], "interfaces": [{"blocks": ["floor","a"], "normal": [0,0,0], "points": [[0,0,0]]}]}`,
			"1 points and normal [0 0 0]"},
		{`{"blocks": [` + floor + `, {"name": "a", "box": [[0,0,0],[1,1,1]]}], "interfaces": [{"blocks": ["floor","a"], "normal": [0,0,1], "points": [[0,0,0],[1,0,0],[0.5,0,0]]}]}`,
			"has no area: its 3 points are on a line"},
		{`{"blocks": [` + floor + `], "fricton": 1}`, `$.fricton: there is no such key, did you mean "friction"`},
		{`{"blocks": [` + floor + `, {"nme": "a"}]}`, `$.blocks[1].nme: there is no such key, did you mean "name"`},
		{`{"blocks": [` + floor + `, {"name": "floor", "box": [[0,0,0],[1,1,1]]}]}`,
			`$.blocks[1].name: two blocks have the name "floor", the other at $.blocks[0]`},
		{`{"blocks": [` + floor + `], "loads": [{"block": "flor", "force": [1,0,0]}]}`,
			`$.loads[0].block: there is no block "flor", did you mean "floor"`},
		{`{"blocks": [` + floor + `], "loads": [{"block": "floor", "force": [1,0]}]}`,
			`$.loads[0].force: found a list of 2, want a list of 3`},
		{`{"friction": -1, "blocks": [` + floor + `, {"name": "a", "box": [[0,0,0],[1,1,1]]}]}`,
			"friction coefficient is -1, want one from 0 to 1e4"},
		{`{"blocks": [` + floor + `], "friction": "a"}`, `$.friction: found "a", want a number`},
		{`{"gravity": [0,0,1e9], "blocks": [` + floor + `]}`, "gravity is"},
		{`{"generate": {"arch": {"radius": 1, "thickness": 0.1, "voussoirs": 2.5}}}`,
			"$.generate.arch.voussoirs: found 2.5, want a whole number"},
		{`[1]`, "no JSON object"},
		{`{"dtype": "compas.geometry/Point", "data": [1,2,3]}`, "want an Assembly"},
		{`{"dtype": "compas_assembly.datastructures/Assembly", "data": {"graph": {"node": {"7": {"block": {"dtype": "x", "data": {"vertex": {"0": {"x": 1}}}}}}}}}`,
			"block 7 ($.data.graph.node.7): vertex 0 has no number y"},
	} {
		a, err := files.Decode([]byte(c.text), "")
		if err == nil {
			err = a.Prepare(assembly.Finding{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestFlatArch: blocks with upright joints. Between supports that do not give, self-stress holds them for
// any friction, and nothing does if they were put in loosely: it depends. A support that gives, pushed
// by P, holds a block of weight W while 2 μ P ≥ W, by the only forces that there are: it stands.
func TestFlatArch(t *testing.T) {
	a := decode(t, `{"plane": true, "friction": 0.05, "blocks": [
		{"name": "left", "support": true, "polygon": [[-1,0],[0,0],[0,1],[-1,1]]}, {"name": "right", "support": true, "polygon": [[3,0],[4,0],[4,1],[3,1]]},
		{"name": "1", "polygon": [[0,0],[1,0],[1,1],[0,1]]}, {"name": "2", "polygon": [[1,0],[2,0],[2,1],[1,1]]}, {"name": "3", "polygon": [[2,0],[3,0],[3,1],[2,1]]}]}`)
	if w := word(t, a); w != assembly.Depends {
		t.Errorf("between fixed supports: %s, want depends", w)
	}
	const mu = .4
	for share, want := range map[float64]assembly.Word{1 + 1e-6: assembly.Stands, 1 - 1e-6: assembly.Falls} {
		a := decode(t, fmt.Sprintf(`{"plane": true, "friction": %v, "blocks": [
			{"name": "wall", "support": true, "polygon": [[-1,0],[0,0],[0,2],[-1,2]]}, {"name": "floor", "support": true, "polygon": [[1,-1],[3,-1],[3,0],[1,0]]},
			{"name": "held", "polygon": [[0,1],[1,1],[1,2],[0,2]]}, {"name": "pushed", "polygon": [[1,0],[3,0],[3,2],[1,2]]}],
			"interfaces": [{"blocks": ["wall", "held"], "normal": [1,0,0], "points": [[0,0,1],[0,0,2]]},
			{"blocks": ["held", "pushed"], "normal": [1,0,0], "points": [[1,0,1],[1,0,2]]},
			{"blocks": ["floor", "pushed"], "normal": [0,0,1], "points": [[1,0,0],[3,0,0]], "friction": 0}],
			"loads": [{"block": "pushed", "point": [2,0,1.5], "force": [%v,0,0]}]}`, mu, -9.81/(2*mu)*share))
		if w := word(t, a); w != want {
			t.Errorf("pushed by %v W/2μ: %s, want %s", share, w, want)
		}
	}
}

// TestCardHouse: two cards that lean on each other want H h = W d and H ≤ μ W at their feet, h the height
// of the top, d how far the centroid is from the foot.
func TestCardHouse(t *testing.T) {
	house := func(mu float64) *assembly.Assembly {
		return decode(t, fmt.Sprintf(`{"plane": true, "friction": %v, "blocks": [
			{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,-0.001],[-9,-0.001]]},
			{"name": "left", "polygon": [[-1,0],[0,1.999],[0,2]]}, {"name": "right", "polygon": [[1,0],[0,2],[0,1.999]]}],
			"interfaces": [{"blocks": ["floor", "left"], "normal": [0,0,1], "points": [[-1,0,0]]}, {"blocks": ["floor", "right"], "normal": [0,0,1], "points": [[1,0,0]]},
			{"blocks": ["left", "right"], "normal": [1,0,0], "points": [[0,0,2]]}]}`, mu))
	}
	want := (house(1).Blocks[1].Centroid[0] + 1) / 2
	for share, w := range map[float64]assembly.Word{1 + 1e-6: assembly.Stands, 1 - 1e-6: assembly.Falls} {
		if got := word(t, house(want*share)); got != w {
			t.Errorf("μ = %v of %v: %s, want %s", share, want, got, w)
		}
	}
}

// TestArchesStand: thicker arches than the thinnest that stands, of as much friction as sliding needs (.395832 in the
// limit of many voussoirs), are not only in balance: no motion is one of Coulomb's law.
func TestArchesStand(t *testing.T) {
	for _, text := range []string{
		`{"friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 21}}}`,
		`{"friction": 0.6, "generate": {"arch": {"radius": 1, "thickness": 0.12, "voussoirs": 20}}}`,
		`{"friction": 0.5, "generate": {"arch": {"radius": 1, "thickness": 0.15, "voussoirs": 15, "half_angle": 0.8}}}`,
	} {
		if w := word(t, decode(t, text)); w != assembly.Stands {
			t.Errorf("%s: %s, want stands", text, w)
		}
	}
}

// TestYieldingSupport: an arch gives a support that yields the least of its thrusts, and one that presses the most.
func TestYieldingSupport(t *testing.T) {
	a := decode(t, `{"friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.15, "voussoirs": 15}}}`)
	right := len(a.Blocks) - 2
	thrust, err := assembly.ReactionRange(t.Context(), a, right, [3]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ way, thrust float64 }{{.05, thrust.Least}, {-.05, -thrust.Most}} {
		sign := math.Copysign(1, c.way)
		p, err := assembly.Follow(t.Context(), a, &assembly.Drive{To: .05,
			Supports: []assembly.SupportMotion{{Block: right, Velocity: [3]float64{sign}}}},
			&assembly.PathOptions{Steps: 5})
		if err != nil || p.Collapsed {
			t.Fatalf("%v: %+v, %v", c.way, p, err)
		}
		near(t, fmt.Sprint("thrust of a support that goes ", c.way), p.Steps[0].Forces[0], c.thrust, 1e-7)
		if last := p.Steps[5]; math.Abs(last.Distance-.05) > 1e-7 || last.Gap > 1e-4 {
			t.Errorf("last state %+v", last)
		}
	}
}

// TestVaultSpreads: a vault between supports that part has, by its length, the thrust of the arch that it is made of, however its
// blocks are staggered: vertices and edges that slide off the rims of others are found anew.
func TestVaultSpreads(t *testing.T) {
	const arch = `"radius": 1, "thickness": 0.25, "voussoirs": 5`
	spread := func(text string) []assembly.Step {
		a := decode(t, text)
		p, err := assembly.Follow(t.Context(), a, &assembly.Drive{To: .1,
			Supports: []assembly.SupportMotion{{Block: len(a.Blocks) - 2, Velocity: [3]float64{1}}}},
			&assembly.PathOptions{Steps: 2})
		if err != nil || p.Collapsed || p.Ends != "" {
			t.Fatal(err, p.Collapsed, p.Ends)
		}
		return p.Steps
	}
	plane := spread(`{"friction": 0.7, "generate": {"arch": {` + arch + `}}}`)
	space := spread(`{"friction": 0.7, "generate": {"vault": {` + arch + `, "length": 1.2, "rows": 2, "staggered": true}}}`)
	for k := range plane {
		near(t, fmt.Sprint("thrust at ", plane[k].Distance), space[k].Forces[0]/1.2, plane[k].Forces[0], 1e-4*plane[k].Forces[0])
	}
}

// TestLoadAtCentre: a load without a point acts at the centre of mass, wherever vertices are: a block that
// a live force of 1000 N pushes tips by W b/(2 h), of its centre at h, with more points along an edge,
// and with corners cut off, where both the weight and the height of its centre are less.
func TestLoadAtCentre(t *testing.T) {
	const weight = 9810.0 // [N/m³]
	for name, c := range map[string]struct {
		polygon string
		area, z float64
	}{
		"corners": {"[0,0],[1,0],[1,2],[0,2]", 2, 1},
		"points":  {"[0,0],[1,0],[1,2],[0.8,2],[0.5,2],[0.3,2],[0,2]", 2, 1},
		"cut":     {"[0,0],[1,0],[1,1.9],[0.9,2],[0.1,2],[0,1.9]", 1.99, (2 - .01*(2-.1/3)) / 1.99},
	} {
		a := decode(t, `{"plane": true, "friction": 5, "blocks": [{"name": "floor", "support": true, "polygon": [[-2,-1],[3,-1],[3,0],[-2,0]]},
			{"name": "b", "density": 1000, "polygon": [`+c.polygon+`]}], "loads": [{"block": "b", "force": [1000, 0, 0], "live": true}]}`)
		m, err := assembly.LoadFactor(t.Context(), a, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name, m.Value, weight*c.area/2/c.z/1000, 1e-6)
	}
}

// TestHistoryInSpace: a vault is an arch as long as it is: the thrust to which its weight leads, before and after a support has yielded.
func TestHistoryInSpace(t *testing.T) {
	const keys = `"radius": 1, "thickness": 0.25, "voussoirs": 5, "density": 2000`
	const yields = `"stages": [{"moves": [{"block": %q, "towards": [1,0,0]}]}]`
	thrust := func(text, support string) (values [2]float64) {
		a := decode(t, text)
		h, err := assembly.Evolve(t.Context(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !h.Holds {
			t.Fatal(text, h.Stages[len(h.Stages)-1].Ends)
		}
		for k := range values {
			for i, b := range a.Blocks {
				if b.Name == support {
					values[k] = h.Stages[k].Force(i, [3]float64{1})
				}
			}
		}
		return values
	}
	plane := thrust(`{"friction": 0.7, "generate": {"arch": {`+keys+`}}, `+fmt.Sprintf(yields, "right")+`}`, "right")
	space := thrust(`{"friction": 0.7, "generate": {"vault": {`+keys+`, "length": 3, "rows": 1}}, `+
		fmt.Sprintf(yields, "right")+`}`, "right")
	for k := range plane {
		near(t, fmt.Sprint("stage ", k), space[k], 3*plane[k], 1e-6*plane[k])
	}
}
