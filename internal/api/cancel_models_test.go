package api

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
	"github.com/quasistatic/quasistatic/table"
)

// TestCanceledModels is [TestCanceled] for the doors of models and of runs: cases of every model,
// studies, folders of runs.
func TestCanceledModels(t *testing.T) {
	live := t.Context()
	ctx, cancel := context.WithCancel(live)
	cancel()
	type door struct {
		name string
		call func() error
	}
	var doors []door
	add := func(name string, call func() error) { doors = append(doors, door{name, call}) }

	for name, sets := range map[string][]string{"play": nil, "conveyor": {"until=0.01", "steps=4"},
		"disc-drop": {"until=0.02", "steps=4"}, "struck-bar": {"until=0.001", "steps=4"}, "carter": {"steps=2"},
		"conveyor-theta": {"until=0.01", "steps=4"}} {
		c, err := models.OpenCase(name, append(sets, "expect=[]"), 0)
		if err != nil {
			t.Fatal(err)
		}
		m := models.Find(c)
		add("models.Build: "+name, func() error { _, err := models.Build(ctx, c); return err })
		add("run.New: "+name, func() error { _, err := run.New(ctx, c, m, t.TempDir()); return err })
		built, err := models.Build(live, c)
		if err != nil {
			t.Fatal(err)
		}
		if x, ok := built.(run.Checker); ok {
			add("run.Examine: "+name, func() error { _, err := run.Examine(ctx, x, built.Plan()); return err })
		}
		dir := filepath.Join(t.TempDir(), "out")
		task := run.Of(c, m, built, dir)
		if err := task.Run(live); err != nil || task.Summary.Status != table.Done {
			t.Fatalf("%s: %v, %s", name, err, run.Failure(&task.Summary))
		}
		add("run.Task.Run: "+name, func() error {
			task := run.Of(c, m, built, filepath.Join(t.TempDir(), "out"))
			if err := task.Run(ctx); err != nil {
				return err
			}
			return unsaid(task.Summary.Status == table.Interrupted)
		})
		for _, f := range []table.Format{table.NPZ, table.Parquet} {
			add("run.Export: "+name+" "+string(f), func() error {
				_, err := run.Export(ctx, built.Plan(), dir, f, table.ExportOptions{To: t.TempDir()})
				return err
			})
		}
		add("run.Damage: "+name, func() error { _, _, err := run.Damage(ctx, run.Folder(built.Plan(), dir)); return err })
		for _, only := range []bool{false, true} {
			add("run.Diagnose: "+name, func() error {
				_, err := run.Diagnose(ctx, c, built, run.Source{Dir: dir, Summary: &task.Summary, FilesOnly: only})
				return err
			})
		}
		add("models.Open: "+name, func() error { _, err := models.Open(ctx, dir, 0); return err })
		add("models.Show: "+name, func() error { _, err := models.Show(ctx, dir); return err })
		f, err := models.Open(live, dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		add("models.Folder.Verify: "+name, func() error { return f.Verify(ctx) })
		s, err := models.Show(live, dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		add("models.Shown.Page: "+name, func() error { _, err := s.Page(ctx); return err })
		add("models.Shown.Write: "+name, func() error { return s.Write(ctx, filepath.Join(t.TempDir(), "page.html")) })
	}

	add("models.Tasks", func() error {
		_, err := models.Tasks(ctx, []string{"play", "disc-drop"}, t.TempDir(), nil, 0)
		return err
	})
	opens := func(name string) func(sets ...string) (*casefile.Case, error) {
		return func(sets ...string) (*casefile.Case, error) { return models.OpenCase(name, sets, 0) }
	}
	add("models.OpenWalk", func() error { _, err := models.OpenWalk(ctx, opens("play")); return err })
	for _, name := range []string{"play", "disc-drop"} {
		c := must[*casefile.Case](t)(models.OpenWalk(live, opens(name)))
		add("models.Differentiate: "+name, func() error { _, err := models.Differentiate(ctx, c, "until"); return err })
	}
	spec := must[*study.Spec](t)(study.Parse("a.json",
		[]byte(`{"case": "play", "vary": {"friction.dry.mu": [0.1, 0.2]}, "observe": ["dissipation"]}`)))
	text, file, err := studies.BaseCase(spec, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := must[*study.Plan](t)(study.NewPlan(spec, text))
	add("studies.PlanOf", func() error { _, err := studies.PlanOf(ctx, spec, &study.Options{Base: text, File: file}); return err })
	add("studies.Buildable", func() error { return studies.Buildable(ctx, plan, file) })
	add("studies.FilesOf", func() error { _, err := studies.FilesOf(ctx, plan, file); return err })
	add("studies.Runner.Run", func() error {
		_, err := studies.Runner{}.Run(ctx, &study.Job{Base: file, Text: text})
		return err
	})
	add("facts.ChosenSteps", func() error {
		s := must[*dynamics.Stepper](t)(dynamics.NewStepper(&sliding{must[*dynamics.Patch](t)(dynamics.NewRigid(contact.Coulomb{Mu: .4},
			2))},
			[]float64{0, 0}, []float64{0, 0}, dynamics.Options{}))
		_, err := facts.ChosenSteps(ctx, s, &run.Plan{Until: 1, Steps: 10},
			dynamics.AdaptiveOptions{Until: 1, Accuracy: .01}, &facts.SteppingState{})
		return err
	})
	for _, c := range doors {
		if err := c.call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want one that is of the context", c.name, err)
		}
	}
}
