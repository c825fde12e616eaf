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
	Sum []json.RawMessage `json:"sum"`
}

// decode reads JSON that follows the schema; a fault is one of schema and code.
func (b *builder) decode(p path, raw json.RawMessage, dst any) bool {
	if err := json.Unmarshal(raw, dst); err != nil {
		b.add(p, "%v", err)
		return false
	}
	return true
}

// scalar decodes a scalar function of time; nil after a fault.
func (b *builder) scalar(p path, raw json.RawMessage) signal.Scalar {
	if raw[0] != '{' {
		var v float64
		if !b.decode(p, raw, &v) {
			return nil
		}
		return signal.Constant(v)
	}
	var d signalDocument
	if !b.decode(p, raw, &d) {
		return nil
	}
	var s signal.Scalar
	var err error
	switch {
	case d.Sine != nil:
		amplitude, phase := b.number(p, d.Sine.Amplitude), b.number(p, d.Sine.Phase)
		s, err = signal.NewSine(b.number(p, d.Sine.Offset), amplitude, b.number(p, d.Sine.Frequency), phase)
		p = p.with("sine")
	case d.Table != nil:
		p = p.with("table")
		times, values, ok := b.table(p, d.Table, 1)
		if !ok {
			return nil
		}
		column := make([]float64, len(values))
		for k, v := range values {
			column[k] = v[0]
		}
		s, err = signal.NewTable(times, column)
	default:
		p = p.with("sum")
		terms := make([]signal.Scalar, len(d.Sum))
		for i, r := range d.Sum {
			if terms[i] = b.scalar(p.with(i), r); terms[i] == nil {
				return nil
			}
		}
		s, err = signal.NewSum(terms...)
	}
	if err != nil {
		b.add(p, "%v", err)
		return nil
	}
	return s
}

// vector decodes a vector function of time with n components; nil after a fault.
func (b *builder) vector(p path, raw json.RawMessage, n int) signal.Vector {
	if raw[0] != '{' {
		return b.components(p, raw, n)
	}
	var d signalDocument
	if !b.decode(p, raw, &d) {
		return nil
	}
	switch {
	case d.Sine != nil:
		return b.vectorSine(p.with("sine"), &d, n)
	case d.Table != nil:
		return b.vectorTable(p.with("table"), d.Table, n)
	}
	p = p.with("sum")
	terms := make([]signal.Vector, len(d.Sum))
	for i, r := range d.Sum {
		if terms[i] = b.vector(p.with(i), r, n); terms[i] == nil {
			return nil
		}
	}
	v, err := signal.NewVectorSum(terms...)
	if err != nil {
		b.add(p, "%v", err)
		return nil
	}
	return v
}

func (b *builder) components(p path, raw json.RawMessage, n int) signal.Vector {
	var parts []json.RawMessage
	if !b.decode(p, raw, &parts) {
		return nil
	}
	if len(parts) != n {
		b.add(p, "found %d components, want %d", len(parts), n)
		return nil
	}
	v := make(signal.Vector, n)
	for c, r := range parts {
		if v[c] = b.scalar(p.with(c), r); v[c] == nil {
			return nil
		}
	}
	return v
}

func (b *builder) vectorSine(p path, d *signalDocument, n int) signal.Vector {
	amplitude := b.numbers(p.with("amplitude"), d.Sine.Amplitude, n)
	frequency := b.numbers(p.with("frequency"), d.Sine.Frequency, n)
	phase := b.numbers(p.with("phase"), d.Sine.Phase, n)
	offset := b.numbers(p.with("offset"), d.Sine.Offset, n)
	if amplitude == nil || frequency == nil || phase == nil || offset == nil {
		return nil
	}
	v := make(signal.Vector, n)
	for c := range v {
		s, err := signal.NewSine(offset[c], amplitude[c], frequency[c], phase[c])
		if err != nil {
			b.add(p, "component %d: %v", c, err)
			return nil
		}
		if v[c] = s; amplitude[c] == 0 {
			v[c] = signal.Constant(offset[c])
		}
	}
	return v
}

func (b *builder) vectorTable(p path, rows [][2]json.RawMessage, n int) signal.Vector {
	times, values, ok := b.table(p, rows, n)
	if !ok {
		return nil
	}
	v, err := signal.NewVectorTable(times, values)
	if err != nil {
		b.add(p, "%v", err)
		return nil
	}
	return v
}

// table decodes pairs of time and value, the times increasing.
func (b *builder) table(p path, rows [][2]json.RawMessage, n int) (times []float64, values [][]float64, ok bool) {
	for k, row := range rows {
		t := b.number(p.with(k, 0), row[0])
		if k > 0 && !(t > times[k-1]) {
			b.add(p.with(k, 0), "found the time %g after %g, want times that increase", t, times[k-1])
			return nil, nil, false
		}
		v := b.numbers(p.with(k, 1), row[1], n)
		if v == nil {
			return nil, nil, false
		}
		times, values = append(times, t), append(values, v)
	}
	return times, values, true
}

// number decodes a number; 0 if there is none.
func (b *builder) number(p path, raw json.RawMessage) float64 {
	var v float64
	if raw != nil {
		b.decode(p, raw, &v)
	}
	return v
}

// numbers decodes n numbers, of which a single one stands for n equal ones, and
// none at all for n zeros; nil after a fault.
func (b *builder) numbers(p path, raw json.RawMessage, n int) []float64 {
	v := make([]float64, n)
	if raw == nil {
		return v
	}
	if raw[0] == '[' {
		var list []float64
		if !b.decode(p, raw, &list) {
			return nil
		}
		if len(list) != n {
			b.add(p, "found %d numbers, want %d", len(list), n)
			return nil
		}
		return list
	}
	one := b.number(p, raw)
	for c := range v {
		v[c] = one
	}
	return v
}
