package main

import (
	"context"
	"fmt"
	"io"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// task is the run of one case of any model into one folder.
type task interface {
	run(ctx context.Context) error // the error is of the file system only
	load() error                   // before run: go on from the checkpoint in the folder
	tidy() error
	print(w io.Writer) error
	follow(see func(step int)) // before run: see is called after every step
	said() *stepLine           // within see: about that step
	common() *base
}

var _ task = (*job)(nil)

func (j *job) print(w io.Writer) error   { return printRun(w, j) }
func (j *job) follow(see func(step int)) { j.watch = func(n *energetic.Node) { see(n.K) } }

// newTask builds the model of a case, to be run into a folder.
func newTask(c *casefile.Case, dir string) (task, error) {
	switch c.Model {
	case "energetic":
		m, err := c.Build()
		if err != nil {
			return nil, err
		}
		return newJob(c, m, dir), nil
	case "elastodynamic":
		m, err := c.BuildElastic()
		if err != nil {
			return nil, err
		}
		return newElasticJob(c, m, dir), nil
	case "rigid":
		m, err := c.BuildMultibody()
		if err != nil {
			return nil, err
		}
		return newMultibodyJob(c, m, dir), nil
	}
	m, err := c.BuildMotion()
	if err != nil {
		return nil, err
	}
	return newMotionJob(c, m, dir), nil
}

// code is the exit code of a run.
func code(s *table.Summary) int {
	if s.Status == table.Done && s.Certified && s.Met {
		return exitDone
	}
	return exitFailed
}

// failure says in one line why the exit code is 1.
func failure(s *table.Summary) string {
	if s.Status != table.Done || !s.Certified {
		return oneLine(s.Message)
	}
	missed := 0
	for i := range s.Expectations {
		if !s.Expectations[i].Met {
			missed++
		}
	}
	return fmt.Sprintf("%d of %d expectations are not met", missed, len(s.Expectations))
}

// onlyEnergetic refuses the cases of other models.
func onlyEnergetic(c *casefile.Case) error {
	if c.Model != "energetic" {
		return fmt.Errorf("%s: model %q, want a case of the model energetic", c.File, c.Model)
	}
	return nil
}
