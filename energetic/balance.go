package energetic

// gauss holds the three-point Gauss-Legendre rule on [0, 1]: exact for fifth
// degree, so that what is left of (E) is the scheme's error and not that of the
// quadrature.
var gauss = [3]struct{ at, weight float64 }{
	{0.11270166537925831, 5. / 18},
	{0.5, 8. / 18},
	{0.88729833462074169, 5. / 18},
}

// interpolate sets zMid = zPrev + θ v, of the time s. A height is 0 between only if it is at
// both ends; over several obstacles of a particle of which one is curved or moves it is kept so.
func (c *Certifier) interpolate(theta, s float64) {
	for i, z := range c.zPrev {
		c.zMid[i] = z + theta*c.v[i]
	}
	for _, j := range c.sys.Bent() {
		c.follow(j, s)
	}
}

// follow moves particle j at zMid with the obstacle that it sticks to in the step, if that moves,
// and onto those that it keeps.
func (c *Certifier) follow(j int, s float64) {
	own := c.sys.Constrained(j) && c.stays(j)
	kept := c.kept[:0]
	stuck := own && c.rests(j)
	for _, k := range c.sys.Beside(j) {
		if !c.stays(k) {
			continue
		}
		kept = append(kept, k)
		if stuck || !c.rests(k) {
			continue
		}
		stuck = true
		for i, d := range c.sys.Carried(k, c.tPrev, c.zPrev, s) {
			c.zMid[3*j+i] = c.zPrev[3*j+i] + d
		}
	}
	c.kept = kept
	c.sys.Meet(s, c.zMid, j, own, kept)
}

// rests reports whether nothing moves along contact k in the step.
func (c *Certifier) rests(k int) bool {
	a, b := c.psi.Slide(c.node.T, k, c.node.Z, c.origin())
	return c.psi.Matrices[k] != nil && a == 0 && b == 0
}

// upper evaluates the upper estimate of (E) over the step, with the thresholds that are set: what
// standing still would have cost more. Where an obstacle beside another is curved or moves, the state
// before is a rival where it still is admissible; the lower estimate is not evaluated there.
func (c *Certifier) upper() float64 {
	n := &c.node
	still, _ := c.sys.Value(n.T, c.zPrev)
	if len(c.sys.Bent()) == 0 {
		return still - (n.Energy + c.spent) - c.min.Dissipation(c.v)
	}
	for k := c.sys.N(); k < c.sys.Contacts(); k++ {
		if !(c.sys.Height(n.T, k, c.zPrev) >= -c.sys.Touching(k, c.zPrev)) {
			return 0
		}
	}
	c.min.From(c.tPrev)
	c.min.Linearise(n.T, c.zPrev, n.Z)
	clear(c.g)
	return still + c.min.Dissipation(c.g) - (n.Energy + c.spent) - c.min.Dissipation(c.v)
}
