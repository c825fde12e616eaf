package contact

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
)

// Two masses 3 and 5 on a line under the forces −1, glued by v_1 − v_2 = 1;
// mass 1 may lean on a wall. Moving together, 3 v_1 + 5(v_1 − 1) = r − 2 gives
// v_1 = (3 + r)/8 > 0: the contact opens.
func TestDelassusBilateral(t *testing.T) {
	h := &Jacobian{Dim: 2, Rows: 2, Ptr: []int{0, 1}, Row: []int{0}, Val: []float64{1, 0}}
	d, err := delassus.NewDelassusDense([]float64{3, 0, 0, 5}, []float64{-1, -1}, h, []float64{0, 0},
		[]Law{Frictionless{}}, []float64{1, -1}, []float64{-1})
	if err != nil {
		t.Fatal(err)
	}
	var res Result
	if err := by(MethodLemke)(context.Background(), d.Local, nil, nil, &res); err != nil {
		t.Fatal(err)
	}
	v := d.Velocity(nil, res.R)
	if res.R[0] != 0 || math.Abs(v[0]-0.375) > 1e-14 || math.Abs(v[1]+0.625) > 1e-14 || math.Abs(res.U[0]-v[0]) > 1e-14 {
		t.Errorf("r = %v, u = %v, v = %v; want r = 0, v = (3/8, −5/8)", res.R, res.U, v)
	}
}
