package fem

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Field is a named array for a VTU file, Components numbers a node or element.
type Field struct {
	Name       string
	Components int
	Values     []float64
}

// WriteVTU writes the mesh with the displacement u (dim·nodes, or nil) as an
// unstructured grid of VTK's XML format, in ASCII with all digits. Points stay
// in the reference configuration: warp by "displacement" to see the motion.
// Vectors get three components, as VTK wants.
func WriteVTU(w io.Writer, m *Mesh, u []float64, nodal, cells []Field) error {
	if m == nil {
		return errNoMesh
	}
	b := &vtuWriter{Writer: bufio.NewWriter(w)}
	n, ne := m.NumNodes(), m.NumElems()
	b.printf("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n")
	b.printf("<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", n, ne)
	b.array("Points", 3, pad(m.X, m.Dim))
	b.printf("</Points>\n<Cells>\n")
	b.integers("connectivity", len(m.Elem), func(k int) int { return m.Elem[k] })
	b.integers("offsets", ne, func(k int) int { return m.reference().nodes * (k + 1) })
	b.integers("types", ne, func(int) int { return int(m.Cell()) })
	b.printf("</Cells>\n<PointData>\n")
	if u != nil {
		b.array("displacement", 3, pad(u, m.Dim))
	}
	b.fields(nodal, n)
	b.printf("</PointData>\n<CellData>\n")
	b.fields(cells, ne)
	b.printf("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")
	if b.err == nil {
		b.err = b.Flush()
	}
	return b.err
}

// StressField makes a field of tensors: xx, yy, zz, xy, yz, zx.
func StressField(name string, t []Tensor) Field {
	f := Field{Name: name, Components: 6}
	for _, x := range t {
		f.Values = append(f.Values, x[:]...)
	}
	return f
}

type vtuWriter struct {
	*bufio.Writer
	err error
}

func (b *vtuWriter) printf(format string, args ...any) {
	if b.err == nil {
		_, b.err = fmt.Fprintf(b.Writer, format, args...)
	}
}

// put writes a number, without the detour of a format.
func (b *vtuWriter) put(text []byte) {
	if b.err == nil {
		_, b.err = b.Write(text)
	}
}

func (b *vtuWriter) array(name string, components int, values []float64) {
	b.printf("<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", name, components)
	for k, v := range values {
		sep := byte(' ')
		if (k+1)%components == 0 {
			sep = '\n'
		}
		b.put(append(strconv.AppendFloat(b.AvailableBuffer(), v, 'g', 17, 64), sep))
	}
	b.printf("</DataArray>\n")
}

func (b *vtuWriter) integers(name string, n int, at func(k int) int) {
	b.printf("<DataArray type=\"Int64\" Name=\"%s\" format=\"ascii\">\n", name)
	for k := range n {
		b.put(append(strconv.AppendInt(b.AvailableBuffer(), int64(at(k)), 10), '\n'))
	}
	b.printf("</DataArray>\n")
}

func (b *vtuWriter) fields(fields []Field, n int) {
	for _, f := range fields {
		if len(f.Values) != n*f.Components && b.err == nil {
			b.err = fmt.Errorf("fem: field %q has %d values, want %d times %d", f.Name, len(f.Values), n, f.Components)
		}
		b.array(f.Name, f.Components, f.Values)
	}
}

// pad extends vectors of dim components to three.
func pad(x []float64, dim int) []float64 {
	y := make([]float64, 0, 3*len(x)/dim)
	for k := 0; k < len(x); k += dim {
		var v [3]float64
		copy(v[:], x[k:k+dim])
		y = append(y, v[:]...)
	}
	return y
}
