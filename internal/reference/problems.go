package reference

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Small problems without a closed form, that meet what solvers and certificates have branches for.
// Their theorems are tested, and their numbers pinned.

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func wave(offset, amplitude, frequency, phase float64) particles.Signal {
	return must(particles.Sine(offset, amplitude, frequency, phase))
}

// Crowd is a random system of six particles in four islands of forces of very different size: two
// pairs tied by bonds, one particle alone, one above a missing floor, in units of length and force.
// Friction is isotropic, orthotropic, absent.
func Crowd(r *rand.Rand, length, force float64) Example {
	n, sizes := 6, []float64{1, 1, 1e4, 1e4, 1e-3, 1}
	frames := particles.Floors(n)
	frames[5] = particles.NoObstacle()
	var tethers []particles.Tether
	for j := range n {
		path := make(particles.Path, 3)
		for d := range 3 {
			at := []float64{0, 0.2 + 0.6*r.Float64(), 1}
			values := []float64{0, r.NormFloat64(), r.NormFloat64()}
			if d == 2 {
				values = []float64{-0.3, -0.5 * r.Float64(), 0.5 - r.Float64()}
			}
			for i := range values {
				values[i] *= length
			}
			s, err := signal.NewTable(at, values)
			check(err)
			path[d] = s
		}
		k := force / length * sizes[j] * (1 + r.Float64())
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: path, Stiffness: particles.Diagonal(k, 1.5*k, 2*k)})
	}
	te, err := particles.NewTethers(tethers...)
	check(err)
	// Not along an axis: every entry of the coupling counts.
	skew := particles.Stiffness{1, 0.3, -0.2, 0.3, 2, 0.4, -0.2, 0.4, 1.5}
	for i := range skew {
		skew[i] *= 0.4 * force / length
	}
	strong := skew
	for i := range strong {
		strong[i] *= 1e4
	}
	bonds, err := particles.NewBonds(make([]float64, 3*n), particles.Bond{I: 0, J: 1, Stiffness: skew},
		particles.Bond{I: 2, J: 3, Stiffness: strong})
	check(err)
	sys, err := particles.NewSystem(frames, te, bonds)
	check(err)
	across, err := dissipation.NewOrthotropic([2]float64{0.2, 0.5}, [2]float64{1, 2})
	check(err)
	iso := dissipation.Isotropic{Mu: 0.05 + 0.2*r.Float64()}
	psi, err := dissipation.New(sys, []dissipation.Matrix{iso, across, iso, iso, across, nil})
	check(err)
	return Example{Psi: psi, Start: make([]float64, 3*n), Until: 1}
}

// WedgedParticles are those of Wedged that have walls.
func WedgedParticles(seed uint64) []int { return [][]int{{1, 1, 3}, {0, 4, 4}}[seed%2] }

// Wedged is the crowd with three walls over the floors of two particles, that lean over them
// or away, with friction of their own kinds. All pass through the start.
func Wedged(seed uint64, length, force float64) Example {
	r := rand.New(rand.NewPCG(seed, 9))
	flat := Crowd(rand.New(rand.NewPCG(seed, 3)), length, force)
	var extras []particles.Extra
	for k, j := range WedgedParticles(seed) {
		angle, lean := 2.2*float64(k)+0.5*r.Float64(), 0.4*(r.Float64()-0.3)
		h, err := particles.NewHalfSpace([3]float64{},
			[3]float64{math.Cos(angle) * math.Cos(lean), math.Sin(angle) * math.Cos(lean), math.Sin(lean)})
		check(err)
		extras = append(extras, particles.Extra{Particle: j, Frame: h.Frame()})
	}
	sys, err := flat.Psi.System.WithExtras(extras, length)
	check(err)
	across, err := dissipation.NewOrthotropic([2]float64{0.1, 0.3}, [2]float64{1, 1})
	check(err)
	psi, err := dissipation.New(sys, append(slices.Clone(flat.Psi.Matrices), dissipation.Isotropic{Mu: 0.2}, across,
		dissipation.Isotropic{Mu: 0.3}))
	check(err)
	return Example{Psi: psi, Start: flat.Start, Until: 1}
}

