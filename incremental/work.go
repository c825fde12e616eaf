package incremental

import "fmt"

// The work of a step is bounded: near to the loss of what friction holds, states are so far that
// each of them takes a solver long, and thresholds are looked for in hundreds of them. It is
// counted, not timed: the same case ends in the same place on any machine.
const (
	// mostSolves and mostIterations are the most that a step may take: solves of a contact problem,
	// and iterations of its solver in all. The hardest step of the tests of this module, a column
	// that buckles under thresholds that do not settle, takes 21,312 and 20,976.
	mostSolves     = 200_000
	mostIterations = 200_000
)

// work is what a step has taken; without a limit outside of a step.
type work struct {
	limited            bool
	solves, iterations int
}

func (w *work) spent() bool {
	return w.limited && (w.solves >= mostSolves || w.iterations >= mostIterations)
}

// WorkError is the cause of the error of a step that was given up since it took too much work.
type WorkError struct {
	Solves, Iterations int // that the step took
}

// Error implements error.
func (e *WorkError) Error() string {
	return fmt.Sprintf("given up after %d contact problems and %d iterations of their solver; shorter steps take less each, and near to the loss of what friction holds no step may be solved",
		e.Solves, e.Iterations)
}
