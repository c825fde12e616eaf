package particleview

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// finalBody is the name of the file of body k: table.FinalFile, then final.1.vtu, ….
func finalBody(k int) string {
	if k == 0 {
		return table.FinalFile
	}
	return fmt.Sprintf("final.%d.vtu", k)
}

// WriteBodies writes the state at a node of each elastic body of a scene, in their order, in the axes of its mesh:
// displacements, (Cauchy) stress, and contact at the nodes; of the elements what [meshview.Solid] has, with their
// parts of a bound, nil for none.
func WriteBodies(dir string, s *Scene, sys *particles.System, n *energetic.Node, parts [][]float64) error {
	x, force := make([]float64, len(n.Z)), make([]float64, 3*len(s.IDs))
	if sys.Remembers() {
		sys = sys.Own()
		sys.Recall(n.Slipped[sys.Contacts():])
	}
	sys.ToGlobalAt(n.T, x, n.Z)
	for j := range s.IDs {
		f := Reaction(n, j)
		copy(force[3*j:], f[:])
	}
	contacts := s.contacts(sys, s.Areas, len(s.IDs), n.T, n.Z, force)
	for k, b := range Bodies(sys) {
		u, cells := b.Displacement(nil, n.T, x), solid(b, n.T, x, part(parts, k), false)
		nodal := meshview.StressFields(b.StressesAtNodes(n.T, x))
		for _, f := range contacts.Fields() {
			f.Values = f.Values[f.Components*b.First():][:f.Components*b.Particles()]
			for i := 0; f.Components == 3 && i < len(f.Values); i += 3 {
				on := b.Along([3]float64(f.Values[i:]))
				copy(f.Values[i:], on[:])
			}
			nodal = append(nodal, f)
		}
		err := table.WriteWhole(filepath.Join(dir, finalBody(k)), func(f io.Writer) error {
			return fem.WriteVTU(f, b.Mesh(), u, nodal, cells)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
