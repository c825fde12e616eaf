package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// convexProblems have thresholds of all shapes, contacts without friction and joints, in the plane and in space.
func convexProblems() map[string]*Global {
	rng := rand.New(rand.NewPCG(71, 3))
	all := map[string]*Global{"net": net(3, 2, 0.2, 0.3), "random": randomConvex(rng, 3, 4), "energy": randomEnergy(rng, 4, 50, true, true), "bonded": bonded(rng),
		"plane": chainProblem(9, 2, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%3)} }), "plate": densePlate(3, true)}
	shaped := randomConvex(rng, 3, 4)
	for j := range shaped.Laws {
		shaped.Laws[j] = []Law{Tresca{Threshold: 0.4, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.5})}, Frictionless{}, Tresca{Threshold: 0.7}}[j%3]
	}
	for i := range shaped.W {
		shaped.W[i] = 0.1 * rng.NormFloat64()
	}
	randomJoints(rng, shaped, 2)
	all["shaped"] = shaped
	strong := randomConvex(rng, 2, 2)
	for j := range strong.Laws {
		strong.Laws[j] = Tresca{Threshold: 60}
	}
	all["strong"], all["single"] = strong, &Global{M: strong.M, F: strong.F, H: nodal(1), W: []float64{0.1, 0, 0}, Laws: []Law{Frictionless{}}}
	all["single"].H.Rows = strong.M.N
	planar := chainProblem(9, 2, func(k int) Law { return Tresca{Threshold: 0.2} })
	randomJoints(rng, planar, 1)
	all["planar joint"] = planar
	return all
}

// startConvex prepares SolveConvex at a random point.
func startConvex(t *testing.T, p *Global, rng *rand.Rand) *augmented {
	var ws GlobalWorkspace
	x := ws.withJoints(p)
	ws.prepare(x)
	if err := ws.system(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	ws.penalties(x)
	ws.contacts = p.H.Contacts()
	s := &ws.convex
	*s = augmented{p: x, given: p, ws: &ws, tol: 1e-12, lastStep: math.Inf(1)}
	for i := range ws.v {
		ws.v[i] = rng.NormFloat64()
	}
	for j := range ws.rBar {
		for k := range x.H.Dim {
			ws.rBar[j][k] = rng.NormFloat64()
		}
		if x.Laws[j] == (joint{}) {
			ws.rBar[j][1], ws.rBar[j][2] = 0, 0
		}
	}
	return s
}

// fullMass is M row by row.
func fullMass(m *sparse.Sym) []float64 {
	a := make([]float64, m.N*m.N)
	for j := range m.N {
		for k := m.Ptr[j]; k < m.Ptr[j+1]; k++ {
			a[m.Row[k]*m.N+j], a[j*m.N+m.Row[k]] = m.Val[k], m.Val[k]
		}
	}
	return a
}

// fullJacobian is H with three columns a contact.
func fullJacobian(h *Jacobian) []float64 {
	n := 3 * h.Contacts()
	a := make([]float64, h.Rows*n)
	for j := range h.Contacts() {
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			for c := range h.Dim {
				a[h.Row[k]*n+3*j+c] += h.Val[h.Dim*k+c]
			}
		}
	}
	return a
}

// energy is φ(v), with sup{−r·u − ‖r − r̄‖²/2ρ} at the r that attains it, and the sizes of its terms.
func (s *augmented) energy() (phi, size float64) {
	ws, p := s.ws, s.p
	mv := make([]float64, p.M.N)
	p.M.MulVec(mv, ws.v)
	for i, v := range ws.v {
		phi += 0.5*v*mv[i] - p.F[i]*v
		size += math.Abs(v*mv[i]) + math.Abs(p.F[i]*v)
	}
	u := make([][3]float64, len(ws.r))
	s.kinematics(u, ws.v, p.W)
	for j, law := range p.Laws {
		rho, r := ws.rho[j], vec3{}
		x := vec3{ws.rBar[j][0] - rho*u[j][0], ws.rBar[j][1] - rho*u[j][1], ws.rBar[j][2] - rho*u[j][2]}
		law.Project(&r, nil, &x)
		for k := range r {
			d := r[k] - ws.rBar[j][k]
			phi -= r[k]*u[j][k] + d*d/(2*rho)
			size += math.Abs(r[k]*u[j][k]) + d*d/rho
		}
	}
	return phi, size
}

