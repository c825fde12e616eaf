// Package refinement estimates the error of a mesh: a run is made on two meshes of sizes h and 2h,
// and what the verdict judges is compared at all nodes in time.
//
//	|Q_h − Q| <= |Q_h − Q_2h|      where the error falls as h or faster
//	|Q_h − Q| <= 2|Q_h − Q_h/2|
//
// Richardson's estimate of order p is |Q_h − Q_2h|/(2^p − 1). Contact has p = 1 where elements are
// counted whole and at edges of flat punches, 3/2 to 2 for forces and energies of smooth contact: p
// = 1 is taken throughout.
//
//	symbol       Go name      shape  unit  reference
//	|Q_h − Q_2h| part.Apart   1      of Q  largest so far
//	max |Q_h|    part.Size    1      of Q  largest so far
//
// # Limits
//
// It is an estimate and no bound: two meshes that are both too coarse may agree, and a singularity
// (a force on one node) converges on no mesh. Curved edges stay the polygons that the first mesh
// has.
package refinement

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

const (
	// Subject is what the verdict does not judge where there is no other mesh.
	Subject = "mesh"
	// Given is the value by which a case says that its mesh is part of the problem.
	Given = "given"
	// Coarser and Finer are the factors of the estimate by a mesh of twice and of half the size.
	Coarser, Finer = 1, 2
)

// Accepted is the fact of a mesh that is given: a case that says so accepts the subject.
func Accepted() table.Fact {
	f := []table.Fact{table.Unsaid(Subject, "its error is not judged, since it is given")}
	table.Accept(f, []string{Subject})
	return f[0]
}

// Unjudged is the fact of a mesh that is not given and is not judged; why says so. No case accepts
// that, but by saying that the mesh is given.
func Unjudged(why string) table.Fact {
	f := table.Unsaid(Subject, "its error is not judged, "+why)
	f.Subject = "error of the mesh"
	f.Remedy = "\"given\" as the accuracy of the mesh, if it is part of the problem"
	return f
}

// Unsaid are the facts of meshes that are given, and of such that nothing judges; why says so,
// empty: all that are not given are judged.
func Unsaid(given bool, why string) (list []table.Fact) {
	if given {
		list = append(list, Accepted())
	}
	if why != "" {
		list = append(list, Unjudged(why))
	}
	return list
}

// Quantity is one that two meshes are compared by.
type Quantity struct {
	Group string // of the line of the verdict
	Name  string
	// Like are those whose largest size, times Share, this one is compared with if its own is less.
	Like  []int
	Share float64
	// Taken: it is what friction takes, which is judged by itself beside the energies Like, see
	// dissipation.go.
	Taken bool
}

// part is what is known of a quantity.
type part struct {
	Apart, At float64 // largest distance, and its time [s]
	Size      float64
}

// Estimate follows the distance of a run from that on another mesh. A checkpoint holds it.
type Estimate struct {
	Parts []part
	Borne float64 // largest share of friction in the forces of all contacts, both added up without their signs, of either mesh
	Ended string  // why the run on the other mesh ended; empty: it did not
}

// Observe takes quantity k at a time: its distance and its size.
func (e *Estimate) Observe(k int, t, apart, size float64) {
	for len(e.Parts) <= k {
		e.Parts = append(e.Parts, part{})
	}
	p := &e.Parts[k]
	if !(apart <= p.Apart) { // NaN stays
		p.Apart, p.At = apart, t
	}
	p.Size = max(p.Size, size)
}

// Errors are the estimates of all quantities, relative; 0 of those that were never observed.
func (e *Estimate) Errors(list []Quantity, factor float64) []float64 {
	errors := make([]float64, len(list))
	for k := range min(len(list), len(e.Parts)) {
		p, size := &e.Parts[k], e.Parts[k].Size
		if !list[k].Taken {
			size = max(size, list[k].Share*e.largest(list[k].Like))
		}
		if p.Apart == 0 {
			continue
		}
		// What overflowed, Inf of Inf too, is no small error.
		if errors[k] = factor * p.Apart / size; !(errors[k] < math.MaxFloat64) {
			errors[k] = math.MaxFloat64
		}
	}
	return errors
}

// largest is the largest size of some quantities.
func (e *Estimate) largest(list []int) (size float64) {
	for _, j := range list {
		if j < len(e.Parts) {
			size = max(size, e.Parts[j].Size)
		}
	}
	return size
}

// Facts are lines of the verdict, one for each group. against names the other mesh, remedy says how
// to make a better one, so many times as fine; of 0 times that is not known.
func (e *Estimate) Facts(list []Quantity, factor, accuracy float64, against string, remedy func(times int) string) (facts []table.Fact) {
	if e.Ended != "" {
		return []table.Fact{Unjudged(fmt.Sprintf("for the run %s ended: %s", against, e.Ended))}
	}
	errors := e.Errors(list, factor)
	for _, name := range Groups(list, against) {
		worst := -1
		for k := range list {
			if Name(list[k].Group, against) == name && (worst < 0 || errors[k] > errors[worst]) {
				worst = k
			}
		}
		f := table.AtMost(table.Accurate, name, errors[worst], accuracy, "", table.Estimated)
		if worst < len(e.Parts) && errors[worst] > 0 {
			f.Place = fmt.Sprintf("%s, t=%.6g", list[worst].Name, e.Parts[worst].At)
		}
		if !f.Passed {
			times := math.Ceil(f.Value / f.Limit)
			if !(times <= mostTimes) {
				times = 0
			}
			f.Remedy = remedy(int(times))
		}
		if list[worst].Taken {
			e.dissipation(&f, &list[worst], worst, remedy(0))
		}
		facts = append(facts, f)
	}
	return facts
}

// FinerMesh is the remedy of a mesh that a program made.
func FinerMesh(times int) string {
	if times == 0 {
		return "a finer \"mesh\""
	}
	return fmt.Sprintf("a finer \"mesh\", a guess: %d times as fine", times)
}

// mostTimes: more is no guess, but a mesh of another kind.
const mostTimes = 32

// Name is that of the fact of a group.
func Name(group, against string) string {
	return fmt.Sprintf("mesh: %s, against the run %s", group, against)
}

// Groups are the names of the facts, each once.
func Groups(list []Quantity, against string) (names []string) {
	for k := range list {
		if name := Name(list[k].Group, against); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
