package fem

import (
	"errors"
	"slices"
)

// Union is the mesh of several, with their nodes and elements one after the other. The group g of the mesh that has the
// name b is its group b.g. It fails for meshes of different dimensions or kinds of elements.
func Union(names []string, meshes []*Mesh) (*Mesh, error) {
	if len(meshes) == 0 {
		return nil, errNoMesh
	}
	u := &Mesh{Kind: meshes[0].Kind, Dim: meshes[0].Dim, Groups: map[string]Group{}}
	for k, m := range meshes {
		if m.Kind != u.Kind || m.Dim != u.Dim {
			return nil, errors.New("fem: the meshes are of elements of different kinds or dimensions")
		}
		shifted := func(nodes []int) []int {
			list := slices.Clone(nodes)
			for i := range list {
				list[i] += u.NumNodes()
			}
			return list
		}
		for name, g := range m.Groups {
			g.Elem = shifted(g.Elem)
			u.Groups[names[k]+"."+name] = g
		}
		u.Elem = append(u.Elem, shifted(m.Elem)...)
		u.X = append(u.X, m.X...)
	}
	return u, nil
}
