package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
)

// inputsOf is how many inputs one process makes: what a process takes to start is little of that.
const inputsOf = 500

// judged are inputs that all commands were tried with, in process, by TestOracle of
// cmd/quasistatic.
type judged struct {
	program, scratch, dir, keep string
	seed                        uint64
	sync.Mutex
	broken, made int
}

// memoryDir is a folder of a file system in memory, or "": that of temporary files.
func memoryDir() string {
	shared := "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}

// oracle makes inputs from one number to another in some processes at a time, from the folder of
// the module.
func oracle(ctx context.Context, w io.Writer, seed, from, to uint64, jobs int, keep string) error {
	scratch, err := os.MkdirTemp(memoryDir(), "oracle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) // of this process alone
	j := &judged{program: filepath.Join(scratch, "judge"), scratch: scratch, dir: "cmd/quasistatic", seed: seed}
	if j.keep, err = filepath.Abs(keep); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", j.program, "./"+j.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	ranges := make(chan [2]uint64)
	var all sync.WaitGroup
	for range max(1, jobs) {
		all.Go(func() {
			for r := range ranges {
				j.make(ctx, w, r[0], r[1])
			}
		})
	}
	for ; from < to && ctx.Err() == nil; from += inputsOf {
		ranges <- [2]uint64{from, min(to, from+inputsOf)}
	}
	close(ranges)
	all.Wait()
	fmt.Fprintf(w, "%d inputs of seed %d by the oracle; %d broke it\n", j.made, seed, j.broken)
	if j.broken > 0 {
		return fmt.Errorf("%d inputs broke it, see %s", j.broken, j.keep)
	}
	return ctx.Err()
}

var (
	wrongInput = regexp.MustCompile(`(?m)^.*input (\d+): .*$`)
	fatalInput = regexp.MustCompile(`oracle: input (\d+) of`)
	endOfRange = regexp.MustCompile(`(?m)\d+ inputs of seed .*$`)
)

// make makes a range, and goes on after an input that hangs or kills the process.
func (j *judged) make(ctx context.Context, w io.Writer, from, to uint64) {
	for from < to && ctx.Err() == nil {
		c := exec.CommandContext(ctx, j.program, "-test.run=^TestOracle$", "-test.timeout=0", "-test.v")
		c.Dir = j.dir
		// Folders are small and many: to sync them to a disk takes half of the time; and so is the heap.
		c.Env = append(os.Environ(), "TMPDIR="+j.scratch, "GOGC=400",
			fmt.Sprintf("QUASISTATIC_ORACLE=%d:%d:%d", j.seed, from, to), "QUASISTATIC_KEEP="+j.keep)
		out, _ := c.CombinedOutput() // what it says tells how it ended
		end := endOfRange.Find(out)
		next, ended := to, end != nil
		j.Lock()
		if ended {
			fmt.Fprintf(w, "%s\n", end) // with how they ended, and how far the oracle has come
		}
		for _, m := range wrongInput.FindAllSubmatch(out, -1) {
			j.broken++
			fmt.Fprintf(w, "%s\n", m[0])
		}
		if !ended && ctx.Err() == nil {
			j.broken++
			if m := fatalInput.FindSubmatch(out); m != nil {
				if n, err := strconv.ParseUint(string(m[1]), 10, 64); err == nil && n >= from {
					next = n + 1
				}
			}
			fmt.Fprintf(w, "inputs %d to %d: the process died: %.500s\n", from, next-1, out)
		}
		if ended || ctx.Err() == nil {
			j.made += int(next - from)
		}
		j.Unlock()
		from = next
	}
}
