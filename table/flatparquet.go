//go:build !js

package table

import (
	"encoding/json"
	"fmt"
	"iter"
)

// WriteFlatParquet writes a table as Parquet, whole or not at all, with the units that are known as those of runs are:
// JSON, the metadatum "units".
func WriteFlatParquet(name string, columns []FlatColumn, rows iter.Seq[[]any]) error {
	var schema parquetTable
	units := map[string]string{}
	for _, c := range columns {
		if c.Unit != "" {
			units[c.Name] = c.Unit
		}
		schema = append(schema, parquetColumn{name: c.Name, word: c.Word, optional: !c.Word})
	}
	text, _ := json.Marshal(units) // a map of texts always is
	w, err := newParquetWriter(name, schema, string(text))
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
