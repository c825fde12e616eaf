package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
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

// resize gives the file system in a folder another size.
func resize(t *testing.T, dir, size string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size="+size); err != nil {
		t.Fatal(err)
	}
}

// grain is the unit of space of a tmpfs [bytes].
const grain = 4096

// TestDiskFull runs cases, one of each model with QUASISTATIC_LONG, on disks of growing sizes, so
// that space ends at every stage: with the case, in the steps, at a checkpoint, with pictures,
// format, summary or report. Every fault is told, nothing half-written has a final name, and once
// there is room the run goes on to the same bytes.
func TestDiskFull(t *testing.T) {
	long := thorough.Asked()
	for _, k := range killed {
		if !long && k.name != "play" && k.name != "press-and-drag" && k.name != "braking-point" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(unexpecting(read(t, small(k.name))), k.old, k.new, 1)
			if !long {
				text = strings.Replace(text, `"steps": 200`, `"steps": 25`, 1) // what is longer is there to be killed
			}
			fills(t, write(t, text, t.TempDir(), "case.json"), long || k.name == "play")
		})
	}
}

// fills compares a run, with pictures or without, with ones that find no space.
func fills(t *testing.T, file string, pictures bool) {
	whole := filepath.Join(t.TempDir(), "whole")
	begin := func(args ...string) []string {
		if !pictures {
			args = append(args, "--no-picture")
		}
		return append(args, "--quiet", "--report")
	}
	mustRun(t, begin("run", file, "--out", whole)...)
	disk := tiny(t, "64m")
	count := 2
	switch {
	case thorough.Asked():
		count = 60
	case pictures:
		count = 3 // of one case, in the midst of them
	}
	most := (size(t, whole) + grain - 1) / grain
	for i := range count {
		resize(t, disk, fmt.Sprint(grain*max(2, most*i/count)))
		out := filepath.Join(disk, "out")
		code, _, stderr := qs(begin("run", file, "--out", out, "--checkpoint", "2ms")...)
		if code != exitFailed || !strings.Contains(stderr, "no space left") {
			t.Errorf("%d of %d: exit %d\n%s", i, count, code, stderr)
		}
		sound(t, out, whole)
		resize(t, disk, "64m")
		args := begin("run", "--resume", out)
		if _, err := os.Stat(filepath.Join(out, table.CaseFile)); err != nil {
			args = begin("run", file, "--out", out)
		}
		mustRun(t, args...)
		sameRun(t, out, whole)
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
}

// size is what the files of a folder take [bytes].
func size(t *testing.T, dir string) (sum int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		sum += (int(info.Size()) + grain - 1) / grain * grain
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// sound checks that a run that found no space does not pretend to be complete, and
// that what is put in place as a whole is whole or not there.
func sound(t *testing.T, out, whole string) {
	t.Helper()
	if s, err := table.ReadSummary(out); err == nil && s.Status == table.Done {
		if _, err := os.Stat(filepath.Join(out, table.ReportFile)); err == nil {
			t.Error("a run that found no space is complete, with a report")
		}
	}
	parts, _ := filepath.Glob(filepath.Join(out, ".*")) // the pattern is right
	if len(parts) > 0 {
		t.Errorf("left behind: %v", parts)
	}
	for _, name := range []string{table.CaseFile, table.ReportFile, "trajectory.npz", "trajectory.pvd"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err == nil && cost.ReplaceAllString(string(text), "") != cost.ReplaceAllString(read(t, whole, name), "") {
			t.Errorf("%s has %d bytes, but is not whole", name, len(text))
		}
	}
	for _, name := range []string{"overview.svg", "overview.png"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if ending := map[string]string{".svg": "</svg>\n", ".png": "IEND\xaeB`\x82"}[filepath.Ext(name)]; err == nil &&
			!strings.HasSuffix(string(text), ending) {
			t.Errorf("%s has %d bytes, but is not whole", name, len(text))
		}
	}
}

// TestDiskFullOtherCommands: what else writes says so, and leaves nothing.
func TestDiskFullOtherCommands(t *testing.T) {
	t.Parallel()
	whole, _ := finished(t, "play")
	dir := tiny(t, "32k")
	problem := write(t, planeProblem, t.TempDir(), "a.dat")
	fill := func() { // to the last byte
		f, err := os.Create(filepath.Join(dir, "filler"))
		for err == nil {
			_, err = f.Write(make([]byte, grain))
		}
		_ = f.Close() // the disk is full, as wanted
	}
	fill()
	for _, args := range [][]string{
		{"export", whole, "--format", "npz", "--out", dir}, {"export", whole, "--format", "vtu", "--out", dir},
		{"export", whole, "--format", "parquet", "--out", dir}, {"export", whole, "--format", "csv", "--out", dir},
		{"report", whole, "--out", filepath.Join(dir, "r.html")}, {"film", whole, "--out", filepath.Join(dir, "f.svg")},
		{"compare", "--column", "p.n", "--out", filepath.Join(dir, "c.svg"), whole},
		{"converge", "klarbring", "--levels", "2", "--out", dir}, {"converge", "braking-point", "--levels", "2", "--out", dir},
		{"converge", "slider-crank", "--levels", "2", "--steps", "100", "--out", dir},
		{"film", whole, "--out", filepath.Join(dir, "f.gif")},
		{"init", filepath.Join(dir, "starter")}, {"solve", problem, "--out", dir},
	} {
		code, _, stderr := qs(args...)
		left, _ := os.ReadDir(dir)
		if code != exitFailed || !strings.Contains(stderr, "no space left") || len(left) > 1 {
			t.Errorf("%v: exit %d, left %v\n%s", args, code, left, stderr)
		}
	}
}
