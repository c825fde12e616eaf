package dynamics

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// TestPyramidTendsToCone: friction on m facets points to a corner of the
// polygon, off by up to π/m from the slip, so that the end of the slide differs
// from that under the cone by O(1/m); the path is 0.28 m long.
func TestPyramidTendsToCone(t *testing.T) {
	end := func(law contact.Law) [2]float64 {
		x := run(t, newSlider(t, "A", law, []float64{1, -.4, 0}, Options{ImplicitForce: true}), .01, 100)
		return [2]float64(x.Q[:2])
	}
	cone := end(contact.Coulomb{Mu: .3})
	for m := 4; m <= 128; m *= 2 {
		e := end(contact.Pyramid{Mu: .3, Facets: m})
		if d := math.Hypot(e[0]-cone[0], e[1]-cone[1]); d > .28*math.Pi/float64(m) {
			t.Errorf("%d facets: distance %g", m, d)
		}
	}
}

// TestLemkeAgreesWithCone: the box pyramid of a motion along t is the cone, so
// that Lemke's method and the secular equation must give the same numbers.
func TestLemkeAgreesWithCone(t *testing.T) {
	for name := range sliders {
		a := newSlider(t, name, contact.Coulomb{Mu: .3}, []float64{1, 0, 0}, Options{})
		b := newSlider(t, name, contact.Pyramid{Mu: .3}, []float64{1, 0, 0}, Options{})
		a.sys.(*slider).planar, b.sys.(*slider).planar = true, true
		x, y := run(t, a, .01, 60), run(t, b, .01, 60)
		for i := range x.Q {
			if math.Abs(x.Q[i]-y.Q[i]) > 1e-13 || math.Abs(x.Lambda[i]-y.Lambda[i]) > 1e-10 {
				t.Errorf("%s: q %v and %v, λ %v and %v", name, x.Q, y.Q, x.Lambda, y.Lambda)
			}
		}
		if b.step.Pivots == 0 && b.step.Open == 0 {
			t.Error("the box was not solved by Lemke's method")
		}
	}
}

// TestLumpedAgainstODE: with n_s = 1 and a contact that never opens, the
// motion is the differential equation
//
//	m ẍ = F + λ_t,   λ_n = K_n δ_n + C_n δ̇_n,   δ_n = −z,
//	λ_t = P(K_t δ_t − C_t ẋ),   δ̇_t = (λ_t − K_t δ_t)/C_t,
//
// with P the projection onto [−μλ_n, μλ_n]: sticking has δ̇_t = −ẋ. It is
// integrated by the classical Runge-Kutta method with a small step. The scheme
// is first order: the distance halves with h (1.8 to 2.2).
func TestLumpedAgainstODE(t *testing.T) {
	k, c, mu := sliders["A"].k, sliders["A"].c, .3
	rate := func(y [5]float64) (d [5]float64) { // x, ẋ, z, ż, δ_t
		n := max(-k[0]*y[2]-c[0]*y[3], 0)
		f := max(-mu*n, min(mu*n, k[1]*y[4]-c[1]*y[1]))
		return [5]float64{y[1], 1 + f, y[3], -9.81 + n, (f - k[1]*y[4]) / c[1]}
	}
	y := [5]float64{0, 1, -.004, 0, 0}
	const n = 40000
	const dt = .4 / n
	for range n {
		var s [4][5]float64
		s[0] = rate(y)
		for i, w := range []float64{.5, .5, 1} {
			var z [5]float64
			for j := range z {
				z[j] = y[j] + w*dt*s[i][j]
			}
			s[i+1] = rate(z)
		}
		for j := range y {
			y[j] += dt / 6 * (s[0][j] + 2*s[1][j] + 2*s[2][j] + s[3][j])
		}
	}
	last := 0.0
	for _, h := range []float64{1e-3, 5e-4, 2.5e-4} {
		s := newSlider(t, "A", contact.Coulomb{Mu: mu}, []float64{1, 0, 0}, Options{ImplicitForce: true})
		s.sys.(*slider).planar = true
		start := s.State().Clone()
		start.Q[2] = -.004
		start.resetPatches()
		start.add(0, 3)
		start.Delta[0] = .004 // Ψ_n + δ_n = 0
		if err := s.Restart(start); err != nil {
			t.Fatal(err)
		}
		x := run(t, s, h, int(math.Round(.4/h)))
		d := math.Hypot(x.Q[0]-y[0], x.Q[2]-y[2])
		if last > 0 && (last/d < 1.8 || last/d > 2.2) {
			t.Errorf("h = %g: distance %g after %g, want half", h, d, last)
		}
		last = d
	}
	if last > 1e-4 {
		t.Errorf("distance %g at the smallest step", last)
	}
}

