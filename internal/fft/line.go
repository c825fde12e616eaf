package fft

// line convolves along one axis: fields of one row or one column. The eight lanes share one
// vector, lane l has the entries 8a + l: with k = k₁ + q k₂, m = 8q,
//
//	X[k₁ + q k₂] = Σ_l e^(−2πi l k₂/8) e^(−2πi l k₁/m) Σ_a x[8a + l] e^(−2πi a k₁/q)
//
// the inner sums at once by a plan of length q [VanLoan, 3.2]. Two real fields make one
// complex vector.
type line struct {
	m, q    int
	plan    *plan
	twiddle []float64 // e^(−2πi l k₁/m) in blocks of k₁
}

// SmoothLine returns the least period >= n of a line: 8·2^a·{1, 3, 9}.
func SmoothLine(n int) int {
	best := 0
	for _, odd := range [...]int{1, 3, 9} {
		m := lanes * odd
		for m < n {
			m *= 2
		}
		if best == 0 || m < best {
			best = m
		}
	}
	return best
}

func newLine(m int) *line {
	q := m / lanes
	l := &line{m: m, q: q, plan: newPlan(q), twiddle: make([]float64, 2*m)}
	for k := range q {
		for i := range lanes {
			sin, cos := unit(i*k%m, m)
			l.twiddle[k*block+i], l.twiddle[k*block+lanes+i] = cos, -sin
		}
	}
	return l
}

// transform sets re and im to the transform of a, in blocks, which is overwritten, as b is.
func (l *line) transform(re, im, a, b []float64) {
	z, _ := l.plan.transform(a, b)
	q := l.q
	for k := range q {
		x, w := (*[block]float64)(z[k*block:]), (*[block]float64)(l.twiddle[k*block:])
		var r, i [lanes]float64
		for j := range lanes {
			r[j] = float64(x[j]*w[j]) - float64(x[j+lanes]*w[j+lanes])
			i[j] = float64(x[j]*w[j+lanes]) + float64(x[j+lanes]*w[j])
		}
		er, ei := four(r[0], i[0], r[2], i[2], r[4], i[4], r[6], i[6])
		or, oi := four(r[1], i[1], r[3], i[3], r[5], i[5], r[7], i[7])
		// Times e^(−2πi k₂/8).
		or[1], oi[1] = float64(half2*(or[1]+oi[1])), float64(half2*(oi[1]-or[1]))
		or[2], oi[2] = oi[2], -or[2]
		or[3], oi[3] = float64(half2*(oi[3]-or[3])), float64(-half2*(oi[3]+or[3]))
		for j := range 4 {
			re[k+j*q], im[k+j*q] = er[j]+or[j], ei[j]+oi[j]
			re[k+(j+4)*q], im[k+(j+4)*q] = er[j]-or[j], ei[j]-oi[j]
		}
	}
}

// half2 is √½.
const half2 = 0.70710678118654752440

// four transforms four complex numbers.
func four(ar, ai, br, bi, cr, ci, dr, di float64) (re, im [4]float64) {
	sr, si, tr, ti := ar+cr, ai+ci, ar-cr, ai-ci
	ur, ui, vr, vi := br+dr, bi+di, br-dr, bi-di
	return [4]float64{sr + ur, tr + vi, sr - ur, tr - vi}, [4]float64{si + ui, ti - vr, si - ui, ti + vr}
}

// lineFields are the pieces of memory of a convolution along a line.
type lineFields struct {
	a, b   [2][]float64 // by pair of fields: blocks
	re, im [2][]float64
}

func newLineFields(m, comps int) *lineFields {
	f := &lineFields{}
	for p := range (comps + 1) / 2 {
		mem := make([]float64, 6*m)
		f.a[p], f.b[p], f.re[p], f.im[p] = mem[:2*m], mem[2*m:4*m], mem[4*m:5*m], mem[5*m:]
	}
	return f
}

// load puts a field into the real (part 0) or imaginary (1) parts of the blocks of a pair.
func (f *lineFields) load(p, part int, src []float64, at Box) {
	n, stride := at.line()
	a := f.a[p][part*lanes:]
	for i := range n {
		a[i/lanes*block+i%lanes] = src[at.Origin+i*stride]
	}
}

// line is the number of values of a box of one row or column, and their distance.
func (b Box) line() (n, stride int) {
	if b.NY == 1 {
		return b.NX, 1
	}
	return b.NY, b.Stride
}

// convolveLine is Convolve on a grid of one row or column.
func (f *Fields) convolveLine(dst, src [][]float64, k Matrix, at Box) {
	l, w := f.g.line, f.line
	for c := range src {
		if c%2 == 0 {
			clear(w.a[c/2])
		}
		w.load(c/2, c%2, src[c], at)
	}
	for p := range (len(src) + 1) / 2 {
		l.transform(w.re[p], w.im[p], w.a[p], w.b[p])
	}
	for x := range l.m/2 + 1 {
		w.mix(x, l.m, len(dst), len(src), k)
	}
	n, stride := at.line()
	scale := 1 / float64(l.m)
	for p := range (len(dst) + 1) / 2 {
		l.transform(w.re[p], w.im[p], w.a[p], w.b[p])
		for i := range n { // real and imaginary parts were exchanged in mix
			dst[2*p][at.Origin+i*stride] = w.im[p][i] * scale
		}
		if 2*p+1 < len(dst) {
			for i := range n {
				dst[2*p+1][at.Origin+i*stride] = w.re[p][i] * scale
			}
		}
	}
}

// mix takes the transforms U(x) = (Z(x) + Z̄(m−x))/2 and V(x) = (Z(x) − Z̄(m−x))/2i of the
// sources, multiplies by the spectra, and packs results into blocks, real and imaginary parts
// exchanged, for the inverse transform.
func (f *lineFields) mix(x, m, results, sources int, k Matrix) {
	o := (m - x) % m
	var sr, si, tr, ti [4]float64
	for p := range (sources + 1) / 2 {
		re, im := f.re[p], f.im[p]
		sr[2*p], si[2*p] = (re[x]+re[o])/2, (im[x]-im[o])/2
		sr[2*p+1], si[2*p+1] = (im[x]+im[o])/2, (re[o]-re[x])/2
	}
	for i := range results {
		for j, s := range k[i][:sources] {
			if s == nil {
				continue
			}
			if s.re != nil {
				tr[i] += float64(s.re[x] * sr[j])
				ti[i] += float64(s.re[x] * si[j])
			}
			if s.im != nil {
				tr[i] -= float64(s.im[x] * si[j])
				ti[i] += float64(s.im[x] * sr[j])
			}
		}
	}
	at, mirror := x/lanes*block+x%lanes, o/lanes*block+o%lanes
	for p := range (results + 1) / 2 {
		a := f.a[p]
		ur, ui, vr, vi := tr[2*p], ti[2*p], tr[2*p+1], ti[2*p+1]
		a[mirror], a[mirror+lanes] = vr-ui, ur+vi
		a[at], a[at+lanes] = ui+vr, ur-vi
	}
}
