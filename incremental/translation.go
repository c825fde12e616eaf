package incremental

import (
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// platform is an island of particles on parallel flat obstacles at rest, each of them on one at most, with isotropic friction that
// is the same wherever a contact goes. If its energies do not change where all of it is translated by e along the obstacles, but for its loads F,
//
//	E(t, y + a e) = E(t, y) − a F(t)·e  at any y,
//
// then DE·e = −F·e is known before a step is solved; and so is what friction holds at most, where thresholds are those of the end:
// max_c μ_c Σ_c N_c, with Σ_c N_c = −F·n by the balance along the normal n. Where they lag they are frozen. That is all of what
// friction holds where it is the same for all contacts; else a loss may be found only by solving.
type platform struct {
	island   int
	members  []int // particles
	contacts []int // of the minimiser
	n, t, o  [3]float64
}

// errSwept is what ends such a step.
var errSwept = errors.New("not begun: loads drive along obstacles more than friction may hold")

// parallel: normals whose difference is rounding of a normalisation.
const parallel = 1e-15

// platforms returns the islands that are such by their obstacles and friction; none if an energy may tell where they are.
func platforms(psi *dissipation.Coulomb, m *Minimiser, count int) []platform {
	for _, e := range psi.System.Energies() {
		c, ok := e.(particles.ConstantHessian)
		f, floats := e.(particles.Floating)
		if !(ok && c.ConstantHessian()) && !(floats && f.Floating()) {
			return nil
		}
	}
	list, fit := make([]platform, count), make([]bool, count)
	for j, i := range m.island {
		list[i].members = append(list[i].members, j)
	}
	for c, j := range m.particle {
		p, f := &list[m.island[j]], psi.System.Frame(j)
		if len(p.contacts) == 0 {
			p.n, p.t, p.o, fit[m.island[j]] = f.N, f.T, f.O, true
		}
		p.contacts = append(p.contacts, c)
		_, isotropic := psi.Matrices[m.slot[c]].(dissipation.Isotropic)
		isotropic = isotropic || psi.Matrices[m.slot[c]] == nil
		if f.Chart != nil || psi.System.Cornered(j) || !isotropic || math.Hypot(math.Hypot(f.N[0]-p.n[0], f.N[1]-p.n[1]), f.N[2]-p.n[2]) > parallel {
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
	return found
}

// swept returns the LossError of the platform that is driven most beyond its friction by the loads of the time t, nil if none is. It
// is asked before a step is solved: a solver may iterate for long towards a state that does not exist.
func (s *Stepper) swept(t float64) error {
	if len(s.platforms) == 0 || s.opt.Rule.Gamma != 0 {
		return nil
	}
	s.psi.System.Gradient(s.sweep, nil, t, s.z)
	most, along, from := 0.0, [3]float64{}, -1
	for i := range s.platforms {
		if e, drive := s.platforms[i].driven(s, t); drive > most {
			most, along, from = drive, e, i
		}
	}
	if from < 0 {
		return nil
	}
	d := make([]float64, len(s.z))
	for _, j := range s.platforms[from].members {
		f := s.psi.System.Frame(j)
		d[3*j], d[3*j+1] = vec3.Dot(f.T, along), vec3.Dot(f.O, along)
		if f.Free {
			d[3*j+2] = vec3.Dot(f.N, along)
		}
	}
	if s.min.stored(t, s.z, d) > pure {
		return nil // it is tied to the ground
	}
	worst, _ := unit(d)
	clear(s.min.v)
	s.min.begin(t, s.z) // of which Drive and Steepest speak
	s.psi.System.Gradient(s.min.gradBase, nil, t, s.z)
	copy(s.min.grad, s.min.gradBase)
	return &LossError{Time: t, Direction: d, Particle: worst, Force: most, cause: &StepError{Time: t, Tolerance: s.min.tolerance, Residual: math.Inf(1), Particle: worst, Cause: errSwept}}
}

// driven returns the direction along the obstacles in which the loads of a platform drive, and what they do so beyond its friction; 0
// if that is less than rounding of the sums.
func (p *platform) driven(s *Stepper, t float64) (along [3]float64, drive float64) {
	var force [3]float64
	size := 0.0
	for _, j := range p.members {
		f, g := s.psi.System.Frame(j), s.sweep[3*j:3*j+3]
		for i := range force {
			force[i] -= f.T[i]*g[0] + f.O[i]*g[1] + f.N[i]*g[2]
		}
		size += vec3.Norm([3]float64(g))
	}
	// DE of each particle is off by the rounding of its position, and each sum by that of its terms.
	rounding := float64(len(p.members)) * (s.scales.Rounding[p.island] + 0x1p-52*size)
	a, b, normal := vec3.Dot(force, p.t), vec3.Dot(force, p.o), vec3.Dot(force, p.n)
	if math.Abs(a) <= rounding {
		a = 0
	}
	if math.Abs(b) <= rounding {
		b = 0
	}
	tangential := math.Hypot(a, b)
	held := 0.0
	for _, c := range p.contacts {
		if s.stats.Lagged {
			held += s.min.tresca[c].Threshold
		} else {
			held = max(held, s.psi.Size(t, s.min.slot[c], s.z)*s.psi.Factor(s.min.slot[c], t)*max(-normal, 0))
		}
	}
	if !(tangential-held > rounding) || normal > 0 {
		return along, 0
	}
	for i := range along {
		along[i] = (a*p.t[i] + b*p.o[i]) / tangential
	}
	return along, tangential - held
}
