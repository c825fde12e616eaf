package contact

import (
	"context"
	"fmt"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// rollingProblem is a random problem of contacts with moments, in units far from one, of all laws they take.
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

// TestWideScaling: the scaled problem is the congruence that it is said to be: unit mean diagonals of the
// forces and of each group of moments, q of norm 1, and the radii of the discs those of the laws in both units.
func TestWideScaling(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	for seed := range 30 {
		dim, nc := 4+seed%3, 1+seed%4
		p := rollingProblem(rng, dim, nc)
		k, err := newWide(p)
		if err != nil {
			t.Fatal(err)
		}
		if k.Dim != dim || k.NC != nc || k.N != dim*nc || math.Abs(num.Norm(k.Q)-1) > 1e-14 {
			t.Fatalf("%d contacts of %d, order %d, ‖q‖ = %g", k.NC, k.Dim, k.N, num.Norm(k.Q))
		}
		for i := range k.N {
			if e := k.Q[i]*k.Q0 - p.Q[i]*k.Scale[i]; math.Abs(e) > 1e-14*k.Q0 {
				t.Errorf("q_%d is off by %g", i, e)
			}
			for j := range k.N {
				if want := k.Scale[i] * p.W.(*Dense).Val[i*k.N+j] * k.Scale[j]; math.Abs(k.W[i*k.N+j]-want) > 1e-14*(1+math.Abs(want)) {
					t.Errorf("W_%d,%d is %g, want %g", i, j, k.W[i*k.N+j], want)
				}
			}
		}
		for j, l := range p.Laws {
			for _, g := range append([]form.WideDisc{{From: 0, To: 3}}, k.Discs[1:]...) {
				mean := 0.0
				for c := dim*j + g.From; c < dim*j+g.To; c++ {
					if mean += k.W[c*(k.N+1)] / float64(g.To-g.From); k.Scale[c] != k.Scale[dim*j+g.From] {
						t.Errorf("contact %d: two scales in a group", j)
					}
				}
				if math.Abs(mean-1) > 1e-13 {
					t.Errorf("contact %d: the mean diagonal of %d to %d is %g", j, g.From, g.To, mean)
				}
			}
			want, fixed, free, err := form.WideBounds(l, dim)
			if err != nil || fixed != k.Fixed[j] || free != k.Free[j] {
				t.Errorf("contact %d: %v, %t %t", j, err, k.Fixed[j], k.Free[j])
			}
			for i, x := range want {
				// r_i = s_i q0 r'_i, so that ‖r_i‖ ≤ μ_i r_N is ‖r'_i‖ ≤ μ_i s_N/s_i r'_N.
				scaled := x * k.Scale[dim*j] / k.Scale[dim*j+k.Discs[i].From]
				if fixed {
					scaled = x / (k.Scale[dim*j+k.Discs[i].From] * k.Q0)
				}
				if math.Abs(k.BoundOf(j, i, 0)-x) > 1e-14*x || math.Abs(k.BoundOf(j, i, 1)-scaled) > 1e-14*scaled {
					t.Errorf("contact %d, disc %d: bounds %g and %g, want %g and %g", j, i, k.BoundOf(j, i, 0), k.BoundOf(j, i, 1), x, scaled)
				}
			}
		}
		r, u := make([]float64, k.N), make([]float64, k.N)
		for i := range r {
			r[i] = rng.NormFloat64()
		}
		k.motion(r)
		(&Dense{D: dim, N: k.N, Val: k.W}).MulVec(u, r)
		for i := range u {
			if e := k.u[i] - u[i] - k.Q[i]; math.Abs(e) > 1e-13 {
				t.Errorf("u_%d is off by %g", i, e)
			}
		}
	}
	// A group without mobility has the scale of the most mobile, and a problem without any the unit.
	k, err := newWide(&Local{W: diagonal(4, 4, 4, 4, 0), Q: []float64{0, 0, 0, 0}, Laws: []Law{Rolling{Mu: 1, Spin: 1}}})
	if err != nil || !slices.Equal(k.Scale, []float64{.5, .5, .5, .5}) || k.Q0 != 1 {
		t.Errorf("%v, scales %v, q0 %g", err, k.Scale, k.Q0)
	}
}

// wideState is what Alart and Curnier's function of wideProblem is at p = r − u, stated piece by piece.
func wideState(k *wide, j int, r, u []float64) []float64 {
	f := slices.Clone(u)
	if k.Free[j] {
		return f
	}
	pn := r[0] - u[0]
	if pn <= 0 {
		f[0] = r[0]
	}
	for i, g := range k.Discs {
		limit := k.Bound[j*len(k.Discs)+i]
		if !k.Fixed[j] {
			limit *= max(pn, 0)
		}
		var y []float64
		for c := g.From; c < g.To; c++ {
			y = append(y, r[c]-u[c])
		}
		if size := num.Norm(y); size > limit {
			for c := range y {
				f[g.From+c] = r[g.From+c] - limit*y[c]/size
			}
		}
	}
	return f
}

// TestWideEquations: F is Alart and Curnier's function in every state, its derivatives are those of central differences, and
// a step of Newton's method solves the linear system they make.
func TestWideEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	seen := map[string]int{}
	for seed := range 60 {
		dim, nc := 4+seed%3, 1+seed%3
		k, err := newWide(rollingProblem(rng, dim, nc))
		if err != nil {
			t.Fatal(err)
		}
		r := make([]float64, k.N)
		for i := range r {
			r[i] = rng.NormFloat64()
			if i%dim > 0 && seed%2 == 0 {
				r[i] *= 0.05 // sticks
			}
		}
		size := k.residual(r, true)
		f, u := slices.Clone(k.f), slices.Clone(k.u)
		if math.Abs(size-num.Norm(f)) > 1e-15*size || math.Abs(k.residual(r, false)-size) > 0 {
			t.Errorf("‖F‖ is %g, of F %g", size, num.Norm(f))
		}
		for j := range nc {
			at := dim * j
			want := wideState(k, j, r[at:at+dim], u[at:at+dim])
			for c := range dim {
				if math.Abs(f[at+c]-want[c]) > 1e-14*(1+math.Abs(want[c])) {
					t.Errorf("contact %d: F_%d is %g, want %g", j, c, f[at+c], want[c])
				}
			}
			if r[at] > u[at] {
				seen["closed"]++
			} else {
				seen["open"]++
			}
			// h² of a curvature of about 1/‖p‖², and rounding over h.
			const h, close = 1e-6, 1e-5
			plus, minus := make([]float64, dim), make([]float64, dim)
			for which, m := range [][]float64{k.e, k.b} {
				for l := range dim {
					x, y := slices.Clone(r[at:at+dim]), slices.Clone(u[at:at+dim])
					z := [][]float64{y, x}[which]
					z[l] += h
					k.equations(j, plus, x, y, nil, nil)
					z[l] -= 2 * h
					k.equations(j, minus, x, y, nil, nil)
					for c := range dim {
						got, want := m[(at+c)*dim+l], (plus[c]-minus[c])/(2*h)
						if math.Abs(got-want) > close*(1+math.Abs(want)) {
							t.Errorf("problem %d, contact %d (%v): derivative %d of F_%d by %d is %g, by differences %g", seed, j, k.Free[j], l, c, which, got, want)
						}
					}
				}
			}
		}
		// (E(W + εI) + B) d = −F.
		const reg = 0.03
		k.residual(r, true)
		if !k.direction(reg) {
			t.Fatalf("problem %d: singular", seed)
		}
		for i := range k.N {
			j, sum := i/dim, k.f[i]
			for c := range dim {
				e, b := k.e[i*dim+c], k.b[i*dim+c]
				wd := reg * k.d[dim*j+c]
				for l := range k.N {
					wd += k.W[(dim*j+c)*k.N+l] * k.d[l]
				}
				sum += e*wd + b*k.d[dim*j+c]
			}
			if math.Abs(sum) > 1e-9*(1+num.Norm(k.d)) { // of a condition up to 1e5
				t.Errorf("problem %d: row %d of the step is left with %g", seed, i, sum)
			}
		}
	}
	if seen["closed"] < 20 || seen["open"] < 20 {
		t.Errorf("%v", seen)
	}
	// At the ends of the states: a contact that touches without force is open, one at its limit sticks.
	k, err := newWide(&Local{W: diagonal(4, 1, 1, 1, 1), Q: []float64{1, 0, 0, 0}, Laws: []Law{Rolling{Mu: 0.5, Spin: 0.5}}})
	if err != nil {
		t.Fatal(err)
	}
	f, e, b := make([]float64, 4), make([]float64, 16), make([]float64, 16)
	k.equations(0, f, []float64{1, 2, 0, 0}, []float64{1, 1, 0, 0}, e, b)
	if !slices.Equal(f, []float64{1, 2, 0, 0}) || e[0] != 0 || b[0] != 1 || b[5] != 1 || b[15] != 1 {
		t.Errorf("touching: F = %v, E = %v, B = %v", f, e, b)
	}
	k.equations(0, f, []float64{3, 1, 0, 1}, []float64{1, 0, 0, 0}, e, b)
	if !slices.Equal(f, []float64{1, 0, 0, 0}) || e[5] != 1 || b[5] != 0 || e[15] != 1 {
		t.Errorf("at the limit: F = %v, E = %v, B = %v", f, e, b)
	}
	if l, err := newWide(&Local{W: diagonal(4, 0, 0, 0, 0), Q: []float64{1, 0, 0, 0}, Laws: []Law{Bilateral{}}}); err != nil {
		t.Error(err)
	} else if l.residual(l.R, true); l.direction(0) {
		t.Error("a singular matrix gives a direction")
	}
}

