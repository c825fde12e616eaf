package patch

import "github.com/quasistatic/quasistatic/run"

// Levers: θ = ½ is of second order where the force is smooth, other ones are of first order.
func (c *Case) Levers() []run.Lever {
	if !c.theta || c.Options.Theta == 0.5 || c.Boundary != nil {
		return nil
	}
	l := *c
	l.spare = nil
	l.Options.Theta = 0.5
	return []run.Lever{{Name: `"theta": 0.5`, Case: &l}}
}
