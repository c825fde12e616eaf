package events

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Exact returns the problem in ratios of integers. Every number of the system counts as
// the shortest decimal that reads as it: 0.4 is 2/5. at are the positions of the start,
// global, as they were given. It fails for loads that are not piecewise linear, for
// energies that cannot be taken apart, see [particles.Decomposed], and for frames and
// directions of motion that are not rational.
func (p *Plane) Exact(at []float64) (*Form[Rational], error) {
	if p.askew != nil {
		return nil, p.askew
	}
	for j := range p.cornered {
		if p.Oblique(j) {
			return nil, &SpaceError{j, "its friction has axes, and the direction in which it slips turns"}
		}
	}
	x := &exact{p: p, rows: map[[2]int]Rational{}}
	if err := x.axes(); err != nil {
		return nil, err
	}
	for _, v := range at {
		x.at = append(x.at, x.at0(v))
	}
	for i, e := range p.System.Energies() {
		d, ok := e.(particles.Decomposed)
		if !ok {
			return nil, fmt.Errorf("events: energy %d (%T) cannot be taken apart, so that there is no proof in rational numbers", i, e)
		}
		d.Terms(x)
	}
	if x.err != nil {
		return nil, x.err
	}
	x.fixed = make([]Rational, len(x.dofs))
	x.kinks()
	f := &Form[Rational]{N: len(p.Dofs), Source: exactSource{x}}
	if err := x.contacts(f); err != nil {
		return nil, err
	}
	return f, x.matrix(f)
}

// exact assembles a form.
type exact struct {
	p       *Plane
	at      []Rational    // global start
	dofs    []rationalDof // those of the plane, then the directions across
	first   [][]int       // dofs of each particle
	rows    map[[2]int]Rational
	springs []spring // whose stretch at the start has a force
	gauges  []gauge  // that an anchor pulls
	forces  []push
	breaks  []Rational
	fixed   []Rational
	err     error
}

type rationalDof struct {
	particle  int
	direction [3]Rational // global
}

type spring struct {
	k       [9]Rational
	i, j    int
	offset  [3]Rational // stretch at the start without a(t)
	anchor  particles.Path
	stretch bool // the offset is not zero
}

// gauge is ½ k s², s = Σ sign e·(displacement of a particle) − e·(a(t) − a(0)).
type gauge struct {
	k, start  Rational // stiffness, e·a(0)
	e         [3]Rational
	particles []int
	sign      []Rational
	anchor    particles.Path
}

// push is −factor·f(t)·(x − ref) of a global component.
type push struct {
	a           int
	f           signal.Scalar
	factor, ref Rational
}

func (x *exact) at0(v float64) Rational { return Rational{}.Of(v) }

// short is what a cosine was before it was normalised: v of 15 digits, 0.6, or a ratio of small
// integers, 20/29.
func short(v float64) Rational {
	const digits = 15
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if len(text) >= digits {
		if p, q := ratio(v); q > 0 {
			return Rational{}.Of(p).Quo(Rational{}.Of(q))
		}
	}
	w, _ := strconv.ParseFloat(text, 64)
	return Rational{}.Of(w)
}

// ratio returns the convergent p/q of |v| <= 1 that is v but for rounding, with q of four digits at
// most; 0, 0: there is none.
func ratio(v float64) (p, q float64) {
	const largest, rounding = 1e4, 0x1p-51
	x, p0, q0 := math.Abs(v), 0., 1.
	p, q = 1, 0
	for {
		whole := math.Floor(x)
		p, p0, q, q0 = whole*p+p0, p, whole*q+q0, q
		if !(q <= largest) {
			return 0, 0
		}
		if math.Abs(p/q-math.Abs(v)) <= rounding {
			return math.Copysign(p, v), q
		}
		x = 1 / (x - whole)
	}
}

