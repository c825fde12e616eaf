package energetic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/proof"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/table"
)

// rational is what a proof needs of a case beside its system.
type rational struct {
	planes  [][]proof.Plane // of each particle
	refused string          // why there is no proof of its runs; empty: there is
	drive   *signal.Sine    // that all signals follow; nil: none
}

// rational decides whether another program can prove a run of the case, from the energies and laws
// that the checker knows.
func (b *builder) rational() rational {
	var r rational
	var list []signal.Scalar
	for i := range b.Signals {
		list = append(list, b.Signals[i].Of)
	}
	r.drive = signal.OneWay(list)
	refuse := func(format string, args ...any) {
		if r.refused == "" {
			r.refused = fmt.Sprintf(format, args...)
		}
	}
	for i, raw := range b.doc.Energies {
		var e struct {
			Type       string          `json:"type"`
			Stiffening float64         `json:"stiffening"`
			Matrix     json.RawMessage `json:"matrix"`
		}
		_ = json.Unmarshal(raw, &e) // it was decoded before
		switch e.Type {
		case "tether", "bond", "load", "gravity", "quadratic":
		default:
			refuse("$.energies[%d]: an energy of type %q, want tethers, bonds, loads, gravity and quadratic ones", i, e.Type)
		}
		if e.Stiffening != 0 {
			refuse("$.energies[%d].stiffening: the energy is not quadratic", i)
		}
		if strings.HasPrefix(string(e.Matrix), "{") {
			refuse("$.energies[%d].matrix: a matrix in a file, want its numbers", i)
		}
		if strings.Contains(string(raw), `"csv"`) {
			refuse("$.energies[%d]: a signal in a file, want its numbers", i)
		}
	}
	for name, d := range b.doc.Friction {
		if text := string(d.Mu); d.Map != nil || d.Ripple != nil || strings.HasPrefix(text, "[") ||
			strings.Contains(text, `"sine"`) || strings.Contains(text, `"csv"`) {
			refuse("$.friction.%s: friction that is not isotropic, varies in space or not as a table in time", name)
		}
	}
	for i, a := range b.doc.Anchors {
		if strings.Contains(string(a.At), `"csv"`) {
			refuse("$.anchors[%d]: a signal in a file, want its numbers", i)
		}
	}
	for j, d := range b.doc.Particles {
		names := d.Obstacles
		if d.Obstacles == nil && d.Obstacle != nil {
			names = []string{*d.Obstacle}
		}
		var list []proof.Plane
		switch {
		case names == nil:
			list = []proof.Plane{{Normal: [3]float64{0, 0, 1}}}
		case names[0] != free:
			for _, name := range names {
				o := b.doc.Obstacles[name]
				if o.Type != "" && o.Type != "plane" || o.Motion != nil || len(o.Normal) != 3 || len(o.Point) != 3 {
					refuse("$.particles[%d]: the obstacle %q is curved or moves", j, name)
					continue
				}
				list = append(list, proof.Plane{Normal: [3]float64(o.Normal), Point: [3]float64(o.Point)})
			}
		}
		r.planes = append(r.planes, list)
	}
	if b.resolves() {
		refuse("$.solution: jumps are followed, and no polygon through a jump fulfils (S)")
	}
	return r
}

// newTube looks for a bound of the distance to the exact solution, see [proof.Tube].
func (c *Case) newTube() *proof.Tube {
	if c.resolves() || c.relinearisation != nil {
		return nil
	}
	u := proof.NewTube(c.Psi)
	u.Drive = c.rational.drive
	return u
}

// tubeOf is the tube as summary.json has it, and as a line of the verdict where it is within the
// accuracy: limit tells that of a particle, nil where nothing is known.
func (r *Run) tubeOf(limit func(j int) float64) []table.Fact {
	u := r.tube
	r.sum.Tube = nil
	if u == nil || u.Why() != "" || r.last == nil {
		return nil
	}
	t := &particleview.Tube{Norm: u.Norm(), Way: u.Way()}
	within, worst, at := true, 0.0, 0
	var value, bound float64
	for j, id := range r.c.IDs {
		d := u.Of(j)
		if t.Particle == "" || d > t.Distance {
			t.Distance, t.Particle = d, id
		}
		if limit == nil {
			continue
		}
		w := limit(j)
		within = within && d <= w
		if ratio := d / w; d > 0 && ratio > worst {
			worst, at, value, bound = ratio, j, d, w
		}
	}
	if math.IsInf(t.Distance, 0) || math.IsNaN(t.Distance) || math.IsInf(t.Norm, 0) || math.IsNaN(t.Norm) {
		return nil
	}
	if !(t.Distance < t.Way) {
		return nil // it says nothing
	}
	r.sum.Tube = t
	if limit == nil || !within || worst == 0 {
		return nil
	}
	f := table.AtMost(table.Accurate, "tube: how far a particle is from the exact solution, at all nodes", value, bound, "m", table.Proven)
	f.Place = "particle " + r.c.IDs[at]
	return []table.Fact{f}
}

