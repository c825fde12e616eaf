package table

import (
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
)

// ContactsFile holds where bodies push each other, one row a time and contact.
const ContactsFile = "contacts.csv"

// ContactRow is a contact that carries a force: at a time, of body A with B, another
// body or an obstacle.
type ContactRow struct {
	T        float64
	A, B     string
	State    dynamics.ContactState // stick or slide
	At, N    [3]float64            // place [m] and normal, which points into A [-]
	Normal   float64               // force along N [N]
	Friction [3]float64            // force on A across N [N]
	Bound    float64               // most friction it bears, μ times Normal [N]
}

// contactWords and contactNumbers are the columns of contacts.csv after t.
var (
	contactWords   = []string{"a", "b", "state"}
	contactNumbers = []string{"x", "y", "z", "nx", "ny", "nz", "normal", "fx", "fy", "fz", "bound"}
)

// contactDigits serve pictures and sums.
const contactDigits = 9

// contactColumns are those of contacts.csv after t.
var contactColumns = strings.Join(slices.Concat(contactWords, contactNumbers), ",")

// Across splits a force (n, t, o) in the frame of a normal: what acts across it,
// and the size of that.
func Across(t, o [3]float64, force []float64) (f [3]float64, size float64) {
	for c := range f {
		f[c] = force[1] * t[c]
		if len(force) > 2 {
			f[c] += force[2] * o[c]
		}
		size = math.Hypot(size, f[c])
	}
	return f, size
}

// Words are those of the row, in the order of its table.
func (r *ContactRow) Words() []string { return []string{r.A, r.B, r.State.String()} }

// Values are the numbers of the row, in the order of its table.
func (r *ContactRow) Values() []float64 {
	list := make([]float64, 0, len(contactNumbers))
	for _, v := range r.numbers() {
		list = append(list, *v)
	}
	return list
}

// append appends the row; the time has all digits.
func (r *ContactRow) append(dst []byte) []byte {
	dst = appendNumber(dst, r.T)
	dst = append(append(append(dst, ','), r.A...), ',')
	dst = append(append(append(dst, r.B...), ','), r.State.String()...)
	for _, v := range r.numbers() {
		dst = strconv.AppendFloat(append(dst, ','), *v, 'g', contactDigits, 64)
	}
	return dst
}

// contactOf reads a row of the sheet; see contactNumbers.
func contactOf(r *SheetRow) (c ContactRow) {
	c.T, c.A, c.B, c.State = r.T, r.Words[0], r.Words[1], dynamics.Stick
	if r.Words[2] == dynamics.Slide.String() {
		c.State = dynamics.Slide
	}
	for i, v := range c.numbers() {
		*v = r.Values[i]
	}
	return c
}

// numbers are those of the row, in the order of contactNumbers.
func (r *ContactRow) numbers() [11]*float64 {
	return [...]*float64{&r.At[0], &r.At[1], &r.At[2], &r.N[0], &r.N[1], &r.N[2], &r.Normal, &r.Friction[0], &r.Friction[1], &r.Friction[2], &r.Bound}
}

// ContactReader reads contacts.csv row by row.
type ContactReader struct {
	rows rowReader
}

// NewContactReader reads the header. The name is for messages.
func NewContactReader(in io.Reader, name string) (*ContactReader, error) {
	r := &ContactReader{newRowReader(in, name)}
	fields, err := r.rows.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if head := strings.Join(fields, ","); head != "t,"+contactColumns {
		return nil, r.rows.fault("the columns are %q, want those of %s: t,%s", clip(head), ContactsFile, contactColumns)
	}
	return r, nil
}

// Next fills the next row; io.EOF says that there is none yet.
func (r *ContactReader) Next(row *ContactRow) error {
	fields, err := r.rows.next()
	if err != nil {
		return err
	}
	text := 1 + len(contactWords)
	if want := text + len(contactNumbers); len(fields) != want {
		return r.rows.fault("found %d values, want %d: the line is cut off or from another file", len(fields), want)
	}
	row.A, row.B = fields[1], fields[2]
	switch fields[3] {
	case dynamics.Stick.String():
		row.State = dynamics.Stick
	case dynamics.Slide.String():
		row.State = dynamics.Slide
	default:
		return r.rows.fault("the state is %q, want %s or %s", clip(fields[3]), dynamics.Stick, dynamics.Slide)
	}
	if row.T, err = r.rows.number(fields, 0); err != nil {
		return err
	}
	for i, v := range row.numbers() {
		if *v, err = r.rows.number(fields, text+i); err != nil {
			return err
		}
	}
	return nil
}

// EventReader reads events.csv of the dynamic models: t, who, from, to.
type EventReader struct{ rows rowReader }

// NewEventReader reads the header. The name is for messages.
func NewEventReader(in io.Reader, name string) (*EventReader, error) {
	r := &EventReader{newRowReader(in, name)}
	fields, err := r.rows.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(fields) != 4 || fields[0] != "t" || fields[2] != "from" || fields[3] != "to" {
		return nil, r.rows.fault("the columns are %q, want t, a name, from, to", clip(strings.Join(fields, ",")))
	}
	return r, nil
}

// Next returns the next event; io.EOF says that there is none yet.
func (r *EventReader) Next() (t float64, who, from, to string, err error) {
	fields, err := r.rows.next()
	if err != nil {
		return 0, "", "", "", err
	}
	if len(fields) != 4 {
		return 0, "", "", "", r.rows.fault("found %d values, want 4: the line is cut off or from another file", len(fields))
	}
	t, err = r.rows.number(fields, 0)
	return t, fields[1], fields[2], fields[3], err
}

// Collision is a row of collisions.csv.
type Collision struct {
	T                    float64
	Contact              string
	Speed, Impulse, Loss float64
}

// CollisionReader reads collisions.csv row by row.
type CollisionReader struct{ rows rowReader }

// NewCollisionReader reads the header. The name is for messages.
func NewCollisionReader(in io.Reader, name string) (*CollisionReader, error) {
	r := &CollisionReader{newRowReader(in, name)}
	fields, err := r.rows.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if head, want := strings.Join(fields, ","), "t,"+strings.Join(collisionColumns, ","); head != want {
		return nil, r.rows.fault("the columns are %q, want %s", clip(head), want)
	}
	return r, nil
}

// Next returns the next impact; io.EOF says that there is none yet.
func (r *CollisionReader) Next() (c Collision, err error) {
	fields, err := r.rows.next()
	if err != nil {
		return c, err
	}
	if len(fields) != 5 {
		return c, r.rows.fault("found %d values, want 5: the line is cut off or from another file", len(fields))
	}
	c.Contact = fields[1]
	for _, v := range []struct {
		dst   *float64
		field int
	}{{&c.T, 0}, {&c.Speed, 2}, {&c.Impulse, 3}, {&c.Loss, 4}} {
		if *v.dst, err = r.rows.number(fields, v.field); err != nil {
			return c, err
		}
	}
	return c, nil
}
