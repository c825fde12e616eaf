package halfspace

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestCarter: steady rolling of cylinders as CONTACT's example carter2d has it, 50
// elements in contact, 30 of them sticking and FX/(μFN) = .6480; the exact answer
// is .64.
func TestCarter(t *testing.T) {
	body := Elastic{Young: 2 * 82000 * 1.28, Poisson: 0.28}
	g := Grid{NX: 55, NY: 1, DX: 0.04, DY: 200, X0: -1.05}
	op := newTestOperator(t, g, Patches{pair(t, body, body)})
	gap := make([]float64, g.Len())
	for k := range gap {
		x, _ := g.At(k)
		gap[k] = 0.001 * x * x
	}
	e := NewEvolution(op, Problem{Gap: gap, Coefficient: constant(g.Len(), 0.3)}, nil)
	c := Creep{Roll: [2]float64{0.0401}}
	c.Control[MoveN] = Control{true, 35780}
	c.Control[MoveX].Value = -0.00024
	if err := e.Steady(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	r := e.Result()
	t.Log(r.Products, r.Verdict, r.Force)
	near(t, "FX/(mu FN)", r.Force[MoveX]/(0.3*35780), 0.6480, 5e-5)
	if r.Contacts != 50 || r.Sticking != 30 {
		t.Errorf("%d elements in contact, %d sticking, want 50 and 30", r.Contacts, r.Sticking)
	}
	near(t, "theory", r.Force[MoveX]/(0.3*35780), 0.64, 0.01)
}

// TestKalkerCoefficients: steady rolling of spheres with ν = ¼ and little creepage:
// Kalker's C11 = 4.12, C22 = 3.67, C23 = 1.47 [Kalker90, appendix E], within a percent
// on 121×121 elements.
func TestKalkerCoefficients(t *testing.T) {
	thorough.Seconds(t)
	const shear, nu, radius, creepage = 1.0, 0.25, 100.0, 1e-5
	body := Elastic{Young: 2 * shear * (1 + nu), Poisson: nu}
	load := 4. / 3 * body.Young / (1 - nu*nu) / 2 / radius // a = 1
	coefficient := func(n, m int) float64 {
		w := 2.2 / float64(n)
		g := Centred(n, n, w, w)
		e := NewEvolution(newTestOperator(t, g, Patches{pair(t, body, body)}),
			Problem{Gap: sphere(g, 0.5/radius), Coefficient: constant(g.Len(), 10)}, nil)
		c := Creep{Roll: [2]float64{w}}
		c.Control[MoveN] = Control{true, load}
		c.Control[m].Value = creepage
		if err := e.Steady(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		along := MoveY
		if m == MoveX {
			along = MoveX
		}
		return -e.Result().Force[along] / (shear * creepage)
	}
	for _, c := range []struct {
		name string
		m    int
		want float64
	}{{"C11", MoveX, 4.12}, {"C22", MoveY, 3.67}, {"C23", TurnN, 1.47}} {
		near(t, c.name, math.Abs(coefficient(121, c.m)), c.want, 0.01*c.want)
	}
}

// TestBentallJohnson: dissimilar rollers under no load along the surface creep all the
// same, since the stiffer one stretches less: by less than Dundurs' β times the half width
// over the radius, .01; and they slip in part of the contact.
func TestBentallJohnson(t *testing.T) {
	soft, stiff := Elastic{Young: 1, Poisson: 0.2}, Elastic{Young: 3, Poisson: 0.3}
	bodies := pair(t, soft, stiff)
	beta := bodies.D / bodies.A
	g := Grid{NX: 41, NY: 1, DX: 0.06, DY: 300, X0: -1.2}
	e := NewEvolution(newTestOperator(t, g, Patches{bodies}),
		Problem{Gap: g.Sample(Quadratic([6]float64{0.005})), Coefficient: constant(g.Len(), 0.1)}, nil)
	creep := 0.0
	for k := range 60 {
		var d Drive
		d.Control[MoveN], d.Control[MoveX] = Control{true, 1.8}, Control{Force: true} // half width 1
		if k > 0 {
			d.Roll[0] = 0.06
		}
		if err := e.Step(context.Background(), d); err != nil {
			t.Fatalf("step %d: %v", k, err)
		}
		creep = e.Result().Move[MoveX] / 0.06
	}
	r := e.Result()
	if creep >= 0 || creep < -beta*0.01 || r.Sticking == 0 || r.Sticking == r.Contacts {
		t.Errorf("creepage %g, %d of %d elements stick", creep, r.Sticking, r.Contacts)
	}
}

// TestBentallJohnsonOfCONTACT: rollers of aluminium and steel in steady rolling, the
// example of CONTACT after Bentall and Johnson, and more friction: creepages or loads,
// elements in contact and sticking are those that CONTACT prints.
func TestBentallJohnsonOfCONTACT(t *testing.T) {
	const load, n = 16201.9, 216
	aluminium, steel := Elastic{Young: 2 * 23000 * 1.31, Poisson: 0.31}, Elastic{Young: 2 * 82000 * 1.28, Poisson: 0.28}
	g := Centred(n, 1, 0.001, 1000)
	op := newTestOperator(t, g, Patches{pair(t, aluminium, steel)})
	for _, c := range []struct {
		mu, share, creepage float64
		contacts, sticking  int
	}{
		{1e-4, 0, 5.260e-4, 200, 1},
		{10, 0, 3.591e-4, 200, 200},
		{0.05, 0, 4.294e-4, 200, 125},
		{0.05, 0.75, 2.108e-4, 200, 36},
		{0.05, -0.75, 5.392e-4, 201, 106},
	} {
		e := NewEvolution(op, Problem{Gap: g.Sample(Quadratic([6]float64{0.02})), Coefficient: constant(n, c.mu)}, &Options{Gap: 1e-11})
		d := Creep{Roll: [2]float64{-0.001}}
		d.Control[MoveN], d.Control[MoveX] = Control{true, load}, Control{true, c.share * c.mu * load}
		if err := e.Steady(context.Background(), d); err != nil {
			t.Errorf("mu %v, share %v: %v", c.mu, c.share, err)
			continue
		}
		r := e.Result()
		near(t, "creepage", e.Creepages()[MoveX], c.creepage, 0.6e-7) // the digits printed
		if r.Contacts != c.contacts || r.Sticking != c.sticking {
			t.Errorf("mu %v, share %v: %d in contact, %d stick, want %d and %d", c.mu, c.share, r.Contacts, r.Sticking,
				c.contacts, c.sticking)
		}
	}
}

// TestSteadyIsEndOfTransient: the steady state is where transient rolling of the same
// bodies ends, here dissimilar ones under a load and with spin.
func TestSteadyIsEndOfTransient(t *testing.T) {
	bodies := pair(t, Elastic{Young: 1, Poisson: 0.1}, Elastic{Young: 4, Poisson: 0.3})
	g := Centred(19, 17, 0.12, 0.12)
	op := newTestOperator(t, g, Patches{bodies})
	problem := Problem{Gap: sphere(g, 0.005), Coefficient: constant(g.Len(), 0.2)}
	load := 0.01
	var control [Moves]Control
	control[MoveN], control[MoveX], control[MoveY] = Control{true, load}, Control{true, 0.1 * 0.2 * load}, Control{true, -0.3 * 0.2 * load}
	steady := NewEvolution(op, problem, nil)
	c := Creep{Roll: [2]float64{0.12}, Control: control}
	c.Control[TurnN].Value = 0.002
	if err := steady.Steady(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	transient := NewEvolution(op, problem, nil)
	for k := range 120 {
		d := Drive{Control: control}
		if d.Control[TurnN].Value = 0.002 * 0.12 * float64(k); k > 0 {
			d.Roll[0] = 0.12
		}
		if err := transient.Step(context.Background(), d); err != nil {
			t.Fatal(err)
		}
	}
	a, b := steady.Result(), transient.Result()
	for m := range Moves {
		near(t, "move", a.Move[m], b.Move[m], 1e-3*math.Abs(b.Move[MoveN])) // of the duality gaps 1e-8, a root
	}
	for comp := range 3 {
		for k := range a.P[comp] {
			near(t, "traction", a.P[comp][k], b.P[comp][k], 1e-3*maximum(b.P[N]))
		}
	}
}

// TestSteadyLoads: steady rolling under loads along both axes and a spin ends after few products,
// as many as without loads: its preconditioner is not symmetric, nor is what restores the loads.
func TestSteadyLoads(t *testing.T) {
	const mu = 0.3
	m := Elastic{Young: 200, Poisson: 0.1}
	for _, lower := range []Elastic{m, {Young: 500, Poisson: 0.4}} {
		bodies, err := ElasticPair(m, lower)
		if err != nil {
			t.Fatal(err)
		}
		g := Centred(25, 25, 0.1, 0.1)
		op := newTestOperator(t, g, Patches{bodies})
		coefficient := make([]float64, g.Len())
		for k := range coefficient {
			coefficient[k] = mu
		}
		e := NewEvolution(op, Problem{Gap: g.Sample(Quadratic([6]float64{0.01, 0, 0.013})), Coefficient: coefficient}, &Options{Gap: 1e-7})
		const load = 1.2
		c := Creep{Roll: [2]float64{0.1}}
		c.Control[MoveN] = Control{Force: true, Value: load}
		c.Control[MoveX] = Control{Force: true, Value: 0.43 * mu * load}
		c.Control[MoveY] = Control{Force: true, Value: 0.54 * mu * load}
		c.Control[TurnN] = Control{Value: -0.002}
		if err := e.Steady(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		r := e.Result()
		limit := map[bool]int{true: 200, false: 400}[lower == m] // 117 and 237; 606 and 1,273 with the transpose of AᵀM⁻¹A
		if r.Contacts < 100 || r.Sticking < 50 || r.Products > limit {
			t.Errorf("lower %v: %d products, %d in contact, %d stick", lower, r.Products, r.Contacts, r.Sticking)
		}
	}
}
