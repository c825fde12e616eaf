package particles

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// orthonormality is the largest deviation of RᵀR from the identity that a frame
// may have: rounding of a normalisation is a few 1e-16, data typed with twelve
// digits pass.
const orthonormality = 1e-11

// HalfSpace is the obstacle's admissible side {x : n·(x − p) >= 0}: the obstacle
// is a flat rigid surface through Point, Normal is the unit vector that points
// away from it, into the admissible side.
type HalfSpace struct {
	Point, Normal [3]float64
}

// NewHalfSpace normalises the normal. It fails for data that are not finite and
// for a zero normal.
func NewHalfSpace(point, normal [3]float64) (HalfSpace, error) {
	if !finite3(point) {
		return HalfSpace{}, fmt.Errorf("particles: obstacle: point %v is not finite", point)
	}
	n, ok := unit(normal)
	if !ok {
		return HalfSpace{}, fmt.Errorf("particles: obstacle: normal %v has no direction", normal)
	}
	return HalfSpace{Point: point, Normal: n}, nil
}

// Frame returns the obstacle's frame with the tangents chosen by the code: t is
// the projection of e_x on the surface, or that of e_y where the normal is
// within 45 degrees of ±e_x. For the normal e_z it is exactly (e_x, e_y, e_z).
func (h HalfSpace) Frame() Frame {
	axis := [3]float64{1, 0, 0}
	if math.Abs(h.Normal[0]) > math.Sqrt2/2 {
		axis = [3]float64{0, 1, 0}
	}
	f, err := h.FrameAlong(axis)
	if err != nil {
		panic("particles: HalfSpace.Frame: the half-space is not from NewHalfSpace")
	}
	return f
}

// FrameAlong returns the obstacle's frame whose first tangent t is the projection
// of axis on the surface. It fails when the axis has no direction or is parallel
// to the normal (to 1e-8, half the digits of the projection).
func (h HalfSpace) FrameAlong(axis [3]float64) (Frame, error) {
	a, ok := unit(axis)
	if !ok {
		return Frame{}, fmt.Errorf("particles: obstacle: tangent axis %v has no direction", axis)
	}
	an := vec3.Dot(a, h.Normal)
	var projected [3]float64
	for c := range projected {
		projected[c] = a[c] - an*h.Normal[c]
	}
	if math.Sqrt(vec3.Dot(projected, projected)) < 1e-8 {
		return Frame{}, fmt.Errorf("particles: obstacle: tangent axis %v is parallel to the normal %v", axis, h.Normal)
	}
	t, _ := unit(projected)
	o, _ := unit(vec3.Cross(h.Normal, t))
	return Frame{T: t, O: o, N: h.Normal, P: h.Point}, nil
}

// Frame is the coordinate system of one particle: x = P + T z₁ + O z₂ + N z₃
// with orthonormal T, O, N. The particle is admissible iff z₃ >= 0, or always
// when Free is set.
type Frame struct {
	T, O, N, P [3]float64
	Free       bool // no obstacle
	// Chart, if not nil, takes the place of the axes: the obstacle is curved or moves. P is
	// then a point of its size.
	Chart *Chart
	// Relative is set by a system whose coordinates of the particle are measured from others, see
	// [Relative].
	Relative bool
}

// Floor returns the default obstacle of the paper, z₃ >= 0 in global coordinates.
func Floor() Frame {
	return Frame{T: [3]float64{1, 0, 0}, O: [3]float64{0, 1, 0}, N: [3]float64{0, 0, 1}}
}

// NoObstacle returns the frame of a particle that is never constrained; its
// coordinates are the global ones.
func NoObstacle() Frame {
	f := Floor()
	f.Free = true
	return f
}

// Charted returns the frame of a particle on an obstacle that is curved or moves; point is
// one of the obstacle's.
func Charted(c *Chart, point [3]float64) Frame {
	f := Floor()
	f.P, f.Chart = point, c
	return f
}

