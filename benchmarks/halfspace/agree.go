package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/halfspace"
)

// scene is a problem for the comparison of numbers: stages on one window, each given as CONTACT
// has it.
type scene struct {
	name      string
	mu        float64
	nu, shear [2]float64 // of the upper and lower body
	nx, ny    int
	dx, dy    float64
	profile   [6]float64 // quadratic
	// waves a, k, b, l add a·sin kx − b·sin lx to it.
	waves [4]float64
	// ellipse has the half axes of a friction bound that is given, Tresca's: μ times Hertz's
	// pressures of the load, whatever the bodies press (CONTACT's B = 2); zero: none. The window
	// has its proportions.
	ellipse [2]float64
	stages  []stage
}

// stage is one of CONTACT's cases.
type stage struct {
	kind     int        // T: 0 no friction, 1 shift, 2 transient rolling, 3 steady rolling
	approach bool       // N = 0: the first number is an approach, not a load
	forces   int        // F: how many of the next two are forces over μ times the load
	loads    [4]float64 // load or approach; shift, creepage or force along x, y; spin
	way      float64    // rolled in a step, along x
}

// scenes are other than the examples of CONTACT, but for their kinds; units are mm, N, MPa.
var scenes = []scene{
	{name: "ellipse without friction", nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 31, ny: 19,
		dx: 0.15, dy: 0.12, profile: [6]float64{0.0008, 0, 0.003},
		stages: []stage{{loads: [4]float64{9000}}}},
	{name: "oblique ellipse by approach", nu: [2]float64{0.3, 0.1}, shear: [2]float64{1, 5}, nx: 24, ny: 24, dx: 0.11,
		dy: 0.11, profile: [6]float64{0.02, 0.015, 0.03},
		stages: []stage{{approach: true, loads: [4]float64{0.02}}}},
	{name: "shift along both axes", mu: 0.3, nu: [2]float64{0.42, 0.42}, shear: [2]float64{200, 200}, nx: 21, ny: 21,
		dx: 0.13, dy: 0.13, profile: [6]float64{0.01, 0, 0.01},
		stages: []stage{{kind: 1, loads: [4]float64{9, 0.003, -0.002}}}},
	{name: "shift, further, and back", mu: 0.4, nu: [2]float64{0.3, 0.3}, shear: [2]float64{100, 100}, nx: 21, ny: 21,
		dx: 0.13, dy: 0.13, profile: [6]float64{0.01, 0, 0.01},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{6, 0.3}},
			{kind: 1, forces: 2, loads: [4]float64{6, 0.9}}, {kind: 1, forces: 2, loads: [4]float64{6, -0.2}}}},
	{name: "torsion", mu: 0.25, nu: [2]float64{0.3, 0.3}, shear: [2]float64{100, 100}, nx: 21, ny: 21, dx: 0.13,
		dy: 0.13, profile: [6]float64{0.01, 0, 0.01},
		stages: []stage{{kind: 1, loads: [4]float64{6, 0, 0, 0.004}}}},
	{name: "dissimilar bodies pressed", mu: 0.2, nu: [2]float64{0.1, 0.45}, shear: [2]float64{1, 6}, nx: 23, ny: 23,
		dx: 0.12, dy: 0.12, profile: [6]float64{0.02, 0, 0.02},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{0.02}}, {kind: 1, forces: 2, loads: [4]float64{0.06}},
			{kind: 1, forces: 2, loads: [4]float64{0.1}}}},
	{name: "dissimilar bodies pressed and shifted", mu: 0.3, nu: [2]float64{0.1, 0.4}, shear: [2]float64{1, 4}, nx: 23,
		ny: 23, dx: 0.12, dy: 0.12, profile: [6]float64{0.02, 0, 0.02},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{0.08}}, {kind: 1, forces: 2, loads: [4]float64{0.08, 0.6, 0.2}}}},
	{name: "steady, creepage along", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 25,
		ny: 25, dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 3, loads: [4]float64{10000, -0.0012}, way: 0.3}}},
	{name: "steady, creepage across", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 25,
		ny: 25, dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 3, loads: [4]float64{10000, 0, 0.0009}, way: 0.3}}},
	{name: "steady, spin", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 25, ny: 25,
		dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 3, loads: [4]float64{10000, 0, 0, 0.0008}, way: 0.3}}},
	{name: "steady, all three", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 25, ny: 25,
		dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 3, loads: [4]float64{10000, 0.0006, -0.0005, 0.0005}, way: 0.3}}},
	{name: "steady, force along and creepage across", mu: 0.3, nu: [2]float64{0.28, 0.28},
		shear: [2]float64{82000, 82000}, nx: 25, ny: 25, dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 3, forces: 1, loads: [4]float64{10000, 0.55, 0.0003}, way: 0.3}}},
	{name: "steady, dissimilar bodies", mu: 0.2, nu: [2]float64{0.1, 0.45}, shear: [2]float64{30000, 80000}, nx: 25,
		ny: 25, dx: 0.3, dy: 0.3, profile: [6]float64{0.002, 0, 0.002},
		stages: []stage{{kind: 3, loads: [4]float64{10000, -0.0008}, way: 0.3}}},
	{name: "steady, sliding", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 25, ny: 25,
		dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 3, loads: [4]float64{10000, -0.02, 0.01}, way: 0.3}}},
	{name: "transient, creepage from rest", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000},
		nx: 25, ny: 25, dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{10000}},
			{kind: 2, loads: [4]float64{10000, -0.001, 0.0004}, way: 0.3},
			{kind: 2, loads: [4]float64{10000, -0.001, 0.0004}, way: 0.3}, {kind: 2, loads: [4]float64{10000, -0.001, 0.0004}, way: 0.3}}},
	{name: "transient, load and spin change", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000},
		nx: 25, ny: 25, dx: 0.3, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{8000}},
			{kind: 2, loads: [4]float64{9000, 0, 0, 0.0006}, way: 0.3},
			{kind: 2, loads: [4]float64{10000, 0, 0, 0.0008}, way: 0.3}, {kind: 2, loads: [4]float64{9000, 0, 0, 0.0008}, way: 0.3}}},
	{name: "cylinder, steady, dissimilar", mu: 0.15, nu: [2]float64{0.31, 0.28}, shear: [2]float64{23000, 82000},
		nx: 60, ny: 1, dx: 0.04, dy: 200, profile: [6]float64{0.001},
		stages: []stage{{kind: 3, loads: [4]float64{20000, -0.0001}, way: 0.04}}},
	{name: "waves in several patches, shifted", mu: 0.35, nu: [2]float64{0.3, 0.3}, shear: [2]float64{1000, 1000},
		nx: 37, ny: 25, dx: 0.11, dy: 0.12, profile: [6]float64{0.004, 0, 0.01}, waves: [4]float64{0.006, 5, 0.004, 9},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{60, 0.4, -0.3}}}},
	{name: "waves, dissimilar bodies pressed", mu: 0.25, nu: [2]float64{0.1, 0.4}, shear: [2]float64{500, 3000}, nx: 37,
		ny: 25, dx: 0.11, dy: 0.12, profile: [6]float64{0.004, 0, 0.01}, waves: [4]float64{0.006, 5, 0.004, 9},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{40, 0.2}}}},
	{name: "waves, steady, large creepages and spin", mu: 0.3, nu: [2]float64{0.28, 0.28},
		shear: [2]float64{82000, 82000}, nx: 31, ny: 21, dx: 0.25, dy: 0.25, profile: [6]float64{0.001, 0, 0.002},
		waves:  [4]float64{0.003, 2, 0, 1},
		stages: []stage{{kind: 3, loads: [4]float64{9000, 0.004, -0.003, 0.004}, way: 0.25}}},
	{name: "cylinder with waves, rolling from rest", mu: 0.2, nu: [2]float64{0.28, 0.28},
		shear: [2]float64{82000, 82000}, nx: 81, ny: 1, dx: 0.03, dy: 200, profile: [6]float64{0.001, 0, 1e-30},
		waves: [4]float64{0.0002, 12, 0, 1},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{30000, 0.3}},
			{kind: 2, loads: [4]float64{30000, -0.0004}, way: 0.03}, {kind: 2, loads: [4]float64{30000, -0.0004}, way: 0.03}}},
	{name: "Tresca, shift and turn", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{200, 200}, nx: 24, ny: 18,
		dx: 0.125, dy: 0.125, ellipse: [2]float64{1.2, 0.9},
		stages: []stage{{kind: 1, loads: [4]float64{9, 0.003, -0.002, 0.001}}}},
	{name: "Tresca, sheared and back", mu: 0.4, nu: [2]float64{0.1, 0.1}, shear: [2]float64{100, 100}, nx: 24, ny: 36,
		dx: 0.1, dy: 0.1, ellipse: [2]float64{1, 1.5},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{6, 0.9, 0.1}}, {kind: 1, forces: 2, loads: [4]float64{6, -0.3, 0.2}}}},
	{name: "Tresca, rolling from rest", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000}, nx: 28,
		ny: 20, dx: 0.25, dy: 0.25, ellipse: [2]float64{2.8, 2},
		stages: []stage{{kind: 1, forces: 2, loads: [4]float64{9000, 0.2}},
			{kind: 2, loads: [4]float64{9000, -0.001, 0.0004}, way: 0.25}, {kind: 2, loads: [4]float64{9000, -0.001, 0.0004}, way: 0.25}}},
	{name: "Tresca, steady, creepages and spin", mu: 0.3, nu: [2]float64{0.28, 0.28}, shear: [2]float64{82000, 82000},
		nx: 28, ny: 20, dx: 0.25, dy: 0.25, ellipse: [2]float64{2.8, 2},
		stages: []stage{{kind: 3, loads: [4]float64{9000, 0.0008, -0.0005, 0.0004}, way: 0.25}}},
	{name: "Tresca, steady, a force and a creepage", mu: 0.2, nu: [2]float64{0.4, 0.4}, shear: [2]float64{30000, 30000},
		nx: 28, ny: 20, dx: 0.25, dy: 0.25, ellipse: [2]float64{2.8, 2},
		stages: []stage{{kind: 3, forces: 1, loads: [4]float64{9000, 0.55, 0.0003}, way: 0.25}}},
}

