package assembly

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
)

// A yielding is a geometry whose corners give by C r, in the state from which a step begins. Forces are in parts of the loads,
// displacements those by which a mean corner gives under a force that is one of as many as there are corners.
type yielding struct {
	s     *statics
	give  []float64 // C of each component, the same along both tangents
	force []float64 // r⁰
	gap   []float64 // g of each corner that is open, its deformation taken off
	drift []float64 // u⁰: motions of corners by supports that are moved; nil for none
	press []float64 // of each corner, added to its normal force on the way to a step (pieces.go); nil for none
	guess []float64 // v near to which a step is looked for; nil: 0

	plan   *factor.BlockPlan // of the blocks of three rows of K
	lu     *factor.BlockLU
	ptr    []int
	col    []int32
	values [][9]float64
	pairs  [][]int // of each contact: the places in values of its blocks of rows, by rows
	rest   [][3]float64
}

// A yield is the answer of a step.
type yield struct {
	force   []float64
	apart   []float64 // ũ, of each component
	motion  []float64 // v
	balance float64   // what is left of the loads, in parts of them
	law     float64   // the largest force by which a corner misses Coulomb's law, in parts of the loads
}

// step looks for the motion v of the blocks in a step to loads f, and by h u⁰ of the supports, with
//
//	Φ(v) = H r + f = 0,   ũ = Hᵀv + C (r − r⁰) + g e_N + h u⁰
//
// and Coulomb's law between r and ũ, of normal gaps and of slips in the step. A joint that gives knows its force by its own motion: with
// t = r⁰ − C⁻¹(Hᵀv + g e_N + h u⁰), the force if it neither opened nor slid,
//
//	r_N = max(t_N, 0),   r_T = t_T, or where that is beyond μ r_N, of that size along t_T
//
// so that Φ is continuous, and in the plane linear by pieces. Newton's method has K = H (∂r/∂t) C⁻¹ Hᵀ, not symmetric where corners slide;
// where it does not converge, pieces are gone through one by one (pieces.go). nil where nothing is found: nothing is shown then.
func (y *yielding) step(ctx context.Context, f []float64, h float64) (*yield, error) {
	zero := make([]float64, y.s.nv)
	for _, from := range []func() ([]float64, error){
		func() ([]float64, error) { return y.guess, nil },
		func() ([]float64, error) { return zero, nil },
		func() ([]float64, error) { return y.relax(ctx, f, h) },
	} {
		v, err := from()
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		v = slices.Clone(v)
		if found, err := y.newton(ctx, v, f, h, 1e-10); err != nil || found {
			return y.read(v, f, h), err
		}
	}
	return nil, nil
}

// newton makes v a zero of Φ, up to rounding, which is to leave less of the loads than the tolerance.
func (y *yielding) newton(ctx context.Context, v, f []float64, h, tolerance float64) (found bool, err error) {
	enough := 1e-14 // rounding of sums of forces, the tension of joints among them
	for _, r := range y.force {
		enough += 1e-15 * math.Abs(r)
	}
	for _, x := range f {
		enough += 1e-15 * math.Abs(x)
	}
	size, phi := y.unbalanced(v, f, h)
	for k := 0; k < 40 && !(size < enough); k++ { // some ten at most were met in steps that it found
		if err := y.factorise(ctx, y.slopes(v, h)); err != nil {
			return false, err
		}
		d := y.solve(phi)
		share, moved, best, left := 1., make([]float64, len(v)), math.Inf(1), []float64(nil)
		for range 8 { // to a 128th, which leads over an edge at hand
			for i := range v {
				moved[i] = v[i] + share*d[i]
			}
			if best, left = y.unbalanced(moved, f, h); best < size*(1-share/10) {
				break
			}
			share /= 2
		}
		switch {
		case num.Bad(best):
			return false, nil
		case best >= size && size < tolerance:
			return true, nil
		}
		copy(v, moved)
		size, phi = best, left
	}
	return size < tolerance, nil
}

