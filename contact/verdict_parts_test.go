package contact

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// judgedProblem has a contact of each law, in units far from one, as blocks, full or neither.
func judgedProblem(rng *rand.Rand, kind int) *Local {
	laws := []Law{Coulomb{Mu: 0.4}, Tresca{Threshold: 0.3}, Associated{Mu: 0.5}, Bilateral{}, Frictionless{},
		Pyramid{Mu: 0.3, Facets: 5}, Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1},
		Coulomb{Mu: 0.6, Shape: NewShape([4]float64{1, 0.2, 0, 0.5})}}
	at := 0
	p := randomProblem(rng, 3, len(laws), 30, func() Law { at++; return laws[at-1] })
	d := p.W.(*Dense)
	for i := range p.Q {
		f := math.Pow(3, float64(i/3%4)-1)
		p.Q[i] *= 5 * f
		for j := range p.Q {
			d.Val[i*d.N+j] *= f
			d.Val[j*d.N+i] *= f
		}
	}
	switch kind % 3 {
	case 1:
		b := &Blocks{D: 3, Ptr: []int{0}}
		for i := range laws {
			for j := range laws {
				b.Col = append(b.Col, j)
				for k := range 9 {
					b.Val = append(b.Val, d.Val[(3*i+k/3)*d.N+3*j+k%3])
				}
			}
			b.Ptr = append(b.Ptr, len(b.Col))
		}
		p.W = b
	case 2:
		p.W = hidden{d}
	}
	return p
}

