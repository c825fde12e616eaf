package sparse

import (
	"fmt"
	"testing"
)

// chain is a chain of nodes with dense 3×3 blocks.
func chain(nodes int) *Sym { return gridMatrix(nodes, 1, 1, 3, false) }

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
