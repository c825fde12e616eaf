package casefile

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/signal"
)

// signalDocument is the object form of a signal, scalar or vector: exactly one of
// the keys is there.
type signalDocument struct {
	Table [][2]json.RawMessage `json:"table"`
	Sine  *struct {
		Amplitude json.RawMessage `json:"amplitude"`
		Frequency json.RawMessage `json:"frequency"`
		Phase     json.RawMessage `json:"phase"`
		Offset    json.RawMessage `json:"offset"`
	} `json:"sine"`
	Sum   []json.RawMessage `json:"sum"`
	CSV   string            `json:"csv"` // name of a file, with the columns of
	Time  string            `json:"time"`
	Value json.RawMessage   `json:"value"`
}

// Signal is a sine or a table of a case.
type Signal struct {
	Path Path // where it stands
	Of   signal.Scalar
	// Turn says that it is the angle of a rotation, of which a full turn is a period.
	Turn bool
}

// keep remembers a sine or a table.
func (b *Builder) keep(p Path, s signal.Scalar) {
	b.Signals = append(b.Signals, Signal{Path: p, Of: s})
}

// Scalar decodes a scalar function of time; nil after a fault.
func (b *Builder) Scalar(p Path, raw json.RawMessage) signal.Scalar {
	if raw[0] != '{' {
		var v float64
		if !b.Decode(p, raw, &v) {
			return nil
		}
		return signal.Constant(v)
	}
	var d signalDocument
	if !b.Decode(p, raw, &d) {
		return nil
	}
	var s signal.Scalar
	var err error
	switch {
	case d.Sine != nil:
		amplitude, phase := b.Number(p, d.Sine.Amplitude), b.Number(p, d.Sine.Phase)
		s, err = signal.NewSine(b.Number(p, d.Sine.Offset), amplitude, b.Number(p, d.Sine.Frequency), phase)
		p = p.With("sine")
	case d.Table != nil:
		p = p.With("table")
		times, values, ok := b.rows(p, d.Table, 1)
		if !ok {
			return nil
		}
		column := make([]float64, len(values))
		for k, v := range values {
			column[k] = v[0]
		}
		s, err = signal.NewTable(times, column)
	case d.CSV != "":
		if v := b.csvTable(p, &d, 1); v != nil {
			return v[0]
		}
		return nil
	case d.Sum == nil:
		b.Add(p, "found no table, sine, sum or csv, want one of them")
		return nil
	default:
		p = p.With("sum")
		terms := make([]signal.Scalar, len(d.Sum))
		for i, r := range d.Sum {
			if terms[i] = b.Scalar(p.With(i), r); terms[i] == nil {
				return nil
			}
		}
		s, err = signal.NewSum(terms...)
	}
	if err != nil {
		b.Add(p, "%v", err)
		return nil
	}
	if d.Sum == nil {
		b.keep(p, s)
	}
	return s
}

// Vector decodes a vector function of time with n components; nil after a fault.
func (b *Builder) Vector(p Path, raw json.RawMessage, n int) signal.Vector {
	if raw[0] != '{' {
		return b.components(p, raw, n)
	}
	var d signalDocument
	if !b.Decode(p, raw, &d) {
		return nil
	}
	switch {
	case d.Sine != nil:
		return b.vectorSine(p.With("sine"), &d, n)
	case d.Table != nil:
		return b.vectorTable(p.With("table"), d.Table, n)
	case d.CSV != "":
		return b.csvTable(p, &d, n)
	case d.Sum == nil:
		b.Add(p, "found no table, sine, sum or csv, want one of them")
		return nil
	}
	p = p.With("sum")
	terms := make([]signal.Vector, len(d.Sum))
	for i, r := range d.Sum {
		if terms[i] = b.Vector(p.With(i), r, n); terms[i] == nil {
			return nil
		}
	}
	v, err := signal.NewVectorSum(terms...)
	if err != nil {
		b.Add(p, "%v", err)
		return nil
	}
	return v
}

func (b *Builder) components(p Path, raw json.RawMessage, n int) signal.Vector {
	var parts []json.RawMessage
	if !b.Decode(p, raw, &parts) {
		return nil
	}
	if len(parts) != n {
		b.Add(p, "found %d components, want %d", len(parts), n)
		return nil
	}
	v := make(signal.Vector, n)
	for c, r := range parts {
		if v[c] = b.Scalar(p.With(c), r); v[c] == nil {
			return nil
		}
	}
	return v
}

