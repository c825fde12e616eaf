package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// Pointedness is the state of the total friction cone (3.1).
type Pointedness int

// The verdicts of [Options.Pointedness].
const (
	ConeUnknown Pointedness = iota // not asked for, or the program did not converge
	ConePointed
	ConeLost // impulses that are not zero cancel, or the rows of the joints depend
)

func (p Pointedness) String() string {
	return [...]string{"unknown", "pointed", "lost"}[p]
}

// coneSpace is the memory of the cone program.
type coneSpace struct {
	ws   contact.LocalWorkspace
	res  contact.Result
	k, e []float64 // of leastSingular
}

// openCone loads the active contacts with their associated cones. It is done if the joints decide
// already.
func (s *coneTest) openCone() (verdict Pointedness, done bool) {
	if err := s.prepare(terms{}); err != nil {
		return ConeUnknown, true
	}
	for c := range s.inv {
		if len(s.inv[c].Gone) > 0 {
			return ConeLost, true
		}
	}
	s.frictionSpan = 0 // the places are those of the cones
	s.list(func(i int) contact.Law { return s.associated(s.mu(i)) })
	return ConeUnknown, s.load(1) != nil
}

// associated returns the cone of μ, the same value for the same μ.
func (s *coneTest) associated(mu float64) contact.Law {
	for _, l := range s.cones {
		if l.(contact.Associated).Mu == mu {
			return l
		}
	}
	s.cones = append(s.cones, contact.Associated{Mu: mu})
	return s.cones[len(s.cones)-1]
}

// opens returns the least u_N − μ‖u_T‖ of the loaded contacts under the motion opening; the joints
// hold.
func (s *coneTest) opens() float64 {
	p := &s.p
	u := grow(s.uMean, len(p.b))
	s.uMean = u
	s.holdAll(s.opening)
	s.speeds(u, s.opening)
	least := math.Inf(1)
	for k, i := range p.list {
		x := u[k*p.dim : (k+1)*p.dim]
		least = min(least, x[0]-s.mu(i)*length(x[1:]))
	}
	return least
}

// boundOf returns the bound of c_FC from the motion opening, which opens the loaded contacts by
// least.
func (s *coneTest) boundOf(least float64) float64 {
	sigma := s.leastSingular()
	if len(s.p.list) == 0 {
		return 1 / sigma
	}
	most := 0.0
	for _, i := range s.p.list {
		most = max(most, s.mu(i))
	}
	v := math.Sqrt(2*s.kinetic(s.opening)) / least
	return math.Hypot(math.Sqrt(1+most*most)*v, (1+s.widest()*v)/sigma)
}

// leastSingular is the least singular value of GM^{-½}; +Inf without joints. The inverses are those
// of M.
func (s *coneTest) leastSingular() float64 {
	least := math.Inf(1)
	for c := range s.inv {
		inv := &s.inv[c]
		m := inv.M
		if m == 0 {
			continue
		}
		x := &s.coneSpace
		x.k, x.e = grow(x.k, m*m), grow(x.e, m*m)
		k, e := x.k, x.e
		for i := range m {
			for j := range m {
				k[i*m+j] = inv.Product(i, j)
			}
		}
		jacobi(k, e, m)
		for i := range m {
			least = min(least, math.Sqrt(max(0, k[i*m+i])))
		}
	}
	return least
}

// widest is the largest ‖n‖ + μ‖D‖ of a contact in M⁻¹, without the joints, bounded by the traces
// of its blocks.
func (s *coneTest) widest() float64 {
	p, wide := &s.p, 0.0
	for k, i := range p.list {
		var n, d float64
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			inv := &s.inv[x.comp]
			b := &inv.Blocks[x.slot]
			for j := range x.n {
				m := b.A[j*b.N+j]
				for c := range p.dim {
					h := p.h[x.at+j*p.dim+c]
					if c == 0 {
						n += h * h / m
					} else {
						d += h * h / m
					}
				}
			}
		}
		wide = max(wide, math.Sqrt(n)+s.mu(i)*math.Sqrt(d))
	}
	return wide
}

// staysOpen is the part of its first value to which opens may fall before the program is solved
// again: the bound is at most twice the best then.
const staysOpen = 0.5

// sameContacts reports whether the active set is that of the last call, and remembers it.
func (s *coneTest) sameContacts() bool {
	same, k := true, 0
	for i := range s.touches {
		if !s.marks[i].active || s.brakeOf(&s.touches[i]) != nil {
			continue
		}
		if k == len(s.keys) {
			s.keys = append(s.keys, 0)
			same = false
		}
		same = same && s.keys[k] == s.touches[i].Key
		s.keys[k] = s.touches[i].Key
		k++
	}
	same = same && k == len(s.keys)
	s.keys = s.keys[:k]
	return same
}

// coneTest tests (3.1) and bounds c_FC in (3.3).
type coneTest struct {
	*motion
	*contactSet
	*mechanics
	*assembly
	*sleeping

	keys      []uint64  // of the active set whose cone was last tested
	opening   []float64 // the motion that opens its contacts
	cones     []contact.Law
	coneSpace coneSpace
	tested    bool // the cone has been
	pointed   Pointedness
	proved    coneProof
}

// coneProof is what the last proof that the cone is pointed was made of, by the motion opening, and its bound of c_FC.
type coneProof struct {
	poses   []bodies.Pose // empty: there is none
	touches []bodies.Touch
	loaded  []coneContact
	bound   float64
}

// coneContact is the friction of a contact and its directions.
type coneContact struct {
	mu    float64
	frame [3][3]float64
}

// loaded appends the contacts of the active set.
func (s *coneTest) loaded(dst []coneContact) []coneContact {
	for i := range s.touches {
		if s.marks[i].active {
			dst = append(dst, coneContact{s.mu(i), s.marks[i].frame})
		}
	}
	return dst
}

// keepProof keeps what the verdict of this step rests on.
func (s *coneTest) keepProof() {
	p := &s.proved
	p.poses, p.touches = append(p.poses[:0], s.poses...), append(p.touches[:0], s.touches...)
	p.loaded, p.bound = s.loaded(p.loaded[:0]), s.step.ConeBound
}

// unmoved reports whether all of that is the same, bit by bit.
func (s *coneTest) unmoved() bool {
	p := &s.proved
	if len(p.poses) == 0 || !slices.Equal(p.poses, s.poses) || !slices.Equal(p.touches, s.touches) {
		return false
	}
	s.frictionSpan = 0
	n := len(p.loaded)
	p.loaded = s.loaded(p.loaded)
	same := slices.Equal(p.loaded[:n], p.loaded[n:])
	p.loaded = p.loaded[:n]
	return same
}
