package rigid_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// Example 9.1: v_l = (−1)^l ε and v^α = 0 to the bit, TV = 2εT/h; with another
// α the velocity shrinks by −(1−α)/α a step.
func TestJointOscillation(t *testing.T) {
	const eps, h = 1e-3, 0.01
	for _, alpha := range []float64{0.5, 0.75, 1} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Velocity: [3]float64{eps}}))
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Fixed, A: 0, B: -1}}},
			rigid.Options{Alpha: alpha, Scheme: rigid.Gavrea, Unstabilised: true})
		want := eps
		for l := range 100 {
			run(t, s, h, 1)
			want *= -(1 - alpha) / alpha
			_, q, v, va := s.State()
			if math.Abs(v[0]-want) > 1e-15*eps || math.Abs(va[0]) > 1e-16*eps || math.Abs(q[0]) > 1e-16*eps { // two roundings
				t.Fatalf("α = %g, step %d: q %g, v %g, v^α %g, want 0, %g, 0", alpha, l+1, q[0], v[0], va[0], want)
			}
		}
		if alpha == 0.5 {
			near(t, "TV(v)", s.Last().Variation[0], 2*eps*1/h, 1e-13)
		}
	}
}

// The table of 9.2: reference/dynamics.md, ten digits.
func TestStickSlipBlock(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		x     map[int]float64
	}{
		{0.5, map[int]float64{100: 3.0043406431, 300: 3.0042977095, 500: 2.9912778259, 1000: 2.9912529546}},
		{1, map[int]float64{100: 3.0040936921, 300: 3.0040327089, 500: 2.9910430704, 1000: 2.9910475722}},
	} {
		s := block(t, rigid.Options{Alpha: c.alpha})
		v, x, last := 0.0, 3.0, math.NaN()
		var variation [2]float64
		for k := range 1000 {
			run(t, s, 0.01, 1)
			_, q, _, va := s.State()
			if want, ok := c.x[k+1]; ok {
				near(t, "x", q[0], want, 5.1e-11)
			}
			// the closed form of one step
			a, h := c.alpha, 0.01
			force := (1-a)*8*math.Cos(float64(k)*h) + a*8*math.Cos(float64(k+1)*h)
			y := v + a*h*force
			soft := math.Copysign(max(math.Abs(y)-a*0.8*9.81*h, 0), y)
			next := v + (soft-v)/a
			x += h * ((1-a)*v + a*next)
			variation[0] += math.Abs(next - v)
			if k > 0 {
				variation[1] += math.Abs(soft - last)
			}
			v, last = next, soft
			near(t, "v^α", va[0], soft, 1e-12) // a thousand roundings
			near(t, "x of the closed form", q[0], x, 1e-11)
		}
		for i, want := range variation {
			near(t, "total variation", s.Last().Variation[i], want, 1e-9) // 1000 of those
		}
		if c.alpha == 0.5 {
			near(t, "TV(v^h)", s.Last().Variation[0], 2.16, 0.005) // three digits are given
		}
	}
}

// TV(v^{h,α}) tends to the variation of the motion. With α = 1 the error is
// C h. With α = ½ it depends on the phase: a slide that ends within a step
// leaves v up to the deceleration there times h, .302 h after the first slide
// and .452 h after the others, which the next slide's peak inherits, and each
// peak counts twice; the first step of the first slide, .076 h, has no
// predecessor.
func TestStickSlipVariation(t *testing.T) {
	const exact = 0.2768125723
	off := func(alpha, h float64) float64 {
		s := block(t, rigid.Options{Alpha: alpha})
		run(t, s, h, int(math.Round(10/h)))
		return s.Last().Variation[1] - exact
	}
	near(t, "order, α = 1", math.Log2(off(1, 0.005)/off(1, 0.0025)), 1, 0.01)
	for _, h := range []float64{0.01, 0.005, 0.0025, 0.001} {
		near(t, "error, α = ½", off(0.5, h), 0, (0.076+2*(0.302+2*0.452))*h)
	}
}

// exactBlock is the motion of 9.2 between the times of its slides.
func exactBlock(t float64) float64 {
	x := 3.0
	for i, s := range slides {
		if t <= s[0] {
			break
		}
		d := min(t, s[1]) - s[0]
		sign := 1.0
		if i%2 == 1 {
			sign = -1
		}
		x += 8*(math.Cos(s[0])-math.Cos(s[0]+d)) - 8*math.Sin(s[0])*d - sign*0.8*9.81*d*d/2
	}
	return x
}

