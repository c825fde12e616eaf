package energetic

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// halfBody writes a mesh of quadrilaterals of 0 <= x <= 1 between y = far and y = near(x), finer to
// x = 0 and to near, in the groups left, far and near.
func halfBody(t *testing.T, dir, name string, nx, ny int, far float64, near func(x float64) float64) (places []float64) {
	t.Helper()
	return writeBody(t, dir, name, 0, nx, ny, far, near)
}

// writeBody is halfBody of left <= x <= 1.
func writeBody(t *testing.T, dir, name string, left float64, nx, ny int, far float64, near func(x float64) float64) (places []float64) {
	t.Helper()
	var s strings.Builder
	fmt.Fprintf(&s, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 \"left\"\n1 2 \"far\"\n1 3 \"near\"\n2 4 \"body\"\n$EndPhysicalNames\n$Nodes\n%d\n",
		(nx+1)*(ny+1))
	number := func(i, j int) int { return 1 + i + (nx+1)*j }
	graded := func(part float64) float64 { return math.Sinh(3*part) / math.Sinh(3) }
	for i := range nx + 1 {
		places = append(places, graded(left+(1-left)*float64(i)/float64(nx)))
	}
	for j := range ny + 1 {
		for i, x := range places {
			fmt.Fprintf(&s, "%d %.17g %.17g 0\n", number(i, j), x, near(x)+(far-near(x))*graded(float64(ny-j)/float64(ny)))
		}
	}
	var elements []string
	line := func(group, a, b int) { elements = append(elements, fmt.Sprintf("1 2 %d %d %d %d", group, group, a, b)) }
	for j := range ny {
		line(1, number(0, j), number(0, j+1))
	}
	for i := range nx {
		line(2, number(i, 0), number(i+1, 0))
		line(3, number(i, ny), number(i+1, ny))
	}
	for j := range ny {
		for i := range nx {
			corners := [4]int{number(i, j), number(i+1, j), number(i+1, j+1), number(i, j+1)}
			if far > near(0) { // counter-clockwise
				corners[1], corners[3] = corners[3], corners[1]
			}
			elements = append(elements, fmt.Sprintf("3 2 4 4 %d %d %d %d", corners[0], corners[1], corners[2], corners[3]))
		}
	}
	fmt.Fprintf(&s, "$EndNodes\n$Elements\n%d\n", len(elements))
	for k, e := range elements {
		fmt.Fprintf(&s, "%d %s\n", k+1, e)
	}
	s.WriteString("$EndElements\n")
	if err := os.WriteFile(filepath.Join(dir, name), []byte(s.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return places
}

// caseOf builds a case in a folder.
func caseOf(t *testing.T, file, text string) *Case {
	t.Helper()
	k, err := run.Grammar([]*run.Model{&Model}).Decode(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Case)
}

// stepped builds a case in a folder and makes its steps.
func stepped(t *testing.T, dir, text string, steps int) (*Case, *energetic.Node) {
	t.Helper()
	c := caseOf(t, filepath.Join(dir, "case.json"), text)
	e, err := energetic.Start(t.Context(), c.Psi, c.Z0, c.Options)
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k <= steps; k++ {
		if err := e.Step(t.Context(), float64(k)/float64(steps)); err != nil {
			t.Fatal(err)
		}
	}
	return c, e.Node()
}

// TestElasticCylinders presses two elastic cylinders with the radii 1 and 2 onto each other, halves of a
// symmetric pair whose meshes do not match: under the load P a length the pressure is Hertz's
// p₀ √(1 − x²/a²), a² = 4PR/(πE*), p₀ = 2P/(πa), 1/R = 1/R₁ + 1/R₂, 1/E* = Σ (1 − ν²)/E, whichever side is measured.
func TestElasticCylinders(t *testing.T) {
	const e1, e2, nu = 1000.0, 3000.0, 0.3
	radius, stiffness := 1/(1/1.0+1/2.0), 1/((1-nu*nu)*(1/e1+1/e2))
	for _, measured := range []string{"high", "low"} {
		dir := t.TempDir()
		cells := map[string]int{"low": 37, "high": 37, measured: 28} // 28 is the coarser side
		x := map[string][]float64{
			"low":  halfBody(t, dir, "low.msh", cells["low"], cells["low"], 0, func(x float64) float64 { return 1 - x*x/4 }),
			"high": halfBody(t, dir, "high.msh", cells["high"], cells["high"], 2, func(x float64) float64 { return 1 + x*x/2 })}[measured]
		contact := map[string]string{measured: map[string]string{"high": `"contact": [{"group": "near", "body": "low", "side": "near", "touching": 2e-5}],`,
			"low": `"contact": [{"group": "near", "body": "high", "side": "near", "touching": 2e-5}],`}[measured]}
		c, n := stepped(t, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 2, "energies": [
			{"type": "body", "id": "low", "mesh": {"file": "low.msh"}, "young": %g, "poisson": %g, %s
			 "prescribed": [{"group": "far", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]},
			{"type": "body", "id": "high", "mesh": {"file": "high.msh"}, "young": %g, "poisson": %g, %s
			 "prescribed": [{"group": "far", "axis": "y", "motion": {"table": [[0, 0], [1, -0.006]]}}, {"group": "left", "axis": "x", "motion": 0}]}]}`,
			e1, nu, contact["low"], e2, nu, contact["high"]), 2)
		var force []float64 // of the nodes, from x = 0
		load := 0.0
		for j := range c.Psi.System.N() {
			if c.Psi.System.Constrained(j) {
				force = append(force, n.Grad[3*j+2])
				load += 2 * n.Grad[3*j+2]
			}
		}
		half := math.Sqrt(4 * load * radius / (math.Pi * stiffness))
		most := 2 * load / (math.Pi * half)
		for i, f := range force {
			share, want := (x[min(i+1, len(x)-1)]-x[max(i-1, 0)])/2, 0.0
			if x[i] < half {
				want = most * math.Sqrt(1-x[i]*x[i]/(half*half))
			}
			// At the end of the contact, which is somewhere within an element, a quarter of it, the
			// pressure has a root.
			allowed := 0.015 * most
			if math.Abs(x[i]-half) < 1.5*share {
				allowed = 0.06 * most
			}
			if math.Abs(f/share-want) > allowed {
				t.Errorf("%s is measured: pressure %g at x = %g, want %g of %g at most", measured, f/share, x[i], want, most)
			}
		}
	}
}

// TestShearedCylinders presses two cylinders of the same elasticity and shears them: friction does not change Hertz's
// pressure, the middle sticks up to c = a (1 − Q/(μP))^½, and the traction is that of slip less that of a pressure on c,
// q = μp₀ (√(1 − x²/a²) − c/a √(1 − x²/c²)) (Cattaneo 1938, Mindlin 1949).
func TestShearedCylinders(t *testing.T) {
	thorough.Seconds(t)
	const mu = 0.4
	for _, measured := range []string{"high", "low"} {
		c, n := sheared(t, measured, mu)
		var x, normal, along []float64
		p, q := 0.0, 0.0
		for j := range c.Psi.System.N() {
			if c.Psi.System.Constrained(j) {
				x, normal, along = append(x, c.At[3*j]), append(normal, n.Grad[3*j+2]), append(along, math.Abs(n.Grad[3*j]))
				p, q = p+n.Grad[3*j+2], q+math.Abs(n.Grad[3*j])
			}
		}
		const stiffness = 1000 / (2 * (1 - 0.3*0.3))
		radius := 1 / (1/1.0 + 1/1.0)
		a := math.Sqrt(4 * p * radius / (math.Pi * stiffness))
		stuck, most := a*math.Sqrt(1-q/(mu*p)), 2*p/(math.Pi*a)
		ellipse := func(part float64) float64 { return math.Sqrt(max(0, 1-part*part)) }
		if ratio := q / (mu * p); ratio < 0.3 || ratio > 0.8 {
			t.Fatalf("Q = %.2g of what friction holds, want some of it", ratio)
		}
		for i := 1; i < len(x)-1; i++ {
			share, from := (x[i+1]-x[i-1])/2, math.Abs(x[i])
			pressure, traction := most*ellipse(x[i]/a), mu*most*(ellipse(x[i]/a)-stuck/a*ellipse(x[i]/stuck))
			allowed := 0.04 // of the largest
			if math.Abs(from-a) < 1.5*share {
				allowed = 0.12 // the root at the end of the contact, somewhere within an element
			}
			if math.Abs(normal[i]/share-pressure) > allowed*most || math.Abs(along[i]/share-traction) > allowed*mu*most {
				t.Errorf("%s is measured, x = %g: pressure %g and traction %g, want %g and %g", measured, x[i],
					normal[i]/share, along[i]/share, pressure, traction)
			}
			if slides := along[i] > mu*normal[i]*(1-1e-9); from < a && math.Abs(from-stuck) > share && slides != (from > stuck) {
				t.Errorf("%s is measured, x = %g slides: %t, where %g sticks", measured, x[i], slides, stuck)
			}
		}
	}
}

// sheared presses two cylinders of radius 1 and shears them, of which one is measured.
func sheared(t *testing.T, measured string, mu float64) (*Case, *energetic.Node) {
	t.Helper()
	dir := t.TempDir()
	const fine = 37
	cells, contact, other := map[string]int{"low": fine, "high": fine, measured: 28}, map[string]string{},
		map[string]string{"low": "high", "high": "low"}
	writeBody(t, dir, "low.msh", -1, 2*cells["low"], cells["low"], 0, func(x float64) float64 { return 1 - x*x/2 })
	writeBody(t, dir, "high.msh", -1, 2*cells["high"], cells["high"], 2, func(x float64) float64 { return 1 + x*x/2 })
	contact[measured] = fmt.Sprintf(`"contact": [{"group": "near", "body": %q, "side": "near", "friction": "dry", "touching": 1e-4}],`,
		other[measured])
	return stepped(t, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 8, "friction": {"dry": {"mu": %g}}, "energies": [
		{"type": "body", "id": "low", "mesh": {"file": "low.msh"}, "young": 1000, "poisson": 0.3, %s
		 "prescribed": [{"group": "far", "axis": "y", "motion": 0}, {"group": "far", "axis": "x", "motion": 0}]},
		{"type": "body", "id": "high", "mesh": {"file": "high.msh"}, "young": 1000, "poisson": 0.3, %s
		 "prescribed": [{"group": "far", "axis": "y", "motion": {"table": [[0, 0], [0.25, -0.03]]}}, {"group": "far", "axis": "x", "motion": {"table": [[0, 0], [0.25, 0], [1, 0.012]]}}]}]}`,
		mu, contact["low"], contact["high"]), 8)
}

// TestLeaningSides: how pressures lean is told where a cylinder is pressed onto a block with friction, of the order of a/(μR), and not
// of cylinders that mirror each other, nor without friction.
func TestLeaningSides(t *testing.T) {
	thorough.Seconds(t)
	for _, x := range []struct {
		bend, mu float64
		leans    bool
	}{{0, .4, true}, {.5, .4, false}, {0, 0, false}} {
		dir := t.TempDir()
		t.Chdir(dir)
		writeBody(t, dir, "low.msh", -1, 30, 10, 0, func(at float64) float64 { return 1 - x.bend*at*at })
		writeBody(t, dir, "high.msh", -1, 24, 8, 2, func(at float64) float64 { return 1 + at*at/2 })
		r := trial.Run(t, fmt.Sprintf(`{"name": "lean", "model": "energetic", "until": 1, "steps": 2, "friction": {"dry": {"mu": %g}}, "energies": [
			{"type": "body", "id": "low", "mesh": {"file": "low.msh", "accuracy": "given"}, "young": 1000, "poisson": 0.3, "prescribed": [{"group": "far", "axis": "y", "motion": 0}, {"group": "far", "axis": "x", "motion": 0}]},
			{"type": "body", "id": "high", "mesh": {"file": "high.msh", "accuracy": "given"}, "young": 1000, "poisson": 0.3, "contact": [{"group": "near", "body": "low", "side": "near", "friction": "dry", "touching": 1e-3}],
			 "prescribed": [{"group": "far", "axis": "y", "motion": {"table": [[0, 0], [1, -0.03]]}}, {"group": "far", "axis": "x", "motion": 0}]}]}`,
			x.mu), &Model)
		leans := 0.0
		for _, f := range r.Summary.Facts {
			if strings.Contains(f.Name, "along the tangents of where the sides are nearest") && !f.Passed {
				leans = f.Value
				_, tail, _ := strings.Cut(f.Remedy, "\"accuracy\" of ")
				var wide float64
				if _, err := fmt.Sscanf(tail, "%g", &wide); err != nil || wide < f.Value || wide > 1.2*f.Value {
					t.Errorf("%.3g, and an accuracy that allows it is told as %g: %s", f.Value, wide, f.Remedy)
				}
			}
		}
		if (leans > 0) != x.leans || leans > .2 {
			t.Errorf("bend %g, mu %g: the pressures lean by %g of friction", x.bend, x.mu, leans)
		}
	}
}

// TestReceding: a strip that is pressed onto a block by a force amid lifts off farther out; where it
// touches does not depend on the force, and all is in proportion to it.
func TestReceding(t *testing.T) {
	at := func(force float64) (*Case, *energetic.Node) {
		return stepped(t, t.TempDir(), fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "energies": [
			{"type": "body", "id": "block", "mesh": {"block": {"corner": [0, -1], "size": [2, 1], "cells": [23, 6], "element": "Q1"}}, "young": 1000, "poisson": 0.3,
			 "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]},
			{"type": "body", "id": "strip", "mesh": {"block": {"corner": [0, 0], "size": [2, 0.2], "cells": [20, 2], "element": "Q1"}}, "young": 1000, "poisson": 0.3,
			 "contact": [{"group": "bottom", "body": "block", "side": "top"}], "prescribed": [{"group": "left", "axis": "x", "motion": 0}]},
			{"type": "load", "particle": "strip.42", "force": [0, 0, {"table": [[0, 0], [1, %g]]}]}]}`, force), 1)
	}
	c, one := at(-1)
	_, many := at(-7)
	closed, open := 0, 0
	for j := range c.Psi.System.N() {
		if !c.Psi.System.Constrained(j) {
			continue
		}
		if one.Z[3*j+2] == 0 {
			closed++
		} else {
			open++
		}
		if (one.Z[3*j+2] == 0) != (many.Z[3*j+2] == 0) {
			t.Errorf("node %d: height %g under 1 N, %g under 7 N", j, one.Z[3*j+2], many.Z[3*j+2])
		}
		if math.Abs(many.Grad[3*j+2]-7*one.Grad[3*j+2]) > 7e-12 { // 1e-12 of the load
			t.Errorf("node %d: force %g under 1 N, %g under 7 N", j, one.Grad[3*j+2], many.Grad[3*j+2])
		}
	}
	if closed < 3 || open < 10 {
		t.Errorf("%d nodes touch and %d do not, want a contact that recedes", closed, open)
	}
}

// TestHeldCorners: where a side that meets another ends on what is prescribed, on a plane of symmetry at an angle or
// on an obstacle, uniform states of stress are exact, and so are the forces.
func TestHeldCorners(t *testing.T) {
	const p, nu, young = 10.0, 0.3, 1000.0
	// Two blocks under a pressure p along y, with a joint that slopes by .3: ε_y = −p(1 − ν²)/E, ε_x = pν(1 + ν)/E.
	for joint, rough := range map[string]string{`"tied": true`: "", `"friction": "rough", "touching": 1e-9`: `"rough": {"mu": 0.5}`} {
		dir := t.TempDir()
		slope := func(x float64) float64 { return 1 + 0.3*x }
		halfBody(t, dir, "low.msh", 5, 3, 0, slope)
		halfBody(t, dir, "high.msh", 7, 2, 2, slope)
		c, n := stepped(t, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "friction": {%s}, "energies": [
			{"type": "body", "id": "low", "mesh": {"file": "low.msh"}, "young": %g, "poisson": %g,
			 "prescribed": [{"group": "far", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]},
			{"type": "body", "id": "high", "mesh": {"file": "high.msh"}, "young": %g, "poisson": %g, "prescribed": [{"group": "left", "axis": "x", "motion": 0}],
			 "contact": [{"group": "near", "body": "low", "side": "near", %s}], "tractions": [{"group": "far", "force": [0, {"table": [[0, 0], [1, %g]]}]}]}]}`,
			rough, young, nu, young, nu, joint, -p), 1)
		for j := range c.Psi.System.N() {
			x, start := c.Psi.System.Position(1, j, n.Z), c.At[3*j:]
			ux, uy := p*nu*(1+nu)/young*start[0], -p*(1-nu*nu)/young*start[2]
			if math.Abs(x[0]-start[0]-ux) > 1e-14 || math.Abs(x[2]-start[2]-uy) > 1e-14 {
				t.Errorf("%s: node at %v comes to %v, want it moved by %g and %g", joint, start[:3], x, ux, uy)
			}
		}
	}
	// A block is pressed sidewise on a wall, both ν = .3 and 1 m long, by 2 % of that: driven along the wall by its top, and on a
	// floor under a pressure q.
	const q = 5.0
	for _, c := range []struct {
		block, floor string
		wall, want   float64 // forces on the wall and of all contacts
	}{
		{`, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, 0.02]]}}]`, "", 0.01 * young / (1 - nu*nu),
			0.01 * young / (1 - nu*nu)},
		{fmt.Sprintf(`], "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [1, %g]]}]}]`, -q),
			`, {"group": "bottom", "obstacle": "floor"}`,
			(0.02*young + q*nu*(1+nu)) / (2 * (1 - nu*nu)), (0.02*young+q*nu*(1+nu))/(2*(1-nu*nu)) + q},
	} {
		obstacles := ""
		if c.floor != "" {
			obstacles = `"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}`
		}
		k, n := stepped(t, "", fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "obstacles": {%s}, "energies": [
			{"type": "body", "id": "wall", "mesh": {"block": {"corner": [-1, 0], "size": [1, 1], "cells": [2, 5], "element": "P2"}}, "young": %g, "poisson": %g,
			 "prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]},
			{"type": "body", "id": "block", "mesh": {"block": {"corner": [0, 0], "size": [1, 1], "cells": [2, 4], "element": "Q1"}}, "young": %g, "poisson": %g,
			 "prescribed": [{"group": "right", "axis": "x", "motion": {"table": [[0, 0], [1, -0.02]]}}%s,
			 "contact": [{"group": "left", "body": "wall", "side": "right"}%s]}]}`, obstacles, young, nu, young, nu, c.block, c.floor), 1)
		all, wall := 0.0, 0.0
		for j := range k.Psi.System.N() {
			f := k.Psi.System.NormalForce(n.Grad, j)
			if all += f; k.Psi.System.Constrained(j) && k.Psi.System.Frame(j).N[0] == 1 {
				wall += f
			}
		}
		if math.Abs(wall-c.wall) > 1e-12*c.wall || math.Abs(all-c.want) > 1e-12*c.want {
			t.Errorf("block%s: %.15g N on the wall, %.15g in all, want %.15g and %.15g", c.floor, wall, all, c.wall, c.want)
		}
	}
}

// TestMeetingFaults: entries of "contact" that say nothing, or what is not computed.
func TestMeetingFaults(t *testing.T) {
	const entry, top, bottom = `"group": "bottom", "body": "low", "side": "top"`,
		`{"group": "top", "axis": "y", "motion": 0}`, `{"group": "bottom", "axis": "y", "motion": 0}`
	for _, c := range []struct{ entry, corner, more, prescribed, want string }{
		{entry, "[0, 1]", "", top, ""},
		{`"group": "bottom", "body": "lo", "side": "top"`, "[0, 1]", "", top, `unknown body "lo", the nearest one is "low"`},
		{`"group": "bottom", "body": "low", "side": "tip"`, "[0, 1]", "", top, `unknown group "tip", the nearest one is "top"`},
		{`"group": "bottom", "body": "low", "side": "end"`, "[0, 1]", "", top, "a ring with a cut"},
		{`"group": "bottom", "body": "high", "side": "bottom"`, "[0, 1]", "", top, `found the group "bottom" twice`},
		{`"group": "bottom", "body": "high", "side": "top"`, "[0, 1]", "", top, `lies 1 m inside "high"`},
		{`"group": "bottom", "body": "low"`, "[0, 1]", "", top, `the key "side" is missing`},
		{`"group": "bottom"`, "[0, 1]", "", top, `want either "obstacle" or "body"`},
		{entry + `, "obstacle": "floor"`, "[0, 1]", "", top, `want either "obstacle" or "body"`},
		{`"group": "bottom", "obstacle": "floor", "tied": true`, "[0, 1]", "", top, `"tied" are those of a "body"`},
		{entry + `, "tied": true, "friction": "none"`, "[0, 1]", "", top, "do not rub"},
		{entry + `, "tied": true, "overlap": 1`, "[0, 1]", "", top, "keep their distance"},
		{entry + `, "overlap": 1e-3`, "[0, 1]", "", top, `"equilibrate": true, which closes it at once`},
		{entry + `, "overlap": 1e-3`, "[0, 1]", `"equilibrate": true,`, top, ""},
		{entry, "[0, 0.999]", "", top, `lies 0.001 m inside "low"`},
		{entry + `, "touching": 1e-3`, "[0, 0.9995]", "", top, ""},
		{entry + `, "touching": 0.2`, "[0, 1.1]", "", top, "more than a tenth of the segments there"},
		{entry, "[3, 1]", "", top, "no edge or face of the one side faces the other"},
		{entry, "[0, 1]", `"solution": "viscous",`, top, `want no key "solution"`},
		{entry, "[0, 1]", "", bottom, `and all beside it are held: they are prescribed, in another contact or ends of both sides, and bear no other: let "low" meet "high"`},
	} {
		text := fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, %s "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "energies": [
			{"type": "body", "id": "low", "mesh": {"block": {"size": [1, 1], "cells": [3, 2]}}, "young": 1000, "contact": [{"group": "bottom", "obstacle": "floor"}]},
			{"type": "body", "id": "high", "mesh": {"block": {"corner": %s, "size": [1, 1], "cells": [2, 2]}}, "young": 1000, "contact": [{%s}], "prescribed": [%s]}]}`,
			c.more, c.corner, c.entry, c.prescribed)
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = build(t.Context(), k); c.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.entry, err, c.want)
		}
	}
}

