package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
)

// TestLongRest: a load exceeds friction, 3 N, for .66 s after 280 s of rest, and the block goes 2.4 cm, for which
// friction takes .0725 J (by steps of 10 µs of the law of motion). How long it rests then does not matter: a run that
// steps over the load is not certified, though in so long a time a residual of its forces would push it by a kilometre.
func TestLongRest(t *testing.T) {
	for _, until := range []float64{1e3, 1e8} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "rests", "model": "rigid", "until": %g, "dimension": 2, "gravity": [0, -10], "material": "dry",
			"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.3}},
			"bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [{"table": [[0, 0], [280.6598398977402, 0],
				[281.10594534125505, -0.6147044180831465], [283.98089848819893, 3.39406514019867],
				[285.1837903906033, -0.8097897028882866], [285.9188627263887, 0]]}, 0]}],
			"expect": [{"quantity": "dissipation", "value": 0.07247924523789874, "tolerance": 7e-4}]}`, until), &rigid.Model)
		if o := x.Summary.Expectations[0]; x.Summary.Certified && !(math.Abs(*o.Value / *o.Want - 1) < .01) {
			t.Errorf("until %g s: certified, and friction takes %g of %g J", until, *o.Value, *o.Want)
		}
	}
}
