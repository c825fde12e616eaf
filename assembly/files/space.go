package files

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/internal/trimesh"
)

// Vault is a barrel vault: an arch of voussoirs, made longer along y.
type Vault struct {
	Arch
	Length    float64 `json:"length"`    // along y [m]
	Rows      int     `json:"rows"`      // of blocks along y
	Staggered bool    `json:"staggered"` // every other voussoir begins with half a block
}

// Build makes the vault: blocks VOUSSOIR/ROW from the right to the left, and supports right and left.
func (g *Vault) Build() (*assembly.Assembly, error) {
	if !(g.Length > 0) || g.Rows < 1 || float64(g.Rows)*float64(g.Voussoirs) > 1e5 || g.MiddleLine {
		return nil, fmt.Errorf("$.generate.vault wants length and rows, both positive, up to 1e5 blocks, and no weight_on_middle_line")
	}
	arch, err := g.Arch.Build()
	if err != nil {
		return nil, fmt.Errorf("%s", strings.Replace(err.Error(), ".arch", ".vault", 1))
	}
	a := &assembly.Assembly{}
	step := g.Length / float64(g.Rows)
	for k := range arch.Blocks {
		b := &arch.Blocks[k]
		if b.Support {
			a.Blocks = append(a.Blocks, prism(b, b.Name, 0, g.Length))
			continue
		}
		cuts := []float64{0}
		if g.Staggered && k%2 == 1 {
			cuts = append(cuts, step/2)
		}
		for last := cuts[len(cuts)-1] + step; last < g.Length-step/4; last += step { // a quarter: rounding of sums
			cuts = append(cuts, last)
		}
		cuts = append(cuts, g.Length)
		for r := range len(cuts) - 1 {
			a.Blocks = append(a.Blocks, prism(b, fmt.Sprintf("%s/%d", b.Name, r+1), cuts[r], cuts[r+1]))
		}
	}
	return a, nil
}

// prism is a polygon in the plane made solid between two y.
func prism(b *assembly.Block, name string, from, to float64) assembly.Block {
	o := assembly.Block{Name: name, Density: b.Density, Support: b.Support}
	n := len(b.Vertices)
	for _, y := range []float64{from, to} {
		for _, x := range b.Vertices {
			o.Vertices = append(o.Vertices, [3]float64{x[0], y, x[2]})
		}
	}
	front := b.Faces[0]
	var back []int
	for k := range front {
		i, next := front[k], front[(k+1)%len(front)]
		o.Faces = append(o.Faces, []int{i, i + n, next + n, next})
		back = append([]int{i + n}, back...)
	}
	o.Faces = append(o.Faces, front, back)
	return o
}

// Dome is a part of a sphere with an eye at its top, of rings of equal blocks with joints in line.
type Dome struct {
	Radius    float64 `json:"radius"` // of the middle surface [m]
	Thickness float64 `json:"thickness"`
	Rings     int     `json:"rings"`
	Segments  int     `json:"segments"`
	HalfAngle float64 `json:"half_angle"` // from the crown to the springing [rad]; default π/2
	Eye       float64 `json:"eye"`        // from the crown to its edge [rad]; default .15 of the half angle
	Density   float64 `json:"density"`    // default 1
}

// Build makes the dome: blocks RING/SEGMENT from below, on supports.
func (g *Dome) Build() (*assembly.Assembly, error) {
	half, eye := g.HalfAngle, g.Eye
	if half == 0 {
		half = math.Pi / 2
	}
	if eye == 0 {
		eye = .15 * half
	}
	inner, outer := g.Radius-g.Thickness/2, g.Radius+g.Thickness/2
	if !(g.Thickness > 0) || !(inner > 0) || g.Rings < 1 || g.Segments < 3 || float64(g.Rings)*float64(g.Segments) > 1e5 ||
		!(eye > 0) || !(eye < half) || half > math.Pi/2+1e-12 || !(g.Density >= 0) {
		return nil, fmt.Errorf("$.generate.dome wants 0 < thickness < 2 radius, rings from 1, segments from 3, up to 1e5 blocks, and 0 < eye < half_angle ≤ π/2")
	}
	at := func(r, angle, down float64, segment int) [3]float64 { // down along the meridian
		sin, cos := math.Sincos(angle)
		y, x := math.Sincos(2 * math.Pi * float64(segment) / float64(g.Segments))
		across := r*sin + down*cos
		return [3]float64{across * x, across * y, r*cos - down*sin}
	}
	block := func(name string, density float64, low, high, down float64, s int) assembly.Block {
		b := assembly.Block{Name: name, Density: density, Support: density == 0,
			Faces: [][]int{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}}
		for k := range 8 { // bits: segment, outside, above
			r, angle, d := inner, low, down
			if k&2 > 0 {
				r = outer
			}
			if k&4 > 0 {
				angle, d = high, 0
			}
			b.Vertices = append(b.Vertices, at(r, angle, d, s+k&1))
		}
		return b
	}
	a := &assembly.Assembly{}
	for s := range g.Segments {
		a.Blocks = append(a.Blocks, block(fmt.Sprintf("support/%d", s+1), 0, half, half, g.Thickness, s))
	}
	for r := range g.Rings {
		low := half - (half-eye)*float64(r)/float64(g.Rings)
		high := half - (half-eye)*float64(r+1)/float64(g.Rings)
		for s := range g.Segments {
			a.Blocks = append(a.Blocks, block(fmt.Sprintf("%d/%d", r+1, s+1), orOne(g.Density), low, high, 0, s))
		}
	}
	return a, nil
}

// folder reads a block from each OBJ and STL file of a folder, of density 1, named as the file.
func folder(name string) (*assembly.Assembly, error) {
	list, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	a := &assembly.Assembly{Name: filepath.Base(name)}
	for _, e := range list { // by name
		kind := strings.ToLower(filepath.Ext(e.Name()))
		if kind != ".obj" && kind != ".stl" {
			a.Notes = append(a.Notes, "not read: "+e.Name())
			continue
		}
		f, err := os.Open(filepath.Join(name, e.Name()))
		if err != nil {
			return nil, err
		}
		m, err := trimesh.Read(f, e.Name())
		f.Close()
		if err != nil {
			return nil, err
		}
		b := assembly.Block{Name: strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), Where: e.Name(), Density: 1, Vertices: m.Vertices}
		for _, t := range m.Triangles {
			b.Faces = append(b.Faces, []int{t[0], t[1], t[2]})
		}
		a.Blocks = append(a.Blocks, b)
	}
	if len(a.Blocks) == 0 {
		return nil, fmt.Errorf("no file .obj or .stl in the folder")
	}
	return a, nil
}
