package report

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"slices"
)

// indexed returns a picture with the 256 colours that most of its pixels have; those of the
// others, the rims of lines and letters, become the nearest of these. It is packed in a fifth
// of the time that its pixels take as they are: a byte for four, and a row as it stands for
// one out of five predictions. A picture of more than mostColours, which no figure is, comes
// back as it is. Its pixels are opaque, on the white of [newPNG].
func indexed(pixels *image.RGBA) image.Image {
	h := new(histogram)
	runs := make([]run, 0, len(pixels.Pix)/64)
	for p := pixels.Pix; len(p) > 0; {
		colour, n := firstRun(p)
		slot, ok := h.add(colour, n)
		if !ok {
			return pixels
		}
		runs = append(runs, run{slot, n})
		p = p[4*n:]
	}
	out := image.NewPaletted(pixels.Bounds(), h.settle())
	for rest, i := out.Pix, 0; i < len(runs); i++ {
		if at := h.place[runs[i].slot]; at != 0 { // the rest is 0
			for k := range rest[:runs[i].pixels] {
				rest[k] = at
			}
		}
		rest = rest[runs[i].pixels:]
	}
	return out
}

// run is pixels in a row of one colour, which has a slot of the histogram.
type run struct{ slot, pixels int }

// firstRun returns the colour of the first pixel and how many follow each other with it.
func firstRun(p []byte) (colour uint32, n int) {
	colour = binary.LittleEndian.Uint32(p)
	for two := uint64(colour)<<32 | uint64(colour); len(p) >= 8 && binary.LittleEndian.Uint64(p) == two; p = p[8:] {
		n += 2
	}
	if len(p) >= 4 && binary.LittleEndian.Uint32(p) == colour {
		n++
	}
	return colour, n
}

const (
	slots       = 1 << 14
	mostColours = slots / 2
)

// histogram counts the pixels of each colour: a table with free slots, found by a product.
type histogram struct {
	colour, count [slots]uint32 // count 0: the slot is free
	place         [slots]uint8  // of the colour in the palette
	used          int
}

// add counts pixels of a colour and returns its slot; false: there are too many colours.
func (h *histogram) add(colour uint32, pixels int) (slot int, ok bool) {
	const golden = 0x9E3779B1 // 2³² over the golden ratio: neighbours are spread
	slot = int(colour * golden >> 18)
	for h.count[slot] > 0 && h.colour[slot] != colour {
		slot = (slot + 1) % slots
	}
	if h.count[slot] == 0 {
		if h.used == mostColours {
			return 0, false
		}
		h.used++
		h.colour[slot] = colour
	}
	h.count[slot] += uint32(pixels)
	return slot, true
}

// settle chooses the palette, the most frequent colour first, and gives all a place in it.
func (h *histogram) settle() color.Palette {
	order := make([]int, 0, h.used)
	for slot, n := range &h.count {
		if n > 0 {
			order = append(order, slot)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(h.count[b], h.count[a]), cmp.Compare(h.colour[a], h.colour[b]))
	})
	chosen := min(len(order), 256)
	h.spread(order, chosen)
	var palette color.Palette
	var known [256][3]int32
	for i, slot := range order[:chosen] {
		known[i] = rgb(h.colour[slot])
		palette = append(palette, color.RGBA{uint8(known[i][0]), uint8(known[i][1]), uint8(known[i][2]), 255})
		h.place[slot] = uint8(i)
	}
	for _, slot := range order[chosen:] { // then all 256 are chosen
		h.place[slot] = nearestOf(&known, rgb(h.colour[slot]))
	}
	return palette
}

// spread gives the last eighth of the places in front of a list of colours to those that are farthest from all others
// before them, one after the other: a thin line in a colour of its own keeps it, however few pixels it has. The first
// colours are those of most pixels.
func (h *histogram) spread(order []int, places int) {
	if len(order) == places {
		return
	}
	far := make([]int32, len(order)) // least squares of the colours from those chosen
	for i := range far {
		far[i] = math.MaxInt32
	}
	for k := range places {
		if k >= places-places/8 {
			best := k
			for i := k + 1; i < len(order); i++ {
				if far[i] > far[best] {
					best = i
				}
			}
			order[k], order[best], far[best] = order[best], order[k], far[k]
		}
		for i, c := k+1, rgb(h.colour[order[k]]); i < len(order); i++ {
			far[i] = min(far[i], squaresOf(c, rgb(h.colour[order[i]])))
		}
	}
}

// squaresOf is that of the distance of two colours.
func squaresOf(a, b [3]int32) int32 {
	r, g, w := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return r*r + g*g + w*w
}

// rgb is red, green and blue of a pixel.
func rgb(pixel uint32) [3]int32 {
	return [3]int32{int32(pixel & 255), int32(pixel >> 8 & 255), int32(pixel >> 16 & 255)}
}

// nearestOf returns which of the colours has the least squares from c.
func nearestOf(known *[256][3]int32, c [3]int32) uint8 {
	best, least := 0, int32(math.MaxInt32)
	for i := range known {
		if d := squaresOf(known[i], c); d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}
