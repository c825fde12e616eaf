package assembly

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A Path is what an assembly does while supports, loads or gravity are changed slowly.
type Path struct {
	Steps  []Step
	Events []Event
	// Collapsed: supports: beyond the last of the steps no step down to Least keeps a balance. Loads and gravity: beyond Peak
	// less holds the assembly than did.
	Collapsed bool
	Least     float64 // m or rad of the supports
	Peak      Step    // with the largest level of loads or gravity so far
	// Margin is the level of loads or tilt up to which forces balance at all levels, in the geometry of the beginning: what is held is convex.
	// The path may begin to move below it, by Coulomb's law.
	Margin float64
	// Holds: the level at which the path ends is held, at the last of the steps, or, where there is none, without any motion.
	Holds   bool
	Between Between
	// Ends says why the path ends before that, and has not collapsed by supports.
	Ends string
}

// A Step is a state in balance, with the step that goes on from it. Its geometry is that of all motions so far,
// the forces balance there, at corners that are closed to Gap after the step.
type Step struct {
	// Distance is how far the supports have moved [m, rad]; of loads and gravity the displacement along them [m], the mean by
	// their sizes.
	Distance float64
	Level    float64      // factor of the live loads, tilt [rad]
	Forces   []float64    // on each driven support along its way [N, N m]: thrust, where it yields to that
	Gap      float64      // m: largest distance between corners that carry
	Dilation float64      // m: largest lift of corners that slid in the step, which the next takes back
	Motion   [][6]float64 // of blocks by unit of Distance, supports too
	Hinges   []Joint      // that carry and turn
	Slides   []Joint      // that carry and slide
	Meets    []Joint      // that did not touch before
	// Reactions are those on the corners, which are the interfaces of Assembly: it is as it is now.
	Reactions []Reaction
	Assembly  *Assembly
}

// Joined is the assembly of a state with one interface for all corners of two blocks, and the reactions at these.
func (p *Step) Joined() (*Assembly, []Reaction) {
	a := *p.Assembly
	a.Interfaces = nil
	at := map[[2]int]int{}
	of := make([]int, len(p.Assembly.Interfaces))
	for k, f := range p.Assembly.Interfaces {
		blocks := [2]int{min(f.A, f.B), max(f.A, f.B)}
		i, ok := at[blocks]
		if !ok {
			i = len(a.Interfaces)
			at[blocks] = i
			if f.A > f.B {
				f.A, f.B, f.Normal = f.B, f.A, add([3]float64{}, f.Normal, -1)
			}
			f.Points = nil
			a.Interfaces = append(a.Interfaces, f)
		}
		a.Interfaces[i].Points = append(a.Interfaces[i].Points, p.Assembly.Interfaces[k].Points...)
		of[k] = i
	}
	var reactions []Reaction
	for _, r := range p.Reactions {
		if f := &p.Assembly.Interfaces[r.Interface]; f.A > f.B {
			r.Force = add([3]float64{}, r.Force, -1)
		}
		r.Interface = of[r.Interface]
		reactions = append(reactions, r)
	}
	return &a, reactions
}

// A Joint is where two blocks touch, at a corner that carries.
type Joint struct {
	Blocks [2]int
	Point  [3]float64
	load   float64
}

// An Event is what begins or ends between two distances on a path.
type Event struct {
	From, Distance float64
	Level          float64 // at Distance
	What           Happening
	Joint          Joint
}

// Happening is what joints do.
type Happening string

// What joints do, in words.
const (
	HingeOpens Happening = "opens as a hinge"
	HingeRests Happening = "turns no more"
	SlipBegins Happening = "slides"
	SlipEnds   Happening = "slides no more"
	BlocksMeet Happening = "meet"
)

// PathOptions are the wishes for a path. The zero value works, and so does nil.
type PathOptions struct {
	// Steps is how many are wished for; states are told at their ends. Default 20.
	Steps int
	// Gap [-] is how far corners that carry may be apart, by the size of what is free. Default 1e-5.
	Gap float64
}

func (o *PathOptions) defaults() PathOptions {
	d := PathOptions{Steps: 20, Gap: 1e-5}
	if o != nil && o.Steps > 0 {
		d.Steps = o.Steps
	}
	if o != nil && o.Gap > 0 {
		d.Gap = o.Gap
	}
	return d
}

