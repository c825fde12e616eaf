package halfspace

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestScene: the animation shows the pressure of all tiles at all times, tiles cover the window
// once, and a strip that stands for plane strain is cut to the shape of the window.
func TestScene(t *testing.T) {
	for _, c := range []struct {
		elements, size string
		area           float64 // of the window that is shown
	}{
		{"[12, 8]", "[3, 2]", 6},
		{"[71, 67]", "[3, 2]", 6},        // every second element
		{"[12, 1]", "[3, 200]", 3 * 0.3}, // a tenth of its length wide
		{"[1, 9]", "[50, 2]", 2 * 0.2},
	} {
		text := strings.Replace(strings.Replace(pressed, "[12, 8]", c.elements, 1), "[3, 2]", c.size, 1)
		k := prepared(t, text)
		g := k.Operator.Grid()
		r := newReader(nil, k)
		row := make([]float64, len(parts)*g.Len())
		for step := range 3 {
			for e := range g.Len() {
				row[len(parts)*e] = float64(step * (e + 1)) // pressure
			}
			r.keep(float64(step), row)
		}
		s := r.scene()
		shade, err := base64.StdEncoding.DecodeString(s.Shade)
		if err != nil || len(shade) != 3*len(s.Polygons) || len(s.Polygons) != s.Contacts || s.Contacts > mostPoints {
			t.Fatalf("%s: %d shades of %d tiles, %d elements, %v", c.elements, len(shade), len(s.Polygons), s.Contacts, err)
		}
		m := r.mosaic()
		area, most := 0.0, m.elements[len(m.elements)-1]+1
		for i, p := range s.Polygons {
			corner := func(k int) [2]float64 { return m.corners[p[k]-len(m.elements)] }
			area += (corner(1)[0] - corner(0)[0]) * (corner(2)[1] - corner(1)[1])
			x, y := g.At(m.elements[i])
			if x < corner(0)[0] || x > corner(1)[0] || y < corner(1)[1] || y > corner(2)[1] {
				t.Errorf("%s: element %d at (%g, %g) is outside its tile", c.elements, m.elements[i], x, y)
			}
			for step := range 3 { // linear in pressure, the largest of all times dark
				want := math.Round(255 * float64(step*(m.elements[i]+1)) / float64(2*most))
				if got := shade[step*len(s.Polygons)+i]; float64(got) != want {
					t.Fatalf("%s: shade %d of tile %d at time %d, want %g", c.elements, got, i, step, want)
				}
			}
		}
		if math.Abs(area-c.area) > 1e-12*c.area { // rounding of sums
			t.Errorf("%s: tiles cover %g m², want %g", c.elements, area, c.area)
		}
		if want := fmt.Sprintf("up to %.4g Pa", float64(2*most)); !strings.Contains(s.ShadeLabel, want) {
			t.Errorf("%s: %q lacks %q", c.elements, s.ShadeLabel, want)
		}
	}
}
