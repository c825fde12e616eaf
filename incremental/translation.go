package incremental

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// errSwept is what ends such a step.
var errOverloaded = errors.New("not begun: loads drive along obstacles more than friction may hold")

// parallel: normals whose difference is rounding of a normalisation.
const parallel = 1e-15

// platforms returns the islands that are such by their obstacles, friction and energies, at a
// state: what is stored along obstacles is the same at any other.
func platforms(psi *dissipation.Coulomb, m *Minimiser, count int, t float64, z []float64) []platform {
	if !floatingOnly(psi.System) {
		return nil
	}
	list, fit := make([]platform, count), make([]bool, count)
	for j, i := range m.island {
		list[i].members = append(list[i].members, j)
	}
	for c, j := range m.particle {
		p, f := &list[m.island[j]], psi.System.Frame(j)
		if len(p.contacts) == 0 {
			p.chart, fit[m.island[j]] = f.Chart, f.Chart == nil || f.Chart.Face.Flat() && !free(psi.System, p.members)
			p.n, p.t, p.o = p.axes(&f)
		}
		n, _, _ := p.axes(&f)
		p.contacts = append(p.contacts, c)
		_, isotropic := psi.Matrices[m.slot[c]].(dissipation.Isotropic)
		isotropic = isotropic || psi.Matrices[m.slot[c]] == nil
		if f.Chart != p.chart || psi.System.Cornered(j) || !isotropic ||
			math.Hypot(math.Hypot(n[0]-p.n[0], n[1]-p.n[1]), n[2]-p.n[2]) > parallel {
			fit[m.island[j]] = false
		}
	}
	var found []platform
	for i := range list {
		if fit[i] {
			list[i].island = i
			found = append(found, list[i])
		}
	}
	if found == nil {
		return nil
	}
	found = slices.DeleteFunc(found, tied(found, m, t, z))
	for i := range found {
		found[i].level = found[i].chart == nil && level(psi, &found[i], m, t, z)
	}
	return found
}

// probes is the number of states, drawn at random, at which normal forces are compared: of forces
// that are analytic, as those of this project are, two that do not agree everywhere do not at any
// of them.
const probes = 3

// level reports whether the normal forces of a platform, all contacts of which are closed, are
// those of its loads wherever its members are along their obstacles.
func level(psi *dissipation.Coulomb, p *platform, m *Minimiser, t float64, z []float64) bool {
	sys := psi.System
	if len(p.contacts) != len(p.members) {
		return false
	}
	size := 0.0
	for _, j := range p.members {
		if !sys.Touches(t, j, z) {
			return false
		}
		size = max(size, span(sys.Position(t, p.members[0], z), sys.Position(t, j, z)))
	}
	first, grad, y := make([]float64, len(z)), make([]float64, len(z)), slices.Clone(z)
	sys.Gradient(first, nil, t, z)
	random := rand.New(rand.NewPCG(1, 2))
	for range probes {
		for _, j := range p.members {
			y[3*j], y[3*j+1] = z[3*j]+size*(random.Float64()-0.5), z[3*j+1]+size*(random.Float64()-0.5)
		}
		sys.Gradient(grad, nil, t, y)
		for _, j := range p.members {
			along := math.Hypot(grad[3*j], grad[3*j+1])
			if !(math.Abs(grad[3*j+2]-first[3*j+2]) <= levelForce*(along+math.Abs(first[3*j+2]))) {
				return false
			}
		}
	}
	return true
}

// levelForce is the rounding of a normal force, in parts of the forces on the particle: of frames
// that turn, and of sums.
const levelForce = 1e-13

// floatingOnly reports whether all energies have a constant D²E, or tell nothing of where a system
// is but for loads.
func floatingOnly(sys *particles.System) bool {
	for _, e := range sys.Energies() {
		c, ok := e.(particles.ConstantHessian)
		f, floats := e.(particles.Floating)
		if !(ok && c.ConstantHessian()) && !(floats && f.Floating()) {
			return false
		}
	}
	return true
}

// free reports whether a particle of an island has no obstacle, and so the axes of none.
func free(sys *particles.System, members []int) bool {
	return slices.ContainsFunc(members, func(j int) bool { return sys.Frame(j).Free })
}

