package report

import "image/color"

// Heat is a map of values over a grid, from white at zero to dark at the largest, or of
// kinds with a colour each.
type Heat struct {
	X, Y   []float64 // centres of the columns and rows, ascending
	Values []float64 // row by row
	Kinds  []Kind    // nil: values are a size
}

// Kind is a value of a map of kinds; its number is its place.
type Kind struct {
	Name  string // in the legend; empty: none
	Color color.Color
}

// Largest returns the largest value of the map, at least 0.
func (h *Heat) Largest() float64 {
	largest := 0.0
	for _, v := range h.Values {
		largest = max(largest, bounded(v))
	}
	return largest
}
