package factor

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/internal/relay"
)

// team shares the rows of one front among goroutines. Which goroutine takes
// which rows does not change a bit of the result: see tile.
type team struct {
	ctx     context.Context // until when; nil means for ever
	workers int
	job     rowJob
	begin   int
	end     int
	next    atomic.Int64
	done    sync.WaitGroup
	fault   atomic.Pointer[relay.Panic] // of a helper
}

type rowKind int

const (
	solveRows   rowKind = iota // panel.solve
	updateRows                 // panel.update
	schurRows                  // the update matrix of a front
	productRows                // L Lᵀ of a whole panel
)

// rowJob is one dense operation that treats rows independently.
type rowJob struct {
	kind        rowKind
	panel       *panel
	lo, mid, hi int
	schur       matrix
}

// do runs the job on the rows from to end.
func (j *rowJob) do(from, end int) {
	p := j.panel
	switch j.kind {
	case solveRows:
		p.solve(j.lo, j.hi, from, end)
	case updateRows:
		p.update(j.lo, j.mid, j.hi, from, end)
	case schurRows:
		// U -= L₂L₂ᵀ in its lower triangle; the rows count from the top of U.
		below := matrix{p.v[p.k*p.ld:], p.ld}
		subMulTrans(j.schur.from(from, 0), below.from(from, 0), below, end-from, end, p.k, from)
	case productRows:
		// U -= L Lᵀ in its lower triangle, where rows of L end at the diagonal.
		subMulTrans(j.schur.from(from, 0), p.from(from, 0), p.matrix, end-from, end, min(p.k, end), from)
	}
}

// worthwhile is the number of operations from which on a job is shared: some
// ten times what waking a goroutine costs.
const worthwhile = 1 << 22

// rows runs the job on the rows from to end, each of which costs the given
// number of operations.
func (t *team) rows(job rowJob, from, end, cost int) {
	if from >= end {
		return
	}
	if t.workers < 2 || (end-from)*cost < worthwhile {
		for ; from < end && !t.stopped(); from += chunk {
			job.do(from, min(from+chunk, end))
		}
		return
	}
	t.job, t.begin, t.end = job, from, end
	t.next.Store(0)
	helpers := min(t.workers, (end-from+chunk-1)/chunk) - 1
	t.done.Add(helpers)
	for range helpers {
		go t.help()
	}
	t.work()
	t.done.Wait()
	if p := t.fault.Swap(nil); p != nil {
		panic(p)
	}
}

// stopped reports whether what is computed will not be used.
func (t *team) stopped() bool { return t.ctx != nil && t.ctx.Err() != nil }

func (t *team) help() {
	defer t.done.Done()
	defer func() {
		if p := relay.Caught(recover()); p != nil {
			t.fault.Store(p)
		}
	}()
	t.work()
}

func (t *team) work() {
	for {
		from := t.begin + int(t.next.Add(1)-1)*chunk
		if from >= t.end || t.stopped() {
			return
		}
		t.job.do(from, min(from+chunk, t.end))
	}
}
