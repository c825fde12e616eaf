package table

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// vtuDocument is a VTU file in memory. Numbers are little-endian doubles in base64,
// so that reading gives the same bits.
type vtuDocument struct {
	buf  bytes.Buffer
	bits []byte
}

// begin begins a file; arrays of the field, which belong to no point, may follow.
func (d *vtuDocument) begin() {
	d.buf.Reset()
	d.buf.WriteString("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n")
}

// vtuCells are the cells of a piece.
type vtuCells struct {
	nodes, ends []int64
	types       []byte
}

// Cell types of VTK.
const (
	vtkVertex   = 1
	vtkLine     = 3
	vtkTriangle = 5
	vtkPolygon  = 7
	vtkTetra    = 10
)

func (c *vtuCells) add(kind byte, points ...int) {
	for _, p := range points {
		c.nodes = append(c.nodes, int64(p))
	}
	c.ends = append(c.ends, int64(len(c.nodes)))
	c.types = append(c.types, kind)
}

// piece begins the piece with its points, three coordinates each, and cells.
func (d *vtuDocument) piece(points []float64, c *vtuCells) {
	fmt.Fprintf(&d.buf, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", len(points)/3, len(c.types))
	d.floats("points", points, 3)
	d.buf.WriteString("</Points>\n<Cells>\n")
	d.integers("connectivity", c.nodes)
	d.integers("offsets", c.ends)
	d.bytes("types", c.types)
	d.buf.WriteString("</Cells>\n")
}

func (d *vtuDocument) end() {
	d.buf.WriteString("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")
}

// open and close frame arrays: FieldData, PointData, CellData.
func (d *vtuDocument) open(what, attributes string) {
	if attributes != "" {
		attributes = " " + attributes
	}
	fmt.Fprintf(&d.buf, "<%s%s>\n", what, attributes)
}

func (d *vtuDocument) close(what string) { fmt.Fprintf(&d.buf, "</%s>\n", what) }

func (d *vtuDocument) floats(name string, values []float64, components int) {
	d.bits = d.bits[:0]
	for _, v := range values {
		d.bits = binary.LittleEndian.AppendUint64(d.bits, math.Float64bits(v))
	}
	d.array("Float64", name, components, len(values)/max(1, components), d.bits)
}

func (d *vtuDocument) integers(name string, values []int64) { d.tuples(name, values, 1) }

func (d *vtuDocument) tuples(name string, values []int64, components int) {
	d.bits = d.bits[:0]
	for _, v := range values {
		d.bits = binary.LittleEndian.AppendUint64(d.bits, uint64(v))
	}
	d.array("Int64", name, components, len(values)/max(1, components), d.bits)
}

func (d *vtuDocument) bytes(name string, values []byte) {
	d.array("UInt8", name, 1, len(values), values)
}

// array writes one DataArray: the number of bytes, then the bytes, in base64.
func (d *vtuDocument) array(kind, name string, components, tuples int, b []byte) {
	fmt.Fprintf(&d.buf, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" NumberOfTuples=\"%d\" format=\"binary\">", kind, name, components, tuples)
	full := append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...)
	d.buf.WriteString(base64.StdEncoding.EncodeToString(full))
	d.buf.WriteString("</DataArray>\n")
}

// pvdWriter writes VTU files, one a time, and the PVD file that names them.
type pvdWriter struct {
	name  string // of the PVD file
	dir   string // while it is written
	times []float64
}

// vtuFolder is the folder beside the PVD file that holds the nodes.
func vtuFolder(pvd string) string {
	return pvd[:len(pvd)-len(filepath.Ext(pvd))] + ".vtu.d"
}

func vtuName(k int) string { return fmt.Sprintf("node-%07d.vtu", k) }

func newPVD(name string) (*pvdWriter, error) {
	dir, err := os.MkdirTemp(filepath.Dir(name), "."+filepath.Base(name)+".part-")
	if err != nil {
		return nil, err
	}
	return &pvdWriter{name: name, dir: dir}, os.Chmod(dir, 0o755)
}

// put writes the file of a time.
func (w *pvdWriter) put(t float64, d *vtuDocument) error {
	name := filepath.Join(w.dir, vtuName(len(w.times)))
	w.times = append(w.times, t)
	return os.WriteFile(name, d.buf.Bytes(), 0o644)
}

// close puts the folder of files in place first, then the PVD file that names them;
// after a fault it removes what there is.
func (w *pvdWriter) close(fault error) error {
	final := vtuFolder(w.name)
	if fault == nil {
		fault = os.RemoveAll(final) // of an earlier export
	}
	if fault == nil {
		fault = os.Rename(w.dir, final)
	}
	if fault != nil {
		_ = os.RemoveAll(w.dir) // the fault is the news
		return fault
	}
	return WriteAtomic(w.name, w.collection)
}

// pvdFile is the collection that ParaView opens.
type pvdFile struct {
	XMLName xml.Name   `xml:"VTKFile"`
	Type    string     `xml:"type,attr"`
	Version string     `xml:"version,attr"`
	Order   string     `xml:"byte_order,attr"`
	Nodes   []pvdEntry `xml:"Collection>DataSet"`
}

type pvdEntry struct {
	Time string `xml:"timestep,attr"`
	Part int    `xml:"part,attr"`
	File string `xml:"file,attr"`
}

func (s *pvdWriter) collection(w io.Writer) error {
	p := pvdFile{Type: "Collection", Version: "0.1", Order: "LittleEndian"}
	folder := filepath.Base(vtuFolder(s.name))
	for k, t := range s.times {
		p.Nodes = append(p.Nodes, pvdEntry{Time: string(appendNumber(nil, t)), File: folder + "/" + vtuName(k)})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(p); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
