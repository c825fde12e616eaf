package table

import (
	"bufio"
	"os"
	"path/filepath"
)

// csvSink writes trajectory.csv and forces.csv.
type csvSink struct {
	dir   string
	files [2]*os.File
	w     [2]*bufio.Writer
	buf   []byte
}

var csvNames = [2]string{TrajectoryFile, ForcesFile}

func newCSV(dir string, ids []string) (*csvSink, error) {
	s := &csvSink{dir: dir}
	for i, name := range csvNames {
		f, err := os.CreateTemp(dir, "."+name+".part-")
		if err != nil {
			return nil, s.Close(err)
		}
		s.files[i], s.w[i] = f, bufio.NewWriterSize(f, chunk)
	}
	for i, suffixes := range [][]string{{"x", "y", "z"}, {"n", "tx", "ty"}} {
		if err := s.line(i, appendHeader(nil, ids, suffixes)); err != nil {
			return nil, s.Close(err)
		}
	}
	return s, nil
}

// appendHeader appends t and the columns of every particle.
func appendHeader(dst []byte, ids, suffixes []string) []byte {
	dst = append(dst, 't')
	for _, id := range ids {
		for _, s := range suffixes {
			dst = append(append(append(append(dst, ','), id...), '.'), s...)
		}
	}
	return dst
}

func (s *csvSink) line(i int, text []byte) error {
	_, err := s.w[i].Write(append(text, '\n'))
	return err
}

// Put implements Sink.
func (s *csvSink) Put(f *Frame) error {
	for i, values := range [][]float64{f.X, f.Force} {
		s.buf = appendRow(s.buf[:0], f.T, values)
		if err := s.line(i, s.buf); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Sink.
func (s *csvSink) Close(fault error) error {
	for i, f := range s.files {
		if f == nil {
			continue
		}
		if fault == nil {
			fault = s.w[i].Flush()
		}
		if err := replace(f, filepath.Join(s.dir, csvNames[i]), fault); fault == nil {
			fault = err
		}
	}
	return fault
}
