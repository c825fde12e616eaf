package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// shake is a smooth load or motion of the floor along x: a sum of sines a sin(2πft + φ).
type shake [][3]float64 // a, f, φ

func (s shake) at(t float64) (x float64) {
	for _, w := range s {
		x += w[0] * math.Sin(2*math.Pi*w[1]*t+w[2])
	}
	return x
}

// derived is its derivative.
func (s shake) derived() (d shake) {
	for _, w := range s {
		d = append(d, [3]float64{w[0] * 2 * math.Pi * w[1], w[1], w[2] + math.Pi/2})
	}
	return d
}

func (s shake) signal() object {
	var terms list
	for _, w := range s {
		terms = append(terms, sine(w[0], w[1], w[2]))
	}
	return object{"sum": terms}
}

// TestChosenSteps: a block of 1 kg with friction under smooth random loads, on a floor that is
// shaken, in steps that are chosen. Sines whose periods are dyadic parts of the run meet dyadic
// steps the same way each time; by the midpoint rule a block that comes to rest goes on as v' = −v,
// and errors of all reversals add up where twins of twice the step agree: D 2.2 % and x 23 % off,
// certified.
func TestChosenSteps(t *testing.T) {
	t.Parallel()
	n := 3 // one of each model
	if thorough.Asked() {
		n = 180
	}
	r, certified, worst := drawn{rand.New(rand.NewPCG(32, 2))}, 0, 0.0
	for k := range n {
		model, until := sliding[k%3], 2.0
		period := func() float64 {
			if k/3%2 == 0 {
				return math.Ldexp(until, -r.IntN(4)-1)
			}
			return until / r.uniform(1.5, 17)
		}
		phase := []float64{0, math.Pi / 2, r.uniform(0, 6)}[r.IntN(3)]
		var load, motion object
		var force func(t float64) float64
		truth, floor := slide{most: 3}, shake(nil)
		shortest := period()
		if k/6%3 < 2 { // a load, of one sine or two
			s := shake{{r.uniform(3.2, 12), 1 / shortest, phase}}
			if k/6%3 == 1 {
				second := period()
				s, shortest = append(s, [3]float64{r.uniform(1, 6), 1 / second, r.uniform(0, 6)}), min(shortest, second)
			}
			load, force = s.signal(), s.at
		} else {
			w := 2 * math.Pi / shortest
			floor = shake{{r.uniform(3.2, 12) / (w * w), 1 / shortest, phase}}
			v := floor.derived()
			motion = floor.signal()
			if u := v.at(0); math.Abs(u) > 1e-12 { // else it is zero, but for rounding
				truth.u = -u
			}
			a := v.derived()
			force = func(t float64) float64 { return -a.at(t) }
		}
		if k == 1 { // the row of issue 32
			shortest, motion, floor, truth = 0.5, nil, nil, slide{most: 3}
			s := shake{{6, 2, 0}}
			load, force = s.signal(), s.at
		}
		extent := 0.0
		p := polygonOf(force, until, shortest/8)
		for i := range p[:len(p)-1] {
			truth.piece(p[i][1], (p[i+1][1]-p[i][1])/(p[i+1][0]-p[i][0]), p[i+1][0]-p[i][0])
			extent = max(extent, math.Abs(truth.x+floor.at(p[i+1][0])-floor.at(0)))
		}
		o := outcomeOf(t, onFloor(model, until, 0, load, motion))
		offD, offX := math.Abs(o.d-truth.d)/truth.d, math.Abs(o.x-truth.x-floor.at(until)+floor.at(0))/extent
		t.Logf("%d: %s: %t in %d steps: D %.5g of %.5g: %.2g, x %.5g of %.5g: %.2g", k, model, o.certified, o.steps,
			o.d, truth.d, offD, o.x, truth.x+floor.at(until)-floor.at(0), offX)
		for i := range o.facts {
			if !o.facts[i].Passed {
				t.Logf("    %s", &o.facts[i])
			}
		}
		if !o.certified {
			continue
		}
		certified++
		worst = max(worst, offD, offX)
		if offD > 0.01 || offX > 0.01 {
			for i := range o.facts {
				t.Logf("    %s", &o.facts[i])
			}
			t.Errorf("%d: %s: certified in %d steps, D is %.6g J, %.6g is true; the place is off by %.2g of the way", k,
				model, o.steps, o.d, truth.d, offX)
		}
	}
	if certified < n/2 { // by the midpoint rule most are refused
		t.Errorf("%d of %d are certified", certified, n)
	}
	t.Logf("%d of %d certified, the worst is off by %.2g", certified, n, worst)
}
