package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
)

// TestLongRest: a load exceeds friction, 3 N, for .66 s after 280 s of rest, and the block goes 2.4 cm, for which
// friction takes .0725 J (by steps of 10 µs of the law of motion); or for .46 s after 5e7 s, by up to .9 N, and it goes
// .09314 m (in closed form). How long it rests before and then does not matter: a run that steps over the load is not
// certified, though in so long a time a residual of its forces would push it by a kilometre.
func TestLongRest(t *testing.T) {
	early := `[280.6598398977402, 0], [281.10594534125505, -0.6147044180831465], [283.98089848819893, 3.39406514019867],
		[285.1837903906033, -0.8097897028882866], [285.9188627263887, 0]`
	late := "[5e7, 0], [50000001, 3.9], [50000002, 0]"
	for _, c := range []struct {
		load         string
		until, taken float64
	}{{early, 1e3, 0.07247924523789874}, {early, 1e8, 0.07247924523789874}, {late, 1e8, 0.27943}} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "rests", "model": "rigid", "until": %g, "dimension": 2, "gravity": [0, -10], "material": "dry",
			"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.3}},
			"bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [{"table": [[0, 0], %s]}, 0]}],
			"expect": [{"quantity": "dissipation", "value": %g, "tolerance": 7e-4}]}`, c.until, c.load, c.taken), &rigid.Model)
		if o := x.Summary.Expectations[0]; x.Summary.Certified && !(math.Abs(*o.Value / *o.Want - 1) < .01) {
			t.Errorf("until %g s: certified, and friction takes %g of %g J", c.until, *o.Value, *o.Want)
		}
	}
}
