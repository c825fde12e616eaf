package models_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

// TestTasks: each case has a folder of its own, and what is wrong with any of them is said of all
// at once.
func TestTasks(t *testing.T) {
	dir := t.TempDir()
	tasks, err := models.Tasks(t.Context(), []string{"play", "klarbring"}, dir, []string{"accuracy=0.02"}, 0)
	if err != nil || len(tasks) != 2 || tasks[0].Dir != filepath.Join(dir, "play") || tasks[1].Dir != filepath.Join(dir, "klarbring") {
		t.Fatalf("%d tasks, error %v", len(tasks), err)
	}
	if one, err := models.Tasks(t.Context(), []string{"play"}, dir, nil, 0); err != nil || one[0].Dir != dir {
		t.Errorf("one case: error %v", err)
	}
	if one, err := models.Tasks(t.Context(), []string{"play"}, "", nil, 0); err != nil || one[0].Dir != filepath.Join("out", "play") {
		t.Errorf("one case, no folder: error %v", err)
	}
	same := filepath.Join(dir, "same.json")
	text, err := os.ReadFile("../cases/play.json")
	if err == nil {
		err = os.WriteFile(same, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = models.Tasks(t.Context(), []string{"play", "plya", same, "no.json"}, dir, nil, 0)
	if err == nil || strings.Count(err.Error(), "\n") != 2 || !strings.Contains(err.Error(), `did you mean "play"?`) ||
		!strings.Contains(err.Error(), "no.json: no such file") || !strings.Contains(err.Error(), "want cases with different names") {
		t.Errorf("three faults: %v", err)
	}
}
