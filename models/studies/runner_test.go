package studies

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
	"github.com/quasistatic/quasistatic/table"
)

// BenchmarkBareRun is a run of play with 100 steps without a study around it, the bare
// loop; BenchmarkStudyRun the same by the runner of studies.
func BenchmarkBareRun(b *testing.B) {
	text := play100(b)
	share := memory.Free().Bytes // of the study's budget: asked for once
	b.ReportAllocs()
	for b.Loop() {
		c, err := models.Grammar().Decode("play.json", text)
		if err != nil {
			b.Fatal(err)
		}
		c.Share = share
		t, err := run.New(b.Context(), c, models.Find(c), "")
		if err == nil {
			_, err = t.Loosely(b.Context(), nil, nil)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStudyRun(b *testing.B) {
	j := &study.Job{Text: play100(b), Base: "play.json", Keep: study.KeepSummary}
	r := Runner{Budget: memory.NewBudget(memory.Free())}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Run(b.Context(), j); err != nil {
			b.Fatal(err)
		}
	}
}

func play100(b testing.TB) []byte {
	text, _ := cases.Read("play")
	text, err := casefile.Set(text, "steps", []byte("100"))
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// BenchmarkStudy is a study of runs of play with 100 steps, in ns a run, by its engines.
func BenchmarkStudy(b *testing.B) {
	text := play100(b)
	for name, engine := range map[string]func(dir string) study.Engine{
		"pool":     func(string) study.Engine { return study.Pool{Workers: 2} },
		"embedded": func(dir string) study.Engine { return &study.Embedded{Dir: dir, Workers: 2} },
	} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			s, err := study.Decode(fmt.Appendf(nil,
				`{"case": "play", "vary": {"friction.dry.mu": {"linspace": [0.1, 0.6, %d]}}, "observe": ["dissipation"]}`, b.N))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := study.Run(b.Context(), s,
				study.Options{Dir: dir, Base: text, File: "play.json",
					Runner: Runner{Budget: memory.NewBudget(memory.Free())}, Engine: engine(dir)}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestLeavesNothing: a run of a study leaves no files, whatever its model, but what it gives
// back.
func TestLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	for _, name := range []string{"carter", "block-impact", "prandtl", "pressed-bodies", "braking-point", "cradle", "thrown-stone"} {
		text, ok := cases.Read(name)
		if !ok {
			t.Fatalf("no case %s", name)
		}
		o, err := Runner{}.Run(t.Context(), &study.Job{Text: text, Base: name + ".json", Keep: study.KeepSummary})
		if err != nil || o.Verdict != study.Certified || len(o.Files) == 0 {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
		if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
			t.Fatalf("%s leaves %q, %v", name, left, err)
		}
	}
}

// TestRefusedAnywhere: what is wrong with a run is said in the same words wherever its case lies.
func TestRefusedAnywhere(t *testing.T) {
	text, err := casefile.Set(play100(t), "anchors[0].at", []byte(`{"csv": "nope.csv", "time": "t", "value": ["x", "y", "z"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, base := range []string{"play.json", filepath.Join(t.TempDir(), "play.json")} {
		o, err := Runner{}.Run(t.Context(), &study.Job{Text: text, Base: base})
		if err != nil || o.Verdict != study.Refused || !strings.Contains(o.Message, "nope.csv") {
			t.Fatalf("%+v, %v", o, err)
		}
		said = append(said, o.Message)
	}
	if said[0] != said[1] {
		t.Errorf("%q and %q", said[0], said[1])
	}
}

// TestKeepsAll: a run that is kept as a whole gives its folder back, packed, with a checkpoint on
// the way at its cadence; one that is stopped goes on from there to the same files.
func TestKeepsAll(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	text := play100(t)
	whole, err := Runner{}.Run(t.Context(), &study.Job{Text: text, Base: "play.json", Keep: study.KeepAll})
	if err != nil || whole.Verdict != study.Solved || whole.Steps != 100 { // at 120 it is accurate
		t.Fatalf("%s: %s, %v", whole.Verdict, whole.Message, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last []byte
	saved := 0
	_, err = Runner{Pause: time.Nanosecond}.Run(ctx,
		&study.Job{Text: text, Base: "play.json", Keep: study.KeepAll, Save: func(checkpoint []byte) error {
			if saved++; saved == 3 {
				cancel()
			}
			last = checkpoint
			return nil
		}})
	if !errors.Is(err, context.Canceled) || saved < 3 {
		t.Fatalf("%v after %d checkpoints", err, saved)
	}
	resumed, err := Runner{}.Run(t.Context(), &study.Job{Text: text, Base: "play.json", Keep: study.KeepAll, From: last})
	if err != nil || resumed.Verdict != whole.Verdict || resumed.Message != whole.Message || resumed.Steps != 100 {
		t.Fatalf("%s: %s, %v", resumed.Verdict, resumed.Message, err)
	}
	var tables [2][]byte
	for i, o := range []*study.Outcome{whole, resumed} {
		to := filepath.Join(dir, fmt.Sprint(i))
		if err := study.Unfold(to, o.Files); err != nil {
			t.Fatal(err)
		}
		if tables[i], err = os.ReadFile(filepath.Join(to, table.TrajectoryFile)); err != nil || len(tables[i]) < 1000 {
			t.Fatalf("%d bytes, %v", len(tables[i]), err)
		}
	}
	if !bytes.Equal(tables[0], tables[1]) {
		t.Error("what goes on from a checkpoint is another run")
	}
	if _, err := (Runner{}).Run(t.Context(), &study.Job{Text: text, Base: "play.json", Keep: study.KeepAll, From: last[:600]}); err == nil {
		t.Error("half of a checkpoint is one")
	}
	if left, err := filepath.Glob(filepath.Join(dir, "quasistatic-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}
