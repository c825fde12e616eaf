package halfspace

import (
	"encoding/base64"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// reader reads the files of a run and keeps what the page shows: all elements at a few
// times, the rest as series.
type reader struct {
	report.Records
	c *Case

	moves, loads, energies, certificates, elements report.Record
	shots                                          []shot
	pause                                          int // every so many shots is kept
	count                                          int
	last                                           shot
}

// shot is the surface at a time: the parts of all elements.
type shot struct {
	t float64
	v []float64
}

// mostFrames and mostPoints bound what the page animates to its size: a time and element
// takes 23 bytes, and 7 of a corner and the shade of the pressure.
const (
	mostFrames = 60
	mostPoints = report.FilmBytes / (30 * mostFrames)
)

func newReader(f *table.Folder, c *Case) *reader {
	r := &reader{c: c, pause: 1}
	r.moves, r.loads = report.Record{File: table.TrajectoryFile}, report.Record{File: table.ForcesFile}
	r.energies, r.certificates = report.Record{File: table.EnergiesFile}, report.Record{File: table.CertificatesFile}
	r.elements = report.Record{File: table.ElementsFile, Observe: r.keep}
	r.Records = report.Records{Files: f, List: []*report.Record{&r.moves, &r.loads, &r.energies, &r.certificates, &r.elements}}
	return r
}

// keep keeps a shot; where there are too many, every second one goes.
func (r *reader) keep(t float64, row []float64) {
	r.last = shot{t, append(r.last.v[:0], row...)}
	if r.count++; (r.count-1)%r.pause != 0 {
		return
	}
	if len(r.shots) == mostFrames {
		for k := range r.shots[:mostFrames/2] {
			r.shots[k] = r.shots[2*k]
		}
		r.shots = r.shots[:mostFrames/2]
		if r.pause *= 2; (r.count-1)%r.pause != 0 {
			return
		}
	}
	r.shots = append(r.shots, shot{t, slices.Clone(row)})
}

// Page makes the page of what was read so far.
func (r *reader) Page(a report.About) (*report.Page, error) {
	p := report.Begin(a)
	g := r.c.Operator.Grid()
	p.Facts = append([]report.Row{{"time", fmt.Sprintf("0 … %.6g s", r.moves.End()), ""}, {"steps", report.Steps(a, r.moves.Rows), ""},
		{"elements", fmt.Sprintf("%d×%d", g.NX, g.NY), fmt.Sprintf("%.4g×%.4g m each", g.DX, g.DY)},
		{"contact modulus", fmt.Sprintf("%.4g Pa", 1/(math.Pi*r.c.Pair.A)), "E*"},
		{"friction", r.friction(), "coefficient"}}, report.Ran(a)...)
	var sum struct{ Halfspace *result }
	if a.Summary != nil && a.Summary.Read(&sum) == nil && sum.Halfspace != nil {
		x := sum.Halfspace // of all steps: a file may keep every n-th only
		p.Verdict.Sentences = append(p.Verdict.Sentences,
			fmt.Sprintf("Each step is a convex problem; by duality its energy is the least up to %.2g of itself, and no surface is deeper in the other than %s.",
				x.Gap, report.Metre(x.Penetration)))
		p.Certificates = []report.Row{
			{"duality gap", fmt.Sprintf("%.2g", x.Gap), "largest of a step, of its elastic energy"},
			{"penetration", report.Metre(x.Penetration), "deepest"},
			{"missed load", fmt.Sprintf("%.2g", x.Missed), "largest, relative"},
			{"balance", fmt.Sprintf("%.2g J", x.Residual), "elastic energy + dissipation − work of the loads, at the end"},
			{"contact", fmt.Sprintf("%d elements", x.Contacts), fmt.Sprintf("at the end; %d of them stick", x.Sticking)},
			{"between nodes", fmt.Sprintf("%.2g J", x.Between), "pressure across gaps, (S) for all t: the most of a step"},
			{"friction", fmt.Sprintf("%.2g J", x.Unbalanced), "what it lacks along the way, (DI), in all"},
			{"largest pressure", fmt.Sprintf("%.6g Pa", x.Pressure), "at the end"},
		}
		if !r.c.frictional() {
			p.Certificates[4][2] = "at the end; there is no friction"
		}
	}
	p.Figures, p.Warnings = r.figures()
	p.Columns = r.AllColumns()
	if len(r.shots) > 0 {
		p.Scene = r.scene()
	}
	return p, nil
}

// friction tells the law.
func (r *reader) friction() string {
	if r.c.threshold == 0 {
		return fmt.Sprintf("%.4g", r.c.mu)
	}
	return fmt.Sprintf("%.4g, and %.4g Pa", r.c.mu, r.c.threshold)
}

func (r *reader) figures() ([]report.Figure, []string) {
	at := fmt.Sprintf(" at t = %.4g s", r.last.t)
	list := []report.Drawing{
		{ID: "pressure", Caption: "Contact pressure" + at + ", from pale at zero.", Plot: r.pressure},
		{ID: "traction", Caption: "Friction traction" + at + ", from pale at zero.", Plot: r.traction},
		{ID: "zones", Caption: "Where the surface touches, sticks and slips" + at + ".", Plot: r.zones},
		{ID: "profile", Caption: "Tractions along the middle row" + at + ".", Plot: r.profile},
		{ID: "loads", Caption: "Loads on the upper body.", Plot: r.forces, Time: true},
		{ID: "moves", Caption: "Displacements of the upper body.", Plot: r.ways, Time: true},
		{ID: "contact", Caption: "Elements that touch and that stick.", Plot: r.counts, Time: true},
		{ID: "energies", Caption: "Where the energy is.", Plot: r.energy, Time: true},
	}
	return report.Draw(append(list, r.stresses(at)...))
}

// mostPlanes bounds the pictures of stress.
const mostPlanes = 6

// stresses draws the equivalent stress on the planes.
func (r *reader) stresses(at string) (list []report.Drawing) {
	if r.c.probe == nil {
		return nil
	}
	for i, z := range r.c.probe.planes[:min(mostPlanes, len(r.c.probe.planes))] {
		list = append(list, report.Drawing{ID: fmt.Sprintf("stress%d", i),
			Caption: fmt.Sprintf("Equivalent stress of von Mises in the depth %.4g m%s, from pale at zero.", z, at),
			Plot:    func() *report.Plot { return r.stress(z) }})
	}
	return list
}

// stress is the equivalent stress of the last shot on a plane.
func (r *reader) stress(z float64) *report.Plot {
	if len(r.last.v) == 0 {
		return nil
	}
	plane, err := r.c.probe.Plane(r.tractions(), z)
	if err != nil {
		return nil // the run has made it before
	}
	return r.heat(fmt.Sprintf("von Mises at depth %.4g m", z), func(k int) float64 { return plane[k].Mises() }, nil)
}

// tractions are those of the last shot.
func (r *reader) tractions() halfspace.Field {
	p := halfspace.NewField(r.c.Operator.Grid().Len())
	for k := range p[halfspace.N] {
		p[halfspace.N][k], p[halfspace.X][k], p[halfspace.Y][k] = r.part(k, 0), r.part(k, 1), r.part(k, 2)
	}
	return p
}

// Overview draws the surface at the end, and the loads over time.
func (r *reader) Overview(dir, title string) (warnings []string, err error) {
	if r.moves.Rows == 0 {
		return nil, nil
	}
	return report.DrawPicture(dir, "overview", title, r.pressure(), r.zones(), r.profile(), r.forces())
}

// part is a component of an element of the last shot.
func (r *reader) part(k, c int) float64 { return r.last.v[len(parts)*k+c] }

// zone is the state of an element of a shot: 0 open, 1 grazing as others have it, 2 stick, 3 slip.
func (c *Case) zone(v []float64, k int) byte {
	e := v[len(parts)*k:]
	switch q := c.ratio(); {
	case !(e[0] > 0):
		return 0
	case halfspace.Sticks([2]float64{e[1], e[2] / q}, [2]float64{e[3], q * e[4]}, c.bound(e[0]), c.Operator.Self()):
		return 2
	}
	return 3
}

// status is that of an element of a shot; without friction it neither sticks nor slips.
func (r *reader) status(v []float64, k int) byte {
	if z := r.c.zone(v, k); z == 0 || r.c.frictional() {
		return z
	}
	return report.StatusSmooth
}

// ratio of friction along y to that along x.
func (c *Case) ratio() float64 {
	if c.Problem.Ratio == 0 {
		return 1
	}
	return c.Problem.Ratio
}

func (r *reader) heat(title string, value func(k int) float64, kinds []report.Kind) *report.Plot {
	g := r.c.Operator.Grid()
	if len(r.last.v) == 0 || g.NX < 2 || g.NY < 2 {
		return nil
	}
	h := &report.Heat{Kinds: kinds}
	for i := range g.NX {
		x, _ := g.At(i)
		h.X = append(h.X, x)
	}
	for j := range g.NY {
		_, y := g.At(j * g.NX)
		h.Y = append(h.Y, y)
	}
	for k := range g.Len() {
		h.Values = append(h.Values, value(k))
	}
	if kinds == nil {
		title = fmt.Sprintf("%s, up to %.4g Pa", title, h.Largest())
	}
	return &report.Plot{Title: title, X: "x [m]", Y: "y [m]", Map: h, Alike: true, Bare: true}
}

func (r *reader) pressure() *report.Plot {
	return r.heat("Pressure", func(k int) float64 { return r.part(k, 0) }, nil)
}

func (r *reader) traction() *report.Plot {
	if !r.c.frictional() {
		return nil
	}
	return r.heat("Friction traction", func(k int) float64 { return math.Hypot(r.part(k, 1), r.part(k, 2)) }, nil)
}

// zoneColours are those of the states of elements, in their order.
var zoneColours = []report.Kind{{Color: color.RGBA{245, 245, 245, 255}}, {Color: color.RGBA{200, 200, 200, 255}},
	{Name: "stick", Color: color.RGBA{0, 114, 178, 255}}, {Name: "slip", Color: color.RGBA{213, 94, 0, 255}},
	{Name: "in contact", Color: color.RGBA{0, 158, 115, 255}}}

func (r *reader) zones() *report.Plot {
	x, kinds := &r.certificates, zoneColours[:4]
	title := fmt.Sprintf("Zones: %.0f of %.0f elements in contact stick", x.Value("sticking"), x.Value("contacts"))
	if !r.c.frictional() {
		title, kinds = fmt.Sprintf("Zones: %.0f elements are in contact", x.Value("contacts")), slices.Clone(zoneColours)
		kinds[2].Name, kinds[3].Name = "", ""
	}
	return r.heat(title, func(k int) float64 { return float64(r.status(r.last.v, k)) }, kinds)
}

// profile draws the tractions along the middle row.
func (r *reader) profile() *report.Plot {
	if len(r.last.v) == 0 {
		return nil
	}
	g := r.c.Operator.Grid()
	p := &report.Plot{Title: "Tractions along the middle row", X: "x [m]", Y: "traction [Pa]"}
	var friction, bound []report.Point
	for i := range g.NX {
		k := g.NY/2*g.NX + i
		x, _ := g.At(k)
		friction, bound = append(friction, report.Point{X: x, Y: math.Hypot(r.part(k, 1), r.part(k, 2))}),
			append(bound, report.Point{X: x, Y: r.c.bound(r.part(k, 0))})
	}
	if !r.c.frictional() {
		for i := range bound {
			bound[i].Y = r.part(g.NY/2*g.NX+i, 0)
		}
		p.Line(bound, "pressure", report.Palette[1], report.Solid, 1.4)
		return p
	}
	p.Line(friction, "friction", report.Palette[0], report.Solid, 1.4)
	p.Line(bound, "friction bound", report.Palette[1], report.Solid, 1.4)
	return p
}

func (r *reader) forces() *report.Plot {
	return r.loads.Lines("Loads", "load [N]", []report.Quantity{{Column: "n", Name: "normal", Always: true},
		{Column: "x", Name: "along x"}, {Column: "y", Name: "along y"}})
}

func (r *reader) ways() *report.Plot {
	return r.moves.Lines("Displacements", "[m]", []report.Quantity{{Column: "n", Name: "normal, −approach",
		Always: true}, {Column: "x", Name: "along x"}, {Column: "y", Name: "along y"}})
}

func (r *reader) counts() *report.Plot {
	return r.certificates.Lines("Contact", "elements",
		[]report.Quantity{{Column: "contacts", Name: "touch", Always: true}, {Column: "sticking", Name: "stick"}})
}

func (r *reader) energy() *report.Plot {
	return r.energies.Lines("Energies", "energy [J]",
		[]report.Quantity{{Column: "elastic", Name: "elastic", Always: true},
			{Column: "dissipation", Name: "taken by friction"}, {Column: "external", Name: "work of the loads"}})
}

// scene shows the gap as a surface over the lower body, with the pressure as its shade, and its elements
// as points: their forces as arrows, stick and slip by colour, over time.
func (r *reader) scene() *report.Scene {
	g := r.c.Operator.Grid()
	m := r.mosaic()
	shown := m.elements
	points := len(shown) + len(m.corners)
	s := &report.Scene{Points: points, Anchors: points, Particles: len(shown), Contacts: len(shown), Touching: true, Polygons: m.polygons,
		Obstacles: []report.Obstacle{{T: [3]float64{1, 0, 0}, O: [3]float64{0, 1, 0}, N: [3]float64{0, 0, 1}}}}
	if len(shown) < g.Len() {
		s.Sample = g.Len()
	}
	if m.cut {
		s.Note = fmt.Sprintf("The strip goes on: its elements are %.4g m by %.4g m.", g.DX, g.DY)
	}
	for _, k := range shown {
		s.On, s.IDs = append(s.On, 0), append(s.IDs, fmt.Sprintf("element %d, %d", k%g.NX, k/g.NX))
	}
	var at, force [3][]float64
	var bounds, largest []float64
	var status, shade []byte
	most, highest := 0.0, 0.0
	for _, f := range r.shots {
		for _, k := range shown {
			most, highest = max(most, f.v[len(parts)*k]), max(highest, f.v[len(parts)*k+gapPart])
		}
	}
	rise := m.rise(highest)
	if rise > 1 && rise <= math.MaxFloat64 { // of gaps near 0 it is no number
		s.Note = strings.TrimSpace(fmt.Sprintf("%s The surface is the gap, %.0f times as high as it is.", s.Note, rise))
	}
	s.ShadeLabel = fmt.Sprintf("shade: pressure, up to %.4g Pa", most)
	for _, f := range r.shots {
		s.Times, largest = append(s.Times, f.t), append(largest, 0)
		for _, k := range shown {
			e := f.v[len(parts)*k:]
			x, y := g.At(k)
			for c, v := range [3]float64{x, y, rise * e[gapPart]} {
				at[c] = append(at[c], v)
			}
			for c := range force {
				force[c] = append(force[c], e[c]*g.Area())
			}
			forces := &largest[len(largest)-1]
			*forces = max(*forces, e[0]*g.Area(), math.Hypot(e[1], e[2])*g.Area())
			bounds = append(bounds, r.c.bound(e[0])*g.Area())
			status = append(status, r.status(f.v, k))
			shade = append(shade, byte(math.Round(math.MaxUint8*max(0, e[0])/max(most, math.SmallestNonzeroFloat64))))
		}
		heights := m.heights(func(k int) float64 { return rise * f.v[len(parts)*k+gapPart] })
		for i, p := range m.corners {
			at[0], at[1], at[2] = append(at[0], p[0]), append(at[1], p[1]), append(at[2], heights[i])
		}
	}
	s.Shade = base64.StdEncoding.EncodeToString(shade)
	s.X, s.Y, s.Z = report.NewChannel(at[0]), report.NewChannel(at[1]), report.NewChannel(at[2])
	s.N, s.T1, s.T2 = report.NewExactChannel(force[0]), report.NewExactChannel(force[1]), report.NewExactChannel(force[2])
	s.Force = report.ForceScale(largest)
	s.Bound, s.Status = report.NewExactChannel(bounds), base64.StdEncoding.EncodeToString(status)
	s.Chosen = slices.Index(shown, r.busiest(shown))
	if ratio := r.c.ratio(); ratio != 1 {
		for range shown {
			s.Shapes = append(s.Shapes, [4]float64{1, 0, 0, ratio})
		}
	}
	return s
}

// mosaic is the surface in tiles, an element each or the middle one of a few along x and y.
type mosaic struct {
	elements []int        // of the tiles
	corners  [][2]float64 // [m]
	polygons [][]int      // the tiles, by number of their corners, which come after the elements
	cut      bool         // they are longer than they are shown
}

// rise is the power of ten by which gaps are raised to be seen beside the window: the largest one to a
// fiftieth of it at least and a fifth at most; 1 if they are as high as that.
func (m *mosaic) rise(highest float64) float64 {
	low, high := m.corners[0], m.corners[len(m.corners)-1]
	if !(highest > 0) {
		return 1
	}
	return max(1, math.Pow(10, math.Floor(math.Log10(0.2*max(high[0]-low[0], high[1]-low[1])/highest))))
}

// heights are those of the corners: the mean of the tiles that meet there.
func (m *mosaic) heights(of func(element int) float64) []float64 {
	sum, tiles := make([]float64, len(m.corners)), make([]float64, len(m.corners))
	for k, g := range m.polygons {
		h := of(m.elements[k])
		for _, i := range g {
			sum[i-len(m.elements)] += h
			tiles[i-len(m.elements)]++
		}
	}
	for i := range sum {
		sum[i] /= tiles[i]
	}
	return sum
}

// thinnest is the least ratio of the sides of a window as the page shows it: strips that stand for
// plane strain are cut.
const thinnest = 0.1

func (r *reader) mosaic() (m mosaic) {
	g := r.c.Operator.Grid()
	stride := 1
	along := func(n int) int { return max(1, n/stride) }
	for along(g.NX)*along(g.NY) > mostPoints {
		stride++
	}
	nx, ny := along(g.NX), along(g.NY)
	x, y := edges(g.X0, g.DX, g.NX, nx, stride), edges(g.Y0, g.DY, g.NY, ny, stride)
	wide, high := x[nx]-x[0], y[ny]-y[0]
	cutX, cutY := cut(x, wide, high), cut(y, high, wide)
	m.cut = cutX || cutY
	for j := range ny {
		for i := range nx {
			m.elements = append(m.elements, min(i*stride+stride/2, g.NX-1)+min(j*stride+stride/2, g.NY-1)*g.NX)
		}
	}
	for _, v := range y {
		for _, u := range x {
			m.corners = append(m.corners, [2]float64{u, v})
		}
	}
	for k := range m.elements {
		a := len(m.elements) + k%nx + k/nx*(nx+1)
		m.polygons = append(m.polygons, []int{a, a + 1, a + nx + 2, a + nx + 1})
	}
	return m
}

// edges are those of tiles of stride elements along an axis, the last up to the end.
func edges(first, d float64, elements, tiles, stride int) []float64 {
	list := make([]float64, tiles+1)
	for i := range list {
		list[i] = first + (float64(min(i*stride, elements))-0.5)*d
	}
	list[tiles] = first + (float64(elements)-0.5)*d
	return list
}

// cut shortens the one tile along an axis to a part of the window along the other, and reports whether
// it did.
func cut(edges []float64, length, other float64) bool {
	most := thinnest * other
	if len(edges) != 2 || length <= most {
		return false
	}
	middle := (edges[0] + edges[1]) / 2
	edges[0], edges[1] = middle-most/2, middle+most/2
	return true
}

// busiest is the element with the most friction at the end.
func (r *reader) busiest(shown []int) int {
	best, most := shown[0], -1.0
	for _, k := range shown {
		if q := math.Hypot(r.part(k, 1), r.part(k, 2)) + r.part(k, 0)*1e-9; q > most {
			best, most = k, q
		}
	}
	return best
}
