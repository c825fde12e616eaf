package energetic

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

type frictionDocument struct {
	Mu  json.RawMessage `json:"mu"` // a number, two, or a function of time
	Map *struct {
		X  []float64   `json:"x"`
		Y  []float64   `json:"y"`
		Mu [][]float64 `json:"mu"`
	} `json:"map"`
	Slip   [][2]float64 `json:"slip"`
	Axis   *[3]float64  `json:"axis"`
	Ripple *struct {
		Amplitude  float64    `json:"amplitude"`
		Wavelength float64    `json:"wavelength"`
		Axis       [3]float64 `json:"axis"`
	} `json:"ripple"`
}

// frictionLaw is a law made ready: one coefficient of friction, or two, along and across an
// axis; a function of time, in units of which the coefficient is 1; a map; a function of slip.
type frictionLaw struct {
	*frictionDocument
	mu     []float64
	factor signal.Scalar      // nil: constant
	field  *dissipation.Map   // nil: none
	slip   dissipation.Matrix // nil: none
}

// frictionLaw decodes a law.
func (b *builder) frictionLaw(p casefile.Path, d *frictionDocument) frictionLaw {
	l := frictionLaw{frictionDocument: d, mu: []float64{1}}
	given := 0
	for _, is := range []bool{d.Mu != nil, d.Map != nil, d.Slip != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		b.Add(p, "want one of \"mu\", \"map\" and \"slip\"")
	case d.Slip != nil:
		l.slip = b.slipLaw(p.With("slip"), d.Slip)
	case d.Map != nil:
		var err error
		l.field, err = dissipation.NewMap(d.Map.X, d.Map.Y, d.Map.Mu)
		b.Accept(p.With("map"), err)
	case d.Mu[0] == '{':
		if l.factor = b.Scalar(p.With("mu"), d.Mu); l.factor != nil {
			b.NonNegative(p.With("mu"), l.factor, b.doc.Until)
		}
	case d.Mu[0] == '[':
		b.Decode(p.With("mu"), d.Mu, &l.mu)
	default:
		l.mu[0] = b.Number(p.With("mu"), d.Mu)
	}
	switch {
	case len(l.mu) == 2 && d.Axis == nil:
		b.Add(p, "the key \"axis\" is missing: two coefficients hold along and across it")
	case len(l.mu) == 1 && d.Axis != nil:
		b.Add(p.With("axis"), "an axis has no effect on one coefficient, want \"mu\": [along, across]")
	case d.Map != nil && d.Ripple != nil:
		b.Add(p.With("ripple"), "a ripple has no effect on a map")
	case d.Slip != nil && d.Ripple != nil:
		b.Add(p.With("ripple"), "a ripple has no effect on friction over slip")
	}
	return l
}

// slipLaw decodes friction over slip, nil after a fault.
func (b *builder) slipLaw(p casefile.Path, rows [][2]float64) dissipation.Matrix {
	var ways, mu []float64
	for _, r := range rows {
		ways, mu = append(ways, r[0]), append(mu, r[1])
	}
	m, err := dissipation.NewSlipping(ways, mu)
	if !b.Accept(p, err) {
		return nil
	}
	if b.doc.Solution == "energetic" {
		b.Add(p, "global minimisers compare a state with those far away, on ways on which friction over slip changes: want \"solution\": \"viscous\" or none")
	}
	return m
}

// slips reports whether the case has friction over slip.
func (b *builder) slips() bool {
	for _, d := range b.doc.Friction {
		if d.Slip != nil {
			return true
		}
	}
	return false
}

// checkSlips refuses friction over slip, and bodies that yield, beside energies whose minimisers far away are
// searched: what has slipped or yielded until there is not judged.
func (b *builder) checkSlips(psi *dissipation.Coulomb, test global.StabilityTest) {
	for _, n := range b.nodes {
		if n.doc.Plasticity != nil && test.Searches(psi.System) {
			p := casefile.Path{"stability"}
			if b.doc.Stability == "" {
				p = n.at.With("plasticity")
			}
			b.Add(p, "better states far away are searched where the energy is not known to be convex, as on curved obstacles, and what yields on the way there is not known: want \"stability\": \"convex\", which compares with the states near by")
			return
		}
	}
	if psi.Remembers() && test.Searches(psi.System) {
		b.Add(casefile.Path{"stability"}, "states far away are searched, and friction over slip is not known on the way there, want \"convex\"")
	}
}

// friction gives every particle its friction matrix, nil without friction.
func (b *builder) friction() {
	names := slices.Sorted(maps.Keys(b.doc.Friction))
	laws := map[string]frictionLaw{}
	for _, name := range names {
		d := b.doc.Friction[name]
		if name == free {
			b.Add(casefile.Path{"friction", name}, "the name %q stands for no friction, want another one", free)
		}
		laws[name] = b.frictionLaw(casefile.Path{"friction", name}, &d)
	}
	b.frictions = casefile.Declare(b.Builder, casefile.Path{"friction"}, "friction",
		"a particle, or \"contact\" of a body, with it", laws).Spare()
	if b.Any() {
		return
	}
	extra := 0
	for j := range b.doc.Particles {
		frames, order := []*particles.Frame{&b.frames[j]}, b.orders[j]
		for ; extra < len(b.extras) && b.extras[extra].Particle == j; extra++ { // in their order
			frames = append(frames, &b.extras[extra].Frame)
		}
		list, factors := b.laws(casefile.Path{"particles", j, "friction"}, j, frames, order)
		b.matrices, b.factors = append(b.matrices, list[0]), append(b.factors, factors[0])
		b.extraMatrices, b.extraFactors = append(b.extraMatrices, list[1:]...), append(b.extraFactors, factors[1:]...)
	}
}

