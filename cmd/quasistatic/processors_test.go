package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// portableCases have all models, each a few seconds under emulation but for cattaneo-mindlin, and
// those whose sums of many products gonum has in assembly.
var portableCases = []string{"play", "block-impact", "joint-oscillation", "cradle", "impacting-bar", "carter", "cattaneo-mindlin-41", "cattaneo-mindlin", "bouncing-sphere"}

// TestProcessors runs programs built for other processors under emulation: the tables have
// the bytes of the list, which were made on amd64 with AVX2. Left out where there is no
// emulator (Debian: qemu-user).
func TestProcessors(t *testing.T) {
	thorough.Only(t, "two builds and minutes of emulation")
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("the emulators are those of Debian on amd64")
	}
	want := goldenHashes(t)
	for _, p := range []struct {
		name     string
		arch     string
		flags    []string
		emulator []string
	}{
		{"arm64", "arm64", []string{"-gcflags=all=-d=fmahash=qn"}, []string{"qemu-aarch64"}},
		{"amd64 without AVX", "amd64", nil, []string{"qemu-x86_64", "-cpu", "Nehalem"}},
	} {
		t.Run(p.name, func(t *testing.T) {
			emulator, err := exec.LookPath(p.emulator[0])
			if err != nil {
				t.Skip(err)
			}
			program := filepath.Join(t.TempDir(), "quasistatic")
			build := exec.Command("go", append(append([]string{"build"}, p.flags...), "-o", program, ".")...)
			build.Env = append(os.Environ(), "GOARCH="+p.arch, "GOAMD64=v1", "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, name := range portableCases {
				dir := filepath.Join(t.TempDir(), name)
				run := exec.Command(emulator, append(p.emulator[1:], program, "run", name, "--out", dir, "--quiet", "--no-picture")...)
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", name, err, out)
					continue
				}
				tables, err := filepath.Glob(filepath.Join(dir, "*.csv"))
				if err != nil || len(tables) == 0 {
					t.Fatalf("%s: no tables: %v", name, err)
				}
				for _, file := range tables {
					sum := sha256.Sum256([]byte(read(t, file)))
					if key := name + "/" + filepath.Base(file); want[key] != hex.EncodeToString(sum[:]) {
						t.Errorf("%s: other bytes than on amd64 with AVX2", key)
					}
				}
				if s, err := table.ReadSummary(dir); err != nil || s.Processor != processor.Rounded {
					t.Errorf("%s: %v, processor %q", name, err, s.Processor)
				}
			}
		})
	}
}
