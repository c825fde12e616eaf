package contact_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
)

// TestInteriorOfFamilies asks the interior-point method for structures with more contacts than
// bodies can tell apart, up to every contact of an arch, a wall or a table. The limit is about
// twice the steps that it takes: before it was of second order and in the scaled frame,
// it stood still at 1e-4 to 1e-6 on these.
func TestInteriorOfFamilies(t *testing.T) {
	for _, name := range []string{"arches", "grippers", "tables", "walls", "wedges"} {
		f, err := families.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(2) {
			p, err := families.Local(f.Problem(160, families.Parameters{Seed: seed}))
			if err != nil {
				t.Fatal(err)
			}
			var res contact.Result
			err = contact.SolveLocal(context.Background(), p,
				&contact.Options{Method: contact.MethodInterior, MaxIterations: 80}, nil, &res)
			if err != nil {
				t.Errorf("%s, seed %d: %v", name, seed, err)
			}
		}
	}
}

// TestInteriorCentres solves the convex relaxation of moving piles: the method is polynomial
// there, whatever the rank of W, and rounding has to leave it a merit of 1e-6, the root of
// its barrier at 1e-12.
func TestInteriorCentres(t *testing.T) {
	f, err := families.Find("spheres")
	if err != nil {
		t.Fatal(err)
	}
	for _, mu := range []float64{0.1, 0.5, 1} {
		t.Run(fmt.Sprint("mu=", mu), func(t *testing.T) {
			p, err := families.Local(f.Problem(150, families.Parameters{Seed: 7, Mu: mu, Speed: 1}))
			if err != nil {
				t.Fatal(err)
			}
			for j := range p.Laws {
				p.Laws[j] = contact.Associated{Mu: mu}
			}
			var res contact.Result
			err = contact.SolveLocal(context.Background(), p,
				&contact.Options{Method: contact.MethodInterior, MaxIterations: 60, Tolerance: 1e-6}, nil, &res)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
