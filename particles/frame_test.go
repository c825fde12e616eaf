package particles_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/particles"
)

func TestFrameOfNormals(t *testing.T) {
	h := math.Sqrt2 / 2
	for _, tc := range []struct {
		name            string
		normal, axis    [3]float64 // axis zero: default
		wantT, wantO, n [3]float64
	}{
		{"floor", [3]float64{0, 0, 1}, [3]float64{}, [3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}},
		{"floor, long normal", [3]float64{0, 0, 1e200}, [3]float64{}, [3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}},
		{"ceiling", [3]float64{0, 0, -2}, [3]float64{}, [3]float64{1, 0, 0}, [3]float64{0, -1, 0}, [3]float64{0, 0, -1}},
		{"wall x", [3]float64{1, 0, 0}, [3]float64{}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}, [3]float64{1, 0, 0}},
		{"wall y", [3]float64{0, -3, 0}, [3]float64{}, [3]float64{1, 0, 0}, [3]float64{0, 0, 1}, [3]float64{0, -1, 0}},
		{"ramp along x", [3]float64{-1, 0, 1}, [3]float64{1, 0, 0}, [3]float64{h, 0, h}, [3]float64{0, 1, 0}, [3]float64{-h, 0, h}},
		{"axis above the floor", [3]float64{0, 0, 1}, [3]float64{0, 5, 7}, [3]float64{0, 1, 0}, [3]float64{-1, 0, 0}, [3]float64{0, 0, 1}},
	} {
		hs, err := particles.NewHalfSpace([3]float64{}, tc.normal)
		if err != nil {
			t.Fatal(err)
		}
		f := hs.Frame()
		if tc.axis != [3]float64{} {
			f, err = hs.FrameAlong(tc.axis)
			if err != nil {
				t.Fatal(err)
			}
		}
		// Axes along coordinates are exact; the ramp is rounded once or twice.
		nearAll(t, tc.name+" t", f.T[:], tc.wantT[:], 3e-16)
		nearAll(t, tc.name+" o", f.O[:], tc.wantO[:], 3e-16)
		nearAll(t, tc.name+" n", f.N[:], tc.n[:], 3e-16)
	}
	floor, err := particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 3})
	if err != nil || floor.Frame() != particles.Floor() {
		t.Errorf("the frame of e_z is %+v, want that of the floor to the bit", floor.Frame())
	}
}

func TestFrameProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frame.Draw(t, "frame")
		r := [3][3]float64{f.T, f.O, f.N}
		for i := range r {
			for j := range r {
				var d, want float64
				for c := range 3 {
					d += r[i][c] * r[j][c]
				}
				if i == j {
					want = 1
				}
				near(t, "RᵀR", d, want, 1e-15)
			}
		}
		x := triple.Draw(t, "x")
		z := f.ToLocal(x)
		back := f.ToGlobal(z)
		// Coordinates are of order 10: rounding a few times 1e-15.
		nearAll(t, "x", back[:], x[:], 1e-14)
		var height float64
		for c := range 3 {
			height += f.N[c] * (x[c] - f.P[c])
		}
		near(t, "z₃ = n·(x − p)", z[2], height, 1e-14)
	})
}

func TestFrameErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tc := range []struct {
		point, normal [3]float64
		want          string
	}{
		{[3]float64{}, [3]float64{}, "no direction"},
		{[3]float64{}, [3]float64{0, nan, 1}, "no direction"},
		{[3]float64{}, [3]float64{0, 0, inf}, "no direction"},
		{[3]float64{0, -inf, 0}, [3]float64{0, 0, 1}, "not finite"},
	} {
		_, err := particles.NewHalfSpace(tc.point, tc.normal)
		wantError(t, err, tc.want)
	}
	hs, err := particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = hs.FrameAlong([3]float64{0, -2, -2})
	wantError(t, err, "parallel")
	_, err = hs.FrameAlong([3]float64{})
	wantError(t, err, "no direction")

	skew := particles.Floor()
	skew.T[1] = 1e-3
	mirror := particles.Floor()
	mirror.O[1] = -1
	far := particles.Floor()
	far.P[0] = nan
	for want, f := range map[string]particles.Frame{
		"frame of particle 1: axes": skew, "left-handed": mirror, "point": far, "not orthonormal": {},
	} {
		_, err := particles.NewSystem([]particles.Frame{particles.Floor(), f})
		wantError(t, err, want)
	}
}

func wantError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}
