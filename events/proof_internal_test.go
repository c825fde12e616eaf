package events

import (
	"math"
	"math/rand/v2"
	"testing"
)

// corneredForm is a corner in front of a floor and a wall that is far away, on a spring of the
// stiffness k in each direction whose end moves with the rate given from the place given.
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

func (anchor[T]) Breaks() []T { return nil }

func (anchor[T]) Frequency() float64 { return 0 }

// TestConeEnd: a force d + ḋt along a face leaves the cone μ(σ + σ̇t) at the first t at which it is
// longer, by bisection; never where friction grows as fast; at once on the edge, where it goes
// outward, be that to second order only. Along the edge, in proportion, it is held for ever.
func TestConeEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	const mu = .5
	w, err := NewIntegrator(cornerForm[Real](1, mu, [3]Real{0, 0, -1}, [3]Real{}), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &w.corners[0]
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
		{[2]float64{0, 0}, 1, [2]float64{1, 0}, 0, 1}, {[2]float64{0, 0}, 1, [2]float64{.6, .8}, .5, 2},
		{[2]float64{.5, 0}, 1, [2]float64{-1, 0}, 0, 1.5},
		{[2]float64{0, 0}, 1, [2]float64{1, 0}, 1, math.Inf(1)},
		{[2]float64{0, 0}, 1, [2]float64{1, 0}, 2, math.Inf(1)}, {[2]float64{0, 0}, 1, [2]float64{0, 0}, -1, 1},
		// B = 0
		{[2]float64{0, .5}, 1, [2]float64{.5, 0}, 0, math.Sqrt(3)},
		// along the edge
		{[2]float64{1, 0}, 1, [2]float64{.5, 0}, .5, math.Inf(1)},
		// outward, and to second order
		{[2]float64{1, 0}, 1, [2]float64{1, 0}, .5, 0}, {[2]float64{1, 0}, 1, [2]float64{0, 1}, 0, 0},
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

// TestFalsePieces: what no piece of an evolution may be is refused: a force that nothing bears, a
// place inside an obstacle, a contact that pulls, one that is open and bears, friction beyond its
// bound or along the motion, or less than its bound against it; each at either end. What may be is
// not.
func TestFalsePieces(t *testing.T) {
	r := func(v float64) Rational { return Rational{}.Of(v) }
	one := r(1)
	f := &Form[Rational]{N: 4, Ptr: []int{0, 1, 2, 3, 4}, Col: []int{0, 1, 2, 3}, Val: []Rational{one, one, one, one},
		Contacts: []Contact[Rational]{{T: 0, N: 1, Mu: r(.5)}, {T: -1, N: 2, Gap: r(.25)}}, Source: nothing[Rational]{}}
	w, err := NewIntegrator(f, 0)
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
		{"nothing bears", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{0, 0, 0, 1}, false},
		{"nothing bore", [4]float64{}, [4]float64{0, 0, 0, -1}, [4]float64{}, [4]float64{}, false},
		{"inside", [4]float64{}, [4]float64{}, [4]float64{0, -1, 0, 0}, [4]float64{}, false},
		{"was inside", [4]float64{0, 0, -.5, 0}, [4]float64{}, [4]float64{}, [4]float64{}, false},
		{"pulls", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{0, -1, 0, 0}, false},
		{"pulled", [4]float64{0, 0, -.25, 0}, [4]float64{0, 0, -1, 0}, [4]float64{0, 0, -.25, 0}, [4]float64{}, false},
		{"open and bears", [4]float64{}, [4]float64{}, [4]float64{0, 1, 0, 0}, [4]float64{0, 1, 0, 0}, false},
		{"bore, and opens", [4]float64{}, [4]float64{0, 1, 0, 0}, [4]float64{0, 1, 0, 0}, [4]float64{}, false},
		{"bears from afar", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{0, 0, 1, 0}, false},
		{"held by more", [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{.6, 1, 0, 0}, false},
		{"held by more, back", [4]float64{}, [4]float64{-.6, 1, 0, 0}, [4]float64{}, [4]float64{0, 1, 0, 0}, false},
		{"pushed on", [4]float64{}, [4]float64{.5, 1, 0, 0}, [4]float64{2, 0, 0, 0}, [4]float64{.5, 1, 0, 0}, false},
		{"slips under less", [4]float64{}, [4]float64{-.5, 1, 0, 0}, [4]float64{2, 0, 0, 0}, [4]float64{-.25, 1, 0, 0}, false},
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
	for _, broken := range []func(f *Form[Rational]){func(f *Form[Rational]) { f.Ptr = f.Ptr[:4] },
		func(f *Form[Rational]) { f.Col = f.Col[:3] }, func(f *Form[Rational]) { f.Val = f.Val[:3] },
		func(f *Form[Rational]) { f.Ptr = []int{0, 1, 2, 3, 3} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: 4}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 4, N: 0}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 1, N: 1}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: -1}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: 1, Mu: r(-1)}} },
		func(f *Form[Rational]) { f.Contacts = []Contact[Rational]{{T: 0, N: 1, Gap: r(-1)}} },
		func(f *Form[Rational]) { f.Corners = []Corner[Rational]{{Dof: 2}} },
		func(f *Form[Rational]) { f.Corners = []Corner[Rational]{{Dof: -1}} }} {
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

func (nothing[T]) Rate(df []T, _ T) { clear(df) }

func (nothing[T]) Breaks() []T { return nil }

func (nothing[T]) Frequency() float64 { return 0 }

// TestNumbers: signs and comparisons are −1, 0 and 1, and what is written reads as it was.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{{1, 2, -1}, {2, 1, 1}, {-.5, -.5, 0}, {1e-300, 0, 1}, {-1e-300, 0, -1}} {
		if x, y, z := Real(c.a).Compare(Real(c.b)), (Dual{c.a, 7}).Compare(Dual{c.b, -7}),
			(Rational{}).Of(c.a).Compare(Rational{}.Of(c.b)); x != c.want || y != c.want || z != c.want {
			t.Errorf("%g beside %g: %d, %d, %d", c.a, c.b, x, y, z)
		}
		if x, y, z := Real(c.a-c.b).Sign(), (Dual{c.a - c.b, 7}).Sign(),
			(Rational{}).Of(c.a).Sub(Rational{}.Of(c.b)).Sign(); x != c.want || y != c.want || z != c.want {
			t.Errorf("sign of %g − %g: %d, %d, %d", c.a, c.b, x, y, z)
		}
	}
	if a, b := Real(.1).String(), (Dual{.1, -2.5}).String(); a != "0.1" || b != "0.1 (-2.5)" {
		t.Errorf("%s and %s", a, b)
	}
}

