package processor

import (
	"runtime"
	"testing"
)

func TestKind(t *testing.T) {
	for _, c := range []struct{ arch, level, flags, want string }{
		{"amd64", "v1", "", Rounded}, {"amd64", "v2", "", Rounded}, {"amd64", "", "", Rounded},
		{"amd64", "v3", "", "amd64+fma"}, {"amd64", "v4", "", "amd64+fma"}, {"arm64", "", "", "arm64+fma"},
		{"riscv64", "", "-N", "riscv64+fma"},
		{"arm64", "", "all=-d=fmahash=qn", Rounded}, {"amd64", "v3", "all=-d=fmahash=n", Rounded},
		{"arm64", "", "-d=fmahash=qn", "arm64+fma"}, // of one package: the others fuse
	} {
		if got := kind(c.arch, map[string]string{"GOAMD64": c.level, "-gcflags": c.flags}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if runtime.GOARCH == "amd64" && Kind() != Rounded && Kind() != "amd64+fma" {
		t.Errorf("this program: %q", Kind())
	}
}
