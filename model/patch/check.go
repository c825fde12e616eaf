package patch

import (
	"context"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

// examination is what check finds out about a case of the dynamic models.
type examination struct {
	Bodies    int     `json:"bodies"`
	Patches   int     `json:"patches"` // declared
	Rigid     bool    `json:"rigid"`   // one of them has no springs
	Existence bool    `json:"existence"`
	Mu        float64 `json:"mu"`
	MuBar     float64 `json:"mu_bar"`
	Unique    bool    `json:"unique"`
	Boundary  bool    `json:"boundary"`
	Rank      int     `json:"rank"` // of M_v + N_v
	Velocity  int     `json:"velocities"`

	Masses []world.Mass `json:"masses"`
}

// Check examines a case: what Theorem 2 of [Song04] and Lemma 4 and Theorem 8 of [Pang05]
// ask for, after one trial step.
func (c *Case) Check(ctx context.Context) (run.Examination, error) {
	_, nv, _ := c.World.Size()
	r := &examination{Bodies: c.World.Bodies(), Velocity: nv, Existence: true, Masses: c.masses()}
	for i := range c.Contacts {
		r.Patches += c.Contacts[i].Features
		r.Rigid = r.Rigid || c.Contacts[i].Rigid
	}
	r.Existence = !r.Rigid
	s, err := dynamics.NewStepper(c.World, c.Q0, c.V0, c.Options)
	if err != nil {
		return nil, err
	}
	if err := s.Step(ctx, c.plan.Step()); err != nil {
		return nil, err
	}
	r.Mu, r.MuBar = s.SmallnessNow()
	r.MuBar = run.Finite(r.MuBar)
	r.Unique = r.Mu < r.MuBar
	if c.Boundary != nil {
		r.Boundary = true
		r.Rank = c.Boundary.Boundary.Rank()
	}
	return r, nil
}

func (c *Case) masses() []world.Mass {
	return world.Masses(c.World, c.IDs, c.Q0, [3]float64{})
}

// PrintMasses implements [run.Weighed].
func (c *Case) PrintMasses(p *run.Page) { world.PrintMasses(p, "mass", c.masses()) }

// Print prints what was found out.
func (r *examination) Print(p *run.Page) {
	p.Line("mass", "positive definite at the start, %d velocities of %s", r.Velocity, world.Count(r.Bodies))
	world.PrintMasses(p, "", r.Masses)
	if r.Existence {
		p.Line("existence", "every step has a solution for any load (Theorem 2): all %d patches are compliant", r.Patches)
	} else {
		p.Line("existence", "not guaranteed for any load: a patch is rigid, see (15) of [Song04]")
	}
	switch {
	case r.Mu == 0 && r.MuBar > 1e300:
		p.Line("uniqueness", "nothing touches in the first step")
	case r.Unique:
		p.Line("uniqueness", "contact forces of a step are unique where μ < %.4g (Lemma 4 of Pang, Kumar and Song, in the first step); the largest μ is %g", r.MuBar, r.Mu)
	default:
		p.Line("uniqueness", "contact forces of a step are unique where μ < %.4g (Lemma 4 of Pang, Kumar and Song, in the first step); the largest μ is %g, so that they may or may not be", r.MuBar, r.Mu)
	}
	switch {
	case !r.Boundary:
	case r.Rank == r.Velocity:
		p.Line("boundary", "M_v + N_v is regular: Theorem 8 applies; (28) is evaluated along the motion by run")
	default:
		p.Line("boundary", "the rows determine v(0); M_v + N_v has rank %d of %d, so that Theorem 8 does not apply", r.Rank, r.Velocity)
	}
}

// Objections lists what fails: nothing here is needed for a solution.
func (r *examination) Objections() []string { return nil }
