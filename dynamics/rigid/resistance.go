package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Resistance to rolling, spinning and drilling, and adhesion.
//
// A contact with moments m has rows J beside H, the axes n, t, o (in the plane e_z) for the spin of
// its first body relative to the second, so that
//
//	(u, ω) = [H J]ᵀ w − (s₀, Ω₀),  impulses Hr + Jm,
//
// and obeys the law of [contact.Rolling], û = u + (μ‖u_T‖ + μ_R‖ω_R‖ + μ_S|ω_S|)e_N. An island in
// which some contact has moments is a problem of six components, four in the plane, of which one is
// idle there; ω is taken times a length L, m over it, the arm of the lighter body, so that all are
// speeds and impulses. Drilling has the length ε for the spin.
//
// Adhesion A shifts the cone, K = {r : r + hA e_N in Coulomb's cone}: with r̃ = r + hA e_N and b̃ = b −
// W hA e_N the problem is Coulomb's. It acts where the contact is closed when the step begins, and
// while it is loaded. Moments are in proportion to r̃_N, the pressure that the pull adds to. In a
// collision, h = 0, there is none; moments act in compressions.
//
// They take −Σ m·ω^α ≥ 0 of energy, which is friction's in the ledger. As for slip, for α < 1 what
// comes to stick would turn round in every step that follows, see [scheme.catches].

// resistance is what is known of the moments and pulls of the contacts of the problem.
type resistance struct {
	n     int       // moments of a contact: three in space, one in the plane; 0: the model has none
	h, y  []float64 // J and SJ, by the parts and shares of the problem
	m     []float64 // their impulses [N m s]
	b     []float64 // ω without the impulses of contacts [rad/s] …
	ready bool      // … which is known, so that moments act
	drive []float64 // Ω₀
	pull  []float64 // hA [N s]
}

// wide is an island with moments.
type wide struct {
	on   bool
	n    int // moments of a contact
	laws []contact.Law
	w    contact.Dense
	q, r []float64
	unit []float64 // L of the moments
	ws   contact.LocalWorkspace
	res  contact.Result
	opt  contact.Options
}

// moments returns the number of moments of a contact of the model.
func (s *contactSet) moments() int {
	switch {
	case !s.model.Clings():
		return 0
	case s.model.Dim == 3:
		return 3
	}
	return 1
}

// axis is that of moment d of a touch.
func (m *mark) axis(d, moments int) vec {
	if moments == 1 {
		return vec{0, 0, 1}
	}
	return vec3.Scale(m.frame[d], 1/vec3.Norm(m.frame[d]))
}

// loadMoments evaluates J and SJ of the touches in p.list from the first-th on, and forgets their
// moments and pulls.
func (s *assembly) loadMoments(first int) {
	p, x := &s.p, &s.p.resistance
	if x.n = s.clings; x.n == 0 {
		return
	}
	nc := len(p.list)
	x.ready = false
	x.h, x.y = grow(x.h, len(p.h)/p.dim*x.n), grow(x.y, len(p.y)/p.dim*x.n)
	if first == 0 {
		x.m, x.pull = x.m[:0], x.pull[:0]
	}
	for len(x.m) < x.n*nc {
		x.m = append(x.m, 0)
	}
	for len(x.pull) < nc {
		x.pull = append(x.pull, 0)
	}
	for k := range p.list { // the parts have moved with grow
		s.momentRows(k)
	}
}

// momentRows evaluates J and SJ of contact k.
func (s *assembly) momentRows(k int) {
	p, x, i := &s.p, &s.p.resistance, s.p.list[k]
	t, m := &s.touches[i], &s.marks[i]
	parts, sign, body := p.part[p.ptr[k]:p.ptr[k+1]], 1.0, t.A
	for _, part := range parts {
		h := x.h[part.at/p.dim*x.n:][:part.n*x.n]
		clear(h)
		for d := range x.n {
			if s.model.StopOf(t) != nil {
				break
			}
			axis := m.axis(d, x.n)
			s.model.Put(h[d:], x.n, body, &s.poses[body], sign, &vec{}, &axis)
		}
		sign, body = -1, t.B
	}
	for _, share := range p.share[p.from[k]:p.from[k+1]] {
		y := x.y[share.at/p.dim*x.n:][:share.n*x.n]
		p.column = grow(p.column, share.n)
		for d := range x.n {
			clear(p.column)
			for _, part := range parts {
				if part.comp != share.comp {
					continue
				}
				for r := range part.n {
					p.column[part.local+r] = x.h[(part.at/p.dim+r)*x.n+d]
				}
			}
			s.inv[share.comp].Respond(p.column)
			for r, v := range p.column {
				y[r*x.n+d] = v
			}
		}
	}
}