// besideWall is a particle over a floor, μ = ½, beside a wall at x = ¼, μ = ¼.
func besideWall(t *testing.T) *Integrator[Rational] {
	t.Helper()
	r := func(v float64) Rational { return Rational{}.Of(v) }
	one := r(1)
	f := &Form[Rational]{N: 4, Ptr: []int{0, 1, 2, 3, 4}, Col: []int{0, 1, 2, 3}, Val: []Rational{one, one, one, one},
		Source: nothing[Rational]{},
		Corners: []Corner[Rational]{{Dof: 1, Faces: []Face[Rational]{{N: [3]Rational{{}, {}, one}, Mu: r(.5)},
			{N: [3]Rational{r(-1), {}, {}}, Mu: r(.25), Gap: r(.25)}}}}}
	w, err := NewIntegrator(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFalseCorners: what no piece of an evolution of a corner may be is refused: a place in an
// obstacle, a force that the obstacles along its way do not bear, or friction that is beyond its
// bound, or less than it or aside where there is motion; each at either end. What may be is not.
func TestFalseCorners(t *testing.T) {
	w := besideWall(t)
	type end struct{ q, r [3]float64 }
	free := end{}
	for _, c := range []struct {
		what     string
		from, to end
		ok       bool
	}{
		{"nothing", free, free, true},
		{"held", end{r: [3]float64{.3, .4, 1}}, end{r: [3]float64{-.3, 0, 1}}, true},
		{"held by more", free, end{r: [3]float64{.3, .41, 1}}, false}, {"was held by more", end{r: [3]float64{0, -.6, 1}}, free, false},
		{"pulled", free, end{r: [3]float64{0, 0, -1}}, false}, {"was pulled", end{r: [3]float64{0, 0, -.125}}, free, false},
		{"slips", end{r: [3]float64{-.3, -.4, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{-.6, -.8, 2}}, true},
		{"slips back", end{r: [3]float64{.3, .4, 1}}, end{[3]float64{-.15, -.2, 0}, [3]float64{.6, .8, 2}}, true},
		{"slips under less", end{r: [3]float64{-.15, -.2, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{-.3, -.4, 1}}, false},
		{"slips under less in the end", end{r: [3]float64{-.3, -.4, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{-.15, -.2, 1}}, false},
		{"pushed on", end{r: [3]float64{.3, .4, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{.3, .4, 1}}, false},
		{"pushed on in the end", end{r: [3]float64{-.3, -.4, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{.3, .4, 1}}, false},
		{"aside", end{r: [3]float64{-.3, -.4, 1}}, end{[3]float64{.2, 0, 0}, [3]float64{-.3, -.4, 1}}, false},
		{"as much along, and more aside", end{r: [3]float64{-.5, -.25, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{-.5, -.25, 1}}, false},
		{"more along", end{r: [3]float64{-.6, -.8, 1}}, end{[3]float64{.15, .2, 0}, [3]float64{-.6, -.8, 1}}, false},
		{"inside", free, end{q: [3]float64{0, 0, -1}}, false},
		{"was inside", end{q: [3]float64{.5, 0, 0}}, free, false}, {"in the wall", free, end{q: [3]float64{.26, 0, 0}}, false},
		{"flies", end{q: [3]float64{0, 0, 1}}, end{q: [3]float64{-1, 2, 3}}, true},
		{"lifts off", free, end{q: [3]float64{0, 0, 1}}, true},
		{"lifts off, and bore", end{r: [3]float64{0, 0, 1}}, end{q: [3]float64{0, 0, 1}}, false},
		{"lands", end{q: [3]float64{0, 0, 1}}, free, true},
		{"lands, and bears", end{q: [3]float64{0, 0, 1}}, end{r: [3]float64{0, 0, 1}}, false},
		{"open, and bears", end{q: [3]float64{0, 0, 1}}, end{[3]float64{0, 0, 1}, [3]float64{0, 0, 1}}, false},
		{"between both", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1, 1}}, end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, 1}}, true},
		{"between both, held by more", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1.1, 1}},
			end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, 1}}, false},
		{"along both", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1, 1}}, end{[3]float64{.25, -.5, 0}, [3]float64{-4, 1.5, 1}}, true},
		{"along both under less", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1, 1}},
			end{[3]float64{.25, -.5, 0}, [3]float64{-2, .5, 1}}, false},
		{"up the wall", end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, -.5}}, end{[3]float64{.25, 0, 3}, [3]float64{-2, 0, -.5}}, true},
		{"off the wall, and pressed", end{[3]float64{.125, 0, 0}, [3]float64{-2, 0, 1}},
			end{[3]float64{.125, 0, 0}, [3]float64{-2, 0, 1}}, false},
		{"leaves the wall, and was pressed", end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, 1}},
			end{[3]float64{.125, 0, 0}, [3]float64{.5, 0, 1}}, false},
		// the floor holds it
		{"pulled off the wall", end{[3]float64{.25, 0, 0}, [3]float64{.5, 0, 1}}, end{[3]float64{.25, 0, 0}, [3]float64{.5, 0, 1}}, true},
		{"pulled off the wall by more", end{[3]float64{.25, 0, 0}, [3]float64{.6, 0, 1}},
			end{[3]float64{.25, 0, 0}, [3]float64{.5, 0, 1}}, false},
	} {
		q, force := make([]Rational, 4), make([]Rational, 4)
		for i := range 3 {
			q[1+i], force[1+i] = Rational{}.Of(c.from.q[i]), Rational{}.Of(c.from.r[i])
			w.q[1+i], w.r[1+i] = Rational{}.Of(c.to.q[i]), Rational{}.Of(c.to.r[i])
		}
		if err := w.checkPiece(q, force); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestStepNowhere: a step goes forward in time.
func TestStepNowhere(t *testing.T) {
	w := besideWall(t)
	for _, limit := range []float64{0, -1} {
		if err := w.Step(Rational{}.Of(limit)); err == nil {
			t.Errorf("a step to %g from 0", limit)
		}
	}
	if err := w.Step(Rational{}.Of(1)); err != nil || w.Time().Float() != 1 {
		t.Errorf("%v, at t = %s", err, w.Time())
	}
	if _, _, ok := w.Face(9); ok {
		t.Error("a contact that is no face is one")
	}
}
