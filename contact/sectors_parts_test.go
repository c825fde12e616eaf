package contact

import (
	"context"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSectorReactions: the generators of a sector are those of its triangle, or of the square around the disc, so that
// every force with its direction in the sector is a sum of them, and none is far beyond.
func TestSectorReactions(t *testing.T) {
	const mu = 0.5
	s := startRun(&Local{W: &Dense{D: 3, N: 12, Val: form.SampleOperator(diagonal(3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))}, Q: []float64{-1, .1, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0},
		Laws: []Law{Coulomb{Mu: mu}, Frictionless{}, Bilateral{}, Coulomb{}}}, 1e-9)
	if s.sectored() {
		t.Error("four contacts are searched")
	}
	c := s.c
	e := func(a, size float64) vec3 { return vec3{1, size * math.Cos(a), size * math.Sin(a)} }
	const a, b = 0.3, 1.1
	far := mu / math.Cos(0.4)
	for _, x := range []struct {
		contact int
		at      sector
		want    []vec3
	}{
		{0, sector{mode: sectorAny}, []vec3{{1, mu, mu}, {1, -mu, mu}, {1, -mu, -mu}, {1, mu, -mu}}},
		{0, sector{mode: sectorOpen}, nil},
		{0, sector{sectorStick, a, b}, []vec3{{1, 0, 0}, e(a, mu), e(b, mu), e(0.7, far)}},
		{0, sector{sectorSlip, a, b}, []vec3{e(a, -mu), e(b, -mu), e(0.7, -far)}},
		{1, sector{mode: sectorAny}, []vec3{{1, 0, 0}}},
		{1, sector{mode: sectorSlip}, []vec3{{1, 0, 0}}},
		{1, sector{mode: sectorOpen}, nil},
		{3, sector{mode: sectorSlip}, []vec3{{1, 0, 0}}},
		{2, sector{mode: sectorStick}, []vec3{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}},
	} {
		got := c.sectorReactions(x.contact, x.at)
		same := len(got) == len(x.want)
		for k := range min(len(got), len(x.want)) {
			for i := range 3 {
				same = same && math.Abs(got[k][i]-x.want[k][i]) < 1e-15
			}
		}
		if !same {
			t.Errorf("contact %d at %v: %v, want %v", x.contact, x.at, got, x.want)
		}
	}
	l, r := (sector{sectorSlip, 1, 2}).halves()
	if l != (sector{sectorSlip, 1, 1.5}) || r != (sector{sectorSlip, 1.5, 2}) {
		t.Errorf("halves %v and %v", l, r)
	}
	for _, x := range []struct {
		node    []sector
		contact int
		width   float64
	}{
		{[]sector{{sectorStick, 0, 1}, {}, {}}, 1, num.Inf},
		{[]sector{{sectorStick, 0, 1}, {sectorSlip, 0, 1.5}, {sectorOpen, 0, 3}}, 1, 1.5},
		{[]sector{{sectorStick, 0, 1}, {sectorSlip, 2, 3}}, 0, 1},
		{[]sector{{sectorStick, 0, sectorsLeast}, {mode: sectorOpen}}, -1, 0},
		{[]sector{{mode: sectorOpen}, {sectorStick, 0, 1.01 * sectorsLeast}}, 1, 1.01 * sectorsLeast},
	} {
		if j, w := widest(x.node); j != x.contact || w != x.width {
			t.Errorf("%v: contact %d, %g, want %d, %g", x.node, j, w, x.contact, x.width)
		}
	}
	// Children: the last is looked at first.
	root := make([]sector, 4)
	split := func(j int, x sector) (modes []sector) {
		node := slices.Clone(root)
		node[j] = x
		for _, child := range c.splitSector([][]sector{nil}, node, j)[1:] {
			modes = append(modes, child[j])
			child[j] = x
			if !slices.Equal(child, node) {
				t.Errorf("another contact is decided: %v", child)
			}
		}
		return modes
	}
	quarter := 0.5 * math.Pi
	var all []sector
	for k := range 4 {
		all = append(all, sector{sectorSlip, quarter * float64(k), quarter * float64(k+1)}, sector{sectorStick, quarter * float64(k), quarter * float64(k+1)})
	}
	for j, want := range [][]sector{append(all, sector{mode: sectorOpen}), {{mode: sectorOpen}, {mode: sectorSlip}}, {{mode: sectorStick}}, {{mode: sectorOpen}, {mode: sectorSlip}}} {
		if got := split(j, sector{}); !slices.Equal(got, want) {
			t.Errorf("contact %d: %v, want %v", j, got, want)
		}
	}
	if got := split(0, sector{sectorStick, 0, 1}); !slices.Equal(got, []sector{{sectorStick, 0, .5}, {sectorStick, .5, 1}}) {
		t.Errorf("a sector splits into %v", got)
	}
	for _, x := range []struct {
		p    *Local
		want bool
	}{
		{unit(Coulomb{Mu: 1}, -1, 0, 0), true}, {unit(Coulomb{Mu: 1}, -1, 0), false}, {unit(Tresca{Threshold: 1}, -1, 0, 0), false},
		{&Local{W: diagonal(3, 1, 1, 1, 1, 1, 1, 1, 1, 1), Q: make([]float64, 9), Laws: []Law{Coulomb{Mu: 1}, Frictionless{}, Bilateral{}}}, true},
		{&Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: make([]float64, 6), Laws: []Law{Coulomb{Mu: 1}, Associated{Mu: 1}}}, false},
	} {
		if got := startRun(x.p, 1e-9).sectored(); got != x.want {
			t.Errorf("%v: searched: %t", x.p.Laws, got)
		}
	}
}

