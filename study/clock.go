package study

import "time"

// clock tells the time; nil: that of the machine. What is done now and then depends on differences
// of it only, and a clock that was set back, by which nothing would be done for long, has passed
// every time.
type clock func() time.Time

func (c clock) now() time.Time {
	if c == nil {
		return time.Now()
	}
	return c()
}

// passed reports whether so much time has passed.
func (c clock) passed(since time.Time, d time.Duration) bool {
	p := c.now().Sub(since)
	return p < 0 || p >= d
}
