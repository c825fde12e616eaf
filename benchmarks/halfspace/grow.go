package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/internal/processor"
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
	fmt.Print("| elements | a step | memory | force: off by, order | traction: off by, order | stick radius: off by, order |\n|---|---|---|---|---|---|\n")
	var growth []string
	var first float64
	var last struct{ n, t, p, q, c float64 }
	for _, n := range []int{41, 128, 256, 512, 1024} {
		w := 0.24 / float64(n)
		e, err := evolution(halfspace.Centred(n, n, w, w), bodies, [6]float64{0.5, 0, 0.5}, mu)
		if err != nil {
			return err
		}
		cpu := processor.Time()
		var d halfspace.Drive
		d.Control[halfspace.MoveN].Value = -delta
		if err := e.Step(ctx, d); err != nil {
			return err
		}
		d.Control[halfspace.MoveX].Value = shift
		if err := e.Step(ctx, d); err != nil {
			return err
		}
		t := (processor.Time() - cpu).Seconds() / 2
		r := e.Result()
		load := r.Force[halfspace.MoveN]
		p := math.Abs(load/(4./3*1e-3) - 1)
		q := math.Abs(-r.Force[halfspace.MoveX]/(mu*load)/(1-math.Pow(0.6, 1.5)) - 1)
		c := math.Abs(math.Sqrt(float64(r.Sticking)*w*w/math.Pi)/(0.1*math.Sqrt(0.6)) - 1)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		off := func(now, before float64) string {
			if last.n == 0 {
				return fmt.Sprintf("%.1e", now)
			}
			return fmt.Sprintf("%.1e, %.1f", now, math.Log(before/now)/math.Log(float64(n)/last.n))
		}
		fmt.Printf("| %d² | %.3f s | %d MB | %s | %s | %s |\n", n, t, m.Sys>>20, off(p, last.p), off(q, last.q), off(c, last.c))
		if last.n == 0 {
			first = t
		} else {
			growth = append(growth, fmt.Sprintf("%.2f", math.Log(t/last.t)/(2*math.Log(float64(n)/last.n))))
		}
		last.n, last.t, last.p, last.q, last.c = float64(n), t, p, q, c
	}
	fmt.Printf("\nTime grows as elements^%.2f from 41² to 1024² (%s from row to row).\n",
		math.Log(last.t/first)/(2*math.Log(1024./41)), strings.Join(growth, ", "))
	return nil
}
