package num

import "math"

// Hessenberg is the least-squares problem of GMRES, min ‖β e_1 − H x‖ for the Hessenberg matrix H of
// products with a Krylov space, turned upper triangular by rotations, a column at a time.
type Hessenberg struct {
	columns  [][]float64
	used     int
	cos, sin []float64
	rhs, x   []float64
}

// Begin starts from the residual β.
func (h *Hessenberg) Begin(beta float64) {
	h.used, h.cos, h.sin, h.rhs = 0, h.cos[:0], h.sin[:0], append(h.rhs[:0], beta)
}

// Column returns the next column to fill, of used + 2 entries: the products with the basis and the
// norm of what is left.
func (h *Hessenberg) Column() []float64 {
	if h.used == len(h.columns) {
		h.columns = append(h.columns, nil)
	}
	h.columns[h.used] = Grow(h.columns[h.used], h.used+2)
	return h.columns[h.used]
}

// Append takes the column and returns the residual.
func (h *Hessenberg) Append() float64 {
	j := h.used
	col := h.columns[j]
	for i := range j {
		col[i], col[i+1] = h.cos[i]*col[i]+h.sin[i]*col[i+1], h.cos[i]*col[i+1]-h.sin[i]*col[i]
	}
	r, cos, sin := math.Hypot(col[j], col[j+1]), 1.0, 0.0
	if r > 0 {
		cos, sin = col[j]/r, col[j+1]/r
	}
	col[j] = r
	h.cos, h.sin, h.used = append(h.cos, cos), append(h.sin, sin), j+1
	h.rhs = append(h.rhs, -sin*h.rhs[j])
	h.rhs[j] *= cos
	return math.Abs(h.rhs[j+1])
}

// Solve returns the coefficients of the basis; they belong to h. A column of zeros counts nothing.
func (h *Hessenberg) Solve() []float64 {
	h.x = Grow(h.x, h.used)
	for i := h.used - 1; i >= 0; i-- {
		sum := h.rhs[i]
		for k := i + 1; k < h.used; k++ {
			sum -= h.columns[k][i] * h.x[k]
		}
		if h.x[i] = 0; h.columns[i][i] != 0 {
			h.x[i] = sum / h.columns[i][i]
		}
	}
	return h.x
}
