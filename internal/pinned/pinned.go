// Package pinned compares the numbers of small named problems with a table that is kept beside
// their tests. It is the last means, for what no closed form and no invariance holds: constants of
// heuristics, the work they cost, paths that meet many branches at once. Who changes such a number
// on purpose writes the table anew, and says why.
package pinned

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	// digits: solvers aim at 1e-11 of their numbers, and another one that is as right may
	// be another one in the last of these.
	digits = 1e-9
	// rounding: numbers of order one that vanish are rounding.
	rounding = 1e-12
	// whole: longer lists are kept as two sums.
	whole = 12
)

// Table is the numbers of named problems.
type Table struct {
	t      testing.TB
	remake bool
	rows   map[string][]float64
}

// Open reads the table of a file; if remake, it is written at the end of the test, with what
// was seen in place of what was there.
func Open(t testing.TB, file string, remake bool) *Table {
	t.Helper()
	p := &Table{t: t, remake: remake, rows: map[string][]float64{}}
	text, err := os.ReadFile(file)
	if err != nil && !(remake && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(strings.NewReader(string(text))); s.Scan(); {
		words := strings.Fields(s.Text())
		row := make([]float64, len(words)-1)
		for i := range row {
			if row[i], err = strconv.ParseFloat(words[i+1], 64); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
		p.rows[words[0]] = row
	}
	if remake {
		t.Cleanup(func() { p.write(file) })
	}
	return p
}

func (p *Table) write(file string) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.rows)) {
		b.WriteString(name)
		for _, x := range p.rows[name] {
			fmt.Fprintf(&b, " %.13g", x)
		}
		b.WriteByte('\n')
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(b.String()), 0o666)); err != nil {
		p.t.Error(err)
	}
}

// Check compares all numbers of x, in the order of their fields, with the row of that name, to
// nine digits of the largest of their list. Names have no blanks. Texts are not looked at.
func (p *Table) Check(name string, x ...any) {
	p.t.Helper()
	var c collector
	for _, v := range x {
		c.add(reflect.ValueOf(v))
	}
	if p.remake {
		p.rows[name] = c.values
		return
	}
	want, ok := p.rows[name]
	if !ok || len(want) != len(c.values) {
		p.t.Errorf("%s: %d numbers, the table has %d: go test -remake, if that is meant", name, len(c.values), len(want))
		return
	}
	for i, got := range c.values {
		if same := got == want[i] || math.IsNaN(got) && math.IsNaN(want[i]); !same &&
			(math.IsInf(got, 0) || !(math.Abs(got-want[i]) <= max(digits*c.scales[i], rounding))) {
			p.t.Errorf("%s: number %d is %.12g, in the table %.12g: go test -remake, if that is meant", name, i, got, want[i])
			return
		}
	}
}

// collector lists numbers and the sizes that their errors are compared with.
type collector struct{ values, scales []float64 }

func (c *collector) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		c.number(v.Float(), math.Abs(v.Float()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.number(float64(v.Int()), 0)
	case reflect.Uint8, reflect.Uint64:
		c.number(float64(v.Uint()), 0)
	case reflect.Bool:
		c.number(map[bool]float64{true: 1}[v.Bool()], 0)
	case reflect.Struct:
		for i := range v.NumField() {
			c.add(v.Field(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			c.add(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		c.list(v)
	}
}

func (c *collector) number(x, scale float64) {
	c.values, c.scales = append(c.values, x), append(c.scales, scale)
}

// list adds a list: its numbers, or of a long one two sums that no single change leaves.
func (c *collector) list(v reflect.Value) {
	first := len(c.values)
	for i := range v.Len() {
		c.add(v.Index(i))
	}
	if kind := v.Type().Elem().Kind(); kind == reflect.Struct || kind == reflect.Slice || kind == reflect.Pointer ||
		kind == reflect.Interface {
		return
	}
	list, size, sum, largest := c.values[first:], 0.0, 0.0, 0.0
	for i, x := range list {
		_, part := math.Modf(float64(i) * 0.6180339887498949)
		sum += x * (1 + part)
		size += math.Abs(x)
		largest = max(largest, math.Abs(x))
	}
	if len(list) <= whole {
		for i := range list {
			if c.scales[first+i] > 0 {
				c.scales[first+i] = largest
			}
		}
		return
	}
	n := len(list)
	c.values, c.scales = c.values[:first], c.scales[:first]
	c.number(float64(n), 0)
	c.number(sum, size)
	c.number(size, size)
}
