package sensitivity

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/events"
)

type form = *events.Form[events.Real]

// dual makes the form with derivatives.
func dual(s stencil[form]) (*events.Form[events.Dual], error) {
	b := s.base
	err := s.each(func(a form) error {
		switch kinks, there := len(b.Source.Breaks()), len(a.Source.Breaks()); {
		case a.N != b.N || len(a.Contacts) != len(b.Contacts):
			return fmt.Errorf("sensitivity: beside its value the parameter makes %d contacts of the %d, and %d coordinates of the %d",
				len(a.Contacts), len(b.Contacts), a.N, b.N)
		case there != kinks:
			return fmt.Errorf("sensitivity: beside its value the parameter makes %d kinks of the loads before the end of the run of the %d: one of them lies at the end, or appears there",
				there, kinks)
		}
		for k, c := range a.Contacts {
			if d := b.Contacts[k]; c.T != d.T || c.N != d.N || (c.Gap == 0) != (d.Gap == 0) {
				return fmt.Errorf("sensitivity: the parameter opens or closes contact %d at the start, or takes its friction away", k)
			}
		}
		return sameCorners(b, a)
	})
	if err != nil {
		return nil, err
	}
	f := &events.Form[events.Dual]{N: b.N, Grain: b.Grain}
	matrix(f, s)
	for k, c := range b.Contacts {
		f.Contacts = append(f.Contacts, events.Contact[events.Dual]{T: c.T, N: c.N,
			Mu:  events.Dual{V: float64(c.Mu), D: s.derivative(func(a form) float64 { return float64(a.Contacts[k].Mu) })},
			Gap: events.Dual{V: float64(c.Gap), D: s.derivative(func(a form) float64 { return float64(a.Contacts[k].Gap) })}})
	}
	for k, c := range b.Corners {
		f.Corners = append(f.Corners, corner(s, k, c))
	}
	f.Source = newSource(s)
	return f, nil
}

// sameCorners checks that the corners of two forms have the same faces, open or closed.
func sameCorners(a, b form) error {
	if len(a.Corners) != len(b.Corners) {
		return fmt.Errorf("sensitivity: beside its value the parameter makes %d corners of the %d", len(b.Corners), len(a.Corners))
	}
	contact := len(a.Contacts)
	for k, c := range a.Corners {
		for i, x := range c.Faces {
			y := b.Corners[k].Faces[i]
			if (x.Gap == 0) != (y.Gap == 0) || (x.Mu == 0) != (y.Mu == 0) {
				return fmt.Errorf("sensitivity: the parameter opens or closes contact %d at the start, or takes its friction away", contact)
			}
			contact++
		}
	}
	return nil
}

// corner is corner k with derivatives.
func corner(s stencil[form], k int, c events.Corner[events.Real]) events.Corner[events.Dual] {
	d := events.Corner[events.Dual]{Dof: c.Dof, Tangents: c.Tangents}
	for i, x := range c.Faces {
		of := func(value func(x *events.Face[events.Real]) events.Real) events.Dual {
			return events.Dual{V: float64(value(&x)),
				D: s.derivative(func(a form) float64 { return float64(value(&a.Corners[k].Faces[i])) })}
		}
		face := events.Face[events.Dual]{
			Mu:  of(func(x *events.Face[events.Real]) events.Real { return x.Mu }),
			Gap: of(func(x *events.Face[events.Real]) events.Real { return x.Gap }),
		}
		for a := range face.N {
			face.N[a] = of(func(x *events.Face[events.Real]) events.Real { return x.N[a] })
		}
		d.Faces = append(d.Faces, face)
	}
	return d
}

// matrix stores H with its derivative; the pattern is that of all members of the family.
func matrix(f *events.Form[events.Dual], s stencil[form]) {
	entry := func(a form, i, j int) float64 {
		if k, ok := slices.BinarySearch(a.Col[a.Ptr[i]:a.Ptr[i+1]], j); ok {
			return float64(a.Val[a.Ptr[i]+k])
		}
		return 0
	}
	for i := range f.N {
		f.Ptr = append(f.Ptr, len(f.Col))
		cols := slices.Clone(s.base.Col[s.base.Ptr[i]:s.base.Ptr[i+1]])
		_ = s.each(func(a form) error { cols = append(cols, a.Col[a.Ptr[i]:a.Ptr[i+1]]...); return nil })
		slices.Sort(cols)
		for _, j := range slices.Compact(cols) {
			f.Col = append(f.Col, j)
			f.Val = append(f.Val, events.Dual{V: entry(s.base, i, j), D: s.derivative(func(a form) float64 { return entry(a, i, j) })})
		}
	}
	f.Ptr = append(f.Ptr, len(f.Col))
}