// input is the scene as CONTACT reads it.
func (s *scene) input() string {
	var b strings.Builder
	b.WriteString("% " + s.name + "\n")
	for i, t := range s.stages {
		history, normal := 0, 1
		if i == 0 {
			history = 2
		}
		if t.approach {
			normal = 0
		}
		rolling := ""
		if t.kind > 1 {
			rolling = fmt.Sprintf("  0.000 %.9g 30000.\n", t.way)
		}
		x, y := -float64(s.nx)*s.dx/2, -float64(s.ny)*s.dy/2
		loads := t.loads
		base, profile := 1, fmt.Sprintf("%g %g %g 0 0 0", s.profile[0], s.profile[1], s.profile[2])
		if w := s.waves; w != [4]float64{} {
			base, profile = 3, fmt.Sprintf("%g %g 0 %g %g 0 %.9g %.9g", w[0], w[1], w[2], w[3], 1/s.profile[0], 1/s.profile[2])
		}
		text := fmt.Sprintf("%.9g %.9g %.9g %.9g", loads[0], loads[1], loads[2], loads[3])
		if a := s.ellipse; a != [2]float64{} {
			window := fmt.Sprintf("   -3\n   %d %d %.9g %.9g %.9g\n", s.nx, s.ny, a[0], a[1], float64(s.nx)*s.dx/(2*a[0]))
			b.WriteString(within(window, fmt.Sprintf("%d2%d%d%d0", history, t.kind, normal, t.forces), text, s.mu,
				s.nu[0], s.nu[1], s.shear[0], s.shear[1], rolling))
			continue
		}
		b.WriteString(based(base, fmt.Sprintf("%d0%d%d%d0", history, t.kind, normal, t.forces), text, cmp.Or(s.mu, 0.3),
			s.nu[0], s.nu[1], s.shear[0], s.shear[1], rolling, s.nx, s.ny, x, y, s.dx, s.dy, profile))
	}
	return b.String() + " 0 MODULE\n"
}

