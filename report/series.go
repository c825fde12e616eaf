package report

import (
	"fmt"
	"math"
)

// Series keeps the extremes of quantities over intervals of time, in bounded memory: where
// there are too many intervals, pairs of them become one.
type Series struct {
	Spans    []Span
	Channels []Range
	width    int // nodes an interval holds
	count    int // nodes in the last interval
	limit    int // intervals, even
}

// Span is an interval of time.
type Span struct{ From, To float64 }

// Range holds the extremes of a quantity in each interval.
type Range struct{ Low, High []float64 }

const (
	// MostIntervals is the number of intervals of a series that is drawn.
	MostIntervals = 1024
	// mostValues bounds the memory: two float64 each, 64 MB.
	mostValues = 4 << 20
)

// NewSeries returns one of so many quantities.
func NewSeries(channels int) Series {
	return newSeries(channels, max(2, min(MostIntervals, mostValues/max(1, channels)&^1)))
}

func newSeries(channels, limit int) Series {
	return Series{width: 1, limit: limit, Channels: make([]Range, channels)}
}

// Add takes the values of a node, one a channel; NaN: it has none.
func (s *Series) Add(t float64, row []float64) {
	if s.count == s.width || len(s.Spans) == 0 {
		s.begin(t)
	}
	last := len(s.Spans) - 1
	s.Spans[last].To = t
	for i, v := range row {
		if math.IsNaN(v) {
			continue
		}
		c := &s.Channels[i]
		c.Low[last], c.High[last] = min(c.Low[last], v), max(c.High[last], v)
	}
	s.count++
}

// begin opens an interval.
func (s *Series) begin(t float64) {
	if len(s.Spans) == s.limit {
		for k := range s.limit / 2 {
			s.Spans[k] = Span{s.Spans[2*k].From, s.Spans[2*k+1].To}
		}
		s.Spans = s.Spans[:s.limit/2]
		for i := range s.Channels {
			s.Channels[i].halve()
		}
		s.width *= 2
	}
	s.count = 0
	s.Spans = append(s.Spans, Span{t, t})
	for i := range s.Channels {
		c := &s.Channels[i]
		c.Low, c.High = append(c.Low, math.Inf(1)), append(c.High, math.Inf(-1))
	}
}

func (c *Range) halve() {
	n := len(c.Low) / 2
	for k := range n {
		c.Low[k], c.High[k] = min(c.Low[2*k], c.Low[2*k+1]), max(c.High[2*k], c.High[2*k+1])
	}
	c.Low, c.High = c.Low[:n], c.High[:n]
}

// Points returns the polygon of a quantity: where an interval holds several nodes, a
// stroke between its extremes.
func (s *Series) Points(c *Range) []Point {
	points := make([]Point, 0, 2*len(s.Spans))
	for k, x := range s.Spans {
		first, second := c.Low[k], c.High[k]
		if first > second {
			continue // no value
		}
		if n := len(points); n > 0 && points[n-1].Y > (first+second)/2 {
			first, second = second, first // a falling curve comes from above
		}
		points = append(points, Point{x.From, first})
		if second != first {
			points = append(points, Point{x.To, second})
		}
	}
	return points
}

// level returns a line across the series.
func (s *Series) level(y float64) []Point {
	return []Point{{s.Spans[0].From, y}, {s.Spans[len(s.Spans)-1].To, y}}
}

// End returns the time of the last node; 0 without one.
func (s *Series) End() float64 {
	if len(s.Spans) == 0 {
		return 0
	}
	return s.Spans[len(s.Spans)-1].To
}

// Extremes returns the range of a quantity.
func (c *Range) Extremes() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for k := range c.Low {
		low, high = min(low, c.Low[k]), max(high, c.High[k])
	}
	return low, high
}

// Extent returns the width of the range.
func (c *Range) Extent() float64 {
	low, high := c.Extremes()
	return high - low
}

// zero reports whether a quantity is always zero.
func (c *Range) zero() bool {
	low, high := c.Extremes()
	return low == 0 && high == 0
}

// Shifted returns a quantity plus a constant.
func (c *Range) Shifted(by float64) *Range {
	s := &Range{make([]float64, len(c.Low)), make([]float64, len(c.High))}
	for k := range c.Low {
		s.Low[k], s.High[k] = c.Low[k]+by, c.High[k]+by
	}
	return s
}

// magnitude returns the largest absolute values of a quantity.
func (c *Range) magnitude() *Range {
	values := make([]float64, len(c.High))
	for k := range values {
		if c.Low[k] <= c.High[k] { // else there is no value
			values[k] = max(math.Abs(c.High[k]), math.Abs(c.Low[k]))
		}
	}
	return &Range{values, values}
}

// logarithm returns the decimal one of the largest values of a quantity, at least floor.
func (c *Range) logarithm(floor float64) *Range {
	values := make([]float64, len(c.High))
	for k, v := range c.High {
		values[k] = max(math.Log10(max(bounded(v), 0)), floor)
	}
	return &Range{values, values}
}

// like reports whether two quantities look the same.
func (c *Range) like(other *Range) bool {
	near := 1e-3 * max(c.Extent(), other.Extent())
	for k := range c.Low {
		if math.Abs(c.Low[k]-other.Low[k]) > near || math.Abs(c.High[k]-other.High[k]) > near {
			return false
		}
	}
	return true
}

// Roundoff is the level below which residuals of energies mean nothing, relative to the
// energies met: a few times 2⁻⁵³.
const Roundoff = 1e-16

// nearRounding is by how many decades sums of some thousand terms are above the rounding of one.
const nearRounding = 2

// LogPlot draws quantities by the decimal logarithms of their magnitudes, down to floor,
// with a line there that is called level. (The log scale of package plot makes room for
// the label as if it stood at the arithmetic mean.) Quantities that are nil are left out;
// a floor that is not positive, where all is zero, counts as the roundoff of one.
func (s *Series) LogPlot(title, label string, floor float64, level string, list []*Range, names []string) *Plot {
	if len(s.Spans) == 0 {
		return nil
	}
	if !(floor > 0) || math.IsInf(floor, 0) {
		floor = Roundoff
	}
	p := &Plot{Title: title, Y: label, Decades: true}
	low := math.Log10(floor)
	top := low
	for i, c := range list {
		if c == nil {
			continue
		}
		x := c.magnitude().logarithm(low)
		_, high := x.Extremes()
		top = max(top, high)
		p.Line(s.Points(x), names[i], Palette[i%len(Palette)], Solid, 1.4)
	}
	if len(p.Lines) == 0 {
		return nil
	}
	if top <= low+nearRounding {
		p.Nothing = fmt.Sprintf("at most %.1e, which is rounding", math.Pow(10, top))
		if top == low {
			p.Nothing = "zero, to rounding"
		}
	}
	p.Line(s.level(low), level, Black, Dotted, 1)
	p.YRange = [2]float64{low - 1, top + 1}
	return p
}
