package meshview

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// change is a state of a contact from a time on.
type change struct {
	t     float64
	slips bool
}

// readChanges reads what contacts do whose friction depends on the speed of slip: no force says whether
// it is that of slip, at some speed, or one below what holds.
func (e *Reader) readChanges() error {
	if e.model.Slip == nil {
		return nil
	}
	e.changes = make([][]change, len(e.model.Contacts))
	contacts := map[string]int{}
	for k := range e.model.Contacts {
		contacts[e.model.NodeName(e.model.Contacts[k].Node)] = k
	}
	r, err := e.Files.CursorIfAny(table.EventsFile)
	if r == nil {
		return err
	}
	defer r.Close() // read only
	for {
		if err := r.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		k, ok := contacts[r.Row.Words[0]]
		if !ok {
			return fmt.Errorf("%s: node %s is not in contact", table.EventsFile, r.Row.Words[0])
		}
		e.changes[k] = append(e.changes[k], change{r.Row.T, r.Row.Words[2] == elastic.Slip.String()})
	}
}

// slips reports whether contact k slips at a time, by its changes; known is false where its force tells.
func (e *Reader) slips(t float64, k int) (slips, known bool) {
	if e.changes == nil || e.model.Slip[k] == nil {
		return false, false
	}
	list := e.changes[k]
	n := sort.Search(len(list), func(i int) bool { return list[i].t > t })
	return n > 0 && list[n-1].slips, true
}

// bound is the largest friction of contact k at a time, with its reaction: of what slips by a law over
// its speed that which it has [N].
func (e *Reader) bound(t float64, k int, r []float64) float64 {
	if slips, known := e.slips(t, k); known && slips {
		return math.Hypot(r[1], r[2])
	}
	return e.model.Friction[k] * max(r[0], 0)
}
