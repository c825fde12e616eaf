package halfspace

import "math"

// settle moves the displacements ξ of the forces to where the duality gap of the
// tractions is least, a convex problem in at most three unknowns for either kind of
// tractions, and finds the face again if that is a gain; it returns the gap. Newton's
// method finds ξ on its way; at the end of it, where nearly everything slips or next to
// nothing touches, the tractions may be right and ξ is not.
func (c *convex) settle(gap float64) float64 {
	if len(c.forces) == 0 {
		return gap
	}
	before := c.moves()
	if c.has(X) {
		c.settleSlips()
	}
	if c.has(N) {
		c.settleGaps()
	}
	if next := c.gap(); next < gap {
		c.classify()
		return next
	}
	c.setMoves(before)
	return gap
}

func (c *convex) moves() (m [Moves]float64) {
	for i := range c.forces {
		m[i] = c.forces[i].move
	}
	return m
}

// setMoves sets the displacements and y.
func (c *convex) setMoves(m [Moves]float64) {
	for i := range c.forces {
		c.forces[i].move = m[i]
	}
	c.residual()
}

// settleSlips minimises Σ g|y + Aξ| + f·ξ by Newton's method on Σ g√(|y|² + ε²), with ε
// from the mean slip down to rounding.
func (c *convex) settleSlips() {
	bounds, slips := 0.0, 0.0
	for k, g := range c.g {
		bounds += g
		slips += g * math.Hypot(c.y[X][k], c.y[Y][k])
	}
	if !(slips > 0) {
		return
	}
	mean := slips / bounds
	for epsilon := mean; epsilon > leastSmoothing*mean; epsilon *= smoothing {
		for range smoothedSteps {
			value, dir, slope := c.smoothed(epsilon)
			if !(slope < -smoothedEnd*value) || !c.descendSmoothed(epsilon, value, dir, slope) {
				break
			}
		}
	}
}

const (
	smoothing      = 0.1
	leastSmoothing = 1e-13
	smoothedSteps  = 20
	smoothedEnd    = 1e-15 // of the sum over elements: rounding
)

// smoothed returns the function, Newton's step and the slope along it.
func (c *convex) smoothed(epsilon float64) (value float64, dir [Moves]float64, slope float64) {
	var gradient [Moves]float64
	var hessian small
	k := 0
	for _, y := range c.y0 {
		for _, x := range c.x {
			g, sx, sy := c.g[k], c.y[X][k], c.y[Y][k]
			r := math.Hypot(math.Hypot(sx, sy), epsilon)
			value += g*r + c.p[X][k]*sx + c.p[Y][k]*sy
			var a [Moves][2]float64
			for i := range c.forces {
				a[i] = [2]float64{c.forces[i].at(X, x, y), c.forces[i].at(Y, x, y)}
			}
			for i := range c.forces {
				along := (a[i][X]*sx + a[i][Y]*sy) / r
				gradient[i] += g*along + c.p[X][k]*a[i][X] + c.p[Y][k]*a[i][Y]
				for j := range c.forces {
					hessian[i][j] += g / r * (a[i][X]*a[j][X] + a[i][Y]*a[j][Y] - along*(a[j][X]*sx+a[j][Y]*sy)/r)
				}
			}
			k++
		}
	}
	for i := range c.forces {
		dir[i] = -gradient[i]
	}
	hessian.solve(&dir, len(c.forces))
	for i := range c.forces {
		slope += gradient[i] * dir[i]
	}
	return value, dir, slope
}

// descendSmoothed goes along dir until the function falls.
func (c *convex) descendSmoothed(epsilon, value float64, dir [Moves]float64, slope float64) bool {
	from := c.moves()
	for length := 1.0; length > 1e-6; length /= 2 {
		to := from
		for i := range c.forces {
			to[i] += length * dir[i]
		}
		c.setMoves(to)
		if v, _, _ := c.smoothed(epsilon); v <= value+1e-4*length*slope {
			return true
		}
	}
	c.setMoves(from)
	return false
}

