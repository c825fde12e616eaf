package main

import (
	"errors"

	"github.com/quasistatic/quasistatic/trajectory"
)

// errNothingToDo says that the run to resume is complete.
var errNothingToDo = errors.New("the run is complete, nothing is left to do")

// resumable returns the task that goes on with a run folder: from its checkpoint,
// or from the start if it was stopped before the first one. limit is that of memory
// [byte], 0 by the case.
func resumable(dir string, limit int64) (task, error) {
	const command = "run --resume"
	c, summary, err := openCase(command, dir)
	if err != nil {
		return nil, err
	}
	c.Memory = limit
	t, err := newTask(c, dir)
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	if summary != nil && summary.Status == trajectory.Done {
		t.common().summary = *summary
		return t, errors.Join(t.tidy(), errNothingToDo)
	}
	if err := t.load(); err != nil && !errors.Is(err, trajectory.ErrNoCheckpoint) {
		return nil, inputError("%s: %v", command, err)
	}
	return t, nil
}
