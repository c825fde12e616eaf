package halfspace

import (
	"fmt"
	"math"
)

// Grid is the window of NX×NY rectangular elements in which bodies may touch:
// element (i, j), number i + j·NX, has its centre at (X0 + i·DX, Y0 + j·DY) [m].
type Grid struct {
	NX, NY int
	DX, DY float64 // sides of an element [m]
	X0, Y0 float64 // centre of the first element [m]
}

// Centred is the grid around the origin.
func Centred(nx, ny int, dx, dy float64) Grid {
	return Grid{nx, ny, dx, dy, -dx * float64(nx-1) / 2, -dy * float64(ny-1) / 2}
}

// Len is the number of elements.
func (g Grid) Len() int { return g.NX * g.NY }

// At returns the centre of element k.
func (g Grid) At(k int) (x, y float64) {
	return g.X0 + float64(k%g.NX)*g.DX, g.Y0 + float64(k/g.NX)*g.DY
}

// Area is that of an element [m²].
func (g Grid) Area() float64 { return g.DX * g.DY }

// elementLimit keeps the products of sizes within integers and memory's reach.
const elementLimit = 1 << 26

// Validate names what is wrong.
func (g Grid) Validate() error {
	switch {
	case g.NX < 1 || g.NY < 1 || g.NX > elementLimit || g.NY > elementLimit || g.NX*g.NY > elementLimit:
		return fmt.Errorf("halfspace: grid of %d×%d elements, want 1 to %d", g.NX, g.NY, elementLimit)
	case !(g.DX > 0 && g.DY > 0) || math.IsInf(g.DX, 1) || math.IsInf(g.DY, 1):
		return fmt.Errorf("halfspace: elements of %v×%v m", g.DX, g.DY)
	case math.IsNaN(g.X0-g.Y0) || math.IsInf(g.X0, 0) || math.IsInf(g.Y0, 0):
		return fmt.Errorf("halfspace: the first element is at (%v, %v)", g.X0, g.Y0)
	}
	return nil
}

// box is a rectangle of elements: columns i0 … i0+nx−1, rows j0 … j0+ny−1.
type box struct{ i0, j0, nx, ny int }

func (g Grid) all() box { return box{0, 0, g.NX, g.NY} }

// grown is b with margins of cells, within the grid.
func (b box) grown(margin int, g Grid) box {
	i0, j0 := max(b.i0-margin, 0), max(b.j0-margin, 0)
	i1, j1 := min(b.i0+b.nx+margin, g.NX), min(b.j0+b.ny+margin, g.NY)
	return box{i0, j0, i1 - i0, j1 - j0}
}

// holds reports whether c lies in b.
func (b box) holds(c box) bool {
	return b.i0 <= c.i0 && b.j0 <= c.j0 && c.i0+c.nx <= b.i0+b.nx && c.j0+c.ny <= b.j0+b.ny
}

// bounding is the smallest box with all elements that are in; empty if none is.
func (g Grid) bounding(in func(k int) bool) box {
	b, any := box{g.NX, g.NY, 0, 0}, false
	for j := range g.NY {
		for i := range g.NX {
			if !in(i + j*g.NX) {
				continue
			}
			if !any {
				b, any = box{i, j, 1, 1}, true
				continue
			}
			if i < b.i0 {
				b.nx, b.i0 = b.nx+b.i0-i, i
			}
			b.nx, b.ny = max(b.nx, i-b.i0+1), j-b.j0+1
		}
	}
	if !any {
		return box{}
	}
	return b
}
