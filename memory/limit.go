package memory

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// assumed is taken to be free where the system does not tell: 4 GiB.
const assumed = 4 << 30

// Limit is what a computation may take, and who says so.
type Limit struct {
	Bytes  int64
	Source string // for messages: "free on this machine", "the key solver.memory"
}

func (l Limit) String() string { return Format(l.Bytes) + ", " + l.Source }

// Check fails with an *[ExceededError] if the estimate exceeds the limit.
func (l Limit) Check(need Estimate, advice string) error {
	if need.Total() <= l.Bytes {
		return nil
	}
	return &ExceededError{Need: need, Limit: l, Advice: advice}
}

// Free returns the memory that is left: the least of what the machine, the
// control groups of the process and the memory limit of the Go runtime leave.
func Free() Limit { return free("/proc", "/sys/fs/cgroup", runtimeLeft()) }

// free reads the pseudo file systems that are mounted at the paths.
func free(proc, groups string, runtimeLeft int64) Limit {
	l := Limit{Bytes: math.MaxInt64}
	least := func(bytes int64, ok bool, source string) {
		if ok && bytes < l.Bytes {
			l = Limit{max(bytes, 0), source}
		}
	}
	kB, ok := field(filepath.Join(proc, "meminfo"), "MemAvailable:")
	least(Product(kB, 1024), ok, "free on this machine")
	for _, g := range controlGroups(proc, groups) {
		left, ok := groupLeft(g)
		least(left, ok, "free in the control group of this process")
	}
	least(runtimeLeft, runtimeLeft < math.MaxInt64, "left of GOMEMLIMIT")
	if l.Bytes == math.MaxInt64 {
		return Limit{assumed, "assumed to be free"}
	}
	return l
}

// runtimeLeft is what the memory limit of the runtime leaves, or the largest
// int64 without one.
func runtimeLeft() int64 {
	limit := debug.SetMemoryLimit(-1) // reads only
	if limit == math.MaxInt64 {
		return limit
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return max(0, limit-int64(m.HeapAlloc))
}

// group is a directory with the accounts of a control group.
type group struct{ max, current, stat, reclaimable string }

// controlGroups returns those of the process and all above, of both versions of
// the interface; a limit holds for all below.
func controlGroups(proc, root string) []group {
	text, err := os.ReadFile(filepath.Join(proc, "self/cgroup"))
	if err != nil {
		return nil
	}
	var list []group
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		if len(part) != 3 {
			continue
		}
		base, names := root, group{"memory.max", "memory.current", "memory.stat", "inactive_file"}
		switch {
		case part[1] == "": // version 2
		case strings.Contains(","+part[1]+",", ",memory,"):
			base, names = filepath.Join(root, "memory"),
				group{"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file"}
		default:
			continue
		}
		for dir := path.Clean("/" + part[2]); ; dir = path.Dir(dir) { // of slashes, on any system
			at := filepath.Join(base, dir)
			list = append(list, group{filepath.Join(at, names.max), filepath.Join(at, names.current),
				filepath.Join(at, names.stat), names.reclaimable})
			if dir == "/" {
				break
			}
		}
	}
	return list
}

// unlimited is more than any machine has: version 1 of control groups says the largest number
// of pages where there is no limit [byte].
const unlimited = 1 << 60

// groupLeft returns limit − usage, without the file cache that the kernel gives
// up first. A group without a limit, "max", is not ok.
func groupLeft(g group) (bytes int64, ok bool) {
	limit, ok := number(g.max)
	if !ok || limit >= unlimited {
		return 0, false
	}
	used, ok := number(g.current)
	if !ok {
		return 0, false
	}
	cache, _ := field(g.stat, g.reclaimable)
	return limit - max(0, used-cache), true
}

// number reads a file that holds one whole number.
func number(file string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil && n >= 0
}

// field reads the number after a word at the beginning of a line.
func field(file, word string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] != word {
			continue
		}
		n, err := strconv.ParseInt(f[1], 10, 64)
		return n, err == nil && n >= 0
	}
	return 0, false
}

// Peak returns the largest resident set of this process so far [byte]; where the
// system does not tell, what the Go runtime took from it.
func Peak() int64 {
	if kB, ok := field("/proc/self/status", "VmHWM:"); ok {
		return Product(kB, 1024)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
