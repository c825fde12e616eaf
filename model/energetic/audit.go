package energetic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// diagnosis certifies a trajectory read from a file.
type diagnosis struct {
	*Run
	file    string
	dir     string // of the run; empty: the trajectory was made elsewhere
	cert    *energetic.Certifier
	files   *companions    // of the run; nil: none
	stated  *table.Summary // that the run left; nil: none
	again   bool           // the run is made again after this
	thinned bool           // the run wrote every n-th node only
	lowered bool           // a height that may be one was taken for none
	differs error          // how the other files or the nodes first differ from the trajectory's
	planned *nodesPlanned  // nil: a trajectory made elsewhere, or steps that the run chose
	expect  *casefile.Evaluator
	out     *run.Output
	summary table.Summary
	known   bool               // the run left sums of its files …
	damage  *table.DamageError // … which are others; nil: they are not
	z       []float64
	before  []float64           // that of the node before
	x       []float64           // its places, where bodies are linearised anew
	jumps   []particleview.Jump // of the run that are ahead, where they are resolved
	// following goes with a trajectory of global minimisers; nil: it is none.
	following *global.Evolution
	proving   bool // nodes are kept, for WriteProof
	witnesses []witness
	longest   float64 // step of a trajectory from elsewhere that was no jump [m]
}

// Diagnose certifies a trajectory, one's own or one made elsewhere, node by node without
// solving it again. The error is one of the file; what is wrong with the trajectory goes to
// the summary.
func (c *Case) Diagnose(ctx context.Context, from run.Source) (run.Diagnosis, error) {
	d, err := c.diagnose(ctx, from, false)
	if err != nil || d.summary.Certified || !d.lowered && !d.cert.Lowered() {
		return d, err
	}
	// Heights that are nearly none: either is right, and what the other files say decides.
	other, err := c.diagnose(ctx, from, true)
	solved := func(d *diagnosis) bool { return table.Holds(d.summary.Facts, table.Solved) }
	if err == nil && (other.summary.Certified || solved(other) && !solved(d)) {
		return other, nil
	}
	return d, nil
}

// diagnose certifies files; where close, with [energetic.Options] Close.
func (c *Case) diagnose(ctx context.Context, from run.Source, close bool) (*diagnosis, error) {
	l := *c
	if l.Options.Close = close; from.Tolerance != nil {
		l.Options.Tolerance = *from.Tolerance
	}
	d := &diagnosis{Run: &Run{c: &l, global: newGlobalTest(&l), sum: particleview.Section{Particles: l.Psi.System.N()}},
		file: from.File, dir: from.Dir, stated: from.Summary, again: from.Again(), thinned: c.plan.Every > 1 && from.Dir != ""}
	if d.dir != "" {
		d.file = filepath.Join(d.dir, table.TrajectoryFile)
	}
	if d.dir != "" {
		var err error
		if d.known, d.damage, err = run.Damage(ctx, run.Folder(&c.plan, d.dir)); err != nil {
			return nil, err
		}
	}
	d.proving = from.Proof != ""
	return d, d.certify(ctx)
}

// certify reads and certifies node by node.
func (d *diagnosis) certify(ctx context.Context) error {
	began := time.Now()
	f, err := d.open()
	if err != nil {
		return err
	}
	defer f.Close() // read only: nothing can be lost
	r, err := table.NewReader(f, d.file, d.c.IDs)
	if err != nil {
		return err
	}
	c := d.c
	c.Options.Foreign, c.Options.Thinned, c.Options.Walk = d.dir == "", d.thinned, d.dir != "" && c.Walks()
	if c.Options.Walk {
		w := &eventWalk{c: c, z: slices.Clone(c.Z0)}
		if err = w.equilibrate(ctx); err == nil {
			c.Options.Curved, err = w.c.curves(ctx)
		}
		if err != nil {
			return err
		}
	}
	if d.cert, err = energetic.NewCertifier(c.Psi, c.Options); err != nil {
		return err
	}
	if !d.thinned {
		d.tube, d.limit = c.newTube(), d.cert.WayLimit
	}
	if d.dir != "" {
		if d.files, err = openCompanions(run.Folder(&c.plan, d.dir), c, d.thinned); err != nil {
			return err
		}
		defer d.files.close()
		if c.Adaptive == nil && !c.Chosen && c.Gammas == nil && !c.Walks() {
			d.planned = &nodesPlanned{time: c.Time, steps: c.plan.Steps, every: max(1, c.plan.Every)}
		}
	}
	if !d.thinned {
		if err := d.startBeside(ctx, nil); err != nil {
			return err
		}
	}
	d.z = make([]float64, 3*c.Psi.System.N())
	d.expect = casefile.NewEvaluator(c.plan.Expect, c.plan.Until)
	d.out = &run.Output{Tables: table.Discard(c.plan.Layout)}
	d.summary = table.Summary{Name: c.file.Name, Version: run.Version(), CaseSHA256: c.file.SHA256, Status: table.Done,
		Until: c.plan.Until, StepsPlanned: c.plan.Steps, Notes: c.plan.Notes,
		Expectations: []table.Outcome{}, Facts: []table.Fact{}}
	for k := 0; ; k++ {
		t, x, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		err = d.node(ctx, k, t, x)
		if ctx.Err() != nil {
			d.summary.Fail(table.Interrupted, fmt.Sprintf("stopped at node %d, at t=%g", k, t))
			break
		}
		if err != nil {
			d.summary.Fail(table.Failed, fmt.Sprintf("node %d, t=%g: %v", k, t, err))
			break
		}
	}
	if d.differs == nil && d.files != nil && d.last != nil && d.summary.Status == table.Done {
		d.differs = d.files.end(d.last.T)
	}
	if d.sum.Global, _, err = d.global.search(ctx, d.cert.Summary().EnergyScale); err != nil {
		return err
	}
	err = d.prove(ctx)
	switch {
	case ctx.Err() != nil && d.summary.Status == table.Done:
		return context.Cause(ctx) // all nodes were judged, the proof was not made
	case ctx.Err() == nil && err != nil && d.differs == nil:
		d.differs = err
	}
	err = d.conclude(ctx)
	d.summary.WallSeconds = time.Since(began).Seconds()
	return err
}

