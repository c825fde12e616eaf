//go:build hdf5

package problemfile

import (
	"context"
	"testing"
)

// TestGlobalRollingHDF5 reads the rolling form of FCLIB: the problem of TestGlobalRollingForm, its
// spacedim that of a contact, as Siconos writes it (fclib_interface.c copies the dimension of
// the problem, 5), and that of space.
func TestGlobalRollingHDF5(t *testing.T) {
	for _, path := range []string{"testdata/global-rolling-5.hdf5", "testdata/global-rolling-3.hdf5"} {
		p, err := ReadFile(path)
		if err != nil || p.Kind != GlobalKind || p.Global.Dim != rollingDim {
			t.Fatalf("%s: %v, %v", path, p, err)
		}
		s, err := p.Solve(context.Background(), "", 0)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for i, want := range []float64{2, -0.5, 0, -0.12, 0.16} {
			if d := s.R[i] - want; d > 1e-7 || d < -1e-7 {
				t.Fatalf("%s: r = %v", path, s.R)
			}
		}
	}
}
