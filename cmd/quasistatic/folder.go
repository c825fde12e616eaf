package main

import (
	"context"

	"github.com/quasistatic/quasistatic/models"
)

// openFolder opens the folder of a run; what is wrong with it is wrong input. The command
// is for messages; limit is that of memory [byte], 0 by the case.
func openFolder(ctx context.Context, command, dir string, limit int64) (*models.Folder, error) {
	f, err := models.Open(ctx, dir, limit)
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	return f, nil
}

// verified is openFolder for a command that reads all files, which have to be those that
// the run wrote.
func verified(ctx context.Context, command, dir string) (*models.Folder, error) {
	f, err := openFolder(ctx, command, dir, 0)
	if err == nil {
		err = verify(ctx, command, f)
	}
	return f, err
}

func verify(ctx context.Context, command string, f *models.Folder) error {
	if err := f.Verify(ctx); err != nil {
		return faultCode(command, err)
	}
	return nil
}

// show opens the folder of a run for its page; close it.
func show(ctx context.Context, command, dir string) (*models.Shown, error) {
	s, err := models.Show(ctx, dir)
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	return s, nil
}
