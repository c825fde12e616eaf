package fft

// Parity says which part of the transform of a kernel is not zero.
type Parity int

const (
	Even    Parity = iota // k(−x, −y) = k(x, y): real
	Odd                   // k(−x, −y) = −k(x, y): imaginary
	Neither               // complex
)

// Spectrum transforms a kernel of MX×MY values, k[x + MX·y] at (x, y) modulo the
// periods. Of an even or odd kernel only the part that is not zero is kept.
func (g *Grid) Spectrum(kernel []float64, parity Parity) *Spectrum {
	f := g.NewFields(1, 1)
	at := Box{Stride: g.MX, NX: g.MX, NY: g.MY}
	s := new(Spectrum)
	n := g.size()
	if parity != Odd {
		s.re = make([]float64, n)
	}
	if parity != Even {
		s.im = make([]float64, n)
	}
	if l, w := g.line, f.line; l != nil {
		w.load(0, 0, kernel, at)
		l.transform(w.re[0], w.im[0], w.a[0], w.b[0])
		copy(s.re, w.re[0])
		copy(s.im, w.im[0])
		return s
	}
	f.forward(0, kernel, at)
	for k := range g.rows {
		z := f.alongX(0, 0, k, g.MX)
		for x := range g.MX {
			at := (k*g.MX + x) * lanes
			if s.re != nil {
				copy(s.re[at:at+lanes], z[x*block:x*block+lanes])
			}
			if s.im != nil {
				copy(s.im[at:at+lanes], z[x*block+lanes:(x+1)*block])
			}
		}
	}
	return s
}

// alongX transforms row block k of component c, of which nx values are not zero.
// The result is valid until the worker's next call for the same component.
func (f *Fields) alongX(w, c, k, nx int) []float64 {
	m := f.g.MX
	a := f.a[w][c*m*block : (c+1)*m*block]
	b := f.b[w][:m*block]
	row := f.mid[c][k*m*block:]
	copy(a, row[:nx*block])
	clear(a[nx*block:])
	z, scratch := f.g.px.transform(a, b)
	if &z[0] != &a[0] {
		copy(scratch, z)
	}
	return a
}

// Matrix holds a spectrum for each pair (result, source) of fields, nil for zero.
type Matrix [][]*Spectrum

// Convolve sets dst[i] = Σ_j k_ij ∗ src[j] on the box; sources are zero outside.
// dst may be src. It allocates nothing but what goroutines take.
func (f *Fields) Convolve(dst, src [][]float64, k Matrix, at Box) {
	if f.line != nil {
		f.convolveLine(dst, src, k, at)
		return
	}
	for c := range src {
		f.forward(c, src[c], at)
	}
	if len(f.a) == 1 {
		for row := range f.g.rows {
			f.convolveRow(0, row, at.NX, len(dst), len(src), k)
		}
	} else {
		f.share(f.g.rows, func(w, row int) { f.convolveRow(w, row, at.NX, len(dst), len(src), k) })
	}
	for c := range dst {
		f.backward(c, dst[c], at)
	}
}

func (f *Fields) convolveRow(w, row, nx, results, sources int, k Matrix) {
	m := f.g.MX
	for c := range sources {
		f.alongX(w, c, row, nx)
	}
	for x := range m {
		f.mix(w, row, x, results, sources, k)
	}
	b := f.b[w][:m*block]
	for c := range results {
		a := f.a[w][c*m*block : (c+1)*m*block]
		z, _ := f.g.px.transform(a, b)
		// Real and imaginary parts were exchanged in mix; back they go.
		out := f.mid[c][row*m*block:]
		for x := range nx {
			p, q := (*[block]float64)(out[x*block:]), (*[block]float64)(z[x*block:])
			for l := range lanes {
				p[l], p[l+lanes] = q[l+lanes], q[l]
			}
		}
	}
}

// mix multiplies the transforms of eight wave numbers by the spectra and exchanges
// real and imaginary parts, for the inverse transform.
func (f *Fields) mix(w, row, x, results, sources int, k Matrix) {
	m := f.g.MX
	at := (row*m + x) * lanes
	var z [3][block]float64
	for i := range results {
		for j, s := range k[i][:sources] {
			if s == nil {
				continue
			}
			v := (*[block]float64)(f.a[w][(j*m+x)*block:])
			if s.re != nil {
				re := (*[lanes]float64)(s.re[at:])
				for l := range lanes {
					z[i][l+lanes] += float64(re[l] * v[l])
					z[i][l] += float64(re[l] * v[l+lanes])
				}
			}
			if s.im != nil {
				im := (*[lanes]float64)(s.im[at:])
				for l := range lanes {
					z[i][l+lanes] -= float64(im[l] * v[l+lanes])
					z[i][l] += float64(im[l] * v[l])
				}
			}
		}
	}
	for i := range results {
		*(*[block]float64)(f.a[w][(i*m+x)*block:]) = z[i]
	}
}

// Real returns the real part, for functions of it that are the same at every wave
// number; nil for an odd kernel.
func (s *Spectrum) Real() []float64 { return s.re }

// Function is the spectrum with the given values at the wave numbers x in
// (−MX/2, MX/2], y in [0, MY/2]: real parts of an even kernel, imaginary ones of an
// odd one.
func (g *Grid) Function(parity Parity, f func(x, y int) float64) *Spectrum {
	v := make([]float64, g.size())
	for k := range v {
		if x, y := g.waves(k); y <= g.MY/2 {
			v[k] = f(x, y)
		}
	}
	if parity == Odd {
		return &Spectrum{im: v}
	}
	return &Spectrum{re: v}
}

// Scale multiplies by a number.
func (s *Spectrum) Scale(f float64) {
	for _, part := range [][]float64{s.re, s.im} {
		for k := range part {
			part[k] *= f
		}
	}
}

// size is the number of entries of a spectrum.
func (g *Grid) size() int {
	if g.line != nil {
		return g.line.m/2 + 1
	}
	return g.rows * g.MX * lanes
}

// waves returns the wave numbers of an entry of a spectrum.
func (g *Grid) waves(k int) (x, y int) {
	switch {
	case g.line != nil && g.MY == 1:
		return k, 0
	case g.line != nil:
		return 0, k
	}
	x, y = k/lanes%g.MX, k/(lanes*g.MX)*lanes+k%lanes
	if 2*x > g.MX {
		x -= g.MX
	}
	return x, y
}

// Times returns the product of a real spectrum with a function of the wave numbers
// x in (−MX/2, MX/2], y in [0, MY/2].
func (g *Grid) Times(s *Spectrum, f func(x, y int) complex128) *Spectrum {
	out := &Spectrum{make([]float64, len(s.re)), make([]float64, len(s.re))}
	for k, v := range s.re {
		w := f(g.waves(k))
		out.re[k], out.im[k] = v*real(w), v*imag(w)
	}
	return out
}
