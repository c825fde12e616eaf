package fem_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/sparse"
)

// pressed is a block, held at its last side, loaded at others, whose bottom is arched above a floor at y = 0 and rubs on it.
type pressed struct {
	mesh      *fem.Mesh
	material  fem.Elastic
	body      [3]float64
	tractions map[string][3]float64
	top       []float64 // displacement of the top along the axes, and how much its last one grows along x
	contact   bool
	bear      func(x float64) float64 // the bound s of friction [Pa]; nil: μ times the pressure
	mu        float64
}

// solution is a state of it.
type solution struct {
	u, force []float64 // forces of the floor by dofs
	a        *sparse.Sym
	energy   float64 // J without friction
}

// system returns stiffness, loads, and the dofs that are prescribed with their values.
func (p *pressed) system(t *testing.T, m *fem.Mesh) (a *sparse.Sym, load []float64, value map[int]float64) {
	a, err := fem.Stiffness(m, p.material)
	if err != nil {
		t.Fatal(err)
	}
	load, value = make([]float64, len(m.X)), map[int]float64{}
	fem.BodyForce(load, m, p.material, p.body[:m.Dim])
	for name, g := range p.tractions {
		if err := fem.Traction(load, m, p.material, m.Groups[name], g[:m.Dim]); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range m.Groups["top"].Nodes() {
		for c := range m.Dim {
			value[m.Dim*i+c] = p.top[c]
		}
		value[m.Dim*i+m.Dim-1] += p.top[m.Dim] * m.Node(i)[0]
	}
	return a, load, value
}

// solve finds the state by its active sets: normals that are closed, tangents that stick or slip (plane).
func (p *pressed) solve(t *testing.T, m *fem.Mesh) *solution {
	a, load, value := p.system(t, m)
	s := &solution{u: make([]float64, a.N), force: make([]float64, a.N), a: a}
	bottom := m.Groups["bottom"].Nodes()
	closed, slips, most := map[int]bool{}, map[int]float64{}, map[int]float64{} // by node; slips 0: sticks
	if p.bear != nil {
		most = p.bounds(m)
	}
	for round := 0; ; round++ {
		if round == 200 {
			return nil
		}
		now, pull := map[int]float64{}, slices.Clone(load)
		for i, v := range value {
			now[i] = v
		}
		if p.contact {
			for _, i := range bottom {
				if closed[i] {
					now[2*i+1] = -m.Node(i)[1]
				}
				switch {
				case most[i] > 0 && slips[i] == 0:
					now[2*i] = 0
				case most[i] > 0:
					pull[2*i] -= most[i] * slips[i]
				}
			}
		}
		constrained(t, a, s.u, pull, now)
		a.MulVec(s.force, s.u)
		for i := range load {
			s.force[i] -= load[i]
		}
		changed := false
		for _, i := range bottom {
			if !p.contact {
				break
			}
			// 1e-12 of numbers about one: rounding
			if open := closed[i] && s.force[2*i+1] < -1e-12; open || !closed[i] && m.Node(i)[1]+s.u[2*i+1] < -1e-12 {
				closed[i], changed = !open, true
			}
			if p.bear == nil {
				before := most[i]
				if most[i] = 0; closed[i] {
					most[i] = p.mu * max(0, s.force[2*i+1])
				}
				changed = changed || math.Abs(most[i]-before) > 1e-10
			}
			switch x := s.force[2*i]; {
			case most[i] > 0 && slips[i] == 0 && math.Abs(x) > most[i]*(1+1e-9):
				slips[i], changed = -math.Copysign(1, x), true
			case slips[i] != 0 && s.u[2*i]*slips[i] < 0:
				slips[i], changed = 0, true
			}
		}
		if !changed {
			break
		}
	}
	au := make([]float64, a.N)
	a.MulVec(au, s.u)
	for i, x := range s.u {
		s.energy += x * (au[i]/2 - load[i])
	}
	return s
}

// bounds are ∫ s φ_i.
func (p *pressed) bounds(m *fem.Mesh) map[int]float64 {
	list, g := map[int]float64{}, m.Groups["bottom"]
	for k := 0; k < len(g.Elem); k += 2 {
		i, j := g.Elem[k], g.Elem[k+1]
		x, y := m.Node(i), m.Node(j)
		long := math.Hypot(x[0]-y[0], x[1]-y[1])
		list[i] += long * (p.bear(x[0])/3 + p.bear(y[0])/6)
		list[j] += long * (p.bear(x[0])/6 + p.bear(y[0])/3)
	}
	return list
}

// work is ∫ s|v| of a state, by the midpoint rule.
func (p *pressed) work(m *fem.Mesh, u []float64) (sum float64) {
	if p.bear == nil {
		return 0
	}
	g := m.Groups["bottom"]
	for k := 0; k < len(g.Elem); k += 2 {
		i, j := g.Elem[k], g.Elem[k+1]
		x, y := m.Node(i), m.Node(j)
		long := math.Hypot(x[0]-y[0], x[1]-y[1])
		for q := range 64 {
			f := (float64(q) + 0.5) / 64
			sum += long / 64 * p.bear(x[0]+f*(y[0]-x[0])) * math.Abs(u[2*i]+f*(u[2*j]-u[2*i]))
		}
	}
	return sum
}

// give fixes the bounds of friction at those of a state, linear between the nodes.
func (p *pressed) give(s *solution) {
	m := p.mesh
	bottom := m.Groups["bottom"].Nodes()
	slices.SortFunc(bottom, func(i, j int) int { return cmp.Compare(m.Node(i)[0], m.Node(j)[0]) })
	inside := map[int]bool{}
	for _, i := range bottom {
		inside[i] = true
	}
	share := m.SurfaceShares(p.material, inside)
	at := func(i int) float64 {
		if m.Node(i)[1]+s.u[2*i+1] > 1e-11 {
			return 0
		}
		return p.mu * max(0, s.force[2*i+1]) / share[i]
	}
	p.bear = func(x float64) float64 {
		k := 1
		for k < len(bottom)-1 && x > m.Node(bottom[k])[0] {
			k++
		}
		i, j := bottom[k-1], bottom[k]
		f := (x - m.Node(i)[0]) / (m.Node(j)[0] - m.Node(i)[0])
		return (1-f)*at(i) + f*at(j)
	}
}

// constrained solves A u = load where u is not prescribed.
func constrained(t *testing.T, a *sparse.Sym, u, load []float64, value map[int]float64) {
	clear(u)
	for i, v := range value {
		u[i] = v
	}
	right := make([]float64, len(u))
	a.MulVec(right, u)
	for i := range right {
		right[i] = load[i] - right[i]
	}
	b := *a
	b.Val = slices.Clone(a.Val)
	for c := range a.N {
		_, held := value[c]
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			if _, other := value[a.Row[k]]; a.Row[k] != c && (held || other) {
				b.Val[k] = 0
			}
		}
		if held {
			right[c] = 0
		}
	}
	f := factor.Analyse(&b, factor.Options{})
	if err := f.Refactor(&b); err != nil {
		t.Fatal(err)
	}
	d := make([]float64, len(u))
	f.Solve(d, right)
	for i := range u {
		u[i] += d[i]
	}
}

