package assembly

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A Drive is what a path changes slowly: supports that move, or, where there are none, the live loads or the direction
// of gravity.
type Drive struct {
	Supports []SupportMotion
	Loads    bool       // the live loads grow
	Tilt     [3]float64 // to which gravity turns, where neither supports nor loads are driven
	// To is the end: of the supports by what their rates are per unit of, the factor of the live loads, or the tilt [rad].
	To float64
}

// A SupportMotion is how a support moves by unit of a path: its point by Velocity, about that by Turning.
type SupportMotion struct {
	Block    int
	Velocity [3]float64 // m
	Turning  [3]float64 // rad
	Point    [3]float64 // of the support; the path takes it along
}

// rate is how a point of the support moves.
func (m *SupportMotion) rate(x [3]float64) [3]float64 {
	return add(m.Velocity, cross(m.Turning, sub(x, m.Point)), 1)
}

func (d *Drive) check(a *Assembly) error {
	if !(d.To > 0) || math.IsInf(d.To, 1) {
		return fmt.Errorf("the path ends at %v, want a positive number", d.To)
	}
	for k := range d.Supports {
		m := &d.Supports[k]
		switch b := &a.Blocks[m.Block]; {
		case !b.Support:
			return fmt.Errorf("block %s is no support: it moves as it must", b.called())
		case norm(m.Velocity)+norm(m.Turning) == 0:
			return fmt.Errorf("support %s does not move", b.called())
		case a.Plane && (m.Velocity[1] != 0 || m.Turning[0] != 0 || m.Turning[2] != 0):
			return fmt.Errorf("support %s leaves the plane of x and z", b.called())
		}
	}
	if a.Plane && !d.Loads && d.Tilt[1] != 0 {
		return errors.New("gravity leaves the plane of x and z")
	}
	return nil
}

// begin is the geometry of the beginning, at the level of loads up to which nothing moves; nil where that is beyond the end
// of the path.
func (w *walk) begin(ctx context.Context) (*walk, error) {
	switch {
	case len(w.drive.Supports) > 0:
		return w, nil
	case w.drive.Loads:
		m, err := LoadFactor(ctx, w.a, 0)
		switch {
		case err != nil:
			return nil, err
		case m.Least > 0:
			return nil, fmt.Errorf("it falls by its dead loads alone, and below a factor of %.6g", m.Least)
		case m.Unbounded || m.Value >= w.drive.To:
			return nil, nil
		}
		w.first = m.Value
		return w, nil
	}
	t, err := TiltTowards(ctx, w.a, w.drive.Tilt)
	if err != nil || t.Gradient == nil || t.Angle >= w.drive.To {
		return nil, err
	}
	return w.tiltedTo(t.Angle), nil
}

// tiltedTo is the same geometry with gravity at an angle from where it was.
func (w *walk) tiltedTo(angle float64) *walk {
	a, next := *w.a, *w
	sin, cos := math.Sincos(angle)
	size := norm(a.Gravity)
	a.Gravity = add(add([3]float64{}, w.down, cos*size), w.across, sin*size)
	a.Interfaces, next.corners = slices.Clip(a.Interfaces), slices.Clip(w.corners) // each goes on with its own
	next.a, next.angle = &a, angle
	return &next
}

// terms are what a step pays for reactions, and how it finds the level of loads.
type terms struct {
	along  []float64 // rates of corners by the supports, dim entries each
	live   []float64 // f by unit of the level; nil where supports are driven
	lowest float64   // level from which its variable counts
	size   float64   // of the loads that are driven, in parts of all: their displacement is the length of the path
}

// driven returns f at the lowest level, with the terms of the level.
func (w *walk) driven(s *statics) ([]float64, *terms) {
	switch {
	case len(w.drive.Supports) > 0:
		return s.total(1), &terms{}
	case w.drive.Loads:
		t := &terms{live: s.live, lowest: -w.first} // as far below zero as the margin is above
		for _, l := range w.a.Loads {
			if l.Live {
				t.size += norm(l.Force) / s.force
			}
		}
		return s.total(t.lowest), t
	}
	// the level is the tangent of the tilt from where gravity is, from 45° back
	sin, cos := math.Sincos(w.angle)
	t := &terms{live: s.weights(add(add([3]float64{}, w.across, cos), w.down, -sin)), lowest: -1}
	for i := range w.a.Blocks {
		if b := &w.a.Blocks[i]; !b.Support {
			t.size += b.Mass() * norm(w.a.Gravity) / s.force
		}
	}
	f := s.total(1)
	for i, v := range t.live {
		f[i] += t.lowest * v
	}
	return f, t
}

// program is that of a step h, see Follow.
func (w *walk) program(s *statics, h float64) (*conic.Problem, *terms) {
	f, t := w.driven(s)
	p := s.program(f, own)
	t.along = make([]float64, s.dim*len(s.contacts))
	at := 0
	for j := range s.contacts {
		c := &s.contacts[j]
		gap, rate := w.offset(c), w.supportRate(c)
		width := s.dim
		if c.mu == 0 {
			width = 1
		}
		for e := range s.dim {
			t.along[j*s.dim+e] = dot(c.frame[e], rate)
		}
		for e := range width {
			p.C[at+e] = gap[e]/h + t.along[j*s.dim+e]
		}
		if c.mu > 0 {
			p.C[at] = p.C[at]/c.mu + w.corners[c.face].slips
		}
		at += width
	}
	if t.live != nil {
		unit := make([]float64, s.nv)
		for i, v := range t.live {
			unit[i] = v / t.size
		}
		s.appendDense(p, unit, 1, -1)
	}
	return p, t
}

// supportRate is how B moves on A at a corner by the supports.
func (w *walk) supportRate(c *corner) (rate [3]float64) {
	face := &w.a.Interfaces[c.face]
	for k := range w.drive.Supports {
		switch m := &w.drive.Supports[k]; m.Block {
		case face.A:
			rate = sub(rate, m.rate(c.point))
		case face.B:
			rate = add(rate, m.rate(c.point), 1)
		}
	}
	return rate
}

// forces are those on each of the driven supports along its way: work by unit of the path.
func (w *walk) forces(s *statics, reactions []Reaction) []float64 {
	all := make([]float64, len(w.drive.Supports))
	for _, r := range reactions {
		face := &w.a.Interfaces[r.Interface]
		for k := range w.drive.Supports {
			m := &w.drive.Supports[k]
			switch work := dot(r.Force, m.rate(r.Point)); m.Block {
			case face.A:
				all[k] -= work
			case face.B:
				all[k] += work
			}
		}
	}
	for k, f := range all {
		m := &w.drive.Supports[k]
		if math.Abs(f) < 1e-9*s.force*(norm(m.Velocity)+s.length*norm(m.Turning)) { // rounding of the program
			all[k] = 0
		}
	}
	return all
}
