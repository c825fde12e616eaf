package casefile_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
)

// FuzzBuild feeds any bytes to decoding and building: an error or a model, never
// a panic.
func FuzzBuild(f *testing.F) {
	files, err := filepath.Glob("../cases/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for i, name := range files {
		if i%3 > 0 && !thorough.Asked() {
			continue // cmd/quasistatic checks or runs all of them
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 10000 { // the net makes every mutation slow
			f.Add(data)
		}
	}
	for _, text := range []string{valid, slope, "", "{}", "[1e999]", strings.Replace(valid, "0.4", "[0.1, 0.2], \"axis\": [1, 1, 1]", 1)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := models.Grammar().Decode("fuzz.json", data)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		m, err := models.Build(context.Background(), c)
		if (m == nil) == (err == nil) {
			t.Errorf("model %v, error %v", m, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "fuzz.json") {
			t.Errorf("a message without the file: %v", err)
		}
	})
}
