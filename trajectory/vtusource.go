package trajectory

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// vtuFile is what is read of a VTU file.
type vtuFile struct {
	XMLName xml.Name `xml:"VTKFile"`
	Order   string   `xml:"byte_order,attr"`
	Header  string   `xml:"header_type,attr"`
	Piece   struct {
		Points int        `xml:"NumberOfPoints,attr"`
		At     vtuArray   `xml:"Points>DataArray"`
		Data   []vtuArray `xml:"PointData>DataArray"`
	} `xml:"UnstructuredGrid>Piece"`
}

type vtuArray struct {
	Kind       string `xml:"type,attr"`
	Name       string `xml:"Name,attr"`
	Components int    `xml:"NumberOfComponents,attr"`
	Format     string `xml:"format,attr"`
	Text       string `xml:",chardata"`
}

// vtuSource reads the nodes that a PVD file names.
type vtuSource struct {
	dir   string
	nodes []pvdEntry
	next  int
	n     int
	t     float64
}

func openPVD(name string, ids []string) (Source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	var p pvdFile
	if err := xml.Unmarshal(text, &p); err != nil || p.Type != "Collection" {
		return nil, fmt.Errorf("trajectory: %s: not a PVD file (%v)", name, err)
	}
	return &vtuSource{dir: filepath.Dir(name), nodes: p.Nodes, n: len(ids)}, nil
}

// Next implements Source.
func (s *vtuSource) Next(f *Frame) error {
	if s.next == len(s.nodes) {
		return io.EOF
	}
	entry := s.nodes[s.next]
	s.next++
	name := filepath.Join(s.dir, filepath.FromSlash(entry.File))
	if !filepath.IsLocal(filepath.FromSlash(entry.File)) {
		return fmt.Errorf("trajectory: %q leads out of the folder of the run", clip(entry.File))
	}
	t, err := strconv.ParseFloat(entry.Time, 64)
	if err != nil || (s.next > 1 && !(t >= s.t)) {
		return fmt.Errorf("trajectory: %s: found the time %q after %g, want times that do not decrease", name, clip(entry.Time), s.t)
	}
	s.t, f.T = t, t
	if err := s.read(f, name); err != nil {
		return fmt.Errorf("trajectory: %s: %w", name, err)
	}
	return nil
}

func (s *vtuSource) read(f *Frame, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var v vtuFile
	if err := xml.Unmarshal(text, &v); err != nil {
		return err
	}
	if v.Order != "LittleEndian" || v.Header != "UInt64" || v.Piece.Points < s.n || v.Piece.Points > 1<<30 {
		return fmt.Errorf("found %d points, byte order %q, headers %q; want a file of quasistatic with %d particles", v.Piece.Points, v.Order, v.Header, s.n)
	}
	if err := v.Piece.At.floats(f.X, v.Piece.Points); err != nil {
		return err
	}
	var seen int
	for i := range v.Piece.Data {
		switch a := &v.Piece.Data[i]; a.Name {
		case "reaction":
			seen++
			err = a.floats(f.Force, v.Piece.Points)
		case "status":
			seen++
			var b []byte
			if b, err = a.raw("UInt8", v.Piece.Points); err == nil {
				err = statuses(f.Status, b[:s.n])
			}
		}
		if err != nil {
			return err
		}
	}
	if seen != 2 {
		return errors.New("the arrays reaction and status are missing: is it from quasistatic export?")
	}
	return nil
}

// floats decodes the first particles of an array of vectors.
func (a *vtuArray) floats(dst []float64, points int) error {
	b, err := a.raw("Float64", 24*points)
	if err != nil {
		return err
	}
	return decodeFloats(dst, b)
}

// raw returns the bytes of an array.
func (a *vtuArray) raw(kind string, length int) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(a.Text))
	switch {
	case a.Kind != kind || a.Format != "binary":
		return nil, fmt.Errorf("array %q is %s, %s; want %s, binary", a.Name, a.Kind, a.Format, kind)
	case err != nil:
		return nil, fmt.Errorf("array %q: %w", a.Name, err)
	case len(b) != 8+length || binary.LittleEndian.Uint64(b) != uint64(length):
		return nil, fmt.Errorf("array %q has %d bytes, want %d", a.Name, len(b), 8+length)
	}
	return b[8:], nil
}

// Close implements Source.
func (s *vtuSource) Close() error { return nil }
