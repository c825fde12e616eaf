package rigid

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// train is a row of n boxes on a floor, coupled by joints of all kinds, the last one to the middle
// and, if it is held, the first one to the ground; further joints and forces are added.
func train(t *testing.T, dim, n int, held bool, more []multibody.Joint, forces []multibody.Force) *Stepper {
	t.Helper()
	w, err := bodies.NewWorld(dim, [3]float64{.3, -9.81})
	if err != nil {
		t.Fatal(err)
	}
	var joints []multibody.Joint
	kinds := [...]multibody.Kind{multibody.Revolute, multibody.Distance, multibody.Prismatic, multibody.Fixed, multibody.Spherical, multibody.Slider}
	for i := range n {
		b := bodies.Body{Shape: bodies.Box{Size: [3]float64{.08, .04, .06}}, Mass: 1 + .1*float64(i%3), Position: [3]float64{.1 * float64(i), .02}}
		if dim == 2 {
			b.Shape = bodies.Rod{Length: .04, R: .02}
		}
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			continue
		}
		j := multibody.Joint{Kind: kinds[i%len(kinds)], A: i, B: i - 1, At: [3]float64{.1*float64(i) - .05, .03}, Axis: [3]float64{1}}
		if i == n-1 {
			j.B = n / 2
		}
		j.Other = [3]float64{.1*float64(j.B) + .02, .01}
		joints = append(joints, j)
	}
	if held {
		joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1, At: [3]float64{-.1, .02}, Axis: [3]float64{0, 0, 1}})
	}
	joints = append(joints, more...)
	for i := range joints {
		if j := &joints[i]; dim == 2 && j.Kind == multibody.Revolute {
			j.Axis = [3]float64{}
		}
	}
	if _, err := w.AddHalfSpace([3]float64{}, [3]float64{0, 1}); err != nil {
		t.Fatal(err)
	}
	m, err := multibody.NewModel(w, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .4}, Forces: forces})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStepper(m, Options{Alpha: .5})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Step(context.Background(), 1e-3); err != nil {
		t.Fatal(err)
	}
	if err := s.load(.5); err != nil {
		t.Fatal(err)
	}
	s.p.islands.find(&s.p.w, len(s.p.list))
	return s
}

// full returns the entries of a matrix of blocks, row by row.
func full(w *contact.Blocks) (a []float64, n int) {
	n = w.D * w.Contacts()
	a = make([]float64, n*n)
	for i := range w.Contacts() {
		for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
			for d := range w.D * w.D {
				a[(w.D*i+d/w.D)*n+w.D*w.Col[k]+d%w.D] += w.Val[w.D*w.D*k+d]
			}
		}
	}
	return a, n
}
