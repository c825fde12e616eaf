package contact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/quasistatic/quasistatic/contact/law"
)

// Sensitivity is a solution (r, u) of a [Local] problem linearised in its data. Each
// contact obeys equations F_j(r_j, u_j, μ_j) = 0 that its state chooses,
//
//	open    r = 0,
//	stick   u = 0,
//	slip    u_N = 0,  r_T + μ r_N SᵀS u_T/‖S u_T‖ = 0   (s for μ r_N under Tresca),
//
// and those of the natural map for other laws. With E = ∂F/∂u and B = ∂F/∂r
//
//	(E W + B) δr = −E (δW r + δq) − ∂F/∂μ δμ,   δu = W δr + δW r + δq,
//
// one dense factorisation for all products, forward and backward. Where joints or
// redundant contacts leave r undetermined, Redundant is set: δu is then right to 1e-10
// and δr one choice of many.
type Sensitivity struct {
	State     []State // of each contact
	Edges     []int   // contacts on the edge between two states: see [Sensitivity.Directional]
	Redundant bool

	p       *Local
	dim     int
	w       []float64 // dense, row by row
	r, u    []float64
	e, b    []mat3
	mu      []vec3 // ∂F/∂μ
	begins  []bool // contacts that stick and begin to slide along a direction; nil means none
	lu      blas64.General
	pivot   []int
	scratch []float64
}

// State is what a contact does.
type State uint8

// The states.
const (
	StateOpen State = iota
	StateStick
	StateSlip
	StateOther // of a law that is known by its projection alone
)

func (s State) String() string { return [...]string{"open", "stick", "slip", "other"}[s&3] }

// Change is a direction in the data of a [Local] problem; nil parts are zero. That of a
// [Global] problem has δq = δw + HᵀM⁻¹δf, see [Delassus.Change].
type Change struct {
	Q     []float64 // δq, or δw
	W     *Dense    // δW
	Bound []float64 // δμ of each contact, δs under Tresca
}

// Gradient is the derivative of a number by the data: ∂/∂W_ij = Q_i R_j.
type Gradient struct {
	Q     []float64 // ∂/∂q, which is ∂/∂w
	R     []float64 // r, the other factor of the gradient by W
	Bound []float64 // ∂/∂μ_j
}

const (
	// edgeTolerance is the part of the size of a contact's reaction, or motion, that
	// counts as none: the root of the merit to which problems are solved.
	edgeTolerance = 1e-4
	// redundantPivot: a pivot below this part of the largest says nothing.
	redundantPivot = 1e-13
	// redundantShift is then added to W, over its mean diagonal.
	redundantShift = 1e-10
)

// Sensitivity linearises the solution r of p. It costs (dim·nc)³ operations.
func (p *Local) Sensitivity(r []float64) (*Sensitivity, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(r) != len(p.Q) {
		return nil, fmt.Errorf("contact: %d reactions, want %d", len(r), len(p.Q))
	}
	if p.W.Dim() > 3 {
		return nil, fmt.Errorf("contact: derivatives take contacts of two or three components, not %d", p.W.Dim())
	}
	p, _ = p.withoutSprings()
	s := &Sensitivity{p: p, dim: p.W.Dim(), w: sampleOperator(p.W), r: slices.Clone(r), u: make([]float64, len(r))}
	p.exactMotion(s.u, r, nil)
	s.State = make([]State, len(p.Laws))
	s.classify()
	return s, s.factor()
}

// classify sets states and edges at (r, u).
func (s *Sensitivity) classify() {
	rho := steps(nil, s.p.W)
	for j, law := range s.p.Laws {
		r, u := s.triple(s.r, j), s.triple(s.u, j)
		var edge bool
		if s.State[j], edge = stateOf(law, &r, &u, rho[j], s.size(rho[j])); edge {
			s.Edges = append(s.Edges, j)
		}
	}
}

// size is the largest reaction, or ρ times the largest motion, by which nothing is told.
func (s *Sensitivity) size(rho float64) float64 {
	return max(infNorm(s.r), rho*infNorm(s.u), rho*infNorm(s.p.Q))
}

func (s *Sensitivity) triple(x []float64, j int) (t vec3) {
	copy(t[:], x[s.dim*j:s.dim*j+s.dim])
	return t
}

