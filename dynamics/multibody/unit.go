package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Unit is the length by which the tolerances on gaps and joints are measured [m], so that they do
// not depend on the unit in which a scene is written nor on where it is: the power of a million
// that is nearest to the largest body, 1 m for bodies of a millimetre to a kilometre, but no less
// than what rounding of the coordinates leaves of [projectGoal], and of those from which the inner
// origin was taken at the start of [solvedDepth].
func (m *Model) Unit() float64 {
	// Eight roundings of a coordinate: a gap is a sum of some of them.
	const rounding = 8 * 0x1p-52
	start := rounding * vec3.Norm(m.Setup.Origin) / SolvedGap // overlaps of the start are none
	size := m.Size()
	if size == 0 { // points
		size = m.far()
	}
	return max(PowerOfMillion(size), rounding*m.far()/GapGoal, start)
}

// million is the power of a million that is nearest to a size; 1 for none.
func PowerOfMillion(size float64) float64 {
	if size == 0 {
		return 1
	}
	return math.Pow(1e6, math.Round(math.Log10(size)/6))
}

// Size is the reach of the largest body, of points that of the obstacles that are curved; 0: of
// points on planes [m].
func (m *Model) Size() (size float64) {
	for i := range m.Bodies {
		size = max(size, m.Bodies[i].Reach)
	}
	for f := range m.World.Obstacles() {
		if size == 0 {
			size = m.World.Bend(f)
		}
	}
	return size
}

// far is the largest coordinate of a centre at the start [m].
func (m *Model) far() (far float64) {
	q, _ := m.World.Start()
	for i := range m.Bodies {
		at, _ := m.World.Coordinates(i)
		for k := range m.Dim {
			far = max(far, math.Abs(q[at+k]))
		}
	}
	return far
}

// solvedDepth is the limit on penetration and on joints apart: the projection goes to 1e-10, and a
// start of typed digits may have more.
const SolvedGap = 1e-8

// projectGoal is what projections leave of |Θ| [m, rad].
const GapGoal = 1e-11
