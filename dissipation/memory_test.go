package dissipation_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestPressureForgetsNothing: the normal forces of a particle with several obstacles are a
// function of z and DE: in whatever order states are asked for, and however often, they are
// those that a functional gives that was never asked before.
func TestPressureForgetsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 14))
	asked, _ := wedge(t, r)
	n := asked.System.Contacts()
	type state struct{ z, grad, sigma []float64 }
	var states []state
	for i := range 9 { // more than are remembered
		s := state{z: make([]float64, 6), grad: make([]float64, 6)}
		for k := range s.grad {
			s.grad[k] = r.NormFloat64()
		}
		s.grad[5] += 2
		if i%3 == 2 { // the force of another state in another place: off the walls
			copy(s.grad, states[i-1].grad)
			s.z[3], s.z[4] = 0.5*r.Float64(), 0.5*r.Float64()
		}
		if i%3 == 1 { // another force in the place of another state
			copy(s.z, states[i-1].z)
		}
		fresh, err := dissipation.New(asked.System, asked.Matrices)
		if err != nil {
			t.Fatal(err)
		}
		for j := range n {
			s.sigma = append(s.sigma, fresh.Pressure(0, j, s.z, s.grad, dissipation.Origin{}))
		}
		states = append(states, s)
	}
	pressed := 0
	for range 300 {
		s := &states[r.IntN(len(states))]
		for range 1 + r.IntN(4) {
			j := r.IntN(n)
			if got := asked.Pressure(0, j, s.z, s.grad, dissipation.Origin{}); got != s.sigma[j] {
				t.Fatalf("contact %d: %g, a fresh functional says %g", j, got, s.sigma[j])
			}
			if j > 0 && s.sigma[j] > 0 {
				pressed++
			}
		}
	}
	if pressed < 100 {
		t.Errorf("%d pressed contacts: the states are too easy", pressed)
	}
}

// TestCornerAtRest: with v = 0 the minimum of Solve is that of any other v, shifted: y − v
// depends on g and on the heights n·v alone, for friction acts on y. A first sweep is not
// enough in a wedge.
func TestCornerAtRest(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 14))
	for range 60 {
		c, axes := wedge(t, r)
		z := []float64{9, 9, 9, 0, 0, 0}
		var k dissipation.Corner
		k.Reset(c.System, 0, make([]float64, 6), 1, nil)
		for i, n := range k.Contacts {
			c.Law(&k.Laws[i], 0, n, 0.2*r.Float64(), z)
			k.Offsets[i][0] = 0.1 * r.Float64()
		}
		g := triple(r)
		g[2] += 1
		y := k.Solve(g, [3]float64{}, 1)
		sum := total(axes, k.R)
		for d := range 3 { // balance: y = Σ H r − g
			if math.Abs(y[d]-sum[d]+g[d]) > 1e-9 {
				t.Fatalf("balance is off by %g", y[d]-sum[d]+g[d])
			}
		}
		for i := range k.R {
			h := dot(axes[i][0], y) + k.Offsets[i][0]
			slip := [3]float64{0, dot(axes[i][1], y), dot(axes[i][2], y)}
			x := k.R[i]
			if power := x[1]*slip[1] + x[2]*slip[2] + k.Laws[i].Support(&slip); h < -1e-9 || math.Abs(x[0]*h) > 1e-9 ||
				math.Abs(power) > 1e-9 {
				t.Fatalf("contact %d: height %g, reaction %v, friction lacks %g", i, h, x, power)
			}
		}
	}
}

