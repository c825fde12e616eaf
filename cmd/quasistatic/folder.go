package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/trajectory"
)

// folder is a run folder with the case that made it.
type folder struct {
	dir     string
	c       *casefile.Case
	m       *casefile.Model
	summary *trajectory.Summary // nil: the run was killed before it wrote one
}

// openFolder reads what describes the run in a folder; its frames are read later.
// The command is for messages.
func openFolder(command, dir string) (*folder, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, inputError("%s: %s is not a folder, want the folder of a run, for instance out/grazing", command, dir)
	}
	f := &folder{dir: dir}
	var err error
	if f.c, f.m, err = load(filepath.Join(dir, trajectory.CaseFile)); err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	f.summary, err = trajectory.ReadSummary(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, inputError("%s: %v", command, err)
	}
	if err := f.fits(); err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	return f, nil
}

// fits checks that the case is the one that was run.
func (f *folder) fits() error {
	if f.summary != nil && f.summary.CaseSHA256 != f.c.SHA256 {
		return fmt.Errorf("%s is not the case that was run: its SHA-256 is %.12s…, that in the summary %.12s…", f.c.File, f.c.SHA256, f.summary.CaseSHA256)
	}
	return nil
}
