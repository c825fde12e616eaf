package importer

import (
	"cmp"
	"fmt"
	"strings"
)

// grip is the friction of a geom of MJCF: coefficients of sliding, spinning and rolling, and how many
// components of its contacts have them (condim). Two of them have the larger ones of both.
type grip struct {
	numbers [3]float64 // [-, m, m]
	dim     int
}

// with is the friction of a pair. That of spinning is in one ellipsoid with that of sliding, as with
// elliptic cones of MuJoCo: drilling.
func (g *grip) with(o *grip) (f Friction) {
	dim := max(g.dim, o.dim)
	f.Mu = max(g.numbers[0], o.numbers[0])
	if dim > 3 && f.Mu > 0 {
		f.Drilling = max(g.numbers[1], o.numbers[1]) / f.Mu
	}
	if dim > 4 {
		f.Rolling = max(g.numbers[2], o.numbers[2])
	}
	return f
}

// name tells frictions apart.
func (f Friction) name() string {
	name := fmt.Sprintf("mu%g", f.Mu)
	if f.Drilling > 0 {
		name += fmt.Sprintf("-drilling%g", f.Drilling)
	}
	if f.Rolling > 0 {
		name += fmt.Sprintf("-rolling%g", f.Rolling)
	}
	return strings.ReplaceAll(name, "+", "")
}

// compare orders them.
func (f Friction) compare(o Friction) int {
	return cmp.Or(cmp.Compare(f.Mu, o.Mu), cmp.Compare(f.Drilling, o.Drilling), cmp.Compare(f.Rolling, o.Rolling))
}

// slides is a grip that resists sliding alone.
func slides(mu float64) grip { return grip{numbers: [3]float64{mu}, dim: 3} }
