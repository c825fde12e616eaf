// Package reference builds the examples whose solutions are known in closed
// form: systems for the tests and benchmarks of the other packages. The numbers
// are those of the project's reference sheet, "Examples".
//
// # Limits
//
// For tests: constructors panic on faults.
package reference

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Example is a system with friction, a start at t = 0 and an end.
type Example struct {
	Psi   *dissipation.Coulomb
	Start []float64
	Until float64
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sine(amplitude, frequency float64) signal.Scalar {
	return must(signal.NewSine(0, amplitude, frequency, 0))
}

func ramp(rate, until float64) signal.Scalar {
	return must(signal.NewTable([]float64{0, until}, []float64{0, rate * until}))
}

// sprung is one particle on springs k to an anchor path, E = ½(z−a)ᵀdiag(k)(z−a).
func sprung(k [3]float64, path signal.Vector, m dissipation.Matrix, start []float64, until float64) Example {
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: path, Stiffness: particles.Diagonal(k[0], k[1], k[2])}))
	sys := must(particles.NewSystem(particles.Floors(1), tether))
	return Example{Psi: must(dissipation.New(sys, []dissipation.Matrix{m})), Start: start, Until: until}
}

// Play is example 1a: x_k = clip(x_{k−1}, u_k − 0.3, u_k + 0.3), u = sin 2πt.
func Play() Example {
	path := signal.Vector{sine(1, 1), signal.Constant(0), signal.Constant(-0.3)}
	return sprung([3]float64{2, 2, 5}, path, dissipation.Isotropic{Mu: 0.4}, make([]float64, 3), 2)
}

// Wearing is example 1a with friction that falls from 0.4 to 0.1 over the first 3 m slipped and rises
// to 0.2 over the next two: 1.5 dμ/ds = −0.15 N/m, below the stiffness 2.
func Wearing() Example {
	e := Play()
	m := must(dissipation.NewSlipping([]float64{0, 3, 5}, []float64{0.4, 0.1, 0.2}))
	e.Psi = must(dissipation.New(e.Psi.System, []dissipation.Matrix{m}))
	return e
}

// PlayPulsing is example 1b: the pressing depth is 0.3(1 + 0.5 sin 4πt).
func PlayPulsing() Example {
	depth := must(signal.NewSine(-0.3, -0.15, 2, 0))
	path := signal.Vector{sine(1, 1), signal.Constant(0), depth}
	return sprung([3]float64{2, 2, 5}, path, dissipation.Isotropic{Mu: 0.4}, make([]float64, 3), 2)
}

// Grazing is example 2: pressed, sliding, lifted and landed again.
func Grazing() Example {
	path := signal.Vector{ramp(0.5, 2), signal.Constant(0), sine(-0.3, 1)}
	return sprung([3]float64{2, 2, 5}, path, dissipation.Isotropic{Mu: 0.4}, make([]float64, 3), 2)
}

// Klarbring is example 3 with its tangential coupling; q = μ/2, α = 1.
func Klarbring(mu float64) Example {
	entries := must(particles.DenseEntries([][]float64{{1, 0, -0.5}, {0, 1, 0}, {-0.5, 0, 2}}))
	force := particles.Path{ramp(1, 3), signal.Constant(0), signal.Constant(-1)}
	quadratic := must(particles.NewQuadratic([]int{0}, make([]float64, 3), entries, force))
	sys := must(particles.NewSystem(particles.Floors(1), quadratic))
	psi := must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu}}))
	return Example{Psi: psi, Start: make([]float64, 3), Until: 3}
}

// Chain is example 4: n particles in a row, bonds of stiffness 2, each pressed
// with μW = 1, the first pulled through a spring of stiffness 2 by u(t) = t.
func Chain(n int, until float64) Example {
	ref := make([]float64, 3*n)
	var bonds []particles.Bond
	var loads []particles.Load
	matrices := make([]dissipation.Matrix, n)
	for i := range n {
		ref[3*i] = -float64(i) // behind each other, a unit apart
		if i > 0 {
			bonds = append(bonds, particles.Bond{I: i - 1, J: i, Stiffness: particles.Isotropic(2)})
		}
		loads = append(loads, particles.Load{Particle: i, Force: particles.At(0, 0, -2.5)})
		matrices[i] = dissipation.Isotropic{Mu: 0.4}
	}
	anchor := particles.Path{ramp(1, until), signal.Constant(0), signal.Constant(0)}
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: anchor, Stiffness: particles.Isotropic(2)}))
	sys := must(particles.NewSystem(particles.Floors(n), tether, must(particles.NewBonds(ref, bonds...)),
		must(particles.NewLoads(loads...))))
	return Example{Psi: must(dissipation.New(sys, matrices)), Start: ref, Until: until}
}

