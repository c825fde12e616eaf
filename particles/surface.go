package particles

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Grid is a rectangular grid of particles on a flat surface: Particles[x + y·NX] is
// at the centre of cell (x, y).
type Grid struct {
	Particles []int
	NX, NY    int
	DX, DY    float64 // sides of a cell [m]
}

// Surface is the elastic energy of half-spaces under patches of a grid:
//
//	E = ½ (d − D(t))ᵀ K (d − D(t)),  K = C⁻¹,  d_{3k+c} = x_{3p_k+c} − X_{3k+c}
//
// with reference positions X, which hold the undeformed profile, and a rigid
// motion D(t) of the body far away from the contact: DE are the forces on the
// patches. Coordinates t, o, n are x, y, z: the obstacle is a floor.
//
// C is that of Compliance; translation invariance leaves one block of it for each
// difference of cells. Directions that do not couple are stored and inverted
// apart: for similar bodies (D = 0) the normal one, for ν = 0 too (B = 0) all
// three, with one K. D²E is constant and dense within a group.
type Surface struct {
	grid    Grid
	ref     []float64
	motion  Path // three components, or nil
	groups  []group
	scratch sync.Pool // *[]float64 of three vectors of the largest group
}

// group is a set of components with their stiffness, order m·len(comps).
type group struct {
	comps []int
	k     blas64.Symmetric
}

var (
	_ Energy          = (*Surface)(nil)
	_ ConstantHessian = (*Surface)(nil)
	_ Breaker         = (*Surface)(nil)
	_ Validator       = (*Surface)(nil)
)

// NewSurface takes the grid, the reference positions (flat, in the order of the
// particles), the rigid motion (nil: none), the compliance and its kind. It fails
// if C is not positive definite. It costs a dense inversion of each group.
func NewSurface(g Grid, ref []float64, motion Path, c Compliance, kind Influence) (*Surface, error) {
	e := &Surface{grid: g, ref: append([]float64(nil), ref...), motion: motion}
	if err := e.check(c, kind); err != nil {
		return nil, fmt.Errorf("particles: surface: %w", err)
	}
	if err := e.invert(c, kind); err != nil {
		return nil, fmt.Errorf("particles: surface: %w", err)
	}
	return e, nil
}

func (e *Surface) check(c Compliance, kind Influence) error {
	g := &e.grid
	switch {
	case g.NX < 1 || g.NY < 1 || len(g.Particles) != g.NX*g.NY:
		return fmt.Errorf("%d particles for %d×%d cells", len(g.Particles), g.NX, g.NY)
	case !(g.DX > 0 && g.DY > 0) || math.IsInf(g.DX, 1) || math.IsInf(g.DY, 1):
		return fmt.Errorf("cells of %v×%v m", g.DX, g.DY)
	case len(e.ref) != 3*g.NX*g.NY:
		return fmt.Errorf("%d reference coordinates for %d particles", len(e.ref), g.NX*g.NY)
	case kind != UniformPatches && kind != PointLoads:
		return fmt.Errorf("unknown influence %d", int(kind))
	case kind == PointLoads && g.DX != g.DY:
		return errors.New("point loads need square cells")
	case !(c.A > 0) || !finite3([3]float64{c.A, c.B, c.D}):
		return fmt.Errorf("compliance %v is not positive", c)
	}
	for k, v := range e.ref {
		if !finite(v) {
			return fmt.Errorf("reference coordinate %d is %v", k, v)
		}
	}
	seen := make(map[int]bool, len(g.Particles))
	for _, p := range g.Particles {
		if seen[p] {
			return fmt.Errorf("particle %d is in two cells", p)
		}
		seen[p] = true
	}
	if e.motion != nil {
		return e.motion.Validate(3)
	}
	return nil
}

// invert builds C of each group and stores its inverse.
func (e *Surface) invert(c Compliance, kind Influence) error {
	split := [][]int{{0, 1, 2}}
	switch {
	case c.B == 0 && c.D == 0:
		split = [][]int{{0}, {1}, {2}}
	case c.D == 0:
		split = [][]int{{0, 1}, {2}}
	}
	table := e.table(c, kind)
	for i, comps := range split {
		if i > 0 && len(split) == 3 && (i == 1 || kind == UniformPatches) { // the same C
			e.groups = append(e.groups, group{comps, e.groups[0].k})
			continue
		}
		k, err := e.inverse(table, comps)
		if err != nil {
			return err
		}
		e.groups = append(e.groups, group{comps, k})
	}
	return nil
}

// table holds the blocks of C by difference of cells, (2NX−1)×(2NY−1), for forces.
func (e *Surface) table(c Compliance, kind Influence) [][9]float64 {
	g := &e.grid
	wide, influence := 2*g.NX-1, kind.of(c)
	t := make([][9]float64, wide*(2*g.NY-1))
	for y := range 2*g.NY - 1 {
		for x := range wide {
			dx, dy := float64(x-g.NX+1)*g.DX, float64(y-g.NY+1)*g.DY
			b := influence.Block(dx, dy, g.DX, g.DY)
			for k := range b {
				b[k] /= g.DX * g.DY
			}
			t[x+y*wide] = b
		}
	}
	return t
}

