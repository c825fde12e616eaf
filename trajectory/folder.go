package trajectory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Folder reads the tables of a run, whatever their format.
type Folder struct {
	Dir    string
	layout *Layout
	scene  *Scene // of particles, whose other formats are those of frames; nil: a dynamic model
}

// NewFolder reads a run folder of a dynamic model.
func NewFolder(dir string, l *Layout) *Folder { return &Folder{Dir: dir, layout: l} }

// NewParticleFolder reads a run folder of the model energetic.
func NewParticleFolder(dir string, s *Scene) *Folder {
	return &Folder{Dir: dir, layout: nodeLayout(s.IDs), scene: s}
}

// frameRows are the rows of a sheet of particles: positions or forces of the frames.
type frameRows struct {
	Source
	frame  *Frame
	values []float64 // of the frame
}

func (f *Folder) frames(s *Sheet) (rowSource, error) {
	src, err := Open(f.Dir, f.scene)
	if err != nil {
		return nil, err
	}
	r := &frameRows{Source: src, frame: NewFrame(len(f.scene.IDs))}
	r.values = r.frame.X
	if s.File == ForcesFile {
		r.values = r.frame.Force
	}
	return r, nil
}

func (r *frameRows) next(row *SheetRow) error {
	err := r.Next(r.frame)
	row.T = r.frame.T
	copy(row.Values, r.values)
	return err
}

func (r *frameRows) close() error { return r.Close() }

