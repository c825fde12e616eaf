package energetic_test

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// TestConverge: the table of orders of the reference sheet, from one call.
func TestConverge(t *testing.T) {
	for name, c := range map[string]struct {
		problem           func() reference.Example
		o                 energetic.Options
		err, gap, balance float64
	}{
		"klarbring, lagged": {func() reference.Example { return reference.Klarbring(1.5) }, lagged, 1, 2, 1},
		"grazing, lagged":   {reference.Grazing, lagged, 1, 2, 1},
		"grazing, gamma":    {reference.Grazing, regularised(0.1), 1, 0, 1},
		"ripple, lagged":    {func() reference.Example { return reference.Ripple(2) }, lagged, 1, 2, 1},
	} {
		var nodes atomic.Int64
		ex := c.problem()
		rows, err := energetic.Converge(context.Background(), func(int) *dissipation.Coulomb { return c.problem().Psi },
			ex.Start, c.o, ex.Until, 300, 4, func(int, *energetic.Node) error { nodes.Add(1); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if n := nodes.Load(); n != 301+601+1201+2401 {
			t.Errorf("%d nodes", n)
		}
		for i, r := range rows {
			t.Logf("%s: n = %d, gamma %g: error %.2e (%.2f), gap %.2e (%.2f), balance %.2e (%.2f)", name, r.Steps,
				r.Gamma, r.Error, r.OrderError, r.Summary.MaxGap, r.OrderGap, r.Summary.MaxBalance, r.OrderBalance)
			// a quarter of an order, as events fall anywhere in a step
			within := func(what string, got, want float64) {
				if math.Abs(got-want) > 0.25 {
					t.Errorf("%s, %d steps: order %.2f of %s, want %g", name, r.Steps, got, what, want)
				}
			}
			if i == 2 {
				within("the error", r.OrderError, c.err)
				within("the balance", r.OrderBalance, c.balance)
				if c.gap > 0 {
					within("the gap", r.OrderGap, c.gap)
				} else if r.Summary.MaxGap > exactGap {
					t.Errorf("%s: gap %g", name, r.Summary.MaxGap)
				}
			}
		}
		if last := rows[3]; last.Error != 0 || rows[0].Error < rows[1].Error {
			t.Errorf("%s: errors %g, %g, …, %g", name, rows[0].Error, rows[1].Error, last.Error)
		}
	}
	if _, err := energetic.Converge(context.Background(),
		func(int) *dissipation.Coulomb { return reference.Play().Psi }, make([]float64, 3), lagged, 1, 0, 4, nil); err == nil {
		t.Error("no steps: no error")
	}
}
