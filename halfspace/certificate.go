package halfspace

import "math"

// Verdict is what is certain of a step, from one product with the operator on the
// whole window and without the solver.
type Verdict struct {
	// Gap bounds ½‖p − p*‖²_C for the solution p* of the convex step with the
	// friction bounds found, by duality. [J]
	Gap float64
	// Friction is the part of Gap along the surface, Σ g|y| + p·y. [J]
	Friction float64
	// Energy is ½ pᵀC p, elastic. [J]
	Energy      float64
	Penetration float64 // deepest, of the tractions as they are [m]
	Excess      float64 // largest |D⁻¹p_t| − g [Pa]
	Stale       float64 // largest |g − μ p_n − threshold|: bounds that are not those of the pressure [Pa]
	Missed      float64 // largest miss of a prescribed force, relative to Σ|a||p|: p along the surface or the normal, |a| at least that within an element
	Contacts    int
	Sticking    int
}

// certify fills the fields of displacements and the verdict from the tractions.
func (s *Solver) certify(p *Problem, r *Result) {
	o, g := s.op, s.op.grid
	o.Product(r.U, r.P)
	before := p.Before
	if p.Steady != [2]float64{} {
		before = Field{r.Y[X], r.Y[Y], nil}
		s.ahead.Product(before, r.P)
	}
	v := &r.Verdict
	*v = Verdict{}
	s.rounded = 0
	area := g.Area()
	ratio, self := p.ratio(), o.self(xx)
	depth, total, bounds := 0.0, 0.0, 0.0
	var sizes [Moves]float64
	r.Force = [Moves]float64{}
	for j := range g.NY {
		y := g.Y0 + float64(j)*g.DY - p.Pole[1]
		for i := range g.NX {
			x := g.X0 + float64(i)*g.DX - p.Pole[0]
			k := i + j*g.NX
			var yk [3]float64
			along := math.Hypot(r.P[X][k], r.P[Y][k])
			along = max(along, boundRounding*r.Bound[k])
			size := [3]float64{X: along, Y: along, N: math.Abs(r.P[N][k])}
			for c := range 3 {
				yk[c] = r.U[c][k]
				for m := range modes {
					if a := &modes[m]; a.moves(c) {
						w := a.at(c, x, y)
						yk[c] += r.Move[m] * w
						r.Force[m] += area * w * r.P[c][k]
						sizes[m] += area * max(math.Abs(w), a.within(c, g)) * size[c]
					}
				}
			}
			yk[N] += p.Gap[k]
			for c := range 2 {
				if before[c] != nil {
					yk[c] -= before[c][k]
				}
			}
			px, py, pn, bound := r.P[X][k], r.P[Y][k], r.P[N][k], r.Bound[k]
			for c := range 3 {
				r.Y[c][k] = yk[c]
				v.Energy += area * r.U[c][k] * r.P[c][k] / 2
			}
			depth = max(depth, -yk[N])
			total += pn
			bounds += bound
			friction := bound*math.Hypot(yk[X], ratio*yk[Y]) + px*yk[X] + py*yk[Y]
			v.Friction += area * friction
			v.Gap += area * (pn*yk[N] + friction)
			s.rounded += area * gapRounding * bound * (math.Abs(r.U[X][k]) + ratio*math.Abs(r.U[Y][k]))
			v.Excess = max(v.Excess, math.Hypot(px, py/ratio)-bound)
			v.Stale = max(v.Stale, math.Abs(bound-p.bound(k, pn)))
			if pn > 0 {
				v.Contacts++
				if Sticks([2]float64{px, py / ratio}, [2]float64{yk[X], ratio * yk[Y]}, bound, self) {
					v.Sticking++
				}
			}
		}
	}
	v.Penetration = depth
	if p.Control[MoveN].Force {
		v.Gap += area * depth * total
	} else {
		even := o.uniform()
		v.Gap += area * even.lift(depth, total)
		if depth > 0 && even.least > 0 { // slips move with the lift
			v.Gap += 2 * area * bounds * even.along * depth / even.least
		}
	}
	for m, c := range p.Control {
		if c.Force && sizes[m] > 0 {
			v.Missed = max(v.Missed, math.Abs(r.Force[m]-c.Value)/max(sizes[m], math.Abs(c.Value)))
		} else if c.Force && c.Value != 0 {
			v.Missed = 1
		}
	}
}

// boundRounding is the part of its bound below which a traction counts as that part, when a miss of
// a force is compared with what tractions bear: forces are known to 1e-14 of what they could
// be, and a force of zero may be borne by rounding alone.
const boundRounding = 1e-4

// gapRounding is that of a slip, of the displacements that it is the difference of.
const gapRounding = 1e-14

// Sticks reports whether an element sticks, from its traction p and the slip y of the
// step, both as the circle of the bound has them: p − y/c lies inside, where c is the
// displacement of an element by its own traction. What slips by next to nothing and is
// below its bound by rounding slips all the same.
func Sticks(p, y [2]float64, bound, c float64) bool {
	return bound > 0 && math.Hypot(p[X]-y[X]/c, p[Y]-y[Y]/c) < bound*(1-stickMargin)
}

// Self is the displacement of an element along the surface by its own traction [m/Pa].
func (o *Operator) Self() float64 { return o.self(xx) }

// stickMargin is how far below its bound a traction is that counts as sticking.
const stickMargin = 1e-9
