package bodyview

import "github.com/quasistatic/quasistatic/table"

// ImpulseRow is what a contact did in the step that ended at a time, on body A, at the
// place of the contact when the step began. Steps with collisions have none: several
// parts follow each other in them.
type ImpulseRow struct {
	T       float64
	A, B    string // B another body or an obstacle
	Feature int    // of several contacts of a pair, or element of its patch
	On      [3]float64
	Moment  [3]float64 // beyond that of On at its place, of models with resistance to rolling and spinning
	Theta   float64    // state of its friction when the step began, of models that have one [s, m]
}

// impulseNumbers are the columns of impulses.csv after t, a, b: the feature and the
// impulse, global [N s].
var impulseNumbers = []string{"feature", "ix", "iy", "iz"}

// momentNumbers follow them where contacts have moments, global [N m s].
var momentNumbers = []string{"mx", "my", "mz"}

// stateNumbers follow where friction has a state [s].
var stateNumbers = []string{"theta"}

// Words are those of the row, in the order of its table.
func (r *ImpulseRow) Words() []string { return []string{r.A, r.B} }

// Values are the numbers of the row, in the order of its table: with moments and state where it has
// them.
func (r *ImpulseRow) Values(moments, states bool) []float64 {
	list := []float64{float64(r.Feature), r.On[0], r.On[1], r.On[2]}
	if moments {
		list = append(list, r.Moment[:]...)
	}
	if states {
		list = append(list, r.Theta)
	}
	return list
}

// ImpulseReader reads impulses.csv row by row.
type ImpulseReader struct{ *table.Cursor }

// OpenImpulses opens the impulses of a run; close it.
func OpenImpulses(f *table.Folder) (*ImpulseReader, error) {
	c, err := f.Cursor(table.ImpulsesFile)
	return &ImpulseReader{c}, err
}

// Next fills the next row; io.EOF says that there is none yet.
func (r *ImpulseReader) Next(row *ImpulseRow) error {
	if err := r.Cursor.Next(); err != nil {
		return err
	}
	x := &r.Row
	*row = ImpulseRow{T: x.T, A: x.Words[0], B: x.Words[1], Feature: int(x.Values[0]), On: [3]float64(x.Values[1:])}
	rest := x.Values[len(impulseNumbers):]
	if len(rest) >= len(row.Moment) {
		copy(row.Moment[:], rest)
		rest = rest[len(row.Moment):]
	}
	if len(rest) > 0 {
		row.Theta = rest[0]
	}
	if float64(row.Feature) != x.Values[0] {
		return r.Fault("the feature is %g, want a whole number", x.Values[0])
	}
	return nil
}
