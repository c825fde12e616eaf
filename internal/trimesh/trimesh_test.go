package trimesh_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/trimesh"
)

// TestKinds: a cube of 2 m as an OBJ file of polygons, with both ways to count, and as STL files in text
// and in bytes, has the corners of its hull and fills it; a cube with a dent does not.
func TestKinds(t *testing.T) {
	var obj, text strings.Builder
	var bin bytes.Buffer
	faces := [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}
	corner := func(k int) [3]float64 { return [3]float64{float64(2 * (k & 1)), float64(k & 2), float64(k & 4 / 2)} }
	for k := range 8 {
		fmt.Fprintln(&obj, "v", corner(k)[0], corner(k)[1], corner(k)[2])
	}
	bin.Write(make([]byte, 80))
	_ = binary.Write(&bin, binary.LittleEndian, uint32(12))
	text.WriteString("solid cube\n")
	for i, f := range faces {
		if i%2 == 0 {
			fmt.Fprintf(&obj, "f %d/1/1 %d//1 %d %d\n", f[0]+1, f[1]+1, f[2]+1, f[3]+1)
		} else {
			fmt.Fprintf(&obj, "f %d %d %d %d\n", f[0]-8, f[1]-8, f[2]-8, f[3]-8)
		}
		for _, tri := range [2][3]int{{f[0], f[1], f[2]}, {f[0], f[2], f[3]}} {
			text.WriteString("facet normal 0 0 0\nouter loop\n")
			_ = binary.Write(&bin, binary.LittleEndian, [3]float32{})
			for _, k := range tri {
				x := corner(k)
				fmt.Fprintln(&text, "vertex", x[0], x[1], x[2])
				_ = binary.Write(&bin, binary.LittleEndian, [3]float32{float32(x[0]), float32(x[1]), float32(x[2])})
			}
			text.WriteString("endloop\nendfacet\n")
			_ = binary.Write(&bin, binary.LittleEndian, uint16(0))
		}
	}
	for name, data := range map[string]string{"cube.obj": obj.String(), "cube.stl": text.String(), "bytes.STL": bin.String()} {
		m, err := trimesh.Read(strings.NewReader(data), name)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Vertices) != 8 || len(m.Triangles) != 12 {
			t.Errorf("%s has %d vertices and %d triangles", name, len(m.Vertices), len(m.Triangles))
		}
		hull, out, share := bodies.HullOf(m.Vertices, m.Triangles)
		if len(hull) != 8 || out != 0 || math.Abs(share-1) > 1e-12 {
			t.Errorf("%s: a hull of %d corners, %g of it filled", name, len(hull), share)
		}
		m.Vertices = append(m.Vertices, [3]float64{1, 1, 1}) // a dent in one face, a pyramid of a sixth of the cube
		f := faces[1]
		m.Triangles = m.Triangles[:0:0]
		for i, g := range faces {
			if i != 1 {
				m.Triangles = append(m.Triangles, [3]int{g[0], g[1], g[2]}, [3]int{g[0], g[2], g[3]})
			}
		}
		if name != "cube.obj" { // where vertices are counted as they come
			continue
		}
		for k := range 4 {
			m.Triangles = append(m.Triangles, [3]int{f[k], f[(k+1)%4], 8})
		}
		if _, _, share := bodies.HullOf(m.Vertices, m.Triangles); math.Abs(share-5./6) > 1e-12 {
			t.Errorf("%s with a dent fills %g of its hull, want 5/6", name, share)
		}
	}
}

// TestFaults: files that are no mesh are errors with their line.
func TestFaults(t *testing.T) {
	for _, c := range [][3]string{
		{"a.obj", "v 1 2\n", "a.obj:1: found 2 numbers"},
		{"a.obj", "v 0 0 0\nf 1 2 3\n", "a.obj:2: found vertex \"2\""},
		{"a.obj", "v 0 0 0\n", "no triangles"},
		{"a.stl", "solid\nvertex 0 0 x\n", "a.stl:2: found \"x\""},
		{"a.stl", "garbage", "7 bytes"},
		{"a.dae", "", "want a file .obj or .stl"},
	} {
		if _, err := trimesh.Read(strings.NewReader(c[1]), c[0]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s %q: %v, want %q", c[0], c[1], err, c[2])
		}
	}
}
