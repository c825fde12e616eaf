package problemfile

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

const problemDir = "/work/shared/problems"

// problemFiles lists the files of the collection; the test skips without it.
func problemFiles(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(problemDir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the problem collection is not installed")
	}
	return files
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

// In HDF5 files with a solution, sizes and signs agree with it.
func TestReferenceSolutions(t *testing.T) {
	if !hdf5Enabled {
		_, err := ReadFile(problemFiles(t, "frictional/*.hdf5")[0])
		if !errors.Is(err, errNoHDF5) {
			t.Fatalf("error %v", err)
		}
		return
	}
	for _, path := range problemFiles(t, "frictional/*.hdf5") {
		p, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v, %d contacts, %q", filepath.Base(path), p.Kind, p.Contacts(), p.Title)
		if p.Reference == nil {
			continue
		}
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
		merit, _ := local.Merit(u, nil, p.Reference.R)
		t.Logf("merit of the reference: %.3g", merit)
		compare(t, "u", u, p.Reference.U)
		if merit > 1e-6 {
			t.Errorf("%s: the reference solution has merit %g", path, merit)
		}
	}
}

// compare checks what follows from the reference reactions.
func compare(t *testing.T, name string, got, want []float64) {
	t.Helper()
	scale, worst := 0.0, 0.0
	for i, w := range want {
		scale = max(scale, math.Abs(w))
		worst = max(worst, math.Abs(got[i]-w))
	}
	t.Logf("%s: largest difference %.2g of %.2g", name, worst, scale)
	if worst > 1e-6*scale {
		t.Errorf("%s differs by %g from the reference of size %g", name, worst, scale)
	}
}
