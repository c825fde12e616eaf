package energetic_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// glued is a bar of n nodes along x, joined by springs K and glued by bonds k that take the energy
// G each, whose first node a grip pulls by D(t) = t through a spring K; the last one is held as by
// a bar without end. The unit of length stretches all, the unit of force too.
func glued(t *testing.T, n int, stiff, k, g, meter, newton float64, origin float64) (*dissipation.Coulomb, []float64) {
	t.Helper()
	unit := newton / meter
	var frames []particles.Frame
	var ref []float64
	for j := range n {
		frames = append(frames, particles.NoObstacle())
		ref = append(ref, origin-meter*float64(j), origin, 0)
	}
	length := particles.BreakingLength(particles.Isotropic(k*unit), g*newton*meter)
	var variables []dissipation.Variable
	for range n {
		f, err := particles.VariableFrame([3]float64{origin, origin, 0}, [3]float64{1, 0, 0})
		if err != nil {
			t.Fatal(err)
		}
		frames, ref = append(frames, f), append(ref, origin, origin, 0)
		variables = append(variables, dissipation.Variable{Frame: f, Yield: g * newton * meter / length, Idle: k * unit, Limit: length})
	}
	pull, err := particles.PiecewiseLinear([]float64{0, 100}, [][3]float64{{origin, origin, 0}, {origin + 100*meter, origin, 0}})
	if err != nil {
		t.Fatal(err)
	}
	ground := particles.At(origin, origin, 0)
	// k/K = q − 2 + 1/q of what decays as qʲ.
	half := 1 + k/stiff/2
	q := half - math.Sqrt(half*half-1)
	bonds := []particles.Bond{{I: 0, Anchor: pull, Stiffness: particles.Isotropic(stiff * unit)},
		{I: n - 1, Anchor: ground, Stiffness: particles.Isotropic(stiff * (1 - q) * unit)}}
	var glue []particles.AdhesiveBond
	for j := range n {
		if j > 0 {
			bonds = append(bonds, particles.Bond{I: j - 1, J: j, Stiffness: particles.Isotropic(stiff * unit)})
		}
		glue = append(glue, particles.AdhesiveBond{I: j, Anchor: ground, Variable: n + j,
			Stiffness: particles.Isotropic(k * unit), Length: length})
	}
	var energies []particles.Energy
	add := func(e particles.Energy, err error) {
		if err != nil {
			t.Fatal(err)
		}
		energies = append(energies, e)
	}
	b, err := particles.NewBonds(ref, bonds...)
	add(b, err)
	a, err := particles.NewAdhesiveBonds(ref, glue...)
	add(a, err)
	press, err := dissipation.Press(n, variables)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(frames, append(energies, press...)...)
	if err != nil {
		t.Fatal(err)
	}
	matrices := make([]dissipation.Matrix, n)
	var ends []particles.Extra
	for i := range variables {
		e, _ := variables[i].End(n + i)
		ends, matrices = append(ends, e), append(matrices, dissipation.Isotropic{Mu: 1})
	}
	if sys, err = sys.WithExtras(ends, meter*float64(n)+math.Abs(origin)); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, append(matrices, make([]dissipation.Matrix, n)...))
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, len(ref))
	sys.ToLocal(z, ref)
	return psi, z
}

