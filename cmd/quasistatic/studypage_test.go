package main

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/view"
)

// sliced is what the page of a study does when it is worked with.
type sliced struct {
	Plots, Marks, Moved, Sliders int
	Cells, Colours               int // of the map of a quantity
	Tip, Run, Hash, First, Last  string
	Before, After                string // the curves, before and after the slider moved
	Kept                         string // the run that the address names, after the page was read again
}

// slice uses what the page has: hover, click, slider, axes, keys, address.
const slice = `(async function () {
	var $ = function (id) { return document.getElementById(id); }, r = {}, pause = function () { return new Promise(function (done) { setTimeout(done, 30); }); };
	for (var i = 0; i < 400 && !$("plot-map"); i++) await pause();
	var f = function () { return $("plot-lines-0").querySelector("svg"); }, lines = function () { return f().querySelector("g[clip-path]").innerHTML; };
	r.plots = document.querySelectorAll("#figures svg.plot").length;
	r.marks = $("plot-map").querySelectorAll("g[clip-path] circle, g[clip-path] path[d$=Z]").length;
	var cells = [].map.call($("plot-map-0").querySelectorAll("g[clip-path] path[d$=Z][fill^='#']"), function (c) { return c.getAttribute("fill"); });
	r.cells = cells.length; r.colours = cells.filter(function (c, k) { return cells.indexOf(c) === k; }).length;
	var c = f().querySelector("g[clip-path] circle, g[clip-path] path[d$=Z]"), b = c.getBoundingClientRect();
	var fire = function (type) { f().dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: b.left + b.width / 2, clientY: b.top + b.height / 2 })); };
	fire("pointermove"); r.tip = $("plot-lines-0").querySelector(".tip").innerText;
	fire("pointerdown"); fire("pointerup"); r.run = $("run").innerText; r.hash = location.hash;
	var s = document.querySelectorAll("#slices input"); r.sliders = s.length;
	r.before = lines(); s[0].value = s[0].max; s[0].dispatchEvent(new Event("input")); r.after = lines();
	var key = function (k) { document.dispatchEvent(new KeyboardEvent("keydown", { key: k })); };
	key("Home"); r.first = $("run").innerText; key("End"); r.last = $("run").innerText;
	return r;
})()`

