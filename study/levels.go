package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/internal/crew"
)

// Levels are the runs of a convergence study of one case: each is the case itself, made in
// steps that its number says.
type Levels struct {
	Steps  int `json:"steps"`  // of the coarsest run; 0: as the model has it
	Levels int `json:"levels"` // of the step
	Runs   int `json:"runs"`   // of all: a model may compare more than steps
}

// Level is one of the runs of [Levels].
type Level struct {
	Levels
	Index int // from 0
}

// NewLevels returns the plan of a convergence study over the text of its case.
func NewLevels(name string, base []byte, l Levels) *Plan {
	return &Plan{Spec: &Spec{Name: name, Keep: KeepNothing, Tries: DefaultTries}, base: base, size: l.Runs, levels: &l}
}

// level returns which run of the levels run i is; nil: the plan has none.
func (p *Plan) level(i int) *Level {
	if p.levels == nil {
		return nil
	}
	return &Level{*p.levels, i}
}

// levelID tells the runs of a convergence study apart.
func (p *Plan) levelID(text []byte, l *Level) string {
	mark, _ := json.Marshal(l) // numbers always can be
	return digest(append([]byte(p.ID(text)), mark...)).String()
}

// errLevel: a run of a convergence study failed, and with it the study.
var errLevel = errors.New("study: a run failed")

// MakeLevels makes the runs of a convergence study by an engine, the last one first, and
// returns their records, with what each left in [Outcome.Files]. It fails with the first run
// that leaves nothing; what a run is worth, is in its record.
func MakeLevels(ctx context.Context, w *Work, e Engine) ([]*Record, error) {
	number := map[string]int{}
	for i := range w.Plan.Len() {
		j, err := w.job(i)
		if err != nil {
			return nil, err
		}
		number[j.ID] = i
	}
	list := make([]*Record, w.Plan.Len())
	w.withdraw = func(worker, _ string) (runs []int, _ error) {
		for i, r := range list {
			if r != nil && r.Worker == worker {
				list[i], runs = nil, append(runs, i)
			}
		}
		return runs, nil
	}
	err := e.Make(ctx, w, crew.Down(w.Plan.Len()), func(r *Record) error {
		i, ours := number[r.ID]
		if !ours {
			return nil
		}
		if len(r.Files) == 0 {
			return fmt.Errorf("%w: %s", errLevel, r.Message)
		}
		list[i] = r
		return nil
	})
	return list, err
}
