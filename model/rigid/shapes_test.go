package rigid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// last are the numbers of the last row of the trajectory of a run, which is certified by diagnose as
// well.
func last(t *testing.T, text string) (row []float64) {
	t.Helper()
	x := trial.Run(t, text, &Model)
	x.Passed(t)
	if d := x.Diagnose(t); !run.Certified(d) {
		t.Errorf("diagnose: %s", run.Failure(d))
	}
	return x.Last(t, table.TrajectoryFile)
}

// same fails the test where two rows differ by more than that.
func same(t *testing.T, what string, a, b []float64, most float64) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d numbers and %d", what, len(a), len(b))
	}
	for i := range a {
		if d := math.Abs(a[i] - b[i]); !(d <= most) {
			t.Errorf("%s: column %d is %.15g and %.15g", what, i, a[i], b[i])
		}
	}
}

// bodyCase is one body that slides, spins and flies off the end of a table.
const bodyCase = `{"model": "rigid", "until": 0.6, "steps": 60, "alpha": 0.5, "gravity": [0, 0, -9.81], "friction": {"dry": {"mu": %g}}, "material": "dry",
  "bodies": [{"id": "table", "fixed": true, "shape": {"type": "box", "size": [1, 1, 0.1]}, "position": [0, 0, -0.05]},
   {"id": "b", "velocity": [%g, 0.1, 0], "spin": [%g, %g, %g], "position": [%s], "orientation": [%s], %s}]}`

// TestOneBody: a body is one and the same however it is said: a box as a box, as two halves, by its
// vertices from a corner, with its axes and its tensor turned; a ball with an offset centre as a ball
// in which a heavy one is. Without a turn, in which the friction of four corners is another than that
// of eight, slid along a table, and thrown; places and velocities are those of the
// origin of the shape, so that they are compared where that is the same.
func TestOneBody(t *testing.T) {
	thorough.Seconds(t)
	const corners = `[[0, 0, 0], [0.2, 0, 0], [0, 0.1, 0], [0.2, 0.1, 0], [0, 0, 0.06], [0.2, 0, 0.06], [0, 0.1, 0.06], [0.2, 0.1, 0.06]]`
	box := `"density": 500, "shape": {"type": "box", "size": [0.2, 0.1, 0.06]}`
	halves := `"mass": 0.6, "parts": [{"shape": {"type": "box", "size": [0.1, 0.1, 0.06]}, "position": [-0.05, 0, 0]}, {"shape": {"type": "box", "size": [0.1, 0.1, 0.06]}, "position": [0.05, 0, 0]}]`
	hull := `"density": 500, "parts": [{"shape": {"type": "polyhedron", "vertices": ` + corners + `}, "position": [-0.1, -0.05, -0.03]}]`
	// The moments of the box on axes that are turned by 45° about z, as a part is turned back.
	a, b, c := .6*(.01+.0036)/12, .6*(.04+.0036)/12, .6*(.04+.01)/12
	turned := fmt.Sprintf(`"mass": 0.6, "inertia": [[%[1]g, %[2]g, 0], [%[2]g, %[1]g, 0], [0, 0, %[3]g]],
	  "parts": [{"shape": {"type": "box", "size": [0.2, 0.1, 0.06]}, "orientation": [0.92387953251128674, 0, 0, -0.38268343236508978]}]`,
		(a+b)/2, (a-b)/2, c)
	const upright, diagonal = "1, 0, 0, 0", "0.92387953251128674, 0, 0, 0.38268343236508978"
	slide := func(form, turn string) []float64 {
		return last(t, fmt.Sprintf(bodyCase, .2, .8, 0., 0., 0., "-0.3, 0, 0.03", turn, form))
	}
	want := slide(box, upright)
	same(t, "two halves", slide(halves, upright), want, 1e-8)
	same(t, "of vertices", slide(hull, upright), want, 1e-8)
	same(t, "turned axes", slide(turned, diagonal)[:4], want[:4], 1e-7)
	throw := func(form, turn string, x, y float64) []float64 {
		return last(t, fmt.Sprintf(bodyCase, 0., .8, x, y, .5, "0, 0, 3", turn, form))
	}
	want = throw(box, upright, 2, 1)
	same(t, "two halves, thrown", throw(halves, upright, 2, 1), want, 1e-12)
	same(t, "of vertices, thrown", throw(hull, upright, 2, 1), want, 1e-9)
	s := math.Sqrt(.5)
	same(t, "turned axes, thrown", throw(turned, diagonal, s*(2+1), s*(1-2))[:4], want[:4], 1e-9)
	// (-2 + 0)/√2 is what the vector (2, 1) has along the second axis.

	// m₁ = 4 kg, m₂ = 1 kg at 0.05 m: d = 0.01 m, J = 2/5 m₁R² + 2/5 m₂r² (+ m₁d² + m₂(0.05 − d)² across).
	axis := .4*4*.01 + .4*1*.0009
	across := axis + 4*.0001 + 1*.0016
	v1, v2 := 4./3*math.Pi*.001, 4./3*math.Pi*2.7e-5
	parts := fmt.Sprintf(`"parts": [{"shape": {"type": "sphere", "radius": 0.1}, "density": %.17g}, {"shape": {"type": "sphere", "radius": 0.03}, "density": %.17g, "position": [0.05, 0, 0]}]`,
		4/v1, 1/v2)
	centre := fmt.Sprintf(`"mass": 5, "centre": [0.01, 0, 0], "inertia": [%.17g, %.17g, %.17g], "shape": {"type": "sphere", "radius": 0.1}`,
		axis, across, across)
	roll := func(form string) []float64 {
		return last(t, fmt.Sprintf(bodyCase, .3, .2, 0., 2., .5, "-0.3, 0, 0.1", upright, form))
	}
	same(t, "offset centre", roll(centre), roll(parts), 1e-8)
}

