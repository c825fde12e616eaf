package dynamics

import "testing"

// TestGivenEnergyMoves: the energy that a collision brings into an island which stood still is what
// made energy is judged against there, and nowhere else; what the residual may have made on the way
// is no energy that the scheme makes.
func TestGivenEnergyMoves(t *testing.T) {
	var c Creations
	c.Begin([]float64{8, 0, 0, 0}, nil, nil, nil)
	c.Link(1, 2)
	c.Give([]float64{-6, 5, -1, 2}, []float64{0, 0, 0.125, 0})
	c.Add(1, 0.625, 0, 0)
	c.Close(1)
	for p, want := range map[int]float64{0: 8, 1: 4, 3: 2} {
		if got := c.Island[p].Scale(); got != want {
			t.Errorf("part %d: %g J move, want %g", p, got, want)
		}
	}
	if got := c.Whole.Scale(); got != 14 {
		t.Errorf("in all %g J move, want 14, of all islands", got)
	}
	if m := c.Measures(0.01, 10, "", nil); m[0].Value != 0.125 {
		t.Errorf("%g of what moves was made, want 1/8: ½ J of 4 J, ⅛ J may be the residual's", m[0].Value)
	}
}
