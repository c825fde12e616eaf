package energetic

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
)

// TestBodyOnCylinder presses a block onto a rigid roll of the radius R: under the load P a length
// the largest pressure is Hertz's √(PE*/(πR)), E* = E/(1 − ν²), with friction in full slip the
// tangential forces are μ times the normal ones, and in other units and at another origin nothing
// else happens.
func TestBodyOnCylinder(t *testing.T) {
	const young, poisson, radius, mu = 1000.0, 0.3, 1.0, 0.2
	solve := func(cells [2]int, unit, origin float64, drag float64) (forces [][3]float64, cell float64) {
		text := fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "stability": "convex",
		  "obstacles": {"roll": {"type": "cylinder", "point": [%[1]g, 0, %[2]g], "axis": [0, 1, 0], "radius": %[3]g}},
		  %[14]s
		  "energies": [{"type": "body", "id": "block", "mesh": {"block": {"corner": [%[5]g, %[1]g], "size": [%[6]g, %[3]g], "cells": [%[7]d, %[8]d]}}, "young": %[9]g, "poisson": %[10]g,
		    "contact": [{"group": "bottom", "obstacle": "roll"%[11]s}],
		    "prescribed": [{"group": "top", "axis": "y", "motion": {"table": [[0, 0], [0.5, %[12]g]]}}, {"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.5, 0], [1, %[13]g]]}}]}]}`,
			origin, origin-radius*unit, radius*unit, mu, origin-unit, 2*unit, cells[0], cells[1], young/unit/unit, poisson,
			map[bool]string{true: `, "friction": "dry"`, false: `, "friction": "none"`}[drag != 0], -0.05*unit,
			drag*unit, map[bool]string{true: fmt.Sprintf(`"friction": {"dry": {"mu": %g}},`, mu)}[drag != 0])
		c, n := stepped(t, "", text, 4)
		sum := [2]float64{}
		for j := range c.Psi.System.N() {
			if !c.Psi.System.Constrained(j) {
				continue
			}
			_, _, _, root := c.Psi.System.ContactAxesAt(n.T, j, n.Z)
			along, across := particles.Physical(root, n.Grad[3*j], n.Grad[3*j+1])
			forces = append(forces, [3]float64{n.Grad[3*j+2], along, across})
			sum[0], sum[1] = sum[0]+n.Grad[3*j+2], sum[1]+math.Hypot(along, across)
		}
		if drag != 0 && math.Abs(sum[1]-mu*sum[0]) > 1e-9*sum[0] {
			t.Errorf("friction %g, want %g of %g", sum[1], mu, sum[0])
		}
		return forces, 2 / float64(cells[0])
	}
	near := func(forces [][3]float64, cell, allowed float64) {
		load, most := 0.0, 0.0
		for _, f := range forces {
			load, most = load+f[0], max(most, f[0])
		}
		want := math.Sqrt(load * young / (1 - poisson*poisson) / (math.Pi * radius))
		if off := most/cell/want - 1; math.Abs(off) > allowed {
			t.Errorf("cells of %g: largest pressure %g, Hertz %g, off by %g", cell, most/cell, want, off)
		}
	}
	// The contact is .21 wide to each side, 2.5 cells of the coarse mesh: a pressure is the mean
	// over a cell, of a parabola some (h/a)²/12 less, and P1 elements are stiff, of second order
	// too.
	coarse, cell := solve([2]int{24, 12}, 1, 0, 0)
	near(coarse, cell, 0.1)
	if thorough.Asked() {
		fine, cell := solve([2]int{60, 30}, 1, 0, 0)
		near(fine, cell, 0.025)
	}
	solve([2]int{24, 12}, 1, 0, 0.15)
	// In millimetres, with the origin a hundred metres away: positions round to 1e-14 of a part in
	// 1e5.
	other, _ := solve([2]int{24, 12}, 1e-3, 0.1, 0)
	for i := range coarse {
		if math.Abs(other[i][0]*1e-3-coarse[i][0]) > 1e-6*100 {
			t.Errorf("node %d: %g N, in other units %g", i, coarse[i][0], other[i][0]*1e-3)
		}
	}
}
