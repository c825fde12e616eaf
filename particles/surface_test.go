package particles

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/race"
)

func TestSurfaceFaults(t *testing.T) {
	c := Compliance{A: 1}
	ref, four := make([]float64, 12), []int{0, 1, 2, 3}
	for name, err := range map[string]error{
		"cells":      second(NewSurface(Grid{four, 2, 2, 0, 1}, ref, nil, c, UniformPatches)),
		"reference":  second(NewSurface(Grid{four, 2, 3, 1, 1}, ref, nil, c, UniformPatches)),
		"compliance": second(NewSurface(Grid{four, 2, 2, 1, 1}, ref, nil, Compliance{}, UniformPatches)),
		"square":     second(NewSurface(Grid{four, 2, 2, 1, 2}, ref, nil, c, PointLoads)),
		"indefinite": second(NewSurface(Grid{four, 2, 2, 1, 1}, ref, nil, Compliance{A: 1, D: 100}, UniformPatches)),
		"twice":      second(NewSurface(Grid{[]int{0, 1, 2, 2}, 2, 2, 1, 1}, ref, nil, c, UniformPatches)),
		"young":      second(ElasticOnRigid(Elastic{Young: 0, Poisson: 0.3})),
		"poisson":    second(ElasticPair(Elastic{Young: 1, Poisson: 0.3}, Elastic{Young: 1, Poisson: 0.6})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSurfaceDerivatives: all kinds of coupling, with a moving body.
func TestSurfaceDerivatives(t *testing.T) {
	slide, err := Sine(0.1, 0.3, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	motion := Path{slide, At(1, 0, 0)[0], slide}
	soft, stiff := Elastic{Young: 1, Poisson: 0.3}, Elastic{Young: 5, Poisson: 0.1}
	for name, c := range map[string]struct {
		build  func() (Compliance, error)
		groups int
	}{
		"rigid":        {func() (Compliance, error) { return ElasticOnRigid(soft) }, 1},
		"pair":         {func() (Compliance, error) { return ElasticPair(soft, stiff) }, 1},
		"similar":      {func() (Compliance, error) { return ElasticPair(soft, soft) }, 2},
		"similar ν=0":  {func() (Compliance, error) { return ElasticPair(Elastic{Young: 1}, Elastic{Young: 1}) }, 3},
		"half rigid":   {func() (Compliance, error) { return ElasticOnRigid(Elastic{Young: 1, Poisson: 0.5}) }, 2},
		"rigid, ν = 0": {func() (Compliance, error) { return ElasticOnRigid(Elastic{Young: 1}) }, 1},
	} {
		for _, kind := range []Influence{UniformPatches, PointLoads} {
			comp, err := c.build()
			if err != nil {
				t.Fatal(err)
			}
			ref := make([]float64, 18)
			x := make([]float64, 18)
			for i := range x {
				ref[i], x[i] = math.Sin(float64(i)), math.Cos(float64(2*i))
			}
			e, err := NewSurface(Grid{[]int{5, 4, 0, 1, 3, 2}, 3, 2, 0.5, 0.5}, ref, motion, comp, kind)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(e.groups) != c.groups {
				t.Errorf("%s: %d groups, want %d", name, len(e.groups), c.groups)
			}
			checkQuadratic(t, name, e, x)
		}
	}
}

// checkQuadratic compares gradient and rates with differences of values, which
// are exact for a quadratic form up to roundoff over the step.
func checkQuadratic(t *testing.T, name string, e Energy, x []float64) {
	t.Helper()
	const h, at = 1e-3, 0.7
	grad, rate := make([]float64, len(x)), make([]float64, len(x))
	e.Gradient(grad, rate, at, x)
	_, dt := e.Value(at, x)
	up, _ := e.Value(at+1e-5, x)
	down, _ := e.Value(at-1e-5, x)
	if want := (up - down) / 2e-5; math.Abs(dt-want) > 1e-7*max(1, math.Abs(want)) {
		t.Errorf("%s: rate %g, want %g", name, dt, want)
	}
	for i := range x {
		y := append([]float64(nil), x...)
		y[i] += h
		plus, rplus := e.Value(at, y)
		y[i] -= 2 * h
		minus, rminus := e.Value(at, y)
		if want := (plus - minus) / (2 * h); math.Abs(grad[i]-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: gradient %d is %g, want %g", name, i, grad[i], want)
		}
		if want := (rplus - rminus) / (2 * h); math.Abs(rate[i]-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: rate of gradient %d is %g, want %g", name, i, rate[i], want)
		}
	}
	s, err := NewSystem(Floors(len(x)/3), e)
	if err != nil {
		t.Fatal(err)
	}
	hess, y := s.Hessian(at, x), make([]float64, len(x))
	step := make([]float64, len(x))
	for i := range step {
		step[i] = math.Sin(float64(3 * i))
	}
	hess.MulVec(y, step)
	after, moved := make([]float64, len(x)), append([]float64(nil), x...)
	for i, d := range step {
		moved[i] += d
	}
	e.Gradient(after, nil, at, moved)
	for i := range y {
		if d := after[i] - grad[i]; math.Abs(d-y[i]) > 1e-11*max(1, math.Abs(d)) {
			t.Errorf("%s: Hessian row %d gives %g, gradients differ by %g", name, i, y[i], d)
		}
	}
	if race.Enabled {
		return // Surface keeps its memory in a sync.Pool
	}
	if n := testing.AllocsPerRun(20, func() { e.Gradient(grad, rate, at, x); e.Value(at, x) }); n > 0 {
		t.Errorf("%s: %g allocations", name, n)
	}
}

func second[T any](_ T, err error) error { return err }
