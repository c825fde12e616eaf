package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

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

var _ Tie = (*Spring)(nil)

// Bodies implements [Force].
func (s *Spring) Bodies() []int { return pairOf(s.A, s.B) }

func pairOf(a, b int) []int {
	if b < 0 {
		return []int{a}
	}
	return []int{a, b}
}

// reach holds a spring at a state: with the point Jacobians G, ḋ = Gv of d = p_A − p_B,
//
//	row = Gᵀn,  ṙ = row·v,  k₁ = T row,  T = −k(ℓ − L) − cṙ.
type reach struct {
	n            vec
	length, rate float64
	g            [3][12]float64
	row          [12]float64
	at           int // first velocity of B
}

// Apart implements [Tie]: of the distance of the ends [m].
func (s *Spring) Apart(now, then *Snapshot) float64 { return math.Abs(s.length(now) - s.length(then)) }

func (s *Spring) length(x *Snapshot) float64 {
	pa, pb := PoseOf(x.Poses, s.A), PoseOf(x.Poses, s.B)
	return vec3.Norm(vec3.Add(vec3.Add(pa.Centre, 1, ToSpace(pa, s.AtA)), -1, vec3.Add(pb.Centre, 1, ToSpace(pb, s.AtB))))
}

// Arm implements [Tie].
func (s *Spring) Arm(*Model) float64 { return 0 }

func (s *Spring) reach(x *Snapshot) (r reach) {
	pa, pb := PoseOf(x.Poses, s.A), PoseOf(x.Poses, s.B)
	ra, rb := ToSpace(pa, s.AtA), ToSpace(pb, s.AtB)
	d := vec3.Add(vec3.Add(pa.Centre, 1, ra), -1, vec3.Add(pb.Centre, 1, rb))
	r.length, r.n, r.at = vec3.Norm(d), vec{0, 1}, x.M.Bodies[s.A].N
	if r.length > 0 {
		r.n = vec3.Scale(d, 1/r.length)
	}
	for k := range x.M.Dim {
		e := vec{}
		e[k] = 1
		ma, mb := vec3.Cross(ra, e), vec3.Cross(rb, e)
		x.M.Put(r.g[k][:], 1, s.A, pa, 1, &e, &ma)
		if s.B >= 0 {
			x.M.Put(r.g[k][r.at:], 1, s.B, pb, -1, &e, &mb)
		}
		for i, g := range r.g[k] {
			r.row[i] += r.n[k] * g
		}
	}
	r.rate = dotAt(x, r.row[:], s.A, 0)
	if s.B >= 0 {
		r.rate += dotAt(x, r.row[:], s.B, r.at)
	}
	return r
}

// dotAt is the part of row·v of one body.
func dotAt(x *Snapshot, row []float64, body, at int) (sum float64) {
	p := &x.M.Bodies[body]
	for i := range p.N {
		sum += row[at+i] * x.V[p.V+i]
	}
	return sum
}

func (s *Spring) tension(r *reach) float64 {
	return -s.Stiffness*(r.length-s.RestLength) - s.Damping*r.rate
}

// Force implements [Force].
func (s *Spring) Force(f []float64, _ float64, x *Snapshot) {
	r := s.reach(x)
	t := s.tension(&r)
	for i := range f {
		f[i] += t * r.row[i]
	}
}

// Jacobian implements [Force]: with the derivative D of row,
//
//	k_q = row ⊗ (−k row − cDᵀv) + T D,   k_v = −c row ⊗ row,
//	D = Gᵀ(I − nnᵀ)G/ℓ + what turning bodies do to their levers.
//
// k_q is not semidefinite under compression, T > 0: a long step then needs [DefiniteJacobians].
func (s *Spring) Jacobian(kq, kv []float64, _ float64, x *Snapshot) {
	r := s.reach(x)
	n := r.at
	if s.B >= 0 {
		n += x.M.Bodies[s.B].N
	}
	var d [144]float64
	s.turning(&d, n, &r, x)
	var dv [12]float64 // Dᵀv
	for i := range n {
		b, at := s.A, i
		if i >= r.at {
			b, at = s.B, i-r.at
		}
		v := x.V[x.M.Bodies[b].V+at]
		for j := range n {
			dv[j] += d[i*n+j] * v
		}
	}
	t := s.tension(&r)
	for i := range n {
		for j := range n {
			kq[i*n+j] += t*d[i*n+j] - r.row[i]*(s.Stiffness*r.row[j]+s.Damping*dv[j])
			kv[i*n+j] -= s.Damping * r.row[i] * r.row[j]
		}
	}
}

