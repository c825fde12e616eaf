package report

import "math"

// series keeps the extremes of quantities over intervals of time, in bounded
// memory: where there are too many intervals, pairs of them become one.
type series struct {
	width    int // nodes an interval holds
	count    int // nodes in the last interval
	limit    int // intervals, even
	spans    []span
	channels []channel
}

// span is an interval of time.
type span struct{ from, to float64 }

// channel holds the extremes of a quantity in each interval.
type channel struct{ low, high []float64 }

func newSeries(channels, limit int) series {
	return series{width: 1, limit: limit, channels: make([]channel, channels)}
}

// add takes the values of a node, one a channel.
func (s *series) add(t float64, row []float64) {
	if s.count == s.width || len(s.spans) == 0 {
		s.begin(t)
	}
	last := len(s.spans) - 1
	s.spans[last].to = t
	for i, v := range row {
		c := &s.channels[i]
		c.low[last], c.high[last] = min(c.low[last], v), max(c.high[last], v)
	}
	s.count++
}

// begin opens an interval.
func (s *series) begin(t float64) {
	if len(s.spans) == s.limit {
		for k := range s.limit / 2 {
			s.spans[k] = span{s.spans[2*k].from, s.spans[2*k+1].to}
		}
		s.spans = s.spans[:s.limit/2]
		for i := range s.channels {
			s.channels[i].halve()
		}
		s.width *= 2
	}
	s.count = 0
	s.spans = append(s.spans, span{t, t})
	for i := range s.channels {
		c := &s.channels[i]
		c.low, c.high = append(c.low, math.Inf(1)), append(c.high, math.Inf(-1))
	}
}

func (c *channel) halve() {
	n := len(c.low) / 2
	for k := range n {
		c.low[k], c.high[k] = min(c.low[2*k], c.low[2*k+1]), max(c.high[2*k], c.high[2*k+1])
	}
	c.low, c.high = c.low[:n], c.high[:n]
}

// extremes returns the range of a channel.
func (c *channel) extremes() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for k := range c.low {
		low, high = min(low, c.low[k]), max(high, c.high[k])
	}
	return low, high
}

func (c *channel) extent() float64 {
	low, high := c.extremes()
	return high - low
}
