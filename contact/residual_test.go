package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestDilationOfWhatPresses: what carries less than a part of the largest reaction does not count.
func TestDilationOfWhatPresses(t *testing.T) {
	p := &Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: make([]float64, 6), Laws: []Law{Associated{Mu: 1}, Associated{Mu: 1}}}
	for light, want := range map[float64]float64{0.011: 7, 0.009: 2} {
		if got := p.Dilation([]float64{2, 0, 0, 7, 0, 0}, []float64{100, 0, 0, light, 0, 0}, 1e-4); got != want {
			t.Errorf("a reaction of %g beside 100: %g, want %g", light, got, want)
		}
	}
}

// TestForcedByMasses: ten times the number of contacts, over the least coupling √(ρ_iρ_j)|W_ij| of
// two contacts where that is below one.
func TestForcedByMasses(t *testing.T) {
	for w, want := range map[float64]float64{0.05: 20 / 0.3, -0.05: 20 / 0.3, 0.5: 20, 0: 20} {
		d := diagonal(2, 0.25, 0.25, 1./9, 1./9)
		d.Val[2], d.Val[8] = w, w
		for _, op := range []Operator{d, hidden{d}} {
			if got := (&Local{W: op}).ForcedByMasses([]float64{4, 9}); !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("a coupling of %g: %g, want %g", w, got, want)
			}
		}
	}
}

// TestResidualByHand: the residual of a global problem, and its duality gap, at any (v, r), with
// joints and without, against full matrices.
func TestResidualByHand(t *testing.T) {
	problems := convexProblems()
	rng := rand.New(rand.NewPCG(182, 4))
	frictional := gradientProblem(rng, true)
	problems["coulomb"] = frictional
	soft := randomConvex(rng, 3, 3)
	soft.Laws = []Law{Coulomb{Mu: 0.4}, Compliant{Law: Tresca{Threshold: 0.3}, Compliance: 0.2, Tangential: 0.1, Gap: 0.05}, Frictionless{}}
	problems["springs"] = soft
	for name, p := range problems {
		for round := range 4 {
			nv, n, nb, dim := p.M.N, len(p.W), p.Joints(), p.H.Dim
			v, r := make([]float64, nv), make([]float64, n+nb)
			for i := range v {
				v[i] = rng.NormFloat64() * []float64{1, 1, 0.01, 100}[round]
			}
			for i := range r {
				r[i] = rng.NormFloat64() * []float64{1, 30, 1, 1}[round]
			}
			m, h := fullMass(p.M), fullJacobian(p.H)
			e := slices.Clone(p.F)
			force := num.InfNorm(p.F)
			for i := range nv {
				sum := 0.0
				for k := range nv {
					sum += m[i*nv+k] * v[k]
				}
				force = max(force, math.Abs(sum))
				e[i] -= sum
				for j := range p.Laws {
					for c := range dim {
						e[i] += h[i*3*len(p.Laws)+3*j+c] * r[dim*j+c]
					}
				}
			}
			lack := make([]float64, nb) // Gᵀv + b
			for k := range nb {
				lack[k] = p.B[k]
				for at := p.G.Ptr[k]; at < p.G.Ptr[k+1]; at++ {
					e[p.G.Row[at]] += p.G.Val[at] * r[n+k]
					lack[k] += p.G.Val[at] * v[p.G.Row[at]]
				}
			}
			for _, x := range r {
				force = max(force, math.Abs(x))
			}
			rho := stiffnesses(p)
			worst, at := num.InfNorm(e), -1
			complementarity, violation, convex := 0.0, 0.0, true
			for j, law := range p.Laws {
				var u, y vec3
				copy(u[:dim], p.W[dim*j:])
				copy(y[:dim], r[dim*j:])
				for c := range dim {
					for i := range nv {
						u[c] += h[i*3*len(p.Laws)+3*j+c] * v[i]
					}
				}
				lf := form.FormOf(law)
				if convex = convex && (lf.Set == form.KindTresca || lf.Set == form.KindFrictionless); convex {
					complementarity += dot(u, y) + law.Support(&u)
					violation = max(violation, -u[0])
				}
				if l, ok := law.(Compliant); ok {
					c, o := l.Spring()
					for k := range 3 {
						u[k] += c[k]*y[k] + o[k]
					}
					convex = false
				}
				u[0] += law.Correction(&u)
				k := rho[j]
				q := vec3{y[0] - k*u[0], y[1] - k*u[1], y[2] - k*u[2]}
				law.Project(&q, nil, &q)
				for c := range 3 {
					if d := math.Abs(y[c] - q[c]); d > worst {
						worst, at = d, j
					}
				}
			}
			for k := range nb {
				stiff := rho[len(p.Laws)+k]
				if d := stiff * math.Abs(lack[k]); d > worst {
					worst, at = d, len(p.Laws)+k
				}
				complementarity += r[n+k] * lack[k]
				violation = max(violation, math.Abs(lack[k]))
			}
			for _, scale := range []float64{0, 1e3} {
				got, where := Residual(p, scale, v, r)
				if want := worst / max(scale, force); math.Abs(got-want) > 1e-10*want || where != at {
					t.Errorf("%s, round %d: residual %g at %d, want %g at %d", name, round, got, where, want, at)
				}
			}
			if !convex {
				continue
			}
			g := DualityGap(context.Background(), p, v, r, nil)
			f := DualityGap(context.Background(), p, v, r, new(GlobalWorkspace))
			if f != g {
				t.Errorf("%s: gaps %+v and %+v", name, g, f)
			}
			if math.Abs(g.Complementarity-complementarity) > 1e-10*(1+math.Abs(complementarity)+
				num.InfNorm(v)*num.InfNorm(r)*float64(n)) || math.Abs(g.Violation-violation) > 1e-11*(1+violation) {
				t.Errorf("%s: gap %+v, want complementarity %g, violation %g", name, g, complementarity, violation)
			}
			// ½ eᵀM⁻¹e, by a solve with M.
			var y mat.VecDense
			if err := y.SolveVec(mat.NewDense(nv, nv, fullMass(p.M)), mat.NewVecDense(nv, e)); err != nil {
				t.Fatal(err)
			}
			sum := 0.5 * mat.Dot(&y, mat.NewVecDense(nv, e))
			if math.Abs(g.Force-sum) > 1e-8*sum ||
				math.Abs(g.Total()-g.Force-g.Complementarity) > 1e-12*(g.Force+math.Abs(g.Complementarity)) {
				t.Errorf("%s: forces cost %g, want %g", name, g.Force, sum)
			}
		}
	}
}

