package rigid

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// bearingDocument is friction in a joint by a coefficient, see [multibody.Bearing].
type bearingDocument struct {
	Mu     float64  `json:"mu"`
	Radius *float64 `json:"radius"`
	Length *float64 `json:"length"`
}

// bearing reads that of a joint, nil for none.
func (b *builder) bearing(p casefile.Path, d *jointDocument) *multibody.Bearing {
	if d.Bearing == nil {
		return nil
	}
	radius, length, ok := d.Type.Takes(b.Dim)
	if !ok {
		b.Add(p, "a bearing is one of a revolute, prismatic, slider or screw joint, found %s joint", casefile.Article(string(d.Type)))
		return nil
	}
	number := func(key string, x *float64, takes bool) float64 {
		switch {
		case x != nil && !takes:
			b.Add(p.With(key), "the key %q has no effect on the bearing of %s joint in %d dimensions", key,
				casefile.Article(string(d.Type)), b.Dim)
		case x == nil && takes:
			b.Add(p, "the key %q is missing, which the bearing of %s joint needs", key, casefile.Article(string(d.Type)))
		case x != nil:
			return *x
		}
		return 0
	}
	return &multibody.Bearing{Mu: d.Bearing.Mu, Radius: number("radius", d.Bearing.Radius, radius),
		Length: number("length", d.Bearing.Length, length)}
}
