package events

import (
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// Reduced is a system of particles with the dofs that move: z = z_0 + B q.
type Reduced struct {
	System *particles.System
	Start  []float64 // z_0, local coordinates
	Until  float64
	// Particle is the number of that of each contact, Slot that of the contact in the system.
	Particle, Slot []int
	// Dofs are the columns of B.
	Dofs []Dof

	psi      *dissipation.Coulomb
	first    []int  // first dof of each particle
	cornered []bool // particles that walk as a [Corner]
}

// Dof is a direction of a particle, in local coordinates.
type Dof struct {
	Particle  int
	Direction [3]float64
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
	p := &Reduced{System: sys, Start: slices.Clone(z0), Until: until, psi: psi, cornered: make([]bool, sys.N())}
	for c, m := range psi.Matrices {
		j := sys.ContactParticle(c)
		if m != nil && !m.Constant() {
			return nil, &SpaceError{j, "its friction varies along the way"}
		}
		if p.cornered[j] = sys.Cornered(j); p.cornered[j] {
			if _, round := p.mu(c); !round {
				return nil, &SpaceError{j, "it has several obstacles, and the friction of one is not the same in all directions"}
			}
		}
	}
	return p, nil
}

// rubs reports whether particle j has friction along a direction that is known.
func (p *Reduced) rubs(j int) bool {
	return !p.cornered[j] && p.System.Constrained(j) && p.psi.Size(0, j, p.Start) > 0
}

// mu returns the friction of a contact; false: it is not the same in all directions.
func (p *Reduced) mu(c int) (float64, bool) {
	m := p.psi.Matrices[c]
	if m == nil {
		return 0, true
	}
	u, v := p.System.Spot(0, c, p.Start)
	s := m.At(u, v, nil)
	a, b := math.Hypot(s[0], s[2]), math.Hypot(s[1], s[3])
	return a * p.psi.Factor(c, 0), math.Abs(a-b) <= parallel*a && math.Abs(s[0]*s[1]+s[2]*s[3]) <= parallel*a*a
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
			f.Mu = Real(mu)
			c.Faces = append(c.Faces, f)
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

// grain is what forces are rounded by because particles are far from the origin: four ulps of what a spring from
// there would pull with [N].
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
