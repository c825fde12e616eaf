package particles

import (
	"fmt"
	"math"
	"slices"
)

// Extra is an obstacle that a particle has beside the one of its frame: the other side
// of a groove, the wall at the end of a floor. It may be curved or move, see [Charted].
type Extra struct {
	Particle int
	Frame    Frame // global; its point and axes, or its chart
}

// extra is an Extra in the local coordinates of its particle.
type extra struct {
	particle int
	t, o, n  vec
	offset   float64 // height = n·z + offset
	chart    *Chart  // curved or moving, see bent.go; nil: flat and at rest
}

// WithExtras returns the system with more obstacles for some of its particles.
//
// Its contacts are numbered on: contact j < N is that of particle j with the obstacle of its
// frame, contact N+k is that of extras[k]. size is the extent of the scene and of its
// motions [m], of which 1e-13 is rounding: heights below that are contact. The frame of a
// particle with extra obstacles is flat and at rest, or has no obstacle: then contact j is
// never closed. It fails for frames that are not orthonormal or without obstacle, for
// particles that do not exist, and for those whose coordinates are those of a [Chart].
func (s *System) WithExtras(extras []Extra, size float64) (*System, error) {
	c := s.Clone()
	if !(size >= 0) || math.IsInf(size, 1) {
		return nil, fmt.Errorf("particles: the size of the scene is %g, want a finite length", size)
	}
	c.extent = size
	c.given = slices.Clone(extras)
	c.beside = make([][]int, len(c.frames))
	for k := range extras {
		e := &c.given[k]
		if e.Particle < 0 || e.Particle >= len(c.frames) || c.frames[e.Particle].Chart != nil {
			return nil, fmt.Errorf("particles: extra obstacle %d is of particle %d, want one of %d whose coordinates are not those of a curved or moving obstacle",
				k, e.Particle, len(c.frames))
		}
		if err := e.Frame.validate(); err != nil || e.Frame.Free {
			return nil, fmt.Errorf("particles: extra obstacle %d: %w", k, err)
		}
		f := &c.frames[e.Particle]
		at := f.ToLocal(e.Frame.P)
		x := extra{particle: e.Particle, t: local(f, e.Frame.T), o: local(f, e.Frame.O), n: local(f, e.Frame.N)}
		x.offset = -x.n.dot(vec{at[0], at[1], at[2]})
		c.feet = append(c.feet, footing{})
		if x.chart = e.Frame.Chart; x.chart != nil {
			c.constant = false
			if !slices.Contains(c.bent, e.Particle) {
				c.bent = append(c.bent, e.Particle)
			}
		}
		c.extras = append(c.extras, x)
		c.beside[e.Particle] = append(c.beside[e.Particle], len(c.frames)+k)
	}
	return c, nil
}

// local returns the components of a global direction along the axes of f.
func local(f *Frame, v [3]float64) vec {
	v = f.RotateToLocal(v)
	return vec{v[0], v[1], v[2]}
}

// Contacts returns the number of contacts: N, and those with extra obstacles.
func (s *System) Contacts() int { return len(s.frames) + len(s.extras) }

// Extras returns the extra obstacles. The caller must not change them.
func (s *System) Extras() []Extra { return s.given }

// ContactParticle returns the particle of contact c.
func (s *System) ContactParticle(c int) int {
	if c < len(s.frames) {
		return c
	}
	return s.extras[c-len(s.frames)].particle
}

// ContactFrame returns the frame of the obstacle of contact c.
func (s *System) ContactFrame(c int) Frame {
	if c < len(s.frames) {
		return s.frames[c]
	}
	return s.given[c-len(s.frames)].Frame
}

// Cornered reports whether particle j has more than one obstacle.
func (s *System) Cornered(j int) bool { return len(s.extras) > 0 && len(s.beside[j]) > 0 }

// Beside returns the contacts of particle j with extra obstacles. The caller must not
// change the slice.
func (s *System) Beside(j int) []int {
	if len(s.extras) == 0 {
		return nil
	}
	return s.beside[j]
}