// Bent is three bonded particles: one on a ball that shifts and turns, one on a floor beside a wall
// that moves to and fro, one on a floor in a hollow cylinder at rest and beside a flat wall.
// Tethers press and drag them.
func Bent(friction func(contact int) dissipation.Matrix) Example {
	chart := func(f particles.Face, err error, m particles.Motion) particles.Frame {
		check(err)
		c, err := particles.NewChart(f, m)
		check(err)
		return particles.Charted(c, [3]float64{})
	}
	zero := signal.Constant(0)
	ball, err := particles.NewSphere([3]float64{0, 0, -1}, 1, false, [3]float64{0.3, -0.2, -2})
	onBall := chart(ball, err, particles.Motion{
		Shift:  particles.Path{wave(0, 0.1, 0.5, 0), wave(0, 0.06, 0.25, 0), zero},
		Center: [3]float64{0, 0, -1}, Axis: [3]float64{0.6, 0, 0.8}, Angle: wave(0, 0.2, 0.3, 0)})
	wall, err := particles.NewHalfSpace([3]float64{0.95, 0, 0}, [3]float64{0.8, 0.6, 0})
	check(err)
	plane, err := particles.NewPlane(wall.Frame())
	onWall := chart(plane, err, particles.Motion{Shift: particles.Path{wave(0, 0.1, 0.5, 0), zero, zero}})
	hollow, err := particles.NewCylinder([3]float64{2, 0.3, 0.2}, [3]float64{1, 0, 0}, 0.5, true)
	inHollow := chart(hollow, err, particles.Motion{})
	flat, err := particles.NewHalfSpace([3]float64{1.9, 0, 0}, [3]float64{0.8, 0, -0.6})
	check(err)

	ref := []float64{0, 0, 0, 1, 0.3, 0, 2, 0.3, 0.05}
	bonds, err := particles.NewBonds(ref, particles.Bond{I: 0, J: 1,
		Stiffness: particles.Stiffness{1, 0.2, 0.1, 0.2, 1, 0, 0.1, 0, 1}}, particles.Bond{I: 1, J: 2, Stiffness: particles.Isotropic(0.5)})
	check(err)
	var tethers []particles.Tether
	for j := range 3 {
		along := particles.Path{wave(ref[3*j], 0.4, 0.4, float64(j)), wave(ref[3*j+1], 0.5, 0.3, 1), wave(-0.3, 0.25, 0.6, float64(j))}
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: along, Stiffness: particles.Diagonal(3, 4, 5)})
	}
	te, err := particles.NewTethers(tethers...)
	check(err)
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle(), particles.Floor(), particles.Floor()}, bonds, te)
	check(err)
	sys, err = sys.WithExtras([]particles.Extra{{Particle: 0, Frame: onBall}, {Particle: 1, Frame: onWall},
		{Particle: 2, Frame: inHollow}, {Particle: 2, Frame: flat.Frame()}}, 2)
	check(err)
	matrices := make([]dissipation.Matrix, sys.Contacts())
	for c := range matrices {
		if c < sys.N() && !sys.Constrained(c) {
			continue
		}
		matrices[c] = friction(c)
	}
	psi, err := dissipation.New(sys, matrices)
	check(err)
	return Example{Psi: psi, Start: ref, Until: 1}
}

// Braced is a random braced frame of np particles over the floor: geometrically
// nonlinear springs, stiffening tethers to a moving anchor, weights, friction of
// all kinds. The springs are stretched, so that the energy is convex nearby.
func Braced(rng *rand.Rand, np int) Example {
	ref := make([]float64, 3*np)
	var springs []particles.Spring
	var tethers []particles.Tether
	var loads []particles.Load
	matrices := make([]dissipation.Matrix, np)
	for i := range np {
		ref[3*i], ref[3*i+1] = float64(i)+0.2*rng.Float64(), rng.Float64()
		for j := range i {
			springs = append(springs, particles.Spring{I: j, J: i, Law: particles.Linear{K: 1 + rng.Float64(), Rest: 0.2 * rng.Float64()}})
		}
		path := particles.Path{wave(ref[3*i], 0.8, 0.5, 0), wave(ref[3*i+1], 0.5, 0.3, 1), wave(-0.2, 0.25, 0.7, rng.Float64())}
		tethers = append(tethers, particles.Tether{Particle: i, Anchor: path,
			Stiffness: particles.Diagonal(2, 3, 2+rng.Float64()), Stiffening: rng.Float64()})
		loads = append(loads, particles.Load{Particle: i, Force: particles.At(0, 0, -0.1)})
		switch rng.IntN(3) {
		case 0:
			matrices[i] = dissipation.Isotropic{Mu: 0.3}
		case 1:
			m, err := dissipation.NewOrthotropic([2]float64{0.1, 0.4}, [2]float64{1, 1})
			check(err)
			matrices[i] = m
		}
	}
	sp, err := particles.NewSprings(springs...)
	check(err)
	te, err := particles.NewTethers(tethers...)
	check(err)
	lo, err := particles.NewLoads(loads...)
	check(err)
	sys, err := particles.NewSystem(particles.Floors(np), sp, te, lo)
	check(err)
	psi, err := dissipation.New(sys, matrices)
	check(err)
	return Example{Psi: psi, Start: ref, Until: 2}
}

