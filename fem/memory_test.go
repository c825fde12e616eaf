package fem

import (
	"math"
	"runtime"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// The prediction of a box is what the heap holds; boundaries have fewer neighbours,
// groups of the sides are extra: a fifth on small boxes.
func TestBoxMemory(t *testing.T) {
	thorough.Seconds(t)
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools held
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for _, c := range []struct {
		kind  Kind
		cells []int
	}{{P1, []int{20000}}, {P1, []int{150, 100}}, {P1, []int{20, 20, 20}}, {P2, []int{20000}}, {P2, []int{75, 50}},
		{P2, []int{10, 10, 10}}, {Q1, []int{150, 100}}, {Q1, []int{20, 20, 20}}} {
		cells, dim := c.cells, len(c.cells)
		box := Box{Kind: c.kind, Corner: make([]float64, dim), Size: []float64{1, 1, 1}[:dim], Cells: cells}
		before := heap()
		m, err := box.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		a, err := Stiffness(m, Elastic{Young: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, want := heap()-before, float64(box.Memory(1).Total())
		if math.Abs(got-want) > 0.2*want {
			t.Errorf("%s, %v: %g bytes, predicted %g", c.kind, cells, got, want)
		}
		if mesh := box.Memory(1).Parts[0]; mesh.Bytes != 8*int64(len(m.X)+len(m.Elem)) {
			t.Errorf("%v: %s of %d bytes, want %d", cells, mesh.Name, mesh.Bytes, 8*(len(m.X)+len(m.Elem)))
		}
		runtime.KeepAlive(m)
		runtime.KeepAlive(a)
	}
}

func TestAbsurdBoxMemory(t *testing.T) {
	for _, cells := range [][]int{{math.MaxInt}, {1 << 40, 1 << 40}, {1 << 62, 1 << 62, 1 << 62}} {
		if got := (Box{Cells: cells}).Memory(3).Total(); got != math.MaxInt64 {
			t.Errorf("%v: %d bytes", cells, got)
		}
	}
	if got := (Box{Cells: []int{1000, 1000, 1000}}).Memory(2).Total(); got < 2e12 || got > 3e12 {
		t.Errorf("10⁹ cells: %d bytes", got) // 6·10⁹ tetrahedra of 32 bytes and 2·69·16 bytes a node
	}
	if got := (Box{Cells: []int{4, 2}}).Nodes(); got != 15 {
		t.Errorf("%d nodes, want 15", got)
	}
	if got := (Box{Cells: []int{-5, 3}}).Memory(1).Total(); got < 0 {
		t.Errorf("%d bytes", got)
	}
}
