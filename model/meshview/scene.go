package meshview

import (
	"encoding/base64"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/report"
)

// scene shows the deformed mesh, contact nodes first.
func (e *Reader) scene() *report.Scene {
	v := NewView(e.model.Mesh, "y")
	number, nodes := map[int]int{}, []int{}
	for _, c := range e.model.Contacts {
		number[c.Node] = len(nodes)
		nodes = append(nodes, c.Node)
	}
	for _, i := range v.Nodes {
		if _, known := number[i]; !known {
			number[i] = len(nodes)
			nodes = append(nodes, i)
		}
	}
	s := &report.Scene{Particles: len(e.model.Contacts), Contacts: len(e.model.Contacts), Points: len(nodes),
		Anchors: len(nodes), Touching: true}
	if e.model.Mesh.Dim < 3 {
		s.Facets = 2
	}
	for _, c := range e.model.Contacts {
		s.IDs = append(s.IDs, "node "+e.model.NodeName(c.Node))
	}
	v.Add(s, number)
	for _, p := range e.model.Prescribed {
		report.Hold(s, number, p.Nodes)
	}
	e.obstacles(s)
	e.fill(s, v, nodes)
	s.Chosen = e.busiest()
	return s
}

// busiest is the contact node with the largest reaction.
func (e *Reader) busiest() int {
	best, most, d := 0, 0.0, max(e.model.Mesh.Dim, 2)
	for i := range e.shots {
		for k := 0; k < len(e.shots[i].r); k += d {
			if r := e.shots[i].r[k]; r > most {
				best, most = k/d, r
			}
		}
	}
	return best
}

// obstacles lists the half-spaces of the contact nodes.
func (e *Reader) obstacles(s *report.Scene) {
	dim := e.model.Mesh.Dim
	axes := axes[dim]
	met := map[int]bool{}
	for k := range e.model.Meetings {
		for i := range e.model.Meetings[k].Nodes {
			met[e.model.Meetings[k].Nodes[i].Node] = true
		}
	}
	for _, c := range e.model.Contacts {
		if met[c.Node] {
			s.On = append(s.On, -1)
			continue
		}
		var o report.Obstacle
		for a, axis := range axes {
			o.N[axis] = c.Frame[dim-1][a]
			if dim > 1 {
				o.T[axis] = c.Frame[0][a]
			}
			if dim > 2 {
				o.O[axis] = c.Frame[1][a]
			}
		}
		if dim < 3 {
			o.O = [3]float64{0, 1, 0}
		}
		if dim < 2 {
			o.T = [3]float64{0, 0, 1}
		}
		h := 0.0 // n·p of the plane
		x := [3]float64{}
		for a, axis := range axes {
			x[axis] = e.model.Mesh.Node(c.Node)[a]
			h += o.N[axis] * x[axis]
		}
		h -= c.Gap
		for a := range o.P {
			o.P[a] = h * o.N[a]
		}
		i := slices.IndexFunc(s.Obstacles, func(x report.Obstacle) bool { return same(x.N, o.N) && same(x.P, o.P) })
		if i < 0 {
			i = len(s.Obstacles)
			s.Obstacles = append(s.Obstacles, o)
		}
		s.On = append(s.On, i)
	}
}

// same: two places or directions that differ by rounding.
func same(a, b [3]float64) bool {
	for c := range a {
		if math.Abs(a[c]-b[c]) > 1e-9*(1+math.Abs(a[c])) {
			return false
		}
	}
	return true
}

// status is the state of a contact node with its reaction at a time.
func (e *Reader) status(t float64, c int, r []float64) byte {
	switch bit := e.bit(t, c, r); {
	case bit == 0:
		return report.StatusFree
	case e.model.Friction[c] == 0:
		return report.StatusSmooth
	case bit == report.SlipBit:
		return report.StatusSlip
	}
	return report.StatusStick
}

// meshBytes bounds the bytes of a mesh over time, before base64.
const meshBytes = 2_200_000

// fill encodes the shots, as many as the page bears.
func (e *Reader) fill(s *report.Scene, v *View, nodes []int) {
	fit := max(2, meshBytes/(6*len(nodes)+len(v.Faces)+17*s.Contacts))
	stride := (len(e.shots) + fit - 1) / fit
	var at, force [3][]float64
	var bounds, most []float64
	var status []byte
	var shades report.Shades
	d, largest := max(e.model.Mesh.Dim, 2), 0.0
	for k := range e.shots {
		if k%stride != 0 && k != len(e.shots)-1 {
			continue
		}
		x := &e.shots[k]
		s.Times = append(s.Times, x.t)
		for _, i := range nodes {
			p := v.at(i, x.u)
			for c := range 3 {
				at[c] = append(at[c], p[c])
			}
		}
		for _, u := range x.u {
			largest = max(largest, math.Abs(u))
		}
		forces := 0.0
		for c := range e.model.Contacts {
			r := make([]float64, 3)
			if x.r != nil {
				copy(r, x.r[d*c:d*c+d])
			}
			for a := range 3 {
				force[a] = append(force[a], r[a])
			}
			bounds = append(bounds, e.bound(x.t, c, r))
			status = append(status, e.status(x.t, c, r))
			forces = max(forces, r[0], math.Hypot(r[1], r[2]))
		}
		most = append(most, forces)
		shades.Add(v.FaceStress(nil, e.model.StressesAtNodes(x.u)))
	}
	s.X, s.Y, s.Z = report.NewChannel(at[0]), report.NewChannel(at[1]), report.NewChannel(at[2])
	s.N, s.T1, s.T2 = report.NewExactChannel(force[0]), report.NewExactChannel(force[1]), report.NewExactChannel(force[2])
	s.Bound, s.Force = report.NewExactChannel(bounds), report.ForceScale(most)
	s.Status = base64.StdEncoding.EncodeToString(status)
	s.Magnify = report.Magnification(largest, v.Extent())
	shades.Put(s, Stress, report.Pascal)
}
