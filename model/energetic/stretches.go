package energetic

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// stretches judge an evolution with "solution": "viscous": the stretches between jumps by
// a certifier each, and the jumps by the paths that vanishing viscosity takes, whose
// dissipation closes (E). What is judged knows nothing of the scheme: a jump is from the
// state before it, and where its path ends the next stretch begins.
type stretches struct {
	c                 *Case
	cert              *energetic.Certifier
	energy0           float64
	dissipation, work float64 // of the stretches and jumps before the present one
	measures          []energetic.Measure
	states            []incremental.ContactState // at the row before …
	z                 []float64                  // … and its place
	rows              int                        // after the start
	since             int                        // rows since a state changed
	balance           float64                    // largest residual of (E) with the jumps [J]
	unsolved          string                     // which node is not the minimiser of its step
	gap               float64                    // largest of a step [J]
	total             energetic.Summary          // of the stretches before the present one
}

// stretchesState is their part of a checkpoint.
type stretchesState struct {
	Certifier                  energetic.CertifierCheckpoint
	Energy0, Dissipation, Work float64
	Measures                   []energetic.Measure
	States                     []incremental.ContactState
	Z                          []float64
	Rows, Since                int
	Balance, Gap               float64
	Unsolved                   string
	Total                      energetic.Summary
}

// save returns their part of a checkpoint.
func (s *stretches) save() *stretchesState {
	x := &stretchesState{Energy0: s.energy0, Dissipation: s.dissipation, Work: s.work, Measures: s.measures, States: s.states, Z: s.z,
		Rows: s.rows, Since: s.since, Balance: s.balance, Gap: s.gap, Unsolved: s.unsolved, Total: s.total}
	s.cert.Save(&x.Certifier)
	return x
}

// resumeStretches goes on with them.
func resumeStretches(c *Case, x *stretchesState) (*stretches, error) {
	s := &stretches{c: c, energy0: x.Energy0, dissipation: x.Dissipation, work: x.Work, measures: x.Measures, states: x.States, z: x.Z,
		rows: x.Rows, since: x.Since, balance: x.Balance, gap: x.Gap, unsolved: x.Unsolved, total: x.Total}
	var err error
	if s.cert, err = energetic.NewCertifier(c.Psi, c.Options); err != nil {
		return nil, err
	}
	return s, s.cert.Load(&x.Certifier)
}

// newStretches begins at the start of a run.
func newStretches(ctx context.Context, c *Case, n *energetic.Node) (*stretches, error) {
	s := &stretches{c: c, energy0: n.Energy, states: slices.Clone(n.States), z: slices.Clone(n.Z)}
	return s, s.begin(ctx, n.T, n.Z, n.Slipped)
}

// begin begins a stretch at a state at which contacts have slipped so far.
func (s *stretches) begin(ctx context.Context, t float64, z, slipped []float64) (err error) {
	last := s.cert
	psi := s.c.Psi.Own()
	psi.Remember(t, z, slipped)
	if s.cert, err = energetic.NewCertifier(psi, s.c.Options); err == nil {
		err = s.cert.Begin(ctx, t, z)
	}
	if err == nil && last != nil {
		s.cert.Inherit(last)
	}
	return err
}

// node takes a node that no jump leads to.
func (s *stretches) node(ctx context.Context, n *energetic.Node) error {
	return s.cert.Observe(ctx, n.T, n.Z)
}

// jump ends a stretch at its last node, follows the path from there at the time of the jump, and
// begins the next stretch where it ends, which it returns with what contacts have slipped until
// there: before the time of the next node. What moved smoothly since the last node is part of the
// path: an error of second order in the step.
func (s *stretches) jump(ctx context.Context, j *particleview.Jump, until float64) (end, slipped []float64, err error) {
	from := s.cert.Node().T
	before := slices.Clone(s.cert.Node().Z)
	path, err := s.follow(ctx, j, before, until)
	if err != nil {
		return nil, nil, err
	}
	s.end()
	sys := s.c.Psi.System
	early, _ := sys.Value(from, before)
	late, power := sys.Value(j.To, before)
	s.work += late - early
	s.dissipation += path.Friction + path.Viscous
	end = path.States[len(path.States)-1]
	_, behind := sys.Value(j.To, end)
	j.Path = &particleview.JumpPath{Arc: path.Arc[len(path.Arc)-1], Released: path.Released, Friction: path.Friction,
		Viscous: path.Viscous, Residual: path.Residual(),
		Timing: (j.To - j.From) * math.Abs(power-behind)}
	x := make([]float64, len(before))
	for k := 0; k < len(path.Arc); k += max(1, (len(path.Arc)-1)/pathPoints) {
		sys.ToGlobal(x, path.States[k])
		j.Path.Points = append(j.Path.Points, particleview.JumpPoint{Arc: path.Arc[k], Force: path.Force[k], State: slices.Clone(x)})
	}
	return end, path.Slipped, s.begin(ctx, j.To, end, path.Slipped)
}

