package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// checkCommand returns `quasistatic check CASE`.
func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "examine the assumptions (N0)-(N4) of a case before running it",
		ArgsUsage: "CASE",
		Description: "Prints which assumptions of the existence theorem hold at the start and why, the index sets, α_K and q_K,\n" +
			"the constants c_lip, C_fine and T_*, and which gamma and step to use; of the dynamic models existence and\n" +
			"uniqueness of a step and the boundary rows; of the model rigid the mass, ranks and velocities of the joints, the\n" +
			"friction cone (3.3), penetration, Painlevé's number and the stiffness of springs; of the model elastodynamic the\n" +
			"mass, waves, CFL number, the contraction of Theorem 4 or the stable step, rigid motions and memory. Exit code 0: every assumption holds;\n" +
			"1: one fails or is undecided; 2: the case is wrong.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the report as JSON"},
			memoryFlag(),
		},
		Action: checkAction,
	}
}

func checkAction(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return inputError("check: found %d arguments, want one case, for instance: quasistatic check cases/grazing.json", c.Args().Len())
	}
	k, err := open(c.Args().First())
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	if k.Memory, err = memoryLimit(c); err != nil {
		return err
	}
	switch k.Model {
	case "energetic":
		return checkEnergetic(c, k)
	case "rigid":
		return checkMultibody(c, k)
	case "elastodynamic":
		return checkElastic(c, k)
	}
	return checkMotion(c, k)
}

// checkEnergetic examines a case of the model energetic.
func checkEnergetic(c *cli.Context, k *casefile.Case) error {
	m, err := k.Build()
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	need := &table.Memory{Predicted: m.Need.Total(), Limit: m.Limit.Bytes, Parts: m.Need.Parts}
	a, settled, err := assume(c.Context, m)
	if err != nil {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %v", k.Name, err), exitFailed)
	}
	switch {
	case c.Bool("json"):
		var text []byte
		if text, err = withMemory(a, need); err == nil {
			_, err = c.App.Writer.Write(text)
		}
	case !c.Bool("quiet"):
		var p page
		p.title(k)
		p.memory(need)
		if settled > 0 {
			fmt.Fprintf(&p, "the start settles first and moves by %.4g m\n", settled)
		}
		if err = a.WriteText(&p); err == nil {
			_, err = fmt.Fprint(c.App.Writer, p.String())
		}
	}
	if err != nil {
		return cli.Exit("quasistatic: "+err.Error(), exitFailed)
	}
	if v := a.Verdict(); v != energetic.Holds {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %s", k.Name, objection(a)), exitFailed)
	}
	return nil
}

// assume examines a model, settled first if it asks for that.
func assume(ctx context.Context, m *casefile.Model) (a *energetic.Assumptions, settled float64, err error) {
	start := m.Start
	if m.Options.Equilibrate {
		s, err := incremental.New(m.Psi, 0, start, m.Options.Step)
		if err != nil {
			return nil, 0, err
		}
		if settled, err = s.Equilibrate(ctx); err != nil {
			return nil, settled, err
		}
		start = s.State()
	}
	a, err = energetic.Assume(ctx, m.Psi, start, energetic.AssumptionOptions{Until: m.Until, Names: m.IDs,
		Gamma: m.Options.Step.Rule.Gamma, Step: m.Until / float64(m.Steps)})
	return a, settled, err
}

// objection names the first assumption that does not hold.
func objection(a *energetic.Assumptions) string {
	for i, n := range []energetic.Assumption{a.N0, a.N1, a.N2, a.N3, a.N4} {
		if n.Verdict != energetic.Holds && n.Verdict == a.Verdict() {
			return fmt.Sprintf("(N%d) %s: %s", i, n.Verdict, n.Detail)
		}
	}
	return a.Verdict().String()
}
