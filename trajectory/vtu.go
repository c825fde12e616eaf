package trajectory

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

// A VTU file holds one node: the particles, then the anchors, as points; a vertex
// for each particle and a line for each link as cells. Numbers are little-endian
// doubles in base64, so that reading gives the same bits. Arrays of points:
//
//	displacement    3  from the first node [m]
//	contact_force   3  normal force of the obstacle, global [N]
//	friction_force  3  tangential force of the obstacle, global [N]
//	reaction        3  n, tx, ty in the particle's own frame [N], as in forces.csv
//	status          1  0 free, 1 grazing, 2 stick, 3 slip; anchors 0
//	anchor          1  1 for anchors
//
// and of cells: kind, 0 particle, 1 tether, 2 spring, 3 bond.
type vtuSink struct {
	scene *Scene
	name  string // of the PVD file
	dir   string // while it is written
	start []float64
	times []float64
	points, move, contact, friction,
	reaction []float64
	status []byte
	buf    bytes.Buffer
}

// vtuFolder is the folder beside the PVD file that holds the nodes.
func vtuFolder(pvd string) string {
	return pvd[:len(pvd)-len(filepath.Ext(pvd))] + ".vtu.d"
}

func newVTU(name string, scene *Scene) (*vtuSink, error) {
	dir, err := os.MkdirTemp(filepath.Dir(name), "."+filepath.Base(name)+".part-")
	if err != nil {
		return nil, err
	}
	np := len(scene.IDs) + len(scene.Anchors)
	return &vtuSink{scene: scene, name: name, dir: dir, move: make([]float64, 3*np), contact: make([]float64, 3*np),
		friction: make([]float64, 3*np), reaction: make([]float64, 3*np), status: make([]byte, np)}, os.Chmod(dir, 0o755)
}

func vtuName(k int) string { return fmt.Sprintf("node-%07d.vtu", k) }

// Put implements Sink.
func (s *vtuSink) Put(f *Frame) error {
	s.points = s.scene.AnchorsAt(append(s.points[:0], f.X...), f.T)
	if s.start == nil {
		s.start = append(s.start, s.points...)
	}
	for i := range s.points {
		s.move[i] = s.points[i] - s.start[i]
	}
	copy(s.reaction, f.Force)
	for j, c := range f.Status {
		contact, friction := s.scene.GlobalForce(f, j)
		copy(s.contact[3*j:], contact[:])
		copy(s.friction[3*j:], friction[:])
		s.status[j] = byte(c)
	}
	s.buf.Reset()
	s.document()
	name := filepath.Join(s.dir, vtuName(len(s.times)))
	s.times = append(s.times, f.T)
	return os.WriteFile(name, s.buf.Bytes(), 0o644)
}

// document writes the file of the present node.
func (s *vtuSink) document() {
	np, nj := len(s.status), len(s.scene.IDs)
	nc := nj + len(s.scene.Links)
	fmt.Fprintf(&s.buf, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"+
		"<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", np, nc)
	s.floats("points", s.points, 3)
	s.buf.WriteString("</Points>\n")
	s.cells()
	s.buf.WriteString("<PointData Vectors=\"displacement\" Scalars=\"status\">\n")
	s.floats("displacement", s.move, 3)
	s.floats("contact_force", s.contact, 3)
	s.floats("friction_force", s.friction, 3)
	s.floats("reaction", s.reaction, 3)
	s.bytes("status", s.status)
	anchor := make([]byte, np)
	for i := nj; i < np; i++ {
		anchor[i] = 1
	}
	s.bytes("anchor", anchor)
	s.buf.WriteString("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")
}

// Cell types of VTK.
const (
	vtkVertex = 1
	vtkLine   = 3
)

func (s *vtuSink) cells() {
	var nodes, ends []int64
	var types, kinds []byte
	add := func(kind LinkKind, cell byte, points ...int64) {
		nodes = append(nodes, points...)
		ends = append(ends, int64(len(nodes)))
		types, kinds = append(types, cell), append(kinds, byte(kind))
	}
	for j := range s.scene.IDs {
		add(Vertex, vtkVertex, int64(j))
	}
	for _, l := range s.scene.Links {
		add(l.Kind, vtkLine, int64(l.A), int64(l.B))
	}
	s.buf.WriteString("<Cells>\n")
	s.integers("connectivity", nodes)
	s.integers("offsets", ends)
	s.bytes("types", types)
	s.buf.WriteString("</Cells>\n<CellData Scalars=\"kind\">\n")
	s.bytes("kind", kinds)
	s.buf.WriteString("</CellData>\n")
}

func (s *vtuSink) floats(name string, values []float64, components int) {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	s.array("Float64", name, components, b)
}

func (s *vtuSink) integers(name string, values []int64) {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	s.array("Int64", name, 1, b)
}

func (s *vtuSink) bytes(name string, values []byte) { s.array("UInt8", name, 1, values) }

// array writes one DataArray: the number of bytes, then the bytes, in base64.
func (s *vtuSink) array(kind, name string, components int, b []byte) {
	fmt.Fprintf(&s.buf, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", kind, name, components)
	full := append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...)
	s.buf.WriteString(base64.StdEncoding.EncodeToString(full))
	s.buf.WriteString("</DataArray>\n")
}

// Close implements Sink: the folder of nodes first, then the PVD file that names
// them.
func (s *vtuSink) Close(fault error) error {
	final := vtuFolder(s.name)
	if fault == nil {
		fault = os.RemoveAll(final) // of an earlier export
	}
	if fault == nil {
		fault = os.Rename(s.dir, final)
	}
	if fault != nil {
		_ = os.RemoveAll(s.dir) // the fault is the news
		return fault
	}
	return WriteAtomic(s.name, s.collection)
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

func (s *vtuSink) collection(w io.Writer) error {
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
