package elastic_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/fem"
)

// braked is a block of 1 m × .25 m and 1 kg/m² that slides at v on a floor with a law over speed,
// under gravity of 10 m/s².
func braked(t testing.TB, nx int, young, v float64, law friction.Law) *elastic.Model {
	m := block(t, nx, nx/4, 1, 0, v, 0, -10)
	m.Material.Young = young
	_, most := law.Bounds()
	for k := range m.Friction {
		m.Friction[k] = most
		m.Slip = append(m.Slip, law)
	}
	return m
}

// TestStribeckBrake: friction .2 + .4 exp(−v/.5) brakes a stiff block as a rigid one, whose exp(v/v_s)
// + 2 falls as exp(−.2 g t/v_s), and holds it at the end. The states are those of the law, (51) holds,
// and what the verdict says of the fall of friction is the pressure times the slope over ρc_s.
func TestStribeckBrake(t *testing.T) {
	law := friction.Stribeck{Static: .6, Kinetic: .2, Speed: .5, Exponent: 1}
	m := braked(t, 4, 1e6, 3, law)
	audit, err := elastic.NewAudit(m, elastic.Options{Step: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	speed := func(at float64) float64 { return .5 * math.Log(math.Max(1, (math.Exp(6)+2)*math.Exp(-4*at)-2)) }
	s := run(t, m, elastic.Options{Step: 1e-3}, 1.3, func(s *elastic.Stepper) {
		now := s.State().T
		near(t, "mean speed", s.MeanVelocity(nil, -1)[0], speed(now), .02)
		x := audit.Check(s.State())
		for name, e := range map[string]elastic.Error{"cone": x.Cone, "slip": x.Slip} {
			if e.Size > 1e-9*e.Scale {
				t.Fatalf("t = %g s, %s: %g of %g N at node %d", now, name, e.Size, e.Scale, e.Node)
			}
		}
	})
	// Friction below that of rest tells nothing: velocities do.
	moving, r := slices.Repeat([]float64{1, 0}, m.Mesh.NumNodes()), []float64{1, .3}
	if m.Sticks(0, 1.3, r, moving, 1e-9) || !m.Sticks(0, 1.3, r, make([]float64, len(moving)), 1e-9) {
		t.Error("a node that moves sticks, or one at rest slips")
	}
	if b := s.Balance(); b.Identity > 1e-10 || math.Abs(b.Dissipation-1.125) > .02 {
		t.Errorf("(51) lacks %g J, friction took %g J of 1.125 J", b.Identity, b.Dissipation)
	}
	last := s.Accurate(.01)
	waves := last[len(last)-1]
	// P = 2.5 Pa, and .8 s/m where it comes to rest; N of nodes swings about its mean, by as much.
	if want := 2.5 * .8 / math.Sqrt(1e6/2.6); waves.Value < want || waves.Value > 4*want {
		t.Errorf("%s: %g, want %g or somewhat more", waves.Name, waves.Value, want)
	}
}

// TestSteepFriction: a fall that waves do not carry away is told, one at once is refused, and so are
// schemes without such laws.
func TestSteepFriction(t *testing.T) {
	steep := friction.Stribeck{Static: .6, Kinetic: .2, Speed: .05, Exponent: 1}
	s := run(t, braked(t, 8, 10, .2, steep), elastic.Options{Step: 1e-3}, .1, nil)
	last := s.Accurate(.01)
	if waves := last[len(last)-1]; waves.Passed() {
		t.Errorf("%s is %g: P = 2.5 Pa, |dμ/dv| up to 8 s/m, ρ c_s = 1.96", waves.Name, waves.Value)
	}
	for want, c := range map[string]struct {
		law    friction.Law
		option elastic.Options
	}{
		"falls at once":                {friction.Jump{Static: .6, Kinetic: .2}, elastic.Options{Step: 1e-3}},
		"central differences have one": {steep, elastic.Options{Step: 1e-3, Scheme: elastic.CentralDifference}},
		"fixed point of Theorem 4 has": {steep, elastic.Options{Step: 1e-3, Method: elastic.Picard}},
		"friction of one step": {friction.Ageing{Reference: .6, Direct: .01, Evolution: .02, Speed: 1,
			Length: 1, Rest: 1e-3, Start: 1}.During(1, 1e-3), elastic.Options{Step: 1e-3}},
	} {
		m := braked(t, 4, 1e3, 1, c.law)
		m.Mass = fem.Lumped
		if _, err := elastic.New(context.Background(), m, c.option); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found the error %v, want %q", err, want)
		}
	}
}

// TestLongestStepOfNodes: where a step may have several solutions the verdict says below which length none has, and a
// shorter one has one.
func TestLongestStepOfNodes(t *testing.T) {
	law := friction.Stribeck{Static: .6, Kinetic: .2, Speed: .5, Exponent: 1}
	fall := func(step float64) dynamics.Measure {
		list := run(t, braked(t, 8, 10, 1, law), elastic.Options{Step: step}, 4*step, nil).Solved()
		return list[slices.IndexFunc(list, func(m dynamics.Measure) bool {
			return strings.Contains(m.Name, "fall of friction with speed in a step")
		})]
	}
	long := fall(.2)
	var longest float64
	if _, err := fmt.Sscanf(long.Remedy, "steps below %g s", &longest); err != nil || long.Passed() || longest < .002 || longest > .2 {
		t.Fatalf("%+v: %v", long, err)
	}
	if short := fall(.5 * longest); !short.Passed() {
		t.Errorf("steps of %g s: %+v", .5*longest, short)
	}
}
