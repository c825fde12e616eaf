package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// Redraw makes the archives of a run anew, those of NumPy, Parquet and VTU that are in its
// folder, and compares them byte by byte with what is there: all that they show, points, cells and
// states too, follows from the rows of the tables. It returns where they differ first; "": nowhere.
func (f *Folder) Redraw(ctx context.Context) (place string, err error) {
	from, err := formatOf(f.Dir)
	if err != nil {
		return "", err
	}
	list, _, err := f.stated()
	if err != nil {
		return "", err
	}
	for _, format := range formats {
		if format == CSV {
			continue
		}
		if _, err := os.Lstat(filepath.Join(f.Dir, format.File())); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		x := &thinning{ctx: ctx, folder: f, from: from, to: format, every: 1}
		if i := slices.IndexFunc(list, func(s Sum) bool { return s.File == format.File() }); i >= 0 {
			x.every = max(1, list[i].RowEvery)
		}
		if err := x.readTimes(); err != nil {
			return "", err
		}
		if place, err = f.redraw(x); place != "" || err != nil {
			return place, err
		}
	}
	return "", nil
}

// redraw compares one archive.
func (f *Folder) redraw(x *thinning) (place string, err error) {
	if x.to == VTU {
		c := &pvdComparison{pvdWriter: pvdWriter{name: filepath.Join(f.Dir, VTU.File()), dir: vtuFolder(filepath.Join(f.Dir, VTU.File()))}}
		err := drawVTUSheets(c, f, x.open)
		return c.place, err
	}
	dir, remove, err := Scratch("redraw")
	if err != nil {
		return "", fmt.Errorf("table: %w", err)
	}
	defer remove()
	write := writeNPZSheets
	if x.to == Parquet {
		write = writeParquetSheets
	}
	if err := write(dir, f, x.open); err != nil {
		return "", err
	}
	return DifferentFile(f.Dir, dir)
}

// DifferentFile returns the first file of a folder that another one does not have, or not
// with the same bytes; "": there is none.
func DifferentFile(found, made string) (string, error) {
	list, err := os.ReadDir(made)
	if err != nil {
		return "", fmt.Errorf("table: %w", err)
	}
	for _, e := range list {
		want, err := regular.ReadFile(filepath.Join(made, e.Name()))
		if err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
		if place, err := differentText(filepath.Join(found, e.Name()), want); place != "" || err != nil {
			return place, err
		}
	}
	return "", nil
}

// differentText says where a file is not the text that it should be; "": nowhere.
func differentText(name string, want []byte) (string, error) {
	got, err := regular.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return filepath.Base(name) + " is missing", nil
	case err != nil:
		return "", fmt.Errorf("table: %w", err)
	case bytes.Equal(got, want):
		return "", nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	return fmt.Sprintf("%s is another one from byte %d on", filepath.Base(name), at), nil
}

// pvdComparison compares VTU files with those that a folder has.
type pvdComparison struct {
	pvdWriter
	place string // of the first difference
}

func (c *pvdComparison) put(t float64, d *Document) (err error) {
	name := vtuName(len(c.times))
	c.times = append(c.times, t)
	if c.place != "" {
		return nil
	}
	if c.place, err = differentText(filepath.Join(c.dir, name), d.buf.Bytes()); c.place != "" {
		c.place = filepath.Base(c.dir) + "/" + c.place
	}
	return err
}

func (c *pvdComparison) close(fault error) error {
	if fault != nil || c.place != "" {
		return fault
	}
	var text bytes.Buffer
	if err := c.collection(&text); err != nil {
		return err
	}
	var err error
	if c.place, err = differentText(c.name, text.Bytes()); c.place != "" || err != nil {
		return err
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if n := len(entries); n != len(c.times) {
		c.place = fmt.Sprintf("%s has %d files, want %d", filepath.Base(c.dir), n, len(c.times))
	}
	return nil
}
