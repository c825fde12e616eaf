package elastic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// TestAudit looks at the steps of a braking block, by every method, from displacements,
// velocities and reactions alone: they satisfy the scheme. Changed ones do not.
func TestAudit(t *testing.T) {
	for name, o := range map[string]elastic.Options{
		"newton": {Step: 1e-3}, "picard": {Step: 1e-3, Method: elastic.Picard},
		"central": {Step: 1e-4, Scheme: elastic.CentralDifference},
	} {
		m := s3(t, 8, 2)
		if o.Scheme == elastic.CentralDifference {
			m.Mass = fem.Lumped
		}
		s := begin(t, m, o)
		a, err := elastic.NewAudit(m, o)
		if err != nil {
			t.Fatal(err)
		}
		state := func(change func(u, v, r []float64)) *elastic.State {
			u, v, r := s.Displacement(nil), s.Velocity(nil), append([]float64(nil), s.State().R...)
			if change != nil {
				change(u, v, r)
			}
			x, err := a.State(s.State().T, u, v, r)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		off := func(e elastic.Error) float64 { return e.Size / max(e.Scale, 1e-300) }
		last, before := state(nil), s.Balance()
		for k := range 60 {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			now := state(nil)
			f, d, b := a.Check(now), a.Step(o.Step, last, now), s.Balance()
			for what, e := range map[string]elastic.Error{"gap": f.Penetration, "tension": f.Tension,
				"touching": f.Complementarity, "cone": f.Cone, "slip": f.Slip,
				"normal": f.Normal, "rest": f.Rest, "motion": d.Motion, "path": d.Path} {
				if !(off(e) <= 1e-9) { // solved to 1e-13 of the forces; slip is told to 1e-9
					t.Errorf("%s, step %d: %s is off by %g of %g at node %d", name, k+1, what, e.Size, e.Scale, e.Node)
				}
			}
			for i, w := range [][2]float64{{d.External, b.External - before.External},
				{d.Contact, b.Contact - before.Contact}, {d.Friction, b.Friction - before.Friction},
				{d.Dissipation, b.Dissipation - before.Dissipation}} {
				if math.Abs(w[0]-w[1]) > 1e-13 { // rounding of sums of 0.1 J
					t.Errorf("%s, step %d: work %d is %g, in the balance %g", name, k+1, i, w[0], w[1])
				}
			}
			if o.Scheme == elastic.Trapezoidal && math.Abs(d.Identity) > 1e-12 {
				t.Errorf("%s, step %d: the identity (51) lacks %g J", name, k+1, d.Identity)
			}
			last, before = now, b
			if k != 30 {
				continue
			}
			again, err := a.State(now.T, s.Displacement(nil), s.Velocity(nil), now.R)
			if err != nil {
				t.Fatal(err)
			}
			for what, change := range map[string]func(u, v, r []float64){
				"displacement": func(u, _, _ []float64) { u[2*20] += 1e-6 },
				"velocity":     func(_, v, _ []float64) { v[2*20+1] += 1e-6 },
				"reaction":     func(_, _, r []float64) { r[2*4] += 1e-5 },
			} {
				x := state(change)
				f, d := a.Check(x), a.Step(o.Step, again, x)
				if off(f.Normal) < 1e-9 && off(d.Motion) < 1e-9 && off(d.Path) < 1e-9 {
					t.Errorf("%s: a changed %s is not seen", name, what)
				}
			}
		}
	}
}

// TestSlowSlip: a contact that slides against no friction lacks all of it; at less than 1e-12 of
// the fastest velocity it has no direction.
func TestSlowSlip(t *testing.T) {
	m := s3(t, 3, 2)
	a, err := elastic.NewAudit(m, elastic.Options{Step: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	u, v, r := make([]float64, len(m.Mesh.X)), make([]float64, len(m.Mesh.X)), make([]float64, 2*len(m.Contacts))
	v[len(v)-1], r[0] = 1e4, 5
	for speed, want := range map[float64]float64{-1e-9: 0, 9e-9: 0, 1.1e-8: .4 * 5, -1: .4 * 5} {
		v[2*m.Contacts[0].Node] = speed
		s, err := a.State(0, u, v, r)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Check(s).Slip.Size; math.Abs(got-want) > 1e-15 { // a product
			t.Errorf("at %g m/s: %g N, want %g", speed, got, want)
		}
	}
}

// TestStandardOnAFloor: with the standard mass nodes that rest on a floor that begins to move have
// its acceleration, those that the floor leaves, or that are above it, their own.
func TestStandardOnAFloor(t *testing.T) {
	for _, c := range []struct {
		gap, speed, acceleration, want float64
		held                           bool
	}{{0, 0, 7, 7, true}, {0, 0, -9, -9, true}, {0, -1, 7, -40, false}, {.01, 0, 7, -40, false}} {
		m := s3(t, 4, 2)
		m.Inertia, m.V0 = elastic.Standard, nil
		floor := &signal.Motion{Shift: signal.Vector{signal.Constant(0), parabola{c.speed, c.acceleration}, signal.Constant(0)}}
		for k := range m.Contacts {
			m.Contacts[k].Gap = c.gap
			m.Motions = append(m.Motions, floor)
		}
		s := begin(t, m, elastic.Options{Step: 1e-3})
		for k, n := range m.Contacts {
			// The solve is to 1e-8 of forces of 1 N on masses of .01 kg; speeds are differences
			// over a step.
			if a, r := s.State().A[2*n.Node+1], s.Reactions(k)[0]; math.Abs(a-c.want) > 1e-6 || (r > 0) != c.held {
				t.Errorf("%+v: node %d has the acceleration %g and the reaction %g", c, n.Node, a, r)
			}
		}
	}
}

// TestStandardStart: with the standard mass a block above the floor begins to fall as
// gravity has it, contact nodes too, and one on the floor is held there; the first step
// of both satisfies the scheme.
func TestStandardStart(t *testing.T) {
	for gap, held := range map[float64]bool{0: true, 0.01: false} {
		m, o := s3(t, 8, 2), elastic.Options{Step: 1e-3}
		m.Inertia = elastic.Standard
		for k := range m.Contacts {
			m.Contacts[k].Gap = gap
		}
		s := begin(t, m, o)
		for k, c := range m.Contacts {
			a, r := s.State().A[2*c.Node+1], s.Reactions(k)[0]
			if held && (math.Abs(a) > 1e-9 || !(r > 0)) || !held && (math.Abs(a+40) > 1e-9 || r != 0) {
				t.Errorf("gap %g: node %d has the acceleration %g and the reaction %g", gap, c.Node, a, r)
			}
		}
		a, err := elastic.NewAudit(m, o)
		if err != nil {
			t.Fatal(err)
		}
		state := func() *elastic.State {
			x, err := a.State(s.State().T, s.Displacement(nil), s.Velocity(nil), s.State().R)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		first := state()
		if err := s.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		if e := a.Step(o.Step, first, state()).Motion; !(e.Size <= 1e-9*e.Scale) { // solved to 1e-13 of the forces
			t.Errorf("gap %g: the first step is off by %g N of %g at node %d", gap, e.Size, e.Scale, e.Node)
		}
	}
}
