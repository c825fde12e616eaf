package fft

import (
	"fmt"
	"sync"
)

// Grid convolves fields on a rectangle with periodic kernels.
type Grid struct {
	MX, MY int
	px, py *plan
	rows   int   // blocks of eight wave numbers along y: ceil((MY/2+1)/8)
	line   *line // of a grid of one row or column; nil: of another one
}

// NewGrid takes the periods, values of [Smooth]; or 1 and one of [SmoothLine], for fields of one
// row or column.
func NewGrid(mx, my int) (*Grid, error) {
	if m := max(mx, my); min(mx, my) == 1 {
		if SmoothLine(m) != m {
			return nil, fmt.Errorf("fft: a period of %d is not 8·2^a·{1, 3, 9}", m)
		}
		return &Grid{MX: mx, MY: my, line: newLine(m)}, nil
	}
	for _, m := range [...]int{mx, my} {
		if m < 4 || Smooth(m) != m {
			return nil, fmt.Errorf("fft: a period of %d is not 2^a·{1, 3, 9}, a >= 2", m)
		}
	}
	return &Grid{MX: mx, MY: my, px: newPlan(mx), py: newPlan(my), rows: (my/2 + lanes) / lanes}, nil
}

// Spectrum is the transform of a real kernel. Its parts are by blocks of eight wave
// numbers along y, all of x in each, of a line the wave numbers 0 … m/2; a kernel that is even or
// odd has one part.
type Spectrum struct {
	re, im []float64 // or nil
}

// Fields are the pieces of memory of a convolution; of one goroutine at a time.
type Fields struct {
	g    *Grid
	mid  [][]float64 // by component: transforms along y
	a, b [][]float64 // by worker
	line *lineFields // of a line
}

// Box is the rectangle of a field that is transformed: NX×NY values from Origin on,
// rows Stride apart.
type Box struct{ Origin, Stride, NX, NY int }

// parallelWork is the number of values from which on two goroutines pay.
const parallelWork = 1 << 15

// NewFields allocates for convolutions of up to comps fields at once with up to
// workers goroutines.
func (g *Grid) NewFields(comps, workers int) *Fields {
	if g.line != nil {
		return &Fields{g: g, line: newLineFields(g.line.m, comps)}
	}
	f := &Fields{g: g, mid: make([][]float64, comps)}
	for c := range f.mid {
		f.mid[c] = make([]float64, g.rows*g.MX*block)
	}
	if g.MX*g.MY < parallelWork {
		workers = 1
	}
	length := max(g.MX*comps, g.MY) * block
	for range max(workers, 1) {
		f.a = append(f.a, make([]float64, length))
		f.b = append(f.b, make([]float64, max(g.MX, g.MY)*block))
	}
	return f
}

// share runs work on 0 … n−1, by worker w the numbers that are w modulo their number.
func (f *Fields) share(n int, work func(w, i int)) {
	var wg sync.WaitGroup
	for w := range f.a {
		wg.Go(func() {
			for i := w; i < n; i += len(f.a) {
				work(w, i)
			}
		})
	}
	wg.Wait()
}

// forward transforms the field src along y into mid[c]: sixteen columns x make
// eight complex vectors z = u + iv, whose transforms are
// U(k) = (Z(k) + Z̄(m−k))/2 and V(k) = (Z(k) − Z̄(m−k))/2i.
func (f *Fields) forward(c int, src []float64, at Box) {
	n := (at.NX + block - 1) / block
	if len(f.a) == 1 { // a function value would be allocated
		for i := range n {
			f.forwardColumns(c, src, at, 0, i*block)
		}
		return
	}
	f.share(n, func(w, i int) { f.forwardColumns(c, src, at, w, i*block) })
}

func (f *Fields) forwardColumns(c int, src []float64, at Box, w, x0 int) {
	m := f.g.MY
	a, b := f.a[w][:m*block], f.b[w][:m*block]
	wide := min(block, at.NX-x0)
	for y := range at.NY {
		row := src[at.Origin+y*at.Stride+x0:]
		to := a[y*block : (y+1)*block]
		n := copy(to, row[:wide])
		clear(to[n:])
	}
	clear(a[at.NY*block:])
	z, _ := f.g.py.transform(a, b)
	mx, mid := f.g.MX, f.mid[c]
	for k := range m/2 + 1 {
		p := (*[block]float64)(z[k*block:])
		q := (*[block]float64)(z[(m-k)%m*block:])
		to := mid[(k/lanes*mx+x0)*block+k%lanes:]
		for l := range min(lanes, wide) {
			to[l*block], to[l*block+lanes] = (p[l]+q[l])/2, (p[l+lanes]-q[l+lanes])/2
		}
		for l := range wide - lanes {
			o := (l + lanes) * block
			to[o], to[o+lanes] = (p[l+lanes]+q[l+lanes])/2, (q[l]-p[l])/2
		}
	}
}

// backward transforms mid[c] back along y: z = u + iv from its transforms, real
// and imaginary parts exchanged, which makes the transform the inverse one.
func (f *Fields) backward(c int, dst []float64, at Box) {
	n := (at.NX + block - 1) / block
	if len(f.a) == 1 {
		for i := range n {
			f.backwardColumns(c, dst, at, 0, i*block)
		}
		return
	}
	f.share(n, func(w, i int) { f.backwardColumns(c, dst, at, w, i*block) })
}

func (f *Fields) backwardColumns(c int, dst []float64, at Box, w, x0 int) {
	m := f.g.MY
	a, b := f.a[w][:m*block], f.b[w][:m*block]
	wide := min(block, at.NX-x0)
	mx, mid := f.g.MX, f.mid[c]
	if wide < block {
		clear(a)
	}
	for k := range m/2 + 1 {
		p := (*[block]float64)(a[k*block:])
		q := (*[block]float64)(a[(m-k)%m*block:])
		from := mid[(k/lanes*mx+x0)*block+k%lanes:]
		for l := range min(lanes, wide) {
			ur, ui := from[l*block], from[l*block+lanes]
			vr, vi := 0.0, 0.0
			if o := (l + lanes) * block; l+lanes < wide {
				vr, vi = from[o], from[o+lanes]
			}
			// Z(k) = U + iV and Z(m−k) = Ū + iV̄; lanes hold (imaginary, real).
			q[l], q[l+lanes] = vr-ui, ur+vi
			p[l], p[l+lanes] = ui+vr, ur-vi
		}
	}
	z, _ := f.g.py.transform(a, b)
	scale := 1 / (float64(m) * float64(mx))
	for y := range at.NY {
		row := dst[at.Origin+y*at.Stride+x0:][:wide]
		from := (*[block]float64)(z[y*block:])
		for l := range min(lanes, wide) {
			row[l] = from[l+lanes] * scale
		}
		for l := range wide - lanes {
			row[l+lanes] = from[l] * scale
		}
	}
}
