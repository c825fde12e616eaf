package main

import (
	"cmp"
	"maps"
	"slices"
)

// backwards are the arrows that run back in an order of their ends with few of them. To find the
// fewest is hard (a minimum feedback arc set); here the order begins with what most arrows leave,
// and each end is moved to its best place as long as that spares an arrow.
func backwards(arrows map[[2]string]bool) []string {
	degree := map[string]int{}
	for a := range arrows {
		degree[a[0]]++
		degree[a[1]]--
	}
	order := slices.SortedFunc(maps.Keys(degree), func(a, b string) int {
		if d := degree[b] - degree[a]; d != 0 {
			return d
		}
		return cmp.Compare(a, b)
	})
	for better := true; better; {
		better = false
		for _, x := range slices.Clone(order) {
			i := slices.Index(order, x)
			if j := bestPlace(order, i, arrows); j != i {
				order = slices.Insert(slices.Delete(order, i, i+1), j, x)
				better = true
			}
		}
	}
	place := map[string]int{}
	for i, x := range order {
		place[x] = i
	}
	var back []string
	for a := range arrows {
		if place[a[0]] > place[a[1]] {
			back = append(back, a[0]+" → "+a[1])
		}
	}
	slices.Sort(back)
	return back
}

// bestPlace is where the i-th of the order would have the fewest arrows that run back: i itself
// unless another place is truly better.
func bestPlace(order []string, i int, arrows map[[2]string]bool) int {
	x, best, least := order[i], i, 0
	gain := func(y string, down bool) int { // of moving x below y, or above it
		d := 0
		if arrows[[2]string{x, y}] {
			d++
		}
		if arrows[[2]string{y, x}] {
			d--
		}
		if down {
			return d
		}
		return -d
	}
	for j, sum := i+1, 0; j < len(order); j++ {
		if sum += gain(order[j], true); sum < least {
			best, least = j, sum
		}
	}
	for j, sum := i-1, 0; j >= 0; j-- {
		if sum += gain(order[j], false); sum < least {
			best, least = j, sum
		}
	}
	return best
}