// Open opens the CSV text of a table; close it. If the run has it in another format the
// text is made of that, the same bytes. A file that may still grow is read by whole
// lines. A missing table is an error that wraps fs.ErrNotExist.
func (f *Folder) Open(file string) (io.ReadCloser, error) {
	s := f.layout.sheet(file)
	if s == nil {
		return nil, fmt.Errorf("trajectory: %s of this model: %w", file, fs.ErrNotExist)
	}
	in, err := os.Open(s.inFolder(f.Dir))
	switch {
	case err == nil:
		return struct {
			io.Reader
			io.Closer
		}{WholeLines(in), in}, nil
	case s.Stays || !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	format, ok := f.format()
	if !ok || format == CSV {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	rows, err := f.rows(s, format)
	if err != nil {
		return nil, err
	}
	return newCSVText(s, rows), nil
}

// format is that of the folder; false: it has none yet.
func (f *Folder) format() (Format, bool) {
	format, err := FormatOf(f.Dir)
	return format, err == nil
}

// Table opens a table of numbers over time, and checks its columns; close it.
func (f *Folder) Table(file string) (*CertificateReader, io.Closer, error) {
	in, err := f.Open(file)
	if err != nil {
		return nil, nil, err
	}
	name := filepath.Join(f.Dir, file)
	r, err := NewCertificateReader(in, name)
	if err == nil {
		err = f.layout.sheet(file).check(r.Columns, func(text string) error { return &FormatError{File: name, Line: 1, Text: text} })
	}
	if err != nil {
		_ = in.Close() // read only
		return nil, nil, err
	}
	return r, in, nil
}

// rows opens the rows of a sheet that is in a format.
func (f *Folder) rows(s *Sheet, format Format) (rowSource, error) {
	if s.Stays {
		format = CSV
	}
	if f.scene != nil {
		return f.frames(s)
	}
	switch format {
	case NPZ:
		return openNPZRows(f.Dir, f.layout, s)
	case Parquet:
		return openParquetRows(f.Dir, f.layout, s)
	case VTU:
		return openVTURows(f.Dir, f.layout, s)
	}
	summary, err := ReadSummary(f.Dir)
	return openCSVRows(f.Dir, s, err == nil && summary.Status == Done)
}

// Export writes the tables in another format and returns the number of rows of the
// trajectory. Memory grows by the times alone, eight bytes a row.
func (f *Folder) Export(ctx context.Context, format Format, o ExportOptions) (rows int, err error) {
	from, err := FormatOf(f.Dir)
	if err != nil {
		return 0, err
	}
	if o.To == "" {
		o.To = f.Dir
	}
	if err := os.MkdirAll(o.To, 0o777); err != nil {
		return 0, fmt.Errorf("trajectory: %w", err)
	}
	if from == format && same(f.Dir, o.To) {
		return 0, fmt.Errorf("trajectory: %s is in the format %s already; want another one, or another folder", f.Dir, format)
	}
	x := &thinning{ctx: ctx, folder: f, from: from, to: format, every: max(1, o.Every)}
	if err := x.readTimes(); err != nil {
		return 0, err
	}
	write := map[Format]func(string, *Layout, sourceOpener) error{CSV: writeCSVSheets, NPZ: writeNPZSheets, Parquet: writeParquetSheets, VTU: writeVTUSheets}[format]
	if err := write(o.To, f.layout, x.open); err != nil {
		return 0, err
	}
	for k := range x.times {
		if x.keeps(k) {
			rows++
		}
	}
	return rows, nil
}

// ClearMoved takes away the CSV files that were written in another format.
func (f *Folder) ClearMoved() error {
	for _, s := range f.layout.moving() {
		if err := remove(s.inFolder(f.Dir)); err != nil {
			return err
		}
	}
	return nil
}

// thinning opens the rows of sheets that are exported: every n-th and the last one.
type thinning struct {
	ctx    context.Context
	folder *Folder
	from   Format
	to     Format
	every  int
	times  []float64 // of all rows
	whole  bool      // the run is done: the files must end together
}

// readTimes reads the times of the trajectory. Of a run that is not done one file may
// have more rows than another: what all have counts.
func (x *thinning) readTimes() error {
	s, err := ReadSummary(x.folder.Dir)
	x.whole = x.from != CSV || err == nil && s.Status == Done
	l := x.folder.layout
	for i := range l.Sheets {
		s := &l.Sheets[i]
		shots := s.Times == ShotTimes && x.to == VTU // whose files end with the last one
		if i > 0 && (x.whole || s.Stays || s.Times != EveryRow && !shots) {
			continue
		}
		n, last := 0, math.Inf(-1)
		err := x.each(s, func(t float64) {
			if i == 0 {
				x.times = append(x.times, t)
			}
			n, last = n+1, t
		})
		if err != nil {
			return err
		}
		if shots {
			n = len(x.times)
			for n > 0 && x.times[n-1] > last {
				n--
			}
		}
		x.times = x.times[:min(n, len(x.times))]
	}
	if len(x.times) == 0 {
		return errors.New("trajectory: the run has no rows")
	}
	return nil
}

func (x *thinning) each(s *Sheet, visit func(t float64)) error {
	rows, err := x.folder.rows(s, x.from)
	if err != nil {
		return err
	}
	defer rows.close() // read only
	row := s.newRow()
	for {
		if err := rows.next(row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		visit(row.T)
	}
}

// keeps reports whether row k is written.
func (x *thinning) keeps(k int) bool { return k%x.every == 0 || k == len(x.times)-1 }

// open opens the rows of a sheet that are written.
func (x *thinning) open(s *Sheet) (rowSource, error) {
	rows, err := x.folder.rows(s, x.from)
	if err != nil || rows == nil {
		return nil, err
	}
	t := thinned{rowSource: rows, thinning: x, sheet: s, last: s.newRow()}
	switch {
	case s.Times == SomeRows && !s.Stays:
		return &thinnedContacts{thinned: t}, nil
	case s.Times == SomeRows: // events and collisions are few
		return rows, nil
	case s.Times == ShotTimes:
		return &thinnedShots{thinned: t}, nil
	}
	return &thinnedRows{thinned: t}, nil
}

type thinned struct {
	rowSource
	*thinning
	sheet *Sheet
	k     int // rows read
	last  *SheetRow
}

// file is the name of the sheet's file, for messages.
func (t *thinned) file() string { return t.sheet.inFolder(t.folder.Dir) }

// thinnedRows are the rows of a sheet with one at every time.
type thinnedRows struct{ thinned }

func (t *thinnedRows) next(row *SheetRow) error {
	for {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		if t.k == len(t.times) && !t.whole {
			return io.EOF
		}
		err := t.rowSource.next(row)
		switch {
		case errors.Is(err, io.EOF) && t.k < len(t.times):
			return fmt.Errorf("trajectory: %s ends after row %d, t=%g: the trajectory goes on", t.file(), t.k, t.times[max(t.k-1, 0)])
		case err != nil:
			return err
		case t.k >= len(t.times):
			return fmt.Errorf("trajectory: %s: row %d, t=%g: the file goes on after the end of the trajectory", t.file(), t.k, row.T)
		case row.T != t.times[t.k] && !math.IsNaN(row.T):
			return fmt.Errorf("trajectory: %s: row %d: the time is %g, but %g in the trajectory: the files are not of one run", t.file(), t.k, row.T, t.times[t.k])
		}
		t.k++
		if t.keeps(t.k - 1) {
			return nil
		}
	}
}

// thinnedContacts are the rows of a sheet with any number of them at a time.
type thinnedContacts struct{ thinned }

func (t *thinnedContacts) next(row *SheetRow) error {
	for {
		if err := t.rowSource.next(row); err != nil {
			return err
		}
		for t.k < len(t.times) && t.times[t.k] < row.T {
			t.k++
		}
		switch {
		case t.k == len(t.times) && !t.whole:
			return io.EOF
		case t.k == len(t.times) || t.times[t.k] != row.T:
			return fmt.Errorf("trajectory: %s: t=%g is no time of the trajectory: the files are not of one run", t.file(), row.T)
		case t.keeps(t.k):
			return nil
		}
	}
}

// thinnedShots are the rows of a sheet with times of its own.
type thinnedShots struct {
	thinned
	ended bool
}

func (t *thinnedShots) next(row *SheetRow) error {
	for !t.ended {
		err := t.rowSource.next(row)
		if errors.Is(err, io.EOF) {
			t.ended = true
			if t.k > 0 && (t.k-1)%t.every != 0 {
				row.copyFrom(t.last)
				return nil
			}
			return err
		}
		if err != nil {
			return err
		}
		if !t.whole && row.T > t.times[len(t.times)-1] {
			t.ended = true
			return io.EOF
		}
		t.k++
		if (t.k-1)%t.every == 0 {
			return nil
		}
		t.last.copyFrom(row)
	}
	return io.EOF
}
