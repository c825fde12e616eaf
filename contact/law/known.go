package law

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// known are the laws that files may name, by the names of their types in lower
// case.
var known []Law

func init() { // a literal would refer to itself through Compliant, which has a law in it
	known = []Law{
		Frictionless{},
		Bilateral{},
		Coulomb{},
		Associated{},
		Tresca{},
		Pyramid{},
		Cohesive{},
		Compliant{},
		Rolling{},
	}
}

// strict decodes an object without keys that are not asked for.
func strict(data []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(dst)
}

// name is what a file calls the law.
func name(l Law) string {
	t := reflect.TypeOf(l)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.ToLower(t.Name())
}

// Names returns the names of the laws that [Unmarshal] knows.
func Names() []string {
	var all []string
	for _, l := range known {
		all = append(all, name(l))
	}
	return all
}

// Marshal writes a law as a JSON object: its name as "type", then its parameters.
func Marshal(l Law) ([]byte, error) {
	for _, k := range known {
		if name(k) != name(l) {
			continue
		}
		fields, err := json.Marshal(l)
		if err != nil {
			return nil, err
		}
		head := fmt.Sprintf("{%q:%q", "type", name(l))
		if string(fields) != "{}" {
			head += ","
		}
		return append([]byte(head), fields[1:]...), nil
	}
	return nil, fmt.Errorf("law %T has no name in files", l)
}

// Unmarshal reads what [Marshal] writes. A parameter that is missing is zero; one
// that the law does not have is an error.
func Unmarshal(data []byte) (Law, error) {
	var head struct{ Type string }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	for _, k := range known {
		if name(k) != head.Type {
			continue
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
		delete(fields, "type")
		rest, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		value := reflect.New(reflect.TypeOf(k))
		if err := strict(rest, value.Interface()); err != nil {
			return nil, fmt.Errorf("law %s: %w", head.Type, err)
		}
		l := value.Elem().Interface().(Law)
		return l, l.Validate()
	}
	return nil, fmt.Errorf("type %q, want one of %s", head.Type, strings.Join(Names(), ", "))
}
