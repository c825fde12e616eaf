package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// seen is a run folder of any model, with what reads its files for the page.
type seen struct {
	dir     string
	c       *casefile.Case
	summary *table.Summary // nil: the run was killed before it wrote one
	run     report.Reader
	files   *table.Folder
}

// openSeen opens the folder of a run; close it. The command is for messages.
func openSeen(command, dir string) (*seen, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, inputError("%s: %s is not a folder, want the folder of a run, for instance out/grazing", command, dir)
	}
	s := &seen{dir: dir}
	var err error
	if s.c, err = casefile.Load(filepath.Join(dir, table.CaseFile)); err == nil {
		s.run, s.files, err = newReader(s.c, dir)
	}
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	if err := s.refresh(); err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	return s, verify(context.Background(), command, s.files)
}

// refresh reads the summary anew and checks that the case is the one that was run.
func (s *seen) refresh() error {
	x, err := table.ReadSummary(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.summary = x
	return fits(s.c, x)
}

// newReader returns what reads the files of a run of the case's model.
func newReader(c *casefile.Case, dir string) (report.Reader, *table.Folder, error) {
	switch c.Model {
	case "energetic":
		m, err := c.Build()
		if err != nil {
			return nil, nil, err
		}
		return particleview.NewReader(dir, m.Psi, m.Scene, m.Until), table.NewParticleFolder(dir, m.Scene), nil
	case "elastodynamic":
		m, err := c.BuildElastic()
		if err != nil {
			return nil, nil, err
		}
		f := table.NewFolder(dir, table.ElasticLayout(m.Model))
		return meshview.NewReader(f, m.Model, m.Until), f, nil
	case "rigid":
		m, err := c.BuildMultibody()
		if err != nil {
			return nil, nil, err
		}
		columns := multibodyColumns(m)
		f := table.NewFolder(dir, columns.Layout())
		return bodyview.NewReader(f, bodyview.Setup{World: m.World, IDs: m.IDs, Mu: slices.Repeat([]float64{m.Mu}, len(m.IDs)), Rigid: m.Model, Facets: m.Facets(), Until: m.Until}), f, nil
	}
	m, err := c.BuildMotion()
	if err != nil {
		return nil, nil, err
	}
	names, mu, _ := elementColumns(m)
	columns := motionColumns(m)
	f := table.NewFolder(dir, columns.Layout())
	return bodyview.NewReader(f, bodyview.Setup{World: m.World, IDs: m.IDs, Elements: names, Mu: mu, Facets: m.Facets(), Until: m.Until}), f, nil
}

// overview draws the pictures of a run from its files. What cannot be drawn is a warning:
// a picture is no result.
func (b *base) overview(ctx context.Context) error {
	if !b.picture {
		return nil
	}
	run, _, err := newReader(b.c, b.dir)
	if err != nil {
		return err
	}
	defer run.Close()                             // read only
	_, err = run.Read(context.WithoutCancel(ctx)) // of a run that was stopped too
	warnings, fault := []string(nil), error(nil)
	if err != nil {
		warnings = []string{fmt.Sprintf("the overview is not drawn: %v", err)}
	} else {
		warnings, fault = run.Overview(b.dir, b.c.Name)
	}
	b.summary.Warnings = append(b.summary.Warnings, warnings...)
	return fault
}

// status is that of the run; one without a summary was killed, or has not begun.
func (s *seen) status() table.Status {
	if s.summary == nil {
		return table.Running
	}
	return s.summary.Status
}

func (s *seen) close() { _ = s.run.Close() } // read only

// about says what the page is about.
func (s *seen) about() report.About {
	a := report.About{Title: s.c.Name, Description: s.c.Description, Case: string(s.c.Raw), SHA256: s.c.SHA256, Version: version, Summary: s.summary}
	if s.summary != nil {
		a.Version = s.summary.Version
	}
	if s.status() == table.Running {
		a.Writing = table.WritingTo(s.dir)
	}
	return a
}

// page reads all there is and makes its page.
func (s *seen) page(ctx context.Context) (*report.Page, error) {
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
func (s *seen) write(ctx context.Context, name string) error {
	p, err := s.page(ctx)
	if err != nil {
		return err
	}
	return table.WriteAtomic(name, func(w io.Writer) error { return p.Write(w) })
}