// bound is that of a state.
func (p *pressed) bound(t *testing.T, s *solution) fem.ErrorBound {
	b, x := p.prepared(t, s)
	e, err := b.At(x)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// prepared is a bound with a state.
func (p *pressed) prepared(t *testing.T, s *solution) (*fem.Bound, *fem.BoundState) {
	m := p.mesh
	o := fem.BoundOptions{Mesh: m, Material: p.material}
	x := fem.BoundState{U: s.u, BodyForce: p.body}
	for _, i := range m.Groups["top"].Nodes() {
		for c := range m.Dim {
			o.Held = append(o.Held, m.Dim*i+c)
		}
	}
	for name, g := range p.tractions {
		o.Tractions, x.Tractions = append(o.Tractions, m.Groups[name]), append(x.Tractions, g)
	}
	if p.contact {
		o.Contact = append(o.Contact, m.Groups["bottom"])
		for _, i := range m.Groups["bottom"].Nodes() {
			n := fem.BoundNode{Node: i, Gap: max(0, m.Node(i)[1]+s.u[2*i+1]), Axis: [3]float64{0, 1}, Slip: [3]float64{s.u[2*i]}}
			if n.Gap < 1e-11 {
				n.Gap, n.Normal = 0, max(0, s.force[2*i+1])
			}
			if p.mu > 0 && n.Gap == 0 {
				n.Friction = [3]float64{s.force[2*i]}
				n.Most = max(p.mu*n.Normal, math.Abs(n.Friction[0]))
			}
			x.Contact = append(x.Contact, n)
		}
	}
	b, err := fem.NewBound(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return b, &x
}

// randomBody is a block of some cells of a random shape, its bottom arched if it touches.
func randomBody(r *rand.Rand, dim, cells int, kind fem.Kind) *pressed {
	box := fem.Box{Kind: kind, Corner: make([]float64, dim), Size: make([]float64, dim)}
	for c := range dim {
		box.Size[c] = 0.5 + r.Float64()
		box.Cells = append(box.Cells, cells+r.IntN(2))
	}
	m, err := box.Mesh()
	if err != nil {
		panic(err)
	}
	p := &pressed{mesh: m, material: fem.Elastic{Young: 1, Poisson: 0.45 * r.Float64()},
		tractions: map[string][3]float64{}, top: make([]float64, dim+1)}
	if dim == 2 && r.IntN(2) == 0 {
		p.material.Kinematics = fem.PlaneStress
	}
	size := 0.02
	for c := range dim {
		p.body[c] = size * r.NormFloat64()
	}
	for _, name := range []string{"left", "right"} {
		p.tractions[name] = [3]float64{size * r.NormFloat64(), size * r.NormFloat64(), size * r.NormFloat64()}
	}
	return p
}

// touch arches the bottom, and presses and drags the block.
func (p *pressed) touch(r *rand.Rand, mu float64) {
	p.contact, p.mu = true, mu
	m, middle, arch := p.mesh, r.Float64(), 0.1*r.Float64()
	if m.Kind == fem.Q1 {
		arch = 0 // rectangles stay what they are
	}
	height := m.Node(m.NumNodes() - 1)[1]
	for i := range m.NumNodes() {
		x := m.Node(i)
		x[1] += arch * (x[0] - middle) * (x[0] - middle) * (1 - x[1]/height)
	}
	p.top = []float64{0.1 * r.NormFloat64(), -0.05 - 0.1*r.Float64(), 0.05 * r.NormFloat64()}
}

func (p *pressed) refined(t *testing.T, times int) *fem.Mesh {
	m := p.mesh
	for range times {
		var err error
		if m, err = m.Refined(); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// TestBound: the bound is not below what a much finer mesh says of the error, and not far above: the theorem of Prager
// and Synge, and that with contact.
func TestBound(t *testing.T) {
	thorough.Seconds(t)
	problems, times := 8, 3
	if thorough.Asked() {
		problems, times = 200, 4
	}
	for name, c := range map[string]struct {
		dim     int
		kind    fem.Kind
		contact bool
		mu      float64
		most    float64 // of the median: the stress of P2 is linear too, and errs as much
	}{"plane": {2, fem.P1, false, 0, 3}, "contact": {2, fem.P1, true, 0, 3}, "friction": {2, fem.P1, true, 0.3, 3},
		"quadratic":  {2, fem.P2, false, 0, 9},
		"rectangles": {2, fem.Q1, false, 0, 3}, "rectangles in contact": {2, fem.Q1, true, 0, 3}, "space": {3, fem.P1, false, 0, 3}} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(15, uint64(len(name))))
			var ratios []float64
			problems, times := problems, times
			if c.dim == 3 || c.kind == fem.P2 {
				problems, times = (problems+7)/8, 2
			}
			for range problems {
				p := randomBody(r, c.dim, 6-c.dim, c.kind)
				if c.contact {
					p.touch(r, c.mu)
				}
				s := p.solve(t, p.mesh)
				if s != nil && c.mu > 0 {
					p.give(s)
				}
				m := p.refined(t, times)
				fine := p.solve(t, m)
				if s == nil || fine == nil {
					t.Log("active sets do not settle")
					continue
				}
				e, off := p.bound(t, s), s.energy+p.work(p.mesh, s.u)-fine.energy-p.work(m, fine.u)
				if !(e.Off() >= math.Abs(off)) {
					t.Errorf("the bound %g is below the error %g of %g", e.Off(), off, s.energy)
				}
				ratios = append(ratios, e.Off()/math.Abs(off))
			}
			slices.Sort(ratios)
			t.Logf("bound over error of the energy: median %.3g, %.3g to %.3g", ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1])
			if !(ratios[len(ratios)/2] <= c.most) || len(ratios) < problems-problems/4 {
				t.Errorf("median %g of %d problems", ratios[len(ratios)/2], len(ratios))
			}
		})
	}
}

