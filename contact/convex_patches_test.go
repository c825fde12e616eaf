package contact_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
)

// pressedPatches is a paraboloid of radius 1 on an elastic half-space (E = 2, ν = 0.3) under n×n
// patches that rigid ground presses by 0.01 and shears by 0.0012, without friction. Its stiffness
// is full: directions couple on rigid ground.
func pressedPatches(t *testing.T, n int) *contact.Global {
	const half = 0.12
	cell, nc := 2*half/float64(n), n*n
	ref, who := make([]float64, 3*nc), make([]int, nc)
	for j := range who {
		x, y := -half+cell*(float64(j%n)+0.5), -half+cell*(float64(j/n)+0.5)
		who[j], ref[3*j], ref[3*j+1], ref[3*j+2] = j, x, y, (x*x+y*y)/2
	}
	compliance, err := particles.ElasticOnRigid(particles.Elastic{Young: 2, Poisson: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	surface, err := particles.NewSurface(particles.Grid{Particles: who, NX: n, NY: n, DX: cell, DY: cell}, ref, nil,
		compliance, particles.UniformPatches)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(nc), surface)
	if err != nil {
		t.Fatal(err)
	}
	p := &contact.Global{M: sys.Hessian(0, ref), F: make([]float64, 3*nc), H: &contact.Jacobian{Dim: 3, Rows: 3 * nc, Ptr: []int{0}},
		W: make([]float64, 3*nc), Laws: make([]contact.Law, nc)}
	motion := make([]float64, 3*nc)
	for j := range nc {
		p.H.Row = append(p.H.Row, 3*j, 3*j+1, 3*j+2)
		p.H.Val = append(p.H.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0)
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		p.W[3*j] = ref[3*j+2]
		motion[3*j], motion[3*j+2] = 0.0012, -0.01
		p.Laws[j] = contact.Tresca{}
	}
	p.M.MulVec(p.F, motion)
	return p
}

// TestConvexPatches: half-spaces under many patches end solved, without friction and at the
// thresholds of μ = 0.3. Stiffnesses of n² patches have conditions that grow with n, at which
// penalties round: the last digits are those of multipliers with a small one.
func TestConvexPatches(t *testing.T) {
	sizes := []int{7}
	if thorough.Asked() {
		sizes = []int{21, 28, 31}
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := pressedPatches(t, n)
			var ws contact.GlobalWorkspace
			var res contact.Result
			for range 2 {
				if err := contact.SolveConvex(t.Context(), p, 0, nil, &ws, &res); err != nil ||
					!(res.Merit <= 4e-12) { // four times the default tolerance: the check's norm
					t.Fatalf("%v, residual %g", err, res.Merit)
				}
				for j := range p.Laws {
					p.Laws[j] = contact.Tresca{Threshold: 0.3 * max(0, res.R[3*j])}
				}
			}
		})
	}
}
