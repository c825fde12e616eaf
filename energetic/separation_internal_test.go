package energetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestSizesOfSearch: 2ᵏ subsets are listed while they are 1024 at most and their work 2e9; searches have 4000 branches, fewer where they
// take more, and four at least; of subsets 4096 are kept, and 8192 if (N4) fails for them.
func TestSizesOfSearch(t *testing.T) {
	for _, c := range []struct {
		k    int
		work float64
		want bool
	}{{10, 1e6, true}, {10, 2e6, false}, {11, 1, false}, {1, 1e9, true}, {1, 1.01e9, false}, {0, 1e12, true}} {
		if got := listed(c.k, c.work); got != c.want {
			t.Errorf("%d particles that take %g: listed %t", c.k, c.work, got)
		}
	}
	for work, want := range map[float64]int{0: 4000, 1: 4000, 5e6: 4000, 1e7: 2000, 1e9: 20, 1e12: 4} {
		if got := searched(work); got != want {
			t.Errorf("work %g: %d branches, want %d", work, got, want)
		}
	}
	for _, c := range []struct {
		count int
		v     Verdict
		want  bool
	}{{0, Holds, true}, {4095, Holds, true}, {4096, Holds, false}, {4096, Fails, true}, {4096, Undecided, true}, {8191, Fails, true}, {8192, Fails, false}} {
		if got := kept(c.count, c.v); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// diagonal is the matrix of these entries.
func diagonal(v ...float64) *sparse.Sym {
	b := sparse.NewBuilder(len(v))
	a := b.Build()
	for c := range v {
		a.Val[a.Ptr[c]] = v[c]
	}
	return a
}

// TestWorstForm: of several forms the softest has α and its direction, the steepest q and its shares; that one was sampled counts for all.
func TestWorstForm(t *testing.T) {
	steep := func(a float64, at int) []frictionRow {
		rows := make([]frictionRow, 2)
		rows[at].a.add(3*at, a)
		return rows
	}
	forms := []*form{{h: diagonal(2, 3, 4, 5, 6, 7), rows: steep(0.5, 0), sampled: true}, {h: diagonal(4, 3, 4, 1, 6, 7), rows: steep(0.75, 1)}, {h: diagonal(4, 3, 4, 2, 6, 7), rows: steep(0.25, 0)}}
	p := &separationProblem{ctx: t.Context(), forms: forms, contact: []int{0, 1}, n: 2}
	a, soft := p.alpha([]bool{true, true})
	nearly(t, "α", a.Lo, 1, 1e-15)
	nearly(t, "α", a.Hi, 1, 1e-15)
	for d, x := range soft {
		nearly(t, "softest", math.Abs(x), map[bool]float64{true: 1}[d == 3], 1e-15)
	}
	q, share := p.q([]bool{true, true}, []bool{true, true})
	nearly(t, "q", q.Hi, 0.75, 1e-15)
	nearly(t, "share", share[1], 0.75*0.75, 1e-15)
	nearly(t, "share", share[0], 0, 1e-15)
	s := p.solve()
	if !s.Sampled || s.Verdict != Holds || !s.Complete {
		t.Errorf("%+v", s)
	}
	nearly(t, "margin", s.Margin.Lo, 0.25, 1e-15)
	nearly(t, "factor", s.Factor.Lo, 4.0/3, 1e-15)
	if f := ratio(exactly(2), exactly(0)); !math.IsInf(f.Lo, 1) || !math.IsInf(f.Hi, 1) {
		t.Errorf("without friction the factor is %v", f)
	}
}

// TestJudged: (N4) holds beyond rounding, fails where α is not positive, and is not decided where bounds overlap; a search that has not ended
// decides by its margin, beyond rounding of α.
func TestJudged(t *testing.T) {
	for _, c := range []struct {
		alpha, q Interval
		want     Verdict
	}{{Interval{-1, 0.5}, Interval{0, 2}, Undecided}, {Interval{-1, 0}, Interval{0, 2}, Fails}, {exactly(0.5), Interval{}, Holds}, {exactly(0.5), exactly(0.5), Fails}, {exactly(0.5), exactly(0.4), Holds}, {Interval{0.3, 0.5}, exactly(0.4), Undecided}} {
		if got := judge(c.alpha, c.q); got != c.want {
			t.Errorf("α %v, q %v: %v", c.alpha, c.q, got)
		}
	}
	for _, c := range []struct {
		alpha, margin float64
		complete      bool
		want          Verdict
	}{{1e3, 0.9e-9, false, Undecided}, {1e3, 1.1e-9, false, Holds}, {1e3, 0.9e-9, true, Holds}, {1e-3, 0.9e-15, false, Undecided}, {1e-3, 1.1e-15, false, Holds}} {
		s := &Separation{Complete: c.complete, Margin: exactly(c.margin), Worst: Subset{Verdict: Holds, Alpha: exactly(c.alpha)}}
		if s.conclude(); s.Verdict != c.want {
			t.Errorf("%+v: %v", c, s.Verdict)
		}
	}
}

// TestSearchOfSubsets: bounds of the smallest margin and factor hold those of all subsets, whatever the number of branches, and meet them at the end; in other units
// both are what they were, with as many branches. The particle with the largest share is decided first.
func TestSearchOfSubsets(t *testing.T) {
	narrow := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 41))
		n := 4
		h, _ := randomSym(r, n, 1, 6)
		slopes, sigma := make([]slope, n), make([]float64, n)
		for j := range slopes {
			slopes[j] = slope{size: 0.2 + 0.8*r.Float64()}
		}
		scaled := func(by float64) *separationProblem {
			a := copySym(h)
			for k := range a.Val {
				a.Val[k] *= by
			}
			return &separationProblem{ctx: t.Context(), forms: []*form{newForm(a, sigma, slopes)}, switching: []int{0, 1, 2, 3}, n: n}
		}
		whole := scaled(1).solve()
		for _, limit := range []int{1, 2, 3, 5, 100} {
			run := func(by float64) *search {
				p := scaled(by)
				p.limit = limit
				x := newSearch(p, &Separation{Margin: exactly(math.Inf(1)), Factor: exactly(math.Inf(1))})
				x.run()
				return x
			}
			s := run(1).s
			const tol = 1e-8 // the search ends at marginTolerance of α, some 5
			if s.Margin.Lo > whole.Margin.Lo+tol || s.Margin.Hi < whole.Margin.Hi-tol || s.Factor.Lo > whole.Factor.Lo+tol || s.Factor.Hi < whole.Factor.Hi-tol {
				t.Errorf("seed %d, %d branches: margin %v, factor %v, of all %v, %v", seed, limit, s.Margin, s.Factor, whole.Margin, whole.Factor)
			}
			if limit == 100 && (s.Margin.Lo < whole.Margin.Lo-tol || s.Margin.Hi > whole.Margin.Hi+tol) {
				t.Errorf("seed %d: margin %v, of all %v", seed, s.Margin, whole.Margin)
			}
			if s.Margin.Lo < whole.Margin.Lo-tol {
				narrow++
			}
			for _, by := range []float64{0x1p-40, 0x1p40} {
				other := run(by).s
				if other.Nodes != s.Nodes || math.Abs(other.Margin.Lo/by-s.Margin.Lo) > tol || math.Abs(other.Factor.Lo-s.Factor.Lo) > tol*s.Factor.Lo {
					t.Errorf("seed %d, %d branches, in units of %g: %d branches, margin %g, factor %g; want %d, %g, %g", seed, limit, by, other.Nodes, other.Margin.Lo/by, other.Factor.Lo, s.Nodes, s.Margin.Lo, s.Factor.Lo)
				}
			}
		}
		p := scaled(1)
		root := &branch{}
		x := newSearch(p, &Separation{})
		x.evaluate(root)
		x.enter(root)
		_, share := p.q([]bool{true, true, true, true}, make([]bool, n))
		if want := slices.Index(share, slices.Max(share)); root.next != want {
			t.Errorf("seed %d: shares %v, particle %d is decided", seed, share, root.next)
		}
	}
	if narrow == 0 {
		t.Error("no search ended before it had met the smallest margin")
	}
}

