package study

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// lookPause is the time between two looks at the queue while no result comes.
const lookPause = 10 * time.Second

// mend looks at the server now and then while no result comes: what somebody has taken away is put
// back, the study, its streams, and the runs that are neither queued nor made. A study whose queue
// was purged would wait for ever.
func (c *collector) mend(ctx context.Context, x *shipment, replicas int, every time.Duration) error {
	seen := c.next.Load()
	for {
		if wait(ctx, every); ctx.Err() != nil {
			return nil
		}
		if next := c.next.Load(); next != seen {
			seen, c.unread = next, false
			continue
		}
		err := c.create(ctx, x, replicas)
		if err == nil {
			err = c.refill(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errStore):
			return err
		}
		seen = c.next.Load()
	}
}

// refill queues the runs that are missing on the server. The queue is looked at first: a run leaves
// it after its result is there.
func (c *collector) refill(ctx context.Context) error {
	before, next := c.missing.list(), c.next.Load()
	queued, _, err := c.subjects(ctx, workStream(c.key))
	if err != nil {
		return err
	}
	made, last, err := c.subjects(ctx, resultStream(c.key))
	if err != nil {
		return err
	}
	n, unread := 0, false
	for _, k := range before {
		id := k.String()
		_, waits := queued[workSubject(c.key, id)]
		_, there := made[resultSubject(c.key, id)]
		run, ours := c.work.index.find(id)
		c.mu.Lock()
		busy := c.isMaking(id) || !c.missing.waits(k)
		c.mu.Unlock()
		unread = unread || there && !busy
		if waits || there || busy || !ours {
			continue
		}
		if err := c.order(ctx, c.work, run); err != nil {
			return err
		}
		n++
	}
	unread = unread && !c.taking.Load() // what waits for another result was not passed over
	// Another stream, whose results begin anew; or results that lie there from look to look.
	if end := c.restart.Load(); end != nil && (last+1 < next || unread && c.unread) {
		if last+1 < next {
			c.highest.Store(0)
		}
		c.next.Store(1)
		(*end)()
	}
	c.unread = unread
	if n > 0 {
		c.mu.Lock()
		c.dropped["runs were gone from the queue and are queued again"] += n
		c.mu.Unlock()
	}
	return nil
}

// subjects are those of the messages of a stream, and the number of the last one that it has had.
func (c *collector) subjects(ctx context.Context, stream string) (list map[string]uint64, last uint64, err error) {
	err = c.persist(ctx, func(ctx context.Context) error {
		s, err := c.js.Stream(ctx, stream)
		if err != nil {
			return err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
		if err == nil {
			list, last = info.State.Subjects, info.State.LastSeq
		}
		return err
	})
	return list, last, err
}
