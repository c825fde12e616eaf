package elastic_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
)

// TestSolved: what is said to be solved is the worst residual of all steps, and what (51) lacks of
// all energies met, also of less than a joule; nothing, of a body at rest.
func TestSolved(t *testing.T) {
	s, worst := begin(t, s3(t, 4, 2), elastic.Options{Step: 1e-3}), 0.0
	for range 40 {
		if err := s.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, s.Stats().Residual)
	}
	b, list := s.Balance(), s.Solved()
	if !(b.Friction < 0 && b.External > 0) || b.Initial > 1 {
		t.Fatalf("%+v", b)
	}
	want := b.Identity / (b.Initial + b.External - b.Friction + s.Energies().Total())
	if len(list) != 2 || list[0].Value != worst || math.Abs(list[1].Value-want) > 1e-14*want || list[0].Limit != 1e-9 ||
		list[1].Limit != 1e-9 {
		t.Errorf("%+v, want %g and %g", list, worst, want)
	}
	still := s3(t, 4, 2)
	still.V0, still.BodyForce = nil, nil
	x := begin(t, still, elastic.Options{Step: 1e-3})
	if err := x.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
	if list := x.Solved(); list[0].Value != 0 || list[1].Value != 0 {
		t.Errorf("at rest: %+v", list)
	}
}

// TestFrictionTakes: the largest power of friction is negative where all contacts slide, and zero
// where there are none.
func TestFrictionTakes(t *testing.T) {
	sliding, flying := s3(t, 4, 2), s3(t, 4, 2)
	flying.Contacts, flying.Friction = nil, nil
	a, b := begin(t, sliding, elastic.Options{Step: 1e-4}), begin(t, flying, elastic.Options{Step: 1e-4})
	for _, s := range []*elastic.Stepper{a, b} {
		if err := s.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	slow := math.Inf(1) // the least of what all contacts take, at 1 m/s
	for k, c := range sliding.Contacts {
		slow = min(slow, -a.Reactions(k)[1]*a.State().V[2*c.Node])
	}
	if !(slow > 0) || math.Abs(a.Balance().MaxFriction+slow) > 1e-15 || b.Balance().MaxFriction != 0 {
		t.Errorf("%g W, want %g; without contacts %g W", a.Balance().MaxFriction, -slow, b.Balance().MaxFriction)
	}
}

// TestFixedPointOfFlight: a rigid flight is found by the first iteration, which says nothing of how
// the fixed point contracts.
func TestFixedPointOfFlight(t *testing.T) {
	for _, speed := range []float64{0, .7} {
		s := begin(t, block(t, 4, 2, .3, 1, speed, speed/3, 0), elastic.Options{Step: 1e-3, Method: elastic.Picard})
		for range 5 {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			if x := s.Stats(); x.Iterations != 1 || x.Contraction != 0 {
				t.Errorf("at %g m/s: %+v", speed, x)
			}
		}
	}
}

// TestOneByteIsNotEnough: the least limit of memory is one.
func TestOneByteIsNotEnough(t *testing.T) {
	_, err := elastic.New(context.Background(), s3(t, 4, 2), elastic.Options{Step: 1e-3, Limit: memory.Limit{Bytes: 1}})
	if _, ok := errors.AsType[*memory.ExceededError](err); !ok {
		t.Errorf("%v", err)
	}
}

// TestFirstNumbers: numbers that are not finite are found at the first place too, of either sign.
func TestFirstNumbers(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, v := range []func(m *elastic.Model) *[]float64{func(m *elastic.Model) *[]float64 { return &m.U0 },
			func(m *elastic.Model) *[]float64 { return &m.V0 }} {
			m := s3(t, 4, 2)
			*v(m) = make([]float64, len(m.Mesh.X))
			if (*v(m))[0] = x; m.Validate() == nil {
				t.Errorf("%g is accepted", x)
			}
		}
	}
}

// TestElsewhere: edges, waves and limits of a step are those of the shape, wherever it is; a soft
// body has slow waves.
func TestElsewhere(t *testing.T) {
	o := elastic.Options{Step: 1e-5, Scheme: elastic.CentralDifference}
	at := func(place, young float64) (elastic.Examination, elastic.Certificate) {
		m := blockAt(t, place, 16, 4, .3, 0, 1, 0, -40)
		m.Mass, m.Material.Young = fem.Lumped, young
		s := begin(t, m, o)
		return s.Examine(), s.Certificate()
	}
	x, c := at(0, 1000)
	y, d := at(3, 1000)
	z, e := at(0, 1e-9) // waves 1e6 times as slow
	for what, v := range map[string][2]float64{
		"edge": {y.Edge, x.Edge}, "crossing": {y.Crossing, x.Crossing}, "CFL number": {d.CFL, c.CFL},
		"stable step": {d.StableStep, c.StableStep}, "unstable step": {d.UnstableStep, c.UnstableStep},
		"soft: crossing": {z.Crossing, 1e6 * x.Crossing}, "soft: CFL number": {e.CFL, 1e-6 * c.CFL},
		"soft: stable step": {e.StableStep, 1e6 * c.StableStep}, "soft: unstable step": {e.UnstableStep, 1e6 * c.UnstableStep},
	} {
		if !(math.Abs(v[0]-v[1]) <= 1e-12*v[1]) { // coordinates of 3 round by 4e-16, edges are 1/16
			t.Errorf("%s: %.17g, want %.17g", what, v[0], v[1])
		}
	}
	if want := 1 / c.CFL * 1e-5; math.Abs(x.Edge/x.Pressure-want) > 1e-15 {
		t.Errorf("a wave crosses an edge in %g s, want %g", x.Edge/x.Pressure, want)
	}
}
