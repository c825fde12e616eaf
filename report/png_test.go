package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestPNG: what another decoder reads has the colours of the canvas, those of most pixels
// as they are and any other as the nearest of them.
func TestPNG(t *testing.T) {
	for name, lines := range map[string]int{"a line": 1, "many": 40} {
		c := newPNG(5*vg.Centimeter, 3*vg.Centimeter, 110)
		for i := range lines {
			c.SetColor(color.RGBA{uint8(37 * i), uint8(91 * i), uint8(3 * i), 255})
			x := vg.Length(i) * vg.Millimeter
			var p vg.Path
			p.Move(vg.Point{X: x, Y: x / 3})
			p.Line(vg.Point{X: 3 * vg.Centimeter, Y: x})
			p.Line(vg.Point{X: x, Y: 2 * vg.Centimeter})
			p.Close()
			c.Fill(p)
		}
		var b bytes.Buffer
		n, err := c.WriteTo(&b)
		if err != nil || n != int64(b.Len()) {
			t.Fatalf("%s: %d bytes of %d, %v", name, b.Len(), n, err)
		}
		read, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		comparePixels(t, name, c.Image(), read)
	}
}

// comparePixels compares a drawn picture with its indexed one.
func comparePixels(t *testing.T, name string, drawn, read image.Image) {
	t.Helper()
	if read.Bounds() != drawn.Bounds() {
		t.Fatalf("%s: size %v, want %v", name, read.Bounds(), drawn.Bounds())
	}
	palette := read.ColorModel().(color.Palette)
	pixels := map[color.Color]int{}
	for y := range drawn.Bounds().Dy() {
		for x := range drawn.Bounds().Dx() {
			pixels[drawn.At(x, y)]++
		}
	}
	if want := min(len(pixels), 256); len(palette) != want {
		t.Fatalf("%s: %d colours, want %d", name, len(palette), want)
	}
	var counts []int // pixels of the colours of the palette, of which seven eighths are those of most
	for _, c := range palette {
		counts = append(counts, pixels[c])
	}
	slices.Sort(counts)
	least := counts[len(counts)/8]
	for y := range drawn.Bounds().Dy() {
		for x := range drawn.Bounds().Dx() {
			c := drawn.At(x, y)
			nearest := palette.Convert(c) // of squares too, and itself where it is in the palette
			if read.At(x, y) != nearest && squares(read.At(x, y), c) > squares(nearest, c) {
				t.Fatalf("%s: pixel (%d, %d) is %v, want %v for %v", name, x, y, read.At(x, y), nearest, c)
			}
			if nearest != c && pixels[c] > least {
				t.Fatalf("%s: %v has %d pixels and is not in the palette, another one has %d", name, c, pixels[c], least)
			}
		}
	}
}

func squares(a, b color.Color) (sum int) {
	p, q := a.(color.RGBA), b.(color.RGBA)
	for _, d := range [][2]uint8{{p.R, q.R}, {p.G, q.G}, {p.B, q.B}} {
		sum += (int(d[0]) - int(d[1])) * (int(d[0]) - int(d[1]))
	}
	return sum
}

// TestManyColours: what has too many colours for a palette stays as it is.
func TestManyColours(t *testing.T) {
	for _, n := range []int{mostColours, mostColours + 1} {
		p := image.NewRGBA(image.Rect(0, 0, n, 1))
		for i := range n {
			p.SetRGBA(i, 0, color.RGBA{uint8(i), uint8(i >> 8), 0, 255})
		}
		if stays, want := indexed(p) == image.Image(p), n > mostColours; stays != want {
			t.Errorf("%d colours: stays is %v, want %v", n, stays, want)
		}
	}
}

// TestThinInk: of more colours than a palette has, one of few pixels that no other is near keeps its own.
func TestThinInk(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		m.Set(i%64, i/64, color.RGBA{uint8(i / 8), uint8(i / 8), uint8(200 + i%8), 255}) // 512 blues and greys
	}
	green := color.RGBA{44, 160, 44, 255}
	m.Set(5, 5, green)
	if got := indexed(m).At(5, 5); got != color.Color(green) {
		t.Errorf("the green point is %v, want %v", got, green)
	}
}
