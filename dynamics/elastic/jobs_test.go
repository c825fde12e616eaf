package elastic_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// brick is a block in space that is pulled along a floor that is askew and held at one side.
func brick(t testing.TB, inertia elastic.Inertia, mass fem.MassKind, held bool) *elastic.Model {
	t.Helper()
	mesh, err := fem.Box{Corner: []float64{0, 0, 0}, Size: []float64{1, .6, .4}, Cells: []int{3, 2, 1}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	normal := []float64{.06, 0, .99819837707742}
	if mass == fem.Lumped {
		normal = []float64{0, 0, 1}
	}
	contacts, err := fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(), fem.HalfSpace{Point: []float64{0, 0, -.001}, Normal: normal})
	if err != nil {
		t.Fatal(err)
	}
	m := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 500, Poisson: .25, Density: 2}, Mass: mass,
		Inertia: inertia, Contacts: contacts, BodyForce: signal.Vector{signal.Constant(3), signal.Constant(1), signal.Constant(-30)}}
	for k := range contacts {
		m.Friction = append(m.Friction, .3+.02*float64(k))
	}
	for i := range mesh.NumNodes() {
		m.V0 = append(m.V0, .5, .1*float64(i%3), -.2)
	}
	push, err := signal.NewSine(0, 20, 8, .3)
	if err != nil {
		t.Fatal(err)
	}
	m.Tractions = []elastic.Traction{{Group: mesh.Groups["top"], Force: signal.Vector{push, signal.Constant(2), signal.Constant(-5)}}}
	if held {
		shake, err := signal.NewSine(0, .002, 10, 0)
		if err != nil {
			t.Fatal(err)
		}
		var side []int
		for _, i := range mesh.Groups["left"].Nodes() {
			if !slices.ContainsFunc(contacts, func(c fem.ContactNode) bool { return c.Node == i }) {
				side = append(side, i)
			}
		}
		m.Prescribed = []elastic.Prescribed{{Nodes: side, Axis: 1, Motion: shake}, {Nodes: side[:1], Axis: 0, Motion: signal.Constant(0)}}
	}
	return m
}

// two is two blocks of one mesh; the second one flies at a speed.
func two(m *elastic.Model, speed float64) *elastic.Model {
	n := m.Mesh.NumNodes()
	for i := range n {
		x := m.Mesh.Node(i)
		m.Mesh.X = append(m.Mesh.X, x[0], x[1]+10)
	}
	for _, i := range m.Mesh.Elem[:len(m.Mesh.Elem):len(m.Mesh.Elem)] {
		m.Mesh.Elem = append(m.Mesh.Elem, i+n)
	}
	for range n {
		m.V0 = append(m.V0, 0, speed)
	}
	return m
}

// carried is a brick away from the origin on an obstacle that shifts, also off the brick and faster
// than it, and turns, but for one contact whose obstacle rests; it is held by one component of one
// node that moves.
func carried(t testing.TB, inertia elastic.Inertia) *elastic.Model {
	m := brick(t, inertia, fem.Consistent, false)
	for i := range m.Mesh.X {
		m.Mesh.X[i] += []float64{.7, -.4, .2}[i%3]
	}
	floor := &signal.Motion{Shift: signal.Vector{parabola{2, -9}, parabola{-.8, 5}, parabola{.03, .4}},
		Center: [3]float64{.3, .1, 0}, Axis: [3]float64{.06, 0, .99819837707742}, Angle: parabola{1.5, 8}}
	for range m.Contacts {
		m.Motions = append(m.Motions, floor)
	}
	m.Motions[2] = nil
	m.Prescribed = []elastic.Prescribed{{Nodes: m.Mesh.Groups["top"].Nodes()[:1], Axis: 1, Motion: parabola{.1, 3}}}
	return m
}

// pushedBar is a bar between a wall that comes and an end that is pulled, both at speeds that
// change.
func pushedBar(t testing.TB, inertia elastic.Inertia) *elastic.Model {
	m := bar(t, 9, fem.Consistent, inertia)
	m.Motions = []*signal.Motion{{Shift: signal.Vector{parabola{4, 7}, signal.Constant(0), signal.Constant(0)}}}
	m.Prescribed = []elastic.Prescribed{{Nodes: m.Mesh.Groups["right"].Nodes(), Axis: 0, Motion: parabola{-10, 6}}}
	return m
}

type job struct {
	m *elastic.Model
	o elastic.Options
	n int
}

