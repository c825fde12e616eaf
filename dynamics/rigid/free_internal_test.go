package rigid

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// train is a row of n boxes on a floor, coupled by joints of all kinds, the last one to the middle and, if it is held, the first one
// to the ground; further joints and forces are added.
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

// TestFreeBodies: W = V_cc − V_cj V_jj⁻¹V_jc for joints of all kinds, in the plane and in space, at the ground and in a
// fork, before and after both are normalised; V has some blocks for each contact and joint.
func TestFreeBodies(t *testing.T) {
	for _, c := range []struct {
		dim, n int
		held   bool
	}{{2, 27, false}, {2, 27, true}, {3, 14, false}, {3, 14, true}} {
		s := train(t, c.dim, c.n, c.held, nil, nil)
		var x solver
		members := s.p.islands.members(0)
		s.p.cutOut(&x, members)
		x.jointed = s.free(&x.freed, members)
		if !x.jointed || len(members) != len(s.p.list) {
			t.Fatalf("%+v: %d of %d contacts in the island, freed %t", c, len(members), len(s.p.list), x.jointed)
		}
		for _, normal := range []bool{false, true} {
			if normal {
				x.normalise()
			}
			w, n := full(&x.w)
			v, all := full(&x.freed.v)
			// Gauß: the joints from the last one on.
			for k := all - 1; k >= n; k-- {
				for i := range k {
					f := v[i*all+k] / v[k*all+k]
					for j := range k {
						v[i*all+j] -= f * v[k*all+j]
					}
				}
			}
			most, off := 0.0, 0.0
			for i := range n {
				for j := range n {
					most, off = max(most, math.Abs(w[i*n+j])), max(off, math.Abs(w[i*n+j]-v[i*all+j]))
				}
			}
			if !(off <= 1e-11*most) { // rounding by the condition of the joints, which is some hundreds
				t.Errorf("%+v, normalised %t: W is off by %g of %g", c, normal, off, most)
			}
		}
		if v := &x.freed.v; len(v.Col) > 12*v.Contacts() {
			t.Errorf("%+v: %d blocks of %d contacts and joints", c, len(v.Col), v.Contacts())
		}
	}
}

// TestNotFreed: loops, forces between bodies, and contacts of bodies without joints.
func TestNotFreed(t *testing.T) {
	spring := &multibody.Spring{A: 3, B: 5, Stiffness: 10, RestLength: .2}
	for name, s := range map[string]*Stepper{
		"loop":  train(t, 2, 27, true, []multibody.Joint{{Kind: multibody.Revolute, A: 9, B: -1, At: [3]float64{.9, .3}}}, nil),
		"force": train(t, 2, 27, false, nil, []multibody.Force{spring}),
	} {
		var f freeBodies
		if s.free(&f, s.p.islands.members(0)) {
			t.Errorf("%s: freed", name)
		}
	}
	s := train(t, 2, 27, false, nil, nil)
	for i := range s.p.part { // as if it were another component, without joints
		s.p.part[i].comp = len(s.inv)
	}
	s.inv, s.model.Components = append(s.inv, multibody.Inverse{}), append(s.model.Components, multibody.Component{})
	if s.free(new(freeBodies), s.p.islands.members(0)) {
		t.Error("bodies without joints are freed")
	}
}

// TestFreedIsTheSame: an island is solved by the free bodies to the motion that W alone gives, which is unique
// without friction, in some steps of Newton's method; with friction by the verdict on W.
func TestFreedIsTheSame(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := train(t, dim, 30-8*(dim-2), false, nil, nil)
		members := s.p.islands.members(0)
		speeds := [3][]float64{}
		for k := range speeds {
			var x solver
			s.p.cutOut(&x, members)
			x.faces, x.jointed = true, k != 1 && s.free(&x.freed, members)
			for i := range x.laws {
				if k < 2 {
					x.laws[i] = contact.Coulomb{}
				}
			}
			for i := range x.b {
				x.r[i], x.b[i] = 0, .1*math.Sin(float64(7*i))
				if i%dim == 0 {
					x.b[i] -= .08
				}
			}
			w := x.w
			w.Val = slices.Clone(w.Val)
			u := slices.Clone(x.b)
			x.solve(context.Background(), &s.o, false)
			if x.err != nil || x.jointed != (k != 1) {
				t.Fatalf("dim %d: %v, jointed %t", dim, x.err, x.jointed)
			}
			if k != 1 && x.iterations > 60 {
				t.Errorf("dim %d: %d iterations, way %d", dim, x.iterations, k)
			}
			v := make([]float64, len(u))
			w.MulVec(v, x.r)
			for i := range u {
				u[i] += v[i]
			}
			speeds[k] = u
		}
		for i, u := range speeds[0] {
			if d := u - speeds[1][i]; !(math.Abs(d) <= 1e-9) { // of speeds of .1; both are solved to 1e-10
				t.Errorf("dim %d: speed %d is %g by the free bodies, %g by W", dim, i, u, speeds[1][i])
			}
		}
	}
}