// TestAugmentedStep: at any point penalties, motions, gradient and matrix are those of their formulas with full matrices, and a step of
// Newton's method descends to where the slope is small.
func TestAugmentedStep(t *testing.T) {
	for name, p := range convexProblems() {
		rng := rand.New(rand.NewPCG(72, 3))
		for round := range 6 {
			s := startConvex(t, p, rng)
			ws, x := s.ws, s.p
			m, h := fullMass(x.M), fullJacobian(x.H)
			nv, nc := x.M.N, len(x.Laws)
			n := 3 * nc
			if round > 2 { // near what the contacts carry
				for j := range ws.rho {
					ws.rho[j] /= 1e4
				}
			} else {
				for j := range nc {
					k := 0.0
					for c := range x.H.Dim {
						num, den := 0.0, 0.0
						for i := range nv {
							y := h[i*n+3*j+c]
							num, den = num+y*y*m[i*(nv+1)], den+y*y
						}
						if den > 0 {
							k = max(k, num/(den*den))
						}
					}
					if math.Abs(ws.rho[j]-penaltyFactor*k) > 1e-12*ws.rho[j] {
						t.Fatalf("%s: ρ_%d = %g, want %g", name, j, ws.rho[j], penaltyFactor*k)
					}
				}
			}
			s.floor = []float64{0, 1e3}[round%2]
			s.evaluate()
			grad, force, step := make([]float64, nv), s.floor, 0.0
			for i := range nv {
				for k := range nv {
					grad[i] += m[i*nv+k] * ws.v[k]
				}
				force = max(force, math.Abs(grad[i]), math.Abs(x.F[i]))
				grad[i] -= x.F[i]
			}
			for j, law := range x.Laws {
				var u, r vec3
				copy(u[:x.H.Dim], x.W[x.H.Dim*j:])
				for c := range 3 {
					for i := range nv {
						u[c] += h[i*n+3*j+c] * ws.v[i]
					}
				}
				for c := range 3 {
					if math.Abs(u[c]-ws.u[j][c]) > 1e-12*(1+math.Abs(u[c])) {
						t.Fatalf("%s: u_%d = %v, want %v", name, j, ws.u[j], u)
					}
					r[c] = ws.rBar[j][c] - ws.rho[j]*ws.u[j][c]
				}
				var jac mat3
				arg := r
				law.Project(&r, &jac, &arg)
				for c := range 3 {
					force = max(force, math.Abs(r[c]))
					step = max(step, math.Abs(r[c]-ws.rBar[j][c]))
					for i := range nv {
						grad[i] -= h[i*n+3*j+c] * r[c]
					}
				}
				if r != ws.r[j] {
					t.Fatalf("%s: r_%d = %v, want %v", name, j, ws.r[j], r)
				}
				if x.H.Dim == 2 {
					jac[8] = 0
				}
				if jac != ws.jac[j] {
					t.Fatalf("%s: derivative of r_%d = %v, want %v", name, j, ws.jac[j], jac)
				}
			}
			if math.Abs(s.force-force) > 1e-12*force || math.Abs(s.step-step/force) > 1e-12*(1+s.step) || math.Abs(s.dual-num.InfNorm(grad)/force) > 1e-11 {
				t.Fatalf("%s: force %g, step %g, residual %g, want %g, %g, %g", name, s.force, s.step, s.dual, force, step/force, num.InfNorm(grad)/force)
			}
			if s.fresh {
				t.Errorf("%s: a factorisation of before counts as fresh", name)
			}
			for i := range grad {
				if math.Abs(grad[i]-ws.grad[i]) > 1e-11*force {
					t.Fatalf("%s: row %d of the gradient is %g, want %g", name, i, ws.grad[i], grad[i])
				}
			}
			before, _ := s.energy()
			if err := s.factorise(context.Background(), true); err != nil || !s.fresh {
				t.Fatalf("%s: %v", name, err)
			}
			if s.factors != 1 {
				continue // singular: with a shift
			}
			start := slices.Clone(ws.v)
			alpha := s.newton()
			// (M + H diag(ρP') Hᵀ) d = −∇φ.
			sizes := make([]float64, nv)
			left := slices.Clone(grad)
			add := func(i int, v float64) { left[i] += v; sizes[i] += math.Abs(v) }
			for i := range nv {
				for k := range nv {
					add(i, m[i*nv+k]*ws.dir[k])
				}
			}
			for j := range nc {
				var du, dr vec3
				for c := range 3 {
					for i := range nv {
						du[c] += h[i*n+3*j+c] * ws.dir[i]
					}
				}
				dr = num.MulVec3(&ws.jac[j], &du)
				for c := range 3 {
					for i := range nv {
						add(i, h[i*n+3*j+c]*ws.rho[j]*dr[c])
					}
				}
			}
			for i := range nv {
				if math.Abs(left[i]) > 1e-9*(sizes[i]+math.Abs(grad[i])+force) {
					t.Errorf("%s: row %d of a step is left with %g of %g", name, i, left[i], sizes[i])
				}
			}
			if !(alpha > 0 && alpha <= 1) {
				t.Errorf("%s: a step of %g", name, alpha)
			}
			slope := 0.0
			for i, d := range ws.dir {
				slope += d * grad[i]
				if math.Abs(ws.v[i]-start[i]-alpha*d) > 1e-12*(math.Abs(start[i])+math.Abs(d)) {
					t.Errorf("%s: v_%d moves by %g, want %g", name, i, ws.v[i]-start[i], alpha*d)
				}
			}
			after, size := s.energy()
			if !(after < before+1e-12*size) {
				t.Errorf("%s: φ rises from %g to %g", name, before, after)
			}
			// The slope there, by the gradient: none, or less than half of the first, of what the last trial left.
			s.evaluate()
			end := 0.0
			for i, d := range ws.dir {
				end += d * ws.grad[i]
			}
			if alpha < 1 && !(end <= 1e-9*math.Abs(slope) && end >= 0.5*slope*(1+1e-9)) {
				t.Errorf("%s: slope %g at %g, %g at the start", name, end, alpha, slope)
			}
			// Slopes along the way, by those gradients.
			copy(ws.v, start)
			s.evaluate()
			s.kinematics(ws.du, ws.dir, nil)
			x.M.MulVec(ws.mdir, ws.dir)
			curvature := 0.0
			for i, d := range ws.dir {
				curvature += d * ws.mdir[i]
			}
			for _, a := range []float64{0.01, 0.3, 1} {
				got := s.slopeAt(a, slope, curvature)
				for i, d := range ws.dir {
					ws.v[i] = start[i] + a*d
				}
				s.evaluate()
				want, size := 0.0, 0.0
				for i, d := range ws.dir {
					want += d * ws.grad[i]
					size += math.Abs(d) * s.force
				}
				if math.Abs(got-want) > 1e-10*size {
					t.Errorf("%s: slope %g at %g, want %g", name, got, a, want)
				}
				copy(ws.v, start)
				s.evaluate()
			}
		}
	}
}