// TestActedOnWherePrescribed: a spring to a node that is prescribed ends where the node is prescribed
// to be, and changes nothing else of its body; its energy is part of E, whose work balances.
func TestActedOnWherePrescribed(t *testing.T) {
	const body = `{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 1], "cells": [2, 2]}}, "young": 1000, "poisson": 0.3,
		"prescribed": [{"group": "bottom", "axis": "x", "motion": {"table": [[0, 0], [1, 0.2]]}}, {"group": "bottom", "axis": "y", "motion": 0}]},
		{"type": "load", "particle": "b.8", "force": [{"table": [[0, 0], [1, 5]]}, 0, 0]}`
	text := `{"model": "energetic", "until": 1, "steps": 2, "energies": [` + body + `%s}`
	_, alone := stepped(t, "", fmt.Sprintf(text, "]"), 2)
	c, n := stepped(t, "", fmt.Sprintf(text, `, {"type": "tether", "particle": "b.1", "anchor": "a", "stiffness": 500}], "anchors": [{"id": "a", "at": [2, 0, 0]}]`),
		2)
	for j := range c.Psi.System.N() {
		got, want := c.Psi.System.Position(1, j, n.Z), [3]float64(alone.Z[3*j:3*j+3]) // without relative coordinates z is the place
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-14 {
				t.Errorf("node %d is at %v, without the spring at %v", j, got, want)
				break
			}
		}
	}
	// The spring shortens from 1.5 to 1.3.
	if got, want := n.Energy-alone.Energy, 250*1.3*1.3; math.Abs(got-want) > 1e-10*want || math.Abs(n.Balance) > 1e-10*want {
		t.Errorf("the spring stores %.12g J, want %.12g; residual of the balance %g J", got, want, n.Balance)
	}
}

