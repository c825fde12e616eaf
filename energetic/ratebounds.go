package energetic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/particles"
)

// rateBounds are suprema over a time interval at a fixed state; where E is
// quadratic, ∂_tDE does not depend on the state and they hold everywhere.
type rateBounds struct {
	c1    float64   // ‖∂_tDE‖
	rate  []float64 // |∂_tσ^(j)|
	sigma []float64 // σ^(j)₊ at the state
	exact bool      // ∂_tDE is constant between breaks
	kinks int       // times at which ∂_tDE jumps
}

const (
	// rateProbes are the points of an interval between breaks that decide whether
	// ∂_tDE is constant there. Irregular, so that no periodic signal agrees.
	rateProbes = 5
	// rateSamples are the points of such an interval where it is not; all
	// intervals together get at most rateTotal more.
	rateSamples = 33
	rateTotal   = 2048
)

// boundRates sweeps [0, until]; nodes of the sweep are the breaks, from both
// sides, and points between them.
func boundRates(sys *particles.System, z []float64, until float64) *rateBounds {
	n := sys.N()
	b := &rateSweep{sys: sys, z: z, g: make([]float64, 3*n), r: make([]float64, 3*n), first: make([]float64, 3*n)}
	b.rateBounds = &rateBounds{rate: make([]float64, n), sigma: make([]float64, n), exact: true}
	times := append(sys.Breaks([]float64{0}, 0, until), until)
	b.kinks = len(times) - 2
	for k := 1; k < len(times); k++ {
		b.interval(times[k-1], times[k], max(rateSamples, rateTotal/(len(times)-1)))
	}
	return b.rateBounds
}

type rateSweep struct {
	*rateBounds
	sys   *particles.System
	z     []float64
	g, r  []float64
	first []float64
}

// interval takes the suprema over [a, b], without the kink that may sit at b.
func (s *rateSweep) interval(a, b float64, samples int) {
	end := b - (b-a)*0x1p-40
	s.at(a)
	copy(s.first, s.r)
	size, differ := floats.Norm(s.r, math.Inf(1)), 0.0
	for k := 1; k <= rateProbes; k++ {
		frac := math.Mod(float64(k)*math.Phi, 1)
		s.at(a + (end-a)*frac)
		for i, v := range s.r {
			differ = max(differ, math.Abs(v-s.first[i]))
		}
	}
	s.at(end)
	if differ <= 1e-12*size {
		return
	}
	s.exact = false
	for k := 1; k < samples; k++ {
		s.at(a + (end-a)*float64(k)/float64(samples))
	}
}

// at takes one time into account.
func (s *rateSweep) at(t float64) {
	s.sys.Gradient(s.g, s.r, t, s.z)
	s.c1 = max(s.c1, norm2(s.r))
	for j := range s.rate {
		if s.sys.Constrained(j) {
			s.rate[j] = max(s.rate[j], math.Abs(s.r[3*j+2]))
			s.sigma[j] = max(s.sigma[j], s.g[3*j+2])
		}
	}
}

// merge takes the larger of both.
func (b *rateBounds) merge(o *rateBounds) {
	b.c1 = max(b.c1, o.c1)
	b.exact = b.exact && o.exact
	for j := range b.rate {
		b.rate[j] = max(b.rate[j], o.rate[j])
		b.sigma[j] = max(b.sigma[j], o.sigma[j])
	}
}
