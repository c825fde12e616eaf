package table

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Document is a VTU file in memory. Numbers are little-endian doubles in base64,
// so that reading gives the same bits.
type Document struct {
	buf  bytes.Buffer
	bits []byte
}

// begin begins a file; arrays of the field, which belong to no point, may follow.
func (d *Document) begin() {
	d.buf.Reset()
	d.buf.WriteString("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n")
}

// Cells are the cells of a piece.
type Cells struct {
	Nodes, Ends []int64
	Types       []byte
}

// Cell types of VTK.
const (
	VTKVertex   = 1
	VTKLine     = 3
	VTKTriangle = 5
	VTKPolygon  = 7
)

// Add adds a cell between points.
func (c *Cells) Add(kind byte, points ...int) {
	for _, p := range points {
		c.Nodes = append(c.Nodes, int64(p))
	}
	c.Ends = append(c.Ends, int64(len(c.Nodes)))
	c.Types = append(c.Types, kind)
}

// Piece begins the piece with its points, three coordinates each, and cells.
func (d *Document) Piece(points []float64, c *Cells) {
	fmt.Fprintf(&d.buf, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", len(points)/3, len(c.Types))
	d.Floats("points", points, 3)
	d.buf.WriteString("</Points>\n<Cells>\n")
	d.Integers("connectivity", c.Nodes)
	d.Integers("offsets", c.Ends)
	d.Bytes("types", c.Types)
	d.buf.WriteString("</Cells>\n")
}

func (d *Document) end() {
	d.buf.WriteString("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")
}

// Open begins a frame of arrays: FieldData, PointData, CellData; Close ends it.
func (d *Document) Open(what, attributes string) {
	if attributes != "" {
		attributes = " " + attributes
	}
	fmt.Fprintf(&d.buf, "<%s%s>\n", what, attributes)
}

// Close ends a frame of arrays.
func (d *Document) Close(what string) { fmt.Fprintf(&d.buf, "</%s>\n", what) }

// Floats writes an array of numbers, so many a tuple.
func (d *Document) Floats(name string, values []float64, components int) {
	d.bits = d.bits[:0]
	for _, v := range values {
		d.bits = binary.LittleEndian.AppendUint64(d.bits, math.Float64bits(v))
	}
	d.array("Float64", name, components, len(values)/max(1, components), d.bits)
}

// Integers writes an array of whole numbers.
func (d *Document) Integers(name string, values []int64) { d.tuples(name, values, 1) }

// tuples writes an array of whole numbers, so many a tuple.
func (d *Document) tuples(name string, values []int64, components int) {
	d.bits = d.bits[:0]
	for _, v := range values {
		d.bits = binary.LittleEndian.AppendUint64(d.bits, uint64(v))
	}
	d.array("Int64", name, components, len(values)/max(1, components), d.bits)
}

// Bytes writes an array of small numbers.
func (d *Document) Bytes(name string, values []byte) {
	d.array("UInt8", name, 1, len(values), values)
}

// array writes one DataArray: the number of bytes, then the bytes, in base64.
func (d *Document) array(kind, name string, components, tuples int, b []byte) {
	fmt.Fprintf(&d.buf, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" NumberOfTuples=\"%d\" format=\"binary\">",
		kind, name, components, tuples)
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
	return pvd[:len(pvd)-len(filepath.Ext(pvd))] + "." + vtuEnding
}

const vtuEnding = "vtu.d"

func vtuName(k int) string { return fmt.Sprintf("node-%07d.vtu", k) }

func newPVD(name string) (*pvdWriter, error) {
	dir, err := createPartFolder(filepath.Dir(name), filepath.Base(name))
	if err != nil {
		return nil, err
	}
	return &pvdWriter{name: name, dir: dir}, os.Chmod(dir, 0o755)
}

// put writes the file of a time.
func (w *pvdWriter) put(t float64, d *Document) error {
	name := filepath.Join(w.dir, vtuName(len(w.times)))
	w.times = append(w.times, t)
	return os.WriteFile(name, d.buf.Bytes(), 0o644)
}

// close puts the folder of files in place first, then the PVD file that names them;
// after a fault it removes what there is.
func (w *pvdWriter) close(fault error) error {
	if fault == nil { // the tables that it is made of may go then
		names := make([]string, len(w.times))
		for k := range names {
			names[k] = vtuName(k)
		}
		fault = cmp.Or(syncFiles(w.dir, names...), syncDir(w.dir))
	}
	if fault == nil {
		fault = exchange(w.dir, vtuFolder(w.name))
	}
	discardPart(w.dir) // after an exchange an earlier export, or nothing
	if fault != nil {
		return fault
	}
	return WriteAtomic(w.name, w.collection)
}

// exchange gives a folder its final name, and what had that name before, if anything, the
// other one: nothing is removed before it is replaced.
func exchange(dir, final string) error {
	aside := dir + "-earlier"
	switch err := os.Rename(final, aside); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(dir, final)
	case err != nil:
		return err
	}
	if err := os.Rename(dir, final); err != nil {
		return errors.Join(err, os.Rename(aside, final))
	}
	return os.Rename(aside, dir)
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
