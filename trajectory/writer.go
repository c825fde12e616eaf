package trajectory

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// Names of the files in a run folder.
const (
	CaseFile         = "case.json"
	TrajectoryFile   = "trajectory.csv"
	ForcesFile       = "forces.csv"
	CertificatesFile = "certificates.csv"
	EventsFile       = "events.csv"
	SummaryFile      = "summary.json"
)

// Options say what is written. The zero value works.
type Options struct {
	// Every thins out trajectory, forces and certificates to every n-th node; the
	// first and the last one are always written. 0 means 1. Events are complete.
	Every int
}

// Writer writes the files of a run folder node by node. Not safe for concurrent
// use.
type Writer struct {
	sys                                     *particles.System
	ids                                     []string
	every                                   int
	trajectory, forces, certificates, event *lines
	x                                       []float64 // global positions
	last                                    energetic.Node
	pending                                 bool // last is a node not yet written
	stop, stopped                           chan struct{}
}

// Create makes the folder, if it is not there, and the files in it.
func Create(dir string, sys *particles.System, ids []string, o Options) (*Writer, error) {
	if len(ids) != sys.N() {
		panic(fmt.Sprintf("trajectory: Create: %d ids for %d particles", len(ids), sys.N()))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	w := newWriter(sys, ids, o)
	for _, f := range []struct {
		dst  **lines
		name string
	}{{&w.trajectory, TrajectoryFile}, {&w.forces, ForcesFile}, {&w.certificates, CertificatesFile}, {&w.event, EventsFile}} {
		l, err := createLines(filepath.Join(dir, f.name))
		if err != nil {
			w.closeFiles()
			return nil, fmt.Errorf("trajectory: %w", err)
		}
		*f.dst = l
	}
	go w.clock()
	if err := w.headers(); err != nil {
		w.Close() // the error at hand comes first
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	return w, nil
}

func newWriter(sys *particles.System, ids []string, o Options) *Writer {
	return &Writer{sys: sys, ids: ids, every: max(1, o.Every), x: make([]float64, 3*sys.N()),
		stop: make(chan struct{}), stopped: make(chan struct{})}
}

// clock flushes the files every second, also during a step that takes long.
func (w *Writer) clock() {
	defer close(w.stopped)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			for _, l := range w.files() {
				_ = l.flush() // the error is kept and returned by the next write
			}
		}
	}
}

// files returns those that are open.
func (w *Writer) files() []*lines {
	var list []*lines
	for _, l := range []*lines{w.trajectory, w.forces, w.certificates, w.event} {
		if l != nil {
			list = append(list, l)
		}
	}
	return list
}

func (w *Writer) headers() error {
	columns := func(suffixes ...string) func([]byte) []byte {
		return func(dst []byte) []byte { return appendHeader(dst, w.ids, suffixes) }
	}
	text := func(s string) func([]byte) []byte {
		return func(dst []byte) []byte { return append(dst, s...) }
	}
	for _, h := range []struct {
		l    *lines
		fill func([]byte) []byte
	}{
		{w.trajectory, columns("x", "y", "z")},
		{w.forces, columns("n", "tx", "ty")},
		{w.certificates, text(strings.Join(CertificateColumns, ","))},
		{w.event, text(eventHeader)},
	} {
		err := h.l.write(h.fill)
		if err == nil {
			err = h.l.flush() // a file that someone watches has its header first
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Observe writes a node.
func (w *Writer) Observe(n *energetic.Node) error {
	if err := w.events(n); err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	w.pending = n.K%w.every != 0
	if w.pending {
		w.keep(n)
		return nil
	}
	return w.node(n)
}

// keep copies a node that is the last one, if no other follows.
func (w *Writer) keep(n *energetic.Node) {
	z, grad, states := w.last.Z, w.last.Grad, w.last.States
	w.last = *n
	w.last.Z = append(z[:0], n.Z...)
	w.last.Grad = append(grad[:0], n.Grad...)
	w.last.States = append(states[:0], n.States...)
}

func (w *Writer) node(n *energetic.Node) error {
	w.sys.ToGlobal(w.x, n.Z)
	err := w.trajectory.write(func(dst []byte) []byte { return appendRow(dst, n.T, w.x) })
	if err == nil {
		err = w.forces.write(func(dst []byte) []byte { return w.appendForces(dst, n) })
	}
	if err == nil {
		err = w.certificates.write(func(dst []byte) []byte { return appendCertificate(dst, n) })
	}
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

func appendRow(dst []byte, t float64, values []float64) []byte {
	dst = appendNumber(dst, t)
	for _, v := range values {
		dst = appendNumber(append(dst, ','), v)
	}
	return dst
}

// Reaction returns the force (n, tx, ty) of the obstacle on a particle, zero where
// it does not touch.
func Reaction(n *energetic.Node, j int) [3]float64 {
	if n.States[j] == incremental.Free {
		return [3]float64{}
	}
	return [3]float64{n.Grad[3*j+2], n.Grad[3*j], n.Grad[3*j+1]}
}

func (w *Writer) appendForces(dst []byte, n *energetic.Node) []byte {
	dst = appendNumber(dst, n.T)
	for j := range w.ids {
		for _, v := range Reaction(n, j) {
			dst = appendNumber(append(dst, ','), v)
		}
	}
	return dst
}

func appendCertificate(dst []byte, n *energetic.Node) []byte {
	dst = appendRow(dst, n.T, []float64{n.Energy, n.Dissipation, n.Work, n.Balance, n.Gap.Upper, n.Force})
	return strconv.AppendInt(append(dst, ','), int64(n.SinceEvent), 10)
}

// events writes the changes of contact at a node.
func (w *Writer) events(n *energetic.Node) error {
	if n.K == 0 {
		return nil
	}
	for j, s := range n.States {
		if from := n.Before[j]; s != from {
			err := w.event.write(func(dst []byte) []byte {
				dst = append(append(append(appendNumber(dst, n.T), ','), w.ids[j]...), ',')
				return append(append(append(dst, from.String()...), ','), s.String()...)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Jump writes the event of a discontinuity at time t: the particle that moved
// most, from "jump" to its state behind.
func (w *Writer) Jump(t float64, particle int, behind incremental.ContactState) error {
	err := w.event.write(func(dst []byte) []byte {
		dst = append(append(append(appendNumber(dst, t), ','), w.ids[particle]...), ",jump,"...)
		return append(dst, behind.String()...)
	})
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

// Close writes what is left and closes the files. The first error is returned.
func (w *Writer) Close() error {
	close(w.stop)
	<-w.stopped
	var err error
	if w.pending {
		err = w.node(&w.last)
	}
	if e := w.closeFiles(); err == nil && e != nil {
		err = fmt.Errorf("trajectory: %w", e)
	}
	return err
}

func (w *Writer) closeFiles() error {
	var first error
	for _, l := range w.files() {
		if err := l.close(); first == nil {
			first = err
		}
	}
	return first
}

// CopyFile copies a file beside a case into the run folder, under the same
// relative name.
func CopyFile(dir, name, from string) error {
	dst := filepath.Join(dir, name)
	if same(dst, from) {
		return nil
	}
	src, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	defer src.Close() // read only: nothing can be lost
	if err := os.MkdirAll(filepath.Dir(dst), 0o777); err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return WriteAtomic(dst, func(w io.Writer) error {
		_, err := io.Copy(w, src)
		return err
	})
}

// same reports whether two names are of one file, which must not be overwritten
// by itself.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
