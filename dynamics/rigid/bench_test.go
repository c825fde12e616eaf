package rigid_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

func steps(b *testing.B, s *rigid.Stepper, h float64, warm int) {
	run(b, s, h, warm)
	b.ReportAllocs()
	b.ResetTimer()
	iterations := 0
	for b.Loop() {
		if err := s.Step(context.Background(), h); err != nil {
			b.Fatal(err)
		}
		iterations += s.Last().Iterations
	}
	l := s.Last()
	b.ReportMetric(float64(l.Stick+l.Slip), "contacts")
	b.ReportMetric(float64(iterations)/float64(b.N), "iterations/step")
}

func BenchmarkBlock(b *testing.B) { steps(b, block(b, rigid.Options{Alpha: 0.5}), 1e-3, 10) }

// BenchmarkPendulum is the double pendulum in the air, and lying on the floor.
func BenchmarkPendulum(b *testing.B) {
	b.Run("free", func(b *testing.B) { steps(b, pendulum(b, false, rigid.Options{Alpha: 0.5}), 1e-3, 10) })
	b.Run("floor", func(b *testing.B) { steps(b, pendulum(b, true, rigid.Options{}), 1e-3, 5000) })
}
func BenchmarkStack(b *testing.B) { steps(b, boxStack(b, 10, rigid.Options{}), 5e-3, 10) }

// BenchmarkPile is the settled pile; the growth with the number of spheres is
// that with the number of contacts.
func BenchmarkPile(b *testing.B) {
	for _, n := range []int{50, 100, 200, 400} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			steps(b, spherePile(b, n, rigid.Options{Grid: rigid.GapGrid}), 5e-3, 300)
		})
	}
}

// BenchmarkPileFalling is the whole fall of 200 spheres, ns for each of 400
// steps.
func BenchmarkPileFalling(b *testing.B) {
	for b.Loop() {
		run(b, spherePile(b, 200, rigid.Options{Grid: rigid.GapGrid}), 5e-3, 400)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/400, "ms/step")
}

// BenchmarkChain is a chain of fifty links that swings for a second, as the case chain-50: ns for
// each of 800 steps.
func BenchmarkChain(b *testing.B) {
	for b.Loop() {
		s, _ := chainOf(b, 50, 2, 1, rigid.Options{Alpha: .5})
		run(b, s, 1.25e-3, 800)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/800, "µs/step")
}

// BenchmarkLyingChain is the growth of the first steps of a chain on the floor with the number of
// its links.
func BenchmarkLyingChain(b *testing.B) {
	for _, n := range []int{50, 100, 200, 400} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				run(b, lyingChain(b, n, 0, rigid.Options{Alpha: .5}), 2e-3, 5)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/5, "µs/step")
		})
	}
}
