package files

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/assembly"
)

// Arch is a circular arch in the plane between two supports.
type Arch struct {
	Radius    float64 `json:"radius"` // of the middle line [m]
	Thickness float64 `json:"thickness"`
	HalfAngle float64 `json:"half_angle"` // from the crown to a springing [rad]; default π/2
	Voussoirs int     `json:"voussoirs"`
	Vertical  bool    `json:"vertical_cuts"` // joints are vertical, at equal angles of the extrados, not radial
	Density   float64 `json:"density"`       // default 1
	// MiddleLine: weight acts on the middle line, w each unit of it, as Couplet and Heyman took it, and
	// not at the centroids of the voussoirs, as Milankovitch did.
	MiddleLine bool `json:"weight_on_middle_line"`
}

// Wall is one of bricks in running bond on a floor, in the plane.
type Wall struct {
	Courses  int     `json:"courses"`
	Bricks   int     `json:"bricks"` // whole ones, in the first course
	Length   float64 `json:"length"` // of a brick [m]
	Height   float64 `json:"height"`
	Halves   bool    `json:"halves_first"` // the first course begins and ends with a half
	Density  float64 `json:"density"`      // default 1
	Sideways bool    `json:"sideways"`     // a live load of its weight on each brick, along x
	// Pattern, in the place of courses and bricks, has of each course from below the widths of its bricks in lengths, negative for openings.
	Pattern [][]float64 `json:"pattern"`
}

// Stack is a pile of equal bricks in the plane, each shifted.
type Stack struct {
	Bricks   int     `json:"bricks"`
	Length   float64 `json:"length"`
	Height   float64 `json:"height"`
	Harmonic float64 `json:"harmonic"` // shifts are this share of L/2, L/4, L/6, … from the top
	Density  float64 `json:"density"`
}

func (g *generators) build() (*assembly.Assembly, error) {
	var build []func() (*assembly.Assembly, error)
	if g.Arch != nil {
		build = append(build, g.Arch.Build)
	}
	if g.Wall != nil {
		build = append(build, g.Wall.Build)
	}
	if g.Stack != nil {
		build = append(build, g.Stack.Build)
	}
	if g.Vault != nil {
		build = append(build, g.Vault.Build)
	}
	if g.Dome != nil {
		build = append(build, g.Dome.Build)
	}
	if len(build) != 1 {
		return nil, fmt.Errorf("$.generate has %d of arch, wall, stack, vault and dome, want one", len(build))
	}
	return build[0]()
}

func polygon(name string, density float64, points ...[2]float64) assembly.Block {
	b := assembly.Block{Name: name, Density: density, Support: density == 0}
	var face []int
	for i, p := range points {
		b.Vertices = append(b.Vertices, [3]float64{p[0], 0, p[1]})
		face = append(face, i)
	}
	b.Faces = [][]int{face}
	return b
}

func orOne(density float64) float64 {
	if density == 0 {
		return 1
	}
	return density
}

