package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sink takes the lines of one table of a run.
type sink interface {
	// write adds the line that fill appends to its argument.
	write(fill func(dst []byte) []byte) error
	flush() error
	// mark returns the sum of the lines so far, which are durable then if that is asked for.
	mark(name string, durable bool) (Sum, error)
	close() error
}

var (
	_ sink = (*lines)(nil)
	_ sink = (*comparison)(nil)
)

// Difference is the first line of a table that is not the one it was compared with.
type Difference struct {
	File   string
	Line   int    // 1 is the header
	T      string // of the line
	Column string // empty: the lines have no columns in common
	Found  string // in the folder; empty: the table ends before
	Made   string // by the run; empty: the table goes on after it
}

func (d *Difference) String() string {
	at := fmt.Sprintf("%s:%d: t=%s", d.File, d.Line, d.T)
	switch {
	case d.Found == "":
		return at + ", there is no such line"
	case d.Made == "":
		return at + ", there should be no such line"
	}
	return fmt.Sprintf("%s, column %s is %s and not %s", at, d.Column, d.Found, d.Made)
}

// comparison compares the lines of a table with those that a folder has.
type comparison struct {
	sheet *Sheet
	line  []byte
	count int           // lines so far
	text  *bufio.Reader // of the folder; nil: it has no such table
	in    io.Closer
	err   error       // of the reading, the first
	first *Difference // nil: none so far
	// Distance of the numbers at the same times, and extent of a column, the largest: of
	// the trajectory.
	apart  float64
	extent float64
	least  []float64 // of each column
	most   []float64
	near   *Near       // nil: only exactly
	cells  []cell      // of the time and of each column
	size   float64     // of the largest number, but for times where numbers are no durations
	other  *Difference // the first in words, or in what rows there are
	strays []stray     // lines of events that came in another order
}

// stray is a line whose words the other table does not have there. Which of two events at one time comes first rounding
// decides: it has them at another line whose time is the same but for rounding, or is another table.
type stray struct {
	fields []string
	made   bool // by the run, not found in the folder
	where  *Difference
}

// Near says when two numbers of a table are the same but for rounding.
type Near struct {
	Part  float64 // of either number, by which they may differ beside that of the largest of their table
	Time  float64 // part of a time
	Apart func(column string) bool
}

// cell is the number of a column that differs most.
type cell struct {
	beyond float64 // the part of the numbers
	where  *Difference
}

// Against returns tables that compare the rows they take with those of a folder of the same
// layout, in whatever format, and leave nothing: exactly and, unless it is nil, to what is
// near. A folder that cannot be read is an error of the row that meets the fault.
func Against(f *Folder, o Options, near *Near) (*Tables, error) {
	return newTables(f.layout, o, func(_ int, s *Sheet) (sink, error) {
		c := &comparison{sheet: s, near: near, cells: make([]cell, 1+len(s.Columns))}
		in, err := f.Open(s.File)
		switch {
		case s.Stays && errors.Is(err, fs.ErrNotExist):
			c.count = 1 // the header
			return c, nil
		case err != nil:
			return nil, err
		}
		c.text, c.in = bufio.NewReaderSize(in, 1<<16), in
		if s.File == TrajectoryFile {
			c.least, c.most = make([]float64, len(s.Columns)), make([]float64, len(s.Columns))
		}
		return c, c.write(s.appendHeader)
	})
}

// Differences returns the first different line of each table, of tables [Against] a folder,
// once they are closed.
func (w *Tables) Differences() []*Difference {
	var list []*Difference
	for _, f := range w.files {
		if c, ok := f.(*comparison); ok && c.first != nil {
			list = append(list, c.first)
		}
	}
	return list
}