// TestSectorsRelax: a node that holds the solution has a solution of its linear program, and what such a one says, u = W r + q of
// its generators, is what the modes ask for; a node that asks for more than any motion is refuted.
func TestSectorsRelax(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 4))
	met, refuted, modes := 0, 0, map[sectorMode]int{}
	for k := range 120 {
		nc := 1 + k%3
		p := randomProblem(rng, 3, nc, 3*nc+2, func() Law {
			return []Law{Coulomb{Mu: 0.2 + rng.Float64()}, Coulomb{Mu: 0.5}, Frictionless{}, Bilateral{}, Coulomb{}}[rng.IntN(5)]
		})
		var res Result
		if SolveLocal(context.Background(), p, &Options{Tolerance: 1e-11}, nil, &res) != nil {
			continue
		}
		s := startRun(p, 1e-9)
		c := s.c
		c.restrict(s.ws.r, res.R)
		c.velocity(s.ws.u, s.ws.r)
		node := make([]sector, nc)
		const wide = 0.4
		for j, r := range s.ws.r {
			u := s.ws.u[j]
			slip, rub := math.Hypot(u[1], u[2]), math.Hypot(r[1], r[2])
			free := c.kind[j] == form.KindFrictionless || c.mu[j] == 0
			switch {
			case k%4 == 3 && j == 0: // undecided
			case c.kind[j] == form.KindBilateral:
				node[j] = sector{mode: sectorStick}
			case r[0] < 1e-8:
				node[j] = sector{mode: sectorOpen}
			case free:
				node[j] = sector{mode: sectorSlip}
			case slip > 1e-6:
				a := math.Atan2(u[2], u[1])
				node[j] = sector{sectorSlip, a - 0.3*wide, a + 0.7*wide}
			case rub > 1e-6:
				a := math.Atan2(r[2], r[1])
				node[j] = sector{sectorStick, a - 0.3*wide, a + 0.7*wide}
			default:
				node[j] = sector{sectorStick, 0, wide}
			}
			modes[node[j].mode]++
		}
		var lp nonnegative
		if residual := s.relaxSectors(&lp, node); !(residual < 1e-8) || lp.refuted() {
			t.Errorf("problem %d: residual %g, refuted: %t", k, residual, lp.refuted())
			continue
		}
		met++
		// The reactions of the node, and their motions.
		at := 0
		r, u := make([]vec3, nc), make([]vec3, nc)
		for j := range node {
			for _, g := range c.sectorReactions(j, node[j]) {
				if lp.x[at] < 0 {
					t.Errorf("problem %d: coefficient %g", k, lp.x[at])
				}
				for i := range 3 {
					r[j][i] += lp.x[at] * g[i]
				}
				at++
			}
		}
		c.velocity(u, r)
		for j, x := range node {
			v, free := u[j], c.kind[j] == form.KindFrictionless || c.mu[j] == 0
			const tiny = 1e-7
			ok := true
			switch {
			case c.kind[j] == form.KindBilateral, x.mode == sectorStick:
				ok = num.Norm(v[:]) < tiny
			case x.mode == sectorAny, x.mode == sectorOpen:
				ok = v[0] > -tiny
			case free:
				ok = math.Abs(v[0]) < tiny
			default:
				// u_T = α e(a) + β e(b), α, β ≥ 0.
				det := math.Sin(x.b - x.a)
				alpha, beta := (v[1]*math.Sin(x.b)-v[2]*math.Cos(x.b))/det, (v[2]*math.Cos(x.a)-v[1]*math.Sin(x.a))/det
				ok = math.Abs(v[0]) < tiny && alpha > -tiny && beta > -tiny
			}
			if !ok {
				t.Errorf("problem %d: contact %d in %v moves by %v", k, j, x, v)
			}
		}
		// Newton's method from the node ends at a solution.
		if k%4 != 3 && !s.fromSectors(&lp, node) {
			t.Logf("problem %d: no way from the node", k)
		}
		// All contacts open: refuted where one is pressed.
		for j := range node {
			node[j] = sector{mode: sectorOpen}
		}
		pressed, joints := false, false
		for j := range node {
			pressed = pressed || c.q[j][0] < -1e-3
			joints = joints || c.kind[j] == form.KindBilateral
		}
		if s.relaxSectors(&lp, node); pressed && !joints {
			if !lp.refuted() {
				t.Errorf("problem %d: that all are open is not refuted", k)
			}
			refuted++
		}
	}
	if met < 100 || refuted < 10 || modes[sectorOpen] < 5 || modes[sectorStick] < 5 || modes[sectorSlip] < 20 || modes[sectorAny] < 20 {
		t.Errorf("%d nodes, %d refuted, %v", met, refuted, modes)
	}
}

