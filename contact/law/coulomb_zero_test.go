package law

import "testing"

// Without friction a pull projects to zero, at t = 0 too, where t ≤ μn reads
// 0 ≤ −0.
func TestProjectZeroFriction(t *testing.T) {
	for _, law := range []Law{Coulomb{}, Associated{}} {
		x, jac := [3]float64{-1, 0, 0}, [9]float64{}
		law.Project(&x, &jac, &x)
		if x != [3]float64{} || jac != [9]float64{} {
			t.Errorf("%T: the projection of (-1, 0, 0) is %v with the derivative %v, want zero", law, x, jac)
		}
	}
}
