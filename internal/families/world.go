package families

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// ground is the number of what does not move.
const ground = -1

// world collects rigid bodies, contacts and joints, in the plane z = 0 if dim is 2.
type world struct {
	dim     int
	g       *generator
	down    vec3 // direction of gravity
	bodies  []body
	touches []touch
	joints  []joint
}

// body is a rigid body at the moment of the step.
type body struct {
	mass    float64
	inertia [9]float64 // about the centre, in the frame of the world
	centre  vec3
	force   vec3    // beside gravity [N]
	torque  float64 // about the normal of the plane [N m], in the plane alone
}

// touch is a contact of body a with b, or the ground.
type touch struct {
	a, b          int
	point, normal vec3 // the normal points from b to a
	gap           float64
}

// joint holds a point of a and b together.
type joint struct {
	a, b  int
	point vec3
}

func newWorld(g *generator, dim int) *world {
	w := &world{dim: dim, g: g, down: vec3{0, 0, -1}}
	if dim == 2 {
		w.down = vec3{0, -1, 0}
	}
	return w
}

// add returns the number of a new body.
func (w *world) add(b body) int {
	w.bodies = append(w.bodies, b)
	return len(w.bodies) - 1
}

// addBox adds a box of the given edges, axes along those of the world.
func (w *world) addBox(mass float64, centre, edges vec3) int {
	x, y, z := edges[0]*edges[0], edges[1]*edges[1], edges[2]*edges[2]
	k := mass / 12
	return w.add(body{mass: mass, centre: centre, inertia: [9]float64{k * (y + z), 0, 0, 0, k * (x + z), 0, 0, 0, k * (x + y)}})
}

// addBall adds a sphere, or in the plane a disc.
func (w *world) addBall(density, radius float64, centre vec3) int {
	mass, k := density*4/3*pi*radius*radius*radius, 0.4
	if w.dim == 2 {
		mass, k = density*pi*radius*radius, 0.5
	}
	k *= mass * radius * radius
	return w.add(body{mass: mass, centre: centre, inertia: [9]float64{k, 0, 0, 0, k, 0, 0, 0, k}})
}

// addRod adds a cylinder with its axis along the unit vector e.
func (w *world) addRod(density, radius, length float64, centre, e vec3) int {
	m := density * pi * radius * radius * length
	across, along := m*(3*radius*radius+length*length)/12, m*radius*radius/2
	b := body{mass: m, centre: centre}
	for i := range 3 {
		for j := range 3 {
			b.inertia[3*i+j] = (along - across) * e[i] * e[j]
		}
		b.inertia[4*i] += across
	}
	return w.add(b)
}

const pi = 3.14159265358979323846

// touch notes a closed contact.
func (w *world) touch(a, b int, point, normal vec3) {
	w.touches = append(w.touches, touch{a: a, b: b, point: point, normal: normal})
}

// patch notes the contacts at the corners of a rectangle with half edges s, t.
func (w *world) patch(a, b int, centre, normal, s, t vec3) {
	for _, i := range [...]float64{-1, 1} {
		for _, j := range [...]float64{-1, 1} {
			w.touch(a, b, centre.plus(s.scale(i)).plus(t.scale(j)), normal)
		}
	}
}

// dofs returns the degrees of freedom of a body.
func (w *world) dofs() int { return 3 * (w.dim - 1) }

// problem assembles the step.
func (w *world) problem() *contact.Global {
	nv, nc := w.dofs()*len(w.bodies), len(w.touches)
	p := &contact.Global{M: w.mass(), F: make([]float64, nv), W: make([]float64, w.dim*nc), Laws: make([]contact.Law, nc),
		H: &contact.Jacobian{Dim: w.dim, Rows: nv, Ptr: []int{0}}}
	w.impulses(p)
	for j, t := range w.touches {
		w.addContact(p.H, &t)
		p.W[w.dim*j] = t.gap / timeStep
		p.Laws[j] = contact.Coulomb{Mu: w.g.mu}
	}
	if len(w.joints) > 0 {
		w.addJoints(p)
	}
	return p
}

