package release_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/release"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// linked is what the linker would write of the command: the modules of its packages.
func linked(t *testing.T) *buildinfo.BuildInfo {
	t.Helper()
	text, err := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "../../cmd/quasistatic").Output()
	if err != nil {
		t.Fatal(err)
	}
	info := &buildinfo.BuildInfo{GoVersion: runtime.Version(), Main: debug.Module{Path: "example.org/main", Version: "v1.0.0"},
		Settings: []debug.BuildSetting{{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}}}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		path, version, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && !seen[path] {
			seen[path] = true
			info.Deps = append(info.Deps, &debug.Module{Path: path, Version: version,
				Sum: "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="})
		}
	}
	if len(info.Deps) < 10 {
		t.Fatalf("%d modules", len(info.Deps))
	}
	return info
}

// TestLicences: every module that is linked has a licence that is known, its text goes with the
// program, and it stands in the list of parts.
func TestLicences(t *testing.T) {
	info := linked(t)
	parts, err := release.Licences(info)
	if err != nil {
		t.Fatal(err)
	}
	text := string(release.Notices(parts))
	list, err := release.SBOM(info, "windows-arm64", parts)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Metadata   struct{ Timestamp string }
		Components []struct {
			Name     string
			Licenses []any
			Hashes   []struct{ Content string }
		}
	}
	if err := json.Unmarshal(list, &d); err != nil {
		t.Fatal(err)
	}
	if d.Metadata.Timestamp != "2026-01-02T03:04:05Z" || len(d.Components) != len(info.Deps)+1 {
		t.Errorf("%v, %d components of %d modules and Go", d.Metadata, len(d.Components), len(info.Deps))
	}
	for k, p := range parts {
		if c := d.Components[k]; c.Name != p.Path || len(c.Licenses) != len(p.Licences) || len(p.Licences) == 0 {
			t.Errorf("%+v of %s: %v", c, p.Path, p.Licences)
		}
		if p.Path != "std" && d.Components[k].Hashes[0].Content != "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" {
			t.Errorf("%s: hash %v", p.Path, d.Components[k].Hashes)
		}
		for _, licence := range p.Texts {
			if !strings.Contains(text, strings.TrimSpace(licence)) {
				t.Errorf("%s: its licence does not go with the program", p.Path)
			}
		}
	}
	info.Deps = append(info.Deps, &debug.Module{Path: "github.com/quasistatic/absent", Version: "v0.0.0"})
	t.Setenv("GOPROXY", "off")
	if _, err := release.Licences(info); err == nil {
		t.Error("a module that is nowhere has a licence")
	}
}

func TestUnknownLicence(t *testing.T) {
	for text, want := range map[string]string{
		"Redistributions in binary form must reproduce the above\n * copyright notice": "BSD-2-Clause",
		"                 Apache License\n           Version 2.0, January 2004":        "Apache-2.0",
		"All rights reserved.": "",
		"":                     "",
	} {
		dir := t.TempDir()
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p := release.Part{Path: "example.org/m"}
		if err := p.Read(dir); (err == nil) != (want != "") || want != "" && !slices.Equal(p.Licences, []string{want}) {
			t.Errorf("%q is %q, %v, want %q", text, p.Licences, err, want)
		}
	}
}

// TestArchives: what is packed comes out, programs may be run, and the bytes hang on nothing else.
func TestArchives(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	members := []release.Member{{Name: "README.md", Content: []byte("read")},
		{Name: "sub/program", Content: []byte{0, 1, 2}, Program: true}}
	var packed, again, zips bytes.Buffer
	for _, err := range []error{release.Tarball(&packed, "base", members, at),
		release.Tarball(&again, "base", members, at), release.Zipped(&zips, "base", members, at)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(packed.Bytes(), again.Bytes()) {
		t.Error("two archives of the same files differ")
	}
	z, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for _, m := range members {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || h.Name != "base/"+m.Name || !bytes.Equal(content, m.Content) ||
			(h.Mode&0o111 != 0) != m.Program || !h.ModTime.Equal(at) || h.Uname != "" {
			t.Errorf("%+v %q: %v", h, content, err)
		}
	}
	zr, err := zip.NewReader(bytes.NewReader(zips.Bytes()), int64(zips.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for k, f := range zr.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || f.Name != "base/"+members[k].Name || !bytes.Equal(content, members[k].Content) || !f.Modified.Equal(at) {
			t.Errorf("%+v %q: %v", f.FileHeader, content, err)
		}
	}
}

// TestSameBytes makes the release of this machine's target twice, from two clones in two folders:
// the checksums are the same, and the archive has all that it should.
func TestSameBytes(t *testing.T) {
	thorough.Only(t, "four builds of the program")
	var sums []string
	files := 2 // the archive and the list of what is inside
	if runtime.GOOS == "linux" {
		files++ // the image
	}
	for range 2 {
		clone := filepath.Join(t.TempDir(), "clone")
		if text, err := exec.Command("git", "clone", "-q", "../..", clone).CombinedOutput(); err != nil {
			t.Skipf("no clone can be made: %v\n%s", err, text)
		}
		command := exec.Command("go", "run", "./scripts/release", "-target", runtime.GOOS+"-"+runtime.GOARCH, "dist")
		command.Dir = clone
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		text, err := os.ReadFile(filepath.Join(clone, "dist", "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(text))
		check := exec.Command("sha256sum", "-c", "SHA256SUMS")
		check.Dir = filepath.Join(clone, "dist")
		if text, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		listed, err := exec.Command("sh", "-c", `tar -tzf "$0"/*.tar.gz`, check.Dir).CombinedOutput()
		for _, name := range []string{"quasistatic", "quasistatic.1", "completions/_quasistatic", "LICENSES.txt", "CITATION.cff",
			"quasistatic-engine/engine.wasm.gz", "quasistatic-engine/wasm_exec.js"} {
			if err != nil || !strings.Contains(string(listed), "/"+name+"\n") {
				t.Errorf("the archive has no %s (%v): %s", name, err, listed)
			}
		}
	}
	if sums[0] != sums[1] || strings.Count(sums[0], "\n") != files {
		t.Errorf("%s\n%s", sums[0], sums[1])
	}
}
