// Command release makes what is handed out of one revision: an archive for each system and kind of
// processor, a list of what is inside each (SBOM), and checksums of all.
//
//	go run ./scripts/release [-target linux-amd64] [DIR]
//
// The folder, dist without DIR, gets
//
//	quasistatic_VERSION_SYSTEM_ARCH.tar.gz      .zip for Windows: the program, its manual page and
//	                                            completions, README, CITATION.cff, the licences,
//	                                            and the engine of pages
//	quasistatic_VERSION_SYSTEM_ARCH.cdx.json    the modules inside: CycloneDX 1.6
//	quasistatic_VERSION_oci.tar                 a container image from scratch, of those for Linux
//	SHA256SUMS                                  of all of these
//
// The same revision and the same Go make the same bytes on any machine, in any folder: paths are cut
// off (-trimpath), times in the archives are that of the revision, nothing is signed. Programs for
// arm64 are built without fused multiply-add (internal/processor says how), so that the tables of all
// six have the same bytes.
//
// A tree with changes that are in no revision is refused, unless -draft is said.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/release"
)

func main() {
	targets := release.Targets()
	draft := flag.Bool("draft", false, "also of a tree that is no revision")
	var chosen []string
	flag.Func("target", "one of "+strings.Join(targets, ", ")+"; may be repeated; all without this", func(s string) error {
		if !slices.Contains(targets, s) {
			return fmt.Errorf("want one of %s", strings.Join(targets, ", "))
		}
		chosen = append(chosen, s)
		return nil
	})
	flag.Parse()
	dir := "dist"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if len(chosen) == 0 {
		chosen = targets
	}
	if err := makeAll(dir, chosen, *draft); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// makeAll makes the files of all targets in dir.
func makeAll(dir string, targets []string, draft bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	own, info, err := build(scratch, runtime.GOOS+"-"+runtime.GOARCH)
	if err != nil {
		return err
	}
	if v := info.Main.Version; !draft && (v == "(devel)" || strings.HasSuffix(v, "+dirty")) {
		return fmt.Errorf("the version is %s: commit first, or say -draft", v)
	}
	texts, err := companions(own)
	if err != nil {
		return err
	}
	var sums strings.Builder
	tell := func(names ...string) error {
		for _, name := range names {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
			fmt.Printf("%s  %.1f MB\n", filepath.Join(dir, name), float64(len(content))/1e6)
		}
		return nil
	}
	for _, target := range targets {
		names, err := archive(dir, scratch, target, texts)
		if err == nil {
			err = tell(names...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	if slices.ContainsFunc(targets, func(t string) bool { return strings.HasPrefix(t, "linux-") }) {
		name, err := image(dir, scratch, info)
		if err == nil {
			err = tell(name)
		}
		if err != nil {
			return fmt.Errorf("image: %w", err)
		}
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

// build compiles the program of a target and reads what it was built from.
func build(scratch, target string) (string, *buildinfo.BuildInfo, error) {
	system, arch, _ := strings.Cut(target, "-")
	args := []string{"build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w"}
	if arch == "arm64" {
		args = append(args, "-gcflags=all=-d=fmahash=qn")
	}
	file := filepath.Join(scratch, target)
	command := exec.Command("go", append(args, "-o", file, "./cmd/quasistatic")...)
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0")
	if text, err := command.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%w\n%s", err, text)
	}
	info, err := buildinfo.ReadFile(file)
	return file, info, err
}

// image writes the container image of the programs for Linux that are there, and returns its name.
func image(dir, scratch string, info *buildinfo.BuildInfo) (string, error) {
	programs := map[string][]byte{}
	for _, arch := range []string{"amd64", "arm64"} {
		program, err := os.ReadFile(filepath.Join(scratch, "linux-"+arch))
		if err == nil {
			programs[arch] = program
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	parts, err := release.Licences(info)
	if err != nil {
		return "", err
	}
	version := strings.TrimPrefix(info.Main.Version, "v")
	var b bytes.Buffer
	if err := release.Image(&b, programs, release.Notices(parts), version, release.RevisionTime(info)); err != nil {
		return "", err
	}
	name := "quasistatic_" + version + "_oci.tar"
	return name, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666)
}

// companions are what every archive has beside the program: the texts that it prints itself, those of the
// repository, and the engine of pages.
func companions(program string) ([]release.Member, error) {
	var list []release.Member
	for _, m := range []struct {
		name string
		args []string
	}{
		{"quasistatic.1", []string{"man"}},
		{"completions/quasistatic.bash", []string{"completion", "bash"}},
		{"completions/_quasistatic", []string{"completion", "zsh"}},
		{"completions/quasistatic.fish", []string{"completion", "fish"}},
		{"completions/quasistatic.ps1", []string{"completion", "powershell"}},
	} {
		text, err := exec.Command(program, m.args...).Output()
		if err != nil {
			return nil, fmt.Errorf("%v: %w", m.args, err)
		}
		list = append(list, release.Member{Name: m.name, Content: text})
	}
	engine := filepath.Join(filepath.Dir(program), release.EngineFolder)
	if err := release.BuildEngine(engine); err != nil {
		return nil, err
	}
	files := map[string]string{"README.md": "README.md", "LICENSE": "LICENSE", "CITATION.cff": "CITATION.cff"}
	for _, name := range release.EngineFiles {
		files[release.EngineFolder+"/"+name] = filepath.Join(engine, name)
	}
	for name, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		list = append(list, release.Member{Name: name, Content: text})
	}
	return list, nil
}

// archive writes the archive of a target and the list of what is inside, and returns their names.
func archive(dir, scratch, target string, texts []release.Member) ([]string, error) {
	file, info, err := build(scratch, target)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parts, err := release.Licences(info)
	if err != nil {
		return nil, err
	}
	list, err := release.SBOM(info, target, parts)
	if err != nil {
		return nil, err
	}
	base := "quasistatic_" + strings.TrimPrefix(info.Main.Version, "v") + "_" + strings.ReplaceAll(target, "-", "_")
	windows := strings.HasPrefix(target, "windows")
	members := append(slices.Clone(texts), release.Member{Name: "LICENSES.txt", Content: release.Notices(parts)},
		release.Member{Name: "quasistatic", Content: program, Program: true})
	pack, suffix := release.Tarball, ".tar.gz"
	if windows {
		members[len(members)-1].Name += ".exe"
		pack, suffix = release.Zipped, ".zip"
	}
	slices.SortFunc(members, func(a, b release.Member) int { return strings.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	if err := pack(&b, base, members, release.RevisionTime(info)); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, base+suffix), b.Bytes(), 0o666); err != nil {
		return nil, err
	}
	return []string{base + suffix, base + ".cdx.json"}, os.WriteFile(filepath.Join(dir, base+".cdx.json"), list, 0o666)
}
