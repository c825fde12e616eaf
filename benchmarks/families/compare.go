package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/contact/problemfile/profile"
)

// compareFiles prints the performance profile of the results in the files, by processor
// time, and the times of each problem; it draws the profile to picture, if that is named.
func compareFiles(w io.Writer, files []string, picture string) error {
	times := map[string]map[string]float64{} // by problem and solver
	var problems []string
	p := &profile.Profile{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var list []result
		if err := json.Unmarshal(data, &list); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, r := range list {
			if times[r.Problem] == nil {
				times[r.Problem] = map[string]float64{}
				problems = append(problems, r.Problem)
			}
			if !slices.Contains(p.Solvers, r.Solver) {
				p.Solvers = append(p.Solvers, r.Solver)
			}
			t := math.Inf(1)
			if r.Solved {
				if t = r.CPU; t < coarse {
					t = r.Seconds
				}
			}
			if old, seen := times[r.Problem][r.Solver]; !seen || t < old {
				times[r.Problem][r.Solver] = t
			}
		}
	}
	slices.Sort(problems)
	for _, name := range problems {
		row := make([]float64, len(p.Solvers))
		for s, solver := range p.Solvers {
			t, seen := times[name][solver]
			if !seen {
				t = math.Inf(1)
			}
			row[s] = t
		}
		p.Add(row)
		fmt.Fprintf(w, "| %s | %s |\n", name, milliseconds(row))
	}
	if err := p.WriteTable(w); err != nil {
		return err
	}
	ours := slices.Index(p.Solvers, "auto")
	if ours >= 0 {
		others, sum, both := 0, 0.0, 0
		for _, row := range p.Times {
			best := math.Inf(1)
			for s, t := range row {
				if s != ours {
					best = min(best, t)
				}
			}
			if !math.IsInf(best, 1) {
				others++
				if !math.IsInf(row[ours], 1) {
					sum, both = sum+math.Log(row[ours]/best), both+1
				}
			}
		}
		fmt.Fprintf(w, "auto: best on %.0f %%, within a factor 2 on %.0f %%; any of the others solves %d of %d; geometric mean of the ratios to their best on the %d that both solve: %.2f\n",
			100*p.Fraction(ours, 1), 100*p.Fraction(ours, 2), others, len(p.Times), both, math.Exp(sum/float64(max(both, 1))))
	}
	if picture == "" {
		return nil
	}
	return p.Save(picture)
}

// coarse [s] is what the processor's clock, which counts microseconds, tells to a percent: below it
// the other clock is better.
const coarse = 1e-4

func milliseconds(row []float64) string {
	var cells []string
	for _, t := range row {
		if math.IsInf(t, 1) {
			cells = append(cells, "-")
		} else {
			cells = append(cells, fmt.Sprintf("%.3g", 1e3*t))
		}
	}
	return strings.Join(cells, " | ")
}
