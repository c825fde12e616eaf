package casefile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/table"
)

// includeKey is that of the list of files whose parts a case takes over.
const includeKey = "include"

// Keys of an entry of it.
const (
	fileKey       = "file"       // beside or below the file that names it
	prefixKey     = "prefix"     // of all names that the file gives
	sharedKey     = "shared"     // names that have no prefix, for they are those of all
	parametersKey = "parameters" // in place of those of the file
)

// ofTheRun are keys of a case that say what is done with it. A file that is included has no run of
// its own: it may have them, so that it can be run alone.
var ofTheRun = []string{"$schema", "name", "description", "model", "until", "steps", "step", "times", "adaptive",
	"accuracy", "accept", "output", "expect", "reference", "solver"}

// pathKeys are those whose values are names of files, relative to the file that has them.
var pathKeys = []string{"csv", "file"}

// mostDeep is how many files may include one another: a finger of a hand of an arm of a robot.
const mostDeep = 8

// inclusion puts the parts of other files into a case:
//
//	objects of entries by name (obstacles, friction, …)   join, with the prefix before names
//	lists of objects (bodies, joints, energies, …)        follow those of the case
//	[ofTheRun]                                            stay with the file
//	other keys (gravity, material, …)                     are taken over where the case has none, and
//	                                                      must be the same where it has
//
// A text of the file that is one of the names it gives becomes that with the prefix, wherever the
// format has no fixed words. What the file names and does not give is the case's.
type inclusion struct {
	grammar *Grammar
	c       *Case
	model   string
	room    int // values that may still be taken in
}

// includes reports whether a tree has files to include.
func includes(tree any) bool {
	root, ok := tree.(map[string]any)
	_, there := root[includeKey]
	return ok && there
}

// include is an entry of the list.
type include struct {
	file, prefix string
	shared       []string
	parameters   map[string]any
}

// into includes the files of a root; within are those that it is itself included by, and it.
func (x *inclusion) into(f *Faults, root map[string]any, w *written, within []string) {
	list, ok := root[includeKey].([]any)
	if !ok {
		f.Add(Path{includeKey}, "found %s, want a list, for instance [{\"file\": \"arm.json\", \"prefix\": \"left_\"}]",
			show(root[includeKey]))
		return
	}
	delete(root, includeKey)
	if w.parts == nil {
		w.parts = map[string]origin{}
	}
	for i, entry := range list {
		p := Path{includeKey, i}
		e, ok := entryOf(f, p, entry)
		if !ok {
			continue
		}
		if part, text := x.read(f, p, e, w, within); part != nil {
			x.join(f, p, root, part, w, text)
		}
		if f.Any() {
			return // faults of one file are often those of the next
		}
	}
}

// entryOf reads an entry of the list.
func entryOf(f *Faults, p Path, entry any) (e include, ok bool) {
	o, isObject := entry.(map[string]any)
	if !isObject {
		f.Add(p, "found %s, want an object, for instance {\"file\": \"arm.json\", \"prefix\": \"left_\"}", show(entry))
		return e, false
	}
	before := f.Len()
	valid := []string{fileKey, parametersKey, prefixKey, sharedKey}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		v, at, fits := o[key], p.With(key), true
		switch key {
		case fileKey:
			e.file, fits = v.(string)
		case prefixKey:
			e.prefix, fits = v.(string)
		case parametersKey:
			e.parameters, fits = v.(map[string]any)
		case sharedKey:
			var list []any
			list, fits = v.([]any)
			for _, name := range list {
				text, isText := name.(string)
				fits = fits && isText
				e.shared = append(e.shared, text)
			}
		default:
			if guess := nearest.Word(key, valid); guess != "" {
				f.Add(at, "unknown key %q, the nearest valid one is %q", Abbreviate(key), guess)
			} else {
				f.Add(at, "unknown key %q, valid ones are %s", Abbreviate(key), strings.Join(valid, ", "))
			}
		}
		if !fits {
			want := map[string]string{fileKey: "the name of a file", prefixKey: "a text", sharedKey: "a list of names",
				parametersKey: "names with values"}
			f.Add(at, "found %s, want %s", show(v), want[key])
		}
	}
	if _, there := o[fileKey]; !there {
		f.Add(p, "the key %q is missing", fileKey)
	}
	return e, f.Len() == before
}

