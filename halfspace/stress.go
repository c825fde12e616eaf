package halfspace

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/fft"
)

// Tensor is a symmetric stress, xx, yy, zz, xy, yz, zx, with z into the body [Pa].
type Tensor [6]float64

// Mises is the equivalent stress of von Mises.
func (s Tensor) Mises() float64 {
	a, b, c := s[0]-s[1], s[1]-s[2], s[2]-s[0]
	return math.Sqrt((a*a+b*b+c*c)/2 + 3*(s[3]*s[3]+s[4]*s[4]+s[5]*s[5]))
}

// Subsurface is the stress in a half-space under tractions on the elements of a
// window, by the solutions of Love (normal) and Cerruti (along the surface) for
// uniform tractions on rectangles, exact at any depth.
type Subsurface struct {
	Grid    Grid
	Poisson float64
	// Lower says that the tractions, those on the upper body, act on the lower one:
	// along the surface they change sign. z always points into the body.
	Lower bool
}

// patchStress returns the stress at (x, y, z) from the centre of a rectangle with
// half-sides a, b, by the traction 1 along x, y and into the body: potentials of
// [Johnson85, 3.2] with Ω = z ln(ρ + z) − ρ integrated over the rectangle, I, and
// φ = ∂²I/∂z² = ∬ 1/ρ. A derivative of I at (u, v) from a corner is a function with
// sign + at (x+a, y+b) and (x−a, y−b):
//
//	φ_x = ln(v + ρ)        φ_y = ln(u + ρ)        φ_z = −atan(uv/zρ)
//	φ_xx = u/ρ(v + ρ)      φ_yy = v/ρ(u + ρ)      φ_xy = 1/ρ
//	φ_xz = z/ρ(v + ρ)      φ_yz = z/ρ(u + ρ)
//	I_xyz = ln(ρ + z)      I_xxz = atan(v/u) − atan(zv/uρ), I_yyz likewise
//	I_xyy = −v/(ρ + z)     I_xxy = −u/(ρ + z)
//	I_xyyz = v/ρ(ρ + z)    I_xxyz = u/ρ(ρ + z)
//
// and I, φ are harmonic.
func patchStress(x, y, z, a, b, nu float64) (s [3]Tensor) {
	for _, c := range [4]struct{ u, v, sign float64 }{{x + a, y + b, 1}, {x - a, y + b, -1}, {x + a, y - b, -1}, {x - a, y - b, 1}} {
		px, py, pn := cornerStress(c.u, c.v, z, nu)
		for k := range px {
			f := c.sign / (2 * math.Pi)
			s[X][k] += f * px[k]
			s[Y][k] += f * py[k]
			s[N][k] += f * pn[k]
		}
	}
	return s
}

func cornerStress(u, v, z, nu float64) (sx, sy, sn Tensor) {
	r := math.Sqrt(u*u + v*v + z*z)
	if r == 0 {
		return // the mean of what surrounds it has no value; points at corners of the surface are refused
	}
	iv, iu := reciprocalSum(v, u, z, r), reciprocalSum(u, v, z, r)
	fx, fy, fz := logOf(v, u, z, r), logOf(u, v, z, r), -math.Atan2(u*v, z*r)
	fxx, fyy, fxy := u/r*iv, v/r*iu, 1/r
	fxz, fyz := z/r*iv, z/r*iu
	fzz := -fxx - fyy
	ixxz, iyyz, ixyz := swept(u, v, z, r), swept(v, u, z, r), elementary.Log(r+z)
	ixyy, ixxy := -v/(r+z), -u/(r+z)
	ixyyz, ixxyz := v/(r*(r+z)), u/(r*(r+z))

	m := 1 - 2*nu
	sn = Tensor{
		2*nu*fz - m*ixxz - z*fxx,
		2*nu*fz - m*iyyz - z*fyy,
		fz - z*fzz,
		-m*ixyz - z*fxy,
		-z * fyz,
		-z * fxz,
	}
	sx = Tensor{
		2*(1+nu)*fx + 2*nu*(-ixyy-fx) + z*(ixyyz+fxz),
		2*nu*fx + 2*nu*ixyy - z*ixyyz,
		-z * fxz,
		fy + 2*nu*ixxy - z*ixxyz,
		-z * fxy,
		fz - z*fxx,
	}
	sy = Tensor{
		2*nu*fy + 2*nu*ixxy - z*ixxyz,
		2*(1+nu)*fy + 2*nu*(-ixxy-fy) + z*(ixxyz+fyz),
		-z * fyz,
		fx + 2*nu*ixyy - z*ixyyz,
		fz - z*fyy,
		-z * fxy,
	}
	return sx, sy, sn
}

// logOf is ln(v + ρ) without cancellation for v < 0.
func logOf(v, u, z, r float64) float64 {
	if v >= 0 {
		return elementary.Log(v + r)
	}
	return elementary.Log((u*u + z*z) / (r - v))
}

// reciprocalSum is 1/(v + ρ), likewise.
func reciprocalSum(v, u, z, r float64) float64 {
	if v >= 0 {
		return 1 / (v + r)
	}
	return (r - v) / (u*u + z*z)
}

// swept is atan(v/u) − atan(zv/uρ), which vanishes for u = 0.
func swept(u, v, z, r float64) float64 {
	if u == 0 {
		return 0
	}
	return math.Atan(v/u) - math.Atan(z*v/(u*r))
}

