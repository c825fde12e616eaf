package table

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// vtuFile is what is read of a VTU file.
type vtuFile struct {
	XMLName xml.Name   `xml:"VTKFile"`
	Order   string     `xml:"byte_order,attr"`
	Header  string     `xml:"header_type,attr"`
	Field   []vtuArray `xml:"UnstructuredGrid>FieldData>DataArray"`
}

type vtuArray struct {
	Kind       string `xml:"type,attr"`
	Name       string `xml:"Name,attr"`
	Components int    `xml:"NumberOfComponents,attr"`
	Tuples     int    `xml:"NumberOfTuples,attr"`
	Format     string `xml:"format,attr"`
	Text       string `xml:",chardata"`
}

// pvdReader reads the files that a PVD file names.
type pvdReader struct {
	dir   string
	nodes []pvdEntry
	at    int
	t     float64
	field bool // read the field data only, which come first, of files that are whole
}

func openCollection(name string) (*pvdReader, error) {
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	var p pvdFile
	if err := xml.Unmarshal(text, &p); err != nil || p.Type != "Collection" {
		return nil, fmt.Errorf("table: %s: not a PVD file (%.200v)", name, err)
	}
	return &pvdReader{dir: filepath.Dir(name), nodes: p.Nodes}, nil
}

// next reads the next file; io.EOF says that there is none.
func (s *pvdReader) next() (t float64, v *vtuFile, name string, err error) {
	if s.at == len(s.nodes) {
		return 0, nil, "", io.EOF
	}
	entry := s.nodes[s.at]
	s.at++
	file := filepath.FromSlash(entry.File)
	name = filepath.Join(s.dir, file)
	if !filepath.IsLocal(file) {
		return 0, nil, name, fmt.Errorf("table: %q leads out of the folder of the run", clip(entry.File))
	}
	t, err = strconv.ParseFloat(entry.Time, 64)
	if err != nil || (s.at > 1 && !(t >= s.t)) {
		return 0, nil, name, fmt.Errorf("table: %s: found the time %q after %g, want times that do not decrease", name,
			clip(entry.Time), s.t)
	}
	s.t = t
	text, err := regular.ReadFile(name)
	v = &vtuFile{}
	if err == nil && s.field {
		text, err = onlyField(text)
	}
	if err == nil {
		err = xml.Unmarshal(text, v)
	}
	if err == nil && (v.Order != "LittleEndian" || v.Header != "UInt64") {
		err = fmt.Errorf("found byte order %.40q, headers %.40q; want a file of quasistatic", v.Order, v.Header)
	}
	if err != nil {
		return 0, nil, name, fmt.Errorf("table: %s: %w", name, err)
	}
	return t, v, name, nil
}

// onlyField cuts what follows the field data.
func onlyField(text []byte) ([]byte, error) {
	if !bytes.HasSuffix(bytes.TrimSpace(text), []byte("</VTKFile>")) {
		return nil, errors.New("the file is cut off")
	}
	const end = "</FieldData>"
	i := bytes.Index(text, []byte(end))
	if i < 0 {
		return nil, errors.New("there are no field data: is it from quasistatic export?")
	}
	return append(text[:i+len(end)], "</UnstructuredGrid></VTKFile>"...), nil
}

// raw returns the bytes of an array.
func (a *vtuArray) raw(kind string, length int) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(a.Text))
	switch {
	case a.Kind != kind || a.Format != "binary":
		return nil, fmt.Errorf("array %q is %.40s, %.40s; want %s, binary", a.Name, a.Kind, a.Format, kind)
	case err != nil:
		return nil, fmt.Errorf("array %q: %w", a.Name, err)
	case len(b) != 8+length || binary.LittleEndian.Uint64(b) != uint64(length):
		return nil, fmt.Errorf("array %q has %d bytes, want %d", a.Name, len(b), 8+length)
	}
	return b[8:], nil
}

// fieldArray finds an array of the field data with so many components and tuples; −1
// tuples: any number.
func (v *vtuFile) fieldArray(name string, components, tuples int) (*vtuArray, error) {
	for i := range v.Field {
		a := &v.Field[i]
		if a.Name != name {
			continue
		}
		if a.Components != components || tuples >= 0 && a.Tuples != tuples || a.Tuples < 0 || a.Tuples > 1<<30/components {
			return nil, fmt.Errorf("array %q has %d tuples of %d numbers, want %d of %d", name, a.Tuples, a.Components, tuples, components)
		}
		return a, nil
	}
	return nil, fmt.Errorf("the array %q is missing: is it from quasistatic export?", name)
}

// field decodes an array of numbers of the field data.
func (v *vtuFile) field(name string, components, tuples int) ([]float64, error) {
	a, err := v.fieldArray(name, components, tuples)
	if err != nil {
		return nil, err
	}
	b, err := a.raw("Float64", 8*components*a.Tuples)
	if err != nil {
		return nil, err
	}
	list := make([]float64, components*a.Tuples)
	decode(list, b)
	return list, nil
}

func integersOf(b []byte) []int64 {
	list := make([]int64, len(b)/8)
	for i := range list {
		list[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return list
}
