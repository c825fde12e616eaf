package dynamics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Speeds. A velocity is read off the tables as any place is, and that a place is right does not say
// that the velocity is: after a kink of a drive a ball slips for a millisecond, in which its spin may
// be anything while it hardly turns. So the twins tell of velocities, too. What a run does a moment too
// late it does right, and then its velocity differs by all that it changes in that moment: by v̇s if it
// is late by s. Its place is then off by Vs at most, V the fastest velocity, and is judged by A·L, L its
// way and A the accuracy. So the distance of two velocities is that of their graphs, in which times count
// as L/V: with u = v̇/‖v̇‖ of that run of the two which changes faster, and d = v − v',
//
//	e(s) = ‖(d − (d·u)u, max(0, |d·u| − s‖v̇‖))‖,   s = A·L/V,
//
// the largest of all times at which runs are compared, must be no more than A·V; and no less may the
// mean over time, ∫‖d‖dt/T. V is as seen from where the part is least fast. [Moreau78] fills the jumps of
// such graphs in; at hits v̇s would have to be a jump, and of what hits a moment later the velocity
// is off by all of that for the while. So e is taken while both runs have made the same hits of each pair
// of its island. Hits are those that a [Changing] stepper tells, by their numbers. One that the other run does
// not make within the time that dates wait for, see [Doubled.Late], is no longer waited for. Of steppers
// whose velocities jump in moments that nothing tells it is the mean, and d at the end.
//
//   - [Moreau78] J. J. Moreau, Approximation en graphe d'une évolution discontinue, RAIRO Analyse numérique
//     12, 1978.

// Paced is a [Framed] stepper that says how fast its parts are.
type Paced interface {
	// Velocities stores those of the parts of [Variable.Distances] but pairs, as seen in frame j of
	// [Framed.Ways], or as they are if j is negative [m/s]: of turns the spin times the arm, in space of a
	// ball and else about the axes of the body, which a phase of its turn does not change. Directions have
	// none.
	Velocities(dst [][3]float64, j int) [][3]float64
	// Jumps reports whether velocities jump in moments that no hit of [Changing] tells.
	Jumps() bool
}

// SpeedError is the name of what [Doubled.Measures] says of velocities.
const SpeedError = "error of the velocity, estimated at twice the step"

// speeds are what a twin is off by in its velocities.
type speeds struct {
	Off  []float64 // largest e of each part, for each of the shifts [m/s] …
	At   []float64 // … and when [s]
	Sum  []float64 // of ‖d‖ of each part, each by its weight [m/s]
	Last []float64 // present ‖d‖ [m/s]
	Hits map[Date]lead
	Then [][3]float64 // velocities when it was compared last [m/s] …
	Side [][3]float64 // … of the run beside it …
	When float64      // … and when that was [s]
}

// shifts is how many s are looked at: T/2, T/4, …, and at last 0, as the one that is allowed is known at the end.
var shifts = 18

// shift is number i.
func (d *Doubled) shift(i int) float64 {
	if i == shifts-1 {
		return 0
	}
	return math.Ldexp(d.until, -1-i)
}

// lead is by how many hits of a pair a twin is ahead of the run that it is compared with.
type lead struct {
	By   int     // that are no longer waited for
	N    [2]int  // hits of both
	Last float64 // when the last one was seen [s]
}

// openSpeeds makes room for what is said of velocities.
func (d *Doubled) openSpeeds() {
	s := &d.state
	n := d.ways.paced(d.v)
	if n == 0 {
		return
	}
	d.paced = d.v.(Paced)
	start := d.paced.Velocities(nil, -1)
	s.Fastest = make([]float64, n*d.ways.frames)
	for k := range s.Twin {
		x := &s.Twin[k].Speeds
		x.Off, x.At, x.Sum, x.Last = make([]float64, n*shifts), make([]float64, n*shifts), make([]float64, n), make([]float64, n)
		x.Then, x.Side = slices.Clone(start), slices.Clone(start)
	}
}

