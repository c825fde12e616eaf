package energetic

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// TestIntervals: ten digits are all; text and JSON; verdicts; α against q to rounding, and how often friction may be what it is.
func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		v     Interval
		exact bool
		text  string
		json  string
	}{
		{Interval{2, 2}, true, "2", "[2,2]"}, {Interval{2, 2 + 1.9e-10}, true, "2", ""}, {Interval{2, 2 + 2.1e-10}, false, "2", ""}, {Interval{-2, -2 + 1.9e-10}, true, "-2", ""}, {Interval{-2, -2 + 2.1e-10}, false, "-2", ""},
		{Interval{1, 3}, false, "[1, 3]", "[1,3]"}, {Interval{math.Inf(-1), 3}, false, "[-Inf, 3]", "[null,3]"}, {Interval{math.Inf(1), math.Inf(1)}, true, "+Inf", "[null,null]"}, {Interval{math.NaN(), 1}, false, "[NaN, 1]", "[null,1]"},
	} {
		text, err := json.Marshal(c.v)
		if c.v.Exact() != c.exact || c.v.String() != c.text || err != nil || c.json != "" && string(text) != c.json {
			t.Errorf("%v: exact %t, %q, %s, %v", c.v, c.v.Exact(), c.v.String(), text, err)
		}
	}
	for v, want := range map[Verdict]string{Holds: "holds", Undecided: "undecided", Fails: "fails", 3: "Verdict(3)", -1: "Verdict(-1)"} {
		if v.String() != want {
			t.Errorf("%d: %q", int(v), v)
		}
	}
	for _, c := range []struct {
		alpha, q Interval
		verdict  Verdict
		ratio    Interval
	}{
		{exactly(2), exactly(1), Holds, exactly(2)}, {exactly(1), exactly(2), Fails, exactly(0.5)}, {exactly(1), exactly(1), Fails, exactly(1)}, {exactly(1), exactly(0), Holds, exactly(math.Inf(1))},
		{exactly(0), exactly(0), Fails, exactly(0)}, {exactly(-1), exactly(0), Fails, exactly(0)}, {Interval{1, 3}, Interval{2, 4}, Undecided, Interval{0.25, 1.5}}, {Interval{-1, 3}, exactly(0), Undecided, Interval{0, math.Inf(1)}},
		{exactly(1 + 0.9e-12), exactly(1), Fails, exactly(1 + 0.9e-12)}, {exactly(1 + 1.2e-12), exactly(1), Holds, exactly(1 + 1.2e-12)}, {exactly(1000 + 0.9e-9), exactly(1000), Fails, exactly(1 + 0.9e-12)},
		{exactly(1000 + 1.2e-9), exactly(1000), Holds, exactly(1 + 1.2e-12)}, {Interval{0, 2}, exactly(0), Undecided, Interval{0, math.Inf(1)}}, {Interval{1e-300, 2}, exactly(0), Undecided, exactly(math.Inf(1))}, {Interval{1, 1.5}, Interval{1.5, 2}, Fails, Interval{0.5, 1}},
	} {
		if got := judge(c.alpha, c.q); got != c.verdict {
			t.Errorf("α = %v, q = %v: %v, want %v", c.alpha, c.q, got, c.verdict)
		}
		got := ratio(c.alpha, c.q)
		if same := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-15*math.Abs(b) }; !same(got.Lo, c.ratio.Lo) || !same(got.Hi, c.ratio.Hi) {
			t.Errorf("α = %v, q = %v: α/q = %v, want %v", c.alpha, c.q, got, c.ratio)
		}
	}
	sub := Subset{Alpha: Interval{3, 5}, Q: Interval{1, 2}}
	if sub.Margin() != (Interval{1, 4}) {
		t.Errorf("α − q = %v", sub.Margin())
	}
}