// Far returns of each table that differs from that of the folder by more than is near, and a part of
// the largest number of the table, the first word or row, or else the number that differs most.
// Columns that are apart, of which it returns how many there are, are not compared.
func (w *Tables) Far(rest float64) (list []*Difference, apart int) {
	for _, f := range w.files {
		c, ok := f.(*comparison)
		if !ok || c.near == nil {
			continue
		}
		for i := range c.sheet.Columns {
			if c.near.Apart(c.sheet.Columns[i]) {
				apart++
			}
		}
		if d := c.far(rest); d != nil {
			list = append(list, d)
		}
	}
	return list, apart
}

func (c *comparison) far(rest float64) *Difference {
	if c.other != nil {
		return c.other
	}
	worst, beyond := (*Difference)(nil), rest*c.size
	for i := range c.cells {
		x := &c.cells[i]
		switch {
		case i == 0 && x.where != nil:
			return x.where
		case x.beyond > beyond && !c.near.Apart(c.sheet.Columns[i-1]):
			worst, beyond = x.where, x.beyond
		}
	}
	return worst
}

// Apart returns by how much the numbers of the trajectory differ from those of the folder at
// the same times, at most, and the largest extent of its columns.
func (w *Tables) Apart() (distance, extent float64) {
	c, ok := w.files[w.sheet(TrajectoryFile)].(*comparison)
	if !ok {
		return 0, 0
	}
	return c.apart, c.extent
}

func (c *comparison) write(fill func(dst []byte) []byte) error {
	c.line = fill(c.line[:0])
	c.count++
	if c.text == nil {
		c.differ("", string(c.line))
		return nil
	}
	found, err := c.next()
	if err != nil {
		return err
	}
	if same := bytes.Equal(found, c.line); !same {
		c.differ(string(found), string(c.line))
	}
	c.compare(found)
	c.measure(found)
	return nil
}

// compare takes the numbers of the present line, and notes words that differ.
func (c *comparison) compare(found []byte) {
	if c.near == nil || c.count == 1 || c.other != nil {
		return
	}
	a, b := strings.Split(string(found), ","), strings.Split(string(c.line), ",")
	if len(a) != len(b) {
		c.other = c.difference(string(found), string(c.line))
		return
	}
	words := len(c.sheet.Words)
	if len(c.strays) == 0 && slices.Equal(a[1:1+words], b[1:1+words]) {
		c.numbers(a, b)
		return
	}
	d := c.difference(string(found), string(c.line))
	for k := words; k > 0; k-- {
		if a[k] != b[k] {
			d = c.at(b[0], c.sheet.Words[k-1], a[k], b[k])
		}
	}
	c.pair(stray{fields: a, where: d})
	c.pair(stray{fields: b, made: true, where: d})
}

// pair compares a line with the first stray of the other table that has its words, or makes it a stray.
func (c *comparison) pair(s stray) {
	time := func(s stray) float64 {
		t, _ := strconv.ParseFloat(s.fields[0], 64)
		return t
	}
	words, t := 1+len(c.sheet.Words), time(s)
	for _, old := range c.strays {
		if c.other == nil && !(math.Abs(time(old)-t) <= c.near.Part*math.Abs(t)) {
			c.other = old.where
		}
	}
	i := slices.IndexFunc(c.strays, func(x stray) bool {
		return x.made != s.made && slices.Equal(x.fields[1:words], s.fields[1:words])
	})
	switch {
	case i < 0:
		c.strays = append(c.strays, s)
		return
	case s.made:
		c.numbers(c.strays[i].fields, s.fields)
	default:
		c.numbers(s.fields, c.strays[i].fields)
	}
	c.strays = slices.Delete(c.strays, i, i+1)
}

// numbers takes those of two lines with the same words.
func (c *comparison) numbers(found, made []string) {
	c.number(0, "t", made[0], found[0], made[0], c.near.Time)
	words := 1 + len(c.sheet.Words)
	for i, column := range c.sheet.Columns {
		c.number(i+1, column, made[0], found[words+i], made[words+i], c.near.Part)
	}
}

