package energetic_test

import (
	"context"
	"fmt"
	"log"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// hardening is an energy of a user with an internal variable p that costs Ψ = |ṗ|: a spring of 2
// N/m between an end that moves by t and a slider that hardens with the cube of its way,
//
//	E = (t − p)² + ¼ p⁴.
type hardening struct{ p int }

func (*hardening) Variables() []dissipation.Variable {
	frame, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		log.Fatal(err)
	}
	return []dissipation.Variable{{Frame: frame, Yield: 1, Idle: 1}}
}

func (e *hardening) Number(first int) { e.p = 3 * first }

func (e *hardening) Pattern(p *particles.Pattern) { p.Add(e.p, e.p) }

func (e *hardening) Value(t float64, x []float64) (energy, rate float64) {
	p := x[e.p]
	return (t-p)*(t-p) + p*p*p*p/4, 2 * (t - p)
}

func (e *hardening) Gradient(grad, rate []float64, t float64, x []float64) {
	p := x[e.p]
	if grad != nil {
		grad[e.p] += p*p*p - 2*(t-p)
	}
	if rate != nil {
		rate[e.p] -= 2
	}
}

func (e *hardening) Hessian(h *particles.Hessian, _ float64, x []float64) {
	h.Add(e.p, e.p, 2+3*x[e.p]*x[e.p])
}

// An energy with a dissipation of its own: dissipation.Internal is the one interface for it. It
// yields at t = ½, and at t = 2, where 2(t − p) = 1 + p³, p is 1 and so is what it took.
func Example_internalVariable() {
	ctx := context.Background()
	psi, err := dissipation.WithVariables(nil, nil, &hardening{})
	if err != nil {
		log.Fatal(err)
	}
	e, err := energetic.Start(ctx, psi, []float64{0, 0, 0}, energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
	if err != nil {
		log.Fatal(err)
	}
	for k := 1; k <= 200; k++ {
		if err := e.Step(ctx, float64(k)/100); err != nil {
			log.Fatal(err)
		}
	}
	n := e.Node()
	fmt.Printf("p = %.6f m, dissipated %.6f J, certified %v\n", n.Z[0], n.Dissipation, e.Summary().Certified)
	// Output: p = 1.000000 m, dissipated 1.000000 J, certified true
}
