package elementary

import (
	"hash/fnv"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExp: within a unit in the last place of math.Exp, which is within one of e^x; exact
// at the ends.
func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200000 {
		x := r.NormFloat64() * math.Exp(6*r.Float64())
		got, want := Exp(x), math.Exp(x)
		// Two units of 2^-52 and the least number.
		if math.Abs(got-want) > 0x1p-51*want+5e-324 {
			t.Fatalf("e^%g = %g, want %g", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, math.Inf(1): math.Inf(1), math.Inf(-1): 0, 709.9: math.Inf(1),
		1e300: math.Inf(1), -745.2: 0, -1e300: 0, -745.1: 5e-324} {
		if got := Exp(x); got != want {
			t.Errorf("e^%g = %g, want %g", x, got, want)
		}
	}
	if got := Exp(math.NaN()); !math.IsNaN(got) {
		t.Errorf("e^NaN = %g", got)
	}
	if got := Pow(2, 0.5); math.Abs(got-math.Sqrt2) > 0x1p-52 {
		t.Errorf("2^½ = %g", got)
	}
}

// TestBits: the bits are these, on every processor.
func TestBits(t *testing.T) {
	r, sum := rand.New(rand.NewPCG(1, 2)), fnv.New64()
	for range 100000 {
		b := math.Float64bits(Exp(float64(60*r.Float64()) - 30))
		for k := range 8 {
			sum.Write([]byte{byte(b >> (8 * k))})
		}
	}
	if got := sum.Sum64(); got != wantBits {
		t.Errorf("sum %#x, want %#x", got, uint64(wantBits))
	}
}

// wantBits is FNV-1 of a hundred thousand values, found alike on amd64 and, under emulation, arm64.
const wantBits = 0xd8e34848898b472d

// TestUsers: what makes numbers of runs takes Exp and Log from here, so that pages have the bytes of programs.
func TestUsers(t *testing.T) {
	math := regexp.MustCompile(`\bmath\.(Exp|Log|Asinh|Acosh|Sinh|Cosh|Tanh)\(`)
	for _, room := range []string{"contact", "dissipation", "dynamics", "energetic", "events", "fem", "halfspace", "incremental",
		"particles", "signal"} {
		_ = filepath.WalkDir("../../"+room, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := os.ReadFile(file)
			if found := math.Find(text); found != nil || err != nil {
				t.Errorf("%s: %s, error %v", file, found, err)
			}
			return nil
		})
	}
}