// TestRoundoffOfResiduals: what counts as rounding: sums of absolute values, of residuals that are small.
func TestRoundoffOfResiduals(t *testing.T) {
	for name, p := range convexProblems() {
		rng := rand.New(rand.NewPCG(73, 3))
		s := startConvex(t, p, rng)
		for j := range s.ws.rho { // so that neither is all of the sum
			s.ws.rho[j] /= penaltyFactor
		}
		s.evaluate()
		ws, x := s.ws, s.p
		ws.r[len(ws.r)-1] = vec3{}
		m, h := fullMass(x.M), fullJacobian(x.H)
		nv, n := x.M.N, 3*len(x.Laws)
		most, worst := 0.0, 0.0
		for i := range nv {
			sum := 0.0
			for k := range nv {
				sum += math.Abs(m[i*nv+k] * ws.v[k])
			}
			most = max(most, sum)
		}
		for j, r := range ws.r {
			if r == (vec3{}) {
				continue
			}
			size := math.Abs(x.W[x.H.Dim*j])
			for i := range nv {
				size += math.Abs(ws.v[i]) * max(math.Abs(h[i*n+3*j]), math.Abs(h[i*n+3*j+1]), math.Abs(h[i*n+3*j+2]))
			}
			worst = max(worst, ws.rho[j]*size)
		}
		for _, force := range []float64{s.force, 1e-6 * most, 1e9 * most} {
			s.force = force
			s.dual, s.step = nearby, nearby
			if got, want := s.dualRoundoff(), roundoffFactor*num.Eps*max(most/force, 1); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: of the balance %g, want %g", name, got, want)
			}
			if got, want := s.stepRoundoff(), stepRoundoffFactor*num.Eps*worst/force; math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: of reactions %g, want %g", name, got, want)
			}
			a, b := s.dualRoundoff(), s.stepRoundoff()
			for _, c := range []struct {
				dual, step float64
				relieved   int
				want       bool
			}{{0, max(b, s.tol), 0, true}, {max(a+b, s.tol), 0, 0, true}, {s.tol, s.tol, 0, true}, {0, 0, 0, true}, {0, 0, -2, true}, {0, 0, 1, false}, {0, max(b, s.tol) * 0.99, 0, true}, {max(a+b, s.tol) * 0.99, 0, 0, true}, {max(a+b, s.tol) * 1.01, 0, 0, false}, {0, max(b, s.tol) * 1.01, 0, false}, {2 * nearby, 0, 0, false}, {0, 2 * nearby, 0, false}} {
				s.dual, s.step, s.relieved = c.dual, c.step, c.relieved
				if max(c.dual, c.step) < nearby && s.exhausted() != c.want || max(c.dual, c.step) > nearby && s.exhausted() {
					t.Errorf("%s: residuals %g, %g of %g and %g, relieved %d: exhausted is %t", name, c.dual, c.step, a, b, c.relieved, s.exhausted())
				}
				if got, want := s.converged(), c.relieved <= 0 && c.step <= s.tol && c.dual <= s.tol; got != want {
					t.Errorf("%s: residuals %g, %g: converged is %t", name, c.dual, c.step, got)
				}
			}
			s.relieved = 0
		}
		s.dual, s.step = 1.01*nearby, 1.01*nearby
		if s.dualRoundoff() != 0 || s.stepRoundoff() != 0 {
			t.Errorf("%s: rounding of large residuals", name)
		}
	}
}

