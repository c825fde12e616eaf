package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// farFrom returns the first share of a built-in case of rigid bodies without expectations, moved by
// a vector.
func farFrom(t *testing.T, name string, share float64, by [3]float64) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(read(t, small(name))), &doc); err != nil {
		t.Fatal(err)
	}
	delete(doc, "expect")
	doc["until"], doc["steps"] = doc["until"].(float64)*share, math.Round(doc["steps"].(float64)*share)
	move := func(thing any, key string) {
		if place, ok := thing.(map[string]any)[key].([]any); ok {
			for d, x := range place {
				place[d] = x.(float64) + by[d]
			}
		}
	}
	for _, b := range doc["bodies"].([]any) {
		move(b, "position")
	}
	joints, _ := doc["joints"].([]any)
	for _, j := range joints {
		move(j, "at")
	}
	obstacles, _ := doc["obstacles"].(map[string]any)
	for _, o := range obstacles {
		move(o, "point")
		move(o, "center")
		move(o, "at")
		if motion, ok := o.(map[string]any)["motion"].(map[string]any); ok && motion["rotation"] != nil {
			move(motion["rotation"], "through")
		}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFarFolders: a run of rigid bodies 1e6 m from the origin is certified, and so is its
// folder, whose places are rounded to 1e-10 m: gaps, joints, levers and normals are off by that.
func TestFarFolders(t *testing.T) {
	t.Parallel()
	cases := map[string]float64{"disc-drop": 1}
	if thorough.Asked() { // bodies that touch, a plane, joints, a bent obstacle
		cases = map[string]float64{"cradle": 1, "disc-drop": 1, "double-pendulum-floor": 1, "half-pipe": 1,
			"slider-crank": 1, "disc-and-blocks": 1}
	}
	for name, share := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := write(t, farFrom(t, name, share, [3]float64{1e6, 7e5, -3e5}), dir, "case.json")
			mustRun(t, "run", file, "--out", filepath.Join(dir, "out"), "--quiet", "--no-picture")
			mustRun(t, "diagnose", "-v", filepath.Join(dir, "out"), "--quiet")
			// A hundred times what rounding does to velocities is seen.
			unsealed(t, filepath.Join(dir, "out"))
			lines := strings.Split(read(t, dir, "out", table.VelocitiesFile), "\n")
			lines[len(lines)/2] = nudge(t, lines[len(lines)/2], 1, 1e-4)
			write(t, strings.Join(lines, "\n"), dir, "out", table.VelocitiesFile)
			if code, _, stderr := qs("diagnose", "-v", filepath.Join(dir, "out"), "--quiet", "--files-only"); code != exitFailed {
				t.Errorf("a velocity changed: exit %d, %s", code, stderr)
			}
		})
	}
}
