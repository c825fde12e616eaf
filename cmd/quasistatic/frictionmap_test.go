package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// wornFloor writes the case with parts of its text replaced.
func wornFloor(t *testing.T, pairs ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "cases", "worn-floor.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			t.Fatalf("the case has no %s", pairs[i])
		}
	}
	file := filepath.Join(t.TempDir(), "case.json")
	if err := os.WriteFile(file, []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFrictionMap: runs on a table of friction, also with few rows and far from the origin, are
// certified, and so does diagnose with their files; a coefficient that was changed is refused.
func TestFrictionMap(t *testing.T) {
	far := []string{`"x": [-1, 0, 2, 3]`, `"x": [999999, 1000000, 1000002, 1000003]`, `"velocity": [2, 0, 0]`,
		`"velocity": [2, 0, 0], "position": [1000000, 0, 0]`,
		`0.71934481312`, `1000000.71934481312`, `0.84208936656`, `1000000.84208936656`}
	// A ball that falls: its steps of collisions are not played again.
	falls := []string{`"velocity": [2, 0, 0]`, `"velocity": [2, 0, 0], "position": [0, 0, 0.1]`,
		`0.71934481312, "tolerance": 1e-5`, `0.72, "tolerance": 1`,
		`0.84208936656, "tolerance": 1e-4`, `0.84, "tolerance": 1`, `4, "tolerance": 1e-3`, `4, "tolerance": 4`,
		`"value": 0, "tolerance": 1e-9`, `"value": 0, "tolerance": 2`}
	few := []string{`"until": 1,`, `"until": 1, "output": {"every": 7},`, `"time": 0.5, `, ``, `0.71934481312`,
		`0.84208936656`, `"tolerance": 1e-5`, `"tolerance": 1e-4`}
	for name, pairs := range map[string][]string{"as it is": nil, "far": far, "falls": falls, "few rows": few} {
		dir := filepath.Join(t.TempDir(), "out")
		if code, _, stderr := qs("run", wornFloor(t, pairs...), "--out", dir, "--quiet", "--no-picture"); code != exitDone {
			t.Errorf("%s: run: %d: %s", name, code, stderr)
			continue
		}
		if code, _, stderr := qs("diagnose", "-v", dir); code != exitDone {
			t.Errorf("%s: diagnose: %d: %s", name, code, stderr)
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := qs("run", wornFloor(t), "--out", dir, "--quiet", "--no-picture"); code != exitDone {
		t.Fatal(stderr)
	}
	otherTable(t, dir)
	if code, _, stderr := qs("diagnose", "-v", dir); code != exitFailed || !strings.Contains(stderr, "friction dissipates most") {
		t.Errorf("diagnose with another table: exit code %d, want %d: %s", code, exitFailed, stderr)
	}
}

// otherTable changes a coefficient in the case of a run, and its sum in the summary.
func otherTable(t *testing.T, dir string) {
	t.Helper()
	change := func(name string, edit func(string) string) {
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, []byte(edit(string(text))), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	var before, after string
	change("case.json", func(text string) string {
		other := strings.ReplaceAll(text, "0.4", "0.401")
		before, after = sum(text), sum(other)
		return other
	})
	change("summary.json", func(text string) string { return resealed(strings.ReplaceAll(text, before, after)) })
}

// patched are the changes that make worn-floor a case of another model, with a patch.
func patched(model, patch string, more ...string) []string {
	return append([]string{`"rigid"`, `"` + model + `"`, `"alpha": 0.5,`, ``, `"material": "worn"`,
		`"patches": {"soft": {"stiffness": [1e5, 1e5, 1e5], "damping": [600, 600, 600]}},
		"contacts": [{"body": "p", "obstacle": "floor", "friction": "worn", "patch": "` + patch + `"}]`,
		`1e-5`, `5e-3`, `1e-4`, `5e-3`, `"tolerance": 1e-9`, `"tolerance": 0.01`, `"tolerance": 1e-3`,
		`"tolerance": 0.05`, `"steps": 200`, `"steps": 1600`}, more...)
}

// TestFrictionMapOfPatches: the same of compliant and theta, on rigid patches and soft ones.
func TestFrictionMapOfPatches(t *testing.T) {
	thorough.Seconds(t)
	few := []string{`"until": 1,`, `"until": 1, "output": {"every": 7},`, `"time": 0.5, `, ``, `0.71934481312`, `0.84208936656`}
	chosen := patched("theta", "rigid")
	chosen[len(chosen)-1] = `"accuracy": 0.005` // in place of steps
	for _, pairs := range [][]string{patched("theta", "rigid"), patched("theta", "rigid", few...),
		patched("compliant", "rigid"), patched("compliant", "soft", few...), patched("compliant", "soft"), chosen} {
		dir := filepath.Join(t.TempDir(), "out")
		if code, _, stderr := qs("run", wornFloor(t, pairs...), "--out", dir, "--quiet", "--no-picture"); code != exitDone {
			t.Errorf("%q: run: %d: %s", pairs[1:7], code, stderr)
			continue
		}
		if code, _, stderr := qs("diagnose", "-v", dir); code != exitDone {
			t.Errorf("%q: diagnose: %d: %s", pairs[1:7], code, stderr)
		}
		otherTable(t, dir)
		if code, _, stderr := qs("diagnose", "-v", dir); code != exitFailed {
			t.Errorf("%q: diagnose with another table: exit code %d, want %d: %s", pairs[1:7], code, exitFailed, stderr)
		}
	}
}

// TestFrictionMapFaults: what has no map is named with its place.
func TestFrictionMapFaults(t *testing.T) {
	const floor, worn = `"material": "worn"`, `"friction": {"worn": {`
	sphere := []string{`"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}`,
		`"floor": {"type": "sphere", "center": [0, 0, -1], "radius": 1}`}
	curved := append(patched("theta", "rigid"), sphere...)
	facets := patched("theta", "rigid", worn, worn+`"facets": 8, `)
	two := []string{`"bodies": [`, `"bodies": [{"id": "q", "mass": 1, "position": [9, 0, 0]}, `}
	for want, pairs := range map[string][]string{
		`$.friction.worn: want either "mu" or "map"`: {worn,
			worn + `"mu": 0.3, `},
		`$.friction.worn.map: dissipation: map: x is -1 after -1`: {`"x": [-1, 0,`,
			`"x": [-1, -1,`},
		`$.material: body "p" and obstacle "floor": a map of friction in x and y is one of a half-space`: sphere,
		`$.material: body "q" and body "p": a map of friction in x and y is one of an obstacle`:          two,
		`$.contacts[0].friction: body "p" and obstacle "floor": a map of friction in x and y is one of a half`: append([]string{floor,
			`"contacts": [{"body": "p", "obstacle": "floor", "friction": "worn"}]`}, sphere...),
		`$.contacts[0].friction: bodies: a map of friction in x and y is one of a half-space`: curved,
		`$.friction.worn.facets: found 8 with a map, want the exact cone`:                     facets,
	} {
		code, _, stderr := qs("run", wornFloor(t, pairs...), "--out", filepath.Join(t.TempDir(), "out"), "--quiet", "--no-picture")
		if code != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %s; want %s", code, stderr, want)
		}
	}
}
