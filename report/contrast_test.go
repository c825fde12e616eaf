package report

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

// luminance is the relative luminance of #rrggbb or #rgb, as WCAG 2.2 defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	h := colour[1:]
	if len(h) == 3 {
		h = h[:1] + h[:1] + h[1:2] + h[1:2] + h[2:] + h[2:]
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(h[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		x := float64(v) / 255
		if x <= 0.04045 {
			x /= 12.92
		} else {
			x = math.Pow((x+0.055)/1.055, 2.4)
		}
		sum += weight * x
	}
	return sum
}

// lab returns CIELAB coordinates of #rrggbb as an eye sees it: linear RGB after a matrix, that of
// Viénot, Brettel and Mollon (1999) for eyes without one of the cones.
func lab(t *testing.T, colour string, m [3][3]float64) [3]float64 {
	t.Helper()
	var c, x [3]float64
	for i := range c {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if c[i] = float64(v) / 255; c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	for i, white := range [3]float64{0.95047, 1, 1.08883} {
		for k, w := range [3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}[i] {
			x[i] += w * (m[k][0]*c[0] + m[k][1]*c[1] + m[k][2]*c[2]) / white
		}
		if x[i] = max(x[i], 0); x[i] > 0.008856 {
			x[i] = math.Cbrt(x[i])
		} else {
			x[i] = 7.787*x[i] + 16.0/116
		}
	}
	return [3]float64{116*x[1] - 16, 500 * (x[0] - x[1]), 200 * (x[1] - x[2])}
}

// TestColoursApart: the colours of curves are told apart, ΔE ≥ 15, by eyes with all cones, without
// that for green and without that for red.
func TestColoursApart(t *testing.T) {
	eyes := map[string][3][3]float64{"all": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"no green": {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
		"no red":   {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.004, -0.004, 1}}}
	for i, root := range regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(pageCSS, -1) {
		var colours []string
		for _, m := range regexp.MustCompile(`--c\d:(#[0-9a-f]{6})`).FindAllStringSubmatch(root[1], -1) {
			colours = append(colours, m[1])
		}
		for eye, m := range eyes {
			for a := range colours {
				for b := range a {
					x, y := lab(t, colours[a], m), lab(t, colours[b], m)
					if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < 15 {
						t.Errorf("%s: to an eye with %s cones %s and %s differ by %.1f", []string{"light", "dark"}[i],
							eye, colours[a], colours[b], d)
					}
				}
			}
		}
	}
}

// TestContrast: text is readable on all that it stands on, light and dark, and symbols
// can be seen: the ratios 4.5 and 3 of WCAG 2.2, 1.4.3 and 1.4.11.
func TestContrast(t *testing.T) {
	roots := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(pageCSS, -1)
	if len(roots) != 2 {
		t.Fatalf("%d sets of colours, want light and dark", len(roots))
	}
	for i, scheme := range []string{"light", "dark"} {
		colour := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z0-9]+):(#[0-9a-f]+)`).FindAllStringSubmatch(roots[i][1], -1) {
			colour[m[1]] = m[2]
		}
		check := func(least float64, fronts, backs []string) {
			for _, f := range fronts {
				for _, b := range backs {
					if colour[f] == "" || colour[b] == "" {
						t.Fatalf("%s: no colour %s or %s", scheme, f, b)
					}
					x, y := luminance(t, colour[f]), luminance(t, colour[b])
					if ratio := (max(x, y) + 0.05) / (min(x, y) + 0.05); ratio < least {
						t.Errorf("%s: %s on %s has the contrast %.2f, want %g", scheme, f, b, ratio, least)
					}
				}
			}
		}
		check(4.5, []string{"ink"}, []string{"paper", "card", "good", "poor", "open", "band"})
		check(4.5, []string{"faint", "met", "missed"}, []string{"paper", "card"})
		check(4.5, []string{"paper"}, []string{"c1"}) // the button Play, and links the other way round
		check(3, []string{"c1", "c2", "c3", "c4", "c5", "c6", "stress"}, []string{"paper", "card"})
	}
}