// trial is t of a corner.
func (y *yielding) trial(u []float64, j int, h float64) (t [3]float64) {
	for e := range y.s.dim {
		k := j*y.s.dim + e
		w := u[k]
		if e == 0 {
			w += y.gap[j]
		}
		if y.drift != nil {
			w += h * y.drift[k]
		}
		t[e] = y.force[k] - w/y.give[k]
	}
	if y.press != nil {
		t[0] += y.press[j]
	}
	return t
}

// carried is r of a corner of trial t.
func carried(t [3]float64, mu float64) [3]float64 {
	t[0] = max(t[0], 0)
	if size, most := math.Hypot(t[1], t[2]), mu*t[0]; size > most {
		t[1], t[2] = t[1]*most/size, t[2]*most/size
	}
	return t
}

// slope is ∂r/∂t.
func slope(t [3]float64, mu float64) (d [9]float64) {
	if t[0] < 0 {
		return d
	}
	size := math.Hypot(t[1], t[2])
	if size <= mu*t[0] {
		return num.Identity3
	}
	x, z, share := t[1]/size, t[2]/size, mu*t[0]/size
	return [9]float64{1, 0, 0, mu * x, share * z * z, -share * x * z, mu * z, -share * x * z, share * x * x}
}

// forces are r by a motion.
func (y *yielding) forces(v []float64, h float64) []float64 {
	u := make([]float64, len(y.force))
	y.s.motion(u, v)
	for j := range y.s.contacts {
		r := carried(y.trial(u, j, h), y.s.contacts[j].mu)
		copy(u[j*y.s.dim:(j+1)*y.s.dim], r[:])
	}
	return u
}

// unbalanced is Φ with its size.
func (y *yielding) unbalanced(v, f []float64, h float64) (size float64, phi []float64) {
	phi = append(phi, f...)
	y.s.resultant(phi, y.forces(v, h))
	return math.Sqrt(product(phi, phi)), phi
}

// layOut analyses the pattern of K: of each contact the blocks of three rows that it touches.
func (y *yielding) layOut(ctx context.Context) (err error) {
	n := y.s.nv / 3
	rows := make([]map[int32]bool, n)
	for i := range rows {
		rows[i] = map[int32]bool{int32(i): true}
	}
	for j := range y.s.contacts {
		c := &y.s.contacts[j]
		for a := 0; a < len(c.rows); a += 3 {
			for b := 0; b < len(c.rows); b += 3 {
				rows[c.rows[a]/3][int32(c.rows[b]/3)] = true
			}
		}
	}
	y.ptr = []int{0}
	for _, row := range rows {
		y.col = append(y.col, slices.Sorted(maps.Keys(row))...)
		y.ptr = append(y.ptr, len(y.col))
	}
	for j := range y.s.contacts {
		c := &y.s.contacts[j]
		var places []int
		for a := 0; a < len(c.rows); a += 3 {
			i := c.rows[a] / 3
			for b := 0; b < len(c.rows); b += 3 {
				k, _ := slices.BinarySearch(y.col[y.ptr[i]:y.ptr[i+1]], int32(c.rows[b]/3))
				places = append(places, y.ptr[i]+k)
			}
		}
		y.pairs = append(y.pairs, places)
	}
	y.values, y.rest = make([][9]float64, len(y.col)), make([][3]float64, n)
	if y.plan, err = factor.NewBlockPlan(ctx, y.ptr, y.col); err == nil {
		y.lu = factor.NewBlockLU(y.plan, y.ptr, y.col)
	}
	return err
}

// slopes are ∂r/∂t of all corners at a motion.
func (y *yielding) slopes(v []float64, h float64) [][9]float64 {
	u, all := make([]float64, len(y.force)), make([][9]float64, len(y.s.contacts))
	y.s.motion(u, v)
	for j := range all {
		all[j] = slope(y.trial(u, j, h), y.s.contacts[j].mu)
	}
	return all
}

