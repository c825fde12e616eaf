package events

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestBends: a particle between two faces in general position moves in the plane of their normals where its loads, its springs and what it is tied to leave it there: across is the
// product of the normals.
func TestBends(t *testing.T) {
	a, b := [3]float64{2. / 3, -1. / 3, 2. / 3}, [3]float64{2. / 7, 6. / 7, 3. / 7}
	e := vec3.Cross(a, b)
	e = vec3.Scale(e, 1/vec3.Norm(e))
	own, err := particles.NewHalfSpace([3]float64{}, a)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := particles.NewHalfSpace([3]float64{}, b)
	if err != nil {
		t.Fatal(err)
	}
	load := func(end [3]float64) particles.Energy {
		var path particles.Path
		for c := range 3 {
			s, err := signal.NewTable([]float64{0, 1}, []float64{-a[c] - b[c], end[c]})
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, s)
		}
		l, err := particles.NewLoads(particles.Load{Particle: 0, Force: path})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	// Stiffness s along e and 1 in the plane, and coupling between both.
	tether := func(s, coupled float64) particles.Energy {
		var k particles.Stiffness
		for r := range 3 {
			for c := range 3 {
				k[3*r+c] = (s - 1) * e[r] * e[c]
				if r == c {
					k[3*r+c]++
				}
				k[3*r+c] += coupled * (e[r]*a[c] + a[r]*e[c])
			}
		}
		x, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: k})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	in := [3]float64{.3*b[0] - 2*a[0], .3*b[1] - 2*a[1], .3*b[2] - 2*a[2]}
	out := [3]float64{in[0] + .01*e[0], in[1] + .01*e[1], in[2] + .01*e[2]}
	for _, c := range []struct {
		name  string
		terms []particles.Energy
		want  bool
	}{
		{"in the plane", []particles.Energy{load(in), tether(3, 0)}, true},
		{"a large load in the plane", []particles.Energy{load([3]float64{1e6 * in[0], 1e6 * in[1], 1e6 * in[2]}), tether(3, 0)}, true},
		{"a small load across", []particles.Energy{load([3]float64{in[0] + 1e-9*e[0], in[1] + 1e-9*e[1], in[2] + 1e-9*e[2]}), tether(3, 0)}, false},
		{"stiff across", []particles.Energy{load(in), tether(1e6, 0)}, true},
		{"soft, and coupled a little", []particles.Energy{load(in), tether(1e-3, 1e-9)}, false},
		{"no springs", []particles.Energy{load(in)}, true},
		{"a load across", []particles.Energy{load(out), tether(3, 0)}, false},
		{"springs that couple", []particles.Energy{load(in), tether(3, .01)}, false},
		{"tied to another one", []particles.Energy{load(in), tether(3, 0), tied(t)}, false},
	} {
		sys, err := particles.NewSystem([]particles.Frame{own.Frame(), particles.Floors(1)[0]}, c.terms...)
		if err == nil {
			sys, err = sys.WithExtras([]particles.Extra{{Particle: 0, Frame: wall.Frame()}}, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: .3}, dissipation.Isotropic{Mu: .3}, dissipation.Isotropic{Mu: .2}})
		if err != nil {
			t.Fatal(err)
		}
		p := &Reduced{System: sys, psi: psi, Start: make([]float64, 6), Until: 1}
		got := p.bends(0)
		if (got != nil) != c.want {
			t.Errorf("%s: across is %v", c.name, got)
		}
		if got == nil {
			continue
		}
		// Which frame coordinates have is that of the particle's own or of space; the angle to the normals is right angles in either.
		for i, slot := range p.faces(0) {
			n, _, _ := sys.ContactAxes(0, slot, p.Start)
			if d := n[0]*got[0] + n[1]*got[1] + n[2]*got[2]; math.Abs(d) > 1e-15 {
				t.Errorf("%s: normal %d has %g across", c.name, i, d)
			}
		}
		if l := math.Sqrt(got[0]*got[0] + got[1]*got[1] + got[2]*got[2]); math.Abs(l-1) > 1e-15 {
			t.Errorf("%s: across has the length %.17g", c.name, l)
		}
	}
}

// tied is a bond between two particles.
func tied(t *testing.T) particles.Energy {
	b, err := particles.NewBonds(make([]float64, 6), particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(.01)})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
