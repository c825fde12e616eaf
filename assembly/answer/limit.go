package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
	"github.com/quasistatic/quasistatic/casefile"
)

// A limit is the search of the least, or largest, value of a number of the file at which forces balance.
type limit struct {
	q       *Question
	text    []byte // of the file
	key     string
	largest bool
	value   float64  // that the file has
	to      *float64 // where to look; nil: halves of the value, or 3/2 of it, and so on
}

// side is what is known at a value.
type side struct {
	value    float64
	assembly *assembly.Assembly // nil: the file is refused
	refused  error
	verdict  *assembly.Verdict
}

func (s *side) falls() bool { return s.verdict != nil && s.verdict.Word == assembly.Falls }
func (s *side) holds() bool { return s.verdict != nil && !s.falls() && len(s.verdict.Reactions) > 0 }

// newLimit reads KEY or KEY=TO.
func (q *Question) newLimit(wish string, largest bool) (*limit, error) {
	l := &limit{q: q, largest: largest}
	fault := func(err error) (*limit, error) { return nil, fmt.Errorf("%s %q: %w", l.word(), wish, err) }
	var to string
	var given bool
	l.key, to, given = strings.Cut(wish, "=")
	if given {
		x, err := strconv.ParseFloat(to, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fault(errors.New("want KEY or KEY=NUMBER, where to look"))
		}
		l.to = &x
	}
	if err := l.read(); err != nil {
		return fault(err)
	}
	if l.to == nil && !(l.value > 0) {
		return fault(fmt.Errorf("it is %v: say with =NUMBER where to look", l.value))
	}
	if l.to != nil && (*l.to == l.value || (*l.to > l.value) != largest) {
		return fault(fmt.Errorf("it is %v: %v is not beyond it", l.value, *l.to))
	}
	if probe := l.at(l.value * (1 + 1e-3)); probe.refused != nil && l.value == math.Trunc(l.value) &&
		strings.Contains(probe.refused.Error(), "whole number") {
		return fault(errors.New("it is a count: quasistatic sweep takes a list of them"))
	}
	return l, nil
}

// read finds the number of the file, or of the text in its place, at its key.
func (l *limit) read() error {
	if l.q.HasMu && l.key == "friction" {
		return errors.New("--mu is given in its place")
	}
	var err error
	if l.text == nil {
		if l.text, err = os.ReadFile(l.q.File); err != nil {
			return err
		}
	}
	path, err := casefile.ParsePath(l.key)
	if err != nil {
		return err
	}
	l.value, err = numberAt(l.text, path)
	return err
}

func (l *limit) word() string {
	if l.largest {
		return "largest"
	}
	return "least"
}

// numberAt is the number of a file at a path.
func numberAt(text []byte, path casefile.Path) (float64, error) {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return 0, err
	}
	for k, part := range path {
		where := path[:k+1]
		switch part := part.(type) {
		case string:
			object, _ := tree.(map[string]any)
			tree = object[part]
		case int:
			list, _ := tree.([]any)
			if tree = nil; part < len(list) {
				tree = list[part]
			}
		}
		if tree == nil {
			return 0, fmt.Errorf("the file has no %s", where)
		}
	}
	x, ok := tree.(float64)
	if !ok {
		return 0, fmt.Errorf("%s is no number of the file", path)
	}
	return x, nil
}

// with is the text of the file with another value.
func (l *limit) with(value float64) ([]byte, error) {
	return casefile.Set(l.text, l.key, json.RawMessage(strconv.FormatFloat(value, 'g', -1, 64)))
}

// at is the file with another value, as far as it can be read.
func (l *limit) at(value float64) *side {
	s := &side{value: value}
	text, err := l.with(value)
	if err == nil {
		s.assembly, err = files.Decode(text, filepath.Dir(l.q.File))
	}
	if err == nil {
		err = l.q.apply(s.assembly)
	}
	if err != nil {
		s.assembly, s.refused = nil, err
	}
	return s
}

// ask is whether forces balance at a value, and no more than that.
func (l *limit) ask(ctx context.Context, value float64) (*side, error) {
	s := l.at(value)
	if s.assembly == nil {
		return s, nil
	}
	var err error
	s.verdict, err = assembly.Judge(ctx, s.assembly, &assembly.Options{Limit: 1}) // ns: without the search of motions
	return s, err
}

// find brackets the limit: it goes from the value of the file until no forces balance, and halves between.
func (l *limit) find(ctx context.Context) (Margin, error) {
	good, err := l.ask(ctx, l.value)
	if err != nil {
		return Margin{}, err
	}
	if !good.holds() {
		return Margin{}, fmt.Errorf("no forces balance at %v, which the file has", l.value)
	}
	good, bad, err := l.bracket(ctx, good)
	if err != nil {
		return Margin{}, err
	}
	var between *side
	for math.Abs(good.value-bad.value) > 1e-9*math.Max(math.Abs(good.value),
		math.Abs(bad.value)) { // the programs are solved to 1e-8 of the loads
		if between, err = l.ask(ctx, (good.value+bad.value)/2); err != nil {
			return Margin{}, err
		}
		switch {
		case between.holds():
			good = between
		case between.falls():
			bad = between
		default:
			return l.margin(ctx, good, bad, between)
		}
	}
	return l.margin(ctx, good, bad, nil)
}