// TestAlignWithoutSlide: a motion along which friction is zero, or which only one contact
// feels, does not count as sliding there, and no force is made of it.
func TestAlignWithoutSlide(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 0.3})
	wall, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	s, err := psi.System.WithExtras([]particles.Extra{{Particle: 1, Frame: wall.Frame()}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	oneWay, err := dissipation.NewOrthotropic([2]float64{0.4, 0}, [2]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	c, err := dissipation.New(s, []dissipation.Matrix{oneWay, oneWay, dissipation.Isotropic{Mu: 0.2}})
	if err != nil {
		t.Fatal(err)
	}
	var k dissipation.Corner
	z, v, grad := make([]float64, 6), make([]float64, 6), []float64{0, 0, 0, 0.5, 0.1, 1}
	for _, v[4] = range []float64{0, 1} { // along y, the floor's free direction
		k.Reset(c.System, 0, make([]float64, 6), 1, nil)
		for i, n := range k.Contacts {
			c.Law(&k.Laws[i], 0, n, 1, z)
		}
		slides := align(&k, c, v, grad)
		if slides != (v[4] != 0) { // the wall feels it
			t.Errorf("v = %v: slides is %v", v, slides)
		}
		f := k.Force()
		for d := range f {
			if math.IsNaN(f[d]) {
				t.Fatalf("v = %v: force %v", v, f)
			}
		}
		if slides {
			if want := [3]float64{0, 0, 0}; k.R[0][1] != want[1] || k.R[0][2] != want[2] {
				t.Errorf("friction of the floor is %v along a direction without friction", k.R[0])
			}
			if math.Abs(f[1]+0.2) > 1e-15 {
				t.Errorf("friction of the wall is %g, want -0.2", f[1])
			}
		}
	}
	k.Reset(c.System, 0, make([]float64, 6), 1, func(int) bool { return false })
	if align(&k, c, v, grad) {
		t.Error("slides without a contact")
	}
}

// TestValueWithFactors: Ψ(t, z, v) = Σ σ_j m_j(t) ‖M v_j‖: linear in each factor, whose
// doubling doubles the part of its contact.
func TestValueWithFactors(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 0.3})
	z, v, grad := make([]float64, 6), []float64{3, 4, 0, 0, 2, 0}, []float64{0, 0, 2, 0, 0, 5}
	for _, m := range [][2]float64{{1, 1}, {2, 1}, {1, 3}, {0, 1}, {-1, 1}} {
		if err := psi.SetFactors([]signal.Scalar{signal.Constant(m[0]), signal.Constant(m[1])}); err != nil {
			t.Fatal(err)
		}
		want := max(m[0], 0)*2*0.3*5 + m[1]*5*0.3*2
		if got := psi.Value(0.5, grad, z, v); math.Abs(got-want) > 1e-14 {
			t.Errorf("factors %v: Ψ = %g, want %g", m, got, want)
		}
	}
	if err := psi.SetFactors(make([]signal.Scalar, 1)); err == nil {
		t.Error("one factor for two contacts is accepted")
	}
	if err := psi.SetFactors(make([]signal.Scalar, 2)); err != nil || psi.Timed() {
		t.Errorf("nil factors: %v, timed %v", err, psi.Timed())
	}
}

// TestMatricesWhole: all four entries of S and of its derivatives, of the matrices that are
// given by a point: isotropic ones have no entry off the diagonal, and the derivative is
// that of central differences.
func TestMatricesWhole(t *testing.T) {
	m, err := dissipation.NewMap([]float64{0, 1, 1.7, 3}, []float64{0, .5, 2},
		[][]float64{{.3, .5, .2, .4}, {.4, .3, .6, .3}, {.5, .4, .4, .6}})
	if err != nil {
		t.Fatal(err)
	}
	stretched, err := dissipation.NewStretched(0.3, dome{})
	if err != nil {
		t.Fatal(err)
	}
	turned, err := dissipation.NewRippled(orthotropic(t, [2]float64{0.2, 0.6}, [2]float64{1, 2}), 0.4, 1.3, [2]float64{2, 1}, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]dissipation.Matrix{"mapped": dissipation.NewMapped(m, [2]float64{1, .2},
		[2]float64{.6, .5}, [2]float64{-.5, .6}), "stretched": stretched, "rippled": turned, "spread": dissipation.NewSpread(m, dome{})} {
		for _, z := range [][2]float64{{.1, .3}, {.6, .8}, {.3, -.2}} {
			d := [2][4]float64{{7, 7, 7, 7}, {7, 7, 7, 7}} // all of it is written
			at := s.At(z[0], z[1], &d)
			if name != "rippled" && (at[1] != 0 || at[2] != 0 || at[0] != at[3]) {
				t.Errorf("%s at %v: %v is not isotropic", name, z, at)
			}
			const h = 1e-5
			for k := range 2 {
				e := [2]float64{}
				e[k] = h
				p, q := s.At(z[0]+e[0], z[1]+e[1], nil), s.At(z[0]-e[0], z[1]-e[1], nil)
				for i := range 4 {
					if want := (p[i] - q[i]) / (2 * h); math.Abs(d[k][i]-want) > 1e-7 { // h² of third derivatives, some hundred
						t.Errorf("%s at %v: ∂%d S[%d] is %g, by differences %g", name, z, k, i, d[k][i], want)
					}
				}
			}
		}
	}
}

