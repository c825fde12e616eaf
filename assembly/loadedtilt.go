package assembly

import (
	"context"
	"math"
	"time"
)

// A meridian is what is known of the tilts in the directions of u and v, beside loads and tensions that stay as they are.
// The gravities that are held,
//
//	C = {G : H r + t + W G = 0, r ∈ K}
//
// are convex, but those of one strength are on a sphere, so that the hull of a few of them shows nothing of others.
type meridian struct {
	s       *statics
	down    [3]float64
	u, v    [3]float64
	held    []float64 // t
	weights [3][]float64
}

// leastLoadedTilt finds the least tilt beside loads. From above: in some directions, and from the least of them on in the
// direction in which its half-space falls first, until that is the same. From below: a share of it, up to 1 − 1e-4,
// at which all directions are shown to be held by points of C around them; a direction that is not held is asked, and may
// have a smaller tilt.
func (s *statics) leastLoadedTilt(ctx context.Context, down [3]float64, until time.Time) (*Tilt, error) {
	m := &meridian{s: s, down: down, held: s.total(1)}
	m.u, m.v = Axes(down)
	for k, direction := range [][3]float64{down, m.u, m.v} {
		m.weights[k] = s.weights(direction)
	}
	for i, w := range m.weights[0] {
		m.held[i] -= w
	}
	var best *Tilt
	for k := range 8 {
		t, err := m.descend(ctx, math.Pi*float64(k)/4)
		if err != nil {
			return nil, err
		}
		if best == nil || t.Angle < best.Angle {
			best = t
		}
	}
	best.Lower = 0
	for _, share := range []float64{.5, .9, .99, .999, .9999} {
		for time.Now().Before(until) {
			falls, done, err := m.shown(ctx, best.Angle*share, until)
			if err != nil {
				return nil, err
			}
			if done {
				best.Lower = max(best.Lower, best.Angle*share)
				break
			}
			if math.IsNaN(falls) { // not within the limit
				return best, nil
			}
			t, err := m.descend(ctx, falls)
			if err != nil {
				return nil, err
			}
			if !(t.Angle < best.Angle) { // rounding
				return best, nil
			}
			t.Lower = min(best.Lower, t.Angle)
			best = t
		}
	}
	return best, nil
}

// towards is the unit vector of an angle.
func (m *meridian) towards(angle float64) [3]float64 {
	sin, cos := math.Sincos(angle)
	return add(add([3]float64{}, m.u, cos), m.v, sin)
}

// descend finds the tilt from a direction on in that of the half-space which bounds it.
func (m *meridian) descend(ctx context.Context, angle float64) (*Tilt, error) {
	var best *Tilt
	for range 20 { // a few do; where the direction goes to and fro, the least of them is one, too
		t, y, err := m.s.tiltTowards(ctx, m.down, m.towards(angle))
		if err != nil {
			return nil, err
		}
		if best != nil && !(t.Angle < best.Angle) {
			break
		}
		best = t
		if y == nil {
			break
		}
		angle = math.Atan2(-product(y, m.weights[2]), -product(y, m.weights[1]))
	}
	return best, nil
}

// shown reports whether no tilt up to an angle falls, or a direction in which one does, or NaN.
func (m *meridian) shown(ctx context.Context, tilt float64, until time.Time) (falls float64, done bool, err error) {
	for k := range 16 {
		from := math.Pi * float64(k) / 8
		if falls, done, err = m.sector(ctx, tilt, from, from+math.Pi/8, 4, until); err != nil || !done {
			return falls, false, err
		}
	}
	return math.NaN(), true, nil
}

// sector is shown between two directions, by points around it. Between e(φ₁) and e(φ₂), h apart, each e(φ) is k times
// a point of their chord, 1 ≤ k ≤ 1/cos(h/2); so that all cos α G₀ + sin α e(φ), α ≤ tilt, are in the hull of
//
//	z G₀ + ρ e(φ₁), z G₀ + ρ e(φ₂)    with (z, ρ) the corners of a polygon around all (cos α, k sin α)
//
// which are those of the arc's ends, and where its tangents meet. Where a corner is not held, it is halved, with
// twice as many tangents.
func (m *meridian) sector(ctx context.Context, tilt, from, to float64, tangents int, until time.Time) (falls float64,
	done bool, err error) {
	// 16 tangents are enough: what they reach beyond the sphere is then less than a thousandth of their way to its edge
	k := 1 / math.Cos((to-from)/2)
	sin, cos := math.Sincos(tilt)
	for _, angle := range []float64{from, to} {
		held, err := m.holds(ctx, cos, sin, angle)
		if err != nil {
			return 0, false, err
		}
		if !held {
			return angle, false, nil
		}
	}
	corners := [][2]float64{{cos, k * sin}}
	step := tilt / float64(tangents)
	for j := range tangents {
		sin, cos := math.Sincos((float64(j) + .5) * step)
		corners = append(corners, [2]float64{cos / math.Cos(step/2), k * sin / math.Cos(step/2)})
	}
	for _, c := range corners {
		for _, angle := range []float64{from, to} {
			held, err := m.holds(ctx, c[0], c[1], angle)
			if err != nil {
				return 0, false, err
			}
			if held {
				continue
			}
			if time.Now().After(until) || to-from < 1e-4 { // rad: k − 1 is then below what programs are solved to
				return math.NaN(), false, nil
			}
			middle := (from + to) / 2
			if falls, done, err = m.sector(ctx, tilt, from, middle, min(2*tangents, 16), until); err != nil || !done {
				return falls, done, err
			}
			return m.sector(ctx, tilt, middle, to, min(2*tangents, 16), until)
		}
	}
	return math.NaN(), true, nil
}

// holds reports whether some forces balance at a gravity z G₀ + ρ e(φ).
func (m *meridian) holds(ctx context.Context, z, rho, angle float64) (bool, error) {
	sin, cos := math.Sincos(angle)
	f := make([]float64, m.s.nv)
	for i := range f {
		f[i] = m.held[i] + z*m.weights[0][i] + rho*(cos*m.weights[1][i]+sin*m.weights[2][i])
	}
	return m.s.balances(ctx, f)
}
