package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Unit is the length by which the tolerances on gaps and joints are measured [m], so that they
// do not depend on the unit in which a scene is written nor on where it is: the power of a
// million that is nearest to the largest body, 1 m for bodies of a millimetre to a kilometre,
// but no less than what rounding of the coordinates leaves of [projectGoal], and of those from
// which the inner origin was taken at the start of [solvedDepth].
func (m *Model) Unit() float64 {
	size, far := 0.0, 0.0
	for i := range m.body {
		size = max(size, m.body[i].reach)
	}
	q, _ := m.World.Start()
	for i := range m.body {
		at, _ := m.World.Coordinates(i)
		for k := range m.dim {
			far = max(far, math.Abs(q[at+k]))
		}
	}
	for f := range m.World.Obstacles() { // points on those that are curved
		if size == 0 {
			size = m.World.Bend(f)
		}
	}
	if size == 0 { // points
		if size = far; far == 0 {
			size = 1
		}
	}
	// Eight roundings of a coordinate: a gap is a sum of some of them.
	const rounding = 8 * 0x1p-52
	start := rounding * vec3.Norm(m.setup.Origin) / solvedDepth // overlaps of the start are none
	return max(math.Pow(1e6, math.Round(math.Log10(size)/6)), rounding*far/projectGoal, start)
}