// inverse assembles C of a group of components and inverts it.
func (e *Surface) inverse(table [][9]float64, comps []int) (blas64.Symmetric, error) {
	g, w := &e.grid, len(comps)
	m := g.NX * g.NY
	c := mat.NewSymDense(w*m, nil)
	for i := range m {
		for j := range m {
			dx, dy := i%g.NX-j%g.NX+g.NX-1, i/g.NX-j/g.NX+g.NY-1
			b := &table[dx+dy*(2*g.NX-1)]
			for p, r := range comps {
				for q, s := range comps {
					if w*i+p <= w*j+q {
						c.SetSym(w*i+p, w*j+q, b[3*r+s])
					}
				}
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		return blas64.Symmetric{}, errors.New("the compliance is not positive definite")
	}
	if err := chol.InverseTo(c); err != nil {
		var ill mat.Condition
		if !errors.As(err, &ill) {
			return blas64.Symmetric{}, err
		}
	}
	return c.RawSymmetric(), nil
}

// Validate checks the numbers of the particles.
func (e *Surface) Validate(particles int) error {
	for _, p := range e.grid.Particles {
		if p < 0 || p >= particles {
			return fmt.Errorf("particle %d is not one of the %d particles", p, particles)
		}
	}
	return nil
}

// ConstantHessian returns true.
func (e *Surface) ConstantHessian() bool { return true }

// Breaks appends the kinks of the rigid motion.
func (e *Surface) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.motion.Breaks(dst, t0, t1)
}

// TimeBound adds bounds of |K||D^(k)|.
func (e *Surface) TimeBound(dst []float64, k int) bool {
	if e.motion == nil {
		return true
	}
	m := motion{path: e.motion, moving: true}
	b, ok := m.bound(k)
	if !ok || b == (vec{}) {
		return ok
	}
	limit := b.array()
	for n := range e.groups {
		g := &e.groups[n]
		w := len(g.comps)
		for i := range g.k.N {
			for j := range g.k.N {
				dst[e.dof(g, i)] += math.Abs(g.k.Data[min(i, j)*g.k.Stride+max(i, j)]) * limit[g.comps[j%w]]
			}
		}
	}
	return true
}

// Grid returns the grid; the caller must not change its particles.
func (e *Surface) Grid() Grid { return e.grid }

// Pattern declares the entries of the groups.
func (e *Surface) Pattern(p *Pattern) {
	e.each(func(g *group, i, j, a, b int) { p.Add(a, b) })
}

// Hessian adds K.
func (e *Surface) Hessian(h *Hessian, _ float64, _ []float64) {
	e.each(func(g *group, i, j, a, b int) { h.Add(a, b, g.k.Data[i*g.k.Stride+j]) })
}

// each visits the upper triangle of every group: rows i <= j of K, dofs a and b.
func (e *Surface) each(visit func(g *group, i, j, a, b int)) {
	for n := range e.groups {
		g := &e.groups[n]
		for i := range g.k.N {
			for j := i; j < g.k.N; j++ {
				visit(g, i, j, e.dof(g, i), e.dof(g, j))
			}
		}
	}
}

func (e *Surface) dof(g *group, i int) int {
	w := len(g.comps)
	return 3*e.grid.Particles[i/w] + g.comps[i%w]
}

// stretch returns d − D(t) of a group.
func (e *Surface) stretch(dst []float64, g *group, t float64, x []float64) {
	w := len(g.comps)
	for i := range dst {
		c := g.comps[i%w]
		dst[i] = x[e.dof(g, i)] - e.ref[3*(i/w)+c]
		if e.motion != nil {
			dst[i] -= e.motion[c].At(t)
		}
	}
}

// shift sets dst to Ḋ(t) of a group and reports whether it moves.
func (e *Surface) shift(dst []float64, g *group, t float64) bool {
	if e.motion == nil {
		return false
	}
	moves := false
	w := len(g.comps)
	for i := range dst {
		dst[i] = e.motion[g.comps[i%w]].Rate(t)
		moves = moves || dst[i] != 0
	}
	return moves
}

func (g *group) times(dst, x []float64) {
	blas64.Symv(1, g.k, blas64.Vector{N: len(x), Inc: 1, Data: x}, 0, blas64.Vector{N: len(dst), Inc: 1, Data: dst})
}

// Value returns ½(d−D)ᵀK(d−D) and −ḊᵀK(d−D).
func (e *Surface) Value(t float64, x []float64) (energy, rate float64) {
	mem := e.memory()
	defer e.scratch.Put(mem)
	for n := range e.groups {
		g := &e.groups[n]
		u, f, v := g.vectors(*mem)
		e.stretch(u, g, t, x)
		g.times(f, u)
		moves := e.shift(v, g, t)
		for i, fi := range f {
			energy += fi * u[i] / 2
			if moves {
				rate -= fi * v[i]
			}
		}
	}
	return energy, rate
}

// Gradient adds K(d−D) and −KḊ.
func (e *Surface) Gradient(grad, rate []float64, t float64, x []float64) {
	mem := e.memory()
	defer e.scratch.Put(mem)
	for n := range e.groups {
		g := &e.groups[n]
		u, f, _ := g.vectors(*mem)
		if grad != nil {
			e.stretch(u, g, t, x)
			g.times(f, u)
			for i, fi := range f {
				grad[e.dof(g, i)] += fi
			}
		}
		if rate != nil && e.shift(u, g, t) {
			g.times(f, u)
			for i, fi := range f {
				rate[e.dof(g, i)] -= fi
			}
		}
	}
}

// memory returns scratch vectors, so that evaluation allocates nothing and stays
// safe for concurrent use.
func (e *Surface) memory() *[]float64 {
	if m, ok := e.scratch.Get().(*[]float64); ok {
		return m
	}
	m := make([]float64, 9*e.grid.NX*e.grid.NY)
	return &m
}

func (g *group) vectors(mem []float64) (u, f, v []float64) {
	n := g.k.N
	return mem[:n], mem[n : 2*n], mem[2*n : 3*n]
}
