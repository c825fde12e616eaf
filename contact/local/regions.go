package local

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	regionsShare = 0.98 // of the squared change of a sweep is what the regions carry
	// regionsPart of the contacts, but at least regionsFew, are in regions at first; a ring of
	// those that W couples to them is added.
	regionsPart, regionsFew = 0.1, 200
	// regionsLargest is the number of contacts of a region beyond which it is left to the
	// sweeps: a factorisation costs as much as they do.
	regionsLargest = 1200
	// Steps on a region, by the method that goes to the middle of the cones, and by the one
	// that slip does not stop.
	regionsCone, regionsProximal = 50, 100
	regionsTight                 = 0.1 // part of the tolerance to which a region is solved
)

// Regions are where large piles under sweeps are slow. The slow part of a sweep is not spread
// evenly: it sits in clusters of some hundred contacts, where reactions wander along a kernel of W,
// a step as long as the last, until one of them changes its state. In turns, the contacts that
// carry the change of a sweep, with a ring around them, are solved as problems of their own,
// reactions elsewhere held. Regions that W does not couple are solved at once; the result does not
// depend on the number of workers.

// solveRegions finds the regions at the present iterate and solves them; false if none
// was brought nearer to a solution.
func (s *localRun) solveRegions() (some bool) {
	lists := s.findRegions()
	size := math.Sqrt(block.Dot(s.ws.r, s.ws.r))
	place := make([]int32, s.c.Nc) // within its region, and one
	solved := make([][]float64, len(lists))
	steps, factors := make([]int, len(lists)), make([]int, len(lists))
	for _, list := range lists {
		for i, j := range list {
			place[j] = int32(i + 1)
		}
	}
	var next atomic.Int32
	work := func() {
		for {
			k := int(next.Add(1)) - 1
			if k >= len(lists) {
				return
			}
			solved[k], steps[k], factors[k] = s.solveRegion(lists[k], place, size)
		}
	}
	var done sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(lists)) - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
	for k, list := range lists {
		s.iterations += steps[k]
		s.factors += factors[k]
		for i, j := range list {
			if solved[k] != nil {
				s.ws.r[j] = vec3(solved[k][3*i:])
				some = true
			}
		}
	}
	return some
}

// findRegions lists the contacts of each region, ascending.
func (s *localRun) findRegions() (lists [][]int32) {
	c, image := s.c, s.ws.trial
	copy(image, s.ws.r)
	change, _ := s.sweep(image)
	weight, order := make([]float64, c.Nc), make([]int32, c.Nc)
	for j := range image {
		for k, x := range image[j] {
			weight[j] += (x - s.ws.r[j][k]) * (x - s.ws.r[j][k])
		}
		order[j] = int32(j)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch {
		case weight[a] > weight[b]:
			return -1
		case weight[a] < weight[b]:
			return 1
		}
		return 0
	})
	chosen, sum := make([]bool, c.Nc), 0.0
	hot := order[:min(c.Nc, max(regionsFew, int(regionsPart*float64(c.Nc))))]
	for k, j := range hot {
		if sum > regionsShare*change*change {
			hot = hot[:k]
			break
		}
		sum += weight[j]
	}
	for _, j := range hot {
		for _, i := range c.Col[c.Ptr[j]:c.Ptr[j+1]] {
			chosen[i] = true
		}
	}
	for j := range chosen {
		if !chosen[j] {
			continue
		}
		chosen[j] = false
		list := []int32{int32(j)}
		for k := 0; k < len(list); k++ {
			for _, i := range c.Col[c.Ptr[list[k]]:c.Ptr[list[k]+1]] {
				if chosen[i] {
					chosen[i] = false
					list = append(list, i)
				}
			}
		}
		if slices.Sort(list); len(list) <= regionsLargest {
			lists = append(lists, list)
		}
	}
	return lists
}

// solveRegion returns the reactions of a region, nil if it was not brought nearer to a
// solution; size is ‖r‖ of all, to which its tolerance refers.
func (s *localRun) solveRegion(list, place []int32, size float64) (r []float64, steps, factors int) {
	p, start := s.c.region(list, place, s.ws.r)
	scale := max(num.Norm(start), num.Norm(p.Q))
	tol := 1e-3
	if scale > 0 {
		tol = min(regionsTight*s.tol*max(size, 1)/scale, tol)
	}
	var ws Workspace
	var res form.Result
	least := p.UnitFreeMerit(make([]float64, len(start)), start)
	for _, try := range [...]form.Options{
		{Method: form.MethodCone, MaxIterations: regionsCone, NoCertificate: true},
		{Method: form.MethodProximal, MaxIterations: regionsProximal, NoCertificate: true},
	} {
		ws.WarmStart(start)
		try.Tolerance = tol
		err := Solve(s.ctx, p, &try, &ws, &res)
		steps += res.Iterations
		factors += res.Factors
		if res.UnitFree < least {
			least, r = res.UnitFree, append(r[:0], res.R...)
		}
		if err == nil {
			break
		}
	}
	return r, steps, factors
}

// region is the problem of the contacts of list alone, in scaled units, and their
// reactions.
func (c *reduced) region(list, place []int32, r []vec3) (*form.Local, []float64) {
	w := &form.Blocks{D: 3, Ptr: make([]int, 1, len(list)+1)}
	p, start := &form.Local{W: w, Q: make([]float64, 3*len(list))}, make([]float64, 3*len(list))
	for i, j := range list {
		q := c.Q[j]
		for k := c.Ptr[j]; k < c.Ptr[j+1]; k++ {
			l := c.Col[k]
			if at := int(place[l]) - 1; at >= 0 && at < len(list) && list[at] == l {
				w.Col, w.Val = append(w.Col, at), append(w.Val, c.Blk[k][:]...)
				continue
			}
			u := num.MulVec3(&c.Blk[k], &r[l])
			for a := range q {
				q[a] += u[a]
			}
		}
		w.Ptr = append(w.Ptr, len(w.Col))
		copy(p.Q[3*i:], q[:])
		copy(start[3*i:], r[j][:])
		var l law.Law = law.Coulomb{Mu: c.Mu[j]}
		switch c.Kind[j] {
		case form.KindFrictionless:
			l = law.Frictionless{}
		case form.KindBilateral:
			l = law.Bilateral{}
		}
		p.Laws = append(p.Laws, l)
	}
	return p, start
}

// regional reports whether there are regions to look for, of laws that are the same in
// scaled units.
func (s *localRun) regional() bool { return s.large() && !s.c.Plane && s.c.separable() }
