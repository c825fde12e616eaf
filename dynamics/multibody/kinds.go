package multibody

import (
	"maps"
	"slices"
)

// kinds are all joints, in the order of the case format. A new one is a file with its constant and
// its jointKind, as screw.go is, and a line here: cases, messages and pictures know it then.
var kinds = []jointKind{
	{kind: Revolute, text: "rotation about axis through at", axis: 3, turns: true, rows: (*builder).revolute},
	{kind: Spherical, text: "all rotations about at", turns: true, rows: (*builder).spherical},
	{kind: Prismatic, text: "translation along axis", axis: 2, slides: true, rows: (*builder).prismatic},
	{kind: Slider, text: "the point at of body on the line along axis fixed to the other", axis: 2, slides: true,
		turns: true, rows: (*builder).slider},
	{kind: Distance, text: "at on body and other on to keep their distance", other: true, rod: true, rows: (*builder).distance},
	{kind: Fixed, text: "none", rows: (*builder).fixed},
	screw,
	rack,
	gear,
	universal,
	cylindrical,
	planar,
}

// in reports whether it is one of so many dimensions.
func (x *jointKind) in(dim int) bool { return !(x.space && dim == 2 || x.plane && dim == 3) }

func kindOf(k Kind) (x *jointKind, ok bool) {
	i := slices.IndexFunc(kinds, func(x jointKind) bool { return x.kind == k })
	if i < 0 {
		return &jointKind{}, false
	}
	return &kinds[i], true
}

// Kinds lists the joints that there are in the plane (2) or in space (3); 0: in either.
func Kinds(dim int) (list []Kind) {
	for _, x := range kinds {
		if x.in(dim) {
			list = append(list, x.kind)
		}
	}
	return list
}

// JointNumbers are the numbers that some kinds have of their own, see [Joint], with what they mean
// in a case.
func JointNumbers() map[string]string {
	all := map[string]string{}
	for _, x := range kinds {
		maps.Copy(all, x.numbers)
	}
	return all
}

// Text says what motion a joint leaves, for the case format.
func (k Kind) Text() string {
	x, _ := kindOf(k)
	return x.text
}

// Needs reports whether a joint has a key of cases, "axis", "other" or one of [JointNumbers], in so
// many dimensions: it then needs it, and without it has no use for it.
func (k Kind) Needs(key string, dim int) bool {
	x, _ := kindOf(k)
	switch _, number := x.numbers[key]; key {
	case "axis":
		return x.axis > 0 && dim >= x.axis
	case "other":
		return x.other
	default:
		return number
	}
}

// Rod reports whether At and Other are the ends of a rod.
func (k Kind) Rod() bool {
	x, _ := kindOf(k)
	return x.rod
}

// Slides reports whether At moves along Axis.
func (k Kind) Slides() bool {
	x, _ := kindOf(k)
	return x.slides
}
