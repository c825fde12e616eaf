package halfspace

import (
	"fmt"
	"math"
)

// Infeasible says that no tractions within friction and compression have the
// prescribed resultants, and proves it: moved by the rigid displacement Move, any
// of them would do less work than the prescribed forces.
type Infeasible struct {
	Move             [Moves]float64 // [m] or [rad], up to a factor
	Work, Resistance float64        // of the forces, and the most that tractions can do [J]
}

func (e *Infeasible) Error() string {
	return fmt.Sprintf("halfspace: no tractions have the prescribed forces: along the motion %v they do the work %.6g, tractions at most %.6g",
		e.Move, e.Work, e.Resistance)
}

// project overwrites v by the nearest tractions of the set on the face: p_n >= 0,
// |p_t| <= g, Σ a·p = f. It is v − Σ ν a, cut to the set, with the ν that maximise
// the concave dual; Newton's method costs a few sweeps through the elements.
func (c *convex) project(v Field) error {
	if len(c.forces) == 0 {
		c.cut(v)
		return nil
	}
	copyField(c.q, v)
	var nu [Moves]float64
	trial := c.z
	value, gradient, gram := c.dual(trial, nu)
	size, few := c.forceScale(), fewCarry
	for range dualLimit {
		done := true
		for i := range c.forces {
			done = done && math.Abs(gradient[i]) <= forceRounding*size[i]
		}
		if done && c.borne(trial, gradient) {
			copyField(v, trial)
			c.nu = nu
			return nil
		}
		if err := c.infeasible(nu); err != nil {
			return err
		}
		dir, deficient := gradient, false
		if gram.solve(&dir, len(c.forces)) < len(c.forces) && !gram.solves(&dir, &gradient, len(c.forces)) {
			// Fewer elements carry than there are forces, and those that they do not carry are
			// missed: more of them will, a bit further.
			dir, deficient = gradient, true
			for i := range c.forces {
				gram[i][i] += few * c.weight(&c.forces[i].mode)
			}
			gram.solve(&dir, len(c.forces))
		}
		slope := 0.0
		for i := range c.forces {
			slope += dir[i] * gradient[i]
		}
		moved := false
		for length := 1.0; length > 1e-9; length /= 2 {
			next := nu
			for i := range c.forces {
				next[i] += length * dir[i]
			}
			v2, g2, m2 := c.dual(trial, next)
			if v2 >= value+1e-4*length*slope || v2 >= value-dualRounding*math.Abs(value) && norm2(g2) < norm2(gradient) {
				nu, value, gradient, gram, moved = next, v2, g2, m2, true
				if deficient && length == 1 { // further, then
					few /= 4
				}
				break
			}
		}
		if !moved {
			break
		}
	}
	if err := c.infeasible(nu); err != nil {
		return err
	}
	for i := range c.forces {
		if !(math.Abs(gradient[i]) <= forceSlack*size[i]) {
			return fmt.Errorf("halfspace: force %d is missed by %.3g of %.3g", i, gradient[i], size[i])
		}
	}
	_, _, _ = c.dual(trial, nu)
	copyField(v, trial)
	c.nu = nu
	return nil
}

const (
	dualLimit     = 400
	forceRounding = 1e-14 // of the forces that tractions could have, per element summed
	fewCarry      = 0.01  // of the curvature if all carried, at first
	dualRounding  = 1e-12 // of the dual function, a sum over elements
	forceShare    = 1e-12 // of the forces that the tractions found have: with room below what is admissible
	forceSlack    = 1e-10 // where Newton's method stops short of rounding
)

// borne reports whether what the forces are missed by is next to nothing of what the tractions
// found bear, as well: a point far off, as a step towards a surface that is out of reach, has sizes
// beside which all of them are.
func (c *convex) borne(trial Field, gradient [Moves]float64) bool {
	size := c.bearing(trial)
	for i := range c.forces {
		if math.Abs(gradient[i]) > forceShare*size[i] {
			return false
		}
	}
	return true
}

