package dynamics

import (
	"maps"
	"math"
	"slices"
)

// Dates. When a contact changes what it does is known from the steps to a part of one, see [Change].
// What the motion before it is off by makes it early or late besides: by e/|ṁ| if e is the error of
// what decides, a gap, a slip or the margin of a force, and ṁ its rate. The twins of a run make the
// same change, in steps of other lengths; so this is what their times differ by from that of the run,
// times the share that [Doubled] takes of distances.

// Change is one of what a contact does.
type Change struct {
	Contact uint64
	To      string  // what it does from then on
	T       float64 // when, by the step [s] …
	Within  float64 // … and by what the step may be off [s]
	At      bool    // it is over at once, as a hit …
	Part    int     // … of this part, or one of its island
	Margin  Margin  // or what one hangs on …
	Depth   float64 // … and by how much, see [Caught]
}

// Changing is a [Doubling] that says when contacts change what they do.
type Changing interface {
	// Changes are those of the last step, valid until the next one.
	Changes() []Change
}

// Date names changes that are alike.
type Date struct {
	Contact uint64
	To      string
}

// Own are the last changes of the contacts of a run, and its hits apart: of a series of these which is
// which is known by their numbers, as they may be closer than the runs are.
type Own struct {
	Until   float64 // that it has come to [s]
	Recent  map[uint64][]Moment
	Hits    Dates
	Margins Margins
}

// Moment is a time in a step, at which a contact begins to do something.
type Moment struct {
	T, Step float64 // [s]
	To      string
}

// add takes the changes of a step of the run that ends at t.
func (o *Own) add(v Doubling, t float64) {
	x, ok := v.(Changing)
	h := t - o.Until
	if o.Until = t; !ok {
		return
	}
	o.Hits.take(x.Changes(), true)
	o.Margins.take(x.Changes())
	for _, c := range x.Changes() {
		if c.At || c.Margin != Changes {
			continue
		}
		list, known := o.Recent[c.Contact]
		switch {
		case o.Recent == nil:
			o.Recent = map[uint64][]Moment{}
		case !known && len(o.Recent) >= dating.kinds:
			continue
		case len(list) == dating.kept:
			list = slices.Delete(list, 0, 1)
		}
		o.Recent[c.Contact] = append(list, Moment{c.T, h, c.To})
	}
}

// brief reports whether what a contact begins or ends at t is over within four steps of a twin, and
// whether the run has come so far that it shows.
func (o *Own) brief(contact uint64, t float64) (short, settled bool) {
	list := o.Recent[contact]
	at := slices.IndexFunc(list, func(x Moment) bool { return x.T == t })
	if at < 0 { // no change of this kind, or so many have come since that it is not kept
		return len(list) == dating.kept && t < list[0].T, true
	}
	whole := dating.brief * 2 * list[at].Step
	return slices.ContainsFunc(list, func(x Moment) bool { return x.T != t && math.Abs(x.T-t) < whole }), o.Until >= t+whole
}

// Nth is a change of a kind, and which one it is.
type Nth struct {
	T    float64 // [s]
	N    int
	Hit  bool // over at once …
	Part int  // … of this part
}

// within counts the changes of a kind that are nearer to t than so much; known: those before are kept.
func (o *Own) within(kind Date, t, reach float64) (n int, known bool) {
	list := o.Recent[kind.Contact]
	for _, x := range list {
		if x.To == kind.To && math.Abs(x.T-t) < reach {
			n++
		}
	}
	return n, len(list) < dating.kept || list[0].T <= t-reach
}

// Dates are those of a twin.
type Dates struct {
	Until   float64        // that it has come to [s]
	Longest float64        // of its steps [s]
	Recent  map[Date][]Nth // the last changes of each kind
	Margins Margins
}

// datingOptions are the numbers of dates.
type datingOptions struct {
	kept  int // changes of a kind: of what changes to and fro within what is not known of it, the next one
	kinds int // that are kept, a few megabytes
	// patience is the share of the run within which a twin makes the same change: a run that is right
	// to the accuracy of cases is not later by more. So many steps of a twin are waited for at least.
	patience, steps float64
	// caution is what an estimate is multiplied by, as errors of events are of a size O(h) with
	// any sign: of three that are normal and independent both others come within 1/k of the first one
	// with the chance 4/k² ∫e²φ³de = 2/(3√3πk²), one in 500.
	caution float64
	// brief steps of a twin are not enough to say that something was there between two changes: where
	// steps become shorter the forces of joints swing for some of them, and with them what sticks.
	brief float64
	rests int // that are kept, of the least depths, some kilobytes: what is deep is decided
}

// dating are their values.
var dating = datingOptions{kept: 8, kinds: 20_000, patience: 1. / 32, steps: 8, caution: 8, brief: 4, rests: 64}

// add takes the changes of a step of h that ends at t.
func (d *Dates) add(v Doubling, h, t float64) {
	x, ok := v.(Changing)
	if !ok {
		return
	}
	d.Until, d.Longest = t, max(d.Longest, h)
	d.take(x.Changes(), false)
	d.Margins.take(x.Changes())
}

