package elastic_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// row is a line of the tables S1 and S3, as printed.
type row struct {
	t                                     float64
	vx, vy, kinetic, elastic, n, friction string
	contact, stick                        int
}

var (
	tableS1 = []row{
		{.0125, "2.949140", "-.7965593", "1.163829", ".03023675", "31.96080", "-9.588239", 17, 0},
		{.020, "2.632139", ".4714429", ".9164927", ".0844213", "38.57376", "-11.57213", 17, 0},
		{.05, "2.517891", ".9284367", ".9088931", ".02110078", "0", "0", 0, 0},
	}
	tableS3 = []row{
		{.005, ".9694562", "-.1483687", ".1203191", ".001533668", "7.243169", "-2.897267", 17, 0},
		{.05, ".1802883", ".1295682", ".01675201", ".01213423", "9.358135", "-3.100636", 15, 3},
	}
)

// printed compares with a number of the reference sheet: to half a unit of the
// last of its digits, and as much rounding as decides them.
func printed(t *testing.T, what string, got float64, want string) {
	t.Helper()
	value, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	unit := 1.0
	mantissa, exponent, _ := strings.Cut(want, "e")
	if _, decimals, found := strings.Cut(mantissa, "."); found {
		unit = math.Pow(10, -float64(len(decimals)))
	}
	if exponent != "" {
		e, _ := strconv.Atoi(exponent)
		unit *= math.Pow(10, float64(e))
	}
	if value == 0 {
		unit = 0
	}
	if !(math.Abs(got-value) <= 0.51*unit) {
		t.Errorf("%s = %.10g, want %s", what, got, want)
	}
}

func checkRow(t *testing.T, s *elastic.Stepper, want row) {
	t.Helper()
	p, e := s.Momentum(), s.Energies()
	n, f := s.Resultant()
	printed(t, "vx", p[0]/.25, want.vx)
	printed(t, "vy", p[1]/(.25-2./3/16), want.vy)
	printed(t, "Ekin", e.Kinetic, want.kinetic)
	printed(t, "Eel", e.Elastic, want.elastic)
	printed(t, "N", n, want.n)
	printed(t, "T", f, want.friction)
	var count [3]int
	for _, c := range s.Contacts(nil) {
		count[c]++
	}
	if count[elastic.Stick] != want.stick || count[elastic.Stick]+count[elastic.Slip] != want.contact {
		t.Errorf("t = %g: %d in contact, %d stick, want %d, %d", want.t, count[1]+count[2], count[1], want.contact, want.stick)
	}
}

// TestTables: S1 and S3 by both methods.
func TestTables(t *testing.T) {
	for name, c := range map[string]struct {
		model *elastic.Model
		rows  []row
		until float64
		vx    string
	}{
		"S1": {s1(t, 16, 4), tableS1, 0.05, "2.517891"},
		"S3": {s3(t, 16, 4), tableS3, 0.1, "-.043196"},
	} {
		for _, method := range []elastic.Method{elastic.Newton, elastic.Picard} {
			s := run(t, c.model, elastic.Options{Step: 5e-4, Method: method}, c.until, func(s *elastic.Stepper) {
				for _, r := range c.rows {
					if math.Abs(s.State().T-r.t) < 1e-9 {
						checkRow(t, s, r)
					}
				}
			})
			printed(t, name+" vx(T)", s.Momentum()[0]/.25, c.vx)
			checkBalance(t, name, s)
		}
	}
}

// checkBalance: the identity (51) to roundoff of forces of 1e3 in a body of 1 J,
// no penetration, friction that never gives energy.
func checkBalance(t *testing.T, name string, s *elastic.Stepper) {
	t.Helper()
	b := s.Balance()
	if b.Identity > 7e-13 || b.Penetration > 2e-18 || b.MaxFriction > 0 {
		t.Errorf("%s: identity %.2g, penetration %.2g, friction power %.2g", name, b.Identity, b.Penetration, b.MaxFriction)
	}
}

// TestSteps: vx(T) over the steps of the sheet; the work of λ_c tends to zero.
func TestSteps(t *testing.T) {
	steps := []float64{1e-3, 5e-4, 2.5e-4, 1.25e-4}
	for name, c := range map[string]struct {
		model *elastic.Model
		until float64
		want  [4]string
	}{
		"S1": {s1(t, 16, 4), 0.05, [4]string{"2.516122", "2.517891", "2.518572", "2.518836"}},
		"S3": {s3(t, 16, 4), 0.1, [4]string{"-.039732", "-.043196", "-.040509", "-.040257"}},
	} {
		last := math.Inf(1)
		for k, dt := range steps {
			s := run(t, c.model, elastic.Options{Step: dt}, c.until, nil)
			printed(t, fmt.Sprintf("%s Δt = %g: vx(T)", name, dt), s.Momentum()[0]/.25, c.want[k])
			checkBalance(t, name, s)
			work := math.Abs(s.Balance().Contact)
			t.Logf("%s Δt = %g: contact work %.3g, residual of (27) %.3g", name, dt, s.Balance().Contact, s.Balance().Residual)
			if work > last {
				t.Errorf("%s Δt = %g: contact work %g after %g", name, dt, work, last)
			}
			last = work
		}
	}
}