// BallAndWall is three particles that exchange no force: on a floor, on a ball at rest, and on a
// floor, beside a wall that comes nearer if there is one.
func BallAndWall(beside bool) Example {
	zero := signal.Constant(0)
	ball, err := particles.NewSphere([3]float64{0, 0, -1}, 1, false, [3]float64{0, 0.2, 0})
	check(err)
	c, err := particles.NewChart(ball, particles.Motion{})
	check(err)
	side, err := particles.NewHalfSpace([3]float64{-0.1, 0, 0}, [3]float64{1, 0, 0})
	check(err)
	plane, err := particles.NewPlane(side.Frame())
	check(err)
	wall, err := particles.NewChart(plane, particles.Motion{Shift: particles.Path{wave(0, 0.3, 0.3, 0), zero, zero}})
	check(err)
	var tethers []particles.Tether
	for j, k := range []float64{1, 4, 100} {
		along := particles.Path{wave(0, 0.5, 0.3, float64(j)), wave(0, 0.3, 0.5, 0), wave(-0.3, 0.2, 0.4, float64(j))}
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: along, Stiffness: particles.Diagonal(k, 1.2*k, 2*k)})
	}
	te, err := particles.NewTethers(tethers...)
	check(err)
	sys, err := particles.NewSystem([]particles.Frame{particles.Floor(), particles.NoObstacle(), particles.Floor()}, te)
	check(err)
	extras := []particles.Extra{{Particle: 1, Frame: particles.Charted(c, [3]float64{})}}
	iso := dissipation.Isotropic{Mu: 0.3}
	matrices := []dissipation.Matrix{iso, nil, iso, iso}
	if beside {
		extras, matrices = append(extras, particles.Extra{Particle: 2, Frame: particles.Charted(wall, [3]float64{})}), append(matrices, iso)
	}
	sys, err = sys.WithExtras(extras, 1)
	check(err)
	psi, err := dissipation.New(sys, matrices)
	check(err)
	return Example{Psi: psi, Start: make([]float64, 9), Until: 1}
}

// Buckling is two particles on a floor, a strut between them and one to the ground that is pressed
// by more than it bears upright: D²E is indefinite on the way.
func Buckling() Example {
	sp, err := particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 0), Law: particles.Linear{K: 5, Rest: 1}},
		particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 2, Rest: 1.2}})
	check(err)
	te, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(1e-3, 0, 1),
		Stiffness: particles.Diagonal(0.1, 0.1, 0)},
		particles.Tether{Particle: 1, Anchor: particles.At(1, 0.1, -0.2), Stiffness: particles.Diagonal(0.3, 0.2, 1), Stiffening: 0.5})
	check(err)
	force, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{}, {0, 0, -3}})
	check(err)
	lo, err := particles.NewLoads(particles.Load{Particle: 0, Force: force})
	check(err)
	sys, err := particles.NewSystem(particles.Floors(2), sp, te, lo)
	check(err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.2}, dissipation.Isotropic{Mu: 0.4}})
	check(err)
	return Example{Psi: psi, Start: []float64{0, 0, 1, 1, 0, 0}, Until: 1}
}

// Glued is two nodes that adhesive bonds hold to the ground and a grip pulls away: an energy that
// is not convex, in whose damage nothing resists.
func Glued() Example {
	variable, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	check(err)
	k := particles.Isotropic(3)
	length := particles.BreakingLength(k, 0.05)
	v := dissipation.Variable{Frame: variable, Yield: 0.05 / length, Idle: 3, Limit: length}
	ref := make([]float64, 12)
	ref[3] = -1
	pull, err := particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{}, {6, 1, 0}})
	check(err)
	bonds, err := particles.NewBonds(ref, particles.Bond{I: 0, Anchor: pull, Stiffness: particles.Isotropic(1)},
		particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(1)})
	check(err)
	glue, err := particles.NewAdhesiveBonds(ref, particles.AdhesiveBond{I: 0, Anchor: particles.At(0, 0, 0),
		Variable: 2, Stiffness: k, Length: length},
		particles.AdhesiveBond{I: 1, Anchor: particles.At(0, 0, 0), Variable: 3, Stiffness: k, Length: length})
	check(err)
	press, err := dissipation.Press(2, []dissipation.Variable{v, v})
	check(err)
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle(), particles.NoObstacle(), variable,
		variable}, append([]particles.Energy{bonds, glue}, press...)...)
	check(err)
	var ends []particles.Extra
	matrices := make([]dissipation.Matrix, 2)
	for i := range 2 {
		e, _ := v.End(2 + i)
		ends = append(ends, e)
		matrices = append(matrices, dissipation.Isotropic{Mu: 1})
	}
	sys, err = sys.WithExtras(ends, 10)
	check(err)
	psi, err := dissipation.New(sys, append(matrices, nil, nil))
	check(err)
	z := make([]float64, 12)
	sys.ToLocal(z, ref)
	return Example{Psi: psi, Start: z, Until: 1}
}

