package serve

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/sensitivity"
)

// derivative collects the derivatives of solutions: dr/dq, du/dq and dr/dbound, du/dbound, row by
// row, and of each problem the contacts at an edge between two states, where they are of one side.
type derivative struct {
	rq, uq, rb, ub []float64
	edges          [][]int
}

// add differentiates a solution; of a problem that is not solved the derivatives are NaN.
func (d *derivative) add(p *contact.Local, r []float64, solved bool) error {
	n, nc := len(p.Q), len(p.Laws)
	first, firstBound := len(d.rq), len(d.rb)
	d.rq, d.uq = append(d.rq, make([]float64, n*n)...), append(d.uq, make([]float64, n*n)...)
	d.rb, d.ub = append(d.rb, make([]float64, n*nc)...), append(d.ub, make([]float64, n*nc)...)
	if !solved {
		d.edges = append(d.edges, nil)
		for _, list := range [][]float64{d.rq[first:], d.uq[first:], d.rb[firstBound:], d.ub[firstBound:]} {
			for i := range list {
				list[i] = math.NaN()
			}
		}
		return nil
	}
	s, err := sensitivity.Linearise(p, r)
	if err != nil {
		return err
	}
	d.edges = append(d.edges, s.Edges)
	dr, du := make([]float64, n), make([]float64, n)
	forward := func(columns, k int, change sensitivity.Change, rs, us []float64) error {
		if err := s.Forward(dr, du, change); err != nil {
			return err
		}
		for i := range n {
			rs[i*columns+k], us[i*columns+k] = dr[i], du[i]
		}
		return nil
	}
	for k := range n {
		q := make([]float64, n)
		q[k] = 1
		if err := forward(n, k, sensitivity.Change{Q: q}, d.rq[first:], d.uq[first:]); err != nil {
			return err
		}
	}
	for k := range nc {
		bound := make([]float64, nc)
		bound[k] = 1
		if err := forward(nc, k, sensitivity.Change{Bound: bound}, d.rb[firstBound:], d.ub[firstBound:]); err != nil {
			return err
		}
	}
	return nil
}

func (d *derivative) arrays(count, n, nc int) []Array {
	return []Array{floats("dr_dq", d.rq, count, n, n), floats("du_dq", d.uq, count, n, n),
		floats("dr_dbound", d.rb, count, n, nc), floats("du_dbound", d.ub, count, n, nc)}
}
