package report

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// record makes up a run of n particles and k steps: particle j moves by j·t, with
// a peak in one node.
func record(t testing.TB, n, steps int) *Recorder {
	t.Helper()
	sys, err := particles.NewSystem(particles.Floors(n))
	if err != nil {
		t.Fatal(err)
	}
	matrices := make([]dissipation.Matrix, n)
	ids := make([]string, n)
	for j := range matrices {
		matrices[j], ids[j] = dissipation.Isotropic{Mu: 0.5}, "p"+strconv.Itoa(j)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(psi, ids, 1)
	node := &energetic.Node{Z: make([]float64, 3*n), Grad: make([]float64, 3*n), States: make([]incremental.ContactState, n)}
	for k := range steps + 1 {
		node.K, node.T = k, float64(k)/float64(max(1, steps))
		for j := range n {
			node.Z[3*j] = node.T * float64(j)
			node.Grad[3*j], node.Grad[3*j+2] = -0.25, 1
			node.States[j] = incremental.Stick
		}
		if k == steps/3 {
			node.Grad[2] = 77
		}
		node.EnergyScale, node.Balance = 1, math.Sin(node.T)*1e-6
		r.Observe(node)
		node.Grad[2] = 1
	}
	return r
}

func TestDraw(t *testing.T) {
	for _, c := range []struct{ particles, steps int }{{1, 0}, {1, 1}, {1, 100}, {3, 5000}, {10000, 200}} {
		if testing.Short() && c.particles > 100 {
			continue
		}
		dir := t.TempDir()
		if err := record(t, c.particles, c.steps).Draw(dir, "a title"); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		f, err := os.Open(filepath.Join(dir, "overview.png"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		_ = f.Close()
		info, err := os.Stat(filepath.Join(dir, "overview.svg"))
		if err != nil || info.Size() > 2<<20 {
			t.Errorf("%+v: %v, error %v", c, info, err)
		}
	}
}

func TestThinningKeepsPeaks(t *testing.T) {
	r := record(t, 2, 100000)
	if len(r.spans) > mostIntervals {
		t.Errorf("%d intervals", len(r.spans))
	}
	if _, high := r.of(0, normal).extremes(); high != 77 {
		t.Errorf("highest normal force %g, want 77", high)
	}
	for k := 1; k < len(r.spans); k++ {
		if r.spans[k].from <= r.spans[k-1].to {
			t.Fatalf("intervals %v and %v overlap", r.spans[k-1], r.spans[k])
		}
	}
	if last := r.spans[len(r.spans)-1].to; last != 1 {
		t.Errorf("the last node is at %g, want 1", last)
	}
}

func TestChoose(t *testing.T) {
	r := record(t, 10, 10)
	chosen := r.choose(3)
	if len(chosen) != 3 || chosen[0] != 9 || chosen[1] != 8 || chosen[2] != 7 || r.axis(chosen) != posX {
		t.Errorf("chosen %v, axis %d", chosen, r.axis(chosen))
	}
	if chosen := record(t, 1, 10).choose(3); len(chosen) != 1 {
		t.Errorf("chosen %v", chosen)
	}
}

func TestReach(t *testing.T) {
	// Along the axes of diag(0.2, 0.6), and at 45° the ellipse f₁²/0.04 + f₂²/0.36 = 1.
	s := [4]float64{0.2, 0, 0, 0.6}
	diagonal := 1 / math.Sqrt(0.5/0.04+0.5/0.36)
	for _, c := range []struct{ x, y, want float64 }{{3, 0, 0.2}, {0, -1, 0.6}, {1, 1, diagonal}, {0, 0, math.Sqrt(0.12)}} {
		if got := reach(s, c.x, c.y); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("reach(%g, %g) = %g, want %g", c.x, c.y, got, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{0, 1}, {-0.3, 0.7}, {0, 1e-12}, {1e9, 2e9}, {5, 5}, {-1e300, 1e300}} {
		ticks := even{}.Ticks(c.low, c.high)
		if c.high > c.low && (len(ticks) < 3 || len(ticks) > 12) {
			t.Errorf("%+v: %d ticks", c, len(ticks))
		}
		for _, tick := range ticks {
			if math.IsNaN(tick.Value) || tick.Label == "" {
				t.Errorf("%+v: %+v", c, tick)
			}
		}
	}
}

// TestLines: how numbers of sentences are set.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"by 1.1e-07 J; that":          "by 1.1·10⁻⁷\u00a0J; that",
		"did −7e-05 J of":             "did −7·10⁻⁵\u00a0J of",
		"2.5e+12 N, 1e+00 m/s":        "2.5·10¹²\u00a0N, 1·10⁰\u00a0m/s",
		"2.1 % of it, 3 more, 10 min": "2.1\u00a0% of it, 3 more, 10 min",
		"node2e5 stays":               "node2e5 stays",
	} {
		if got := (Verdict{Sentences: []string{text}}).Lines()[0]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