// TestUnitFreeByHand: the merit in the norms that make r and u comparable, whichever of q, r and u
// is largest.
func TestUnitFreeByHand(t *testing.T) {
	p := &Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: make([]float64, 6), Laws: []Law{Frictionless{}, Bilateral{}}}
	rho := []float64{4, 0.25}
	var mem [3]vec3
	rng := rand.New(rand.NewPCG(131, 9))
	for k := range 12 {
		u, r := make([]float64, 6), make([]float64, 6)
		var qq, uu, rr, sum float64
		for i := range 6 {
			p.Q[i], u[i], r[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			[][]float64{p.Q, u, r}[k%3][i] *= 10
			qq, uu, rr = qq+rho[i/3]*p.Q[i]*p.Q[i], uu+rho[i/3]*u[i]*u[i], rr+r[i]*r[i]/rho[i/3]
		}
		// Without friction r_N − (r_N − ρu_N)₊ and all of r_T; ρu of a joint.
		a := r[0] - max(r[0]-rho[0]*u[0], 0)
		sum += (a*a + r[1]*r[1] + r[2]*r[2]) / rho[0]
		for i := 3; i < 6; i++ {
			sum += rho[1] * u[i] * u[i]
		}
		if got, want := p.UnitFree(&mem, rho, u, r), math.Sqrt(sum/max(qq, uu, rr)); math.Abs(got-want) > 1e-14*want {
			t.Errorf("case %d: %g, want %g", k, got, want)
		}
		plain := 0.0
		for i := range 6 {
			if i == 0 {
				a := r[0] - max(r[0]-u[0], 0)
				plain += a * a
			} else if i < 3 {
				plain += r[i] * r[i]
			} else {
				plain += u[i] * u[i]
			}
		}
		if got, worst := p.MeritAt(&mem, u, nil, r); math.Abs(got-math.Sqrt(plain)/max(num.Norm(p.Q), num.Norm(r),
			num.Norm(u))) > 1e-14*got || worst < 0 {
			t.Errorf("case %d: merit %g at %d", k, got, worst)
		}
	}
	clear(p.Q)
	zero := make([]float64, 6)
	if got := p.UnitFree(&mem, rho, zero, zero); got != 0 {
		t.Errorf("nothing: %g", got)
	}
	if got, worst := p.MeritAt(&mem, zero, nil, zero); got != 0 || worst != -1 {
		t.Errorf("nothing: %g at %d", got, worst)
	}
	bad := []float64{math.Inf(-1), 0, 0, 0, 0, 0}
	if got := p.UnitFree(&mem, rho, bad, zero); got != num.Inf {
		t.Errorf("out of range: %g", got)
	}
}

