package answer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
)

// driven is what --move drives, as it is called in answers.
type driven struct {
	assembly.Drive
	labels []string  // of each support, as right:x
	unit   string    // of Distance of supports: m or degrees
	scale  float64   // of distances of supports, to that unit and with the sign of the first
	rates  []float64 // of each support by unit of the first [m, rad]
}

var errMove = errors.New("want BLOCK:x=METRES, BLOCK:ry=DEGREES@x,y,z, gravity:x=DEGREES or loads=FACTOR")

// drive reads what is moved: supports together in proportion, or gravity, or the live loads.
func drive(a *assembly.Assembly, wishes []string) (*driven, error) {
	d := &driven{scale: 1}
	for _, wish := range wishes {
		if err := d.add(a, wish); err != nil {
			return nil, fmt.Errorf("move %q: %w", wish, err)
		}
	}
	return d, nil
}

func (d *driven) add(a *assembly.Assembly, wish string) error {
	target, value, _ := strings.Cut(wish, "=")
	value, about, turns := strings.Cut(value, "@")
	amount, err := strconv.ParseFloat(value, 64)
	if err != nil || !(math.Abs(amount) > 0) || math.Abs(amount) > 1e6 {
		return errMove
	}
	at := strings.LastIndex(target, ":")
	block := -1
	if at >= 0 {
		block = slices.IndexFunc(a.Blocks, func(b assembly.Block) bool { return b.Name == target[:at] })
	}
	loads, gravity := target == "loads", block < 0 && at >= 0 && target[:at] == "gravity"
	switch {
	case len(d.Supports) > 0 && (loads || gravity) || d.To > 0 && len(d.Supports) == 0:
		return errors.New("supports, gravity and loads are moved one at a time")
	case turns && (loads || gravity):
		return errors.New("only a support turns about a point")
	case loads && !slices.ContainsFunc(a.Loads, func(l assembly.Load) bool { return l.Live }):
		return errors.New("no load is live: there is nothing that a factor multiplies")
	case loads && amount < 0:
		return errors.New("want a positive factor")
	case loads:
		d.Loads, d.To = true, amount
		return nil
	case gravity:
		return d.tilt(a, target[at+1:], amount)
	}
	return d.support(a, target, amount, about, turns)
}

func (d *driven) tilt(a *assembly.Assembly, way string, degreesOf float64) (err error) {
	if k := strings.Index("xyz", way); k >= 0 && len(way) == 1 {
		d.Tilt[k] = 1
	} else if d.Tilt, err = vector(way); err != nil {
		return errMove
	}
	if a.Plane && d.Tilt[1] != 0 {
		return errors.New("the assembly is in the plane of x and z")
	}
	if d.To = math.Abs(degreesOf) / degrees; d.To > math.Pi/2 {
		return errors.New("want a tilt of up to 90 degrees")
	}
	for k := range d.Tilt {
		d.Tilt[k] = math.Copysign(1, degreesOf) * d.Tilt[k]
	}
	return nil
}

func (d *driven) support(a *assembly.Assembly, target string, amount float64, about string, pointed bool) (err error) {
	turns := strings.LastIndex(target, ":r") == len(target)-3 && len(target) > 3
	where := target
	if turns {
		where = target[:len(target)-2] + target[len(target)-1:]
	}
	block, axis, err := place(a, where)
	if err != nil {
		return fmt.Errorf("%w; %s", err, errMove)
	}
	m := assembly.SupportMotion{Block: block, Point: touched(a, block)}
	if pointed {
		if m.Point, err = vectorOf(about); err != nil {
			return fmt.Errorf("the point %q: %w", about, err)
		}
	}
	switch {
	case !a.Blocks[block].Support:
		return fmt.Errorf("block %s is no support", a.Blocks[block].Name)
	case pointed && !turns:
		return errors.New("only what turns wants a point")
	case a.Plane && turns != (axis[1] != 0):
		return errors.New("the assembly is in the plane of x and z")
	case slices.ContainsFunc(d.Supports, func(o assembly.SupportMotion) bool { return o.Block == block }):
		return fmt.Errorf("block %s is moved twice", a.Blocks[block].Name)
	}
	unit := "m"
	if turns {
		unit, amount = "degrees", amount/degrees
	}
	if len(d.Supports) == 0 {
		d.To, d.unit, d.scale = math.Abs(amount), unit, math.Copysign(1, amount)
		if turns {
			d.scale *= degrees
		}
	}
	rate := amount / d.To
	for k := range axis {
		if turns {
			m.Turning[k] = rate * axis[k]
		} else {
			m.Velocity[k] = rate * axis[k]
		}
	}
	d.Supports, d.labels, d.rates = append(d.Supports, m), append(d.labels, target), append(d.rates, rate)
	return nil
}

// touched is the middle of the corners at which others touch a block; of its vertices, before they are found.
func touched(a *assembly.Assembly, block int) (middle [3]float64) {
	var points [][3]float64
	for k := range a.Interfaces {
		if f := &a.Interfaces[k]; f.A == block || f.B == block {
			points = append(points, f.Points...)
		}
	}
	if len(points) == 0 {
		points = a.Blocks[block].Vertices
	}
	for _, p := range points {
		for k := range middle {
			middle[k] += p[k] / float64(len(points))
		}
	}
	return middle
}
