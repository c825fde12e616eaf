package incremental_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// tied is two particles at 0 and at (−1, 0), on floors with friction of ½, that an energy ties and
// nothing holds but friction; at t = 1 the first is pulled along x and pressed with given forces,
// the second pressed with 2 N as ever. Others stand beside them.
func tied(t *testing.T, pull, press float64, o incremental.Options, beside [][3]float64,
	energies ...particles.Energy) *incremental.Stepper {
	t.Helper()
	ramp := func(a, b float64) particles.Signal {
		s, err := signal.NewTable([]float64{0, 1}, []float64{a, b})
		check(t, err)
		return s
	}
	loads, err := particles.NewLoads(particles.Load{Particle: 0,
		Force: particles.Path{ramp(0, pull), ramp(0, 0), ramp(-2, -press)}}, particles.Load{Particle: 1, Force: particles.At(0, 0, -2)})
	check(t, err)
	sys, err := particles.NewSystem(particles.Floors(2+len(beside)), append(energies, loads)...)
	check(t, err)
	matrices := make([]dissipation.Matrix, sys.Contacts())
	matrices[0], matrices[1] = dissipation.Isotropic{Mu: 0.5}, dissipation.Isotropic{Mu: 0.5}
	psi, err := dissipation.New(sys, matrices)
	check(t, err)
	start := []float64{0, 0, 0, -1, 0, 0}
	for _, z := range beside {
		start = append(start, z[:]...)
	}
	s, err := incremental.New(psi, 0, start, o)
	check(t, err)
	return s
}

// TestTied: of two particles tied by a spring of 64 N/m, which may turn or not, the first is held
// by its friction, goes until the spring has what is more, or both slide away, driven by what is
// more than the friction of both: ½(2 + p) where thresholds are those of the end, 2 N where they
// lag. At that limit every place is as good, and the nearest one is taken: the second particle
// stays. A soft spring beside, without friction and much looser than what regularises, is stretched
// by its load, and has no part in it. A step that is sharpened ends in the same.
func TestTied(t *testing.T) {
	const k = 64.
	for _, x := range []struct{ pull, press float64 }{
		{0.5, 2}, {1.5, 2}, {2, 2}, {2 - 1e-9, 2}, {2 + 1e-9, 2}, {3, 2}, {2.5, 4}, {2.9, 4}, {3, 4}, {3.5, 4}, {1.9, 1}, {1.25, 1},
	} {
		for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
			for _, kind := range []string{"straight", "turns", "soft beside", "slow beside", "softer beside",
				"sharpened", "sharpened, soft beside", "sharpened, slow beside", "sharpened, softer beside"} {
				var tie particles.Energy
				var err error
				if tie, err = particles.NewBonds([]float64{0, 0, 0, -1, 0, 0, 0, 5, 0},
					particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(k)}); kind == "turns" {
					tie, err = particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: k, Rest: 1}})
				}
				check(t, err)
				energies, soft := []particles.Energy{tie},
					map[string]float64{"soft beside": 1e-2, "slow beside": 1.8e-3, "sharpened, slow beside": 1.8e-3,
						"softer beside": 1e-3, "sharpened, soft beside": 1e-2, "sharpened, softer beside": 1e-3}[kind]
				var beside [][3]float64
				if soft > 0 {
					tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 5, -1),
						Stiffness: particles.Isotropic(soft)})
					check(t, err)
					load, err := particles.NewLoads(particles.Load{Particle: 2, Force: particles.At(1, 0, 0)})
					check(t, err)
					energies, beside = append(energies, tether, load), [][3]float64{{0, 5, 0}}
				}
				s := tied(t, x.pull, x.press, incremental.Options{Threshold: mode}, beside, energies...)
				s.Sharpen(kind[:2] == "sh")
				first, second := 1., 1. // thresholds
				if mode == incremental.Implicit {
					first = x.press / 2
				}
				if soft > 0 && soft < 1e-2 && mode == incremental.Implicit && x.pull == 3 && x.press == 4 {
					// what drives is nothing, and less than is left of the way of the spring
					continue
				}
				err = s.Step(t.Context(), 1)
				if left := x.pull - first - second; left > 0 {
					lost, ok := errors.AsType[*incremental.LossError](err)
					if !ok {
						t.Errorf("%+v, threshold %d, %s: %v", x, mode, kind, err)
						continue
					}
					// The difference of two regularised states is off by 1e-10 of it at most; the
					// soft spring has 1e-5 of the stiffness of the other, of which 1e-12 is left of
					// the way that it came in the last of many iterations, with its 1 N.
					tol := 1e-11
					if soft > 0 {
						tol = 1e-10
					}
					if math.Abs(lost.Force-left) > tol || s.Time() != 0 || math.Abs(lost.Direction[0]-1) > 1e-9 ||
						math.Abs(lost.Direction[3]-1) > 1e-9 || lost.Particle > 1 {
						t.Errorf("%+v, threshold %d, %s: driven by %.15g along %v, want %.15g", x, mode, kind,
							lost.Force, lost.Direction, left)
					}
					continue
				}
				if err != nil {
					t.Errorf("%+v, threshold %d, %s: %v", x, mode, kind, err)
					continue
				}
				z := s.State()
				// Two solutions of the limit are told apart to a millionth of the way of all;
				// residuals of 1e-12.
				near, way := 1e-13, 0.
				if soft > 0 {
					way = 1 / soft
				}
				if math.Abs(x.pull-first-second) < 1e-8 {
					near = max(near, 1e-6*max(way, 1/k))
				}
				if math.Abs(z[0]-z[3]-1-max(x.pull-first, 0)/k) > 1e-13 || math.Abs(z[3]+1) > near || z[1] != 0 || z[4] != 0 {
					t.Errorf("%+v, threshold %d, %s: ends in %v", x, mode, kind, z)
				}
				if soft > 0 && math.Abs(z[6]*soft-1) > 1e-9 || s.Stats().Residual > 1e-10 {
					t.Errorf("%+v, threshold %d, %s: the soft spring bears %g of 1 N, residual %g", x, mode, kind,
						z[6]*soft, s.Stats().Residual)
				}
				if st := s.Stats(); kind == "sharpened, soft beside" && x.press == 2 &&
					(st.Newton < 20 || st.Residual > 1e-12) || kind == "sharpened, slow beside" && x.press == 2 && st.Newton != 100 {
					t.Errorf("%+v, threshold %d: %d iterations, want some, or a hundred, residual %g", x, mode, st.Newton, st.Residual)
				}
			}
		}
	}
}