// The exact motion of 9.2 as the reference sheet has it, to its ten digits: the
// block starts to slide where |8 cos t| comes to μmg, its velocity 8(sin t − sin
// t₀) ∓ μg(t − t₀) is zero where the slide ends and greatest where |8 cos t| is
// μmg again; each peak counts twice in the variation. Then the scheme against
// it: the error to the two digits given, and the slides to a step.
func TestStickSlipExact(t *testing.T) {
	const digits, force = 5.1e-11, 0.8 * 9.81
	turn := math.Acos(force / 8) // 0.195: |8 cos t| = μmg at kπ ± turn
	variation := 0.0
	for i, s := range slides {
		sign := 1 - 2*float64(i%2)
		if i > 0 {
			near(t, "slide from", s[0], float64(i)*math.Pi-turn, digits)
		}
		v := func(x float64) float64 { return sign*8*(math.Sin(x)-math.Sin(s[0])) - force*(x-s[0]) }
		lo, hi := float64(i)*math.Pi+turn, s[1]+0.1 // the velocity falls from its peak
		peak := v(lo)
		variation += 2 * peak
		for range 60 {
			if mid := (lo + hi) / 2; v(mid) > 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		near(t, "slide to", s[1], lo, 2*digits) // the end depends on the rounded start
	}
	near(t, "total variation", variation, .2768125723, digits)
	for at, x := range map[float64]float64{1: 3.0043485697, 3: 3.0043113324, 5: 2.9913028331, 10: 2.9913028331} {
		near(t, "exact x", exactBlock(at), x, 2*digits) // slides from times of ten digits
	}

	const h = 0.001
	for _, alpha := range []float64{0.5, 1} {
		s := block(t, rigid.Options{Alpha: alpha})
		var seen [][2]float64
		sliding := false
		for range 10000 {
			run(t, s, h, 1)
			if now := s.Last().Slip > 0; now != sliding {
				if sliding = now; now {
					seen = append(seen, [2]float64{s.Last().T - h})
				} else {
					seen[len(seen)-1][1] = s.Last().T - h
				}
			}
		}
		// α = ½: sticking, v alternates about zero by what it had when the slide
		// ended within a step, and slips for single steps before |k| is at μmg.
		seen = slices.DeleteFunc(seen, func(x [2]float64) bool { return alpha == 0.5 && x[1]-x[0] < 1.5*h })
		if len(seen) != len(slides) {
			t.Fatalf("α = %g: slides %v", alpha, seen)
		}
		for i := range slides {
			near(t, "slide of the scheme from", seen[i][0], slides[i][0], 2*h) // one of the grid, one of α = 1
			near(t, "slide of the scheme to", seen[i][1], slides[i][1], 2*h)
		}
	}
}

func TestStickSlipOrders(t *testing.T) {
	for _, c := range []struct {
		alpha  float64
		errors [4]float64
		digit  [4]float64 // half of the last one given
	}{
		{0.5, [4]float64{2.5e-4, 6.2e-5, 6.2e-6, 2.5e-6}, [4]float64{5e-6, 5e-7, 5e-8, 5e-8}},
		{1, [4]float64{1.3e-3, 6.5e-4, 3.3e-4, 1.6e-4}, [4]float64{5e-5, 5e-6, 5e-6, 5e-6}},
	} {
		h := 0.02
		for k, want := range c.errors {
			s := block(t, rigid.Options{Alpha: c.alpha})
			worst := 0.0
			for range int(math.Round(10 / h)) {
				run(t, s, h, 1)
				time, q, _, _ := s.State()
				worst = max(worst, math.Abs(q[0]-exactBlock(time)))
			}
			near(t, "error", worst, want, 1.02*c.digit[k])
			h /= 2
		}
	}
}

// The disc to all digits of the sheet. For α = γ = ½ constant forces leave no
// error, so that the end of the slide follows from any state within it, and with
// that as a grid point the state at the end is the exact one.
func TestDiscDrop(t *testing.T) {
	const rolls, h = .5096839959, 0.001
	s := disc(t, rigid.Options{Alpha: 0.5})
	var hit rigid.Collision
	step := func(h float64) {
		run(t, s, h, 1)
		for _, c := range s.Last().Collisions {
			if hit.T != 0 {
				t.Fatalf("a second collision at %g", c.T)
			}
			hit = c
			hit.After = append([]float64(nil), c.After...)
		}
	}
	for s.Last().T+h < rolls {
		step(h)
	}
	now, _, v, _ := s.State()
	// v + Rω falls by μg(1 + mR²/I) = 3μg
	near(t, "rolls from", now+(v[0]+.1*v[2])/(3*.2*9.81), rolls, 1e-10)
	if s.Last().Slip != 1 {
		t.Errorf("t = %g: it does not slip", now)
	}
	step(rolls - now)
	for range 490 {
		step((1 - rolls) / 490)
		if s.Last().Stick != 1 {
			t.Fatalf("t = %g: it does not roll", s.Last().T)
		}
	}
	near(t, "t*", hit.T, .2855686246, 1e-10)
	near(t, "normal impulse", hit.Impulse[0], 2.8014282072, 1e-9) // 10 t* of them
	near(t, "friction impulse", hit.Impulse[1], -.5602856414, 1e-9)
	for i, want := range []float64{1.4397143586, 0, -1.2057128287} {
		near(t, "v+", hit.After[i], want, 1e-9)
	}
	now, q, v, va := s.State()
	near(t, "end", now, 1, 1e-12)
	for i, want := range []float64{1.334842, .1, -3.30316004} {
		near(t, "q(1)", q[i], want, []float64{5.1e-7, 1e-10, 5.1e-9}[i]) // half of the last digit given
	}
	for i, want := range []float64{1, 0, -10} {
		near(t, "v(1)", v[i], want, 1e-8) // the rounding of the time above, 1e-10, by 3μg, /R
		near(t, "v^α(1)", va[i], want, 1e-12)
	}
}
