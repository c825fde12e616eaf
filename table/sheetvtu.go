package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
)

// A run of a dynamic model leaves a VTU file at each time of the sheets that its picture needs:
// every row or, of a mesh, those at which the whole of it was written too. Beside the picture its
// field data hold the rows of all sheets since the file before, so that nothing is lost: <name>
// with the numbers, a tuple a row, <name>_t with the times, and <name>_words with words as places
// in the list of names of the case.
func writeVTUSheets(dir string, f *Folder, open sourceOpener) error {
	w, err := newPVD(filepath.Join(dir, VTU.File()))
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return drawVTUSheets(w, f, open)
}

// vtuSink takes the VTU files of a run, in order of time.
type vtuSink interface {
	put(t float64, d *Document) error
	// close takes what names them, or gives them up after a fault.
	close(fault error) error
}

var (
	_ vtuSink = (*pvdWriter)(nil)
	_ vtuSink = (*pvdComparison)(nil)
)

func drawVTUSheets(w vtuSink, f *Folder, open sourceOpener) error {
	v := &vtuSheets{layout: f.layout, vtuSink: w}
	defer v.closeSources() // read only
	err := v.openSources(open)
	if err == nil && f.layout.States != nil {
		if v.states, err = f.layout.openStates(f, open); err == nil {
			defer v.states.close()
		}
	}
	if p, follows := f.layout.Picture.(Follower); err == nil && follows {
		if v.passed, err = f.Cursor(f.layout.Sheets[0].File); err == nil {
			v.follower = p
			defer v.passed.Close() // read only
		}
	}
	if err == nil {
		err = v.all()
	}
	return w.close(err)
}

// vtuSheets reads all sheets side by side and writes them time by time.
type vtuSheets struct {
	vtuSink
	layout *Layout
	heads  []*vtuHead
	states *stateRows // nil: there are none
	doc    Document
	code   map[string]int64

	follower Follower // nil: the picture of a time follows from the rows of that time
	passed   *Cursor  // all rows of the first sheet, those that are not drawn too
}

// vtuHead is a sheet with its next row.
type vtuHead struct {
	sheet *Sheet
	rows  rowSource
	next  *SheetRow // nil: none is left
	batch []SheetRow
	spare []SheetRow
}

func (v *vtuSheets) openSources(open sourceOpener) error {
	v.code = map[string]int64{}
	for i, w := range v.layout.Vocabulary {
		v.code[w] = int64(i)
	}
	for _, s := range v.layout.moving() {
		rows, err := open(s)
		if err != nil {
			return err
		}
		h := &vtuHead{sheet: s, rows: rows, next: s.newRow()}
		v.heads = append(v.heads, h)
		if err := h.read(); err != nil {
			return err
		}
	}
	return nil
}

func (v *vtuSheets) closeSources() {
	for _, h := range v.heads {
		_ = h.rows.close() // read only
	}
}

// read reads the next row.
func (h *vtuHead) read() error {
	err := h.rows.next(h.next)
	if errors.Is(err, io.EOF) {
		h.next = nil
		return nil
	}
	return err
}

// begin empties the batch.
func (h *vtuHead) begin() { h.batch, h.spare = h.batch[:0], append(h.spare, h.batch...) }

// until takes the rows up to time t into the batch, or the next one of them.
func (h *vtuHead) until(t float64, single bool) error {
	for h.next != nil && h.next.T <= t && (len(h.batch) == 0 || !single) {
		var row SheetRow
		if n := len(h.spare); n > 0 {
			row, h.spare = h.spare[n-1], h.spare[:n-1]
		} else {
			row = *h.sheet.newRow()
		}
		row.copyFrom(h.next)
		h.batch = append(h.batch, row)
		if err := h.read(); err != nil {
			return err
		}
	}
	return nil
}

// pace is the sheet whose times are those of the files: that of the whole mesh, or
// the trajectory.
func (v *vtuSheets) pace() *vtuHead {
	if i := slices.IndexFunc(v.heads, func(h *vtuHead) bool { return h.sheet.Times == ShotTimes }); i >= 0 {
		return v.heads[i]
	}
	return v.heads[0]
}

// all writes the files. Rows behind the last picture go to a file of its time.
func (v *vtuSheets) all() error {
	pace, path := v.pace(), v.heads[0]
	rows := &Moment{Sheets: map[string][]SheetRow{}, First: true}
	whole := true // the batches are those of a file that was written
	for pace.next != nil {
		rows.T = pace.next.T
		last := rows.T
		for _, h := range v.heads {
			if whole {
				h.begin()
			}
		}
		for _, h := range v.heads {
			// Several rows may be at one time: each has a file.
			if err := h.until(rows.T, pace.sheet.Times == EveryRow && h.sheet.Times == EveryRow); err != nil {
				return err
			}
		}
		if pace.next == nil { // what is left of a run that was killed
			for _, h := range v.heads {
				if h.next != nil {
					return fmt.Errorf("table: %s has rows after t=%g, the end of %s: the files are not of one run that was completed",
						h.sheet.File, last, pace.sheet.File)
				}
			}
		}
		// A mesh that was written at a time without a row of the others has no forces there: it
		// goes into the next file.
		if whole = len(path.batch) > 0 && path.batch[len(path.batch)-1].T == rows.T; !whole {
			if pace.next == nil {
				return fmt.Errorf("table: %s ends at t=%g, where %s has no row: the files are not of one run that was completed",
					pace.sheet.File, last, path.sheet.File)
			}
			continue
		}
		for _, h := range v.heads {
			rows.Sheets[h.sheet.File] = h.batch
		}
		if v.states != nil {
			var err error
			if rows.States, err = v.states.next(); err != nil {
				return err
			}
		}
		if err := v.follow(&path.batch[len(path.batch)-1]); err != nil {
			return err
		}
		if err := v.document(rows); err != nil {
			return err
		}
		rows.First = false
		if err := v.put(rows.T, &v.doc); err != nil {
			return err
		}
	}
	return nil
}

