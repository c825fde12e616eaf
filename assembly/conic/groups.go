package conic

import "slices"

// A group is cones one after another that touch the same rows, as the corners of an interface do: their part of A
// is a dense block, so that the products with A, and the sum of A W⁻² Aᵀ, need indices of its rows only.
type group struct {
	first, end int // its cones
	at, cols   int // its columns
	rows       []int
	dense      []float64 // columns in these rows, one after another
	places     []int     // of the lower triangle of its block in the sum; nil where it is wide
}

// groupsOf splits A. Groups have no more than 64 columns, so that their blocks stay in the fastest memory: of 12 rows, 6 kB.
func groupsOf(a *Matrix, first, dim []int) []group {
	var all []group
	var rows []int
	for k, d := range dim {
		rows = append(rows[:0], a.Row[a.Ptr[first[k]]:a.Ptr[first[k]+d]]...)
		slices.Sort(rows)
		rows = slices.Compact(rows)
		last := len(all) - 1
		if last < 0 || all[last].cols+d > 64 || !slices.Equal(all[last].rows, rows) {
			all = append(all, group{first: k, at: first[k], rows: slices.Clone(rows)})
			last++
		}
		all[last].end, all[last].cols = k+1, all[last].cols+d
	}
	for i := range all {
		g := &all[i]
		g.dense = make([]float64, len(g.rows)*g.cols)
		for c := range g.cols {
			for p := a.Ptr[g.at+c]; p < a.Ptr[g.at+c+1]; p++ {
				at, _ := slices.BinarySearch(g.rows, a.Row[p])
				g.dense[c*len(g.rows)+at] += a.Val[p]
			}
		}
	}
	return all
}

// gather sets local to y at its rows.
func (g *group) gather(local, y []float64) []float64 {
	local = local[:len(g.rows)]
	for i, row := range g.rows {
		local[i] = y[row]
	}
	return local
}

// transposed sets x to its columns times y at its rows, three columns at a time: one load of y for all.
func (g *group) transposed(x, local []float64) {
	m := len(local)
	c := 0
	for ; c+3 <= len(x); c += 3 {
		p, q, r := g.columns(c, m)
		var u, v, w float64
		for i, y := range local {
			u += p[i] * y
			v += q[i] * y
			w += r[i] * y
		}
		x[c], x[c+1], x[c+2] = u, v, w
	}
	for ; c < len(x); c++ {
		x[c] = dot(g.dense[c*m:c*m+m], local)
	}
}

// columns are three from c on, of m rows.
func (g *group) columns(c, m int) (p, q, r []float64) {
	all := g.dense[c*m : c*m+3*m]
	return all[:m], all[m : m+m][:m], all[m+m:][:m]
}

// addProduct adds its columns times x to y.
func (g *group) addProduct(y, x, local []float64) {
	m := len(g.rows)
	local = local[:m]
	clear(local)
	c := 0
	for ; c+3 <= len(x); c += 3 {
		p, q, r := g.columns(c, m)
		u, v, w := x[c], x[c+1], x[c+2]
		for i := range local {
			local[i] += p[i]*u + q[i]*v + r[i]*w
		}
	}
	for ; c < len(x); c++ {
		addTo(local, g.dense[c*m:c*m+m], x[c])
	}
	for i, row := range g.rows {
		y[row] += local[i]
	}
}
