package contact

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// solvable decides a problem of Coulomb contacts in the plane exactly: it goes through
// the 4ⁿᶜ modes (open, stick, slip to either side), each of which is a system of linear
// equations and inequalities, in rational arithmetic.
func solvable(w [][]int64, q []int64, mu []*big.Rat) bool {
	nc := len(q) / 2
	modes := make([]int, nc)
	for {
		if modeFeasible(w, q, mu, modes) {
			return true
		}
		k := 0
		for ; k < nc; k++ {
			if modes[k]++; modes[k] < 4 {
				break
			}
			modes[k] = 0
		}
		if k == nc {
			return false
		}
	}
}

// modeFeasible states a mode with unknowns x ≥ 0: of a sticking contact the two edges
// of its cone, r = x₁(1, μ) + x₂(1, −μ), of a sliding one the one edge, of an open one
// nothing, and decides it by phase one of the simplex method with Bland's rule.
func modeFeasible(w [][]int64, q []int64, mu []*big.Rat, modes []int) bool {
	type generator struct {
		contact int
		slope   *big.Rat
	}
	var gens []generator
	for j, m := range modes {
		minus := new(big.Rat).Neg(mu[j])
		switch m {
		case 1:
			gens = append(gens, generator{j, mu[j]}, generator{j, minus})
		case 2: // slides forwards: friction backwards
			gens = append(gens, generator{j, minus})
		case 3:
			gens = append(gens, generator{j, mu[j]})
		}
	}
	row := func(i int) []*big.Rat { // u_i as a row in x, the constant last
		x := make([]*big.Rat, len(gens)+1)
		for k, g := range gens {
			x[k] = new(big.Rat).SetInt64(w[i][2*g.contact])
			x[k].Add(x[k], new(big.Rat).Mul(new(big.Rat).SetInt64(w[i][2*g.contact+1]), g.slope))
		}
		x[len(gens)] = new(big.Rat).SetInt64(q[i])
		return x
	}
	negated := func(x []*big.Rat) []*big.Rat {
		y := make([]*big.Rat, len(x))
		for k := range x {
			y[k] = new(big.Rat).Neg(x[k])
		}
		return y
	}
	var equal, least [][]*big.Rat // = 0 and ≥ 0
	for j, m := range modes {
		n, t := row(2*j), row(2*j+1)
		switch m {
		case 0:
			least = append(least, n)
		case 1:
			equal = append(equal, n, t)
		case 2:
			equal, least = append(equal, n), append(least, t)
		case 3:
			equal, least = append(equal, n), append(least, negated(t))
		}
	}
	return feasible(equal, least, len(gens))
}

// feasible decides whether some x ≥ 0 has a·x + c = 0 for the rows (a, c) of equal and
// ≥ 0 for those of least.
func feasible(equal, least [][]*big.Rat, n int) bool {
	rows, cols := len(equal)+len(least), n+len(least)
	if rows == 0 {
		return true
	}
	// Tableau of A x − s = −c with artificial variables as the basis.
	t := make([][]*big.Rat, rows)
	basis := make([]int, rows)
	for i, r := range append(append([][]*big.Rat{}, equal...), least...) {
		t[i] = make([]*big.Rat, cols+1)
		for k := range t[i] {
			t[i][k] = new(big.Rat)
		}
		for k := range n {
			t[i][k].Set(r[k])
		}
		t[i][cols].Neg(r[n])
		if i >= len(equal) {
			t[i][n+i-len(equal)].SetInt64(-1)
		}
		if t[i][cols].Sign() < 0 {
			for k := range t[i] {
				t[i][k].Neg(t[i][k])
			}
		}
		basis[i] = cols + i
	}
	for {
		// Bland: the first column whose reduced cost, minus its sum over the rows of
		// artificial variables, is negative.
		enter := -1
		for k := 0; k < cols && enter < 0; k++ {
			sum := new(big.Rat)
			for i := range t {
				if basis[i] >= cols {
					sum.Add(sum, t[i][k])
				}
			}
			if sum.Sign() > 0 {
				enter = k
			}
		}
		if enter < 0 {
			break
		}
		leave, best := -1, new(big.Rat)
		for i := range t {
			if t[i][enter].Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).Quo(t[i][cols], t[i][enter])
			if c := ratio.Cmp(best); leave < 0 || c < 0 || c == 0 && basis[i] < basis[leave] {
				leave, best = i, ratio
			}
		}
		if leave < 0 {
			break // cannot be: the objective is bounded
		}
		pivot := new(big.Rat).Inv(t[leave][enter])
		for k := range t[leave] {
			t[leave][k].Mul(t[leave][k], pivot)
		}
		for i := range t {
			if i == leave || t[i][enter].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(t[i][enter])
			for k := range t[i] {
				t[i][k].Sub(t[i][k], new(big.Rat).Mul(f, t[leave][k]))
			}
		}
		basis[leave] = enter
	}
	for i := range t {
		if basis[i] >= cols && t[i][cols].Sign() != 0 {
			return false
		}
	}
	return true
}

