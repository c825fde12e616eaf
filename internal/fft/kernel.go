package fft

// Products are rounded before they are added, so that all processors give the same
// bits: float64(a*b) forbids fused multiply-adds.

func radix2Go(y, x, tw []float64, m, s int) {
	half := m * s * block
	for p := range m {
		c1, s1 := tw[2*p], tw[2*p+1]
		for q := range s {
			i, o := (q+s*p)*block, (q+2*s*p)*block
			a, b := (*[block]float64)(x[i:]), (*[block]float64)(x[i+half:])
			u, v := (*[block]float64)(y[o:]), (*[block]float64)(y[o+s*block:])
			for l := range lanes {
				dr, di := a[l]-b[l], a[l+lanes]-b[l+lanes]
				u[l], u[l+lanes] = a[l]+b[l], a[l+lanes]+b[l+lanes]
				v[l], v[l+lanes] = times(c1, s1, dr, di)
			}
		}
	}
}

func radix4Go(y, x, tw []float64, m, s int) {
	quarter := m * s * block
	for p := range m {
		c := (*[6]float64)(tw[6*p:])
		for q := range s {
			i, o := (q+s*p)*block, (q+4*s*p)*block
			a0, a1 := (*[block]float64)(x[i:]), (*[block]float64)(x[i+quarter:])
			a2, a3 := (*[block]float64)(x[i+2*quarter:]), (*[block]float64)(x[i+3*quarter:])
			b0, b1 := (*[block]float64)(y[o:]), (*[block]float64)(y[o+s*block:])
			b2, b3 := (*[block]float64)(y[o+2*s*block:]), (*[block]float64)(y[o+3*s*block:])
			for l := range lanes {
				h := l + lanes
				er, ei, fr, fi := a0[l]+a2[l], a0[h]+a2[h], a0[l]-a2[l], a0[h]-a2[h]
				gr, gi, hr, hi := a1[l]+a3[l], a1[h]+a3[h], a1[l]-a3[l], a1[h]-a3[h]
				b0[l], b0[h] = er+gr, ei+gi
				b1[l], b1[h] = times(c[0], c[1], fr+hi, fi-hr)
				b2[l], b2[h] = times(c[2], c[3], er-gr, ei-gi)
				b3[l], b3[h] = times(c[4], c[5], fr-hi, fi+hr)
			}
		}
	}
}

const (
	cosThird = -0.5
	sinThird = 0.8660254037844386467637231707529362 // √3/2
)

func radix3Go(y, x, tw []float64, m, s int) {
	third := m * s * block
	for p := range m {
		c := (*[4]float64)(tw[4*p:])
		for q := range s {
			i, o := (q+s*p)*block, (q+3*s*p)*block
			a0, a1, a2 := (*[block]float64)(x[i:]), (*[block]float64)(x[i+third:]), (*[block]float64)(x[i+2*third:])
			b0, b1, b2 := (*[block]float64)(y[o:]), (*[block]float64)(y[o+s*block:]), (*[block]float64)(y[o+2*s*block:])
			for l := range lanes {
				h := l + lanes
				er, ei, fr, fi := a1[l]+a2[l], a1[h]+a2[h], a1[l]-a2[l], a1[h]-a2[h]
				b0[l], b0[h] = a0[l]+er, a0[h]+ei
				gr, gi := a0[l]+float64(cosThird*er), a0[h]+float64(cosThird*ei)
				hr, hi := float64(sinThird*fr), float64(sinThird*fi)
				b1[l], b1[h] = times(c[0], c[1], gr+hi, gi-hr)
				b2[l], b2[h] = times(c[2], c[3], gr-hi, gi+hr)
			}
		}
	}
}

// times is the complex product (c + is)(re + i im).
func times(c, s, re, im float64) (float64, float64) {
	return float64(c*re) - float64(s*im), float64(c*im) + float64(s*re)
}
