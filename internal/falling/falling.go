// Package falling is a sixth model, whole, for tests: a point that falls, by explicit Euler
// steps. It is all that a model has to bring.
package falling

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Model is the model.
var Model = run.Model{Name: "falling", Title: "a point that falls", Build: build, Schema: []byte(`{
  "falling": {
    "description": "A point that falls.",
    "type": "object",
    "required": ["until", "height"],
    "additionalProperties": false,
    "properties": {
      "name": {"$ref": "#/$defs/name"}, "model": {"const": "falling"}, "until": {"$ref": "#/$defs/until"}, "steps": {"$ref": "#/$defs/steps"},
      "accuracy": {"$ref": "#/$defs/accuracy"}, "output": {"$ref": "#/$defs/output"},
      "height": {"description": "Where it starts [m].", "type": "number"},
      "expect": {"description": "What a correct run shows.", "type": "array", "items": {"$ref": "#/$defs/fallingExpectation"}}
    }
  },
  "fallingExpectation": {
    "description": "A value at the end.", "type": "object", "required": ["quantity", "value", "tolerance"], "additionalProperties": false,
    "properties": {
      "quantity": {"description": "What is looked at.", "enum": ["height", "speed"]},
      "value": {"description": "Wanted.", "type": "number"}, "tolerance": {"description": "Off by at most.", "type": "number"}
    }
  }
}`)}

// weight is the acceleration of the fall [m/s²].
const weight = 9.81

type fall struct {
	height float64
	plan   run.Plan
}

func build(ctx context.Context, k *casefile.Case) (run.Case, error) {
	var d struct {
		casefile.Document
		Height float64 `json:"height"`
	}
	b := casefile.NewBuilder(ctx, k, &d)
	c := &fall{height: d.Height}
	c.plan = run.NewPlan(b, &d.Document, b.EqualSteps(&d.Document))
	c.plan.Expect = b.Expectations(&d.Document, quantities.Quantities(), 3,
		func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
	c.plan.Layout = &table.Layout{Sheets: []table.Sheet{{File: table.TrajectoryFile, Columns: []string{"point.z"},
		Of: "body"}, {File: table.VelocitiesFile, Columns: []string{"point.vz"}, Of: "body"},
		{File: table.EnergiesFile, Columns: []string{"kinetic", "potential"}, Stays: true},
		{File: table.EventsFile, Words: []string{"body", "from", "to"}, Columns: []string{"within"}, Times: table.SomeRows, Stays: true}}}
	return c, b.Err()
}

func (c *fall) Plan() *run.Plan { return &c.plan }

// state is its own state: what is exported goes into a checkpoint.
type state struct {
	c       *fall
	K       int
	Z, V    float64
	Created float64 // energy that the scheme made [J/kg]
}

func (c *fall) Start(_ context.Context, from run.Decoder) (run.Run, error) {
	r := &state{c: c, Z: c.height}
	if from != nil {
		return r, from.Decode(r)
	}
	return r, nil
}

func (r *state) Step(context.Context) error {
	h := r.c.plan.Step()
	r.K++
	r.Z, r.V = r.Z+h*r.V, r.V-h*weight
	r.Created = math.Abs(r.V*r.V/2 + weight*(r.Z-r.c.height))
	return nil
}

func (r *state) Time() float64   { return r.c.plan.Until * float64(r.K) / float64(r.c.plan.Steps) }
func (r *state) Energy() float64 { return run.Sizes(r.V*r.V/2, weight*r.Z) }
func (r *state) Save() any       { return r }

func (r *state) Row(k int, out *run.Output) error {
	if k == 1 {
		if err := out.Event(run.Event{T: r.Time(), Within: r.c.plan.Step(), Name: "point", From: "rest", To: "fall"}); err != nil {
			return err
		}
	}
	return out.Row(k, r.Time(), []float64{r.Z}, []float64{r.V}, []float64{r.V * r.V / 2, weight * r.Z})
}

var quantities = casefile.Catalogue[*state]{
	{Name: "height", Of: func(r *state) float64 { return r.Z }},
	{Name: "speed", Of: func(r *state) float64 { return math.Abs(r.V) }},
}

func (r *state) Value(x *casefile.Expectation) float64 { return quantities.Value(r, x) }

func (r *state) Verdict() []table.Fact {
	f := table.AtMost(table.Accurate, "energy made by the scheme, of the kinetic", r.Created/max(r.V*r.V/2, 1e-300),
		r.c.plan.Accuracy, "", table.Computed)
	f.Remedy = "shorter steps"
	return []table.Fact{f}
}

func (r *state) Section() any {
	return &struct {
		Height float64 `json:"height"`
	}{r.Z}
}

func (r *state) Report(p *run.Page) {
	p.Line("fallen", "%.4g m, %s", r.c.height-r.Z, p.Cost())
	p.Events()
}
func (r *state) Line() *run.Line { return &run.Line{T: r.Time()} }

func (c *fall) Audit(ctx context.Context, a *run.Audit) error {
	z := a.Sheet(table.TrajectoryFile)
	motion := a.Check("motion", "z is that of the scheme", "m")
	return a.Clocks(z).Each(ctx, func() error {
		k, h := float64(z.Row*c.plan.Every), c.plan.Step()
		motion.AtMost(z.Now[0]-c.height+weight*h*h*k*(k-1)/2, 1e-12*(1+math.Abs(c.height)), z.In("point.z"))
		return nil
	})
}

func (c *fall) Refined(steps int) (run.Case, error) {
	l := *c
	l.plan.Steps = max(1, steps)
	return &l, nil
}

func (r *state) Coordinates() []float64 { return []float64{r.Z} }
func (r *state) Measures() []run.Measure {
	return []run.Measure{{Key: "created", Name: "energy made", Unit: "J", Value: r.Created, Falls: true}}
}
