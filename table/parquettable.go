//go:build !js

package table

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// parquetColumn is a column of a Parquet table: words, or numbers, of which an
// optional column may lack some.
type parquetColumn struct {
	name           string
	word, optional bool
}

// parquetTable is the schema of a table: its columns in order.
type parquetTable []parquetColumn

// orderedGroup is a group that keeps the order of its columns, which the package
// sorts by name.
type orderedGroup struct {
	parquet.Group
	order []string
}

// Fields implements parquet.Node.
func (g orderedGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.order, a.Name()) - slices.Index(g.order, b.Name())
	})
	return fields
}

func (t parquetTable) schema() *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
	for _, c := range t {
		node := parquet.Leaf(parquet.DoubleType)
		switch {
		case c.word:
			node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		case c.optional:
			node = parquet.Optional(node)
		}
		g.Group[c.name] = node
		g.order = append(g.order, c.name)
	}
	return parquet.NewSchema("run", g)
}

// rowGroup is the number of rows that are held in memory.
const rowGroup = 1 << 16

// parquetWriter writes a table row by row beside its final name.
type parquetWriter struct {
	table parquetTable
	name  string
	file  *os.File
	w     *parquet.GenericWriter[any]
	rows  [1]parquet.Row
}

// newParquetWriter begins a file; units are JSON, its metadatum of that name, unless empty.
func newParquetWriter(name string, table parquetTable, units string) (*parquetWriter, error) {
	f, err := createPart(name)
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{table.schema(), parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("quasistatic", "", "")}
	if units != "" {
		options = append(options, parquet.KeyValueMetadata("units", units))
	}
	return &parquetWriter{table: table, name: name, file: f, w: parquet.NewGenericWriter[any](f, options...)}, nil
}

// begin begins a row; word, number and none add its values, put writes it.
func (w *parquetWriter) begin() { w.rows[0] = w.rows[0][:0] }

func (w *parquetWriter) word(text string) {
	w.rows[0] = append(w.rows[0], parquet.ByteArrayValue([]byte(text)).Level(0, 0, len(w.rows[0])))
}

func (w *parquetWriter) number(v float64) {
	k, defined := len(w.rows[0]), 0
	if w.table[k].optional {
		defined = 1
	}
	w.rows[0] = append(w.rows[0], parquet.DoubleValue(v).Level(0, defined, k))
}

// none leaves the value of an optional column out.
func (w *parquetWriter) none() {
	w.rows[0] = append(w.rows[0], parquet.NullValue().Level(0, 0, len(w.rows[0])))
}

func (w *parquetWriter) put() error {
	_, err := w.w.WriteRows(w.rows[:])
	return err
}

// close finishes the file and gives it its name, or removes it after a fault.
func (w *parquetWriter) close(fault error) error {
	if fault == nil {
		fault = w.w.Close()
	}
	return replace(w.file, w.name, true, fault)
}

// parquetReader reads the rows of a table.
type parquetReader struct {
	table   parquetTable
	name    string
	file    *os.File
	r       *parquet.GenericReader[any]
	column  []int // of each column in the file
	buffer  []parquet.Row
	have    int // rows in the buffer …
	at      int // … of which these were read
	total   int64
	read    int64
	ordered []parquet.Value
}

// openParquetTable opens a Parquet file that has the columns of the table; it may have
// others.
func openParquetTable(name string, table parquetTable) (r *parquetReader, err error) {
	file, err := regular.Open(name)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	defer func() {
		// The package panics on some files that are damaged.
		if p := recover(); p != nil {
			err = fmt.Errorf("table: %s: not a Parquet file of a run: %v", name, p)
		}
		if err != nil {
			_ = file.Close() // read only
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	p, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("table: %s: not a Parquet file: %w", name, err)
	}
	r = &parquetReader{table: table, name: name, file: file, total: p.NumRows(), buffer: make([]parquet.Row, 256)}
	for _, c := range table {
		leaf, ok := p.Schema().Lookup(c.name)
		if !ok {
			return nil, fmt.Errorf("table: %s has no column %q: is it from quasistatic export?", name, c.name)
		}
		if want := map[bool]parquet.Kind{false: parquet.Double,
			true: parquet.ByteArray}[c.word]; leaf.Node.Type().Kind() != want || leaf.MaxRepetitionLevel > 0 {
			return nil, fmt.Errorf("table: %s: column %q holds %s, want %s", name, c.name, leaf.Node.Type().Kind(), want)
		}
		r.column = append(r.column, leaf.ColumnIndex)
	}
	r.ordered = make([]parquet.Value, len(table))
	r.r = parquet.NewGenericReader[any](p)
	return r, nil
}

// next returns the values of the next row, in the order of the table; they are valid
// until the next call.
func (r *parquetReader) next() (row []parquet.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("table: %s: damaged after row %d: %v", r.name, r.read, p)
		}
	}()
	if r.at == r.have {
		r.have, err = r.r.ReadRows(r.buffer)
		r.at = 0
		switch {
		case r.have > 0:
		case err == io.EOF && r.read == r.total:
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("table: %s: row %d is cut off: %v", r.name, r.read, err)
		}
	}
	for i := range r.ordered {
		r.ordered[i] = parquet.NullValue()
	}
	for _, v := range r.buffer[r.at] {
		if i := slices.Index(r.column, v.Column()); i >= 0 {
			r.ordered[i] = v
		}
	}
	for i, c := range r.table {
		if !c.optional && r.ordered[i].IsNull() {
			return nil, fmt.Errorf("table: %s: row %d has no %s", r.name, r.read, c.name)
		}
	}
	r.at++
	r.read++
	return r.ordered, nil
}

func (r *parquetReader) close() error {
	_ = r.r.Close() // read only
	return r.file.Close()
}