// stateOf tells what a contact does and whether it could as well do something else.
func stateOf(law Law, r, u *vec3, rho, size float64) (state State, edge bool) {
	none := edgeTolerance * edgeTolerance * size // 1e-8 of the largest
	form := formOf(law)
	slip := form.Shape.Norm(u[1], u[2])
	limit := form.Bound
	switch form.Set {
	case kindBilateral:
		return StateStick, false
	case kindFrictionless:
		if r[0] > rho*u[0] {
			return StateSlip, r[0] <= none
		}
		return StateOpen, rho*u[0] <= none
	case kindCoulomb:
		if r[0] <= rho*u[0] || r[0] <= none && rho*u[0] > none {
			return StateOpen, rho*u[0] <= none
		}
		limit *= r[0]
	case kindTresca:
	default:
		return StateOther, false
	}
	if rho*slip > none {
		return StateSlip, r[0] <= none && form.Set == kindCoulomb
	}
	room := limit - dualNorm(&form.Shape, r[1], r[2])
	return StateStick, room <= edgeTolerance*edgeTolerance*max(limit, size*edgeTolerance)
}

// dualNorm is the t for which (x, y) is on the edge of t·Sᵀ·ball.
func dualNorm(s *Shape, x, y float64) float64 {
	if s.Isotropic() {
		return math.Hypot(x, y)
	}
	m := s.Matrix()
	det := m[0]*m[3] - m[1]*m[2]
	if det == 0 {
		return math.Hypot(x, y)
	}
	return math.Hypot((m[3]*x-m[2]*y)/det, (m[0]*y-m[1]*x)/det)
}

// factor sets E, B and ∂F/∂μ of the states and factorises E W + B.
func (s *Sensitivity) factor() error {
	nc, n, dim := len(s.p.Laws), len(s.r), s.dim
	s.e, s.b, s.mu = make([]mat3, nc), make([]mat3, nc), make([]vec3, nc)
	rho := steps(nil, s.p.W)
	for j := range nc {
		s.linearise(j, rho[j])
	}
	mean := 0.0
	for i := range n {
		mean += s.w[i*(n+1)] / float64(n)
	}
	for _, shift := range [...]float64{0, redundantShift * mean} {
		a := make([]float64, n*n)
		for i := range n {
			j, row := i/dim, a[i*n:i*n+n]
			for k := range dim {
				e := s.e[j][3*(i%dim)+k]
				if e != 0 {
					for l, w := range s.w[(dim*j+k)*n : (dim*j+k+1)*n] {
						row[l] += e * w
					}
					row[dim*j+k] += e * shift
				}
				row[dim*j+k] += s.b[j][3*(i%dim)+k]
			}
		}
		s.lu, s.pivot, s.scratch = blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: a}, make([]int, n), make([]float64, n)
		if n == 0 || lapack64.Getrf(s.lu, s.pivot) && s.regular() {
			return nil
		}
		s.Redundant = true
	}
	return errors.New("contact: the linearised problem is singular: the solution is not isolated")
}

// regular reports whether no pivot is rounding.
func (s *Sensitivity) regular() bool {
	n, least, most := s.lu.Rows, math.Inf(1), 0.0
	for i := range n {
		v := math.Abs(s.lu.Data[i*(n+1)])
		least, most = min(least, v), max(most, v)
	}
	return least > redundantPivot*most
}

// linearise sets the equations of contact j: those of motions times ρ, so that all are
// forces.
func (s *Sensitivity) linearise(j int, rho float64) {
	law := s.p.Laws[j]
	form := formOf(law)
	r, u := s.triple(s.r, j), s.triple(s.u, j)
	e, b := &s.e[j], &s.b[j]
	one := identity3
	switch state := s.State[j]; {
	case state == StateOther:
		s.naturalMap(j, rho, &r, &u)
		return
	case form.Set == kindTresca: // the normal on its own, then the tangents
		if r[0] > rho*u[0] {
			e[0] = rho
		} else {
			b[0] = 1
		}
	case state == StateOpen:
		*b = one
		return
	case state == StateStick:
		for k := range e {
			e[k] = rho * one[k]
		}
		return
	default:
		e[0] = rho
	}
	if form.Set == kindFrictionless {
		b[4], b[8] = 1, 1
		return
	}
	if s.State[j] == StateStick {
		e[4], e[8] = rho, rho
		return
	}
	// r_T + limit·G u_T/‖S u_T‖ with G = SᵀS.
	g := gramOf(&form.Shape)
	if s.begins != nil && s.begins[j] {
		s.linearBegin(j, rho, &form, &r)
		return
	}
	slip := form.Shape.Norm(u[1], u[2])
	if slip == 0 {
		e[4], e[8] = rho, rho
		return
	}
	x, y := (g[0]*u[1]+g[1]*u[2])/slip, (g[1]*u[1]+g[2]*u[2])/slip
	limit := form.Bound
	s.mu[j] = vec3{0, x, y}
	if form.Set == kindCoulomb {
		limit *= r[0]
		b[3], b[6] = form.Bound*x, form.Bound*y
		s.mu[j] = vec3{0, r[0] * x, r[0] * y}
	}
	b[4], b[8] = 1, 1
	e[4], e[5] = limit*(g[0]-x*x)/slip, limit*(g[1]-x*y)/slip
	e[7], e[8] = e[5], limit*(g[2]-y*y)/slip
	if s.dim == 2 {
		e[4] = 0
	}
}

