package assembly

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/num"
)

// piece is what a corner in the plane does: r is linear in t in each.
type piece struct {
	shut bool    // t_N ≥ 0
	side float64 // of a shut one: 0 where |t_T| ≤ μ t_N, it sticks; ±1 where ±t_T ≥ μ t_N, it slides
}

// slope is ∂r/∂t of a piece.
func (p piece) slope(mu float64) [9]float64 {
	switch {
	case !p.shut:
		return [9]float64{}
	case p.side == 0:
		return num.Identity3
	}
	return [9]float64{1, 0, 0, p.side * mu}
}

// bounds are the functions of t that are not negative in a piece, with the pieces beyond.
func (p piece) bounds(t [3]float64, mu float64) (values [2]float64, beyond [2]piece) {
	switch {
	case !p.shut:
		next := piece{shut: true}
		if mu > 0 {
			next.side = math.Copysign(1, t[1])
		}
		return [2]float64{-t[0], -t[0]}, [2]piece{next, next}
	case mu == 0:
		return [2]float64{t[0], t[0]}, [2]piece{}
	case p.side == 0:
		return [2]float64{mu*t[0] - t[1], mu*t[0] + t[1]}, [2]piece{{true, 1}, {true, -1}}
	}
	return [2]float64{p.side*t[1] - mu*t[0], t[0]}, [2]piece{{true, 0}, {}}
}

// relax looks for a zero of Φ along a line, with a pressure p at all corners that is taken off,
//
//	Φ(v, τ) = H r(t + (1 − τ) p e_N) + τ f + (1 − τ) f⁰ = 0,   Φ(0, 0) = 0
//
// from τ = 0, where all corners stick, to 1. In the plane it goes through its pieces [Katzenelson65]: in each it is straight; at
// its edge it goes on into the next, forwards or backwards in τ. As in Lemke's method it ends at a solution or goes to infinity:
// nil then. In space it is followed by Newton's method, forwards only.
func (y *yielding) relax(ctx context.Context, f []float64, h float64) ([]float64, error) {
	n := len(y.s.contacts)
	l := &line{y: y, f: f, h: h, press: make([]float64, n), at: slices.Repeat([]piece{{shut: true}}, n),
		v: make([]float64, y.s.nv), t: make([][3]float64, n)}
	l.begin()
	if y.s.dim == 3 {
		return l.forwards(ctx)
	}
	for range 6 * n { // edges: each corner opens, closes, slides and stops; lines of 2,000 random assemblies and of walls had fewer
		switch done, err := l.on(ctx); {
		case err != nil:
			return nil, err
		case l.lost:
			return nil, nil
		case done:
			return l.v, nil
		}
	}
	return nil, nil
}

// A line is where pieces has come to.
type line struct {
	y     *yielding
	f     []float64 // f, and f − f⁰
	away  []float64
	h     float64
	press []float64 // p
	at    []piece
	v     []float64
	tau   float64
	t     [][3]float64
	// of the edge that was crossed last: its corner, and the function of t that grows into the piece; −1 for none
	edge, bound int
	lost        bool
}

func (l *line) begin() {
	y, s := l.y, l.y.s
	n := float64(len(l.press))
	zero := make([]float64, len(y.force))
	f0 := make([]float64, s.nv)
	r := make([]float64, len(y.force))
	for j := range l.press {
		t, mu := y.trial(zero, j, l.h), s.contacts[j].mu
		_, odd := math.Modf(float64(j) * math.Phi) // all differ, so that corners reach edges one by one
		l.press[j] = (1 + odd) / n
		if mu > 0 {
			l.press[j] = max(l.press[j], (1+odd)*(math.Hypot(t[1], t[2])/mu-t[0]+1/n))
		} else {
			l.press[j] = max(l.press[j], (1+odd)*(1/n-t[0]))
		}
		t[0] += l.press[j]
		l.t[j] = t
		copy(r[j*s.dim:], t[:s.dim])
	}
	s.resultant(f0, r)
	l.away = slices.Clone(l.f)
	for i, v := range f0 {
		l.away[i] += v
	}
	l.edge = -1
}

// forwards follows the line by steps of τ.
func (l *line) forwards(ctx context.Context) ([]float64, error) {
	y := l.y
	defer func() { y.press = nil }()
	y.press = make([]float64, len(l.press))
	at := make([]float64, len(l.f))
	for step := .25; l.tau < 1; {
		to := min(l.tau+step, 1)
		for j, p := range l.press {
			y.press[j] = (1 - to) * p
		}
		for i, v := range l.f {
			at[i] = v - (1-to)*l.away[i] // τ f + (1 − τ) f⁰
		}
		v := slices.Clone(l.v)
		found, err := y.newton(ctx, v, at, l.h, 1e-6)
		switch {
		case err != nil:
			return nil, err
		case found:
			l.v, l.tau, step = v, to, 2*step
			continue
		}
		if step /= 2; step < 1e-3 { // it turns back, or corners change one by one nearer than that
			return nil, nil
		}
	}
	return l.v, nil
}

// on goes to the next edge, or to τ = 1.
func (l *line) on(ctx context.Context) (done bool, err error) {
	y, s := l.y, l.y.s
	slopes, r := make([][9]float64, len(l.at)), make([]float64, len(y.force))
	for j, p := range l.at {
		slopes[j] = p.slope(s.contacts[j].mu)
		for e := range s.dim {
			r[j*s.dim+e] = -slopes[j][3*e] * l.press[j]
		}
	}
	if err := y.factorise(ctx, slopes); err != nil {
		return false, err
	}
	right := slices.Clone(l.away)
	s.resultant(right, r)
	d := y.solve(right) // dv/dτ
	u := make([]float64, len(y.force))
	s.motion(u, d)
	rates := make([][3]float64, len(l.at))
	for j := range rates {
		rates[j][0] = -l.press[j]
		for e := range s.dim {
			rates[j][e] -= u[j*s.dim+e] / y.give[j*s.dim+e]
		}
	}
	way := 1.
	if l.edge >= 0 {
		into, _ := l.at[l.edge].bounds(rates[l.edge], s.contacts[l.edge].mu)
		if into[l.bound] < 0 {
			way = -1
		}
	}
	return l.advance(rates, d, way), nil
}

// advance takes the line to where the first corner leaves its piece.
func (l *line) advance(rates [][3]float64, d []float64, way float64) (done bool) {
	length, edge := math.Inf(1), -1
	if way > 0 {
		length = 1 - l.tau
	}
	var into piece
	for j, p := range l.at {
		mu := l.y.s.contacts[j].mu
		room, beyond := p.bounds(l.t[j], mu)
		change, _ := p.bounds(rates[j], mu)
		for k := range room {
			if slope := way * change[k]; slope < 0 && max(room[k], 0) < -slope*length {
				length, edge, into = max(room[k], 0)/-slope, j, beyond[k]
			}
		}
	}
	if math.IsInf(length, 1) || num.Bad(length) {
		l.lost = true
		return false
	}
	for j := range l.t {
		l.t[j] = add(l.t[j], rates[j], way*length)
	}
	for i := range l.v {
		l.v[i] += way * length * d[i]
	}
	l.tau += way * length
	if edge < 0 {
		return true
	}
	_, beyond := into.bounds(l.t[edge], l.y.s.contacts[edge].mu)
	l.edge, l.bound = edge, max(slices.Index(beyond[:], l.at[edge]), 0)
	l.at[edge] = into
	return false
}