// TestSkewSpin: a body that spins about a principal axis, which is none of those that were written,
// goes on to.
func TestSkewSpin(t *testing.T) {
	// Moments 1, 2, 2.5 about (1, 1, 0)/√2, (−1, 1, 0)/√2, z.
	x := trial.Run(t, `{"model": "rigid", "until": 2, "steps": 100, "alpha": 0.5, "gravity": [0, 0, 0], "bodies": [{"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 0.1},
	  "inertia": [[1.5, -0.5, 0], [-0.5, 1.5, 0], [0, 0, 2.5]], "spin": [3, 3, 0]}],
	  "expect": [{"quantity": "spin", "body": "b", "axis": "x", "value": 3, "tolerance": 1e-9}, {"quantity": "spin", "body": "b", "axis": "y", "value": 3, "tolerance": 1e-9},
	    {"quantity": "spin", "body": "b", "axis": "z", "value": 0, "tolerance": 1e-9}]}`, &Model)
	x.Passed(t)
}

// TestShapeFaults: bodies that are none, and keys that have no effect, with their place.
func TestShapeFaults(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`"shape": {"type": "sphere", "radius": 1}`, `$.bodies[0]: the key "mass" is missing`},
		{`"density": 2`, `$.bodies[0]: a point has no mass of a density`},
		{`"density": 2, "parts": [{"shape": {"type": "box", "size": [1, 1, 1]}, "orientation": [2, 0, 0, 0]}]`,
			`part 0: bodies: an orientation has the length 2`},
		{`"mass": 1, "density": 2`, `"mass" and "density"`},
		{`"mass": 1, "motion": {"translation": [0, 0, 1]}`, `$.bodies[0].motion`},
		{`"mass": 1, "fixed": true, "shape": {"type": "sphere", "radius": 1}`,
			`$.bodies[0].mass: the key "mass" has no effect on a fixed body`},
		{`"fixed": true, "shape": {"type": "sphere", "radius": 1}`, "all bodies are fixed"},
		{`"mass": 1, "parts": [{"shape": {"type": "disc", "radius": 1}}]`, "does not fit the dimension"},
		{`"mass": 1, "shape": {"type": "sphere", "radius": 1}, "parts": [{"shape": {"type": "sphere", "radius": 1}}]`,
			`"shape" and "parts"`},
		{`"mass": 1, "parts": [{"density": 3, "shape": {"type": "sphere", "radius": 1}}]`, `$.bodies[0].parts[0].density`},
		{`"mass": 1, "shape": {"type": "polyhedron", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}`, "lie in a plane"},
		{`"mass": 1, "shape": {"type": "polyhedron", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.2, 0.2]]}`,
			"vertex 4 of a polyhedron lies"},
		{`"mass": 1, "shape": {"type": "polyhedron", "vertices": [[0, 0], [1, 0], [0, 1], [0, 0]]}`, "$.bodies[0].shape.vertices"},
		{`"mass": 1, "shape": {"type": "polyhedron", "file": "none.stl"}`, `$.bodies[0].shape.file`},
		{`"mass": 1, "shape": {"type": "sphere", "radius": 1, "scale": 2}`, `$.bodies[0].shape.scale`},
		{`"mass": 1, "shape": {"type": "sphere", "radius": 1}, "inertia": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]`, "principal moments"},
		{`"mass": 1, "shape": {"type": "sphere", "radius": 1}, "inertia": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]`, "symmetric"},
		{`"mass": 1, "centre": [0, 0, 1]`, "centre of mass of a point"},
	} {
		text := `{"model": "rigid", "until": 1, "gravity": [0, 0, -9], "bodies": [{"id": "b", ` + c.body + `}]}`
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(text))
		var x run.Case
		if err == nil {
			x, err = Model.Build(t.Context(), k)
		}
		if err == nil || x != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
}

// TestFixed: joints and springs hold on to a fixed body as to the ground, and to no body that is
// moved; a fixed one has no motion of its own.
func TestFixed(t *testing.T) {
	const text = `{"model": "rigid", "until": 0.1, "gravity": [0, 0, -9], "bodies": [
	  {"id": "wall", "fixed": true, "shape": {"type": "box", "size": [1, 1, 0.1]}, "position": [1, 0, 2], "orientation": [0.70710678118654757, 0, 0.70710678118654757, 0]%s},
	  {"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0.5, 0, 2]}], %s}`
	// The spring from the centre to the middle of the face: (0, 0, −0.05) of the wall is at (0.95, 0, 2).
	x := trial.Run(t, fmt.Sprintf(text, "", `"springs": [{"type": "spring", "body": "b", "to": "wall", "other": [0, 0, -0.05], "stiffness": 10, "rest": 0.45}], "expect": [{"quantity": "energy", "value": 18, "tolerance": 1e-6}]`),
		&Model)
	x.Passed(t)
	for _, c := range []struct{ wall, rest, want string }{
		{`, "motion": {"translation": {"table": [[0, [0, 0, 0]], [1, [0, 0, 0.1]]]}}`,
			`"joints": [{"type": "fixed", "body": "b", "to": "wall"}]`, "moved as told"},
		{"", `"joints": [{"type": "fixed", "body": "wall", "to": "b"}]`, "is fixed, want a body that moves"},
		{"", `"expect": [{"quantity": "position", "body": "wall", "axis": "x", "value": 1}]`, "no motion of its own"},
		{"", `"contacts": [{"between": ["wall", "b"], "apart": true}]`, `$.bodies[0]: nothing names it`},
	} {
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(fmt.Sprintf(text, c.wall, c.rest)))
		if err == nil {
			_, err = Model.Build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.rest, err, c.want)
		}
	}
}
