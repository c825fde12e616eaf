package table

import (
	"fmt"
	"reflect"
)

// A row type is a struct whose fields are the columns of a table, in their order: numbers of
// type float64, each with a tag `column:"name"`, and structs of such, embedded.

// ColumnsOf returns the names of the columns of a row type.
func ColumnsOf[R any]() []string {
	var names []string
	eachColumn(reflect.ValueOf(new(R)).Elem(), func(name string, _ reflect.Value) { names = append(names, name) })
	return names
}

// ValuesOf returns the numbers of a row.
func ValuesOf[R any](row *R) []float64 {
	var values []float64
	eachColumn(reflect.ValueOf(row).Elem(), func(_ string, v reflect.Value) { values = append(values, v.Float()) })
	return values
}

// Fill sets a row to numbers, those of its columns.
func Fill[R any](row *R, values []float64) {
	k := 0
	eachColumn(reflect.ValueOf(row).Elem(), func(_ string, v reflect.Value) {
		v.SetFloat(values[k])
		k++
	})
}

// eachColumn visits the fields of a row.
func eachColumn(row reflect.Value, visit func(name string, v reflect.Value)) {
	for i := range row.NumField() {
		f, v := row.Type().Field(i), row.Field(i)
		name, ok := f.Tag.Lookup("column")
		switch {
		case ok && v.CanFloat():
			visit(name, v)
		case f.Anonymous && v.Kind() == reflect.Struct:
			eachColumn(v, visit)
		default:
			panic(fmt.Sprintf("table: the field %s of %v is no column", f.Name, row.Type()))
		}
	}
}
