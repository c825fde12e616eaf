package assembly_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
)

// box is a block with edges along the axes.
func box(name string, low, high [3]float64, support bool) assembly.Block {
	b := assembly.Block{Name: name, Density: 1, Support: support}
	for k := range 8 {
		v := low
		for i := range 3 {
			if k>>i&1 == 1 {
				v[i] = high[i]
			}
		}
		b.Vertices = append(b.Vertices, v)
	}
	b.Faces = [][]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}
	return b
}

func rectangle(name string, x0, z0, x1, z1 float64, support bool) assembly.Block {
	return assembly.Block{Name: name, Density: 1, Support: support, Faces: [][]int{{0, 1, 2, 3}},
		Vertices: [][3]float64{{x0, 0, z0}, {x1, 0, z0}, {x1, 0, z1}, {x0, 0, z1}}}
}

// TestIncline: a block of b by h on an incline stands where tan α < min(μ, b/h), else it falls: in the
// plane, and in space along several directions.
func TestIncline(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.5, 1, 1}, {.7, 1, 3}, {.2, 2, 1}} {
		for _, share := range []float64{.5, .99, 1.01, 1.5} {
			alpha := math.Atan(min(c.mu, c.b/c.h) * share)
			want := assembly.Stands
			if share > 1 {
				want = assembly.Falls
			}
			sin, cos := math.Sincos(alpha)
			a := &assembly.Assembly{Plane: true, Friction: c.mu, Gravity: [3]float64{sin, 0, -cos},
				Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, c.b, c.h, false)}}
			judge(t, fmt.Sprint(c, share), a, want)
			a = &assembly.Assembly{Friction: c.mu, Gravity: [3]float64{0, sin, -cos},
				Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
					box("block", [3]float64{}, [3]float64{2, c.b, c.h}, false)}}
			judge(t, fmt.Sprint("space", c, share), a, want)
		}
	}
}

func judge(t *testing.T, name string, a *assembly.Assembly, want assembly.Word) *assembly.Verdict {
	t.Helper()
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	v, err := assembly.Judge(t.Context(), a, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Logf("%s: %s: %s; %d nodes", name, v.Word, v.Reason, v.Nodes)
	if v.Word != want {
		t.Errorf("%s: %s, want %s: %s", name, v.Word, want, v.Reason)
	}
	if v.Fall != nil && !v.Fall.Exact {
		t.Errorf("%s: no exact proof, forces beyond %.3g", name, v.Fall.Beyond)
	}
	return v
}
