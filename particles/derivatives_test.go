package particles_test

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/energytest"
)

const np = 4 // particles of the property tests

// separated draws positions of np particles of which no two are nearer than 1,
// and none nearer than 1 to the anchors drawn by path: springs have a kink at
// length 0, where differences mean nothing.
func separated(t *rapid.T) []float64 {
	x := state(t, np)
	for j := range np {
		x[3*j] = x[3*j]/4 + 8 + 2*float64(j)
	}
	return x
}

func tethers(t *rapid.T) particles.Energy {
	var items []particles.Tether
	for range rapid.IntRange(1, 4).Draw(t, "tethers") {
		items = append(items, particles.Tether{
			Particle: rapid.IntRange(0, np-1).Draw(t, "particle"), Anchor: path.Draw(t, "anchor"),
			Stiffness: stiffness.Draw(t, "K"), Stiffening: rapid.SampledFrom([]float64{0, 0, 0.3}).Draw(t, "beta"),
		})
	}
	e, err := particles.NewTethers(items...)
	return must(t, particles.Energy(e), err)
}

func ends(t *rapid.T) (i, j int, anchor particles.Path) {
	i = rapid.IntRange(0, np-1).Draw(t, "i")
	j = (i + rapid.IntRange(1, np-1).Draw(t, "j-i")) % np
	if rapid.IntRange(0, 2).Draw(t, "anchored") == 0 {
		anchor = path.Draw(t, "anchor")
	}
	return i, j, anchor
}

func springs(t *rapid.T) particles.Energy {
	var items []particles.Spring
	for range rapid.IntRange(1, 5).Draw(t, "springs") {
		i, j, anchor := ends(t)
		items = append(items, particles.Spring{I: i, J: j, Anchor: anchor, Law: law.Draw(t, "law")})
	}
	e, err := particles.NewSprings(items...)
	return must(t, particles.Energy(e), err)
}

func bonds(t *rapid.T) particles.Energy {
	var items []particles.Bond
	for range rapid.IntRange(1, 5).Draw(t, "bonds") {
		i, j, anchor := ends(t)
		items = append(items, particles.Bond{I: i, J: j, Anchor: anchor, Stiffness: stiffness.Draw(t, "K")})
	}
	e, err := particles.NewBonds(state(t, np), items...)
	return must(t, particles.Energy(e), err)
}

func loads(t *rapid.T) particles.Energy {
	e, err := particles.NewLoads(
		particles.Load{Particle: 2, Force: path.Draw(t, "force")},
		particles.Load{Particle: 0, Force: path.Draw(t, "force")})
	return must(t, particles.Energy(e), err)
}

func gravity(t *rapid.T) particles.Energy {
	e, err := particles.NewGravity([]float64{1, 0, 2, 0.5}, triple.Draw(t, "g"))
	return must(t, particles.Energy(e), err)
}

func quadratic(t *rapid.T) particles.Energy {
	var entries []particles.Entry
	for range rapid.IntRange(0, 12).Draw(t, "entries") {
		r, c, v := rapid.IntRange(0, 5).Draw(t, "r"), rapid.IntRange(0, 5).Draw(t, "c"), number(-2, 2).Draw(t, "v")
		entries = append(entries, particles.Entry{Row: r, Col: c, Value: v}, particles.Entry{Row: c, Col: r, Value: v})
	}
	var force particles.Path
	if rapid.Bool().Draw(t, "forced") {
		force = append(append(force, path.Draw(t, "f1")...), path.Draw(t, "f2")...)
	}
	e, err := particles.NewQuadratic([]int{3, 1}, state(t, 2), entries, force)
	return must(t, particles.Energy(e), err)
}

var generators = map[string]func(*rapid.T) particles.Energy{
	"tethers": tethers, "springs": springs, "bonds": bonds,
	"loads": loads, "gravity": gravity, "quadratic": quadratic,
	"pairwise":  func(*rapid.T) particles.Energy { return pairwise{} },
	"blockwise": func(*rapid.T) particles.Energy { return blockwise{} },
}

