package models_test

import (
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// TestOrdinary: eleven cases as new users write them, without steps, α or accuracy, are certified by
// default: 4 of such were for α = 1. Expectations are closed forms.
func TestOrdinary(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	files, err := filepath.Glob("testdata/ordinary/*.json")
	if err != nil || len(files) != 11 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	tasks, err := models.Tasks(t.Context(), files, t.TempDir(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range tasks {
		if err := x.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", x.Summary.Name, err)
			continue
		}
		if !run.Certified(&x.Summary) {
			t.Errorf("%s: %s", x.Summary.Name, run.Failure(&x.Summary))
		}
	}
}
