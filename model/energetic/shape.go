package energetic

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/obstacle"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/particles"
)

// obstacle makes the frame of an obstacle.
func (b *builder) obstacle(p casefile.Path, name string, d *obstacle.Document) particles.Frame {
	o, ok := obstacle.Read(b.Builder, p, d, 3)
	if !ok {
		return particles.Floor()
	}
	f := b.frameOf(p, &o)
	if f.Chart != nil {
		b.charts[f.Chart] = len(b.shown)
	}
	b.shown = append(b.shown, particleview.Obstacle{Name: name, Frame: f, Shape: o})
	return f
}

// frameOf makes the frame of a decoded obstacle; that of the floor after a fault.
func (b *builder) frameOf(p casefile.Path, o *obstacle.Obstacle) particles.Frame {
	face, point := b.face(p, o)
	if face == nil {
		return particles.Floor()
	}
	if o.Kind == "plane" && !o.Motion.Moves() {
		h, _ := particles.NewHalfSpace(o.Point, o.Direction) // face has checked it
		return h.Frame()
	}
	c, err := particles.NewChart(face, o.Motion)
	if !b.Accept(p, err) {
		return particles.Floor()
	}
	return particles.Charted(c, point)
}

// face makes the shape; nil after a fault. The point is one of its size.
func (b *builder) face(p casefile.Path, o *obstacle.Obstacle) (face particles.Face, point [3]float64) {
	top, point := [3]float64{0, 0, 1}, o.Point
	var err error
	switch o.Kind {
	case "sphere":
		face, err = made(particles.NewSphere(o.Point, o.Radius, o.Inside, top))
	case "cylinder":
		face, err = made(particles.NewCylinder(o.Point, o.Direction, o.Radius, o.Inside))
	case "ellipsoid":
		face, err = made(particles.NewEllipsoid(o.Point, o.SemiAxes, o.Inside, top))
	case "torus":
		face, err = made(particles.NewTorus(o.Point, o.Direction, o.Radius, o.Tube, o.Inside))
	case "graph":
		if face, err = made(particles.NewGraph(o.X, o.Y, o.Height, o.Inside)); err == nil {
			point = [3]float64{o.X[0], o.Y[0], o.Height[0][0]}
		}
	case "mesh":
		b.Add(p.With("type"), "found \"mesh\", which has edges without a normal: a particle slides on a surface that is twice differentiable; the nearest one is \"graph\"")
		return nil, point
	default:
		h, e := particles.NewHalfSpace(o.Point, o.Direction)
		if e != nil {
			b.Add(p.With("normal"), "found %v, want a direction with a length > 0", o.Direction)
			return nil, point
		}
		face, err = made(particles.NewPlane(h.Frame()))
	}
	if !b.Accept(p, err) {
		return nil, point
	}
	return face, point
}

// made is a face, nil after a fault.
func made[F particles.Face](f F, err error) (particles.Face, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// footed gives particle j coordinates of its own where they start at a foot point.
func (b *builder) footed(p casefile.Path, j int, f particles.Frame) particles.Frame {
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
		b.Add(p, "%v", err)
		return f
	}
	c, err := particles.NewChart(face, f.Chart.Motion)
	if !b.Accept(p, err) {
		return f
	}
	b.charts[c] = b.charts[f.Chart]
	return particles.Charted(c, f.P)
}
