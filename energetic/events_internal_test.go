package energetic

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// TestInherit: a certifier takes the larger of its sizes and those of another one of the same system, island by island, and nothing else.
func TestInherit(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	ex := reference.Crowd(rand.New(rand.NewPCG(1, 3)), 1, 1)
	make := func() *Certifier {
		c, err := NewCertifier(ex.Psi, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Begin(t.Context(), 0, ex.Start); err != nil {
			t.Fatal(err)
		}
		for i := range c.between.part {
			fill(r, reflect.ValueOf(&c.between.part[i]).Elem())
		}
		for k := range c.scales.Force {
			c.scales.Force[k] = r.Float64()
		}
		c.node.EnergyScale, c.node.ForceScale = r.Float64(), r.Float64()
		return c
	}
	sizes := []string{"ForceAlong", "ForceAcross", "Acting", "Data", "ExchangedAlong", "ExchangedAcross"}
	for range 8 {
		a, b := make(), make()
		before := append([]Residuals(nil), a.between.part...)
		force := append([]float64(nil), a.scales.Force...)
		energy, scale := a.node.EnergyScale, a.node.ForceScale
		a.Inherit(b)
		for i := range before {
			for _, name := range sizes {
				x, y := reflect.ValueOf(before[i]).FieldByName(name).Float(), reflect.ValueOf(b.between.part[i]).FieldByName(name).Float()
				if got := reflect.ValueOf(a.between.part[i]).FieldByName(name).Float(); got != max(x, y) {
					t.Errorf("%s of island %d: %g of %g and %g", name, i, got, x, y)
				}
				reflect.ValueOf(&before[i]).Elem().FieldByName(name).SetFloat(max(x, y))
			}
			if before[i] != a.between.part[i] {
				t.Errorf("island %d: more than sizes is inherited", i)
			}
		}
		for k := range force {
			if a.scales.Force[k] != max(force[k], b.scales.Force[k]) {
				t.Errorf("force %d: %g", k, a.scales.Force[k])
			}
		}
		if a.node.EnergyScale != max(energy, b.node.EnergyScale) || a.node.ForceScale != max(scale, b.node.ForceScale) {
			t.Errorf("%g J, %g N", a.node.EnergyScale, a.node.ForceScale)
		}
	}
}

// TestEventful: an event is a contact that opens, closes, begins to bear, or crosses γ; not one that slips, or whose force stays on its side of γ.
func TestEventful(t *testing.T) {
	ex := reference.Play()
	c, err := NewCertifier(ex.Psi, regularisedBy(0.5))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Begin(t.Context(), 0, ex.Start); err != nil {
		t.Fatal(err)
	}
	type side struct {
		state incremental.ContactState
		force float64
	}
	const free, grazing, stick, slip = incremental.Free, incremental.Grazing, incremental.Stick, incremental.Slip
	for _, k := range []struct {
		before, after side
		want          bool
	}{
		{side{free, 0}, side{free, 0}, false}, {side{free, 0}, side{grazing, 0}, true}, {side{free, 0}, side{stick, 0.2}, true}, {side{grazing, 0}, side{stick, 0.2}, true}, {side{stick, 0.2}, side{slip, 0.4}, false},
		{side{stick, 0.2}, side{stick, 0.6}, true}, {side{stick, 0.6}, side{slip, 5}, false}, {side{slip, 0.6}, side{free, 0}, true}, {side{stick, 0.5}, side{stick, 0.4}, false}, {side{stick, 0.5}, side{stick, 0.51}, true}, {side{stick, 0.6}, side{grazing, 0}, true},
	} {
		c.node.Before[0], c.node.States[0] = k.before.state, k.after.state
		c.gradPrev[2], c.node.Grad[2] = k.before.force, k.after.force
		if got := c.eventful(); got != k.want {
			t.Errorf("%v to %v: %t", k.before, k.after, got)
		}
	}
}

func regularisedBy(gamma float64) (o Options) {
	o.Step.Rule.Gamma = gamma
	return o
}

// TestSplitRows: Σ (1+θ)x² + (1+1/θ)y² is (|x| + |y|)² at θ = |y/x| and more elsewhere; signs are those of x y; the value is that of the last maximiser.
func TestSplitRows(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	const n = 5
	h, _ := randomSym(r, n, 1, 0)
	slopes, sigma := make([]slope, n), make([]float64, n)
	for j := range slopes {
		sigma[j], slopes[j] = 1+r.Float64(), slope{size: 1, grad: [][2]float64{{r.NormFloat64(), r.NormFloat64()}}}
	}
	f := newForm(h, sigma, slopes)
	all := []bool{true, true, true, true, true}
	s := f.selection(all, all)
	for range 30 {
		theta, sign, want, more := make([]float64, n), make([]float64, n), 0.0, 0.0
		for i := range s.u {
			s.u[i] = r.NormFloat64()
		}
		for i := range s.a {
			x, y := s.a[i].dot(s.u), s.b[i][0].dot(s.u)
			theta[i] = math.Abs(y / x)
			want += (math.Abs(x) + math.Abs(y)) * (math.Abs(x) + math.Abs(y))
			nearly(t, "|b·u|", s.slide(i), math.Abs(y), 1e-15)
		}
		sum := func() (sum float64) {
			for _, row := range s.split(theta) {
				sum += row.dot(s.u) * row.dot(s.u)
			}
			return sum
		}
		nearly(t, "split rows", sum(), want, 1e-13)
		nearly(t, "value", s.value()*s.value(), want, 1e-14)
		for i := range theta {
			theta[i] *= 2
		}
		if more = sum(); more <= want {
			t.Errorf("another θ is better: %g, %g", more, want)
		}
		s.signs(sign)
		signed := 0.0
		for i, row := range s.signed(sign) {
			if v := s.a[i].dot(s.u) * s.b[i][0].dot(s.u); sign[i] != math.Copysign(1, v) {
				t.Errorf("the sign of %g is %g", v, sign[i])
			}
			signed += row.dot(s.u) * row.dot(s.u)
		}
		nearly(t, "signed rows", signed, want, 1e-13)
	}
}
