package release_test

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/quasistatic/quasistatic/internal/release"
)

// TestImage: what is packed is read back as an image that is whole, with a program for each
// architecture, for who is no root; the same programs make the same bytes.
func TestImage(t *testing.T) {
	programs := map[string][]byte{"amd64": []byte("\x7fELF of one"), "arm64": []byte("\x7fELF of another")}
	var first, again bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &again} {
		if err := release.Image(b, programs, []byte("licences"), "1.2.3", time.Unix(1e9, 0).UTC()); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Error("the same programs make other bytes")
	}
	dir := t.TempDir()
	for name, content := range filesOf(t, &first) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != len(programs) {
		t.Fatalf("%v (%v)", manifest, err)
	}
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		c, err := image.ConfigFile()
		if err != nil || c.Architecture != m.Platform.Architecture || c.OS != "linux" || c.Config.User != "1000:1000" ||
			len(c.Config.Entrypoint) != 1 {
			t.Errorf("%+v (%v)", c, err)
		}
		checkRoot(t, image, programs[m.Platform.Architecture])
	}
}

// filesOf are the files of a tar.
func filesOf(t *testing.T, from io.Reader) map[string][]byte {
	t.Helper()
	list := map[string][]byte{}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if list[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func checkRoot(t *testing.T, image v1.Image, program []byte) {
	t.Helper()
	root := mutate.Extract(image)
	defer root.Close()
	modes := map[string]int64{}
	for r := tar.NewReader(root); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		modes[filepath.Clean(h.Name)] = h.Mode & 0o7777
		if content, _ := io.ReadAll(r); h.Name == "quasistatic" && !bytes.Equal(content, program) {
			t.Errorf("the program is %q, want %q", content, program)
		}
	}
	if modes["quasistatic"] != 0o755 || modes["tmp"] != 0o1777 || modes["work"] != 0o755 || modes["LICENSES.txt"] != 0o644 {
		t.Errorf("the modes are %v", modes)
	}
}
