//go:build !js

package report

import (
	"image"
	"image/png"
	"io"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas is a canvas of pixels that is written as PNG, packed for speed, in 256 colours.
type pngCanvas struct{ *vgimg.Canvas }

// newPNG makes a white canvas with so many dots an inch.
func newPNG(width, height vg.Length, dpi int) pngCanvas {
	dots := func(l vg.Length) int { return int(l/vg.Inch*vg.Length(dpi) + 0.5) }
	pixels := image.NewRGBA(image.Rect(0, 0, dots(width), dots(height)))
	pen := gg.NewContextForRGBA(pixels) // vgimg by itself makes a copy of the pixels
	pen.SetLineCapButt()
	pen.InvertY()
	return pngCanvas{vgimg.NewWith(vgimg.UseDPI(dpi), vgimg.UseImageWithContext(pixels, pen))}
}

var _ io.WriterTo = pngCanvas{}

// WriteTo writes the picture.
func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	n := counter{w: w}
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&n, indexed(c.Image().(*image.RGBA)))
	return n.bytes, err
}

// counter counts what goes through it.
type counter struct {
	w     io.Writer
	bytes int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += int64(n)
	return n, err
}
