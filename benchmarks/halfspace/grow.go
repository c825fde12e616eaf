package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"syscall"
	"time"

	"github.com/quasistatic/quasistatic/halfspace"
)

// grow solves Cattaneo's problem on growing grids: press by an approach, then shear, two
// steps, against the closed forms of similar spheres with ν = 0.
func grow(ctx context.Context) error {
	const delta, mu, shift = 0.01, 0.3, 0.4 * 0.3 * 0.01
	body := halfspace.Elastic{Young: 2}
	bodies, err := halfspace.ElasticPair(body, body)
	if err != nil {
		return err
	}
	fmt.Printf("%d processors\n\n| elements | s a step | of a processor | memory [MB] | its order | P: off by | order | Q/(μP): off by | order | stick radius: off by | order |\n|---|---|---|---|---|---|---|---|---|---|---|\n", runtime.GOMAXPROCS(0))
	var last struct{ n, t, p, q, c float64 }
	for _, n := range []int{41, 128, 256, 512, 1024} {
		w := 0.24 / float64(n)
		e, err := evolution(halfspace.Centred(n, n, w, w), bodies, [6]float64{0.5, 0, 0.5}, mu)
		if err != nil {
			return err
		}
		began, cpu := time.Now(), processorTime()
		var d halfspace.Drive
		d.Control[halfspace.MoveN].Value = -delta
		if err := e.Step(ctx, d); err != nil {
			return err
		}
		d.Control[halfspace.MoveX].Value = shift
		if err := e.Step(ctx, d); err != nil {
			return err
		}
		wall, t := time.Since(began).Seconds()/2, (processorTime()-cpu).Seconds()/2
		r := e.Result()
		load := r.Force[halfspace.MoveN]
		p := math.Abs(load/(4./3*1e-3) - 1)
		q := math.Abs(-r.Force[halfspace.MoveX]/(mu*load)/(1-math.Pow(0.6, 1.5)) - 1)
		c := math.Abs(math.Sqrt(float64(r.Sticking)*w*w/math.Pi)/(0.1*math.Sqrt(0.6)) - 1)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		order := func(before, now float64) string {
			if last.n == 0 {
				return ""
			}
			return fmt.Sprintf("%.2f", math.Log(before/now)/math.Log(float64(n)/last.n))
		}
		elements := func() string {
			if last.n == 0 {
				return ""
			}
			return fmt.Sprintf("%.2f", math.Log(t/last.t)/math.Log(float64(n)*float64(n)/(last.n*last.n)))
		}
		fmt.Printf("| %d² | %.3f | %.3f | %d | %s | %.1e | %s | %.1e | %s | %.1e | %s |\n", n, wall, t, m.Sys>>20, elements(), p, order(last.p, p), q, order(last.q, q), c, order(last.c, c))
		last.n, last.t, last.p, last.q, last.c = float64(n), t, p, q, c
	}
	return nil
}

// processorTime is that of all threads so far, in the program and for it: what the load of
// the machine does not lengthen.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
