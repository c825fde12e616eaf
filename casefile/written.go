package casefile

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile/template"
)

// written is the tree of a text with all that it says by rule written out: parameters, expressions
// and repetitions by package template, other files by [inclusion].
type written struct {
	file   string
	data   []byte
	source template.Source
	parts  map[string]origin // by the paths, of one or two steps, of what comes from other files
	// renamed are the names in it by those that they have where it is included; nil: it is not.
	renamed map[string]string
}

// origin is where a part of a tree comes from.
type origin struct {
	text *written
	path Path // there
}

// origin returns the text that a value of the tree is written in, and its path there.
func (w *written) origin(p Path) (*written, Path) {
	for n := min(2, len(p)); n > 0; n-- {
		if o, ok := w.parts[p[:n].String()]; ok {
			return o.text.origin(o.path.With(p[n:]...))
		}
	}
	if len(p) > 1 {
		if name, ok := p[1].(string); ok && w.renamed[name] != "" {
			p = Path{p[0], w.renamed[name]}.With(p[2:]...)
		}
	}
	return w, p
}

// position is the line and column of a value of the tree that is no other file's.
func (w *written) position(p Path) (line, column int) {
	return position(w.data, locate(w.data, template.Place(w.source, p)))
}

// expand writes out what a text says by rule; nil after a fault.
func expand(f *Faults, tree any) (any, *written) {
	w := &written{file: f.file, data: f.data, source: template.Source{Tree: tree,
		Keys: func(at []any) []string { return keysAt(f.data, at) }}}
	out, faults := template.Expand(w.source)
	for _, fault := range faults {
		f.addIn(fault.At, fault.Text)
	}
	if f.Any() {
		return nil, nil
	}
	f.written = w
	return out, w
}

// write keeps what the tree of the text says with all that it says by rule written out.
func (g *Grammar) write(c *Case, f *Faults, tree any) any {
	out, w := expand(f, tree)
	if f.Any() {
		return nil
	}
	if includes(out) {
		root := out.(map[string]any)
		model, _ := root["model"].(string)
		x := &inclusion{grammar: g, c: c, model: model, room: template.MostValues}
		x.into(f, root, w, []string{c.File})
		if f.Any() {
			return nil
		}
	}
	c.written = w
	var err error
	if c.document, err = json.Marshal(out); err != nil {
		panic("casefile: " + err.Error()) // a tree of what JSON has
	}
	return f.tree(c.document)
}