// number takes one of a column at a time, of which a part may differ.
func (c *comparison) number(i int, column, t, found, made string, part float64) {
	x := &c.cells[i]
	m, _ := strconv.ParseFloat(made, 64)    // written by us
	durations := c.sheet.File == EventsFile // numbers of events are differences of times, and have their rounding
	if (i > 0 || durations) && !c.near.Apart(column) && !math.IsInf(m, 0) {
		c.size = max(c.size, math.Abs(m))
	}
	if found == made {
		return
	}
	f, err := strconv.ParseFloat(found, 64)
	beyond := math.Abs(f-m) - part*max(math.Abs(f), math.Abs(m))
	if err != nil || math.IsNaN(beyond) {
		beyond = math.Inf(1)
	}
	if beyond > x.beyond {
		x.beyond, x.where = beyond, c.at(t, column, found, made)
	}
}

// next returns the next line of the folder; empty: there is none.
func (c *comparison) next() ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	found, err := c.text.ReadBytes('\n')
	if err != nil && err != io.EOF {
		c.err = err
		return nil, err
	}
	return bytes.TrimRight(found, "\r\n"), nil
}

// at is a difference of the present line in a column.
func (c *comparison) at(t, column, found, made string) *Difference {
	return &Difference{File: c.sheet.File, Line: c.count, T: t, Column: column, Found: found, Made: made}
}

// differ notes the first difference.
func (c *comparison) differ(found, made string) {
	if c.first == nil {
		c.first = c.difference(found, made)
	}
	if c.other == nil && (found == "" || made == "") {
		c.other = c.difference(found, made)
	}
}

// difference is that of two lines.
func (c *comparison) difference(found, made string) *Difference {
	d := &Difference{File: c.sheet.File, Line: c.count, Found: found, Made: made}
	a, b := strings.Split(found, ","), strings.Split(made, ",")
	d.T = b[0]
	if made == "" {
		d.T = a[0]
	}
	head := c.sheet.header()
	if found == "" || made == "" || len(a) != len(b) || len(a) != len(head) {
		return d
	}
	for i := range a {
		if a[i] != b[i] {
			d.Column, d.Found, d.Made = head[i], a[i], b[i]
			return d
		}
	}
	return d
}

// digits is the rounding of a place after many steps, relative: what never moves has that extent.
const digits = 1e-12

// measure takes the present line into distance and extents.
func (c *comparison) measure(found []byte) {
	if c.least == nil || c.count == 1 {
		return
	}
	a, b := bytes.Split(found, []byte{','}), bytes.Split(c.line, []byte{','})
	sameTime := len(a) == len(b) && bytes.Equal(a[0], b[0])
	skip := 1 + len(c.sheet.Words)
	for i := range c.least {
		made, _ := strconv.ParseFloat(string(b[skip+i]), 64) // written by us
		if c.count == 2 {
			c.least[i], c.most[i] = made, made
		}
		c.least[i], c.most[i] = min(c.least[i], made), max(c.most[i], made)
		c.extent = max(c.extent, c.most[i]-c.least[i], digits*math.Abs(made))
		if !sameTime {
			continue
		}
		if v, err := strconv.ParseFloat(string(a[skip+i]), 64); err != nil {
			c.apart = math.Inf(1)
		} else {
			c.apart = max(c.apart, math.Abs(v-made))
		}
	}
}

func (c *comparison) flush() error { return nil }

func (c *comparison) mark(string, bool) (Sum, error) { return Sum{File: c.sheet.File}, nil }

// close looks for lines that the folder has and the run has not.
func (c *comparison) close() error {
	if c.text == nil {
		return nil
	}
	c.count++
	found, err := c.next()
	if err == nil && len(found) > 0 {
		c.differ(string(found), "")
	}
	if c.other == nil && len(c.strays) > 0 {
		c.other = c.strays[0].where
	}
	return errors.Join(err, c.in.Close())
}
