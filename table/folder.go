package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// Folder reads the tables of a run, whatever their format.
type Folder struct {
	Dir    string
	layout *Layout
	beside []string
}

// NewFolder reads the folder of a run whose tables are those of a layout; beside are the files
// that its case names.
func NewFolder(dir string, l *Layout, beside ...string) *Folder {
	return &Folder{Dir: dir, layout: l, beside: beside}
}

// Open opens the CSV text of a table; close it. If the run has it in another format the
// text is made of that, the same bytes. A file that may still grow is read by whole
// lines. A missing table is an error that wraps fs.ErrNotExist.
func (f *Folder) Open(file string) (io.ReadCloser, error) {
	s := f.layout.sheet(file)
	if s == nil {
		return nil, fmt.Errorf("table: %s of this model: %w", file, fs.ErrNotExist)
	}
	in, err := regular.Open(s.inFolder(f.Dir))
	switch {
	case err == nil:
		return struct {
			io.Reader
			io.Closer
		}{newWholeLines(newShortLines(in, s.header())), in}, nil
	case s.Stays || !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("table: %w", err)
	}
	format, ok := f.format()
	if !ok || format == CSV {
		return nil, fmt.Errorf("table: %w", err)
	}
	rows, err := f.rows(s, format)
	if err != nil {
		return nil, err
	}
	return newCSVText(s, rows), nil
}

// format is that of the folder; false: it has none yet.
func (f *Folder) format() (Format, bool) {
	format, err := formatOf(f.Dir)
	return format, err == nil
}

// rows opens the rows of a sheet that is in a format.
func (f *Folder) rows(s *Sheet, format Format) (rowSource, error) {
	if s.Stays {
		format = CSV
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

// ExportOptions say what is exported. The zero value works.
type ExportOptions struct {
	Every int    // every n-th row, and the last one; 0 means 1
	To    string // folder; empty: that of the run
}

// Export writes the tables in another format and returns the number of rows of the
// trajectory. Memory grows by the times alone, eight bytes a row. What goes into the folder of a
// run that is done is sealed with it.
func (f *Folder) Export(ctx context.Context, format Format, o ExportOptions) (rows int, err error) {
	from, err := formatOf(f.Dir)
	if err != nil {
		return 0, err
	}
	if format == VTU && f.layout.Picture == nil {
		return 0, errors.New("table: a run of this model has no picture of bodies, which the format vtu is; want csv, npz or parquet")
	}
	if o.To == "" {
		o.To = f.Dir
	}
	own := same(f.Dir, o.To)
	if own && from == format {
		return 0, fmt.Errorf("table: %s is in the format %s already; want another one, or another folder", f.Dir, format)
	}
	if own && format == CSV && o.Every > 1 {
		return 0, fmt.Errorf("table: %s would have every %d-th row only: want another folder", f.Dir, o.Every)
	}
	release, err := f.holdExport(o.To, own)
	if err != nil {
		return 0, err
	}
	defer release()
	if !own {
		if err := f.claim(o.To, f.beside); err != nil {
			return 0, err
		}
	}
	x := &thinning{ctx: ctx, folder: f, from: from, to: format, every: max(1, o.Every)}
	if err := x.readTimes(); err != nil {
		return 0, err
	}
	write := map[Format]func(string, *Folder, sourceOpener) error{CSV: writeCSVSheets, NPZ: writeNPZSheets,
		Parquet: writeParquetSheets, VTU: writeVTUSheets}[format]
	if err := write(o.To, f, x.open); err != nil {
		return 0, err
	}
	for k := range x.times {
		if x.keeps(k) {
			rows++
		}
	}
	if own {
		err = f.reseal(format, o.Every)
	}
	return rows, err
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

// Layout returns the tables of the run.
func (f *Folder) Layout() *Layout { return f.layout }
