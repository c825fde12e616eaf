package events

import (
	"math"
	"math/rand/v2"
	"testing"
)

// corneredForm is a corner in front of a floor and a wall that is far away, on a spring of the stiffness k in each direction whose
// end moves with the rate given from the place given.
func cornerForm[T Number[T]](k, mu T, at, rate [3]T) *Form[T] {
	one := k.Of(1)
	f := &Form[T]{N: 3, Ptr: []int{0, 1, 2, 3}, Col: []int{0, 1, 2}, Val: []T{k, k, k}, Source: anchor[T]{k, at, rate}}
	var up, back [3]T
	up[2], back[0] = one, one.Of(-1)
	f.Corners = []Corner[T]{{Faces: []Face[T]{{N: up, Mu: mu}, {N: back, Mu: mu, Gap: one.Of(9)}}}}
	return f
}

// anchor are the loads of that.
type anchor[T Number[T]] struct {
	k        T
	at, rate [3]T
}

func (a anchor[T]) Load(f []T, t T) (c T) {
	for i := range f {
		x := a.at[i].Add(a.rate[i].Mul(t))
		f[i] = a.k.Mul(x)
		c = c.Add(a.k.Mul(x).Mul(x).Mul(t.Of(0.5)))
	}
	return c
}

func (a anchor[T]) Rate(df []T, _ T) {
	for i := range df {
		df[i] = a.k.Mul(a.rate[i])
	}
}

func (anchor[T]) Breaks() []T        { return nil }
func (anchor[T]) Frequency() float64 { return 0 }

func real3(v [3]float64) (r [3]Real) {
	for i := range v {
		r[i] = Real(v[i])
	}
	return r
}

// TestConeEnd: a force d + ḋt along a face leaves the cone μ(σ + σ̇t) at the first t at which it is longer, by bisection; never where friction grows as fast; at once on the edge, where
// it goes outward, be that to second order only. Along the edge, in proportion, it is held for ever.
func TestConeEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	const mu = .5
	w, err := NewWalker(cornerForm[Real](1, mu, [3]Real{0, 0, -1}, [3]Real{}), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &w.stands[0]
	set := func(d [2]float64, held float64, dd [2]float64, holds float64) {
		w.r[0], w.r[1], w.r[2] = Real(d[0]), Real(d[1]), Real(held/mu)
		w.dr[0], w.dr[1], w.dr[2] = Real(dd[0]), Real(dd[1]), Real(holds/mu)
		for i := range 3 {
			w.size[i], w.dsize[i] = 2, 2
		}
	}
	for _, c := range []struct {
		d     [2]float64
		held  float64
		dd    [2]float64
		holds float64
		want  float64
	}{
		{[2]float64{0, 0}, 1, [2]float64{1, 0}, 0, 1}, {[2]float64{0, 0}, 1, [2]float64{.6, .8}, .5, 2}, {[2]float64{.5, 0}, 1, [2]float64{-1, 0}, 0, 1.5},
		{[2]float64{0, 0}, 1, [2]float64{1, 0}, 1, math.Inf(1)}, {[2]float64{0, 0}, 1, [2]float64{1, 0}, 2, math.Inf(1)}, {[2]float64{0, 0}, 1, [2]float64{0, 0}, -1, 1},
		{[2]float64{0, .5}, 1, [2]float64{.5, 0}, 0, math.Sqrt(3)},                                    // B = 0
		{[2]float64{1, 0}, 1, [2]float64{.5, 0}, .5, math.Inf(1)},                                     // along the edge
		{[2]float64{1, 0}, 1, [2]float64{1, 0}, .5, 0}, {[2]float64{1, 0}, 1, [2]float64{0, 1}, 0, 0}, // outward, and to second order
		{[2]float64{1, 0}, 1, [2]float64{-1, 0}, 0, 2}, // through the cone
		{[2]float64{1, 0}, 1, [2]float64{-1, 1}, 0, 1},
		{[2]float64{math.Nextafter(1, 2), 0}, 1, [2]float64{0, 1}, 0, 0}, // outside by rounding
		{[2]float64{0, 0}, 0, [2]float64{1, 0}, .5, 0},
	} {
		set(c.d, c.held, c.dd, c.holds)
		after, ends := w.coneEnd(s)
		got := float64(after)
		if !ends {
			got = math.Inf(1)
		}
		if got != c.want && !(math.Abs(got-c.want) < 1e-14) {
			t.Errorf("%v + t·%v in %g + t·%g: ends at %g, want %g", c.d, c.dd, c.held, c.holds, got, c.want)
		}
	}
	ended := 0
	for range 300 {
		held := .1 + rng.Float64()
		size, angle, turn := held*rng.Float64(), 2*math.Pi*rng.Float64(), 2*math.Pi*rng.Float64()
		speed, holds := 2*rng.Float64(), 2*rng.Float64()-1
		sin, cos := math.Sincos(angle)
		far, near := math.Sincos(turn)
		set([2]float64{size * cos, size * sin}, held, [2]float64{speed * near, speed * far}, holds)
		room := func(t float64) float64 {
			return held + holds*t - math.Hypot(size*cos+t*speed*near, size*sin+t*speed*far)
		}
		after, ends := w.coneEnd(s)
		if ends != (room(1e6) < 0) {
			t.Errorf("ends %v, and %g is left after 1e6 s", ends, room(1e6))
		}
		if !ends {
			continue
		}
		ended++
		lo, hi := 0., 1e6 // concave: one root
		for range 200 {
			if m := (lo + hi) / 2; room(m) < 0 {
				hi = m
			} else {
				lo = m
			}
		}
		if !(math.Abs(float64(after)-hi) < 1e-10*(1+hi)) {
			t.Errorf("ends at %g, want %g", after, hi)
		}
	}
	if ended < 100 {
		t.Errorf("%d ends", ended)
	}
}

