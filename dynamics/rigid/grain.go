package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Anisotropic friction. That of coefficients μ_1, μ_2 along the axes e_1, e_2 of a surface is the law of
// most dissipation with the ellipse {μ_1 ρ_1 e_1 + μ_2 ρ_2 e_2 : ‖ρ‖ ≤ r_N}. With rows of H along
// (μ_1/μ) e_1 and (μ_2/μ) e_2 in place of unit vectors, μ the larger one, the impulses are μρ and the
// speeds (μ_1 u_1, μ_2 u_2)/μ: these obey Coulomb's law with μ, and do the same work. So all of the
// scheme goes on as it is, in frames that are turned to the axes and stretched.

// takeFrame gives a mark the frame of its touch.
func (s *contactSet) takeFrame(m *mark, t *bodies.Touch) {
	m.transport(s.model, t)
	g := s.model.MaterialOf(t).Grain
	if g == nil {
		return
	}
	axis := s.model.GrainAt(g, t, s.t, s.poses)
	along := vec3.Add(axis, -vec3.Dot(t.N, axis), t.N)
	size := vec3.Norm(along)
	if !(size > flatGrain) {
		along, _ = s.model.World.Tangents(t.N)
		size = vec3.Norm(along)
	}
	along = vec3.Scale(along, 1/size)
	m.frame[1], m.frame[2] = vec3.Scale(along, g.Along), vec3.Scale(vec3.Cross(t.N, along), g.Across)
}

// flatGrain is the sine of the angle of a grain and a normal below which it has no direction along the
// surface.
const flatGrain = 1e-9

// unstretch returns a frame of unit vectors, with the components of an impulse along them.
func (m *mark) unstretch() (frame [3]vec, r vec) {
	frame, r = m.frame, m.r
	for d := 1; d < 3; d++ {
		if l := vec3.Norm(frame[d]); l > 0 {
			frame[d], r[d] = vec3.Scale(frame[d], 1/l), r[d]*l
		}
	}
	return frame, r
}