// rollingProblem is a random problem of contacts with moments, in units far from one, of all laws
// they take.
func rollingProblem(rng *rand.Rand, dim, nc int) *Local {
	n := dim * nc
	p := randomProblem(rng, dim, nc, n+3, func() Law {
		l := Rolling{Mu: 0.1 + rng.Float64(), Resistance: 0.3 * rng.Float64(), Spin: 0.2 * rng.Float64()}
		switch dim {
		case 4:
			l.Resistance = 0
		case 5:
			l.Spin = 0
		}
		return []Law{l, &l, Coulomb{Mu: 0.4}, Tresca{Threshold: 0.3 + rng.Float64()}, Frictionless{}, Bilateral{}}[rng.IntN(6)]
	})
	w := p.W.(*Dense)
	for i := range n { // forces in N, moments in N·m with arms of some hundredths of a metre
		f := math.Pow(10, float64(i/dim%3)-1)
		if i%dim > 2 {
			f *= 30 + float64(i%dim)
		}
		p.Q[i] *= f
		for j := range n {
			w.Val[i*n+j] *= f
			w.Val[j*n+i] *= f
		}
	}
	return p
}

// TestWideVerdict: the residuals of any r, against the definitions in the units of the data.
func TestWideVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	for seed := range 60 {
		dim, nc := 4+seed%3, 1+seed%4
		p := rollingProblem(rng, dim, nc)
		k, err := form.NewMoments(p)
		if err != nil {
			t.Fatal(err)
		}
		r := make([]float64, k.N)
		for i := range r {
			k.R[i] = rng.NormFloat64() * []float64{1, 0.02, 30}[seed/3%3]
			r[i] = k.R[i] * k.Scale[i] * k.Q0
		}
		var res Result
		res.Allocate(k.N, nc)
		const tol = 1e-6
		p.AssessWide(k, &res, tol)
		u := make([]float64, k.N)
		p.ExactMotion(u, r, nil)
		scaled := make([]float64, k.N)
		for i, x := range u {
			scaled[i] = x * k.Scale[i] / k.Q0
		}
		sum, free, primal, dual, gap := 0.0, 0.0, 0.0, 0.0, 0.0
		worstOf, worst := 0.0, -1
		for j := range nc {
			at := dim * j
			for pass := range 2 {
				x, y := r[at:at+dim], u[at:at+dim]
				if pass == 1 {
					x, y = k.R[at:at+dim], scaled[at:at+dim]
				}
				z := make([]float64, dim)
				for c := range dim {
					z[c] = x[c] - y[c]
				}
				if !k.Free[j] {
					for i, g := range k.Discs[j] {
						if !k.Fixed[j] {
							z[0] -= k.BoundOf(j, i, pass) * num.Norm(y[g.From:g.To])
						}
					}
					k.Project(j, z, pass)
				}
				for c := range dim {
					z[c] -= x[c]
				}
				if e := num.Norm(z); pass == 0 {
					sum = math.Hypot(sum, e)
					if e > worstOf {
						worstOf, worst = e, j
					}
					if math.Abs(res.Residuals[j]-e) > 1e-12*(num.Norm(r)+num.Norm(u)) {
						t.Errorf("problem %d: residual %d is %g, want %g", seed, j, res.Residuals[j], e)
					}
				} else {
					free = math.Hypot(free, e)
				}
			}
			x, y := k.R[at:at+dim], scaled[at:at+dim]
			power, out, in := 0.0, max(-x[0], 0), max(-y[0], 0)
			for c := range dim {
				power += x[c] * y[c]
			}
			for i, g := range k.Discs[j] {
				radius := k.Bound[j*len(k.Discs[j])+i]
				if !k.Fixed[j] {
					radius *= max(x[0], 0)
				}
				out = max(out, num.Norm(x[g.From:g.To])-radius)
				power += radius * num.Norm(y[g.From:g.To])
			}
			if k.Free[j] {
				power, out, in = 0, 0, num.Norm(y)
			}
			primal, dual, gap = max(primal, in), max(dual, out), max(gap, math.Abs(power))
		}
		want := []float64{sum / max(num.Norm(p.Q), num.Norm(r), num.Norm(u)), free / max(1, num.Norm(k.R), num.Norm(scaled))}
		for i, got := range []float64{res.Merit, res.UnitFree} {
			if math.Abs(got-want[i]) > 1e-11*(1+want[i]) {
				t.Errorf("problem %d: merit %d is %g, want %g", seed, i, got, want[i])
			}
		}
		if res.Worst != worst {
			t.Errorf("problem %d: worst %d, want %d", seed, res.Worst, worst)
		}
		if m, w := p.WideMerit(make([]float64, k.N), nil, r); math.Abs(m-res.Merit) > 1e-12*(1+m) || w != worst {
			t.Errorf("problem %d: Merit %g at %d, assessed %g at %d", seed, m, w, res.Merit, worst)
		}
		if m := p.UnitFreeMerit(make([]float64, k.N), r); math.Abs(m-res.UnitFree) > 1e-11*(1+m) {
			t.Errorf("problem %d: unit-free merit %g, assessed %g", seed, m, res.UnitFree)
		}
		// The number that exceeds its limit most is kept, with the limit and the contact.
		size := num.Norm(k.R)
		for i, pair := range [][3]float64{{res.Primal, primal, res.PrimalLimit}, {res.Dual, dual, res.DualLimit}} {
			limit := form.DataFactor*tol + min(form.RoundingFactor*num.Eps*size, form.RoundingMost)
			if pair[1] == 0 && pair[0] != 0 || pair[1] > limit &&
				(math.Abs(pair[0]-pair[1]) > 1e-12*(1+pair[1]) || math.Abs(pair[2]-limit) > 1e-12*limit) {
				t.Errorf("problem %d: residual %d is %g of %g, want %g of %g", seed, i, pair[0], pair[2], pair[1], limit)
			}
		}
		if nc == 1 && gap > 0 {
			most := min(num.InfNorm(k.R), form.ForcedFrom)
			limit := max(math.Sqrt(tol), form.DataFactor*tol*most) +
				form.PowerFactor*min(form.RoundingFactor*num.Eps*size, form.RoundingMost)*most
			if math.Abs(res.Gap-gap) > 1e-11*(1+gap) || math.Abs(res.GapLimit-limit) > 1e-12*limit {
				t.Errorf("problem %d: gap %g of %g, want %g of %g", seed, res.Gap, res.GapLimit, gap, limit)
			}
		}
	}
}

