package multibody

// Planar leaves translations across Axis, in a plane of B through At, and turns about it. In space.
const Planar Kind = "planar"

var planar = jointKind{
	kind: Planar, text: "translations of at in the plane across axis, and rotation about it",
	axis: 3, space: true, glides: true,
	rows: (*builder).planar,
}

func (b *builder) planar(j *Joint, axis vec) error {
	b.emit(&along{PointOf(b.pa, j.At), PointOf(b.pb, j.At), ToBody(b.pb, axis)})
	b.align(axis)
	return nil
}
