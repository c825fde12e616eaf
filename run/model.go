package run

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/table"
)

// Model is a kind of case: a value of the key "model".
type Model struct {
	Name   string
	Title  string // of the help, in one line
	Schema []byte // its part of the case format, see [casefile.Definition]
	// Build makes a case of the model ready to run. An error is a [*casefile.Error] that
	// lists all faults found, or that of ctx.
	Build func(ctx context.Context, c *casefile.Case) (Case, error)
}

// Build makes a case of a model ready to run. An error is a [*casefile.Error], or that of ctx.
func Build(ctx context.Context, c *casefile.Case, m *Model) (built Case, err error) {
	if ctx.Err() == nil {
		built, err = m.Build(ctx, c)
	}
	if err == nil && built != nil {
		err = refer(ctx, c, built.Plan())
	}
	if ctx.Err() != nil && (built == nil || err != nil) { // faults of a case that was not read to its end are none
		return nil, fmt.Errorf("%s: %w", c.File, context.Cause(ctx))
	}
	return built, err
}

// Case is a case made ready to run.
type Case interface {
	Plan() *Plan
	// Start returns the run at t = 0 or, with the state that [Run.Save] gave, at a
	// checkpoint. With an error the run, if it is not nil, says what was tried.
	Start(ctx context.Context, from Decoder) (Run, error)
}

// Weighed is a [Case] of bodies that have masses.
type Weighed interface {
	// PrintMasses prints what the bodies weigh, where and about what, as the model has it.
	PrintMasses(p *Page)
}

// Decoder holds the state of a run; nil: there is none.
type Decoder interface {
	Decode(state any) error
}

// Plan is what all cases have.
type Plan struct {
	Until    float64 // end [s]
	Steps    int     // planned; the least number, if Adaptive
	Adaptive bool    // the run chooses its steps
	Accuracy float64 // of the verdict, relative
	// Course is what the signals of the case ask of the nodes, see [Plan.Resolve].
	Course signal.Course
	// OnProgress is told what the run does, often enough to be shown; nil: nobody.
	OnProgress func(Progress)
	// Accept are the subjects that the verdict may leave unsaid, see [table.Unsaid].
	Accept []string
	// Foreseen are facts of the verdict that are known before a run, as of elements that are too stiff.
	Foreseen []table.Fact
	// Notes say what the case declares and has no effect, or another one than its words, as steps
	// that are cut; more may come while the run is made ready.
	Notes  []string
	Every  int // write every n-th row
	Format table.Format
	Layout *table.Layout
	Expect []casefile.Expectation
	// References are drawn in the page: what columns should be.
	References []casefile.Reference
	Need       memory.Estimate // what a run takes, by parts; none: not predicted
	Limit      memory.Limit
	Files      []string // that the case names, relative to it
	// Subject stands before the names in the list of events that is printed: "node ".
	Subject string

	grid  *signal.Grid // nil: equal steps, whatever the signals do
	group int          // of the grid
}

// NewPlan returns the plan of a document whose parts and signals are read, in a number of steps;
// what depends on the model is left to be set. What is declared and was not looked up until then
// is a fault, or a note.
func NewPlan(b *casefile.Builder, d *casefile.Document, steps int) Plan {
	b.Idle(d.Until)
	return Plan{Notes: b.Notes, Until: d.Until, Steps: steps, Accuracy: b.Accuracy(d), Accept: d.Accept,
		Every: d.Output.Rows(), Format: d.Output.Files(), Files: b.Files, Limit: b.Limit}
}

// Run is a run of a case at a time.
type Run interface {
	State
	Recorder
	Witness
}

// State is the present state.
type State interface {
	Time() float64 // of the present state [s]
	// Energy is the size of all that the balance of energies adds up [J]; 0: there is
	// none. A run whose energies are not finite has failed.
	Energy() float64
	// Save returns the state, which package gob encodes, with all that the rest of the
	// run and its verdict depend on.
	Save() any
}

// Recorder writes the present state.
type Recorder interface {
	// Row writes row k, the state after step k, 0 being the start, and takes it into
	// the totals of the run. An error is one of the files.
	Row(k int, out *Output) error
	// Value returns an expected quantity at the present state, after its row.
	Value(x *casefile.Expectation) float64
}

// Witness says what the run so far is worth.
type Witness interface {
	Verdict() []table.Fact
	// Section is the model's part of summary.json: an object whose keys are put beside
	// those of all models.
	Section() any
	// Report prints what was computed.
	Report(p *Page)
	Line() *Line // about the last step
}

// What follows may be implemented or not.

// Inner is a [Run] that knows states within its last step, as those before and after an impact.
type Inner interface {
	// Within gives each of them in the order of time, with what is expected of it as far as it is known.
	Within(observe func(t float64, value func(x *casefile.Expectation) (v float64, known bool)))
}

// Averager is a [Run] that knows what the values of its last step are.
type Averager interface {
	Averaged(x *casefile.Expectation) casefile.StepValue
}

// Rated is a [Run] that knows how fast values change at the present state.
type Rated interface {
	Rate(x *casefile.Expectation) (rate float64, known bool)
}

// Compared is a [Run] beside which another one goes, which tells what its motion is off by.
type Compared interface {
	// Beside has observe look at each state of that one, as the present one, with the share of the difference from
	// it that the run is off by.
	Beside(observe func(share float64))
}

