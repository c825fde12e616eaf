package trial

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// GmshFile writes a mesh for Gmsh; groups of nodes are points.
func GmshFile(t testing.TB, dir, name string, m *fem.Mesh) {
	t.Helper()
	types := map[fem.Kind][4]int{fem.P1: {15, 1, 2, 4}, fem.P2: {15, 8, 9, 11}, fem.Q1: {15, 1, 3, 5}}
	nodes := map[int]int{1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 8: 3, 9: 6, 11: 10, 15: 1}
	var names, elements []string
	for k, group := range slices.Sorted(maps.Keys(m.Groups)) {
		g := m.Groups[group]
		names = append(names, fmt.Sprintf("%d %d %q", g.Dim, k+1, group))
		kind := types[m.Kind][g.Dim]
		for e := slices.Clone(g.Elem); len(e) > 0; e = e[nodes[kind]:] {
			if kind == 11 { // the last two edges have the other order
				e[8], e[9] = e[9], e[8]
			}
			text := fmt.Sprintf("%d %d 2 %d %d", len(elements)+1, kind, k+1, k+1)
			for _, i := range e[:nodes[kind]] {
				text += fmt.Sprintf(" %d", i+1)
			}
			elements = append(elements, text)
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n%s\n$EndPhysicalNames\n$Nodes\n%d\n",
		len(names), strings.Join(names, "\n"), m.NumNodes())
	for i := range m.NumNodes() {
		x := append(slices.Clone(m.Node(i)), 0)
		fmt.Fprintf(&s, "%d %.17g %.17g %.17g\n", i+1, x[0], x[1], x[2])
	}
	fmt.Fprintf(&s, "$EndNodes\n$Elements\n%d\n%s\n$EndElements\n", len(elements), strings.Join(elements, "\n"))
	if err := os.WriteFile(filepath.Join(dir, name), []byte(s.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