// TestExcess: what is off by 1e-12 of the loads, with the load of what its stiffness and the farthest place are worth, is as much as is allowed, in each dof; of dissipation and
// work that of all loads on the ways met. At a late time, what 4 ulps of it change is allowed too; and derivatives may be off by 1e-11 of those of the forces.
func TestExcess(t *testing.T) {
	const k = 4.
	w, err := NewWalker(cornerForm[Dual](Dual{V: k}, Dual{V: .5}, [3]Dual{{}, {}, {V: -1}}, [3]Dual{}), 0)
	if err != nil {
		t.Fatal(err)
	}
	w.curve = w.newCurve()
	c := w.curve
	for _, late := range []float64{0, 1e5} {
		w.t = Dual{V: late}
		ulps := 4 * 0x1p-52 * late
		w.load = 8
		copy(w.size, []float64{1, 2, 16})
		copy(w.dsize, []float64{3, 5, 7})
		copy(c.reach, []float64{.5, 3, .25})
		clear(c.next)
		c.next[0], c.next[1], c.next[2], c.next[3], c.next[4] = -2, 1, .125, 6, -1
		w.f = []Dual{{D: 1}, {D: -2}, {D: 3}}
		w.q = []Dual{{D: 5}, {D: -1}, {D: .25}} // k·5 + 1 = 21 is the largest
		energy, power := .5*1+3*2+.25*16, .5*3+3*5+.25*7
		for i, allowed := range []float64{
			(1e-12*(8+k*2) + ulps*3) / k, (1e-12*(8+k*3) + ulps*5) / k, (1e-12*(16+k*.25) + ulps*7) / k,
			1e-12*(energy+6) + ulps*power, 1e-12*(energy+1) + ulps*power,
			1e-11 * 21 / k, 1e-11 * 21 / k, 1e-11 * 21 / k,
		} {
			for _, part := range []float64{.5, 3} {
				clear(c.off)
				c.off[i] = Real(part * allowed)
				if got := w.excess(); !(math.Abs(got-part) < 1e-12) {
					t.Errorf("t=%g: %g of what number %d may be off by is %g", late, part, i, got)
				}
				if c.off[(i+1)%3] = Real(1e-20); !(math.Abs(w.excess()-part) < 1e-12) {
					t.Errorf("t=%g: beside a smaller error number %d is off by %g", late, i, w.excess())
				}
			}
		}
		clear(c.off)
		if got := w.excess(); got != 0 {
			t.Errorf("without errors: %g", got)
		}
	}
}

