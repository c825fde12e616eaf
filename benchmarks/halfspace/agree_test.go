package main

import (
	"math"
	"testing"
)

// TestScenes: the numbers that CONTACT printed on 2026-11-22 (revision 2707), four digits, and its
// elements; in millimetres, and in units of length and of stress a million times as small and
// large.
func TestScenes(t *testing.T) {
	peer := []numbers{
		{9000, 0.02444, 1914, 0, 0, 589, 0},
		{0.0402, 0.02, 0.04495, 0, 0, 116, 0},
		{9, 0.0197, 4.362, -0.4911, 0.3274, 185, 101},
		{6, 0.02707, 2.118, -0.2, 0, 261, 147},
		{6, 0.02707, 2.118, 0, 0, 261, 89},
		{0.1, 0.03765, 0.05914, 0, 0, 213, 37},
		{0.08, 0.03385, 0.05093, 0.6, 0.2, 184, 39},
		{10000, 0.02291, 593.8, 0.835, 0, 347, 130},
		{10000, 0.02291, 593.8, 0, -0.669, 347, 196},
		{10000, 0.02291, 593.8, 0, -0.6873, 347, 2},
		{10000, 0.02291, 593.8, -0.409, -0.2072, 347, 183},
		{10000, 0.02291, 593.8, 0.55, -0.2346, 347, 212},
		{10000, 0.04214, 482.8, -0.4344, 0, 369, 129},
		{10000, 0.02291, 593.8, 0.8947, -0.447, 347, 0},
		{10000, 0.02291, 593.8, 0.153, -0.06327, 347, 319},
		{9000, 0.02135, 573.1, 0, -0.03493, 319, 209},
		{20000, 0.007876, 58.02, -0.4557, 0, 56, 31},
		{60, 0.02005, 54.04, 0.4, -0.3, 215, 117},
		{40, 0.01888, 39.83, 0.2, 0, 194, 15},
		{9000, 0.02086, 889.7, -0.4507, 0.06141, 356, 8},
		{30000, 0.005471, 233.2, 0.318, 0, 36, 30},
		{9, 0, 0, -0.4622, 0.3127, 212, 123}, // given bounds: nothing is pressed
		{6, 0, 0, -0.3, 0.2, 476, 252},
		{9000, 0, 0, 0.2656, -0.03256, 284, 256},
		{9000, 0, 0, -0.4804, 0.002439, 284, 189},
		{9000, 0, 0, 0.55, -0.1026, 284, 186},
	}
	if len(peer) != len(scenes) {
		t.Fatalf("%d results of %d scenes", len(peer), len(scenes))
	}
	for i, want := range peer {
		for _, unit := range [][2]float64{{1, 1}, {1e-6, 1e6}, {1e6, 1e-6}} {
			s := scenes[i].scaled(unit[0], unit[1])
			got, err := s.solve(t.Context())
			if err != nil {
				t.Errorf("%s in units %v: %v", s.name, unit, err)
				continue
			}
			got.load /= unit[0] * unit[0] * unit[1]
			got.approach /= unit[0]
			got.pressure /= unit[1]
			for _, c := range []struct {
				name      string
				got, want float64
				digit     float64 // of its last printed place
			}{
				{"load", got.load, want.load, 5e-4 * want.load}, {"approach", got.approach, want.approach, 5e-4 * want.approach},
				{"largest pressure", got.pressure, want.pressure, 5e-4 * want.pressure},
				// Forces are known to CONTACT's EPS 1e-5 of the change of tractions: to 2e-4.
				{"FX/(μFN)", got.x, want.x, 2.5e-4}, {"FY/(μFN)", got.y, want.y, 2.5e-4},
				{"elements in contact", float64(got.contacts), float64(want.contacts), 0},
				{"elements that stick", float64(got.sticking), float64(want.sticking), 0},
			} {
				if !(math.Abs(c.got-c.want) <= c.digit) {
					t.Errorf("%s in units %v: %s %.6g, CONTACT %.6g", s.name, unit, c.name, c.got, c.want)
				}
			}
		}
	}
}

// scaled is the scene in other units of length and stress.
func (s scene) scaled(length, stress float64) scene {
	s.dx, s.dy = s.dx*length, s.dy*length
	for i := range 3 {
		s.profile[i] /= length
	}
	s.ellipse[0], s.ellipse[1] = s.ellipse[0]*length, s.ellipse[1]*length
	s.waves[0], s.waves[1], s.waves[2], s.waves[3] = s.waves[0]*length, s.waves[1]/length, s.waves[2]*length, s.waves[3]/length
	s.shear[0], s.shear[1] = s.shear[0]*stress, s.shear[1]*stress
	var stages []stage
	for _, t := range s.stages {
		if t.approach {
			t.loads[0] *= length
		} else {
			t.loads[0] *= length * length * stress
		}
		switch {
		case t.kind == 1 && t.forces == 0: // shifts, and an angle
			t.loads[1], t.loads[2] = t.loads[1]*length, t.loads[2]*length
		case t.kind > 1: // creepages, and spin by length
			t.loads[3] /= length
		}
		t.way *= length
		stages = append(stages, t)
	}
	s.stages = stages
	return s
}
