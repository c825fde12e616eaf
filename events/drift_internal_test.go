package events

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// windLoads are those of a spring of the stiffness k whose end goes along a direction with the rate
// 1 and by fall t + sink upward, and, times the parameter, across it by wind.
type windLoads struct {
	k, sink, fall float64
	along, side   [3]float64
	wind, gust    func(t float64) float64 // and its rate; nil: 1 and 0
	tail, more    float64                 // derivative of the way along it, and of its rate
	frequency     float64
}

func (l windLoads) end(t Dual, i int) (at, rate Dual) {
	wind, gust := 1., 0.
	if l.wind != nil {
		wind, gust = l.wind(t.V), l.gust(t.V)
	}
	at = Dual{l.along[i] * t.V, l.along[i]*(t.D+l.tail+l.more*t.V) + l.side[i]*wind}
	rate = Dual{l.along[i], l.along[i]*l.more + l.side[i]*gust}
	if i == 2 {
		at, rate = at.Add(Dual{l.sink + l.fall*t.V, l.fall * t.D}), rate.Add(Dual{V: l.fall})
	}
	return at, rate
}

func (l windLoads) Load(f []Dual, t Dual) (c Dual) {
	clear(f)
	for i := range 3 {
		x, _ := l.end(t, i)
		f[i] = x.Mul(Dual{V: l.k})
		c = c.Add(x.Mul(x).Mul(Dual{V: l.k / 2}))
	}
	return c
}

func (l windLoads) Rate(df []Dual, t Dual) {
	clear(df)
	for i := range 3 {
		_, x := l.end(t, i)
		df[i] = x.Mul(Dual{V: l.k})
	}
}

func (windLoads) Breaks() []Dual { return nil }

func (l windLoads) Frequency() float64 { return l.frequency }

