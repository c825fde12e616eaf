package fem

import (
	"fmt"
	"math"
	"slices"
)

// Form says what the coordinates of a [Box] are.
type Form int

// The forms.
const (
	// Block has Cartesian coordinates.
	Block Form = iota
	// Ring has the radius, the angle [rad] and, in space, the height. Its sides are inner, outer,
	// start and end (of angles, where it is not closed), bottom and top.
	Ring
	// Cylinder has the size radius and, in space, length, and in space a corner: its lowest height. Cells
	// are those along half of a quarter of its rim, those from its square core to the rim, and along
	// its axis. Its sides are outer, start and end (where it is not whole), bottom and top, or back
	// and front if it lies; where the bottom has a Radius, tip is that without the cells at the rim.
	Cylinder
)

var formNames = [...]string{Block: "block", Ring: "ring", Cylinder: "cylinder"}

// ParseForm is the inverse of String.
func ParseForm(name string) (Form, error) {
	if i := slices.Index(formNames[:], name); i >= 0 {
		return Form(i), nil
	}
	return 0, fmt.Errorf("fem: unknown form %q, want one of %q", name, formNames)
}

func (f Form) String() string {
	if f < 0 || int(f) >= len(formNames) {
		return fmt.Sprintf("Form(%d)", int(f))
	}
	return formNames[f]
}

// patch is a lattice of cells and its place in the body.
type patch struct {
	box    Box // of the coordinates of the form
	place  func(x [3]float64) [3]float64
	sides  []patchSide
	joined bool // nodes in one place are one
}

// patchSide is the lower or upper side of a patch along an axis, part of a named one.
type patchSide struct {
	name        string
	axis, upper int
}

// check compares the lengths and ranges of the fields.
func (b *Box) check() error {
	dim := len(b.Cells)
	corner, size, center := dim, dim, 0
	switch {
	case b.Form == Cylinder:
		corner, size, center = dim-2, dim-1, 2
	case b.Form == Ring:
		center = 2
	case b.Radius != 0:
		center = dim - 1
	}
	if dim < 1 || dim > 3 || b.Form != Block && dim < 2 || len(b.Corner) != corner || len(b.Size) != size {
		return fmt.Errorf("fem: %s with %d cell counts, %d corner coordinates and %d sizes", b.Form, dim,
			len(b.Corner), len(b.Size))
	}
	for c, n := range b.Cells {
		if n < 1 {
			return fmt.Errorf("fem: %s: axis %d has %d cells", b.Form, c, n)
		}
	}
	for c, l := range b.Size {
		if !(l > 0) {
			return fmt.Errorf("fem: %s: axis %d has the size %g", b.Form, c, l)
		}
	}
	if b.Center != nil && len(b.Center) != center {
		return fmt.Errorf("fem: %s: the center has %d coordinates, want %d", b.Form, len(b.Center), center)
	}
	return b.checkForm(dim)
}