// resist makes the moments and pulls of the problem act in a step of h, from the velocities w without
// contact impulses; for 0 in a collision.
func (s *assembly) resist(h float64, w []float64) {
	p, x := &s.p, &s.p.resistance
	if x.n == 0 {
		return
	}
	x.ready = true
	x.b, x.drive = grow(x.b, len(x.m)), grow(x.drive, len(x.m))
	for k, i := range p.list {
		x.pull[k] = s.pullOf(i, h)
		spin := s.model.ObstacleSpin(&s.touches[i], s.t, h)
		for d := range x.n {
			x.drive[k*x.n+d] = vec3.Dot(spin, s.marks[i].axis(d, x.n))
		}
	}
	s.spins(x.b, w)
}

// spins overwrites ω by Jᵀw − Ω₀.
func (s *assembly) spins(omega, w []float64) {
	p, x := &s.p, &s.p.resistance
	for k := range p.list {
		for d := range x.n {
			sum := -x.drive[k*x.n+d]
			for _, part := range p.part[p.ptr[k]:p.ptr[k+1]] {
				for r := range part.n {
					sum += x.h[(part.at/p.dim+r)*x.n+d] * w[part.v+r]
				}
			}
			omega[k*x.n+d] = sum
		}
	}
}

// pushMoments adds f SJm of contact k to w.
func (s *assembly) pushMoments(w []float64, k int, f float64) {
	p, x := &s.p, &s.p.resistance
	m := x.m[k*x.n : (k+1)*x.n]
	for _, share := range p.share[p.from[k]:p.from[k+1]] {
		for i, v := range s.model.Components[share.comp].Index {
			for d, md := range m {
				w[v] += f * x.y[(share.at/p.dim+i)*x.n+d] * md
			}
		}
	}
}

// addMoments adds Jm of contact k to f, of sizes only their sizes.
func (s *assembly) addMoments(f []float64, k int, sizes bool) {
	p, x := &s.p, &s.p.resistance
	for _, part := range p.part[p.ptr[k]:p.ptr[k+1]] {
		for i := range part.n {
			for d, m := range x.m[k*x.n : (k+1)*x.n] {
				if v := x.h[(part.at/p.dim+i)*x.n+d] * m; sizes {
					f[part.v+i] += math.Abs(v)
				} else {
					f[part.v+i] += v
				}
			}
		}
	}
}

// forgetMoments leaves those of the impulses that follow out.
func (x *resistance) forgetMoments() {
	clear(x.m)
	x.ready = false
}

// pressed is r̃_N of a contact: its impulse and the pull.
func (p *problem) pressed(k int) float64 {
	if p.resistance.n == 0 {
		return p.r[k*p.dim]
	}
	return p.r[k*p.dim] + p.resistance.pull[k]
}

// pressed is that of the last impulse.
func (m *mark) pressed() float64 { return m.r[0] + m.pull }

// tangential are the sizes of what friction bounds and of the slip it opposes: of the impulse r and the
// speed u of contact k, and with drilling of its spin under ω, nil for none.
func (s *assembly) tangential(k int, r, u, omega []float64) (push, slip float64) {
	push, slip = length(r[1:]), length(u[1:])
	x := &s.p.resistance
	if x.n != 3 {
		return push, slip
	}
	if a := s.model.MaterialOf(&s.touches[s.p.list[k]]).Resistance; a != nil && a.Drilling > 0 {
		push = math.Hypot(push, x.m[3*k]/a.Drilling)
		if omega != nil {
			slip = math.Hypot(slip, omega[3*k]*a.Drilling)
		}
	}
	return push, slip
}