// Follow goes a path slowly, as long as forces balance.
//
// Rigid blocks do not move before a support does, and then with it: for a step h of the supports, displacements
// Δ of the blocks are those by which the loads work most without pressing a corner,
//
//	max f·Δ,   u = HᵀΔ + g + h u⁰,   u_N ≥ μ‖u_T‖
//
// where g are the gaps of corners (in u_N) and u⁰ is the motion of the supports at them. The dual solution has the
// forces, min (g + h u⁰)·r, H r + f = 0, r ∈ K: of all that balance, those of the least, or most, thrust. Both
// together are Coulomb's law in a step but that what slides is lifted by μ‖u_T‖ [Anitescu06]; as gaps are those
// of the geometry, the next step takes the lift back, and it is of the order of a step however far it slides. Where
// nothing slides, the law holds without lift.
//
// Loads λ l, or gravity, move nothing up to the margin. Beyond it the path is that of their displacement h, which they find:
//
//	max f·Δ,   l·Δ = h,   u = HᵀΔ + g ∈ K*          min g·r − h λ,   H r + f + λ l = 0,   r ∈ K
//
// so that each geometry has the largest level λ that it holds, rising or falling, as in a test that is driven by displacement.
// Of gravity λ is the tangent of the tilt from where it is, by Newton's method in each step.
//
// A step is taken back and halved until corners that carry are closed in the geometry that it leads to, turned by finite
// angles. So it is seen, too, that no balance is left: what falls moves far in any step. Collapse by supports lies
// between the last state and Least beyond. Where hinges open or blocks slide, steps are halved down to a thousandth of the
// path; vertices that slide off a side, or go into another, are found anew (meeting.go).
func Follow(ctx context.Context, a *Assembly, d *Drive, o *PathOptions) (*Path, error) {
	wish := o.defaults()
	if err := d.check(a); err != nil {
		return nil, err
	}
	w, err := newWalk(a, d).begin(ctx)
	if err != nil {
		return nil, err
	}
	if w == nil {
		return &Path{Holds: true}, nil
	}
	length := newStatics(a).length
	w.near = wish.Gap * length
	w.deep = newFinder(a, Finding{}).deepest()
	p := &follower{steps: wish.Steps, total: d.To, turns: map[[2]int]int{}}
	if len(d.Supports) == 0 {
		p.total = length
	}
	reach := length // of what a wish far beyond it is not to coarsen
	if len(d.Supports) > 0 && norm(d.Supports[0].Velocity) == 0 {
		reach = 1 // rad
	}
	p.Margin = max(w.first, w.angle)
	p.Least = min(p.total, reach) * 1e-6 // a share that no drawing shows
	return &p.Path, p.follow(ctx, w)
}

// A follower is a path that goes on.
type follower struct {
	Path
	steps  int
	total  float64        // distance at which it ends
	active []Event        // that began what joints do
	turns  map[[2]int]int // events of two blocks
	last   *Step          // before the geometry that is looked at
}

func (p *follower) follow(ctx context.Context, w *walk) error {
	var back *walk          // the geometry before w
	ahead := math.Inf(1)    // a distance at which something is to be seen from nearer
	finest := p.Least       // as near as that
	events := p.Least * 1e3 // events are told to that
	if len(w.drive.Supports) == 0 {
		events /= 20 // of the size of the assembly: most fall before they have moved by a tenth of it
	}
	h := p.total / float64(p.steps)
	for {
		if w.distance >= ahead-p.Least/2 {
			ahead = math.Inf(1)
		}
		h = min(h, p.mark(w)-w.distance, max((ahead-w.distance)/2, finest))
		step, next, err := w.shorten(ctx, h, p.Least)
		far := 0.
		if back != nil {
			far = w.distance - back.distance
		}
		if err != nil && (p.last == nil || !errors.Is(err, errJammed) && !errors.Is(err, errUndecided)) {
			return err
		}
		switch {
		case step == nil && far > 1.5*p.Least: // less of the last step, which led to where no forces balance
			ahead, finest, h = w.distance, p.Least, far/2
			w, back = back, nil
			continue
		case step != nil && far > events && !p.same(step):
			ahead, finest, h = w.distance, events, far/2
			w, back = back, nil
			continue
		case step == nil:
			return p.ends(ctx, w, err)
		}
		if back != nil && step.Distance > p.last.Distance {
			p.Between.add(back, p.last, w, step)
		}
		if p.record(w, step) {
			return nil
		}
		if next == nil {
			p.Holds = true
			return nil
		}
		h = p.stride(w, step, next)
		p.last = step
		w, back = next, w
	}
}

