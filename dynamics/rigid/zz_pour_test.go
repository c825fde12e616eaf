package rigid_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/pprof"
	"strconv"
	"syscall"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return float64(r.Utime.Sec+r.Stime.Sec) + 1e-6*float64(r.Utime.Usec+r.Stime.Usec)
}

func TestZZPour(t *testing.T) {
	m, _ := strconv.Atoi(os.Getenv("POUR")) // side
	nz, _ := strconv.Atoi(os.Getenv("POURZ"))
	if m == 0 {
		t.Skip()
	}
	if nz == 0 {
		nz = m
	}
	steps, _ := strconv.Atoi(os.Getenv("STEPS"))
	half := float64(m) * .12
	jit, _ := strconv.ParseFloat(os.Getenv("JIT"), 64)
	rng := rand.New(rand.NewPCG(1, 2))
	j := func() float64 { return jit * (2*rng.Float64() - 1) }
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for _, x := range []float64{-1, 1} {
		must[int](t)(w.AddHalfSpace([3]float64{half * x}, [3]float64{-x}))
		must[int](t)(w.AddHalfSpace([3]float64{0, half * x}, [3]float64{0, -x}))
	}
	for z := 0; z < nz; z++ {
		for x := 0; x < m; x++ {
			for y := 0; y < m; y++ {
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1,
					Position: [3]float64{(float64(x)-float64(m-1)/2)*.22 + .013*float64(z%3) + j(), (float64(y) - float64(m-1)/2) * .22 + j(), .16 + .22*float64(z) + j()}}))
			}
		}
	}
	s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: 0.5}}, rigid.Options{Grid: rigid.GapGrid})
	t0 := cpu()
	last, iters, most, solves, stalled, cuts := t0, 0, 0, 0, 0, 0
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	for i := range steps {
		if f := os.Getenv("PROF"); f != "" && i == from {
			x, _ := os.Create(f)
			pprof.StartCPUProfile(x)
			defer pprof.StopCPUProfile()
		}
		if err := s.Step(context.Background(), 0.005); err != nil {
			t.Fatal(err)
		}
		l := s.Last()
		iters += l.Iterations
		most = max(most, l.Iterations)
		solves += l.Solves
		stalled += l.Stalled
		cuts += len(l.Cuts)
		if (i+1)%20 == 0 {
			c := cpu()
			fmt.Printf("%4d t=%.2f ms/step %.2f iters/step %.1f most %d solves/step %.2f stalled %d cuts %d contacts %d kin %.3g pen %.2g\n", i+1, l.T, (c-last)/20*1e3, float64(iters)/20, most, float64(solves)/20, stalled, cuts, l.Stick+l.Slip, l.Energy.Kinetic, l.Penetration)
			last, iters, most, solves, stalled, cuts = c, 0, 0, 0, 0, 0
		}
	}
	fmt.Printf("all: %.2f ms/step\n", (cpu()-t0)/float64(steps)*1e3)
}
