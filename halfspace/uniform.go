package halfspace

import "math"

// uniform is the answer to the pressure 1 on the whole window: normal displacements
// between least and most, their sum, and the largest displacement along the surface.
//
// With it any tractions p have a lower bound of the least energy beside them also
// where penetrations y_n >= −d are not free to be lifted: p̃ = p + d/least has
// displacements without penetration, and Fenchel's gap of p and C p̃ is
// Σ p(y + d w/least) + ½(d/least)² Σ w, w = C 1 [Pa·m].
type uniform struct {
	known                   bool
	least, most, sum, along float64
}

func (o *Operator) uniform() *uniform {
	u := &o.even
	if u.known {
		return u
	}
	n := o.grid.Len()
	one, w := Field{N: make([]float64, n)}, NewField(n)
	for k := range n {
		one[N][k] = 1
	}
	o.Product(w, one)
	*u = uniform{known: true, least: math.Inf(1)}
	for k := range n {
		u.least, u.most = min(u.least, w[N][k]), max(u.most, w[N][k])
		u.sum += w[N][k]
		u.along = max(u.along, math.Hypot(w[X][k], w[Y][k]))
	}
	return u
}

// lift is the cost of a penetration beside pressures that sum to total.
func (u *uniform) lift(depth, total float64) float64 {
	switch {
	case depth == 0:
		return 0
	case !(u.least > 0): // a periodic window, whose mean displacement is free
		return depth * total
	}
	theta := depth / u.least
	return theta*u.most*total + theta*theta*u.sum/2
}
