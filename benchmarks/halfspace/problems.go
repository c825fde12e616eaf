package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/halfspace"
)

// problem is posed to both programs; units are mm, N, MPa.
type problem struct {
	name                   string
	title, elements, steps string // in the table
	input                  func() string
	solve                  func(ctx context.Context) (string, error)
}

var problems = []problem{
	{"cattaneo", "Cattaneo's shift, force control", "19×19", "1", cattaneoInput, cattaneo},
	{"carter2d", "Carter, steady rolling", "55×1", "1", carterInput, carter},
	bentall, spence(45), spence(91), spence(181),
	onset(45, 170), onset(91, 170), onset(181, 17), onset(181, 170),
	steady(45, 0.28, 82000), steady(45, 0.45, 30000),
}

// accuracy is the duality gap of the steps: tractions to some 1e-4 or better, as
// CONTACT's EPS = 1e-5 on their change.
var accuracy = &halfspace.Options{Gap: 1e-7}

// evolution presses a quadratic profile.
func evolution(g halfspace.Grid, bodies halfspace.Compliance, b [6]float64, mu float64) (*halfspace.Evolution, error) {
	o, err := halfspace.NewOperator(g, halfspace.Patches{Compliance: bodies})
	if err != nil {
		return nil, err
	}
	coefficient := make([]float64, g.Len())
	for k := range coefficient {
		coefficient[k] = mu
	}
	return halfspace.NewEvolution(o, halfspace.Problem{Gap: g.Sample(halfspace.Quadratic(b)), Coefficient: coefficient}, accuracy), nil
}

// similar is a pair of bodies with a shear modulus and Poisson's ratio.
func similar(shear, poisson float64) (halfspace.Compliance, error) {
	m := halfspace.Elastic{Young: 2 * shear * (1 + poisson), Poisson: poisson}
	return halfspace.ElasticPair(m, m)
}

func outcome(e *halfspace.Evolution, mu float64) string {
	r, m := e.Result(), e.Move()
	return fmt.Sprintf("approach %.6g, FX/(μFN) %.4f, %d in contact, %d stick, gap %.1e", -m[halfspace.MoveN],
		r.Force[halfspace.MoveX]/(mu*r.Force[halfspace.MoveN]), r.Contacts, r.Sticking, r.Gap/r.Energy)
}

func cattaneo(ctx context.Context) (string, error) {
	bodies, err := similar(200, 0.42)
	if err != nil {
		return "", err
	}
	e, err := evolution(halfspace.Centred(19, 19, 0.13333, 0.13333), bodies, [6]float64{0.01, 0, 0.01}, 0.4)
	if err != nil {
		return "", err
	}
	var d halfspace.Drive
	d.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: 9.1954}
	d.Control[halfspace.MoveX] = halfspace.Control{Force: true, Value: -0.875 * 0.4 * 9.1954}
	d.Control[halfspace.MoveY].Force = true
	err = e.Step(ctx, d)
	return outcome(e, 0.4), err
}

// module is a case of CONTACT: control digits P-B-T-N-F-S first.
func module(digits string, loads string, mu, nu1, nu2, g1, g2 float64, rolling string, nx, ny int, x, y, dx, dy float64, b string) string {
	return based(1, digits, loads, mu, nu1, nu2, g1, g2, rolling, nx, ny, x, y, dx, dy, b)
}

// based is a module whose profile is of a base of CONTACT: 1 quadratic, 3 with two sines along x.
func based(base int, digits string, loads string, mu, nu1, nu2, g1, g2 float64, rolling string, nx, ny int, x, y, dx,
	dy float64, b string) string {
	return within(fmt.Sprintf("    1\n   %d %d %.9g %.9g %.9g %.9g\n    %d 1\n  %s\n", nx, ny, x, y, dx, dy, base, b),
		digits, loads, mu, nu1, nu2, g1, g2, rolling)
}

// within is a module whose window, and what is pressed there, is given.
func within(window, digits, loads string, mu, nu1, nu2, g1, g2 float64, rolling string) string {
	return fmt.Sprintf(" 3 MODULE\n  %s\n  022020\n  0001541\n   999   100    30     20   1e-5\n  %s\n  %g %g\n%s  %g %g %g %g\n%s\n",
		digits, loads, mu, mu, rolling, nu1, nu2, g1, g2, window)
}

func cattaneoInput() string {
	return "% Cattaneo\n" + module("201120", "9.1954 -0.8750 0.000 0.000", 0.4, 0.42, 0.42, 200, 200, "", 19, 19,
		-1.266635, -1.266635, 0.13333, 0.13333, "0.0100 0.000 0.0100 0.000 0.000 0.000") + " 0 MODULE\n"
}

