package rigid

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// grain decodes anisotropic friction: two coefficients, along and across a direction.
func (b *builder) grain(p casefile.Path, x *materialDocument) (mu float64, g *multibody.Grain) {
	s := &x.SlipDocument
	switch {
	case x.Map != nil || s.Static != nil || s.Kinetic != nil || s.Speed != nil || s.Exponent != nil || s.Speeds != nil:
		b.Add(p.With("grain"), "found it with friction over place or speed, want \"mu\" alone, a list of two coefficients: along and across the grain")
		return 0, nil
	case b.Dim == 2:
		b.Add(p.With("grain"), "it has no effect in the plane, where there is one direction along surfaces")
		return 0, nil
	case x.Mu == nil || x.Mu[0] != '[':
		b.Add(p.With("mu"), "want a list of two coefficients: along and across the grain")
		return 0, nil
	}
	list := b.Numbers(p.With("mu"), x.Mu, 2)
	axis, ok := b.Vec(p.With("grain"), x.Grain)
	if list == nil || !ok {
		return 0, nil
	}
	mu = max(list[0], list[1])
	g = &multibody.Grain{Axis: axis, OfBody: x.GrainOf == "body", Along: list[0] / mu, Across: list[1] / mu}
	if mu == 0 {
		b.Add(p.With("mu"), "found zeros, want coefficients > 0: what is smooth has no grain")
		return 0, nil
	}
	if err := g.Validate(); err != nil {
		b.Add(p, "%v", err)
		return 0, nil
	}
	return mu, g
}

// idleGrain objects to keys of a grain that is not there.
func (b *builder) idleGrain(p casefile.Path, x *materialDocument) {
	if x.Grain == nil && x.GrainOf != "" {
		b.Add(p.With("grain_of"), "it has no effect without \"grain\"")
	}
}
