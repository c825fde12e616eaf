package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/incremental"
)

// csvSource reads trajectory.csv, forces.csv and events.csv side by side. The
// files have no status: it follows from the first node and the events.
type csvSource struct {
	scene  *Scene
	whole  bool // the files must end together
	files  []*os.File
	at     *Reader
	forces *Reader
	events *eventReader
	first  map[int]incremental.ContactState // states before the first events
	status []incremental.ContactState
	begun  bool

	// A node of which only the positions are there yet.
	pending bool
	t       float64
	x       []float64
}

// openCSV opens the files in a folder. If whole is false, the run may still be
// going on or may have been killed: then the last line may be incomplete and one
// file may have more lines than another.
func openCSV(dir string, scene *Scene, whole bool) (src Source, err error) {
	s := &csvSource{scene: scene, whole: whole, status: make([]incremental.ContactState, len(scene.IDs)), x: make([]float64, 3*len(scene.IDs))}
	defer func() {
		if err != nil {
			_ = s.Close() // read only
		}
	}()
	if s.at, err = s.table(dir, TrajectoryFile, [3]string{".x", ".y", ".z"}); err != nil {
		return nil, err
	}
	if s.forces, err = s.table(dir, ForcesFile, [3]string{".n", ".tx", ".ty"}); err != nil {
		return nil, err
	}
	if s.first, err = firstStates(dir, scene.IDs); err != nil {
		return nil, err
	}
	in, err := s.open(dir, EventsFile)
	if err != nil {
		return nil, err
	}
	s.events, err = newEventReader(&wholeLines{in: in}, filepath.Join(dir, EventsFile), scene.IDs)
	return s, err
}

func (s *csvSource) open(dir, name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	s.files = append(s.files, f)
	return f, nil
}

func (s *csvSource) table(dir, name string, endings [3]string) (*Reader, error) {
	f, err := s.open(dir, name)
	if err != nil {
		return nil, err
	}
	var in io.Reader = f
	if !s.whole {
		in = &wholeLines{in: f}
	}
	return newReader(in, filepath.Join(dir, name), s.scene.IDs, endings)
}

// Next implements Source.
func (s *csvSource) Next(f *Frame) error {
	if !s.pending {
		t, x, err := s.at.Next()
		if err == io.EOF && s.whole {
			if _, _, more := s.forces.Next(); more != io.EOF {
				return s.forces.fault("the file goes on after the end of %s", TrajectoryFile)
			}
		}
		if err != nil {
			return err
		}
		s.pending, s.t = true, t
		copy(s.x, x)
	}
	t, force, err := s.forces.Next()
	switch {
	case err == io.EOF && s.whole:
		return s.forces.fault("the file ends before t=%g, to which %s goes: it is cut off", s.t, TrajectoryFile)
	case err != nil:
		return err
	case t != s.t:
		return s.forces.fault("the time is %g, but %g in %s: the files are not of one run", t, s.t, TrajectoryFile)
	}
	s.pending = false
	f.T = t
	copy(f.X, s.x)
	copy(f.Force, force)
	return s.state(f)
}

// state sets the status of the node from that before and the events since.
func (s *csvSource) state(f *Frame) error {
	if !s.begun {
		s.begun = true
		s.start(f)
	}
	for {
		e, err := s.events.until(f.T)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if !e.Jump {
			s.status[e.Particle] = e.To
		}
	}
	copy(f.Status, s.status)
	return nil
}

// start classifies the first node as the run did: nothing slips yet.
func (s *csvSource) start(f *Frame) {
	for j := range s.status {
		frame := s.scene.System.Frame(j)
		height := 0.0
		scale := 0.0
		for c := range 3 {
			height += frame.N[c] * (f.X[3*j+c] - frame.P[c])
			scale = max(scale, math.Abs(f.X[3*j+c]), math.Abs(frame.P[c]))
		}
		first, changes := s.first[j]
		switch {
		case changes:
			s.status[j] = first
		case frame.Free || height > snapped*scale && f.Force[3*j] == 0:
			s.status[j] = incremental.Free
		case f.Force[3*j] <= 0:
			s.status[j] = incremental.Grazing
		default:
			s.status[j] = incremental.Stick
		}
	}
}

