package incremental_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// onBall is a particle on the top, the origin, of a round obstacle of the radius r, whose
// coordinates are those of the obstacle or, beside it, global ones.
func onBall(t *testing.T, shape string, r, mu float64, terms ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	var face particles.Face
	var err error
	if shape == "cylinder" {
		face, err = particles.NewCylinder([3]float64{0, 0, -r}, [3]float64{0, 1, 0}, r, false)
	} else {
		face, err = particles.NewSphere([3]float64{0, 0, -r}, r, false, [3]float64{0, 0, 1})
	}
	check(t, err)
	chart, err := particles.NewChart(face, particles.Motion{})
	check(t, err)
	frame := particles.Charted(chart, [3]float64{})
	if shape != "beside" {
		sys, err := particles.NewSystem([]particles.Frame{frame}, terms...)
		check(t, err)
		law, err := dissipation.NewStretched(mu, face)
		check(t, err)
		psi, err := dissipation.New(sys, []dissipation.Matrix{law})
		check(t, err)
		z := make([]float64, 3)
		sys.ToLocal(z, z)
		z[2] = 0
		return psi, z
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()}, terms...)
	check(t, err)
	sys, err = sys.WithExtras([]particles.Extra{{Particle: 0, Frame: frame}}, r)
	check(t, err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{nil, dissipation.Isotropic{Mu: mu}})
	check(t, err)
	return psi, make([]float64, 3)
}

func loadPath(t *testing.T, ends ...[3]float64) particles.Energy {
	t.Helper()
	path, err := particles.PiecewiseLinear([]float64{0, 1}, ends)
	check(t, err)
	l, err := particles.NewLoads(particles.Load{Force: path})
	check(t, err)
	return l
}

// TestOffTheBall: a weight W holds a particle on the top of a ball by friction alone, until a force
// 2Wt at the angle a to the horizontal has 2t cos a = μ(1 − 2t sin a). Before, steps leave it where
// it is; after it nothing holds the particle, which slides off and away, however small the force is
// that friction does not hold; without friction at once. That it has no equilibrium far away
// either, where the numbers of its coordinates are large, is part of it: E has none.
func TestOffTheBall(t *testing.T) {
	const w = 3.
	for _, shape := range []string{"ball", "cylinder", "beside"} {
		for _, mu := range []float64{0, 0.3} {
			for _, r := range []float64{0.1, 40} {
				for _, angle := range []float64{-0.3, 0, 0.6} {
					if shape == "beside" && mu == 0 {
						continue // the start is a maximum of E to rounding
					}
					name := fmt.Sprint(shape, mu, r, angle)
					load := loadPath(t, [3]float64{0, 0, -w}, [3]float64{2 * w * math.Cos(angle), 0, -w + 2*w*math.Sin(angle)})
					psi, z := onBall(t, shape, r, mu, load)
					limit := mu / (2 * (math.Cos(angle) + mu*math.Sin(angle)))
					for _, mode := range []incremental.ThresholdMode{incremental.Implicit, incremental.Lagged} {
						s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: mode})
						check(t, err)
						if mode == incremental.Lagged && angle != 0 {
							continue // what presses changes in the step
						}
						const near = 1e-6
						for k := range 4 {
							if at := limit*(1-near)*(1+float64(k))/4 - 1e-9; at > 0 {
								check(t, s.Step(t.Context(), at))
							}
						}
						if s.State()[0] != z[0] || s.State()[1] != z[1] || s.State()[2] != z[2] {
							t.Errorf("%s, mode %d: it moves to %v before friction is at its bound", name, mode, s.State())
						}
						var lost *incremental.LossError
						if err := s.Step(t.Context(), limit*(1+2*near)+1e-6); !errors.As(err, &lost) {
							t.Errorf("%s, mode %d: %v, state %v, want a loss", name, mode, err, s.State())
						} else if d := lost.Direction; !(d[0] > 1-1e-6) || math.Abs(d[1]) > 1e-6 || math.Abs(d[2]) > 1e-3 {
							t.Errorf("%s, mode %d: it slides away along %v, want the direction of the force on the surface", name, mode, d)
						} else if !(lost.Force > 0 && lost.Force < 0.1*w) {
							t.Errorf("%s, mode %d: driven by %g N, want little", name, mode, lost.Force)
						}
					}
				}
			}
		}
	}
}

