package release

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// EngineFiles are the files of the engine of a page: the program, packed by gzip, which browsers
// unpack, and what starts it, of the same Go.
var EngineFiles = []string{"engine.wasm.gz", "wasm_exec.js"}

// EngineFolder is where they are, beside the program.
const EngineFolder = "quasistatic-engine"

// BuildEngine builds the engine of a page from the sources that the working folder is in, and leaves
// its files in a folder.
func BuildEngine(dir string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("release: go env GOROOT: %w", err)
	}
	start, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", EngineFiles[1]))
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "engine-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	name := filepath.Join(scratch, "engine.wasm")
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", name, "github.com/quasistatic/quasistatic/engine/wasm")
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(program)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return err
	}
	for i, content := range [][]byte{packed.Bytes(), start} {
		if err := os.WriteFile(filepath.Join(dir, EngineFiles[i]), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
