package dynamics

import "math"

// A contact does what it does until m(t*) = 0, with m what decides: of what presses its force N, of what
// sticks μN − |T|, of what slides its slip. A step tells between which times that is. m is known from the
// steps before, in which the contact did the same: the zero of its parabola through the last three, which
// that of the line through two of them differs from by what the next power would be, and more. A zero
// beyond the bounds is of a motion that is not smooth, and the bounds are what is known.

// courseLength is the number of steps before that are looked at.
const courseLength = 3

// Course is what decides how long a contact does what it does, in the last steps or parts of these.
type Course struct {
	N      int
	Forced [courseLength]float64 // times of the forces [s] …
	Push   [courseLength]float64 // … and these [N]
	Ended  [courseLength]float64 // times of the slips [s] …
	Hold   [courseLength]float64 // … and these [m/s], or of what sticks what is left of friction [N]
}

// Add takes one more step.
func (c *Course) Add(forced, push, ended, hold float64) {
	if c.N == courseLength {
		for k := range courseLength - 1 {
			c.Forced[k], c.Push[k], c.Ended[k], c.Hold[k] = c.Forced[k+1], c.Push[k+1], c.Ended[k+1], c.Hold[k+1]
		}
		c.N--
	}
	c.Forced[c.N], c.Push[c.N], c.Ended[c.N], c.Hold[c.N] = forced, push, ended, hold
	c.N++
}

// Deciding is what of a course comes to zero.
type Deciding uint8

// These are the force of what opens, the friction that is left where slip begins, and the slip that ends.
const (
	Presses Deciding = iota
	Holds
	Slides
)

// Date is when what decides comes to zero, between two times, and by how much that may be off [s]. Of what
// is not smooth there the middle is told.
func (c *Course) Date(by Deciding, low, high float64, smooth bool) (at, within float64) {
	times, decides := &c.Forced, &c.Push
	switch by {
	case Holds:
		decides = &c.Hold
	case Slides:
		times, decides = &c.Ended, &c.Hold
	}
	at, within = (low+high)/2, (high-low)/2
	if zero, off, ok := zeroBeyond(times, decides, c.N); ok && smooth && zero >= low && zero <= high {
		at, within = zero, min(off, max(zero-low, high-zero))
	}
	return at, within
}

// zeroBeyond is where what falls comes to zero, by the parabola through its last three values, and how
// far that is from the zero of the line through two; of two values alone nothing is known of that.
func zeroBeyond(t, m *[courseLength]float64, n int) (zero, off float64, ok bool) {
	if n < 2 {
		return 0, 0, false
	}
	a, b := n-2, n-1
	slope := (m[b] - m[a]) / (t[b] - t[a])
	if !(slope < 0) {
		return 0, 0, false
	}
	line := t[b] - m[b]/slope
	if n < courseLength {
		return line, math.Inf(1), true
	}
	// Newton's form: m_b + slope(t − t_b) + bend(t − t_b)(t − t_a), by the root that goes over into
	// that of the line.
	bend := (slope - (m[a]-m[a-1])/(t[a]-t[a-1])) / (t[b] - t[a-1])
	first := slope + bend*(t[b]-t[a])
	root := first*first - 4*bend*m[b]
	if !(root >= 0) || first >= 0 {
		return line, math.Inf(1), true // it does not come to zero so
	}
	zero = t[b] + 2*m[b]/(-first+math.Sqrt(root))
	return zero, math.Abs(zero - line), true
}
