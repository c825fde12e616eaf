package assembly

import (
	"context"
	"math"
	"math/big"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A FallProof is what a virtual motion shows: the loads work on it and no reaction resists.
type FallProof struct {
	// Exact: u_N ≥ μ‖u_T‖ at all contacts and f·v > 0, in exact arithmetic on the numbers of the program.
	Exact bool
	// Beyond: where it is not, any forces that balance have normal forces of a sum above this many times
	// the weight and loads.
	Beyond float64
}

// exactBits holds sums of products of float64 from 1e-150 to 1e150, and their squares.
func exact(x float64) *big.Float { return new(big.Float).SetPrec(4096).SetFloat64(x) }

// proveFall checks v: for r ∈ K, r·u ≥ r_N (u_N − μ‖u_T‖), so that with f + H r = 0
//
//	f·v = −Σ r·u ≤ Σ r_N (μ‖u_T‖ − u_N)⁺
func (s *statics) proveFall(f, v []float64) FallProof {
	power := exact(0)
	for i := range f {
		power.Add(power, new(big.Float).Mul(exact(f[i]), exact(v[i])))
	}
	if power.Sign() <= 0 {
		return FallProof{}
	}
	whole, worst := power.Acc() == big.Exact, 0.
	for j := range s.contacts {
		c := &s.contacts[j]
		var u [3]*big.Float
		for e := range s.dim {
			u[e] = exact(0)
			for k, row := range c.rows {
				u[e].Add(u[e], new(big.Float).Mul(exact(c.cols[e][k]), exact(v[row])))
			}
		}
		slip := exact(0)
		for e := 1; e < s.dim; e++ {
			slip.Add(slip, new(big.Float).Mul(u[e], u[e]))
		}
		bound := new(big.Float).Mul(new(big.Float).Mul(exact(c.mu), exact(c.mu)), slip)
		if u[0].Sign() < 0 || new(big.Float).Mul(u[0], u[0]).Cmp(bound) < 0 {
			whole = false
			open, _ := u[0].Float64()
			side, _ := bound.Float64()
			worst = max(worst, math.Sqrt(side)-open)
		}
	}
	if whole {
		return FallProof{Exact: true, Beyond: math.Inf(1)}
	}
	work, _ := power.Float64()
	return FallProof{Beyond: work / worst}
}

// strictMotion looks for a motion that opens all contacts a little more than it must:
//
//	max t,  u_N/μ − t ≥ ‖u_T‖,  f·v ≥ 1,  t ≤ 1
func (s *statics) strictMotion(ctx context.Context, f []float64) ([]float64, error) {
	base := s.program(f, own)
	p := &conic.Problem{B: make([]float64, s.nv+1), Cones: append(base.Cones, 1, 1)}
	p.A.Rows, p.B[s.nv] = s.nv+1, 1
	at := 0
	for _, d := range base.Cones {
		for c := range d {
			from, to := base.A.Ptr[at], base.A.Ptr[at+1]
			rows := append([]int(nil), base.A.Row[from:to]...)
			var values []float64
			for _, v := range base.A.Val[from:to] {
				values = append(values, -v)
			}
			if c == 0 {
				rows, values = append(rows, s.nv), append(values, 1)
			}
			p.A.Column(rows, values)
			at++
		}
	}
	rows, values := make([]int, s.nv), make([]float64, s.nv)
	for i := range rows {
		rows[i], values[i] = i, -f[i]
	}
	p.A.Column(rows, values)
	p.A.Column([]int{s.nv}, []float64{1})
	p.C = append(make([]float64, at), -1, 1)
	r, err := conic.Solve(ctx, p, nil)
	if err != nil || r.Y == nil {
		return nil, err
	}
	return r.Y[:s.nv], nil
}
