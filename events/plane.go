package events

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
)

// Plane is a system of particles reduced to the dofs that move, where a contact with
// friction has one tangent.
type Plane struct {
	Reduced
	tangent [][2]float64 // of each particle with friction
	// why the first particle walks as a [Corner] that has none beside it; nil: all move in planes,
	// or beside corners
	askew *SpaceError
}

// Askew returns why the first particle of one obstacle walks as a [Corner] where none has several:
// nil where all move in planes, or beside corners.
func (p *Plane) Askew() *SpaceError { return p.askew }

// NewPlane reduces a system, until a time. Particles with several obstacles walk as a [Corner], and
// those that are pulled in more than one direction too, unless their friction acts along one
// direction only. It fails where D²E or friction is not constant (nor is D²E where obstacles are
// curved or move), for loads whose derivatives are not known, and with a [*SpaceError].
func NewPlane(psi *dissipation.Coulomb, z0 []float64, until float64) (*Plane, error) {
	r, err := reduce(psi, z0, until)
	if err != nil {
		return nil, err
	}
	p := &Plane{Reduced: *r, tangent: make([][2]float64, r.System.N())}
	near := p.neighbours()
	for {
		err := p.directions(near)
		if err == nil {
			break
		}
		across, ok := errors.AsType[*SpaceError](err)
		if !ok {
			return nil, err
		}
		if !p.turns(across.Particle) {
			return nil, &SpaceError{across.Particle,
				fmt.Sprintf("%s; its friction acts along one direction only, or there more than %d times as much as across",
					across.Reason, slender)}
		}
		if p.askew == nil && !slices.Contains(p.cornered, true) {
			p.askew = across
		}
		p.corner(across.Particle, near)
	}
	p.number()
	return p, nil
}

// corner lets a particle walk as a [Corner] of one face, and with it those that it pulls in more
// than one direction, for they have no tangent either.
func (p *Plane) corner(j int, near [][]coupling) {
	p.cornered[j] = true
	for queue := []int{j}; len(queue) > 0; {
		i := queue[0]
		queue = queue[1:]
		for _, b := range near[i] {
			if k := b.other; p.hasFriction(k) && p.turns(k) && b.spreads() {
				p.cornered[k] = true
				queue = append(queue, k)
			}
		}
	}
}

// directions finds the tangents: that of the first force that pulls at a particle, loads
// first, and then neighbours, breadth first. All others must be parallel.
func (p *Plane) directions(near [][]coupling) error {
	loads := p.loads()
	known := make([]bool, len(p.tangent))
	var queue []int
	set := func(j int, v [2]float64) {
		if l := math.Hypot(v[0], v[1]); !known[j] && p.hasFriction(j) && l > parallel {
			known[j] = true
			if v[0] < 0 && -v[0] >= math.Abs(v[1]) || v[1] < 0 && -v[1] > math.Abs(v[0]) {
				l = -l // towards positive coordinates
			}
			p.tangent[j] = [2]float64{v[0]/l + 0, v[1]/l + 0}
			queue = append(queue, j)
		}
	}
	for j := range p.tangent {
		for _, v := range loads[j] {
			set(j, v)
		}
	}
	for j := range p.tangent {
		for _, b := range near[j] {
			if !p.hasFriction(b.other) { // all its directions move
				b.columns(func(v [2]float64) { set(j, v) })
			} else {
				set(j, [2]float64{b.block[2], b.block[5]})
			}
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, b := range near[i] {
			t := p.tangent[i]
			// the block of the other is the transpose
			set(b.other, [2]float64{b.block[0]*t[0] + b.block[3]*t[1], b.block[1]*t[0] + b.block[4]*t[1]})
		}
	}
	for j := range p.tangent {
		if p.hasFriction(j) && !known[j] {
			p.tangent[j] = [2]float64{1, 0} // it never moves
		}
	}
	return p.checkPlane(loads, near)
}

// coupling is the block of D²E between a particle and another one, relative to the
// largest entry of the first: rows t, o, n of the first, columns of the other.
type coupling struct {
	other int
	block [9]float64
}

// columns visits the tangential forces that unit displacements of the other make.
func (b *coupling) columns(visit func(v [2]float64)) {
	for c := range 3 {
		visit([2]float64{b.block[c], b.block[3+c]})
	}
}

// spreads reports whether the tangential forces that the first makes on the other have more than
// one direction.
func (b *coupling) spreads() bool {
	// the block of the other is the transpose
	rows := [3][2]float64{{b.block[0], b.block[1]}, {b.block[3], b.block[4]}, {b.block[6], b.block[7]}}
	for i, u := range rows {
		for _, v := range rows[:i] {
			if l, m := math.Hypot(u[0], u[1]), math.Hypot(v[0], v[1]); l > farAcross && m > farAcross &&
				math.Abs(u[0]*v[1]-u[1]*v[0]) > farAcross*l*m {
				return true
			}
		}
	}
	return false
}

// farAcross is far above [parallel]: what is further across another force than this, of the
// largest, has no direction with it.
const farAcross = 1e-6

// neighbours lists the blocks of D²E by particle.
func (p *Plane) neighbours() [][]coupling {
	h := p.System.Hessian(0, p.Start)
	near := make([][]coupling, len(p.tangent))
	at := make([]map[int]int, len(p.tangent))
	put := func(r, c int, v float64) {
		i, j := r/3, c/3
		if at[i] == nil {
			at[i] = map[int]int{}
		}
		k, ok := at[i][j]
		if !ok {
			k = len(near[i])
			at[i][j] = k
			near[i] = append(near[i], coupling{other: j})
		}
		near[i][k].block[3*(r%3)+c%3] = v
	}
	for c := range h.N {
		for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
			if r, v := h.Row[k], h.Val[k]; v != 0 {
				put(r, c, v)
				if r != c {
					put(c, r, v)
				}
			}
		}
	}
	for i := range near {
		largest := 0.0
		for _, b := range near[i] {
			for _, v := range b.block {
				largest = max(largest, math.Abs(v))
			}
		}
		for k := range near[i] {
			for e := range near[i][k].block {
				near[i][k].block[e] /= largest
			}
		}
	}
	return near
}

