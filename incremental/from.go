package incremental

import "context"

// SolveFrom is Solve with a start of its own: the friction is that of the motion
// from base, but the descent begins at start, which must be admissible. Where E is
// not convex it finds the minimiser downhill from there.
func (m *Minimiser) SolveFrom(ctx context.Context, t float64, base, start, z, grad []float64, floor float64) error {
	for i, b := range base {
		m.v[i] = start[i] - b
	}
	return m.descendFrom(ctx, t, base, z, grad, floor)
}
