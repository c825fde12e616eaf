package rigid

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestTransport: the normal turns from n to n' by an angle; a force in the tangent plane turns with
// it, about n × n', wherever in the plane t began. What is along the axis stays, what is along the
// way stays along it: Rodrigues' formula. Beyond 60 degrees the frame is that of a new contact.
func TestTransport(t *testing.T) {
	w, err := bodies.NewWorld(3, [3]float64{})
	if err != nil {
		t.Fatal(err)
	}
	x := &multibody.Model{World: w, Dim: 3}
	n, axis := vec{2. / 3, 1. / 3, 2. / 3}, vec{1 / math.Sqrt2, 0, -1 / math.Sqrt2}
	along := vec3.Cross(axis, n)
	for _, angle := range []float64{1e-8, 1e-3, .1, 1, 1.04} {
		sin, cos := math.Sincos(angle)
		end := vec3.Add(vec3.Scale(n, cos), sin, along)
		want := vec3.Add(vec3.Scale(axis, 3), 2, vec3.Add(vec3.Scale(along, cos), -sin, n)) // of 3 axis + 2 along
		for start := 0.; start < 6; start += .7 {
			s, c := math.Sincos(start)
			m := mark{frame: [3]vec{n, vec3.Add(vec3.Scale(axis, c), s, along), vec3.Add(vec3.Scale(axis, s), -c, along)}}
			m.transport(x, &bodies.Touch{N: end})
			got := vec3.Add(vec3.Scale(m.frame[1], 3*c+2*s), 3*s-2*c, m.frame[2])
			// 8e-15: ten roundings of numbers of size 4
			if off := vec3.Norm(vec3.Add(got, -1, want)); off > 8e-15 || m.frame[0] != end {
				t.Errorf("%g rad, from %g: the force is %v, want %v, off by %g", angle, start, got, want, off)
			}
		}
	}
	sin, cos := math.Sincos(1.06)
	m, end := mark{frame: [3]vec{n, axis, vec3.Scale(along, -1)}}, vec3.Add(vec3.Scale(n, cos), sin, along)
	m.transport(x, &bodies.Touch{N: end})
	if u, v := w.Tangents(end); m.frame != [3]vec{end, u, v} {
		t.Errorf("after 1.06 rad the frame is %v, want that of a new contact", m.frame)
	}
}
