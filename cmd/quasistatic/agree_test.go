package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/table"
)

// varied are cases of all models with the number of steps that a random scene makes.
var varied = map[string]int{
	"play": 60, "grazing": 80, "klarbring": 60, "chain": 40, "anisotropic": 40, "play-pulsing": 60, "press-and-drag": 10,
	"ellipse": 60, "ellipse-rigid": 60, "bouncing-sphere": 200, "braking-point": 40,
	"disc-drop": 80, "double-pendulum-floor": 80, "stick-slip-block": 60, "ladder": 20, "slider-crank": 40, "cradle": 40,
	"block-impact": 30, "block-braking": 20, "impacting-bar": 60, "carter": 12, "cattaneo-mindlin-41": 10,
}

// vary changes the physical numbers of a tree by up to a tenth: those of keys that mean
// a stiffness, a friction, a mass, a load, a velocity.
func vary(r *rand.Rand, v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = vary(r, v[k], k)
		}
	case []any:
		for i := range v {
			v[i] = vary(r, v[i], key)
		}
	case float64:
		if slices.Contains([]string{"mu", "stiffness", "amplitude", "force", "velocity", "spin", "mass", "young",
			"density", "damping", "matrix", "gravity", "frequency"}, key) {
			return v * (1 + 0.2*(r.Float64()-0.5))
		}
	}
	return v
}

// randomScene writes a varied case.
func randomScene(t *testing.T, r *rand.Rand, dir string) string {
	t.Helper()
	names := slices.Sorted(maps.Keys(varied))
	name := names[r.IntN(len(names))]
	var c map[string]any
	if err := json.Unmarshal([]byte(read(t, casesDir, name+".json")), &c); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"expect", "step", "description", "name"} {
		delete(c, key)
	}
	c["steps"] = varied[name]
	if r.IntN(3) > 0 { // of a third of the scenes the steps are too long: some are not accurate
		c["until"] = c["until"].(float64) * float64(varied[name]) / 1000 * float64(1+r.IntN(8))
	}
	c = vary(r, c, "").(map[string]any)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, string(text), dir, name+".json")
}

// TestAgree: run and diagnose give the same verdict of random scenes of all models; any
// changed number of any table is refused, of motions also where nobody has written down the
// sums of the files; and without summary.json physics finds most of them. 300 scenes with
// QUASISTATIC_LONG, else 20.
func TestAgree(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	scenes := 10
	if thorough.Asked() {
		scenes = 300
	}
	certified, changed, found := 0, 0, 0
	missed := map[string]int{}
	for i := range scenes {
		r := rand.New(rand.NewPCG(20261122, uint64(i)))
		root := t.TempDir()
		file, dir := randomScene(t, r, root), filepath.Join(root, "out")
		code, _, said := qs("run", file, "--out", dir, "--quiet", "--no-picture")
		if code == exitInput || !models.IsFolder(dir) {
			continue // varied masses may leave a start that is none
		}
		s := summaryOf(t, dir)
		again, _, judged := qs("diagnose", "-v", dir, "--quiet")
		if s.Status == table.Done && code != again {
			text := read(t, file)
			t.Errorf("scene %d: run ends with %d: %s\ndiagnose with %d: %s\n%.2000s", i, code, said, again, judged, text)
			continue
		}
		if code != exitDone {
			continue
		}
		certified++
		name, column := doctorAny(t, r, dir)
		if name == "" {
			continue
		}
		changed++
		if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code == exitDone {
			t.Errorf("scene %d: a changed %s of %s, column %s is not noticed", i, filepath.Base(file), name, column)
		}
		unsealed(t, dir)
		if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code == exitDone && !strings.Contains(read(t, file), `"model":"energetic"`) {
			t.Errorf("scene %d: a changed %s of %s, column %s is not noticed without the sums", i, filepath.Base(file), name, column)
		}
		if err := os.Remove(filepath.Join(dir, table.SummaryFile)); err != nil {
			t.Fatal(err)
		}
		if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code != exitDone {
			found++
		} else {
			missed[fmt.Sprintf("%s %s", name, column)]++
		}
	}
	t.Logf("%d scenes, %d certified; of %d changed numbers all found by the sums, %d by physics alone; not: %v", scenes,
		certified, changed, found, missed)
	if certified < scenes/4 {
		t.Errorf("%d of %d scenes certified, want a quarter at least", certified, scenes)
	}
	// What physics alone cannot see: certificates of a step that later files do not need.
	if found < changed*3/4 {
		t.Errorf("%d of %d changed numbers found by physics", found, changed)
	}
}

// doctorAny changes one number of one table of a folder by a hundredth of its size or
// more, and returns where; "": there was none to change.
func doctorAny(t *testing.T, r *rand.Rand, dir string) (file, column string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.csv")) // the folder has no pattern in its name
	for range 50 {
		name := names[r.IntN(len(names))]
		lines := strings.Split(strings.TrimSuffix(read(t, name), "\n"), "\n")
		if len(lines) < 3 {
			continue
		}
		row := 1 + r.IntN(len(lines)-1)
		fields, head := strings.Split(lines[row], ","), strings.Split(lines[0], ",")
		at := r.IntN(len(fields))
		v, err := strconv.ParseFloat(fields[at], 64)
		if err != nil || v == 0 {
			continue
		}
		fields[at] = strconv.FormatFloat(v*(1+[]float64{0.01, 0.1, 1, -2}[r.IntN(4)]), 'g', 17, 64)
		lines[row] = strings.Join(fields, ",")
		write(t, strings.Join(lines, "\n")+"\n", name)
		return filepath.Base(name), head[at]
	}
	return "", ""
}
