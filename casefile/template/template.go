package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MostValues bounds the values of a case that was written out: a hundred thousand bodies have ten
// each, and to write them takes seconds.
const MostValues = 1_000_000

// Keys that the case format has beside those of its models.
const (
	parametersKey = "parameters"
	repeatKey     = "repeat" // names of indices, and how many values each has, or which
	whenKey       = "when"   // an expression of a copy that is left out where it is false
	ofKey         = "of"     // what is repeated, where it is no object
)

// A Source is the tree of a text with what a tree does not keep.
type Source struct {
	Tree any
	Keys func(at []any) []string // of the object at a path, in the order of the text
}

// A Fault is what is wrong at a path of the source.
type Fault struct {
	At   []any
	Text string
}

// Used reports whether there is anything to write out: most cases have nothing.
func Used(tree any) bool {
	switch v := tree.(type) {
	case string:
		return strings.HasPrefix(v, "=")
	case map[string]any:
		for key, part := range v {
			if key == parametersKey || key == repeatKey || Used(part) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, Used)
	}
	return false
}

// Expand writes a source out. Parts at fault are left out; its cost is that of the result.
func Expand(s Source) (any, []Fault) {
	x := expander{source: s}
	return x.expand(), x.faults
}

// Place returns where in a source the value at a path of its expansion comes from.
func Place(s Source, at []any) []any {
	x := expander{source: s, wanted: at, place: slices.Clone(at)}
	x.expand()
	return x.place
}

// expander writes one source out.
type expander struct {
	source      Source
	faults      []Fault
	values      int // so far
	parameters  map[string]any
	state       map[string]state // of the parameters
	expressions map[string]*expression

	wanted, place []any // of the result: see Place
}

// state is how far a parameter is.
type state uint8

const (
	given state = iota
	evaluating
	evaluated // and used
)

// scope are the indices of the copies around a value; nil: none.
type scope map[string]any

// at is a place in the result and in the source.
type at struct{ result, source []any }

// part is a part of the value at both places, under the same name.
func (p at) part(name any) at { return p.of(name, name) }

// of is a part that has one name in the result and another in the source.
func (p at) of(result, source any) at {
	return at{append(p.result[:len(p.result):len(p.result)], result), append(p.source[:len(p.source):len(p.source)], source)}
}

// add records a fault; what all copies have in common is told once.
func (x *expander) add(p at, format string, args ...any) {
	f := Fault{p.source, fmt.Sprintf(format, args...)}
	if n := len(x.faults); n == 0 || x.faults[n-1].Text != f.Text || !slices.Equal(x.faults[n-1].At, f.At) {
		x.faults = append(x.faults, f)
	}
}

// expand writes the root out.
func (x *expander) expand() any {
	x.expressions, x.state, x.parameters = map[string]*expression{}, map[string]state{}, map[string]any{}
	root, ok := x.source.Tree.(map[string]any)
	if !ok {
		return x.source.Tree
	}
	p := at{}.part(parametersKey)
	if list, there := root[parametersKey]; there {
		parameters, ok := list.(map[string]any)
		if !ok {
			x.add(p, "found no object, want names with numbers, for instance {\"h\": 0.2}")
		}
		maps.Copy(x.parameters, parameters)
	}
	for _, name := range slices.Sorted(maps.Keys(x.parameters)) {
		if means := meaning(name); means != "" {
			x.add(p.part(name), "%q is %s in expressions, want another name", name, means)
		}
	}
	out := x.object(at{}, root, nil)
	for _, name := range slices.Sorted(maps.Keys(x.parameters)) {
		if x.state[name] != evaluated && len(x.faults) == 0 {
			x.add(p.part(name), "no expression uses %q: write \"=%s\" where its value is meant", name, name)
		}
	}
	return out
}

// value writes one value out.
func (x *expander) value(p at, v any, s scope) any {
	if x.values++; x.values > MostValues {
		if x.values == MostValues+1 {
			x.add(p, "the case grows beyond %d values here", MostValues)
		}
		return nil
	}
	switch v := v.(type) {
	case string:
		return x.text(p, v, s)
	case []any:
		return x.list(p, v, s)
	case map[string]any:
		return x.object(p, v, s)
	}
	return v
}

