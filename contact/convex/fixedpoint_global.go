package convex

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/anderson"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	globalFixedPointName = "fixed point over thresholds"
	// globalFixedPointIterations is the default limit: at a contraction of 0.9 the
	// plain iteration gains eight digits in it, the accelerated one needs few.
	globalFixedPointIterations = 200
)

// SolveFixedPoint solves a [form.Global] problem with exact [law.Coulomb] laws (among
// [law.Frictionless] and [law.Tresca] ones) as the fixed point over the thresholds
//
//	s_j ← μ_j r_N^j(s),
//
// each iterate being the convex problem of [Solve]: Theorem 4 of
// [DoyenErn11], Lemma 4 of [PangKumarSong05]. The map contracts if friction is
// small against the stiffness, and Anderson mixing makes it converge in a few
// iterations; without contraction it may not, which is an error. The iterations
// reported are those of the convex solver, all together. For scale and the other
// arguments see Solve.
func SolveFixedPoint(ctx context.Context, p *form.Global, scale float64, o *form.Options, ws *Workspace, res *form.Result) error {
	if err := p.ValidateForces(); err != nil {
		return err
	}
	o, ws, res = num.OrNew(o), num.OrNew(ws), num.OrNew(res)
	if err := o.Validate(); err != nil {
		return err
	}
	f, err := ws.freeze(p)
	if err != nil {
		return err
	}
	tol, limit := o.ToleranceOr(newtonDefault.convexTolerance), o.MaxIterations
	if limit == 0 {
		limit = globalFixedPointIterations
	}
	inner := form.Options{Tolerance: max(0.01*tol, newtonDefault.convexTolerance), OnIteration: o.OnIteration}
	iterations, factors, status := 0, 0, form.IterationLimit
	for range limit {
		err = Solve(ctx, &f.problem, scale, &inner, ws, res)
		iterations += res.Iterations
		factors += res.Factors
		if err != nil {
			status = res.Status
			break
		}
		if change := f.evaluate(p, res.R); change <= 0.1*tol*max(num.InfNorm(res.R), scale) {
			status = form.Converged
			break
		}
		f.mixer.Next(f.strength, f.image)
		f.set()
	}
	res.Iterations, res.Factors, res.Solver = iterations, factors, globalFixedPointName
	res.Merit, res.Worst = ws.checkAll(p, scale, res)
	if status == form.Converged && !(res.Merit <= max(tol, 4*inner.Tolerance, ws.resolution)) {
		status = form.NoProgress
	}
	if res.Status = status; status == form.Converged {
		return nil
	}
	worst, err := nameJoint(p, res.Worst, err)
	return &form.Error{Status: status, Merit: res.Merit, Tolerance: tol, Iterations: iterations, Worst: worst,
		Solver: globalFixedPointName, Cause: err}
}

// frozen is a problem whose Coulomb laws are replaced by Tresca laws.
type frozen struct {
	problem         form.Global
	tresca          []law.Tresca // of the Coulomb contacts
	contact         []int        // their numbers
	mu              []float64
	strength, image []float64
	mixer           anderson.Mixer
}

// freeze sets up the frozen problem and starts its thresholds from the last
// reactions.
func (ws *Workspace) freeze(p *form.Global) (*frozen, error) {
	if ws.frozen == nil {
		ws.frozen = new(frozen)
	}
	f := ws.frozen
	f.contact, f.mu = f.contact[:0], f.mu[:0]
	laws := f.problem.Laws[:0]
	for j, law := range p.Laws {
		switch lf := form.FormOf(law); lf.Set {
		case form.KindCoulomb:
			f.add(j, lf)
		case form.KindFrictionless, form.KindTresca:
		default:
			return nil, fmt.Errorf("contact: SolveFixedPoint takes Coulomb, frictionless and Tresca laws; that of contact %d is %T", j, law)
		}
		laws = append(laws, law)
	}
	if len(f.strength) != len(f.contact) {
		n := len(f.contact)
		f.strength, f.image = make([]float64, n), make([]float64, n)
		f.mixer.Resize(n)
	}
	f.mixer.Reset()
	for k, j := range f.contact {
		laws[j] = &f.tresca[k]
	}
	f.problem = form.Global{M: p.M, F: p.F, H: p.H, W: p.W, Laws: laws, G: p.G, B: p.B}
	ws.prepare(ws.withJoints(&f.problem))
	for k, j := range f.contact {
		f.strength[k] = f.mu[k] * max(ws.rBar[j][0], 0)
	}
	f.set()
	return f, nil
}

func (f *frozen) add(j int, l law.Form) {
	k := len(f.contact)
	if k == len(f.tresca) {
		f.tresca = append(f.tresca, law.Tresca{})
	}
	f.tresca[k].Shape = l.Shape
	f.contact, f.mu = append(f.contact, j), append(f.mu, l.Bound)
}

// set puts the strengths into the laws.
func (f *frozen) set() {
	for k, s := range f.strength {
		f.tresca[k].Threshold = s
	}
}

// evaluate sets the image of the strengths and returns the largest change.
func (f *frozen) evaluate(p *form.Global, r []float64) float64 {
	change := 0.0
	for k, j := range f.contact {
		f.image[k] = f.mu[k] * max(r[p.H.Dim*j], 0)
		change = max(change, math.Abs(f.image[k]-f.strength[k]))
	}
	return change
}
