package patch

import (
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/run"
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

// target is a boundary-value problem of a [Case].
type target struct {
	Boundary dynamics.Boundary
	Options  dynamics.BoundaryOptions
}

// target reads the rows of M_v v(0) + N x(T) = b; nil if there are none, or
// after a fault.
func (b *builder) target(plan *run.Plan) *target {
	d := b.doc.Boundary
	if d == nil {
		return nil
	}
	p := casefile.Path{"boundary"}
	nq, nv, _ := b.World.Size()
	if len(d.Rows) != nv {
		b.Add(p.With("rows"), "found %d rows, want %d, as many as there are velocities", len(d.Rows), nv)
		return nil
	}
	t := &target{Boundary: dynamics.Boundary{MV: make([]float64, nv*nv), N: make([]float64, nv*(nq+nv)), B: make([]float64, nv)}}
	for i := range d.Rows {
		t.Boundary.B[i] = d.Rows[i].Value
		for k := range d.Rows[i].Terms {
			term := &d.Rows[i].Terms[k]
			at := p.With("rows", i, "terms", k)
			body, ok := b.FindBody(at.With("body"), term.Body)
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
				b.Add(at.With("at"), "%s at the start is given, want it at the end", term.Quantity)
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
			b.Add(p.With("starts", i), "found %d numbers, want %d velocities", len(s), nv)
		}
	}
	t.Options = dynamics.BoundaryOptions{Starts: d.Starts, Tolerance: d.Tolerance, Stepper: b.scheme(), H: plan.Step(),
		Steps: plan.Steps, Grid: plan.Grid()}
	if !b.Any() {
		b.checkTarget(p, t)
	}
	return t
}

// checkTarget finds rows that no v(0) can meet.
func (b *builder) checkTarget(p casefile.Path, t *target) {
	q, v := b.World.Start()
	if err := t.Boundary.Check(b.World, &dynamics.State{Q: q, V: v}, t.Options); err != nil {
		b.Add(p.With("rows"), "%v", err)
	}
}

// coordinate returns the number of a coordinate (v < 0) or velocity of a body.
func (b *builder) coordinate(p casefile.Path, quantity string, axis *string, body int) (q, v int, ok bool) {
	q, v = b.World.Coordinates(body)
	turns := quantity == "angle" || quantity == "spin"
	a := 0
	switch {
	case turns && !b.World.Spins(body):
		b.Add(p.With("body"), "a point does not turn")
		return 0, 0, false
	case quantity == "angle" && b.Dim == 3:
		b.Add(p.With("quantity"), "an angle is of the plane")
		return 0, 0, false
	case axis != nil && turns && b.Dim == 2:
		b.Add(p.With("axis"), "the key \"axis\" has no effect on %s in the plane", quantity)
		return 0, 0, false
	case axis == nil && !(turns && b.Dim == 2):
		b.Add(p, "the key \"axis\" is missing, which %s needs", quantity)
		return 0, 0, false
	case axis != nil:
		if a = strings.Index("xyz", *axis); a >= b.Dim {
			b.Add(p.With("axis"), "found %q, want x or y in the plane", *axis)
			return 0, 0, false
		}
	}
	if turns {
		a += b.Dim
	}
	if quantity == "position" || quantity == "angle" {
		return q + a, -1, true
	}
	return 0, v + a, true
}
