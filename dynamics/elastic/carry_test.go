package elastic_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// parabola is v t + a t²/2.
type parabola struct{ v, a float64 }

func (p parabola) At(t float64) float64   { return p.v*t + p.a*t*t/2 }
func (p parabola) Rate(t float64) float64 { return p.v + p.a*t }

// TestMovingFloor: a block that lands on a floor at rest, and a block at rest that the floor hits,
// are one by Galilei: displacements differ by what the floor has gone, reactions, states and
// friction are the same, and the work of the floor closes the balance. Along the floor it may
// accelerate too, which the trapezoidal rule follows exactly: the block has the force of
// inertia then. With all masses, both methods.
func TestMovingFloor(t *testing.T) {
	const vx, vy, ax, step, until = 3, -1, 25, 5e-4, 0.03
	for _, tc := range []struct {
		name    string
		inertia elastic.Inertia
		method  elastic.Method
		gap     float64
	}{
		{"modified", elastic.Modified, elastic.Newton, 0.0103}, {"redistributed", elastic.Redistributed, elastic.Newton, 0.0103},
		{"standard", elastic.Standard, elastic.Newton, 0.0103},
		{"fixed point", elastic.Modified, elastic.Picard, 0.0103}, {"from the floor", elastic.Modified, elastic.Newton, 0},
	} {
		still := block(t, 16, 4, 0.3, tc.gap, vx, vy, -40)
		moving := block(t, 16, 4, 0.3, tc.gap, 0, 0, -40)
		still.Inertia, moving.Inertia = tc.inertia, tc.inertia
		moving.BodyForce[0] = signal.Constant(ax * moving.Material.Density)
		floor := &signal.Motion{Shift: signal.Vector{parabola{-vx, ax}, parabola{-vy, 0}, signal.Constant(0)}}
		for range moving.Contacts {
			moving.Motions = append(moving.Motions, floor)
		}
		o := elastic.Options{Step: step, Method: tc.method}
		a, b := begin(t, still, o), begin(t, moving, o)
		audit, err := elastic.NewAudit(moving, o)
		if err != nil {
			t.Fatal(err)
		}
		var last *elastic.State
		for k := range int(math.Round(until / step)) {
			for _, s := range []*elastic.Stepper{a, b} {
				if err := s.Step(context.Background()); err != nil {
					t.Fatalf("%s: %v", tc.name, err)
				}
			}
			at := b.State().T
			x, y := a.Displacement(nil), b.Displacement(nil)
			// Steps are solved to 1e-13 of forces; with the standard mass contacts chatter, which
			// takes three digits.
			for i := range x {
				if d := y[i] - floor.Shift[i%2].At(at) - x[i]; math.Abs(d) > 1e-9 {
					t.Fatalf("%s: step %d: coordinate %d is off by %g", tc.name, k, i, d)
				}
			}
			p, q := a.Contacts(nil), b.Contacts(nil)
			for c := range p {
				f, g := a.Reactions(c), b.Reactions(c)
				if math.Abs(f[0]-g[0]) > 1e-6 || math.Abs(f[1]-g[1]) > 1e-6 { // of 1e3 N/m² times the error above, over a cell
					t.Fatalf("%s: step %d: reactions %v and %v", tc.name, k, f, g)
				}
				if f[0] > 1e-3 && p[c] != q[c] {
					t.Fatalf("%s: step %d: contact %d is %v, with a floor that moves %v", tc.name, k, c, p[c], q[c])
				}
			}
			r := append([]float64(nil), b.State().R...)
			now, err := audit.State(at, y, b.Velocity(nil), r)
			if err != nil {
				t.Fatal(err)
			}
			f := audit.Check(now)
			for _, e := range []elastic.Error{f.Penetration, f.Tension, f.Complementarity, f.Cone, f.Slip, f.Rest} {
				if e.Size > 1e-9*e.Scale {
					t.Fatalf("%s: step %d: the audit says %+v", tc.name, k, f)
				}
			}
			if last != nil {
				if d := audit.Step(step, last, now); d.Path.Size > 1e-9*d.Path.Scale ||
					d.Motion.Size > 1e-9*d.Motion.Scale || math.Abs(d.Identity) > 1e-10 {
					t.Fatalf("%s: step %d: the audit says %+v", tc.name, k, d)
				}
			}
			last = now
		}
		p, q := a.Balance(), b.Balance()
		for _, pair := range [][2]float64{{p.Dissipation, q.Dissipation}, {p.Contact, q.Contact},
			{p.Friction, q.Friction}, {p.MaxFriction, q.MaxFriction}} {
			if math.Abs(pair[0]-pair[1]) > 1e-7 {
				t.Errorf("%s: balances %+v and %+v", tc.name, p, q)
			}
		}
		if p.Dissipation < 0.01 || q.Identity > 1e-11 {
			t.Errorf("%s: dissipated %g J, identity %g J", tc.name, p.Dissipation, q.Identity)
		}
	}
}

