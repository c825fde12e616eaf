package energetic

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

// motionDocument moves an obstacle.
type motionDocument struct {
	Translation json.RawMessage `json:"translation"`
	Rotation    *struct {
		Axis    [3]float64      `json:"axis"`
		Through [3]float64      `json:"through"`
		Angle   json.RawMessage `json:"angle"`
	} `json:"rotation"`
}

// keysOf lists which keys an obstacle of each type has.
var keysOf = map[string][]string{"plane": {"point", "normal"}, "sphere": {"center", "radius"}, "cylinder": {"point", "axis", "radius"},
	"ellipsoid": {"center", "semi_axes"}, "torus": {"center", "axis", "radius", "tube"}, "graph": {"x", "y", "height"}}

// obstacle makes the frame of an obstacle.
func (b *builder) obstacle(p casefile.Path, d *obstacleDocument) particles.Frame {
	kind := d.Type
	if kind == "" {
		kind = "plane"
	}
	given := map[string]bool{"point": d.Point != nil, "normal": d.Normal != nil, "center": d.Center != nil, "axis": d.Axis != nil, "radius": d.Radius != nil,
		"semi_axes": d.SemiAxes != nil, "tube": d.Tube != nil, "x": d.X != nil, "y": d.Y != nil, "height": d.Height != nil}
	want := map[string]bool{}
	for _, key := range keysOf[kind] {
		want[key] = true
		if !given[key] {
			b.Add(p, "the key %q is missing", key)
			return particles.Floor()
		}
	}
	for _, key := range casefile.Keys(given) {
		if given[key] && !want[key] {
			b.Add(p.With(key), "the key %q has no effect on %s", key, casefile.Article(kind))
		}
	}
	if d.Inside && kind == "plane" {
		b.Add(p.With("inside"), "the key \"inside\" has no effect on a plane: turn its normal")
	}
	face, point := b.face(p, kind, d)
	if face == nil {
		return particles.Floor()
	}
	if d.flat() {
		h, _ := particles.NewHalfSpace(*d.Point, *d.Normal) // face has checked it
		return h.Frame()
	}
	c, err := particles.NewChart(face, b.motion(p.With("motion"), d.Motion))
	if !b.Accept(p, err) {
		return particles.Floor()
	}
	return particles.Charted(c, point)
}

// face makes the shape; nil after a fault. The point is one of its size.
func (b *builder) face(p casefile.Path, kind string, d *obstacleDocument) (particles.Face, [3]float64) {
	switch kind {
	case "sphere":
		s, err := particles.NewSphere(*d.Center, *d.Radius, d.Inside, [3]float64{0, 0, 1})
		if b.Accept(p, err) {
			return s, *d.Center
		}
	case "cylinder":
		c, err := particles.NewCylinder(*d.Point, *d.Axis, *d.Radius, d.Inside)
		if b.Accept(p, err) {
			return c, *d.Point
		}
	case "ellipsoid":
		s, err := particles.NewEllipsoid(*d.Center, *d.SemiAxes, d.Inside, [3]float64{0, 0, 1})
		if b.Accept(p, err) {
			return s, *d.Center
		}
	case "torus":
		s, err := particles.NewTorus(*d.Center, *d.Axis, *d.Radius, *d.Tube, d.Inside)
		if b.Accept(p, err) {
			return s, *d.Center
		}
	case "graph":
		s, err := particles.NewGraph(d.X, d.Y, d.Height, d.Inside)
		if b.Accept(p, err) {
			return s, [3]float64{d.X[0], d.Y[0], d.Height[0][0]}
		}
	default:
		h, err := particles.NewHalfSpace(*d.Point, *d.Normal)
		if err != nil {
			b.Add(p.With("normal"), "found %v, want a direction with a length > 0", *d.Normal)
			return nil, [3]float64{}
		}
		f, err := particles.NewPlane(h.Frame())
		if b.Accept(p, err) {
			return f, *d.Point
		}
	}
	return nil, [3]float64{}
}

// motion decodes how an obstacle moves; nil stands for at rest.
func (b *builder) motion(p casefile.Path, d *motionDocument) (m particles.Motion) {
	if d == nil {
		return m
	}
	if d.Translation == nil && d.Rotation == nil {
		b.Add(p, "found neither \"translation\" nor \"rotation\", want one of them or both")
	}
	if d.Translation != nil {
		m.Shift = b.Vector(p.With("translation"), d.Translation, 3)
	}
	if r := d.Rotation; r != nil {
		m.Axis, m.Center, m.Angle = r.Axis, r.Through, b.Scalar(p.With("rotation", "angle"), r.Angle)
	}
	return m
}

// footed gives particle j coordinates of its own where they start at a foot point.
func (b *builder) footed(j int, f particles.Frame) particles.Frame {
	if f.Chart == nil {
		return f
	}
	s, ok := f.Chart.Face.(interface {
		FootAt(x [3]float64) (particles.Face, error)
	})
	if !ok {
		return f
	}
	face, err := s.FootAt(f.Chart.Body(0, [3]float64(b.at[3*j:3*j+3])))
	if err != nil {
		b.Add(casefile.Path{"particles", j, "at"}, "%v", err)
		return f
	}
	c, err := particles.NewChart(face, f.Chart.Motion)
	if !b.Accept(casefile.Path{"particles", j}, err) {
		return f
	}
	return particles.Charted(c, f.P)
}
