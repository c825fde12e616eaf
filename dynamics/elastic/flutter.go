package elastic

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Flutter. Where contacts slide, friction follows the normal reaction, which a small motion δu of the
// body changes by δr_N = (A δu + M_* δü)_N. Closed contacts have δu_N = 0, those that stick δu_T = 0
// too, and along the direction d of slip at a speed s
//
//	(M_* δü + A δu)_T = −μ δr_N d − r_N (μ'(s) d dᵀ + μ/s (1 − d dᵀ)) δu̇_T,
//
// a pencil (λ²M' + λC + A')φ = 0 that is not symmetric: two of its frequencies can meet, and then a
// mode grows by Re λ > 0, however small the disturbance is that it begins with [Nguyen03]. The
// trapezoidal rule multiplies exp(λt) by (1 + λh/2)/(1 − λh/2) in a step h, which is the rate
//
//	σ_h(λ) = ln |(1 + λh/2)/(1 − λh/2)|/h ≈ Re λ (1 − (h Im λ)²/4);  σ_h → 0 as h Im λ → ∞.
//
// So steps that do not resolve a mode damp its growth, and the run at twice the step beside them does
// not see it either. [Stepper.Growth] is the growth that a run leaves out, g = Σ h max(Re λ − σ_h, 0):
// what its state is off by is exp(g) times as much in truth.
//
// A state of friction (see wear.go) is taken as constant: it changes more slowly than waves pass.

// slide is what the contacts of a body did for a time.
type slide struct {
	Pattern []Contact
	Times   []lasting // by the length of step
	Sum     float64   // of them [s]
	// Contacts is the friction at the first of these times, that of the others being near to it.
	Contacts []sliding
}

// lasting is a time that went by in steps of one length.
type lasting struct{ Step, Time float64 } // [s]

// sliding is the linear part of the friction of a contact.
type sliding struct {
	Along         [2]float64 // d
	Mu            float64
	Damping, Turn float64 // r_N μ'(s), r_N μ/s [N s/m]
}

// Slides are those of a run. The zero value begins one.
type Slides struct {
	Kept  []slide
	Other float64 // time of others [s]
	Steps int     // in which something slid
}

// Growth is what the steps of a run leave out of the growth of its modes.
type Growth struct {
	Missed, Whole float64 // g, and Σ h Re λ [-]
	Mode          Mode    // which most of g is from
}

// Mode is one that grows.
type Mode struct {
	Rate      float64 // Re λ [1/s]
	Frequency float64 // |Im λ|/2π [Hz]
	Time      float64 // for which its pattern of contacts held [s]
	Step      float64 // the longest meanwhile [s] …
	Damped    float64 // … and σ_h in it [1/s]
}

// Observe takes a step that the stepper has made into the slides of its run.
func (x *Slides) Observe(s *Stepper) {
	if s.central != nil || s.a.dim == 1 || infNorm(s.a.model.Friction) == 0 {
		return // explicit steps resolve all modes
	}
	pattern, h := s.Contacts(nil), s.now.T-s.prev.T
	if !slices.Contains(pattern, Slip) {
		return
	}
	x.Steps++
	friction := s.frictions(pattern)
	at := slices.IndexFunc(x.Kept, func(k slide) bool {
		return slices.Equal(k.Pattern, pattern) && slices.EqualFunc(k.Contacts, friction, sliding.near)
	})
	if at < 0 {
		at = x.room()
		x.Kept[at] = slide{Pattern: pattern, Contacts: friction}
	}
	k := &x.Kept[at]
	k.Sum += h
	h = alike(h)
	i := slices.IndexFunc(k.Times, func(l lasting) bool { return l.Step == h })
	if i < 0 {
		i, k.Times = len(k.Times), append(k.Times, lasting{Step: h})
	}
	k.Times[i].Time += s.now.T - s.prev.T
}

// room returns a free place: that of the shortest where there are many.
func (x *Slides) room() int {
	if n := len(x.Kept); n < 24 {
		x.Kept = append(x.Kept, slide{})
		return n
	}
	at := 0
	for i := range x.Kept {
		if x.Kept[i].Sum < x.Kept[at].Sum {
			at = i
		}
	}
	x.Other += x.Kept[at].Sum
	return at
}