// TestRenumber: what is found for the particles kept has their numbers in the whole.
func TestRenumber(t *testing.T) {
	s := &Separation{Contact: []int{1}, Switching: []int{0}, Subsets: []Subset{{K: []int{0, 1}}}, Worst: Subset{K: []int{1}}, Soft: []float64{1, 2, 3, 4, 5, 6}, Share: []float64{7, 8}}
	s.renumber([]int{1, 4})
	if got, want := fmt.Sprint(s.Contact, s.Switching, s.Subsets[0].K, s.Worst.K, s.Soft, s.Share), fmt.Sprint([]int{4}, []int{1}, []int{1, 4}, []int{4}, []float64{0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 6}, []float64{0, 7, 0, 0, 8}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCondensedPair: of three particles the first and the last hang free and are bound to the second alone: condensed, D²E of that is what a series of
// springs makes of it, under its own number, and friction has the force that presses it.
func TestCondensedPair(t *testing.T) {
	at := func(j int, z float64) particles.Tether {
		return particles.Tether{Particle: j, Anchor: particles.At(0, 0, z), Stiffness: particles.Isotropic(1)}
	}
	tethers := must(particles.NewTethers(at(0, 2), at(1, -0.5), at(2, 2)))
	frames := []particles.Frame{particles.NoObstacle(), particles.Floor(), particles.NoObstacle()}
	x := []float64{0, 0, 2, 0, 0, 0, 0, 0, 2}
	bonds := must(particles.NewBonds(x, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(3)}, particles.Bond{I: 1, J: 2, Stiffness: particles.Isotropic(3)}))
	psi := must(dissipation.New(must(particles.NewSystem(frames, tethers, bonds)), []dissipation.Matrix{nil, sloped{dx: 0.25}, nil}))
	a := must(Assume(t.Context(), psi, x, AssumptionOptions{}))
	if a.Condensed == nil || fmt.Sprint(a.Condensed.Contact) != "[1]" || len(a.Condensed.Soft) != 6 || len(a.Condensed.Share) != 2 {
		t.Fatalf("%+v, %s", a.Condensed, a.CondensedNote)
	}
	nearly(t, "α", a.Condensed.Worst.Alpha.Lo, 1+2*(3.0/4), 1e-14)
	nearly(t, "q", a.Condensed.Worst.Q.Hi, 0.5*0.25, 1e-14) // .5 N
	nearly(t, "always", a.Always.Worst.Alpha.Lo, 1+2*(3.0/4), 1e-14)
}
