package rigid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/relay"
	"github.com/quasistatic/quasistatic/memory"
)

// islands are the connected components of the Delassus operator W: contacts in different islands
// share no body that moves. Each is solved as a problem of its own, so that a hard one does not make
// the others iterate, and a single contact is solved in closed form.
type islands struct {
	root      forest.Sets
	order     []int // contacts sorted by island; in the augmented formulation joints follow those of each
	solid     []int // the number of contacts of each island, without joints
	ptr       []int // island k is order[ptr[k]:ptr[k+1]]
	at        []int // index of a contact in its island
	outcome   []outcome
	solvers   []solver // one for each island: patterns stay from step to step
	task      task
	next      atomic.Int32   // the next island that a worker takes
	duplicate []int          // an earlier island whose problem is equal bit by bit, or the island itself
	seen      map[uint64]int // the first island with a checksum
	counted   []bool         // scratch of inexactSpeeds: bodies that are counted
	moves     []float64      // speeds of the bodies, at most what the forces of the step give them
	worn      []float64      // largest slip at each body, see wear [m/s]
}

// task is what is done with islands.
type task int

const (
	solveWhole task = iota
	openGaps        // of the projection
)

// find sorts the contacts, and the joints that follow them in W, into islands (union-find).
func (x *islands) find(w *contact.Blocks, contacts int) {
	nc := w.Contacts()
	x.root, x.at, x.order = grow(x.root, nc), grow(x.at, nc), grow(x.order, nc)
	x.root.Part()
	for i := range nc {
		for _, j := range w.Col[w.Ptr[i]:w.Ptr[i+1]] {
			x.root.Join(i, j)
		}
	}
	x.ptr = append(x.ptr[:0], 0)
	for i := range nc { // roots are the first contacts, which number their islands
		r := x.root.Root(i)
		if r == i {
			x.at[i] = len(x.ptr) - 1
			x.ptr = append(x.ptr, 0)
		}
		x.ptr[x.at[r]+1]++
	}
	for k := 1; k < len(x.ptr); k++ {
		x.ptr[k] += x.ptr[k-1]
	}
	for i := range nc { // ptr[k] moves to the end of island k …
		k := x.at[x.root.Root(i)]
		x.order[x.ptr[k]] = i
		x.ptr[k]++
	}
	copy(x.ptr[1:], x.ptr[:len(x.ptr)-1]) // … and back
	x.ptr[0] = 0
	x.solid = grow(x.solid, len(x.ptr)-1)
	for k := range x.solid {
		members := x.order[x.ptr[k]:x.ptr[k+1]]
		x.solid[k], _ = slices.BinarySearch(members, contacts)
		for n, i := range members {
			x.at[i] = n
		}
	}
}

// solve computes the impulses p.r, from those of the step before as initial guess. Islands are
// solved on all cores; no island sees another, so that the result does not depend on their number.
func (s *solution) solve(ctx context.Context) error {
	if len(s.p.list) == 0 {
		return nil
	}
	s.step.Solves++
	s.solved = 0
	if s.p.augmented {
		if done, err := s.solveAugmented(ctx); done || err != nil {
			return err
		}
	}
	if s.lay() {
		return s.solveEvenly(ctx)
	}
	return s.solveFull(ctx)
}

// solveFull solves the problem in the formulation that is loaded.
func (s *solution) solveFull(ctx context.Context) error {
	p := &s.p
	x := &p.islands
	s.solveAll(ctx)
	s.forgetMoved()
	for k := range x.outcome {
		s.putIsland(k)
		s.putMoved(&x.solvers[k].lifted)
		o := &x.outcome[k]
		s.step.Iterations += o.iterations
		s.step.Hardest = max(s.step.Hardest, o.iterations)
		if o.stalled {
			s.step.Stalled++
		}
		if o.err != nil {
			return s.unsolved(o.err, s.touchesOf(k))
		}
		s.solved = max(s.solved, o.residual)
		s.step.Residual = max(s.step.Residual, o.residual)
		s.step.Inexact.add(&o.inexact)
	}
	return nil
}

