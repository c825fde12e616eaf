package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/signal"
)

// Boundary is the boundary-value problem (13) of [Pang05]: find the initial
// velocity v(0) with
//
//	M_v v(0) + N x(T) = b,   x = (q, v, δ),
//
// for given q(0) and δ(0). The matrices are stored row by row, nv rows. N has
// nq + nv columns, and further ones for the deformations of the patches in the
// order of [State]; without them it does not see δ.
type Boundary struct {
	MV []float64 // nv×nv
	N  []float64 // nv×(nq + nv [+ nδ])
	B  []float64 // nv

	nq, nv int
}

// BoundaryOptions are what a caller asks for. The zero value works but for the
// grid.
type BoundaryOptions struct {
	Stepper Options
	H       float64 // step > 0 [s]
	Steps   int     // T = Steps·H, at least 1
	// Grid, if not nil, says where the Steps end, which then need not be of H; T is its end.
	Grid *signal.Grid
	// Starts are guesses of v(0); the free flight through the boundary rows is
	// always tried too.
	Starts [][]float64
	// Tolerance on the largest row of (13) [units of the row]; 0 means 1e-10.
	Tolerance float64
	// MaxIntegrations of the motion, in all; 0 means 2000.
	MaxIntegrations int
	// OnIteration, if not nil, watches.
	OnIteration func(BoundaryIteration)
}

// length is that of step k, from 1.
func (o *BoundaryOptions) length(k int) float64 {
	if o.Grid == nil || o.Grid.Equal() {
		return o.H
	}
	return o.Grid.Length(k)
}

// time is T.
func (o *BoundaryOptions) time() float64 {
	if o.Grid == nil || o.Grid.Equal() {
		return o.H * float64(o.Steps)
	}
	return o.Grid.Time(o.Steps)
}

// BoundaryIteration is what OnIteration sees.
type BoundaryIteration struct {
	Start, Iteration int
	Method           string
	Residual         float64 // largest row of (13)
}

// BoundaryResult is the answer, filled on failure too (the best v(0)).
type BoundaryResult struct {
	V0           []float64
	Residual     float64 // largest row of (13), integrated anew for the certificate
	Method       string  // that found it: "fixed point" or "shooting"
	Integrations int
	Solutions    [][]float64 // distinct v(0) from the starts, V0 first
	Rate         float64     // measured contraction of the fixed point Υ; NaN if it made less than two steps
	Existence    Existence
	End          *State // x(T) of V0
	Smallness    Smallness
}

// Existence is condition (28) of Theorem 8 in [Pang05],
//
//	e^{Tψ_x} < 1 + 1/‖(M_v + N_v)⁻¹N‖,
//
// with ψ_x measured along the motion found, the least number with
// ‖x_{j+1} − x_j‖ ≤ hψ_x(1 + ‖x_j‖): the true constant is at least as large.
// The theorem needs M_v + N_v regular; where it is not, as for targets that
// prescribe positions only, Applies is false and Υ is preconditioned by the
// response in free flight, M_v + N_v + T N_q G(q0), instead.
type Existence struct {
	Applies     bool
	Rank        int     // of M_v + N_v
	Psi         float64 // ψ_x [1/s]
	Left, Right float64 // of (28)
	Holds       bool
}

// validate checks sizes and fills the dimensions.
func (b *Boundary) validate(nq, nv int) error {
	b.nq, b.nv = nq, nv
	n := len(b.N) / nv
	switch {
	case len(b.B) != nv || len(b.MV) != nv*nv:
		return fmt.Errorf("dynamics: the boundary has %d rows and M_v %d entries, want %d and %d", len(b.B), len(b.MV), nv, nv*nv)
	case len(b.N) != n*nv || n < nq+nv:
		return fmt.Errorf("dynamics: N has %d entries, want %d rows of at least %d", len(b.N), nv, nq+nv)
	case !finite(b.MV) || !finite(b.N) || !finite(b.B):
		return errors.New("dynamics: the boundary data are not finite")
	}
	return nil
}

// residual overwrites r with M_v v0 + N x(T) − b.
func (b *Boundary) residual(r, v0 []float64, x *State) {
	n := len(b.N) / b.nv
	for i := range r {
		s := -b.B[i]
		for j, v := range v0 {
			s += b.MV[i*b.nv+j] * v
		}
		row := b.N[i*n : i*n+n]
		for j, q := range x.Q {
			s += row[j] * q
		}
		for j, v := range x.V {
			s += row[b.nq+j] * v
		}
		for j, d := range x.Delta[:min(len(x.Delta), n-b.nq-b.nv)] {
			s += row[b.nq+b.nv+j] * d
		}
		r[i] = s
	}
}

// boundaryRun is one solve.
type boundaryRun struct {
	b      *Boundary
	o      BoundaryOptions
	st     *Stepper
	start  *State
	flight mat.LU // of the preconditioner
	res    *BoundaryResult
	best   float64 // residual of res.V0
	found  bool
	index  int // of the start
}