// Every energy alone, in global coordinates.
func TestDerivativesOfEnergies(t *testing.T) {
	for name, draw := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				if err := energytest.Check(draw(t), number(-1, 3).Draw(t, "t"), separated(t)); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// Sums of energies with arbitrary obstacles, in local coordinates, evaluated twice
// so that the replayed assembly is what is compared.
func TestDerivativesOfSystems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		z := separated(t)
		s.ToLocal(z, z)
		for _, z := range [][]float64{state(t, np), z} {
			s.Hessian(0, z)
		}
		if err := energytest.CheckSystem(s, number(-1, 3).Draw(t, "t"), z); err != nil {
			t.Fatal(err)
		}
	})
}

func drawSystem(t *rapid.T) *particles.System {
	frames := make([]particles.Frame, np)
	for j := range frames {
		frames[j] = frame.Draw(t, "frame")
	}
	if rapid.Bool().Draw(t, "one plane") { // equal rotated frames keep isotropic blocks diagonal
		frames[1], frames[2] = frames[0], frames[0]
	}
	var energies []particles.Energy
	for _, draw := range []func(*rapid.T) particles.Energy{tethers, springs, bonds, loads, gravity, quadratic} {
		if rapid.Bool().Draw(t, "with") {
			energies = append(energies, draw(t))
		}
	}
	energies = append(energies, pairwise{}, blockwise{})
	s, err := particles.NewSystem(frames, energies...)
	return must(t, s, err)
}

// pairwise is a user's energy Σ x_{3i}² x_{3j+1} over i < j that adds entries one by
// one, in the upper triangle, and in an order that depends on the state.
type pairwise struct{}

func (pairwise) Pattern(p *particles.Pattern) {
	for i := range p.Particles() {
		p.Add(3*i, 3*i)
		for j := i + 1; j < p.Particles(); j++ {
			p.Add(3*i, 3*j+1)
		}
	}
}

func (pairwise) Value(_ float64, x []float64) (e, rate float64) {
	eachPair(x, func(a, b int) { e += x[a] * x[a] * x[b] / 10 })
	return e, 0
}

func (pairwise) Gradient(grad, _ []float64, _ float64, x []float64) {
	if grad == nil {
		return
	}
	eachPair(x, func(a, b int) {
		grad[a] += x[a] * x[b] / 5
		grad[b] += x[a] * x[a] / 10
	})
}

func (pairwise) Hessian(h *particles.Hessian, _ float64, x []float64) {
	eachPair(x, func(a, b int) {
		if x[a] > 0 { // another sequence for another state
			h.Add(a, b, x[a]/5)
			h.Add(a, a, x[b]/5)
		} else {
			h.Add(a, a, x[b]/5)
			h.Add(b, a, x[a]/5)
		}
	})
}

func eachPair(x []float64, f func(a, b int)) {
	n := len(x) / 3
	for i := range n {
		for j := i + 1; j < n; j++ {
			f(3*i, 3*j+1)
		}
	}
}

// blockwise is a user's energy x₀ᵀ B x₁ + x₂ᵀ B x₁ with a B that is not symmetric,
// added once above and once below the diagonal.
type blockwise struct{}

var coupling = [9]float64{1, 2, 0, -1, 0.5, 3, 0, 1, -2}

func (blockwise) ConstantHessian() bool { return true }

func (blockwise) Pattern(p *particles.Pattern) {
	p.AddBlock(0, 1)
	p.AddBlock(2, 1)
}

func (b blockwise) Value(_ float64, x []float64) (e, rate float64) {
	g := make([]float64, len(x))
	b.Gradient(g, nil, 0, x)
	for a, v := range g {
		e += v * x[a] / 2
	}
	return e, 0
}

func (blockwise) Gradient(grad, _ []float64, _ float64, x []float64) {
	if grad == nil {
		return
	}
	for r := range 3 {
		for c := range 3 {
			k := coupling[3*r+c]
			grad[r] += k * x[3+c]
			grad[6+r] += k * x[3+c]
			grad[3+c] += k * (x[r] + x[6+r])
		}
	}
}

func (blockwise) Hessian(h *particles.Hessian, _ float64, _ []float64) {
	h.AddBlock(0, 1, &coupling)
	h.AddBlock(2, 1, &coupling)
}
