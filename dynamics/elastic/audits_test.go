package elastic_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
)

// TestAuditsOfAll: steps of all schemes, methods, masses and dimensions, under loads and supports that change with time, satisfy the equations that an audit
// looks at, at each of its places.
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
			for what, e := range map[string]elastic.Error{"gap": f.Penetration, "tension": f.Tension, "touching": f.Complementarity, "cone": f.Cone, "slip": f.Slip,
				"normal": f.Normal, "rest": f.Rest, "support": f.Support, "motion": d.Motion, "path": d.Path} {
				if !(off(e) <= 1e-9) { // solved to 1e-13 of the forces; slip is told to 1e-9
					t.Errorf("%s, step %d: %s is off by %g of %g at node %d", name, k+1, what, e.Size, e.Scale, e.Node)
				}
			}
			last = now
		}
	}
}