// settleGaps finds the rigid displacement whose gaps are nowhere negative and with which
// the load does the most work: min f·δ with y + Aδ >= 0, a linear problem of up to three
// unknowns. The simplex method on its dual, forces on as many elements as there are
// unknowns, begins with corners of the box around the load; the element that lies deepest
// under the plane on these joins them. It needs a free approach; the case without turns
// is that of [convex.lift].
func (c *convex) settleGaps() {
	rows := c.gapRows()
	if len(rows) < 2 {
		return
	}
	corners := [4]int{0, c.box.nx - 1, c.n - 1, c.n - c.box.nx}
	basis, load, ok := c.support(rows, corners[:])
	if !ok {
		return
	}
	m := len(rows)
	for range simplexSteps {
		var matrix [3][3]float64
		var delta [3]float64
		for j, k := range basis[:m] {
			matrix[j], delta[j] = c.gapRow(rows, k), -c.y[N][k]
		}
		if !solve3(matrix, &delta, m) {
			return
		}
		enter, least := -1, 0.0
		for k, y := range c.y[N] {
			a := c.gapRow(rows, k)
			size := math.Abs(y)
			for i := range m {
				y += a[i] * delta[i]
				size += math.Abs(a[i] * delta[i])
			}
			if y < least-planeRounding*size {
				enter, least = k, y
			}
		}
		if enter < 0 {
			for i, f := range rows {
				c.forces[f].move += delta[i]
			}
			c.residual()
			return
		}
		if basis, load, ok = c.exchange(rows, basis, load, enter); !ok {
			return
		}
	}
}

const (
	simplexSteps  = 200
	planeRounding = 1e-14 // of the terms of a gap
)

// gapRows lists the forces on gaps that the box can tell apart, the normal one first.
func (c *convex) gapRows() (rows []int) {
	for i := range c.forces {
		switch c.forces[i].index {
		case MoveN:
			rows = append([]int{i}, rows...)
		case TurnX:
			if c.box.ny > 1 {
				rows = append(rows, i)
			}
		case TurnY:
			if c.box.nx > 1 {
				rows = append(rows, i)
			}
		}
	}
	if len(rows) > 0 && c.forces[rows[0]].index != MoveN {
		return nil
	}
	return rows
}

// gapRow is what the displacements of rows do to the gap of an element.
func (c *convex) gapRow(rows []int, k int) (a [3]float64) {
	x, y := c.x[k%c.box.nx], c.y0[k/c.box.nx]
	for i, f := range rows {
		a[i] = c.forces[f].at(N, x, y)
	}
	return a
}

// support looks for elements among some that bear the load, and their forces.
func (c *convex) support(rows, among []int) (basis [3]int, load [3]float64, ok bool) {
	m := len(rows)
	for first := range among {
		for second := first + 1; second < len(among); second++ {
			last := len(among)
			if m == 2 {
				last = second + 2 // no third one
			}
			for third := second + 1; third < last; third++ {
				basis = [3]int{among[first], among[second], among[third%len(among)]}
				if load, ok = c.forcesOn(rows, basis); ok {
					return basis, load, true
				}
			}
		}
	}
	return basis, load, false
}

// forcesOn are the forces of a basis that have the resultants, if none pulls.
func (c *convex) forcesOn(rows []int, basis [3]int) (load [3]float64, ok bool) {
	m := len(rows)
	var matrix [3][3]float64
	for j, k := range basis[:m] {
		a := c.gapRow(rows, k)
		for i := range m {
			matrix[i][j] = a[i]
		}
	}
	for i, f := range rows {
		load[i] = c.forces[f].target
	}
	size := math.Abs(load[0])
	if !solve3(matrix, &load, m) {
		return load, false
	}
	for _, v := range load[:m] {
		if v < -planeRounding*size {
			return load, false
		}
	}
	return load, true
}

// exchange lets an element into the basis in place of the one whose force falls to zero
// first.
func (c *convex) exchange(rows []int, basis [3]int, load [3]float64, enter int) ([3]int, [3]float64, bool) {
	m := len(rows)
	var matrix [3][3]float64
	for j, k := range basis[:m] {
		a := c.gapRow(rows, k)
		for i := range m {
			matrix[i][j] = a[i]
		}
	}
	w := c.gapRow(rows, enter)
	if !solve3(matrix, &w, m) {
		return basis, load, false
	}
	leave, ratio := -1, math.Inf(1)
	for j := range m {
		if w[j] > planeRounding && max(load[j], 0) < ratio*w[j] {
			leave, ratio = j, max(load[j], 0)/w[j]
		}
	}
	if leave < 0 {
		return basis, load, false
	}
	basis[leave] = enter
	load, ok := c.forcesOn(rows, basis)
	return basis, load, ok
}

// solve3 overwrites x by A⁻¹x of order m, with pivots; it reports whether there is one.
func solve3(a [3][3]float64, x *[3]float64, m int) bool {
	for k := range m {
		p := k
		for i := k + 1; i < m; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p], x[k], x[p] = a[p], a[k], x[p], x[k]
		if a[k][k] == 0 {
			return false
		}
		for i := k + 1; i < m; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j < m; j++ {
				a[i][j] -= f * a[k][j]
			}
			x[i] -= f * x[k]
		}
	}
	for k := m - 1; k >= 0; k-- {
		for j := k + 1; j < m; j++ {
			x[k] -= a[k][j] * x[j]
		}
		x[k] /= a[k][k]
	}
	return true
}