// mark is the distance at which a state is to be told next: supports are at equal parts of their way.
func (p *follower) mark(w *walk) float64 {
	part := p.total / float64(p.steps)
	if len(w.drive.Supports) == 0 {
		return w.distance + part
	}
	k := len(p.Steps)
	if p.due(w) {
		k++
	}
	return part * float64(k)
}

// due reports whether the state at w is to be told.
func (p *follower) due(w *walk) bool {
	return w.distance >= p.total*float64(len(p.Steps))/float64(p.steps)-p.Least/2
}

// stride is the next step to try: twice the last one, but for a part of what the level may change.
func (p *follower) stride(w *walk, step *Step, next *walk) float64 {
	h := 2 * (next.distance - w.distance)
	if p.last == nil || len(w.drive.Supports) > 0 || p.last.Distance == step.Distance {
		return h
	}
	change := math.Abs(step.Level-p.last.Level) / (step.Distance - p.last.Distance)
	return min(h, math.Abs(p.Peak.Level)/float64(p.steps)/change) // no change: no bound
}

// tell adds a state, once.
func (p *follower) tell(step *Step) {
	if n := len(p.Steps); n == 0 || p.Steps[n-1].Distance < step.Distance {
		p.Steps = append(p.Steps, *step)
	}
}

// record takes a state; it reports whether the path ends there.
func (p *follower) record(w *walk, step *Step) (done bool) {
	p.note(step)
	if len(w.drive.Supports) > 0 {
		if !p.due(w) {
			return false
		}
		p.tell(step)
		if p.Ends = w.lost(step); p.Ends != "" {
			return true
		}
		return len(p.Steps) > p.steps
	}
	if p.last == nil || step.Level > p.Peak.Level && !p.Collapsed {
		p.Peak = *step
	}
	if step.Level < p.Peak.Level-1e-6*math.Abs(p.Peak.Level) { // levels of what slides are found to 1e-8
		p.Collapsed = true
	}
	if n := len(p.Steps); n == 0 || step.Distance-p.Steps[n-1].Distance >= p.total/float64(p.steps) ||
		math.Abs(step.Level-p.Steps[n-1].Level) >= .999*p.Peak.Level/float64(p.steps) { // steps aim at these
		p.tell(step)
	}
	switch {
	case step.Distance > 0 && step.Level >= w.drive.To:
		p.Holds = true
	case step.Level <= 0:
		p.Ends = "beyond it falls by itself"
	case step.Distance >= p.total:
		p.Ends = "it has moved by the size of the assembly"
	default:
		p.Ends = w.lost(step)
	}
	if done = p.Holds || p.Ends != ""; done {
		p.tell(step)
	}
	return done
}

// ends is where no step leads on; of loads and tilts that no step did, at the margin.
func (p *follower) ends(ctx context.Context, w *walk, why error) error {
	brittle := p.last == nil && len(w.drive.Supports) == 0
	if brittle {
		step, err := w.held(ctx, max(w.first, w.angle))
		if err != nil {
			return err
		}
		p.last = step
		if step != nil {
			p.Peak = *step
		}
	}
	if p.last != nil {
		p.tell(p.last)
	}
	switch {
	case why != nil:
		p.Ends = why.Error()
	case len(w.drive.Supports) > 0:
		p.Collapsed = true
	case brittle:
		p.Ends = "no forces balance beyond, and no slow motion leads on"
	default:
		p.Ends = "no forces balance beyond, at any level"
	}
	return nil
}

// begun are the events that would begin what the joints of a step do.
func begun(step *Step) (all []Event) {
	for _, j := range step.Hinges {
		all = append(all, Event{Distance: step.Distance, Level: step.Level, What: HingeOpens, Joint: j})
	}
	for _, j := range step.Slides {
		all = append(all, Event{Distance: step.Distance, Level: step.Level, What: SlipBegins, Joint: j})
	}
	return all
}

func among(list []Event, e *Event) bool {
	return slices.ContainsFunc(list, func(o Event) bool { return o.What == e.What && o.Joint.Blocks == e.Joint.Blocks })
}

