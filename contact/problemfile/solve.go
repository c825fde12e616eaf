package problemfile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// Solution is the answer to a problem of any kind.
type Solution struct {
	Solver     string // the method that finished
	Status     contact.Status
	Merit      float64 // [contact.Local.Merit], or the residual of the LCP or MLCP
	Tolerance  float64
	Iterations int
	Time       time.Duration // of the solve, with the reduction of a global problem
	Counts     Counts

	R []float64 // reactions; z or x of an LCP or MLCP
	U []float64 // relative velocities; w of an LCP or MLCP
	V []float64 // global unknowns; empty for the other kinds

	Lambda []float64 // reactions of the bilateral constraints of a global problem
}

// Counts are the contacts by what they do.
type Counts struct {
	Open, Stick, Slip int
}

// SolverNames lists the names that [Problem.Solve] takes: those of the methods.
func SolverNames() []string {
	var names []string
	for _, m := range contact.Methods() {
		names = append(names, m.String())
	}
	return names
}

// Applicable lists the solvers that take p: Lemke's method alone for the
// complementarity forms, where it is also what auto means, and all but it for
// laws that are not polyhedral.
func (p *Problem) Applicable() []string {
	switch p.Kind {
	case LCPKind, MLCPKind:
		return []string{"lemke"}
	}
	names := SolverNames()
	if !p.polyhedral() {
		names = slices.DeleteFunc(names, func(name string) bool { return name == contact.MethodLemke.String() })
	}
	return names
}

// polyhedral reports whether every law is, by a problem with W = 0.
func (p *Problem) polyhedral() bool {
	dim, laws := 0, []contact.Law(nil)
	if p.Kind == GlobalKind {
		dim, laws = p.Global.Dim, p.Global.Laws
	} else {
		dim, laws = p.Local.W.Dim(), p.Local.Laws
	}
	seen := map[contact.Law]bool{}
	for _, law := range laws {
		if seen[law] {
			continue
		}
		seen[law] = true
		one := contact.Local{W: &contact.Dense{D: dim, N: dim, Val: make([]float64, dim*dim)}, Q: make([]float64, dim),
			Laws: []contact.Law{law}}
		if _, err := lcp.ToMLCP(&one); err != nil {
			return false
		}
	}
	return true
}

// Solve solves p by the solver of that name ("" means auto) to the tolerance
// (0 means the default of the solver). The error is nil only if the solution
// passed the independent check; a *[contact.Error] says why a solve failed and
// comes with the best iterate, any other error means that nothing was tried.
func (p *Problem) Solve(ctx context.Context, solver string, tolerance float64) (*Solution, error) {
	o := &contact.Options{Tolerance: tolerance}
	switch p.Kind {
	case LCPKind, MLCPKind:
		if solver != "" && solver != "auto" && solver != "lemke" {
			return nil, fmt.Errorf("problemfile: solver %q does not take a problem of kind %v, want auto or lemke", solver, p.Kind)
		}
	default:
		var err error
		if o.Method, err = contact.ParseMethod(solver); err != nil {
			return nil, fmt.Errorf("problemfile: %w", err)
		}
	}
	return p.SolveWith(ctx, o)
}

// SolveWith is Solve with the options of the solvers; of an LCP or MLCP the method is always Lemke's.
func (p *Problem) SolveWith(ctx context.Context, o *contact.Options) (*Solution, error) {
	switch p.Kind {
	case LCPKind:
		return solveLCP(ctx, p.LCP, o)
	case MLCPKind:
		return solveMLCP(ctx, p.MLCP, o)
	case LocalKind:
		return solveLocal(ctx, p.Local, o, time.Now())
	case GlobalKind:
		return p.Global.solve(ctx, o)
	}
	return nil, fmt.Errorf("problemfile: a problem of kind %v cannot be solved", p.Kind)
}

// tried reports whether err is a failed solve rather than a wrong problem.
func tried(err error) bool {
	var e *contact.Error
	return err == nil || errors.As(err, &e)
}

func toleranceOf(o *contact.Options, err error) float64 {
	var e *contact.Error
	if errors.As(err, &e) {
		return e.Tolerance
	}
	return o.Tolerance
}

