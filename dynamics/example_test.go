package dynamics_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
)

// block is a user's own model: a block of 2 kg that is pulled along a rough
// floor with 10 N.
type block struct{ patch *dynamics.Patch }

func (b *block) Size() (nq, nv, dim int)                      { return 2, 2, 2 }
func (b *block) Mass(m *dynamics.Mass, q []float64)           { m.Diagonal(2, 2) }
func (b *block) Force(f []float64, t float64, q, v []float64) { f[0], f[1] = 10, -2*9.81 }
func (b *block) Contacts(c *dynamics.Contacts, q []float64) {
	c.Begin(0, b.patch)
	c.Element(q[1])   // the gap over the floor y = 0
	c.Row(0, 0, 1, 0) // ẋ is the slip
	c.Row(1, 1, 0, 0) // ẏ is the speed of separation
}

func ExampleStepper() {
	patch, err := dynamics.NewRigid(contact.Coulomb{Mu: 0.3}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := dynamics.NewStepper(&block{patch}, []float64{0, 0}, []float64{0, 0}, dynamics.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 1000 {
		if err := s.Step(context.Background(), 1e-3); err != nil {
			fmt.Println(err)
			return
		}
	}
	x := s.State()
	fmt.Printf("t = %.3f s: v = %.4f m/s, friction %.4f N\n", x.T, x.V[0], x.Lambda[1])
	fmt.Printf("pull %.3f J, friction %.3f J, kinetic %.3f J\n", s.Ledger().Loads, s.Ledger().Friction, s.Ledger().Kinetic)
	// Output:
	// t = 1.000 s: v = 2.0570 m/s, friction -5.8860 N
	// pull 10.285 J, friction 6.060 J, kinetic 4.231 J
}
