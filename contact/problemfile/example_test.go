package problemfile_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/problemfile"
)

// A sliding block in the text format: dimension, contacts, W, q, μ.
func ExampleRead() {
	p, err := problemfile.Read([]byte("2 1   0 2 2 2 2   1 0 0 1   -2 3   0.5"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := p.Solve(context.Background(), "auto", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v problem: %v, %d slipping, r = %.3f\n", p.Kind, s.Status, s.Counts.Slip, s.R)
	// Output: local problem: converged, 1 slipping, r = [2.000 -1.000]
}
