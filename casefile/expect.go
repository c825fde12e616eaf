package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ExpectDocument is a line of the key expect, of any model.
type ExpectDocument struct {
	Quantity  string   `json:"quantity"`
	Particle  *string  `json:"particle"`
	Obstacle  *string  `json:"obstacle"`
	Body      *string  `json:"body"`
	Group     *string  `json:"group"`
	Other     *string  `json:"other"`
	Joint     *string  `json:"joint"`
	Spring    *string  `json:"spring"`
	Node      *float64 `json:"node"`
	Axis      *string  `json:"axis"`
	Element   *float64 `json:"element"`
	From      *float64 `json:"from"`
	Time      *float64 `json:"time"`
	Value     *float64 `json:"value"`
	Tolerance *float64 `json:"tolerance"`
	Max       *float64 `json:"max"`
	Min       *float64 `json:"min"`
}

// Quantity is a number of a run that a case can expect. Its keys are particle, obstacle, body, group,
// other, joint, spring, node, axis, element and from, separated by spaces.
type Quantity struct {
	Name string
	Must string // keys that it needs
	May  string // keys that it may have
	// Between says what it is between two rows.
	Between Between
	Sized   bool // bounds are on its size
}

// Between says what a quantity is at a time between two rows.
type Between uint8

// The policies.
const (
	Linear Between = iota // in proportion
	Before                // as at the row before: a count
	After                 // as at the row after: of the step as a whole; the row at the start has none
)

// Expectation is a value that a correct run shows.
type Expectation struct {
	Quantity  string
	Index     int      // of the line in the case
	Subject   int      // particle, body, joint, spring or node; −1: the whole system
	Other     int      // the other body of a pair, or −1 − its obstacle
	ID        string   // of the subject, for messages
	Axis      int      // 0, 1, 2 for x, y, z; −1: none
	Element   int      // from 0; −1: all
	Obstacle  int      // contact with it, as the model numbers them, from 1; 0: all
	From      float64  // [s]
	Time      *float64 // nil: the end
	Value     *float64 // nil: Max or Min is given
	Tolerance float64
	Max, Min  *float64 // bounds on all rows
	between   Between
	sized     bool
	observed  bool // looked at, not compared
}

// OfStep reports whether it is of the step that ends with a row, of which that at the start has none.
func (e *Expectation) OfStep() bool { return e.between == After }

// Counts reports whether it is a number of things, which changes by one at least.
func (e *Expectation) Counts() bool { return e.between == Before }

// Label names what is looked at: "x of a at t=0.4".
func (e *Expectation) Label() string {
	s := strings.ReplaceAll(e.Quantity, "_", " ")
	if e.Axis >= 0 {
		s += " " + "xyz"[e.Axis:e.Axis+1]
	}
	if e.Subject >= 0 {
		s += " of " + e.ID
	} else if strings.HasSuffix(e.Quantity, "_force") {
		s += " in all"
	}
	switch {
	case e.Time != nil:
		s += fmt.Sprintf(" at t=%g", *e.Time)
	case e.Value != nil || e.observed:
		s += " at the end"
	}
	return s
}

// Expectations decodes what a case expects of its run from the quantities of its model, in
// a space of a dimension. resolve finds the subject, element and from of a line, where the
// keys are there, and words its ID.
func (b *Builder) Expectations(d *Document, quantities []Quantity, dim int,
	resolve func(p Path, d *ExpectDocument, e *Expectation)) []Expectation {
	var list []Expectation
	for i := range d.Expect {
		x, p := &d.Expect[i], Path{"expect", i}
		if e := b.expectation(p, x, quantities, dim, resolve); e != nil {
			e.Index = i
			b.comparison(p, x, d.Until)
			list = append(list, *e)
		}
	}
	for i, raw := range b.Case.Observe {
		x, p := &ExpectDocument{}, Path{observeKey, i}
		if !b.observed(p, raw, x, d.Until) {
			continue
		}
		if e := b.expectation(p, x, quantities, dim, resolve); e != nil {
			e.Index, e.observed = len(d.Expect)+i, true
			list = append(list, *e)
		}
	}
	return list
}

// Observations decodes quantities that are looked at in every row, as [Builder.Expectations] does,
// of a list at a path.
func (b *Builder) Observations(p Path, d []ExpectDocument, quantities []Quantity, dim int,
	resolve func(p Path, d *ExpectDocument, e *Expectation)) []Expectation {
	var list []Expectation
	for i := range d {
		if e := b.expectation(p.With(i), &d[i], quantities, dim, resolve); e != nil {
			e.Index = i
			list = append(list, *e)
		}
	}
	return list
}

// Column names what is looked at in a table: what it is of, the quantity and the component, with dots.
func (e *Expectation) Column() string {
	s := e.Quantity
	if e.Subject >= 0 {
		s = strings.ReplaceAll(e.ID, " and ", "/") + "." + s
	}
	if e.Axis >= 0 {
		s += "." + "xyz"[e.Axis:e.Axis+1]
	}
	return s
}

// observeKey begins the paths of what is observed.
const observeKey = "observe"