// witness is a node of the trajectory that is proven.
type witness struct {
	t         float64
	z         []float64
	reactions [][3]float64 // by contact; nil: of no contact beside others
	sigma     []float64    // likewise
}

// keep keeps a node for the proof.
func (d *diagnosis) keep(n *energetic.Node) {
	w := witness{t: n.T, z: slices.Clone(n.Z), reactions: slices.Clone(n.Reactions)}
	for k := range d.c.Psi.System.Contacts() {
		w.sigma = append(w.sigma, d.c.Psi.Pressure(n.T, k, n.Z, n.Grad, dissipation.Origin{}))
	}
	d.witnesses = append(d.witnesses, w)
}

// Provable says why there is no proof of the trajectory; nil, there is.
func (c *Case) Provable() error {
	if why := c.rational.refused; why != "" {
		return errors.New(why)
	}
	if c.file.ByRule() {
		return errors.New("the case has parameters, expressions or repetitions, which the checker does not read: run what `quasistatic show` prints of it")
	}
	if c.plan.Every > 1 {
		return fmt.Errorf("the run wrote every %d-th node only (output.every)", c.plan.Every)
	}
	if c.plan.Format != table.CSV {
		return fmt.Errorf("the run wrote its trajectory as %s (output.format), and the checker reads csv", c.plan.Format)
	}
	return nil
}

// WriteProof writes what another program needs to check the verdict.
func (d *diagnosis) WriteProof(w io.Writer) error {
	c, sys := d.c, d.c.Psi.System
	rows, err := d.open()
	if err != nil {
		return err
	}
	defer rows.Close() // read only: nothing can be lost
	sum := sha256.New()
	if _, err := io.Copy(sum, rows); err != nil {
		return err
	}
	f := &proof.File{Case: c.file.SHA256, Trajectory: hex.EncodeToString(sum.Sum(nil))}
	f.Claims.Stability, f.Claims.Balance = d.cert.Claims()
	f.Claims.Balance += enclosure
	size := 0.0
	for _, n := range d.witnesses {
		for _, x := range n.z {
			size = max(size, math.Abs(x))
		}
	}
	for _, x := range c.At {
		size = max(size, math.Abs(x))
	}
	f.Claims.Apart, f.Claims.Start = near*size, near*size
	x := make([]float64, 3*sys.N())
	node := func(t float64, z []float64) *proof.Node {
		sys.ToGlobalAt(t, x, z)
		n := proof.NewNode(t, x, c.rational.planes, func(j, k int) bool { return sys.Touches(t, c.contact(j, k), z) })
		f.Nodes = append(f.Nodes, n)
		return &f.Nodes[len(f.Nodes)-1]
	}
	u := c.newTube()
	u.OnNode = func(t float64, z []float64) { node(t, z) }
	for _, n := range d.witnesses {
		u.Observe(n.t, n.z)
	}
	if u.Why() == "" {
		most := 0.0
		for j := range c.IDs {
			most = max(most, u.Of(j))
		}
		most = most*(1+1e-9) + f.Claims.Apart
		f.Claims.Tube = &most
		return f.Write(w)
	}
	f.Nodes = nil
	between := make([]float64, len(x))
	for k := range d.witnesses {
		n := &d.witnesses[k]
		if k > 0 {
			last := &d.witnesses[k-1]
			for _, t := range c.Psi.Breaks(nil, last.t, n.t) {
				if len(c.Scene.Contacts) > 0 {
					return fmt.Errorf("at t=%g a table has a knot that is no node of the run, want steps that meet it", t)
				}
				part := (t - last.t) / (n.t - last.t)
				for i, z := range n.z {
					between[i] = last.z[i] + part*(z-last.z[i])
				}
				node(t, between)
			}
		}
		c.contacts(node(n.t, n.z), n)
	}
	return f.Write(w)
}

// near: rows and start agree with the polygon to this part of the largest coordinate, which is more
// than what frames and printed digits leave.
const near = 0x1p-30

// enclosure is what the checker's bounds of sines and roots leave of the energies, where nothing
// moves [J].
const enclosure = 0x1p-100

// contact is the number of obstacle k of particle j in the system.
func (c *Case) contact(j, k int) int {
	if k == 0 {
		return j
	}
	return c.Psi.System.Beside(j)[k-1]
}

// contacts lists the closed contacts of a node with their forces.
func (c *Case) contacts(n *proof.Node, w *witness) {
	sys := c.Psi.System
	for j, list := range c.rational.planes {
		for k := range list {
			i := c.contact(j, k)
			if w.reactions == nil || !sys.Touches(w.t, i, w.z) {
				continue
			}
			r, frame := w.reactions[i], sys.ContactFrame(i)
			x := proof.Contact{Particle: j, Obstacle: k, Sigma: proof.Decimal(w.sigma[i]), Multiplier: proof.Decimal(r[0])}
			for a := range x.Reaction {
				x.Reaction[a] = proof.Decimal(r[0]*frame.N[a] + r[1]*frame.T[a] + r[2]*frame.O[a])
			}
			n.Contacts = append(n.Contacts, x)
		}
	}
}
