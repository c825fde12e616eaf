package particleview

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/table"
)

// finalBody is the name of the file of body k: table.FinalFile, then final.1.vtu, ….
func finalBody(k int) string {
	if k == 0 {
		return table.FinalFile
	}
	return fmt.Sprintf("final.%d.vtu", k)
}

// WriteBodies writes the state at a node of each elastic body of the system, in
// their order, with its mesh, displacements and (Cauchy) stress.
func WriteBodies(dir string, sys *particles.System, n *energetic.Node) error {
	k := 0
	var x []float64
	if sys.Remembers() {
		sys = sys.Own()
		sys.Recall(n.Slipped[sys.Contacts():])
	}
	for _, e := range sys.Energies() {
		b, ok := e.(*body.Body)
		if !ok {
			continue
		}
		if x == nil {
			x = make([]float64, len(n.Z))
			sys.ToGlobalAt(n.T, x, n.Z)
		}
		u, cells := b.Displacement(nil, n.T, x), meshview.StressFields(b.Stresses(n.T, x))
		if list := b.PlasticStrains(n.T, x); list != nil {
			cells = append(cells, fem.Field{Name: "plastic_strain", Components: 1, Values: list})
		}
		err := table.WriteWhole(filepath.Join(dir, finalBody(k)), func(f io.Writer) error {
			return fem.WriteVTU(f, b.Mesh(), u, meshview.StressFields(b.StressesAtNodes(n.T, x)), cells)
		})
		if err != nil {
			return err
		}
		k++
	}
	return nil
}