// dome stretches by e^{u/2 + u·v}.
type dome struct{}

func (dome) Metric(u, v float64) particles.Metric {
	f := math.Exp(u/2 + u*v)
	return particles.Metric{S: [4]float64{f, 0, 0, f}, Su: [4]float64{f * (0.5 + v), 0, 0, f * (0.5 + v)},
		Sv: [4]float64{f * u, 0, 0, f * u}}
}

// At has the places (1 + .6u − .2v + .1uv, .4 + .5v + .1u²).
func (dome) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	return [3]float64{1 + .6*u - .2*v + .1*u*v, .4 + .5*v + .1*u*u, 0}, [3]float64{.6 + .1*v, .2 * u, 0},
		[3]float64{-.2 + .1*u, .5, 0}, n, nu, nv
}

// TestPressRefuses: a variable without a yield force, without stiffness or without a plane
// is refused; several, after particles with friction of their own, keep their order.
func TestPressRefuses(t *testing.T) {
	frame, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	good := dissipation.Variable{Frame: frame, Yield: 1, Idle: 1}
	for name, change := range map[string]func(*dissipation.Variable){
		"no yield": func(v *dissipation.Variable) { v.Yield = 0 }, "negative yield": func(v *dissipation.Variable) { v.Yield = -1 },
		"NaN": func(v *dissipation.Variable) { v.Yield = math.NaN() }, "no stiffness": func(v *dissipation.Variable) { v.Idle = 0 },
		"no plane": func(v *dissipation.Variable) { v.Frame = particles.NoObstacle() },
	} {
		bad := good
		change(&bad)
		if _, err := dissipation.Press(0, []dissipation.Variable{good, bad}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if e, err := dissipation.Press(3, nil); len(e) != 0 || err != nil {
		t.Errorf("none: %v, %v", e, err)
	}
	e, err := dissipation.Press(1, []dissipation.Variable{good, {Frame: frame, Yield: 2, Idle: 3}})
	if err != nil || len(e) != 1 {
		t.Fatalf("%d energies, %v", len(e), err)
	}
	// At the reference plus w across t: the force is Idle w − Yield n, nothing along t.
	x := make([]float64, 9)
	copy(x[:3], []float64{9, 9, 9}) // not a variable
	w := [2]float64{0.25, -0.5}
	for i := range 2 {
		for d := range 3 {
			x[3*(1+i)+d] = frame.P[d] + w[0]*frame.N[d] + w[1]*frame.O[d] + 5*frame.T[d]
		}
	}
	grad := make([]float64, 9)
	e[0].Gradient(grad, nil, 0, x)
	for i, v := range []dissipation.Variable{good, {Yield: 2, Idle: 3}} {
		for d := range 3 {
			want := v.Idle*(w[0]*frame.N[d]+w[1]*frame.O[d]) + v.Yield*frame.N[d]
			if got := grad[3*(1+i)+d]; math.Abs(got-want) > 1e-14 { // it presses with Yield onto the plane
				t.Errorf("variable %d: force %g in direction %d, want %g", i, got, d, want)
			}
		}
	}
}
