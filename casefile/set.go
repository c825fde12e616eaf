package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/internal/plain"
)

// Set returns the text of a case with the value at a path replaced; the rest stays as
// it is, byte for byte. A path is written as faults print it, with or without the
// leading "$.":
//
//	friction.dry.mu    energies[0].stiffness[2]    friction["wet soil"].mu
//
// Objects that are not there are made, so that a path may name a key that the case
// leaves at its default; whether the key exists is for [Grammar.Decode] to say. An element of a
// list must be there. It costs one pass through the text.
func Set(data []byte, where string, value json.RawMessage) ([]byte, error) {
	p, err := ParsePath(where)
	if err != nil {
		return nil, err
	}
	return set(data, p, value)
}

func set(data []byte, p Path, value json.RawMessage) ([]byte, error) {
	if !json.Valid(value) {
		return nil, fmt.Errorf("casefile: %s: the value %s is not JSON", p, Abbreviate(string(value)))
	}
	if !json.Valid(data) {
		return nil, fmt.Errorf("casefile: %s: the text to set it in is not JSON", p)
	}
	for depth := 1; depth <= len(p); depth++ {
		parent, part := locate(data, p[:depth-1]), p[depth-1]
		if err := takes(data[parent], part, p[:depth-1]); err != nil {
			return nil, err
		}
		if has(data, parent, part) {
			continue
		}
		key, isKey := part.(string)
		if !isKey {
			return nil, fmt.Errorf("casefile: %s: the list has no element %d, it has %d", p[:depth], part, length(data[parent:]))
		}
		return insert(data, parent, key, nest(p[depth:], value))
	}
	start := locate(data, p)
	end := start + valueLength(data[start:])
	return bytes.Join([][]byte{data[:start], value, data[end:]}, nil), nil
}

// takes reports whether a value that begins with a byte can hold a part.
func takes(begin byte, part any, at Path) error {
	_, isKey := part.(string)
	switch {
	case isKey && begin != '{':
		return fmt.Errorf("casefile: %s is not an object, it has no key %q", at, part)
	case !isKey && begin != '[':
		return fmt.Errorf("casefile: %s is not a list, it has no element %d", at, part)
	}
	return nil
}

// has reports whether the object or list at an offset has a part.
func has(data []byte, offset int, part any) bool {
	if key, isKey := part.(string); isKey {
		var m map[string]json.RawMessage
		if json.NewDecoder(bytes.NewReader(data[offset:])).Decode(&m) != nil {
			return false
		}
		_, ok := m[key]
		return ok
	}
	var list []json.RawMessage
	err := json.NewDecoder(bytes.NewReader(data[offset:])).Decode(&list)
	return err == nil && part.(int) < len(list)
}

// length is the number of elements of the list that a text begins with.
func length(data []byte) int {
	var list []json.RawMessage
	_ = json.NewDecoder(bytes.NewReader(data)).Decode(&list) // it is a list
	return len(list)
}

// nest wraps a value into objects, the outermost first.
func nest(p Path, value json.RawMessage) json.RawMessage {
	for i := len(p) - 1; i >= 0; i-- {
		key, isKey := p[i].(string)
		if !isKey {
			key = strconv.Itoa(p[i].(int)) // a list that is not there: the schema refuses the key
		}
		name, _ := json.Marshal(key) // a string always can be
		value = bytes.Join([][]byte{{'{'}, name, {':', ' '}, value, {'}'}}, nil)
	}
	return value
}

// insert puts a new key first into the object at an offset.
func insert(data []byte, object int, key string, value json.RawMessage) ([]byte, error) {
	name, err := json.Marshal(key)
	if err != nil {
		return nil, err
	}
	entry := bytes.Join([][]byte{name, {':', ' '}, value}, nil)
	if next := skipSpace(data, object+1); data[next] != '}' {
		entry = append(entry, ',', ' ')
	}
	return bytes.Join([][]byte{data[:object+1], entry, data[object+1:]}, nil), nil
}