// TestJudgeByHand: each number of the verdict and its limit, from what a contact is and the
// formulas above, contact by contact.
func TestJudgeByHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(111, 7))
	for k := range 24 {
		p := judgedProblem(rng, k)
		n := len(p.Q)
		w := form.SampleOperator(p.W)
		rho := form.Steps(nil, p.W)
		q, sum := 0.0, 0.0
		r := make([]float64, n)
		for i := range r {
			r[i] = rng.NormFloat64() * []float64{1, 10, 1e5, 0.01}[k%4] * math.Sqrt(rho[i/3])
			sum += math.Abs(r[i]) / math.Sqrt(rho[i/3])
			q += rho[i/3] * p.Q[i] * p.Q[i]
		}
		q = math.Sqrt(q)
		for j := range p.Laws {
			trace := w[3*j*(n+1)] + w[(3*j+1)*(n+1)] + w[(3*j+2)*(n+1)]
			if math.Abs(rho[j]*trace-3) > 1e-12 {
				t.Fatalf("ρ_%d = %g, trace %g", j, rho[j], trace)
			}
		}
		if got := p.DataSize(rho); math.Abs(got-q) > 1e-13*q {
			t.Errorf("Q = %g, want %g", got, q)
		}
		if got := p.ReactionSize(rho, r); math.Abs(got-sum) > 1e-13*sum {
			t.Errorf("Σ|r|/√ρ = %g, want %g", got, sum)
		}
		var res Result
		var mem [3]vec3
		res.Allocate(n, len(p.Laws))
		copy(res.R, r)
		limit := 1e-6
		p.Assess(&mem, rho, &res, limit)
		u, sizes := make([]float64, n), make([]float64, n)
		for i := range u {
			u[i], sizes[i] = p.Q[i], math.Abs(p.Q[i])
			for j := range r {
				u[i] += w[i*n+j] * r[j]
				sizes[i] += math.Abs(w[i*n+j] * r[j])
			}
			if math.Abs(u[i]-res.U[i]) > 1e-13*sizes[i] {
				t.Fatalf("u_%d = %g, want %g", i, res.U[i], u[i])
			}
		}
		power := math.Sqrt(limit / form.DataFactor)
		exact := !(num.Eps*3*sum/q <= form.ExactShare*limit && num.Eps*3*sum/q*sum/q <= form.ExactShare*power)
		if exact != (len(res.Sizes) == n) {
			t.Errorf("problem %d: in twice the precision: %t, want %t", k, len(res.Sizes) == n, exact)
		}
		forced := num.Inf
		for j := range p.Laws {
			if num.InfNorm(r[3*j:3*j+3])/math.Sqrt(rho[j]) > form.ForcedFrom*q {
				forced = p.Forced(rho)
			}
		}
		type number struct{ value, limit, worst float64 }
		var want [4]number // primal, dual, distance, gap: the largest over its limit
		worst := [4]int{-1, -1, -1, -1}
		merit, unitFree, largest, at := 0.0, 0.0, 0.0, -1
		for j, law := range p.Laws {
			x, y := vec3(r[3*j:]), vec3(res.U[3*j:])
			root, lf := math.Sqrt(rho[j]), form.FormOf(law)
			foot := x
			law.Project(&foot, nil, &foot)
			hat := y
			hat[0] += law.Correction(&y)
			natural := func(step float64) float64 {
				z := vec3{x[0] - step*hat[0], x[1] - step*hat[1], x[2] - step*hat[2]}
				law.Project(&z, nil, &z)
				return math.Sqrt((x[0]-z[0])*(x[0]-z[0]) + (x[1]-z[1])*(x[1]-z[1]) + (x[2]-z[2])*(x[2]-z[2]))
			}
			primal := max(-y[0], 0)
			gap := math.Abs(dot(x, hat) + law.Support(&hat))
			switch law.(type) {
			case Bilateral:
				primal = num.Norm(y[:])
			case Associated: // the dual cone
				primal = max(lf.Bound*math.Hypot(y[1], y[2])-y[0], 0)
			case Cohesive: // known by its methods alone
				primal, gap = natural(rho[j])/rho[j], 0
			}
			e := natural(1)
			merit += e * e
			if e > largest {
				largest, at = e, j
			}
			if math.Abs(res.Residuals[j]-e) > 1e-12*(num.Norm(x[:])+num.Norm(hat[:])) {
				t.Errorf("problem %d: residual %d is %g, want %g", k, j, res.Residuals[j], e)
			}
			e = natural(rho[j])
			unitFree += e * e / rho[j]
			out := math.Sqrt((x[0]-foot[0])*(x[0]-foot[0])+(x[1]-foot[1])*(x[1]-foot[1])+(x[2]-foot[2])*(x[2]-foot[2])) / (root * q)
			whole := num.Norm(x[:]) / (root * q)
			size, beyond := min(whole, forced), max(1, whole/max(forced, 1))
			rounding := 0.0
			if exact {
				for i := 3 * j; i < 3*j+3; i++ {
					rounding = max(rounding, min(sizes[i]*root/q, forced*float64(n)))
				}
			}
			rounding = min(form.RoundingFactor*num.Eps*rounding, form.RoundingMost)
			own := min(form.RoundingFactor*num.Eps*size, form.RoundingMost)
			for i, x := range []number{{primal * root / q, (limit + rounding) / beyond, 0},
				{out + num.Eps*(whole-size), (limit + own) / beyond, 0},
				{natural(rho[j]) / (root * q), (limit + rounding + own) / beyond, 0},
				{gap / (q * q), (max(power, limit*size) + form.PowerFactor*rounding*size) / beyond, 0}} {
				if worst[i] < 0 && x.value > 0 || x.value*want[i].limit > want[i].value*x.limit {
					want[i], worst[i] = x, j
				}
			}
		}
		for i, got := range [4]number{{res.Primal, res.PrimalLimit, float64(res.PrimalWorst)},
			{res.Dual, res.DualLimit, float64(res.DualWorst)},
			{res.Distance, res.DistanceLimit, float64(res.DistanceWorst)}, {res.Gap, res.GapLimit, float64(res.GapWorst)}} {
			if math.Abs(got.value-want[i].value) > 1e-10*(1+want[i].value) ||
				math.Abs(got.limit-want[i].limit) > 1e-12*want[i].limit || got.worst != float64(worst[i]) {
				t.Errorf("problem %d: number %d is %g of %g at %g, want %g of %g at %d", k, i, got.value, got.limit,
					got.worst, want[i].value, want[i].limit, worst[i])
			}
		}
		qu, ru := 0.0, 0.0
		for i := range u {
			qu += rho[i/3] * res.U[i] * res.U[i]
			ru += r[i] * r[i] / rho[i/3]
		}
		if want := math.Sqrt(merit) / max(num.Norm(p.Q), num.Norm(r),
			num.Norm(u)); math.Abs(res.Merit-want) > 1e-12*(1+want) || res.Worst != at {
			t.Errorf("problem %d: merit %g at %d, want %g at %d", k, res.Merit, res.Worst, want, at)
		}
		if want := math.Sqrt(unitFree / max(q*q, qu, ru)); math.Abs(res.UnitFree-want) > 1e-12*(1+want) {
			t.Errorf("problem %d: unit-free merit %g, want %g", k, res.UnitFree, want)
		}
	}
}

