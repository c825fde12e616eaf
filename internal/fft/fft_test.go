package fft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestKernels: assembly and Go give the same bits.
func TestKernels(t *testing.T) {
	for _, c := range [][3]int{{2, 3, 1}, {4, 1, 3}, {4, 5, 1}, {3, 4, 2}, {3, 1, 1}, {2, 1, 7}} {
		r, m, s := c[0], c[1], c[2]
		rng := rand.New(rand.NewPCG(7, uint64(r*m*s)))
		st := stage{radix: r, m: m, s: s}
		for range 2 * (r - 1) * m {
			st.twiddle = append(st.twiddle, rng.NormFloat64())
		}
		x := make([]float64, r*m*s*block)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		y, want := make([]float64, len(x)), make([]float64, len(x))
		st.apply(y, x)
		switch r {
		case 2:
			radix2Go(want, x, st.twiddle, m, s)
		case 3:
			radix3Go(want, x, st.twiddle, m, s)
		case 4:
			radix4Go(want, x, st.twiddle, m, s)
		}
		for i := range y {
			if y[i] != want[i] {
				t.Fatalf("radix %d m=%d s=%d: entry %d is %v, in Go %v", r, m, s, i, y[i], want[i])
			}
		}
	}
}

// TestConvolve: three fields in a box of a larger array against the double sum,
// with even, odd and general kernels, and with the same bits for two workers.
func TestConvolve(t *testing.T) {
	sizes := [][2]int{{1, 1}, {2, 5}, {7, 3}, {8, 8}, {17, 13}, {33, 20}, {130, 140}, {216, 1}, {1, 9}, {1, 100}}
	for n := 2; n <= 200; n += 3 { // transforms of every length with few factors
		sizes = append(sizes, [2]int{n, 1})
	}
	for _, size := range sizes {
		c := struct{ nx, ny int }{size[0], size[1]}
		mx, my := Smooth(2*c.nx), Smooth(2*c.ny)
		switch {
		case c.ny == 1:
			mx, my = SmoothLine(2*c.nx), 1
		case c.nx == 1:
			mx, my = 1, SmoothLine(2*c.ny)
		}
		g, err := NewGrid(mx, my)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(2, uint64(c.nx)))
		var kernels [3][]float64
		for p := range kernels {
			k := make([]float64, mx*my)
			for y := range my {
				for x := range mx {
					v, o := rng.NormFloat64(), (mx-x)%mx+(my-y)%my*mx
					k[x+mx*y] = v
					switch Parity(p) {
					case Even:
						k[o] = v
					case Odd:
						k[o] = -v
						if o == x+mx*y {
							k[o] = 0
						}
					}
				}
			}
			kernels[p] = k
		}
		even, odd, any := g.Spectrum(kernels[0], Even), g.Spectrum(kernels[1], Odd), g.Spectrum(kernels[2], Neither)
		index := [][]int{{0, 1, -1}, {2, 0, 1}, {-1, -1, 2}}
		spectra := []*Spectrum{even, odd, any}
		mat := make(Matrix, 3)
		for i := range mat {
			for _, k := range index[i] {
				if k < 0 {
					mat[i] = append(mat[i], nil)
				} else {
					mat[i] = append(mat[i], spectra[k])
				}
			}
		}
		at := Box{Origin: 3, Stride: c.nx + 4, NX: c.nx, NY: c.ny}
		src, dst := make([][]float64, 3), make([][]float64, 3)
		for i := range src {
			src[i], dst[i] = make([]float64, (c.nx+4)*(c.ny+1)), make([]float64, (c.nx+4)*(c.ny+1))
			for k := range src[i] {
				src[i][k] = rng.NormFloat64()
			}
		}
		f := g.NewFields(3, 1)
		f.Convolve(dst, src, mat, at)
		for i := range 3 {
			for _, probe := range [][2]int{{0, 0}, {c.nx - 1, c.ny - 1}, {c.nx / 2, c.ny / 3}} {
				sum, size := 0.0, 0.0
				for j, k := range index[i] {
					for y := 0; k >= 0 && y < c.ny; y++ {
						for x := range c.nx {
							v := kernels[k][(probe[0]-x+mx)%mx+(probe[1]-y+my)%my*mx] * src[j][at.Origin+x+y*at.Stride]
							sum += v
							size += v * v
						}
					}
				}
				got := dst[i][at.Origin+probe[0]+probe[1]*at.Stride]
				if math.Abs(got-sum) > 1e-14*math.Sqrt(size)*10 { // rounding of the transform
					t.Errorf("%d×%d field %d at %v: %v, want %v", c.nx, c.ny, i, probe, got, sum)
				}
			}
		}
		again := [][]float64{make([]float64, len(dst[0])), make([]float64, len(dst[0])), make([]float64, len(dst[0]))}
		g.NewFields(3, 3).Convolve(again, src, mat, at)
		for i := range again {
			for y := range c.ny {
				for x := range c.nx {
					if k := at.Origin + x + y*at.Stride; again[i][k] != dst[i][k] {
						t.Fatalf("%d×%d: other bits with three workers", c.nx, c.ny)
					}
				}
			}
		}
	}
}

func BenchmarkConvolve(b *testing.B) {
	for _, n := range []int{19, 45, 91, 181, 512} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			m := Smooth(2*n - 1)
			g, _ := NewGrid(m, m)
			s := g.Spectrum(make([]float64, m*m), Even)
			f := g.NewFields(1, 1)
			v := [][]float64{make([]float64, n*n)}
			b.ReportAllocs()
			for b.Loop() {
				f.Convolve(v, v, Matrix{{s}}, Box{Stride: n, NX: n, NY: n})
			}
		})
	}
}
