package assembly

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/internal/forest"
)

// Assembly is what may stand or fall. Prepare makes it ready for questions.
type Assembly struct {
	Name       string
	Plane      bool // blocks are polygons in x and z
	Blocks     []Block
	Interfaces []Interface // given, or found by Prepare where there is none
	Gravity    [3]float64  // m/s²; default 9.81 downwards z
	Loads      []Load
	Friction   float64 // [-] of interfaces that have none of their own
	Strength   float64 // Pa: tension that interfaces hold that have none of their own, as mortar; shared by their corners
	Notes      []string
	Stages     []Stage // of building: Prepare makes it what is there after the last
	built      []Built
}

// Load is a force on a block at a point. That of Live loads is what a load factor multiplies.
type Load struct {
	Block   int
	Point   [3]float64 // m
	Central bool       // at the centre of mass of the block: Prepare sets Point
	Force   [3]float64 // N
	Live    bool
}

// Interface is a flat contact of two blocks at the corners of their common polygon. The normal points
// from block A to block B; the reaction on B is positive along it.
type Interface struct {
	A, B     int
	Normal   [3]float64
	Points   [][3]float64
	Area     float64 // m², m in the plane
	Friction float64 // [-]; negative: that of the assembly
	Tension  float64 // N that each point holds before it opens; bricks that snap have it
}

// Finding says when faces touch. The zero value works.
type Finding struct {
	Gap  float64 // m between planes of faces that touch; default 1e-4 of the middle diagonal of the blocks
	Area float64 // m² below which an interface is none; default Gap times half its perimeter
}

// Prepare finds masses and, where none is given, interfaces, and refuses what cannot be judged:
// open meshes, no density, no support, overlaps, blocks that hang in the air.
func (a *Assembly) Prepare(f Finding) error {
	if len(a.Blocks) == 0 {
		return errors.New("there is no block")
	}
	support := false
	for i := range a.Blocks {
		if err := a.Blocks[i].prepare(a.Plane); err != nil {
			return err
		}
		support = support || a.Blocks[i].Support
	}
	if !support {
		return fmt.Errorf("no block is a support: name one of %s", a.names(nil))
	}
	if a.Gravity == ([3]float64{}) {
		a.Gravity = [3]float64{0, 0, -9.81}
	}
	if g := norm(a.Gravity); !(g > 1e-6 && g < 1e6) {
		return fmt.Errorf("gravity is %v, want a size between 1e-6 and 1e6 m/s²", a.Gravity)
	}
	if !frictional(a.Friction) {
		return fmt.Errorf("the friction coefficient is %v, want one from 0 to 1e4", a.Friction)
	}
	if !(a.Strength >= 0) || a.Strength > 1e12 {
		return fmt.Errorf("the tensile strength is %v, want one from 0 to 1e12 Pa", a.Strength)
	}
	if err := a.place(a.Loads); err != nil {
		return err
	}
	for k := range a.Stages {
		if err := a.place(a.Stages[k].Loads); err != nil {
			return err
		}
	}
	finder := newFinder(a, f)
	if err := finder.overlaps(); err != nil {
		return err
	}
	if len(a.Interfaces) == 0 {
		a.Interfaces = finder.find()
	}
	for k := range a.Interfaces {
		if err := a.check(k); err != nil {
			return err
		}
	}
	if loose := a.hanging(); len(loose) > 0 {
		return a.looseError(loose)
	}
	return a.build()
}

// place sets the points of loads that act at the centre of mass.
func (a *Assembly) place(loads []Load) error {
	for k := range loads {
		l := &loads[k]
		if l.Central {
			l.Point = a.Blocks[l.Block].Centroid
		}
		if size := norm(l.Force) + norm(l.Point); !(size < 1e12) {
			return fmt.Errorf("the load on block %s is %v N at %v m, want both within 1e12", a.Blocks[l.Block].called(), l.Force, l.Point)
		}
	}
	return nil
}

