package events

// skyline is A = LU without pivoting of a matrix with a symmetric pattern: row i of L and
// column i of U from their first entry on. Without pivoting, for what (N4) makes positive
// definite needs none. It costs Σ w_i² for rows of width w_i: O(n) for a chain.
//
// A pivot that vanishes is a motion that nothing resists: its unknown keeps the value it
// has, and a load along it has no answer.
type skyline[T Number[T]] struct {
	n          int
	first      []int // of row i of L and column i of U
	at         []int // where they begin
	low        []T
	up         []T
	diag       []T
	null       []bool // the pivot vanishes
	indefinite bool   // a pivot is negative
}

// resize makes room for rows that begin at first.
func (s *skyline[T]) resize(first []int) {
	s.n, s.first = len(first), first
	s.at = s.at[:0]
	total := 0
	for i, f := range first {
		s.at = append(s.at, total)
		total += i - f
	}
	s.low, s.up = room(s.low, total), room(s.up, total)
	s.diag, s.null = room(s.diag, s.n), room(s.null, s.n)
}

// room returns n zeros, in the memory of a slice if it is enough.
func room[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/2)
	}
	a = a[:n]
	clear(a)
	return a
}

// add adds v to entry (i, j).
func (s *skyline[T]) add(i, j int, v T) {
	switch {
	case i == j:
		s.diag[i] = s.diag[i].Add(v)
	case i > j:
		k := s.at[i] + j - s.first[i]
		s.low[k] = s.low[k].Add(v)
	default:
		k := s.at[j] + i - s.first[j]
		s.up[k] = s.up[k].Add(v)
	}
}

// pivotRounding is the part of what was subtracted from a pivot that may be rounding:
// of hundred sums of numbers of its size.
const pivotRounding = 1e-13

// factor eliminates in place.
func (s *skyline[T]) factor() {
	s.indefinite = false
	var zero T
	for i := range s.n {
		size := abs(s.diag[i].Float())
		fi, ai := s.first[i], s.at[i]
		for j := fi; j < i; j++ {
			fj, aj := s.first[j], s.at[j]
			l, u := s.low[ai+j-fi], s.up[ai+j-fi]
			for k := max(fi, fj); k < j; k++ {
				l = l.Sub(s.low[ai+k-fi].Mul(s.up[aj+k-fj]))
				u = u.Sub(s.low[aj+k-fj].Mul(s.up[ai+k-fi]))
			}
			if s.null[j] {
				l, u = zero, zero // semidefinite: what is left of the row vanishes too
			} else {
				l = l.Quo(s.diag[j])
			}
			s.low[ai+j-fi], s.up[ai+j-fi] = l, u
			s.diag[i] = s.diag[i].Sub(l.Mul(u))
		}
		d := s.diag[i]
		s.null[i] = d.Sign() == 0 || !d.Exact() && abs(d.Float()) <= pivotRounding*size
		s.indefinite = s.indefinite || !s.null[i] && d.Sign() < 0
	}
}

// solve replaces x by A⁻¹x; keep gives the unknowns without a pivot. It returns the first
// of these whose load is not a rounding of numbers of the given size, or −1.
func (s *skyline[T]) solve(x []T, keep func(i int) T, size float64) int {
	lost := -1
	for i := range s.n {
		fi, ai := s.first[i], s.at[i]
		v := x[i]
		for k := fi; k < i; k++ {
			v = v.Sub(s.low[ai+k-fi].Mul(x[k]))
		}
		x[i] = v
		if s.null[i] {
			if v.Sign() != 0 && (v.Exact() || abs(v.Float()) > 10*pivotRounding*size) && lost < 0 {
				lost = i
			}
			var zero T
			x[i] = zero
		}
	}
	for i := s.n - 1; i >= 0; i-- {
		if s.null[i] {
			x[i] = keep(i)
		} else {
			x[i] = x[i].Quo(s.diag[i])
		}
		fi, ai, v := s.first[i], s.at[i], x[i]
		for k := fi; k < i; k++ {
			x[k] = x[k].Sub(s.up[ai+k-fi].Mul(v))
		}
	}
	return lost
}
