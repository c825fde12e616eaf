package rigid

import "github.com/quasistatic/quasistatic/internal/vec3"

type vec = vec3.Vec

// grow returns a slice of n entries, in the memory of x if that suffices, with room for some more.
func grow[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}