// TestPenaltiesMove: penalties fall after two short steps in a row, twice at most, and rise again at updates of the multipliers.
func TestPenaltiesMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(74, 3))
	s := startConvex(t, convexProblems()["net"], rng)
	ws, rho := s.ws, slices.Clone(s.ws.rho)
	ws.dFactored = append(ws.dFactored[:0], ws.jac...)
	at := func(what string, relieved int, factor float64) {
		t.Helper()
		if s.relieved != relieved || math.Abs(ws.rho[1]-factor*rho[1]) > 1e-12*factor*rho[1] {
			t.Errorf("%s: relieved %d, penalties times %g, want %d and %g", what, s.relieved, ws.rho[1]/rho[1], relieved, factor)
		}
	}
	s.relieve(0.01)
	at("a short step", 0, 1)
	s.relieve(shortStep)
	s.relieve(0.01)
	at("not in a row", 0, 1)
	if len(ws.dFactored) == 0 {
		t.Error("the factorisation is dropped")
	}
	s.relieve(0.01)
	at("two in a row", 1, 1e-2)
	if len(ws.dFactored) != 0 {
		t.Error("a factorisation of other penalties")
	}
	s.relieve(0.01)
	at("three", 1, 1e-2)
	s.relieve(0.01)
	at("four", 2, 1e-4)
	s.relieve(0)
	s.relieve(0)
	s.relieve(0)
	at("more", 2, 1e-4)
	update := func() {
		s.evaluate()
		step, r := s.step, slices.Clone(ws.r)
		s.updateMultipliers()
		if !slices.Equal(ws.rBar, r) || s.lastStep != step {
			t.Error("other multipliers, or another step kept")
		}
	}
	update()
	at("an update", 1, 1e-2)
	update()
	at("another", 0, 1)
	for _, c := range []struct {
		last, step float64
		relieved   int
	}{{math.Inf(1), 1, 0}, {1, 0.49, 0}, {1, 0.51, -1}, {1, 0.6, -2}, {1, 5, -2}} {
		s.lastStep, s.step = c.last, c.step
		s.updateMultipliers()
		at("slow", c.relieved, math.Pow(100, -float64(c.relieved)))
	}
}

