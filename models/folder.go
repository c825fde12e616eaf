package models

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Folder is that of a run, of any model.
type Folder struct {
	Dir     string
	Case    *casefile.Case
	Built   run.Case
	Summary *table.Summary // nil: the run was killed before it wrote one
}

// Open reads the case and the summary of the run in a folder. limit is that of memory
// [byte], 0 by the case.
func Open(ctx context.Context, dir string, limit int64) (*Folder, error) {
	if !IsFolder(dir) {
		return nil, fmt.Errorf("%s is not a folder, want the folder of a run, for instance out/grazing", dir)
	}
	f := &Folder{Dir: dir}
	var err error
	if f.Case, err = Grammar().LoadWithin(filepath.Join(dir, table.CaseFile), limit); err != nil {
		return nil, err
	}
	f.Case.Memory = limit
	if f.Summary, err = run.ReadSummary(dir, f.Case); err != nil {
		return nil, err
	}
	if f.Summary != nil && f.Summary.Name != "" && f.Case.Name+".json" == table.CaseFile { // one without a name had that of its file
		f.Case.Name = f.Summary.Name
	}
	f.Built, err = Build(ctx, f.Case)
	return f, err
}

// IsFolder reports whether a name is that of a folder.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Files reads the tables of the run.
func (f *Folder) Files() *table.Folder { return run.Folder(f.Built.Plan(), f.Dir) }

// Verify refuses files that are not what the run wrote.
func (f *Folder) Verify(ctx context.Context) error {
	_, err := f.Files().Verify(ctx)
	return err
}

// Status is that of the run; one without a summary was killed, or has not begun.
func (f *Folder) Status() table.Status {
	if f.Summary == nil {
		return table.Running
	}
	return f.Summary.Status
}

// Shown is a run folder with what reads its files for the page.
type Shown struct {
	*Folder
	Reader report.Reader
}

// Show opens the folder of a run for its page; close it.
func Show(ctx context.Context, dir string) (*Shown, error) {
	f, err := Open(ctx, dir, 0)
	if err != nil {
		return nil, err
	}
	return &Shown{f, run.Reader(f.Built, dir)}, nil
}

// Refresh reads the summary anew.
func (s *Shown) Refresh() error {
	x, err := run.ReadSummary(s.Dir, s.Case)
	if err == nil && x != nil {
		s.Summary = x
	}
	return err
}

// Close closes the files.
func (s *Shown) Close() { _ = s.Reader.Close() } // read only

// About says what the page is about.
func (s *Shown) About() report.About {
	a := report.About{Title: s.Case.Name, Description: s.Case.Description, Case: string(s.Case.Raw),
		SHA256: s.Case.SHA256, Version: run.Version(), Summary: s.Summary}
	if s.Summary != nil {
		a.Version = s.Summary.Version
	}
	if s.Status() == table.Running {
		a.Writing = table.WritingTo(s.Dir)
	}
	return a
}

// Page reads all there is and makes its page.
func (s *Shown) Page(ctx context.Context) (*report.Page, error) {
	n, err := s.Reader.Read(ctx)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s has no node yet: the run stopped before its first one", s.Dir)
	}
	if err != nil {
		return nil, err
	}
	return s.Reader.Page(s.About())
}

// Write writes the page; nothing has the final name before it is whole.
func (s *Shown) Write(ctx context.Context, name string) error {
	p, err := s.Page(ctx)
	if err != nil {
		return err
	}
	return table.WriteAtomic(name, func(w io.Writer) error { return p.Write(w) })
}
