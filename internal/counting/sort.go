// Package counting sorts small integer keys in linear time.
package counting

// Order returns the positions of key in ascending, stable order of their keys,
// which are in [0, n). It costs O(n + len(key)).
func Order(n int, key []int32) []int32 {
	start := make([]int, n+1)
	for _, k := range key {
		start[k+1]++
	}
	for k := range n {
		start[k+1] += start[k]
	}
	order := make([]int32, len(key))
	for p, k := range key {
		order[start[k]] = int32(p)
		start[k]++
	}
	return order
}