// gramOf returns G = SᵀS by its xx, xy and yy.
func gramOf(s *Shape) [3]float64 {
	m := s.Matrix()
	return [3]float64{m[0]*m[0] + m[2]*m[2], m[0]*m[1] + m[2]*m[3], m[1]*m[1] + m[3]*m[3]}
}

// linearBegin sets the equations of a contact of space that begins to slide from r on the edge of its
// friction: by r_T = −limit·G d with ‖S d‖ = 1 it slides along d and r stays on the edge,
//
//	δu_T = λ d,   d·δr_T + μ δr_N + r_N δμ = 0   (δs under Tresca).
func (s *Sensitivity) linearBegin(j int, rho float64, form *law.Form, r *vec3) {
	g := gramOf(&form.Shape)
	det := g[0]*g[2] - g[1]*g[1]
	x, y := (g[1]*r[2]-g[2]*r[1])/det, (g[1]*r[1]-g[0]*r[2])/det
	size := form.Shape.Norm(x, y)
	x, y = x/size, y/size
	e, b := &s.e[j], &s.b[j]
	s.mu[j] = vec3{0, 1, 0}
	if form.Set == kindCoulomb {
		b[3] = form.Bound
		s.mu[j][1] = r[0]
	}
	b[4], b[5] = x, y
	e[7], e[8] = -rho*y, rho*x
}

// naturalMap linearises r − P(r − ρ(u + g(u)e_N)); by μ with central differences.
func (s *Sensitivity) naturalMap(j int, rho float64, r, u *vec3) {
	law, h := s.p.Laws[j], 1e-6*(math.Abs(u[1])+math.Abs(u[2]))
	var grad vec3
	for k := 1; k < s.dim && h > 0; k++ {
		up, down := *u, *u
		up[k] += h
		down[k] -= h
		grad[k] = (law.Correction(&up) - law.Correction(&down)) / (2 * h)
	}
	p := vec3{r[0] - rho*(u[0]+law.Correction(u)), r[1] - rho*u[1], r[2] - rho*u[2]}
	var d mat3
	law.Project(new(vec3), &d, &p)
	for i := 0; i < 9; i += 3 {
		s.e[j][i] = rho * d[i]
		s.e[j][i+1], s.e[j][i+2] = rho*(d[i+1]+d[i]*grad[1]), rho*(d[i+2]+d[i]*grad[2])
		for k := range 3 {
			s.b[j][i+k] = -d[i+k]
		}
		s.b[j][i+i/3]++
	}
	step := 1e-6 * max(formOf(law).Bound, 1e-3)
	up, ok := withBound(law, formOf(law).Bound+step)
	down, _ := withBound(law, formOf(law).Bound-step)
	if !ok {
		return
	}
	f := func(law Law) (x vec3) {
		x = vec3{r[0] - rho*(u[0]+law.Correction(u)), r[1] - rho*u[1], r[2] - rho*u[2]}
		law.Project(&x, nil, &x)
		return x
	}
	a, c := f(up), f(down)
	for k := range 3 {
		s.mu[j][k] = -(a[k] - c[k]) / (2 * step)
	}
}

// withBound returns the law with another coefficient of friction.
func withBound(law Law, bound float64) (Law, bool) {
	switch l := law.(type) {
	case Associated:
		l.Mu = bound
		return l, true
	case Pyramid:
		l.Mu = bound
		return l, true
	case Cohesive:
		l.Mu = bound
		return l, true
	}
	return law, false
}

// Forward sets dr and du, where they are not nil, to the derivatives of the solution
// along c: one solve.
func (s *Sensitivity) Forward(dr, du []float64, c Change) {
	n, dim := len(s.r), s.dim
	load := s.load(c)
	rhs := make([]float64, n)
	for i := range n {
		j := i / dim
		for k := range dim {
			rhs[i] -= s.e[j][3*(i%dim)+k] * load[dim*j+k]
		}
		if c.Bound != nil {
			rhs[i] -= s.mu[j][i%dim] * c.Bound[j]
		}
	}
	s.solve(blas.NoTrans, rhs)
	copy(dr, rhs)
	if du != nil {
		for i := range n {
			du[i] = load[i]
			for j, w := range s.w[i*n : i*n+n] {
				du[i] += w * rhs[j]
			}
		}
	}
}

