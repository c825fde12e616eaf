package bodyview

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/table"
)

// TestSurfaces: the triangles of bodies in space are turned outwards and enclose their
// volume, those of bodies in the plane their area.
func TestSurfaces(t *testing.T) {
	for name, c := range map[string]struct {
		shape  bodies.Shape
		volume float64
	}{
		"sphere":    {bodies.Sphere{R: 1}, 4. / 3 * math.Pi},
		"ellipsoid": {bodies.Ellipsoid{Axes: [3]float64{1, 2, 3}}, 8 * math.Pi},
		"box":       {bodies.Box{Size: [3]float64{1, 2, 3}}, 6},
		"capsule":   {bodies.Capsule{Length: 2, R: 1}, 2*math.Pi + 4./3*math.Pi},
		"cone":      {bodies.Cone{R: 1, Height: 2}, 2. / 3 * math.Pi},
		"disc":      {bodies.Disc{R: 1}, math.Pi},
		"polygon":   {bodies.Polygon{Vertices: [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}, 4},
		"thread":    {bodies.Rod{Length: 2}, 0},
	} {
		w, err := bodies.NewWorld(max(c.shape.Dim(), 2), [3]float64{})
		if err == nil {
			_, err = w.Add(bodies.Body{Shape: c.shape, Mass: 1})
		}
		if err != nil {
			t.Fatal(err)
		}
		p := newPicture(w, nil, [3]float64{}).(*picture)
		p.once.Do(p.lay)
		got, first := 0.0, int64(0)
		for k, end := range p.cells.Ends {
			points := p.cells.Nodes[first:end]
			first = end
			if p.kinds[k] != cellSurface {
				continue
			}
			at := func(i int) [3]float64 { return p.ties[points[(i+len(points))%len(points)]].y }
			switch p.cells.Types[k] {
			case table.VTKTriangle: // of the tetrahedron with the centre
				a, b, d := at(0), at(1), at(2)
				for i := range 3 {
					j, l := (i+1)%3, (i+2)%3
					got += a[i] * (b[j]*d[l] - b[l]*d[j]) / 6
				}
			case table.VTKPolygon:
				for i := range points {
					a, b := at(i-1), at(i)
					got += (a[0]*b[1] - a[1]*b[0]) / 2
				}
			}
		}
		// 8 rings of 16 points lie in the ball: they leave 6.3 % of it.
		if got > c.volume*(1+1e-12) || got < 0.93*c.volume {
			t.Errorf("%s: the surface encloses %g, want %g", name, got, c.volume)
		}
	}
}
