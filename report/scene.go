package report

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
)

// FilmBytes is the size of the animation in the page, before base64: what fills a scene
// keeps to it.
const FilmBytes = 1_600_000

// Scene is what the page animates, as JSON inside it. Any model can fill it: what
// moves are points; links, polygons and contacts refer to them by number. Bodies
// are polygons through their corners, meshes are their triangles.
type Scene struct {
	Times     []float64 `json:"t"`
	IDs       []string  `json:"ids"` // names of points; shorter than Points if there are too many
	Points    int       `json:"points"`
	Anchors   int       `json:"anchors"`   // points from this number on are anchors
	Particles int       `json:"particles"` // the first of the points, drawn as particles
	Contacts  int       `json:"contacts"`
	// Of is the point of each contact, nil: that of its number. Names are those of the
	// contacts, nil: those of their points.
	Of        []int      `json:"of,omitempty"`
	Names     []string   `json:"names,omitempty"`
	Links     [][3]int   `json:"links"`    // from, to, kind (LinkTether, …)
	Polygons  [][]int    `json:"polygons"` // filled
	Obstacles []Obstacle `json:"obstacles"`
	On        []int      `json:"on"` // obstacle of each contact, −1: none, or another body
	// Axes are normal and first tangent of the contacts, six numbers each; nil: those of
	// the planes On.
	Axes []Channel `json:"axes,omitempty"`
	// X, Y, Z are positions of the points [m]; N, T1, T2 the force of the obstacle on a
	// contact along its normal and tangents, Bound the most friction in the direction of
	// (T1, T2) [N]. One value a time and point or contact.
	X      Channel `json:"x"`
	Y      Channel `json:"y"`
	Z      Channel `json:"z"`
	N      Channel `json:"n"`
	T1     Channel `json:"t1"`
	T2     Channel `json:"t2"`
	Bound  Channel `json:"bound"`
	Status string  `json:"status"` // a byte a time and contact, base64: StatusFree, …
	// Force is that whose arrow has the full length [N], see [ForceScale]; 0: there are none.
	Force  float64 `json:"force"`
	Chosen int     `json:"chosen"` // contact whose friction cone is shown first
	Sample int     `json:"sample"` // points that the run had, if not all are shown
	// Facets are those of the section of the friction cones, {x : d_i·x <= 1} with d_i at
	// the angles 2πi/Facets; 0: the disc. In the plane they are 2: a strip.
	Facets int `json:"facets,omitempty"`
	// Shapes are the friction matrices S of the contacts up to a factor, row by
	// row: the section is Sᵀ·disc. nil: all are isotropic.
	Shapes [][4]float64 `json:"shapes,omitempty"`

	Bodies []SceneBody `json:"bodies,omitempty"`
	Pose   []Channel   `json:"pose,omitempty"` // of the bodies: centre x, y, z [m], quaternion w, x, y, z
	Joints []SceneMark `json:"joints,omitempty"`
	Pushes *Pushes     `json:"pushes,omitempty"`
	// Acts are loads and forces of joints. Moment is that whose arrow goes by FullTurn [N m], see
	// [ForceScale]; 0: there are none.
	Acts   []SceneAct `json:"acts,omitempty"`
	Moment float64    `json:"moment,omitempty"`
	// Box is what the picture holds, lowest and highest coordinates [m]; nil: the range
	// of the points.
	Box *[2][3]float64 `json:"box,omitempty"`
	// Shade colours polygons, or links where there are none: a byte a time and one of
	// them, 255 for the largest value, base64; ShadeLabel says what and how much.
	Shade      string `json:"shade,omitempty"`
	ShadeLabel string `json:"shadeLabel,omitempty"`
	// Magnify is the factor of displacements that shows them best.
	Magnify float64 `json:"magnify,omitempty"`
	// Note is what the picture does not show as it is.
	Note string `json:"note,omitempty"`
	// Touching says that only contact points are drawn as points: the others are
	// corners of a mesh.
	Touching bool `json:"touching,omitempty"`
}

// The states of a contact; one that has no friction neither sticks nor slips.
const (
	StatusFree = iota
	StatusGrazing
	StatusStick
	StatusSlip
	StatusSmooth
)

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
	Parts   []ScenePart  `json:"parts,omitempty"`   // of a body of convex parts
	Length  float64      `json:"length,omitempty"`  // of the core of a capsule along x
	Radius  float64      `json:"radius,omitempty"`  // of a capsule
}

// SceneMark is a point that is drawn with a symbol: a joint, one to the ground, or
// the end of a spring.
type SceneMark struct {
	Point int    `json:"p"`
	Kind  string `json:"kind"` // joint, ground, slider, anchor, held
	// Rail are the ends of the guide of a slider, which stands still.
	Rail *[2][3]float64 `json:"rail,omitempty"`
}

// SceneAct is a force or a moment on a body that is none of a contact: a load, or what a joint rubs,
// drives or stops with.
type SceneAct struct {
	Name   string    `json:"name"`
	Joint  bool      `json:"joint,omitempty"` // it is of a joint
	Point  int       `json:"p"`               // at which it acts
	Body   int       `json:"b"`               // on which it acts
	Force  []Channel `json:"f,omitempty"`     // x, y, z [N]; nil: none
	Moment []Channel `json:"m,omitempty"`     // x, y, z [N m]; nil: none
}

// Pushes are contacts that come and go: Count of each time, then one value a contact.
type Pushes struct {
	Count  []int      `json:"count"`
	At     [3]Channel `json:"at"`     // [m]
	Normal [3]Channel `json:"normal"` // force along the normal [N]
	Cross  [3]Channel `json:"cross"`  // friction [N]
	Share  [2]Channel `json:"share"`  // friction along two tangents over the most that there can be [-]
	Status string     `json:"status"` // a byte a contact: StatusStick, …; base64
	// A is the body on which the forces act, B the other one, or −1 − i of obstacle i.
	A []int `json:"a"`
	B []int `json:"b"`
}

// Channel holds values between Low and High in 16 bits each, little-endian, in
// base64: the eye sees a thousandth.
type Channel struct {
	Low  float64 `json:"lo"`
	High float64 `json:"hi"`
	Data string  `json:"data"`
	// Exact values are float32 each: what is compared by more than the eye.
	Exact bool `json:"exact,omitempty"`
}

// ForceScale returns the force whose arrow has the full length: the largest one, or where
// impacts are far above it that which nine of ten times stay below. Arrows are as long as
// their force; a longer one is cut, with a mark. The list has the largest force of each time.
func ForceScale(list []float64) float64 {
	var some []float64
	for _, f := range list {
		if f > 0 {
			some = append(some, bounded(f))
		}
	}
	if len(some) == 0 {
		return 0
	}
	slices.Sort(some)
	const far, usual = 3, 0.9
	largest, below := some[len(some)-1], some[int(usual*float64(len(some)-1))]
	if largest > far*below {
		return below
	}
	return largest
}

// NewExactChannel encodes values in 32 bits each.
func NewExactChannel(values []float64) Channel {
	c := Channel{Exact: true}
	b := make([]byte, 0, 4*len(values))
	for i, v := range values {
		v = bounded(v)
		if i == 0 {
			c.Low, c.High = v, v
		}
		c.Low, c.High = min(c.Low, v), max(c.High, v)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(max(-math.MaxFloat32, min(v, math.MaxFloat32)))))
	}
	c.Data = base64.StdEncoding.EncodeToString(b)
	return c
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
