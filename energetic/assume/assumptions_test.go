package assume_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

func examine(t testing.TB, ex reference.Example, o assume.Options) *assume.Assumptions {
	t.Helper()
	o.Until = ex.Until
	a, err := assume.Examine(context.Background(), ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// exact is the roundoff of eigenvalues of order 1 of matrices of order 3.
const exact = 1e-14

// TestSeparationOfExamples: the (N4) numbers of the reference sheet.
func TestSeparationOfExamples(t *testing.T) {
	for name, c := range map[string]struct {
		ex       reference.Example
		alpha, q float64
		verdict  assume.Verdict
		clip     float64 // 0: fails, none
		tol      float64 // of q and, relatively, of c_lip
	}{
		// bound of a sine's rate
		"play":          {reference.Play(), 2, 0, assume.Holds, 2 * math.Pi, 2e-12},
		"klarbring 1.5": {reference.Klarbring(1.5), 1, 0.75, assume.Holds, 4, 1e-13},
		// 1/(α − q)
		"klarbring 1.999": {reference.Klarbring(1.999), 1, 0.9995, assume.Holds, 2000, 1e-9},
		"klarbring 2":     {reference.Klarbring(2), 1, 1, assume.Fails, 0, exact},
		"klarbring 2.1":   {reference.Klarbring(2.1), 1, 1.05, assume.Fails, 0, exact},
		// sheet: ten digits
		"ripple 2":    {reference.Ripple(2), 2, 0.5654866777, assume.Holds, 6 / (2 - 0.5654866777), 1e-9},
		"ripple 0.5":  {reference.Ripple(0.5), 2, 4 * 0.5654866777, assume.Fails, 0, 1e-9},
		"anisotropic": {reference.Anisotropic(), 2, 0, assume.Holds, 1, exact},
	} {
		t.Run(name, func(t *testing.T) {
			a := examine(t, c.ex, assume.Options{})
			w := a.Printed.Worst
			near(t, "alpha", w.Alpha.Lo, c.alpha, exact)
			near(t, "q", w.Q.Hi, c.q, c.tol)
			if !w.Alpha.Exact() || !w.Q.Exact() || a.Printed.Verdict != c.verdict || a.N4.Verdict != c.verdict {
				t.Errorf("worst %+v, verdict %v", w, a.Printed.Verdict)
			}
			if c.clip == 0 {
				if a.Extension != nil {
					t.Errorf("constants %+v", a.Extension)
				}
				return
			}
			near(t, "c_lip", float64(a.Extension.CLip), c.clip, c.tol*max(1, c.clip))
		})
	}
}

// TestKlarbringExplains: the reader sees the critical coefficient at once.
func TestKlarbringExplains(t *testing.T) {
	a := examine(t, reference.Klarbring(2.1), assume.Options{Names: []string{"a"}})
	var text bytes.Buffer
	if err := a.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	const want = "q = 1.05 >= α = 1 for K = {a}: friction μ = 2.1 exceeds μ_c = 2"
	if !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, text.String())
	}
	js, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(js), `"verdict":"fails","index_sets":{"contact":["a"]`) {
		t.Errorf("%s", js)
	}
}

// TestGrazing: a particle of I_s has (N4) for the empty K too, and c_2 counts.
func TestGrazing(t *testing.T) {
	a := examine(t, reference.Grazing(), assume.Options{})
	if len(a.Printed.Subsets) != 2 || !a.Printed.Complete || a.Printed.Verdict != assume.Holds {
		t.Fatalf("%+v", a.Printed)
	}
	// ∂_tDE = −(2·0.5, 0, −5·0.3·2π cos 2πt), largest at t = 0.
	rate := 3 * math.Pi
	// Bounds of the rates of a sine lie up to 1e-12 above what is attained.
	const bound = 1.1e-12
	near(t, "c_1", float64(a.Extension.C1), math.Hypot(1, rate), bound*10)
	near(t, "c_2", float64(a.Extension.C2), 0.4*rate, bound*4)
	near(t, "C_sigma", float64(a.Extension.CSigma), rate+5, bound*10)
	if !a.Extension.Certified || float64(a.Extension.C1) < math.Hypot(1, rate) {
		t.Errorf("not a bound: %+v", a.Extension)
	}
}

// TestInadmissibleAndUnstable: (N0) and (N3) are verdicts.
func TestInadmissibleAndUnstable(t *testing.T) {
	ex := reference.Play()
	ex.Start = []float64{0, 0, -0.1}
	if a := examine(t, ex, assume.Options{}); a.N0.Verdict != assume.Fails || a.Verdict() != assume.Fails {
		t.Errorf("%+v", a.N0)
	}
	ex.Start = []float64{1, 0, 0}
	a := examine(t, ex, assume.Options{})
	if a.N3.Verdict != assume.Fails || !strings.Contains(a.N3.Detail, "1.4 N more") {
		t.Errorf("%+v", a.N3)
	}
	if _, err := assume.Examine(context.Background(), ex.Psi, ex.Start, assume.Options{Until: math.NaN()}); err == nil {
		t.Error("Until = NaN accepted")
	}
}

