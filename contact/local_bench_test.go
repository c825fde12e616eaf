package contact_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// BenchmarkLocal solves stacks from zero in a workspace that knows the pattern.
func BenchmarkLocal(b *testing.B) {
	solvers := []struct {
		method contact.Method
		most   int // larger ones take too long
	}{
		{contact.MethodAuto, 1000}, {contact.MethodGaussSeidel, 10}, {contact.MethodNewton, 1000},
		{contact.MethodInterior, 1000}, {contact.MethodADMM, 10}, {contact.MethodTresca, 100},
	}
	for _, s := range solvers {
		for _, n := range []int{1, 10, 100, 1000} {
			if n > s.most {
				continue
			}
			b.Run(fmt.Sprintf("%v/%d", s.method, n), func(b *testing.B) {
				p, ws, o := stack(n, 0.3), new(contact.LocalWorkspace), &contact.Options{Method: s.method}
				var res contact.Result
				b.ReportAllocs()
				for b.Loop() {
					ws.Forget()
					if err := contact.SolveLocal(context.Background(), p, o, ws, &res); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(res.Iterations), "iterations")
			})
		}
	}
}

// BenchmarkLocalWarm solves again what is solved, and what changed a little.
func BenchmarkLocalWarm(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		for name, change := range map[string]float64{"same": 0, "changed": 1e-3} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				p, ws, o := stack(n, 0.3), new(contact.LocalWorkspace), new(contact.Options)
				var res contact.Result
				b.ReportAllocs()
				for b.Loop() {
					change = -change
					p.Q[1] += change
					if err := contact.SolveLocal(context.Background(), p, o, ws, &res); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkProblemsOfOthers solves them from zero by the default.
func BenchmarkProblemsOfOthers(b *testing.B) {
	for name, p := range problems(b) {
		b.Run(name, func(b *testing.B) {
			ws, o := new(contact.LocalWorkspace), new(contact.Options)
			var res contact.Result
			b.ReportAllocs()
			for b.Loop() {
				ws.Forget()
				if err := contact.SolveLocal(context.Background(), p, o, ws, &res); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(res.Iterations), "iterations")
		})
	}
}

// BenchmarkProblemsOfOthersCold solves each as the first problem of a new
// workspace, which has to lay out its memory.
func BenchmarkProblemsOfOthersCold(b *testing.B) {
	for name, p := range problems(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var res contact.Result
				if err := contact.SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
