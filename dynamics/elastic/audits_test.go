package elastic_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// TestAuditsOfAll: steps of all schemes, methods, masses and dimensions, under loads and supports
// that change with time, satisfy the equations that an audit looks at, at each of its places.
func TestAuditsOfAll(t *testing.T) {
	off := func(e elastic.Error) float64 { return e.Size / max(e.Scale, 1e-300) }
	for name, j := range jobs(t) {
		s := begin(t, j.m, j.o)
		a, err := elastic.NewAudit(j.m, j.o)
		if err != nil {
			t.Fatal(err)
		}
		state := func() *elastic.State {
			x, err := a.State(s.State().T, s.Displacement(nil), s.Velocity(nil), append([]float64(nil), s.State().R...))
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		last := state()
		for k := range min(j.n, 12) {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			now := state()
			f, d := a.Check(now), a.Step(j.o.Step, last, now)
			for what, e := range map[string]elastic.Error{"gap": f.Penetration, "tension": f.Tension,
				"touching": f.Complementarity, "cone": f.Cone, "slip": f.Slip,
				"normal": f.Normal, "rest": f.Rest, "support": f.Support, "motion": d.Motion, "path": d.Path} {
				if !(off(e) <= 1e-9) { // solved to 1e-13 of the forces; slip is told to 1e-9
					t.Errorf("%s, step %d: %s is off by %g of %g at node %d", name, k+1, what, e.Size, e.Scale, e.Node)
				}
			}
			last = now
		}
	}
}

// TestRoundedPlaces: a body that flies has an exact step, whatever its length: rounded
// displacements and the velocities that follow from them satisfy the equations also where steps are
// so short that the rounding is most of the forces, as where a run by accuracy nears a wall. Such
// steps were refused.
func TestRoundedPlaces(t *testing.T) {
	m := bar(t, 4, fem.Consistent, elastic.Modified)
	a, err := elastic.NewAudit(m, elastic.Options{Step: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := m.Mesh.NumNodes()
	for _, dt := range []float64{1e-3, 1e-5, 1e-6, 1e-7} {
		u, v, none := slices.Repeat([]float64{4.7}, n), slices.Repeat([]float64{1 / 3.0}, n), make([]float64, 2*len(m.Contacts))
		next, speed := make([]float64, n), make([]float64, n)
		for i := range u {
			next[i] = u[i] + dt*v[i]
			if i%2 == 1 {
				next[i] = math.Nextafter(next[i], 0)
			}
			speed[i] = 2*(next[i]-u[i])/dt - v[i]
		}
		s, err := a.State(1, u, v, none)
		if err != nil {
			t.Fatal(err)
		}
		x, err := a.State(1+dt, next, speed, none)
		if err != nil {
			t.Fatal(err)
		}
		if d := a.Step(dt, s, x).Motion; !(d.Size <= 1e-9*d.Scale) {
			t.Errorf("steps of %g s: off by %g N of %g N", dt, d.Size, 1e-9*d.Scale)
		}
	}
}
