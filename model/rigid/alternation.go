package rigid

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/table"
)

// For α = ½ a contact holds the mean of its velocities before and after a step, and what is left of a
// velocity at the start of one turns round in each that follows, which nothing damps: v′ = −v, and the
// force alternates by 2m|v|/h about the one that two steps have together.

// pulse is the force of a contact in the last two steps, along its normal.
type pulse struct {
	Force, Before float64 // [N]
	Most          float64 // so far [N]
	Row           int     // steps in which it alternated, one after the other …
	Turns         int     // … or turned, whatever it does in the mean
	Mean, Slope   float64 // where it last turned so often, in the mean, and by what that changes in a step [N]
	Swing         float64 // by how much it alternates about that [N]
	Since         int     // steps since then
	H             float64 // length of the last step [s]
}

// alternates are the steps in a row from which on forces do so: what an impact leaves is gone before.
const alternates = 8

// next is that of a further step, and the share of the force by which that and the one before differ from
// their mean, once they alternate by more than a share.
func (x pulse) next(force, most, h float64) (pulse, float64) {
	rise, fell, size := force-x.Force, x.Before-x.Force, math.Abs(force)+math.Abs(x.Force)
	now := pulse{Force: force, Before: x.Force, Most: max(x.Most, force), Mean: x.Mean, Slope: x.Slope, Swing: x.Swing,
		Since: x.Since + 1, H: h}
	if rise*fell > 0 && h > 0.5*x.H { // in a step that an event has cut short it is another one
		if now.Turns = min(x.Turns+1, alternates); now.Turns == alternates {
			mean := 0.25 * (force + 2*x.Force + x.Before)
			now.Mean, now.Slope, now.Swing, now.Since = mean, mean-x.Mean, 0.25*math.Abs(rise+fell), 0
		}
	}
	if rise*fell > 0 && min(math.Abs(rise), math.Abs(fell)) > most*size && math.Abs(rise-fell) < 0.5*math.Abs(rise) {
		now.Row = min(x.Row+1, alternates)
	}
	if now.Row < alternates {
		return now, 0
	}
	return now, math.Abs(rise) / size
}

// early is by how much the force of a contact that opens has alternated until a few steps ago, of the largest
// that it had, where that has opened it: in the mean of two steps it would still press, by no more than twice that.
func (x pulse) early() float64 {
	mean := x.Mean + float64(1+x.Since)*min(0, x.Slope)
	if x.Since > 4 || mean <= 0 || x.Swing < 0.5*mean { // an event is cut out by a few short steps
		return 0
	}
	return x.Swing / x.Most
}

// opens remembers the contact that alternates most as it opens, and of each pair what it still pressed with at most.
func (r *Run) opens(key uint64, x pulse, step *rigid.Step) {
	m, share := r.sum.Multibody, x.early()
	if len(step.Collisions) > 0 {
		return
	}
	if share > 0 {
		k := slices.IndexFunc(m.Lifted, func(l bodyview.Lift) bool { return l.Touch == key })
		if k < 0 {
			k, m.Lifted = len(m.Lifted), append(m.Lifted, bodyview.Lift{Touch: key})
		}
		m.Lifted[k].Force = max(m.Lifted[k].Force, 2*x.Swing)
	}
	if share > m.Early {
		m.Early, m.EarlyAt = share, fmt.Sprintf("%s, t = %.6g s", strings.Replace(r.c.touchName(key), "/", " on ", 1), step.T)
	}
}

// lifted is the force, at most, with which a pair still pressed that has opened since its force alternates [N].
func (r *Run) lifted(x *casefile.Expectation) (most float64) {
	for _, l := range r.sum.Multibody.Lifted {
		var t bodies.Touch
		if t.A, t.B, t.Floor, _ = bodies.TouchOf(l.Touch); t.On(x.Subject, x.Other) != 0 {
			most = max(most, l.Force)
		}
	}
	return most
}

// early says by how much forces have alternated that contacts have opened by.
func (r *Run) early() (list []table.Fact) {
	m := r.sum.Multibody
	if m.Early == 0 {
		return nil
	}
	f := table.AtMost(table.Accurate, "force that alternates from step to step, and so opens its contact, of its largest",
		m.Early, r.c.plan.Accuracy, "", table.Computed)
	if f.Place = m.EarlyAt; !f.Passed {
		f.Remedy = "shorter steps: a number of them"
	}
	return []table.Fact{f}
}

// alternate remembers the contact whose force alternates most.
func (r *Run) alternate(key uint64, share float64) {
	if m := r.sum.Multibody; share > m.Alternating {
		m.Alternating, m.Alternates = share, r.c.touchName(key)
	}
}

// alternationText says that contact forces alternate.
func (r *Run) alternationText() string {
	m := r.sum.Multibody
	return fmt.Sprintf("forces of %s alternate by %.2g %% (α = ½): means of two steps are right",
		strings.Replace(m.Alternates, "/", " on ", 1), 100*m.Alternating)
}
