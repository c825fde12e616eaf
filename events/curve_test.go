package events_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// randomCorner is a particle at the origin in front of two or three planes, on a spring with axes
// of its own, to an anchor that goes anywhere.
func randomCorner(t testing.TB, seed uint64) (*dissipation.Coulomb, []float64) {
	rng := rand.New(rand.NewPCG(seed, 11))
	obstacles := []obstacle{{normal: [3]float64{0, 0, 1}, mu: 0.1 + 0.4*rng.Float64()}}
	for range 1 + rng.IntN(2) {
		o := obstacle{mu: 0.1 + 0.4*rng.Float64()}
		angle, down := 2*math.Pi*rng.Float64(), 0.8*rng.Float64()-0.4
		o.normal = [3]float64{math.Cos(angle) * math.Sqrt(1-down*down), math.Sin(angle) * math.Sqrt(1-down*down), down}
		if rng.IntN(3) == 0 { // it is met on the way
			for i := range o.point {
				o.point[i] = -0.3 * o.normal[i]
			}
		}
		obstacles = append(obstacles, o)
	}
	points := []float64{0, 0, 0, 0}
	for k := range 6 {
		points = append(points, float64(k+1), 2*rng.Float64()-1, 2*rng.Float64()-1, 2*rng.Float64()-1.6)
	}
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: along(t, points...),
		Stiffness: particles.Diagonal(0.5+rng.Float64(), 0.5+rng.Float64(), 0.5+rng.Float64())})
	if err != nil {
		t.Fatal(err)
	}
	return cornered(t, make([]float64, 3), [][]obstacle{obstacles}, e)
}

// TestRandomCorners: the ends of evolutions in steps tend to those of the walks, with the order 1
// that steps have where directions turn and normal forces change. Of 200 (QUASISTATIC_LONG) two
// jump, by 6e-6 and 9e-4 m, where a particle meets a third face in whose wedge friction holds less,
// and the walk says so.
func TestRandomCorners(t *testing.T) {
	seeds, counts, jumps := uint64(6), [2]int{300, 1200}, 0
	if thorough.Asked() {
		seeds, counts = 200, [2]int{600, 2400}
	}
	var sum [2]float64
	for seed := range seeds {
		psi, z := randomCorner(t, seed)
		w := walk(t, psi, z, 6)
		err := w.Integrate(t.Context(), 6, nil)
		if rate, none := errors.AsType[*events.RateError](err); none && rate.None {
			jumps++
			continue
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		// some hundred steps of the integration of 1e-12 of a part of the energies each
		if b := float64(w.Balance()); !(math.Abs(b) < 1e-12) {
			t.Errorf("seed %d: (E) lacks %g J", seed, b)
		}
		var off [2]float64
		for k, n := range counts {
			s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if err := s.Step(t.Context(), 6*float64(i+1)/float64(n)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			for i, q := range w.Q() {
				off[k] = max(off[k], math.Abs(s.State()[i]-z[i]-float64(q)))
			}
			sum[k] += off[k]
		}
		// An event between two steps is met at another part of a step by others.
		if !(off[1] <= 0.7*off[0]+1e-9) || !(off[0] < 0.02) {
			t.Errorf("seed %d: steps end %.3g m from the walk, a quarter of them %.3g m", seed, off[0], off[1])
		}
	}
	t.Logf("%d of %d walked; on average %.3g and %.3g m off", int(seeds)-jumps, seeds, sum[0]/float64(seeds), sum[1]/float64(seeds))
	if jumps > int(seeds)/100 || !(sum[1] < 0.28*sum[0]) {
		t.Errorf("%d of %d jump; steps are off by %.3g m in all, a quarter of them by %.3g m", jumps, seeds, sum[0], sum[1])
	}
}

// TestLate: after a rest of 10⁵ s, where times are rounded by 1e-11 s, everything happens as at the
// start, and nothing is inside its obstacle: on a floor and between a floor and two walls, in the
// plane and in space.
func TestLate(t *testing.T) {
	const rest = 1e5
	near := obstacle{point: [3]float64{-.5, 0, 0}, normal: [3]float64{1, 0, 0}, mu: 0.25}
	for seed := range uint64(4) {
		obstacles := []obstacle{flat}
		if seed >= 2 {
			obstacles = append(obstacles, near, far)
		}
		var ends [2][]events.Real
		var history [2]string
		for k, timeSize := range [2]float64{0, rest} {
			rng := rand.New(rand.NewPCG(seed, 13))
			points := []float64{0, 0, 0, -.5, timeSize + 1, .1, 0, -.5}
			for i := range 40 {
				x, y, z := 2*rng.Float64()-1, float64(seed%2)*(2*rng.Float64()-1), 1.3*rng.Float64()-1
				if len(obstacles) == 1 {
					y = 0
				}
				points = append(points, timeSize+float64(i+2), x, y, z)
			}
			if timeSize > 0 {
				points = append(points[:4], append([]float64{timeSize, 0, 0, -.5}, points[4:]...)...)
			}
			psi, z := cornered(t, make([]float64, 3), [][]obstacle{obstacles}, isotropic(t, 0, 1, along(t, points...)))
			w := walk(t, psi, z, timeSize+41)
			err := w.Integrate(t.Context(), events.Real(timeSize+41), func() error {
				for i, o := range obstacles {
					at := [3]float64{float64(w.Q()[0]), 0, float64(w.Q()[len(w.Q())-1])}
					h := 0.0
					for c := range at {
						h += o.normal[c] * (at[c] - o.point[c])
					}
					if h < 0 {
						t.Errorf("seed %d: t=%g: %g m inside obstacle %d", seed, w.Time(), -h, i)
					}
				}
				for _, e := range w.Changes() {
					history[k] += fmt.Sprint(e.Contact, e.From, e.To, " ")
				}
				return nil
			})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			ends[k] = w.Q()
		}
		if history[0] != history[1] {
			t.Errorf("seed %d: events %s, late %s", seed, history[0], history[1])
		}
		for i := range ends[0] {
			// some sixty events, each 1e-11 s off at 3 m/s
			if d := float64(ends[0][i] - ends[1][i]); !(math.Abs(d) < 1e-9) {
				t.Errorf("seed %d: coordinate %d ends %g m off", seed, i, d)
			}
		}
	}
}

// TestStiffTips: particles that nothing presses at the start, and which are tied to each other,
// begin to slip together, some against little friction: their directions tend to those of their
// forces at a rate λA/(μσ) that has no bound there. Under loads that grow linearly all goes on
// along straight lines, whatever the time; then they turn.
func TestStiffTips(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 31))
		const n = 3
		normals := make([][]obstacle, n)
		var energies []particles.Energy
		for j := range n {
			normals[j] = []obstacle{{normal: [3]float64{0, 0, 1}, mu: .02 + .3*float64(j)}}
			points := []float64{0, 0, 0, 0}
			for k := range 2 {
				points = append(points, float64(k+1), 2*rng.Float64()-1, 2*rng.Float64()-1, -.2-rng.Float64())
			}
			e, err := particles.NewTethers(particles.Tether{Particle: j, Anchor: along(t, points...),
				Stiffness: particles.Diagonal(.5+rng.Float64(), .5+rng.Float64(), .5+rng.Float64())})
			if err != nil {
				t.Fatal(err)
			}
			energies = append(energies, e)
			if j > 0 {
				b, err := particles.NewBonds(make([]float64, 3*n),
					particles.Bond{I: j - 1, J: j, Stiffness: particles.Diagonal(.4, .2, .1)})
				if err != nil {
					t.Fatal(err)
				}
				energies = append(energies, b)
			}
		}
		psi, z := cornered(t, make([]float64, 3*n), normals, energies...)
		var half []events.Real
		w := walk(t, psi, z, 2)
		for _, at := range [3]events.Real{.5, 1, 2} {
			if err := w.Integrate(t.Context(), at, nil); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if b := float64(w.Balance()); !(math.Abs(b) < 1e-12) {
				t.Errorf("seed %d: t=%g: (E) lacks %g J", seed, at, b)
			}
			if half == nil {
				half = slices.Clone(w.Q())
			}
			for i, q := range w.Q() {
				// some hundred steps, each off by 1e-12
				if off := float64(q - 2*half[i]); at == 1 && !(math.Abs(off) < 1e-10) {
					t.Errorf("seed %d: dof %d is %g m off its line", seed, i, off)
				}
			}
		}
	}
}

