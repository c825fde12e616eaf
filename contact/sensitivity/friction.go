package sensitivity

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// friction is what a coefficient changes: a limit of c + μ r_N, or a threshold.
type friction struct {
	form     law.Form
	cohesion float64
}

// frictionOf returns that of a law, or of the law behind its spring; false if it has no coefficient.
func frictionOf(l law.Law) (friction, bool) {
	if x, ok := form.CompliantOf(l); ok {
		l = x.Inner()
	}
	switch x := l.(type) {
	case law.Cohesive:
		return friction{law.Form{Set: form.KindCoulomb, Bound: x.Mu}, x.Cohesion}, true
	case *law.Cohesive:
		return frictionOf(*x)
	case law.Rolling:
		return friction{form: law.Form{Set: form.KindCoulomb, Bound: x.Mu}}, true
	case *law.Rolling:
		return frictionOf(*x)
	}
	f := form.FormOf(l)
	switch f.Set {
	case form.KindCoulomb, form.KindAssociated, form.KindPyramid, form.KindTresca:
		return friction{form: f}, true
	}
	return friction{}, false
}

// limit is the size of friction, slope its derivative by the coefficient.
func (f *friction) limit(rn float64) float64 { return f.cohesion + f.form.Bound*f.slope(rn) }

func (f *friction) slope(rn float64) float64 {
	if f.form.Set == form.KindTresca {
		return 1
	}
	return rn
}

// with returns the law, without cohesion, of another coefficient.
func (f *friction) with(bound float64) law.Law {
	switch x := f.form; x.Set {
	case form.KindTresca:
		return law.Tresca{Threshold: bound, Shape: x.Shape}
	case form.KindAssociated:
		return law.Associated{Mu: bound, Shape: x.Shape}
	case form.KindPyramid:
		return law.Pyramid{Mu: bound, Facets: x.Facets, Shape: x.Shape}
	default:
		return law.Coulomb{Mu: bound, Shape: x.Shape}
	}
}