// checkForm refuses what is out of range or has no effect.
func (b *Box) checkForm(dim int) error {
	if b.Grading != nil && len(b.Grading) != dim {
		return fmt.Errorf("fem: %s: %d ratios of grading for %d axes", b.Form, len(b.Grading), dim)
	}
	for c, q := range b.Grading {
		if !(q > 0) || math.IsInf(q, 0) {
			return fmt.Errorf("fem: %s: axis %d has the grading %g", b.Form, c, q)
		}
	}
	bottom := b.Form == Block && dim > 1 || b.Form == Cylinder && dim == 3 && !b.Lying
	switch {
	case b.Form == Ring && (!(b.Corner[0] > 0) || b.Size[1] > 2*math.Pi*(1+closure)):
		return &ParameterError{"size", fmt.Sprintf("ring: from the radius %g m over the angle %g rad, want a radius above 0 and "+
			"an angle of at most 2π = 6.283185307179586 rad", b.Corner[0], b.Size[1])}
	case b.Lying && (b.Form == Block || dim < 3):
		return fmt.Errorf("fem: %s of dimension %d: the axis along y is one of rings and cylinders in space", b.Form, dim)
	case b.Quarters != nil && b.Form != Cylinder:
		return fmt.Errorf("fem: %s: quarters are of a cylinder", b.Form)
	case b.Radius < 0 || b.Radius > 0 && !bottom:
		return fmt.Errorf("fem: %s of dimension %d: the radius %g of its bottom, want one above 0, "+
			"of a block or an upright cylinder", b.Form, dim, b.Radius)
	case b.Lean != 0 && (b.Form != Block || dim < 2 || !(math.Abs(b.Lean) < math.Pi/2)):
		return fmt.Errorf("fem: %s of dimension %d: its top leans by %g rad, want less than π/2, of a block",
			b.Form, dim, b.Lean)
	}
	for k, q := range b.Quarters {
		if q < 0 || q > 3 || len(b.Quarters) > 4 || k > 0 && q != (b.Quarters[k-1]+1)%4 {
			return fmt.Errorf("fem: cylinder: quarters %v, want numbers from 0 to 3, each next to the one before",
				b.Quarters)
		}
	}
	if b.Radius == 0 {
		return nil
	}
	for _, corner := range b.rim() {
		if r := math.Hypot(corner[0], corner[1]); r > b.Radius {
			return fmt.Errorf("fem: %s: its bottom reaches %g m from the lowest point of a sphere with the radius %g m",
				b.Form, r, b.Radius)
		}
	}
	return nil
}

// closure is the share of 2π by which a ring may miss it and be closed: some roundings of an angle
// that was computed.
const closure = 1e-12

// rim are the places of the bottom farthest from its lowest point.
func (b *Box) rim() [][2]float64 {
	if b.Form == Cylinder {
		return [][2]float64{{b.Size[0], 0}}
	}
	var list [][2]float64
	for k := range 1 << (len(b.Cells) - 1) {
		var x [2]float64
		for c := range len(b.Cells) - 1 {
			x[c] = b.Corner[c] + float64(k>>c&1)*b.Size[c] - b.center(c)
		}
		list = append(list, x)
	}
	return list
}

func (b *Box) center(c int) float64 {
	if c < len(b.Center) {
		return b.Center[c]
	}
	return 0
}

// sides names the groups of the boundary of a block: lower and upper side of each axis,
// the last axis pointing up.
var sides = [4][][2]string{
	1: {{"left", "right"}},
	2: {{"left", "right"}, {"bottom", "top"}},
	3: {{"left", "right"}, {"front", "back"}, {"bottom", "top"}},
}

// patches are the lattices of the form.
func (b *Box) patches() []patch {
	dim := len(b.Cells)
	switch b.Form {
	case Ring:
		return []patch{b.ring(dim)}
	case Cylinder:
		return b.cylinder(dim)
	}
	p := patch{box: *b, place: func(x [3]float64) [3]float64 { return x }}
	for c, names := range sides[dim] {
		p.sides = append(p.sides, patchSide{names[0], c, 0}, patchSide{names[1], c, 1})
	}
	return []patch{p}
}

// ends are the names of the lower and upper side along the axis of a ring or cylinder.
func (b *Box) ends(dim int) []patchSide {
	switch {
	case dim < 3:
		return nil
	case b.Lying:
		return []patchSide{{"back", 2, 0}, {"front", 2, 1}}
	}
	return []patchSide{{"bottom", 2, 0}, {"top", 2, 1}}
}

func (b *Box) ring(dim int) patch {
	p := patch{box: *b, sides: append([]patchSide{{"inner", 0, 0}, {"outer", 0, 1}}, b.ends(dim)...)}
	closed := b.Size[1] > 2*math.Pi*(1-closure)
	if p.joined = closed; !closed {
		p.sides = append(p.sides, patchSide{"start", 1, 0}, patchSide{"end", 1, 1})
	}
	p.place = func(x [3]float64) [3]float64 {
		if closed && x[1] >= b.Corner[1]+2*math.Pi*(1-closure) {
			x[1] = b.Corner[1]
		}
		return b.upright([3]float64{x[0] * math.Cos(x[1]), x[0] * math.Sin(x[1]), x[2]})
	}
	return p
}

