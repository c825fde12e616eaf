package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/storm"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// oracle judges what comes of damaged cases, without knowing what is right: all commands agree.
type oracle struct {
	seeds  []map[string]any
	donors [][]byte
	root   string // of the folders of an input
	counts map[string]int
}

// newOracle takes the cases of the folder, cut short, as seeds.
func newOracle(t *testing.T, root string) *oracle {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	o := &oracle{root: root, counts: map[string]int{}}
	for _, file := range files {
		if slices.Contains(storm.TooLarge, strings.TrimSuffix(filepath.Base(file), ".json")) {
			continue
		}
		text, err := storm.Shorten([]byte(read(t, file)))
		if err != nil {
			t.Fatal(file, err)
		}
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatal(file, err)
		}
		o.seeds, o.donors = append(o.seeds, tree), append(o.donors, text)
	}
	return o
}

// input makes input i: a case with other numbers, accuracies and files, or with damage of other
// kinds.
func (o *oracle) input(r *rand.Rand) []byte {
	tree := maps.Clone(o.seeds[r.IntN(len(o.seeds))])
	if r.IntN(4) > 0 {
		delete(tree, "expect") // times and places that are none of a changed case
	}
	if r.IntN(2) == 0 {
		tree["accuracy"] = math.Pow(10, -float64(1+r.IntN(15)))
	}
	if output := map[string]any{}; r.IntN(2) == 0 {
		if output["format"] = []string{"csv", "npz", "parquet", "vtu"}[r.IntN(4)]; r.IntN(2) == 0 {
			output["every"] = 1 + r.IntN(4)
		}
		tree["output"] = output
	}
	text, err := json.Marshal(tree)
	if err != nil {
		panic("oracle: " + err.Error()) // it was JSON
	}
	switch r.IntN(8) {
	case 0:
		return text
	case 1:
		return storm.Damage(r, text, o.donors)
	}
	text, _ = storm.Distort(r, text)
	return text
}

// oracleSteps ends a run of many steps: a user has stopped it.
const oracleSteps = 1000

// oraclePatience ends a run that takes long, by the time of the processor: of mutants that take more than
// a tenth of a second, and these make nine tenths of the work, few are followed to a second.
func oraclePatience(i uint64) time.Duration {
	if i%32 == 0 {
		return time.Second
	}
	return time.Second / 10
}