// Loose is a pair of particles that nothing but friction holds, and one on a spring: the pull
// exceeds the friction of the start of the second step, and of the end of the fourth one.
func Loose() Example {
	ramp := func(values ...float64) particles.Signal {
		s, err := signal.NewTable([]float64{0, 0.25, 0.5, 0.75, 1}, values)
		check(err)
		return s
	}
	loads, err := particles.NewLoads(
		particles.Load{Particle: 0, Force: particles.Path{ramp(0, 1, 1.7, 1, 3), ramp(0, 0.5, 1, 0.5, 2), ramp(-2, -2, -4, -3, -2)}},
		particles.Load{Particle: 1, Force: particles.At(0, 0, -2)},
		particles.Load{Particle: 2, Force: particles.Path{ramp(0, 2, 4, 1, 0), ramp(0, 0, 0, 0, 0), ramp(-1, -1, -1, -2, -1)}})
	check(err)
	bonds, err := particles.NewBonds([]float64{0, 0, 0, 1, 1, 0, 0, 0, 0},
		particles.Bond{I: 0, J: 1, Stiffness: particles.Stiffness{50, 5, 0, 5, 40, 0, 0, 0, 30}})
	check(err)
	tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 0, 0),
		Stiffness: particles.Diagonal(3, 3, 0)})
	check(err)
	sys, err := particles.NewSystem(particles.Floors(3), loads, bonds, tether)
	check(err)
	iso := dissipation.Isotropic{Mu: 0.4}
	psi, err := dissipation.New(sys, []dissipation.Matrix{iso, iso, iso})
	check(err)
	return Example{Psi: psi, Start: []float64{0, 0, 0, 1, 1, 0, 0, 0, 0}, Until: 1}
}

// Slopes is two particles on planes that lean in different directions, held to each other by a
// spring and to the ground by tethers that move; friction of one differs along its axes.
func Slopes() Example {
	var frames []particles.Frame
	for j, n := range [][3]float64{{0, 0.6, 0.8}, {0.48, -0.36, 0.8}} {
		h, err := particles.NewHalfSpace([3]float64{float64(j), 0, 0.1}, n)
		check(err)
		frames = append(frames, h.Frame())
	}
	springs, err := particles.NewSprings(particles.Spring{I: 1, J: 0, Law: particles.Linear{K: 2, Rest: 0.6}},
		particles.Spring{I: 0, J: -1, Anchor: particles.At(-1, 0.5, 0.2), Law: particles.Linear{K: 1, Rest: 0.9}})
	check(err)
	var tethers []particles.Tether
	for j := range 2 {
		along := particles.Path{wave(float64(j), 0.4, 0.4, float64(j)), wave(0, 0.5, 0.3, 1), wave(-0.2, 0.2, 0.6, float64(j))}
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: along, Stiffness: particles.Diagonal(3, 4, 5)})
	}
	te, err := particles.NewTethers(tethers...)
	check(err)
	sys, err := particles.NewSystem(frames, springs, te)
	check(err)
	across, err := dissipation.NewOrthotropic([2]float64{0.2, 0.5}, [2]float64{1, 2})
	check(err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}, across})
	check(err)
	return Example{Psi: psi, Start: make([]float64, 6), Until: 1}
}

// Model is a functional Ψ of particles on obstacles, with a friction matrix for each and energies.
func Model(frames []particles.Frame, m []dissipation.Matrix, energies ...particles.Energy) *dissipation.Coulomb {
	return must(dissipation.New(must(particles.NewSystem(frames, energies...)), m))
}

// Springs is their energy.
func Springs(list ...particles.Spring) particles.Energy { return must(particles.NewSprings(list...)) }

// Loads is their energy.
func Loads(list ...particles.Load) particles.Energy { return must(particles.NewLoads(list...)) }
