package events

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSkyline: A⁻¹x in a skyline, against products, of numbers that round and of ratios; where A is
// semidefinite what nothing resists keeps its value, and the first load along it that is more than
// rounding is told; and whether a pivot is negative.
func TestSkyline(t *testing.T) {
	skylines[Real](t, func(v float64) Real { return Real(v) }, 1e-11)
	skylines[Rational](t, func(v float64) Rational { return Rational{}.Of(v) }, 0)
}

func skylines[T Number[T]](t *testing.T, of func(v float64) T, tolerance float64) {
	rng := rand.New(rand.NewPCG(5, 9))
	var zero T
	for round := range 60 {
		n := 2 + rng.IntN(6)
		first := make([]int, n)
		for i := range first {
			first[i] = max(0, i-1-rng.IntN(3))
		}
		a := make([][]T, n) // diagonally dominant
		for i := range a {
			a[i] = make([]T, n)
		}
		for i := range n {
			a[i][i] = a[i][i].Add(of(float64(2 + rng.IntN(3))))
			for j := first[i]; j < i; j++ {
				a[i][j], a[j][i] = of(math.Floor(9*rng.Float64()-4)/16), of(math.Floor(9*rng.Float64()-4)/16)
			}
		}
		null, negative := -1, round%3 == 1
		switch round % 3 {
		case 1: // a row and column of the other sign
			k := rng.IntN(n)
			for j := range n {
				a[k][j] = zero.Sub(a[k][j])
			}
		case 2: // a multiple of the row and the column before
			null = 1 + rng.IntN(n-1)
			first[null] = 0
			third := of(.3)
			for j := range n {
				a[null][j] = a[null-1][j].Mul(third)
			}
			for i := range n {
				a[i][null] = a[i][null-1].Mul(third)
			}
			for i := range n { // the profile of both
				first[i] = 0
			}
		}
		var s skyline[T]
		s.resize(first)
		for i := range n {
			for j := range n {
				if a[i][j].Sign() != 0 {
					s.add(i, j, a[i][j])
				}
			}
		}
		s.factor()
		if s.indefinite != negative {
			t.Errorf("round %d: indefinite %t", round, s.indefinite)
		}
		if null >= 0 != slices.Contains(s.null, true) || null >= 0 && !s.null[null] {
			t.Errorf("round %d: without a pivot %v, want %d", round, s.null, null)
		}
		want, b, kept := make([]T, n), make([]T, n), of(7)
		for i := range want {
			want[i] = of(float64(rng.IntN(19) - 9))
		}
		if null >= 0 {
			want[null] = kept
		}
		for i := range n {
			for j := range n {
				b[i] = b[i].Add(a[i][j].Mul(want[j]))
			}
		}
		keep := func(int) T { return kept }
		x := slices.Clone(b)
		if lost := s.solve(x, keep, 100); lost >= 0 {
			t.Errorf("round %d: the load on %d has no answer", round, lost)
		}
		for i := range x {
			if d := x[i].Sub(want[i]); !(math.Abs(d.Float()) <= tolerance) {
				t.Errorf("round %d: x[%d] = %s, want %s", round, i, x[i], want[i])
			}
		}
		if null < 0 {
			continue
		}
		for _, off := range []float64{5e-11, 2e-10, 1} { // beside rounding of 100, 1e-10
			x = slices.Clone(b)
			x[null] = x[null].Add(of(off))
			lost := -1
			if of(1).Exact() || off > 1e-10 {
				lost = null
			}
			if got := s.solve(x, keep, 100); got != lost {
				t.Errorf("round %d: lost %d, want %d, of a load %g", round, got, lost, off)
			}
		}
	}
}

// pullLoads press a particle by 1 N and pull it by t.
type pullLoads struct{ nothing[Real] }

func (pullLoads) Load(f []Real, t Real) Real {
	clear(f)
	f[0], f[1] = t, -1
	return 0
}

func (pullLoads) Rate(df []Real, _ Real) {
	clear(df)
	df[0] = 1
}

