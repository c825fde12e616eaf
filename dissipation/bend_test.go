package dissipation_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// varying is a particle on a floor with friction and a factor of its time.
func varying(t *testing.T, m dissipation.Matrix, factor signal.Scalar) *dissipation.Coulomb {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), tether)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{m})
	if err != nil {
		t.Fatal(err)
	}
	if err := psi.SetFactors([]signal.Scalar{factor}); err != nil {
		t.Fatal(err)
	}
	return psi
}

// roughMap is a map of random coefficients on a random grid.
func roughMap(t *testing.T, r *rand.Rand) dissipation.Mapped {
	t.Helper()
	grid := func() []float64 {
		list := []float64{-1}
		for len(list) < 6 {
			list = append(list, list[len(list)-1]+.2+r.Float64())
		}
		return list
	}
	x, y := grid(), grid()
	mu := make([][]float64, len(y))
	for j := range y {
		for range x {
			mu[j] = append(mu[j], 1+r.Float64()) // positive between its points too
		}
	}
	m, err := dissipation.NewMap(x, y, mu)
	if err != nil {
		t.Fatal(err)
	}
	turn := r.Float64()
	return dissipation.NewMapped(m, [2]float64{r.Float64(), r.Float64()}, [2]float64{math.Cos(turn), math.Sin(turn)},
		[2]float64{-math.Sin(turn), math.Cos(turn)})
}

// TestSag: on straight ways over maps and ripples, under normal forces and factors that vary as well,
// what friction holds is nowhere further below its chord than Sag; and on short ways, where it is all
// curvature, Sag is no more than a few times as much in the median.
func TestSag(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 4))
	var ratios []float64
	for range 400 {
		var m dissipation.Matrix = roughMap(t, r)
		if r.IntN(2) == 0 {
			base, err := dissipation.NewOrthotropic([2]float64{r.Float64(), r.Float64()}, [2]float64{r.NormFloat64(), r.NormFloat64()})
			if err != nil {
				t.Fatal(err)
			}
			if m, err = dissipation.NewRippled(base, r.Float64(), .5+r.Float64(),
				[2]float64{r.NormFloat64(), r.NormFloat64()}, r.Float64()); err != nil {
				t.Fatal(err)
			}
		}
		sine, err := signal.NewSine(1.5*r.Float64(), r.Float64(), 2*r.Float64(), 6*r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		psi := varying(t, m, sine)
		size := math.Pow(10, -2*r.Float64())
		a := [2]float64{3*r.Float64() - 1, 3*r.Float64() - 1}
		b := [2]float64{a[0] + size*r.NormFloat64(), a[1] + size*r.NormFloat64()}
		cuts := m.(dissipation.Grained).Cuts([]float64{0, 1}, a, b, 1000)
		if len(cuts) > 2 { // up to the nearest one
			end := 1.0
			for _, s := range cuts[2:] {
				end = min(end, s)
			}
			b = [2]float64{a[0] + end*(b[0]-a[0]), a[1] + end*(b[1]-a[1])}
		}
		sigma := [2]float64{2 * r.Float64(), 2 * r.Float64()}
		from := psi.Hold(0, 0, []float64{a[0], a[1], 0}, sigma[0])
		to := psi.Hold(size, 0, []float64{b[0], b[1], 0}, sigma[1])
		sag, worst := psi.Sag(0, &from, &to), 0.0
		holds := func(s float64) float64 {
			h := psi.Hold(s*size, 0, []float64{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1]), 0}, sigma[0]+s*(sigma[1]-sigma[0]))
			return h.Sigma * h.Size * max(h.Factor, 0)
		}
		for k := range 201 {
			s := float64(k) / 200
			worst = max(worst, (1-s)*holds(0)+s*holds(1)-holds(s))
		}
		if worst > sag+1e-14 { // rounding of three products of about 1
			t.Fatalf("%T from %v to %v: %.6g N below the chord, Sag says %.6g", m, a, b, worst, sag)
		}
		if worst > 1e-10 {
			ratios = append(ratios, sag/worst)
		}
	}
	if m := median(ratios); len(ratios) < 100 || m > 5 {
		t.Errorf("Sag is %.3g times what is missing in the median of %d, want at most 5", m, len(ratios))
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
