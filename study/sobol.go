package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Indices are the Sobol indices of one quantity with respect to one parameter: the parts
// of its variance that go with the parameter alone, and with it in any company,
//
//	S_j = V[E[y|x_j]]/V[y] ≈ mean(y_B (y_ABj − y_A))/V,   T_j = E[V[y|x_~j]]/V[y] ≈ mean((y_A − y_ABj)²)/2V
//
// by equations (b) of table 2 in [Saltelli10] and (f), which is that of [Jansen99].
type Indices struct {
	Path       string  `json:"path"`
	Label      string  `json:"label"`
	First      float64 `json:"first"`
	Total      float64 `json:"total"`
	FirstError float64 `json:"first_error"` // half width of the interval that holds 95 of 100 resamplings
	TotalError float64 `json:"total_error"`
	Count      int     `json:"count"` // rows of A, B and A_Bj that are complete
}

// resamplings of the rows for the intervals.
const resamplings = 200

// Sobol returns the indices of all quantities, by label and then by path, of a study
// whose only parameters are sampled by the method saltelli.
func (t *Table) Sobol() ([]Indices, error) {
	s := t.Plan.Spec
	if s.Sample == nil || s.Sample.Method != Saltelli || len(s.Axes) > 0 {
		return nil, fmt.Errorf("study: Sobol indices want a sample by the method saltelli, and no axes beside it")
	}
	var list []Indices
	for q, label := range s.Labels() {
		rows, err := t.blocks(q)
		if err != nil {
			return nil, err
		}
		rows = normalised(rows)
		for j, path := range s.Sample.Paths {
			x := Indices{Path: path, Label: label, Count: len(rows)}
			x.First, x.Total = indices(rows, j, nil)
			x.FirstError, x.TotalError = spread(rows, j, s.Sample.Seed)
			list = append(list, x)
		}
	}
	return list, nil
}

// normalised divides rows by a power of two: the indices stay, and no square leaves the numbers.
func normalised(rows [][]float64) [][]float64 {
	if len(rows) == 0 {
		return rows
	}
	flat, _ := scale(slices.Concat(rows...))
	width := len(rows[0])
	list := make([][]float64, len(rows))
	for i := range list {
		list[i] = flat[i*width : (i+1)*width]
	}
	return list
}

// blocks returns the rows y_A, y_B, y_AB1, …, y_ABk of one quantity that are complete.
func (t *Table) blocks(q int) ([][]float64, error) {
	x := t.Plan.Spec.Sample
	var rows [][]float64
	for i := range x.Count {
		row := make([]float64, 0, len(x.Paths)+2)
		for b := range len(x.Paths) + 2 {
			r, err := t.record(b*x.Count + i)
			if err != nil {
				return nil, err
			}
			if r == nil || q >= len(r.Observed) || r.Observed[q] == nil {
				break
			}
			row = append(row, *r.Observed[q])
		}
		if len(row) == cap(row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// indices estimates S_j and T_j from rows, or from those of them that pick lists.
func indices(rows [][]float64, j int, pick []int) (first, total float64) {
	row := func(i int) []float64 {
		if pick != nil {
			i = pick[i]
		}
		return rows[i]
	}
	// The mean is taken out first: the estimate of S_j is not invariant, and scatters with it.
	mean, variance, n := 0.0, 0.0, float64(len(rows))
	for i := range rows {
		mean += (row(i)[0] + row(i)[1]) / (2 * n)
	}
	for i := range rows {
		a, b, ab := row(i)[0]-mean, row(i)[1]-mean, row(i)[2+j]-mean
		variance += (a*a + b*b) / (2 * n)
		first += b * (ab - a) / n
		total += (a - ab) * (a - ab) / (2 * n)
	}
	if variance == 0 {
		return 0, 0 // nothing varies
	}
	return first / variance, total / variance
}

// spread estimates the errors of the indices by resampling the rows.
func spread(rows [][]float64, j int, seed uint64) (first, total float64) {
	if len(rows) < 2 {
		return math.MaxFloat64, math.MaxFloat64 // not known: the largest number stands for it, as JSON has no infinity
	}
	r := rand.New(rand.NewPCG(seed, 1))
	pick := make([]int, len(rows))
	var s, t [resamplings]float64
	for k := range resamplings {
		for i := range pick {
			pick[i] = r.IntN(len(rows))
		}
		s[k], t[k] = indices(rows, j, pick)
	}
	half := func(x []float64) float64 {
		slices.Sort(x)
		return (x[resamplings*39/40] - x[resamplings/40]) / 2
	}
	return half(s[:]), half(t[:])
}
