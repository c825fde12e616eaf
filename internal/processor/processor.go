// Package processor names what the last digits of a result depend on.
//
// Go's compiler rounds each operation on amd64, whatever the processor: the dense
// kernels of internal/factor have the same bits with and without AVX2 (math.FMA in
// the place of the vector instruction), gonum's use SSE2 alone. Where a program is
// built for GOAMD64=v3 or higher, and on arm64, ppc64, riscv64 and s390x, it fuses
// x*y + z, and gonum's sums go another way than its assembly on amd64. Results are
// then the same on each run and at any number of workers, but not those of amd64.
package processor

import (
	"runtime"
	"runtime/debug"
)

// Kind returns the name of the processors on which this program gives the same bits:
// the architecture, with "+fma" where the compiler was allowed to fuse on amd64. A
// run that goes on with another kind has other last digits from there.
func Kind() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return kind(runtime.GOARCH, "")
	}
	for _, s := range info.Settings {
		if s.Key == "GOAMD64" {
			return kind(runtime.GOARCH, s.Value)
		}
	}
	return kind(runtime.GOARCH, "")
}

func kind(arch, level string) string {
	if arch == "amd64" && (level == "v3" || level == "v4") {
		return arch + "+fma"
	}
	return arch
}
