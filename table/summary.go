package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/memory"
)

// Status says how a run ended.
type Status string

const (
	Running     Status = "running"     // not ended, or killed
	Done        Status = "done"        // all steps solved
	Interrupted Status = "interrupted" // stopped from outside, files whole
	Failed      Status = "failed"      // a step was not solved
)

// Summary is the file summary.json. What only the model energetic has is left out by
// the others: there a zero would not mean none.
type Summary struct {
	Name         string         `json:"name"`
	Version      string         `json:"version"`
	CaseSHA256   string         `json:"case_sha256"`
	Status       Status         `json:"status"`
	Certified    bool           `json:"certified"`            // all steps done and every certificate passed
	Met          bool           `json:"met"`                  // all expectations met
	Message      string         `json:"message"`              // what went wrong first; empty if nothing did
	WallSeconds  float64        `json:"wall_seconds"`         // [s]
	Time         float64        `json:"time"`                 // reached [s]
	Until        float64        `json:"until"`                // wanted [s]
	Particles    int            `json:"particles,omitzero"`   // number
	Constrained  int            `json:"constrained,omitzero"` // of them with an obstacle
	Steps        int            `json:"steps"`                // done
	Resumed      int            `json:"resumed,omitzero"`     // step after which the run went on last; 0: it began here
	StepsPlanned int            `json:"steps_planned"`        // wanted
	Settled      float64        `json:"settled,omitzero"`     // way of the start to equilibrium [m]
	Solver       Solver         `json:"solver,omitzero"`
	Certificates Certificates   `json:"certificates,omitzero"`
	Chosen       *Chosen        `json:"chosen,omitempty"`    // steps of a case that names none
	Existence    *Existence     `json:"existence,omitempty"` // nil: not examined
	Jumps        []Jump         `json:"jumps,omitempty"`
	Global       []GlobalSearch `json:"global_stability,omitempty"` // of energies not known to be convex
	Levels       []Level        `json:"levels,omitempty"`           // of the continuation γ → 0
	Adaptive     *Adaptive      `json:"adaptive,omitempty"`         // nil: equal steps
	Expectations []Outcome      `json:"expectations"`
	// Facts is what the verdict says, with the numbers: the models', and one for each
	// expectation.
	Facts []Fact `json:"facts,omitempty"`
	// Section is what only the model has: a pointer to a struct whose keys stand beside
	// these. Of a summary that was read it is the text of the other keys.
	Section  any      `json:"-"`
	Motion   *Motion  `json:"motion,omitempty"`   // of the dynamic models
	Elastic  *Elastic `json:"elastic,omitempty"`  // of the model elastodynamic
	Memory   *Memory  `json:"memory,omitempty"`   // nil: not predicted
	Warnings []string `json:"warnings,omitempty"` // what does not touch the verdict
	// Files are the sums of the files as the run left them.
	Files []Sum `json:"files,omitempty"`
	// Audit is what diagnose of a dynamic model looked at, Unproved what the files of any
	// model cannot prove.
	Audit    []Audit  `json:"audit,omitempty"`
	Unproved []string `json:"unproved,omitempty"`
}

// Memory is what a run was predicted to take before it began, and what it took.
type Memory struct {
	Predicted int64         `json:"predicted"` // [byte], the sum of Parts
	Limit     int64         `json:"limit"`     // [byte]
	Peak      int64         `json:"peak"`      // largest resident set of the process [byte], garbage included; 0 before the end
	Parts     []memory.Part `json:"parts"`
}

// Audit is one property of the files of a run.
type Audit struct {
	Check   string  `json:"check"`
	Passed  bool    `json:"passed"`
	Count   int     `json:"count"`           // numbers looked at
	Size    float64 `json:"size"`            // of the worst one; where it failed, of the first
	Allowed float64 `json:"allowed"`         // there
	Unit    string  `json:"unit"`            // of both
	Place   string  `json:"place,omitempty"` // of the first violation
}

// Existence is the verdict of (N4) at the start: whether friction is small enough
// for a solution to exist.
type Existence struct {
	Verdict string `json:"verdict"` // holds, fails or undecided
	Detail  string `json:"detail"`
}

