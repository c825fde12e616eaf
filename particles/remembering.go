package particles

import "math"

// Remembering is implemented by an Energy that has internal variables p with a dissipation Ψ of their own,
// rate-independent, and eliminates them: at a state x it takes those of least cost from the p₀ that it
// remembers,
//
//	E(t, x) = min_p { W(t, x, p) + Ψ(p − p₀) } + all that was dissipated until p₀.
//
// If W is convex and Ψ a norm, so is E, and its derivative by x is that of W: the incremental problem in
// x and p is the one in x. By the triangle inequality of Ψ a state that is no worse than any other by E
// is stable, (S), in x and p.
//
// A System learns between steps what it has to remember, by Recall. Each of the stepper, the certifier and the
// readers of files follows the evolution at its own pace, and has a System of its own. The reasons for all of this
// are in docs/decisions/0037-bodies-that-yield.md.
type Remembering interface {
	// Own returns the same energy with a memory of its own; nil if it has nothing to remember.
	Own() Energy
	// Variables appends the variables p of the state x.
	Variables(dst []float64, t float64, x []float64) []float64
	// Recall takes as many variables as it has from the front of a list, remembers them, and returns the rest of
	// the list. An empty list stands for the start, at which all variables are 0.
	Recall(list []float64) []float64
	// Flow says what the variables do on the straight way from x₀ to x.
	Flow(t0 float64, x0 []float64, t float64, x []float64) Flow
}

// Flow is what internal variables do on a way from a state of which they are remembered.
type Flow struct {
	Particle   int     // one of those that move with them
	Dissipated float64 // from the start of the run to the end of the way [J]
	Work       float64 // ∫Ψ of the shortest way of the variables to its end [J]
	// Turned is by how much ∫Ψ along the way that they take is more than Work: 0 if they go straight [J].
	Turned float64
	// Excess is by how much the end lacks stability, in parts of the threshold [-].
	Excess float64
	// Supports are the forces of supports on its nodes at the end, Dim components each [N], and Stresses the mean
	// stresses of its elements there, six components each, by which the length of a difference is its equivalent
	// stress of von Mises [Pa].
	Dim                int
	Supports, Stresses []float64
}

// Apart returns by how much two flows of the same variables to the same time differ at most: in the force of a support
// on a node [N], and in the stress of an element [Pa].
func (f *Flow) Apart(g *Flow) (force, stress float64) {
	return apart(f.Supports, g.Supports, f.Dim), apart(f.Stresses, g.Stresses, 6)
}

// apart is the largest distance of two vectors of the same place in lists of them.
func apart(f, g []float64, width int) (most float64) {
	for i := 0; i < len(f); i += width {
		sum := 0.0
		for c := i; c < i+width; c++ {
			sum += (f[c] - g[c]) * (f[c] - g[c])
		}
		most = max(most, math.Sqrt(sum))
	}
	return most
}

// Remembers reports whether an energy remembers something.
func (s *System) Remembers() bool {
	return len(s.remembering) > 0
}

// Own returns the system with memories of its own, s itself where nothing remembers.
func (s *System) Own() *System {
	if !s.Remembers() {
		return s
	}
	energies := append([]Energy(nil), s.energies...)
	for i, e := range energies {
		if r, is := e.(Remembering); is {
			if own := r.Own(); own != nil {
				energies[i] = own
			}
		}
	}
	c, err := s.Like(s.frames, energies...)
	if err != nil {
		panic("particles: System.Own: " + err.Error())
	}
	c.carry(s)
	return c
}

// Variables appends the internal variables of all energies at (t, z).
func (s *System) Variables(dst []float64, t float64, z []float64) []float64 {
	if !s.Remembers() {
		return dst
	}
	x := s.global(t, z, "Variables")
	for _, r := range s.remembering {
		dst = r.Variables(dst, t, x)
	}
	return dst
}

// Recall makes such a list what is remembered; an empty one is the start.
func (s *System) Recall(list []float64) {
	for _, r := range s.remembering {
		list = r.Recall(list)
	}
}

// Flows returns what the variables of each energy that has some do on the way from the state that is
// remembered to another one.
func (s *System) Flows(t0 float64, z0 []float64, t float64, z []float64) (list []Flow) {
	if !s.Remembers() {
		return nil
	}
	x0 := append([]float64(nil), s.global(t0, z0, "Flows")...)
	x := s.global(t, z, "Flows")
	for _, r := range s.remembering {
		list = append(list, r.Flow(t0, x0, t, x))
	}
	return list
}