// axes makes the directions of the dofs, and those across.
func (x *exact) axes() error {
	p := x.p
	if p.System.HasRelative() {
		return errors.New("events: coordinates are relative to those of other bodies, which are not rational")
	}
	x.first = make([][]int, p.System.N())
	for j := range p.System.N() {
		f := p.System.Frame(j)
		axes := [3][3]Rational{}
		for c := range 3 {
			axes[0][c], axes[1][c], axes[2][c] = short(f.T[c]), short(f.O[c]), short(f.N[c])
		}
		if !orthonormal(axes[:]) {
			return fmt.Errorf("events: the frame of particle %d is not rational: normal %v", j, f.N)
		}
		add := func(local [3]float64) {
			d := rationalDof{particle: j}
			for a := range 3 {
				l := short(local[a])
				for c := range 3 {
					d.direction[c] = d.direction[c].Add(l.Mul(axes[a][c]))
				}
			}
			x.first[j] = append(x.first[j], len(x.dofs))
			x.dofs = append(x.dofs, d)
		}
		for i := p.first[j]; i < p.first[j+1]; i++ {
			add(p.Dofs[i].Direction)
		}
	}
	for j := range p.System.N() {
		if p.hasFriction(j) {
			t := p.tangent[j]
			d := rationalDof{particle: j}
			f := p.System.Frame(j)
			for c := range 3 {
				d.direction[c] = short(-t[1]).Mul(short(f.T[c])).Add(short(t[0]).Mul(short(f.O[c])))
			}
			x.first[j] = append(x.first[j], len(x.dofs))
			x.dofs = append(x.dofs, d)
			if l := x.dofs[x.first[j][0]].direction; inner(l, l).Compare(x.at0(1)) != 0 {
				return fmt.Errorf("events: the direction (%g, %g) in which particle %d moves is not rational", t[0], t[1], j)
			}
		}
	}
	return nil
}

func orthonormal(a [][3]Rational) bool {
	one := Rational{}.Of(1)
	for i := range a {
		for j := range i + 1 {
			d := inner(a[i], a[j])
			if i == j && d.Compare(one) != 0 || i != j && d.Sign() != 0 {
				return false
			}
		}
	}
	return true
}

// Spring implements [particles.Terms].
func (x *exact) Spring(k particles.Stiffness, d particles.Stretch) {
	s := spring{i: d.I, j: d.J, anchor: d.Anchor}
	for e, v := range k {
		s.k[e] = x.at0(v)
	}
	for c := range 3 {
		s.offset[c] = x.at[3*d.I+c].Sub(x.at0(d.Near[c])).Add(x.at0(d.Far[c]))
		if d.J >= 0 {
			s.offset[c] = s.offset[c].Sub(x.at[3*d.J+c])
		}
		s.stretch = s.stretch || s.offset[c].Sign() != 0
	}
	if s.stretch || s.anchor != nil {
		x.springs = append(x.springs, s)
	}
	for _, a := range x.first[d.I] {
		kd := s.times(x.dofs[a].direction)
		for _, b := range x.first[d.I] {
			x.add(a, b, inner(kd, x.dofs[b].direction))
		}
		if d.J >= 0 {
			for _, b := range x.first[d.J] {
				v := inner(kd, x.dofs[b].direction)
				x.add(a, b, Rational{}.Sub(v))
				x.add(b, a, Rational{}.Sub(v))
			}
		}
	}
	if d.J >= 0 {
		for _, a := range x.first[d.J] {
			kd := s.times(x.dofs[a].direction)
			for _, b := range x.first[d.J] {
				x.add(a, b, inner(kd, x.dofs[b].direction))
			}
		}
	}
}

// Gauge implements [particles.Terms].
func (x *exact) Gauge(k float64, r particles.Reading) {
	g := gauge{k: x.at0(k), particles: r.Particles, anchor: r.Anchor}
	for c := range 3 {
		g.e[c] = short(r.Axis[c])
		if g.anchor != nil {
			v, _ := value(g.anchor[c], Rational{})
			g.start = g.start.Add(g.e[c].Mul(v))
		}
	}
	for _, s := range r.Sign {
		g.sign = append(g.sign, x.at0(s))
	}
	for m, i := range g.particles {
		for l, j := range g.particles {
			for _, a := range x.first[i] {
				v := g.k.Mul(g.sign[m]).Mul(g.sign[l]).Mul(inner(g.e, x.dofs[a].direction))
				for _, b := range x.first[j] {
					x.add(a, b, v.Mul(inner(g.e, x.dofs[b].direction)))
				}
			}
		}
	}
	if g.anchor != nil {
		x.gauges = append(x.gauges, g)
	}
}

// pull adds the loads of the anchor of a gauge, or their rates, and returns the energy at z_0.
func (x *exact) pull(f []Rational, g *gauge, t Rational, rate bool) Rational {
	var s Rational
	if !rate {
		s = g.start
	}
	for c := range 3 {
		v, dv := value(g.anchor[c], t)
		if rate {
			v = dv
		}
		s = s.Sub(g.e[c].Mul(v))
	}
	force := g.k.Mul(s)
	for m, j := range g.particles {
		for _, i := range x.first[j] {
			f[i] = f[i].Sub(force.Mul(g.sign[m]).Mul(inner(g.e, x.dofs[i].direction)))
		}
	}
	return t.Of(0.5).Mul(force).Mul(s)
}

func (s *spring) times(d [3]Rational) (f [3]Rational) {
	for r := range 3 {
		f[r] = inner([3]Rational{s.k[3*r], s.k[3*r+1], s.k[3*r+2]}, d)
	}
	return f
}

