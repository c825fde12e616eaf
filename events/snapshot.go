package events

import "slices"

// snapshot is what all contacts and corners do.
type snapshot[T Number[T]] struct {
	regime  []Regime
	corners []cornerMode[T]
	q, r    []T
}

// snapshot keeps what they do at the present state.
func (w *Integrator[T]) snapshot() snapshot[T] {
	return snapshot[T]{slices.Clone(w.regime), slices.Clone(w.corners), slices.Clone(w.q), slices.Clone(w.r)}
}

// jumpShare is the part of the forces by which they jump where they do: a start may be off by 1e-10
// of them.
const jumpShare = 1e-7

// continuous reports whether the forces on corners that no support was found to bear are those of a
// snapshot at the same time: a support that lets one move frees it of what held it, and the forces
// would jump.
func (w *Integrator[T]) continuous(p *snapshot[T]) bool {
	for k := range w.corners {
		s := &w.corners[k]
		for i := s.Dof; s.unbalanced && i < s.Dof+3; i++ {
			if d := w.r[i].Sub(p.r[i]); d.Sign() != 0 && (d.Exact() || abs(d.Float()) > jumpShare*(w.size[i]+w.load)) {
				return false
			}
		}
	}
	return true
}

// assume returns to a snapshot.
func (w *Integrator[T]) assume(p snapshot[T]) {
	copy(w.regime, p.regime)
	copy(w.q, p.q)
	for k := range p.corners {
		s, ways := &p.corners[k], w.corners[k].ways
		w.corners[k] = *s
		w.corners[k].ways = ways
	}
	w.piece()
}

// stay computes the present state in other regimes and leaves the corners that slip where they are:
// states are continuous, and what rounding would move them by has a direction, against which
// friction would be looked for.
func (w *Integrator[T]) stay() {
	places := make([][3]T, len(w.corners))
	for k := range w.corners {
		places[k] = vector(w.q, w.corners[k].Dof)
	}
	w.state(w.t)
	for k := range w.corners {
		if s := &w.corners[k]; s.slip != 0 {
			copy(w.q[s.Dof:], places[k][:])
		}
	}
}
