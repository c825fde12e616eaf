package site_test

import (
	"context"
	"errors"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/quasistatic/quasistatic"
	"github.com/quasistatic/quasistatic/site"
)

var (
	links = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	ids   = regexp.MustCompile(`id="([^"]*)"`)
)

// TestLinks: each link of each page leads to a file of the site, and to a place that is there; what
// is loaded with a page is of the site.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	told := map[string]string{}
	o := site.Options{Documents: quasistatic.Documents, Cases: []string{"play"}, Patience: time.Minute, Version: "v0",
		OnCase: func(name, what string) { told[name] = what }}
	if err := site.Write(t.Context(), dir, o); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(told["play"], "Certified") {
		t.Errorf("told %q", told)
	}
	pages := map[string]string{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".html" {
			text, err := os.ReadFile(filepath.Join(dir, file))
			pages[file] = string(text)
			return err
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"index.html", "docs/case-format.html", "docs/index.html", "docs/decisions/index.html",
		"docs/notebooks/index.html", "cases/index.html", "cases/play.html"} {
		if pages[file] == "" {
			t.Errorf("no page %s", file)
		}
	}
	for _, want := range []string{"qs.run(&quot;play&quot;)", "<pre><code>certified\n",
		`src="data:image/png;base64,iVBOR`, `href="2-stick-slip.html"`} {
		if page := pages["docs/notebooks/1-first-run.html"]; !strings.Contains(page, want) {
			t.Errorf("the page of a notebook has no %q", want)
		}
	}
	n := 0
	for file, page := range pages {
		page, _, _ = strings.Cut(page, "<script") // of the program of a page
		for _, m := range links.FindAllStringSubmatch(page, -1) {
			if strings.HasPrefix(m[1], "data:image/png;base64,") {
				continue // it is in the page
			}
			u, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				if strings.HasPrefix(m[0], "src") {
					t.Errorf("%s loads %s", file, m[1])
				}
				continue
			}
			n++
			to := file
			if u.Path != "" {
				to = path.Join(path.Dir(file), u.Path)
			}
			if _, err := os.Stat(filepath.Join(dir, to)); err != nil || strings.HasPrefix(to, "..") {
				t.Errorf("%s: the link %s leads to nothing", file, m[1])
			}
			if u.Fragment == "" || path.Ext(to) != ".html" {
				continue
			}
			found := false
			for _, id := range ids.FindAllStringSubmatch(pages[to], -1) {
				found = found || html.UnescapeString(id[1]) == u.Fragment
			}
			if !found {
				t.Errorf("%s: %s has no place %q", file, to, u.Fragment)
			}
		}
	}
	if n < 500 {
		t.Errorf("%d links", n)
	}
	if err := site.Write(t.Context(), dir, site.Options{Documents: fstest.MapFS{}, Patience: time.Minute}); err != nil {
		t.Errorf("a site is not made again: %v", err)
	}
}

// TestDocuments: how links are translated, what is escaped, and which tables and headings are read.
func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	documents := fstest.MapFS{
		"README.md":      {Data: []byte("# Top\n\n[b](docs/b.md#a-place) [dir](docs/deep) [gone](../src/x.go) [far](https://example.org) ![p](docs/p.svg) <script>alert(1)</script>\n\n| a | b |\n|---|---|\n| 1 | `<x>` |\n")},
		"docs/b.md":      {Data: []byte("# `B`\n\n## A place\n\n[up](../README.md) [own](#a-place)\n")},
		"docs/deep/c.md": {Data: []byte("# See\n\n[case](../../cases/play.json)\n")},
		"docs/p.svg":     {Data: []byte("<svg/>")},
	}
	if err := site.Write(t.Context(), dir, site.Options{Documents: documents, Patience: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		"index.html": {`<a href="docs/b.html#a-place">b</a>`, `<a href="docs/deep/index.html">dir</a>`,
			" gone ", `<a href="https://example.org">`, `<img src="docs/p.svg"`, "<table>", "<code>&lt;x&gt;</code>"},
		"docs/b.html": {"<title>B · quasistatic</title>", `<h2 id="a-place">`,
			`<a href="../index.html">up</a>`, `<a href="#a-place">own</a>`},
		"docs/index.html":      {`<a href="b.html">B</a>`, `<a href="deep/index.html">`},
		"docs/deep/c.html":     {"<p>case</p>", `href="../../index.html"`},
		"docs/deep/index.html": {`<a href="c.html">See</a>`},
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s", file, want)
			}
		}
		if strings.Contains(string(text), "<script>alert") {
			t.Errorf("%s has a script of a document", file)
		}
	}
}

// TestImpatience: a case that takes longer has no page, and a card that says so.
func TestImpatience(t *testing.T) {
	dir := t.TempDir()
	if err := site.Write(t.Context(), dir, site.Options{Documents: fstest.MapFS{}, Cases: []string{"pile"},
		Patience: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cases", "index.html"))
	if err != nil || !strings.Contains(string(text), "its run takes longer than 1ms") ||
		!strings.Contains(string(text), "quasistatic run pile --report") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "cases", "pile.html")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestForeignFolder: files that no site wrote are left alone; a site that was stopped ends.
func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := site.Write(t.Context(), dir, site.Options{Documents: fstest.MapFS{}}); err == nil ||
		!strings.Contains(err.Error(), "no site wrote") {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "index.html")); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	dir = t.TempDir()
	for range 2 {
		ended, cancel := context.WithCancel(t.Context())
		o := site.Options{Documents: fstest.MapFS{}, Cases: []string{"play", "grazing"}, Patience: time.Minute,
			OnCase: func(string, string) { cancel() }}
		if err := site.Write(ended, dir, o); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
