package dynamics

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/contact/lcp"
)

// lemke solves s = A λ + b for polyhedral laws as the LCP (18) of [Song04].
// With the normals d_k of the facets of element i, −s_T = Σ_k d_k w_k and
//
//	0 ≤ w_k ⊥ μ λ_n − d_k·λ_T ≥ 0,
//
// which is (16) with u, v for the box. The rows T of s = Aλ + b give
// λ_T = −J_TT⁻¹(b_T + J_TN λ_n + D w), and (18) follows for (λ_n, w):
//
//	J_NN − X J_TN        −X D             b_N − X b_T        X = J_NT J_TT⁻¹
//	μ + Dᵀ J_TT⁻¹ J_TN    Dᵀ J_TT⁻¹ D     Dᵀ J_TT⁻¹ b_T
//
// (the constant of the first row is (18) with its sign mended.) The rows and
// unknowns w carry the factor unit, so that all of the matrix is in m/s/N.
type lemke struct {
	lcp lcp.LCP
	ws  lcp.LCPWorkspace
	res lcp.LCPResult
	jtt []float64 // Cholesky factor, nt×nt
	z   []float64 // J_TT⁻¹ [J_TN | b_T], column by column, nt each
	g   []float64 // J_TT⁻¹ D, column by column
	ptr []int     // first w of each element
	x   []float64
}

var errTangential = errors.New("dynamics: the tangential block of a contact problem is not positive definite")

// solve overwrites lambda. a is of order n = dim·len(sections).
func (l *lemke) solve(ctx context.Context, lambda, a, b []float64, dim int, sections []*polygon) error {
	ne := len(sections)
	nt := (dim - 1) * ne
	if err := l.eliminate(a, b, dim, ne); err != nil {
		return err
	}
	l.ptr = append(l.ptr[:0], 0)
	for _, s := range sections {
		l.ptr = append(l.ptr, l.ptr[len(l.ptr)-1]+len(s.d))
	}
	nw := l.ptr[ne]
	l.facets(dim, nt, nw, sections)
	unit := 0.0
	for i := range dim * ne {
		unit += a[i*dim*ne+i]
	}
	unit /= float64(dim * ne)
	l.normalRows(a, b, dim, ne, nt, nw, unit)
	l.facetRows(dim, ne, nt, nw, unit, sections)
	if err := lcp.SolveLCP(ctx, &l.lcp, nil, &l.ws, &l.res); err != nil {
		return err
	}
	l.forces(lambda, dim, ne, nt, unit)
	return nil
}

// eliminate factors J_TT and solves for J_TN and b_T.
func (l *lemke) eliminate(a, b []float64, dim, ne int) error {
	n, dt := dim*ne, dim-1
	nt := dt * ne
	l.jtt, l.z = grow(l.jtt, nt*nt), grow(l.z, nt*(ne+1))
	for r := range nt {
		row := a[(r/dt*dim+1+r%dt)*n:]
		for c := range nt {
			l.jtt[r*nt+c] = row[c/dt*dim+1+c%dt]
		}
		for j := range ne {
			l.z[j*nt+r] = row[dim*j]
		}
		l.z[ne*nt+r] = b[r/dt*dim+1+r%dt]
	}
	if cholesky(l.jtt, nt) >= 0 {
		return errTangential
	}
	for j := range ne + 1 {
		cholSolve(l.jtt, nt, l.z[j*nt:(j+1)*nt])
	}
	return nil
}

// facets computes J_TT⁻¹ D.
func (l *lemke) facets(dim, nt, nw int, sections []*polygon) {
	l.g = grow(l.g, nt*nw)
	clear(l.g)
	for e, s := range sections {
		for k, d := range s.d {
			col := l.g[(l.ptr[e]+k)*nt : (l.ptr[e]+k+1)*nt]
			copy(col[(dim-1)*e:], d[:dim-1])
			cholSolve(l.jtt, nt, col)
		}
	}
}

// normalRows writes s_n of each element.
func (l *lemke) normalRows(a, b []float64, dim, ne, nt, nw int, unit float64) {
	n, m, dt := dim*ne, ne+nw, dim-1
	l.lcp.M, l.lcp.Q = grow(l.lcp.M, m*m), grow(l.lcp.Q, m)
	for i := range ne {
		row := a[dim*i*n : (dim*i+1)*n]
		dot := func(x []float64) float64 {
			s := 0.0
			for e := range ne {
				for d := range dt {
					s += row[e*dim+1+d] * x[e*dt+d]
				}
			}
			return s
		}
		out := l.lcp.M[i*m : (i+1)*m]
		for j := range ne {
			out[j] = row[dim*j] - dot(l.z[j*nt:])
		}
		for k := range nw {
			out[ne+k] = -unit * dot(l.g[k*nt:])
		}
		l.lcp.Q[i] = b[dim*i] - dot(l.z[ne*nt:])
	}
}

// facetRows writes μ λ_n − d_k·λ_T of each facet.
func (l *lemke) facetRows(dim, ne, nt, nw int, unit float64, sections []*polygon) {
	m, dt := ne+nw, dim-1
	for e, s := range sections {
		for k, d := range s.d {
			out := l.lcp.M[(ne+l.ptr[e]+k)*m : (ne+l.ptr[e]+k+1)*m]
			dot := func(x []float64) float64 {
				v := 0.0
				for c := range dt {
					v += d[c] * x[e*dt+c]
				}
				return v
			}
			for j := range ne {
				out[j] = unit * dot(l.z[j*nt:])
			}
			out[e] += unit * s.mu
			for c := range nw {
				out[ne+c] = unit * unit * dot(l.g[c*nt:])
			}
			l.lcp.Q[ne+l.ptr[e]+k] = unit * dot(l.z[ne*nt:])
		}
	}
}

// forces takes the solution back to λ.
func (l *lemke) forces(lambda []float64, dim, ne, nt int, unit float64) {
	dt := dim - 1
	l.x = append(l.x[:0], l.z[ne*nt:(ne+1)*nt]...)
	for j := range ne {
		lambda[dim*j] = l.res.Z[j]
		addScaled(l.x, l.res.Z[j], l.z[j*nt:])
	}
	for k, w := range l.res.Z[ne:] {
		addScaled(l.x, unit*w, l.g[k*nt:])
	}
	for r, v := range l.x {
		lambda[r/dt*dim+1+r%dt] = -v
	}
}

func addScaled(dst []float64, f float64, x []float64) {
	if f == 0 {
		return
	}
	for i := range dst {
		dst[i] += f * x[i]
	}
}
