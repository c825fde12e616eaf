package elastic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// krylov returns an M-orthonormal basis, in all dofs, of a Krylov space of (A + τM)⁻¹M, τ = 4/h²,
// which has best the modes near and below 2/h of the longest step h; of all motions where these are
// few, from random vectors and with a τ that leaves them as they are. It has 120 vectors at most: blocks of
// 16 by 8 cells have growing modes to a tenth of a per cent with 80 of their 256.
func (a *assembly) krylov(ctx context.Context, k *slide) ([][]float64, error) {
	n := a.stiffness.N
	free := fem.NewSplit(n, a.heldBy(k.Pattern))
	var massless []int // normals of open contacts
	fastest := 0.0
	for _, i := range free.Free {
		if m := a.mass.Val[a.mass.Ptr[i]]; m > 0 {
			fastest = max(fastest, a.stiffness.Val[a.stiffness.Ptr[i]]/m)
		} else {
			massless = append(massless, i)
		}
	}
	order := len(free.Free) - len(massless)
	size := min(order, 120)
	whole := size == order
	tau := fastest
	if !whole {
		longest := 0.0
		for _, x := range k.Times {
			longest = max(longest, x.Step)
		}
		tau = 4 / (longest * longest)
	}
	solve, err := factored(ctx, free, combine(1, a.stiffness, tau, a.mass))
	if err != nil {
		return nil, err
	}
	follow, err := a.following(ctx, massless)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(3, 4))
	var basis, images [][]float64 // q and M q
	for len(basis) < size && ctx.Err() == nil {
		q, image := make([]float64, n), make([]float64, n)
		if last := len(basis) - 1; last >= 0 && !whole {
			copy(q, images[last])
		} else {
			for _, i := range free.Free {
				image[i] = random.NormFloat64()
			}
			a.mass.MulVec(q, image)
		}
		solve(q)
		for range 2 { // once more for the digits that the first loses
			for i, b := range basis {
				axpy(q, -dot(q, images[i]), b)
			}
		}
		follow(q)
		a.mass.MulVec(image, q)
		length := math.Sqrt(dot(q, image))
		if !(length > 0) {
			break
		}
		scale(q, 1/length)
		scale(image, 1/length)
		basis, images = append(basis, q), append(images, image)
	}
	return basis, ctx.Err()
}

// factored returns what replaces x by the solution of the free block of a matrix for its right-hand
// side, zero where dofs are held.
func factored(ctx context.Context, free *fem.Split, a *sparse.Sym) (func(x []float64), error) {
	m, _ := free.Restrict(a)
	f, err := factor.AnalyseContext(ctx, m, factor.Options{})
	if err == nil {
		err = f.RefactorContext(ctx, m)
	}
	work := make([]float64, m.N)
	return func(x []float64) {
		free.Gather(work, x)
		f.Solve(work, work)
		clear(x)
		free.Scatter(x, work)
	}, err
}

// following returns what puts the massless dofs where the others leave them in equilibrium: no inner
// product of M sees what rounding makes of them.
func (a *assembly) following(ctx context.Context, massless []int) (func(q []float64), error) {
	if len(massless) == 0 {
		return func([]float64) {}, nil
	}
	var others []int
	for i := range a.stiffness.N {
		if !slices.Contains(massless, i) {
			others = append(others, i)
		}
	}
	solve, err := factored(ctx, fem.NewSplit(a.stiffness.N, others), a.stiffness)
	force := make([]float64, a.stiffness.N)
	return func(q []float64) {
		for _, i := range massless {
			q[i] = 0
		}
		a.stiffness.MulVec(force, q)
		solve(force)
		for _, i := range massless {
			q[i] = -force[i]
		}
	}, err
}

// heldBy lists the dofs that a pattern of contacts and the supports hold.
func (a *assembly) heldBy(pattern []Contact) []int {
	held := slices.Clone(a.split.Fixed)
	for i, n := range a.normal {
		switch pattern[i] {
		case Slip:
			held = append(held, n)
		case Stick:
			for e := range a.dim {
				held = append(held, n-e)
			}
		}
	}
	return held
}
