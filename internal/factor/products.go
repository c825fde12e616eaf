package factor

// SubProducts subtracts l b[k] from c[col[k]] for all k: the elimination by a row of U, block after
// block. The l is not one of c, and the places are within it: they are not looked at one by one.
func SubProducts(c [][9]float64, col []int32, l *[9]float64, b [][9]float64) {
	b = b[:len(col)]
	if wideTiles && len(col) > 1 { // below, a call costs what it saves
		subProductsWide(&c[0], &col[0], len(col), l, &b[0])
		return
	}
	for k, j := range col {
		subProduct(&c[j], l, &b[k])
	}
}

// subProduct sets dst −= a b; dst is neither.
func subProduct(dst, a, b *mat3) {
	b0, b1, b2, b3, b4, b5, b6, b7, b8 := b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]
	x, y, z := a[0], a[1], a[2]
	dst[0] -= x*b0 + y*b3 + z*b6
	dst[1] -= x*b1 + y*b4 + z*b7
	dst[2] -= x*b2 + y*b5 + z*b8
	x, y, z = a[3], a[4], a[5]
	dst[3] -= x*b0 + y*b3 + z*b6
	dst[4] -= x*b1 + y*b4 + z*b7
	dst[5] -= x*b2 + y*b5 + z*b8
	x, y, z = a[6], a[7], a[8]
	dst[6] -= x*b0 + y*b3 + z*b6
	dst[7] -= x*b1 + y*b4 + z*b7
	dst[8] -= x*b2 + y*b5 + z*b8
}
