package world

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/run"
)

// Mass is what a body weighs, where, and about what, however that was written.
type Mass struct {
	Body    string    `json:"body"`
	Mass    float64   `json:"mass"`   // [kg], in the plane as given or per metre
	Centre  []float64 `json:"centre"` // of mass, at the start [m]
	Inertia []float64 `json:"inertia,omitempty"`
	// Inertia is that about the centre of mass: in the plane one moment; in space on the axes of the
	// body xx, yy, zz, and where there are any xy, xz, yz [kg m²]; none of points.
}

// Masses are those of all bodies; q are the coordinates of the start, from an origin.
func Masses(w *bodies.World, ids []string, q []float64, origin [3]float64) (list []Mass) {
	for i, id := range ids {
		mass, moments := w.Moments(i)
		at, _ := w.Coordinates(i)
		m := Mass{Body: id, Mass: mass}
		for k := range w.Dim() {
			m.Centre = append(m.Centre, q[at+k]+origin[k])
		}
		switch j := moments; {
		case !w.Spins(i):
		case w.Dim() == 2:
			m.Inertia = j[8:]
		default:
			m.Inertia = []float64{j[0], j[4], j[8]}
			products := [3]float64{j[1], j[2], j[5]}
			for k, x := range products { // rounding
				if math.Abs(x) <= 1e-12*(j[0]+j[4]+j[8]) {
					products[k] = 0
				}
			}
			if products != [3]float64{} {
				m.Inertia = append(m.Inertia, products[:]...)
			}
		}
		list = append(list, m)
	}
	return list
}

// PrintMasses prints the first of them.
func PrintMasses(p *run.Page, label string, list []Mass) {
	for i := range list {
		if i == 12 { // of a page
			p.Line("", "%d more: check --json", len(list)-i)
			return
		}
		text := fmt.Sprintf("%s: %.6g kg, centre at %.6g m", casefile.Abbreviate(list[i].Body), list[i].Mass, list[i].Centre)
		switch j := list[i].Inertia; len(j) {
		case 1:
			text += fmt.Sprintf(", inertia %.6g kg m²", j[0])
		case 3, 6:
			text += fmt.Sprintf(", inertia xx yy zz %.6g kg m²", j[:3])
			if len(j) == 6 {
				text += fmt.Sprintf(", xy xz yz %.4g", j[3:])
			}
		}
		p.Line(label, "%s", text)
		label = ""
	}
}
