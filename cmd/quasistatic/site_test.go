package main

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestSiteInBrowser opens all pages of a site that its first page leads to, and those that they lead
// to: each has its pictures, nothing is asked for elsewhere, no page is wider than a phone, and the
// gallery finds.
func TestSiteInBrowser(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	tab, dir := browser(t), filepath.Join(t.TempDir(), "site")
	args := []string{"site", dir, "--case", "play", "--case", "carter", "--patience", "5m", "--quiet"}
	if engine := os.Getenv("QUASISTATIC_ENGINE"); engine != "" { // the playground is a page of the site then
		args = append(args, "--engine", engine)
	}
	mustRun(t, args...)
	w := watch(t, tab)
	root := "file://" + dir + "/"
	if os.Getenv("QUASISTATIC_ENGINE") != "" { // a browser runs no engine of a file
		server := httptest.NewServer(http.FileServer(http.Dir(dir)))
		t.Cleanup(server.Close)
		root = server.URL + "/"
	}
	seen, open := map[string]bool{"index.html": true}, []string{"index.html"}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	for len(open) > 0 {
		page := open[0]
		open = open[1:]
		if err := chromedp.Do(tab, chromedp.Navigate(root+page)); err != nil {
			t.Fatal(err)
		}
		x := evaluate[struct {
			Links  []string
			Broken []string
			Wide   int
		}](t, tab, `({ links: [].map.call(document.querySelectorAll("a[href]"), function (a) { return a.href; }), wide: document.documentElement.scrollWidth,
			broken: [].filter.call(document.images, function (i) { i.loading = "eager"; return i.complete && i.naturalWidth === 0; }).map(function (i) { return i.src; }) })`)
		if len(x.Broken) > 0 || x.Wide > 390 {
			t.Errorf("%s: pictures %q are not there, %d pixels wide", page, x.Broken, x.Wide)
		}
		for _, link := range x.Links {
			to, ours := strings.CutPrefix(link, root)
			to, _, _ = strings.Cut(to, "#")
			if strings.HasPrefix(link, "file:") && !ours {
				t.Errorf("%s leads to %s, outside of the site", page, link)
			}
			if ours && !seen[to] && path.Ext(to) == ".html" {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(file string, _ fs.DirEntry, err error) error {
		if path.Ext(file) == ".html" && !seen[file] {
			t.Errorf("no page leads to %s", file)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(tab, chromedp.Navigate(root+"cases/index.html")); err != nil {
		t.Fatal(err)
	}
	if found := evaluate[string](t, tab, `(function () { var f = document.getElementById("filter"); f.value = "cylinder ROLLS"; f.dispatchEvent(new Event("input")); return document.getElementById("count").textContent + ": " + document.querySelector(".cards li:not([hidden]) h2").textContent; })()`); found != "1 of 3 cases: carter" {
		t.Errorf("found %q", found)
	}
	if strings.HasPrefix(root, "http") { // a run that is picked is made by the engine
		if err := chromedp.Do(tab, chromedp.Navigate(root+"cases/studies/friction.html#run=3")); err != nil {
			t.Fatal(err)
		}
		until(t, tab, `document.getElementById("opened")?.contentDocument?.body?.dataset.shown`)
		if text := evaluate[string](t, tab, `document.getElementById("opened").contentDocument.getElementById("text").value.replace(/\s+/g, " ")`); !strings.Contains(text,
			`"mu": 0.2`) {
			t.Errorf("the run that was picked is made of %s", text)
		}
	}
	w.Lock()
	defer w.Unlock()
	if len(w.errors) > 0 {
		t.Errorf("pages say %q", w.errors)
	}
	for _, r := range w.requests {
		if !strings.HasPrefix(strings.TrimPrefix(r, "blob:"), root) && !strings.HasPrefix(r, "data:") {
			t.Errorf("a page asks for %s", r)
		}
	}
}

// TestSiteFaults: what is wrong with the command is an error of the input.
func TestSiteFaults(t *testing.T) {
	for _, args := range [][]string{{"site"}, {"site", "a", "b"}, {"site", "a", "--case", "plai"},
		{"site", "a", "--patience", "0s"}, {"site", "../../cases"}} {
		if code, _, stderr := qs(args...); code != exitInput || stderr == "" {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
}
