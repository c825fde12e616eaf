package assembly

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A node says how joints slide and which contacts are closed; at the root nothing.
type node struct {
	normal []normal // of each contact
	along  []along  // of each joint
}

type normal int

const (
	loose  normal = iota // r_N ≥ 0, u_N ≥ 0
	shut                 // u_N = 0
	opened               // r = 0
)

func (n *node) clone() *node { return &node{slices.Clone(n.normal), slices.Clone(n.along)} }

// The search asks for a motion from rest that is one of Coulomb's law: v ≠ 0, r, τ > 0 with
//
//	M v = τ f + H r,   u = Hᵀv,   each contact in a mode of the law
//
// (a = v/τ is an acceleration; the law at rest is homogeneous). Its power is
//
//	vᵀM v = τ f·v + Σ r·u = τ f·v − Σ μ r_N ‖u_T‖
//
// so that f·v > 0, and v may be scaled to f·v = 1: the assembly is strongly stable, in the sense
// of Pang and Trinkle, if and only if no combination of modes has a solution with f·v = 1. Where
// nothing is said of a contact, r ∈ K and u_N ≥ 0 are asked for only; where its joint slides within a cone, the
// hull of the arc of directions (joints.go); and always vᵀM v ≤ τ (a cone for each block). That is a conic program
// without objective: a Farkas vector closes a node with all that lies below it.
type search struct {
	s       *statics
	f       []float64
	fRoot   []float64      // L⁻¹f, with M = L Lᵀ by blocks
	hRoot   [][3][]float64 // L⁻¹H, of each contact in its rows
	n       int
	until   time.Time
	nodes   int
	closed  int  // by a checked Farkas vector
	missed  bool // a leaf that is neither closed nor a solution
	found   *Motion
	joints  []joint
	jointOf []int // of each contact
}

// Motion is a motion from rest by Coulomb's law.
type Motion struct {
	Accelerations []float64 // in units of the assembly: of blocks, at their centroids
	Reactions     []float64
	Residual      float64 // of the equations of motion and of the law, relative to the loads
}

func newSearch(s *statics, f []float64, limit time.Duration) *search {
	d := &search{s: s, f: f, n: s.dim * len(s.contacts), until: time.Now().Add(limit), fRoot: s.root(f)}
	d.joints, d.jointOf = s.newJoints(), make([]int, len(s.contacts))
	column := make([]float64, s.nv)
	for j := range s.contacts {
		c := &s.contacts[j]
		var roots [3][]float64
		for e := range s.dim {
			for k, row := range c.rows {
				column[row] = c.cols[e][k]
			}
			for b := 0; b < len(c.rows); b += s.per {
				at := c.rows[b]
				roots[e] = append(roots[e], s.rootOf(at/s.per, column[at:at+s.per])...)
			}
		}
		d.hRoot = append(d.hRoot, roots)
	}
	for k := range d.joints {
		d.joints[k].setRoots(s.dim, d.hRoot)
		for _, j := range d.joints[k].corners {
			d.jointOf[j] = k
		}
	}
	return d
}

// root returns L⁻¹x with M = L Lᵀ, so that its square is xᵀM⁻¹x.
func (s *statics) root(x []float64) []float64 {
	var y []float64
	for b := range s.mass {
		y = append(y, s.rootOf(b, x[b*s.per:(b+1)*s.per])...)
	}
	return y
}

func (s *statics) rootOf(block int, x []float64) []float64 {
	var l [36]float64
	n, m := s.per, s.mass[block]
	y := slices.Clone(x)
	for i := range n {
		for k := range i + 1 {
			sum := m[i*n+k]
			for h := range k {
				sum -= l[i*n+h] * l[k*n+h]
			}
			if i == k {
				l[i*n+i] = math.Sqrt(sum)
			} else {
				l[i*n+k] = sum / l[k*n+k]
			}
		}
		for h := range i {
			y[i] -= l[i*n+h] * y[h]
		}
		y[i] /= l[i*n+i]
	}
	return y
}

// run goes through the tree; done says that no node was left because of the limit.
func (d *search) run(ctx context.Context) (done bool, err error) {
	limited, cancel := context.WithDeadline(ctx, d.until)
	defer cancel()
	stack := []*node{{make([]normal, len(d.s.contacts)), make([]along, len(d.joints))}}
	for len(stack) > 0 && d.found == nil {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children, err := d.visit(limited, n)
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case limited.Err() != nil:
			return false, nil
		case err != nil:
			return false, err
		}
		slices.Reverse(children) // the likeliest first
		stack = append(stack, children...)
	}
	return true, nil
}

// visit closes a node, finds a motion in it, or returns its children.
func (d *search) visit(ctx context.Context, n *node) ([]*node, error) {
	d.nodes++
	p, columns := d.program(n, nil)
	r, err := conic.Solve(ctx, p, &conic.Options{Tolerance: 1e-9, Enough: 1e-8})
	if err != nil {
		return nil, err
	}
	if r.Status == conic.Infeasible && p.RayViolation(r.Y) < 1e-8 {
		d.closed++
		return nil, nil
	}
	if r.X == nil {
		return d.divide(n, nil, nil), nil
	}
	tau, rho := d.read(r.X, columns)
	v, u := d.follow(tau, rho)
	if d.found = d.s.motionOf(d.f, v, rho, tau); d.found != nil {
		return nil, nil
	}
	if d.found, err = d.polish(ctx, n, u); d.found != nil || err != nil {
		return nil, err
	}
	if r.Status != conic.Optimal {
		return d.divide(n, nil, nil), nil
	}
	return d.divide(n, u, rho), nil
}

