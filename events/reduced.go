package events

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// Reduced is a system of particles with the dofs that move: z = z_0 + B q.
type Reduced struct {
	System *particles.System // of all particles
	Start  []float64         // z_0, local coordinates
	Until  float64           // time up to which loads are looked at [s]
	// Particle is the number of that of each contact, Slot that of the contact in the system.
	Particle, Slot []int
	// Dofs are the columns of B.
	Dofs []Dof

	psi      *dissipation.Coulomb
	first    []int  // first dof of each particle
	cornered []bool // particles that walk as a [Corner]
	// of corners with friction that is not round, the direction across their plane; nil: of the
	// others
	across [][]float64
}

// Dof is a direction of a particle, in local coordinates.
type Dof struct {
	Particle  int        // by number
	Direction [3]float64 // of length 1, but for friction with axes
}

// ErrNotQuadratic is an energy that no walk takes.
var ErrNotQuadratic = errors.New("the energy is not quadratic: D²E is not constant")

// reduce checks that D²E and friction are constant.
func reduce(psi *dissipation.Coulomb, z0 []float64, until float64) (*Reduced, error) {
	sys := psi.System
	switch {
	case sys.Charts():
		return nil, errors.New("an obstacle is curved or moves")
	case !sys.ConstantHessian():
		return nil, ErrNotQuadratic
	case psi.Timed():
		return nil, errors.New("friction changes with time")
	}
	p := &Reduced{System: sys, Start: slices.Clone(z0), Until: until, psi: psi, cornered: make([]bool, sys.N()),
		across: make([][]float64, sys.N())}
	for c, m := range psi.Matrices {
		j := sys.ContactParticle(c)
		if m != nil && !m.Constant() {
			return nil, &SpaceError{j, "its friction varies along the way"}
		}
		if p.cornered[j] = sys.Cornered(j); p.cornered[j] && p.across[j] == nil {
			if _, round := p.mu(c); !round {
				if p.across[j] = p.bends(j); p.across[j] == nil {
					return nil, &SpaceError{j, "it has several obstacles, and the friction of one is not the same in all directions"}
				}
			}
		}
	}
	for c := range psi.Matrices {
		if j := sys.ContactParticle(c); p.across[j] != nil {
			if _, along := p.mu(c); !along {
				return nil, &SpaceError{j, "it has several obstacles, and the friction of one is not the same in all directions, with axes oblique to the plane in which it moves"}
			}
		}
	}
	return p, nil
}

// bends returns the direction across the plane in which a corner moves, nil if it moves in none:
// that of its normals, if its loads are in it, nothing couples it with what lies across, and it is
// tied to no other particle.
func (p *Reduced) bends(j int) []float64 {
	var e [3]float64
	largest, faces := 0.0, p.faces(j)
	normals := make([][3]float64, len(faces))
	for i, c := range faces {
		normals[i], _, _ = p.System.ContactAxes(0, c, p.Start)
		for k := range i {
			a, b := normals[k], normals[i]
			v := [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
			if l := math.Hypot(math.Hypot(v[0], v[1]), v[2]); l > largest {
				e, largest = [3]float64{v[0] / l, v[1] / l, v[2] / l}, l
			}
		}
	}
	along := func(v [3]float64) bool { // v has no part along e
		return math.Abs(v[0]*e[0]+v[1]*e[1]+v[2]*e[2]) <= parallel*math.Hypot(math.Hypot(v[0], v[1]), v[2])
	}
	if largest < math.Sqrt(dependentFaces) || slices.ContainsFunc(normals, func(n [3]float64) bool { return !along(n) }) {
		return nil
	}
	g := make([]float64, len(p.Start))
	for _, t := range p.times() {
		p.System.Gradient(g, nil, t, p.Start)
		if !along([3]float64(g[3*j : 3*j+3])) {
			return nil
		}
	}
	h := p.System.Hessian(0, p.Start)
	var own [3][3]float64
	for c := range h.N {
		for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
			switch r, v := h.Row[k], h.Val[k]; {
			case r/3 == j && c/3 == j:
				own[r%3][c%3], own[c%3][r%3] = v, v
			case (r/3 == j || c/3 == j) && v != 0:
				return nil
			}
		}
	}
	var pull, rest [3]float64 // what a motion along e meets, and what of it is not along e
	stiff := 0.0
	for r := range 3 {
		for c := range 3 {
			pull[r] += own[r][c] * e[c]
		}
		stiff += pull[r] * e[r]
	}
	for r := range 3 {
		rest[r] = pull[r] - stiff*e[r]
	}
	if math.Hypot(math.Hypot(rest[0], rest[1]), rest[2]) > parallel*math.Abs(stiff) {
		return nil
	}
	return e[:]
}

