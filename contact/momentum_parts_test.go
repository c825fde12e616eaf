package contact

import (
	"fmt"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMomentumParts: a turn is a negative product of the step of the sweep and the way of its images, and the next point lies
// beyond the image by a part of that way.
func TestMomentumParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(191, 5))
	turned := 0
	for k := range 40 {
		n := 1 + k%4
		var m momentum
		m.resize(n)
		r := make([]vec3, n)
		for i := range r {
			r[i], m.image[i], m.last[i] = randomVec(rng), randomVec(rng), randomVec(rng)
		}
		product := 0.0
		for i := range r {
			for c := range 3 {
				product += (m.image[i][c] - r[i][c]) * (m.image[i][c] - m.last[i][c])
			}
		}
		if m.turns(r) != (product < 0) {
			t.Errorf("a product of %g turns: %t", product, m.turns(r))
		}
		if product < 0 {
			turned++
		}
		image, last := slices.Clone(m.image), slices.Clone(m.last)
		m.move(r, 0.3)
		for i := range r {
			for c := range 3 {
				if want := image[i][c] + 0.3*(image[i][c]-last[i][c]); math.Abs(r[i][c]-want) > 1e-15*(1+math.Abs(want)) || m.last[i] != image[i] {
					t.Errorf("moves to %v, want %g", r[i], want)
				}
			}
		}
	}
	if turned < 5 || turned > 35 {
		t.Errorf("%d of 40 turn", turned)
	}
	var m momentum
	m.resize(1)
	m.image[0], m.last[0] = vec3{1}, vec3{1}
	if m.turns([]vec3{{}}) {
		t.Error("where images stand still is no turn")
	}
	m.image[0], m.last[0] = vec3{0.1}, vec3{-0.1}
	if !m.turns([]vec3{{1}}) {
		t.Error("a small turn")
	}
}

// TestMomentumFollows: the sweeps are those of the recursion, written out here with its restarts, bit by bit, and it ends as that says.
func TestMomentumFollows(t *testing.T) {
	problems := pinnedLocals()
	problems["heap"] = spherePile(heap(14, 3), 0.03, 0.5, nil)
	restarts := 0
	for _, name := range []string{"coulomb3", "deficient", "large", "grid", "balls", "heap", "coulomb2", "mixed3"} {
		p := problems[name]
		for _, limit := range []int{1, 2, 7, 90} {
			s, want := startRun(p, 1e-12), startRun(p, 1e-12)
			s.bestMerit = 1
			status := s.momentumSweeps(limit)
			r, last := want.ws.r, slices.Clone(want.ws.r)
			theta, least, sweeps := 1.0, num.Inf, 0
			for sweeps < limit {
				image := slices.Clone(r)
				change, size := want.c.sweep(image)
				sweeps++
				if want.c.merit(make([]vec3, len(r)), image) <= 1e-12 || change <= 4*num.Eps*size {
					break
				}
				least = min(least, change)
				turn := 0.0
				for i := range r {
					for c := range 3 {
						turn += (image[i][c] - r[i][c]) * (image[i][c] - last[i][c])
					}
				}
				beta := 0.0
				if change > 1.5*least || turn < 0 {
					theta, least = 1, change
					restarts++
				} else {
					next := (1 + math.Sqrt(1+4*theta*theta)) / 2
					beta, theta = (theta-1)/next, next
				}
				for i := range r {
					for c := range 3 {
						r[i][c] = image[i][c] + beta*(image[i][c]-last[i][c])
					}
				}
				last = image
			}
			if status == IterationLimit {
				if sweeps != limit || s.iterations != limit {
					t.Errorf("%s: %v after %d sweeps, by hand %d", name, status, s.iterations, sweeps)
				}
				for i := range last {
					for c := range 3 {
						if math.Abs(s.ws.r[i][c]-last[i][c]) > 1e-9*(1+math.Abs(last[i][c])) {
							t.Fatalf("%s, %d sweeps: r_%d = %v, by hand %v", name, limit, i, s.ws.r[i], last[i])
						}
					}
				}
			} else if s.iterations < sweeps || s.iterations > sweeps+momentumLook {
				t.Errorf("%s: %v after %d sweeps, by hand %d", name, status, s.iterations, sweeps)
			}
		}
	}
	if restarts < 10 {
		t.Errorf("%d restarts", restarts)
	}
}

