package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quasistatic/quasistatic/trajectory"
)

// tiny mounts a file system of a size, for instance 64k.
func tiny(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no small file system can be had: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	return dir
}

func TestDiskFull(t *testing.T) {
	t.Parallel()
	dir := tiny(t, "64k")
	out := filepath.Join(dir, "play")
	code, _, stderr := qs("run", small("play"), "--out", out, "--no-picture")
	if code != exitFailed || !strings.Contains(stderr, "no space left") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	if s, err := trajectory.ReadSummary(out); err == nil && s.Status == trajectory.Done {
		t.Error("the run that found no space says that it is done")
	}
	whole := filepath.Join(t.TempDir(), "play")
	mustRun(t, "run", small("play"), "--out", whole, "--quiet")
	if err := os.RemoveAll(out); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"export", whole, "--format", "npz", "--out", dir}, {"export", whole, "--format", "vtu", "--out", dir}} {
		code, _, stderr := qs(args...)
		left, _ := os.ReadDir(dir)
		if code != exitFailed || !strings.Contains(stderr, "no space left") || len(left) > 0 {
			t.Errorf("%v: exit %d, left %v\n%s", args, code, left, stderr)
		}
	}
}
