package report

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/draw"
	"io"

	"github.com/klauspost/compress/zlib"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas is a canvas of pixels that is written as PNG.
type pngCanvas struct{ *vgimg.Canvas }

// newPNG makes a canvas with so many dots an inch.
func newPNG(width, height vg.Length, dpi int) pngCanvas {
	return pngCanvas{vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
}

var _ io.WriterTo = pngCanvas{}

// WriteTo writes an opaque PNG of 8 bits a colour: each row as the difference to the one above
// (filter 2 of the PNG specification), lightly compressed. Drawings are mostly equal from row to
// row; a choice of the filter by row and a thorough compression, as in image/png, take five times
// as long for a file a third smaller.
func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	pixels, ok := c.Image().(*image.RGBA)
	if !ok {
		pixels = image.NewRGBA(c.Image().Bounds())
		draw.Draw(pixels, pixels.Rect, c.Image(), c.Image().Bounds().Min, draw.Src)
	}
	n := counter{w: w}
	b := bufio.NewWriterSize(&n, 1<<16)
	_, _ = b.WriteString("\x89PNG\r\n\x1a\n") // b keeps the error
	size := pixels.Rect.Size()
	head := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Y))
	chunk(b, "IHDR", append(head, 8, 2, 0, 0, 0)) // bits, RGB, deflate, adaptive filters, not interlaced
	data := chunks{b}
	body := bufio.NewWriterSize(data, 1<<16)
	z, err := zlib.NewWriterLevel(body, zlib.BestSpeed)
	if err != nil {
		return 0, err
	}
	row, above := make([]byte, 1+3*size.X), make([]byte, 3*size.X)
	row[0] = 2
	for y := range size.Y {
		line := pixels.Pix[y*pixels.Stride:][:4*size.X]
		for i, k := 1, 0; k < len(line); i, k = i+3, k+4 {
			r, g, b := line[k], line[k+1], line[k+2]
			row[i], row[i+1], row[i+2] = r-above[i-1], g-above[i], b-above[i+1]
			above[i-1], above[i], above[i+1] = r, g, b
		}
		if _, err := z.Write(row); err != nil {
			return n.bytes, err
		}
	}
	if err := z.Close(); err != nil {
		return n.bytes, err
	}
	if err := body.Flush(); err != nil {
		return n.bytes, err
	}
	chunk(b, "IEND", nil)
	return n.bytes, b.Flush()
}

// chunks writes the compressed pixels, a chunk each time.
type chunks struct{ w *bufio.Writer }

func (c chunks) Write(p []byte) (int, error) {
	chunk(c.w, "IDAT", p)
	return len(p), nil
}

// chunk writes one: length, name, content, and the sum of the last two. The writer keeps errors.
func chunk(w *bufio.Writer, name string, content []byte) {
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, content)
	_, _ = w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(content))))
	_, _ = w.WriteString(name)
	_, _ = w.Write(content)
	_, _ = w.Write(binary.BigEndian.AppendUint32(nil, sum))
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