func (b *Builder) vectorSine(p Path, d *signalDocument, n int) signal.Vector {
	amplitude := b.Numbers(p.With("amplitude"), d.Sine.Amplitude, n)
	frequency := b.Numbers(p.With("frequency"), d.Sine.Frequency, n)
	phase := b.Numbers(p.With("phase"), d.Sine.Phase, n)
	offset := b.Numbers(p.With("offset"), d.Sine.Offset, n)
	if amplitude == nil || frequency == nil || phase == nil || offset == nil {
		return nil
	}
	v := make(signal.Vector, n)
	for c := range v {
		s, err := signal.NewSine(offset[c], amplitude[c], frequency[c], phase[c])
		if err != nil {
			b.Add(p, "component %d: %v", c, err)
			return nil
		}
		if v[c] = s; amplitude[c] == 0 {
			v[c] = signal.Constant(offset[c])
			continue
		}
		b.keep(p, s)
	}
	return v
}

func (b *Builder) vectorTable(p Path, rows [][2]json.RawMessage, n int) signal.Vector {
	times, values, ok := b.rows(p, rows, n)
	if !ok {
		return nil
	}
	v, err := signal.NewVectorTable(times, values)
	if err != nil {
		b.Add(p, "%v", err)
		return nil
	}
	for _, s := range v {
		b.keep(p, s)
	}
	return v
}

// rows decodes pairs of time and value, the times increasing.
func (b *Builder) rows(p Path, rows [][2]json.RawMessage, n int) (times []float64, values [][]float64, ok bool) {
	for k, row := range rows {
		t := b.Number(p.With(k, 0), row[0])
		if k > 0 && !(t > times[k-1]) {
			b.Add(p.With(k, 0), "found the time %g after %g, want times that increase", t, times[k-1])
			return nil, nil, false
		}
		v := b.Numbers(p.With(k, 1), row[1], n)
		if v == nil {
			return nil, nil, false
		}
		times, values = append(times, t), append(values, v)
	}
	return times, values, true
}

// idleTables notes tables that change before the run or after it alone.
func (b *Builder) idleTables(until float64) {
	told := ""
	for i := range b.Signals {
		s := &b.Signals[i]
		table, ok := s.Of.(*signal.Table)
		if name := s.Path.String(); ok && name != told && table.Idle(until) {
			told = name // a table of vectors is one a component
			b.Note("%s changes before t = 0 or after t = %g, the end of the run, alone: it is a constant", name, until)
		}
	}
}

// Number decodes a number; 0 if there is none.
func (b *Builder) Number(p Path, raw json.RawMessage) float64 {
	var v float64
	if raw != nil {
		b.Decode(p, raw, &v)
	}
	return v
}

// Numbers decodes n numbers, of which a single one stands for n equal ones, and
// none at all for n zeros; nil after a fault.
func (b *Builder) Numbers(p Path, raw json.RawMessage, n int) []float64 {
	v := make([]float64, n)
	if raw == nil {
		return v
	}
	if raw[0] == '[' {
		var list []float64
		if !b.Decode(p, raw, &list) {
			return nil
		}
		if len(list) != n {
			b.Add(p, "found %d numbers, want %d", len(list), n)
			return nil
		}
		return list
	}
	one := b.Number(p, raw)
	for c := range v {
		v[c] = one
	}
	return v
}

// coefficientSamples is the number of times at which a coefficient that changes with time is
// looked at, beside its breaks.
const coefficientSamples = 1000

// NonNegative refuses a coefficient that falls below zero until a time.
func (b *Builder) NonNegative(p Path, f signal.Scalar, until float64) {
	times := signal.Vector{f}.Breaks([]float64{0, until}, 0, until)
	for k := range coefficientSamples {
		times = append(times, until*float64(k)/coefficientSamples)
	}
	for _, t := range times {
		if mu := f.At(t); mu < 0 {
			b.Add(p, "the coefficient is %.6g at t = %.6g, want numbers >= 0", mu, t)
			return
		}
	}
}

// Coefficient decodes a coefficient of friction, a number or a function of time until a time: the
// number, or the function and its first value.
func (b *Builder) Coefficient(p Path, raw json.RawMessage, until float64) (mu float64, over signal.Scalar) {
	if raw[0] != '{' {
		return b.Number(p, raw), nil
	}
	if over = b.Scalar(p, raw); over == nil {
		return 0, nil
	}
	b.NonNegative(p, over, until)
	return max(0, over.At(0)), over
}
