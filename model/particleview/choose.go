package particleview

import "sort"

// blurred is the range of a coordinate, relative to the largest one, that is rounding: a particle
// that rollers hold moves by 1e-16 of its place.
const blurred = 1e-12

// travel returns the largest range of a coordinate of the k-th sampled particle,
// and the coordinate; 0 if that is rounding.
func (r *recorder) travel(k int) (most float64, axis int) {
	size := 0.0
	for c := posX; c <= posZ; c++ {
		low, high := r.of(k, c).Extremes()
		size = max(size, -low, high)
	}
	for c := posX; c <= posZ; c++ {
		if e := r.of(k, c).Extent(); e > max(most, blurred*size) {
			most, axis = e, c
		}
	}
	return most, axis
}

// alike is the difference of the ways of two particles, relative to the longest
// one, below which the second is not drawn.
const alike = 0.02

// choose returns at most n of the sampled particles that move, those that move
// most first, none like another; the first one if nothing moves.
func (r *recorder) choose(n int) []int { return r.chooseOf(n, func(int) bool { return true }) }

// chooseOf chooses among those wanted; among all if that is none.
func (r *recorder) chooseOf(n int, wanted func(k int) bool) []int {
	type candidate struct {
		k   int
		way float64
	}
	var list []candidate
	for k := range r.sample {
		if wanted(k) {
			way, _ := r.travel(k)
			list = append(list, candidate{k, way})
		}
	}
	if list == nil {
		return r.choose(n)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].way > list[j].way })
	longest := list[0].way
	var chosen []int
	last := 0.0
	for _, c := range list {
		if len(chosen) > 0 && (last-c.way <= alike*longest || c.way <= alike*longest) {
			continue
		}
		chosen, last = append(chosen, c.k), c.way
		if len(chosen) == n {
			break
		}
	}
	return chosen
}

// axis returns the coordinate with the largest range among particles.
func (r *recorder) axis(chosen []int) int {
	best, axis := 0.0, posX
	for _, k := range chosen {
		if way, c := r.travel(k); way > best {
			best, axis = way, c
		}
	}
	return axis
}
