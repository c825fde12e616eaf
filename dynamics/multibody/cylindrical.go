package multibody

// Cylindrical leaves a turn about Axis through At and a translation along it. In space.
const Cylindrical Kind = "cylindrical"

var cylindrical = jointKind{
	kind: Cylindrical, text: "rotation about axis through at, and translation along it",
	axis: 3, space: true, slides: true,
	rows: (*builder).cylindrical,
}

func (b *builder) cylindrical(j *Joint, axis vec) error {
	b.line(j.At, axis)
	b.align(axis)
	return nil
}
