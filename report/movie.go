//go:build !js

package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// FormatError is a name of a film whose ending says nothing, or something that cannot be
// made.
type FormatError struct{ Name, Want string }

func (e *FormatError) Error() string {
	return fmt.Sprintf("a film is made as %s, found the name %q", e.Want, e.Name)
}

// WriteFilm draws what the page animates into a file, of the kind that the ending of its
// name says: .svg; .gif, with 256 colours; .mp4, by the program ffmpeg where that is; .glb, what moves
// without a view, to be turned in programs for scenes; and
// of a strip, which does not move, .svg or .png. Nothing has the final name before it is
// whole.
func (s *Scene) WriteFilm(ctx context.Context, name, title string, o FilmOptions) error {
	make, err := s.maker(name, title, o)
	if err != nil {
		return err
	}
	return table.WriteAtomic(name, func(w io.Writer) error { return guarded(func() error { return make(ctx, w) }) })
}

// CheckFilm returns the error that [Scene.WriteFilm] would have for the name of a file.
func CheckFilm(name string, o FilmOptions) error {
	_, err := (*Scene)(nil).maker(name, "", o)
	return err
}

func (s *Scene) maker(name, title string, o FilmOptions) (func(ctx context.Context, w io.Writer) error, error) {
	ending := strings.ToLower(filepath.Ext(name))
	switch {
	case ending == ".svg":
		return func(_ context.Context, w io.Writer) error {
			text, err := s.Film(title, o)
			if err == nil {
				_, err = w.Write(text)
			}
			return err
		}, nil
	case ending == ".png" && o.Strip:
		return func(ctx context.Context, w io.Writer) error { return s.strip(ctx, w, o) }, nil
	case o.Strip:
		return nil, &FormatError{name, ".svg or .png, for a strip does not move"}
	case ending == ".gif":
		return func(ctx context.Context, w io.Writer) error { return s.gif(ctx, w, o) }, nil
	case ending == ".glb":
		return func(ctx context.Context, w io.Writer) error { return s.glb(ctx, w, o) }, nil
	case ending == ".mp4":
		program, err := exec.LookPath("ffmpeg")
		if err != nil {
			return nil, &FormatError{name, ".svg or .gif; .mp4 needs the program ffmpeg, which is not found"}
		}
		return func(ctx context.Context, w io.Writer) error { return s.mp4(ctx, w, program, o) }, nil
	}
	return nil, &FormatError{name, ".svg, .gif, .mp4 or .glb"}
}

// images calls visit for the frames of a film, as pictures; for every n-th and the last one.
// What stands still is drawn once.
func (s *Scene) images(ctx context.Context, o FilmOptions, every int, visit func(i int, m *image.RGBA) error) error {
	f, frames, err := s.filmed(o)
	if err != nil {
		return err
	}
	var still *image.RGBA
	for i, k := range frames {
		if i%every > 0 && i != len(frames)-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p := newImagePen(math.Round(f.w), math.Round(f.h))
		f.pen = p
		if still == nil {
			f.obstacles()
			still = &image.RGBA{Pix: slices.Clone(p.image().Pix), Stride: p.image().Stride, Rect: p.image().Rect}
		} else {
			copy(p.image().Pix, still.Pix)
		}
		f.frame(k)
		if err := visit(i, p.image()); err != nil {
			return err
		}
	}
	return nil
}

// strip draws all frames beside each other.
func (s *Scene) strip(ctx context.Context, w io.Writer, o FilmOptions) error {
	var all *image.RGBA
	err := s.images(ctx, o, 1, func(i int, m *image.RGBA) error {
		b := m.Bounds()
		if all == nil {
			all = image.NewRGBA(image.Rect(0, 0, b.Dx()*o.Frames, b.Dy()))
		}
		draw.Draw(all, image.Rect(i*b.Dx(), 0, (i+1)*b.Dx(), b.Dy()), m, b.Min, draw.Src)
		return nil
	})
	if err != nil {
		return err
	}
	return png.Encode(w, all)
}