// factorise sums K of the slopes of corners and factorises it.
func (y *yielding) factorise(ctx context.Context, slopes [][9]float64) error {
	if y.lu == nil {
		if err := y.layOut(ctx); err != nil {
			return err
		}
	}
	dim := y.s.dim
	clear(y.values)
	for j := range y.s.contacts {
		c, d := &y.s.contacts[j], &slopes[j]
		var left [12][3]float64 // H (∂r/∂t) C⁻¹ in the rows of the contact
		for i := range c.rows {
			for e := range dim {
				for k := range dim {
					left[i][e] += c.cols[k][i] * d[3*k+e]
				}
				left[i][e] /= y.give[j*dim+e]
			}
		}
		at := 0
		for a := 0; a < len(c.rows); a += 3 {
			for b := 0; b < len(c.rows); b += 3 {
				block := &y.values[y.pairs[j][at]]
				at++
				for i := range 3 {
					for k := range 3 {
						for e := range dim {
							block[3*i+k] += left[a+i][e] * c.cols[e][b+k]
						}
					}
				}
			}
		}
	}
	y.lu.Clear()
	for k := range y.values {
		y.lu.Set(k, &y.values[k])
	}
	y.lu.Factor(ctx, pivot)
	return ctx.Err()
}

// pivot inverts one of K; of blocks that nothing holds at this motion, one that is a little larger.
func pivot(dst, a *[9]float64) {
	for shift := 1e-12; !num.Invert3(dst, a) && shift < 1; shift *= 1e3 {
		a[0], a[4], a[8] = a[0]+shift, a[4]+shift, a[8]+shift
	}
}

// solve is K⁻¹ Φ.
func (y *yielding) solve(phi []float64) []float64 {
	for i := range y.rest {
		copy(y.rest[i][:], phi[3*i:3*i+3])
	}
	y.lu.Solve(y.rest)
	d := make([]float64, len(phi))
	for i := range y.rest {
		copy(d[3*i:3*i+3], y.rest[i][:])
	}
	return d
}

// read finds forces and displacements of a motion, and judges them by the equations.
func (y *yielding) read(v, f []float64, h float64) *yield {
	s := y.s
	a := &yield{force: y.forces(v, h), motion: v, apart: make([]float64, len(y.force))}
	s.motion(a.apart, v)
	for k := range a.apart {
		a.apart[k] += y.give[k] * (a.force[k] - y.force[k])
		if k%s.dim == 0 {
			a.apart[k] += y.gap[k/s.dim]
		}
		if y.drift != nil {
			a.apart[k] += h * y.drift[k]
		}
	}
	rest := append([]float64(nil), f...)
	s.resultant(rest, a.force)
	a.balance = largest(rest)
	for j := range s.contacts {
		a.law = max(a.law, y.missed(a, j))
	}
	return a
}

// missed is ‖r − P(r − (ũ + μ‖ũ_T‖ e_N)/C_N)‖ of a corner, with the projection P onto its cone: zero by Coulomb's law only, and
// else a force.
func (y *yielding) missed(a *yield, j int) float64 {
	k := j * y.s.dim
	var r, u, p, q [3]float64
	copy(r[:], a.force[k:k+y.s.dim])
	copy(u[:], a.apart[k:k+y.s.dim])
	mu := y.s.contacts[j].mu
	u[0] += mu * math.Hypot(u[1], u[2])
	for e := range y.s.dim {
		p[e] = r[e] - u[e]/y.give[k]
	}
	contact.Coulomb{Mu: mu}.Project(&q, nil, &p)
	return norm(sub(r, q))
}

// accept makes the answer the state in which the next step begins. A corner that carries has no gap.
func (y *yielding) accept(a *yield) {
	copy(y.force, a.force)
	for j := range y.gap {
		y.gap[j] = 0
		if a.force[j*y.s.dim] == 0 {
			y.gap[j] = max(a.apart[j*y.s.dim], 0)
		}
	}
}
