package events

import (
	"fmt"
	"math"
	"slices"
)

// Form is a quadratic energy with contacts in the plane: E = ½qᵀHq − f(t)·q + c(t) of n
// dofs, of which a contact has one or two.
type Form[T Number[T]] struct {
	N        int          // number of dofs
	Ptr, Col []int        // rows of H, whole and symmetric, columns ascending
	Val      []T          // [N/m]
	Contacts []Contact[T] // of one face each
	Corners  []Corner[T]  // contacts of their faces are numbered on, corner by corner
	Source   Source[T]    // of the loads
	Grain    []float64    // what the loads are rounded by, beside their own size [N]; nil: nothing
}

// Contact is a particle on an obstacle: Gap + q_N >= 0.
type Contact[T Number[T]] struct {
	T, N int // dofs; T < 0: without friction
	Mu   T   // [-]
	Gap  T   // height at the start [m]
}

// Source gives the loads.
type Source[T Number[T]] interface {
	// Load stores f(t) [N] and returns c(t) [J].
	Load(f []T, t T) T
	// Rate stores the right derivative of f [N/s].
	Rate(df []T, t T)
	// Breaks are the times after 0 at which the rate jumps, ascending [s].
	Breaks() []T
	// Frequency is that of the fastest load [rad/s]; 0: the loads are piecewise linear.
	Frequency() float64
}

func (p *Form[T]) validate() error {
	if len(p.Ptr) != p.N+1 || len(p.Col) != len(p.Val) || p.Ptr[p.N] != len(p.Col) {
		return fmt.Errorf("events: a matrix of %d dofs with %d pointers, %d columns and %d values", p.N, len(p.Ptr), len(p.Col), len(p.Val))
	}
	for k, c := range p.Contacts {
		if c.N < 0 || c.N >= p.N || c.T >= p.N || c.T == c.N || c.Mu.Sign() < 0 || c.Gap.Sign() < 0 {
			return fmt.Errorf("events: contact %d: dofs %d and %d of %d, friction %s, gap %s", k, c.T, c.N, p.N, c.Mu, c.Gap)
		}
	}
	for k, c := range p.Corners {
		if c.Dof < 0 || c.Dof+3 > p.N {
			return fmt.Errorf("events: corner %d: dofs %d to %d of %d", k, c.Dof, c.Dof+2, p.N)
		}
		for f, x := range c.Faces {
			if l := inner(x.N, x.N).Float(); !(abs(l-1) < parallel) || x.Mu.Sign() < 0 || x.Gap.Sign() < 0 {
				return fmt.Errorf("events: corner %d: face %d with a normal of length %g, friction %s, gap %s", k, f,
					math.Sqrt(l), x.Mu, x.Gap)
			}
		}
	}
	return nil
}

// order returns the dofs in the order of Cuthill and McKee, from a dof of least degree,
// so that rows of a chain or a net are short. The dofs of a contact are neighbours: a row
// of slip is a sum of theirs.
func (p *Form[T]) order() []int {
	near := make([][]int, p.N)
	for i := range p.N {
		near[i] = append(near[i], p.Col[p.Ptr[i]:p.Ptr[i+1]]...)
	}
	for _, c := range p.Contacts {
		if c.T >= 0 {
			near[c.T], near[c.N] = append(near[c.T], near[c.N]...), append(near[c.N], near[c.T]...)
			near[c.T], near[c.N] = append(near[c.T], c.N), append(near[c.N], c.T)
		}
	}
	for _, c := range p.Corners {
		for i := range 3 {
			near[c.Dof+i] = append(near[c.Dof+i], c.Dof+(i+1)%3, c.Dof+(i+2)%3)
		}
	}
	degree := func(i int) int { return len(near[i]) }
	first := make([]int, p.N)
	for i := range first {
		first[i] = i
	}
	byDegree := func(a, b int) int {
		if d := degree(a) - degree(b); d != 0 {
			return d
		}
		return a - b
	}
	slices.SortFunc(first, byDegree)
	seen := make([]bool, p.N)
	var order []int
	for _, root := range first {
		if seen[root] {
			continue
		}
		seen[root] = true
		begin := len(order)
		order = append(order, root)
		for at := begin; at < len(order); at++ {
			grown := len(order)
			for _, j := range near[order[at]] {
				if !seen[j] {
					seen[j] = true
					order = append(order, j)
				}
			}
			slices.SortFunc(order[grown:], byDegree)
		}
	}
	return order
}

// react stores r = Hx − f, and in size what was added up.
func (p *Form[T]) react(r []T, size []float64, x, f []T) {
	var zero T
	for i := range p.N {
		sum, s := zero.Sub(f[i]), abs(f[i].Float())
		for k := p.Ptr[i]; k < p.Ptr[i+1]; k++ {
			v := p.Val[k].Mul(x[p.Col[k]])
			sum, s = sum.Add(v), s+abs(v.Float())
		}
		r[i], size[i] = sum, s
	}
}

// diagonal returns H_ii.
func (p *Form[T]) diagonal(i int) T {
	for k := p.Ptr[i]; k < p.Ptr[i+1]; k++ {
		if p.Col[k] == i {
			return p.Val[k]
		}
	}
	var zero T
	return zero
}