// alike rounds a step to ten bits: those that differ by rounding are one.
func alike(x float64) float64 {
	f, e := math.Frexp(x)
	return math.Ldexp(math.Round(f*1024)/1024, e)
}

// Set makes x a deep copy of y.
func (x *Slides) Set(y *Slides) {
	*x = *y
	x.Kept = slices.Clone(y.Kept)
	for i := range x.Kept {
		k := &x.Kept[i]
		k.Pattern, k.Times, k.Contacts = slices.Clone(k.Pattern), slices.Clone(k.Times), slices.Clone(k.Contacts)
	}
}

// near reports whether the friction of a contact is that of another time, to a third of it and of a
// radian.
func (x sliding) near(y sliding) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= max(math.Abs(a), math.Abs(b))/3 }
	return near(x.Mu, y.Mu) && near(x.Damping, y.Damping) && near(x.Turn, y.Turn) &&
		math.Hypot(x.Along[0]-y.Along[0], x.Along[1]-y.Along[1]) < 1./3
}

// frictions linearises the friction of what slides.
func (s *Stepper) frictions(pattern []Contact) (list []sliding) {
	for k, c := range pattern {
		var x sliding
		if c == Slip {
			u, r := s.a.slipAt(&s.now, k), s.Reactions(k)[0]
			speed := math.Hypot(u[0], u[1])
			mu := func(v float64) float64 { return s.a.model.muAt(k, &s.now, v) }
			d := 1e-4 // of the speed: slopes to 1e-8, rounding of 1e-12
			x = sliding{Along: [2]float64{u[0] / speed, u[1] / speed}, Mu: mu(speed)}
			x.Damping = r * (mu(speed*(1+d)) - mu(speed*(1-d))) / (2 * d * speed)
			if s.a.dim > 2 {
				x.Turn = r * x.Mu / speed
			}
		}
		list = append(list, x)
	}
	return list
}

// Growth analyses the slides of a run, the longest first, until that has taken 2e5 products a step,
// which is what a step of few contacts takes. What is left is taken to grow as the worst. It fails if
// ctx ends.
func (s *Stepper) Growth(ctx context.Context, x *Slides) (Growth, error) {
	order := slices.Clone(x.Kept)
	slices.SortStableFunc(order, func(a, b slide) int { return cmp.Compare(b.Sum, a.Sum) })
	var g Growth
	left, most, fastest, work := x.Other, 0.0, 0.0, 2e5*float64(1+x.Steps)
	for i := range order {
		k := &order[i]
		if work < 0 {
			left += k.Sum
			continue
		}
		modes, products, err := s.a.slideModes(ctx, k)
		if err != nil {
			return g, err
		}
		work -= products
		own := k.growth(modes)
		if own.Missed > most {
			most, g.Mode = own.Missed, own.Mode
		}
		fastest = max(fastest, own.Missed/k.Sum)
		g.Missed += own.Missed
		g.Whole += own.Whole
	}
	g.Missed += left * fastest
	return g, nil
}

// growth finds the mode of which the steps leave out most.
func (k *slide) growth(modes []complex128) (g Growth) {
	for _, l := range modes {
		// √ε |λ| is what rounding makes of the real part where two frequencies meet.
		if real(l) <= 2e-8*cmplx.Abs(l) {
			continue
		}
		missed, longest := 0.0, 0.0
		for _, x := range k.Times {
			missed += x.Time * max(real(l)-stepRate(l, x.Step), 0)
			longest = max(longest, x.Step)
		}
		if missed > g.Missed {
			g.Missed, g.Whole = missed, real(l)*k.Sum
			g.Mode = Mode{real(l), math.Abs(imag(l)) / (2 * math.Pi), k.Sum, longest, stepRate(l, longest)}
		}
	}
	return g
}