// Jump is a discontinuity of the evolution. The dissipation within it is not
// determined.
type Jump struct {
	From     float64   `json:"from"`     // bracket of its time [s]
	To       float64   `json:"to"`       // [s]
	Released float64   `json:"released"` // energy at fixed time [J]
	Distance float64   `json:"distance"` // of the states before and behind [m]
	Particle string    `json:"particle"` // that moved most
	Before   []float64 `json:"before"`   // its position [m]
	After    []float64 `json:"after"`    // [m]
}

// Level is one run of the continuation γ → 0.
type Level struct {
	Gamma      float64 `json:"gamma"`      // [N]
	Steps      int     `json:"steps"`      // shrink with gamma
	Difference float64 `json:"difference"` // largest distance to the level before [m]
	Rate       float64 `json:"rate"`       // observed order in γ, 0: not known
	Gap        float64 `json:"stability_gap"`
	Balance    float64 `json:"balance_residual"`
	Certified  bool    `json:"certified"`
}

// Adaptive tells what the step control did.
type Adaptive struct {
	Accepted     int `json:"accepted"`
	Rejected     int `json:"rejected"`
	Equilibrated int `json:"equilibrated"` // states settled before a shorter step
	Coarse       int `json:"coarse"`       // shortest steps that changed a normal force by γ/2 or more
}

// Solver sums up the cost of the steps.
type Solver struct {
	Solves   int     `json:"solves"`    // step problems, fixed-point iterations included
	Inner    int     `json:"inner"`     // iterations of the contact solver
	Factors  int     `json:"factors"`   // factorisations
	FellBack int     `json:"fell_back"` // steps whose implicit thresholds did not converge
	Residual float64 `json:"residual"`  // largest relative force residual [-]
}

// Certificates sums up what the run proves. Energies in J, forces in N.
type Certificates struct {
	Events           int     `json:"events"`
	StabilityGap     float64 `json:"stability_gap"`      // largest, with the true Ψ
	StepStabilityGap float64 `json:"step_stability_gap"` // largest, with the thresholds of the steps
	UpperEstimate    float64 `json:"upper_estimate"`     // smallest over the steps
	LowerEstimate    float64 `json:"lower_estimate"`     // smallest over the steps
	BalanceResidual  float64 `json:"balance_residual"`   // largest size
	ForceResidual    float64 `json:"force_residual"`     // largest
	Lipschitz        float64 `json:"lipschitz"`          // largest speed [m/s]
	Convex           bool    `json:"convex"`             // all gaps are bounds over all states
	EnergyScale      float64 `json:"energy_scale"`
	ForceScale       float64 `json:"force_scale"`
	Tolerance        float64 `json:"tolerance"` // of the verdict, relative
	Energy           float64 `json:"energy"`    // at the end
	Dissipation      float64 `json:"dissipation"`
	Work             float64 `json:"work"`
}

// Outcome is an expectation with what the run gave.
type Outcome struct {
	Label     string   `json:"label"`
	Quantity  string   `json:"quantity"`
	Value     *float64 `json:"value"` // nil: the run did not get there
	Want      *float64 `json:"want,omitempty"`
	Tolerance *float64 `json:"tolerance,omitempty"`
	Min       *float64 `json:"min,omitempty"`
	Max       *float64 `json:"max,omitempty"`
	Met       bool     `json:"met"`
	Observed  bool     `json:"observed,omitempty"` // looked at, not compared
}

// Chosen are the steps that a run found for its accuracy.
type Chosen struct {
	Steps    int     `json:"steps"`
	Runs     int     `json:"runs"` // that it took
	Accuracy float64 `json:"accuracy"`
	Accurate bool    `json:"accurate"`
}

// SetVerdict takes over the totals of a run, and the state at its end.
func (s *Summary) SetVerdict(v *energetic.Summary, end *energetic.Node) {
	s.Steps = v.Steps
	s.Certified = v.Certified
	s.Message = v.First
	if v.Remedy != "" {
		s.Message += "; " + v.Remedy
	}
	s.Solver = Solver{v.Solves, v.Inner, v.Factors, v.FellBack, v.MaxResidual}
	c := &s.Certificates
	*c = Certificates{Events: v.Events, StabilityGap: v.MaxGap, StepStabilityGap: v.MaxStepGap,
		UpperEstimate: v.MinUpper, LowerEstimate: v.MinLower, BalanceResidual: v.MaxBalance, ForceResidual: v.MaxForce,
		Lipschitz: v.MaxLipschitz, Convex: v.Convex, EnergyScale: v.EnergyScale, ForceScale: v.ForceScale, Tolerance: v.Tolerance}
	if v.Steps == 0 {
		c.UpperEstimate, c.LowerEstimate = 0, 0 // infinite: minima over nothing
	}
	if end != nil {
		s.Time = end.T
		c.Energy, c.Dissipation, c.Work = end.Energy, end.Dissipation, end.Work
	}
}

