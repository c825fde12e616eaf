package main

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// seeContacts compares contacts.csv, the sums and forces.csv with the impulses.
func (x *multibodyAudit) seeContacts() {
	dim, k := x.m.World.Dim(), 0
	var sum pushSum
	total, along := make([]float64, len(x.m.IDs)), make([]float64, len(x.m.IDs)) // normal and tangential
	rows := &x.contacts.rows
	eachPush(x.m, x.replay, func(want *table.ContactRow) {
		sum.add(want)
		a, b := x.contacts.number[want.A], x.contacts.number[want.B]
		total[a] += want.Normal
		t, _ := x.m.World.Tangents(want.N)
		along[a] += t[0]*want.Friction[0] + t[1]*want.Friction[1]
		if b >= 0 {
			total[b] += want.Normal
		}
		switch {
		case k >= len(*rows):
		case (*rows)[k].A != want.A || (*rows)[k].B != want.B:
			x.rows.wrong(x.contacts.at(k, fmt.Sprintf("want %s/%s", want.A, want.B)))
		default:
			x.alike(k, want)
		}
		k++
	})
	if k != len(*rows) {
		x.rows.wrong(x.contacts.at(0, fmt.Sprintf("%d rows, impulses.csv has %d contacts that push", len(*rows), k)))
	}
	for i, f := range total {
		x.forces.see(x.force.now[dim*i]-f, 1e-10*sum[2]+1e-300, x.force.at(dim*i))
		if dim == 2 { // in space tangents depend on the way
			x.forces.see(x.force.now[dim*i+1]-along[i], 1e-10*sum[2]+1e-300, x.force.at(dim*i+1))
		}
	}
	for i := 2; i < len(sum); i++ {
		x.forces.see(x.certificate.now[8+i]-sum[i], x.turns()*sum[2]+1e-300, x.certificate.at(8+i))
	}
}

// seeTouches looks at the rows of contacts.csv alone, of a step that cannot be played
// again: each is at a place where the bodies meet, and its friction inside its cone.
func (x *multibodyAudit) seeTouches() {
	touches := make([]rigid.Present, 0, len(x.contacts.rows))
	if len(x.contacts.rows) > 0 {
		x.replay.Contacts(func(p *rigid.Present) {
			c := *p
			t := *p.Touch
			c.Touch = &t
			touches = append(touches, c)
		})
	}
	for k := range x.contacts.rows {
		row := &x.contacts.rows[k]
		best, nearest := math.Inf(1), -1
		for i := range touches {
			p := &touches[i]
			if x.m.IDs[p.A] != row.A || secondName(x.m, p.B, p.Floor) != row.B {
				continue
			}
			if d := distance(p.At, row.At) + distance(p.N, row.N); d < best {
				best, nearest = d, i
			}
		}
		x.rows.see(best, nineDigits*(2+distance(row.At, [3]float64{})), x.contacts.at(k, "columns x to nz: no place where they meet"))
		if nearest < 0 {
			continue
		}
		mu := x.m.Model.Friction(touches[nearest].Touch)
		x.cone.see(max(distance(row.Friction, [3]float64{})-mu*row.Normal, 0)/max(row.Normal, 1e-300), nineDigits*(1+mu), x.contacts.at(k, "columns fx, fy, fz"))
		x.rows.see(row.Bound-mu*row.Normal, nineDigits*(1+mu)*row.Normal+1e-300, x.contacts.at(k, "column bound"))
	}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// turns is the share of friction that depends on the way of the tangents: they follow
// the normal by projection, in space through the positions before the projection onto
// joints and gaps too, which differ in second order.
func (x *multibodyAudit) turns() float64 {
	if x.m.World.Dim() == 3 {
		return 1e-5
	}
	return 1e-10
}

// alike compares a row of contacts.csv.
func (x *multibodyAudit) alike(k int, want *table.ContactRow) {
	row, w := &x.contacts.rows[k], *want
	if x.m.World.Dim() == 3 {
		size := 0.0
		for c := range 3 {
			size = max(size, math.Abs(w.Friction[c]))
		}
		for c, axis := range []string{"fx", "fy", "fz"} {
			x.rows.see(row.Friction[c]-w.Friction[c], x.turns()*size+nineDigits*w.Normal, x.contacts.at(k, "column "+axis))
		}
		w.Friction = row.Friction
	}
	x.contacts.alike(x.rows, k, &w)
}