// follow takes the picture to a row that is drawn, through those before it that are not.
func (v *vtuSheets) follow(drawn *SheetRow) error {
	for v.follower != nil {
		if err := v.passed.Next(); errors.Is(err, io.EOF) {
			return v.passed.Fault("the file ends before t=%g, which is drawn: the files are not of one run", drawn.T)
		} else if err != nil {
			return err
		}
		row := &v.passed.Row
		if row.T == drawn.T && slices.EqualFunc(row.Values, drawn.Values, sameBits) {
			break
		}
		v.follower.Follow(row.T, row.Values)
	}
	return nil
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// document writes one file.
func (v *vtuSheets) document(rows *Moment) error {
	d := &v.doc
	d.begin()
	d.Open("FieldData", "")
	for _, h := range v.heads {
		name := h.sheet.name()
		var times, values []float64
		var words []int64
		for i := range h.batch {
			r := &h.batch[i]
			times, values = append(times, r.T), append(values, r.Values...)
			for _, text := range r.Words {
				code, known := v.code[text]
				if !known {
					return fmt.Errorf("table: %s: t=%g: %q is no name of the case", h.sheet.File, r.T, clip(text))
				}
				words = append(words, code)
			}
		}
		d.Floats(name+"_t", times, 1)
		if len(h.sheet.Columns) > 0 {
			d.Floats(name, values, len(h.sheet.Columns))
		}
		if len(h.sheet.Words) > 0 {
			d.tuples(name+"_words", words, len(h.sheet.Words))
		}
	}
	d.Close("FieldData")
	v.layout.Picture.Draw(d, rows)
	d.end()
	return nil
}

// vtuRows reads the rows of a sheet.
type vtuRows struct {
	*pvdReader
	sheet      *Sheet
	vocabulary []string
	name       string // of the present file
	times      []float64
	values     []float64
	words      []int64
	at         int // of the rows of the file
	last       float64
	begun      bool
}

// openVTURows opens a sheet in a run folder.
func openVTURows(dir string, l *Layout, s *Sheet) (rowSource, error) {
	r, err := openCollection(filepath.Join(dir, VTU.File()))
	if err != nil {
		return nil, err
	}
	r.field = true
	return &vtuRows{pvdReader: r, sheet: s, vocabulary: l.Vocabulary}, nil
}

func (r *vtuRows) next(row *SheetRow) error {
	for r.at == len(r.times) {
		_, v, name, err := r.pvdReader.next()
		if err != nil {
			return err
		}
		r.name, r.at = name, 0
		if err := r.decode(v); err != nil {
			return fmt.Errorf("table: %s: %w", name, err)
		}
	}
	columns, words := len(r.sheet.Columns), len(r.sheet.Words)
	row.T = r.times[r.at]
	copy(row.Values, r.values[columns*r.at:])
	for i := range row.Words {
		code := r.words[words*r.at+i]
		if code < 0 || code >= int64(len(r.vocabulary)) {
			return fmt.Errorf("table: %s: %s: row %d: found the name %d, the case has %d", r.name, r.sheet.name(), r.at,
				code, len(r.vocabulary))
		}
		row.Words[i] = r.vocabulary[code]
	}
	if text := r.sheet.invalid(row, r.last); text != "" && r.begun {
		return fmt.Errorf("table: %s: %s: row %d: %s", r.name, r.sheet.name(), r.at, text)
	}
	r.last, r.begun = row.T, true
	r.at++
	return nil
}

// decode takes the rows of a file.
func (r *vtuRows) decode(v *vtuFile) error {
	name := r.sheet.name()
	var err error
	if r.times, err = v.field(name+"_t", 1, -1); err != nil {
		return err
	}
	n := len(r.times)
	if c := len(r.sheet.Columns); c > 0 {
		if r.values, err = v.field(name, c, n); err != nil {
			return err
		}
	}
	if c := len(r.sheet.Words); c > 0 {
		a, err := v.fieldArray(name+"_words", c, n)
		if err != nil {
			return err
		}
		b, err := a.raw("Int64", 8*c*n)
		if err != nil {
			return err
		}
		r.words = integersOf(b)
	}
	return nil
}

func (r *vtuRows) close() error { return nil }
