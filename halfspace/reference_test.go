package halfspace

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestOperatorIsDense: products by transforms equal the double sum over entries, of
// all influences, on boxes and with shifts.
func TestOperatorIsDense(t *testing.T) {
	c := pair(t, Elastic{Young: 3, Poisson: 0.2}, Elastic{Young: 7, Poisson: 0.4})
	for name, o := range map[string]*Operator{
		"patches": newTestOperator(t, Centred(7, 5, 0.3, 0.2), Patches{c}),
		"points":  newTestOperator(t, Centred(6, 9, 0.2, 0.2), Points{c}),
		"strain":  newTestOperator(t, Centred(13, 1, 0.1, 1), PlaneStrain{c, 5}),
	} {
		shifted, err := o.Shifted(0.13, -0.05)
		if err != nil {
			t.Fatal(err)
		}
		difference, err := o.difference(0.13, -0.05)
		if err != nil {
			t.Fatal(err)
		}
		n := o.grid.Len()
		rng := rand.New(rand.NewPCG(3, 4))
		p := NewField(n)
		for k := range n {
			for comp := range p {
				p[comp][k] = rng.NormFloat64()
			}
		}
		for i, op := range []*Operator{o, shifted, difference} {
			u := NewField(n)
			op.Product(u, p)
			for k := range n {
				for r := range 3 {
					want, size := 0.0, 0.0
					for l := range n {
						for s := range 3 {
							e := op.Entry(r, s, k, l)
							want += e * p[s][l]
							size += math.Abs(e * p[s][l])
						}
					}
					if math.Abs(u[r][k]-want) > 1e-14*size { // rounding of the transform
						t.Fatalf("%s, operator %d: u[%d][%d] = %v, want %v", name, i, r, k, u[r][k], want)
					}
				}
			}
		}
	}
}

// TestPeriodicWaves: a wave of pressure lifts a half-space by 2πA/q times itself.
func TestPeriodicWaves(t *testing.T) {
	c := pair(t, Elastic{Young: 3, Poisson: 0.2}, Elastic{Young: 7, Poisson: 0.4})
	g := Grid{NX: 16, NY: 12, DX: 0.5, DY: 0.25}
	o, err := NewPeriodic(g, c)
	if err != nil {
		t.Fatal(err)
	}
	p, u := NewField(g.Len()), NewField(g.Len())
	qx, qy := 2*math.Pi*3/8, 2*math.Pi*2/3.
	q := math.Hypot(qx, qy)
	for k := range p[N] {
		x, y := g.At(k)
		p[N][k] = math.Cos(qx*x + qy*y)
	}
	o.Product(u, p)
	for k := range p[N] {
		x, y := g.At(k)
		near(t, "lift", u[N][k], 2*math.Pi*c.A/q*p[N][k], 1e-14)
		// û_x = i·2πD q_x/q² of cos is −sin.
		near(t, "along x", u[X][k], -2*math.Pi*c.D*qx/(q*q)*math.Sin(qx*x+qy*y), 1e-14)
	}
}

// TestHertz: force, radius and pressure of a sphere by approach, to the order of
// the element (the edge is known to an element).
func TestHertz(t *testing.T) {
	c, err := ElasticOnRigid(Elastic{Young: 0.91, Poisson: 0.3}) // E* = 1
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for _, n := range []int{33, 65, 129} {
		g := Centred(n, n, 0.24/float64(n), 0.24/float64(n))
		s := NewSolver(newTestOperator(t, g, Patches{c}), nil)
		p := &Problem{Gap: g.Sample(Quadratic([6]float64{0.5, 0, 0.5}))}
		p.Control[MoveN].Value = -0.01
		var r Result
		if err := s.Solve(context.Background(), p, &r); err != nil {
			t.Fatal(err)
		}
		bad := math.Abs(r.Force[MoveN]/(4./3*1e-3) - 1)
		if !(bad < last/1.8) { // order one and better; the error is noisy
			t.Errorf("n = %d: force is off by %g, %g before", n, bad, last)
		}
		last = bad
		near(t, "largest pressure", maximum(r.P[N]), 2/math.Pi*0.1, 0.02*0.1/float64(n)*33)
		near(t, "area", float64(r.Contacts)*g.Area(), math.Pi*0.01, 4*0.1*g.DX) // half an element along the edge
	}
	near(t, "force", last, 0, 3e-4)
}

func maximum(v []float64) float64 {
	m := math.Inf(-1)
	for _, x := range v {
		m = max(m, x)
	}
	return m
}

