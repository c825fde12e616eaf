package particles

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// LennardJones is the law of a pair ε[(d/l)¹² − 2(d/l)⁶]: −ε at the distance d,
// convex up to 1.109 d, attractive beyond d, infinite at l = 0.
type LennardJones struct {
	Depth    float64 // ε [J], not negative
	Distance float64 // d [m], positive
}

// Value returns ε(s² − 2s), s = (d/l)⁶.
func (p LennardJones) Value(l float64) float64 {
	s := math.Pow(p.Distance/l, 6)
	return p.Depth * (s*s - 2*s)
}

// D1 returns −12ε(s² − s)/l.
func (p LennardJones) D1(l float64) float64 {
	s := math.Pow(p.Distance/l, 6)
	return -12 * p.Depth * (s*s - s) / l
}

// D2 returns 12ε(13s² − 7s)/l².
func (p LennardJones) D2(l float64) float64 {
	s := math.Pow(p.Distance/l, 6)
	return 12 * p.Depth * (13*s*s - 7*s) / (l * l)
}

// Validate fails for a field that is out of range.
func (p LennardJones) Validate() error {
	return errors.Join(notNegative("depth", p.Depth), positive("distance", p.Distance))
}

// Morse is the law of a pair D[(1 − e^{−a(l−d)})² − 1]: −D at the distance d, where
// its stiffness is 2Da²; finite at l = 0.
type Morse struct {
	Depth    float64 // D [J], not negative
	Distance float64 // d [m], positive
	Decay    float64 // a [1/m], positive
}

// Value returns D(e² − 2e), e = e^{−a(l−d)}.
func (p Morse) Value(l float64) float64 {
	e := elementary.Exp(-p.Decay * (l - p.Distance))
	return p.Depth * (e*e - 2*e)
}

// D1 returns 2Da(e − e²).
func (p Morse) D1(l float64) float64 {
	e := elementary.Exp(-p.Decay * (l - p.Distance))
	return 2 * p.Depth * p.Decay * (e - e*e)
}

// D2 returns 2Da²(2e² − e).
func (p Morse) D2(l float64) float64 {
	e := elementary.Exp(-p.Decay * (l - p.Distance))
	return 2 * p.Depth * p.Decay * p.Decay * (2*e*e - e)
}

// Validate fails for a field that is out of range.
func (p Morse) Validate() error {
	return errors.Join(notNegative("depth", p.Depth), positive("distance", p.Distance), positive("decay", p.Decay))
}

// Cut is the law S(l)φ(l) with a fifth-degree S from 1 at From to 0 at To, twice
// differentiable, so that the energy is as smooth as (N1) wants.
type Cut struct {
	Law      Law
	From, To float64 // [m], 0 <= From < To
}

// smooth returns S, S', S” at l: with x from 0 to 1, S = 1 − 10x³ + 15x⁴ − 6x⁵.
func (c Cut) smooth(l float64) (s, s1, s2 float64) {
	w := c.To - c.From
	x := (l - c.From) / w
	switch {
	case x <= 0:
		return 1, 0, 0
	case x >= 1:
		return 0, 0, 0
	}
	y := x * (1 - x)
	return 1 - x*x*x*(10-15*x+6*x*x), -30 * y * y / w, -60 * y * (1 - 2*x) / (w * w)
}

// Value returns Sφ.
func (c Cut) Value(l float64) float64 {
	if l >= c.To {
		return 0
	}
	s, _, _ := c.smooth(l)
	return s * c.Law.Value(l)
}

// D1 returns S'φ + Sφ'.
func (c Cut) D1(l float64) float64 {
	if l >= c.To {
		return 0
	}
	s, s1, _ := c.smooth(l)
	if s1 == 0 {
		return s * c.Law.D1(l)
	}
	return s1*c.Law.Value(l) + s*c.Law.D1(l)
}

// D2 returns S”φ + 2S'φ' + Sφ”.
func (c Cut) D2(l float64) float64 {
	if l >= c.To {
		return 0
	}
	s, s1, s2 := c.smooth(l)
	if s1 == 0 && s2 == 0 {
		return s * c.Law.D2(l)
	}
	return s2*c.Law.Value(l) + 2*s1*c.Law.D1(l) + s*c.Law.D2(l)
}

// Validate fails for a range that is empty, and asks the law.
func (c Cut) Validate() error {
	if c.Law == nil {
		return errors.New("no law")
	}
	if !(c.From >= 0 && c.From < c.To) || math.IsInf(c.To, 1) {
		return fmt.Errorf("cut from %v to %v, want 0 <= from < to", c.From, c.To)
	}
	if v, ok := c.Law.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// AllPairs returns a spring of one law between any two of the particles: a pair
// potential. D²E has a block for each, near or far, for its pattern is fixed.
func AllPairs(particles []int, law Law) []Spring {
	var list []Spring
	for a, i := range particles {
		for _, j := range particles[:a] {
			list = append(list, Spring{I: i, J: j, Law: law})
		}
	}
	return list
}

func positive(name string, v float64) error {
	if !(v > 0) || !finite(v) {
		return fmt.Errorf("%s %v is not positive and finite", name, v)
	}
	return nil
}

var (
	_ Law = LennardJones{}
	_ Law = Morse{}
	_ Law = Cut{}
)