// coupled is n particles over the floor in a row at x = 0, 1, …: two-dimensional
// blocks [[1, −c], [−c, 2]] of (x, z) as in Klarbring's example, neighbours
// bound by a spring. pressed particles have σ = 1, the others graze.
func coupled(n int, c, mu float64, pressed func(j int) bool) reference.Example {
	var entries []particles.Entry
	add := func(a, b int, v float64) {
		entries = append(entries, particles.Entry{Row: a, Col: b, Value: v})
		if a != b {
			entries = append(entries, particles.Entry{Row: b, Col: a, Value: v})
		}
	}
	var force particles.Path
	var who []int
	start := make([]float64, 3*n)
	matrices := make([]dissipation.Matrix, n)
	for j := range n {
		who = append(who, j)
		add(3*j, 3*j, 2)
		add(3*j+1, 3*j+1, 2)
		add(3*j+2, 3*j+2, 3)
		add(3*j, 3*j+2, -c*(1+0.1*float64(j%3)))
		if j > 0 {
			for a := range 3 {
				add(3*j-3+a, 3*j+a, -0.3)
			}
		}
		load := 0.0
		if pressed(j) {
			load = -1
		}
		push, err := signal.NewTable([]float64{0, 1}, []float64{0, 1})
		if err != nil {
			panic(err)
		}
		force = append(force, push, signal.Constant(0), signal.Constant(load))
		matrices[j] = dissipation.Isotropic{Mu: mu}
	}
	q, err := particles.NewQuadratic(who, start, entries, force)
	if err != nil {
		panic(err)
	}
	sys, err := particles.NewSystem(particles.Floors(n), q)
	if err != nil {
		panic(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		panic(err)
	}
	return reference.Example{Psi: psi, Start: start, Until: 1}
}

// TestTwentySwitching: 2^12 index sets, 2^20 with QUASISTATIC_LONG, are decided by a few branches.
func TestTwentySwitching(t *testing.T) {
	thorough.NotShort(t, "half a minute under the race detector")
	n := 24
	if thorough.Asked() {
		n = 40
	}
	for _, c := range []struct {
		mu   float64
		want assume.Verdict
	}{{1.2, assume.Holds}, {3, assume.Fails}} {
		start := time.Now()
		s := examine(t, coupled(n, 0.5, c.mu, func(j int) bool { return j%2 == 0 }), assume.Options{}).Printed
		t.Logf("mu %g, %d switching: %v, margin %v, factor %v, %d branches, %v", c.mu, len(s.Switching), s.Verdict,
			s.Margin, s.Factor, s.Nodes, time.Since(start))
		if len(s.Switching) != n/2 || s.Complete || s.Verdict != c.want {
			t.Errorf("verdict %v, complete %v", s.Verdict, s.Complete)
		}
		if m := s.Worst.Margin(); s.Margin.Lo > m.Lo || s.Margin.Hi < s.Margin.Lo || s.Margin.Hi > m.Hi {
			t.Errorf("margin %v, of the worst %v", s.Margin, m)
		}
	}
}

// TestManyParticles: 100 particles, with certified bounds; 2,500 with QUASISTATIC_LONG.
func TestManyParticles(t *testing.T) {
	thorough.NotShort(t, "half a minute under the race detector")
	start := time.Now()
	n := 7
	if thorough.Asked() {
		n = 50
	}
	a := examine(t, reference.Net(n, 5), assume.Options{})
	w := a.Printed.Worst
	t.Logf("alpha %v, q %v, %v, %v", w.Alpha, w.Q, a.Verdict(), time.Since(start))
	near(t, "alpha", w.Alpha.Lo, 0.5, 1e-7) // the tethers: a uniform motion stretches no bond
	if a.Verdict() != assume.Holds || w.Q.Hi != 0 {
		t.Errorf("%v, q = %v", a.Verdict(), w.Q)
	}
}

// TestCondensed: a particle in the air that couples the normal and tangential
// directions of one on the floor. As printed its freedom enters α and q; condensed
// it does not.
func TestCondensed(t *testing.T) {
	// Particle 1 hangs on a soft spring 0.4 and is bound to particle 0, whose
	// normal force it lowers by 0.5 per unit of its own x.
	entries := []particles.Entry{}
	add := func(a, b int, v float64) {
		entries = append(entries, particles.Entry{Row: a, Col: b, Value: v})
		if a != b {
			entries = append(entries, particles.Entry{Row: b, Col: a, Value: v})
		}
	}
	for d, v := range []float64{3, 3, 3, 0.4, 2, 2} {
		add(d, d, v)
	}
	add(2, 3, 0.5)
	force := particles.Path{signal.Constant(0), signal.Constant(0), signal.Constant(-1), signal.Constant(0),
		signal.Constant(0), signal.Constant(0)}
	q, err := particles.NewQuadratic([]int{0, 1}, []float64{0, 0, 0, 0, 0, 1}, entries, force)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(2), q)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 1}, nil})
	if err != nil {
		t.Fatal(err)
	}
	a := examine(t, reference.Example{Psi: psi, Start: []float64{0, 0, 0, 0, 0, 1}, Until: 1}, assume.Options{})
	if a.Printed.Verdict != assume.Fails { // q = μ·0.5 > α = 0.4
		t.Errorf("printed: %+v", a.Printed.Worst)
	}
	near(t, "q", a.Printed.Worst.Q.Hi, 0.5, exact)
	near(t, "alpha", a.Printed.Worst.Alpha.Hi, 0.4, exact)
	c := a.Condensed.Worst
	near(t, "condensed alpha", c.Alpha.Hi, 3, exact)
	near(t, "condensed q", c.Q.Hi, 0, exact) // what the free particle passes on is normal only
	if a.N4.Verdict != assume.Holds || !slices.Equal(c.K, []int{0}) {
		t.Errorf("%+v, K = %v", a.N4, c.K)
	}
}

func TestAssumeRepeats(t *testing.T) {
	first := examine(t, coupled(14, 0.5, 1.2, func(int) bool { return false }), assume.Options{})
	again := examine(t, coupled(14, 0.5, 1.2, func(int) bool { return false }), assume.Options{})
	a, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("two runs differ")
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g ± %g (off by %.3g)", what, got, want, tol, got-want)
	}
}