// degenerate draws an integer W = GᵀG of any rank, some of them a little unsymmetric,
// integer q and simple coefficients of friction.
func degenerate(rng *rand.Rand) (*Local, [][]int64, []int64, []*big.Rat) {
	nc := 1 + rng.IntN(3)
	n := 2 * nc
	rank := rng.IntN(n + 1)
	g := make([][]int64, rank)
	for k := range g {
		g[k] = make([]int64, n)
		for i := range n {
			g[k][i] = int64(rng.IntN(5) - 2)
		}
	}
	w, q := make([][]int64, n), make([]int64, n)
	d := &Dense{D: 2, N: n, Val: make([]float64, n*n)}
	p := &Local{W: d, Q: make([]float64, n)}
	for i := range n {
		w[i] = make([]int64, n)
		for j := range n {
			for k := range g {
				w[i][j] += g[k][i] * g[k][j]
			}
			d.Val[i*n+j] = float64(w[i][j])
		}
		q[i] = int64(rng.IntN(5) - 2)
		p.Q[i] = float64(q[i])
	}
	var mu []*big.Rat
	for range nc {
		m := big.NewRat(int64([]int{0, 1, 1, 2, 4}[rng.IntN(5)]), 2)
		mu = append(mu, m)
		x, _ := m.Float64()
		p.Laws = append(p.Laws, Coulomb{Mu: x})
	}
	return p, w, q, mu
}

// TestVerdictsAgainstEnumeration: no wrong verdict, no solvable problem unsolved, and
// hardly one undecided.
func TestVerdictsAgainstEnumeration(t *testing.T) {
	count := 800
	if thorough.Asked() {
		count = 100000
	}
	rng := rand.New(rand.NewPCG(101, 102))
	var wrong, missed, undecided, solved, unsolvable int
	for k := range count {
		p, w, q, mu := degenerate(rng)
		var res Result
		err := SolveLocal(context.Background(), p, nil, nil, &res)
		exists := err == nil
		if err == nil && res.Status == Converged {
			solved++
		}
		if !exists || k%8 == 0 { // what converged is sampled: the check is its own proof
			exists = solvable(w, q, mu)
		}
		switch {
		case res.Status == Converged && !exists, res.Status == Infeasible && exists:
			wrong++
			t.Errorf("problem %d: %v, but a solution exists: %v; W %v q %v mu %v r %v", k, res.Status, exists, w, q, mu, res.R)
		case res.Status != Converged && exists:
			missed++
			t.Errorf("problem %d is solvable: %v; W %v q %v mu %v", k, err, w, q, mu)
		case res.Status != Converged && res.Status != Infeasible:
			undecided++
		}
		if !exists {
			unsolvable++
		}
	}
	t.Logf("%d problems: %d solved, %d without a solution, %d undecided, %d missed, %d wrong", count, solved,
		unsolvable, undecided, missed, wrong)
	if undecided*100 > count {
		t.Errorf("%d of %d undecided", undecided, count)
	}
}
