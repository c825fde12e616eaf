package contact

import (
	"cmp"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRegionsOfSweeps: the contacts that carry 98 hundredths of the squared change of a sweep, no more of them than it takes, with
// those that W couples to them, in parts that are connected and not coupled.
func TestRegionsOfSweeps(t *testing.T) {
	most := 0
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 311))
		s := startRun(spherePile(heap(40, 2+seed%2), 0.03, 0.4, nil), 1e-9)
		c := s.c
		for range 20 {
			s.sweep(s.ws.r)
		}
		for range 3 { // what is left of a change here and there
			s.ws.r[rng.IntN(c.nc)][0] += 1
		}
		image := slices.Clone(s.ws.r)
		s.sweep(image)
		weight, order, total := make([]float64, c.nc), make([]int, c.nc), 0.0
		for j := range image {
			for k := range 3 {
				d := image[j][k] - s.ws.r[j][k]
				weight[j] += d * d
			}
			order[j] = j
			total += weight[j]
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
		want, sum := map[int32]bool{}, 0.0
		for _, j := range order {
			if sum > 0.98*total {
				break
			}
			sum += weight[j]
			for _, i := range c.col[c.ptr[j]:c.ptr[j+1]] {
				want[i] = true
			}
		}
		region, found := map[int32]int{}, 0
		lists := s.findRegions()
		for k, list := range lists {
			if !slices.IsSorted(list) {
				t.Errorf("region %v", list)
			}
			found += len(list)
			for _, j := range list {
				region[j] = k + 1
				if !want[j] {
					t.Errorf("seed %d: contact %d is in a region", seed, j)
				}
			}
			// Connected: what the first reaches is all.
			reached, stack := map[int32]bool{list[0]: true}, []int32{list[0]}
			for len(stack) > 0 {
				j := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				for _, i := range c.col[c.ptr[j]:c.ptr[j+1]] {
					if slices.Contains(list, i) && !reached[i] {
						reached[i] = true
						stack = append(stack, i)
					}
				}
			}
			if len(reached) != len(list) {
				t.Errorf("seed %d: of a region of %d its first reaches %d", seed, len(list), len(reached))
			}
		}
		if found != len(want) || len(region) != len(want) {
			t.Errorf("seed %d: %d contacts in regions, %d of them different, want %d", seed, found, len(region), len(want))
		}
		for j, k := range region {
			for _, i := range c.col[c.ptr[j]:c.ptr[j+1]] {
				if region[i] > 0 && region[i] != k {
					t.Errorf("seed %d: W couples the regions of %d and %d", seed, j, i)
				}
			}
		}
		most = max(most, len(lists))
	}
	if most < 2 {
		t.Errorf("%d regions", most)
	}
}

// TestRegionIsAProblem: with reactions elsewhere held, the motions of a region's problem are those of the whole, its laws those of
// its contacts; and where it is solved, its contacts obey their laws in the whole.
func TestRegionIsAProblem(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 312))
	p := spherePile(heap(40, 2), 0.03, 0.4, nil)
	p.Laws[1], p.Laws[4] = Frictionless{}, Bilateral{}
	s := startRun(p, 1e-9)
	c := s.c
	for j := range s.ws.r {
		s.ws.r[j] = randomVec(rng)
		s.ws.r[j][0] = math.Abs(s.ws.r[j][0])
	}
	list, place := []int32{1, 2, 4, 7, int32(c.nc - 1)}, make([]int32, c.nc)
	for i, j := range list {
		place[j] = int32(i + 1)
	}
	place[9] = 2 // of another region
	whole := make([]vec3, c.nc)
	c.velocity(whole, s.ws.r)
	part, start := c.region(list, place, s.ws.r)
	u := make([]float64, len(start))
	part.W.MulVec(u, start)
	for i, j := range list {
		for k := range 3 {
			if start[3*i+k] != s.ws.r[j][k] || math.Abs(u[3*i+k]+part.Q[3*i+k]-whole[j][k]) > 1e-13*(1+num.Norm(whole[j][:])) {
				t.Errorf("contact %d: r = %v, motion %g, want %v", j, start[3*i:3*i+3], u[3*i+k]+part.Q[3*i+k], whole[j])
			}
		}
	}
	want := []Law{Frictionless{}, Coulomb{Mu: c.mu[2]}, Bilateral{}, Coulomb{Mu: c.mu[7]}, Coulomb{Mu: c.mu[c.nc-1]}}
	if !slices.Equal(part.Laws, want) || part.W.Contacts() != len(list) {
		t.Errorf("laws %v of %d contacts, want %v", part.Laws, part.W.Contacts(), want)
	}
	size := math.Sqrt(dot3(s.ws.r, s.ws.r))
	r, steps, factors := s.solveRegion(list, place, size)
	if r == nil || steps == 0 || factors == 0 {
		t.Fatalf("%v after %d steps, %d factorisations", r, steps, factors)
	}
	for i, j := range list {
		s.ws.r[j] = vec3(r[3*i:])
	}
	c.velocity(whole, s.ws.r)
	worst := 0.0
	for i, j := range list {
		copy(u[3*i:], whole[j][:])
	}
	worst = part.UnitFreeMerit(u, r)
	// A tenth of 1e-9 times what is the larger, ‖r‖ or one, over the size of the region; scaled units may cost a digit.
	if !(worst <= 1e-9*max(size, 1)) {
		t.Errorf("a region that was solved has %g in the whole", worst)
	}
	// Solved again from there nothing gets nearer by much, and regions of regions are those of a problem that is solved.
	iterations, before := s.iterations, s.factors
	if s.solveRegions(); s.iterations == iterations || s.factors == before {
		t.Errorf("%d iterations, %d factorisations of all regions", s.iterations-iterations, s.factors-before)
	}
}
