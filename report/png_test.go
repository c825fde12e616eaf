package report

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestPNG: the pixels are those of the canvas, by another decoder.
func TestPNG(t *testing.T) {
	c := newPNG(5*vg.Centimeter, 3*vg.Centimeter, 110)
	for i := range 40 {
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
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	read, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	drawn := c.Image()
	if read.Bounds() != drawn.Bounds() {
		t.Fatalf("size %v, want %v", read.Bounds(), drawn.Bounds())
	}
	for y := range drawn.Bounds().Dy() {
		for x := range drawn.Bounds().Dx() {
			if color.RGBAModel.Convert(read.At(x, y)) != color.RGBAModel.Convert(drawn.At(x, y)) {
				t.Fatalf("pixel (%d, %d) is %v, want %v", x, y, read.At(x, y), drawn.At(x, y))
			}
		}
	}
}
