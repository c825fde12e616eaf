package multibody

import "github.com/quasistatic/quasistatic/internal/vec3"

// Mirrors. A world that is its own mirror image has a motion that keeps to the plane of its
// symmetry, n·ẋ = 0 and n × ω = 0 of all bodies; forces across it come in pairs that cancel. The
// bodies meet in pairs of points to both sides of it, as the ends of an edge, and where all of
// these slide the shares of each may have several solutions, some of them askew (of a row of ten
// dominoes that slide on each other after a blow one corner each may lift), or a rounding makes one
// corner strike before the other. [Model.Put] therefore leaves out of all forces what they do out
// of the plane: W knows no such motion, and steps find the one that is symmetric. Whether it is
// stable against others, nothing says.

// reflect finds the plane; what leads or may lead out of it by itself has none: joints, springs and
// loads at points, friction with a direction, a map or moments.
func (m *Model) reflect() {
	plain := func(x *Material) bool { return x.Grain == nil && x.Field == nil && x.Resistance == nil }
	if m.Setup.Aslant || len(m.Setup.Joints) > 0 || len(m.Setup.Forces) > 0 || !plain(&m.Setup.Material) {
		return
	}
	for _, x := range m.Setup.Pairs {
		if !plain(&x) {
			return
		}
	}
	if n, ok := m.World.Mirror(); ok {
		m.Mirror = &n
	}
}

// flat leaves out of a force and a moment what leads out of the mirror.
func (m *Model) flat(lin, ang *vec) (force, moment vec) {
	n := *m.Mirror
	return vec3.Add(*lin, -vec3.Dot(*lin, n), n), vec3.Scale(n, vec3.Dot(*ang, n))
}
