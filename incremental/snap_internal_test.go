package incremental

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// apart is n particles above floors, each in an island of its own: held by a spring with the
// stiffnesses of the list, in turn, at the places at; friction of 0.4, the last one without.
func apart(t *testing.T, stiff [][3]float64, at [][3]float64) *Minimiser {
	t.Helper()
	var items []particles.Tether
	matrices := make([]dissipation.Matrix, len(at))
	for j, p := range at {
		k := stiff[j%len(stiff)]
		items = append(items, particles.Tether{Particle: j, Anchor: particles.At(p[0], p[1], p[2]), Stiffness: particles.Diagonal(k[0], k[1], k[2])})
		if j < len(at)-1 {
			matrices[j] = dissipation.Isotropic{Mu: 0.4}
		}
	}
	tethers, err := particles.NewTethers(items...)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(len(at)), tethers)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return NewMinimiser(psi, 1e-12)
}

// TestNaturalMapUnits: |r − P_K(r − ρu)| of a particle that friction could hold and that moved
// by v all the same is ρ|v|, with ρ the largest stiffness of its own, whichever direction that
// is; in parts of the forces of its own island. The reactions nearest to DE are DE where that
// is admissible, without the normal part above the floor, and bounded by the threshold.
func TestNaturalMapUnits(t *testing.T) {
	for _, k := range [][3]float64{{2, 3, 5}, {5, 2, 3}, {3, 5, 2}} {
		at := [][3]float64{{0.1, 0, -1}, {0, 0.1, -1}, {0.1, 0.2, -1}}
		for moved := range at {
			m := apart(t, [][3]float64{k}, at)
			base, z, grad := make([]float64, 9), make([]float64, 9), make([]float64, 9)
			for j, p := range at {
				z[3*j], z[3*j+1] = p[0], p[1] // at its anchor: no force along the floor
				copy(base[3*j:3*j+2], z[3*j:3*j+2])
			}
			base[3*moved], base[3*moved+1] = z[3*moved]-0.03, z[3*moved+1]+0.04
			m.sys.Gradient(grad, nil, 0, z)
			v := m.gapVector(9)
			for i := range v {
				v[i] = z[i] - base[i]
			}
			for c := range m.particle {
				m.SetThreshold(c, 100, 0, z)
			}
			m.model(0, base, z, v, grad)
			sizes := []float64{1e9, 1e9, 1e9}
			sizes[moved] = 4
			force, share := m.naturalMap(0, z, v, grad, sizes)
			want := 5 * 0.04 // the larger component
			if moved == 2 {  // without friction nothing opposes its motion, and nothing drives it
				want = 0
			}
			if math.Abs(force-want) > 1e-14 || math.Abs(share-want/4) > 1e-14 {
				t.Errorf("stiffness %v, particle %d: force %g, share %g, want %g and a quarter", k, moved, force, share, want)
			}
			z[3*moved+2] = 0.5 // lifted: pulled down by its spring, which is no reaction
			grad[3*moved], grad[3*moved+1], grad[3*moved+2] = 30, 40, 7
			m.SetThreshold(moved, 12.5, 0, z)
			for c, j := range m.particle {
				m.balance(c, j, z, grad)
				got, want := [3]float64(m.res.R[3*c:3*c+3]), [3]float64{grad[3*j+2], grad[3*j], grad[3*j+1]}
				if j == moved {
					want = [3]float64{0, 3, 4} // 50 N cut to the threshold
				}
				if j == 2 {
					want[1], want[2] = 0, 0
				}
				for i := range got {
					if math.Abs(got[i]-want[i]) > 1e-14 {
						t.Errorf("particle %d of %d: reaction %v, want %v", j, moved, got, want)
						break
					}
				}
			}
		}
	}
}

