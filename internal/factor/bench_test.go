package factor

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// chain is a chain of nodes with dense 3×3 blocks.
func chain(nodes int) *sparse.Sym { return gridMatrix(nodes, 1, 1, 3, false) }

func BenchmarkChain(b *testing.B) {
	for _, nodes := range []int{8, 100} {
		a := chain(nodes)
		for _, m := range []Method{Simplicial, Supernodal} {
			f := Analyse(a, Options{Method: m})
			x := make([]float64, a.N)
			for i := range x {
				x[i] = 1
			}
			b.Run(fmt.Sprintf("refactor/method=%d/nodes=%d", m, nodes), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f.Refactor(a); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("solve/method=%d/nodes=%d", m, nodes), func(b *testing.B) {
				b.ReportAllocs()
				dst := make([]float64, a.N)
				for b.Loop() {
					f.Solve(dst, x)
				}
			})
		}
	}
}

func BenchmarkGrid(b *testing.B) {
	for _, g := range []struct{ x, y, z int }{{20, 20, 1}, {60, 60, 1}, {200, 200, 1}, {10, 10, 10}, {26, 26, 26}} {
		name := fmt.Sprintf("nodes=%dx%dx%d", g.x, g.y, g.z)
		b.Run(name, func(b *testing.B) {
			a := gridMatrix(g.x, g.y, g.z, 3, true)
			b.Run("plan", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					NewPlan(a, Options{})
				}
			})
			p := NewPlan(a, Options{})
			f := p.Factor()
			if err := f.Refactor(a); err != nil { // touch the memory once
				b.Fatal(err)
			}
			b.Run("refactor", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f.Refactor(a); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(p.Flops()*float64(b.N)/b.Elapsed().Seconds()*1e-9, "GFLOPS")
				b.ReportMetric(float64(p.NNZ()), "entries")
			})
			b.Run("solve", func(b *testing.B) {
				b.ReportAllocs()
				x := make([]float64, a.N)
				x[0] = 1
				for b.Loop() {
					f.Solve(x, x)
				}
			})
		})
	}
}