// solveAll extracts the problems of the islands and solves them.
func (s *solution) solveAll(ctx context.Context) {
	x := &s.p.islands
	x.find(s.p.matrix(), len(s.p.list))
	x.outcome = grow(x.outcome, len(x.ptr)-1)
	x.next.Store(0)
	for len(x.solvers) < len(x.outcome) {
		x.solvers = append(x.solvers, solver{})
	}
	for k := range x.solvers {
		x.solvers[k].opt.Memory = s.p.factors
	}
	s.cutIslands()
	if n := x.workers(); n == 1 { // no goroutine, no memory
		s.solveIslands(ctx)
	} else {
		s.solveTogether(ctx, n)
	}
}

// putIsland copies the impulses of an island into p.r: its own, or those of the equal island that
// was solved in its place.
func (s *solution) putIsland(k int) {
	p, x := &s.p, &s.p.islands
	j := x.duplicate[k]
	if j != k {
		x.outcome[k] = x.outcome[j]
		x.outcome[k].iterations = 0
	}
	r := x.solvers[j].r
	for n, i := range x.members(k) {
		copy(p.r[i*p.dim:(i+1)*p.dim], r[n*p.dim:(n+1)*p.dim])
	}
	s.putResisted(&x.solvers[j], x.members(k))
	for n, i := range x.order[x.ptr[k]+x.solid[k] : x.ptr[k+1]] { // joints
		copy(p.jointR[(i-len(p.list))*p.dim:][:p.dim], r[(x.solid[k]+n)*p.dim:])
	}
}

// islandWorth is the number of contacts from which on an island is worth a goroutine.
const islandWorth = 20

// workers is the number of goroutines: one for each core, as far as there are large islands.
func (x *islands) workers() int {
	worth := 0
	for k := range len(x.ptr) - 1 {
		if x.duplicate[k] == k && x.ptr[k+1]-x.ptr[k] >= islandWorth {
			worth++
		}
	}
	return max(1, min(runtime.GOMAXPROCS(0), worth))
}

// solveTogether solves the islands by several workers; a panic of one is raised again by the caller.
func (s *solution) solveTogether(ctx context.Context, workers int) {
	var done sync.WaitGroup
	var fault atomic.Pointer[relay.Panic]
	for range workers - 1 {
		done.Go(func() {
			defer func() {
				if p := relay.Caught(recover()); p != nil {
					fault.Store(p)
				}
			}()
			s.solveIslands(ctx)
		})
	}
	s.solveIslands(ctx)
	done.Wait()
	if p := fault.Load(); p != nil {
		panic(p)
	}
}

// solveIslands is a worker: it takes the next island until there is none.
func (s *solution) solveIslands(ctx context.Context) {
	x := &s.p.islands
	for {
		k := int(x.next.Add(1)) - 1
		if k >= len(x.outcome) {
			return
		}
		if err := ctx.Err(); err != nil {
			x.outcome[k] = outcome{err: err}
			continue
		}
		if x.duplicate[k] != k {
			continue
		}
		p := &x.solvers[k]
		switch x.task {
		case openGaps:
			p.open(ctx, s.settling, len(s.model.Rows) > 0)
		default:
			p.solve(ctx, &s.o, s.mayCut)
		}
		x.outcome[k] = p.outcome
	}
}

// cutIslands extracts the problems of the islands and finds equal ones, as many columns of equal
// bodies have: those are solved once.
func (s *solution) cutIslands() {
	x := &s.p.islands
	n := len(x.outcome)
	x.duplicate = grow(x.duplicate, n)
	if x.seen == nil {
		x.seen = make(map[uint64]int)
	}
	clear(x.seen)
	for k := range n {
		p, members := &x.solvers[k], x.members(k)
		s.p.cutOut(p, x.order[x.ptr[k]:x.ptr[k+1]])
		s.openCriterion(p, members)
		x.duplicate[k] = k
		s.openLifted(p, members)
		if s.cutWide(p, members); p.wide.on || len(members) == 1 || p.lifted.ratio > 0 { // the first are cheaper to solve
			continue
		}
		sum := p.checksum()
		if j, found := x.seen[sum]; !found {
			x.seen[sum] = k
		} else if p.same(&x.solvers[j]) {
			x.duplicate[k] = j
		}
	}
}

