package fem

import "math"

// Deformation is the largest ‖u_a − u_b‖/‖x_a − x_b‖ of nodes a, b that are next to each other in the list of an element, and
// |u_r|/r of axisymmetric bodies: what edges are stretched and turned by [-]. Linear elasticity takes it to be small: of
// larger ones it leaves terms of that size out.
func (m *Mesh) Deformation(u []float64, k Kinematics) (most float64) {
	for e := range m.NumElems() {
		nodes := m.NodesOf(e)
		for at, a := range nodes {
			b := nodes[(at+1)%len(nodes)]
			change, length := 0.0, 0.0
			for c := range m.Dim {
				change = math.Hypot(change, u[m.Dim*a+c]-u[m.Dim*b+c])
				length = math.Hypot(length, m.X[m.Dim*a+c]-m.X[m.Dim*b+c])
			}
			most = max(most, change/length)
		}
	}
	if k == Axisymmetric {
		for i := range m.NumNodes() {
			if r := m.X[m.Dim*i]; r > 0 {
				most = max(most, math.Abs(u[m.Dim*i])/r)
			}
		}
	}
	return most
}
