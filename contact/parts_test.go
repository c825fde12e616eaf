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

// bandedMass is a positive definite M of parts of the orders given, none coupled to another.
func bandedMass(rng *rand.Rand, orders ...int) *sparse.Sym {
	n := 0
	for _, k := range orders {
		n += k
	}
	first, at := make([]int, n), 0 // of the part of a row
	for _, k := range orders {
		for i := range k {
			first[at+i] = at
		}
		at += k
	}
	return denseSym(n, func(i, j int) float64 {
		switch {
		case i == j:
			return 3 + rng.Float64()
		case first[i] == first[j] && max(i-j, j-i) <= 2:
			return 0.5
		}
		return 0
	})
}

// TestGramOfAnyParts: W = HᵀM⁻¹H whatever the parts of M: bodies, bodies that are elastic, and those whose contacts
// touch hundreds of rows; contacts on one part, on two, twice on one row; symmetric to the last bit.
func TestGramOfAnyParts(t *testing.T) {
	for _, c := range []struct {
		orders []int
		dim    int
		nc     int
	}{{[]int{6, 3, 6}, 3, 5}, {[]int{6, 40, 6}, 3, 6}, {[]int{2, 30, 28, 1}, 2, 7}, {[]int{24, 25}, 4, 4}, {[]int{4, manyColumns + 20}, 2, 425}} {
		rng := rand.New(rand.NewPCG(uint64(c.nc), 91))
		// Sparse storage of the pattern that is wanted.
		full := bandedMass(rng, c.orders...)
		b := sparse.NewBuilder(full.N)
		for j := range full.N {
			for k := full.Ptr[j]; k < full.Ptr[j+1]; k++ {
				if full.Val[k] != 0 {
					b.Add(full.Row[k], j)
				}
			}
		}
		m := b.Build()
		for j := range full.N {
			for k := full.Ptr[j]; k < full.Ptr[j+1]; k++ {
				if full.Val[k] != 0 {
					m.Val[m.Index(full.Row[k], j)] = full.Val[k]
				}
			}
		}
		h := &Jacobian{Dim: c.dim, Rows: m.N, Ptr: []int{0}}
		var touched []int
		for j := range c.nc {
			rows := []int{(j + 1) % m.N, (j * j) % m.N, (7*j + 3) % m.N, (7*j + 3) % m.N}
			for _, row := range rows[:2+j%3] {
				h.Row, touched = append(h.Row, row), append(touched, row)
				for range c.dim {
					h.Val = append(h.Val, rng.NormFloat64())
				}
			}
			h.Ptr = append(h.Ptr, len(h.Row))
		}
		slices.Sort(touched)
		if touched = slices.Compact(touched); c.nc > 100 && len(touched) <= manyColumns+4 {
			t.Fatalf("%d rows are touched", len(touched))
		}
		parts, err := newMassParts(context.Background(), m, h)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newGram(h, parts).build(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(parts.parts) != len(c.orders) {
			t.Fatalf("%d parts of %v", len(parts.parts), c.orders)
		}
		n := c.dim * c.nc
		v, u, want := make([]float64, m.N), make([]float64, m.N), make([]float64, n)
		r := make([]float64, n)
		for round := range 3 {
			for i := range r {
				r[i] = rng.NormFloat64()
			}
			clear(v)
			h.MulAdd(v, r)
			parts.solve(u, v)
			m.MulVec(v, u) // M M⁻¹ H r
			check := make([]float64, m.N)
			h.MulAdd(check, r)
			for i := range v {
				if math.Abs(v[i]-check[i]) > 1e-12*num.InfNorm(check) {
					t.Fatalf("%v: row %d of M M⁻¹x is %g, want %g", c.orders, i, v[i], check[i])
				}
			}
			clear(want)
			h.MulTransAdd(want, u)
			got := make([]float64, n)
			w.MulVec(got, r)
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-11*num.InfNorm(want) {
					t.Fatalf("%v, round %d: row %d of W r is %g, want %g", c.orders, round, i, got[i], want[i])
				}
			}
		}
		for i := range c.nc {
			for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
				back := find(w, w.Col[k], i)
				zero := w.Col[k] != i
				for a := range c.dim {
					for e := range c.dim {
						x := w.Val[c.dim*c.dim*k+c.dim*a+e]
						zero = zero && x == 0
						if len(c.orders) > 0 && math.Abs(x-w.Val[c.dim*c.dim*back+c.dim*e+a]) > 1e-15*(1+math.Abs(x)) {
							t.Fatalf("%v: block %d, %d is not symmetric", c.orders, i, w.Col[k])
						}
					}
				}
				if zero || k > w.Ptr[i] && w.Col[k] <= w.Col[k-1] {
					t.Fatalf("%v: row %d: a block of zeros, or columns that do not ascend", c.orders, i)
				}
			}
		}
	}
}