// touchesOf replaces the contacts of an island by their touches, in place.
func (s *solution) touchesOf(k int) []int {
	members := s.p.islands.members(k)
	for n, i := range members {
		members[n] = s.p.list[i]
	}
	return members
}

// members are the contacts of an island.
func (x *islands) members(k int) []int { return x.order[x.ptr[k]:][:x.solid[k]] }

// checksum is the hash of Fowler, Noll and Vo over b and the guess, word by word.
func (p *solver) checksum() uint64 {
	sum := uint64(14695981039346656037)
	for _, v := range [...][]float64{p.b, p.r} {
		for _, x := range v {
			sum = (sum ^ math.Float64bits(x)) * 1099511628211
		}
	}
	return sum
}

// same reports whether two problems and their guesses are equal bit by bit.
func (p *solver) same(x *solver) bool {
	equal := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	}
	return equal(p.b, x.b) && equal(p.r, x.r) && p.faces == x.faces && p.slowIsland == x.slowIsland &&
		p.rough == x.rough && p.shares == x.shares && p.speed == x.speed && p.fallback == x.fallback &&
		p.early == x.early && equal(p.speeds, x.speeds) &&
		slices.Equal(p.laws, x.laws) && slices.Equal(p.w.Ptr, x.w.Ptr) && slices.Equal(p.w.Col, x.w.Col) && equal(p.w.Val, x.w.Val)
}

// cutOut copies the rows and columns of an island into its own problem x.
func (p *problem) cutOut(x *solver, members []int) {
	dim, w := p.dim, p.matrix()
	x.dim, x.augmented = dim, p.augmented
	x.list, x.laws, x.b, x.r = x.list[:0], x.laws[:0], x.b[:0], x.r[:0]
	x.w.D, x.w.Ptr, x.w.Col, x.w.Val = w.D, append(x.w.Ptr[:0], 0), x.w.Col[:0], x.w.Val[:0]
	for _, i := range members {
		if i < len(p.list) {
			x.list, x.laws = append(x.list, p.list[i]), append(x.laws, p.laws[i])
			x.b = append(x.b, p.b[i*dim:(i+1)*dim]...)
			x.r = append(x.r, p.r[i*dim:(i+1)*dim]...)
		} else { // joints hold already
			x.laws = append(x.laws, contact.Bilateral{})
			for d := range dim {
				x.b, x.r = append(x.b, 0), append(x.r, p.jointR[(i-len(p.list))*dim+d])
			}
		}
		for _, j := range w.Col[w.Ptr[i]:w.Ptr[i+1]] {
			x.w.Col = append(x.w.Col, p.islands.at[j])
		}
		x.w.Val = append(x.w.Val, w.Val[w.Ptr[i]*dim*dim:w.Ptr[i+1]*dim*dim]...)
		x.w.Ptr = append(x.w.Ptr, len(x.w.Col))
	}
}

// solution solves the contact problem of a step, island by island, each to a goal of its own.
type solution struct {
	*motion
	*contactSet
	*drives
	*mechanics
	*curvature
	*assembly

	bed    bed
	mayCut bool    // the present part may be cut …
	solved float64 // residual of the last problem
	rough  bool    // see Rough
}

// unsolved is the error of a problem, with the contact of the largest residual.
func (s *solution) unsolved(err error, touches []int) error {
	if exceeded, ok := errors.AsType[*memory.ExceededError](err); ok {
		return fmt.Errorf("%d contacts that are coupled: the step %w: bodies that overlap, or a larger limit", len(touches), exceeded)
	}
	var e *contact.Error
	if errors.As(err, &e) && e.Worst >= 0 && e.Worst < len(touches) {
		t := &s.touches[touches[e.Worst]]
		return fmt.Errorf("%d contacts, worst %s at %s: %w; a smaller step or masses that differ less may help",
			len(touches), s.model.TouchName(t), multibody.Where(s.model.There(t.At)), err)
	}
	return fmt.Errorf("%d contacts: %w", len(touches), err)
}

// openAll solves the problem of the projection, in which impulses open gaps.
func (s *solution) openAll(ctx context.Context) {
	x := &s.p.islands
	x.task = openGaps
	s.solveAll(ctx)
	x.task = solveWhole
}
