package halfspace

import (
	"fmt"
	"math"
	"runtime"

	"github.com/quasistatic/quasistatic/internal/fft"
)

// NewPeriodic is the compliance of half-spaces under tractions that are periodic
// with the window, by wave number q = (q_x, q_y) [Johnson85, 13.2]: transforms of the
// influence of point forces,
//
//	û_n = 2πA/q p̂_n,  û_t = (2πA/q + 2πB(q² − q q ᵀ)/q³) p̂_t,  û_x = 2πiD q_x/q² p̂_n, …
//
// as far as the grid resolves it. The mean displacement has no value: forces are
// prescribed, and ξ is relative to the mean plane. NX and NY are 2^a·{1, 3, 9} with
// a >= 2.
func NewPeriodic(g Grid, c Compliance) (*Operator, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if err := c.validate(g); err != nil {
		return nil, fmt.Errorf("halfspace: operator: %w", err)
	}
	if g.NX < 4 || g.NY < 4 || fft.Smooth(g.NX) != g.NX || fft.Smooth(g.NY) != g.NY {
		return nil, fmt.Errorf("halfspace: a periodic window has 2^a·{1, 3, 9} elements a side, a >= 2, such as %d×%d, not %d×%d",
			fft.Smooth(g.NX), fft.Smooth(g.NY), g.NX, g.NY)
	}
	return &Operator{Workers: runtime.GOMAXPROCS(0), grid: g, inf: Patches{c}, periodic: &c}, nil
}

// spectral sets the spectra of a plan.
func (o *Operator) spectral(pl *plan) {
	for r := range 3 {
		for s := range 3 {
			e := entry[r][s]
			if (r == N) != (s == N) && !o.inf.Couples() {
				continue
			}
			sp := o.symbol(pl.grid, e.kind)
			if e.sign < 0 {
				sp.Scale(-1)
			}
			pl.spectra[r][s] = sp
		}
	}
}

// symbol is the transform of an entry; of the couplings its imaginary part.
func (o *Operator) symbol(g *fft.Grid, kind int) *fft.Spectrum {
	c, parity := o.periodic, fft.Even
	if kind == xn || kind == yn {
		parity = fft.Odd
	}
	return g.Function(parity, func(kx, ky int) float64 {
		x := 2 * math.Pi * float64(kx) / (float64(g.MX) * o.grid.DX)
		y := 2 * math.Pi * float64(ky) / (float64(g.MY) * o.grid.DY)
		q := math.Hypot(x, y)
		if q == 0 {
			return 0
		}
		// Odd in a wave number that stands for its negative as well: none of it.
		nx, ny := 2*kx == g.MX, 2*ky == g.MY
		switch one := 2 * math.Pi / q; kind {
		case xx:
			return one * (c.A + c.B*y*y/(q*q))
		case yy:
			return one * (c.A + c.B*x*x/(q*q))
		case nn:
			return one * c.A
		case xy:
			if nx || ny {
				return 0
			}
			return -one * c.B * x * y / (q * q)
		case xn: // −D ξ/r² becomes 2πi D q_x/q²
			if nx {
				return 0
			}
			return one * c.D * x / q
		default:
			if ny {
				return 0
			}
			return one * c.D * y / q
		}
	})
}