// follow follows the path of a jump at the end of its bracket. Where that is so near to the fold
// that the path comes to rest before it, the bracket is made wider, up to the time of the next
// node.
func (s *stretches) follow(ctx context.Context, j *particleview.Jump, before []float64, until float64) (*global.JumpPath, error) {
	psi := s.c.Psi.Own()
	psi.Remember(s.cert.Node().T, before, s.cert.Node().Slipped)
	for {
		path, err := global.ResolveJump(ctx, psi, j.To, before, j.Distance, pathPart*s.c.plan.Accuracy)
		if err == nil || ctx.Err() != nil || !(j.To > j.From && j.To < until) {
			return path, err
		}
		j.To = min(j.To+(j.To-j.From), until)
	}
}

// pathPart is the error that a path may have of its price, over the accuracy asked for.
const pathPart = 1e-2

// pathPoints is the number of points of a path that are kept, about.
const pathPoints = 50

// end adds the present stretch to what is known.
func (s *stretches) end() {
	n := s.cert.Node()
	s.dissipation, s.work = s.dissipation+n.Dissipation, s.work+n.Work
	sum := s.cert.Summary()
	s.total = sum.After(&s.total)
	if s.gap = max(s.gap, sum.MaxStepGap); !sum.Solved && s.unsolved == "" {
		s.unsolved = sum.First
	}
	for _, m := range s.cert.Measures() {
		i := slices.IndexFunc(s.measures, func(o energetic.Measure) bool { return o.Name == m.Name })
		switch {
		case i < 0:
			s.measures = append(s.measures, m)
		case part(&m) > max(part(&s.measures[i]), roundingPart):
			s.measures[i] = m
		}
	}
}

// roundingPart: of measures that are all smaller parts of their limits, which are rounding, the
// first counts, so that a diagnosis takes the same.
const roundingPart = 1e-6

// part is a measure in parts of its limit.
func part(m *energetic.Measure) float64 {
	if m.Value == 0 {
		return 0
	}
	return m.Value / m.Limit
}

// priced returns a node with the energies of stretches and jumps, and with what the
// contacts do since the row before, whatever states it settled in between.
func (s *stretches) priced(n *energetic.Node) *energetic.Node {
	p, now := *n, s.cert.Node()
	p.Certificate = now.Certificate // of the step from the end of the path on, not through the jump
	p.Dissipation, p.Work = s.dissipation+now.Dissipation, s.work+now.Work
	p.Balance = p.Energy + p.Dissipation - s.energy0 - p.Work
	s.balance = max(s.balance, math.Abs(p.Balance))
	p.Before, p.States, p.Reactions = s.states, slices.Clone(n.States), now.Reactions // of several obstacles they depend on the way
	s.since++
	sys := s.c.Psi.System
	for c := range p.States {
		j := sys.ContactParticle(c)
		moved := !slices.Equal(n.Z[3*j:3*j+2], s.z[3*j:3*j+2])
		switch state := &p.States[c]; {
		case *state == incremental.Stick && moved:
			*state = incremental.Slip
		case *state == incremental.Slip && !moved:
			*state = incremental.Stick
		}
		if p.States[c] != p.Before[c] {
			s.since = 0
		}
	}
	p.SinceEvent = s.since
	s.rows++
	s.states, s.z = slices.Clone(p.States), slices.Clone(n.Z)
	return &p
}

// judge takes what is known of the stretches in place of what is known of a polygon through
// the jumps, and of the states in which they settle.
func (s *stretches) judge(r *Run) {
	s.end()
	r.measures = s.measures
	v := &r.verdict
	work := *v // of the solver
	*v = s.total
	v.Jumps, v.Tolerance, v.Steps = len(r.sum.Jumps), work.Tolerance, s.rows
	if !r.c.Global { // where no evolution went through the jumps there is none
		v.Solves, v.Inner, v.Factors, v.FellBack, v.MaxResidual = work.Solves, work.Inner, work.Factors, work.FellBack, work.MaxResidual
	}
	v.Solved, v.MaxStepGap, v.MaxBalance = s.unsolved == "", s.gap, s.balance
	v.EnergyScale, v.ForceScale, v.Loose = s.cert.Node().EnergyScale, s.cert.Node().ForceScale, s.cert.Node().Loose
	v.Accurate, v.First, v.Remedy = true, s.unsolved, ""
	for i := range r.measures {
		if m := &r.measures[i]; !m.Passed() {
			v.Accurate = false
			if v.First == "" {
				v.First = "not accurate: " + m.String()
			}
		}
	}
	v.Certified = v.Solved && v.Accurate
}

