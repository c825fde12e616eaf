package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// capstan returns the ratio of the tensions at both ends of a chain of n particles that is pulled
// around a shaft by an angle wrap until all slide.
func capstan(t *testing.T, n int, mu, wrap float64) float64 {
	t.Helper()
	const k, pull = 1e7, 1e-4
	phi := wrap / float64(n)
	at := func(i float64) [3]float64 { return [3]float64{math.Sin(i * phi), 0, math.Cos(i * phi)} }
	along := func(a, b [3]float64, l float64) (d [3]float64) {
		for c := range d {
			d[c] = l * (b[c] - a[c]) / (2 * math.Sin(phi/2))
		}
		return d
	}
	shaft, err := particles.NewCylinder([3]float64{}, [3]float64{0, 1, 0}, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(shaft, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	var frames []particles.Frame
	var matrices []dissipation.Matrix
	var bonds []particles.Spring
	var x []float64
	for i := range n {
		p := at(float64(i))
		x = append(x, p[:]...)
		frames, matrices = append(frames, particles.Charted(chart, p)), append(matrices, dissipation.Isotropic{Mu: mu})
		if i > 0 {
			bonds = append(bonds, particles.Spring{I: i - 1, J: i, Law: particles.Linear{K: k, Rest: 2 * math.Sin(phi/2)}})
		}
	}
	// The chain goes on beyond its ends as the polygon does.
	load := along(at(0), at(-1), 1)
	last, end := at(float64(n-1)), at(float64(n))
	goal := along(last, end, pull)
	for c := range goal {
		goal[c] += end[c]
	}
	path, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{end, goal})
	if err != nil {
		t.Fatal(err)
	}
	bonds = append(bonds, particles.Spring{I: n - 1, Anchor: path, Law: particles.Linear{K: k, Rest: 2 * math.Sin(phi/2)}})
	psi := reference.Model(frames, matrices, reference.Springs(bonds...),
		reference.Loads(particles.Load{Force: particles.At(load[0], load[1], load[2])}))
	z := make([]float64, 3*n)
	psi.System.ToLocal(z, x)
	for i := range n {
		z[3*i+2] = 0
	}
	e, err := energetic.Start(context.Background(), psi, z,
		energetic.Options{Equilibrate: true, Step: incremental.Options{Threshold: incremental.Implicit}})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 20; i++ {
		if err := e.Step(context.Background(), float64(i)/20); err != nil {
			t.Fatal(err)
		}
	}
	p := psi.System.Position(1, n-1, e.Node().Z)
	l := 0.0
	for c := range p {
		l += (goal[c] - p[c]) * (goal[c] - p[c])
	}
	return k * (math.Sqrt(l) - 2*math.Sin(phi/2))
}

// TestCapstan: a chain of n particles around a shaft has T₂/T₁ = gⁿ with ln g = 2 artanh(μ
// tan(φ/2)), φ the angle between two, and tends to Euler's e^{μΦ} with the order 2 in 1/n.
func TestCapstan(t *testing.T) {
	const mu, wrap = .5, 2.4
	euler := math.Exp(mu * wrap)
	last := 0.0
	t.Logf("%4s %12s %12s %12s %6s", "n", "T2/T1", "closed form", "off Euler", "order")
	for _, n := range []int{3, 6, 12, 24} {
		ratio := capstan(t, n, mu, wrap)
		want := math.Exp(2 * float64(n) * math.Atanh(mu*math.Tan(wrap/(2*float64(n)))))
		// The pull of 1e-4 of the radius changes angles, and forces, by as much.
		if math.Abs(ratio-want) > 2e-4*want {
			t.Errorf("%d particles: T2/T1 is %.8g, want %.8g", n, ratio, want)
		}
		off := ratio - euler
		order := math.Log2(last / off)
		if t.Logf("%4d %12.6f %12.6f %12.6f %6.2f", n, ratio, want, off, order); last != 0 && math.Abs(order-2) > .2 {
			t.Errorf("%d particles: the order is %g, want 2", n, order)
		}
		last = off
	}
}
