package particleview

import (
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/obstacle"
	"github.com/quasistatic/quasistatic/particles"
)

// Scene says what the numbers of a run belong to.
type Scene struct {
	IDs     []string
	System  *particles.System
	Anchors []Anchor
	Links   []Link
	// Contacts are those of particles with several obstacles; nil: there are none.
	Contacts []Contact
	// Obstacles are all of the case; On tells which of them the obstacle with a chart is.
	Obstacles []Obstacle
	Internal  int // of the particles, the last ones, which stand for internal variables
	On        map[*particles.Chart]int
	// Relinearise makes the functional at the places x of the first of two nodes of one time, at which a run made it
	// anew; nil: the functional stays.
	Relinearise func(t float64, x []float64) (*dissipation.Coulomb, error)
	Sensors     []string // columns of sensors.csv; none: there is no such file
	SensorUnits map[string]string
}

// Obstacle is one of the case: a plane at rest, which is the Frame of particles, or what Shape
// says, which may move.
type Obstacle struct {
	Name  string
	Frame particles.Frame
	Shape obstacle.Obstacle
}

// columns returns the place of each contact of Contacts by its number in the system.
func (s *Scene) columns() map[int]int {
	columns := map[int]int{}
	for k, c := range s.Contacts {
		columns[c.Number] = k
	}
	return columns
}

// Contact is one of several contacts of a particle.
type Contact struct {
	ID     string // particle/obstacle
	Number int    // in the system
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
	Element // no link: an element of a body
)

// anchorsAt appends the positions of the anchors at time t.
func (s *Scene) anchorsAt(dst []float64, t float64) []float64 {
	for _, a := range s.Anchors {
		for c := range 3 {
			dst = append(dst, a.Path[c].At(t))
		}
	}
	return dst
}

// globalForce splits the force (n, tx, ty) of the obstacle on a particle, in its frame, into contact and friction force in
// global coordinates.
func globalForce(r []float64, frame particles.Frame) (contact, friction [3]float64) {
	if frame.Free || frame.Chart != nil { // whose axes follow the particle
		return
	}
	for c := range 3 {
		contact[c] = r[0] * frame.N[c]
		friction[c] = r[1]*frame.T[c] + r[2]*frame.O[c]
	}
	return
}

// Reaction returns the force (n, tx, ty) of the obstacle of a contact on its particle, zero
// where it does not touch.
func Reaction(n *energetic.Node, j int) [3]float64 {
	if n.Reactions != nil {
		return n.Reactions[j]
	}
	if n.States[j] == incremental.Free {
		return [3]float64{}
	}
	return [3]float64{n.Grad[3*j+2], n.Grad[3*j], n.Grad[3*j+1]}
}