// turnsAt reports which moments of contact k, spin and roll, are on their bounds under ω.
func (s *assembly) turnsAt(k int, omega []float64) (turns [2]bool) {
	x, i := &s.p.resistance, s.p.list[k]
	a := s.model.MaterialOf(&s.touches[i]).Resistance
	if !a.Moments() || !(s.p.pressed(k) > 0) {
		return turns
	}
	spin, roll := omega[k*x.n:k*x.n], omega[k*x.n:(k+1)*x.n]
	if x.n == 3 {
		spin, roll = roll[:1], roll[1:]
	}
	turns[0] = a.Spinning > 0 && s.isTurning(i, spin)
	turns[1] = a.Rolling > 0 && s.isTurning(i, roll)
	return turns
}

// isTurning reports whether a spin of the bodies of a touch is not rounding.
func (s *assembly) isTurning(i int, omega []float64) bool {
	return length(omega)*s.lengthOf(i) > s.pace*slides
}

// lengthOf is L of a touch: the arm of its bodies, of two the smaller one.
func (s *contactSet) lengthOf(i int) float64 {
	t := &s.touches[i]
	l := s.model.Bodies[t.A].Arm
	if t.B >= 0 && s.model.Bodies[t.B].Spins {
		l = min(l, s.model.Bodies[t.B].Arm)
	}
	if l > 0 {
		return l
	}
	return s.unit
}

// cutWide makes the problem of an island with moments from that of its forces.
func (s *solution) cutWide(x *solver, members []int) {
	p, y, g := &s.p, &s.p.resistance, &x.wide
	g.on = false
	if y.n == 0 || !y.ready || x.augmented || p.islands.task != solveWhole {
		return
	}
	s.pullIsland(x, members)
	for _, k := range members {
		g.on = g.on || s.model.MaterialOf(&s.touches[p.list[k]]).Resistance.Moments()
	}
	if !g.on {
		return
	}
	g.n = y.n
	dim, n := 3+g.n, (3+g.n)*len(members)
	g.laws = g.laws[:0]
	g.q, g.r, g.unit = grow(g.q, n), grow(g.r, n), grow(g.unit, n)
	g.w = contact.Dense{D: dim, N: n, Val: grow(g.w.Val, n*n)}
	clear(g.w.Val)
	clear(g.q)
	clear(g.r)
	for j, k := range members {
		g.laws = append(g.laws, s.wideLaw(g.unit[j*dim:(j+1)*dim], k))
		copy(g.q[j*dim:], x.b[j*p.dim:(j+1)*p.dim])
		copy(g.r[j*dim:], x.r[j*p.dim:(j+1)*p.dim])
		for d := range g.n {
			at := j*dim + 3 + d
			g.q[at] = y.b[k*g.n+d] * g.unit[at]
			g.r[at] = y.m[k*g.n+d] / g.unit[at]
		}
	}
	s.fillWide(g, members)
}

// wideLaw is the law of contact k with its moments, and sets the units of its components.
func (s *solution) wideLaw(unit []float64, k int) contact.Law {
	i := s.p.list[k]
	a, l := s.model.MaterialOf(&s.touches[i]).Resistance, s.lengthOf(i)
	for d := range unit {
		if unit[d] = 1; d >= 3 {
			unit[d] = l
		}
	}
	if s.brakeOf(&s.touches[i]) != nil {
		return s.p.laws[k]
	}
	mu := lawMu(s.p.laws[k])
	if !a.Moments() || math.IsNaN(mu) {
		return s.p.laws[k]
	}
	law := contact.Rolling{Mu: mu, Resistance: a.Rolling / l, Spin: a.Spinning / l, Drilling: a.Drilling > 0}
	switch {
	case s.model.Dim == 2: // one moment, which a contact of four components has for its spin
		law.Resistance, law.Spin = 0, law.Resistance
	case law.Drilling:
		unit[3] = a.Drilling
	}
	return law
}