// read reads a file of an entry with all that it includes; nil after a fault.
func (x *inclusion) read(f *Faults, p Path, e include, w *written, within []string) (map[string]any, *written) {
	at := p.With(fileKey)
	name := path.Join(path.Dir(x.relative(w.file)), filepath.ToSlash(e.file))
	full := filepath.Join(filepath.Dir(x.c.File), filepath.FromSlash(name))
	switch info, err := os.Stat(full); {
	case !filepath.IsLocal(filepath.FromSlash(name)) || filepath.IsAbs(e.file):
		f.Add(at, "found %q, want a file beside the case or below it", Abbreviate(e.file))
	case table.IsResult(name):
		f.Add(at, "found %q, the name of a file that runs write, want another one", Abbreviate(e.file))
	case slices.Contains(within, full) || full == filepath.Clean(x.c.File):
		f.Add(at, "found %q, which includes itself: %s", Abbreviate(e.file),
			strings.Join(append(within[:len(within):len(within)], full), " → "))
	case len(within) > mostDeep:
		f.Add(at, "found %q within %d files that include one another, want at most %d", Abbreviate(e.file), len(within), mostDeep)
	case errors.Is(err, fs.ErrNotExist):
		f.Add(at, "found %q, and no such file: %s", Abbreviate(e.file), full)
	case err != nil || !info.Mode().IsRegular():
		f.Add(at, "found %q, which is no file that can be read", Abbreviate(e.file))
	default:
		data, err := ReadFile(full, 0)
		if err != nil {
			f.Add(at, "%v", err)
			return nil, nil
		}
		if !slices.Contains(x.c.included, name) {
			x.c.included = append(x.c.included, name)
		}
		own := &Faults{file: full, data: data}
		root, text := x.parse(own, e, append(within[:len(within):len(within)], full))
		if err := own.Err(); err != nil {
			found, _ := errors.AsType[*Error](err)
			if x.c.Reserved {
				f.Add(at, "%s: %s", full, reservedText)
				return nil, nil
			}
			f.adopt(found)
			return nil, nil
		}
		if x.room -= valuesIn(root); x.room < 0 {
			f.Add(at, "the case grows beyond a million values here")
			return nil, nil
		}
		return root, text
	}
	return nil, nil
}