// text writes out a text that is an expression, or has some within braces.
func (x *expander) text(p at, v string, s scope) any {
	if code, ok := strings.CutPrefix(v, "="); ok {
		return x.evaluate(p, code, s)
	}
	if s == nil && !x.ofParameters(v) {
		return v
	}
	return x.filled(p, v, s)
}

// ofParameters reports whether all that stands in braces are expressions of parameters: outside of
// repetitions a text may have braces of its own.
func (x *expander) ofParameters(text string) bool {
	any := false
	for {
		_, rest, open := strings.Cut(text, "{")
		if !open {
			return any
		}
		code, after, closed := strings.Cut(rest, "}")
		e, err := compile(code)
		if !closed || err != nil || len(e.names) == 0 {
			return false
		}
		for _, name := range e.names {
			if _, ok := x.parameters[name]; !ok {
				return false
			}
		}
		text, any = after, true
	}
}

// filled replaces what stands in braces by its value.
func (x *expander) filled(p at, text string, s scope) string {
	var out strings.Builder
	for {
		before, rest, open := strings.Cut(text, "{")
		out.WriteString(before)
		if !open {
			return out.String()
		}
		code, after, closed := strings.Cut(rest, "}")
		if !closed {
			x.add(p, "found { without }, want for instance \"block {i}\"")
			return out.String()
		}
		if v := x.evaluate(p, code, s); v != nil {
			fmt.Fprint(&out, v)
		}
		text = after
	}
}

// object writes out an object: its keys may be repeated.
func (x *expander) object(p at, v map[string]any, s scope) any {
	out := make(map[string]any, len(v))
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if len(p.source) == 0 && key == parametersKey {
			continue
		}
		copied, repeated := v[key].(map[string]any)
		if repeated {
			_, repeated = copied[repeatKey]
		}
		if !repeated {
			name := key
			if s != nil {
				name = x.filled(p.part(key), key, s)
			}
			x.member(out, p.of(name, key), v[key], s)
			continue
		}
		if !strings.Contains(key, "{") {
			x.add(p.part(key), "each copy needs a key of its own, found %q, want for instance \"%s {i}\"", key, key)
			continue
		}
		x.copies(p.part(key), copied, s, func(q at, body any, s scope) {
			x.member(out, p.of(x.filled(q, key, s), key), body, s)
		})
	}
	return out
}

// member writes a member of an object out.
func (x *expander) member(out map[string]any, p at, v any, s scope) {
	name := p.result[len(p.result)-1].(string)
	if _, twice := out[name]; twice {
		x.add(p, "the key %q occurs twice", name)
		return
	}
	x.found(p)
	out[name] = x.value(p, v, s)
}

// list writes out a list: its entries may be repeated.
func (x *expander) list(p at, v []any, s scope) any {
	out := make([]any, 0, len(v))
	for i, entry := range v {
		push := func(body any, s scope) {
			q := p.of(len(out), i)
			x.found(q)
			out = append(out, x.value(q, body, s))
		}
		if o, ok := entry.(map[string]any); ok && o[repeatKey] != nil {
			x.copies(p.part(i), o, s, func(_ at, body any, s scope) { push(body, s) })
			continue
		}
		push(entry, s)
	}
	return out
}

// found keeps the place of a value that leads to the one that is wanted.
func (x *expander) found(p at) {
	if n := len(p.result); n <= len(x.wanted) && slices.Equal(p.result, x.wanted[:n]) {
		x.place = append(slices.Clone(p.source), x.wanted[n:]...)
	}
}

// copies calls a function for each copy of an entry, with its indices.
func (x *expander) copies(p at, entry map[string]any, outer scope, each func(p at, body any, s scope)) {
	over, ok := entry[repeatKey].(map[string]any)
	q := p.part(repeatKey)
	if !ok || len(over) == 0 {
		x.add(q, "want indices and how many there are, for instance {\"i\": 10}")
		return
	}
	body, keeps := x.body(p, entry)
	indices := x.source.Keys(q.source)
	for _, name := range indices {
		if means := meaning(name); means != "" {
			x.add(q.part(name), "%q is %s in expressions, want another name", name, means)
			return
		}
		if _, taken := x.parameters[name]; taken || outer[name] != nil {
			x.add(q.part(name), "the name %q has a value already, want another one for the index", name)
			return
		}
	}
	var next func(k int, s scope)
	next = func(k int, s scope) {
		if k < len(indices) {
			for _, v := range x.indexValues(q.part(indices[k]), over[indices[k]], s) {
				inner := maps.Clone(s)
				inner[indices[k]] = v
				if next(k+1, inner); x.values > MostValues {
					return
				}
			}
			return
		}
		if keeps == nil || x.holds(p.part(whenKey), keeps, s) {
			each(p, body, s)
		}
	}
	first := maps.Clone(outer)
	if first == nil {
		first = scope{}
	}
	next(0, first)
}