// TestMeshOfFit: a shaft is pressed through its hub, quadratic elements of both, against blocks of half the
// cells, whose nodes in contact are amid edges of the case's: where the nodes are differs by 1 %, the mesh error.
func TestMeshOfFit(t *testing.T) {
	thorough.Seconds(t)
	x := trial.Run(t, `{"model": "energetic", "until": 2, "steps": 80, "friction": {"f": {"mu": 0.14}}, "energies": [
		{"type": "body", "id": "hub", "mesh": {"block": {"corner": [0.025, 0], "size": [0.025, 0.06], "cells": [4, 6], "element": "P2"}}, "young": 210e9, "poisson": 0.3,
		 "kinematics": "axisymmetric", "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}]},
		{"type": "body", "id": "shaft", "mesh": {"block": {"corner": [0, 0], "size": [0.025, 0.08], "cells": [4, 8], "element": "P2"}}, "young": 210e9, "poisson": 0.3,
		 "kinematics": "axisymmetric", "prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, 0], [2, -6e-5]]}}],
		 "contact": [{"group": "right", "body": "hub", "side": "left", "friction": "f", "overlap": {"table": [[0, 0], [1, 2e-5], [2, 2e-5]]}}]}]}`,
		&Model)
	k := slices.IndexFunc(x.Summary.Facts, func(f table.Fact) bool {
		return f.Name == "mesh: displacements, against the run on a block of half the cells"
	})
	if k < 0 || x.Summary.Facts[k].Value > 0.02 {
		t.Errorf("facts %v, want the displacements within .02", x.Summary.Facts)
	}
}