// observed decodes a quantity that is only looked at: its name or a line of words, see [QuantityLine],
// or an object without a value.
func (b *Builder) observed(p Path, raw json.RawMessage, x *ExpectDocument, until float64) bool {
	if text := ""; json.Unmarshal(raw, &text) == nil {
		line, err := QuantityLine(text)
		if err != nil {
			b.Add(p, "%v", err)
			return false
		}
		raw = line
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(x); {
	case err != nil:
		b.Add(p, "%v", err)
	case x.Value != nil || x.Tolerance != nil || x.Max != nil || x.Min != nil:
		b.Add(p, "found a value, a tolerance or a bound, want a quantity to look at")
	case x.Time != nil && !(*x.Time >= 0 && *x.Time <= until):
		b.Add(p.With("time"), "found %g, want a time of the run, 0 to %g", *x.Time, until)
	case x.Axis != nil && (len(*x.Axis) != 1 || !strings.Contains("xyz", *x.Axis)):
		b.Add(p.With("axis"), "found %q, want x, y or z", Abbreviate(*x.Axis))
	default:
		return true
	}
	return false
}

// expectation decodes one line; nil: its quantity is unknown.
func (b *Builder) expectation(p Path, x *ExpectDocument, quantities []Quantity, dim int,
	resolve func(p Path, d *ExpectDocument, e *Expectation)) *Expectation {
	k := slices.IndexFunc(quantities, func(q Quantity) bool { return q.Name == x.Quantity })
	if k < 0 { // the schema lists others, and what is observed it has not seen
		names := make([]string, len(quantities))
		for i := range quantities {
			names[i] = quantities[i].Name
		}
		b.UnknownName(p.With("quantity"), x.Quantity, "quantity of the model", names)
		return nil
	}
	q := &quantities[k]
	e := &Expectation{Quantity: x.Quantity, Subject: -1, Axis: -1, Element: -1, Time: x.Time, Value: x.Value,
		Max: x.Max, Min: x.Min, between: q.Between, sized: q.Sized}
	b.keys(p, q, x)
	if x.Axis != nil {
		if e.Axis = strings.Index("xyz", *x.Axis); e.Axis >= dim {
			b.Add(p.With("axis"), "found %q, want %s", *x.Axis, [...]string{1: "x on the line", 2: "x or y in the plane"}[dim])
		}
	}
	if x.Tolerance != nil {
		e.Tolerance = *x.Tolerance
	}
	if x.From != nil {
		e.From = *x.From
	}
	resolve(p, x, e)
	return e
}

// keys checks that the keys of a line fit its quantity.
func (b *Builder) keys(p Path, q *Quantity, x *ExpectDocument) {
	for _, k := range []struct {
		name  string
		found bool
	}{{"particle", x.Particle != nil}, {"obstacle", x.Obstacle != nil}, {"body", x.Body != nil}, {"group", x.Group != nil},
		{"other", x.Other != nil}, {"joint", x.Joint != nil}, {"spring", x.Spring != nil}, {"node", x.Node != nil},
		{"axis", x.Axis != nil}, {"element", x.Element != nil}, {"from", x.From != nil}} {
		must, may := slices.Contains(strings.Fields(q.Must), k.name), slices.Contains(strings.Fields(q.May), k.name)
		switch {
		case must && !k.found:
			b.Add(p, "the key %q is missing, which %s needs", k.name, q.Name)
		case !must && !may && k.found:
			b.Add(p.With(k.name), "the key %q has no effect on %s", k.name, q.Name)
		}
	}
}

// comparison checks that a line has a value with a tolerance, or bounds.
func (b *Builder) comparison(p Path, d *ExpectDocument, until float64) {
	bound := d.Max != nil || d.Min != nil
	switch {
	case d.Value == nil && !bound:
		b.Add(p, "want \"value\" and \"tolerance\", or \"max\" or \"min\"")
	case d.Value != nil && bound:
		b.Add(p, "found a value and a bound, want two lines")
	case d.Value != nil && d.Tolerance == nil:
		b.Add(p, "the key \"tolerance\" is missing")
	case bound && d.Tolerance != nil:
		b.Add(p.With("tolerance"), "a bound has no tolerance, want it in the bound")
	case bound && d.Time != nil:
		b.Add(p.With("time"), "a bound holds for the whole run, want no time")
	case d.Max != nil && d.Min != nil && *d.Max < *d.Min:
		b.Add(p.With("max"), "found %g, want at least the min %g", *d.Max, *d.Min)
	case d.Time != nil && *d.Time > until:
		b.Add(p.With("time"), "found %g, want a time of the run, 0 to %g", *d.Time, until)
	}
}

// QuantityLine makes a line of expect without a value: of JSON, or of a name that keys
// follow.
func QuantityLine(text string) (json.RawMessage, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if !json.Valid([]byte(text)) {
			return nil, errors.New("not JSON")
		}
		return json.RawMessage(text), nil
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, errors.New("want the name of a quantity")
	}
	line := map[string]any{"quantity": words[0]}
	for _, w := range words[1:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("found %q, want key=value", w)
		}
		line[key] = value
		if v, err := strconv.ParseFloat(value, 64); err == nil && slices.Contains([]string{"time", "from", "node", "element"}, key) {
			line[key] = v
		}
	}
	return json.Marshal(line)
}
