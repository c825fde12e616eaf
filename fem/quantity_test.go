package fem_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// half is one on a half of the top, and falls to zero over the next edges.
func (p *pressed) half(x []float64) float64 {
	var edge [2]float64 // before and after the middle
	m := p.mesh
	for _, i := range m.Groups["top"].Corners() {
		if y := m.Node(i)[0]; y < p.middle() {
			edge[0] = max(edge[0], y)
		} else if edge[1] == 0 || y < edge[1] {
			edge[1] = y
		}
	}
	w := min(1, max(0, (x[0]-edge[0])/(edge[1]-edge[0])))
	if m.Kind == fem.P2 {
		return w * (2*w - 1)
	}
	return w
}

// middle is half of the length.
func (p *pressed) middle() (x float64) {
	for _, i := range p.mesh.Groups["right"].Nodes() {
		x = max(x, p.mesh.Node(i)[0]/2)
	}
	return x
}

// stated are quantities of a block: forces on a half of its top, mean displacements of its right side, and the force of
// the floor.
func (p *pressed) stated() (list []fem.Quantity) {
	m, d := p.mesh, p.mesh.Dim
	for _, axis := range []int{0, d - 1} {
		q := fem.Quantity{}
		for _, i := range m.Groups["top"].Nodes() {
			if p.half(m.Node(i)) > 0.5 {
				q.Support = append(q.Support, d*i+axis)
			}
		}
		list = append(list, q, fem.Quantity{Mean: m.Groups["right"], Axis: axis})
	}
	if p.contact {
		list = append(list, fem.Quantity{Sides: []int{0}})
	}
	return list
}

// values are those of a state on a mesh.
func (p *pressed) values(t *testing.T, m *fem.Mesh, s *solution) (list []float64) {
	d := m.Dim
	sum := func(group string, axis int, weight func(x []float64) float64) (sum float64) {
		for _, i := range m.Groups[group].Nodes() {
			sum += weight(m.Node(i)) * s.force[d*i+axis]
		}
		return sum
	}
	for _, axis := range []int{0, d - 1} {
		weight, unit := make([]float64, len(m.X)), make([]float64, d)
		unit[axis] = 1
		if err := fem.Traction(weight, m, p.material, m.Groups["right"], unit); err != nil {
			t.Fatal(err)
		}
		mean, area := 0.0, 0.0
		for i, w := range weight {
			mean, area = mean+w*s.u[i], area+w
		}
		list = append(list, sum("top", axis, p.half), mean/area)
	}
	if p.contact {
		list = append(list, sum("bottom", 1, func([]float64) float64 { return 1 }))
	}
	return list
}

// TestBoundOfQuantities: forces of supports and of the floor, and mean displacements, of a much finer mesh are within
// the bounds that a coarse one has of them, which are not far from what its values are off by.
func TestBoundOfQuantities(t *testing.T) {
	thorough.Seconds(t)
	problems, times := 8, 3
	if thorough.Asked() {
		problems, times = 200, 4
	}
	for name, c := range map[string]struct {
		dim     int
		kind    fem.Kind
		contact bool
		most    float64 // of the median of the bound over the largest error of a problem
	}{"plane": {2, fem.P1, false, 5}, "contact": {2, fem.P1, true, 10}, "quadratic": {2, fem.P2, false, 30},
		"rectangles": {2, fem.Q1, true, 10}, "space": {3, fem.P1, false, 30}} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(16, uint64(len(name))))
			problems, times := problems, times
			if c.dim == 3 || c.kind == fem.P2 {
				problems, times = (problems+7)/8, 2
			}
			var ratios []float64
			for range problems {
				p := randomBody(r, c.dim, 6-c.dim, c.kind)
				if c.contact {
					p.touch(r, 0)
				}
				m := p.refined(t, times)
				s, fine := p.solve(t, p.mesh), p.solve(t, m)
				if s == nil || fine == nil {
					t.Log("active sets do not settle")
					continue
				}
				own, exact := p.values(t, p.mesh, s), p.values(t, m, fine)
				b, state := p.prepared(t, s)
				e, err := b.At(state)
				if err != nil {
					t.Fatal(err)
				}
				for k, q := range p.stated() {
					value, off, err := b.Quantity(t.Context(), &q, state, &e)
					if err != nil {
						t.Fatal(err)
					}
					if !(math.Abs(value-exact[k]) <= off) {
						t.Errorf("quantity %d is %g, and not within %g ± %g", k, exact[k], value, off)
					}
					ratios = append(ratios, (math.Abs(value-own[k])+off)/math.Abs(own[k]-exact[k]))
				}
			}
			slices.Sort(ratios)
			t.Logf("bound over error of a value: median %.3g, at least %.3g", ratios[len(ratios)/2], ratios[0])
			if !(ratios[len(ratios)/2] <= c.most) || len(ratios) < problems-problems/4 {
				t.Errorf("median %g of %d quantities", ratios[len(ratios)/2], len(ratios))
			}
		})
	}
}

