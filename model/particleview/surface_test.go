package particleview

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// TestDrawSurfaces: a pressed and sheared contact gives two pictures; its view has
// friction at the bound in slip and below it in stick. A chain gives none.
func TestDrawSurfaces(t *testing.T) {
	for _, c := range []struct {
		ex    reference.Example
		files int
	}{{reference.CattaneoMindlin(7), 2}, {reference.Chain(3, 1), 0}} {
		ctx, dir := context.Background(), t.TempDir()
		run, err := energetic.Start(ctx, c.ex.Psi, c.ex.Start, energetic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []float64{0.5, 1} {
			if err := run.Step(ctx, at*c.ex.Until); err != nil {
				t.Fatal(err)
			}
		}
		if warnings, err := drawSurfaces(dir, "contact", c.ex.Psi, run.Node()); err != nil || warnings != nil {
			t.Fatal(warnings, err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "surface.*"))
		if err != nil || len(files) != c.files {
			t.Fatalf("%v, %v, want %d files", files, err, c.files)
		}
		for _, f := range files {
			if info, err := os.Stat(f); err != nil || info.Size() < 1000 {
				t.Errorf("%s: %v, %v", f, info, err)
			}
		}
	}
}

func TestSurfaceView(t *testing.T) {
	ex, ctx := reference.CattaneoMindlin(11), context.Background()
	run, err := energetic.Start(ctx, ex.Psi, ex.Start, energetic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{1, 2} {
		if err := run.Step(ctx, at); err != nil {
			t.Fatal(err)
		}
	}
	const n = 11
	var who []int
	for j := range n * n {
		who = append(who, j)
	}
	const cell = 2 * reference.CattaneoHalf / n
	v := newSurfaceView(ex.Psi, run.Node(), particles.Grid{Particles: who, NX: n, NY: n, DX: cell, DY: cell})
	slips := 0
	for i, s := range v.zone {
		switch {
		case s == incremental.Slip && (v.q[i] < v.bound[i]*(1-1e-9) || v.q[i] > v.bound[i]*(1+1e-9)):
			t.Errorf("cell %d slips at %g of %g", i, v.q[i], v.bound[i])
		case s == incremental.Stick && v.q[i] > v.bound[i]*(1+1e-9):
			t.Errorf("cell %d sticks at %g of %g", i, v.q[i], v.bound[i])
		case s == incremental.Free && v.p[i] != 0:
			t.Errorf("cell %d in the air has the pressure %g", i, v.p[i])
		}
		if s == incremental.Slip {
			slips++
		}
	}
	if slips == 0 || v.zone[reference.CattaneoPatch(n)] != incremental.Stick {
		t.Errorf("%d patches slip, the centre is %v", slips, v.zone[reference.CattaneoPatch(n)])
	}
}
