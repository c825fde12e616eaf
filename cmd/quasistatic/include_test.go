package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIncluded: the folder of a run has all files that its case includes: it is diagnosed, and run
// again, where the case is no more; files that were changed are told; a sweep varies the parameters
// of a part, in this process and by a worker that has what was sent to it.
func TestIncluded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from := filepath.Join(dir, "from")
	if err := os.MkdirAll(filepath.Join(from, "parts"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, `{"parameters": {"x": 0}, "friction": {"dry": {"mu": 0.5}}, "bodies": [{"id": "ball", "mass": 1, "shape": {"type": "sphere", "radius": 1}, "position": ["=x", 0, 1]}],
  "contacts": [{"body": "ball", "obstacle": "floor", "friction": "dry"}]}`, from, "parts/ball.json")
	file := write(t, `{"model": "rigid", "name": "balls", "until": 0.1, "steps": 10, "gravity": [0, 0, -9.81], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "include": [{"file": "parts/ball.json", "prefix": "a_"}, {"file": "parts/ball.json", "prefix": "b_", "parameters": {"x": 3}}],
  "expect": [{"quantity": "position", "body": "b_ball", "axis": "x", "min": 2.9}]}`, from, "balls.json")
	study := write(t, `{"name": "apart", "case": "balls.json", "vary": {"include[1].parameters.x": [3, 4]}, "observe": ["kinetic_energy"]}`,
		from, "study.json")
	out := filepath.Join(dir, "out")
	mustRun(t, "run", file, "--out", out)
	if text := mustRun(t, "show", file); !strings.Contains(text, "b_ball") || strings.Contains(text, "include") {
		t.Error(text)
	}
	mustRun(t, "sweep", study, "--out", filepath.Join(dir, "sweep"))
	mustRun(t, "sweep", study, "--workers", "1", "--listen", "127.0.0.1:0", "--out", filepath.Join(dir, "sent"))
	if err := os.RemoveAll(from); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "diagnose", out)
	mustRun(t, "run", filepath.Join(out, "case.json"), "--out", filepath.Join(dir, "again"))
	mustRun(t, "report", out)
	write(t, strings.Replace(read(t, out, "parts/ball.json"), "0.5", "0.6", 1), out, "parts/ball.json")
	if code, stdout, stderr := qs("diagnose", out); code != exitFailed || !strings.Contains(stdout+stderr, "parts/ball.json") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