// load returns δW r + δq.
func (s *Sensitivity) load(c Change) []float64 {
	load := make([]float64, len(s.r))
	if c.W != nil {
		c.W.MulVec(load, s.r)
	}
	for i := range c.Q {
		load[i] += c.Q[i]
	}
	return load
}

func (s *Sensitivity) solve(trans blas.Transpose, x []float64) {
	if len(x) > 0 {
		lapack64.Getrs(trans, s.lu, blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x}, s.pivot)
	}
}

// Backward returns the gradient of a number whose derivatives by r and u are rBar and
// uBar, either of which may be nil: one solve with the transposed factors.
func (s *Sensitivity) Backward(rBar, uBar []float64) Gradient {
	n, dim := len(s.r), s.dim
	x := make([]float64, n)
	copy(x, rBar)
	for i := range uBar {
		for j, w := range s.w[i*n : i*n+n] {
			x[j] += w * uBar[i]
		}
	}
	s.solve(blas.Trans, x)
	g := Gradient{Q: make([]float64, n), R: slices.Clone(s.r), Bound: make([]float64, len(s.p.Laws))}
	copy(g.Q, uBar)
	for i := range n {
		j := i / dim
		for k := range dim {
			g.Q[dim*j+k] -= s.e[j][3*(i%dim)+k] * x[i]
		}
		g.Bound[j] -= s.mu[j][i%dim] * x[i]
	}
	return g
}

// Reach returns how far the data may go along a direction with the derivatives dr and
// du, to first order, before a contact changes its state, and which; +Inf and −1 if none
// does. Where r and u are linear in the parameter between changes, as in the plane, the
// distance is exact.
func (s *Sensitivity) Reach(dr, du []float64) (distance float64, contact int) {
	distance, contact = math.Inf(1), -1
	take := func(t float64, j int) {
		if t >= 0 && t < distance {
			distance, contact = t, j
		}
	}
	for j, law := range s.p.Laws {
		form := formOf(law)
		r, u, a, b := s.triple(s.r, j), s.triple(s.u, j), s.triple(dr, j), s.triple(du, j)
		switch {
		case s.State[j] == StateOther || form.Set == kindBilateral:
			continue
		case s.State[j] == StateOpen:
			take(root(u[0], b[0]), j)
			continue
		}
		if form.Set == kindTresca && r[0] <= 0 {
			take(root(u[0], b[0]), j)
		} else {
			take(root(r[0], a[0]), j)
		}
		if form.Set == kindFrictionless {
			continue
		}
		if s.State[j] == StateSlip { // the motion along its direction ends
			slip := math.Hypot(u[1], u[2])
			take(root(slip, (u[1]*b[1]+u[2]*b[2])/slip), j)
			continue
		}
		// Stick: ‖r_T + t δr_T‖ = limit + t δlimit.
		limit, more := form.Bound, 0.0
		if form.Set == kindCoulomb {
			limit, more = form.Bound*r[0], form.Bound*a[0]
		}
		take(leaves(r[1], r[2], a[1], a[2], limit, more), j)
	}
	return distance, contact
}

// root is the t > 0 with x + t·d = 0 for x ≥ 0, +Inf if there is none.
func root(x, d float64) float64 {
	if d >= 0 {
		return math.Inf(1)
	}
	return max(x, 0) / -d
}

// leaves is the first t ≥ 0 at which ‖(x, y) + t(dx, dy)‖ exceeds l + t·dl.
func leaves(x, y, dx, dy, l, dl float64) float64 {
	a, b, c := dx*dx+dy*dy-dl*dl, x*dx+y*dy-l*dl, x*x+y*y-l*l
	if c >= 0 {
		return 0
	}
	if a == 0 {
		return root(-c, -2*b)
	}
	disc := b*b - a*c
	if disc < 0 {
		return math.Inf(1)
	}
	q := -(b + math.Copysign(math.Sqrt(disc), b))
	first := math.Inf(1)
	for _, t := range [...]float64{q / a, c / q} {
		if t >= 0 && t < first {
			first = t
		}
	}
	return first
}

// directionalStep is the part of the data by which a direction is tried.
const directionalStep = 1e-6

