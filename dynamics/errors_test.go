package dynamics

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// broken is a slider that a user got wrong.
type broken struct {
	slider
	mass, gap float64
	row       int
	size      [3]int
}

func (b *broken) Size() (nq, nv, dim int)   { return b.size[0], b.size[1], b.size[2] }
func (b *broken) Mass(m *Mass, q []float64) { m.Block(3, 1, 0, 0, 0, 1, 0, 0, 0, b.mass) }
func (b *broken) Contacts(c *Contacts, q []float64) {
	c.Begin(0, b.patch)
	c.Element(b.gap)
	c.Row(b.row, 1, 0, 0)
}

func TestErrorsNameTheReason(t *testing.T) {
	law := contact.Coulomb{Mu: .3}
	lumped, _ := NewLumped(law, []float64{1, 1, 1}, []float64{1, 1, 1})
	plane, _ := NewLumped(law, []float64{1, 1}, []float64{1, 1})
	rigid, _ := NewRigid(law, 3)
	good := func() *broken {
		return &broken{slider: slider{patch: lumped}, mass: 1, size: [3]int{3, 3, 3}}
	}
	for name, c := range map[string]struct {
		change  func(b *broken)
		options Options
		want    string
	}{
		"mass":      {func(b *broken) { b.mass = -1 }, Options{}, "mass matrix is not positive definite: pivot -1 at velocity 2"},
		"gap":       {func(b *broken) { b.gap = math.NaN() }, Options{}, "gap is NaN"},
		"row":       {func(b *broken) { b.row = 3 }, Options{}, "velocity 3, there are 3"},
		"dimension": {func(b *broken) { b.size[2] = 4 }, Options{}, "dimension 4"},
		"sizes":     {func(b *broken) { b.size[0] = 7 }, Options{}, "nq = 7 differs from nv = 3"},
		"patch":     {func(b *broken) { b.patch = nil }, Options{}, "contact 0 has no patch"},
		"plane":     {func(b *broken) { b.patch = plane }, Options{}, "its patch 1 in 2"},
		"theta":     {func(b *broken) {}, Options{Theta: 1.5}, "Theta is 1.5"},
		"rigid θ":   {func(b *broken) { b.patch = rigid }, Options{Theta: 1}, "need Theta < 1"},
		"tolerance": {func(b *broken) {}, Options{Tolerance: -1}, "Tolerance is -1"},
	} {
		b := good()
		c.change(b)
		if _, err := NewStepper(b, make([]float64, b.size[0]), make([]float64, 3), c.options); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	s, err := NewStepper(good(), make([]float64, 3), make([]float64, 3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if err := s.Step(context.Background(), h); err == nil {
			t.Errorf("h = %g passes", h)
		}
	}
}

func TestPatchErrors(t *testing.T) {
	law := contact.Coulomb{Mu: .3}
	ok := HalfSpace{Dim: 2, Elements: 3, Spacing: 1e-6, Epsilon: 1e-10, Poisson: .3}
	for want, change := range map[string]func(o *HalfSpace){
		"dimension 4":     func(o *HalfSpace) { o.Dim = 4 },
		"0 elements":      func(o *HalfSpace) { o.Elements = 0 },
		"spacing":         func(o *HalfSpace) { o.Spacing = 0 },
		"compliance":      func(o *HalfSpace) { o.Epsilon = -1 },
		"Poisson's ratio": func(o *HalfSpace) { o.Poisson = .6 },
		"damping":         func(o *HalfSpace) { o.Damping = math.NaN() },
	} {
		o := ok
		change(&o)
		if _, err := NewPatch(law, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := NewPatch(contact.Coulomb{Mu: -1}, ok); err == nil {
		t.Error("a negative μ passes")
	}
	if _, err := NewLumped(law, []float64{1, 0}, []float64{1, 1}); err == nil {
		t.Error("a stiffness of zero passes")
	}
	if _, err := NewGeneral(law, 2, make([][2]float64, 1), []float64{1, 1, 0, 1}, make([]float64, 4), nil); err == nil {
		t.Error("an unsymmetric K passes")
	}
}

// TestInfluenceIsPositiveDefinite for patches of all sizes and Poisson's
// ratios, in the plane and in space: the misprints of the appendix mended.
func TestInfluenceIsPositiveDefinite(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for ns := 1; ns <= 5; ns++ {
			for _, nu := range []float64{0, .3, .5} {
				p, err := NewPatch(contact.Frictionless{}, HalfSpace{Dim: dim, Elements: ns, Spacing: 1e-6, Epsilon: 1e-10, Poisson: nu})
				if err != nil {
					t.Errorf("dim %d, n_s = %d, ν = %g: %v", dim, ns, nu, err)
					continue
				}
				n := dim * p.Elements()
				for i := range n { // C² = 4K
					for j := range n {
						s := 0.0
						for k := range n {
							s += p.c[i*n+k] * p.c[k*n+j]
						}
						if math.Abs(s-4*p.k[i*n+j]) > 1e-9*math.Abs(p.k[i*n+i]) {
							t.Fatalf("(C²)_%d%d = %g, want %g", i, j, s, 4*p.k[i*n+j])
						}
					}
				}
			}
		}
	}
}
