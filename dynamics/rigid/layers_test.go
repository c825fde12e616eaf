package rigid_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// boxLayers are shiftedLayers whose boxes lie on one box with most of a face, and on up to three
// others with less.
func boxLayers(t testing.TB, n, layers int, gap float64, o rigid.Options) *rigid.Stepper {
	return shiftedLayers(t, .02, n, layers, gap, o)
}

// TestLayersLandAtOnce: layers of boxes fall flat. All corners of a layer close at one time, to
// rounding, and after that they touch: there is one collision a layer, and the rounds of the steps
// end soon. What the residual of an impact left of the speeds of corners had them close one after
// the other.
func TestLayersLandAtOnce(t *testing.T) {
	n, layers, gap, steps := 3, 2, .02, 60
	if thorough.Asked() {
		n, layers, gap, steps = 4, 4, .05, 120
	}
	s := boxLayers(t, n, layers, gap, rigid.Options{Alpha: .75})
	collisions, contacts := 0, 0
	for range steps { // the last layer lands after √(2·layers·gap/g): .09 s, or .20 s
		run(t, s, .002, 1)
		x := s.Last()
		collisions += len(x.Collisions)
		contacts = max(contacts, x.Stick+x.Slip)
		if x.Penetration > 1e-10 || len(x.Cuts) > 0 {
			t.Errorf("t = %g: penetration %g, cuts %v", x.T, x.Penetration, x.Cuts)
		}
	}
	if collisions != layers || contacts <= 60 {
		t.Errorf("%d collisions of %d layers, of up to %d contacts", collisions, layers, contacts)
	}
}