// lists are all that is kept of each part.
func (x *speeds) lists() []*[]float64 { return []*[]float64{&x.Off, &x.At, &x.Sum, &x.Last} }

// fits reports whether a state that was saved has as many velocities as this one, and whether its hits
// are of its parts.
func (x *Twin) fits(of *Twin, parts int) bool {
	outside := func(list []Nth) bool {
		return len(list) == 0 || slices.ContainsFunc(list, func(n Nth) bool { return n.Part < 0 || n.Part >= parts })
	}
	for _, list := range x.Dates.Recent {
		if outside(list) {
			return false
		}
	}
	return len(x.Speeds.Then) == len(of.Speeds.Then) && len(x.Speeds.Side) == len(of.Speeds.Side)
}

// paced is of how many parts velocities are told.
func (w *ways) paced(v Variable) int {
	if x, ok := v.(Paced); ok && w.framed != nil {
		return len(x.Velocities(nil, -1))
	}
	return 0
}

// fastest takes the present velocities into the fastest ones so far in each frame.
func (w *ways) fastest(v Variable, most []float64) []float64 {
	x, ok := v.(Paced)
	if !ok || w.framed == nil {
		return most
	}
	for j := range w.frames {
		w.speeds = x.Velocities(w.speeds, j)
		n := len(w.speeds)
		lengthen(&most, w.frames*n)
		for p := range w.speeds {
			most[j*n+p] = max(most[j*n+p], vec3.Norm(w.speeds[p]))
		}
	}
	return most
}

// paces are the fastest velocities so far of all parts, each as seen from where it is least [m/s].
func (w *ways) paces(v Variable, fastest []float64) []float64 {
	n := len(fastest) / w.frames
	list := append([]float64(nil), fastest[:n]...)
	for p, x := range partsOf(v, n) {
		for j := 1; j < w.frames; j++ {
			if v.Creations().Seen(x.home(p), j) {
				list[p] = min(list[p], fastest[j*n+p])
			}
		}
		if x.Arm > 0 && x.Centre >= 0 { // a ball rolls as it goes
			list[p] = max(list[p], list[x.Centre])
		}
	}
	return list
}

// takeSpeeds takes the velocities of the present state, of the run or of twin k − 1.
func (d *Doubled) takeSpeeds(k int) {
	if d.paced != nil {
		d.speeds[k] = d.paced.Velocities(d.speeds[k], -1)
	}
}

// compareSpeeds takes the differences of the velocities of twin k, which is at t, and those of the run or
// twin beside it.
func (d *Doubled) compareSpeeds(k, beside int, t, weight float64) {
	if d.paced == nil {
		return
	}
	x := &d.state.Twin[k].Speeds
	late := d.late(k, beside, t)
	parts := partsOf(d.v, len(x.Last))
	now, side := d.speeds[1+k], d.speeds[beside]
	for p := range x.Last {
		off := vec3.Add(now[p], -1, side[p])
		x.Last[p] = vec3.Norm(off)
		x.Sum[p] += float64(x.Last[p] * weight)
		if late == nil || late[d.state.Root[parts[p].home(p)]] {
			continue
		}
		u := vec3.Add(now[p], -1, x.Then[p])
		if y := vec3.Add(side[p], -1, x.Side[p]); vec3.Norm(y) > vec3.Norm(u) {
			u = y
		}
		change, rate, along := vec3.Norm(u), 0.0, 0.0
		if change > 0 {
			along, rate = math.Abs(vec3.Dot(off, u))/change, change/(t-x.When)
		}
		across := math.Sqrt(max(0, x.Last[p]*x.Last[p]-along*along))
		for i := range shifts {
			if e, at := math.Hypot(across, max(0, along-d.shift(i)*rate)), p*shifts+i; e > x.Off[at] {
				x.Off[at], x.At[at] = e, t
			}
		}
	}
	x.Then, x.Side, x.When = append(x.Then[:0], now...), append(x.Side[:0], side...), t
}

