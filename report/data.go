package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html/template"
	"image/color"
	"math"
)

// plotData is a plot as the page draws it again, to be looked into: numbers are float32, x and y
// by turns, in base64.
type plotData struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	X       string     `json:"x"`
	Y       string     `json:"y"`
	Time    bool       `json:"time,omitempty"`
	Lines   []lineData `json:"lines,omitempty"`
	Areas   []areaData `json:"areas,omitempty"`
	Marks   []lineData `json:"marks,omitempty"`
	Samples []lineData `json:"samples,omitempty"`
	Map     *mapData   `json:"map,omitempty"`
	XRange  []float64  `json:"xRange,omitempty"`
	YRange  []float64  `json:"yRange,omitempty"`
	Ticks   []tickData `json:"ticks,omitempty"`
	Decades bool       `json:"decades,omitempty"`
	Log     bool       `json:"log,omitempty"` // both axes
	Zero    bool       `json:"zero,omitempty"`
	Alike   bool       `json:"alike,omitempty"`
}

type lineData struct {
	Name   string  `json:"name"`
	Color  string  `json:"color"`
	Dash   int     `json:"dash,omitempty"`
	Width  float64 `json:"width,omitempty"`
	Dots   bool    `json:"dots,omitempty"`
	Glyph  int     `json:"glyph,omitempty"`
	Points string  `json:"points,omitempty"`
}

type areaData struct {
	Name  string   `json:"name"`
	Color string   `json:"color"`
	Rings []string `json:"rings"`
}

type mapData struct {
	X      []float64  `json:"x"`
	Y      []float64  `json:"y"`
	Values string     `json:"values"` // float32, row by row
	Kinds  []kindData `json:"kinds,omitempty"`
	Most   float64    `json:"most"`
}

type kindData struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

type tickData struct {
	At   float64 `json:"at"`
	Name string  `json:"name"`
}

// packed are float32 in base64, all of them finite.
func packed(values ...float64) string {
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = max(-math.MaxFloat32, min(bounded(v), math.MaxFloat32))
	}
	return packedHalf(list...)
}

// packedFull are float64 in base64; those that are not finite stay that: a curve has a gap there.
func packedFull(values ...float64) string {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// packedHalf are the same as float32.
func packedHalf(values ...float64) string {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return base64.StdEncoding.EncodeToString(b)
}

func packedPoints(points []Point) string {
	values := make([]float64, 0, 2*len(points))
	for _, p := range points {
		values = append(values, p.X, p.Y)
	}
	return packed(values...)
}

// inkName is the name that the page has for a colour, or #rrggbb.
func inkName(c color.Color) string {
	if c == nil {
		return "ink"
	}
	for i, p := range Palette {
		if p == c {
			return fmt.Sprintf("c%d", i+1)
		}
	}
	switch name := hex(c); name {
	case "#282828":
		return "ink"
	case "#f0f0f0", "#f5f5f5":
		return "band"
	case "#c8c8c8":
		return "grid"
	default:
		return name
	}
}

// data is the plot for the page.
func (p *Plot) data(id string, time bool) *plotData {
	d := &plotData{ID: id, Title: Plain(p.Title), X: Plain(p.X), Y: Plain(p.Y), Time: time, Decades: p.Decades,
		Log: p.Logarithmic, Zero: p.FromZero, Alike: p.Alike}
	if p.X == "" {
		d.X = "t [s]"
	}
	line := func(l *Line) lineData {
		return lineData{Name: Plain(l.Name), Color: inkName(l.Color), Dash: int(l.Dash), Width: l.Width, Dots: l.Dots,
			Points: packedPoints(l.Points)}
	}
	for i := range p.Lines {
		d.Lines = append(d.Lines, line(&p.Lines[i]))
	}
	for i := range p.Samples {
		d.Samples = append(d.Samples, line(&p.Samples[i]))
	}
	for _, m := range p.Marks {
		d.Marks = append(d.Marks, lineData{Name: Plain(m.Name), Color: inkName(m.Color), Width: m.Size,
			Glyph: int(m.Glyph), Points: packedPoints(m.Points)})
	}
	for _, a := range p.Areas {
		x := areaData{Name: Plain(a.Name), Color: inkName(a.Color)}
		for _, ring := range a.Rings {
			x.Rings = append(x.Rings, packedPoints(ring))
		}
		d.Areas = append(d.Areas, x)
	}
	for _, t := range p.Ticks {
		d.Ticks = append(d.Ticks, tickData{bounded(t.At), Plain(t.Name)})
	}
	for _, r := range []struct {
		from [2]float64
		to   *[]float64
	}{{p.XRange, &d.XRange}, {p.YRange, &d.YRange}} {
		if r.from[1] > r.from[0] {
			*r.to = []float64{bounded(r.from[0]), bounded(r.from[1])}
		}
	}
	if h := p.Map; h != nil {
		d.Map = &mapData{Values: packed(h.Values...), Most: h.Largest()}
		for _, v := range h.X {
			d.Map.X = append(d.Map.X, bounded(v))
		}
		for _, v := range h.Y {
			d.Map.Y = append(d.Map.Y, bounded(v))
		}
		for _, k := range h.Kinds {
			d.Map.Kinds = append(d.Map.Kinds, kindData{Plain(k.Name), inkName(k.Color)})
		}
	}
	return d
}

// Columns are those of a table, as extremes over intervals of time, for the page to plot on wish.
type Columns struct {
	Table  string
	Names  []string
	Units  []string // of each; nil: they are in the names
	Series *Series
	OfStep func(column string) bool        // those of the step that ends with a row; nil: none
	known  map[int]func(t float64) float64 // references of columns
}

// reference gives a column its reference.
func (c *Columns) reference(column int, at func(t float64) float64) {
	if c.known == nil {
		c.known = map[int]func(t float64) float64{}
	}
	c.known[column] = at
}

// columnData are Columns as the page holds them.
type columnData struct {
	Table   string    `json:"table"`
	Full    bool      `json:"full,omitempty"` // numbers are float64, else float32
	T       string    `json:"t"`              // from and to of the intervals by turns
	Columns []oneData `json:"columns"`
}

type oneData struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Step bool   `json:"step,omitempty"` // of the step that ends at each time
	Low  string `json:"low"`            // one value, if it never changes
	High string `json:"high,omitempty"` // empty: that of Low
	Ref  string `json:"ref,omitempty"`  // what it should be, at the times of the table
}