// finite replaces values that JSON cannot hold by the largest ones that it can, and
// those of expectations by nothing. A run that has such values failed.
func (s *Summary) finite() {
	for i := range s.Expectations {
		if v := s.Expectations[i].Value; v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			s.Expectations[i].Value = nil
		}
	}
	clampFloats(reflect.ValueOf(s).Elem())
}

// clampFloats makes all numbers within a value finite.
func clampFloats(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		switch x := v.Float(); {
		case !v.CanSet():
		case math.IsInf(x, -1):
			v.SetFloat(-math.MaxFloat64)
		case math.IsInf(x, 1), math.IsNaN(x):
			v.SetFloat(math.MaxFloat64)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			clampFloats(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			clampFloats(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			clampFloats(v.Index(i))
		}
	}
}

// Fail ends a run that is not done.
func (s *Summary) Fail(status Status, message string) {
	s.Status, s.Certified, s.Message = status, false, message
}

// Judge completes the facts by those of the steps planned and of the expectations, and
// draws the verdict from them.
func (s *Summary) Judge(planned int) {
	s.Met = true
	for i := range s.Expectations {
		if s.Expectations[i].Observed {
			continue
		}
		f := s.Expectations[i].fact()
		s.Facts = append(s.Facts, f)
		s.Met = s.Met && f.Passed
	}
	if s.Status != Done {
		s.Certified = false
		return
	}
	s.Certified = Holds(s.Facts, Solved) && Holds(s.Facts, Accurate)
	if s.Certified {
		s.Message = ""
		return
	}
	for _, word := range Words {
		for i := range s.Facts {
			if f := &s.Facts[i]; f.Word == word && !f.Passed {
				s.Message = fmt.Sprintf("not %s: %s", word, f)
				return
			}
		}
	}
}

// fact is the outcome as a line of the verdict.
func (o *Outcome) fact() Fact {
	f := Fact{Word: Expected, Name: o.Label, Passed: o.Met, Basis: Computed}
	if o.Value == nil {
		f.Place = "not reached"
		return f
	}
	switch f.Value = *o.Value; {
	case o.Want != nil:
		f.Name, f.Value, f.Limit = fmt.Sprintf("%s, off %.10g", o.Label, *o.Want), math.Abs(*o.Value-*o.Want), *o.Tolerance
	case o.Max != nil:
		f.Limit = *o.Max
	case o.Min != nil:
		f.Name, f.Value, f.Limit = "−"+o.Label, -*o.Value, -*o.Min
	}
	return f
}

// JSON returns the text of the file.
func (s *Summary) JSON() ([]byte, error) {
	s.finite()
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("table: summary: %w", err)
	}
	if s.Section != nil {
		section, err := json.MarshalIndent(s.Section, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("table: summary: %w", err)
		}
		if len(section) > len("{}") {
			text = append(append(bytes.TrimSuffix(text, []byte("\n}")), ','), section[1:]...)
		}
	}
	return append(text, '\n'), nil
}

// UnmarshalJSON reads the file; what it has beside the keys of all models is the section.
func (s *Summary) UnmarshalJSON(text []byte) error {
	type plain Summary
	if err := json.Unmarshal(text, (*plain)(s)); err != nil {
		return err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	t := reflect.TypeFor[Summary]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		delete(all, name)
	}
	rest, err := json.Marshal(all)
	s.Section = json.RawMessage(rest)
	return err
}

// Read decodes the section of a summary that was read.
func (s *Summary) Read(section any) error {
	text, err := json.Marshal(s.Section)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, section)
}

// Write puts the summary into a run folder. It replaces the file as a whole.
func (s *Summary) Write(dir string) error {
	text, err := s.JSON()
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, SummaryFile), text)
}
