package casefile

import (
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
)

type boundaryDocument struct {
	Rows []struct {
		Value float64 `json:"value"`
		Terms []struct {
			Quantity string   `json:"quantity"`
			At       string   `json:"at"`
			Body     string   `json:"body"`
			Axis     *string  `json:"axis"`
			Factor   *float64 `json:"factor"`
		} `json:"terms"`
	} `json:"rows"`
	Starts    [][]float64 `json:"starts"`
	Tolerance float64     `json:"tolerance"`
}

// Target is a boundary-value problem of a [Motion].
type Target struct {
	Boundary dynamics.Boundary
	Options  dynamics.BoundaryOptions
}

// target reads the rows of M_v v(0) + N x(T) = b; nil if there are none, or
// after a fault.
func (b *motionBuilder) target(steps int) *Target {
	d := b.doc.Boundary
	if d == nil {
		return nil
	}
	p := path{"boundary"}
	nq, nv, _ := b.world.Size()
	if len(d.Rows) != nv {
		b.add(p.with("rows"), "found %d rows, want %d, as many as there are velocities", len(d.Rows), nv)
		return nil
	}
	t := &Target{Boundary: dynamics.Boundary{MV: make([]float64, nv*nv), N: make([]float64, nv*(nq+nv)), B: make([]float64, nv)}}
	for i := range d.Rows {
		t.Boundary.B[i] = d.Rows[i].Value
		for k := range d.Rows[i].Terms {
			term := &d.Rows[i].Terms[k]
			at := p.with("rows", i, "terms", k)
			body, ok := find(b.builder, at.with("body"), term.Body, "body", b.body)
			if !ok {
				continue
			}
			factor := 1.0
			if term.Factor != nil {
				factor = *term.Factor
			}
			q, v, ok := b.coordinate(at, term.Quantity, term.Axis, body)
			switch {
			case !ok:
			case term.At == "start" && v < 0:
				b.add(at.with("at"), "%s at the start is given, want it at the end", term.Quantity)
			case term.At == "start":
				t.Boundary.MV[i*nv+v] += factor
			case v >= 0:
				t.Boundary.N[i*(nq+nv)+nq+v] += factor
			default:
				t.Boundary.N[i*(nq+nv)+q] += factor
			}
		}
	}
	for i, s := range d.Starts {
		if len(s) != nv {
			b.add(p.with("starts", i), "found %d numbers, want %d velocities", len(s), nv)
		}
	}
	t.Options = dynamics.BoundaryOptions{Starts: d.Starts, Tolerance: d.Tolerance, Stepper: b.scheme(), H: b.doc.Until / float64(steps), Steps: steps}
	if !b.any() {
		b.checkTarget(p, t)
	}
	return t
}

// checkTarget finds rows that no v(0) can meet.
func (b *motionBuilder) checkTarget(p path, t *Target) {
	q, v := b.world.Start()
	if err := t.Boundary.Check(b.world, &dynamics.State{Q: q, V: v}, t.Options); err != nil {
		b.add(p.with("rows"), "%v", err)
	}
}

// coordinate returns the number of a coordinate (v < 0) or velocity of a body.
func (b *motionBuilder) coordinate(p path, quantity string, axis *string, body int) (q, v int, ok bool) {
	q, v = b.world.Coordinates(body)
	turns := quantity == "angle" || quantity == "spin"
	a := 0
	switch {
	case turns && !b.world.Spins(body):
		b.add(p.with("body"), "a point does not turn")
		return 0, 0, false
	case quantity == "angle" && b.dim == 3:
		b.add(p.with("quantity"), "an angle is of the plane")
		return 0, 0, false
	case axis != nil && turns && b.dim == 2:
		b.add(p.with("axis"), "the key \"axis\" has no effect on %s in the plane", quantity)
		return 0, 0, false
	case axis == nil && !(turns && b.dim == 2):
		b.add(p, "the key \"axis\" is missing, which %s needs", quantity)
		return 0, 0, false
	case axis != nil:
		if a = strings.Index("xyz", *axis); a >= b.dim {
			b.add(p.with("axis"), "found %q, want x or y in the plane", *axis)
			return 0, 0, false
		}
	}
	if turns {
		a += b.dim
	}
	if quantity == "position" || quantity == "angle" {
		return q + a, -1, true
	}
	return 0, v + a, true
}
