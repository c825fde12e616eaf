// Package trimesh reads triangles of OBJ and STL files.
//
//	v x y z            a vertex of an OBJ file; other lines of it but f have no effect on a form
//	f a/t/n b c d …    a polygon, as a fan of triangles; a < 0 counts from the last vertex
//	solid … facet …    an STL file in text
//	80 bytes, n, n·50  an STL file in bytes, single precision, little endian
//
// # Limits
//
// Vertices of an STL file that are the same to the last bit are one. What an OBJ file has beside
// triangles (normals, textures, groups, free forms) is left out.
package trimesh

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// Mesh has triangles by the numbers of their vertices.
type Mesh struct {
	Vertices  [][3]float64
	Triangles [][3]int

	number map[[3]float64]int
}

// most bounds the bytes of a file.
const most = 256 << 20

// Read reads a mesh; the end of the name says of which kind.
func Read(r io.Reader, name string) (*Mesh, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > most:
		return nil, fmt.Errorf("%s has more than %d MB", name, most>>20)
	}
	m := &Mesh{number: map[[3]float64]int{}}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".obj":
		err = m.obj(data)
	case ".stl":
		err = m.stl(data)
	default:
		return nil, fmt.Errorf("found %q, want a file .obj or .stl", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	if len(m.Triangles) == 0 {
		return nil, fmt.Errorf("%s has no triangles", name)
	}
	return m, nil
}

// lines visits the words of each line.
func lines(data []byte, visit func(words []string) error) error {
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<24)
	for n := 1; s.Scan(); n++ {
		if words := strings.Fields(s.Text()); len(words) > 0 {
			if err := visit(words); err != nil {
				return fmt.Errorf("%d: %w", n, err)
			}
		}
	}
	return s.Err()
}

// point reads three numbers.
func point(words []string) (x [3]float64, err error) {
	if len(words) < 3 {
		return x, fmt.Errorf("found %d numbers, want three", len(words))
	}
	for k := range x {
		if x[k], err = strconv.ParseFloat(words[k], 64); err != nil || math.IsNaN(x[k]) || math.IsInf(x[k], 0) {
			return x, fmt.Errorf("found %q, want a number", words[k])
		}
	}
	return x, nil
}

func (m *Mesh) obj(data []byte) error {
	return lines(data, func(words []string) error {
		switch words[0] {
		case "v":
			x, err := point(words[1:])
			m.Vertices = append(m.Vertices, x)
			return err
		case "f":
			return m.polygon(words[1:])
		}
		return nil
	})
}

// polygon reads the corners of one.
func (m *Mesh) polygon(words []string) error {
	var list []int
	for _, w := range words {
		w, _, _ = strings.Cut(w, "/")
		k, err := strconv.Atoi(w)
		if k < 0 {
			k += len(m.Vertices) + 1
		}
		if err != nil || k < 1 || k > len(m.Vertices) {
			return fmt.Errorf("found vertex %q, there are %d before", w, len(m.Vertices))
		}
		list = append(list, k-1)
	}
	for i := 2; i < len(list); i++ {
		m.Triangles = append(m.Triangles, [3]int{list[0], list[i-1], list[i]})
	}
	return nil
}

// vertex is the number of a place.
func (m *Mesh) vertex(x [3]float64) int {
	k, known := m.number[x]
	if !known {
		k = len(m.Vertices)
		m.number[x], m.Vertices = k, append(m.Vertices, x)
	}
	return k
}

func (m *Mesh) stl(data []byte) error {
	const head, facet = 84, 50
	if len(data) >= head {
		if n := binary.LittleEndian.Uint32(data[80:]); uint64(len(data)) == head+facet*uint64(n) {
			return m.binary(data[head:])
		}
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("solid")) {
		return fmt.Errorf(" %d bytes, which are not those of the triangles that it says it has", len(data))
	}
	var corners []int
	return lines(data, func(words []string) error {
		switch words[0] {
		case "vertex":
			x, err := point(words[1:])
			corners = append(corners, m.vertex(x))
			return err
		case "endloop":
			if len(corners) != 3 {
				return fmt.Errorf("found a facet of %d vertices, want three", len(corners))
			}
			m.Triangles = append(m.Triangles, [3]int(corners))
			corners = nil
		}
		return nil
	})
}

func (m *Mesh) binary(data []byte) error {
	const facet = 50
	for i := 0; i+facet <= len(data); i += facet {
		var corners [3]int
		for k := range corners {
			var x [3]float64
			for c := range x {
				x[c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i+12+12*k+4*c:])))
				if math.IsNaN(x[c]) || math.IsInf(x[c], 0) {
					return fmt.Errorf(" triangle %d has a corner at %v", i/facet, x)
				}
			}
			corners[k] = m.vertex(x)
		}
		m.Triangles = append(m.Triangles, corners)
	}
	return nil
}
