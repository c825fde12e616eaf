package files

import (
	"bytes"
	"fmt"
	"html"
	"strconv"

	"github.com/quasistatic/quasistatic/assembly"
)

// VTU is a state of a path as an unstructured grid of VTK's XML format: the faces of the blocks where they are, with their
// displacement since a beginning [m] at the points, and the number of the block, whether it is a support, and the largest normal
// force on it of an interface [N] in the cells.
func VTU(s *assembly.Step, from *assembly.Assembly) []byte {
	var points, displacement, connectivity, offsets, types, block, support, force []float64
	most := make([]float64, len(from.Blocks))
	a, reactions := s.Joined()
	for _, f := range a.Forces(reactions) {
		o := &a.Interfaces[f.Interface]
		for _, i := range []int{o.A, o.B} {
			most[i] = max(most[i], f.Normal)
		}
	}
	first := 0
	for i := range s.Assembly.Blocks {
		b := &s.Assembly.Blocks[i]
		for k, x := range b.Vertices {
			was := from.Blocks[i].Vertices[k]
			points = append(points, x[:]...)
			displacement = append(displacement, x[0]-was[0], x[1]-was[1], x[2]-was[2])
		}
		held := 0.
		if b.Support {
			held = 1
		}
		for _, f := range b.Faces {
			for _, v := range f {
				connectivity = append(connectivity, float64(first+v))
			}
			offsets, types = append(offsets, float64(len(connectivity))), append(types, 7) // a polygon
			block, support, force = append(block, float64(i)), append(support, held), append(force, most[i])
		}
		first += len(b.Vertices)
	}
	var out bytes.Buffer
	array := func(kind, name string, components int, values []float64) {
		fmt.Fprintf(&out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", kind, name, components)
		for _, x := range values {
			out.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + "\n")
		}
		out.WriteString("</DataArray>\n")
	}
	fmt.Fprintf(&out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"+
		"<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", first, len(types))
	array("Float64", "Points", 3, points)
	out.WriteString("</Points>\n<Cells>\n")
	for _, c := range []struct {
		name   string
		values []float64
	}{{"connectivity", connectivity}, {"offsets", offsets}, {"types", types}} {
		array("Int64", c.name, 1, c.values)
	}
	out.WriteString("</Cells>\n<PointData>\n")
	array("Float64", "displacement", 3, displacement)
	out.WriteString("</PointData>\n<CellData>\n")
	array("Int64", "block", 1, block)
	array("Int64", "support", 1, support)
	array("Float64", "normal force", 1, force)
	out.WriteString("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")
	return out.Bytes()
}

// PVD is the collection of the states of a path, in files by their names, over how far it is.
func PVD(steps []assembly.Step, names []string) []byte {
	var out bytes.Buffer
	out.WriteString("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n")
	for k, name := range names {
		fmt.Fprintf(&out, "<DataSet timestep=\"%v\" file=\"%s\"/>\n", steps[k].Distance, html.EscapeString(name))
	}
	out.WriteString("</Collection>\n</VTKFile>\n")
	return out.Bytes()
}
