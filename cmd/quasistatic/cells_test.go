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

// columnSize is the largest number of a column.
func columnSize(lines []string, at int) (size float64) {
	for _, line := range lines[1:] {
		if v, err := strconv.ParseFloat(strings.Split(line, ",")[at], 64); err == nil {
			size = max(size, math.Abs(v))
		}
	}
	return size
}

// TestCells: of an energetic run whose sums nobody has, without summary.json, any change of
// a cell of any table is refused that is above rounding: 1e-7 of its column, of a residual
// 1e-7 of the energies, of forces 1e-7 of the largest. 12 changes, 400 with QUASISTATIC_LONG.
func TestCells(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	changes := 12
	if thorough.Asked() {
		changes = 400
	}
	r, root := rand.New(rand.NewPCG(12, 22)), t.TempDir()
	var dirs []string
	for _, name := range []string{"play", "grazing", "anisotropic"} {
		dir := filepath.Join(root, name)
		mustRun(t, "run", small(name), "--out", dir, "--quiet", "--no-picture")
		if err := os.Remove(filepath.Join(dir, table.SummaryFile)); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	changed := 0
	for changed < changes {
		dir := dirs[r.IntN(len(dirs))]
		files, _ := filepath.Glob(filepath.Join(dir, "*.csv")) // the folder has no pattern in its name
		file := files[r.IntN(len(files))]
		text := read(t, file)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		row := 1 + r.IntN(len(lines)-1)
		fields, head := strings.Split(lines[row], ","), strings.Split(lines[0], ",")
		at := r.IntN(len(fields))
		old := fields[at]
		if v, err := strconv.ParseFloat(old, 64); err == nil {
			size := columnSize(lines, at)
			if v *= 1 + []float64{0.01, 0.1, 1, -2}[r.IntN(4)]; v == 0 {
				v = size * r.Float64()
			}
			if was, _ := strconv.ParseFloat(old, 64); math.Abs(v-was) <= 1e-7*max(size, 1) {
				continue // the scenes have forces of 1 N, energies of 1 J, steps of 1e-3 s
			}
			fields[at] = strconv.FormatFloat(v, 'g', 17, 64)
		} else if words := []string{"free", "grazing", "stick", "slip", "q"}; words[r.IntN(5)] != old {
			fields[at] = "q"
			if head[at] != "particle" {
				fields[at] = map[string]string{"free": "slip", "grazing": "free", "stick": "slip", "slip": "stick"}[old]
			}
		} else {
			continue
		}
		changed++
		lines[row] = strings.Join(fields, ",")
		write(t, strings.Join(lines, "\n")+"\n", file)
		if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code == exitDone {
			t.Errorf("%s, row %d, column %s: %s for %s is not noticed", file, row, head[at], fields[at], old)
		}
		write(t, text, file)
	}
	for _, dir := range dirs {
		mustRun(t, "diagnose", "-v", dir, "--quiet")
	}
}

// TestCellsOfMotions: of runs of all dynamic models whose sums nobody has, any change of a cell of
// any file is refused, to the last digits: the run made again has other bytes. A number of a table
// or of summary.json, by 1e-9 of it or more, a word, a row that is missing or is there twice, a
// digit of another file. 6 changes, 700 with QUASISTATIC_LONG.
func TestCellsOfMotions(t *testing.T) {
	t.Parallel()
	changes := 1
	if thorough.Asked() {
		changes = 100
	}
	for i, name := range slices.Sorted(maps.Keys(excerpts)) {
		if !thorough.Asked() && i == len(excerpts)-1 {
			continue // theta: the step of compliant, implicit
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			excerpted(t, name, dir)
			unsealed(t, dir)
			r, caught := rand.New(rand.NewPCG(12, uint64(i))), map[string]int{}
			list, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for done := 0; done < changes; {
				file := list[r.IntN(len(list))].Name()
				text := read(t, dir, file)
				forged, what := forge(r, file, text)
				if what == "" {
					continue
				}
				done++
				write(t, forged, dir, file)
				if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code == exitDone || code == exitFault {
					t.Errorf("%s: %s: exit %d\n%s", file, what, code, stderr)
				}
				caught[file]++
				write(t, text, dir, file)
			}
			mustRun(t, "diagnose", "-v", dir, "--quiet")
			t.Logf("changed and caught: %v", caught)
		})
	}
}

// forge changes one thing in the text of a file, and says which; "": nothing.
func forge(r *rand.Rand, file, text string) (forged, what string) {
	if !strings.HasSuffix(file, ".csv") {
		return forgeNumber(r, file, text)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	row := r.IntN(len(lines))
	fields := strings.Split(lines[row], ",")
	at := r.IntN(len(fields))
	old := fields[at]
	switch v, err := strconv.ParseFloat(old, 64); {
	case r.IntN(10) == 0:
		lines = slices.Delete(lines, row, row+1)
		return strings.Join(lines, "\n") + "\n", fmt.Sprintf("row %d is missing", row)
	case r.IntN(10) == 0:
		lines = slices.Insert(lines, row, lines[row])
		return strings.Join(lines, "\n") + "\n", fmt.Sprintf("row %d is there twice", row)
	case err != nil:
		fields[at] = "q"
	default:
		by := []float64{1e-9, 1e-6, 0.01, 1, -2}[r.IntN(5)]
		if v *= 1 + by; v == 0 {
			v = by
		}
		fields[at] = strconv.FormatFloat(v, 'g', 17, 64)
	}
	lines[row] = strings.Join(fields, ",")
	return strings.Join(lines, "\n") + "\n", fmt.Sprintf("row %d, column %d: %s for %s", row, at, fields[at], old)
}

// forgeNumber changes a number of a JSON file that says something of the run.
func forgeNumber(r *rand.Rand, file, text string) (forged, what string) {
	var tree any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		return "", ""
	}
	var list []func()
	numbersOf("", tree, nil, func(path string, v float64, set func(any)) {
		key, _, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
		if key == "memory" || key == "wall_seconds" {
			return // of the process
		}
		list = append(list, func() { set(v*(1+1e-9) + 2e-9); what = path })
	})
	if len(list) == 0 {
		return "", ""
	}
	list[r.IntN(len(list))]()
	out, err := json.Marshal(tree)
	if err != nil {
		return "", ""
	}
	return string(out), what
}
