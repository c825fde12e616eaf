package events

import "math"

// unknown is one of the rate problem: that of a dof, or the speed λ of a contact that slips.
type unknown struct{ dof, contact int }

// tipForce is the part of what is added up to a force below which it has no direction of its own: near to
// the tip of the cone directions swing within 1e-9 of the time, in which nothing moves.
const tipForce = 1e-9

// blurredTurn is the angle by which rounding of places may turn a direction [rad]; a force so small
// that it would do more lasts for a part of the time that is the square of it, relative to the forces.
const blurredTurn = 1e-3

// turn stores the directions e = −r_u/|r_u| of the contacts that slip. Along a step they are
// continuous: beyond the time at which all force is gone, where the contact opens, the continuation
// has |r_u| = −r_n. Where there is no force, or one that rounding would turn by more than blurredTurn, the direction
// of before stays.
func (w *ConeWalker) turn(r []Real, size []float64) {
	for k, c := range w.form.Contacts {
		if w.regime[k] != SlipForward {
			continue
		}
		a, b := float64(r[c.T]), float64(r[c.T+1])
		l := math.Hypot(a, b)
		if l <= max(tipForce*max(size[c.T], size[c.T+1]), max(w.grain[c.T], w.grain[c.T+1])/blurredTurn) {
			continue
		}
		if float64(w.along[k][0])*a+float64(w.along[k][1])*b > 0 {
			l = -l
		}
		w.along[k] = [2]Real{Real(-a / l), Real(-b / l)}
	}
}

// assemble makes the matrix of the rate problem in the present regimes and directions and factors
// it: row i of H for a dof that moves freely, e·(rows t) + row n for a contact that slips
// along e, since |r_u| = r_n there; its column is Σ e (columns t).
func (w *ConeWalker) assemble() {
	p := w.form
	w.active = w.active[:0]
	for i := range w.place {
		w.place[i] = -1
	}
	for _, i := range w.order {
		k := w.owner[i]
		switch {
		case w.place[i] >= 0:
		case k < 0:
			w.place[i] = len(w.active)
			w.active = append(w.active, unknown{i, -1})
		case w.regime[k] == Open:
			w.place[i] = len(w.active)
			w.active = append(w.active, unknown{i, -1})
		case w.regime[k] == SlipForward && i != p.Contacts[k].N:
			t := p.Contacts[k].T
			w.place[t], w.place[t+1] = len(w.active), len(w.active)
			w.active = append(w.active, unknown{t, k})
		}
	}
	w.first = w.first[:0]
	for a := range w.active {
		w.first = append(w.first, a)
	}
	for a := range w.active {
		w.rows(a, func(b int, _ Real) {
			lo, hi := min(a, b), max(a, b)
			w.first[hi] = min(w.first[hi], lo)
		})
	}
	w.lu.resize(w.first)
	for a := range w.active {
		w.rows(a, func(b int, v Real) { w.lu.add(a, b, v) })
	}
	w.lu.factor()
}

// rows visits the entries of the equation of unknown a.
func (w *ConeWalker) rows(a int, visit func(b int, v Real)) {
	u := w.active[a]
	if u.contact < 0 {
		w.row(u.dof, 1, visit)
		return
	}
	c, e := w.form.Contacts[u.contact], w.along[u.contact]
	w.row(c.T, e[0], visit)
	w.row(c.T+1, e[1], visit)
	w.row(c.N, 1, visit)
}

// row visits the entries of row i of H times a factor.
func (w *ConeWalker) row(i int, factor Real, visit func(b int, v Real)) {
	p := w.form
	for l := p.Ptr[i]; l < p.Ptr[i+1]; l++ {
		j := p.Col[l]
		b := w.place[j]
		if b < 0 {
			continue
		}
		v := factor * p.Val[l]
		if k := w.active[b].contact; k >= 0 {
			v *= w.along[k][j-w.active[b].dof]
		}
		visit(b, v)
	}
}

// spread stores in v the motion of the solution in w.rhs.
func (w *ConeWalker) spread(v []Real) {
	clear(v)
	for i, b := range w.place {
		if b < 0 {
			continue
		}
		v[i] = w.rhs[b]
		if k := w.active[b].contact; k >= 0 {
			v[i] *= w.along[k][i-w.active[b].dof]
		}
	}
}

// rates stores in v the velocities at loads that change by df. It returns the dof along which
// nothing resists, or −1.
func (w *ConeWalker) rates(v, df []Real) int {
	w.rhs = room(w.rhs, len(w.active))
	for a, u := range w.active {
		if u.contact < 0 {
			w.rhs[a] = df[u.dof]
			continue
		}
		c, e := w.form.Contacts[u.contact], w.along[u.contact]
		w.rhs[a] = e[0]*df[c.T] + e[1]*df[c.T+1] + df[c.N]
	}
	return w.solve(v, df)
}

// solve replaces w.rhs by the solution and spreads it.
func (w *ConeWalker) solve(v, loads []Real) int {
	size := 0.0
	for _, f := range loads {
		size = max(size, abs(float64(f)))
	}
	lost := w.lu.solve(w.rhs, func(int) Real { return 0 }, size)
	w.spread(v)
	if lost >= 0 {
		return w.active[lost].dof
	}
	return -1
}

// react stores r = Hx − f, and in size what was added up.
func (p *Form[T]) react(r []T, size []float64, x, f []T) {
	var zero T
	for i := range p.N {
		sum, s := zero.Sub(f[i]), abs(f[i].Float())
		for k := p.Ptr[i]; k < p.Ptr[i+1]; k++ {
			v := p.Val[k].Mul(x[p.Col[k]])
			sum, s = sum.Add(v), s+abs(v.Float())
		}
		r[i], size[i] = sum, s
	}
}
