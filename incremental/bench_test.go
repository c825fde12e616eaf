package incremental_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// BenchmarkChain is one warm step of a chain of eight particles while all slide.
func BenchmarkChain(b *testing.B) {
	for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		b.Run([]string{"lagged", "implicit"}[mode], func(b *testing.B) {
			benchmarkSteps(b, reference.Chain(8, 1e9), 1e-2, 2500, incremental.Options{Threshold: mode})
		})
	}
}

// BenchmarkNet is one step of a net of n×n particles that all slide, turning by
// 1.8 degrees a step.
func BenchmarkNet(b *testing.B) {
	for _, n := range []int{50, 100, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchmarkSteps(b, reference.Net(n, 10), 0.05, 30, incremental.Options{})
		})
	}
}

// benchmarkSteps times steps of length h after some that bring everything to
// slide.
func benchmarkSteps(b *testing.B, ex reference.Example, h float64, before int, o incremental.Options) {
	ctx := context.Background()
	s, err := incremental.New(ex.Psi, 0, ex.Start, o)
	if err != nil {
		b.Fatal(err)
	}
	k, inner, factors := 0, 0, 0
	step := func() {
		k++
		if err := s.Step(ctx, h*float64(k)); err != nil {
			b.Fatal(err)
		}
	}
	for range before {
		step()
	}
	b.ReportAllocs()
	first := k
	for b.Loop() {
		step()
		inner += s.Stats().Inner
		factors += s.Stats().Factors
	}
	b.ReportMetric(float64(inner)/float64(k-first), "newton/op")
	b.ReportMetric(float64(factors)/float64(k-first), "factors/op")
	b.ReportMetric(float64(incremental.Count(s.States())[incremental.Slip]), "sliding")
}
