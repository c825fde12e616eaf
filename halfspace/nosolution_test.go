package halfspace

import (
	"errors"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// jumping are the scenes of TestStorm, 0 to 2999, that are not solved: in all of them a threshold
// ends where dissimilar bodies part.
var jumping = []uint64{31, 220, 411, 458, 530, 730, 825, 842, 864, 974, 1034, 1098, 1212, 1414, 1718, 1959, 2656, 2675,
	2712, 2716, 2806, 2842, 2866, 2932, 2969}

// TestNoSolution: a step whose threshold ends where the bodies part is solved for any choice of the
// elements that bear it, and its pressures say which do. Elements for which they say otherwise are
// contested; all choices of those are tried, and more come to them, up to six. None is consistent:
// with the others as they are in all of them there is no solution.
func TestNoSolution(t *testing.T) {
	thorough.Seconds(t)
	seeds, most := jumping[12:14], 6 // of one element and of two
	if thorough.Asked() {
		seeds = jumping
	}
	closed := 0
	for _, seed := range seeds {
		c := newContest(t, seed)
		for done := false; !done && len(c.elements) <= most; {
			done = c.tryAll(t)
			if done {
				closed++
			}
		}
		t.Logf("seed %d: %d contested elements, %d choices", seed, len(c.elements), c.tried)
	}
	if want := map[int]int{2: 2, 25: 20}[len(seeds)]; closed != want {
		t.Errorf("all choices contradict themselves in %d of %d scenes, want %d", closed, len(seeds), want)
	}
}

// contest is the step of a scene that is not solved, from the node before.
type contest struct {
	seed      uint64
	step      func() error
	e         *Evolution
	before    State
	threshold []float64
	touching  []bool // at the end of the solver
	elements  []int  // contested
	tried     int
}

func newContest(t *testing.T, seed uint64) *contest {
	s := newSquall(seed)
	op, err := s.operator()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	op.Workers = 1
	c := &contest{seed: seed, e: NewEvolution(op, s.problem, nil)}
	for _, d := range s.drives {
		c.step = func() error { return s.step(t.Context(), c.e, d) }
		if err = c.step(); err != nil {
			break
		}
	}
	var open *Unsolved
	if !errors.As(err, &open) || !open.Jumps {
		t.Fatalf("seed %d: %v, want a step that is not solved", seed, err)
	}
	for _, p := range c.e.next.P[N] {
		c.touching = append(c.touching, p > 0)
	}
	c.e.Save(&c.before)
	c.threshold, c.e.problem.Touching = c.e.problem.Threshold, false
	return c
}

// tryAll tries the choices of the contested elements; false: it has found one more.
func (c *contest) tryAll(t *testing.T) bool {
	for choice := range 1 << len(c.elements) {
		bears := slices.Clone(c.touching)
		for b, i := range c.elements {
			bears[i] = choice>>b&1 == 1
		}
		contradicted := c.try(t, bears)
		if len(contradicted) == 0 {
			t.Errorf("seed %d: a choice of %v is consistent", c.seed, c.elements)
		}
		for _, i := range contradicted {
			if !slices.Contains(c.elements, i) {
				c.elements = append(c.elements, i)
				return false
			}
		}
	}
	return true
}

// try solves the step with a threshold on elements, and returns those whose pressure contradicts
// that.
func (c *contest) try(t *testing.T, bears []bool) (contradicted []int) {
	if err := c.e.Load(&c.before); err != nil {
		t.Fatal(err)
	}
	c.tried++
	c.e.problem.Threshold = make([]float64, len(bears))
	for i, b := range bears {
		if b {
			c.e.problem.Threshold[i] = c.threshold[i]
		}
	}
	if err := c.step(); err != nil {
		t.Errorf("seed %d: with a given threshold: %v", c.seed, err)
		return nil
	}
	for i, p := range c.e.result.P[N] {
		if p > 0 != bears[i] {
			contradicted = append(contradicted, i)
		}
	}
	return contradicted
}
