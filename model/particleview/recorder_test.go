package particleview

import (
	"math"
	"strconv"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/report"
)

// record makes up a run of n particles and k steps: particle j moves by j·t, with
// a peak in one node.
func record(t testing.TB, n, steps int) *recorder {
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
	r := newRecorder(psi, ids, 1)
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
		r.observe(node)
		node.Grad[2] = 1
	}
	return r
}

func TestThinningKeepsPeaks(t *testing.T) {
	r := record(t, 2, 100000)
	if len(r.Spans) > report.MostIntervals {
		t.Errorf("%d intervals", len(r.Spans))
	}
	if _, high := r.of(0, normal).Extremes(); high != 77 {
		t.Errorf("highest normal force %g, want 77", high)
	}
	for k := 1; k < len(r.Spans); k++ {
		if r.Spans[k].From <= r.Spans[k-1].To {
			t.Fatalf("intervals %v and %v overlap", r.Spans[k-1], r.Spans[k])
		}
	}
	if last := r.Spans[len(r.Spans)-1].To; last != 1 {
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
