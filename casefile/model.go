package casefile

import (
	"context"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// Model is a case made ready to run.
type Model struct {
	Psi   *dissipation.Coulomb
	Start []float64 // z_0, local coordinates
	At    []float64 // the same in global coordinates, as in the case
	IDs   []string  // names of the particles
	Until float64   // end time T [s]
	Steps int       // n of the partition
	// Chosen: the case names no steps; Choose finds them, and Times holds the nodes.
	Chosen  bool
	Times   []float64
	Options energetic.Options
	// Gammas, if not empty, are those of the continuation γ → 0; that of Options is
	// the last.
	Gammas     []float64
	Adaptive   *energetic.Adaptive // nil: equal steps
	StopAtJump bool
	Stability  energetic.StabilityTest
	Every      int // write every n-th node
	Format     table.Format
	Expect     []Expectation
	// Need is the memory that a run is predicted to take, by parts; Limit is what it
	// may take.
	Need  memory.Estimate
	Limit memory.Limit
	// Files are the names of files that the case refers to, relative to it.
	Files []string
	// Scene is what pictures and files of other formats show beside the particles.
	Scene *table.Scene
}

// Time returns t_k: T·k/n of the uniform partition, or the node that was chosen.
func (m *Model) Time(k int) float64 {
	if m.Times != nil {
		return m.Times[k]
	}
	return m.Until * float64(k) / float64(m.Steps)
}

// Choose finds the steps of a case that names none, see [energetic.ChoosePartition].
func (m *Model) Choose(ctx context.Context) (*energetic.Partition, error) {
	p, err := energetic.ChoosePartition(ctx, m.Psi, m.Start, m.Options, m.Until)
	if err != nil {
		return nil, err
	}
	m.Times, m.Steps = p.Times, len(p.Times)-1
	return p, nil
}

// Build makes the model of a case. An error is an [*Error] that lists all faults
// found.
func (c *Case) Build() (*Model, error) {
	f := &faults{file: c.File, data: c.text()}
	if c.Model != "energetic" {
		f.add(path{"model"}, "found %q, want a case of the model energetic here", c.Model)
		return nil, f.err()
	}
	b := newBuilder(f, &c.document)
	b.limit = c.limit(f, c.document.Solver.Memory)
	m := b.model()
	if err := f.err(); err != nil {
		return nil, err
	}
	return m, nil
}
