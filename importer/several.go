package importer

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// freedom is a hinge or a slide of a body that has several, where and along what it starts.
type freedom struct {
	at, axis [3]float64
}

// several makes one joint of those of a body that leave it as much as one of a case does:
//
//	hinge, hinge            at right angles in one place     universal
//	hinge, hinge, hinge     independent, in one place        spherical
//	slide, hinge            along one axis                   cylindrical
//	slide, slide, hinge     the hinge across both            planar
//	three slides, and three hinges or a ball                 none: the body is free
//
// It is not ok for others. The first of the list is on the side of the body around it.
func (m *mujoco) several(list []*node, y *Joint, at frame) (ok bool) {
	var hinges, slides []freedom
	balls := 0
	for _, j := range list {
		f := freedom{at: at.at, axis: [3]float64{2: 1}}
		if p, ok := m.vector(j, "pos", 3); ok {
			f.at = at.place([3]float64(p))
		}
		if a, ok := m.vector(j, "axis", 3); ok {
			f.axis = [3]float64(a)
		}
		if !(vec3.Norm(f.axis) > 0) {
			return false
		}
		f.axis = vec3.Scale(at.rotate(f.axis), 1/vec3.Norm(f.axis))
		j.text("name")
		switch kind, given := j.text("type"); {
		case j.name == "freejoint":
			return false
		case !given || kind == "hinge":
			hinges = append(hinges, f)
		case kind == "slide":
			slides = append(slides, f)
		case kind == "ball":
			balls++
		default:
			return false
		}
	}
	y.Type = joined(hinges, slides, balls)
	switch y.Type {
	case "universal":
		y.At, y.Axis = hinges[1].at, &hinges[1].axis
		other := vec3.Add(y.At, 1, hinges[0].axis)
		y.Other = &other
	case "spherical":
		y.At = hinges[0].at
	case "cylindrical", "planar":
		y.At, y.Axis = hinges[0].at, &hinges[0].axis
	}
	return y.Type != ""
}

// joined is the kind of several.
func joined(hinges, slides []freedom, balls int) string {
	const near = 1e-4 // of directions and places that were written with few digits
	meet := true
	for _, h := range hinges {
		meet = meet && vec3.Norm(vec3.Add(h.at, -1, hinges[0].at)) <= near
	}
	independent := func(list []freedom) bool {
		return len(list) == 3 && math.Abs(vec3.Dot(list[0].axis, vec3.Cross(list[1].axis, list[2].axis))) > near
	}
	across := func(a, b freedom) bool { return math.Abs(vec3.Dot(a.axis, b.axis)) <= near }
	switch h, s := len(hinges), len(slides); {
	case h == 2 && s+balls == 0 && meet && across(hinges[0], hinges[1]):
		return "universal"
	case s+balls == 0 && meet && independent(hinges):
		return "spherical"
	case h == 1 && s == 1 && balls == 0 && vec3.Norm(vec3.Cross(hinges[0].axis, slides[0].axis)) <= near:
		return "cylindrical"
	case h == 1 && s == 2 && balls == 0 && across(hinges[0], slides[0]) && across(hinges[0], slides[1]) &&
		vec3.Norm(vec3.Cross(slides[0].axis, slides[1].axis)) > near:
		return "planar"
	case independent(slides) && (balls == 1 && h == 0 || balls == 0 && independent(hinges)):
		return "free"
	}
	return ""
}
