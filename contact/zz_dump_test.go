package contact

import (
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

type dumped struct {
	Ptr, Col []int
	Val      []float64
	B, R     []float64
	Mu       []float64
	H        []float64
	A, Bd    []int
	Step     int
}

func zcpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return float64(r.Utime.Sec+r.Stime.Sec) + 1e-6*float64(r.Utime.Usec+r.Stime.Usec)
}

func TestZZDump(t *testing.T) {
	files, _ := filepath.Glob(os.Getenv("DUMPS"))
	for _, f := range files {
		var d dumped
		x, _ := os.Open(f)
		if gob.NewDecoder(x).Decode(&d) != nil {
			continue
		}
		nc := len(d.Mu)
		p := Local{W: &Blocks{D: 3, Ptr: d.Ptr, Col: d.Col, Val: d.Val}, Q: d.B}
		for _, mu := range d.Mu {
			p.Laws = append(p.Laws, Coulomb{Mu: mu})
		}
		for _, m := range strings.Fields(os.Getenv("METHODS")) {
			var o Options
			o.Tolerance = 1e-8
			o.MaxIterations = 4000
			o.NoCertificate = true
			switch m {
			case "auto":
				o.Method = MethodAuto
			case "newton":
				o.Method, o.MaxIterations = MethodNewton, 12
			case "interior":
				o.Method = MethodInterior
			case "proximal":
				o.Method = MethodProximal
			case "warm":
				o.Method = MethodWarm
			case "gs":
				o.Method = MethodGaussSeidel
			}
			next := 1
			if os.Getenv("LOG") != "" {
				o.OnIteration = func(i Iteration) {
					if i.Iteration >= next {
						fmt.Printf("   %+v\n", i)
						next = i.Iteration*5/4 + 1
					}
				}
			}
			var ws LocalWorkspace
			var res Result
			ws.WarmStart(d.R)
			t0 := zcpu()
			err := SolveLocal(context.Background(), &p, &o, &ws, &res)
			c := zcpu() - t0
			s := ""
			for _, st := range res.Stages {
				s += fmt.Sprintf(" %s:%d", st.Solver, st.Iterations)
			}
			fmt.Printf("%s nc %d %s: %.1f ms its %d merit %.2g err %v |%s\n", filepath.Base(f), nc, m, c*1e3, res.Iterations, res.Merit, err != nil, s)
		}
	}
}
