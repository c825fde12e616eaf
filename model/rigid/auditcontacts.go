package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/world"
)

// checkContacts compares contacts.csv, the sums and forces.csv with the impulses of a step that was played
// again.
func (x *audit) checkContacts(f *rigid.Finding) {
	dim, k := x.c.World.Dim(), 0
	var sum world.ContactSum
	n := len(x.c.IDs)
	total, along, rubbed := make([]float64, n), make([]float64, n), make([]float64, n) // normal, tangential, its sizes
	rows := &x.Contacts.Rows
	eachContact(x.c, x.replay.Stepper, func(want *bodyview.ContactRow) {
		sum.Add(want)
		a, b := x.Contacts.Number[want.A], x.Contacts.Number[want.B]
		total[a] += want.Normal
		t, _ := x.c.World.Tangents(want.N)
		along[a] += t[0]*want.Friction[0] + t[1]*want.Friction[1]
		size := math.Hypot(math.Hypot(want.Friction[0], want.Friction[1]), want.Friction[2])
		rubbed[a] += size
		if b >= 0 {
			total[b] += want.Normal
			rubbed[b] += size
		}
		switch {
		case k >= len(*rows):
		case (*rows)[k].A != want.A || (*rows)[k].B != want.B:
			x.rows.Fail(x.Contacts.At(k, fmt.Sprintf("want %s/%s", want.A, want.B)))
		default:
			x.alike(k, want, f.Bound)
		}
		k++
	})
	if k != len(*rows) {
		x.rows.Fail(x.Contacts.At(0, fmt.Sprintf("%d rows, impulses.csv has %d contacts that push", len(*rows), k)))
	}
	for i, f := range total {
		rounding := 1e-10*sum.Normal + 1e-300
		x.forces.AtMost(x.Force.Now[dim*i]-f, rounding, x.Force.At(dim*i))
		if dim == 2 {
			x.forces.AtMost(x.Force.Now[dim*i+1]-along[i], rounding, x.Force.At(dim*i+1))
		} else { // tangents depend on the way, sizes do not
			x.forces.AtMost(max(0, math.Hypot(x.Force.Now[dim*i+1], x.Force.Now[dim*i+2])-rubbed[i]), rounding, x.Force.At(dim*i+1))
		}
	}
	x.Contacts.CompareSums(x.forces, x.Certificate.Now().ContactSum, sum, x.turns()*sum.Normal+1e-300, f.Bound, x.Certificate.Sheet)
}

// checkTouches looks at the rows of contacts.csv alone, of a step that cannot be played
// again: each is at a place where the bodies meet, and its friction inside its cone.
func (x *audit) checkTouches() {
	touches := make([]rigid.Present, 0, len(x.Contacts.Rows))
	if len(x.Contacts.Rows) > 0 {
		x.replay.Contacts(func(p *rigid.Present) {
			c := *p
			t := *p.Touch
			t.At = x.c.outside(t.At)
			c.Touch = &t
			touches = append(touches, c)
		})
	}
	for k := range x.Contacts.Rows {
		row := &x.Contacts.Rows[k]
		best, nearest := math.Inf(1), -1
		for i := range touches {
			p := &touches[i]
			if x.c.IDs[p.A] != row.A || x.c.second(p.B, p.Floor) != row.B {
				continue
			}
			if d := distance(p.At, row.At) + distance(p.N, row.N); d < best {
				best, nearest = d, i
			}
		}
		x.rows.AtMost(best, world.NineDigits*(2+distance(row.At, [3]float64{})),
			x.Contacts.At(k, "columns x to nz: no place where they meet"))
		if nearest < 0 {
			continue
		}
		x.replay.Recall(touches[nearest].Touch.Key, row.State == dynamics.Slide)
		mu, pull := x.frictionOf(touches[nearest].Touch, row), x.c.Model.PullOf(touches[nearest].Touch)
		pressed := max(row.Normal+pull, 1e-300)
		digits := world.NineDigits*(1+mu)*(math.Abs(row.Normal)+pull) + 1e-300
		x.cone.AtMost(max(distance(row.Friction, [3]float64{})-mu*pressed, 0)/pressed, digits/pressed, x.Contacts.At(k, "columns fx, fy, fz"))
		x.rows.AtMost(row.Bound-mu*pressed, digits, x.Contacts.At(k, "column bound"))
	}
}

// frictionOf is μ of a row whose step is not played again: between its values in the step, at the
// time of v^α and where the point may have been by then, that which the row states.
func (x *audit) frictionOf(t *bodies.Touch, row *bodyview.ContactRow) float64 {
	h := x.H
	if h == 0 {
		h = x.Plan.StepTo(x.Q.T)
	}
	const samples = 8
	least, most := math.Inf(1), 0.0
	moves := [][2]float64{{}}
	if l := x.c.Model.MaterialOf(t).Slip; l != nil {
		least, most = l.Bounds()
	}
	if x.c.Model.Mapped(t) {
		moves = world.Moves(x.c.World, t.A, h, x.V.Now, x.V.Last)
	}
	for k := range samples + 1 {
		time := x.Q.T - h*float64(k)/samples
		for _, by := range moves {
			mu := x.c.Model.Friction(t, time, by)
			least, most = min(least, mu), max(most, mu)
		}
	}
	if least == most {
		return most
	}
	return max(least, min(most, row.Bound/max(row.Normal+x.c.Model.PullOf(t), 1e-300)))
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// turns is the share of friction that depends on the way of the tangents: they turn with
// the normal, in space through the positions before the projection onto
// joints and gaps too, which differ in second order.
func (x *audit) turns() float64 {
	if x.c.World.Dim() == 3 {
		return 1e-5
	}
	return 1e-10
}

// alike compares a row of contacts.csv, of a bound that is known but for a rounding.
func (x *audit) alike(k int, want *bodyview.ContactRow, bound float64) {
	row, w := &x.Contacts.Rows[k], *want
	if x.c.World.Dim() == 3 {
		size := 0.0
		for c := range 3 {
			size = max(size, math.Abs(w.Friction[c]))
		}
		for c, axis := range []string{"fx", "fy", "fz"} {
			x.rows.AtMost(row.Friction[c]-w.Friction[c], x.turns()*size+world.NineDigits*w.Normal, x.Contacts.At(k, "column "+axis))
		}
		w.Friction = row.Friction
	}
	if off := row.Bound - w.Bound; math.Abs(off) <= bound {
		w.Bound = row.Bound
	}
	x.Contacts.Compare(x.rows, k, &w)
}
