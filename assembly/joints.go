package assembly

import "math"

// A joint has the corners of an interface that lie in one line or plane across its normal. Turning of
// blocks about axes in that plane opens corners and moves none along it: what the corners do along it is
// one motion q of a plane,
//
//	u_T = q_w + q_3 J d/‖d‖      d from the middle of the corners, J d turned by 90°, ‖d‖ their mean size
//
// of three numbers, in the plane of x and z of one, and two for a single corner. The search decides q of a joint
// before it decides which of its corners are closed: for corners one by one, open or closed comes first,
// and slip of one says nothing of the others.
type joint struct {
	corners []int
	mu      float64
	motions [][][2]float64 // of each component of q: u_T at the corners
	roots   [][]float64    // L⁻¹H_q, in the rows of the corners: q = H_qᵀv
}

// newJoints collects the joints, without their roots.
func (s *statics) newJoints() []joint {
	var all []joint
	for j := range s.contacts {
		c := &s.contacts[j]
		if j > 0 {
			last := &all[len(all)-1]
			first := &s.contacts[last.corners[0]]
			d := sub(c.point, first.point)
			if first.face == c.face && math.Abs(dot(d, c.frame[0])) <= 1e-9*norm(d) { // rounding
				last.corners = append(last.corners, j)
				continue
			}
		}
		all = append(all, joint{corners: []int{j}, mu: c.mu})
	}
	for k := range all {
		all[k].motions = s.slips(all[k].corners)
	}
	return all
}

// slips are the motions along a plane that corners may have.
func (s *statics) slips(corners []int) [][][2]float64 {
	x, y := make([][2]float64, len(corners)), make([][2]float64, len(corners))
	for i := range corners {
		x[i][0], y[i][1] = 1, 1
	}
	if s.dim == 2 {
		return [][][2]float64{x}
	}
	var middle [3]float64
	for _, j := range corners {
		middle = add(middle, s.contacts[j].point, 1/float64(len(corners)))
	}
	turn, size := make([][2]float64, len(corners)), 0.
	for i, j := range corners {
		c := &s.contacts[j]
		d := sub(c.point, middle)
		turn[i] = [2]float64{-dot(d, c.frame[2]), dot(d, c.frame[1])}
		size += dot(d, d) / float64(len(corners))
	}
	if size == 0 {
		return [][][2]float64{x, y}
	}
	for i := range turn {
		turn[i][0] /= math.Sqrt(size)
		turn[i][1] /= math.Sqrt(size)
	}
	return [][][2]float64{x, y, turn}
}

// q returns the motion of a joint, from u of all contacts: the three are orthogonal, of mean square 1.
func (o *joint) q(dim int, u []float64) []float64 {
	q := make([]float64, len(o.motions))
	for m, at := range o.motions {
		for i, j := range o.corners {
			for e := 1; e < dim; e++ {
				q[m] += at[i][e-1] * u[j*dim+e] / float64(len(o.corners))
			}
		}
	}
	return q
}

// setRoots does the same with the columns of H.
func (o *joint) setRoots(dim int, hRoot [][3][]float64) {
	for _, at := range o.motions {
		root := make([]float64, len(hRoot[o.corners[0]][0]))
		for i, j := range o.corners {
			for e := 1; e < dim; e++ {
				for k, h := range hRoot[j][e] {
					root[k] += at[i][e-1] * h / float64(len(o.corners))
				}
			}
		}
		o.roots = append(o.roots, root)
	}
}

// along is what a joint does along its plane.
type along struct {
	kind slidingKind
	cone [][]float64 // sliding: q is a sum of these with positive factors
}

type slidingKind int

const (
	free    slidingKind = iota // nothing is said of q
	still                      // q = 0
	sliding                    // q is in the cone
)

// orthants are the cones with which the search begins.
func (o *joint) orthants() []along {
	n := len(o.motions)
	var all []along
	for signs := range 1 << n {
		a := along{kind: sliding}
		for m := range n {
			q := make([]float64, n)
			q[m] = 1 - 2*float64(signs>>m&1)
			a.cone = append(a.cone, q)
		}
		all = append(all, a)
	}
	return all
}

