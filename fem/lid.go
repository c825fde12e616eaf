package fem

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Lid is a group of nodes that moves as a rigid one, with small turns: u = U + θ × (x − c), in the plane θ is along z, and a ring
// has the translation along its axis alone. Of its r rigid motions r displacements, those of the masters, determine all others,
//
//	u_i = a_i·q,   q = A_M⁻¹ u_M   ⇒   u_i = w_i·u_M,   A_Mᵀ w_i = a_i,
//
// with the motions q and their row a_i at the dof i. Masters are those of complete pivoting, so that weights are of order one. Motions
// that are given, q_g, determine the rest, u_i = w_i·u_M + (a_i − A_Mᵀw_i)_g·q_g.
type Lid struct {
	Masters []int      // dofs of the mesh; none: all motions are given
	Centre  [3]float64 // c, the mean of its nodes, or where it was said to be
	mesh    *Mesh
	modes   int
	given   []int
	size    float64   // turns are in parts of 1/size
	used    []int     // motions that the masters determine: all but turns about an axis that goes through all nodes
	square  []float64 // A_Mᵀ, row by row of the motions
}

// Motions is the number of rigid motions of a lid: of translations, which come first, and with the turns. A ring has one, along its axis.
func Motions(dim int, k Kinematics) (translations, all int) {
	if dim == 2 && k == Axisymmetric {
		return 1, 1
	}
	return dim, [4]int{1: 1, 2: 3, 3: 6}[dim]
}

// NewLid makes one of the nodes of a group, with a place c, nil for their mean, and the numbers of the motions that are given. It fails if there are no nodes.
func NewLid(m *Mesh, k Kinematics, nodes []int, at *[3]float64, given ...int) (*Lid, error) {
	if len(nodes) == 0 {
		return nil, errors.New("fem: a lid has no nodes")
	}
	l := &Lid{mesh: m, given: given}
	_, l.modes = Motions(m.Dim, k)
	for _, i := range nodes {
		l.Centre = vec3.Add(l.Centre, 1/float64(len(nodes)), m.place(i))
	}
	if at != nil {
		l.Centre = *at
	}
	for _, i := range nodes {
		l.size = max(l.size, vec3.Norm(vec3.Add(m.place(i), -1, l.Centre)))
	}
	if l.size == 0 {
		l.size = 1
	}
	var dofs []int
	var rows [][]float64
	for _, i := range nodes {
		for c := range m.Dim {
			dofs, rows = append(dofs, m.Dim*i+c), append(rows, l.row(m.Dim*i+c))
		}
	}
	l.pivot(dofs, rows)
	for _, mode := range l.used {
		for _, i := range l.Masters {
			l.square = append(l.square, l.row(i)[mode])
		}
	}
	return l, nil
}

// Dofs is the number of those of the mesh.
func (l *Lid) Dofs() int { return len(l.mesh.X) }

// Dim is that of the mesh.
func (l *Lid) Dim() int { return l.mesh.Dim }

// motion is that of a place by one of the rigid motions.
func (l *Lid) motion(mode int, x vec3.Vec) vec3.Vec {
	d := l.mesh.Dim
	switch arm := vec3.Scale(vec3.Add(x, -1, l.Centre), 1/l.size); {
	case l.modes == 1 && d == 2:
		return unitVector(1)
	case mode < d:
		return unitVector(mode)
	default:
		return vec3.Cross(l.axis(mode), arm)
	}
}

// axis is that of a turn.
func (l *Lid) axis(mode int) vec3.Vec {
	if l.mesh.Dim == 2 {
		return unitVector(2)
	}
	return unitVector(mode - 3)
}

// row is a_i.
func (l *Lid) row(dof int) []float64 {
	a := make([]float64, l.modes)
	for mode := range a {
		a[mode] = l.motion(mode, l.mesh.place(dof/l.mesh.Dim))[dof%l.mesh.Dim]
	}
	return a
}

// pivot chooses masters, and the motions that these determine.
func (l *Lid) pivot(dofs []int, rows [][]float64) {
	for _, row := range rows {
		for _, mode := range l.given {
			row[mode] = 0
		}
	}
	for range l.modes {
		row, mode, most := -1, 0, 1e-9 // of rows of order one: places are given to some ten digits
		for i := range rows {
			for k, x := range rows[i] {
				if math.Abs(x) > most {
					row, mode, most = i, k, math.Abs(x)
				}
			}
		}
		if row < 0 {
			return
		}
		l.Masters, l.used = append(l.Masters, dofs[row]), append(l.used, mode)
		from := slices.Clone(rows[row])
		for i := range rows {
			f := rows[i][mode] / from[mode]
			for k := range from {
				rows[i][k] -= f * from[k]
			}
		}
	}
}

// solve returns A_Mᵀ⁻¹ of a vector of the motions. It fails for what the motions that are used do not have.
func (l *Lid) solve(of []float64) ([]float64, error) {
	n := len(l.used)
	a, w := slices.Clone(l.square), make([]float64, n)
	for k, mode := range l.used {
		w[k] = of[mode]
	}
	if n > 0 {
		if err := solveDense(a, w); err != nil {
			return nil, err
		}
	}
	largest := 0.0
	for _, x := range of {
		largest = max(largest, math.Abs(x))
	}
	for mode, want := range of {
		if slices.Contains(l.given, mode) {
			continue
		}
		for k, i := range l.Masters {
			want -= l.row(i)[mode] * w[k]
		}
		if math.Abs(want) > 1e-6*largest { // far above the rounding of pivots
			return nil, fmt.Errorf("fem: a moment turns the lid about an axis that goes through all of its nodes")
		}
	}
	return w, nil
}

// Weights are w_i of a dof of the mesh, by masters, and those of the motions that are given, in m, turns in rad.
func (l *Lid) Weights(dof int) (masters, given []float64, err error) {
	row := l.row(dof)
	if masters, err = l.solve(row); err != nil {
		return nil, nil, err
	}
	given = l.Given(dof)
	for k, i := range l.Masters {
		for j, x := range l.Given(i) {
			given[j] -= masters[k] * x
		}
	}
	return masters, given, nil
}

// Given are the weights of the motions that are given in a dof, where the others are none.
func (l *Lid) Given(dof int) (weights []float64) {
	row := l.row(dof)
	for _, mode := range l.given {
		if mode >= l.mesh.Dim {
			row[mode] *= l.size
		}
		weights = append(weights, row[mode])
	}
	return weights
}

// Load adds the forces on the masters that do what a force at a place and a moment do [N, N m].
func (l *Lid) Load(load []float64, force, moment, at [3]float64) error {
	work := make([]float64, l.modes)
	for mode := range work {
		if slices.Contains(l.given, mode) {
			continue // what holds it bears that
		}
		if work[mode] = vec3.Dot(force, l.motion(mode, at)); mode >= l.mesh.Dim {
			work[mode] += vec3.Dot(moment, l.axis(mode)) / l.size
		}
	}
	w, err := l.solve(work)
	for k, f := range w {
		load[l.Masters[k]] += f
	}
	return err
}
