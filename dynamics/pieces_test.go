package dynamics

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
)

// TestRemedies: the number of steps that brings an error to its limit with a tenth to spare, in
// three digits; or what is in the way of that.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		o            order
		steps        int
		value, limit float64
		want         float64
		text         string
	}{
		{firstOrder, 100, .5, .01, 5500, "about 5500 steps, the error being O(h)"},
		{secondOrder, 100, .04, .01, 220, "about 220 steps, the error being O(h²)"},
		{firstOrder, 7, .02, .01, 16, "about 16 steps, the error being O(h)"},
		{firstOrder, 123, .0101, .01, 137, "about 137 steps, the error being O(h)"},
		{firstOrder, 1000, .012, .01, 1320, "about 1320 steps, the error being O(h)"},
		{firstOrder, 12345, .02, .01, 27200, "about 27200 steps, the error being O(h)"},
		{firstOrder, 1000000, .0908, .01, 9.99e6, "about 9990000 steps, the error being O(h)"},
		{firstOrder, 1000000, .1, .01, 0, "no number of steps that can be made: 1.1e+07, the error being O(h); at this step the accuracy is 0.1"},
		{firstOrder, 1000000, 1, .01, 0, "no number of steps that can be made: 1.1e+08, the error being O(h); at this step the accuracy is 1"},
		{firstOrder, 1000000, 1.1, .01, 0, "no number of steps that can be made: 1.2e+08, the error being O(h)"},
		{observed(2, 1.9, firstOrder), 10, .5, .01, 0,
			"more steps are not known to help, by the observed order 0.074: neighbouring motions part, or events fall anywhere into steps; at this step the accuracy is 0.5"},
		{observed(2, 3, firstOrder), 10, 5, .01, 0,
			"more steps are not known to help, by the observed order 0: neighbouring motions part, or events fall anywhere into steps"},
		{order{.25, "slow"}, 10, .02, .01, 176, "about 176 steps, slow"},
		{observed(1.5, 1, firstOrder), 10, .02, .01, 36, "about 36 steps, by the observed order 0.58"},
	} {
		m := Measure{Value: c.value, Limit: c.limit}
		if text := c.o.moreSteps(c.steps, &m); text != c.text || math.Abs(m.Steps-c.want) > 1e-9*c.want {
			t.Errorf("%+v: %q, %g", c, text, m.Steps)
		}
	}
	for _, c := range []struct {
		steps, want float64
		text        string
	}{
		{1000, 1000, "about"}, // ten times as many
		{1010, 0, "no number of steps is known: 10 times as many, the error being O(h), are too far from these where contacts open, close and slide; at this step the accuracy is 0.5"},
		{0, 0, "about"}, // there was none
	} {
		m := Measure{Value: .5, Steps: c.steps}
		if text := firstOrder.near(100, &m, "about"); text != c.text || m.Steps != c.want {
			t.Errorf("%g steps for 100: %q, %g", c.steps, text, m.Steps)
		}
	}
	for _, c := range [][4]float64{{4, 1, 2, 2}, {4, 1, 1, 1}, {2, 1, 2, 1}, {1, 0, 2, 2}, {0, 0, 2, 2},
		{1, 2, 2, -1}} { // coarse, fine, most, order
		if got := observed(c[0], c[1], order{power: c[2]}).power; got != c[3] {
			t.Errorf("%v: order %g", c, got)
		}
	}
}

