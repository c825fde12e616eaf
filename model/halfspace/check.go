package halfspace

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// examination is what check finds out about a case.
type examination struct {
	Elements int              `json:"elements"`
	Size     [2]float64       `json:"element_size"`
	Modulus  float64          `json:"contact_modulus"` // E* [Pa]
	Coupling float64          `json:"coupling"`        // |D|/A
	Mu       float64          `json:"mu"`
	Product  float64          `json:"mu_coupling"`
	Operator halfspace.Bounds `json:"operator"`
	Memory   int64            `json:"memory"`
	Objected []string         `json:"objections"`
	Coarse   string           `json:"foreseen_error,omitempty"` // of the elements, the worst beyond the accuracy
	memory   memory.Estimate
}

// Check examines a case: the size of the problem, the ends of the spectrum by products
// with the operator, and whether friction can lose uniqueness. (N4) in tractions: with
// the bounds g = μ p_n the turns of the normal and the tangential problem are a fixed
// point, whose normal part moves by at most the coupling |D|/A times its tangential part,
// in the norms of the energies.
func (c *Case) Check(ctx context.Context) (run.Examination, error) {
	b, err := c.Operator.Bounds(ctx)
	if err != nil {
		return nil, err
	}
	g := c.Operator.Grid()
	x := &examination{Elements: g.Len(), Size: [2]float64{g.DX, g.DY}, Modulus: 1 / (math.Pi * c.Pair.A),
		Coupling: math.Abs(c.Pair.D) / c.Pair.A, Mu: c.mu * max(1, c.Problem.Ratio),
		Operator: b, Memory: c.plan.Need.Total(), memory: c.plan.Need, Objected: []string{}}
	foreseen, err := c.foresee(ctx)
	if err != nil {
		return nil, err
	}
	worst := 0.0
	for i := range foreseen {
		if f := &foreseen[i]; !f.Passed && f.Basis == table.Estimated && f.Value > worst {
			worst, x.Coarse = f.Value, f.String()
		}
	}
	x.Product = x.Mu * x.Coupling
	if x.Product >= 1 {
		x.Objected = append(x.Objected, "uniqueness of the steps is undecided: friction times coupling is not below 1")
	}
	return x, nil
}

// Print prints what was found out.
func (x *examination) Print(p *run.Page) {
	p.Line("window", "%d elements of %.4g×%.4g m", x.Elements, x.Size[0], x.Size[1])
	p.Line("bodies", "contact modulus E* = %.5g Pa, coupling of normal and tangential tractions %.4g", x.Modulus, x.Coupling)
	p.Line("operator", "eigenvalues of the compliance from %.4g to %.4g m/Pa (Lanczos, upper end to %.1g)",
		x.Operator.Least, x.Operator.Largest, x.Operator.Residual)
	if x.Coarse != "" {
		p.Line("elements", "may be too large, by runs on every second and fourth: %s", x.Coarse)
	}
	switch {
	case x.Mu == 0:
		p.Line("uniqueness", "no friction: each step is a convex problem, with one solution")
	case x.Coupling == 0:
		p.Line("uniqueness", "pressure does not depend on friction: each step is two convex problems, with one solution")
	default:
		p.Line("uniqueness", "friction times coupling is %.4g, below 1: pressure answers less than friction asks", x.Product)
	}
	p.Line("memory", "%s predicted", x.memory)
	for _, o := range x.Objected {
		p.Line("fails", "%s", o)
	}
}

// Objections lists what fails.
func (x *examination) Objections() []string { return x.Objected }
