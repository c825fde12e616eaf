package particles

// Energy is a term of the stored energy E(t, x), written in global coordinates:
// x is the flat vector of the positions of all particles, particle-major, and
// degree of freedom (dof) 3j+c is coordinate c of particle j. The System turns
// values and derivatives into the frames of the obstacles.
//
// x may be the caller's own vector: do not keep or change it.
//
// An Energy may also implement any of ConstantHessian, Floating, Convex, Breaker, Validator,
// Remembering, Bearing, BoundedBelow, TimeBounded, WayBounded, Varying and Driven; TimeBounded, WayBounded and Varying
// let be certified what otherwise is sampled.
type Energy interface {
	// Pattern declares the entries of D²E that may be non-zero, those of the
	// diagonal too.
	Pattern(p *Pattern)
	// Value returns E(t, x) and ∂tE(t, x).
	Value(t float64, x []float64) (e, rate float64)
	// Gradient adds DE(t, x) to grad and ∂tDE(t, x) to rate; either may be nil.
	Gradient(grad, rate []float64, t float64, x []float64)
	// Hessian adds D²E(t, x) to h.
	Hessian(h *Hessian, t float64, x []float64)
}

// ConstantHessian is implemented by an Energy that can say that D²E depends on
// neither t nor x. When all terms of a System say so, its Hessian is assembled once.
type ConstantHessian interface {
	ConstantHessian() bool
}

// Floating is implemented by an Energy that can say that it is a function with constant D²E plus
// one that does not change where all particles are translated by the same. Where friction alone
// holds such a system, that it does not is known before a step.
type Floating interface {
	Floating() bool
}

// Convex is implemented by an Energy that can say that it is a convex function of x
// at every t. A System of such terms, and of terms with constant D²E that add up to
// a semidefinite one, has a single equilibrium for given friction: what is stable
// under small changes is stable, (S) and (N3), and no global search is needed. Say
// true only if it is proven; without the method a term counts as not convex.
type Convex interface {
	Convex() bool
}

// BoundedBelow is implemented by a convex Energy whose D²E is nowhere below a matrix that depends on neither t
// nor x. With it that a state is stable, (S), is proven against all others, without it against near ones.
type BoundedBelow interface {
	// LeastHessian adds the matrix to h; false if there is none.
	LeastHessian(h *Hessian) bool
}

// Breaker is implemented by an Energy whose rates ∂tE and ∂tDE jump at times.
type Breaker interface {
	// Breaks appends those times in (t0, t1), in any order.
	Breaks(dst []float64, t0, t1 float64) []float64
}

// Validator is implemented by an Energy that can check itself against the number
// of particles of the system it joins. NewSystem calls it before all else.
type Validator interface {
	Validate(particles int) error
}

// Domain is implemented by an Energy that is infinite at some states: no step can
// start there.
type Domain interface {
	// Outside says why E(t, x) is not finite; nil if it is.
	Outside(t float64, x []float64) error
}

// TimeBounded is implemented by an Energy whose ∂tDE does not depend on x and whose
// higher derivatives in time are bounded: suprema over time are then certified.
type TimeBounded interface {
	// TimeBound adds to dst, for each dof, a bound of |∂t^k DE| over all times that
	// are no breaks, k = 2 or 3; false if it is not known.
	TimeBound(dst []float64, k int) bool
}

// IsConvex reports whether e says that it is convex.
func IsConvex(e Energy) bool {
	c, ok := e.(Convex)
	return ok && c.Convex()
}

func constantHessian(e Energy) bool {
	c, ok := e.(ConstantHessian)
	return ok && c.ConstantHessian()
}
