package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
)

// motionReport is what check finds out about a case of the dynamic models.
type motionReport struct {
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
}

// checkMotion examines a case of the dynamic models: what Theorem 2 of [Song04]
// and Lemma 4 and Theorem 8 of [Pang05] ask for, after one trial step.
func checkMotion(c *cli.Context, k *casefile.Case) error {
	m, err := k.BuildMotion()
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	r, err := examineMotion(c, m)
	if err != nil {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %v", k.Name, err), exitFailed)
	}
	return tell(c, k, r, func(p *page) { p.motionReport(r) })
}

func examineMotion(c *cli.Context, m *casefile.Motion) (*motionReport, error) {
	_, nv, _ := m.World.Size()
	r := &motionReport{Bodies: m.World.Bodies(), Velocity: nv, Existence: true}
	for i := range m.Contacts {
		r.Patches += m.Contacts[i].Features
		r.Rigid = r.Rigid || m.Contacts[i].Rigid
	}
	r.Existence = !r.Rigid
	s, err := dynamics.NewStepper(m.World, m.Q0, m.V0, m.Options)
	if err != nil {
		return nil, err
	}
	if err := s.Step(c.Context, m.H()); err != nil {
		return nil, err
	}
	r.Mu, r.MuBar = s.SmallnessNow()
	r.MuBar = finite(r.MuBar)
	r.Unique = r.Mu < r.MuBar
	if m.Boundary != nil {
		r.Boundary = true
		r.Rank = m.Boundary.Boundary.Rank()
	}
	return r, nil
}

func (p *page) motionReport(r *motionReport) {
	p.line("mass", "positive definite at the start, %d velocities of %s", r.Velocity, bodiesText(r.Bodies))
	if r.Existence {
		p.line("existence", "every step has a solution for any load (Theorem 2): all %d patches are compliant", r.Patches)
	} else {
		p.line("existence", "not guaranteed for any load: a patch is rigid, see (15) of [Song04]")
	}
	switch {
	case r.Mu == 0 && r.MuBar > 1e300:
		p.line("uniqueness", "nothing touches in the first step")
	case r.Unique:
		p.line("uniqueness", "the forces are unique (Lemma 4): μ = %g is below σ_s/η_s = %.4g in the first step", r.Mu, r.MuBar)
	default:
		p.line("uniqueness", "not guaranteed by Lemma 4, which is sufficient only: μ = %g, σ_s/η_s = %.4g in the first step", r.Mu, r.MuBar)
	}
	switch {
	case !r.Boundary:
	case r.Rank == r.Velocity:
		p.line("boundary", "M_v + N_v is regular: Theorem 8 applies; (28) is evaluated along the motion by run")
	default:
		p.line("boundary", "the rows determine v(0); M_v + N_v has rank %d of %d, so that Theorem 8 does not apply", r.Rank, r.Velocity)
	}
}