// relative is the name of a file beside the case.
func (x *inclusion) relative(file string) string {
	name, err := filepath.Rel(filepath.Dir(x.c.File), file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

// parse reads the tree of a file, with the parameters of an entry.
func (x *inclusion) parse(f *Faults, e include, within []string) (map[string]any, *written) {
	tree := f.parse()
	root, ok := tree.(map[string]any)
	if !f.Any() && !ok {
		f.Add(nil, "found %s, want an object with parts of a case", show(tree))
	}
	if f.Any() {
		return nil, nil
	}
	own, _ := root[parametersKey].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(e.parameters)) {
		if _, there := own[name]; !there {
			text := fmt.Sprintf("the file that includes it sets the parameter %q, which is not there", Abbreviate(name))
			if guess := nearest.Word(name, slices.Sorted(maps.Keys(own))); guess != "" {
				text += fmt.Sprintf("; the nearest one is %q", guess)
			}
			f.Add(Path{parametersKey}, "%s", text)
			return nil, nil
		}
		own[name] = e.parameters[name]
	}
	out, w := expand(f, root)
	if f.Any() {
		return nil, nil
	}
	root = out.(map[string]any)
	if model, there := root["model"]; there && model != x.model {
		f.Add(Path{"model"}, "found %s, want %q, that of the case which includes it", show(model), x.model)
	}
	if includes(root) && !f.Any() {
		x.into(f, root, w, within)
	}
	if !f.Any() {
		x.rename(f, root, e, w)
	}
	return root, w
}

// valuesIn is the number of values of a tree.
func valuesIn(tree any) (n int) {
	switch v := tree.(type) {
	case map[string]any:
		for _, part := range v {
			n += valuesIn(part)
		}
	case []any:
		for _, part := range v {
			n += valuesIn(part)
		}
	}
	return n + 1
}

// rename puts the prefix before the names that a file gives, wherever they stand, and makes the
// names of its files relative to the file that includes it.
func (x *inclusion) rename(f *Faults, root map[string]any, e include, w *written) {
	n := &renaming{rules: x.grammar.of(x.model, nil), names: map[string]bool{}, prefix: e.prefix,
		folder: path.Dir(filepath.ToSlash(e.file))}
	n.schemas = n.rules.meant([]*jsonschema.Schema{n.rules.Schema()})
	for _, key := range slices.Sorted(maps.Keys(root)) {
		switch v := root[key].(type) {
		case map[string]any:
			if n.named(Path{key}) {
				for name := range v {
					n.names[name] = true
				}
			}
		case []any:
			for _, entry := range v {
				if o, ok := entry.(map[string]any); ok {
					if id, ok := o["id"].(string); ok {
						n.names[id] = true
					}
				}
			}
		}
	}
	for _, name := range e.shared {
		if !n.names[name] {
			f.Add(nil, "the file that includes it shares the name %q, which it does not give%s", Abbreviate(name),
				nearest.Hint(name, slices.Sorted(maps.Keys(n.names))))
		}
		delete(n.names, name)
	}
	for _, key := range slices.Sorted(maps.Keys(root)) {
		if slices.Contains(ofTheRun, key) {
			delete(root, key)
			continue
		}
		root[key] = n.value(Path{key}, root[key])
	}
	if len(root) == 0 && !f.Any() {
		f.Add(nil, "the file gives nothing that a case takes over: no entries by name, no lists of entries, no other keys than %s",
			strings.Join(ofTheRun, ", "))
	}
	n.moveOrigins(w)
	w.renamed = map[string]string{}
	for name := range n.names {
		w.renamed[n.prefix+name] = name
	}
}

// renaming is what becomes of the names of a file.
type renaming struct {
	rules   *rules
	schemas []*jsonschema.Schema // of the root
	names   map[string]bool      // that have a prefix
	prefix  string
	folder  string // of the file
}

// at are the schemas of a path.
func (n *renaming) at(p Path) []*jsonschema.Schema {
	list := n.schemas
	for _, part := range p {
		list = n.rules.below(list, part)
	}
	return list
}

// named reports whether the keys of the object at a path are names.
func (n *renaming) named(p Path) bool {
	names := false
	for _, s := range n.at(p) {
		if len(s.Properties) > 0 {
			return false
		}
		names = names || s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil && s.PropertyNames != nil
	}
	return names
}

// fixed reports whether the format has a fixed word at a path.
func (n *renaming) fixed(p Path, word string) bool {
	return slices.ContainsFunc(n.at(p), func(s *jsonschema.Schema) bool {
		return slices.Contains(s.Enum, any(word)) || s.Const != nil && *s.Const == any(word)
	})
}

// value renames within a value.
func (n *renaming) value(p Path, v any) any {
	switch v := v.(type) {
	case string:
		key, _ := p[len(p)-1].(string)
		switch {
		case slices.Contains(pathKeys, key):
			return path.Join(n.folder, filepath.ToSlash(v))
		case n.names[v] && key != "description" && !n.fixed(p, v):
			return n.prefix + v
		}
	case []any:
		for i := range v {
			v[i] = n.value(p.With(i), v[i])
		}
	case map[string]any:
		names := n.named(p)
		out := make(map[string]any, len(v))
		for key, part := range v {
			to := key
			if names && n.names[key] {
				to = n.prefix + key
			}
			out[to] = n.value(p.With(key), part)
		}
		return out
	}
	return v
}

// moveOrigins renames where the names of files within the file come from.
func (n *renaming) moveOrigins(w *written) {
	parts := make(map[string]origin, len(w.parts))
	for at, o := range w.parts {
		p, _ := ParsePath(at) // as Path.String writes them
		if len(p) == 2 {
			if name, ok := p[1].(string); ok && n.names[name] {
				p = Path{p[0], n.prefix + name}
			}
		}
		parts[p.String()] = o
	}
	w.parts = parts
}

// join puts the parts of a file into a root.
func (x *inclusion) join(f *Faults, p Path, root, part map[string]any, w, text *written) {
	for _, key := range slices.Sorted(maps.Keys(part)) {
		at := Path{key}
		switch v := part[key].(type) {
		case []any:
			if own, both := root[key].([]any); isCollection(v) && (both && isCollection(own) || root[key] == nil) {
				for i := range v {
					w.parts[at.With(len(own)+i).String()] = origin{text, at.With(i)}
				}
				root[key] = slices.Concat(own, v)
				continue
			}
		case map[string]any:
			own, both := root[key].(map[string]any)
			n := &renaming{rules: x.grammar.of(x.model, nil)}
			n.schemas = n.rules.meant([]*jsonschema.Schema{n.rules.Schema()})
			if n.named(at) && (both || root[key] == nil) {
				if own == nil {
					own = map[string]any{}
					root[key] = own
				}
				x.joinNames(f, p, at, own, v, w, text)
				continue
			}
		}
		switch own, there := root[key]; {
		case !there:
			root[key] = part[key]
			w.parts[at.String()] = origin{text, at}
		case !reflect.DeepEqual(own, part[key]):
			f.Add(p.With(fileKey), "%s of %s is %s, and %s here: want the same, or none in one of them", at,
				x.relative(text.file), x.quoted(show(part[key])), show(own))
		}
	}
}

// joinNames puts entries by name into those of a case.
func (x *inclusion) joinNames(f *Faults, p, at Path, own, part map[string]any, w, text *written) {
	for _, name := range slices.Sorted(maps.Keys(part)) {
		switch had, there := own[name]; {
		case !there:
			own[name] = part[name]
			w.parts[at.With(name).String()] = origin{text, at.With(name)}
		case !reflect.DeepEqual(had, part[name]):
			f.Add(p.With(fileKey), "%s of %s is there already, and not the same: want a %q, or one of them",
				at.With(name), x.relative(text.file), prefixKey)
		}
	}
}

// quoted is what stands in a file, for a message.
func (x *inclusion) quoted(text string) string {
	if x.c.Reserved {
		return "not as here"
	}
	return text
}

// isCollection reports whether a list is one of entries, not of numbers.
func isCollection(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(map[string]any); return !ok })
}