// mass is block diagonal.
func (w *world) mass() *sparse.Sym {
	d := w.dofs()
	b := sparse.NewBuilder(d * len(w.bodies))
	for i := range w.bodies {
		if w.dim == 3 {
			b.Add(d*i+4, d*i+3)
			b.Add(d*i+5, d*i+3)
			b.Add(d*i+5, d*i+4)
		}
	}
	m := b.Build()
	for i := range w.bodies {
		b, at := &w.bodies[i], d*i
		for k := range w.dim {
			m.AddAt(at+k, at+k, b.mass)
		}
		if w.dim == 2 {
			m.AddAt(at+2, at+2, b.inertia[8])
			continue
		}
		for r := range 3 {
			for c := range r + 1 {
				m.AddAt(at+3+r, at+3+c, b.inertia[3*r+c])
			}
		}
	}
	return m
}

// impulses sets f = M v0 + h(m g + force).
func (w *world) impulses(p *contact.Global) {
	d, v := w.dofs(), make([]float64, len(p.F))
	fall := w.g.speed * gravity * timeStep
	for i := range w.bodies {
		b := &w.bodies[i]
		for k := range w.dim {
			v[d*i+k] = fall * w.g.deviate()
		}
		radius := gyration(b, w.dim)
		for k := w.dim; k < d; k++ {
			v[d*i+k] = fall / radius * w.g.deviate()
		}
	}
	p.M.MulVec(p.F, v)
	for i := range w.bodies {
		b := &w.bodies[i]
		for k := range w.dim {
			p.F[d*i+k] += timeStep * (b.mass*gravity*w.down[k] + b.force[k])
		}
		if w.dim == 2 {
			p.F[d*i+2] += timeStep * b.torque
		}
	}
}

// gyration is a length that makes angular velocities comparable.
func gyration(b *body, dim int) float64 {
	if dim == 2 {
		return math.Sqrt(b.inertia[8] / b.mass)
	}
	return math.Sqrt((b.inertia[0] + b.inertia[4] + b.inertia[8]) / (3 * b.mass))
}

// addContact appends the rows of H that contact t touches: u = frame·(v + ω×arm).
func (w *world) addContact(h *contact.Jacobian, t *touch) {
	axes := w.axes(t.normal)
	w.addEnd(h, t.a, t.point, axes, 1)
	if t.b != ground {
		w.addEnd(h, t.b, t.point, axes, -1)
	}
	h.Ptr = append(h.Ptr, len(h.Row))
}

// axes returns n, t and, in space, o.
func (w *world) axes(n vec3) []vec3 {
	if w.dim == 2 {
		return []vec3{n, {-n[1], n[0], 0}}
	}
	t, o := frame(n)
	return []vec3{n, t, o}
}

func (w *world) addEnd(h *contact.Jacobian, i int, point vec3, axes []vec3, sign float64) {
	arm, at := point.minus(w.bodies[i].centre), w.dofs()*i
	for k := range w.dim {
		h.Row = append(h.Row, at+k)
		for _, e := range axes {
			h.Val = append(h.Val, sign*e[k])
		}
	}
	for k := w.dim; k < w.dofs(); k++ {
		h.Row = append(h.Row, at+k)
		c := k - 3
		if w.dim == 2 {
			c = 2
		}
		for _, e := range axes {
			h.Val = append(h.Val, sign*arm.cross(e)[c])
		}
	}
}

// addJoints makes three columns of G a joint, two in the plane.
func (w *world) addJoints(p *contact.Global) {
	axes := []vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}[:w.dim]
	h := &contact.Jacobian{Dim: w.dim}
	p.G = &contact.Columns{Rows: len(p.F), Ptr: []int{0}}
	for _, j := range w.joints {
		h.Row, h.Val = h.Row[:0], h.Val[:0]
		w.addEnd(h, j.a, j.point, axes, 1)
		if j.b != ground {
			w.addEnd(h, j.b, j.point, axes, -1)
		}
		for k := range w.dim {
			for e, row := range h.Row {
				if v := h.Val[w.dim*e+k]; v != 0 {
					p.G.Row, p.G.Val = append(p.G.Row, row), append(p.G.Val, v)
				}
			}
			p.G.Ptr = append(p.G.Ptr, len(p.G.Row))
		}
	}
	p.B = make([]float64, p.G.Cols())
}

// sortTouches puts contacts in the order of their bodies, then as they came.
func (w *world) sortTouches() {
	slices.SortStableFunc(w.touches, func(s, t touch) int {
		if s.a != t.a {
			return s.a - t.a
		}
		return s.b - t.b
	})
}
