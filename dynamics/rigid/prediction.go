package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

const (
	predictFirst = 8 // sweeps …
	predictNext  = 4 // … and those after contacts have joined
	// predictCalm, of the speed that the forces of the step give a body, is a change that is none.
	predictCalm = 0.05
)

// predictor is the memory of predict.
type predictor struct {
	off      []float64 // of u beside Hᵀx: gaps and obstacles
	diagonal []float64 // blocks of W
	kick     []float64 // speeds that the forces of the step give bodies [m/s]
	last     []bool    // bodies that a contact has pushed in the sweep before …
	now      []bool    // … and in this one
	spins    []vec     // of bodies, in space, see turnBodies [rad/s]
}

// predict joins to the list, before anything is solved, the touches that come to push: sweeps of
// projected relaxation on the velocities x, from w and the impulses of the step before,
//
//	r_N ← max(0, r_N − u_N/W_NN),  r_T ← the point of the disc μr_N next to r_T − u_T/W_TT,  x ← x + αSHΔr,
//
// tell roughly what moves. They need H and SH alone, no W, so that contacts that join cost their
// rows. What no contact has pushed since it was looked at is passed over. The impulses become the
// guess of those that are solved for.
func (s *sleeping) predict(h float64) error {
	p, x := &s.p, &s.predictor
	x.kick = grow(x.kick, len(s.model.Bodies))
	for b := range s.model.Bodies {
		x.kick[b] = s.kickSpeed(&s.model.Bodies[b])
	}
	if err := s.loadRows(0); err != nil {
		return err
	}
	copy(s.x, s.w)
	p.r = grow(p.r, p.dim*len(p.list))
	s.guess(h)
	s.push(s.x, s.alpha)
	x.last, x.now = grow(x.last, len(s.model.Bodies)), grow(x.now, len(s.model.Bodies))
	for b := range x.last {
		x.last[b] = true
	}
	s.predictRows(0, h)
	for sweeps := predictFirst; ; sweeps = predictNext {
		for range sweeps {
			s.step.Iterations++
			if !s.predictSweep() {
				break
			}
		}
		before := len(p.list)
		s.stay(s.x)
		if !s.extend(s.x, h, joinAhead) {
			break
		}
		p.r = slices.Grow(p.r, p.dim*(len(p.list)-before))[:p.dim*len(p.list)]
		clear(p.r[p.dim*before:])
		if s.rest.any { // what comes may wake others
			s.remember(h)
			s.chooseActive()
			if s.sleep(h); s.rest.woken {
				return nil
			}
			return s.predict(h)
		}
		if err := s.loadRows(before); err != nil {
			return err
		}
		s.predictRows(before, h)
	}
	s.remember(h)
	s.chooseActive()
	return nil
}

// predictRows sets what is known of the contacts in the list from first on.
func (s *sleeping) predictRows(first int, h float64) {
	p, x := &s.p, &s.predictor
	n, dd := len(p.list), p.dim*p.dim
	s.drive(h)
	p.b = grow(p.b, p.dim*n)
	clear(p.b)
	for i, v := range p.drive {
		p.b[i] = -v
	}
	s.gapTerms(h)
	x.off = append(x.off[:0], p.b...)
	x.diagonal = slices.Grow(x.diagonal[:first*dd], (n-first)*dd)[:n*dd]
	clear(x.diagonal[first*dd:])
	for k := first; k < n; k++ {
		v := x.diagonal[k*dd : (k+1)*dd]
		for _, a := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for _, y := range p.share[p.from[k]:p.from[k+1]] {
				if y.comp == a.comp {
					p.product(v, s.alpha, a.at, y.at+a.local*p.dim, a.n)
				}
			}
		}
		t := &s.touches[p.list[k]]
		x.last[t.A] = true
		if t.B >= 0 {
			x.last[t.B] = true
		}
	}
}