// Build makes the arch: blocks 1 to n from the right to the left, left and right the supports.
func (g *Arch) Build() (*assembly.Assembly, error) {
	half := g.HalfAngle
	if half == 0 {
		half = math.Pi / 2
	}
	inner, outer := g.Radius-g.Thickness/2, g.Radius+g.Thickness/2
	if !(g.Thickness > 0) || !(inner > 0) || g.Voussoirs < 1 || g.Voussoirs > 1e5 || !(half > 0) ||
		half > math.Pi/2+1e-12 || !(g.Density >= 0) {
		return nil, fmt.Errorf("$.generate.arch wants 0 < thickness < 2 radius, voussoirs from 1 to 1e5 and a half_angle up to π/2")
	}
	if g.Vertical && g.MiddleLine {
		return nil, fmt.Errorf("$.generate.arch has both vertical_cuts and weight_on_middle_line, which is that between radial joints")
	}
	at := func(r, angle float64) [2]float64 { return [2]float64{r * math.Sin(angle), r * math.Cos(angle)} }
	joint := func(k int) (in, out [2]float64) {
		angle := half - 2*half*float64(k)/float64(g.Voussoirs)
		return at(inner, angle), at(outer, angle)
	}
	a := &assembly.Assembly{Plane: true}
	for k := range g.Voussoirs {
		in, out := joint(k)
		nextIn, nextOut := joint(k + 1)
		corners := [][2]float64{in, out, nextOut, nextIn}
		if g.Vertical {
			corners = g.slice(k, half)
		}
		b := polygon(fmt.Sprint(k+1), orOne(g.Density), corners...)
		if g.MiddleLine {
			middle := at(g.Radius, half-2*half*(float64(k)+.5)/float64(g.Voussoirs))
			a.Loads = append(a.Loads, assembly.Load{Block: k, Point: [3]float64{middle[0], 0, middle[1]},
				Force: [3]float64{0, 0, -9.81 * b.Density * g.Thickness * g.Radius * 2 * half / float64(g.Voussoirs)}})
			b.Density *= 1e-9 // what is left of the weight at the centroid
		}
		a.Blocks = append(a.Blocks, b)
	}
	for k, name := range []string{"right", "left"} {
		in, out := joint(k * g.Voussoirs)
		angle := half * float64(1-2*k)
		// the support reaches along the arc by a thickness
		d := [2]float64{math.Cos(angle) * g.Thickness, -math.Sin(angle) * g.Thickness}
		if k == 1 {
			d = [2]float64{-d[0], -d[1]}
		}
		a.Blocks = append(a.Blocks, polygon(name, 0, in, [2]float64{in[0] + d[0], in[1] + d[1]},
			[2]float64{out[0] + d[0], out[1] + d[1]}, out))
	}
	return a, nil
}

// slice is the k-th voussoir between vertical cuts, which are at equal angles of the extrados. Above the springings it ends on
// these: there it stands on the support.
func (g *Arch) slice(k int, half float64) [][2]float64 {
	inner, outer := g.Radius-g.Thickness/2, g.Radius+g.Thickness/2
	sin, cos := math.Sincos(half)
	corner := inner * sin // where the intrados meets the springing
	cut := func(k int) float64 {
		return outer * math.Sin(half-2*half*float64(k)/float64(g.Voussoirs))
	}
	above := func(x float64) [2]float64 { return [2]float64{x, math.Sqrt(outer*outer - x*x)} }
	below := func(x float64) [2]float64 {
		if math.Abs(x) < corner {
			return [2]float64{x, math.Sqrt(inner*inner - x*x)}
		}
		return [2]float64{x, math.Abs(x) * cos / sin}
	}
	right, left := cut(k), cut(k+1)
	var points [][2]float64
	if k > 0 { // the first and the last end at the extrados of the springing
		points = append(points, below(right))
	}
	points = append(points, above(right), above(left))
	if k < g.Voussoirs-1 {
		points = append(points, below(left))
	}
	for _, x := range []float64{-corner, corner} {
		if near := 1e-9 * g.Radius; left+near < x && x < right-near { // rounding
			points = append(points, [2]float64{x, inner * cos})
		}
	}
	return points
}