// cylinder has three patches a quarter: half of the square core, and what is between its two sides and
// the rim, of which the second is the mirror image of the first one. Places that patches share come
// out equal to the last bit.
func (b *Box) cylinder(dim int) (list []patch) {
	quarters := b.Quarters
	if quarters == nil {
		quarters = []int{0, 1, 2, 3}
	}
	grade := func(axes ...int) (g []float64) {
		for _, c := range axes[:dim] {
			if b.Grading != nil {
				g = append(g, b.Grading[c])
			}
		}
		return g
	}
	for k, q := range quarters {
		add := func(around, outward int, mirrored bool, place func(u, v float64) (x, y float64), sides ...patchSide) {
			p := Box{Kind: b.Kind, Corner: []float64{0, 0}, Size: []float64{1, 1}}
			p.Cells, p.Grading = []int{b.Cells[around], b.Cells[outward]}, grade(around, outward, 2)
			if dim == 3 {
				p.Corner, p.Size = append(p.Corner, b.Corner[0]), append(p.Size, b.Size[1])
				p.Cells = append(p.Cells, b.Cells[2])
			}
			put := func(x [3]float64) [3]float64 {
				u, v := place(x[0], x[1])
				if mirrored {
					u, v = v, u
				}
				for range q {
					u, v = -v, u
				}
				return b.upright([3]float64{u, v, x[2]})
			}
			list = append(list, patch{box: p, joined: true, sides: append(sides, b.ends(dim)...), place: put})
		}
		var start, end []patchSide
		if first := k == 0 && len(quarters) < 4; first {
			start = []patchSide{{"start", 1, 0}}
		}
		if last := k == len(quarters)-1 && len(quarters) < 4; last {
			end = []patchSide{{"end", 0, 0}}
		}
		add(0, 0, false, func(u, v float64) (x, y float64) { return core * b.Size[0] * u, core * b.Size[0] * v },
			slices.Concat(start, end)...)
		add(1, 0, false, func(s, t float64) (x, y float64) { return b.outward(s, t) },
			append([]patchSide{{"outer", 0, 1}}, start...)...)
		add(0, 1, true, func(t, s float64) (x, y float64) { return b.outward(s, t) },
			append([]patchSide{{"outer", 1, 1}}, end...)...)
	}
	return list
}

// core is half the side of the square core over the radius: its corners are at .71 of it, where the
// angles of the three cells that meet, 90° and twice 135°, are those of a square and its halves.
const core = 0.5

// outward is the place at the share s of the way from the side x = core R of the square, at its share
// t, to the rim.
func (b *Box) outward(s, t float64) (x, y float64) {
	sin, cos := math.Sincos(math.Pi / 4 * t)
	if t == 1 {
		sin, cos = math.Sqrt(0.5), math.Sqrt(0.5)
	}
	x, y = core*b.Size[0], core*b.Size[0]*t
	if s == 1 {
		return b.Size[0] * cos, b.Size[0] * sin
	}
	return x + s*(b.Size[0]*cos-x), y + s*(b.Size[0]*sin-y)
}

// upright puts a place of a ring or cylinder where it belongs.
func (b *Box) upright(x [3]float64) [3]float64 {
	x[0], x[1] = x[0]+b.center(0), x[1]+b.center(1)
	if b.Lying { // a quarter turn about x, and back to the same heights
		low, long := b.Corner[len(b.Corner)-1], b.Size[len(b.Size)-1]
		x[1], x[2] = low+(low+long-x[2]), x[1]
	}
	return x
}

// bend puts a place of a flat body where radius and lean have it.
func (b *Box) bend(x [3]float64) [3]float64 {
	if b.Radius == 0 && b.Lean == 0 {
		return x
	}
	up := len(b.Cells) - 1
	share := (x[up] - b.Corner[len(b.Corner)-1]) / b.Size[len(b.Size)-1]
	if b.Lean != 0 {
		x[up] += share * math.Tan(b.Lean) * (x[0] - b.Corner[0])
	}
	if b.Radius != 0 {
		r := 0.0
		for c := range up {
			r = math.Hypot(r, x[c]-b.center(c))
		}
		x[up] += (1 - share) * r * r / (b.Radius + math.Sqrt(max(0, b.Radius-r)*(b.Radius+r)))
	}
	return x
}
