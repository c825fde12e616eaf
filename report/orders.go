package report

import "math"

// Curve is one quantity of a convergence study, a value for each step length;
// zeros are exact and not drawn.
type Curve struct {
	Name   string
	Values []float64
}

// Orders draws curves over the step lengths h, both logarithmic, with the slopes of first and
// second order to compare; nil: all is exact, which has no place on a logarithmic scale.
func Orders(h []float64, curves []Curve) *Plot {
	p := &Plot{Title: "What halving the step gains", X: "step [s]", Y: "error [m], gap and residual [J]", Logarithmic: true}
	highest := 0.0
	for i, c := range curves {
		l := Line{Name: c.Name, Color: Palette[i%len(Palette)], Width: 1.5, Dots: true}
		for k, v := range c.Values {
			if v > 0 && !math.IsInf(v, 1) {
				l.Points, highest = append(l.Points, Point{h[k], v}), max(highest, v)
			}
		}
		if len(l.Points) > 0 {
			p.Lines = append(p.Lines, l)
		}
	}
	if highest == 0 {
		return nil
	}
	for order, name := range []string{"first order", "second order"} {
		l := Line{Name: name, Color: Black, Dash: Dashed + Dash(order), Width: 1.1}
		for _, x := range h {
			l.Points = append(l.Points, Point{x, highest * math.Pow(x/h[0], float64(order+1))})
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}