// Part is how much of the error ε of a run can be in the mode, min(1, 1/(hω)): a kink of the motion,
// by Δv, is misplaced by up to a step, ε ~ Δv h, and sets the mode off by Δv/ω.
func (m *Mode) Part() float64 { return 1 / max(1, 2*math.Pi*m.Frequency*m.Step) }

// Resolved is the step that leaves out some of the growth only, by the second term of σ_h [s].
func (g *Growth) Resolved(some float64) float64 {
	return math.Sqrt(some/g.Whole) / (math.Pi * g.Mode.Frequency)
}

// stepRate is σ_h(λ).
func stepRate(l complex128, h float64) float64 {
	z := l * complex(h/2, 0)
	return elementary.Log(cmplx.Abs((1+z)/(1-z))) / h
}

// slideModes returns the λ of the pencil in a Krylov space, and about how many products it took.
func (a *assembly) slideModes(ctx context.Context, k *slide) ([]complex128, float64, error) {
	basis, err := a.krylov(ctx, k)
	m, n := len(basis), a.stiffness.N
	if err != nil || m == 0 {
		return nil, 0, err
	}
	var pencil [3]*mat.Dense // of A', C, M'
	for i := range pencil {
		pencil[i] = mat.NewDense(m, m, nil)
	}
	images, damped := [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}, false
	for j, q := range basis {
		damped = a.slide(k, q, &images) || damped
		for i, p := range basis {
			for l, y := range images {
				pencil[l].Set(i, j, dot(p, y))
			}
		}
	}
	modes, err := quadratic(pencil[2], pencil[1], pencil[0], damped)
	order := float64(m)
	products := 8 * order * float64(len(a.stiffness.Val)) // by factors, which have some times as many numbers
	if damped {
		order *= 2
	}
	return modes, products + 10*order*order*order, err // of the QR algorithm, without vectors
}

// slide stores A'q, Cq and M'q, and reports whether Cq is not zero.
func (a *assembly) slide(k *slide, q []float64, images *[3][]float64) (damped bool) {
	y, c, z := images[0], images[1], images[2]
	a.stiffness.MulVec(y, q)
	a.mass.MulVec(z, q)
	clear(c)
	for i, n := range a.normal {
		if k.Pattern[i] != Slip {
			continue
		}
		x, t, along := &k.Contacts[i], n-a.dim+1, 0.0
		for e := range a.dim - 1 {
			y[t+e] += x.Mu * x.Along[e] * y[n]
			z[t+e] += x.Mu * x.Along[e] * z[n]
			along += x.Along[e] * q[t+e]
		}
		for e := range a.dim - 1 {
			c[t+e] = x.Damping*x.Along[e]*along + x.Turn*(q[t+e]-x.Along[e]*along)
			damped = damped || c[t+e] != 0
		}
	}
	return damped
}

// quadratic returns the λ of det(λ²M + λC + K) = 0.
func quadratic(mass, damping, stiff *mat.Dense, damped bool) ([]complex128, error) {
	m, _ := mass.Dims()
	var lu mat.LU
	lu.Factorize(mass)
	var k mat.Dense
	if err := lu.SolveTo(&k, false, stiff); err != nil {
		return nil, err
	}
	k.Scale(-1, &k)
	var e mat.Eigen
	if !damped {
		if !e.Factorize(&k, mat.EigenNone) {
			return nil, errModes
		}
		modes := e.Values(nil)
		for i, l := range modes {
			modes[i] = cmplx.Sqrt(l) // −√ is one too, with the other sign of the real part
		}
		return modes, nil
	}
	var c mat.Dense
	if err := lu.SolveTo(&c, false, damping); err != nil {
		return nil, err
	}
	big := mat.NewDense(2*m, 2*m, nil)
	for i := range m {
		big.Set(i, m+i, 1)
	}
	big.Slice(m, 2*m, 0, m).(*mat.Dense).Copy(&k)
	c.Scale(-1, &c)
	big.Slice(m, 2*m, m, 2*m).(*mat.Dense).Copy(&c)
	if !e.Factorize(big, mat.EigenNone) {
		return nil, errModes
	}
	return e.Values(nil), nil
}

var errModes = errors.New("elastic: the modes of what slides were not found")
