package release_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/quasistatic/quasistatic/internal/release"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestTargets checks the types of all packages, tests included, for each system and processor that has an archive
// and is not this one: what the compiler would refuse there. All comes from sources and nothing is compiled: 19 s of
// a processor for each, where go build and go vet take more than 200 s and find no more in Go without assembly.
func TestTargets(t *testing.T) {
	thorough.Only(t, "19 s of a processor for each of five systems")
	for _, target := range release.Targets() {
		if target == runtime.GOOS+"-"+runtime.GOARCH {
			continue
		}
		t.Run(target, func(t *testing.T) {
			system, arch, _ := strings.Cut(target, "-")
			list, err := packages.Load(&packages.Config{Dir: "../..", Tests: true,
				Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
					packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
				Env: append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			all := 0
			packages.Visit(list, nil, func(p *packages.Package) {
				all++
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
			if all < 500 {
				t.Errorf("%d packages were looked at", all)
			}
		})
	}
}
