package api

import (
	"context"
	"errors"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/sensitivity"
	"github.com/quasistatic/quasistatic/sparse"
	"github.com/quasistatic/quasistatic/study"
)

// must fails the test, or returns the value.
func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// rows are n particles on springs, each on a floor, all pushed aside.
func rows(n int, l contact.Law) *contact.Global {
	b := sparse.NewBuilder(3 * n)
	for i := range 3*n - 1 {
		b.Add(i+1, i)
	}
	p := &contact.Global{M: b.Build(), F: make([]float64, 3*n), W: make([]float64, 3*n),
		H: &contact.Jacobian{Dim: 3, Rows: 3 * n, Ptr: []int{0}}}
	for i := range n {
		for d := range 3 {
			p.M.AddAt(3*i+d, 3*i+d, 5)
			p.H.Row = append(p.H.Row, 3*i+d)
			unit := make([]float64, 3)
			unit[d] = 1
			p.H.Val = append(p.H.Val, unit...)
		}
		p.F[3*i], p.F[3*i+1] = -1.5, 1
		p.H.Ptr, p.Laws = append(p.H.Ptr, 3*i+3), append(p.Laws, l)
	}
	return p
}

// sliding is a block that is pulled along a rough floor.
type sliding struct{ patch *dynamics.Patch }

func (s *sliding) Size() (nq, nv, dim int)                      { return 2, 2, 2 }
func (s *sliding) Mass(m *dynamics.Mass, q []float64)           { m.Diagonal(2, 2) }
func (s *sliding) Force(f []float64, t float64, q, v []float64) { f[0], f[1] = 10, -2*9.81 }
func (s *sliding) Contacts(c *dynamics.Contacts, q []float64) {
	c.Begin(0, s.patch)
	c.Element(q[1])
	c.Row(0, 0, 1, 0)
	c.Row(1, 1, 0, 0)
}

// unsaid is the error of a door that returns none, if it says that the context is done by what it
// returns.
func unsaid(said bool) error {
	if said {
		return context.Canceled
	}
	return nil
}

