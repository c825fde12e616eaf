package fem

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// RigidMode is one infinitesimal rigid motion of the whole body.
type RigidMode struct {
	Name string
	U    []float64 // dim·nodes
}

// RigidModes returns the motions without strain: translations, and rotations
// about the centre of the coordinates. An axisymmetric body has one, along its axis.
func RigidModes(m *Mesh, e Elastic) []RigidMode {
	var modes []RigidMode
	add := func(name string, f func(x []float64, u []float64)) {
		mode := RigidMode{name, make([]float64, len(m.X))}
		for i := range m.NumNodes() {
			f(m.Node(i), mode.U[m.Dim*i:m.Dim*i+m.Dim])
		}
		modes = append(modes, mode)
	}
	for c := range m.Dim {
		if m.Dim == 2 && e.Kinematics == Axisymmetric && c == 0 {
			continue
		}
		add("translation along "+axisNames[c], func(_, u []float64) { u[c] = 1 })
	}
	x0 := m.centre()
	for c := range m.Dim {
		for a := range c {
			if e.Kinematics == Axisymmetric {
				continue
			}
			add("rotation in the "+axisNames[a]+axisNames[c]+" plane", func(x, u []float64) { u[a], u[c] = -(x[c] - x0[c]), x[a]-x0[a] })
		}
	}
	return modes
}

var axisNames = [...]string{"x", "y", "z"}

func (m *Mesh) centre() []float64 {
	x0 := make([]float64, m.Dim)
	for i := range m.NumNodes() {
		for c, x := range m.Node(i) {
			x0[c] += x / float64(m.NumNodes())
		}
	}
	return x0
}

// Normal is the direction along which an obstacle keeps a node from moving, along the axes of the mesh.
type Normal struct {
	Node  int
	Along [3]float64
	Less  []Share // the node keeps to Σ weight·u of these, as on periodic sides and lids; nil: it cannot move
}

// Share is a part of the displacement of a dof.
type Share struct {
	Dof    int
	Weight float64 // [-]
}

// CheckSupport fails if prescribed dofs and obstacles, as if they held on to their nodes, leave a combination of rigid
// modes of a part of the mesh free, and names the modes that take part in it: a static
// problem would then have no unique solution. Parts share no element.
func CheckSupport(m *Mesh, e Elastic, fixed []int, obstacles ...Normal) error {
	if m == nil {
		return errNoMesh
	}
	modes := RigidModes(m, e)
	part, parts := m.Parts()
	for p := range parts {
		free := dependent(gram(m, modes, fixed, obstacles, part, p))
		if len(free) == 0 {
			continue
		}
		names := make([]string, len(free))
		for k, a := range free {
			names[k] = modes[a].Name
		}
		which := "body"
		if parts > 1 {
			which = fmt.Sprintf("part of the body with node %d", slices.Index(part, p))
		}
		return fmt.Errorf("fem: the %s can move without strain: %s is not prevented; components that are prescribed, obstacles, "+
			"friction on them and beds prevent that", which, strings.Join(names, ", "))
	}
	return nil
}

// FreeModes names the rigid modes that prescribed dofs and what is tied leave free in some part of
// the mesh: a body in motion may have them, a static one must not.
func FreeModes(m *Mesh, e Elastic, fixed []int, tied ...Normal) []string {
	modes := RigidModes(m, e)
	part, parts := m.Parts()
	free := make([]bool, len(modes))
	for p := range parts {
		for _, a := range dependent(gram(m, modes, fixed, tied, part, p)) {
			free[a] = true
		}
	}
	var names []string
	for a := range modes {
		if free[a] {
			names = append(names, modes[a].Name)
		}
	}
	return names
}

// gram returns the products of the modes on the prescribed dofs and along the normals of part p, each
// mode scaled to at most 1 on it.
func gram(m *Mesh, modes []RigidMode, fixed []int, obstacles []Normal, part []int, p int) [][]float64 {
	n := len(modes)
	g, size, on := make([][]float64, n), make([]float64, n), make([]float64, n)
	for a := range modes {
		g[a] = make([]float64, n)
		for i, x := range modes[a].U {
			if part[i/m.Dim] == p {
				size[a] = max(size[a], math.Abs(x))
			}
		}
	}
	hold := func(node int, less []Share, along func(u []float64) float64) {
		elsewhere := func(s Share) bool { return part[s.Dof/m.Dim] != p } // what is tied to another part may move with it
		if part[node] != p || slices.ContainsFunc(less, elsewhere) {
			return
		}
		for a := range n {
			on[a] = along(modes[a].U[m.Dim*node:])
			for _, s := range less {
				on[a] -= s.Weight * modes[a].U[s.Dof]
			}
			on[a] /= size[a]
			for b := range a + 1 {
				g[a][b] += on[a] * on[b]
				g[b][a] = g[a][b]
			}
		}
	}
	for _, i := range fixed {
		hold(i/m.Dim, nil, func(u []float64) float64 { return u[i%m.Dim] })
	}
	for _, o := range obstacles {
		hold(o.Node, o.Less, func(u []float64) (x float64) {
			for c := range m.Dim {
				x += o.Along[c] * u[c]
			}
			return x
		})
	}
	return g
}

// dependent eliminates in order, translations first, and returns what has no
// pivot.
func dependent(g [][]float64) []int {
	var left []int
	for p := range g {
		if g[p][p] <= 1e-12 { // of unit modes on at least one dof
			left = append(left, p)
			continue
		}
		for a := p + 1; a < len(g); a++ {
			f := g[a][p] / g[p][p]
			for b := range g {
				g[a][b] -= f * g[p][b]
			}
		}
	}
	return left
}
