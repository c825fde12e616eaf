package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// mobile are the cases of motions that the adversary changes.
var mobile = []string{"half-pipe", "off-the-sphere", "conveyor", "disc-and-blocks", "moving-wall", "pressed-ball", "conveyor-theta", "shaken-table", "ladder", "slider-crank", "stick-slip-block", "block-impact", "impacting-bar", "block-braking"}

// onCurved draws a particle on a tether over a curved, perhaps moving obstacle.
func onCurved(r *rand.Rand) map[string]any {
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
	sine := func(amplitude, offset float64) any {
		return map[string]any{"sine": map[string]any{"amplitude": amplitude, "frequency": between(.2, 1), "offset": offset}}
	}
	bowl := []map[string]any{
		{"type": "sphere", "center": []float64{0, 0, 1}, "radius": 1, "inside": true},
		{"type": "cylinder", "point": []float64{0, 0, 1}, "axis": []float64{0, 1, 0}, "radius": 1, "inside": true},
		{"type": "ellipsoid", "center": []float64{0, 0, .5}, "semi_axes": []float64{1, 2, .5}, "inside": true},
		{"type": "sphere", "center": []float64{0, 0, -1}, "radius": 1}, {"point": []float64{0, 0, 0}, "normal": []float64{0, 0, 1}}}[r.IntN(5)]
	if r.IntN(3) == 0 {
		bowl["motion"] = map[string]any{"translation": []any{map[string]any{"sine": map[string]any{"amplitude": .1, "frequency": .5}}, 0, 0}}
	}
	return map[string]any{"name": "curved", "model": "energetic", "until": 2, "steps": math.Ceil(math.Pow(10, between(1.5, 2.8))), "obstacles": map[string]any{"o": bowl}, "friction": map[string]any{"dry": map[string]any{"mu": between(.1, .8)}},
		"particles": []any{map[string]any{"id": "p", "at": []float64{0, 0, 0}, "obstacle": "o", "friction": "dry"}},
		"anchors":   []any{map[string]any{"id": "u", "at": []any{sine(between(-.4, .4), 0), sine(between(-.2, .2), 0), sine(between(0, .2), between(-.3, -.1))}}},
		"energies":  []any{map[string]any{"type": "tether", "particle": "p", "anchor": "u", "stiffness": []float64{2, 2, 5}}}}
}

// tracks are the columns of trajectory.csv that are places, by what they are places of; a mesh is one.
func tracks(t *testing.T, dir string, mesh bool) map[string][][]float64 {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(read(t, dir, table.TrajectoryFile)), "\n")
	of, list := map[int]string{}, map[string][][]float64{}
	for i, name := range strings.Split(lines[0], ",") {
		if body, axis, ok := strings.Cut(name, "."); ok && slices.Contains([]string{"x", "y", "z", "ux", "uy", "uz"}, axis) {
			if of[i] = body; mesh {
				of[i] = "mesh"
			}
		}
	}
	for _, line := range lines[1:] {
		row := map[string][]float64{}
		for i, f := range strings.Split(line, ",") {
			if v, err := strconv.ParseFloat(f, 64); err == nil && of[i] != "" {
				row[of[i]] = append(row[of[i]], v)
			}
		}
		for body, x := range row {
			list[body] = append(list[body], x)
		}
	}
	return list
}

// distances returns how far two tracks are apart at most, and how far the second one goes.
func distances(a, b [][]float64) (off, way float64) {
	for k, x := range b {
		d, w := 0.0, 0.0
		for i, v := range x {
			d, w = d+(v-a[k][i])*(v-a[k][i]), w+(v-b[0][i])*(v-b[0][i])
		}
		off, way = max(off, math.Sqrt(d)), max(way, math.Sqrt(w))
	}
	return off, way
}

// TestAdversary: of fresh scenes, particles on curved obstacles and motions of the cases with other numbers, in any number
// of steps, those that run certifies diagnose certifies too, and they are within 1.07 % of their way of what
// 16 times the steps make. 60 scenes with QUASISTATIC_LONG; QUASISTATIC_SCENES="count seed" for others.
func TestAdversary(t *testing.T) {
	thorough.Only(t, "a minute")
	t.Parallel()
	count, seed := 60, uint64(1)
	if s := os.Getenv("QUASISTATIC_SCENES"); s != "" {
		if _, err := fmt.Sscan(s, &count, &seed); err != nil {
			t.Fatal(err)
		}
	}
	certified := 0
	for i := range count {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		doc := onCurved(r)
		if i%2 == 1 {
			doc = map[string]any{}
			if err := json.Unmarshal([]byte(read(t, small(mobile[r.IntN(len(mobile))]))), &doc); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"expect", "step", "output", "accuracy"} {
				delete(doc, key)
			}
			doc = vary(r, doc, "").(map[string]any)
			doc["steps"] = math.Ceil(math.Pow(10, 1.5+1.5*r.Float64()))
		}
		dir := t.TempDir()
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		file, out, fine := write(t, string(text), dir, "case.json"), filepath.Join(dir, "out"), filepath.Join(dir, "fine")
		switch code, _, stderr := qs("run", file, "--out", out, "--quiet", "--no-picture"); code {
		case exitDone:
		case exitFailed:
			continue
		default:
			t.Fatalf("scene %d: exit %d, %s", i, code, stderr)
		}
		certified++
		if code, _, stderr := qs("diagnose", out, "--quiet"); code != exitDone {
			t.Errorf("scene %d: diagnose: exit %d, %s\n%s", i, code, stderr, text)
		}
		if code, _, stderr := qs("run", file, "--set", fmt.Sprintf("steps=%.0f", 16*doc["steps"].(float64)), "--set", `output={"every": 16}`, "--accuracy", "0.9", "--out", fine, "--quiet", "--no-picture"); code == exitInput {
			t.Fatalf("scene %d: %s", i, stderr)
		}
		mesh := doc["model"] == "elastodynamic"
		a, b := tracks(t, out, mesh), tracks(t, fine, mesh)
		off, way, far := map[string]float64{}, map[string]float64{}, 0.0
		for body := range b {
			if len(a[body]) != len(b[body]) {
				t.Fatalf("scene %d: %d rows of %s, and %d", i, len(a[body]), body, len(b[body]))
			}
			off[body], way[body] = distances(a[body], b[body])
			far = max(far, way[body])
		}
		for _, body := range slices.Sorted(maps.Keys(b)) {
			if of := max(way[body], 1e-3*far); off[body] > .01*(1+1./16)*of {
				t.Errorf("scene %d: %s is certified and off by %.4f of its way\n%s", i, body, off[body]/of, text)
			}
		}
	}
	t.Logf("%d scenes, %d certified", count, certified)
}