// gif writes a film that begins again for ever.
func (s *Scene) gif(ctx context.Context, w io.Writer, o FilmOptions) error {
	var ink inkCount
	const looks = 8 // frames that the colours are chosen from; drawing them all takes as long as the film
	if err := s.images(ctx, o, max(1, o.Frames/looks), func(_ int, m *image.RGBA) error { ink.add(m); return nil }); err != nil {
		return err
	}
	colours := ink.palette()
	const hundredths = 100 // of a second: the clock of the format
	pause := max(2, int(math.Round(hundredths*o.seconds()/float64(o.Frames))))
	film := gif.GIF{}
	err := s.images(ctx, o, 1, func(_ int, m *image.RGBA) error {
		frame := image.NewPaletted(m.Bounds(), colours.list)
		for i := range frame.Pix { // both without room between rows
			frame.Pix[i] = colours.nearest(binOf(m.Pix[4*i:]))
		}
		film.Image, film.Delay = append(film.Image, frame), append(film.Delay, pause)
		return nil
	})
	if err != nil {
		return err
	}
	return gif.EncodeAll(w, &film)
}

// inkCount counts the colours of pictures, of 5 bits a channel.
type inkCount [1 << 15]int

// binOf returns the number of the colour of a pixel, red, green and blue.
func binOf(pixel []byte) int {
	return int(pixel[0]>>3)<<10 | int(pixel[1]>>3)<<5 | int(pixel[2]>>3)
}

func (n *inkCount) add(m *image.RGBA) {
	for i := 0; i < len(m.Pix); i += 4 {
		n[binOf(m.Pix[i:])]++
	}
}

// filmInks are the colours of a film.
type filmInks struct {
	list   color.Palette
	bins   []int           // of the list
	number [1 << 15]uint16 // 1 + that of the nearest one, by bin; 0: nobody asked yet
}

// palette returns the 256 colours that occur most.
func (n *inkCount) palette() *filmInks {
	var bins []int
	for b, count := range n {
		if count > 0 {
			bins = append(bins, b)
		}
	}
	slices.SortStableFunc(bins, func(a, b int) int { return cmp.Compare(n[b], n[a]) })
	c := &filmInks{bins: bins[:min(len(bins), 256)]}
	for _, b := range c.bins {
		x := channels(b)
		// The whole range, so that white stays white.
		c.list = append(c.list, color.RGBA{uint8((x[0]*255 + 15) / 31), uint8((x[1]*255 + 15) / 31), uint8((x[2]*255 + 15) / 31), 255})
	}
	return c
}

// channels are red, green and blue of a bin.
func channels(b int) [3]int { return [3]int{b >> 10 & 31, b >> 5 & 31, b & 31} }

// nearest returns the colour of the list that is nearest to a bin.
func (c *filmInks) nearest(b int) uint8 {
	if k := c.number[b]; k > 0 {
		return uint8(k - 1)
	}
	x, nearest := channels(b), math.MaxInt
	for i, k := range c.bins {
		y, d := channels(k), 0
		for a := range x {
			d += (x[a] - y[a]) * (x[a] - y[a])
		}
		if d < nearest {
			nearest, c.number[b] = d, uint16(i+1)
		}
	}
	return uint8(c.number[b] - 1)
}

// mp4 lets ffmpeg make the film, of frames as PNG.
func (s *Scene) mp4(ctx context.Context, w io.Writer, program string, o FilmOptions) error {
	dir, remove, err := table.Scratch("quasistatic-film")
	if err != nil {
		return err
	}
	defer remove()
	name := filepath.Join(dir, "film.mp4")
	rate := strconv.FormatFloat(float64(o.Frames)/o.seconds(), 'f', 4, 64)
	cmd := exec.CommandContext(ctx, program, "-loglevel", "error", "-y", "-f", "image2pipe", "-c:v", "png", "-framerate", rate, "-i", "-",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", name)
	var messages strings.Builder
	cmd.Stderr = &messages
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	err = s.images(ctx, o, 1, func(_ int, m *image.RGBA) error { return png.Encode(in, m) })
	err = errors.Join(err, in.Close(), cmd.Wait())
	if err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, strings.TrimSpace(messages.String()))
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	_, err = io.Copy(w, f)
	return err
}