// TestLimitsOfVerdict: the limits by themselves: heavy on light, couplings, no data, no mobility.
func TestLimitsOfVerdict(t *testing.T) {
	for _, c := range []struct {
		rho  []float64
		want float64
	}{{[]float64{2, 2}, 1e-6}, {nil, 1e-6}, {[]float64{1, 4}, 2e-6}, {[]float64{9, 1, 4}, 3e-6},
		{[]float64{1, 1e10}, form.RoundingMost}, {[]float64{1, 1e4}, 1e-4}, {[]float64{1, 0.999}, 1e-6 * math.Sqrt(1/0.999)}} {
		if got := form.DataLimit(1e-8, c.rho); math.Abs(got-c.want) > 1e-14*c.want {
			t.Errorf("%v: limit %g, want %g", c.rho, got, c.want)
		}
	}
	if got := form.DataLimit(1e-3, []float64{1, 4}); got != 0.1 {
		t.Errorf("limit %g of a loose tolerance", got)
	}
	p := &Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: make([]float64, 6), Laws: []Law{Frictionless{}, Frictionless{}}}
	if got := p.DataSize([]float64{1, 1}); got != 1 {
		t.Errorf("no data: %g", got)
	}
	w := p.W.(*Dense)
	// Largest |r|/√ρ.
	if got := p.Largest([]float64{4, 0.25}, []float64{3, -8, 0, 1, 0, -1.5}); got != 4 {
		t.Errorf("largest %g, want 4", got)
	}
	if got := p.Forced([]float64{1, 1}); got != 10 {
		t.Errorf("of the identity %g", got)
	}
	// Singular values 4, 1/4 in scaled units; what is rounding of the largest is none.
	w.Val[0], w.Val[7] = 16, 1./16
	if got := p.Forced([]float64{0.25, 1}); math.Abs(got-10/(0.25/16)) > 1e-9 {
		t.Errorf("forced %g, want %g", got, 160*4.)
	}
	w.Val[7] = 6 * 4 * num.Eps * 16 * 0.5
	if got := p.Forced([]float64{1, 1}); got != 10 {
		t.Errorf("with rounding %g", got)
	}
	w.Val[7] = 6 * 4 * num.Eps * 16 * 1.1
	if got, want := p.Forced([]float64{1, 1}), 10/w.Val[7]; math.Abs(got-want) > 1e-6*want {
		t.Errorf("just more than rounding %g, want %g", got, want)
	}
	clear(w.Val)
	if got := p.Forced([]float64{1, 1}); got != 0 {
		t.Errorf("without mobility %g", got)
	}
	// Estimates by couplings: 10 nc/least.
	copy(w.Val, diagonal(3, 1, 1, 1, 1, 1, 1).Val)
	if got := p.ForcedByMasses([]float64{1, 1}); got != 20 {
		t.Errorf("without couplings %g", got)
	}
	w.Val[3], w.Val[18] = -0.25, 0.5
	w.Val[1], w.Val[4*6+1] = 1e-3, 1e-13
	for name, o := range map[string]Operator{"full": w, "any": hidden{w}} {
		p.W = o
		if got := p.ForcedByMasses([]float64{1, 4}); math.Abs(got-20/0.5) > 1e-12 {
			t.Errorf("%s: couplings of a quarter over masses of four: %g, want 40", name, got)
		}
	}
	b := &Blocks{D: 3, Ptr: []int{0, 2, 3}, Col: []int{0, 1, 1}, Val: make([]float64, 27)}
	b.Val[9+2] = 0.2
	p.W = b
	if got := p.ForcedByMasses([]float64{1, 1}); math.Abs(got-100) > 1e-12 {
		t.Errorf("blocks: %g, want 100", got)
	}
	// The number that is largest beside its limit.
	value, limit, worst := 0.0, 1.0, -1
	for j, c := range []struct {
		v, l float64
		at   int
	}{{0, 1, -1}, {1, 2, 1}, {1, 2, 1}, {2, 5, 1}, {2, 3, 4}, {3, 1, 5}, {math.NaN(), 1, 6}} {
		if form.Worse(&value, &limit, &worst, c.v, c.l, j); worst != c.at {
			t.Errorf("%g of %g: worst %d, want %d", c.v, c.l, worst, c.at)
		}
	}
	// The first that fails, and by what.
	res := Result{Merit: 1, UnitFree: 1, Worst: 3, Primal: 1, PrimalLimit: 1, Dual: 1, DualLimit: 1, Gap: 1,
		GapLimit: 1, Distance: 1, DistanceLimit: 1, PrimalWorst: 4, DualWorst: 5, DistanceWorst: 6, GapWorst: 7}
	if !res.Passes(1) {
		t.Error("at all limits")
	}
	for k, c := range []struct {
		set   func(r *Result)
		worst int
	}{{func(r *Result) { r.Gap = 2 }, 7}, {func(r *Result) { r.Distance = math.NaN() }, 6},
		{func(r *Result) { r.Dual = 2 }, 5}, {func(r *Result) { r.Primal = 2 }, 4},
		{func(r *Result) { r.UnitFree = 2 }, 3}, {func(r *Result) { r.Merit = 3 }, 3}} {
		c.set(&res)
		found, failed := res.Failed(1)
		if !failed || found.Contact != c.worst || found.Value <= found.Limit {
			t.Errorf("number %d: %v", k, found)
		}
		var e *Error
		if err := res.Verdict(NoProgress, 1, nil); !errors.As(err, &e) || e.Criterion != found.Name ||
			e.Worst != c.worst || e.Tolerance != 1 {
			t.Errorf("number %d: %v", k, err)
		}
	}
	ok := Result{Merit: 1, UnitFree: 3, Worst: 2}
	ok.Merit, ok.UnitFree = 0.25, 0.5
	var e *Error
	if err := ok.Verdict(IterationLimit, 1, nil); !errors.As(err, &e) || e.Merit != 0.5 || e.Worst != 2 {
		t.Errorf("stopped: %v", err)
	}
	if ok.Verdict(Converged, 0, nil) != nil {
		t.Error("what converged is an error")
	}
}