// TestPicard: iterations of Theorem 4's fixed point over S1, and its measured
// contraction, ∝ r² for small r.
func TestPicard(t *testing.T) {
	var factor []float64
	for k, dt := range []float64{1e-3, 5e-4, 2.5e-4, 1.25e-4} {
		var iterations []int
		var contraction []float64
		run(t, s1(t, 16, 4), elastic.Options{Step: dt, Method: elastic.Picard}, 0.05, func(s *elastic.Stepper) {
			iterations = append(iterations, s.Stats().Iterations)
			if c := s.Stats().Contraction; c > 0 {
				contraction = append(contraction, c)
			}
		})
		slices.Sort(iterations)
		slices.Sort(contraction)
		got := [2]int{iterations[len(iterations)/2], iterations[len(iterations)-1]}
		if want := [][2]int{{13, 17}, {9, 11}, {7, 8}, {5, 6}}[k]; got != want {
			t.Errorf("Δt = %g: iterations %v, want %v", dt, got, want)
		}
		factor = append(factor, contraction[len(contraction)/2])
		if c := begin(t, s1(t, 16, 4), elastic.Options{Step: dt,
			Method: elastic.Picard}).Certificate(); factor[k] > c.Contraction || !c.Unique {
			t.Errorf("Δt = %g: contraction %g measured, the certificate has %+v", dt, factor[k], c)
		}
	}
	t.Logf("contraction %.4g", factor)
	if ratio := factor[2] / factor[3]; math.Abs(ratio-4) > 0.4 {
		t.Errorf("contraction shrinks by %g, want 4", ratio)
	}
}

// TestContractionBound: ∝ r² for r ≤ .1, and the certificate warns where it must.
func TestContractionBound(t *testing.T) {
	bound := func(r float64) elastic.Certificate {
		m := s1(t, 16, 4)
		return run(t, m, elastic.Options{Step: r / 16 / m.Material.WaveSpeed(2)}, 0, nil).Certificate()
	}
	a, b := bound(0.1), bound(0.05)
	if ratio := a.Contraction / b.Contraction; math.Abs(ratio-4) > 0.2 {
		t.Errorf("bounds %g and %g: ratio %g, want 4", a.Contraction, b.Contraction, ratio)
	}
	if len(a.Warnings) > 0 {
		t.Error(a.Warnings)
	}
	m := block(t, 4, 1, 1.4, 0, 0, 0, 0)
	c := run(t, m, elastic.Options{Step: 10. / 4 / m.Material.WaveSpeed(2)}, 0, nil).Certificate()
	if len(c.Warnings) != 1 {
		t.Errorf("μ = 1.4 at r = 10, above the critical 1.29: %+v", c)
	}
	t.Log(c.Warnings)
}

// TestTilted: a turned block and obstacle give the turned motion.
func TestTilted(t *testing.T) {
	const cos, sin = 0.8, 0.6
	turn := func(x, y float64) (float64, float64) { return cos*x - sin*y, sin*x + cos*y }
	level, tilted := s3(t, 8, 2), s3(t, 8, 2)
	for i := range tilted.Mesh.NumNodes() {
		x, v := tilted.Mesh.Node(i), tilted.V0[2*i:2*i+2]
		x[0], x[1] = turn(x[0], x[1])
		v[0], v[1] = turn(v[0], v[1])
	}
	gx, gy := turn(0, -40)
	tilted.BodyForce = signal.Vector{signal.Constant(gx), signal.Constant(gy)}
	nx, ny := turn(0, 1)
	var err error
	tilted.Contacts, err = fem.Contacts(tilted.Mesh, tilted.Mesh.Groups["bottom"].Nodes(),
		fem.HalfSpace{Point: []float64{0, 0}, Normal: []float64{nx, ny}})
	if err != nil {
		t.Fatal(err)
	}
	a := run(t, level, elastic.Options{Step: 1e-3}, 0.02, nil)
	b := run(t, tilted, elastic.Options{Step: 1e-3}, 0.02, nil)
	u, w := a.Displacement(nil), b.Displacement(nil)
	for i := range level.Mesh.NumNodes() {
		x, y := turn(u[2*i], u[2*i+1])
		near(t, "ux", w[2*i], x, 1e-12)
		near(t, "uy", w[2*i+1], y, 1e-12)
	}
}

