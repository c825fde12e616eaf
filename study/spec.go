package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/nearest"
)

// Spec is a study as its file says it.
type Spec struct {
	Name    string            // key name, or the file's name without ending
	Case    string            // built-in case or file, relative to that of the study
	Axes    []Axis            // vary and zip, in the order of the file
	Sample  *Sample           // nil: none
	Observe []json.RawMessage // quantities: names, or objects like those of expect without a value
	Keep    Keep
	Expect  bool    // the expectations of the base case hold for all runs; default true
	Refine  *Refine // nil: no refinement
	Tries   int     // times a run is given to a worker before it is given up; default DefaultTries

	source json.RawMessage // the text
}

// DefaultTries is how often a run is given to a worker, if the study does not say.
const DefaultTries = 10

// Keep says what is left of each run beside its row.
type Keep string

// The values of the key keep.
const (
	KeepNothing Keep = "nothing" // the row alone
	KeepSummary Keep = "summary" // its summary.json; the default
	KeepAll     Keep = "all"     // its whole folder
)

// Refine is a bisection of the boundary between verdicts along one path.
type Refine struct {
	Boundary string     `json:"boundary"` // verdict, or the label of an observed quantity
	Path     string     `json:"path"`     // of a number; default: the only axis of numbers
	Between  [2]float64 `json:"between"`  // values with different verdicts; default: the ends of the axis
	To       float64    `json:"to"`       // width at which to stop, in units of the number
	Level    float64    `json:"level"`    // of an observed quantity: the boundary is where it crosses this

	column int // of Boundary among the observed quantities
}

// ofVerdict reports whether the boundary is that of the verdicts; else it is that of a quantity.
func (r *Refine) ofVerdict() bool { return r.Boundary == "verdict" }

// document is the file, key by key.
type document struct {
	Name    string            `json:"name"`
	Case    string            `json:"case"`
	Vary    json.RawMessage   `json:"vary"`
	Zip     []json.RawMessage `json:"zip"`
	Sample  json.RawMessage   `json:"sample"`
	Observe []json.RawMessage `json:"observe"`
	Keep    Keep              `json:"keep"`
	Expect  *bool             `json:"expect"`
	Refine  *Refine           `json:"refine"`
	Tries   *int              `json:"tries"`
	Comment string            `json:"description"`
}

var documentKeys = []string{"name", "description", "case", "vary", "zip", "sample", "observe", "keep", "expect", "refine", "tries"}

// Load reads the file of a study.
func Load(file string) (*Spec, error) {
	data, err := casefile.ReadFile(file, 0)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	return Parse(file, data)
}

// Parse reads the text of a study; the file's name is for messages, and for the study's
// name if it has none.
func Parse(file string, data []byte) (*Spec, error) {
	s, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", file, err)
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if isName(s.Name) { // for who reads the copy in the folder of the study
			name, _ := json.Marshal(s.Name) // a string always can be
			s.source, err = casefile.Set(s.source, "name", name)
		}
	}
	return s, err
}

// isName reports whether a folder can have a name.
func isName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r == '\\' || !unicode.IsPrint(r) })
}

// Decode reads the text of a study. Errors name the JSON path, what was found and what
// is expected.
func Decode(data []byte) (*Spec, error) {
	entries, err := object(data, "$")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !slices.Contains(documentKeys, e.key) {
			return nil, unknownKey("$", e.key, documentKeys)
		}
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, readable(err)
	}
	s := &Spec{source: data, Name: d.Name, Case: d.Case, Observe: d.Observe, Keep: d.Keep, Expect: d.Expect == nil ||
		*d.Expect, Refine: d.Refine, Tries: DefaultTries}
	if d.Tries != nil {
		if s.Tries = *d.Tries; s.Tries < 1 {
			return nil, fmt.Errorf("$.tries: found %d, want at least 1", s.Tries)
		}
	}
	if s.Name != "" && !isName(s.Name) {
		return nil, fmt.Errorf("$.name: found %q, want a name that a folder can have", s.Name)
	}
	if s.Case == "" {
		return nil, fmt.Errorf("$.case: missing or empty, want a built-in case or a file")
	}
	switch s.Keep {
	case "":
		s.Keep = KeepSummary
	case KeepNothing, KeepSummary, KeepAll:
	default:
		return nil, fmt.Errorf("$.keep: found %q, want nothing, summary or all", s.Keep)
	}
	if s.Axes, err = axes(d.Vary, d.Zip); err != nil {
		return nil, err
	}
	if d.Sample != nil {
		if s.Sample, err = decodeSample(d.Sample); err != nil {
			return nil, err
		}
	}
	for i, o := range s.Observe {
		if err := checkObserved(o); err != nil {
			return nil, fmt.Errorf("$.observe[%d]: %w", i, err)
		}
	}
	if err := s.checkRefine(); err != nil {
		return nil, err
	}
	return s, s.checkPaths()
}

// checkObserved looks at what can be known without the case.
func checkObserved(raw json.RawMessage) error {
	if raw[0] == '"' || raw[0] == '{' {
		return nil
	}
	return fmt.Errorf("found %s, want the name of a quantity, or an object with the keys of an expectation", short(raw))
}