// TestConvexPath: the start, the residuals and the step of the interior-point method for convex problems, against their formulas:
// the balance M dv = left + H dr, the slack, and G dx + G⁻¹dz of the pairs in the form dz + Θ dx = κ x⁻¹ − z.
func TestConvexPath(t *testing.T) {
	for name, p := range convexProblems() {
		rng := rand.New(rand.NewPCG(75, 3))
		s := startConvex(t, p, rng)
		s.floor = 0.3
		path, ws, x := newConvexPath(s), s.ws, s.p
		nc, nv, degree := len(x.Laws), x.M.N, 0.0
		force := max(s.floor, num.InfNorm(x.F))
		for j := range nc {
			force = max(force, ws.rho[j]/penaltyFactor*math.Abs(x.W[x.H.Dim*j]))
		}
		for j, law := range x.Laws {
			gap := force * penaltyFactor / ws.rho[j]
			r, slack, cone := vec3{force}, gap, vec3{}
			if law == (joint{}) {
				r, slack = vec3{}, 0
			} else {
				degree++
				if b := form.FormOf(law).Bound; b > 0 {
					cone[0] = b
					degree += 2
				}
			}
			if ws.r[j] != r || math.Abs(path.slack[j]-slack) > 1e-14*slack || path.x[j] != cone || cone[0] > 0 && math.Abs(path.z[j][0]-gap) > 1e-14*gap || cone[0] == 0 && path.z[j] != (vec3{}) {
				t.Errorf("%s: contact %d starts at r = %v, gap %g, x = %v, z = %v", name, j, ws.r[j], path.slack[j], path.x[j], path.z[j])
			}
		}
		if path.degree != degree || num.InfNorm(ws.v) != 0 {
			t.Errorf("%s: degree %g, want %g; v = %v", name, path.degree, degree, ws.v)
		}
		for i := range ws.v { // any point inside
			ws.v[i] = rng.NormFloat64()
		}
		for j, law := range x.Laws {
			if law == (joint{}) {
				ws.r[j][0] = rng.NormFloat64()
				continue
			}
			path.slack[j] *= 0.2 + rng.Float64()
			ws.r[j][0] *= 0.2 + rng.Float64()
			if s := path.x[j][0]; s > 0 {
				a := 2 * math.Pi * rng.Float64()
				path.x[j][1], path.x[j][2] = 0.7*s*math.Cos(a), 0.7*s*math.Sin(a)
				path.z[j][1], path.z[j][2] = 0.4*path.z[j][0]*math.Sin(3*a), 0.4*path.z[j][0]*math.Cos(2*a)
				if x.H.Dim == 2 {
					path.x[j][2], path.z[j][2] = 0, 0
				}
			}
		}
		path.evaluate()
		m, h := fullMass(x.M), fullJacobian(x.H)
		n := 3 * nc
		times := func(a []float64, x []float64, transposed bool) []float64 {
			y := make([]float64, nv)
			if transposed {
				y = make([]float64, n)
			}
			cols := len(a) / nv
			for i := range nv {
				for k := range cols {
					if transposed {
						y[k] += a[i*cols+k] * x[i]
					} else {
						y[i] += a[i*cols+k] * x[k]
					}
				}
			}
			return y
		}
		stacked := func(x []vec3) (y []float64) {
			for j := range x {
				y = append(y, x[j][:]...)
			}
			return y
		}
		hr, mv, u := times(h, stacked(ws.r), false), times(m, ws.v, false), times(h, ws.v, true)
		size := max(num.InfNorm(hr), num.InfNorm(mv), num.InfNorm(x.F))
		for i := range nv {
			if want := x.F[i] - mv[i] + hr[i]; math.Abs(path.left[i]-want) > 1e-12*size {
				t.Errorf("%s: row %d of the balance lacks %g, want %g", name, i, path.left[i], want)
			}
		}
		worst, scale, kappa := num.InfNorm(path.left), max(s.floor, num.InfNorm(x.F)), 0.0
		for j, law := range x.Laws {
			for c := range x.H.Dim {
				u[3*j+c] += x.W[x.H.Dim*j+c]
			}
			sh := path.shape(j)
			y := path.x[j]
			if path.x[j][0] > 0 {
				want := vec3{0, sh[0]*y[1] + sh[2]*y[2], sh[1]*y[1] + sh[3]*y[2]}
				lag := vec3{path.slack[j] - u[3*j], path.z[j][1] - sh[0]*u[3*j+1] - sh[1]*u[3*j+2], path.z[j][2] - sh[2]*u[3*j+1] - sh[3]*u[3*j+2]}
				for c := range 3 {
					if c > 0 && math.Abs(ws.r[j][c]-want[c]) > 1e-14 || math.Abs(path.lag[j][c]-lag[c]) > 1e-12*(1+math.Abs(lag[c])) {
						t.Errorf("%s: contact %d: r = %v, want %v; definitions are off by %v, want %v", name, j, ws.r[j], want, path.lag[j], lag)
					}
				}
			}
			k := ws.rho[j] / penaltyFactor
			q := vec3{ws.r[j][0] - k*u[3*j], ws.r[j][1] - k*u[3*j+1], ws.r[j][2] - k*u[3*j+2]}
			law.Project(&q, nil, &q)
			for c := range 3 {
				worst, scale = max(worst, math.Abs(ws.r[j][c]-q[c])), max(scale, math.Abs(ws.r[j][c]))
			}
			if law != (joint{}) {
				kappa += path.slack[j] * ws.r[j][0]
			}
			kappa += dot(path.x[j], path.z[j])
		}
		kappa /= max(degree, 1)
		if got := path.residual(); math.Abs(got-worst/scale) > 1e-11*(1+got) || math.Abs(path.kappa()-kappa) > 1e-13*kappa {
			t.Errorf("%s: residual %g, want %g; κ = %g, want %g", name, got, worst/scale, path.kappa(), kappa)
		}
		if !path.factorise(context.Background()) {
			t.Fatalf("%s: no factors", name)
		}
		penalties := slices.Clone(ws.rho)
		for _, target := range []float64{0, 0.3 * kappa} {
			path.direction(target)
			dr := make([]vec3, nc)
			du := times(h, path.dir, true)
			for j, law := range x.Laws {
				dr[j][0] = ws.p[j][0]
				if law == (joint{}) {
					if want := -path.stiffness(j) / jointCompliance * (u[3*j] + du[3*j]); math.Abs(dr[j][0]-want) > 1e-5*(math.Abs(want)+path.stiffness(j)/jointCompliance*1e-9) { // a difference of 1e8
						t.Errorf("%s: joint %d: λ moves by %g, want %g", name, j, dr[j][0], want)
					}
					continue
				}
				a, r := path.slack[j], ws.r[j][0]
				if e := path.slack[j] + path.dn[j] - u[3*j] - du[3*j]; math.Abs(e) > 1e-10*(1+math.Abs(u[3*j])+math.Abs(du[3*j])) {
					t.Errorf("%s: contact %d: the slack is off by %g", name, j, e)
				}
				if e := a*dr[j][0] + r*path.dn[j] - target + a*r; math.Abs(e) > 1e-10*(math.Abs(r*path.dn[j])+a*r) {
					t.Errorf("%s: contact %d: a r_N is off by %g", name, j, e)
				}
				if path.x[j][0] == 0 {
					continue
				}
				sh, y, dz := path.shape(j), path.dx[j], path.dz[j]
				dr[j][1], dr[j][2] = sh[0]*y[1]+sh[2]*y[2], sh[1]*y[1]+sh[3]*y[2]
				var theta mat3
				scaling(&theta, &path.x[j], &path.z[j])
				td, f := num.MulVec3(&theta, &y), target/lorentz(&path.x[j])
				for c, want := range [...]float64{f*path.x[j][0] - path.z[j][0], -f*path.x[j][1] - path.z[j][1], -f*path.x[j][2] - path.z[j][2]} {
					if math.Abs(dz[c]+td[c]-want) > 1e-9*(math.Abs(want)+num.InfNorm(dz[:])+num.InfNorm(td[:])) {
						t.Errorf("%s: contact %d: row %d of the pair is off by %g", name, j, c, dz[c]+td[c]-want)
					}
				}
				for c := range 2 {
					want := sh[2*c]*(u[3*j+1]+du[3*j+1]) + sh[2*c+1]*(u[3*j+2]+du[3*j+2]) - path.z[j][c+1]
					if math.Abs(dz[c+1]-want) > 1e-9*(1+math.Abs(want)+math.Abs(dz[c+1])) {
						t.Errorf("%s: contact %d: z moves by %v, want %g", name, j, dz, want)
					}
				}
				if y[0] != 0 {
					t.Errorf("%s: contact %d: the threshold moves by %g", name, j, y[0])
				}
			}
			hd, md := times(h, stacked(dr), false), times(m, path.dir, false)
			for i := range nv {
				if e := md[i] - path.left[i] - hd[i]; math.Abs(e) > 1e-6*(size+num.InfNorm(md)+num.InfNorm(hd)) { // of joints: 1e8 weaker
					t.Errorf("%s: row %d of the balance is left with %g", name, i, e)
				}
			}
			least := 1.0
			for j, law := range x.Laws {
				if law == (joint{}) {
					continue
				}
				least = min(least, rayStep(path.slack[j], path.dn[j]), rayStep(ws.r[j][0], ws.p[j][0]))
				if path.x[j][0] > 0 {
					least = min(least, lorentzStep(&path.x[j], &path.dx[j]), lorentzStep(&path.z[j], &path.dz[j]))
				}
			}
			if got := path.reach(); got != least || got <= 0 {
				t.Errorf("%s: reach %g, want %g", name, got, least)
			}
		}
		if !slices.Equal(penalties, ws.rho) {
			t.Errorf("%s: other penalties", name)
		}
		v, r, slack, cones, duals := slices.Clone(ws.v), slices.Clone(ws.r), slices.Clone(path.slack), slices.Clone(path.x), slices.Clone(path.z)
		path.move(0.5)
		for i := range v {
			if ws.v[i] != v[i]+0.5*path.dir[i] {
				t.Errorf("%s: v_%d = %g", name, i, ws.v[i])
			}
		}
		for j := range nc {
			ok := path.slack[j] == slack[j]+0.5*path.dn[j] && ws.r[j][0] == r[j][0]+0.5*ws.p[j][0]
			for c := range 3 {
				ok = ok && path.x[j][c] == cones[j][c]+0.5*path.dx[j][c] && path.z[j][c] == duals[j][c]+0.5*path.dz[j][c]
			}
			if !ok {
				t.Errorf("%s: contact %d moves elsewhere", name, j)
			}
		}
	}
}

