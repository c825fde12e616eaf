package memory

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestEstimate(t *testing.T) {
	var e Estimate
	e.Add("factor", 3e9)
	e.Add("stiffness", 1e9)
	e.Add("factor", 1e9)
	e.Add("nothing", -5)
	e.Join(Estimate{Parts: []Part{{"stiffness", 5e8}}})
	if e.Total() != 5.5e9 {
		t.Errorf("total %d", e.Total())
	}
	if got, want := e.String(), "5.5 GB (factor 4 GB, stiffness 1.5 GB)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.Add("absurd", math.MaxInt64)
	if e.Total() != math.MaxInt64 {
		t.Errorf("total %d does not saturate", e.Total())
	}
}

func TestProduct(t *testing.T) {
	for _, test := range []struct {
		factors []int64
		want    int64
	}{
		{nil, 1}, {[]int64{7, 6}, 42}, {[]int64{1 << 31, 1 << 31, 2}, math.MaxInt64},
		{[]int64{1 << 62, 2}, math.MaxInt64}, {[]int64{math.MaxInt64, math.MaxInt64}, math.MaxInt64},
		{[]int64{math.MaxInt64, 0}, 0}, {[]int64{1 << 31, 1 << 31}, 1 << 62},
	} {
		if got := Product(test.factors...); got != test.want {
			t.Errorf("%v: %d, want %d", test.factors, got, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	var e Estimate
	e.Add("factor", 200)
	if err := (Limit{200, "given"}).Check(e, ""); err != nil {
		t.Error(err)
	}
	err := Limit{199, "the key solver.memory"}.Check(e, "take a coarser mesh")
	if _, ok := errors.AsType[*ExceededError](err); !ok ||
		!strings.Contains(err.Error(), "200 B of memory, more than 199 B, the key solver.memory; take a coarser mesh") {
		t.Error(err)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{"4GB": 4e9, "512MiB": 512 << 20, "1.5 GB": 15e8, "100": 100, "7B": 7, "1e9": 1e9,
		"2kB": 2000, "1KiB": 1024, "1TiB": 1 << 40, "3 TB": 3e12, "1e300GB": math.MaxInt64} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-4GB", "0", "4 gigabytes", "nan", "inf", "0x10", "4GBB", "1_0", "0.1B", "four", "4GB4"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %d, want an error", text, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 999999: "1 MB", 12e6: "12 MB",
		4294967296: "4.29 GB", 5e15: "5000 TB", math.MaxInt64: "more than 9.22 EB"} {
		if got := Format(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFree(t *testing.T) {
	const meminfo = "MemTotal:       24000 kB\nMemAvailable:   20000 kB\n"
	for _, test := range []struct {
		name    string
		files   map[string]string
		runtime int64
		want    int64
		source  string
	}{
		{"nothing known", nil, math.MaxInt64, assumed, "assumed"},
		{"the machine", map[string]string{"proc/meminfo": meminfo}, math.MaxInt64, 20000 << 10, "machine"},
		{"no limit of the group", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/a/b/memory.max": "max\n", "sys/a/b/memory.current": "5\n"},
			math.MaxInt64, 20000 << 10, "machine"},
		{"a group above", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/a/memory.max": "10000\n", "sys/a/memory.current": "7000\n",
			"sys/a/memory.stat": "anon 5000\ninactive_file 1500\n"}, math.MaxInt64, 4500, "group"},
		{"the root of a container", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n",
			"sys/memory.max": "9000\n", "sys/memory.current": "2000\n"}, math.MaxInt64, 7000, "group"},
		{"version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "9:cpu,cpuacct:/x\n4:memory:/x\n",
			"sys/memory/x/memory.limit_in_bytes": "8000\n",
			"sys/memory/x/memory.usage_in_bytes": "9000\n", "sys/memory/x/memory.stat": "total_inactive_file 500\n"},
			math.MaxInt64, 0, "group"},
		{"version 1 without a limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/x\n",
			"sys/memory/x/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/memory/x/memory.usage_in_bytes": "9223372036854000000\n"}, math.MaxInt64, 20000 << 10, "machine"},
		{"the runtime", map[string]string{"proc/meminfo": meminfo}, 100, 100, "GOMEMLIMIT"},
		{"spoilt files", map[string]string{"proc/meminfo": "MemAvailable: many kB\n",
			"proc/self/cgroup": "nonsense\n::\n"}, math.MaxInt64, assumed, "assumed"},
	} {
		dir := tree(t, test.files)
		got := free(filepath.Join(dir, "proc"), filepath.Join(dir, "sys"), test.runtime)
		if got.Bytes != test.want || !strings.Contains(got.Source, test.source) {
			t.Errorf("%s: %d, %s, want %d, %s", test.name, got.Bytes, got.Source, test.want, test.source)
		}
	}
}

// The resident set has seen what the heap holds now.
// TestBudget: what is taken at once is never more than there is; what would take more has
// all to itself; who waits is let go with its context.
func TestBudget(t *testing.T) {
	b := NewBudget(Limit{Bytes: 10})
	give, err := b.Take(t.Context(), 1e18)
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Take(stopped, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("taken twice: %v", err)
	}
	give()
	var at, most atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				give, err := b.Take(t.Context(), 4)
				if err != nil {
					t.Error(err)
					return
				}
				if n := at.Add(4); n > most.Load() {
					most.Store(n)
				}
				at.Add(-4)
				give()
			}
		})
	}
	all.Wait()
	if most.Load() > 8 {
		t.Errorf("%d taken at once, want at most 8 of 10 by fours", most.Load())
	}
	var none *Budget
	if give, err = none.Take(stopped, 1e18); err != nil {
		t.Error(err)
	}
	give()
}

func TestPeak(t *testing.T) {
	block := make([]byte, 64<<20)
	for i := range block {
		block[i] = 1
	}
	if p := Peak(); p < 64<<20 {
		t.Errorf("peak %d after 64 MiB", p)
	}
	runtime.KeepAlive(block)
	if f := Free(); f.Bytes <= 0 || f.Source == "" {
		t.Errorf("free: %v", f)
	}
}
