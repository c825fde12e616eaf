package bodyview

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/report"
)

// elements keeps what the contact elements do, those that are drawn.
type elements struct {
	names   []string // of all
	mu      []float64
	dim     int
	drawn   int
	all     report.Series // the whole run
	early   report.Series // until some time after the first full slip
	slid    []bool        // elements that have slid
	slidAll float64       // when all had; NaN before
	met     [2]bool       // a normal, a tangential force
	row     []float64
}

// Channels of an element.
const (
	elementNormal = iota
	elementRatio  // λ_t/(μ λ_n) in the plane, ‖λ_T‖/(μ λ_n) in space
	elementSlip   // λ_t in the plane, ‖λ_T‖ in space
	elementChannels
)

// mostDrawn bounds the elements that are drawn.
const mostDrawn = 6

func newElements(names []string, mu []float64, dim int) *elements {
	e := &elements{names: names, mu: mu, dim: dim, drawn: min(len(names), mostDrawn),
		slid: make([]bool, min(len(names), mostDrawn)), slidAll: math.NaN()}
	e.row = make([]float64, elementChannels*e.drawn)
	e.all, e.early = report.NewSeries(len(e.row)), report.NewSeries(len(e.row))
	return e
}

// take takes a row of forces.csv.
func (e *elements) take(t float64, forces []float64) {
	all := true
	for k := range e.drawn {
		x, f := e.row[elementChannels*k:], forces[e.dim*k:e.dim*k+e.dim]
		x[elementNormal], x[elementRatio], x[elementSlip] = f[0], 0, f[1]
		if e.dim == 3 {
			x[elementSlip] = math.Hypot(f[1], f[2])
		}
		e.met[0], e.met[1] = e.met[0] || x[elementNormal] != 0, e.met[1] || x[elementSlip] != 0
		if bound := e.mu[k] * f[0]; bound > 0 {
			x[elementRatio] = x[elementSlip] / bound
		}
		e.slid[k] = e.slid[k] || math.Abs(x[elementRatio]) > 1-report.SlipShare
		all = all && e.slid[k]
	}
	if len(e.all.Spans) == 0 { // no step ends at the start
		for i := range e.row {
			e.row[i] = math.NaN()
		}
	}
	e.all.Add(t, e.row)
	if math.IsNaN(e.slidAll) && all {
		e.slidAll = t
	}
	if !(t > 1.25*e.slidAll) {
		e.early.Add(t, e.row)
	}
}

// plot draws one channel of all elements; nil: there are none, or no row yet.
func (e *elements) plot(s *report.Series, what int, title, label string) *report.Plot {
	if len(s.Spans) == 0 || e.drawn == 0 {
		return nil
	}
	p := &report.Plot{Title: title, Y: label}
	for k := range e.drawn {
		p.Line(s.Points(&s.Channels[elementChannels*k+what]), e.names[k], report.Palette[k], report.Solid, 1.2)
	}
	return p
}

// some says how many of the elements are drawn.
func (e *elements) some() string {
	if n := len(e.names); n > e.drawn {
		return fmt.Sprintf(" (%d of %d)", e.drawn, n)
	}
	return ""
}

// Overview draws the overview and, if all elements have slid, the first slip.
func (m *Reader) Overview(dir, title string) (warnings []string, err error) {
	if m.positions.Rows == 0 {
		return nil, nil
	}
	e := m.elements
	const ratio, ratioLabel = "Tangential forces, normalised: slip at ±1", "λ_t/(μ λ_n)"
	motion, warnings := m.motion()
	list := append([]*report.Plot{motion}, m.pushes(ratio, ratioLabel)...)
	more, err := report.DrawPicture(dir, "overview", title, list...)
	if warnings = append(warnings, more...); err != nil || math.IsNaN(e.slidAll) || e.drawn < 2 {
		return warnings, err
	}
	more, err = report.DrawPicture(dir, "microslip", title+": the first slip",
		e.plot(&e.early, elementRatio, ratio, ratioLabel), e.plot(&e.early, elementNormal, "Normal forces"+e.some(), "λ_n [N]"),
		e.plot(&e.early, elementSlip, "Tangential forces"+e.some(), "λ_t [N]"), m.coordinates(1.25*e.slidAll))
	return append(warnings, more...), errors.Join(err)
}

// pushes draws forces and energies. Of forces that are none nothing is to be seen: in their place
// there are the way of the first body, and impacts.
func (m *Reader) pushes(ratio, ratioLabel string) []*report.Plot {
	e := m.elements
	normal, friction := m.coordinates(math.Inf(1)), m.impulses()
	if e.met[0] {
		normal = e.plot(&e.all, elementNormal, "Normal forces"+e.some(), "λ_n [N]")
	}
	if e.met[1] {
		friction = e.plot(&e.all, elementRatio, ratio, ratioLabel)
		if slices.Max(append([]float64{0}, m.setup.Mu...)) == 0 { // contacts differ: there is nothing to divide by
			friction = e.plot(&e.all, elementSlip, "Tangential forces"+e.some(), "λ_t [N]")
		}
	}
	if cone := m.cone(); m.setup.Rigid != nil && cone != nil { // the forces on a body are vectors, whose sum is none where it spins
		friction = cone
	}
	return []*report.Plot{normal, m.energy(), friction}
}

// outlines is the number of snapshots of the bodies, manyOutlines that of bodies at all of them,
// most of which are not to cover each other.
const (
	outlines     = 9
	manyOutlines = 100
)