// fillWide sets W of an island with moments.
func (s *solution) fillWide(g *wide, members []int) {
	p, y, dim := &s.p, &s.p.resistance, 3+g.n
	at := make(map[int]int, len(members))
	for j, k := range members {
		at[k] = j
	}
	row, column := make([]float64, dim), make([]float64, dim)
	take := func(dst, force, moment []float64, f, m int) { // of one velocity
		copy(dst[:p.dim], force[f:f+p.dim])
		copy(dst[3:], moment[m:m+g.n])
	}
	for j, k := range members {
		for _, part := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for _, ref := range p.on[part.comp] {
				l := at[ref.contact]
				share := &p.share[ref.share]
				for r := range part.n {
					h, v := part.at/p.dim+r, share.at/p.dim+part.local+r
					take(row, p.h, y.h, h*p.dim, h*g.n)
					take(column, p.y, y.y, v*p.dim, v*g.n)
					for c, a := range row {
						for e, b := range column {
							g.w.Val[(j*dim+c)*g.w.N+l*dim+e] += p.alpha * a * b * g.unit[j*dim+c] * g.unit[l*dim+e]
						}
					}
				}
			}
		}
		for d := 1; d < dim; d++ { // an idle component moves, and nothing moves it
			if at := (j*dim + d) * (g.w.N + 1); g.w.Val[at] == 0 {
				g.w.Val[at] = g.w.Val[at-g.w.N-1]
			}
		}
	}
}

// pullIsland shifts the cones of an island by the pulls of its contacts.
func (s *solution) pullIsland(x *solver, members []int) {
	p, dim, pull := &s.p, s.p.dim, s.p.resistance.pull
	for n, i := range members {
		x.r[n*dim] += pull[i]
		for at := p.w.Ptr[i]; at < p.w.Ptr[i+1]; at++ {
			if a := pull[p.w.Col[at]]; a > 0 {
				for d := range dim {
					x.b[n*dim+d] -= p.w.Val[(at*dim+d)*dim] * a
				}
			}
		}
	}
}

// putResisted takes the pulls of an island from its impulses, and its moments.
func (s *solution) putResisted(x *solver, members []int) {
	p, y, g := &s.p, &s.p.resistance, &x.wide
	if y.n == 0 || !y.ready {
		return
	}
	for j, k := range members {
		if a := y.pull[k]; a > 0 {
			p.r[k*p.dim] -= a
		}
		for d := range y.n {
			if y.m[k*y.n+d] = 0; g.on {
				at := j*(3+g.n) + 3 + d
				y.m[k*y.n+d] = g.r[at] * g.unit[at]
			}
		}
	}
}

// solveWide solves an island with moments.
func (p *solver) solveWide(ctx context.Context, o *Options) {
	g := &p.wide
	dim := 3 + g.n
	g.opt.Tolerance, g.opt.Memory = o.Tolerance, p.opt.Memory
	g.ws.Forget()
	g.ws.WarmStart(g.r)
	err := contact.SolveLocal(ctx, &contact.Local{W: &g.w, Q: g.q, Laws: g.laws}, &g.opt, &g.ws, &g.res)
	p.iterations += g.res.Iterations
	p.residual = max(p.residual, g.res.Merit)
	if err != nil && ctx.Err() == nil && len(g.res.R) == len(g.r) && g.res.Merit <= o.Accept {
		p.stalled, err = true, nil
	}
	if p.err = err; len(g.res.R) != len(g.r) {
		return
	}
	copy(g.r, g.res.R)
	for j := range p.list {
		copy(p.r[j*p.dim:(j+1)*p.dim], g.r[j*dim:])
	}
}

// solveClinging is solveSlip with the moments and pulls of a step of h. What opens has lost its pull at
// once, whatever the length of the step; who opens then, as more is asked of the others, loses its
// own, until all that is left holds.
func (s *impacts) solveClinging(ctx context.Context, h float64) error {
	s.slip.h = h
	if s.clings == 0 {
		return s.solveSlip(ctx)
	}
	for _, i := range s.p.list {
		s.marks[i].loose = false
	}
	for {
		s.resist(h, s.w)
		if err := s.solveSlip(ctx); err != nil || !s.comesLoose() {
			return err
		}
	}
}

// comesLoose notes which contacts open against their pull, and reports whether one does.
func (s *impacts) comesLoose() (loose bool) {
	s.slipSpeeds()
	for k, i := range s.p.list {
		if m := &s.marks[i]; s.p.resistance.pull[k] > 0 && !(s.p.pressed(k) > 0) && s.uMean[k*s.p.dim] > s.pace*slides {
			m.loose, loose = true, true
		}
	}
	return loose
}

