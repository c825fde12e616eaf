package particleview

import (
	"errors"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// JumpWord stands in events.csv for the state before a discontinuity.
const JumpWord = "jump"

// LossWord stands there for that before the end of an evolution, beyond which there is no
// equilibrium.
const LossWord = "loss"

// NoState reports whether a word stands for no state before.
func NoState(word string) bool { return word == JumpWord || word == LossWord }

// states gives the contact states of particles. The tables have none: they follow from the
// first node and the events; of several nodes at one time, at a jump, all have the last.
type states struct {
	scene  *Scene
	index  map[string]int
	events *table.Cursor // nil: there are none
	ahead  bool          // the row of events is not taken yet
	first  map[int]incremental.ContactState
	now    []byte
	beside []incremental.ContactState // of the contacts after those of the particles
	begun  bool
}

// openStates implements Open of [table.States].
func (s *Scene) openStates(f *table.Folder) (table.StateSource, error) { return newStates(s, f) }

func newStates(s *Scene, f *table.Folder) (*states, error) {
	x := &states{scene: s, index: make(map[string]int, len(s.IDs)), now: make([]byte, len(s.IDs))}
	for j, id := range s.IDs {
		x.index[id] = j
	}
	x.beside = make([]incremental.ContactState, s.System.Contacts()-len(s.IDs))
	for _, c := range s.Contacts {
		x.index[c.ID] = c.Number
	}
	var err error
	if x.first, err = x.firstStates(f); err == nil {
		for c, state := range x.first {
			if i := c - len(s.IDs); i >= 0 {
				x.beside[i] = state
			}
		}
		x.events, err = f.CursorIfAny(table.EventsFile)
	}
	return x, err
}

// firstStates returns the states before the first event of each particle.
func (x *states) firstStates(f *table.Folder) (map[int]incremental.ContactState, error) {
	first := map[int]incremental.ContactState{}
	c, err := f.CursorIfAny(table.EventsFile)
	if c == nil {
		return first, err
	}
	defer c.Close() // read only
	for {
		if err := c.Next(); errors.Is(err, io.EOF) {
			return first, nil
		} else if err != nil {
			return nil, err
		}
		j, from, _, err := x.event(c)
		if err != nil {
			return nil, err
		}
		if _, seen := first[j]; !seen && !NoState(c.Row.Words[1]) {
			first[j] = from
		}
	}
}

// event reads the present row of events.csv.
func (x *states) event(c *table.Cursor) (j int, from, to incremental.ContactState, err error) {
	who, before, after := c.Row.Words[0], c.Row.Words[1], c.Row.Words[2]
	j, known := x.index[who]
	if !known {
		return 0, 0, 0, c.Fault("the particle is %q, which the case does not have", who)
	}
	if math.IsNaN(c.Row.T) || math.IsInf(c.Row.T, 0) {
		return 0, 0, 0, c.Fault("the time is %g, want a finite number", c.Row.T)
	}
	if to, err = incremental.ParseContactState(after); err != nil {
		return 0, 0, 0, c.Fault("%v", err)
	}
	from = to
	if !NoState(before) {
		if from, err = incremental.ParseContactState(before); err != nil {
			return 0, 0, 0, c.Fault("%v", err)
		}
	}
	return j, from, to, nil
}

// At implements [table.StateSource].
func (x *states) At(rows []*table.SheetRow) ([]byte, error) {
	return x.at(rows[0].T, rows[0].Values, rows[1].Values)
}

// at returns the states at a time, with positions and forces there.
func (x *states) at(t float64, at, force []float64) ([]byte, error) {
	if !x.begun {
		x.begun = true
		x.start(at, force)
	}
	for x.events != nil {
		if !x.ahead {
			if err := x.events.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			x.ahead = true
		}
		if x.events.Row.T > t {
			break
		}
		j, _, to, err := x.event(x.events)
		if err != nil {
			return nil, err
		}
		switch i := j - len(x.now); {
		case NoState(x.events.Row.Words[1]):
		case i < 0:
			x.now[j] = byte(to)
		default:
			x.beside[i] = to
		}
		x.ahead = false
	}
	return x.now, nil
}

// besides appends the states of the contacts after those of the particles; one that has no
// event is what its force says.
func (x *states) besides(dst []incremental.ContactState, forces []float64) []incremental.ContactState {
	dst = append(dst, x.beside...)
	for k, c := range x.scene.Contacts {
		i := c.Number - len(x.now)
		if _, changes := x.first[c.Number]; i < 0 || changes {
			continue
		}
		if dst[i] = incremental.Free; forces[3*k] > 0 {
			dst[i] = incremental.Stick
		}
	}
	return dst
}

// start classifies the first node as the run did: nothing slips yet.
func (x *states) start(at, force []float64) {
	for j := range x.now {
		frame := x.scene.System.Frame(j)
		height, scale := 0.0, 0.0
		for c := range 3 {
			height += frame.N[c] * (at[3*j+c] - frame.P[c])
			scale = max(scale, math.Abs(at[3*j+c]), math.Abs(frame.P[c]))
		}
		first, changes := x.first[j]
		switch {
		case changes:
			x.now[j] = byte(first)
		case frame.Free || (frame.Relative || height > snapped*scale) && force[3*j] == 0: // P is of no place on another body
			x.now[j] = byte(incremental.Free)
		case force[3*j] <= 0:
			x.now[j] = byte(incremental.Grazing)
		default:
			x.now[j] = byte(incremental.Stick)
		}
	}
}

// Close closes the events.
func (x *states) Close() error {
	if x.events == nil {
		return nil
	}
	return x.events.Close()
}
