package energetic_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// BenchmarkCattaneoMindlin presses and shears n×n patches in 20 certified steps;
// n = 41 has 5,043 degrees of freedom and a dense D²E.
func BenchmarkCattaneoMindlin(b *testing.B) {
	for _, n := range []int{11, 21, 41} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			inner := 0
			for b.Loop() {
				ex, ctx := reference.CattaneoMindlin(n), context.Background()
				run, err := energetic.Start(ctx, ex.Psi, ex.Start, energetic.Options{})
				if err != nil {
					b.Fatal(err)
				}
				for k := 1; k <= 20; k++ {
					if err := run.Step(ctx, ex.Until*float64(k)/20); err != nil {
						b.Fatal(err)
					}
				}
				if s := run.Summary(); !s.Solved {
					b.Fatal(s.First)
				}
				inner = run.Summary().Inner
			}
			b.ReportMetric(float64(inner)/20, "iterations/step")
		})
	}
}
