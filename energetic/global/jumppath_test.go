package global_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// TestResolveTruss: a von Mises truss, two springs k = 1 of half width b = 1 and rise h = 1
// on a frictionless path, its apex pushed down by a force F a little above the fold. The
// path ends in the other well, and viscosity dissipates E(start) − E(end), closed forms of
// E = 2·½ (L − L₀)² + F·z along z alone.
func TestResolveTruss(t *testing.T) {
	const b, h = 1., 1.
	l0 := math.Hypot(b, h)
	// dE/dz of the springs
	force := func(z float64) float64 { l := math.Hypot(b, z); return -2 * (l0/l - 1) * z }
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
	p, err := global.ResolveJump(context.Background(), psi, 0, []float64{0, 0, fold}, 2, 0)
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
	// second order in 1/400
	if math.Abs(p.Released-want) > 1e-7 || math.Abs(p.Residual()) > 1e-4*want || p.Friction != 0 {
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
	p, err := global.ResolveJump(context.Background(), psi, 0, []float64{x1, 0, 0}, x2-x1, 0)
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
	if math.Abs(p.Friction-friction) > 1e-5*friction || math.Abs(p.Released-released) > 1e-7 ||
		math.Abs(p.Viscous-(released-friction)) > 1e-3*(released-friction) {
		t.Errorf("friction %g, want %g; viscous %g, want %g; released %g, want %g", p.Friction, friction, p.Viscous,
			released-friction, p.Released, released)
	}
}

// TestJumpTolerance: a path is as accurate as is asked for, and its steps are chosen by that: their
// number grows as the root of one over the tolerance, for the error is of second order. A truss as
// in TestResolveTruss, whose release is known.
func TestJumpTolerance(t *testing.T) {
	l0 := math.Sqrt2
	fold := math.Sqrt(math.Pow(l0, 2./3) - 1)
	load := 1.001 * 2 * (l0/math.Hypot(1, fold) - 1) * fold
	var list []particles.Spring
	for _, x := range []float64{-1, 1} {
		list = append(list, particles.Spring{Anchor: particles.At(x, 0, 0), Law: particles.Linear{K: 1, Rest: l0}})
	}
	guide, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(5, 5, 0)})
	if err != nil {
		t.Fatal(err)
	}
	psi := reference.Model([]particles.Frame{particles.NoObstacle()}, nil, reference.Springs(list...), guide,
		reference.Loads(particles.Load{Force: particles.At(0, 0, -load)}))
	last := 0
	for _, tolerance := range []float64{1e-2, 1e-4, 1e-6} {
		p, err := global.ResolveJump(t.Context(), psi, 0, []float64{0, 0, fold}, 1.8, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(p.Residual()); off > tolerance*p.Released {
			t.Errorf("tolerance %g: %g J of %g are open", tolerance, off, p.Released)
		}
		// A hundredth of the error is a tenth of the step: ten times as many, but where the
		// shortest and the longest steps end that.
		if n := len(p.Arc); last > 0 && (n < 3*last || n > 30*last) {
			t.Errorf("tolerance %g: %d points, %d of a hundred times as large a one", tolerance, n, last)
		} else {
			last = n
		}
	}
	for _, bad := range []float64{-1e-3, 1, math.NaN()} {
		if _, err := global.ResolveJump(t.Context(), psi, 0, []float64{0, 0, fold}, 1.8, bad); err == nil {
			t.Errorf("tolerance %g is taken", bad)
		}
	}
}

// TestResolveOffTheBall: a spring k < W/R and friction hold a particle on a ball under its weight
// until a force tears it off. The path of vanishing viscosity is one in space, whatever coordinates
// the obstacle has: it leaves the ball, ends where the spring bears both, and friction and
// viscosity take what is released; its arc is at least the straight way, and at most that with the
// quarter of the ball.
func TestResolveOffTheBall(t *testing.T) {
	const w, k, r, mu, pull = 2., 0.5, 1., 0.2, 0.41
	ball, err := particles.NewSphere([3]float64{0, 0, -r}, r, false, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(ball, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	law, err := dissipation.NewStretched(mu, ball)
	if err != nil {
		t.Fatal(err)
	}
	tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(k)})
	if err != nil {
		t.Fatal(err)
	}
	psi := reference.Model([]particles.Frame{particles.Charted(chart, [3]float64{})}, []dissipation.Matrix{law}, tether,
		reference.Loads(particles.Load{Force: particles.At(pull, 0, -w)}))
	p, err := global.ResolveJump(t.Context(), psi, 0, []float64{0, 0, 0}, 2, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	end := psi.System.Position(0, 0, p.States[len(p.States)-1])
	want := [3]float64{pull / k, 0, -w / k}
	for i := range end {
		if math.Abs(end[i]-want[i]) > 1e-8 {
			t.Errorf("ends at %v, want %v", end, want)
			break
		}
	}
	if released := (pull*pull + w*w) / (2 * k); math.Abs(p.Released-released) > 1e-9 ||
		math.Abs(p.Residual()) > 1e-4*released || !(p.Friction > 0) {
		t.Errorf("released %g J, want %g; %g are open, friction takes %g", p.Released, released, p.Residual(), p.Friction)
	}
	way := math.Hypot(pull, w) / k
	if arc := p.Arc[len(p.Arc)-1]; arc < way || arc > way+r*math.Pi/2 {
		t.Errorf("the path is %g m long, the straight way %g", arc, way)
	}
}