// convexProblems have thresholds of all shapes, contacts without friction and joints, in the plane
// and in space.
func convexProblems() map[string]*Global {
	rng := rand.New(rand.NewPCG(71, 3))
	all := map[string]*Global{"net": net(3, 2, 0.2, 0.3), "random": randomConvex(rng, 3, 4),
		"energy": randomEnergy(rng, 4, 50, true, true), "bonded": bonded(rng),
		"plane": chainProblem(9, 2, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%3)} }), "plate": densePlate(3, true)}
	shaped := randomConvex(rng, 3, 4)
	for j := range shaped.Laws {
		shaped.Laws[j] = []Law{Tresca{Threshold: 0.4, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.5})}, Frictionless{},
			Tresca{Threshold: 0.7}}[j%3]
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
	all["strong"], all["single"] = strong, &Global{M: strong.M, F: strong.F, H: nodal(1), W: []float64{0.1, 0, 0},
		Laws: []Law{Frictionless{}}}
	all["single"].H.Rows = strong.M.N
	planar := chainProblem(9, 2, func(k int) Law { return Tresca{Threshold: 0.2} })
	randomJoints(rng, planar, 1)
	all["planar joint"] = planar
	return all
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

// stiffnesses are those that contacts, and joints after them, see on the diagonal of M: of each
// column of H or G Σ h² M_ii/(Σ h²)², the largest of a contact; of one that sees none the largest.
func stiffnesses(p *Global) (rho []float64) {
	seen := func(rows []int, at func(e int) float64) float64 {
		num, den := 0.0, 0.0
		for e, row := range rows {
			x := at(e)
			num, den = num+x*x*p.M.Val[p.M.Ptr[row]], den+x*x
		}
		if den == 0 {
			return 0
		}
		return num / (den * den)
	}
	most := 0.0
	for j := range p.Laws {
		k, from := 0.0, p.H.Ptr[j]
		for c := range p.H.Dim {
			k = max(k, seen(p.H.Row[from:p.H.Ptr[j+1]], func(e int) float64 { return p.H.Val[p.H.Dim*(from+e)+c] }))
		}
		rho, most = append(rho, k), max(most, k)
	}
	for j := range p.Joints() {
		from := p.G.Ptr[j]
		k := seen(p.G.Row[from:p.G.Ptr[j+1]], func(e int) float64 { return p.G.Val[from+e] })
		rho, most = append(rho, k), max(most, k)
	}
	for j, k := range rho {
		if k <= 1e-8*most {
			rho[j] = most
		}
	}
	return rho
}
