package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/internal/num"
)

// FuzzJoints: random convex problems with joints, among them zero, repeated and
// contradictory ones: what counts as solved passes the independent check, and
// what the Delassus way reduces is solved alike.
func FuzzJoints(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, byte(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind byte) {
		rng := rand.New(rand.NewPCG(seed, uint64(kind)))
		p := randomConvex(rng, 1+rng.IntN(4), rng.IntN(4))
		randomJoints(rng, p, rng.IntN(5))
		spoilJoints(p, kind)
		var res Result
		err := SolveConvex(context.Background(), p, 0, &Options{}, new(GlobalWorkspace), &res)
		for _, x := range slices.Concat(res.V, res.R, res.Lambda) {
			if math.IsNaN(x) {
				t.Fatalf("NaN in a result: %v %v %v", res.V, res.R, res.Lambda)
			}
		}
		if err == nil {
			// Nearly dependent joints are solved to the roundoff of large λ only.
			if m, _ := Residual(p, 0, res.V, slices.Concat(res.R, res.Lambda)); !(m <= 1e-6) {
				t.Fatalf("converged with residual %g", m)
			}
		}
		d, derr := delassus.NewDelassus(p)
		if derr != nil {
			return // a dependent joint, or M too small
		}
		var local Result
		if SolveLocal(context.Background(), d.Local, &Options{Tolerance: 1e-10}, nil, &local) != nil || err != nil {
			return
		}
		v, size := d.Velocity(nil, local.R), max(1, num.Norm(res.V), num.Norm(local.R), num.Norm(res.R))
		for i := range v { // 1e-10 of the reactions, times the condition of a random M
			if math.Abs(v[i]-res.V[i]) > 1e-5*size {
				t.Fatalf("v = %v by Delassus, %v by the augmented method", v, res.V)
			}
		}
	})
}

// spoilJoints makes a joint empty, repeats one, or contradicts it.
func spoilJoints(p *Global, kind byte) {
	nb, nv := p.Joints(), p.M.N
	if nb < 2 {
		return
	}
	first, last := p.G.Val[:nv], p.G.Val[(nb-1)*nv:]
	switch kind % 4 {
	case 1:
		clear(last)
		p.B[nb-1] = 0
	case 2:
		copy(last, first)
		p.B[nb-1] = p.B[0]
	case 3:
		copy(last, first)
		p.B[nb-1] = p.B[0] + 1
	}
}