// numbers are what is compared: load, approach, largest pressure, forces over μ times the load, and
// elements that touch and stick.
type numbers struct {
	load, approach, pressure, x, y float64
	contacts, sticking             int
}

// spinOffset is the part of a step by which CONTACT moves the centre of spin along the way: its
// facphi, 1/6, "mysterious additional term for spin creepage" in its source. Ours has none.
const spinOffset = 1. / 6

// solve computes the last stage.
func (s *scene) solve(ctx context.Context) (n numbers, err error) {
	elastic := func(i int) halfspace.Elastic {
		return halfspace.Elastic{Young: 2 * s.shear[i] * (1 + s.nu[i]), Poisson: s.nu[i]}
	}
	bodies, err := halfspace.ElasticPair(elastic(0), elastic(1))
	if err != nil {
		return n, err
	}
	g := halfspace.Centred(s.nx, s.ny, s.dx, s.dy)
	o, err := halfspace.NewOperator(g, halfspace.Patches{Compliance: bodies})
	if err != nil {
		return n, err
	}
	quadratic, w := halfspace.Quadratic(s.profile), s.waves
	p := halfspace.Problem{Gap: g.Sample(func(x, y float64) float64 {
		return quadratic(x, y) + w[0]*math.Sin(w[1]*x) - w[2]*math.Sin(w[3]*x)
	})}
	if s.ellipse != [2]float64{} {
		p.Threshold = s.threshold(g)
	} else if s.mu > 0 {
		p.Coefficient = make([]float64, g.Len())
		for k := range p.Coefficient {
			p.Coefficient[k] = s.mu
		}
	}
	e := halfspace.NewEvolution(o, p, accuracy)
	for _, t := range s.stages {
		moved := e.Move() // so far: loads of stages before, and creepages times ways
		var c [halfspace.Moves]halfspace.Control
		c[halfspace.MoveN] = halfspace.Control{Force: !t.approach, Value: t.loads[0]}
		if t.approach {
			c[halfspace.MoveN].Value = -t.loads[0]
		}
		for i, m := range [...]int{halfspace.MoveX, halfspace.MoveY, halfspace.TurnN} {
			c[m] = halfspace.Control{Force: i < t.forces, Value: t.loads[i+1]}
			if m == halfspace.MoveY && t.kind > 1 {
				c[m].Value += spinOffset * t.way * t.loads[3]
			}
			switch {
			case i < t.forces:
				c[m].Value *= s.mu * t.loads[0]
			case t.kind == 2:
				c[m].Value = moved[m] + c[m].Value*t.way
			}
		}
		if t.kind == 3 {
			err = e.Steady(ctx, halfspace.Creep{Roll: [2]float64{t.way}, Control: c})
		} else {
			d := halfspace.Drive{Control: c}
			if t.kind == 2 {
				d.Roll[0] = t.way
			}
			err = e.Step(ctx, d)
		}
		if err != nil {
			return n, err
		}
	}
	r := e.Result()
	move, load := e.Move(), r.Force[halfspace.MoveN]
	n = numbers{load: load, approach: -move[halfspace.MoveN], contacts: r.Contacts, sticking: r.Sticking}
	for _, v := range r.P[halfspace.N] {
		n.pressure = max(n.pressure, v)
	}
	if p.Threshold != nil { // of the elements that have a bound, not of those that press
		load = s.stages[len(s.stages)-1].loads[0]
		n = numbers{load: load}
		for k, bound := range p.Threshold {
			if bound > 0 {
				n.contacts++
			}
			if halfspace.Sticks([2]float64{r.P[halfspace.X][k], r.P[halfspace.Y][k]},
				[2]float64{r.Y[halfspace.X][k], r.Y[halfspace.Y][k]}, bound, o.Self()) {
				n.sticking++
			}
		}
	}
	if s.mu > 0 {
		n.x, n.y = r.Force[halfspace.MoveX]/(s.mu*load), r.Force[halfspace.MoveY]/(s.mu*load)
	}
	return n, nil
}