// jumpFacts says whether (E) closes through the jumps, and whether their time is known well
// enough: d/dt of what is released between two states is ∂_tE of the one less that of the
// other, so that a bracket of the length w leaves w|Δ∂_tE| open.
func (r *Run) jumpFacts() []table.Fact {
	switch {
	case !r.c.resolves() || len(r.sum.Jumps) == 0:
		return nil
	case r.c.Global:
		f := r.worstJump("jumps: what (E) lacks after friction on their way", "",
			func(p *particleview.JumpPath) float64 { return math.Abs(p.Residual) })
		if !f.Passed {
			f.Remedy = "\"solution\": \"viscous\": the state before ends before another one is worth the way, and no global minimisers go on with (E)"
		}
		return []table.Fact{f}
	}
	return []table.Fact{
		r.worstJump("jumps: what (E) lacks after friction and vanishing viscosity on their paths", "",
			func(p *particleview.JumpPath) float64 { return math.Abs(p.Residual) }),
		r.worstJump("jumps: what the bracket of their time leaves open of the energy released",
			"shorter steps, of which the bracket is a part", func(p *particleview.JumpPath) float64 { return p.Timing }),
	}
}

// worstJump is the fact of the jump that has most of a value, in parts of its price; of the
// margin of global minimisers nothing is claimed.
func (r *Run) worstJump(name, remedy string, value func(*particleview.JumpPath) float64) table.Fact {
	worst := table.AtMost(table.Accurate, name, 0, 0, "J", table.Computed)
	margin := 0.0
	if r.globals != nil {
		margin = r.globals.Margin
	}
	for i := range r.sum.Jumps {
		if p := r.sum.Jumps[i].Path; p != nil {
			f := table.AtMost(table.Accurate, name, value(p), r.c.plan.Accuracy*(p.Friction+p.Viscous)+margin, "J", table.Computed)
			if worst.Limit == 0 || f.Value*worst.Limit > worst.Value*f.Limit {
				worst = f
			}
		}
	}
	if !worst.Passed {
		worst.Remedy = remedy
	}
	return worst
}

// stretch takes node k of a diagnosis: where the run says that it jumped, the path is
// followed again from the node before.
func (d *diagnosis) stretch(ctx context.Context, k int) (err error) {
	switch {
	case d.c.Global:
		return d.globally(ctx, k)
	case !d.c.Viscous:
		return nil
	}
	if k == 0 {
		if s, err := table.ReadSummary(d.dir); d.dir != "" && err == nil {
			var x particleview.Section
			if s.Read(&x) == nil {
				d.jumps = x.Jumps
			}
		}
		d.stretches, err = newStretches(ctx, d.c, d.last)
		return err
	}
	if d.dir == "" {
		d.surge()
	}
	for err == nil && len(d.jumps) > 0 && d.jumps[0].To <= d.last.T {
		j := d.jumps[0]
		d.jumps = d.jumps[1:]
		if _, _, err = d.stretches.jump(ctx, &j, d.last.T); err == nil {
			d.sum.Jumps = append(d.sum.Jumps, j)
		} else if d.dir == "" { // nothing pulls: it was no jump
			err = nil
		}
	}
	if err == nil {
		err = d.stretches.node(ctx, d.last)
	}
	d.last = d.stretches.priced(d.last)
	return err
}

// surging: a step of a trajectory from elsewhere that is longer than all before by this
// factor may be a jump. If it is none, the path of vanishing viscosity leads to the node
// all the same.
const surging = 10

// surge notes a jump where the last step surged.
func (d *diagnosis) surge() {
	n := d.stretches.cert.Node()
	far := 0.0
	for i, z := range d.last.Z {
		far += (z - n.Z[i]) * (z - n.Z[i])
	}
	if far = math.Sqrt(far); far > surging*d.longest {
		d.jumps = []particleview.Jump{{From: n.T, To: d.last.T, Distance: far}}
	} else {
		d.longest = max(d.longest, far)
	}
}