// Directional is Forward where contacts sit on edges: the solution a small step along c
// tells the states into which they go, and the derivative is that of these states, from
// one side. err is that of the solve.
func (s *Sensitivity) Directional(ctx context.Context, dr, du []float64, c Change) error {
	size := 0.0
	for i, x := range s.load(c) {
		size = max(size, math.Abs(x)/max(infNorm(s.p.Q), math.Abs(s.u[i]), 1e-300))
	}
	for j, x := range c.Bound {
		size = max(size, math.Abs(x)/max(formOf(s.p.Laws[j]).Bound, 1e-300))
	}
	if size == 0 {
		s.Forward(dr, du, c)
		return nil
	}
	moved, err := s.moved(directionalStep/size, c)
	if err != nil {
		return err
	}
	ws, res := new(LocalWorkspace), new(Result)
	ws.WarmStart(s.r)
	if err := SolveLocal(ctx, moved, &Options{Tolerance: 1e-13}, ws, res); err != nil && res.Merit > 1e-10 {
		return err
	}
	side := &Sensitivity{p: moved, dim: s.dim, w: s.w, r: res.R, u: res.U, State: slices.Clone(s.State)}
	here := &Sensitivity{p: s.p, dim: s.dim, w: s.w, r: s.r, u: s.u, State: slices.Clone(s.State)}
	rho := steps(nil, s.p.W)
	for _, j := range s.Edges {
		r, u := side.triple(res.R, j), side.triple(res.U, j)
		// What has moved at all along the step counts, with a thousandth of it as none.
		side.State[j], _ = stateOf(moved.Laws[j], &r, &u, rho[j], 10*directionalStep*s.size(rho[j]))
		here.State[j] = side.State[j]
	}
	if err := here.factorAt(side); err != nil {
		return err
	}
	here.Forward(dr, du, c)
	return nil
}

// factorAt is factor with the direction of slip of contacts that only begin to slide: that of their
// friction, or, at the tip of the cone, of the motion beside.
func (s *Sensitivity) factorAt(side *Sensitivity) error {
	u := s.u
	s.u, s.begins = slices.Clone(u), make([]bool, len(s.State))
	for j := range s.State {
		x, y := s.triple(u, j), s.triple(side.u, j)
		if s.State[j] == StateSlip && formOf(s.p.Laws[j]).Bound > 0 && math.Hypot(x[1], x[2]) < edgeTolerance*math.Hypot(y[1], y[2]) {
			r := s.triple(s.r, j)
			s.begins[j] = s.dim == 3 && math.Hypot(r[1], r[2]) > edgeTolerance*math.Hypot(side.r[3*j+1], side.r[3*j+2])
			for k := 1; k < s.dim; k++ {
				s.u[s.dim*j+k] = y[k]
			}
		}
	}
	err := s.factor()
	s.u = u
	return err
}

// moved returns the problem a step t along c.
func (s *Sensitivity) moved(t float64, c Change) (*Local, error) {
	p := &Local{W: s.p.W, Q: slices.Clone(s.p.Q), Laws: slices.Clone(s.p.Laws)}
	for i := range c.Q {
		p.Q[i] += t * c.Q[i]
	}
	if c.W != nil {
		d := &Dense{D: s.dim, N: len(s.r), Val: slices.Clone(s.w)}
		for i, x := range c.W.Val {
			d.Val[i] += t * x
		}
		p.W = d
	}
	for j, x := range c.Bound {
		if x == 0 {
			continue
		}
		bound := formOf(p.Laws[j]).Bound + t*x
		switch l := p.Laws[j].(type) {
		case Coulomb:
			l.Mu = bound
			p.Laws[j] = l
		case Tresca:
			l.Threshold = bound
			p.Laws[j] = l
		default:
			other, ok := withBound(l, bound)
			if !ok {
				return nil, fmt.Errorf("contact: law %T of contact %d has no coefficient to change", l, j)
			}
			p.Laws[j] = other
		}
	}
	return p, nil
}

// Change returns δq = δw + HᵀM⁻¹δf of a [Global] problem; nil for either means zero.
func (d *Delassus) Change(w, f []float64) Change {
	q := make([]float64, len(d.Local.Q))
	copy(q, w)
	if f != nil {
		copy(d.rhs, f)
		d.solve(d.v, d.lambda, d.rhs)
		d.h.MulTransAdd(q, d.v)
	}
	return Change{Q: q}
}

// ForceGradient returns ∂/∂f = M⁻¹H ∂/∂q.
func (d *Delassus) ForceGradient(g Gradient) []float64 {
	clear(d.rhs)
	d.h.MulAdd(d.rhs, g.Q)
	f := make([]float64, len(d.f))
	d.solve(f, d.lambda, d.rhs)
	return f
}
