package fem

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// HalfSpace is the obstacle's admissible side {x : n·(x − p) ≥ 0}, with as many
// entries as the mesh has dimensions; the normal points into the admissible side.
type HalfSpace struct{ Point, Normal []float64 }

// ContactNode is a node that must stay on its side of an obstacle.
type ContactNode struct {
	Node int
	Gap  float64 // n·(x − p) ≥ 0 in the reference configuration [m]
	// Frame holds the local axes as rows, tangents first, the normal last:
	// (n), (t, n) or (t, o, n). Local components are Frame·u.
	Frame [3][3]float64
}

// onSurface: a node within this fraction of the mesh's coordinates lies on the
// obstacle; printing and reading decimal coordinates moves it by less.
const onSurface = 1e-12

// Contacts places the nodes against the obstacle. It fails for a node inside
// it, naming the node and its depth.
func Contacts(m *Mesh, nodes []int, h HalfSpace) ([]ContactNode, error) {
	if m == nil {
		return nil, errNoMesh
	}
	frame, err := h.frame(m.Dim)
	if err != nil {
		return nil, err
	}
	size := 0.0
	for _, x := range m.X {
		size = max(size, math.Abs(x))
	}
	list := make([]ContactNode, len(nodes))
	for k, i := range nodes {
		gap := 0.0
		for c, x := range m.Node(i) {
			gap += frame[m.Dim-1][c] * (x - h.Point[c])
		}
		if gap < -onSurface*size {
			return nil, fmt.Errorf("fem: %w", m.Inside(i, -gap))
		}
		if gap <= onSurface*size {
			gap = 0
		}
		list[k] = ContactNode{Node: i, Gap: gap, Frame: frame}
	}
	return list, nil
}

// Inside is the fault of a node that lies in its obstacle at the start by a depth [m].
func (m *Mesh) Inside(node int, depth float64) error {
	return fmt.Errorf("node %d at %v lies %g m inside its obstacle: a run begins outside; "+
		"move the obstacle back by that, and close the gap by \"prescribed\" or an obstacle that moves", node, m.Node(node), depth)
}

// frame chooses the tangents: t is the projection of the x axis, or of the y
// axis where the normal is within 45 degrees of x; in the plane t is the normal
// turned clockwise.
func (h HalfSpace) frame(dim int) (f [3][3]float64, err error) {
	if len(h.Point) != dim || len(h.Normal) != dim {
		return f, fmt.Errorf("fem: obstacle with %d coordinates and %d normal components for a mesh of dimension %d",
			len(h.Point), len(h.Normal), dim)
	}
	var n [3]float64
	copy(n[:], h.Normal)
	length := math.Sqrt(vec3.Dot(n, n))
	if !(length > 0) || math.IsInf(length, 1) {
		return f, fmt.Errorf("fem: obstacle: the normal %v has no direction", h.Normal)
	}
	for c := range n {
		n[c] /= length
	}
	f[dim-1] = n
	switch dim {
	case 2:
		f[0] = [3]float64{n[1], -n[0]}
	case 3:
		axis := 0
		if math.Abs(n[0]) > math.Sqrt2/2 {
			axis = 1
		}
		var t [3]float64
		t[axis] = 1
		for c := range t {
			t[c] -= n[axis] * n[c]
		}
		length = math.Sqrt(vec3.Dot(t, t))
		for c := range t {
			t[c] /= length
		}
		f[0], f[1] = t, vec3.Cross(n, t)
	}
	return f, nil
}

// aligned reports whether the local axes are the global ones.
func (c *ContactNode) aligned(dim int) bool {
	for r := range dim {
		if c.Frame[r][r] != 1 {
			return false
		}
	}
	return true
}

// Frames turns vectors and matrices into the local axes of contact nodes.
type Frames struct {
	dim     int
	rotated map[int]*[3][3]float64
	nodes   []int // of rotated, in order
}

// NewFrames takes the contact nodes; those with global axes cost nothing.
func NewFrames(dim int, contacts []ContactNode) *Frames {
	f := &Frames{dim: dim, rotated: map[int]*[3][3]float64{}}
	for k := range contacts {
		if c := &contacts[k]; !c.aligned(dim) {
			f.rotated[c.Node] = &c.Frame
			f.nodes = append(f.nodes, c.Node)
		}
	}
	return f
}

// Aligned reports whether all local axes are the global ones.
func (f *Frames) Aligned() bool { return len(f.nodes) == 0 }

// ToLocal replaces the components at contact nodes by local ones.
func (f *Frames) ToLocal(u []float64) { f.apply(u, false) }

// ToGlobal is the inverse of ToLocal.
func (f *Frames) ToGlobal(u []float64) { f.apply(u, true) }

func (f *Frames) apply(u []float64, transpose bool) {
	for _, i := range f.nodes {
		r, x := f.rotated[i], u[f.dim*i:f.dim*i+f.dim]
		var y [3]float64
		for a := range f.dim {
			for b := range f.dim {
				if transpose {
					y[a] += r[b][a] * x[b]
				} else {
					y[a] += r[a][b] * x[b]
				}
			}
		}
		copy(x, y[:])
	}
}

// Rotate replaces a matrix of full nodal blocks by that in local components,
// R A Rᵀ.
func (f *Frames) Rotate(a *sparse.Sym) {
	if f.Aligned() {
		return
	}
	d := f.dim
	for j := range a.N / d {
		for k := a.Ptr[d*j]; k < a.Ptr[d*j+1]; k++ {
			if a.Row[k]%d != 0 {
				continue
			}
			i := a.Row[k] / d
			if f.rotated[i] != nil || f.rotated[j] != nil {
				f.rotateBlock(a, i, j)
			}
		}
	}
}

// rotateBlock replaces B by R_i B R_jᵀ.
func (f *Frames) rotateBlock(a *sparse.Sym, i, j int) {
	d := f.dim
	var b, rb, out [3][3]float64
	for r := range d {
		for c := range d {
			b[r][c] = a.Val[a.Index(d*i+r, d*j+c)]
		}
	}
	ri, rj := f.axes(i), f.axes(j)
	for r := range d {
		for c := range d {
			for k := range d {
				rb[r][c] += ri[r][k] * b[k][c]
			}
		}
	}
	for r := range d {
		for c := range d {
			for k := range d {
				out[r][c] += rb[r][k] * rj[c][k]
			}
			if i != j || r >= c {
				a.Val[a.Index(d*i+r, d*j+c)] = out[r][c]
			}
		}
	}
}

func (f *Frames) axes(i int) *[3][3]float64 {
	if r := f.rotated[i]; r != nil {
		return r
	}
	return &[3][3]float64{{1}, {0, 1}, {0, 0, 1}}
}
