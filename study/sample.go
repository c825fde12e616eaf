package study

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/gonum/stat/samplemv"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Sample draws values from distributions.
type Sample struct {
	Paths         []string
	Distributions []Distribution
	Count         int    // N
	Seed          uint64 // same seed, same points
	Method        Method
}

// Method is the way in which points of the unit cube are chosen.
type Method string

// The methods.
const (
	Random   Method = "random"   // independent; the default
	Latin    Method = "latin"    // Latin hypercube: one point in each of N slices of every axis [MBC79]
	Halton   Method = "halton"   // quasi-random, digits permuted at random [Halton60]
	Saltelli Method = "saltelli" // N(k+2) points for Sobol indices [Saltelli10]
)

var methods = []string{string(Random), string(Latin), string(Halton), string(Saltelli)}

// Len is the number of points.
func (s *Sample) Len() int {
	if s.Method == Saltelli {
		return s.Count * (len(s.Paths) + 2)
	}
	return s.Count
}

// largestSample bounds N·k: the unit points are held in memory.
const largestSample = 50_000_000

func decodeSample(raw json.RawMessage) (*Sample, error) {
	entries, err := object(raw, "$.sample")
	if err != nil {
		return nil, err
	}
	s := &Sample{Method: Random, Seed: 1}
	for _, e := range entries {
		at := "$.sample." + e.key
		switch e.key {
		case "count":
			err = json.Unmarshal(e.value, &s.Count)
		case "seed":
			err = json.Unmarshal(e.value, &s.Seed)
		case "method":
			err = json.Unmarshal(e.value, &s.Method)
		default:
			at = fmt.Sprintf("$.sample[%q]", e.key)
			var d Distribution
			d, err = distribution(e.value)
			s.Paths, s.Distributions = append(s.Paths, e.key), append(s.Distributions, d)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, readableValue(err, e.value))
		}
	}
	switch {
	case len(s.Paths) == 0:
		return nil, fmt.Errorf("$.sample: no path, want for instance {\"friction.dry.mu\": {\"uniform\": [0.2, 0.6]}, \"count\": 100}")
	case s.Count < 1:
		return nil, fmt.Errorf("$.sample.count: found %d, want at least 1", s.Count)
	case !slices.Contains(methods, string(s.Method)):
		return nil, fmt.Errorf("$.sample.method: found %q, want one of %s", s.Method, strings.Join(methods, ", "))
	case s.Count > largestSample/(2*len(s.Paths)):
		return nil, fmt.Errorf("$.sample.count: %d runs, more than %d, and with --yes at most %d with %d paths",
			s.Count, DefaultMost, largestSample/(2*len(s.Paths)), len(s.Paths))
	}
	return s, nil
}

// readableValue words a fault of a value.
func readableValue(err error, raw json.RawMessage) error {
	if _, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Errorf("found %s, want a whole number >= 0 or a word", short(raw))
	}
	return err
}

// Distribution is that of one parameter: its quantile function F⁻¹ on (0, 1).
type Distribution func(u float64) json.RawMessage

// families are the distributions by name, with what their numbers are.
var families = map[string]struct {
	parameters string
	make       func(a, b float64) (func(u float64) float64, error)
}{
	"uniform": {"[from, to]", func(a, b float64) (func(float64) float64, error) {
		return func(u float64) float64 { return a + float64(u*(b-a)) }, ordered(a, b)
	}},
	"loguniform": {"[from, to] > 0", func(a, b float64) (func(float64) float64, error) {
		if !(a > 0) {
			return nil, fmt.Errorf("found %g, want ends > 0", a)
		}
		return func(u float64) float64 { return a * elementary.Pow(b/a, u) }, ordered(a, b)
	}},
	"normal": {"[mean, deviation > 0]", func(a, b float64) (func(float64) float64, error) {
		return distuv.Normal{Mu: a, Sigma: b}.Quantile, positive(b)
	}},
	"lognormal": {"[mean, deviation > 0] of the logarithm", func(a, b float64) (func(float64) float64, error) {
		return distuv.LogNormal{Mu: a, Sigma: b}.Quantile, positive(b)
	}},
	"weibull": {"[shape > 0, scale > 0]", func(a, b float64) (func(float64) float64, error) {
		return distuv.Weibull{K: a, Lambda: b}.Quantile, positive(min(a, b))
	}},
	"integer": {"[from, to]", func(a, b float64) (func(float64) float64, error) {
		if a != math.Trunc(a) || b != math.Trunc(b) {
			return nil, fmt.Errorf("found %g and %g, want whole numbers", a, b)
		}
		return func(u float64) float64 { return min(b, a+math.Floor(u*(b-a+1))) }, ordered(a, b)
	}},
}

func ordered(a, b float64) error {
	if !(a <= b) || math.IsInf(b-a, 0) {
		return fmt.Errorf("found [%g, %g], want the smaller number first", a, b)
	}
	return nil
}

func positive(b float64) error {
	if !(b > 0) {
		return fmt.Errorf("found %g, want more than 0", b)
	}
	return nil
}

// distribution reads {"normal": [2, 0.1]} or {"choice": [...]}.
func distribution(raw json.RawMessage) (Distribution, error) {
	names := []string{"choice"}
	for name := range families {
		names = append(names, name)
	}
	slices.Sort(names)
	entries, err := object(raw, "the distribution")
	if err != nil {
		return nil, err
	}
	if len(entries) != 1 {
		return nil, fmt.Errorf("found %d keys, want one of %s", len(entries), strings.Join(names, ", "))
	}
	e := entries[0]
	if e.key == "choice" {
		v, err := axisValues(e.value)
		return func(u float64) json.RawMessage { return v.at(min(int(u*float64(v.len())), v.len()-1)) }, err
	}
	family, ok := families[e.key]
	if !ok {
		return nil, unknownKey("the distribution", e.key, names)
	}
	var p [2]float64
	if err := numbers(p[:], e.value); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", e.key, err, family.parameters)
	}
	quantile, err := family.make(p[0], p[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.key, err)
	}
	return func(u float64) json.RawMessage { return number(quantile(u)) }, nil
}

// unitSample returns the points of the unit cube, N×k; for saltelli N×2k, the points of
// A and B side by side.
func (s *Sample) unitSample() *mat.Dense {
	k := len(s.Paths)
	source := rand.NewPCG(s.Seed, 0)
	if s.Method == Saltelli {
		k *= 2
	}
	batch := mat.NewDense(s.Count, k, nil)
	switch s.Method {
	case Latin:
		samplemv.LatinHypercube{Q: distmv.NewUnitUniform(k, nil), Src: source}.Sample(batch)
	case Halton, Saltelli:
		samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(k, nil), Src: source}.Sample(batch)
	default:
		r := rand.New(source)
		for i := range s.Count {
			for j := range k {
				batch.Set(i, j, r.Float64())
			}
		}
	}
	return batch
}

// point returns the unit coordinates of point i: A_1 … A_N, then B, then A_B1 … A_Bk,
// where A_Bj is A with its column j from B [Saltelli10].
func (s *Sample) point(unit *mat.Dense, i, j int) float64 {
	row := i
	if s.Method == Saltelli {
		block := i / s.Count
		row = i % s.Count
		if block == 1 || block == 2+j {
			j += len(s.Paths)
		}
	}
	return inside(unit.At(row, j))
}

// inside keeps a coordinate off the ends, where quantiles of unbounded distributions are
// infinite: by half the distance of neighbouring numbers at 1.
func inside(u float64) float64 { return min(max(u, 0x1p-54), 1-0x1p-53) }
