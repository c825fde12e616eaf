package body

import "github.com/quasistatic/quasistatic/particles"

var _ particles.Solid = (*Body)(nil)

// Shape implements [particles.Solid]: the mesh at its deformed nodes.
func (b *Body) Shape(dst *particles.Shape, t float64, x []float64) {
	m := b.o.Mesh
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	if len(dst.Node) != 3*m.NumNodes() {
		dst.Node = make([]float64, 3*m.NumNodes())
	}
	dst.Dim, dst.Element, dst.Surface = b.dim, b.simplices, b.surface
	for i := range m.NumNodes() {
		for c, axis := range axes[b.dim] {
			dst.Node[3*i+axis] = m.Node(i)[c] + s.d[b.dim*i+c]
		}
	}
}
