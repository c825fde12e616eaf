package dynamics

import "testing"

// TestCoupledMass: the momentum of a part in a frame that moves is that of its mass, also what
// couples two velocities of its centre, and nothing of another part or of a spin.
func TestCoupledMass(t *testing.T) {
	var m Mass
	m.reset()
	m.Block(3, 2, 0.5, 0.25, 0.5, 3, 0.125, 0.25, 0.125, 1)
	m.Diagonal(5)
	if err := m.factor(4); err != nil {
		t.Fatal(err)
	}
	f := frames{axes: []int{0, 1, -1, 0}, motion: make([]Momentum, 2)}
	f.moves([]float64{1, 2, 3, 4}, &m, []int{0, 0, 0, 1})
	if want := (Momentum{Mass: [3][3]float64{{2, 0.5}, {0.5, 3}}, Of: [3]float64{1, 2}}); f.motion[0] != want {
		t.Errorf("%+v, want %+v", f.motion[0], want)
	}
	if want := (Momentum{Mass: [3][3]float64{{5}}, Of: [3]float64{4}}); f.motion[1] != want {
		t.Errorf("%+v, want %+v", f.motion[1], want)
	}
}