// cling notes at which touches a pull acts in the step that follows.
func (s *contactSet) cling() {
	if s.clings == 0 {
		return
	}
	for i := range s.marks {
		m, gap := &s.marks[i], s.touches[i].Gap
		m.loose = false
		m.clings = s.model.MaterialOf(&s.touches[i]).Resistance.Pull() > 0 && (gap <= s.unit*touchGap || m.loaded && gap <= s.releaseGap())
	}
}

// takeMoments takes f times the moments in the mark of contact k.
func (s *assembly) takeMoments(k int, f float64) {
	x := &s.p.resistance
	for d := range x.n {
		x.m[k*x.n+d] = f * s.marks[s.p.list[k]].moment[d]
	}
}

// keepMoments takes those of contact k, and its pull, into its mark.
func (s *assembly) keepMoments(k int) {
	x := &s.p.resistance
	if x.n == 0 {
		return
	}
	m := &s.marks[s.p.list[k]]
	copy(m.moment[:], x.m[k*x.n:(k+1)*x.n])
	m.pull = x.pull[k]
}

// coupleOf is f times the moments in a mark, in space.
func (s *contactSet) coupleOf(m *mark, f float64) (couple vec) {
	for d := range s.clings {
		couple = vec3.Add(couple, f*m.moment[d], m.axis(d, s.clings))
	}
	return couple
}

// meanSpins are the ω^α of the moments, nil for none.
func (s *assembly) meanSpins() []float64 {
	if s.clings == 0 {
		return nil
	}
	s.omega = grow(s.omega, len(s.p.resistance.m))
	s.spins(s.omega, s.w)
	return s.omega
}

// momentWork takes that of the moments, at the mean velocity in s.x, as contactWork does.
func (s *accounts) momentWork() {
	p, x, e, w := &s.p, &s.p.resistance, &s.ledger, &s.worth.Shares
	if x.n == 0 {
		return
	}
	s.omega = grow(s.omega, len(x.m))
	s.spins(s.omega, s.x)
	mean := s.omega
	for k, i := range p.list {
		t, m := &s.touches[i], &s.marks[i]
		for d := range x.n {
			book(&e.Normal, w.Normal, t.A, -m.moment[d]*mean[k*x.n+d])
			s.drivenBy(t.A, m.moment[d]*x.drive[k*x.n+d])
		}
	}
	s.spins(s.omega, s.w)
	for k, i := range p.list {
		t, m := &s.touches[i], &s.marks[i]
		for d := range x.n {
			work := m.moment[d] * s.omega[k*x.n+d]
			book(&e.Friction, w.Friction, t.A, -work)
			book(&e.Normal, w.Normal, t.A, work)
			w.Slid[t.A] += math.Abs(work)
		}
	}
}

// rolls is the relative spin of touch i, as a speed, under the velocities v; 0 where nothing resists
// it.
func (s *solution) rolls(i int, v []float64) float64 {
	t := &s.touches[i]
	if !s.model.MaterialOf(t).Resistance.Moments() {
		return 0
	}
	return vec3.Norm(s.relativeSpin(i, v)) * s.lengthOf(i)
}

// relativeSpin is that of the first body of touch i, in space, at the beginning of the step.
func (s *drives) relativeSpin(i int, v []float64) vec {
	t := &s.touches[i]
	w := vec3.Add(s.spinOf(t.A, v), -1, s.model.ObstacleSpin(t, s.t, 0))
	if t.B >= 0 {
		w = vec3.Add(w, -1, s.spinOf(t.B, v))
	}
	return w
}

// drills reports whether touch i spins about its normal at the beginning of the step, where that is
// part of its slip.
func (s *scheme) drills(i int) bool {
	a, t := s.model.MaterialOf(&s.touches[i]).Resistance, &s.touches[i]
	return a != nil && a.Drilling > 0 && s.isTurning(i, []float64{vec3.Dot(s.relativeSpin(i, s.v), t.N)})
}

