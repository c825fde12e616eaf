package rigid_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// A stiff spring, h√(k/m) = 100: with its Jacobians the step is stable, for
// α = ½ without loss; explicit it is not.
func TestStiffSpring(t *testing.T) {
	for _, c := range []struct {
		o      rigid.Options
		stable bool
	}{
		{rigid.Options{Alpha: 0.5}, true}, {rigid.Options{}, true},
		{rigid.Options{Jacobians: rigid.DefiniteJacobians}, true}, {rigid.Options{Jacobians: rigid.NoJacobians}, false},
	} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{2.001}}))
		s := start(t, w, rigid.Setup{Forces: []rigid.Force{&rigid.Spring{A: 0, B: -1, Stiffness: 1e8, RestLength: 2}}}, c.o)
		worst := 0.0
		for range 200 {
			if s.Step(context.Background(), 0.01) != nil {
				worst = math.Inf(1)
				break
			}
			e := s.Last().Energy
			worst = max(worst, e.Kinetic+e.Elastic)
		}
		if (worst < 50*(1+1e-6)) != c.stable { // ½ k x² at the start
			t.Errorf("%+v: energy up to %g", c.o, worst)
		}
	}
}

// Every Jacobian of a force against central differences.
func TestForceJacobians(t *testing.T) {
	w := world(t, 2, [3]float64{})
	for i := range 2 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{float64(i), .3 * float64(i)}, Angle: .4, Velocity: [3]float64{1, 2}, Spin: [3]float64{0, 0, float64(i)}}))
	}
	m := must[*rigid.Model](t)(rigid.NewModel(w, rigid.Setup{}))
	q, v := w.Start()
	f := &rigid.Twist{A: 0, B: 1, Stiffness: 3, Damping: .5, Rest: .1}
	eval := func(q, v []float64) []float64 {
		x := make([]float64, 6)
		f.Force(x, 0, &rigid.Snapshot{M: m, Poses: w.Poses(nil, q), Q: q, V: v})
		return x
	}
	kq, kv := make([]float64, 36), make([]float64, 36)
	f.Jacobian(kq, kv, 0, &rigid.Snapshot{M: m, Poses: w.Poses(nil, q), Q: q, V: v})
	const d = 1e-6
	for j := range 6 {
		for k, x := range [][]float64{q, v} {
			keep := x[j]
			x[j] = keep + d
			up := eval(q, v)
			x[j] = keep - d
			down := eval(q, v)
			x[j] = keep
			for i := range 6 {
				near(t, "Jacobian", [][]float64{kq, kv}[k][i*6+j], (up[i]-down[i])/(2*d), 1e-8)
			}
		}
	}
}
