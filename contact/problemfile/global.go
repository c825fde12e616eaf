package problemfile

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// Global is a global problem as files state it. M need not be symmetric;
// [Global.Contact] returns the form that the solvers take where it is.
type Global struct {
	Dim  int     // 2 or 3, 5 with rolling moments
	M    *Matrix // nv×nv
	H    *Matrix // nv×dim·nc
	G    *Matrix // nv×nb; nil without bilateral constraints
	F    []float64
	W    []float64
	B    []float64
	Laws []contact.Law
}

// symmetryTolerance is the largest |M_ij − M_ji|, relative to max|M|, that
// counts as symmetric: roundoff of the writer, six digits where CSparse printed.
const symmetryTolerance = 1e-14

// Contact returns the sparse form of g.
func (g *Global) Contact() (*contact.Global, error) {
	if a, at := g.asymmetry(); a > symmetryTolerance {
		return nil, fmt.Errorf("matrix M is not symmetric: relative difference %.3g at row %d, column %d; reduce it with Local",
			a, at[0], at[1])
	}
	b := sparse.NewBuilder(g.M.Rows)
	g.M.each(func(i, j int, x float64) {
		if x != 0 {
			b.Add(i, j)
		}
	})
	m := b.Build()
	g.M.each(func(i, j int, x float64) {
		if i >= j && x != 0 {
			m.Val[m.Index(i, j)] += x
		}
	})
	return &contact.Global{M: m, F: g.F, H: g.H.jacobian(g.Dim), W: g.W, Laws: g.Laws, G: g.G.columns(), B: g.B}, nil
}

// asymmetry returns max|M_ij − M_ji|/max|M_ij| and where it is found.
func (g *Global) asymmetry() (relative float64, at [2]int) {
	if g.M.Dense != nil {
		return g.denseAsymmetry()
	}
	sum, largest := map[[2]int]float64{}, 0.0
	g.M.each(func(i, j int, x float64) {
		if x != 0 {
			sum[[2]int{i, j}] += x
			largest = max(largest, math.Abs(x))
		}
	})
	g.M.each(func(i, j int, _ float64) { // in the order of the file: deterministic
		if d := math.Abs(sum[[2]int{i, j}] - sum[[2]int{j, i}]); d > relative {
			relative, at = d, [2]int{i, j}
		}
	})
	if largest > 0 {
		relative /= largest
	}
	return relative, at
}

func (g *Global) denseAsymmetry() (relative float64, at [2]int) {
	n, a, largest := g.M.Rows, g.M.Dense, 0.0
	for i := range n {
		for j := range n {
			largest = max(largest, math.Abs(a[i*n+j]))
			if d := math.Abs(a[i*n+j] - a[j*n+i]); d > relative {
				relative, at = d, [2]int{i, j}
			}
		}
	}
	if largest > 0 {
		relative /= largest
	}
	return relative, at
}

// Local eliminates v (and the bilateral reactions): by the sparse Cholesky
// factorisation where M is symmetric and positive definite, otherwise by LU.
func (g *Global) Local() (*contact.Delassus, error) {
	if p, err := g.Contact(); err == nil { // a dependent constraint is an error by either way
		d, err := contact.NewDelassus(p)
		var indefinite *factor.NotPositiveDefiniteError
		if err == nil || !errors.As(err, &indefinite) {
			return d, err
		}
	}
	if n := g.M.Rows + len(g.B); n > maxDenseOrder {
		return nil, fmt.Errorf("matrix M is unsymmetric, indefinite or constrained, and of order %d: more than %d for dense elimination",
			n, maxDenseOrder)
	}
	var gm []float64
	if g.G != nil {
		gm = g.G.rowMajor()
	}
	return delassus.NewDelassusDense(g.M.rowMajor(), g.F, g.H.jacobian(g.Dim), g.W, g.Laws, gm, g.B)
}
