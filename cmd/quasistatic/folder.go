package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// wantFolder refuses what is not a folder.
func wantFolder(command, dir string) error {
	if !isFolder(dir) {
		return inputError("%s: %s is not a folder, want the folder of a run, for instance out/grazing", command, dir)
	}
	return nil
}

// openCase reads the case and the summary of the run in a folder; without a summary
// the run was killed before it wrote one. The command is for messages.
func openCase(command, dir string) (*casefile.Case, *table.Summary, error) {
	if err := wantFolder(command, dir); err != nil {
		return nil, nil, err
	}
	c, err := casefile.Load(filepath.Join(dir, table.CaseFile))
	if err != nil {
		return nil, nil, inputError("%s: %v", command, err)
	}
	s, err := table.ReadSummary(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, inputError("%s: %v", command, err)
	}
	if err := fits(c, s); err != nil {
		return nil, nil, inputError("%s: %v", command, err)
	}
	return c, s, nil
}

// verify refuses the files of a run that are not what it wrote. The command is for
// messages.
func verify(ctx context.Context, command string, f *table.Folder) error {
	if _, err := f.Verify(ctx); err != nil {
		return faultCode(command, err)
	}
	return nil
}

// damage returns what is wrong with the files of a run; nil: they are what it wrote, or it
// left no sums to tell.
func damage(ctx context.Context, f *table.Folder) (known bool, wrong *table.DamageError, err error) {
	known, err = f.Verify(ctx)
	if wrong, ok := errors.AsType[*table.DamageError](err); ok {
		return true, wrong, nil
	}
	return known, nil, err
}

// fits checks that the case is the one that was run.
func fits(c *casefile.Case, s *table.Summary) error {
	if s != nil && s.CaseSHA256 != c.SHA256 {
		return fmt.Errorf("%s is not the case that was run: its SHA-256 is %.12s…, that in the summary %.12s…", c.File, c.SHA256, s.CaseSHA256)
	}
	return nil
}