// TestFlatPunch: P = 2aE*δ (Boussinesq), first order in the element at the edge.
func TestFlatPunch(t *testing.T) {
	c, _ := ElasticOnRigid(Elastic{Young: 1}) // E* = 1
	last := math.Inf(1)
	for _, n := range []int{40, 80, 160} {
		g := Centred(n, n, 2.2/float64(n), 2.2/float64(n))
		s := NewSolver(newTestOperator(t, g, Patches{c}), nil)
		h := g.Sample(RoundPunch(1, 10))
		area := 0.0
		for _, v := range h {
			if v == 0 {
				area += g.Area()
			}
		}
		p := &Problem{Gap: h}
		p.Control[MoveN].Value = -0.01
		var r Result
		if err := s.Solve(context.Background(), p, &r); err != nil {
			t.Fatal(err)
		}
		// The sampled disc has a radius of its own.
		bad := math.Abs(r.Force[MoveN]/(2*math.Sqrt(area/math.Pi)*0.01) - 1)
		if !(bad < 0.7*last) {
			t.Errorf("n = %d: force is off by %g, %g before", n, bad, last)
		}
		last = bad
	}
	near(t, "force", last, 0, 0.01)
}

// TestSneddonCone: P = (2/π) E* δ²/tan β, a = (2/π) δ/tan β.
func TestSneddonCone(t *testing.T) {
	c, _ := ElasticOnRigid(Elastic{Young: 1})
	g := Centred(128, 128, 2./128, 2./128)
	s := NewSolver(newTestOperator(t, g, Patches{c}), nil)
	p := &Problem{Gap: g.Sample(Cone(0.1))}
	p.Control[MoveN].Value = -0.1
	var r Result
	if err := s.Solve(context.Background(), p, &r); err != nil {
		t.Fatal(err)
	}
	near(t, "force", r.Force[MoveN], 2/math.Pi*0.1, 2e-3*2/math.Pi*0.1)
	near(t, "area", float64(r.Contacts)*g.Area(), math.Pi*4/(math.Pi*math.Pi), 4*2/math.Pi*g.DX)
}

// TestRoughArea: the area in contact grows linearly with small loads, with a factor
// κ = A E* h'/F between Persson's √(8/π) = 1.6 and the √(2π) = 2.5 of Bush, Gibson
// and Thomas, as simulations have it (2 to 2.3), in the mean of three seeds, at three loads
// or, by default, of two at two; the surface's statistics are what was asked for.
func TestRoughArea(t *testing.T) {
	c, _ := ElasticOnRigid(Elastic{Young: 1})
	const n = 128
	g := Grid{NX: n, NY: n, DX: 1. / n, DY: 1. / n}
	o, err := NewPeriodic(g, c)
	if err != nil {
		t.Fatal(err)
	}
	loads, seeds := []float64{0.02, 0.08}, 2
	if thorough.Asked() {
		loads, seeds = []float64{0.02, 0.04, 0.08}, 3
	}
	kappa := make([]float64, len(loads))
	for seed := range uint64(seeds) {
		z, err := Rough{Hurst: 0.8, Longest: 0.25, Shortest: 16. / n, Height: 1e-3, Seed: seed}.Heights(g)
		if err != nil {
			t.Fatal(err)
		}
		stats := Roughness(g, z)
		near(t, "height", stats.Height, 1e-3, 1e-15)
		s := NewSolver(o, nil)
		for i, load := range loads {
			p := &Problem{Gap: z}
			p.Control[MoveN] = Control{true, load * stats.Slope}
			var r Result
			if err := s.Solve(context.Background(), p, &r); err != nil {
				t.Fatal(err)
			}
			_, area := g.ContactArea(r.P[N])
			kappa[i] += area / load / float64(seeds)
		}
	}
	for i, k := range kappa {
		if k < math.Sqrt(8/math.Pi) || k > math.Sqrt(2*math.Pi) || i > 0 && k > kappa[i-1] {
			t.Errorf("κ = %.3f at the loads %v E*h'", kappa, loads)
		}
	}
}

// wangMueser is the share of the area that touches by Persson's theory with the factor of Wang
// and Müser (2017) for what elastic energy does not reach between the contacts: the variance
// of pressure grows with that of slopes by dV = (E*/2)² (5/9 + 4/9 A²) d(h'²), A = erf(p/√(2V)).
// At small loads κ = √(8/π)·√(9/5) = 2.14. Pressures are in units of E*h'.
func wangMueser(pressure float64) float64 {
	const steps = 4000
	area := func(v float64) float64 { return math.Erf(math.Sqrt2 * pressure / math.Sqrt(v)) }
	rate := func(v float64) float64 { a := area(v); return 5./9 + 4./9*a*a }
	v := 0.0
	for range steps {
		v += rate(v+rate(v)/steps/2) / steps
	}
	return area(v)
}

