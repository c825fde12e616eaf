package world

import (
	"fmt"
	"math"
	"strconv"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/run"
)

// ContactSum adds up the rows of contacts.csv of a step: columns of certificates.csv.
type ContactSum struct {
	Stick    float64 `column:"stick"`
	Slip     float64 `column:"slip"`
	Normal   float64 `column:"normal"`   // force [N]
	Friction float64 `column:"friction"` // [N]
	Bound    float64 `column:"bound"`    // the most friction that they bear [N]
}

// Add counts a contact.
func (s *ContactSum) Add(r *bodyview.ContactRow) {
	if r.State == dynamics.Stick {
		s.Stick++
	} else {
		s.Slip++
	}
	f := &r.Friction
	s.Normal += r.Normal
	s.Friction += math.Sqrt(f[0]*f[0] + f[1]*f[1] + f[2]*f[2])
	s.Bound += r.Bound
}

// Count is a number of bodies.
func Count(n int) string {
	if n == 1 {
		return "1 body"
	}
	return strconv.Itoa(n) + " bodies"
}

// MassRange names the lightest and the heaviest body, and says whether their masses differ
// by more than a hundred, from where on contact problems get hard.
func MassRange(w *bodies.World, ids []string) (text string, far bool) {
	least, most := 0, 0
	mass := func(i int) float64 { m, _ := w.Inertia(i); return m }
	for i := range ids {
		if mass(i) < mass(least) {
			least = i
		}
		if mass(i) > mass(most) {
			most = i
		}
	}
	return fmt.Sprintf("%s has %.4g kg, %s %.4g kg", ids[least], mass(least), ids[most], mass(most)), mass(most) > 100*mass(least)
}

// Suspects prints the body that moves fastest and, of the touches, the deepest.
func Suspects(p *run.Page, w *bodies.World, ids, obstacles []string, v []float64, touches []bodies.Touch) {
	fastest, speed := 0, -1.0
	for i := range ids {
		_, at := w.Coordinates(i)
		s := 0.0
		for _, x := range v[at : at+w.Dim()] {
			s = math.Hypot(s, x)
		}
		if !(s <= speed) {
			fastest, speed = i, s
		}
	}
	p.Line("fastest", "body %s, at %.4g m/s", ids[fastest], speed)
	deepest := (*bodies.Touch)(nil)
	for i := range touches {
		if t := &touches[i]; deepest == nil || t.Gap < deepest.Gap {
			deepest = t
		}
	}
	if deepest != nil {
		other := obstacles
		if deepest.B >= 0 {
			other = ids
		}
		p.Line("deepest", "contact %s/%s, gap %.3g m", ids[deepest.A], other[max(deepest.B, deepest.Floor)], deepest.Gap)
	}
}