// TestPushOff: a shaft that is pressed out of its hub by a traction, against friction alone, is lost where all of
// it slides, under the load μN; thresholds of fewer forces than that hold nothing, on the way there too. What the mesh
// changes of that time is told.
func TestPushOff(t *testing.T) {
	thorough.Seconds(t)
	const radius, most = 0.025, 5e7
	x := trial.Run(t, `{"model": "energetic", "until": 2, "steps": 20, "until_loss": true,
		"friction": {"f": {"mu": {"table": [[0, 1e-4], [1, 1e-4], [1.1, 0.14], [2, 0.14]]}}}, "energies": [
		{"type": "body", "id": "hub", "mesh": {"block": {"corner": [0.025, 0], "size": [0.025, 0.06], "cells": [2, 6], "element": "Q1"}}, "young": 210e9, "poisson": 0.3,
		 "kinematics": "axisymmetric", "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}]},
		{"type": "body", "id": "shaft", "mesh": {"block": {"corner": [0, 0], "size": [0.025, 0.06], "cells": [2, 4], "element": "Q1"}}, "young": 210e9, "poisson": 0.3,
		 "kinematics": "axisymmetric", "prescribed": [{"group": "left", "axis": "x", "motion": 0}], "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [1.1, 0], [2, -5e7]]}]}],
		 "contact": [{"group": "right", "body": "hub", "side": "left", "friction": "f", "overlap": {"table": [[0, 0], [1, 2e-5], [2, 2e-5]]}}]}],
		"expect": [{"quantity": "normal_force", "value": 6e5, "tolerance": 1e5}, {"quantity": "loss_time", "value": 1.9, "tolerance": 0.1}]}`,
		&Model)
	if x.Summary.Status != table.Done || len(x.Summary.Expectations) != 2 {
		t.Fatal(x.Summary.Status, x.Summary.Message)
	}
	normal, load := *x.Summary.Expectations[0].Value, most*(*x.Summary.Expectations[1].Value-1.1)/0.9*math.Pi*radius*radius
	if math.Abs(load-0.14*normal) > 1e-6*load {
		t.Errorf("lost under %.9g N, want %.9g, what friction holds", load, 0.14*normal)
	}
	k := slices.IndexFunc(x.Summary.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "mesh: loss of equilibrium") })
	if k < 0 || !(x.Summary.Facts[k].Value > 0 && x.Summary.Facts[k].Value < 0.02) {
		t.Errorf("facts %v, want one of the loss on the other mesh, some parts of a thousand", x.Summary.Facts)
	}
}