func (x *exact) add(a, b int, v Rational) {
	if v.Sign() != 0 {
		x.rows[[2]int{a, b}] = x.rows[[2]int{a, b}].Add(v)
	}
}

// Force implements [particles.Terms].
func (x *exact) Force(particle int, f particles.Path, factor float64) {
	for c := range 3 {
		x.forces = append(x.forces, push{3*particle + c, f[c], x.at0(factor), Rational{}})
	}
}

// Load implements [particles.Terms].
func (x *exact) Load(a int, ref float64, f signal.Scalar) {
	x.forces = append(x.forces, push{a, f, x.at0(1), x.at0(ref)})
}

// Product implements [particles.Terms]. The displacement from the reference at the start
// must vanish, which it does in a case.
func (x *exact) Product(a, b int, refA, refB, v float64) {
	if x.at[a].Compare(x.at0(refA)) != 0 || x.at[b].Compare(x.at0(refB)) != 0 {
		x.err = fmt.Errorf("events: a quadratic form about another position than the start has no proof in rational numbers")
		return
	}
	value := x.at0(v)
	for _, i := range x.first[a/3] {
		for _, j := range x.first[b/3] {
			w := value.Mul(x.dofs[i].direction[a%3]).Mul(x.dofs[j].direction[b%3])
			x.add(i, j, w)
			if a != b {
				x.add(j, i, w)
			}
		}
	}
}

// kinks lists the times of the rows of all tables.
func (x *exact) kinks() {
	visit := func(f signal.Scalar) { x.rowsOf(f) }
	for _, s := range x.springs {
		for _, f := range s.anchor {
			visit(f)
		}
	}
	for _, g := range x.gauges {
		for _, f := range g.anchor {
			visit(f)
		}
	}
	for _, f := range x.forces {
		visit(f.f)
	}
	slices.SortFunc(x.breaks, Rational.Compare)
	x.breaks = slices.CompactFunc(x.breaks, func(a, b Rational) bool { return a.Compare(b) == 0 })
}

func (x *exact) rowsOf(f signal.Scalar) {
	switch f := f.(type) {
	case *signal.Table:
		times, _ := f.Rows()
		for _, t := range times {
			if t > 0 && t < x.p.Until {
				x.breaks = append(x.breaks, x.at0(t))
			}
		}
	case signal.Sum:
		for _, s := range f {
			x.rowsOf(s)
		}
	case signal.Constant:
	default:
		x.err = fmt.Errorf("events: a load is no table and no constant (%T), so that there is no proof in rational numbers", f)
	}
}

// value returns f(t) and its right derivative.
func value(f signal.Scalar, t Rational) (v, rate Rational) {
	switch f := f.(type) {
	case signal.Constant:
		return v.Of(float64(f)), rate
	case signal.Sum:
		for _, s := range f {
			a, b := value(s, t)
			v, rate = v.Add(a), rate.Add(b)
		}
	case *signal.Table:
		times, values := f.Rows()
		// first row after t
		k := slices.IndexFunc(times, func(s float64) bool { return v.Of(s).Compare(t) > 0 })
		switch k {
		case 0:
			return v.Of(values[0]), rate
		case -1:
			return v.Of(values[len(values)-1]), rate
		}
		t0, v0 := v.Of(times[k-1]), v.Of(values[k-1])
		rate = v.Of(values[k]).Sub(v0).Quo(v.Of(times[k]).Sub(t0))
		return v0.Add(rate.Mul(t.Sub(t0))), rate
	}
	return v, rate
}

// exactSource is the source of the form.
type exactSource struct{ *exact }

// Load implements [Source].
func (s exactSource) Load(f []Rational, t Rational) Rational {
	c := s.all(s.fixed, t, false)
	copy(f, s.fixed)
	return c
}

// Rate implements [Source].
func (s exactSource) Rate(df []Rational, t Rational) {
	s.all(s.fixed, t, true)
	copy(df, s.fixed)
}

// Breaks implements [Source].
func (s exactSource) Breaks() []Rational { return s.breaks }

// Frequency implements [Source].
func (s exactSource) Frequency() float64 { return 0 }

