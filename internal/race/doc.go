// Package race tells tests whether the race detector is on. Under it sync.Pool
// drops a quarter of what it is given, on purpose and at random, so that code which
// keeps its scratch memory in a pool allocates; and the detector may allocate
// itself. Assertions about allocations ask [Enabled] and are left to the pass
// without it.
package race
