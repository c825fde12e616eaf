package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// momentumOptions are the numbers of the sweeps with momentum.
type momentumOptions struct {
	// growth is the growth of the change of a sweep since its least at which the momentum
	// is dropped [-]: contacts that slip turn the iterates, and momentum against a turn grows without
	// an angle that would show it. It has to be more than what reactions gather that wander along a
	// kernel of W: with 1.5 2,000 spheres at rest never get to it. docs/lab/ablation.md has 1.5 and 3
	// beside each other.
	growth float64
	look   int // steps between looks at the merit
	// The merit has to fall by gain within as many sweeps as this many factorisations cost,
	// in these bounds: else the stages after it go faster.
	worth       float64
	least, most float64
	gain        float64
	// linger are the sweeps between two looks at the problem as it was given, where the
	// merit is what was asked for and not what is aimed at: of piles the one is a tenth of the
	// other's cost.
	linger int
}

// momentumDefault are the values of all solves.
var momentumDefault = momentumOptions{
	growth: 3,
	look:   16,
	worth:  3,
	least:  600, most: 1000,
	gain:   0.25,
	linger: 100,
}

const momentumName = "sweeps with momentum"

// momentumSweeps is Gauss-Seidel with the momentum of [Nesterov83]: with T the sweep,
//
//	r_k+1 = T(r_k) + β_k (T(r_k) − T(r_k−1)),   β_k = (θ_k − 1)/θ_k+1,
//	θ_k+1 = (1 + √(1 + 4θ_k²))/2,   θ_0 = 1,
//
// begun anew where the step turns against the last, (T(r_k) − r_k)·(T(r_k) − T(r_k−1)) < 0
// [ODonoghue15], or the change grows. Slow modes fall by the root of their condition, and
// where reactions wander along a kernel of W until a contact changes its state, they
// gather speed.
func (s *localRun) momentumSweeps(limit int) form.Status {
	return s.momentumWithin(limit, s.c.momentumWindow())
}

// momentumWithin is momentumSweeps where the merit has to fall within so many sweeps.
func (s *localRun) momentumWithin(limit, window int) form.Status {
	ws, m := s.ws, &s.ws.momentum
	m.begin(ws.r)
	var (
		next        = 2
		linger      = 0 // the next look at what was given
		goal, until = momentumDefault.gain * s.bestMerit, window
	)
	for k := 1; k <= limit; k++ {
		copy(m.image, ws.r)
		change, size := s.sweep(m.image)
		status, stop := s.step(momentumName, change/max(size, 1), 1)
		if num.Bad(change) || size*size > block.Runaway2 {
			return form.NumericalFailure
		}
		// The image of the sweep, not the point of the momentum, is what is judged.
		if change <= s.tol*max(1, size) || k >= next || k == limit || stop {
			next = k + min(k, momentumDefault.look)
			ws.r, m.image = m.image, ws.r
			merit := s.evaluate()
			switch {
			case merit <= s.tol:
				m.end(ws)
				return form.Converged
			case merit > s.want || !s.c.large():
			case linger == 0:
				linger = k + momentumDefault.linger
			case k >= linger:
				if s.confirm(ws.r) {
					m.end(ws)
					return form.Converged
				}
				linger = k + momentumDefault.linger
			}
			ws.r, m.image = m.image, ws.r
		}
		if s.bestMerit <= goal {
			goal, until = momentumDefault.gain*s.bestMerit, k+window
		}
		switch {
		case stop:
			return status
		case k >= until || change <= 4*num.Eps*size:
			copy(ws.r, ws.best)
			return form.NoProgress
		}
		m.advance(ws.r, change)
	}
	copy(ws.r, m.last)
	return form.IterationLimit
}

// momentumWindow is the number of sweeps within which the merit has to fall.
func (c *reduced) momentumWindow() int {
	worth := momentumDefault.worth * c.newtonCost() / c.sweepCost()
	return int(min(max(worth, momentumDefault.least), momentumDefault.most))
}

// momentum are the images of two sweeps, θ, and the least change of a sweep since it was 1.
type momentum struct {
	image, last  []vec3
	theta, least float64
}

func (m *momentum) resize(n int) { m.image, m.last = num.Grow(m.image, n), num.Grow(m.last, n) }

// begin starts from r without momentum.
func (m *momentum) begin(r []vec3) {
	m.resize(len(r))
	copy(m.last, r)
	m.theta, m.least = 1, num.Inf
}

// end leaves the image that is in the place of the iterate there, and each in its own memory: that
// of the iterate is laid out anew at the next problem, whose image would be the iterate itself.
func (m *momentum) end(ws *Workspace) {
	ws.r, m.image = m.image, ws.r
	copy(ws.r, m.image)
}

// advance moves r to where the next sweep starts, after one that changed it by so much.
func (m *momentum) advance(r []vec3, change float64) {
	m.least = min(m.least, change)
	beta := 0.0
	if change > momentumDefault.growth*m.least || m.turns(r) {
		m.theta, m.least = 1, change
	} else {
		ahead := 0.5 * (1 + math.Sqrt(1+4*m.theta*m.theta))
		beta, m.theta = (m.theta-1)/ahead, ahead
	}
	m.move(r, beta)
}

// turns reports whether the sweep of r goes against the last step.
func (m *momentum) turns(r []vec3) bool {
	sum := 0.0
	for i := range r {
		x, y, z := &m.image[i], &m.last[i], &r[i]
		sum += (x[0]-z[0])*(x[0]-y[0]) + (x[1]-z[1])*(x[1]-y[1]) + (x[2]-z[2])*(x[2]-y[2])
	}
	return sum < 0
}

// move sets r to the image and beta times the way from the last image to it.
func (m *momentum) move(r []vec3, beta float64) {
	for i := range r {
		x, y := &m.image[i], &m.last[i]
		for k := range x {
			r[i][k] = x[k] + beta*(x[k]-y[k])
		}
	}
	m.image, m.last = m.last, m.image
}
