package energetic

// gauss holds the three-point Gauss-Legendre rule on [0, 1]: exact for fifth
// degree, so that what is left of (E) is the scheme's error and not that of the
// quadrature.
var gauss = [3]struct{ at, weight float64 }{
	{0.11270166537925831, 5. / 18},
	{0.5, 8. / 18},
	{0.88729833462074169, 5. / 18},
}

// integrals returns ∫Ψ(s, z(s), ż) ds and ∫∂_sE(s, z(s)) ds of the linear
// interpolant over the last step, split where signals have kinks.
func (c *Certifier) integrals() (dissipated, work float64) {
	t := c.node.T
	c.breaks = append(c.breaks[:0], c.tPrev)
	c.breaks = c.sys.Breaks(c.breaks, c.tPrev, t)
	c.breaks = append(c.breaks, t)
	h, slides := t-c.tPrev, c.slides()
	for k := 1; k < len(c.breaks); k++ {
		from, share := c.breaks[k-1]-c.tPrev, c.breaks[k]-c.breaks[k-1]
		lo, width := 0.0, 1.0
		if h > 0 {
			lo, width = from/h, share/h
		}
		for _, q := range gauss {
			theta := lo + width*q.at
			s := c.tPrev + h*theta
			c.interpolate(theta)
			_, rate := c.sys.Value(s, c.zMid)
			work += q.weight * share * rate
			if slides {
				c.sys.Gradient(c.g, nil, s, c.zMid)
				dissipated += q.weight * width * c.psi.Value(c.g, c.zMid, c.v)
			}
		}
	}
	return dissipated, work
}

// slides reports whether a particle moves along its obstacle, touching at both
// ends of the step.
func (c *Certifier) slides() bool {
	for j := range c.psi.Matrices {
		if (c.v[3*j] != 0 || c.v[3*j+1] != 0) && c.psi.Touches(j, c.zPrev) && c.psi.Touches(j, c.node.Z) {
			return true
		}
	}
	return false
}

// interpolate sets zMid = zPrev + θ v. A height is 0 between only if it is at
// both ends.
func (c *Certifier) interpolate(theta float64) {
	for i, z := range c.zPrev {
		c.zMid[i] = z + theta*c.v[i]
	}
}