// all stores the loads of all dofs, also across, or their rates, and returns E(t, z_0).
func (x *exact) all(f []Rational, t Rational, rate bool) (c Rational) {
	clear(f)
	half := t.Of(0.5)
	for k := range x.springs {
		s := &x.springs[k]
		if rate && s.anchor == nil {
			continue
		}
		d := s.offset
		if rate {
			d = [3]Rational{}
		}
		for a := range s.anchor {
			v, dv := value(s.anchor[a], t)
			if rate {
				v = dv
			}
			d[a] = d[a].Sub(v)
		}
		force := s.times(d)
		c = c.Add(half.Mul(inner(force, d)))
		for _, i := range x.first[s.i] {
			f[i] = f[i].Sub(inner(force, x.dofs[i].direction))
		}
		if s.j >= 0 {
			for _, i := range x.first[s.j] {
				f[i] = f[i].Add(inner(force, x.dofs[i].direction))
			}
		}
	}
	for k := range x.gauges {
		c = c.Add(x.pull(f, &x.gauges[k], t, rate))
	}
	for _, g := range x.forces {
		v, dv := value(g.f, t)
		if rate {
			v = dv
		}
		if v = v.Mul(g.factor); v.Sign() == 0 {
			continue
		}
		c = c.Sub(v.Mul(x.at[g.a].Sub(g.ref)))
		for _, i := range x.first[g.a/3] {
			f[i] = f[i].Add(v.Mul(x.dofs[i].direction[g.a%3]))
		}
	}
	return c
}

// contacts lists the contacts with exact friction and gaps.
func (x *exact) contacts(f *Form[Rational]) error {
	p := x.p
	for _, c := range p.contacts() {
		j := p.Dofs[c.N].Particle
		frame := p.System.Frame(j)
		normal := x.dofs[c.N].direction
		var gap Rational
		for a := range 3 {
			gap = gap.Add(normal[a].Mul(x.at[3*j+a].Sub(x.at0(frame.P[a]))))
		}
		if gap.Sign() < 0 || (gap.Sign() == 0) != (c.Gap == 0) {
			return fmt.Errorf("events: particle %d starts at the height %s m of its obstacle, and as a decimal at %s", j, gap, c.Gap)
		}
		f.Contacts = append(f.Contacts, Contact[Rational]{c.T, c.N, short(float64(c.Mu)), gap})
	}
	return x.corners(f)
}

// corners lists the corners with exact normals, friction and gaps.
func (x *exact) corners(f *Form[Rational]) error {
	p := x.p
	for _, c := range p.corners() {
		j := p.Dofs[c.Dof].Particle
		exact := Corner[Rational]{Dof: c.Dof}
		for k, slot := range p.faces(j) {
			frame := p.System.ContactFrame(slot)
			normal, gap := [3]Rational{}, Rational{}
			for a := range 3 {
				normal[a] = short(frame.N[a])
				gap = gap.Add(normal[a].Mul(x.at[3*j+a].Sub(x.at0(frame.P[a]))))
			}
			if !orthonormal([][3]Rational{normal}) {
				return fmt.Errorf("events: the normal %v of an obstacle of particle %d is not rational", frame.N, j)
			}
			if gap.Sign() < 0 || (gap.Sign() == 0) != (c.Faces[k].Gap == 0) {
				return fmt.Errorf("events: particle %d starts at the height %s m of its obstacle, and as a decimal at %s",
					j, gap, c.Faces[k].Gap)
			}
			face := Face[Rational]{Mu: short(float64(c.Faces[k].Mu)), Gap: gap}
			for i, d := range x.first[j] {
				face.N[i] = inner(normal, x.dofs[d].direction)
			}
			exact.Faces = append(exact.Faces, face)
		}
		if _, err := exact.supports(); err != nil {
			return err
		}
		f.Corners = append(f.Corners, exact)
	}
	return nil
}

// matrix stores the rows of H of the plane, and checks that nothing pulls across.
func (x *exact) matrix(f *Form[Rational]) error {
	n := f.N
	cols := make([][]int, n)
	for at, v := range x.rows {
		switch {
		case v.Sign() == 0:
		case at[0] < n && at[1] < n:
			cols[at[0]] = append(cols[at[0]], at[1])
		case at[0] < n || at[1] < n:
			return &SpaceError{x.dofs[max(at[0], at[1])].particle, "a neighbour pulls across its direction, exactly"}
		}
	}
	for i := range n {
		slices.Sort(cols[i])
		f.Ptr = append(f.Ptr, len(f.Col))
		for _, j := range cols[i] {
			f.Col, f.Val = append(f.Col, j), append(f.Val, x.rows[[2]int{i, j}])
		}
	}
	f.Ptr = append(f.Ptr, len(f.Col))
	for _, t := range append([]Rational{{}, x.at0(x.p.Until)}, x.breaks...) {
		x.all(x.fixed, t, false)
		for i := n; i < len(x.dofs); i++ {
			if x.fixed[i].Sign() != 0 {
				return &SpaceError{x.dofs[i].particle, "a load pulls across its direction, exactly"}
			}
		}
	}
	f.Source = exactSource{x}
	return x.err
}