// TestPeelingLocal: the bonds of a bar hold until each stores its energy, in closed form: with the
// front at m the grip is at D = (1/q − 1)(m + b)√(2G/k), b = 1 + q/(1 − q). In other units, at
// another origin, and for other ratios of stiffness; steps just before each break and just behind
// it.
func TestPeelingLocal(t *testing.T) {
	const n = 6
	for _, c := range []struct{ stiff, k, g, meter, newton, origin float64 }{
		{2, 1, 0.5, 1, 1, 0},
		{2, 1, 0.5, 1e-6, 1e3, 0},
		{2, 1, 0.5, 1, 1e-9, 1e3},
		{50, 1, 3, 1, 1, 0},
		{1, 4, 0.1, 1e3, 1, 0},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			psi, z := glued(t, n, c.stiff, c.k, c.g, c.meter, c.newton, c.origin)
			s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
			if err != nil {
				t.Fatal(err)
			}
			half := 1 + c.k/c.stiff/2
			q := half - math.Sqrt(half*half-1)
			for m := range n - 1 {
				d := (1/q - 1) * (float64(m) + 1 + q/(1-q)) * math.Sqrt(2*c.g/c.k)
				// A millionth before and behind; the rest of the bonds holds on.
				for _, x := range []struct {
					t      float64
					broken int
				}{{d * (1 - 1e-6), m}, {d * (1 + 1e-6), m + 1}} {
					if err := s.Step(context.Background(), x.t); err != nil {
						t.Fatal(err)
					}
					for j := range n {
						damage := s.State()[3*(n+j)] * c.meter / (particles.BreakingLength(particles.Isotropic(c.k),
							c.g) * c.meter * c.meter)
						want := 0.0
						if j < x.broken {
							want = 1
						}
						// rounding of positions at the origin 1e3
						if math.Abs(damage-want) > 1e-12 {
							t.Fatalf("D = %.10g: damage %d is %g, want %g", x.t, j, damage, want)
						}
					}
				}
			}
			// Nothing heals on the way back, and the grip is free of force where it began.
			if err := s.Step(context.Background(), s.Time()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestPeelingOrder: a bar of the stiffness EA on bonds κ, G' per length, of h, tends to the law of
// Griffith as h → 0: with d0 = √(2G'/κ) the front is at (D − d0)√(EA/(2G')), and the load √(2 EA
// G'), both of first order in h.
func TestPeelingOrder(t *testing.T) {
	const ea, kappa, toughness, pull = 1.0, 4.0, 0.125, 1.5
	var off []float64
	for _, n := range []int{16, 32, 64} {
		h := 4.0 / float64(n)
		psi, z := glued(t, n, ea/h, kappa*h, toughness*h, 1, 1, 0)
		s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= 2*n; k++ {
			if err := s.Step(context.Background(), pull*float64(k)/float64(2*n)); err != nil {
				t.Fatal(err)
			}
		}
		front := 0.0
		for j := range n {
			if s.State()[3*(n+j)] > 0 {
				front += h
			}
		}
		load := ea / h * (pull - s.State()[0])
		want := (pull - math.Sqrt(2*toughness/kappa)) * math.Sqrt(ea/(2*toughness))
		// In powers of ηh, η = √(κ/EA), the front of the springs is h + ηxh/2 behind that of the
		// bar at x, 3.5 h here, up to the h that a bond stands for; the load lies between two
		// breaks, a part h/x of it apart.
		if math.Abs(front-want) > 4.5*h {
			t.Errorf("h = %g: front %g, want %g", h, front, want)
		}
		off = append(off, math.Abs(load-math.Sqrt(2*ea*toughness)))
		if off[len(off)-1] > 1.5*h {
			t.Errorf("h = %g: load %g, want %g", h, load, math.Sqrt(2*ea*toughness))
		}
	}
	for i := 1; i < len(off); i++ {
		if order := math.Log2(off[i-1] / off[i]); !(order > 0.8) {
			t.Errorf("errors of the load %.3g: order %.2g, want 1", off, order)
		}
	}
}

// TestNothingHeals: a bond that broke stays so however it is unloaded, turned and loaded again, and
// dissipates its energy once; one in series with a spring k' breaks, by global minimisers, at
// D²kk'/(k + k')/2 = G.
func TestNothingHeals(t *testing.T) {
	const k, series, g = 3.0, 1.0, 2.0
	frame, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	length := particles.BreakingLength(particles.Isotropic(k), g)
	damage := dissipation.Variable{Frame: frame, Yield: g / length, Idle: k, Limit: length}
	pull, err := particles.PiecewiseLinear([]float64{0, 1, 3, 5}, [][3]float64{{}, {5, 0, 0}, {-5, 0, 0}, {5, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	drive, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: pull, Stiffness: particles.Isotropic(series)})
	if err != nil {
		t.Fatal(err)
	}
	bond := &ownBond{k: k, length: length, damage: damage}
	psi, err := dissipation.WithVariables([]particles.Frame{particles.NoObstacle()}, nil, drive, bond)
	if err != nil {
		t.Fatal(err)
	}
	for _, globally := range []bool{false, true} {
		want := math.Sqrt(2*g/k) * (k + series) / series / 5
		if globally {
			want = math.Sqrt(2*g*(k+series)/(k*series)) / 5
		}
		broke := math.NaN()
		visit := func(time float64, z []float64) {
			if z[3] > 0 && math.IsNaN(broke) {
				broke = time
			}
			if now := z[3] / length; !math.IsNaN(broke) && now != 1 || math.IsNaN(broke) && now != 0 {
				t.Fatalf("t = %g: damage %g", time, now)
			}
		}
		ctx, z := context.Background(), make([]float64, 6)
		const steps = 250
		if globally {
			e, err := global.Start(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i <= steps; i++ {
				at := 5 * float64(i) / steps
				if err := e.Advance(ctx, at, func(j *global.Jump) error {
					if math.Abs(j.Time-want) > 1e-9 || math.Abs(j.Friction-g) > 1e-12 || math.Abs(j.Residual()) > 1e-9 {
						t.Errorf("jump %+v, want it at %g, of %g J", j, want, g)
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				visit(at, e.State())
			}
		} else {
			s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i <= steps; i++ {
				if err := s.Step(ctx, 5*float64(i)/steps); err != nil {
					t.Fatal(err)
				}
				visit(s.Time(), s.State())
			}
		}
		if !(broke >= want && broke <= want+5.0/steps) {
			t.Errorf("globally %t: it breaks at %g, want %g", globally, broke, want)
		}
	}
}

// ownBond is an adhesive bond of a user, as a dissipation.Internal: the damage is the one variable.
type ownBond struct {
	*particles.AdhesiveBonds
	k, length float64
	anchor    particles.Path // nil: the origin
	damage    dissipation.Variable
}

func (b *ownBond) Variables() []dissipation.Variable { return []dissipation.Variable{b.damage} }

func (b *ownBond) Number(first int) {
	ref, anchor := make([]float64, 3*(first+1)), b.anchor
	if anchor == nil {
		anchor = particles.At(0, 0, 0)
	}
	b.AdhesiveBonds, _ = particles.NewAdhesiveBonds(ref,
		particles.AdhesiveBond{I: 0, Anchor: anchor, Variable: first, Stiffness: particles.Isotropic(b.k), Length: b.length})
}

// TestBondOfHeldParticle: the bond of a particle that friction holds has nothing that resists its
// damage, D²E = 0 along it; it breaks where ½ k d² = G all the same, in one step of any length, and
// what it releases is what it takes.
func TestBondOfHeldParticle(t *testing.T) {
	const k, g = 1.0, 0.05
	frame, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	length := particles.BreakingLength(particles.Isotropic(k), g)
	pull, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1}, {1, 0, -1}})
	if err != nil {
		t.Fatal(err)
	}
	hold, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: pull, Stiffness: particles.Isotropic(10)})
	if err != nil {
		t.Fatal(err)
	}
	bond := &ownBond{k: k, length: length, anchor: pull,
		damage: dissipation.Variable{Frame: frame, Yield: g / length, Idle: k, Limit: length}}
	psi, err := dissipation.WithVariables(particles.Floors(1), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}}, hold, bond)
	if err != nil {
		t.Fatal(err)
	}
	for _, steps := range []int{1, 3, 20, 700} {
		e, err := energetic.Start(context.Background(), psi, make([]float64, 6), energetic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= steps; i++ {
			at := 0.45 * float64(i) / float64(steps) // it holds until 10 t = 5
			if err := e.Step(context.Background(), at); err != nil {
				t.Fatal(err)
			}
			want := 0.0
			if at > math.Sqrt(2*g/k) {
				want = 1
			}
			n := e.Node()
			if damage := n.Z[3] / length; math.Abs(damage-want) > 1e-12 || n.Z[0] != 0 || math.Abs(n.Dissipation-g*want) > 1e-12 {
				t.Fatalf("%d steps, t = %g: damage %g, displacement %g, dissipation %g", steps, at, damage, n.Z[0], n.Dissipation)
			}
		}
	}
}