// hasFriction reports whether particle j has friction along a direction that is known.
func (p *Reduced) hasFriction(j int) bool {
	return !p.cornered[j] && p.System.Constrained(j) && p.psi.Size(0, j, p.Start) > 0
}

// mu returns the friction of a contact; false: it is not the same in all directions, or, of a
// corner that moves in a plane, not along that.
func (p *Reduced) mu(c int) (float64, bool) {
	m := p.psi.Matrices[c]
	if m == nil {
		return 0, true
	}
	u, v := p.System.Spot(0, c, p.Start)
	s := m.At(u, v, nil)
	if e := p.across[p.System.ContactParticle(c)]; e != nil {
		_, t, o := p.System.ContactAxes(0, c, p.Start)
		x, y := t[0]*e[0]+t[1]*e[1]+t[2]*e[2], o[0]*e[0]+o[1]*e[1]+o[2]*e[2]
		ex, ey := s[0]*x+s[1]*y, s[2]*x+s[3]*y   // S across
		tx, ty := -s[0]*y+s[1]*x, -s[2]*y+s[3]*x // S along the plane
		mu := math.Hypot(tx, ty)
		return mu * p.psi.Factor(c, 0), math.Abs(ex*tx+ey*ty) <= parallel*mu*math.Hypot(ex, ey)
	}
	a, b := math.Hypot(s[0], s[2]), math.Hypot(s[1], s[3])
	return a * p.psi.Factor(c, 0), math.Abs(a-b) <= parallel*a && math.Abs(s[0]*s[1]+s[2]*s[3]) <= parallel*a*a
}

// slender is the largest ratio of the coefficients of friction with axes that walks as a corner:
// steps grow with its square, 5,500 of a particle that slips for 2 s at 100, 86,000 at 400, and
// what rounding leaves of (E) with them. From 200 on walks are seen that it keeps from being
// certified.
const slender = 300

// tangents returns those along which a particle with one obstacle, whose friction has axes, walks
// as a [Corner]: with its friction matrix S = μR the coordinates u = R z_T, μ being the mean of the
// axes, so that its cone is a round one, |r_u| <= μσ. False: its friction is round, or acts along
// one direction only, nearly.
func (p *Reduced) tangents(j int) (t, o [3]float64, mu float64, ok bool) {
	if !p.System.Constrained(j) || p.System.Cornered(j) || p.psi.Matrices[j] == nil {
		return t, o, 0, false
	}
	if _, round := p.mu(j); round {
		return t, o, 0, false
	}
	u, v := p.System.Spot(0, j, p.Start)
	s := p.psi.Matrices[j].At(u, v, nil)
	square := (s[0]*s[0] + s[1]*s[1] + s[2]*s[2] + s[3]*s[3]) / 2
	det := s[0]*s[3] - s[1]*s[2]
	// the sum and the product of the squares of the coefficients
	if math.Abs(det)*(slender+1/slender) < 2*square {
		return t, o, 0, false
	}
	mu = math.Sqrt(square)
	f := mu / det
	return [3]float64{s[3] * f, -s[2] * f, 0}, [3]float64{-s[1] * f, s[0] * f, 0}, mu * p.psi.Factor(j, 0), true
}

