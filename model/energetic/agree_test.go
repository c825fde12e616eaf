package energetic

import (
	"testing"

	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// TestAgree: two computations of a fact agree within a thousandth of the limit, a tenth of one of
// what is solved, and where both are below a hundredth of both limits.
func TestAgree(t *testing.T) {
	fact := func(word table.Word, value, limit float64) *table.Fact {
		return &table.Fact{Word: word, Value: value, Limit: limit}
	}
	for _, c := range []struct {
		word   table.Word
		a, b   float64
		la, lb float64
		want   bool
	}{
		{table.Accurate, 5.7e-9, 1.4e-8, 1.4e-6, 1.4e-6, true},
		{table.Accurate, 0, 0.0099, 1, 1, true},
		{table.Accurate, 0, 0.0101, 1, 1, false},
		{table.Accurate, 0.0101, 0, 1, 1, false},
		{table.Accurate, 0, 0.0099, 1, 1.1, true},
		{table.Accurate, 0, 0.0099, 0.9, 1.1, false},
		{table.Accurate, 0.0099, 0, 1.1, 0.9, false},
		{table.Accurate, 0, 1e-7, 1, 1.1, true}, // rounding, of whatever is worst
		{table.Accurate, 0.5, 0.5009, 1, 1, true},
		{table.Accurate, 0.5, 0.5011, 1, 1, false},
		{table.Solved, 0.5, 0.599, 1, 1, true},
		{table.Solved, 0.5, 0.601, 1, 1, false},
	} {
		if got := agree(fact(c.word, c.a, c.la), fact(c.word, c.b, c.lb), 0); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestScaleOfProof: the end of a walk is compared with that in ratios of integers by the largest
// way, or by the way that forces of the size of the evolution go, whichever is more.
func TestScaleOfProof(t *testing.T) {
	doc := pulled(0.3, 7)
	doc["exact"] = true
	for _, c := range []struct{ energy, force, want float64 }{{1, 1e9, 3. / 7}, {8, 2, 4}, {8, 0, 3. / 7}} {
		k := built(t, doc)
		r := &Run{c: k, sum: particleview.Section{}}
		var err error
		if r.walk, err = newEventWalk(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = r.walk.step(t.Context())
		}
		r.last = r.walk.energies(r.walk.cert.Node())
		r.last.EnergyScale, r.last.ForceScale = c.energy, c.force
		if err := r.prove(t.Context()); err != nil {
			t.Fatal(err)
		}
		if x := r.sum.Exact; x == nil || x.Size < c.want*(1-1e-12) || x.Size > c.want*(1+1e-12) {
			t.Errorf("%+v: size %+v", c, x)
		}
		if f := r.proof(); len(f) != 1 || f[0].Limit != samePlace*r.sum.Exact.Size || !f[0].Passed {
			t.Errorf("%+v: %+v", c, f)
		}
	}
}
