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

	"github.com/quasistatic/quasistatic/internal/thorough"
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

// Every problem of the collection is solved by the default, and the check is
// repeated on the answer.
func TestSolveCollection(t *testing.T) {
	for _, path := range problemFiles(t, "*/*") {
		if filepath.Ext(path) == ".hdf5" && !hdf5Enabled {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, err := ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(filepath.Base(path), "RockPile") {
				thorough.Only(t, "seconds")
			}
			s, err := p.Solve(context.Background(), "", 0)
			if err != nil {
				t.Fatal(err)
			}
			if merit, limit := recheck(t, p, s); !(merit <= limit) || math.Abs(merit-s.Merit) > 1e-15+1e-6*merit { // in twice the precision
				t.Errorf("merit %g, reported %g, want at most %g", merit, s.Merit, limit)
			}
			if c := s.Counts; c.Open+c.Stick+c.Slip != p.Contacts() {
				t.Errorf("counts %+v of %d contacts", c, p.Contacts())
			}
		})
	}
}

// recheck evaluates the merit of s on p and returns it with its limit.
func recheck(t *testing.T, p *Problem, s *Solution) (merit, limit float64) {
	t.Helper()
	switch p.Kind {
	case LCPKind:
		merit, _ = p.LCP.Residual(s.R)
		return merit, 1e-10
	case MLCPKind:
		merit, _ = p.MLCP.Residual(s.R)
		return merit, 1e-10
	}
	local := p.Local
	if p.Kind == GlobalKind {
		d, err := p.Global.Local()
		if err != nil {
			t.Fatal(err)
		}
		local = d.Local
	}
	merit, _ = local.Merit(make([]float64, len(local.Q)), nil, s.R)
	return merit, 1e-8
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
		if p.Reference != nil {
			checkReference(t, p)
		}
	}
}

// checkReference compares with the stored solution: all of it, or, where the
// writer left r = 0 (Box_Stacks), the velocities after a solve of our own.
func checkReference(t *testing.T, p *Problem) {
	t.Helper()
	if !slices.ContainsFunc(p.Reference.R, func(v float64) bool { return v != 0 }) {
		s, err := p.Solve(context.Background(), "newton", 1e-12)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "u", s.U, p.Reference.U)
		return
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
