package halfspace

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/signal"
)

// document is a case of the model, key by key.
type document struct {
	casefile.Document
	Window struct {
		Elements  [2]float64 `json:"elements"`
		Size      [2]float64 `json:"size"`
		Centre    [2]float64 `json:"centre"`
		Kind      string     `json:"kind"`
		Reference float64    `json:"reference"`
	} `json:"window"`
	Body     material        `json:"body"`
	On       json.RawMessage `json:"on"`
	Profile  profile         `json:"profile"`
	Friction *struct {
		Mu        json.RawMessage `json:"mu"`
		Threshold float64         `json:"threshold"`
	} `json:"friction"`
	Stress  *stressDocument    `json:"stress"`
	Control map[string]control `json:"control"`
	Rolled  json.RawMessage    `json:"rolled"`
	Steady  *[2]float64        `json:"steady"`
	Mesh    string             `json:"mesh"`
	Solver  struct {
		Gap    float64                 `json:"gap"`
		Memory casefile.MemoryDocument `json:"memory"`
	} `json:"solver"`
}

type material struct {
	Young   *float64 `json:"young"`
	Shear   *float64 `json:"shear"`
	Poisson float64  `json:"poisson"`
}

type profile struct {
	Quadratic *[6]float64 `json:"quadratic"`
	Sphere    *float64    `json:"sphere"`
	Cylinder  *float64    `json:"cylinder"`
	Cone      *float64    `json:"cone"`
	Punch     *struct {
		Radius *float64    `json:"radius"`
		Half   *[2]float64 `json:"half"`
	} `json:"punch"`
	CSV   string `json:"csv"`
	Rough *struct {
		Height   float64 `json:"height"`
		Hurst    float64 `json:"hurst"`
		Longest  float64 `json:"longest"`
		Rolloff  float64 `json:"rolloff"`
		Shortest float64 `json:"shortest"`
		Seed     float64 `json:"seed"`
	} `json:"rough"`
}

type control struct {
	Approach json.RawMessage `json:"approach"`
	Shift    json.RawMessage `json:"shift"`
	Load     json.RawMessage `json:"load"`
	Creepage json.RawMessage `json:"creepage"`
}

// Case is a case of the model made ready to run.
type Case struct {
	Operator  *halfspace.Operator
	Problem   halfspace.Problem
	Options   halfspace.Options
	Pair      halfspace.Compliance
	rough     *halfspace.Statistics
	mu        float64
	threshold float64 // where the bodies press [Pa]
	probe     *probe  // nil: no stress is asked for
	highest   float64 // of the undeformed gaps, its size
	controls  [halfspace.Moves]driven
	rolled    signal.Vector // nil: at rest
	steady    *[2]float64
	periodic  bool
	coarse    *Case        // of every second element; nil: none, since
	unjudged  string       // … empty: the elements are given
	coarser   func() *Case // of every fourth element; nil: none
	plan      run.Plan
}

// driven is a prescribed displacement or load of the upper body; the zero value is rest.
type driven struct {
	load  bool
	value signal.Scalar // nil: 0
}

// Plan returns what all cases have.
func (c *Case) Plan() *run.Plan { return &c.plan }

type builder struct {
	*casefile.Builder
	doc document
}