// TestPartsOfConvexProblems: the residuals of a result in units of the data, at any point.
func TestPartsOfConvexProblems(t *testing.T) {
	for name, p := range convexProblems() {
		rng := rand.New(rand.NewPCG(76, 3))
		for round, floor := range []float64{0, 50, 0} {
			s := startConvex(t, p, rng)
			s.floor = floor
			ws, x := s.ws, s.p
			for j := range ws.r {
				ws.r[j] = ws.rBar[j]
			}
			if round == 2 { // in balance, so that reactions outside K are the worst
				f := make([]float64, x.M.N)
				x.M.MulVec(f, ws.v)
				copy(ws.grad, f)
				s.subtractReactions()
				x.F = slices.Clone(ws.grad)
			}
			s.iterations, s.factors = 7, 5
			var res Result
			s.publish(&res)
			if res.Iterations != 7 || res.Factors != 5 || !slices.Equal(res.V, ws.v) || len(res.R) != len(p.W) || len(res.Lambda) != p.Joints() {
				t.Errorf("%s: %+v", name, res)
			}
			m, h := fullMass(x.M), fullJacobian(x.H)
			nv, n := x.M.N, 3*len(x.Laws)
			force := max(floor, num.InfNorm(x.F))
			for j := range x.Laws {
				force = max(force, ws.rho[j]/penaltyFactor*math.Abs(x.W[x.H.Dim*j]))
			}
			primal, dual, gap := 0.0, 0.0, 0.0
			for i := range nv {
				sum := -x.F[i]
				for k := range nv {
					sum += m[i*nv+k] * ws.v[k]
				}
				for j := range ws.r {
					for c := range 3 {
						sum -= h[i*n+3*j+c] * ws.r[j][c]
					}
				}
				dual = max(dual, math.Abs(sum)/force)
			}
			for j, law := range x.Laws {
				var u, foot vec3
				copy(u[:x.H.Dim], x.W[x.H.Dim*j:])
				for c := range x.H.Dim {
					for i := range nv {
						u[c] += h[i*n+3*j+c] * ws.v[i]
					}
				}
				r := ws.rBar[j]
				law.Project(&foot, nil, &r)
				open, k := max(-u[0], 0), ws.rho[j]/penaltyFactor
				if law == (joint{}) {
					open = math.Abs(u[0])
				}
				primal = max(primal, k*open/force)
				gap = max(gap, k*math.Abs(dot(r, u)+law.Support(&u))/force/force)
				for c := range 3 {
					dual = max(dual, math.Abs(foot[c]-r[c])/force)
				}
			}
			for what, pair := range map[string][2]float64{"primal": {res.Primal, primal}, "dual": {res.Dual, dual}, "gap": {res.Gap, gap}} {
				if math.Abs(pair[0]-pair[1]) > 1e-11*(1+pair[1]) {
					t.Errorf("%s: %s residual %g, want %g", name, what, pair[0], pair[1])
				}
			}
		}
	}
}