// TestWinds: a particle is dragged over a floor, and beside a parameter p the end of its spring is
// aside by p w(t): it follows by dq/dp = y across,
//
//	ẏ = (λ/ρ)(k w − Ky),   ρ = μ(σ + σ̇t),  λ = 1 − ρ̇/k,
//
// K being k with what else holds it across, from t_0 on, when it slips. For constant w that is
// (k/K)(1 − (ρ/ρ_0)^{−Kλ/ρ̇}), of a wave one that is known too: in closed form where nothing else
// moves, along a curve where loads are smooth, another particle moves with it, or a wall comes
// nearer; there to what steps leave, 1e-12 of the loads.
func TestWinds(t *testing.T) {
	const mu, until, omega = .5, 2., 3.
	const k = 1.5
	turned := [2][3]float64{{.8, .6, 0}, {-.6, .8, 0}}
	plain := [2][3]float64{{1, 0, 0}, {0, 1, 0}}
	sine := func(t float64) float64 { return math.Sin(omega * t) }
	cosine := func(t float64) float64 { return omega * math.Cos(omega*t) }
	none := func(float64) float64 { return 0 }
	growing := func(t float64) float64 { return t - .5 } // from where it slips
	steady := func(float64) float64 { return 1 }
	between := func(t float64) float64 { return math.Pow(max(0, (t-.5)*(until-t)), 2) }
	among := func(t float64) float64 { return 2 * max(0, (t-.5)*(until-t)) * (2.5 - 2*t) }
	// of smooth loads only the last look sees it
	timeSize := func(t float64) float64 { return max(0, t-1.9) }
	lately := func(t float64) float64 {
		if t < 1.9 {
			return 0
		}
		return 1
	}
	for _, c := range []struct {
		name       string
		way        [2][3]float64
		fall       float64
		wind, gust func(t float64) float64
		frequency  float64
		walls      [][3]float64
		tied       float64 // stiffness of a bond across to another particle, which is held by 1
		curved     bool
	}{
		{"even", plain, 0, nil, nil, 0, nil, 0, false},
		{"pressed more and more", plain, -.25, nil, nil, 0, nil, 0, false},
		{"pressed less and less", plain, .125, nil, nil, 0, nil, 0, false},
		{"aslant", turned, -.25, nil, nil, 0, nil, 0, false},
		{"along a wall", plain, 0, nil, nil, 0, [][3]float64{{-1, 0, 0}}, 0, false},
		{"to a wall", plain, -.25, nil, nil, 0, [][3]float64{{0, -1, 0}}, 0, true},
		{"to the second wall", turned, 0, nil, nil, 0, [][3]float64{{0, 0, -1}, {.28, -.96, 0}}, 0, true},
		{"with another one", plain, -.25, nil, nil, 0, nil, 2, true},
		{"with another one, aslant", turned, 0, nil, nil, 0, nil, .5, true},
		{"smooth", plain, 0, nil, nil, 1, nil, 0, true},
		{"a wave", plain, 0, sine, cosine, omega, nil, 0, true},
		{"a wave aslant", turned, 0, sine, cosine, omega, nil, 0, true},
		{"no wind", plain, -.25, none, none, omega, nil, 0, false},
		{"no wind, straight", turned, -.25, none, none, 0, nil, 0, false},
		{"growing", plain, 0, growing, steady, 0, nil, 0, false},
		{"growing, of smooth loads", turned, 0, growing, steady, omega, nil, 0, true},
		{"wind between", plain, 0, between, among, omega, nil, 0, true},
		{"late wind", plain, 0, timeSize, lately, omega, nil, 0, true},
	} {
		along, side := c.way[0], c.way[1]
		loads := windLoads{k: k, sink: -1, fall: c.fall, along: along, side: side, wind: c.wind, gust: c.gust, frequency: c.frequency}
		f := &Form[Dual]{N: 6, Source: loads}
		rows := [6][6]float64{}
		for i := range 3 {
			rows[i][i], rows[3+i][3+i] = k, 1
			for j := range 3 {
				tie := c.tied * side[i] * side[j]
				rows[i][j] += tie
				rows[3+i][3+j] += tie
				rows[i][3+j] -= tie
				rows[3+i][j] -= tie
			}
		}
		for i := range 6 {
			f.Ptr = append(f.Ptr, len(f.Col))
			for j, v := range rows[i] {
				if v != 0 {
					f.Col, f.Val = append(f.Col, j), append(f.Val, Dual{V: v})
				}
			}
		}
		f.Ptr = append(f.Ptr, len(f.Col))
		corner := Corner[Dual]{Faces: []Face[Dual]{{N: [3]Dual{{}, {}, {V: 1}}, Mu: Dual{V: mu}}}}
		for _, n := range c.walls {
			corner.Faces = append(corner.Faces, Face[Dual]{N: [3]Dual{{V: n[0]}, {V: n[1]}, {V: n[2]}}, Mu: Dual{V: .1}, Gap: Dual{V: 9}})
		}
		f.Corners = []Corner[Dual]{corner}
		w, err := NewIntegrator(f, 0)
		if err == nil {
			err = w.Integrate(t.Context(), Dual{V: until}, nil)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		sigma, rate := k, -k*c.fall // σ = k(1 − fall t)
		start := mu * sigma / (k - mu*rate)
		lambda, rho0, rho := 1-mu*rate/k, mu*(sigma+rate*start), mu*(sigma+rate*until)
		if lambda < .5 {
			t.Fatal("too slow")
		}
		hold := k + c.tied/(1+c.tied)
		y := k / hold * (1 - math.Exp(-hold*lambda*(until-start)/rho0))
		switch a := k * lambda / rho0; {
		case c.name == "late wind": // w = t − 1.9 from 1.9 on
			y = .1 - (1-math.Exp(-a*.1))/a
		case c.frequency != 1 && c.wind != nil && c.wind(.5) == 0 && c.gust(1) == 1:
			y = 1.5 - (1-math.Exp(-a*1.5))/a
		case c.name == "wind between": // by Simpson's rule
			y = 0
			const n = 2000
			for i := range n + 1 {
				s := .5 + 1.5*float64(i)/n
				// it is 0 at both ends
				y += []float64{2, 4}[i%2] * 1.5 / (3 * n) * a * math.Exp(-a*(until-s)) * between(s)
			}
		case c.wind != nil && c.wind(1) == 0:
			y = 0
		case c.wind != nil:
			of := func(t float64) float64 {
				return a * (a*math.Sin(omega*t) - omega*math.Cos(omega*t)) / (a*a + omega*omega)
			}
			y = of(until) - of(start)*math.Exp(-a*(until-start))
		case rate != 0:
			y = k / hold * (1 - math.Pow(rho/rho0, -hold*lambda/(mu*rate)))
		}
		allowed := 1e-13
		if c.curved {
			// steps are off by 1e-12, and derivatives by 1e-11 of those of the forces, in some ten
			// of them
			allowed = 1e-10
		}
		if c.name == "late wind" {
			allowed = 1e-6 // the kink is not told: a step over it
		}
		way := lambda * (until - start)
		for i := range 3 {
			if got, want := w.Q()[i], (Dual{along[i] * way, side[i] * y}); !(math.Abs(got.V-want.V) <= max(1e-14,
				allowed/10)) || !(math.Abs(got.D-want.D) <= allowed) {
				t.Errorf("%s: dof %d is at %.15g (%.15g), want %.15g (%.15g)", c.name, i, got.V, got.D, want.V, want.D)
			}
			if got, want := w.Q()[3+i].D, side[i]*y*c.tied/(1+c.tied); !(math.Abs(got-want) <= allowed) {
				t.Errorf("%s: the other one follows by %.15g, want %.15g", c.name, got, want)
			}
		}
		if curved := w.curve != nil; curved != c.curved || w.Curved {
			t.Errorf("%s: along a curve %t, as forces turn %t", c.name, curved, w.Curved)
		}
		if d := w.Balance(); math.Abs(d.V) > 1e-11 || math.Abs(d.D) > 1e-9 {
			t.Errorf("%s: (E) lacks %v", c.name, d)
		}
	}
}

// TestNoiseOfWinds: a force across that is 1e-10 of the derivatives of all forces is rounding, be
// they large or small: it moves nothing across.
func TestNoiseOfWinds(t *testing.T) {
	const k, until = 1.5, 2.
	for _, size := range []float64{1e-3, 1e3} {
		for _, c := range []struct {
			name      string
			wind      float64 // over 1e-10 of size
			more      bool    // it grows: .5 at first, 2 at last
			frequency float64
			drifts    bool
		}{
			{"little", .8, false, 0, false}, {"little, of smooth loads", .8, false, 1, false}, {"little in the end", 1, true, 0, false},
			{"enough", 3, false, 0, true}, {"enough, of smooth loads", 3, false, 1, true}, {"enough in the end", 5, true, 0, true},
		} {
			loads := windLoads{k: k, sink: -1, along: [3]float64{.8, .6}, side: [3]float64{-.6, .8}, frequency: c.frequency, tail: size}
			if c.more {
				loads.tail, loads.more = 0, size
			}
			wind := c.wind * 1e-10 * size * 1.4 // |.8| + |.6| of dofs
			loads.wind, loads.gust = func(float64) float64 { return wind }, func(float64) float64 { return 0 }
			f := &Form[Dual]{N: 3, Ptr: []int{0, 1, 2, 3}, Col: []int{0, 1, 2}, Val: []Dual{{V: k}, {V: k}, {V: k}}, Source: loads}
			f.Corners = []Corner[Dual]{{Faces: []Face[Dual]{{N: [3]Dual{{}, {}, {V: 1}}, Mu: Dual{V: .5}}}}}
			w, err := NewIntegrator(f, 0)
			if err == nil {
				err = w.Integrate(t.Context(), Dual{V: until}, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			across := -.6*w.Q()[0].D + .8*w.Q()[1].D
			want := 0.0
			if c.drifts {
				want = wind * (1 - math.Exp(-(until-.5)/.5))
			}
			if !(math.Abs(across-want) <= .3*wind) { // but for rounding of size
				t.Errorf("%s of %g: %g across of %g, want %g", c.name, size, across, wind, want)
			}
			if curved := w.curve != nil; curved != (c.drifts && c.frequency > 0) {
				t.Errorf("%s of %g: along a curve %t", c.name, size, curved)
			}
		}
	}
}

// TestRoundFriction: none, and the same along both axes, is round.
func TestRoundFriction(t *testing.T) {
	sys, err := particles.NewSystem(particles.Floors(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, mu := range []float64{.01, 40} { // friction that is the same along both axes to 1e-11
		for _, c := range []struct {
			off   float64
			round bool
		}{{.5e-11, true}, {2e-11, false}, {-2e-11, false}} {
			for _, turned := range []float64{0, .4} {
				m, err := dissipation.NewOrthotropic([2]float64{mu, mu * (1 + c.off)}, [2]float64{math.Cos(turned), math.Sin(turned)})
				if err != nil {
					t.Fatal(err)
				}
				psi, err := dissipation.New(sys, []dissipation.Matrix{m})
				if err != nil {
					t.Fatal(err)
				}
				p := &Reduced{System: sys, psi: psi, Start: make([]float64, 3), Until: 1, across: make([][]float64, 1),
					cornered: make([]bool, 1)}
				if _, round := p.mu(0); round != c.round {
					t.Errorf("friction %g, %g more along the second axis at %g: round %t", mu, c.off, turned, round)
				}
			}
		}
	}
	for _, mu := range []float64{0, .3} {
		psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu}})
		if err != nil {
			t.Fatal(err)
		}
		p := &Reduced{System: sys, psi: psi, Start: make([]float64, 3), Until: 1, across: make([][]float64, 1), cornered: make([]bool, 1)}
		if got, round := p.mu(0); got != mu || !round || !p.turns(0) {
			t.Errorf("friction %g: %g, round %t", mu, got, round)
		}
	}
}

// TestRatesUpToKinks: at the end of a piece with smooth loads rates are those of before.
func TestRatesUpToKinks(t *testing.T) {
	wave, err := signal.NewSine(0, .1, .5, 0)
	if err != nil {
		t.Fatal(err)
	}
	bent, err := signal.NewTable([]float64{0, .5, 2}, []float64{0, .5, -4})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := signal.NewSum(wave, bent)
	if err != nil {
		t.Fatal(err)
	}
	e, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{sum, signal.Constant(0), signal.Constant(-1)}, Stiffness: particles.Diagonal(1, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), e)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 9}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlane(psi, make([]float64, 3), 2)
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Form()
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewIntegrator(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.end = .5
	// none is later than the end
	for _, c := range []struct{ t, slope float64 }{{.25, 1}, {.5, 1}, {.75, 1}} {
		at := min(c.t, .5)
		w.at(Real(c.t))
		if want := c.slope + .1*math.Pi*math.Cos(math.Pi*at); !(math.Abs(float64(w.df[0])-want) <= 1e-14) {
			t.Errorf("t = %g: the rate of the load is %g, want %g", c.t, w.df[0], want)
		}
	}
	w.end = 2
	if w.at(.5); !(math.Abs(float64(w.df[0])+3) <= 1e-14) {
		t.Errorf("after the kink the rate of the load is %g, want -3", w.df[0])
	}
}

// TestFrictionAlong: of a particle that moves in a plane friction with axes counts by what acts
// along it, and does not if its axes are off by more than rounding, 1e-11, of the product of both
// coefficients; round friction of one that does not is that of both axes.
func TestFrictionAlong(t *testing.T) {
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -1), Stiffness: particles.Diagonal(1, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), e)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b, off float64 // coefficients along and across the plane, and by what angle axes are off
		want      bool
	}{
		{.1, .2, 0, true}, {.2, .1, 0, true}, {3, 5, 0, true},
		// Off: (b² − a²)δ over 1e-11 a b.
		{.1, .2, .9e-11 * .02 / .03, true}, {.1, .2, 1.1e-11 * .02 / .03, false}, {.01, .02, .9e-11 * .02 / .03, true},
		{.01, .02, -1.1e-11 * .02 / .03, false},
		{3, 5, .9e-11 * 15 / 16, true}, {3, 5, 1.1e-11 * 15 / 16, false}, {5, 3, -.9e-11 * 15 / 16, true},
		{30, 50, 1.1e-11 * 15 / 16, false},
	} {
		m, err := dissipation.NewOrthotropic([2]float64{c.a, c.b}, [2]float64{math.Cos(c.off), math.Sin(c.off)})
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{m})
		if err != nil {
			t.Fatal(err)
		}
		p := &Reduced{System: sys, psi: psi, Start: make([]float64, 3), Until: 1, across: [][]float64{{0, 1, 0}}}
		if mu, ok := p.mu(0); ok != c.want || !(math.Abs(mu-c.a) <= 1e-15*c.a) {
			t.Errorf("%+v: friction %g, along the plane %t", c, mu, ok)
		}
		if err := psi.SetFactors([]signal.Scalar{signal.Constant(.25)}); err != nil {
			t.Fatal(err)
		}
		if mu, _ := p.mu(0); !(math.Abs(mu-c.a/4) <= 1e-15*c.a) {
			t.Errorf("%+v: a quarter of the friction is %g", c, mu)
		}
		if err := psi.SetFactors([]signal.Scalar{nil}); err != nil {
			t.Fatal(err)
		}
		p.across[0] = nil
		if mu, round := p.mu(0); round || !(math.Abs(mu-c.a) <= 1e-10*c.a) {
			t.Errorf("%+v: friction %g, round %t", c, mu, round)
		}
	}
}