// TestCanceled calls what takes a context with one that is canceled: errors.Is finds that in
// the error, through all layers. Doors of contact, of evolutions and of motions, meshes,
// half-spaces, walks and studies.
func TestCanceled(t *testing.T) {
	live := t.Context()
	ctx, cancel := context.WithCancel(live)
	cancel()
	coulomb, tresca := contact.Coulomb{Mu: .4}, contact.Tresca{Threshold: .6}

	// Contact problems.
	var local *contact.Local
	{
		n := 40
		b := &contact.Blocks{D: 3, Ptr: []int{0}}
		local = &contact.Local{W: b, Q: make([]float64, 3*n)}
		for i := range n {
			for _, c := range []struct {
				col int
				w   float64
			}{{i - 1, -1}, {i, 2}, {i + 1, -1}} {
				if c.col >= 0 && c.col < n {
					b.Col, b.Val = append(b.Col, c.col), append(b.Val, c.w, 0, 0, 0, c.w, 0, 0, 0, c.w)
				}
			}
			b.Ptr = append(b.Ptr, len(b.Col))
			local.Q[3*i], local.Q[3*i+1] = -1, .2
			local.Laws = append(local.Laws, coulomb)
		}
	}
	pairs, mixed := &lcp.LCP{M: make([]float64, 100), Q: make([]float64, 10)}, &lcp.MLCP{Equality: make([]bool, 10)}
	for i := range 10 {
		pairs.M[11*i], pairs.Q[i] = 2.1, math.Sin(float64(7*i))
		if i > 0 {
			pairs.M[11*i-1], pairs.M[11*i-10] = -1, -1
		}
	}
	mixed.M, mixed.Q = pairs.M, pairs.Q
	file := &problemfile.Problem{Kind: problemfile.LocalKind, Local: local}
	var res contact.Result
	whole, convex := rows(40, coulomb), rows(40, tresca)
	condensed := must[*contact.Condensed](t)(contact.NewCondensed(live, convex.M, convex.H))
	plan := must[*contact.CondensedPlan](t)(contact.PlanCondensed(live, convex.M, convex.H))

	// Evolutions.
	net := func() reference.Example { return reference.Net(6, 5) }
	play := reference.Play()
	implicit := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	evolution := func(ex reference.Example) *energetic.Evolution {
		return must[*energetic.Evolution](t)(energetic.Start(live, ex.Psi, ex.Start, implicit))
	}
	stepper := func() *incremental.Stepper {
		ex := net()
		return must[*incremental.Stepper](t)(incremental.New(ex.Psi, 0, ex.Start, implicit.Step))
	}
	certifier := func() *energetic.Certifier {
		ex := net()
		return must[*energetic.Certifier](t)(energetic.NewCertifier(ex.Psi, implicit))
	}
	begun := certifier()
	if err := begun.Begin(live, 0, net().Start); err != nil {
		t.Fatal(err)
	}
	globally := func() *global.Evolution {
		return must[*global.Evolution](t)(global.Start(play.Psi, 0, play.Start, implicit.Step))
	}
	minimiser := incremental.NewMinimiser(net().Psi, 1e-12)
	z, grad := slices.Clone(net().Start), make([]float64, len(net().Start))

	// Motions.
	patch := must[*dynamics.Patch](t)(dynamics.NewRigid(coulomb, 2))
	motion := func() *dynamics.Stepper {
		return must[*dynamics.Stepper](t)(dynamics.NewStepper(&sliding{patch}, []float64{0, 0}, []float64{0, 0}, dynamics.Options{}))
	}
	world := must[*bodies.World](t)(bodies.NewWorld(3, [3]float64{0, 0, -9.81}))
	must[int](t)(world.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	must[int](t)(world.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.4, .4, .1}}, Mass: 1,
		Position: [3]float64{0, 0, .05}, Velocity: [3]float64{1}}))
	model := must[*multibody.Model](t)(multibody.NewModel(world, multibody.Setup{Material: multibody.Material{Mu: .2}}))
	sunk := must[*bodies.World](t)(bodies.NewWorld(3, [3]float64{0, 0, -9.81}))
	must[int](t)(sunk.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	must[int](t)(sunk.Add(bodies.Body{Shape: bodies.Sphere{R: 1}, Mass: 1, Position: [3]float64{0, 0, .5}}))
	deep := must[*multibody.Model](t)(multibody.NewModel(sunk, multibody.Setup{Material: multibody.Material{Mu: .2}}))
	box := func() *rigid.Stepper { return must[*rigid.Stepper](t)(rigid.NewStepper(model, rigid.Options{})) }
	mesh := must[*fem.Mesh](t)(fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 1}, Cells: []int{4, 4}}.Mesh())
	floor := must[[]fem.ContactNode](t)(fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(),
		fem.HalfSpace{Point: []float64{0, 0}, Normal: []float64{0, 1}}))
	solid := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 900, Poisson: .3, Density: 1}, Contacts: floor,
		Friction: slices.Repeat([]float64{.3}, len(floor)), V0: make([]float64, 2*mesh.NumNodes())}
	for i := range solid.V0 {
		solid.V0[i] = -1
	}
	block := func() *elastic.Stepper {
		return must[*elastic.Stepper](t)(elastic.New(live, solid, elastic.Options{Step: 1e-2}))
	}

	twinned := func() (*dynamics.Doubled, *dynamics.Stepper) {
		s := motion()
		return dynamics.NewDoubled(s, .1, 10), s
	}
	chosen := must[*dynamics.Adaptive](t)(dynamics.NewAdaptive(live, motion(), dynamics.AdaptiveOptions{Until: .1, Accuracy: .1}))
	coned := must[*rigid.Stepper](t)(rigid.NewStepper(model, rigid.Options{Pointedness: true}))
	if err := coned.Step(live, 1e-3); err != nil {
		t.Fatal(err)
	}

	// Half-spaces.
	grid := halfspace.Grid{NX: 16, NY: 16, DX: 1. / 16, DY: 1. / 16}
	compliance, _ := halfspace.ElasticOnRigid(halfspace.Elastic{Young: 1})
	operator := must[*halfspace.Operator](t)(halfspace.NewPeriodic(grid, compliance))
	window := must[*halfspace.Operator](t)(halfspace.NewOperator(grid, halfspace.Patches{Compliance: compliance}))
	gap := make([]float64, grid.Len())
	for i := range gap {
		gap[i] = 1e-3 * float64(i%7)
	}
	pressed := halfspace.Problem{Gap: gap}
	pressed.Control[halfspace.MoveN] = halfspace.Control{Force: true, Value: .01}

	// Walks.
	chain := reference.Chain(3, 1)
	plane := func() *events.Plane { return must[*events.Plane](t)(events.NewPlane(chain.Psi, chain.Start, 1)) }
	walker := func() *events.Integrator[events.Real] {
		return must[*events.Integrator[events.Real]](t)(events.NewIntegrator(must[*events.Form[events.Real]](t)(plane().Form()), 0))
	}
	nothing := func() error { return nil }
	spec := must[*study.Spec](t)(study.Parse("a.json",
		[]byte(`{"case": "play", "vary": {"friction.plane.mu": [0.1, 0.2]}, "observe": ["dissipation"]}`)))

	levels := func() *study.Work {
		return &study.Work{Plan: study.NewLevels("play", []byte(`{"name": "play"}`),
			study.Levels{Steps: 10, Levels: 2, Runs: 2}), Dir: t.TempDir(), Base: "play.json", Runner: canceling{}}
	}
	bisected := must[*study.Spec](t)(study.Parse("b.json",
		[]byte(`{"case": "play", "vary": {"friction.plane.mu": [0.1, 0.2]}, "observe": ["dissipation"], "refine": {"path": "friction.plane.mu", "to": 1e-3}}`)))
	for _, c := range []struct {
		name string
		call func() error
	}{
		{"contact.SolveLocal", func() error { return contact.SolveLocal(ctx, local, nil, nil, &res) }},
		{"contact.SolveGlobal", func() error { return contact.SolveGlobal(ctx, whole, nil, nil, &res) }},
		{"contact.SolveConvex", func() error { return contact.SolveConvex(ctx, convex, 0, nil, nil, &res) }},
		{"contact.SolveFixedPoint", func() error { return contact.SolveFixedPoint(ctx, whole, 0, nil, nil, &res) }},
		{"lcp.SolveLCP", func() error { return lcp.SolveLCP(ctx, pairs, nil, nil, new(lcp.LCPResult)) }},
		{"lcp.Lemke", func() error { return lcp.Lemke(ctx, pairs, nil, nil, new(lcp.LCPResult)) }},
		{"lcp.SolveMLCP", func() error { return lcp.SolveMLCP(ctx, mixed, nil, nil, new(lcp.MLCPResult)) }},
		{"contact.NewCondensed", func() error { _, err := contact.NewCondensed(ctx, convex.M, convex.H); return err }},
		{"contact.PlanMass", func() error { _, err := contact.PlanMass(ctx, convex.M); return err }},
		{"contact.PlanCondensed", func() error { _, err := contact.PlanCondensed(ctx, convex.M, convex.H); return err }},
		{"contact.CondensedPlan.Condense", func() error { _, err := plan.Condense(ctx, convex.M, convex.H); return err }},
		{"contact.Condensed.Solve", func() error { return condensed.Solve(ctx, convex, 0, nil, &res) }},

		{"contact.DualityGap", func() error {
			return unsaid(math.IsInf(contact.DualityGap(ctx, convex, make([]float64, 120), make([]float64, 120), nil).Force, 1))
		}},
		{"problemfile.Problem.Solve", func() error { _, err := file.Solve(ctx, "", 0); return err }},
		{"problemfile.NewRow", func() error {
			row := problemfile.NewRow(ctx, "a.dat", file, "", 0)
			return unsaid(!row.Solved() && row.Status == contact.Canceled.String())
		}},

		{"incremental.Stepper.Step", func() error { return stepper().Step(ctx, 1) }},
		{"incremental.Stepper.StepLagged", func() error { return stepper().StepLagged(ctx, 1) }},
		{"incremental.Stepper.Equilibrate", func() error { _, err := stepper().Equilibrate(ctx); return err }},
		{"incremental.Minimiser.Solve", func() error { return minimiser.Solve(ctx, 1, net().Start, z, grad, 0) }},
		{"incremental.Minimiser.SolveFrom", func() error { return minimiser.SolveFrom(ctx, 1, net().Start, net().Start, z, grad, 0) }},
		{"incremental.NewPlan", func() error { _, err := incremental.NewPlan(ctx, net().Psi, incremental.Implicit, 0); return err }},

		{"incremental.Minimiser.Gap", func() error {
			m := incremental.NewMinimiser(net().Psi, 1e-12)
			_, err := m.Gap(ctx, 1, net().Start, net().Start, grad, incremental.Sizes{Force: 1, Energy: 1, Length: 1})
			return err
		}},
		{"incremental.Minimiser.LoadCondensed", func() error {
			m := incremental.NewMinimiser(net().Psi, 1e-12)
			m.UsePlan(must[*incremental.Plan](t)(incremental.NewPlan(live, net().Psi, incremental.Implicit, 0)))
			return m.LoadCondensed(ctx, 0, net().Start, &contact.CondensedState{R: make([]float64, len(net().Start))})
		}},

		{"energetic.Start", func() error { _, err := energetic.Start(ctx, net().Psi, net().Start, implicit); return err }},
		{"energetic.Evolution.Step", func() error { return evolution(net()).Step(ctx, 1) }},
		{"energetic.Evolution.StepProbing", func() error { _, err := evolution(play).StepProbing(ctx, 1, nil); return err }},
		{"energetic.Evolution.Advance", func() error {
			_, err := evolution(play).Advance(ctx, 1, energetic.Adaptive{MaxStep: .1, MinStep: 1e-3}, nil)
			return err
		}},
		{"energetic.Certifier.Begin", func() error { return certifier().Begin(ctx, 0, net().Start) }},
		{"energetic.Certifier.Observe", func() error { return begun.Observe(ctx, .1, net().Start) }},
		{"assume.Examine", func() error {
			_, err := assume.Examine(ctx, net().Psi, net().Start, assume.Options{})
			return err
		}},
		{"energetic.Continuation", func() error {
			_, err := energetic.Continuation(ctx, play.Psi, play.Start, implicit, []float64{.1, .05}, []float64{0, .5, 1}, nil)
			return err
		}},
		{"energetic.Refine", func() error {
			_, err := energetic.Refine(ctx, play.Psi, play.Start, implicit, 1, 10, 1, nil)
			return err
		}},
		{"energetic.Converge", func() error {
			_, err := energetic.Converge(ctx, func(int) *dissipation.Coulomb { return reference.Play().Psi },
				play.Start, implicit, 1, 10, 2, nil)
			return err
		}},
		{"energetic.ChoosePartition", func() error {
			_,
				err := energetic.ChoosePartition(ctx, play.Psi, play.Start, implicit, 1)
			return err
		}},
		{"energetic.ChooseUntilLoss", func() error {
			_, err := energetic.ChooseUntilLoss(ctx, play.Psi, play.Start, implicit, 1, 4)
			return err
		}},
		{"global.Search.Run", func() error {
			_, err := must[*global.Search](t)(global.NewSearch(play.Psi, global.SearchOptions{})).Run(ctx, 0, play.Start)
			return err
		}},
		{"global.Prover.Run", func() error {
			_, err := must[*global.Prover](t)(global.NewProver(reference.Buckling().Psi)).Run(ctx, 0, reference.Buckling().Start, 1e-9, nil)
			return err
		}},
		{"global.Evolution.Advance", func() error { return globally().Advance(ctx, 1, nil) }},
		{"global.Evolution.Judge", func() error { _, err := globally().Judge(ctx); return err }},
		{"global.Evolution.Trace", func() error {
			return globally().Trace(ctx, 1, play.Start, func(*global.Jump) error { return nil })
		}},
		{"energetic.Reach", func() error {
			_, err := energetic.Reach(ctx, play.Psi, play.Start, implicit, 1, 10, nil)
			return err
		}},
		{"energetic.Evolution.LocateLoss", func() error {
			_, err := evolution(play).LocateLoss(ctx, 1, &incremental.LossError{Direction: []float64{1, 0, 0}})
			return err
		}},
		{"global.Evolution.LocateLoss", func() error {
			_, err := globally().LocateLoss(ctx, 1, &incremental.LossError{Direction: []float64{1, 0, 0}})
			return err
		}},
		{"energetic.Certifier.Lost", func() error { _, err := begun.Lost(ctx, 1); return err }},
		{"global.ResolveJump", func() error { _, err := global.ResolveJump(ctx, play.Psi, .9, play.Start, 1, 0); return err }},

		{"dynamics.Stepper.Step", func() error { return motion().Step(ctx, 1e-3) }},
		{"dynamics.Stepper.Advance", func() error { return motion().Advance(ctx, 1e-3, 1e-3) }},
		{"dynamics.NewAdaptive", func() error {
			_, err := dynamics.NewAdaptive(ctx, motion(), dynamics.AdaptiveOptions{Until: 1, Accuracy: .01})
			return err
		}},
		{"dynamics.Adaptive.Step", func() error { return chosen.Step(ctx) }},
		{"dynamics.Doubled.Step, the run", func() error {
			d, s := twinned()
			return d.Step(ctx, 0, func() error { return s.Step(ctx, .01) })
		}},
		{"dynamics.Doubled.Step, a twin", func() error {
			d, s := twinned()
			return d.Step(ctx, 0, func() error { return s.Step(live, .01) })
		}},
		{"dynamics.SolveBoundary", func() error {
			_, err := dynamics.SolveBoundary(ctx, &sliding{patch},
				&dynamics.State{Q: []float64{0, 0}, V: []float64{0, 0}},
				&dynamics.Boundary{MV: []float64{1, 0, 0, 1}, N: make([]float64, 8), B: []float64{1, 0}},
				dynamics.BoundaryOptions{H: .1, Steps: 10})
			return err
		}},
		{"rigid.NewStepperContext", func() error { _, err := rigid.NewStepperContext(ctx, deep, rigid.Options{Settle: true}); return err }},
		{"rigid.Stepper.Step", func() error { return box().Step(ctx, 1e-3) }},
		{"rigid.Stepper.Advance", func() error { return box().Advance(ctx, 1e-3, 1e-3) }},
		{"rigid.Replay.Replay", func() error {
			_, q, v, _ := box().State()
			_, err := rigid.NewReplay(box()).Replay(ctx, 1e-3, 1e-3, 0, q, v, nil)
			return err
		}},
		{"rigid.Stepper.Examine", func() error { return unsaid(box().Examine(ctx, 1e-3).Pointed == rigid.ConeUnknown) }},
		{"rigid.Stepper.Cone", func() error { verdict, _ := coned.Cone(ctx); return unsaid(verdict == rigid.ConeUnknown) }},
		{"elastic.New", func() error { _, err := elastic.New(ctx, solid, elastic.Options{Step: 1e-2}); return err }},
		{"elastic.Stepper.Step", func() error { return block().Step(ctx) }},
		{"elastic.Stepper.Advance", func() error { return block().Advance(ctx, 1e-2, 1e-2) }},
		{"elastic.Stepper.Certify", func() error { _, err := block().Certify(ctx); return err }},

		{"fem.ReadGmsh", func() error { _, err := fem.ReadGmsh(ctx, strings.NewReader(strings.Repeat("\n", 10000))); return err }},
		{"halfspace.Operator.Bounds", func() error { _, err := operator.Bounds(ctx); return err }},
		{"halfspace.Solver.Solve", func() error { return halfspace.NewSolver(operator, nil).Solve(ctx, &pressed, new(halfspace.Result)) }},
		{"halfspace.Evolution.Step", func() error {
			return halfspace.NewEvolution(operator, pressed, nil).Step(ctx, halfspace.Drive{Control: pressed.Control})
		}},
		{"halfspace.Evolution.Steady", func() error {
			return halfspace.NewEvolution(window, pressed, nil).Steady(ctx,
				halfspace.Creep{Roll: [2]float64{grid.DX}, Control: pressed.Control})
		}},
		{"events.Integrator.Integrate", func() error { return walker().Integrate(ctx, 1, nothing) }},
		{"events.Prove", func() error {
			form := must[*events.Form[events.Rational]](t)(plane().Exact(chain.Start))
			return events.Prove(ctx, must[*events.Integrator[events.Rational]](t)(events.NewIntegrator(form, 0)),
				events.NewRational(big.NewRat(1, 1)), nothing)
		}},
		{"events.Branchings", func() error { _, _, _, err := events.Branchings(ctx, walker(), 1); return err }},
		{"sensitivity.Interval", func() error {
			_, err := sensitivity.Interval(ctx, func(float64) (*events.Plane, error) { return plane(), nil }, 1, 1, 1e-9)
			return err
		}},
		{"study.Run", func() error {
			_, err := study.Run(ctx, spec, study.Options{Dir: t.TempDir(),
				Base: []byte(`{"friction": {"plane": {"mu": 0}}}`), File: "play.json", Runner: canceling{}})
			return err
		}},
		{"study.MakeLevels", func() error {
			_, err := study.MakeLevels(ctx, levels(), study.Pool{Workers: 1})
			return err
		}},
		{"study.Pool.Make", func() error {
			return study.Pool{Workers: 1}.Make(ctx, levels(), slices.Values([]int{0}), func(*study.Record) error { return nil })
		}},
		{"study.Embedded.Make", func() error {
			return (&study.Embedded{Dir: t.TempDir(), Workers: 1}).Make(ctx, levels(), slices.Values([]int{0}),
				func(*study.Record) error { return nil })
		}},
		{"study.Plan.Print", func() error { return levels().Plan.Print(ctx, io.Discard) }},
		{"study.Bisect", func() error {
			_, err := study.Bisect(ctx, bisected, study.Options{Dir: t.TempDir(),
				Base: []byte(`{"friction": {"plane": {"mu": 0}}}`), File: "play.json", Runner: canceling{}})
			return err
		}},
	} {
		if err := c.call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want one that is of the context", c.name, err)
		}
	}
}

// canceling is a runner of a study that is told to stop.
type canceling struct{}

func (canceling) Run(ctx context.Context, _ *study.Job) (*study.Outcome, error) {
	return nil, context.Cause(ctx)
}
