package elastic_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// world is where and in which units a block is described.
type world struct {
	length, mass, time float64 // in units of the reference
	at                 float64 // of the corner, in sizes of the block
}

// blockIn is the block of S1 or S3 somewhere, in other units.
func blockIn(t *testing.T, w world, inertia elastic.Inertia, mu, gap, vx, vy, gravity float64) *elastic.Model {
	t.Helper()
	l, speed := w.length, w.length/w.time
	x, y := w.at*l, -0.7*w.at*l
	mesh, err := fem.Box{Corner: []float64{x, y}, Size: []float64{l, 0.25 * l}, Cells: []int{16, 4}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	contacts, err := fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(), fem.HalfSpace{Point: []float64{x, y - gap*l}, Normal: []float64{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	// In the plane a metre deep: Young's modulus is a force over length by depth, density a
	// mass over area and depth, where the depth is 1 in any units.
	m := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 1000 * w.mass / (w.time * w.time), Poisson: 0.3, Density: w.mass / (l * l)}, Inertia: inertia, Contacts: contacts}
	for range mesh.NumNodes() {
		m.V0 = append(m.V0, vx*speed, vy*speed)
	}
	for range contacts {
		m.Friction = append(m.Friction, mu)
	}
	m.BodyForce = signal.Vector{signal.Constant(0), signal.Constant(gravity * w.mass / (l * w.time * w.time))}
	return m
}

// TestInvariance: the blocks of S1 and S3 anywhere and in any units move alike: displacements,
// reactions, energies, and what is said of them. Only the coordinates of nodes round with the
// distance from the origin, and with them shapes and gaps.
func TestInvariance(t *testing.T) {
	type answer struct {
		u, r     []float64
		energy   float64
		measures [3]float64
		accurate bool
	}
	solve := func(w world, o elastic.Options, inertia elastic.Inertia, s3 bool) answer {
		m, until := blockIn(t, w, inertia, 0.3, 0.0103, 3, -1, 0), 0.03
		if s3 {
			m = blockIn(t, w, inertia, 0.4, 0, 1, 0, -40)
		}
		o.Step = 5e-4 * w.time
		s := run(t, m, o, until*w.time, nil)
		a := answer{u: s.Displacement(nil), r: append([]float64(nil), s.State().R...), energy: s.Energies().Total() * w.time * w.time / (w.mass * w.length * w.length)}
		for i := range a.u {
			a.u[i] /= w.length
		}
		for i := range a.r {
			a.r[i] *= w.time * w.time / (w.mass * w.length)
		}
		list := append(s.Accurate(1e-2), s.Solved()[0])
		for i := range list {
			a.measures[i] = list[i].Value
		}
		a.accurate = passed(list)
		return a
	}
	for name, c := range map[string]struct {
		o       elastic.Options
		inertia elastic.Inertia
		s3      bool
	}{
		"S1": {}, "S3": {s3: true}, "fixed point": {o: elastic.Options{Method: elastic.Picard}, s3: true}, "redistributed": {inertia: elastic.Redistributed},
	} {
		want := solve(world{1, 1, 1, 0}, c.o, c.inertia, c.s3)
		for _, w := range []world{
			{1, 1, 1, 10}, {1, 1, 1, 1e3}, {1, 1, 1, 1e6}, {1e6, 1, 1, 0}, {1e-6, 1, 1, 0}, {1, 1e6, 1, 0}, {1, 1e-6, 1, 0}, {1, 1, 1e6, 0}, {1, 1, 1e-6, 0}, {1e-6, 1e6, 1e-6, 1e3},
		} {
			got := solve(w, c.o, c.inertia, c.s3)
			// Coordinates of at lengths round by 1e-16·at; an edge of 1/16 by sixteen times that,
			// and the reactions of nodes that are about to open answer by some hundred times that.
			tol := 1e-11 + 1e-13*w.at
			for i, u := range want.u {
				if !(math.Abs(got.u[i]-u) <= tol*infNorm(want.u)) {
					t.Fatalf("%s in %+v: displacement %d is %.17g, want %.17g", name, w, i, got.u[i], u)
				}
			}
			for i, r := range want.r {
				if !(math.Abs(got.r[i]-r) <= 100*tol*infNorm(want.r)) {
					t.Fatalf("%s in %+v: reaction %d is %.17g, want %.17g", name, w, i, got.r[i], r)
				}
			}
			near(t, name+": energy", got.energy, want.energy, tol)
			for i, x := range want.measures[:2] {
				near(t, name+": measure", got.measures[i], x, tol)
			}
			if got.accurate != want.accurate {
				t.Errorf("%s in %+v: accurate %t, want %t", name, w, got.accurate, want.accurate)
			}
		}
	}
}

func infNorm(x []float64) (m float64) {
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}
