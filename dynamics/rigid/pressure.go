package rigid

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Pressure under faces. Rigid bodies say nothing of how a face shares what it bears among more than
// three points: W has a kernel. On corners alone some share is found, [CornerPressure]. With
// [UniformPressure] faces have points inside, x_k of areas A_k, and their normal impulses are the
// limit for c → 0 of those of a bed of springs, whose compliance c/A_k has u_N + (c/A_k) r_N in the
// place of u_N: of all that balance, those of the least Σ r_N²/A_k. By the rows of the optimum they
// are r_k = A_k p(x_k) with p affine over a face that bears in all its points: uniform where it
// bears in its middle. Friction obeys Coulomb's law at each point with its share; given the shares
// it is a convex problem, so that the motion is unique.
//
// The limit is not taken by a small c, whose bed would creep, but by proximal steps from r⁰ = 0,
//
//	u_N(r^{j+1}) + (c/A_k)(r_N^{j+1} − r_N^j) ⟂ r_N^{j+1} ≥ 0,   j = 0, 1, …,
//
// of which each leaves what A⁻¹r has in the kernel as it was, none, and makes the rest c m times
// smaller; the rounds of a step, whose problems differ by little, go on from each other. They end with a solution of the problem without a bed, to the tolerance of that.
// Where a part of a face bears nothing the shares are the least ones up to the share of a bed.

// Pressure chooses how faces share what they bear.
type Pressure int

// The pressures.
const (
	CornerPressure  Pressure = iota // by their corners, in some shares
	UniformPressure                 // over the face, as even as can be: of faces of bodies on half-spaces
)

func (p Pressure) String() string { return [...]string{"by the corners", "evenly over all"}[p] }

// bedOptions are the numbers of the proximal steps.
type bedOptions struct {
	// share is c m/A of a point with the mean share: what a bed gives way to, of what the mass of
	// the body does. The least impulses are found to it where part of a face has lifted; the smaller
	// it is, the nearer the problem is to one with a kernel.
	share float64
	// most proximal steps; two and three are usual. A face that is about to tip leans
	// on points that are nearly in line, which a step moves little: from the one of fast on the bed
	// is made a quarter as soft each time, down to least.
	most, fast int
	least      float64
	// end is what the last step may move the speed of a contact by, of the largest one.
	end float64
}

// bedDefault are their values.
var bedDefault = bedOptions{share: 1e-4, most: 40, fast: 4, least: 1e-5, end: 1e-10}

// bed is the memory of what solves with an even pressure.
type bed struct {
	on   bool      // W has the compliances
	c    []float64 // of the contacts of the problem; 0: it has none
	last []float64 // r_N of the proximal step before
	of   []int     // the touches of the last solve of a step; none: there was none
	at   []int     // W_NN of the contacts …
	w, b []float64 // … and that and b as they are
	size float64   // largest of b [m/s]
}

// aim is the merit that tells the shares apart to a thousandth: they are known by the speeds c r_N alone,
// of those of b; at most a goal, and no less than what rounding leaves. 0: there is no bed.
func (x *bed) aim(goal float64) float64 {
	if !x.on {
		return 0
	}
	speed := 0.0
	for k, c := range x.c {
		speed = max(speed, c*x.last[k])
	}
	if !(speed > 0) { // not known yet
		return goal
	}
	return min(goal, max(1e-3*speed/x.size, 1e-13))
}

// forget has the next problem begin from r⁰ = 0.
func (x *bed) forget() { x.of = x.of[:0] }

// lay finds the compliances of the problem, and reports whether some contact has one.
func (s *solution) lay() (any bool) {
	if s.o.Pressure != UniformPressure {
		return false
	}
	p, x := &s.p, &s.bed
	x.c = grow(x.c, len(p.list))
	for k, i := range p.list {
		x.c[k] = 0
		if t := &s.touches[i]; s.model.StopOf(t) == nil {
			if share := s.model.World.Share(t); share > 0 {
				x.c[k], any = bedDefault.share*p.alpha/(share*s.model.Bodies[t.A].Mass), true
			}
		}
	}
	return any
}

// solveEvenly solves the problem that is loaded with the least normal impulses under faces.
func (s *solution) solveEvenly(ctx context.Context) error {
	p, x := &s.p, &s.bed
	s.openBed()
	defer s.closeBed()
	x.size = 0
	for _, b := range p.b {
		x.size = max(x.size, math.Abs(b))
	}
	largest, off := x.size, 0.0
	for j, f := 0, 1.0; j < bedDefault.most; j++ {
		if j >= bedDefault.fast {
			f = max(f/4, bedDefault.least)
		}
		for k, c := range x.c {
			p.w.Val[x.at[k]], p.b[k*p.dim] = x.w[k]+f*c, x.b[k*p.dim]-f*c*x.last[k]
		}
		if err := s.solveFull(ctx); err != nil {
			return err
		}
		off = 0
		for k, c := range x.c {
			r := p.r[k*p.dim]
			off, x.last[k] = max(off, f*c*math.Abs(r-x.last[k])), r
		}
		if off <= bedDefault.end*largest {
			break
		}
	}
	if largest == 0 {
		return nil
	}
	off /= largest
	if s.solved, s.step.Residual = max(s.solved, off), max(s.step.Residual, off); off > s.o.Accept {
		return fmt.Errorf("%d contacts: the pressure under faces is not found, off by %.2g: a smaller step may help", len(p.list), off)
	}
	return nil
}

// openBed keeps what the compliances are added to, and closeBed restores it.
func (s *solution) openBed() {
	p, x := &s.p, &s.bed
	n := len(p.list)
	x.on, x.b, x.at, x.w = true, append(x.b[:0], p.b...), grow(x.at, n), grow(x.w, n)
	if !slices.Equal(x.of, p.list) { // else of a further round, which is to end where it begins
		x.last = grow(x.last, n)
		clear(x.last)
	}
	x.of = append(x.of[:0], p.list...)
	for k := range x.c {
		j := p.w.Ptr[k]
		for p.w.Col[j] != k {
			j++
		}
		x.at[k] = j * p.dim * p.dim
		x.w[k] = p.w.Val[x.at[k]]
	}
}

func (s *solution) closeBed() {
	p, x := &s.p, &s.bed
	x.on = false
	copy(p.b, x.b)
	for k, at := range x.at {
		p.w.Val[at] = x.w[k]
	}
}