// TestCircleInCorner: TestConeCircle on the floor of a corner, whose wall is far away: loads are
// smooth, and the direction turns all the time, by no more than Turn in a step.
func TestCircleInCorner(t *testing.T) {
	const R, mu, N, k, turn = 1.0, 0.4, 1.5, 2.0, 0.02
	r := mu * N / k
	rho := math.Sqrt(R*R - r*r)
	cosine, err := signal.NewSine(0, R, 1/(2*math.Pi), math.Pi/2)
	if err != nil {
		t.Fatal(err)
	}
	start := []float64{rho * rho / R, -rho * r / R, 0}
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: mu}
	away := obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: mu}
	psi, z := cornered(t, start, [][]obstacle{{own, away}},
		isotropic(t, 0, k, particles.Path{cosine, sine(t, 0, R, 1/(2*math.Pi)), signal.Constant(-N / k)}))
	w := walk(t, psi, z, 5)
	w.Turn = turn
	last := 0.0
	if err := w.Integrate(t.Context(), 5, func() error {
		tm := float64(w.Time())
		angle := tm - math.Asin(r/R)
		x, y := start[0]+float64(w.Q()[0]), start[1]+float64(w.Q()[1])
		if off := math.Hypot(x-rho*math.Cos(angle), y-rho*math.Sin(angle)); off > 1e-11 || tm-last > turn*(1+1e-9) {
			t.Errorf("t=%g: %g m beside the circle, turned by %g", tm, off, tm-last)
		}
		last = tm
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if d, want := float64(w.Dissipation()), mu*N*rho*5; math.Abs(d-want) > 1e-11*want || !w.Curved {
		t.Errorf("dissipated %.14g J, want %.14g", d, want)
	}
}
