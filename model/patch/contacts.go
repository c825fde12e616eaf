package patch

import (
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/world"
)

// contactRows turns the forces of contact elements into rows of contacts.csv, one for
// each patch that carries a force.
type contactRows struct {
	c     *Case
	mu    map[int]*friction // by key, for declared contacts
	patch map[int]int       // row of the step, by key
	rows  []bodyview.ContactRow
}

func newContactRows(c *Case) contactRows {
	p := contactRows{c: c, mu: map[int]*friction{}, patch: map[int]int{}}
	for i := range c.Contacts {
		x := &c.Contacts[i]
		for f := range x.Features {
			p.mu[x.Key+f] = &x.friction
		}
	}
	return p
}

// collect returns the contacts of a step, at the places that they have at (at, q), and their
// sums. A patch sticks where one of its elements does.
func (p *contactRows) collect(step *dynamics.Step, at float64, q []float64) (rows []bodyview.ContactRow, sum world.ContactSum) {
	clear(p.patch)
	p.rows = p.rows[:0]
	world := p.c.World
	eachElement(world.Dim(), step, func(key, _ int, state dynamics.ContactState, lambda, _ []float64) {
		if !(lambda[0] > 0) {
			return
		}
		i, seen := p.patch[key]
		if !seen {
			i = len(p.rows)
			p.patch[key] = i
			p.rows = append(p.rows, p.row(key, at, q))
		}
		r := &p.rows[i]
		t, o := world.Tangents(r.N)
		f, _ := bodyview.Across(t, o, lambda)
		r.Normal += lambda[0]
		r.Bound += p.friction(step, key, at-step.Theta*step.H) * lambda[0]
		for c := range f {
			r.Friction[c] += f[c]
		}
		if state == dynamics.Stick {
			r.State = dynamics.Stick
		}
	})
	for i := range p.rows {
		sum.Add(&p.rows[i])
	}
	return p.rows, sum
}

// row begins the row of a patch.
func (p *contactRows) row(key int, t float64, q []float64) bodyview.ContactRow {
	a, b := p.c.World.KeyOf(key)
	h, at, n := p.c.World.Meeting(key, t, q)
	r := bodyview.ContactRow{A: p.c.IDs[a], State: dynamics.Slide, At: at, N: n}
	if b >= 0 {
		r.B = p.c.IDs[b]
	} else {
		r.B = p.c.Obstacles[h]
	}
	return r
}

// law is the friction of a contact, by its key.
func (p *contactRows) law(key int) *friction {
	if f, ok := p.mu[key]; ok {
		return f
	}
	return &p.c.pairFriction
}

// friction returns μ of a patch of a step at a time.
func (p *contactRows) friction(step *dynamics.Step, key int, t float64) float64 {
	f := p.law(key)
	if f.Field != nil || f.Slip != nil { // the keys of a step that carry forces have their μ
		return step.Mu[slices.Index(step.State.Keys, key)]
	}
	return f.at(t)
}

// certificate is a row of certificates.csv: of the contact problems of a step.
type certificate struct {
	Residual float64 `column:"residual"` // relative
	Rounds   float64 `column:"rounds"`   // of an implicit force
	Theta    float64 `column:"theta"`    // of the step, see [dynamics.Step]
	world.ContactSum
}