// TestSpringsInTheDiagonal: u' = (W + C) r + q + o for each way in which W is stored, without a change to the problem; and the springs
// are in the motion of the solution.
func TestSpringsInTheDiagonal(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 5))
	for dim := 2; dim <= 3; dim++ {
		p := randomProblem(rng, dim, 4, 4*dim+3, func() Law { return Coulomb{Mu: 0.3} })
		soft := Compliant{Law: Coulomb{Mu: 0.4}, Compliance: 0.3, Tangential: 0.2, Gap: 0.05, Damping: 0.7, Step: 0.5}
		p.Laws[1], p.Laws[3] = soft, &Compliant{Compliance: 0.6, Gap: -0.1}
		d := p.W.(*Dense)
		n := dim * 4
		blocks := &Blocks{D: dim, Ptr: []int{0}}
		for i := range 4 {
			for j := range 4 {
				if i == 3 && j == 3 { // a contact without mobility of its own, whose spring has some
					for a := range dim {
						for e := range dim {
							d.Val[(dim*i+a)*n+dim*j+e] = 0
						}
					}
					continue
				}
				blocks.Col = append(blocks.Col, j)
				for a := range dim {
					for e := range dim {
						blocks.Val = append(blocks.Val, d.Val[(dim*i+a)*n+dim*j+e])
					}
				}
			}
			blocks.Ptr = append(blocks.Ptr, len(blocks.Col))
		}
		r, want := make([]float64, n), make([]float64, n)
		for i := range r {
			r[i] = rng.NormFloat64()
		}
		d.MulVec(want, r)
		for i := range want {
			want[i] += p.Q[i]
		}
		// s/(h(h + s d)) and δ/(h + s d) of the first, s and δ of the second.
		c, o := [3]float64{0.3 / (0.5 * (0.5 + 0.3*0.7)), 0.2 / (0.5 * (0.5 + 0.2*0.7)), 0.2 / (0.5 * (0.5 + 0.2*0.7))}, 0.05/(0.5+0.3*0.7)
		for k := range dim {
			want[dim+k] += c[k] * r[dim+k]
		}
		want[dim] += o
		want[3*dim] += 0.6*r[3*dim] - 0.1
		for name, w := range map[string]Operator{"full": d, "blocks": blocks, "any": hidden{d}} {
			q := &Local{W: w, Q: slices.Clone(p.Q), Laws: p.Laws}
			kept, laws := slices.Clone(form.SampleOperator(w)), slices.Clone(q.Laws)
			rigid, some := q.WithoutSprings()
			if !some || !slices.Equal(kept, form.SampleOperator(w)) || !slices.Equal(q.Q, p.Q) || !slices.Equal(laws, q.Laws) {
				t.Fatalf("%s: springs: %t, or the problem has changed", name, some)
			}
			if b, ok := rigid.W.(*Blocks); ok && len(b.Col) != 16 { // each pair once
				t.Errorf("%d blocks of 16", len(b.Col))
			}
			if rigid.Laws[0] != p.Laws[0] || rigid.Laws[1] != (Coulomb{Mu: 0.4}) || rigid.Laws[3] != (Frictionless{}) {
				t.Errorf("%s: laws %v", name, rigid.Laws)
			}
			u := make([]float64, n)
			rigid.Motion(u, r)
			for i := range u {
				if math.Abs(u[i]-want[i]) > 1e-13*(1+math.Abs(want[i])) {
					t.Errorf("dim %d, %s: u_%d = %g, want %g", dim, name, i, u[i], want[i])
				}
			}
			// One contact at a time.
			for j, law := range p.Laws {
				var x, y vec3
				copy(y[:], r[dim*j:dim*j+dim])
				form.Stretch(law, &x, &y)
				v := make([]float64, dim)
				for k := range dim {
					v[k] = want[dim*j+k] - p.Q[dim*j+k]
					for i := range n {
						v[k] -= d.Val[(dim*j+k)*n+i] * r[i]
					}
					if math.Abs(v[k]-x[k]) > 1e-12 {
						t.Errorf("spring %d stretches by %v, want %v", j, x, v)
					}
				}
			}
			// The motion that a solution reports is without the springs'.
			var res Result
			if err := SolveLocal(context.Background(), q, nil, nil, &res); err != nil {
				t.Fatal(err)
			}
			q.Motion(u, res.R)
			for i := range u {
				if math.Abs(u[i]-res.U[i]) > 1e-12*(1+num.Norm(res.R)) {
					t.Errorf("%s: u_%d = %g, W r + q = %g", name, i, res.U[i], u[i])
				}
			}
		}
	}
	if p, some := pinnedLocals()["coulomb3"].WithoutSprings(); some || p == nil {
		t.Error("springs where there are none")
	}
}