// bracket finds a value at which no forces balance.
func (l *limit) bracket(ctx context.Context, good *side) (holds, falls *side, err error) {
	step := func(x float64) float64 {
		switch {
		case l.to != nil:
			return *l.to
		case l.largest:
			return x * 1.5
		}
		return x / 2
	}
	refused := math.NaN() // the nearest value at which the file cannot be read
	var why error
	for range 60 { // to 1e-18 or 4e10 times the value
		x := step(good.value)
		if !math.IsNaN(refused) {
			x = (good.value + refused) / 2
		}
		s, err := l.ask(ctx, x)
		switch {
		case err != nil:
			return nil, nil, err
		case s.falls():
			return good, s, nil
		case s.holds() && l.to != nil && x == *l.to:
			return nil, nil, fmt.Errorf("forces balance at %.10g, too", x)
		case s.holds():
			good = s
		case s.assembly == nil:
			refused, why = x, s.refused
		default:
			return nil, nil, fmt.Errorf("at %.10g: %s", x, s.verdict.Reason)
		}
		if !math.IsNaN(refused) && math.Abs(refused-good.value) < 1e-9*math.Abs(l.value) {
			break
		}
	}
	if why != nil {
		return nil, nil, fmt.Errorf("forces balance as far as %.10g, and beyond there is no such file: %w", good.value, why)
	}
	return nil, nil, fmt.Errorf("forces balance as far as %.4g", good.value)
}

// margin words both ends, of which the one that holds is judged in full.
func (l *limit) margin(ctx context.Context, good, bad, between *side) (Margin, error) {
	v, err := assembly.Judge(ctx, good.assembly, &assembly.Options{Limit: l.q.Limit})
	if err != nil {
		return Margin{}, err
	}
	proof := "forces that balance would be above 1e5 times the weight"
	if bad.verdict.Fall.Exact {
		proof = "proven exactly"
	}
	note := fmt.Sprintf("at %.10g it %s, at %.10g it falls, %s", good.value, v.Word, bad.value, proof)
	if v.Word == assembly.Open {
		note = fmt.Sprintf("at %.10g forces balance (it is open), at %.10g it falls, %s", good.value, bad.value, proof)
	}
	switch {
	case between != nil && between.assembly == nil:
		note += fmt.Sprintf("; between them there is no such file: %v", between.refused)
	case between != nil:
		note += "; nearer the program does not tell"
	}
	m := Margin{Upper: Bound(max(good.value, bad.value)), Lower: Bound(min(good.value, bad.value)), Note: note}
	if math.Abs(good.value-bad.value) > 1e-7*max(math.Abs(good.value), math.Abs(bad.value)) { // near enough for derivatives of four digits
		m.note("its bounds are too far apart for derivatives")
		return m, nil
	}
	if err := l.derivatives(ctx, &m, good); err != nil {
		m.note(fmt.Sprintf("it has no derivatives: %v", err))
	}
	return m, nil
}

// derivatives are those of the limit x, at which the shortage of normal force t(x, p) is zero: dx/dp = −(∂t/∂p)/(∂t/∂x).
func (l *limit) derivatives(ctx context.Context, m *Margin, at *side) error {
	_, g, err := assembly.Shortage(ctx, at.assembly)
	if err != nil {
		return err
	}
	text, err := l.with(at.value)
	if err != nil {
		return err
	}
	shortage := func(a *assembly.Assembly) (float64, error) {
		t, _, err := assembly.Shortage(ctx, a)
		return t, err
	}
	own, err := l.q.newNumber(l.key, text)
	if err != nil {
		return err
	}
	slope, err := own.derivative(0, at.assembly, g, 1, shortage)
	if err != nil {
		return fmt.Errorf("of the normal force that is missing by %s: %w", l.key, err)
	}
	if math.Abs(slope)*math.Abs(at.value) < 1e-6 { // of the loads: what programs leave
		return fmt.Errorf("what is missing does not change with it, to first order")
	}
	var numbers []*number
	for _, key := range l.q.By {
		if key == l.key {
			continue
		}
		n, err := l.q.newNumber(key, text)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	m.By = l.q.by(m, at.value, at.assembly, g.Implicit(slope), 1, numbers, func(a *assembly.Assembly) (float64, error) {
		t, err := shortage(a)
		return at.value - t/slope, err
	})
	return nil
}
