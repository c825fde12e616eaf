package halfspace

import (
	"cmp"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/table"
)

// stressDocument asks for the stress below the surface.
type stressDocument struct {
	Body   string       `json:"body"`
	Points [][3]float64 `json:"points"`
	Planes []float64    `json:"planes"`
}

// probe is where the stress is looked at: points, and planes below the centres of the
// elements.
type probe struct {
	halfspace.Subsurface
	points [][3]float64
	planes []float64
	ready  []*halfspace.Plane // as far as they were needed
}

// plane prepares a plane once.
func (x *probe) plane(i int) (*halfspace.Plane, error) {
	for len(x.ready) <= i {
		l, err := x.NewPlane(x.planes[len(x.ready)])
		if err != nil {
			return nil, err
		}
		x.ready = append(x.ready, l)
	}
	return x.ready[i], nil
}

// stretch is the length of the strips of plane strain beside the width of the window and the
// depth: their ends change the stress in the middle by its square.
const stretch = 1e4

// probe decodes the key stress.
func (b *builder) probe(g halfspace.Grid, upper, lower *halfspace.Elastic) *probe {
	d, at := b.doc.Stress, casefile.Path{"stress"}
	if d == nil {
		return nil
	}
	x := &probe{Subsurface: halfspace.Subsurface{Grid: g, Poisson: upper.Poisson}, points: d.Points, planes: d.Planes}
	if len(d.Points)+len(d.Planes) == 0 {
		b.Add(at, "want \"points\" or \"planes\"")
	}
	if d.Body == "lower" {
		if lower == nil {
			b.Add(at.With("body"), "found \"lower\", which is rigid")
			return nil
		}
		x.Poisson, x.Lower = lower.Poisson, true
	}
	deepest := float64(g.NX) * g.DX
	for _, p := range d.Points {
		deepest = max(deepest, p[2])
	}
	for _, z := range d.Planes {
		deepest = max(deepest, z)
	}
	switch b.doc.Window.Kind {
	case "periodic":
		b.Add(at, "the stress below a periodic window is not modelled")
	case "plane strain":
		x.Grid.DY = stretch * deepest
		for i, p := range d.Points {
			if p[1] != b.doc.Window.Centre[1] {
				b.Add(at.With("points", i), "found y = %v in plane strain, want %v", p[1], b.doc.Window.Centre[1])
			}
		}
	}
	one := halfspace.NewField(g.Len())
	for c := range one {
		for k := range one[c] {
			one[c][k] = 1
		}
	}
	for i, p := range d.Points {
		if _, err := x.At(one, p[0], p[1], p[2]); err != nil {
			b.Add(at.With("points", i), "%v", err)
		}
	}
	return x
}

// lower decodes the lower body; nil: it is rigid.
func (b *builder) lower(upper halfspace.Elastic) (*halfspace.Elastic, bool) {
	switch {
	case b.doc.On == nil || string(b.doc.On) == `"rigid"`:
		return nil, true
	case b.doc.On[0] == '"':
		return &upper, true
	}
	var m material
	if !b.Decode(casefile.Path{"on"}, b.doc.On, &m) {
		return nil, false
	}
	lower, ok := b.elastic(casefile.Path{"on"}, m)
	return &lower, ok
}

// components of a stress and its equivalent.
var components = []string{"xx", "yy", "zz", "xy", "yz", "zx", "mises"}

// columns are those of stress.csv: points by number, then of each plane the largest
// equivalent stress and where it is.
func (x *probe) columns() (list []string) {
	for i := range x.points {
		for _, c := range components {
			list = append(list, fmt.Sprintf("p%d.%s", i, c))
		}
	}
	for i := range x.planes {
		list = append(list, fmt.Sprintf("z%d.mises", i), fmt.Sprintf("z%d.x", i), fmt.Sprintf("z%d.y", i))
	}
	return list
}

// row appends a row of stress.csv.
func (x *probe) row(dst []float64, p halfspace.Field) ([]float64, error) {
	for _, at := range x.points {
		t, err := x.At(p, at[0], at[1], at[2])
		if err != nil {
			return dst, err
		}
		dst = append(append(dst, t[:]...), t.Mises())
	}
	for i := range x.planes {
		l, err := x.plane(i)
		if err != nil {
			return dst, err
		}
		peak, err := l.Peak(p)
		if err != nil {
			return dst, err
		}
		dst = append(dst, peak.Mises, peak.X, peak.Y)
	}
	return dst, nil
}

// peak is the largest equivalent stress of a row, and where it is.
func (x *probe) peak(row []float64) (best halfspace.Peak) {
	for i, at := range x.points {
		if m := row[len(components)*(i+1)-1]; m > best.Mises {
			best = halfspace.Peak{Mises: m, X: at[0], Y: at[1], Z: at[2]}
		}
	}
	row = row[len(components)*len(x.points):]
	for i, z := range x.planes {
		if m := row[3*i]; m > best.Mises {
			best = halfspace.Peak{Mises: m, X: row[3*i+1], Y: row[3*i+2], Z: z}
		}
	}
	return best
}

// sheet is that of stress.csv.
func (x *probe) sheet() table.Sheet {
	return table.Sheet{File: table.StressFile, Columns: x.columns(), Times: table.ShotTimes}
}

// need is the memory of planes: kernels of all components on a doubled grid and their
// transforms, which stay.
func (d *stressDocument) need(n int64) int64 {
	if d == nil || len(d.Planes) == 0 {
		return 0
	}
	return (int64(len(d.Planes)+1)*18*4 + 24) * 8 * n
}

// bound is the friction bound of an element under a pressure.
func (c *Case) bound(pressure float64) float64 {
	if !(pressure > 0) {
		return 0
	}
	return c.mu*pressure + c.threshold
}

// frictional reports whether there is any friction.
func (c *Case) frictional() bool { return c.mu > 0 || c.threshold > 0 }

// tresca is the mean square of the threshold where bodies touch to that of pressures: the
// share of friction in the duality gap that μ² does not know of.
func (c *Case) tresca(pressures []float64) float64 {
	if c.threshold == 0 {
		return 0
	}
	g, p := 0.0, 0.0
	for _, v := range pressures {
		if v > 0 {
			g, p = g+c.threshold*c.threshold, p+v*v
		}
	}
	return 2 * g / cmp.Or(p, math.Inf(1)) // (a + b)² <= 2a² + 2b²
}