// islands are pairs of contacts, each pair coupled in itself alone.
func islands(pairs int) *Local {
	b := &Blocks{D: 3, Ptr: []int{0}}
	p := &Local{W: b}
	for i := range 2 * pairs {
		for _, j := range []int{i &^ 1, i | 1} {
			v, s := 1.0+0.1*float64(i%3), 0.05
			if i != j {
				v, s = 0.4, 0.1
			}
			b.Col = append(b.Col, j)
			b.Val = append(b.Val, v, s, 0, s, v, 0, 0, 0, v)
		}
		b.Ptr = append(b.Ptr, len(b.Col))
		p.Q = append(p.Q, -1-0.1*float64(i%7), 0.3*float64(i%5-2), 0.2)
		p.Laws = append(p.Laws, []Law{Coulomb{Mu: 0.2}, Coulomb{Mu: 0.5}, Frictionless{}, Bilateral{}, Coulomb{Mu: 0.2}}[i%5])
	}
	return p
}

// TestRegionParts: regions are where a sweep changes something, with a ring; the problem of one is that of its contacts with the
// others held; its solution is that of the whole there; and what is solved already stays.
func TestRegionParts(t *testing.T) {
	const pairs = 150
	p := islands(pairs)
	s := startRun(p, 1e-9)
	if status := s.gaussSeidel(3000); status != Converged {
		t.Fatal(status)
	}
	solution := slices.Clone(s.ws.best)
	c := s.c
	moved := []int{4, 17, 60, 149}
	copy(s.ws.r, solution)
	for _, k := range moved {
		s.ws.r[2*k] = vec3{0.1, 0, 0}
	}
	lists := s.findRegions()
	// The hot contacts carry regionsShare of the squared change: the least moved may be left out.
	var found []int
	for _, l := range lists {
		if len(l) != 2 || l[0]%2 != 0 || l[1] != l[0]+1 {
			t.Errorf("region %v is no pair", l)
			continue
		}
		found = append(found, int(l[0]/2))
	}
	if !slices.IsSorted(found) || len(found) == 0 || slices.ContainsFunc(found, func(k int) bool { return !slices.Contains(moved, k) }) {
		t.Errorf("regions of pairs %v, moved are %v", found, moved)
	}
	// By hand: the squares of what a sweep changes, the largest first, to their share of all.
	image := slices.Clone(s.ws.r)
	change, _ := s.sweep(image)
	weight := func(j int) (sum float64) {
		for k := range 3 {
			d := image[j][k] - s.ws.r[j][k]
			sum += d * d
		}
		return sum
	}
	order := make([]int, c.nc)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return map[bool]int{true: -1, false: 1}[weight(a) > weight(b)] })
	hot, sum := map[int]bool{}, 0.0
	for _, j := range order {
		if sum > regionsShare*change*change {
			break
		}
		sum += weight(j)
		hot[j/2] = true
	}
	if len(hot) != len(found) {
		t.Errorf("%d pairs carry the change, %d regions", len(hot), len(found))
	}
	// The problem of a region that leaves out the partner of its second contact.
	place := make([]int32, c.nc)
	list := []int32{8, 9, 120}
	for i, j := range list {
		place[j] = int32(i + 1)
	}
	place[121] = 2 // of another region
	q, start := c.region(list, place, s.ws.r)
	u, all := make([]float64, 9), make([]vec3, c.nc)
	q.Motion(u, start)
	c.velocity(all, s.ws.r)
	for i, j := range list {
		for k := range 3 {
			if start[3*i+k] != s.ws.r[j][k] || math.Abs(u[3*i+k]-all[j][k]) > 1e-14 {
				t.Errorf("contact %d: starts at %v with %v, want %v with %v", j, start[3*i:3*i+3], u[3*i:3*i+3], s.ws.r[j], all[j])
			}
		}
		law := map[form.LawKind]Law{form.KindCoulomb: Coulomb{Mu: c.mu[j]}, form.KindFrictionless: Frictionless{}, form.KindBilateral: Bilateral{}}[c.kind[j]]
		if q.Laws[i] != law {
			t.Errorf("contact %d: %v, want %v", j, q.Laws[i], law)
		}
	}
	if b := q.W.(*Blocks); !slices.Equal(b.Ptr, []int{0, 2, 4, 5}) || !slices.Equal(b.Col, []int{0, 1, 0, 1, 2}) {
		t.Errorf("blocks %v in rows %v", b.Col, b.Ptr)
	}
	// All regions until nothing is left; the merit never rises, and steps are counted.
	before := s.evaluate()
	for range 20 {
		iterations, factors := s.iterations, s.factors
		some := s.solveRegions()
		after := s.evaluate()
		if after < 0.5*before && (!some || s.iterations <= iterations || s.factors <= factors) || after > before {
			t.Errorf("regions: some: %t, %d iterations, %d factorisations, merit from %g to %g", some, s.iterations-iterations, s.factors-factors, before, after)
		}
		if before = after; after < 1e-9 {
			break
		}
	}
	if before > 1e-9 {
		t.Errorf("merit %g is left", before)
	}
	for j, r := range s.ws.r {
		for k := range 3 {
			if math.Abs(r[k]-solution[j][k]) > 1e-6 {
				t.Errorf("contact %d: %v, want %v", j, r, solution[j])
			}
		}
	}
	if r, steps, _ := s.solveRegion([]int32{2, 3}, place, 1); r != nil && steps > 0 {
		var x [2]vec3
		for i := range x {
			x[i] = vec3(r[3*i:])
		}
		if num.Norm(x[0][:]) == 0 {
			t.Errorf("a region that is solved moves to %v", x)
		}
	}
	if s.regional() {
		t.Error("a small problem has regions")
	}
}