// TestTurntable: a disc that turns under the corners of a pressed elastic plate drags each contact
// against its velocity relative to the disc, μN per node. The plate, much lighter to move than
// friction can hold, is held at its top.
func TestTurntable(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{-1, -1, 0}, Size: []float64{2, 2, 1}, Cells: []int{2, 2, 1}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	contacts, err := fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(), fem.HalfSpace{Point: []float64{0, 0, 0}, Normal: []float64{0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	const mu, omega = 0.2, 3
	m := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 1e4, Poisson: 0.3, Density: 1}, Contacts: contacts,
		BodyForce: signal.Vector{signal.Constant(0), signal.Constant(0), signal.Constant(-5)}}
	disc := &signal.Motion{Axis: [3]float64{0, 0, 2}, Angle: parabola{omega, 0}}
	for range contacts {
		m.Friction, m.Motions = append(m.Friction, mu), append(m.Motions, disc)
	}
	for axis := range 3 {
		m.Prescribed = append(m.Prescribed, elastic.Prescribed{Nodes: mesh.Groups["top"].Nodes(), Axis: axis, Motion: signal.Constant(0)})
	}
	if _, err := elastic.New(context.Background(), m, elastic.Options{Step: 1e-3}); err != nil {
		t.Fatal(err)
	}
	disc.Axis = [3]float64{0, 0, 1}
	s := begin(t, m, elastic.Options{Step: 1e-3})
	for range 5 {
		if err := s.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for k, c := range contacts {
		r, x := s.Reactions(k), mesh.Node(c.Node)
		// Nodes creep by rounding of what the plate gives way: their velocities beside ω r = 3 m/s
		// turn the direction.
		fx, fy := -mu*r[0]*x[1], mu*r[0]*x[0]
		if l := math.Hypot(x[0], x[1]); l > 0 && (r[0] <= 0 || math.Hypot(r[1]*l-fx, r[2]*l-fy) > 0.05*mu*r[0]*l) {
			t.Errorf("node at %v: reaction %v, friction wants (%g, %g)", x, r, fx/l, fy/l)
		}
	}
	if b := s.Balance(); b.Identity > 1e-12 || b.Friction >= 0 || b.External <= 0 {
		t.Errorf("balance %+v", b)
	}
}

// TestMotionsRefused: obstacles that leave their plane, lists of another length, and central
// differences.
func TestMotionsRefused(t *testing.T) {
	m := block(t, 16, 4, 0.3, 0, 0, 0, -40)
	turn := &signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: signal.Constant(1)}
	shift := &signal.Motion{Shift: signal.Vector{signal.Constant(0), signal.Constant(0), signal.Constant(0)}}
	short := &signal.Motion{Shift: signal.Vector{signal.Constant(0)}}
	for _, tc := range []struct {
		count  int
		motion *signal.Motion
		scheme elastic.Scheme
		want   string
	}{
		{1, shift, elastic.Trapezoidal, "1 motions of obstacles"},
		{len(m.Contacts), turn, elastic.Trapezoidal, "out of its plane"},
		{len(m.Contacts), short, elastic.Trapezoidal, "shift of a motion"},
		{len(m.Contacts), shift, elastic.CentralDifference, "need obstacles at rest"},
		{len(m.Contacts), nil, elastic.Trapezoidal, ""},
	} {
		m.Motions = nil
		for range tc.count {
			m.Motions = append(m.Motions, tc.motion)
		}
		m.Mass = fem.Consistent
		if tc.scheme == elastic.CentralDifference {
			m.Mass = fem.Lumped
		}
		_, err := elastic.New(context.Background(), m, elastic.Options{Step: 1e-3, Scheme: tc.scheme})
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}