// predictSweep relaxes the contacts one after the other and reports whether one of them had
// something to change.
func (s *sleeping) predictSweep() bool {
	p, x := &s.p, &s.predictor
	clear(x.now)
	moved := false
	var u, d vec
	for k, i := range p.list {
		t := &s.touches[i]
		least := x.kick[t.A]
		stirred := x.last[t.A] || x.now[t.A]
		if t.B >= 0 {
			stirred = stirred || x.last[t.B] || x.now[t.B]
			least = min(least, x.kick[t.B])
		}
		if !stirred {
			continue
		}
		u = vec{}
		copy(u[:], x.off[k*p.dim:(k+1)*p.dim])
		u = p.addSpeed(u, k, s.x)
		r := p.r[k*p.dim : (k+1)*p.dim]
		w := x.diagonal[k*p.dim*p.dim : (k+1)*p.dim*p.dim]
		if !relaxed(&d, r, &u, w, lawMu(p.laws[k]), predictCalm*least) {
			continue
		}
		moved, x.now[t.A] = true, true
		if t.B >= 0 {
			x.now[t.B] = true
		}
		for i := range r {
			r[i] += d[i]
		}
		for _, y := range p.share[p.from[k]:p.from[k+1]] {
			ys := p.y[y.at : y.at+y.n*p.dim]
			if p.dim == 3 {
				d0, d1, d2 := d[0], d[1], d[2]
				for i, v := range s.model.Components[y.comp].Index {
					row := (*[3]float64)(ys[3*i:])
					s.x[v] += s.alpha * (row[0]*d0 + row[1]*d1 + row[2]*d2)
				}
				continue
			}
			for i, v := range s.model.Components[y.comp].Index {
				s.x[v] += s.alpha * (ys[2*i]*d[0] + ys[2*i+1]*d[1])
			}
		}
	}
	x.last, x.now = x.now, x.last
	return moved
}

// relaxed sets d to the change of an impulse r that a contact makes of the velocity u, whose part
// of W is w.
func relaxed(d *vec, r []float64, u *vec, w []float64, mu, little float64) bool {
	*d = vec{}
	if !(w[0] > 0) {
		return false
	}
	n := max(0, r[0]-u[0]/w[0])
	d[0] = n - r[0]
	if mu == 0 {
		return math.Abs(d[0])*w[0] > little
	}
	if len(r) == 2 {
		t := r[1] - (u[1]+w[2]*d[0])/w[3]
		d[1] = max(-mu*n, min(mu*n, t)) - r[1]
		return max(math.Abs(d[0])*w[0], math.Abs(d[1])*w[3]) > little
	}
	f := 1 / (max(w[4], w[8]) + math.Abs(w[5]))
	t, o := r[1]-f*(u[1]+w[3]*d[0]), r[2]-f*(u[2]+w[6]*d[0])
	if l := math.Sqrt(t*t + o*o); l > mu*n {
		t, o = t*mu*n/l, o*mu*n/l
	}
	d[1], d[2] = t-r[1], o-r[2]
	return max(math.Abs(d[0])*w[0], math.Abs(d[1])*w[4], math.Abs(d[2])*w[8]) > little
}

// extend appends to the list the touches that the velocities w close, or leave open by less than
// some ways of the forces of the step, or of these velocities where they are less.
func (s *sleeping) extend(w []float64, h, ways float64) bool {
	grown := false
	s.turnBodies(w)
	for i := range s.touches {
		t, m := &s.touches[i], &s.marks[i]
		if m.active {
			continue
		}
		gap := t.Gap + h*s.approachTurned(i, w, h)
		near := -s.unit * touchGap
		if ways > 0 {
			kick := s.predictor.kick[t.A]
			if t.B >= 0 {
				kick = max(kick, s.predictor.kick[t.B])
			}
			if gap < ways*h*kick+near { // stir is no more
				near += ways * h * s.stir(i, w)
			}
		}
		if gap < near {
			m.active, grown = true, true
			s.p.list, s.p.laws = append(s.p.list, i), append(s.p.laws, s.lawOf(i))
		}
	}
	return grown
}

// stir is the most that a step changes the speed of a touch by, about: what its forces give a body,
// and what the velocities w have, if that is less; none of a body that rests, which something else
// would have to wake.
func (s *sleeping) stir(i int, w []float64) float64 {
	t := &s.touches[i]
	speed := vec3.Norm(s.obstacleSpeed(i, 0))
	for _, b := range [...]int{t.A, t.B} {
		if b < 0 {
			continue
		}
		if s.rest.any && s.rest.asleep[b] {
			return 0
		}
		p := &s.model.Bodies[b]
		speed += length(w[p.V:p.V+s.model.Dim]) + length(w[p.V+s.model.Dim:p.V+p.N])*s.model.World.Lever(b)
	}
	return min(speed, s.pairKick(i))
}
