package report

import (
	"encoding/base64"
	"encoding/binary"
	"math"
)

// FilmBytes is the size of the animation in the page, before base64: what fills a scene
// keeps to it.
const FilmBytes = 1_600_000

// Scene is what the page animates, as JSON inside it. Any model can fill it: what
// moves are points; links, polygons and contacts refer to them by number. Bodies
// are polygons through their corners, meshes are their triangles.
type Scene struct {
	Times     []float64  `json:"t"`
	IDs       []string   `json:"ids"`     // names of points; shorter than Points if there are too many
	Points    int        `json:"points"`  // number; the first Contacts of them may touch
	Anchors   int        `json:"anchors"` // points from this number on are anchors
	Contacts  int        `json:"contacts"`
	Links     [][3]int   `json:"links"`    // from, to, kind (LinkTether, …)
	Polygons  [][]int    `json:"polygons"` // filled
	Obstacles []Obstacle `json:"obstacles"`
	On        []int      `json:"on"` // obstacle of each contact point, −1: none
	// X, Y, Z are positions of the points [m]; N, T1, T2 the force of the obstacle
	// on the contact points along its normal and tangents, Bound the most friction
	// in the direction of (T1, T2) [N]. One value a time and point.
	X      Channel `json:"x"`
	Y      Channel `json:"y"`
	Z      Channel `json:"z"`
	N      Channel `json:"n"`
	T1     Channel `json:"t1"`
	T2     Channel `json:"t2"`
	Bound  Channel `json:"bound"`
	Status string  `json:"status"` // a byte a time and contact point, base64
	Chosen int     `json:"chosen"` // contact point whose friction cone is shown first
	Sample int     `json:"sample"` // points that the run had, if not all are shown
	// Facets are those of the section of the friction cones, {x : d_i·x <= 1} with d_i at
	// the angles 2πi/Facets; 0: the disc. In the plane they are 2: a strip.
	Facets int `json:"facets,omitempty"`
	// Shapes are the friction matrices S of the contact points up to a factor, row by
	// row: the section is Sᵀ·disc. nil: all are isotropic.
	Shapes [][4]float64 `json:"shapes,omitempty"`

	Bodies []SceneBody `json:"bodies,omitempty"`
	Pose   []Channel   `json:"pose,omitempty"` // of the bodies: centre x, y, z [m], quaternion w, x, y, z
	Joints []SceneMark `json:"joints,omitempty"`
	Pushes *Pushes     `json:"pushes,omitempty"`
	// Box is what the picture holds, lowest and highest coordinates [m]; nil: the range
	// of the points.
	Box *[2][3]float64 `json:"box,omitempty"`
	// Shade colours polygons, or links where there are none: a byte a time and one of
	// them, 255 for the largest value, base64; ShadeLabel says what and how much.
	Shade      string `json:"shade,omitempty"`
	ShadeLabel string `json:"shadeLabel,omitempty"`
	// Magnify is the factor of displacements that shows them best.
	Magnify float64 `json:"magnify,omitempty"`
	// Touching says that only contact points are drawn as points: the others are
	// corners of a mesh.
	Touching bool `json:"touching,omitempty"`
}

// The kinds of links.
const (
	LinkTether = iota + 1
	LinkSpring
	LinkBond
	LinkRod // rigid
	LinkBar // an element of a bar
)

// SceneBody is a rigid body in its own frame; one of the shapes is set.
type SceneBody struct {
	Name    string       `json:"name"`
	Outline [][2]float64 `json:"outline,omitempty"` // in its x-z-plane [m]
	Round   *[3]float64  `json:"round,omitempty"`   // semi-axes of an ellipsoid
	Half    *[3]float64  `json:"half,omitempty"`    // half edges of a box
	Length  float64      `json:"length,omitempty"`  // of the core of a capsule along x
	Radius  float64      `json:"radius,omitempty"`  // of a capsule
}

// SceneMark is a point that is drawn with a symbol: a joint, one to the ground, or
// the end of a spring.
type SceneMark struct {
	Point int    `json:"p"`
	Kind  string `json:"kind"` // joint, ground, slider, anchor
	// Axis is the direction of a slider.
	Axis *[3]float64 `json:"axis,omitempty"`
}

// Pushes are contacts that come and go: Count of each time, then one value a contact.
type Pushes struct {
	Count  []int      `json:"count"`
	At     [3]Channel `json:"at"`     // [m]
	Normal [3]Channel `json:"normal"` // force along the normal [N]
	Cross  [3]Channel `json:"cross"`  // friction [N]
	Share  [2]Channel `json:"share"`  // friction along two tangents over the most that there can be [-]
	Status string     `json:"status"` // a byte a contact: 2 stick, 3 slip; base64
	Force  float64    `json:"force"`  // largest [N]
}

// Obstacle is a plane through P with the frame T, O, N.
type Obstacle struct {
	P [3]float64 `json:"p"`
	T [3]float64 `json:"t"`
	O [3]float64 `json:"o"`
	N [3]float64 `json:"n"`
}

// Channel holds values between Low and High in 16 bits each, little-endian, in
// base64: the eye sees a thousandth.
type Channel struct {
	Low  float64 `json:"lo"`
	High float64 `json:"hi"`
	Data string  `json:"data"`
}

// NewChannel encodes values.
func NewChannel(values []float64) Channel {
	c := Channel{}
	for i, v := range values {
		v = bounded(v)
		if i == 0 {
			c.Low, c.High = v, v
		}
		c.Low, c.High = min(c.Low, v), max(c.High, v)
	}
	const steps = math.MaxUint16
	scale := 0.0
	if c.High > c.Low {
		scale = steps / (c.High - c.Low)
	}
	b := make([]byte, 0, 2*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint16(b, uint16(math.Round((bounded(v)-c.Low)*scale)))
	}
	c.Data = base64.StdEncoding.EncodeToString(b)
	return c
}
