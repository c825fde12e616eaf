package halfspace

import "math"

// The rigid displacements of the upper body: along x, y and n, and the rotations
// about x and y (tilts) and n (spin), through the pole.
const (
	MoveX = iota
	MoveY
	MoveN
	TurnX
	TurnY
	TurnN
	Moves
)

// mode is a rigid displacement field: component c is m[c][0] + m[c][1] x + m[c][2] y
// at (x, y) from the pole.
type mode [3][3]float64

// modes: a rotation ω × (x, y, 0).
var modes = [Moves]mode{
	MoveX: {X: {1, 0, 0}},
	MoveY: {Y: {1, 0, 0}},
	MoveN: {N: {1, 0, 0}},
	TurnX: {N: {0, 0, 1}},
	TurnY: {N: {0, -1, 0}},
	TurnN: {X: {0, 0, -1}, Y: {0, 1, 0}},
}

func (m *mode) at(c int, x, y float64) float64 { return m[c][0] + m[c][1]*x + m[c][2]*y }

// within is how much the mode changes from the middle of an element to its edges: what an arm
// is known to, where tractions are uniform on elements.
func (m *mode) within(c int, g Grid) float64 {
	return (math.Abs(m[c][1])*g.DX + math.Abs(m[c][2])*g.DY) / 2
}

// moves reports whether component c is part of the mode.
func (m *mode) moves(c int) bool { return m[c] != [3]float64{} }

// force is a mode whose resultant is prescribed.
type force struct {
	mode
	index  int     // of the mode
	target float64 // Σ a·p, force or moment over the area of an element
	move   float64 // ξ, the displacement or rotation that results
}

// small is a matrix of the order of the forces.
type small [Moves][Moves]float64

// solve overwrites x, of which n entries count, by A⁻¹x, the symmetric part of A positive
// semidefinite: pivots that have cancelled are taken for dependent rows, which get 0. It returns
// the rank.
func (a small) solve(x *[Moves]float64, n int) (rank int) {
	var scale [Moves]float64
	for i := range n {
		scale[i] = a[i][i]
	}
	const cancelled = 1e-12 // of a diagonal: what subtraction leaves of dependent rows, with room
	for i := range n {
		if !(a[i][i] > cancelled*scale[i]) {
			a[i][i] = 0
			continue
		}
		rank++
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			x[j] -= f * x[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		if a[i][i] == 0 {
			x[i] = 0
			continue
		}
		for k := i + 1; k < n; k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return rank
}

// transpose exchanges rows and columns.
func (a *small) transpose(n int) {
	for i := range n {
		for j := range i {
			a[i][j], a[j][i] = a[j][i], a[i][j]
		}
	}
}

// solves reports whether A x is b, of n entries, next to the size of b: where A is singular there
// may be no such x.
func (a *small) solves(x, b *[Moves]float64, n int) bool {
	const close = 1e-6 // of b: what is left is for the next step
	for i := range n {
		left := b[i]
		for j := range n {
			left -= a[i][j] * x[j]
		}
		if !(math.Abs(left) <= close*math.Sqrt(norm2(*b))) {
			return false
		}
	}
	return true
}
