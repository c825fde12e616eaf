package energetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
)

// mapped is a block of the unit cube from left, its nodes moved.
func mapped(t *testing.T, kind fem.Kind, left float64, cells []int, to func(x, y, z float64) [3]float64) *fem.Mesh {
	t.Helper()
	m, err := fem.Box{Kind: kind, Corner: []float64{left, 0, 0}, Size: []float64{1 - left, 1, 1}, Cells: cells}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.NumNodes() {
		x := to(m.Node(i)[0], m.Node(i)[1], m.Node(i)[2])
		copy(m.Node(i), x[:])
	}
	return m
}

// TestPatchInSpace: two bodies of any elements, whose meshes do not match on the side that they have in common, are one: under tractions of a
// uniform state of stress each point is displaced as that asks for, at any angle, whichever side is measured; tied under any stress,
// with friction under what it holds, and without under pressure along the normal.
func TestPatchInSpace(t *testing.T) {
	thorough.Seconds(t)
	const young, nu = 1000.0, 0.3
	r := rand.New(rand.NewPCG(5, 6))
	kinds := []fem.Kind{fem.P1, fem.P2, fem.Q1}
	for round := range 12 {
		joint := []string{`"tied": true`, `"friction": "rough", "touching": 1e-9`, `"touching": 1e-9`}[round%3]
		friction := ""
		if round%3 == 1 {
			friction = `"rough": {"mu": 2}`
		}
		// Frame of the joint: axes of a random rotation, the third its normal.
		axis, angle := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 3*r.Float64()
		length := math.Sqrt(axis[0]*axis[0] + axis[1]*axis[1] + axis[2]*axis[2])
		turn := func(x [3]float64) (y [3]float64) { // Rodrigues
			along, c, s := 0.0, math.Cos(angle), math.Sin(angle)
			for k := range x {
				along += axis[k] / length * x[k]
			}
			for k := range x {
				i, j := (k+1)%3, (k+2)%3
				y[k] = c*x[k] + s/length*(axis[i]*x[j]-axis[j]*x[i]) + (1-c)*along*axis[k]/length
			}
			return y
		}
		var stress [3][3]float64 // in that frame
		for i := range 3 {
			for j := range i + 1 {
				stress[i][j] = r.NormFloat64()
				stress[j][i] = stress[i][j]
			}
		}
		if round%3 > 0 {
			stress[2][2] = -5
		}
		if round%3 == 2 {
			stress[0][2], stress[1][2], stress[2][0], stress[2][1] = 0, 0, 0, 0
		}
		trace := stress[0][0] + stress[1][1] + stress[2][2]
		displaced := func(x [3]float64) (u [3]float64) { // in that frame
			for i := range 3 {
				for j := range 3 {
					u[i] += (1 + nu) / young * stress[i][j] * x[j]
				}
				u[i] -= nu / young * trace * x[i]
			}
			return u
		}
		dir := t.TempDir()
		var bodies []string
		size := [3]float64{1 + r.Float64(), 1 + r.Float64(), 0.7}
		var places []([3]float64) // in that frame
		for k, name := range []string{"one", "two"} {
			cells := []int{2 + r.IntN(3), 2 + r.IntN(2), 1 + r.IntN(2)}
			side := [2]string{"top", "bottom"}[k]
			m := mapped(t, kinds[(round/3+k*(1+round%2))%3], 0, cells, func(x, y, z float64) [3]float64 {
				if z == float64(1-k) && x > 0 && x < 1 {
					x += 0.3 / float64(2*cells[0]) * (r.Float64() - 0.5)
				}
				if z == float64(1-k) && y > 0 && y < 1 {
					y += 0.3 / float64(2*cells[1]) * (r.Float64() - 0.5)
				}
				return [3]float64{size[0] * x, size[1] * y, size[2] * (z + float64(k) - 1)}
			})
			m.StraightenEdges(m.Groups[side])
			var loads, pins []string
			sides := []string{"left", "front", [2]string{"bottom", ""}[k], "right", "back", [2]string{"", "top"}[k]}
			for f, group := range sides {
				if group == "" {
					continue
				}
				pull := [3]float64{stress[0][f%3], stress[1][f%3], stress[2][f%3]}
				for c := range pull {
					if f < 3 {
						pull[c] = -pull[c]
					}
				}
				g := turn(pull)
				loads = append(loads, fmt.Sprintf(`{"group": %q, "force": [{"table": [[0, 0], [1, %.17g]]}, {"table": [[0, 0], [1, %.17g]]}, {"table": [[0, 0], [1, %.17g]]}]}`,
					group, g[0], g[1], g[2]))
			}
			// Corners of the far side bear nothing.
			far := m.Groups[[2]string{"bottom", "top"}[k]].Corners()
			for p, i := range []int{far[0], far[cells[0]], far[len(far)-1]} {
				x := [3]float64(m.Node(i))
				group := fmt.Sprint("pin", p)
				m.Groups[group] = fem.Group{Kind: m.Kind, Dim: 0, Elem: []int{i}}
				for c, u := range turn(displaced(x)) {
					pins = append(pins, fmt.Sprintf(`{"group": %q, "axis": %q, "motion": {"table": [[0, 0], [1, %.17g]]}}`,
						group, "xyz"[c:c+1], u))
				}
			}
			for i := range m.NumNodes() {
				x := [3]float64(m.Node(i))
				places = append(places, x)
				x = turn(x)
				copy(m.Node(i), x[:])
			}
			trial.GmshFile(t, dir, name+".msh", m)
			contact := ""
			if k == round/2%2 { // whose side is measured
				contact = fmt.Sprintf(`"contact": [{"group": %q, "body": %q, "side": %q, %s}],`, side,
					[2]string{"two", "one"}[k], [2]string{"bottom", "top"}[k], joint)
			}
			bodies = append(bodies, fmt.Sprintf(`{"type": "body", "id": %q, "mesh": {"file": %q}, "young": %g, "poisson": %g, %s "tractions": [%s], "prescribed": [%s]}`,
				name, name+".msh", young, nu, contact, strings.Join(loads, ", "), strings.Join(pins, ", ")))
		}
		c, n := stepped(t, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "friction": {%s}, "energies": [%s]}`,
			friction, strings.Join(bodies, ", ")), 1)
		for j, x := range places {
			at, start, want := c.Psi.System.Position(1, j, n.Z), c.At[3*j:], turn(displaced(x))
			for a := range want {
				if got := at[a] - start[a]; math.Abs(got-want[a]) > 1e-12*max(1, size[0]) {
					t.Errorf("round %d, %s: %s at %v in the frame of the joint moves by %.15g along %c, want %.15g",
						round, joint, c.IDs[j], x, got, "xyz"[a], want[a])
				}
			}
		}
	}
}

// dome is a paraboloid of a radius of curvature on a block up to far, left <= x <= 1 and 0 <= y <= 1, finer to its tip at the
// origin by a grading: its side there is the bottom, or the top if far is below.
func dome(t *testing.T, left float64, cells []int, grading, radius, far float64) *fem.Mesh {
	t.Helper()
	graded := func(part float64) float64 { return math.Sinh(grading*part) / math.Sinh(grading) }
	return mapped(t, fem.Q1, left, cells, func(x, y, z float64) [3]float64 {
		if far < 0 {
			z = 1 - z
		}
		x, y = graded(x), graded(y)
		near := math.Copysign((x*x+y*y)/(2*radius), far)
		return [3]float64{x, y, near + (far-near)*graded(z)}
	})
}

// touched are the contact nodes of the body two: places, pressures and shear tractions by their shares.
type touched struct{ r, pressure, shear, share float64 }

// spheres writes two domes, makes the steps of a case of them, and reads what the nodes of the second one bear.
func spheres(t *testing.T, one, two *fem.Mesh, text string, steps int) (nodes []touched, load, shear float64) {
	t.Helper()
	dir := t.TempDir()
	trial.GmshFile(t, dir, "one.msh", one)
	trial.GmshFile(t, dir, "two.msh", two)
	_, n := stepped(t, dir, text, steps)
	list, err := fem.Mortar(fem.Side{Mesh: two, Group: two.Groups["bottom"]},
		fem.Side{Mesh: one, Group: one.Groups["top"]}, fem.PlaneStrain)
	if err != nil {
		t.Fatal(err)
	}
	for k := range list {
		x, area := two.Node(list[k].Node), list[k].Area
		f := n.Grad[3*(one.NumNodes()+list[k].Node):]
		along := math.Hypot(f[0], f[1])
		load, shear = load+f[2], shear+along
		nodes = append(nodes, touched{math.Hypot(x[0], x[1]), f[2] / area, along / area, math.Sqrt(area)})
	}
	return nodes, load, shear
}

// TestElasticSpheres presses two elastic spheres with the radii 1 and 2 onto each other, quarters of a symmetric pair
// whose meshes do not match: under the load P the pressure is Hertz's p₀ √(1 − r²/a²), a³ = 3PR/(4E*), p₀ = 3P/(2πa²),
// 1/R = 1/R₁ + 1/R₂, 1/E* = Σ (1 − ν²)/E.
func TestElasticSpheres(t *testing.T) {
	thorough.Seconds(t)
	const e1, e2, nu = 1000.0, 3000.0, 0.3
	radius, stiffness := 1/(1/1.0+1/2.0), 1/((1-nu*nu)*(1/e1+1/e2))
	nodes, load, _ := spheres(t, dome(t, 0, []int{11, 11, 7}, 3, 2, -2), dome(t, 0, []int{9, 9, 6}, 3, 1, 2),
		fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "energies": [
		{"type": "body", "id": "one", "mesh": {"file": "one.msh"}, "young": %g, "poisson": %g,
		 "prescribed": [{"group": "bottom", "axis": "z", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}, {"group": "front", "axis": "y", "motion": 0}]},
		{"type": "body", "id": "two", "mesh": {"file": "two.msh"}, "young": %g, "poisson": %g, "contact": [{"group": "bottom", "body": "one", "side": "top", "touching": 2e-4}],
		 "prescribed": [{"group": "top", "axis": "z", "motion": {"table": [[0, 0], [1, -0.04]]}}, {"group": "left", "axis": "x", "motion": 0}, {"group": "front", "axis": "y", "motion": 0}]}]}`,
			e1, nu, e2, nu), 1)
	a := math.Cbrt(3 * 4 * load * radius / (4 * stiffness))
	most := 3 * 4 * load / (2 * math.Pi * a * a)
	for _, n := range nodes {
		want, allowed := most*math.Sqrt(max(0, 1-n.r*n.r/(a*a))), 0.05*most
		if math.Abs(n.r-a) < n.share { // the root at the end, somewhere within an element
			allowed *= 3
		}
		if math.Abs(n.pressure-want) > allowed {
			t.Errorf("r = %.4g: pressure %.5g, want %.5g of %.5g", n.r, n.pressure, want, most)
		}
	}
}

