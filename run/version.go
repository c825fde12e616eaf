package run

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/quasistatic/quasistatic/internal/processor"
)

// devel is the version of a build that no version control stamped: by go run, by go test, and in
// a worktree of Git, whose .git is no folder (golang.org/issue/58218).
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

// program is the beginning of the SHA-256 of the running program. One that cannot be read is
// told from all others, this one in another process too.
func program() string {
	f, err := os.Open("/proc/self/exe") // what runs, though another one may have taken its name
	if err != nil {
		name, _ := os.Executable() // no name: it cannot be opened
		f, err = os.Open(name)
	}
	if err != nil {
		return rand.Text()
	}
	defer f.Close() // read only
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return rand.Text()
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
