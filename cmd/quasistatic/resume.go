package main

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/table"
)

// errNothingToDo says that the run to resume is complete.
var errNothingToDo = errors.New("the run is complete, nothing is left to do")

// resumable returns the task that goes on with a run folder: from its checkpoint,
// or from the start if it was stopped before the first one. The task holds the folder,
// taken before anything in it was read. limit is that of memory [byte], 0 by the case.
func resumable(dir string, limit int64) (task, error) {
	const command = "run --resume"
	if err := wantFolder(command, dir); err != nil {
		return nil, err
	}
	unlock, err := table.Lock(dir)
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	t, err := loaded(command, dir, limit)
	if err != nil {
		unlock()
		return t, err
	}
	t.common().unlock = unlock
	return t, nil
}

// loaded reads the run folder to resume. With errNothingToDo the task has the summary.
func loaded(command, dir string, limit int64) (task, error) {
	c, summary, err := openCase(command, dir)
	if err != nil {
		return nil, err
	}
	c.Memory = limit
	t, err := newTask(c, dir)
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	if summary != nil && summary.Status == table.Done {
		t.common().summary = *summary
		f, err := folderOf(c, dir)
		if err == nil {
			err = verify(context.Background(), command, f)
		}
		if err != nil {
			return nil, err
		}
		if err := t.tidy(); err != nil {
			return nil, faultCode(command, err)
		}
		return t, errNothingToDo
	}
	if err := t.load(); err != nil && !errors.Is(err, table.ErrNoCheckpoint) {
		return nil, inputError("%s: %v", command, err)
	}
	return t, nil
}
