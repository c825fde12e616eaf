package contact_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// problems reads the frictional problems of others as local ones, or skips.
func problems(t testing.TB) map[string]*contact.Local {
	dir := os.Getenv("QUASISTATIC_PROBLEMS")
	if dir == "" {
		dir = "../../shared/problems"
	}
	files, err := filepath.Glob(filepath.Join(dir, "frictional", "*"))
	if err != nil || len(files) == 0 {
		t.Skip("the problem collection is not installed")
	}
	all := map[string]*contact.Local{}
	for _, f := range files {
		p, err := problemfile.ReadFile(f)
		if err != nil && filepath.Ext(f) == ".hdf5" { // needs the build tag
			t.Log(err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".dat"), ".hdf5")
		switch p.Kind {
		case problemfile.LocalKind:
			all[name] = p.Local
		case problemfile.GlobalKind:
			d, err := p.Global.Local()
			if err != nil {
				t.Errorf("%s: %v", f, err)
				continue
			}
			all[name] = d.Local
		}
	}
	return all
}

// TestProblemsOfOthers solves all of them by the default.
func TestProblemsOfOthers(t *testing.T) {
	for name, p := range problems(t) {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "RockPile") {
				thorough.Only(t, "seconds")
			}
			var ws contact.LocalWorkspace
			var res contact.Result
			start := time.Now()
			if err := contact.SolveLocal(context.Background(), p, &contact.Options{}, &ws, &res); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d contacts, merit %.1e, %d iterations, %v, %v", len(p.Laws), res.Merit, res.Iterations, time.Since(start), res.Stages)
			if m, _ := p.Merit(make([]float64, len(p.Q)), nil, res.R); m > 1e-8 ||
				math.Abs(m-res.Merit) > 1e-15+1e-6*m { // the one in twice the precision of the other
				t.Errorf("merit %g, result says %g", m, res.Merit)
			}
		})
	}
}
