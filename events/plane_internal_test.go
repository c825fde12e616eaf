package events

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestBends: a particle between two faces in general position moves in the plane of their normals
// where its loads, its springs and what it is tied to leave it there: across is the product of the
// normals.
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
	beside, err := particles.NewTethers(particles.Tether{Particle: 1, Anchor: particles.At(0, 0, 0),
		Stiffness: particles.Stiffness{2, .1, .2, .1, 3, .3, .2, .3, 4}})
	if err != nil {
		t.Fatal(err)
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
		{"a small load across", []particles.Energy{load([3]float64{in[0] + 1e-9*e[0], in[1] + 1e-9*e[1],
			in[2] + 1e-9*e[2]}), tether(3, 0)}, false},
		{"stiff across", []particles.Energy{load(in), tether(1e6, 0)}, true},
		{"soft, and coupled a little", []particles.Energy{load(in), tether(1e-3, 1e-9)}, false},
		{"beside another one", []particles.Energy{load(in), tether(3, 0), beside}, true},
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
		psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: .3},
			dissipation.Isotropic{Mu: .3}, dissipation.Isotropic{Mu: .2}})
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
		// Which frame coordinates have is that of the particle's own or of space; the angle to the
		// normals is right angles in either.
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

// TestBendsOfThree: of three faces along one line the direction across is that line, whichever two
// of them are the steepest to each other; of three that are not there is none.
func TestBendsOfThree(t *testing.T) {
	e := [3]float64{2. / 3, -1. / 3, 2. / 3}
	u := [3]float64{1. / 3, -2. / 3, -2. / 3}
	v := vec3.Cross(e, u)
	at := func(angle, out float64) [3]float64 {
		sin, cos := math.Sincos(angle)
		n := [3]float64{}
		for i := range n {
			n[i] = cos*u[i] + sin*v[i] + out*e[i]
		}
		return vec3.Scale(n, 1/vec3.Norm(n))
	}
	for _, angles := range [][3]float64{{0, .8, -.8}, {.8, 0, -.8}, {.8, -.8, 0}, {.1, .2, 1.5}} {
		for _, out := range []float64{0, 1e-3} {
			// in coordinates of its own obstacle, or in those of space
			for _, own := range []bool{true, false} {
				var frames []particles.Frame
				for i, angle := range angles {
					n := at(angle, 0)
					if i == 1 {
						n = at(angle, out)
					}
					h, err := particles.NewHalfSpace([3]float64{}, n)
					if err != nil {
						t.Fatal(err)
					}
					frames = append(frames, h.Frame())
				}
				extras := []particles.Extra{{Particle: 0, Frame: frames[1]}, {Particle: 0, Frame: frames[2]}}
				if !own {
					extras = append([]particles.Extra{{Particle: 0, Frame: frames[0]}}, extras...)
					frames[0] = particles.NoObstacle()
				}
				sys, err := particles.NewSystem(frames[:1])
				if err == nil {
					sys, err = sys.WithExtras(extras, 1)
				}
				if err != nil {
					t.Fatal(err)
				}
				psi, err := dissipation.New(sys, nil)
				if err != nil {
					t.Fatal(err)
				}
				p := &Reduced{System: sys, psi: psi, Start: make([]float64, 3), Until: 1}
				got := p.bends(0)
				if (got == nil) != (out != 0) {
					t.Errorf("angles %v, %g out: across is %v", angles, out, got)
				}
				if got == nil {
					continue
				}
				for _, slot := range p.faces(0) {
					n, _, _ := sys.ContactAxes(0, slot, p.Start)
					if d := n[0]*got[0] + n[1]*got[1] + n[2]*got[2]; math.Abs(d) > 1e-15 {
						t.Errorf("angles %v: a normal has %g across", angles, d)
					}
				}
			}
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

// TestShort: cosines of right triangles of integers are the ratios that they were, decimals are the
// decimals written, and others are what they are in 15 digits.
func TestShort(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {-1, "-1"}, {0.6, "3/5"}, {math.Nextafter(-0.28, 0), "-7/25"}, {20. / 29, "20/29"},
		{-21. / math.Sqrt(841), "-21/29"},
		{math.Nextafter(5./13, 1), "5/13"}, {9999. / 10000, "9999/10000"}, {4059. / 5741, "4059/5741"}, {1. / 3, "1/3"},
		{math.Sqrt2 / 2, "176776695296637/250000000000000"}, // no ratio of four digits is as near
		{1. / 10007, "24982512241431/250000000000000000"},
	} {
		if got := short(c.v).String(); got != c.want {
			t.Errorf("%.17g: %s, want %s", c.v, got, c.want)
		}
	}
}
