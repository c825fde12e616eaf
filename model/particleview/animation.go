package particleview

import (
	"encoding/base64"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/report"
)

// animation returns what there is to animate.
func (r *Reader) animation() *report.Scene {
	frames := r.film.frames()
	s := &report.Scene{Contacts: r.marked, Anchors: len(r.shown), Points: len(r.shown) + len(r.scene.Anchors)}
	if len(r.shown) < len(r.scene.IDs) && r.record.flesh == nil {
		s.Sample = len(r.scene.IDs)
	}
	for _, j := range r.shown {
		s.IDs = append(s.IDs, r.scene.IDs[j])
	}
	for _, a := range r.scene.Anchors {
		s.IDs = append(s.IDs, a.ID)
	}
	if k := r.leader(); k >= 0 {
		s.Chosen = max(0, slices.Index(r.shown, r.record.sample[k]))
	}
	r.links(s)
	r.obstacles(s)
	r.shapes(s)
	r.fill(s, frames)
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
	}
	var film report.Shades
	largest, size := 0.0, 0.0
	for _, frame := range frames {
		var stress []float64
		for i, b := range f.bodies {
			stress = f.views[i].FaceStress(stress, b.Stresses(frame.T, frame.X))
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

// obstacles lists the planes that particles are on.
func (r *Reader) obstacles(s *report.Scene) {
	known := map[particles.Frame]int{}
	for _, j := range r.shown[:r.marked] {
		f := r.scene.System.Frame(j)
		if f.Free {
			s.On = append(s.On, -1)
			continue
		}
		i, seen := known[f]
		if !seen {
			i = len(s.Obstacles)
			known[f] = i
			s.Obstacles = append(s.Obstacles, report.Obstacle{P: f.P, T: f.T, O: f.O, N: f.N})
		}
		s.On = append(s.On, i)
	}
}

// shapes lists the friction matrices at the start: along the way they keep their shape,
// the bound tells their size.
func (r *Reader) shapes(s *report.Scene) {
	round := true
	for _, j := range r.shown[:r.marked] {
		x := [4]float64{1, 0, 0, 1}
		if m := r.psi.Matrices[j]; m != nil {
			x = m.At(0, 0, nil)
		}
		round = round && x[0] == x[3] && x[1] == 0 && x[2] == 0
		s.Shapes = append(s.Shapes, x)
	}
	if round {
		s.Shapes = nil
	}
}

// fill encodes the frames.
func (r *Reader) fill(s *report.Scene, frames []*frame) {
	var at, force [3][]float64
	var bounds []float64
	var status []byte
	z := make([]float64, 3*len(r.scene.IDs))
	for _, f := range frames {
		s.Times = append(s.Times, f.T)
		r.local(z, f.X)
		for _, j := range r.shown {
			for c := range 3 {
				at[c] = append(at[c], f.X[3*j+c])
			}
		}
		for _, j := range r.shown[:r.marked] {
			for c := range 3 {
				force[c] = append(force[c], f.Force[3*j+c])
			}
			bounds = append(bounds, r.bound(f, z, j))
			status = append(status, byte(f.Status[j]))
		}
		anchors := r.scene.anchorsAt(nil, f.T)
		for i, v := range anchors {
			at[i%3] = append(at[i%3], v)
		}
	}
	s.X, s.Y, s.Z = report.NewChannel(at[0]), report.NewChannel(at[1]), report.NewChannel(at[2])
	s.N, s.T1, s.T2 = report.NewChannel(force[0]), report.NewChannel(force[1]), report.NewChannel(force[2])
	s.Bound = report.NewChannel(bounds)
	s.Status = base64.StdEncoding.EncodeToString(status)
}

// bound returns the most friction that the contact of a particle bears in the
// direction of its present friction [N].
func (r *Reader) bound(f *frame, z []float64, j int) float64 {
	m := r.psi.Matrices[j]
	if m == nil || f.Force[3*j] <= 0 {
		return 0
	}
	return f.Force[3*j] * reach(m.At(z[3*j], z[3*j+1], nil), f.Force[3*j+1], f.Force[3*j+2])
}

// local turns global positions into local ones.
func (r *Reader) local(z, x []float64) { ToLocal(z, r.scene.System, x) }