// same reports whether joints do what they did. A joint that opened and closed once is not looked at from nearer: of many
// blocks that could turn alike, programs choose now these, now those.
func (p *follower) same(step *Step) bool {
	now := begun(step)
	new := func(e Event, list []Event) bool {
		return !among(list, &e) && p.turns[e.Joint.Blocks] < 3
	}
	return !slices.ContainsFunc(now, func(e Event) bool { return new(e, p.active) }) &&
		!slices.ContainsFunc(p.active, func(e Event) bool { return new(e, now) })
}

// note tells what begins and ends with a step.
func (p *follower) note(step *Step) {
	if p.last != nil && p.last.Distance == step.Distance {
		return // taken back to, and told
	}
	now, from := begun(step), step.Distance
	if p.last != nil {
		from = p.last.Distance
	}
	tell := func(e Event, what Happening) {
		e.From, e.Distance, e.Level, e.What = from, step.Distance, step.Level, what
		p.Events = append(p.Events, e)
		p.turns[e.Joint.Blocks]++
	}
	for _, j := range step.Meets {
		tell(Event{Joint: j}, BlocksMeet)
	}
	for _, e := range p.active {
		if !among(now, &e) {
			tell(e, map[Happening]Happening{HingeOpens: HingeRests, SlipBegins: SlipEnds}[e.What])
		}
	}
	for _, e := range now {
		if !among(p.active, &e) {
			tell(e, e.What)
		}
	}
	p.active = now
}

// shorten takes a step of at most h; nil where none above the least leads on.
func (w *walk) shorten(ctx context.Context, h, least float64) (*Step, *walk, error) {
	for {
		step, next, err := w.try(ctx, h)
		if step != nil || err != nil {
			return step, next, err
		}
		if h /= 2; h < least/2 {
			return w.jammed(ctx)
		}
	}
}

// lost looks for blocks that overlap though no corner of them met, and for corners that carry and slid off where it is not
// known what is beside them.
func (w *walk) lost(step *Step) string {
	if err := newFinder(w.a, Finding{Gap: w.deep}).overlaps(); err != nil {
		return err.Error()
	}
	return w.off
}

var (
	errJammed    = errors.New("the support is jammed: blocks between it and others do not let it go this way")
	errUndecided = errors.New("it is at a limit: neither forces nor a fall are found")
)

// try takes a step h; nil where forces do not balance, or not at corners that are closed after it. The forces are
// those at its beginning. No next: loads are held at the end of the path, and whatever they are.
func (w *walk) try(ctx context.Context, h float64) (*Step, *walk, error) {
	w.status = conic.Optimal
	for n := range 40 { // corners that are found anew, Newton steps of a tilt: one or two; slips
		s := newStatics(w.a)
		p, terms := w.program(s, h)
		r, err := conic.Solve(ctx, p, nil)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case r.Status != conic.Optimal:
			w.status = r.Status
			return nil, nil, nil
		}
		level := 0.
		if terms.live != nil {
			level = terms.lowest + r.X[len(r.X)-1]/terms.size
		}
		if terms.live != nil && !w.drive.Loads {
			if math.Abs(level) > 1e-8 { // rad: what programs are solved to
				w = w.tiltedTo(w.angle + math.Atan(level))
				continue
			}
			level = w.angle
		}
		step, next := w.take(s, r, terms, h)
		step.Level = level
		if w.meetings(next) {
			continue
		}
		step.Meets = w.met
		if step.Gap > w.near {
			return nil, nil, nil
		}
		if step.Dilation > w.near && n < 20 {
			for k := range w.corners {
				w.corners[k].slips = next.corners[k].slips
			}
			continue
		}
		if step.Dilation > 100*w.near {
			return nil, nil, nil
		}
		next.off = next.renew()
		return step, next, nil
	}
	return nil, nil, nil
}

// jammed is where no step is short enough: blocks do not let the supports go, or hold loads at the end of the path, and beyond;
// else none balances.
func (w *walk) jammed(ctx context.Context) (*Step, *walk, error) {
	switch {
	case w.status == conic.Undecided:
		return nil, nil, errUndecided
	case w.status != conic.Unbounded:
		return nil, nil, nil
	case len(w.drive.Supports) > 0:
		return nil, nil, errJammed
	}
	step, err := w.held(ctx, w.drive.To)
	return step, nil, err
}

