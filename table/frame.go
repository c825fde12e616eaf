package table

import (
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// Frame is a node as the files of a run hold it.
type Frame struct {
	T      float64                    // [s]
	X      []float64                  // positions, global coordinates, 3N [m]
	Force  []float64                  // (n, tx, ty) of every particle, 3N [N]
	Status []incremental.ContactState // N
}

// NewFrame returns a frame of n particles.
func NewFrame(n int) *Frame {
	return &Frame{X: make([]float64, 3*n), Force: make([]float64, 3*n), Status: make([]incremental.ContactState, n)}
}

// Source gives the frames of a run in order of time.
type Source interface {
	// Next fills f. It returns io.EOF after the last frame; a source of a run that
	// goes on may have more later.
	Next(f *Frame) error
	Close() error
}

// Sink takes the frames of a run. Nothing has the final name before Close.
type Sink interface {
	Put(f *Frame) error
	// Close finishes the file, or removes what there is of it after a fault.
	Close(fault error) error
}

// Scene says what the numbers of a run belong to.
type Scene struct {
	IDs     []string
	System  *particles.System
	Anchors []Anchor
	Links   []Link
}

// Anchor is a point that moves in a prescribed way.
type Anchor struct {
	ID   string
	Path particles.Path
}

// Link joins two points: particles by their number, then anchors.
type Link struct {
	A, B int
	Kind LinkKind
}

// LinkKind is what a link stands for.
type LinkKind uint8

// The kinds of links; their numbers are those in VTU files.
const (
	Vertex LinkKind = iota // no link: the point of a particle
	Tether
	Spring
	Bond
)

var linkNames = [...]string{"particle", "tether", "spring", "bond"}

func (k LinkKind) String() string { return linkNames[k] }

// AnchorsAt appends the positions of the anchors at time t.
func (s *Scene) AnchorsAt(dst []float64, t float64) []float64 {
	for _, a := range s.Anchors {
		for c := range 3 {
			dst = append(dst, a.Path[c].At(t))
		}
	}
	return dst
}

// GlobalForce splits the reaction of a particle into contact and friction force in
// global coordinates.
func (s *Scene) GlobalForce(f *Frame, j int) (contact, friction [3]float64) {
	r := f.Force[3*j : 3*j+3]
	frame := s.System.Frame(j)
	if frame.Free {
		return
	}
	for c := range 3 {
		contact[c] = r[0] * frame.N[c]
		friction[c] = r[1]*frame.T[c] + r[2]*frame.O[c]
	}
	return
}