// TestWideProjection: the foot is in K, what is left in the polar cone, ‖μ_1 z_1‖ + … ≤ −z_N, and both are orthogonal:
// Moreau's theorem; of thresholds each disc by itself.
func TestWideProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	states := map[int]int{}
	for seed := range 400 {
		dim := 4 + seed%3
		p := rollingProblem(rng, dim, 1)
		k, err := newWide(p)
		if err != nil {
			t.Fatal(err)
		}
		if k.Free[0] {
			continue
		}
		for pass := range 2 {
			x, y := make([]float64, dim), make([]float64, dim)
			for i := range x {
				x[i] = rng.NormFloat64() * math.Pow(4, float64(rng.IntN(4)-2))
			}
			if pass == 0 && k.Fixed[0] {
				for i := range x {
					x[i] *= k.Scale[0] * k.Q0
				}
			}
			k.Project(0, copied(y, x), pass)
			inner, polar, active := (x[0]-y[0])*y[0], x[0]-y[0], 0
			size := num.Norm(x)
			if y[0] < 0 {
				t.Errorf("n = %g", y[0])
			}
			for i, g := range k.Discs {
				radius := k.BoundOf(0, i, pass)
				if k.Fixed[0] {
					if want := max(x[0], 0); y[0] != want {
						t.Errorf("n = %g, want %g", y[0], want)
					}
				} else {
					radius *= y[0]
				}
				foot, from, left := num.Norm(y[g.From:g.To]), num.Norm(x[g.From:g.To]), 0.0
				for c := g.From; c < g.To; c++ {
					inner += (x[c] - y[c]) * y[c]
					left = math.Hypot(left, x[c]-y[c])
				}
				if polar += left * k.BoundOf(0, i, pass); foot > radius+1e-14*size {
					t.Errorf("problem %d: disc %d: %g of %g", seed, i, foot, radius)
				}
				if k.Fixed[0] && math.Abs(foot-min(from, radius)) > 1e-14*size {
					t.Errorf("problem %d: threshold %g: %g of %g", seed, radius, foot, from)
				}
				if left > 0 {
					active |= 1 << i
				}
			}
			if !k.Fixed[0] {
				states[active]++
				if math.Abs(inner) > 1e-13*size*size || polar > 1e-13*size {
					t.Errorf("problem %d, pass %d: x·y − y·y = %g, outside the polar cone by %g", seed, pass, inner, polar)
				}
			}
		}
	}
	if len(states) < 8 {
		t.Errorf("discs that are met: %v", states)
	}
}

