package files

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// strict decodes JSON of which nothing may be ignored: keys must be known, kinds and lengths those of into.
func strict(text []byte, into any) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if err := conform("$", value, reflect.TypeOf(into).Elem()); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// conform compares a decoded value with the type that it is for.
func conform(path string, value any, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) { // it says itself what is wrong
		return nil
	}
	want := func(what string) error { return fmt.Errorf("%s: found %s, want %s", path, found(value), what) }
	switch t.Kind() {
	case reflect.Struct:
		object, ok := value.(map[string]any)
		if !ok {
			return want("an object")
		}
		return members(path, object, t)
	case reflect.Map:
		object, ok := value.(map[string]any)
		if !ok {
			return want("an object")
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if err := conform(path+"."+key, object[key], t.Elem()); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		list, ok := value.([]any)
		if !ok {
			return want("a list")
		}
		if t.Kind() == reflect.Array && len(list) != t.Len() {
			return want(fmt.Sprintf("a list of %d", t.Len()))
		}
		for i, v := range list {
			if err := conform(fmt.Sprintf("%s[%d]", path, i), v, t.Elem()); err != nil {
				return err
			}
		}
	case reflect.Float64:
		if _, ok := value.(float64); !ok {
			return want("a number")
		}
	case reflect.Int:
		if x, ok := value.(float64); !ok || x != math.Trunc(x) || math.Abs(x) > 1e9 { // of an int on any machine
			return want("a whole number")
		}
	case reflect.String:
		if _, ok := value.(string); !ok {
			return want("a text")
		}
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			return want("true or false")
		}
	default:
		panic("files.conform: " + t.String())
	}
	return nil
}

// members compares an object with the fields of a struct, embedded ones included.
func members(path string, object map[string]any, t reflect.Type) error {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields[name] = f.Type
		}
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		f, ok := fields[key]
		if !ok {
			valid := slices.Sorted(maps.Keys(fields))
			return fmt.Errorf("%s.%s: there is no such key%s", path, key, nearest.Hint(key, valid))
		}
		if err := conform(path+"."+key, object[key], f); err != nil {
			return err
		}
	}
	return nil
}

// found says in a few words what a value is.
func found(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "an object"
	case string:
		return fmt.Sprintf("%.40q", v)
	}
	return fmt.Sprint(value)
}