// TestConvexWithoutForces: where nothing presses, the unit of forces is one.
func TestConvexWithoutForces(t *testing.T) {
	p := &Global{M: denseSym(3, func(i, j int) float64 { return map[bool]float64{true: 2}[i == j] }), F: make([]float64, 3), H: nodal(1), W: make([]float64, 3), Laws: []Law{Tresca{Threshold: 1}}}
	rng := rand.New(rand.NewPCG(77, 3))
	s := startConvex(t, p, rng)
	clear(s.ws.v)
	clear(s.ws.rBar)
	s.evaluate()
	if s.force != 1 || s.step != 0 || s.dual != 0 || !s.converged() || !s.exhausted() {
		t.Errorf("force %g, residuals %g and %g", s.force, s.dual, s.step)
	}
	path := newConvexPath(s)
	if s.ws.r[0] != (vec3{1}) || path.slack[0] != 0.5 || path.z[0][0] != 0.5 {
		t.Errorf("the path starts at %v with %g and %v", s.ws.r[0], path.slack[0], path.z[0])
	}
	s.ws.r[0], s.ws.v[2] = vec3{}, -0.25
	path.evaluate()
	if got := path.residual(); got != 0.5 { // 2 × .25, of forces and of the natural map
		t.Errorf("residual %g, want .5", got)
	}
	var res Result
	s.publish(&res)
	if res.Primal != 0.5 || res.Dual != 0.5 || res.Gap != 0 {
		t.Errorf("%g, %g, %g", res.Primal, res.Dual, res.Gap)
	}
	// Nothing but a joint: no cone bounds a step.
	s.p = &Global{M: p.M, F: p.F, H: p.H, W: p.W, Laws: []Law{joint{}}}
	if got := newConvexPath(s).reach(); got != 1 {
		t.Errorf("reach %g", got)
	}
}

