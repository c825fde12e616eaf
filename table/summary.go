package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"

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

// Summary is the file summary.json: what runs of all models have, and a section of each.
type Summary struct {
	Name         string    `json:"name"`
	Version      string    `json:"version"`
	Processor    string    `json:"processor,omitempty"` // kind of the processor: digits are those of its kind
	CaseSHA256   string    `json:"case_sha256"`
	Status       Status    `json:"status"`
	Certified    bool      `json:"certified"`        // all steps done and every certificate passed
	Met          bool      `json:"met"`              // all expectations met
	Message      string    `json:"message"`          // what went wrong first; empty if nothing did
	WallSeconds  float64   `json:"wall_seconds"`     // [s]
	Time         float64   `json:"time"`             // reached [s]
	Until        float64   `json:"until"`            // wanted [s]
	Steps        int       `json:"steps"`            // done
	Resumed      int       `json:"resumed,omitzero"` // step after which the run went on last; 0: it began here
	StepsPlanned int       `json:"steps_planned"`    // wanted
	Expectations []Outcome `json:"expectations"`
	// Facts is what the verdict says, with the numbers: the models', and one for each
	// expectation.
	Facts []Fact `json:"facts,omitempty"`
	// Section is what only the model has: a pointer to a struct whose keys stand beside
	// these. Of a summary that was read it is the text of the other keys.
	Section  any      `json:"-"`
	Memory   *Memory  `json:"memory,omitempty"`   // nil: not predicted
	Notes    []string `json:"notes,omitempty"`    // what the case declares and has no effect
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

// Outcome is an expectation with what the run gave.
type Outcome struct {
	Label     string   `json:"label"`
	Quantity  string   `json:"quantity"`
	Value     *float64 `json:"value"` // nil: the run did not get there
	Want      *float64 `json:"want,omitempty"`
	Tolerance *float64 `json:"tolerance,omitempty"`
	Min       *float64 `json:"min,omitempty"`
	Max       *float64 `json:"max,omitempty"`
	Within    float64  `json:"within,omitempty"` // by what the value may be off, of a time of an event, or of a force of steps
	At        *float64 `json:"at,omitempty"`     // when the least or largest value was met, of a bound on all times [s]
	Met       bool     `json:"met"`
	Observed  bool     `json:"observed,omitempty"` // looked at, not compared
}

// Blur says by what the value may be off, if that is more than is known: what it wants is met where all values that it
// may have do.
func (o *Outcome) Blur(within float64) {
	if !(within > o.Within) || o.Observed || o.Value == nil {
		return
	}
	o.Within = within
	o.Met = o.Met && o.meets(within)
}

// meets reports whether the value meets what it wants by a margin.
func (o *Outcome) meets(margin float64) bool {
	return o.Value != nil && (o.Want == nil || math.Abs(*o.Value-*o.Want)+margin <= *o.Tolerance) &&
		(o.Max == nil || *o.Value+margin <= *o.Max) && (o.Min == nil || *o.Value-margin >= *o.Min)
}

// Undecided reports whether some of the values that it may have meet what it wants, and others do not.
func (o *Outcome) Undecided() bool { return !o.Met && o.Within > 0 && o.meets(-o.Within) }

// Margin is how far the value is from where it begins to meet what it wants, or ceases to.
func (o *Outcome) Margin() float64 {
	margin := math.Inf(1)
	if o.Want != nil {
		margin = math.Abs(math.Abs(*o.Value-*o.Want) - *o.Tolerance)
	}
	for _, bound := range []*float64{o.Min, o.Max} {
		if bound != nil {
			margin = min(margin, math.Abs(*o.Value-*bound))
		}
	}
	return margin
}

// Found is the value, with what it may be off by.
func (o *Outcome) Found() string {
	switch {
	case o.Value == nil:
		return "not reached"
	case o.Within > 0 && o.At != nil:
		return fmt.Sprintf("%.10g ± %.2g at t = %.6g s", *o.Value, o.Within, *o.At)
	case o.Within > 0:
		return fmt.Sprintf("%.10g ± %.2g", *o.Value, o.Within)
	case o.At != nil:
		return fmt.Sprintf("%.10g at t = %.6g s", *o.Value, *o.At)
	}
	return fmt.Sprintf("%.10g", *o.Value)
}

// Wanted is what was expected; least and most stand before bounds, "" if nothing was.
func (o *Outcome) Wanted(least, most string) string {
	var parts []string
	if o.Want != nil && o.Tolerance != nil {
		parts = append(parts, fmt.Sprintf("%.10g ± %.2g", *o.Want, *o.Tolerance))
	}
	if o.Min != nil {
		parts = append(parts, fmt.Sprintf("%s %g", least, *o.Min))
	}
	if o.Max != nil {
		parts = append(parts, fmt.Sprintf("%s %g", most, *o.Max))
	}
	return strings.Join(parts, ", ")
}

// Chosen are the steps that a run found for its accuracy.
type Chosen struct {
	Steps    int     `json:"steps"`
	Runs     int     `json:"runs"` // that it took
	Accuracy float64 `json:"accuracy"`
	Accurate bool    `json:"accurate"`
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
	for _, word := range words {
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
	f := Fact{Word: Expected, Name: o.Label, Passed: o.Met, Basis: Computed, Within: o.Within}
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
	delete(all, sealKey)
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

// short is the time of a run that is made again sooner than it is known to be on a disk [s].
const short = 1

// Write puts the summary into a run folder, with its seal. It replaces the file as a whole; that of
// a run that has ended is on the disk then, unless it was short.
func (s *Summary) Write(dir string) error {
	text, err := s.JSON()
	if err != nil {
		return err
	}
	durable := s.Status != Running && s.WallSeconds >= short
	if durable { // what it is about is there before it
		names := []string{CaseFile}
		for i := range s.Files {
			if name := s.Files[i].File; name != vtuFolder(VTU.File()) && filepath.IsLocal(name) {
				names = append(names, name)
			}
		}
		if err := cmp.Or(syncFiles(dir, names...), syncNames(dir)); err != nil {
			return err
		}
	}
	return putText(filepath.Join(dir, SummaryFile), durable, sealed(text))
}