func copied(dst, x []float64) []float64 {
	copy(dst, x)
	return dst
}

// TestWideVerdict: the residuals of any r, against the definitions in the units of the data.
func TestWideVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	for seed := range 60 {
		dim, nc := 4+seed%3, 1+seed%4
		p := rollingProblem(rng, dim, nc)
		k, err := newWide(p)
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
		p.AssessWide(&k.Moments, &res, tol)
		u := make([]float64, k.N)
		p.ExactMotion(u, r, nil)
		k.motion(k.R)
		sum, free, primal, dual, gap := 0.0, 0.0, 0.0, 0.0, 0.0
		worstOf, worst := 0.0, -1
		for j := range nc {
			at := dim * j
			for pass := range 2 {
				x, y := r[at:at+dim], u[at:at+dim]
				if pass == 1 {
					x, y = k.R[at:at+dim], k.u[at:at+dim]
				}
				z := make([]float64, dim)
				for c := range dim {
					z[c] = x[c] - y[c]
				}
				if !k.Free[j] {
					for i, g := range k.Discs {
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
			x, y := k.R[at:at+dim], k.u[at:at+dim]
			power, out, in := 0.0, max(-x[0], 0), max(-y[0], 0)
			for c := range dim {
				power += x[c] * y[c]
			}
			for i, g := range k.Discs {
				radius := k.Bound[j*len(k.Discs)+i]
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
		want := []float64{sum / max(num.Norm(p.Q), num.Norm(r), num.Norm(u)), free / max(1, num.Norm(k.R), num.Norm(k.u))}
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
			if pair[1] == 0 && pair[0] != 0 || pair[1] > limit && (math.Abs(pair[0]-pair[1]) > 1e-12*(1+pair[1]) || math.Abs(pair[2]-limit) > 1e-12*limit) {
				t.Errorf("problem %d: residual %d is %g of %g, want %g of %g", seed, i, pair[0], pair[2], pair[1], limit)
			}
		}
		if nc == 1 && gap > 0 {
			most := min(num.InfNorm(k.R), form.ForcedFrom)
			limit := max(math.Sqrt(tol), form.DataFactor*tol*most) + form.PowerFactor*min(form.RoundingFactor*num.Eps*size, form.RoundingMost)*most
			if math.Abs(res.Gap-gap) > 1e-11*(1+gap) || math.Abs(res.GapLimit-limit) > 1e-12*limit {
				t.Errorf("problem %d: gap %g of %g, want %g of %g", seed, res.Gap, res.GapLimit, gap, limit)
			}
		}
	}
}

// TestWideSweep: after a sweep the last contact obeys its law exactly, a sweep at a solution changes nothing, and the change
// is the length of the way.
func TestWideSweep(t *testing.T) {
	rng := rand.New(rand.NewPCG(55, 1))
	for seed := range 20 {
		dim, nc := 4+seed%3, 2+seed%2
		p := rollingProblem(rng, dim, nc)
		k, err := newWide(p)
		if err != nil {
			t.Fatal(err)
		}
		one, err := newWide(rollingProblem(rng, dim, 1))
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(k.R)
		change := k.sweep(context.Background(), one)
		for i := range before {
			before[i] -= k.R[i]
		}
		if math.Abs(change-num.Norm(before)) > 1e-14*change || change == 0 {
			t.Errorf("problem %d: change %g, of r %g", seed, change, num.Norm(before))
		}
		k.residual(k.R, false)
		if last := num.Norm(k.f[dim*(nc-1):]); last > 1e-12*max(1, num.Norm(k.R)) {
			t.Errorf("problem %d: the last contact is left with %g", seed, last)
		}
		var res Result
		if SolveLocal(context.Background(), p, &Options{Tolerance: 1e-13}, nil, &res) != nil {
			continue // not to rounding
		}
		for i, x := range res.R {
			k.R[i] = x / (k.Scale[i] * k.Q0)
		}
		if change := k.sweep(context.Background(), one); change > 1e-8*num.Norm(k.R) { // over the least eigenvalue of W
			t.Errorf("problem %d: a sweep moves the solution by %g", seed, change)
		}
	}
}

// TestWideEdges: groups without mobility, laws that ask for what is not there, no data, and nothing to judge.
func TestWideEdges(t *testing.T) {
	for _, c := range []struct {
		w, scale []float64
	}{
		{[]float64{1, 2, 9, 0}, []float64{.5, .5, .5, 1. / 3}}, // the largest diagonal is not the mean
		{[]float64{.25, .25, .25, 0}, []float64{2, 2, 2, 2}},
		{[]float64{4, 4, 4, 4 * 1.1e-8}, []float64{.5, .5, .5, 1 / math.Sqrt(4.4e-8)}},
		{[]float64{4, 4, 4, 4 * 0.9e-8}, []float64{.5, .5, .5, .5}},
		{[]float64{1e-12, 1e-12, 1e-12, 4}, []float64{.5, .5, .5, .5}},
	} {
		k, err := newWide(&Local{W: diagonal(4, c.w...), Q: []float64{1, 0, 0, 0}, Laws: []Law{Rolling{Mu: 1, Spin: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range c.scale {
			if math.Abs(k.Scale[i]-s) > 1e-13*s {
				t.Errorf("W = diag%v: scales %v, want %v", c.w, k.Scale, c.scale)
				break
			}
		}
	}
	for _, c := range []struct {
		l   Rolling
		dim int
		ok  bool
	}{{Rolling{Resistance: .5}, 4, false}, {Rolling{Spin: .5}, 4, true}, {Rolling{Spin: .5}, 5, false}, {Rolling{Resistance: .5}, 5, true}, {Rolling{Spin: .5, Resistance: .5}, 6, true}, {Rolling{Mu: .5}, 4, true}} {
		if _, _, _, err := form.WideBounds(c.l, c.dim); (err == nil) != c.ok {
			t.Errorf("%+v in %d components: %v", c.l, c.dim, err)
		}
	}
	// Open and at rest: no contact is the worst.
	p := unit(Rolling{Mu: 0.5, Spin: 0.1}, 1, 0, 0, 0)
	var res Result
	if err := SolveLocal(context.Background(), p, nil, nil, &res); err != nil || res.Worst != -1 || res.PrimalWorst != -1 || res.DualWorst != -1 || res.GapWorst != -1 || res.Iterations != 0 {
		t.Errorf("%v, worst %d, %d, %d, %d", err, res.Worst, res.PrimalWorst, res.DualWorst, res.GapWorst)
	}
	p = unit(Rolling{Mu: 0.5, Spin: 0.1}, 0, 0, 0, 0)
	if m, worst := p.Merit(make([]float64, 4), nil, make([]float64, 4)); m != 0 || worst != -1 {
		t.Errorf("nothing at all: merit %g at %d", m, worst)
	}
	if m, _ := p.Merit(make([]float64, 4), nil, []float64{0, 0, 0, 2}); m != 1 {
		t.Errorf("a moment without a force: merit %g", m)
	}
	// A result that was used is begun anew, and a start that solves the problem is kept.
	rng := rand.New(rand.NewPCG(56, 1))
	for seed := range 6 {
		p := rollingProblem(rng, 4+seed%3, 3)
		var ws LocalWorkspace
		used := Result{Iterations: 1e6, Factors: 1e6, Dilation: 3}
		if SolveLocal(context.Background(), p, nil, &ws, &used) != nil {
			continue
		}
		if used.Iterations >= 1e6 || used.Factors > used.Iterations || used.Dilation != 0 {
			t.Errorf("problem %d: %d iterations, %d factorisations, dilation %g", seed, used.Iterations, used.Factors, used.Dilation)
		}
		r := slices.Clone(used.R)
		if err := SolveLocal(context.Background(), p, nil, &ws, &used); err != nil || used.Iterations != 0 {
			t.Errorf("problem %d: %v after %d iterations from the solution", seed, err, used.Iterations)
		}
		for i := range r {
			if math.Abs(used.R[i]-r[i]) > 1e-12*num.Norm(r) {
				t.Errorf("problem %d: r_%d = %g, was %g", seed, i, used.R[i], r[i])
			}
		}
	}
}

// TestWideNewtonPinned: the points and steps of Newton's method with moments from starts that are far off, whatever its line search does.
func TestWideNewtonPinned(t *testing.T) {
	table := Pinned(t)
	rng := rand.New(rand.NewPCG(57, 1))
	for seed := range 24 {
		p := rollingProblem(rng, 4+seed%3, 1+seed%4)
		k, err := newWide(p)
		if err != nil {
			t.Fatal(err)
		}
		start := make([]float64, k.N)
		for i := range start {
			start[i] = 4 * rng.NormFloat64()
		}
		for _, limit := range []int{1, 2, 3, 4, 6, 9, 60} {
			copy(k.R, start)
			steps := k.newton(context.Background(), limit, 1e-10)
			if size := k.residual(k.R, false); limit < 60 || size < 1e-6 {
				table.Check(fmt.Sprintf("wide-%d-%d", seed, limit), steps, k.R)
			} else {
				table.Check(fmt.Sprintf("wide-%d-%d", seed, limit), steps, size)
			}
		}
		res := Result{}
		_ = SolveLocal(context.Background(), p, &Options{MaxIterations: 40, Method: MethodGaussSeidel}, nil, &res)
		table.Check(fmt.Sprintf("wide-sweeps-%d", seed), int(res.Status), res.Iterations)
		_ = SolveLocal(context.Background(), p, &Options{MaxIterations: 150}, nil, &res)
		table.Check(fmt.Sprintf("wide-both-%d", seed), int(res.Status), res.Iterations, res.Factors)
	}
}
