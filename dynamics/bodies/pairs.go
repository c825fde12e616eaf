package bodies

import "github.com/quasistatic/quasistatic/internal/vec3"

// kind of a form, by what its gaps are made of.
type kind int

const (
	roundKind   kind = iota // a point with a radius around
	segmentKind             // two
	polygonKind
	boxKind
	quadricKind
	solidKind
	hullKind
	kinds
)

func (f *form) kind() kind {
	switch {
	case f.solid != nil:
		return solidKind
	case isQuadric(f):
		return quadricKind
	case isBox(f):
		return boxKind
	case f.faces != nil:
		return hullKind
	case isRound(f):
		return roundKind
	case isSegment(f):
		return segmentKind
	}
	return polygonKind
}

func isRound(f *form) bool   { return len(f.core) == 1 }
func isSegment(f *form) bool { return len(f.core) == 2 }
func isBox(f *form) bool     { return f.half != (vec{}) }
func isQuadric(f *form) bool { return f.axes != (vec{}) }

// meets are the pairs whose gap has a closed form, or a search of its own: the others are met by
// [clipper.convex], as all convex bodies are.
var meets = [kinds][kinds]func(c *clipper, a, b *form, pa, pb *pose){
	roundKind: {(*clipper).single, (*clipper).single, (*clipper).single, (*clipper).single, (*clipper).quadric, nil, (*clipper).onFace},
	segmentKind: {(*clipper).single, (*clipper).segments, (*clipper).polygons, (*clipper).segmentBox,
		(*clipper).quadric, nil, (*clipper).onFace},
	polygonKind: {(*clipper).single, (*clipper).polygons, (*clipper).polygons, nil, (*clipper).quadric},
	boxKind: {(*clipper).single, (*clipper).boxSegment, nil, (*clipper).boxes, (*clipper).quadric,
		(*clipper).underFace, (*clipper).hulls},
	quadricKind: {(*clipper).quadric, (*clipper).quadric, (*clipper).quadric, (*clipper).quadric, (*clipper).quadric,
		nil, (*clipper).onFace},
	solidKind: {boxKind: (*clipper).onFace, hullKind: (*clipper).onFace},
	hullKind: {roundKind: (*clipper).underFace, segmentKind: (*clipper).underFace, quadricKind: (*clipper).underFace,
		solidKind: (*clipper).underFace, boxKind: (*clipper).hulls, hullKind: (*clipper).hulls},
}

// pair appends the points where b and a meet, the normal from b into a: those of all their parts.
func (c *clipper) pair(a, b *form, pa, pb *pose) {
	if a.parts == nil && b.parts == nil {
		c.whole(a, b, pa, pb)
		return
	}
	for i := range a.count() {
		x, px := a.part(i, pa)
		for j := range b.count() {
			k := i*b.count() + j
			y, py := b.part(j, pb)
			far := x.reach + y.reach + c.margin
			if d := vec3.Add(px.c, -1, py.c); c.skips(k) || c.only == 0 && vec3.Dot(d, d) > far*far {
				continue
			}
			first := len(c.out)
			c.whole(x, y, &px, &py)
			c.name(first, k)
		}
	}
}

// whole is [clipper.pair] of bodies of one part.
func (c *clipper) whole(a, b *form, pa, pb *pose) {
	meet := meets[a.kind()][b.kind()]
	switch {
	case meet == nil:
		c.convex(a, b, pa, pb)
	case !c.tips(a, b, pa, pb):
		meet(c, a, b, pa, pb)
	}
}

// single adds the one point where a ball meets another body.
func (c *clipper) single(a, b *form, pa, pb *pose) { c.add(spotOf(between(a, b, pa, pb), pa), 0) }
