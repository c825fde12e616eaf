package study

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// mostShown is the number of runs that the page of a study draws: marks that a browser redraws
// while a slider moves. With an id, a message of 160 bytes and numbers a run takes less than 300
// bytes of a page of 3 MB.
const mostShown = 8000

// word is the verdict of a run, of which not all is well where its expectations are not met.
func (r *Record) word() string {
	switch {
	case r.Verdict == Certified && !r.Met && strings.HasPrefix(r.Message, "not decided: "):
		return "expectation not decided"
	case r.Verdict == Certified && !r.Met:
		return "not as expected"
	}
	return string(r.Verdict)
}

// words are the verdicts that marks tell apart, by shape without colours too; the words of
// assemblies are never beside those of runs.
var words = []string{string(Certified), "not as expected", string(Solved), string(Failed), string(Refused), string(Lost),
	string(Stands), string(Depends), string(Undecided), string(Falls), "expectation not decided"}

// shown are the runs of a study for its page.
func (t *Table) shown(s *Summary) (*report.Runs, error) {
	rows, records, err := t.chosen()
	if err != nil {
		return nil, err
	}
	r := &report.Runs{Base: BaseFile, Number: rows, Messages: map[int]string{}}
	if !t.Plan.Spec.Expect {
		r.Always = []string{"expect=[]"}
	}
	for k, w := range words {
		c := k % len(report.Palette)
		r.Words = append(r.Words, report.NewWord(w, report.Palette[c],
			[]report.Glyph{report.Circle, report.Ring, report.Triangle, report.Cross, report.Plus, report.Square}[c]))
	}
	units := t.Plan.Spec.Units()
	for q, label := range t.Plan.Spec.Labels() {
		if units[q] != "" {
			label += " [" + units[q] + "]"
		}
		r.Outputs = append(r.Outputs, report.Output{Name: label})
	}
	for _, x := range records {
		if t.show(r, x); slices.Contains([]Verdict{Stands, Depends, Falls, Undecided}, x.Verdict) {
			r.Base = "" // an assembly: no command makes a run of it
		}
	}
	t.inputs(r)
	return r, t.ends(s, r)
}

// show adds what is known of a run, without its parameters.
func (t *Table) show(r *report.Runs, x *Record) {
	if x.Message != "" {
		r.Messages[len(r.Word)] = strings.ToValidUTF8(x.Message[:min(160, len(x.Message))], "")
	}
	r.Word = append(r.Word, max(0, slices.Index(words, x.word())))
	for q := range r.Outputs {
		var v *float64
		if q < len(x.Observed) {
			v = x.Observed[q]
		}
		r.Outputs[q].Values = append(r.Outputs[q].Values, v)
	}
	switch t.Plan.Spec.Keep {
	case KeepAll:
		r.Links = append(r.Links, path.Join(RunsFolder, x.ID, table.SummaryFile))
	case KeepSummary:
		r.Links = append(r.Links, path.Join(RunsFolder, x.ID+".json"))
	}
}

// chosen are the runs that the page draws: all, or of more than it can show those at every so many
// points of the longest axes and of the sample, with the first of each verdict and those that have
// the least and the largest value of a quantity.
func (t *Table) chosen() (rows []int, records []*Record, err error) {
	spec := t.Plan.Spec
	var lengths []int
	for k := range spec.Axes {
		lengths = append(lengths, spec.Axes[k].Len())
	}
	if spec.Sample != nil {
		lengths = append(lengths, spec.Sample.Len())
	}
	strides := strides(lengths, mostShown)
	extreme := map[int]*Record{}
	type end struct {
		row   int
		value float64
	}
	ends, seen := map[int]*end{}, map[string]bool{}
	for i := range t.Plan.Len() {
		r, err := t.record(i)
		if err != nil {
			return nil, nil, err
		}
		if r == nil {
			continue
		}
		if even(i, lengths, strides) {
			extreme[i] = r
		}
		if !seen[r.word()] {
			seen[r.word()], extreme[i] = true, r
		}
		for q, v := range r.Observed {
			for side, sign := range []float64{1, -1} {
				if v == nil {
					continue
				}
				if e := ends[2*q+side]; e == nil || sign**v < e.value {
					ends[2*q+side] = &end{i, sign * *v}
				}
			}
		}
	}
	for _, e := range ends {
		if extreme[e.row], err = t.record(e.row); err != nil {
			return nil, nil, err
		}
	}
	for i := range extreme {
		rows = append(rows, i)
	}
	slices.Sort(rows)
	for _, i := range rows {
		records = append(records, extreme[i])
	}
	return rows, records, nil
}

// strides are the steps along the digits of a number, of these lengths, that leave at most so many
// numbers: the longest is halved first.
func strides(lengths []int, most int) []int {
	list := make([]int, len(lengths))
	left := func(k int) int { return (lengths[k] + list[k] - 1) / list[k] }
	for k := range list {
		list[k] = 1
	}
	for {
		product, longest := 1.0, 0
		for k := range list {
			product *= float64(left(k))
			if left(k) > left(longest) {
				longest = k
			}
		}
		if product <= float64(most) {
			return list
		}
		list[longest] *= 2
	}
}

// even reports whether all digits of i are multiples of the strides; the last varies fastest.
func even(i int, lengths, strides []int) bool {
	for k := len(lengths) - 1; k >= 0; k-- {
		if i%lengths[k]%strides[k] != 0 {
			return false
		}
		i /= lengths[k]
	}
	return true
}

