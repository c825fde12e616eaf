package form

// Unstack copies stacked triples (or pairs, Dim 2) into dst.
func Unstack(dst [][3]float64, x []float64, dim int) {
	for j := range dst {
		dst[j] = [3]float64{}
		copy(dst[j][:dim], x[dim*j:])
	}
}

// Stack copies triples into the stacked dst.
func Stack(dst []float64, x [][3]float64, dim int) {
	for j := range x {
		copy(dst[dim*j:dim*j+dim], x[j][:dim])
	}
}
