package rigid

import (
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// TestNarrow: a collision hangs on the least gap below a micrometre, of a contact of another pair
// that gives back, comes fast enough before or after, and has a body of a contact that rebounds.
func TestNarrow(t *testing.T) {
	const gap = 1e-7
	for name, c := range map[string]struct {
		change func(s *Stepper)
		want   float64
	}{
		"as it is":                   {func(*Stepper) {}, gap},
		"it came before":             {func(s *Stepper) { copy(s.v, s.w); clear(s.w) }, gap},
		"it is slow":                 {func(s *Stepper) { s.w[s.model.Bodies[2].V] = s.o.RestitutionSpeed }, 0},
		"it parts":                   {func(s *Stepper) { s.w[s.model.Bodies[2].V] *= -1 }, 0},
		"as far as counts":           {func(s *Stepper) { s.touches[1].Gap = narrowGap }, narrowGap},
		"further off":                {func(s *Stepper) { s.touches[1].Gap = 1.01 * narrowGap }, 0},
		"of the collision":           {func(s *Stepper) { s.marks[1].active = true }, 0},
		"without rebound":            {func(s *Stepper) { s.model.Setup.Pairs[[2]int{2, 3}] = multibody.Material{} }, 0},
		"the other without impulse":  {func(s *Stepper) { s.p.r[0] = 0 }, 0},
		"the other without rebound":  {func(s *Stepper) { s.model.Setup.Pairs[[2]int{1, 2}] = multibody.Material{} }, 0},
		"no body in common":          {func(s *Stepper) { s.touches[0] = bodies.PairTouch(0, 1) }, 0},
		"of the same pair":           {func(s *Stepper) { s.touches[0], s.touches[0].N = bodies.PairTouch(2, 3), vec{-1} }, 0},
		"bodies of one mechanism":    {func(s *Stepper) { s.touches[0] = bodies.PairTouch(0, 1); s.model.Home[1] = s.model.Home[2] }, gap},
		"a nearer one is there":      {func(s *Stepper) { s.touches[2].Gap = gap / 2 }, gap / 2},
		"one further off is there":   {func(s *Stepper) { s.touches[2].Gap = 2 * gap }, gap},
		"the unit of length is 1 µm": {func(s *Stepper) { s.unit = 1e-6 }, 0},
	} {
		s := garden(t, 2, Options{})
		s.unit, s.o.RestitutionSpeed = 1, 1e-3
		e := multibody.Material{Restitution: .5}
		s.model.Setup.Pairs = map[[2]int]multibody.Material{{0, 1}: e, {1, 2}: e, {2, 3}: e}
		s.touches = []bodies.Touch{bodies.PairTouch(1, 2), bodies.PairTouch(2, 3), bodies.PairTouch(2, 3)}
		s.marks = append(s.marks[:0], mark{active: true}, mark{}, mark{})
		for i := range s.touches {
			s.touches[i].N = vec{-1}
		}
		s.touches[1].Gap, s.touches[2].Gap = gap, 1
		s.p.dim, s.p.list, s.p.r = 2, []int{0}, []float64{1, 0}
		clear(s.v)
		clear(s.w)
		s.w[s.model.Bodies[2].V] = 1 // towards 3
		c.change(s)
		if got := s.narrow(); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