// turns reports whether the direction of slip of particle j may be one that is found when it slips:
// friction is round, or so in coordinates of its own.
func (p *Reduced) turns(j int) bool {
	_, round := p.mu(j)
	if !round {
		_, _, _, round = p.tangents(j)
	}
	return round
}

// Oblique reports whether particle j walks in coordinates that are no lengths along orthonormal
// axes: its friction has axes.
func (p *Reduced) Oblique(j int) bool {
	_, _, _, oblique := p.tangents(j)
	return p.cornered[j] && oblique
}

// Across returns the direction of a force that works with no dof of its particle but the i-th, and
// with that by 1: of orthonormal ones the direction itself.
func (p *Reduced) Across(i int) [3]float64 {
	d := p.Dofs[i]
	k := i - p.first[d.Particle]
	if k > 1 || !p.Oblique(d.Particle) {
		return d.Direction
	}
	other := p.Dofs[p.first[d.Particle]+1-k].Direction
	det := d.Direction[0]*other[1] - d.Direction[1]*other[0]
	return [3]float64{other[1] / det, -other[0] / det, 0}
}

// faces lists the contacts of a corner, as the system numbers them.
func (p *Reduced) faces(j int) []int {
	var own []int
	if p.System.Constrained(j) {
		own = []int{j}
	}
	return append(own, p.System.Beside(j)...)
}

// corners lists those of a form.
func (p *Reduced) corners() (list []Corner[Real]) {
	for j, is := range p.cornered {
		if !is {
			continue
		}
		c := Corner[Real]{Dof: p.first[j]}
		for _, slot := range p.faces(j) {
			f := Face[Real]{Gap: Real(p.System.Height(0, slot, p.Start))}
			if p.System.Touches(0, slot, p.Start) {
				f.Gap = 0
			}
			n, _, _ := p.System.ContactAxes(0, slot, p.Start)
			for i := range n {
				f.N[i] = Real(n[i])
			}
			mu, _ := p.mu(slot)
			if _, _, mean, oblique := p.tangents(j); oblique {
				mu = mean
			}
			f.Mu = Real(mu)
			c.Faces = append(c.Faces, f)
		}
		if p.Oblique(j) {
			for i := range 2 {
				c.Tangents[i] = p.Dofs[p.first[j]+i].Direction
			}
		}
		list = append(list, c)
	}
	return list
}

// numberCorners numbers the contacts of the corners, after all others.
func (p *Reduced) numberCorners() {
	for j, is := range p.cornered {
		if !is {
			continue
		}
		for _, slot := range p.faces(j) {
			p.Particle, p.Slot = append(p.Particle, j), append(p.Slot, slot)
		}
	}
}

// form returns the problem of contacts in float64.
func (p *Reduced) form(contacts []Contact[Real]) (*Form[Real], error) {
	s, err := newSource(p)
	if err != nil {
		return nil, err
	}
	f := &Form[Real]{N: len(p.Dofs), Contacts: contacts, Corners: p.corners(), Source: s}
	near := p.entries()
	for i := range f.N {
		f.Ptr = append(f.Ptr, len(f.Col))
		for _, e := range near[i] {
			f.Col, f.Val = append(f.Col, e.col), append(f.Val, Real(e.value))
		}
	}
	f.Ptr = append(f.Ptr, len(f.Col))
	f.Grain = p.grain(f)
	return f, nil
}

type entry struct {
	col   int
	value float64
}

