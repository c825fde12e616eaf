package lcp

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// MLCP is the mixed linear complementarity problem
//
//	w = M x + q,   w_i = 0 with x_i free       where Equality[i],
//	               0 ≤ x_i ⊥ w_i ≥ 0           elsewhere.
//
// M may have more rows than columns: the rows from n = len(Equality) on are
// further equations w_i = 0.
type MLCP struct {
	M        []float64 // rows×n, row by row
	Q        []float64 // rows
	Equality []bool    // n
}

// BlockMLCP assembles the block form A u + C v + a = 0, 0 ≤ v ⊥ D u + B v + b ≥ 0.
// Matrices are stored row by row; A has len(a) ≥ nu rows. The unknown of the
// result is (u, v), and rows of A beyond nu come last.
func BlockMLCP(nu int, a, c, d, b, aRHS, bRHS []float64) *MLCP {
	ne, m := len(aRHS), len(bRHS)
	n := nu + m
	if ne < nu || len(a) != ne*nu || len(c) != ne*m || len(d) != m*nu || len(b) != m*m {
		panic("contact: BlockMLCP: sizes of the blocks do not agree")
	}
	p := &MLCP{M: make([]float64, 0, (ne+m)*n), Equality: make([]bool, n)}
	equation := func(i int) {
		p.M = append(append(p.M, a[i*nu:(i+1)*nu]...), c[i*m:(i+1)*m]...)
		p.Q = append(p.Q, aRHS[i])
	}
	for i := range nu {
		p.Equality[i] = true
		equation(i)
	}
	for i := range m {
		p.M = append(append(p.M, d[i*nu:(i+1)*nu]...), b[i*m:(i+1)*m]...)
		p.Q = append(p.Q, bRHS[i])
	}
	for i := nu; i < ne; i++ {
		equation(i)
	}
	return p
}

// Validate checks the sizes and that every number is finite.
func (p *MLCP) Validate() error {
	if p == nil {
		return errors.New("contact: a problem is required")
	}
	rows, n := len(p.Q), len(p.Equality)
	if rows < n || len(p.M) != rows*n {
		return fmt.Errorf("contact: MLCP: M has %d entries, Q %d, Equality %d; want M %d×%d with no fewer rows than columns",
			len(p.M), rows, n, rows, n)
	}
	return errors.Join(form.Finite("M", p.M), form.Finite("Q", p.Q))
}

// equation reports whether row i is an equation.
func (p *MLCP) equation(i int) bool { return i >= len(p.Equality) || p.Equality[i] }

// slack overwrites w with M x + q and returns it; a nil w allocates.
func (p *MLCP) slack(w, x []float64) []float64 {
	n := len(p.Equality)
	if w == nil {
		w = make([]float64, len(p.Q))
	}
	for i := range w {
		s := p.Q[i]
		for j, v := range p.M[i*n : i*n+n] {
			s += v * x[j]
		}
		w[i] = s
	}
	return w
}

// Residual returns the largest of |w_i|/s_w over the equations and of
// |min(x_i/s_x, w_i/s_w)| over the other rows [-], and its row, with the scales
// of [LCP.Residual].
func (p *MLCP) Residual(x []float64) (residual float64, worst int) {
	return p.residual(x, p.slack(nil, x), num.InfNorm(p.M))
}

func (p *MLCP) residual(x, w []float64, mMax float64) (residual float64, worst int) {
	sw, sx := lcpScales(num.InfNorm(p.Q), mMax)
	worst = -1
	for i, v := range w {
		e := math.Abs(v / sw)
		if !p.equation(i) {
			e = math.Abs(min(x[i]/sx, v/sw))
		}
		if !(e <= math.MaxFloat64) {
			return math.Inf(1), i
		}
		if e > residual {
			residual, worst = e, i
		}
	}
	return residual, worst
}