// TestSections: the polygon of each law is the set of its forces: what its projection leaves.
func TestSections(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	shape := func(a, b, c, d float64) contact.Shape { return contact.NewShape([4]float64{a, b, c, d}) }
	for _, c := range []struct {
		law    contact.Law
		dim    int
		facets int // 0: none
	}{
		{contact.Frictionless{}, 2, 2}, {contact.Frictionless{}, 3, 4}, {contact.Coulomb{Mu: .4}, 2, 2},
		{contact.Coulomb{Mu: .4}, 3, 0}, {contact.Coulomb{Mu: .4, Shape: shape(.5, 0, 0, 2)}, 2, 2},
		{contact.Coulomb{Mu: .4, Shape: shape(1, .2, .2, 1)}, 2, 0},
		{contact.Coulomb{Mu: .4, Shape: shape(1, .2, 0, 1)}, 2, 0},
		{contact.Coulomb{Mu: .4, Shape: shape(1, 0, .2, 1)}, 2, 0}, {contact.Pyramid{Mu: .3}, 2, 2},
		{contact.Pyramid{Mu: .3}, 3, 4}, {contact.Pyramid{Mu: .3, Facets: 4}, 3, 4},
		{contact.Pyramid{Mu: .3, Facets: 6}, 3, 6}, {contact.Pyramid{Mu: .3, Facets: 10}, 3, 10},
		{contact.Tresca{Threshold: 1}, 2, 0}, {contact.Associated{Mu: .3}, 2, 0},
	} {
		p, ok := newPolygon(c.law, c.dim)
		if ok != (c.facets > 0) || ok && len(p.d) != c.facets {
			t.Errorf("%+v in %d: %t, %d facets", c.law, c.dim, ok, len(p.d))
		}
		if !ok {
			continue
		}
		for range 300 {
			x := [3]float64{1 + r.Float64(), r.NormFloat64(), 0}
			if c.dim == 3 {
				x[2] = r.NormFloat64()
			}
			x[1], x[2] = .5*x[1], .5*x[2]
			inside, near := true, false
			for _, d := range p.d {
				slack := p.mu*x[0] - d[0]*x[1] - d[1]*x[2]
				inside, near = inside && slack >= 0, near || math.Abs(slack) < 1e-9
			}
			y := x
			if c.law.Project(&y, nil, &x); !near && inside != (math.Abs(y[0]-x[0])+math.Abs(y[1]-x[1])+math.Abs(y[2]-x[2]) < 1e-12) {
				t.Errorf("%+v in %d: %v is inside: %t, becomes %v", c.law, c.dim, x, inside, y)
			}
		}
	}
}

// TestRanks: the rank of matrices of known rank, a null vector, and what is said of rows that
// repeat or contradict each other, in any unit.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := 1; n <= 5; n++ {
		for k := 0; k <= n; k++ {
			a := mat.NewDense(n, n+2, nil)
			for range k {
				x, y := make([]float64, n), make([]float64, n+2)
				for i := range x {
					x[i] = r.NormFloat64()
				}
				for i := range y {
					y[i] = r.NormFloat64()
				}
				a.RankOne(a, 1, mat.NewVecDense(n, x), mat.NewVecDense(n+2, y))
			}
			got, null := rank(a)
			if got != k || (null == nil) != (k == n) {
				t.Errorf("rank %d of order %d, want %d", got, n, k)
			}
			for j := range n + 2 {
				sum := 0.0
				for i, y := range null {
					sum += y * a.At(i, j)
				}
				if !(math.Abs(sum) <= 1e-12) { // of entries of a few
					t.Errorf("column %d times the null vector is %g", j, sum)
				}
			}
		}
	}
	for _, unit := range []float64{1, 1e-8, 1e8} {
		for _, c := range []struct {
			mv, b []float64
			text  string // "": solvable
		}{
			{[]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, []float64{1, 2, 3}, ""},
			{[]float64{1, 0, 0, 2, 0, 0, 0, 0, 1}, []float64{1, 2, 3}, "rows 1, 2 depend on each other"},
			{[]float64{1, 0, 0, 2, 0, 0, 0, 0, 1}, []float64{1, 3, 3}, "rows 1, 2 contradict each other"},
			{[]float64{1, 0, 0, 0, 1, 0, 1, 1, 0}, []float64{1, 2, 3}, "rows 1, 2, 3 depend on each other"},
			{[]float64{1, 0, 0, 0, 1, 0, 1, 1, 0}, []float64{1, 2, 3.001}, "rows 1, 2, 3 contradict each other"},
			{[]float64{1, 0, 0, 0, 1, 0, 0, 0, 0}, []float64{1, 2, 0}, "rows 3 depend on each other"},
			{[]float64{1, 0, 0, 0, 1, 0, 0, 0, 0}, []float64{1, 2, 1}, "rows 3 contradict each other"},
		} {
			b := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: make([]float64, 3), nq: 3, nv: 3}
			for i, x := range c.mv {
				b.MV[i] = unit * x
			}
			for i, x := range c.b {
				b.B[i] = unit * x
			}
			err := b.solvable(mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}))
			if (err == nil) != (c.text == "") || err != nil && !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v, unit %g: %v, want %q", c, unit, err, c.text)
			}
		}
	}
	b := &Boundary{MV: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, N: make([]float64, 18), B: make([]float64, 3), nq: 3, nv: 3}
	if err := b.solvable(mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 1, 0})); err == nil ||
		!strings.Contains(err.Error(), "rank 2 of 3; see rows 2, 3") {
		t.Error(err)
	}
	for k, want := range []int{3, 2, 1} { // M_v + N_v
		if k > 0 {
			b.N[6*k+3+k] = -1
		}
		if got := b.Rank(); got != want {
			t.Errorf("rank %d, want %d", got, want)
		}
	}
}