func carter(ctx context.Context) (string, error) {
	bodies, err := similar(82000, 0.28)
	if err != nil {
		return "", err
	}
	e, err := evolution(halfspace.Grid{NX: 55, NY: 1, DX: 0.04, DY: 200, X0: -1.05}, bodies, [6]float64{0.001}, 0.3)
	if err != nil {
		return "", err
	}
	c := halfspace.Creep{Roll: [2]float64{0.0401}}
	c.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: 35780}
	c.Control[halfspace.MoveX].Value = -0.00024
	err = e.Steady(ctx, c)
	return outcome(e, 0.3), err
}

func carterInput() string {
	return "% Carter\n" + module("203100", "35780. -0.00024 0.000 0.000", 0.3, 0.28, 0.28, 82000, 82000,
		"  0.000 0.0401 30000.\n", 55, 1, -1.07, -100, 0.04, 200, "0.001 0.0 0.0 0.0 0.0 0.0") + " 0 MODULE\n"
}

// square is the number of elements of a window, as the table has it.
func square(n int) string { return fmt.Sprintf("%d×%d", n, n) }

// spence is the compression of dissimilar bodies with friction, in 35 stages.
func spence(n int) problem {
	const curvature, mu = 0.004116, 0.2986
	load := func(k int) float64 { return math.Pow(float64(k)/45, 3) }
	return problem{fmt.Sprintf("spence%d", n), "Spence's compression", square(n), "35", func() string {
		var s strings.Builder
		s.WriteString("% Spence\n")
		for k := 1; k <= 35; k++ {
			digits := "001120" // the tractions of the stage before count
			if k == 1 {
				digits = "201120"
			}
			s.WriteString(module(digits, fmt.Sprintf("%.9f 0.000 0.000 0.000", load(k)), mu, 0, 0.5, 0.5, 1e6, "", n, n,
				-4.5, -4.5, 9/float64(n), 9/float64(n), fmt.Sprintf("%g 0.000 %g 0.000 0.000 0.000", curvature, curvature)))
		}
		return s.String() + " 0 MODULE\n"
	}, func(ctx context.Context) (string, error) {
		bodies, err := halfspace.ElasticOnRigid(halfspace.Elastic{Young: 1})
		if err != nil {
			return "", err
		}
		e, err := evolution(halfspace.Centred(n, n, 9/float64(n), 9/float64(n)), bodies, [6]float64{curvature, 0, curvature}, mu)
		if err != nil {
			return "", err
		}
		for k := 1; k <= 35; k++ {
			var d halfspace.Drive
			d.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: load(k)}
			d.Control[halfspace.MoveX].Force, d.Control[halfspace.MoveY].Force = true, true
			if err := e.Step(ctx, d); err != nil {
				return "", err
			}
		}
		return outcome(e, mu), nil
	}}
}

// onset is the transition from Cattaneo's shear to rolling under a constant load along
// the surface, in so many of 170 steps over four contact lengths.
func onset(n, steps int) problem {
	const shear, nu, mu, curvature, share, way = 200.0, 0.28, 0.4, 0.01, 0.6, 8.0
	modulus := shear / (1 - nu) // E* of similar bodies
	load := 4. / 3 * modulus * 2 * 2 * curvature / 2
	dx := 2.4 / float64(n)
	roll := way / 170
	name, count := fmt.Sprintf("onset%d", n), fmt.Sprint(steps+1)
	if steps < 170 {
		name, count = name+fmt.Sprintf("of%d", steps), count+" of 171"
	}
	return problem{name, "onset of rolling", square(n), count, func() string {
		var s strings.Builder
		s.WriteString("% Cattaneo to Carter\n")
		for k := range steps + 1 {
			digits, rolling := "002120", fmt.Sprintf("  0.000 %.9g 30000.\n", roll)
			if k == 0 {
				digits, rolling = "201120", ""
			}
			s.WriteString(module(digits, fmt.Sprintf("%.9f %.6f 0.000 0.000", load, -share), mu, nu, nu, shear, shear,
				rolling, n, n, -1.2, -1.2, dx, dx, fmt.Sprintf("%g 0.000 %g 0.000 0.000 0.000", curvature, curvature)))
		}
		return s.String() + " 0 MODULE\n"
	}, func(ctx context.Context) (string, error) {
		bodies, err := similar(shear, nu)
		if err != nil {
			return "", err
		}
		e, err := evolution(halfspace.Centred(n, n, dx, dx), bodies, [6]float64{curvature, 0, curvature}, mu)
		if err != nil {
			return "", err
		}
		for k := range steps + 1 {
			var d halfspace.Drive
			d.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: load}
			d.Control[halfspace.MoveX] = halfspace.Control{Force: true, Value: -share * mu * load}
			d.Control[halfspace.MoveY].Force = true
			if k > 0 {
				d.Roll[0] = roll
			}
			if err := e.Step(ctx, d); err != nil {
				return "", fmt.Errorf("step %d: %w", k, err)
			}
		}
		return outcome(e, mu) + fmt.Sprintf(", creepage %.3e", e.Result().Move[halfspace.MoveX]/roll), nil
	}}
}

