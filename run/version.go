package run

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/quasistatic/quasistatic/internal/processor"
)

// devel is the version of a build that no version control stamped: go run, go test.
const devel = "devel"

// Version is that of the program: of its module, with the revision that it was built
// from, and "+dirty" where files were changed since.
var Version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return devel
	}
	return info.Main.Version
})

// build is what checkpoints are stamped with: who goes on with a run has to compute the
// same digits: the same program, of the same kind of rounding (see internal/processor). A
// version without a revision of its own is told from others by the bytes of the program.
var build = sync.OnceValue(func() string {
	v, kind := Version(), processor.Kind()
	if v != devel && !strings.HasSuffix(v, "+dirty") {
		return v + " " + kind
	}
	return v + " " + kind + " " + program()
})

// program is the beginning of the SHA-256 of the running program, "unknown" if it cannot
// be read.
func program() string {
	const unknown = "unknown"
	name, err := os.Executable()
	if err != nil {
		return unknown
	}
	f, err := os.Open(name)
	if err != nil {
		return unknown
	}
	defer f.Close() // read only
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return unknown
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
