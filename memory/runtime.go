package memory

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// leastBound is the least limit that the runtime is told [byte]: the program itself
// takes nearly as much, and would collect garbage all the time.
const leastBound = 100e6

// program is what the process takes and the runtime does not count: the pages of the program itself
// [byte]; measured.
const program = 30e6

// Bound tells the runtime a limit, so that garbage is collected before it counts,
// and returns what ends that. GOMEMLIMIT comes first; 0 is no limit.
func Bound(limit int64) (end func()) {
	if limit < leastBound || debug.SetMemoryLimit(-1) != math.MaxInt64 { // reads only
		return func() {}
	}
	debug.SetMemoryLimit(limit - program)
	return func() { debug.SetMemoryLimit(math.MaxInt64) }
}

// thrift is the garbage that a study keeps, in parts of a hundred of what lives: the runs
// of one last a millisecond, and what they leave would double the process.
const thrift = 50

// ballast is memory that is asked for and never touched: the system gives none for it [byte].
// The runtime counts it as living, so that thrift of it is kept as garbage however little
// lives: else a study of runs that take a millisecond is in collections for a sixth of its time.
const ballast = 32 << 20

// Thrifty has garbage collected earlier than the runtime would, and returns what ends that.
// GOGC comes first.
func Thrifty() func() {
	end := keep(thrift)
	if os.Getenv("GOGC") != "" || debug.SetMemoryLimit(-1) < 32*ballast { // where it would count
		return end
	}
	untouched := make([]byte, ballast)
	return func() {
		runtime.KeepAlive(untouched)
		end()
	}
}

// keep has so much garbage kept, in parts of a hundred of what lives.
func keep(share int) (end func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	first.Stop()
	before := debug.SetGCPercent(share)
	return func() { debug.SetGCPercent(before) }
}

// A run that needs large bytes or more keeps so much garbage: its memory is a few matrices
// without pointers, which cost a collection nothing, and twice them was twice what was predicted.
const (
	large   = 100e6
	ofLarge = 25
)

// Sparing is [Thrifty] for a run whose need is predicted; of a small one it changes nothing.
func Sparing(need int64) (end func()) {
	if need < large {
		return func() {}
	}
	return keep(ofLarge)
}

// Within is [Bound] for a run, and [Sparing].
func Within(limit, need int64) (end func()) {
	bounded, spared := Bound(limit), Sparing(need)
	return func() {
		spared()
		bounded()
	}
}

// leisure is the heap up to which nothing is collected, in parts of a hundred of the 4 MB
// with which the runtime begins: 32 MB, what the process has mapped anyway.
const leisure = 800

// Leisurely has the first garbage collected when the heap is 32 MB, and from then on as ever:
// a run that takes 20 ms spends a third of them in collections of next to nothing. GOGC comes
// first. It is for the begin of a process.
func Leisurely() {
	if os.Getenv("GOGC") != "" {
		return
	}
	before := debug.SetGCPercent(leisure)
	first = runtime.AddCleanup(new([64]byte), func(usual int) { debug.SetGCPercent(usual) }, before)
}

// first ends the leisure with the first collection.
var first runtime.Cleanup
