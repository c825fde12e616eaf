package files

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/quasistatic/quasistatic/assembly"
)

// brick is one of a model of StableLego: its place in studs and layers.
type brick struct {
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Z    int    `json:"z"`
	Turn int    `json:"ori"` // 1: its width is along x
	Kind number `json:"brick_id"`
}

// A number that may be written as a text.
type number int

func (n *number) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		text = []byte(s)
	}
	i, err := strconv.Atoi(string(text))
	*n = number(i)
	return err
}

type brickKind struct {
	Height    int     `json:"height"` // studs
	Width     int     `json:"width"`
	Mass      float64 `json:"mass"` // kg
	Inventory int     `json:"inventory"`
}

type brickConfig struct {
	G      float64 `json:"g"`
	T      float64 `json:"T"` // g: what a point of a knob holds
	Height float64 `json:"Brick_Unit_Height"`
	Length float64 `json:"Brick_Unit_Length"`
}

func isBricks(top map[string]json.RawMessage) bool {
	for _, v := range top {
		var b struct {
			Kind *number `json:"brick_id"`
		}
		return json.Unmarshal(v, &b) == nil && b.Kind != nil
	}
	return false
}

type cell struct{ x, y, z int }

// bricks reads a model with lego_library.json and config.json of its folder. The contacts are those
// of [Liu24]: each knob holds at three points of a brick that is two studs wide, or at four of a
// narrow one, by a pull of T each, and any push; sideways at the knob without friction and without
// bound; bricks side by side push each other.
//
//	[Liu24] R. Liu, K. Deng, Z. Wang, C. Liu, StableLego: Stability Analysis of Block Stacking
//	        Assembly, arXiv:2402.10711, 2024
func bricks(text []byte, folder string) (*assembly.Assembly, error) {
	var model map[string]brick
	if err := strict(text, &model); err != nil {
		return nil, err
	}
	var kinds map[number]brickKind
	config := brickConfig{}
	for name, into := range map[string]any{"lego_library.json": &kinds, "config.json": &config} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, fmt.Errorf("bricks want %s beside them: %w", name, err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	a := &assembly.Assembly{Gravity: [3]float64{0, 0, -config.G},
		Notes: []string{"config.json: only g, T, Brick_Unit_Height and Brick_Unit_Length are read"}}
	l, h := config.Length, config.Height
	at := map[cell]int{}
	narrow := []bool{}
	low, high := [2]int{}, [2]int{}
	top := make(map[string]any, len(model))
	for key := range model {
		top[key] = nil
	}
	for n, key := range keysOf(top) {
		b := model[key]
		kind, ok := kinds[b.Kind]
		if !ok || min(kind.Height, kind.Width) < 1 {
			return nil, fmt.Errorf("brick %s is of kind %d, which the library does not have", key, b.Kind)
		}
		nx, ny := kind.Height, kind.Width
		if b.Turn == 1 {
			nx, ny = ny, nx
		}
		for x := b.X; x < b.X+nx; x++ {
			for y := b.Y; y < b.Y+ny; y++ {
				if other, taken := at[cell{x, y, b.Z}]; taken {
					return nil, fmt.Errorf("bricks %s and %s are both at %d, %d, %d", a.Blocks[other].Name, key, x, y, b.Z)
				}
				at[cell{x, y, b.Z}] = n
			}
		}
		block := solid(key, [3]float64{float64(b.X) * l, float64(b.Y) * l, float64(b.Z) * h},
			[3]float64{float64(b.X+nx) * l, float64(b.Y+ny) * l, float64(b.Z+1) * h})
		block.Density = kind.Mass / (float64(nx*ny) * l * l * h)
		a.Blocks = append(a.Blocks, block)
		narrow = append(narrow, min(nx, ny) < 2)
		if n == 0 {
			low, high = [2]int{b.X, b.Y}, [2]int{b.X + nx, b.Y + ny}
		}
		low = [2]int{min(low[0], b.X), min(low[1], b.Y)}
		high = [2]int{max(high[0], b.X+nx), max(high[1], b.Y+ny)}
	}
	plate := solid("plate", [3]float64{float64(low[0]) * l, float64(low[1]) * l, -h},
		[3]float64{float64(high[0]) * l, float64(high[1]) * l, 0})
	plate.Support = true
	a.Blocks = append(a.Blocks, plate)
	pull := config.T / 1000 * config.G
	for x := low[0]; x < high[0]; x++ {
		for y := low[1]; y < high[1]; y++ {
			for z := 0; z <= len(model); z++ {
				above, ok := at[cell{x, y, z}]
				if !ok {
					continue
				}
				centre := [3]float64{(float64(x) + .5) * l, (float64(y) + .5) * l, float64(z) * h}
				if below, ok := at[cell{x, y, z - 1}]; ok || z == 0 {
					if z == 0 {
						below = len(a.Blocks) - 1
					}
					a.Interfaces = append(a.Interfaces, knob(below, above, centre, l, pull, narrow[above])...)
				}
				for axis, next := range []cell{{x + 1, y, z}, {x, y + 1, z}} {
					if other, ok := at[next]; ok && other != above {
						p := centre
						p[axis] += l / 2
						p[2] += h / 2
						var n [3]float64
						n[axis] = 1
						a.Interfaces = append(a.Interfaces, assembly.Interface{A: above, B: other, Normal: n, Points: [][3]float64{p}})
					}
				}
			}
		}
	}
	return a, nil
}

// knob holds a brick on the one below.
func knob(below, above int, c [3]float64, l, pull float64, narrow bool) []assembly.Interface {
	offsets := [][2]float64{{.125, -.125}, {-.25, 0}, {.125, .125}}
	if narrow {
		offsets = [][2]float64{{0, -.25}, {-.25, 0}, {0, .25}, {.25, 0}}
	}
	hold := assembly.Interface{A: below, B: above, Normal: [3]float64{0, 0, 1}, Tension: pull}
	for _, o := range offsets {
		hold.Points = append(hold.Points, [3]float64{c[0] + o[0]*l, c[1] + o[1]*l, c[2]})
	}
	all := []assembly.Interface{hold}
	for _, n := range [][3]float64{{1}, {-1}, {0, 1}, {0, -1}} {
		all = append(all, assembly.Interface{A: below, B: above, Normal: n, Points: [][3]float64{c}})
	}
	return all
}

// solid is a box with edges along the axes.
func solid(name string, low, high [3]float64) assembly.Block {
	b := assembly.Block{Name: name, Density: 1, Faces: [][]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3},
		{0, 4, 6, 2}, {1, 3, 7, 5}}}
	for k := range 8 {
		v := low
		for i := range 3 {
			if k>>i&1 == 1 {
				v[i] = high[i]
			}
		}
		b.Vertices = append(b.Vertices, v)
	}
	return b
}
