package particles

import "github.com/quasistatic/quasistatic/signal"

// Terms takes a quadratic energy apart, item by item and with the numbers it was made of,
// so that it can be assembled in others than float64. Positions are global.
type Terms interface {
	// Spring adds ½ dᵀKd.
	Spring(k Stiffness, d Stretch)
	// Force adds −factor·f(t)·x of a particle.
	Force(particle int, f Path, factor float64)
	// Product adds v (x_a − ref_a)(x_b − ref_b) of two dofs, half of it for a = b.
	Product(a, b int, refA, refB, v float64)
	// Load adds −f(t) (x_a − ref) of a dof.
	Load(a int, ref float64, f signal.Scalar)
	// Gauge adds ½ k s².
	Gauge(k float64, s Reading)
}

// Reading is s = Σ Sign_m e·(x_m − X_m) − e·(a(t) − a(0)), of displacements from the start X.
type Reading struct {
	Axis      [3]float64 // e, of length 1
	Particles []int
	Sign      []float64
	Anchor    Path // a [m], nil: none
}

// Stretch is d = (x_I − Near) − (x_J − Far), or d = (x_I − Near) − (a(t) − Far) where J < 0.
type Stretch struct {
	I, J      int
	Near, Far [3]float64
	Anchor    Path // a [m]
}

// Decomposed is implemented by an Energy that can be taken apart.
type Decomposed interface {
	Terms(t Terms)
}

var (
	_ Decomposed = (*Tethers)(nil)
	_ Decomposed = (*Bonds)(nil)
	_ Decomposed = (*Loads)(nil)
	_ Decomposed = (*Gravity)(nil)
	_ Decomposed = (*Quadratic)(nil)
	_ Decomposed = (*PlasticSprings)(nil)
)

// Terms implements [Decomposed]; stiffening is left out, for it is not quadratic.
func (e *Tethers) Terms(t Terms) {
	for i := range e.items {
		it := &e.items[i]
		t.Spring(e.k.list[it.k].k, Stretch{I: int(it.particle), J: -1, Anchor: e.paths.list[it.path].path})
	}
}

// Terms implements [Decomposed].
func (e *Bonds) Terms(t Terms) {
	for n := range e.items {
		it := &e.items[n]
		d := Stretch{I: int(it.i), J: int(it.j), Near: at(e.ref, int(it.i)).array()}
		if it.j >= 0 {
			d.Far = at(e.ref, int(it.j)).array()
		} else {
			d.J, d.Anchor = -1, e.paths.list[-1-it.j].path
			d.Far = e.paths.list[-1-it.j].at(0).array()
		}
		t.Spring(e.k.list[it.k].k, d)
	}
}

// Terms implements [Decomposed].
func (e *Loads) Terms(t Terms) {
	for i := range e.items {
		t.Force(int(e.items[i].particle), e.paths.list[e.items[i].path].path, 1)
	}
}

// Terms implements [Decomposed].
func (e *Gravity) Terms(t Terms) {
	g := At(e.g[0], e.g[1], e.g[2])
	for j, m := range e.masses {
		if m != 0 {
			t.Force(j, g, m)
		}
	}
}

// Terms implements [Decomposed].
func (e *Quadratic) Terms(t Terms) {
	for c := range e.a.N {
		for k := e.a.Ptr[c]; k < e.a.Ptr[c+1]; k++ {
			r := e.a.Row[k]
			t.Product(e.dof[r], e.dof[c], e.ref[r], e.ref[c], e.a.Val[k])
		}
	}
	for r, f := range e.force {
		t.Load(e.dof[r], e.ref[r], f)
	}
}

// Terms implements [Decomposed].
func (e *PlasticSprings) Terms(t Terms) {
	for n := range e.items {
		it := &e.items[n]
		list, sign, count := it.ends()
		s := Reading{Axis: it.e.array(), Particles: list[:count], Sign: sign[:count]}
		if it.j < 0 {
			s.Anchor = e.paths.list[-1-it.j].path
		}
		t.Gauge(it.k, s)
		if it.h > 0 {
			t.Gauge(it.h, Reading{Axis: it.e.array(), Particles: []int{it.s}, Sign: []float64{1}})
		}
	}
}