// TestExplained: sets of up to nine particles are printed whole; friction is common where all that is rough has the same; the softest
// direction is that of the largest component, the first of two that are the same.
func TestExplained(t *testing.T) {
	a := &Assumptions{}
	for j := range 12 {
		a.Names = append(a.Names, fmt.Sprintf("p%d", j))
	}
	seq := func(n int) (k []int) {
		for j := range n {
			k = append(k, j)
		}
		return k
	}
	for n, want := range map[int]string{0: "{}", 1: "{p0}", 2: "{p0, p1}", 9: "{p0, p1, p2, p3, p4, p5, p6, p7, p8}", 10: "{p0, p1, p2, p3, p4, p5, p6, p7, … 10 in all}", 12: "{p0, p1, p2, p3, p4, p5, p6, p7, … 12 in all}"} {
		if got := a.set(seq(n)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []struct {
		mu   []float64
		want float64
		ok   bool
	}{{[]float64{0, 0}, 0, false}, {[]float64{0, 0.3, 0.3}, 0.3, true}, {[]float64{0.3, 0.4}, 0, false}, {[]float64{0.3, 0.3 + 0.2e-12}, 0.3, true}, {[]float64{0.3, 0.3 + 0.5e-12}, 0, false}, {[]float64{0.3, 0, 0.3}, 0.3, true}, {[]float64{3, 3 + 2e-12}, 3, true}} {
		a.Mu = c.mu
		if got, ok := a.common(); ok != c.ok || math.Abs(got-c.want) > 1e-11 {
			t.Errorf("%v: %g, %t", c.mu, got, ok)
		}
	}
	for _, c := range []struct {
		x    []float64
		want string
	}{{nil, "it"}, {[]float64{0, 1, 0}, "particle p0 along o"}, {[]float64{0, 1, -2, 0, 0, 1}, "particle p0 along n"}, {[]float64{1, 0, 0, 1 + 0.5e-9, 0, 0}, "particle p0 along t"}, {[]float64{1, 0, 0, -1 - 2e-9, 0, 0}, "particle p1 along t"}} {
		if got := a.softest(c.x); got != c.want {
			t.Errorf("%v: %q", c.x, got)
		}
	}
	a.Mu = []float64{0.4}
	s := Separation{Verdict: Holds, Factor: Interval{2, 2}, Margin: exactly(1), Worst: Subset{K: []int{1}, Alpha: exactly(2), Q: exactly(1)}}
	for _, c := range []struct {
		spoil func(s *Separation)
		want  string
	}{
		{func(s *Separation) {}, "α = 2 > q = 1 for the worst K = {p1}: friction μ = 0.4 is below μ_c = 0.8"},
		{func(s *Separation) { s.Verdict, s.Worst.Q, s.Factor = Fails, exactly(4), exactly(0.5) }, "q = 4 >= α = 2 for K = {p1}: friction μ = 0.4 exceeds μ_c = 0.2"},
		{func(s *Separation) { s.Verdict, s.Factor = Fails, exactly(1) }, "q = 1 >= α = 2 for K = {p1}: friction μ = 0.4 is not below μ_c = 0.4"},
		{func(s *Separation) { s.Verdict, s.Worst.Alpha, s.Soft = Fails, exactly(-1), []float64{0, 0, 0, 1} }, "α = -1 <= 0 for K = {p1}: the energy is not strictly convex, nothing holds particle p1 along t"},
		{func(s *Separation) { s.Verdict, s.Worst.Alpha, s.Soft = Fails, exactly(0), []float64{0, 0, 0, 1} }, "α = 0 <= 0 for K = {p1}: the energy is not strictly convex, nothing holds particle p1 along t"},
		{func(s *Separation) { s.Worst.Q, s.Margin = exactly(0), exactly(2) }, "α = 2 > q = 0: sliding does not change the normal forces (nor the roughness) of any K"},
		{func(s *Separation) { s.Worst.Q, s.Margin, s.Factor = exactly(0), exactly(1.9), exactly(math.Inf(1)) }, "α = 2 > q = 0 for the worst K = {p1}: no friction coefficient is critical"},
		{func(s *Separation) { s.Verdict, s.Nodes, s.Switching = Undecided, 7, []int{0, 1, 2} }, "undecided: the smallest α − q is in 1 after 7 branches of 2^3 index sets; the worst K computed is {p1} with α = 2, q = 1"},
	} {
		x := s
		c.spoil(&x)
		if got := a.explain(&x); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	a.Mu = []float64{0.4, 0.5}
	if got, want := a.explain(&s), "α = 2 > q = 1 for the worst K = {p1}: all friction coefficients together may grow to 2 times what they are"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Verdict = Fails
	if got, want := a.explain(&s), "q = 1 >= α = 2 for K = {p1}: all friction coefficients together must be smaller than 2 times what they are"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNormsOfSigns: q_K by all signs is the largest of Σ(|a·u| + |b·u|)² over unit vectors, from below by ascent from many starts; bounds by iterated signs
// and by split rows hold it between them, and are pinned, as is the search for the worst set of many.
func TestNormsOfSigns(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(9, 1))
	for _, n := range []int{2, 3, 6, 12} {
		h, _ := randomSym(r, n, 0.5, 9)
		slopes, sigma := make([]slope, n), make([]float64, n)
		for j := range slopes {
			sigma[j] = r.Float64()
			slopes[j] = slope{size: 0.3 + r.Float64()}
			if j%3 != 1 {
				slopes[j].grad = [][2]float64{{r.NormFloat64(), r.NormFloat64()}}
			}
		}
		f := newForm(h, sigma, slopes)
		in, fixed := make([]bool, n), make([]bool, n)
		for j := range in {
			in[j], fixed[j] = j != n-1, j%2 == 0 && j != n-1
		}
		q, share := f.qNorm(in, fixed)
		s := f.selection(in, fixed)
		low, high := s.lower(false), s.upper()
		fmt.Fprintf(&b, "%d particles: q %v share %s, from below %v, from above %v, only bounded %v\n", n, q, pinned.Bits(share), low, high, s.lower(true))
		if low > high*(1+1e-12) || q.Lo > high*(1+1e-12) || q.Hi < low*(1-1e-12) || q.Lo > q.Hi {
			t.Errorf("%d particles: q = %v, %g from below, %g from above", n, q, low, high)
		}
		sum := 0.0
		for _, x := range share {
			sum += x
		}
		if sum > q.Hi*q.Hi*(1+1e-12) || sum < low*low*(1-0.3) {
			t.Errorf("%d particles: shares add up to %g, q² = %g", n, sum, q.Hi*q.Hi)
		}
		// Ascent: u ← the maximiser for the signs at u.
		best := 0.0
		for range 20 {
			u := make([]float64, 3*n)
			for i := range u {
				u[i] = r.NormFloat64()
			}
			for range 50 {
				next := make([]float64, 3*n)
				for i := range s.a {
					x, y := s.a[i].dot(u), 0.0
					if len(s.b[i]) > 0 {
						y = s.b[i][0].dot(u)
					}
					size := math.Abs(x) + math.Abs(y)
					for k, c := range s.a[i].col {
						next[c] += size * math.Copysign(1, x) * s.a[i].val[k]
					}
					if len(s.b[i]) > 0 {
						for k, c := range s.b[i][0].col {
							next[c] += size * math.Copysign(1, y) * s.b[i][0].val[k]
						}
					}
				}
				scale(next, 1/norm2(next))
				u = next
			}
			v := 0.0
			for i := range s.a {
				size := math.Abs(s.a[i].dot(u))
				if len(s.b[i]) > 0 {
					size += math.Abs(s.b[i][0].dot(u))
				}
				v += size * size
			}
			best = max(best, math.Sqrt(v))
		}
		if best > q.Hi*(1+1e-12) || s.curved <= signLimit && best < q.Lo*(1-1e-3) {
			t.Errorf("%d particles: ascent reaches %.12g, q = %v", n, best, q)
		}
		p := &separationProblem{ctx: t.Context(), forms: []*form{f}, contact: []int{0}, n: n}
		for j := 1; j < n; j++ {
			p.switching = append(p.switching, j)
		}
		whole := p.solve()
		searched := &Separation{Contact: p.contact, Switching: p.switching, Margin: exactly(math.Inf(1)), Factor: exactly(math.Inf(1))}
		p.limit = 200
		newSearch(p, searched).run()
		searched.conclude()
		for _, x := range []*Separation{whole, searched} {
			fmt.Fprintf(&b, "%d particles: %v margin %v factor %v worst %v nodes %d complete %t %s\n", n, x.Verdict, x.Margin, x.Factor, x.Worst.K, x.Nodes, x.Complete, pinned.Bits(x.Subsets, x.Soft, x.Share))
		}
		if whole.Complete && (searched.Margin.Lo > whole.Margin.Hi+1e-9 || searched.Margin.Hi < whole.Margin.Lo-1e-9) {
			t.Errorf("%d particles: by search %v, by all sets %v", n, searched.Margin, whole.Margin)
		}
	}
	pinned.Lines(t, "testdata/norms.txt", remaking(), b.String())
}

// TestGains: over the states of a cylinder a force that depends on coordinate d by v grows by |v| l at most, on the height of a particle in contact not,
// on that of one over its obstacle downwards as far as that; the norms of the rows of D²E, with the columns of contact and without.
func TestGains(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	h, dense := randomSym(r, 3, 1, 0)
	q, err := particles.NewQuadratic([]int{0, 1, 2}, make([]float64, 9), entriesOf(dense.RawSymmetric().Data, 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.Floor(), particles.Floor(), particles.NoObstacle()}, q)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{Assumptions: &Assumptions{Sets: []particles.IndexSet{particles.Contact, particles.Free, particles.Free}}, ctx: t.Context(), psi: psi, sys: sys, z0: []float64{0, 0, 0, 1, 2, 0.25, 3, 4, 5}, quadratic: true}
	for _, x := range []struct {
		d           int
		v, le, want float64
	}{{0, 2, 3, 6}, {1, -2, 3, 6}, {2, 2, 3, 0}, {2, -2, 3, 0}, {3, -2, 3, 6}, {5, 2, 3, 6}, {5, -2, 3, 0.5}, {5, -2, 0.125, 0.25}, {8, -2, 3, 6}, {8, 2, 3, 6}} {
		if got := c.gain(x.d, x.v, x.le); got != x.want {
			t.Errorf("coordinate %d by %g within %g: %g, want %g", x.d, x.v, x.le, got, x.want)
		}
	}
	start := []float64{1, 2, 3}
	got := c.largestForces(start, 0.5)
	for j := range start {
		want := start[j]
		for d := range 9 {
			want += c.gain(d, dense.At(3*j+2, d), 0.5)
		}
		nearly(t, "largest force", got[j], want, 1e-15)
	}
	c.constant = true
	if got := c.largestForces(start, 0.5); !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("constant friction: %v", got)
	}
	cyl := &cylinder{row: make([]float64, 3), dsigma: make([]float64, 3)}
	cyl.measure(c, &form{h: h})
	for j := range 3 {
		row, free := 0.0, 0.0
		for d := range 9 {
			v := dense.At(3*j+2, d) * dense.At(3*j+2, d)
			row += v
			if d != 2 {
				free += v
			}
		}
		if j == 2 {
			row, free = 0, 0
		}
		nearly(t, "row", cyl.row[j], math.Sqrt(row), 1e-15)
		nearly(t, "free row", cyl.dsigma[j], math.Sqrt(free), 1e-15)
	}
	for k := range 50 {
		z := slices.Clone(c.z0)
		c.scatter(z, 0.5, k%2 == 0, r)
		for d, x := range z {
			off := math.Abs(x - c.z0[d])
			switch {
			case d == 2:
				if x != 0 {
					t.Errorf("contact opened: %g", x)
				}
			case off > 0.5, d == 5 && x < 0, k%2 == 0 && d != 5 && math.Abs(off-0.5) > 1e-15, k%2 == 0 && d == 5 && x != 0 && x != 0.75, off == 0:
				t.Errorf("draw %d: coordinate %d moved to %g from %g", k, d, x, c.z0[d])
			}
		}
	}
}

func entriesOf(dense []float64, n int) (list []particles.Entry) {
	for r := range n {
		for c := range n {
			list = append(list, particles.Entry{Row: r, Col: c, Value: dense[min(r, c)*n+max(r, c)]})
		}
	}
	return list
}

// TestWays: Simpson's rule is exact to rounding for the friction along a way without kinks, ∫ μσ|v|, and finds kinks; the friction of a
// way there and back is what both ways are; heights on the way are those of least energy.
func TestWays(t *testing.T) {
	ex := reference.Klarbring(0.6)
	w := newWay(ex.Psi)
	// σ = 1 − x/2 on the floor (t = 0, force −1): ∫ μ(1 − x/2) dx over [0, a] = μ(a − a²/4), up to a = 2.
	for _, a := range []float64{0.5, 1, 2, -1, 3} {
		got, err := w.dissipation(0, []float64{0, 0, 0}, []float64{a, 0, 0})
		want := 0.6 * (math.Abs(a) - a*math.Abs(a)/4)
		if a > 2 {
			want = 0.6 // in the air beyond
		}
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("to %g: %.16g J, want %.16g, %v", a, got, want, err)
		}
	}
	rippled := reference.Ripple(0.7)
	w = newWay(rippled.Psi)
	const l, a = 0.7, 1.3
	got, err := w.dissipation(0, []float64{0, 0, 0}, []float64{a, 0, 0})
	want := 1.5 * 0.4 * (a + 0.3*l/(2*math.Pi)*(1-math.Cos(2*math.Pi*a/l)))
	if err != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("over ripples: %.16g J, want %.16g, %v", got, want, err)
	}
	back, err := w.dissipation(0, []float64{a, 0, 0}, []float64{0, 0, 0})
	if err != nil || math.Abs(back-want) > 1e-12 {
		t.Errorf("back: %.16g J, want %.16g, %v", back, want, err)
	}
}