// SolveBoundary solves (13) from several starts: first by the fixed point
// v ← Υ(v) of Theorem 8 as long as it contracts, then by shooting. start holds
// q(0) and δ(0); its V is a guess too. err is nil only if the motion from
// res.V0, integrated once more, meets (13) to the tolerance; data that no v(0)
// can meet are an [*InputError].
func SolveBoundary(ctx context.Context, sys System, start *State, b *Boundary, o BoundaryOptions) (*BoundaryResult, error) {
	r, err := newBoundaryRun(sys, start, b, o)
	if err != nil {
		return nil, err
	}
	for r.index = range len(r.o.Starts) {
		if err := r.solveFrom(ctx, r.o.Starts[r.index]); err != nil {
			return r.res, err
		}
	}
	return r.res, r.certify(ctx, sys)
}

// Check returns the error of data that no v(0) can meet, without an integration.
func (b *Boundary) Check(sys System, start *State, o BoundaryOptions) error {
	_, err := newBoundaryRun(sys, start, b, o)
	return err
}

// InputError marks data that cannot be meant.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

func newBoundaryRun(sys System, start *State, b *Boundary, o BoundaryOptions) (*boundaryRun, error) {
	if !(o.H > 0) || math.IsInf(o.H, 1) || o.Steps < 1 {
		return nil, &InputError{fmt.Errorf("dynamics: a boundary-value problem on %d steps of %g s, want positive numbers", o.Steps, o.H)}
	}
	if !(o.Tolerance >= 0) {
		return nil, &InputError{fmt.Errorf("dynamics: BoundaryOptions.Tolerance is %g, want a number >= 0", o.Tolerance)}
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.MaxIntegrations == 0 {
		o.MaxIntegrations = 2000
	}
	nq, nv, _ := sys.Size()
	if err := b.validate(nq, nv); err != nil {
		return nil, &InputError{err}
	}
	st, err := NewStepper(sys, start.Q, start.V, o.Stepper)
	if err != nil {
		return nil, &InputError{err}
	}
	r := &boundaryRun{b: b, o: o, st: st, start: start.Clone(), best: math.Inf(1)}
	r.res = &BoundaryResult{Residual: math.Inf(1), Rate: math.NaN(), V0: append([]float64(nil), start.V...)}
	flight, err := r.precondition()
	if err != nil {
		return nil, &InputError{err}
	}
	free := make([]float64, nv)
	r.flightStart(free, flight)
	r.o.Starts = append([][]float64{free, start.V}, o.Starts...)
	for i, s := range o.Starts {
		if len(s) != nv || !finite(s) {
			return nil, &InputError{fmt.Errorf("dynamics: start %d has %d velocities, want %d finite ones", i, len(s), nv)}
		}
	}
	return r, nil
}

// precondition factorises M_v + N_v if that is regular, else the response in
// free flight.
func (r *boundaryRun) precondition() (flight *mat.Dense, err error) {
	b, nv, n := r.b, r.b.nv, len(r.b.N)/r.b.nv
	theorem := mat.NewDense(nv, nv, nil)
	flight = mat.NewDense(nv, nv, nil)
	time := r.o.time()
	column, unit := make([]float64, b.nq), make([]float64, nv)
	for j := range nv {
		unit[j] = 1
		r.st.qDot(column, unit)
		unit[j] = 0
		for i := range nv {
			a := b.MV[i*nv+j] + b.N[i*n+b.nq+j]
			theorem.Set(i, j, a)
			for k, g := range column {
				a += time * b.N[i*n+k] * g
			}
			flight.Set(i, j, a)
		}
	}
	if err := b.solvable(flight); err != nil {
		return nil, err
	}
	r.res.Existence.Rank = b.Rank()
	if r.res.Existence.Rank == nv {
		r.res.Existence.Applies = true
		r.res.Existence.Right = 1 + 1/r.normOf(theorem)
		r.flight.Factorize(theorem)
	} else {
		r.flight.Factorize(flight)
	}
	return flight, nil
}

// normOf returns ‖B⁻¹N‖₂.
func (r *boundaryRun) normOf(theorem *mat.Dense) float64 {
	n := len(r.b.N) / r.b.nv
	var x mat.Dense
	var svd mat.SVD
	if x.Solve(theorem, mat.NewDense(r.b.nv, n, append([]float64(nil), r.b.N...))) != nil || !svd.Factorize(&x, mat.SVDNone) {
		return math.Inf(1)
	}
	return svd.Values(nil)[0]
}

// flightStart overwrites v with the answer for q(T) = q0 + T G v, v(T) = v.
func (r *boundaryRun) flightStart(v []float64, flight *mat.Dense) {
	zero := make([]float64, r.b.nv)
	x := &State{Q: r.start.Q, V: zero, Delta: r.start.Delta}
	r.b.residual(v, zero, x)
	var lu mat.LU
	lu.Factorize(flight)
	sol := mat.NewVecDense(len(v), nil)
	if lu.SolveVecTo(sol, false, mat.NewVecDense(len(v), append([]float64(nil), v...))) == nil {
		for i := range v {
			v[i] = -sol.AtVec(i)
		}
	}
}

// shoot integrates from v0 and overwrites res with the residual of (13); it
// returns its largest entry.
func (r *boundaryRun) shoot(ctx context.Context, res, v0 []float64) (size float64, err error) {
	if r.res.Integrations >= r.o.MaxIntegrations {
		return size, errIntegrations
	}
	r.res.Integrations++
	copy(r.start.V, v0)
	if err := r.st.Restart(r.start); err != nil {
		return size, err
	}
	for k := range r.o.Steps {
		err := r.st.Step(ctx, r.o.length(k+1))
		if ctx.Err() != nil { // steps without contact do not ask
			return size, context.Cause(ctx)
		}
		if err != nil {
			return math.Inf(1), nil // this v0 leads nowhere: the search turns back
		}
	}
	r.b.residual(res, v0, r.st.State())
	return largest(res), nil
}

var errIntegrations = errors.New("dynamics: the integrations of the boundary-value problem are used up")

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		if a := math.Abs(v); a > m || a != a {
			m = a
		}
	}
	return m
}

