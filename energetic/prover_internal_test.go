package energetic

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// springProver is the prover of one spring between a particle and the origin, from a state.
func springProver(law particles.Law, z []float64) *Prover {
	spring := must(particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 0), Law: law}))
	psi := must(dissipation.New(must(particles.NewSystem([]particles.Frame{particles.NoObstacle()}, spring)), []dissipation.Matrix{nil}))
	p := must(NewProver(psi))
	p.z = z
	return p
}

// TestProverSize: eight particles are bounded, nine are not.
func TestProverSize(t *testing.T) {
	for n, ok := range map[int]bool{8: true, 9: false} {
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(n))), make([]dissipation.Matrix, n)))
		if _, err := NewProver(psi); (err == nil) != ok {
			t.Errorf("%d particles: %v", n, err)
		}
	}
}

// TestProverFriction: friction is that of the time; a state that is no number costs +∞.
func TestProverFriction(t *testing.T) {
	ex := halved(t)
	p := must(NewProver(ex.Psi))
	if _, err := p.Run(t.Context(), 0, ex.Start, 1e-6, nil); err != nil {
		t.Fatal(err)
	}
	nearly(t, "friction", p.friction([]float64{ex.Start[0] + 2, ex.Start[1], ex.Start[2]}, nil), 2*0.4*1.5/2, 1e-15)
	if f := p.cost([]float64{math.NaN(), 0, 0}); !math.IsInf(f, 1) {
		t.Errorf("no state costs %g", f)
	}
}

// TestFirstBoxOfSix: heights over floors begin at 0, whoever's they are.
func TestFirstBoxOfSix(t *testing.T) {
	var frames []particles.Frame
	var tethers []particles.Tether
	for j := range 6 {
		frames = append(frames, particles.NoObstacle())
		if j%2 == 1 {
			frames[j] = particles.Floor()
		}
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)})
	}
	psi := must(dissipation.New(must(particles.NewSystem(frames, must(particles.NewTethers(tethers...)))), make([]dissipation.Matrix, 6)))
	p := must(NewProver(psi))
	p.z = make([]float64, 18)
	b, err := p.first(1)
	if err != nil {
		t.Fatal(err)
	}
	for i, lo := range b.lo {
		if want := i%6 == 5; (lo == 0) != want {
			t.Errorf("coordinate %d: from %g", i, lo)
		}
	}
}

// TestSpringsOfNoLength: a spring whose ends are at one place has no direction, and a force of none; bounds over boxes about it are finite and hold.
func TestSpringsOfNoLength(t *testing.T) {
	for _, law := range []particles.Law{particles.Linear{K: 2}, particles.Linear{K: 2, Rest: 0.5}, particles.Cubic{K: 2, K3: 1}} {
		p := springProver(law, make([]float64, 3))
		p.known = [][]float64{p.z}
		b, err := p.first(law.Value(0))
		if err != nil {
			t.Fatalf("%#v: %v", law, err)
		}
		for i := range 3 {
			if !(b.hi[i] >= -b.lo[i]*(1-1e-12) && b.lo[i] <= 0) || math.IsInf(b.hi[i], 0) {
				t.Errorf("%#v: box %v, %v", law, b.lo, b.hi)
			}
		}
		x := box{lo: []float64{-0.5, -0.25, -0.1}, hi: []float64{0.25, 0.5, 0.75}}
		low, _ := p.bound(&x)
		least := math.Inf(1)
		for i := range 21 {
			for j := range 21 {
				for k := range 21 {
					y := []float64{-0.5 + 0.75*float64(i)/20, -0.25 + 0.75*float64(j)/20, -0.1 + 0.85*float64(k)/20}
					least = min(least, p.cost(y))
				}
			}
		}
		if !(low <= least+1e-12) || math.IsInf(low, 0) {
			t.Errorf("%#v: bound %g, least %g", law, low, least)
		}
		if low < -1e-15 {
			t.Errorf("%#v, nowhere negative: bound %g", law, low)
		}
	}
}

// TestForceOfSpring: s·d acts at both ends, whatever s.
func TestForceOfSpring(t *testing.T) {
	p := springProver(particles.Linear{K: 1, Rest: 0.5}, make([]float64, 3))
	for _, s := range []float64{0, 1, -2} {
		clear(p.grad)
		p.addForce(&p.links[0], [3]float64{3, 5, 7}, s)
		if got, want := [3]float64(p.grad), vec3.Scale(vec3.Vec{3, 5, 7}, s); vec3.Vec(got) != want {
			t.Errorf("%g: %v", s, got)
		}
	}
}

// TestShareOfGain: a gain is divided by the squares of widths; a box of no width gains nothing.
func TestShareOfGain(t *testing.T) {
	p := springProver(particles.Linear{K: 1}, make([]float64, 3))
	clear(p.gain)
	p.share(&box{lo: []float64{0, 1, 2}, hi: []float64{1, 1, 4}}, 0, 10)
	for i, want := range []float64{2, 0, 8} {
		nearly(t, "gain", p.gain[i], want, 1e-15)
	}
	clear(p.gain)
	p.share(&box{lo: []float64{1, 1, 1}, hi: []float64{1, 1, 1}}, 0, 10)
	for _, g := range p.gain {
		nearly(t, "gain of a point", g, 0, 0)
	}
}
