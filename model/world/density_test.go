package world_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// piece is a box or rectangle with its centre on the x axis.
type piece struct{ x, a, b, density float64 }

// thickness of pieces in space; in the plane masses are those of a metre.
const thickness = 0.1

// mass is ρab, in space ρabc, moment that about z through the centre, m(a² + b²)/12.
func (p piece) mass(dim int) float64 {
	m := p.density * p.a * p.b
	if dim == 3 {
		m *= thickness
	}
	return m
}
func (p piece) moment(dim int) float64 { return p.mass(dim) * (p.a*p.a + p.b*p.b) / 12 }

// shape writes it as a primitive, or in space by its vertices from a corner, with the place of its
// origin.
func (p piece) shape(dim int, mesh bool) (shape, at string) {
	switch {
	case dim == 3 && mesh:
		return fmt.Sprintf(`{"type": "polyhedron", "vertices": [[0, 0, 0], [%[1]g, 0, 0], [0, %[2]g, 0], [%[1]g, %[2]g, 0], [0, 0, %[3]g], [%[1]g, 0, %[3]g], [0, %[2]g, %[3]g], [%[1]g, %[2]g, %[3]g]]}`,
				p.a, p.b, thickness),
			fmt.Sprintf("[%g, %g, %g]", p.x-p.a/2, -p.b/2, -thickness/2)
	case dim == 2:
		return fmt.Sprintf(`{"type": "polygon", "vertices": [[%[1]g, %[2]g], [%[3]g, %[2]g], [%[3]g, %[4]g], [%[1]g, %[4]g]]}`,
			-p.a/2, -p.b/2, p.a/2, p.b/2), fmt.Sprintf("[%g, 0]", p.x)
	}
	return fmt.Sprintf(`{"type": "box", "size": [%g, %g, %g]}`, p.a, p.b, thickness), fmt.Sprintf("[%g, 0, 0]", p.x)
}

// TestDensityWritten: however densities are written (of the body, of its parts, of both; of a shape,
// of one part or two; by primitives or vertices; in the plane and in space) a body has the mass Σρ_iV_i
// and the moment Σ(J_i + m_i d_i²) about its centre: a load F takes it to v = Ft/m, and as it spins
// with ω its energy is ½mv² + ½Jω².
func TestDensityWritten(t *testing.T) {
	const body, force, omega, until = 700., 12., 3., 1.
	for i, m := range []*run.Model{&rigid.Model, &patch.Theta, &patch.Compliant} {
		for _, dim := range []int{2, 3} {
			for _, c := range []struct {
				name  string
				own   []float64 // densities of the parts, 0: none; nil: a shape without parts
				whole bool      // the body has a density
			}{
				{"a shape", nil, true},
				{"one part, of the body", []float64{0}, true}, {"one part, its own", []float64{500}, false},
				{"one part, both", []float64{500}, true},
				{"two parts, of the body", []float64{0, 0}, true}, {"two parts, their own", []float64{500, 900}, false},
				{"two parts, one its own", []float64{0, 900}, true}, {"two parts, both", []float64{500, 900}, true},
			} {
				for _, mesh := range []bool{false, true} {
					pieces := []piece{{0.05, 0.3, 0.1, body}, {-0.2, 0.1, 0.2, body}}[:max(1, len(c.own))]
					for k := range pieces {
						if c.own != nil && c.own[k] > 0 {
							pieces[k].density = c.own[k]
						}
						if c.own == nil || m != &rigid.Model {
							pieces[k].x = 0 // the others have the centre of mass where the origin is
						}
					}
					mass, first, moment := 0., 0., 0.
					for _, p := range pieces {
						mass, first = mass+p.mass(dim), first+p.mass(dim)*p.x
					}
					centre := first / mass
					for _, p := range pieces {
						moment += p.moment(dim) + p.mass(dim)*(p.x-centre)*(p.x-centre)
					}
					var keys, parts []string
					if c.whole {
						keys = append(keys, fmt.Sprintf(`"density": %g`, body))
					}
					for k := range pieces {
						shape, at := pieces[k].shape(dim, mesh)
						if c.own == nil {
							keys = append(keys, `"shape": `+shape)
							continue
						}
						part := fmt.Sprintf(`"shape": %s, "position": %s`, shape, at)
						if c.own[k] > 0 {
							part += fmt.Sprintf(`, "density": %g`, c.own[k])
						}
						parts = append(parts, "{"+part+"}")
					}
					if mesh && (dim == 2 || c.own == nil || m != &rigid.Model) {
						continue // polygons are written by their vertices; the corner of a hull would be the origin
					}
					if parts != nil {
						keys = append(keys, `"parts": [`+strings.Join(parts, ", ")+"]")
					}
					back := -omega * centre // of the origin, so that the centre is at rest
					load, velocity, spin := fmt.Sprintf("[%g, 0, 0]", force), fmt.Sprintf("[0, %.15g, 0]", back),
						fmt.Sprintf("[0, 0, %g]", omega)
					if dim == 2 {
						load, velocity, spin = fmt.Sprintf("[%g, 0]", force), fmt.Sprintf("[0, %.15g]", back), fmt.Sprint(omega)
					}
					name := fmt.Sprintf("%s, %d dimensions, %s, by vertices %t", m.Name, dim, c.name, mesh)
					x := trial.Run(t, fmt.Sprintf(`{"model": %q, "dimension": %d, "until": %g, "steps": 2, "accuracy": 1, "bodies": [{"id": "b", "load": %s, "velocity": %s, "spin": %s, %s}]}`,
						m.Name, dim, until, load, velocity, spin, strings.Join(keys, ", ")), slices.Concat(models[i:], models[:i])...)
					v := force * until / mass
					if got, want := x.Last(t, table.EnergiesFile)[1], mass*v*v/2+moment*omega*omega/2; math.Abs(got-want) > 1e-9*want {
						t.Errorf("%s: a kinetic energy of %.12g J, want %.12g J", name, got, want)
					}
					if got, want := x.Last(t, table.EnergiesFile)[7], force*v*until/2; math.Abs(got-want) > 1e-9*want {
						t.Errorf("%s: a work of %.12g J, want %.12g J", name, got, want)
					}
				}
			}
		}
	}
}
