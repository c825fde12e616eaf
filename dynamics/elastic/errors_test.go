package elastic_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/looks"
	"github.com/quasistatic/quasistatic/signal"
)

// TestErrors: wrong models and options are refused and named.
func TestErrors(t *testing.T) {
	for want, change := range map[string]func(m *elastic.Model, o *elastic.Options){
		"a mesh is required":                      func(m *elastic.Model, _ *elastic.Options) { m.Mesh = nil },
		"-1 < ν < 1/2":                            func(m *elastic.Model, _ *elastic.Options) { m.Material.Poisson = 0.5 },
		"density is 0, want > 0":                  func(m *elastic.Model, _ *elastic.Options) { m.Material.Density = 0 },
		"V0 has 1 entries, want 30":               func(m *elastic.Model, _ *elastic.Options) { m.V0 = []float64{1} },
		"V0 of node 1 is NaN":                     func(m *elastic.Model, _ *elastic.Options) { m.V0[2] = math.NaN() },
		"2 friction coefficients for 5 contacts":  func(m *elastic.Model, _ *elastic.Options) { m.Friction = m.Friction[:2] },
		"friction coefficient of contact 0 is -1": func(m *elastic.Model, _ *elastic.Options) { m.Friction[0] = -1 },
		"node 0 does not exist or is in contact twice": func(m *elastic.Model, _ *elastic.Options) {
			m.Contacts[1] = m.Contacts[0]
		},
		"node 4 at [1 0] is in contact and prescribed": func(m *elastic.Model, _ *elastic.Options) { prescribe(m, "right", 0) },
		"node 10 is prescribed along axis 0 by 0 already": func(m *elastic.Model, _ *elastic.Options) {
			prescribe(m, "top", 0)
			prescribe(m, "top", 0)
		},
		"axis 2 of 2": func(m *elastic.Model, _ *elastic.Options) { prescribe(m, "top", 2) },
		"starts 1 m inside its obstacle": func(m *elastic.Model, _ *elastic.Options) {
			m.Inertia, m.U0 = elastic.Standard, make([]float64, len(m.Mesh.X))
			m.U0[1] = -1
		},
		"Step is 0": func(_ *elastic.Model, o *elastic.Options) { o.Step = 0 },
		"a body is orthotropic": func(m *elastic.Model, _ *elastic.Options) {
			m.Material = fem.Elastic{Density: 1, Orthotropic: &fem.Orthotropic{Young: []float64{1, 2, 3}, Poisson: []float64{0, 0, 0}, Shear: []float64{1}}}
		},
		"scheme: central differences need the lumped, modified mass": func(_ *elastic.Model,
			o *elastic.Options) {
			o.Scheme = elastic.CentralDifference
		},
		"method: the fixed point of Theorem 4 needs a mass without": func(m *elastic.Model,
			o *elastic.Options) {
			m.Inertia, o.Method = elastic.Standard, elastic.Picard
		},
		"step: central differences are unstable at Δt = 1 s": func(m *elastic.Model, o *elastic.Options) {
			m.Mass, o.Scheme, o.Step = fem.Lumped, elastic.CentralDifference, 1
		},
		"inertia: fem: mass redistribution: singular": func(m *elastic.Model, _ *elastic.Options) {
			*m = *block(t, 4, 1, 0.3, 0, 0, 0, 0) // one layer of cells: what is left lies on a line
			m.Inertia = elastic.Redistributed
		},
	} {
		m, o := s3(t, 4, 2), elastic.Options{Step: 1e-3}
		change(m, &o)
		_, err := elastic.New(context.Background(), m, o)
		if wrong, ok := errors.AsType[*elastic.OptionError](err); ok {
			err = errors.New(wrong.Option + ": " + wrong.Err.Error())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func prescribe(m *elastic.Model, group string, axis int) {
	m.Prescribed = append(m.Prescribed, elastic.Prescribed{Nodes: m.Mesh.Groups[group].Nodes(), Axis: axis, Motion: signal.Constant(0)})
}

// TestSlowFixedPoint: at μ = 5 the fixed point contracts by half only and ends in
// rounding; it still finds what Newton's method finds.
func TestSlowFixedPoint(t *testing.T) {
	m := block(t, 16, 4, 5, 0, 1, 0, -40)
	a := run(t, m, elastic.Options{Step: 5e-4, Method: elastic.Picard}, 0.08, nil)
	b := run(t, m, elastic.Options{Step: 5e-4}, 0.08, nil)
	if c := a.Certificate(); !c.Unique || c.Contraction < 0.9 {
		t.Errorf("%+v", c)
	}
	for i, u := range a.State().U {
		near(t, "u", u, b.State().U[i], 1e-9) // 160 steps of 1e-11 of displacements of .1 m, and some growth
	}
	checkBalance(t, "μ = 5", a)
}

// TestStops: assembly, factorisation, certificates and steps look at their context all along, and
// end with it soon after it is done, wherever that is.
func TestStops(t *testing.T) {
	m := s1(t, 48, 12)
	for name, f := range map[string]func(ctx context.Context) error{
		"New": func(ctx context.Context) error {
			_, err := elastic.New(ctx, m, elastic.Options{Step: 1e-4})
			return err
		},
		"Certify": func(ctx context.Context) error {
			_, err := begin(t, m, elastic.Options{Step: 1e-4}).Certify(ctx)
			return err
		},
	} {
		free := looks.After(t.Context(), 1<<40)
		if err := f(free); err != nil || free.Count() < 10 {
			t.Fatalf("%s: %v, %d looks", name, err, free.Count())
		}
		for _, left := range []int{0, 1, free.Count() / 3, 2 * free.Count() / 3} {
			ctx := looks.After(t.Context(), left)
			if err := f(ctx); !errors.Is(err, context.Canceled) || ctx.Beyond() > 36 {
				t.Errorf("%s: done after %d of %d looks: %v, %d looks later", name, left, free.Count(), err, ctx.Beyond())
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := begin(t, m, elastic.Options{Step: 1e-4}).Advance(ctx, 2e-4, 2e-4); !errors.Is(err, context.Canceled) {
		t.Errorf("Advance: %v", err)
	}
}
