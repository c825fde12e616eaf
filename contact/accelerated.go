package contact

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	acceleratedName = "accelerated sweeps"

	// acceleratedDepth is the number of secants: more gain little and cost as much
	// as a sweep.
	acceleratedDepth = 8
	// acceleratedGrowth is the growth of the residual since its least at which the
	// secants, of another state of the contacts, are dropped.
	acceleratedGrowth = 4
	// acceleratedPatience is the number of steps without a tenth of progress after
	// which they are dropped too, and plain sweeps go on for a while.
	acceleratedPatience = 30
	acceleratedPlain    = 256 // most plain sweeps in a row
	acceleratedLook     = 16  // steps between looks at the merit
	// acceleratedPivot is the part of a difference that must be new, squared: about
	// the rounding of products of long vectors.
	acceleratedPivot = 1e-12
	// The merit has to halve within as many sweeps as three factorisations cost, in these
	// bounds: else Newton's method goes faster.
	acceleratedLeast, acceleratedMost = 100, 2000
	acceleratedGain                   = 0.5
)

// acceleratedSweeps is Gauss-Seidel under Anderson's acceleration: with T the sweep
// and f_k = T(r_k) − r_k,
//
//	r_k+1 = T(r_k) − Σ_i w_i ΔT_i,   w = argmin ‖f_k − Σ_i w_i Δf_i‖,
//
// over the last differences. Where the states of the contacts stand, T is linear and
// the error falls as in GMRES, by the root of the condition instead of the condition:
// piles of spheres end in a hundredth of the sweeps. A change of states makes the
// secants wrong; they are dropped then, and the best point is swept plainly.
func (s *localRun) acceleratedSweeps(limit int) Status {
	ws, c, a := s.ws, s.c, &s.ws.secants
	a.resize(c.nc)
	var (
		next        = 2
		plain, wait = 0, 1
		least, mark = num.Inf, num.Inf // least change since the last drop; that of the last progress
		floor       = num.Inf          // of all cycles
		stale       = 0
		window      = int(min(max(3*s.newtonCost()/s.sweepCost(), acceleratedLeast), acceleratedMost))
		goal, until = acceleratedGain * s.bestMerit, window
	)
	for k := 1; k <= limit; k++ {
		copy(a.image, ws.r)
		change, size := s.sweep(a.image)
		status, stop := s.step(acceleratedName, change/max(size, 1), 1)
		if num.Bad(change) || size*size > runaway2 {
			return NumericalFailure
		}
		// The image of the sweep, not the mixed point, is what is judged.
		if change <= s.tol*max(1, size) || k >= next || k == limit || stop {
			next = k + min(k, acceleratedLook)
			copy(ws.d, ws.r)
			copy(ws.r, a.image)
			if m := s.evaluate(); m <= s.tol {
				return Converged
			}
			copy(ws.r, ws.d)
		}
		if s.bestMerit <= goal {
			goal, until = acceleratedGain*s.bestMerit, k+window
		}
		switch {
		case stop:
			return status
		case k >= until:
			copy(ws.r, ws.best)
			return NoProgress
		}
		if stale++; change < 0.9*mark {
			stale, mark = 0, change
		}
		switch {
		case plain > 0:
			plain--
			least, stale = change, 0
			copy(ws.r, a.image)
			copy(a.good, a.image)
		case change > acceleratedGrowth*least || stale > acceleratedPatience:
			wait = min(2*wait, acceleratedPlain)
			if least < 0.7*floor {
				floor, wait = least, 1
			}
			plain, least, mark, stale = wait, num.Inf, num.Inf, 0
			a.drop()
			copy(ws.r, a.good)
		default:
			if change < least {
				least = change
				copy(a.good, a.image)
			}
			a.mix(ws.r)
		}
	}
	copy(ws.r, a.image)
	return IterationLimit
}

// secants are the differences of the last steps.
type secants struct {
	image    []vec3 // T(r)
	good     []vec3 // the image of least change
	last, f  []vec3 // image and residual of the step before
	dt, df   [acceleratedDepth][]vec3
	gram     [acceleratedDepth][acceleratedDepth]float64 // of df
	used, at int                                         // how many, place of the next
	started  bool
}

func (a *secants) resize(n int) {
	a.image, a.good = num.Grow(a.image, n), num.Grow(a.good, n)
	a.last, a.f = num.Grow(a.last, n), num.Grow(a.f, n)
	for k := range a.dt {
		a.dt[k], a.df[k] = num.Grow(a.dt[k], n), num.Grow(a.df[k], n)
	}
	a.drop()
}

// drop forgets the differences.
func (a *secants) drop() { a.used, a.at, a.started = 0, 0, false }

// mix sets r to the next point, given r and its image.
func (a *secants) mix(r []vec3) {
	if a.started {
		a.record(r)
	}
	for i := range r {
		for k := range 3 {
			a.last[i][k], a.f[i][k] = a.image[i][k], a.image[i][k]-r[i][k]
		}
	}
	a.started = true
	copy(r, a.image)
	var w [acceleratedDepth]float64
	a.weights(&w)
	for k, v := range w {
		if v == 0 {
			continue
		}
		for i, d := range a.dt[k] {
			r[i][0] -= v * d[0]
			r[i][1] -= v * d[1]
			r[i][2] -= v * d[2]
		}
	}
}

// record stores the differences to the last step and their products.
func (a *secants) record(r []vec3) {
	dt, df := a.dt[a.at], a.df[a.at]
	for i := range r {
		for k := range 3 {
			dt[i][k] = a.image[i][k] - a.last[i][k]
			df[i][k] = a.image[i][k] - r[i][k] - a.f[i][k]
		}
	}
	a.used = min(a.used+1, acceleratedDepth)
	for k := range a.used {
		s := dot3(df, a.df[k])
		a.gram[a.at][k], a.gram[k][a.at] = s, s
	}
	a.at = (a.at + 1) % acceleratedDepth
}

// weights solves the normal equations by Cholesky, the newest difference first, and
// leaves out the older ones from the first that depends on the newer.
func (a *secants) weights(w *[acceleratedDepth]float64) {
	var l [acceleratedDepth][acceleratedDepth]float64
	var b [acceleratedDepth]float64
	place := func(i int) int { return (a.at - 1 - i + 2*acceleratedDepth) % acceleratedDepth }
	depth := 0
	for i := range a.used {
		b[i] = dot3(a.df[place(i)], a.f)
		for j := range i + 1 {
			l[i][j] = a.gram[place(i)][place(j)]
		}
		least := acceleratedPivot * l[i][i]
		for j := range i {
			for k := range j {
				l[i][j] -= l[i][k] * l[j][k]
			}
			l[i][j] /= l[j][j]
			l[i][i] -= l[i][j] * l[i][j]
			b[i] -= l[i][j] * b[j]
		}
		if !(l[i][i] > least) {
			break
		}
		l[i][i] = math.Sqrt(l[i][i])
		b[i] /= l[i][i]
		depth = i + 1
	}
	for i := depth - 1; i >= 0; i-- {
		x := b[i]
		for j := i + 1; j < depth; j++ {
			x -= l[j][i] * w[place(j)]
		}
		w[place(i)] = x / l[i][i]
	}
}
