package table

import (
	"errors"
	"io"
	"strings"
)

// ImpulseRow is what a contact did in the step that ended at a time, on body A, at the
// place of the contact when the step began. Steps with collisions have none: several
// parts follow each other in them.
type ImpulseRow struct {
	T       float64
	A, B    string // B another body or an obstacle
	Feature int    // of several contacts of a pair, or element of its patch
	On      [3]float64
}

// impulseNumbers are the columns of impulses.csv after t, a, b: the feature and the
// impulse, global [N s].
var impulseNumbers = []string{"feature", "ix", "iy", "iz"}

// Words are those of the row, in the order of its table.
func (r *ImpulseRow) Words() []string { return []string{r.A, r.B} }

// Values are the numbers of the row, in the order of its table.
func (r *ImpulseRow) Values() []float64 {
	return []float64{float64(r.Feature), r.On[0], r.On[1], r.On[2]}
}

func (r *ImpulseRow) append(dst []byte) []byte {
	dst = append(append(append(append(appendNumber(dst, r.T), ','), r.A...), ','), r.B...)
	for _, v := range []float64{float64(r.Feature), r.On[0], r.On[1], r.On[2]} {
		dst = appendNumber(append(dst, ','), v)
	}
	return dst
}

// ImpulseReader reads impulses.csv row by row.
type ImpulseReader struct{ rows rowReader }

// NewImpulseReader reads the header. The name is for messages.
func NewImpulseReader(in io.Reader, name string) (*ImpulseReader, error) {
	r := &ImpulseReader{newRowReader(in, name)}
	fields, err := r.rows.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	s := Sheet{Words: contactWords[:2], Columns: impulseNumbers}
	if head, want := strings.Join(fields, ","), strings.Join(s.header(), ","); head != want {
		return nil, r.rows.fault("the columns are %q, want %s", clip(head), want)
	}
	return r, nil
}

// Next fills the next row; io.EOF says that there is none yet.
func (r *ImpulseReader) Next(row *ImpulseRow) error {
	fields, err := r.rows.next()
	if err != nil {
		return err
	}
	const words = 3 // t, a, b
	if want := words + len(impulseNumbers); len(fields) != want {
		return r.rows.fault("found %d values, want %d: the line is cut off or from another file", len(fields), want)
	}
	row.A, row.B = fields[1], fields[2]
	feature := 0.0
	for _, v := range []struct {
		dst   *float64
		field int
	}{{&row.T, 0}, {&feature, words}, {&row.On[0], words + 1}, {&row.On[1], words + 2}, {&row.On[2], words + 3}} {
		if *v.dst, err = r.rows.number(fields, v.field); err != nil {
			return err
		}
	}
	if row.Feature = int(feature); float64(row.Feature) != feature {
		return r.rows.fault("the feature is %g, want a whole number", feature)
	}
	return nil
}
