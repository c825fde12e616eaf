package api

import (
	"context"
	"io"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/lcp"
	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestNothing gives the doors of the library nothing, or no numbers: each says so with an
// error.
func TestNothing(t *testing.T) {
	ctx, nan := context.Background(), math.NaN()
	e := fem.Elastic{Young: 1}
	for name, open := range map[string]func() error{
		"contact.SolveGlobal":     func() error { return contact.SolveGlobal(ctx, nil, nil, nil, nil) },
		"contact.SolveLocal":      func() error { return contact.SolveLocal(ctx, nil, nil, nil, nil) },
		"contact.SolveConvex":     func() error { return contact.SolveConvex(ctx, nil, nan, nil, nil, nil) },
		"contact.SolveFixedPoint": func() error { return contact.SolveFixedPoint(ctx, nil, 0, nil, nil, nil) },
		"lcp.SolveLCP":            func() error { return lcp.SolveLCP(ctx, nil, nil, nil, nil) },
		"lcp.SolveMLCP":           func() error { return lcp.SolveMLCP(ctx, nil, nil, nil, nil) },
		"contact.NewDelassus":     func() error { _, err := contact.NewDelassus(nil); return err },
		"delassus.NewDelassusDense": func() error {
			_, err := delassus.NewDelassusDense(nil, nil, nil, nil, nil, nil, nil)
			return err
		},
		"contact.NewCondensed":   func() error { _, err := contact.NewCondensed(context.Background(), nil, nil); return err },
		"problemfile.WriteJSON":  func() error { return problemfile.WriteJSON(io.Discard, nil) },
		"dissipation.New":        func() error { _, err := dissipation.New(nil, nil); return err },
		"dissipation.NewRippled": func() error { _, err := dissipation.NewRippled(nil, 0.5, 1, [2]float64{1, 0}, 0); return err },
		"incremental.New":        func() error { _, err := incremental.New(nil, 0, nil, incremental.Options{}); return err },
		"incremental.Admissible": func() error { return incremental.Admissible(nil, 0, []float64{nan}) },
		"energetic.Start":        func() error { _, err := energetic.Start(ctx, nil, nil, energetic.Options{}); return err },
		"energetic.Resume":       func() error { _, err := energetic.Resume(nil, energetic.Options{}, nil); return err },
		"particles.NewSystem":    func() error { _, err := particles.NewSystem(nil); return err },
		"particles.NewGravity":   func() error { _, err := particles.NewGravity([]float64{nan}, [3]float64{}); return err },
		"dynamics.NewStepper":    func() error { _, err := dynamics.NewStepper(nil, nil, nil, dynamics.Options{}); return err },
		"elastic.New":            func() error { _, err := elastic.New(ctx, nil, elastic.Options{}); return err },
		"rigid.NewModel":         func() error { _, err := multibody.NewModel(nil, multibody.Setup{}); return err },
		"rigid.NewStepper":       func() error { _, err := rigid.NewStepper(nil, rigid.Options{}); return err },
		"signal.ReadCSV":         func() error { _, _, err := signal.ReadCSV(nil, "t", nil, 0); return err },
		"signal.NewTable":        func() error { _, err := signal.NewTable([]float64{nan}, []float64{1}); return err },
		"fem.ReadGmsh":           func() error { _, err := fem.ReadGmsh(ctx, nil); return err },
		"fem.Stiffness":          func() error { _, err := fem.Stiffness(nil, e); return err },
		"fem.Mass":               func() error { _, err := fem.Mass(nil, e, 0); return err },
		"fem.NewHyperelastic":    func() error { _, err := fem.NewHyperelastic(nil, e, nil); return err },
		"fem.Traction":           func() error { return fem.Traction(nil, nil, e, fem.Group{}, nil) },
		"fem.CheckSupport":       func() error { return fem.CheckSupport(nil, e, nil) },
		"fem.Contacts":           func() error { _, err := fem.Contacts(nil, nil, fem.HalfSpace{}); return err },
		"fem.WriteVTU":           func() error { return fem.WriteVTU(io.Discard, nil, nil, nil, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			if open() == nil {
				t.Error("no error")
			}
		})
	}
}
