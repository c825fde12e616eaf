package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// crumpled is the square of 4 m around the origin in z = 0, of triangles whose corners lie anywhere.
func crumpled() string {
	var at, faces []string
	lines := [][]float64{{-2, -1.1, .03, .4, 2}, {-2, -.31, -.05, .17, 2}, {-2, -.6, .1, .9, 2}, {-2, -.2, .3, .33, 2}}
	for i, y := range []float64{-2, -.11, .23, 2} {
		for k, x := range lines[i] {
			at = append(at, fmt.Sprintf("[%g, %g, 0]", x, y))
			if a := 5*i + k; k < 4 && i < 3 {
				faces = append(faces, fmt.Sprintf("[%d, %d, %d], [%d, %d, %d]", a, a+1, a+6, a, a+6, a+5))
			}
		}
	}
	return `"type": "mesh", "open": true, "vertices": [` + strings.Join(at, ", ") + `], "faces": [` + strings.Join(faces, ", ") + `]`
}

// TestMeshIsPlane: on a mesh in one plane, at rest or on its way, bodies of all shapes fall, slide, roll
// and tumble over its seams as on that plane, to rounding.
func TestMeshIsPlane(t *testing.T) {
	thorough.Seconds(t)
	const plane = `"point": [0, 0, 0], "normal": [0, 0, 1]`
	for name, shape := range map[string]string{
		"sphere": `"radius": 0.1`, "capsule": `"radius": 0.05, "length": 0.2`, "box": `"size": [0.2, 0.3, 0.15]`,
		"cylinder": `"radius": 0.1, "height": 0.2`,
		"cone":     `"radius": 0.1, "height": 0.25`, "ellipsoid": `"semi_axes": [0.15, 0.1, 0.07]`,
		"polyhedron": `"vertices": [[-0.1, -0.1, -0.1], [0.15, -0.1, -0.1], [0, 0.12, -0.1], [0, 0, 0.12]]`,
	} {
		for _, motion := range []string{"", `, "motion": {"translation": {"table": [[0, [0, 0, 0]], [1, [0.7, 0.3, 0.1]]]}}`} {
			end := func(ground string) []float64 {
				x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.4, "steps": 100, "alpha": 0.5, "accuracy": 1, "gravity": [0, 0, -9.81], "friction": {"dry": {"mu": 0.4}}, "material": "dry",
  "obstacles": {"ground": {%s%s}}, "bodies": [{"id": "b", "density": 1000, "shape": {"type": %q, %s}, "position": [0, 0, 0.22], "velocity": [1, 0.3, 0], "orientation": [0.9, 0.3, 0.2, 0.24494897427831783]}]}`,
					ground, motion, name, shape), &Model)
				return x.Last(t, table.TrajectoryFile)
			}
			same(t, name+motion, end(crumpled()), end(plane), 1e-9)
		}
	}
}

// TestMeshHolds: a ball inside of a closed mesh, a pyramid on its tip with walls of 45°, rests on all four
// of its walls; a box lies across the ridge of a roof that is as wide as it, on the edge alone.
func TestMeshHolds(t *testing.T) {
	const head = `{"model": "rigid", "until": 0.5, "gravity": [0, 0, -9.81], "friction": {"dry": {"mu": 0.3}}, "material": "dry", "obstacles": {"m": {"type": "mesh", `
	row := last(t, head+`"inside": true, "vertices": [[0, 0, 0], [1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]],
 "faces": [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [1, 2, 3, 4]]}},
 "bodies": [{"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, "=0.1*sqrt(2)"]}]}`)
	same(t, "ball in a pyramid", row[1:4], []float64{0, 0, .1 * math.Sqrt2}, 1e-9)
	row = last(t, head+`"open": true, "vertices": [[-1, -1, -1], [-1, 1, -1], [0, -1, 0], [0, 0.02, 0], [0, 1, 0], [1, -1, -1], [1, 1, -1]],
 "faces": [[0, 2, 3], [0, 3, 1], [1, 3, 4], [2, 5, 3], [3, 5, 6], [3, 6, 4]]}},
 "bodies": [{"id": "b", "mass": 1, "shape": {"type": "box", "size": [0.4, 0.3, 0.1]}, "position": [0, 0, 0.05]}]}`)
	same(t, "box on a ridge", row[1:4], []float64{0, 0, .05}, 1e-9)
}

// begin makes a case ready to run.
func begin(t *testing.T, text string) error {
	t.Helper()
	c, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(text))
	if err == nil {
		_, err = Model.Build(t.Context(), c)
	}
	return err
}

// openBox is a box of ground without its top, seen from inside or from outside.
func openBox(size [3]float64, inside bool) string {
	return fmt.Sprintf(`"type": "mesh", "open": true, "inside": %v, "vertices": [[0, 0, 0], [%[2]g, 0, 0], [0, %[3]g, 0], [%[2]g, %[3]g, 0], [0, 0, %[4]g], [%[2]g, 0, %[4]g], [0, %[3]g, %[4]g], [%[2]g, %[3]g, %[4]g]],
 "faces": [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]`, inside, size[0], size[1], size[2])
}

// TestOpenBox: balls and boxes that fall into a box of ground seen from inside stay in it; over one that is seen
// from outside, whose bottom they see from behind, they do not begin; and those that fall
// beside one, behind its walls, are not pushed through them.
func TestOpenBox(t *testing.T) {
	thorough.Seconds(t)
	rng := rand.New(rand.NewPCG(15, 1))
	for k := range 12 {
		size, r := [3]float64{.5 + rng.Float64(), .5 + rng.Float64(), .5 + rng.Float64()}, .05+.1*rng.Float64()
		shape := fmt.Sprintf(`{"type": "sphere", "radius": %g}, "spin": [1, 2, 3]`, r)
		if k%2 == 0 {
			shape = fmt.Sprintf(`{"type": "box", "size": [%g, %g, %g]}, "spin": [%g, 3, 1]`, r, 1.3*r, .8*r, 5*rng.Float64())
		}
		text := func(ground, x string) string {
			return fmt.Sprintf(`{"name": "box", "model": "rigid", "until": 0.8, "steps": 100, "accuracy": 1, "gravity": [0, 0, -9.81], "friction": {"dry": {"mu": 0.3}}, "material": "dry", "obstacles": {"m": {%s}},
 "bodies": [{"id": "b", "mass": 1, "shape": %s, "position": [%s, %g, %g], "velocity": [0.3, -0.2, -1]}]}`, ground,
				shape, x, size[1]/2, size[2]+(1.2+rng.Float64())*r)
		}
		middle, beside := fmt.Sprintf("%g", size[0]*(.3+.3*rng.Float64())), fmt.Sprintf("%g", size[0]+r*(1.2+rng.Float64()))
		row := trial.Run(t, text(openBox(size, true), middle), &Model).Last(t, table.TrajectoryFile)
		for c, x := range row[1:4] {
			if !(x > 0 && x < size[c]) {
				t.Errorf("%s in a box of %v m: at %v", shape, size, row[1:4])
			}
		}
		if err := begin(t, text(openBox(size, false), middle)); err == nil ||
			!strings.Contains(err.Error(), "$.bodies[0].position: bodies: a body begins behind ground") &&
				!strings.Contains(err.Error(), "overlap") {
			t.Errorf("%s over a box seen from outside: %v", shape, err)
		}
		if x := trial.Run(t, text(openBox(size, true), beside), &Model); !strings.Contains(x.Summary.Message,
			"behind the ground round its edge") {
			t.Errorf("%s beside a box of %v m: %q", shape, size, x.Summary.Message)
		}
	}
}

// TestMeshFaults: what is no mesh is said, with its place.
func TestMeshFaults(t *testing.T) {
	const corners = `"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], `
	for mesh, want := range map[string]string{
		`"file": "none.obj"`:                                              "$.obstacles.m.file",
		corners + `"faces": [[0, 1, 2]]`:                                  "$.obstacles.m.faces: bodies: the edge of a mesh from (0, 0, 0) to (1, 0, 0) m has a face on one side only",
		corners + `"open": true, "faces": [[0, 1, 2], [0, 1, 3]]`:         "one of them is flipped",
		corners + `"faces": [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]]`: "inside out",
		corners + `"open": true, "faces": [[0, 1, 2], [2, 1, 1]]`:         "face 1 of a mesh has no area at (0, 1, 0) m",
		`"faces": [[0, 1, 2]]`:                                            `$.obstacles.m: the key "vertices" is missing`,
		corners + `"scale": 2, "faces": [[0, 1, 2]]`:                      `$.obstacles.m.scale: the key "scale" has no effect on a mesh`,
		corners + `"file": "a.obj"`:                                       `$.obstacles.m.vertices: the key "vertices" has no effect`,
		corners + `"triangles": [[0, 1, 2]]`:                              `the nearest valid one is "faces"`,
		`"vertices": [[0, 0]], "faces": [[0, 1, 2]]`:                      "$.obstacles.m.vertices",
		corners + `"radius": 1, "open": true, "faces": [[0, 1, 2]]`:       `"radius" has no effect on a mesh`,
		corners + `"open": true, "faces": [[0, 1, 4]]`:                    "has the corner 4, want one of 0 to 3",
	} {
		text := `{"name": "mesh", "model": "rigid", "until": 1, "gravity": [0, 0, -9.81], "obstacles": {"m": {"type": "mesh", ` +
			mesh + `}}, "bodies": [{"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 3]}]}`
		if err := begin(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", mesh, err, want)
		}
	}
}