// threshold is the given bound: μ times the pressures of Hertz under the load of the last stage.
func (s *scene) threshold(g halfspace.Grid) []float64 {
	a, b := s.ellipse[0], s.ellipse[1]
	most := s.mu * 3 * s.stages[len(s.stages)-1].loads[0] / (2 * math.Pi * a * b)
	return g.Sample(func(x, y float64) float64 { return most * math.Sqrt(max(0, 1-x*x/(a*a)-y*y/(b*b))) })
}

// read takes the numbers of the last case of CONTACT's output: a line below that of their names.
func (s *scene) read(text string) (n numbers, err error) {
	lines := strings.Split(strings.NewReplacer("SHIFT X", "SHIFT_X", "SHIFT Y", "SHIFT_Y", "CREEP X", "CREEP_X",
		"CREEP Y", "CREEP_Y").Replace(text), "\n")
	below := func(heads ...string) ([]string, []string) {
		for i := len(lines) - 2; i >= 0; i-- {
			f := strings.Fields(lines[i])
			if len(f) >= len(heads) && strings.Join(f[:len(heads)], " ") == strings.Join(heads, " ") {
				return f, strings.Fields(lines[i+1])
			}
		}
		return nil, nil
	}
	number := func(names, values []string, name string) float64 {
		for i := range min(len(names), len(values)) {
			if names[i] == name {
				v, e := strconv.ParseFloat(values[i], 64)
				if e != nil {
					err = e
				}
				return v
			}
		}
		return math.NaN()
	}
	names, values := below("FN", "FX", "FY")
	n.load = number(names, values, "FN")
	x, y := number(names, values, "FX"), number(names, values, "FY")
	if s.mu > 0 {
		n.x, n.y = x/(s.mu*n.load), y/(s.mu*n.load)
	}
	if s.ellipse == [2]float64{} { // else nothing is pressed
		names, values = below("FN/G")
		n.approach, n.pressure = number(names, values, "APPROACH"), number(names, values, "PMAX")
	}
	names, values = below("NPOT", "NCON")
	n.contacts, n.sticking = int(number(names, values, "NCON")), int(number(names, values, "NADH"))
	return n, err
}

