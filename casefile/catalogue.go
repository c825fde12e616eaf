package casefile

import "slices"

// Measured is a quantity with what it is at the present state of a run of the type R.
type Measured[R any] struct {
	Name      string
	Must, May string  // keys, see [Quantity]
	Between   Between // what it is between two rows
	Sized     bool    // bounds are on its size
	// Of returns that of the whole run, At that of what an expectation names; one of them is there.
	Of func(r R) float64
	At func(r R, x *Expectation) float64
}

// Catalogue are the quantities of a model: what it lists has a value, and nothing else has.
type Catalogue[R any] []Measured[R]

// Quantities are those that a case can expect.
func (c Catalogue[R]) Quantities() []Quantity {
	list := make([]Quantity, len(c))
	for i := range c {
		list[i] = Quantity{Name: c[i].Name, Must: c[i].Must, May: c[i].May, Between: c[i].Between, Sized: c[i].Sized}
	}
	return list
}

// Value returns the quantity of an expectation, one of the catalogue, at the present state.
func (c Catalogue[R]) Value(r R, x *Expectation) float64 {
	m := &c[slices.IndexFunc(c, func(m Measured[R]) bool { return m.Name == x.Quantity })]
	if m.At != nil {
		return m.At(r, x)
	}
	return m.Of(r)
}
