package study

import (
	"context"
	"encoding/json"
)

// Runner computes one run of an expanded case. It must be safe for concurrent use.
type Runner interface {
	// Run returns the outcome of a run, also of one that failed: an error says that there
	// is none, because the run was stopped by ctx or the files gave out. The case is
	// wrong: that is an outcome, of [Refused].
	Run(ctx context.Context, j *Job) (*Outcome, error)
}

// Job is what a worker is given.
type Job struct {
	ID      string
	Text    []byte            // the expanded case
	Base    string            // name of the base case's file: its folder holds what the case refers to
	Observe []json.RawMessage // of the study
	Keep    Keep
	Level   *Level // of a convergence study, whose result goes to Outcome.Files; nil: a run

	// From is the checkpoint to go on from; nil: begin anew. Save keeps a checkpoint, at a
	// cadence that the runner chooses; nil: nobody can.
	From []byte
	Save func(checkpoint []byte) error
}

// Verdict says how a run ended.
type Verdict string

// The verdicts.
const (
	Certified Verdict = "certified" // solved and accurate
	Solved    Verdict = "solved"    // all steps, not accurate
	Failed    Verdict = "failed"    // a step was not solved
	Refused   Verdict = "refused"   // the case is wrong
	Lost      Verdict = "lost"      // given up after several tries

	// Withdrawn is no verdict of a run: the record of the run before it is not believed any more.
	Withdrawn Verdict = "withdrawn"
)

// The words of assemblies, see package assembly: each but the last has its proof.
const (
	Stands    Verdict = "stands"
	Depends   Verdict = "depends"
	Falls     Verdict = "falls"
	Undecided Verdict = "open"
)

// verdicts are those that runs end with, in the order in which they are told.
var verdicts = []Verdict{Certified, Stands, Depends, Falls, Undecided, Solved, Failed, Refused, Lost}

// proven reports whether a verdict says what is true of the case.
func (v Verdict) proven() bool {
	return v == Certified || v == Stands || v == Depends || v == Falls
}

// Outcome is what is kept of a run. Nothing in it depends on clocks or on the machine.
type Outcome struct {
	Verdict  Verdict    `json:"verdict"`
	Met      bool       `json:"met"`                // all expectations
	Message  string     `json:"message,omitempty"`  // what went wrong first
	Observed []*float64 `json:"observed,omitempty"` // one for each of Job.Observe; nil: the run did not get there
	Steps    int        `json:"steps"`              // made
	Solves   int        `json:"solves,omitempty"`   // contact problems
	Files    []byte     `json:"-"`                  // what Keep asks for: summary.json, or a tar of the folder
}

// Record is the outcome of the run with an id.
type Record struct {
	ID      string `json:"id"`
	Observe string `json:"observe"` // hash of the quantities observed
	Version string `json:"version"` // of the program that made the run
	// Processor is how that program rounds, as in summary.json; "": each operation.
	Processor string `json:"processor,omitempty"`
	// Worker is the key of the worker that made the run; "": the process of the study itself.
	Worker string `json:"worker,omitempty"`
	// From is the key of the worker from whose checkpoint it went on; "": its own, or none.
	From string `json:"from,omitempty"`
	Outcome
}

// failed reports whether another try might help: not where the case is wrong.
func (r *Record) failed() bool { return r.Verdict == Failed || r.Verdict == Lost }