// open opens the trajectory as CSV, whatever its format.
func (d *diagnosis) open() (io.ReadCloser, error) {
	if d.dir == "" {
		return regular.Open(d.file)
	}
	return run.Folder(&d.c.plan, d.dir).Open(table.TrajectoryFile)
}

// node certifies a node; an error ends the diagnosis.
func (d *diagnosis) node(ctx context.Context, k int, t float64, x []float64) error {
	if err := d.relinearise(ctx, t, x); err != nil {
		return err
	}
	sys := d.c.Psi.System
	d.before = append(d.before[:0], d.z...)
	if d.c.Options.Close {
		particleview.ToLocalClose(t, d.z, sys, x)
	} else if particleview.ToLocal(t, d.z, sys, x) {
		d.lowered = true
	}
	if k > 0 {
		sys.Unwind(d.z, d.before)
		particleview.Stay(d.z, d.before, sys, x)
	}
	var err error
	if k == 0 {
		if err = d.start(t, x); err == nil {
			err = d.cert.Begin(ctx, t, d.z)
		}
		if err == nil {
			err = d.cert.Unstable()
		}
	} else {
		err = d.cert.Observe(ctx, t, d.z)
	}
	if k == 0 && err == nil && d.c.Walks() {
		d.walk, err = newEventWalk(ctx, d.c)
		if _, lost := errors.AsType[*events.LossError](err); lost && d.c.UntilLoss {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	if d.differs == nil && d.planned != nil {
		d.differs = d.planned.observe(t, d.c.plan.Until)
	}
	d.last = d.cert.Node()
	if d.Run.follow(ctx, d.last); ctx.Err() != nil {
		return context.Cause(ctx) // no checkpoint waits for the end of the step
	}
	if d.tube != nil {
		d.tube.Observe(d.last.T, d.last.Z)
	}
	if d.proving {
		d.keep(d.last)
	}
	if d.walk != nil {
		d.followWalk(ctx)
	}
	if err := d.stretch(ctx, k); err != nil {
		return err
	}
	if d.differs == nil && d.files != nil {
		d.differs = d.files.compare(d.cert, d.last, d.walk)
	}
	if err := d.Row(k, d.out); err != nil {
		return err
	}
	run.Evaluate(d.expect, d.Run)
	return nil
}

// start checks that the trajectory begins where the case does.
func (d *diagnosis) start(t float64, x []float64) error {
	if t != 0 {
		return fmt.Errorf("the trajectory begins at t=%g, want 0", t)
	}
	if d.c.Options.Equilibrate {
		return nil // the case leaves the start open
	}
	if i, off := misplaced(x, d.c.At); i >= 0 {
		return fmt.Errorf("particle %q starts %g m from where the case has it", d.c.IDs[i/3], off)
	}
	return nil
}

// conclude fills the summary.
func (d *diagnosis) conclude(ctx context.Context) error {
	s := &d.summary
	d.verdict, d.measures = d.cert.Summary(), d.cert.Measures()
	if d.stretches != nil {
		d.stretches.judge(d.Run)
	}
	s.Section = d.Section()
	s.Steps = d.verdict.Steps
	if d.last != nil {
		s.Time = d.last.T
	}
	s.Expectations = d.expect.Outcomes(s.Status == table.Done)
	_, rows := errors.AsType[*rowsError](d.differs)
	differs := func() {
		if d.differs != nil {
			s.Facts = append(s.Facts, table.No(table.Solved, d.differs.Error(), table.Computed))
		}
	}
	if rows { // what else is found follows from it
		differs()
	}
	if err := d.ends(ctx); err != nil {
		return err
	}
	if d.thinned && d.last != nil {
		s.Facts = append(s.Facts, d.thinnedVerdict()...)
	} else {
		s.Facts = append(s.Facts, d.Verdict()...)
	}
	if !rows {
		differs()
	}
	d.compareSummary()
	if d.known {
		f := table.Fact{Word: table.Solved, Name: run.SameFiles, Passed: d.damage == nil, Basis: table.Proven}
		if d.damage != nil {
			f.Value, f.Place = 1, d.damage.Error()
		}
		s.Facts = append(s.Facts, f)
	}
	table.Accept(s.Facts, d.c.plan.Accept)
	s.Judge(s.StepsPlanned)
	return nil
}

// Result is the verdict.
func (d *diagnosis) Result() *table.Summary { return &d.summary }

// Print returns the verdict as text.
func (d *diagnosis) Print() string {
	s := &d.summary
	p := run.NewPage(s, d.out)
	p.Title(d.c.file)
	p.Line("diagnosed", "%s: t = 0 … %g s of %g s, %d steps", d.file, s.Time, s.Until, s.Steps)
	p.Events()
	if d.last != nil {
		reportCertificates(p, &d.sum, d.curved())
	}
	reportSearches(p, d.sum.Global, "")
	reportGlobally(p, d.sum.Globally)
	p.Expectations(s.Expectations)
	p.List("not shown", s.Unproved)
	p.Verdict()
	return p.String()
}