// TestBoundOfQuantitiesOfColumn: a column between smooth walls whose top goes down by a towards a floor that is δ away.
// A state that leaves a gap where the exact one touches, and one that touches where the exact one does not: the forces
// of floor and top, p = (λ+2μ)(a − δ)/H if that is positive, are within the bounds, which see such states by the gap
// and the pressure that they have.
func TestBoundOfQuantitiesOfColumn(t *testing.T) {
	const height, width, far = 2.0, 0.5, 0.1
	m, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{width, height}, Cells: []int{1, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	e := fem.Elastic{Young: 3, Poisson: 0.2}
	lambda, mu := e.Lame(2)
	o := fem.BoundOptions{Mesh: m, Material: e, Contact: []fem.Group{m.Groups["bottom"]}}
	top := fem.Quantity{}
	for _, i := range m.Groups["top"].Nodes() {
		o.Held, top.Support = append(o.Held, 2*i+1), append(top.Support, 2*i+1)
	}
	for _, name := range []string{"left", "right"} {
		for _, i := range m.Groups[name].Nodes() {
			o.Held = append(o.Held, 2*i)
		}
	}
	b, err := fem.NewBound(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ down, gap, tilt, pressure float64 }{{0.15, 0, 0, 0.3}, {0.15, 0.02, 0, 0},
		{0.15, 0.3, 0, 0}, {0.08, 0, 0, 0.01}, {0.08, 0.03, 0, 0}, {0.08, 0.1, 0, 0.2}, {0.15, 0, 0.02, 0.2},
		{0.15, 0, 0.05, 2}, {0.15, 0, 0.2, 0.1}, {0.08, 0, 0.01, 0.1}, {0.1, 0, 0.001, 5}} {
		s := fem.BoundState{U: make([]float64, len(m.X))}
		for i := range m.NumNodes() {
			y := m.Node(i)[1] / height
			s.U[2*i+1] = -c.down*y - (far-c.gap)*(1-y)
		}
		for _, i := range m.Groups["bottom"].Nodes() {
			n := fem.BoundNode{Node: i, Axis: [3]float64{0, 1}, Gap: c.gap, Normal: c.pressure * width / 2}
			if m.Node(i)[0] > 0 && c.tilt > 0 {
				s.U[2*i+1] += c.tilt
				n.Gap, n.Normal = c.gap+c.tilt, 0
			}
			s.Contact = append(s.Contact, n)
		}
		x, err := b.At(&s)
		if err != nil {
			t.Fatal(err)
		}
		exact := max(0, (lambda+2*mu)*(c.down-far)/height) * width
		for k, q := range []*fem.Quantity{{Sides: []int{0}}, &top} {
			want := []float64{exact, -exact}[k]
			value, off, err := b.Quantity(t.Context(), q, &s, &x)
			if err != nil || !(math.Abs(value-want) <= off*(1+1e-12)+1e-15) {
				t.Errorf("%+v: quantity %d is %g, and not within %g ± %g, %v", c, k, want, value, off, err)
			}
		}
	}
}

// TestBoundOfQuantitiesTurned: a problem that is turned with its floor has the same bounds of the force of the floor.
func TestBoundOfQuantitiesTurned(t *testing.T) {
	p := randomBody(rand.New(rand.NewPCG(1, 2)), 2, 3, fem.P2)
	p.tractions, p.contact, p.top = nil, true, []float64{0.01, -0.05, 0.08}
	s := p.solve(t, p.mesh)
	var want [2]float64
	for k, angle := range []float64{0, 0.7} {
		sin, cos := math.Sincos(angle)
		turn := func(x []float64) { x[0], x[1] = cos*x[0]-sin*x[1], sin*x[0]+cos*x[1] }
		b, state := p.prepared(t, s)
		if k > 0 {
			for i := range p.mesh.NumNodes() {
				turn(p.mesh.Node(i))
				turn(state.U[2*i : 2*i+2])
			}
			turn(state.BodyForce[:])
			for i := range state.Contact {
				turn(state.Contact[i].Axis[:])
			}
			b, _ = p.prepared(t, s)
		}
		e, err := b.At(state)
		if err != nil {
			t.Fatal(err)
		}
		value, off, err := b.Quantity(t.Context(), &fem.Quantity{Sides: []int{0}}, state, &e)
		if k == 0 {
			want = [2]float64{value, off}
		}
		if err != nil || !(math.Abs(value-want[0]) <= 1e-9*want[0] && math.Abs(off-want[1]) <= 1e-9*want[1] && off > 0) {
			t.Errorf("turned by %g: %g ± %g, and %g ± %g, %v", angle, value, off, want[0], want[1], err)
		}
	}
}