// motion draws the bodies at some times.
func (m *Reader) motion() (*report.Plot, []string) {
	if m.setup.World.Dim() == 2 {
		return m.outlines(m.snapshots(outlines)), nil
	}
	frames := m.snapshots(max(2, min(outlines, manyOutlines/max(1, m.setup.World.Bodies()))))
	for i := range frames {
		frames[i].contacts = nil
	}
	p, err := m.scene(frames).Snapshots()
	if err != nil {
		return m.coordinates(math.Inf(1)), []string{fmt.Sprintf("the motion is not drawn: %v", err)}
	}
	return p, nil
}

// snapshots returns so many frames from the first to the last, at times as equal as there are frames, each once.
func (m *Reader) snapshots(n int) (list []bodyFrame) {
	frames := m.film.frames
	if tail := m.film.tail; tail.t > frames[len(frames)-1].t {
		frames = append(frames[:len(frames):len(frames)], tail)
	}
	last := -1
	for s := range n {
		at := frames[0].t + float64(s)/float64(n-1)*(frames[len(frames)-1].t-frames[0].t)
		k, _ := slices.BinarySearchFunc(frames, at, func(x bodyFrame, t float64) int { return cmp.Compare(x.t, t) })
		if k = min(k, len(frames)-1); k > 0 && at-frames[k-1].t < frames[k].t-at {
			k--
		}
		if k != last {
			list, last = append(list, frames[k]), k
		}
	}
	return list
}

// outlines draws those of bodies in the plane, the last ones in colour.
func (m *Reader) outlines(frames []bodyFrame) *report.Plot {
	p := &report.Plot{Title: fmt.Sprintf("Motion, %d snapshots", len(frames)), X: "x [m]", Y: "y [m]", Alike: true, Bare: true}
	for k := range frames {
		m.drawObstacles(p, frames, k)
		for i := range m.setup.IDs {
			grey := uint8(200 - 150*k/(outlines-1))
			var c color.Color = color.RGBA{grey, grey, grey, 255}
			if k == len(frames)-1 {
				c = report.Palette[0]
			}
			for _, ring := range m.setup.World.Outlines(i, frames[k].q) {
				drawRing(p, ring, c)
			}
		}
	}
	return p
}

// drawRing draws a closed line, or a point.
func drawRing(p *report.Plot, ring [][2]float64, c color.Color) {
	var points []report.Point
	for _, x := range ring {
		points = append(points, report.Point{X: x[0], Y: x[1]})
	}
	switch len(points) {
	case 0:
	case 1:
		p.Marks = append(p.Marks, report.Marks{Points: points, Color: c, Glyph: report.Circle, Size: 2})
	default:
		p.Line(append(points, points[0]), "", c, report.Solid, 1)
	}
}

// drawObstacles draws those that move at a frame, the others at the first one.
func (m *Reader) drawObstacles(p *report.Plot, frames []bodyFrame, k int) {
	w, box := m.setup.World, m.extent(frames)
	for i := range w.Obstacles() {
		if i >= mostDrawn || k > 0 && !w.Moving(i) {
			continue
		}
		r, at := m.moved(i)(frames[k].t)
		place := func(y [3]float64) report.Point {
			return report.Point{X: at[0] + r[0]*y[0] + r[2]*y[2], Y: at[2] + r[6]*y[0] + r[8]*y[2]}
		}
		o := m.obstacle(i, box)
		for _, line := range outlinesOf(&o, box) {
			var points []report.Point
			for _, y := range line {
				points = append(points, place(y))
			}
			p.Line(points, "", color.RGBA{150, 120, 80, 255}, report.Solid, 0.6)
		}
	}
}

// outlinesOf are the lines of an obstacle of the plane: of a half-space one as long as the box,
// below its middle, with strokes on the far side.
func outlinesOf(o *report.Obstacle, box [2][3]float64) (list [][][3]float64) {
	for _, l := range o.Lines {
		var line [][3]float64
		for _, i := range l {
			line = append(line, [3]float64{float64(o.At[i][0]), float64(o.At[i][1]), float64(o.At[i][2])})
		}
		list = append(list, line)
	}
	if o.N == ([3]float64{}) {
		return list
	}
	size := max(box[1][0]-box[0][0], box[1][1]-box[0][1])
	foot := vec3.Add(o.P, vec3.Dot(vec3.Add(lifted(vec3.Scale(vec3.Add(box[0], 1, box[1]), 0.5)), -1, o.P), o.T), o.T)
	const strokes = 18
	step := 2 * size / strokes
	list = append(list, [][3]float64{vec3.Add(foot, -size, o.T), vec3.Add(foot, size, o.T)})
	for k := range strokes + 1 {
		x := vec3.Add(foot, step*float64(k)-size, o.T)
		list = append(list, [][3]float64{x, vec3.Add(vec3.Add(x, -0.4*step, o.T), -0.4*step, o.N)})
	}
	return list
}

// coordinates draws the position of the first body until a time.
func (m *Reader) coordinates(until float64) *report.Plot {
	if len(m.setup.IDs) == 0 {
		return nil
	}
	id := m.setup.IDs[0]
	p := &report.Plot{Title: "Displacement of " + id, Y: "[m], [rad]"}
	if !math.IsInf(until, 0) {
		p.XRange = [2]float64{0, min(until, m.positions.End())}
	}
	for _, axis := range []string{"x", "y", "z", "angle"} {
		column := id + "." + axis
		c := m.positions.Column(column)
		if c == nil {
			continue
		}
		points := m.positions.Points(c.Shifted(-m.positions.Start(column)))
		for len(points) > 2 && points[len(points)-1].X > until {
			points = points[:len(points)-1]
		}
		p.Line(points, strings.TrimSpace(axis+" − "+axis+"(0)"), report.Palette[len(p.Lines)], report.Solid, 1.4)
	}
	return p
}