// TestUnjudgedMesh: why the error of a mesh is not judged names what is in the way.
func TestUnjudgedMesh(t *testing.T) {
	const block = `{"model": "energetic", "until": 1, "steps": 1000, "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 1], "cells": [%d, 64]}}, "young": 1000, "prescribed": [
		{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": {"sine": {"amplitude": 0.1, "frequency": 1}}}]}%s]}`
	const load = `, {"type": "load", "particle": "b.2144", "force": [1, 0, 0]}`
	for _, c := range []struct{ text, want string }{
		{fmt.Sprintf(block, 33, ""), `33 cells along x cannot be halved in "b"`},
		{fmt.Sprintf(block, 32, load), "what acts on nodes by their numbers has no place on coarser meshes"},
		{fmt.Sprintf(block, 32, ""), ""},
	} {
		if got := caseOf(t, "case.json", c.text).other.unjudged; (got == "") != (c.want == "") || !strings.HasSuffix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestSoftOnStiff: a block that is pressed on one 1e6 times as stiff and dragged slides in the first step. The same in parts
// of the step ends with the same friction at nodes: its steps are not solved to the rounding of the stiff block alone.
func TestSoftOnStiff(t *testing.T) {
	c := caseOf(t, filepath.Join(t.TempDir(), "case.json"), `{"model": "energetic", "until": 2, "steps": 60, "friction": {"dry": {"mu": 0.5}}, "energies": [
		{"type": "body", "id": "low", "young": 1e13, "poisson": 0.3,
			"mesh": {"block": {"corner": [0, -0.5], "size": [2, 0.5], "cells": [17, 2], "element": "Q1"}, "accuracy": "given"},
			"prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]},
		{"type": "body", "id": "high", "young": 1e7, "poisson": 0.3,
			"mesh": {"block": {"corner": [0.5, 0], "size": [1, 0.5], "cells": [10, 5], "element": "Q1"}, "accuracy": "given"},
			"contact": [{"group": "bottom", "body": "low", "side": "top", "friction": "dry"}],
			"prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, 0], [2, 0.12]]}},
				{"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.002], [2, -0.002]]}}]}]}`)
	e, err := energetic.Start(t.Context(), c.Psi, c.Z0, c.Options)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 32 {
		if err := e.Step(t.Context(), float64(k+1)/30); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range e.Residuals() {
		if p.ForceOffset.Force > 1e-5*p.Friction {
			t.Errorf("friction at nodes differs by %g of %g N in parts of the steps, at t = %g", p.ForceOffset.Force, p.Friction, p.ForceOffset.Time)
		}
	}
}
