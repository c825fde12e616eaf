package particleview

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Reader reads the files of a run of particles, as far as they are there, and keeps
// what the page shows. Memory does not grow with the number of nodes.
type Reader struct {
	files *table.Folder
	psi   *dissipation.Coulomb
	scene *Scene

	src    *frames
	cert   *table.Cursor
	record *recorder
	sensed *report.Record // sensors.csv; nil: there is none
	steps  report.Series  // of the run: length of step, changes of contact, force residual
	film   *film
	frame  *frame
	node   energetic.Node
	before []incremental.ContactState
	k      int // nodes read
	ready  bool
	shown  []int // particles shown, those with symbols first
	marked int   // of them with symbols: not the nodes of a mesh that cannot touch

	column map[int]int     // of the contacts of particles with several obstacles, by their number
	smooth map[string]bool // contacts without friction, by name; nil: not asked yet
}

// Channels of the series steps.
const (
	stepLength = iota
	changes
	forceResidual
	stepChannels
)

const (
	// mostShown is the number of particles that are animated.
	mostShown  = 4000
	mostFrames = 1500
)

// NewReader returns the reader of the folder of a run that ends at a time. Close it.
func NewReader(files *table.Folder, psi *dissipation.Coulomb, scene *Scene, until float64) *Reader {
	n := len(scene.IDs)
	psi = psi.Own()
	r := &Reader{files: files, psi: psi, scene: scene, record: newRecorder(psi, scene.IDs, until), steps: report.NewSeries(stepChannels),
		frame: newFrame(n), before: make([]incremental.ContactState, n)}
	r.node.Z, r.node.Grad = make([]float64, 3*n), make([]float64, 3*n)
	r.show(n)
	r.column = scene.columns()
	if len(scene.Sensors) > 0 {
		r.sensed = &report.Record{File: table.SensorsFile}
	}
	const ofContact = 4*4 + 6*2 + 1 // forces, axes, state
	perFrame := 6*len(r.shown) + ofContact*len(r.contacts()) + 6*len(scene.Anchors) + r.faces()
	r.film = newFilm(n, min(mostFrames, max(24, report.FilmBytes/perFrame)))
	return r
}

// show chooses the particles of the animation. Of bodies these are the nodes that can
// be seen.
func (r *Reader) show(n int) {
	f := r.record.flesh
	if f == nil {
		for k := range min(n, mostShown) {
			if j := k * n / min(n, mostShown); !r.internal(j) {
				r.shown = append(r.shown, j)
			}
		}
		r.marked = len(r.shown)
		return
	}
	for j := range n {
		if r.internal(j) {
			continue
		}
		if !f.inside[j] || r.scene.System.Constrained(j) {
			r.shown = append(r.shown, j)
		}
	}
	r.marked = len(r.shown)
	for i, v := range f.views {
		for _, k := range v.Nodes {
			if j := f.bodies[i].First() + k; !r.scene.System.Constrained(j) {
				r.shown = append(r.shown, j)
			}
		}
	}
}

// internal reports whether a particle stands for an internal variable, which has no place.
func (r *Reader) internal(j int) bool { return j >= len(r.scene.IDs)-r.scene.Internal }

// faces returns the number of faces of bodies.
func (r *Reader) faces() int {
	n := 0
	if f := r.record.flesh; f != nil {
		for _, v := range f.views {
			n += len(v.Faces)
		}
	}
	return n
}

// Close closes the files.
func (r *Reader) Close() error {
	var err error
	if r.src != nil {
		err = r.src.close()
	}
	if r.cert != nil {
		err = errors.Join(err, r.cert.Close())
	}
	if r.sensed != nil {
		err = errors.Join(err, r.sensed.Close())
	}
	return err
}

// open opens the files.
func (r *Reader) open() error {
	src, err := openFrames(r.files, r.scene)
	if err != nil {
		return err
	}
	r.cert, err = r.files.Cursor(table.CertificatesFile)
	if err != nil {
		_ = src.close() // read only
		return err
	}
	r.src = src
	return nil
}

// Read takes in all nodes that are there and were not read yet, and returns how
// many these were.
func (r *Reader) Read(ctx context.Context) (int, error) {
	if r.src == nil {
		if err := r.open(); err != nil {
			return 0, err
		}
	}
	began := r.k
	for ctx.Err() == nil {
		if !r.ready {
			err := r.src.next(r.frame)
			if err == io.EOF {
				break
			}
			if err != nil {
				return r.k - began, err
			}
			r.ready = true
		}
		err := r.cert.Next()
		if err == io.EOF {
			break // its certificate comes later
		}
		if err != nil {
			return r.k - began, err
		}
		if r.cert.Row.T != r.frame.T {
			return r.k - began, r.cert.Fault("the time is %g, but %g in the trajectory: the files are not of one run",
				r.cert.Row.T, r.frame.T)
		}
		r.ready = false
		if err := r.relinearise(); err != nil {
			return r.k - began, err
		}
		r.take(r.cert.Row.Values)
	}
	if r.sensed != nil && ctx.Err() == nil {
		return r.k - began, r.sensed.Read(ctx, r.files, true)
	}
	return r.k - began, ctx.Err()
}

// relinearise goes on with the functional in force from the present frame on.
func (r *Reader) relinearise() (err error) {
	if last := r.film.last; r.scene.Relinearise != nil && r.k > 0 && r.frame.T == last.T {
		r.psi, _, err = r.scene.Relinearise(last.T, last.X)
	}
	r.frame.psi, r.record.psi = r.psi, r.psi
	return err
}

// take takes in the present frame with its certificate.
func (r *Reader) take(row []float64) {
	n, f := &r.node, r.frame
	length := f.T - n.T
	n.K, n.T = r.k, f.T
	f.local(n.Z)
	r.psi.Advance(n.T, n.Z)
	f.Slipped = r.psi.Slips(n.T, n.Z)
	for j := range f.Status {
		n.Grad[3*j], n.Grad[3*j+1], n.Grad[3*j+2] = f.Force[3*j+1], f.Force[3*j+2], f.Force[3*j]
	}
	if f.Contacts != nil {
		if n.Reactions == nil {
			n.Reactions = make([][3]float64, r.psi.System.Contacts())
		}
		for j := range f.Status {
			n.Reactions[j] = [3]float64(f.Force[3*j:])
		}
		for k, c := range r.scene.Contacts {
			n.Reactions[c.Number] = [3]float64(f.Contacts[3*k:])
		}
	}
	n.States = f.Status
	n.Energy, n.Dissipation, n.Work, n.Balance, n.Gap.Upper, n.Force = row[0], row[1], row[2], row[3], row[4], row[5]
	if k := len(certificateColumns); len(row) > k {
		n.Plastic = row[k]
	}
	n.EnergyScale = max(n.EnergyScale, math.Abs(n.Energy), n.Dissipation, n.Plastic, math.Abs(n.Work))
	changed := 0.0
	for j, s := range f.Status {
		if r.k > 0 && s != r.before[j] {
			changed++
		}
	}
	copy(r.before, f.Status)
	r.record.observe(n)
	if r.k > 0 {
		r.steps.Add(f.T, []float64{length, changed, n.Force})
	}
	r.film.add(r.k, f)
	r.k++
}

// Nodes returns the number of nodes read.
func (r *Reader) Nodes() int { return r.k }

// time returns the time of the last one.
func (r *Reader) time() float64 { return r.node.T }
