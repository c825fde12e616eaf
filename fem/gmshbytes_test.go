package fem_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// squareBytes is the square of square22 as bytes of a format: two triangles, with the groups foot and block body.
func squareBytes(version string, order binary.ByteOrder) string {
	b := []byte("$MeshFormat\n" + version + " 1 8\n")
	add := func(values ...any) {
		for _, v := range values {
			b, _ = binary.Append(b, order, v)
		}
	}
	end := func(name string) { b = append(b, "\n$End"+name+"\n"...) }
	begin := func(text string) { b = append(b, "$"+text+"\n"...) }
	tag := func(n uint64) any {
		if version == "4.1" {
			return n
		}
		return int32(n)
	}
	add(int32(1))
	end("MeshFormat")
	begin("PhysicalNames\n2\n1 7 \"foot\"\n2 9 \"block body\"\n$EndPhysicalNames")
	x := map[uint64][]float64{10: {0, 0, 0}, 20: {1, 0, 0}, 30: {1, 1, 0}, 40: {0, 1, 0}}
	tags := []uint64{10, 20, 30, 40}
	if version == "2.2" {
		begin("Nodes\n4")
		for _, i := range tags {
			add(tag(i), x[i])
		}
		end("Nodes")
		begin("Elements\n3")
		add(int32(1), int32(1), int32(2), []int32{1, 7, 1, 10, 20}, int32(2), int32(2), int32(2), []int32{2, 9, 1, 10, 20, 30, 3, 9, 1, 10, 30, 40})
		end("Elements")
		return string(b)
	}
	pair := func(dim, entity int32) []int32 {
		if version == "4.0" {
			return []int32{entity, dim}
		}
		return []int32{dim, entity}
	}
	begin("Entities")
	add([]uint64{1, 1, 1, 0}, int32(1), x[10])
	if version == "4.0" {
		add(x[10])
	}
	add(uint64(0), int32(5), x[10], x[20], uint64(1), int32(7), uint64(2), []int32{1, -1}, int32(3), x[10], x[30], uint64(1), int32(9), uint64(1), int32(5))
	end("Entities")
	ends := []uint64{1, 4}
	begin("Nodes")
	if add([]uint64{1, 4}); version == "4.1" {
		add(ends)
	}
	add(pair(2, 3), int32(1), uint64(4)) // with coordinates on the surface
	if version == "4.1" {
		add(tags)
	}
	for _, i := range tags {
		if version == "4.0" {
			add(tag(i))
		}
		add(x[i], x[i][:2])
	}
	end("Nodes")
	begin("Elements")
	if add([]uint64{2, 3}); version == "4.1" {
		add(ends)
	}
	add(pair(1, 5), int32(1), uint64(1), tag(1), tag(10), tag(20), pair(2, 3), int32(2), uint64(2))
	add(tag(2), tag(10), tag(20), tag(30), tag(3), tag(10), tag(30), tag(40))
	end("Elements")
	return string(b)
}

// TestGmshBytes: files of bytes in either order, and of each format, are the mesh of the same text.
func TestGmshBytes(t *testing.T) {
	want, err := fem.ReadGmsh(t.Context(), strings.NewReader(square22))
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"2.2", "4.0", "4.1"} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			text := squareBytes(version, order)
			got, err := fem.ReadGmsh(t.Context(), strings.NewReader(text))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %v: %+v, %v, want %+v", version, order, got, err, want)
			}
			for n := range len(text) - len("$EndElements\n") { // what is cut off is told, at any place
				if m, err := fem.ReadGmsh(t.Context(), strings.NewReader(text[:n])); err == nil {
					t.Errorf("%s: %d bytes of %d are %+v", version, n, len(text), m)
				}
			}
		}
	}
}

// TestGmshFiles: what Gmsh 4.8 wrote of a box in quadratic tetrahedra, in four formats, is one mesh.
func TestGmshFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/gmsh/box-*.msh")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	var first *fem.Mesh
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fem.ReadGmsh(context.Background(), bytes.NewReader(text))
		if err != nil {
			t.Fatal(file, err)
		}
		if first == nil {
			first = m
		}
		for i, x := range first.X { // text has 16 digits
			near(t, file, m.X[i], x, 1e-15)
			m.X[i] = x
		}
		if !reflect.DeepEqual(m, first) || m.Kind != fem.P2 || len(m.Groups["low side"].Elem) == 0 {
			t.Errorf("%s is another mesh", file)
		}
		volume := make([]float64, len(m.X))
		fem.BodyForce(volume, m, fem.Elastic{}, []float64{1, 0, 0})
		near(t, file, sum(volume), 0.125, 1e-14)
	}
}