// turning sets the n×n matrix d to D.
func (s *Spring) turning(d *[144]float64, n int, r *reach, x *Snapshot) {
	if r.length == 0 {
		return
	}
	for k := range x.M.Dim {
		for l := range x.M.Dim {
			p := -r.n[k] * r.n[l]
			if k == l {
				p++
			}
			for i := range n {
				for j := range n {
					d[i*n+j] += r.g[k][i] * p / r.length * r.g[l][j]
				}
			}
		}
	}
	s.lever(d, n, 0, s.A, s.AtA, r.n, x)
	if s.B >= 0 {
		s.lever(d, n, r.at, s.B, s.AtB, vec3.Scale(r.n, -1), x)
	}
}

// lever adds the derivative of the moment y × Rᵀn of the unit force n under a turn φ of the body, y
// × (Rᵀn × φ) = (m yᵀ − (y·m)I)φ with m = Rᵀn.
func (s *Spring) lever(d *[144]float64, n, at, body int, y, force vec, x *Snapshot) {
	if !x.M.Bodies[body].Spins {
		return
	}
	m := ToBody(&x.Poses[body], force)
	ym := vec3.Dot(y, m)
	if x.M.Dim == 2 {
		d[(at+2)*n+at+2] -= ym
		return
	}
	for i := range 3 {
		for j := range 3 {
			d[(at+3+i)*n+at+3+j] += m[i] * y[j]
		}
		d[(at+3+i)*n+at+3+i] -= ym
	}
}

// Energy implements [Force].
func (s *Spring) Energy(x *Snapshot) float64 {
	r := s.reach(x)
	return 0.5 * s.Stiffness * (r.length - s.RestLength) * (r.length - s.RestLength)
}

// Twist is a torsion spring between the headings of two bodies in the plane: M = −k(θ_A − θ_B − φ)
// − c(ω_A − ω_B) on A.
type Twist struct {
	A, B      int     // B −1 is the ground
	Stiffness float64 // k [N m]
	Damping   float64 // c [N m s]
	Rest      float64 // φ [rad]
}

var _ Tie = (*Twist)(nil)

// Bodies implements [Force].
func (s *Twist) Bodies() []int { return pairOf(s.A, s.B) }

// Force implements [Force].
func (s *Twist) Force(f []float64, _ float64, x *Snapshot) {
	m := x.M
	rate := x.V[m.Bodies[s.A].V+2]
	if s.B >= 0 {
		rate -= x.V[m.Bodies[s.B].V+2]
	}
	moment := -s.Stiffness*s.turned(x) - s.Damping*rate
	f[2] += moment
	if s.B >= 0 {
		f[5] -= moment
	}
}

// Apart implements [Tie]: of the turn, times the arm.
func (s *Twist) Apart(now, then *Snapshot) float64 {
	return s.Arm(now.M) * math.Abs(s.turned(now)-s.turned(then))
}

// Arm implements [Tie]: that of the first body.
func (s *Twist) Arm(m *Model) float64 { return m.Bodies[s.A].Arm }

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

// Power implements [Dissipative]: cṙ².
func (s *Spring) Power(x *Snapshot) float64 {
	r := s.reach(x)
	return s.Damping * r.rate * r.rate
}

// Power implements [Dissipative]: c(ω_A − ω_B)².
func (s *Twist) Power(x *Snapshot) float64 {
	rate := x.V[x.M.Bodies[s.A].V+2]
	if s.B >= 0 {
		rate -= x.V[x.M.Bodies[s.B].V+2]
	}
	return s.Damping * rate * rate
}

var (
	_ Dissipative = (*Spring)(nil)
	_ Dissipative = (*Twist)(nil)
)