// inputs are the axes of the study, with the points that a run is at, and the parameters that are
// sampled.
func (t *Table) inputs(r *report.Runs) {
	for k := range t.Plan.Spec.Axes {
		a := &t.Plan.Spec.Axes[k]
		v := report.Input{Name: strings.Join(a.Paths, ", ")}
		for _, i := range r.Number {
			axes, _ := t.Plan.digits(i)
			v.At = append(v.At, float64(axes[k]))
		}
		used := slices.Compact(slices.Sorted(slices.Values(v.At)))
		for _, at := range used {
			var texts, set []string
			for j, raw := range a.Point(int(at)) {
				texts, set = append(texts, short(raw)), append(set, a.Paths[j]+"="+string(raw))
			}
			v.Points, v.Set = append(v.Points, strings.Join(texts, ", ")), append(v.Set, set)
			if x, err := strconv.ParseFloat(texts[0], 64); err == nil && len(a.Paths) == 1 {
				v.Values = append(v.Values, x)
			}
		}
		if len(v.Values) < len(v.Points) {
			v.Values = nil
		}
		for i, at := range v.At {
			place, _ := slices.BinarySearch(used, at)
			v.At[i] = float64(place)
		}
		v.Own = len(v.Points)
		r.Inputs = append(r.Inputs, v)
	}
	if t.Plan.Spec.Sample == nil {
		return
	}
	for j, name := range t.Plan.Spec.Sample.Paths {
		r.Inputs = append(r.Inputs, t.sampledInput(j, name, r.Number))
	}
}

// sampledInput is a parameter that is sampled: numbers, or words.
func (t *Table) sampledInput(j int, name string, rows []int) report.Input {
	v := report.Input{Name: name}
	for _, i := range rows {
		if x, number := t.sampled(i, j); number && !math.IsInf(x, 0) {
			v.At = append(v.At, x)
		}
	}
	if len(v.At) == len(rows) {
		return v
	}
	v.At, v.Free = nil, true
	for _, i := range rows {
		values := t.Plan.Parameters(i)
		raw := values[len(values)-len(t.Plan.Spec.Sample.Paths)+j]
		at := slices.Index(v.Points, short(raw))
		if at < 0 {
			at = len(v.Points)
			v.Points, v.Set = append(v.Points, short(raw)), append(v.Set, []string{name + "=" + string(raw)})
		}
		v.At = append(v.At, float64(at))
	}
	return v
}

// ends adds the boundaries that were found, and the runs at both ends of each.
func (t *Table) ends(s *Summary, r *report.Runs) error {
	if len(s.Boundaries) == 0 {
		return nil
	}
	names := s.Boundaries[0]
	column := func(name string) int { return slices.Index(names, name) }
	refined := slices.IndexFunc(r.Inputs, func(v report.Input) bool { return column(v.Name+" low") >= 0 && v.Values != nil })
	if refined < 0 {
		return nil
	}
	v := &r.Inputs[refined]
	sides := [2]string{"low", "high"}
	for _, row := range s.Boundaries[1:] {
		if row[column("fault")] != "" {
			continue
		}
		var x [2]float64
		for k, side := range sides {
			var err error
			if x[k], err = strconv.ParseFloat(row[column(v.Name+" "+side)], 64); err != nil {
				return fmt.Errorf("study: %s: %w", BoundaryFile, err)
			}
		}
		b := report.Bracket{Input: refined, Low: x[0], High: x[1], Others: make([]string, len(r.Inputs))}
		for k := range r.Inputs {
			if k != refined {
				b.Others[k] = pointIn(r.Inputs[k].Name, names, row)
			}
		}
		r.Brackets = append(r.Brackets, b)
		for k, side := range sides {
			if record := t.Records(row[column("run "+side)]); record != nil && !slices.Contains(v.Values[:v.Own], x[k]) {
				t.end(r, &b, x[k], record)
			}
		}
	}
	return nil
}

// pointIn is the point of an axis, of one path or of several that go together, in a row of boundary.csv.
func pointIn(axis string, names, row []string) string {
	var texts []string
	for _, p := range strings.Split(axis, ", ") {
		if at := slices.Index(names, p); at >= 0 {
			texts = append(texts, short([]byte(row[at])))
		}
	}
	return strings.Join(texts, ", ")
}

// end adds a run at an end of a boundary, which is at a point of its own of the axis; none whose
// other parameters are not among those that are shown.
func (t *Table) end(r *report.Runs, b *report.Bracket, x float64, record *Record) {
	at := make([]float64, len(r.Inputs))
	for k := range r.Inputs {
		v, err := &r.Inputs[k], error(nil)
		switch {
		case k == b.Input:
			at[k] = float64(len(v.Points))
			text := string(number(x))
			v.Points, v.Values, v.Set = append(v.Points, rounded(text)), append(v.Values, x), append(v.Set, []string{v.Name + "=" + text})
		case v.Points == nil:
			at[k], err = strconv.ParseFloat(b.Others[k], 64)
		default:
			at[k] = float64(slices.Index(v.Points, b.Others[k]))
		}
		if at[k] < 0 && v.Points != nil || err != nil {
			return
		}
	}
	for k, a := range at {
		r.Inputs[k].At = append(r.Inputs[k].At, a)
	}
	r.Number = append(r.Number, -1)
	t.show(r, record)
}