// rows are patches of one point.
type rows struct {
	patch *Patch
	n     int
}

func (r *rows) Size() (nq, nv, dim int)                      { return 2, 2, 2 }
func (r *rows) Mass(m *Mass, _ []float64)                    { m.Diagonal(1, 1) }
func (r *rows) Force(f []float64, _ float64, _, _ []float64) { f[0], f[1] = 1, -10 }
func (r *rows) Contacts(c *Contacts, q []float64) {
	for k := range r.n {
		c.Begin(k, r.patch)
		for range r.patch.Elements() {
			c.Element(q[1])
			c.Row(0, 0, 1, 0)
			c.Row(1, 1, 0, 0)
		}
	}
}

// TestRestartKeepsSprings: a run restarted from its state with springs pressed goes on as the one
// it is from, and its ledger begins with what they store.
func TestRestartKeepsSprings(t *testing.T) {
	for _, rigid := range []bool{false, true} {
		a := newChain(t, 3, 2, contact.Coulomb{Mu: .3}, rigid, Options{})
		b := newChain(t, 3, 2, contact.Coulomb{Mu: .3}, rigid, Options{})
		run(t, b, .004, 7)
		run(t, a, .004, 5)
		start := a.State().Clone()
		if err := b.Restart(start); err != nil {
			t.Fatal(err)
		}
		stored := 0.0
		for i := range a.contacts.patches {
			p := &a.contacts.patches[i]
			if p.patch.k == nil {
				continue
			}
			first, last := start.Patch(p.key)
			for r := first; r < last; r++ {
				for c := first; c < last; c++ {
					stored += .5 * start.Delta[r] * p.patch.k[(r-first)*(last-first)+c-first] * start.Delta[c]
				}
			}
		}
		e := b.Ledger()
		if !(math.Abs(e.Stored-stored) <= 1e-13*stored) || e.Kinetic != a.Ledger().Kinetic || stored == 0 ||
			e.Viscous != 0 || b.Last().Index != 0 || !slices.Equal(b.travel, make([]float64, 9)) || !slices.Equal(b.origin, start.Q) {
			t.Errorf("the ledger begins with %+v, want %g J stored", e, stored)
		}
		if c := b.Creations(); c.islands() != 1 || !(math.Abs(c.Whole.Start-e.Kinetic) <= 1e-13*e.Kinetic) {
			t.Errorf("%d islands of %g J", c.islands(), c.Whole.Start)
		}
		x, y := run(t, a, .004, 4), run(t, b, .004, 4)
		if !slices.Equal(x.Q, y.Q) || !slices.Equal(x.Lambda, y.Lambda) || !slices.Equal(x.Delta, y.Delta) || x.T != y.T {
			t.Errorf("rigid %t: other motions: %v and %v", rigid, x.Q, y.Q)
		}
		if b.step.Index != 4 || b.residual > 1e-8 || b.residual < 0 {
			t.Errorf("step %d, residual %g", b.step.Index, b.residual)
		}
		for _, bad := range []*State{{Q: x.Q, V: x.V[1:]}, {Q: x.Q[1:], V: x.V}} {
			if b.Restart(bad) == nil {
				t.Error("a state of another size is accepted")
			}
		}
	}
}