// TestStepBack: a step is halved until the equations are not worse than before, twelve times at most.
func TestStepBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(94, 5))
	lengths := map[float64]int{}
	for range 40 {
		p := randomProblem(rng, 3, 4, 15, func() Law { return Coulomb{Mu: 0.5} })
		s := startRun(p, 1e-9)
		ws, c := s.ws, s.c
		from := make([]vec3, 4)
		for j := range from {
			from[j], ws.d[j] = randomVec(rng), randomVec(rng)
			for k := range 3 {
				ws.d[j][k] *= 3
			}
		}
		at := func(a float64) float64 {
			r := make([]vec3, 4)
			for j := range r {
				for k := range 3 {
					r[j][k] = from[j][k] + a*ws.d[j][k]
				}
			}
			copy(ws.r, r)
			c.velocity(ws.u, r)
			return c.equations(ws, r, true, false)
		}
		last := at(0)
		want := 0.0
		for k := 1; k <= warmHalvings; k++ {
			if want = math.Pow(2, -float64(k)); at(want) <= last {
				break
			}
		}
		r := make([]vec3, 4)
		for j := range r {
			for k := range 3 {
				r[j][k] = from[j][k] + want*ws.d[j][k]
			}
		}
		for range warmAfter {
			c.sweep(r)
		}
		if got := s.stepBack(from, last); got != want {
			t.Errorf("a step of %g, want %g", got, want)
		}
		for j := range r {
			for k := range 3 {
				if math.Abs(ws.r[j][k]-r[j][k]) > 1e-12 {
					t.Fatalf("r_%d = %v, want %v", j, ws.r[j], r[j])
				}
			}
		}
		lengths[want]++
		if got := s.stepBack(from, -1); got != math.Pow(2, -warmHalvings) {
			t.Errorf("what cannot be reached: a step of %g", got)
		}
	}
	if len(lengths) < 3 {
		t.Errorf("lengths %v", lengths)
	}
}