// jobs are small runs by each scheme, method and mass.
func jobs(t testing.TB) map[string]job {
	c := elastic.CentralDifference
	lumped := s3(t, 6, 2)
	lumped.Mass = fem.Lumped
	redistributed := s3(t, 8, 4)
	redistributed.Inertia = elastic.Redistributed
	return map[string]job{
		"newton":            {s3(t, 6, 2), elastic.Options{Step: 2e-3}, 40},
		"picard":            {s3(t, 6, 2), elastic.Options{Step: 2e-3, Method: elastic.Picard}, 40},
		"central":           {lumped, elastic.Options{Step: 5e-4, Scheme: c}, 60},
		"bounce":            {s1(t, 6, 2), elastic.Options{Step: 1e-3}, 40},
		"wall":              {bar(t, 12, fem.Consistent, elastic.Modified), elastic.Options{Step: 2e-2}, 60},
		"wallCentral":       {bar(t, 12, fem.Lumped, elastic.Modified), elastic.Options{Step: 2e-2, Scheme: c}, 60},
		"wallStandard":      {bar(t, 12, fem.Lumped, elastic.Standard), elastic.Options{Step: 2e-2}, 60},
		"brick":             {brick(t, elastic.Modified, fem.Consistent, true), elastic.Options{Step: 2e-3}, 25},
		"brickPicard":       {brick(t, elastic.Modified, fem.Consistent, false), elastic.Options{Step: 2e-3, Method: elastic.Picard}, 25},
		"brickStandard":     {brick(t, elastic.Standard, fem.Consistent, true), elastic.Options{Step: 2e-3}, 25},
		"redistributed":     {redistributed, elastic.Options{Step: 2e-3}, 40},
		"brickCentral":      {brick(t, elastic.Modified, fem.Lumped, true), elastic.Options{Step: 5e-4, Scheme: c}, 40},
		"two":               {two(s1(t, 4, 2), 3), elastic.Options{Step: 1e-3}, 20},
		"carried":           {carried(t, elastic.Modified), elastic.Options{Step: 2e-3}, 12},
		"carriedPicard":     {carried(t, elastic.Modified), elastic.Options{Step: 2e-3, Method: elastic.Picard}, 12},
		"carriedStandard":   {carried(t, elastic.Standard), elastic.Options{Step: 2e-3}, 12},
		"pushedBar":         {pushedBar(t, elastic.Modified), elastic.Options{Step: 2e-2}, 30},
		"pushedBarStandard": {pushedBar(t, elastic.Standard), elastic.Options{Step: 2e-2}, 30},
	}
}

// TestLimitsOfOptions: what may be asked ends where it says so.
func TestLimitsOfOptions(t *testing.T) {
	for _, c := range []struct {
		o  elastic.Options
		ok bool
	}{
		{elastic.Options{Step: 1}, true}, {elastic.Options{Step: 0}, false},
		{elastic.Options{Step: math.Inf(1)}, false}, {elastic.Options{Step: -1}, false},
		{elastic.Options{Step: 1, Scheme: 2}, false}, {elastic.Options{Step: 1, Scheme: -1}, false},
		{elastic.Options{Step: 1, Scheme: elastic.CentralDifference}, true},
		{elastic.Options{Step: 1, Method: 2}, false}, {elastic.Options{Step: 1, Method: elastic.Picard}, true},
		{elastic.Options{Step: 1, Tolerance: 1e-3}, true}, {elastic.Options{Step: 1, Tolerance: 1.01e-3}, false},
		{elastic.Options{Step: 1, Tolerance: -1e-9}, false}, {elastic.Options{Step: 1, Tolerance: math.NaN()}, false},
		{elastic.Options{Step: 1, MaxIterations: -1}, false}, {elastic.Options{Step: 1, MaxIterations: 1}, true},
	} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	for name, spoil := range map[string]func(m *elastic.Model){
		"": func(m *elastic.Model) {}, "mesh": func(m *elastic.Model) { m.Mesh = nil },
		"density":          func(m *elastic.Model) { m.Material.Density = 0 },
		"negative density": func(m *elastic.Model) { m.Material.Density = -1 },
		"inertia":          func(m *elastic.Model) { m.Inertia = 3 }, "negative inertia": func(m *elastic.Model) { m.Inertia = -1 },
		"V0": func(m *elastic.Model) { m.V0 = m.V0[1:] }, "U0": func(m *elastic.Model) { m.U0 = make([]float64, 3) },
		"infinite": func(m *elastic.Model) { m.V0[4] = math.Inf(1) }, "NaN": func(m *elastic.Model) { m.V0[4] = math.NaN() },
		"few coefficients":   func(m *elastic.Model) { m.Friction = m.Friction[1:] },
		"negative":           func(m *elastic.Model) { m.Friction[2] = -1e-9 },
		"endless":            func(m *elastic.Model) { m.Friction[2] = math.Inf(1) },
		"twice":              func(m *elastic.Model) { m.Contacts[1].Node = m.Contacts[0].Node },
		"no node":            func(m *elastic.Model) { m.Contacts[1].Node = m.Mesh.NumNodes() },
		"below":              func(m *elastic.Model) { m.Contacts[1].Node = -1 },
		"axis":               func(m *elastic.Model) { prescribe(m, "top", 2) },
		"negative axis":      func(m *elastic.Model) { prescribe(m, "top", -1) },
		"prescribed twice":   func(m *elastic.Model) { prescribe(m, "top", 0); prescribe(m, "top", 0) },
		"prescribed contact": func(m *elastic.Model) { prescribe(m, "bottom", 0) },
		"body force":         func(m *elastic.Model) { m.BodyForce = m.BodyForce[:1] }, "traction": func(m *elastic.Model) {
			m.Tractions = []elastic.Traction{{Group: m.Mesh.Groups["top"], Force: signal.Vector{signal.Constant(1)}}}
		}, "no motion": func(m *elastic.Model) {
			m.Prescribed = []elastic.Prescribed{{Nodes: m.Mesh.Groups["top"].Nodes(), Axis: 0}}
		}, "far node": func(m *elastic.Model) {
			m.Prescribed = []elastic.Prescribed{{Nodes: []int{m.Mesh.NumNodes()}, Axis: 0, Motion: signal.Constant(0)}}
		},
	} {
		m := s3(t, 4, 2)
		if spoil(m); (m.Validate() == nil) != (name == "") {
			t.Errorf("%q: %v", name, m.Validate())
		}
	}
	m := s3(t, 4, 2) // the last node, friction of zero, and both axes are fine
	m.Friction[0] = 0
	prescribe(m, "top", 0)
	prescribe(m, "top", 1)
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
}
