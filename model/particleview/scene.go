package particleview

import (
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/meshview"
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
	// Areas are those that particles of bodies have of the sides that touch [m²; of a plane body m, of a ring all of
	// it in m²].
	Areas []float64
	Amid  [][3]int // particles amid two of a quadratic side that touches, with these
	// Relinearise makes the functional, and Areas, at the places x of the first of two nodes of one time, at which a
	// run made them anew; nil: they stay.
	Relinearise func(t float64, x []float64) (*dissipation.Coulomb, []float64, error)
	// Indicator makes what gives the parts of the elements of each body in a bound of the error of their meshes [J],
	// nil where none is known; nil: there are no bodies.
	Indicator   func() Indicator
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

// Indicator gives the parts of elements at a state with the coordinates z, after the one before.
type Indicator func(t float64, before, z, force []float64, states []incremental.ContactState) [][]float64

// contacts are the forces (n, tx, ty) of the obstacles on the particles, in global axes, with places for more points.
func (s *Scene) contacts(sys *particles.System, areas []float64, points int, t float64, z, force []float64) *meshview.Contacts {
	c := meshview.NewContacts(points)
	for j := range s.IDs {
		f, area := force[3*j:3*j+3], 0.0
		if sys.Frame(j).Free || f[0] == 0 && f[1] == 0 && f[2] == 0 {
			continue
		}
		if areas != nil {
			area = areas[j]
		}
		n, u, v, _ := sys.ContactAxesAt(t, j, z)
		c.Set(j, [][3]float64{n, u, v}, f, area)
	}
	for _, x := range s.Amid {
		c.Between(x[0], x[1], x[2])
	}
	return c
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
