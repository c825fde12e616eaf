package table

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CertificateReader reads certificates.csv row by row. Files of other models may
// have other columns after t.
type CertificateReader struct {
	Columns []string
	name    string
	in      *bufio.Reader
	line    int
	row     []float64
}

// NewCertificateReader reads the header. The name is for messages.
func NewCertificateReader(in io.Reader, name string) (*CertificateReader, error) {
	r := &CertificateReader{name: name, in: bufio.NewReaderSize(in, chunk), line: 1}
	text, err := r.in.ReadString('\n')
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("table: %w", err)
	}
	r.Columns = strings.Split(strings.TrimSpace(text), ",")
	if r.Columns[0] != "t" {
		return nil, r.fault("the first column is %q, want t: is this %s?", clip(r.Columns[0]), CertificatesFile)
	}
	r.row = make([]float64, len(r.Columns))
	return r, nil
}

func (r *CertificateReader) fault(format string, args ...any) error {
	return &FormatError{File: r.name, Line: r.line, Text: fmt.Sprintf(format, args...)}
}

// Next returns the next row, in a slice that changes with the next call. Values
// may be infinite or not numbers: a certificate that failed says so.
func (r *CertificateReader) Next() ([]float64, error) {
	text, err := r.in.ReadString('\n')
	if text == "" {
		return nil, err
	}
	r.line++
	fields := strings.Split(strings.TrimSpace(text), ",")
	if len(fields) != len(r.row) {
		return nil, r.fault("found %d values, want %d: the line is cut off or from another file", len(fields), len(r.row))
	}
	for i, f := range fields {
		if r.row[i], err = strconv.ParseFloat(f, 64); err != nil {
			return nil, r.fault("value %d is %q, want a number", i+1, clip(f))
		}
	}
	return r.row, nil
}
