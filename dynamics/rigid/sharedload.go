package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// What bounds the friction of a bearing is the reaction c of its joint, which the equations of motion give
// where no forces of joints and contacts hold each other in balance. Of joints alone these are the rows of G
// that depend on others. Of contacts they are the x with
//
//	EᵀW F x = 0,
//
// see [Indeterminacy], which move nothing that is held: those that change N of the bearing, by what the
// joints take of F x, leave its friction open. A guide along a floor, which holds across it what the floor
// does, is one; three wheels of one axle on a floor are another.

// sharedLoad is the error of a bearing among joints that hold the same: how they share what they bear is
// open, and so is what the bearing takes.
func (s *assembly) sharedLoad() error {
	for _, k := range s.bearings.list {
		x := s.stopAt(k)
		c := s.model.Home[x.A]
		if gone := s.inv[c].Gone; len(gone) > 0 && x.Brake.Bearing.Mu > 0 {
			other := s.model.JointName(s.model.Rows[s.model.Components[c].Rows[gone[0]]].Joint)
			return s.openLoad(k, other+" holds what other joints hold already; a joint that leaves that free (a spherical one, a slider) makes it determined")
		}
	}
	return nil
}

// openLoad is the error of the bearing of contact k, and what leaves it open.
func (s *assembly) openLoad(k int, why string) error {
	return s.jammed(k, "what it bears, and so the friction of its bearing, is open: "+why)
}

// sharedContacts is sharedLoad of joints and contacts, for velocities w that solve the step: of those that
// are closed and do not part. Those whose force is zero may only push, so that each of them is looked at beside
// those that do. More than mostOpen numbers are not looked at, nor contacts that resist turning.
func (s *assembly) sharedContacts(w []float64) error {
	p, o := &s.p, &s.bearings.open
	if s.clings > 0 || p.augmented || len(p.list) == len(s.bearings.list) {
		return nil
	}
	u := make([]float64, len(p.list)*p.dim)
	s.relative(u, w)
	pushing, idle := s.sharing(u)
	if n := len(pushing) + len(idle); n == 0 || n > mostOpen {
		return nil
	}
	for _, k := range s.bearings.list {
		if !s.brakes(k, u) {
			continue
		}
		o.list = append(append(o.list[:0], pushing...), idle...)
		if _, open := s.loadOpens(k); !open {
			continue
		}
		for i := range len(idle) + 1 {
			o.list = append(append(o.list[:0], pushing...), idle[max(0, i-1):i]...)
			if at, open := s.loadOpens(k); open {
				return s.openLoad(k, fmt.Sprintf("how joints and contacts share it, that of %s one of them, does not follow from the laws of rigid bodies",
					s.model.TouchName(&s.touches[p.list[at]])))
			}
		}
	}
	return nil
}

// brakes reports whether the brake of contact k, a bearing, does something for velocities u of the contacts.
func (s *assembly) brakes(k int, u []float64) bool {
	p := &s.p
	slip, r := u[k*p.dim+1], p.r[k*p.dim+1]
	// A millionth of the bound is what contact problems leave, as in ambiguity.
	return s.stopAt(k).Brake.Bearing.Mu > 0 && (math.Abs(slip) > s.pace*slides ||
		math.Abs(r) > 1e-6*s.brakeBound(p.list[k], s.frictionSpan))
}

// sharing lists the numbers of the forces of contacts that push, and of those that might: closed, at rest
// along the normal.
func (s *assembly) sharing(u []float64) (pushing, idle []openForce) {
	p := &s.p
	for k, i := range p.list {
		if s.brakeOf(&s.touches[i]) != nil {
			continue
		}
		ut, push := vec{}, p.pressed(k) > 0
		copy(ut[1:p.dim], u[k*p.dim+1:(k+1)*p.dim])
		if !push && (s.touches[i].Gap > s.unit*touchGap || math.Abs(u[k*p.dim]) > s.pace*slides) {
			continue
		}
		f, mu, slip := openForce{at: []int{k}, d: -1, cone: vec{1}}, lawMu(p.laws[k]), vec3.Norm(ut)
		if mu > 0 && slip > s.pace*slides {
			f.cone = vec3.Add(f.cone, -mu/slip, ut)
		}
		f.unit = s.freeUnit(k, &f.cone)
		if !push {
			idle = append(idle, f)
			continue
		}
		pushing = append(pushing, f)
		for d := 1; d < p.dim && mu > 0 && slip <= s.pace*slides; d++ {
			t := openForce{at: []int{k}, d: d}
			t.cone[d] = 1
			t.unit = s.freeUnit(k, &t.cone)
			pushing = append(pushing, t)
		}
	}
	return pushing, idle
}

// freeUnit is 1/√(fᵀHᵀM⁻¹H f) of contact k: the unit of a force whose own number in W is 1 where no joint
// holds the bodies, and 0 where joints hold what it pushes.
func (s *assembly) freeUnit(k int, f *[3]float64) float64 {
	p, sum := &s.p, 0.0
	for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
		for r := range x.n {
			g := 0.0
			for d := range p.dim {
				g += p.h[x.at+r*p.dim+d] * f[d]
			}
			sum += g * g / s.model.Inertia(&s.model.Bodies[s.model.Components[x.comp].Bodies[x.slot]], r)
		}
	}
	return 1 / math.Sqrt(sum)
}

// loadOpens reports whether forces of bearings.open that hold each other in balance change what the bearing of
// contact k bears, and the contact of the largest of them.
func (s *assembly) loadOpens(k int) (at int, open bool) {
	o := &s.bearings.open
	if len(o.list) == 0 || !o.decompose(&s.p) {
		return 0, false
	}
	change := make([][2]vec, len(o.list)) // of N, by a unit of each
	for i := range o.list {
		f := &o.list[i]
		if s.respondTo(f.at[0], s.model.Home[s.stopAt(k).A], &f.cone) {
			change[i] = s.pressing(k, func(b *multibody.Band) float64 { return -b.Multiplier }, 0)
		}
	}
	for _, n := range o.null {
		var sum [2]vec
		largest := 0
		for i, x := range n {
			force := x * o.list[i].unit
			sum[0], sum[1] = vec3.Add(sum[0], force, change[i][0]), vec3.Add(sum[1], force, change[i][1])
			if math.Abs(force) > math.Abs(n[largest]*o.list[largest].unit) {
				largest = i
			}
		}
		if vec3.Norm(sum[0])+vec3.Norm(sum[1]) > openPart*math.Abs(n[largest]*o.list[largest].unit) {
			return o.list[largest].at[0], true
		}
	}
	return 0, false
}
