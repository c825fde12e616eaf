package report

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
)

// scene shows the deformed mesh, contact nodes first.
func (e *ElasticRun) scene() *Scene {
	v := newMeshView(e.model.Mesh)
	number, nodes := map[int]int{}, []int{}
	for _, c := range e.model.Contacts {
		number[c.Node] = len(nodes)
		nodes = append(nodes, c.Node)
	}
	for _, i := range v.nodes {
		if _, known := number[i]; !known {
			number[i] = len(nodes)
			nodes = append(nodes, i)
		}
	}
	s := &Scene{Contacts: len(e.model.Contacts), Points: len(nodes), Anchors: len(nodes), Touching: true}
	if e.model.Mesh.Dim < 3 {
		s.Facets = 2
	}
	for _, c := range e.model.Contacts {
		s.IDs = append(s.IDs, fmt.Sprintf("node %d", c.Node))
	}
	v.add(s, number)
	e.obstacles(s)
	e.fill(s, v, nodes)
	s.Chosen = e.busiest()
	return s
}

// busiest is the contact node with the largest reaction.
func (e *ElasticRun) busiest() int {
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
func (e *ElasticRun) obstacles(s *Scene) {
	dim := e.model.Mesh.Dim
	axes := [4][]int{1: {0}, 2: {0, 2}, 3: {0, 1, 2}}[dim]
	for _, c := range e.model.Contacts {
		var o Obstacle
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
		i := slices.IndexFunc(s.Obstacles, func(x Obstacle) bool { return same(x.N, o.N) && same(x.P, o.P) })
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

// meshBytes bounds the bytes of a mesh over time, before base64.
const meshBytes = 2_200_000

// fill encodes the shots, as many as the page bears.
func (e *ElasticRun) fill(s *Scene, v *meshView, nodes []int) {
	most := max(2, meshBytes/(6*len(nodes)+len(v.faces)+9*s.Contacts))
	stride := (len(e.shots) + most - 1) / most
	var at, force [3][]float64
	var bounds []float64
	var status []byte
	var shades stressFilm
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
		for c := range e.model.Contacts {
			r := make([]float64, 3)
			if x.r != nil {
				copy(r, x.r[d*c:d*c+d])
			}
			for a := range 3 {
				force[a] = append(force[a], r[a])
			}
			bounds = append(bounds, e.model.Friction[c]*max(r[0], 0))
			status = append(status, map[byte]byte{0: 0, seenStick: 2, seenSlip: 3}[e.bit(c, r)])
		}
		shades.add([][]fem.Tensor{fem.Stresses(e.model.Mesh, e.model.Material, x.u)}, []*meshView{v})
	}
	s.X, s.Y, s.Z = NewChannel(at[0]), NewChannel(at[1]), NewChannel(at[2])
	s.N, s.T1, s.T2 = NewChannel(force[0]), NewChannel(force[1]), NewChannel(force[2])
	s.Bound = NewChannel(bounds)
	s.Status = base64.StdEncoding.EncodeToString(status)
	s.Magnify = magnification(largest, extent(v))
	shades.put(s)
}

// extent returns the longest side of a mesh [m].
func extent(v *meshView) float64 {
	low, high := [3]float64{}, [3]float64{}
	for n, i := range v.nodes {
		for c, x := range v.at(i, nil) {
			if n == 0 {
				low[c], high[c] = x, x
			}
			low[c], high[c] = min(low[c], x), max(high[c], x)
		}
	}
	return max(high[0]-low[0], high[1]-low[1], high[2]-low[2])
}
