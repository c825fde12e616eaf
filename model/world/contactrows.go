package world

import (
	"errors"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// ContactRows reads the rows of contacts.csv at the times of the run.
type ContactRows struct {
	audit  *run.Audit
	now    float64 // the present time
	in     *bodyview.ContactReader
	Number map[string]int        // of a body, or −1−obstacle
	ahead  *bodyview.ContactRow  // read, but of a later time
	Rows   []bodyview.ContactRow // of the present time
	line   int                   // of the first of them, 0 being that after the header
	names  *run.Check
	times  *run.Check
}

// newContactRows opens contacts.csv of a run of bodies and obstacles.
func newContactRows(a *run.Audit, ids, obstacles []string, times *run.Check) (*ContactRows, error) {
	in, err := bodyview.OpenContacts(a.Files)
	if err != nil {
		return nil, err
	}
	a.Close(in)
	r := &ContactRows{audit: a, in: in, Number: map[string]int{}, times: times}
	for i, name := range obstacles {
		r.Number[name] = -1 - i
	}
	for i, id := range ids {
		r.Number[id] = i
	}
	r.names = a.Check("contacts", "contacts are between bodies and obstacles of the case", "")
	return r, nil
}

// Read reads the contacts at a time.
func (r *ContactRows) Read(t float64) error {
	r.line += len(r.Rows)
	r.now, r.Rows = t, r.Rows[:0]
	for {
		if r.ahead == nil {
			var row bodyview.ContactRow
			err := r.in.Next(&row)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			r.ahead = &row
		}
		if r.ahead.T != t {
			if !(r.ahead.T > t) {
				r.times.Fail(r.At(len(r.Rows), "contact at a time that the run does not have"))
			}
			return nil
		}
		k := len(r.Rows)
		r.Rows = append(r.Rows, *r.ahead)
		r.ahead = nil
		a, known := r.Number[r.Rows[k].A]
		_, other := r.Number[r.Rows[k].B]
		if !known || !other || a < 0 {
			r.names.Fail(r.At(k, "columns a, b"))
			r.Rows[k].A = "" // belongs to nobody
			continue
		}
		r.names.AtMost(0, 1, run.Place{})
	}
}

// End looks for rows after the last time.
func (r *ContactRows) End() {
	if r.ahead != nil {
		r.times.Fail(r.At(len(r.Rows), "contact at a time that the run does not have"))
	}
}

// At is the place of contact k of the present time.
func (r *ContactRows) At(k int, what string) run.Place {
	t := r.now
	switch {
	case k < len(r.Rows):
		t = r.Rows[k].T
		if r.Rows[k].A != "" {
			what = r.Rows[k].A + "/" + r.Rows[k].B + ", " + what
		}
	case r.ahead != nil:
		t = r.ahead.T
	}
	return run.At(table.ContactsFile, r.line+k, t, what)
}

// CompareSums compares the sums of certificates.csv with what they should be. Who sticks is
// a matter of 1e-7 of the speeds; what bounds friction may be known to a rounding of its own only.
func (r *ContactRows) CompareSums(c *run.Check, found, want ContactSum, allowed, bound float64, certificates *run.Sheet) {
	c.AtMost(found.Normal-want.Normal, allowed, certificates.In("normal"))
	c.AtMost(found.Friction-want.Friction, allowed, certificates.In("friction"))
	c.AtMost(found.Bound-want.Bound, allowed+bound, certificates.In("bound"))
}

// NineDigits is what they leave of a number, relative to the largest of its kind.
const NineDigits = 1e-8

// Compare compares a row of the file with what it should be.
func (r *ContactRows) Compare(c *run.Check, k int, want *bodyview.ContactRow) {
	row := &r.Rows[k]
	size := math.Abs(want.Normal) + math.Abs(want.Friction[0]) + math.Abs(want.Friction[1]) +
		math.Abs(want.Friction[2]) + math.Abs(want.Bound)
	for i, axis := range []string{"x", "y", "z"} {
		c.AtMost(row.At[i]-want.At[i], NineDigits*(1+math.Abs(want.At[i])), r.At(k, "column "+axis))
		c.AtMost(row.N[i]-want.N[i], NineDigits, r.At(k, "column n"+axis))
		c.AtMost(row.Friction[i]-want.Friction[i], NineDigits*size, r.At(k, "column f"+axis))
	}
	c.AtMost(row.Normal-want.Normal, NineDigits*size, r.At(k, "column normal"))
	c.AtMost(row.Bound-want.Bound, NineDigits*size, r.At(k, "column bound"))
}
