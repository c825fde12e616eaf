// Package looks has a context for tests of what can be stopped: it ends at a look at it, not at a
// time, so that a test sees the same on a fast machine, a slow one and a busy one.
package looks

import (
	"context"
	"sync/atomic"
)

// Context is done at one of the calls of Err; where it never is, it counts them.
type Context struct {
	context.Context
	end   context.CancelFunc
	most  int64
	count atomic.Int64
}

// After returns a context that is done after so many looks at it, that is from the next call
// of its Err on. Channels of Done are closed then. Several goroutines may look.
func After(parent context.Context, most int) *Context {
	inner, cancel := context.WithCancel(parent)
	return &Context{Context: inner, end: cancel, most: int64(most)}
}

// Err implements [context.Context], and is the look that counts.
func (c *Context) Err() error {
	if c.count.Add(1) > c.most {
		c.end()
	}
	return c.Context.Err()
}

// Count is how often Err was called.
func (c *Context) Count() int { return int(c.count.Load()) }

// Beyond is how often Err was called after the context was done by its looks.
func (c *Context) Beyond() int { return max(0, c.Count()-int(c.most)) }
