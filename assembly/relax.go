package assembly

import (
	"math"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A generator is a column of the program: of the reaction of a contact, of τ (contact -1), or of a
// velocity or an energy (contact -2).
type generator struct {
	contact int
	weight  [3]float64
}

// A builder makes the program of a node. Its rows are, with z = Lᵀv,
//
//	z = τ L⁻¹f + L⁻¹H r      nv
//	(L⁻¹H_N)ᵀz = u_N         of each contact
//	(L⁻¹H_q)ᵀz = q           of each joint of which it is said how it slides
//	(L⁻¹f)·z = 1
//	Σ t_b ≤ τ                with ‖z_b‖² ≤ t_b: (t_b + 1, t_b − 1, 2 z_b)/2 in the cone, a row a block
type builder struct {
	d       *search
	p       *conic.Problem
	columns []generator
	slipRow []int // of each joint: the first row of q; -1 if it is free
	arcRow  []int // of each contact: the row of its arc; -1 for none
	sectors []sector
	power   int
	energy  int
	at      []int
	values  []float64
}

// program is that of a node; held are the directions of slips that are not to be those of its sector.
func (d *search) program(n *node, held map[int][2]float64) (*conic.Problem, []generator) {
	s := d.s
	b := &builder{d: d, slipRow: make([]int, len(d.joints)), arcRow: make([]int, len(s.contacts)), sectors: d.sectors(n)}
	rows := s.nv + len(s.contacts)
	for k := range d.joints {
		if b.slipRow[k] = -1; n.along[k].kind != free && d.joints[k].mu > 0 {
			b.slipRow[k] = rows
			rows += len(d.joints[k].motions)
		}
	}
	for j := range s.contacts {
		if b.arcRow[j] = -1; n.normal[j] != opened && b.sectors[j].wide() && len(held) == 0 {
			b.arcRow[j] = rows
			rows++
		}
	}
	b.power, b.energy = rows, rows+1
	rows += 2 + len(s.mass)
	b.p = &conic.Problem{B: make([]float64, rows)}
	b.p.A.Rows = rows
	b.p.B[b.power] = 1
	b.time()
	b.velocities()
	for j := range s.contacts {
		b.reactions(j, n.normal[j], held)
		if n.normal[j] != shut {
			b.put(s.nv+j, -1)
			b.push(generator{contact: -2}, 1)
		}
	}
	for k := range d.joints {
		b.slides(k, &n.along[k])
	}
	b.p.C = make([]float64, b.p.A.Cols())
	return b.p, b.columns
}

func (b *builder) put(row int, v float64) {
	if row >= 0 {
		b.at, b.values = append(b.at, row), append(b.values, v)
	}
}

// push ends a column, the first of a cone if that has a dimension.
func (b *builder) push(g generator, cone int) {
	b.p.A.Column(b.at, b.values)
	b.columns = append(b.columns, g)
	if cone > 0 {
		b.p.Cones = append(b.p.Cones, cone)
	}
	b.at, b.values = b.at[:0], b.values[:0]
}

// time is the column of τ, and that of the energy that is left over.
func (b *builder) time() {
	for i, v := range b.d.fRoot {
		b.put(i, -v)
	}
	b.put(b.energy, -1)
	b.push(generator{contact: -1}, 1)
	b.put(b.energy, 1)
	b.push(generator{contact: -2}, 1)
}

// velocities are, for each block, (t + 1)/2, (t − 1)/2 and z/1 in a cone: ‖z‖² ≤ t.
func (b *builder) velocities() {
	s := b.d.s
	type entry struct {
		row   int
		value float64
	}
	columns := make([][]entry, s.nv)
	add := func(row int, rows []int, values []float64) {
		for k, at := range rows {
			columns[at] = append(columns[at], entry{row, values[k]})
		}
	}
	for j := range s.contacts {
		add(s.nv+j, s.contacts[j].rows, b.d.hRoot[j][0])
	}
	for k := range b.d.joints {
		if joint := &b.d.joints[k]; b.slipRow[k] >= 0 {
			for m := range joint.motions {
				add(b.slipRow[k]+m, s.contacts[joint.corners[0]].rows, joint.roots[m])
			}
		}
	}
	for block := range s.mass {
		difference := b.energy + 1 + block
		// first + second = t, first − second = 1
		b.p.B[difference] = 1
		b.put(difference, 1)
		b.put(b.energy, 1)
		b.push(generator{contact: -2}, s.per+2)
		b.put(difference, -1)
		b.put(b.energy, 1)
		b.push(generator{contact: -2}, 0)
		for i := range s.per {
			row := block*s.per + i
			b.put(row, 1)
			b.put(b.power, b.d.fRoot[row])
			for _, e := range columns[row] {
				b.put(e.row, e.value)
			}
			b.push(generator{contact: -2}, 0)
		}
	}
}

// reaction is a column of a reaction along weight.
func (b *builder) reaction(j int, weight [3]float64, cone int) {
	for k, row := range b.d.s.contacts[j].rows {
		sum := 0.
		for e := range b.d.s.dim {
			sum += weight[e] * b.d.hRoot[j][e][k]
		}
		b.put(row, -sum)
	}
	b.push(generator{j, weight}, cone)
}

func (b *builder) reactions(j int, n normal, held map[int][2]float64) {
	mu, dim := b.d.s.contacts[j].mu, b.d.s.dim
	switch sector := b.sectors[j]; {
	case n == opened:
	case mu == 0:
		b.reaction(j, [3]float64{1}, 1)
	case b.arcRow[j] >= 0:
		b.arc(j, sector)
	case sector.known:
		corners := sector.corners(dim)
		if e, ok := held[j]; ok {
			corners = [][2]float64{e}
		}
		for _, e := range corners {
			b.reaction(j, [3]float64{1, -mu * e[0], -mu * e[1]}, 1)
		}
	default:
		b.reaction(j, [3]float64{1 / mu}, dim)
		b.reaction(j, [3]float64{0, 1}, 0)
		if dim == 3 {
			b.reaction(j, [3]float64{0, 0, 1}, 0)
		}
	}
}

// arc is the hull of the reactions of a sector: r ∈ K, −r_T·m ≥ μ r_N cos of half of it, m its middle.
func (b *builder) arc(j int, c sector) {
	mu, row := b.d.s.contacts[j].mu, b.arcRow[j]
	sin, cos := math.Sincos((c.from + c.to) / 2)
	b.put(row, -math.Cos((c.to-c.from)/2))
	b.reaction(j, [3]float64{1 / mu}, 3)
	b.put(row, -cos)
	b.reaction(j, [3]float64{0, 1}, 0)
	b.put(row, -sin)
	b.reaction(j, [3]float64{0, 0, 1}, 0)
	b.put(row, -1)
	b.push(generator{contact: -2}, 1)
}

// slides are the columns of what q of a joint may be.
func (b *builder) slides(k int, a *along) {
	if b.slipRow[k] < 0 || a.kind != sliding {
		return
	}
	for _, q := range a.cone {
		for m := range b.d.joints[k].motions {
			b.put(b.slipRow[k]+m, -q[m])
		}
		b.push(generator{contact: -2}, 1)
	}
}
