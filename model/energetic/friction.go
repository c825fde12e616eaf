package energetic

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

type frictionDocument struct {
	Mu     coefficients `json:"mu"`
	Axis   *[3]float64  `json:"axis"`
	Ripple *struct {
		Amplitude  float64    `json:"amplitude"`
		Wavelength float64    `json:"wavelength"`
		Axis       [3]float64 `json:"axis"`
	} `json:"ripple"`
}

// coefficients are one coefficient of friction, or two, along and across an axis.
type coefficients []float64

// UnmarshalJSON reads a number or a list.
func (c *coefficients) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]float64)(c))
	}
	*c = make([]float64, 1)
	return json.Unmarshal(data, &(*c)[0])
}

// friction gives every particle its friction matrix, nil without friction.
func (b *builder) friction() {
	names := slices.Sorted(maps.Keys(b.doc.Friction))
	for _, name := range names {
		d := b.doc.Friction[name]
		switch p := (casefile.Path{"friction", name}); {
		case len(d.Mu) == 2 && d.Axis == nil:
			b.Add(p, "the key \"axis\" is missing: two coefficients hold along and across it")
		case len(d.Mu) == 1 && d.Axis != nil:
			b.Add(p.With("axis"), "an axis has no effect on one coefficient, want \"mu\": [along, across]")
		}
	}
	if b.Any() {
		return
	}
	extra := 0
	for j := range b.doc.Particles {
		d := &b.doc.Particles[j]
		frames := []*particles.Frame{&b.frames[j]}
		for ; extra < len(b.extras) && b.extras[extra].Particle == j; extra++ { // in their order
			frames = append(frames, &b.extras[extra].Frame)
		}
		list := b.laws(casefile.Path{"particles", j, "friction"}, d, frames, names)
		b.matrices = append(b.matrices, list[0])
		b.extraMatrices = append(b.extraMatrices, list[1:]...)
	}
}

// laws returns the friction matrix of each obstacle of a particle: one law for all, or one
// for each.
func (b *builder) laws(p casefile.Path, d *particleDocument, frames []*particles.Frame, names []string) []dissipation.Matrix {
	list := make([]dissipation.Matrix, len(frames))
	if len(d.Friction) > 1 && len(d.Friction) != len(frames) {
		b.Add(p, "found %d laws, want one, or one for each of the %d obstacles of particle %q", len(d.Friction), len(frames), d.ID)
		return list
	}
	for i, frame := range frames {
		if len(d.Friction) == 0 {
			break
		}
		name := d.Friction[min(i, len(d.Friction)-1)]
		law, ok := b.doc.Friction[name]
		switch {
		case name == free && len(d.Friction) > 1:
		case !ok:
			b.UnknownName(p, name, "friction", names)
		case frame.Free:
			b.Add(p, "particle %q has no obstacle, so friction has no effect on it, want no key \"friction\"", d.ID)
		default:
			list[i] = b.matrix(casefile.Path{"friction", name}, &law, frame, d.ID)
		}
	}
	return list
}

// matrix makes the friction matrix of a law in the frame of one particle.
func (b *builder) matrix(p casefile.Path, d *frictionDocument, frame *particles.Frame, id string) dissipation.Matrix {
	var base dissipation.Matrix
	var err error
	if len(d.Mu) == 1 {
		base, err = dissipation.NewIsotropic(d.Mu[0])
	} else {
		axis, _, ok := b.project(p.With("axis"), *d.Axis, frame, id)
		if !ok {
			return nil
		}
		base, err = dissipation.NewOrthotropic([2]float64(d.Mu), axis)
	}
	if err != nil {
		b.Add(p.With("mu"), "%v", err)
		return nil
	}
	if d.Ripple == nil {
		return base
	}
	p = p.With("ripple")
	axis, origin, ok := b.project(p.With("axis"), d.Ripple.Axis, frame, id)
	if !ok {
		return nil
	}
	m, err := dissipation.NewRippled(base, d.Ripple.Amplitude, d.Ripple.Wavelength, axis, origin)
	if err != nil {
		b.Add(p, "%v", err)
		return nil
	}
	return m
}

// project returns the unit direction of an axis on a surface, by its components
// along the tangents t and o, and the coordinate along it of the frame's origin,
// measured from the global one.
func (b *builder) project(p casefile.Path, axis [3]float64, frame *particles.Frame, id string) (a [2]float64, origin float64, ok bool) {
	length := size(axis[:])
	if length == 0 {
		b.Add(p, "found %v, want a direction with a length > 0", axis)
		return a, 0, false
	}
	for c := range axis {
		axis[c] /= length // large components would overflow in the products
	}
	a = [2]float64{dot(axis, frame.T), dot(axis, frame.O)}
	norm := math.Hypot(a[0], a[1])
	// Half the digits of the projection are left where it is 1e-8 of the axis.
	if norm < 1e-8 {
		b.Add(p, "found %v, perpendicular to the surface under particle %q, want a direction along it", axis, id)
		return a, 0, false
	}
	a[0], a[1] = a[0]/norm, a[1]/norm
	for c := range 3 {
		origin += (a[0]*frame.T[c] + a[1]*frame.O[c]) * frame.P[c]
	}
	return a, origin, true
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
