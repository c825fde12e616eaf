package dynamics

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// target is the problem of reference/dynamics.md, section 3: x(T), y(T) given
// and v_z(0) = 0, as rows of (13).
func target() *Boundary {
	b := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{.6, -.2, 0}}
	b.N[0], b.N[6+1], b.MV[8] = 1, 1, 1
	return b
}

func TestBoundaryTable(t *testing.T) {
	for _, c := range []struct {
		theta, x, y float64
	}{{0, 1.6454801935, -.7834128630}, {.5, 1.6363596474, -.7767966214}} {
		p, _ := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
		r, err := SolveBoundary(context.Background(), &slider{patch: p}, &State{Q: make([]float64, 3), V: make([]float64, 3)}, target(),
			BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true, Theta: c.theta}})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "vx", r.V0[0], c.x, 1e-10)
		near(t, "vy", r.V0[1], c.y, 1e-10)
		if r.Residual > 1e-10 || len(r.Solutions) != 1 || r.Existence.Applies || r.Existence.Rank != 1 {
			t.Errorf("residual %g, %d solutions, %+v", r.Residual, len(r.Solutions), r.Existence)
		}
		t.Logf("%s, %d integrations, rate %.3g, %+v, %+v", r.Method, r.Integrations, r.Rate, r.Existence, r.Smallness)
	}
}

// TestBoundaryByVelocity prescribes v(0) + v(T)/10: M_v + N_v is regular,
// Theorem 8 applies and Υ contracts.
func TestBoundaryByVelocity(t *testing.T) {
	b := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{1, -.4, 0}}
	for i := range 3 {
		b.MV[4*i], b.N[6*i+3+i] = 1, .1
	}
	p, _ := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
	r, err := SolveBoundary(context.Background(), &slider{patch: p}, &State{Q: make([]float64, 3), V: make([]float64, 3)}, b,
		BoundaryOptions{H: .01, Steps: 5, Stepper: Options{ImplicitForce: true}, Starts: [][]float64{{3, 3, 0}, {-2, 0, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if e := r.Existence; !e.Applies || e.Rank != 3 || e.Right < 11.9 || e.Psi <= 0 || r.Method != "fixed point" || len(r.Solutions) != 1 {
		t.Errorf("%s, %d solutions, %+v", r.Method, len(r.Solutions), e)
	}
	t.Logf("rate %g %+v", r.Rate, r.Existence)
}

func TestBoundaryInput(t *testing.T) {
	p, _ := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
	for name, c := range map[string]struct {
		change func(b *Boundary)
		want   string
	}{
		"contradiction": {func(b *Boundary) { copy(b.N[6:12], b.N[:6]); b.N[7] = 0 },
			"rows 1, 2 contradict each other: [M_v N] has rank 2 of 3"},
		"repetition":   {func(b *Boundary) { copy(b.N[6:12], b.N[:6]); b.N[7] = 0; b.B[1] = .6 }, "depend on each other"},
		"undetermined": {func(b *Boundary) { clear(b.N[6:12]); b.MV[3] = 1 }, "do not determine v(0)"},
		"size":         {func(b *Boundary) { b.B = b.B[:2] }, "2 rows"},
	} {
		b := target()
		c.change(b)
		_, err := SolveBoundary(context.Background(), &slider{patch: p},
			&State{Q: make([]float64, 3), V: make([]float64, 3)}, b, BoundaryOptions{H: .01, Steps: 50})
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// TestShootingWhereTheFixedPointDiverges: v(0) + 5 x(T) = b has the response
// 1 + 5·dx/dv ≈ 3, so that Υ with M_v + N_v = I does not contract and (28)
// fails; shooting finds the answer from every start.
func TestShootingWhereTheFixedPointDiverges(t *testing.T) {
	b := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{4.6, -1.8, 0}}
	for i := range 3 {
		b.MV[4*i], b.N[6*i+i] = 1, 5
	}
	b.N[12+2] = 0
	p, _ := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
	methods := map[string]int{}
	r, err := SolveBoundary(context.Background(), &slider{patch: p}, &State{Q: make([]float64, 3), V: make([]float64, 3)}, b,
		BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true}, Starts: [][]float64{{8, 0, 0}, {0, -8, 0}, {-6, 6, 0}},
			OnIteration: func(i BoundaryIteration) { methods[i.Method]++ }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != "shooting" || r.Residual > 1e-10 || !r.Existence.Applies || r.Existence.Holds || len(r.Solutions) != 1 {
		t.Errorf("%s, residual %g, solutions %v, %+v", r.Method, r.Residual, r.Solutions, r.Existence)
	}
	if methods["fixed point"] == 0 || methods["shooting"] < 5 {
		t.Errorf("iterations %v", methods)
	}
}

// TestBoundaryFailureKeepsTheBest: without integrations left, an error that is
// not one of the input, and the best velocity met.
func TestBoundaryFailureKeepsTheBest(t *testing.T) {
	p, _ := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
	r, err := SolveBoundary(context.Background(), &slider{patch: p}, &State{Q: make([]float64, 3), V: make([]float64, 3)}, target(),
		BoundaryOptions{H: .01, Steps: 50, MaxIntegrations: 4})
	var input *InputError
	if err == nil || errors.As(err, &input) || r == nil || r.V0[0] < 1 || !(r.Residual < .1) {
		t.Errorf("error %v, result %+v", err, r)
	}
}
