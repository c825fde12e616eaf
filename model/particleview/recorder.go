package particleview

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// recorder keeps what the pictures need of a run, in bounded memory.
type recorder struct {
	psi    *dissipation.Coulomb
	ids    []string
	sample []int // particles looked at

	report.Series           // of the system, then of the particles
	row           []float64 // values of one node

	energyScale float64

	flesh    *flesh      // elastic bodies; nil: none
	contacts *contactMap // nil: not drawn
}

// Channels of the system.
const (
	energy = iota
	dissipated
	work
	balance
	gap
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
	mostSampled = 2000
)

// newRecorder returns one of a system whose particles have the names ids, for
// a run that ends at a time.
func newRecorder(psi *dissipation.Coulomb, ids []string, until float64) *recorder {
	n := psi.System.N()
	r := &recorder{psi: psi, ids: ids}
	for k := range min(n, mostSampled) {
		r.sample = append(r.sample, k*n/min(n, mostSampled))
	}
	r.row = make([]float64, systemChannels+particleChannels*len(r.sample))
	if psi.System.Remembers() { // what yields dissipates: the last channel
		r.row = append(r.row, 0)
	}
	r.Series = report.NewSeries(len(r.row))
	r.flesh, r.contacts = newFlesh(r), newContactMap(r, until)
	return r
}

// columns are the channels of positions, with the names that they have in the file of the trajectory,
// and those of nodes.
func (r *recorder) columns() []report.Columns {
	nodes := report.Columns{Table: "nodes", Series: &report.Series{Spans: r.Spans}}
	places := report.Columns{Table: table.TrajectoryFile, Series: &report.Series{Spans: r.Spans}}
	add := func(c *report.Columns, name, unit string, channel int) {
		c.Names, c.Units = append(c.Names, name), append(c.Units, unit)
		c.Series.Channels = append(c.Series.Channels, r.Channels[channel])
	}
	for i, name := range [systemChannels]string{energy: "energy", dissipated: "dissipated", work: "work",
		balance: "balance residual, size", gap: "stability gap"} {
		add(&nodes, name, "J", i)
	}
	for k, j := range r.sample {
		first := systemChannels + particleChannels*k
		for i, axis := range [...]string{posX: "x", posY: "y", posZ: "z"} {
			add(&places, r.ids[j]+"."+axis, "m", first+i)
		}
		for i, what := range [...]string{normal: "normal force", friction: "friction", bound: "friction bound"} {
			if what != "" {
				add(&nodes, r.ids[j]+" "+what, "N", first+i)
			}
		}
	}
	if r.psi.System.Remembers() {
		add(&nodes, "dissipated by yielding", "J", len(r.row)-1)
	}
	return []report.Columns{nodes, places}
}

// observe takes the next node.
func (r *recorder) observe(n *energetic.Node) {
	r.energyScale = max(r.energyScale, n.EnergyScale)
	copy(r.row, []float64{n.Energy, n.Dissipation, n.Work, math.Abs(n.Balance), n.Gap.Upper})
	for k, j := range r.sample {
		r.particle(r.row[systemChannels+particleChannels*k:], n, j)
	}
	if r.psi.System.Remembers() {
		r.row[len(r.row)-1] = n.Plastic
	}
	r.Add(n.T, r.row)
	if r.flesh != nil {
		r.flesh.observe(r, n)
	}
	if r.contacts != nil {
		r.contacts.observe(r, n)
	}
}

// particle stores the values of one particle.
func (r *recorder) particle(dst []float64, n *energetic.Node, j int) {
	x := r.psi.System.Position(n.T, j, n.Z)
	copy(dst, x[:])
	dst[normal], dst[friction], dst[bound] = 0, 0, 0
	if n.Reactions != nil && r.psi.System.Cornered(j) {
		r.cornered(dst, n, j)
		return
	}
	if n.States[j] == incremental.Free {
		return
	}
	c := touchOf(r.psi, n.T, j, n.Z, Reaction(n, j))
	dst[normal], dst[friction], dst[bound] = c.normal, c.size(), c.bound
}

// cornered stores the sums over the obstacles of a particle that has several: of all that
// friction could bear only the sum of its sizes, for the cones lie askew.
func (r *recorder) cornered(dst []float64, n *energetic.Node, j int) {
	sum := func(c int) {
		x := touchOf(r.psi, n.T, c, n.Z, n.Reactions[c])
		dst[normal], dst[friction], dst[bound] = dst[normal]+x.normal, dst[friction]+x.size(), dst[bound]+x.bound
	}
	sum(j)
	for _, c := range r.psi.System.Beside(j) {
		sum(c)
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

// of returns a channel of the k-th sampled particle.
func (r *recorder) of(k, what int) *report.Range {
	return &r.Channels[systemChannels+particleChannels*k+what]
}
