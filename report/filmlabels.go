package report

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// symbols draws contacts, state after state: a square sticks, a disc slips, one of the colour of
// normal forces has no friction, a ring does not touch.
func (f *filmer) symbols(r float64, places *[StatusSmooth + 1][][2]float64) {
	for state, list := range places {
		if state == StatusStick {
			var squares [][][2]float64
			for _, p := range list {
				squares = append(squares, [][2]float64{{p[0] - r, p[1] - r}, {p[0] + r, p[1] - r},
					{p[0] + r, p[1] + r}, {p[0] - r, p[1] + r}})
			}
			f.pen.path(style{fill: filmStick}, true, squares...)
			continue
		}
		for _, p := range list {
			f.pen.ellipse(stateStyles[state], p, r, r, 0)
		}
	}
}

// stateStyles are those of the discs and rings of the states.
var stateStyles = [...]style{
	StatusFree:    {fill: "#ffffff", stroke: filmFaint, width: 1.6},
	StatusGrazing: {fill: "#ffffff", stroke: filmNormal, width: 1.6},
	StatusSlip:    {fill: filmSlip},
	StatusSmooth:  {fill: filmNormal},
}

func (f *filmer) particles(k int) {
	s := f.s
	r := 6.0
	if s.Particles > 60 || s.Touching && s.Particles > 12 {
		r = 3.6
	}
	var places, pushed [StatusSmooth + 1][][2]float64
	for i, state := range s.states(f.status, k) {
		if state == StatusFree && s.Touching {
			continue
		}
		places[state] = append(places[state], f.points[i])
	}
	f.symbols(r, &places)
	for i := s.Anchors; i < s.Points; i++ {
		f.cross2(f.points[i])
	}
	if p := s.Pushes; p != nil {
		r := 4.0
		if slices.Max(p.Count) > 40 {
			r = 1.8
		}
		for i := f.first[k]; i < f.first[k+1]; i++ {
			at := [3]float64{f.place[0][i], f.place[1][i], f.place[2][i]}
			if !f.hidden(k, at) {
				pushed[f.pushed[i]] = append(pushed[f.pushed[i]], f.cam.screen(at))
			}
		}
		f.symbols(r, &pushed)
	}
}

// hidden reports whether a place lies behind the centre of a body, within the ball that the body surely
// fills: a ball or an ellipsoid its least half axis, a box its least half edge.
func (f *filmer) hidden(k int, at [3]float64) bool {
	u, v, depth := f.cam.flat(at)
	for b := range f.s.Bodies {
		half := f.s.Bodies[b].Round
		if half == nil {
			half = f.s.Bodies[b].Half
		}
		if half == nil {
			continue
		}
		var centre [3]float64
		for c := range centre {
			centre[c] = f.pose[c][k*len(f.s.Bodies)+b]
		}
		x, y, z := f.cam.flat(centre)
		if r := min(half[0], half[1], half[2]); depth > z && math.Hypot(u-x, v-y) < r {
			return true
		}
	}
	return false
}

// states are those of the particles at a frame: of several contacts the last one in the order
// of the states.
func (s *Scene) states(status []byte, k int) []byte {
	list := make([]byte, s.Particles)
	for j := range s.Contacts {
		i := s.of(j)
		list[i] = max(list[i], status[k*s.Contacts+j])
	}
	return list
}

// heading draws the title of a film, and what the colours of contacts and forces mean.
func (f *filmer) heading(title string) {
	f.pen.text([2]float64{f.w / 2, 22}, true, filmInk, title)
	if !(f.s.Force > 0) {
		return
	}
	at := [2]float64{f.w - 12, f.h - 10}
	for _, x := range []struct{ words, ink string }{{"friction", filmCross}, {"normal force", filmNormal},
		{"slip", filmSlip}, {"stick", filmStick}} {
		wide := letterWidth * float64(utf8.RuneCountInString(x.words))
		f.pen.text([2]float64{at[0] - wide, at[1]}, false, filmInk, x.words)
		f.pen.ellipse(style{fill: x.ink}, [2]float64{at[0] - wide - 9, at[1] - 4}, 4, 4, 0)
		at[0] -= wide + 26
	}
}

// A name takes about this much of a film [pixels].
const (
	letterWidth = 7.5
	lineHeight  = 15
)

// mostNamed is the number of particles or bodies up to which they have names.
const mostNamed = 12

// labels names particles, below them where there is room: what covers another name is
// moved down, twice at most, or left out.
func (f *filmer) labels() {
	if f.s.Particles > mostNamed || f.s.Touching {
		return
	}
	type box struct{ x, y, half float64 }
	var taken []box
	for j := range f.s.Particles {
		name := Plain(strings.TrimSpace(f.s.IDs[j]))
		b := box{f.points[j][0], f.points[j][1] + 22, letterWidth * float64(utf8.RuneCountInString(name)) / 2}
		for line := 0; ; line++ {
			if !slices.ContainsFunc(taken, func(o box) bool {
				return math.Abs(o.x-b.x) < o.half+b.half &&
					math.Abs(o.y-b.y) < lineHeight
			}) {
				taken = append(taken, b)
				f.pen.text([2]float64{b.x, b.y}, true, filmInk, name)
				break
			}
			if line == 2 {
				break
			}
			b.y += lineHeight
		}
	}
}