// Close implements Source.
func (s *csvSource) Close() error {
	var first error
	for _, f := range s.files {
		if err := f.Close(); first == nil {
			first = err
		}
	}
	return first
}

// Event is a change of contact, a row of events.csv.
type Event struct {
	T        float64
	Particle int
	From, To incremental.ContactState
	Jump     bool // a discontinuity; then From is To
}

// eventReader reads events.csv with one line in advance.
type eventReader struct {
	name  string
	in    *bufio.Reader
	line  int
	index map[string]int
	ahead *Event
}

const (
	eventHeader = "t,particle,from,to"
	jumpWord    = "jump" // in place of the state before
)

func newEventReader(in io.Reader, name string, ids []string) (*eventReader, error) {
	r := &eventReader{name: name, in: bufio.NewReader(in), index: make(map[string]int, len(ids))}
	for j, id := range ids {
		r.index[id] = j
	}
	text, err := r.in.ReadString('\n')
	r.line = 1
	if err != nil && err != io.EOF {
		return nil, err
	}
	if strings.TrimSpace(text) != eventHeader {
		return nil, r.fault("found the header %q, want %s", clip(strings.TrimSpace(text)), eventHeader)
	}
	return r, nil
}

func (r *eventReader) fault(format string, args ...any) error {
	return &FormatError{File: r.name, Line: r.line, Text: fmt.Sprintf(format, args...)}
}

// until returns the next event that is not after t, else io.EOF.
func (r *eventReader) until(t float64) (Event, error) {
	if r.ahead == nil {
		e, err := r.next()
		if err != nil {
			return Event{}, err
		}
		r.ahead = &e
	}
	if r.ahead.T > t {
		return Event{}, io.EOF
	}
	e := *r.ahead
	r.ahead = nil
	return e, nil
}

func (r *eventReader) next() (e Event, err error) {
	text, err := r.in.ReadString('\n')
	if text == "" {
		return e, err
	}
	r.line++
	fields := strings.Split(strings.TrimSpace(text), ",")
	if len(fields) != 4 {
		return e, r.fault("found %d values, want 4: the line is cut off or from another file", len(fields))
	}
	if e.T, err = strconv.ParseFloat(fields[0], 64); err != nil || math.IsNaN(e.T) || math.IsInf(e.T, 0) {
		return e, r.fault("the time is %q, want a finite number", clip(fields[0]))
	}
	var known bool
	if e.Particle, known = r.index[fields[1]]; !known {
		return e, r.fault("the particle is %q, which the case does not have", clip(fields[1]))
	}
	if e.To, err = incremental.ParseContactState(fields[3]); err != nil {
		return e, r.fault("%v", err)
	}
	e.From = e.To
	if e.Jump = fields[2] == jumpWord; e.Jump {
		return e, nil
	}
	if e.From, err = incremental.ParseContactState(fields[2]); err != nil {
		return e, r.fault("%v", err)
	}
	return e, nil
}

// ReadEvents calls visit for the events of a run folder that are there.
func ReadEvents(dir string, ids []string, visit func(Event)) error {
	name := filepath.Join(dir, EventsFile)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("table: %s is missing: is it the folder of a run? %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	defer f.Close() // read only
	r, err := newEventReader(&wholeLines{in: f}, name, ids)
	for err == nil {
		var e Event
		if e, err = r.next(); err == nil {
			visit(e)
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// firstStates returns the states before the first event of each particle.
func firstStates(dir string, ids []string) (map[int]incremental.ContactState, error) {
	first := map[int]incremental.ContactState{}
	err := ReadEvents(dir, ids, func(e Event) {
		if _, seen := first[e.Particle]; !seen && !e.Jump {
			first[e.Particle] = e.From
		}
	})
	return first, err
}
