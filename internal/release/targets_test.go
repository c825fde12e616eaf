package release_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/release"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestTargets vets all packages, and so compiles them, for each system and processor that has an
// archive, tests included.
func TestTargets(t *testing.T) {
	thorough.Only(t, "some minutes for each of six systems")
	for _, target := range release.Targets() {
		t.Run(target, func(t *testing.T) {
			system, arch, _ := strings.Cut(target, "-")
			command := exec.Command("go", "vet", "./...")
			command.Dir = "../.."
			command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0",
				"GOFLAGS="+strings.ReplaceAll(os.Getenv("GOFLAGS"), "-vet=off", ""))
			if text, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}