// check refuses an interface that is none.
func (a *Assembly) check(k int) error {
	f := &a.Interfaces[k]
	if min(f.A, f.B) < 0 || max(f.A, f.B) >= len(a.Blocks) || f.A == f.B {
		return fmt.Errorf("interface %d joins blocks %d and %d of %d", k, f.A, f.B, len(a.Blocks))
	}
	between := fmt.Sprintf("interface %d of blocks %s and %s", k, a.Blocks[f.A].called(), a.Blocks[f.B].called())
	size := norm(f.Normal)
	if len(f.Points) == 0 || !(size > 0) || math.IsInf(size, 1) {
		return fmt.Errorf("%s has %d points and normal %v", between, len(f.Points), f.Normal)
	}
	f.Normal = add([3]float64{}, f.Normal, 1/size)
	if f.Friction < 0 {
		f.Friction = a.Friction
	}
	if f.Tension == 0 && a.Strength > 0 {
		f.Tension = a.Strength * f.area(a.Plane) / float64(len(f.Points))
	}
	if !frictional(f.Friction) || !(f.Tension >= 0) || f.Tension > 1e12 {
		return fmt.Errorf("%s has friction %v and tension %v, want 0 to 1e4 and 0 to 1e12 N", between, f.Friction, f.Tension)
	}
	for _, p := range f.Points {
		if !(norm(p) < 1e9) {
			return fmt.Errorf("%s has a point at %v, want coordinates within 1e9 m", between, p)
		}
	}
	if corners := f.corners(a.Plane); len(f.Points) > 2 && !a.Plane && len(corners) < 3 {
		return fmt.Errorf("%s has no area: its %d points are on a line", between, len(f.Points))
	}
	return nil
}

// corners are the points that others of the interface do not lie between.
func (f *Interface) corners(plane bool) [][3]float64 {
	low, high := f.Points[0], f.Points[0]
	for _, p := range f.Points {
		for i, x := range p {
			low[i], high[i] = min(low[i], x), max(high[i], x)
		}
	}
	u, v := Axes(f.Normal)
	if plane {
		u, v = [3]float64{f.Normal[2], 0, -f.Normal[0]}, [3]float64{0, 1}
	}
	if all := hull(f.Points, u, v, 1e-9*norm(sub(high, low))); len(all) > 0 { // of its size: rounding
		return all
	}
	return f.Points[:1]
}

// area is that of the hull of the points: a length in the plane, where depth is 1 m.
func (f *Interface) area(plane bool) float64 {
	corners := f.corners(plane)
	if plane {
		return norm(sub(corners[len(corners)-1], corners[0]))
	}
	u, v := Axes(f.Normal)
	var flat [][2]float64
	for _, p := range corners {
		flat = append(flat, [2]float64{dot(p, u), dot(p, v)})
	}
	area, _ := measure(flat)
	return math.Abs(area)
}

// frictional: beyond 1e4 a cone is a half-space to four digits, and programs lose theirs.
func frictional(mu float64) bool { return mu >= 0 && mu <= 1e4 }

// hanging are the blocks that no chain of interfaces joins to a support.
func (a *Assembly) hanging() (loose []int) {
	joined := forest.New(len(a.Blocks))
	for _, f := range a.Interfaces {
		joined.Join(f.A, f.B)
	}
	held := map[int]bool{}
	for i, b := range a.Blocks {
		if b.Support {
			held[joined.Root(i)] = true
		}
	}
	for i := range a.Blocks {
		if !held[joined.Root(i)] {
			loose = append(loose, i)
		}
	}
	return loose
}

// looseError names them.
func (a *Assembly) looseError(loose []int) error {
	return fmt.Errorf("%d blocks touch nothing that reaches a support: %s (a larger gap may find their interfaces)",
		len(loose), a.names(loose))
}

// names lists some blocks, all for nil.
func (a *Assembly) names(of []int) string {
	var list []string
	for i := range max(len(of), len(a.Blocks)) {
		if of != nil && i >= len(of) {
			break
		}
		if len(list) == 12 {
			list = append(list, "…")
			break
		}
		if of != nil {
			list = append(list, a.Blocks[of[i]].called())
		} else {
			list = append(list, a.Blocks[i].called())
		}
	}
	return strings.Join(list, ", ")
}
