package rigid

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// Force is a part of k₁(t, q, v) that couples bodies. Blocks of velocities
// follow each other in the order of Bodies, without the ground (−1).
type Force interface {
	Bodies() []int
	// Force adds k₁ to f, n entries.
	Force(f []float64, t float64, s *Snapshot)
	// Jacobian adds ∂k₁/∂q (in directions of velocities) to kq and ∂k₁/∂v to
	// kv, n×n row by row.
	Jacobian(kq, kv []float64, t float64, s *Snapshot)
	// Energy returns a potential of the part that has one, else 0 [J].
	Energy(s *Snapshot) float64
}

// Snapshot is a state as forces see it.
type Snapshot struct {
	M     *Model
	Poses []bodies.Pose
	Q, V  []float64
}

// Jacobians choose k̃_q and k̃_v of (4.3).
type Jacobians int

// The choices; forces enter explicitly with NoJacobians.
const (
	ExactJacobians    Jacobians = iota // what Force.Jacobian returns
	DefiniteJacobians                  // the negative semidefinite part of their symmetric part
	NoJacobians                        // zero
)

// Spring pulls points of two bodies together: along d = (p_A − p_B)/‖·‖
//
//	F = −(k(‖p_A − p_B‖ − L) + c ṙ) d  on A.
type Spring struct {
	A, B       int        // B −1 is the ground
	AtA, AtB   [3]float64 // in body frames; of the ground in space [m]
	Stiffness  float64    // k [N/m]
	Damping    float64    // c [N s/m]
	RestLength float64    // L [m]
}

var _ Force = (*Spring)(nil)

// Bodies implements [Force].
func (s *Spring) Bodies() []int { return pairOf(s.A, s.B) }

func pairOf(a, b int) []int {
	if b < 0 {
		return []int{a}
	}
	return []int{a, b}
}

// pull returns the row of ṙ (over both bodies), length and rate.
func (s *Spring) pull(x *Snapshot, row []float64) (length, rate float64) {
	pa, pb := poseOf(x.Poses, s.A), poseOf(x.Poses, s.B)
	ra, rb := turn(pa, s.AtA), turn(pb, s.AtB)
	d := add(add(pa.Centre, 1, ra), -1, add(pb.Centre, 1, rb))
	length = norm(d)
	n := vec{0, 1}
	if length > 0 {
		n = scale(d, 1/length)
	}
	ma, mb := cross(ra, n), cross(rb, n)
	x.M.put(row, 1, s.A, pa, 1, &n, &ma)
	at := x.M.body[s.A].n
	if s.B >= 0 {
		x.M.put(row[at:], 1, s.B, pb, -1, &n, &mb)
	}
	for k, b := range pairOf(s.A, s.B) {
		p := &x.M.body[b]
		for i := range p.n {
			rate += row[k*at+i] * x.V[p.v+i]
		}
	}
	return length, rate
}

// Force implements [Force].
func (s *Spring) Force(f []float64, _ float64, x *Snapshot) {
	var row [12]float64
	length, rate := s.pull(x, row[:])
	pull := -s.Stiffness*(length-s.RestLength) - s.Damping*rate
	for i := range f {
		f[i] += pull * row[i]
	}
}

// Jacobian implements [Force]: −k rrᵀ and −c rrᵀ, without the geometric part,
// so that both are negative semidefinite.
func (s *Spring) Jacobian(kq, kv []float64, _ float64, x *Snapshot) {
	var row [12]float64
	s.pull(x, row[:])
	n := int(math.Sqrt(float64(len(kq))) + 0.5)
	for i := range n {
		for j := range n {
			kq[i*n+j] -= s.Stiffness * row[i] * row[j]
			kv[i*n+j] -= s.Damping * row[i] * row[j]
		}
	}
}

// Energy implements [Force].
func (s *Spring) Energy(x *Snapshot) float64 {
	var row [12]float64
	length, _ := s.pull(x, row[:])
	return 0.5 * s.Stiffness * (length - s.RestLength) * (length - s.RestLength)
}

// Twist is a torsion spring between the headings of two bodies in the plane:
// M = −k(θ_A − θ_B − φ) − c(ω_A − ω_B) on A.
type Twist struct {
	A, B      int     // B −1 is the ground
	Stiffness float64 // k [N m]
	Damping   float64 // c [N m s]
	Rest      float64 // φ [rad]
}

var _ Force = (*Twist)(nil)

// Bodies implements [Force].
func (s *Twist) Bodies() []int { return pairOf(s.A, s.B) }

// Force implements [Force].
func (s *Twist) Force(f []float64, _ float64, x *Snapshot) {
	m := x.M
	rate := x.V[m.body[s.A].v+2]
	if s.B >= 0 {
		rate -= x.V[m.body[s.B].v+2]
	}
	moment := -s.Stiffness*s.turned(x) - s.Damping*rate
	f[2] += moment
	if s.B >= 0 {
		f[5] -= moment
	}
}

func (s *Twist) turned(x *Snapshot) float64 {
	return x.M.heading(x.Q, s.A) - x.M.heading(x.Q, s.B) - s.Rest
}

// Jacobian implements [Force].
func (s *Twist) Jacobian(kq, kv []float64, _ float64, _ *Snapshot) {
	n, sign := 3, []float64{1}
	if s.B >= 0 {
		n, sign = 6, []float64{1, -1}
	}
	for i, a := range sign {
		for j, b := range sign {
			kq[(3*i+2)*n+3*j+2] -= s.Stiffness * a * b
			kv[(3*i+2)*n+3*j+2] -= s.Damping * a * b
		}
	}
}

// Energy implements [Force].
func (s *Twist) Energy(x *Snapshot) float64 {
	d := s.turned(x)
	return 0.5 * s.Stiffness * d * d
}

// definite overwrites the n×n matrix a by the negative semidefinite part of
// its symmetric part.
func definite(a []float64, n int) {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, 0.5*(a[i*n+j]+a[j*n+i]))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		clear(a)
		return
	}
	var v mat.Dense
	e.VectorsTo(&v)
	clear(a)
	for k, lambda := range e.Values(nil) {
		if lambda >= 0 {
			continue
		}
		for i := range n {
			for j := range n {
				a[i*n+j] += lambda * v.At(i, k) * v.At(j, k)
			}
		}
	}
}
