package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// jointedPendulums returns W of a random jointed system, with where it comes from.
func jointedPendulums(t *testing.T, rng *rand.Rand, dim, nc int) *Local {
	t.Helper()
	m := bandedMass(rng, 6, 6, 6)
	p := &Global{M: m, F: make([]float64, m.N), H: &Jacobian{Dim: dim, Rows: m.N, Ptr: []int{0}}, W: make([]float64, dim*nc)}
	for range nc {
		body := 6 * rng.IntN(3)
		for row := range 6 {
			p.H.Row = append(p.H.Row, body+row)
			for range dim {
				p.H.Val = append(p.H.Val, rng.NormFloat64())
			}
		}
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		p.Laws = append(p.Laws, Coulomb{Mu: 0.5})
	}
	for i := range p.F {
		p.F[i] = rng.NormFloat64()
	}
	randomJoints(rng, p, 2*dim)
	d, err := delassus.NewDelassus(p)
	if err != nil {
		t.Fatal(err)
	}
	q, ok := delassus.WithJoints(p)
	if !ok {
		t.Fatal("columns of G are left over")
	}
	free, err := delassus.NewDelassus(q)
	if err != nil {
		t.Fatal(err)
	}
	d.Local.Joints = &form.Freed{W: d.Local.W, Q: append([]float64(nil), d.Local.Q...), Free: free.Local, Stamp: form.StampOf(d.Local.W.(*Blocks).Val)}
	return d.Local
}

// TestJointLU: the factors by the free bodies and their joints solve what those of W itself do,
// with E, without, after the diagonal of W was changed, and tell the sign of the determinant.
func TestJointLU(t *testing.T) {
	signs := [2]int{}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 811))
		dim := 2 + int(seed%2)
		p := jointedPendulums(t, rng, dim, 6)
		var ws, plain LocalWorkspace
		ws.prepare(p)
		plain.prepare(&Local{W: p.W, Q: p.Q, Laws: p.Laws})
		if ws.joints != p.Joints || plain.joints != nil {
			t.Fatal("where W comes from is not known, or known where nobody says it")
		}
		e, b, rhs := randomParts(rng, ws.c.nc)
		if dim == 2 { // what a plane lacks is apart from the rest
			for j := range e {
				for _, m := range [...]*mat3{&e[j], &b[j]} {
					m[2], m[5], m[6], m[7] = 0, 0, 0, 0
				}
				rhs[j][2] = 0
			}
		}
		if rng.IntN(2) == 0 { // the sign of a row is that of the determinant
			for k := range 3 {
				e[0][k], b[0][k], rhs[0][0] = -e[0][k], -b[0][k], -rhs[0][0]
			}
		}
		if seed%3 == 1 {
			e = nil
		}
		if seed%3 == 2 {
			for _, c := range [...]*reduced{&ws.c, &plain.c} {
				for j, k := range c.diag {
					c.blk[k][0] += 0.1 * float64(j+1)
					c.blk[k][4] += 0.2
				}
			}
		}
		lu, full := ws.factors(context.Background()), plain.factors(context.Background())
		if lu.joints == nil || full.joints != nil {
			t.Fatal("the factors are not those of the free bodies")
		}
		lu.factor(context.Background(), &ws.c, e, b)
		full.factor(context.Background(), &plain.c, e, b)
		if dim == 3 {
			if lu.negative() != full.negative() {
				t.Errorf("seed %d: the signs of the determinants differ", seed)
			}
			if signs[0]++; lu.negative() {
				signs[1]++
			}
		}
		x, y := append([]vec3(nil), rhs...), append([]vec3(nil), rhs...)
		once := append([]vec3(nil), rhs...)
		lu.solve(x)
		lu.solveOnce(once)
		full.solve(y)
		size := math.Sqrt(dot3(y, y))
		for j := range x {
			for k := range dim {
				// The conditions of these matrices are up to 1e4; once is not refined.
				if math.Abs(x[j][k]-y[j][k]) > 1e-10*size || math.Abs(once[j][k]-y[j][k]) > 1e-8*size {
					t.Fatalf("seed %d: x_%d = %v, once %v, want %v", seed, j, x[j], once[j], y[j])
				}
			}
		}
	}
	if signs[1] == 0 || signs[1] == signs[0] {
		t.Errorf("%d of %d determinants are negative: no test of the sign", signs[1], signs[0])
	}
}

// TestJointLURefines: where the values of the free bodies are a little wrong, as joints open by
// rounding, W itself makes up for it.
func TestJointLURefines(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 812))
	p := jointedPendulums(t, rng, 3, 8)
	var ws LocalWorkspace
	ws.prepare(p)
	lu := ws.factors(context.Background())
	for k := range ws.jointed.c.blk {
		ws.jointed.c.blk[k][0] *= 1 + 1e-5*rng.NormFloat64()
	}
	_, b, rhs := randomParts(rng, ws.c.nc)
	for j := range b {
		b[j] = num.Identity3
	}
	lu.factor(context.Background(), &ws.c, nil, b)
	left := func(x []vec3) float64 {
		sum := 0.0
		for j := range x {
			u, r := ws.c.productAt(j, x), rhs[j]
			for k := range 3 {
				sum += (r[k] - u[k] - x[j][k]) * (r[k] - u[k] - x[j][k])
			}
		}
		return math.Sqrt(sum / dot3(rhs, rhs))
	}
	x, once := append([]vec3(nil), rhs...), append([]vec3(nil), rhs...)
	lu.solve(x)
	lu.solveOnce(once)
	if !(left(once) > 1e-8) || !(left(x) < 1e-11) {
		t.Errorf("left are %g, refined %g, want 1e-8 or more and 1e-11 or less", left(once), left(x))
	}
}

// TestJointsChangedInPlace: a W that is no longer that of the joints is factorised itself.
func TestJointsChangedInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 813))
	p := jointedPendulums(t, rng, 3, 8)
	var ws LocalWorkspace
	if ws.prepare(p); ws.factors(context.Background()).joints == nil {
		t.Error("joints are not known")
	}
	p.W.(*Blocks).Val[0] *= 1.5
	if ws.prepare(p); ws.factors(context.Background()).joints != nil {
		t.Error("joints of another W")
	}
	p.W.(*Blocks).Val[0] /= 1.5
	if ws.prepare(p); ws.factors(context.Background()).joints == nil {
		t.Error("joints are not known again")
	}
}

// TestWholeAfterFreed: where the free bodies do not solve the problem, because Q is not what it was
// made of, Newton's method on the whole comes next, by the factors of the free bodies.
func TestWholeAfterFreed(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 814))
		p := jointedPendulums(t, rng, 3, 4) // W of full rank: there is a solution
		for i := range p.Joints.Q {
			p.Joints.Q[i] += 0.3 * rng.NormFloat64()
		}
		var ws LocalWorkspace
		var res Result
		if err := SolveLocal(context.Background(), p, nil, &ws, &res); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if ws.lu.joints == nil {
			t.Errorf("seed %d: the whole was not factorised by the free bodies", seed)
		}
		newton := slices.IndexFunc(res.Stages, func(s Stage) bool { return s.Solver == newtonName })
		if again := slices.IndexFunc(res.Stages[1:], func(s Stage) bool { return s.Solver == gaussSeidelName }); newton < 0 || again >= 0 && again+1 < newton {
			t.Errorf("seed %d: sweeps before Newton's method on the whole: %v", seed, res.Stages)
		}
	}
}
