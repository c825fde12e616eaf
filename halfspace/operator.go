package halfspace

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/quasistatic/quasistatic/internal/fft"
)

// Components of tractions and displacements.
const (
	X = iota // along the surface
	Y
	N // normal: positive tractions press, positive displacements open
)

// Field is a vector at every element, component by component; a component that is
// not needed may be nil.
type Field [3][]float64

// NewField allocates three components of n elements.
func NewField(n int) Field {
	mem := make([]float64, 3*n)
	return Field{mem[:n:n], mem[n : 2*n : 2*n], mem[2*n:]}
}

// Operator is the compliance u = C p of a window, a convolution
//
//	u(i, j) = Σ_kl B(i − k, j − l) p(k, l)
//
// with the blocks B of an [Influence], by transforms on a grid of twice the size: a
// product costs O(n log n) and is exact to rounding, memory is O(n) [VolLi14]. It is
// safe for one goroutine at a time and uses Workers of them itself.
type Operator struct {
	// Workers is the number of goroutines, default that of the processors. Results
	// have the same bits for any number.
	Workers int

	grid  Grid
	inf   Influence
	shift [2]float64 // of the points where u is taken
	// table holds the distinct entries of B by difference of indices: quadrants of
	// NX×NY, or all of the differences if there is a shift.
	table    [entries][]float64
	plans    []*plan
	inverses []*preconditioner
	base     *Operator // of a difference
	periodic *Compliance
	even     uniform
}

// The entries of B that the others follow from.
const (
	xx = iota
	yy
	nn
	xy
	xn
	yn
	entries
)

// entry says where an entry of the 3×3 block is found, and its sign.
var entry = [3][3]struct {
	kind int
	sign float64
}{
	{{xx, 1}, {xy, 1}, {xn, 1}},
	{{xy, 1}, {yy, 1}, {yn, 1}},
	{{xn, -1}, {yn, -1}, {nn, 1}},
}

// NewOperator evaluates the influence once for each difference of elements.
func NewOperator(g Grid, inf Influence) (*Operator, error) { return newOperator(g, inf, 0, 0) }

// Shifted returns the operator of the displacements at (dx, dy) from the centres of
// the elements: the surface as material sees it that has moved on, by any fraction
// of an element and beyond the window.
func (o *Operator) Shifted(dx, dy float64) (*Operator, error) {
	if o.periodic != nil {
		return nil, errors.New("halfspace: a periodic window does not roll")
	}
	s, err := newOperator(o.grid, o.inf, dx, dy)
	if err == nil {
		s.Workers = o.Workers
	}
	return s, err
}

// difference is the operator less its shifted one: the slip of a surface that
// rolls steadily. Its symmetric part is positive, Ĉ(1 − cos k·d).
func (o *Operator) difference(dx, dy float64) (*Operator, error) {
	s, err := o.Shifted(dx, dy)
	if err != nil {
		return nil, err
	}
	s.base = o
	nx := 2*s.grid.NX - 1
	for e := range s.table {
		for k := range s.table[e] {
			s.table[e][k] = o.at(e, k%nx-s.grid.NX+1, k/nx-s.grid.NY+1) - s.table[e][k]
		}
	}
	return s, nil
}

func newOperator(g Grid, inf Influence, dx, dy float64) (*Operator, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if v, ok := inf.(validator); ok {
		if err := v.validate(g); err != nil {
			return nil, fmt.Errorf("halfspace: operator: %w", err)
		}
	}
	o := &Operator{Workers: runtime.GOMAXPROCS(0), grid: g, inf: inf, shift: [2]float64{dx, dy}}
	nx, ny := g.NX, g.NY
	if o.shifted() {
		nx, ny = 2*g.NX-1, 2*g.NY-1
	}
	mem := make([]float64, entries*nx*ny)
	for e := range o.table {
		o.table[e] = mem[e*nx*ny : (e+1)*nx*ny]
	}
	for j := range ny {
		for i := range nx {
			x, y := float64(i), float64(j)
			if o.shifted() {
				x, y = x-float64(g.NX-1), y-float64(g.NY-1)
			}
			b := inf.Block(x*g.DX+dx, y*g.DY+dy, g.DX, g.DY)
			for e, k := range [entries]int{0, 4, 8, 1, 2, 5} {
				o.table[e][i+j*nx] = b[k]
			}
		}
	}
	return o, nil
}

func (o *Operator) shifted() bool { return o.shift != [2]float64{} }

// Grid returns the window.
func (o *Operator) Grid() Grid { return o.grid }

// at returns an entry of B for a difference of indices.
func (o *Operator) at(kind, i, j int) float64 {
	if o.shifted() {
		return o.table[kind][i+o.grid.NX-1+(j+o.grid.NY-1)*(2*o.grid.NX-1)]
	}
	sign := 1.0
	if i < 0 {
		i = -i
		if kind == xy || kind == xn {
			sign = -sign
		}
	}
	if j < 0 {
		j = -j
		if kind == xy || kind == yn {
			sign = -sign
		}
	}
	return sign * o.table[kind][i+j*o.grid.NX]
}

// self is the displacement of an element by its own traction.
func (o *Operator) self(kind int) float64 {
	if o.periodic == nil {
		return math.Abs(o.at(kind, 0, 0))
	}
	return Patches{*o.periodic}.Block(0, 0, o.grid.DX, o.grid.DY)[[...]int{0, 4, 8}[kind]]
}

