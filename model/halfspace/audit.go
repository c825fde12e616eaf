package halfspace

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// audit certifies the files of a run without its solver: at the times that have all
// elements one product with the operator gives the gaps, and duality what the pressures
// lack; at every row loads and moves are what the case prescribes.
type audit struct {
	*run.Audit
	c                                       *Case
	move, load, energy, certificate, shots  *run.Sheet
	clock                                   *run.Clocks
	control, sums, stated                   *run.Check
	push, cone, gap, depth, resultant, same *run.Check
	more                                    bool
	shot                                    int
	exchanged                               float64
}

// Audit certifies the files of a run.
func (c *Case) Audit(ctx context.Context, a *run.Audit) error {
	x := &audit{Audit: a, c: c}
	for _, f := range []struct {
		dst  **run.Sheet
		name string
	}{{&x.move, table.TrajectoryFile}, {&x.load, table.ForcesFile}, {&x.energy, table.EnergiesFile}, {&x.certificate, table.CertificatesFile}, {&x.shots, table.ElementsFile}} {
		var err error
		if *f.dst, err = x.Sheet(f.name); err != nil {
			return err
		}
	}
	x.clock = x.Clocks(x.move, x.load, x.energy, x.certificate)
	x.control = x.Check("control", "prescribed moves and loads are those of the case, relative", "")
	x.sums = x.Check("energy", "elastic energy + dissipation − work is the residual of the row", "J")
	x.stated = x.Check("", "certificates.csv has duality gaps below the solver's", "")
	x.push = x.Check("contact", "bodies push and do not pull", "Pa")
	x.cone = x.Check("", "friction is at most μ p", "Pa")
	x.resultant = x.Check("", "tractions add up to the loads, relative", "")
	x.same = x.Check("", "gaps are those of the tractions", "m")
	x.depth = x.Check("", "no surface is inside the other", "m")
	x.gap = x.Check("duality", "where surfaces press they touch: Σ p·gap beside the elastic energy", "")
	return x.walk(ctx)
}

func (x *audit) walk(ctx context.Context) error {
	var err error
	if x.more, err = x.shots.Next(); err != nil {
		return err
	}
	err = x.clock.Each(ctx, func() error {
		x.row()
		for x.more && x.shots.T <= x.move.T {
			if x.shots.T == x.move.T {
				x.surface()
			} else if x.Plan.Every == 1 {
				x.clock.Check.Fail(x.shots.At(-1))
			}
			var err error
			if x.more, err = x.shots.Next(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	x.Note("the files have all elements at %d of %d times: tractions are certified there, loads, moves and sums of energies at all; slips and the work of friction are taken as they are", x.shot, x.move.Row+1)
	return nil
}

// writtenDigits is the rounding of sums over written numbers, relative.
const writtenDigits = 1e-9

// row looks at the present row.
func (x *audit) row() {
	d := x.c.drive(x.move.T, x.move.T)
	for m, v := range x.c.controls {
		sheet, found := x.move, x.move.Now[m]
		if v.load {
			sheet, found = x.load, x.load.Now[m]
			if m != halfspace.MoveN {
				found = -found
			}
		}
		if v.value == nil || x.c.steady != nil && !v.load && m != halfspace.MoveN {
			continue
		}
		want := d.Control[m].Value
		x.control.AtMost(found-want, 1e-8*max(math.Abs(want), x.size(sheet)), sheet.At(m))
	}
	e := x.energy.Now
	x.exchanged = max(x.exchanged, math.Abs(e[0]), math.Abs(e[1]), math.Abs(e[2]))
	if x.c.steady == nil {
		x.sums.AtMost(e[0]+e[1]-e[2]-e[3], writtenDigits*x.exchanged, x.energy.At(3))
	}
	limit := x.c.Options.Gap
	if limit == 0 {
		limit = halfspace.DefaultGap
	}
	x.stated.AtMost(x.certificate.Now[0], gapFactor*limit*x.share(), x.certificate.At(0))
}

func (x *audit) share() float64 { return 1 + x.c.mu*x.c.mu*max(1, x.c.ratio()*x.c.ratio()) }

// size is the largest number of a row.
func (x *audit) size(s *run.Sheet) float64 {
	most := 0.0
	for _, v := range s.Now {
		most = max(most, math.Abs(v))
	}
	return most
}

// surface looks at all elements of a time.
func (x *audit) surface() {
	g, v := x.c.Operator.Grid(), x.shots.Now
	n := g.Len()
	p, u := halfspace.NewField(n), halfspace.NewField(n)
	most, total := 0.0, 0.0
	for k := range n {
		e := v[len(parts)*k:]
		p[halfspace.N][k], p[halfspace.X][k], p[halfspace.Y][k] = e[0], e[1], e[2]
		most, total = max(most, e[0]), total+e[0]
	}
	x.c.Operator.Product(u, p)
	energy, gap, depth := 0.0, 0.0, 0.0
	var sums [3]float64
	turn := x.move.Now
	for k := range n {
		e := v[len(parts)*k:]
		at := x.shots.At(len(parts) * k)
		x.push.AtMost(max(0, -e[0]), writtenDigits*most, at)
		x.cone.AtMost(max(0, math.Hypot(e[1], e[2]/x.c.ratio())-x.c.mu*e[0]), writtenDigits*most, at)
		px, py := g.At(k)
		px, py = px-x.c.Problem.Pole[0], py-x.c.Problem.Pole[1]
		y := x.c.Problem.Gap[k] + u[halfspace.N][k] + turn[halfspace.MoveN] + turn[halfspace.TurnX]*py - turn[halfspace.TurnY]*px
		// Rounding of a product and of written digits, of the largest displacement.
		x.same.AtMost(y-e[gapPart], writtenDigits*(x.c.highest+math.Abs(turn[halfspace.MoveN])+math.Abs(u[halfspace.N][k])), x.shots.At(len(parts)*k+gapPart))
		depth = max(depth, -y)
		gap += e[0] * y
		for c := range sums {
			sums[c] += p[c][k] * g.Area()
			energy += u[c][k] * p[c][k] / 2
		}
	}
	x.shot++
	if energy > 0 {
		x.gap.AtMost((gap+2*depth*total)/energy, gapFactor*max(x.c.Options.Gap, halfspace.DefaultGap)*x.share(), x.shots.At(-1))
		x.depth.AtMost(depth, energy/total*1e-6, x.shots.At(-1)) // far below the approach that the energy stands for
	}
	size := total * g.Area() * max(1, x.c.mu)
	for c, m := range [3]int{halfspace.MoveX, halfspace.MoveY, halfspace.MoveN} {
		found := x.load.Now[m]
		if m != halfspace.MoveN {
			found = -found
		}
		x.resultant.AtMost(sums[c]-found, writtenDigits*size, x.shots.At(-1))
	}
}
