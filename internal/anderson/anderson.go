// Package anderson accelerates fixed points of vectors, such as the friction
// thresholds that depend on the normal forces they lead to.
//
// # Limits
//
// Convergence is that of the plain iteration wherever the secants do not help:
// a map that does not contract may not converge, and the caller counts.
package anderson

import "math"

const depthLimit = 5 // secants kept; more gains nothing for the few dominant contacts

// Mixer is Anderson's acceleration of a fixed point x = G(x): from the last
// depthLimit differences of x and of the residual f = G(x) − x it takes the
// combination with the least residual. One secant is the secant method.
type Mixer struct {
	x, f     []float64 // previous point and residual
	dx, df   [depthLimit][]float64
	gram     [depthLimit][depthLimit]float64
	rhs      [depthLimit]float64
	used     int
	started  bool
	residual float64
}

// Resize allocates for vectors of n entries.
func (m *Mixer) Resize(n int) {
	m.x, m.f = make([]float64, n), make([]float64, n)
	for k := range depthLimit {
		m.dx[k], m.df[k] = make([]float64, n), make([]float64, n)
	}
}

// Reset forgets the history: a new fixed point begins.
func (m *Mixer) Reset() { m.used, m.started, m.residual = 0, false, math.Inf(1) }

// Next replaces x by the next point; g is G(x). Entries stay nonnegative, as
// thresholds must. When the residual has grown, history is dropped and the
// plain iteration x ← G(x) goes on.
func (m *Mixer) Next(x, g []float64) {
	m.Free(x, g)
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

// Free is Next where entries may be negative.
func (m *Mixer) Free(x, g []float64) {
	norm := 0.0
	for i := range x {
		norm += (g[i] - x[i]) * (g[i] - x[i])
	}
	if norm > m.residual {
		m.used, m.started = 0, false
	}
	m.residual = norm
	if m.started {
		m.record(x, g)
	}
	for i := range x {
		m.x[i], m.f[i] = x[i], g[i]-x[i]
	}
	m.started = true
	weights, depth := m.weights()
	for i := range x {
		v := g[i]
		for k := range depth {
			v -= weights[k] * (m.dx[k][i] + m.df[k][i])
		}
		x[i] = v
	}
}

// record shifts the history and stores the newest differences first.
func (m *Mixer) record(x, g []float64) {
	m.used = min(m.used+1, depthLimit)
	lastX, lastF := m.dx[depthLimit-1], m.df[depthLimit-1]
	copy(m.dx[1:], m.dx[:depthLimit-1])
	copy(m.df[1:], m.df[:depthLimit-1])
	m.dx[0], m.df[0] = lastX, lastF
	for i := range x {
		m.dx[0][i] = x[i] - m.x[i]
		m.df[0][i] = g[i] - x[i] - m.f[i]
	}
}

// weights minimises ‖f − Σ w_k df_k‖ by Cholesky on the normal equations,
// leaving out the oldest differences from the first that depends on the newer.
func (m *Mixer) weights() (w [depthLimit]float64, depth int) {
	for a := range m.used {
		for b := range a + 1 {
			m.gram[a][b] = dot(m.df[a], m.df[b])
		}
		m.rhs[a] = dot(m.df[a], m.f)
	}
	for a := range m.used {
		diagonal := m.gram[a][a]
		for b := range a {
			for c := range b {
				m.gram[a][b] -= m.gram[a][c] * m.gram[b][c]
			}
			m.gram[a][b] /= m.gram[b][b]
			m.gram[a][a] -= m.gram[a][b] * m.gram[a][b]
			m.rhs[a] -= m.gram[a][b] * m.rhs[b]
		}
		if !(m.gram[a][a] > 1e-10*diagonal) { // dependent to the accuracy of normal equations
			break
		}
		m.gram[a][a] = math.Sqrt(m.gram[a][a])
		m.rhs[a] /= m.gram[a][a]
		depth = a + 1
	}
	for a := depth - 1; a >= 0; a-- {
		w[a] = m.rhs[a]
		for b := a + 1; b < depth; b++ {
			w[a] -= m.gram[b][a] * w[b]
		}
		w[a] /= m.gram[a][a]
	}
	return w, depth
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