// TestMomentumSettles: sweeps of turns end at the first look, from the sixteenth sweep on, between which and the one before no more
// than one contact has changed its state; until then they are those of momentum.
func TestMomentumSettles(t *testing.T) {
	p := spherePile(heap(30, 3), 0.03, 0.5, nil)
	at := func(sweeps int, settling bool) *localRun {
		s := startRun(p, 1e-15)
		s.bestMerit = 1
		if status := s.momentumWithin(sweeps, 5000, settling); status != IterationLimit {
			t.Fatalf("%v after %d of %d sweeps", status, s.iterations, sweeps)
		}
		return s
	}
	settled := at(300, true)
	n := settled.iterations
	if n >= 300 || n < 48 || n%momentumLook != 0 {
		t.Fatalf("settled after %d sweeps", n)
	}
	states := make([]contactState, settled.c.nc)
	for _, k := range []int{2, 4, 8, 16, 32} {
		if k >= n {
			break
		}
		s := at(k, false)
		s.evaluate()
		changed := 0
		for j := range states {
			x := s.c.stateOf(j, &s.ws.r[j], &s.ws.u[j])
			if x != states[j] {
				changed++
			}
			states[j] = x
		}
		if k >= momentumLook && changed <= momentumCalm {
			t.Errorf("%d states had changed at sweep %d", changed, k)
		}
	}
	for k := 48; k <= n; k += momentumLook {
		s := at(k, false)
		s.evaluate()
		changed := 0
		for j := range states {
			x := s.c.stateOf(j, &s.ws.r[j], &s.ws.u[j])
			if x != states[j] {
				changed++
			}
			states[j] = x
		}
		if (changed <= momentumCalm) != (k == n) {
			t.Errorf("%d states have changed at sweep %d of %d", changed, k, n)
		}
		if k == n && !slices.Equal(s.ws.r, settled.ws.r) {
			t.Error("other sweeps than those of momentum")
		}
	}
}

// TestPinnedSweeps: what accelerated sweeps and those with momentum report of each of two hundred steps on stiff piles, where they
// are begun anew, dropped and looked at, and after which they give up.
func TestPinnedSweeps(t *testing.T) {
	table := Pinned(t)
	all := pinnedLocals()
	problems := map[string]*Local{"deficient": all["deficient"], "large": all["large"], "pairs": all["pairs"], "steep": all["steep"], "heap": spherePile(heap(14, 3), 0.03, 0.5, nil), "balls": all["balls"]}
	for name, p := range problems {
		for which, method := range map[string]localMethod{"accelerated": (*localRun).acceleratedSweeps, "momentum": (*localRun).momentumSweeps, "turns": (*localRun).turns, "damped": (*localRun).dampedNewton} {
			s := startRun(p, 1e-10)
			s.limit = 1500
			var path []float64
			s.o.OnIteration = func(i Iteration) {
				if i.Residual > 1e-6 && len(path) < 200 {
					path = append(path, math.Log(i.Residual), i.Step)
				}
			}
			status := method(s, 1500)
			table.Check(fmt.Sprintf("sweeps-%s-%s", name, which), int(status), s.iterations, len(path), path)
		}
	}
}

// TestMomentumAgain: a workspace that has solved a problem by sweeps with momentum solves it again by the same sweeps, to the bit, and so does
// one whose solve was ended by the caller.
func TestMomentumAgain(t *testing.T) {
	p := spherePile(heap(14, 3), 0.03, 0.5, nil)
	for _, asked := range []bool{false, true} {
		var ws LocalWorkspace
		var first []float64
		sweeps := 0
		for k := range 3 {
			ws.Forget()
			ws.prepare(p)
			o := &Options{}
			if asked {
				o.Enough = func([]float64) bool { return true }
			}
			s := &ws.run
			*s = localRun{ws: &ws, c: &ws.c, ctx: t.Context(), o: o, p: p, res: &Result{}, want: 1e-5, tol: 1e-5, limit: 5000, bestMerit: num.Inf}
			s.res.Allocate(len(p.Q), len(p.Laws))
			clear(ws.r)
			status := s.momentumWithin(2000, 2000, false)
			if status != Converged {
				t.Fatalf("%v after %d sweeps", status, s.iterations)
			}
			r := make([]float64, len(p.Q))
			ws.c.expand(r, ws.r)
			if &ws.r[0] == &ws.momentum.image[0] || &ws.r[0] != &ws.vectors[0] {
				t.Fatal("the iterate and its image are one, or not where they were laid out")
			}
			if k == 0 {
				first, sweeps = r, s.iterations
			} else if !slices.Equal(r, first) || s.iterations != sweeps {
				t.Errorf("asked: %t, solve %d takes %d sweeps, the first %d", asked, k, s.iterations, sweeps)
			}
			if m := s.c.merit(ws.u, ws.r); !asked && m > 1e-5 {
				t.Errorf("the iterate has a merit of %g", m)
			}
		}
	}
}