// valueLength is the length of the value that a text begins with.
func valueLength(data []byte) int {
	dec := json.NewDecoder(bytes.NewReader(data))
	if skip(dec) != nil {
		return len(data)
	}
	return int(dec.InputOffset())
}

// ParsePath reads a path as faults print it, see [Set].
func ParsePath(text string) (Path, error) {
	rest := strings.TrimPrefix(text, "$")
	fault := func(what string) (Path, error) {
		return nil, fmt.Errorf("casefile: Path %q: %s, want for instance friction.dry.mu or energies[0].stiffness", Abbreviate(text), what)
	}
	if !utf8.ValidString(text) {
		return fault("a byte that is not UTF-8")
	}
	var p Path
	for first := true; rest != ""; first = false {
		switch {
		case rest[0] == '[':
			part, after, ok := bracket(rest)
			if !ok {
				return fault("a [ without a number or a quoted key and ]")
			}
			p, rest = append(p, part), after
			continue
		case rest[0] == '.':
			rest = rest[1:]
		case !first:
			return fault("a . or [ is missing")
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return fault("an empty key")
		}
		p, rest = append(p, rest[:end]), rest[end:]
	}
	if len(p) == 0 {
		return fault("it is empty")
	}
	return p, nil
}

// bracket reads [3] or ["key"].
func bracket(text string) (part any, rest string, ok bool) {
	if quoted, err := strconv.QuotedPrefix(text[1:]); err == nil {
		key, _ := strconv.Unquote(quoted) // QuotedPrefix has looked at it
		rest, ok = strings.CutPrefix(text[1+len(quoted):], "]")
		return key, rest, ok
	}
	inner, rest, ok := strings.Cut(text[1:], "]")
	i, err := strconv.Atoi(inner)
	return i, rest, ok && err == nil && i >= 0
}

// shellNumber matches the numbers that people type and JSON does not know: .3, +2, 1.
var shellNumber = regexp.MustCompile(`^[+-]?(\d+\.?|\d*\.\d+)([eE][+-]?\d+)?$`)

// typed returns a value of --set: JSON, a number as people type it, or else a word.
func typed(value string) (json.RawMessage, error) {
	if raw := json.RawMessage(value); json.Valid(raw) {
		return raw, nil
	}
	if shellNumber.MatchString(value) {
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			return json.Marshal(x)
		}
	}
	return json.Marshal(value)
}

// exclusion are keys of an object of which it has one: who sets it does not mean the others.
type exclusion struct {
	keys []string
	// beside are keys that go with one value of the first alone.
	beside []string
	value  string
}

var exclusions = []exclusion{
	{keys: []string{"steps", "step", "times", "adaptive"}, beside: []string{"exact"}, value: `"events"`},
	{keys: []string{"mu", "map"}},
	{keys: []string{"block", "file"}},
}

// replaced are the keys that a value at a key takes the place of.
func replaced(key string, value json.RawMessage) (others []string) {
	for _, x := range exclusions {
		if !slices.Contains(x.keys, key) {
			continue
		}
		others = append(others, x.keys...)
		if key != x.keys[0] || string(value) != x.value {
			others = append(others, x.beside...)
		}
	}
	return slices.DeleteFunc(others, func(other string) bool { return other == key })
}

// setting is a line PATH=VALUE.
type setting struct {
	line  string
	path  Path
	value json.RawMessage
}

func settingOf(line string) (s setting, err error) {
	path, value, ok := strings.Cut(line, "=")
	if !ok {
		return s, fmt.Errorf("no =, want PATH=VALUE, for instance friction.dry.mu=0.3")
	}
	s.line = line
	if s.value, err = typed(value); err == nil {
		s.path, err = ParsePath(path)
	}
	return s, err
}

