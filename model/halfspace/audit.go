package halfspace

import (
	"context"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// audit certifies the files of a run without its solver: at the times that have all
// elements one product with the operator gives the gaps, and duality what the pressures
// lack; at every row loads and moves are what the case prescribes.
type audit struct {
	*run.Audit
	c                                       *Case
	move, load, shots                       *run.Sheet
	energy                                  run.Rows[energies]
	certificate                             run.Rows[node]
	clock                                   *run.Clocks
	control, sums, stated                   *run.Check
	push, cone, gap, depth, resultant, same *run.Check
	slip, against, elastic, tensor, way     *run.Check
	stress                                  *run.Sheet // nil: none
	before                                  surface
	shifted                                 *halfspace.Operator
	rolled                                  [2]float64
	more                                    bool
	shot                                    int
	exchanged                               float64
	edge                                    bool // a contact reaches that of the window
}

// Audit certifies the files of a run.
func (c *Case) Audit(ctx context.Context, a *run.Audit) error {
	x := &audit{Audit: a, c: c}
	x.move, x.load, x.shots = x.Sheet(table.TrajectoryFile), x.Sheet(table.ForcesFile), x.Sheet(table.ElementsFile)
	x.energy.Sheet, x.certificate.Sheet = x.Sheet(table.EnergiesFile), x.Sheet(table.CertificatesFile)
	if c.probe != nil {
		x.stress = x.Sheet(table.StressFile)
	}
	x.clock = x.Clocks(x.move, x.load, x.energy.Sheet, x.certificate.Sheet)
	x.control = x.Check("control", "prescribed moves and loads are those of the case, relative", "")
	x.sums = x.Check("energy", "elastic energy + dissipation − work is the residual of the row", "J")
	x.stated = x.Check("", "certificates.csv has duality gaps below the solver's", "")
	x.push = x.Check("contact", "bodies push and do not pull", "Pa")
	x.cone = x.Check("", "friction is at most μ p", "Pa")
	x.resultant = x.Check("", "tractions add up to the loads, relative", "")
	x.same = x.Check("", "gaps are those of the tractions", "m")
	x.depth = x.Check("", "no surface is inside the other", "m")
	x.elastic = x.Check("energy", "elastic energy is that of the tractions", "J")
	x.slip = x.Check("contact", "slips are those of tractions and moves", "m")
	if c.probe != nil {
		x.tensor = x.Check("", "stress is that of the tractions", "Pa")
	}
	x.way = x.Check("between", "what the way between two nodes lacks is what certificates.csv says", "J")
	x.against = x.Check("duality", "friction acts against slip, at its bound: Σ g|slip| + p·slip beside the elastic energy", "")
	x.gap = x.Check("", "where surfaces press they touch: Σ p·gap beside the elastic energy", "")
	if c.twinned() {
		x.Stated(twinName)
	}
	if c.coarse != nil {
		x.Stated(refinement.Groups(c.compared(), against)...)
	} else {
		x.Accurate(c.meshUnsaid())
	}
	if c.steady != nil || c.rolled != nil {
		x.Blind() // the work of the loads
	}
	err := x.walk(ctx)
	if x.edge {
		x.Accurate(cutOff())
	}
	return err
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
				if err := x.surface(); err != nil {
					return err
				}
			} else if x.Plan.Every == 1 {
				x.clock.Check.Fail(x.shots.Times())
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
	x.Note("the files have all elements at %d of %d times: tractions are certified there, loads, moves and sums of energies at all; slips at those that follow a time with all elements",
		x.shot, x.move.Row+1)
	return nil
}

// writtenDigits is the rounding of sums over written numbers, relative.
const writtenDigits = 1e-9

// productDigits is the rounding of a product by transforms, of the largest displacement: some ulps
// for each of their stages.
const productDigits = 64 * 0x1p-52

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
	e := x.energy.Now()
	x.exchanged = max(x.exchanged, math.Abs(e.Elastic), math.Abs(e.Dissipation), math.Abs(e.External))
	if x.c.steady == nil {
		x.sums.AtMost(e.Elastic+e.Dissipation-e.External-e.Residual, writtenDigits*x.exchanged, x.energy.In("residual"))
	}
	limit := x.c.Options.Gap
	if limit == 0 {
		limit = halfspace.DefaultGap
	}
	x.stated.AtMost(x.certificate.Now().Gap, gapFactor*limit*x.share(), x.certificate.In("gap"))
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

// largest is the size of the largest component of a field.
func largest(u halfspace.Field) (most float64) {
	for _, part := range u {
		most = max(most, floats.Norm(part, math.Inf(1)))
	}
	return most
}

// surface is what slips of the next time are relative to.
type surface struct {
	row     int // 0: none yet, else one more than that of the node
	t       float64
	p, u, y halfspace.Field
	bound   []float64
	move    [halfspace.Moves]float64
	lacks   float64 // unbalanced so far
}

// surface looks at all elements of a time.
func (x *audit) surface() error {
	g, v := x.c.Operator.Grid(), x.shots.Now
	n := g.Len()
	p, u := halfspace.NewField(n), halfspace.NewField(n)
	most, total := 0.0, 0.0
	for k := range n {
		e := v[len(parts)*k:]
		p[halfspace.N][k], p[halfspace.X][k], p[halfspace.Y][k] = e[0], e[1], e[2]
		most, total = max(most, e[0]), total+e[0]
	}
	x.edge = x.edge || x.c.atEdge(p[halfspace.N]) > 0
	x.c.Operator.Product(u, p)
	energy, gap, depth, arms := 0.0, 0.0, 0.0, 0.0
	var sums [halfspace.Moves]float64
	turn := x.move.Now
	for k := range n {
		e := v[len(parts)*k:]
		at := x.shots.At(len(parts) * k)
		x.push.AtMost(max(0, -e[0]), writtenDigits*most, at)
		x.cone.AtMost(max(0, math.Hypot(e[1], e[2]/x.c.ratio())-x.c.bound(e[0])), writtenDigits*max(most, x.c.threshold), at)
		px, py := g.At(k)
		px, py = px-x.c.Problem.Pole[0], py-x.c.Problem.Pole[1]
		y := x.c.Problem.Gap[k] + u[halfspace.N][k] + turn[halfspace.MoveN] + turn[halfspace.TurnX]*py - turn[halfspace.TurnY]*px
		// Rounding of a product and of written digits, of the largest displacement.
		x.same.AtMost(y-e[gapPart], writtenDigits*(x.c.highest+math.Abs(turn[halfspace.MoveN])+
			math.Abs(u[halfspace.N][k])), x.shots.At(len(parts)*k+gapPart))
		depth = max(depth, -y)
		gap += e[0] * y
		for c := range p {
			energy += u[c][k] * p[c][k] / 2
		}
		arms = max(arms, math.Abs(px), math.Abs(py))
		sums[halfspace.MoveX] += p[halfspace.X][k]
		sums[halfspace.MoveY] += p[halfspace.Y][k]
		sums[halfspace.MoveN] += e[0]
		sums[halfspace.TurnX] += e[0] * py
		sums[halfspace.TurnY] -= e[0] * px
		sums[halfspace.TurnN] += p[halfspace.Y][k]*px - p[halfspace.X][k]*py
	}
	x.shot++
	x.elastic.AtMost(energy*g.Area()-x.energy.Now().Elastic, writtenDigits*x.energy.Now().Elastic, x.shots.Times())
	if err := x.along(p, u, energy); err != nil {
		return err
	}
	if err := x.tensors(p); err != nil {
		return err
	}
	if energy > 0 {
		x.gap.AtMost((gap+2*depth*total)/energy, gapFactor*max(x.c.Options.Gap, halfspace.DefaultGap)*x.share(), x.shots.Times())
		x.depth.AtMost(depth, energy/total*1e-6, x.shots.Times()) // far below the approach that the energy stands for
	}
	size := total * g.Area() * max(1, x.c.mu)
	for m, sum := range sums {
		found, arm := x.load.Now[m], 1.0
		if m != halfspace.MoveN {
			found = -found
		}
		if m >= halfspace.TurnX {
			arm = arms
		}
		x.resultant.AtMost(sum*g.Area()-found, writtenDigits*size*arm, x.load.At(m))
	}
	return nil
}

// along looks at the slips of a step, if the tables have all elements before it, and at
// what friction lacks on the way.
func (x *audit) along(p, u halfspace.Field, energy float64) error {
	g, v := x.c.Operator.Grid(), x.shots.Now
	now := surface{row: x.move.Row + 1, t: x.move.T, p: p, u: u, y: halfspace.NewField(g.Len()),
		bound: make([]float64, g.Len()), lacks: x.certificate.Now().Unbalanced}
	copy(now.move[:], x.move.Now)
	old := x.before
	for k := range g.Len() {
		e := v[len(parts)*k:]
		now.bound[k] = x.c.bound(e[0])
		now.y[halfspace.X][k], now.y[halfspace.Y][k], now.y[halfspace.N][k] = e[3], e[4], e[gapPart]
	}
	x.before = now
	if (old.row != now.row-1 || x.Plan.Every != 1) && x.c.steady == nil {
		return nil
	}
	brought, moved, err := x.brought(&old, &now)
	if err != nil {
		return err
	}
	rounding := productDigits * largest(u)
	q, across, lacks := x.c.ratio(), 0.0, 0.0
	friction := 0.0
	for k, bound := range now.bound {
		px, py := g.At(k)
		px, py = px-x.c.Problem.Pole[0], py-x.c.Problem.Pole[1]
		rigid := [2]float64{moved[halfspace.MoveX] - moved[halfspace.TurnN]*py, moved[halfspace.MoveY] + moved[halfspace.TurnN]*px}
		var y [2]float64
		for c := range y {
			y[c] = u[c][k] + rigid[c]
			size := math.Abs(u[c][k]) + math.Abs(now.move[c]) + math.Abs(now.move[halfspace.TurnN])*(math.Abs(px)+math.Abs(py))
			if brought[c] != nil {
				y[c] -= brought[c][k]
				size += math.Abs(brought[c][k])
			}
			x.slip.AtMost(y[c]-now.y[c][k], writtenDigits*size+rounding, x.shots.At(len(parts)*k+3+c))
		}
		friction += bound*math.Hypot(y[0], q*y[1]) + p[halfspace.X][k]*y[0] + p[halfspace.Y][k]*y[1]
		if old.row > 0 && old.row == now.row-1 {
			across += old.p[halfspace.N][k]*now.y[halfspace.N][k] + p[halfspace.N][k]*old.y[halfspace.N][k]
			lacks += old.bound[k]*math.Hypot(y[0], q*y[1]) + old.p[halfspace.X][k]*y[0] + old.p[halfspace.Y][k]*y[1]
		}
	}
	if energy > 0 {
		x.against.AtMost(friction/energy, gapFactor*max(x.c.Options.Gap,
			halfspace.DefaultGap)*x.share()*(1+x.c.tresca(p[halfspace.N])), x.shots.Times())
	}
	if old.row > 0 && x.c.steady == nil && x.c.rolled == nil {
		row := x.certificate.Now()
		x.way.AtMost(max(0, across*g.Area()/4-row.Between), writtenDigits*x.exchanged, x.certificate.In("between"))
		x.way.AtMost(lacks*g.Area()/2-(row.Unbalanced-old.lacks), writtenDigits*x.exchanged, x.certificate.In("unbalanced"))
	}
	return nil
}

// brought are the displacements that the material at the elements had before the step,
// nil: none, and the moves of the step along the surface.
func (x *audit) brought(old, now *surface) (u halfspace.Field, moved [halfspace.Moves]float64, err error) {
	moved = now.move
	way, from := [2]float64{}, old.p
	switch {
	case x.c.steady != nil:
		way, from = *x.c.steady, now.p
		for m := range moved {
			moved[m] *= math.Hypot(way[0], way[1])
		}
	case old.row == 0:
		return u, moved, nil
	default:
		for m := range moved {
			moved[m] -= old.move[m]
		}
		if x.c.rolled != nil {
			way = x.c.drive(old.t, now.t).Roll
		}
	}
	if way == [2]float64{} {
		return old.u, moved, nil
	}
	if x.shifted == nil || x.rolled != way {
		if x.shifted, err = x.c.Operator.Shifted(way[0], way[1]); err != nil {
			return u, moved, err
		}
		x.rolled = way
	}
	u = halfspace.NewField(x.c.Operator.Grid().Len())
	x.shifted.Product(u, from)
	return u, moved, nil
}

// tensors compares the stress with that of the tractions.
func (x *audit) tensors(p halfspace.Field) error {
	if x.stress == nil {
		return nil
	}
	for more := true; more && (x.stress.Row < 0 || x.stress.T < x.shots.T); {
		var err error
		if more, err = x.stress.Next(); err != nil {
			return err
		}
	}
	if x.stress.T != x.shots.T {
		x.tensor.Fail(x.stress.Times())
		return nil
	}
	row, err := x.c.probe.row(nil, p)
	if err != nil {
		return err
	}
	largest := x.c.probe.peak(row).Mises
	for i, name := range x.c.probe.columns() {
		if strings.HasPrefix(name, "z") && !strings.HasSuffix(name, "mises") {
			continue // a place that rounding may move
		}
		x.tensor.AtMost(row[i]-x.stress.Now[i], writtenDigits*max(largest, x.size(x.shots)), x.stress.At(i))
	}
	return nil
}
