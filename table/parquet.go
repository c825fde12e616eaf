package table

import (
	"fmt"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/incremental"
)

// particleTable has one row a time and particle: the time [s], the id, the position,
// global [m], the force of the obstacle in the particle's own frame [N], and free,
// grazing, stick or slip.
var particleTable = parquetTable{{name: "t"}, {name: "particle", word: true}, {name: "x"}, {name: "y"}, {name: "z"},
	{name: "n"}, {name: "tx"}, {name: "ty"}, {name: "status", word: true}}

type parquetSink struct {
	*parquetWriter
	ids []string
}

func newParquet(name string, ids []string) (*parquetSink, error) {
	w, err := newParquetWriter(name, particleTable)
	return &parquetSink{w, ids}, err
}

// Put implements Sink.
func (s *parquetSink) Put(f *Frame) error {
	for j, id := range s.ids {
		s.begin()
		s.number(f.T)
		s.word(id)
		for _, list := range [][]float64{f.X, f.Force} {
			for _, v := range list[3*j : 3*j+3] {
				s.number(v)
			}
		}
		s.word(f.Status[j].String())
		if err := s.put(); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Sink.
func (s *parquetSink) Close(fault error) error { return s.close(fault) }

type parquetSource struct {
	*parquetReader
	ids  []string
	t    float64 // of the frame before
	node int
}

// openParquet opens a Parquet file of ours, of the particles ids.
func openParquet(name string, ids []string) (Source, error) {
	r, err := openParquetTable(name, particleTable)
	if err != nil {
		return nil, err
	}
	if r.total%int64(len(ids)) != 0 {
		_ = r.close() // read only
		return nil, fmt.Errorf("table: %s has %d rows, want a multiple of the %d particles of the case", name, r.total, len(ids))
	}
	return &parquetSource{parquetReader: r, ids: ids, t: math.Inf(-1)}, nil
}

// Next implements Source.
func (s *parquetSource) Next(f *Frame) error {
	for j, id := range s.ids {
		row, err := s.next()
		if err != nil {
			if err == io.EOF && j > 0 {
				err = fmt.Errorf("table: %s: node %d is cut off", s.name, s.node)
			}
			return err
		}
		t, particle := row[0].Double(), string(row[1].ByteArray())
		if j == 0 {
			if !(t >= s.t) {
				return fmt.Errorf("table: %s: the time %g follows %g, want times that do not decrease", s.name, t, s.t)
			}
			s.t, f.T = t, t
		}
		if t != f.T || particle != id {
			return fmt.Errorf("table: %s: node %d: found the particle %q at t=%g, want %q at t=%g", s.name, s.node, clip(particle), t, id, f.T)
		}
		for c := range 3 {
			f.X[3*j+c], f.Force[3*j+c] = row[2+c].Double(), row[5+c].Double()
		}
		for _, list := range [][]float64{f.X, f.Force} {
			if err := allFinite(list[3*j : 3*j+3]); err != nil {
				return fmt.Errorf("table: %s: particle %q at t=%g: %w", s.name, id, t, err)
			}
		}
		if f.Status[j], err = incremental.ParseContactState(string(row[8].ByteArray())); err != nil {
			return fmt.Errorf("table: %s: t=%g: %w", s.name, t, err)
		}
	}
	s.node++
	return nil
}

// Close implements Source.
func (s *parquetSource) Close() error { return s.close() }