// ContactAxes returns the directions n, t, o of contact c at the time t and the state z, in
// the local coordinates of its particle.
func (s *System) ContactAxes(time float64, c int, z []float64) (n, t, o [3]float64) {
	if c < len(s.frames) {
		return [3]float64{0, 0, 1}, [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
	}
	x := &s.extras[c-len(s.frames)]
	if x.chart != nil {
		q := s.foot(c-len(s.frames), time, z)
		return q.n.array(), q.t.array(), q.o.array()
	}
	return x.n.array(), x.t.array(), x.o.array()
}

// Height returns how far contact c is from closed at the time t and the state z [m].
func (s *System) Height(t float64, c int, z []float64) float64 {
	if c < len(s.frames) {
		return z[3*c+2]
	}
	x := &s.extras[c-len(s.frames)]
	if x.chart != nil {
		return s.foot(c-len(s.frames), t, z).height
	}
	return x.n.dot(at(z, x.particle)) + x.offset
}

// Tangent returns the components along the obstacle of contact c, where it is at the time t and
// the state z, of a displacement v in local coordinates.
func (s *System) Tangent(t float64, c int, z, v []float64) (a, b float64) {
	if c < len(s.frames) {
		return v[3*c], v[3*c+1]
	}
	x := &s.extras[c-len(s.frames)]
	d := at(v, x.particle)
	if x.chart != nil {
		q := s.foot(c-len(s.frames), t, z)
		return q.t.dot(d), q.o.dot(d)
	}
	return x.t.dot(d), x.o.dot(d)
}

// Spot returns the coordinates of the state z along the obstacle of contact c.
func (s *System) Spot(t float64, c int, z []float64) (u, v float64) {
	if c >= len(s.frames) {
		if x := &s.extras[c-len(s.frames)]; x.chart != nil {
			q := s.foot(c-len(s.frames), t, z)
			return q.u, q.v
		}
	}
	return s.Tangent(t, c, z, z)
}

// touching is the height at an extra obstacle, in parts of the coordinates that it is
// computed from, that counts as zero: rounding of the rotation leaves a few 1e-16. (The
// height over the obstacle of the frame is a coordinate, and is zero to the bit.)
const touching = 1e-13

// Touches reports whether contact c is closed.
func (s *System) Touches(t float64, c int, z []float64) bool {
	if c < len(s.frames) {
		return !s.frames[c].Free && z[3*c+2] == 0
	}
	return s.Height(t, c, z) <= s.Touching(c, z)
}

// Touching returns the height over the extra obstacle of contact c that counts as none.
func (s *System) Touching(c int, z []float64) float64 {
	if c < len(s.frames) {
		return 0
	}
	x := &s.extras[c-len(s.frames)]
	d := at(z, x.particle)
	return touching * (s.extent + math.Abs(x.offset) + math.Abs(d.x) + math.Abs(d.y) + math.Abs(d.z))
}

// Admit moves a state out of extra obstacles, one after the other, as far as a few rounds
// bring it.
func (s *System) Admit(t float64, z []float64) {
	const rounds = 20
	for range rounds {
		inside := false
		for k := range s.extras {
			x, c := &s.extras[k], len(s.frames)+k
			h := s.Height(t, c, z)
			if h >= 0 {
				continue
			}
			inside = true
			n, _, _ := s.ContactAxes(t, c, z)
			put(z, x.particle, at(z, x.particle).plus(-h, vec{n[0], n[1], n[2]}))
			if !s.frames[x.particle].Free {
				z[3*x.particle+2] = max(z[3*x.particle+2], 0)
			}
		}
		if !inside {
			return
		}
	}
}

// Close moves particle j onto those of its obstacles from which it is not farther than the
// distance that near says.
func (s *System) Close(t float64, z []float64, j int, near func(contact int) float64) {
	own, list := !s.frames[j].Free && math.Abs(z[3*j+2]) <= near(j), []int(nil)
	for _, c := range s.beside[j] {
		if math.Abs(s.Height(t, c, z)) <= near(c) {
			list = append(list, c)
		}
	}
	s.Meet(t, z, j, own, list)
}

// meetings of curved obstacles by Newton's method double their digits.
const meetings = 6

// Meet moves particle j to the nearest state at the time t in which the contacts are closed, that
// with the obstacle of its frame too if own is set; to first order, where they are curved.
func (s *System) Meet(t float64, z []float64, j int, own bool, contacts []int) {
	rounds := 1
	for _, c := range contacts {
		if s.extras[c-len(s.frames)].chart != nil {
			rounds = meetings
		}
	}
	for range rounds {
		var held Directions
		v := [3]float64{}
		if own {
			held.Add([3]float64{0, 0, 1}, -z[3*j+2])
		}
		for _, c := range contacts {
			n, _, _ := s.ContactAxes(t, c, z)
			held.Add(n, -s.Height(t, c, z))
		}
		held.Project(&v)
		for i := range v {
			z[3*j+i] += v[i]
		}
		if own {
			z[3*j+2] = 0
		}
	}
}

// PressParticle stores in sigma, by contact, the normal forces σ [N] of DE at the state z
// of particle j, which has several obstacles (with one, σ is ∂E/∂z₃, see
// [System.NormalForce]). Those that it touches share what presses it,
//
//	DE = Σ σ_c n_c + d,   σ >= 0,   d·n_c <= 0,   σ_c d·n_c = 0,
//
// Moreau's decomposition of DE by the cone of the normals: −d is the force that drives
// the particle along its obstacles or away. σ is unique where the normals are
// independent; of more than three the first independent ones take part.
//
// Where obstacles move, a particle may slide along one of them while another holds it, whose
// friction has a part across the first. Then n_c in the sum is n_c + f_c, with f_c what drag says
// for a contact, in local coordinates: the friction per unit of its normal force. d·n_c is as
// above.
func (s *System) PressParticle(sigma []float64, t float64, j int, z, grad []float64, drag func(contact int) [3]float64) {
	var list [maxShared]int
	n := 0
	if !s.frames[j].Free && z[3*j+2] == 0 {
		list[0], n = j, 1
	}
	sigma[j] = 0
	for _, c := range s.beside[j] {
		sigma[c] = 0
		if n < maxShared && s.Touches(t, c, z) {
			list[n] = c
			n++
		}
	}
	if n == 0 {
		return
	}
	var normal, pull [maxShared]vec
	for i, c := range list[:n] {
		a, _, _ := s.ContactAxes(t, c, z)
		normal[i] = vec{a[0], a[1], a[2]}
	}
	var share [maxShared]float64
	decompose(share[:n], normal[:n], at(grad, j))
	if drag != nil && n > 1 {
		for i, c := range list[:n] {
			f := drag(c)
			pull[i] = normal[i].plus(1, vec{f[0], f[1], f[2]})
		}
		decomposeDragged(share[:n], normal[:n], pull[:n], at(grad, j))
	}
	for i, c := range list[:n] {
		sigma[c] = share[i]
	}
}

// maxShared is the number of obstacles that a particle may touch at one time; three
// hold it in any direction.
const maxShared = 8

// Decompose stores in share >= 0 by which Σ share_i n_i is the point of the cone of the unit
// vectors n that is nearest to g; of more than 8 vectors the first take part.
func Decompose(share []float64, n [][3]float64, g [3]float64) {
	var list [maxShared]vec
	m := min(len(n), maxShared)
	for i := range m {
		list[i] = vec{n[i][0], n[i][1], n[i][2]}
	}
	clear(share)
	decompose(share[:m], list[:m], vec{g[0], g[1], g[2]})
}

// decompose finds share >= 0 with Σ share_i n_i the point of their cone nearest to g. In
// space at most three of them are positive: all sets of three, two and one are tried, and
// the nearest point is the one whose rest points into no normal.
func decompose(share []float64, n []vec, g vec) {
	d := decomposition{n: n, g: g, share: share, worst: math.Inf(1), enough: 4 * 0x1p-52 * math.Sqrt(g.dot(g))}
	clear(share)
	// What presses a particle most often presses it onto all that it touches.
	if len(n) == 2 && d.try([3]int{0, 1}, 2) || len(n) == 3 && d.try([3]int{0, 1, 2}, 3) || d.try([3]int{}, 0) {
		return
	}
	for i := range n {
		if d.try([3]int{i}, 1) {
			return
		}
	}
	for i := range n {
		for k := range i {
			if d.try([3]int{k, i}, 2) {
				return
			}
		}
	}
	for i := range n {
		for k := range i {
			for l := range k {
				if d.try([3]int{l, k, i}, 3) {
					return
				}
			}
		}
	}
}

// decomposition is a search of [decompose] with its best set so far, whose rest points into a
// normal by worst; not more than enough ends it.
type decomposition struct {
	n             []vec
	g             vec
	share         []float64
	worst, enough float64
}

// try takes the first m normals of the set, and reports whether they are those of the nearest
// point.
func (d *decomposition) try(set [3]int, m int) bool {
	var x [3]float64
	if !coordinates(&x, d.n, set[:m], d.g) {
		return false
	}
	rest := d.g
	for i, k := range set[:m] {
		rest = rest.plus(-x[i], d.n[k])
	}
	worst := 0.0
	for k := range d.n {
		if m > 0 && k == set[0] || m > 1 && k == set[1] || m > 2 && k == set[2] {
			continue
		}
		worst = max(worst, rest.dot(d.n[k]))
	}
	if worst < d.worst {
		d.worst = worst
		clear(d.share)
		for i, k := range set[:m] {
			d.share[k] = x[i]
		}
	}
	return worst <= d.enough
}

// dependent: normals whose Gram determinant is below this are taken as dependent; two
// planes that meet under 1e-5 are one.
const dependent = 1e-10

// coordinates solves the normal equations of g ≈ Σ x_i n_set(i); false if a coordinate is
// negative or the normals are dependent.
func coordinates(x *[3]float64, n []vec, set []int, g vec) bool {
	switch len(set) {
	case 1:
		x[0] = n[set[0]].dot(g)
	case 2:
		a, b := n[set[0]], n[set[1]]
		c := a.dot(b)
		det := 1 - c*c
		if det < dependent {
			return false
		}
		p, q := a.dot(g), b.dot(g)
		x[0], x[1] = (p-c*q)/det, (q-c*p)/det
	case 3:
		a, b, c := n[set[0]], n[set[1]], n[set[2]]
		bc, ca, ab := b.cross(c), c.cross(a), a.cross(b)
		det := a.dot(bc)
		if det*det < dependent {
			return false
		}
		x[0], x[1], x[2] = g.dot(bc)/det, g.dot(ca)/det, g.dot(ab)/det
	}
	return x[0] >= 0 && x[1] >= 0 && x[2] >= 0
}