// TestRoundingOfLargeReactions: of two contacts that are one but for 1e-11 of it, whose data force
// reactions of 10/1e-11, the rounding of 1e11 excuses no more than RoundingMost, and that of what is
// beyond counts against it.
func TestRoundingOfLargeReactions(t *testing.T) {
	w := diagonal(2, 1, 1, 1, 1)
	w.Val[2], w.Val[8] = 1-1e-11, 1-1e-11
	p := &Local{W: w, Q: []float64{-1, 0, -1, 0}, Laws: []Law{Frictionless{}, Frictionless{}}}
	var res Result
	res.Allocate(4, 2)
	assess := func(r float64) {
		copy(res.R, []float64{r, 0, r, 0})
		p.Assess(new([3]vec3), []float64{1, 1}, &res, 1e-6)
	}
	if assess(-1e11); math.Abs(res.PrimalLimit-(1e-6+form.RoundingMost)) > 1e-12 {
		t.Errorf("limit %g of motions", res.PrimalLimit)
	}
	whole, forced := 1e14/math.Sqrt2, p.Forced([]float64{1, 1})
	if assess(1e14); math.Abs(res.Dual-num.Eps*(whole-forced)) > 1e-12*whole*num.Eps {
		t.Errorf("reactions outside by %g, want %g", res.Dual, num.Eps*(whole-forced))
	}
}

