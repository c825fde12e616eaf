package halfspace

import (
	"math"
	"math/cmplx"

	"github.com/quasistatic/quasistatic/internal/fft"
)

// preconditioner is the inverse of the operator on a torus a little larger than the
// box, normal and tangential directions apart: a convolution at a quarter of the
// cost of a product [ZhaoVolLi15].
type preconditioner struct {
	*plan
	at   fft.Box
	self float64 // displacement of an element by its own tangential traction
}

// torusMargin is how much wider than the box the torus is: opposite edges should
// not be neighbours.
const torusMargin = 2

func (o *Operator) preconditioner(nx, ny int) *preconditioner {
	mx, my := o.periods(nx, ny, nx+torusMargin, ny+torusMargin)
	for _, p := range o.inverses {
		if p.grid.MX == mx && p.grid.MY == my {
			p.at = fft.Box{Stride: nx, NX: nx, NY: ny}
			return p
		}
	}
	p := &preconditioner{plan: newPlan(mx, my, o.Workers), self: o.self(xx)}
	p.at = fft.Box{Stride: nx, NX: nx, NY: ny}
	base := o
	if o.base != nil {
		base = o.base
	}
	even := base.toroidal(p.grid)
	invert(even)
	if o.base != nil {
		forget := 1 - 1/float64(mx+my) // of the torus: boxes that share it find the same inverse
		for e := range even {
			even[e] = p.grid.Times(even[e], func(x, y int) complex128 {
				angle := 2 * math.Pi * (float64(x)*o.shift[0]/(float64(mx)*o.grid.DX) + float64(y)*o.shift[1]/(float64(my)*o.grid.DY))
				return 1 / (1 - complex(forget, 0)*cmplx.Rect(1, angle))
			})
		}
	}
	p.spectra[X][X], p.spectra[Y][Y], p.spectra[N][N] = even[xx], even[yy], even[nn]
	p.spectra[X][Y], p.spectra[Y][X] = even[xy], even[xy]
	o.inverses = append([]*preconditioner{p}, o.inverses...)
	if len(o.inverses) > planLimit {
		o.inverses = o.inverses[:planLimit]
	}
	return p
}

// toroidal are the spectra of the even entries on a torus.
func (o *Operator) toroidal(g *fft.Grid) (even [xn]*fft.Spectrum) {
	if o.periodic != nil {
		for e := range even {
			even[e] = o.symbol(g, e)
		}
		return even
	}
	kernel := make([]float64, g.MX*g.MY)
	for e := range even {
		o.torus(kernel, e, g.MX, g.MY)
		even[e] = g.Spectrum(kernel, fft.Even)
	}
	return even
}

// torus lays an entry out with the shortest differences on the torus.
func (o *Operator) torus(dst []float64, kind, mx, my int) {
	for j := range my {
		for i := range mx {
			dx, dy := i, j
			if 2*i > mx {
				dx -= mx
			}
			if 2*j > my {
				dy -= my
			}
			v := 0.0
			// Odd entries vanish half way around.
			if kind != xy || 2*i != mx && 2*j != my {
				v = o.clipped(kind, dx, dy)
			}
			dst[i+j*mx] = v
		}
	}
}

// clipped is an entry of the table; beyond its edge the value there.
func (o *Operator) clipped(kind, i, j int) float64 {
	nx, ny := o.grid.NX-1, o.grid.NY-1
	return o.at(kind, max(-nx, min(i, nx)), max(-ny, min(j, ny)))
}

// invert replaces the spectra by those of the inverse, with eigenvalues bounded
// below.
func invert(s [xn]*fft.Spectrum) {
	a, b, n, c := s[xx].Real(), s[yy].Real(), s[nn].Real(), s[xy].Real()
	most := 0.0
	for k := range n {
		most = max(most, n[k])
	}
	least := most * spectralFloor
	for k := range n {
		n[k] = 1 / max(n[k], least)
		// Eigenvalues m ± d of [[a, c], [c, b]].
		m, d := (a[k]+b[k])/2, (a[k]-b[k])/2
		root := math.Hypot(d, c[k])
		if low := m - root; low < least {
			m += least - low
		}
		det := m*m - root*root
		a[k], b[k], c[k] = (m-d)/det, (m+d)/det, -c[k]/det
	}
}

// spectralFloor of the largest eigenvalue: below what half-spaces have on the
// finest grids, 1/(elements along a side), so that it acts on truncation errors only.
const spectralFloor = 1e-5

// apply overwrites v by the product.
func (p *preconditioner) apply(v Field) { p.convolve(v, v, p.at) }
