package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
)

// TestResolveTruss: a von Mises truss, two springs k = 1 of half width b = 1 and rise h = 1
// on a frictionless path, its apex pushed down by a force F a little above the fold. The
// path ends in the other well, and viscosity dissipates E(start) − E(end), closed forms of
// E = 2·½ (L − L₀)² + F·z along z alone.
func TestResolveTruss(t *testing.T) {
	const b, h = 1., 1.
	l0 := math.Hypot(b, h)
	force := func(z float64) float64 { l := math.Hypot(b, z); return -2 * (l0/l - 1) * z } // dE/dz of the springs
	// The fold: b L₀… the largest restoring force, at L³ = b² L₀.
	fold := math.Sqrt(math.Pow(b*b*l0, 2./3) - b*b)
	load := -force(fold) * 1.001
	var springs []particles.Spring
	for _, x := range []float64{-b, b} {
		springs = append(springs, particles.Spring{I: 0, Anchor: particles.At(x, 0, 0), Law: particles.Linear{K: 1, Rest: l0}})
	}
	s, err := particles.NewSprings(springs...)
	if err != nil {
		t.Fatal(err)
	}
	l, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -load)})
	if err != nil {
		t.Fatal(err)
	}
	side, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(5, 5, 0)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()}, s, l, side)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := energetic.ResolveJump(context.Background(), psi, 0, []float64{0, 0, fold}, 2)
	if err != nil {
		t.Fatal(err)
	}
	// The other well, where the springs bear the load: by bisection.
	lo, hi := -3., -h
	for range 100 {
		if m := (lo + hi) / 2; force(m)+load > 0 {
			hi = m
		} else {
			lo = m
		}
	}
	energy := func(z float64) float64 { l := math.Hypot(b, z); return (l-l0)*(l-l0) + load*z }
	want := energy(fold) - energy(hi)
	end := p.States[len(p.States)-1]
	if math.Abs(end[2]-hi) > 1e-7 {
		t.Errorf("ends at %g, want %g", end[2], hi)
	}
	if math.Abs(p.Released-want) > 1e-7 || math.Abs(p.Residual()) > 1e-4*want || p.Friction != 0 { // second order in 1/400
		t.Errorf("released %g, want %g; viscous %g, residual %g", p.Released, want, p.Viscous, p.Residual())
	}
	if arc := p.Arc[len(p.Arc)-1]; math.Abs(arc-(fold-hi)) > 1e-6 {
		t.Errorf("arc %g, want %g", arc, fold-hi)
	}
}

// TestResolveRipple: a particle on friction μ(x) = .4(1 + .3 sin 4πx) under N = 1.5, k = 2:
// at fixed u it jumps from x_1, where it gets loose, to the next x_2 with k(u − x) =
// Nμ(x); friction takes N∫μ dx and viscosity the rest.
func TestResolveRipple(t *testing.T) {
	const k, n = 2., 1.5
	mu := func(x float64) float64 { return .4 * (1 + .3*math.Sin(4*math.Pi*x)) }
	rippled, err := dissipation.NewRippled(dissipation.Isotropic{Mu: .4}, .3, .5, [2]float64{1, 0}, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Where u(x) = x + (n/k)μ(x) turns back: 1 + (n/k) .4·.3·4π cos 4πx = 0.
	x1 := math.Acos(-1/(n/k*.12*4*math.Pi)) / (4 * math.Pi)
	u := x1 + n/k*mu(x1) + 1e-3 // past the fold
	x2 := x1 + .05
	for u-x2 > n/k*mu(x2) {
		x2 += 1e-6
	}
	for range 50 { // Newton
		x2 -= (x2 + n/k*mu(x2) - u) / (1 + n/k*.12*4*math.Pi*math.Cos(4*math.Pi*x2))
	}
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(u, 0, -.3), Stiffness: particles.Diagonal(k, k, 5)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), e)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{rippled})
	if err != nil {
		t.Fatal(err)
	}
	p, err := energetic.ResolveJump(context.Background(), psi, 0, []float64{x1, 0, 0}, x2-x1)
	if err != nil {
		t.Fatal(err)
	}
	work := func(x float64) float64 { return n * .4 * (x - .3*math.Cos(4*math.Pi*x)/(4*math.Pi)) }
	friction := work(x2) - work(x1)
	released := k / 2 * ((u-x1)*(u-x1) - (u-x2)*(u-x2))
	end := p.States[len(p.States)-1]
	if math.Abs(end[0]-x2) > 1e-7 {
		t.Errorf("ends at %g, want %g", end[0], x2)
	}
	if math.Abs(p.Friction-friction) > 1e-5*friction || math.Abs(p.Released-released) > 1e-7 || math.Abs(p.Viscous-(released-friction)) > 1e-3*(released-friction) {
		t.Errorf("friction %g, want %g; viscous %g, want %g; released %g, want %g", p.Friction, friction, p.Viscous, released-friction, p.Released, released)
	}
}
