package reference

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Parameters of the contact of Cattaneo and Mindlin, example 6.
const (
	CattaneoMu       = 0.3
	CattaneoApproach = 0.01 // δ [m]
	CattaneoHalf     = 0.12 // half width of the window [m]
	CattaneoShear    = 0.4 * CattaneoMu * CattaneoApproach
)

// CattaneoMindlin is example 6: two similar spheres (E* = R = 1, ν = 0) on n×n
// patches, pressed by δ(t) up to t = 1 and sheared by U(t) up to t = 2.
func CattaneoMindlin(n int) Example {
	// 1/E* = 2(1 − ν²)/E.
	body := particles.Elastic{Young: 2}
	c := must(particles.ElasticPair(body, body))
	times := []float64{0, 1, 2}
	motion := particles.Path{must(signal.NewTable(times, []float64{0, 0, CattaneoShear})), signal.Constant(0),
		must(signal.NewTable(times, []float64{0, -CattaneoApproach, -CattaneoApproach}))}
	cell := 2 * CattaneoHalf / float64(n)
	start := make([]float64, 3*n*n)
	matrices, who := make([]dissipation.Matrix, n*n), make([]int, n*n)
	for j := range matrices {
		who[j] = j
		x, y := cattaneoCentre(n, j)
		start[3*j], start[3*j+1], start[3*j+2] = x, y, (x*x+y*y)/2
		matrices[j] = dissipation.Isotropic{Mu: CattaneoMu}
	}
	surface := must(particles.NewSurface(particles.Grid{Particles: who, NX: n, NY: n, DX: cell, DY: cell}, start,
		motion, c, particles.UniformPatches))
	sys := must(particles.NewSystem(particles.Floors(n*n), surface))
	return Example{Psi: must(dissipation.New(sys, matrices)), Start: start, Until: 2}
}

// cattaneoCentre returns the centre of patch j.
func cattaneoCentre(n, j int) (x, y float64) {
	cell := 2 * CattaneoHalf / float64(n)
	at := func(k int) float64 {
		v := -CattaneoHalf + cell*(float64(k)+0.5)
		if 2*k+1 == n { // not 1e-17
			return 0
		}
		return v
	}
	return at(j % n), at(j / n)
}

// CattaneoPatch returns the number of the patch at the centre.
func CattaneoPatch(n int) int { return (n*n - 1) / 2 }

// CattaneoTheory returns P and Q/(μP) of the continuous problem.
func CattaneoTheory() (p, q float64) {
	p = 4. / 3 * elementary.Pow(CattaneoApproach, 1.5)
	c := math.Sqrt(1 - CattaneoShear/(CattaneoMu*CattaneoApproach)) // over a
	return p, 1 - c*c*c
}
