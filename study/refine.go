package study

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/quasistatic/quasistatic/table"
)

// Boundary is the place along one path at which runs change their verdict, with all
// other parameters fixed: between Low and High, each with its run.
type Boundary struct {
	Parameters []json.RawMessage // of the other paths, in the order of Spec.Paths without the refined one
	Low, High  float64
	At         [2]*Record // the runs at Low and High; nil: not made
	Fault      string     // why there is no boundary; "": there is
	Criterion  string     // what decides on which side a run is; "": not known
	Made       int        // runs that the bisection asked for beside those of the study
	Certified  int        // of them

	number int // in the list
}

// Bisect refines the boundaries of a study: for each point of the other axes and of the sample,
// each interval between two points of the axis that differ is halved until it is no wider than
// asked for, all together in each round. Each round is a study of its own in the same folder, so
// that nothing is made twice.
func Bisect(ctx context.Context, s *Spec, o Options) ([]Boundary, error) {
	r := s.Refine
	if r == nil {
		return nil, fmt.Errorf("study: %s has no key refine", s.Name)
	}
	if o.Shard.Count > 0 {
		return nil, fmt.Errorf("study: the runs of a refinement follow from each other: no part of them can be made apart")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	unlock, err := open(o.Dir, s, &o)
	if err != nil {
		return nil, err
	}
	defer unlock()
	list, ids, err := s.boundaries(&o)
	if err != nil {
		return nil, err
	}
	grid := newIndex(ids)
	for {
		var asked []probe
		for i := range list {
			asked = append(asked, list[i].next(r)...)
		}
		if len(asked) == 0 {
			for i := range list {
				list[i].judge(s, &o)
			}
			return list, leaveBoundaries(s, list, o)
		}
		round, err := s.round(list, asked)
		if err != nil {
			return list, err
		}
		t, err := makeRuns(ctx, round, o, false)
		if err != nil {
			return list, err
		}
		for k, a := range asked {
			record, err := t.record(k)
			if err != nil || record == nil {
				return list, fmt.Errorf("study: %s = %.17g was not made: %w", r.Path, a.value, err)
			}
			list[a.boundary].take(r, a.value, record)
			if _, before := grid.find(record.ID); !before {
				list[a.boundary].count(record)
			}
		}
	}
}

// probe is a run that the bisection asks for.
type probe struct {
	boundary int // number in the list
	value    float64
}

// point is a run of the study whose record is there.
type point struct {
	value  float64 // at the refined path
	record *Record
}

// boundaries lists where to look, for each point of all other parameters: between neighbouring
// points of the axis that differ in their verdict, where the whole axis is made, for a verdict
// may change back; else between the ends. The ids are those of the runs of the study.
func (s *Spec) boundaries(o *Options) (list []Boundary, ids []key, err error) {
	plan, err := NewPlan(s, o.Base)
	if err != nil {
		return nil, nil, err
	}
	plan.SetSums(o.Files.Sums())
	records, err := readRecords(o.Dir)
	if err != nil {
		return nil, nil, err
	}
	t := newTable(plan, records.get)
	at := slices.Index(s.Paths(), s.Refine.Path)
	number := map[string]int{}
	var others [][]json.RawMessage
	var points [][]point
	for i := range plan.Len() {
		values := plan.Parameters(i)
		value, err := strconv.ParseFloat(string(values[at]), 64)
		if err != nil {
			return nil, nil, fmt.Errorf("study: %s = %s: %w", s.Refine.Path, short(values[at]), err)
		}
		values = slices.Delete(values, at, at+1)
		key := string(bytes.Join(rawBytes(values), []byte{0}))
		k, known := number[key]
		if !known {
			k = len(others)
			number[key] = k
			others, points = append(others, values), append(points, nil)
		}
		r, err := t.record(i)
		if err != nil {
			return nil, nil, err
		}
		if o.known(r) {
			points[k] = append(points[k], point{value, r})
		}
	}
	for k, values := range others {
		list = append(list, s.Refine.crossings(values, points[k])...)
	}
	for k := range list {
		list[k].number = k
	}
	return list, t.ids, nil
}

// crossings are the boundaries among the points of one line; the interval between the ends, if
// none is known.
func (r *Refine) crossings(others []json.RawMessage, points []point) (list []Boundary) {
	points = slices.DeleteFunc(points, func(p point) bool {
		_, err := r.side(p.record)
		return err != nil || p.value < r.Between[0] || p.value > r.Between[1]
	})
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	if n := len(points); n > 1 && points[0].value == r.Between[0] && points[n-1].value == r.Between[1] {
		for k, p := range points[1:] {
			before := points[k]
			low, _ := r.side(before.record) // those without a side are gone
			if high, _ := r.side(p.record); low != high && before.value < p.value {
				list = append(list, Boundary{Parameters: others, Low: before.value, High: p.value, At: [2]*Record{before.record, p.record}})
			}
		}
	}
	if list == nil {
		list = []Boundary{{Parameters: others, Low: r.Between[0], High: r.Between[1]}}
	}
	return list
}

func rawBytes(values []json.RawMessage) [][]byte {
	list := make([][]byte, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

// next are the runs to ask for: both ends first, then the middle.
func (b *Boundary) next(r *Refine) []probe {
	mid := b.Low + (b.High-b.Low)/2
	if r.To >= 1 && b.Low == math.Trunc(b.Low) && b.High == math.Trunc(b.High) {
		mid = math.Trunc(mid) // the path may want whole numbers, as steps does
	}
	switch {
	case b.Fault != "":
		return nil
	case b.At[0] == nil:
		return []probe{{b.number, b.Low}, {b.number, b.High}}
	case b.High-b.Low <= r.To || mid == b.Low || mid == b.High:
		return nil // or as fine as numbers are
	default:
		return []probe{{b.number, mid}}
	}
}

// take notes a run that was asked for.
func (b *Boundary) take(r *Refine, value float64, record *Record) {
	side, err := r.side(record)
	switch {
	case b.Fault != "": // of the other end
	case err != nil:
		b.Fault = fmt.Sprintf("%s = %.10g: %v", r.Path, value, err)
	case value == b.Low:
		b.At[0] = record
	case value == b.High:
		b.At[1] = record
		if low, _ := r.side(b.At[0]); b.At[0] != nil && low == side { // the lower end was asked for first, and is right
			b.Fault = fmt.Sprintf("both ends, %s = %.10g and %.10g, are %s", r.Path, b.Low, b.High, side)
		}
	default:
		if low, _ := r.side(b.At[0]); low == side {
			b.Low, b.At[0] = value, record
		} else {
			b.High, b.At[1] = value, record
		}
	}
}

// count counts a run that the bisection asked for.
func (b *Boundary) count(record *Record) {
	b.Made++
	if record.Verdict.proven() {
		b.Certified++
	}
}

// side says on which side of the boundary a run is.
func (r *Refine) side(x *Record) (string, error) {
	if x.Verdict == Refused || x.Verdict == Lost {
		return "", fmt.Errorf("%s: %s", x.Verdict, x.Message)
	}
	if r.ofVerdict() {
		if x.Verdict == Certified && !x.Met {
			return "certified, not as expected", nil
		}
		return string(x.Verdict), nil
	}
	if r.column >= len(x.Observed) || x.Observed[r.column] == nil {
		return "", fmt.Errorf("%s was not observed: %s", r.Boundary, x.Message)
	}
	if *x.Observed[r.column] >= r.Level {
		return fmt.Sprintf("%s >= %g", r.Boundary, r.Level), nil
	}
	return fmt.Sprintf("%s < %g", r.Boundary, r.Level), nil
}

// side says what a certified run is.
func (x *Record) side() string {
	if word := x.word(); word != string(Certified) {
		return string(Certified) + ", " + word
	}
	return string(Certified)
}

// round returns the study of the runs asked for: one axis of zipped values.
func (s *Spec) round(list []Boundary, asked []probe) (*Spec, error) {
	paths := s.Paths()
	at := slices.Index(paths, s.Refine.Path)
	axis := make([]entry, len(paths))
	for j, p := range paths {
		column := make([]json.RawMessage, len(asked))
		for k, a := range asked {
			switch others := list[a.boundary].Parameters; {
			case j == at:
				column[k] = number(a.value)
			case j < at:
				column[k] = others[j]
			default:
				column[k] = others[j-1]
			}
		}
		text, err := json.Marshal(column)
		if err != nil {
			return nil, err
		}
		axis[j] = entry{p, text}
	}
	d := map[string]any{"name": s.Name, "case": s.Case, "zip": []json.RawMessage{objectText(axis)},
		"observe": s.Observe, "keep": s.Keep, "expect": s.Expect, "tries": s.Tries}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// objectText writes an object with its keys in order.
func objectText(entries []entry) json.RawMessage {
	text := []byte{'{'}
	for i, e := range entries {
		if i > 0 {
			text = append(text, ',')
		}
		key, _ := json.Marshal(e.key) // a string always can be
		text = append(append(append(text, key...), ':'), e.value...)
	}
	return append(text, '}')
}

// BoundaryFile is the table of the boundaries of a study.
const BoundaryFile = "boundary.csv"

// leaveBoundaries writes the table of the boundaries, and the page anew.
func leaveBoundaries(s *Spec, list []Boundary, o Options) error {
	if err := writeBoundaries(s, list, o.Dir); err != nil {
		return err
	}
	t, err := Open(o.Dir)
	if err != nil {
		return err
	}
	return t.Leave(o.Dir, o.Version, false)
}

// boundaryColumns are the last columns of boundary.csv, behind those of the two ends.
var boundaryColumns = []table.FlatColumn{{Name: "low is", Word: true}, {Name: "high is", Word: true},
	{Name: "verdict low", Word: true}, {Name: "verdict high", Word: true}, {Name: "run low", Word: true}, {Name: "run high", Word: true},
	{Name: "runs made"}, {Name: "runs certified"}, {Name: "criterion", Word: true}, {Name: "fault", Word: true}}

// writeBoundaries leaves a row a boundary: the other parameters, both ends, their sides,
// verdicts and runs, and how many runs the bisection took.
func writeBoundaries(s *Spec, list []Boundary, dir string) error {
	paths := s.Paths()
	at := slices.Index(paths, s.Refine.Path)
	var columns []table.FlatColumn
	for _, p := range slices.Delete(slices.Clone(paths), at, at+1) {
		columns = append(columns, table.FlatColumn{Name: p, Word: true})
	}
	columns = append(columns, table.FlatColumn{Name: s.Refine.Path + " low"}, table.FlatColumn{Name: s.Refine.Path + " high"})
	columns = append(columns, boundaryColumns...)
	return table.WriteFlatCSV(filepath.Join(dir, BoundaryFile), columns, func(yield func([]any) bool) {
		for i := range list {
			if !yield(list[i].row(s.Refine)) {
				return
			}
		}
	})
}

func (b *Boundary) row(r *Refine) []any {
	var row []any
	for _, v := range b.Parameters {
		row = append(row, string(v))
	}
	var sides, verdicts, ids [2]string
	for k, x := range b.At {
		if x != nil {
			if sides[k], _ = r.side(x); r.ofVerdict() && x.Verdict == Certified { // a fault is in the last column
				sides[k] = x.side()
			}
			verdicts[k], ids[k] = string(x.Verdict), x.ID
		}
	}
	return append(row, b.Low, b.High, sides[0], sides[1], verdicts[0], verdicts[1], ids[0], ids[1], float64(b.Made),
		float64(b.Certified), b.Criterion, b.Fault)
}
