package events

import (
	"math"
	"testing"
)

// besideWall is a particle over a floor, μ = ½, beside a wall at x = ¼, μ = ¼.
func besideWall(t *testing.T) *Walker[Rational] {
	t.Helper()
	r := func(v float64) Rational { return Rational{}.Of(v) }
	one := r(1)
	f := &Form[Rational]{N: 4, Ptr: []int{0, 1, 2, 3, 4}, Col: []int{0, 1, 2, 3}, Val: []Rational{one, one, one, one}, Source: nothing[Rational]{},
		Corners: []Corner[Rational]{{Dof: 1, Faces: []Face[Rational]{{N: [3]Rational{{}, {}, one}, Mu: r(.5)}, {N: [3]Rational{r(-1), {}, {}}, Mu: r(.25), Gap: r(.25)}}}}}
	w, err := NewWalker(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFalseCorners: what no piece of an evolution of a corner may be is refused: a place in an obstacle, a force that the obstacles along its way do not bear, or friction that is beyond its bound, or less than it or aside where there is
// motion; each at either end. What may be is not.
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
		{"inside", free, end{q: [3]float64{0, 0, -1}}, false}, {"was inside", end{q: [3]float64{.5, 0, 0}}, free, false}, {"in the wall", free, end{q: [3]float64{.26, 0, 0}}, false},
		{"flies", end{q: [3]float64{0, 0, 1}}, end{q: [3]float64{-1, 2, 3}}, true},
		{"lifts off", free, end{q: [3]float64{0, 0, 1}}, true},
		{"lifts off, and bore", end{r: [3]float64{0, 0, 1}}, end{q: [3]float64{0, 0, 1}}, false},
		{"lands", end{q: [3]float64{0, 0, 1}}, free, true},
		{"lands, and bears", end{q: [3]float64{0, 0, 1}}, end{r: [3]float64{0, 0, 1}}, false},
		{"open, and bears", end{q: [3]float64{0, 0, 1}}, end{[3]float64{0, 0, 1}, [3]float64{0, 0, 1}}, false},
		{"between both", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1, 1}}, end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, 1}}, true},
		{"between both, held by more", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1.1, 1}}, end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, 1}}, false},
		{"along both", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1, 1}}, end{[3]float64{.25, -.5, 0}, [3]float64{-4, 1.5, 1}}, true},
		{"along both under less", end{[3]float64{.25, 0, 0}, [3]float64{-2, 1, 1}}, end{[3]float64{.25, -.5, 0}, [3]float64{-2, .5, 1}}, false},
		{"up the wall", end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, -.5}}, end{[3]float64{.25, 0, 3}, [3]float64{-2, 0, -.5}}, true},
		{"off the wall, and pressed", end{[3]float64{.125, 0, 0}, [3]float64{-2, 0, 1}}, end{[3]float64{.125, 0, 0}, [3]float64{-2, 0, 1}}, false},
		{"leaves the wall, and was pressed", end{[3]float64{.25, 0, 0}, [3]float64{-2, 0, 1}}, end{[3]float64{.125, 0, 0}, [3]float64{.5, 0, 1}}, false},
		{"pulled off the wall", end{[3]float64{.25, 0, 0}, [3]float64{.5, 0, 1}}, end{[3]float64{.25, 0, 0}, [3]float64{.5, 0, 1}}, true}, // the floor holds it
		{"pulled off the wall by more", end{[3]float64{.25, 0, 0}, [3]float64{.6, 0, 1}}, end{[3]float64{.25, 0, 0}, [3]float64{.5, 0, 1}}, false},
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