// TestExplicitBlock: central differences with friction come near the implicit
// run on the same lumped mass; both are of second order away from events.
func TestExplicitBlock(t *testing.T) {
	m := s1(t, 16, 4)
	m.Mass = fem.Lumped
	a := run(t, m, elastic.Options{Step: 1.25e-4}, 0.05, nil)
	b := run(t, m, elastic.Options{Step: 1.25e-4, Scheme: elastic.CentralDifference}, 0.05, nil)
	near(t, "vx", b.Momentum()[0], a.Momentum()[0], 1e-3)
	near(t, "energy", b.Energies().Total(), a.Energies().Total(), 5e-3)
}

// TestSupported: a block hung at its top, which is shaken, in three dimensions;
// the identity holds with the work of the supports.
func TestSupported(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0, 0}, Size: []float64{1, 0.5, 0.5}, Cells: []int{4, 2, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	contacts, err := fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(), fem.HalfSpace{Point: []float64{0, 0, 0}, Normal: []float64{0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	m := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 1000, Poisson: 0.3, Density: 1}, Contacts: contacts}
	for range contacts {
		m.Friction = append(m.Friction, 0.3)
	}
	top := mesh.Groups["top"].Nodes()
	for axis, amplitude := range []float64{0.01, 0.004, -0.01} {
		motion, err := signal.NewSine(amplitude, 10, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		m.Prescribed = append(m.Prescribed, elastic.Prescribed{Nodes: top, Axis: axis, Motion: motion})
	}
	for _, method := range []elastic.Method{elastic.Newton, elastic.Picard} {
		s := run(t, m, elastic.Options{Step: 1e-3, Method: method}, 0.05, nil)
		if b := s.Balance(); b.Identity > 1e-12 || b.Penetration > 0 || b.Dissipation <= 0 {
			t.Errorf("%+v", b)
		}
	}
}

// TestRedistributed: the whole mass is back, and the moment of inertia.
func TestRedistributed(t *testing.T) {
	m := s1(t, 16, 4)
	m.Inertia = elastic.Redistributed
	s := run(t, m, elastic.Options{Step: 5e-4}, 0.05, nil)
	b := s.Balance()
	// ½·.25·(9+1) less the kinetic energy that the row sums of single nodes miss
	near(t, "E(0)", b.Initial, 1.25, 1e-12)
	if b.Identity > 7e-13 {
		t.Errorf("identity %g", b.Identity)
	}
	modes, least, most := s.RigidMass()
	for _, x := range modes { // two translations, a rotation
		near(t, x.Mode, x.Used, x.Standard, 1e-12)
	}
	if len(modes) != 3 || !(0 < least && least < 1 && 1 < most && most < 3) {
		t.Errorf("%v, nodes have %g to %g times their mass", modes, least, most)
	}
	m.Inertia = elastic.Modified
	modes, least, most = begin(t, m, elastic.Options{Step: 5e-4}).RigidMass()
	near(t, "mass along x", modes[0].Used, .25, 1e-14)
	near(t, "mass along y", modes[1].Used, .25-2./3/16, 1e-14)
	if least != 1 || most != 1 || !(modes[2].Used < modes[2].Standard) {
		t.Errorf("%v, %g, %g", modes, least, most)
	}
}

func TestDeterminism(t *testing.T) {
	a := run(t, s3(t, 8, 2), elastic.Options{Step: 1e-3}, 0.03, nil)
	b := run(t, s3(t, 8, 2), elastic.Options{Step: 1e-3}, 0.03, nil)
	if !slices.Equal(a.State().U, b.State().U) {
		t.Error("two runs differ")
	}
}

func BenchmarkBlock64x16(b *testing.B) {
	m := s3(b, 64, 16)
	s := run(b, m, elastic.Options{Step: 1.25e-4}, 0.01, nil)
	b.ReportAllocs()
	factors := 0
	for b.Loop() {
		if err := s.Step(b.Context()); err != nil {
			b.Fatal(err)
		}
		factors += s.Stats().Factors
	}
	b.ReportMetric(float64(factors)/float64(b.N), "factors/op")
}

// TestAllocations: a warm step allocates nothing.
func TestAllocations(t *testing.T) {
	lumped := s3(t, 16, 4)
	lumped.Mass = fem.Lumped
	for name, s := range map[string]*elastic.Stepper{
		"newton":      run(t, s3(t, 16, 4), elastic.Options{Step: 5e-4}, 0.02, nil),
		"fixed point": run(t, s3(t, 16, 4), elastic.Options{Step: 5e-4, Method: elastic.Picard}, 0.02, nil),
		"central":     run(t, lumped, elastic.Options{Step: 1e-4, Scheme: elastic.CentralDifference}, 0.02, nil),
		"bar":         run(t, bar(t, 100, fem.Consistent, elastic.Modified), elastic.Options{Step: 1. / 600}, 0.6, nil),
	} {
		n := testing.AllocsPerRun(50, func() {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		})
		if n > 0 {
			t.Errorf("%s: %g allocations a step", name, n)
		}
	}
}
