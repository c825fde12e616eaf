package study

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/quasistatic/quasistatic/report"
)

// Print writes a summary as lines of text, and where the page of the study is.
func (t *Table) Print(to io.Writer, s *Summary, dir string) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n", report.Plain(s.Name))
	fmt.Fprintf(w, "  runs\t%d of %d made: %s\n", s.Made, s.Runs, s.Verdicts())
	for _, kind := range slices.Sorted(maps.Keys(s.Processors)) {
		fmt.Fprintf(w, "  processors\t%d runs by programs of the kind %s; the last digits of different kinds differ\n",
			s.Processors[kind], report.Plain(kind))
	}
	if t.Damaged > 0 {
		fmt.Fprintf(w, "  damaged\t%d lines of records are not as they were written: sweep makes their runs again, and leaves them in %s\n",
			t.Damaged, DamagedFile)
	}
	for _, x := range s.Statistics {
		fmt.Fprintf(w, "  %s\tmean %.6g ± %.4g, median %.6g, 5 to 95 %%: %.6g to %.6g, %d runs\n",
			report.Plain(x.Label), x.Mean, x.Deviation, x.Quantiles[2], x.Quantiles[0], x.Quantiles[4], x.Count)
	}
	for _, x := range s.Sobol {
		fmt.Fprintf(w, "  Sobol\t%s by %s: alone %.4f ± %.4g, in all %.4f ± %.4g\n", report.Plain(x.Label),
			report.Plain(x.Path), x.First, x.FirstError, x.Total, x.TotalError)
	}
	for _, x := range s.Orders {
		fmt.Fprintf(w, "  order\t%s along %s: %.3f, limit %.9g\n", report.Plain(x.Label), report.Plain(x.Path), x.P, x.Limit)
	}
	for _, text := range s.boundarySentences() {
		fmt.Fprintf(w, "  boundary\t%s\n", report.Plain(text))
	}
	fmt.Fprintf(w, "  files\t%s\n", report.Plain(filepath.Join(dir, PageFile)))
	return w.Flush()
}

// boundarySentences says of each row of boundary.csv between which values what changes.
func (s *Summary) boundarySentences() (list []string) {
	if len(s.Boundaries) == 0 {
		return nil
	}
	names := s.Boundaries[0]
	for _, row := range s.Boundaries[1:] {
		others := len(names) - len(boundaryColumns) - 2 // columns of the other parameters
		if others < 0 || len(row) != len(names) {
			list = append(list, strings.Join(row, " "))
			continue
		}
		rest := row[others:]
		path, low, high, before, after := strings.TrimSuffix(names[others], " low"), rounded(rest[0]), rounded(rest[1]), rest[2], rest[3]
		text := fmt.Sprintf("between %s = %s and %s runs turn from %s to %s", path, low, high, before, after)
		if before == after {
			text = fmt.Sprintf("none from %s = %s to %s, where both runs are %s", path, low, high, before)
		}
		for i := range others {
			text += fmt.Sprintf(", at %s = %s", names[i], row[i])
		}
		for i, label := range []string{"; what changes: ", "; "} {
			if why := rest[len(rest)-2+i]; why != "" {
				text += label + why
			}
		}
		list = append(list, text)
	}
	return list
}

// rounded is a number to nine digits: bisection leaves more.
func rounded(text string) string {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return fmt.Sprintf("%.9g", x)
	}
	return text
}
