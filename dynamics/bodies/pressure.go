package bodies

import "github.com/quasistatic/quasistatic/internal/vec3"

// dot is a point of a face at which it bears, beside its corners, and its share of the area of all
// faces of the form, of the mean of its dots [-].
type dot struct {
	at    vec
	share float64
}

// cornerShare is that of the corners where faces have dots: what leans beyond the outermost dots
// leans on them, and of what lies flat they take a thousandth.
const cornerShare = 0.01

// radon7 is the rule of degree five with seven points on a triangle: weight, and barycentric
// coordinate of the first corner and of both others [Radon 1948].
var radon7 = []struct{ w, a, b float64 }{{0.225, 1. / 3, 1. / 3},
	{0.13239415278850618, 0.05971587178976982, 0.47014206410511508},
	{0.12593918054482717, 0.79742698535308732, 0.10128650732345634}}

// FillFaces puts points into the flat faces of all bodies that there are, at which they meet
// half-spaces besides at their corners: those of a rule of degree five on the triangles between the
// middle of a face and its edges, so that it integrates pressures that are affine over the face,
// and their moments, exactly. It reports whether there is a body with such faces.
func (w *World) FillFaces() (any bool) {
	for i := range w.bodies {
		any = w.bodies[i].form.fill() || any
	}
	return any
}

func (f *form) fill() bool {
	any := false
	for i := range f.parts {
		any = f.parts[i].fill() || any
	}
	f.dots = f.dots[:0]
	sum := 0.0
	for i := range f.faces {
		loop := f.faces[i].loop
		var middle vec
		for _, k := range loop {
			middle = vec3.Add(middle, 1/float64(len(loop)), f.core[k])
		}
		for k, c := range loop {
			a, b := f.core[c], f.core[loop[(k+1)%len(loop)]]
			area := vec3.Norm(vec3.Cross(vec3.Add(a, -1, middle), vec3.Add(b, -1, middle))) / 2
			for _, x := range radon7 {
				corners := []vec{middle, a, b}
				for first := range corners {
					if x.a == x.b && first > 0 {
						break
					}
					at := vec3.Scale(corners[first], x.a)
					at = vec3.Add(vec3.Add(at, x.b, corners[(first+1)%3]), x.b, corners[(first+2)%3])
					f.dots, sum = append(f.dots, dot{at, x.w * area}), sum+x.w*area
				}
			}
		}
	}
	for i := range f.dots {
		f.dots[i].share *= float64(len(f.dots)) / sum
	}
	return any || len(f.dots) > 0
}

// onFlat is the number of points where one part may meet a half-space, and spot such a point.
func (f *form) onFlat() int { return f.features() + len(f.dots) }

func (f *form) spot(k int) vec {
	if k < len(f.core) {
		return f.core[k]
	}
	return f.dots[k-len(f.core)].at
}

// Share is that of a touch in the pressure under its face, of the mean of the points of the body [-];
// 0 of one that is under no face with points of its own, see [World.FillFaces].
func (w *World) Share(t *Touch) float64 {
	f := &w.bodies[t.A].form
	if f.parts != nil {
		if k := int(t.Key & (1<<FeatureBits - 1) >> partShift); t.B < 0 && k < len(f.parts) {
			f = &f.parts[k].form
		}
	}
	k := int(t.Key&(1<<partShift-1)) - len(f.core)
	switch _, flat := w.surface(t).(HalfSpace); {
	case !flat || len(f.dots) == 0 || k >= len(f.dots):
		return 0
	case k < 0:
		return cornerShare
	}
	return f.dots[k].share
}

// surface is that of the obstacle of a touch; nil of two bodies.
func (w *World) surface(t *Touch) Surface {
	if t.B >= 0 {
		return nil
	}
	return w.floors[t.Floor].Surface
}
