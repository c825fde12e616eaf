package particles_test

import (
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

// TestCoupled: particles of stiffness 1, 1e6 and 1 (tethers) on bonds of .5 are one island, and
// of three parts; bonds as stiff as the stiffest make one part of them, and so are two of the
// same softness.
func TestCoupled(t *testing.T) {
	for _, c := range []struct {
		tether [3]float64
		bond   float64
		want   []int
	}{
		{[3]float64{1, 1e6, 1}, .5, []int{0, 1, 2}},
		{[3]float64{1, 1, 1e6}, .5, []int{0, 0, 1}},
		{[3]float64{1, 1e6, 1}, 1e6, []int{0, 0, 0}},
		{[3]float64{1, 1, 1}, .01, []int{0, 1, 2}}, // a hundredth: each its own
	} {
		var tethers []particles.Tether
		for j, k := range c.tether {
			tethers = append(tethers, particles.Tether{Particle: j,
				Anchor: particles.Path{signal.Constant(0), signal.Constant(0), signal.Constant(0)}, Stiffness: particles.Isotropic(k)})
		}
		springs, err := particles.NewTethers(tethers...)
		if err != nil {
			t.Fatal(err)
		}
		z := []float64{0, 0, 0, 1, 0, 0, 2, 0, 0}
		bonds, err := particles.NewBonds(z, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(c.bond)},
			particles.Bond{I: 1, J: 2, Stiffness: particles.Isotropic(c.bond)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := particles.NewSystem(particles.Floors(3), springs, bonds)
		if err != nil {
			t.Fatal(err)
		}
		if of, n := s.Coupled(s.Hessian(0, z), .02); !slices.Equal(of, c.want) || n != 1+slices.Max(c.want) {
			t.Errorf("tethers %v, bonds %g: %v, %d parts, want %v", c.tether, c.bond, of, n, c.want)
		}
		if of, n := s.Islands(); n != 1 || !slices.Equal(of, []int{0, 0, 0}) {
			t.Errorf("islands %v, %d", of, n)
		}
	}
}

// TestCoupledMesh: a body is one part, in the plane and in space, of cells that are ten times
// as long as high, soft or nearly incompressible.
func TestCoupledMesh(t *testing.T) {
	for _, c := range []struct {
		size    []float64
		cells   []int
		poisson float64
	}{{[]float64{1, .25}, []int{16, 4}, .3}, {[]float64{1, .025}, []int{4, 4}, .3},
		{[]float64{1, .25, .25}, []int{8, 2, 2}, .3}, {[]float64{1, 1, .1}, []int{4, 4, 4}, .45}} {
		m, err := (&fem.Box{Corner: make([]float64, len(c.size)), Size: c.size, Cells: c.cells}).Mesh()
		if err != nil {
			t.Fatal(err)
		}
		top, err := m.Group("top")
		if err != nil {
			t.Fatal(err)
		}
		b, err := body.New(body.Options{Mesh: m, Material: fem.Elastic{Young: 1000, Poisson: c.poisson},
			Prescribed: []body.Prescribed{{Nodes: top.Nodes(), Axis: len(c.size) - 1, Motion: signal.Constant(0)},
				{Nodes: top.Nodes(), Axis: 0, Motion: signal.Constant(0)},
				{Nodes: top.Nodes(), Axis: (len(c.size) - 1) / 2, Motion: signal.Constant(0)}}[:len(c.size)]})
		if err != nil {
			t.Fatal(err)
		}
		s, err := particles.NewSystem(particles.Floors(b.Particles()), b)
		if err != nil {
			t.Fatal(err)
		}
		_, want := s.Islands() // the body, and its prescribed nodes
		if _, n := s.Coupled(s.Hessian(0, b.Start()), .02); n != want {
			t.Errorf("%v in %v cells: %d parts, want %d", c.size, c.cells, n, want)
		}
	}
}
