package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// deepest is the nesting that is read; a case needs about ten, and each sum of
// signals two more.
const deepest = 100

// parse reads JSON into maps, slices, float64, string, bool and nil. What
// encoding/json lets pass is a fault here: keys that occur twice, numbers larger
// than [Largest], text that is not UTF-8. It returns nil after a fault
// that leaves no tree.
func (f *Faults) parse() any {
	switch {
	case len(bytes.TrimSpace(f.data)) == 0:
		f.addAt(0, nil, "the file is empty, want a JSON object (quasistatic init writes one to start from)")
		return nil
	case !utf8.Valid(f.data):
		f.addAt(firstInvalid(f.data), nil, "broken JSON: a byte that is not UTF-8")
		return nil
	}
	var raw json.RawMessage
	if err := json.Unmarshal(f.data, &raw); err != nil {
		var syntax *json.SyntaxError
		offset := len(f.data)
		if errors.As(err, &syntax) {
			offset = int(syntax.Offset) - 1 // Offset counts the byte that is wrong
			if syntax.Error() == "unexpected end of JSON input" {
				offset = len(f.data)
			}
		}
		f.addAt(offset, nil, "broken JSON: %s", broken(err))
		return nil
	}
	return f.tree(f.data)
}

// tree is that of a text which is JSON.
func (f *Faults) tree(text []byte) any {
	w := walker{dec: json.NewDecoder(bytes.NewReader(text)), Faults: f}
	w.dec.UseNumber()
	return w.value(nil)
}

// keysAt are the keys of the object at a path of a text, in their order.
func keysAt(data []byte, p Path) (keys []string) {
	var object json.RawMessage
	if json.NewDecoder(bytes.NewReader(data[locate(data, p):])).Decode(&object) != nil || object[0] != '{' {
		return nil
	}
	for _, m := range members(object) {
		keys = append(keys, m.name)
	}
	return keys
}

// broken words the faults that are made most, commas, as one would say them.
func broken(err error) string {
	text := err.Error()
	switch found, place, _ := strings.Cut(strings.TrimPrefix(text, "invalid character "), " "); {
	case place == "after object key:value pair":
		return "a comma is missing before " + found + ", or a closing brace"
	case place == "after array element":
		return "a comma is missing before " + found + ", or a closing bracket"
	case place == "looking for beginning of object key string" && found == "'}'",
		place == "looking for beginning of value" && found == "']'":
		return "a comma too many before " + found
	default:
		return text
	}
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return 0
}

// walker builds the tree of a text that is known to be valid JSON.
type walker struct {
	dec    *json.Decoder
	Faults *Faults
	failed bool // nested too deep: stop
}

func (w *walker) value(p Path) any {
	token, err := w.dec.Token()
	if err != nil || w.failed {
		w.failed = true
		return nil
	}
	switch t := token.(type) {
	case json.Delim:
		if len(p) >= deepest {
			w.Faults.addAt(int(w.dec.InputOffset())-1, p[:3], "nested deeper than %d levels", deepest)
			w.failed = true
			return nil
		}
		if t == '{' {
			return w.object(p)
		}
		return w.array(p)
	case json.Number:
		return w.number(p, string(t))
	}
	return token
}

func (w *walker) object(p Path) any {
	m := map[string]any{}
	for w.dec.More() && !w.failed {
		token, err := w.dec.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			w.failed = true
			break
		}
		inner := p.With(key)
		if _, twice := m[key]; twice {
			w.Faults.addAt(int(w.dec.InputOffset())-1, inner, "the key %q occurs twice in one object", Abbreviate(key))
		}
		m[key] = w.value(inner)
	}
	w.close()
	return m
}

func (w *walker) array(p Path) any {
	list := []any{}
	for i := 0; w.dec.More() && !w.failed; i++ {
		list = append(list, w.value(p.With(i)))
	}
	w.close()
	return list
}

func (w *walker) close() {
	if _, err := w.dec.Token(); err != nil {
		w.failed = true
	}
}

func (w *walker) number(p Path, text string) any {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || InRange(v) != nil {
		w.Faults.Add(p, "found %s, want %s", Abbreviate(text), InRangeWords)
		return 0.0
	}
	return v
}

// locate returns the offset of the value at a Path of a valid text, or that of
// the innermost value on the way that is there.
func locate(data []byte, p Path) int {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	start := skipSpace(data, 0)
	for _, step := range p {
		token, err := dec.Token()
		if err != nil {
			return start
		}
		delim, _ := token.(json.Delim)
		key, isKey := step.(string)
		index, _ := step.(int)
		if delim != '{' && isKey || delim != '[' && !isKey {
			return start
		}
		found := false
		for i := 0; dec.More() && !found; i++ {
			if isKey {
				name, err := dec.Token()
				if err != nil {
					return start
				}
				found = name == key
			} else {
				found = i == index
			}
			if !found && skip(dec) != nil {
				return start
			}
		}
		if !found {
			return start
		}
		start = skipSpace(data, int(dec.InputOffset()))
	}
	return start
}

func skip(dec *json.Decoder) error {
	var raw json.RawMessage
	return dec.Decode(&raw)
}

// skipSpace returns the offset of the next value: what is in between is blank or
// a separator.
func skipSpace(data []byte, offset int) int {
	for offset < len(data) && bytes.IndexByte([]byte(" \t\r\n:,"), data[offset]) >= 0 {
		offset++
	}
	return offset
}
