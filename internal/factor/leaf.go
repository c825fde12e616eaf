package factor

// leafTable holds what the rows below a leaf of up to four block columns are reduced with: for
// each block column k the inverse of its pivot, then the blocks W_jk of the columns j after it.
type leafTable [(1 + 2 + 3 + 4) * blockOrder * blockOrder]float64

// leafBlocks are the block columns of a whole leaf, leafAt the places of the columns in a
// leafTable.
const leafBlocks = luLeaf / blockOrder

var leafAt = [leafBlocks]int{0, 4 * 9, 7 * 9, 9 * 9}

// set takes the inverses and, from the rows of y that begin with the leaf, the blocks.
func (t *leafTable) set(y matrix, inv []mat3) {
	for k := range inv {
		at := leafAt[k]
		copy(t[at:], inv[k][:])
		for j := k + 1; j < len(inv); j++ {
			at += blockOrder * blockOrder
			for c := range blockOrder {
				copy(t[at+blockOrder*c:][:blockOrder], y.v[(blockOrder*j+c)*y.ld+blockOrder*k:])
			}
		}
	}
}

// leafRows reduces rows of a panel from the leaf on: X_k of a row times the inverse of pivot k, if
// scaled, then X_j −= X_k W_jkᵀ for the columns j after it, k = 0, 1, ... The arithmetic of a row
// is its own.
func leafRows(x matrix, rows, blocks int, t *leafTable, scaled bool) {
	if rows <= 0 || blocks < 2 && !scaled {
		return
	}
	if wideTiles {
		_ = x.v[(rows-1)*x.ld+blockOrder*blocks-1] // the last entry touched
		leafRowsWide(&x.v[0], x.ld, rows, blocks, t, scaled)
		return
	}
	for i := range rows {
		row := x.v[i*x.ld:][:blockOrder*blocks]
		for k := range blocks {
			w := t[leafAt[k]:]
			v := (*vec3)(row[blockOrder*k:])
			if scaled {
				*v = vec3{
					v[0]*w[0] + v[1]*w[3] + v[2]*w[6],
					v[0]*w[1] + v[1]*w[4] + v[2]*w[7],
					v[0]*w[2] + v[1]*w[5] + v[2]*w[8],
				}
			}
			for j := k + 1; j < blocks; j++ {
				w = w[blockOrder*blockOrder:]
				z, w := (*vec3)(row[blockOrder*j:]), (*mat3)(w)
				z[0] -= v[0]*w[0] + v[1]*w[1] + v[2]*w[2]
				z[1] -= v[0]*w[3] + v[1]*w[4] + v[2]*w[5]
				z[2] -= v[0]*w[6] + v[1]*w[7] + v[2]*w[8]
			}
		}
	}
}

// subRows computes y −= U x for the rows of blocks of Uᵀ that belong to rows of x.
func subRows(y []vec3, u matrix, rows []int32, x []vec3) {
	if !wideTiles {
		for q, r := range rows {
			subColumns(y, u.v[blockOrder*q*u.ld:], u.ld, &x[r])
		}
		return
	}
	if len(rows) == 0 {
		return
	}
	for j := 0; j < len(y); j += wideCols / blockOrder {
		n := blockOrder * min(wideCols/blockOrder, len(y)-j)
		_ = u.v[(blockOrder*len(rows)-1)*u.ld+blockOrder*j+n-1] // the last entry touched
		backRowsWide(&y[j], n, &u.v[blockOrder*j], u.ld, &rows[0], len(rows), &x[0])
	}
}

// subProductRows computes y −= L x for the rows of blocks of L that belong to rows of y.
func subProductRows(y []vec3, l matrix, rows []int32, x []vec3) {
	if !wideTiles || len(x) < 2 { // below, turning columns costs more than it saves
		for q, r := range rows {
			subRow(&y[r], l.v[blockOrder*q*l.ld:], l.ld, x)
		}
		return
	}
	// Eight blocks are three times eight rows.
	const lanes = 8
	var z [blockOrder * lanes]float64
	for q := 0; q < len(rows); q += lanes {
		some := rows[q:min(q+lanes, len(rows))]
		for i, r := range some {
			*(*vec3)(z[blockOrder*i:]) = y[r]
		}
		last := blockOrder * len(some)
		for i := 0; i < last; i += lanes {
			from := l.v[(blockOrder*q+i)*l.ld:]
			n := min(lanes, last-i)
			_ = from[(n-1)*l.ld+blockOrder*len(x)-1] // the last entry touched
			forwardRowsWide((*[lanes]float64)(z[i:]), &from[0], l.ld, n, &x[0], len(x))
		}
		for i, r := range some {
			y[r] = *(*vec3)(z[blockOrder*i:])
		}
	}
}
