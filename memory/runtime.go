package memory

import (
	"math"
	"os"
	"runtime/debug"
)

// leastBound is the least limit that the runtime is told [byte]: the program itself
// takes nearly as much, and would collect garbage all the time.
const leastBound = 100e6

// Bound tells the runtime a limit, so that garbage is collected before it counts,
// and returns what ends that. GOMEMLIMIT comes first; 0 is no limit.
func Bound(limit int64) (end func()) {
	if limit < leastBound || debug.SetMemoryLimit(-1) != math.MaxInt64 { // reads only
		return func() {}
	}
	debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(math.MaxInt64) }
}

// thrift is the garbage that a study keeps, in parts of a hundred of what lives: the runs
// of one last a millisecond, and what they leave would double the process.
const thrift = 50

// Thrifty has garbage collected earlier than the runtime would, and returns what ends that.
// GOGC comes first.
func Thrifty() (end func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(thrift)
	return func() { debug.SetGCPercent(before) }
}
