package report

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/quasistatic/quasistatic/fem"
)

// stressed is a mesh with displacements and the stresses of its elements.
type stressed struct {
	view   *meshView
	u      []float64
	stress []fem.Tensor
}

// shade maps a share of the largest stress to a colour, grey to purple.
func shade(x float64) color.Color {
	x = min(max(x, 0), 1)
	mix := func(a, b float64) uint8 { return uint8(a + x*(b-a)) }
	return color.RGBA{mix(238, 142), mix(241, 42), mix(244, 125), 255}
}

// meshPanel draws deformed meshes coloured by the von Mises stress; those in space
// seen from the side and above, what is far first.
func meshPanel(p *panel, title string, bodies []stressed) (*plot.Plot, error) {
	most, largest, size := 0.0, 0.0, 0.0
	for _, b := range bodies {
		for _, k := range b.view.of {
			most = max(most, b.stress[k].VonMises())
		}
		for _, x := range b.u {
			largest = max(largest, math.Abs(x))
		}
		size = max(size, extent(b.view))
	}
	factor := magnification(largest, size)
	p.Title.Text = title + ", von Mises stress up to " + pascal(most)
	if factor != 1 {
		p.Title.Text += fmt.Sprintf(", displacements × %g", factor)
	}
	p.X.Label.Text, p.Y.Label.Text = "x [m]", "y [m]"
	var faces []meshFace
	for _, b := range bodies {
		faces = append(faces, b.faces(factor, most)...)
		if b.view.mesh.Dim == 3 {
			p.X.Label.Text, p.Y.Label.Text = "oblique view [m]", "[m]"
		}
	}
	slices.SortStableFunc(faces, func(a, b meshFace) int { return cmp.Compare(b.depth, a.depth) })
	for i := range faces {
		poly, err := plotter.NewPolygon(faces[i].ring)
		if err != nil {
			return nil, err
		}
		poly.Color = shade(faces[i].share)
		poly.LineStyle.Width, poly.LineStyle.Color = vg.Points(0.3), color.Gray{150}
		p.Add(poly)
	}
	squareAxes(p.Plot)
	return p.done()
}

// meshFace is a face as it is drawn.
type meshFace struct {
	ring  plotter.XYs
	depth float64 // from the eye
	share float64 // of the largest stress
}

// faces projects those of a body with its displacements magnified.
func (b *stressed) faces(factor, most float64) []meshFace {
	moved := make([]float64, len(b.u))
	for i, x := range b.u {
		moved[i] = factor * bounded(x)
	}
	faces := make([]meshFace, len(b.view.faces))
	for n, f := range b.view.faces {
		x := &faces[n]
		x.share = b.stress[b.view.of[n]].VonMises() / max(most, math.SmallestNonzeroFloat64)
		for _, i := range f {
			at := b.view.at(i, moved)
			point := plotter.XY{X: at[0], Y: at[2]}
			if b.view.mesh.Dim == 3 {
				point, x.depth = oblique(at, x.depth)
			}
			x.ring = append(x.ring, point)
		}
	}
	return faces
}

// oblique projects a point as the page does, and adds its distance from the eye.
func oblique(x [3]float64, depth float64) (plotter.XY, float64) {
	const yaw, tilt = -28 * math.Pi / 180, 32 * math.Pi / 180
	sy, cy := math.Sincos(yaw)
	st, ct := math.Sincos(tilt)
	u, d := x[0]*cy+x[1]*sy, -x[0]*sy+x[1]*cy
	return plotter.XY{X: u, Y: x[2]*ct + d*st}, depth + d*ct - x[2]*st
}