// SetAll changes the text of a case as the lines PATH=VALUE of --set say. A value is JSON, or
// else a number such as .3, or else a word. Keys of the text that exclude one that is set, as
// "adaptive" does "steps", go. known, if it is not nil, objects to a path that a text cannot have.
func SetAll(text []byte, lines []string, known func(text []byte, path string) error) ([]byte, error) {
	if most := 1000; len(lines) > most { // the text is read and written for each: a second
		return nil, fmt.Errorf("--set: %d changes, want at most %d: a case may be written with them", len(lines), most)
	}
	var settings []setting
	fault := func(line string, err error) ([]byte, error) {
		return nil, fmt.Errorf("--set %s: %w", plain.Text(line), err)
	}
	for _, line := range lines {
		s, err := settingOf(line)
		if err != nil {
			return fault(line, err)
		}
		settings = append(settings, s)
	}
	text = withoutReplaced(text, settings)
	for _, s := range settings {
		next, err := set(text, s.path, s.value)
		if err == nil && known != nil {
			err = known(text, s.path.String())
		}
		if err != nil {
			return fault(s.line, err)
		}
		text = next
	}
	return text, nil
}

// withoutReplaced is a text without the keys that settings replace; those that another setting
// sets stay, to be told.
func withoutReplaced(text []byte, settings []setting) []byte {
	if !json.Valid(text) {
		return text
	}
	for _, s := range settings {
		n := len(s.path) - 1
		key, _ := s.path[n].(string)
		for _, other := range replaced(key, s.value) {
			p := s.path[:n].With(other)
			if !slices.ContainsFunc(settings, func(x setting) bool { return x.path.String() == p.String() }) {
				text = remove(text, p)
			}
		}
	}
	return text
}

// remove takes a member of an object out of a text, if it is there, with its comma.
func remove(data []byte, p Path) []byte {
	parent, key := p[:len(p)-1], p[len(p)-1]
	for depth := range parent {
		if at := locate(data, parent[:depth]); !has(data, at, parent[depth]) {
			return data
		}
	}
	object := locate(data, parent)
	if data[object] != '{' || !has(data, object, key) {
		return data
	}
	value := locate(data, p)
	name, _ := json.Marshal(key) // a string always can be
	start := bytes.LastIndex(data[:value], name)
	end := value + valueLength(data[value:])
	if next := skipSpace(data, end); bytes.IndexByte(data[end:next], ',') >= 0 {
		end = next // it is followed by another one
	} else if comma := bytes.LastIndexByte(data[object:start], ','); start >= 0 && comma >= 0 &&
		len(bytes.TrimSpace(data[object+comma+1:start])) == 0 {
		start = object + comma
	}
	if start < object {
		return data // a key written with escapes stays
	}
	return bytes.Join([][]byte{data[:start], data[end:]}, nil)
}

// NumberAt returns the number of a case at a path, see [Set].
func NumberAt(data []byte, where string) (float64, error) {
	p, err := ParsePath(where)
	if err != nil {
		return 0, err
	}
	if !json.Valid(data) {
		return 0, fmt.Errorf("casefile: %s: the text to look in is not JSON", p)
	}
	for depth := 1; depth <= len(p); depth++ {
		parent, part := locate(data, p[:depth-1]), p[depth-1]
		if err := takes(data[parent], part, p[:depth-1]); err != nil {
			return 0, err
		}
		if !has(data, parent, part) {
			return 0, missing(data, p, depth)
		}
	}
	start := locate(data, p)
	text := data[start : start+valueLength(data[start:])]
	var v float64
	if err := json.Unmarshal(text, &v); err != nil || text[0] == 'n' {
		return 0, fmt.Errorf("casefile: %s: found %s, want a number", p, Abbreviate(string(text)))
	}
	return v, nil
}

// missing says that the first parts of a path lead nowhere, and what there is.
func missing(data []byte, p Path, depth int) error {
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return fmt.Errorf("casefile: %w", err)
	}
	text := fmt.Sprintf("casefile: %s is not there, want a number of the case", p[:depth])
	if _, object := end(tree, p); len(object) > 0 {
		names := slices.Sorted(maps.Keys(object))
		if guess := nearest.Word(p[depth-1].(string), names); guess != "" {
			return fmt.Errorf("%s; the nearest name is %q", text, guess)
		}
		return fmt.Errorf("%s; there are %s", text, Abbreviate(strings.Join(names, ", ")))
	}
	return errors.New(text)
}
