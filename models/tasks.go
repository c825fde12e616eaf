package models

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/quasistatic/quasistatic/run"
)

// Tasks reads and builds cases, see [OpenCase], whose runs go to out, or to its folders if they are
// several; "": to out/<name>. All of them, before the first is run: what is wrong with the last one
// should not wait for the others. The error joins what is wrong with each.
func Tasks(ctx context.Context, files []string, out string, sets []string, limit int64) (tasks []*run.Task, err error) {
	var faults []error
	dirs := map[string]string{}
	for _, file := range files {
		c, err := OpenCase(file, sets, limit)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		dir := out
		if out == "" {
			dir = filepath.Join("out", c.Name)
		} else if len(files) > 1 {
			dir = filepath.Join(out, c.Name)
		}
		t, err := run.New(ctx, c, Find(c), dir)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if other, taken := dirs[dir]; taken {
			faults = append(faults, fmt.Errorf("%s and %s both write to %s, want cases with different names", other, file, dir))
		}
		dirs[dir] = file
		tasks = append(tasks, t)
	}
	return tasks, errors.Join(faults...)
}