// coupled is a tied pair of which the tie turns a motion along x into a force across, c of its
// stiffness: who is pulled presses the more or the less, and the other the reverse.
func coupled(t *testing.T, mu, press [2]float64, c, pull float64) (*dissipation.Coulomb, []float64) {
	t.Helper()
	force, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -press[0]}, {pull, 0, -press[0]}})
	check(t, err)
	loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: force},
		particles.Load{Particle: 1, Force: particles.At(0, 0, -press[1])})
	check(t, err)
	tethers, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
		Stiffness: particles.Diagonal(0, 0, 3)}, particles.Tether{Particle: 1, Anchor: particles.At(1, 0, 0),
		Stiffness: particles.Diagonal(0, 0, 3)})
	check(t, err)
	start := []float64{0, 0, 0, 1, 0, 0}
	bonds, err := particles.NewBonds(start, particles.Bond{I: 0, J: 1, Stiffness: particles.Stiffness{2, 0, c, 0, 2, 0, c, 0, 2}})
	check(t, err)
	sys, err := particles.NewSystem(particles.Floors(2), loads, bonds, tethers)
	check(t, err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu[0]}, dissipation.Isotropic{Mu: mu[1]}})
	check(t, err)
	return psi, start
}

// TestCoupled: the pulled one of a coupled pair goes by u, F − 2u = μ(p + cu), while the friction
// of the other holds 2u: also where mixed thresholds hold too little on the way there, and are
// taken from the forces of a regularised problem.
func TestCoupled(t *testing.T) {
	for _, x := range []struct {
		mu, press [2]float64
		c, pull   float64
	}{
		{[2]float64{0.63, 0.89}, [2]float64{1.96, 1.84}, 1.09, 2.64}, {[2]float64{0.74, 0.68}, [2]float64{1.82, 1.72}, -1.05, 2.2},
		{[2]float64{0.55, 0.12}, [2]float64{1.58, 2}, -0.35, 1.02},
		{[2]float64{0.65, 0.94}, [2]float64{1.74, 1.03}, 1.41, 1.7}, {[2]float64{0.89, 0.77}, [2]float64{1.54, 1.83}, 1.46, 2.68},
	} {
		psi, start := coupled(t, x.mu, x.press, x.c, x.pull)
		s, err := incremental.New(psi, 0, start, incremental.Options{Threshold: incremental.Implicit})
		check(t, err)
		u := (x.pull - x.mu[0]*x.press[0]) / (2 + x.mu[0]*x.c)
		if hold := x.mu[1] * (x.press[1] - x.c*u); 2*u > hold {
			t.Fatalf("%+v: 2u = %g N of %g", x, 2*u, hold)
		}
		if err := s.Step(t.Context(), 1); err != nil {
			t.Errorf("%+v: %v", x, err)
			continue
		}
		// thresholds to 1e-13 of some newtons
		if z := s.State(); math.Abs(z[0]-u) > 1e-12 || z[3] != 1 || s.Stats().FellBack {
			t.Errorf("%+v: ends in %v, want %g; %+v", x, z, u, s.Stats())
		}
	}
}
