package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCheckCases: every energetic case fulfils the assumptions, but those that are there to jump or
// whose bonds break, those that friction and weight alone hold, those on curved obstacles, whose
// energy is not convex, or not bounded, and the elastic blocks. For these (N4) as a sufficient
// condition on all dofs asks far too much, and so it does on the contact nodes alone: α is the
// softest mode of the whole block, q grows with the stiffness between neighbouring nodes, and so
// μ_c falls with the mesh size, although the runs are certified.
func TestCheckCases(t *testing.T) {
	want := map[string]int{"ripple-jump.json": exitFailed, "slip-weakening.json": exitFailed,
		"press-and-drag.json": exitFailed, "press-and-drag-3d.json": exitFailed, "rubber-block.json": exitFailed,
		"incline.json": exitFailed, "sheared-stack.json": exitFailed, "sheared-stack-in-space.json": exitFailed,
		"push-off.json": exitFailed, "lap-joint.json": exitFailed, "pressed-bodies.json": exitFailed,
		"klarbring-jump.json": exitFailed, "peeled-bar.json": exitFailed,
		"over-the-ball.json": exitFailed, "over-the-ellipsoid.json": exitFailed, "capstan.json": exitFailed, "helix.json": exitFailed,
		"roller-between-plates.json": exitFailed, "nafems-roller.json": exitFailed, "sliding-wedge.json": exitFailed,
		"nip.json": exitFailed, "pusher.json": exitFailed, "round-the-ball.json": exitFailed, "two-cylinders.json": exitFailed,
		"hertz-yield.json": exitFailed, "capstan-strip.json": exitFailed, "flat-punch.json": exitFailed, "leaning-block.json": exitFailed,
		"rubber-sheet.json": exitFailed, "pressed-rubber.json": exitFailed, "hertz-ball.json": exitFailed, "elastic-incline.json": exitFailed, "wavy-contact.json": exitFailed, "graded-drag.json": exitFailed}
	files, energetic := cases(t)
	for _, file := range files {
		name := filepath.Base(file)
		if !energetic[file] || name == "rounded-punch.json" { // 80 s: 100 minimisations from where it may not be convex
			continue
		}
		if !slices.Contains(affordable(), strings.TrimSuffix(name, ".json")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked := file
			if name == "press-and-drag-3d.json" {
				checked = lighter(t, file, "[4, 2, 2]") // the search for the worst K grows as 2^contacts
			}
			code, _, stderr := qs("check", checked)
			if code != want[name] || code == exitFailed && !strings.Contains(stderr, "(N4) fails") && !strings.Contains(stderr, "(N3) ") {
				t.Errorf("exit code %d, want %d: %s", code, want[name], stderr)
			}
		})
	}
}

// TestCheckCriticalFriction: Klarbring's case beyond μ_c says so and exits 1.
func TestCheckCriticalFriction(t *testing.T) {
	var out, errOut bytes.Buffer
	if code := start([]string{"quasistatic", "check", "../../cases/klarbring.json", "--set", "friction.rough.mu=2.1",
		"--json"}, &out, &errOut); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(errOut.String(), "friction μ = 2.1 exceeds μ_c = 2") {
		t.Errorf("%s", errOut.String())
	}
	var report struct {
		Verdict    string
		Separation struct{ Worst struct{ Alpha, Q [2]float64 } }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Verdict != "fails" || report.Separation.Worst.Alpha[0] != 1 {
		t.Errorf("%+v", report)
	}
}

func TestCheckWrongInput(t *testing.T) {
	for _, args := range [][]string{{"check"}, {"check", "no-such-file.json"}, {"check", "a.json", "b.json"},
		{"schema", "extra"}, {"version", "extra"}} {
		var out, errOut bytes.Buffer
		if code := start(append([]string{"quasistatic"}, args...), &out, &errOut); code != exitInput || errOut.Len() == 0 {
			t.Errorf("%v: exit code %d, %q", args, code, errOut.String())
		}
	}
}

// TestCheckExtremes: numbers at the ends of the range of a case end in numbers, and those beyond it
// are refused; nothing on the page and in the faults is none.
func TestCheckExtremes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, set, want string }{
		{"block-impact", "velocity[0]=-1e30", "kinetic 1.25e+59 J"},
		{"block-impact", "velocity[0]=-1.1e30", "$.velocity[0]: found -1.1e30, want a number of at most 1e+30 in size"},
		{"block-braking", "young=1e-60", "contracts by <= 1.772e-64"},
		{"block-braking", "young=9e-61", "$.young: found 9e-61, want a number >= 1e-60"},
		{"box-pile", "bodies[51].shape.size[0]=1e30", "$.bodies[51].shape: a body of 1e+30 m by 0.1 m, whose last digit is 1.41e+14 m"},
		{"dominoes", "bodies[0].position[0]=1e30", "$.bodies[0].position[0]: a body of 0.2 m at 1e+30 m, whose last digit is 1.41e+14 m"},
		{"ageing", "anchors[0].at[0]=-1e30", "particle p is pushed by 2e+30 N more"},
	} {
		_, out, stderr := qs("check", c.name, "--set", c.set)
		if text := out + stderr; !strings.Contains(text, c.want) || strings.Contains(text, "Inf") || strings.Contains(text, "NaN") {
			t.Errorf("%s with %s: %s", c.name, c.set, text)
		}
	}
	// A tenth of what would be lost is not.
	if code, _, stderr := qs("check", "dominoes", "--set", "bodies[0].position[0]=4e11"); code == exitInput {
		t.Error(stderr)
	}
}