// TestDirect: a corner that begins to slip where nothing pressed it goes along the force of a moment later; it is turned there from anywhere, and stays.
func TestDirect(t *testing.T) {
	rate := [3]float64{.6, .8, -1} // q = λet with 1 − λ = μ: both along the anchor's way, for K is the same in all directions
	for _, start := range []float64{0, .5, 2, 3} {
		w, err := NewWalker(cornerForm[Real](2, .25, [3]Real{}, real3(rate)), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := &w.stands[0]
		if s.slip != 1 {
			t.Fatalf("it slips by %d", s.slip)
		}
		sin, cos := math.Sincos(math.Atan2(.8, .6) + start)
		s.axis = [3]Real{Real(cos), Real(sin), 0}
		if off := w.direct(s); !(math.Abs(off-start) < 1e-12) {
			t.Errorf("%g off it turns by %g", start, off)
		}
		if off := w.direct(s); !(off < 1e-12) {
			t.Errorf("%g off it turns again, by %g", start, off)
		}
		if a := s.axis; !(math.Abs(float64(a[0])-.6) < 1e-12) || !(math.Abs(float64(a[1])-.8) < 1e-12) || !(math.Abs(float64(w.v[0])-.6*.75) < 1e-12) {
			t.Errorf("%g off it goes along %v at %v", start, a, w.v)
		}
	}
}

// TestFalsePieces: what no piece of an evolution may be is refused: a force that nothing bears, a place inside an obstacle, a contact that pulls, one that is open and bears, friction beyond its
// bound or along the motion, or less than its bound against it; each at either end. What may be is not.
func TestFalsePieces(t *testing.T) {
	r := func(v float64) Rational { return Rational{}.Of(v) }
	one := r(1)
	f := &Form[Rational]{N: 4, Ptr: []int{0, 1, 2, 3, 4}, Col: []int{0, 1, 2, 3}, Val: []Rational{one, one, one, one},
		Contacts: []Contact[Rational]{{T: 0, N: 1, Mu: r(.5)}, {T: -1, N: 2, Gap: r(.25)}}, Source: nothing[Rational]{}}
	w, err := NewWalker(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what         string
		q, r, qn, rn [4]float64
		ok           bool
	}{
		{what: "nothing", ok: true},
		{"held", [4]float64{}, [4]float64{.5, 1, 0, 0}, [4]float64{}, [4]float64{-.5, 1, 0, 0}, true},
		{"slips on", [4]float64{}, [4]float64{-.5, 1, 0, 0}, [4]float64{2, 0, 0, 0}, [4]float64{-1, 2, 0, 0}, true},
		{"slips back", [4]float64{1, 0, 0, 0}, [4]float64{.5, 1, 0, 0}, [4]float64{-1, 0, 0, 0}, [4]float64{1, 2, 0, 0}, true},
		{"flies", [4]float64{0, 1, 1, 1}, [4]float64{}, [4]float64{3, 2, 1, -1}, [4]float64{}, true},
		{"lands", [4]float64{0, 1, 1, 0}, [4]float64{}, [4]float64{3, 0, -.25, 0}, [4]float64{}, true},
		{"bears", [4]float64{0, 0, -.25, 0}, [4]float64{0, 1, 2, 0}, [4]float64{0, 0, -.25, 0}, [4]float64{0, 2, 1, 0}, true},
		{"nothing bears", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{0, 0, 0, 1}, false}, {"nothing bore", [4]float64{}, [4]float64{0, 0, 0, -1}, [4]float64{}, [4]float64{}, false},
		{"inside", [4]float64{}, [4]float64{}, [4]float64{0, -1, 0, 0}, [4]float64{}, false}, {"was inside", [4]float64{0, 0, -.5, 0}, [4]float64{}, [4]float64{}, [4]float64{}, false},
		{"pulls", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{0, -1, 0, 0}, false}, {"pulled", [4]float64{0, 0, -.25, 0}, [4]float64{0, 0, -1, 0}, [4]float64{0, 0, -.25, 0}, [4]float64{}, false},
		{"open and bears", [4]float64{}, [4]float64{}, [4]float64{0, 1, 0, 0}, [4]float64{0, 1, 0, 0}, false}, {"bore, and opens", [4]float64{}, [4]float64{0, 1, 0, 0}, [4]float64{0, 1, 0, 0}, [4]float64{}, false},
		{"bears from afar", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{0, 0, 1, 0}, false},
		{"held by more", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{.6, 1, 0, 0}, false}, {"held by more, back", [4]float64{}, [4]float64{-.6, 1, 0, 0}, [4]float64{}, [4]float64{0, 1, 0, 0}, false},
		{"pushed on", [4]float64{}, [4]float64{.5, 1, 0, 0}, [4]float64{2, 0, 0, 0}, [4]float64{.5, 1, 0, 0}, false}, {"slips under less", [4]float64{}, [4]float64{-.5, 1, 0, 0}, [4]float64{2, 0, 0, 0}, [4]float64{-.25, 1, 0, 0}, false},
		{"slips back under less", [4]float64{}, [4]float64{.25, 1, 0, 0}, [4]float64{-2, 0, 0, 0}, [4]float64{.5, 1, 0, 0}, false},
	} {
		q, force := make([]Rational, 4), make([]Rational, 4)
		for i := range 4 {
			q[i], force[i], w.q[i], w.r[i] = r(c.q[i]), r(c.r[i]), r(c.qn[i]), r(c.rn[i])
		}
		if err := w.checkPiece(q, force); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	for _, broken := range []func(f *Form[Rational]){func(f *Form[Rational]) { f.Ptr = f.Ptr[:4] }, func(f *Form[Rational]) { f.Col = f.Col[:3] }, func(f *Form[Rational]) { f.Val = f.Val[:3] },
		func(f *Form[Rational]) { f.Ptr = []int{0, 1, 2, 3, 3} }, func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: 4}} }, func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 4, N: 0}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 1, N: 1}} }, func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: -1}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: 1, Mu: r(-1)}} }, func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: 1, Gap: r(-1)}} },
		func(f *Form[Rational]) { f.Corners = []Corner[Rational]{{Dof: 2}} }, func(f *Form[Rational]) { f.Corners = []Corner[Rational]{{Dof: -1}} }} {
		g := *f
		if broken(&g); g.validate() == nil {
			t.Errorf("taken: %+v", g)
		}
	}
	if f.validate() != nil {
		t.Error(f.validate())
	}
}