// TestBoundOfColumn: of a column between smooth walls that settles by its weight the exact stress is linear, and of all
// stresses the bound takes the best: it is the error. Exactly, u = −g/(λ+2μ) (H y − y²/2), and J = −g² A H³/6(λ+2μ).
func TestBoundOfColumn(t *testing.T) {
	for _, dim := range []int{2, 3} {
		for _, kind := range []fem.Kind{fem.P1, fem.P2} {
			const g, height, young = 3.0, 2.0, 2e11
			box := fem.Box{Kind: kind, Corner: []float64{0, 0, 0}[:dim], Size: []float64{1, 1, 1}[:dim], Cells: []int{2, 2, 2}[:dim]}
			box.Size[dim-1] = height
			m, err := box.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			e := fem.Elastic{Young: young, Poisson: 0.3}
			lambda, mu := e.Lame(dim)
			a, err := fem.Stiffness(m, e)
			if err != nil {
				t.Fatal(err)
			}
			s := fem.BoundState{U: make([]float64, a.N)}
			s.BodyForce[dim-1] = -g
			load, value := make([]float64, a.N), map[int]float64{}
			fem.BodyForce(load, m, e, s.BodyForce[:dim])
			o := fem.BoundOptions{Mesh: m, Material: e}
			for c, names := range [][]string{{"left", "right"}, {"front", "back"}, {"bottom"}} {
				if dim == 2 && c > 0 {
					names = [][]string{{"bottom"}, nil}[c-1]
				}
				for _, name := range names {
					for _, i := range m.Groups[name].Nodes() {
						o.Held, value[dim*i+c] = append(o.Held, dim*i+c), 0
					}
				}
			}
			constrained(t, a, s.U, load, value)
			energy := 0.0
			for i, u := range s.U {
				energy -= u * load[i] / 2
			}
			b, err := fem.NewBound(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			x, err := b.At(&s)
			if err != nil {
				t.Fatal(err)
			}
			exact := -g * g * height * height * height / (6 * (lambda + 2*mu))
			if off := x.Square - (energy - exact); math.Abs(off) > 1e-9*x.Strain || kind == fem.P1 && x.Square < 0.01*x.Strain {
				t.Errorf("%dD %v: bound %g, error %g of %g", dim, kind, x.Square, energy-exact, exact)
			}
		}
	}
}

// TestBoundOfPressedBlock: a block that a pressure holds on a smooth floor, with one wall: the state is exact, and nothing
// but contact holds it. The same state lifted by h and shifted by v has p h more energy, and μ p v of friction. Forces that do
// not balance are refused.
func TestBoundOfPressedBlock(t *testing.T) {
	m, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 1}, Cells: []int{3, 3}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	e := fem.Elastic{Young: 5, Poisson: 0.25, Kinematics: fem.PlaneStress}
	o := fem.BoundOptions{Mesh: m, Material: e, Tractions: []fem.Group{m.Groups["top"]}, Contact: []fem.Group{m.Groups["bottom"]}}
	for _, i := range m.Groups["left"].Nodes() {
		o.Held = append(o.Held, 2*i)
	}
	b, err := fem.NewBound(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]float64{{1, 0, 0}, {1, 0.1, 0}, {1, 0, 0.2}, {1.01, 0, 0}} {
		const p, mu = 0.5, 0.3
		factor, high, far := c[0], c[1], c[2]
		s := fem.BoundState{U: make([]float64, len(m.X)), Tractions: [][3]float64{{0, -p}}}
		for i := range m.NumNodes() {
			s.U[2*i], s.U[2*i+1] = far+e.Poisson*p/e.Young*m.Node(i)[0], high-p/e.Young*m.Node(i)[1]
		}
		for k, i := range m.Groups["bottom"].Nodes() {
			share := []float64{1. / 6, 1. / 3, 1. / 3, 1. / 6}[k]
			s.Contact = append(s.Contact, fem.BoundNode{Node: i, Axis: [3]float64{0, 1}, Normal: factor * p * share,
				Gap: high, Slip: [3]float64{far}, Most: mu * p * share})
		}
		x, err := b.At(&s)
		if factor == 1 && (err != nil || math.Abs(x.Square-p*high-mu*p*far) > 1e-14 || math.Abs(x.Strain-p*p/(2*e.Young)) > 1e-12) {
			t.Errorf("bound %g of %g, %v", x.Square, x.Strain, err)
		}
		if factor > 1 && err == nil {
			t.Errorf("forces that do not balance have the bound %g", x.Square)
		}
	}
}