// Anisotropic is example 5a: M = diag(0.2, 0.6), k = 2, N = 1.5, pulled at 30°.
func Anisotropic() Example {
	c, s := math.Cos(math.Pi/6), math.Sin(math.Pi/6)
	path := signal.Vector{ramp(c, 3), ramp(s, 3), signal.Constant(-0.3)}
	m := must(dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{1, 0}))
	return sprung([3]float64{2, 2, 5}, path, m, make([]float64, 3), 3)
}

// Ripple is example 5b: μ = 0.4(1 + 0.3 sin 2πx/L), u = 3t, k = 2, N = 1.5.
func Ripple(wavelength float64) Example {
	path := signal.Vector{ramp(3, 1), signal.Constant(0), signal.Constant(-0.3)}
	m := must(dissipation.NewRippled(dissipation.Isotropic{Mu: 0.4}, 0.3, wavelength, [2]float64{1, 0}, 0))
	return sprung([3]float64{2, 2, 5}, path, m, make([]float64, 3), 1)
}

// Net is an n×n net of unit spacing, bonds of stiffness 2 between neighbours,
// every particle pressed and dragged by a weak tether whose anchor goes round a
// circle in ten seconds: the direction of sliding turns all the time.
func Net(n int, until float64) Example {
	const radius = 5
	var bonds []particles.Bond
	var tethers []particles.Tether
	var loads []particles.Load
	ref := make([]float64, 3*n*n)
	matrices := make([]dissipation.Matrix, n*n)
	for y := range n {
		for x := range n {
			i := x + n*y
			ref[3*i], ref[3*i+1] = float64(x), float64(y)
			if x > 0 {
				bonds = append(bonds, particles.Bond{I: i - 1, J: i, Stiffness: particles.Isotropic(2)})
			}
			if y > 0 {
				bonds = append(bonds, particles.Bond{I: i - n, J: i, Stiffness: particles.Isotropic(2)})
			}
			path := particles.Path{must(signal.NewSine(float64(x), radius, 0.1, 0)),
				must(signal.NewSine(float64(y)+radius, -radius, 0.1, math.Pi/2)), signal.Constant(0)}
			tethers = append(tethers, particles.Tether{Particle: i, Anchor: path, Stiffness: particles.Isotropic(0.5)})
			loads = append(loads, particles.Load{Particle: i, Force: particles.At(0, 0, -1-0.3*math.Sin(float64(3*x+5*y)))})
			matrices[i] = dissipation.Isotropic{Mu: 0.3}
		}
	}
	sys := must(particles.NewSystem(particles.Floors(n*n), must(particles.NewTethers(tethers...)),
		must(particles.NewBonds(ref, bonds...)), must(particles.NewLoads(loads...))))
	return Example{Psi: must(dissipation.New(sys, matrices)), Start: ref, Until: until}
}

// Caterpillar is a row of n coupled particles, bonds with a coupling of normal and
// tangential directions between neighbours, that a wave of lifting anchors carries
// along: every particle lands, sticks, slips and lifts off again and again.
func Caterpillar(n int, until float64) Example {
	var bonds []particles.Bond
	var tethers []particles.Tether
	ref := make([]float64, 3*n)
	matrices := make([]dissipation.Matrix, n)
	for i := range n {
		ref[3*i] = float64(i)
		if i > 0 {
			bonds = append(bonds, particles.Bond{I: i - 1, J: i, Stiffness: particles.Stiffness{1, 0, 0.3, 0, 1, 0, 0.3, 0, 1}})
		}
		phase := -0.7 * float64(i)
		path := particles.Path{must(signal.NewSine(float64(i), 0.5, 0.5, phase+0.8)), signal.Constant(0),
			must(signal.NewSine(-0.1, 0.4, 0.5, phase))}
		tethers = append(tethers, particles.Tether{Particle: i, Anchor: path, Stiffness: particles.Diagonal(2, 2, 4)})
		matrices[i] = dissipation.Isotropic{Mu: 0.4}
	}
	sys := must(particles.NewSystem(particles.Floors(n), must(particles.NewTethers(tethers...)), must(particles.NewBonds(ref, bonds...))))
	return Example{Psi: must(dissipation.New(sys, matrices)), Start: ref, Until: until}
}
