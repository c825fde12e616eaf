package trajectory

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/quasistatic/quasistatic/incremental"
)

// parquetRow is one particle at one time.
type parquetRow struct {
	T        float64 `parquet:"t"`                  // [s]
	Particle string  `parquet:"particle,dict"`      // id
	X        float64 `parquet:"x"`                  // position [m], global
	Y        float64 `parquet:"y"`                  //
	Z        float64 `parquet:"z"`                  //
	N        float64 `parquet:"n"`                  // force of the obstacle [N], own frame
	TX       float64 `parquet:"tx"`                 //
	TY       float64 `parquet:"ty"`                 //
	Status   string  `parquet:"status,dict,snappy"` // free, grazing, stick, slip
}

// rowGroup is the number of rows that are held in memory.
const rowGroup = 1 << 16

type parquetSink struct {
	name string
	ids  []string
	file *os.File
	w    *parquet.GenericWriter[parquetRow]
	rows []parquetRow
}

func newParquet(name string, ids []string) (*parquetSink, error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".part-")
	if err != nil {
		return nil, err
	}
	return &parquetSink{name: name, ids: ids, file: f, rows: make([]parquetRow, len(ids)),
		w: parquet.NewGenericWriter[parquetRow](f, parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("quasistatic", "", ""))}, nil
}

// Put implements Sink.
func (s *parquetSink) Put(f *Frame) error {
	for j, id := range s.ids {
		x, r := f.X[3*j:3*j+3], f.Force[3*j:3*j+3]
		s.rows[j] = parquetRow{f.T, id, x[0], x[1], x[2], r[0], r[1], r[2], f.Status[j].String()}
	}
	_, err := s.w.Write(s.rows)
	return err
}

// Close implements Sink.
func (s *parquetSink) Close(fault error) error {
	if fault == nil {
		fault = s.w.Close()
	}
	return replace(s.file, s.name, fault)
}

type parquetSource struct {
	name string
	file *os.File
	r    *parquet.GenericReader[parquetRow]
	ids  []string
	rows []parquetRow
	t    float64 // of the frame before
	node int
}

// openParquet opens a Parquet file of ours, of the particles ids.
func openParquet(name string, ids []string) (src Source, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	defer func() {
		// The package panics on some files that are damaged.
		if p := recover(); p != nil {
			err = fmt.Errorf("trajectory: %s: not a Parquet file of a run: %v", name, p)
		}
		if err != nil {
			_ = file.Close() // read only
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	p, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("trajectory: %s: not a Parquet file: %w", name, err)
	}
	for _, column := range parquet.SchemaOf(parquetRow{}).Columns() {
		if _, ok := p.Schema().Lookup(column...); !ok {
			return nil, fmt.Errorf("trajectory: %s has no column %q: is it from quasistatic export?", name, column[0])
		}
	}
	if p.NumRows()%int64(len(ids)) != 0 {
		return nil, fmt.Errorf("trajectory: %s has %d rows, want a multiple of the %d particles of the case", name, p.NumRows(), len(ids))
	}
	return &parquetSource{name: name, file: file, r: parquet.NewGenericReader[parquetRow](p), ids: ids, rows: make([]parquetRow, len(ids)), t: math.Inf(-1)}, nil
}

// Next implements Source.
func (s *parquetSource) Next(f *Frame) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("trajectory: %s: damaged after node %d: %v", s.name, s.node, p)
		}
	}()
	for got := 0; got < len(s.rows); {
		n, err := s.r.Read(s.rows[got:])
		got += n
		switch {
		case err == io.EOF && got == 0:
			return io.EOF
		case err != nil && err != io.EOF, got < len(s.rows) && n == 0:
			return fmt.Errorf("trajectory: %s: node %d is cut off: %v", s.name, s.node, err)
		}
	}
	s.node++
	return s.fill(f)
}

// fill copies the rows of one time.
func (s *parquetSource) fill(f *Frame) error {
	f.T = s.rows[0].T
	if !(f.T >= s.t) {
		return fmt.Errorf("trajectory: %s: the time %g follows %g, want times that do not decrease", s.name, f.T, s.t)
	}
	s.t = f.T
	for j := range s.rows {
		r := &s.rows[j]
		if r.T != f.T || r.Particle != s.ids[j] {
			return fmt.Errorf("trajectory: %s: node %d: found the particle %q at t=%g, want %q at t=%g", s.name, s.node-1, clip(r.Particle), r.T, s.ids[j], f.T)
		}
		values := []float64{r.X, r.Y, r.Z, r.N, r.TX, r.TY}
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("trajectory: %s: particle %q at t=%g: found %g, want finite numbers", s.name, r.Particle, r.T, v)
			}
		}
		copy(f.X[3*j:], values[:3])
		copy(f.Force[3*j:], values[3:])
		var err error
		if f.Status[j], err = incremental.ParseContactState(r.Status); err != nil {
			return fmt.Errorf("trajectory: %s: t=%g: %w", s.name, r.T, err)
		}
	}
	return nil
}

// Close implements Source.
func (s *parquetSource) Close() error {
	_ = s.r.Close() // read only
	return s.file.Close()
}