// TestBoundOfThinElements: of elements so thin that rounding hides what their moments do no bound is known.
func TestBoundOfThinElements(t *testing.T) {
	m, err := fem.Box{Kind: fem.P2, Corner: []float64{0, 0}, Size: []float64{1, 5e-5}, Cells: []int{1, 1}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fem.NewBound(t.Context(), fem.BoundOptions{Mesh: m, Material: fem.Elastic{Young: 1e5, Kinematics: fem.PlaneStress}}); err == nil {
		t.Error("elements of 1 m by 5e-5 m have a bound")
	}
}

// TestBoundOfRectangle: the displacement (0, xy) of one quadrilateral a by b that is held at its corners has the energy
// ½ ((λ+2μ) a³b + μ ab³)/3, and with its mean dilatation ½ (λ + ⅔μ) a³b/12 less.
func TestBoundOfRectangle(t *testing.T) {
	const a, b = 0.7, 0.4
	m, err := fem.Box{Kind: fem.Q1, Corner: []float64{0, 0}, Size: []float64{a, b}, Cells: []int{1, 1}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	e := fem.Elastic{Young: 3, Poisson: 0.3}
	lambda, mu := e.Lame(2)
	s := fem.BoundState{U: make([]float64, len(m.X))}
	var held []int
	for i := range m.NumNodes() {
		s.U[2*i+1] = m.Node(i)[0] * m.Node(i)[1]
		held = append(held, 2*i, 2*i+1)
	}
	bound, err := fem.NewBound(t.Context(), fem.BoundOptions{Mesh: m, Material: e, Held: held})
	if err != nil {
		t.Fatal(err)
	}
	x, err := bound.At(&s)
	strain, short := ((lambda+2*mu)*a*a*a*b+mu*a*b*b*b)/6, (lambda+mu*2/3)*a*a*a*b/24
	if err != nil || math.Abs(x.Strain-strain) > 1e-12 || math.Abs(x.Short-short) > 1e-12 {
		t.Errorf("energy %g, want %g, and %g less, want %g, %v", x.Strain, strain, x.Short, short, err)
	}
	m.X[0] -= 0.1
	if _, err := fem.NewBound(t.Context(), fem.BoundOptions{Mesh: m, Material: e, Held: held}); err == nil {
		t.Error("a quadrilateral that is no parallelogram has a bound")
	}
}
