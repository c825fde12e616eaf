package multibody

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// Pin sets the row of a pin in the plane.
func (b *Band) Pin(r *Row, pa, pb *bodies.Pose) {
	b.OnA, b.OnB = [6]float64{}, [6]float64{}
	b.OnA[r.Axis], b.OnB[r.Axis] = 1, -1
	b.OnA[2], b.OnB[2] = b.Arms(r, pa, pb)
}

// Arms are the moments of the row of a pin in the plane: of e_x at r about the centre −r_y, of e_y
// r_x.
func (b *Band) Arms(r *Row, pa, pb *bodies.Pose) (onA, onB float64) {
	other, sign := 1-r.Axis, float64(2*r.Axis-1)
	if b.Na == 3 {
		onA = sign * (Along(pa, &r.Pa, other) - pa.Centre[other])
	}
	if b.Nb == 3 {
		onB = -sign * (Along(pb, &r.Pb, other) - pb.Centre[other])
	}
	return onA, onB
}
