package table

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Sheet says what one table of a run of a dynamic model holds: rows of a time, words,
// and numbers. A run grows it as the CSV file File.
type Sheet struct {
	File    string
	Words   []string // columns after t that hold words
	Columns []string // columns of numbers, after them
	Digits  int      // of the numbers in CSV; 0: 17, all
	// Of says what the columns <id>.<component> belong to: "body", "element", "node";
	// empty: columns of one word.
	Of string
	// Times are those of the rows.
	Times Clock
	// Units are those of columns, or of components of things, that [Quantities] does not have,
	// or has another unit for.
	Units map[string]string
	// Stays: the file is small and stays CSV in every format. NumPy archives hold it too.
	// It may be missing, and numbers in it need not be finite.
	Stays bool
}

// Clock says at which times a sheet has rows.
type Clock uint8

// The clocks.
const (
	EveryRow  Clock = iota // one row at every time that the run writes
	SomeRows               // any number of rows at any of these times
	ShotTimes              // one row now and then, at times of their own
)

// Layout lists the tables of a run, trajectory.csv first, those with a row at every time
// before the others, events.csv last, and what pictures of it show.
type Layout struct {
	Sheets []Sheet
	// Vocabulary has the words of all sheets that are written in every format.
	Vocabulary []string
	Picture    Picture
	States     *States // nil: there are none
}

// name is that of the arrays of a sheet: its file without ending.
func (s *Sheet) name() string { return strings.TrimSuffix(s.File, ".csv") }

// header returns the names of all columns.
func (s *Sheet) header() []string {
	return slices.Concat([]string{"t"}, s.Words, s.Columns)
}

// appendHeader appends them as CSV, without the end of the line.
func (s *Sheet) appendHeader(dst []byte) []byte { return append(dst, strings.Join(s.header(), ",")...) }

// sheet returns the sheet of a file; nil if there is none.
func (l *Layout) sheet(file string) *Sheet {
	for i := range l.Sheets {
		if l.Sheets[i].File == file {
			return &l.Sheets[i]
		}
	}
	return nil
}

// moving returns the sheets that are written in the format of the run.
func (l *Layout) moving() []*Sheet {
	var list []*Sheet
	for i := range l.Sheets {
		if s := &l.Sheets[i]; !s.Stays {
			list = append(list, s)
		}
	}
	return list
}

// group is the sheets that share a Parquet table: those of the same things at the
// same times. The file is named for the first one.
func (l *Layout) groups() [][]*Sheet {
	var list [][]*Sheet
	for _, s := range l.moving() {
		i := slices.IndexFunc(list, func(g []*Sheet) bool { return s.Of != "" && g[0].Of == s.Of && g[0].Times == s.Times })
		if i < 0 {
			list = append(list, []*Sheet{s})
		} else {
			list[i] = append(list[i], s)
		}
	}
	return list
}

// SheetRow is a row of a sheet.
type SheetRow struct {
	T      float64
	Words  []string
	Values []float64
}

func (s *Sheet) newRow() *SheetRow {
	return &SheetRow{Words: make([]string, len(s.Words)), Values: make([]float64, len(s.Columns))}
}

// copyFrom makes r a copy of another row.
func (r *SheetRow) copyFrom(x *SheetRow) {
	r.T = x.T
	copy(r.Words, x.Words)
	copy(r.Values, x.Values)
}

// append appends the row as CSV, without the end of the line.
func (s *Sheet) append(dst []byte, r *SheetRow) []byte {
	dst = appendNumber(dst, r.T)
	for _, w := range r.Words {
		dst = append(append(dst, ','), w...)
	}
	digits := s.Digits
	if digits == 0 {
		digits = 17
	}
	for _, v := range r.Values {
		dst = strconv.AppendFloat(append(dst, ','), v, 'g', digits, 64)
	}
	return dst
}

// rowSource gives the rows of one sheet in order of time.
type rowSource interface {
	next(r *SheetRow) error // io.EOF after the last one
	close() error
}

// sourceOpener opens the rows of a sheet; nil without an error: the run has none.
type sourceOpener func(s *Sheet) (rowSource, error)

// names splits the columns <id>.<component> of sheets of the same things: the ids in
// order, the components in order, and for each id and component the sheet and column,
// −1 where there is none.
type names struct {
	ids, components []string
	at              [][][2]int // id, component: sheet and column
}

func namesOf(sheets []*Sheet) (n names) {
	if sheets[0].Of == "" {
		return n
	}
	place, part := map[string]int{}, map[string]int{}
	for i, s := range sheets {
		for k, column := range s.Columns {
			dot := strings.LastIndexByte(column, '.')
			if dot < 0 {
				panic(fmt.Sprintf("table: column %q of %s belongs to nothing", column, s.File))
			}
			id, c := column[:dot], componentName(column[dot+1:])
			if _, ok := part[c]; !ok {
				part[c] = len(n.components)
				n.components = append(n.components, c)
				for j := range n.at {
					n.at[j] = append(n.at[j], [2]int{-1, -1})
				}
			}
			j, ok := place[id]
			if !ok {
				j = len(n.ids)
				place[id] = j
				n.ids = append(n.ids, id)
				n.at = append(n.at, slices.Repeat([][2]int{{-1, -1}}, len(n.components)))
			}
			n.at[j][part[c]] = [2]int{i, k}
		}
	}
	if len(n.ids) == 0 { // nobody is there: one row a time keeps the times
		n.ids, n.at = []string{""}, make([][][2]int, 1)
	}
	return n
}

// componentName keeps the time and the tangential force apart: tx and ty are those of
// the particles too.
func componentName(c string) string {
	switch c {
	case "t":
		return "tx"
	case "o":
		return "ty"
	}
	return c
}

// inFolder is the name of a sheet's CSV file in a folder.
func (s *Sheet) inFolder(dir string) string { return filepath.Join(dir, s.File) }