// source gives loads with derivatives. Where p moves kinks, the members of the family are
// read at times τ that have the same place between their kinks: f(τ(t)) is smooth in p
// there, and f_p = d/dp f(τ) − f_t τ_p.
type source struct {
	stencil[form]
	breaks  []events.Dual
	up, low [reach][]events.Real // loads of the neighbours
	f, df   []events.Real
	moving  bool // kinks move
}

func newSource(s stencil[form]) *source {
	x := &source{stencil: s}
	for k, t := range s.base.Source.Breaks() {
		d := s.derivative(func(a form) float64 { return float64(a.Source.Breaks()[k]) })
		x.moving = x.moving || d != 0
		x.breaks = append(x.breaks, events.Dual{V: float64(t), D: d})
	}
	x.f, x.df = make([]events.Real, s.base.N), make([]events.Real, s.base.N)
	for k := range reach {
		x.up[k], x.low[k] = make([]events.Real, s.base.N), make([]events.Real, s.base.N)
	}
	return x
}

// tau returns the time of a member of the family that corresponds to t.
func (x *source) tau(a form, t float64) float64 {
	if !x.moving {
		return t
	}
	from, to := x.base.Source.Breaks(), a.Source.Breaks()
	k, _ := slices.BinarySearch(from, events.Real(math.Nextafter(t, math.Inf(1)))) // kinks up to t
	switch {
	case k == len(from):
		return t + float64(to[k-1]-from[k-1])
	case k == 0:
		return t * float64(to[0]/from[0])
	}
	return float64(to[k-1]) + (t-float64(from[k-1]))*float64((to[k]-to[k-1])/(from[k]-from[k-1]))
}

// Load implements [events.Source].
func (x *source) Load(f []events.Dual, t events.Dual) events.Dual {
	base := x.base.Source
	c := float64(base.Load(x.f, events.Real(t.V)))
	base.Rate(x.df, events.Real(t.V))
	slope := t.D - x.derivative(func(a form) float64 { return x.tau(a, t.V) })
	var up, low [reach]float64
	for k := range reach {
		up[k] = float64(x.stencil.up[k].Source.Load(x.up[k], events.Real(x.tau(x.stencil.up[k], t.V))))
		low[k] = float64(x.down[k].Source.Load(x.low[k], events.Real(x.tau(x.down[k], t.V))))
	}
	sum := 0.0
	for k := range reach {
		sum += weights[k] * (up[k] - low[k])
	}
	for i := range f {
		f[i] = events.Dual{V: float64(x.f[i]), D: x.difference(i) + float64(x.df[i])*slope}
	}
	return events.Dual{V: c, D: sum/x.h + x.constantRate(t.V)*slope}
}

// constantRate is ċ(t), by differences of eighth order within the piece where loads are
// smooth; it is a rate of E at the start alone.
func (x *source) constantRate(t float64) float64 {
	r, ok := x.base.Source.(interface{ ConstantRate(t float64) float64 })
	if !ok {
		return 0
	}
	return r.ConstantRate(t)
}

// difference is the derivative of load i between the neighbours.
func (x *source) difference(i int) float64 {
	sum := 0.0
	for k := range reach {
		sum += weights[k] * float64(x.up[k][i]-x.low[k][i])
	}
	return sum / x.h
}

// Rate implements [events.Source]. Its derivative is that at fixed place between kinks:
// the part f_tt dt/dp is left out, on which states and energies do not depend.
func (x *source) Rate(df []events.Dual, t events.Dual) {
	x.base.Source.Rate(x.df, events.Real(t.V))
	for k := range reach {
		x.stencil.up[k].Source.Rate(x.up[k], events.Real(x.tau(x.stencil.up[k], t.V)))
		x.down[k].Source.Rate(x.low[k], events.Real(x.tau(x.down[k], t.V)))
	}
	for i := range df {
		df[i] = events.Dual{V: float64(x.df[i]), D: x.difference(i)}
	}
}

// Breaks implements [events.Source].
func (x *source) Breaks() []events.Dual { return x.breaks }

// Frequency implements [events.Source].
func (x *source) Frequency() float64 { return x.base.Source.Frequency() }
