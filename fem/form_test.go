package fem_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// volume of a mesh by its mass at the density 1.
func volume(t *testing.T, m *fem.Mesh) (v float64) {
	t.Helper()
	load := make([]float64, len(m.X))
	fem.BodyForce(load, m, fem.Elastic{Young: 1}, []float64{1, 0, 0}[:m.Dim])
	for i := 0; i < len(load); i += m.Dim {
		v += load[i]
	}
	return v
}

// TestForms: meshes of all kinds of rings, cylinders, caps and wedges have the volume of these, at order 2
// in the cells or better; each is one body, with a closed surface whose sides are the groups.
func TestForms(t *testing.T) {
	const pi = math.Pi
	for name, x := range map[string]struct {
		box  fem.Box
		want float64
		all  []string // sides that make up the surface
	}{
		"sector": {fem.Box{Form: fem.Ring, Corner: []float64{1, 0.5}, Size: []float64{1, 1}, Center: []float64{3, 4}},
			1.5, []string{"inner", "outer", "start", "end"}},
		"ring": {fem.Box{Form: fem.Ring, Corner: []float64{1, -1}, Size: []float64{1, 2 * pi}, Grading: []float64{3, 1}},
			3 * pi, []string{"inner", "outer"}},
		"pipe": {fem.Box{Form: fem.Ring, Corner: []float64{1, 0, -1}, Size: []float64{1, 2 * pi, 2}, Lying: true}, 6 * pi,
			[]string{"inner", "outer", "front", "back"}},
		"disc": {fem.Box{Form: fem.Cylinder, Size: []float64{2}, Center: []float64{-1, 1}}, 4 * pi, []string{"outer"}},
		"half disc": {fem.Box{Form: fem.Cylinder, Size: []float64{2}, Quarters: []int{3, 0}, Grading: []float64{2, 0.5}},
			2 * pi, []string{"outer", "start", "end"}},
		"lying cylinder": {fem.Box{Form: fem.Cylinder, Corner: []float64{5}, Size: []float64{2, 3}, Quarters: []int{2, 3},
			Lying: true}, 6 * pi, []string{"outer", "start", "end", "front", "back"}},
		// The cap of a sphere of the radius 2 on the rim 1 has the height h = 2 - sqrt(3) and the volume pi h²(6 - h)/3;
		// what is above it to the height 1 is the rest.
		"cap": {fem.Box{Form: fem.Cylinder, Corner: []float64{0}, Size: []float64{1, 1}, Radius: 2},
			pi*(1-(2-math.Sqrt(3))) + pi*sq(2-math.Sqrt(3))*(6-(2-math.Sqrt(3)))/3, []string{"outer", "bottom", "top"}},
		"segment": {fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 1}, Radius: 2, Grading: []float64{4, 4}},
			pi/3 + math.Sqrt(3)/2 - 1, []string{"left", "right", "bottom", "top"}},
		"wedge": {fem.Box{Corner: []float64{1, 0}, Size: []float64{2, 1}, Lean: math.Atan(0.5)}, 3,
			[]string{"left", "right", "bottom", "top"}},
	} {
		for _, kind := range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
			off := func(n int) float64 {
				b := x.box
				b.Kind = kind
				dim := 2
				if len(b.Size)+len(b.Corner) > 4 || b.Form == fem.Cylinder && len(b.Corner) == 1 {
					dim = 3
				}
				for c := range dim {
					b.Cells = append(b.Cells, []int{2 * n, 3 * n, n}[c])
				}
				m, err := b.Mesh()
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				if err := m.CheckTopology(nil, nil); err != nil {
					t.Errorf("%s, %s: %v", name, kind, err)
				}
				if int64(m.NumNodes()) > b.Nodes() {
					t.Errorf("%s, %s: %d nodes, predicted %d", name, kind, m.NumNodes(), b.Nodes())
				}
				surface, _ := m.Surface()
				faces := 0
				for _, side := range x.all {
					faces += len(m.Groups[side].Elem)
				}
				if faces != len(surface.Elem) {
					t.Errorf("%s, %s: the sides have %d nodes of faces, the surface %d",
						name, kind, faces, len(surface.Elem))
				}
				return math.Abs(volume(t, m) - x.want)
			}
			if coarse, fine := off(1), off(2); fine > 0.2*x.want || !(fine < 0.32*coarse || fine < 1e-12) {
				t.Errorf("%s, %s: its volume is off by %g, of cells of half the size by %g", name, kind, coarse, fine)
			}
		}
	}
}

func sq(x float64) float64 { return x * x }

// TestTip: the tip of a sphere's cap has no node of its rim.
func TestTip(t *testing.T) {
	m, err := fem.Box{Form: fem.Cylinder, Corner: []float64{0}, Size: []float64{1, 1.5}, Radius: 1,
		Cells: []int{2, 3, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	bottom, tip := m.Groups["bottom"].Nodes(), m.Groups["tip"].Nodes()
	if len(tip) == 0 || len(bottom)-len(tip) != 16 { // 2·2·4 along the rim
		t.Errorf("%d nodes of %d", len(tip), len(bottom))
	}
	for _, i := range tip {
		x := m.Node(i)
		if r := math.Hypot(x[0], x[1]); r > 1-1e-9 || math.Abs(sq(1-x[2])+r*r-1) > 1e-12 {
			t.Errorf("a node at %v", x)
		}
	}
}

// TestFormsRefused: what is out of range or has no effect is an error.
func TestFormsRefused(t *testing.T) {
	ok := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 1}, Cells: []int{2, 2}}
	for name, change := range map[string]func(b *fem.Box){
		"no cells":         func(b *fem.Box) { b.Cells = []int{0, 2} },
		"negative size":    func(b *fem.Box) { b.Size = []float64{1, -1} },
		"grading of 0":     func(b *fem.Box) { b.Grading = []float64{0, 1} },
		"one grading":      func(b *fem.Box) { b.Grading = []float64{2} },
		"no bore":          func(b *fem.Box) { b.Form = fem.Ring },
		"more than a turn": func(b *fem.Box) { b.Form, b.Corner, b.Size = fem.Ring, []float64{1, 0}, []float64{1, 7} },
		"quarters":         func(b *fem.Box) { b.Quarters = []int{0} },
		"a gap of quarters": func(b *fem.Box) {
			b.Form, b.Corner, b.Size, b.Quarters = fem.Cylinder, nil, []float64{1}, []int{0, 2}
		},
		"lying block":       func(b *fem.Box) { b.Lying = true },
		"center of a block": func(b *fem.Box) { b.Center = []float64{1} },
		"radius too small":  func(b *fem.Box) { b.Radius = 0.5 },
		"lean of a ring":    func(b *fem.Box) { b.Form, b.Corner, b.Lean = fem.Ring, []float64{1, 0}, 0.1 },
		"lean through":      func(b *fem.Box) { b.Lean = -1.2 },
	} {
		b := ok
		change(&b)
		if _, err := b.Mesh(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := ok.Mesh(); err != nil {
		t.Error(err)
	}
}
