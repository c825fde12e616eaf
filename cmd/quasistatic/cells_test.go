package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
// 1e-7 of the energies, of forces 1e-7 of the largest. 20 changes, 400 with QUASISTATIC_LONG.
func TestCells(t *testing.T) {
	t.Parallel()
	changes := 20
	if os.Getenv("QUASISTATIC_LONG") != "" {
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
		if code, _, _ := qs("diagnose", dir, "--quiet"); code == exitDone {
			t.Errorf("%s, row %d, column %s: %s for %s is not noticed", file, row, head[at], fields[at], old)
		}
		write(t, text, file)
	}
	for _, dir := range dirs {
		mustRun(t, "diagnose", dir, "--quiet")
	}
}
