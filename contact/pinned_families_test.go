package contact_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/families"
)

// TestPinnedFamilies: members of families by several methods: the motion and residuals after a few steps and the
// work of the default to the end. Reactions of most are not unique where they are solved, motions are.
func TestPinnedFamilies(t *testing.T) {
	table := contact.Pinned(t)
	for _, name := range []string{"arches", "boxes", "bundles", "chains", "discs", "elastic", "grippers", "nests", "packs", "planks", "ratios", "rods", "soups", "spheres", "tables", "walls", "wedges"} {
		f, err := families.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{14, 60} {
			p, err := families.Local(f.Problem(size, families.Parameters{Seed: 3}))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []contact.Method{contact.MethodAuto, contact.MethodInterior, contact.MethodNewton, contact.MethodProximal, contact.MethodWarm, contact.MethodGaussSeidel, contact.MethodCone} {
				for _, limit := range []int{4, 0} {
					if limit == 0 && (m != contact.MethodAuto || size > 14) {
						continue
					}
					var path []float64
					var res contact.Result
					o := &contact.Options{Method: m, MaxIterations: limit, NoCertificate: true, OnIteration: func(i contact.Iteration) {
						if i.Residual > 1e-5 && !math.IsInf(i.Residual, 1) {
							path = append(path, math.Log(i.Residual), i.Step)
						}
					}}
					_ = contact.SolveLocal(context.Background(), p, o, nil, &res)
					work := []int{int(res.Status), res.Iterations, res.Factors}
					for _, s := range res.Stages {
						work = append(work, len(s.Solver), s.Iterations)
					}
					if limit == 0 {
						path = nil
					}
					table.Check(fmt.Sprintf("%s-%d-%v-%d", f.Name, size, m, limit), work, res.U, path)
				}
			}
		}
	}
}