// TestVerdictOfPlanes: what the memory for the arguments of laws held before does not count, in the
// plane either.
func TestVerdictOfPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(114, 7))
	p := randomProblem(rng, 2, 3, 8, func() Law { return []Law{Coulomb{Mu: 0.4}, Tresca{Threshold: 0.3}, Bilateral{}}[rng.IntN(3)] })
	rho := form.Steps(nil, p.W)
	var first, again Result
	for k, res := range []*Result{&first, &again} {
		mem := [3]vec3{}
		res.Allocate(6, 3)
		for i := range res.R {
			res.R[i] = math.Sin(float64(3*i + 1))
		}
		for i := range mem {
			mem[i] = vec3{float64(9 * k), float64(8 * k), float64(7 * k)}
		}
		p.Assess(&mem, rho, res, 1e-6)
	}
	if first.Merit != again.Merit || first.UnitFree != again.UnitFree || first.Primal != again.Primal ||
		first.Dual != again.Dual || first.Gap != again.Gap || first.Distance != again.Distance {
		t.Errorf("%+v, after other arguments %+v", first, again)
	}
}

// TestDoubledPrecision: sums of products in twice the precision, against rational arithmetic.
func TestDoubledPrecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(112, 7))
	for range 60 {
		s := form.Doubled{Hi: rng.NormFloat64()}
		exact := new(big.Rat).SetFloat64(s.Hi)
		size := math.Abs(s.Hi)
		for range 12 {
			a, b := rng.NormFloat64()*math.Pow(10, float64(rng.IntN(9))), rng.NormFloat64()
			for _, sign := range []float64{1, -1} { // what cancels shows the rest
				s.AddProduct(sign*a, b*(1+1e-9*(1-sign)))
				exact.Add(exact, new(big.Rat).Mul(new(big.Rat).SetFloat64(sign*a), new(big.Rat).SetFloat64(b*(1+1e-9*(1-sign)))))
				size += math.Abs(a * b)
			}
		}
		left, _ := exact.Sub(exact, new(big.Rat).Add(new(big.Rat).SetFloat64(s.Hi), new(big.Rat).SetFloat64(s.Lo))).Float64()
		if !(math.Abs(left) <= 100*num.Eps*num.Eps*size) { // of 24 sums
			t.Fatalf("%g is left of %g", left, size)
		}
	}
	p := judgedProblem(rng, 0)
	r := make([]float64, len(p.Q))
	for i := range r {
		r[i] = rng.NormFloat64()
	}
	var first, sizes []float64
	for kind := range 3 {
		q := judgedProblem(rand.New(rand.NewPCG(113, 7)), kind)
		u := make([]float64, len(r))
		size := q.ExactMotion(u, r, nil)
		if first == nil {
			first, sizes = u, size
		}
		for i := range u {
			if u[i] != first[i] || math.Abs(size[i]-sizes[i]) > 1e-14*sizes[i] {
				t.Errorf("way %d to store W: u_%d = %g, %g; size %g, %g", kind, i, u[i], first[i], size[i], sizes[i])
			}
		}
		plain := make([]float64, len(r))
		q.Motion(plain, r)
		for i := range plain {
			if math.Abs(plain[i]-u[i]) > 1e-13*size[i] { // of 25 sums
				t.Errorf("u_%d = %g, plain %g", i, u[i], plain[i])
			}
		}
	}
}
