package table

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"
)

// FlatColumn is a column of a table that is no run's: of words, or of numbers.
type FlatColumn struct {
	Name string
	Word bool
	Unit string // SI, 1 of pure numbers; empty: of words, or nobody knows it
}

// WriteFlatCSV writes a table as CSV, whole or not at all. A cell is a float64, a
// string, or nil for none; numbers have all their digits. A text that a spreadsheet would take
// for a formula has an apostrophe before it.
func WriteFlatCSV(name string, columns []FlatColumn, rows iter.Seq[[]any]) error {
	return WriteAtomic(name, func(w io.Writer) error {
		out := csv.NewWriter(w)
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = quoted(c.Name)
		}
		err := out.Write(cells)
		for row := range rows {
			if err != nil {
				return err
			}
			for i, v := range row {
				cells[i] = cellText(v)
			}
			err = out.Write(cells)
		}
		if err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	})
}

func cellText(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return quoted(v)
	}
	return ""
}

// quoted keeps a spreadsheet from computing a text: names and messages of others may begin as
// formulas do, after a tab or a line end too, and a formula can call programs. Numbers stay.
func quoted(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}
