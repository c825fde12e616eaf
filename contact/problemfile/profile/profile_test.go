package profile

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Three problems: a wins two, b solves all, nobody solves a fourth.
func example() *Profile {
	p := &Profile{Solvers: []string{"a", "b"}}
	p.Add([]float64{1, 3})
	p.Add([]float64{2, 4})
	p.Add([]float64{math.Inf(1), 5})
	p.Add([]float64{math.Inf(1), math.Inf(1)})
	return p
}

func TestFraction(t *testing.T) {
	p := example()
	for _, c := range []struct {
		solver int
		tau, f float64
	}{
		{0, 1, 0.5}, {0, 100, 0.5}, {1, 1, 0.25}, {1, 1.9, 0.25}, {1, 2, 0.5}, {1, 3, 0.75}, {1, math.MaxFloat64, 0.75},
	} {
		if f := p.Fraction(c.solver, c.tau); f != c.f {
			t.Errorf("π_%s(%g) = %g, want %g", p.Solvers[c.solver], c.tau, f, c.f)
		}
	}
	if (&Profile{Solvers: []string{"a"}}).Fraction(0, 1) != 0 {
		t.Error("an empty set gives a fraction")
	}
}

func TestTableAndPicture(t *testing.T) {
	var table strings.Builder
	if err := example().WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(table.String(), "\n")
	if got := strings.Join(strings.Fields(lines[2]), " "); got != "b 25% 25% 50% 75% 75% 75% 75%" {
		t.Errorf("table:\n%s", table.String())
	}
	path := filepath.Join(t.TempDir(), "p.svg")
	if err := example().Save(path); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), "<svg") {
		t.Errorf("picture: %v", err)
	}
	if example().Save(filepath.Join(t.TempDir(), "p.xyz")) == nil {
		t.Error("an unknown picture format was accepted")
	}
}
