package particleview

import (
	"math"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/report"
)

// loads shows the forces on particles that depend on time alone, and takes them into the largest force
// of each frame. Of elastic bodies these are none: their loads are of surfaces.
func (r *Reader) loads(s *report.Scene, frames []*frame, largest []float64) {
	force := make([][]float64, len(frames))
	for _, e := range r.scene.System.Energies() {
		l, ok := e.(*particles.Loads)
		if !ok {
			continue
		}
		for k, f := range frames {
			if force[k] == nil {
				force[k] = make([]float64, len(f.X))
			}
			l.Gradient(force[k], nil, f.T, f.X)
		}
	}
	if len(frames) == 0 || force[0] == nil {
		return
	}
	for i, j := range r.shown {
		var v [3][]float64
		most := 0.0
		for k := range frames {
			size := 0.0
			for c := range 3 {
				f := -force[k][3*j+c] // E = −f·x
				v[c], size = append(v[c], f), math.Hypot(size, f)
			}
			most, largest[k] = max(most, size), max(largest[k], size)
		}
		if !(most > 0) {
			continue
		}
		a := report.SceneAct{Name: "load on " + r.scene.IDs[j], Point: i}
		for c := range 3 {
			a.Force = append(a.Force, report.NewExactChannel(v[c]))
		}
		s.Acts = append(s.Acts, a)
	}
}
