package energetic

// ForceTolerance returns how far a force on contact j at the present node, computed
// from its positions, may be from that of the run that wrote them: what a solved
// step leaves of the forces of its island, and what the rounding of positions makes.
func (c *Certifier) ForceTolerance(j int) float64 {
	k := c.scales.Island[c.sys.ContactParticle(j)]
	return max(forceSlack*c.opt.Tolerance*c.scales.Force[k], 4*c.scales.Rounding[k])
}