// Entry is the displacement of component r at element k by the traction 1 Pa of
// component s on element l [m/Pa]: what the dense matrix has.
func (o *Operator) Entry(r, s, k, l int) float64 {
	e, nx := entry[r][s], o.grid.NX
	if o.periodic != nil {
		p, u := NewField(o.grid.Len()), NewField(o.grid.Len())
		p[s][l] = 1
		o.Product(u, p)
		return u[r][k]
	}
	return e.sign * o.at(e.kind, k%nx-l%nx, k/nx-l/nx)
}

// Product sets dst = C p on the whole window, of the components that both have.
func (o *Operator) Product(dst, p Field) { o.product(dst, p, o.grid.all(), o.grid.all()) }

// product multiplies tractions on a box and takes displacements there. Fields have
// the shape of the box from, a part of the window.
func (o *Operator) product(dst, p Field, shape, at box) {
	pl := o.plan(at.nx, at.ny)
	pl.convolve(dst, p, fft.Box{
		Origin: at.i0 - shape.i0 + (at.j0-shape.j0)*shape.nx,
		Stride: shape.nx, NX: at.nx, NY: at.ny,
	})
}

// plan is the operator on boxes of a size: the spectra of the entries.
type plan struct {
	grid    *fft.Grid
	fields  *fft.Fields
	spectra [3][3]*fft.Spectrum
	matrix  fft.Matrix
	dst     [][]float64
	src     [][]float64
}

// planLimit is the number of sizes that are kept: contacts that grow and shrink
// come back to few.
const planLimit = 8

func (o *Operator) plan(nx, ny int) *plan {
	mx, my := o.periods(nx, ny, 2*nx-1, 2*ny-1)
	for i, pl := range o.plans {
		if pl.grid.MX == mx && pl.grid.MY == my {
			copy(o.plans[1:i+1], o.plans[:i])
			o.plans[0] = pl
			return pl
		}
	}
	pl := newPlan(mx, my, o.Workers)
	if o.periodic != nil {
		o.spectral(pl)
		o.plans = []*plan{pl}
		return pl
	}
	kernel := make([]float64, mx*my)
	var made [entries]*fft.Spectrum
	for r := range 3 {
		for s := range 3 {
			e := entry[r][s]
			if (r == N) != (s == N) && !o.inf.Couples() {
				continue
			}
			if made[e.kind] == nil || e.sign < 0 {
				o.kernel(kernel, e.kind, e.sign, mx, my)
				sp := pl.grid.Spectrum(kernel, o.parity(e.kind))
				if e.sign < 0 {
					pl.spectra[r][s] = sp
					continue
				}
				made[e.kind] = sp
			}
			pl.spectra[r][s] = made[e.kind]
		}
	}
	o.plans = append([]*plan{pl}, o.plans...)
	if len(o.plans) > planLimit {
		o.plans = o.plans[:planLimit]
	}
	return pl
}

// periods are those of the transforms of fields of nx×ny elements, at least the ones given:
// one along an axis of which they have one element.
func (o *Operator) periods(nx, ny, leastX, leastY int) (mx, my int) {
	switch {
	case o.periodic != nil:
		return o.grid.NX, o.grid.NY
	case ny == 1:
		return fft.SmoothLine(leastX), 1
	case nx == 1:
		return 1, fft.SmoothLine(leastY)
	}
	return fft.Smooth(leastX), fft.Smooth(leastY)
}

func (o *Operator) parity(kind int) fft.Parity {
	switch {
	case o.shifted():
		return fft.Neither
	case kind == xn || kind == yn:
		return fft.Odd
	}
	return fft.Even
}

// kernel lays an entry out with the periods mx, my: differences that the window
// does not have are zero, and never met.
func (o *Operator) kernel(dst []float64, kind int, sign float64, mx, my int) {
	clear(dst)
	// The largest difference that does not meet its own mirror image.
	hx, hy := min(o.grid.NX-1, (mx-1)/2), min(o.grid.NY-1, (my-1)/2)
	for j := -hy; j <= hy; j++ {
		for i := -hx; i <= hx; i++ {
			dst[(i+mx)%mx+(j+my)%my*mx] = sign * o.at(kind, i, j)
		}
	}
}

func newPlan(mx, my, workers int) *plan {
	g, err := fft.NewGrid(mx, my)
	if err != nil {
		panic("halfspace: " + err.Error()) // periods come from fft.Smooth
	}
	return &plan{
		grid: g, fields: g.NewFields(3, workers),
		matrix: fft.Matrix{make([]*fft.Spectrum, 3), make([]*fft.Spectrum, 3), make([]*fft.Spectrum, 3)},
	}
}

// convolve multiplies by the spectra of the components that are not nil.
func (pl *plan) convolve(dst, p Field, at fft.Box) {
	pl.dst, pl.src = pl.dst[:0], pl.src[:0]
	for r := range 3 {
		if dst[r] == nil {
			continue
		}
		row := pl.matrix[len(pl.dst)][:0]
		for s := range 3 {
			if p[s] != nil {
				row = append(row, pl.spectra[r][s])
			}
		}
		pl.dst = append(pl.dst, dst[r])
	}
	for s := range 3 {
		if p[s] != nil {
			pl.src = append(pl.src, p[s])
		}
	}
	pl.fields.Convolve(pl.dst, pl.src, pl.matrix, at)
}
