package events

import "math"

// assemble makes the matrix of the present regimes and factors it: row i of H for a dof
// that moves freely, row t plus ±μ times row n for a contact that slips.
func (w *Integrator[T]) assemble() {
	p := w.form
	w.active = w.active[:0]
	for i := range w.fixed {
		w.fixed[i] = false
	}
	for k, c := range p.Contacts {
		if w.regime[k] != Open {
			w.fixed[c.N] = true
		}
		if c.T >= 0 {
			w.fixed[c.T] = w.regime[k] == Stick
		}
	}
	for k := range w.corners {
		w.corners[k].findWays()
	}
	for _, i := range w.order {
		w.place[i] = -1
		if w.cornered(i) {
			if s := &w.corners[w.cornerAt[i]]; i-s.Dof < len(s.ways) { // the slots of its ways
				w.place[i] = len(w.active)
				w.active = append(w.active, i)
			}
		} else if !w.fixed[i] {
			w.place[i] = len(w.active)
			w.active = append(w.active, i)
		}
	}
	w.first = w.first[:0]
	for a := range w.active {
		w.first = append(w.first, a)
	}
	for a, i := range w.active {
		w.entries(i, func(b int, _ T) {
			lo, hi := min(a, b), max(a, b)
			w.first[hi] = min(w.first[hi], lo)
		})
	}
	w.lu.resize(w.first)
	for a, i := range w.active {
		w.entries(i, func(b int, v T) { w.lu.add(a, b, v) })
	}
	w.lu.factor()
}

// entries visits those of the matrix in the row of dof i.
func (w *Integrator[T]) entries(i int, visit func(b int, v T)) {
	w.rows(i, func(j int, v T) {
		if w.cornered(j) {
			s := &w.corners[w.cornerAt[j]]
			for k := range s.ways {
				visit(w.place[s.Dof+k], v.Mul(s.ways[k].motion[j-s.Dof]))
			}
		} else if b := w.place[j]; b >= 0 {
			visit(b, v)
		}
	})
}

// rows visits the entries of the equation of dof i.
func (w *Integrator[T]) rows(i int, visit func(j int, v T)) {
	p := w.form
	if w.cornered(i) {
		s := &w.corners[w.cornerAt[i]]
		for c, m := range s.ways[i-s.Dof].test {
			if m.Sign() == 0 && m.Exact() {
				continue
			}
			for l := p.Ptr[s.Dof+c]; l < p.Ptr[s.Dof+c+1]; l++ {
				visit(p.Col[l], p.Val[l].Mul(m))
			}
		}
		return
	}
	for k := p.Ptr[i]; k < p.Ptr[i+1]; k++ {
		visit(p.Col[k], p.Val[k])
	}
	if k := w.slides(i); k >= 0 {
		n, m := p.Contacts[k].N, w.friction(k)
		for l := p.Ptr[n]; l < p.Ptr[n+1]; l++ {
			visit(p.Col[l], p.Val[l].Mul(m))
		}
	}
}

// slides returns the contact whose slip along dof i has an equation, or −1.
func (w *Integrator[T]) slides(i int) int {
	if k := w.owner[i]; k >= 0 && w.form.Contacts[k].T == i && w.regime[k].direction() != 0 {
		return k
	}
	return -1
}

// friction returns ±μ of a contact that slips.
func (w *Integrator[T]) friction(k int) T {
	mu := w.form.Contacts[k].Mu
	if w.regime[k] == SlipBackward {
		var zero T
		return zero.Sub(mu)
	}
	return mu
}

// solve stores in x the solution of the equations for loads f, x holding the values of
// the dofs that are fixed. It returns the dof along which the load finds no resistance,
// or −1.
func (w *Integrator[T]) solve(x, f []T) int {
	p := w.form
	w.rhs = room(w.rhs, len(w.active))
	for a, i := range w.active {
		b := f[i]
		if w.cornered(i) {
			s := &w.corners[w.cornerAt[i]]
			b = inner(s.ways[i-s.Dof].test, vector(f, s.Dof))
		} else if k := w.slides(i); k >= 0 {
			b = b.Add(w.friction(k).Mul(f[p.Contacts[k].N]))
		}
		w.rows(i, func(j int, v T) {
			if w.place[j] < 0 || w.cornered(j) {
				b = b.Sub(v.Mul(x[j]))
			}
		})
		w.rhs[a] = b
	}
	lost := w.lu.solve(w.rhs, func(a int) T { return w.kept(x, w.active[a]) }, w.weight(f))
	for a, i := range w.active {
		if !w.cornered(i) {
			x[i] = w.rhs[a]
		}
	}
	for k := range w.corners {
		s := &w.corners[k]
		for i, way := range s.ways {
			moved := sum3(vector(x, s.Dof), scaled(way.motion, w.rhs[w.place[s.Dof+i]]))
			copy(x[s.Dof:], moved[:])
		}
	}
	if lost >= 0 {
		return w.active[lost]
	}
	return -1
}

// weight is the size of the loads.
func (w *Integrator[T]) weight(f []T) float64 {
	size := 0.0
	for _, v := range f {
		size = max(size, abs(v.Float()))
	}
	return size
}

// state computes q and r at a time in the present regimes.
func (w *Integrator[T]) state(t T) {
	w.c = w.form.Source.Load(w.f, t)
	if w.corners != nil {
		w.load = max(w.load, w.weight(w.f))
	}
	for k, c := range w.form.Contacts {
		if w.regime[k] != Open {
			var zero T
			w.q[c.N] = zero.Sub(w.form.Contacts[k].Gap)
		}
	}
	w.lost = max(w.lost, w.solve(w.q, w.f))
	w.react()
}

// rates computes the derivatives of q and r at a time.
func (w *Integrator[T]) rates(t T) {
	w.form.Source.Rate(w.df, t)
	var zero T
	for i := range w.v {
		w.v[i] = zero
	}
	w.lost = max(w.lost, w.solve(w.v, w.df))
	w.form.react(w.dr, w.dsize, w.v, w.df)
}

// react computes the reactions, and what they are rounded like.
func (w *Integrator[T]) react() {
	w.form.react(w.r, w.size, w.q, w.f)
	for i, g := range w.form.Grain {
		w.size[i] += g / rounding
	}
}

// samples is the number of samples in the shortest period of the loads in which roots
// are looked for. Conditions are sums of the loads: between two samples their cubic
// interpolant is off by (2π/64)⁴/384 = 2.4e-7 of their amplitude.
const samples = 64

// sample is the distance of two samples [s].
func (w *Integrator[T]) sample() float64 {
	return 2 * math.Pi / (samples * w.form.Source.Frequency())
}

// at moves state and rates within the piece, and not the integrator. Rates are those of the
// piece up to its end.
func (w *Integrator[T]) at(t T) {
	w.state(t)
	if t.Float() >= w.end && w.end > w.t.Float() {
		t = t.Of(math.Nextafter(w.end, math.Inf(-1))) // loads may have a kink there
	}
	w.rates(t)
}
