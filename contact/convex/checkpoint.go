package convex

import (
	"context"
	"fmt"
	"slices"
)

// CondensedState is everything by which the next solve of a [Condensed] depends on
// those before: the last reactions, and where contacts are many what the
// preconditioner was made of. One of the same M and H that loads it goes on to the
// same bits.
type CondensedState struct {
	R     []float64    `json:"r"`               // reactions; empty before the first solve
	Free  []int        `json:"free,omitempty"`  // columns that the preconditioner factorises
	Kappa []float64    `json:"kappa,omitempty"` // and what it adds to the sliding ones
	T     [][2]float64 `json:"t,omitempty"`
	Slow  bool         `json:"slow,omitempty"` // it is to be made anew
}

// Save stores the state; the slices of dst are reused.
func (c *Condensed) Save(dst *CondensedState) {
	dst.R = append(dst.R[:0], c.last...)
	dst.Free, dst.Kappa, dst.T, dst.Slow = dst.Free[:0], dst.Kappa[:0], dst.T[:0], false
	if p := c.primal; p != nil {
		dst.Free, dst.Kappa, dst.T = append(dst.Free, p.held.free...), append(dst.Kappa, p.held.kappa...), append(dst.T, p.held.t...)
		dst.Slow = p.wanted
	}
}

// Load continues from a state. It fails for one of another problem; when the context is done amid a
// factorisation, which many contacts need, it wraps the cause, and nothing is held.
func (c *Condensed) Load(ctx context.Context, src *CondensedState) error {
	n := len(c.free)
	if len(src.R) != 0 && len(src.R) != n {
		return fmt.Errorf("contact: the state is of %d reactions, want %d", len(src.R), n)
	}
	c.keep(src.R)
	if c.primal == nil {
		return nil
	}
	return c.primal.hold(ctx, src)
}

// hold makes the factors of a state, unless they are at hand.
func (p *primalSet) hold(ctx context.Context, src *CondensedState) error {
	foreign := func(i int) bool { return i < 0 || i >= p.dim*p.nc }
	if len(src.Free) > 0 && (len(src.Kappa) != p.nc || len(src.T) != p.nc || len(src.Free) > p.dim*p.nc ||
		slices.ContainsFunc(src.Free, foreign)) {
		return fmt.Errorf("contact: the state is of %d contacts, want %d", len(src.Kappa), p.nc)
	}
	p.wanted = src.Slow
	h := &p.held
	if slices.Equal(h.free, src.Free) && slices.Equal(h.kappa, src.Kappa) && slices.Equal(h.t, src.T) {
		return nil
	}
	h.free, h.kappa, h.t = append(h.free[:0], src.Free...), append(h.kappa[:0], src.Kappa...), append(h.t[:0], src.T...)
	if len(h.free) > 0 && !p.factorise(ctx) {
		if ctx.Err() != nil {
			return fmt.Errorf("contact: the preconditioner of the state: %w", context.Cause(ctx))
		}
		return fmt.Errorf("contact: the preconditioner of the state cannot be factorised")
	}
	return nil
}