// laws returns the friction matrix of each obstacle of a particle, and its factor in time:
// one law for all, or one for each in the order of the document.
func (b *builder) laws(p casefile.Path, j int, frames []*particles.Frame, order []int) ([]dissipation.Matrix, []signal.Scalar) {
	d := &b.doc.Particles[j]
	list, factors := make([]dissipation.Matrix, len(frames)), make([]signal.Scalar, len(frames))
	obstacles := max(len(d.Obstacles), 1)
	if len(d.Friction) > 1 && len(d.Friction) != obstacles {
		b.Add(p, "found %d laws, want one, or one for each of the %d obstacles of particle %q", len(d.Friction), obstacles, d.ID)
		return list, factors
	}
	if len(d.Friction) == 0 && b.frictions.Len() > 0 && slices.ContainsFunc(frames, func(f *particles.Frame) bool { return !f.Free }) {
		b.smooth = append(b.smooth, d.ID)
	}
	for i, frame := range frames {
		number := i
		if order != nil {
			number = order[i]
		}
		if len(d.Friction) == 0 || number < 0 {
			continue
		}
		name := d.Friction[min(number, len(d.Friction)-1)]
		if name == free {
			continue
		}
		law, ok := b.frictions.Find(p, name)
		switch {
		case !ok:
		case frame.Free:
			b.Add(p, "particle %q has no obstacle, so friction has no effect on it, want no key \"friction\"", d.ID)
		default:
			list[i], factors[i] = b.matrix(casefile.Path{"friction", name}, &law, frame, j, order != nil), law.factor
		}
	}
	return list, factors
}

// matrix makes the friction matrix of a law in the frame of particle j; beside other obstacles it
// is that of lengths.
func (b *builder) matrix(p casefile.Path, d *frictionLaw, frame *particles.Frame, j int, beside bool) dissipation.Matrix {
	id := b.ids[j]
	if frame.Chart == nil {
		if d.slip != nil {
			return d.slip
		}
		if d.field != nil {
			return dissipation.NewMapped(d.field, [2]float64(frame.P[:2]), [2]float64(frame.T[:2]), [2]float64(frame.O[:2]))
		}
		return b.flatMatrix(p, d, frame, id, 0, 0)
	}
	face := frame.Chart.Face
	_, cylinder := face.(particles.Cylinder)
	flat := face.Flat()
	switch {
	case d.slip != nil && (flat || cylinder):
		return d.slip
	case d.slip != nil:
		b.Add(p.With("slip"), "friction over slip needs an obstacle that is flat or a cylinder, on which coordinates are lengths")
		return nil
	case len(d.mu) == 1 && d.field == nil && d.Ripple == nil && beside:
		return b.flatMatrix(p, d, frame, id, 0, 0)
	case len(d.mu) == 1 && d.field == nil && d.Ripple == nil && !flat && !cylinder:
		m, err := dissipation.NewStretched(d.mu[0], face)
		if err != nil {
			b.Add(p.With("mu"), "%v", err)
			return nil
		}
		return m
	case d.field != nil && !flat && beside:
		b.Add(p, "friction of a particle with several obstacles is the same everywhere on one that is curved, want no map")
		return nil
	case d.field != nil && !flat:
		return dissipation.NewSpread(d.field, face)
	case !flat && !cylinder:
		b.Add(p, "friction on an obstacle that is bent both ways is the same in all directions, want one \"mu\" or a map")
		return nil
	}
	// Coordinates are lengths: directions and waves are those of the surface unrolled, which goes
	// with the obstacle.
	foot, u, v := frame.Chart.FootAt([3]float64(b.at[3*j : 3*j+3]))
	if d.field != nil {
		var at [2]float64
		for i := range at {
			at[i] = foot.P[i] - u*foot.T[i] - v*foot.O[i]
		}
		return dissipation.NewMapped(d.field, at, [2]float64(foot.T[:2]), [2]float64(foot.O[:2]))
	}
	return b.flatMatrix(p, d, &foot, id, u, v)
}

// flatMatrix makes that of coordinates that are lengths along the tangents of a frame, (u, v) at
// its point.
func (b *builder) flatMatrix(p casefile.Path, d *frictionLaw, frame *particles.Frame, id string, u, v float64) dissipation.Matrix {
	var base dissipation.Matrix
	var err error
	if len(d.mu) == 1 {
		base, err = dissipation.NewIsotropic(d.mu[0])
	} else {
		axis, _, ok := b.project(p.With("axis"), *d.Axis, frame, id)
		if !ok {
			return nil
		}
		base, err = dissipation.NewOrthotropic([2]float64(d.mu), axis)
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
	m, err := dissipation.NewRippled(base, d.Ripple.Amplitude, d.Ripple.Wavelength, axis, origin-u*axis[0]-v*axis[1])
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
	a = [2]float64{vec3.Dot(axis, frame.T), vec3.Dot(axis, frame.O)}
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
