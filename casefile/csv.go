package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/table"
)

// csvTable reads a signal of n components from a file beside the case; nil after a fault.
func (b *Builder) csvTable(p Path, d *signalDocument, n int) signal.Vector {
	names, ok := b.csvColumns(p.With("value"), d.Value, n)
	if !ok {
		return nil
	}
	f, err := b.Open(d.CSV)
	if err != nil {
		b.Add(p.With("csv"), "%v", err)
		return nil
	}
	defer f.Close() // read only: nothing can be lost
	extent, err := signal.Measure(f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if !b.Accept(p.With("csv"), err) || !b.Accept(p.With("csv"), b.roomFor(f.Name(), n, extent)) {
		return nil
	}
	times, columns, err := signal.ReadCSV(f, d.Time, names, extent.Rows)
	if e, ok := errors.AsType[*signal.CSVError](err); ok {
		b.Add(p.With("csv"), "%s:%d:%d: %s", f.Name(), e.Line, e.Column, b.Quoted(e.Text))
		return nil
	}
	if err != nil {
		b.Add(p.With("csv"), "%s: %s", f.Name(), b.Quoted(err.Error()))
		return nil
	}
	if !b.rowsInRange(p.With("csv"), f.Name(), append([]string{d.Time}, names...), append([][]float64{times}, columns...)) {
		return nil
	}
	v := make(signal.Vector, n)
	for c, values := range columns {
		if v[c], err = signal.TableOf(times, values); err != nil {
			b.Add(p.With("csv"), "%s: column %q: %s", f.Name(), names[c], b.Quoted(err.Error()))
			return nil
		}
		b.keep(p.With("csv"), v[c])
	}
	return v
}

// rowsInRange looks at the size of the numbers of a file.
func (b *Builder) rowsInRange(p Path, file string, names []string, columns [][]float64) bool {
	for c, values := range columns {
		for k, v := range values {
			if err := InRange(v); err != nil {
				b.Add(p, "%s: row %d of the column %q: %s", file, k+1, names[c], b.Quoted(err.Error()))
				return false
			}
		}
	}
	return true
}

// Quoted is a text about what stands in a file, or where the case is [Case.Reserved] that it is not
// as it should be.
func (b *Builder) Quoted(text string) string {
	if b.Case.Reserved {
		return reservedText
	}
	return text
}

// reservedText stands for what is wrong in a file that is not quoted.
const reservedText = "what stands there is not as it should be; quasistatic check says more where the file is"

// roomFor refuses a table of n columns that takes more than the limit, with the tables before it.
func (b *Builder) roomFor(name string, n int, e signal.Extent) error {
	const number, text = 8, 3 // bytes of a number, copies of a row while it is read
	var need memory.Estimate
	need.Add("tables of files before", b.tables)
	rows := memory.Product(int64(e.Rows), int64(1+2*n), number) // times, values, slopes
	need.Add(fmt.Sprintf("%d rows of %s", e.Rows, filepath.Base(name)), rows)
	need.Add("its longest row", memory.Product(int64(e.Longest), text))
	b.tables = memory.Sum(b.tables, rows)
	return b.Limit.Check(need, "give fewer rows")
}

// csvColumns decodes one name, or n names.
func (b *Builder) csvColumns(p Path, raw json.RawMessage, n int) (names []string, ok bool) {
	if raw == nil {
		b.Add(p, "the key is missing, want the name of a column, or a list of them")
		return nil, false
	}
	names, _ = b.OneOrMore(p, raw)
	switch {
	case len(names) != n && n == 1:
		b.Add(p, "found %d columns, want one", len(names))
	case len(names) != n:
		b.Add(p, "found %d columns, want %d, one a component", len(names), n)
	default:
		return names, true
	}
	return nil, false
}

// Open opens a file that the case names. It must lie beside the case or below it, for a run
// copies it to where its results are, and have the name of none of these.
func (b *Builder) Open(name string) (*os.File, error) {
	full := filepath.Join(b.Dir(), name)
	info, err := os.Stat(full)
	switch {
	case !filepath.IsLocal(name):
		return nil, fmt.Errorf("found %q, want a file beside the case or below it", Abbreviate(name))
	case table.IsResult(filepath.Clean(name)):
		return nil, fmt.Errorf("found %q, the name of a file that runs write, want another one", Abbreviate(name))
	case err != nil:
		return nil, fmt.Errorf("cannot read the file %q", full)
	case !info.Mode().IsRegular():
		return nil, notRegular(full)
	}
	f, err := os.Open(full)
	if err == nil && !slices.Contains(b.Files, name) {
		b.Files = append(b.Files, name)
	}
	return f, err
}
