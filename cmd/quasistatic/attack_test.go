package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/table"
)

// resealed is the text of a summary with its seal made again, as anybody can.
func resealed(text string) string {
	head, _, _ := strings.Cut(text, ",\n  \"seal\": \"")
	head += ",\n  \"seal\": \""
	const tail = "\"\n}\n"
	return fmt.Sprintf("%s%x%s", head, sha256.Sum256([]byte(head+tail)), tail)
}

// putSummary puts a summary into a folder, with a seal.
func putSummary(t *testing.T, text, dir string) {
	t.Helper()
	var s table.Summary
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
}

// reseal brings sums and seal of a folder up to what is in it now; false: its tables cannot be
// read.
func reseal(t *testing.T, dir string) bool {
	t.Helper()
	f, err := models.Open(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Files().Sums()
	if err != nil {
		return false
	}
	f.Summary.Files = list
	if err := f.Summary.Write(dir); err != nil {
		t.Fatal(err)
	}
	return true
}

// nobodyKnows are the keys of summary.json that no program can find out again: times of the clock,
// what the machine had and took, who says that he made the run, and how often a solver that may
// have been stopped factored. No page shows them in the verdict.
var nobodyKnows = []string{"wall_seconds", "limit", "peak", "version", "processor", "factors"}

var summaryLine = regexp.MustCompile(`^(\s*)(?:"([a-z_A-Z0-9]+)": )?(".*"|-?[0-9][0-9.e+-]*|true|false|null)(,?)$`)

// forgeries are the lines that may stand in place of a line of JSON: another number, text or
// truth, one less.
func forgeries(line string) (key string, list []string) {
	m := summaryLine.FindStringSubmatch(line)
	if m == nil {
		return "", nil
	}
	head := strings.TrimSuffix(strings.TrimSuffix(line, m[4]), m[3])
	put := func(value string) { list = append(list, head+value+m[4]) }
	switch v := m[3]; {
	case v == "true":
		put("false")
	case v == "false":
		put("true")
	case v == "null":
		put("1")
	case v[0] == '"':
		put(strconv.Quote("x" + strings.Trim(v, `"`)))
	default:
		x, _ := strconv.ParseFloat(v, 64)
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			put(strconv.FormatInt(n+1, 10))
		} else {
			put(strconv.FormatFloat(x*(1+1e-12), 'g', -1, 64))
		}
	}
	return m[2], list
}

// attacked are runs whose files are changed: the case, what is changed in it.
var attacked = map[string][]string{
	"play":          {"steps=16", "accuracy=0.5", "expect=[]"},
	"klarbring":     {"steps=8", "accuracy=0.5", `output={"every": 3, "format": "npz"}`, "expect=[]"},
	"chain":         {"steps=4", "accuracy=0.9", `output={"format": "vtu"}`, "expect=[]"},
	"disc-drop":     {"steps=20", "until=0.2", "expect=[]", `output={"format": "parquet"}`},
	"block-braking": {"step=1e-4", "until=0.0016", "accuracy=0.1", "expect=[]", `output={"format": "vtu"}`},
	"braking-point": {"steps=20", "until=0.2", "accuracy=0.1", "expect=[]", `output={"format": "vtu"}`},
}

// made runs one of them.
func made(t *testing.T, name, dir string) {
	t.Helper()
	args := []string{"run", small(name), "--out", dir, "--quiet"}
	for _, change := range attacked[name] {
		args = append(args, "--set", change)
	}
	if code, _, stderr := qs(args...); code != exitDone {
		t.Fatalf("%s: exit %d\n%s", name, code, stderr)
	}
	mustRun(t, "diagnose", "-v", dir, "--quiet")
}

// TestAttackedSummary changes summary.json line by line. Without the seal made again no change
// passes a command, with it none passes diagnose, but of what nobody can know.
func TestAttackedSummary(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for name := range attacked {
		if !thorough.Asked() && name != "play" && name != "braking-point" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			made(t, name, dir)
			text := read(t, dir, table.SummaryFile)
			lines := strings.Split(text, "\n")
			each, every := 5, 16
			if thorough.Asked() {
				each, every = 1, 1
			}
			r := rand.New(rand.NewPCG(32, uint64(len(name))))
			tried, forged, passed := 0, 0, 0
			for k, line := range lines[:len(lines)-1] {
				if r.IntN(each) > 0 {
					continue
				}
				key, list := forgeries(line)
				if key == "" && len(list) == 0 {
					list = []string{line + " "} // brackets
				}
				for _, other := range append(list, "") {
					changed := strings.Join(slices.Concat(lines[:k], []string{other}, lines[k+1:]), "\n")
					tried++
					write(t, changed, dir, table.SummaryFile)
					command := [][]string{{"diagnose", dir, "--quiet"}, {"report", dir}, {"run", "--resume", dir}}[k%3]
					if code, _, _ := qs(command...); code == exitDone {
						t.Errorf("line %d, %s in place of %s: %s takes it", k+1, other, line, command[0])
					}
					known := slices.Contains(nobodyKnows, key)
					if r.IntN(every) > 0 || key == "seal" || !json.Valid([]byte(changed)) || other == line+" " {
						continue
					}
					forged++
					write(t, resealed(changed), dir, table.SummaryFile)
					if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code == exitDone && !known {
						passed++
						t.Errorf("line %d, %s in place of %s, sealed again, passes", k+1, other, line)
					}
				}
			}
			t.Logf("%d changes, %d of them sealed again: %d pass", tried, forged, passed)
			write(t, text, dir, table.SummaryFile)
			mustRun(t, "diagnose", "-v", dir, "--quiet")
		})
	}
}