// TestFarkasBounds: what counts as a proof: nothing negative, q·y beyond rounding, and a bound on ‖z‖₁ that is 10⁹ times its size.
func TestFarkasBounds(t *testing.T) {
	p := &LCP{M: []float64{-1, 0, 0, 0}, Q: []float64{-1, 2}}
	for _, c := range []struct {
		y          []float64
		m11, mMax  float64
		q0, qMax   float64
		want       bool
		what, size string
	}{
		{[]float64{1, 0}, -1, 1, -1, 2, true, "exact", ""},
		{[]float64{1, -1e-300}, -1, 1, -1, 2, false, "negative", ""},
		{[]float64{math.NaN(), 0}, -1, 1, -1, 2, false, "NaN", ""},
		{[]float64{0, 1}, -1, 1, -1, 2, false, "q·y > 0", ""},
		{[]float64{1, 0}, -1, 1, -2.1e-9, 2, true, "q·y just enough", ""},
		{[]float64{1, 0}, -1, 1, -1.9e-9, 2, false, "q·y in rounding", ""},
		{[]float64{2, 0}, -1, 1, -1.9e-9, 2, false, "and of any size", ""},
		{[]float64{1, 0}, 0.9e-9 / 2, 1, -1, 2, true, "far", ""},
		{[]float64{1, 0}, 1.1e-9 / 2, 1, -1, 2, false, "not far", ""},
		{[]float64{3, 0}, 1.9e-9, 4, -1, 2, true, "far in other units", ""},
		{[]float64{3, 0}, 2.1e-9, 4, -1, 2, false, "not far in other units", ""},
	} {
		p.M[0], p.Q[0] = c.m11, c.q0
		if got := farkasCertifies(p, c.y, c.mMax, c.qMax); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
	// Rows and columns: y = (1, 1) shows that −z₂ − 1 ≥ 0 with a skew part is impossible, and (1, 0) does not.
	p = &LCP{M: []float64{0, 1, -1, -1}, Q: []float64{-1, -1}}
	if !farkasCertifies(p, []float64{1, 1}, 1, 1) || farkasCertifies(p, []float64{1, 0}, 1, 1) || farkasCertifies(p, []float64{0, 1}, 1, 1) == false {
		t.Error("sums go along the wrong way of M")
	}
	// The same of A x = b: what is left must see b, and no column.
	var n nonnegative
	for _, c := range []struct {
		a, b, y []float64
		want    bool
	}{
		{[]float64{1, 0}, []float64{0, 1}, []float64{0, 1}, true},
		{[]float64{1, 0}, []float64{1, 0.99e-7}, []float64{0, 1}, false},
		{[]float64{1, 0}, []float64{1, 1.01e-7}, []float64{0, 1}, true},
		{[]float64{-1, 1e-9}, []float64{0, 1}, []float64{0, 1}, false},
		{[]float64{-1, 0.99e-9}, []float64{0, 1}, []float64{0, 1}, true},
		{[]float64{-2, 1.99e-9}, []float64{0, 3}, []float64{0, 5}, true},
		{[]float64{-2, 2.01e-9}, []float64{0, 3}, []float64{0, 5}, false},
		{[]float64{0, -1}, []float64{0, 3}, []float64{0, 5}, true},
	} {
		n.reset(2)
		copy(n.column(), c.a)
		copy(n.b, c.b)
		n.y = c.y
		if got := n.refuted(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestLCPSearchParts: the linear program of a node is feasible where it says so, its matrix is skew, and pairs are branched on as
// they are least complementary.
func TestLCPSearchParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(82, 4))
	outcomes := map[relaxOutcome]int{}
	for k := range 80 {
		n := 2 + k%4
		p := randomLCP(rng, n, k%3)
		f := math.Pow(10, float64(k%5-2)) // M and q in other units
		for i := range p.M {
			p.M[i] *= f
		}
		for i := range p.Q {
			p.Q[i] *= 7
		}
		var ws LCPWorkspace
		var res LCPResult
		begun, err := ws.begin(p, nil, &res)
		if err != nil {
			t.Fatal(err)
		}
		mMax, qMax := 0.0, 0.0
		for _, v := range p.M {
			mMax = max(mMax, math.Abs(v))
		}
		qMax = num.InfNorm(p.Q)
		s := newLCPSearch(p, begun)
		if math.Abs(s.unit()-qMax/mMax) > 1e-14*s.unit() {
			t.Errorf("unit %g, want %g", s.unit(), qMax/mMax)
		}
		state := make([]pairState, n)
		for i := range state {
			state[i] = pairState(rng.IntN(3))
		}
		if k%4 == 0 {
			clear(state)
		}
		s.assemble(state)
		order := len(s.lp.Q)
		var cols, rows []int
		for i, st := range state {
			if st != pairZ0 {
				cols = append(cols, i)
			}
			if rows = append(rows, i); st == pairW0 {
				rows = append(rows, n+i)
			}
		}
		if !slices.Equal(s.cols, cols) || !slices.Equal(s.rows, rows) || order != len(cols)+len(rows) || len(s.lp.M) != order*order {
			t.Fatalf("columns %v of %v, rows %v of %v", s.cols, cols, s.rows, rows)
		}
		want := make([]float64, order*order)
		q := make([]float64, order)
		for c, j := range cols {
			if state[j] == pairOpen {
				q[c] = 1
			}
		}
		for r, id := range rows {
			i, sign := id%n, 1.0
			if id >= n {
				sign = -1
			}
			q[len(cols)+r] = sign * p.Q[i] / qMax
			for c, j := range cols {
				g := sign * p.M[i*n+j] / mMax
				want[(len(cols)+r)*order+c], want[c*order+len(cols)+r] = g, -g
				if state[i] == pairOpen {
					q[c] += g
				}
			}
		}
		for i := range want {
			if math.Abs(want[i]-s.lp.M[i]) > 1e-14 {
				t.Fatalf("problem %d: entry %d is %g, want %g", k, i, s.lp.M[i], want[i])
			}
		}
		for i := range q {
			if math.Abs(q[i]-s.lp.Q[i]) > 1e-14*float64(n) {
				t.Fatalf("problem %d: q_%d is %g, want %g", k, i, s.lp.Q[i], q[i])
			}
		}
		outcome := s.relax(context.Background(), state)
		outcomes[outcome]++
		switch outcome {
		case relaxSolved:
			w := p.slack(nil, s.z)
			for i, z := range s.z {
				if z < -1e-9*s.unit() || w[i] < -1e-9*qMax || state[i] == pairZ0 && z != 0 || state[i] == pairW0 && math.Abs(w[i]) > 1e-9*qMax {
					t.Errorf("problem %d: z_%d = %g, w = %g in state %d", k, i, z, w[i], state[i])
				}
			}
			best, pair := -1.0, -1
			for i, st := range state {
				if v := min(s.z[i]*mMax/qMax, w[i]/qMax); st == pairOpen && v > best {
					best, pair = v, i
				}
			}
			if got := s.branchPair(state); got != pair && !(got >= 0 && math.Abs(min(s.z[got]*mMax/qMax, w[got]/qMax)-best) < 1e-12) {
				t.Errorf("problem %d: branches on %d, want %d", k, got, pair)
			}
			if pair >= 0 {
				stack := s.children([][]pairState{nil}, state, pair)
				likely, other := stack[2][pair], stack[1][pair]
				if want := s.z[pair]*mMax/qMax < w[pair]/qMax; len(stack) != 3 || want && (likely != pairZ0 || other != pairW0) || !want && (likely != pairW0 || other != pairZ0) {
					t.Errorf("problem %d: z = %g, w = %g: %v", k, s.z[pair], w[pair], stack)
				}
				for _, child := range stack[1:] {
					child[pair] = pairOpen
					if !slices.Equal(child, state) {
						t.Errorf("problem %d: another pair is decided", k)
					}
				}
			}
		case relaxInfeasible: // the multipliers of all rows are a vector of Farkas
			sum, most := 0.0, 0.0
			cut := make([]float64, len(cols))
			for r, id := range rows {
				i, sign := id%n, 1.0
				if id >= n {
					sign = -1
				}
				y := s.ray[len(cols)+r]
				if y < 0 {
					t.Errorf("problem %d: multiplier %g", k, y)
				}
				most = max(most, y)
				sum += sign * y * p.Q[i] / qMax
				for c, j := range cols {
					cut[c] += sign * y * p.M[i*n+j] / mMax
				}
			}
			if !(sum < 0) || slices.Max(append(cut, -1)) > 1e-9*most {
				t.Errorf("problem %d: q·y = %g, Mᵀy = %v", k, sum, cut)
			}
			y := s.farkas()
			for r, id := range rows {
				if id < n && y[id] != s.ray[len(cols)+r] {
					t.Errorf("problem %d: multiplier %d is %g, want %g", k, id, y[id], s.ray[len(cols)+r])
				}
			}
		}
	}
	if outcomes[relaxSolved] < 20 || outcomes[relaxInfeasible] < 5 {
		t.Errorf("%v", outcomes)
	}
	for _, c := range []struct{ m, q, unit, qs, ms float64 }{{0, 3, 1, 1. / 3, 1}, {4, 0, 1, 1, .25}, {0, 0, 1, 1, 1}, {4, 2, .5, .5, .25}} {
		s := &lcpSearch{parent: &LCPWorkspace{mMax: c.m, qMax: c.q}}
		if q, m := s.scales(); s.unit() != c.unit || q != c.qs || m != c.ms {
			t.Errorf("M of %g, q of %g: unit %g, scales %g and %g", c.m, c.q, s.unit(), q, m)
		}
	}
}