// TestStudyInBrowser: the page of a study answers: hover tells of the run under the pointer, a click
// picks it, its page is read or made where a program serves it, a slider moves through an axis that is not drawn, keys go from run to run, the address
// keeps all that; nothing is asked for elsewhere. So do the pages of a comparison and a convergence.
func TestStudyInBrowser(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	tab, dir := browser(t), t.TempDir()
	file := write(t, `{"case": "play", "expect": false, "vary": {"friction.dry.mu": {"linspace": [0.1, 0.6, 6]}, "energies[0].stiffness": [1, 2], "steps": [50, 100]}, "observe": ["dissipation"]}`,
		dir, "two.json")
	qs("sweep", file, "--out", filepath.Join(dir, "two"), "--quiet") // coarse runs need not be accurate
	page := "file://" + filepath.Join(dir, "two", "study.html")
	w := watch(t, tab)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(page)); err != nil {
		t.Fatal(err)
	}
	m := evaluate[sliced](t, tab, slice)
	if m.Cells != 12 || m.Colours < 4 {
		t.Errorf("the map of a quantity has %d cells in %d colours, want one for each of 12 runs", m.Cells, m.Colours)
	}
	if m.Plots != 3 || m.Marks != 12 || m.Sliders != 1 || m.Before == m.After {
		t.Errorf("%d plots, %d marks, %d sliders; the slider moves the curves: %v", m.Plots, m.Marks, m.Sliders, m.Before != m.After)
	}
	for what, text := range map[string]string{"hover": m.Tip, "a click": m.Run, "Home": m.First, "End": m.Last} {
		if !strings.HasPrefix(text, "run ") || !strings.Contains(text, "friction.dry.mu = ") || !strings.Contains(text, "dissipation [J]: ") {
			t.Errorf("%s tells %q", what, text)
		}
	}
	if !strings.HasSuffix(m.Run, " copy") || !strings.Contains(m.Run, "quasistatic run case.json --set 'expect=[]' --set friction.dry.mu=") ||
		!strings.Contains(m.First, "friction.dry.mu = 0.1 ") || !strings.Contains(m.Last, "friction.dry.mu = 0.6 ") ||
		!strings.Contains(m.Last, "steps = 100") {
		t.Errorf("a click: %q, Home: %q, End: %q", m.Run, m.First, m.Last)
	}
	if !strings.Contains(m.Hash, "over=friction.dry.mu") || !strings.Contains(m.Hash, "run=") {
		t.Errorf("the address is %q", m.Hash)
	}
	if err := chromedp.Do(tab, chromedp.Navigate("about:blank"), chromedp.EmulateViewport(390, 844),
		chromedp.Navigate(page+"#over=steps&and=&friction.dry.mu=0.3&run=9")); err != nil {
		t.Fatal(err)
	}
	again := evaluate[[]string](t, tab, `(async function () { for (var i = 0; i < 400 && !document.querySelector("#figures svg"); i++) await new Promise(function (done) { setTimeout(done, 30); });
		return [document.getElementById("run").innerText, document.querySelector("#slices output").textContent, String(document.documentElement.scrollWidth), String(document.getElementById("plot-map") === null)]; })()`)
	if !strings.HasPrefix(again[0], "run 9: ") || again[1] != "0.3" || again[2] != "390" || again[3] != "true" {
		t.Errorf("the address shows %q", again)
	}
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	mustRun(t, "run", "play", "--out", a, "--quiet", "--report")
	qs("run", "play", "--set", "friction.dry.mu=0.5", "--out", b, "--quiet", "--no-picture")
	mustRun(t, "compare", a, b, "--column", "p.x", "--out", filepath.Join(dir, "compare.html"), "--quiet")
	converge(t, "play", "--steps", "25", "--levels", "3", "--out", filepath.Join(dir, "c"), "--quiet")
	for name, want := range map[string]string{"compare.html": "2 2 2", "c/convergence.html": "1 3 0"} {
		if err := chromedp.Do(tab, chromedp.Navigate("file://"+filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
		got := evaluate[string](t, tab, `(async function () { for (var i = 0; i < 400 && !document.querySelector("#figures svg.plot"); i++) await new Promise(function (done) { setTimeout(done, 30); });
			return [document.querySelectorAll("#figures svg.plot").length, document.querySelectorAll("main table tbody tr").length, document.querySelectorAll("#columns > li").length ? 2 : 0].join(" "); })()`)
		if got != want {
			t.Errorf("%s: plots, runs, tables %q, want %q", name, got, want)
		}
	}
	study, err := view.NewStudy(filepath.Join(dir, "two"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(study.Handler())
	defer server.Close()
	if err := chromedp.Do(tab, chromedp.Navigate(server.URL+"/#run=9")); err != nil {
		t.Fatal(err)
	}
	if text := evaluate[string](t, tab, `(async function () { var v = null; for (var i = 0; i < 400 && !v; i++) { await new Promise(function (done) { setTimeout(done, 30); }); v = document.getElementById("opened").contentDocument?.querySelector("#verdict h2"); }
		return v.textContent + " " + document.getElementById("opens").textContent; })()`); !strings.Contains(text, "its page is below, of a run that was made in ") {
		t.Errorf("served, the run that is picked says %q", text)
	}
	w.Lock()
	defer w.Unlock()
	if len(w.errors) > 0 {
		t.Errorf("the page says %q", w.errors)
	}
	for _, r := range w.requests {
		if !strings.HasPrefix(strings.TrimPrefix(r, "blob:"), server.URL) && !strings.HasPrefix(r, "file://"+dir) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "about:") {
			t.Errorf("the page asks for %s", r)
		}
	}
}
