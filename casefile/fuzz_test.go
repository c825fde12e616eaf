package casefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzBuild feeds any bytes to decoding and building: an error or a model, never
// a panic.
func FuzzBuild(f *testing.F) {
	files, err := filepath.Glob("../cases/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, name := range files {
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
		c, err := Decode("fuzz.json", data)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		m, err := c.Build()
		if (m == nil) == (err == nil) {
			t.Errorf("model %v, error %v", m, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "fuzz.json") {
			t.Errorf("a message without the file: %v", err)
		}
	})
}

// FuzzMatrixMarket does the same for matrices.
func FuzzMatrixMarket(f *testing.F) {
	f.Add("%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 1 2\n")
	f.Add("%%MatrixMarket matrix array integer general\n1 1\n1\n")
	f.Fuzz(func(t *testing.T, text string) {
		order, entries, err := readMatrixMarket(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.Row < 0 || e.Row >= order || e.Col < 0 || e.Col >= order {
				t.Errorf("entry %v of a matrix of order %d", e, order)
			}
		}
	})
}