func (d *search) read(x []float64, columns []generator) (tau float64, rho []float64) {
	rho = make([]float64, d.n)
	for k, g := range columns {
		switch {
		case g.contact == -1:
			tau = x[k]
		case g.contact >= 0:
			for e := range d.s.dim {
				rho[g.contact*d.s.dim+e] += x[k] * g.weight[e]
			}
		}
	}
	return tau, rho
}

// follow returns v = M⁻¹(τ f + H ρ) and u.
func (d *search) follow(tau float64, rho []float64) (v, u []float64) {
	load := make([]float64, d.s.nv)
	for i := range load {
		load[i] = tau * d.f[i]
	}
	d.s.resultant(load, rho)
	v, u = make([]float64, d.s.nv), make([]float64, d.n)
	d.s.blockwise(v, d.s.inverse, load)
	d.s.motion(u, v)
	return v, u
}

// gap is r·u + μ r_N‖u_T‖ ≥ 0 for r ∈ K and u_N ≥ 0, and zero only by Coulomb's law: the
// bipotential of de Saxcé.
func gap(dim int, mu float64, r, u []float64) float64 {
	sum, slip := 0., 0.
	for e := range dim {
		sum += r[e] * u[e]
		if e > 0 {
			slip = math.Hypot(slip, u[e])
		}
	}
	return sum + mu*r[0]*slip
}

// polish looks for the largest motion (least τ) of a node whose contacts are all decided. In space,
// directions of slip in narrow sectors are held, and then those of the motion found, until they stay.
func (d *search) polish(ctx context.Context, n *node, u []float64) (*Motion, error) {
	sectors, rounds := d.sectors(n), 1
	for j, c := range sectors {
		switch {
		case n.normal[j] == loose:
			return nil, nil
		case n.normal[j] == opened || d.s.contacts[j].mu == 0 || n.along[d.jointOf[j]].kind == still:
			continue
		case !c.known || c.to-c.from > .6: // 34°: after two halvings
			return nil, nil
		case c.to > c.from:
			rounds = 20
		}
	}
	for range rounds {
		held := map[int][2]float64{}
		for j, c := range sectors {
			if c.to == c.from {
				continue
			}
			if x, y := u[3*j+1], u[3*j+2]; math.Hypot(x, y) > 0 {
				held[j] = [2]float64{x / math.Hypot(x, y), y / math.Hypot(x, y)}
			}
		}
		p, columns := d.program(n, held)
		p.C[0] = 1
		r, err := conic.Solve(ctx, p, &conic.Options{Tolerance: 1e-12, Enough: 1e-6})
		if err != nil || r.Status != conic.Optimal {
			return nil, err
		}
		tau, rho := d.read(r.X, columns)
		var v []float64
		v, u = d.follow(tau, rho)
		if m := d.s.motionOf(d.f, v, rho, tau); m != nil {
			return m, nil
		}
	}
	return nil, nil
}

// motionOf reads a motion and checks it, by the data alone: equations of motion, cones and gaps of
// the law; nil if nothing moves by it.
func (s *statics) motionOf(f, v, rho []float64, tau float64) *Motion {
	if !(tau > 0) {
		return nil
	}
	m := &Motion{Accelerations: slices.Clone(v), Reactions: slices.Clone(rho)}
	for i := range m.Accelerations {
		m.Accelerations[i] /= tau
	}
	for i := range m.Reactions {
		m.Reactions[i] /= tau
	}
	u := make([]float64, len(rho))
	s.motion(u, m.Accelerations)
	rest := slices.Clone(f)
	s.resultant(rest, m.Reactions)
	inertia := make([]float64, s.nv)
	s.blockwise(inertia, s.mass, m.Accelerations)
	for i := range rest {
		m.Residual = max(m.Residual, math.Abs(rest[i]-inertia[i]))
	}
	power := product(f, m.Accelerations)
	for j := range s.contacts {
		r, w := m.Reactions[j*s.dim:(j+1)*s.dim], u[j*s.dim:(j+1)*s.dim]
		mu, slip := s.contacts[j].mu, 0.
		for e := 1; e < s.dim; e++ {
			slip = math.Hypot(slip, r[e])
		}
		m.Residual = max(m.Residual, -w[0], -r[0], slip-mu*r[0], math.Abs(gap(s.dim, mu, r, w))/max(power, 1e-300))
	}
	// An acceleration of which the residuals could be the cause is none.
	if !(m.Residual < 1e-7) || !(largest(m.Accelerations) > 1e3*m.Residual) || !(power > 1e3*m.Residual*m.Residual) {
		return nil
	}
	return m
}