// late reports of which islands, by their roots, twin k has not made the same hits as the run or twin
// beside it; nil: of no hit is anything known.
func (d *Doubled) late(k, beside int, t float64) []bool {
	if d.paced.Jumps() {
		return nil
	}
	x, a, b := &d.state.Twin[k], &d.state.Own.Hits, &d.state.Twin[k].Dates
	if beside > 0 {
		a = &d.state.Twin[beside-1].Dates
	}
	d.islandsLate = grow(d.islandsLate, len(d.state.Root))
	clear(d.islandsLate)
	see := func(kind Date, at Nth) {
		l := x.Speeds.Hits[kind]
		if n := [2]int{a.count(kind), b.count(kind)}; n != l.N {
			l.N, l.Last = n, t
		}
		switch {
		case l.N[1]-l.N[0] == l.By:
		case t-l.Last > d.wait(b):
			l.By = l.N[1] - l.N[0]
		default:
			d.islandsLate[d.state.Root[at.Part]] = true
		}
		if x.Speeds.Hits == nil {
			x.Speeds.Hits = map[Date]lead{}
		}
		x.Speeds.Hits[kind] = l
	}
	for kind, list := range a.Recent {
		if list[0].Hit {
			see(kind, list[0])
		}
	}
	for kind, list := range b.Recent {
		if _, both := a.Recent[kind]; list[0].Hit && !both {
			see(kind, list[0])
		}
	}
	return d.islandsLate
}

// paceOf is what the velocity of a part is measured by: its fastest one, or what it is where that does not
// matter: an error that moves it until the end by less than its place is judged to, or turns it by less
// than leastTurn, is none.
func paceOf(fastest, size float64, x *Part, accuracy, until float64) float64 {
	of := max(fastest, size/until)
	if x.Arm > 0 {
		of = max(of, leastTurn*x.Arm/(accuracy*until))
	}
	return of
}

// speed says what the velocities are worth.
func (d *Doubled) speed(accuracy float64, shares [twins]float64) []Measure {
	if d.paced == nil {
		return nil
	}
	s := &d.state
	m := Measure{Name: SpeedError, Subject: "velocity", Limit: accuracy, Unit: "-", Basis: Estimated}
	paces := d.ways.paces(d.v, s.Fastest)
	parts, sizes := partsOf(d.v, len(paces)), d.sizes(accuracy)
	var apart [twins]float64
	for p, most := range paces {
		x := &parts[p]
		of := paceOf(most, sizes[p], x, accuracy, d.until)
		for k := range s.Twin {
			if shares[k] == 0 {
				continue
			}
			t, i := &s.Twin[k].Speeds, 0
			for i < shifts-1 && d.shift(i) > accuracy*sizes[p]/of/shares[k] {
				i++
			}
			off, when := t.Off[p*shifts+i], fmt.Sprintf("at t = %.6g s", t.At[p*shifts+i])
			if d.paced.Jumps() {
				off, when = t.Last[p], atTheEnd
			}
			if mean := t.Sum[p] / cmp.Or(s.Twin[k].Weight, max(1, float64(s.Twin[k].Compared))); mean > off {
				off, when = mean, "in the mean over time"
			}
			y := ratio(shares[k]*off, of)
			if y <= m.Value {
				continue
			}
			size, unit := 1.0, "m/s"
			if x.Arm > 0 {
				size, unit = x.Arm, "rad/s"
			}
			m.Value, m.Place = y, fmt.Sprintf("%s: %.3g %s %s, of %.3g %s",
				strings.TrimPrefix(partName(d.v.PartNames(), p), "turn of "), shares[k]*off/size, unit, when, of/size, unit)
			for i := range apart {
				apart[i] = s.Twin[i].Speeds.Off[p*shifts]
			}
		}
	}
	if !m.Passed() {
		m.Remedy = fmt.Sprintf("%s; or \"accept\": [%q]", d.remedy(apart[1], apart[0], &m), m.Subject)
	}
	return []Measure{m}
}
