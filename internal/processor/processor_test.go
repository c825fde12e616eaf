package processor

import (
	"runtime"
	"strings"
	"testing"
)

func TestKind(t *testing.T) {
	for _, c := range []struct{ arch, level, want string }{
		{"amd64", "v1", "amd64"}, {"amd64", "v2", "amd64"}, {"amd64", "", "amd64"},
		{"amd64", "v3", "amd64+fma"}, {"amd64", "v4", "amd64+fma"}, {"arm64", "", "arm64"},
	} {
		if got := kind(c.arch, c.level); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.arch, c.level, got, c.want)
		}
	}
	if !strings.HasPrefix(Kind(), runtime.GOARCH) {
		t.Errorf("this program: %q on %s", Kind(), runtime.GOARCH)
	}
}