// TestOverTheBall: a spring k < W/R holds a particle, which a growing force tears from the friction
// on the top of a ball. It slides down, leaves the ball and comes to rest where the spring bears
// weight and force; so the step goes there. With k > W/R it comes to rest on the ball, where the
// pull is μ times what presses, solved by bisection over the angle.
func TestOverTheBall(t *testing.T) {
	const w, mu, angle = 2., 0.2, 0.3
	for _, shape := range []string{"ball", "cylinder", "beside"} {
		for _, r := range []float64{0.2, 30} {
			for _, part := range []float64{0.3, 1.7} {
				k := part * w / r
				tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(k)})
				check(t, err)
				load := loadPath(t, [3]float64{0, 0, -w}, [3]float64{w * math.Cos(angle), 0, -w + w*math.Sin(angle)})
				psi, z := onBall(t, shape, r, mu, tether, load)
				s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
				check(t, err)
				at := 1.01 * mu / (math.Cos(angle) + mu*math.Sin(angle))
				for i := range 4 {
					check(t, s.Step(t.Context(), at*float64(i+1)/4))
				}
				var x [3]float64
				if shape == "beside" {
					copy(x[:], s.State())
				} else {
					x = psi.System.Position(at, 0, s.State())
				}
				fx, fz := at*w*math.Cos(angle), -w+at*w*math.Sin(angle)
				want := [3]float64{fx / k, 0, fz / k}
				if part > 1 {
					drive := func(a float64) float64 {
						px, pz := r*math.Sin(a), r*math.Cos(a)-r
						gx, gz := fx-k*px, fz-k*pz
						return gx*math.Cos(a) - gz*math.Sin(a) + mu*(gx*math.Sin(a)+gz*math.Cos(a))
					}
					lo, hi := 0., 0.3
					for range 60 {
						if a := (lo + hi) / 2; drive(a) > 0 {
							lo = a
						} else {
							hi = a
						}
					}
					want = [3]float64{r * math.Sin(lo), 0, r*math.Cos(lo) - r}
				}
				for i := range x {
					// Forces to 1e-10 of W, over k or what is left of it.
					if math.Abs(x[i]-want[i]) > 1e-8*r {
						t.Errorf("%s, R %g, kR/W %g: at %v, want %v", shape, r, part, x, want)
						break
					}
				}
			}
		}
	}
}

// TestBeyondTheCurvature: a spring that is stiff along x and soft across drags a pressed particle
// over a ball. Its normal force grows as it slides, so that Coulomb's law has a solution further on
// than E + Ψ, whose thresholds are frozen, has a minimum: up to where the pull grows faster than
// friction, the fold. Steps follow it up to there, to 1e-10 of the forces over a hundredth of the
// stiffness, found by bisection over the angle; the step over the fold goes to the equilibrium in
// the air.
func TestBeyondTheCurvature(t *testing.T) {
	const w, mu, r, stiff, soft = 1., 0.4, 1., 2.2, 0.15
	tether := func() particles.Energy {
		path, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{}, {1.2, 0, 0}})
		check(t, err)
		e, err := particles.NewTethers(particles.Tether{Anchor: path, Stiffness: particles.Diagonal(stiff, stiff, soft)})
		check(t, err)
		return e
	}
	along := func(a, at float64) (pull, press float64) {
		gx, gz := stiff*(1.2*at-r*math.Sin(a)), -w-soft*(r*math.Cos(a)-r)
		return gx*math.Cos(a) - gz*math.Sin(a), -gx*math.Sin(a) - gz*math.Cos(a)
	}
	psi, z := onBall(t, "cylinder", r, mu, tether(), loadPath(t, [3]float64{0, 0, -w}, [3]float64{0, 0, -w}))
	s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
	check(t, err)
	const steps = 200
	a, overshoots, left := 0., 0, false
	for k := 1; k <= steps && !left; k++ {
		at := float64(k) / steps
		check(t, s.Step(t.Context(), at))
		drive := func(a float64) float64 {
			pull, press := along(a, at)
			return pull - mu*press
		}
		b := a
		for drive(b) > 0 && b < 1.5 {
			b += 1e-4
		}
		if left = b >= 1.5; !left {
			if b > a {
				lo, hi := b-1e-4, b
				for range 50 {
					if m := (lo + hi) / 2; drive(m) > 0 {
						lo = m
					} else {
						hi = m
					}
				}
				a = lo
			}
			p, _ := along(a+1e-6, at)
			q, _ := along(a-1e-6, at)
			if p > q && a > 0 {
				overshoots++ // E″ < 0
			}
			if x := psi.System.Position(at, 0, s.State()); math.Abs(x[0]-r*math.Sin(a)) > 1e-7 || math.Abs(x[2]-r*math.Cos(a)+r) > 1e-7 {
				t.Fatalf("t = %g: at %v, want the angle %g", at, x, a)
			}
			continue
		}
		if x := psi.System.Position(at, 0, s.State()); math.Abs(x[0]-1.2*at) > 1e-8 || math.Abs(x[2]+w/soft) > 1e-7 {
			t.Errorf("t = %g: beyond the fold at %v, want (%g, 0, %g)", at, x, 1.2*at, -w/soft)
		}
	}
	if overshoots < 1 || !left {
		t.Errorf("%d steps beyond where E + Ψ has a minimum, and left: %v", overshoots, left)
	}
}

