package fem_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestParseKinematics is the inverse of String.
func TestParseKinematics(t *testing.T) {
	for _, k := range []fem.Kinematics{fem.PlaneStrain, fem.PlaneStress, fem.Axisymmetric} {
		if got, err := fem.ParseKinematics(k.String()); err != nil || got != k {
			t.Errorf("%v is read as %v, %v", k, got, err)
		}
	}
	if k, err := fem.ParseKinematics("plane"); err == nil {
		t.Errorf("read as %v", k)
	}
}
