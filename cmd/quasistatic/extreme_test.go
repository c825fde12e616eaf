package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// extremes are what a number of a table may be, by its row and column.
var extremes = map[string]func(row, column int) float64{
	"large":       func(row, column int) float64 { return 1e300 },
	"largest":     func(row, column int) float64 { return math.MaxFloat64 * float64(1-2*((row+column)%2)) },
	"to and fro":  func(row, column int) float64 { return 1e300 * float64(1-2*(row%2)) },
	"small":       func(row, column int) float64 { return 1e-300 * float64(row) },
	"least":       func(row, column int) float64 { return math.SmallestNonzeroFloat64 * float64((row+column)%2) },
	"all scales":  func(row, column int) float64 { return math.Pow(10, float64(37*(row+3*column)%600-300)) },
	"zero":        func(row, column int) float64 { return 0 },
	"minus large": func(row, column int) float64 { return -1e300 },
}

// noNumber is one that is none, in a list, an attribute or a text; scripts may name it in an
// expression.
var noNumber = regexp.MustCompile(`(NaN|[+-]Inf)["',<\]}\s]`)

// TestExtremes: pages, films and comparisons of runs of each model whose tables have numbers of any
// size, in many rows and in one: they are drawn or refused, in words, and no figure stops the
// program.
func TestExtremes(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range extremes {
			if !yield(name) {
				return
			}
		}
	})
	for i, model := range []string{"play", "corner-in-space", "bouncing-sphere", "braking-point", "disc-drop", "block-impact", "carter"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			whole := filepath.Join(t.TempDir(), "whole")
			args := []string{"run", small(model), "--out", whole, "--quiet", "--no-picture", "--set", "expect=[]"}
			for _, change := range producible[model] {
				args = append(args, "--set", change)
			}
			if code, _, stderr := qs(args...); code > exitFailed {
				t.Fatalf("exit %d\n%s", code, stderr)
			}
			s := summaryOf(t, whole)
			s.Files = nil
			if err := s.Write(whole); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(whole, "*.csv"))
			if err != nil {
				t.Fatal(err)
			}
			for k, name := range names {
				for _, rows := range []int{1 << 20, 1} {
					if !thorough.Asked() && ((i+k)%3 > 0 || rows == 1 && (i+k)%2 > 0) {
						continue
					}
					dir := filepath.Join(t.TempDir(), "run")
					if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
						t.Fatal(err)
					}
					for _, file := range files {
						lines := strings.Split(strings.TrimSpace(read(t, file)), "\n")
						for r := 1; r < len(lines); r++ {
							cells := strings.Split(lines[r], ",")
							for c := 1; c < len(cells); c++ {
								if _, err := strconv.ParseFloat(cells[c], 64); err == nil {
									cells[c] = fmt.Sprint(extremes[name](r, c))
								}
							}
							lines[r] = strings.Join(cells, ",")
						}
						lines = lines[:min(len(lines), 1+rows)]
						write(t, strings.Join(lines, "\n")+"\n", dir, filepath.Base(file))
					}
					column := strings.Split(read(t, whole, table.TrajectoryFile), ",")[1]
					for _, args := range [][]string{{"report", dir},
						{"film", dir, "--out", filepath.Join(dir, "f.svg")},
						{"compare", "--column", column, "--out", filepath.Join(dir, "c.png"), dir}} {
						if code, _, stderr := qs(args...); code > exitInput || code == exitFailed {
							t.Errorf("%s, %s, %d rows: exit %d\n%s", name, args[0], rows, code, stderr)
						}
					}
					if page, err := os.ReadFile(filepath.Join(dir, table.ReportFile)); err == nil && noNumber.Match(page) {
						t.Errorf("%s, %d rows: the page has numbers that are none: %.80q", name, rows,
							page[max(0, noNumber.FindIndex(page)[0]-40):])
					}
				}
			}
		})
	}
}

// TestFilmOfHugeObstacle: an obstacle 1e9 times as large as what a film shows is drawn as far as it
// is seen: pixels of what is not would take minutes.
func TestFilmOfHugeObstacle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, `{"model": "rigid", "alpha": 0.5, "gravity": [0, 0, -10], "obstacles": {"ball": {"type": "sphere", "center": [0, 0, 0], "radius": 1}},
  "bodies": [{"id": "p", "mass": 1, "position": [0, 0, 1], "velocity": [0, 0.5, 0]}], "until": 1.25e-9, "steps": 5}`, dir, "case.json")
	out := filepath.Join(dir, "run")
	qs("run", file, "--out", out, "--quiet") // its ways are below rounding: not accurate
	if code, _, stderr := qs("film", out, "--strip", "--out", filepath.Join(dir, "film.png")); code != exitDone {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
