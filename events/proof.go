package events

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Prove walks to a time in exact numbers and checks each piece by (S) and (DI) as they
// are defined, not by the regimes: at both of its ends
//
//	g >= 0, r_n >= 0, g r_n = 0, |r_t| <= μ r_n, r_t Δq_t = −μ r_n |Δq_t|,  r = 0 elsewhere
//
// and a contact that is open at one end has no force at either. All of that is affine in t along
// the piece, or holds there because it does at the ends; and (E) has no residual. visit, if it is
// not nil, sees every node. Where equilibrium ends the error is a [LossError], and the piece before
// it is checked.
func Prove[T Number[T]](ctx context.Context, w *Integrator[T], until T, visit func() error) error {
	if !until.Exact() {
		return fmt.Errorf("events: Prove in numbers that round")
	}
	q, r := append([]T(nil), w.q...), append([]T(nil), w.r...)
	check := func() error {
		if err := w.checkPiece(q, r); err != nil {
			return err
		}
		if b := w.Balance(); b.Sign() != 0 {
			return fmt.Errorf("events: t=%s: (E) has the residual %s", w.t, b)
		}
		return nil
	}
	err := w.Integrate(ctx, until, func() error {
		if err := check(); err != nil {
			return err
		}
		copy(q, w.q)
		copy(r, w.r)
		if visit != nil {
			return visit()
		}
		return nil
	})
	if _, lost := errors.AsType[*LossError](err); lost {
		return errors.Join(check(), err)
	}
	return err
}

// checkPiece checks the piece from (q, r) to the present state.
func (w *Integrator[T]) checkPiece(q, r []T) error {
	for i, k := range w.owner {
		if k < 0 && !w.cornered(i) && (r[i].Sign() != 0 || w.r[i].Sign() != 0) {
			return fmt.Errorf("events: t=%s: dof %d has the force %s and nothing that bears it", w.t, i, w.r[i])
		}
	}
	for k, c := range w.form.Contacts {
		open := c.Gap.Add(q[c.N]).Sign() > 0 || c.Gap.Add(w.q[c.N]).Sign() > 0
		for _, end := range [2]struct{ q, r []T }{{q, r}, {w.q, w.r}} {
			n := end.r[c.N]
			if g := c.Gap.Add(end.q[c.N]); g.Sign() < 0 || n.Sign() < 0 || open && n.Sign() != 0 {
				return fmt.Errorf("events: t=%s: contact %d has the height %s and the force %s", w.t, k, g, n)
			}
			if c.T < 0 {
				continue
			}
			way, force := w.q[c.T].Sub(q[c.T]), end.r[c.T]
			bound := c.Mu.Mul(n)
			var zero T
			if way.Sign() < 0 {
				way, force = zero.Sub(way), zero.Sub(force)
			}
			if bound.Sub(force).Sign() < 0 || bound.Add(force).Sign() < 0 || way.Sign() > 0 && bound.Add(force).Sign() != 0 {
				return fmt.Errorf("events: t=%s: contact %d moves by %s under the friction %s of at most %s", w.t, k, way, force, bound)
			}
		}
	}
	for k := range w.corners {
		if err := w.checkCorner(&w.corners[k], q, r); err != nil {
			return err
		}
	}
	return nil
}

// checkCorner checks the piece of a corner: at both ends the forces of the faces that are touched
// along all of it decompose with σ >= 0 and d·n <= 0, |d| <= Σ μσ, and d·Δq = −Σ μσ |Δq|.
func (w *Integrator[T]) checkCorner(s *cornerMode[T], q, r []T) error {
	way := less(vector(w.q, s.Dof), vector(q, s.Dof))
	along := make([]bool, len(s.Faces))
	for f := range s.Faces {
		face := &s.Faces[f]
		a, b := face.Gap.Add(inner(face.N, vector(q, s.Dof))), face.Gap.Add(inner(face.N, vector(w.q, s.Dof)))
		if a.Sign() < 0 || b.Sign() < 0 {
			return fmt.Errorf("events: t=%s: contact %d has the heights %s and %s", w.t, s.first+f, a, b)
		}
		along[f] = a.Sign() == 0 && b.Sign() == 0
	}
	borne := func(x *support[T], r [3]T) bool {
		for i, f := range x.faces {
			if !along[f] || inner(x.shares[i], r).Sign() < 0 {
				return false
			}
		}
		d := s.rest(x, r)
		for f := range s.Faces {
			if along[f] && inner(s.Faces[f].N, d).Sign() > 0 {
				return false
			}
		}
		bound := inner(x.bound, r)
		work := inner(d, way)
		return inner(d, d).Compare(bound.Mul(bound)) <= 0 && work.Sign() <= 0 &&
			work.Mul(work).Compare(bound.Mul(bound).Mul(inner(way, way))) == 0
	}
	for _, r := range [2][3]T{vector(r, s.Dof), vector(w.r, s.Dof)} {
		if !slices.ContainsFunc(s.supports, func(x support[T]) bool { return borne(&x, r) }) {
			return fmt.Errorf("events: t=%s: the obstacles of contact %d do not bear the force (%s, %s, %s)", w.t,
				s.first, r[0], r[1], r[2])
		}
	}
	return nil
}
