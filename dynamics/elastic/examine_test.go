package elastic_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
)

// TestExamined: the shortest edge is that of all elements, the smallest gap that of all contacts,
// infinite where there are none.
func TestExamined(t *testing.T) {
	for name, j := range jobs(t) {
		s := begin(t, j.m, j.o)
		m := j.m.Mesh
		edge := math.Inf(1)
		for k := range m.NumElems() {
			e := m.NodesOf(k)
			for a := range e {
				for b := range a {
					sum := 0.0
					for c := range m.Dim {
						d := m.Node(e[a])[c] - m.Node(e[b])[c]
						sum += d * d
					}
					edge = min(edge, math.Sqrt(sum))
				}
			}
		}
		if x := s.Examine(); math.Abs(x.Edge-edge) > 1e-14*edge || math.IsInf(x.Gap, 0) != (len(j.m.Contacts) == 0) {
			t.Errorf("%s: edge %g, want %g; gap %g of %d contacts", name, x.Edge, edge, x.Gap, len(j.m.Contacts))
		}
	}
	m := s3(t, 3, 2)
	m.Contacts, m.Friction = nil, nil
	if x := begin(t, m, elastic.Options{Step: 1e-3}).Examine(); !math.IsInf(x.Gap, 1) {
		t.Errorf("without contacts: gap %g", x.Gap)
	}
}

// TestContactNames: each state has its name.
func TestContactNames(t *testing.T) {
	for c, want := range []string{"open", "stick", "slip"} {
		if got := elastic.Contact(c).String(); got != want {
			t.Errorf("%d: %q", c, got)
		}
	}
}