// TestShearedSpheres presses two equal spheres and shears them, halves of a symmetric pair: friction does not change Hertz's pressure,
// what is within c = a (1 − Q/(μP))^⅓ sticks, and the traction is μ times the pressure less that of a load on c (Cattaneo 1938, Mindlin 1949).
// They are pressed without friction: whose tangents slip is measured along makes no difference then. The mesh has four nodes from
// the middle to the end of the contact.
func TestShearedSpheres(t *testing.T) {
	thorough.Seconds(t)
	const mu, stiffness, radius = 0.4, 1000 / (2 * (1 - 0.3*0.3)), 0.5
	nodes, load, shear := spheres(t, dome(t, -1, []int{20, 10, 5}, 4, 1, -2), dome(t, -1, []int{16, 8, 5}, 4, 1, 2),
		fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 2, "friction": {"dry": {"mu": {"table": [[0, 0], [0.5, 0], [0.51, %g]]}}}, "energies": [
		{"type": "body", "id": "one", "mesh": {"file": "one.msh"}, "young": 1000, "poisson": 0.3,
		 "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}, {"group": "bottom", "axis": "z", "motion": 0}, {"group": "front", "axis": "y", "motion": 0}]},
		{"type": "body", "id": "two", "mesh": {"file": "two.msh"}, "young": 1000, "poisson": 0.3, "contact": [{"group": "bottom", "body": "one", "side": "top", "friction": "dry", "touching": 2e-4}],
		 "prescribed": [{"group": "top", "axis": "z", "motion": {"table": [[0, 0], [0.5, -0.05]]}}, {"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.5, 0], [1, 0.02]]}}, {"group": "top", "axis": "y", "motion": 0}, {"group": "front", "axis": "y", "motion": 0}]}]}`,
			mu), 2)
	load, shear = 2*load, 2*shear
	a := math.Cbrt(3 * load * radius / (4 * stiffness))
	most, stuck := 3*load/(2*math.Pi*a*a), a*math.Cbrt(1-shear/(mu*load))
	ellipse := func(part float64) float64 { return math.Sqrt(max(0, 1-part*part)) }
	if ratio := shear / (mu * load); ratio < 0.3 || ratio > 0.8 {
		t.Fatalf("Q = %.2g of what friction holds, want some of it", ratio)
	}
	for _, n := range nodes {
		pressure, traction, allowed := most*ellipse(n.r/a), mu*most*(ellipse(n.r/a)-stuck/a*ellipse(n.r/stuck)), 0.06
		if math.Abs(n.r-a) < 1.5*n.share { // the root at the end, somewhere within an element
			allowed = 0.16
		}
		if math.Abs(n.pressure-pressure) > allowed*most || math.Abs(n.shear-traction) > allowed*mu*most {
			t.Errorf("r = %.4g: pressure %.4g and traction %.4g, want %.4g and %.4g", n.r, n.pressure, n.shear, pressure, traction)
		}
		if slides := n.shear > mu*n.pressure*(1-1e-9); n.r < a && math.Abs(n.r-stuck) > n.share/3 && slides != (n.r > stuck) {
			t.Errorf("r = %.4g slides: %t, where %.4g sticks", n.r, slides, stuck)
		}
	}
}

// TestDomeSlides: a dome of tetrahedra that is pressed and drawn is solved on its contacts, most of which stay open: what
// the linear solver leaves of their equations counts, and what a start says of them by rounding does not.
func TestDomeSlides(t *testing.T) {
	c := caseOf(t, filepath.Join(t.TempDir(), "case.json"), `{"model": "energetic", "name": "dome", "until": 1, "steps": 4, "friction": {"f": {"mu": 0.3}},
		"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "energies": [{"type": "body", "id": "dome",
		 "mesh": {"block": {"form": "cylinder", "size": [0.5, 0.5], "cells": [3, 4, 7], "radius": 1}, "accuracy": "given"}, "young": 1e7, "poisson": 0.3,
		 "contact": [{"group": "bottom", "obstacle": "floor", "friction": "f"}], "prescribed": [
		 {"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.5, 0], [1, 0.004]]}}, {"group": "top", "axis": "y", "motion": 0},
		 {"group": "top", "axis": "z", "motion": {"table": [[0, 0], [0.5, -0.02], [1, -0.02]]}}]}]}`)
	s, err := incremental.New(c.Psi, 0, c.Z0, c.Options.Step)
	again, wrong := incremental.New(c.Psi, 0, c.Z0, c.Options.Step)
	for k := 1; k <= 4 && err == nil && wrong == nil; k++ {
		err = s.Step(t.Context(), float64(k)/4)
		guess := slices.Clone(s.Gradient())
		for j := range c.Psi.System.N() {
			if c.Psi.System.Constrained(j) {
				guess[3*j+2] += 1e-11 // presses, by rounding, what is open
			}
		}
		again.Guess(guess)
		wrong = again.Step(t.Context(), float64(k)/4)
	}
	if err != nil || wrong != nil {
		t.Error(err, wrong)
	}
}
