// Package processor names what the last digits of a result depend on.
//
// Go's compiler rounds each operation on amd64, whatever the processor: the dense
// kernels of internal/factor have the same bits with and without AVX2 and AVX-512 (math.FMA in
// the place of the vector instruction). Where
// a program is built for GOAMD64=v3 or higher, and on arm64, ppc64, riscv64 and s390x,
// the compiler fuses x*y + z, with one rounding for two, and then the last digits differ.
// A build of all packages that is told not to fuse,
//
//	go build -gcflags=all=-d=fmahash=qn ./cmd/quasistatic
//
// has the bits of amd64 on any architecture: the same bytes in all tables, as the long tests show
// for arm64. Exponentials and logarithms, which package math has in assembly, are those of
// internal/elementary; gonum's scalar products of more than four numbers, which its assembly for
// amd64 adds in another order than its Go code, are added in that order everywhere: the command
// puts elementary.BLAS in the place of gonum's where it is not built for amd64. A library on
// another processor has these bits if it does so too. Whether a build fuses or not, its results are
// the same on each run and at any number of workers.
package processor

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Rounded is the kind of programs that round each operation.
const Rounded = "rounded"

// Kind returns the name of the programs that give the same bits: [Rounded], or where the
// compiler was allowed to fuse, the architecture with "+fma". A run that goes on with
// another kind has other last digits from there.
func Kind() string { return kindOfBuild() }

var kindOfBuild = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return kind(runtime.GOARCH, nil)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return kind(runtime.GOARCH, settings)
})

// kind judges by the settings of a build.
func kind(arch string, settings map[string]string) string {
	fuses := arch != "386" && arch != "arm" && arch != "wasm" // these have no such instruction
	if level := settings["GOAMD64"]; arch == "amd64" {
		fuses = level == "v3" || level == "v4"
	}
	for _, flag := range strings.Fields(settings["-gcflags"]) {
		if flag == "all=-d=fmahash=qn" || flag == "all=-d=fmahash=n" {
			fuses = false
		}
	}
	if fuses {
		return arch + "+fma"
	}
	return Rounded
}
