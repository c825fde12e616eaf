package contact

import (
	"context"
	"github.com/quasistatic/quasistatic/internal/num"
	"math/rand/v2"
	"testing"
)

// TestWarm: two steps of a pile, the second started from the impulses of the first, by
// Newton's method with a long memory and by turns of sweeps and Newton's method.
func TestWarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	at := cannonballs(4)
	v := make([]float64, 6*len(at))
	first := spherePile(at, 1e-9, 0.4, v)
	for i := range v { // the step gives speeds of 1e-2 m/s
		v[i] = 1e-4 * rng.NormFloat64()
	}
	second := spherePile(at, 1e-9, 0.4, v)
	for name, run := range map[string]localMethod{"newton": (*localRun).warm, "turns": (*localRun).turns} {
		var ws LocalWorkspace
		var res Result
		if err := SolveLocal(context.Background(), first, nil, &ws, &res); err != nil {
			t.Fatal(err)
		}
		if err := solveLocalBy(context.Background(), second, &Options{Method: MethodWarm}, &ws, &res, run); err != nil {
			t.Errorf("%s: %v, %v", name, err, res.Stages)
		}
		if res.Iterations == 0 {
			t.Errorf("%s: nothing was to be done", name)
		}
	}
}

// TestContactStates: the states are the cases of Alart and Curnier's equations, told by their derivative, and changes counts those
// that are another than noted.
func TestContactStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 31))
	laws := []Law{Coulomb{Mu: .5}, Coulomb{}, Frictionless{}, Bilateral{}}
	w := &Blocks{D: 3, Ptr: []int{0}}
	p := &Local{W: w, Q: make([]float64, 3*len(laws))}
	for j, l := range laws {
		w.Ptr, w.Col, w.Val = append(w.Ptr, j+1), append(w.Col, j), append(w.Val, num.Identity3[:]...)
		p.Laws = append(p.Laws, l)
	}
	s := startRun(p, 1e-8)
	noted, seen := make([]contactState, len(laws)), map[contactState]int{}
	s.changes(true)
	for j := range noted {
		noted[j] = s.c.stateOf(j, &vec3{}, &vec3{})
	}
	for k := range 200 {
		want := 0
		for j := range laws {
			r, u := randomVec(rng), randomVec(rng)
			var f vec3
			var e, b mat3
			alartCurnier(&f, &e, &b, s.c.mu[j], &r, &u)
			x := contactStick
			switch {
			case laws[j] == Bilateral{}:
			case e == mat3{}:
				x = contactOpen
			case b != mat3{} && j < 2:
				x = contactSlip
			}
			if got := s.c.stateOf(j, &r, &u); got != x {
				t.Fatalf("%T at r = %v, u = %v: %d, want %d", laws[j], r, u, got, x)
			}
			s.ws.r[j], s.ws.u[j] = r, u
			if x != noted[j] {
				want++
			}
			if k%2 == 0 {
				noted[j] = x
			}
			seen[x]++
		}
		if got := s.changes(k%2 == 0); got != want {
			t.Fatalf("%d changes, want %d", got, want)
		}
	}
	if seen[contactOpen] < 100 || seen[contactStick] < 100 || seen[contactSlip] < 100 {
		t.Errorf("states %v", seen)
	}
}

// TestFactorsForFew: what is factorised a dozen times has the quick order until more factorisations are asked for, and keeps the
// better one then. Small problems and those whose bodies are known have one order.
func TestFactorsForFew(t *testing.T) {
	s := startRun(lattice([3]int{10, 11, 12}), 1e-8)
	few := s.ws.fewFactors(t.Context())
	quick := few.count
	if !few.quick {
		t.Fatal("an order that cannot be better")
	}
	if again := s.ws.fewFactors(t.Context()); !again.quick || again.count != quick {
		t.Error("a second analysis")
	}
	more := s.ws.factors(t.Context())
	if more.quick || !(more.count < quick) {
		t.Errorf("%g products, %g in the quick order", more.count, quick)
	}
	if best := more.count; s.ws.fewFactors(t.Context()).count != best {
		t.Error("the better order is not kept")
	}
	if startRun(lattice([3]int{4, 4, 4}), 1e-8).ws.fewFactors(t.Context()).quick {
		t.Error("a few contacts have a better order")
	}
	if startRun(spherePile(heap(12, 3), 1e-9, .4, nil), 1e-8).ws.fewFactors(t.Context()).quick {
		t.Error("the graph of the bodies was not looked at")
	}
}

// lattice is a problem of contacts in a cubic lattice of those sides, each coupled to its neighbours.
func lattice(side [3]int) *Local {
	n := side[0] * side[1] * side[2]
	w := &Blocks{D: 3, Ptr: []int{0}}
	p := &Local{W: w, Q: make([]float64, 3*n)}
	for i := range n {
		x := [3]int{i % side[0], i / side[0] % side[1], i / side[0] / side[1]}
		step := 1
		for k := range 3 {
			for _, way := range [...]int{-1, 1} {
				if y := x[k] + way; y >= 0 && y < side[k] {
					w.Col, w.Val = append(w.Col, i+way*step), append(w.Val, -.1, 0, 0, 0, -.1, 0, 0, 0, -.1)
				}
			}
			step *= side[k]
		}
		w.Col, w.Val = append(w.Col, i), append(w.Val, num.Identity3[:]...)
		w.Ptr = append(w.Ptr, len(w.Col))
		p.Laws = append(p.Laws, Coulomb{Mu: .3})
	}
	return p
}