// loads lists the tangential loads by particle, relative to the largest force on it.
func (p *Plane) loads() [][][2]float64 {
	list := make([][][2]float64, len(p.tangent))
	largest := make([]float64, len(p.tangent))
	g := make([]float64, len(p.Start))
	for _, t := range p.times() {
		p.System.Gradient(g, nil, t, p.Start)
		for j := range list {
			if !p.hasFriction(j) {
				continue
			}
			largest[j] = max(largest[j], math.Abs(g[3*j]), math.Abs(g[3*j+1]), math.Abs(g[3*j+2]))
			if v := [2]float64{g[3*j], g[3*j+1]}; v != [2]float64{} && !slices.Contains(list[j], v) {
				list[j] = append(list[j], v)
			}
		}
	}
	for j := range list {
		for k := range list[j] {
			list[j][k][0] /= largest[j]
			list[j][k][1] /= largest[j]
		}
	}
	return list
}

// checkPlane checks that nothing pulls across a tangent, and that friction does not
// either.
func (p *Plane) checkPlane(loads [][][2]float64, near [][]coupling) error {
	for j, t := range p.tangent {
		if !p.hasFriction(j) {
			continue
		}
		across := func(v [2]float64) float64 { return math.Abs(v[1]*t[0] - v[0]*t[1]) }
		for _, v := range loads[j] {
			if across(v) > parallel {
				return &SpaceError{j, fmt.Sprintf("loads pull it in more than one direction, along (%.3g, %.3g) and (%.3g, %.3g)",
					t[0], t[1], v[0], v[1])}
			}
		}
		for _, b := range near[j] {
			var bad bool
			if p.hasFriction(b.other) {
				u := p.tangent[b.other]
				bad = across([2]float64{b.block[0]*u[0] + b.block[1]*u[1], b.block[3]*u[0] + b.block[4]*u[1]}) > parallel
				bad = bad || across([2]float64{b.block[2], b.block[5]}) > parallel
			} else {
				b.columns(func(v [2]float64) { bad = bad || across(v) > parallel })
			}
			if bad {
				return &SpaceError{j, fmt.Sprintf("particle %d pulls it across the direction (%.3g, %.3g) in which it is loaded",
					b.other, t[0], t[1])}
			}
		}
		v := make([]float64, len(p.Start))
		v[3*j], v[3*j+1] = t[0], t[1]
		if f := p.psi.Force(0, j, p.Start, v); across(f) > parallel*math.Hypot(f[0], f[1]) {
			return &SpaceError{j, "friction pulls across the direction of motion: its axes are oblique to it"}
		}
	}
	return nil
}

// number lists dofs and contacts.
func (p *Plane) number() {
	for j, t := range p.tangent {
		p.first = append(p.first, len(p.Dofs))
		if p.hasFriction(j) {
			p.Dofs = append(p.Dofs, Dof{j, [3]float64{t[0], t[1], 0}}, Dof{j, [3]float64{0, 0, 1}})
		} else {
			u, v := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
			if x, y, _, oblique := p.tangents(j); oblique && p.cornered[j] {
				u, v = x, y
			}
			p.Dofs = append(p.Dofs, Dof{j, u}, Dof{j, v}, Dof{j, [3]float64{0, 0, 1}})
		}
		if p.System.Constrained(j) && !p.cornered[j] {
			p.Particle, p.Slot = append(p.Particle, j), append(p.Slot, j)
		}
	}
	p.first = append(p.first, len(p.Dofs))
	p.numberCorners()
}

// contacts lists the contacts with their friction and gaps.
func (p *Plane) contacts() []Contact[Real] {
	var list []Contact[Real]
	for k, j := range p.Particle {
		if p.cornered[j] {
			return list[:k]
		}
		c := Contact[Real]{T: -1, N: p.first[j+1] - 1, Gap: Real(p.Start[3*j+2])}
		if p.hasFriction(j) {
			c.T = p.first[j]
			v := make([]float64, len(p.Start))
			v[3*j], v[3*j+1] = p.tangent[j][0], p.tangent[j][1]
			c.Mu = Real(p.psi.Norm(0, j, p.Start, v))
		}
		list = append(list, c)
	}
	return list
}

// Form returns the problem in float64.
func (p *Plane) Form() (*Form[Real], error) { return p.form(p.contacts()) }

// Tangent returns the dof of the tangent of a particle with friction.
func (p *Plane) Tangent(j int) (int, bool) { return p.first[j], p.hasFriction(j) }