// At returns the stress at a point, by a sum over the elements.
func (s Subsurface) At(p Field, x, y, z float64) (Tensor, error) {
	if err := s.check(p, z); err != nil {
		return Tensor{}, err
	}
	var sum Tensor
	for k := range p[N] {
		var q [3]float64
		for c := range p {
			if p[c] != nil {
				q[c] = s.sign(c) * p[c][k]
			}
		}
		if q == [3]float64{} {
			continue
		}
		ex, ey := s.Grid.At(k)
		part := patchStress(x-ex, y-ey, z, s.Grid.DX/2, s.Grid.DY/2, s.Poisson)
		for c := range q {
			for i := range sum {
				sum[i] += q[c] * part[c][i]
			}
		}
	}
	for _, v := range sum {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return sum, fmt.Errorf("halfspace: the stress at (%v, %v, %v), the edge of an element, is not finite", x, y, z)
		}
	}
	return sum, nil
}

func (s Subsurface) sign(c int) float64 {
	if s.Lower && c != N {
		return -1
	}
	return 1
}

func (s Subsurface) check(p Field, z float64) error {
	if err := s.Grid.Validate(); err != nil {
		return err
	}
	if !(s.Poisson > -1 && s.Poisson <= 0.5) {
		return fmt.Errorf("halfspace: the ratio of Poisson %v is not in (-1, 0.5]", s.Poisson)
	}
	if !(z >= 0) || math.IsInf(z, 1) {
		return fmt.Errorf("halfspace: stress at the depth %v m", z)
	}
	if p[N] == nil {
		return errors.New("halfspace: stress without normal tractions")
	}
	for c := range p {
		if p[c] != nil && len(p[c]) != s.Grid.Len() {
			return fmt.Errorf("halfspace: %d tractions for %d elements", len(p[c]), s.Grid.Len())
		}
	}
	return nil
}

// Plane returns the stress below the centres of all elements at a depth, by
// transforms: O(n log n).
func (s Subsurface) Plane(p Field, z float64) ([]Tensor, error) {
	l, err := s.NewPlane(z)
	if err != nil {
		return nil, err
	}
	return l.Stress(p)
}

// Plane is the stress on a plane below the centres of all elements: transforms of what
// tractions on an element do, 576 bytes an element.
type Plane struct {
	of  Subsurface
	z   float64
	out []float64
	influence
}

// influence is what tractions do to stress, transformed, and room to multiply by it.
type influence struct {
	spectra [len(Tensor{})][3]*fft.Spectrum
	fields  *fft.Fields
}

// NewPlane prepares a plane at a depth, with as many values of the solutions of Love and
// Cerruti as the window has differences of elements.
func (s Subsurface) NewPlane(z float64) (*Plane, error) {
	g := s.Grid
	if err := s.check(Field{N: make([]float64, max(0, g.Len()))}, z); err != nil {
		return nil, err
	}
	mx, my := fft.Smooth(2*g.NX-1), fft.Smooth(2*g.NY-1)
	grid, err := fft.NewGrid(mx, my)
	if err != nil {
		return nil, err
	}
	l := &Plane{of: s, z: z, influence: influence{fields: grid.NewFields(3, 1)}, out: make([]float64, g.Len())}
	var kernels [3][len(Tensor{})][]float64
	for c := range kernels {
		for i := range kernels[c] {
			kernels[c][i] = make([]float64, mx*my)
		}
	}
	for j := 1 - g.NY; j < g.NY; j++ {
		for i := 1 - g.NX; i < g.NX; i++ {
			part := patchStress(float64(i)*g.DX, float64(j)*g.DY, z, g.DX/2, g.DY/2, s.Poisson)
			at := (i+mx)%mx + (j+my)%my*mx
			for c := range part {
				for k, v := range part[c] {
					kernels[c][k][at] = s.sign(c) * v
				}
			}
		}
	}
	for c := range kernels {
		for k, kernel := range kernels[c] {
			l.spectra[k][c] = grid.Spectrum(kernel, fft.Neither)
		}
	}
	return l, nil
}

// Stress returns that of tractions.
func (l *Plane) Stress(p Field) ([]Tensor, error) {
	if err := l.of.check(p, l.z); err != nil {
		return nil, err
	}
	g := l.of.Grid
	stress := make([]Tensor, g.Len())
	dst := [][]float64{l.out}
	for k := range l.spectra {
		row, src := []*fft.Spectrum{}, [][]float64{}
		for c := range p {
			if p[c] != nil {
				row, src = append(row, l.spectra[k][c]), append(src, p[c])
			}
		}
		l.fields.Convolve(dst, src, fft.Matrix{row}, fft.Box{Stride: g.NX, NX: g.NX, NY: g.NY})
		for e, v := range l.out {
			stress[e][k] = v
		}
	}
	return stress, nil
}

// Peak is the largest stress of von Mises on the plane.
func (l *Plane) Peak(p Field) (best Peak, err error) {
	stress, err := l.Stress(p)
	for k, t := range stress {
		if m := t.Mises(); m > best.Mises {
			x, y := l.of.Grid.At(k)
			best = Peak{m, x, y, l.z}
		}
	}
	return best, err
}

// Peak is the largest equivalent stress and where it is.
type Peak struct {
	Mises   float64
	X, Y, Z float64
}

// Peak looks for the largest stress of von Mises below the centres of elements at
// the given depths.
func (s Subsurface) Peak(p Field, depths []float64) (Peak, error) {
	var best Peak
	for _, z := range depths {
		l, err := s.NewPlane(z)
		if err != nil {
			return best, err
		}
		if peak, err := l.Peak(p); err != nil || peak.Mises > best.Mises {
			best = peak
			if err != nil {
				return best, err
			}
		}
	}
	return best, nil
}
