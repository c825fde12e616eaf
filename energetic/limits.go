package energetic

// WayLimit is how far particle j may be from where it is in the exact evolution, by the accuracy
// asked for [m].
func (c *Certifier) WayLimit(j int) float64 {
	return c.scalesOf(c.between.island[j]).way
}

// WayLimit is that of the certifier.
func (e *Evolution) WayLimit(j int) float64 { return e.cert.WayLimit(j) }

// Claims are bounds of what accuracy allows: of the largest force that nothing holds [N], and of
// the residual of (E) of all islands together [J].
func (c *Certifier) Claims() (force, energy float64) {
	for i := range c.between.part {
		s := c.scalesOf(i)
		force, energy = max(force, s.along, s.across, s.free), energy+s.balance
	}
	return force, energy
}