// TestAttackedFiles changes a byte here and there of every other file of a run, tables and
// archives: points, cells and arrays of points, of VTU, states of NumPy, the index of Parquet. No
// change passes a command, and with sums and seal made again none passes diagnose.
func TestAttackedFiles(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for name := range attacked {
		if !thorough.Asked() && (name == "play" || name == "braking-point") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			made(t, name, dir)
			summary := read(t, dir, table.SummaryFile)
			var files []string
			if err := filepath.WalkDir(dir, func(file string, e os.DirEntry, err error) error {
				switch base := filepath.Base(file); {
				case err != nil || e.IsDir() || base == table.SummaryFile || strings.HasPrefix(base, "overview."):
				case !thorough.Asked() && strings.HasPrefix(base, "node-") && !strings.HasSuffix(base, "2.vtu"):
				default:
					files = append(files, file)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			regions := 1
			if thorough.Asked() {
				regions = 40
			}
			r := rand.New(rand.NewPCG(32, 7))
			tried, passed := 0, 0
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for k := range min(regions, len(text)) {
					at := k*len(text)/regions + r.IntN(max(1, len(text)/regions))
					changed := bytes.Clone(text)
					if changed[at] ^= 1; changed[at] == '\n' || text[at] == '\n' {
						continue
					}
					tried++
					write(t, string(changed), file)
					for _, command := range [][]string{{"diagnose", dir, "--quiet"}, {"report", dir}} {
						if code, _, _ := qs(command...); code == exitDone {
							t.Errorf("byte %d of %s: %s takes it", at, filepath.Base(file), command[0])
						}
					}
					if filepath.Base(file) != table.CaseFile && (k == 0 || thorough.Asked()) {
						if !reseal(t, dir) {
							continue
						}
						if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code == exitDone {
							passed++
							t.Errorf("byte %d of %s, sealed again, passes", at, filepath.Base(file))
						}
						write(t, summary, dir, table.SummaryFile)
					}
				}
				write(t, string(text), file)
			}
			t.Logf("%d changes of %d files: %d pass", tried, len(files), passed)
			mustRun(t, "diagnose", "-v", dir, "--quiet")
		})
	}
}

// TestForgedAbroad: who says that another version made the files has what no equation checks
// compared with the run made again, to rounding: rows that lack the step before, and moments and
// works of a contact that rolls.
func TestForgedAbroad(t *testing.T) {
	t.Parallel()
	for name, forged := range map[string][]struct{ file, column string }{
		"bouncing-sphere": {{table.TrajectoryFile, "ball.x"}, {table.ForcesFile, "ball/floor.4.n"}, {table.EnergiesFile, "kinetic"}},
		"carter":          {{table.ForcesFile, "moment_y"}, {table.EnergiesFile, "external"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			args := []string{"run", small(name), "--out", dir, "--quiet", "--no-picture", "--set", "expect=[]"}
			for _, change := range producible[name] {
				args = append(args, "--set", change)
			}
			if code, _, stderr := qs(args...); code != exitDone {
				t.Fatalf("exit %d\n%s", code, stderr)
			}
			summary := read(t, dir, table.SummaryFile)
			abroad := regexp.MustCompile(`"version": "[^"]*"`).ReplaceAllString(summary, `"version": "v0.0.1"`)
			putSummary(t, abroad, dir)
			mustRun(t, "diagnose", "-v", dir, "--quiet")
			for _, f := range forged {
				text := read(t, dir, f.file)
				lines := strings.Split(text, "\n")
				column := slices.Index(strings.Split(lines[0], ","), f.column)
				row := strings.Split(lines[len(lines)-2], ",")
				v, err := strconv.ParseFloat(row[column], 64)
				if err != nil {
					t.Fatal(err)
				}
				row[column] = strconv.FormatFloat(1.01*v+1e-4, 'g', -1, 64)
				lines[len(lines)-2] = strings.Join(row, ",")
				write(t, strings.Join(lines, "\n"), dir, f.file)
				if !reseal(t, dir) {
					t.Fatal(f.file)
				}
				if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code != exitFailed {
					t.Errorf("%s, column %s: exit %d", f.file, f.column, code)
				}
				write(t, text, dir, f.file)
				putSummary(t, abroad, dir)
			}
		})
	}
}
