package dissipation

import (
	"fmt"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Variable is an internal variable p of an energy, with a dissipation of its own:
//
//	Ψ(ż) = … + Yield·|ṗ|
//
// It is a particle that exists for nothing else: p is its displacement along the tangent t
// of its frame, and it is pressed with the force Yield onto the plane of the frame, on
// which friction is 1. So the functional is (2.1) of [Schmid08] as it stands, and what is
// proven of and certified about Coulomb friction holds for it: σ = Yield for all t.
type Variable struct {
	Frame particles.Frame // see [particles.VariableFrame]
	Yield float64         // [N], > 0
	// Idle > 0 is the stiffness across t [N/m], in which nothing ever moves: it keeps D²E
	// definite. Take one of the size of the energy's own.
	Idle float64
	// Limit > 0 ends the way of p [m]: p <= Limit, as of damage. 0: nothing does.
	Limit float64
}

// End returns the obstacle that ends the way of the variable, that is particle number j; false for
// none. It has no friction.
func (v *Variable) End(j int) (e particles.Extra, ok bool) {
	if v.Limit <= 0 {
		return e, false
	}
	f := v.Frame
	e = particles.Extra{Particle: j, Frame: particles.Frame{T: f.N, O: f.O}}
	for i, t := range f.T {
		e.Frame.P[i], e.Frame.N[i] = f.P[i]+v.Limit*t, -t
	}
	return e, true
}

// Internal is an Energy with internal variables: the one interface that a user implements
// for dissipation beside friction. Its variables are particles, whose numbers it is told.
type Internal interface {
	particles.Energy
	Variables() []Variable
	// Number tells the energy that its variables are the particles first, first+1, …
	Number(first int)
}

// WithVariables makes the system of particles with frames and friction and of the
// variables of the energies, which are numbered after the particles in the order of the
// energies.
func WithVariables(frames []particles.Frame, matrices []Matrix, energies ...particles.Energy) (*Coulomb, error) {
	if matrices == nil {
		matrices = make([]Matrix, len(frames))
	}
	if len(matrices) != len(frames) {
		return nil, fmt.Errorf("dissipation: %d friction matrices for %d particles", len(matrices), len(frames))
	}
	frames, matrices = append([]particles.Frame(nil), frames...), append([]Matrix(nil), matrices...)
	first := len(frames)
	var list []Variable
	for _, e := range energies {
		if v, ok := e.(Internal); ok {
			v.Number(first + len(list))
			list = append(list, v.Variables()...)
		}
	}
	for i := range list {
		frames, matrices = append(frames, list[i].Frame), append(matrices, Isotropic{Mu: 1})
	}
	press, err := Press(first, list)
	if err != nil {
		return nil, err
	}
	sys, err := particles.NewSystem(frames, append(append([]particles.Energy(nil), energies...), press...)...)
	if err != nil {
		return nil, err
	}
	var ends []particles.Extra
	size := 0.0
	for i := range list {
		if e, ok := list[i].End(first + i); ok {
			ends, size, matrices = append(ends, e), max(size, list[i].Limit), append(matrices, nil)
		}
	}
	if ends != nil {
		if sys, err = sys.WithExtras(ends, size); err != nil {
			return nil, err
		}
	}
	return New(sys, matrices)
}

// Press returns the energy that presses variables onto their planes and holds what is idle,
// nil for none; they are the particles first, first+1, …
func Press(first int, list []Variable) ([]particles.Energy, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var numbers []int
	var ref []float64
	var idle []particles.Entry
	var force particles.Path
	for i := range list {
		v := &list[i]
		if !(v.Yield > 0) || !(v.Idle > 0) || !(v.Limit >= 0) || v.Frame.Free {
			return nil, fmt.Errorf("dissipation: variable %d: yield force %v, idle stiffness %v, limit %v, want the first two > 0, a limit >= 0 and a frame with a plane",
				i, v.Yield, v.Idle, v.Limit)
		}
		n, o := v.Frame.N, v.Frame.O
		numbers, ref = append(numbers, first+i), append(ref, v.Frame.P[:]...)
		for r := range 3 {
			for c := range 3 {
				if k := v.Idle * (n[r]*n[c] + o[r]*o[c]); k != 0 {
					idle = append(idle, particles.Entry{Row: 3*i + r, Col: 3*i + c, Value: k})
				}
			}
			force = append(force, signal.Constant(0-v.Yield*n[r])) // no −0
		}
	}
	e, err := particles.NewQuadratic(numbers, ref, idle, force)
	return []particles.Energy{e}, err
}
