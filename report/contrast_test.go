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
