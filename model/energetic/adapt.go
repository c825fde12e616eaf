package energetic

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/solid"
)

// adapt refines the meshes of bodies that ask for it by a number as accuracy: the case is run from its start on the
// meshes so far, and the simplices with the largest parts of the bound, each at its worst node and half of them all
// together [Dorfler96], are bisected, until the bound is met at all nodes or a run costs more than is judged. What
// friction leaves is that of a run on one mesh, and nothing is projected: docs/decisions/0043.
//
//	[Dorfler96] Dörfler: A convergent adaptive algorithm for Poisson's equation. SIAM J. Numer. Anal. 33, 1996.
func (b *builder) adapt() {
	if b.tried || !b.adapts() {
		return
	}
	var before map[string]*fem.Mesh
	for {
		l := b.again(solid.Own, b.adapted)
		l.tried = true
		c := l.model()
		if c == nil || b.Context.Err() != nil {
			return // faults are found again
		}
		if at, why := l.refused(c); why != "" && b.adapted == nil {
			b.Add(at, "%s", why)
			return
		}
		if c.unbounded != "" || c.other.psi == nil || c.other.level != solid.Fine {
			b.adapted = before // a run is judged beside one on a finer mesh, and by its bound
			return
		}
		if b.adapted == nil {
			b.coarse = elements(l.nodes)
		}
		x := &adaptation{l: l, run: &Run{c: c}}
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
	// worst are the largest parts of the elements of each body in the bounds of the nodes so far [J].
	worst [][]float64
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
	ctx := b.Context
	if x.run.startBounds(ctx) != nil || x.follow(ctx) != nil || ctx.Err() != nil || x.run.bounds.Ended != "" {
		return nil, false // the run will say why
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
func (b *builder) refused(c *Case) (at casefile.Path, why string) {
	most := c.plan.Accuracy
	for _, n := range b.nodes {
		target, ok := n.doc.Target()
		if !ok {
			continue
		}
		at = n.at.With("mesh", "accuracy")
		switch m := n.body.Mesh(); {
		case target > most:
			return at, fmt.Sprintf("found %g, want no more than %g, the \"accuracy\" of the case: the mesh is judged by that too", target, most)
		case c.unbounded != "":
			return at, fmt.Sprintf("found a number, and no bound is known of the error of the mesh, want \"given\" or nothing: %s", c.unbounded)
		case len(b.meetings) > 0:
			return at, "found a number, want a body that meets no other one, where bounds of one mesh are those of both"
		case m.Kind == fem.Q1:
			return at, "found a number, want a mesh of triangles or tetrahedra: others are not bisected"
		}
	}
	return nil, ""
}

// follow runs the case and bounds the error of the mesh at the nodes of the run.
func (x *adaptation) follow(ctx context.Context) error {
	r, c := x.run, x.run.c
	c.Chosen = c.Chosen || c.Walks() // nodes of the partition that is chosen stand for those of the walk
	err := r.choose(ctx)
	if err != nil {
		return err
	}
	if r.evolution, err = energetic.Start(ctx, c.Psi, c.Z0, c.Options); err != nil {
		return err
	}
	if err = x.observe(ctx, r.evolution.Node()); err != nil {
		return err
	}
	visit := func(n *energetic.Node) error { return x.observe(ctx, n) }
	if c.Adaptive != nil {
		_, err = r.evolution.Advance(ctx, c.plan.Until, *c.Adaptive, visit)
	} else {
		for k := 1; k <= c.plan.Steps && err == nil; k++ {
			_, err = r.evolution.StepProbing(ctx, c.Time(k), visit)
		}
	}
	if r.isLost(err) {
		return nil
	}
	return err
}

// observe takes the bound at a node.
func (x *adaptation) observe(ctx context.Context, n *energetic.Node) error {
	x.run.last = n
	x.run.bound(ctx, n)
	if x.worst == nil {
		x.worst = make([][]float64, len(x.run.parts))
	}
	for k, parts := range x.run.parts {
		if x.worst[k] == nil {
			x.worst[k] = make([]float64, len(parts))
		}
		for e, energy := range parts {
			x.worst[k][e] = max(x.worst[k][e], energy)
		}
	}
	return ctx.Err()
}

// mark returns the elements of each body with the largest parts of the bound; nil if it is met.
func (x *adaptation) mark() [][]int {
	type part struct {
		body, element int
		energy        float64
	}
	var parts []part
	total, sums := 0.0, &x.run.bounds
	for k, n := range x.l.nodes {
		if _, ok := n.doc.Target(); !ok {
			continue
		}
		for e, energy := range x.worst[k] {
			parts, total = append(parts, part{k, e, energy}), total+energy
		}
	}
	if met := target(x.l.nodes) * sums.size(); !(sums.Energy > met && total > met) {
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
