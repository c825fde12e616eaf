package rigid

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestAlternatingForces: of a top whose centre of mass is off that of its sphere the force alternates for α = ½
// about that for α = 1, which the run says.
func TestAlternatingForces(t *testing.T) {
	for alpha, told := range map[float64]bool{.5: true, 1: false} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.01, "steps": 120, "alpha": %g, "accuracy": 0.02, "gravity": [0, 0, -9.81],
			"obstacles": {"table": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"felt": {"mu": 0.3, "drilling": 0.001}}, "material": "felt",
			"bodies": [{"id": "top", "mass": 0.02, "shape": {"type": "sphere", "radius": 0.02}, "centre": [0, 0, -0.004], "inertia": [3.2e-6, 3.2e-6, 3.2e-6],
			"position": [0, 0, 0.02], "orientation": [0.9987502603949663, 0.04997916927067833, 0, 0], "spin": [0, 0, 100]}]}`, alpha), &Model)
		if strings.Contains(readFile(t, x.Dir, "summary.json"), `"alternating_force": "top/table"`) != told {
			t.Errorf("α = %g: told %v", alpha, !told)
		}
	}
	x, share := pulse{}, 0.0
	for k := range 20 { // what rises and falls slowly does not alternate
		if x, share = x.next(1+.3*float64(k%10), .01); share > 0 {
			t.Errorf("%d: %g", k, share)
		}
	}
}