func solveLCP(ctx context.Context, p *lcp.LCP, o *contact.Options) (*Solution, error) {
	var res lcp.LCPResult
	start := time.Now()
	err := lcp.SolveLCP(ctx, p, o, nil, &res)
	if !tried(err) {
		return nil, err
	}
	return &Solution{Solver: res.Solver, Status: res.Status, Merit: res.Residual, Tolerance: toleranceOf(o, err),
		Iterations: res.Iterations, Time: time.Since(start), R: res.Z, U: res.W}, err
}

func solveMLCP(ctx context.Context, p *lcp.MLCP, o *contact.Options) (*Solution, error) {
	var res lcp.MLCPResult
	start := time.Now()
	err := lcp.SolveMLCP(ctx, p, o, nil, &res)
	if !tried(err) {
		return nil, err
	}
	return &Solution{Solver: res.Solver, Status: res.Status, Merit: res.Residual, Tolerance: toleranceOf(o, err),
		Iterations: res.Iterations, Time: time.Since(start), R: res.X, U: res.W}, err
}

func solveLocal(ctx context.Context, p *contact.Local, o *contact.Options, start time.Time) (*Solution, error) {
	var res contact.Result
	err := contact.SolveLocal(ctx, p, o, &contact.LocalWorkspace{}, &res)
	if !tried(err) {
		return nil, err
	}
	return &Solution{Solver: res.Solver, Status: res.Status, Merit: res.Merit, Tolerance: toleranceOf(o, err),
		Iterations: res.Iterations, Time: time.Since(start), Counts: count(p, res.U, res.R), R: res.R, U: res.U}, err
}

func (g *Global) solve(ctx context.Context, o *contact.Options) (*Solution, error) {
	start := time.Now()
	d, err := g.Local()
	if err != nil {
		return nil, err
	}
	s, err := solveLocal(ctx, d.Local, o, start)
	if s != nil {
		s.V, s.Lambda = d.Velocity(nil, s.R), d.Lambda(nil, s.R)
		s.Time = time.Since(start)
	}
	return s, err
}

// countTolerance [-] is ten times the default tolerance on the merit: less is
// not known about a reaction.
const countTolerance = 1e-7

// count classifies each contact by the piece of the projection on which
// r − ρ(u + g(u)n) lies, with ρ the inverse of the mean diagonal of W_jj: the
// apex or r_N = 0 is open, the interior is stick, the boundary is slip. What is
// below countTolerance of the largest reaction counts as zero.
func count(p *contact.Local, u, r []float64) Counts {
	var c Counts
	dim := p.W.Dim()
	diag := diagonal(p.W)
	tiny := 0.0
	for _, v := range r {
		tiny = max(tiny, countTolerance*math.Abs(v))
	}
	force := min(dim, 3) // moments have no part in the states
	for j, law := range p.Laws {
		var uj, x, y [3]float64
		copy(uj[:], u[dim*j:dim*j+force])
		rho, trace := 1.0, 0.0
		for _, d := range diag[dim*j : dim*j+force] {
			trace += d / float64(force)
		}
		if trace > 0 {
			rho = 1 / trace
		}
		g := law.Correction(&uj)
		uj[0] += g
		for k := range force {
			x[k] = r[dim*j+k] - rho*uj[k]
		}
		law.Project(&y, nil, &x)
		_, joint := law.(contact.Bilateral)
		switch {
		case joint:
			c.Stick++
		case y[0] <= tiny:
			c.Open++
		case math.Hypot(x[0]-y[0], math.Hypot(x[1]-y[1], x[2]-y[2])) <= tiny:
			c.Stick++
		default:
			c.Slip++
		}
	}
	return c
}

// diagonal returns the diagonal of w.
func diagonal(w contact.Operator) []float64 {
	dim := w.Dim()
	d := make([]float64, dim*w.Contacts())
	switch w := w.(type) {
	case *contact.Dense:
		for i := range d {
			d[i] = w.Val[i*w.N+i]
		}
	case *contact.Blocks:
		for i := range w.Contacts() {
			for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
				for e := 0; w.Col[k] == i && e < dim; e++ {
					d[dim*i+e] = w.Val[dim*dim*k+e*dim+e]
				}
			}
		}
	default:
		for i := range d {
			d[i] = 1
		}
	}
	return d
}