// TestRoughAreaCurve: the area of three seeds against load, from the first spots to
// nearly full contact, follows the corrected theory of Persson, to what three seeds and the
// breadth of the spectrum (Nayak 2.6) scatter.
func TestRoughAreaCurve(t *testing.T) {
	n, loads := 128, []float64{0.2, 0.8}
	if thorough.Asked() {
		n, loads = 256, []float64{0.02, 0.05, 0.1, 0.2, 0.4, 0.8}
	}
	c, _ := ElasticOnRigid(Elastic{Young: 1})
	g := Grid{NX: n, NY: n, DX: 1 / float64(n), DY: 1 / float64(n)}
	o, err := NewPeriodic(g, c)
	if err != nil {
		t.Fatal(err)
	}
	area := make([]float64, len(loads))
	for seed := range uint64(3) {
		// Four elements in the shortest wave: with two areas come out 4 % too small.
		z, err := Rough{Hurst: 0.8, Longest: 16 / float64(n), Shortest: 4 / float64(n), Height: 1e-3, Seed: seed}.Heights(g)
		if err != nil {
			t.Fatal(err)
		}
		slope := Roughness(g, z).Slope
		s := NewSolver(o, nil)
		for i, load := range loads {
			p := &Problem{Gap: z}
			p.Control[MoveN] = Control{true, load * slope}
			var r Result
			if err := s.Solve(context.Background(), p, &r); err != nil {
				t.Fatal(err)
			}
			_, a := g.ContactArea(r.P[N])
			area[i] += a / 3
		}
	}
	for i, load := range loads {
		want := wangMueser(load)
		t.Logf("p/E*h' = %.2f: area %.4f, κ %.3f; theory %.4f, uncorrected %.4f", load, area[i], area[i]/load, want,
			PerssonArea(load, 1, 1))
		near(t, "area", area[i], want, 0.05*want)
	}
}

// TestMindlinDeresiewicz: press, shear, reverse, reverse again: forces by shift
// follow the closed form of similar spheres, here with ν = 0 (Masing's rule).
func TestMindlinDeresiewicz(t *testing.T) {
	body := Elastic{Young: 2}
	const n, mu, delta = 65, 0.3, 0.01
	g := Centred(n, n, 0.24/n, 0.24/n)
	e := NewEvolution(newTestOperator(t, g, Patches{pair(t, body, body)}), Problem{
		Gap: g.Sample(Quadratic([6]float64{0.5, 0, 0.5})), Coefficient: constant(g.Len(), mu),
	}, nil)
	step := func(shift float64) float64 {
		var d Drive
		d.Control[MoveN].Value = -delta
		d.Control[MoveX].Value = shift
		if err := e.Step(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		return -e.Result().Force[MoveX]
	}
	for k := range 10 { // pressed by steps, for the work
		var d Drive
		d.Control[MoveN].Value = -delta * float64(k+1) / 10
		if err := e.Step(context.Background(), d); err != nil {
			t.Fatal(err)
		}
	}
	pressed := e.Ledger()
	load := mu * e.Result().Force[MoveN]
	virgin := func(u float64) float64 { return load * (1 - math.Pow(max(0, 1-u/(mu*delta)), 1.5)) } // C_t = C_n
	top, bottom := 0.6*mu*delta, -0.4*mu*delta
	for _, c := range []struct{ shift, want float64 }{
		{0.2 * mu * delta, virgin(0.2 * mu * delta)},
		{top, virgin(top)},
		{0.3 * mu * delta, virgin(top) - 2*virgin((top-0.3*mu*delta)/2)},
		{bottom, virgin(top) - 2*virgin((top-bottom)/2)},
		{0, virgin(top) - 2*virgin((top-bottom)/2) + 2*virgin(-bottom/2)},
		{top, virgin(top)}, // the loop is closed
	} {
		near(t, fmt.Sprintf("Q at shift %g", c.shift), step(c.shift), c.want, 2e-3*load) // of the element at the edges
	}
	l := e.Ledger()
	// The trapezoidal rule of six large steps, second order in them.
	if math.Abs(l.Residual-pressed.Residual) > 0.05*(l.Exchanged-pressed.Exchanged) || l.Dissipated <= 0 || l.Stability > 1e-8 {
		t.Errorf("balance %+v", l)
	}
	var d Drive // released
	d.Control[MoveN].Value = delta
	if err := e.Step(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	if f := e.Result().Force; f != [Moves]float64{} || e.Result().Contacts != 0 {
		t.Errorf("released, but forces %v", f)
	}
}