// nothing are loads that are none.
type nothing[T Number[T]] struct{}

func (nothing[T]) Load(f []T, _ T) (c T) { clear(f); return c }
func (nothing[T]) Rate(df []T, _ T)      { clear(df) }
func (nothing[T]) Breaks() []T           { return nil }
func (nothing[T]) Frequency() float64    { return 0 }

// TestNumbers: signs and comparisons are −1, 0 and 1, and what is written reads as it was.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{{1, 2, -1}, {2, 1, 1}, {-.5, -.5, 0}, {1e-300, 0, 1}, {-1e-300, 0, -1}} {
		if x, y, z := Real(c.a).Compare(Real(c.b)), (Dual{c.a, 7}).Compare(Dual{c.b, -7}), (Rational{}).Of(c.a).Compare(Rational{}.Of(c.b)); x != c.want || y != c.want || z != c.want {
			t.Errorf("%g beside %g: %d, %d, %d", c.a, c.b, x, y, z)
		}
		if x, y, z := Real(c.a-c.b).Sign(), (Dual{c.a - c.b, 7}).Sign(), (Rational{}).Of(c.a).Sub(Rational{}.Of(c.b)).Sign(); x != c.want || y != c.want || z != c.want {
			t.Errorf("sign of %g − %g: %d, %d, %d", c.a, c.b, x, y, z)
		}
	}
	if a, b := Real(.1).String(), (Dual{.1, -2.5}).String(); a != "0.1" || b != "0.1 (-2.5)" {
		t.Errorf("%s and %s", a, b)
	}
}
