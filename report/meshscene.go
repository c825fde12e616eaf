package report

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
)

// meshView is the part of a mesh that can be seen: the triangles of its surface, or
// all of a plane one, or the elements of a bar; and the nodes in them.
type meshView struct {
	mesh  *fem.Mesh
	faces [][]int // nodes
	of    []int   // element of each face, whose stress it shows
	nodes []int   // ascending
}

func newMeshView(m *fem.Mesh) *meshView {
	v := &meshView{mesh: m}
	n := m.Dim + 1
	if m.Dim < 3 {
		for k := range m.NumElems() {
			v.faces, v.of = append(v.faces, m.Elem[n*k:n*k+n]), append(v.of, k)
		}
	} else {
		v.surface()
	}
	seen := make([]bool, m.NumNodes())
	for _, f := range v.faces {
		for _, i := range f {
			seen[i] = true
		}
	}
	for i, s := range seen {
		if s {
			v.nodes = append(v.nodes, i)
		}
	}
	return v
}

// surface collects the faces that belong to one tetrahedron only.
func (v *meshView) surface() {
	type owner struct{ count, element, face int }
	known := map[[3]int]owner{}
	var order [][3]int
	for k := range v.mesh.NumElems() {
		e := v.mesh.Elem[4*k : 4*k+4]
		for skip := range 4 {
			f := [3]int{e[(skip+1)%4], e[(skip+2)%4], e[(skip+3)%4]}
			slices.Sort(f[:])
			o := known[f]
			if o.count == 0 {
				order = append(order, f)
			}
			known[f] = owner{o.count + 1, k, skip}
		}
	}
	for _, f := range order {
		if o := known[f]; o.count == 1 {
			v.faces, v.of = append(v.faces, []int{f[0], f[1], f[2]}), append(v.of, o.element)
		}
	}
}

// at returns where a node is shown: a plane mesh stands upright, a bar lies along x.
func (v *meshView) at(i int, u []float64) (x [3]float64) {
	d := v.mesh.Dim
	for c, axis := range [4][]int{1: {0}, 2: {0, 2}, 3: {0, 1, 2}}[d] {
		x[axis] = v.mesh.X[d*i+c]
		if u != nil {
			x[axis] += u[d*i+c]
		}
	}
	return x
}

// add puts the faces into a scene whose points are numbered by number[node].
func (v *meshView) add(s *Scene, number map[int]int) {
	for _, f := range v.faces {
		var g []int
		for _, i := range f {
			g = append(g, number[i])
		}
		if len(g) == 2 {
			s.Links = append(s.Links, [3]int{g[0], g[1], barLink})
		} else {
			s.Polygons = append(s.Polygons, g)
		}
	}
}

// barLink is the kind of a link that is an element of a bar.
const barLink = 5

// stressFilm encodes the von Mises stress of the faces over time.
type stressFilm struct {
	values [][]float64 // by time
	most   float64
}

// add takes the stresses of the elements of the views at the next time.
func (h *stressFilm) add(stress [][]fem.Tensor, views []*meshView) {
	var row []float64
	for i, v := range views {
		for _, k := range v.of {
			x := bounded(stress[i][k].VonMises())
			row, h.most = append(row, x), max(h.most, x)
		}
	}
	h.values = append(h.values, row)
}

// put sets the shades of a scene.
func (h *stressFilm) put(s *Scene) {
	if !(h.most > 0) {
		return
	}
	var b []byte
	for _, row := range h.values {
		for _, x := range row {
			b = append(b, byte(math.Round(255*x/h.most)))
		}
	}
	s.Shade, s.ShadeLabel = base64.StdEncoding.EncodeToString(b), fmt.Sprintf("von Mises stress, 0 to %s", pascal(h.most))
}

func pascal(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "GPa"}, {1e6, "MPa"}, {1e3, "kPa"}} {
		if v >= u.size {
			return fmt.Sprintf("%.3g %s", v/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g Pa", v)
}

// magnification returns the power of ten, or three times one, that shows
// displacements of that size best in a body of that extent; 1 if they are large.
func magnification(displacement, extent float64) float64 {
	const wanted = 0.06 // share of the extent
	if !(displacement > 0) || displacement > wanted*extent/2 {
		return 1
	}
	most := wanted * extent / displacement
	power := math.Pow(10, math.Floor(math.Log10(most)))
	if 3*power <= most {
		return min(3*power, 1000)
	}
	return min(power, 1000)
}
