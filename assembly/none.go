package assembly

import "math"

// none reports whether no motion is a zero of Φ in the plane: in each of the 4ⁿ ways in which n corners may stick, slide or part,
// balance has no solution, or one at which a corner does something else. Where there are many that miss that by rounding only, or
// balance leaves a motion open, it is not known: false.
func (y *yielding) none(f []float64, h float64) bool {
	s := y.s
	n := len(s.contacts)
	if s.dim != 2 || n > 8 { // 65,536 ways: a second
		return false
	}
	zero, first := make([]float64, len(y.force)), make([][3]float64, n)
	size := 1.
	for j := range first {
		first[j] = y.trial(zero, j, h)
		size = max(size, norm(first[j]))
	}
	ways := make([]piece, n)
	for way := range 1 << (2 * n) {
		possible := true
		for j := range ways {
			ways[j] = [4]piece{{}, {true, 0}, {true, 1}, {true, -1}}[way>>(2*j)&3]
			possible = possible && (s.contacts[j].mu > 0 || ways[j].side == 0)
		}
		if possible && y.may(ways, first, f, 1e-9*size) { // of the forces at hand: more than rounding
			return false
		}
	}
	return true
}

// may reports whether corners may do so: false only where that is ruled out.
func (y *yielding) may(ways []piece, first [][3]float64, f []float64, near float64) bool {
	s := y.s
	k, r := make([][]float64, s.nv), make([]float64, len(y.force)) // K with the forces at v = 0 in its last column
	for i := range k {
		k[i] = make([]float64, s.nv+1)
	}
	for j, p := range ways {
		c, d := &s.contacts[j], p.slope(s.contacts[j].mu)
		for e := range s.dim {
			for g := range s.dim {
				r[j*s.dim+e] += d[3*e+g] * first[j][g]
				for a, row := range c.rows {
					for b, col := range c.rows {
						k[row][col] += c.cols[e][a] * d[3*e+g] / y.give[j*s.dim+g] * c.cols[g][b]
					}
				}
			}
		}
	}
	right := append([]float64(nil), f...)
	s.resultant(right, r)
	for i, v := range right {
		k[i][s.nv] = v
	}
	order, rank, doubtful := eliminate(k)
	if doubtful {
		return true
	}
	for _, row := range k[rank:] {
		if math.Abs(row[s.nv]) > near {
			return false // no balance
		}
	}
	if rank < s.nv-1 {
		return true
	}
	from, to := 0., 0. // of the motion that balance leaves open
	along := make([]float64, s.nv)
	if rank < s.nv {
		from, to = math.Inf(-1), math.Inf(1)
		along = back(k, order, rank, false)
	}
	u, w := make([]float64, len(y.force)), make([]float64, len(y.force))
	s.motion(u, back(k, order, rank, true))
	s.motion(w, along)
	for j, p := range ways {
		t, change := first[j], [3]float64{}
		for e := range s.dim {
			t[e] -= u[j*s.dim+e] / y.give[j*s.dim+e]
			change[e] = -w[j*s.dim+e] / y.give[j*s.dim+e]
		}
		room, _ := p.bounds(t, s.contacts[j].mu)
		slope, _ := p.bounds(change, s.contacts[j].mu)
		for i, a := range slope {
			switch most := room[i] + near*(1+norm(t)); {
			case math.Abs(a) < near: // it does not change it
				if most < 0 {
					return false
				}
			case a > 0:
				from = max(from, -most/a)
			default:
				to = min(to, -most/a)
			}
		}
	}
	return from <= to
}

// eliminate makes equations, with their right sides in the last column, those of a triangle, with full pivots: of rank unknowns
// in their order; doubtful where a pivot is neither one nor none.
func eliminate(a [][]float64) (order []int, rank int, doubtful bool) {
	n, scale := len(a), 0.
	order = counting(n)
	for _, row := range a {
		scale = max(scale, largest(row[:n]))
	}
	for k := range n {
		p, q := k, k
		for i := k; i < n; i++ {
			for j := k; j < n; j++ {
				if math.Abs(a[i][j]) > math.Abs(a[p][q]) {
					p, q = i, j
				}
			}
		}
		if pivot := math.Abs(a[p][q]); pivot == 0 || pivot < 1e-6*scale { // between rounding and what leaves nine digits it is not known
			return order, k, pivot > 1e-12*scale
		}
		a[k], a[p] = a[p], a[k]
		for i := range a {
			a[i][k], a[i][q] = a[i][q], a[i][k]
		}
		order[k], order[q] = order[q], order[k]
		for i := k + 1; i < n; i++ {
			share := a[i][k] / a[k][k]
			for j := k; j <= n; j++ {
				a[i][j] -= share * a[k][j]
			}
		}
	}
	return order, n, false
}

// back solves such equations with the unknowns beyond the rank at 0; or without right sides, and with these at 1.
func back(a [][]float64, order []int, rank int, right bool) []float64 {
	n := len(a)
	x := make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		if k >= rank {
			if !right {
				x[order[k]] = 1
			}
			continue
		}
		sum := 0.
		if right {
			sum = a[k][n]
		}
		for j := k + 1; j < n; j++ {
			sum -= a[k][j] * x[order[j]]
		}
		x[order[k]] = sum / a[k][k]
	}
	return x
}