// TestConvexFinish: what failed leaves the best of its iterates, what converged is judged once more, to four times what is
// resolved, and other penalties than the usual ones do not survive.
func TestConvexFinish(t *testing.T) {
	rng := rand.New(rand.NewPCG(78, 3))
	p := diagonalProblem([3]float64{2, 2, 2}, [3]float64{0.1, 0, -1}, 0, Tresca{Threshold: 0.3})
	for _, c := range []struct {
		status, want Status
		best, off    float64
		kept         bool
	}{{NoProgress, NoProgress, math.Inf(1), 0.5, false}, {NoProgress, NoProgress, 0.1, 0.5, true}, {IterationLimit, IterationLimit, 0.1, 0.5, true}, {Converged, Converged, 0.1, 0, false}, {Converged, NumericalFailure, 0.1, 0.5, false}} {
		s := startConvex(t, p, rng)
		ws := s.ws
		var exact Result
		if err := SolveConvex(context.Background(), p, 0, nil, nil, &exact); err != nil {
			t.Fatal(err)
		}
		copy(ws.v, exact.V)
		ws.v[0] += c.off
		copy(ws.r[0][:], exact.R)
		s.evaluate()
		copy(ws.r[0][:], exact.R)
		ws.best.residual = c.best
		ws.best.v[0], ws.best.r[0] = 7, vec3{3, 2, 1}
		s.relieved = 1
		rho := ws.rho[0]
		ws.scalePenalties(1. / relief)
		ws.dFactored = append(ws.dFactored[:0], ws.jac...)
		resolved := max(s.tol, min(s.dualRoundoff()+s.stepRoundoff(), nearby))
		var res Result
		err := s.finish(&res, c.status, nil)
		if res.Status != c.want || (err == nil) != (c.want == Converged) || (res.V[0] == 7) != c.kept || (ws.rBar[0] == vec3{3, 2, 1}) != c.kept {
			t.Errorf("%v: %v, %v, v = %v, r = %v", c.status, res.Status, err, res.V, ws.rBar[0])
		}
		if s.relieved != 0 || len(ws.dFactored) != 0 || math.Abs(ws.rho[0]-rho) > 1e-12*rho {
			t.Errorf("relieved %d, ρ = %g of %g, %d factorised", s.relieved, ws.rho[0], rho, len(ws.dFactored))
		}
		if math.Abs(ws.resolution-4*resolved) > 1e-15*resolved {
			t.Errorf("resolved to %g, want %g", ws.resolution, 4*resolved)
		}
	}
	// At four times what is resolved, and beyond.
	for _, c := range []struct {
		merit float64
		want  Status
	}{{3.5, Converged}, {4.5, NumericalFailure}} {
		s := startConvex(t, p, rng)
		copy(s.ws.v, []float64{0, 0, 0})
		s.ws.r[0] = vec3{}
		s.evaluate()
		s.dual, s.step = 0, 0
		s.tol = 0
		resolved := min(s.dualRoundoff()+s.stepRoundoff(), nearby)
		s.dual, s.step = 2*nearby, 2*nearby // so that the tolerance decides
		var res Result
		_, _ = resolved, s.finish(&res, Converged, nil)
		s.tol = res.Merit / c.merit
		if err := s.finish(&res, Converged, nil); res.Status != c.want || (err == nil) != (c.want == Converged) {
			t.Errorf("residual %g at tolerance %g: %v", res.Merit, s.tol, res.Status)
		}
	}
	// The rounding of v and r alone, with the stiffness and not the penalties.
	s := startConvex(t, convexProblems()["shaped"], rng)
	got := s.resolution()
	s.evaluate()
	s.dual, s.step = 0, 0
	want := min(s.dualRoundoff()+s.stepRoundoff()/penaltyFactor, nearby)
	if got != want || got == 0 {
		t.Errorf("resolution %g, want %g", got, want)
	}
	if s.resolved() != max(4*s.tol, want) {
		t.Errorf("resolved %g", s.resolved())
	}
	s.tol = 1e-4
	if s.resolved() != 4e-4 {
		t.Errorf("resolved %g at a tolerance of 1e-4", s.resolved())
	}
	for _, c := range []struct {
		merit, tol float64
		status     Status
		err        error
		want       bool
	}{{1e-10, 1e-12, Converged, nil, false}, {1.1e-10, 1e-12, Converged, nil, true}, {4e-8, 1e-8, Converged, nil, false}, {4.1e-8, 1e-8, Converged, nil, true}, {0, 1, NoProgress, context.Canceled, true}, {1, 0, Canceled, nil, false}, {1, 0, IterationLimit, context.Canceled, false}, {0, 1, NumericalFailure, &IndefiniteError{}, false}} {
		s.tol = c.tol
		if got := s.wanting(&Result{Merit: c.merit, Status: c.status}, c.err); got != c.want {
			t.Errorf("%+v: wanting is %t", c, got)
		}
	}
}