// watchProcessor calls a function once this process has worked for some time, unless it is told before that
// this is no longer wanted.
func watchProcessor(most time.Duration, then func()) (end func()) {
	until, done := processor.Time()+most, make(chan struct{})
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if processor.Time() > until {
					then()
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

// judge makes input i and returns what is wrong with what comes of it; "": nothing.
func (o *oracle) judge(i uint64, seed uint64) (fault string, text []byte) {
	r := rand.New(rand.NewPCG(seed, i))
	text = o.input(r)
	return o.judgeCase(r, text, oraclePatience(i), oracleSteps), text
}

// judgeCase judges a case that is given up after a time of the processor or some steps.
func (o *oracle) judgeCase(r *rand.Rand, text []byte, patience time.Duration, steps int) (fault string) {
	defer func() {
		if p := recover(); p != nil {
			fault = fmt.Sprintf("a panic: %v\n%.3000s", p, debug.Stack())
		}
	}()
	dir := filepath.Join(o.root, "in")
	out, half := filepath.Join(o.root, "out"), filepath.Join(o.root, "half")
	for _, name := range []string{dir, out, half} {
		_ = os.RemoveAll(name) // an error shows below
	}
	file := filepath.Join(dir, "case.json")
	if err := errorsOf(os.MkdirAll(dir, 0o777), os.WriteFile(file, text, 0o666)); err != nil {
		return err.Error()
	}
	c, err := models.OpenCase(file, nil, 200<<20)
	var j *run.Task
	if err == nil {
		j, err = run.New(context.Background(), c, models.Find(c), out)
	}
	if err != nil {
		o.counts["refused"]++
		return o.refused(r, file, out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer watchProcessor(patience, cancel)()
	j.OnStep = func(k int) {
		if k >= steps {
			cancel()
		}
	}
	began := processor.Time()
	if err := j.Run(ctx); err != nil && ctx.Err() == nil {
		return "run: " + err.Error()
	}
	want := exitDone
	if !run.Certified(&j.Summary) {
		want = exitFailed
	}
	if ctx.Err() != nil {
		o.counts["stopped"]++
		return ""
	}
	o.counts[fmt.Sprintf("exit %d", want)]++
	quick := processor.Time()-began < time.Second/10
	fault = cmpFirst(func() string { return finite(out) }, func() string { return o.agrees(&j.Summary, out, want) })
	if fault == "" && quick && r.IntN(3) == 0 {
		fault = o.resumed(r, file, half, out, &j.Summary)
	}
	if fault == "" && quick && r.IntN(3) == 0 {
		fault = o.others(r, file, out)
	}
	return fault
}

// refused: what is refused by run is refused by all that take a case, and leaves no folder.
func (o *oracle) refused(r *rand.Rand, file, out string) string {
	command := [][]string{{"run", file, "--out", out, "--quiet"}, {"check", file, "--quiet"},
		{"converge", file, "--out", out, "--quiet"}}[r.IntN(3)]
	code, _, said := qs(append(command, "--memory", "200MB")...)
	switch {
	case code != exitInput:
		return fmt.Sprintf("%s of what is refused: exit %d: %.300s", command[0], code, said)
	case models.IsFolder(out):
		return command[0] + " of what is refused leaves a folder"
	case said == "":
		return "refused without a word"
	}
	return ""
}

// agrees: diagnose says what the run says: the exit code, and each fact of the accuracy.
func (o *oracle) agrees(s *table.Summary, dir string, want int) string {
	got, page, said := qs("diagnose", "-v", dir, "--json")
	if got != want {
		return fmt.Sprintf("run: exit %d: %.300s; diagnose: exit %d: %.300s", want, s.Message, got, said)
	}
	if s.Status != table.Done {
		return ""
	}
	var d table.Summary
	if err := json.Unmarshal([]byte(page), &d); err != nil {
		return fmt.Sprintf("diagnose --json: %v", err)
	}
	if !table.Holds(s.Facts, table.Solved) && !table.Holds(d.Facts, table.Solved) {
		return "" // how accurate it is says nothing of what is not solved
	}
	if lost := func(f table.Fact) bool { return strings.HasPrefix(f.Name, "turns: ") && !f.Passed }; slices.ContainsFunc(s.Facts, lost) {
		return "" // the files do not tell the way
	}
	for i := range s.Facts {
		f := &s.Facts[i]
		if f.Word != table.Accurate {
			continue
		}
		k := slices.IndexFunc(d.Facts, func(x table.Fact) bool { return x.Word == f.Word && x.Name == f.Name })
		if k < 0 {
			return fmt.Sprintf("diagnose does not say: %s", f)
		}
		x := &d.Facts[k]
		if x.Passed && f.Value == math.MaxFloat64 {
			continue // beside nothing that moves rounding is the limit, of which files have more than the run
		}
		if x.Passed != f.Passed {
			return fmt.Sprintf("run says: %s; diagnose: %s", f, x)
		}
	}
	return ""
}

// resumed: a run that is stopped after a step and goes on leaves the same bytes.
func (o *oracle) resumed(r *rand.Rand, file, dir, whole string, s *table.Summary) string {
	steps := s.Steps
	if steps < 2 {
		return ""
	}
	c, err := models.OpenCase(file, nil, 200<<20)
	var j *run.Task
	if err == nil {
		j, err = run.New(context.Background(), c, models.Find(c), dir)
	}
	if err != nil {
		return "a second time: " + err.Error()
	}
	at := 1 + r.IntN(steps-1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j.OnStep = func(k int) {
		if k == at {
			cancel()
		}
	}
	if err := j.Run(ctx); err != nil {
		return "stopped: " + err.Error()
	}
	o.counts["stopped and resumed"]++
	for _, name := range []string{"report", "diagnose"} { // of a run that is not complete
		if code, _, said := qs(name, dir); code == exitFault {
			return fmt.Sprintf("%s of a run that was stopped: exit %d: %.300s", name, code, said)
		}
	}
	if code, _, said := qs("run", "--resume", dir, "--quiet"); code > exitFailed {
		return fmt.Sprintf("resume after step %d of %d: exit %d: %.300s", at, steps, code, said)
	}
	var own []string
	if s.Status != table.Done {
		own = append(own, table.CheckpointFile) // of what a fault ends: of whoever was stopped before
	}
	return sameFolders(whole, dir, at, own)
}

// sameFolders compares the files of two runs, but for the pages, and what summary.json says of time
// and place, and those that are of each run alone.
func sameFolders(a, b string, at int, own []string) string {
	for _, dir := range [][2]string{{a, b}, {b, a}} {
		entries, err := os.ReadDir(dir[0])
		if err != nil {
			return err.Error()
		}
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() || slices.Contains(own, name) || strings.HasSuffix(name, ".html") ||
				strings.HasPrefix(name, "overview") || strings.HasPrefix(name, ".") || name == "lock" {
				continue
			}
			x, err := os.ReadFile(filepath.Join(dir[0], name))
			y, err2 := os.ReadFile(filepath.Join(dir[1], name))
			if err := errorsOf(err, err2); err != nil {
				return fmt.Sprintf("resumed after step %d: %v", at, err)
			}
			if name == table.SummaryFile {
				if x, y = ofTheRun(x), ofTheRun(y); !bytes.Equal(x, y) {
					return fmt.Sprintf("resumed after step %d: %s differs:%s", at, name, apart(x, y))
				}
			}
			if !bytes.Equal(x, y) {
				return fmt.Sprintf("resumed after step %d: %s differs", at, name)
			}
		}
	}
	return ""
}

// apart is where two texts begin to differ.
func apart(x, y []byte) string {
	k := 0
	for k < len(x) && k < len(y) && x[k] == y[k] {
		k++
	}
	from := max(0, k-80)
	return fmt.Sprintf(" %q and %q", x[from:min(len(x), k+40)], y[from:min(len(y), k+40)])
}

// ofTheRun is a summary without what each process says of itself, as how often it has factorised or
// exchanged a pivot.
func ofTheRun(text []byte) []byte {
	var tree map[string]any
	if json.Unmarshal(text, &tree) != nil {
		return text
	}
	for _, key := range []string{"wall_seconds", "memory", "files", "seal", "solver", "factors", "pivots"} {
		delete(tree, key)
		for _, part := range tree { // sections of models have theirs
			if part, ok := part.(map[string]any); ok {
				delete(part, key)
			}
		}
	}
	text, _ = json.Marshal(tree) // it was JSON
	return text
}

// others: no other command faults, and what one has written the next one reads.
func (o *oracle) others(r *rand.Rand, file, dir string) string {
	away := filepath.Join(o.root, "away")
	_ = os.RemoveAll(away)
	formats := []string{"csv", "npz", "parquet", "vtu"}
	for _, command := range [][]string{
		{"show", file}, {"diagnose", dir, "--proof", filepath.Join(o.root, "in", "proof.json"), "--quiet"},
		{"sensitivity", file, "--of", "dissipation", "--by", "until"},
		{"report", dir}, {"export", dir, "--format", formats[r.IntN(4)]}, {"diagnose", dir, "--files-only", "--quiet"},
		{"check", file, "--quiet"},
		{"converge", file, "--levels", "3", "--out", away, "--quiet"},
		{"film", dir, "--strip", "--out", filepath.Join(o.root, "in", "film.png")}, {"run", "--resume", dir, "--quiet"},
		{"compare", dir, dir, "--column", "t", "--out", filepath.Join(o.root, "in", "c.png")},
	} {
		if r.IntN(3) > 0 || command[0] == "film" && r.IntN(4) > 0 { // whose picture takes as long as all else
			continue
		}
		o.counts[command[0]]++
		code, printed, said := qs(command...)
		switch {
		case code == exitFault || strings.Contains(said, "goroutine "):
			return fmt.Sprintf("%s: exit %d: %.500s", strings.Join(command, " "), code, said)
		case command[0] == "show":
			shown := filepath.Join(o.root, "in", "shown.json")
			if err := os.WriteFile(shown, []byte(printed), 0o666); err != nil {
				return err.Error()
			}
			if again, _, why := qs("check", shown, "--quiet", "--memory", "200MB"); code != exitDone || again == exitInput {
				return fmt.Sprintf("show: exit %d: %.300s; check of what it printed: exit %d: %.300s", code, said, again, why)
			}
		case code != exitDone && said == "":
			return fmt.Sprintf("%s: exit %d without a word", command[0], code)
		case code == exitInput && !strings.Contains(said, "the run stopped before its first") &&
			(command[0] == "report" || command[0] == "diagnose" && !slices.Contains(command, "--proof")):
			return fmt.Sprintf("%s cannot read what run has written: %.300s", command[0], said)
		}
	}
	return ""
}

// finite names a table of a folder that has what is no number.
func finite(dir string) string {
	names, _ := filepath.Glob(filepath.Join(dir, "*.csv")) // the pattern is right
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		if rows := afterHeader(string(text)); strings.Contains(rows, "NaN") || strings.Contains(rows, "Inf") {
			return filepath.Base(name) + " has what is no number"
		}
	}
	return ""
}

func cmpFirst(list ...func() string) string {
	for _, f := range list {
		if text := f(); text != "" {
			return text
		}
	}
	return ""
}

func errorsOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// oracleHang is the time of the processor after which an input counts as one that hangs; of one that
// waits for nothing the clock says so, on a machine that others use.
const oracleHang = time.Minute

// TestOracle: damaged cases, of which all commands say the same, without a fault, a number that is
// none, or a file that they cannot read back. QUASISTATIC_ORACLE=seed:from:to makes some of them,
// and writes those that break something below QUASISTATIC_KEEP; scripts/storm -oracle runs many. Or it is
// a folder of cases that are judged as they are, with a minute each.
func TestOracle(t *testing.T) {
	if files, _ := filepath.Glob(os.Getenv("QUASISTATIC_ORACLE") + "/*.json"); len(files) > 0 { // the pattern is right
		o := &oracle{root: t.TempDir(), counts: map[string]int{}}
		for i, file := range files {
			if fault := o.judgeCase(rand.New(rand.NewPCG(1, uint64(i))), []byte(read(t, file)), time.Minute, math.MaxInt); fault != "" {
				t.Errorf("%s: %s", file, fault)
			}
		}
		t.Logf("%d cases: %v", len(files), o.counts)
		return
	}
	seed, from, to := uint64(1), uint64(0), uint64(12)
	if thorough.Asked() {
		to = 1000
	}
	if text := os.Getenv("QUASISTATIC_ORACLE"); text != "" {
		if _, err := fmt.Sscanf(text, "%d:%d:%d", &seed, &from, &to); err != nil {
			t.Fatal(text, err)
		}
	} else {
		t.Parallel()
	}
	keep := os.Getenv("QUASISTATIC_KEEP")
	o := newOracle(t, t.TempDir())
	for i := from; i < to; i++ {
		hangs := func() {
			panic(fmt.Sprintf("oracle: input %d of seed %d hangs: %.3000s", i, seed, o.input(rand.New(rand.NewPCG(seed, i)))))
		}
		still, stop := time.AfterFunc(30*oracleHang, hangs), watchProcessor(oracleHang, hangs)
		fault, text := o.judge(i, seed)
		still.Stop()
		stop()
		if fault != "" {
			t.Errorf("input %d: %s\n%.400s", i, fault, text)
			if keep != "" {
				if err := errorsOf(os.MkdirAll(keep, 0o777),
					os.WriteFile(filepath.Join(keep, strconv.FormatUint(i, 10)+".json"), text, 0o666)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d inputs of seed %d from %d: %v", to-from, seed, from, o.counts)
}

// TestFoundResumed: runs that did not resume to the same bits, for a solver began with factors of other
// penalties, and for what friction held at a node was forgotten.
func TestFoundResumed(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	o := &oracle{root: t.TempDir(), counts: map[string]int{}}
	for i, text := range strings.Split(strings.TrimSpace(read(t, "testdata/resumed.jsonl")), "\n") {
		file, whole := filepath.Join(o.root, "case.json"), filepath.Join(o.root, strconv.Itoa(i))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		j := runOf(t, file, whole)
		for at := range uint64(4) {
			if fault := o.resumed(rand.New(rand.NewPCG(at, 0)), file,
				filepath.Join(o.root, fmt.Sprintf("%d-%d", i, at)), whole, &j.Summary); fault != "" {
				t.Errorf("line %d: %s", i+1, fault)
			}
		}
	}
}

// runOf is the run of a case, in a folder.
func runOf(t *testing.T, file, out string) *run.Task {
	t.Helper()
	c, err := models.OpenCase(file, nil, 200<<20)
	if err != nil {
		t.Fatal(err)
	}
	j, err := run.New(t.Context(), c, models.Find(c), out)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestFound: what the oracle and referees have found before, mended: forces and energies judged by the
// rounding of the files, far from the origin, of parts with nearly no inertia, of friction of 4e11, of
// the times at which a load begins, of forces that cancel; boxes that do not turn on others that
// slide below, whose forces were those of places at the start of a step; and a particle 1e6 m from an
// egg whose places have no digits there, which was certified.
func TestFound(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	o := &oracle{root: t.TempDir()}
	for i, text := range strings.Split(strings.TrimSpace(read(t, "testdata/found.jsonl")), "\n") {
		file, out := filepath.Join(o.root, "case.json"), filepath.Join(o.root, strconv.Itoa(i))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		j, want := runOf(t, file, out), exitDone
		if !run.Certified(&j.Summary) {
			want = exitFailed
		}
		if fault := o.agrees(&j.Summary, out, want); fault != "" {
			t.Errorf("line %d: %s", i+1, fault)
		}
		if i == 0 && want == exitDone {
			t.Error("places without digits are certified")
		}
	}
}

// afterHeader is a table without its first line.
func afterHeader(table string) string {
	_, rest, _ := strings.Cut(table, "\n")
	return rest
}
