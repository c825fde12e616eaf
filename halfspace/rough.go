package halfspace

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Rough is an isotropic Gaussian surface, self-affine between two wave numbers:
//
//	C(q) = C₀ for q_L <= q < q_r,  C₀ (q/q_r)^(−2(1+H)) for q_r <= q <= q_s,  0 elsewhere
//
// [Persson05]. It is periodic with the window and the same for the same seed.
type Rough struct {
	Hurst    float64 // H, in [0, 1] [-]
	Longest  float64 // 2π/q_L [m]; 0: the larger side of the window
	Rolloff  float64 // 2π/q_r [m]; 0: Longest
	Shortest float64 // 2π/q_s [m]; 0: two elements
	Height   float64 // root mean square [m], exactly that of the sample
	Seed     uint64
}

// Heights makes the surface; the undeformed distance is −Heights or Heights, alike
// in their statistics.
func (r Rough) Heights(g Grid) ([]float64, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	lx, ly := float64(g.NX)*g.DX, float64(g.NY)*g.DY
	longest, shortest := r.Longest, r.Shortest
	if longest == 0 {
		longest = max(lx, ly)
	}
	if shortest == 0 {
		shortest = 2 * min(g.DX, g.DY)
	}
	rolloff := r.Rolloff
	if rolloff == 0 {
		rolloff = longest
	}
	if !(r.Hurst >= 0 && r.Hurst <= 1) || !(r.Height >= 0) || math.IsInf(r.Height, 1) ||
		!(0 < shortest && shortest <= rolloff && rolloff <= longest) {
		return nil, fmt.Errorf("halfspace: rough surface with H = %v, wave lengths %v >= %v >= %v m, height %v m",
			r.Hurst, longest, rolloff, shortest, r.Height)
	}
	return r.sample(g, lx, ly, 2*math.Pi/longest, 2*math.Pi/rolloff, 2*math.Pi/shortest), nil
}

// sample filters white noise: every wave number gets a Gaussian amplitude times
// √C(q), so that the surface is Gaussian and not only of random phases.
func (r Rough) sample(g Grid, lx, ly, qL, qr, qs float64) []float64 {
	rng := rand.New(rand.NewPCG(r.Seed, 0x9e3779b97f4a7c15))
	z := make([]complex128, g.Len())
	for k := range z {
		z[k] = complex(rng.NormFloat64(), 0)
	}
	transform(z, g, false)
	const slack = 1e-9 // wave numbers at the bounds belong to the band
	for j := range g.NY {
		for i := range g.NX {
			qx := 2 * math.Pi * float64(min(i, g.NX-i)) / lx
			qy := 2 * math.Pi * float64(min(j, g.NY-j)) / ly
			q, c := math.Hypot(qx, qy), 0.0
			switch {
			case q < qL*(1-slack) || q > qs*(1+slack) || q == 0:
			case q < qr:
				c = 1
			default:
				c = elementary.Pow(q/qr, -(1 + r.Hurst))
			}
			z[i+j*g.NX] *= complex(c, 0)
		}
	}
	transform(z, g, true)
	h := make([]float64, len(z))
	square := 0.0
	for k, v := range z {
		h[k] = real(v)
		square += h[k] * h[k]
	}
	if square > 0 {
		f := r.Height / math.Sqrt(square/float64(len(h)))
		for k := range h {
			h[k] *= f
		}
	}
	return h
}

// transform is the discrete Fourier transform of a window, or its inverse up to a
// factor.
func transform(z []complex128, g Grid, inverse bool) {
	along := func(f *fourier.CmplxFFT, seq []complex128) {
		if inverse {
			f.Sequence(seq, seq)
		} else {
			f.Coefficients(seq, seq)
		}
	}
	row, column := fourier.NewCmplxFFT(g.NX), fourier.NewCmplxFFT(g.NY)
	for j := range g.NY {
		along(row, z[j*g.NX:(j+1)*g.NX])
	}
	seq := make([]complex128, g.NY)
	for i := range g.NX {
		for j := range seq {
			seq[j] = z[i+j*g.NX]
		}
		along(column, seq)
		for j, v := range seq {
			z[i+j*g.NX] = v
		}
	}
}

// Statistics are the numbers by which the theories of rough contact speak.
type Statistics struct {
	Height    float64 // root mean square [m]
	Slope     float64 // root mean square gradient √<|∇h|²> [-]
	Curvature float64 // root mean square of (h_xx + h_yy)/2, of summits in Greenwood's theory [1/m]
	Nayak     float64 // α = m₀m₄/m₂², breadth of the spectrum [-]
}

// Roughness measures a surface, periodic with the window, by central differences.
func Roughness(g Grid, h []float64) Statistics {
	var m0, m2, m4, mean float64
	for _, v := range h {
		mean += v / float64(len(h))
	}
	at := func(i, j int) float64 { return h[(i+g.NX)%g.NX+(j+g.NY)%g.NY*g.NX] }
	for j := range g.NY {
		for i := range g.NX {
			c := at(i, j)
			// One-sided differences see all wave numbers, central ones not the shortest.
			sx, sy := (at(i+1, j)-c)/g.DX, (at(i, j+1)-c)/g.DY
			xx := (at(i+1, j) - 2*c + at(i-1, j)) / (g.DX * g.DX)
			yy := (at(i, j+1) - 2*c + at(i, j-1)) / (g.DY * g.DY)
			m0 += (c - mean) * (c - mean)
			m2 += sx*sx + sy*sy
			m4 += (xx + yy) * (xx + yy) / 4
		}
	}
	n := float64(len(h))
	s := Statistics{Height: math.Sqrt(m0 / n), Slope: math.Sqrt(m2 / n), Curvature: math.Sqrt(m4 / n)}
	// The moments of a profile of an isotropic surface: m₂ = <|∇h|²>/2 and, with
	// <h_xx²> = 3<h_xx h_yy>, m₄ = (3/8)<(∇²h)²>.
	if m2 > 0 {
		s.Nayak = m0 / n * (3. / 8) * (4 * m4 / n) / (m2 / n / 2) / (m2 / n / 2)
	}
	return s
}

// PerssonArea is the share of the nominal area that touches under a mean pressure,
// erf(√2 p/(E* h')) with the composite modulus and the root mean square slope; at
// small loads √(8/π) p/(E* h') [Persson01].
func PerssonArea(pressure, modulus, slope float64) float64 {
	return math.Erf(math.Sqrt2 * pressure / (modulus * slope))
}

// GreenwoodArea is the linear law of Bush, Gibson and Thomas for Greenwood's
// summits, √(2π) p/(E* h'), for small loads.
func GreenwoodArea(pressure, modulus, slope float64) float64 {
	return math.Sqrt(2*math.Pi) * pressure / (modulus * slope)
}

// ContactArea counts the elements under pressure, and corrects their area for the
// pixels along its perimeter, which counts long [Yastrebov17].
func (g Grid) ContactArea(pressure []float64) (counted, corrected float64) {
	perimeter := 0.0
	for j := range g.NY {
		for i := range g.NX {
			k := i + j*g.NX
			in := pressure[k] > 0
			if in {
				counted += g.Area()
			}
			if i > 0 && in != (pressure[k-1] > 0) {
				perimeter += g.DY * g.DX
			}
			if j > 0 && in != (pressure[k-g.NX] > 0) {
				perimeter += g.DX * g.DY
			}
		}
	}
	return counted, counted - (math.Pi-1+math.Ln2)/24*perimeter
}