// TestFrictionThatGrows: on a ball of the radius 1, a spring to an anchor at ρ = ½ from its centre,
// at the angle φ from its top beyond the horizontal, drives the particle at the angle θ by kρ sin(φ
// − θ), the more the further it goes; friction μ(x)k(1 − ρ cos(φ − θ)) grows a little faster. From
// a start that is held the anchor comes nearer, and in one step the particle slides to where
// friction holds it again, by bisection: E + Ψ with the friction of there has no minimum there, so
// that the flight of the step goes on in short parts, 1 − (1.294m − .42)/(c − .294) of each other
// near to the top where c k is their stiffness; only with secants it ends. The same a kilometre
// from the origin, to rounding.
func TestFrictionThatGrows(t *testing.T) {
	const k, rho = 3., 0.5
	for _, off := range []float64{0, 1000} {
		for _, m := range []float64{0.326, 0.33, 0.34, 0.5} {
			mu := func(x float64) float64 { return 0.3122 + m*x }
			drive := func(phi, a float64) float64 {
				return rho*math.Sin(phi-a) - mu(math.Sin(a))*(1-rho*math.Cos(phi-a))
			}
			face, err := particles.NewSphere([3]float64{off, 0, -1}, 1, false, [3]float64{0, 0, 1})
			check(t, err)
			chart, err := particles.NewChart(face, particles.Motion{})
			check(t, err)
			anchor := func(phi float64) [3]float64 {
				return [3]float64{off + rho*math.Sin(phi), 0, rho*math.Cos(phi) - 1}
			}
			path, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{anchor(2.3), anchor(2.2)})
			check(t, err)
			tether, err := particles.NewTethers(particles.Tether{Anchor: path, Stiffness: particles.Isotropic(k)})
			check(t, err)
			sys, err := particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{off, 0, 0})}, tether)
			check(t, err)
			worn, err := dissipation.NewMap([]float64{off - 0.5, off + 2}, []float64{-1, 1},
				[][]float64{{mu(-0.5), mu(2)}, {mu(-0.5), mu(2)}})
			check(t, err)
			psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.NewSpread(worn, face)})
			check(t, err)
			z := make([]float64, 3)
			sys.ToLocal(z, []float64{off, 0, 0})
			z[2] = 0
			s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
			check(t, err)
			if !(drive(2.3, 0) < 0 && drive(2.2, 0) > 0) {
				t.Fatal("it is not held at the start, or is at the end")
			}
			check(t, s.Step(t.Context(), 1))
			lo, hi := 0., 0.001
			for drive(2.2, hi) > 0 {
				lo, hi = hi, hi+0.001
			}
			for range 60 {
				if a := (lo + hi) / 2; drive(2.2, a) > 0 {
					lo = a
				} else {
					hi = a
				}
			}
			x := sys.Position(1, 0, s.State())
			// Forces to 1e-12 of some k, over what friction gains on them, .01 k and more.
			if math.Abs(x[0]-off-math.Sin(lo)) > 1e-10+1e-12*off || s.Stats().FellBack {
				t.Errorf("m = %g at %g: it slides to %.12g, want %.12g; %+v", m, off, x[0]-off, math.Sin(lo), s.Stats())
			}
		}
	}
}
