package elastic_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// meet makes a model of two bodies of which a side of the second meets one of the first.
func meet(t *testing.T, low, high *fem.Mesh, side, group string, e [2]fem.Elastic, mu float64, tied bool) *elastic.Model {
	t.Helper()
	mesh, err := fem.Union([]string{"low", "high"}, []*fem.Mesh{low, high})
	if err != nil {
		t.Fatal(err)
	}
	m := &elastic.Model{Mesh: mesh, Material: e[0], Bodies: []elastic.Body{{ID: "low", Mesh: low, Material: e[0]},
		{ID: "high", Mesh: high, First: low.NumNodes(), Material: e[1]}}}
	own, other := mesh.Groups["high."+group], mesh.Groups["low."+side]
	nodes, err := fem.Mortar(fem.Side{Mesh: mesh, Group: own}, fem.Side{Mesh: mesh, Group: other}, e[0].Kinematics)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		if !tied {
			m.Contacts, m.Friction = append(m.Contacts, n.ContactNode), append(m.Friction, mu)
		}
	}
	m.Meetings = []elastic.Meeting{{Nodes: nodes, Tied: tied, Sides: [2]fem.Group{own, other}}}
	return m
}

// boxOf is a block, the corner of which is at the origin but along the last axis.
func boxOf(t *testing.T, kind fem.Kind, low float64, size []float64, cells []int) *fem.Mesh {
	t.Helper()
	corner := make([]float64, len(size))
	corner[len(corner)-1] = low
	m, err := fem.Box{Kind: kind, Corner: corner, Size: size, Cells: cells}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func stepperOf(t *testing.T, m *elastic.Model, dt float64) *elastic.Stepper {
	t.Helper()
	s, err := elastic.New(context.Background(), m, elastic.Options{Step: dt})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// advance makes steps.
func advance(t *testing.T, s *elastic.Stepper, steps int) {
	t.Helper()
	for range steps {
		if err := s.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMeetingPatch: a uniform pressure p on two blocks whose meshes do not match, u_y = −p(1 − ν²) y/E and u_x =
// pν(1 + ν) x/E in plane strain, ε_z = −p/E and ε_x = νp/E in space, is at rest and stays so; what the contacts bear adds up to p times
// the area, and each bears p times the share of its node; tied sides and those with friction do the same.
func TestMeetingPatch(t *testing.T) {
	const p, young, nu = 3, 1000, 0.3
	e := fem.Elastic{Young: young, Poisson: nu, Density: 2}
	for _, c := range []struct {
		size      []float64
		low, high []int
		down, out float64 // strains over p
	}{{[]float64{1, 0.5}, []int{7, 3}, []int{5, 2}, (1 - nu*nu) / young, nu * (1 + nu) / young},
		{[]float64{1, 1, 0.5}, []int{3, 4, 2}, []int{2, 3, 2}, 1. / young, nu / young}} {
		dim := len(c.size)
		for _, kind := range []fem.Kind{fem.P1, fem.Q1} {
			for _, how := range []string{"smooth", "rough", "tied"} {
				low, high := boxOf(t, kind, 0, c.size, c.low), boxOf(t, kind, 0.5, c.size, c.high)
				bottom, top := "bottom", "top"
				mu := map[string]float64{"rough": 0.4}[how]
				m := meet(t, low, high, top, bottom, [2]fem.Elastic{e, e}, mu, how == "tied")
				load := make(signal.Vector, dim)
				for i := range load {
					load[i] = signal.Constant(0)
				}
				load[dim-1] = signal.Constant(-p)
				m.Bodies[1].Tractions = []elastic.Traction{{Group: high.Groups[top], Force: load}}
				m.Prescribed = []elastic.Prescribed{{Nodes: low.Groups[bottom].Nodes(), Axis: dim - 1, Motion: signal.Constant(0)}}
				for i := range m.Mesh.NumNodes() {
					for a, x := range m.Mesh.Node(i) {
						u := c.out * p * x
						if a == dim-1 {
							u = -c.down * p * x
						}
						m.U0 = append(m.U0, u)
					}
				}
				s := stepperOf(t, m, 1e-3)
				advance(t, s, 20)
				at := fmt.Sprintf("%d-D, %s, %s", dim, kind, how)
				worst := 0.0
				for i, u := range s.Displacement(nil) {
					worst = max(worst, math.Abs(u-m.U0[i]))
				}
				if worst > 1e-12*c.down*p {
					t.Errorf("%s: moves by %.3g of %.3g", at, worst, c.down*p)
				}
				if how == "tied" {
					continue
				}
				if n, f := s.Resultant(); math.Abs(n-p) > 1e-12*p || math.Abs(f) > 1e-12*p {
					t.Errorf("%s: bears %.17g and %.3g, want %d and 0", at, n, f, p)
				}
				for k := range m.Contacts {
					if r, want := s.Reactions(k)[0], p*m.Meetings[0].Nodes[k].Area; math.Abs(r-want) > 1e-12*p {
						t.Errorf("%s: node %s bears %.17g, want %.17g", at, m.NodeName(m.Contacts[k].Node), r, want)
					}
				}
			}
		}
	}
}

// TestMirroredBlocks: two equal blocks that hit each other, one the mirror image of the other, move as one that hits a wall,
// with or without friction, to rounding, with each kind of mass.
func TestMirroredBlocks(t *testing.T) {
	e := fem.Elastic{Young: 1000, Poisson: 0.3, Density: 1}
	for _, inertia := range []elastic.Inertia{elastic.Modified, elastic.Redistributed} {
		for _, size := range [][]float64{{1}, {1, 0.25}} {
			cells := []int{16, 4}[2-len(size):]
			high := boxOf(t, fem.P1, 0.01, size, cells)
			low := boxOf(t, fem.P1, 0.01, size, cells)
			dim := len(size)
			for i := dim - 1; i < len(low.X); i += dim {
				low.X[i] = -low.X[i]
			}
			for k := 0; k < len(low.Elem); k += dim + 1 { // turned over
				low.Elem[k], low.Elem[k+1] = low.Elem[k+1], low.Elem[k]
			}
			side := map[int]string{1: "left", 2: "bottom"}[dim]
			m := meet(t, low, high, side, side, [2]fem.Elastic{e, e}, 0, false)
			wall := &elastic.Model{Mesh: high, Material: e, Inertia: inertia}
			m.Inertia = inertia
			point, normal := make([]float64, dim), make([]float64, dim)
			normal[dim-1] = 1
			var err error
			if wall.Contacts, err = fem.Contacts(high, high.Groups[side].Nodes(), fem.HalfSpace{Point: point, Normal: normal}); err != nil {
				t.Fatal(err)
			}
			v := []float64{0.3, -1}[2-dim:]
			for range high.NumNodes() {
				wall.V0 = append(wall.V0, v...)
			}
			for i := range low.NumNodes() {
				m.V0 = append(m.V0, wall.V0[dim*i:dim*i+dim]...)
				m.V0[dim*i+dim-1] *= -1
			}
			m.V0 = append(m.V0, wall.V0...)
			two, one := stepperOf(t, m, 5e-4), stepperOf(t, wall, 5e-4)
			touched := false
			for range 200 { // waves need 2L/c, 0.063 s, to come back
				advance(t, two, 1)
				advance(t, one, 1)
				u, want := two.Displacement(nil), one.Displacement(nil)
				for i, w := range want {
					mirrored := w
					if i%dim == dim-1 {
						mirrored = -w
					}
					if math.Abs(u[len(want)+i]-w) > 1e-11 || math.Abs(u[i]-mirrored) > 1e-11 {
						t.Fatalf("%d-D, inertia %d, t = %g: displacement %d is %.15g and %.15g, want %.15g", dim, inertia, two.State().T, i,
							u[i], u[len(want)+i], w)
					}
				}
				n, _ := two.Resultant()
				alone, _ := one.Resultant()
				touched = touched || n > 0
				if math.Abs(n-alone) > 1e-9*max(1, alone) {
					t.Fatalf("%d-D, inertia %d: force %.15g, want %.15g", dim, inertia, n, alone)
				}
			}
			if n, _ := two.Resultant(); !touched || n > 0 {
				t.Errorf("%d-D: touched %v, at the end %g N", dim, touched, n)
			}
		}
	}
}

// TestMeetingConserves: two blocks of different materials whose meshes do not match hit obliquely, with friction: momentum
// stays as it is, to rounding, and so does energy but for what (51) accounts for; the other side gets what
// the one bears. What is resumed on the way has the same bits.
func TestMeetingConserves(t *testing.T) {
	low, high := boxOf(t, fem.P1, -0.25, []float64{1, 0.25}, []int{13, 3}), boxOf(t, fem.P1, 0.01, []float64{1, 0.25}, []int{8, 2})
	m := meet(t, low, high, "top", "bottom", [2]fem.Elastic{{Young: 1000, Poisson: 0.3, Density: 1}, {Young: 3000, Poisson: 0.2, Density: 2}}, 0.3, false)
	for i := range m.Mesh.NumNodes() {
		if v := []float64{0, 0}; i < low.NumNodes() {
			m.V0 = append(m.V0, v...)
		} else {
			m.V0 = append(m.V0, 3, -1)
		}
	}
	s, parts := stepperOf(t, m, 5e-4), stepperOf(t, m, 5e-4)
	before, most := s.Momentum(), 0.0
	start := s.Energies().Total()
	for k := range 120 {
		advance(t, s, 1)
		if advance(t, parts, 1); k%17 == 3 {
			parts = resume(t, parts, stepperOf(t, m, 5e-4))
		}
		if !reflect.DeepEqual(s.State(), parts.State()) || s.Balance() != parts.Balance() {
			t.Fatalf("t = %g: balance %+v, resumed %+v", s.State().T, s.Balance(), parts.Balance())
		}
		n, _ := s.Resultant()
		most = max(most, n)
		for c, p := range s.Momentum() {
			if math.Abs(p-before[c]) > 1e-11 { // steps are solved to 1e-13 of their forces
				t.Fatalf("t = %g: momentum %v, want %v", s.State().T, s.Momentum(), before)
			}
		}
	}
	b := s.Balance()
	if most == 0 || b.Identity > 1e-12*start || b.Penetration > 1e-15 || !(b.Dissipation > 0.01*start) {
		t.Errorf("force %g, balance %+v of %g J", most, b, start)
	}
	for _, x := range s.Accurate(0.05) {
		if !x.Passed() {
			t.Errorf("%+v", x)
		}
	}
}

// TestBarsOfTwoImpedances: a bar of length L₁ and impedance Z₁ = ρ₁c₁ = 2Z₂ hits a long one at rest with the velocity v. Each time
// that a wave has gone along it and back, T = 2L₁/c₁, the force falls by (Z₁ − Z₂)/(Z₁ + Z₂) = 1/3, from F = Z₁Z₂v/(Z₁ + Z₂): impulses
// of these times are FT/3^k. On meshes and in steps of half the length they are nearer to it, in order 1, by which a front is spread over a cell.
func TestBarsOfTwoImpedances(t *testing.T) {
	const z, v, period = 2., 3., 2.
	force := z * 1 * v / (z + 1)
	errors := func(n int) (sum float64) {
		low, high := boxOf(t, fem.P1, 0, []float64{1}, []int{n}), boxOf(t, fem.P1, 1, []float64{4}, []int{4 * n})
		m := meet(t, low, high, "right", "left", [2]fem.Elastic{{Young: z, Density: z}, {Young: 1, Density: 1}}, 0, false)
		for range low.NumNodes() {
			m.V0 = append(m.V0, v)
		}
		m.V0 = append(m.V0, make([]float64, high.NumNodes())...)
		dt := 1 / float64(n)
		s := stepperOf(t, m, dt)
		for k := range 3 {
			impulse := 0.0
			for range 2 * n {
				before, _ := s.Resultant()
				advance(t, s, 1)
				after, _ := s.Resultant()
				impulse += 0.5 * dt * (before + after)
			}
			want := force * period / math.Pow(3, float64(k))
			sum += math.Abs(impulse-want) / want
		}
		return sum
	}
	if coarse, fine := errors(50), errors(100); coarse > 0.06 || fine > 0.55*coarse {
		t.Errorf("impulses are off by %.3g, and on half the cells by %.3g", coarse, fine)
	}
}