// take takes changes, or hits alone.
func (d *Dates) take(list []Change, hits bool) {
	for _, c := range list {
		if hits && !c.At || c.Margin != Changes {
			continue
		}
		kind := Date{c.Contact, c.To}
		n := 0
		list, known := d.Recent[kind]
		switch {
		case d.Recent == nil:
			d.Recent = map[Date][]Nth{}
		case !known && len(d.Recent) >= dating.kinds:
			continue
		case len(list) == 0:
		default:
			n = list[len(list)-1].N + 1
			list = list[max(0, len(list)-dating.kept+1):]
		}
		d.Recent[kind] = append(slices.Clip(list), Nth{c.T, n, c.At, c.Part})
	}
}

// apart is how far the nearest change of a kind is from t, +Inf if there is none; n ≥ 0: the one of that
// number.
func (d *Dates) apart(kind Date, t float64, n int) float64 {
	least := math.Inf(1)
	for _, x := range d.Recent[kind] {
		if n < 0 || x.N == n {
			least = min(least, math.Abs(x.T-t))
		}
	}
	return least
}

// within counts the changes of a kind that are nearer to t than so much; known: those before are kept.
func (d *Dates) within(kind Date, t, reach float64) (n int, known bool) {
	list := d.Recent[kind]
	for _, x := range list {
		if math.Abs(x.T-t) < reach {
			n++
		}
	}
	return n, len(list) < dating.kept || list[0].T <= t-reach
}

// count is how many changes of a kind there were.
func (d *Dates) count(kind Date) int {
	if list := d.Recent[kind]; len(list) > 0 {
		return list[len(list)-1].N + 1
	}
	return 0
}

// number is that of a change of a kind at t, −1 if it is not known.
func (d *Dates) number(kind Date, t float64) int {
	list := d.Recent[kind]
	if at := slices.IndexFunc(list, func(x Nth) bool { return x.T == t }); at >= 0 {
		return list[at].N
	}
	return -1
}

// cloned is a copy of lists by names.
func cloned[K comparable, V any](lists map[K][]V) map[K][]V {
	lists = maps.Clone(lists)
	for k, list := range lists {
		lists[k] = slices.Clone(list)
	}
	return lists
}

// chatters reports whether the run and a twin make a change near t not equally often, each as often as
// the other does within twice the time: then nobody knows whether the motion has it.
func (d *Doubled) chatters(kind Date, t float64, x *Dates, reach float64) bool {
	own, known := d.state.Own.within(kind, t, reach)
	most, all := d.state.Own.within(kind, t, 2*reach)
	twin, seen := x.within(kind, t, reach)
	limit, whole := x.within(kind, t, 2*reach)
	return !known && !seen || seen && all && twin > most || known && whole && own > limit
}

// Late is by how much a change of the run may be early or late as its motion is off, +Inf if no twin
// makes it anywhere near, or not as often, or if what it begins or ends is over within four steps of a twin:
// what is so short may not be there at all. It is settled when the twins have come so far that no other time of theirs
// is nearer; of a run that has ended it is what it is.
func (d *Doubled) Late(contact uint64, to string, t float64) (off float64, settled bool) {
	short, settled := d.state.Own.brief(contact, t)
	if short {
		off = math.Inf(1)
	}
	shares, kind := d.dateShares(), Date{contact, to}
	n := d.state.Own.Hits.number(kind, t)
	if n < 0 && len(d.state.Own.Hits.Recent[kind]) > 0 { // a hit before those that are kept
		return math.Inf(1), true
	}
	for k := range d.state.Twin {
		if shares[k] == 0 {
			continue
		}
		x := &d.state.Twin[k].Dates
		apart, wait := x.apart(kind, t, n), d.wait(x)
		reach := 2 * wait // to which changes are counted
		if apart > wait || n < 0 && d.chatters(kind, t, x, wait) {
			apart = math.Inf(1)
		} else if n >= 0 {
			reach = apart
		}
		settled = settled && min(x.Until, d.state.Own.Until) >= t+reach
		off = max(off, shares[k]*apart)
	}
	return off, settled
}

// wait is how long a twin is waited for to make a change that a run has made [s].
func (d *Doubled) wait(x *Dates) float64 {
	return max(dating.patience*d.until, dating.steps*x.Longest)
}

// dateShares are what the run is off by of how far its times are from those of each twin: of first
// order, as events are. A twin that does not run has none.
func (d *Doubled) dateShares() [twins]float64 {
	const p = 2.
	switch s := &d.state; {
	case s.Fine:
		return [twins]float64{dating.caution * p * p / (p*p - 1)}
	case s.Of == 0:
		return [twins]float64{dating.caution / (p - 1), d.shares()[1] / caution * dating.caution}
	}
	return [twins]float64{dating.caution / (p - 1), dating.caution / (p*p - 1)}
}