// solveFrom runs the fixed point and, where it does not get there, the
// shooting method from one start.
func (r *boundaryRun) solveFrom(ctx context.Context, start []float64) error {
	v := append([]float64(nil), start...)
	done, err := r.fixedPoint(ctx, v)
	method := "fixed point"
	if err == nil && !done {
		method = "shooting"
		done, err = r.shooting(ctx, v)
	}
	if errors.Is(err, errIntegrations) {
		err = nil
	}
	if done {
		r.keep(v, method)
	}
	return err
}

// keep records a solution that is new.
func (r *boundaryRun) keep(v []float64, method string) {
	for _, w := range r.res.Solutions {
		d, size := 0.0, 1.0
		for i := range v {
			d, size = max(d, math.Abs(v[i]-w[i])), max(size, math.Abs(w[i]))
		}
		if d <= 1e-6*size { // the residual tolerance through a response of 1e-4
			return
		}
	}
	r.res.Solutions = append(r.res.Solutions, append([]float64(nil), v...))
	if len(r.res.Solutions) == 1 {
		copy(r.res.V0, v)
		r.res.Method, r.found = method, true
	}
}

// consider keeps the best v0 seen, for a failure.
func (r *boundaryRun) consider(v []float64, residual float64, method string) {
	if !r.found && residual < r.best {
		r.best = residual
		copy(r.res.V0, v)
		r.res.Method = method
	}
}

// certify integrates once more with a stepper of its own, measures ψ_x, and
// decides.
func (r *boundaryRun) certify(ctx context.Context, sys System) error {
	x := r.start.Clone()
	copy(x.V, r.res.V0)
	o := r.o.Stepper
	o.Smallness = true
	st, err := NewStepper(sys, x.Q, x.V, o)
	if err != nil {
		return err
	}
	if err := st.Restart(x); err != nil {
		return err
	}
	for k := range r.o.Steps {
		h := r.o.length(k + 1)
		if err := errors.Join(ctx.Err(), st.Step(ctx, h)); err != nil {
			return err
		}
		r.res.Existence.Psi = max(r.res.Existence.Psi, growth(x, st.State(), h))
		x = st.State().Clone()
	}
	res := make([]float64, r.b.nv)
	r.b.residual(res, r.res.V0, x)
	r.res.Residual, r.res.End, r.res.Smallness = largest(res), x, st.Smallness()
	e := &r.res.Existence
	e.Left = elementary.Exp(e.Psi * r.o.time())
	e.Holds = e.Applies && e.Left < e.Right
	if r.res.Residual <= r.o.Tolerance {
		return nil
	}
	return fmt.Errorf("dynamics: boundary-value problem: residual %.3g > %.3g after %d integrations from %d starts",
		r.res.Residual, r.o.Tolerance, r.res.Integrations, len(r.o.Starts))
}

// growth is ‖x' − x‖/(h(1 + ‖x‖)) of (24).
func growth(a, b *State, h float64) float64 {
	d, n := 0.0, 0.0
	sum := func(x, y []float64) {
		for i, v := range y {
			u := 0.0
			if i < len(x) {
				u = x[i]
			}
			d += (v - u) * (v - u)
			n += u * u
		}
	}
	sum(a.Q, b.Q)
	sum(a.V, b.V)
	sum(a.Delta, b.Delta)
	return math.Sqrt(d) / (h * (1 + math.Sqrt(n)))
}
