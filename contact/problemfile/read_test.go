package problemfile

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// problemFiles lists files of the problem collection; the test skips without it.
func problemFiles(t testing.TB, pattern string) []string {
	t.Helper()
	dir := os.Getenv("QUASISTATIC_PROBLEMS")
	if dir == "" {
		dir = "../../../shared/problems"
	}
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the problem collection is not installed")
	}
	return files
}

// kindOf is the kind that the name of a file of the collection promises.
func kindOf(path string) Kind {
	name := strings.ToLower(filepath.Base(path))
	switch {
	case strings.HasPrefix(name, "lcp"):
		return LCPKind
	case strings.HasSuffix(name, "_mlcp.dat"):
		return MLCPKind
	case strings.HasPrefix(name, "gfc") || strings.HasPrefix(name, "box_stacks"):
		return GlobalKind
	}
	return LocalKind
}

// Every file of the collection is read, and a JSON round trip keeps it.
func TestReadCollection(t *testing.T) {
	for _, path := range problemFiles(t, "*/*") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, err := ReadFile(path)
			if err != nil && filepath.Ext(path) == ".hdf5" && !hdf5Enabled {
				return // its error is tested apart
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := kindOf(path); p.Kind != want {
				t.Fatalf("read as %v, want %v", p.Kind, want)
			}
			if info, _ := os.Stat(path); info.Size() < 1e6 {
				roundTrip(t, p)
			}
		})
	}
}

func roundTrip(t *testing.T, p *Problem) {
	t.Helper()
	var first, second bytes.Buffer
	if err := WriteJSON(&first, p); err != nil {
		t.Fatal(err)
	}
	again, err := Read(first.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&second, again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the JSON form changes when it is read and written again")
	}
}

// The complementarity problems of the collection have solutions, all of them.
func TestSolveCollection(t *testing.T) {
	for _, path := range append(problemFiles(t, "lcp/*"), problemFiles(t, "mlcp/*")...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, err := ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == LCPKind {
				var res contact.LCPResult
				err = contact.SolveLCP(context.Background(), p.LCP, nil, nil, &res)
				r, _ := p.LCP.Residual(res.Z)
				t.Logf("%v by %s, residual %.2g, %d pivots, z = %.4g", res.Status, res.Solver, r, res.Iterations, res.Z)
			} else {
				var res contact.MLCPResult
				err = contact.SolveMLCP(context.Background(), p.MLCP, nil, nil, &res)
				r, _ := p.MLCP.Residual(res.X)
				t.Logf("%v by %s, residual %.2g, %d pivots, x = %.4g", res.Status, res.Solver, r, res.Iterations, res.X)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// Without libhdf5 the error says what to do; with it the files are read, and a
// reference solution, where the writer stored one, agrees in size and sign.
func TestHDF5(t *testing.T) {
	files := problemFiles(t, "frictional/*.hdf5")
	if !hdf5Enabled {
		if _, err := ReadFile(files[0]); !errors.Is(err, errNoHDF5) {
			t.Fatalf("error %v", err)
		}
		return
	}
	for _, path := range files {
		p, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.Title == "" || p.Contacts() == 0 {
			t.Errorf("%s: title %q, %d contacts", path, p.Title, p.Contacts())
		}
		// Box_Stacks stores r = 0: its writer did not solve the problem.
		if p.Reference == nil || !slices.ContainsFunc(p.Reference.R, func(v float64) bool { return v != 0 }) {
			continue
		}
		checkReference(t, p)
	}
}

func checkReference(t *testing.T, p *Problem) {
	t.Helper()
	local := p.Local
	if p.Kind == GlobalKind {
		d, err := p.Global.Local()
		if err != nil {
			t.Fatal(err)
		}
		local = d.Local
		compare(t, "v", d.Velocity(nil, p.Reference.R), p.Reference.V)
	}
	u := make([]float64, len(local.Q))
	if merit, _ := local.Merit(u, nil, p.Reference.R); merit > 1e-6 {
		t.Errorf("the reference solution has merit %g", merit)
	}
	compare(t, "u", u, p.Reference.U)
}

// compare checks what follows from the reference reactions.
func compare(t *testing.T, name string, got, want []float64) {
	t.Helper()
	scale, worst := 0.0, 0.0
	for i, w := range want {
		scale = max(scale, math.Abs(w))
		worst = max(worst, math.Abs(got[i]-w))
	}
	if worst > 1e-6*scale {
		t.Errorf("%s differs by %g from the reference of size %g", name, worst, scale)
	}
}
