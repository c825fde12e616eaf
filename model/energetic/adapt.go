package energetic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/solid"
)

// adapt refines the meshes of bodies that ask for it by a number as accuracy: the state at the end, which depends
// on no history, is found in one step, and the simplices with the largest parts of the bound, half of it
// together [Dorfler96], are bisected, until the bound is met or a run costs more than is judged.
//
//	[Dorfler96] Dörfler: A convergent adaptive algorithm for Poisson's equation. SIAM J. Numer. Anal. 33, 1996.
func (b *builder) adapt() {
	if !b.adapts() {
		return
	}
	var before map[string]*fem.Mesh
	for {
		x := &adaptation{l: b.again(solid.Own, b.adapted)}
		if !x.make(b) {
			return
		}
		if x.costly() {
			b.adapted = before
			return
		}
		if b.coarse == 0 {
			b.coarse = elements(x.l.nodes)
		}
		meshes, ok := x.refine(b)
		if !ok {
			return
		}
		before, b.adapted = b.adapted, meshes
	}
}

// adapts reports whether a body asks for it.
func (b *builder) adapts() bool {
	for _, raw := range b.doc.Energies {
		var d bodyDocument
		if json.Unmarshal(raw, &d) == nil { // what is at fault is told when it is decoded
			if _, ok := d.Target(); ok {
				return true
			}
		}
	}
	return false
}

// target is the least bound that a body asks for; 0: none does.
func target(nodes []*bodyNodes) (least float64) {
	for _, n := range nodes {
		if t, ok := n.doc.Target(); ok && (least == 0 || t < least) {
			least = t
		}
	}
	return least
}

// adaptation is one of its rounds.
type adaptation struct {
	l   *builder
	run *Run
	z0  []float64
}

// make makes the case on the meshes so far; false if it has faults, which are told elsewhere, or now.
func (x *adaptation) make(b *builder) bool {
	psi, z0 := x.l.made()
	if x.l.Any() || b.Context.Err() != nil {
		return false
	}
	list, _, _, why := x.l.boundable(1)
	at, why := x.l.refused(why)
	if why != "" {
		b.Add(at, "%s", why)
	}
	x.run, x.z0 = &Run{c: &Case{Psi: psi, bounded: list}}, z0
	return why == ""
}

// costly reports whether no run on a finer mesh would judge this one beside the case.
func (x *adaptation) costly() bool {
	steps := float64(x.l.planned)
	if x.l.doc.Steps.none() {
		steps = max(steps, unknownSteps)
	}
	level, _ := x.l.judge(steps)
	return level != solid.Fine
}

// elements counts those of all bodies.
func elements(nodes []*bodyNodes) (count int) {
	for _, n := range nodes {
		count += n.body.Mesh().NumElems()
	}
	return count
}

// refine returns meshes with the largest parts of the bound divided; false if it is met, or there is none, which the run will tell.
func (x *adaptation) refine(b *builder) (meshes map[string]*fem.Mesh, ok bool) {
	if !x.bound(b) {
		return nil, false
	}
	marked := x.mark()
	if marked == nil {
		return nil, false
	}
	if meshes = maps.Clone(b.adapted); meshes == nil {
		meshes = map[string]*fem.Mesh{}
	}
	for k, n := range x.l.nodes {
		if len(marked[k]) == 0 {
			continue
		}
		m, err := n.body.Mesh().Bisected(marked[k])
		if !b.Accept(n.at.With("mesh"), err) {
			return nil, false
		}
		meshes[n.doc.ID] = m
	}
	return meshes, true
}

// refused says why meshes are not refined, and where.
func (b *builder) refused(unbounded string) (at casefile.Path, why string) {
	most := casefile.DefaultAccuracy
	if b.doc.Accuracy != nil {
		most = *b.doc.Accuracy
	}
	for _, n := range b.nodes {
		target, ok := n.doc.Target()
		if !ok {
			continue
		}
		at = n.at.With("mesh", "accuracy")
		switch m := n.body.Mesh(); {
		case target > most:
			return at, fmt.Sprintf("found %g, want no more than %g, the \"accuracy\" of the case: the mesh is judged by that too", target, most)
		case unbounded != "":
			return at, fmt.Sprintf("found a number, and no bound is known of the error of the mesh, want \"given\" or nothing: %s", unbounded)
		case len(b.meetings) > 0:
			return at, "found a number, want a body that meets no other one, where bounds of one mesh are those of both"
		case m.Kind == fem.Q1:
			return at, "found a number, want a mesh of triangles or tetrahedra: others are not bisected"
		case n.rubs():
			return at, "found a number, want a body without friction: what friction leaves depends on the way, on the first meshes too"
		}
	}
	return nil, ""
}

// bound finds the state at the end and bounds its error.
func (x *adaptation) bound(b *builder) bool {
	l, psi := x.l, x.run.c.Psi
	options := l.options()
	s, err := incremental.New(psi, 0, x.z0, options.Step)
	if err == nil && options.Equilibrate {
		_, err = s.Equilibrate(b.Context)
	}
	if err != nil || x.run.startBounds(b.Context) != nil {
		return false // the run will say why
	}
	for _, t := range [2]float64{0, l.doc.Until} {
		if t > 0 && s.Step(b.Context, t) != nil {
			return false
		}
		e, _ := psi.System.Value(t, s.State())
		x.run.bound(b.Context, &energetic.Node{T: t, Z: s.State(), Grad: s.Gradient(), States: s.States(),
			Certificate: energetic.Certificate{Energy: e}})
	}
	return x.run.bounds.Ended == ""
}

// mark returns the elements of each body with the largest parts of the bound; nil if it is met.
func (x *adaptation) mark() [][]int {
	type part struct {
		body, element int
		energy        float64
	}
	var parts []part
	total := 0.0
	for k, n := range x.l.nodes {
		if _, ok := n.doc.Target(); !ok {
			continue
		}
		for e, energy := range x.run.parts[k] {
			parts, total = append(parts, part{k, e, energy}), total+energy
		}
	}
	if !(total > target(x.l.nodes)*x.run.bounds.size()) {
		return nil
	}
	slices.SortStableFunc(parts, func(p, q part) int { return cmp.Compare(q.energy, p.energy) })
	marked := make([][]int, len(x.l.nodes))
	for sum, k := 0.0, 0; sum < total/2 && k < len(parts); k++ {
		sum += parts[k].energy
		marked[parts[k].body] = append(marked[parts[k].body], parts[k].element)
	}
	return marked
}
