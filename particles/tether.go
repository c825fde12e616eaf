package particles

import "fmt"

// Tether ties a particle to a moving anchor a(t):
//
//	E = ½ (x − a)ᵀ K (x − a) + ¼ β |x − a|⁴
type Tether struct {
	Particle   int
	Anchor     Path      // a [m], three components
	Stiffness  Stiffness // K [N/m], symmetric
	Stiffening float64   // β [N/m³], not negative; 0: linear
}

// Tethers is the energy of many tethers.
type Tethers struct {
	items  []tether
	k      stiffnesses
	paths  motions
	linear bool
}

type tether struct {
	particle, k, path int32
	beta              float64
}

var (
	_ Energy          = (*Tethers)(nil)
	_ ConstantHessian = (*Tethers)(nil)
	_ Convex          = (*Tethers)(nil)
	_ Breaker         = (*Tethers)(nil)
	_ Validator       = (*Tethers)(nil)
)

// NewTethers fails for a stiffness that is not finite or not symmetric or
// diagonal with a negative entry, for a negative stiffening and for anchors
// without three components. Whether the sum of all energies is positive definite
// is for its user to find out.
func NewTethers(items ...Tether) (*Tethers, error) {
	e := &Tethers{linear: true}
	for i := range items {
		if err := e.add(&items[i]); err != nil {
			return nil, fmt.Errorf("particles: tether %d of particle %d: %w", i, items[i].Particle, err)
		}
	}
	return e, nil
}

func (e *Tethers) add(it *Tether) error {
	k, err := e.k.add(it.Stiffness)
	if err != nil {
		return err
	}
	path, err := e.paths.add(it.Anchor)
	if err != nil {
		return fmt.Errorf("anchor: %w", err)
	}
	if it.Stiffening < 0 || !finite(it.Stiffening) {
		return fmt.Errorf("stiffening %v is negative or not finite", it.Stiffening)
	}
	e.linear = e.linear && it.Stiffening == 0
	e.items = append(e.items, tether{int32(it.Particle), k, path, it.Stiffening})
	return nil
}

// Validate checks the numbers of the particles.
func (e *Tethers) Validate(particles int) error {
	for i := range e.items {
		if err := checkParticle("tether", i, int(e.items[i].particle), particles); err != nil {
			return err
		}
	}
	return nil
}

// Convex returns true: stiffnesses are positive semidefinite, and stiffening is not
// negative.
func (e *Tethers) Convex() bool { return true }

// ConstantHessian reports whether no tether stiffens.
func (e *Tethers) ConstantHessian() bool { return e.linear }

// Breaks appends the kinks of the anchors.
func (e *Tethers) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.paths.breaks(dst, t0, t1)
}

// TimeBound adds bounds of |K a^(k)|; a stiffening tether on a moving anchor has
// rates that depend on x.
func (e *Tethers) TimeBound(dst []float64, k int) bool {
	for i := range e.items {
		it := &e.items[i]
		m := &e.paths.list[it.path]
		b, ok := m.bound(k)
		if !ok || it.beta != 0 && m.moving {
			return false
		}
		addTo(dst, int(it.particle), e.k.list[it.k].bound(b))
	}
	return true
}

// Pattern declares the block of each particle, only the diagonal where K has no more.
func (e *Tethers) Pattern(p *Pattern) {
	for i := range e.items {
		it := &e.items[i]
		j := int(it.particle)
		if it.beta != 0 {
			p.AddBlock(j, j)
		} else {
			e.k.list[it.k].declare(p, j, j)
		}
	}
}

// stretch returns d = x − a(t).
func (e *Tethers) stretch(it *tether, t float64, x []float64) vec {
	return at(x, int(it.particle)).sub(e.paths.list[it.path].at(t))
}

// force returns Kd + β|d|²d, the gradient with respect to x.
func (e *Tethers) force(it *tether, d vec) vec {
	f := e.k.list[it.k].times(d)
	if it.beta != 0 {
		f = f.plus(it.beta*d.dot(d), d)
	}
	return f
}

// tangent returns H v = K v + β(|d|² v + 2 d (d·v)).
func (e *Tethers) tangent(it *tether, d, v vec) vec {
	f := e.k.list[it.k].times(v)
	if it.beta != 0 {
		f = f.plus(it.beta*d.dot(d), v).plus(2*it.beta*d.dot(v), d)
	}
	return f
}

// Value returns the energy and −Σ ȧ·(Kd + β|d|²d).
func (e *Tethers) Value(t float64, x []float64) (energy, rate float64) {
	for i := range e.items {
		it := &e.items[i]
		d := e.stretch(it, t, x)
		energy += d.dot(e.k.list[it.k].times(d)) / 2
		if it.beta != 0 {
			dd := d.dot(d)
			energy += it.beta * dd * dd / 4
		}
		if m := &e.paths.list[it.path]; m.moving {
			rate -= m.rate(t).dot(e.force(it, d))
		}
	}
	return energy, rate
}

// Gradient adds Kd + β|d|²d and −Hȧ.
func (e *Tethers) Gradient(grad, rate []float64, t float64, x []float64) {
	for i := range e.items {
		it := &e.items[i]
		d := e.stretch(it, t, x)
		if grad != nil {
			addTo(grad, int(it.particle), e.force(it, d))
		}
		if m := &e.paths.list[it.path]; rate != nil && m.moving {
			subFrom(rate, int(it.particle), e.tangent(it, d, m.rate(t)))
		}
	}
}

// Hessian adds K + β(|d|² I + 2 d dᵀ).
func (e *Tethers) Hessian(h *Hessian, t float64, x []float64) {
	for i := range e.items {
		it := &e.items[i]
		j := int(it.particle)
		if it.beta == 0 {
			e.k.list[it.k].add(h, j, j, 1)
			continue
		}
		d := e.stretch(it, t, x)
		b := [9]float64(e.k.list[it.k].k)
		dd, axes := it.beta*d.dot(d), d.array()
		for r := range 3 {
			b[4*r] += dd
			for c := range 3 {
				b[3*r+c] += 2 * it.beta * (axes[r] * axes[c])
			}
		}
		h.AddBlock(j, j, &b)
	}
}