// columnValues is the number of values that all columns of a page may have; the intervals of time
// are made longer until they fit. So many are float64, with all digits of the files: their 480 kB, in base64,
// leave a page with the longest animation below 3 MB. fewIntervals is the number below which a curve is none.
const (
	columnValues = 200_000
	fullValues   = 60_000
	fewIntervals = 16
)

// columnsData packs columns; left are the tables that do not fit even so.
func columnsData(list []Columns) (out []columnData, left []string) {
	all := 0
	for _, c := range list {
		all += len(c.Names)
	}
	join := func(c *Columns) int { // intervals of the series in one of the page
		join := 1
		for n := len(c.Series.Spans); 2*all*(n/join) > columnValues && n/join > fewIntervals; {
			join *= 2
		}
		return join
	}
	values, held := 0, 0
	for i := range list {
		held += 2 * len(list[i].Names) * (len(list[i].Series.Spans) / join(&list[i]))
	}
	pack := packedHalf
	if held <= fullValues {
		pack = packedFull
	}
	for _, c := range list {
		if len(c.Series.Spans) == 0 {
			continue
		}
		join := join(&c)
		if values += 2 * len(c.Names) * (len(c.Series.Spans) / join); values > 2*columnValues {
			left = append(left, c.Table)
			continue
		}
		x := columnData{Table: c.Table, Full: held <= fullValues}
		var times []float64
		for k := 0; k < len(c.Series.Spans); k += join {
			times = append(times, c.Series.Spans[k].From, c.Series.Spans[min(k+join, len(c.Series.Spans))-1].To)
		}
		x.T = pack(times...)
		for i, name := range c.Names {
			one := oneColumn(Plain(name), &c.Series.Channels[i], join, pack)
			if c.Units != nil {
				one.Unit = c.Units[i]
			}
			one.Step = c.OfStep != nil && c.OfStep(name)
			if at := c.known[i]; at != nil {
				values := make([]float64, len(times))
				for k, t := range times {
					values[k] = at(t)
				}
				one.Ref = pack(values...)
			}
			x.Columns = append(x.Columns, one)
		}
		out = append(out, x)
	}
	return out, left
}

func oneColumn(name string, r *Range, join int, pack func(...float64) string) oneData {
	var low, high []float64
	same, still := true, true
	for k := 0; k < len(r.Low); k += join {
		a, b := math.Inf(1), math.Inf(-1)
		for j := k; j < min(k+join, len(r.Low)); j++ {
			a, b = min(a, r.Low[j]), max(b, r.High[j])
		}
		low, high = append(low, a), append(high, b)
		same, still = same && a == b, still && a == low[0] && b == low[0]
	}
	d := oneData{Name: name, Low: pack(low...)}
	switch {
	case still && len(low) > 0:
		d.Low = pack(low[0])
	case !same:
		d.High = pack(high...)
	}
	return d
}

// Data returns the numbers behind the plots, and all columns, as the page holds them: JSON, packed
// by gzip at a level of compress/flate, in base64.
func (p *Page) Data(level int) (string, error) {
	x := struct {
		Plots  []*plotData  `json:"plots"`
		Tables []columnData `json:"tables"`
		Left   []string     `json:"left"` // tables with too many columns
		Runs   *Runs        `json:"runs,omitempty"`
	}{Runs: p.Runs}
	x.Tables, x.Left = columnsData(p.Columns)
	for i := range p.Figures {
		if d := p.Figures[i].data; d != nil {
			x.Plots = append(x.Plots, d)
		}
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err == nil {
		err = json.NewEncoder(z).Encode(x)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return "", fmt.Errorf("report: the numbers of the page: %w", err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// DataJSON is Data as a string of JSON.
func (p *Page) DataJSON() (template.JS, error) {
	text, err := p.Data(gzip.BestCompression)
	return template.JS(`"` + text + `"`), err
}

// AllColumns are those of the records, for the page.
func (r *Records) AllColumns() (list []Columns) {
	for _, t := range r.List {
		if t.Rows > 0 {
			list = append(list, Columns{Table: t.File, Names: t.Columns, Units: t.Units, Series: &t.Series, OfStep: t.OfStep})
		}
	}
	return list
}
