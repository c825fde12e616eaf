package incremental

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestCurve: a force r n of a ball of radius R on a particle outside turns with it, so that the
// Lagrangian has −r/R (I − n nᵀ): what stands on a ball is less stable than on a plane.
func TestCurve(t *testing.T) {
	const radius = 0.5
	still := particles.Motion{Shift: particles.Path{signal.Constant(0), signal.Constant(0), signal.Constant(0)}, Angle: signal.Constant(0), Axis: [3]float64{0, 0, 1}}
	ball, err := particles.NewSphere([3]float64{}, radius, false, [3]float64{0, 0, -1})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(ball, still)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()})
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras([]particles.Extra{{Particle: 0, Frame: particles.Charted(chart, [3]float64{})}}, radius); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	m := NewMinimiser(psi, 1e-10)
	for i, n := range [][3]float64{{0, 0, 1}, {0.6, 0, 0.8}, {0.48, -0.64, 0.6}} {
		force := []float64{3, 1, 0.5}[i]
		m.res.R = []float64{force, 0, 0}
		b := sparse.NewBuilder(3)
		b.Add(1, 0)
		b.Add(2, 0)
		b.Add(2, 1)
		a := b.Build()
		m.curve(a, 0, []float64{radius * n[0], radius * n[1], radius * n[2]})
		for row := range 3 {
			for col := range row + 1 {
				want := force / radius * n[row] * n[col]
				if row == col {
					want -= force / radius
				}
				at := a.Index(row, col)
				// Central differences of 1e-5 of R: 1e-10 of third derivatives, 1e-16/1e-5 of rounding.
				if math.Abs(a.Val[at]-want) > 1e-8*force/radius {
					t.Errorf("n = %v: entry %d, %d is %g, want %g", n, row, col, a.Val[at], want)
				}
			}
		}
	}
}
