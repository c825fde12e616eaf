// Package release has what goes into the archives of scripts/release beside the program: the licences of
// its parts, the list of them, and the archives themselves.
package release

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A part is a module that is linked into the program, or the standard library of Go.
type Part struct {
	Path, Version, Sum string // sum as in go.sum; none of the standard library
	Licences           []string
	Texts              map[string]string // of the files of its licences, by their names
}

// Licences finds the licences of all that info lists, in the folders where Go keeps the sources. One
// that has none, or that [kind] does not know, is an error: somebody has to read it.
func Licences(info *buildinfo.BuildInfo) ([]Part, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	folders := map[string]string{"std": strings.TrimSpace(string(root))}
	parts := []Part{{Path: "std", Version: info.GoVersion}}
	args := []string{"mod", "download", "-json"}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, Part{Path: m.Path, Version: m.Version, Sum: m.Sum})
		args = append(args, m.Path+"@"+m.Version)
	}
	listed, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(listed)); dec.More(); {
		var m struct{ Path, Dir string }
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		folders[m.Path] = m.Dir
	}
	for k := range parts {
		if err := parts[k].Read(folders[parts[k].Path]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", parts[k].Path, parts[k].Version, err)
		}
	}
	return parts, nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|ftl)([-_.].*)?$`)

// Read collects the files of licences below a folder: code that a module took over keeps its own.
// Those of tests and of documents (.docs) are not linked; of the standard library the one at its root is for all.
func (p *Part) Read(dir string) error {
	p.Texts = map[string]string{}
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != dir && (p.Path == "std" || slices.Contains([]string{"testdata", "tests", "vendor", ".git"}, d.Name())) {
				return filepath.SkipDir
			}
			return nil
		}
		if !licenceName.MatchString(d.Name()) || slices.Contains([]string{".go", ".py", ".docs"}, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || seen[string(text)] {
			return err
		}
		seen[string(text)] = true
		at, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		p.Texts[filepath.ToSlash(at)] = string(text)
		if found := kind(string(text)); found != "" && !slices.Contains(p.Licences, found) {
			p.Licences = append(p.Licences, found)
		} else if found == "" && !strings.HasPrefix(strings.ToLower(d.Name()), "notice") {
			return fmt.Errorf("%s: a licence that internal/release does not know", at)
		}
		return nil
	})
	slices.Sort(p.Licences)
	if err == nil && len(p.Licences) == 0 {
		err = fmt.Errorf("no licence found in %s", dir)
	}
	return err
}

// kinds tells licences by words that stand in no other one of the list before them: the
// identifiers are those of SPDX.
var kinds = []struct{ id, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MPL-2.0", "Mozilla Public License Version 2.0"},
	{"OFL-1.1", "SIL OPEN FONT LICENSE Version 1.1"},
	{"FTL", "The FreeType Project LICENSE"},
	{"FTL", "* The FreeType License, which is similar to the original BSD license"}, // of two to choose from
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"BSD-3-Clause", "endorse or promote products derived from"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce the above copyright notice"},
	{"CC-BY-4.0", "Creative Commons Attribution 4.0 International"},
	{"CC-BY-4.0", "creativecommons.org/licenses/by/4.0"},
	{"CC0-1.0", "CC0 1.0 Universal"},
}

var blank = regexp.MustCompile(`[\s#*/>]+`)

// kind names the licence of a text, however its lines are broken; "" is none that is known.
func kind(text string) string {
	text = strings.ToLower(blank.ReplaceAllString(text, " "))
	for _, k := range kinds {
		if strings.Contains(text, strings.ToLower(blank.ReplaceAllString(k.words, " "))) {
			return k.id
		}
	}
	return ""
}

// Notices is the text that has to go with the program: every licence of every part.
func Notices(parts []Part) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "quasistatic itself is under the licence in LICENSE. These parts of the program are of others:\n\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "%-60s %-24s %s\n", p.Path, p.Version, strings.Join(p.Licences, ", "))
	}
	for _, p := range parts {
		names := make([]string, 0, len(p.Texts))
		for name := range p.Texts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n\n%s\n", strings.Repeat("=", 80), p.Path, p.Version, name, strings.TrimSpace(p.Texts[name]))
		}
	}
	return b.Bytes()
}
