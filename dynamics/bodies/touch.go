package bodies

import (
	"cmp"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Touch is one point where a body may meet another one or an obstacle.
type Touch struct {
	Key   uint64 // the same from step to step: bodies and features
	A, B  int    // bodies; B is −1 for a half-space
	Floor int    // half-space, −1 for a body
	At, N [3]float64
	Gap   float64 // signed distance along N, which points into A [m]
	// Free > 0: two corners meet in one place, where any direction of a whole cone is a normal; N
	// is the one in its middle, and others turn away from it by up to this angle [rad].
	Free float64
	// Leaps: At leaps over a body that turns, as on a rim that lies flat.
	Leaps bool
}

// On is 1 where the forces of a touch on its first body are those on a body by another one, or by the
// obstacle −1 − other, −1 where they are those against it, and 0 of others.
func (t *Touch) On(body, other int) float64 {
	second := t.B
	if second < 0 {
		second = -1 - t.Floor
	}
	switch {
	case t.A == body && second == other:
		return 1
	case t.A == other && second == body:
		return -1
	}
	return 0
}

// Keys hold the first body, the second or the half-space, and the feature, above which are the
// numbers of the parts that meet: 18 bits, 1, 17, 13 and 16.
const (
	FeatureBits = partShift + 13 // of a touch
	bodyBits    = 17
	floorFlag   = 1 << (FeatureBits + bodyBits)
)

func touchKey(a, b, floor, feature int) uint64 {
	k := uint64(a)<<(FeatureBits+bodyBits+1) | uint64(feature)
	if floor >= 0 {
		return k | floorFlag | uint64(floor)<<FeatureBits
	}
	return k | uint64(b)<<FeatureBits
}

// TouchKey is the key of a touch of two bodies, or of a body and a half-space for
// b < 0; see [TouchOf].
func TouchKey(a, b, floor, feature int) uint64 { return touchKey(a, b, floor, feature) }

// Pair returns what a touch belongs to, the same for all touches of a pair.
func (t *Touch) Pair() uint64 { return t.Key >> FeatureBits }

// PairTouch names the pair of the bodies a < b, for [Toucher.Again].
func PairTouch(a, b int) Touch { return Touch{Key: touchKey(a, b, -1, 0), A: a, B: b, Floor: -1} }

// FloorTouch names a body and a half-space, for [Toucher.Again].
func FloorTouch(body, floor int) Touch {
	return Touch{Key: touchKey(body, -1, floor, 0), A: body, B: -1, Floor: floor}
}

// TouchOf splits the key of a touch: bodies (b is −1 for a half-space), half-space
// (−1 for a body) and feature.
func TouchOf(key uint64) (a, b, floor, feature int) {
	a, feature = int(key>>(FeatureBits+bodyBits+1)), int(key&(1<<FeatureBits-1))
	b, floor = int(key>>FeatureBits&(1<<bodyBits-1)), -1
	if key&floorFlag != 0 {
		b, floor = -1, b
	}
	return a, b, floor, feature
}

// Toucher finds the touches of the bodies of a world. It keeps memory between
// calls; the zero value is not ready, use [World.NewToucher].
type Toucher struct {
	// Most ends a search once it has found so many touches; 0: it finds all. What it leaves out
	// the next one takes for none, unless the bodies move.
	Most int

	w     *World
	skip  map[uint64]bool
	poses []pose
	there []pose // of the obstacles that move
	order []int
	balls []sphere // around the bodies, in that order
	clip  clipper
	// Of the last Find: bodies that have not moved since touch as they did.
	was    []pose
	found  []Touch
	from   []int // those whose first body is i are found[from[i]:from[i+1]]
	margin float64
	moved  []bool
	keys   []placedKey
	asked  [4]answer // of the last pairs that were asked for again
	next   int       // of these, the one to forget
}

// answer is what two bodies, or a body and an obstacle, do at a place, which is asked for again for each of their touches.
type answer struct {
	pair    [4]int // bodies, obstacle and the part that meets alone
	a, b    pose
	touches []Touch
}

// NewToucher prepares the search among all bodies and half-spaces but the
// pairs for which skip is true (b < 0: half-space −1−b).
func (w *World) NewToucher(skip func(a, b int) bool) *Toucher {
	t := &Toucher{w: w, skip: map[uint64]bool{}, poses: make([]pose, len(w.bodies)), was: make([]pose, len(w.bodies)),
		there: make([]pose, len(w.floors)), moved: make([]bool, len(w.bodies)), from: make([]int, len(w.bodies)+1), margin: math.NaN()}
	t.clip.plane = w.dim == 2
	for i := range w.bodies {
		t.order = append(t.order, i)
		if skip == nil {
			continue
		}
		for f := range w.floors {
			if skip(i, -1-f) {
				t.skip[touchKey(i, -1, f, 0)] = true
			}
		}
		for j := range i {
			if skip(j, i) {
				t.skip[touchKey(j, i, -1, 0)] = true
			}
		}
	}
	return t
}

// Find overwrites dst with all touches at (time, q) whose gap is at most margin [m],
// sorted by key.
func (t *Toucher) Find(dst []Touch, time float64, q []float64, margin float64) []Touch {
	w, dst := t.w, dst[:0]
	for f := range w.floors {
		t.move(f, time)
	}
	for i := range w.bodies {
		t.poses[i] = w.pose(i, q)
		t.moved[i] = t.poses[i] != t.was[i] || margin != t.margin
		for f := range w.floors {
			if t.moved[i] || w.floors[f].Motion.Moves() {
				dst = t.onFloor(dst, i, f, margin)
			} else {
				dst = t.asBefore(dst, i, touchKey(i, -1, f, 0))
			}
		}
	}
	t.margin = margin
	copy(t.was, t.poses)
	left := func(i int) float64 { return t.poses[i].c[0] - w.bodies[i].form.reach - margin }
	for k := 1; k < len(t.order); k++ { // insertion: the order changes little
		for i := k; i > 0 && left(t.order[i]) < left(t.order[i-1]); i-- {
			t.order[i], t.order[i-1] = t.order[i-1], t.order[i]
		}
	}
	t.balls = t.balls[:0]
	for _, i := range t.order {
		t.balls = append(t.balls, sphere{t.poses[i].c, w.bodies[i].form.reach})
	}
	for k, i := range t.order {
		x := &t.balls[k]
		right := x.c[0] + x.r
		for l := k + 1; l < len(t.balls); l++ {
			y := &t.balls[l]
			if y.c[0]-y.r-margin > right || t.Most > 0 && len(dst) >= t.Most {
				break
			}
			if x.beyond(y, margin) {
				continue
			}
			if a, b := min(i, t.order[l]), max(i, t.order[l]); t.moved[a] || t.moved[b] {
				dst = t.between(dst, a, b, margin)
			} else {
				dst = t.asBefore(dst, a, touchKey(a, b, -1, 0))
			}
		}
	}
	t.sort(dst)
	k := 0
	for i := range t.from {
		for k < len(t.found) && t.found[k].A < i {
			k++
		}
		t.from[i] = k
	}
	return dst
}

// sort sorts touches by key, and keeps them. The keys are moved about alone, as a touch is
// five times as long.
func (t *Toucher) sort(dst []Touch) {
	t.keys = slices.Grow(t.keys[:0], len(dst))
	for i := range dst {
		t.keys = append(t.keys, placedKey{dst[i].Key, i})
	}
	slices.SortFunc(t.keys, func(a, b placedKey) int { return cmp.Compare(a.key, b.key) })
	t.found = slices.Grow(t.found[:0], len(dst))
	for _, k := range t.keys {
		t.found = append(t.found, dst[k.at])
	}
	copy(dst, t.found)
}

// placedKey is the key of a touch and its place in a list.
type placedKey struct {
	key uint64
	at  int
}

// sphere is around a body.
type sphere struct {
	c vec
	r float64
}

// beyond reports whether two spheres are apart by more than a margin.
func (x *sphere) beyond(y *sphere, margin float64) bool {
	a, b, c := x.c[0]-y.c[0], x.c[1]-y.c[1], x.c[2]-y.c[2]
	far := x.r + y.r + margin
	return a*a+b*b+c*c > far*far
}

// asBefore appends the touches that the last Find has found of body a and what a key names beside
// it.
func (t *Toucher) asBefore(dst []Touch, a int, key uint64) []Touch {
	pair := key >> FeatureBits
	for k := t.from[a]; k < t.from[a+1]; k++ {
		if x := &t.found[k]; x.Key>>FeatureBits == pair {
			dst = append(dst, *x)
		}
	}
	return dst
}

// Again appends the touches at (time, q) of the pair that a touch belongs to, with no
// bound on the gap.
func (t *Toucher) Again(dst []Touch, time float64, q []float64, x *Touch) []Touch {
	return t.again(dst, time, q, x, 0)
}

// OnPoint is the touch of x at (time, q) if it is that of a point of a body of one part over a
// half-space, or over a face of a mesh that is nearest to it, which no other feature takes part in; else
// ok is false.
func (t *Toucher) OnPoint(time float64, q []float64, x *Touch) (y Touch, ok bool) {
	if x.B >= 0 {
		return y, false
	}
	b, fl := &t.w.bodies[x.A], &t.w.floors[x.Floor]
	m, mesh := fl.Surface.(Mesh)
	if !fl.plane && !mesh || b.form.solid != nil || b.form.parts != nil {
		return y, false
	}
	k, p := int(x.Key&(1<<FeatureBits-1)), t.w.pose(x.A, q)
	t.poses[x.A] = p
	if !mesh {
		return t.onPlane(x.A, x.Floor, k), true
	}
	if !fl.Motion.Moves() {
		z, ok := m.under(&b.form, &p, k)
		return Touch{x.Key, x.A, -1, x.Floor, z.at, z.n, z.gap, 0, false}, ok
	}
	return y, false
}

// onPlane is the touch of point k of a body of one part and a half-space at rest.
func (t *Toucher) onPlane(i, f, k int) Touch {
	p, fl := &t.poses[i], &t.w.floors[f]
	m := t.w.bodies[i].form.onPlane(p, k, fl.point, fl.normal)
	return Touch{touchKey(i, -1, f, k), i, -1, f, vec3.Add(p.c, 1, m.r), m.n, m.gap, 0, false}
}

// again is [Toucher.Again] of all parts, or of those before only.
func (t *Toucher) again(dst []Touch, time float64, q []float64, x *Touch, only int) []Touch {
	const all = 1e300
	t.clip.only = only
	defer func() { t.clip.only = 0 }()
	t.poses[x.A] = t.w.pose(x.A, q)
	pair, other := [4]int{x.A, x.B, x.Floor, only}, pose{}
	if x.B < 0 {
		t.move(x.Floor, time)
		other = t.there[x.Floor]
	} else {
		t.poses[x.B] = t.w.pose(x.B, q)
		other = t.poses[x.B]
	}
	for i := range t.asked {
		if y := &t.asked[i]; y.pair == pair && y.a == t.poses[x.A] && y.b == other && len(y.touches) > 0 {
			return append(dst, y.touches...)
		}
	}
	n := len(dst)
	if x.B < 0 {
		dst = t.onFloor(dst, x.A, x.Floor, all)
	} else {
		dst = t.between(dst, x.A, x.B, all)
	}
	if len(dst)-n > 1 { // one touch asks once
		y := &t.asked[t.next]
		t.next = (t.next + 1) % len(t.asked)
		y.pair, y.a, y.b, y.touches = pair, t.poses[x.A], other, append(y.touches[:0], dst[n:]...)
	}
	return dst
}

// move takes an obstacle to where it is at a time.
func (t *Toucher) move(f int, time float64) {
	if x := &t.w.floors[f]; x.Motion.Moves() {
		t.there[f] = x.pose(time)
	}
}

func (t *Toucher) onFloor(dst []Touch, i, f int, margin float64) []Touch {
	b, p, fl := &t.w.bodies[i], &t.poses[i], &t.w.floors[f]
	if fl.plane && vec3.Dot(fl.normal, vec3.Add(p.c, -1, fl.point)) > b.form.reach+margin {
		return dst
	}
	if len(t.skip) > 0 && t.skip[touchKey(i, -1, f, 0)] {
		return dst
	}
	if fl.plane && b.form.solid == nil && b.form.parts == nil {
		for k := range b.form.onFlat() {
			if m := t.onPlane(i, f, k); m.Gap <= margin {
				dst = append(dst, m)
			}
		}
		return dst
	}
	t.clip.reset()
	t.clip.margin = margin
	fl.collect(&t.clip, &b.form, p, &t.there[f])
	for _, m := range t.clip.out {
		if m.gap <= margin {
			dst = append(dst, Touch{touchKey(i, -1, f, m.feature), i, -1, f, m.at, m.n, m.gap, m.free, m.leaps})
		}
	}
	return dst
}

func (t *Toucher) between(dst []Touch, a, b int, margin float64) []Touch {
	fa, fb := &t.w.bodies[a].form, &t.w.bodies[b].form
	if len(t.skip) > 0 && t.skip[touchKey(a, b, -1, 0)] {
		return dst
	}
	t.clip.reset()
	t.clip.margin = margin
	t.clip.pair(fa, fb, &t.poses[a], &t.poses[b])
	for _, m := range t.clip.out {
		if m.gap <= margin {
			dst = append(dst, Touch{touchKey(a, b, -1, m.feature), a, b, -1, m.at, m.n, m.gap, m.free, m.leaps})
		}
	}
	return dst
}

// spot is a meeting at a place in space.
type spot struct {
	at, n vec
	gap   float64
}

// spotOf turns the lever from the centre of the first body into a place.
func spotOf(m meeting, p *pose) spot { return spot{vec3.Add(p.c, 1, m.r), m.n, m.gap} }

// point is a spot with the features that make it.
type point struct {
	spot
	feature int
	free    float64 // see [Touch.Free]
	leaps   bool    // see [Touch.Leaps]
}

// clipper is the narrow phase: it collects the points of one pair.
type clipper struct {
	plane      bool
	margin     float64 // gaps beyond need not be known
	only       int     // one more than the parts that are to meet; 0: all
	out        []point
	poly, next []corner
	points     []vec
	lowest     []vec
	list       []int // of triangles that are near
	separation separated
}

func (c *clipper) reset() { c.out = c.out[:0] }

func (c *clipper) add(m spot, feature int) { c.out = append(c.out, point{spot: m, feature: feature}) }