func norm2(v [Moves]float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// weight is Σ a² over the box.
func (c *convex) weight(m *mode) float64 {
	sum := 0.0
	for _, y := range c.y0 {
		for _, x := range c.x {
			for comp := range 3 {
				if c.has(comp) {
					sum += m.at(comp, x, y) * m.at(comp, x, y)
				}
			}
		}
	}
	return sum
}

// forceScale is what resultants are compared with: Σ |a·q| of the point that is
// projected, and the target.
func (c *convex) forceScale() [Moves]float64 { return c.bearing(c.q) }

// bearing is Σ |a·q| and the target, with the friction bounds along the surface.
func (c *convex) bearing(q Field) (size [Moves]float64) {
	for i := range c.forces {
		f := &c.forces[i]
		size[i] = math.Abs(f.target)
		for comp := range q {
			if q[comp] == nil || !f.moves(comp) {
				continue
			}
			for j, y := range c.y0 {
				row := q[comp][j*c.box.nx:][:c.box.nx]
				for k, x := range c.x {
					a := f.at(comp, x, y)
					size[i] += math.Abs(a * row[k])
					if comp != N {
						size[i] += math.Abs(a) * c.g[j*c.box.nx+k]
					}
				}
			}
		}
	}
	// Moves and turns are scaled alike: what is zero is so beside the others.
	most := 0.0
	for i := range c.forces {
		most = max(most, size[i])
	}
	for i := range c.forces {
		size[i] = most
	}
	return size
}

// dual sets trial = Π(q − Σ ν a) and returns the dual function, its gradient
// Σ a·trial − f and minus its Hessian.
func (c *convex) dual(trial Field, nu [Moves]float64) (value float64, gradient [Moves]float64, gram small) {
	copyField(trial, c.q)
	for i := range c.forces {
		for comp := range trial {
			if trial[comp] != nil {
				c.addMode(trial[comp], comp, &c.forces[i].mode, -nu[i])
			}
		}
		gradient[i] -= c.forces[i].target
		value -= nu[i] * c.forces[i].target
	}
	k := 0
	for _, y := range c.y0 {
		for _, x := range c.x {
			var a [Moves][3]float64
			for i := range c.forces {
				for comp := range 3 {
					if trial[comp] != nil {
						a[i][comp] = c.forces[i].at(comp, x, y)
					}
				}
			}
			value += c.dualElement(trial, k, &a, &gradient, &gram)
			k++
		}
	}
	return value, gradient, gram
}

// dualElement is the part of an element: ½|q|² − ½|w|² + ½ dist(w)² of w = q − νa
// has the gradient a·Π(w), turned in sign to make the dual concave in ν: value holds
// ½|w − Π w|² − ½|w|².
func (c *convex) dualElement(trial Field, k int, a *[Moves][3]float64, gradient *[Moves]float64, gram *small) float64 {
	value := 0.0
	nf := len(c.forces)
	if trial[N] != nil {
		w := trial[N][k]
		p := 0.0
		if c.kind[k]&pressed != 0 {
			p = max(w, 0)
		}
		trial[N][k] = p
		value -= p * p / 2
		if p > 0 {
			for i := range nf {
				gradient[i] += a[i][N] * p
				for j := range nf {
					gram[i][j] += a[i][N] * a[j][N]
				}
			}
		}
	}
	if trial[X] != nil {
		g := c.g[k]
		wx, wy := trial[X][k], trial[Y][k]
		r := math.Hypot(wx, wy)
		if r <= g {
			value -= r * r / 2
			for i := range nf {
				gradient[i] += a[i][X]*wx + a[i][Y]*wy
				for j := range nf {
					gram[i][j] += a[i][X]*a[j][X] + a[i][Y]*a[j][Y]
				}
			}
			return value
		}
		ux, uy := wx/r, wy/r
		trial[X][k], trial[Y][k] = g*ux, g*uy
		value -= g * (r - g/2)
		for i := range nf {
			gradient[i] += g * (a[i][X]*ux + a[i][Y]*uy)
			across := a[i][Y]*ux - a[i][X]*uy
			for j := range nf {
				gram[i][j] += g / r * across * (a[j][Y]*ux - a[j][X]*uy)
			}
		}
	}
	return value
}

// cut projects without forces.
func (c *convex) cut(v Field) {
	if v[N] != nil {
		for k, s := range c.kind {
			if s&pressed == 0 {
				v[N][k] = 0
			}
			v[N][k] = max(v[N][k], 0)
		}
	}
	if v[X] != nil {
		for k, g := range c.g {
			if r := math.Hypot(v[X][k], v[Y][k]); r > g {
				v[X][k] *= g / r
				v[Y][k] *= g / r
			}
		}
	}
}

// infeasible looks for a proof along −ν, the rigid motion that the dual runs off
// to: the forces' work f·m exceeds sup Σ m·p over the set.
func (c *convex) infeasible(nu [Moves]float64) error {
	work, resistance := 0.0, 0.0
	var move [Moves]float64
	for i := range c.forces {
		move[i] = -nu[i]
		work += move[i] * c.forces[i].target
	}
	if !(work > 0) {
		return nil
	}
	k := 0
	for _, y := range c.y0 {
		for _, x := range c.x {
			var m [3]float64
			for i := range c.forces {
				for comp := range 3 {
					m[comp] += move[i] * c.forces[i].at(comp, x, y)
				}
			}
			if c.has(N) && m[N] > 0 {
				return nil // pressing more there does any work
			}
			if c.has(X) {
				resistance += c.g[k] * math.Hypot(m[X], m[Y])
			}
			k++
		}
	}
	const rounding = 1e-12 // of the sum over elements
	if !(work > resistance*(1+rounding)) {
		return nil
	}
	area := c.op.grid.Area()
	return &Infeasible{move, work * area, resistance * area}
}
