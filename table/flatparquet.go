//go:build !js

package table

import (
	"fmt"
	"iter"
)

// WriteFlatParquet writes a table as Parquet, whole or not at all.
func WriteFlatParquet(name string, columns []FlatColumn, rows iter.Seq[[]any]) error {
	var schema parquetTable
	for _, c := range columns {
		schema = append(schema, parquetColumn{name: c.Name, word: c.Word, optional: !c.Word})
	}
	w, err := newParquetWriter(name, schema, "")
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	for row := range rows {
		w.begin()
		for i, v := range row {
			switch v := v.(type) {
			case float64:
				w.number(v)
			case string:
				w.word(v)
			default:
				if columns[i].Word {
					w.word("")
				} else {
					w.none()
				}
			}
		}
		if err = w.put(); err != nil {
			break
		}
	}
	return w.close(err)
}