// agree prints the numbers of both programs, scene by scene.
func agree(ctx context.Context, dir, program string) error {
	fmt.Printf("| problem | load | approach | largest pressure | FX/(μFN) | FY/(μFN) | in contact | stick |\n|---|---|---|---|---|---|---|---|\n")
	for i := range scenes {
		s := &scenes[i]
		name := fmt.Sprintf("scene%d", i)
		if err := os.WriteFile(filepath.Join(dir, name+".inp"), []byte(s.input()), 0o666); err != nil {
			return err
		}
		if _, _, err := measure(dir, program, "2", name); err != nil {
			return fmt.Errorf("CONTACT: %s: %w", s.name, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, name+".out"))
		if err != nil {
			return err
		}
		theirs, err := s.read(string(text))
		if err != nil {
			return fmt.Errorf("CONTACT: %s: %w", s.name, err)
		}
		ours, err := s.solve(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		pair := func(a, b float64) string { return fmt.Sprintf("%.4g, %.4g", a, b) }
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %d, %d | %d, %d |\n", s.name, pair(theirs.load, ours.load),
			pair(theirs.approach, ours.approach), pair(theirs.pressure, ours.pressure),
			pair(theirs.x, ours.x), pair(theirs.y, ours.y), theirs.contacts, ours.contacts, theirs.sticking, ours.sticking)
	}
	return nil
}