// halves cuts a cone across its longest edge.
func (a *along) halves() [2]along {
	one, other, least := 0, 0, math.Inf(1)
	for i := range a.cone {
		for k := range i {
			if c := product(a.cone[i], a.cone[k]); c < least {
				one, other, least = i, k, c
			}
		}
	}
	middle, size := make([]float64, len(a.cone)), 0.
	for m := range middle {
		middle[m] = a.cone[one][m] + a.cone[other][m]
		size += middle[m] * middle[m]
	}
	for m := range middle {
		middle[m] /= math.Sqrt(size)
	}
	var both [2]along
	for h, replaced := range []int{one, other} {
		both[h] = along{sliding, append([][]float64(nil), a.cone...)}
		both[h].cone[replaced] = middle
	}
	return both
}

// width is the largest angle between two edges of the cone [rad].
func (a *along) width() float64 {
	least := 1.
	for i := range a.cone {
		for k := range i {
			least = min(least, product(a.cone[i], a.cone[k]))
		}
	}
	return math.Acos(max(least, -1))
}

// A sector has the directions in which a corner slips: angles in its frame, 0 or π in the plane.
type sector struct {
	known    bool // else the reaction is only in K
	from, to float64
}

// sector of the corner at place i of the joint. Motions of the cone that turn about it say nothing; what spans
// more than 172° is not known.
func (o *joint) sector(i int, a *along) sector {
	if a.kind != sliding || o.mu == 0 {
		return sector{}
	}
	var slips [][2]float64
	var sum [2]float64
	for _, q := range a.cone {
		var u [2]float64
		for m, at := range o.motions {
			u[0] += q[m] * at[i][0]
			u[1] += q[m] * at[i][1]
		}
		if size := math.Hypot(u[0], u[1]); size > 1e-12 { // of 1: rounding
			u[0], u[1] = u[0]/size, u[1]/size
			slips = append(slips, u)
			sum[0] += u[0]
			sum[1] += u[1]
		}
	}
	if len(slips) == 0 || math.Hypot(sum[0], sum[1]) < 1e-3 {
		return sector{}
	}
	// angles from the middle direction: two vectors of a pair within π of each other keep theirs below π
	middle := math.Atan2(sum[1], sum[0])
	low, high := 0., 0.
	for k, u := range slips {
		angle := math.Remainder(math.Atan2(u[1], u[0])-middle, 2*math.Pi)
		if k == 0 {
			low, high = angle, angle
		}
		low, high = min(low, angle), max(high, angle)
	}
	if high-low > 3 {
		return sector{}
	}
	return sector{true, middle + low, middle + high}
}

// sectors are those of all contacts at a node.
func (d *search) sectors(n *node) []sector {
	all := make([]sector, len(d.s.contacts))
	for k := range d.joints {
		for i, j := range d.joints[k].corners {
			all[j] = d.joints[k].sector(i, &n.along[k])
		}
	}
	return all
}

// wide: the triangle around a sector of more than 23° is larger than its arc by a hundredth.
func (c sector) wide() bool { return c.known && c.to-c.from > .4 }

// corners are those of the triangle around the arc of a sector.
func (c sector) corners(dim int) [][2]float64 {
	sin, cos := math.Sincos(c.from)
	if dim == 2 {
		return [][2]float64{{math.Copysign(1, cos), 0}}
	}
	if c.to-c.from < 1e-9 { // rad: rounding
		return [][2]float64{{cos, sin}}
	}
	sinTo, cosTo := math.Sincos(c.to)
	half := (c.to - c.from) / 2
	sinMid, cosMid := math.Sincos((c.from + c.to) / 2)
	return [][2]float64{{cos, sin}, {cosTo, sinTo}, {cosMid / math.Cos(half), sinMid / math.Cos(half)}}
}