// checkPaths refuses two values for one place, however it is written, and a value for what
// lies over a place that an earlier axis has set.
func (s *Spec) checkPaths() error {
	var seen []casefile.Path
	paths := s.Paths()
	for _, text := range paths {
		p, err := casefile.ParsePath(text)
		if err != nil {
			return err
		}
		for i, q := range seen {
			switch {
			case len(p) > len(q) || !slices.Equal(p, q[:len(p)]):
			case len(p) == len(q):
				return fmt.Errorf("the path %q is given twice, want one axis for it", text)
			default:
				return fmt.Errorf("the path %q would undo %q, want it before it", text, paths[i])
			}
		}
		seen = append(seen, p)
	}
	return nil
}

// Paths are those of the parameters, in the order of columns.
func (s *Spec) Paths() []string {
	var list []string
	for i := range s.Axes {
		list = append(list, s.Axes[i].Paths...)
	}
	if s.Sample != nil {
		list = append(list, s.Sample.Paths...)
	}
	return list
}

// checkRefine fills in the defaults of the refinement.
func (s *Spec) checkRefine() error {
	r := s.Refine
	if r == nil {
		return nil
	}
	if r.Boundary == "" {
		r.Boundary = "verdict"
	}
	if !r.ofVerdict() {
		if r.column = slices.Index(s.Labels(), r.Boundary); r.column < 0 {
			observed := strings.Join(s.Labels(), ", ")
			if observed == "" {
				observed = fmt.Sprintf("none is; \"observe\": [%q]", r.Boundary)
			}
			return fmt.Errorf("$.refine.boundary: found %q, want verdict or an observed quantity: %s", r.Boundary, observed)
		}
	}
	if !(r.To > 0) {
		return fmt.Errorf("$.refine.to: found %g, want the width > 0 at which to stop", r.To)
	}
	var found *Axis
	for i := range s.Axes {
		a := &s.Axes[i]
		if len(a.Paths) == 1 && (r.Path == a.Paths[0] || r.Path == "" && a.numbers() != nil) {
			if found != nil {
				return fmt.Errorf("$.refine.path: missing, want one of the axes %q and %q", found.Paths[0], a.Paths[0])
			}
			found = a
		}
	}
	if found == nil || found.numbers() == nil {
		return s.noAxis(r.Path)
	}
	r.Path = found.Paths[0]
	values := found.numbers()
	if r.Between == [2]float64{} {
		r.Between = [2]float64{slices.Min(values), slices.Max(values)}
	}
	if !(r.Between[0] < r.Between[1]) {
		return fmt.Errorf("$.refine.between: found %v, want two numbers, the smaller one first", r.Between)
	}
	return nil
}

// noAxis says what the path of a refinement may be.
func (s *Spec) noAxis(path string) error {
	var list []string
	for i := range s.Axes {
		if s.Axes[i].numbers() != nil {
			list = append(list, s.Axes[i].Paths[0])
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("$.refine.path: found %q, want an axis of numbers; there is none", path)
	}
	return fmt.Errorf("$.refine.path: found %q, want the path of an axis of numbers%s", path, nearest.Hint(path, list))
}

// entry is one key of an object, in the order of the file.
type entry struct {
	key   string
	value json.RawMessage
}

// object reads an object without losing the order of its keys; twins are refused.
func object(raw json.RawMessage, at string) ([]entry, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	token, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("%s: broken JSON: %v", at, err)
	}
	if token != json.Delim('{') {
		return nil, fmt.Errorf("%s: found %s, want an object", at, short(raw))
	}
	var list []entry
	for dec.More() {
		token, err := dec.Token()
		key, ok := token.(string)
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil || !ok {
			return nil, fmt.Errorf("%s: broken JSON: %v", at, err)
		}
		if slices.ContainsFunc(list, func(e entry) bool { return e.key == key }) {
			return nil, fmt.Errorf("%s: the key %q occurs twice", at, key)
		}
		list = append(list, entry{key, value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%s: broken JSON: %v", at, err)
	}
	return list, nil
}

func unknownKey(at, key string, valid []string) error {
	if key == "model" {
		return fmt.Errorf("%s: a file with the key %q is a case, want a study, as {\"case\": \"FILE.json\", \"vary\": {\"friction.dry.mu\": {\"linspace\": [0.1, 0.9, 9]}}}",
			at, key)
	}
	if guess := nearest.Word(key, valid); guess != "" {
		return fmt.Errorf("%s: unknown key %q, the nearest valid one is %q", at, key, guess)
	}
	return fmt.Errorf("%s: unknown key %q, want one of %s", at, key, strings.Join(valid, ", "))
}

// readable words what encoding/json says of a type.
func readable(err error) error {
	if e, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Errorf("$.%s: found a JSON %s, want %s", e.Field, e.Value, kinds[e.Type.Kind()])
	}
	return fmt.Errorf("broken JSON: %v", err)
}

// kinds are those of values, as JSON names them.
var kinds = map[reflect.Kind]string{reflect.String: "a text", reflect.Slice: "a list", reflect.Bool: "true or false",
	reflect.Int: "a whole number", reflect.Float64: "a number", reflect.Array: "a list of numbers", reflect.Struct: "an object"}

// short is a value for messages.
func short(raw []byte) string {
	const longest = 60
	var line bytes.Buffer
	if json.Compact(&line, raw) == nil {
		raw = line.Bytes()
	}
	if r := []rune(string(raw)); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return string(raw)
}