// TestNoSolution: a particle that friction alone holds, of the first dof, has no solution when the
// pull is all of it: neither does it stick, nor does anything hold it.
func TestNoSolution(t *testing.T) {
	const mu = .5
	for _, stiff := range []Real{0, 2} {
		f := &Form[Real]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Real{stiff, 1}, Source: pullLoads{},
			Contacts: []Contact[Real]{{T: 0, N: 1, Mu: mu}}}
		w, err := NewIntegrator(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Integrate(t.Context(), 1, func() error { return nil }); (err == nil) != (stiff > 0) {
			t.Errorf("stiffness %g: %v", stiff, err)
		}
		if stiff > 0 {
			if q := w.Q()[0]; !(math.Abs(float64(q-(1-mu)/stiff)) <= 1e-15) {
				t.Errorf("it is at %g", q)
			}
			continue
		}
		if got := w.Time(); !(math.Abs(float64(got-mu)) <= 1e-15) {
			t.Errorf("the walk ends at %g", got)
		}
		if list, counted := w.Solutions(); len(list) != 0 || !counted {
			t.Errorf("%d solutions, counted %t", len(list), counted)
		}
	}
}

// TestNoRate: a particle whose pressure falls by ½ N a metre of slip beside the 1 N that its spring
// takes jumps where friction is more than 2: the error names it.
func TestNoRate(t *testing.T) {
	for _, mu := range []Real{1, 3} {
		f := &Form[Real]{N: 3, Ptr: []int{0, 2, 4, 5}, Col: []int{0, 1, 0, 1, 2}, Val: []Real{1, -.5, -.5, 2, 1},
			Source: pullLoads{}, Contacts: []Contact[Real]{{T: 0, N: 1, Mu: mu}, {T: -1, N: 2, Gap: 1}}}
		w, err := NewIntegrator(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		until := Real(1.8) // before it opens
		if mu > 2 {
			until = 4
		}
		err = w.Integrate(t.Context(), until, func() error { return nil })
		var rate *RateError
		if jumps := errors.As(err, &rate); jumps != (mu > 2) || err != nil && !jumps {
			t.Fatalf("μ = %g: %v", mu, err)
		} else if jumps && (rate.Contact != 0 || rate.Undecided != 1 || !rate.None || !(math.Abs(rate.Time-3) <= 1e-15)) {
			t.Errorf("μ = %g: %+v", mu, rate)
		}
		// q = (t − μ)/(1 − ½μ) after it slips
		if q := float64(w.Q()[0]); mu < 2 && !(math.Abs(q-1.6) <= 1e-14) {
			t.Errorf("it is at %g", q)
		}
	}
}

// TestErrorsNameThem: errors of a walk carry the numbers that they are about.
func TestErrorsNameThem(t *testing.T) {
	for want, err := range map[string]error{
		"0.25 N at dof 3":                           &UnstableError{Contact: 1, Dof: 3, Force: .25},
		"beyond t=1.5: nothing holds dof 2":         &LossError{Time: 1.5, Dof: 2},
		"of 3 contacts at a bound, first contact 1": &RateError{Time: 2, Contact: 1, Undecided: 3},
		"the rate problem has no solution":          &RateError{None: true},
		"the obstacle of contact 4 turns":           &TurnError{Time: 1, Contact: 4},
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if r := NewRational(big.NewRat(3, 7)); r.Rat().Cmp(big.NewRat(3, 7)) != 0 || (Rational{}).Rat().Sign() != 0 {
		t.Errorf("%s", r)
	}
}

// tornLoads press a particle by 1 N and pull it by a force.
type tornLoads struct {
	nothing[Real]
	pull Real
}

func (l tornLoads) Load(f []Real, _ Real) Real {
	clear(f)
	f[0], f[1] = l.pull, -1
	return 0
}

// TestTornAtStart: a start at which friction does not hold is refused, of the first particle too.
func TestTornAtStart(t *testing.T) {
	for pull, stable := range map[Real]bool{0: true, .5: true, -.5: true, .51: false, -.51: false} {
		_, err := NewIntegrator(&Form[Real]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Real{1, 1},
			Source: tornLoads{pull: pull}, Contacts: []Contact[Real]{{T: 0, N: 1, Mu: .5}}}, 0)
		var unstable *UnstableError
		if (err == nil) != stable || err != nil &&
			(!errors.As(err, &unstable) || unstable.Dof != 0 || !(math.Abs(unstable.Force-.01) <= 1e-15)) {
			t.Errorf("pull %g: %v", pull, err)
		}
	}
}

// swing are the loads of a spring whose end swings, sin ωt, on a particle that is pressed by 1 N.
type swing struct{ omega Dual }

func (l swing) angle(t Dual) (sin, cos Dual) {
	a := l.omega.Mul(t)
	s, c := math.Sincos(a.V)
	return Dual{s, c * a.D}, Dual{c, -s * a.D}
}

func (l swing) Load(f []Dual, t Dual) Dual {
	sin, _ := l.angle(t)
	f[0], f[1] = sin, Dual{V: -1}
	return sin.Mul(sin).Mul(Dual{V: .5})
}

func (l swing) Rate(df []Dual, t Dual) {
	_, cos := l.angle(t)
	df[0], df[1] = l.omega.Mul(cos), Dual{}
}

func (swing) Breaks() []Dual { return nil }

func (l swing) Frequency() float64 { return l.omega.V }

// TestSwing: a particle at such a spring slips where sin ωt = μ, until the end turns at ωt = π/2,
// and back where μ + sin ωt = 1 − μ: times that go with 1/ω, and with μ.
func TestSwing(t *testing.T) {
	const mu, omega = .3, 2.
	for name, d := range map[string][2]float64{"ω": {1, 0}, "μ": {0, 1}} { // derivatives of ω and μ
		f := &Form[Dual]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Dual{{V: 1}, {V: 1}},
			Source: swing{Dual{omega, d[0]}}, Contacts: []Contact[Dual]{{T: 0, N: 1, Mu: Dual{mu, d[1]}}}}
		w, err := NewIntegrator(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		var times []Dual
		if err := w.Integrate(t.Context(), Dual{V: 1.5}, func() error {
			for _, e := range w.Changes() {
				times = append(times, e.Time)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		// The particle stops at 1 − μ, and is pulled back where sin ωt = 1 − 2μ on the way down.
		want := []Dual{{math.Asin(mu) / omega, 1 / omega / math.Sqrt(1-mu*mu) * d[1]}, {math.Pi / 2 / omega, 0},
			{(math.Pi - math.Asin(1-2*mu)) / omega, 2 / omega / math.Sqrt(1-(1-2*mu)*(1-2*mu)) * d[1]}}
		if len(times) != len(want) {
			t.Fatalf("by %s: %v", name, times)
		}
		for i, x := range want {
			x.D -= x.V / omega * d[0]
			// a velocity has no rate but by differences
			if got := times[i]; !(math.Abs(got.V-x.V) <= 1e-9) || !(math.Abs(got.D-x.D) <= 1e-7) {
				t.Errorf("by %s: event %d at %v, want %v", name, i, got, x)
			}
		}
	}
}

// peak are the loads of a spring whose end goes to 1 m at 1 s and back, on a particle that is
// pressed by 1 N.
type peak struct{ nothing[Real] }

func (peak) Load(f []Real, t Real) Real {
	x := min(t, 2-t)
	f[0], f[1] = x, -1
	return x * x / 2
}

func (peak) Rate(df []Real, t Real) {
	if df[0], df[1] = 1, 0; t >= 1 {
		df[0] = -1
	}
}

func (peak) Breaks() []Real { return []Real{1} }

// TestOneBreak: a walk stops at the only kink of its loads: what slips up to it sticks behind it,
// and goes back where 2μ is between.
func TestOneBreak(t *testing.T) {
	const mu = .3
	w, err := NewIntegrator(&Form[Real]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Real{1, 1}, Source: peak{},
		Contacts: []Contact[Real]{{T: 0, N: 1, Mu: mu}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Integrate(t.Context(), 2, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	// Slip of 1 − μ, and back by as much less 2μ, each at μ N.
	if q, d := float64(w.Q()[0]), float64(w.Dissipation()); !(math.Abs(q-mu) <= 1e-15) ||
		!(math.Abs(d-mu*(1-mu+1-2*mu)) <= 1e-15) || !(math.Abs(float64(w.Balance())) <= 1e-15) {
		t.Errorf("it ends at %g, %g J are dissipated, %g are left", q, d, w.Balance())
	}
}
