package report

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
)

// Recorder keeps what the pictures need of a run, in bounded memory.
type Recorder struct {
	psi    *dissipation.Coulomb
	ids    []string
	sample []int // particles looked at

	width    int // nodes an interval holds
	count    int // nodes in the last interval
	limit    int // intervals, even
	spans    []span
	channels []channel // of the system, then of the particles
	row      []float64

	energyScale float64
}

// span is an interval of time.
type span struct{ from, to float64 }

// channel holds the extremes of a quantity in each interval.
type channel struct{ low, high []float64 }

// Channels of the system.
const (
	energy = iota
	dissipated
	work
	balance
	gap
	stepGap
	systemChannels
)

// Channels of a particle.
const (
	posX = iota
	posY
	posZ
	normal
	friction
	bound
	particleChannels
)

const (
	mostSampled   = 2000
	mostIntervals = 1024
	// mostValues bounds the memory: two float64 each, 64 MB.
	mostValues = 4 << 20
)

// NewRecorder returns a recorder of a system whose particles have the names ids.
func NewRecorder(psi *dissipation.Coulomb, ids []string) *Recorder {
	n := psi.System.N()
	r := &Recorder{psi: psi, ids: ids, width: 1}
	for k := range min(n, mostSampled) {
		r.sample = append(r.sample, k*n/min(n, mostSampled))
	}
	r.channels = make([]channel, systemChannels+particleChannels*len(r.sample))
	r.row = make([]float64, len(r.channels))
	r.limit = min(mostIntervals, mostValues/len(r.channels)&^1)
	return r
}

// Observe takes the next node.
func (r *Recorder) Observe(n *energetic.Node) {
	r.energyScale = max(r.energyScale, n.EnergyScale)
	copy(r.row, []float64{n.Energy, n.Dissipation, n.Work, math.Abs(n.Balance), n.Gap.Upper, n.StepGap.Upper})
	for k, j := range r.sample {
		r.particle(r.row[systemChannels+particleChannels*k:], n, j)
	}
	r.take(n.T)
}

// take adds the values in r.row at a time.
func (r *Recorder) take(t float64) {
	if r.count == r.width || len(r.spans) == 0 {
		r.begin(t)
	}
	last := len(r.spans) - 1
	r.spans[last].to = t
	for i, v := range r.row {
		c := &r.channels[i]
		c.low[last], c.high[last] = min(c.low[last], v), max(c.high[last], v)
	}
	r.count++
}

// particle stores the values of one particle.
func (r *Recorder) particle(dst []float64, n *energetic.Node, j int) {
	f := r.psi.System.Frame(j)
	z := n.Z[3*j : 3*j+3]
	x := f.ToGlobal([3]float64(z))
	copy(dst, x[:])
	dst[normal], dst[friction], dst[bound] = 0, 0, 0
	if n.States[j] == incremental.Free {
		return
	}
	g := n.Grad[3*j : 3*j+3]
	dst[normal] = max(g[2], 0)
	dst[friction] = math.Hypot(g[0], g[1])
	if m := r.psi.Matrices[j]; m != nil {
		dst[bound] = dst[normal] * reach(m.At(z[0], z[1], nil), g[0], g[1])
	}
}

// reach returns the largest |f| of the forces f ∈ Sᵀ·ball in the direction (x, y):
// 1/‖S⁻ᵀd‖, which is μ for S = μI. Without a direction it is the mean √|det S|.
func reach(s [4]float64, x, y float64) float64 {
	det := s[0]*s[3] - s[1]*s[2]
	l := math.Hypot(x, y)
	if l == 0 || det == 0 {
		return math.Sqrt(math.Abs(det))
	}
	return math.Abs(det) * l / math.Hypot(s[3]*x-s[2]*y, s[0]*y-s[1]*x)
}

// begin opens an interval; when there are too many, pairs of them become one.
func (r *Recorder) begin(t float64) {
	if len(r.spans) == r.limit {
		for k := range r.limit / 2 {
			r.spans[k] = span{r.spans[2*k].from, r.spans[2*k+1].to}
		}
		r.spans = r.spans[:r.limit/2]
		for i := range r.channels {
			r.channels[i].halve()
		}
		r.width *= 2
	}
	r.count = 0
	r.spans = append(r.spans, span{t, t})
	for i := range r.channels {
		c := &r.channels[i]
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

// of returns a channel of the k-th sampled particle.
func (r *Recorder) of(k, what int) *channel {
	return &r.channels[systemChannels+particleChannels*k+what]
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