// TestCreationsSlowly: what islands make, move and lose, against sums over all steps and parts that
// are made anew each time.
func TestCreationsSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	const parts, steps = 5, 30
	for round := range 20 {
		links := make([][3]int, 3) // parts and the step before which they meet
		for i := range links {
			links[i] = [3]int{r.IntN(parts), r.IntN(parts), 1 + r.IntN(steps)}
		}
		start := make([]float64, parts)
		for p := range start {
			start[p] = r.Float64()
		}
		var c Creations
		c.Begin(start, nil, nil, nil)
		var made, work, taken, rest [steps][parts]float64
		for k := range steps {
			for _, l := range links {
				if l[2] == k {
					c.Link(l[0], l[1])
				}
			}
			for p := range parts {
				made[k][p], work[k][p], taken[k][p], rest[k][p] = r.NormFloat64(), r.NormFloat64(), r.Float64(), r.Float64()
				if round%3 == 0 && p == 1 {
					rest[k][p] = 0
				}
				c.Add(p, made[k][p]/2, work[k][p], rest[k][p]/4)
				c.Add(p, made[k][p]/2, 0, 3*rest[k][p]/4)
				c.Take(p, taken[k][p])
			}
			c.Close(float64(k+1) / steps)
		}
		whole := 0.0
		for root := range parts {
			if c.Root[root] != root {
				continue
			}
			x := c.Island[root]
			var begin, sum, take, net float64
			for p := range parts {
				if c.Root[p] != root {
					continue
				}
				begin += start[p]
				for k := range steps {
					sum, take, net = sum+made[k][p], take+taken[k][p], net+work[k][p]
				}
			}
			whole += sum
			for what, v := range map[string][2]float64{"Start": {x.Start, begin}, "Sum": {x.Sum, sum},
				"Taken": {x.Taken, take}, "Work": {c.Work[root], net}} {
				if !(math.Abs(v[0]-v[1]) <= 1e-12) {
					t.Errorf("%s of island %d is %g, want %g", what, root, v[0], v[1])
				}
			}
			alone := c.islands() == parts
			if alone { // nothing was joined: the largest are known too
				most, step, moved, s, w := 0.0, 0.0, 0.0, 0.0, 0.0
				at, stepAt, unsolved := 0.0, 0.0, 0.0
				for k := range steps {
					s, w = s+made[k][root], w+work[k][root]
					if math.Abs(s) > most {
						most, at = math.Abs(s), float64(k+1)/steps
					}
					if math.Abs(made[k][root]) > step {
						step, stepAt = math.Abs(made[k][root]), float64(k+1)/steps
					}
					moved, unsolved = max(moved, w), unsolved+rest[k][root]
				}
				for what, v := range map[string][2]float64{"Most": {x.Most, most}, "MostAt": {x.MostAt, at},
					"Step": {x.Step, step}, "StepAt": {x.StepAt, stepAt}, "Moved": {x.Moved, moved}, "Rounding": {x.Rounding, unsolved}} {
					if !(math.Abs(v[0]-v[1]) <= 1e-12) {
						t.Errorf("%s of part %d is %g, want %g", what, root, v[0], v[1])
					}
				}
			}
		}
		if !(math.Abs(c.Whole.Sum-whole) <= 1e-12) {
			t.Errorf("%g made by all, want %g", c.Whole.Sum, whole)
		}
		sums, energies := c.sums(nil), c.energies(nil)
		for p, root := range c.Root {
			if want := c.Island[root].Start + c.Island[root].Moved; energies[p] != want || root == p &&
				sums[p] != c.Island[p].Sum || root != p && sums[p] != 0 {
				t.Errorf("part %d: sums %v, energies %v", p, sums, energies)
			}
		}
		// since: a step after these sums.
		for p := range parts {
			c.Add(p, .1*float64(p+1), 0, 0)
		}
		c.Close(1.1)
		want := 0.0
		for root := range parts {
			if c.Root[root] == root {
				part := 0.0
				for p := range parts {
					if c.Root[p] == root {
						part += .1 * float64(p+1)
					}
				}
				want = max(want, part/energies[root])
			}
		}
		if got := c.since(sums, energies); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%g since, want %g", got, want)
		}
	}
}

// TestWorstOfIslands: each measure is that of its own worst island, by name.
func TestWorstOfIslands(t *testing.T) {
	var c Creations
	c.Begin([]float64{1, 1, 1}, nil, nil, nil)
	c.Add(0, .5, 0, 0)
	c.Add(1, .3, 0, 0)
	c.Close(1)
	c.Add(1, .3, 0, 0)
	c.Close(2)
	c.Add(1, .3, 0, 0)
	c.Close(3)
	list := c.Measures(.4, 10, "", []string{"a", "b", "c"})
	if a, b := list[0], list[1]; math.Abs(a.Value-.9) > 1e-14 || math.Abs(b.Value-.5) > 1e-14 || // a step rounds energies
		!strings.HasSuffix(a.Place, "in b") || !strings.HasSuffix(b.Place, "in a") || a.Steps != 25 || b.Steps != 14 {
		t.Errorf("%+v", list)
	}
	if list = c.Measures(.4, 10, "softer", []string{"a", "b", "c"}); list[0].Remedy != "softer" || list[1].Remedy != "softer" {
		t.Errorf("%+v", list)
	}
	c.Link(0, 2)
	c.Link(0, 1)
	if list = c.Measures(.4, 10, "", []string{"a"}); strings.Contains(list[0].Place, "island") ||
		!(math.Abs(list[0].Value-1.4/3) < 1e-14) || list[0].Place != "1.4 J at t = 3 s of 3 J that move" ||
		list[1].Place != "0.8 J at t = 1 s of 3 J that move" {
		t.Errorf("%+v", list)
	}
}
