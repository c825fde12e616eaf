package report

import (
	"fmt"
	"image/color"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Snapshots draws the bodies of a scene at all of its times, with the camera of the page: those of
// the last time with what ties them, those before it pale and behind. Lengths across the view are
// those of space. A scene without bodies has nothing to show.
func (s *Scene) Snapshots() (*Plot, error) {
	if s == nil || len(s.Times) == 0 || len(s.Bodies) == 0 {
		return nil, errNoScene
	}
	f, err := newFilmer(s, FilmOptions{})
	if err != nil {
		return nil, err
	}
	p := &Plot{Title: fmt.Sprintf("Motion, %d snapshots", len(s.Times)), X: "oblique view [m]", Y: "[m]", Alike: true, Bare: true}
	ink := &plotPen{plot: p, cam: &f.cam, corners: 48}
	if len(s.Bodies)*len(s.Times) > manyShapes {
		ink.corners = 16
	}
	f.pen = ink
	eye := f.cam.eye()
	for i := range s.Obstacles {
		if s.Obstacles[i].Pose == nil && vec3.Dot(s.Obstacles[i].N, eye) > -0.1 { // others are seen from behind, with all in their back
			f.obstacleAt(i, 0)
		}
	}
	last := len(s.Times) - 1
	for k := range s.Times {
		ink.pale = k < last
		f.project(k)
		for i := range s.Obstacles {
			if s.Obstacles[i].Pose != nil {
				f.obstacleAt(i, k)
			}
		}
		f.rigid(k)
	}
	f.links(last)
	f.joints()
	return p, nil
}

// manyShapes are so many that each is small.
const manyShapes = 400

// plotPen draws on a plot, whose coordinates are those across the view [m].
type plotPen struct {
	plot    *Plot
	cam     *camera
	corners int  // of an ellipse
	pale    bool // fills and rims are those of what is past
}

var _ pen = (*plotPen)(nil)

func (p *plotPen) point(x, y float64) Point {
	c := p.cam
	return Point{c.u + (x-c.x)/c.scale, c.v - (y-c.y)/c.scale}
}

// colour is that of a pen, or of what is past.
func (p *plotPen) colour(hex string) color.Color {
	switch {
	case !p.pale:
		return colourOf(hex)
	case hex == filmFaint:
		return color.Gray{205}
	}
	return color.Gray{247}
}

// area adds a polygon, with its rim.
func (p *plotPen) area(s style, ring []Point) {
	a := Area{Rings: [][]Point{ring}, Color: p.colour(s.fill)}
	if s.stroke != "" {
		a.Edge = p.colour(s.stroke)
	}
	p.plot.Areas = append(p.plot.Areas, a)
}

func (p *plotPen) path(s style, closed bool, lines ...[][2]float64) {
	for _, points := range lines {
		if s.round && len(points) == 2 {
			p.stadium(s, points[0], points[1])
			continue
		}
		var list []Point
		for _, x := range points {
			list = append(list, p.point(x[0], x[1]))
		}
		if s.fill != "" {
			p.area(s, list)
			continue
		}
		if closed {
			list = append(list, list[0])
		}
		p.plot.Line(list, "", p.colour(s.stroke), Solid, 0.6*s.width)
	}
}

// stadium adds the area of a thick line with round ends: that of a capsule grows with the plot.
func (p *plotPen) stadium(s style, a, b [2]float64) {
	r, from := s.width/2, math.Atan2(b[1]-a[1], b[0]-a[0])+math.Pi/2
	var ring []Point
	for i, end := range [][2]float64{a, b} {
		for k := range p.corners/2 + 1 {
			y, x := math.Sincos(from + math.Pi*(float64(i)+2*float64(k)/float64(p.corners)))
			ring = append(ring, p.point(end[0]+r*x, end[1]+r*y))
		}
	}
	p.area(style{fill: s.stroke}, ring)
}

func (p *plotPen) ellipse(s style, centre [2]float64, rx, ry, turn float64) {
	var ring []Point
	for _, x := range ovalRing(p.corners, centre, rx, ry, turn) {
		ring = append(ring, p.point(x[0], x[1]))
	}
	p.area(s, ring)
}

// text is left out: a plot has a title and a legend.
func (p *plotPen) text([2]float64, bool, string, string) {}