// Stepper is a [Run] that is driven step by step. A run is a Stepper, or a [Marcher].
type Stepper interface {
	// Step makes the next step. What it returns ends the run, which then has failed, or
	// was stopped if ctx was.
	Step(ctx context.Context) error
}

// Step makes the next step of a run; a [Marcher] that is no [Stepper] has none.
func Step(ctx context.Context, r Run) error {
	s, ok := r.(Stepper)
	if !ok {
		return fmt.Errorf("run: %T makes its steps by itself", r)
	}
	return s.Step(ctx)
}

// Marcher is a [Run] that makes its own steps.
type Marcher interface {
	March(ctx context.Context, m *March) error
}

// Chooser is a [Run] of a plan with [Plan.Adaptive] steps that says when the last was made.
type Chooser interface {
	Done() bool
}

// Ender is a [Run] that may be done before the end of its plan, as where a case is about a loss of
// equilibrium. Of others that is a failure, whatever they say.
type Ender interface {
	End() float64 // [s]
}

// Doubter is a [Run] that knows what values may be off by that a case expects, as times of events.
type Doubter interface {
	// ValueWithin is that of an expectation; 0: not known.
	ValueWithin(x *casefile.Expectation) float64
}

// Mover is a [Run] of what has mass: the terminal says when all has come to rest.
type Mover interface {
	Kinetic() float64 // energy of the present state [J]
}

// Teller is a [Run] that says in plain words, a line each, what its changes of contact do not tell:
// jumps, a loss of equilibrium.
type Teller interface {
	Tell() []string
}

// Finisher is a [Run] that leaves more than tables, and looks at the run as a whole. Without
// a folder, "", it leaves nothing. An error is one of the files.
type Finisher interface {
	Finish(ctx context.Context, dir string, s *table.Summary) error
}

// Adviser is a [Run] that says what to do after a step failed.
type Adviser interface {
	Explain(err error) string
	Advise(p *Page, err error)
}

// Viewer is a [Case] with pictures of its own; others have plots of their tables.
type Viewer interface {
	Reader(dir string) report.Reader
}

// Checker is a [Case] that can be examined before it is run.
type Checker interface {
	Check(ctx context.Context) (Examination, error)
}

// Examination is what was found out about a case. Encoded as JSON it is an object.
type Examination interface {
	Print(p *Page)
	Objections() []string // what fails, or is undecided
}

// Examine examines a case within the memory of its plan.
func Examine(ctx context.Context, c Checker, p *Plan) (Examination, error) {
	defer memory.Within(p.Limit.Bytes, p.Need.Total())()
	return c.Check(ctx)
}

// Failing says what of the verdict is known to fail before a run.
func (p *Plan) Failing() (list []string) {
	for i := range p.Foreseen {
		if f := &p.Foreseen[i]; !f.Passed {
			list = append(list, "no run will be certified: "+f.String())
		}
	}
	return list
}

// Auditor is a [Case] that certifies a run from the files that it left.
type Auditor interface {
	Audit(ctx context.Context, a *Audit) error // the error is one of the files
}

// Diagnoser is a [Case] that certifies files in a way of its own, also such as were made
// elsewhere.
type Diagnoser interface {
	Diagnose(ctx context.Context, from Source) (Diagnosis, error)
}

// Refiner is a [Case] that can be run in other equal steps.
type Refiner interface {
	// Refined returns the case in a number of steps; 0 is that of the coarsest run of a
	// study.
	Refined(steps int) (Case, error)
}

// Levered is a [Case] whose scheme has other settings, by which the same steps may be more
// accurate.
type Levered interface {
	// Levers lists them, the most promising first.
	Levers() []Lever
}

// Lever is a case by another setting of its scheme.
type Lever struct {
	Name string // as a case says it: "\"alpha\": 0.5"
	Case Case
}

// Measured is a [Run] of a [Refiner]: what a study compares.
type Measured interface {
	Coordinates() []float64 // whose distance is taken, of all runs the same
	Measures() []Measure    // at the end
}

// Measure is a number of a run that falls as steps get shorter, or just a number.
type Measure struct {
	Key, Name, Unit string
	Value           float64
	Falls           bool // its order is observed, and it is drawn
}

// Converger is a [Case] with a convergence study of its own.
type Converger interface {
	// Convergence lists the runs of the study; 0 steps: the coarsest is as the model has it.
	Convergence(steps, levels int) (Convergence, error)
}

// Convergence are the runs of a convergence study, which know nothing of each other: any
// engine makes them, in any order, each from a case that was built for it.
type Convergence interface {
	Len() int
	// Name tells run i from the others: "200 steps".
	Name(i int) string
	// Case is what run i is a run of: its verdict is that of the run.
	Case(ctx context.Context, i int) (Case, error)
	// Level makes run i and returns what the study needs of it, coded by [EncodeLevel].
	Level(ctx context.Context, i int) ([]byte, error)
	// Study compares the runs, in their order.
	Study(levels [][]byte) (Study, error)
}

// Study is a convergence study. Encoded as JSON it is what convergence.json holds.
type Study interface {
	Plots() []*report.Plot // first what falls with the step; nil ones have nothing to show
	Print(p *Page)
}

// Grammar composes the case format of a list of models.
func Grammar(models []*Model) *casefile.Grammar {
	var parts []casefile.Definition
	for _, m := range models {
		parts = append(parts, casefile.Definition{Model: m.Name, Title: m.Title, Schema: m.Schema})
	}
	return casefile.NewGrammar(parts...)
}
