package fem_test

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

type vtkFile struct {
	Type  string `xml:"type,attr"`
	Piece struct {
		Points int        `xml:"NumberOfPoints,attr"`
		Cells  int        `xml:"NumberOfCells,attr"`
		X      []vtkArray `xml:"Points>DataArray"`
		Cell   []vtkArray `xml:"Cells>DataArray"`
		Nodal  []vtkArray `xml:"PointData>DataArray"`
		CellD  []vtkArray `xml:"CellData>DataArray"`
	} `xml:"UnstructuredGrid>Piece"`
}

type vtkArray struct {
	Name       string `xml:"Name,attr"`
	Components int    `xml:"NumberOfComponents,attr"`
	Text       string `xml:",chardata"`
}

func (a vtkArray) numbers(t *testing.T) []float64 {
	var list []float64
	for _, f := range strings.Fields(a.Text) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// cells are the numbers of VTK's cells.
var cells = map[fem.Kind][4]float64{fem.P1: {1: 3, 2: 5, 3: 10}, fem.P2: {1: 21, 2: 22, 3: 24}, fem.Q1: {1: 3, 2: 9, 3: 12}}

// TestVTU reads back what was written, every number exactly.
func TestVTU(t *testing.T) {
	for name, m := range meshes(t) {
		u := make([]float64, len(m.X))
		for i := range u {
			u[i] = 1 / float64(i+3)
		}
		stress := fem.Stresses(m, steel, u)
		var b bytes.Buffer
		err := fem.WriteVTU(&b, m, u, []fem.Field{fem.StressField("stress", fem.StressesAtNodes(m, steel, u))},
			[]fem.Field{fem.StressField("stress", stress)})
		if err != nil {
			t.Fatal(err)
		}
		var f vtkFile
		if err := xml.Unmarshal(b.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		p := f.Piece
		if f.Type != "UnstructuredGrid" || p.Points != m.NumNodes() || p.Cells != m.NumElems() {
			t.Errorf("%s: %s with %d points, %d cells", name, f.Type, p.Points, p.Cells)
		}
		x, d := p.X[0].numbers(t), p.Nodal[0].numbers(t)
		for i := range m.NumNodes() {
			for c := range m.Dim {
				if x[3*i+c] != m.Node(i)[c] || d[3*i+c] != u[m.Dim*i+c] {
					t.Fatalf("%s: node %d", name, i)
				}
			}
		}
		for k, v := range p.Cell[0].numbers(t) {
			if int(v) != m.Elem[k] {
				t.Fatalf("%s: connectivity %d", name, k)
			}
		}
		if last := p.Cell[1].numbers(t); int(last[len(last)-1]) != len(m.Elem) {
			t.Errorf("%s: offsets end at %g", name, last[len(last)-1])
		}
		if kind := p.Cell[2].numbers(t)[0]; kind != cells[m.Kind][m.Dim] {
			t.Errorf("%s: cell type %g", name, kind)
		}
		if s := p.CellD[0].numbers(t); s[6*3+1] != stress[3][1] || p.CellD[0].Components != 6 {
			t.Errorf("%s: stress", name)
		}
		if err := fem.WriteVTU(&b, m, u, []fem.Field{{Name: "short", Components: 1}}, nil); err == nil {
			t.Errorf("%s: a short field was written", name)
		}
	}
}
