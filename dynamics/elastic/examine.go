package elastic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
)

// Examination is what can be said about a run before it: sizes, waves, memory and
// the start. See [Certificate] for the step.
type Examination struct {
	Nodes, Elements, Dofs int
	Contacts, Closed      int      // nodes in contact, those with a reaction at the start
	Gap                   float64  // least, at the start [m]
	Free                  []string // rigid motions that nothing prescribes
	Pressure, Shear       float64  // wave speeds c_p, c_s [m/s], of several bodies the largest; c_s = 0 in one dimension
	Edge                  float64  // shortest edge of the mesh [m]
	Crossing              float64  // time of a pressure wave along the longest side of the box around the mesh [s]
	Energies              Energies // at the start
	// Memory is that of the matrices, their factors and the contact problem, predicted
	// from the pattern of the matrices.
	Memory memory.Estimate
}

// Examine looks at the start. Call it before the first step.
func (s *Stepper) Examine() Examination {
	a, m := s.a, s.a.model.Mesh
	fixed, tied := a.split.Fixed, []fem.Normal(nil)
	for _, t := range a.model.Ties {
		n := fem.Normal{Node: t.Dof / m.Dim, Less: t.Masters}
		n.Along[t.Dof%m.Dim] = 1
		tied = append(tied, n)
		fixed = slices.DeleteFunc(slices.Clone(fixed), func(i int) bool { return i == t.Dof })
	}
	x := Examination{Nodes: m.NumNodes(), Elements: m.NumElems(), Dofs: len(a.split.Free), Contacts: len(a.normal), Gap: math.Inf(1),
		Free: fem.FreeModes(m, a.model.Material, fixed, tied...), Edge: math.Inf(1), Energies: s.Energies(), Memory: s.Need()}
	for _, b := range a.model.bodies() {
		_, mu := b.Material.Lame(m.Dim)
		x.Pressure, x.Shear = max(x.Pressure, b.Material.WaveSpeed(m.Dim)), max(x.Shear, math.Sqrt(mu/b.Material.Density))
	}
	for k, n := range a.normal {
		x.Gap = min(x.Gap, s.now.U[n]+a.gapAt(k, s.now.T))
		if s.Reactions(k)[0] > 0 {
			x.Closed++
		}
	}
	for k := range m.NumElems() {
		x.Edge = min(x.Edge, shortestEdge(m, m.NodesOf(k)))
	}
	longest := 0.0
	for c := range m.Dim {
		low, top := math.Inf(1), math.Inf(-1)
		for i := range m.NumNodes() {
			low, top = min(low, m.Node(i)[c]), max(top, m.Node(i)[c])
		}
		longest = max(longest, top-low)
	}
	x.Crossing = longest / x.Pressure
	return x
}