// body is what is repeated, and the text by which a copy is kept; nil: all are.
func (x *expander) body(p at, entry map[string]any) (body any, keeps any) {
	rest := maps.Clone(entry)
	keeps = rest[whenKey]
	delete(rest, repeatKey)
	delete(rest, whenKey)
	if of, there := rest[ofKey]; there {
		if len(rest) > 1 {
			x.add(p, "found other keys beside %q, which is all of a copy", ofKey)
		}
		return of, keeps
	}
	return rest, keeps
}

// indexValues are the values of an index: those of a list, or 0 to n−1.
func (x *expander) indexValues(p at, v any, s scope) []any {
	if code, ok := v.(string); ok && strings.HasPrefix(code, "=") {
		if v = x.evaluate(p, code[1:], s); v == nil {
			return nil
		}
	}
	switch n := v.(type) {
	case []any:
		list, _ := x.value(p, n, s).([]any)
		return list
	case float64:
		if n < 0 || n != float64(int(n)) || n > MostValues {
			x.add(p, "found %g, want a whole number from 0 to %d, or a list of values", n, MostValues)
			return nil
		}
		list := make([]any, int(n))
		for i := range list {
			list[i] = float64(i)
		}
		return list
	}
	x.add(p, "found %v, want a whole number, or a list of values", v)
	return nil
}

func (x *expander) holds(p at, v any, s scope) bool {
	if code, ok := v.(string); ok && strings.HasPrefix(code, "=") {
		v = x.evaluate(p, code[1:], s)
	}
	keep, ok := v.(bool)
	if !ok && v != nil {
		x.add(p, "want an expression that is true or false, for instance \"=i != 3\"")
	}
	return keep
}

// evaluate returns the value of an expression; nil after a fault.
func (x *expander) evaluate(p at, code string, s scope) any {
	e := x.expressions[code]
	if e == nil {
		var err error
		if e, err = compile(code); err != nil {
			x.add(p, "expression %q: %v", abbreviated(code), err)
			return nil
		}
		x.expressions[code] = e
	}
	names := map[string]any{}
	for _, name := range e.names {
		v, err := x.named(name, s)
		if err != nil {
			x.add(p, "expression %q: %v", abbreviated(code), err)
			return nil
		}
		if names[name] = v; v == nil {
			return nil // its own fault is told
		}
	}
	v, err := e.value(names)
	if err != nil {
		x.add(p, "expression %q: %v", abbreviated(code), err)
		return nil
	}
	return v
}

// named is the value of a name: an index, a parameter or a constant.
func (x *expander) named(name string, s scope) (any, error) {
	if v, ok := s[name]; ok {
		return v, nil
	}
	v, ok := x.parameters[name]
	if !ok {
		if c, ok := constants[name]; ok {
			return c, nil
		}
		valid := slices.Concat(slices.Collect(maps.Keys(s)), slices.Collect(maps.Keys(x.parameters)))
		return nil, unknown(name, valid)
	}
	code, isText := v.(string)
	isCode := isText && strings.HasPrefix(code, "=")
	switch {
	case x.state[name] == evaluating:
		return nil, fmt.Errorf("the parameter %q is made of itself", name)
	case x.state[name] == given && isCode:
		x.state[name] = evaluating
		v = x.evaluate(at{}.part(parametersKey).part(name), code[1:], nil)
		x.parameters[name] = v
	}
	x.state[name] = evaluated
	return v, nil
}

// abbreviated is an expression for a message.
func abbreviated(code string) string {
	if r := []rune(code); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return code
}
