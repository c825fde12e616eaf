// Command engine builds the engine of a page, which playground and site take:
//
//	go run ./scripts/engine [DIR]
//
// The folder, quasistatic-engine without DIR, gets engine.wasm.gz and wasm_exec.js.
package main

import (
	"fmt"
	"os"

	"github.com/quasistatic/quasistatic/internal/release"
)

func main() {
	dir := release.EngineFolder
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := release.BuildEngine(dir); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}