// build makes a case ready to run.
func build(ctx context.Context, k *casefile.Case) (run.Case, error) {
	b := &builder{}
	b.Builder = casefile.NewBuilder(ctx, k, &b.doc)
	b.SetLimit(b.doc.Solver.Memory)
	c := b.model()
	if err := b.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

func (b *builder) model() *Case {
	d := &b.doc
	steps := b.EqualSteps(&d.Document)
	c := &Case{Options: halfspace.Options{Gap: d.Solver.Gap}, steady: d.Steady, periodic: d.Window.Kind == "periodic"}
	w := &d.Window
	nx, ny := int(w.Elements[0]), int(w.Elements[1])
	g := halfspace.Centred(nx, ny, w.Size[0]/w.Elements[0], w.Size[1]/w.Elements[1])
	g.X0, g.Y0 = g.X0+w.Centre[0], g.Y0+w.Centre[1]
	c.plan = run.NewPlan(b.Builder, &d.Document, steps)
	c.plan.Need, c.plan.Layout, c.plan.Subject = need(nx, ny, d.Friction != nil && d.Steady == nil && d.Rolled == nil,
		d.Mesh != refinement.Given), layout(nx*ny, d.Steady != nil), "element "
	c.plan.Need.Add("stress", d.Stress.need(int64(nx)*int64(ny)))
	if err := b.Limit.Check(c.plan.Need, "fewer elements"); err != nil {
		b.Exceeded(casefile.Path{"window", "elements"}, err)
	}
	if b.Any() {
		return nil
	}
	c.Problem.Pole = w.Centre
	var measured []float64
	c.Problem.Gap, measured = b.profile(g)
	for _, h := range c.Problem.Gap {
		c.highest = max(c.highest, math.Abs(h))
	}
	b.friction(c, g.Len())
	b.controls(c)
	b.checkDriven(c)
	c.plan.Notes = b.Notes
	c.plan.ResolveNodes(b.Builder)
	c.plan.Expect = b.Expectations(&d.Document, quantities.Quantities(), 3,
		func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
	pair, upper, lower, ok := b.pair()
	if !ok || b.Any() {
		return nil
	}
	if c.probe = b.probe(g, upper, lower); b.Any() {
		return nil
	}
	if c.probe != nil {
		c.plan.Layout.Sheets = slices.Insert(c.plan.Layout.Sheets, len(c.plan.Layout.Sheets)-1, c.probe.sheet())
	}
	c.plan.Layout.Picture = newPicture(c, g)
	c.Pair, c.plan.Files = pair, b.Files
	c.Operator = b.operator(g, pair)
	switch {
	case b.Any():
		return nil
	case d.Mesh == refinement.Given:
		c.plan.Accept = append(slices.Clone(c.plan.Accept), refinement.Subject)
	default:
		if c.coarse, c.unjudged = b.coarsen(c, g, measured); c.coarse != nil {
			c.coarser = func() *Case { return b.coarser(c, g, measured) }
		}
	}
	if d.Profile.Rough != nil && c.Problem.Gap != nil {
		s := halfspace.Roughness(g, c.Problem.Gap)
		c.rough = &s
	}
	return c
}

// operator makes that of the window's kind.
func (b *builder) operator(g halfspace.Grid, pair halfspace.Compliance) *halfspace.Operator {
	w := &b.doc.Window
	at := casefile.Path{"window"}
	var o *halfspace.Operator
	var err error
	switch w.Kind {
	case "plane strain":
		reference := w.Reference
		if reference == 0 {
			reference = 10 * w.Size[0]
		}
		o, err = halfspace.NewOperator(g, halfspace.PlaneStrain{Compliance: pair, Reference: reference})
	case "periodic":
		o, err = halfspace.NewPeriodic(g, pair)
		if b.doc.Control["normal"].Load == nil {
			b.Add(casefile.Path{"control", "normal"}, "a periodic window has no mean displacement, want a load")
		}
		if b.doc.Steady != nil || b.doc.Rolled != nil {
			b.Add(at.With("kind"), "a periodic window does not roll")
		}
	default:
		o, err = halfspace.NewOperator(g, halfspace.Patches{Compliance: pair})
	}
	b.Accept(at, err)
	return o
}

// need predicts the memory: the table of the influence, spectra and fields of transforms on a
// doubled grid, and the vectors of the solver, twice if there is a twin; all of it again on every
// second element, if coarse.
func need(nx, ny int, twin, coarse bool) memory.Estimate {
	n := int64(nx) * int64(ny)
	var e memory.Estimate
	e.Add("influence", 6*8*n)
	e.Add("transforms", (6*4+3*2*4)*8*n)
	tractions := (14*3 + 40) * 8 * n
	e.Add("tractions", tractions)
	if twin {
		e.Add("twin", tractions)
	}
	if coarse {
		own := need(halved(nx), halved(ny), false, false)
		e.Add("mesh", own.Total())
	}
	return e
}

// elastic is a material.
func (b *builder) elastic(p casefile.Path, m material) (halfspace.Elastic, bool) {
	switch {
	case (m.Young == nil) == (m.Shear == nil):
		b.Add(p, "want \"young\" or \"shear\", one of them")
		return halfspace.Elastic{}, false
	case m.Shear != nil:
		return halfspace.Elastic{Young: 2 * *m.Shear * (1 + m.Poisson), Poisson: m.Poisson}, true
	}
	return halfspace.Elastic{Young: *m.Young, Poisson: m.Poisson}, true
}

// pair decodes the two bodies; lower is nil if it is rigid.
func (b *builder) pair() (c halfspace.Compliance, upper, lower *halfspace.Elastic, ok bool) {
	body, ok := b.elastic(casefile.Path{"body"}, b.doc.Body)
	if !ok {
		return c, nil, nil, false
	}
	if lower, ok = b.lower(body); !ok {
		return c, nil, nil, false
	}
	var err error
	if lower == nil {
		c, err = halfspace.ElasticOnRigid(body)
	} else {
		c, err = halfspace.ElasticPair(body, *lower)
	}
	return c, &body, lower, b.Accept(casefile.Path{"body"}, err)
}

// reach is the distance beyond a punch, in windows: no load bends the surface so far.
const reach = 10

// profile sums the parts of the undeformed distance; measured are those of them that are no
// formulas, nil: none.
func (b *builder) profile(g halfspace.Grid) (h, measured []float64) {
	d := &b.doc.Profile
	h = b.formulas(g)
	if d.CSV == "" && d.Rough == nil {
		return h, nil
	}
	smooth := slices.Clone(h)
	if d.CSV != "" {
		b.heights(h, g)
	}
	if r := d.Rough; r != nil {
		z, err := halfspace.Rough{Hurst: r.Hurst, Longest: r.Longest, Rolloff: r.Rolloff, Shortest: r.Shortest,
			Height: r.Height, Seed: uint64(r.Seed)}.Heights(g)
		if b.Accept(casefile.Path{"profile", "rough"}, err) {
			for k := range h {
				h[k] += z[k]
			}
		}
	}
	for k := range smooth {
		smooth[k] = h[k] - smooth[k]
	}
	return h, smooth
}

// formulas sums the parts of the distance that are formulas.
func (b *builder) formulas(g halfspace.Grid) []float64 {
	d, w := &b.doc.Profile, &b.doc.Window
	h := make([]float64, g.Len())
	far := reach * (w.Size[0] + w.Size[1])
	add := func(f halfspace.Profile) {
		for k := range h {
			x, y := g.At(k)
			h[k] += f(x, y)
		}
	}
	if d.Quadratic != nil {
		add(halfspace.Quadratic(*d.Quadratic))
	}
	if d.Sphere != nil {
		add(halfspace.Quadratic([6]float64{0.5 / *d.Sphere, 0, 0.5 / *d.Sphere}))
	}
	if d.Cylinder != nil {
		add(halfspace.Quadratic([6]float64{0.5 / *d.Cylinder}))
	}
	if d.Cone != nil {
		add(halfspace.Cone(*d.Cone))
	}
	if d.Punch != nil && d.Punch.Radius != nil {
		add(halfspace.RoundPunch(*d.Punch.Radius, far))
	}
	if d.Punch != nil && d.Punch.Half != nil {
		add(halfspace.RectangularPunch(d.Punch.Half[0], d.Punch.Half[1], far))
	}
	return h
}

// heights adds the numbers of a file.
func (b *builder) heights(h []float64, g halfspace.Grid) {
	p, name := casefile.Path{"profile", "csv"}, b.doc.Profile.CSV
	f, err := b.Open(name)
	if err != nil {
		b.Add(p, "%v", err)
		return
	}
	defer f.Close() // read only
	r := csv.NewReader(signal.WithoutMark(f))
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace, r.Comment = g.NX, true, true, '#'
	for j := range g.NY {
		row, err := r.Read()
		if err != nil {
			b.Add(p, "line %d of %s: %v, want %d lines of %d numbers", j+1, name, err, g.NY, g.NX)
			return
		}
		for i, field := range row {
			v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
			if err != nil || casefile.InRange(v) != nil {
				b.Add(p, "line %d of %s: found %q, want %s", j+1, name, casefile.Abbreviate(field), casefile.InRangeWords)
				return
			}
			h[i+j*g.NX] += v
		}
	}
	if _, err := r.Read(); err != io.EOF {
		b.Add(p, "%s has more than %d lines, those of the window", name, g.NY)
	}
}

// friction decodes the law.
func (b *builder) friction(c *Case, n int) {
	if b.doc.Friction == nil {
		return
	}
	p := casefile.Path{"friction", "mu"}
	mu := [2]float64{}
	switch raw := b.doc.Friction.Mu; {
	case raw == nil:
	case raw[0] == '[':
		if !b.Decode(p, raw, &mu) {
			return
		}
	default:
		mu[0] = b.Number(p, raw)
		mu[1] = mu[0]
	}
	if c.threshold = b.doc.Friction.Threshold; c.threshold > 0 {
		c.Problem.Threshold, c.Problem.Touching = slices.Repeat([]float64{c.threshold}, n), true
	}
	switch {
	case mu == [2]float64{}:
		return // none
	case mu[0] == 0 || mu[1] == 0:
		b.Add(p, "found %v, want friction in both directions or in none", mu)
		return
	}
	c.mu = mu[0]
	c.Problem.Ratio = mu[1] / mu[0]
	c.Problem.Coefficient = slices.Repeat([]float64{mu[0]}, n)
}

// directions are the keys of the control, in the order of the moves.
var directions = [halfspace.Moves]string{halfspace.MoveX: "x", halfspace.MoveY: "y", halfspace.MoveN: "normal",
	halfspace.TurnX: "tilt_x", halfspace.TurnY: "tilt_y", halfspace.TurnN: "spin"}

// The way of a steady state in elements. What it slips is a difference over the way, off by about
// the way itself: of Carter's cylinder the traction is .648 of the bound at ways of up to one
// element, .654 at two, .692 at ten, .897 at fifty, with thirty elements that stick. Two are what
// the mesh of twice the size, which judges this one, has anyway. Far below an element the
// difference is one of rounding.
const (
	longestWay  = 2
	shortestWay = 1e-3
)

// steadyWay refuses a way that is not about an element.
func (b *builder) steadyWay(way [2]float64) {
	w, elements := &b.doc.Window, 0.0
	for k, x := range way {
		elements = max(elements, math.Abs(x)*w.Elements[k]/w.Size[k])
	}
	switch at := (casefile.Path{"steady"}); {
	case elements == 0:
		b.Add(at, "found no way, want about an element")
	case elements > longestWay || elements < shortestWay:
		b.Add(at, "found a way of %.3g elements, want about one, %g to %g: slip is a difference over the way", elements,
			shortestWay, float64(longestWay))
	}
}

// controls decodes how the upper body is moved.
func (b *builder) controls(c *Case) {
	if b.doc.Rolled != nil {
		c.rolled = b.Vector(casefile.Path{"rolled"}, b.doc.Rolled, 2)
	}
	if c.steady != nil && c.rolled != nil {
		b.Add(casefile.Path{"steady"}, "found rolled and steady, want one of them")
	}
	if c.steady != nil {
		b.steadyWay(*c.steady)
	}
	for m, name := range directions {
		d, found := b.doc.Control[name]
		if !found {
			continue
		}
		p := casefile.Path{"control", name}
		along := m == halfspace.MoveX || m == halfspace.MoveY || m == halfspace.TurnN
		for _, k := range []struct {
			name string
			raw  json.RawMessage
			fits bool
			want string
		}{
			{"approach", d.Approach, m == halfspace.MoveN, "shift or load"},
			{"shift", d.Shift, m != halfspace.MoveN && !(along && c.steady != nil),
				fmt.Sprintf("%s or load", map[bool]string{true: "approach", false: "creepage"}[m == halfspace.MoveN])},
			{"load", d.Load, true, ""},
			{"creepage", d.Creepage, along && c.steady != nil, "shift, or the key \"steady\""},
		} {
			switch {
			case k.raw == nil:
			case !k.fits:
				b.Add(p.With(k.name), "the key %q has no effect here, want %s", k.name, k.want)
			case along && k.name == "load" && !c.frictional() && b.doc.Friction == nil:
				b.Add(p.With(k.name), "found a load along the surface, which nothing bears without friction")
			default:
				c.controls[m] = driven{k.name == "load", b.Scalar(p.With(k.name), k.raw)}
			}
		}
	}
}

// checkDriven reports bodies that nothing presses or moves, and objects to keys that have no
// effect.
func (b *builder) checkDriven(c *Case) {
	drives := len(b.Signals) > 0
	for _, v := range c.controls {
		drives = drives || v.value != nil && v.value.At(0) != 0
	}
	switch {
	case b.Any():
	case !drives:
		b.Note("$.control: nothing happens: all loads and motions are zero")
	case !c.frictional() && b.doc.Friction == nil:
		b.noteAlong(c, "has no effect: there is no friction, by which a surface would take the other along")
	case c.frictional() && string(b.doc.On) == `"similar"` && c.rolled == nil && c.steady == nil && !c.along():
		b.Note("$.friction has no effect: nothing moves along the surface, and bodies of one material that are pressed do not slip")
	case b.doc.Window.Reference != 0 && b.doc.Window.Kind != "plane strain":
		b.Add(casefile.Path{"window", "reference"}, "it has no effect: only a window of the kind \"plane strain\" has one")
	}
}

// alongs are the controls of motions along the surface.
var alongs = []int{halfspace.MoveX, halfspace.MoveY, halfspace.TurnN}

// along reports whether the surfaces are sheared, or told to be at rest.
func (c *Case) along() bool {
	return slices.ContainsFunc(alongs, func(m int) bool { return c.controls[m].value != nil })
}

// noteAlong notes motions along the surface that change.
func (b *builder) noteAlong(c *Case, why string) {
	for _, m := range alongs {
		v := c.controls[m].value
		if _, still := v.(signal.Constant); v != nil && !still {
			b.Note("$.control.%s %s", directions[m], why)
		}
	}
}

// drive is what the controls ask for at a time, the step having begun at an earlier one.
func (c *Case) drive(before, t float64) halfspace.Drive {
	var d halfspace.Drive
	for m, v := range c.controls {
		if v.value == nil {
			continue
		}
		// Loads are on the upper body, which the contact balances; approach is −ξ_n.
		d.Control[m] = halfspace.Control{Force: v.load, Value: v.value.At(t)}
		if balanced := m != halfspace.MoveN; v.load == balanced {
			d.Control[m].Value = -d.Control[m].Value
		}
	}
	if c.rolled != nil && t > before {
		for a := range d.Roll {
			d.Roll[a] = c.rolled[a].At(t) - c.rolled[a].At(before)
		}
	}
	return d
}