// steady is steady rolling of an ellipse under loads along both axes and a spin, on a body of the
// same or another material.
func steady(n int, nu, shear float64) problem {
	const upper, stiff, mu, load, spin = 0.28, 82000.0, 0.3, 5000.0, 0.0005
	shares := [2]float64{0.4, -0.3}
	profile, dx, dy := [6]float64{0.001, 0, 0.002}, 7.5/float64(n), 6.25/float64(n)
	name, title := fmt.Sprintf("steady%d", n), "steady, loads along both axes and spin"
	if shear != stiff {
		name, title = "dissimilar"+name, title+", dissimilar"
	}
	return problem{name, title, square(n), "1", func() string {
		return "% " + title + "\n" + module("203120", fmt.Sprintf("%g %g %g %g", load, shares[0], shares[1], spin), mu,
			upper, nu, stiff, shear, fmt.Sprintf("  0.000 %.9g 30000.\n", dx),
			n, n, -3.75, -3.125, dx, dy, fmt.Sprintf("%g 0 %g 0 0 0", profile[0], profile[2])) + " 0 MODULE\n"
	}, func(ctx context.Context) (string, error) {
		bodies, err := halfspace.ElasticPair(halfspace.Elastic{Young: 2 * stiff * (1 + upper), Poisson: upper},
			halfspace.Elastic{Young: 2 * shear * (1 + nu), Poisson: nu})
		if err != nil {
			return "", err
		}
		e, err := evolution(halfspace.Centred(n, n, dx, dy), bodies, profile, mu)
		if err != nil {
			return "", err
		}
		c := halfspace.Creep{Roll: [2]float64{dx}}
		c.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: load}
		c.Control[halfspace.MoveX] = halfspace.Control{Force: true, Value: shares[0] * mu * load}
		c.Control[halfspace.MoveY] = halfspace.Control{Force: true, Value: shares[1] * mu * load}
		c.Control[halfspace.TurnN].Value = spin
		err = e.Steady(ctx, c)
		creep := e.Creepages()
		return outcome(e, mu) + fmt.Sprintf(", creepages %.4e, %.4e", creep[halfspace.MoveX], creep[halfspace.MoveY]), err
	}}
}

// bentall is steady rolling of dissimilar rollers with two loads along the surface, after
// CONTACT's example.
var bentall = problem{"bentall", "Bentall and Johnson's rollers, steady", "216×1", "2", func() string {
	var s strings.Builder
	s.WriteString("% Bentall and Johnson\n")
	for _, share := range bentallShares {
		s.WriteString(module("203110", fmt.Sprintf("16201.9 %g 0.000 0.000", share), 0.05, 0.31, 0.28, 23000, 82000,
			"  180.0d 0.001 1000.\n", 216, 1, -0.108, -500, 0.001, 1000, "0.020 0.0 0.0 0.0 0.0 0.0"))
	}
	return s.String() + " 0 MODULE\n"
}, func(ctx context.Context) (string, error) {
	bodies, err := halfspace.ElasticPair(halfspace.Elastic{Young: 2 * 23000 * 1.31, Poisson: 0.31},
		halfspace.Elastic{Young: 2 * 82000 * 1.28, Poisson: 0.28})
	if err != nil {
		return "", err
	}
	text := ""
	for _, share := range bentallShares {
		e, err := evolution(halfspace.Centred(216, 1, 0.001, 1000), bodies, [6]float64{0.02}, 0.05)
		if err != nil {
			return "", err
		}
		c := halfspace.Creep{Roll: [2]float64{-0.001}}
		c.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: 16201.9}
		c.Control[halfspace.MoveX] = halfspace.Control{Force: true, Value: share * 0.05 * 16201.9}
		if err := e.Steady(ctx, c); err != nil {
			return "", err
		}
		text = outcome(e, 0.05) + fmt.Sprintf(", creepage %.3e", e.Creepages()[halfspace.MoveX])
	}
	return text, nil
}}

var bentallShares = [...]float64{0.75, -0.75}
