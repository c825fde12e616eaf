package contact

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkConvexNet solves a sliding net from a cold start.
func BenchmarkConvexNet(b *testing.B) {
	for _, n := range []int{25, 50, 100, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := net(n, n, 0.4, 3)
			var ws GlobalWorkspace
			var res Result
			ws.prepare(p)
			b.ReportAllocs()
			for b.Loop() {
				ws.WarmStart(p, make([]float64, p.M.N), make([]float64, p.M.N))
				if err := SolveConvex(context.Background(), p, 0, &Options{}, &ws, &res); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(res.Iterations), "newton")
			b.ReportMetric(float64(res.Factors), "factors")
		})
	}
}