// TestComplianceTendsToRigid: the lumped ellipse against the rigid scheme at
// ε and ε/10, over 0.2 s: the distance falls at least threefold (√10, the
// order of Lemma 5).
func TestComplianceTendsToRigid(t *testing.T) {
	rigid := run(t, newEllipse(t, 0, Options{}), 1e-4, 2000).Clone()
	last := math.Inf(1)
	for _, eps := range []float64{1e-9, 1e-10, 1e-11, 1e-12} {
		x := run(t, newEllipse(t, eps, Options{}), 1e-4, 2000)
		d := 0.0
		for i := range x.Q {
			d = max(d, math.Abs(x.Q[i]-rigid.Q[i]))
		}
		if !(d < last/3) {
			t.Errorf("ε = %g: distance %g after %g", eps, d, last)
		}
		last = d
	}
}

// TestVelocityFormDrifts: the paper's own form gives the same first step, as
// Ψ_n + δ_n = 0 there, and lets the gap drift by O(h) afterwards.
func TestVelocityFormDrifts(t *testing.T) {
	gap := func(o Options, h float64) float64 {
		s := newEllipse(t, 1e-10, o)
		x := run(t, s, h, int(math.Round(.4/h)))
		worst := 0.0
		for e, g := range s.contacts.gap {
			worst = max(worst, math.Abs(g+x.Delta[2*e]))
		}
		return worst
	}
	velocity := Options{VelocityForm: true}
	a, b := run(t, newEllipse(t, 1e-10, Options{}), 1e-4, 1).Clone(), run(t, newEllipse(t, 1e-10, velocity), 1e-4, 1)
	for i := range a.Lambda {
		if math.Abs(a.Lambda[i]-b.Lambda[i]) > 1e-9 {
			t.Errorf("first step: λ = %v and %v", a.Lambda, b.Lambda)
		}
	}
	coarse, fine := gap(velocity, 1e-4), gap(velocity, 5e-5)
	if g := gap(Options{}, 1e-4); g > coarse/5 {
		t.Errorf("gap form: |Ψ+δ| = %g, want far below %g of the velocity form", g, coarse)
	}
	if r := coarse / fine; r < 1.5 || r > 2.7 {
		t.Errorf("velocity form: drift %g at h and %g at h/2, want a ratio near 2", coarse, fine)
	}
}

// TestOtherLaws: the step takes any law of package contact. A Tresca friction
// of 2 N against a pull of 1 N brakes a unit mass by 1 m/s²; an anisotropic
// Coulomb law brakes by μg along its axis. The springs take their share of
// the motion: 1e-2 covers δ_t = 2e-3 m and the first steps.
func TestOtherLaws(t *testing.T) {
	for name, c := range map[string]struct {
		law   contact.Law
		brake float64
	}{
		"tresca":      {contact.Tresca{Threshold: 2}, 1},
		"anisotropic": {contact.Coulomb{Mu: .3, Shape: contact.NewShape([4]float64{.5, 0, 0, 1})}, .15*9.81 - 1},
	} {
		s := newSlider(t, "A", c.law, []float64{1, 0, 0}, Options{ImplicitForce: true})
		s.sys.(*slider).planar = true
		x := run(t, s, .001, 500)
		if want := 1 - .5*c.brake; math.Abs(x.V[0]-want) > 1e-2 {
			t.Errorf("%s: v = %g, want %g", name, x.V[0], want)
		}
	}
}

// TestStepIsUndoneOnError: a step into a configuration without contacts that
// make sense leaves the state before it, from which a smaller step works.
func TestStepIsUndoneOnError(t *testing.T) {
	s := newEllipse(t, 0, Options{})
	s.sys = &cliff{System: s.sys, edge: 1e-3}
	run(t, s, 1e-4, 10)
	before := s.State().Clone()
	err := s.Step(context.Background(), 1)
	if err == nil {
		t.Fatal("no error")
	}
	if x := s.State(); x.T != before.T || x.Q[0] != before.Q[0] || x.V[2] != before.V[2] || x.Lambda[0] != before.Lambda[0] {
		t.Errorf("after %v: %+v, want %+v", err, x, before)
	}
	run(t, s, 1e-4, 10)
}

// cliff is a system whose contacts are not defined beyond x = edge.
type cliff struct {
	System
	edge float64
}

func (c *cliff) Contacts(list *Contacts, q []float64) {
	if math.Abs(q[0]) > c.edge {
		list.Begin(0, nil)
		return
	}
	c.System.Contacts(list, q)
}