// held is a state without a motion, at a level of loads or a tilt; nil where no forces balance.
func (w *walk) held(ctx context.Context, level float64) (*Step, error) {
	if !w.drive.Loads {
		w = w.tiltedTo(level)
	}
	s := newStatics(w.a)
	f := s.total(1)
	if w.drive.Loads {
		f = s.total(level)
	}
	r, err := conic.Solve(ctx, s.program(f, own), nil)
	if err != nil || r.Status != conic.Optimal {
		return nil, err
	}
	return &Step{Distance: w.distance, Level: level, Motion: make([][6]float64, len(w.a.Blocks)), Assembly: w.a,
		Reactions: s.newtons(s.reactions(r.X, own))}, nil
}

// take is the step of an answer, with the geometry after it.
func (w *walk) take(s *statics, r *conic.Result, terms *terms, h float64) (*Step, *walk) {
	rates := make([]float64, s.nv)
	for i := range rates {
		rates[i] = -r.Y[i]
	}
	reactions := s.reactions(r.X, own)
	step := &Step{Distance: w.distance, Assembly: w.a, Motion: s.blockRates(rates), Reactions: s.newtons(reactions)}
	for k := range w.drive.Supports {
		m := &w.drive.Supports[k]
		v, rate := &step.Motion[m.Block], m.rate(w.a.Blocks[m.Block].Centroid)
		for e := range 3 {
			v[e] += rate[e]
			v[3+e] += m.Turning[e]
		}
	}
	step.Forces = w.forces(s, step.Reactions)
	slips := make([]float64, len(terms.along))
	s.motion(slips, rates)
	next := w.moved(step.Motion, h)
	play := 0. // gaps that this step closes, and leaves: such motions are none of joints
	for j := range s.contacts {
		c, o := &s.contacts[j], &next.corners[s.contacts[j].face]
		gap, slip := w.offset(c), [3]float64{} // of the step, with what the last one missed
		for e := 1; e < s.dim; e++ {
			slip = add(slip, c.frame[e], h*(slips[j*s.dim+e]+terms.along[j*s.dim+e])+gap[e])
		}
		o.slips = norm(slip) / h
		if next.offset(c)[0] > w.near {
			next.a.Interfaces[c.face].Tension = 0 // mortar and what snaps do not hold again
		}
		o.carries = reactions[j*s.dim] >= 1e-6 // of the loads: rounding of the program
		if !o.carries {
			o.slid = sub(o.point[1], o.point[0]) // where it touches again is not where it parted
			o.slid = add(o.slid, o.face(), -dot(o.slid, o.face()))
			continue
		}
		o.slid = add(o.slid, slip, 1)
		miss, lift := next.offset(c), c.mu*(norm(slip)-h*w.corners[c.face].slips)
		step.Gap = max(step.Gap, math.Abs(miss[0]-lift), math.Hypot(miss[1], miss[2]))
		step.Dilation = max(step.Dilation, math.Abs(lift))
		play = max(play, math.Abs(gap[0])+math.Abs(lift))
	}
	least := max(largest(rates)*1e-4, 2*play/h) // less is not told: programs leave 1e-6 where nothing moves
	for j := range s.contacts {
		if c := &s.contacts[j]; next.corners[c.face].carries {
			step.note(w, c, reactions[j*s.dim], next.corners[c.face].slips, least, s.length)
		}
	}
	return step, next
}

// note adds what a corner does that carries, where its motion is more than the least: a joint is where its corner carries most.
func (p *Step) note(w *walk, c *corner, load, slip, least, length float64) {
	f := &w.a.Interfaces[c.face]
	j := Joint{Blocks: [2]int{min(f.A, f.B), max(f.A, f.B)}, Point: c.point, load: load}
	turn := sub([3]float64(p.Motion[f.B][3:]), [3]float64(p.Motion[f.A][3:]))
	switch {
	case slip > least:
		p.Slides = noted(p.Slides, j)
	case length*norm(turn) > least:
		p.Hinges = noted(p.Hinges, j)
	}
}

func noted(list []Joint, j Joint) []Joint {
	k := slices.IndexFunc(list, func(o Joint) bool { return o.Blocks == j.Blocks })
	switch {
	case k < 0:
		return append(list, j)
	case j.load > list[k].load:
		list[k] = j
	}
	return list
}

// blockRates gives rates block by block: velocity of the centroid and of turning, by unit of the path.
func (s *statics) blockRates(v []float64) [][6]float64 {
	all := s.blockMotion(v)
	size := largest(v)
	if size == 0 {
		return make([][6]float64, len(all))
	}
	for i := range all {
		for k := range all[i] {
			all[i][k] *= size
		}
	}
	return all
}