// catchesSpin reports whether what spun or rolled in the step before, and does so at the beginning of
// this one, sticks in it.
func (s *scheme) catchesSpin() bool {
	if s.clings == 0 {
		return false
	}
	for _, i := range s.p.list {
		a, m := s.model.MaterialOf(&s.touches[i]).Resistance, &s.marks[i]
		if !a.Moments() || !(m.pressed() > 0) {
			continue
		}
		spin := s.relativeSpin(i, s.v)
		var about [3]float64 // the axes
		for d := range s.clings {
			about[d] = vec3.Dot(spin, m.axis(d, s.clings))
		}
		parts := [2][]float64{about[:1], about[1:]}
		if s.clings == 1 {
			parts = [2][]float64{nil, about[:1]}
		}
		for d, was := range s.turned[i] {
			if was && !m.turns[d] && s.isTurning(i, parts[d]) {
				return true
			}
		}
	}
	return false
}

// pullOf is that of touch i in a step of h.
func (s *contactSet) pullOf(i int, h float64) float64 {
	if m := &s.marks[i]; !m.clings || m.loose {
		return 0
	}
	return h * s.model.MaterialOf(&s.touches[i]).Resistance.Pull()
}

// pushOn is the impulse in the mark of touch i that friction bounds.
func (s *contactSet) pushOn(i int) float64 {
	m := &s.marks[i]
	push := length(m.r[1:s.model.Dim])
	if a := s.model.MaterialOf(&s.touches[i]).Resistance; a != nil && a.Drilling > 0 {
		push = math.Hypot(push, m.moment[0]/a.Drilling)
	}
	return push
}

// momentResidual returns how far a contact with moments is from its law, Alart and Curnier's function
// of each of its discs, and how far from its cone, as impulses: moments over L.
func (s *Replay) momentResidual(k int, r, u *[3]float64, rho float64, a *multibody.Resistance) (off, cone float64) {
	x, l := &s.p.resistance, s.lengthOf(s.p.list[k])
	m, omega := x.m[k*x.n:(k+1)*x.n], s.meanSpins()[k*x.n:(k+1)*x.n]
	var block [3]float64 // of Jᵀ S J
	s.spinMobility(&block, k)
	normal := max(0, r[0]-rho*u[0])
	disc := func(arm float64, force, speed []float64, step float64) {
		past := 0.0
		for i := range force {
			past = math.Hypot(past, force[i]-step*speed[i])
		}
		radius, miss := arm*normal, 0.0
		for i := range force {
			x := force[i] - step*speed[i]
			if past > radius {
				x *= radius / past
			}
			miss = math.Hypot(miss, force[i]-x)
		}
		off, cone = max(off, miss/l), max(cone, (length(force)-arm*max(0, r[0]))/l)
	}
	step := func(list []float64) float64 {
		sum := 0.0
		for _, w := range list {
			sum += w / float64(len(list))
		}
		return 1 / sum
	}
	if x.n == 1 {
		disc(a.Rolling, m, omega, step(block[:1]))
		return off, cone
	}
	disc(a.Rolling, m[1:], omega[1:], step(block[1:]))
	if a.Drilling == 0 {
		disc(a.Spinning, m[:1], omega[:1], step(block[:1]))
		return off, cone
	}
	mu := lawMu(s.p.laws[k])
	disc(mu*l, []float64{r[1] * l, r[2] * l, m[0] / a.Drilling * l}, []float64{u[1], u[2], omega[0] * a.Drilling}, rho*l)
	return max(off, math.Abs(r[0]-normal)), cone
}

// spinMobility sets w to the diagonal of αJᵀSJ of contact k.
func (s *Replay) spinMobility(w *[3]float64, k int) {
	p, x := &s.p, &s.p.resistance
	for _, part := range p.part[p.ptr[k]:p.ptr[k+1]] {
		for _, share := range p.share[p.from[k]:p.from[k+1]] {
			for r := 0; r < part.n && share.comp == part.comp; r++ {
				for d := range x.n {
					w[d] += p.alpha * x.h[(part.at/p.dim+r)*x.n+d] * x.y[(share.at/p.dim+part.local+r)*x.n+d]
				}
			}
		}
	}
}

// judgeMoments takes what a contact is off by.
func (s *Replay) judgeMoments(f *Finding, key uint64, off, cone float64) {
	if off > f.Law {
		f.Law, f.LawAt = off, key
	}
	if off > f.Few {
		f.Few, f.FewAt = off, key
	}
	if cone > f.Cone {
		f.Cone, f.ConeAt = cone, key
	}
}