// TestFaces: of what bears a corner each face has its normal force, and of friction what it can hold of all; others have none, and a contact that is no face is told.
func TestFaces(t *testing.T) {
	w := besideWall(t)
	s := &w.stands[0]
	for i, v := range []float64{-2, .75, 1} { // μσ is ½ of the floor and of the wall
		w.r[1+i] = Rational{}.Of(v)
	}
	for _, c := range []struct {
		faces  []int
		normal [2]float64
		along  [2][3]float64
	}{
		{[]int{0, 1}, [2]float64{1, 2}, [2][3]float64{{0, .375, 0}, {0, .375, 0}}},
		{[]int{0}, [2]float64{1, 0}, [2][3]float64{{-2, .75, 0}}},
		{[]int{1}, [2]float64{0, 2}, [2][3]float64{{}, {0, .75, 1}}},
		{nil, [2]float64{}, [2][3]float64{}},
	} {
		if s.at = s.stood(c.faces); s.at < 0 {
			t.Fatalf("no support by %v", c.faces)
		}
		for k := range 2 {
			normal, friction, ok := w.Face(k)
			if !ok || normal.Float() != c.normal[k] {
				t.Errorf("%v: face %d bears %s", c.faces, k, normal)
			}
			for i := range friction {
				if friction[i].Float() != c.along[k][i] {
					t.Errorf("%v: friction of face %d is %v", c.faces, k, friction)
					break
				}
			}
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

// sizedLoads are none, of a frequency.
type sizedLoads struct {
	nothing[Real]
	frequency float64
}

func (l sizedLoads) Frequency() float64 { return l.frequency }

// TestSizes: what rounding of a condition is measured by are the absolute values of all that it is a sum of, and what an error of the forces makes of the places; later, what their rates make of the rounding of the time; of smooth loads rates may be as
// large as values at their frequency.
func TestSizes(t *testing.T) {
	const kt, kn, mu, gap = 2., 4., .5, .125
	for _, frequency := range []float64{0, 3} {
		for _, late := range []float64{0, 1e9} {
			f := &Form[Real]{N: 6, Ptr: []int{0, 1, 2, 3, 4, 5, 6}, Col: []int{0, 1, 2, 3, 4, 5}, Val: []Real{1, kt, kn, kt, 8, kn}, Source: sizedLoads{frequency: frequency},
				Contacts: []Contact[Real]{{T: 1, N: 2, Mu: mu, Gap: gap}},
				Corners:  []Corner[Real]{{Dof: 3, Faces: []Face[Real]{{N: [3]Real{0, 0, 1}, Mu: mu}, {N: [3]Real{-.6, 0, .8}, Mu: .25, Gap: gap}}}}}
			w, err := NewWalker(f, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.t = Real(late)
			w.q, w.v = []Real{0, 9, -.25, .5, -1.5, 2}, []Real{0, -3, 5, -.75, 1.25, 7}
			w.size, w.dsize = []float64{99, 8, 12, 16, 24, 40}, []float64{99, 2, 6, 10, 14, 18}
			w.load = 100
			round := timeRounding * late
			s := &w.stands[0]
			s.at, s.slip, s.axis, s.reach = s.stood([]int{0}), 1, [3]Real{1, 0, 0}, 11
			s.find()
			share := [3]float64{1, 1, 1 + mu} // 1 and what friction takes
			around := func(values [6]float64) (sum float64) {
				for i, x := range share {
					sum += x * values[3+i]
				}
				return sum
			}
			size, dsize := [6]float64(w.size), [6]float64(w.dsize)
			for _, c := range []struct {
				name        string
				c           condition
				value, rate float64
			}{
				{"height", condition{contact: 0, kind: height}, gap + .25 + 12/kn, 5 + 6/kn},
				{"pressure", condition{contact: 0, kind: pressure}, 12, 6},
				{"forward", condition{contact: 0, kind: forward}, 8 + mu*12, 2 + mu*6},
				{"backward", condition{contact: 0, kind: backward}, 8 + mu*12, 2 + mu*6},
				{"onward", condition{contact: 0, kind: onward}, 3 + (2+mu*6)/kt, 0},
				{"pressure of the corner", condition{contact: s.unit, kind: pressure, face: 0}, 40 + 100, 18},
				{"forward of the corner", condition{contact: s.unit, kind: forward}, around(size) + 100, around(dsize)},
				{"height of the corner", condition{contact: s.unit, kind: height, face: 1}, 11 + .6*(.5+16/kt) + .8*(2+40/kn) + gap, .6*(.75+10/kt) + .8*(7+18/kn)},
				{"onward of the corner", condition{contact: s.unit, kind: onward}, .75 + 10/kt + 1.25 + 14./8 + 7 + (1+mu)*18/kn, 0},
			} {
				corner := c.c.contact == s.unit
				want, rate := c.value+round*c.rate, c.rate
				if frequency > 0 {
					switch {
					case c.c.kind != onward:
						rate += frequency * want
					case corner:
						want += frequency * (16/kt + 24./8 + (1+mu)*40/kn)
						rate += frequency * want
					default:
						want += frequency * (8 + mu*12) / kt
					}
				}
				got, gotRate := w.sizes(c.c)
				if !(math.Abs(got-want) <= 1e-13*want) || !(math.Abs(gotRate-rate) <= 1e-13*rate) {
					t.Errorf("%s, frequency %g, t = %g: %.15g and %.15g, want %.15g and %.15g", c.name, frequency, late, got, gotRate, want, rate)
				}
			}
		}
	}
}
