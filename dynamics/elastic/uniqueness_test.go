package elastic

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/fem"
)

// TestCriticalFriction: above μ_crit some pattern of open, sticking and sliding
// contacts has a singular matrix, so that uniqueness is lost for some data: the
// reference values on a mesh of 4×1, by all 4⁵ patterns.
func TestCriticalFriction(t *testing.T) {
	for r, want := range map[float64]float64{0.1: 57.9, 0.4: 6.29, 1.6: 2.60, 10: 1.29} { // three digits
		s := blockStepper(t, 4, 1, r, 0.3)
		w, columns := s.trapezoid.solver.Delassus()
		if got := criticalByPatterns(w, len(columns)); math.Abs(got-want) > map[bool]float64{true: 0.05, false: 0.005}[want > 10] {
			t.Errorf("r = %g: critical friction %.4g, want %.4g", r, got, want)
		} else {
			t.Logf("r = %g: critical friction %.5g", r, got)
		}
		c := s.Certificate()
		if c.CriticalFriction < want*0.995 { // patterns that are looked at are some of all
			t.Errorf("r = %g: certificate says %.4g, less than %.4g", r, c.CriticalFriction, want)
		}
		if c.Unique && 0.3 >= want { // never a proof where there is none
			t.Errorf("r = %g: unique by proof at μ = .3, %+v", r, c)
		}
		t.Logf("r = %g: %+v", r, c)
	}
}

// blockStepper has CFL number r.
func blockStepper(t *testing.T, nx, ny int, r, mu float64) *Stepper {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{nx, ny}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	contacts, err := fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(), fem.HalfSpace{Point: []float64{0, 0}, Normal: []float64{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Mesh: mesh, Material: fem.Elastic{Young: 1000, Poisson: 0.3, Density: 1}, Contacts: contacts}
	for range contacts {
		m.Friction = append(m.Friction, mu)
	}
	s, err := New(context.Background(), m, Options{Step: r / float64(nx) / m.Material.WaveSpeed(2)})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Certificate().CFL; math.Abs(c-r) > 1e-12*r {
		t.Errorf("CFL number %g, want %g", c, r)
	}
	return s
}

// criticalByPatterns returns the least μ at which a pattern is singular: with
// the sticking contacts eliminated from W, 1/μ is an eigenvalue of W_nn⁻¹W_nt S.
func criticalByPatterns(w []float64, n int) float64 {
	const open, stick, right, left = 0, 1, 2, 3
	nc, least := n/2, math.Inf(1)
	for code := range 1 << (2 * nc) {
		var held, slide []int // columns
		var sign []float64
		for k := range nc {
			switch code >> (2 * k) & 3 {
			case stick:
				held = append(held, 2*k, 2*k+1)
			case right:
				slide, sign = append(slide, k), append(sign, 1)
			case left:
				slide, sign = append(slide, k), append(sign, -1)
			}
		}
		if len(slide) == 0 {
			continue
		}
		at := func(i, j int) float64 { return w[i*n+j] }
		m := len(slide)
		nn, nt := mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		for a, i := range slide {
			for b, j := range slide {
				nn.Set(a, b, at(2*i, 2*j))
				nt.Set(a, b, at(2*i, 2*j+1)*sign[b])
			}
		}
		if h := len(held); h > 0 {
			hh, hn, ht := mat.NewDense(h, h, nil), mat.NewDense(h, m, nil), mat.NewDense(h, m, nil)
			nh := mat.NewDense(m, h, nil)
			for a, i := range held {
				for b, j := range held {
					hh.Set(a, b, at(i, j))
				}
				for b, j := range slide {
					hn.Set(a, b, at(i, 2*j))
					ht.Set(a, b, at(i, 2*j+1)*sign[b])
					nh.Set(b, a, at(2*j, i))
				}
			}
			var x, y mat.Dense
			if x.Solve(hh, hn) != nil || y.Solve(hh, ht) != nil {
				continue
			}
			var p, q mat.Dense
			p.Mul(nh, &x)
			q.Mul(nh, &y)
			nn.Sub(nn, &p)
			nt.Sub(nt, &q)
		}
		var g mat.Dense
		if g.Solve(nn, nt) != nil {
			continue
		}
		var e mat.Eigen
		if !e.Factorize(&g, mat.EigenNone) {
			continue
		}
		for _, v := range e.Values(nil) {
			if math.Abs(imag(v)) < 1e-10*math.Abs(real(v)) && real(v) > 0 {
				least = min(least, 1/real(v))
			}
		}
	}
	return least
}

// TestCertificatesWithout: without friction, and without contacts, nothing bounds step or friction.
func TestCertificatesWithout(t *testing.T) {
	for _, contacts := range []int{0, 5} {
		m := *blockStepper(t, 4, 1, .7, .3).a.model
		m.Contacts, m.Friction = m.Contacts[:contacts], nil
		s, err := New(context.Background(), &m, Options{Step: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if c := s.Certificate(); !math.IsInf(c.CriticalFriction, 1) || !math.IsInf(c.StableStep, 1) ||
			!math.IsInf(c.UnstableStep, 1) || !c.Unique || c.Contraction != 0 || c.Closed != 0 {
			t.Errorf("%d contacts: %+v", contacts, c)
		}
	}
}
