package solid

import (
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
)

// GroupDocument is a part of a group of the mesh: what of it lies in a box.
type GroupDocument struct {
	Of  string     `json:"of"`
	Min []*float64 `json:"min"` // nil entries: it has no end there
	Max []*float64 `json:"max"`
}

// addGroups makes the groups of the case. They are parts of those of the mesh, not of each other.
func (b *builder) addGroups(p casefile.Path, d *Document, m *fem.Mesh) {
	size := 0.0
	for _, x := range m.X {
		size = max(size, math.Abs(x))
	}
	rounding, made := 1e-9*size, map[string]fem.Group{} // of coordinates, those of files with few digits included
	for _, name := range slices.Sorted(maps.Keys(d.Mesh.Groups)) {
		g, at := d.Mesh.Groups[name], p.With("groups", name)
		of, ok := Group(b.Builder, at.With("of"), m, g.Of)
		if _, taken := m.Groups[name]; taken && d.Adapted == nil {
			b.Add(at, "the mesh has a group %q, want another name", name)
			continue
		}
		for key, bounds := range map[string][]*float64{"max": g.Max, "min": g.Min} {
			if ok = ok && (bounds == nil || len(bounds) == m.Dim); bounds != nil && len(bounds) != m.Dim {
				b.Add(at.With(key), "found %d coordinates, want %d: those of the mesh", len(bounds), m.Dim)
			}
		}
		if !ok {
			continue
		}
		part := of.Within(func(i int) bool {
			for c, x := range m.Node(i) {
				if g.Min != nil && g.Min[c] != nil && x < *g.Min[c]-rounding ||
					g.Max != nil && g.Max[c] != nil && x > *g.Max[c]+rounding {
					return false
				}
			}
			return true
		})
		if len(part.Elem) == 0 {
			b.Add(at, "no element and no node of the group %q lies in the box", g.Of)
		}
		made[name] = part
	}
	maps.Copy(m.Groups, made)
}
