package main

import (
	"errors"
	"io"
	"math"
	"path/filepath"

	"github.com/quasistatic/quasistatic/table"
)

// contactRows reads the rows of contacts.csv at the times of the run.
type contactRows struct {
	*audit
	in     *table.ContactReader
	number map[string]int     // of a body, or −1−obstacle
	ahead  *table.ContactRow  // read, but of a later time
	rows   []table.ContactRow // of the present time
	line   int                // of the first of them, 0 being that after the header
	names  *check
	times  *check
}

func (a *audit) contactRows(ids, obstacles []string, times *check) (*contactRows, error) {
	f, err := a.files.Open(table.ContactsFile)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, f)
	r := &contactRows{audit: a, number: map[string]int{}, times: times}
	for i, name := range obstacles {
		r.number[name] = -1 - i
	}
	for i, id := range ids {
		r.number[id] = i
	}
	r.names = a.add("contacts", "contacts are between bodies and obstacles of the case", "")
	r.in, err = table.NewContactReader(f, filepath.Join(a.dir, table.ContactsFile))
	return r, err
}

// read reads the contacts at a time.
func (r *contactRows) read(t float64) error {
	r.line += len(r.rows)
	r.rows = r.rows[:0]
	for {
		if r.ahead == nil {
			var row table.ContactRow
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
				r.times.wrong(r.at(len(r.rows), "contact at a time that the run does not have"))
			}
			return nil
		}
		k := len(r.rows)
		r.rows = append(r.rows, *r.ahead)
		r.ahead = nil
		a, known := r.number[r.rows[k].A]
		_, other := r.number[r.rows[k].B]
		if !known || !other || a < 0 {
			r.names.wrong(r.at(k, "columns a, b"))
			r.rows[k].A = "" // belongs to nobody
			continue
		}
		r.names.see(0, 1, place{})
	}
}

// ended looks for rows after the last time.
func (r *contactRows) ended() {
	if r.ahead != nil {
		r.times.wrong(r.at(len(r.rows), "contact at a time that the run does not have"))
	}
}

// at is the place of contact k of the present time.
func (r *contactRows) at(k int, what string) place {
	t := 0.0
	switch {
	case k < len(r.rows):
		t = r.rows[k].T
		if r.rows[k].A != "" {
			what = r.rows[k].A + "/" + r.rows[k].B + ", " + what
		}
	case r.ahead != nil:
		t = r.ahead.T
	}
	return place{table.ContactsFile, r.line + k, t, what}
}

// nineDigits is what they leave of a number, relative to the largest of its kind.
const nineDigits = 1e-8

// alike compares a row of the file with what it should be.
func (r *contactRows) alike(c *check, k int, want *table.ContactRow) {
	row := &r.rows[k]
	size := math.Abs(want.Normal) + math.Abs(want.Friction[0]) + math.Abs(want.Friction[1]) + math.Abs(want.Friction[2]) + math.Abs(want.Bound)
	for i, axis := range []string{"x", "y", "z"} {
		c.see(row.At[i]-want.At[i], nineDigits*(1+math.Abs(want.At[i])), r.at(k, "column "+axis))
		c.see(row.N[i]-want.N[i], nineDigits, r.at(k, "column n"+axis))
		c.see(row.Friction[i]-want.Friction[i], nineDigits*size, r.at(k, "column f"+axis))
	}
	c.see(row.Normal-want.Normal, nineDigits*size, r.at(k, "column normal"))
	c.see(row.Bound-want.Bound, nineDigits*size, r.at(k, "column bound"))
}
