package particleview

import (
	"encoding/base64"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/report"
)

// animation returns what there is to animate.
func (r *Reader) animation() *report.Scene {
	frames := r.film.frames()
	contacts := r.contacts()
	s := &report.Scene{Particles: r.marked, Contacts: len(contacts), Anchors: len(r.shown), Points: len(r.shown) + len(r.scene.Anchors)}
	if len(r.scene.IDs) > mostShown && r.record.flesh == nil {
		s.Sample = len(r.scene.IDs)
	}
	for _, j := range r.shown {
		s.IDs = append(s.IDs, r.scene.IDs[j])
	}
	for _, a := range r.scene.Anchors {
		s.IDs = append(s.IDs, a.ID)
	}
	r.name(s, contacts)
	if c := r.leader(); c >= 0 {
		s.Chosen = max(0, slices.Index(contacts, c))
	}
	r.links(s)
	for _, f := range frames {
		s.Times = append(s.Times, f.T)
	}
	r.obstacles(s, contacts, frames)
	r.fill(s, contacts, frames)
	if r.record.flesh != nil {
		r.bodies(s, frames)
	}
	return s
}

// bodies adds meshes and their stress.
func (r *Reader) bodies(s *report.Scene, frames []*frame) {
	f := r.record.flesh
	number := make(map[int]int, len(r.shown))
	for i, j := range r.shown {
		number[j] = i
	}
	for i, v := range f.views {
		nodes := map[int]int{}
		for _, k := range v.Nodes {
			nodes[k] = number[f.bodies[i].First()+k]
		}
		v.Add(s, nodes)
		report.Hold(s, nodes, f.bodies[i].Held())
	}
	var film report.Shades
	largest, size := 0.0, 0.0
	sys := r.psi.System.Own()
	bodies := Bodies(sys)
	for _, frame := range frames {
		var stress []float64
		if sys.Remembers() {
			sys.Recall(frame.Slipped[sys.Contacts():])
		}
		for i, b := range bodies {
			stress = f.views[i].FaceStress(stress, b.StressesAtNodes(frame.T, frame.X))
			for _, u := range b.Displacement(nil, frame.T, frame.X) {
				largest = max(largest, math.Abs(u))
			}
		}
		film.Add(stress)
	}
	for _, v := range f.views {
		size = max(size, v.Extent())
	}
	s.Magnify, s.Touching = report.Magnification(largest, size), true
	film.Put(s, meshview.Stress, report.Pascal)
}

// links keeps those between points that are shown.
func (r *Reader) links(s *report.Scene) {
	number := make(map[int]int, len(r.shown))
	for i, j := range r.shown {
		number[j] = i
	}
	for i := range r.scene.Anchors {
		number[len(r.scene.IDs)+i] = s.Anchors + i
	}
	for _, l := range r.scene.Links {
		a, okA := number[l.A]
		b, okB := number[l.B]
		if okA && okB {
			s.Links = append(s.Links, [3]int{a, b, int(l.Kind)})
		}
	}
}

// name names the contacts, and says at which points they are.
func (r *Reader) name(s *report.Scene, contacts []int) {
	number := make(map[int]int, len(r.shown))
	for i, j := range r.shown {
		number[j] = i
	}
	for _, c := range contacts {
		j := r.scene.System.ContactParticle(c)
		id := r.scene.IDs[j]
		if k, several := r.column[c]; several {
			id = r.scene.Contacts[k].ID
		}
		s.Of, s.Names = append(s.Of, number[j]), append(s.Names, id)
	}
}

// fill encodes the frames. Axes are those of planes at rest, or else go with the frames; the
// friction matrices are those at the start: along the way they keep their shape, the bound
// tells their size.
func (r *Reader) fill(s *report.Scene, contacts []int, frames []*frame) {
	var at, force [3][]float64
	var axes [6][]float64
	var bounds, largest []float64
	var status []byte
	sys, round := r.scene.System, true
	z := make([]float64, 3*len(r.scene.IDs))
	charted := slices.ContainsFunc(contacts, func(c int) bool { f := sys.ContactFrame(c); return f.Chart != nil || f.Relative })
	for k, f := range frames {
		f.local(z)
		for _, j := range r.shown {
			for c := range 3 {
				at[c] = append(at[c], f.X[3*j+c])
			}
		}
		largest = append(largest, 0)
		for _, c := range contacts {
			x := r.touch(f, z, c)
			largest[k] = max(largest[k], x.normal, x.size())
			for i, v := range [3]float64{x.normal, x.friction[0], x.friction[1]} {
				force[i] = append(force[i], v)
			}
			bounds, status = append(bounds, x.bound), append(status, x.status)
			for i := 0; charted && i < 3; i++ {
				axes[i], axes[3+i] = append(axes[i], x.n[i]), append(axes[3+i], x.t[i])
			}
			if k == 0 {
				s.Shapes = append(s.Shapes, x.shape)
				round = round && x.shape[0] == x.shape[3] && x.shape[1] == 0 && x.shape[2] == 0
			}
		}
		for i, v := range r.scene.anchorsAt(nil, f.T) {
			at[i%3] = append(at[i%3], v)
		}
	}
	if round {
		s.Shapes = nil
	}
	r.loads(s, frames, largest)
	s.X, s.Y, s.Z = report.NewChannel(at[0]), report.NewChannel(at[1]), report.NewChannel(at[2])
	s.N, s.T1, s.T2 = report.NewExactChannel(force[0]), report.NewExactChannel(force[1]), report.NewExactChannel(force[2])
	s.Bound, s.Force = report.NewExactChannel(bounds), report.ForceScale(largest)
	for i := 0; charted && i < len(axes); i++ {
		s.Axes = append(s.Axes, report.NewChannel(axes[i]))
	}
	s.Status = base64.StdEncoding.EncodeToString(status)
}