// cylinders is a particle at the origin of its coordinates, which are global, or those of the floor, outside cylinders about lines
// of direction axis; springs pull it to an anchor, and a force.
func cylinders(t *testing.T, own particles.Frame, axis, k, force [3]float64, mu float64, at ...[3]float64) *dissipation.Coulomb {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(k[0], k[1], k[2])})
	if err != nil {
		t.Fatal(err)
	}
	load, err := particles.NewLoads(particles.Load{Force: particles.At(force[0], force[1], force[2])})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{own}, tether, load)
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	matrices := []dissipation.Matrix{dissipation.Isotropic{Mu: mu}}
	for _, point := range at {
		face, err := particles.NewCylinder(point, axis, 0.5, false)
		if err != nil {
			t.Fatal(err)
		}
		chart, err := particles.NewChart(face, particles.Motion{})
		if err != nil {
			t.Fatal(err)
		}
		extras = append(extras, particles.Extra{Frame: particles.Charted(chart, [3]float64{})})
		matrices = append(matrices, dissipation.Isotropic{Mu: mu})
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// TestBentWay: between two states at the foot of an upright post, radius R, on the floor, the way is the arc around the post, not the chord
// through it. A weight W and a spring k to the axis press with W on the floor and with kR on the post: D = μ(W + kR) R φ. In the air beside
// the post nothing presses on it, and D is that of the floor.
func TestBentWay(t *testing.T) {
	const mu, weight, k, r = 0.3, 2, 3, 0.5
	w := newWay(cylinders(t, particles.Floor(), [3]float64{0, 0, 1}, [3]float64{k, k, 0}, [3]float64{0, 0, -weight}, mu, [3]float64{}))
	on := func(phi float64) []float64 { return []float64{r * math.Cos(phi), r * math.Sin(phi), 0} }
	for _, phi := range []float64{0.01, 0.5, 1.5, 3} {
		got, err := w.dissipation(0, on(-phi/2), on(phi/2))
		want := mu * (weight + k*r) * r * phi
		if err != nil || math.Abs(got-want) > bentTolerance*want {
			t.Errorf("over %g rad: %.12g J, want %.12g, %v", phi, got, want, err)
		}
	}
	got, err := w.dissipation(0, []float64{1, -0.5, 0}, []float64{1, 0.5, 0})
	if want := mu * weight; err != nil || math.Abs(got-want) > bentTolerance*want {
		t.Errorf("beside the post: %.12g J, want %.12g, %v", got, want, err)
	}
}

// TestNoWay: from the groove above two cylinders that overlap to the one below there is no straight way; friction is Ψ(t, z, y − z)
// of (S) then. From place to place in the groove there is one: a spring k presses with k h on both sides, N = kh/(2 cos a) each.
func TestNoWay(t *testing.T) {
	const mu, k, h, cos = 0.2, 5, 0.4, 0.8
	psi := cylinders(t, particles.NoObstacle(), [3]float64{1, 0, 0}, [3]float64{0, 0, k}, [3]float64{}, mu, [3]float64{0, -0.3, 0}, [3]float64{0, 0.3, 0})
	above, below, beside := []float64{0, 0, h}, []float64{0, 0, -h}, []float64{0.7, 0, h}
	if d, err := newWay(psi).dissipation(0, above, below); err != errNoWay {
		t.Errorf("through the cylinders: %g J, %v, want %v", d, err, errNoWay)
	}
	s, err := newRivalSearch(psi, above)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		to       []float64
		friction float64
	}{
		// Along the axes of the contacts the way down has the parts 2h sin a on both sides.
		{below, 2 * mu * (k * h / (2 * cos)) * 2 * h * 0.6},
		{beside, 2 * mu * (k * h / (2 * cos)) * 0.7},
	} {
		r, err := s.judge(0, above, tc.to)
		if err != nil || math.Abs(r.friction-tc.friction) > bentTolerance*tc.friction || math.Abs(r.gain+tc.friction) > bentTolerance*tc.friction {
			t.Errorf("to %v: friction %.14g J, want %.14g, gain %g, %v", tc.to, r.friction, tc.friction, r.gain, err)
		}
	}
}
