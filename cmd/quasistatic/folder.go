package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// folder is that of a run, of any model.
type folder struct {
	dir     string
	c       *casefile.Case
	built   run.Case
	summary *table.Summary // nil: the run was killed before it wrote one
}

// openFolder reads the case and the summary of the run in a folder. The command is for
// messages; limit is that of memory [byte], 0 by the case.
func openFolder(ctx context.Context, command, dir string, limit int64) (*folder, error) {
	if !isFolder(dir) {
		return nil, inputError("%s: %s is not a folder, want the folder of a run, for instance out/grazing", command, dir)
	}
	f := &folder{dir: dir}
	var err error
	if f.c, err = models.Grammar().LoadWithin(filepath.Join(dir, table.CaseFile), limit); err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	f.c.Memory = limit
	if f.summary, err = run.ReadSummary(dir, f.c); err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	if f.built, err = models.Build(ctx, f.c); err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	return f, nil
}

// files reads the tables of the run.
func (f *folder) files() *table.Folder { return run.Folder(f.built.Plan(), f.dir) }

// verify refuses the files of a run that are not what it wrote. The command is for
// messages.
func (f *folder) verify(ctx context.Context, command string) error {
	if _, err := f.files().Verify(ctx); err != nil {
		return faultCode(command, err)
	}
	return nil
}

// status is that of the run; one without a summary was killed, or has not begun.
func (f *folder) status() table.Status {
	if f.summary == nil {
		return table.Running
	}
	return f.summary.Status
}

// openedRun is a run folder with what reads its files for the page.
type openedRun struct {
	*folder
	run report.Reader
}

// openRun opens the folder of a run for its page; close it.
func openRun(ctx context.Context, command, dir string) (*openedRun, error) {
	f, err := openFolder(ctx, command, dir, 0)
	if err != nil {
		return nil, err
	}
	return &openedRun{f, run.Reader(f.built, dir)}, nil
}

// refresh reads the summary anew.
func (s *openedRun) refresh() error {
	x, err := run.ReadSummary(s.dir, s.c)
	if err == nil && x != nil {
		s.summary = x
	}
	return err
}

func (s *openedRun) close() { _ = s.run.Close() } // read only

// about says what the page is about.
func (s *openedRun) about() report.About {
	a := report.About{Title: s.c.Name, Description: s.c.Description, Case: string(s.c.Raw), SHA256: s.c.SHA256, Version: run.Version(), Summary: s.summary}
	if s.summary != nil {
		a.Version = s.summary.Version
	}
	if s.status() == table.Running {
		a.Writing = table.WritingTo(s.dir)
	}
	return a
}

// page reads all there is and makes its page.
func (s *openedRun) page(ctx context.Context) (*report.Page, error) {
	n, err := s.run.Read(ctx)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s has no node yet: the run stopped before its first one", s.dir)
	}
	if err != nil {
		return nil, err
	}
	return s.run.Page(s.about())
}

// write writes the page; nothing has the final name before it is whole.
func (s *openedRun) write(ctx context.Context, name string) error {
	p, err := s.page(ctx)
	if err != nil {
		return err
	}
	return table.WriteAtomic(name, func(w io.Writer) error { return p.Write(w) })
}
