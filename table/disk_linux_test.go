package table

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
)

// TestDiskFull exports to a file system of 64 kB.
func TestDiskFull(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no small file system can be had: %v", err)
	}
	defer func() { _ = syscall.Unmount(small, 0) }()
	run := motionRun(t, 1500)
	for _, format := range []Format{CSV, NPZ, Parquet, VTU} {
		_, err := run.Export(context.Background(), format, ExportOptions{To: small})
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: error %v, want no space left", format, err)
		}
		if left, _ := os.ReadDir(small); len(left) > 0 {
			t.Errorf("%s left %v", format, left)
		}
	}
}
