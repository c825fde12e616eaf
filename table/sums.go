package table

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// head is what the reader of a run needs of its summary.
type head struct {
	Status Status `json:"status"`
	Files  []Sum  `json:"files"`
}

// Verify compares the files of the run with the sums that it left: those of its summary,
// or, of a run that goes on or was killed, those of its checkpoint up to there. A run that
// left none is not verified: false. A change is a [DamageError], and so is a file of results
// that the run did not leave. Of a run whose tables are in another format the text of the
// tables is compared, which keeps every bit.
func (f *Folder) Verify(ctx context.Context) (bool, error) {
	list, whole, err := f.stated()
	if err != nil || len(list) == 0 {
		return false, err
	}
	for i := range list {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := f.verify(&list[i], whole); err != nil {
			return false, err
		}
	}
	if !whole {
		return true, nil
	}
	names, err := f.results()
	if err != nil {
		return false, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(s Sum) bool { return s.File == name }) {
			return false, &DamageError{File: filepath.Join(f.Dir, name), Line: [2]int{1, 1},
				Text: "the run left no sum of it: another program put it there, or took its sum out of " + SummaryFile}
		}
	}
	return true, nil
}

// stated are the sums that the run left, and whether the files end there.
func (f *Folder) stated() (list []Sum, whole bool, err error) {
	var h head
	if err := readSummary(f.Dir, &h); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, err
	}
	if h.Status != Running && len(h.Files) > 0 {
		return h.Files, true, nil
	}
	text, err := regular.ReadFile(filepath.Join(f.Dir, CheckpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("table: %w", err)
	}
	c, _, err := splitCheckpoint(text)
	if err != nil {
		return nil, false, fmt.Errorf("table: %s: %w", filepath.Join(f.Dir, CheckpointFile), err)
	}
	return c.Files, false, nil
}

func (f *Folder) verify(s *Sum, whole bool) error {
	if !filepath.IsLocal(s.File) {
		return fmt.Errorf("table: %s: the file %q leads out of the folder of the run", f.Dir, clip(s.File))
	}
	name := filepath.Join(f.Dir, s.File)
	in, err := f.openResult(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		return &DamageError{File: name, Line: [2]int{1, 1}, Text: fmt.Sprintf("the file is missing, the run wrote %d bytes", s.Bytes)}
	}
	if err != nil {
		return err
	}
	defer in.Close() // read only
	_, err = s.verify(in, name, whole)
	if x, ok := errors.AsType[*DamageError](err); ok {
		if list, ok := in.(fileList); ok {
			list.place(x)
		}
	}
	return err
}

// openResult opens what a sum is of: a table, whatever its format; the list of the files of a
// folder; a file.
func (f *Folder) openResult(name string) (io.ReadCloser, error) {
	full := filepath.Join(f.Dir, name)
	if name == vtuFolder(VTU.File()) {
		return listFiles(full)
	}
	in, err := regular.Open(full)
	if errors.Is(err, fs.ErrNotExist) && f.layout.sheet(name) != nil {
		return f.Open(name)
	}
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return in, nil
}

// results are the names of the files of results that are in the folder: its tables, in their
// order, in whatever format; last states, better states and archives of other formats; the files
// that the case names.
func (f *Folder) results() ([]string, error) {
	var names []string
	for i := range f.layout.Sheets {
		s := &f.layout.Sheets[i]
		in, err := f.Open(s.File)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		_ = in.Close() // read only
		names = append(names, s.File)
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	for _, e := range entries {
		if name := e.Name(); name == BetterFile || isFinal(name) || isArchive(name) {
			names = append(names, name)
		}
	}
	return append(names, f.beside...), nil
}

// Sums returns the sums of the files of results as they are in the folder now, in the order of
// their names by results; those that are known, of files that are closed, are not read again.
func (f *Folder) Sums(known ...Sum) ([]Sum, error) {
	names, err := f.results()
	if err != nil {
		return nil, err
	}
	list := make([]Sum, 0, len(names))
	for _, name := range names {
		if i := slices.IndexFunc(known, func(s Sum) bool { return s.File == name }); i >= 0 {
			list = append(list, known[i])
			continue
		}
		s, err := f.sum(name)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func (f *Folder) sum(name string) (Sum, error) {
	in, err := f.openResult(name)
	if err != nil {
		return Sum{}, err
	}
	defer in.Close() // read only
	d := newDigest()
	if _, err := io.Copy(d, in); err != nil {
		return Sum{}, fmt.Errorf("table: %w", err)
	}
	return d.sum(name), nil
}

// reseal brings the sums in the summary of a run that is done up to an export into its folder,
// of every so many rows. A run that exports at its end has written none yet.
func (f *Folder) reseal(format Format, every int) error {
	s, err := ReadSummary(f.Dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && s.Status != Done {
		return nil
	}
	if err != nil {
		return err
	}
	release, err := Lock(f.Dir)
	if err != nil {
		return err
	}
	defer release()
	if s, err = ReadSummary(f.Dir); err != nil { // another export may have been faster
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(s.Files), func(x Sum) bool { return isArchive(x.File) && formatOfArchive(x.File) == format })
	if s.Files, err = f.Sums(kept...); err != nil {
		return err
	}
	for i := range s.Files {
		if x := &s.Files[i]; every > 1 && isArchive(x.File) && formatOfArchive(x.File) == format {
			x.RowEvery = every
		}
	}
	return s.Write(f.Dir)
}

// formatOfArchive is the format of an archive.
func formatOfArchive(name string) Format {
	switch _, ending, _ := strings.Cut(name, "."); ending {
	case string(NPZ):
		return NPZ
	case string(Parquet):
		return Parquet
	}
	return VTU
}

// fileList is the text that a sum of a folder is of: a line for each file, its SHA-256 and its
// name.
type fileList struct {
	*bytes.Reader
	dir   string
	names []string
}

func listFiles(dir string) (io.ReadCloser, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	var text []byte
	l := fileList{dir: dir}
	for _, e := range entries {
		in, err := regular.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		h := sha256.New()
		_, err = io.Copy(h, in)
		_ = in.Close() // read only
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		text = fmt.Appendf(text, "%x  %s\n", h.Sum(nil), e.Name())
		l.names = append(l.names, e.Name())
	}
	l.Reader = bytes.NewReader(text)
	return l, nil
}

// Close implements io.Closer.
func (l fileList) Close() error { return nil }

// place names the file in place of the line of the list.
func (l fileList) place(x *DamageError) {
	if len(l.names) == 0 {
		return
	}
	first, last := min(x.Line[0], len(l.names))-1, min(x.Line[1], len(l.names))-1
	name := l.names[first]
	if last > first {
		name += " to " + l.names[last]
	}
	x.File, x.From, x.To, x.Line = filepath.Join(l.dir, name), 0, 0, [2]int{1, 1}
}
