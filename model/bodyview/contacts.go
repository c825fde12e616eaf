package bodyview

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

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

// contactOf reads a row of the sheet; see contactNumbers.
func contactOf(r *table.SheetRow) (c ContactRow) {
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
	return [...]*float64{&r.At[0], &r.At[1], &r.At[2], &r.N[0], &r.N[1], &r.N[2], &r.Normal, &r.Friction[0],
		&r.Friction[1], &r.Friction[2], &r.Bound}
}

// ContactReader reads contacts.csv row by row.
type ContactReader struct{ *table.Cursor }

// OpenContacts opens the contacts of a run; close it.
func OpenContacts(f *table.Folder) (*ContactReader, error) {
	c, err := f.Cursor(table.ContactsFile)
	return &ContactReader{c}, err
}

// Next fills the next row; io.EOF says that there is none yet.
func (r *ContactReader) Next(row *ContactRow) error {
	if err := r.Cursor.Next(); err != nil {
		return err
	}
	if state := r.Row.Words[2]; state != dynamics.Stick.String() && state != dynamics.Slide.String() {
		return r.Fault("the state is %q, want %s or %s", state, dynamics.Stick, dynamics.Slide)
	}
	*row = contactOf(&r.Row)
	return nil
}

// Collision is a row of collisions.csv.
type Collision struct {
	T                    float64
	Contact              string
	Speed, Impulse, Loss float64
}

// CollisionReader reads collisions.csv row by row.
type CollisionReader struct{ *table.Cursor }

// OpenCollisions opens the impacts of a run; close it.
func OpenCollisions(f *table.Folder) (*CollisionReader, error) {
	c, err := f.Cursor(table.CollisionsFile)
	return &CollisionReader{c}, err
}

// Next returns the next impact; io.EOF says that there is none yet.
func (r *CollisionReader) Next() (c Collision, err error) {
	err = r.Cursor.Next()
	v := r.Row.Values
	return Collision{r.Row.T, r.Row.Words[0], v[0], v[1], v[2]}, err
}
