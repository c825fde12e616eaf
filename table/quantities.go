package table

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Quantity says what the numbers of a column are, or of what a case can ask for.
type Quantity struct {
	Table   string // name of a sheet; expect: what a case can ask for
	Names   string // of columns, or of components of things, separated by spaces
	Unit    string // SI; 1: a number without one
	Turn    string // unit of what turns in place of sliding; empty: there is no such thing
	Meaning string
}

// quantities name every column of every run once: docs/columns.md, the page of a run, NPZ, Parquet,
// serve and the Python package take them from here. A row of the file has the fields of a [Quantity], separated by tabs.
var quantities = sync.OnceValue(func() (list []Quantity) {
	for line := range strings.Lines(quantitiesTSV) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, Quantity{f[0], f[1], f[2], f[3], f[4]})
	}
	return list[1:]
})

//go:embed quantities.tsv
var quantitiesTSV string

// Quantities lists them, a row for names of one unit.
func Quantities() []Quantity { return slices.Clone(quantities()) }

// named finds them by table and name.
var named = sync.OnceValue(func() map[[2]string]*Quantity {
	list, of := quantities(), map[[2]string]*Quantity{}
	for i := range list {
		for _, name := range strings.Fields(list[i].Names) {
			of[[2]string{list[i].Table, name}] = &list[i]
		}
	}
	return of
})

// QuantityOf is what a column, a component of a thing, or a name of expect is; nil: it has no row.
func QuantityOf(table, name string) *Quantity { return named()[[2]string{table, name}] }

// Unit is that of a column, SI; empty: nobody knows it.
func (s *Sheet) Unit(column string) string {
	component := column[strings.LastIndexByte(column, '.')+1:]
	for _, name := range []string{column, component} {
		if unit, ok := s.Units[name]; ok {
			return unit
		}
	}
	return QuantityOf(s.name(), component).Units()
}

// Units are the unit, and that of what turns behind it; empty of nil: nobody knows it.
func (q *Quantity) Units() string {
	switch {
	case q == nil:
		return ""
	case q.Turn != "":
		return q.Unit + ", " + q.Turn
	}
	return q.Unit
}

// ColumnUnits are those of all columns.
func (s *Sheet) ColumnUnits() []string {
	list := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		list[i] = s.Unit(c)
	}
	return list
}