// TestSnap: a height or a motion whose force, by the stiffness in its direction, is below
// zeroMotion of the forces of the island is none; one above it stays, as it is. A contact whose
// friction is inside its limit does not move, whatever the solver says; one with a normal force
// has no height.
func TestSnap(t *testing.T) {
	stiff := [][3]float64{{1e6, 1e-3, 1e3}, {1e-3, 1e3, 1e6}, {1e3, 1e6, 1e-3}, {1, 1, 1}}
	m := apart(t, stiff, make([][3]float64, 4))
	n := len(m.next)
	m.problem.M = m.sys.Hessian(0, make([]float64, n))
	m.res.R = make([]float64, n)
	const force = 2.0
	for _, size := range []float64{0.5, 2} {
		for j := range 3 {
			for d := range 3 { // one direction at a time
				clear(m.problem.F)
				clear(m.next)
				clear(m.res.R)
				clear(m.floors)
				for c, p := range m.particle {
					m.SetThreshold(c, 2.5, 0, make([]float64, n)) // 1 N along the floor
					m.res.R[3*c+1] = 1                            // on the limit: friction does not hold it
					m.problem.F[3*p] = force
				}
				m.tresca[3] = contact.Tresca{}
				m.next[3*j+d] = size * zeroMotion * force / stiff[j][d]
				m.next[9], m.next[10] = 1e-200, 1e-200 // without friction nothing holds it
				want := append([]float64(nil), m.next...)
				if size < 1 {
					want[3*j+d] = 0
				}
				m.snap()
				for i := range want {
					if m.next[i] != want[i] {
						t.Errorf("size %g: coordinate %d of particle %d: %g became %g at %d, want %g", size, d, j, m.next[3*j+d], m.next[i], i, want[i])
					}
				}
			}
		}
	}
	// Friction inside its limit, and a normal force.
	for c, p := range m.particle {
		m.next[3*p], m.next[3*p+1], m.next[3*p+2] = 1, 2, 3
		m.res.R[3*c], m.res.R[3*c+1], m.res.R[3*c+2] = 1, 0.5, 0.5
	}
	m.res.R[0], m.problem.W[3] = 0, -3.5 // the first is above its floor, the second one started so
	m.snap()
	for i, want := range []float64{0, 0, 3, 0, 0, 3.5, 0, 0, 0, 1, 2, 0} {
		if m.next[i] != want {
			t.Errorf("coordinate %d: %g, want %g", i, m.next[i], want)
		}
	}
}

// TestScales: a part tolerance of the size of an island is at least the rounding of its
// forces; that grows with the distance from the origin, of this island alone.
func TestScales(t *testing.T) {
	m := apart(t, [][3]float64{{2, 2, 2}}, [][3]float64{{}, {}, {}})
	s := NewScales(m.sys)
	z, grad := make([]float64, 9), make([]float64, 9)
	z[3] = 1e9 // the second particle
	grad[7] = 40
	s.Meet(m.sys, m.sys.Hessian(0, z), z, grad)
	k := s.Island[1]
	want := ulps * 2 * 1e9
	if math.Abs(s.Rounding[k]-want) > 1e-9*want {
		t.Errorf("rounding %g N, want %g", s.Rounding[k], want)
	}
	if s.Force[s.Island[2]] != 40 || s.Rounding[s.Island[2]] > 1e-12 {
		t.Errorf("island of particle 2: %g, %g", s.Force[s.Island[2]], s.Rounding[s.Island[2]])
	}
	for _, tolerance := range []float64{1e-12, 1e-6, 1} {
		for i := range s.Force {
			if got := s.Size(i, tolerance); got*tolerance < s.Rounding[i]*(1-1e-15) || got < s.Force[i] || got != s.Force[i] && math.Abs(got*tolerance-s.Rounding[i]) > 1e-15*s.Rounding[i] {
				t.Errorf("island %d, tolerance %g: size %g of %g, rounding %g", i, tolerance, got, s.Force[i], s.Rounding[i])
			}
		}
	}
	in := make([]bool, 5)
	in[4] = true
	MarkSwitching(in, []ContactState{Free, Grazing, Stick, Slip, Stick})
	if want := [5]bool{true, true, false, false, true}; [5]bool(in) != want {
		t.Errorf("switching %v, want %v", in, want)
	}
	if got := Count([]ContactState{Free, Slip, Slip, Stick}); got != (Counts{1, 0, 1, 2}) {
		t.Errorf("counts %v", got)
	}
	if s := ContactState(4).String(); s != "ContactState(4)" {
		t.Errorf("state 4 is %q", s)
	}
}

// TestDescendRefusesRise: Σ|DE_i y_i|, and the decrease that a descent asks for: along a line on
// which E + Ψ rises there is none.
func TestDescendRefusesRise(t *testing.T) {
	m := apart(t, [][3]float64{{2, 2, 2}}, [][3]float64{{}, {}})
	z := []float64{1, 0, 0, 0, 0, 0}
	m.begin(0, z)
	copy(m.grad, []float64{2, 0, -3, 1, 0, 0})
	m.y[2] = 5
	if got := m.positionWork(); got != 2*1+3*5 {
		t.Errorf("position work %g, want 17", got)
	}
	m.begin(0, z)
	clear(m.v)
	m.sys.Gradient(m.grad, nil, 0, m.y)
	m.next[0] = 1 // away from the anchor: E rises from 1 to 4
	if m.descend(0) {
		t.Error("a rise is taken for a descent")
	}
	clear(m.v)
	m.place(m.v)
	clear(m.next)
	m.next[0] = -1.9 // E falls by .99 of 1; half of what the slope promises is asked for by no rule
	if ok := m.descend(0); !ok || m.v[0] != -1.9 && m.v[0] != -0.95 {
		t.Errorf("%v, went to %g", ok, m.v[0])
	}
}
