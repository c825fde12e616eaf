package particles_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
)

// TestWayBound: on 10,000 random ways of each energy, with particles in frames of their own and anchors
// that move, DE leaves its chord by no more than θ(1 − θ)/2 of the bound; and for ways of a hundredth of
// the distances the bound is in the middle at most a few times what it leaves it by.
func TestWayBound(t *testing.T) {
	thorough.Seconds(t)
	const ways = 10000
	rng := rand.New(rand.NewPCG(32, 4))
	vector := func(size float64) (v [3]float64) {
		for c := range v {
			v[c] = size * (2*rng.Float64() - 1)
		}
		return v
	}
	anchor := func(size float64) particles.Path {
		p := make(particles.Path, 3)
		for c, x := range vector(1) {
			s, err := particles.Sine(x, size*rng.Float64(), 1, 6*rng.Float64())
			if err != nil {
				t.Fatal(err)
			}
			p[c] = s
		}
		return p
	}
	spring := func(law particles.Law) func(particles.Path) (particles.Energy, error) {
		return func(p particles.Path) (particles.Energy, error) {
			return particles.NewSprings(particles.Spring{I: 0, J: 1, Law: law}, particles.Spring{I: 1, Anchor: p, Law: law})
		}
	}
	lj := particles.LennardJones{Depth: .5, Distance: 1}
	for name, energy := range map[string]func(particles.Path) (particles.Energy, error){
		"linear": spring(particles.Linear{K: 2, Rest: .7}), "cubic": spring(particles.Cubic{K: 1, K3: 3, Rest: 1.1}),
		"cubic from 0": spring(particles.Cubic{K: 1, K3: 3}), "flat": spring(particles.Linear{K: 2}),
		"morse": spring(particles.Morse{Depth: 2, Distance: 1, Decay: 3}), "lennard-jones": spring(lj),
		"cut": spring(particles.Cut{Law: lj, From: 1.2, To: 2}),
		"tethers": func(p particles.Path) (particles.Energy, error) {
			return particles.NewTethers(particles.Tether{Anchor: p, Stiffness: particles.Diagonal(1, 2, 3), Stiffening: 4},
				particles.Tether{Particle: 1, Anchor: particles.At(1, 0, 0), Stiffness: particles.Isotropic(1)})
		},
		"adhesive bonds": func(p particles.Path) (particles.Energy, error) {
			return particles.NewAdhesiveBonds(make([]float64, 9),
				particles.AdhesiveBond{J: 1, Variable: 2, Stiffness: particles.Diagonal(1, 2, 3), Length: .5},
				particles.AdhesiveBond{I: 1, Anchor: p, Variable: 2, Stiffness: particles.Isotropic(2), Length: 1.5})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ratios []float64
			known := 0
			for k := range ways {
				h, err := particles.NewHalfSpace(vector(.1), [3]float64{.3, -.2, 1})
				if err != nil {
					t.Fatal(err)
				}
				moves := []float64{0, .01, .3}[rng.IntN(3)]
				e, err := energy(anchor(moves))
				if err != nil {
					t.Fatal(err)
				}
				sys, err := particles.NewSystem([]particles.Frame{h.Frame(), particles.Floor(), particles.Floor()}, e)
				if err != nil {
					t.Fatal(err)
				}
				short := k%2 == 0
				length, dt := 1.5, rng.Float64()
				if short {
					length, dt = .01, .01
				}
				z0, z1, z := make([]float64, 9), make([]float64, 9), make([]float64, 9)
				for j := range 3 {
					a, v := vector(1.5), vector(length)
					for c := range 3 {
						z0[3*j+c], z1[3*j+c] = a[c], a[c]+v[c]
					}
				}
				bound := make([]float64, 9)
				if !sys.WayBound(bound, .1, .1+dt, z0, z1) {
					t.Fatal("no bound is known")
				}
				if !slices.ContainsFunc(bound, func(b float64) bool { return math.IsInf(b, 1) }) {
					known++
				}
				var g [3][]float64
				for i := range g {
					g[i] = make([]float64, 9)
				}
				sys.Gradient(g[0], nil, .1, z0)
				sys.Gradient(g[1], nil, .1+dt, z1)
				for _, theta := range [4]float64{.1, .3, .5, .8} {
					for i := range z {
						z[i] = z0[i] + theta*(z1[i]-z0[i])
					}
					sys.Gradient(g[2], nil, .1+theta*dt, z)
					left, most, size := 0.0, 0.0, 0.0
					for i := range z {
						size = max(size, math.Abs(g[0][i]), math.Abs(g[1][i]), math.Abs(g[2][i]))
					}
					for i, b := range bound {
						off := math.Abs(g[2][i] - (1-theta)*g[0][i] - theta*g[1][i])
						if b *= theta * (1 - theta) / 2; !(off <= b+1e-13*(size+10)) {
							t.Fatalf("way %d, θ = %g, dof %d: leaves its chord by %.9g N, %.9g N are the bound", k, theta, i, off, b)
						}
						left, most = max(left, off), max(most, b)
					}
					if theta == .5 && short && most > 1e-9*(size+10) {
						ratios = append(ratios, most/left)
					}
				}
			}
			slices.Sort(ratios)
			if known < ways*3/4 {
				t.Errorf("%d bounds of %d are known", known, ways)
			}
			if n := len(ratios); n > 0 {
				t.Logf("%d known; bound over what it bounds: median %.3g, nine tenths %.3g", known, ratios[n/2], ratios[n*9/10])
				if ratios[n/2] > 3 || ratios[n*9/10] > 10 {
					t.Errorf("bounds are %.3g times what they bound, nine tenths %.3g", ratios[n/2], ratios[n*9/10])
				}
			} else if name != "flat" {
				t.Error("nothing leaves its chord")
			}
		})
	}
}