// entries returns the rows of BᵀHB, entries that vanish by the reduction left out.
func (p *Reduced) entries() [][]entry {
	h := p.System.Hessian(0, p.Start)
	rows := make([][]entry, len(p.Dofs))
	// project adds v·(component of dof a)·(component of dof b) for local entry (r, c).
	project := func(r, c int, v float64) {
		for a := p.first[r/3]; a < p.first[r/3+1]; a++ {
			x := p.Dofs[a].Direction[r%3]
			if x == 0 {
				continue
			}
			for b := p.first[c/3]; b < p.first[c/3+1]; b++ {
				if y := p.Dofs[b].Direction[c%3]; y != 0 {
					add(&rows[a], b, x*v*y)
				}
			}
		}
	}
	for c := range h.N {
		for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
			if r, v := h.Row[k], h.Val[k]; v != 0 {
				project(r, c, v)
				if r != c {
					project(c, r, v)
				}
			}
		}
	}
	for i := range rows {
		slices.SortFunc(rows[i], func(a, b entry) int { return a.col - b.col })
	}
	return rows
}

func add(row *[]entry, col int, v float64) {
	for k := range *row {
		if (*row)[k].col == col {
			(*row)[k].value += v
			return
		}
	}
	*row = append(*row, entry{col, v})
}

// State stores z = z_0 + B q, local coordinates. A contact that is closed has the height
// 0 exactly.
func (p *Reduced) State(z []float64, q func(i int) float64) {
	copy(z, p.Start)
	for i, d := range p.Dofs {
		v := q(i)
		for c, x := range d.Direction {
			if x != 0 {
				z[3*d.Particle+c] += x * v
			}
		}
	}
}

// Reduce stores Bᵀg in f, with the sign given.
func (p *Reduced) reduce(f []Real, g []float64, sign float64) {
	for i, d := range p.Dofs {
		var sum float64
		for c, x := range d.Direction {
			if x != 0 {
				sum += x * g[3*d.Particle+c]
			}
		}
		f[i] = Real(sign * sum)
	}
}

// First returns the first dof of a particle.
func (p *Reduced) First(j int) int { return p.first[j] }

// Normal returns the dof of the normal of a particle with an obstacle.
func (p *Reduced) Normal(j int) int { return p.first[j+1] - 1 }

// grain is what forces are rounded by because particles are far from the origin: four ulps of what
// a spring from there would pull with [N].
func (p *Reduced) grain(form *Form[Real]) []float64 {
	x := make([]float64, len(p.Start))
	p.System.ToGlobal(x, p.Start)
	far := make([]float64, len(p.Dofs))
	for i, d := range p.Dofs {
		at := max(math.Abs(x[3*d.Particle]), math.Abs(x[3*d.Particle+1]), math.Abs(x[3*d.Particle+2]))
		far[i] = at / math.Sqrt(d.Direction[0]*d.Direction[0]+d.Direction[1]*d.Direction[1]+d.Direction[2]*d.Direction[2])
	}
	grain := make([]float64, form.N)
	for i := range form.N {
		for k := form.Ptr[i]; k < form.Ptr[i+1]; k++ {
			grain[i] += 4 * 0x1p-52 * abs(float64(form.Val[k])) * far[form.Col[k]]
		}
	}
	return grain
}

// SpaceError is a particle that moves in no plane, or on no flat ground of constant friction.
type SpaceError struct {
	Particle int    // by number
	Reason   string // why it is none
}

// Error implements error.
func (e *SpaceError) Error() string {
	return fmt.Sprintf("events: particle %d: %s", e.Particle, e.Reason)
}

// times are those at which loads are looked at: kinks, ends and, of smooth loads, more.
func (p *Reduced) times() []float64 {
	list := append([]float64{0}, p.System.Breaks(nil, 0, p.Until)...)
	list = append(list, p.Until)
	bound := make([]float64, len(p.Start))
	if p.System.TimeBound(bound, 2) && !slices.ContainsFunc(bound, func(v float64) bool { return v != 0 }) {
		return list
	}
	const many = 257 // a prime: no period of a table divides it
	for k := 1; k < many; k++ {
		list = append(list, p.Until*float64(k)/many)
	}
	return list
}