// tied says of which platforms each translation stores more than rounding: eᵀD²E e of two
// directions, and all between.
func tied(list []platform, m *Minimiser, t float64, z []float64) func(p platform) bool {
	var d, k [2][]float64
	for i := range d {
		d[i], k[i] = make([]float64, len(z)), make([]float64, len(z))
		for _, p := range list {
			p.translate(m.sys, d[i], [2][3]float64{p.t, p.o}[i])
		}
		m.sys.Hessian(t, z).MulVec(k[i], d[i])
	}
	least := pure * largest(m.sys.Hessian(t, z).Val)
	return func(p platform) bool {
		var tt, to, oo float64
		for _, j := range p.members {
			for i := 3 * j; i < 3*j+3; i++ {
				tt, to, oo = tt+d[0][i]*k[0][i], to+d[0][i]*k[1][i], oo+d[1][i]*k[1][i]
			}
		}
		return (tt+oo)/2-math.Hypot((tt-oo)/2, to) > least*float64(len(p.members))
	}
}

// translate stores a translation e along its obstacles in the coordinates of its members.
func (p *platform) translate(sys *particles.System, d []float64, e [3]float64) {
	for _, j := range p.members {
		f := sys.Frame(j)
		n, t, o := p.axes(&f)
		d[3*j], d[3*j+1], d[3*j+2] = vec3.Dot(t, e), vec3.Dot(o, e), 0
		if f.Free {
			d[3*j+2] = vec3.Dot(n, e)
		}
	}
}

// overloaded returns the LossError of the platform that is driven most beyond its friction by the
// loads of the time t, nil if none is. It is asked before a step is solved: a solver may iterate
// for long towards a state that does not exist.
func (s *Stepper) overloaded(t float64) error {
	if len(s.platforms) == 0 || s.opt.Rule.Gamma != 0 {
		return nil
	}
	s.psi.System.Gradient(s.loads, nil, t, s.z)
	most, along, from := 0.0, [3]float64{}, -1
	for i := range s.platforms {
		if p := s.platforms[i].pull(s, t); p.drive() > most {
			most, along, from = p.drive(), p.along, i
		}
	}
	if from < 0 {
		return nil
	}
	return s.lossAlong(t, &s.platforms[from], along, most)
}

// lossAlong makes the LossError of a platform that is driven in a direction; nil if it is tied to
// the ground.
func (s *Stepper) lossAlong(t float64, p *platform, along [3]float64, drive float64) error {
	d := make([]float64, len(s.z))
	p.translate(s.psi.System, d, along)
	if s.min.stored(t, s.z, d) > pure {
		return nil
	}
	worst, _ := unit(d)
	clear(s.min.v)
	s.min.begin(t, s.z) // of which Drive and Steepest speak
	s.psi.System.Gradient(s.min.gradBase, nil, t, s.z)
	copy(s.min.grad, s.min.gradBase)
	return &LossError{Time: t, Direction: d, Particle: worst, Force: drive,
		cause: &StepError{Time: t, Tolerance: s.min.tolerance, Residual: math.Inf(1), Particle: worst, Cause: errOverloaded}}
}

const (
	// limitShare: loads that are this near to what friction holds, in parts of that, or as near as
	// rounding lets tell, are at its limit. What springs that turn have to do there grows like the
	// root of the inverse: a pair that is pulled comes to rest a million times its length away, in
	// line with the pull, or nowhere …
	limitShare = 1e-12
	// … where rounding lets tell no better than this, nothing is said …
	roundedShare = 1e-9
	// … and a way of this many sizes of the platform is that of no state.
	farSizes = 1e4
)

// atFrictionLimit returns the LossError of a platform whose loads are at the limit of its friction
// at the time t, and beyond it so soon after that t is the time of the loss, if the step to t was
// not solved, or only far away; nil if there is none.
func (s *Stepper) atFrictionLimit(t float64, solved bool) error {
	if len(s.platforms) == 0 || s.opt.Rule.Gamma != 0 || s.psi.System.ConstantHessian() {
		return nil
	}
	for i := range s.platforms {
		p := &s.platforms[i]
		s.psi.System.Gradient(s.loads, nil, t, s.z)
		at := p.pull(s, t)
		near := max(limitShare, 4*at.rounding/at.held)
		if !(near <= roundedShare) || !(math.Abs(at.tangential-at.held) <= near*at.held) || solved && !p.far(s) {
			continue
		}
		s.psi.System.Gradient(s.loads, nil, t*(1+2*near), s.z)
		if p.pull(s, t*(1+2*near)).drive() > 0 {
			return s.lossAlong(t, p, at.along, max(at.drive(), 0))
		}
	}
	return nil
}