// Local returns the coordinates in the frame of a point at t = 0.
func (f *Frame) Local(x [3]float64) [3]float64 {
	if f.Chart != nil {
		return f.Chart.local(0, at(x[:], 0)).array()
	}
	return f.ToLocal(x)
}

// Floors returns n frames Floor().
func Floors(n int) []Frame {
	frames := make([]Frame, n)
	for i := range frames {
		frames[i] = Floor()
	}
	return frames
}

// ToGlobal returns x = P + R z.
func (f *Frame) ToGlobal(z [3]float64) [3]float64 {
	v := f.RotateToGlobal(z)
	return [3]float64{f.P[0] + v[0], f.P[1] + v[1], f.P[2] + v[2]}
}

// ToLocal returns z = Rᵀ(x − P).
func (f *Frame) ToLocal(x [3]float64) [3]float64 {
	return f.RotateToLocal([3]float64{x[0] - f.P[0], x[1] - f.P[1], x[2] - f.P[2]})
}

// RotateToGlobal returns R v: directions, displacements and forces have no origin.
func (f *Frame) RotateToGlobal(v [3]float64) [3]float64 {
	if f.isAligned() {
		return v
	}
	return f.rotate(at(v[:], 0)).array()
}

// RotateToLocal returns Rᵀ v.
func (f *Frame) RotateToLocal(v [3]float64) [3]float64 {
	if f.isAligned() {
		return v
	}
	return f.rotateBack(at(v[:], 0)).array()
}

// rotate returns R v.
func (f *Frame) rotate(v vec) vec {
	return at(f.T[:], 0).scale(v.x).plus(v.y, at(f.O[:], 0)).plus(v.z, at(f.N[:], 0))
}

// rotateBack returns Rᵀ v.
func (f *Frame) rotateBack(v vec) vec {
	return vec{at(f.T[:], 0).dot(v), at(f.O[:], 0).dot(v), at(f.N[:], 0).dot(v)}
}

// isAligned reports whether R is exactly the identity.
func (f *Frame) isAligned() bool {
	return f.Chart == nil && f.N == [3]float64{0, 0, 1} && f.T == [3]float64{1, 0, 0} && f.O == [3]float64{0, 1, 0}
}

// validate checks that the frame is finite, orthonormal and right-handed.
func (f *Frame) validate() error {
	if !finite3(f.P) {
		return fmt.Errorf("point %v is not finite", f.P)
	}
	axes := [3][3]float64{f.T, f.O, f.N}
	for i := range axes {
		for j := range axes {
			want := 0.0
			if i == j {
				want = 1
			}
			// The negated form catches NaN.
			if d := vec3.Dot(axes[i], axes[j]) - want; !(math.Abs(d) <= orthonormality) {
				return fmt.Errorf("axes t=%v, o=%v, n=%v are not orthonormal", f.T, f.O, f.N)
			}
		}
	}
	if vec3.Dot(vec3.Cross(f.T, f.O), f.N) < 0 {
		return fmt.Errorf("axes t=%v, o=%v, n=%v are left-handed", f.T, f.O, f.N)
	}
	return nil
}

// unit returns v/‖v‖, scaled first by the largest component so that nothing
// overflows; a vector along an axis stays exact.
func unit(v [3]float64) (u [3]float64, ok bool) {
	m := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	if !finite3(v) || m == 0 {
		return u, false
	}
	for c := range v {
		u[c] = v[c] / m
	}
	l := math.Sqrt(vec3.Dot(u, u))
	for c := range u {
		// + 0 turns −0 into 0: equal frames then have equal bits.
		u[c] = u[c]/l + 0
	}
	return u, true
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func finite3(v [3]float64) bool { return finite(v[0]) && finite(v[1]) && finite(v[2]) }

// Exact reports whether local coordinates are the global ones: they go into the frame and
// back without rounding.
func (f *Frame) Exact() bool { return f.isAligned() && f.P == [3]float64{} && !f.Relative }
