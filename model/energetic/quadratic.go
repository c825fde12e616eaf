package energetic

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// quadratic decodes ½ dᵀAd − f(t)ᵀd.
func (b *builder) quadratic(p casefile.Path, raw json.RawMessage) {
	var d struct {
		Particles []string        `json:"particles"`
		Matrix    json.RawMessage `json:"matrix"`
		Force     json.RawMessage `json:"force"`
	}
	if !b.Decode(p, raw, &d) {
		return
	}
	numbers := make([]int, 0, len(d.Particles))
	var ref []float64
	seen := map[int]bool{}
	for i, id := range d.Particles {
		j, ok := b.lookup(p.With("particles", i), id)
		if ok && seen[j] {
			b.Add(p.With("particles", i), "the particle %q is listed twice", id)
		}
		seen[j] = true
		if ok {
			numbers, ref = append(numbers, j), append(ref, b.at[3*j:3*j+3]...)
		}
	}
	n := 3 * len(d.Particles)
	entries, ok := b.entries(p.With("matrix"), d.Matrix, n)
	var force signal.Vector
	if d.Force != nil {
		if force = b.Vector(p.With("force"), d.Force, n); force == nil {
			ok = false
		}
	}
	if !ok || len(numbers) != len(d.Particles) || b.Any() {
		return
	}
	e, err := particles.NewQuadratic(numbers, ref, entries, force)
	if err != nil {
		b.Add(p.With("matrix"), "%v", err)
		return
	}
	b.terms.quadratic = append(b.terms.quadratic, e)
}

// entries reads a matrix of order n, inline or from a file.
func (b *builder) entries(p casefile.Path, raw json.RawMessage, n int) ([]particles.Entry, bool) {
	if raw[0] == '{' {
		var d struct {
			File string `json:"file"`
		}
		if !b.Decode(p, raw, &d) {
			return nil, false
		}
		return b.matrixFile(p.With("file"), d.File, n)
	}
	var rows [][]float64
	if !b.Decode(p, raw, &rows) {
		return nil, false
	}
	if len(rows) != n {
		b.Add(p, "found %d rows, want %d: three for each particle", len(rows), n)
		return nil, false
	}
	for r, row := range rows {
		if len(row) != n {
			b.Add(p.With(r), "found %d numbers, want %d", len(row), n)
			return nil, false
		}
	}
	entries, err := particles.DenseEntries(rows)
	if err != nil {
		b.Add(p, "%v", err)
	}
	return entries, err == nil
}

// matrixFile reads a Matrix Market file beside the case. It must lie there, for a
// run copies it to where its results are.
func (b *builder) matrixFile(p casefile.Path, name string, n int) ([]particles.Entry, bool) {
	if !filepath.IsLocal(name) {
		b.Add(p, "found %q, want a file beside the case or below it", casefile.Abbreviate(name))
		return nil, false
	}
	full := filepath.Join(b.Dir(), name)
	if !b.Accept(p, b.Readable(full)) {
		return nil, false
	}
	file, err := os.Open(full)
	if err != nil {
		b.Add(p, "cannot read the file: %v", err)
		return nil, false
	}
	defer file.Close() // read only: nothing can be lost
	order, entries, err := readMatrixMarket(file)
	switch {
	case err != nil:
		b.Add(p, "%s: %s", full, b.Quoted(err.Error()))
		return nil, false
	case order != n:
		b.Add(p, "%s: the matrix has order %d, want %d: three for each particle", full, order, n)
		return nil, false
	}
	b.Files = append(b.Files, name)
	return entries, true
}