// Build makes the wall; bricks are named by course and place, from 1.
func (g *Wall) Build() (*assembly.Assembly, error) {
	pattern, err := g.pattern()
	if err != nil {
		return nil, err
	}
	a := &assembly.Assembly{Plane: true}
	whole := 0.
	for _, width := range pattern[0] {
		whole += math.Abs(width) * g.Length
	}
	a.Blocks = append(a.Blocks, polygon("floor", 0, [2]float64{-g.Length, -g.Height},
		[2]float64{whole + g.Length, -g.Height}, [2]float64{whole + g.Length, 0}, [2]float64{-g.Length, 0}))
	for c, course := range pattern {
		z0, z1 := float64(c)*g.Height, float64(c+1)*g.Height
		at, bricks := 0., 0 // bricks from the left
		for _, width := range course {
			x0, x1 := at*g.Length, (at+math.Abs(width))*g.Length
			at += math.Abs(width)
			if width < 0 {
				continue
			}
			bricks++
			b := polygon(fmt.Sprintf("%d/%d", c+1, bricks), orOne(g.Density), [2]float64{x0, z0}, [2]float64{x1, z0},
				[2]float64{x1, z1}, [2]float64{x0, z1})
			if g.Sideways {
				a.Loads = append(a.Loads, assembly.Load{Block: len(a.Blocks), Live: true,
					Point: [3]float64{(x0 + x1) / 2, 0, (z0 + z1) / 2},
					Force: [3]float64{9.81 * orOne(g.Density) * (x1 - x0) * g.Height}})
			}
			a.Blocks = append(a.Blocks, b)
		}
	}
	return a, nil
}

// pattern is the one that is given, or a running bond.
func (g *Wall) pattern() ([][]float64, error) {
	if !(g.Length > 0) || !(g.Height > 0) || !(g.Density >= 0) {
		return nil, fmt.Errorf("$.generate.wall wants length and height, both positive")
	}
	if g.Pattern == nil {
		if g.Courses < 1 || g.Bricks < 1 || g.Courses*g.Bricks > 1e5 {
			return nil, fmt.Errorf("$.generate.wall wants courses and bricks, both positive, or a pattern")
		}
		var pattern [][]float64
		for c := range g.Courses {
			course := slices.Repeat([]float64{1}, g.Bricks)
			if (c%2 == 1) != g.Halves {
				course[0] = .5
				course = append(course, .5)
			}
			pattern = append(pattern, course)
		}
		return pattern, nil
	}
	if g.Courses != 0 || g.Bricks != 0 || g.Halves {
		return nil, fmt.Errorf("$.generate.wall has a pattern: courses, bricks and halves_first are those of walls without one")
	}
	first := 0.
	for c, course := range g.Pattern {
		whole := 0.
		for k, width := range course {
			if !(math.Abs(width) > 1e-6 && math.Abs(width) < 1e6) {
				return nil, fmt.Errorf("$.generate.wall.pattern[%d][%d] is %v, want a width in bricks, negative for an opening",
					c, k, width)
			}
			whole += math.Abs(width)
		}
		if c == 0 {
			first = whole
		}
		if !(whole > 0) || math.Abs(whole-first) > 1e-9*first { // rounding
			return nil, fmt.Errorf("$.generate.wall.pattern[%d] is %v bricks wide, the first course %v: want the same", c, whole, first)
		}
	}
	if len(g.Pattern) == 0 {
		return nil, fmt.Errorf("$.generate.wall.pattern has no course")
	}
	return g.Pattern, nil
}

// Build makes the stack: brick 1 is the lowest, on a floor that ends where it ends.
func (g *Stack) Build() (*assembly.Assembly, error) {
	if g.Bricks < 1 || g.Bricks > 1e5 || !(g.Length > 0) || !(g.Height > 0) || !(g.Harmonic >= 0) || !(g.Density >= 0) {
		return nil, fmt.Errorf("$.generate.stack wants bricks, length and height, all positive")
	}
	a := &assembly.Assembly{Plane: true}
	a.Blocks = append(a.Blocks, polygon("floor", 0, [2]float64{-9 * g.Length, -g.Height}, [2]float64{0, -g.Height},
		[2]float64{0, 0}, [2]float64{-9 * g.Length, 0}))
	end := 0.
	for k := range g.Bricks {
		end += g.Harmonic * g.Length / 2 / float64(g.Bricks-k) // n bricks above an edge: L/(2n)
		z := float64(k) * g.Height
		a.Blocks = append(a.Blocks, polygon(fmt.Sprint(k+1), orOne(g.Density), [2]float64{end - g.Length, z},
			[2]float64{end, z}, [2]float64{end, z + g.Height}, [2]float64{end - g.Length, z + g.Height}))
	}
	return a, nil
}
