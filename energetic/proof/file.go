package proof

import (
	"encoding/json"
	"io"
	"math/big"
	"strconv"
)

// Format is what a proof file says it is.
const Format = "quasistatic proof 1"

// File is a proof as it is written: JSON. Numbers are ratios of integers, "3/8".
type File struct {
	Format     string `json:"format"`
	Case       string `json:"case_sha256"`       // of case.json
	Trajectory string `json:"trajectory_sha256"` // of trajectory.csv
	Claims     Claims `json:"claims"`
	Nodes      []Node `json:"nodes"` // of the polygon z(t), from t = 0
}

// Claims are the bounds that the verdict rests on: a check finds numbers that are not larger.
type Claims struct {
	// (S): a force that neither obstacles nor friction hold, at any time [N]
	Stability float64 `json:"stability"`
	Balance   float64 `json:"balance"` // (E): the residual [J]
	Apart     float64 `json:"apart"`   // the rows of the trajectory from the polygon [m]
	Start     float64 `json:"start"`   // the start from that of the case [m]
	// a particle from the exact solution, at a node [m]; nil: not said
	Tube *float64 `json:"tube"`
}

// Node is a node of the polygon.
type Node struct {
	T        string    `json:"t"`
	Z        []string  `json:"z"` // global coordinates, particle by particle
	Contacts []Contact `json:"contacts,omitempty"`
}

// Contact is a closed contact at a node: the obstacle, by its number among those of the particle.
type Contact struct {
	Particle int `json:"particle"`
	Obstacle int `json:"obstacle"`
	// what presses without friction, of which the threshold is μ times [N]
	Sigma      string    `json:"sigma"`
	Multiplier string    `json:"multiplier"` // of the constraint [N]
	Reaction   [3]string `json:"reaction"`   // its force and the friction, which add up to DE [N]
}

// Plane is n·(x − p) >= 0. Its numbers are the decimals of a case.
type Plane struct{ Normal, Point [3]float64 }

// Write writes the file.
func (f *File) Write(w io.Writer) error {
	f.Format = Format
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// NewNode makes a node of the state x. The closed contacts of a particle, and those that x is
// inside of by rounding, are closed to the last digit there: the nearest place that is.
func NewNode(t float64, x []float64, planes [][]Plane, closed func(particle, obstacle int) bool) Node {
	n := Node{T: Decimal(t), Z: make([]string, 0, len(x))}
	for j := range len(x) / 3 {
		var place [3]*big.Rat
		for i := range place {
			place[i] = new(big.Rat).SetFloat64(x[3*j+i])
		}
		var list []Plane
		for k, p := range planes[j] {
			if closed(j, k) || p.height(&place).Sign() < 0 {
				list = append(list, p)
			}
		}
		project(&place, list)
		for _, r := range place {
			n.Z = append(n.Z, r.RatString())
		}
	}
	return n
}

// Decimal is the shortest decimal of a number, as a ratio.
func Decimal(x float64) string { return decimal(x).RatString() }

func decimal(x float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return r
}

func (p *Plane) normal() (n [3]*big.Rat) {
	for i, x := range p.Normal {
		n[i] = decimal(x)
	}
	return n
}

// height is n·(x − p), in units of |n|.
func (p *Plane) height(x *[3]*big.Rat) *big.Rat {
	var d [3]*big.Rat
	for i := range d {
		d[i] = new(big.Rat).Sub(x[i], decimal(p.Point[i]))
	}
	n := p.normal()
	return dot(&n, &d)
}

func dot(a, b *[3]*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
	}
	return sum
}

// project moves a place onto planes, one after the other, each along the part of its normal that is
// perpendicular to those before.
func project(x *[3]*big.Rat, list []Plane) {
	var axes [][3]*big.Rat
	for i := range list {
		n := list[i].normal()
		for _, a := range axes {
			part := new(big.Rat).Quo(dot(&a, &n), dot(&a, &a))
			for r := range n {
				n[r] = new(big.Rat).Sub(n[r], new(big.Rat).Mul(part, a[r]))
			}
		}
		size := dot(&n, &n)
		if size.Sign() == 0 { // follows from those before
			continue
		}
		h := new(big.Rat).Quo(list[i].height(x), size)
		for r := range x {
			x[r] = new(big.Rat).Sub(x[r], new(big.Rat).Mul(h, n[r]))
		}
		axes = append(axes, n)
	}
}
