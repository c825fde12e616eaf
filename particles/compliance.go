package particles

import "github.com/quasistatic/quasistatic/halfspace"

// Elastic is the material of a half-space.
type Elastic = halfspace.Elastic

// Compliance holds the constants of the relative displacement of two half-spaces.
type Compliance = halfspace.Compliance

// ElasticOnRigid is a half-space on a rigid obstacle; see [halfspace.ElasticOnRigid].
func ElasticOnRigid(m Elastic) (Compliance, error) { return halfspace.ElasticOnRigid(m) }

// ElasticPair is a half-space on another one; see [halfspace.ElasticPair].
func ElasticPair(upper, lower Elastic) (Compliance, error) {
	return halfspace.ElasticPair(upper, lower)
}

// Influence is how a force spreads over its grid cell.
type Influence int

const (
	// UniformPatches spreads it evenly over the cell: [halfspace.Patches].
	UniformPatches Influence = iota
	// PointLoads is the table of [Song], Appendix A: [halfspace.Points].
	PointLoads
)

// of returns the influence function of a pair of bodies.
func (kind Influence) of(c Compliance) halfspace.Influence {
	if kind == PointLoads {
		return halfspace.Points{Compliance: c}
	}
	return halfspace.Patches{Compliance: c}
}
