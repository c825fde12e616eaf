package main

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

// pushes turns the forces of contact elements into rows of contacts.csv, one for
// each patch that carries a force.
type pushes struct {
	m     *casefile.Motion
	mu    map[int]float64 // by key, for declared contacts
	patch map[int]int     // row of the step, by key
	rows  []table.ContactRow
}

func newPushes(m *casefile.Motion) pushes {
	p := pushes{m: m, mu: map[int]float64{}, patch: map[int]int{}}
	for i := range m.Contacts {
		c := &m.Contacts[i]
		for f := range c.Features {
			p.mu[c.Key+f] = c.Mu
		}
	}
	return p
}

// push hands the contacts of a step to the writer.
func (p *pushes) push(w *table.MotionWriter, step *dynamics.Step) {
	rows, sum := p.collect(step, step.State.Q)
	for i := range rows {
		w.Contact(&rows[i])
	}
	w.Certify(append([]float64{step.Residual, float64(step.Rounds)}, sum[:]...)...)
}

// collect returns the contacts of a step, at the places that they have at q, and their
// sums. A patch sticks where one of its elements does.
func (p *pushes) collect(step *dynamics.Step, q []float64) (rows []table.ContactRow, sum pushSum) {
	clear(p.patch)
	p.rows = p.rows[:0]
	world := p.m.World
	casefile.EachElement(world.Dim(), step, func(key, _ int, state dynamics.ContactState, lambda, _ []float64) {
		if !(lambda[0] > 0) {
			return
		}
		i, seen := p.patch[key]
		if !seen {
			i = len(p.rows)
			p.patch[key] = i
			p.rows = append(p.rows, p.row(key, q))
		}
		r := &p.rows[i]
		t, o := world.Tangents(r.N)
		f, _ := table.Across(t, o, lambda)
		r.Normal += lambda[0]
		r.Bound += p.friction(key) * lambda[0]
		for c := range f {
			r.Friction[c] += f[c]
		}
		if state == dynamics.Stick {
			r.State = dynamics.Stick
		}
	})
	for i := range p.rows {
		sum.add(&p.rows[i])
	}
	return p.rows, sum
}

// row begins the row of a patch.
func (p *pushes) row(key int, q []float64) table.ContactRow {
	a, b := p.m.World.KeyOf(key)
	h, at, n := p.m.World.Meeting(key, q)
	r := table.ContactRow{A: p.m.IDs[a], State: dynamics.Slide, At: at, N: n}
	if b >= 0 {
		r.B = p.m.IDs[b]
	} else {
		r.B = p.m.Obstacles[h]
	}
	return r
}

// friction returns μ of a patch.
func (p *pushes) friction(key int) float64 {
	if mu, ok := p.mu[key]; ok {
		return mu
	}
	return p.m.PairMu
}

// motionCertificates are the columns of certificates.csv of the models compliant and
// theta: residual of the contact problems and rounds of an implicit force in the step,
// then [pushSums].
var motionCertificates = append([]string{"residual", "rounds"}, pushSums...)

// pushSums are columns of certificates.csv about the rows of contacts.csv of a step:
// how many stick and slip; the sums of normal force, of friction and of the most
// friction that they bear [N].
var pushSums = []string{"stick", "slip", "normal", "friction", "bound"}

// pushSum adds up contacts.
type pushSum [5]float64

func (s *pushSum) add(r *table.ContactRow) {
	if r.State == dynamics.Stick {
		s[0]++
	} else {
		s[1]++
	}
	f := &r.Friction
	s[2] += r.Normal
	s[3] += math.Sqrt(f[0]*f[0] + f[1]*f[1] + f[2]*f[2])
	s[4] += r.Bound
}
