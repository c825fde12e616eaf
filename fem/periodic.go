package fem

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Match pairs the nodes of a group with those of another one that lie a period from them,
//
//	x_own = x_other + T,
//
// with the difference T of the least coordinates of both. Places count as equal that are so to nine of their digits, as files
// have them. It fails if the groups share nodes, and names the node that is farthest from its image otherwise. It costs one look at each
// of both for a node.
func (m *Mesh) Match(own, other Group) (pairs [][2]int, period [3]float64, err error) {
	a, b := own.Nodes(), other.Nodes()
	if len(a) == 0 || len(b) == 0 {
		return nil, period, errors.New("fem: a periodic side has no nodes")
	}
	least := func(nodes []int) (low vec3.Vec) {
		low = m.place(nodes[0])
		for _, i := range nodes {
			for c, x := range m.place(i) {
				low[c] = min(low[c], x)
			}
		}
		return low
	}
	size := 0.0
	for _, x := range m.X {
		size = max(size, math.Abs(x))
	}
	period = vec3.Add(least(a), -1, least(b))
	if vec3.Norm(period) <= 1e-9*size {
		return nil, period, errors.New("fem: periodic sides begin at the same place, want one that is the other one shifted")
	}
	far, worst := 1e-9*size, ""
	look := func(nodes, images []int, shift float64) (list [][2]int) {
		for _, i := range nodes {
			at, nearest, away := vec3.Add(m.place(i), shift, period), -1, math.Inf(1)
			for _, j := range images {
				if d := vec3.Norm(vec3.Add(m.place(j), -1, at)); d < away {
					nearest, away = j, d
				}
			}
			if away > far {
				far = away
				worst = fmt.Sprintf("node %d at %v has no image at %.6g: the nearest node, %d at %v, is %.3g m from there", i, m.Node(i),
					at[:m.Dim], nearest, m.Node(nearest), away)
			}
			list = append(list, [2]int{i, nearest})
		}
		return list
	}
	if pairs = look(a, b, -1); worst == "" {
		look(b, a, 1)
	}
	if worst != "" {
		return nil, period, fmt.Errorf("fem: %s", worst)
	}
	return pairs, period, nil
}