// Overdriven reports whether the loads of an island that may be translated along its obstacles pull
// more than its friction holds at the time t, rounding apart; where D²E is constant a step tells
// that, and it is false.
func (s *Stepper) Overdriven(t float64) bool {
	if len(s.platforms) == 0 || s.opt.Rule.Gamma != 0 || s.psi.System.ConstantHessian() {
		return false
	}
	s.freezeThresholds()
	s.stats.Lagged = s.opt.Threshold == Lagged
	s.psi.System.Gradient(s.loads, nil, t, s.z)
	for i := range s.platforms {
		if at := s.platforms[i].pull(s, t); !at.lifted && at.tangential > at.held && s.lossAlong(t, &s.platforms[i], at.along, 0) != nil {
			return true
		}
	}
	return false
}

// far reports whether the step at hand moved the platform many times its own size.
func (p *platform) far(s *Stepper) bool {
	size, way := 0.0, 0.0
	first := s.psi.System.Position(s.t, p.members[0], s.z)
	for _, j := range p.members {
		size = max(size, span(first, s.psi.System.Position(s.t, j, s.z)))
		way = max(way, floats.Distance(s.zNext[3*j:3*j+3], s.z[3*j:3*j+3], 2))
	}
	return size > 0 && way > farSizes*size
}

// span is the distance of two places.
func span(a, b [3]float64) float64 {
	return vec3.Norm([3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]})
}

// pull is what the loads of a platform do along its obstacles, and its friction.
type pull struct {
	along                      [3]float64 // direction
	tangential, held, rounding float64
	lifted                     bool
}

// closed reports whether all contacts of a platform are.
func (p *platform) closed(s *Stepper) bool {
	for _, j := range p.members {
		if !s.psi.System.Touches(s.t, j, s.z) || s.loads[3*j+2] < 0 {
			return false
		}
	}
	return true
}

// drive is what drives beyond friction; 0 if that is less than rounding of the sums.
func (p pull) drive() float64 {
	if !(p.tangential-p.held > p.rounding) || p.lifted {
		return 0
	}
	return p.tangential - p.held
}

// pull adds up the loads of a platform, of s.loads.
func (p *platform) pull(s *Stepper, t float64) pull {
	var force [3]float64
	size := 0.0
	for _, j := range p.members {
		f, g := s.psi.System.Frame(j), s.loads[3*j:3*j+3]
		n, t, o := p.axes(&f)
		for i := range force {
			force[i] -= t[i]*g[0] + o[i]*g[1] + n[i]*g[2]
		}
		size += vec3.Norm([3]float64(g))
	}
	// DE of each particle is off by the rounding of its position, and each sum by that of its
	// terms.
	rounding := float64(len(p.members)) * (s.scales.Rounding[p.island] + 0x1p-52*size)
	a, b, normal := vec3.Dot(force, p.t), vec3.Dot(force, p.o), vec3.Dot(force, p.n)
	if math.Abs(a) <= rounding {
		a = 0
	}
	if math.Abs(b) <= rounding {
		b = 0
	}
	tangential := math.Hypot(a, b)
	held, each := 0.0, 0.0
	for _, c := range p.contacts {
		if s.stats.Lagged {
			held += s.min.tresca[c].Threshold
		} else {
			mu := s.psi.Size(t, s.min.slot[c], s.z) * s.psi.Factor(s.min.slot[c], t)
			held = max(held, mu*max(-normal, 0))
			each += mu * max(s.loads[3*s.min.particle[c]+2], 0)
		}
	}
	// Where all friction is the same both are the same, but for rounding.
	if p.level && !s.stats.Lagged && each < held*(1-levelForce*float64(len(p.contacts))) && p.closed(s) {
		held = each
	}
	f := pull{tangential: tangential, held: held, rounding: rounding, lifted: normal > 0}
	for i := range f.along {
		f.along[i] = (a*p.t[i] + b*p.o[i]) / max(tangential, math.SmallestNonzeroFloat64)
	}
	return f
}