// TestReducedUnits: the scaled problem and its reactions are congruent to those of the problem, of any shape and dimension: u' = T u/q0
// and r = q0 Tᵀr', and back.
func TestReducedUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(95, 5))
	skew := NewShape([4]float64{1, 0.3, -0.2, 0.4})
	for seed := range 12 {
		dim := 2 + seed%2
		p := randomProblem(rng, dim, 4, 4*dim+2, func() Law {
			if dim == 2 {
				return []Law{Coulomb{Mu: 0.3}, Tresca{Threshold: 0.6}, Pyramid{Mu: 0.2}}[rng.IntN(3)]
			}
			return []Law{Coulomb{Mu: 0.3, Shape: skew}, Tresca{Threshold: 0.6, Shape: skew}, Pyramid{Mu: 0.2, Facets: 5}, Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1}}[rng.IntN(4)]
		})
		f := math.Pow(10, float64(seed%5-2))
		for i := range p.Q {
			p.Q[i] *= f
		}
		s := startRun(p, 1e-9)
		c, n := s.c, len(p.Q)
		sum := 0.0
		for j := range c.q {
			sum += dot(c.q[j], c.q[j])
			b := &c.blk[c.diag[j]]
			trace := b[0] + b[4] + b[8]
			if math.Abs(trace-3) > 1e-12 || dim == 2 && b[8] != 1 {
				t.Errorf("contact %d: trace %g", j, trace)
			}
		}
		if math.Abs(sum-1) > 1e-13 {
			t.Errorf("‖q‖² = %g", sum)
		}
		r, u := make([]float64, n), make([]float64, n)
		for i := range r {
			r[i] = rng.NormFloat64() * f
		}
		scaled := make([]vec3, 4)
		c.restrict(scaled, r)
		back := make([]float64, n)
		c.expand(back, scaled)
		p.Motion(u, r)
		v := make([]vec3, 4)
		c.velocity(v, scaled)
		power, want := 0.0, 0.0
		for j := range v {
			var x vec3
			copy(x[:], u[dim*j:dim*j+dim])
			c.toReduced(j, &x)
			for k := range 3 {
				if math.Abs(x[k]/c.q0-v[j][k]) > 1e-11*(1+math.Abs(v[j][k])) {
					t.Errorf("u'_%d = %v, T u/q0 = %g", j, v[j], x[k]/c.q0)
				}
				power += v[j][k] * scaled[j][k]
			}
		}
		for i := range r {
			want += r[i] * u[i] / (c.q0 * c.q0)
			if math.Abs(back[i]-r[i]) > 1e-12*num.Norm(r) {
				t.Errorf("r_%d = %g, back %g", i, r[i], back[i])
			}
		}
		if math.Abs(power-want) > 1e-11*(1+math.Abs(want)) {
			t.Errorf("power %g, want %g", power, want)
		}
		// Projections and corrections are those of the laws, in the other units.
		for j, l := range p.Laws {
			form := form.FormOf(l)
			if !form.Shape.Isotropic() {
				continue
			}
			size, speed := c.sigma[j]*c.q0, c.q0/c.sigma[j]
			var x, y vec3
			copy(x[:dim], r[dim*j:])
			copy(y[:dim], u[dim*j:])
			var foot vec3
			l.Project(&foot, nil, &x)
			a, b := vec3{x[0] / size, x[1] / size, x[2] / size}, vec3{y[0] / speed, y[1] / speed, y[2] / speed}
			var jac, own mat3
			var got vec3
			c.project(j, &got, &jac, &a)
			l.Project(new(vec3), &own, &x)
			for k := range 3 {
				if math.Abs(got[k]*size-foot[k]) > 1e-12*num.Norm(x[:]) {
					t.Errorf("%T: the foot is %v, want %v in units of %g", l, got, foot, size)
				}
			}
			for k := range own {
				if dim == 2 && k == 8 { // the second tangent that a plane problem lacks
					continue
				}
				if math.Abs(own[k]-jac[k]) > 1e-9 {
					t.Errorf("%T: derivative %v, want %v", l, jac, own)
				}
			}
			if got, want := c.correction(j, &b)*speed, l.Correction(&y); math.Abs(got-want) > 1e-12*num.Norm(y[:]) {
				t.Errorf("%T: correction %g, want %g", l, got, want)
			}
		}
	}
}
